/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the modules: which are not of this kernel. */
#include "core/verdict/check.h"

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
