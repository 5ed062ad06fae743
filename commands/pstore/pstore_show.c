/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore show: what single records hold. */
#include "core/obit.h"
#include "core/linux/pstore/story.h"
#include "commands/pstore/story_record.h"
#include "commands/pstore/survivor_record.h"
#include "commands/pstore/survivor_select.h"

struct pstore_show_opts {
	struct survivor_opts layout;
};
static const struct option opts[] = {
	SURVIVOR_OPTIONS(struct pstore_show_opts, layout),
};

static bool frame_emit(const struct survivor_line *l, void *arg)
{
	struct story_line line = { .has_wall = l->has_wall,
				   .wall_ns = l->wall_ns,
				   .level = l->level,
				   .facility = l->facility,
				   .tag = l->tag,
				   .pid = l->pid,
				   .text = l->text,
				   .n = l->n,
				   .sources = STORY_PMSG };

	story_message_emit(arg, &line, false);
	return true;
}

static bool show_one(struct ctx *c, const struct survivor *s, size_t n, struct err *err)
{
	emit_survivor_shown(c, s, n);
	if (s->n_calls) {
		const struct survivor *one[] = { s };

		if (!story_calls_emit(c, one, 1, err))
			return false;
	} else if (s->pmsg.n) {
		survivor_lines(s, frame_emit, c);
	}
	note_survivor_damage(c, s, n);
	return true;
}

static bool show_run(struct ctx *c, struct err *err)
{
	const struct pstore_show_opts *o = c->opts;
	const struct survivor *const *v;
	size_t n;

	if (!survivors_select(c, &o->layout, &v, &n, err))
		return false;
	for (int i = 0; i < c->argc; i++) {
		struct err why;
		uint64_t k;

		if (!parse_number(c->argv[i], false, &k) || k == 0 || k > n) {
			err_set(&why, ERR_NOTFOUND, "no record '%s': 'pstore -a' lists %zu",
				c->argv[i], n);
			complain(c, &why);
			continue;
		}
		if (!show_one(c, v[k - 1], k, err))
			return false;
	}
	return c->argc || err_set(err, ERR_USAGE, "the numbers of records are wanted");
}

static const struct record_kind *const emits[] = { &survivor_kind, &story_message_kind,
						   &story_event_kind, NULL };
static const struct example examples[] = {
	{ "pstore show 1", "the text of the first" },
};
const struct command cmd_pstore_show = {
	.name = "pstore show",
	.group = "system",
	.summary = "the content of records, by number",
	.operands = "N...",
	OPTS(opts),
	.opts_size = sizeof(struct pstore_show_opts),
	.emits = emits,
	.none = "no record",
	.help = "Prints records by their numbers, which `pstore` lists, `pstore -a` those of empty zones too: "
		"the text of a log or of the console, the messages of user space with time and writer, or "
		"the calls of an ftrace zone. A record that is cut or damaged gives the text up to there, "
		"and a note.",
	EXAMPLES(examples),
	.run = show_run,
};
