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
	/* For a page at pa that cannot be read: the first address behind it that may be readable,
	 * as far as that is known without looking at each page. May be NULL. */
	uint64_t (*absent_end)(void *self, uint64_t pa);
	/* Called once by mem_release(). May be NULL. */
	void (*close)(void *self);
	void *self;
	bool alone; /* a copy of this process has to open the dump again, which may take long */
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
 * Reads n bytes of the kernel's virtual memory; they may be of several pages. An address that the
 * kernel could not use (NULL, one of a program's, one that is not canonical) is ERR_BADADDR, and
 * the dump is not asked. err->addr is the first address that was not read.
 */
bool mem_read(struct target *t, uint64_t va, void *buf, size_t n, struct err *err) MUST_CHECK;
/* Reads as many bytes as can be read from va on, at most n, and returns how many. When they are
 * fewer than n, *err says why the next one cannot be read. */
size_t mem_read_some(struct target *t, uint64_t va, void *buf, size_t n, struct err *err);
/* Reads n bytes of physical memory. */
bool mem_read_phys(struct target *t, uint64_t pa, void *buf, size_t n, struct err *err) MUST_CHECK;
/* Reads the page of 4 KiB at pa, for scans that come once to each page: it is not kept, so that it
 * drives nothing out that is asked for again. */
bool mem_scan_page(struct target *t, uint64_t pa, void *buf, struct err *err) MUST_CHECK;
/* Where a walk over physical memory goes on when the page at pa could not be read: at the next
 * page, or at the end of all that is absent with it, even if a damaged header says that this is
 * most of the address space. The result is a multiple of 4 KiB; 0 stands for the end of the address
 * space. */
uint64_t mem_absent_end(struct target *t, uint64_t pa);
/* Unsigned integers at a virtual address, in the target's byte order. */
bool mem_u8(struct target *t, uint64_t va, uint8_t *ret, struct err *err) MUST_CHECK;
bool mem_u16(struct target *t, uint64_t va, uint16_t *ret, struct err *err) MUST_CHECK;
bool mem_u32(struct target *t, uint64_t va, uint32_t *ret, struct err *err) MUST_CHECK;
bool mem_u64(struct target *t, uint64_t va, uint64_t *ret, struct err *err) MUST_CHECK;
/* A pointer of the target's word size. */
bool mem_ptr(struct target *t, uint64_t va, uint64_t *ret, struct err *err) MUST_CHECK;
/* n pointers, one behind the other. */
bool mem_words(struct target *t, uint64_t va, uint64_t *ret, size_t n, struct err *err) MUST_CHECK;
/* The string at va up to its NUL, copied to the arena. It is cut after max bytes, which is no
 * error.
 */
bool mem_str(struct target *t, uint64_t va, size_t max, struct arena *a, const char **ret,
	     struct err *err) MUST_CHECK;
/* n bytes at va, copied to the arena; ERR_LIMIT when n is above max. */
bool mem_bytes(struct target *t, uint64_t va, size_t n, size_t max, struct arena *a,
	       struct span *ret, struct err *err) MUST_CHECK;
/* How many processes may work on a question about memory, as struct workers.jobs has it. */
unsigned mem_jobs(const struct target *t);
/* The physical address of a virtual one, by the kernel's page tables. */
bool mem_virt_to_phys(struct target *t, uint64_t va, uint64_t *ret, struct err *err) MUST_CHECK;
/* Sets *ret to the kernel's page tables, for as long as the target lives. ERR_NEED: what says where
 * they are is missing. */
bool mem_tables(struct target *t, const struct mmu **ret, struct err *err) MUST_CHECK;
/* Reads an entry of the page tables; struct mmu.read_entry for a target. */
bool mem_table_entry(void *target, uint64_t pa, uint64_t *ret, struct err *err) MUST_CHECK;
void mem_release(struct target *t);

#endif
