/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slabs: the objects of a slab cache, as values for a pipeline. */
#include <stdio.h>

#include "core/obit.h"
#include "core/linux/memory/slab.h"
#include "core/records/slab_record.h"
#include "core/shell/stage.h"

struct slabs_opts {
	bool free, all;
};
static const struct option opts[] = {
	{ "f", NULL, OPTION_FLAG, offsetof(struct slabs_opts, free), "free objects" },
	{ "a", NULL, OPTION_FLAG, offsetof(struct slabs_opts, all), "free and allocated objects" },
};

/* The second word says the type; without it the cache's name may be that of a struct. */
static bool slabs_types(struct ctx *c, struct err *err)
{
	struct err ignored;
	char name[80];
	const char *word;

	if (c->argc < 1 || c->argc > 2)
		return err_set(err, ERR_USAGE, "a slab cache is wanted, and maybe a type");
	word = c->argv[c->argc - 1];
	if (c->argc == 2)
		return type_find(c->t, word, &c->out_type, err);
	snprintf(name, sizeof(name), "struct %.60s", word);
	if (!type_find(c->t, name, &c->out_type, &ignored))
		c->out_type = NULL;
	return true;
}

static bool slabs_run(struct ctx *c, struct err *err)
{
	const struct slabs_opts *o = c->opts;
	const struct slab_cache *cache;
	enum slab_choice choice = o->all ? SLABS_ALL : o->free ? SLABS_FREE : SLABS_ALLOCATED;
	bool typed = piped(c) || c->argc == 2;

	if (!slab_cache_find(c->t, c->argv[0], &cache, err))
		return false;
	if (piped(c) && !c->out_type)
		return err_set(err, ERR_USAGE,
			       "no type is called '%.60s': say which its objects are, as in 'slabs "
			       "%.60s \"struct foo\"'",
			       cache->name, cache->name);
	return slab_objects(c, cache, choice, typed ? c->out_type : NULL, err);
}

static const struct record_kind *const emits[] = { &slab_object_kind, &item_record, NULL };
static const struct example examples[] = {
	{ "slabs task_struct", "where the tasks' structs are" },
	{ "slabs task_struct | where pid > 1 | pick pid, comm | first 3", "as values" },
	{ "slabs -f signal_cache | head -3", "objects that were freed" },
};
const struct command cmd_slabs = {
	.name = "slabs",
	.group = "memory",
	.summary = "objects of a slab cache",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.operands = "cache [type]",
	.types = slabs_types,
	OPTS(opts),
	.opts_size = sizeof(struct slabs_opts),
	.emits = emits,
	.none = "no such object",
	.completes = COMPLETE_TYPE,
	.help = "Finds every slab of a cache, full ones too, and prints its allocated objects; in a "
		"pipeline, or with a type, they are values of that type: by itself that of the "
		"struct of the cache's name. A freed object keeps most of its bytes: -f shows them.",
	EXAMPLES(examples),
	.run = slabs_run,
};
