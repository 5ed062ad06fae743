/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk: what the kernel's containers hold, as values for a pipeline. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/container/walk.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/types/value.h"
#include "core/linux/task/expr_hooks.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

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

static const struct record_field element_fields[] = {
	{ "index", NULL, CELL_UINT, 0, "which element; of a per-CPU variable, the CPU" },
	{ "value", NULL, CELL_VALUE, 0, "its value" },
};
static const struct record_kind element_kind = { "element",      "one element of an array",
						 LAYOUT_LINE,    "[{index}] = {value}",
						 element_fields, 2 };

#define FLAWS_MAX 20

static const struct type void_type = { .kind = TYPE_VOID, .filled = true };
static const struct type number_type = {
	.kind = TYPE_INT, .name = "unsigned long", .size = 8, .filled = true
};

struct walking {
	struct ctx *c;
	const struct walker *walker;
	unsigned flaws;
	const struct type *type; /* NULL: none was given */
	struct walk_plan walk;
	struct err *err;
	bool ok;
};

static bool show_node(uint64_t addr, void *arg)
{
	struct walking *w = arg;

	w->ok = stage_show(w->c,
			   w->type ? value_ref(w->type, addr)
				   : value_int(w->c->t, type_pointer_to(w->c->t, &void_type), addr),
			   w->err);
	return w->ok;
}

static bool show_entry(const struct walk_entry *e, void *arg)
{
	struct walking *w = arg;
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

static bool show_number(uint64_t n, void *arg)
{
	struct walking *w = arg;

	w->ok = stage_show(w->c, value_int(w->c->t, &number_type, n), w->err);
	return w->ok;
}

static bool show_element(uint64_t index, uint64_t addr, void *arg)
{
	struct walking *w = arg;
	struct record r;

	if (piped(w->c)) {
		w->ok = yield(w->c, value_ref(w->type, addr), w->err);
		return w->ok;
	}
	record_init(&r, &element_kind);
	record_uint(&r, 0, index);
	record_value(&r, 1, value_ref(w->type, addr));
	emit(w->c, &r);
	return true;
}

static void show_flaw(const struct err *e, void *arg)
{
	struct walking *w = arg;

	/* what is no container at all has no end of them */
	if (w->flaws++ < FLAWS_MAX)
		note(w->c, e);
}

/* ---- operands */

static bool link_of(struct walking *w, const char *word, struct err *err)
{
	if (w->walker->gives == WALK_NODES && parse_number(word, false, &w->walk.link))
		return true;
	return stage_link(w->c, word, &w->type, &w->walk.link, err);
}

/* A per-CPU variable by name, or an expression whose value is a per-CPU pointer. */
static bool percpu_head(struct walking *w, const char *word, struct err *err)
{
	struct target *t = w->c->t;
	struct symbol sym;
	struct value v;

	if (symbol_find(t, word, &sym, err) && percpu_is(t, &sym)) {
		w->walk.head = sym.addr;
		return w->type || type_of_symbol(t, &sym, &w->type, err);
	}
	if (w->type && parse_number(word, false, &w->walk.head))
		return true;
	if (!expr_eval(t, word, &expr_percpu, &v, err))
		return false;
	if (type_strip(v.type)->kind != TYPE_POINTER)
		return err_set(err, ERR_USAGE,
			       "'%.100s' is neither a per-CPU variable nor a "
			       "pointer to one",
			       word);
	if (!w->type)
		w->type = type_target(type_strip(v.type));
	return value_u64(t, v, &w->walk.head, err);
}

/* The place, and what the word's own type says of count and elements. */
static bool head_of(struct walking *w, const char *word, struct err *err)
{
	const struct type *in;
	struct err why;
	struct value v;

	if (w->walker->percpu)
		return percpu_head(w, word, err);
	if ((w->walker->counted || w->walker->gives == WALK_ELEMENTS) &&
	    expr_eval(w->c->t, word, &expr_percpu, &v, &why)) {
		in = type_strip(v.type);
		if (in->kind == TYPE_ARRAY || in->kind == TYPE_POINTER) {
			w->walk.count = in->kind == TYPE_ARRAY ? in->count : 0;
			if (w->walker->gives == WALK_NUMBERS)
				w->walk.count *= type_target(in)->size * 8;
			else if (w->walker->gives == WALK_ELEMENTS && !w->type)
				w->type = type_target(in);
			if (in->kind == TYPE_POINTER)
				return value_u64(w->c->t, v, &w->walk.head, err);
		}
	}
	return stage_place(w->c, word, &w->walk.head, err);
}

static bool count_of(struct walking *w, const char *word, struct err *err)
{
	struct value v;

	if (word)
		return parse_number(word, false, &w->walk.count) ||
		       (expr_eval(w->c->t, word, &expr_percpu, &v, err) &&
			value_u64(w->c->t, v, &w->walk.count, err));
	return w->walk.count ||
	       err_set(err, ERR_USAGE, "how many %s it has is wanted", w->walker->counted);
}

/* kind [type or link] head [count] */
static bool operands(struct walking *w, int argc, const char *const *argv, struct err *err)
{
	const struct walker *k = w->walker;
	int most = k->counted ? 2 : 1;
	bool typed = k->gives == WALK_NODES || (k->gives != WALK_NUMBERS && argc > most);

	if (argc - typed >= 1 && typed && !link_of(w, argv[0], err))
		return false;
	if (argc - typed < 1 || argc - typed > most)
		return err_set(err, ERR_USAGE, "%s%s%s%s wanted",
			       k->gives == WALK_NODES
				       ? "which member links them, as in 'module.list', and "
				       : "",
			       "its address", k->counted ? ", and the number of its " : "",
			       k->counted ? k->counted
			       : typed    ? " are"
					  : " is");
	if (!mem_loaded(w->c->t))
		return true;
	if (!head_of(w, argv[typed], err) ||
	    (k->counted && !count_of(w, argc - typed > 1 ? argv[typed + 1] : NULL, err)))
		return false;
	if (k->gives != WALK_ELEMENTS)
		return true;
	w->walk.size = w->type ? w->type->size : 0;
	return w->walk.size || err_set(err, ERR_USAGE, "the type of its elements is wanted");
}

static bool walk_types(struct ctx *c, struct err *err)
{
	struct walking *w = ARENA_NEW(c->arena, struct walking);

	c->state = w;
	w->c = c;
	if (c->argc < 1)
		return err_set(err, ERR_USAGE, "a kind of container and its address are wanted");
	w->walker = walker_find(c->argv[0]);
	if (!w->walker)
		return err_set(err, ERR_USAGE, "'%.60s' is no kind of container that is known",
			       c->argv[0]);
	if (!operands(w, c->argc - 1, c->argv + 1, err))
		return false;
	c->out_type = w->walker->gives == WALK_NUMBERS ? &number_type : w->type;
	return true;
}

static bool run(struct ctx *c, struct err *err)
{
	struct walking *w = c->state;
	struct err why = { 0 };
	bool ok;

	w->err = err;
	w->ok = true;
	w->walk.what = w->walker->what;
	w->walk.node = show_node;
	w->walk.entry = show_entry;
	w->walk.number = show_number;
	w->walk.element = show_element;
	w->walk.flaw = show_flaw;
	w->walk.arg = w;
	ok = w->walker->walk(c->t, &w->walk, &why);
	if (!w->ok)
		return false;
	if (w->flaws > FLAWS_MAX) {
		struct err more;

		err_set_addr(&more, ERR_CORRUPT, w->walk.head, "%s 0x%llx: %u more of these",
			     w->walker->what, (unsigned long long)w->walk.head,
			     w->flaws - FLAWS_MAX);
		note(c, &more);
	}
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
	{ "walk hash mount.mnt_hash mount_hashtable (1 << m_hash_shift)",
	  "a table of hlists, and how many there are" },
	{ "walk radix init_pid_ns.idr.idr_rt | first 3", "the first three as values" },
	{ "walk hlist super_block.s_instances proc_fs_type.fs_supers | pick s_id",
	  "the file systems of a type" },
	{ "walk rbtree proc_dir_entry.subdir_node proc_root.subdir | pick name | first 5",
	  "names in /proc" },
	{ "walk array init_task.cpus_mask.bits | first 1", "elements of an array" },
	{ "ps 1 | each walk maple vm_area_struct {&mm->mm_mt}", "the areas of a task" },
	{ "vm 1 | first 1 | each walk rbtree vm_area_struct.shared.rb {&vm_file->f_mapping->i_mmap}",
	  "all areas that a file is mapped by" },
	{ "walk klist device_private.knode_bus platform_bus_type.p->klist_devices | first 3",
	  "devices of a bus" },
	{ "superblocks rootfs | each walk list_lru dentry.d_lru {&s_dentry_lru}",
	  "names that nobody uses" },
	{ "walk rhashtable netlink_sock.node nl_table->hash | pick portid", "netlink sockets" },
	{ "walk plist swap_info_struct.list swap_active_head | count", "swap areas in use" },
	{ "walk llist mount.mnt_llist delayed_mntput_list | count", "mounts about to go" },
	{ "walk xarray pid init_pid_ns.idr.idr_rt | count", "how many pids there are" },
	{ "walk ida unnamed_dev_ida | last 3", "device numbers of file systems without a device" },
	{ "walk idr pid init_pid_ns.idr | pick level, count.refs.counter | first 3",
	  "struct pid of all that have one" },
	{ "walk bitmap __cpu_possible_mask.bits", "numbers of the set bits" },
	{ "walk percpu runqueues | pick cpu, nr_running", "what each CPU has of a variable" },
};
const struct command cmd_walk = {
	.name = "walk",
	.group = "types",
	.summary = "what a container of the kernel's holds",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.operands = "kind [type[.member]] head [count]",
	.types = walk_types,
	.emits = (const struct record_kind *const[]){ &entry_kind, &element_kind, &item_record,
						      NULL },
	.none = "no entry",
	.completes = COMPLETE_SYMBOL | COMPLETE_TYPE,
	.help = "head is the address of the container itself: a symbol, a number, or an "
		"expression.\n\n"
		"list, hlist (hlist_nulls too), llist, plist, klist, list_lru, hash (an array of "
		"hlist_heads), rhashtable, rbtree and interval hold structs: type.member says "
		"which, and by which member they are linked; an offset in place of it walks "
		"structs of no known type.\n\n"
		"xarray, radix, idr and maple lead from an index to an entry; it points to the "
		"type, if one is given. ida, bitmap and sbitmap hold numbers.\n\n"
		"array, percpu and kfifo hold values. Their type, and how many buckets, bits or "
		"elements there are, is head's own; where head has no type they are "
		"operands: walk array u32 0xffff888004200000 8.\n\n"
		"Links that cannot be true are noted with where and why: poison, NULL, "
		"misaligned pointers, cycles, a way back that disagrees, nodes that name another "
		"parent. What can be reached in spite of them is shown, each entry once, and the "
		"exit status is 4.",
	EXAMPLES(examples),
	.run = run,
};
