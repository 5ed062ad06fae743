/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of the kernel's struct list_head, which say where and why they broke. */
#include "core/base/guard.h"
#include "core/linux/linux.h"

/* What list_del() leaves behind, include/linux/poison.h; the high half is a configuration's. */
static const struct {
	uint64_t value;
	const char *name;
} poisons[] = {
	{ 0xdead000000000100u, "LIST_POISON1" },
	{ 0xdead000000000122u, "LIST_POISON2" },
	{ 0x100, "LIST_POISON1" },
	{ 0x122, "LIST_POISON2" },
};

static const char *poison_name(uint64_t p)
{
	for (size_t i = 0; i < ARRAY_SIZE(poisons); i++)
		if (poisons[i].value == p)
			return poisons[i].name;
	return NULL;
}

/* The link of node at off (0: next, a word: prev) points to next; what is wrong with that? */
static bool link_check(struct target *t, uint64_t node, uint64_t next, uint64_t n, const char *what,
		       struct err *err)
{
	const char *poison = poison_name(next);

	if (poison)
		return err_set_addr(err, ERR_CORRUPT, node,
				    "%s: entry 0x%llx, number %llu, was taken off its list (%s)",
				    what, (unsigned long long)node, (unsigned long long)n, poison);
	if (next == 0)
		return err_set_addr(err, ERR_CORRUPT, node,
				    "%s: entry 0x%llx, number %llu, points to NULL", what,
				    (unsigned long long)node, (unsigned long long)n);
	if (next % t->arch->word)
		return err_set_addr(err, ERR_CORRUPT, node,
				    "%s: entry 0x%llx, number %llu, points to misaligned 0x%llx",
				    what, (unsigned long long)node, (unsigned long long)n,
				    (unsigned long long)next);
	return true;
}

/* The walk came back to its head: does the head's other link name the entry it came from? If not, a
 * link was overwritten, and what lies between was passed by. */
static bool end_check(struct target *t, uint64_t head, uint64_t link, uint64_t last, uint64_t n,
		      const char *what, struct err *err)
{
	uint64_t other;

	if (!mem_ptr(t, head + (link ? 0 : t->arch->word), &other, err))
		return err_wrap(err, "%s: head 0x%llx", what, (unsigned long long)head);
	if (other == last)
		return true;
	return err_set_addr(
		err, ERR_CORRUPT, last,
		"%s: entry 0x%llx, number %llu, leads back to the head, whose last entry "
		"is 0x%llx",
		what, (unsigned long long)last, (unsigned long long)n, (unsigned long long)other);
}

static bool walk(struct target *t, uint64_t head, uint64_t link, uint64_t member_off,
		 const char *what, bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	uint64_t node = head, next, n = 0;
	struct guard g;

	guard_init(&g, what, 0);
	for (;;) {
		if (!mem_ptr(t, node + link, &next, err))
			return err_wrap(err, "%s: entry 0x%llx, number %llu", what,
					(unsigned long long)node, (unsigned long long)n);
		if (next == head)
			return end_check(t, head, link, node, n, what, err);
		if (!link_check(t, node, next, n, what, err) || !guard_step(&g, next, err))
			return false;
		n++;
		node = next;
		if (!fn(node - member_off, arg))
			return true;
	}
}

bool list_each(struct target *t, uint64_t head, uint64_t member_off, const char *what,
	       bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	return walk(t, head, 0, member_off, what, fn, arg, err);
}

bool list_each_back(struct target *t, uint64_t head, uint64_t member_off, const char *what,
		    bool (*fn)(uint64_t addr, void *arg), void *arg, struct err *err)
{
	return walk(t, head, t->arch->word, member_off, what, fn, arg, err);
}
