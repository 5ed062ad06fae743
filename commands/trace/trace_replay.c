/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace replay: the recording played again, with what each CPU was doing. */
#include <stdlib.h>
#include <string.h>

#include "core/obit.h"
#include "core/trace/replay.h"
#include "commands/trace/keys.h"
#include "commands/trace/player.h"
#include "commands/trace/trace_select.h"

struct replay_opts {
	struct trace_opts which;
	const char *speed;
	bool lanes;
};
static const struct option opts[] = {
	TRACE_OPTIONS(struct replay_opts, which),
	{ "speed", "times", OPTION_STR, offsetof(struct replay_opts, speed),
	  "as fast as it was: 1; ten times slower: 0.1; max: without waiting" },
	{ "lanes", NULL, OPTION_FLAG, offsetof(struct replay_opts, lanes),
	  "what each CPU was doing, after every event; without keys it is shown at the end" },
};

static bool speed_of(const char *text, double *ret, struct err *err)
{
	char *end;

	*ret = 0;
	if (!text || !strcmp(text, "max"))
		return true;
	*ret = strtod(text, &end);
	if (*end == 'x')
		end++;
	return (end != text && !*end && *ret > 0 && *ret < 1e9) ||
	       err_set(err, ERR_USAGE, "'%.40s' is no speed as 0.1, 2, max", text);
}

static bool replay_run(struct ctx *c, struct err *err)
{
	const struct replay_opts *o = c->opts;
	struct trace_choice choice;
	struct player p = { .c = c, .choice = &choice, .lanes = o->lanes };
	struct keys keys;
	bool ok;

	if (!speed_of(o->speed, &p.speed, err) || !trace_choose(c, &o->which, &choice, err))
		return false;
	if (!replay_open(c->t, &choice.sel, c->arena, &p.replay, err)) {
		trace_choice_release(&choice);
		return false;
	}
	trace_note_others(c, replay_timeline(p.replay));
	if (!o->speed)
		p.speed = 1;
	if (c->s->interactive && (!o->speed || p.speed > 0) && keys_open(&keys, c->s)) {
		ok = player_steer(&p, &keys, err);
		keys_close(&keys);
	} else {
		ok = player_run(&p, err);
	}
	player_release(&p);
	replay_close(p.replay);
	trace_choice_release(&choice);
	return ok;
}

static const struct record_kind *const emits[] = { &trace_event_kind, &trace_lane_kind, NULL };
static const struct example examples[] = {
	{ "trace replay --since -20ms --until panic --speed max",
	  "the last 20 ms, and what each CPU was doing then" },
	{ "trace replay -e 'sched_*' --since -5ms --lanes",
	  "with every scheduling event, who runs and who waits" },
};
const struct command cmd_trace_replay = {
	.name = "trace replay",
	.group = "trace",
	.summary = "play the recording again, event by event, forward and back",
	OPTS(opts),
	.opts_size = sizeof(struct replay_opts),
	.emits = emits,
	.none = "no such event",
	.help = "At the prompt it is a screen: a line that says where the replay is, a lane for each CPU, and the "
		"last events, of which the lowest, shown whole, is the one that was played last. Keys steer it, and ? lists "
		"them: space plays and pauses, s or right goes one event on, b or left one back; t and c go to "
		"the next event of this task or CPU, T and C back; / searches for a regular expression, n "
		"and N again and back, and Ctrl-C stops that; f sets a filter as -F has it, at which playing stops; m marks an event, "
		"and the time between marks is shown; g goes to a time or an event's number; p prints what a "
		"pointer in the event points to; q leaves.\n\n"
		"A lane has the CPU's task, the flags of its last event, the interrupt "
		"whose handler it is in, the functions that are open (where function_graph was on), and the "
		"tasks known to wait for it (from sched_wakeup, sched_migrate_task and sched_switch). It is "
		"what the events since the start tell; what none spoke of is not shown.\n\n"
		"p prints the structure as it is in the dump, not as it was at the event. Its type is the "
		"field's own, or the one that is named behind it.\n\n"
		"In a pipe, in a batch or with --speed max it prints all events and, at the end, the lanes.",
	EXAMPLES(examples),
	.run = replay_run,
};
