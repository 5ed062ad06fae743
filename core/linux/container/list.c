/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of the kernel's struct list_head, which say where and why they broke. */
#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/linux/container/walk.h"

/* One walk on its way: links forward and back are the words at next and prev of a node. */
struct list_at {
	struct target *t;
	const struct walk_plan *w;
	uint64_t next_off, prev_off;
	uint64_t node, n; /* where it is, and how many came before */
	struct map seen;  /* node -> its number; only once a way back disagreed */
	bool seeing;
};

/* Nodes remembered to tell a cycle when it closes; past these the guard tells later. */
#define SEEN_MAX (1u << 20)

static void remember(struct list_at *l, uint64_t node, uint64_t number)
{
	if (l->seen.n < SEEN_MAX)
		*map_put(&l->seen, node, NULL) = number;
}

/* The walk came back to its head: does the head's other link name the entry it came from? If not, a
 * link was overwritten, and what lies between was passed by. */
static bool end_check(const struct list_at *l, struct err *err)
{
	uint64_t head = l->w->head, other;

	if (!mem_ptr(l->t, head + l->prev_off, &other, err))
		return err_wrap(err, "%s: head 0x%llx", l->w->what, (unsigned long long)head);
	if (other == l->node)
		return true;
	return err_set_addr(
		err, ERR_CORRUPT, l->node,
		"%s: entry 0x%llx, number %llu, leads back to the head, whose last entry "
		"is 0x%llx",
		l->w->what, (unsigned long long)l->node, (unsigned long long)l->n,
		(unsigned long long)other);
}

/* Was next met before? Only a node whose way back disagrees can have been, so that those of a list
 * in order need not be remembered. */
static bool met_before(struct list_at *l, uint64_t next, struct err *err)
{
	uint64_t at = l->w->head, *number;

	for (uint64_t i = 1; !l->seeing && i <= l->n; i++) {
		if (!interrupt_check(err) || !mem_ptr(l->t, at + l->next_off, &at, err))
			return false;
		remember(l, at, i);
	}
	l->seeing = true;
	number = map_get(&l->seen, next);
	return !number ||
	       err_set_addr(err, ERR_CORRUPT, l->node,
			    "%s: entry 0x%llx, number %llu, comes back to 0x%llx, number %llu",
			    l->w->what, (unsigned long long)l->node, (unsigned long long)l->n,
			    (unsigned long long)next, (unsigned long long)*number);
}

/* The way back from next must lead to where the walk is. */
static bool back_check(struct list_at *l, uint64_t next, struct err *err)
{
	struct err why;
	uint64_t prev;

	/* what cannot be read is told when the walk gets there */
	if (!mem_ptr(l->t, next + l->prev_off, &prev, &why) || prev == l->node)
		return true;
	if (!met_before(l, next, err))
		return false;
	err_set_addr(err, ERR_CORRUPT, next,
		     "%s: entry 0x%llx, number %llu, comes after 0x%llx, but names 0x%llx the one "
		     "before it%s%s",
		     l->w->what, (unsigned long long)next, (unsigned long long)l->n + 1,
		     (unsigned long long)l->node, (unsigned long long)prev,
		     poison_name(prev) ? ": " : "", poison_name(prev) ? poison_name(prev) : "");
	return walk_flaw(l->w, err);
}

static bool follow(struct list_at *l, struct err *err)
{
	const struct walk_plan *w = l->w;
	struct target *t = l->t;
	uint64_t next, after;
	bool readable = true;
	struct guard g;

	guard_init(&g, w->what, 0);
	if (!mem_ptr(t, w->head + l->next_off, &next, err))
		return err_wrap(err, "%s: entry 0x%llx, number 0", w->what,
				(unsigned long long)w->head);
	for (; next != w->head; next = after) {
		if (!walk_pointer(t, w, l->node, l->n, next, err) ||
		    (w->flaw && !back_check(l, next, err)) || !guard_step(&g, next, err))
			return false;
		l->n++;
		l->node = next;
		if (l->seeing)
			remember(l, next, l->n);
		readable = mem_ptr(t, next + l->next_off, &after, err) ||
			   err_wrap(err, "%s: entry 0x%llx, number %llu", w->what,
				    (unsigned long long)next, (unsigned long long)l->n);
		/* an entry that the dump lacks is one nevertheless */
		if (!readable && walk_is_wild(err))
			return false;
		if (!w->node(next - w->link, w->arg))
			return true;
		if (!readable)
			return false;
	}
	return end_check(l, err);
}

bool list_walk(struct target *t, const struct walk_plan *w, bool back, struct err *err)
{
	struct list_at l = { .t = t,
			     .w = w,
			     .next_off = back ? t->arch->word : 0,
			     .prev_off = back ? 0 : t->arch->word,
			     .node = w->head };
	bool ok = follow(&l, err);

	map_release(&l.seen);
	return ok;
}

bool list_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
	       bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	const struct walk_plan w = {
		.what = what, .head = head, .link = member_off, .node = fn, .arg = arg
	};

	return list_walk(t, &w, false, err);
}

bool list_each_back(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		    bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	const struct walk_plan w = {
		.what = what, .head = head, .link = member_off, .node = fn, .arg = arg
	};

	return list_walk(t, &w, true, err);
}
