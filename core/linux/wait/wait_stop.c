/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs that wait in stop_machine() until all the others have come: each one's stopper thread has a
 * work with the same argument. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* What a CPU is to come to: its struct multi_stop_data; 0: nothing. */
static uint64_t stop_data(struct target *t, unsigned cpu)
{
	uint64_t stopper, func, arg;
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	if (!percpu_addr(t, "cpu_stopper", cpu, &stopper, &ignored) ||
	    !field_u64(t, "struct cpu_stopper", stopper, "stop_work.fn", &func, &ignored) ||
	    !field_u64(t, "struct cpu_stopper", stopper, "stop_work.arg", &arg, &ignored) ||
	    !symbol_at(t, func, &sym, &off, &ignored) || strncmp(sym.name, "multi_cpu_stop", 14))
		return 0;
	return arg;
}

/* Does a CPU run its stopper? */
static bool has_come(struct wait_graph *g, unsigned cpu, const struct task *task)
{
	uint64_t stopper, thread;
	struct err ignored;

	return percpu_addr(g->t, "cpu_stopper", cpu, &stopper, &ignored) &&
	       field_u64(g->t, "struct cpu_stopper", stopper, "thread", &thread, &ignored) &&
	       task->addr == thread;
}

static bool stop_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t threads;
	unsigned n;

	ret->object.type = "stop_machine";
	ret->object.addr = stop_data(s->g->t, s->cpu);
	if (!cpus_count(s->g->t, &n, &ignored) ||
	    !field_u64(s->g->t, "struct multi_stop_data", ret->object.addr, "num_threads", &threads,
		       &ignored) ||
	    !threads || threads > n)
		return false;
	ret->edge.by = WAIT_BY_RULE;
	return true;
}

/* Who runs on a CPU that has not come is waited for. */
static void stop_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct wait_graph *g = s->g;
	struct buf b = { 0 };
	struct err ignored;
	uint64_t func;
	size_t n = 0;

	if (field_u64(g->t, "struct multi_stop_data", o->addr, "fn", &func, &ignored) && func)
		buf_printf(&b, "to call %s; ", symbol_text(g->t, func, g->t->scratch));
	for (size_t i = 0; i < g->impl->cpus.n; i++) {
		const struct wait_cpu *cpu = &g->impl->cpus.p[i];

		if (stop_data(g->t, cpu->cpu) != o->addr || has_come(g, cpu->cpu, cpu->task))
			continue;
		buf_printf(&b, n++ ? " %u" : "not yet there: CPU %u", cpu->cpu);
		if (!o->holder)
			o->holder = cpu->task;
	}
	if (o->holder)
		o->holder_by = WAIT_BY_RULE;
	else
		buf_str(&b, "all CPUs have come");
	o->state = arena_strdup(g->t->scratch, buf_text(&b));
	buf_release(&b);
}

static const char *const stop_functions[] = { "multi_cpu_stop", NULL };
const struct wait_kind wait_stop = { stop_functions, stop_find, stop_describe };
