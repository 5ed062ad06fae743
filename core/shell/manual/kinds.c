/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of the kinds of records: their fields, and which commands print them. */
#include <string.h>

#include "core/base/vec.h"
#include "core/shell/common_record.h"
#include "core/shell/manual/kinds.h"
#include "core/shell/manual/paragraph.h"

static bool emits(const struct command *cmd, const struct record_kind *kind)
{
	for (size_t i = 0; cmd->emits && cmd->emits[i]; i++)
		if (cmd->emits[i] == kind)
			return true;
	return false;
}

static void kind_fields(struct buf *b, const struct record_kind *kind)
{
	buf_printf(b, "  \"%s\": %s\n", kind->name, kind->doc ? kind->doc : "");
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct record_field *field = &kind->fields[i];
		size_t start = b->n;

		buf_printf(b, "    %-16s %-12s ", field->name, cell_kind_name(field->kind));
		manual_hang(b, field->doc ? field->doc : "", b->n - start);
	}
}

/* The commands that print it; every command may print what no row has. */
static void kind_commands(struct buf *b, const struct record_kind *kind)
{
	struct buf names = { 0 };

	for (size_t i = 0; commands[i]; i++)
		if (emits(commands[i], kind))
			buf_printf(&names, "%s%s", names.n ? ", " : "(", commands[i]->name);
	buf_str(&names, names.n ? ")" : "(any command)");
	buf_pad(b, ' ', 4);
	manual_hang(b, names.s, 5);
	buf_release(&names);
}

/* Kinds of one name, as the registers of each architecture, are one to who reads names. */
static bool is_first_of_name(const struct command *cmd, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(cmd->emits[i]->name, cmd->emits[n]->name))
			return false;
	return true;
}

void kinds_names(struct buf *b, const struct command *cmd)
{
	struct buf names = { 0 };

	for (size_t i = 0; cmd->emits && cmd->emits[i]; i++)
		if (!cmd->emits[i]->is_heading && is_first_of_name(cmd, i))
			buf_printf(&names, "%s%s", names.n ? ", " : "", cmd->emits[i]->name);
	if (names.n) {
		buf_printf(&names, "; 'help -r %s' has their fields", cmd->name);
		buf_str(b, "\nRECORDS\n  ");
		manual_hang(b, names.s, 2);
	}
	buf_release(&names);
}

void kinds_page(struct buf *b, const struct command *cmd)
{
	buf_printf(b, "NAME\n  %s - the fields of its records, as --json has them\n\nRECORDS\n",
		   cmd->name);
	for (size_t i = 0; cmd->emits && cmd->emits[i]; i++)
		if (!cmd->emits[i]->is_heading)
			kind_fields(b, cmd->emits[i]);
}

/* A kind, and which one it was: those of one name stay in the order of the commands. */
struct kind_place {
	const struct record_kind *kind;
	size_t at;
};
typedef VEC(struct kind_place) kind_places;

static int by_name(const void *x, const void *y)
{
	const struct kind_place *a = x, *b = y;
	int order = strcmp(a->kind->name, b->kind->name);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static void kinds_add(kind_places *all, const struct record_kind *const *kinds)
{
	for (; kinds && *kinds; kinds++) {
		bool seen = (*kinds)->is_heading;

		for (size_t i = 0; i < all->n && !seen; i++)
			seen = all->p[i].kind == *kinds;
		if (!seen)
			*vec_push(all) = (struct kind_place){ *kinds, all->n };
	}
}

void kinds_all(struct buf *b)
{
	kind_places all = { 0 };

	kinds_add(&all, common_kinds);
	for (size_t i = 0; commands[i]; i++)
		kinds_add(&all, commands[i]->emits);
	qsort(all.p, all.n, sizeof(*all.p), by_name);
	buf_printf(b, "NAME\n  records - all that --json prints, version %d\n\nRECORDS\n",
		   SCHEMA_VERSION);
	for (size_t i = 0; i < all.n; i++) {
		kind_fields(b, all.p[i].kind);
		kind_commands(b, all.p[i].kind);
	}
	vec_release(&all);
}
