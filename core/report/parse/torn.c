/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are no longer what the kernel printed, and lines of two reports in one. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define WORDS_MAX 4 /* of a frame's line: "? ", address, function, module */

static size_t torn_words(const char *s, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += s[i] != ' ' && (i == 0 || s[i - 1] == ' ');
	return count;
}

static bool name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* A function's name alone, or with a module: what is left when the offset went. */
static bool is_name(const char *s, size_t n)
{
	size_t i = 0, under = 0;

	while (i < n && name_char(s[i]))
		under += s[i++] == '_';
	if (!i || isdigit((unsigned char)*s))
		return false;
	return i == n ? under > 0 : i + 3 < n && s[i] == ' ' && s[i + 1] == '[' && s[n - 1] == ']';
}

/* Is this line, which stands between two frames, a piece of one? */
static bool is_piece(const struct report_line *l)
{
	const char *s = l->text;
	size_t n = l->n;

	while (n && *s == ' ') {
		s++;
		n--;
	}
	if (has_prefix(s, n, "? ")) {
		s += 2;
		n -= 2;
	}
	if (!n || torn_words(s, n) > WORDS_MAX || find_text(s, n, ": "))
		return false;
	return find_text(s, n, "+0x") || find_text(s, n, "/0x") || is_name(s, n);
}

/* The line of the next frame behind that of frame `at`, in the same trace; its own where none is.
 */
static uint32_t next_line(const struct report *r, size_t at)
{
	for (size_t i = at + 1; i < r->frames.n && r->frames.p[i].trace == r->frames.p[at].trace;
	     i++)
		if (r->frames.p[i].line != r->frames.p[at].line)
			return r->frames.p[i].line;
	return r->frames.p[at].line;
}

static void torn_frames(struct report *r)
{
	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];
		uint32_t next = next_line(r, i);

		/* a return address is at most behind the last instruction */
		r->torn += f->size && f->off > f->size;
		if (i && r->frames.p[i - 1].line == f->line)
			continue;
		for (uint32_t k = f->line + 1; k < next; k++)
			r->torn += r->lines.p[k].shape == SHAPE_NONE && is_piece(&r->lines.p[k]);
	}
}

/* The number behind "PID: " of a line on a process. */
static bool pid_of(const struct report_line *l, uint64_t *ret)
{
	const char *p = find_text(l->text, l->n, "PID: "), *end;

	return l->shape == SHAPE_CPU && !l->foreign && p && find_text(l->text, l->n, "Comm:") &&
	       number_dec(p + 5, l->text + l->n, ret, &end);
}

/* A report of one process names no second one, but for the backtraces that it asks others for. */
static void second_process(struct report *r)
{
	uint64_t first = 0, pid;
	bool any = false;

	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (has_prefix(l->text, l->n, "NMI backtrace") ||
		    has_prefix(l->text, l->n, "Sending NMI") || is_stopping(l->text, l->n))
			return;
		if (!pid_of(l, &pid))
			continue;
		if (any && pid != first) {
			r->mixed = "lines of another process";
			return;
		}
		any = true;
		first = pid;
	}
}

/* Reports of a fault or a warning name the process that is running before its trace: a trace that
 * stands before that line is another process's. */
static bool precedes_its_process(const struct report *r)
{
	if (!report_kind_is(r->kind, KIND_HAS_PC) && r->kind != KIND_WARNING &&
	    !report_kind_is_kasan(r->kind))
		return false;
	for (size_t i = 0; i < r->lines.n; i++)
		if (r->lines.p[i].shape == SHAPE_CPU && !r->lines.p[i].foreign)
			return r->frames.n && r->frames.p[0].line < i && r->pc &&
			       r->frames.p[0].role == TRACE_MAIN;
	return false;
}

void torn_find(struct report *r, bool multi)
{
	bool in_trace = false;

	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];
		bool high = false;

		/* mips writes such a line itself, behind the words of its stack */
		if (l->foreign)
			r->elided += in_trace && is_elision(l->text, l->n);
		else
			in_trace = l->shape == SHAPE_FRAME || l->shape == SHAPE_TRACE;

		for (size_t k = 0; k < l->n; k++)
			high |= (unsigned char)l->text[k] >= 0x80;
		r->garbled += l->odd || (high && l->shape == SHAPE_FRAME) ||
			      (high && find_text(l->text, l->n, "+0x"));
	}
	torn_frames(r);
	if (!multi)
		second_process(r);
	if (!multi && !r->mixed && precedes_its_process(r))
		r->mixed = "a call trace of another process";
	if (!r->mixed)
		r->mixed = woven_find(r);
	if (r->mixed && !multi)
		woven_forget(r);
}
