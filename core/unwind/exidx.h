/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 32-bit ARM's exception index: for each function, how its frame is taken down.
 * Source: Arm IHI 0038, "Exception Handling ABI for the Arm Architecture", 6 to 10. */
#ifndef OBIT_EXIDX_H
#define OBIT_EXIDX_H

#include "core/base/bytes.h"
#include "core/image/target.h"

/* The unwind instructions of one function. Those of the compact models are at most 2 + 4 * 255
 * bytes. */
#define EXIDX_CODE_MAX 1024
struct exidx {
	uint64_t func; /* where the entry begins to hold */
	bool cantunwind;
	size_t n;
	uint8_t code[EXIDX_CODE_MAX];
};

/* Sets *ret to the entry that covers pc, in the kernel's table or a module's. ERR_NOTFOUND: none
 * does. */
bool exidx_find(struct target *t, uint64_t pc, struct exidx *ret, struct err *err) MUST_CHECK;

/* The registers of a frame, on its way to the caller's. */
struct exidx_frame {
	uint32_t r[16];
	uint32_t known;  /* a bit for each register whose value is known */
	uint32_t popped; /* ... and for each that was taken from the stack */
	uint64_t slot;   /* of the return address; 0: it was in lr all the time */
	bool moved;      /* the stack pointer was taken from another register */
};

/* Runs the instructions in code: *f becomes the caller's frame. read gives the word of the stack at
 * va. ERR_CORRUPT: there is an instruction that is spare or forbidden, or they run too long.
 * ERR_NOTFOUND: the instructions say that nobody may unwind here. */
bool exidx_run(struct span code, struct exidx_frame *f,
	       bool (*read)(void *self, uint64_t va, uint32_t *ret, struct err *err), void *self,
	       struct err *err) MUST_CHECK;

#endif
