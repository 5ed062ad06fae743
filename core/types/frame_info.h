/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What debug info tells of a frame: its caller's registers, its variables, and the calls that left
 * no frame. */
#ifndef OBIT_FRAME_INFO_H
#define OBIT_FRAME_INFO_H

#include "core/arch/arch.h"
#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/types/value.h"

struct target;

/* A frame of a stack, as far as it is known. */
struct frame_at {
	uint64_t pc; /* run-time address where the function was interrupted, or will go on */
	bool exact;  /* it was interrupted at pc; otherwise pc is a return address */
	/* the registers whose values are proven; pc and sp need not be among them */
	struct regs regs;
	bool has_cfa;
	uint64_t cfa; /* the stack pointer before the call that made it */
	/* the frame that called it, by a call and not by an exception; NULL: not known */
	const struct frame_at *caller;
};

/* An argument or local. */
struct variable {
	const char *name;
	bool argument;
	/* which function's it is, by the index into what line_find() gives: 0 stands for the
	 * innermost inlined one */
	unsigned level;
	bool known;         /* value is what it held */
	struct value value; /* the type is set even if the value is not known */
	struct err why;     /* not known: why; ERR_NOTFOUND: the compiler left it out */
};
#define VARIABLES_MAX 1024

/* A function that has no frame any more: it ended by a jump into the next one. */
struct tail_call {
	const char *func;
	uint64_t addr;
	/* It is certain that the function was called. Otherwise it is on the only way that direct
	 * jumps make, and other functions jump to where a pointer leads. */
	bool sure;
};
#define TAIL_CALLS_MAX 8

/* The debug info of one file. Each function fails with ERR_NOTFOUND when the file does not cover
 * the frame. */
struct frame_source {
	/* Sets *ret to the registers of the frame's caller: those that the frame's function saved
	 * or left alone, the pc as it lies on the stack, and the sp. f->cfa is used when f->has_cfa
	 * is set, otherwise it is found; *cfa is the one that was used. */
	bool (*caller)(struct frame_source *s, const struct frame_at *f, struct regs *ret,
		       uint64_t *cfa, struct err *err);
	/* Sets *ret to the frame's n arguments and locals, in arena a. May be NULL, as the next. */
	bool (*variables)(struct frame_source *s, const struct frame_at *f, struct arena *a,
			  const struct variable **ret, size_t *n, struct err *err);
	/* When f->caller called another function than the one of f: sets ret to the functions that
	 * led from there to f by jumps, in the order of their calls, and *n to how many they are,
	 * at most TAIL_CALLS_MAX. ERR_NOTFOUND: it called f's own, or there are several ways. */
	bool (*tail_calls)(struct frame_source *s, const struct frame_at *f, struct tail_call *ret,
			   size_t *n, struct err *err);
	struct target *t;
	void *self;
};

/* Adds a source behind those that are there. */
void frame_source_add(struct target *t, struct frame_source *s);
/* The address to look the frame up by. A return address lies behind its call, perhaps already in
 * the next function, so it is the one before that. */
uint64_t frame_at_lookup(const struct frame_at *f);
/* These ask the functions of struct frame_source of the first source that covers the frame.
 * ERR_NEED: there is no debug info. */
bool frame_caller(struct target *t, const struct frame_at *f, struct regs *ret, uint64_t *cfa,
		  struct err *err) MUST_CHECK;
bool frame_variables(struct target *t, const struct frame_at *f, struct arena *a,
		     const struct variable **ret, size_t *n, struct err *err) MUST_CHECK;
/* Its answers are kept. */
bool frame_tail_calls(struct target *t, const struct frame_at *f, struct tail_call *ret, size_t *n,
		      struct err *err) MUST_CHECK;

#endif
