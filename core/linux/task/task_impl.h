/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about tasks share with each other. */
#ifndef OBIT_TASK_IMPL_H
#define OBIT_TASK_IMPL_H

#include "core/image/target.h"
#include "core/linux/task/task.h"

/* How mm->rss_stat counts pages; see task_mm.c. */
enum rss_kind {
	RSS_UNKNOWN,
	RSS_ATOMIC,
	RSS_PERCPU
};

struct mm_layout {
	bool tried;
	bool has_vm;
	uint64_t total_vm; /* offset in struct mm_struct */
	enum rss_kind kind;
	uint64_t rss, stride; /* offset of the first counter, and from each to the next */
	unsigned n;
	uint64_t count, counters; /* within one counter; counters is a per-CPU pointer to s32 */
	bool has_split;           /* each thread holds back some of RSS_ATOMIC, in s32: */
	uint64_t split;           /* offset of the first in struct task_struct */
};

struct task_state {
	struct map by_addr; /* task_struct -> const struct task * */
	struct map by_pid;
	bool listed, list_ok;
	struct err list_flaw; /* the first reason why not all were found; code ERR_OK: all were */
	struct err list_err;
	const struct task *all;
	size_t n;

	struct map curr; /* CPU -> task_struct */
	bool panic_tried, panic_ok;
	struct err panic_err;
	const struct task *panic;
	const char *panic_how;

	struct mm_layout mm;
	uint64_t last_mm, last_vsz, last_rss; /* threads share an mm */
	bool last_mm_ok;
	struct map split; /* mm -> what its threads hold back of each counter; see task_mm.c */
	bool split_tried;

	uint64_t stack_size;     /* 0: not yet asked */
	bool saved_tried, saved; /* crash_notes of any CPU */
};

struct task_state *task_state(struct target *t);

/* A task's state as crash prints it, in two letters, and as /proc/PID/stat has it, in one. */
const char *task_state_name(uint64_t state, uint64_t exit_state);
char task_state_letter(uint64_t state, uint64_t exit_state);
/* Sets *ret to the task_struct that runs on a CPU, by the CPU's runqueue. */
bool task_curr(struct target *t, unsigned cpu, uint64_t *ret, struct err *err) MUST_CHECK;

#endif
