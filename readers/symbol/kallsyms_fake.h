/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing of kallsyms: a kernel whose memory holds nothing but the tables. */
#ifndef OBIT_KALLSYMS_FAKE_H
#define OBIT_KALLSYMS_FAKE_H

#include <string.h>

#include "readers/symbol/kallsyms.h"

#define KS_BASE UINT64_C(0xffffffff82000000)
#define KS_SIZE ((size_t)64 << 10)
#define KS_NUM 0x0
#define KS_REL 0x8
#define KS_INDEX 0x10
#define KS_TOKENS 0x400
#define KS_OFFSETS 0x1000
#define KS_NAMES 0x4000
#define KS_TOKENS_BEHIND                                                        \
	0xe000 /* where the kernel has them: behind the names and their markers \
		*/

struct fake_kallsyms {
	struct target t;
	struct arena scratch;
	struct arch arch;
	uint8_t mem[KS_SIZE];
	struct kallsyms k;
};

static bool ks_mmu(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	(void)facts;
	(void)ret;
	(void)err;
	return true;
}

static bool ks_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	if (va - KS_BASE >= KS_SIZE)
		return err_set_addr(err, ERR_UNMAPPED, va, "not mapped");
	*ret = (struct mapping){ .va = va & ~UINT64_C(0xfff),
				 .pa = (va - KS_BASE) & ~UINT64_C(0xfff),
				 .size = 0x1000 };
	return true;
}

static bool ks_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct fake_kallsyms *f = self;

	if (pa > KS_SIZE || n > KS_SIZE - pa)
		return err_set_addr(err, ERR_NOTRAM, pa, "not RAM");
	memcpy(buf, f->mem + pa, n);
	return true;
}

static inline void ks_init(struct fake_kallsyms *f)
{
	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->arch = arch_x86_64;
	f->arch.mmu_init = ks_mmu;
	f->arch.walk = ks_walk;
	f->t.arch = &f->arch;
	f->t.memory.phys.read = ks_read;
	f->t.memory.phys.self = f;
	f->k = (struct kallsyms){ .names = KS_BASE + KS_NAMES,
				  .num_syms = KS_BASE + KS_NUM,
				  .token_table = KS_BASE + KS_TOKENS,
				  .token_index = KS_BASE + KS_INDEX,
				  .offsets = KS_BASE + KS_OFFSETS,
				  .relative_base = KS_BASE + KS_REL };
}

static inline void ks_release(struct fake_kallsyms *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

#endif
