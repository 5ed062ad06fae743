/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of an area's flags. */
#include "core/obit.h"
#include "core/linux/memory/flag_names.h"
#include "commands/memory/vm_record.h"

/* So many flags there can be: a number has no more bits. */
#define NAMES_MAX 64

enum {
	FLAGS,
	NAMES,
	REST
};
static const struct record_field fields[] = {
	[FLAGS] = { "flags", NULL, CELL_HEX, 0, "the number" },
	[NAMES] = { "names", NULL, CELL_STRS, 0,
		    "its flags, as the kernel calls them when it prints them" },
	[REST] = { "rest", NULL, CELL_HEX, 0, "bits that it has no name for; null: none" },
};
const struct record_kind vma_flags_kind = { "vma_flags",  "what a number of vm_flags says (vm -f)",
					    LAYOUT_TABLE, NULL,
					    fields,       ARRAY_SIZE(fields) };

struct flag_words {
	const char **v;
	size_t n;
};

static bool take(const char *name, void *arg)
{
	struct flag_words *names = arg;

	names->v[names->n++] = name;
	return names->n < NAMES_MAX;
}

bool emit_vma_flags(struct ctx *c, const char *word, struct err *err)
{
	struct flag_words names = { .v = ARENA_ARRAY(c->arena, const char *, NAMES_MAX) };
	struct record r;
	uint64_t flags, rest;

	if (!parse_number(word, true, &flags))
		return err_set(err, ERR_USAGE, "'%.60s' is no number of flags", word);
	if (!flag_names_each(c->t, "vmaflag_names", flags, c->arena, take, &names, &rest, err))
		return false;
	record_init(&r, &vma_flags_kind);
	record_uint(&r, FLAGS, flags);
	record_strs(&r, NAMES, names.v, names.n);
	if (rest)
		record_uint(&r, REST, rest);
	emit(c, &r);
	return true;
}
