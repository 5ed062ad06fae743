/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual pages of commands, made of their rows. */
#include <string.h>

#include "core/base/vec.h"
#include "core/shell/manual/foreign.h"
#include "core/shell/manual/kinds.h"
#include "core/shell/manual/paragraph.h"
#include "core/shell/option.h"

static void page_options(struct buf *b, const struct command *cmd)
{
	size_t width = 0;

	for (size_t i = 0; i < cmd->n_opts; i++) {
		struct buf o = { 0 };

		option_add(&o, &cmd->opts[i]);
		if (o.n > width)
			width = o.n;
		buf_release(&o);
	}
	buf_str(b, "\nOPTIONS\n");
	for (size_t i = 0; i < cmd->n_opts; i++) {
		size_t start;

		buf_pad(b, ' ', 2);
		start = b->n;
		option_add(b, &cmd->opts[i]);
		buf_pad(b, ' ', width + 2 - (b->n - start));
		manual_hang(b, cmd->opts[i].help ? cmd->opts[i].help : "", width + 4);
	}
}

/* The commands of its family, each of which has a page of its own. */
static void page_verbs(struct buf *b, const struct command *cmd)
{
	const struct command *sub;
	size_t width = 0;

	for (size_t i = 0; (sub = command_next_sub(cmd->name, &i));)
		width = strlen(sub->name) > width ? strlen(sub->name) : width;
	if (width)
		buf_str(b, "\nVERBS\n");
	for (size_t i = 0; (sub = command_next_sub(cmd->name, &i));) {
		buf_printf(b, "  %-*s  ", (int)width, sub->name);
		manual_hang(b, sub->summary, width + 4);
	}
}

static void page_examples(struct buf *b, const struct command *cmd)
{
	if (cmd->n_examples)
		buf_str(b, "\nEXAMPLES\n");
	for (size_t i = 0; i < cmd->n_examples; i++) {
		buf_printf(b, "  %s\n", cmd->examples[i].line);
		manual_wrap(b, cmd->examples[i].text, 6);
	}
}

void command_page(struct buf *b, const struct command *cmd)
{
	buf_printf(b, "NAME\n  %s - %s\n\nSYNOPSIS\n  ", cmd->name, cmd->summary);
	usage_add(b, cmd);
	buf_char(b, '\n');
	if (cmd->aliases && cmd->aliases[0]) {
		buf_str(b, "\nOTHER NAMES\n ");
		for (size_t i = 0; cmd->aliases[i]; i++)
			buf_printf(b, " %s", cmd->aliases[i]);
		buf_char(b, '\n');
	}
	if (cmd->help && *cmd->help) {
		buf_str(b, "\nDESCRIPTION\n");
		manual_wrap(b, cmd->help, 2);
	}
	page_examples(b, cmd);
	if (foreign_difference(cmd)) {
		buf_str(b, "\nIN CRASH\n");
		manual_wrap(b, foreign_difference(cmd), 2);
	}
	page_verbs(b, cmd);
	if (cmd->n_opts)
		page_options(b, cmd);
	if (cmd->in || cmd->out) {
		buf_str(b, "\nPIPELINE\n");
		if (cmd->in)
			buf_printf(b, "  takes %s\n", cmd->in);
		if (cmd->out)
			buf_printf(b, "  yields %s\n", cmd->out);
	}
	kinds_names(b, cmd);
}

static bool group_seen(const char *group, size_t before)
{
	for (size_t i = 0; i < before; i++)
		if (!strcmp(commands[i]->group, group))
			return true;
	return false;
}

size_t command_name_width(void)
{
	size_t width = 0;

	for (size_t i = 0; commands[i]; i++)
		width = strlen(commands[i]->name) > width ? strlen(commands[i]->name) : width;
	return width;
}

static void list_command(struct buf *b, const struct command *cmd)
{
	buf_printf(b, "  %-*s %s\n", (int)command_name_width(), cmd->name, cmd->summary);
}

static void list_group(struct buf *b, const char *group)
{
	bool any = false;

	for (size_t i = 0; commands[i]; i++) {
		if (strcmp(commands[i]->group, group))
			continue;
		if (!any)
			buf_printf(b, "\n%s\n", group);
		any = true;
		list_command(b, commands[i]);
	}
}

void command_list(struct buf *b)
{
	/* what somebody who never saw a dead machine types first, in that order */
	static const char *const begin[] = { "triage", "sys", "log", "bt", "ps", "oops" };
	static const char *const groups[] = {
		"system", "tasks", "memory",    "files",   "symbols",
		"types",  "trace", "pipelines", "numbers", "session"
	};
	size_t known = 0;

	buf_str(b, "to begin with\n");
	for (size_t i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
		if (command_find(begin[i]))
			list_command(b, command_find(begin[i]));
	for (; known < sizeof(groups) / sizeof(groups[0]); known++)
		list_group(b, groups[known]);
	/* a group that nobody put in its place */
	for (size_t g = 0; commands[g]; g++) {
		bool placed = group_seen(commands[g]->group, g);

		for (size_t i = 0; i < known; i++)
			placed |= !strcmp(groups[i], commands[g]->group);
		if (!placed)
			list_group(b, commands[g]->group);
	}
}
