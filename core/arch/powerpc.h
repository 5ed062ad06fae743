/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What PowerPC's code looks like, which is the same with 32 and with 64 bits. */
#ifndef OBIT_POWERPC_H
#define OBIT_POWERPC_H

#include "core/arch/arch.h"

/* Bytes before a return address in which its call is looked for. */
#define POWERPC_CALL_BYTES 4
/* As in struct arch, of instructions whose lowest byte comes first. */
bool powerpc_call_before(struct span code, uint64_t pc);
bool powerpc_call_target(struct span code, uint64_t pc, uint64_t *ret);
bool powerpc_jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret);

/* What a function's code does to its frame, instruction by instruction. */
enum powerpc_frame_insn {
	POWERPC_OTHER,
	POWERPC_LR_TO_R0,    /* mflr r0 */
	POWERPC_R0_TO_STACK, /* std r0,16(r1), which is the caller's frame as long as it is on top
			      */
	POWERPC_PUSH,        /* stdu r1,-n(r1), or stdux */
	POWERPC_POP,         /* addi r1,r1,n */
	POWERPC_RETURN       /* blr */
};
enum powerpc_frame_insn powerpc_frame_insn(uint32_t word);

#endif
