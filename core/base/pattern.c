/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regular expressions that somebody typed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/pattern.h"

#define PARTS_MAX \
	2000u         /* characters, what is repeated counted as often as the C library copies it */
#define REPEAT_MAX 2u /* repetitions in each other */

/* What a part of a regular expression costs the C library. */
struct cost {
	uint64_t parts;  /* characters, copies counted */
	unsigned repeat; /* how deep what is repeated is in each other */
};

static void cost_add(struct cost *to, const struct cost *c)
{
	to->parts += c->parts;
	to->repeat = to->repeat > c->repeat ? to->repeat : c->repeat;
}

/* Behind a list, "[]a]", of which s is the bracket. */
static const char *list_end(const char *s)
{
	s += 1 + (s[1] == '^');
	s = *s ? strchr(s + 1, ']') : NULL;
	return s ? s : "";
}

/* Adds what a repetition makes of its part: '+' has it twice, braces as often as they say. */
static void cost_repeat(struct cost *c, const char *s)
{
	uint64_t n = *s == '+' ? 2 : 1, more;
	char *end;

	if (*s == '{') {
		n = strtoull(s + 1, &end, 10);
		more = *end == ',' ? strtoull(end + 1, NULL, 10) : 0;
		n = n > more ? n : more;
		n += n < PARTS_MAX; /* one more, which others may follow */
	}
	c->parts = n < PARTS_MAX ? c->parts * n : PARTS_MAX + 1;
	c->repeat++;
}

/* Repetitions in each other take the C library time and memory that double with each. */
static bool is_cheap(const char *s)
{
	/* of each open parenthesis: what is before the last part, and the last part */
	struct cost sum[PATTERN_GROUPS + 1] = { 0 }, last[PATTERN_GROUPS + 1] = { 0 };
	unsigned depth = 0;

	for (; *s; s += *s != '\0') {
		struct cost *c = &last[depth];

		if (strchr("*+?{", *s)) {
			cost_repeat(c, s);
			if (*s == '{')
				s += strcspn(s, "}");
		} else if (*s == ')' && depth) {
			cost_add(&sum[depth], c);
			depth--;
			last[depth] = sum[depth + 1];
		} else {
			cost_add(&sum[depth], c);
			*c = (struct cost){ .parts = 1 };
			if (*s == '(') {
				if (++depth > PATTERN_GROUPS)
					return false;
				sum[depth] = last[depth] = (struct cost){ 0 };
			} else if (*s == '[') {
				s = list_end(s);
			} else if (*s == '\\' && s[1]) {
				s++;
				if (*s >= '1' && *s <= '9')
					return false; /* what a group matched, again */
			}
		}
		if (last[depth].parts > PARTS_MAX || last[depth].repeat > REPEAT_MAX)
			return false;
	}
	return true;
}

bool pattern_compile(const char *text, unsigned flags, regex_t *ret, struct err *err)
{
	char why[80];
	int bad;

	if (strlen(text) >= PATTERN_MAX)
		return err_set(err, ERR_LIMIT, "a regular expression has at most %d characters",
			       PATTERN_MAX - 1);
	if (!is_cheap(text))
		return err_set(err, ERR_LIMIT,
			       "'%.60s' repeats too much of itself for a regular expression", text);
	bad = regcomp(ret, text,
		      REG_EXTENDED | REG_NOSUB | (flags & PATTERN_ICASE ? REG_ICASE : 0));
	if (!bad)
		return true;
	regerror(bad, ret, why, sizeof(why));
	return err_set(err, ERR_USAGE, "'%.60s' is no regular expression: %s", text, why);
}
