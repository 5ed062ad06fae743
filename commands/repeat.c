/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeat: a command several times. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "core/obit.h"
#include "core/base/guard.h"
#include "core/shell/stage.h"

#define TIMES_DEFAULT 10u
#define TIMES_MAX 1000u
#define SECONDS_MAX 3600u

struct repeat_opts {
	uint64_t times;
};
static const struct option opts[] = {
	OPT_UINT("n", "times", struct repeat_opts, times, "so often; 10 if it is not given"),
};

/* Ctrl-C ends it at once. */
static bool wait_seconds(uint64_t seconds, struct err *err)
{
	struct timespec left = { .tv_sec = (time_t)seconds };

	while (interrupt_check(err)) {
		if (!nanosleep(&left, &left))
			return true;
		if (errno != EINTR)
			return err_set_errno(err, "cannot wait");
	}
	return false;
}

/* "-2" in front of the command; sets *line to what follows it. */
static bool seconds_take(struct ctx *c, uint64_t *seconds, const char **line, struct err *err)
{
	const char *word = c->argv[0];

	*seconds = 0;
	*line = c->rest;
	if (*word != '-')
		return true;
	if (!parse_number(word + 1, false, seconds) || *seconds > SECONDS_MAX)
		return err_set(err, ERR_USAGE, "'%.40s' is not -0 to -%u, seconds to wait", word,
			       SECONDS_MAX);
	*line = c->rest + strlen(word);
	return c->argc > 1 || err_set(err, ERR_USAGE, "a command is wanted");
}

static bool repeat_run(struct ctx *c, struct err *err)
{
	const struct repeat_opts *o = c->opts;
	uint64_t times = o->times ? o->times : TIMES_DEFAULT, seconds;
	const char *line;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "a command is wanted");
	if (c->s->nested)
		return err_set(err, ERR_USAGE, "no other command can run it");
	if (times > TIMES_MAX)
		return err_set(err, ERR_USAGE, "-n is 1 to %u", TIMES_MAX);
	if (!seconds_take(c, &seconds, &line, err))
		return false;
	for (uint64_t i = 0; i < times; i++) {
		if (i && seconds && !wait_seconds(seconds, err))
			return false;
		if (!interrupt_check(err))
			return false;
		if (!stage_run(c, line))
			return err_set(err, ERR_INTR, "interrupted");
	}
	return true;
}

static const struct example examples[] = {
	{ "repeat -n 2 p jiffies", "twice" },
	{ "repeat -n 2 -0 set", "and with crash's seconds in front of the command" },
};
const struct command cmd_repeat = {
	.name = "repeat",
	.group = "session",
	.summary = "a command several times",
	.operands = "[-seconds] command [argument]...",
	.carries = true,
	OPTS(opts),
	.opts_size = sizeof(struct repeat_opts),
	.completes = COMPLETE_COMMAND,
	.help = "Runs a command again and again, -n times, and waits so many seconds in between. Ctrl-C ends it.\n\n"
		"It is here because crash has it, where it is of use on a live system, and goes on for ever. A dump does not "
		"change: each answer is the same, and what takes long is quicker the second time.",
	EXAMPLES(examples),
	.run = repeat_run,
};
