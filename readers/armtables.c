/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 32-bit ARM's page tables, whose place in physical memory nobody notes: found by themselves. */
#include "readers/kaslr.h"
#include "readers/vmlinux.h"

/*
 * The kernel's image is part of the linear map, which begins at PAGE_OFFSET with the first RAM; the
 * difference to its physical address is patched into the code at boot and a multiple of 2 MiB (of
 * 16 MiB until 9443076e4330, v5.11). swapper_pg_dir maps itself, as it maps all of the image: what
 * does is it.
 */
#define STEP (UINT64_C(2) << 20)
#define PAGE_OFFSET_STEP (UINT64_C(1) << 28) /* CONFIG_PAGE_OFFSET is a multiple */
#define TRIES_MAX 65536u

static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	uint8_t b[8];

	if (!mem_read_phys(self, pa, b, sizeof(b), err))
		return false;
	*ret = load_le64(b);
	return true;
}

static bool maps_itself(struct target *t, uint64_t va, uint64_t pa, bool lpae)
{
	struct mmu mmu = { .read_entry = read_entry, .self = t };
	struct mapping map;
	struct err err;

	arm_mmu(&mmu, pa, lpae);
	return arch_arm.walk(&mmu, va, &map, &err) && map.pa + (va - map.va) == pa;
}

static bool try_root(struct target *t, uint64_t va, uint64_t pa)
{
	bool lpae = maps_itself(t, va, pa, true);

	if (!lpae && !maps_itself(t, va, pa, false))
		return false;
	target_add_fact(t, "pgtable_root", pa);
	target_add_fact(t, "arm_lpae", lpae);
	target_add_fact(t, "linear_offset", pa - va);
	t->memory.mmu_tried = t->memory.mmu_ok = false;
	return true;
}

bool arm_tables_search(struct target *t, struct err *err)
{
	uint64_t va, above, tries = 0;

	if (!vmcoreinfo_hex(t, "SYMBOL(swapper_pg_dir)", &va) &&
	    !vmlinux_symbol(t, "swapper_pg_dir", &va))
		return err_set(err, ERR_NOSYM, "no symbol 'swapper_pg_dir'");
	above = va % PAGE_OFFSET_STEP;
	for (size_t i = 0; i < t->ram.n; i++) {
		const struct ram_region *r = &t->ram.p[i];
		uint64_t base = (r->first + STEP - 1) & ~(STEP - 1);

		for (; base + above < r->last && tries++ < TRIES_MAX; base += STEP)
			if (try_root(t, va, base + above))
				return true;
	}
	return err_set(err, ERR_NOTFOUND,
		       "the page tables were not found in the dump's memory: no 'swapper_pg_dir' "
		       "that maps itself");
}
