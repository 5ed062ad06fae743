/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judgement of a report: its title, and its signature. */
#include <inttypes.h>
#include <string.h>

#include "core/report/report.h"

/* FNV-1a: short, public domain, and the same everywhere. */
static uint64_t hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Does the frame belong to the trace that the guilty one stands in? */
static bool same_trace(const struct report_frame *guilty, const struct report_frame *f)
{
	if (f->role != guilty->role)
		return false;
	/* the program counter stands alone, its trace behind it */
	return f->trace == guilty->trace || (guilty->pc && f->trace <= guilty->trace + 1);
}

static bool among(const char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

size_t report_trail(struct report *r, const struct report_frame *guilty, const char **names,
		    size_t max, bool *whole)
{
	size_t n = 0;

	*whole = false;
	for (size_t i = guilty ? (size_t)(guilty - r->frames.p) : r->frames.n; i < r->frames.n;
	     i++) {
		const struct report_frame *f = &r->frames.p[i];
		enum function_class class;
		const char *name;

		if (!same_trace(guilty, f) || !f->func || !f->reliable || f->src_inlined ||
		    f->duplicate)
			continue;
		name = function_plain(&r->arena, f->func);
		class = function_class(name);
		/* it calls whatever it is told to, or is the way in: behind it nothing is to blame,
		 * and behind an interrupt stands who was interrupted */
		*whole = class == FUNC_DISPATCH || class == FUNC_ENTRY || class == FUNC_IDLE;
		if (*whole && n)
			break;
		if (class != FUNC_PLAIN || among(names, n, name))
			continue;
		if (n == max) {
			*whole = false;
			break;
		}
		names[n++] = name;
	}
	return n;
}

/* The function as a field between colons: Rust's paths have dots there, "frob.Frob.load". */
static const char *field(struct arena *a, const char *function)
{
	char *text = arena_strdup(a, function), *to = text;

	for (const char *p = text; *p; p++) {
		if (*p == ':' && p[1] == ':')
			p++;
		*to++ = *p == ':' ? '.' : *p == ' ' ? '_' : *p;
	}
	*to = '\0';
	return text;
}

/* The kind and the guilty function; how the kernel came there differs from one time to the next.
 * Where that tells two bugs apart, who groups crashes compares the functions of report_trail(). The
 * title stands for what has no function, and names what a function's name does not: the other side
 * of a race. */
static void report_sign(struct report *r)
{
	struct buf b = { 0 };
	const char *function = r->function ? function_plain(&r->arena, r->function) : "-";

	buf_printf(&b, "%s %s", report_kind_name(r->kind), function);
	if (!r->function || r->kind == KIND_KCSAN || r->kind == KIND_PANIC ||
	    r->kind == KIND_NETDEV_WAIT)
		buf_printf(&b, " \"%s\"", r->title);
	r->explanation = arena_strdup(&r->arena, b.s);
	r->signature =
		arena_printf(&r->arena, "o2:%s:%s:%012" PRIx64, report_kind_name(r->kind),
			     field(&r->arena, function), hash(b.s, b.n) & UINT64_C(0xffffffffffff));
	buf_release(&b);
}

void report_judge(struct report *r)
{
	const struct report_frame *f = report_blame(r);
	const char *name;

	/* it is asked again when addresses have got names */
	r->function = r->pc_function = NULL;
	r->n_also = r->n_cycle = 0;
	r->guilty = f ? f - r->frames.p : -1;
	name = report_wait_for_all(r, f);
	if (!name)
		name = report_work(r, f);
	if (!name && f)
		name = f->func;
	if (!name)
		name = report_named(r);
	/* where a check warned is no more than who found it */
	if (!name && r->named &&
	    (r->kind == KIND_WARNING ||
	     function_class(function_plain(&r->arena, r->named)) != FUNC_REPORT))
		name = r->named;
	if (name && !r->asked)
		r->function = function_written(&r->arena, name);
	if (r->kind == KIND_KCSAN && r->named) {
		const char *a = function_plain(&r->arena, r->named);
		const char *b = r->named2 ? function_plain(&r->arena, r->named2) : a;

		r->function = strcmp(a, b) <= 0 ? a : b;
	}
	if (r->pc >= 0 && r->frames.p[r->pc].func)
		r->pc_function = function_written(&r->arena, r->frames.p[r->pc].func);
	else if (r->kind == KIND_WARNING && r->named)
		r->pc_function = function_written(&r->arena, r->named);
	r->title = report_title(r, r->function);
	report_sign(r);
	if (!r->asked)
		report_suspects(r, f);
	report_cycle(r);
	report_damage(r);
}
