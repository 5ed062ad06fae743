/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Backtraces: frames found one by one, each saying how it is known. */
#ifndef OBIT_UNWIND_H
#define OBIT_UNWIND_H

#include "core/image/target.h"
#include "core/types/frame_info.h"

#define FRAMES_MAX 256

struct frame {
	unsigned n;
	/* run-time; where a tracer replaced the return address, the one that it replaced */
	uint64_t pc;
	uint64_t sp; /* stack pointer in this frame; the frame pointer, where only that is known */
	/* how the frame was found. The first one: "regs", "switch", "return", "given". Others:
	 * "orc", "cfi", "exidx", "fp", "chain", "lr", "prologue", "call", "pt_regs", "fgraph",
	 * "code", "scan". */
	const char *how;
	bool exact;        /* pc is where it was interrupted, not a return address */
	bool sure;         /* false: it is a guess, or was found from one; printed with '?' */
	const char *stack; /* the stack that sp is on: "TASK", "IRQ", "NMI", ...; NULL: unknown */
	bool has_regs;     /* it is an entry: regs are those of the context it interrupted */
	bool user;         /* ... which ran in user mode */
	bool called;       /* the next frame called it, and nothing between them is a guess */
	bool has_cfa;
	uint64_t cfa; /* the stack pointer before the call */
	struct regs regs;
	const struct regs *known; /* proven in this frame itself; NULL: they were not asked for */
};

/* What a walk of the stack starts from. */
struct unwind_start {
	struct regs regs; /* pc, sp and what else is known */
	/* where regs are from: "regs", the saved registers of a CPU; "switch", what a sleeping task
	 * saved; "return", a return address on the stack; "given", a person's word */
	const char *how;
	bool exact;
	bool pc_doubt; /* pc may be where an exception before came from: arch->notes_lack_pc */
	uint64_t task; /* task_struct, 0 unknown: for its stack's bounds */
	int cpu;       /* for the CPU's stacks; -1 unknown */
	bool scan;     /* where the chain ends early, go on with what looks like return addresses */
	bool registers; /* fill struct frame.known, for variables */
};

struct unwind_result {
	const struct frame *frames; /* in the scratch arena */
	size_t n;
	bool complete;  /* it ended where stacks end: at entry from user space, or a thread's first
			   frame */
	struct err end; /* why it ended early, when not complete */
};

/* Walks a stack from *start on, at most max frames, or FRAMES_MAX when max is 0. Never fails: *ret
 * has the frames that were found, and why there are no more. */
void unwind(struct target *t, const struct unwind_start *start, size_t max,
	    struct unwind_result *ret);
/* The same into `frames`, the caller's room for max frames: for walks of thousands of stacks. */
void unwind_into(struct target *t, const struct unwind_start *start, struct frame *frames,
		 size_t max, struct unwind_result *ret);
/* Walks nothing: finds every word from lo on, before hi, that may be a return address because a
 * call stands before it. Each is a guess. */
void unwind_scan(struct target *t, uint64_t lo, uint64_t hi, struct unwind_result *ret);
/* Is the instruction before pc a call? For a pc of which nothing else says that it is a return
 * address. */
bool follows_call(struct target *t, uint64_t pc);
/* For a walk that begins in the middle of a stack: sets *ret to the stack pointer, as struct frame
 * has it, of the frame to which the return address at `slot` leads. */
bool unwind_told_sp(struct target *t, uint64_t slot, uint64_t *ret, struct err *err) MUST_CHECK;
/* The same, of the frame pointer of a frame with that stack pointer. exact: as struct frame has it.
 * False: nothing says it. */
bool unwind_told_fp(struct target *t, uint64_t sp, bool exact, uint64_t *ret) MUST_CHECK;
/* The address to look up names and lines by: pc, or pc - 1 when pc is a return address. */
uint64_t frame_lookup_pc(const struct frame *f);
/* The frames of a result in the form in which debug info is asked about them; in the arena. */
const struct frame_at *unwind_frames_at(const struct unwind_result *u, struct arena *a);

/* A stack: from lo on, before hi. */
struct stack_range {
	uint64_t lo, hi; /* [lo, hi) */
	const char *name;
};
/* What core/linux, which the unwinder may not include, knows of stacks and of tracers. It sets
 * t->unwind_hooks; a function is NULL when nobody can answer. */
struct unwind_hooks {
	/* sets *ret to the stack, of this task or of this CPU, that contains sp */
	bool (*stack_of)(struct target *t, uint64_t task, int cpu, uint64_t sp,
			 struct stack_range *ret);
	/* sets *orc and *ip to the addresses of the ORC tables of the module that contains pc, and
	 * *count to how many entries each has; false: it has none */
	bool (*module_orc)(struct target *t, uint64_t pc, uint64_t *orc, uint64_t *ip,
			   uint64_t *count);
	/* 32-bit ARM: sets *start and *stop to where the exception index of the module that
	 * contains pc begins and ends */
	bool (*module_exidx)(struct target *t, uint64_t pc, uint64_t *start, uint64_t *stop);
	/* Sets *ret to the address that the task would have returned to where function_graph put
	 * return_to_handler. The entry is found by slot, the place on the stack where the return
	 * address stood. Where slot is 0, or the kernel did not record slots, it is the entry
	 * number *index, counted from the newest, and *index becomes the number of the next older
	 * one. */
	bool (*fgraph_ret)(struct target *t, uint64_t task, uint64_t slot, unsigned *index,
			   uint64_t *ret, struct err *err);
	/* The same for a task that was stopped inside return_to_handler, which may have removed the
	 * entry already: finds the entry whose slot lies in [*slot, *slot + size), and sets *slot
	 * to that slot. */
	bool (*fgraph_pop)(struct target *t, uint64_t task, uint64_t *slot, uint64_t size,
			   uint64_t *ret, struct err *err);
	/* Sets *ret to the address that the task would have returned to where a kretprobe put its
	 * trampoline; slot is the place on the stack where that address stood. */
	bool (*rethook_ret)(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret,
			    struct err *err);
	/* Sets *ret to the address in the kernel's own code whose copy, made at run time, pc lies
	 * in. */
	bool (*trampoline_of)(struct target *t, uint64_t pc, uint64_t *ret);
};
/* Is addr what function_graph puts in the place of return addresses? */
bool is_fgraph(struct target *t, uint64_t addr);
/* Is addr what kretprobes put in the place of return addresses? */
bool is_rethook(struct target *t, uint64_t addr);

#endif
