/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a pool with workers, a work queue that uses it, and tasks that flush. */
#ifndef OBIT_WAIT_WORK_FAKE_H
#define OBIT_WAIT_WORK_FAKE_H

#include "core/linux/wait/wait_fake.h"

#define WORK_AT(i) (KERNEL_BASE + 0x8000 + (uint64_t)(i)*0x100)
#define WORK_PWQ(i) WORK_AT(i)
#define WORK_POOL WORK_AT(4)
#define WORK_WORKER(i) WORK_AT(5 + (i))
#define WORK_WQ WORK_AT(12)

/* Offsets of the fake's own. */
enum {
	WORK_DATA = 0, /* struct wq_barrier: work, then the completion */
	WORK_ENTRY = 8,
	BARRIER_DONE = 32,
	POOL_LIST = 0,
	POOL_BUSY = 16,
	WORKER_SCHEDULED = 16,
	WORKER_TASK = 32,
	WORKER_FUNC = 40,
	WORKER_PWQ = 48,
	WORKER_COLOR = 56,
	WORKER_WORK = 64,
	PWQ_POOL = 0,
	PWQ_WQ = 8,
	PWQ_ACTIVE = 16,
	PWQ_MAX = 20,
	PWQ_TURN = 24,
	PWQ_NODE = 40,
	PWQ_FLIGHT = 56, /* sixteen counts */
	WQ_PWQS = 0,
	WQ_LIST = 16,
	WQ_COLOR = 32,
	WQ_FIRST = 40,
	WQ_QUEUE = 48,
	WQ_OVERFLOW = 64,
	WQ_NAME = 80,
	FLUSHER_COLOR = 16,
	FLUSHER_DONE = 24,
	KWORK_WORKER = 0,
	KWORK_DONE = 32
};

static inline const struct type *work_type_named(struct fake_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, name))
			return k->types[i];
	return NULL;
}

static inline void work_types(struct fake_kernel *k)
{
	const struct type *list = work_type_named(k, "list_head");
	const struct type *completion = work_type_named(k, "completion");
	struct type *s, *work = INNER(k, "unused");

	kernel_member(work, "data", INNER(k, "counter"), WORK_DATA);
	kernel_member(work, "entry", list, WORK_ENTRY);
	s = kernel_struct(k, "wq_barrier", 72);
	kernel_member(s, "work", work, 0);
	kernel_member(s, "done", completion, BARRIER_DONE);
	s = kernel_struct(k, "pool_workqueue", 128);
	kernel_member(s, "pool", &k->ptr, PWQ_POOL);
	kernel_member(s, "wq", &k->ptr, PWQ_WQ);
	kernel_member(s, "nr_active", &k->s32, PWQ_ACTIVE);
	kernel_member(s, "max_active", &k->s32, PWQ_MAX);
	kernel_member(s, "inactive_works", list, PWQ_TURN);
	kernel_member(s, "pwqs_node", list, PWQ_NODE);
	kernel_member(s, "nr_in_flight", kernel_array(k, &k->s32, 16), PWQ_FLIGHT);
	s = kernel_struct(k, "worker_pool", 64);
	kernel_member(s, "worklist", list, POOL_LIST);
	kernel_member(s, "busy_hash", kernel_array(k, &k->u64, 4), POOL_BUSY);
	s = kernel_struct(k, "worker", 64);
	kernel_member(s, "hentry", list, 0);
	kernel_member(s, "scheduled", list, WORKER_SCHEDULED);
	kernel_member(s, "task", &k->ptr, WORKER_TASK);
	kernel_member(s, "current_work", &k->ptr, WORKER_WORK);
	kernel_member(s, "current_func", &k->ptr, WORKER_FUNC);
	kernel_member(s, "current_pwq", &k->ptr, WORKER_PWQ);
	kernel_member(s, "current_color", &k->u32, WORKER_COLOR);
	s = kernel_struct(k, "workqueue_struct", 128);
	kernel_member(s, "pwqs", list, WQ_PWQS);
	kernel_member(s, "list", list, WQ_LIST);
	kernel_member(s, "flush_color", &k->s32, WQ_COLOR);
	kernel_member(s, "first_flusher", &k->ptr, WQ_FIRST);
	kernel_member(s, "flusher_queue", list, WQ_QUEUE);
	kernel_member(s, "flusher_overflow", list, WQ_OVERFLOW);
	kernel_member(s, "name", kernel_array(k, &k->u8, 24), WQ_NAME);
	s = kernel_struct(k, "wq_flusher", 56);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "flush_color", &k->s32, FLUSHER_COLOR);
	kernel_member(s, "done", completion, FLUSHER_DONE);
	s = kernel_struct(k, "kthread_flush_work", 64);
	kernel_member(s, "work", INNER(k, "worker"), 0);
	kernel_member(s, "done", completion, KWORK_DONE);
	WORDS(k, "kthread_worker", "task", "current_work");
}

/* The one queue uses the one pool through a pool_workqueue. */
static inline void put_queue(struct wait_fake *f)
{
	const uint64_t pwq = WORK_PWQ(0), node = pwq + PWQ_NODE, wq = WORK_WQ + WQ_LIST;

	put64(&f->k, pwq + PWQ_POOL, WORK_POOL);
	put64(&f->k, pwq + PWQ_WQ, WORK_WQ);
	put_list(&f->k, WORK_WQ + WQ_PWQS, &node, 1);
	put_list(&f->k, WAIT_QUEUES, &wq, 1);
	put_str(&f->k, WORK_WQ + WQ_NAME, "kblockd");
	put32(&f->k, WORK_WQ + WQ_COLOR, 5);
}

/* Worker w, which is a task, is at a work of a pool_workqueue, of colour 5. */
static inline void put_worker(struct wait_fake *f, int w, int task, int pwq)
{
	const uint64_t bucket = WORK_POOL + POOL_BUSY + (uint64_t)w * 8;

	put64(&f->k, bucket, WORK_WORKER(w));
	put64(&f->k, WORK_WORKER(w) + 8, bucket);
	put64(&f->k, WORK_WORKER(w) + WORKER_TASK, WAIT_TASK(task));
	put64(&f->k, WORK_WORKER(w) + WORKER_FUNC, WAIT_WAKE);
	put64(&f->k, WORK_WORKER(w) + WORKER_PWQ, WORK_PWQ(pwq));
	put32(&f->k, WORK_WORKER(w) + WORKER_COLOR, 5);
	put_list(&f->k, WORK_WORKER(w) + WORKER_SCHEDULED, NULL, 0);
	put_list(&f->k, WORK_POOL + POOL_LIST, NULL, 0);
	put_list(&f->k, WORK_PWQ(pwq) + PWQ_TURN, NULL, 0);
	put_queue(f);
}

enum barrier_place {
	FLUSHED_BY_WORKER, /* worker 0 is at the work */
	FLUSHED_IN_POOL,
	FLUSHED_IN_TURN
};

/* Task i flushes a work: its barrier is in that place. */
static inline void put_barrier(struct wait_fake *f, int i, enum barrier_place place)
{
	const uint64_t barrier = WAIT_WAITER(i) + 0x20, entry = barrier + WORK_ENTRY;

	put_completion(f, i, barrier + BARRIER_DONE);
	put64(&f->k, barrier + WORK_DATA, WORK_PWQ(0) | 4 | 1);
	put_list(&f->k,
		 place == FLUSHED_BY_WORKER ? WORK_WORKER(0) + WORKER_SCHEDULED
		 : place == FLUSHED_IN_POOL ? WORK_POOL + POOL_LIST
					    : WORK_PWQ(0) + PWQ_TURN,
		 &entry, 1);
}

enum flusher_place {
	FLUSHER_FIRST, /* the one whose works are flushed now */
	FLUSHER_QUEUED,
	FLUSHER_OVERFLOW
};

/* Task i flushes the queue. */
static inline void put_flusher(struct wait_fake *f, int i, enum flusher_place place)
{
	const uint64_t flusher = WAIT_WAITER(i) + 0x20;

	put_queue(f);
	put_completion(f, i, flusher + FLUSHER_DONE);
	put32(&f->k, flusher + FLUSHER_COLOR,
	      place == FLUSHER_FIRST    ? 5
	      : place == FLUSHER_QUEUED ? 6
					: (uint32_t)-1);
	put_list(&f->k, flusher, NULL, 0);
	put_list(&f->k, WORK_WQ + WQ_QUEUE, &flusher, place == FLUSHER_QUEUED);
	put_list(&f->k, WORK_WQ + WQ_OVERFLOW, &flusher, place == FLUSHER_OVERFLOW);
	if (place == FLUSHER_FIRST)
		put64(&f->k, WORK_WQ + WQ_FIRST, flusher);
}

#endif
