/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel's image lies in memory, and which pages of it were given back after boot. */
#include "core/linux/memory/struct_page.h"

/*
 * What only booting needs (__init), gaps between sections and unused early page tables are handed
 * to the page allocator, and hold then what anybody asked memory for. The image's own addresses may
 * still lead there (x86-64 leaves them mapped), and its symbols still name them, but nobody uses
 * them any more: what lies there now is known by the map of all memory.
 */

/* The first state after booting, where no type tells: before it are SYSTEM_BOOTING and, since
 * v4.13, SYSTEM_SCHEDULING. */
#define STATE_FREED 2

bool kernel_image_find(struct target *t, struct kernel_image *ret)
{
	/* arm64 does not map what lies before _stext */
	static const char *const starts[] = { "_text", "_stext" };
	struct err ignored;
	uint64_t end;

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (symbol_addr(t, starts[i], &ret->va) && symbol_addr(t, "_end", &end) &&
		    end > ret->va && mem_virt_to_phys(t, ret->va, &ret->pa, &ignored)) {
			ret->size = end - ret->va;
			return true;
		}
	ret->size = 0;
	return false;
}

/* By the sections' names and how far booting has come. */
static bool freed_by_state(struct target *t, uint64_t va)
{
	/* the first of the two came later */
	static const char *const states[] = { "SYSTEM_FREEING_INITMEM", "SYSTEM_RUNNING" };
	uint64_t begin, end, at, first;
	struct err ignored;
	uint32_t state;

	if (!symbol_addr(t, "__init_begin", &begin) || !symbol_addr(t, "__init_end", &end) ||
	    va < begin || va >= end || !symbol_addr(t, "system_state", &at) ||
	    !mem_u32(t, at, &state, &ignored))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (enum_value(t, "enum system_states", states[i], &first))
			return state >= first;
	return state >= STATE_FREED;
}

/* Pages of the image are reserved until they are given back. */
bool kernel_image_freed(struct target *t, uint64_t va)
{
	struct kernel_image image;
	struct page page;
	struct err ignored;
	uint64_t bit, at;

	if (!kernel_image_find(t, &image) || va < image.va || va - image.va >= image.size)
		return false;
	if (enum_value(t, "enum pageflags", "PG_reserved", &bit) && bit < 64 &&
	    page_of_phys(t, image.pa + (va - image.va), &at, &ignored) &&
	    page_read(t, at, &page, &ignored))
		return !(page.flags >> bit & 1);
	return freed_by_state(t, va);
}
