/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads of the dead kernel's memory, behind a cache of translations and pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/mapping.h"
#include "core/image/target.h"

#define PAGE 4096u
#define TLB_SLOTS 2048u
#define BLOCK_PAGES 512u /* pages are allocated 2 MiB at a time */
#define CACHE_BLOCKS \
	16u /* 32 MiB; when it is full everything is forgotten, which is simple and rare */

#define READS_TOLD 0xfffu

struct mem_cache {
	struct {
		uint64_t vpn;
		const uint8_t *page; /* NULL: free slot */
	} tlb[TLB_SLOTS];
	struct map pages; /* physical page number to bytes, for sources that cannot be mapped */
	uint8_t *blocks[CACHE_BLOCKS];
	size_t used; /* pages */
};

static struct mem_cache *cache_of(struct target *t)
{
	if (!t->memory.cache) {
		t->memory.cache = xrealloc(NULL, sizeof(struct mem_cache));
		memset(t->memory.cache, 0, sizeof(struct mem_cache));
	}
	return t->memory.cache;
}

/* A place for one more page; the pages handed out before stay valid only if there was room. */
static uint8_t *cache_room(struct mem_cache *c)
{
	uint8_t **block;

	if (c->used == CACHE_BLOCKS * BLOCK_PAGES) {
		map_release(&c->pages);
		memset(c->tlb, 0, sizeof(c->tlb));
		c->used = 0;
	}
	block = &c->blocks[c->used / BLOCK_PAGES];
	if (!*block)
		*block = xrealloc(NULL, (size_t)BLOCK_PAGES * PAGE);
	return *block + c->used % BLOCK_PAGES * PAGE;
}

/* The bytes of a physical page, valid until the next call; NULL with *err. */
static const uint8_t *page_get(struct target *t, uint64_t pa, struct err *err)
{
	struct mem_cache *c = cache_of(t);
	struct phys_source *phys = &t->memory.phys;
	const uint8_t *page;
	const uint64_t *known;
	uint8_t *room;

	if (phys->map && (page = phys->map(phys->self, pa, PAGE)))
		return page;
	known = map_get(&c->pages, pa / PAGE);
	if (known)
		return (const uint8_t *)(uintptr_t)*known;
	room = cache_room(c);
	target_tell(t, NULL, 0, 0); /* unpacking it takes longer than that */
	if (!phys->read(phys->self, pa, room, PAGE, err))
		return NULL;
	c->used++;
	*map_put(&c->pages, pa / PAGE, NULL) = (uintptr_t)room;
	return room;
}

static bool no_memory(struct err *err)
{
	return err_set(err, ERR_NEED, "no dump is loaded: memory cannot be read without a vmcore");
}

/* n bytes of a page, which may lie in a file that cannot be read any more. */
static bool copy_of_page(const uint8_t *page, uint64_t addr, void *buf, size_t n, struct err *err)
{
	const uint8_t *p = page + addr % PAGE;

	memcpy(buf, p, n);
	return !mapping_lost(p, n) ||
	       err_set_addr(err, ERR_UNREADABLE, addr,
			    "0x%llx: the dump's file can no longer be read there",
			    (unsigned long long)addr);
}

/* n bytes within one page. */
static bool read_in_page(struct target *t, uint64_t pa, void *buf, size_t n, struct err *err)
{
	const uint8_t *page = page_get(t, pa & ~(uint64_t)(PAGE - 1), err);

	if (t->progress.tell && !(++t->progress.reads & READS_TOLD))
		target_tell(t, NULL, 0, 0);
	if (page)
		return copy_of_page(page, pa, buf, n, err);
	/* a page that is there in part, as at the end of a cut file */
	return n < PAGE && t->memory.phys.read(t->memory.phys.self, pa, buf, n, err);
}

bool mem_read_phys(struct target *t, uint64_t pa, void *buf, size_t n, struct err *err)
{
	uint8_t *out = buf;

	if (!mem_loaded(t))
		return no_memory(err);
	while (n) {
		size_t part = PAGE - pa % PAGE;

		if (part > n)
			part = n;
		if (!read_in_page(t, pa, out, part, err)) {
			err->addr = pa;
			return false;
		}
		out += part;
		pa += part;
		n -= part;
	}
	return true;
}

bool mem_scan_page(struct target *t, uint64_t pa, void *buf, struct err *err)
{
	const struct phys_source *phys = &t->memory.phys;

	if (!mem_loaded(t) || phys->map)
		return mem_read_phys(t, pa, buf, PAGE, err);
	target_tell(t, NULL, 0, 0); /* unpacking it takes longer than that */
	return phys->read(phys->self, pa, buf, PAGE, err);
}

uint64_t mem_absent_end(struct target *t, uint64_t pa)
{
	const struct phys_source *phys = &t->memory.phys;
	uint64_t next = (pa & ~(uint64_t)(PAGE - 1)) + PAGE;
	uint64_t end = phys->absent_end ? phys->absent_end(phys->self, pa) : 0;

	end &= ~(uint64_t)(PAGE - 1);
	return end > next ? end : next;
}

unsigned mem_jobs(const struct target *t)
{
	return t->memory.phys.alone ? 1 : t->jobs;
}

bool mem_table_entry(void *target, uint64_t pa, uint64_t *ret, struct err *err)
{
	struct target *t = target;
	uint8_t b[8];

	if (!mem_read_phys(t, pa, b, sizeof(b), err)) {
		if (err->code != ERR_INTR)
			err->code = ERR_NOPGTABLE;
		return err_wrap(err, "page table");
	}
	*ret = t->arch && t->arch->big_tables ? load_be64(b) : load_le64(b);
	return true;
}

/* Says which options tell what is missing. */
static void told_would(struct err *err)
{
	size_t n = strlen(err->msg);

	snprintf(err->msg + n, sizeof(err->msg) - n,
		 " (--vmcoreinfo, or --kaslr and --phys-base, tell it)");
}

static bool mmu_ready(struct target *t, struct err *err)
{
	struct memory *m = &t->memory;

	if (m->mmu_ok)
		return true;
	if (!m->mmu_tried) {
		struct arch_facts facts = target_facts(t);

		m->mmu_tried = true; /* before asking: an answer may need memory itself */
		err_set(&m->mmu_err, ERR_NEED, "virtual memory cannot be translated yet");
		m->mmu.read_entry = mem_table_entry;
		m->mmu.self = t;
		m->mmu_ok = t->arch->mmu_init(&facts, &m->mmu, &m->mmu_err);
		if (!m->mmu_ok && m->mmu_err.code == ERR_NEED && !t->vmcoreinfo.text)
			told_would(&m->mmu_err);
	}
	if (!m->mmu_ok)
		*err = m->mmu_err;
	return m->mmu_ok;
}

/* Checks an address and translates it through the page tables. */
static bool translate(struct target *t, uint64_t va, uint64_t *ret, struct err *err)
{
	struct mapping map;

	if (!mem_loaded(t))
		return no_memory(err);
	if (!t->arch)
		return err_set(err, ERR_NEED,
			       "the dump does not say which architecture it is of: "
			       "give its vmlinux, or --arch");
	if (!t->arch->is_kernel_va(va))
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not a kernel address",
				    (unsigned long long)va);
	if (!mmu_ready(t, err))
		return false;
	if (!t->arch->walk(&t->memory.mmu, va, &map, err)) {
		struct arch_facts facts = target_facts(t);

		if (err->code == ERR_NOPGTABLE && t->arch->image_pa &&
		    t->arch->image_pa(&facts, va, ret))
			return true;
		err->addr = va;
		return false;
	}
	*ret = map.pa + (va - map.va);
	return true;
}

bool mem_virt_to_phys(struct target *t, uint64_t va, uint64_t *ret, struct err *err)
{
	return translate(t, va, ret, err);
}

bool mem_tables(struct target *t, const struct mmu **ret, struct err *err)
{
	if (!mem_loaded(t))
		return no_memory(err);
	if (!t->arch)
		return err_set(err, ERR_NEED,
			       "the dump does not say which architecture it is of: "
			       "give its vmlinux, or --arch");
	*ret = &t->memory.mmu;
	return mmu_ready(t, err);
}

static size_t tlb_slot(uint64_t vpn)
{
	return (vpn ^ vpn >> 11) % TLB_SLOTS;
}

/* The bytes of the page of va if it was translated lately. */
static inline const uint8_t *tlb_get(const struct target *t, uint64_t va)
{
	const struct mem_cache *c = t->memory.cache;
	uint64_t vpn = va / PAGE;
	size_t slot = tlb_slot(vpn);

	return c && c->tlb[slot].vpn == vpn ? c->tlb[slot].page : NULL;
}

/* n bytes within one page, not in the TLB. */
static bool read_slow(struct target *t, uint64_t va, void *buf, size_t n, struct err *err)
{
	const uint8_t *page;
	uint64_t pa, vpn = va / PAGE;

	if (!translate(t, va, &pa, err))
		return false;
	page = page_get(t, pa & ~(uint64_t)(PAGE - 1), err);
	if (page) {
		struct mem_cache *c = cache_of(t);

		c->tlb[tlb_slot(vpn)].vpn = vpn;
		c->tlb[tlb_slot(vpn)].page = page;
		return copy_of_page(page, va, buf, n, err);
	}
	if (n < PAGE && t->memory.phys.read(t->memory.phys.self, pa, buf, n, err))
		return true;
	err->addr = va;
	return err_wrap(err, "0x%llx", (unsigned long long)va);
}

size_t mem_read_some(struct target *t, uint64_t va, void *buf, size_t n, struct err *err)
{
	uint8_t *out = buf;
	size_t done = 0;

	while (done < n) {
		size_t part = PAGE - va % PAGE;
		const uint8_t *page = tlb_get(t, va);

		if (part > n - done)
			part = n - done;
		if (page ? !copy_of_page(page, va, out + done, part, err)
			 : !read_slow(t, va, out + done, part, err))
			break;
		done += part;
		va += part;
	}
	return done;
}

bool mem_read(struct target *t, uint64_t va, void *buf, size_t n, struct err *err)
{
	return mem_read_some(t, va, buf, n, err) == n;
}

uint64_t target_bits_big(const uint8_t *p, unsigned off, unsigned size)
{
	uint64_t v = load_be64(p);

	if (off)
		v = v << off | p[8] >> (8 - off);
	return v >> (64 - size);
}

bool mem_u8(struct target *t, uint64_t va, uint8_t *ret, struct err *err)
{
	return mem_read(t, va, ret, 1, err);
}

bool mem_u16(struct target *t, uint64_t va, uint16_t *ret, struct err *err)
{
	uint8_t b[2];

	if (!mem_read(t, va, b, sizeof(b), err))
		return false;
	*ret = target_u16(t, b);
	return true;
}

bool mem_u32(struct target *t, uint64_t va, uint32_t *ret, struct err *err)
{
	uint8_t b[4];

	if (!mem_read(t, va, b, sizeof(b), err))
		return false;
	*ret = target_u32(t, b);
	return true;
}

bool mem_u64(struct target *t, uint64_t va, uint64_t *ret, struct err *err)
{
	uint8_t b[8];

	if (!mem_read(t, va, b, sizeof(b), err))
		return false;
	*ret = target_u64(t, b);
	return true;
}

bool mem_ptr(struct target *t, uint64_t va, uint64_t *ret, struct err *err)
{
	uint32_t half;

	if (!t->arch || t->arch->word == 8)
		return mem_u64(t, va, ret, err);
	if (!mem_u32(t, va, &half, err))
		return false;
	*ret = half;
	return true;
}

bool mem_words(struct target *t, uint64_t va, uint64_t *ret, size_t n, struct err *err)
{
	size_t size = t->arch ? t->arch->word : 8;
	uint8_t *bytes = (uint8_t *)ret;

	if (!mem_read(t, va, bytes, n * size, err))
		return false;
	for (size_t i = n; i-- > 0;) /* from the end: they grow in place */
		ret[i] = target_uint(t, bytes + i * size, size);
	return true;
}

bool mem_str(struct target *t, uint64_t va, size_t max, struct arena *a, const char **ret,
	     struct err *err)
{
	struct buf text = { .max = max };
	bool ok = true;

	while (ok && text.n < max) {
		char piece[256];
		size_t n = PAGE - va % PAGE, len;

		if (n > sizeof(piece))
			n = sizeof(piece);
		if (n > max - text.n)
			n = max - text.n;
		ok = mem_read(t, va, piece, n, err);
		if (!ok)
			break;
		len = strnlen(piece, n);
		buf_add(&text, piece, len);
		if (len < n)
			break;
		va += n;
	}
	if (ok)
		*ret = arena_strndup(a, buf_text(&text), text.n);
	buf_release(&text);
	return ok;
}

bool mem_bytes(struct target *t, uint64_t va, size_t n, size_t max, struct arena *a,
	       struct span *ret, struct err *err)
{
	void *p;

	if (!arena_bytes(a, n, max, &p, err) || !mem_read(t, va, p, n, err))
		return false;
	*ret = SPAN(p, n);
	return true;
}

void mem_release(struct target *t)
{
	struct memory *m = &t->memory;

	if (m->cache) {
		map_release(&m->cache->pages);
		for (size_t i = 0; i < CACHE_BLOCKS; i++)
			free(m->cache->blocks[i]);
		free(m->cache);
	}
	if (m->phys.close)
		m->phys.close(m->phys.self);
	memset(m, 0, sizeof(*m));
}
