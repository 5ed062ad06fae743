/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of saved registers: one kind an architecture, each register a field of its name. */
#ifndef OBIT_REGS_RECORD_H
#define OBIT_REGS_RECORD_H

#include "core/arch/arch.h"
#include "core/shell/command.h"

/* Whose they are. */
struct regs_of {
	bool has_pid;
	int pid;
	int cpu; /* -1: not a CPU's own */
	int n;   /* number of the frame that saved them; -1: none */
	bool user;
};

extern const struct record_kind regs_x86_kind, regs_arm64_kind, regs_arm_kind, regs_value_kind;

/* A record of regs_value_kind for each register of a machine that has no kind of its own. */
void emit_registers(struct ctx *c, const struct regs *regs, const struct regs_of *of);

#endif
