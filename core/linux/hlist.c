/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of hlists and llists: lists whose end is NULL, or a marker for the hlist_nulls kind. */
#include "core/base/guard.h"
#include "core/linux/walk.h"

static bool chain(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		  bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	uint64_t node, at = head;
	struct guard g;

	guard_init(&g, what, 0);
	for (;;) {
		if (!mem_ptr(t, at, &node, err))
			return err_wrap(err, "%s: entry 0x%llx, number %llu", what,
					(unsigned long long)at, (unsigned long long)g.steps);
		if (!node || (node & 1)) /* hlist_nulls end in an odd number */
			return true;
		if (node % t->arch->word)
			return err_set_addr(err, ERR_CORRUPT, at,
					    "%s: entry 0x%llx points to misaligned 0x%llx", what,
					    (unsigned long long)at, (unsigned long long)node);
		if (!guard_step(&g, node, err))
			return false;
		if (!fn(node - member_off, arg))
			return true;
		at = node; /* next is the first word of both kinds of node */
	}
}

bool hlist_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	return chain(t, head, member_off, what, fn, arg, err);
}

bool llist_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	return chain(t, head, member_off, what, fn, arg, err);
}
