/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore ftrace: the calls that the function tracer left. */
#include "core/obit.h"
#include "commands/pstore/story_record.h"
#include "commands/pstore/survivor_select.h"

struct ftrace_opts {
	struct survivor_opts layout;
};
static const struct option opts[] = {
	SURVIVOR_OPTIONS(struct ftrace_opts, layout),
};

static bool ftrace_run(struct ctx *c, struct err *err)
{
	const struct ftrace_opts *o = c->opts;
	const struct survivor *const *v;
	const struct survivor **zones;
	size_t n, found = 0;

	if (!survivors_select(c, &o->layout, &v, &n, err))
		return false;
	zones = ARENA_ARRAY(c->arena, const struct survivor *, n);
	for (size_t i = 0; i < n; i++)
		if (v[i]->n_calls)
			zones[found++] = v[i];
	if (!found)
		return err_set(err, ERR_NOTFOUND, "no record holds calls of the function tracer");
	return story_calls_emit(c, zones, found, err);
}

static const struct record_kind *const emits[] = { &story_event_kind, NULL };
static const struct example examples[] = {
	{ "pstore ftrace", "the calls that the function tracer left" },
};
const struct command cmd_pstore_ftrace = {
	.name = "pstore ftrace",
	.group = "system",
	.summary = "the last calls of functions, CPUs merged",
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct ftrace_opts),
	.emits = emits,
	.none = "no call",
	.help = "Prints the calls that the kernel's function tracer left in the ftrace zones, those of all "
		"CPUs in the order in which they were made: address of the function and of its caller, and "
		"their names where the vmlinux is loaded and a log tells how far the kernel had been moved "
		"(its Kernel Offset).",
	EXAMPLES(examples),
	.run = ftrace_run,
};
