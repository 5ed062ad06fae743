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

struct rpc_look {
	const struct wait_object *object;
	struct rpc_call call;
	bool found;
};

static bool rpc_compare(const struct rpc_call *call, void *arg)
{
	struct rpc_look *look = arg;

	if (call->task != look->object->addr)
		return true;
	look->call = *call;
	look->found = true;
	return false;
}

static void rpc_flaw(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

static void rpc_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct rpc_look look = { .object = o };
	const struct io_call io = {
		.t = s->g->t, .a = s->g->t->scratch, .flaw = rpc_flaw, .arg = &look
	};
	const struct rpc_call *c = &look.call;
	struct err ignored;

	if (!rpc_calls(&io, rpc_compare, &look, &ignored) && !look.found)
		return;
	if (!look.found) {
		o->state = "no client has it";
		return;
	}
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
