/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits before a request is made: too many of its kind are under way to the disk. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* Writeback is held back as a whole: its disk is found through what asked. */
static void writeback_name(const struct wait_stack *s, uint64_t data, struct wait_object *o)
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
		writeback_name(s, data, &ret->object);
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
