/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the evidence itself: the dump may be cut, or have no vmlinux. */
#include "core/verdict/check.h"

#include <inttypes.h>

static bool look_dump(struct triage *g, struct finding *f, struct err *err)
{
	const struct dump *d = &g->t->dump;

	(void)err;
	if (d->truncated)
		find(g, f, CHECK_WARN,
		     "the file ends early: %" PRIu64 " of %" PRIu64 " pages are lost",
		     d->missing_pages, d->missing_pages + d->present_pages);
	else if (!g->t->vmlinux.file)
		find(g, f, CHECK_OK, "%s, without a vmlinux: no lines of the source",
		     d->format ? d->format : "of a format not known");
	else
		find(g, f, CHECK_OK, "%s, with its vmlinux",
		     d->format ? d->format : "of a format not known");
	return true;
}

const struct checkup check_dump = {
	.name = "dump",
	.doc = "whether the dump is whole, and has its vmlinux",
	.more = "sys",
	.look = look_dump,
};
