/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace latency: how long it took from one event to another, and what never came to its end. */
#include <string.h>

#include "core/obit.h"
#include "core/trace/pair.h"
#include "core/trace/timeline.h"
#include "core/trace/trace.h"
#include "commands/trace/latency_record.h"
#include "commands/trace/trace_select.h"

#define CASES 10u

struct latency_opts {
	struct trace_opts which;
	const char *per;
	uint64_t n;
	bool list;
};
static const struct option opts[] = {
	TRACE_OPTIONS(struct latency_opts, which),
	{ "per", "field", OPTION_STR, offsetof(struct latency_opts, per),
	  "tell durations apart by this field of the first event" },
	{ "n", "rows", OPTION_UINT, offsetof(struct latency_opts, n),
	  "so many of the longest; 10 unless said" },
	{ "list", NULL, OPTION_FLAG, offsetof(struct latency_opts, list), "what is known by name" },
};

/* "a,b:c": fields of the beginning, and of the end where they differ. */
static bool parse_keys(struct ctx *c, struct pair_spec *spec, int from, struct err *err)
{
	size_t n = 0;

	for (int i = from; i < c->argc; i++)
		for (const char *s = c->argv[i]; *s; s += *s == ',') {
			size_t len = strcspn(s, ","), first = strcspn(s, ",:");

			if (len && n == PAIR_KEYS_MAX)
				return err_set(err, ERR_LIMIT, "more than %u keys", PAIR_KEYS_MAX);
			if (len) {
				spec->begin_keys[n] = arena_strndup(c->arena, s, first);
				spec->end_keys[n] = first < len
							    ? arena_strndup(c->arena, s + first + 1,
									    len - first - 1)
							    : spec->begin_keys[n];
				n++;
			}
			s += len;
		}
	return n || err_set(err, ERR_USAGE, "'by' wants a field that both events have");
}

static bool parse(struct ctx *c, struct pair_spec *spec, struct err *err)
{
	const struct latency_opts *o = c->opts;
	const struct pair_spec *known;

	if (c->argc == 1) {
		known = pair_spec_find(c->argv[0]);
		if (!known)
			return err_set(err, ERR_USAGE,
				       "'%.60s' is no pair of events; 'trace latency --list' names "
				       "them, or give BEGIN END by KEY",
				       c->argv[0]);
		*spec = *known;
	} else {
		if (c->argc < 4 || strcmp(c->argv[2], "by") != 0)
			return err_set(err, ERR_USAGE,
				       "BEGIN END by KEY is wanted, or one of 'trace latency "
				       "--list'");
		spec->name = c->argv[0];
		spec->begin = c->argv[0];
		spec->end = c->argv[1];
		if (!parse_keys(c, spec, 3, err))
			return false;
	}
	if (o->per)
		spec->per = o->per;
	return true;
}

static void list_pairs(struct ctx *c)
{
	size_t n;
	const struct pair_spec *specs = pair_specs(&n);

	for (size_t i = 0; i < n; i++)
		emit_pair_spec(c, &specs[i]);
}

static bool latency_run(struct ctx *c, struct err *err)
{
	const struct latency_opts *o = c->opts;
	struct pair_spec spec = { 0 };
	static const struct latency_opts nothing;
	struct trace_choice choice;
	struct trace_event ev;
	struct timeline *tl;
	struct pairs p;

	if (!c->argc && !o->list && memcmp(o, &nothing, sizeof(nothing)) != 0)
		return err_set(err, ERR_USAGE,
			       "of which events? 'trace latency --list' has pairs by name");
	if (o->list || !c->argc) {
		list_pairs(c);
		return true;
	}
	if (!parse(c, &spec, err) || !trace_choose(c, &o->which, &choice, err))
		return false;
	if (!timeline_open(c->t, &choice.sel, c->arena, &tl, err)) {
		trace_choice_release(&choice);
		return false;
	}
	pairs_init(&p, &spec, o->n ? o->n : CASES, c->arena);
	while (timeline_next(tl, &ev, err))
		pairs_event(&p, &ev);
	pairs_finish(&p);
	if (!err->code && !p.all.n && !p.open.n) {
		err_set(err, ERR_NOTFOUND, "no event '%.60s' was recorded", spec.begin);
	} else if (!err->code) {
		latency_emit(c, &p, o->n ? o->n : CASES);
	}
	trace_note_others(c, tl);
	trace_notes(c, tl);
	trace_choice_release(&choice);
	pairs_release(&p);
	return !err->code;
}

static const struct record_kind *const emits[] = { &trace_latency_kind, &trace_spread_kind,
						   &trace_case_kind,    &trace_leak_kind,
						   &trace_pair_kind,    NULL };
static const struct example examples[] = {
	{ "trace latency --list", "the pairs that are known by name" },
	{ "trace latency wakeup", "from being woken to running: how long, who waited longest" },
	{ "trace latency sched_waking sched_switch by pid:next_pid", "the same, said in full" },
};
const struct command cmd_trace_latency = {
	.name = "trace latency",
	.group = "trace",
	.summary = "how long it took from one event to another",
	.operands = "[NAME | BEGIN END by KEY[,KEY]...]",
	OPTS(opts),
	.opts_size = sizeof(struct latency_opts),
	.emits = emits,
	.none = "no such pair of events",
	.help = "Pairs each BEGIN with the next END whose keys are the same, and shows how long that took: in "
		"all and for each group, distributed by powers of two, the longest ones, and those that "
		"had not ended when the trace did (ENDED is empty). BEGIN and END are names or patterns, "
		"several with commas; a KEY is a field of both, or BEGINFIELD:ENDFIELD where they differ. "
		"`--list` has the pairs that are known by name.\n\n"
		"`alloc` shows memory that was allocated and not freed while the trace ran: candidates "
		"for a leak, by caller, with the stack where one was recorded. What the trace lost, or "
		"what is freed later, looks the same.\n\n"
		"At most a million keys are followed; what is beyond is counted in a note.",
	EXAMPLES(examples),
	.run = latency_run,
};
