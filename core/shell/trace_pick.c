/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that commands over recordings share, made a selection. */
#include "core/shell/trace_pick.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define CPUS_MAX 65536u
#define WORDS_MAX 1024u

/* "a,b": the words, at most WORDS_MAX. */
static bool words(struct ctx *c, const char *list, const char *const **ret, size_t *n,
		  struct err *err)
{
	const char **v = ARENA_ARRAY(c->arena, const char *, WORDS_MAX);

	for (*n = 0; *list; list += *list == ',') {
		size_t len = strcspn(list, ",");

		if (*n == WORDS_MAX)
			return err_set(err, ERR_LIMIT, "more than %u names", WORDS_MAX);
		if (len)
			v[(*n)++] = arena_strndup(c->arena, list, len);
		list += len;
	}
	*ret = v;
	return *n || err_set(err, ERR_USAGE, "a list of names is empty");
}

/* "0,2-3", for CPUs that need not be in any dump. */
static bool cpu_set(struct ctx *c, const char *s, struct trace_select *ret, struct err *err)
{
	bool *set = ARENA_ARRAY(c->arena, bool, CPUS_MAX);
	const char *whole = s;

	while (*s) {
		char *end;
		unsigned long first, last;

		first = last = isdigit((unsigned char)*s) ? strtoul(s, &end, 10) : CPUS_MAX;
		if (first < CPUS_MAX && *end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (first >= CPUS_MAX || last >= CPUS_MAX || last < first || (*end && *end != ','))
			return err_set(err, ERR_USAGE, "'%.60s' is no list of CPUs; 0,2-3 is",
				       whole);
		for (unsigned long i = first; i <= last; i++)
			set[i] = true;
		s = end + (*end == ',');
	}
	ret->cpus = set;
	ret->n_cpus = CPUS_MAX;
	return true;
}

static bool pid_list(struct ctx *c, const char *s, struct trace_select *ret, struct err *err)
{
	const char *const *v;
	int32_t *pids;

	if (!words(c, s, &v, &ret->n_pids, err))
		return false;
	pids = ARENA_ARRAY(c->arena, int32_t, ret->n_pids);
	for (size_t i = 0; i < ret->n_pids; i++) {
		uint64_t n;

		if (!parse_number(v[i], false, &n) || n > INT32_MAX)
			return err_set(err, ERR_USAGE, "'%.60s' is no pid", v[i]);
		pids[i] = (int32_t)n;
	}
	ret->pids = pids;
	return true;
}

/* "12.345678901" in nanoseconds; *end is behind it. */
static bool seconds(const char *s, uint64_t *ret, const char **end)
{
	uint64_t whole = 0, part = 0, unit = 1000000000;
	const char *from = s;

	for (; isdigit((unsigned char)*s) && whole < UINT64_MAX / 20000000000; s++)
		whole = whole * 10 + (uint64_t)(*s - '0');
	if (*s == '.')
		for (s++; isdigit((unsigned char)*s); s++) {
			unit /= 10;
			part += unit * (uint64_t)(*s - '0');
		}
	*end = s;
	*ret = whole * 1000000000 + part;
	return s > from;
}

/* A time of the trace's clock; negative: before the newest event. */
static bool moment(struct ctx *c, const struct trace_select *sel, const char *s, uint64_t *ret,
		   struct err *err)
{
	static const struct {
		const char *unit;
		uint64_t div;
	} units[] = {
		{ "", 1 }, { "s", 1 }, { "ms", 1000 }, { "us", 1000000 }, { "ns", 1000000000 }
	};
	const char *whole = s, *end;
	bool before = *s == '-';
	struct trace_select all = { .instance = sel->instance, .snapshot = sel->snapshot };
	uint64_t t, last;
	size_t i = 0;

	if (!seconds(s + before, &t, &end))
		return err_set(err, ERR_USAGE, "'%.60s' is no time; 12.5 or -50ms is", whole);
	while (i < ARRAY_SIZE(units) && strcmp(end, units[i].unit) != 0)
		i++;
	if (i == ARRAY_SIZE(units))
		return err_set(err, ERR_USAGE, "'%.60s' is no time; 12.5 or -50ms is", whole);
	t /= units[i].div;
	*ret = t;
	if (!before)
		return true;
	if (!timeline_end(c->t, &all, &last, err))
		return false;
	*ret = last > t ? last - t : 0;
	return true;
}

bool trace_pick_select(struct ctx *c, const struct trace_pick *p, struct trace_select *ret,
		       struct err *err)
{
	*ret = (struct trace_select){ .instance = p->instance, .snapshot = p->snapshot };
	if (p->cpus && !cpu_set(c, p->cpus, ret, err))
		return false;
	if (p->pids && !pid_list(c, p->pids, ret, err))
		return false;
	if (p->comms && !words(c, p->comms, &ret->comms, &ret->n_comms, err))
		return false;
	if (p->events && !words(c, p->events, &ret->events, &ret->n_events, err))
		return false;
	if (p->since && !moment(c, ret, p->since, &ret->since, err))
		return false;
	return !p->until || moment(c, ret, p->until, &ret->until, err);
}

void trace_pick_notes(struct ctx *c, struct timeline *tl)
{
	struct err why;

	while (timeline_damage(tl, &why))
		note(c, &why);
}
