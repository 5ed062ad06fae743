/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of what taints the kernel, in words. */
#include "core/verdict/check.h"

#include "core/linux/misc/system.h"

/* By the bit in tainted_mask: Documentation/admin-guide/tainted-kernels.rst. Those that say only
 * which code is loaded are told, and are no warning here: the check of modules has them. */
static const struct {
	const char *words;
	bool warns;
} taints[] = {
	{ "a proprietary module was loaded (P)", false },
	{ "a module was loaded by force (F)", true },
	{ "the processor or the system is out of its specification (S)", true },
	{ "a module was unloaded by force (R)", true },
	{ "the processor reported a machine check (M)", true },
	{ "a page was in a state that it may not have (B)", true },
	{ "a program asked for it (U)", true },
	{ "the kernel has died before: an oops or a BUG (D)", true },
	{ "a table of ACPI was overridden (A)", true },
	{ "a warning was issued (W)", false }, /* the check of warnings has it */
	{ "a driver of the staging area was loaded (C)", false },
	{ "a workaround for the firmware is used (I)", false },
	{ "a module from outside of the kernel's tree was loaded (O)", false },
	{ "an unsigned module was loaded (E)", false },
	{ "a soft lockup was met (L)", true },
	{ "the kernel was patched while it ran (K)", false },
	{ "the distribution marked it (X)", false },
	{ "structs were laid out by chance (T)", false },
	{ "tests of the kernel's own were run (N)", false },
	{ "a program changed what fwctl guards (J)", true },
};

static bool look_taints(struct triage *g, struct finding *f, struct err *err)
{
	enum check_state state = CHECK_OK;
	struct buf b = { 0 };
	struct system s;

	system_read(g->t, &s);
	if (s.errs[SYS_TAINT].code != ERR_OK)
		return *err = s.errs[SYS_TAINT], false;
	for (size_t i = 0; i < 64; i++) {
		if (!(s.taint >> i & 1))
			continue;
		if (i >= ARRAY_SIZE(taints)) {
			buf_printf(&b, "%sbit %zu, which is not known here", b.n ? "; " : "", i);
			continue;
		}
		buf_printf(&b, "%s%s", b.n ? "; " : "", taints[i].words);
		if (taints[i].warns)
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
