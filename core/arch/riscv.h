/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What RISC-V's code looks like, which is the same with 32 and with 64 bits. */
#ifndef OBIT_RISCV_H
#define OBIT_RISCV_H

#include "core/arch/arch.h"

/* Bytes before a return address in which its call is looked for. */
#define RISCV_CALL_BYTES 8
/* As in struct arch. */
bool riscv_call_before(struct span code, uint64_t pc);
bool riscv_call_target(struct span code, uint64_t pc, uint64_t *ret);
bool riscv_jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret);
unsigned riscv_insn_size(struct span code);
enum arch_leads riscv_insn_leads(struct span before, struct span code, uint64_t addr,
				 uint64_t *ret);
bool riscv_place_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret);

#endif
