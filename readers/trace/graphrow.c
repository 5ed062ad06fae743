/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a function graph in text, taken apart. Columns are there or not by the tracer's
 * options (kernel/trace/trace_functions_graph.c), and listings of articles have other blanks
 * between them: so each column is known by its form.
 */
#include "readers/trace/graphrow.h"

#include <string.h>

#include "core/base/number.h"

#define CPU_MAX 65536

static bool is_digit(char c)
{
	return (unsigned)(c - '0') < 10;
}

static char *skip_blanks(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

static char *trim(const char *s, char *end)
{
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

/* "  1.234 us" of nanoseconds, with or without the fraction; *s goes behind it. */
static bool micros(char **s, uint64_t *ret)
{
	const char *p = *s;
	uint64_t whole, part = 0, unit = 1000;

	if (!number_take(&p, NULL, 10, &whole) || whole > UINT64_MAX / 2000)
		return false;
	if (*p == '.')
		for (p++; is_digit(*p); p++) {
			unit /= 10;
			part += unit * (uint64_t)(*p - '0');
		}
	while (*p == ' ')
		p++;
	if (p[0] != 'u' || p[1] != 's' || (p[2] != ' ' && p[2] != '|' && p[2]))
		return false;
	*s += p + 2 - *s;
	*ret = whole * 1000 + part;
	return true;
}

/* The name in front of "(" and of arguments: "f", "f [module]", "f.constprop.0". */
static size_t func_length(const char *s)
{
	size_t n = strcspn(s, "(;");

	while (n && s[n - 1] == ' ')
		n--;
	return n;
}

/* Of what a "} /[*] f [*]/" is the end: its name stands first; "= 0x0" may follow it. */
static void exit_func(char *s, struct graphrow *r)
{
	const char *at = strstr(s, "/* "), *close;
	size_t n;

	if (!at)
		return;
	at += 3;
	n = strcspn(at, " *");
	/* a module's name in brackets belongs to the function's */
	close = at[n] == ' ' && at[n + 1] == '[' ? strchr(at + n, ']') : NULL;
	if (close)
		n = (size_t)(close - at) + 1;
	if (!n || *at == '=' || *at == '<')
		return;
	r->func = at;
	r->n_func = n;
}

/* An event between calls: in comment's signs "name: words", a function's stack, or bare words. */
static bool comment(char *s, char *end, struct graphrow *r)
{
	struct tracerow *at = &r->at;

	s += 2;
	if (end - s >= 2 && end[-1] == '/' && end[-2] == '*')
		end = trim(s, end - 2);
	*end = '\0';
	tracerow_words(s, at);
	/* words of nobody's are printk's */
	if (at->name && at->bare && !strcmp(at->name, "function"))
		at->name = "print";
	r->words = at->text;
	r->kind = GRAPH_COMMENT;
	return true;
}

static bool arrow(const char *s, struct graphrow *r)
{
	if (!strncmp(s, "==========>", 11))
		r->kind = GRAPH_IRQ;
	else if (!strncmp(s, "<==========", 11))
		r->kind = GRAPH_IRQ_END;
	else
		return false;
	return true;
}

static bool call(char *s, struct graphrow *r)
{
	char *end = trim(s, s + strlen(s));
	const char *close = strstr(s, "/*");

	*end = '\0';
	r->words = s;
	if (*s == '}') {
		r->kind = GRAPH_EXIT;
		exit_func(s, r);
		return true;
	}
	if (s[0] == '/' && s[1] == '*')
		return comment(s, end, r);
	if (arrow(s, r))
		return true;
	r->func = s;
	r->n_func = func_length(s);
	/* what a comment behind the call says is not the call */
	if (close)
		end = trim(s, s + (close - s));
	if (!r->n_func || end == s)
		return false;
	r->kind = end[-1] == '{' ? GRAPH_ENTRY : GRAPH_LEAF;
	/* "f()" and "f();" are calls, words without parentheses are not */
	return r->kind == GRAPH_ENTRY || s[r->n_func] == '(' || end[-1] == ';';
}

/* The sign of a long duration. */
static char *skip_mark(char *s)
{
	char *p = skip_blanks(s);

	return *p && strchr("+!#*@$", *p) && (p[1] == ' ' || is_digit(p[1])) ? skip_blanks(p + 1)
									     : p;
}

/* Is it a duration, and a bar behind it? */
static bool has_duration(char *s)
{
	char *p = skip_mark(s);
	uint64_t ns;

	return is_digit(*p) && micros(&p, &ns) && *skip_blanks(p) == '|';
}

bool graphrow_body(char *s, struct graphrow *r)
{
	char *p = skip_blanks(s), *from, *bar;

	/* articles have a bar in front of the duration, too */
	if (*p == '|' && has_duration(p + 1))
		s = p + 1;
	p = from = skip_mark(s);
	if (is_digit(*p) && micros(&p, &r->duration)) {
		r->has_duration = true;
		p = skip_blanks(p);
	}
	bar = p;
	if (*p == '|') {
		p++;
	} else if (r->has_duration || from != skip_blanks(s)) {
		return false;
	} else if (arrow(p, r)) {
		return true;
	} else {
		p = s; /* no column of durations */
	}
	while (*p == ' ') {
		p++;
		r->indent++;
	}
	if (!*p) { /* a duration whose call was cut off */
		r->kind = GRAPH_NOTHING;
		return *bar == '|';
	}
	return call(p, r);
}

/* "  12.345678 |" in front of all else. */
static char *abstime(char *p, struct graphrow *r)
{
	char *s = p, *bar = p + strspn(p, "0123456789.");

	bar = skip_blanks(bar);
	if (!is_digit(*p) || *bar != '|' || !memchr(p, '.', (size_t)(bar - p)))
		return p;
	if (!tracerow_stamp(&s, ' ', &r->at) && !tracerow_stamp(&s, '|', &r->at))
		return p;
	return skip_blanks(bar + 1);
}

/* "  comm-pid   |" or flags " d..1. |" in front of a duration; what is neither is left alone. */
static char *task_column(char *p, struct graphrow *r)
{
	char *bar = strchr(p, '|'), *end, *dash;

	if (!bar || bar == p || (p[0] == '/' && p[1] == '*'))
		return p;
	end = trim(p, bar);
	if (end - p >= 3 && end[-1] == 's' && end[-2] == 'u')
		return p;
	if (!tracerow_task(p, end, &r->at, &dash))
		return p;
	r->comm_end = dash;
	return bar + 1;
}

static char *flags_column(char *p, struct graphrow *r)
{
	char *s = skip_blanks(p), *bar = strchr(s, '|'), *end;

	if (!bar)
		return p;
	end = trim(s, bar);
	if (end - s < 4 || is_digit(*s) || !tracerow_flags(s, (size_t)(end - s), &r->at))
		return p;
	if (end < bar)
		*end = '\0';
	return bar + 1;
}

/* "comm-pid => comm-pid", of which the second runs from here on. */
static bool switch_row(char *p, struct graphrow *r)
{
	char *arrow = strstr(p, "=>"), *end, *dash;
	struct tracerow before = r->at;

	if (!arrow || !tracerow_task(p, arrow, &before, &dash))
		return false;
	r->before_end = dash;
	p = skip_blanks(arrow + 2);
	end = trim(p, p + strlen(p));
	if (!tracerow_task(p, end, &r->at, &dash))
		return false;
	r->comm_end = dash;
	r->before = before.pid;
	r->before_comm = before.comm;
	r->kind = GRAPH_SWITCH;
	return true;
}

bool graphrow_parse(char *s, bool cpuless, struct graphrow *ret)
{
	char *p = skip_blanks(s), *task, *behind;
	uint64_t cpu;
	const char *n;

	*ret = (struct graphrow){ .before = -1,
				  .at = { .kind = ROW_NONE, .pid = -1, .tgid = -1, .cpu = -1 } };
	if (*p == '-' && strspn(p, "-") >= 20) {
		ret->kind = GRAPH_NOTHING;
		return true;
	}
	if (!*p || *p == '#')
		return false;
	p = abstime(p, ret);
	n = p;
	if (number_take(&n, NULL, 10, &cpu) && *n == ')' && cpu < CPU_MAX &&
	    (n[1] == ' ' || n[1] == '\t' || !n[1])) {
		p += n - p + 1;
		ret->at.cpu = (int)cpu;
		if (switch_row(skip_blanks(p), ret))
			return true;
	} else if (!cpuless) {
		ret->kind = GRAPH_NONE;
		return false;
	}
	task = skip_blanks(p);
	behind = task_column(task, ret);
	p = flags_column(behind == task ? p : behind, ret);
	if (graphrow_body(p, ret))
		return true;
	ret->kind = GRAPH_NONE;
	return false;
}
