/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the modules: which are not of this kernel. */
#include "core/verdict/check.h"

#include <string.h>

#include "core/linux/module/module.h"

/* Is the module on the stack of an exception, or of what else the kernel found wrong? */
static bool on_a_stack(const struct triage *g, const char *name)
{
	for (size_t i = 0; i < g->reports.n; i++) {
		const struct report *r = g->reports.p[i];

		for (size_t k = 0; k < r->frames.n; k++)
			if (r->frames.p[k].module && !strcmp(r->frames.p[k].module, name) &&
			    r->frames.p[k].role == TRACE_MAIN)
				return true;
	}
	return false;
}

/* Does a check blame the module for what stands still? */
static bool is_blamed(const struct triage *g, const char *name)
{
	for (size_t i = 0; i < g->n_findings; i++) {
		const struct finding *f = &g->findings[i];

		if (f->claim && f->claim->module && !strcmp(f->claim->module, name))
			return true;
	}
	return false;
}

static bool look_modules(struct triage *g, struct finding *f, struct err *err)
{
	const struct kmodule *m;
	struct buf b = { 0 };
	const char *guilty = NULL, *why = "";
	size_t n, foreign = 0;
	bool all;

	if (!modules_all(g->t, &m, &n, err))
		return false;
	all = modules_complete(g->t, &f->why);
	for (size_t i = 0; i < n; i++)
		if (m[i].taint_text && *m[i].taint_text) {
			if (!guilty && on_a_stack(g, m[i].name)) {
				guilty = m[i].name;
				why = " is on the stack of what the kernel reported";
			} else if (!guilty && is_blamed(g, m[i].name)) {
				guilty = m[i].name;
				why = " is where something stands still";
			}
			if (foreign++ < 4)
				buf_printf(&b, "%s%s %s", b.n ? ", " : "", m[i].name,
					   m[i].taint_text);
			else if (foreign == 5)
				buf_str(&b, ", ...");
		}
	if (foreign)
		find(g, f, CHECK_WARN, "%zu of %zu are not of this kernel: %s%s%s%s", foreign, n,
		     buf_text(&b), guilty ? "; " : "", guilty ? guilty : "", why);
	else if (!all)
		find(g, f, CHECK_UNKNOWN,
		     "%zu loaded, all of this kernel, but there may be others: %s", n, f->why.msg);
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
