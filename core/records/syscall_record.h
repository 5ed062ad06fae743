/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a CPU was in at its end, as records: a system call, an interrupt, a softirq. */
#ifndef OBIT_SYSCALL_RECORD_H
#define OBIT_SYSCALL_RECORD_H

#include "core/linux/task/syscall.h"
#include "core/linux/task/task.h"
#include "core/shell/command.h"
#include "core/trace/trace.h"

extern const struct record_kind trace_syscall_kind, trace_context_kind;

extern const struct record_kind syscall_entry_kind;
/* Emits the table of system calls; with operands only the calls that have one as their number, or
 * in their name. */
bool emit_syscall_table(struct ctx *c, struct err *err) MUST_CHECK;

/* Emits the system call that the task on a CPU is in, if it is in one. */
void emit_syscall(struct ctx *c, unsigned cpu, const struct task *task);

/* The interrupts and softirqs of a CPU that were entered and not yet left. */
#define CONTEXTS_MAX 16u
struct contexts {
	struct {
		bool soft;
		uint64_t number, since;
		const char *name; /* in the command's arena; NULL unknown */
	} open[CONTEXTS_MAX];
	unsigned n;
};
/* Takes an event that enters or leaves one; other events are left alone. */
void contexts_add(struct ctx *c, struct contexts *all, const struct trace_event *ev);
/* Emits them, and what the CPU's preempt_count says. */
void emit_contexts(struct ctx *c, unsigned cpu, const struct task *task,
		   const struct contexts *all);

#endif
