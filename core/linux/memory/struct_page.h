/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical pages as the kernel keeps account of them: struct page, its flags and its kind. */
#ifndef OBIT_STRUCT_PAGE_H
#define OBIT_STRUCT_PAGE_H

#include "core/image/target.h"

enum page_kind {
	PAGE_PLAIN, /* of no type: of a process, of a file, or the kernel's own use */
	PAGE_BUDDY, /* free */
	PAGE_SLAB,
	PAGE_TABLE, /* a page table */
	PAGE_OTHER  /* of another type, see page_kind_name() */
};

struct page {
	uint64_t addr; /* struct page */
	uint64_t pa;   /* of its first byte */
	uint64_t head; /* struct page of the compound page's first; itself where it is none */
	uint64_t head_pa;
	uint64_t flags;
	uint32_t type; /* page_type; shares its place with the mapcount */
	enum page_kind kind;
	int64_t refcount;
	int64_t mapcount; /* 0 unless mapped to user space */
	uint64_t mapping, index, private;
	unsigned order; /* of the compound page: it is of 2^order pages */
};

/* The struct page of the page that a physical address lies in. ERR_NOTRAM: the kernel had none. */
bool page_of_phys(struct target *t, uint64_t pa, uint64_t *ret, struct err *err) MUST_CHECK;
/* The physical address that a struct page is about. ERR_BADADDR: it is no struct page. */
bool page_to_phys(struct target *t, uint64_t page, uint64_t *ret, struct err *err) MUST_CHECK;
/* The struct page that an address is in: a member of one is often all that another struct points
 * to. ERR_BADADDR: it is in none. */
bool page_struct_around(struct target *t, uint64_t addr, uint64_t *ret, struct err *err) MUST_CHECK;
/* Everything about a struct page; a tail of a compound page has its head's kind. */
bool page_read(struct target *t, uint64_t page, struct page *ret, struct err *err) MUST_CHECK;
/* Is this compound page, by its head, a slab? For loops: reads two words. */
bool page_is_slab(struct target *t, uint64_t head, bool *ret, struct err *err) MUST_CHECK;
/* "locked,uptodate,lru": the flags set, by the kernel's own names; "" for none; in the arena. */
const char *page_flags_text(struct target *t, uint64_t flags, struct arena *a);
/* "slab", "buddy", "table" ...; NULL for a plain page. */
const char *page_kind_name(struct target *t, const struct page *page);
/* An address in the kernel's map of all memory is a physical one plus this. */
bool linear_delta(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
/* Calls fn for each run of pages that have a struct page: [first, last) page frame numbers.
 * fn returns false to stop. */
bool page_runs(struct target *t, bool (*fn)(uint64_t first, uint64_t last, void *arg), void *arg,
	       struct err *err) MUST_CHECK;
/* ---- kernel_image.c: the kernel's image lies in one piece, and is known by its own addresses */
struct kernel_image {
	uint64_t pa, va, size;
};
/* False: unknown, and its size is 0. */
bool kernel_image_find(struct target *t, struct kernel_image *ret);
/* Does va belong to the image, but to a page that was given back after boot, and holds something
 * else now? */
bool kernel_image_freed(struct target *t, uint64_t va);

/* The value of an enumeration's constant; false: there is none. */
bool enum_value(struct target *t, const char *type, const char *name, uint64_t *ret);

#endif
