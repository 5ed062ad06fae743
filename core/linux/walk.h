/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of the kernel's containers. Each runs under a guard; what was visited stays visited when an
 * error ends it. fn returns false to stop early. */
#ifndef OBIT_WALK_H
#define OBIT_WALK_H

#include "core/linux/linux.h"

/* Of structs that embed a node: fn gets the struct's address (node - member_off). head is that of
 * the struct hlist_head, llist_head, rb_root or rb_root_cached. */
bool hlist_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;
bool llist_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;
/* In order. Every node must name the one above as its parent. */
bool rbtree_each(struct target *t, uint64_t root, uint64_t member_off, const char *what,
		 bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err) MUST_CHECK;

/* Of entries by index: a pointer, or a number that was shifted by one and marked (bit 0). */
struct walk_entry {
	uint64_t first, last; /* indices; last > first for a range */
	uint64_t entry;
};
typedef bool walk_entry_fn(const struct walk_entry *e, void *arg);

/* A struct xarray; a radix tree's root and the idr_rt of an IDR are the same since f8d5d0cc145c
 * (v4.20). */
bool xarray_each(struct target *t, uint64_t xa, const char *what, walk_entry_fn *fn, void *arg,
		 struct err *err) MUST_CHECK;
/* A struct maple_tree, 54a611b60590 (v6.1). */
bool maple_each(struct target *t, uint64_t mt, const char *what, walk_entry_fn *fn, void *arg,
		struct err *err) MUST_CHECK;

#endif
