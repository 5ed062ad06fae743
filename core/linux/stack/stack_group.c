/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many tasks' stacks, the same ones together. */
#include "core/linux/stack/stack_group.h"
#include "core/linux/task/task.h"
#include "core/linux/stack/stack.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/image/parts.h"

void stack_groups_init(struct stack_groups *g, struct target *t)
{
	const char *how;
	struct err ignored;

	memset(g, 0, sizeof(*g));
	g->t = t;
	if (!task_panic(t, &g->panic, &how, &ignored))
		g->panic = NULL;
}

void stack_groups_release(struct stack_groups *g)
{
	for (size_t i = 0; i < g->all.n; i++)
		vec_release(&g->all.p[i]->tasks);
	vec_release(&g->all);
	map_release(&g->funcs);
	map_release(&g->keys);
}

/* ---- functions */

static const struct stack_func *func_at(struct stack_groups *g, uint64_t pc)
{
	uint64_t *place, off;
	struct stack_func *f;
	struct symbol sym;
	struct err err;
	bool isnew;

	place = map_put(&g->funcs, pc, &isnew);
	if (!isnew)
		return (const struct stack_func *)(uintptr_t)*place;
	f = ARENA_NEW(g->t->scratch, struct stack_func);
	*place = (uintptr_t)f;
	f->addr = pc;
	if (symbol_at(g->t, pc, &sym, &off, &err))
		*f = (struct stack_func){ sym.name, sym.module, sym.addr, pc };
	else
		f->pc = pc;
	return f;
}

/* ---- which group */

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* What makes two functions on stacks the same. */
static uint64_t identity(const struct stack_groups *g, const struct stack_func *f)
{
	return g->by_place ? f->pc : f->addr;
}

/* Messages say the same of many tasks but for their numbers. */
static bool same_reason(const char *a, const char *b)
{
	for (;;) {
		while (isxdigit((unsigned char)*a) || *a == 'x')
			a++;
		while (isxdigit((unsigned char)*b) || *b == 'x')
			b++;
		if (*a != *b)
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

static bool same_stack(const struct stack_groups *g, const struct stack_group *a,
		       const struct stack_group *b)
{
	if (a->n != b->n || a->complete != b->complete)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (identity(g, a->funcs[i]) != identity(g, b->funcs[i]))
			return false;
	return a->complete || (a->end.code == b->end.code && same_reason(a->end.msg, b->end.msg));
}

static uint64_t group_key(const struct stack_groups *g, const struct stack_group *s)
{
	uint64_t h = mix(s->complete ? 0 : s->end.code, s->n);

	for (size_t i = 0; i < s->n; i++)
		h = mix(h, identity(g, s->funcs[i]));
	return h;
}

/* The group of such a stack, a new one if there is none. Different stacks of one key are rare: the
 * next key is tried. */
static struct stack_group *group_find(struct stack_groups *g, const struct stack_group *like)
{
	struct stack_group *group;
	uint64_t key = group_key(g, like), *place;
	bool isnew;

	for (;; key++) {
		place = map_put(&g->keys, key, &isnew);
		if (isnew)
			break;
		if (same_stack(g, g->all.p[*place - 1], like))
			return g->all.p[*place - 1];
	}
	group = ARENA_NEW(g->t->scratch, struct stack_group);
	*group = *like;
	group->funcs = ARENA_ARRAY(g->t->scratch, const struct stack_func *, like->n + 1);
	if (like->n)
		memcpy(group->funcs, like->funcs, like->n * sizeof(*group->funcs));
	*vec_push(&g->all) = group;
	*place = g->all.n;
	return group;
}

/* ---- one task */

/* What a group is told of a task: all that takes time to find out. */
struct stack_seen {
	bool complete, timed;
	struct err end;
	uint64_t last_run, clock; /* timed: as struct task_sched has them */
	size_t n;
	uint64_t pcs[FRAMES_MAX]; /* to look functions up by; n of them, the newest first */
};

static void stack_see(struct stack_groups *g, const struct task *task, struct stack_seen *ret)
{
	struct unwind_start start;
	struct unwind_result u = { 0 };
	struct task_sched s;
	struct err ignored;

	if (task_unwind_start(g->t, task, &start, &u.end))
		unwind_into(g->t, &start, g->frames, FRAMES_MAX, &u);
	ret->complete = u.complete;
	ret->end = u.end;
	ret->n = 0;
	for (size_t i = task->active ? stack_death(g->t, &u) : 0; i < u.n; i++)
		ret->pcs[ret->n++] = frame_lookup_pc(&u.frames[i]);
	ret->timed = !task->active && task_sched(g->t, task, &s, &ignored);
	ret->last_run = ret->timed ? s.last_run : 0;
	ret->clock = ret->timed ? s.clock : 0;
}

static void note_wait(struct stack_groups *g, struct stack_group *group, const struct task *task,
		      const struct stack_seen *s)
{
	if (!s->timed)
		return;
	if (s->clock != UINT64_MAX && s->clock > g->clock)
		g->clock = s->clock;
	/* 0: it never ran since somebody counts */
	if (s->last_run == UINT64_MAX || !s->last_run ||
	    (group->longest && s->last_run >= group->last_run))
		return;
	group->longest = task;
	group->last_run = s->last_run;
}

static void stack_take(struct stack_groups *g, const struct task *task, const struct stack_seen *s)
{
	const struct stack_func *funcs[FRAMES_MAX];
	struct stack_group like = { .funcs = funcs, .complete = s->complete, .end = s->end },
			   *group;

	for (; like.n < s->n; like.n++)
		funcs[like.n] = func_at(g, s->pcs[like.n]);
	group = group_find(g, &like);
	*vec_push(&group->tasks) = task;
	group->panic |= g->panic && task->addr == g->panic->addr;
	note_wait(g, group, task, s);
}

void stack_groups_add(struct stack_groups *g, const struct task *task)
{
	struct stack_seen seen;

	stack_see(g, task, &seen);
	stack_take(g, task, &seen);
}

/* ---- many tasks */

/* So many are a part, which one process does. */
#define PART_TASKS 32u

struct stack_adding {
	struct stack_groups *g;
	const struct task *const *tasks;
	size_t n;
	size_t part, taken; /* the part that was heard last, and how many of its tasks were */
};

static bool see_part(struct parts *p, size_t part, void *arg, struct err *err)
{
	const struct stack_adding *a = arg;

	for (size_t i = part * PART_TASKS; i < (part + 1) * PART_TASKS && i < a->n; i++) {
		struct stack_seen seen;

		memset(&seen, 0, offsetof(struct stack_seen, pcs));
		if (!interrupt_check(err))
			return false;
		stack_see(a->g, a->tasks[i], &seen);
		(void)parts_send(p, &seen,
				 offsetof(struct stack_seen, pcs) + seen.n * sizeof(*seen.pcs));
	}
	return true;
}

static bool take_seen(size_t part, const void *message, size_t n, void *arg)
{
	struct stack_adding *a = arg;
	struct stack_seen seen;
	size_t i;

	if (n < offsetof(struct stack_seen, pcs) || n > sizeof(seen))
		return true;
	memcpy(&seen, message, n);
	if (part != a->part)
		a->taken = 0;
	a->part = part;
	i = part * PART_TASKS + a->taken++;
	if (i < a->n && seen.n == (n - offsetof(struct stack_seen, pcs)) / sizeof(*seen.pcs))
		stack_take(a->g, a->tasks[i], &seen);
	return true;
}

static void name_tasks(struct buf *b, size_t part, void *arg)
{
	const struct stack_adding *a = arg;
	size_t first = part * PART_TASKS, last = first + PART_TASKS - 1;

	buf_printf(b, "stacks of tasks %d to %d are missing", a->tasks[first]->pid,
		   a->tasks[last < a->n ? last : a->n - 1]->pid);
}

bool stack_groups_add_all(struct stack_groups *g, const struct task *const *tasks, size_t n,
			  struct err *err)
{
	struct stack_adding a = { .g = g, .tasks = tasks, .n = n };
	struct parts p = { .t = g->t,
			   .what = "stacks",
			   .n = (n + PART_TASKS - 1) / PART_TASKS,
			   .work = see_part,
			   .take = take_seen,
			   .name = name_tasks,
			   .arg = &a };

	return parts_run(&p, err);
}

/* ---- all of them */

static int by_count(const void *a, const void *b)
{
	const struct stack_group *x = *(const struct stack_group *const *)a;
	const struct stack_group *y = *(const struct stack_group *const *)b;

	if (x->panic != y->panic)
		return x->panic ? 1 : -1;
	if (x->complete != y->complete)
		return x->complete ? -1 : 1;
	if (x->tasks.n != y->tasks.n)
		return x->tasks.n > y->tasks.n ? -1 : 1;
	return x->tasks.p[0]->pid < y->tasks.p[0]->pid ? -1
						       : x->tasks.p[0]->pid > y->tasks.p[0]->pid;
}

void stack_groups_sort(struct stack_groups *g)
{
	for (size_t i = 0; i < g->all.n; i++) {
		struct stack_group *group = g->all.p[i];

		group->wait_ns = g->clock > group->last_run ? g->clock - group->last_run : 0;
	}
	if (g->all.n)
		qsort(g->all.p, g->all.n, sizeof(*g->all.p), by_count);
}
