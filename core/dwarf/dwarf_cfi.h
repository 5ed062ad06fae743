/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call frame information: for each address, where the caller's registers are. */
#ifndef OBIT_DWARF_CFI_H
#define OBIT_DWARF_CFI_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

#define CFI_REGS 48 /* as many as struct regs has */

enum cfi_how {
	/* how to find the value that a register has in the caller */
	CFI_UNSET,    /* nothing is said: the calling convention decides */
	CFI_LOST,     /* it cannot be found */
	CFI_SAME,     /* the register still holds it */
	CFI_AT,       /* it is in memory at CFA + n */
	CFI_IS,       /* it is CFA + n */
	CFI_REGISTER, /* register n holds it */
	CFI_AT_EXPR,  /* it is in memory, at the address that the expression in block results in */
	CFI_IS_EXPR   /* it is what the expression in block results in */
};
/* block is evaluated with the CFA on the stack; only the rule for the CFA begins without it. */
struct cfi_rule {
	enum cfi_how how;
	int64_t n;
	struct span block;
};

struct cfi_rules {
	struct cfi_rule cfa; /* CFI_REGISTER: register `reg` plus n; or CFI_IS_EXPR */
	unsigned reg;        /* its number in DWARF */
	unsigned ra;         /* index into `of` of what stands for the return address */
	bool signal;         /* the caller was interrupted, and did not call */
	struct cfi_rule
		of[CFI_REGS]; /* by what slot(), handed to cfi_open(), makes of the number */
};

struct cfi_table;

/* Makes an index of a section, in the arena. section is .debug_frame, or, when eh is set,
 * .eh_frame, which was linked to addr, in this order of bytes. word is how many bytes an address
 * has. slot is the architecture's dwarf_slot(); NULL: a register's number is its index. ERR_FORMAT.
 */
bool cfi_open(struct arena *a, struct span section, uint64_t addr, bool eh, bool big, unsigned word,
	      unsigned (*slot)(uint64_t number), struct cfi_table **ret,
	      struct err *err) MUST_CHECK;
/* Sets *ret to the rules for the link-time address pc. signs says that instruction 0x2d is about
 * signed return addresses, as struct arch.signs_returns has it. ERR_NOTFOUND: no entry covers pc.
 */
bool cfi_find(struct cfi_table *tab, uint64_t pc, bool signs, struct cfi_rules *ret,
	      struct err *err) MUST_CHECK;

#endif
