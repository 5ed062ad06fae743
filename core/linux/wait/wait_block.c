/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for what block devices have little of: a queue that is frozen, a free tag, the end of
 * writeback, and leave to make a request where too many of its kind are under way. */
#include <string.h>

#include "core/linux/container/list.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define NAME_BYTES 32
#define WBS_MAX 100000

/* ---- queues that are frozen */

/* The queue's disk, which leads back to it; "": it serves none. d152c682f03c (v5.15) */
static const char *queue_disk(struct target *t, uint64_t queue)
{
	uint64_t disk, back, off;
	struct err ignored;
	const char *name;

	if (!field_u64(t, "struct request_queue", queue, "disk", &disk, &ignored) || !disk ||
	    !field_u64(t, "struct gendisk", disk, "queue", &back, &ignored) || back != queue ||
	    !field_offset(t, "struct gendisk", "disk_name", &off, &ignored) ||
	    !mem_str(t, disk + off, NAME_BYTES, t->scratch, &name, &ignored))
		return "";
	return name;
}

static bool freeze_find(const struct wait_stack *s, struct wait_found *ret)
{
	static const char *const freezers[] = { "blk_mq_freeze_queue", NULL };
	struct err ignored;
	uint64_t off, head;
	size_t frame;

	/* these functions wait in no other queue */
	if (!field_offset(s->g->t, "struct request_queue", "mq_freeze_wq.head", &off, &ignored) ||
	    !wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw) || !head)
		return false;
	ret->object.type =
		wait_has_frame(s, freezers, &frame) ? "request_queue" : "request_queue_frozen";
	ret->object.addr = head - off;
	ret->edge.by = WAIT_BY_RING;
	return true;
}

static void freeze_describe(const struct wait_stack *s, struct wait_object *o)
{
	const bool drains = !strcmp(o->type, "request_queue");
	const char *disk = queue_disk(s->g->t, o->addr);
	struct err ignored;
	uint64_t depth;

	if (*disk)
		o->name = arena_printf(s->g->t->scratch, "queue of disk %s", disk);
	if (!field_u64(s->g->t, "struct request_queue", o->addr, "mq_freeze_depth", &depth,
		       &ignored))
		return;
	o->state = arena_printf(s->g->t->scratch, "frozen by %u%s", (unsigned)depth,
				drains ? "; it waits for what uses the queue" : "");
}

static const char *const freeze_functions[] = { "blk_mq_freeze_queue", "blk_queue_enter",
						"__bio_queue_enter",   "bio_queue_enter",
						"blk_mq_queue_enter",  NULL };
const struct wait_kind wait_frozen_queue = { freeze_functions, freeze_find, freeze_describe };

/* The task that waits until a queue is drained is the one that froze it, when there is one that
 * did. */
static void frozen_end(struct wait_graph *g, struct wait_object *o)
{
	struct err ignored;
	uint64_t depth;

	for (size_t i = 0; i < g->objects.n; i++) {
		const struct wait_object *drained = &g->objects.p[i];

		if (drained->addr != o->addr || strcmp(drained->type, "request_queue") != 0 ||
		    drained->first == WAIT_NONE)
			continue;
		o->holder = g->edges.p[drained->first].task;
		o->holder_by = field_u64(g->t, "struct request_queue", o->addr, "mq_freeze_depth",
					 &depth, &ignored) &&
					       depth == 1
				       ? WAIT_BY_RULE
				       : WAIT_BY_CANDIDATE;
	}
}

void wait_block_end(struct wait_graph *g)
{
	for (size_t i = 0; i < g->objects.n; i++)
		if (!strcmp(g->objects.p[i].type, "request_queue_frozen"))
			frozen_end(g, &g->objects.p[i]);
}

/* ---- tags */

static bool tag_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t off, entry, head;
	struct err ignored;

	if (!field_offset(s->g->t, "struct sbq_wait", "wait", &off, &ignored) ||
	    !wait_queue_find(s, &entry, &head, &ret->edge.flaw) || !head ||
	    !field_u64(s->g->t, "struct sbq_wait", entry - off, "sbq", &ret->object.addr,
		       &ignored) ||
	    !ret->object.addr)
		return false;
	ret->object.type = "tags";
	ret->edge.waiter = entry - off;
	ret->edge.by = WAIT_BY_RING;
	return true;
}

static void tag_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct err ignored;
	uint64_t depth;

	if (field_u64(s->g->t, "struct sbitmap_queue", o->addr, "sb.depth", &depth, &ignored))
		o->state = arena_printf(s->g->t->scratch, "all of %u are taken by requests",
					(unsigned)depth);
}

static const char *const tag_functions[] = { "blk_mq_get_tag", NULL };
const struct wait_kind wait_tags = { tag_functions, tag_find, tag_describe };

/* ---- writeback */

/* The completion lies on the stack of who waits: it names the queue that the waiter is in. */
static bool writeback_find(const struct wait_stack *s, struct wait_found *ret)
{
	const unsigned word = s->g->t->arch->word;
	uint64_t queue, off, head, count;
	struct err ignored;

	if (!field_offset(s->g->t, "struct wait_queue_head", "head", &queue, &ignored) ||
	    !field_offset(s->g->t, "struct wb_completion", "waitq", &off, &ignored) ||
	    !wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw) || !head)
		return false;
	for (size_t i = off / word; i < s->n; i++) {
		const uint64_t at = s->lo + i * word - off;

		if (s->words[i] != head - queue ||
		    !field_u64(s->g->t, "struct wb_completion", at, "cnt.counter", &count,
			       &ignored) ||
		    !(int32_t)count)
			continue;
		ret->object.type = "writeback";
		ret->object.addr = at;
		ret->edge.by = WAIT_BY_RING;
		return true;
	}
	return false;
}

/* Those who write back to a device, of whom a completion is told. */
struct writers {
	const struct wait_stack *s;
	struct wait_many many;
	uint64_t work; /* offset of the work in bdi_writeback */
	size_t n;
};

static bool writer_add(uint64_t wb, void *arg)
{
	struct writers *w = arg;

	wait_many_add(&w->many, wait_worker_of(w->s->g, wb + w->work));
	return ++w->n < WBS_MAX;
}

/* The queue is that of a device, whose writeback is a work for each cgroup. */
static void writeback_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct writers w = { .s = s };
	struct target *t = s->g->t;
	uint64_t off, queue, list, link, count = 0;
	struct err ignored;

	(void)!field_u64(t, "struct wb_completion", o->addr, "cnt.counter", &count, &ignored);
	o->state = arena_printf(t->scratch, "%d works have not ended", (int)(int32_t)count);
	if (!field_u64(t, "struct wb_completion", o->addr, "waitq", &queue, &ignored) ||
	    !field_offset(t, "struct backing_dev_info", "wb_waitq", &off, &ignored) ||
	    !field_offset(t, "struct backing_dev_info", "wb_list", &list, &ignored) ||
	    !field_offset(t, "struct bdi_writeback", "bdi_node", &link, &ignored) ||
	    !field_offset(t, "struct bdi_writeback", "dwork.work", &w.work, &ignored) ||
	    !wait_works_of_queue(s->g, "bdi_wq") ||
	    !list_each(t, queue - off + list, link, "writeback of a device", writer_add, &w,
		       &ignored))
		return;
	/* with one writer there is no doubt whose work it is */
	wait_many_give(s->g, &w.many, o, w.n == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
	if (!w.many.n)
		o->state = arena_printf(t->scratch, "%s, and no worker has begun one", o->state);
}

static const char *const writeback_functions[] = { "wb_wait_for_completion", NULL };
const struct wait_kind wait_writeback = { writeback_functions, writeback_find, writeback_describe };

/* ---- throttling */

/* Writeback is held back as a whole: its disk is found through what asked. */
static void throttle_name(const struct wait_stack *s, uint64_t data, struct wait_object *o)
{
	struct target *t = s->g->t;
	uint64_t cb, own, rwb, disk;
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	if (!field_u64(t, "struct rq_qos_wait_data", data, "cb", &cb, &ignored) ||
	    !symbol_at(t, cb, &sym, &off, &ignored) || off ||
	    strcmp(sym.name, "wbt_inflight_cb") != 0 ||
	    !field_u64(t, "struct rq_qos_wait_data", data, "private_data", &own, &ignored) ||
	    !field_u64(t, "struct wbt_wait_data", own, "rwb", &rwb, &ignored) ||
	    /* ba91c849fa50 (v6.3) */
	    !field_u64(t, "struct rq_wb", rwb, "rqos.disk|rqos.q", &disk, &ignored))
		return;
	wait_io_write_of(s, disk, &o->io);
}

/* Not all kernels say in the entry of the queue whose it is. */
static bool throttle_find(const struct wait_stack *s, struct wait_found *ret)
{
	static const char type[] = "struct rq_qos_wait_data";
	struct target *t = s->g->t;
	const struct wait_ring *ring;
	struct wait_layout l;
	uint64_t data, rqw, head;
	struct err ignored;
	size_t i = 0;

	if ((!wait_layout_of(t, type, "task", "wq.entry", &l) &&
	     !wait_layout_of(t, type, "wq.private", "wq.entry", &l)) ||
	    !field_offset(t, "struct rq_wait", "wait.head", &head, &ignored))
		return false;
	while (wait_waiter(s, &l, &i, &data)) {
		ring = wait_ring_of(s->g, &l, data);
		if (!field_u64(t, type, data, "rqw", &rqw, &ignored) || ring->head != rqw + head)
			continue;
		ret->object.type = "rq_wait";
		ret->object.addr = rqw;
		ret->edge.waiter = data;
		ret->edge.by = WAIT_BY_RING;
		ret->edge.flaw = ring->flaw;
		throttle_name(s, data, &ret->object);
		return true;
	}
	return false;
}

static void throttle_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t n;
	struct err ignored;

	if (field_u64(s->g->t, "struct rq_wait", o->addr, "inflight.counter", &n, &ignored))
		o->state = arena_printf(s->g->t->scratch, "%d of its kind under way",
					(int32_t)(uint32_t)n);
}

static const char *const throttle_functions[] = { "rq_qos_wait", NULL };
const struct wait_kind wait_throttle = { throttle_functions, throttle_find, throttle_describe };
