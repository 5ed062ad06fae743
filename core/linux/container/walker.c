/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of containers that can be walked, by name, and those that are a few words around
 * another. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/linux/container/walk.h"

static bool list_forward(struct target *t, const struct walk_plan *w, struct err *err)
{
	return list_walk(t, w, false, err);
}

/* ---- lists with more in each node than its links */

struct checked {
	struct target *t;
	const struct walk_plan *w;
	uint64_t at;    /* of what is checked, from the node's struct */
	uint64_t last;  /* what the one before had */
	uint64_t other; /* interval: offset of the last, from the node's struct */
	bool any, stop;
};

static bool walker_give(struct checked *k, uint64_t addr)
{
	k->any = true;
	k->stop = !k->w->node(addr, k->w->arg);
	return !k->stop;
}

static bool plain_node(uint64_t addr, void *arg)
{
	return walker_give(arg, addr);
}

static void inner_flaw(const struct err *e, void *arg)
{
	struct checked *k = arg;

	walk_flaw(k->w, e);
}

static bool plist_node(uint64_t addr, void *arg)
{
	struct checked *k = arg;
	struct err err;
	uint32_t prio;

	if (k->w->flaw && mem_u32(k->t, addr + k->at, &prio, &err)) {
		if (k->any && (int32_t)prio < (int32_t)k->last) {
			err_set_addr(&err, ERR_CORRUPT, addr + k->w->link,
				     "%s: entry 0x%llx of priority %d comes after one of %d",
				     k->w->what, (unsigned long long)(addr + k->w->link),
				     (int32_t)prio, (int32_t)k->last);
			walk_flaw(k->w, &err);
		}
		k->last = prio;
	}
	return walker_give(k, addr);
}

/* Priorities grow. */
static bool plist_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct checked k = { .t = t, .w = w };
	struct walk_plan inner = *w;
	uint64_t head, node, prio;

	if (!field_offset(t, "struct plist_head", "node_list", &head, err) ||
	    !field_offset(t, "struct plist_node", "node_list", &node, err) ||
	    !field_offset(t, "struct plist_node", "prio", &prio, err))
		return false;
	k.at = w->link + prio;
	inner.head += head;
	inner.link += node;
	inner.node = plist_node;
	inner.flaw = w->flaw ? inner_flaw : NULL;
	inner.arg = &k;
	return list_walk(t, &inner, false, err);
}

static bool klist_node(uint64_t addr, void *arg)
{
	struct checked *k = arg;
	struct err err;
	uint64_t klist;

	/* the lowest bit: taken off, and still in use */
	if (k->w->flaw && mem_ptr(k->t, addr + k->at, &klist, &err) &&
	    (klist & ~(uint64_t)1) != k->w->head) {
		err_set_addr(&err, ERR_CORRUPT, addr + k->w->link,
			     "%s: entry 0x%llx names 0x%llx its list", k->w->what,
			     (unsigned long long)(addr + k->w->link), (unsigned long long)klist);
		walk_flaw(k->w, &err);
	}
	return walker_give(k, addr);
}

static bool klist_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct checked k = { .t = t, .w = w };
	struct walk_plan inner = *w;
	uint64_t head, node, owner;

	if (!field_offset(t, "struct klist", "k_list", &head, err) ||
	    !field_offset(t, "struct klist_node", "n_node", &node, err) ||
	    !field_offset(t, "struct klist_node", "n_klist", &owner, err))
		return false;
	k.at = w->link + owner;
	inner.head += head;
	inner.link += node;
	inner.node = klist_node;
	inner.flaw = w->flaw ? inner_flaw : NULL;
	inner.arg = &k;
	return list_walk(t, &inner, false, err);
}

static bool interval_node(uint64_t addr, void *arg)
{
	struct checked *k = arg;
	struct err err;
	uint64_t start, last;

	if (k->w->flaw && mem_ptr(k->t, addr + k->at, &start, &err) &&
	    mem_ptr(k->t, addr + k->other, &last, &err)) {
		if (last < start || (k->any && start < k->last)) {
			err_set_addr(&err, ERR_CORRUPT, addr + k->w->link,
				     "%s: node 0x%llx is for 0x%llx to 0x%llx, after one that "
				     "starts at 0x%llx",
				     k->w->what, (unsigned long long)(addr + k->w->link),
				     (unsigned long long)start, (unsigned long long)last,
				     (unsigned long long)k->last);
			walk_flaw(k->w, &err);
		}
		k->last = start;
	}
	return walker_give(k, addr);
}

/* Of struct interval_tree_node: by their starts. */
static bool interval_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct checked k = { .t = t, .w = w };
	struct walk_plan inner = *w;
	uint64_t rb, start, last;

	if (!field_offset(t, "struct interval_tree_node", "rb", &rb, err) ||
	    !field_offset(t, "struct interval_tree_node", "start", &start, err) ||
	    !field_offset(t, "struct interval_tree_node", "last", &last, err))
		return false;
	k.at = w->link + start;
	k.other = w->link + last;
	inner.link += rb;
	inner.node = interval_node;
	inner.arg = &k;
	inner.flaw = w->flaw ? inner_flaw : NULL;
	return rbtree_walk(t, &inner, err);
}

/* Each NUMA node has a list; those of memory cgroups are in an XArray beside them, and are not
 * walked. */
static bool list_lru_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	uint64_t off, nodes, lru, list, symbol;
	const struct type *type;
	struct checked k = { .t = t, .w = w };
	struct walk_plan inner = *w;
	uint32_t n = 1;

	if (!field_offset(t, "struct list_lru", "node", &off, err) ||
	    !field_offset(t, "struct list_lru_node", "lru", &lru, err) ||
	    !field_offset(t, "struct list_lru_one", "list", &list, err) ||
	    !type_find(t, "struct list_lru_node", &type, err) ||
	    !mem_ptr(t, w->head + off, &nodes, err) ||
	    (symbol_addr(t, "nr_node_ids", &symbol) && !mem_u32(t, symbol, &n, err)))
		return err_wrap(err, "%s: 0x%llx", w->what, (unsigned long long)w->head);
	if (!n || n > 1024)
		return err_set(err, ERR_CORRUPT, "%s: nr_node_ids is %u", w->what, n);
	inner.node = plain_node;
	inner.flaw = w->flaw ? inner_flaw : NULL;
	inner.arg = &k;
	for (uint32_t i = 0; i < n && !k.stop; i++) {
		inner.head = nodes + i * type->size + lru + list;
		if (!list_walk(t, &inner, false, err) &&
		    (err->code == ERR_INTR || err->code == ERR_LIMIT || !walk_flaw(w, err)))
			return false;
	}
	return true;
}

/* ---- indices */

struct shifted {
	const struct walk_plan *w;
	uint64_t base;
};

static bool idr_entry(const struct walk_entry *e, void *arg)
{
	const struct shifted *s = arg;
	struct walk_entry id = { e->first + s->base, e->last + s->base, e->entry };

	return s->w->entry(&id, s->w->arg);
}

static void shifted_flaw(const struct err *e, void *arg)
{
	const struct shifted *s = arg;

	walk_flaw(s->w, e);
}

/* An IDR's numbers start at its base (6ce711f27500, v4.16). */
static bool idr_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct shifted s = { .w = w };
	struct walk_plan inner = *w;
	uint64_t off, base;
	struct err why;

	if (!field_offset(t, "struct idr", "idr_rt", &off, err))
		return false;
	if (field_u64(t, "struct idr", w->head, "idr_base", &base, &why))
		s.base = base;
	inner.head += off;
	inner.entry = idr_entry;
	inner.flaw = w->flaw ? shifted_flaw : NULL;
	inner.arg = &s;
	return xarray_walk(t, &inner, err);
}

/* ---- places */

static bool array_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	(void)t;
	for (uint64_t i = 0; i < w->count; i++)
		if (!interrupt_check(err))
			return false;
		else if (!w->element(i, w->head + i * w->size, w->arg))
			return true;
	return true;
}

/* What each possible CPU has of the variable at the per-CPU address head. */
static bool percpu_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	uint64_t off, ignored;
	unsigned n;

	/* a symbol table without variables says nothing of how many CPUs there are */
	if (!symbol_addr(t, "__per_cpu_offset", &ignored) && !symbol_addr(t, "init_task", &ignored))
		return err_set(err, ERR_NEED,
			       "where CPUs keep their data is not known: the dump's own symbol "
			       "table has no variables; give the vmlinux");
	if (!cpus_count(t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		if (!interrupt_check(err) || !percpu_offset(t, cpu, &off, err))
			return false;
		if (!w->element(cpu, percpu_sum(t, w->head, off), w->arg))
			return true;
	}
	return true;
}

enum {
	FIFO_IN,
	FIFO_OUT,
	FIFO_MASK,
	FIFO_ESIZE,
	FIFO_DATA
};
static const struct shape_field fifo_fields[] = {
	[FIFO_IN] = FIELD("in"),       [FIFO_OUT] = FIELD("out"),   [FIFO_MASK] = FIELD("mask"),
	[FIFO_ESIZE] = FIELD("esize"), [FIFO_DATA] = FIELD("data"),
};
static const struct shape fifo_shape = SHAPE("struct __kfifo", fifo_fields);

/* A struct kfifo or what DECLARE_KFIFO made, oldest first. */
static bool kfifo_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	uint64_t in, out, mask, esize, data;
	struct shaped s;

	if (!shape_read(t, &fifo_shape, w->head, &s, err) || !shaped_u64(&s, FIFO_IN, &in, err) ||
	    !shaped_u64(&s, FIFO_OUT, &out, err) || !shaped_u64(&s, FIFO_MASK, &mask, err) ||
	    !shaped_u64(&s, FIFO_ESIZE, &esize, err) || !shaped_u64(&s, FIFO_DATA, &data, err))
		return err_wrap(err, "%s: 0x%llx", w->what, (unsigned long long)w->head);
	if ((mask & (mask + 1)) || ((in - out) & UINT32_MAX) > mask + 1 || !esize)
		return err_set_addr(err, ERR_CORRUPT, w->head,
				    "%s: 0x%llx has %llu elements and room for %llu", w->what,
				    (unsigned long long)w->head,
				    (unsigned long long)((in - out) & UINT32_MAX),
				    (unsigned long long)mask + 1);
	for (uint64_t n = (in - out) & UINT32_MAX, i = 0; i < n; i++)
		if (!interrupt_check(err))
			return false;
		else if (i == GUARD_DEFAULT)
			return err_set_addr(err, ERR_LIMIT, w->head,
					    "%s stopped after %u elements, the limit", w->what,
					    GUARD_DEFAULT);
		else if (!w->element(i, data + ((out + i) & mask) * esize, w->arg))
			return true;
	return true;
}

/* ---- all of them */

#define WALKER(id, text, kind, fn)                                   \
	static const struct walker walker_##id = {                   \
		.name = #id, .what = text, .gives = kind, .walk = fn \
	}

WALKER(list, "list", WALK_NODES, list_forward);
WALKER(hlist, "hlist", WALK_NODES, hlist_walk);
WALKER(llist, "llist", WALK_NODES, llist_walk);
WALKER(plist, "plist", WALK_NODES, plist_walk);
WALKER(klist, "klist", WALK_NODES, klist_walk);
WALKER(list_lru, "list_lru", WALK_NODES, list_lru_walk);
static const struct walker walker_hash = { "hash",    "hash table", WALK_NODES,
					   "buckets", false,        hash_walk };
WALKER(rhashtable, "rhashtable", WALK_NODES, rhashtable_walk);
WALKER(rbtree, "red-black tree", WALK_NODES, rbtree_walk);
WALKER(interval, "interval tree", WALK_NODES, interval_walk);
WALKER(xarray, "xarray", WALK_ENTRIES, xarray_walk);
WALKER(radix, "radix tree", WALK_ENTRIES, xarray_walk);
WALKER(idr, "IDR", WALK_ENTRIES, idr_walk);
WALKER(maple, "maple tree", WALK_ENTRIES, maple_walk);
WALKER(ida, "IDA", WALK_NUMBERS, ida_walk);
static const struct walker walker_bitmap = { "bitmap", "bitmap", WALK_NUMBERS,
					     "bits",   false,    bitmap_walk };
WALKER(sbitmap, "sbitmap", WALK_NUMBERS, sbitmap_walk);
static const struct walker walker_array = { "array",    "array", WALK_ELEMENTS,
					    "elements", false,   array_walk };
static const struct walker walker_percpu = { "percpu", "per-CPU variable", WALK_ELEMENTS, NULL,
					     true,     percpu_walk };
WALKER(kfifo, "kfifo", WALK_ELEMENTS, kfifo_walk);

const struct walker *const walkers[] = { &walker_list,     &walker_hlist,      &walker_llist,
					 &walker_plist,    &walker_klist,      &walker_list_lru,
					 &walker_hash,     &walker_rhashtable, &walker_rbtree,
					 &walker_interval, &walker_xarray,     &walker_radix,
					 &walker_idr,      &walker_maple,      &walker_ida,
					 &walker_bitmap,   &walker_sbitmap,    &walker_array,
					 &walker_percpu,   &walker_kfifo,      NULL };

const struct walker *walker_find(const char *name)
{
	for (size_t i = 0; walkers[i]; i++)
		if (!strcmp(walkers[i]->name, name))
			return walkers[i];
	return NULL;
}
