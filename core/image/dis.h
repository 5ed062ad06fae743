/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine code as text, one instruction at a time; what cannot be decoded is shown as bytes. */
#ifndef OBIT_DIS_H
#define OBIT_DIS_H

#include "core/arch/arch.h"
#include "core/base/arena.h"

struct target;
struct dis;

#define INSN_BYTES_MAX 16

struct insn {
	uint64_t addr;
	uint8_t bytes[INSN_BYTES_MAX];
	unsigned n;         /* bytes */
	bool bad;           /* not decoded: mnemonic is ".byte" */
	char mnemonic[32];  /* AT&T's on x86, as objdump and gdb write it */
	char operands[160]; /* addresses as numbers */
	bool has_target;    /* ... of a direct branch or call, or of data relative to pc */
	uint64_t target;
	bool branch; /* target is code */
};

/* Begins to disassemble code of an architecture. *ret is in the arena and holds memory besides,
 * which dis_close() frees. ERR_UNSUPPORTED: nothing disassembles this architecture. */
bool dis_open(struct arena *a, const struct arch *arch, struct dis **ret,
	      struct err *err) MUST_CHECK;
/* The same by an architecture's name as reports have it; of i386, ppc64 and mips, too. thumb says
 * that ARM's code consists of Thumb instructions. */
bool dis_open_named(struct arena *a, const char *name, bool thumb, struct dis **ret,
		    struct err *err) MUST_CHECK;
/* Decodes the instruction that code begins with; code lies at addr and is not empty. */
void dis_one(struct dis *d, struct span code, uint64_t addr, struct insn *ret);
void dis_close(struct dis *d);

/* Where in memory an instruction reads or writes; names of registers are the machine's own. */
struct dis_memory {
	const char *base, *index; /* NULL: none */
	uint64_t scale;
	int64_t disp;
	bool writes;
};
/* The memory operand of the instruction that dis_one() decoded last. False: it has none, or one
 * through a segment register, or nobody can tell on this architecture. */
bool dis_memory(const struct dis *d, struct dis_memory *ret);
/* May that instruction change the register `reg`? Writing eax changes rax, writing w0 changes x0,
 * and a call may change any. *load is set when the instruction loads it from its memory operand. */
bool dis_writes(const struct dis *d, const char *reg, bool *load);

/* Copies the code at a run-time address: from the dump, or without a dump from the vmlinux. Returns
 * how many bytes are there, at most n; when they are fewer, *err says why. */
size_t dis_code(struct target *t, uint64_t addr, void *buf, size_t n, struct err *err);

#endif
