/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks that tasks hold by lockdep's record, in kernels that keep one. A lock is noted before it is
 * taken, so that who waits for it is in the record as well. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define HELD_MAX 48u /* MAX_LOCK_DEPTH, include/linux/sched.h */

void wait_held_note(struct wait_graph *g, const struct task *task)
{
	struct wait_impl *impl = g->impl;
	uint64_t depth, held, off, map, *first;
	const struct type *type;
	struct err ignored;

	if (!field_u64(g->t, "struct task_struct", task->addr, "lockdep_depth", &depth, &ignored) ||
	    !depth || depth > HELD_MAX ||
	    !field_offset(g->t, "struct task_struct", "held_locks", &held, &ignored) ||
	    !type_find(g->t, "struct held_lock", &type, &ignored) ||
	    !field_offset(g->t, "struct held_lock", "instance", &off, &ignored))
		return;
	for (uint64_t i = 0; i < depth; i++) {
		struct wait_held *h;

		if (!mem_ptr(g->t, task->addr + held + i * type->size + off, &map, &ignored) ||
		    !map)
			continue;
		first = map_put(&impl->held_at, map, NULL);
		h = vec_push(&impl->held);
		*h = (struct wait_held){ .map = map, .task = task };
		h->next = *first ? *first - 1 : WAIT_NONE;
		*first = impl->held.n;
	}
}

/* Where a lock of this type has its lockdep_map. */
static bool map_offset(struct target *t, const char *type, uint64_t *ret)
{
	static const char *const types[][2] = { { "mutex", "struct mutex" },
						{ "ww_mutex", "struct mutex" },
						{ "rwsem", "struct rw_semaphore" },
						{ "percpu_rwsem", "struct percpu_rw_semaphore" },
						{ "rt_mutex", "struct rt_mutex" },
						{ "spinlock", "struct raw_spinlock" },
						{ "rwlock", "rwlock_t" } };
	struct err ignored;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(type, types[i][0]))
			return field_offset(t, types[i][1], "dep_map", ret, &ignored);
	return false;
}

static void object_tell(struct wait_graph *g, size_t number)
{
	struct wait_object *o = &g->objects.p[number];
	const uint64_t *first;
	uint64_t off;
	size_t n = 0;

	if ((o->holder && wait_is_proven(o->holder_by)) || !map_offset(g->t, o->type, &off))
		return;
	first = map_get(&g->impl->held_at, o->addr + off);
	for (size_t i = first ? *first - 1 : WAIT_NONE; i != WAIT_NONE;
	     i = g->impl->held.p[i].next) {
		const struct task *task = g->impl->held.p[i].task;
		const struct wait_edge *e = wait_edge_of(g, task);

		if (e && e->object == number)
			continue;
		o->holder = task;
		o->holder_by = WAIT_BY_LOCKDEP;
		n++;
	}
	if (n > 1)
		o->state = arena_printf(g->t->scratch, "%s%s%zu tasks have it, by lockdep",
					o->state ? o->state : "", o->state ? "; " : "", n);
}

void wait_held_tell(struct wait_graph *g)
{
	for (size_t i = 0; g->impl->held.n && i < g->objects.n; i++)
		object_tell(g, i);
}
