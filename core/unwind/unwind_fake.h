/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing of the unwinder: a kernel of a few pages with text, ORC tables and stacks.
 */
#ifndef OBIT_UNWIND_FAKE_H
#define OBIT_UNWIND_FAKE_H

#include "core/unwind/unwind.h"

/* Text, tables and two stacks, as offsets in the fake memory. */
#define FK_BASE UINT64_C(0xffffffff81000000)
#define FK_SIZE ((size_t)64 << 10)
#define FK_TEXT 0x0
#define FK_TEXT_END 0x4000
#define FK_IP 0x4000
#define FK_ORC 0x5000
#define FK_STACK 0x8000
#define FK_STACK_END 0xc000
#define FK_IRQ 0xc000
#define FK_IRQ_END 0xe000
#define FK_TASK 0xf000 /* only its address matters */
#define FK_SYMS 32

struct fake_stack_kernel {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct unwind_hooks hooks;
	uint8_t mem[FK_SIZE];
	uint32_t hole; /* page + 1 that is excluded */
	struct symbol syms[FK_SYMS];
	size_t n_syms, n_orc;
	bool new_orc;          /* entries as since 6.4 */
	uint64_t shadow[8][2]; /* slot and address, the newest first */
};

/* FK_BASE, as wide as the machine's words. */
static inline uint64_t fk_base(const struct fake_stack_kernel *k)
{
	return k->arch.word == 4 ? FK_BASE & UINT32_MAX : FK_BASE;
}

static bool fk_mmu(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	const struct fake_stack_kernel *k = facts->self; /* the target is its first member */

	(void)err;
	ret->root = fk_base(k);
	return true;
}

static bool fk_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	if (va - mmu->root >= FK_SIZE)
		return err_set_addr(err, ERR_UNMAPPED, va, "not mapped");
	*ret = (struct mapping){ .va = va & ~UINT64_C(0xfff),
				 .pa = (va - mmu->root) & ~UINT64_C(0xfff),
				 .size = 0x1000 };
	return true;
}

static bool fk_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct fake_stack_kernel *k = self;

	if (k->hole && pa / 0x1000 == k->hole - 1)
		return err_set_addr(err, ERR_EXCLUDED, pa, "excluded page");
	if (pa > FK_SIZE || n > FK_SIZE - pa)
		return err_set_addr(err, ERR_NOTRAM, pa, "not RAM");
	memcpy(buf, k->mem + pa, n);
	return true;
}

static bool fk_load(struct target *t, struct symtab *tab, struct err *err)
{
	struct fake_stack_kernel *k = tab->self;

	(void)t;
	(void)err;
	for (size_t i = 0; i < k->n_syms; i++)
		*vec_push(&tab->syms) = k->syms[i];
	return true;
}

static bool fk_stack_of(struct target *t, uint64_t task, int cpu, uint64_t sp,
			struct stack_range *ret)
{
	uint64_t base = fk_base((const void *)t); /* its first member */

	(void)task;
	(void)cpu;
	if (sp >= base + FK_STACK && sp <= base + FK_STACK_END)
		*ret = (struct stack_range){ base + FK_STACK, base + FK_STACK_END, "TASK" };
	else if (sp > base + FK_IRQ && sp <= base + FK_IRQ_END)
		*ret = (struct stack_range){ base + FK_IRQ, base + FK_IRQ_END, "IRQ" };
	else
		return false;
	return true;
}

static bool fk_fgraph(struct target *t, uint64_t task, uint64_t slot, unsigned *index,
		      uint64_t *ret, struct err *err)
{
	const struct fake_stack_kernel *k = (const void *)t; /* its first member */

	(void)task;
	for (unsigned i = *index; i < 8 && k->shadow[i][1]; i++)
		if (k->shadow[i][0] == slot) {
			*index = i + 1;
			*ret = k->shadow[i][1];
			return true;
		}
	return err_set(err, ERR_NOTFOUND, "ret_stack holds no more entries");
}

static inline void fk_symbol(struct fake_stack_kernel *k, const char *name, uint64_t off,
			     uint64_t size, char type)
{
	k->syms[k->n_syms++] = (struct symbol){ name, fk_base(k) + off, size, type, NULL };
}

static inline void fk_put(struct fake_stack_kernel *k, size_t off, uint64_t v, size_t n)
{
	target_store(&k->t, k->mem + off, n, v);
}

/* An entry from off on; fields as the kernel numbers them up to 7.0. type: 0 none, 1 end, 2 call, 3
 * regs, 4 partial. Entries are added in order of address. */
static inline void fk_orc(struct fake_stack_kernel *k, uint64_t off, unsigned sp_reg, int sp_off,
			  unsigned bp_reg, int bp_off, unsigned type, bool signal)
{
	size_t ip = FK_IP + 4 * k->n_orc, e = FK_ORC + 6 * k->n_orc;
	unsigned bits = sp_reg | bp_reg << 4;

	if (k->new_orc)
		bits |= type << 8 | (unsigned)signal << 11;
	else
		bits |= type >= 2 ? (type - 2) << 8 : type << 10;
	fk_put(k, ip, FK_TEXT + off - ip, 4);
	fk_put(k, e, (uint16_t)sp_off, 2);
	fk_put(k, e + 2, (uint16_t)bp_off, 2);
	fk_put(k, e + 4, bits, 2);
	k->n_orc++;
}

static inline void fk_init(struct fake_stack_kernel *k, const struct arch *arch)
{
	memset(k, 0, sizeof(*k));
	target_init(&k->t, &k->scratch);
	k->arch = *arch;
	k->arch.mmu_init = fk_mmu;
	k->arch.walk = fk_walk;
	k->t.arch = &k->arch;
	k->t.memory.phys.read = fk_read;
	k->t.memory.phys.self = k;
	k->hooks.stack_of = fk_stack_of;
	k->hooks.fgraph_ret = fk_fgraph;
	k->t.unwind_hooks = &k->hooks;
	fk_symbol(k, "_text", FK_TEXT, 0, 'T');
	fk_symbol(k, "_stext", FK_TEXT, 0, 'T');
	fk_symbol(k, "_etext", FK_TEXT_END, 0, 'T');
	fk_symbol(k, "_end", FK_SIZE, 0, 'B');
	fk_symbol(k, "__start_orc_unwind_ip", FK_IP, 0, 'R');
	fk_symbol(k, "__start_orc_unwind", FK_ORC, 0, 'R');
}

/* When symbols and entries are complete. */
static inline void fk_ready(struct fake_stack_kernel *k)
{
	struct symtab *tab = symbols_add(&k->t, "fake");

	fk_symbol(k, "__stop_orc_unwind_ip", FK_IP + 4 * k->n_orc, 0, 'R');
	tab->load = fk_load;
	tab->self = k;
}

static inline void fk_release(struct fake_stack_kernel *k)
{
	target_release(&k->t);
	arena_release(&k->scratch);
}

#endif
