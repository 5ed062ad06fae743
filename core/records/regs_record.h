/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of saved registers: one kind an architecture, each register a field of its name. */
#ifndef OBIT_REGS_RECORD_H
#define OBIT_REGS_RECORD_H

#include "core/arch/arch.h"
#include "core/shell/command.h"

/* Whose registers they are. */
struct regs_of {
	bool has_pid;
	int pid;
	int cpu; /* the CPU whose registers the dumper saved; -1: they are not a CPU's own */
	int n;   /* the number of the frame that saved them; -1: no frame did */
	bool user;
};

extern const struct record_kind regs_x86_kind, regs_arm64_kind, regs_arm_kind, regs_riscv64_kind,
	regs_loongarch64_kind, regs_ppc64_kind, regs_s390x_kind, regs_value_kind;
/* All of them, for what a command emits. */
#define REGS_KINDS                                                            \
	&regs_x86_kind, &regs_arm64_kind, &regs_arm_kind, &regs_riscv64_kind, \
		&regs_loongarch64_kind, &regs_ppc64_kind, &regs_s390x_kind, &regs_value_kind

/* Emits the registers: one record, or, of an architecture without a layout, a record of
 * regs_value_kind for each of them. */
void emit_registers(struct ctx *c, const struct regs *regs, const struct regs_of *of);

#endif
