/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing: a machine whose page tables map each address to itself, and of which every
 * address is the kernel's. */
#ifndef OBIT_FLAT_FAKE_H
#define OBIT_FLAT_FAKE_H

#include "core/arch/arch.h"

static inline bool flat_is_kernel_va(uint64_t va)
{
	(void)va;
	return true;
}

static inline bool flat_mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	(void)facts;
	(void)ret;
	(void)err;
	return true;
}

static inline bool flat_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret,
			     struct err *err)
{
	(void)mmu;
	(void)err;
	*ret = (struct mapping){ .va = va & ~UINT64_C(0xfff),
				 .pa = va & ~UINT64_C(0xfff),
				 .size = 0x1000 };
	return true;
}

#endif
