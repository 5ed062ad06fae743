/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run queues: which tasks waited for a CPU, by the class of their scheduling. */
#include "core/base/vec.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/linux/task/runq.h"
#include "core/linux/container/walk.h"

#define RT_PRIORITIES_MAX 256

struct queue {
	struct arena *a;
	VEC(uint64_t) tasks;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};

struct rt_queue {
	struct target *t;
	struct queue *q;
};

static bool task_found(uint64_t addr, void *arg)
{
	struct queue *q = arg;

	*vec_push(&q->tasks) = addr;
	return true;
}

static void tell(const struct err *e, void *arg)
{
	const struct queue *q = arg;

	if (q->flaw)
		q->flaw(e, q->arg);
}

static const uint64_t *hand_over(struct queue *q, size_t *n)
{
	uint64_t *all = ARENA_ARRAY(q->a, uint64_t, q->tasks.n + 1);

	for (size_t i = 0; i < q->tasks.n; i++)
		all[i] = q->tasks.p[i];
	*n = q->tasks.n;
	vec_release(&q->tasks);
	return all;
}

/* An entity of a group, with CONFIG_RT_GROUP_SCHED, is in no task: it has a queue of its own, which
 * a task's never has. */
static bool rt_found(uint64_t addr, void *arg)
{
	struct rt_queue *rt = arg;
	struct err ignored;
	uint64_t own;

	return (field_u64(rt->t, "struct task_struct", addr, "rt.my_q", &own, &ignored) && own) ||
	       task_found(addr, rt->q);
}

static void rt_tell(const struct err *e, void *arg)
{
	const struct rt_queue *rt = arg;

	tell(e, rt->q);
}

/* A list for each priority. Entities of groups are left out. */
static bool rt_tasks(struct target *t, uint64_t rq, struct queue *q, struct err *err)
{
	struct rt_queue rt = { t, q };
	struct walk_plan w = { .what = "real-time queue",
			       .node = rt_found,
			       .flaw = q->flaw ? rt_tell : NULL,
			       .arg = &rt };
	const struct type *type;
	struct member_ref queues;
	uint64_t n;

	if (!type_find(t, "struct rq", &type, err) ||
	    !type_member(type, "rt.active.queue", &queues, err) ||
	    !field_offset(t, "struct task_struct", "rt.run_list", &w.link, err))
		return false;
	n = type_strip(queues.type)->count;
	if (n > RT_PRIORITIES_MAX)
		return err_set(err, ERR_UNSUPPORTED, "%llu priorities are not known",
			       (unsigned long long)n);
	for (uint64_t i = 0; i < n; i++) {
		w.head = rq + queues.offset + i * 2 * t->arch->word;
		if (!list_walk(t, &w, false, err)) {
			if (err->code == ERR_INTR)
				return false;
			tell(err, q);
		}
	}
	return true;
}

static bool dl_tasks(struct target *t, uint64_t rq, struct queue *q, struct err *err)
{
	struct walk_plan w = { .what = "deadline queue",
			       .node = task_found,
			       .flaw = q->flaw ? tell : NULL,
			       .arg = q };
	uint64_t off;

	if (!field_offset(t, "struct rq", "dl.root", &off, err) ||
	    !field_offset(t, "struct task_struct", "dl.rb_node", &w.link, err))
		return false;
	w.head = rq + off;
	return rbtree_walk(t, &w, err);
}

/* All of its fair tasks, those of groups too, and the one that runs. */
static bool cfs_tasks(struct target *t, uint64_t rq, struct queue *q, struct err *err)
{
	struct walk_plan w = {
		.what = "fair queue", .node = task_found, .flaw = q->flaw ? tell : NULL, .arg = q
	};
	uint64_t off;

	if (!field_offset(t, "struct rq", "cfs_tasks", &off, err) ||
	    !field_offset(t, "struct task_struct", "se.group_node", &w.link, err))
		return false;
	w.head = rq + off;
	return list_walk(t, &w, false, err);
}

/* A run queue knows whose it is; what lies where none was set up does not. */
static bool is_of_cpu(struct target *t, const struct runq *q, struct err *err)
{
	struct err ignored;
	uint64_t cpu;

	if (!field_u64(t, "struct rq", q->addr, "cpu", &cpu, &ignored) || cpu == q->cpu)
		return true;
	return err_set_addr(err, ERR_CORRUPT, q->addr, "it is not one: its CPU is 0x%llx",
			    (unsigned long long)cpu);
}

bool runq_of(struct target *t, unsigned cpu, struct arena *a, struct runq *ret,
	     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	static bool (*const gather[])(struct target * t, uint64_t rq, struct queue * q,
				      struct err * err) = { dl_tasks, rt_tasks, cfs_tasks };
	const uint64_t **to[] = { &ret->dl, &ret->rt, &ret->cfs };
	size_t *n[] = { &ret->n_dl, &ret->n_rt, &ret->n_cfs };

	*ret = (struct runq){ .cpu = cpu };
	if (!percpu_addr(t, "runqueues", cpu, &ret->addr, err) || !is_of_cpu(t, ret, err) ||
	    !field_u64(t, "struct rq", ret->addr, "curr", &ret->curr, err) ||
	    !field_u64(t, "struct rq", ret->addr, "nr_running", &ret->running, err))
		return err_wrap(err, "run queue of CPU %u", cpu);
	for (size_t i = 0; i < ARRAY_SIZE(gather); i++) {
		struct queue q = { .a = a, .flaw = flaw, .arg = arg };
		bool ok = gather[i](t, ret->addr, &q, err);

		*to[i] = hand_over(&q, n[i]);
		if (!ok && err->code == ERR_INTR)
			return false;
		if (!ok)
			tell(err, &q);
	}
	return true;
}
