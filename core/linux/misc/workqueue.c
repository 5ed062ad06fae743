/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work queues: what runs, what waits for a worker, what waits for its turn. */
#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"
#include "core/linux/net/net.h"
#include "core/linux/container/walk.h"

#define WORK_HAS_PWQ 4u /* WORK_STRUCT_PWQ, include/linux/workqueue.h */
#define PWQ_MASK 0xffull
#define NAME_BYTES 64
#define BUSY_HASH_MAX 4096
#define STEPS_MAX 10000000u /* over the lists of all queues and pools */

struct workqueue_queues {
	struct target *t;
	struct arena *a;
	bool (*work)(const struct queued_work *w, void *arg);
	bool (*wq)(const struct workqueue *q, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	bool stop;
	uint64_t steps;

	struct workqueue now; /* the queue that is being read, */
	uint64_t pwq, pool;   /* and which of its pools */
	int cpu;
	uint64_t data, func; /* offsets in struct work_struct */
	uint64_t link, busy, busy_n, hentry, pwqs;
};

static void tell(const struct err *e, void *arg)
{
	const struct workqueue_queues *qs = arg;

	if (qs->flaw)
		qs->flaw(e, qs->arg);
}

/* A pool's lists are gone through for each queue that uses it: lists that lead anywhere would make
 * that a matter of days. */
static bool workqueue_step(struct workqueue_queues *qs, uint64_t at)
{
	struct err err;

	if (++qs->steps <= STEPS_MAX)
		return true;
	if (!qs->stop) {
		err_set_addr(&err, ERR_LIMIT, at,
			     "work queues: stopped after %u entries, the limit", STEPS_MAX);
		tell(&err, qs);
	}
	qs->stop = true;
	return false;
}

static bool workqueue_give(struct workqueue_queues *qs, const char *state, uint64_t addr,
			   uint64_t function, uint64_t worker)
{
	const struct queued_work w = { .state = state,
				       .addr = addr,
				       .function = function,
				       .wq = qs->now.addr,
				       .queue = qs->now.name,
				       .pool = qs->pool,
				       .cpu = qs->cpu,
				       .worker = worker };

	qs->stop = qs->work && !qs->work(&w, qs->arg);
	return !qs->stop;
}

static bool queued(struct workqueue_queues *qs, uint64_t addr, const char *state, size_t *n)
{
	uint64_t function = 0;
	struct err err;

	if (!mem_ptr(qs->t, addr + qs->func, &function, &err)) {
		err_wrap(&err, "work 0x%llx", (unsigned long long)addr);
		tell(&err, qs);
	}
	++*n;
	return workqueue_give(qs, state, addr, function, 0);
}

/* A pool's list has the work of all queues that use it. */
static bool pending_found(uint64_t addr, void *arg)
{
	struct workqueue_queues *qs = arg;
	struct err err;
	uint64_t data;

	if (!workqueue_step(qs, addr))
		return false;
	if (!mem_ptr(qs->t, addr + qs->data, &data, &err)) {
		err_wrap(&err, "work 0x%llx", (unsigned long long)addr);
		tell(&err, qs);
		return true;
	}
	if (!(data & WORK_HAS_PWQ) || (data & ~PWQ_MASK) != qs->pwq)
		return true;
	return queued(qs, addr, "pending", &qs->now.pending);
}

static bool inactive_found(uint64_t addr, void *arg)
{
	struct workqueue_queues *qs = arg;

	return workqueue_step(qs, addr) && queued(qs, addr, "inactive", &qs->now.inactive);
}

static bool worker_found(uint64_t worker, void *arg)
{
	struct workqueue_queues *qs = arg;
	uint64_t pwq, work, function, task;
	struct err err;

	if (!workqueue_step(qs, worker))
		return false;
	if (!field_u64(qs->t, "struct worker", worker, "current_pwq", &pwq, &err) ||
	    !field_u64(qs->t, "struct worker", worker, "current_work", &work, &err) ||
	    !field_u64(qs->t, "struct worker", worker, "current_func", &function, &err) ||
	    !field_u64(qs->t, "struct worker", worker, "task", &task, &err)) {
		err_wrap(&err, "worker 0x%llx", (unsigned long long)worker);
		tell(&err, qs);
		return true;
	}
	if (pwq != qs->pwq || !work)
		return true;
	qs->now.running++;
	return workqueue_give(qs, "running", work, function, task);
}

/* One walk whose damage leaves the others alone; false: Ctrl-C. */
static bool part(struct workqueue_queues *qs,
		 bool (*walk)(struct target *t, const struct walk_plan *w, struct err *err),
		 const struct walk_plan *w, struct err *err)
{
	struct err why;

	if (qs->stop || walk(qs->t, w, &why))
		return true;
	if (why.code == ERR_INTR) {
		*err = why;
		return false;
	}
	tell(&why, qs);
	return true;
}

static bool forward(struct target *t, const struct walk_plan *w, struct err *err)
{
	return list_walk(t, w, false, err);
}

struct pwq_walk {
	struct workqueue_queues *qs;
	struct err *err;
	bool ok;
};

static bool pwq_read(struct workqueue_queues *qs, uint64_t pwq, struct err *err)
{
	struct walk_plan w = { .flaw = qs->flaw ? tell : NULL, .arg = qs };
	uint64_t off, cpu;
	struct err why;

	if (!workqueue_step(qs, pwq))
		return true;
	qs->pwq = pwq;
	if (!field_u64(qs->t, "struct pool_workqueue", pwq, "pool", &qs->pool, err) ||
	    !field_u64(qs->t, "struct worker_pool", qs->pool, "cpu", &cpu, err))
		return err_wrap(err, "pool_workqueue 0x%llx", (unsigned long long)pwq);
	qs->cpu = (int32_t)cpu;
	w.what = "busy workers";
	w.node = worker_found;
	w.head = qs->pool + qs->busy;
	w.count = qs->busy_n;
	w.link = qs->hentry;
	if (!part(qs, hash_walk, &w, err) ||
	    !field_offset(qs->t, "struct worker_pool", "worklist", &off, err))
		return false;
	w.what = "pending work";
	w.node = pending_found;
	w.head = qs->pool + off;
	w.link = qs->link;
	if (!part(qs, forward, &w, err))
		return false;
	/* renamed by f97a4a1a3f87 (v5.15) */
	if (!field_offset(qs->t, "struct pool_workqueue", "inactive_works", &off, &why) &&
	    !field_offset(qs->t, "struct pool_workqueue", "delayed_works", &off, err))
		return false;
	w.what = "inactive work";
	w.node = inactive_found;
	w.head = pwq + off;
	return part(qs, forward, &w, err);
}

static bool pwq_found(uint64_t pwq, void *arg)
{
	struct pwq_walk *p = arg;
	struct err why;

	if (pwq_read(p->qs, pwq, &why))
		return !p->qs->stop;
	if (why.code == ERR_INTR) {
		*p->err = why;
		p->ok = false;
		return false;
	}
	tell(&why, p->qs);
	return true;
}

static bool queue_found(uint64_t addr, void *arg)
{
	struct pwq_walk *p = arg;
	struct workqueue_queues *qs = p->qs;
	uint64_t name, flags, head;
	struct err why;

	qs->now = (struct workqueue){ .addr = addr, .name = "?" };
	if (!field_offset(qs->t, "struct workqueue_struct", "name", &name, &why) ||
	    !mem_str(qs->t, addr + name, NAME_BYTES, qs->a, &qs->now.name, &why) ||
	    !field_u64(qs->t, "struct workqueue_struct", addr, "flags", &flags, &why) ||
	    !field_offset(qs->t, "struct workqueue_struct", "pwqs", &head, &why)) {
		err_wrap(&why, "work queue 0x%llx", (unsigned long long)addr);
		tell(&why, qs);
		return true;
	}
	qs->now.flags = flags;
	if (!list_each(qs->t, addr + head, qs->pwqs, "pools of a work queue", pwq_found, p, &why))
		tell(&why, qs);
	if (!p->ok || qs->stop)
		return false;
	qs->stop = qs->wq && !qs->wq(&qs->now, qs->arg);
	return !qs->stop;
}

bool workqueues(struct target *t, struct arena *a,
		bool (*work)(const struct queued_work *w, void *arg),
		bool (*wq)(const struct workqueue *q, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct workqueue_queues qs = {
		.t = t, .a = a, .work = work, .wq = wq, .flaw = flaw, .arg = arg
	};
	struct pwq_walk p = { &qs, err, true };
	const struct type *pool;
	struct member_ref busy;
	struct symbol head;
	uint64_t link;

	if (!symbol_find(t, "workqueues", &head, err) ||
	    !field_offset(t, "struct workqueue_struct", "list", &link, err) ||
	    !field_offset(t, "struct pool_workqueue", "pwqs_node", &qs.pwqs, err) ||
	    !field_offset(t, "struct work_struct", "entry", &qs.link, err) ||
	    !field_offset(t, "struct work_struct", "data", &qs.data, err) ||
	    !field_offset(t, "struct work_struct", "func", &qs.func, err) ||
	    !field_offset(t, "struct worker", "hentry", &qs.hentry, err) ||
	    !type_find(t, "struct worker_pool", &pool, err) ||
	    !type_member(pool, "busy_hash", &busy, err))
		return false;
	qs.busy = busy.offset;
	qs.busy_n = type_strip(busy.type)->count;
	if (!qs.busy_n || qs.busy_n > BUSY_HASH_MAX)
		return err_set(err, ERR_UNSUPPORTED, "pools with a table of %llu are not known",
			       (unsigned long long)qs.busy_n);
	return list_each(t, head.addr, link, "work queues", queue_found, &p, err) && p.ok;
}
