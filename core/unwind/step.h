/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One step from a frame to its caller: what the strategies share. */
#ifndef OBIT_STEP_H
#define OBIT_STEP_H

#include "core/unwind/unwind.h"
#include "core/types/frame_info.h"

/* A walk of a stack, and the frame that it is in. */
struct unwinder {
	struct target *t;
	const struct unwind_arch *arch;
	uint64_t task;
	int cpu;
	struct regs regs; /* pc, sp, fp and what else is known in this frame */
	bool exact;
	unsigned fgraph; /* hijacked return addresses met so far */
	bool has_stack;
	struct stack_range stack; /* the one that sp is on */
	unsigned crossings;       /* how often the walk went from one stack to another */
	bool guess;               /* some frame before was a guess, so all behind it are */
	bool doubt;               /* a function of which nothing is known may have changed fp */
	bool no_sp;               /* the stack pointer in regs is only near the true one */
	bool registers;           /* `known` is kept, for unwind_start.registers */
	struct regs known;        /* all that is proven in this frame, for variables */
};

/* The step to the caller, as a strategy found it. */
struct step {
	struct regs regs; /* the caller's */
	bool exact;       /* the caller was interrupted at its pc, and did not call */
	const char *how;  /* as struct frame has it */
	bool entry;       /* regs are those of the context that this frame interrupted */
	bool user;        /* ... which ran in user mode: the walk ends there */
	bool crosses;     /* the caller may be on another stack */
	bool doubt;       /* the frame pointer in regs may not be the caller's */
	bool guess;       /* the stack would allow other callers as well */
	bool leaf;        /* this frame has no room on the stack, so sp need not grow */
	bool no_sp;       /* the stack pointer in regs is only near the caller's */
	/* 32-bit ARM: saved has a bit for each register that was read from where it was saved;
	 * keeps says that the other callee-saved registers still hold the caller's values */
	uint32_t saved;
	bool keeps;
	/* by what function_graph finds the return address that it took: where on the stack that
	 * stood, on arm64 the caller's frame pointer; 0: not known */
	uint64_t slot;
};

enum step_result {
	STEP_FRAME,  /* *ret is the step */
	STEP_END,    /* this is the first frame of its thread: nobody called it */
	STEP_NONE,   /* the strategy knows nothing of this frame; another one may */
	STEP_BROKEN, /* the chain ends here; *err says why */
};

/*
 * How one architecture is unwound. core/unwind/arch_NAME.c defines it as unwind_arch_NAME and the
 * Makefile collects it. NULL members are what it does not need.
 */
struct unwind_arch {
	const struct arch *arch;
	/* finds the caller by whichever strategy knows it */
	enum step_result (*step)(struct unwinder *u, struct step *ret, struct err *err);
	/* replaces a pc in s->regs that a tracer put there by the one that it took; NULL:
	 * put_back() with s->slot does that */
	bool (*put_back)(struct unwinder *u, struct step *s, struct err *err);
	/* For a frame where the kernel changed to another stack and no table tells of it: sets
	 * at->regs to those on the stack that it came from. False: no stack is changed here. */
	bool (*back_from_stack)(struct unwinder *u, struct frame_at *at);
	/* for recover(): corrects what debug info said of the caller's registers (*next) and of the
	 * frame's CFA by what the step s says */
	void (*recover)(const struct unwinder *u, const struct step *s, struct frame *f,
			struct regs *next);
	/* for unwind_start.pc_doubt: keeps the pc where the other registers bear it out, and goes
	 * on from the return address that is in a register where they do not */
	void (*settle)(struct unwinder *u);
	bool sp_unknown; /* a step may know the caller's stack pointer only nearly */
	/* see unwind_told_sp(); NULL: it is right above the return address */
	bool (*told_sp)(struct target *t, uint64_t slot, uint64_t *ret, struct err *err);
	/* see unwind_told_fp(); NULL: nothing on the stack says it */
	bool (*told_fp)(struct target *t, uint64_t sp, bool exact, uint64_t *ret);
};
/* Every one; NULL ends the list. scripts/dev/lists collects it from the files of this folder. */
extern const struct unwind_arch *const unwind_archs[];

/* Finds the caller by the kernel's ORC tables. */
enum step_result step_orc(struct unwinder *u, struct step *ret, struct err *err);
/* Finds it by the call frame information of debug info, when the kernel's own tables are missing.
 */
enum step_result step_cfi(struct unwinder *u, struct step *ret, struct err *err);
/* Asks debug info which registers the function of f kept for its caller, and changes u->known to
 * what is known of the caller's registers. s is the step to the caller; where debug info
 * contradicts it, s is right. s NULL: there is no caller, and only the CFA of f is set. */
void recover(struct unwinder *u, const struct step *s, struct frame *f);
/* For kernels without ORC: the first knows entry code, the second functions that keep a frame
 * pointer. */
enum step_result step_entry_x86(struct unwinder *u, struct step *ret, struct err *err);
enum step_result step_frame_x86(struct unwinder *u, struct step *ret, struct err *err);
/* The first knows functions without unwind data, and return_to_handler while it returns; the second
 * follows frame pointers. */
enum step_result step_call_x86(struct unwinder *u, struct step *ret, struct err *err);
enum step_result step_fp_x86(struct unwinder *u, struct step *ret, struct err *err);

/* Is pc the address that function_graph or a kretprobe puts in the place of return addresses? */
bool is_hijacked(struct target *t, uint64_t pc);
/* Changes *pc, when a tracer put it there, to the return address that stood there before; both
 * tracers may have replaced it, one after the other. A kretprobe finds it by slot, function_graph
 * by fgraph_slot or by the number *fgraph, which is counted on. False: *err says why it is not
 * found. */
bool put_back(struct unwinder *u, uint64_t slot, uint64_t fgraph_slot, unsigned *fgraph,
	      uint64_t *pc, struct err *err);
/* Does x86-64's code say that the function that `callee` is in was not called from the return
 * address pc? It does when no call stands before pc, and when the call there leads to another
 * function that does not jump on to that one. False: it does not say so. */
bool call_contradicts(struct target *t, uint64_t pc, uint64_t callee);
/* 32-bit ARM: is pc in the code that tracers put between a function and its caller? Then
 * step_arm_code() finds the caller, by running that code. */
bool arm_tracing_code(struct target *t, uint64_t pc);
enum step_result step_arm_code(struct unwinder *u, struct step *ret, struct err *err);

uint64_t unwinder_pc(const struct unwinder *u);
uint64_t unwinder_sp(const struct unwinder *u);

#endif
