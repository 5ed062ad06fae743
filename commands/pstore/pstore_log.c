/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore log: the messages of all records in one timeline. */
#include "core/obit.h"
#include "core/linux/pstore/story.h"
#include "core/shell/forms.h"
#include "commands/pstore/story_record.h"
#include "commands/pstore/survivor_record.h"
#include "commands/pstore/survivor_select.h"

struct pstore_log_opts {
	struct survivor_opts layout;
};
static const struct option opts[] = {
	SURVIVOR_OPTIONS(struct pstore_log_opts, layout),
};

static void story_note(const struct err *e, void *arg)
{
	note(arg, e);
}

static bool log_run(struct ctx *c, struct err *err)
{
	const struct pstore_log_opts *o = c->opts;
	const struct survivor *const *v;
	const struct story_line *lines;
	size_t n, n_lines;

	if (!survivors_select(c, &o->layout, &v, &n, err) ||
	    !story_read(c->t, c->arena, &lines, &n_lines, story_note, c, err))
		return false;
	for (size_t i = 0; i < n_lines; i++) {
		if (i && lines[i].crash != lines[i - 1].crash)
			emit_heading(c, "");
		story_message_emit(c, &lines[i], true);
	}
	for (size_t i = 0; i < n; i++)
		if (v[i]->damage && !v[i]->empty && v[i]->type != SURVIVOR_FTRACE)
			note_survivor_damage(c, v[i], i + 1);
	return true;
}

static const struct record_kind *const emits[] = { &story_message_kind, NULL };
static const struct example examples[] = {
	{ "pstore log", "all messages in one timeline" },
};
const struct command cmd_pstore_log = {
	.name = "pstore log",
	.group = "system",
	.summary = "the messages that survived, in one timeline",
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct pstore_log_opts),
	.emits = emits,
	.none = "no message",
	.help = "Makes one timeline of the messages of all records, and of a dump that is loaded too: "
		"what stands in several of them appears once, with its sources in front: dmesg, console, "
		"pmsg, dump. Messages of user space have their place by the time of day.\n\n"
		"A record that is cut or damaged gives the text up to there, and a note.",
	EXAMPLES(examples),
	.run = log_run,
};
