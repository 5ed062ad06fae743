/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree: the entries of a red-black tree, radix tree, xarray or maple tree, as crash has it. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/linux/container/walk.h"
#include "core/records/print_type.h"
#include "core/shell/stage.h"
#include "core/types/shape.h"

struct tree_opts {
	const char *kind, *root, *node, *show, *show_more;
	bool direct, hex, dec, linear, position;
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
	{ "p", NULL, OPTION_FLAG, offsetof(struct tree_opts, position),
	  "the way to each entry of an rbtree: root/l/r is right of what is left of the root" },
	{ "l", NULL, OPTION_FLAG, offsetof(struct tree_opts, linear),
	  "taken for crash's sake: from the leftmost on is how entries always come" },
	{ "N", NULL, OPTION_FLAG, offsetof(struct tree_opts, direct),
	  "start is the topmost node itself, not the root that points to it" },
	{ "x", NULL, OPTION_FLAG, offsetof(struct tree_opts, hex), "numbers in hexadecimal" },
	{ "d", NULL, OPTION_FLAG, offsetof(struct tree_opts, dec), "numbers in decimal" },
};

struct tree {
	struct stage_entries e;
	bool position;
	struct err *err;
	bool ok;
};

#define RB_DEPTH_MAX 128 /* of a tree of 2^64 nodes */

/* Up from the node by the parents' links. NULL: they cannot be followed, which the walk tells of.
 */
static const char *rb_position(struct ctx *c, uint64_t node)
{
	char way[2 * RB_DEPTH_MAX + 1], *at = way + sizeof(way) - 1;
	struct err ignored;
	uint64_t parent, left, right;

	*at = '\0';
	for (unsigned depth = 0; depth < RB_DEPTH_MAX; depth++) {
		if (!field_u64(c->t, "struct rb_node", node, "__rb_parent_color", &parent,
			       &ignored))
			return NULL;
		parent &= ~(uint64_t)3; /* the lowest bits are the colour, and spare */
		if (!parent)
			return arena_printf(c->arena, "root%s", at);
		if (!field_u64(c->t, "struct rb_node", parent, "rb_left", &left, &ignored) ||
		    !field_u64(c->t, "struct rb_node", parent, "rb_right", &right, &ignored) ||
		    (left != node && right != node))
			return NULL;
		*--at = left == node ? 'l' : 'r';
		*--at = '/';
		node = parent;
	}
	return NULL;
}

static bool show_node(uint64_t addr, void *arg)
{
	struct tree *w = arg;

	if (w->position)
		w->e.position = rb_position(w->e.c, addr + w->e.offset);
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

static bool tree_types(struct ctx *c, struct err *err)
{
	const struct tree_opts *o = c->opts;
	struct tree *w = ARENA_NEW(c->arena, struct tree);

	c->state = w;
	return stage_entries_init(&w->e, c, o->show ? o->show : o->show_more, o->node, err);
}

static bool tree_run(struct ctx *c, struct err *err)
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
	w->position = o->position;
	if (o->position && strcmp(kind->name, "rbtree") != 0)
		return err_set(err, ERR_USAGE,
			       "-p is for rbtrees; `walk` shows the others' indexes");
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
	{ "tree -p -o proc_dir_entry.subdir_node -s proc_dir_entry.name proc_root.subdir",
	  "where in the tree each is" },
};
const struct command cmd_tree = {
	.name = "tree",
	.group = "types",
	.summary = "the entries of a tree",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.operands = "start",
	.types = tree_types,
	OPTS(opts),
	.opts_size = sizeof(struct tree_opts),
	.emits = (const struct record_kind *const[]){ &link_record, &value_record, NULL },
	.none = "no entry",
	.completes = COMPLETE_SYMBOL,
	.help = "Prints the address of each entry in the tree's order. start is the address of the "
		"tree's root: of a struct rb_root, xarray, radix_tree_root, idr or maple_tree.\n\n"
		"Where a link cannot be true the walk ends with a note; what was found stays.",
	EXAMPLES(examples),
	.run = tree_run,
};
