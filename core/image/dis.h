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

/* In the arena, and good until it is released. ERR_UNSUPPORTED: the architecture. */
bool dis_open(struct arena *a, const struct arch *arch, struct dis **ret,
	      struct err *err) MUST_CHECK;
/* The same by the name that a report has, of i386, ppc64 and mips too. thumb: ARM's code is. */
bool dis_open_named(struct arena *a, const char *name, bool thumb, struct dis **ret,
		    struct err *err) MUST_CHECK;
/* The instruction at the start of `code`, which lies at addr; code.n must not be 0. */
void dis_one(struct dis *d, struct span code, uint64_t addr, struct insn *ret);
void dis_close(struct dis *d);

/* Where in memory an instruction reads or writes; names of registers are the machine's own. */
struct dis_memory {
	const char *base, *index; /* NULL: none */
	uint64_t scale;
	int64_t disp;
	bool writes;
};
/* Of the instruction that dis_one() decoded last. False: it has none, one through a segment, or
 * the architecture's operands are not known. */
bool dis_memory(const struct dis *d, struct dis_memory *ret);
/* May that instruction change a register? "eax" changes rax, "w0" x0, and a call any. *load: by
 * putting into it what it reads there. */
bool dis_writes(const struct dis *d, const char *reg, bool *load);

/* Code at a run-time address: the dump's, or without a dump the vmlinux's as it was linked. How
 * much is there, at most n; *err says why when it is less. */
size_t dis_code(struct target *t, uint64_t addr, void *buf, size_t n, struct err *err);

#endif
