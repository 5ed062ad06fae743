/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the fake kernel of slabs, in which it is noted who asked for memory. */
#ifndef OBIT_ORIGIN_FAKE_H
#define OBIT_ORIGIN_FAKE_H

#include "core/linux/memory/origin.h"
#include "core/linux/memory/slab_fake.h"

/* The layout is ours. All lies where slab_fuzz writes. */
#define ORIGIN_POOLS (KERNEL_BASE + 0x15000) /* stack_pools: two pointers */
#define ORIGIN_POOL (KERNEL_BASE + 0x18000)  /* the second pool */
#define ORIGIN_KFENCE (KERNEL_BASE + 0x16000)
#define ORIGIN_METAS (KERNEL_BASE + 0x1c000)
#define ORIGIN_META_SIZE 256u
#define ORIGIN_KFENCE_POOL (KERNEL_BASE + 0x38000) /* three objects: eight pages */
#define ORIGIN_OWNER (KERNEL_BASE + 0x17000)
#define ORIGIN_EXT (KERNEL_BASE + 0x24000)
#define ORIGIN_EXT_SIZE 64u
#define ORIGIN_LEAKS (KERNEL_BASE + 0x17100)
#define ORIGIN_LEAK(i) (KERNEL_BASE + 0x25000 + 0x100u * (i))

/* The handle of the record at an offset of the second pool: 17 bits of pool and one, 10 of offset,
 * 5 that are the users' own. */
#define ORIGIN_HANDLE(offset) (2u | (offset) / 16 << 17)

static inline void origin_enum(struct fake_kernel *k, const char *name, const struct enumerator *e,
			       size_t n)
{
	struct type *type = kernel_struct(k, name, 4);

	type->kind = TYPE_ENUM;
	type->enums = ARENA_ARRAY(&k->t.arena, struct enumerator, n);
	memcpy(type->enums, e, n * sizeof(*e));
	type->n_enums = n;
}

static inline struct type *origin_type(struct fake_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, name))
			return k->types[i];
	return NULL;
}

static inline void origin_bits(struct fake_kernel *k, struct type *s, const char *name,
			       unsigned first, unsigned bits)
{
	kernel_member(s, name, &k->u32, 0);
	s->members[s->n_members - 1].bit_off = first;
	s->members[s->n_members - 1].bit_size = (uint16_t)bits;
}

/* The name of the first part of a handle says which kernel it is. */
static inline void origin_depot_types(struct fake_kernel *k, const char *index)
{
	struct type *parts = kernel_struct(k, "handle_parts", 4), *s;

	parts->kind = TYPE_UNION;
	kernel_member(parts, "handle", &k->u32, 0);
	origin_bits(k, parts, index, 0, 17);
	origin_bits(k, parts, "offset", 17, 10);
	origin_bits(k, parts, "extra", 27, 5);
	s = kernel_struct(k, "stack_record", 40);
	kernel_member(s, "size", &k->u32, 20);
	kernel_member(s, "handle", parts, 24);
	kernel_member(s, "entries", kernel_array(k, &k->u64, 1), 32);
}

static inline void origin_types(struct fake_kernel *k)
{
	static const struct enumerator states[] = { { "KFENCE_OBJECT_UNUSED", 0 },
						    { "KFENCE_OBJECT_ALLOCATED", 1 },
						    { "KFENCE_OBJECT_FREED", 2 } };
	static const struct enumerator flags[] = { { "PAGE_EXT_OWNER", 0 },
						   { "PAGE_EXT_OWNER_ALLOCATED", 1 } };
	struct type *s, *track, *list = origin_type(k, "list_head");
	const struct type *comm = kernel_array(k, &k->u8, 16);

	kernel_member(origin_type(k, "kmem_cache"), "flags", &k->u32, 56);
	kernel_member(origin_type(k, "kmem_cache"), "inuse", &k->u32, 60);
	kernel_member(origin_type(k, "pglist_data"), "node_page_ext", &k->ptr, 24);
	s = kernel_struct(k, "track", 32);
	kernel_member(s, "addr", &k->u64, 0);
	kernel_member(s, "handle", &k->u32, 8);
	kernel_member(s, "cpu", &k->s32, 12);
	kernel_member(s, "pid", &k->s32, 16);
	kernel_member(s, "when", &k->u64, 24);
	track = kernel_struct(k, "kfence_track", 56);
	kernel_member(track, "pid", &k->s32, 0);
	kernel_member(track, "cpu", &k->s32, 4);
	kernel_member(track, "ts_nsec", &k->u64, 8);
	kernel_member(track, "num_stack_entries", &k->s32, 16);
	kernel_member(track, "stack_entries", kernel_array(k, &k->u64, 4), 24);
	s = kernel_struct(k, "kfence_metadata", ORIGIN_META_SIZE);
	kernel_member(s, "state", &k->u32, 0);
	kernel_member(s, "addr", &k->u64, 8);
	kernel_member(s, "size", &k->u64, 16);
	kernel_member(s, "cache", &k->ptr, 24);
	kernel_member(s, "alloc_track", track, 32);
	kernel_member(s, "free_track", track, 88);
	origin_enum(k, "kfence_object_state", states, ARRAY_SIZE(states));
	origin_enum(k, "page_ext_flags", flags, ARRAY_SIZE(flags));
	WORDS(k, "page_ext_operations", "offset", "size");
	WORDS(k, "page_ext", "flags");
	s = kernel_struct(k, "zone", 32);
	kernel_member(s, "free_area", kernel_array(k, &k->u64, 4), 0);
	s = kernel_struct(k, "page_owner", 48);
	kernel_member(s, "order", &k->u32, 0);
	kernel_member(s, "gfp_mask", &k->u32, 4);
	kernel_member(s, "handle", &k->u32, 8);
	kernel_member(s, "free_handle", &k->u32, 12);
	kernel_member(s, "ts_nsec", &k->u64, 16);
	kernel_member(s, "pid", &k->s32, 24);
	kernel_member(s, "comm", comm, 28);
	s = kernel_struct(k, "kmemleak_object", 128);
	kernel_member(s, "flags", &k->u32, 0);
	kernel_member(s, "object_list", list, 8);
	kernel_member(s, "pointer", &k->u64, 24);
	kernel_member(s, "size", &k->u64, 32);
	kernel_member(s, "min_count", &k->s32, 40);
	kernel_member(s, "count", &k->s32, 44);
	kernel_member(s, "trace_handle", &k->u32, 48);
	kernel_member(s, "jiffies", &k->u64, 56);
	kernel_member(s, "pid", &k->s32, 64);
	kernel_member(s, "comm", comm, 68);
}

/* A stack of two frames. */
static inline void origin_put_stack(struct fake_kernel *k, uint64_t offset, uint64_t first)
{
	uint64_t at = ORIGIN_POOL + offset;

	put32(k, at + 20, 2);
	put32(k, at + 24, (uint32_t)ORIGIN_HANDLE(offset));
	put64(k, at + 32, first);
	put64(k, at + 40, first + 1);
}

static inline void origin_put_kfence(struct fake_kernel *k, unsigned i, uint32_t state,
				     uint64_t offset, uint64_t size)
{
	uint64_t at = ORIGIN_METAS + i * ORIGIN_META_SIZE;

	put32(k, at, state);
	put64(k, at + 8, ORIGIN_KFENCE_POOL + (i + 1) * 0x2000 + offset);
	put64(k, at + 16, size);
	if (!state)
		return;
	put64(k, at + 24, SLAB_CACHE_AT);
	put32(k, at + 32, 7);
	put32(k, at + 36, 1);
	put64(k, at + 40, 1500000000);
	put32(k, at + 48, 2);
	put64(k, at + 56, 0x111);
	put64(k, at + 64, 0x222);
	put32(k, at + 88, 8);
	put32(k, at + 92, 0);
	put32(k, at + 104, 1);
	put64(k, at + 112, 0x333);
}

static inline void origin_put_owner(struct fake_kernel *k, uint64_t pfn, uint32_t flags,
				    uint32_t order, uint32_t handle)
{
	uint64_t at = ORIGIN_EXT + pfn * ORIGIN_EXT_SIZE;

	put64(k, at, flags);
	put32(k, at + 8, order);
	put32(k, at + 12, 0xcc0);
	put32(k, at + 16, handle);
	put64(k, at + 24, 2000000000);
	put32(k, at + 32, 42);
	put_str(k, at + 36, "baker");
}

static inline void origin_put_leak(struct fake_kernel *k, unsigned i, uint32_t flags, int32_t count,
				   uint64_t jiffies)
{
	put32(k, ORIGIN_LEAK(i), flags);
	put64(k, ORIGIN_LEAK(i) + 24, 0x7000 + i);
	put64(k, ORIGIN_LEAK(i) + 32, 64);
	put32(k, ORIGIN_LEAK(i) + 40, 1);
	put32(k, ORIGIN_LEAK(i) + 44, (uint32_t)count);
	put32(k, ORIGIN_LEAK(i) + 48, (uint32_t)ORIGIN_HANDLE(0x40));
	put64(k, ORIGIN_LEAK(i) + 56, jiffies);
	put32(k, ORIGIN_LEAK(i) + 64, 9);
	put_str(k, ORIGIN_LEAK(i) + 68, "leaker");
}

/* Stacks 0x100.. at 0 and 0x900.. at 0x40 of the second pool. Object 0 of the slab was asked for on
 * the first, object 1 given back on the second. KFENCE: one that was freed, one in use at the end
 * of its page, one never used. Pages 4 to 7 are a block that was asked for on the first stack, 8 is
 * one of the second, 9 was given back. Of six objects of kmemleak the first and the last are leaks.
 */
static inline void origin_setup(struct fake_kernel *k, const char *index)
{
	uint64_t links[6];

	slab_setup(k);
	origin_depot_types(k, index);
	origin_types(k);
	kernel_symbol(k, "stack_pools", ORIGIN_POOLS);
	k->syms[k->n_syms - 1].size = 16 * 8192;
	put64(k, ORIGIN_POOLS + 8, ORIGIN_POOL);
	put64(k, ORIGIN_POOLS + 16, ORIGIN_POOL);
	origin_put_stack(k, 0, 0x100);
	origin_put_stack(k, 0x40, 0x900);
	/* SLAB_STORE_USER, before the bits had an enum */
	put32(k, SLAB_CACHE_AT + 56, 1u << 16);
	put32(k, SLAB_CACHE_AT + 60, 0x80);
	put64(k, SLAB_AT + 0x80, 0x100);
	put32(k, SLAB_AT + 0x88, (uint32_t)ORIGIN_HANDLE(0) | 3u << 27);
	put32(k, SLAB_AT + 0x8c, 1);
	put32(k, SLAB_AT + 0x90, 77);
	put64(k, SLAB_AT + SLAB_SIZE + 0xa0, 0x900);
	put32(k, SLAB_AT + SLAB_SIZE + 0xa8, (uint32_t)ORIGIN_HANDLE(0x40));
	kernel_symbol(k, "__kfence_pool", ORIGIN_KFENCE);
	kernel_symbol(k, "kfence_metadata", ORIGIN_KFENCE + 8);
	put64(k, ORIGIN_KFENCE, ORIGIN_KFENCE_POOL);
	put64(k, ORIGIN_KFENCE + 8, ORIGIN_METAS);
	k->syms[k->n_syms - 1].size = 8;
	origin_put_kfence(k, 0, 2, 0, 24);
	origin_put_kfence(k, 1, 1, 0xff8, 8);
	origin_put_kfence(k, 2, 0, 0, 0);
	kernel_symbol(k, "page_ext_size", ORIGIN_OWNER);
	kernel_symbol(k, "page_owner_ops", ORIGIN_OWNER + 16);
	put64(k, ORIGIN_OWNER, ORIGIN_EXT_SIZE);
	put64(k, ORIGIN_OWNER + 16, 8);
	put64(k, SLAB_NODE + 24, ORIGIN_EXT);
	for (uint64_t pfn = 4; pfn < 8; pfn++)
		origin_put_owner(k, pfn, 3, 2, (uint32_t)ORIGIN_HANDLE(0));
	origin_put_owner(k, 8, 3, 0, (uint32_t)ORIGIN_HANDLE(0x40));
	origin_put_owner(k, 9, 1, 0, (uint32_t)ORIGIN_HANDLE(0x40));
	kernel_symbol(k, "object_list", ORIGIN_LEAKS);
	kernel_symbol(k, "jiffies_last_scan", ORIGIN_LEAKS + 0x20);
	kernel_symbol(k, "jiffies_min_age", ORIGIN_LEAKS + 0x28);
	put64(k, ORIGIN_LEAKS + 0x20, 5000);
	put64(k, ORIGIN_LEAKS + 0x28, 1000);
	origin_put_leak(k, 0, 3, 0, 4000);
	origin_put_leak(k, 1, 3, 1, 4000);            /* found */
	origin_put_leak(k, 2, 1, 0, 4000);            /* not reported */
	origin_put_leak(k, 3, 3, -1, 4000);           /* black: never reported */
	origin_put_leak(k, 4, 3, 0, 4001);            /* too young at the scan */
	origin_put_leak(k, 5, 3, 0, UINT64_MAX - 99); /* jiffies wrapped since */
	for (unsigned i = 0; i < 6; i++)
		links[i] = ORIGIN_LEAK(i) + 8;
	put_list(k, ORIGIN_LEAKS, links, 6);
}

#endif
