/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of a report's frames, and whether the vmlinux is the one that printed it. */
#include <ctype.h>
#include <string.h>

#include "core/report/report.h"
#include "core/image/target.h"

#define FRAMES_COMPARED 4096
#define CODE_COMPARED 512 /* bytes */
#define CODE_ENOUGH 16    /* bytes of code that say something: ARM prints 20 */
#define SIZES_ENOUGH 3    /* equal sizes that make a release's vmlinux the right one */

struct fit {
	const struct report_frame *frame;
	struct symbol sym;
	unsigned found;
	bool sized; /* a symbol of this name has the size that the text says */
};

/* What is known of the frames and of the comparison. */
struct placing {
	struct report *r;
	struct target *t;
	unsigned sizes, equal, unknown;
	bool has_slide, force;
	uint64_t slide; /* from the addresses of the text to those of the target */
};

static bool fit_symbol(const struct symbol *s, uint64_t room, void *arg)
{
	struct fit *f = arg;
	bool sized = f->frame->size && (room == f->frame->size || s->size == f->frame->size);

	if (!strchr("tTwWiV", s->type))
		return true;
	if (!f->found++ || (sized && !f->sized))
		f->sym = *s;
	f->sized |= sized;
	return true;
}

static bool place_find(struct placing *p, const struct report_frame *f, struct fit *fit)
{
	struct err err;

	memset(fit, 0, sizeof(*fit));
	fit->frame = f;
	return symbol_each_named(p->t, f->func, f->module, fit_symbol, fit, &err) && fit->found;
}

/* Frames of modules are compared only where their symbols are there. */
static void compare_sizes(struct placing *p)
{
	struct report *r = p->r;

	for (size_t i = 0; i < r->frames.n && i < FRAMES_COMPARED; i++) {
		const struct report_frame *f = &r->frames.p[i];
		struct fit fit;

		if (!f->func || !f->size || f->module || f->duplicate)
			continue;
		p->sizes++;
		if (!place_find(p, f, &fit)) {
			p->unknown++;
			continue;
		}
		p->equal += fit.sized;
		if (fit.sized && f->addr && !p->has_slide) {
			p->has_slide = true;
			p->slide = fit.sym.addr + f->off - f->addr;
		}
	}
	if (!p->has_slide && r->has_offset) {
		p->has_slide = true;
		p->slide = p->t->kaslr - r->kernel_offset;
	}
}

static bool same_build(const struct report *r, const struct vmlinux *v, bool *known)
{
	char hex[65];

	*known = r->build_id && v->build_id_n && v->build_id_n <= 32;
	if (!*known)
		return false;
	for (size_t i = 0; i < v->build_id_n; i++) {
		static const char digits[] = "0123456789abcdef";

		hex[2 * i] = digits[v->build_id[i] >> 4];
		hex[2 * i + 1] = digits[v->build_id[i] & 15];
	}
	hex[2 * v->build_id_n] = '\0';
	return !strcmp(hex, r->build_id);
}

/* "Linux version 6.1.0-56-amd64 (...": is it the report's? */
static bool same_release(const struct report *r, const struct target *t, bool *known)
{
	const char *banner = t->vmlinux.banner;
	size_t n;

	*known = r->release && banner && !strncmp(banner, "Linux version ", 14);
	if (!*known)
		return false;
	n = strcspn(banner + 14, " ");
	return strlen(r->release) == n && !memcmp(banner + 14, r->release, n);
}

/* The bytes of the Code: line against .text; alternatives and ftrace patch some. *n bytes compared.
 */
static size_t same_code(struct placing *p, size_t *n)
{
	struct report *r = p->r;
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;
	uint8_t bytes[CODE_COMPARED];
	size_t mark, same = 0, all;
	struct span text;
	struct fit fit;
	uint64_t base, at;

	*n = 0;
	if (!pc || !pc->func || !pc->has_off || pc->module || !p->t->vmlinux.section ||
	    !(all = report_code(r, bytes, sizeof(bytes), &mark)) || !place_find(p, pc, &fit) ||
	    !p->t->vmlinux.section(p->t->vmlinux.self, ".text", &text, &base))
		return 0;
	at = fit.sym.addr + pc->off - p->t->kaslr - mark - base;
	for (size_t i = 0; i < all; i++)
		if (at + i < text.n) {
			++*n;
			same += text.p[at + i] == bytes[i];
		}
	return same;
}

static void judge(struct placing *p)
{
	struct report *r = p->r;
	bool build_known, release_known;
	bool build = same_build(r, &p->t->vmlinux, &build_known);
	bool release = same_release(r, p->t, &release_known);
	size_t code, code_n;
	const char *sizes = arena_printf(&r->arena, "%u of %u sizes", p->equal, p->sizes);

	if (build_known) {
		r->match = build ? "exact" : "mismatch";
		r->match_why = build ? "same build-id" : "another build-id";
		return;
	}
	code = same_code(p, &code_n);
	if (!p->sizes) {
		if (!release_known)
			return;
		r->match = release ? "likely" : "mismatch";
		r->match_why = release ? "same release" : "another release";
	} else if (p->equal * 10 < p->sizes * 7 || (code_n >= CODE_ENOUGH && code * 2 < code_n)) {
		r->match = "mismatch";
		r->match_why =
			p->equal * 10 < p->sizes * 7
				? sizes
				: arena_printf(&r->arena, "%zu of %zu bytes of code", code, code_n);
	} else if (p->equal == p->sizes && p->sizes >= SIZES_ENOUGH &&
		   (release || !release_known) &&
		   (code_n < CODE_ENOUGH || code * 10 >= code_n * 8)) {
		r->match = "exact";
		r->match_why = sizes;
	} else if (release_known && !release && p->equal < p->sizes) {
		r->match = "mismatch";
		r->match_why = arena_printf(&r->arena, "another release, and %s", sizes);
	} else {
		r->match = arena_printf(&r->arena, "likely (%s)", sizes);
	}
}

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

/* Is there a file of the module? What a text that names its build-id cannot have is told. */
static bool has_module(struct placing *p, const struct report_frame *f)
{
	const struct module_debug *d;
	struct err err;

	if (module_debug(p->t, f->module, &d, &err))
		return true;
	if (f->module_id && !p->r->modules_why && (err.code == ERR_MISMATCH || p->t->debuginfod))
		p->r->modules_why = arena_strdup(&p->r->arena, err.msg);
	return false;
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
		    strcmp(f->module, module) != 0 || !place_find(p, f, &fit))
			continue;
		all++;
		sized += fit.sized;
		if (f->size < fit.sym.size)
			return false;
	}
	return sized * 2 >= all;
}

static void refuse_module(struct placing *p, const struct report_frame *f, const char *why)
{
	if (!p->r->modules_why)
		p->r->modules_why = arena_printf(
			&p->r->arena, "the file of %s is of another build: %s", f->module, why);
}

static void place_frame(struct placing *p, struct report_frame *f)
{
	uint64_t addr, off;
	struct symbol sym;
	struct fit fit;
	struct err err;

	if (f->func && f->has_off) {
		if ((f->module && !has_module(p, f)) || !place_find(p, f, &fit) ||
		    (f->size && !fit.sized && fit.found > 1))
			return;
		if (f->module && !p->force && is_other_module(p, f)) {
			refuse_module(p, f, "its build-id is not the text's");
			return;
		}
		if (f->module && !p->force && !module_fits(p, f->module)) {
			refuse_module(p, f, "the sizes of its functions differ");
			return;
		}
		addr = fit.sym.addr + f->off;
	} else if (!f->func && f->addr && p->has_slide) {
		addr = f->addr + p->slide;
		if (!symbol_at(p->t, f->exact ? addr : addr - 1, &sym, &off, &err))
			return;
		f->func = sym.name;
		f->off = off + !f->exact;
		f->size = sym.size;
		f->has_off = true;
	} else {
		return;
	}
	/* a return address is behind its call; that of a call that never returns may even be the
	 * next function's first */
	places_set(p, f, f->exact ? addr : addr - 1);
	/* where nothing is before it nobody called: ARM's system calls are jumped to, and return to
	 * the first instruction of ret_fast_syscall() */
	if (!f->n_places && !f->exact && !f->off)
		places_set(p, f, addr);
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

/* A module is known by its own build-id, whether or not there is a vmlinux. */
static void place_known_modules(struct placing *p)
{
	for (size_t i = 0; i < p->r->frames.n; i++)
		if (p->r->frames.p[i].module && p->r->frames.p[i].module_id)
			place_frame(p, &p->r->frames.p[i]);
}

void report_place(struct report *r, struct target *t, bool force)
{
	struct placing p = { .r = r, .t = t, .force = force };

	expect_modules(&p);
	if (!symbols_available(t) ||
	    (r->arch && t->arch && strcmp(r->arch, arch_report_name(t->arch)) != 0)) {
		if (t->vmlinux.file && r->arch && t->arch) {
			r->match = "mismatch";
			r->match_why = "another architecture";
			return;
		}
		place_known_modules(&p);
		return;
	}
	compare_sizes(&p);
	judge(&p);
	if (!r->match || (!strcmp(r->match, "mismatch") && !force)) {
		place_known_modules(&p);
		return;
	}
	for (size_t i = 0; i < r->frames.n; i++)
		place_frame(&p, &r->frames.p[i]);
}
