/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits in queues: simple and other wait queues, percpu_rw_semaphore. */
#include <string.h>

#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

bool wait_swait_find(const struct wait_stack *s, struct wait_found *ret, uint64_t *head)
{
	const struct wait_ring *ring;
	struct wait_layout l;
	size_t i = 0;

	if (!wait_layout_of(s->g->t, "struct swait_queue", "task", "task_list", &l))
		return false;
	while (wait_waiter(s, &l, &i, &ret->edge.waiter)) {
		ring = wait_ring_of(s->g, &l, ret->edge.waiter);
		if (!ring->head && !ring->flaw)
			continue; /* linked with itself alone: it was taken off its list */
		*head = ring->head;
		ret->edge.flaw = ring->flaw;
		ret->edge.by = ring->head ? WAIT_BY_RING : WAIT_BY_NOTHING;
		return true;
	}
	return false;
}

static bool swait_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t off, head;

	if (!field_offset(s->g->t, "struct swait_queue_head", "task_list", &off, &ignored) ||
	    !wait_swait_find(s, ret, &head))
		return false;
	ret->object.type = "swait_queue";
	ret->object.addr = head ? head - off : 0;
	return true;
}

static const char *const any_function[] = { "", NULL };
const struct wait_kind wait_swait = { any_function, swait_find, NULL };

/* ---- wait queues */

bool wait_queue_find(const struct wait_stack *s, uint64_t *ret, uint64_t *head, const char **flaw)
{
	const struct wait_ring *ring;
	struct wait_layout l;
	struct err ignored;
	size_t i = 0;

	if (!wait_layout_of(s->g->t, "struct wait_queue_entry", "private", "entry", &l) ||
	    !field_offset(s->g->t, "struct wait_queue_entry", "func", &l.func, &ignored))
		return false;
	while (wait_waiter(s, &l, &i, ret)) {
		ring = wait_ring_of(s->g, &l, *ret);
		if (!ring->head && !ring->flaw)
			continue; /* as above */
		*head = ring->head;
		*flaw = ring->flaw;
		return true;
	}
	return false;
}

static bool queue_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t off, head;

	if (!field_offset(s->g->t, "struct wait_queue_head", "head", &off, &ignored) ||
	    !wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw))
		return false;
	ret->object.type = "wait_queue";
	ret->object.addr = head ? head - off : 0;
	ret->edge.by = head ? WAIT_BY_RING : WAIT_BY_NOTHING;
	return true;
}

const struct wait_kind wait_any_queue = { any_function, queue_find, NULL };

/* ---- percpu_rw_semaphore */

static bool percpu_word(struct wait_graph *g, uint64_t lock, const char *path, uint64_t *ret)
{
	struct err ignored;

	return field_u64(g->t, "struct percpu_rw_semaphore", lock, path, ret, &ignored);
}

/* Readers, and writers behind another writer, are in a queue. */
static bool percpu_find(const struct wait_stack *s, struct wait_found *ret)
{
	static const char *const writers[] = { "percpu_down_write", NULL };
	struct err ignored;
	uint64_t off, head;
	size_t frame;

	if (!field_offset(s->g->t, "struct percpu_rw_semaphore", "waiters.head", &off, &ignored) ||
	    !wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw))
		return false;
	ret->object.type = "percpu_rwsem";
	ret->object.addr = head ? head - off : 0;
	ret->edge.by = head ? WAIT_BY_RING : WAIT_BY_NOTHING;
	ret->edge.mode = wait_has_frame(s, writers, &frame) ? "write" : "read";
	return true;
}

/* Readers count on each CPU, and one may leave on another CPU than it came on. */
static bool percpu_readers(struct wait_graph *g, uint64_t lock, int32_t *ret)
{
	uint64_t counts, off;
	struct err ignored;
	uint32_t sum = 0, one;
	unsigned n;

	if (!percpu_word(g, lock, "read_count", &counts) || !cpus_count(g->t, &n, &ignored))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(g->t, cpu))
			continue;
		if (!percpu_offset(g->t, cpu, &off, &ignored) ||
		    !mem_u32(g->t, percpu_sum(g->t, counts, off), &one, &ignored))
			return false;
		sum += one;
	}
	*ret = (int32_t)sum;
	return true;
}

/* A writer blocks new readers first, and names itself while it waits for those that are in. */
static void percpu_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t block, writer;
	int32_t readers;

	if (!percpu_word(s->g, o->addr, "block.counter", &block) ||
	    !percpu_word(s->g, o->addr, "writer.task", &writer)) {
		o->state = "its words cannot be read";
		return;
	}
	if (!percpu_readers(s->g, o->addr, &readers))
		o->state = block ? "a writer has it or waits for its readers" : "open to readers";
	else if (block && !readers)
		o->state = "locked for writing";
	else
		o->state = arena_printf(s->g->t->scratch, "read by %d%s", readers,
					block ? ", for which a writer waits" : "");
	if (block && (o->holder = wait_task(s->g, writer)))
		o->holder_by = WAIT_BY_OWNER_WORD;
	wait_freeze_describe(s->g, o);
}

static const char *const percpu_functions[] = { "percpu_rwsem_wait", "__percpu_down_read", NULL };
const struct wait_kind wait_percpu_read = { percpu_functions, percpu_find, percpu_describe };

/* A writer that waits for readers is in no queue: the semaphore names it. */
static bool percpu_write_find(const struct wait_stack *s, struct wait_found *ret)
{
	const uint64_t mask = s->g->t->arch->word - 1;
	uint64_t writer, block;

	for (size_t i = 0; i < s->near; i++) {
		if (!s->words[i] || (s->words[i] & mask) ||
		    !s->g->t->arch->is_kernel_va(s->words[i]) ||
		    !percpu_word(s->g, s->words[i], "writer.task", &writer) ||
		    writer != s->task->addr ||
		    !percpu_word(s->g, s->words[i], "block.counter", &block) || block != 1)
			continue;
		ret->object.type = "percpu_rwsem";
		ret->object.addr = s->words[i];
		ret->edge.by = WAIT_BY_BLOCKED_ON;
		ret->edge.mode = "write";
		ret->edge.owns = true; /* it waits for the readers that are in */
		return true;
	}
	return false;
}

static const char *const percpu_write_functions[] = { "percpu_down_write", NULL };
const struct wait_kind wait_percpu_write = { percpu_write_functions, percpu_write_find,
					     percpu_describe };
