/* SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later */
/* What the garden's files share: the plants, and how they are told of. */
#ifndef GARDEN_H
#define GARDEN_H

#include <linux/interval_tree.h>
#include <linux/klist.h>
#include <linux/list.h>
#include <linux/list_nulls.h>
#include <linux/llist.h>
#include <linux/plist.h>
#include <linux/printk.h>
#include <linux/rbtree.h>
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include <linux/types.h>

/* One of everything that a container links. */
struct plant {
	u64 number;
	char name[16];
	struct list_head list;
	struct hlist_node hlist;
	struct hlist_nulls_node nulls;
	struct llist_node llist;
	struct plist_node plist;
	struct klist_node klist;
	struct rb_node rb;
	struct interval_tree_node range;
	struct rhash_head rhash;
	struct rhlist_head rhlist;
	struct hlist_node hash;
	struct hlist_node bucket;
};

/* A plant of that number, which stays. */
struct plant *plant_new(u64 number);

/*
 * What /proc/garden says, a line each:
 *	KIND NAME ADDRESS TYPE.MEMBER OFFSET = ENTRY...
 * OFFSET is where the link is in a struct plant. An entry of a list or tree is ADDRESS:NUMBER of
 *the plant, one of an index FIRST-LAST:ENTRY, one of a set of bits its number.
 */
void garden_say(const char *fmt, ...) __printf(1, 2);
#define GARDEN_HEAD(kind, name, head, member)                                            \
	garden_say(kind " " name " %#lx plant." #member " %zu =", (unsigned long)(head), \
		   offsetof(struct plant, member))
#define GARDEN_INDEX(kind, name, head) \
	garden_say(kind " " name " %#lx - 0 =", (unsigned long)(head))
void garden_say_plant(const struct plant *plant);

void garden_plant_lists(void);
void garden_plant_trees(void);
void garden_plant_hashes(void);
void garden_plant_indices(void);
void garden_plant_sets(void);
void garden_break_lists(void);
void garden_break_trees(void);
int garden_live(void);

#endif
