// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* Lists: one of each kind with known contents, and each way in which one can be broken. */

#include <linux/list_lru.h>
#include <linux/poison.h>
#include <linux/vmalloc.h>

#include "garden.h"

static const u64 numbers[] = { 30, 10, 40, 11, 50, 9, 2 };

struct list_head garden_list = LIST_HEAD_INIT(garden_list);
struct list_head garden_empty = LIST_HEAD_INIT(garden_empty);
struct hlist_head garden_hlist;
struct hlist_nulls_head garden_nulls;
struct llist_head garden_llist;
struct plist_head garden_plist = PLIST_HEAD_INIT(garden_plist);
struct klist garden_klist;
struct list_lru garden_lru;
struct list_head garden_million = LIST_HEAD_INIT(garden_million);

/* Linked by hand, as the kernel exports no plist_add(): prio_list joins the first of each priority,
 * node_list all. */
static void plant_plist(void)
{
	struct plant *first = NULL;
	int i;

	GARDEN_HEAD("plist", "garden_plist", &garden_plist, plist);
	for (i = 0; i < 6; i++) {
		struct plant *p = plant_new(100 + i);

		plist_node_init(&p->plist, i / 2);
		list_add_tail(&p->plist.node_list, &garden_plist.node_list);
		if (!first)
			first = p;
		else if (i % 2 == 0)
			list_add_tail(&p->plist.prio_list, &first->plist.prio_list);
		garden_say_plant(p);
	}
	garden_say("\n");
}

static void plant_lru(void)
{
	int i;

	if (list_lru_init(&garden_lru))
		return;
	GARDEN_HEAD("list_lru", "garden_lru", &garden_lru, list);
	for (i = 0; i < 4; i++) {
		struct plant *p = plant_new(200 + i);

		INIT_LIST_HEAD(&p->list);
#ifdef GARDEN_LIST_LRU_ADD_OBJ
		list_lru_add_obj(&garden_lru, &p->list);
#else
		list_lru_add(&garden_lru, &p->list);
#endif
		garden_say_plant(p);
	}
	garden_say("\n");
}

static void plant_million(void)
{
	struct list_head *node = vzalloc(1000000 * sizeof(*node));
	long i;

	if (!node)
		return;
	for (i = 0; i < 1000000; i++)
		list_add_tail(&node[i], &garden_million);
	garden_say("million garden_million %#lx list_head.next 0 = 1000000\n",
		   (unsigned long)&garden_million);
}

void garden_plant_lists(void)
{
	struct plant *plants[ARRAY_SIZE(numbers)];
	struct hlist_nulls_node *last_null = NULL;
	struct hlist_node *last = NULL;
	int i;

	INIT_HLIST_NULLS_HEAD(&garden_nulls, 7);
	klist_init(&garden_klist, NULL, NULL);
	GARDEN_HEAD("list", "garden_list", &garden_list, list);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct plant *p = plants[i] = plant_new(numbers[i]);

		list_add_tail(&p->list, &garden_list);
		if (last)
			hlist_add_behind(&p->hlist, last);
		else
			hlist_add_head(&p->hlist, &garden_hlist);
		last = &p->hlist;
		klist_add_tail(&p->klist, &garden_klist);
		garden_say_plant(p);
	}
	garden_say("\n");
	GARDEN_HEAD("list", "garden_empty", &garden_empty, list);
	garden_say("\n");
	GARDEN_HEAD("hlist", "garden_hlist", &garden_hlist, hlist);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		garden_say_plant(plants[i]);
	garden_say("\n");
	GARDEN_HEAD("klist", "garden_klist", &garden_klist, klist);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		garden_say_plant(plants[i]);
	garden_say("\n");
	/* these two grow at the head */
	for (i = ARRAY_SIZE(numbers) - 1; i >= 0; i--) {
		struct hlist_nulls_node *n = &plants[i]->nulls;

		n->next = garden_nulls.first;
		n->pprev = &garden_nulls.first;
		if (last_null)
			last_null->pprev = &n->next;
		garden_nulls.first = n;
		last_null = n;
		llist_add(&plants[i]->llist, &garden_llist);
	}
	GARDEN_HEAD("hlist", "garden_nulls", &garden_nulls, nulls);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		garden_say_plant(plants[i]);
	garden_say("\n");
	GARDEN_HEAD("llist", "garden_llist", &garden_llist, llist);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		garden_say_plant(plants[i]);
	garden_say("\n");
	plant_plist();
	plant_lru();
	plant_million();
}

/* ---- broken ones: each has four plants, and what can be reached from its head is said */

struct list_head broken_cycle, broken_poison, broken_prev, broken_nowhere, broken_null, broken_odd;
struct hlist_head broken_hlist, broken_hlist_cycle;
struct llist_head broken_llist;
struct plist_head broken_plist;
struct klist broken_klist;

static void four(struct list_head *head, struct plant **p)
{
	int i;

	INIT_LIST_HEAD(head);
	for (i = 0; i < 4; i++) {
		p[i] = plant_new(1 + i);
		list_add_tail(&p[i]->list, head);
	}
}

#define SAY_BROKEN(kind, head, member, plants, n)                  \
	do {                                                       \
		int at;                                            \
                                                                   \
		GARDEN_HEAD("broken-" kind, #head, &head, member); \
		for (at = 0; at < (n); at++)                       \
			garden_say_plant((plants)[at]);            \
		garden_say("\n");                                  \
	} while (0)

static void break_circles(void)
{
	struct plant *p[4];

	four(&broken_cycle, p);
	p[3]->list.next = &p[1]->list;
	SAY_BROKEN("list", broken_cycle, list, p, 4);
	four(&broken_poison, p);
	p[1]->list.next = LIST_POISON1;
	p[1]->list.prev = LIST_POISON2;
	SAY_BROKEN("list", broken_poison, list, p, 2);
	/* the walk forward misses p[2], whose neighbours both forgot it half */
	four(&broken_prev, p);
	p[2]->list.prev = &p[0]->list;
	SAY_BROKEN("list", broken_prev, list, p, 4);
	/* inside the hole between the two halves' addresses, far above all RAM, a process's own */
	four(&broken_nowhere, p);
#ifdef CONFIG_X86_64
	p[2]->list.next = (void *)0xffffeb1234567890ul;
#elif BITS_PER_LONG == 32
	p[2]->list.next = (void *)0x12345678ul;
#else
	p[2]->list.next = (void *)((unsigned long)&p[2]->list | 0x7ul << 44);
#endif
	SAY_BROKEN("list", broken_nowhere, list, p, 3);
	four(&broken_null, p);
	p[0]->list.next = NULL;
	SAY_BROKEN("list", broken_null, list, p, 1);
	four(&broken_odd, p);
	p[3]->list.next = (void *)((char *)&p[0]->list + 3);
	SAY_BROKEN("list", broken_odd, list, p, 4);
}

static void break_chains(void)
{
	struct plant *p[4];
	int i;

	for (i = 3; i >= 0; i--) {
		p[i] = plant_new(1 + i);
		hlist_add_head(&p[i]->hlist, &broken_hlist);
		hlist_add_head(&p[i]->hash, &broken_hlist_cycle);
		llist_add(&p[i]->llist, &broken_llist);
	}
	p[2]->hlist.pprev = &p[0]->hlist.next;
	SAY_BROKEN("hlist", broken_hlist, hlist, p, 4);
	p[3]->hash.next = &p[2]->hash;
	SAY_BROKEN("hlist", broken_hlist_cycle, hash, p, 4);
	p[3]->llist.next = &p[0]->llist;
	SAY_BROKEN("llist", broken_llist, llist, p, 4);

	plist_head_init(&broken_plist);
	klist_init(&broken_klist, NULL, NULL);
	for (i = 0; i < 4; i++) {
		p[i] = plant_new(1 + i);
		plist_node_init(&p[i]->plist, 4 - i);
		list_add_tail(&p[i]->plist.node_list, &broken_plist.node_list);
		klist_add_tail(&p[i]->klist, &broken_klist);
	}
	p[1]->plist.node_list.next = NULL;
	SAY_BROKEN("plist", broken_plist, plist, p, 2);
	p[3]->klist.n_node.next = &p[2]->klist.n_node;
	SAY_BROKEN("klist", broken_klist, klist, p, 4);
}

void garden_break_lists(void)
{
	break_circles();
	break_chains();
}
