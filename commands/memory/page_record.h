/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of physical memory: pages, zones, free areas, vmalloc areas, and sums of it. */
#ifndef OBIT_PAGE_RECORD_H
#define OBIT_PAGE_RECORD_H

#include "core/linux/memory/vmalloc.h"
#include "core/linux/memory/zone.h"
#include "core/shell/command.h"

extern const struct record_kind page_kind, zone_kind, free_kind, vmalloc_kind, meminfo_kind;

/* One page by a physical address or that of its struct page. */
bool emit_page(struct ctx *c, uint64_t addr, struct err *err) MUST_CHECK;
/* Sets *ret to the struct page of a word's address: its own, a physical one or a virtual one. */
bool page_asked(struct ctx *c, uint64_t addr, uint64_t *ret, struct err *err) MUST_CHECK;
/* These members, "flags,lru.next", of the n struct pages at `pages`, or of all when n is 0. */
bool emit_page_members(struct ctx *c, const char *members, const uint64_t *pages, size_t n,
		       struct err *err) MUST_CHECK;
/* All of what the name says. */
bool emit_pages(struct ctx *c, struct err *err) MUST_CHECK;
bool emit_zones(struct ctx *c, struct err *err) MUST_CHECK;
bool emit_free_areas(struct ctx *c, struct err *err) MUST_CHECK;
bool emit_vmalloc(struct ctx *c, struct err *err) MUST_CHECK;
bool emit_meminfo(struct ctx *c, struct err *err) MUST_CHECK;

#endif
