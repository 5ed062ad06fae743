/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net: network devices, neighbours, and the sockets of tasks. */
#include <string.h>

#include "core/obit.h"
#include "core/base/number.h"
#include "core/linux/fs/vfs.h"
#include "core/linux/task/task.h"
#include "core/records/print_type.h"
#include "core/records/task_record.h"
#include "commands/net/neighbour_record.h"
#include "commands/net/net_record.h"

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

struct net_opts {
	struct space_opts spaces;
	bool neighbours, sockets, structs;
	const char *ref;
	struct style_opts style;
};
static const struct option opts[] = {
	SPACE_OPTIONS(struct net_opts, spaces, "devices"),
	OPT_FLAG("a", struct net_opts, neighbours, "neighbours: ARP's table, and that of IPv6"),
	OPT_FLAG("s", struct net_opts, sockets, "sockets of the current task, or of those named"),
	OPT_FLAG("S", struct net_opts, structs, "the same, with the structs of each"),
	OPT_STR("R", "ref", struct net_opts, ref,
		"with -s or -S: only the socket that has this number, or whose struct socket or sock "
		"is there"),
	STYLE_OPTIONS(struct net_opts, style),
};

struct net {
	struct ctx *c;
	const struct task *task;
	uint64_t netns; /* number of the devices' namespace; 0 unknown */
	bool has_fd;    /* -R is a number of a file, or an address, or may be either */
	uint64_t fd, place;
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

static bool show_struct(struct net *w, const char *name, uint64_t addr)
{
	struct shown s = { .expr = name, .label = name };
	const struct type *type;

	if (!addr)
		return true;
	if (!type_find(w->c->t, arena_printf(w->c->arena, "struct %s", name), &type, w->err))
		return false;
	s.value = value_ref(type, addr);
	emit_value(w->c, &s);
	return true;
}

static bool show_file(const struct vfs_open *f, void *arg)
{
	struct net *w = arg;
	const struct net_opts *o = w->c->opts;
	struct net_socket s;
	struct err why;

	if (!f->path || strncmp(f->path, "socket:", strlen("socket:")) != 0)
		return true;
	if (!net_socket(w->c->t, f->file, w->c->arena, &s, &why))
		note(w->c, &why);
	if (o->ref && !(w->has_fd && w->fd == f->fd) &&
	    !(w->place && (w->place == s.addr || w->place == s.sock)))
		return true;
	if (piped(w->c)) {
		w->ok = !s.sock || yield(w->c, value_ref(w->c->out_type, s.sock), w->err);
		return w->ok;
	}
	emit_socket(w->c, &s, &(struct socket_owner){ w->task->pid, f->fd });
	w->ok = !o->structs || (show_struct(w, "socket", s.addr) && show_struct(w, "sock", s.sock));
	return w->ok;
}

static bool one_task(struct ctx *c, const struct task *task, struct err *err)
{
	struct net w = { .c = c, .task = task, .err = err, .ok = true };
	const struct net_opts *o = c->opts;
	struct err why;

	w.has_fd = o->ref && number_parse(o->ref, 10, &w.fd);
	if (o->ref && !parse_address(c->t, o->ref, &w.place, &why)) {
		w.place = 0;
		if (!w.has_fd)
			return *err = why, false;
	}
	return net_ended(c, vfs_files(c->t, task->addr, c->arena, show_file, net_flaw, &w, &why),
			 &why, err) &&
	       w.ok;
}

static bool net_types(struct ctx *c, struct err *err)
{
	const struct net_opts *o = c->opts;
	bool sockets = o->sockets || o->structs || c->in_type;

	if (sockets + o->neighbours + o->spaces.all + (o->spaces.task != NULL) > 1)
		return err_set(err, ERR_USAGE, "-a, -s, -N and -n exclude each other");
	if (c->argc && !sockets)
		return err_set(err, ERR_USAGE, "tasks have sockets: -s");
	if (o->ref && !sockets)
		return err_set(err, ERR_USAGE, "-R chooses one of the sockets: -s");
	return !piped(c) || type_find(c->t,
				      sockets         ? "struct sock"
				      : o->neighbours ? "struct neighbour"
						      : "struct net_device",
				      &c->out_type, err);
}

static bool one_namespace(struct ctx *c, uint64_t net, uint64_t number, void *arg, struct err *err)
{
	struct net w = { .c = c, .netns = number, .err = err, .ok = true };
	struct err why;

	(void)arg;
	return net_ended(c, net_devices(c->t, net, c->arena, show_device, net_flaw, &w, &why), &why,
			 err) &&
	       w.ok;
}

static bool net_run(struct ctx *c, struct err *err)
{
	const struct net_opts *o = c->opts;
	struct value_style old;
	bool ok;

	if (o->neighbours)
		return show_neighbours(c, err);
	if (!o->sockets && !o->structs)
		return each_namespace(c, &o->spaces, one_namespace, NULL, err);
	old = style_set(c, &o->style);
	ok = each_task(c, one_task, err);
	style_restore(c, old);
	return ok;
}

static bool net_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	return task_by_addr(c->t, v.addr, &task, err) && one_task(c, task, err);
}

static const struct example examples[] = {
	{ "net", "network devices and their addresses" },
	{ "net -a", "which hardware address is whose" },
	{ "net -s 1", "sockets of a task" },
	{ "net -S 1", "the same, with struct socket and struct sock" },
	{ "net -N", "devices of every network namespace" },
	{ "ps -u | net", "sockets of all user tasks" },
	{ "net | pick name, mtu", "members of each struct net_device" },
};
const struct command cmd_net = {
	.name = "net",
	.group = "system",
	.summary = "network devices, neighbours and sockets",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.out = "any",
	.operands = "[pid | task | name]...",
	.types = net_types,
	OPTS(opts),
	.opts_size = sizeof(struct net_opts),
	.emits = (const struct record_kind *const[]){ &net_device_kind, &net_namespace_kind,
						      &socket_kind, &neighbour_kind, &value_record,
						      NULL },
	.none = "no such network device, neighbour or socket",
	.completes = COMPLETE_PID,
	.help = "Prints the devices of the initial network namespace, of that of -n's task, or with -N of all. -a prints the "
		"neighbours of all namespaces. With -s, and for tasks of a pipeline, the sockets among their open files: an "
		"unconnected one has the destination 0.0.0.0:0, an abstract unix name starts with @.\n\n"
		"ACCEPT is of one that listens: how many connections wait for accept(2), and how many may. Of a unix socket "
		"what it received is not known, for the kernel has it on the sender's account. Sockets that no task has any "
		"more, and the rests of connections that are over, are in the tables of TCP and UDP: 'net sockets'.",
	EXAMPLES(examples),
	.run = net_run,
	.each = net_each,
};
