/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a report's text is whole, as far as the text itself can tell. */
#include <string.h>

#include "core/report/report.h"

static void tell(struct buf *b, const char *why)
{
	buf_printf(b, "%s%s", b->n ? "; " : "", why);
}

static void damage(struct report *r, struct buf *b, const char *why)
{
	r->damaged = true;
	tell(b, why);
}

static bool needs_trace(const struct report *r)
{
	/* a panic prints one where the configuration wants it */
	if (r->kind == KIND_PANIC)
		return r->open_end && !r->asked;
	/* so does what finds a bad page or dentry, unlike others of its kind */
	if (r->kind == KIND_BAD_STATE && r->headline &&
	    (strstr(r->headline, "Bad page") || strstr(r->headline, "Dentry ")))
		return true;
	return !report_kind_is(r->kind, KIND_BARE);
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

static bool ends_a_trace(struct report *r, const struct report_frame *f)
{
	enum function_class class = function_class(function_plain(&r->arena, f->func));

	return class == FUNC_DISPATCH || class == FUNC_ENTRY || class == FUNC_IDLE ||
	       !strncmp(f->func, "sys", 3) || !strncmp(f->func, "ret_", 4);
}

/* Did the trace of frame `at` come to what call traces end with, an entry or a thread's start? What
 * the kernel guessed stands behind that as well, and tells where all of the trace is guessed. */
static bool came_to_its_end(struct report *r, size_t at)
{
	unsigned trace = r->frames.p[at].trace;
	bool guessed = false;

	for (size_t i = at + 1; i-- > 0 && r->frames.p[i].trace == trace;) {
		const struct report_frame *f = &r->frames.p[i];
		bool ends = f->func && ends_a_trace(r, f);

		if (f->reliable && f->func)
			return ends;
		guessed |= ends;
	}
	return guessed;
}

/* Is the last line a frame, and none that call traces end with? */
static bool ends_inside(struct report *r)
{
	const struct report_frame *f = r->frames.n ? &r->frames.p[r->frames.n - 1] : NULL;
	size_t last = 0;

	for (size_t i = 0; i < r->lines.n; i++)
		if (!r->lines.p[i].foreign)
			last = i;
	return f && f->func && f->line == last && f->role == TRACE_MAIN &&
	       !came_to_its_end(r, r->frames.n - 1) && r->kind != KIND_KMEMLEAK;
}

#define FEW 10   /* of so many frames one may be torn */
#define ENOUGH 4 /* frames behind the guilty one that tell how the kernel came there */

/* Does the trace go on far enough behind the guilty function? What is missing then changes nothing
 * of what is said of the report. */
static bool goes_on(struct report *r)
{
	const struct report_frame *guilty = report_guilty(r);
	unsigned behind = 0;

	for (size_t i = guilty ? (size_t)(guilty - r->frames.p) + 1 : r->frames.n; i < r->frames.n;
	     i++) {
		const struct report_frame *f = &r->frames.p[i];

		behind += f->role == guilty->role && f->reliable && !f->duplicate && f->func &&
			  !f->src_inlined;
	}
	return behind >= ENOUGH;
}

/* What the end of a trace lacks is told in any case. */
static void end_of_trace(struct report *r, struct buf *b, const char *why)
{
	if (goes_on(r))
		tell(b, why);
	else
		damage(r, b, why);
}

static bool shows(const struct report *r, const char *function)
{
	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].role == TRACE_MAIN && r->frames.p[i].func &&
		    !strcmp(r->frames.p[i].func, function))
			return true;
	return false;
}

static bool is_stall(const struct report *r)
{
	return r->kind == KIND_RCU_STALL || r->kind == KIND_SOFT_LOCKUP ||
	       r->kind == KIND_HARD_LOCKUP;
}

/* Does a frame show more than how the report was made and how the kernel was entered? Behind a jump
 * to what is no code the unwinder has nothing to begin at, and all is guessed, as it was before a
 * kernel had an unwinder. */
static bool shows_work(struct report *r)
{
	bool wild = r->pc >= 0 && !r->frames.p[r->pc].func;

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (f->role == TRACE_MAIN && f->func && (f->reliable || wild || r->guessed) &&
		    !ends_a_trace(r, f) && frame_class(r, f) != FUNC_REPORT)
			return true;
	}
	return false;
}

/* A worker that was left with a lock is told of when the work that left it is over. */
static bool leaked(const struct report *r)
{
	return r->headline && strstr(r->headline, "workqueue leaked");
}

/* Frames that a whole report of that kind would have. */
static void lacks(struct report *r, size_t main, struct buf *b)
{
	bool interrupted = r->pc >= 0;

	if (!main)
		return;
	for (size_t i = 0; i < r->frames.n; i++)
		interrupted |= frame_is_interrupt(&r->frames.p[i]);
	if (is_stall(r) && !interrupted)
		damage(r, b, "no trace shows what the CPU was interrupted in");
	else if (r->kind == KIND_HUNG_TASK && main < 3)
		damage(r, b, "most of the call trace is missing");
	else if (report_kind_is_kasan(r->kind) && r->named && !shows(r, r->named))
		damage(r, b, "no frame is of the function that the headline names");
	else if (!r->function && needs_trace(r) && r->kind != KIND_STACK_OVERFLOW)
		damage(r, b, "no frame tells who is to blame");
	else if (needs_trace(r) && r->kind != KIND_STACK_OVERFLOW && !shows_work(r) && !leaked(r))
		damage(r, b, "the call trace shows no more than how the report was made");
}

void report_damage(struct report *r)
{
	struct buf b = { 0 };
	size_t main = 0, garbled = 0, dropped = 0, opened = 0, closed = 0;
	const char *last = "";
	bool ended = r->frames.n && came_to_its_end(r, r->frames.n - 1);

	for (size_t i = 0; i < r->frames.n; i++)
		main += r->frames.p[i].role == TRACE_MAIN && (int64_t)i != r->pc &&
			!r->frames.p[i].duplicate && !r->frames.p[i].link;
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
	if (needs_trace(r) && !main &&
	    (r->pc < 0 || !report_kind_is(r->kind, KIND_IS_TRAP) || r->open_end))
		damage(r, &b, "no call trace");
	if (report_kind_is(r->kind, KIND_HAS_PC) && r->pc < 0)
		damage(r, &b, "no program counter");
	if (r->open_end && strstr(last, "+0x") && !strchr(strstr(last, "+0x"), '/'))
		damage(r, &b, "the text ends within a line");
	else if (r->open_end && main && ends_inside(r))
		end_of_trace(r, &b, "the text ends within a call trace");
	else if (r->open_end && opened > closed && ended)
		tell(&b, "the text ends behind the call trace");
	else if (r->open_end && opened > closed)
		end_of_trace(r, &b, "the text ends within a call trace");
	if (r->overtaken && main && ends_inside(r))
		end_of_trace(r, &b, "another report begins within a call trace");
	lacks(r, main, &b);
	if (dropped)
		damage(r, &b, "the kernel dropped messages");
	if (garbled)
		damage(r, &b, "lines are mixed with others");
	if (r->garbled)
		damage(r, &b, "bytes that no kernel prints");
	if (r->torn * FEW > r->frames.n)
		damage(r, &b, "parts of lines are missing");
	else if (r->torn)
		end_of_trace(r, &b, "parts of lines are missing");
	if (r->elided)
		damage(r, &b, "whoever passed it on left lines of the call trace out");
	if (r->overlong)
		damage(r, &b, "too long: lines were left out");
	if (r->mixed)
		damage(r, &b,
		       r->untold ? "another report is mixed in, and what both tell is left out"
				 : "another report is mixed in");
	if (b.n)
		r->damage = arena_strdup(&r->arena, b.s);
	buf_release(&b);
}
