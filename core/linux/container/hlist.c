/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of lists whose end is NULL, or a marker for the hlist_nulls kind: hlists, llists, and
 * tables of hlists. */
#include "core/base/guard.h"
#include "core/linux/container/walk.h"

/* Nodes remembered to tell a cycle when it closes; past these the guard tells later. */
#define SEEN_MAX (1u << 20)

struct chain {
	struct target *t;
	const struct walk_plan *w;
	struct guard guard;
	struct map seen; /* node -> its number; only while flaws are told */
	uint64_t n;      /* entries so far */
	bool back;       /* nodes have a pprev */
	bool stop, told;
};

/* hlist_del() leaves poison in both links; a node's pprev is where the pointer to it is. */
static bool node_check(struct chain *c, uint64_t at, uint64_t node, struct err *err)
{
	uint64_t pprev, *number;
	struct err why;
	bool isnew;

	if (!walk_pointer(c->t, c->w, at, c->n, node, err))
		return false;
	if (!c->w->flaw)
		return true;
	if (c->seen.n < SEEN_MAX) {
		number = map_put(&c->seen, node, &isnew);
		if (!isnew)
			return err_set_addr(err, ERR_CORRUPT, at,
					    "%s: entry 0x%llx, number %llu, comes back to 0x%llx, "
					    "number %llu",
					    c->w->what, (unsigned long long)at,
					    (unsigned long long)c->n, (unsigned long long)node,
					    (unsigned long long)*number);
		*number = c->n + 1;
	}
	if (!c->back || !mem_ptr(c->t, node + c->t->arch->word, &pprev, &why) || pprev == at)
		return true;
	err_set_addr(err, ERR_CORRUPT, node,
		     "%s: entry 0x%llx, number %llu, is pointed to by 0x%llx, but names 0x%llx",
		     c->w->what, (unsigned long long)node, (unsigned long long)c->n + 1,
		     (unsigned long long)at, (unsigned long long)pprev);
	return walk_flaw(c->w, err);
}

/* From the pointer at `at` on. */
static bool follow(struct chain *c, uint64_t at, struct err *err)
{
	uint64_t node, after;
	bool readable;

	if (!mem_ptr(c->t, at, &node, err))
		return err_wrap(err, "%s: entry 0x%llx, number %llu", c->w->what,
				(unsigned long long)at, (unsigned long long)c->n);
	/* hlist_nulls end in an odd number */
	for (; node && !(node & 1); node = after) {
		if (!node_check(c, at, node, err) || !guard_step(&c->guard, node, err))
			return false;
		c->n++;
		/* next is the first word of all these nodes */
		readable = mem_ptr(c->t, node, &after, err) ||
			   err_wrap(err, "%s: entry 0x%llx, number %llu", c->w->what,
				    (unsigned long long)node, (unsigned long long)c->n);
		if (!readable && walk_is_wild(err))
			return false;
		if (!c->w->node(node - c->w->link, c->w->arg)) {
			c->stop = true;
			return true;
		}
		if (!readable)
			return false;
		at = node;
	}
	return true;
}

static bool walk_chain(struct target *t, const struct walk_plan *w, bool back, struct err *err)
{
	struct chain c = { .t = t, .w = w, .back = back };
	bool ok;

	guard_init(&c.guard, w->what, 0);
	ok = follow(&c, w->head, err);
	map_release(&c.seen);
	return ok;
}

bool hlist_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	return walk_chain(t, w, true, err);
}

bool llist_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	return walk_chain(t, w, false, err);
}

bool hash_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct chain c = { .t = t, .w = w, .back = true };
	bool ok = true;

	guard_init(&c.guard, w->what, 0);
	for (uint64_t i = 0; ok && !c.stop && i < w->count; i++) {
		ok = interrupt_check(err) && follow(&c, w->head + i * t->arch->word, err);
		if (!ok && err->code != ERR_INTR && err->code != ERR_LIMIT) {
			err_wrap(err, "bucket %llu", (unsigned long long)i);
			ok = walk_flaw(w, err);
			guard_init(&c.guard, w->what, 0);
		}
	}
	map_release(&c.seen);
	return ok;
}

bool hlist_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		walk_node_fn *fn, void *arg, struct err *err)
{
	const struct walk_plan w = {
		.what = what, .head = head, .link = member_off, .node = fn, .arg = arg
	};

	return hlist_walk(t, &w, err);
}
