/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of what taints the kernel, in words. */
#include "core/verdict/check.h"

#include <string.h>

#include "core/linux/misc/system.h"
#include "core/report/judge/taint.h"

/* Letters that are worth a line. The others say only which code is loaded, which the check of
 * modules has, or that something was reported, which the checks of oopses and warnings have. */
#define WARNING_LETTERS "FSRMBUALJ"

static bool look_taints(struct triage *g, struct finding *f, struct err *err)
{
	enum check_state state = CHECK_OK;
	struct buf b = { 0 };
	struct system s;
	const char *words;
	char letter;

	system_read(g->t, &s);
	if (s.errs[SYS_TAINT].code != ERR_OK)
		return *err = s.errs[SYS_TAINT], false;
	for (size_t i = 0; i < 64; i++) {
		if (!(s.taint >> i & 1))
			continue;
		if (!taint_flag((unsigned)i, &letter, &words)) {
			buf_printf(&b, "%sbit %zu, which is not known here", b.n ? "; " : "", i);
			continue;
		}
		buf_printf(&b, "%s%s (%c)", b.n ? "; " : "", words, letter);
		if (strchr(WARNING_LETTERS, letter))
			state = CHECK_WARN;
	}
	find(g, f, state, "%s", b.n ? buf_text(&b) : "nothing taints the kernel");
	buf_release(&b);
	return true;
}

const struct checkup check_taints = {
	.name = "taints",
	.doc = "what taints the kernel",
	.more = "sys -t",
	.look = look_taints,
};
