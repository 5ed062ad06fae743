/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel that has the types which containers are made of. */
#ifndef OBIT_WALK_FAKE_H
#define OBIT_WALK_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/container/walk.h"

static inline void walk_fake_trees(struct fake_kernel *k)
{
	struct type *s = kernel_struct(k, "xa_node", 16 + 64 * 8);

	kernel_member(s, "shift", &k->u8, 0);
	kernel_member(s, "offset", &k->u8, 1);
	kernel_member(s, "count", &k->u8, 2);
	kernel_member(s, "parent", &k->u64, 8);
	kernel_member(s, "slots", kernel_array(k, &k->u64, 64), 16);
	s = kernel_struct(k, "maple_node", 256);
	kernel_member(s, "slot", kernel_array(k, &k->u64, 31), 8);
	s = kernel_struct(k, "maple_range_64", 256);
	kernel_member(s, "pivot", kernel_array(k, &k->u64, 15), 8);
	kernel_member(s, "slot", kernel_array(k, &k->u64, 16), 128);
	s = kernel_struct(k, "maple_arange_64", 256);
	kernel_member(s, "pivot", kernel_array(k, &k->u64, 9), 8);
	kernel_member(s, "slot", kernel_array(k, &k->u64, 10), 80);
}

static inline void walk_fake_init(struct fake_kernel *k)
{
	struct type *s;

	kernel_init(k);
	WORDS(k, "xarray", "xa_lock", "xa_head");
	WORDS(k, "ida", "xa");
	WORDS(k, "idr", "idr_rt", "idr_head", "idr_base");
	WORDS(k, "maple_tree", "ma_lock", "ma_root");
	WORDS(k, "rb_node", "__rb_parent_color", "rb_right", "rb_left");
	WORDS(k, "interval_tree_node", "rb", "right", "left", "start", "last", "__subtree_last");
	WORDS(k, "rhashtable", "tbl", "rhlist");
	WORDS(k, "rhlist_head", "rhead", "next");
	WORDS(k, "bucket_table", "size", "nest", "future_tbl", "buckets");
	WORDS(k, "sbitmap", "depth", "shift", "map_nr", "map");
	WORDS(k, "sbitmap_word", "word", "cleared");
	WORDS(k, "list_lru", "node");
	WORDS(k, "list_lru_node", "lru", "prev", "nr_items");
	WORDS(k, "list_lru_one", "list");
	WORDS(k, "plist_head", "node_list");
	WORDS(k, "klist", "k_lock", "k_list");
	WORDS(k, "klist_node", "n_klist", "n_node");
	s = WORDS(k, "plist_node", "unused", "prio_list", "prio_prev", "node_list");
	kernel_member(s, "prio", &k->s32, 0);
	s = kernel_struct(k, "__kfifo", 24);
	kernel_member(s, "in", &k->u32, 0);
	kernel_member(s, "out", &k->u32, 4);
	kernel_member(s, "mask", &k->u32, 8);
	kernel_member(s, "esize", &k->u32, 12);
	kernel_member(s, "data", &k->u64, 16);
	walk_fake_trees(k);
}

#endif
