/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of remote procedures that were not finished: what NFS waits for. */
#include <stdlib.h>

#include "core/linux/container/list.h"
#include "core/linux/io/io_impl.h"
#include "core/linux/misc/system.h"
#include "core/linux/module/module.h"
#include "core/linux/net/net.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define CALLS_MAX 100000u
#define NET_IDS_MAX 4096u

enum {
	CALL_CLIENT,
	CALL_XPRT,
	CALL_PROC,
	CALL_START,
	CALL_QUEUE,
	CALL_ACTION,
	CALL_OWNER,
	CALL_STATUS,
	CALL_TIMEOUTS
};
static const struct shape_field call_fields[] = {
	[CALL_CLIENT] = FIELD("tk_client"),     [CALL_XPRT] = FIELD("tk_xprt"),
	[CALL_PROC] = FIELD("tk_msg.rpc_proc"), [CALL_START] = FIELD("tk_start"),
	[CALL_QUEUE] = FIELD("tk_waitqueue"),   [CALL_ACTION] = FIELD("tk_action"),
	[CALL_OWNER] = FIELD("tk_owner"),       [CALL_STATUS] = FIELD("tk_status"),
	[CALL_TIMEOUTS] = FIELD("tk_timeouts"),
};
static const struct shape call_shape = SHAPE("struct rpc_task", call_fields);

struct rpc_walk {
	const struct io_call *c;
	VEC(struct rpc_call) found;
	uint64_t id, clients, tasks; /* sunrpc_net_id; offsets of links */
	uint64_t client, now;
	bool has_now;
};

/* The string that a member of the struct at addr points to; NULL: there is none, or it cannot be
 * read. */
static const char *rpc_text(const struct rpc_walk *w, const char *type, uint64_t addr,
			    const char *path)
{
	const char *s;
	struct err why;

	if (!addr)
		return NULL;
	if (subsystem_text(w->c->t, type, addr, path, &s, &why))
		return s;
	io_tell(w->c, &why, type, addr);
	return NULL;
}

static bool rpc_call_found(uint64_t addr, void *arg)
{
	struct rpc_walk *w = arg;
	const struct io_call *c = w->c;
	struct rpc_call r = { .task = addr, .client = w->client };
	uint64_t xprt, proc, start, queue, program;
	struct shaped s;
	struct err why;

	if (!shape_read(c->t, &call_shape, addr, &s, &why)) {
		io_tell(c, &why, "RPC task", addr);
		return true;
	}
	start = shaped_u64_or(&s, CALL_START, 0);
	r.has_age = w->has_now && start;
	r.age_ns = r.has_age && start < w->now ? w->now - start : 0;
	r.action = io_symbol(c, shaped_u64_or(&s, CALL_ACTION, 0));
	r.timeouts = shaped_u64_or(&s, CALL_TIMEOUTS, 0);
	r.owner = (int64_t)shaped_u64_or(&s, CALL_OWNER, 0);
	if (!shaped_s64(&s, CALL_STATUS, &r.status, &why))
		r.status = 0;
	proc = shaped_u64_or(&s, CALL_PROC, 0);
	queue = shaped_u64_or(&s, CALL_QUEUE, 0);
	xprt = shaped_u64_or(&s, CALL_XPRT, 0);
	r.procedure = rpc_text(w, "struct rpc_procinfo", proc, "p_name");
	r.queue = rpc_text(w, "struct rpc_wait_queue", queue, "name");
	r.server = rpc_text(w, "struct rpc_xprt", xprt, "servername");
	r.address = rpc_text(w, "struct rpc_xprt", xprt, "address_strings[0]");
	if (field_u64(c->t, "struct rpc_clnt", w->client, "cl_vers", &r.version, &why) &&
	    field_u64(c->t, "struct rpc_clnt", w->client, "cl_program", &program, &why))
		r.program = rpc_text(w, "struct rpc_program", program, "name");
	else
		io_tell(c, &why, "RPC client", w->client);
	*vec_push(&w->found) = r;
	return w->found.n < CALLS_MAX;
}

static bool client_found(uint64_t addr, void *arg)
{
	struct rpc_walk *w = arg;
	struct err why;
	uint64_t off;

	w->client = addr;
	if (!field_offset(w->c->t, "struct rpc_clnt", "cl_tasks", &off, &why) ||
	    !list_each(w->c->t, addr + off, w->tasks, "RPC tasks", rpc_call_found, w, &why))
		io_tell(w->c, &why, "RPC client", addr);
	return w->found.n < CALLS_MAX;
}

/* Each network namespace has what subsystems keep for it in an array, by the subsystem's number. */
static bool net_found(uint64_t net, void *arg)
{
	struct rpc_walk *w = arg;
	struct target *t = w->c->t;
	uint64_t gen, off, own;
	struct err why;

	if (!field_u64(t, "struct net", net, "gen", &gen, &why) ||
	    !field_offset(t, "struct net_generic", "ptr", &off, &why) ||
	    !mem_ptr(t, gen + off + w->id * t->arch->word, &own, &why) ||
	    !field_offset(t, "struct sunrpc_net", "all_clients", &off, &why)) {
		io_tell(w->c, &why, "network namespace", net);
		return true;
	}
	if (own && !list_each(t, own + off, w->clients, "RPC clients", client_found, w, &why))
		io_tell(w->c, &why, "network namespace", net);
	return w->found.n < CALLS_MAX;
}

static void rpc_flaw(const struct err *e, void *arg)
{
	const struct rpc_walk *w = arg;

	w->c->flaw(e, w->c->arg);
}

static int rpc_by_age(const void *a, const void *b)
{
	const struct rpc_call *x = a, *y = b;

	if (x->age_ns != y->age_ns)
		return x->age_ns > y->age_ns ? -1 : 1;
	return (x->task > y->task) - (x->task < y->task);
}

/* They are sunrpc's, which is a module. */
static void rpc_types_load(const struct io_call *c)
{
	static const char *const types[] = { "struct rpc_task",    "struct rpc_clnt",
					     "struct rpc_xprt",    "struct rpc_procinfo",
					     "struct rpc_program", "struct rpc_wait_queue",
					     "struct net_generic", "struct sunrpc_net" };
	const struct type *type;
	struct err ignored;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		(void)!type_find_deep(c->t, types[i], &type, &ignored);
}

bool rpc_calls(const struct io_call *c, bool (*fn)(const struct rpc_call *r, void *arg), void *arg,
	       struct err *err)
{
	struct rpc_walk w = { .c = c };
	struct symbol number;
	uint32_t id;
	struct err why;
	bool ok;

	if (!module_symbol(c->t, "sunrpc_net_id", "sunrpc", &number, err))
		return false;
	if (!mem_u32(c->t, number.addr, &id, err))
		return err_wrap(err, "sunrpc_net_id");
	if (id > NET_IDS_MAX)
		return err_set_addr(err, ERR_CORRUPT, number.addr, "sunrpc_net_id is %u", id);
	w.id = id;
	rpc_types_load(c);
	w.has_now = monotonic_now(c->t, &w.now, &why);
	if (!w.has_now)
		io_tell(c, &why, NULL, 0);
	ok = field_offset(c->t, "struct rpc_clnt", "cl_clients", &w.clients, err) &&
	     field_offset(c->t, "struct rpc_task", "tk_task", &w.tasks, err) &&
	     net_namespaces(c->t, net_found, rpc_flaw, &w, err);
	if (ok && w.found.n)
		qsort(w.found.p, w.found.n, sizeof(*w.found.p), rpc_by_age);
	for (size_t i = 0; ok && i < w.found.n && fn(&w.found.p[i], arg); i++)
		;
	vec_release(&w.found);
	return ok;
}
