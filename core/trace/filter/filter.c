/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters of events: names by pattern, each with a condition. */
#include "core/trace/filter/filter.h"

#include <fnmatch.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/pattern.h"

#define NAMES_MAX 64u      /* in one filter */
#define NAME_TEXT_MAX 200u /* bytes of one */

/* One name of a system or event, as it was typed. */
struct pattern {
	const char *text;
	regex_t regex;
	bool has_regex;
};

/* "sched/sched_switch", "sched", "sched_switch". */
struct filter_name {
	struct pattern system, event; /* system without a text: either may match event */
	struct filter_name *next;
};

/* "EVENTS: CONDITION". */
struct filter_part {
	struct filter_name *names;
	struct condition *condition; /* NULL: none */
	bool every;                  /* it names no events, and is asked of all */
	struct filter_part *next;
};

struct trace_filter {
	struct filter_part *parts;
	struct map named; /* address of a format -> 1 + bits of the parts that name it */
	struct arena a, scratch;
};
#define PARTS_MAX 32u

/* ---- names */

static void pattern_init(struct arena *a, struct pattern *p, const char *s, size_t n)
{
	const char *whole = arena_printf(a, "^(%.*s)$", (int)n, s);
	struct err none; /* "*" is a shell pattern and no regular expression */

	p->text = arena_strndup(a, s, n);
	p->has_regex = pattern_compile(whole, PATTERN_ICASE, &p->regex, &none);
}

static bool pattern_matches(const struct pattern *p, const char *s)
{
	return s && (!fnmatch(p->text, s, FNM_CASEFOLD) ||
		     (p->has_regex && !regexec(&p->regex, s, 0, NULL, 0)));
}

static bool part_names(const struct filter_part *part, const char *system, const char *event)
{
	for (const struct filter_name *n = part->names; n; n = n->next) {
		bool ok = pattern_matches(&n->event, event);

		if (n->system.text ? ok && pattern_matches(&n->system, system)
				   : ok || pattern_matches(&n->event, system))
			return true;
	}
	return false;
}

static bool name_parse(struct arena *a, struct filter_part *part, const char *s, size_t n,
		       struct err *err)
{
	struct filter_name *name = ARENA_NEW(a, struct filter_name);
	const char *slash;

	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	slash = memchr(s, '/', n);
	if (!n || slash == s || (slash && slash == s + n - 1))
		return err_set(err, ERR_USAGE,
			       "'%.*s' names no event; 'sched/sched_switch: prev_pid == 1' does",
			       (int)(n < 60 ? n : 60), s);
	if (n > NAME_TEXT_MAX)
		return err_set(err, ERR_LIMIT, "an event's name of more than %u bytes",
			       NAME_TEXT_MAX);
	if (slash) {
		pattern_init(a, &name->system, s, (size_t)(slash - s));
		n -= (size_t)(slash + 1 - s);
		s = slash + 1;
	}
	pattern_init(a, &name->event, s, n);
	name->next = part->names;
	part->names = name;
	return true;
}

/* ---- what the recordings have */

struct known_part {
	const struct filter_part *part;
	const char *field; /* NULL: any event */
	bool found;
};

static bool know_format(const struct trace_format *f, void *arg)
{
	struct known_part *k = arg;

	k->found |= part_names(k->part, f->system, f->name) &&
		    (!k->field || trace_field_find(f, k->field));
	return !k->found;
}

struct check {
	const struct traces *all;
	const struct filter_part *part;
};

/* Has an event that the part names this field? Recordings that do not tell may have all. */
static bool is_known(const char *field, void *arg)
{
	const struct check *check = arg;
	struct known_part k = { .part = check->part, .field = field };

	for (const struct recording *rec = check->all->first; rec && !k.found; rec = rec->next) {
		struct err why = { .code = ERR_OK };

		if (!rec->ops->each_format ||
		    (!rec->ops->each_format(rec, know_format, &k, &why) && why.code))
			return true;
	}
	return k.found;
}

/* column: of the part's first name, which is unknown */
static bool part_check(const struct traces *all, const struct filter_part *part, size_t column,
		       struct err *err)
{
	struct check check = { all, part };
	const struct filter_name *n = part->names;
	const char *unknown;

	if (!is_known(NULL, &check)) {
		err_set(err, ERR_USAGE, "no event '%.60s%s%.60s' is known%s",
			n->system.text ? n->system.text : "", n->system.text ? "/" : "",
			n->event.text, n->next ? ", nor any other that is named" : "");
		return err_wrap(err, "column %zu", column);
	}
	unknown = part->condition ? condition_unknown(part->condition, is_known, &check, &column)
				  : NULL;
	if (!unknown)
		return true;
	if (part->every)
		err_set(err, ERR_USAGE, "no event has a field '%.60s'; 'trace formats' lists them",
			unknown);
	else
		err_set(err, ERR_USAGE, "'%.60s' has no field '%.60s'; 'trace formats' lists them",
			n->event.text, unknown);
	return err_wrap(err, "column %zu", column);
}

/* ---- all together */

/* Where the text of the filter that is parsed begins, and how far it is. */
struct filter_place {
	const char *begin, *s;
};

static size_t column_of(const struct filter_place *at, const char *s)
{
	return (size_t)(s - at->begin) + 1;
}

/* Is it a condition without names in front? What compares stands in no name, nor in a pattern of
 * one. */
static bool is_bare(const char *s)
{
	return s[strcspn(s, ":;=<>~&\"'")] && !strchr(":;", s[strcspn(s, ":;=<>~&\"'")]);
}

static bool names_parse(struct trace_filter *f, struct filter_place *at, struct filter_part *part,
			struct err *err)
{
	unsigned names = 0;
	const char *s = at->s;

	do {
		size_t n = strcspn(s, ",:;");

		if (++names > NAMES_MAX)
			return err_set(err, ERR_LIMIT, "a filter names more than %u events",
				       NAMES_MAX);
		if (!name_parse(&f->a, part, s, n, err))
			return err_wrap(err, "column %zu", column_of(at, s));
		s += n;
	} while (*s++ == ',');
	at->s = s - 1;
	return true;
}

static bool part_parse(struct trace_filter *f, struct filter_place *at, struct filter_part *part,
		       struct err *err)
{
	part->every = is_bare(at->s);
	if (part->every) {
		if (!name_parse(&f->a, part, "*", 1, err))
			return false;
		return condition_parse(at->s, column_of(at, at->s), &f->a, &part->condition, &at->s,
				       err);
	}
	if (!names_parse(f, at, part, err))
		return false;
	return *at->s != ':' || condition_parse(at->s + 1, column_of(at, at->s + 1), &f->a,
						&part->condition, &at->s, err);
}

bool trace_filter_add(struct trace_filter *f, const struct traces *all, const char *text,
		      struct err *err)
{
	struct filter_place at = { text, text };
	struct filter_part **end = &f->parts;
	unsigned before = 0, parts = 0;

	for (; *end; before++)
		end = &(*end)->next;
	for (;; end = &(*end)->next) {
		size_t column;

		at.s += strspn(at.s, " \t\n;");
		if (!*at.s)
			break;
		if (before + ++parts > PARTS_MAX)
			return err_set(err, ERR_LIMIT, "more than %u filters", PARTS_MAX);
		column = column_of(&at, at.s);
		*end = ARENA_NEW(&f->a, struct filter_part);
		if (!part_parse(f, &at, *end, err) || !part_check(all, *end, column, err))
			return err_wrap(err, "filter '%.60s'", text);
	}
	return parts ||
	       err_set(err, ERR_USAGE, "a filter is wanted: 'sched_switch: prev_pid == 1'");
}

bool trace_filter_new(const struct traces *all, const char *text, struct trace_filter **ret,
		      struct err *err)
{
	struct arena a = { 0 };
	struct trace_filter *f = ARENA_NEW(&a, struct trace_filter);

	f->a = a;
	if (!trace_filter_add(f, all, text, err)) {
		trace_filter_release(f);
		return false;
	}
	*ret = f;
	return true;
}

void trace_filter_release(struct trace_filter *f)
{
	struct arena a;

	if (!f)
		return;
	for (struct filter_part *part = f->parts; part; part = part->next) {
		condition_release(part->condition);
		for (struct filter_name *n = part->names; n; n = n->next) {
			if (n->system.has_regex)
				regfree(&n->system.regex);
			if (n->event.has_regex)
				regfree(&n->event.regex);
		}
	}
	map_release(&f->named);
	arena_release(&f->scratch);
	a = f->a; /* which f is in */
	arena_release(&a);
}

static uint64_t parts_of(const struct trace_filter *f, const char *system, const char *event)
{
	uint64_t bits = 0, bit = 1;

	for (const struct filter_part *part = f->parts; part; part = part->next, bit <<= 1)
		bits |= part_names(part, system, event) ? bit : 0;
	return bits;
}

bool trace_filter_match(struct trace_filter *f, const struct trace_event *ev)
{
	uint64_t *place, bits;
	bool ok = false;

	if (ev->format) {
		place = map_put(&f->named, (uintptr_t)ev->format, NULL);
		if (!*place)
			*place = 1 + parts_of(f, ev->format->system, ev->format->name);
		bits = *place - 1;
	} else {
		bits = parts_of(f, ev->system, ev->name);
	}
	for (const struct filter_part *part = f->parts; part && bits && !ok;
	     part = part->next, bits >>= 1)
		ok = (bits & 1) &&
		     (!part->condition || condition_holds(part->condition, ev, &f->scratch));
	arena_reset(&f->scratch);
	return ok;
}
