/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an entry of a page table means that maps nothing: swap, migration, PROT_NONE. */
#include "core/linux/memory/entry.h"
#include "core/linux/arch.h"
#include "core/linux/memory/struct_page.h"

/*
 * include/linux/swap.h: swap types have five bits. The last ones are no swap areas, and how many
 * there are hangs on how the kernel was configured, in this order: poisoned pages (one), pages that
 * migrate (two; three since 6c287605fd56, v5.19), memory of devices (none, two, three or four),
 * and, since v5.19, markers (none or one), and pages that swap could not give back (one until
 * v6.3, none since).
 */
#define SWAP_TYPES 32u

/* How many swap areas there can be: as many as swap_info has elements. 0: not known. */
static unsigned areas_max(struct target *t)
{
	const struct type *type;
	struct symbol sym;
	struct err ignored;

	if (!symbol_find(t, "swap_info", &sym, &ignored) ||
	    !type_of_symbol(t, &sym, &type, &ignored))
		return 0;
	type = type_strip(type);
	if (type->kind != TYPE_ARRAY || type->size / t->arch->word >= SWAP_TYPES)
		return 0;
	return (unsigned)(type->size / t->arch->word);
}

static bool has(struct target *t, const char *function)
{
	struct symbol sym;
	struct err ignored;

	return symbol_find(t, function, &sym, &ignored);
}

const char *swap_type_name(struct target *t, unsigned type)
{
	unsigned at = areas_max(t), rest;
	bool exclusive;
	uint64_t ignored;

	if (!at || type < at)
		return at ? NULL : "special";
	if (has(t, "memory_failure") && type == at++)
		return "poisoned";
	exclusive = enum_value(t, "enum pageflags", "PG_anon_exclusive", &ignored);
	if (has(t, "migration_entry_wait")) {
		at += exclusive ? 3 : 2;
		if (type < at)
			return "migration";
	}
	rest = SWAP_TYPES - at;
	if (!exclusive || type < SWAP_TYPES - 2)
		return "device memory";
	return rest <= 2 ? "marker or swap error" : "marker, swap error or device memory";
}

void entry_hidden(struct target *t, const struct mmu *mmu, uint64_t entry, struct user_page *p)
{
	const struct linux_arch *arch = linux_arch_of(t->arch);

	p->entry = entry;
	if (arch->hidden)
		arch->hidden(t, mmu, entry, p);
	else
		p->state = entry ? USER_SWAPPED : USER_NONE;
}

static const char *swapped_meaning(struct target *t, const struct user_page *p, struct arena *a)
{
	const char *name = p->has_swap ? swap_type_name(t, p->swap_type) : NULL;

	if (!p->has_swap)
		return "swapped out, or on its way: the entry's layout is not known";
	if (!name)
		return arena_printf(a, "swapped out: page %llu of swap area %u",
				    (unsigned long long)p->swap_offset, p->swap_type);
	return arena_printf(a, "%s: swap type %u, offset 0x%llx", name, p->swap_type,
			    (unsigned long long)p->swap_offset);
}

const char *entry_meaning(struct target *t, const struct mmu *mmu, uint64_t entry, uint64_t size,
			  struct arena *a)
{
	struct user_page p = { .size = size };

	if (!entry)
		return "nothing";
	if (!mmu->low)
		return "not present";
	entry_hidden(t, mmu, entry, &p);
	if (p.state == USER_BARRED)
		return arena_printf(a, "PROT_NONE: in RAM at 0x%llx", (unsigned long long)p.pa);
	return p.state == USER_SWAPPED ? swapped_meaning(t, &p, a) : "nothing";
}
