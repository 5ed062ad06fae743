/* SPDX-License-Identifier: GPL-3.0-or-later */
/* net queues: what tc -s qdisc shows. */
#include "core/obit.h"
#include "core/linux/net/tables.h"
#include "commands/net/net_record.h"

#define ROOT 0xffffffffu /* TC_H_ROOT, include/uapi/linux/pkt_sched.h */
#define INGRESS 0xfffffff1u

enum {
	QDISC,
	DEVICE,
	QUEUE,
	KIND,
	HANDLE,
	PARENT,
	QLEN,
	BACKLOG,
	DROPS,
	OVERLIMITS,
	REQUEUES,
	BYTES,
	PACKETS,
	STOPPED,
	NETNS
};
static const struct record_field fields[] = {
	[QDISC] = { "qdisc", NULL, CELL_ADDR, 0, "address of the struct Qdisc" },
	[DEVICE] = { "device", NULL, CELL_STR, 0, "the device's name" },
	[QUEUE] = { "queue", NULL, CELL_UINT, FIELD_RIGHT,
		    "the transmit queue that it serves; null: several, or none" },
	[KIND] = { "kind", NULL, CELL_STR, 0, "fq_codel, pfifo_fast, mq, noqueue, ..." },
	[HANDLE] = { "handle", NULL, CELL_STR, 0, "its name, as tc writes it: \"1:\"" },
	[PARENT] = { "parent", NULL, CELL_STR, 0, "root, ingress, or the class above it: \"1:2\"" },
	[QLEN] = { "qlen", NULL, CELL_UINT, FIELD_RIGHT,
		   "packets that wait; null, as the other counts: it only distributes" },
	[BACKLOG] = { "backlog", NULL, CELL_UINT, FIELD_RIGHT, "their bytes" },
	[DROPS] = { "drops", NULL, CELL_UINT, FIELD_RIGHT, "packets dropped" },
	[OVERLIMITS] = { "overlimits", NULL, CELL_UINT, FIELD_RIGHT,
			 "how often a limit held a packet back" },
	[REQUEUES] = { "requeues", NULL, CELL_UINT, FIELD_RIGHT,
		       "how often the device refused a packet" },
	[BYTES] = { "bytes", NULL, CELL_UINT, FIELD_RIGHT, "sent" },
	[PACKETS] = { "packets", NULL, CELL_UINT, FIELD_RIGHT, "sent" },
	[STOPPED] = { "stopped", NULL, CELL_BOOL, FIELD_JSON,
		      "the queue that it serves was stopped, by the driver or the stack" },
	[NETNS] = { "netns", NULL, CELL_UINT, FIELD_JSON, "number of the network namespace" },
};
static const struct record_kind qdisc_kind = { "qdisc", "a queueing discipline", LAYOUT_TABLE, NULL,
					       fields,  ARRAY_SIZE(fields) };

struct queues_opts {
	struct space_opts spaces;
};
static const struct option opts[] = {
	SPACE_OPTIONS(struct queues_opts, spaces, "queues"),
};

struct queues {
	struct ctx *c;
	uint64_t netns;
	struct err *err;
	bool ok;
};

static void on_flaw(const struct err *e, void *arg)
{
	const struct queues *w = arg;

	note(w->c, e);
}

static const char *class_text(struct ctx *c, uint64_t handle)
{
	if (handle == ROOT)
		return "root";
	if (handle == INGRESS)
		return "ingress";
	return handle & 0xffff ? arena_printf(c->arena, "%x:%x", (unsigned)handle >> 16,
					      (unsigned)handle & 0xffff)
			       : arena_printf(c->arena, "%x:", (unsigned)handle >> 16);
}

static bool show_one(const struct net_qdisc *q, void *arg)
{
	struct queues *w = arg;
	struct record r;

	if (piped(w->c)) {
		w->ok = yield(w->c, value_ref(w->c->out_type, q->addr), w->err);
		return w->ok;
	}
	record_init(&r, &qdisc_kind);
	record_uint(&r, QDISC, q->addr);
	record_str(&r, DEVICE, q->device_name);
	if (q->queue >= 0) {
		record_uint(&r, QUEUE, (uint64_t)q->queue);
		record_bool(&r, STOPPED, q->stopped);
	}
	record_str(&r, KIND, q->kind);
	record_str(&r, HANDLE, class_text(w->c, q->handle));
	record_str(&r, PARENT, class_text(w->c, q->parent));
	if (!q->distributes) {
		record_uint(&r, QLEN, q->qlen);
		record_uint(&r, BACKLOG, q->backlog);
		record_uint(&r, DROPS, q->drops);
		record_uint(&r, OVERLIMITS, q->overlimits);
		record_uint(&r, REQUEUES, q->requeues);
		record_uint(&r, BYTES, q->bytes);
		record_uint(&r, PACKETS, q->packets);
	}
	if (w->netns)
		record_uint(&r, NETNS, w->netns);
	emit(w->c, &r);
	return true;
}

static bool one_device(const struct net_device *d, void *arg)
{
	struct queues *w = arg;
	struct err why;

	if (!net_qdiscs(w->c->t, d->addr, d->name, w->c->arena, show_one, on_flaw, w, &why))
		w->ok = net_ended(w->c, false, &why, w->err) && w->ok;
	return w->ok;
}

static bool queues_types(struct ctx *c, struct err *err)
{
	return !piped(c) || type_find(c->t, "struct Qdisc", &c->out_type, err);
}

static bool one_namespace(struct ctx *c, uint64_t net, uint64_t number, void *arg, struct err *err)
{
	struct queues w = { .c = c, .netns = number, .err = err, .ok = true };
	struct err why;

	(void)arg;
	return net_ended(c, net_devices(c->t, net, c->arena, one_device, on_flaw, &w, &why), &why,
			 err) &&
	       w.ok;
}

static bool queues_run(struct ctx *c, struct err *err)
{
	const struct queues_opts *o = c->opts;

	return each_namespace(c, &o->spaces, one_namespace, NULL, err);
}

static const struct example examples[] = {
	{ "net queues", "what the devices of the initial namespace have yet to send" },
	{ "net queues -N", "of every namespace" },
};
const struct command cmd_net_queues = {
	.name = "net queues",
	.group = "system",
	.summary = "what network devices have yet to send, and dropped",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.types = queues_types,
	OPTS(opts),
	.opts_size = sizeof(struct queues_opts),
	.emits = (const struct record_kind *const[]){ &qdisc_kind, &net_namespace_kind, NULL },
	.none = "no queueing discipline",
	.help = "Prints the queueing disciplines of each device: its root, those below, and that of what comes in. Numbers are what "
		"each counted itself: a root that only distributes, as mq does, has none of its own (tc adds those below). A "
		"device that is down has none at all.",
	EXAMPLES(examples),
	.run = queues_run,
};
