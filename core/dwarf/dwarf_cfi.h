/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frame information: for each address, where the caller's registers are. */
#ifndef OBIT_DWARF_CFI_H
#define OBIT_DWARF_CFI_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

#define CFI_REGS 48 /* as many as struct regs has */

enum cfi_how {
	CFI_UNSET,    /* not said: by the calling convention */
	CFI_LOST,     /* not recoverable */
	CFI_SAME,     /* as it is */
	CFI_AT,       /* in memory at CFA + n */
	CFI_IS,       /* CFA + n */
	CFI_REGISTER, /* in register n */
	CFI_AT_EXPR,  /* in memory where the block says, which starts with the CFA on its stack */
	CFI_IS_EXPR   /* what the block says, likewise */
};
struct cfi_rule {
	enum cfi_how how;
	int64_t n;
	struct span block;
};

struct cfi_rules {
	struct cfi_rule cfa;          /* CFI_REGISTER: register `reg` plus n; CFI_IS_EXPR */
	unsigned reg;                 /* by DWARF's number */
	unsigned ra;                  /* index of the register (or column) of the return address */
	bool signal;                  /* the frame was interrupted, not called */
	struct cfi_rule of[CFI_REGS]; /* by the slot that cfi_open() was told of */
};

struct cfi_table;

/* A section's index, in the arena; addresses are link-time ones. section is .debug_frame, or
 * .eh_frame linked at `addr`. slot: struct arch.dwarf_slot, NULL where numbers are slots.
 * ERR_FORMAT.
 */
bool cfi_open(struct arena *a, struct span section, uint64_t addr, bool eh, unsigned word,
	      unsigned (*slot)(uint64_t number), struct cfi_table **ret,
	      struct err *err) MUST_CHECK;
/* ERR_NOTFOUND: no entry covers pc. signs: 0x2d says that the return address is
 * signed from here on, or no more. */
bool cfi_find(const struct cfi_table *tab, uint64_t pc, bool signs, struct cfi_rules *ret,
	      struct err *err) MUST_CHECK;

#endif
