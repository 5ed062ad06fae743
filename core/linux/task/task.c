/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks: what a task_struct says, all of them, and each by pid or address. */
#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/container/list.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"
#include "core/linux/task/task_impl.h"

/* PID_MAX_LIMIT of 64-bit kernels, include/linux/threads.h: no pid reaches it, no more tasks fit.
 */
#define PID_LIMIT (4u << 20)
#define WARN_MAX 8

enum {
	TASK_STATE,
	TASK_EXIT_STATE,
	TASK_FLAGS,
	TASK_STACK,
	TASK_CPU,
	TASK_ON_CPU,
	TASK_PID,
	TASK_TGID,
	TASK_PARENT,
	TASK_MM,
	TASK_COMM,
	TASK_SIGNAL,
	TASK_LINK,
	TASK_THREAD,
	TASK_FIELDS
};
static const struct shape_field task_fields[TASK_FIELDS] = {
	[TASK_STATE] = FIELD_ALT("__state", "state"), /* 2f064a59a11f (v5.14) */
	[TASK_EXIT_STATE] = FIELD("exit_state"),
	[TASK_FLAGS] = FIELD("flags"),
	[TASK_STACK] = FIELD("stack"),
	[TASK_CPU] = FIELD_MAYBE("thread_info.cpu", "cpu"), /* bcf9033e5449 (v5.16) */
	[TASK_ON_CPU] = FIELD_MAYBE("on_cpu"),
	[TASK_PID] = FIELD("pid"),
	[TASK_TGID] = FIELD("tgid"),
	[TASK_PARENT] = FIELD_ALT("real_parent", "parent"),
	[TASK_MM] = FIELD("mm"),
	[TASK_COMM] = FIELD("comm"),
	[TASK_SIGNAL] = FIELD("signal"),
	[TASK_LINK] = FIELD("tasks"),
	/* 0c740d0afc3b (v3.14) made the list with a head, 8e1f385104ac (v6.7) removed the ring */
	[TASK_THREAD] = FIELD_ALT("thread_node", "thread_group"),
};
static const struct shape task_shape = SHAPE("struct task_struct", task_fields);

static bool task_fill(const struct shaped *s, struct task *ret, struct err *err)
{
	struct target *t = s->t;
	uint64_t pid, cpu, smp, state, exit_state = shaped_u64_or(s, TASK_EXIT_STATE, 0);

	if (!shaped_u64(s, TASK_PID, &pid, err))
		return err_wrap(err, "task 0x%llx", (unsigned long long)s->addr);
	if (pid >= PID_LIMIT)
		return err_set_addr(err, ERR_CORRUPT, s->addr,
				    "task 0x%llx: its pid is %lld, which no task can have",
				    (unsigned long long)s->addr, (long long)pid);
	*ret = (struct task){ .addr = s->addr, .pid = (int)pid, .state = "??", .letter = '?' };
	ret->tgid = (int)shaped_u64_or(s, TASK_TGID, pid);
	ret->cpu = -1;
	if (shaped_u64(s, TASK_CPU, &cpu, err))
		ret->cpu = (int)cpu;
	else if (symbol_addr(t, "__per_cpu_offset", &smp)) /* not a kernel for one CPU */
		target_lacks(t, err);
	ret->on_cpu = shaped_u64_or(s, TASK_ON_CPU, 0) != 0;
	ret->flags = shaped_u64_or(s, TASK_FLAGS, 0);
	ret->stack = shaped_u64_or(s, TASK_STACK, 0);
	if (shaped_u64(s, TASK_STATE, &state, err)) {
		ret->state = task_state_name(state, exit_state);
		ret->letter = task_state_letter(state, exit_state);
	} else {
		shaped_missed(s, TASK_STATE, err);
	}
	if (!shaped_str(s, TASK_COMM, &t->arena, &ret->comm, err)) {
		shaped_missed(s, TASK_COMM, err);
		ret->comm = arena_printf(&t->arena, "<%s>", err_absent_text(err->code));
	}
	ret->mm = shaped_u64_or(s, TASK_MM, 0);
	return true;
}

/* Fills everything but active and ppid. *parent is the parent's task_struct, 0 when there is none.
 */
static bool task_read(struct target *t, uint64_t addr, struct task *ret, uint64_t *parent,
		      struct err *err)
{
	struct shaped s;

	if (!shape_read(t, &task_shape, addr, &s, err))
		return err_wrap(err, "task 0x%llx", (unsigned long long)addr);
	*parent = shaped_u64_or(&s, TASK_PARENT, 0);
	return task_fill(&s, ret, err);
}

static bool is_active(struct target *t, const struct task *task)
{
	struct err ignored;
	uint64_t curr;

	if (task->cpu < 0 || !cpu_has_run(t, (unsigned)task->cpu))
		return false;
	if (!task_curr(t, (unsigned)task->cpu, &curr, &ignored))
		return task->on_cpu;
	return curr == task->addr;
}

bool task_by_addr(struct target *t, uint64_t addr, const struct task **ret, struct err *err)
{
	struct task_state *st = task_state(t);
	uint64_t *hit = map_get(&st->by_addr, addr), parent = 0, ppid;
	struct task task, *kept;
	struct err ignored;

	if (hit) {
		*ret = (const struct task *)(uintptr_t)*hit;
		return true;
	}
	if (!task_read(t, addr, &task, &parent, err))
		return false;
	/* an idle task descends from whoever brought its CPU up: pid 1, which means nothing */
	if (parent && task.pid &&
	    field_u64(t, "struct task_struct", parent, "tgid", &ppid, &ignored))
		task.ppid = (int)ppid;
	task.active = is_active(t, &task);
	kept = ARENA_NEW(&t->arena, struct task);
	*kept = task;
	*map_put(&st->by_addr, addr, NULL) = (uintptr_t)kept;
	*ret = kept;
	return true;
}

/* ---- the walk over all of them */

struct task_walk {
	struct target *t;
	VEC(struct task) tasks;
	VEC(uint64_t) parents;
	struct map seen; /* task_struct -> its number in tasks, from 0 */
	unsigned warned;
	struct err first;  /* that was warned of */
	bool stop;         /* Ctrl-C or the limit */
	bool by_group;     /* threads are in rings without a head */
	uint64_t link_off; /* task_struct.tasks */
	uint64_t node_off; /* task_struct.thread_node or thread_group */
	uint64_t head_off; /* signal_struct.thread_head */
	bool threads_ok;   /* the three above are known */
	struct arena
		arena; /* what reading one leader and its threads needs, gone before the next */
};

static void walk_warn(struct task_walk *w, const struct err *e)
{
	if (e->code == ERR_INTR)
		w->stop = true;
	if (!w->warned)
		w->first = *e;
	if (++w->warned <= WARN_MAX)
		target_warn(w->t, e->code, "%s", e->msg);
}

/* False when it was seen before or cannot be read. */
static bool walk_add(struct task_walk *w, uint64_t addr, struct shaped *s)
{
	uint64_t *cell;
	struct err err;
	struct task task;
	bool isnew;

	if (w->tasks.n >= PID_LIMIT) {
		w->stop = true;
		return false;
	}
	cell = map_put(&w->seen, addr, &isnew);
	if (!isnew)
		return false;
	*cell = UINT64_MAX;
	if (!shape_read(w->t, &task_shape, addr, s, &err)) {
		err_wrap(&err, "task 0x%llx", (unsigned long long)addr);
		walk_warn(w, &err);
		return false;
	}
	if (!task_fill(s, &task, &err)) {
		walk_warn(w, &err);
		return false;
	}
	*cell = w->tasks.n;
	*vec_push(&w->tasks) = task;
	*vec_push(&w->parents) = shaped_u64_or(s, TASK_PARENT, 0);
	return true;
}

static bool walk_thread(uint64_t addr, void *arg)
{
	struct task_walk *w = arg;
	struct shaped s;

	walk_add(w, addr, &s);
	return !w->stop;
}

/* Behind a break: from the other end, until the walk meets itself. */
static bool walk_thread_back(uint64_t addr, void *arg)
{
	struct task_walk *w = arg;

	return map_get(&w->seen, addr) ? false : walk_thread(addr, arg);
}

/* The other threads of a leader just read; its only thread is known without reading its signal. */
static void walk_group(struct task_walk *w, const struct shaped *leader)
{
	struct target *t = w->t;
	uint64_t node, head, signal;
	struct err err;

	head = leader->addr + w->node_off;
	if (!w->by_group) {
		if (!shaped_u64(leader, TASK_SIGNAL, &signal, &err)) {
			err_wrap(&err, "threads of task 0x%llx", (unsigned long long)leader->addr);
			walk_warn(w, &err);
			return;
		}
		if (!signal)
			return; /* its last thread is being reaped */
		head = signal + w->head_off;
	}
	if (mem_ptr(t, leader->addr + w->node_off, &node, &err) && node == head)
		if (w->by_group ||
		    (mem_ptr(t, leader->addr + w->node_off + t->arch->word, &node, &err) &&
		     node == head))
			return;
	if (list_each(t, head, w->node_off, "thread list", walk_thread, w, &err))
		return;
	err_wrap(&err, "threads of task 0x%llx", (unsigned long long)leader->addr);
	walk_warn(w, &err);
	if (!w->stop &&
	    !list_each_back(t, head, w->node_off, "thread list", walk_thread_back, w, &err)) {
		err_wrap(&err, "threads of task 0x%llx, backwards",
			 (unsigned long long)leader->addr);
		walk_warn(w, &err);
	}
}

static bool walk_leader(uint64_t addr, void *arg)
{
	struct task_walk *w = arg;
	struct arena *scratch = w->t->scratch;
	struct shaped s;

	w->t->scratch = &w->arena;
	if (walk_add(w, addr, &s) && w->threads_ok)
		walk_group(w, &s);
	w->t->scratch = scratch;
	arena_reset(&w->arena);
	return !w->stop;
}

static bool walk_leader_back(uint64_t addr, void *arg)
{
	struct task_walk *w = arg;

	return map_get(&w->seen, addr) ? false : walk_leader(addr, arg);
}

/* Each CPU's idle task; on a kernel whose runqueues cannot be read, init_task is the one. */
static void walk_idle(struct task_walk *w)
{
	struct target *t = w->t;
	uint64_t rq, idle;
	struct err err;
	struct shaped s;
	unsigned n;

	if (!cpus_count(t, &n, &err)) {
		walk_warn(w, &err);
		n = 0;
	}
	for (unsigned cpu = 0; cpu < n && !w->stop; cpu++) {
		if (!cpu_has_run(t, cpu))
			continue;
		if (!percpu_addr(t, "runqueues", cpu, &rq, &err) ||
		    !field_u64(t, "struct rq", rq, "idle", &idle, &err)) {
			err_wrap(&err, "idle task of CPU %u", cpu);
			walk_warn(w, &err);
			continue;
		}
		walk_add(w, idle, &s);
	}
	if (!w->tasks.n && symbol_addr(t, "init_task", &idle))
		walk_add(w, idle, &s);
}

static bool walk_layout(struct task_walk *w, struct err *err)
{
	struct target *t = w->t;
	struct err ignored;

	if (!shape_offset(t, &task_shape, TASK_LINK, &w->link_off, err))
		return false;
	if (field_offset(t, "struct task_struct", "thread_node", &w->node_off, &ignored))
		w->threads_ok =
			field_offset(t, "struct signal_struct", "thread_head", &w->head_off, err);
	else
		w->threads_ok = w->by_group =
			field_offset(t, "struct task_struct", "thread_group", &w->node_off, err);
	if (!w->threads_ok) {
		err_wrap(err, "only thread group leaders are listed");
		walk_warn(w, err);
	}
	return true;
}

static bool walk_run(struct task_walk *w, struct err *err)
{
	struct target *t = w->t;
	struct symbol init;

	if (!walk_layout(w, err) || !symbol_find(t, "init_task", &init, err))
		return err_wrap(err, "task list");
	walk_idle(w);
	if (w->stop ||
	    list_each(t, init.addr + w->link_off, w->link_off, "task list", walk_leader, w, err))
		return true;
	if (!w->tasks.n)
		return false;
	walk_warn(w, err);
	if (!w->stop && !list_each_back(t, init.addr + w->link_off, w->link_off, "task list",
					walk_leader_back, w, err)) {
		err_wrap(err, "backwards");
		walk_warn(w, err);
	}
	return true;
}

/* Moves what was found to the target's arena and makes the maps. */
static void walk_keep(struct task_walk *w, struct task_state *st)
{
	struct target *t = w->t;
	struct task *all = ARENA_ARRAY(&t->arena, struct task, w->tasks.n ? w->tasks.n : 1);
	struct err ignored;
	uint64_t *cell, ppid;

	for (size_t i = 0; i < w->tasks.n; i++) {
		bool isnew;

		all[i] = w->tasks.p[i];
		all[i].active = is_active(t, &all[i]);
		cell = map_get(&w->seen, w->parents.p[i]);
		if (!all[i].pid)
			all[i].ppid = 0;
		else if (cell && *cell != UINT64_MAX)
			all[i].ppid = w->tasks.p[*cell].tgid;
		else if (w->parents.p[i] && field_u64(t, "struct task_struct", w->parents.p[i],
						      "tgid", &ppid, &ignored))
			all[i].ppid = (int)ppid;
		*map_put(&st->by_addr, all[i].addr, NULL) = (uintptr_t)&all[i];
		cell = map_put(&st->by_pid, (uint64_t)all[i].pid, &isnew);
		if (isnew)
			*cell = (uintptr_t)&all[i];
	}
	st->all = all;
	st->n = w->tasks.n;
}

bool tasks_all(struct target *t, const struct task **ret, size_t *n, struct err *err)
{
	struct task_state *st = task_state(t);
	struct task_walk w = { .t = t };

	if (!st->listed) {
		st->list_ok = walk_run(&w, &st->list_err);
		/* interrupted: what was found is not all there is, so the next command walks again
		 */
		if (interrupt_check(err))
			st->listed = true;
		else
			st->list_ok = err_set(&st->list_err, err->code, "%s", err->msg);
		if (st->list_ok)
			walk_keep(&w, st);
		st->list_flaw = w.first;
		if (w.warned > WARN_MAX)
			target_warn(t, ERR_CORRUPT, "%u more tasks could not be read",
				    w.warned - WARN_MAX);
		map_release(&w.seen);
		vec_release(&w.tasks);
		vec_release(&w.parents);
		arena_release(&w.arena);
	}
	if (!st->list_ok) {
		*err = st->list_err;
		return false;
	}
	*ret = st->all;
	*n = st->n;
	return true;
}

bool tasks_complete(struct target *t)
{
	const struct task_state *st = task_state(t);

	return st->listed && st->list_ok && st->list_flaw.code == ERR_OK;
}

bool tasks_flaw(struct target *t, struct err *ret)
{
	*ret = task_state(t)->list_flaw;
	return ret->code != ERR_OK;
}

bool task_by_pid(struct target *t, int pid, const struct task **ret, struct err *err)
{
	struct task_state *st = task_state(t);
	const struct task *all;
	uint64_t *hit;
	size_t n;

	if (!tasks_all(t, &all, &n, err))
		return false;
	hit = map_get(&st->by_pid, (uint64_t)pid);
	if (pid < 0 || !hit)
		return err_set(err, ERR_NOTFOUND, "no task with pid %d", pid);
	*ret = (const struct task *)(uintptr_t)*hit;
	return true;
}
