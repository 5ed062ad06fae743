/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of locks, of those too that nobody waits for. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/walk.h"
#include "core/linux/lock/lock_state.h"
#include "core/linux/lock/lock_impl.h"
#include "core/types/shape.h"

#define WAITERS_MAX 4000000u

/* ---- waiters */

/* Counts the nodes from `first` on until `end`, which is the head, or the first one again. */
static void waiters_count(struct target *t, uint64_t first, uint64_t end, struct wait_state *ret)
{
	uint64_t at = first, next, back;

	do {
		ret->n++;
		if (!mem_ptr(t, at, &next, &ret->why) ||
		    !mem_ptr(t, next + t->arch->word, &back, &ret->why) ||
		    !interrupt_check(&ret->why))
			return;
		if (back != at || ret->n > WAITERS_MAX) {
			err_set_addr(&ret->why, ERR_CORRUPT, at,
				     "the list of waiters is broken at 0x%llx",
				     (unsigned long long)at);
			return;
		}
		at = next;
	} while (at != end);
	ret->counted = true;
}

static bool waiter_count(uint64_t addr, void *arg)
{
	struct wait_state *s = arg;

	(void)addr;
	return ++s->n < WAITERS_MAX;
}

/* An rt_mutex has its waiters in the order of their priorities. */
static void tree_count(struct target *t, uint64_t tree, struct wait_state *ret)
{
	const struct walk_plan w = {
		.what = "tree of waiters", .head = tree, .node = waiter_count, .arg = ret
	};

	ret->counted = rbtree_walk(t, &w, &ret->why);
}

static void waiters_find(struct target *t, const struct lock_sort *sort, uint64_t addr,
			 struct wait_state *ret)
{
	const char *type = arena_printf(t->scratch, "struct %s", sort->tag);
	struct err ignored;
	uint64_t off, first;

	ret->why.code = ERR_OK;
	if (sort->first && field_offset(t, type, sort->first, &off, &ignored)) {
		if (!mem_ptr(t, addr + off, &first, &ret->why))
			return;
		ret->counted = !first;
		if (first)
			waiters_count(t, first, first, ret);
	} else if (sort->list && field_offset(t, type, sort->list, &off, &ignored)) {
		if (!mem_ptr(t, addr + off, &first, &ret->why))
			return;
		ret->counted = first == addr + off;
		if (!ret->counted)
			waiters_count(t, first, addr + off, ret);
	} else if (sort->tree && (field_offset(t, type, sort->tree, &off, &ignored) ||
				  field_offset(t, sort->tag, sort->tree, &off, &ignored))) {
		tree_count(t, addr + off, ret);
	}
}

/* ---- both */

static void state_from_object(const struct wait_object *o, struct wait_state *ret)
{
	ret->type = o->type;
	ret->state = o->state;
	ret->holder = o->holder;
	ret->holder_by = o->holder_by;
}

bool wait_state_at(struct wait_graph *g, uint64_t addr, struct wait_state *ret)
{
	const struct wait_stack nobody = { .g = g };
	const struct lock_sort *sort;
	const struct wait_object *is = NULL;

	*ret = (struct wait_state){ .how = "type" };
	sort = lock_sort_at(g, addr, &ret->name);
	/* a futex has an address of its program's */
	for (size_t i = 0; i < g->objects.n && !is; i++)
		if (g->objects.p[i].addr == addr && !g->objects.p[i].space &&
		    strcmp(g->objects.p[i].type, "ipi") != 0)
			is = &g->objects.p[i];
	if (sort) {
		struct wait_object o = { .type = sort->type, .addr = addr };

		sort->tell(&nobody, &o);
		state_from_object(&o, ret);
		waiters_find(g->t, sort, addr, ret);
	}
	if (!is)
		return sort != NULL;
	/* who waits proves more than the words of the lock: who may have it */
	if (!sort || (!ret->holder && is->holder))
		state_from_object(is, ret);
	if (!sort) {
		ret->name = is->name;
		ret->how = "waiters";
	}
	if (!ret->counted && ret->why.code == ERR_OK) {
		ret->n = is->n;
		ret->counted = true;
	}
	/* a writer that waits for readers is in no tree */
	if (sort && sort->tree && wait_locks_sleep(g->t) && ret->counted && ret->n < is->n)
		ret->n = is->n;
	return true;
}
