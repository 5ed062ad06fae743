/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run queues: which tasks waited for a CPU, and in which groups of tasks they are. */
#ifndef OBIT_LINUX_RUNQ_H
#define OBIT_LINUX_RUNQ_H

#include "core/image/target.h"

struct runq {
	unsigned cpu;
	uint64_t addr, curr;           /* struct rq; task_struct */
	uint64_t running;              /* tasks that could run, as it counts them */
	const uint64_t *dl, *rt, *cfs; /* task_structs that wait or run */
	size_t n_dl, n_rt, n_cfs;
};
/* Sets *ret to the run queue of a CPU and its tasks: dl by deadline, rt by priority, cfs in no
 * order; in the arena. flaw(), which may be NULL, is told what of them cannot be read. False: there
 * is no such CPU, or what lies there is no run queue (ERR_CORRUPT). */
bool runq_of(struct target *t, unsigned cpu, struct arena *a, struct runq *ret,
	     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- runq_group.c */
struct runq_group {
	uint64_t addr;    /* struct task_group */
	unsigned depth;   /* 0: the root of all */
	const char *name; /* "autogroup-12", or its control group's; NULL: the root, or flaw() was
			     told */
	uint64_t shares;  /* its weight among its siblings: 1024 unless somebody chose another */
	uint64_t quota,
		period;   /* nanoseconds of CPU time in each period; quota UINT64_MAX: no limit */
	uint64_t queue;   /* its struct cfs_rq on the CPU */
	uint64_t running; /* tasks there, those of groups below it included */
	bool throttled;   /* its quota is used up there */
};
/* Calls fn for each task group as one CPU has it, a parent before its children, until fn returns
 * false. Names live in the arena. flaw(), which may be NULL, is told what cannot be read. */
bool runq_groups_each(struct target *t, unsigned cpu, struct arena *a,
		      bool (*fn)(const struct runq_group *g, void *arg),
		      void (*flaw)(const struct err *e, void *arg), void *arg,
		      struct err *err) MUST_CHECK;

#endif
