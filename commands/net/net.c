/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net: network devices, and the sockets of tasks. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/vfs.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/linux/net/net.h"
#include "core/records/task_record.h"

enum {
	DEV,
	NAME,
	INDEX,
	MTU,
	FLAGS,
	ADDRESSES,
	NETNS
};
static const struct record_field device_fields[] = {
	[DEV] = { "device", "NET_DEVICE", CELL_ADDR, 0, "address of the struct net_device" },
	[NAME] = { "name", NULL, CELL_STR, 0, "its name" },
	[INDEX] = { "index", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[MTU] = { "mtu", NULL, CELL_UINT, FIELD_RIGHT, "bytes of the largest packet" },
	[FLAGS] = { "flags", NULL, CELL_HEX, 0, "IFF_*: 1 up" },
	[ADDRESSES] = { "addresses", "IP ADDRESS(ES)", CELL_STRS, 0,
			"IP addresses, with prefixes" },
	[NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON, "number of its network namespace" },
};
static const struct record_kind net_device_kind = { "net_device",  "a network device",
						    LAYOUT_TABLE,  NULL,
						    device_fields, ARRAY_SIZE(device_fields) };

enum {
	PID,
	FD,
	SOCKET,
	SOCK,
	FAMILY,
	TYPE,
	STATE,
	SOURCE,
	DESTINATION,
	SOCKET_NETNS
};
static const struct record_field socket_fields[] = {
	[PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "whose it is" },
	[FD] = { "fd", NULL, CELL_UINT, FIELD_RIGHT, "its number among the files" },
	[SOCKET] = { "socket", NULL, CELL_ADDR, 0, "address of the struct socket" },
	[SOCK] = { "sock", NULL, CELL_ADDR, 0, "address of the struct sock" },
	[FAMILY] = { "family", NULL, CELL_STR, 0, "INET, INET6, UNIX, NETLINK, ..." },
	[TYPE] = { "type", NULL, CELL_STR, 0, "STREAM, DGRAM, ..." },
	[STATE] = { "state", NULL, CELL_STR, 0, "of a connection" },
	[SOURCE] = { "source", NULL, CELL_STR, 0, "address and port, or path" },
	[DESTINATION] = { "destination", NULL, CELL_STR, 0, "address and port" },
	[SOCKET_NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON,
			   "number of its network namespace" },
};
static const struct record_kind socket_kind = { "socket",      "a socket of a task",
						LAYOUT_TABLE,  NULL,
						socket_fields, ARRAY_SIZE(socket_fields) };

enum {
	SPACE_NET,
	SPACE_NUMBER
};
static const struct record_field namespace_fields[] = {
	[SPACE_NET] = { "net", NULL, CELL_ADDR, 0, "address of the struct net" },
	[SPACE_NUMBER] = { "netns", NULL, CELL_UINT, 0, "its number, as /proc/PID/ns/net has it" },
};
static const struct record_kind namespace_kind = { "net_namespace",  "a network namespace",
						   LAYOUT_LINE,      "NET: {net}  NETNS: {netns}",
						   namespace_fields, ARRAY_SIZE(namespace_fields) };

struct net_opts {
	bool sockets, all;
	const char *task;
};
static const struct option opts[] = {
	{ "N", NULL, OPTION_FLAG, offsetof(struct net_opts, all), "devices of every namespace" },
	{ "n", "task", OPTION_STR, offsetof(struct net_opts, task),
	  "devices of this task's namespace" },
	{ "s", NULL, OPTION_FLAG, offsetof(struct net_opts, sockets),
	  "sockets of the current task, or of those named" },
};

struct net {
	struct ctx *c;
	const struct task *task;
	uint64_t netns; /* number of the devices' namespace; 0 unknown */
	struct err *err;
	bool ok;
};

static void net_flaw(const struct err *e, void *arg)
{
	const struct net *w = arg;

	note(w->c, e);
}

static bool show_device(const struct net_device *d, void *arg)
{
	struct net *w = arg;
	const char **addresses;
	struct record r;

	if (piped(w->c)) {
		w->ok = yield(w->c, value_ref(w->c->out_type, d->addr), w->err);
		return w->ok;
	}
	record_init(&r, &net_device_kind);
	record_uint(&r, DEV, d->addr);
	record_str(&r, NAME, d->name);
	record_uint(&r, INDEX, d->index);
	record_uint(&r, MTU, d->mtu);
	record_uint(&r, FLAGS, d->flags);
	addresses = ARENA_ARRAY(w->c->arena, const char *, d->n_addresses + 1);
	for (size_t i = 0; i < d->n_addresses; i++)
		addresses[i] = d->addresses[i];
	record_strs(&r, ADDRESSES, addresses, d->n_addresses);
	if (w->netns)
		record_uint(&r, NETNS, w->netns);
	emit(w->c, &r);
	return true;
}

static bool show_file(const struct vfs_open *f, void *arg)
{
	struct net *w = arg;
	struct net_socket s;
	uint64_t netns;
	struct record r;
	struct err why;

	if (!f->path || strncmp(f->path, "socket:", strlen("socket:")) != 0)
		return true;
	if (!net_socket(w->c->t, f->file, w->c->arena, &s, &why))
		note(w->c, &why);
	if (piped(w->c)) {
		w->ok = !s.sock || yield(w->c, value_ref(w->c->out_type, s.sock), w->err);
		return w->ok;
	}
	record_init(&r, &socket_kind);
	record_int(&r, PID, w->task->pid);
	record_uint(&r, FD, f->fd);
	if (s.addr)
		record_uint(&r, SOCKET, s.addr);
	if (s.sock)
		record_uint(&r, SOCK, s.sock);
	record_str(&r, FAMILY, s.family);
	record_str(&r, TYPE, s.type);
	record_str(&r, STATE, s.state);
	record_str(&r, SOURCE, s.source);
	record_str(&r, DESTINATION, s.destination);
	if (s.net && net_namespace_number(w->c->t, s.net, &netns, &why))
		record_uint(&r, SOCKET_NETNS, netns);
	else if (s.net)
		target_lacks(w->c->t, &why);
	emit(w->c, &r);
	return true;
}

/* What could not be read ends the answer, and is no failure of the command. */
static bool ended(struct net *w, bool ok, const struct err *why)
{
	if (ok)
		return w->ok;
	if (!err_is_damage(why->code)) {
		*w->err = *why;
		return false;
	}
	note(w->c, why);
	return true;
}

static bool one_task(struct ctx *c, const struct task *task, struct err *err)
{
	struct net w = { .c = c, .task = task, .err = err, .ok = true };
	struct err why;

	return ended(&w, vfs_files(c->t, task->addr, c->arena, show_file, net_flaw, &w, &why),
		     &why);
}

static bool net_types(struct ctx *c, struct err *err)
{
	const struct net_opts *o = c->opts;
	bool sockets = o->sockets || c->in_type;

	if ((o->sockets != 0) + (o->all != 0) + (o->task != NULL) > 1)
		return err_set(err, ERR_USAGE, "-s, -N and -n exclude each other");
	if (c->argc && !sockets)
		return err_set(err, ERR_USAGE, "tasks have sockets: -s");
	return !piped(c) ||
	       type_find(c->t, sockets ? "struct sock" : "struct net_device", &c->out_type, err);
}

/* The devices of one namespace. */
static bool one_namespace(struct net *w, uint64_t net)
{
	struct symbol init;
	struct err why;

	if (!net && symbol_find(w->c->t, "init_net", &init, &why))
		net = init.addr;
	if (!net || !net_namespace_number(w->c->t, net, &w->netns, &why)) {
		w->netns = 0;
		if (net)
			target_lacks(w->c->t, &why);
	}
	w->ok = ended(w, net_devices(w->c->t, net, w->c->arena, show_device, net_flaw, w, &why),
		      &why);
	return w->ok;
}

static bool show_namespace(uint64_t net, void *arg)
{
	struct net *w = arg;
	struct record r;
	struct err why;
	uint64_t n;

	record_init(&r, &namespace_kind);
	record_uint(&r, SPACE_NET, net);
	if (net_namespace_number(w->c->t, net, &n, &why))
		record_uint(&r, SPACE_NUMBER, n);
	else
		note(w->c, &why);
	if (!piped(w->c))
		emit(w->c, &r);
	return one_namespace(w, net);
}

static bool net_run(struct ctx *c, struct err *err)
{
	const struct net_opts *o = c->opts;
	struct net w = { .c = c, .err = err, .ok = true };
	const struct task *task;
	uint64_t net = 0;
	struct err why;

	if (o->sockets)
		return each_task(c, one_task, err);
	if (o->all)
		return ended(&w, net_namespaces(c->t, show_namespace, net_flaw, &w, &why), &why);
	if (o->task &&
	    (!task_named(c, o->task, &task, err) || !net_namespace_of(c->t, task->addr, &net, err)))
		return false;
	return one_namespace(&w, net);
}

static bool net_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	return task_by_addr(c->t, v.addr, &task, err) && one_task(c, task, err);
}

static const struct example examples[] = {
	{ "net", "network devices and their addresses" },
	{ "net -s 1", "sockets of a task" },
	{ "net -N", "devices of every network namespace" },
	{ "ps -u | net", "sockets of all user tasks" },
	{ "net | pick name, mtu", "members of each struct net_device" },
};
const struct command cmd_net = {
	.name = "net",
	.group = "system",
	.summary = "network devices and sockets",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.out = "any",
	.operands = "[pid | task | name]...",
	.types = net_types,
	OPTS(opts),
	.opts_size = sizeof(struct net_opts),
	.emits = (const struct record_kind *const[]){ &net_device_kind, &namespace_kind,
						      &socket_kind, NULL },
	.none = "no such network device or socket",
	.completes = COMPLETE_PID,
	.help = "Prints the devices of the initial network namespace, of that of -n's task, or with -N of all. With -s, and for tasks of a "
		"pipeline, the sockets among their open files: an unconnected one has the "
		"destination 0.0.0.0:0, an abstract unix name starts with @.",
	EXAMPLES(examples),
	.run = net_run,
	.each = net_each,
};
