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

/* A frame, as far as it is known. */
struct frame_at {
	uint64_t pc;      /* run-time: where it was interrupted, or will go on */
	bool exact;       /* it was interrupted there; otherwise pc is a return address */
	struct regs regs; /* those that are proven, by DWARF's numbers; pc and sp need not be */
	bool has_cfa;
	uint64_t cfa; /* the stack pointer before the call that made it */
	/* who called it, by a call and not by an exception; NULL unknown */
	const struct frame_at *caller;
};

/* An argument or local. */
struct variable {
	const char *name;
	bool argument;
	/* whose: 0 the innermost inlined function, as the entries of line_find() count */
	unsigned level;
	bool known;
	struct value value; /* its type is set in any case */
	struct err why;     /* not known: ERR_NOTFOUND for what the compiler left out */
};
#define VARIABLES_MAX 1024

/* A function that was called and went on into the next by a jump. */
struct tail_call {
	const char *func;
	uint64_t addr;
	/* it is in any case; otherwise the only direct way, where other functions jump to what
	 * pointers held */
	bool sure;
};
#define TAIL_CALLS_MAX 8

/* One file's debug info. Each returns ERR_NOTFOUND where it does not cover the frame. */
struct frame_source {
	/* The caller's registers: those that the callee saved or left alone, its pc (as it lies on
	 * the stack) and sp. With f->has_cfa that one is taken, otherwise it is found. */
	bool (*caller)(struct frame_source *s, const struct frame_at *f, struct regs *ret,
		       uint64_t *cfa, struct err *err);
	/* May be NULL, as the next. */
	bool (*variables)(struct frame_source *s, const struct frame_at *f, struct arena *a,
			  const struct variable **ret, size_t *n, struct err *err);
	/* f->caller called another function than f's: those that led from there to f, in order of
	 * their calls, at most TAIL_CALLS_MAX. ERR_NOTFOUND: it is no tail call, or there are
	 * several ways. */
	bool (*tail_calls)(struct frame_source *s, const struct frame_at *f, struct tail_call *ret,
			   size_t *n, struct err *err);
	struct target *t;
	void *self;
};

void frame_source_add(struct target *t, struct frame_source *s);
/* The address to look up: a return address lies behind its call, perhaps in the next function. */
uint64_t frame_at_lookup(const struct frame_at *f);
/* As struct frame_source's, by the first source that covers the frame. ERR_NEED: no debug info. */
bool frame_caller(struct target *t, const struct frame_at *f, struct regs *ret, uint64_t *cfa,
		  struct err *err) MUST_CHECK;
bool frame_variables(struct target *t, const struct frame_at *f, struct arena *a,
		     const struct variable **ret, size_t *n, struct err *err) MUST_CHECK;
/* Cached. */
bool frame_tail_calls(struct target *t, const struct frame_at *f, struct tail_call *ret, size_t *n,
		      struct err *err) MUST_CHECK;

#endif
