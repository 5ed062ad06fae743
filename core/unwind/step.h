/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step from a frame to its caller: what the strategies share. */
#ifndef OBIT_STEP_H
#define OBIT_STEP_H

#include "core/unwind/unwind.h"
#include "core/types/frame_info.h"

/* The frame the walk is in. */
struct unwinder {
	struct target *t;
	const struct unwind_arch *arch;
	uint64_t task;
	int cpu;
	struct regs regs; /* pc, sp, fp and what else is known in this frame */
	bool exact;
	unsigned fgraph; /* hijacked return addresses met so far */
	bool has_stack;
	struct stack_range stack; /* that sp is on */
	unsigned crossings;       /* of stacks */
	bool guess;               /* some frame before was one: those behind it are no surer */
	bool doubt;               /* the frame pointer was kept through a function nobody knows */
	bool no_sp;               /* regs' stack pointer is only near the true one */
	bool registers;           /* known is kept up */
	struct regs known;        /* all that is proven in this frame, for variables */
};

/* The caller, as a strategy found it. */
struct step {
	struct regs regs;
	bool exact;
	const char *how;
	bool entry;   /* regs are the context that this frame interrupted */
	bool user;    /* ... in user mode: the end */
	bool crosses; /* may be on another stack */
	bool doubt;   /* its frame pointer may not be the caller's */
	bool guess;   /* one of several that the stack would allow */
	bool leaf;    /* it kept no frame: the stack pointer need not grow */
	bool no_sp;   /* the stack pointer is not the caller's own, only near it */
	/* 32-bit ARM: the registers read from where they were saved; and whether the others that
	 * functions keep for their callers are still those */
	uint32_t saved;
	bool keeps;
	/* what function_graph knows a return address by: where it lay; on arm64 the caller's frame
	 * pointer; 0: unknown */
	uint64_t slot;
};

enum step_result {
	STEP_FRAME,
	STEP_END,    /* the first frame of its thread */
	STEP_NONE,   /* this strategy knows nothing here */
	STEP_BROKEN, /* *err says why the chain ends */
};

/*
 * How one architecture is unwound. core/unwind/arch_NAME.c defines it as unwind_arch_NAME and the
 * Makefile collects it. NULL members are what it does not need.
 */
struct unwind_arch {
	const struct arch *arch;
	/* to the caller, by whichever strategy knows */
	enum step_result (*step)(struct unwinder *u, struct step *ret, struct err *err);
	/* puts back what tracers took of s->regs' pc; NULL: put_back() by s->slot does */
	bool (*put_back)(struct unwinder *u, struct step *s, struct err *err);
	/* at->regs become those on the stack that another was left for, where no table tells;
	 * false: no stack is changed here */
	bool (*back_from_stack)(struct unwinder *u, struct frame_at *at);
	/* for recover(): what debug info said of the caller's registers, *next, and of the frame's
	 * place is put right by what the step says */
	void (*recover)(const struct unwinder *u, const struct step *s, struct frame *f,
			struct regs *next);
	bool sp_unknown; /* a step may know the caller's stack pointer only nearly */
};
/* All of them, NULL at the end: collected from this folder by scripts/dev/lists. */
extern const struct unwind_arch *const unwind_archs[];

enum step_result step_orc(struct unwinder *u, struct step *ret, struct err *err);
/* By debug info's frame tables, where the kernel's own are missing. */
enum step_result step_cfi(struct unwinder *u, struct step *ret, struct err *err);
/* The registers that a frame's function kept for its caller, as debug info tells: u->known becomes
 * the caller's. s, the step to the caller, stays what is believed. s NULL: there is none, only f's
 * place on the stack is wanted. */
void recover(struct unwinder *u, const struct step *s, struct frame *f);
/* Where there is no ORC: entry code, and functions that keep frame pointers. */
enum step_result step_entry_x86(struct unwinder *u, struct step *ret, struct err *err);
enum step_result step_frame_x86(struct unwinder *u, struct step *ret, struct err *err);
/* Functions without unwind data, and return_to_handler while it returns. */
enum step_result step_call_x86(struct unwinder *u, struct step *ret, struct err *err);
enum step_result step_fp_x86(struct unwinder *u, struct step *ret, struct err *err);

/* Is pc what function_graph or a kretprobe puts in the place of return addresses? */
bool is_hijacked(struct target *t, uint64_t pc);
/* What pc stands for, taken from this slot by a kretprobe's rules, fgraph_slot by function_graph's;
 * both may have taken it, one after the other. *fgraph moves on. */
bool put_back(struct unwinder *u, uint64_t slot, uint64_t fgraph_slot, unsigned *fgraph,
	      uint64_t *pc, struct err *err);
/* Is the instruction before pc a call? Asked where nothing else says that pc is a return address.
 */
bool follows_call(struct target *t, uint64_t pc);
/* Does the code say that nothing at the return address pc called the function that `callee` is in?
 * That the word is none at all, or that its call leads elsewhere, jumps at the end of functions
 * included. Of x86-64's code; false: it says nothing. */
bool call_contradicts(struct target *t, uint64_t pc, uint64_t callee);
/* 32-bit ARM: is pc in code that tracers put between a function and its caller? Then
 * step_arm_code() knows where that goes on. */
bool arm_tracing_code(struct target *t, uint64_t pc);
enum step_result step_arm_code(struct unwinder *u, struct step *ret, struct err *err);

uint64_t unwinder_pc(const struct unwinder *u);
uint64_t unwinder_sp(const struct unwinder *u);

#endif
