/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run queues, where BTF tells of no per-CPU variables: by the idle task that each has. */
#include <stdio.h>

#include "core/base/guard.h"
#include "core/linux/symbol/prove_impl.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define REACH                                                                              \
	((uint64_t)1 << 20) /* the per-CPU section lies within, on both sides of any of it \
			     */
#define PAGE 4096u

enum {
	RQ_CPU,
	RQ_IDLE,
	RQ_FIELDS
};
static const struct shape_field rq_fields[RQ_FIELDS] = {
	[RQ_CPU] = FIELD_MAYBE("cpu"), /* not of a kernel for one CPU */
	[RQ_IDLE] = FIELD("idle"),
};
static const struct shape rq_shape = SHAPE("struct rq", rq_fields);

/* Does the copy of each CPU know the CPU, and its idle task by name (init_idle())? */
static bool is_runqueues(struct target *t, uint64_t addr, unsigned cpus)
{
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		char name[32];
		const char *comm;
		uint64_t off, number, idle, at;
		struct shaped s;
		struct err ignored;

		if (!cpu_is_possible(t, cpu))
			continue;
		snprintf(name, sizeof(name), "swapper/%u", cpu);
		if (!percpu_offset(t, cpu, &off, &ignored) ||
		    !shape_read(t, &rq_shape, percpu_sum(t, addr, off), &s, &ignored) ||
		    !shaped_u64(&s, RQ_CPU, &number, &ignored) || number != cpu ||
		    !shaped_u64(&s, RQ_IDLE, &idle, &ignored) ||
		    !field_offset(t, "struct task_struct", "comm", &at, &ignored) ||
		    !mem_str(t, idle + at, 16, t->scratch, &comm, &ignored) || strcmp(comm, name))
			return false;
	}
	return true;
}

/* cpu_number is exported, and each CPU's is the number of that CPU. */
static bool percpu_landmark(struct target *t, unsigned cpus, uint64_t *ret)
{
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		uint64_t off;
		uint32_t n;
		struct err ignored;

		if (cpu_is_possible(t, cpu) &&
		    (!symbol_addr(t, "cpu_number", ret) || !percpu_offset(t, cpu, &off, &ignored) ||
		     !mem_u32(t, percpu_sum(t, *ret, off), &n, &ignored) || n != cpu))
			return false;
	}
	return cpus != 0;
}

bool runqueues_prove(struct target *t, struct symbol *ret)
{
	uint64_t mark, first, task, idle, word;
	uint8_t buf[PAGE];
	unsigned cpus;
	size_t found = 0;
	struct err err;

	if (!symbol_addr(t, "init_task", &task) || !cpus_count(t, &cpus, &err) ||
	    !percpu_landmark(t, cpus, &mark) || !percpu_offset(t, 0, &first, &err) ||
	    !shape_offset(t, &rq_shape, RQ_IDLE, &idle, &err))
		return false;
	mark &= ~(uint64_t)(PAGE - 1);
	word = t->arch->word;
	for (uint64_t at = mark - REACH; at < mark + REACH; at += PAGE) {
		size_t n;

		if (!interrupt_check(&err))
			return false;
		n = mem_read_some(t, percpu_sum(t, at, first), buf, PAGE, &err);
		for (size_t i = 0; i + word <= n; i += word) {
			if (target_uint(t, buf + i, word) != task ||
			    !is_runqueues(t, at + i - idle, cpus))
				continue;
			ret->addr = at + i - idle;
			found++;
		}
	}
	return found == 1;
}
