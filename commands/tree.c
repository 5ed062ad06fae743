/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree: the entries of a red-black tree, radix tree, xarray or maple tree, as crash has it. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"

struct tree_opts {
	const char *kind, *root, *node, *show, *show_more;
	bool direct, hex, dec;
};
static const struct option opts[] = {
	{ "t", "type", OPTION_STR, offsetof(struct tree_opts, kind),
	  "rbtree (as it is without this), radix, xarray or maple; the first letters will do" },
	{ "r", "offset", OPTION_STR, offsetof(struct tree_opts, root),
	  "start is a struct, and the root is at this offset or struct.member" },
	{ "o", "offset", OPTION_STR, offsetof(struct tree_opts, node),
	  "where the rb_node is in its struct: an offset, or struct.member" },
	{ "s", "struct[.member[,member]]", OPTION_STR, offsetof(struct tree_opts, show),
	  "show each entry as this struct, or these members" },
	{ "S", "struct[.member[,member]]", OPTION_STR, offsetof(struct tree_opts, show_more),
	  "the same" },
	{ "N", NULL, OPTION_FLAG, offsetof(struct tree_opts, direct),
	  "start is the topmost node itself, not the root that points to it" },
	{ "x", NULL, OPTION_FLAG, offsetof(struct tree_opts, hex), "numbers in hexadecimal" },
	{ "d", NULL, OPTION_FLAG, offsetof(struct tree_opts, dec), "numbers in decimal" },
};

struct tree {
	struct stage_entries e;
	struct err *err;
	bool ok;
};

static bool show_node(uint64_t addr, void *arg)
{
	struct tree *w = arg;

	w->ok = stage_entry(&w->e, addr, w->err);
	return w->ok;
}

static bool show_entry(const struct walk_entry *e, void *arg)
{
	return show_node(e->entry & 1 ? e->entry >> 1 : e->entry, arg);
}

static void show_flaw(const struct err *e, void *arg)
{
	const struct tree *w = arg;

	note(w->e.c, e);
}

/* The first letters of a kind will do; NULL: of none. */
static const struct walker *kind_of(const char *word)
{
	static const char *const kinds[] = { "rbtree", "xarray", "radix", "maple" };

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (*word && !strncmp(kinds[i], word, strlen(word)))
			return walker_find(kinds[i]);
	return NULL;
}

static bool types(struct ctx *c, struct err *err)
{
	const struct tree_opts *o = c->opts;
	struct tree *w = ARENA_NEW(c->arena, struct tree);

	c->state = w;
	return stage_entries_init(&w->e, c, o->show ? o->show : o->show_more, o->node, err);
}

static bool run(struct ctx *c, struct err *err)
{
	const struct tree_opts *o = c->opts;
	struct tree *w = c->state;
	const struct walker *kind = kind_of(o->kind ? o->kind : "rbtree");
	struct walk_plan plan = { .what = "tree",
				  .link = w->e.offset,
				  .direct = o->direct,
				  .node = show_node,
				  .entry = show_entry,
				  .flaw = show_flaw,
				  .arg = w };
	uint64_t off = 0;
	struct err why = { 0 };
	bool ok;

	if (!kind)
		return err_set(err, ERR_USAGE, "'%.60s' is no kind of tree", o->kind);
	if (c->argc != 1)
		return err_set(err, ERR_USAGE, "one address is wanted");
	if (!stage_place(c, c->argv[0], &plan.head, err) ||
	    (o->root && !stage_offset(c, o->root, &off, err)))
		return false;
	plan.head += off;
	stage_entries_begin(&w->e, o->hex, o->dec);
	w->err = err;
	w->ok = true;
	ok = kind->walk(c->t, &plan, &why);
	return stage_entries_end(&w->e, w->ok, ok, &why, err);
}

static const struct example examples[] = {
	{ "tree -t radix init_pid_ns.idr | count", "how many numbers of processes are taken" },
	{ "tree -t radix -s pid.level init_pid_ns.idr", "a member of each entry" },
};
const struct command cmd_tree = {
	.name = "tree",
	.group = "types",
	.summary = "the entries of a tree",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.operands = "start",
	.types = types,
	OPTS(opts),
	.opts_size = sizeof(struct tree_opts),
	.emits = (const struct record_kind *const[]){ &link_record, &value_record, NULL },
	.completes = COMPLETE_SYMBOL,
	.help = "Prints the address of each entry in the tree's order. start is the address of the "
		"tree's root: of a struct rb_root, xarray, radix_tree_root, idr or maple_tree.\n\n"
		"Where a link cannot be true the walk ends with a note; what was found stays.",
	EXAMPLES(examples),
	.run = run,
};
