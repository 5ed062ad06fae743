/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of `perf script` and `perf trace`, as tools/perf/builtin-script.c and builtin-trace.c of
 * Linux print them. */
#include "readers/trace/perfrow.h"

#include <ctype.h>
#include <string.h>

#include "core/base/number.h"

#define PERF_CPU_MAX 65536

static char *skip_blanks(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* Where [s, end) ends without its last blanks. */
static char *end_trimmed(const char *s, char *end)
{
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

/* A number with a fraction, of a unit of 10^digits nanoseconds; *s is behind it. */
static bool take_time(const char **s, unsigned digits, uint64_t *ret)
{
	uint64_t whole, part = 0, unit = 1, scale;
	const char *p = *s;

	while (digits--)
		unit *= 10;
	if (!number_take(&p, NULL, 10, &whole) || *p != '.' || !isdigit((unsigned char)p[1]) ||
	    whole > UINT64_MAX / unit / 2)
		return false;
	for (p++, scale = unit; isdigit((unsigned char)*p); p++) {
		scale /= 10;
		part += scale * (uint64_t)(*p - '0');
	}
	*ret = whole * unit + part;
	*s = p;
	return true;
}

void perfrow_event(char *s, const char **system, const char **name)
{
	char *colon = strchr(s, ':');
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	*system = NULL;
	*name = s;
	/* what follows "cycles:" says how it was counted: perf-list(1), event modifiers */
	if (!colon || s + n != colon || !colon[1] || strchr(colon + 1, ':') ||
	    !colon[1 + strspn(colon + 1, "ukhIGHpPSDeWb")])
		return;
	*colon = '\0';
	*system = s;
	*name = colon + 1;
}

/* The task in front: "comm  12" or "comm  10/12", of which the latter is process and thread. */
static bool sample_task(char *s, char *end, struct perfrow *r)
{
	char *p = end;
	const char *at;
	uint64_t pid, group;

	while (p > s && (isdigit((unsigned char)p[-1]) || p[-1] == '/'))
		p--;
	if (p > s && p[-1] == '-' && end - p == 1 && *p == '1') {
		p--; /* nobody's: -1 */
	} else {
		at = p;
		if (!number_take(&at, NULL, 10, &pid) || pid > INT32_MAX)
			return false;
		if (*at == '/') {
			group = pid;
			at++;
			if (!number_take(&at, NULL, 10, &pid) || pid > INT32_MAX)
				return false;
			r->tgid = (int32_t)group;
		}
		if (at != end)
			return false;
		r->pid = (int32_t)pid;
	}
	if (p == s)
		return true; /* no comm was asked for */
	if (p[-1] != ' ' && p[-1] != '\t')
		return false;
	r->comm = s;
	end = end_trimmed(s, p);
	if (end > s)
		*end = '\0';
	return end > s;
}

/* "[001]" behind the task. */
static char *sample_cpu(char *s, char *end, struct perfrow *r)
{
	const char *at;
	uint64_t cpu;
	char *open = end;

	if (end == s || end[-1] != ']')
		return end;
	while (open > s && *open != '[')
		open--;
	at = open + 1;
	if (*open != '[' || !number_take(&at, NULL, 10, &cpu) || at != end - 1 ||
	    cpu >= PERF_CPU_MAX)
		return end;
	r->cpu = (int)cpu;
	return end_trimmed(s, open);
}

/* "  116584 cycles: words" behind the time; false: no event is named. */
static bool sample_event(char *s, struct perfrow *r)
{
	const char *at;
	uint64_t n;
	size_t len;

	s = skip_blanks(s);
	at = s;
	if (number_take(&at, NULL, 10, &n) && (*at == ' ' || *at == '\t')) {
		r->period = n;
		s = skip_blanks(s + (at - s));
	}
	len = strcspn(s, " \t");
	if (len < 2 || s[len - 1] != ':')
		return false;
	r->text = s[len] ? skip_blanks(s + len) : s + len;
	s[len - 1] = '\0';
	perfrow_event(s, &r->system, &r->name);
	r->name_n = strlen(r->name);
	return true;
}

/* Where the time stands: "12.345678:" between blanks. */
static bool find_stamp(char *s, char **from, char **behind, uint64_t *ts)
{
	for (char *dot = strchr(s, '.'); dot; dot = strchr(dot + 1, '.')) {
		char *p = dot;
		const char *at;

		while (p > s && isdigit((unsigned char)p[-1]))
			p--;
		if (p == dot || p == s || (p[-1] != ' ' && p[-1] != '\t'))
			continue;
		at = p;
		if (!take_time(&at, 9, ts) || *at != ':' || (at[1] != ' ' && at[1] != '\t'))
			continue;
		*from = p;
		*behind = p + (at - p) + 1;
		return true;
	}
	return false;
}

/* Is there what sample_task() cuts? Nothing may be cut of a line that is no row. */
static bool looks_like_sample(const char *s, char *from, const char *behind)
{
	const char *end = end_trimmed(s, from), *word;

	if (end > s && end[-1] == ']') {
		while (end > s && *end != '[')
			end--;
		while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
			end--;
	}
	if (end == s || !isdigit((unsigned char)end[-1]))
		return false;
	for (word = end; word > s && (isdigit((unsigned char)word[-1]) || word[-1] == '/');)
		word--;
	if (word > s && word[-1] != ' ' && word[-1] != '\t' &&
	    !(word - s > 1 && word[-1] == '-' && (word[-2] == ' ' || word[-2] == '\t')))
		return false;
	behind += strspn(behind, " \t");
	word = behind + strspn(behind, "0123456789");
	if (word > behind && (*word == ' ' || *word == '\t'))
		behind = word + strspn(word, " \t");
	word = behind + strcspn(behind, " \t");
	return word - behind >= 2 && word[-1] == ':';
}

static bool sample_row(char *s, struct perfrow *r)
{
	char *from, *behind, *end;

	s = skip_blanks(s);
	if (!find_stamp(s, &from, &behind, &r->ts) || !looks_like_sample(s, from, behind))
		return false;
	r->has_ts = true;
	end = end_trimmed(s, from);
	end = sample_cpu(s, end, r);
	return sample_task(s, end, r) && sample_event(behind, r);
}

/* "comm/12 " in front of a call; a comm may hold blanks and slashes. */
static char *call_task(char *s, struct perfrow *r)
{
	for (char *slash = strchr(s, '/'); slash; slash = strchr(slash + 1, '/')) {
		const char *at = slash + 1;
		uint64_t pid;

		if (memchr(s, '(', (size_t)(slash - s)))
			break;
		if (!number_take(&at, NULL, 10, &pid) || pid > INT32_MAX || *at != ' ')
			continue;
		*slash = '\0';
		r->comm = *s == ':' || slash == s ? NULL : s; /* ":12": nobody knows its name */
		r->pid = (int32_t)pid;
		return skip_blanks(slash + 1 + (at - slash - 1));
	}
	return s;
}

/* Blanks in front of "= 3", which align it, and of "..." of a call that did not end, become one. */
static void squeeze(char *s)
{
	size_t n = strlen(s);
	char *equals = n > 3 && !strcmp(s + n - 3, "...") ? s + n - 3 : strrchr(s, '=');
	char *from = equals;

	while (from && from > s && from[-1] == ' ')
		from--;
	if (from && from != equals && equals - from > 1)
		memmove(from + 1, equals, strlen(equals) + 1);
}

/* "     1.078 ( 0.112 ms): comm/12 openat(dfd: CWD) = 3"; "?" stands for a time that is not known.
 */
static bool call_row(char *s, struct perfrow *r)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789_:";
	char *p = skip_blanks(s), *close, *name;
	const char *at = p;
	size_t n;

	if (*p == '?')
		at++;
	else if (!take_time(&at, 6, &r->ts))
		return false;
	r->has_ts = *p != '?';
	p = skip_blanks(p + (at - p));
	close = *p == '(' ? strchr(p, ')') : NULL;
	if (!close || close[1] != ':' || close[2] != ' ' ||
	    (size_t)(close - p - 1) != strspn(p + 1, " 0123456789.ms?"))
		return false;
	p = skip_blanks(p + 1);
	if (p < close && *p != '?') {
		*end_trimmed(p, close) = '\0';
		r->took = p;
	}
	p = call_task(skip_blanks(close + 2), r);
	r->text = p;
	name = p;
	if (!strncmp(name, "... [continued]: ", 17))
		name += 17;
	n = strspn(name, word);
	if (!n || name[n] != '(' || name[n - 1] == ':')
		return false;
	if (!memchr(name, ':', n)) {
		squeeze(p);
		r->system = "syscalls";
		r->name = name;
		r->name_n = n;
		return true;
	}
	/* an event: its fields in parentheses */
	name[n] = '\0';
	perfrow_event(name, &r->system, &r->name);
	p = name + n + 1;
	r->text = p;
	n = strlen(p);
	if (n && p[n - 1] == ')')
		p[n - 1] = '\0';
	r->name_n = strlen(r->name);
	return true;
}

static bool lost_row(const char *s, struct perfrow *r)
{
	if (strncmp(s, "LOST ", 5) != 0)
		return false;
	s += 5;
	return number_take(&s, NULL, 10, &r->lost) && !strncmp(s, " events!", 8);
}

bool perfrow_parse(char *s, struct perfrow *ret)
{
	const struct perfrow nothing = { .pid = -1, .tgid = -1, .cpu = -1 };
	char *p = skip_blanks(s);

	*ret = nothing;
	if (!*p || *p == '#')
		return false;
	if (lost_row(p, ret)) {
		ret->kind = PERFROW_LOST;
		return true;
	}
	if ((*p == '?' || isdigit((unsigned char)*p)) && call_row(s, ret)) {
		ret->kind = PERFROW_CALL;
		return true;
	}
	*ret = nothing;
	if (sample_row(s, ret)) {
		ret->kind = PERFROW_SAMPLE;
		return true;
	}
	*ret = nothing;
	return false;
}

bool perfrow_frame(char *s, enum perfrow_kind of, const char **ret)
{
	char *p = skip_blanks(s);
	size_t n = strspn(p, "0123456789abcdef");

	if (!*p)
		return false;
	*ret = p;
	if (n && n <= 20 && (p[n] == ' ' || p[n] == '\t')) {
		/* a name says more than the number that it was made of */
		if (strncmp(skip_blanks(p + n), "[unknown]", 9) != 0)
			*ret = skip_blanks(p + n);
		return true;
	}
	if (n && n <= 20 && !p[n] && of == PERFROW_SAMPLE)
		return true;
	/* perf trace has no numbers there, and further in than any row */
	return of == PERFROW_CALL && p - s >= 20;
}
