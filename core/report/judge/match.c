/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are the symbols those of the kernel that printed a report? Its build-id says so, its release and
 * version, the sizes of its functions and the bytes of its code. */
#include <ctype.h>
#include <string.h>

#include "core/report/judge/placing.h"

#define CODE_COMPARED 512 /* bytes */
#define CODE_ENOUGH 16    /* bytes of code that say something: ARM prints 20 */
#define ENOUGH 3          /* functions that say something where no release is known */

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

bool fit_find(struct placing *p, const struct report_frame *f, struct fit *fit)
{
	struct err err;

	memset(fit, 0, sizeof(*fit));
	fit->frame = f;
	return symbol_each_named(p->t, f->func, f->module, fit_symbol, fit, &err) && fit->found;
}

/* A function that stands in the text twice is one witness. */
static bool seen_before(const struct report *r, size_t at)
{
	const struct report_frame *f = &r->frames.p[at];

	for (size_t i = 0; i < at; i++) {
		const struct report_frame *g = &r->frames.p[i];

		if (g->func && !g->duplicate && !g->module && g->size == f->size &&
		    !strcmp(g->func, f->func))
			return true;
	}
	return false;
}

void match_sizes(struct placing *p)
{
	struct report *r = p->r;

	for (size_t i = 0; p->symbols && i < r->frames.n && i < FRAMES_COMPARED; i++) {
		const struct report_frame *f = &r->frames.p[i];
		bool first, places = f->addr && f->has_off && !p->has_slide;
		struct fit fit;

		if (!f->func || !f->size || f->module || f->duplicate)
			continue;
		first = !seen_before(r, i);
		p->sizes += first;
		if ((!first && !places) || !fit_find(p, f, &fit) || !fit.sized)
			continue;
		p->equal += first;
		if (!places)
			continue;
		p->has_slide = true;
		p->slide = fit.sym.addr + f->off - f->addr;
		p->slide_why = arena_printf(&r->arena, "as that of %s is", f->func);
	}
}

/* ---- who the symbols are of */

static bool same_build(const struct report *r, const struct vmlinux *v, bool *known)
{
	uint8_t id[BUILD_ID_MAX];
	size_t n;

	*known = r->build_id && v->build_id_n &&
		 build_id_parse(r->build_id, strlen(r->build_id), id, &n);
	return *known && n == v->build_id_n && !memcmp(id, v->build_id, n);
}

/* What the target's kernel calls itself: "6.1.0-56-amd64", in the report's arena, and *version
 * "#1 SMP ... Debian 6.1.192-2 (2026-11-16)" or NULL. NULL: it is not known. */
static const char *own_release(struct placing *p, const char **version)
{
	struct vmlinux *v = &p->t->vmlinux;
	const char *banner = v->find_banner ? v->find_banner(p->t) : v->banner, *s;
	size_t n;

	*version = NULL;
	if (banner && !strncmp(banner, "Linux version ", 14)) {
		s = strstr(banner, ") #");
		*version = s ? s + 2 : NULL;
		return arena_strndup(&p->r->arena, banner + 14, strcspn(banner + 14, " "));
	}
	if (vmcoreinfo_str(p->t, "OSRELEASE", &s, &n))
		return arena_strndup(&p->r->arena, s, n);
	return NULL;
}

/* Does `text`, words between blanks, have the n bytes at word as one? */
static bool has_word(const char *text, const char *word, size_t n)
{
	for (const char *s = text; (s = strstr(s, " ")); s++) {
		size_t m = strcspn(s + 1, " \n");

		if (m == n && !memcmp(s + 1, word, n))
			return true;
	}
	return false;
}

/* What is of one build of a release alone: "#45-Ubuntu", and the package's version that Debian's
 * kernels print, "Debian 6.1.192-2". The number of a build, "#1", is of many. */
enum version_said {
	VERSION_UNKNOWN,
	VERSION_PROVED,
	VERSION_OTHER
};
static enum version_said same_version(const struct report *r, const char *own)
{
	enum version_said said = VERSION_UNKNOWN;
	const char *s = r->version, *debian;
	size_t n;

	if (!s || !own || *s != '#')
		return VERSION_UNKNOWN;
	n = strcspn(s, " ");
	if (strcspn(own, " \n") != n || memcmp(s, own, n) != 0)
		return VERSION_OTHER;
	for (size_t i = 1; i < n; i++)
		if (isalpha((unsigned char)s[i]))
			said = VERSION_PROVED;
	debian = strstr(s, "Debian ");
	if (!debian || !strstr(own, " Debian "))
		return said;
	debian += 7;
	return has_word(own, debian, strcspn(debian, " ")) ? VERSION_PROVED : VERSION_OTHER;
}

/* The bytes of the Code: line against .text; alternatives and ftrace patch some. *n bytes compared.
 */
static size_t same_code(struct placing *p, size_t *n)
{
	struct report *r = p->r;
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;
	uint8_t bytes[CODE_COMPARED];
	size_t mark, same = 0, turned = 0, all;
	struct span text;
	struct fit fit;
	uint64_t base, at;

	*n = 0;
	if (!p->symbols || !pc || !pc->func || !pc->has_off || pc->module ||
	    !p->t->vmlinux.section || !(all = report_code(r, bytes, sizeof(bytes), &mark)) ||
	    !fit_find(p, pc, &fit) ||
	    !p->t->vmlinux.section(p->t->vmlinux.self, ".text", &text, &base))
		return 0;
	at = fit.sym.addr + pc->off - p->t->kaslr - mark - base;
	for (size_t i = 0; i < all; i++)
		if (at + i < text.n) {
			++*n;
			same += text.p[at + i] == bytes[i];
			/* a word of four bytes is printed as a number, whatever its order in the
			 * file is */
			turned += at + (i ^ 3) < text.n && text.p[at + (i ^ 3)] == bytes[i];
		}
	return p->t->arch && p->t->arch->insn == 4 && turned > same ? turned : same;
}

/* What contradicts that the report is of this kernel; NULL: nothing does. */
static const char *contradiction(struct placing *p, size_t code, size_t code_n)
{
	struct arena *a = &p->r->arena;

	if (p->equal * 10 < p->sizes * 7)
		return arena_printf(a, "%u of %u sizes", p->equal, p->sizes);
	if (code_n >= CODE_ENOUGH && code * 2 < code_n)
		return arena_printf(a, "%zu of %zu bytes of code", code, code_n);
	if (p->returns > ENOUGH && !p->slide_assumed && p->calls * 2 < p->returns)
		return arena_printf(a, "%u of %u return addresses lie behind calls", p->calls,
				    p->returns);
	return NULL;
}

/* What was compared, in words; NULL: nothing was. */
static const char *evidence(struct placing *p)
{
	struct arena *a = &p->r->arena;

	if (p->sizes)
		return arena_printf(a, "%u of %u sizes", p->equal, p->sizes);
	if (p->returns && p->calls)
		return arena_printf(a, "%u of %u return addresses behind calls", p->calls,
				    p->returns);
	return NULL;
}

static void judged(struct report *r, const char *match, const char *why)
{
	r->match = match;
	r->match_why = why;
}

static void judged_likely(struct report *r, const char *compared, const char *why)
{
	if (compared)
		judged(r, arena_printf(&r->arena, "likely (%s)", compared), why);
	else
		judged(r, "likely", why);
}

/* No release is known: is there enough else? */
static void judge_nameless(struct placing *p, const char *compared)
{
	struct report *r = p->r;
	bool sizes = p->sizes >= ENOUGH && p->equal * 10 >= p->sizes * 9;
	bool calls = p->returns > ENOUGH && p->calls * 10 >= p->returns * 8;
	const char *why = r->release ? "these symbols do not say whose they are"
				     : "the text names no release";

	if (sizes || calls || (mem_loaded(p->t) && compared))
		judged_likely(r, compared, why);
	else if (compared)
		judged(r, "unproven",
		       arena_printf(&r->arena, "%s, and %s fit many", why, compared));
	else if (p->symbols || p->t->vmlinux.file)
		judged(r, "unproven", why);
}

void match_judge(struct placing *p)
{
	struct report *r = p->r;
	const char *version, *own = own_release(p, &version), *compared = evidence(p), *against;
	bool build_known, build = same_build(r, &p->t->vmlinux, &build_known);
	enum version_said said;
	size_t code, code_n;

	r->match_names = !p->t->vmlinux.file && !mem_loaded(p->t);
	if (build_known) {
		judged(r, build ? "exact" : "mismatch",
		       build ? "same build-id" : "another build-id");
		return;
	}
	if (r->release && own && strcmp(r->release, own) != 0) {
		judged(r, "mismatch", arena_printf(&r->arena, "it is of %s", own));
		return;
	}
	said = same_version(r, version);
	if (said == VERSION_OTHER) {
		judged(r, "mismatch",
		       arena_printf(&r->arena, "another build of the release: %.100s",
				    arena_strndup(&r->arena, version, strcspn(version, "\n"))));
		return;
	}
	code = same_code(p, &code_n);
	against = contradiction(p, code, code_n);
	if (against)
		judged(r, "mismatch", against);
	else if (said == VERSION_PROVED && p->equal == p->sizes &&
		 (code_n < CODE_ENOUGH || code * 10 >= code_n * 8))
		judged(r, "exact",
		       compared ? arena_printf(&r->arena, "same release and build, %s", compared)
				: "same release and build");
	else if (r->release && own)
		judged_likely(r, compared, "same release");
	else
		judge_nameless(p, compared);
}

bool match_holds(const struct placing *p)
{
	const char *match = p->r->match;

	if (!match || p->force)
		return match != NULL;
	/* a table of names is given by hand, and has nothing that could prove it */
	return !strcmp(match, "exact") || !strncmp(match, "likely", 6) ||
	       (!strcmp(match, "unproven") && p->r->match_names);
}
