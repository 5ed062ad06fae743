/* SPDX-License-Identifier: GPL-3.0-or-later */
/* h: the lines typed before. */
#include "core/obit.h"

enum {
	H_N,
	H_LINE,
	H_FIELDS
};
static const struct record_field h_fields[H_FIELDS] = {
	[H_N] = { "n", NULL, CELL_UINT, FIELD_RIGHT, "number, from the oldest" },
	[H_LINE] = { "line", NULL, CELL_STR, 0, "as it was typed" },
};
static const struct record_kind h_kind = { "history",   "a line typed before",
					   LAYOUT_LINE, "[{n}] {line}",
					   h_fields,    H_FIELDS };
static const struct record_kind *const h_emits[] = { &h_kind, NULL };

static bool h_run(struct ctx *c, struct err *err)
{
	const char *line;

	(void)err;
	for (size_t i = 0; c->s->history && c->s->history(i, &line); i++) {
		struct record r;

		record_init(&r, &h_kind);
		record_uint(&r, H_N, i + 1);
		record_str(&r, H_LINE, line);
		emit(c, &r);
	}
	return true;
}

static const char *const h_aliases[] = { "history", NULL };
static const struct example h_examples[] = {
	{ "h", "all lines; 'h | grep bt' finds some of them" },
};

const struct command cmd_h = {
	.name = "h",
	.aliases = h_aliases,
	.group = "session",
	.summary = "list the lines typed before",
	.emits = h_emits,
	.none = "no line was typed before",
	.help = "Lists the lines typed at the prompt, those of earlier sessions too: they are kept in "
		"$XDG_STATE_HOME/obit/history. The arrow keys and Ctrl-R bring them back; \"!!\" and "
		"\"r\" run the last one again, \"!12\" and \"r 12\" that number, \"r bt\" the last that begins "
		"so. A line that starts with a blank is not kept.",
	EXAMPLES(h_examples),
	.run = h_run,
};
