/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which events of a trace are asked for: options made into a selection. */
#include "core/base/number.h"
#include "commands/trace/trace_select.h"

#include <ctype.h>
#include <string.h>

#include "core/linux/trace/trace_death.h"
#include "core/shell/session.h"

#define CPU_MAX 65536u
#define LIST_MAX 1024u

/* ---- words of a list */

static bool words_of(struct ctx *c, const char *text, const char *const **ret, size_t *n,
		     struct err *err)
{
	const char **v = ARENA_ARRAY(c->arena, const char *, LIST_MAX);

	*n = 0;
	while (*text) {
		size_t len = strcspn(text, ", ");

		if (len && *n == LIST_MAX)
			return err_set(err, ERR_LIMIT, "a list has at most %u words", LIST_MAX);
		if (len)
			v[(*n)++] = arena_strndup(c->arena, text, len);
		text += len + (text[len] != '\0');
	}
	*ret = v;
	return *n || err_set(err, ERR_USAGE, "-p, --comm and -e need words, and none is there");
}

static bool pids_of(struct ctx *c, const char *text, struct trace_select *sel, struct err *err)
{
	const char *const *words;
	int32_t *pids;
	size_t n;

	if (!words_of(c, text, &words, &n, err))
		return false;
	pids = ARENA_ARRAY(c->arena, int32_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		uint64_t pid;

		if (!parse_number(words[i], false, &pid) || pid > INT32_MAX)
			return err_set(err, ERR_USAGE, "'%.40s' is no pid", words[i]);
		pids[i] = (int32_t)pid;
	}
	sel->pids = pids;
	sel->n_pids = n;
	return true;
}

/* Was any of these CPUs traced? Which ones a text tells of is known when all its rows are read. */
static bool cpus_traced(const struct traces *all, uint64_t first, uint64_t last)
{
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		for (size_t i = 0; i < rec->n_buffers; i++)
			for (size_t k = 0; k < rec->buffers[i].n_lanes; k++) {
				int cpu = rec->buffers[i].lanes[k].cpu;

				if (cpu < 0 || ((uint64_t)cpu >= first && (uint64_t)cpu <= last))
					return true;
			}
	return false;
}

/* "0,2-3"; CPUs of a file need not be those of a dump: those are asked for that were traced. */
static bool cpus_of(struct ctx *c, const char *text, struct trace_select *sel, struct err *err)
{
	bool *cpus = ARENA_ARRAY(c->arena, bool, CPU_MAX);
	const struct traces *all;
	const char *s = text;

	if (!traces_find(c->t, &all, err))
		return false;
	do {
		const char *part = s;
		uint64_t first, last;

		if (!parse_cpu_range(&s, &first, &last) || last >= CPU_MAX)
			return err_set(err, ERR_USAGE, "'%.40s' is no list of CPUs as 0,2-3", text);
		if (!cpus_traced(all, first, last))
			return err_set(err, ERR_NOTFOUND,
				       "no CPU %.*s was traced; 'trace stat' shows which were",
				       (int)(s - part), part);
		for (; first <= last; first++)
			cpus[first] = true;
	} while (*s++ == ',');
	sel->cpus = cpus;
	sel->n_cpus = CPU_MAX;
	return true;
}

/* ---- times */

/* A number with a unit: "50ms", "1.5s", "300us", "12" (seconds); nanoseconds. */
static bool span_of(const char *text, double *ret)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = { { "", 1e9 }, { "s", 1e9 }, { "ms", 1e6 }, { "us", 1e3 }, { "ns", 1 } };
	char *end;
	double v = strtod(text, &end);

	if (end == text || !(v >= 0) || v > 1e18)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].unit)) {
			*ret = v * units[i].ns;
			return *ret < 1e18;
		}
	return false;
}

/* "123.456789" exactly: a double has not digits enough for nanoseconds since boot. */
static bool absolute_of(const char *text, uint64_t *ret)
{
	uint64_t sec, ns = 0, unit = 100000000;

	if (!number_take(&text, NULL, 10, &sec) || sec > 1000000000)
		return false;
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text); text++, unit /= 10)
			ns += digit_value(*text) * unit;
	*ret = sec * 1000000000 + ns;
	return !*text || !strcmp(text, "s");
}

static bool end_time(struct ctx *c, const struct trace_select *sel, uint64_t *ret, struct err *err)
{
	return trace_death(c->t, sel, ret) || timeline_end(c->t, sel, ret, err);
}

bool trace_time(struct ctx *c, const char *text, const struct trace_select *sel, uint64_t *ret,
		struct err *err)
{
	uint64_t end;
	double span;

	if (!strcmp(text, "panic"))
		return end_time(c, sel, ret, err);
	if (*text == '-') {
		if (!span_of(text + 1, &span))
			return err_set(err, ERR_USAGE, "'%.40s' is no time as -50ms", text);
		if (!end_time(c, sel, &end, err))
			return false;
		*ret = (double)end > span ? end - (uint64_t)span : 0;
		return true;
	}
	return absolute_of(text, ret) ||
	       err_set(err, ERR_USAGE, "'%.40s' is no time: seconds as 12.345678, -50ms, or panic",
		       text);
}

/* ---- events */

/* Of each pattern: does a recording know such an event? */
struct known_events {
	const struct trace_select *sel;
	bool *met;
};

static bool see_format(const struct trace_format *f, void *arg)
{
	const struct known_events *k = arg;

	for (size_t i = 0; i < k->sel->n_events; i++)
		k->met[i] |= timeline_event_named(f->system, f->name, k->sel->events[i]);
	return true;
}

/* "sched_*,irq:*". A name that nobody knows is a slip of the finger. Recordings that do not tell
 * which events they have may have any. */
static bool events_of(struct ctx *c, const char *text, struct trace_select *sel, struct err *err)
{
	struct known_events k = { .sel = sel };
	const struct traces *all;
	struct err why = { 0 };

	if (!words_of(c, text, &sel->events, &sel->n_events, err) || !traces_find(c->t, &all, err))
		return false;
	k.met = ARENA_ARRAY(c->arena, bool, sel->n_events);
	for (const struct recording *rec = all->first; rec; rec = rec->next)
		if (!rec->ops->each_format || rec->ops->names ||
		    (!rec->ops->each_format(rec, see_format, &k, &why) && why.code))
			return true;
	for (size_t i = 0; i < sel->n_events; i++)
		if (!k.met[i])
			return err_set(err, ERR_NOTFOUND,
				       "no event '%.60s' is known; 'trace formats' lists them",
				       sel->events[i]);
	return true;
}

/* ---- all together */

static bool passes(const struct trace_event *ev, void *arg)
{
	return trace_filter_match(arg, ev);
}

static bool filters_of(struct ctx *c, const char *const *texts, struct trace_choice *ch,
		       struct err *err)
{
	const struct traces *all;

	if (!traces_find(c->t, &all, err) || !trace_filter_new(all, *texts, &ch->filter, err))
		return false;
	while (*++texts)
		if (!trace_filter_add(ch->filter, all, *texts, err))
			return false;
	ch->sel.match = passes;
	ch->sel.arg = ch->filter;
	return true;
}

const char *trace_instance(const char *word)
{
	return word && !strcmp(word, "top") ? "" : word;
}

static bool choose(struct ctx *c, const struct trace_opts *o, struct trace_choice *ch,
		   struct err *err)
{
	struct trace_select *sel = &ch->sel;

	sel->instance = trace_instance(o->instance);
	sel->snapshot = o->snapshot;
	sel->consumed = o->consumed;
	sel->stale = o->stale;
	sel->uncommitted = o->consumed;
	if ((o->cpus && !cpus_of(c, o->cpus, sel, err)) ||
	    (o->pids && !pids_of(c, o->pids, sel, err)) ||
	    (o->comms && !words_of(c, o->comms, &sel->comms, &sel->n_comms, err)) ||
	    (o->events && !events_of(c, o->events, sel, err)) ||
	    (o->filters && !filters_of(c, o->filters, ch, err)))
		return false;
	/* times last: they may be relative to what the others select */
	if ((o->since && !trace_time(c, o->since, sel, &sel->since, err)) ||
	    (o->until && !trace_time(c, o->until, sel, &sel->until, err)))
		return false;
	/* an end of 0 would be none: who counts back to before the boot wants nothing */
	if (o->until && !sel->until)
		sel->until = 1;
	return true;
}

bool trace_choose(struct ctx *c, const struct trace_opts *o, struct trace_choice *ret,
		  struct err *err)
{
	memset(ret, 0, sizeof(*ret));
	ret->printer = trace_printer_new();
	if (choose(c, o, ret, err))
		return true;
	trace_choice_release(ret);
	return false;
}

void trace_choice_release(struct trace_choice *ch)
{
	trace_printer_release(ch->printer);
	trace_filter_release(ch->filter);
	ch->printer = NULL;
	ch->filter = NULL;
}

void trace_note_others(struct ctx *c, struct timeline *tl)
{
	const struct trace_buffer *b;
	size_t n = timeline_others(tl, &b);
	struct err why;

	if (!n)
		return;
	err_set(&why, ERR_UNSUPPORTED,
		"%zu more of other clocks are left out, such as '%.60s' (%.20s): -i names one", n,
		b->name ? b->name : "", b->clock ? b->clock : "?");
	note(c, &why);
}

void trace_notes(struct ctx *c, struct timeline *tl)
{
	struct err why;

	while (timeline_damage(tl, &why))
		note(c, &why);
}
