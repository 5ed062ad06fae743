/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who completes a completion, where the way in which a task waits leaves no doubt. */
#include <string.h>

#include "core/linux/container/walk.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define WORK_HAS_PWQ 4u /* WORK_STRUCT_PWQ, include/linux/workqueue.h */
#define PWQ_MASK 0xffull
#define BUSY_HASH_MAX 4096

/* The ends of a task: task_struct.vfork_done of a child is the completion on its parent's stack; of
 * a kernel thread it is the one that kthread_stop() waits for. */
static const struct task *task_that_ends(struct wait_graph *g, uint64_t completion)
{
	struct wait_impl *impl = g->impl;
	const struct task *all;
	struct err ignored;
	uint64_t done, *p;
	size_t n;

	if (!impl->vforks_made && tasks_all(g->t, &all, &n, &ignored))
		for (size_t i = 0; i < n; i++)
			if (field_u64(g->t, "struct task_struct", all[i].addr, "vfork_done", &done,
				      &ignored) &&
			    done)
				*map_put(&impl->vforks, done, NULL) = (uintptr_t)&all[i];
	impl->vforks_made = true;
	p = map_get(&impl->vforks, completion);
	return p ? (const struct task *)(uintptr_t)*p : NULL;
}

/* ---- flush_work */

struct flush {
	const struct wait_stack *s;
	struct map list; /* the nodes of the list that the barrier is in */
	uint64_t scheduled;
	uint64_t worker;
};

#define FLUSH_NODES_MAX 100000u

static void flush_list(struct flush *f, uint64_t node)
{
	uint64_t at = node;
	struct err ignored;
	bool isnew = true;

	while (isnew && f->list.n < FLUSH_NODES_MAX) {
		*map_put(&f->list, at, &isnew) = 1;
		if (!mem_ptr(f->s->g->t, at, &at, &ignored))
			return;
	}
}

static bool flush_worker(uint64_t worker, void *arg)
{
	struct flush *f = arg;

	if (map_get(&f->list, worker + f->scheduled))
		f->worker = worker;
	return !f->worker;
}

/* The worker of a pool whose list of work has the barrier in it. */
static uint64_t flush_find(struct flush *f, uint64_t pool)
{
	struct walk_plan w = { .what = "busy workers", .node = flush_worker, .arg = f };
	struct target *t = f->s->g->t;
	const struct type *type;
	struct member_ref busy;
	struct err ignored;

	if (!type_find(t, "struct worker_pool", &type, &ignored) ||
	    !type_member(type, "busy_hash", &busy, &ignored) ||
	    !field_offset(t, "struct worker", "hentry", &w.link, &ignored) ||
	    !field_offset(t, "struct worker", "scheduled", &f->scheduled, &ignored))
		return 0;
	w.head = pool + busy.offset;
	w.count = type_strip(busy.type)->count;
	if (w.count > BUSY_HASH_MAX || (!hash_walk(t, &w, &ignored) && !f->worker))
		return 0;
	return f->worker;
}

/* flush_work() queues a barrier behind the work that it waits for: in the list of the worker that
 * is at it, or in the pool's when no worker is. */
static bool flush_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct target *t = s->g->t;
	struct flush f = { .s = s };
	uint64_t done, entry, data, pool, task, func;
	struct err ignored;

	if (!field_offset(t, "struct wq_barrier", "done", &done, &ignored) ||
	    !field_offset(t, "struct wq_barrier", "work.entry", &entry, &ignored) ||
	    !field_u64(t, "struct wq_barrier", o->addr - done, "work.data.counter", &data,
		       &ignored) ||
	    !(data & WORK_HAS_PWQ) ||
	    !field_u64(t, "struct pool_workqueue", data & ~PWQ_MASK, "pool", &pool, &ignored))
		return false;
	o->state = "a flush of work";
	flush_list(&f, o->addr - done + entry);
	if (!flush_find(&f, pool)) {
		o->state = "a flush of work that no worker has begun";
	} else if (field_u64(t, "struct worker", f.worker, "task", &task, &ignored)) {
		if (field_u64(t, "struct worker", f.worker, "current_func", &func, &ignored) &&
		    func)
			o->state = arena_printf(s->g->t->scratch,
						"a flush of work, whose worker is in %s",
						symbol_text(t, func, t->scratch));
		if ((o->holder = wait_task(s->g, task)))
			o->holder_by = WAIT_BY_RULE;
	}
	map_release(&f.list);
	return true;
}

/* ---- RCU */

static void rcu_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t state, task;
	struct err ignored;

	o->state = "the end of an RCU grace period";
	if (symbol_addr(s->g->t, "rcu_state", &state) &&
	    field_u64(s->g->t, "struct rcu_state", state, "gp_kthread", &task, &ignored) &&
	    (o->holder = wait_task(s->g, task)))
		o->holder_by = WAIT_BY_CANDIDATE;
}

void wait_completer(const struct wait_stack *s, struct wait_object *o)
{
	static const char *const flush[] = { "__flush_work", "flush_work", "__cancel_work", NULL };
	static const char *const rcu[] = { "__wait_rcu_gp", "synchronize_rcu", NULL };
	const struct task *task = task_that_ends(s->g, o->addr);
	size_t frame;

	if (task) {
		o->state = "the end of a task";
		o->holder = task;
		o->holder_by = WAIT_BY_RULE;
	} else if (wait_has_frame(s, rcu, &frame)) {
		rcu_describe(s, o);
	} else if (!wait_has_frame(s, flush, &frame) || !flush_describe(s, o)) {
		o->state = arena_printf(s->g->t->scratch, "%s; a completion has no owner",
					o->state ? o->state : "unreadable");
	}
}
