// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* Trees: red-black, cached and interval trees, radix trees, XArrays, IDRs, maple trees; and broken
 * ones. */

#include <linux/idr.h>
#include <linux/interval_tree_generic.h>
#include <linux/maple_tree.h>
#include <linux/radix-tree.h>
#include <linux/xarray.h>

#include "garden.h"

#define RANGE_START(node) ((node)->start)
#define RANGE_LAST(node) ((node)->last)
INTERVAL_TREE_DEFINE(struct interval_tree_node, rb, unsigned long, __subtree_last, RANGE_START,
		     RANGE_LAST, static __maybe_unused, range)

struct rb_root garden_rbtree = RB_ROOT;
struct rb_root_cached garden_cached = RB_ROOT_CACHED;
struct rb_root_cached garden_ranges = RB_ROOT_CACHED;
RADIX_TREE(garden_radix, GFP_KERNEL);
DEFINE_XARRAY_ALLOC(garden_xarray);
struct xarray garden_xarray_one;
struct xarray garden_xarray_empty;
DEFINE_IDR(garden_idr);
DEFINE_IDA(garden_ida);
DEFINE_MTREE(garden_maple);
DEFINE_MTREE(garden_maple_deep);
DEFINE_MTREE(garden_maple_one);

static bool before(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct plant, rb)->number < rb_entry(b, struct plant, rb)->number;
}

static bool before_first(struct rb_node *a, const struct rb_node *b)
{
	return before(a, b);
}

static void say_rbtree(struct rb_node *node)
{
	for (; node; node = rb_next(node))
		garden_say_plant(rb_entry(node, struct plant, rb));
	garden_say("\n");
}

/* Numbers all over: i * 37 mod 101 visits each of 1 to 100 once. */
static void plant_rbtree(struct rb_root *root, struct rb_root_cached *cached, int n)
{
	int i;

	for (i = 1; i <= n; i++) {
		struct plant *p = plant_new(i * 37 % 101);

		if (root)
			rb_add(&p->rb, root, before_first);
		else
			rb_add_cached(&p->rb, cached, before);
	}
}

static void plant_ranges(void)
{
	struct interval_tree_node *node;
	int i;

	for (i = 0; i < 20; i++) {
		struct plant *p = plant_new(300 + i);

		p->range.start = i * 7 % 20 * 10;
		p->range.last = p->range.start + i % 5 * 8;
		range_insert(&p->range, &garden_ranges);
	}
	garden_say("interval garden_ranges %#lx plant.range %zu =", (unsigned long)&garden_ranges,
		   offsetof(struct plant, range));
	for (node = range_iter_first(&garden_ranges, 0, ULONG_MAX); node;
	     node = range_iter_next(node, 0, ULONG_MAX))
		garden_say_plant(container_of(node, struct plant, range));
	garden_say("\n");
}

void garden_plant_trees(void)
{
	plant_rbtree(&garden_rbtree, NULL, 100);
	GARDEN_HEAD("rbtree", "garden_rbtree", &garden_rbtree, rb);
	say_rbtree(rb_first(&garden_rbtree));
	plant_rbtree(NULL, &garden_cached, 9);
	GARDEN_HEAD("rbtree", "garden_cached", &garden_cached, rb);
	say_rbtree(rb_first_cached(&garden_cached));
	plant_ranges();
}

/* ---- by index */

static void say_entry(unsigned long first, unsigned long last, void *entry)
{
	garden_say(" %lu-%lu:%#lx", first, last, (unsigned long)entry);
}

static void say_xarray(struct xarray *xa)
{
	XA_STATE(xas, xa, 0);
	void *entry;

	rcu_read_lock();
	xas_for_each(&xas, entry, ULONG_MAX)
	{
		unsigned long size = 1ul << (xas.xa_node ? xas.xa_node->shift : 0);

		if (xa_is_zero(entry))
			continue;
		/* an entry of several slots is followed by siblings */
		if (xas.xa_node) {
			unsigned int slot = xas.xa_offset + 1;

			while (slot < XA_CHUNK_SIZE && xa_is_sibling(xas.xa_node->slots[slot])) {
				size += 1ul << xas.xa_node->shift;
				slot++;
			}
		}
		say_entry(xas.xa_index & ~(size - 1), (xas.xa_index & ~(size - 1)) + size - 1,
			  entry);
	}
	rcu_read_unlock();
	garden_say("\n");
}

static void plant_xarrays(void)
{
	static const unsigned long at[] = { 0,    1,    63,      64,
					    4095, 4096, 1000000, 1ul << (BITS_PER_LONG / 2 + 8) };
	int i;

	for (i = 0; i < ARRAY_SIZE(at); i++)
		xa_store(&garden_xarray, at[i], plant_new(400 + i), GFP_KERNEL);
	xa_store(&garden_xarray, 70, xa_mk_value(4711), GFP_KERNEL);
	/* four slots of a leaf, and sixteen leaves' worth in a node above */
	xa_store_range(&garden_xarray, 128, 131, plant_new(420), GFP_KERNEL);
	xa_store_range(&garden_xarray, 8192, 9215, plant_new(421), GFP_KERNEL);
	if (xa_reserve(&garden_xarray, 77, GFP_KERNEL))
		return;
	xa_set_mark(&garden_xarray, 63, XA_MARK_1);
	xa_set_mark(&garden_xarray, 4096, XA_MARK_1);
	GARDEN_INDEX("xarray", "garden_xarray", &garden_xarray);
	say_xarray(&garden_xarray);
	xa_init(&garden_xarray_one);
	xa_store(&garden_xarray_one, 0, plant_new(430), GFP_KERNEL);
	GARDEN_INDEX("xarray", "garden_xarray_one", &garden_xarray_one);
	say_xarray(&garden_xarray_one);
	xa_init(&garden_xarray_empty);
	GARDEN_INDEX("xarray", "garden_xarray_empty", &garden_xarray_empty);
	garden_say("\n");
}

static void plant_maples(void)
{
	unsigned long index = 0;
	void *entry;
	int i;

	mtree_store_range(&garden_maple, 0, 0, plant_new(500), GFP_KERNEL);
	mtree_store_range(&garden_maple, 10, 19, plant_new(501), GFP_KERNEL);
	mtree_store_range(&garden_maple, 20, 20, xa_mk_value(42), GFP_KERNEL);
	mtree_store_range(&garden_maple, 1000, ULONG_MAX, plant_new(502), GFP_KERNEL);
	for (i = 0; i < 300; i++)
		mtree_store_range(&garden_maple_deep, i * 100 + 7, i * 100 + 7 + i % 50,
				  plant_new(600 + i), GFP_KERNEL);
	mtree_store_range(&garden_maple_one, 0, 0, plant_new(503), GFP_KERNEL);
	GARDEN_INDEX("maple", "garden_maple", &garden_maple);
	{
		MA_STATE(mas, &garden_maple, 0, 0);

		rcu_read_lock();
		mas_for_each(&mas, entry, ULONG_MAX) say_entry(mas.index, mas.last, entry);
		rcu_read_unlock();
	}
	garden_say("\n");
	GARDEN_INDEX("maple", "garden_maple_deep", &garden_maple_deep);
	{
		MA_STATE(mas, &garden_maple_deep, 0, 0);

		rcu_read_lock();
		mas_for_each(&mas, entry, ULONG_MAX) say_entry(mas.index, mas.last, entry);
		rcu_read_unlock();
	}
	garden_say("\n");
	GARDEN_INDEX("maple", "garden_maple_one", &garden_maple_one);
	mt_for_each(&garden_maple_one, entry, index, ULONG_MAX) say_entry(0, 0, entry);
	garden_say("\n");
}

void garden_plant_indices(void)
{
	struct radix_tree_iter iter;
	void __rcu **slot;
	void *entry;
	int i, id;

	for (i = 0; i < 10; i++)
		radix_tree_insert(&garden_radix, i * i * 13, plant_new(440 + i));
	GARDEN_INDEX("radix", "garden_radix", &garden_radix);
	rcu_read_lock();
	radix_tree_for_each_slot(slot, &garden_radix, &iter, 0)
		say_entry(iter.index, iter.index, rcu_dereference(*slot));
	rcu_read_unlock();
	garden_say("\n");
	plant_xarrays();
	for (i = 0; i < 5; i++)
		idr_alloc(&garden_idr, plant_new(450 + i), 10 + i * 100, 0, GFP_KERNEL);
	GARDEN_INDEX("idr", "garden_idr", &garden_idr);
	idr_for_each_entry(&garden_idr, entry, id) say_entry(id, id, entry);
	garden_say("\n");
	/* below 62 and above, alone in its chunk and in company */
	for (i = 0; i < 10; i++) {
		ida_alloc_min(&garden_ida, i * i * 29, GFP_KERNEL);
		ida_alloc_min(&garden_ida, i * i * 29, GFP_KERNEL);
	}
	ida_free(&garden_ida, 29);
	garden_say("ida garden_ida %#lx - 0 =", (unsigned long)&garden_ida);
	for (i = 0; i < 10; i++)
		garden_say(i == 1 ? " %d" : " %d %d", i * i * 29 + (i == 1), i * i * 29 + 1);
	garden_say("\n");
	plant_maples();
}

/* ---- broken */

struct rb_root broken_rbtree = RB_ROOT, broken_rbtree_loop = RB_ROOT;
DEFINE_XARRAY(broken_xarray);
DEFINE_XARRAY(broken_xarray_head);
DEFINE_XARRAY(broken_xarray_loop);
DEFINE_MTREE(broken_maple);
DEFINE_MTREE(broken_maple_head);

/* Higher than any RAM that this machine has, in the kernel's map of all RAM; on a machine of 32
 * bits in the midst of what vmalloc() has not given out. */
static void *nowhere(void)
{
#if BITS_PER_LONG == 32
	return (void *)0xe8000000ul;
#else
	return (void *)(PAGE_OFFSET + (1ul << 43));
#endif
}

static struct xa_node *xa_root_node(struct xarray *xa)
{
	return (struct xa_node *)((unsigned long)xa->xa_head - 2);
}

static void break_xarrays(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		xa_store(&broken_xarray, i * 64, plant_new(1 + i), GFP_KERNEL);
		xa_store(&broken_xarray_loop, i * 64, plant_new(1 + i), GFP_KERNEL);
	}
	GARDEN_INDEX("broken-xarray", "broken_xarray", &broken_xarray);
	say_entry(0, 0, xa_load(&broken_xarray, 0));
	say_entry(64, 64, xa_load(&broken_xarray, 64));
	garden_say("\n");
	xa_root_node(&broken_xarray)->slots[2] = (void *)((unsigned long)nowhere() + 2);
	/* a leaf that is its own parent */
	GARDEN_INDEX("broken-xarray", "broken_xarray_loop", &broken_xarray_loop);
	say_entry(0, 0, xa_load(&broken_xarray_loop, 0));
	garden_say("\n");
	xa_root_node(&broken_xarray_loop)->slots[1] = broken_xarray_loop.xa_head;
	broken_xarray_head.xa_head = (void *)((unsigned long)nowhere() + 2);
	GARDEN_INDEX("broken-xarray", "broken_xarray_head", &broken_xarray_head);
	garden_say("\n");
}

static void break_maples(void)
{
	struct maple_node *root;
	unsigned long child = 0;
	int i;

	for (i = 0; i < 300; i++)
		mtree_store_range(&broken_maple, i * 10, i * 10 + 4, xa_mk_value(i), GFP_KERNEL);
	/* text where the root's last child is: what is before it can be walked */
	root = (void *)((unsigned long)broken_maple.ma_root & ~0xfful);
	for (i = 0; i < MAPLE_RANGE64_SLOTS; i++)
		if (((unsigned long)root->mr64.slot[i] & 7) == 4)
			child = (unsigned long)root->mr64.slot[i] & ~0xfful;
	if (child)
		strcpy((char *)child, "this was a node of a maple tree, once upon a time");
	GARDEN_INDEX("broken-maple", "broken_maple", &broken_maple);
	garden_say("\n");
	broken_maple_head.ma_root = (void *)((unsigned long)nowhere() | 0x1e);
	GARDEN_INDEX("broken-maple", "broken_maple_head", &broken_maple_head);
	garden_say("\n");
}

void garden_break_trees(void)
{
	struct rb_node *node;

	plant_rbtree(&broken_rbtree, NULL, 30);
	plant_rbtree(&broken_rbtree_loop, NULL, 30);
	/* the walk in order gets to what is left of the root */
	GARDEN_HEAD("broken-rbtree", "broken_rbtree", &broken_rbtree, rb);
	for (node = rb_first(&broken_rbtree); node != broken_rbtree.rb_node; node = rb_next(node))
		garden_say_plant(rb_entry(node, struct plant, rb));
	garden_say_plant(rb_entry(node, struct plant, rb));
	garden_say("\n");
	node = broken_rbtree.rb_node->rb_right;
	node->__rb_parent_color = (unsigned long)rb_first(&broken_rbtree);
	GARDEN_HEAD("broken-rbtree", "broken_rbtree_loop", &broken_rbtree_loop, rb);
	garden_say("\n");
	rb_first(&broken_rbtree_loop)->rb_left = broken_rbtree_loop.rb_node;
	break_xarrays();
	break_maples();
}
