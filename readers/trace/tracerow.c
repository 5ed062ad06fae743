/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a trace in text, taken apart: kernel/trace/trace_output.c and trace-cmd print them.
 */
#include "core/base/number.h"
#include "readers/trace/tracerow.h"

#include <ctype.h>
#include <string.h>

#include "core/trace/trace.h"

#define CPU_MAX 65536

static char *skip_blanks(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Cuts blanks off the end of [s, end). */
static char *trim_end(const char *s, char *end)
{
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	return end;
}

static bool tracerow_number(char **s, uint64_t *ret)
{
	const char *p = *s;
	bool ok = number_take(&p, NULL, 10, ret);

	*s += p - *s;
	return ok;
}

/* "comm-pid" or "comm-pid ( tgid)" that ends at `end`; the comm may hold anything. */
static bool task(char *s, char *end, struct tracerow *r)
{
	char *dash;
	uint64_t pid;

	end = trim_end(s, end);
	if (end > s && end[-1] == ')') {
		char *open = strrchr(s, '(');

		char *group;
		uint64_t tgid;

		if (!open)
			return false;
		group = skip_blanks(open + 1);
		if (tracerow_number(&group, &tgid) && tgid <= INT32_MAX)
			r->tgid = (int32_t)tgid;
		end = trim_end(s, open);
	}
	s = skip_blanks(s);
	dash = end;
	while (dash > s && isdigit((unsigned char)dash[-1]))
		dash--;
	if (dash == end || dash - s < 1 || dash[-1] != '-')
		return false;
	if (!tracerow_number(&dash, &pid) || pid > INT32_MAX)
		return false;
	r->pid = (int32_t)pid;
	while (end[-1] != '-')
		end--;
	end[-1] = '\0';
	r->comm = *s ? s : NULL;
	return true;
}

/* "d..2.", "dNs4", "D.h1.": interrupts, resched, context, preempt depth, migrate depth. */
static bool flags(const char *s, struct tracerow *r)
{
	size_t n = strlen(s);

	if (n < 4 || n > 5)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '.' && s[i] != '#')
			return false;
	r->latency = s;
	r->flags = (s[0] == 'd' || s[0] == 'D' ? TRACE_FLAG_IRQS_OFF : 0) |
		   (s[0] == 'b' || s[0] == 'D' ? TRACE_FLAG_BH_OFF : 0) |
		   (s[0] == 'X' || strchr("BbLl", s[1]) ? TRACE_FLAG_LAZY_RESCHED : 0) |
		   (strchr("BbNn", s[1]) ? TRACE_FLAG_NEED_RESCHED : 0) |
		   (strchr("BLNp", s[1]) ? TRACE_FLAG_PREEMPT_RESCHED : 0) |
		   (strchr("hHzZ", s[2]) ? TRACE_FLAG_HARDIRQ : 0) |
		   (strchr("sH", s[2]) ? TRACE_FLAG_SOFTIRQ : 0) |
		   (strchr("zZ", s[2]) ? TRACE_FLAG_NMI : 0);
	r->preempt = digit_value(s[3]) < 16 ? (uint8_t)digit_value(s[3]) : 0;
	return true;
}

/* "12.345678:" (or with nanoseconds), "123456789:"; *s is behind the colon. */
static bool stamp(char **s, struct tracerow *r)
{
	uint64_t whole, part = 0, unit = 1000000000;

	if (!tracerow_number(s, &whole))
		return false;
	r->ns = **s == '.';
	if (r->ns) {
		for (++*s; isdigit((unsigned char)**s); ++*s) {
			unit /= 10;
			part += unit * (uint64_t)(**s - '0');
		}
		if (whole > UINT64_MAX / 2000000000)
			return false;
		whole = whole * 1000000000 + part;
	}
	if (**s != ':')
		return false;
	++*s;
	r->ts = whole;
	r->has_ts = true;
	return true;
}

/* "event: words"; what has no such name is a function's, or a syscall's "sys_read(fd: 3)". */
static void tracerow_words(char *s, struct tracerow *r)
{
	size_t n;

	s = skip_blanks(s);
	n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	r->text = s;
	if (n && s[n] == ':' && (s[n + 1] == ' ' || !s[n + 1])) {
		s[n] = '\0';
		r->name = s;
		r->text = skip_blanks(s + n + 1);
	} else if (!strncmp(s, "<stack trace>", 13)) {
		r->name = "kernel_stack";
	} else if (!strncmp(s, "sys_", 4) && (s[n] == '(' || !strncmp(s + n, " -> ", 4))) {
		r->name = NULL; /* the caller's: as long as the text's first word */
	} else {
		r->name = "function";
	}
}

/* "[001]" with a task in front and a time behind. */
static bool event_row(char *s, struct tracerow *r)
{
	for (char *open = strchr(s, '['); open; open = strchr(open + 1, '[')) {
		char *p = open + 1, *token;
		uint64_t cpu;

		if (open == s || open[-1] != ' ' || !tracerow_number(&p, &cpu) || *p != ']' ||
		    cpu >= CPU_MAX)
			continue;
		if (p[1] != ' ' && !isdigit((unsigned char)p[1]))
			continue;
		if (!task(s, open, r))
			return false;
		r->cpu = (int)cpu;
		p = skip_blanks(p + 1);
		token = p;
		if (stamp(&p, r)) {
			tracerow_words(p, r);
			return true;
		}
		p = token + strcspn(token, " ");
		if (!*p)
			return false;
		*p = '\0';
		if (!flags(token, r))
			return false;
		p = skip_blanks(p + 1);
		if (!stamp(&p, r))
			return false;
		tracerow_words(p, r);
		return true;
	}
	return false;
}

/* "  <idle>-0       3d..1    12us+: event": the time's "us" is what it is known by. */
static bool latency_row(char *s, struct tracerow *r)
{
	for (char *us = strstr(s, "us"); us; us = strstr(us + 1, "us")) {
		char *p = us, *time, *cpu;
		uint64_t n;

		if (us == s || !isdigit((unsigned char)us[-1]) ||
		    (us[2] != ':' && (!us[2] || us[3] != ':')))
			continue;
		while (p > s && isdigit((unsigned char)p[-1]))
			p--;
		time = p;
		if (!tracerow_number(&p, &n) || n > UINT64_MAX / 1000)
			return false;
		r->ts = n * 1000;
		r->ns = r->has_ts = true;
		/* the CPU's number and the flags are one word */
		cpu = trim_end(s, time);
		while (cpu > s && cpu[-1] != ' ')
			cpu--;
		p = cpu;
		if (cpu == s || !tracerow_number(&p, &n) || n >= CPU_MAX || !flags(p, r))
			return false;
		r->cpu = (int)n;
		if (!task(s, cpu, r))
			return false;
		tracerow_words(us + (us[2] == ':' ? 3 : 4), r);
		return true;
	}
	return false;
}

/* " 1)   0.123 us    |  f();", or with "  12.345678 |" in front. */
static bool graph_row(char *s, struct tracerow *r)
{
	char *p = skip_blanks(s), *bar;
	uint64_t cpu;

	bar = strchr(p, '|');
	if (bar && isdigit((unsigned char)*p) && memchr(p, '.', (size_t)(bar - p))) {
		char *at = p, keep;
		char *colon = p + strcspn(p, " |");

		keep = *colon;
		*colon = ':';
		if (stamp(&at, r) && skip_blanks(colon + 1) <= bar + 1)
			p = skip_blanks(bar + 1);
		*colon = keep;
	}
	if (!tracerow_number(&p, &cpu) || *p != ')' || cpu >= CPU_MAX || (p[1] != ' ' && p[1]))
		return false;
	r->cpu = (int)cpu;
	r->ns = true;
	r->name = "function";
	r->text = s;
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

bool tracerow_parse(char *s, struct tracerow *ret)
{
	static bool (*const forms[])(char *s, struct tracerow *r) = {
		[ROW_EVENT] = event_row,
		[ROW_LATENCY] = latency_row,
		[ROW_GRAPH] = graph_row,
		[ROW_LOST] = lost_row,
	};
	char *p = skip_blanks(s);
	enum tracerow_kind kind = ROW_NONE;

	*ret = (struct tracerow){ .pid = -1, .tgid = -1, .cpu = -1 };
	if (!strncmp(p, "=> ", 3)) {
		ret->kind = ROW_STACK;
		ret->text = s;
		return true;
	}
	if (*p == '#' || !*p)
		return false;
	/* what each kind cannot be without, before anything is cut */
	if (isdigit((unsigned char)*p) && strchr(p, ')') && (strchr(p, '|') || strstr(p, "us")) &&
	    (strspn(p, "0123456789. |") == (size_t)(strchr(p, ')') - p)))
		kind = ROW_GRAPH;
	else if (!strncmp(p, "CPU:", 4))
		kind = ROW_LOST;
	else if (strstr(p, "] "))
		kind = ROW_EVENT;
	else if (strstr(p, "us"))
		kind = ROW_LATENCY;
	if (kind == ROW_EVENT && !event_row(s, ret))
		kind = strstr(p, "us") ? ROW_LATENCY : ROW_NONE;
	else if (kind == ROW_EVENT)
		goto out;
	if (kind == ROW_NONE || !forms[kind](s, ret)) {
		*ret = (struct tracerow){ .pid = -1, .tgid = -1, .cpu = -1 };
		return false;
	}
out:
	ret->kind = kind;
	return true;
}
