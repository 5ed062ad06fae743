/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a trace in text, taken apart: kernel/trace/trace_output.c and trace-cmd print them.
 *
 * Millions of lines go through here: each character is looked at about once, and a line is cut only
 * when all of it is known to be a row.
 */
#include "core/base/number.h"
#include "readers/trace/tracerow.h"

#include <string.h>

#include "core/trace/trace.h"

#define CPU_MAX 65536
#define DIGITS_MAX 19 /* all of these fit 64 bits */

static bool is_digit(char c)
{
	return (unsigned)(c - '0') < 10;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Of a name in C. */
static bool is_word(char c)
{
	return (unsigned)((c | 0x20) - 'a') < 26 || is_digit(c) || c == '_';
}

static char *skip_blanks(char *s)
{
	while (is_blank(*s))
		s++;
	return s;
}

static char *trim_end(const char *s, char *end)
{
	while (end > s && is_blank(end[-1]))
		end--;
	return end;
}

/* As number_take() does, of which the check of each digit would cost a fifth of a row's time: what
 * has so many digits that it may not fit is no number of a row. */
static bool tracerow_number(char **s, uint64_t *ret)
{
	char *p = *s;
	uint64_t n = 0;

	while (is_digit(*p))
		n = n * 10 + (uint64_t)(*p++ - '0');
	if (p == *s || p - *s > DIGITS_MAX)
		return false;
	*s = p;
	*ret = n;
	return true;
}

/* A column of a line: the caller cuts it off when all is known. */
static void cut(char *at)
{
	if (at)
		*at = '\0';
}

bool tracerow_task(char *s, char *end, struct tracerow *r, char **dash)
{
	const char *p;
	uint64_t pid;

	s = skip_blanks(s);
	end = trim_end(s, end);
	p = end;
	while (p > s && is_digit(p[-1]))
		p--;
	if (p == end || p == s || p[-1] != '-')
		return false;
	*dash = s + (p - s) - 1;
	if (!number_take(&p, end, 10, &pid) || pid > INT32_MAX)
		return false;
	r->pid = (int32_t)pid;
	r->comm = *dash > s ? s : NULL;
	return true;
}

/* "comm-pid" or "comm-pid ( tgid)" that ends at `end`; the comm may hold anything. */
static bool task_and_group(char *s, char *end, struct tracerow *r, char **dash)
{
	end = trim_end(s, end);
	if (end > s && end[-1] == ')') {
		char *open = memrchr(s, '(', (size_t)(end - s)), *group;
		uint64_t tgid;

		if (!open)
			return false;
		group = skip_blanks(open + 1);
		if (tracerow_number(&group, &tgid) && tgid <= INT32_MAX)
			r->tgid = (int32_t)tgid;
		end = open;
	}
	return tracerow_task(s, end, r, dash);
}

static uint8_t resched_flags(char c)
{
	switch (c) {
	case 'N':
		return TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_PREEMPT_RESCHED;
	case 'n':
		return TRACE_FLAG_NEED_RESCHED;
	case 'p':
		return TRACE_FLAG_PREEMPT_RESCHED;
	case 'B':
		return TRACE_FLAG_LAZY_RESCHED | TRACE_FLAG_NEED_RESCHED |
		       TRACE_FLAG_PREEMPT_RESCHED;
	case 'b':
		return TRACE_FLAG_LAZY_RESCHED | TRACE_FLAG_NEED_RESCHED;
	case 'L':
		return TRACE_FLAG_LAZY_RESCHED | TRACE_FLAG_PREEMPT_RESCHED;
	case 'l':
		return TRACE_FLAG_LAZY_RESCHED;
	default:
		return 0;
	}
}

/* Four letters, five since there is a depth of migrate-disable; patches for real time had six and
 * then seven, with columns of their own behind need-resched and behind the depth, of which the
 * second takes two letters where an event's maker has not set it. */
bool tracerow_flags(const char *s, size_t n, struct tracerow *r)
{
	size_t more = n > 5;
	char irq = s[0], resched = s[1], in, depth;

	if (n < 4 || n > 8)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((!is_word(s[i]) && s[i] != '.' && s[i] != '#') || s[i] == '_')
			return false;
	in = s[2 + more];
	depth = s[3 + more];
	r->latency = s;
	/* "zZ" are NMIs, the large one in a hard interrupt */
	r->flags = (irq == 'd' || irq == 'D' ? TRACE_FLAG_IRQS_OFF : 0) |
		   (irq == 'b' || irq == 'D' ? TRACE_FLAG_BH_OFF : 0) |
		   (irq == 'X' ? TRACE_FLAG_LAZY_RESCHED : 0) |
		   (in == 'h' || in == 'H' || in == 'Z' ? TRACE_FLAG_HARDIRQ : 0) |
		   (in == 's' || in == 'H' ? TRACE_FLAG_SOFTIRQ : 0) |
		   (in == 'z' || in == 'Z' ? TRACE_FLAG_NMI : 0) | resched_flags(resched);
	r->preempt = digit_value(depth) < 16 ? (uint8_t)digit_value(depth) : 0;
	return true;
}

bool tracerow_stamp(char **s, char stop, struct tracerow *r)
{
	char *p = *s;
	uint64_t whole, part = 0, unit = 1000000000;

	if (!tracerow_number(&p, &whole))
		return false;
	r->ns = *p == '.';
	if (r->ns) {
		for (p++; is_digit(*p); p++) {
			unit /= 10;
			part += unit * (uint64_t)(*p - '0');
		}
		if (whole > UINT64_MAX / 2000000000)
			return false;
		whole = whole * 1000000000 + part;
	}
	if (*p != stop)
		return false;
	*s = p;
	r->ts = whole;
	r->has_ts = true;
	return true;
}

/* "   1234:120:R   + [001]    98: 49:R comm", and with "==>" in place of the plus. */
static const char *switch_name(char *s)
{
	uint64_t n;

	if (!tracerow_number(&s, &n) || *s++ != ':')
		return NULL;
	s = skip_blanks(s);
	if (!tracerow_number(&s, &n) || *s++ != ':' || !*s++ || !is_blank(*s))
		return NULL;
	s = skip_blanks(s);
	return !strncmp(s, "==> [", 5) ? "context_switch" : !strncmp(s, "+ [", 3) ? "wakeup" : NULL;
}

/* Rows of tracers that look for noise begin with a number, and trace_marker_raw's with a sign.
 * NULL: the words are none of these. */
static const char *number_name(char *s)
{
	if (*s == '#')
		return strstr(s, " inner/outer(us):") ? "hwlat"
		       : strstr(s, " timer_latency ") ? "timerlat"
		       : strstr(s, " buf: ")          ? "raw_data"
						      : NULL;
	/* "1000000      190  99.98100 ...": how long it looked, the noise, per cent, and counts */
	if (s[strspn(s, "0123456789. ")])
		return switch_name(s);
	return strchr(s, '.') ? "osnoise" : NULL;
}

void tracerow_words(char *s, struct tracerow *r)
{
	char *end, *front = s;
	const char *number;

	s = skip_blanks(s);
	/* "19: 98:R ..." begins as an event's name does */
	number = is_digit(*s) || *s == '#' ? number_name(s) : NULL;
	for (end = s; is_word(*end); end++)
		;
	r->text = s;
	if (!number && end > s && *end == ':' && (end[1] == ' ' || !end[1])) {
		*end = '\0';
		r->name = s;
		r->text = skip_blanks(end + 1);
		return;
	}
	r->bare = true;
	if (*s == '<' && !strncmp(s, "<stack trace>", 13)) {
		r->name = "kernel_stack";
	} else if (*s == '<' && !strncmp(s, "<user stack trace>", 18)) {
		r->name = "user_stack";
	} else if (*s == 's' && !strncmp(s, "sys_", 4) &&
		   (*end == '(' || !strncmp(end, " -> ", 4))) {
		r->name = NULL;
		r->word = (size_t)(end - s);
	} else {
		/* the kernel sets the first number of these to the right */
		if (number && strcmp(number, "osnoise") != 0 && is_digit(*s) && is_blank(*front))
			r->text = front + 1;
		r->name = number ? number : "function";
	}
}

/* "[001]" with a task in front and a time behind. */
static bool event_row(char *s, struct tracerow *r)
{
	for (char *open = strchr(s, '['); open; open = strchr(open + 1, '[')) {
		char *p = open + 1, *token, *flags_end = NULL, *dash;
		uint64_t cpu;

		if (open == s || open[-1] != ' ' || !tracerow_number(&p, &cpu) || *p != ']' ||
		    cpu >= CPU_MAX || p[1] != ' ')
			continue;
		if (!task_and_group(s, open, r, &dash))
			return false;
		r->cpu = (int)cpu;
		p = token = skip_blanks(p + 1);
		if (!tracerow_stamp(&p, ':', r)) {
			flags_end = p = token + strcspn(token, " ");
			if (!*p || !tracerow_flags(token, (size_t)(p - token), r))
				return false;
			p = skip_blanks(p);
			if (!tracerow_stamp(&p, ':', r))
				return false;
		}
		cut(dash);
		cut(flags_end);
		tracerow_words(p + 1, r);
		return true;
	}
	return false;
}

/* ---- the latency format */

/* "  12us+: ", "  12us : ", or of a clock that does not count nanoseconds "  12: ". */
static bool latency_time(char **s, struct tracerow *r)
{
	char *p = skip_blanks(*s);
	uint64_t n;

	if (!tracerow_number(&p, &n))
		return false;
	r->ns = p[0] == 'u' && p[1] == 's';
	if (r->ns) {
		p += 2;
		if (*p && *p != ':')
			r->mark = *p++;
		if (n > UINT64_MAX / 1000)
			return false;
		n *= 1000;
	}
	if (*p != ':')
		return false;
	*s = p + 1;
	r->ts = n;
	r->has_ts = true;
	return true;
}

/* "  <idle>-0       3d..1    12us+: event": the CPU's number and the flags are one word. */
static bool latency_row(char *s, bool counter, struct tracerow *r)
{
	for (char *dash = strchr(s, '-'); dash; dash = strchr(dash + 1, '-')) {
		char *p = dash + 1, *cpu_at, *flags_end, *cut_at;
		uint64_t pid, cpu;

		if (dash == s || !tracerow_number(&p, &pid) || !is_blank(*p))
			continue;
		cpu_at = p = skip_blanks(p);
		if (!tracerow_number(&p, &cpu) || cpu >= CPU_MAX)
			continue;
		flags_end = p + strcspn(p, " ");
		if (!*flags_end || !tracerow_flags(p, (size_t)(flags_end - p), r))
			continue;
		p = flags_end;
		if (!latency_time(&p, r) || (!r->ns && !counter) ||
		    !tracerow_task(s, cpu_at, r, &cut_at))
			continue;
		r->cpu = (int)cpu;
		cut(cut_at);
		cut(flags_end);
		tracerow_words(p, r);
		return true;
	}
	return false;
}

/* Takes the last word of [s, *end) as a number, and moves *end in front of it. */
static bool number_before(const char *s, char **end, unsigned base, uint64_t *ret)
{
	char *stop = trim_end(s, *end), *p = stop;
	const char *at;

	while (p > s && !is_blank(p[-1]))
		p--;
	at = p;
	*end = p;
	return number_take(&at, stop, base, ret) && at == stop;
}

/* "comm pid cpu flags depth index [microseconds] 1.234ms (+0.001ms): event". */
static bool verbose_row(char *s, struct tracerow *r)
{
	char *open = strchr(s, '['), *end = open, *p;
	uint64_t index, depth, flags, cpu, pid, ms, us;
	const char *at;

	if (!open || !number_before(s, &end, 16, &index) || !number_before(s, &end, 16, &depth) ||
	    !number_before(s, &end, 10, &flags) || !number_before(s, &end, 10, &cpu) ||
	    !number_before(s, &end, 10, &pid) || flags > UINT8_MAX || cpu >= CPU_MAX ||
	    pid > INT32_MAX)
		return false;
	at = open + 1;
	if (!number_take(&at, NULL, 16, &us) || *at++ != ']')
		return false;
	p = skip_blanks(open + (at - open));
	if (!tracerow_number(&p, &ms) || *p++ != '.' || !tracerow_number(&p, &us) || us > 999 ||
	    ms > UINT64_MAX / 2000000 || strncmp(p, "ms (+", 5) != 0)
		return false;
	p = strchr(p, ')');
	if (!p || p[1] != ':')
		return false;
	r->comm = skip_blanks(s);
	end = trim_end(s, end);
	cut(end);
	r->comm = *r->comm ? r->comm : NULL;
	r->pid = (int32_t)pid;
	r->cpu = (int)cpu;
	r->flags = (uint8_t)flags;
	r->preempt = (uint8_t)depth;
	r->ns = r->has_ts = true;
	r->ts = (ms * 1000 + us) * 1000;
	tracerow_words(p + 2, r);
	return true;
}

static bool lost_row(char *s, struct tracerow *r)
{
	uint64_t cpu;

	if (strncmp(s, "CPU:", 4) != 0)
		return false;
	s += 4;
	if (!tracerow_number(&s, &cpu) || cpu >= CPU_MAX)
		return false;
	s = skip_blanks(s);
	r->cpu = (int)cpu;
	r->lost = UINT64_MAX;
	if (!strncmp(s, "[LOST ", 6)) {
		s += 6;
		return !strncmp(s, "EVENTS]", 7) || tracerow_number(&s, &r->lost);
	}
	return !strncmp(s, "[EVENTS DROPPED]", 16);
}

static bool of_kind(char *s, enum tracerow_kind kind, bool counter, struct tracerow *r)
{
	*r = (struct tracerow){ .kind = kind, .pid = -1, .tgid = -1, .cpu = -1 };
	switch (kind) {
	case ROW_EVENT:
		return event_row(s, r);
	case ROW_LATENCY:
		return latency_row(s, counter, r) || (counter && verbose_row(s, r));
	case ROW_LOST:
		return lost_row(s, r);
	default:
		return false;
	}
}

bool tracerow_parse(char *s, bool latency, struct tracerow *ret)
{
	char *p = skip_blanks(s);

	if (*p == '=' && !strncmp(p, "=> ", 3)) {
		*ret = (struct tracerow){
			.kind = ROW_STACK, .text = s, .pid = -1, .tgid = -1, .cpu = -1
		};
		return true;
	}
	if (*p != '#' && *p) {
		if (*p == 'C' && of_kind(s, ROW_LOST, latency, ret))
			return true;
		if (latency && of_kind(s, ROW_LATENCY, latency, ret))
			return true;
		if (of_kind(s, ROW_EVENT, latency, ret))
			return true;
		if (!latency && of_kind(s, ROW_LATENCY, latency, ret))
			return true;
	}
	*ret = (struct tracerow){ .pid = -1, .tgid = -1, .cpu = -1 };
	return false;
}
