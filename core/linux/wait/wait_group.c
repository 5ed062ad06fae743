/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits of a process's threads for each other: one that runs another program waits for the others
 * to end, one that dumps core until they stand still, and those for the dump; and who is looking
 * up a name that others want. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define ARRIVED_MAX 100000

/* ---- running another program */

/* The process notes which of its threads it is: 60700e38fb68 (v5.16) renamed that. */
static bool exec_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t signal, task;
	struct err ignored;

	if (!field_u64(s->g->t, "struct task_struct", s->task->addr, "signal", &signal, &ignored) ||
	    !field_u64(s->g->t, "struct signal_struct", signal, "group_exec_task|group_exit_task",
		       &task, &ignored) ||
	    task != s->task->addr)
		return false;
	ret->object.type = "threads";
	ret->object.addr = signal;
	ret->edge.by = WAIT_BY_BLOCKED_ON;
	return true;
}

static bool lives(const struct task *task)
{
	return task->letter != 'Z' && task->letter != 'X';
}

static void exec_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct wait_many many = { .n = 0 };

	for (size_t i = 0; i < s->g->impl->all.n; i++) {
		const struct task *task = s->g->impl->all.p[i];

		if (task->tgid == s->task->tgid && task != s->task && lives(task))
			wait_many_add(&many, task);
	}
	o->state = arena_printf(s->g->t->scratch, "the end of %zu other threads of its process",
				many.total);
	wait_many_give(s->g, &many, o, WAIT_BY_RULE);
}

static const char *const exec_functions[] = { "de_thread", NULL };
const struct wait_kind wait_exec = { exec_functions, exec_find, exec_describe };

/* ---- dumping core */

/* Threads that stand still have themselves put on a list. */
static bool arrived_read(struct wait_graph *g, uint64_t core, struct map *arrived)
{
	uint64_t at, task;
	struct err ignored;

	if (!field_u64(g->t, "struct core_state", core, "dumper.next", &at, &ignored))
		return false;
	while (at && arrived->n < ARRIVED_MAX) {
		bool isnew;

		if (!field_u64(g->t, "struct core_thread", at, "task", &task, &ignored) ||
		    !field_u64(g->t, "struct core_thread", at, "next", &at, &ignored))
			return false;
		map_put(arrived, task, &isnew);
		if (!isnew)
			return false;
	}
	return true;
}

bool wait_for_dump(const struct wait_stack *s, struct wait_object *o)
{
	struct wait_many many = { .n = 0 };
	struct map arrived = { 0 };
	struct target *t = s->g->t;
	uint64_t off, core, dumper;
	struct err ignored;

	if (!field_offset(t, "struct core_state", "startup", &off, &ignored) ||
	    wait_stack_owner(s->g, o->addr) != s->task)
		return false;
	core = o->addr - off;
	if (!field_u64(t, "struct core_state", core, "dumper.task", &dumper, &ignored) ||
	    dumper != s->task->addr)
		return false;
	if (!arrived_read(s->g, core, &arrived))
		o->flaw = "the list of threads that stand still is broken";
	for (size_t i = 0; i < s->g->impl->all.n; i++) {
		const struct task *task = s->g->impl->all.p[i];

		if (task->mm && task->mm == s->task->mm && task != s->task && lives(task) &&
		    !map_get(&arrived, task->addr))
			wait_many_add(&many, task);
	}
	map_release(&arrived);
	o->state = arena_printf(t->scratch, "a dump of core; %zu threads do not stand still yet",
				many.total);
	wait_many_give(s->g, &many, o, WAIT_BY_RULE);
	return true;
}

static bool dump_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t signal;
	struct err ignored;

	/* 0258b5fd7c71 (v5.16) */
	if (!field_u64(s->g->t, "struct task_struct", s->task->addr, "signal", &signal, &ignored) ||
	    !field_u64(s->g->t, "struct signal_struct", signal, "core_state", &ret->object.addr,
		       &ignored))
		return false;
	ret->object.type = "core_dump";
	ret->edge.by = WAIT_BY_RULE;
	return ret->object.addr != 0;
}

static void dump_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct err ignored;
	uint64_t task;

	o->state = "its end";
	if (field_u64(s->g->t, "struct core_state", o->addr, "dumper.task", &task, &ignored) &&
	    (o->holder = wait_task(s->g, task)))
		o->holder_by = WAIT_BY_RULE;
}

static const char *const dump_functions[] = { "coredump_task_exit", NULL };
const struct wait_kind wait_core_dump = { dump_functions, dump_find, dump_describe };

/* ---- a name that is being looked up */

/* Up to v7.1 who looks up a name lends the others a queue on its own stack. */
static bool lookup_find(const struct wait_stack *s, struct wait_found *ret)
{
	const struct task *who;

	if (!wait_any_queue.find(s, ret))
		return false;
	who = wait_stack_owner(s->g, ret->object.addr);
	return who && who != s->task;
}

static void lookup_describe(const struct wait_stack *s, struct wait_object *o)
{
	o->state = "a name that is being looked up";
	o->holder = wait_stack_owner(s->g, o->addr);
	o->holder_by = WAIT_BY_RULE;
}

static const char *const lookup_functions[] = { "d_alloc_parallel", "d_wait_lookup", NULL };
const struct wait_kind wait_lookup = { lookup_functions, lookup_find, lookup_describe };
