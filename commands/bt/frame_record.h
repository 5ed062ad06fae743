/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of backtraces, the same in every command that shows frames. */
#ifndef OBIT_FRAME_RECORD_H
#define OBIT_FRAME_RECORD_H

#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/shell/command.h"
#include "core/records/regs_record.h"
#include "commands/bt/variable_record.h"
#include "core/unwind/unwind.h"

/* How they are shown. */
struct frame_style {
	bool lines;     /* source lines, and inlined functions among the frames */
	bool offsets;   /* in functions */
	bool hex;       /* ... in hexadecimal */
	bool variables; /* arguments and locals; asks for struct unwind_start.registers */
	bool machinery; /* what ran after the death too, down to the dump itself */
	bool entries;   /* only the frames that saved registers */
	bool contents;  /* the words of each frame */
	bool symbols;   /* ... with symbols in the place of addresses, and names of slab objects */
	const struct frame *only; /* this one, and nothing else; NULL: all */
	uint64_t max;             /* frames asked for; 0: no limit of the person's */
};

extern const struct record_kind backtrace_kind, backtrace_frame_kind, stack_words_kind;

/* Its head, its frames, what they saved, and why it ended early. A task of address 0 is unknown.
 * gap: another one was before. */
void emit_backtrace(struct ctx *c, const struct task *task, const struct unwind_result *u,
		    const struct frame_style *style, bool gap);

/* Every word of a task's stack; and all on it that may be a return address, a guess each: from
 * where the backtrace u begins, or where that is not on the stack, or u is NULL, on all of it. */
void emit_stack_raw(struct ctx *c, const struct task *task, bool gap);
void emit_stack_guesses(struct ctx *c, const struct task *task, const struct unwind_result *u,
			const struct frame_style *style, bool gap);

#endif
