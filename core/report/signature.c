/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judgement of a report: title, signature, and whether its text is whole. */
#include <inttypes.h>
#include <string.h>

#include "core/report/report.h"

#define HASHED 3 /* functions, the guilty one included */

/* FNV-1a: short, public domain, and the same everywhere. */
static uint64_t hash(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Kinds whose trace below the guilty function changes from one time to the next. */
static bool by_function_alone(enum report_kind kind)
{
	return kind == KIND_RCU_STALL || kind == KIND_SOFT_LOCKUP || kind == KIND_HARD_LOCKUP ||
	       kind == KIND_KCSAN || kind == KIND_NETDEV_WAIT || kind == KIND_OOM ||
	       kind == KIND_WORKQUEUE || kind == KIND_STACK_OVERFLOW;
}

static void add_functions(struct report *r, const struct report_frame *guilty, struct buf *b)
{
	const char *seen[HASHED];
	size_t n = 0;

	if (!guilty || by_function_alone(r->kind))
		return;
	for (size_t i = (size_t)(guilty - r->frames.p); i < r->frames.n && n < HASHED; i++) {
		const struct report_frame *f = &r->frames.p[i];
		const char *name;
		bool known = false;

		if (f->role != guilty->role || f->trace != guilty->trace) {
			/* the program counter stands alone, its trace behind it */
			if (f->role == guilty->role && guilty->pc && f->trace <= guilty->trace + 1)
				;
			else
				continue;
		}
		if (!f->func || !f->reliable || f->src_inlined || f->duplicate)
			continue;
		name = function_plain(&r->arena, f->func);
		if (function_class(name) != FUNC_PLAIN)
			continue;
		for (size_t k = 0; k < n; k++)
			known |= !strcmp(seen[k], name);
		if (known)
			continue;
		seen[n++] = name;
		buf_printf(b, " %s", name);
	}
}

void report_sign(struct report *r)
{
	const struct report_frame *guilty = report_blame(r);
	struct buf b = { 0 };
	const char *function = r->function ? r->function : "-";

	buf_printf(&b, "%s %s", report_kind_name(r->kind), function);
	if (r->kind == KIND_KCSAN || r->kind == KIND_PANIC || r->kind == KIND_NETDEV_WAIT)
		buf_printf(&b, " \"%s\"", r->title);
	add_functions(r, guilty, &b);
	r->explanation = arena_strdup(&r->arena, b.s);
	r->signature = arena_printf(&r->arena, "o1:%s:%s:%012" PRIx64, report_kind_name(r->kind),
				    function, hash(b.s, b.n) & UINT64_C(0xffffffffffff));
	buf_release(&b);
}

/* ---- damage */

static void damage(struct report *r, struct buf *b, const char *why)
{
	r->damaged = true;
	buf_printf(b, "%s%s", b->n ? "; " : "", why);
}

static bool needs_trace(const struct report *r)
{
	switch (r->kind) {
	case KIND_NETDEV_WAIT:
	case KIND_WORKQUEUE:
	case KIND_NETDEV_WATCHDOG:
	case KIND_BAD_STATE:
	case KIND_OOM:
	case KIND_MCE:
	case KIND_SERROR:
	case KIND_RUST:
	case KIND_DOUBLE_FAULT:
		return false;
	default:
		return true;
	}
}

/* Kinds that a trap raised: the registers' program counter is part of them. */
static bool needs_pc(const struct report *r)
{
	return r->kind >= KIND_NULL_DEREF && r->kind <= KIND_INT3;
}

/* Two messages mixed within a line: a time stamp, or a second frame, in its middle. */
static bool is_garbled(const struct report_line *l)
{
	const char *p = l->n > 12 ? memmem(l->text + 8, l->n - 8, "[ ", 2) : NULL, *end;
	unsigned plus = 0;

	end = l->text + l->n;
	for (; p && p + 14 < end; p = memmem(p + 1, (size_t)(end - p - 1), "[ ", 2)) {
		const char *q = p + 1;

		q += strspn(q, " ");
		if (strspn(q, "0123456789") && q[strspn(q, "0123456789")] == '.' &&
		    strspn(q + strspn(q, "0123456789") + 1, "0123456789") == 6)
			return true;
	}
	for (p = l->text; (p = memmem(p, (size_t)(end - p), "+0x", 3)); p += 3)
		plus++;
	return plus > 3;
}

/* Is the last line a frame, and none that call traces end with: an entry, a thread's start? */
static bool ends_inside(struct report *r)
{
	const struct report_frame *f = r->frames.n ? &r->frames.p[r->frames.n - 1] : NULL;
	enum function_class class;
	size_t last = 0;

	for (size_t i = 0; i < r->lines.n; i++)
		if (!r->lines.p[i].foreign)
			last = i;
	if (!f || !f->func || f->line != last || f->role != TRACE_MAIN)
		return false;
	class = function_class(function_plain(&r->arena, f->func));
	return class != FUNC_DISPATCH && class != FUNC_IDLE && strncmp(f->func, "sys", 3) &&
	       strncmp(f->func, "ret_", 4) && r->kind != KIND_KMEMLEAK;
}

static void find_damage(struct report *r)
{
	struct buf b = { 0 };
	size_t main = 0, garbled = 0, dropped = 0, opened = 0, closed = 0;
	const char *last = "";

	for (size_t i = 0; i < r->frames.n; i++)
		main += r->frames.p[i].role == TRACE_MAIN && (int64_t)i != r->pc &&
			!r->frames.p[i].duplicate;
	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (strstr(l->text, "printk messages dropped"))
			dropped++;
		if (l->foreign)
			continue;
		garbled += is_garbled(l);
		opened += !strncmp(l->text, "<TASK>", 6) || !strncmp(l->text, "<IRQ>", 5);
		closed += !strncmp(l->text, "</TASK>", 7) || !strncmp(l->text, "</IRQ>", 6);
		last = l->text;
	}
	if (r->headless)
		damage(r, &b, "the beginning is missing");
	if (needs_trace(r) && !main && (r->pc < 0 || r->kind > KIND_TRAP || r->open_end))
		damage(r, &b, "no call trace");
	if (needs_pc(r) && r->pc < 0)
		damage(r, &b, "no program counter");
	if (r->open_end && opened > closed)
		damage(r, &b, "the text ends within a call trace");
	else if (r->open_end && main && ends_inside(r))
		damage(r, &b, "the text ends within a call trace");
	else if (r->open_end && strstr(last, "+0x") && !strchr(strstr(last, "+0x"), '/'))
		damage(r, &b, "the text ends within a line");
	if (dropped)
		damage(r, &b, "the kernel dropped messages");
	if (garbled)
		damage(r, &b, "lines are mixed with others");
	if (r->overlong)
		damage(r, &b, "too long: lines were left out");
	if (r->mixed)
		damage(r, &b, "another report is mixed in");
	if (b.n)
		r->damage = arena_strdup(&r->arena, b.s);
	buf_release(&b);
}

void report_judge(struct report *r)
{
	const struct report_frame *f = report_blame(r);

	if (report_work(r, f))
		r->function = function_plain(&r->arena, report_work(r, f));
	else if (!f && report_named(r))
		r->function = function_plain(&r->arena, report_named(r));
	else if (f)
		r->function = function_plain(&r->arena, f->func);
	else if (r->named)
		r->function = function_plain(&r->arena, r->named);
	if (r->kind == KIND_KCSAN && r->named) {
		const char *a = function_plain(&r->arena, r->named);
		const char *b = r->named2 ? function_plain(&r->arena, r->named2) : a;

		r->function = strcmp(a, b) <= 0 ? a : b;
	}
	if (r->pc >= 0 && r->frames.p[r->pc].func)
		r->pc_function = function_plain(&r->arena, r->frames.p[r->pc].func);
	else if (r->kind == KIND_WARNING && r->named)
		r->pc_function = function_plain(&r->arena, r->named);
	r->title = report_title(r, r->function);
	report_sign(r);
	report_cycle(r);
	find_damage(r);
}
