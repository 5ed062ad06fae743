/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many tasks' stacks, the same ones together. */
#include "core/linux/stack/stack_group.h"
#include "core/linux/task/task.h"
#include "core/linux/stack/stack.h"

#include <ctype.h>
#include <string.h>

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

static void note_wait(struct stack_groups *g, struct stack_group *group, const struct task *task)
{
	struct task_sched s;
	struct err ignored;

	if (task->active || !task_sched(g->t, task, &s, &ignored))
		return;
	if (s.clock != UINT64_MAX && s.clock > g->clock)
		g->clock = s.clock;
	/* 0: it never ran since somebody counts */
	if (s.last_run == UINT64_MAX || !s.last_run ||
	    (group->longest && s.last_run >= group->last_run))
		return;
	group->longest = task;
	group->last_run = s.last_run;
}

void stack_groups_add(struct stack_groups *g, const struct task *task)
{
	const struct stack_func *funcs[FRAMES_MAX];
	struct stack_group like = { .funcs = funcs }, *group;
	struct unwind_start start;
	struct unwind_result u = { 0 };

	if (task_unwind_start(g->t, task, &start, &u.end))
		unwind_into(g->t, &start, g->frames, FRAMES_MAX, &u);
	like.complete = u.complete;
	like.end = u.end;
	for (size_t i = task->active ? stack_death(g->t, &u) : 0; i < u.n; i++)
		funcs[like.n++] = func_at(g, frame_lookup_pc(&u.frames[i]));
	group = group_find(g, &like);
	*vec_push(&group->tasks) = task;
	group->panic |= g->panic && task->addr == g->panic->addr;
	note_wait(g, group, task);
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
