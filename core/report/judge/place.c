/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of a report's frames, where the vmlinux is the one that printed it. */
#include <string.h>

#include "core/report/judge/placing.h"

#define WHY_MAX 500 /* bytes of reasons */

static void places_set(struct placing *p, struct report_frame *f, uint64_t addr)
{
	const struct line *lines;
	struct report_place *v;
	struct err err;
	size_t n;

	if (!line_find(p->t, addr, &lines, &n, &err) || !n)
		return;
	v = ARENA_ARRAY(&p->r->arena, struct report_place, n);
	for (size_t i = 0; i < n; i++)
		v[i] = (struct report_place){ .func = lines[i].func,
					      .file = lines[i].file,
					      .line = lines[i].line,
					      .inlined = lines[i].inlined };
	for (size_t i = 0; i < n && p->t->sources.folders.n && f->reliable; i++)
		report_excerpt(p->r, p->t, &v[i]);
	f->places = v;
	f->n_places = n;
}

/* Notes why frames of modules have no lines, once. */
static void refuse_module(struct placing *p, const char *why)
{
	struct report *r = p->r;

	if (!r->modules_why)
		r->modules_why = arena_strdup(&r->arena, why);
	else if (!strstr(r->modules_why, why) && strlen(r->modules_why) < WHY_MAX)
		r->modules_why = arena_printf(&r->arena, "%s; %s", r->modules_why, why);
}

/* Is there a file of the module, of the kernel that the text is of? */
static bool has_module(struct placing *p, const struct report_frame *f)
{
	const struct module_debug *d;
	struct report *r = p->r;
	struct err err;

	if (!module_debug(p->t, f->module, &d, &err)) {
		if (err.code != ERR_NEED || (f->module_id && p->t->debuginfod))
			refuse_module(p, err.msg);
		return false;
	}
	if (r->release && d->release && strcmp(r->release, d->release) != 0 && !p->force) {
		refuse_module(p, arena_printf(&r->arena,
					      "'%.300s' is for kernel %.64s, and the text is of "
					      "%.64s",
					      d->path, d->release, r->release));
		return false;
	}
	if (!d->lines)
		refuse_module(p, arena_printf(&r->arena,
					      "'%.300s' has no debug info, so there are no lines",
					      d->path));
	return true;
}

/* A given file may be without a build-id, and a dump's own module another one than the text's. */
static bool is_other_module(struct placing *p, const struct report_frame *f)
{
	const struct module_debug *d;
	struct err err;

	if (!f->module || !f->module_id || !module_debug(p->t, f->module, &d, &err) ||
	    !d->build_id_n)
		return false;
	return strcmp(build_id_text(&p->r->arena, d->build_id, d->build_id_n), f->module_id) != 0;
}

/* Have most of its functions the sizes that the text says? The last one of a section has any: the
 * kernel counts up to the next section's first. */
static bool module_fits(struct placing *p, const char *module)
{
	const struct report *r = p->r;
	size_t sized = 0, all = 0;

	for (size_t i = 0; i < r->frames.n && i < FRAMES_COMPARED; i++) {
		const struct report_frame *f = &r->frames.p[i];
		struct fit fit;

		if (!f->func || !f->size || !f->module || f->duplicate ||
		    strcmp(f->module, module) != 0 || !fit_find(p, f, &fit))
			continue;
		all++;
		sized += fit.sized;
		if (f->size < fit.sym.size)
			return false;
	}
	return sized * 2 >= all;
}

static void other_module(struct placing *p, const struct report_frame *f, const char *why)
{
	refuse_module(p, arena_printf(&p->r->arena, "the file of %s is of another build: %s",
				      f->module, why));
}

/* What the kernel names by a return address is the next function where the call that never returns
 * is the last of its own. */
static void name_caller(struct placing *p, struct report_frame *f, uint64_t addr)
{
	struct symbol sym;
	uint64_t off;
	struct err err;

	if (!symbol_at(p->t, addr - 1, &sym, &off, &err) || !strchr("tTwWi", sym.type))
		return;
	f->func = sym.name;
	f->off = off + 1;
	f->size = sym.size;
	f->resolved = p->renamed = true;
}

static void place_frame(struct placing *p, struct report_frame *f)
{
	uint64_t addr;
	struct fit fit;

	if (!f->func || !f->has_off || (f->module && !f->resolved && !has_module(p, f)))
		return;
	if (f->resolved) {
		addr = f->addr + p->slide;
	} else {
		if (!fit_find(p, f, &fit) || (f->size && !fit.sized && fit.found > 1))
			return;
		if (f->module && !p->force && is_other_module(p, f)) {
			other_module(p, f, "its build-id is not the text's");
			return;
		}
		if (f->module && !p->force && !module_fits(p, f->module)) {
			other_module(p, f, "the sizes of its functions differ");
			return;
		}
		addr = fit.sym.addr + f->off;
	}
	/* a return address is behind its call; that of a call that never returns may even be the
	 * next function's first */
	places_set(p, f, f->exact ? addr : addr - 1);
	/* where nothing is before it nobody called, as with ARM's ret_fast_syscall() */
	if (!f->n_places && !f->exact && !f->off)
		places_set(p, f, addr);
	else if (!f->exact && !f->off)
		name_caller(p, f, addr);
	if (f->pc && report_kind_is(p->r->kind, KIND_IS_TRAP))
		report_member(p->r, p->t, addr);
}

/* The build-id that every frame of a module has; NULL: they do not agree, or this is not its first.
 */
static const char *agreed_id(const struct report *r, size_t at)
{
	const struct report_frame *first = &r->frames.p[at];

	if (!first->module || !first->module_id)
		return NULL;
	for (size_t i = 0; i < r->frames.n && i < FRAMES_COMPARED; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->module && !strcmp(f->module, first->module) &&
		    (i < at || !f->module_id || strcmp(f->module_id, first->module_id) != 0))
			return NULL;
	}
	return first->module_id;
}

/* Only the file with the build-id that the text gives a module is that module's. */
static void expect_modules(struct placing *p)
{
	const struct report *r = p->r;

	for (size_t i = 0; i < r->frames.n && i < FRAMES_COMPARED && !p->force; i++) {
		const char *id = agreed_id(r, i);

		if (id)
			module_expect(p->t, r->frames.p[i].module, id);
	}
}

/* A module is known by itself, whether or not there is a vmlinux. */
static void place_modules(struct placing *p)
{
	for (size_t i = 0; i < p->r->frames.n; i++)
		if (p->r->frames.p[i].module)
			place_frame(p, &p->r->frames.p[i]);
}

static bool has_kernel_lines(const struct report *r)
{
	for (size_t i = 0; i < r->frames.n; i++)
		if (!r->frames.p[i].module && r->frames.p[i].n_places)
			return true;
	return false;
}

/* Why a vmlinux that is the right one gives no lines. */
static void explain_lines(struct placing *p)
{
	const struct target *t = p->t;
	const char *path = t->vmlinux.file ? t->vmlinux.file->path : NULL;

	if (!path || has_kernel_lines(p->r) || !p->r->frames.n)
		return;
	if (!p->symbols)
		p->r->lines_why = arena_printf(
			&p->r->arena, "'%.200s' is stripped: it has neither names nor lines", path);
	else if (!t->dwarf)
		p->r->lines_why = arena_printf(
			&p->r->arena, "'%.200s' has no debug info: names, but no lines", path);
}

static bool same_arch(const struct report *r, const struct target *t)
{
	return !r->arch || !t->arch || !strcmp(r->arch, arch_report_name(t->arch));
}

void report_place(struct report *r, struct target *t, bool force)
{
	struct placing p = { .r = r, .t = t, .force = force };
	bool named;

	modules_expect_kernel(t, r->release, r->arch ? arch_of_report(r->arch) : NULL);
	expect_modules(&p);
	p.symbols = symbols_available(t);
	if (!same_arch(r, t) || (!p.symbols && !t->vmlinux.file)) {
		if (t->vmlinux.file) {
			r->match = "mismatch";
			r->match_why = "another architecture";
		}
		place_modules(&p);
		return;
	}
	match_sizes(&p);
	address_measure(&p);
	match_judge(&p);
	if (!match_holds(&p)) {
		place_modules(&p);
		return;
	}
	named = address_names(&p);
	for (size_t i = 0; i < r->frames.n; i++)
		place_frame(&p, &r->frames.p[i]);
	explain_lines(&p);
	if (named || p.renamed)
		report_judge(r);
}
