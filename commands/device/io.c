/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io: what was under way to disks and servers, the oldest first. */
#include <string.h>

#include "core/obit.h"
#include "core/records/device_record.h"
#include "commands/device/io_record.h"

struct io_opts {
	bool writeback;
};
static const struct option opts[] = {
	OPT_FLAG("w", struct io_opts, writeback,
		 "writeback: what each device had to write, and what it was told to"),
};

struct io_shown {
	struct ctx *c;
	size_t n;
};

static bool is_asked(const struct ctx *c, const char *device, const char *disk)
{
	for (int i = 0; i < c->argc; i++)
		if ((device && !strcmp(c->argv[i], device)) || (disk && !strcmp(c->argv[i], disk)))
			return true;
	return !c->argc;
}

static bool bio_show(const struct io_bio *b, void *arg)
{
	struct io_shown *s = arg;

	if (is_asked(s->c, b->device, NULL)) {
		emit_io_bio(s->c, b);
		s->n++;
	}
	return true;
}

static bool rpc_show(const struct rpc_call *r, void *arg)
{
	struct io_shown *s = arg;

	emit_rpc_call(s->c, r);
	s->n++;
	return true;
}

static bool writeback_show(const struct writeback *w, void *arg)
{
	emit_writeback(arg, w);
	return true;
}

/* A name that no disk has, and no request's partition. */
static void names_check(struct ctx *c, const struct io_all *all)
{
	for (int i = 0; i < c->argc; i++) {
		struct err why;
		bool known = false;

		for (size_t k = 0; k < all->n_queues && !known; k++)
			known = all->queues[k].name && !strcmp(all->queues[k].name, c->argv[i]);
		for (size_t k = 0; k < all->n_requests && !known; k++)
			known = all->requests[k].device &&
				!strcmp(all->requests[k].device, c->argv[i]);
		if (known)
			continue;
		err_set(&why, ERR_NOTFOUND, "no disk '%.60s', and no request of such a partition",
			c->argv[i]);
		complain(c, &why);
	}
}

static bool io_requests(struct io_shown *s, const struct io_call *call, struct err *err)
{
	struct ctx *c = s->c;
	struct io_all all;

	if (!io_read(call, &all, err))
		return false;
	names_check(c, &all);
	for (size_t i = 0; i < all.n_requests; i++) {
		struct io_request *r = &all.requests[i];

		if (!is_asked(c, r->device, r->queue->name))
			continue;
		s->n++;
		if (!piped(c)) {
			io_command_read(call, r);
			emit_io_request(c, r);
		} else if (!yield(c, value_ref(c->out_type, r->addr), err)) {
			return false;
		}
	}
	return true;
}

static bool io_types(struct ctx *c, struct err *err)
{
	return !piped(c) || type_find(c->t, "struct request", &c->out_type, err);
}

static bool io_run(struct ctx *c, struct err *err)
{
	const struct io_opts *o = c->opts;
	struct io_call call = io_call_of(c);
	struct io_shown s = { .c = c };
	struct err why;

	if (o->writeback)
		return emit_walked(c, writebacks_each(&call, writeback_show, c, err), err);
	if (!emit_walked(c, io_requests(&s, &call, err), err))
		return false;
	if (piped(c))
		return true;
	if (!emit_walked(c, io_bios(&call, bio_show, &s, err), err))
		return false;
	/* a kernel without network file systems has no RPC */
	if (!c->argc && !rpc_calls(&call, rpc_show, &s, &why) && why.code != ERR_NOTFOUND) {
		if (why.code == ERR_INTR)
			return *err = why, false;
		note(c, &why);
	}
	if (!s.n && !c->failed)
		emit_none(c, &io_request_kind, "no input or output was under way");
	return true;
}

static const struct example examples[] = {
	{ "io", "requests that were not answered, the oldest first" },
	{ "io -w", "what was to be written back, by device" },
	{ "io | where state == MQ_RQ_IN_FLIGHT | pick __sector", "where drivers were at work" },
};
const struct command cmd_io = {
	.name = "io",
	.group = "system",
	.summary = "input and output that was under way",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct request",
	.types = io_types,
	.operands = "[disk | partition]...",
	OPTS(opts),
	.opts_size = sizeof(struct io_opts),
	.emits = (const struct record_kind *const[]){ &io_request_kind, &io_bio_kind,
						      &rpc_call_kind, &writeback_kind, NULL },
	.help = "Prints the requests of all block devices that were allocated and not yet freed, the "
		"oldest first: what each was to do, how long it had been under way, and who had it. "
		"\"driver\" had been given to the device, which had not answered; \"scheduler\", "
		"\"dispatch list\", \"software queue\" and \"requeue list\" had not reached it; \"not "
		"dispatched\" is in none of these lists, such as one that a task still gathers more "
		"for. COMMAND is what the driver told a SCSI, NVMe or virtio device, or the file "
		"behind a loop device, where the driver's types are loaded.\n\n"
		"PATH is the request's first bio and those above it, each with its device and the "
		"function that its end is told to: through device-mapper, md and splits, up to who "
		"submitted it. PID is the task that waits for the end, only where something proves "
		"which: what is told of the end lies on its stack, or a direct read or write names "
		"it. Data that the page cache reads and writes is nobody's.\n\n"
		"The age is since the request was allocated. Where the kernel keeps no such time, it is "
		"since the driver got it, from the time by which it must have ended; age_of says which. "
		"What is in no request yet follows: bios that a suspended device of device-mapper keeps, "
		"and those that a task was just handing down. Then come the calls of servers, such as "
		"NFS's, with the server and their age. `dev -d` counts requests by disk.",
	EXAMPLES(examples),
	.run = io_run,
};
