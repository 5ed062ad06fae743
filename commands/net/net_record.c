/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands of the network share. */
#include "core/obit.h"
#include "core/linux/task/task.h"
#include "core/records/task_record.h"
#include "commands/net/net_record.h"

/* ---- the namespaces */
enum {
	SPACE_NET,
	SPACE_NUMBER
};
static const struct record_field namespace_fields[] = {
	[SPACE_NET] = { "net", NULL, CELL_ADDR, 0, "address of the struct net" },
	[SPACE_NUMBER] = { "netns", NULL, CELL_UINT, 0, "its number, as /proc/PID/ns/net has it" },
};
const struct record_kind net_namespace_kind = { "net_namespace",  "a network namespace",
						LAYOUT_LINE,      "NET: {net}  NETNS: {netns}",
						namespace_fields, ARRAY_SIZE(namespace_fields) };

struct spaces {
	struct ctx *c;
	space_fn *fn;
	void *arg;
	struct err *err; /* its code is that of a failure of the command */
};

static void space_flaw(const struct err *e, void *arg)
{
	const struct spaces *w = arg;

	note(w->c, e);
}

bool net_ended(struct ctx *c, bool ok, const struct err *why, struct err *err)
{
	if (ok)
		return true;
	if (!err_is_damage(why->code)) {
		*err = *why;
		return false;
	}
	note(c, why);
	return true;
}

uint64_t net_number(struct ctx *c, uint64_t net)
{
	uint64_t number;
	struct err why;

	if (!net)
		return 0;
	if (net_namespace_number(c->t, net, &number, &why))
		return number;
	target_lacks(c->t, &why);
	return 0;
}

static bool space_see(uint64_t net, void *arg)
{
	struct spaces *w = arg;
	uint64_t number = net_number(w->c, net);
	struct record r;

	record_init(&r, &net_namespace_kind);
	record_uint(&r, SPACE_NET, net);
	if (number)
		record_uint(&r, SPACE_NUMBER, number);
	if (!piped(w->c))
		emit(w->c, &r);
	return w->fn(w->c, net, number, w->arg, w->err);
}

bool each_namespace(struct ctx *c, const struct space_opts *o, space_fn *fn, void *arg,
		    struct err *err)
{
	struct err failed = { .code = ERR_OK }, why;
	struct spaces w = { .c = c, .fn = fn, .arg = arg, .err = &failed };
	const struct task *task;
	struct symbol init;
	uint64_t net;
	bool ok;

	if (o->all && o->task)
		return err_set(err, ERR_USAGE, "-N and -n exclude each other");
	if (o->all) {
		ok = net_ended(c, net_namespaces(c->t, space_see, space_flaw, &w, &why), &why, err);
	} else if (o->task) {
		ok = task_named(c, o->task, &task, err) &&
		     net_namespace_of(c->t, task->addr, &net, err);
	} else {
		ok = symbol_find(c->t, "init_net", &init, err);
		net = init.addr;
	}
	if (!ok)
		return false;
	if (!o->all)
		(void)fn(c, net, net_number(c, net), arg, &failed);
	if (failed.code != ERR_OK) {
		*err = failed;
		return false;
	}
	return true;
}

/* ---- sockets */
enum {
	PID,
	FD,
	SOCKET,
	SOCK,
	FAMILY,
	TYPE,
	STATE,
	RX,
	TX,
	ACCEPT,
	SOURCE,
	DESTINATION,
	ACCEPT_MAX,
	BACKLOG,
	ORPHAN,
	SOCKET_NETNS
};
static void accept_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct cell *most = cell + (ACCEPT_MAX - ACCEPT);

	(void)k, (void)r;
	if (cell->kind == CELL_NULL)
		buf_str(b, "-");
	else
		buf_printf(b, "%llu/%llu", (unsigned long long)cell->u,
			   (unsigned long long)most->u);
}

static const struct record_field socket_fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "whose it is" },
	[FD] = { "fd", NULL, CELL_UINT, FIELD_RIGHT, "its number among the files" },
	[SOCKET] = { "socket", NULL, CELL_ADDR, 0, "address of the struct socket" },
	[SOCK] = { "sock", NULL, CELL_ADDR, 0, "address of the struct sock" },
	[FAMILY] = { "family", NULL, CELL_STR, 0, "INET, INET6, UNIX, NETLINK, ..." },
	[TYPE] = { "type", NULL, CELL_STR, 0, "STREAM, DGRAM, ..." },
	[STATE] = { "state", NULL, CELL_STR, 0, "of a connection" },
	[RX] = { "rx", NULL, CELL_UINT, FIELD_RIGHT,
		 "of TCP bytes that nobody read, of others memory that packets take" },
	[TX] = { "tx", NULL, CELL_UINT, FIELD_RIGHT,
		 "of TCP bytes that are not yet acknowledged, of others memory that packets take" },
	[ACCEPT] = { "accept", NULL, CELL_UINT, FIELD_RIGHT,
		     "connections that wait for accept(2); text adds how many may",
		     .text = accept_text },
	[SOURCE] = { "source", NULL, CELL_STR, 0, "address and port, or path" },
	[DESTINATION] = { "destination", NULL, CELL_STR, 0, "address and port" },
	[ACCEPT_MAX] = { "accept_max", NULL, CELL_UINT, FIELD_JSON, "how many may wait so" },
	[BACKLOG] = { "backlog", NULL, CELL_UINT, FIELD_JSON,
		      "bytes that came while a task held the socket's lock" },
	[ORPHAN] = { "orphan", NULL, CELL_BOOL, FIELD_JSON, "no task has it any more" },
	[SOCKET_NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON,
			   "number of its network namespace" },
};
const struct record_kind socket_kind = {
	"socket", "a socket of a task", LAYOUT_TABLE, NULL, socket_fields, ARRAY_SIZE(socket_fields)
};
/* The same without a task. */
const struct record_kind inet_socket_kind = {
	"inet_socket", "a socket of TCP or UDP", LAYOUT_TABLE,
	NULL,          socket_fields + SOCKET,   ARRAY_SIZE(socket_fields) - SOCKET
};

void emit_socket(struct ctx *c, const struct net_socket *s, const struct socket_owner *owner)
{
	uint64_t number = net_number(c, s->net);
	unsigned first = owner ? 0 : SOCKET;
	struct record r;

	record_init(&r, owner ? &socket_kind : &inet_socket_kind);
	if (owner) {
		record_int(&r, PID, owner->pid);
		record_uint(&r, FD, owner->fd);
	}
	if (s->addr)
		record_uint(&r, SOCKET - first, s->addr);
	if (s->sock)
		record_uint(&r, SOCK - first, s->sock);
	record_str(&r, FAMILY - first, s->family);
	record_str(&r, TYPE - first, s->type);
	record_str(&r, STATE - first, s->state);
	if (s->sized) {
		record_uint(&r, RX - first, s->rx);
		record_uint(&r, TX - first, s->tx);
	}
	if (s->listens) {
		record_uint(&r, ACCEPT - first, s->accept);
		record_uint(&r, ACCEPT_MAX - first, s->accept_max);
	}
	if (s->whole)
		record_uint(&r, BACKLOG - first, s->backlog);
	record_bool(&r, ORPHAN - first, s->orphan);
	record_str(&r, SOURCE - first, s->source);
	record_str(&r, DESTINATION - first, s->destination);
	if (number)
		record_uint(&r, SOCKET_NETNS - first, number);
	emit(c, &r);
}
