/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical pages as the kernel keeps account of them: struct page, its flags and its kind. */
#ifndef OBIT_STRUCT_PAGE_H
#define OBIT_STRUCT_PAGE_H

#include "core/image/target.h"

enum page_kind {
	PAGE_PLAIN, /* of no type: a process's, a file's, or one that the kernel uses itself */
	PAGE_BUDDY, /* free */
	PAGE_SLAB,
	PAGE_TABLE, /* a page table */
	PAGE_OTHER  /* of another type, see page_kind_name() */
};

struct page {
	uint64_t addr; /* struct page */
	uint64_t pa;   /* of its first byte */
	uint64_t head; /* struct page of the first page of its compound page; its own without one */
	uint64_t head_pa;
	uint64_t flags;
	uint32_t type; /* page_type; shares its place with the mapcount */
	enum page_kind kind;
	int64_t refcount;
	int64_t mapcount; /* 0 unless mapped to user space */
	uint64_t mapping, index, private;
	unsigned order; /* of the compound page: it is of 2^order pages */
};

/* Sets *ret to the address of the struct page for a physical address. ERR_NOTRAM: there is none. */
bool page_of_phys(struct target *t, uint64_t pa, uint64_t *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the physical address of the page that a struct page is for. ERR_BADADDR: it is no
 * struct page. */
bool page_to_phys(struct target *t, uint64_t page, uint64_t *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the address of the struct page that addr is in; other structs often point to a
 * member of one. ERR_BADADDR: it is in none. */
bool page_struct_around(struct target *t, uint64_t addr, uint64_t *ret, struct err *err) MUST_CHECK;
/* Reads a struct page. One that is a tail of a compound page has the kind of the head. */
bool page_read(struct target *t, uint64_t page, struct page *ret, struct err *err) MUST_CHECK;
/* Who is told of pages one behind the other. False: no more. */
struct page_visit {
	bool (*page)(const struct page *page, void *arg);
	/* So many struct pages cannot be read, for a reason. */
	bool (*absent)(uint64_t n, const struct err *why, void *arg);
	void *arg;
};
/* Reads the struct pages of the page frames from first on, before last, which have one: many at
 * once, in their order. False: *err is ERR_INTR, or they are nowhere. */
bool page_each(struct target *t, uint64_t first, uint64_t last, const struct page_visit *visit,
	       struct err *err) MUST_CHECK;
/* Sets *ret to whether the page whose head is the struct page at `head` is a slab. Reads only two
 * words, for loops over all pages. */
bool page_is_slab(struct target *t, uint64_t head, bool *ret, struct err *err) MUST_CHECK;
/* The flags that are set, by the kernel's own names: "locked,uptodate,lru"; "": none. It lives as
 * long as the arena.
 */
const char *page_flags_text(struct target *t, uint64_t flags, struct arena *a);
/* What kind of page it is: "slab", "buddy", "table", ...; NULL: a plain one. */
const char *page_kind_name(struct target *t, const struct page *page);
/* Sets *ret to what makes an address in the kernel's map of all memory of a physical one when it is
 * added. */
bool linear_delta(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
/* Calls fn for each run of pages that have a struct page, until fn returns false: first is the page
 * frame number of its first page, last that of the first one behind it. */
bool page_runs(struct target *t, bool (*fn)(uint64_t first, uint64_t last, void *arg), void *arg,
	       struct err *err) MUST_CHECK;
/* Sets *ret to the address of the struct mem_section that the page frame is of. ERR_UNSUPPORTED:
 * all of memory is one array. */
bool page_section(struct target *t, uint64_t pfn, uint64_t *ret, struct err *err) MUST_CHECK;
/* ---- kernel_image.c: the kernel's image lies in one piece, and is known by its own addresses */
struct kernel_image {
	uint64_t pa, va, size;
};
/* False: it is not known where the image is, and ret->size is 0. */
bool kernel_image_find(struct target *t, struct kernel_image *ret);
/* Is va in a page of the image that was freed after boot, so that something else may be there now?
 */
bool kernel_image_freed(struct target *t, uint64_t va);

/* Sets *ret to the value of the constant `name` of the enum `type`. False: there is none. */
bool enum_value(struct target *t, const char *type, const char *name, uint64_t *ret);

#endif
