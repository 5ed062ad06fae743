/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel with a flat array of struct page, and one slab cache with one slab. */
#ifndef OBIT_SLAB_FAKE_H
#define OBIT_SLAB_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/memory/slab.h"

/* The layout is ours; the kernel's own differ from release to release. */
#define SLAB_PAGES 64u
#define SLAB_MEM_MAP (KERNEL_BASE + 0x10000)
#define SLAB_NODE (KERNEL_BASE + 0x12000)     /* contig_page_data */
#define SLAB_VARS (KERNEL_BASE + 0x13000)     /* symbols */
#define SLAB_CACHE_AT (KERNEL_BASE + 0x20000) /* in a slab itself */
#define SLAB_CPU_AT (KERNEL_BASE + 0x14000)   /* kmem_cache_cpu */
#define SLAB_AT (KERNEL_BASE + 0x30000)       /* two pages of objects */
#define SLAB_OBJECTS 8u
#define SLAB_SIZE 0x100u
#define SLAB_FREE_OFF 0x40u
#define SLAB_RANDOM 0x1122334455667788u
#define SLAB_FLAG 9u
#define SLAB_HEAD_FLAG 16u
#define SLAB_RESERVED_FLAG 12u

static inline uint64_t slab_page(uint64_t va)
{
	return SLAB_MEM_MAP + (va - KERNEL_BASE) / 0x1000 * 64;
}

static inline void slab_enum(struct fake_kernel *k)
{
	static const struct enumerator e[] = { { "PG_locked", 0 },
					       { "PG_slab", SLAB_FLAG },
					       { "PG_reserved", SLAB_RESERVED_FLAG },
					       { "PG_head", SLAB_HEAD_FLAG },
					       { "__NR_PAGEFLAGS", 24 } };
	struct type *type = ARENA_NEW(&k->t.arena, struct type);

	*type = kernel_base_type(k, TYPE_ENUM, 4, false);
	type->name = "pageflags";
	type->enums = ARENA_ARRAY(&k->t.arena, struct enumerator, ARRAY_SIZE(e));
	memcpy(type->enums, e, sizeof(e));
	type->n_enums = ARRAY_SIZE(e);
	k->types[k->n_types++] = type;
}

static inline void slab_types(struct fake_kernel *k)
{
	struct type *atomic = kernel_counter_type(k, "atomic", &k->s32),
		    *oo = kernel_struct(k, "oo", 4);
	struct type *list = kernel_list_type(k), *s;

	kernel_member(oo, "x", &k->u32, 0);
	s = kernel_struct(k, "page", 64);
	kernel_member(s, "flags", &k->u64, 0);
	kernel_member(s, "compound_head", &k->u64, 8);
	kernel_member(s, "mapping", &k->ptr, 24);
	kernel_member(s, "index", &k->u64, 32);
	kernel_member(s, "private", &k->u64, 40);
	kernel_member(s, "page_type", &k->u32, 48);
	kernel_member(s, "_refcount", atomic, 52);
	kernel_member(s, "compound_order", &k->u8, 17);
	s = kernel_struct(k, "slab", 64);
	kernel_member(s, "slab_cache", &k->ptr, 24);
	kernel_member(s, "freelist", &k->ptr, 32);
	kernel_member(s, "inuse", &k->u32, 40);
	s->members[s->n_members - 1].bit_size = 16;
	kernel_member(s, "objects", &k->u32, 40);
	s->members[s->n_members - 1].bit_off += 16;
	s->members[s->n_members - 1].bit_size = 15;
	kernel_member(s, "frozen", &k->u32, 40);
	s->members[s->n_members - 1].bit_off += 31;
	s->members[s->n_members - 1].bit_size = 1;
	s = kernel_struct(k, "kmem_cache", 128);
	kernel_member(s, "cpu_slab", &k->ptr, 0);
	kernel_member(s, "size", &k->u32, 8);
	kernel_member(s, "object_size", &k->u32, 12);
	kernel_member(s, "offset", &k->u32, 16);
	kernel_member(s, "oo", oo, 20);
	kernel_member(s, "name", &k->ptr, 24);
	kernel_member(s, "random", &k->u64, 32);
	kernel_member(s, "list", list, 40);
	s = kernel_struct(k, "kmem_cache_cpu", 32);
	kernel_member(s, "freelist", &k->ptr, 0);
	kernel_member(s, "slab", &k->ptr, 16);
	s = kernel_struct(k, "pglist_data", 64);
	kernel_member(s, "node_mem_map", &k->ptr, 0);
	kernel_member(s, "node_start_pfn", &k->u64, 8);
	kernel_member(s, "node_spanned_pages", &k->u64, 16);
	slab_enum(k);
}

/* Object i, free, points to the object next (0: none), disguised as since v5.7. */
static inline void slab_put_free(struct fake_kernel *k, unsigned i, uint64_t next)
{
	uint64_t at = SLAB_AT + i * SLAB_SIZE + SLAB_FREE_OFF;

	put64(k, at, next ^ SLAB_RANDOM ^ __builtin_bswap64(at));
}

static inline void slab_put_counts(struct fake_kernel *k, unsigned inuse, bool frozen)
{
	put32(k, slab_page(SLAB_AT) + 40, inuse | SLAB_OBJECTS << 16 | (uint32_t)frozen << 31);
}

/* Eight objects in two pages; 6, then 1 are on the slab's freelist. */
static inline void slab_setup(struct fake_kernel *k)
{
	kernel_init(k);
	slab_types(k);
	kernel_symbol(k, "mem_map", SLAB_VARS);
	kernel_symbol(k, "contig_page_data", SLAB_NODE);
	kernel_symbol(k, "nr_cpu_ids", SLAB_VARS + 0x10);
	kernel_symbol(k, "slab_caches", SLAB_VARS + 0x20);
	put64(k, SLAB_NODE, SLAB_MEM_MAP);
	put64(k, SLAB_NODE + 16, SLAB_PAGES);
	put32(k, SLAB_VARS + 0x10, 1);
	for (unsigned i = 0; i < SLAB_PAGES; i++)
		put32(k, SLAB_MEM_MAP + i * 64 + 48, UINT32_MAX);
	/* the cache lies in a slab of one page */
	put64(k, slab_page(SLAB_CACHE_AT), 1u << SLAB_FLAG);
	put_list(k, SLAB_VARS + 0x20, (uint64_t[]){ SLAB_CACHE_AT + 40 }, 1);
	put64(k, SLAB_CACHE_AT, SLAB_CPU_AT);
	put32(k, SLAB_CACHE_AT + 8, SLAB_SIZE);
	put32(k, SLAB_CACHE_AT + 12, SLAB_SIZE - 8);
	put32(k, SLAB_CACHE_AT + 16, SLAB_FREE_OFF);
	put32(k, SLAB_CACHE_AT + 20, 1u << 16 | SLAB_OBJECTS);
	put64(k, SLAB_CACHE_AT + 24, SLAB_VARS + 0x40);
	put64(k, SLAB_CACHE_AT + 32, SLAB_RANDOM);
	put_str(k, SLAB_VARS + 0x40, "widget");
	/* its slab: a compound page of two */
	put64(k, slab_page(SLAB_AT), 1u << SLAB_FLAG | 1u << SLAB_HEAD_FLAG);
	put64(k, slab_page(SLAB_AT) + 24, SLAB_CACHE_AT);
	put64(k, slab_page(SLAB_AT) + 32, SLAB_AT + 6 * SLAB_SIZE);
	put64(k, slab_page(SLAB_AT) + 64 + 8, slab_page(SLAB_AT) | 1);
	k->mem[slab_page(SLAB_AT) - KERNEL_BASE + 64 + 17] = 1; /* compound_order */
	slab_put_counts(k, 6, false);
	slab_put_free(k, 6, SLAB_AT + SLAB_SIZE);
	slab_put_free(k, 1, 0);
}

#endif
