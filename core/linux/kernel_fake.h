/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a tiny dead kernel with memory, symbols and types that a test lays out itself. With
 * OBIT_TEST_BIG in the environment its memory is big-endian, which no walk may notice. */
#ifndef OBIT_KERNEL_FAKE_H
#define OBIT_KERNEL_FAKE_H

#include <stdlib.h>
#include <string.h>

#include "core/linux/linux.h"

#define KERNEL_BASE 0xffff800000000000u
#define KERNEL_SIZE ((size_t)256 << 10)
#define FAKE_NAMES 160

struct fake_kernel {
	struct target t;
	struct arena scratch;
	struct arch arch;
	uint8_t mem[KERNEL_SIZE];
	uint64_t holes; /* a bit for each excluded page */
	struct type *types[FAKE_NAMES];
	size_t n_types;
	struct symbol syms[FAKE_NAMES];
	size_t n_syms;
	struct type_source source;
	struct type u8, u32, s32, u64, s64, ptr; /* base types */
};

static inline bool kernel_is_va(uint64_t va)
{
	return va >= KERNEL_BASE;
}

static inline bool kernel_mmu(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	(void)facts;
	(void)ret;
	(void)err;
	return true;
}

static inline bool kernel_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret,
			       struct err *err)
{
	(void)mmu;
	if (va - KERNEL_BASE >= KERNEL_SIZE)
		return err_set_addr(err, ERR_UNMAPPED, va, "not mapped");
	*ret = (struct mapping){ .va = va & ~(uint64_t)0xfff,
				 .pa = (va - KERNEL_BASE) & ~(uint64_t)0xfff,
				 .size = 0x1000 };
	return true;
}

static inline bool kernel_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct fake_kernel *k = self;

	if (k->holes >> (pa / 0x1000) & 1)
		return err_set_addr(err, ERR_EXCLUDED, pa, "excluded page");
	memcpy(buf, k->mem + pa, n);
	return true;
}

/* In place, so that a test can change what was read before. */
static inline const uint8_t *kernel_map(void *self, uint64_t pa, size_t n)
{
	struct fake_kernel *k = self;

	if (pa > KERNEL_SIZE || n > KERNEL_SIZE - pa)
		return NULL;
	for (uint64_t page = pa / 0x1000; page * 0x1000 < pa + n; page++)
		if (k->holes >> page & 1)
			return NULL;
	return k->mem + pa;
}

static inline bool kernel_find_type(struct type_source *s, enum type_kind kind, const char *name,
				    const struct type **ret, struct err *err)
{
	struct fake_kernel *k = s->self;

	for (size_t i = 0; i < k->n_types; i++)
		if (k->types[i]->kind == kind && !strcmp(k->types[i]->name, name)) {
			*ret = k->types[i];
			return true;
		}
	return err_set(err, ERR_NOTYPE, "no type '%s'", name);
}

static inline bool kernel_load_syms(struct target *t, struct symtab *tab, struct err *err)
{
	struct fake_kernel *k = tab->self;

	(void)t;
	(void)err;
	for (size_t i = 0; i < k->n_syms; i++)
		*vec_push(&tab->syms) = k->syms[i];
	return true;
}

static inline struct type kernel_base_type(struct fake_kernel *k, enum type_kind kind,
					   uint64_t size, bool is_signed)
{
	return (struct type){ .kind = kind,
			      .size = size,
			      .is_signed = is_signed,
			      .filled = true,
			      .source = &k->source };
}

static inline void kernel_init(struct fake_kernel *k)
{
	memset(k, 0, sizeof(*k));
	target_init(&k->t, &k->scratch);
	k->arch = arch_x86_64;
	k->arch.is_kernel_va = kernel_is_va;
	k->arch.mmu_init = kernel_mmu;
	k->arch.walk = kernel_walk;
	k->arch.big = getenv("OBIT_TEST_BIG") != NULL;
	k->t.arch = &k->arch;
	k->t.page_size = 4096;
	k->t.memory.phys.read = kernel_read;
	k->t.memory.phys.map = kernel_map;
	k->t.memory.phys.self = k;
	k->source.find = kernel_find_type;
	k->source.origin = "test";
	k->source.t = &k->t;
	k->source.self = k;
	types_add(&k->t, &k->source);
	k->u8 = kernel_base_type(k, TYPE_CHAR, 1, false);
	k->u32 = kernel_base_type(k, TYPE_INT, 4, false);
	k->s32 = kernel_base_type(k, TYPE_INT, 4, true);
	k->u64 = kernel_base_type(k, TYPE_INT, 8, false);
	k->s64 = kernel_base_type(k, TYPE_INT, 8, true);
	k->ptr = kernel_base_type(k, TYPE_POINTER, 8, false);
	k->ptr.target = &k->u8;
	symbols_add(&k->t, "test")->load = kernel_load_syms;
	k->t.symbols.tabs.p[0]->self = k;
	linux_init(&k->t);
}

static inline void kernel_release(struct fake_kernel *k)
{
	linux_release(&k->t);
	target_release(&k->t);
	arena_release(&k->scratch);
}

static inline struct type *kernel_struct(struct fake_kernel *k, const char *name, uint64_t size)
{
	struct type *type = ARENA_NEW(&k->t.arena, struct type);

	*type = kernel_base_type(k, TYPE_STRUCT, size, false);
	type->name = name;
	type->members = ARENA_ARRAY(&k->t.arena, struct member, 32);
	k->types[k->n_types++] = type;
	return type;
}

static inline void kernel_member(struct type *s, const char *name, const struct type *type,
				 uint64_t off)
{
	s->members[s->n_members++] =
		(struct member){ .name = name, .type = type, .bit_off = off * 8 };
}

/* One struct of words in order; NULL at the end. */
static inline struct type *words_struct(struct fake_kernel *k, const char *name,
					const char *const *members)
{
	struct type *s = kernel_struct(k, name, 0);

	for (size_t i = 0; members[i]; i++, s->size += 8)
		kernel_member(s, members[i], &k->u64, i * 8);
	return s;
}
#define WORDS(k, name, ...) words_struct(k, name, (const char *const[]){ __VA_ARGS__, NULL })

/* The same that no name finds, for a member. */
static inline struct type *inner_struct(struct fake_kernel *k, const char *const *members)
{
	struct type *s = words_struct(k, "", members);

	k->n_types--;
	return s;
}
#define INNER(k, ...) inner_struct(k, (const char *const[]){ __VA_ARGS__, NULL })

/* What the kernel's structs are linked by, and its counters. */
static inline struct type *kernel_list_type(struct fake_kernel *k)
{
	struct type *s = kernel_struct(k, "list_head", 16);

	kernel_member(s, "next", &k->ptr, 0);
	kernel_member(s, "prev", &k->ptr, 8);
	return s;
}

static inline struct type *kernel_counter_type(struct fake_kernel *k, const char *name,
					       const struct type *of)
{
	struct type *s = kernel_struct(k, name, of->size);

	kernel_member(s, "counter", of, 0);
	return s;
}

static inline const struct type *kernel_array(struct fake_kernel *k, const struct type *of,
					      uint64_t count)
{
	return type_array_of(&k->t, of, count);
}

static inline void kernel_symbol(struct fake_kernel *k, const char *name, uint64_t addr)
{
	k->syms[k->n_syms++] = (struct symbol){ .name = name, .addr = addr, .type = 'D' };
}

static inline void put8(struct fake_kernel *k, uint64_t va, uint8_t v)
{
	k->mem[va - KERNEL_BASE] = v;
}

static inline void put32(struct fake_kernel *k, uint64_t va, uint32_t v)
{
	target_store(&k->t, &k->mem[va - KERNEL_BASE], 4, v);
}

static inline void put64(struct fake_kernel *k, uint64_t va, uint64_t v)
{
	target_store(&k->t, &k->mem[va - KERNEL_BASE], 8, v);
}

static inline void put_str(struct fake_kernel *k, uint64_t va, const char *s)
{
	memcpy(&k->mem[va - KERNEL_BASE], s, strlen(s) + 1);
}

static inline void put_bytes(struct fake_kernel *k, uint64_t at, const void *bytes, size_t n)
{
	memcpy(&k->mem[at - KERNEL_BASE], bytes, n);
}

/* A circular list of n nodes after its head. */
static inline void put_list(struct fake_kernel *k, uint64_t head, const uint64_t *nodes, size_t n)
{
	uint64_t prev = head;

	for (size_t i = 0; i < n; i++) {
		put64(k, prev, nodes[i]);
		put64(k, nodes[i] + 8, prev);
		prev = nodes[i];
	}
	put64(k, prev, head);
	put64(k, head + 8, prev);
}

#endif
