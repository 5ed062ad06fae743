/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ORC: the table objtool makes, which says for each address where the caller's stack pointer is. */
#ifndef OBIT_ORC_H
#define OBIT_ORC_H

#include "core/base/bytes.h"
#include "core/image/target.h"

/* Bases in the order of the numbers that kernels up to 7.0 give them. */
enum orc_base {
	ORC_UNDEFINED,
	ORC_PREV_SP,
	ORC_DX,
	ORC_DI,
	ORC_BP,
	ORC_SP,
	ORC_R10,
	ORC_R13,
	ORC_BP_INDIRECT,
	ORC_SP_INDIRECT,
	ORC_AX,
	ORC_BASE_BAD
};

enum orc_type {
	ORC_NOTHING,
	ORC_END,
	ORC_CALL,
	ORC_REGS,
	ORC_REGS_PARTIAL,
	ORC_TYPE_BAD
};

struct orc {
	int16_t sp_off, bp_off;
	enum orc_base sp_base, bp_base;
	enum orc_type type;
	bool signal; /* the context of ORC_REGS was interrupted: its pc is no return address */
};

#define ORC_ENTRY_SIZE 6 /* struct orc_entry, in every layout */

/* How the bits of an entry are to be read. */
struct orc_layout {
	bool renumbered; /* the bases as since 7.1 */
	bool old_types;  /* two bits of type and an end bit, as before 6.4 */
};

/* How entries are to be read, by the entries themselves: a few hundred in a row tell. */
struct orc_layout orc_layout_of(struct span entries);
struct orc orc_decode(const uint8_t entry[ORC_ENTRY_SIZE], struct orc_layout layout);

/* Does the kernel have ORC tables? */
bool orc_loaded(struct target *t);
/* Sets *ret to the entry that covers pc, in the kernel's table or a module's. ERR_NOTFOUND: none
 * does. ERR_CORRUPT: the table is damaged there; it is not sorted, or is another one in the dump
 * than in the vmlinux. */
bool orc_find(struct target *t, uint64_t pc, struct orc *ret, struct err *err) MUST_CHECK;
/* Warns, once for a target, that the code contradicts what the tables say of pc. `remedy` is the
 * end of the warning, and says what is done about it. */
void orc_doubt(struct target *t, uint64_t pc, const char *remedy);

#endif
