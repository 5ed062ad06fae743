/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of what taints a kernel: its modules, and what the hardware did. */
#include "core/verdict/check.h"

#include <string.h>

#include "core/linux/misc/system.h"
#include "core/linux/module/module.h"

static bool look_modules(struct triage *g, struct finding *f, struct err *err)
{
	const struct kmodule *m;
	struct buf b = { 0 };
	size_t n, foreign = 0;

	if (!modules_all(g->t, &m, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (m[i].taint_text && *m[i].taint_text) {
			if (foreign++ < 4)
				buf_printf(&b, "%s%s %s", b.n ? ", " : "", m[i].name,
					   m[i].taint_text);
			else if (foreign == 5)
				buf_str(&b, ", ...");
		}
	if (foreign)
		find(g, f, CHECK_WARN, "%zu of %zu are not of this kernel: %s", foreign, n,
		     buf_text(&b));
	else
		find(g, f, CHECK_OK, "%zu loaded, all of this kernel", n);
	buf_release(&b);
	return true;
}

const struct checkup check_modules = {
	.name = "modules",
	.doc = "modules that are proprietary, from outside the kernel's tree, or unsigned",
	.more = "mod -t",
	.look = look_modules,
};

/* Bits of tainted_mask: Documentation/admin-guide/tainted-kernels.rst. */
#define TAINT_MACHINE_CHECK 4u
#define TAINT_BAD_PAGE 5u

static bool look_hardware(struct triage *g, struct finding *f, struct err *err)
{
	const struct report *met = NULL;
	struct system s;
	bool checked;

	system_read(g->t, &s);
	if (s.errs[SYS_TAINT].code != ERR_OK) {
		*err = s.errs[SYS_TAINT];
		return false;
	}
	checked = s.taint >> TAINT_MACHINE_CHECK & 1;
	for (size_t i = 0; i < g->reports.n && !met; i++)
		if (g->reports.p[i]->kind == KIND_MCE || g->reports.p[i]->kind == KIND_SERROR)
			met = g->reports.p[i];
	if (met || checked) {
		if (met)
			f->claim = claim_of_report(g, (struct report *)met);
		find(g, f, g->death.way == WAY_HARDWARE ? CHECK_FAIL : CHECK_WARN, "%s",
		     met ? met->headline : "the kernel is tainted by a machine check");
	} else if (s.taint >> TAINT_BAD_PAGE & 1) {
		find(g, f, CHECK_WARN, "a page was found in a state that it may not have");
	} else {
		find(g, f, CHECK_OK, "the kernel reported no error of it");
	}
	return true;
}

const struct checkup check_hardware = {
	.name = "hardware",
	.doc = "machine checks and other errors of the hardware",
	.more = "sys -t",
	.look = look_hardware,
};
