/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk: what the kernel's containers hold, as values for a pipeline. */
#include <string.h>

#include "core/obit.h"

enum {
	FIRST,
	LAST,
	ENTRY,
	TEXT
};
static const struct record_field fields[] = {
	[FIRST] = { "index", NULL, CELL_UINT, FIELD_RIGHT, "its index, or a range's first" },
	[LAST] = { "last", NULL, CELL_UINT, FIELD_JSON, "the range's last; else the same" },
	[ENTRY] = { "entry", NULL, CELL_HEX, 0, "pointer or number that is there" },
	[TEXT] = { "symbol", NULL, CELL_STR, 0, "what the pointer points to, when it has a name" },
};
static const struct record_kind entry_kind = { "entry",      "one entry of an index",
					       LAYOUT_TABLE, NULL,
					       fields,       4 };

typedef bool node_walk(struct target *t, uint64_t head, uint64_t off, const char *what,
		       bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err);
typedef bool entry_walk(struct target *t, uint64_t head, const char *what, walk_entry_fn *fn,
			void *arg, struct err *err);
static const struct {
	const char *name, *what;
	node_walk *nodes;
	entry_walk *entries;
	const char *type, *head; /* the list_head within the head; NULL: it is the head */
} kinds[] = {
	{ "list", "list", list_each, NULL, NULL, NULL },
	{ "hlist", "hlist", hlist_each, NULL, NULL, NULL },
	{ "llist", "llist", llist_each, NULL, NULL, NULL },
	{ "plist", "plist", list_each, NULL, "struct plist_head", "node_list" },
	{ "klist", "klist", list_each, NULL, "struct klist", "k_list" },
	{ "rbtree", "red-black tree", rbtree_each, NULL, NULL, NULL },
	{ "xarray", "xarray", NULL, xarray_each, NULL, NULL },
	{ "radix", "radix tree", NULL, xarray_each, NULL, NULL },
	{ "idr", "IDR", NULL, xarray_each, "struct idr", "idr_rt" },
	{ "maple", "maple tree", NULL, maple_each, NULL, NULL },
};

struct walk {
	struct ctx *c;
	size_t kind;
	const struct type *type; /* NULL: none was given */
	uint64_t member, head;
	struct err *err;
	bool ok;
};

static bool show_node(uint64_t addr, void *arg)
{
	struct walk *w = arg;

	w->ok = stage_show(w->c, value_ref(w->type, addr), w->err);
	return w->ok;
}

static bool show_entry(const struct walk_entry *e, void *arg)
{
	static const struct type void_type = { .kind = TYPE_VOID, .filled = true };
	struct walk *w = arg;
	bool is_number = e->entry & 1;
	struct target *t = w->c->t;
	struct record r;

	if (w->type && !is_number)
		return show_node(e->entry, arg);
	if (piped(w->c)) {
		w->ok = yield(w->c,
			      value_int(t, type_pointer_to(t, w->type ? w->type : &void_type),
					is_number ? e->entry >> 1 : e->entry),
			      w->err);
		return w->ok;
	}
	record_init(&r, &entry_kind);
	record_uint(&r, FIRST, e->first);
	record_uint(&r, LAST, e->last);
	record_uint(&r, ENTRY, is_number ? e->entry >> 1 : e->entry);
	if (!is_number)
		record_str(&r, TEXT, symbol_text(t, e->entry, w->c->arena));
	emit(w->c, &r);
	return true;
}

static bool types(struct ctx *c, struct err *err)
{
	struct walk *w = ARENA_NEW(c->arena, struct walk);
	bool typed = c->argc > 2;

	c->state = w;
	w->c = c;
	if (c->argc < 2)
		return err_set(err, ERR_USAGE, "a kind of container and its address are wanted");
	while (w->kind < ARRAY_SIZE(kinds) && strcmp(kinds[w->kind].name, c->argv[0]))
		w->kind++;
	if (w->kind == ARRAY_SIZE(kinds))
		return err_set(err, ERR_USAGE, "'%.60s' is no kind of container that is known",
			       c->argv[0]);
	if (!typed && kinds[w->kind].nodes)
		return err_set(err, ERR_USAGE,
			       "which member links them is wanted, as in 'module.list'");
	if (typed && !stage_link(c, c->argv[1], &w->type, &w->member, err))
		return false;
	c->out_type = w->type;
	return !mem_loaded(c->t) || stage_place(c, c->argv[typed ? 2 : 1], &w->head, err);
}

static bool run(struct ctx *c, struct err *err)
{
	struct walk *w = c->state;
	const char *what = kinds[w->kind].what, *head = kinds[w->kind].head;
	uint64_t off = 0, node = w->member;
	struct err why = { 0 };
	bool ok;

	w->err = err;
	w->ok = true;
	if (!strcmp(kinds[w->kind].name, "klist") &&
	    field_offset(c->t, "struct klist_node", "n_node", &off, &why))
		node += off;
	if (!strcmp(kinds[w->kind].name, "plist") &&
	    field_offset(c->t, "struct plist_node", "node_list", &off, &why))
		node += off;
	if (head && !field_offset(c->t, kinds[w->kind].type, head, &off, err))
		return false;
	ok = kinds[w->kind].nodes
		     ? kinds[w->kind].nodes(c->t, w->head + off, node, what, show_node, w, &why)
		     : kinds[w->kind].entries(c->t, w->head + off, what, show_entry, w, &why);
	if (!w->ok)
		return false;
	if (!ok && err_is_damage(why.code)) {
		note(c, &why); /* what was found stays found */
		return true;
	}
	if (!ok)
		*err = why;
	return ok;
}

static const struct example examples[] = {
	{ "walk list module.list modules", "the modules" },
	{ "walk list task_struct.tasks init_task.tasks | where mm | count", "user processes" },
	{ "walk radix init_pid_ns.idr.idr_rt", "entries of a radix tree" },
	{ "walk radix init_pid_ns.idr.idr_rt | first 3", "the first three as values" },
	{ "walk idr pid init_pid_ns.idr | pick level, count.refs.counter | first 3",
	  "struct pid of all that have one" },
};
const struct command cmd_walk = {
	.name = "walk",
	.group = "types",
	.summary = "what a container of the kernel's holds",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.operands = "kind [type[.member]] head",
	.types = types,
	.emits = (const struct record_kind *const[]){ &entry_kind, &item_record, NULL },
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "The kinds are list, hlist, llist, plist, klist and rbtree, for which type.member "
		"says what is linked and by which member; and xarray, radix, idr and maple, whose "
		"entries point to the type, if one is given. head is the address of the container "
		"itself: a symbol, a number, or an expression.\n\n"
		"Links that cannot be true end the walk with a note of where and why: poison, "
		"NULL, misaligned pointers, cycles, nodes that name another parent. What was found "
		"before stays, and the exit status is 4.",
	EXAMPLES(examples),
	.run = run,
};
