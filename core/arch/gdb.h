/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gdb calls an architecture and its registers: the GDB manual, G.5 Standard Target Features.
 */
#ifndef OBIT_ARCH_GDB_H
#define OBIT_ARCH_GDB_H

#include "core/arch/arch.h"

/* Registers that follow one another in a feature. */
struct gdb_regs {
	/* what gdb calls it; of several what their numbers, from 0 on, stand behind. NULL: as
	 * struct arch.reg_names has them */
	const char *name;
	uint8_t reg;      /* the first one's index into struct regs; REGS_MAX: never known */
	uint8_t n;        /* how many */
	uint8_t bits;     /* of each */
	const char *type; /* NULL: an integer */
	/* of registers that are the same for every thread: their value, in the place of `reg` */
	uint64_t (*value)(const struct arch_facts *facts);
};
struct gdb_feature {
	const char *name;
	const struct gdb_regs *regs;
	size_t n_regs;
};
/* gdb refuses a description in which a feature lacks what it has to have. */
struct arch_gdb {
	const char *architecture; /* as `set architecture` takes it */
	const struct gdb_feature *features;
	size_t n_features;
};

#endif
