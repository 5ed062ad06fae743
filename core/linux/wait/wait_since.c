/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long ago a sleeping task last ran. */
#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* A run queue that is idle lags behind, so that the latest one says what "now" was. */
static void clocks_read(struct wait_graph *g)
{
	struct wait_impl *impl = g->impl;
	uint64_t rq, clock;
	struct err ignored;
	unsigned n;

	impl->clocks_tried = true;
	if (!cpus_count(g->t, &n, &ignored))
		return;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(g->t, cpu) ||
		    !percpu_addr(g->t, "runqueues", cpu, &rq, &ignored))
			continue;
		if (field_u64(g->t, "struct rq", rq, "clock", &clock, &ignored) &&
		    clock > impl->clock)
			impl->clock = clock;
		if (field_u64(g->t, "struct rq", rq, "clock_task", &clock, &ignored) &&
		    clock > impl->clock_task)
			impl->clock_task = clock;
	}
}

/* The fair class notes when a task left its CPU, by the clock without interrupts; for others it is
 * known when the task last got one. */
uint64_t wait_since(struct wait_graph *g, const struct task *task)
{
	const struct wait_impl *impl = g->impl;
	uint64_t policy, then;
	struct err ignored;

	if (!impl->clocks_tried)
		clocks_read(g);
	/* SCHED_NORMAL, SCHED_BATCH, SCHED_IDLE: include/uapi/linux/sched.h */
	if (field_u64(g->t, "struct task_struct", task->addr, "policy", &policy, &ignored) &&
	    (policy == 0 || policy == 3 || policy == 5) && impl->clock_task &&
	    field_u64(g->t, "struct task_struct", task->addr, "se.exec_start", &then, &ignored) &&
	    then && then <= impl->clock_task)
		return impl->clock_task - then;
	if (impl->clock &&
	    field_u64(g->t, "struct task_struct", task->addr, "sched_info.last_arrival", &then,
		      &ignored) &&
	    then && then <= impl->clock)
		return impl->clock - then;
	return UINT64_MAX;
}

/* A run queue's clock is advanced by each tick, and when tasks come and go. */
uint64_t wait_silent(struct wait_graph *g, unsigned cpu)
{
	struct err ignored;
	uint64_t rq, clock;

	if (!g->impl->clocks_tried)
		clocks_read(g);
	if (!percpu_addr(g->t, "runqueues", cpu, &rq, &ignored) ||
	    !field_u64(g->t, "struct rq", rq, "clock", &clock, &ignored) || !clock ||
	    clock > g->impl->clock)
		return UINT64_MAX;
	return g->impl->clock - clock;
}

uint64_t wait_ran(struct wait_graph *g, const struct task *task)
{
	struct err ignored;
	uint64_t then;

	if (!g->impl->clocks_tried)
		clocks_read(g);
	if (!field_u64(g->t, "struct task_struct", task->addr, "sched_info.last_arrival", &then,
		       &ignored) ||
	    !then || then > g->impl->clock)
		return UINT64_MAX;
	return g->impl->clock - then;
}
