/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of the kernel's containers. Each runs under a guard; what was visited stays visited when an
 * error ends it. fn returns false to stop early. */
#ifndef OBIT_WALK_H
#define OBIT_WALK_H

#include "core/image/target.h"

/* What an xarray or a maple tree holds at an index, or at a range of them: a pointer, or, when bit
 * 0 is set, a number in the bits above it. */
struct walk_entry {
	uint64_t first, last; /* indices; last > first for a range */
	uint64_t entry;
};
typedef bool walk_node_fn(uint64_t addr, void *arg);
typedef bool walk_entry_fn(const struct walk_entry *e, void *arg);

/*
 * One walk: what is walked, and who is called for what it holds. A walk calls one of node(),
 * entry(), number() and element(), as its walker's `gives` says; each returns false to stop it. A
 * flaw is damage behind which the walk can go on, such as a list's way back that differs from its
 * way forward, or one broken bucket of many. When flaw is NULL, only the way forward is checked,
 * and the first damage ends the walk.
 */
struct walk_plan {
	const char *what;     /* for messages: "list" */
	uint64_t head;        /* address of the container */
	uint64_t link;        /* offset of the link in the struct that holds it */
	bool direct;          /* trees: head is the topmost node itself */
	uint64_t count, size; /* buckets, elements or bits; bytes of an element */
	walk_node_fn *node;   /* the struct that holds the link */
	walk_entry_fn *entry;
	bool (*number)(uint64_t n, void *arg);
	bool (*element)(uint64_t index, uint64_t addr, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};
/* Tells w->flaw() of damage. True: the walk goes on. False: w->flaw is NULL. */
bool walk_flaw(const struct walk_plan *w, const struct err *e);

enum walk_gives {
	WALK_NODES,   /* structs that hold a link; the plan's link must be set */
	WALK_ENTRIES, /* what indices lead to */
	WALK_NUMBERS,
	WALK_ELEMENTS /* places one behind the other, or one for each CPU; size must be set */
};
struct walker {
	const char *name, *what;
	enum walk_gives gives;
	const char *counted; /* what the plan's count is of, "buckets"; NULL: it needs none */
	bool percpu;         /* the head is a per-CPU address */
	bool (*walk)(struct target *t, const struct walk_plan *w, struct err *err);
};
/* Every walker; NULL ends the list. */
extern const struct walker *const walkers[];
const struct walker *walker_find(const char *name); /* NULL: none */

/* ---- the kinds of containers; w->head is the address of the struct that a comment names */
/* struct list_head; with `back` from the last entry to the first. */
bool list_walk(struct target *t, const struct walk_plan *w, bool back, struct err *err) MUST_CHECK;
bool hlist_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
bool llist_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
/* struct hlist_head[count] */
bool hash_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
/* struct rhashtable or rhltable: link is that of a rhash_head or rhlist_head. */
bool rhashtable_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
/* struct rb_root or rb_root_cached, in order. Every node must name the one above as its parent. */
bool rbtree_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
/* A struct xarray; a radix tree's root and the idr_rt of an IDR are the same since f8d5d0cc145c
 * (v4.20). */
bool xarray_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
/* A struct maple_tree, 54a611b60590 (v6.1). */
bool maple_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
/* The set bits of `count` from head on; struct sbitmap; struct ida. */
bool bitmap_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
bool sbitmap_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;
bool ida_walk(struct target *t, const struct walk_plan *w, struct err *err) MUST_CHECK;

/* One word of a struct sbitmap: a bit that is set in `word` and not in `cleared` is taken; one that
 * is set in both was given back, and is cleared when the word is full. */
struct sbitmap_word {
	uint64_t first, end; /* numbers of its first bit, and of that behind its last */
	uint64_t word, cleared;
};
/* Calls fn for each word of the struct sbitmap at w->head until it returns false; of w's functions
 * only flaw is called. */
bool sbitmap_words(struct target *t, const struct walk_plan *w,
		   bool (*fn)(const struct sbitmap_word *word, void *arg), void *arg,
		   struct err *err) MUST_CHECK;

/* ---- the same for callers who need neither options nor flaws */
bool hlist_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		walk_node_fn *fn, void *arg, struct err *err) MUST_CHECK;
bool xarray_each(struct target *t, uint64_t xa, const char *what, walk_entry_fn *fn, void *arg,
		 struct err *err) MUST_CHECK;

/* ---- what walks share */
/* "LIST_POISON1" and the like; NULL: none of them. */
const char *poison_name(uint64_t p);
/* Does this error say that an address is wrong, and not that the dump lacks what is there? */
static inline bool walk_is_wild(const struct err *err)
{
	return err->code == ERR_UNMAPPED || err->code == ERR_BADADDR || err->code == ERR_NOTRAM;
}
/* Can `to`, which the entry of number n at address `from` points to, be an entry: is it no poison
 * value, aligned, and an address of the kernel's? False: *err says what is wrong. */
bool walk_pointer(struct target *t, const struct walk_plan *w, uint64_t from, uint64_t n,
		  uint64_t to, struct err *err) MUST_CHECK;

#endif
