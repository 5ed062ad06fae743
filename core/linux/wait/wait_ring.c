/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiters on stacks and the lists that they are linked in. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define RING_MAX 4000000u

bool wait_layout_of(struct target *t, const char *type, const char *task, const char *list,
		    struct wait_layout *ret)
{
	struct err ignored;

	ret->func = 0;
	return field_offset(t, type, task, &ret->task, &ignored) &&
	       field_offset(t, type, list, &ret->list, &ignored);
}

const struct task *wait_task(const struct wait_graph *g, uint64_t addr)
{
	const uint64_t *p = addr ? map_get(&g->impl->tasks, addr) : NULL;

	return p ? (const struct task *)(uintptr_t)*p : NULL;
}

const struct task *wait_stack_owner(const struct wait_graph *g, uint64_t addr)
{
	const uint64_t size = g->impl->stack_size, *p;

	/* stacks are aligned to their size, which is a power of two */
	p = size ? map_get(&g->impl->stacks, addr & ~(size - 1)) : NULL;
	return p ? (const struct task *)(uintptr_t)*p : NULL;
}

void wait_owner(struct wait_graph *g, struct wait_object *o, uint64_t owner)
{
	if (!owner)
		return;
	o->holder = wait_task(g, owner);
	o->orphan = !o->holder;
	if (o->holder)
		o->holder_by = WAIT_BY_OWNER_WORD;
	else
		o->state = arena_printf(g->t->scratch, "%s%sits owner 0x%llx is no task",
					o->state ? o->state : "", o->state ? "; " : "",
					(unsigned long long)owner);
}

bool wait_has_frame(const struct wait_stack *s, const char *const *functions, size_t *ret)
{
	for (size_t i = 0; i < s->n_names; i++)
		for (size_t k = 0; functions[k]; k++)
			if (!strncmp(s->names[i], functions[k], strlen(functions[k]))) {
				*ret = i;
				return true;
			}
	return false;
}

static bool links(struct target *t, uint64_t node, uint64_t *next, uint64_t *prev)
{
	struct err ignored;

	return mem_ptr(t, node, next, &ignored) && mem_ptr(t, node + t->arch->word, prev, &ignored);
}

/* Do both neighbours of a node point back to it? */
static bool is_linked(struct target *t, uint64_t node)
{
	uint64_t next, prev, back, forth, other;

	return links(t, node, &next, &prev) && links(t, next, &other, &back) &&
	       links(t, prev, &forth, &other) && back == node && forth == node;
}

bool wait_waiter(const struct wait_stack *s, const struct wait_layout *l, size_t *i, uint64_t *ret)
{
	struct target *t = s->g->t;
	uint64_t end = s->lo + s->near * t->arch->word;

	for (; *i < s->near; ++*i) {
		uint64_t waiter = s->lo + *i * t->arch->word - l->task;

		if (s->words[*i] != s->task->addr || waiter < s->lo || waiter + l->list >= end ||
		    !is_linked(t, waiter + l->list))
			continue;
		*ret = waiter;
		++*i;
		return true;
	}
	return false;
}

/* Is the node at this address in a waiter, or is it the head of the list? A waiter lies on the
 * stack of its task, or has a function that wakes. */
static bool is_waiter(struct wait_graph *g, const struct wait_layout *l, uint64_t node)
{
	uint64_t waiter = node - l->list, task, func;
	const struct task *who;
	struct err ignored;

	if (l->func)
		return mem_ptr(g->t, waiter + l->func, &func, &ignored) &&
		       symbol_is_text(g->t, func);
	if (!mem_ptr(g->t, waiter + l->task, &task, &ignored) || !(who = wait_task(g, task)))
		return false;
	return waiter - who->stack < g->impl->stack_size;
}

/* A ring on its way. */
struct wait_ring_walk {
	struct wait_graph *g;
	const struct wait_layout *l;
	struct wait_ring ring;
	size_t number;
};

static void ring_flaw(struct wait_ring_walk *w, const char *what, uint64_t node)
{
	if (!w->ring.flaw)
		w->ring.flaw = arena_printf(w->g->t->scratch,
					    "the list of waiters is broken at 0x%llx: %s",
					    (unsigned long long)node, what);
}

/* Notes that a node is of this ring. False: it was met before. */
static bool ring_add(struct wait_ring_walk *w, uint64_t node)
{
	uint64_t *place;
	bool isnew;

	place = map_put(&w->g->impl->nodes, node, &isnew);
	if (!isnew && *place == w->number + 1) {
		ring_flaw(w, "it comes back to where it was", node);
		return false;
	}
	if (!isnew) {
		/* the same list, of which an earlier walk had only the other side of a break */
		const struct wait_ring *other = &w->g->impl->rings.p[*place - 1];

		w->ring.head = w->ring.head ? w->ring.head : other->head;
		w->ring.lock = other->lock;
		if (other->flaw)
			w->ring.flaw = other->flaw;
		else
			ring_flaw(w, "it leads into another list", node);
		return false;
	}
	*place = w->number + 1;
	if (is_waiter(w->g, w->l, node))
		w->ring.n++;
	else if (!w->ring.head)
		w->ring.head = node;
	else
		ring_flaw(w, "there is a second node that is no waiter", node);
	return true;
}

/* Follows the links from a node on, forward or back. True: they lead to it again. */
static bool ring_follow(struct wait_ring_walk *w, uint64_t start, bool forward)
{
	struct target *t = w->g->t;
	uint64_t at = start, next, prev, to, back, other;
	struct err stop;

	for (;;) {
		if (!links(t, at, &next, &prev)) {
			ring_flaw(w, "it cannot be read", at);
			return false;
		}
		to = forward ? next : prev;
		if (!links(t, to, forward ? &other : &back, forward ? &back : &other)) {
			ring_flaw(w, "what comes next cannot be read", at);
			return false;
		}
		if (back != at) {
			ring_flaw(w, "what comes next does not point back", at);
			return false;
		}
		if (to == start)
			return true;
		if (w->ring.n > RING_MAX || !interrupt_check(&stop) || !ring_add(w, to))
			return false;
		at = to;
	}
}

struct wait_ring *wait_ring_of(struct wait_graph *g, const struct wait_layout *l, uint64_t waiter)
{
	struct wait_impl *impl = g->impl;
	const uint64_t node = waiter + l->list, *known = map_get(&impl->nodes, node);
	struct wait_ring_walk w = { .g = g, .l = l, .number = impl->rings.n };

	if (known)
		return &impl->rings.p[*known - 1];
	ring_add(&w, node);
	if (!ring_follow(&w, node, true) && !w.ring.head)
		ring_follow(&w, node, false);
	*vec_push(&impl->rings) = w.ring;
	return &impl->rings.p[w.number];
}

bool wait_in_ring(struct wait_graph *g, const struct wait_layout *l, const struct wait_ring *ring,
		  uint64_t waiter)
{
	const uint64_t *known = map_get(&g->impl->nodes, waiter + l->list);

	return known && &g->impl->rings.p[*known - 1] == ring;
}
