/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks: which there are, what each is and was doing, and where unwinding it starts. */
#ifndef OBIT_TASK_H
#define OBIT_TASK_H

#include "core/image/target.h"

struct task {
	uint64_t addr; /* task_struct */
	int pid, tgid, ppid;
	int cpu;
	bool active;       /* running on its CPU at the crash */
	bool on_cpu;       /* its own word for that; decides where the runqueue is absent */
	const char *state; /* crash's two letters: RU IN UN ZO ST TR DE ID ... */
	char letter;       /* the kernel's one letter: R S D Z T t X I ... */
	const char *comm;  /* in the target's arena */
	uint64_t mm;       /* 0: kernel thread */
	uint64_t stack;    /* lowest address of the kernel stack */
	uint64_t flags;    /* task_struct.flags (PF_*) */
};
/* All tasks and threads, per-CPU idle tasks (pid 0) first, then by walk order of init's list.
 * Cached. When the walk ends early *ret holds what was found and t gets a warning. */
bool tasks_all(struct target *t, const struct task **ret, size_t *n, struct err *err) MUST_CHECK;
/* Were all of them found? Not when the list is broken, or a task cannot be read. */
bool tasks_complete(struct target *t);
bool task_by_pid(struct target *t, int pid, const struct task **ret, struct err *err) MUST_CHECK;
bool task_by_addr(struct target *t, uint64_t addr, const struct task **ret,
		  struct err *err) MUST_CHECK;
/* The task running on a CPU at the crash. */
bool task_on_cpu(struct target *t, unsigned cpu, const struct task **ret,
		 struct err *err) MUST_CHECK;
/* The task that panicked, and how it is known: "panic_cpu", "crash_notes", "log", "crashing_cpu".
 * ERR_NOTFOUND when the kernel did not panic (a dump from a live machine). */
bool task_panic(struct target *t, const struct task **ret, const char **how,
		struct err *err) MUST_CHECK;
bool task_is_kernel(const struct task *task);
/* A task's virtual and its resident memory in bytes, 0 without an mm. False: its mm cannot be read.
 */
bool task_memory(struct target *t, const struct task *task, uint64_t *vsz, uint64_t *rss);
/* Tasks that a person's word names: a pid, a task address, a comm, or a POSIX regular expression
 * searched for in comms (always when `regex`, else when no comm is the word). By pid, then by CPU;
 * in the scratch arena. ERR_NOTFOUND, ERR_USAGE for a bad expression. word NULL: all. */
bool tasks_match(struct target *t, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err) MUST_CHECK;
/* A task's thread group: its leader, then the others by pid; in the scratch arena. */
bool tasks_of_group(struct target *t, const struct task *task, const struct task *const **ret,
		    size_t *n, struct err *err) MUST_CHECK;
/* What the scheduler noted of a task; UINT64_MAX where this kernel notes none, and behind what
 * cannot be read. */
struct task_sched {
	unsigned policy;       /* SCHED_*: 0 normal, 1 FIFO, 2 RR, 3 batch, 5 idle, 6 deadline */
	uint64_t last_run;     /* the scheduler's clock when it last got a CPU, nanoseconds */
	uint64_t clock;        /* the same clock of its CPU at the crash */
	uint64_t start;        /* nanoseconds after boot */
	uint64_t utime, stime; /* nanoseconds */
};
bool task_sched(struct target *t, const struct task *task, struct task_sched *ret,
		struct err *err) MUST_CHECK;
/* A policy by its name or number; UINT_MAX: none of that name. */
unsigned sched_policy(const char *name);
/* Bytes of RAM that the page allocator manages; 0 unknown. */
uint64_t ram_total(struct target *t);
/* Size of a kernel stack in bytes. */
bool task_stack_size(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
struct unwind_start;
/* Where to start unwinding a task: a CPU's saved registers, or the switch frame. */
bool task_unwind_start(struct target *t, const struct task *task, struct unwind_start *ret,
		       struct err *err) MUST_CHECK;

#endif
