/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembly as text alone: of what the capstone that obit was built with need not know, by any
 * newer one that is installed. */
#ifndef OBIT_DIS_TEXT_H
#define OBIT_DIS_TEXT_H

#include "core/arch/arch.h"
#include "core/base/arena.h"

struct dis_text;

/* What a decoded instruction is; the texts are gone with the next one. */
struct dis_text_insn {
	unsigned n; /* bytes */
	const char *mnemonic, *operands;
};

/* Opens the newest capstone that is installed and knows this architecture, whose row has a `since`.
 * *ret is in the arena and holds memory besides, which dis_text_close() frees. ERR_NEED names what
 * to install, ERR_UNSUPPORTED what was found instead. */
bool dis_text_open(struct arena *a, const struct arch *arch, struct dis_text **ret,
		   struct err *err) MUST_CHECK;
/* Decodes the instruction that code begins with. False: it is none that the library knows. */
bool dis_text_one(struct dis_text *d, struct span code, uint64_t addr, struct dis_text_insn *ret);
void dis_text_close(struct dis_text *d);

#endif
