/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What walks of every kind share: what an entry must be, and who is told of damage. */
#include "core/linux/container/walk.h"

bool walk_flaw(const struct walk_plan *w, const struct err *e)
{
	if (!w->flaw)
		return false;
	w->flaw(e, w->arg);
	return true;
}

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

const char *poison_name(uint64_t p)
{
	for (size_t i = 0; i < ARRAY_SIZE(poisons); i++)
		if (poisons[i].value == p)
			return poisons[i].name;
	return NULL;
}

bool walk_pointer(struct target *t, const struct walk_plan *w, uint64_t from, uint64_t n,
		  uint64_t to, struct err *err)
{
	unsigned long long at = from, nr = n, next = to;
	const char *poison = poison_name(to);

	if (poison)
		return err_set_addr(err, ERR_CORRUPT, from,
				    "%s: entry 0x%llx, number %llu, was taken off its list (%s)",
				    w->what, at, nr, poison);
	if (!to)
		return err_set_addr(err, ERR_CORRUPT, from,
				    "%s: entry 0x%llx, number %llu, points to NULL", w->what, at,
				    nr);
	if (to % t->arch->word)
		return err_set_addr(err, ERR_CORRUPT, from,
				    "%s: entry 0x%llx, number %llu, points to misaligned 0x%llx",
				    w->what, at, nr, next);
	if (!t->arch->is_kernel_va(to))
		return err_set_addr(err, ERR_BADADDR, from,
				    "%s: entry 0x%llx, number %llu, points to 0x%llx, which is no "
				    "address of the kernel's",
				    w->what, at, nr, next);
	return true;
}
