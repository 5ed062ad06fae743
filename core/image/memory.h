/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dead kernel's memory, by virtual and by physical address. */
#ifndef OBIT_MEMORY_H
#define OBIT_MEMORY_H

#include "core/arch/arch.h"
#include "core/base/arena.h"

struct target;

/* A dump's physical memory; a reader provides it. */
struct phys_source {
	/* Reads n bytes within one 4 KiB page. ERR_EXCLUDED, ERR_TRUNCATED, ERR_NOTRAM,
	 * ERR_CORRUPT, ERR_UNREADABLE. */
	bool (*read)(void *self, uint64_t pa, void *buf, size_t n, struct err *err);
	/* The same bytes in place for the source's lifetime, or NULL where that is not possible.
	 * May be NULL. */
	const uint8_t *(*map)(void *self, uint64_t pa, size_t n);
	/* Of a page at pa that cannot be read: the address behind it up to which nothing else can
	 * be either, as far as that is known without a look at each page. May be NULL. */
	uint64_t (*absent_end)(void *self, uint64_t pa);
	/* Called once by mem_release(). May be NULL. */
	void (*close)(void *self);
	void *self;
};

/* Private to memory.c: translations and pages seen lately. */
struct mem_cache;

struct memory {
	struct phys_source phys; /* read == NULL: no memory was loaded */
	struct mmu mmu;
	bool mmu_tried, mmu_ok;
	struct err mmu_err; /* why not, when tried and not ok */
	struct mem_cache *cache;
};

/*
 * Kernel virtual memory. A range may cross pages. An address the kernel could not use (NULL, user
 * half, non-canonical) is ERR_BADADDR without asking the dump; err->addr is the first address not
 * read.
 */
bool mem_read(struct target *t, uint64_t va, void *buf, size_t n, struct err *err) MUST_CHECK;
/* As much as can be read from va on, at most n; *err says why it ended when fewer. */
size_t mem_read_some(struct target *t, uint64_t va, void *buf, size_t n, struct err *err);
bool mem_read_phys(struct target *t, uint64_t pa, void *buf, size_t n, struct err *err) MUST_CHECK;
/* Where a walk over physical memory goes on behind the page at pa, which could not be read: the
 * next page, or the end of all that is absent with it, however much a damaged header claims that to
 * be. Aligned to 4 KiB; 0 when that is the end of the address space. */
uint64_t mem_absent_end(struct target *t, uint64_t pa);
bool mem_u8(struct target *t, uint64_t va, uint8_t *ret, struct err *err) MUST_CHECK;
bool mem_u16(struct target *t, uint64_t va, uint16_t *ret, struct err *err) MUST_CHECK;
bool mem_u32(struct target *t, uint64_t va, uint32_t *ret, struct err *err) MUST_CHECK;
bool mem_u64(struct target *t, uint64_t va, uint64_t *ret, struct err *err) MUST_CHECK;
/* A pointer of the target's word size. */
bool mem_ptr(struct target *t, uint64_t va, uint64_t *ret, struct err *err) MUST_CHECK;
/* n of them in a row. */
bool mem_words(struct target *t, uint64_t va, uint64_t *ret, size_t n, struct err *err) MUST_CHECK;
/* A NUL-terminated string of at most max bytes, copied to the arena; cut at max without an error.
 */
bool mem_str(struct target *t, uint64_t va, size_t max, struct arena *a, const char **ret,
	     struct err *err) MUST_CHECK;
/* n bytes in an arena; n > max is ERR_LIMIT. */
bool mem_bytes(struct target *t, uint64_t va, size_t n, size_t max, struct arena *a,
	       struct span *ret, struct err *err) MUST_CHECK;
bool mem_virt_to_phys(struct target *t, uint64_t va, uint64_t *ret, struct err *err) MUST_CHECK;
/* An entry of the page tables at a physical address, as struct mmu.read_entry. */
bool mem_table_entry(void *target, uint64_t pa, uint64_t *ret, struct err *err) MUST_CHECK;
/* Is there a dump at all? */
bool mem_loaded(const struct target *t);
void mem_release(struct target *t);

#endif
