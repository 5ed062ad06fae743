/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the person is warned of about the target. */
#include <stdio.h>
#include <string.h>

#include "core/image/target.h"

bool target_needs_debug(struct err *err)
{
	return err_set(err, ERR_NEED,
		       "no debug info is loaded: give the vmlinux with debug info of this dump "
		       "('debuginfo' says where it is to be had)");
}

void target_warn(struct target *t, enum err_code code, const char *fmt, ...)
{
	struct err e;
	va_list ap;
	struct warning *w = vec_push(&t->warnings);

	va_start(ap, fmt);
	vsnprintf(e.msg, sizeof(e.msg), fmt, ap);
	va_end(ap);
	w->code = code;
	w->text = arena_strdup(&t->arena, e.msg);
}

/* A scan of some 4 KiB of text: a few microseconds, and nothing to build or to keep. */
void target_lacks(struct target *t, const struct err *why)
{
	if (why->code == ERR_INTR)
		return;
	for (size_t i = 0; i < t->warnings.n; i++)
		if (t->warnings.p[i].code == why->code && !strcmp(t->warnings.p[i].text, why->msg))
			return;
	target_warn(t, why->code, "%s", why->msg);
}
