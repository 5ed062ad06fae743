/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sorts of locks, and what the words of each say, whether or not anybody waits. */
#include <string.h>

#include "core/linux/lock/lock_impl.h"
#include "core/types/shape.h"

static void bits_add(struct wait_graph *g, struct wait_object *o, uint64_t word, const char *bit0,
		     const char *bit1, const char *bit2)
{
	const char *const names[] = { bit0, bit1, bit2 };

	for (unsigned i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && (word >> i & 1))
			o->state = arena_printf(g->t->scratch, "%s; bit %u: %s", o->state, i,
						names[i]);
}

static void rt_mutex_tell(const struct wait_stack *s, struct wait_object *o)
{
	wait_rt_mutex.describe(s, o);
}

static void mutex_tell(const struct wait_stack *s, struct wait_object *o)
{
	struct err ignored;
	uint64_t word;

	if (wait_locks_sleep(s->g->t)) {
		rt_mutex_tell(s, o);
		return;
	}
	if (field_u64(s->g->t, "struct mutex", o->addr, "owner.counter", &word, &ignored) &&
	    !word) {
		o->state = "unlocked";
		return;
	}
	wait_mutex.describe(s, o);
	if (o->holder)
		bits_add(s->g, o, word, "there are waiters", "the first waiter wants it next",
			 "it was handed over");
}

static void rwsem_tell(const struct wait_stack *s, struct wait_object *o)
{
	struct err ignored;
	uint64_t count;

	if (wait_locks_sleep(s->g->t)) {
		rt_mutex_tell(s, o);
		return;
	}
	if (!field_u64(s->g->t, "struct rw_semaphore", o->addr, "count.counter", &count,
		       &ignored)) {
		o->state = "its words cannot be read";
		return;
	}
	if (!count) {
		o->state = "unlocked";
		return;
	}
	wait_rwsem.describe(s, o);
	bits_add(s->g, o, count, NULL, "there are waiters", "the first waiter wants it next");
}

static void queue_tell(const struct wait_stack *s, struct wait_object *o)
{
	(void)s;
	o->state = "a wait queue has no owner";
}

static void semaphore_tell(const struct wait_stack *s, struct wait_object *o)
{
	wait_semaphore.describe(s, o);
}

static void completion_tell(const struct wait_stack *s, struct wait_object *o)
{
	wait_completion.describe(s, o);
}

static void percpu_tell(const struct wait_stack *s, struct wait_object *o)
{
	wait_percpu_read.describe(s, o);
	if (o->state && !strcmp(o->state, "read by 0"))
		o->state = "unlocked";
}

static void spinlock_tell(const struct wait_stack *s, struct wait_object *o)
{
	wait_qspinlock.describe(s, o);
}

/* One that sleeps where PREEMPT_RT is, as a raw one never does. */
static void lock_tell(const struct wait_stack *s, struct wait_object *o)
{
	(wait_locks_sleep(s->g->t) ? wait_rt_mutex : wait_qspinlock).describe(s, o);
}

static void rwlock_tell(const struct wait_stack *s, struct wait_object *o)
{
	(wait_locks_sleep(s->g->t) ? wait_rt_mutex : wait_rwlock).describe(s, o);
}

static const struct lock_sort sorts[] = {
	{ "mutex", "mutex", mutex_tell, "wait_list", "first_waiter", "rtmutex.waiters" },
	{ "ww_mutex", "ww_mutex", mutex_tell, "base.wait_list", "base.first_waiter",
	  "base.rtmutex.waiters" },
	{ "rw_semaphore", "rwsem", rwsem_tell, "wait_list", "first_waiter",
	  "rwbase.rtmutex.waiters" },
	{ "semaphore", "semaphore", semaphore_tell, "wait_list", "first_waiter" },
	{ "rt_mutex", "rt_mutex", rt_mutex_tell, NULL, NULL, "rtmutex.waiters|waiters" },
	{ "rt_mutex_base", "rt_mutex", rt_mutex_tell, NULL, NULL, "waiters" },
	{ "percpu_rw_semaphore", "percpu_rwsem", percpu_tell, "waiters.head", NULL },
	{ "completion", "completion", completion_tell, "wait.task_list", NULL },
	{ "wait_queue_head", "wait_queue", queue_tell, "head", NULL },
	{ "swait_queue_head", "swait_queue", queue_tell, "task_list", NULL },
	{ "spinlock", "spinlock", lock_tell, NULL, NULL, "lock.waiters" },
	{ "raw_spinlock", "spinlock", spinlock_tell, NULL, NULL },
	{ "qspinlock", "spinlock", spinlock_tell, NULL, NULL },
	{ "arch_spinlock_t", "spinlock", spinlock_tell, NULL, NULL },
	{ "rwlock_t", "rwlock", rwlock_tell, NULL, NULL, "rwbase.rtmutex.waiters" },
	{ "qrwlock", "rwlock", rwlock_tell, NULL, NULL },
};

const struct lock_sort *lock_sort_of(const struct type *type)
{
	if (!type->name || (type->kind != TYPE_STRUCT && type->kind != TYPE_TYPEDEF))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(sorts); i++)
		if (!strcmp(type->name, sorts[i].tag))
			return &sorts[i];
	return NULL;
}
