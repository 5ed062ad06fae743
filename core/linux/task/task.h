/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks: which there are, what each is and was doing, and where unwinding it starts. */
#ifndef OBIT_TASK_H
#define OBIT_TASK_H

#include "core/image/target.h"

struct task {
	uint64_t addr; /* task_struct */
	int pid, tgid, ppid;
	int cpu;
	bool active;       /* it was running on its CPU at the crash */
	bool on_cpu;       /* its own on_cpu says so; counts when the runqueue cannot be read */
	const char *state; /* crash's two letters: RU IN UN ZO ST TR DE ID ... */
	char letter;       /* the kernel's one letter: R S D Z T t X I ... */
	const char *comm;  /* in the target's arena */
	uint64_t mm;       /* 0: kernel thread */
	uint64_t stack;    /* lowest address of the kernel stack */
	uint64_t flags;    /* task_struct.flags (PF_*) */
};
/* Sets *ret to all n tasks and threads: first the idle tasks of the CPUs (pid 0), then the others
 * in the order of the list that begins with init_task. They are read once. When the list is broken,
 * *ret has those that were found, and the person is warned. */
bool tasks_all(struct target *t, const struct task **ret, size_t *n, struct err *err) MUST_CHECK;
/* Were all tasks found? They were not when the list is broken or a task cannot be read. */
bool tasks_complete(struct target *t);
/* Did tasks_all() meet something that it could not read or follow? Sets *ret to the first such. */
bool tasks_flaw(struct target *t, struct err *ret);
bool task_by_pid(struct target *t, int pid, const struct task **ret, struct err *err) MUST_CHECK;
bool task_by_addr(struct target *t, uint64_t addr, const struct task **ret,
		  struct err *err) MUST_CHECK;
/* Sets *ret to the task that ran on a CPU at the crash. */
bool task_on_cpu(struct target *t, unsigned cpu, const struct task **ret,
		 struct err *err) MUST_CHECK;
/* Sets *ret to the task that panicked, and *how to what says so: "panic_cpu", "crash_notes", "log",
 * "crashing_cpu". ERR_NOTFOUND: the kernel did not panic; the dump is of a live machine. */
bool task_panic(struct target *t, const struct task **ret, const char **how,
		struct err *err) MUST_CHECK;
bool task_is_kernel(const struct task *task);
/* Sets *vsz and *rss to a task's virtual and resident memory in bytes, 0 when it has no mm. False:
 * its mm cannot be read. */
bool task_memory(struct target *t, const struct task *task, uint64_t *vsz, uint64_t *rss);
/* Sets *ret to the tasks that a person's word names, by pid and then by CPU; in the scratch arena.
 * The word is a pid, the address of a task_struct or a comm; when no comm is the word, or `regex`
 * is set, it is an extended regular expression that is searched in comms. word NULL names all
 * tasks. ERR_NOTFOUND; ERR_USAGE: the expression is none. */
bool tasks_match(struct target *t, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err) MUST_CHECK;
/* Sets *ret to the threads of a task's process, the leader first and then by pid; in the scratch
 * arena.
 */
bool tasks_of_group(struct target *t, const struct task *task, const struct task *const **ret,
		    size_t *n, struct err *err) MUST_CHECK;
/* Is it one of crash's two letters for a state, as struct task has them? */
bool task_is_state(const char *word);
/* What the scheduler noted of a task. A time is UINT64_MAX when this kernel does not note it, or
 * when one before it could not be read. */
struct task_sched {
	unsigned policy;       /* SCHED_*: 0 normal, 1 FIFO, 2 RR, 3 batch, 5 idle, 6 deadline */
	uint64_t last_run;     /* the scheduler's clock when it last got a CPU, nanoseconds; 0: it
				* never did, or is a CPU's idle task, whose turns are not noted */
	uint64_t clock;        /* the same clock of its CPU at the crash */
	uint64_t start;        /* nanoseconds after boot */
	uint64_t utime, stime; /* nanoseconds */
};
bool task_sched(struct target *t, const struct task *task, struct task_sched *ret,
		struct err *err) MUST_CHECK;
/* The number of a policy, by its name or its number as a word; UINT_MAX: there is none such. */
unsigned sched_policy(const char *name);
/* How many bytes of RAM the page allocator manages; 0: not known. */
uint64_t ram_total(struct target *t);
/* Size of a kernel stack in bytes. */
bool task_stack_size(struct target *t, uint64_t *ret, struct err *err) MUST_CHECK;
struct unwind_start;
/* Sets *ret to where unwinding a task begins: at the registers of its CPU that the dumper saved,
 * or, for a task that did not run, at those that the switch to another task saved. */
bool task_unwind_start(struct target *t, const struct task *task, struct unwind_start *ret,
		       struct err *err) MUST_CHECK;

#endif
