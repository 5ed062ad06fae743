/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for calls of servers, as NFS makes them. */
#include "core/linux/io/io.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* A call's state is a word of bits that is waited for. */
static bool rpc_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t off;

	if (!field_offset(s->g->t, "struct rpc_task", "tk_runstate", &off, &ignored) ||
	    !wait_bit.find(s, ret))
		return false;
	ret->object.type = "rpc_task";
	ret->object.addr -= off;
	return true;
}

static bool call_keep(const struct rpc_call *call, void *arg)
{
	struct wait_graph *g = arg;
	struct rpc_call *kept = ARENA_NEW(g->t->scratch, struct rpc_call);

	*kept = *call;
	*map_put(&g->impl->calls, call->task, NULL) = (uintptr_t)kept;
	return true;
}

/* Another call may stand where nothing could be read. */
static void call_flaw(const struct err *e, void *arg)
{
	struct wait_graph *g = arg;

	(void)e;
	g->impl->calls_known = false;
}

/* Where many tasks wait each has its own call, so all are read at once. */
static const struct map *calls_of(struct wait_graph *g)
{
	const struct io_call io = { .t = g->t, .a = g->t->scratch, .flaw = call_flaw, .arg = g };
	struct err ignored;

	if (!g->impl->calls_tried) {
		g->impl->calls_tried = g->impl->calls_known = true;
		if (!rpc_calls(&io, call_keep, g, &ignored))
			g->impl->calls_known = false;
	}
	return &g->impl->calls;
}

static void rpc_describe(const struct wait_stack *s, struct wait_object *o)
{
	const uint64_t *found = map_get(calls_of(s->g), o->addr);
	const struct rpc_call *c;

	if (!found) {
		if (s->g->impl->calls_known)
			o->state = "no client has it";
		return;
	}
	c = (const struct rpc_call *)(uintptr_t)*found;
	o->state = arena_printf(
		s->g->t->scratch, "%s %s of server %s%s%s%s", c->program ? c->program : "RPC",
		c->procedure ? c->procedure : "call", c->server ? c->server : "?",
		c->address ? " at " : "", c->address ? c->address : "",
		c->queue ? arena_printf(s->g->t->scratch, ", in queue %s", c->queue) : "");
}

static const char *const rpc_functions[] = { "rpc_wait_bit_killable", "__rpc_execute",
					     "__rpc_wait_for_completion_task",
					     "rpc_wait_for_completion_task", NULL };
const struct wait_kind wait_rpc = { rpc_functions, rpc_find, rpc_describe };
