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
/* The instruction at the start of `code`, which lies at addr; code.n must not be 0. */
void dis_one(struct dis *d, struct span code, uint64_t addr, struct insn *ret);
void dis_close(struct dis *d);
/* Code at a run-time address: the dump's, or without a dump the vmlinux's as it was linked. How
 * much is there, at most n; *err says why when it is less. */
size_t dis_code(struct target *t, uint64_t addr, void *buf, size_t n, struct err *err);

#endif
