/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of input and output that was under way. */
#include "core/obit.h"
#include "commands/device/io_record.h"

/* ---- layers */

enum {
	LAYER_BIO,
	LAYER_DEVICE,
	LAYER_END,
	LAYER_DATA
};
static const struct record_field layer_fields[] = {
	[LAYER_BIO] = { "bio", NULL, CELL_ADDR, 0, "address of the struct bio" },
	[LAYER_DEVICE] = { "device", NULL, CELL_STR, 0, "that it was submitted to" },
	[LAYER_END] = { "end", NULL, CELL_STR, 0, "what is called when it ends (bi_end_io)" },
	[LAYER_DATA] = { "data", NULL, CELL_ADDR, 0, "what that is given (bi_private)" },
};
const struct record_kind io_layer_kind = {
	"io_layer",   "one bio on the way to a disk (within io_request)",
	LAYOUT_NONE,  NULL,
	layer_fields, ARRAY_SIZE(layer_fields)
};

/* "vda1 clone_endio < dm-0 submit_bio_wait_endio" */
static void layers_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL) {
		buf_char(b, '-');
		return;
	}
	for (size_t i = 0; i < cell->records.n; i++) {
		const struct cell *layer = cell->records.v[i].cells;

		buf_str(b, i ? " < " : "");
		if (layer[LAYER_DEVICE].kind != CELL_NULL)
			buf_add(b, layer[LAYER_DEVICE].str.s, layer[LAYER_DEVICE].str.n);
		else
			buf_char(b, '?');
		if (layer[LAYER_END].kind != CELL_NULL)
			buf_printf(b, " %.*s", (int)layer[LAYER_END].str.n, layer[LAYER_END].str.s);
	}
}

/* ---- requests */

enum {
	REQ_AGE,
	REQ_DEVICE,
	REQ_OP,
	REQ_SECTOR,
	REQ_BYTES,
	REQ_STATE,
	REQ_WHERE,
	REQ_PID,
	REQ_COMM,
	REQ_ADDR,
	REQ_COMMAND,
	REQ_LAYERS,
	REQ_ISSUED,
	REQ_AGE_OF,
	REQ_FLAGS,
	REQ_DISK,
	REQ_QUEUE,
	REQ_DRIVER,
	REQ_SCHEDULER,
	REQ_TAG,
	REQ_SCHED_TAG,
	REQ_CPU,
	REQ_BIOS,
	REQ_HOW,
	REQ_COMMAND_ADDR,
	REQ_COMMAND_TYPE
};
static const struct record_field req_fields[] = {
	[REQ_AGE] = { "age", NULL, CELL_DURATION, FIELD_RIGHT,
		      "how long it had been under way; null: the kernel kept no time of it" },
	[REQ_DEVICE] = { "device", NULL, CELL_STR, 0, "the partition, or the disk" },
	[REQ_OP] = { "op", NULL, CELL_STR, 0, "operation, as the kernel's REQ_OP_* has it" },
	[REQ_SECTOR] = { "sector", NULL, CELL_UINT, FIELD_RIGHT,
			 "where on the disk, in units of 512 bytes" },
	[REQ_BYTES] = { "bytes", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[REQ_STATE] = { "state", NULL, CELL_STR, 0,
			"idle: the driver has not got it; in_flight; complete: not yet freed" },
	[REQ_WHERE] = { "where", NULL, CELL_STR, 0,
			"who had it: driver, scheduler, a list by its name" },
	[REQ_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT,
		      "the task that waits for it, where something proves which" },
	[REQ_COMM] = { "comm", "TASK", CELL_STR, 0, "its name" },
	[REQ_ADDR] = { "request", NULL, CELL_ADDR, 0, "address of the struct request" },
	[REQ_COMMAND] = { "command", NULL, CELL_STR, 0,
			  "what the driver told the device; null: the driver has not got it, or its "
			  "types are not loaded" },
	[REQ_LAYERS] = { "layers", "PATH", CELL_RECORDS, 0,
			 "its first bio, and those above it, up to who submitted it",
			 .text = layers_text },
	[REQ_ISSUED] = { "issued", NULL, CELL_DURATION, FIELD_JSON,
			 "how long ago the driver got it" },
	[REQ_AGE_OF] = { "age_of", NULL, CELL_STR, FIELD_JSON,
			 "the member of struct request that the age was computed from" },
	[REQ_FLAGS] = { "flags", NULL, CELL_STR, FIELD_JSON, "the kernel's REQ_*" },
	[REQ_DISK] = { "disk", NULL, CELL_STR, FIELD_JSON, "name of its queue's disk" },
	[REQ_QUEUE] = { "queue", NULL, CELL_ADDR, FIELD_JSON,
			"address of the struct request_queue" },
	[REQ_DRIVER] = { "driver", NULL, CELL_STR, FIELD_JSON,
			 "the driver's function that takes requests" },
	[REQ_SCHEDULER] = { "scheduler", NULL, CELL_STR, FIELD_JSON, "of its queue" },
	[REQ_TAG] = { "tag", NULL, CELL_INT, FIELD_JSON, "the driver's tag; null: none yet" },
	[REQ_SCHED_TAG] = { "sched_tag", NULL, CELL_INT, FIELD_JSON, "the scheduler's" },
	[REQ_CPU] = { "cpu", NULL, CELL_INT, FIELD_JSON, "that it was submitted on" },
	[REQ_BIOS] = { "bios", NULL, CELL_UINT, FIELD_JSON, "how many it was made of" },
	[REQ_HOW] = { "pid_how", NULL, CELL_STR, FIELD_JSON,
		      "what proves the task: \"stack\", what the end is told to lies on its stack; "
		      "\"waiter\", a direct read or write names it" },
	[REQ_COMMAND_ADDR] = { "command_addr", NULL, CELL_ADDR, FIELD_JSON,
			       "what the driver keeps behind the request" },
	[REQ_COMMAND_TYPE] = { "command_type", NULL, CELL_STR, FIELD_JSON,
			       "its type, of drivers that are known" },
};
const struct record_kind io_request_kind = { "io_request", "a request of a block device (io)",
					     LAYOUT_TABLE, NULL,
					     req_fields,   ARRAY_SIZE(req_fields) };

static void record_tag(struct record *r, unsigned field, int64_t tag)
{
	if (tag >= 0)
		record_int(r, field, tag);
}

static void record_layers(struct ctx *c, struct record *rec, const struct io_request *r)
{
	struct record *list = ARENA_ARRAY(c->arena, struct record, r->n_layers + 1);

	for (size_t i = 0; i < r->n_layers; i++) {
		const struct io_layer *l = &r->layers[i];

		record_init(&list[i], &io_layer_kind);
		record_uint(&list[i], LAYER_BIO, l->bio);
		record_str(&list[i], LAYER_DEVICE, l->device);
		record_str(&list[i], LAYER_END, l->end);
		if (l->end_data)
			record_uint(&list[i], LAYER_DATA, l->end_data);
	}
	if (r->n_layers)
		record_records(rec, REQ_LAYERS, list, r->n_layers);
}

void emit_io_request(struct ctx *c, const struct io_request *r)
{
	struct record rec;

	record_init(&rec, &io_request_kind);
	if (r->has_age)
		record_uint(&rec, REQ_AGE, r->age_ns);
	if (r->has_issued)
		record_uint(&rec, REQ_ISSUED, r->issued_ns);
	record_str(&rec, REQ_AGE_OF, r->age_of);
	record_str(&rec, REQ_DEVICE, r->device);
	record_str(&rec, REQ_OP, r->op);
	record_str(&rec, REQ_FLAGS, r->flags);
	if (r->has_sector)
		record_uint(&rec, REQ_SECTOR, r->sector);
	record_uint(&rec, REQ_BYTES, r->bytes);
	record_str(&rec, REQ_STATE, r->state);
	record_str(&rec, REQ_WHERE, r->where);
	if (r->issuer) {
		record_int(&rec, REQ_PID, r->issuer->pid);
		record_str(&rec, REQ_COMM, r->issuer->comm);
		record_str(&rec, REQ_HOW, r->issuer_how);
	}
	record_uint(&rec, REQ_ADDR, r->addr);
	record_str(&rec, REQ_COMMAND, r->command_text);
	record_str(&rec, REQ_COMMAND_TYPE, r->command_type);
	if (r->command)
		record_uint(&rec, REQ_COMMAND_ADDR, r->command);
	record_layers(c, &rec, r);
	record_str(&rec, REQ_DISK, r->queue->name);
	record_uint(&rec, REQ_QUEUE, r->queue->addr);
	record_str(&rec, REQ_DRIVER, r->queue->driver);
	record_str(&rec, REQ_SCHEDULER, r->queue->scheduler);
	record_tag(&rec, REQ_TAG, r->tag);
	record_tag(&rec, REQ_SCHED_TAG, r->sched_tag);
	record_tag(&rec, REQ_CPU, r->cpu);
	record_uint(&rec, REQ_BIOS, r->bios);
	emit(c, &rec);
}

/* ---- bios that wait */

enum {
	BIO_DEVICE,
	BIO_OP,
	BIO_SECTOR,
	BIO_BYTES,
	BIO_WHERE,
	BIO_PID,
	BIO_COMM,
	BIO_ADDR,
	BIO_FLAGS
};
static const struct record_field bio_fields[] = {
	[BIO_DEVICE] = { "device", NULL, CELL_STR, 0, "that it was submitted to" },
	[BIO_OP] = { "op", NULL, CELL_STR, 0, "operation, as the kernel's REQ_OP_* has it" },
	[BIO_SECTOR] = { "sector", NULL, CELL_UINT, FIELD_RIGHT, "in units of 512 bytes" },
	[BIO_BYTES] = { "bytes", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[BIO_WHERE] = { "where", NULL, CELL_STR, 0,
			"suspended device: device-mapper keeps it; submission: a task is handing it down" },
	[BIO_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT,
		      "the task that is, or that waits for its end" },
	[BIO_COMM] = { "comm", "TASK", CELL_STR, 0, "its name" },
	[BIO_ADDR] = { "bio", NULL, CELL_ADDR, 0, "address of the struct bio" },
	[BIO_FLAGS] = { "flags", NULL, CELL_STR, FIELD_JSON, "the kernel's REQ_*" },
};
const struct record_kind io_bio_kind = { "io_bio",     "a bio that is in no request yet (io)",
					 LAYOUT_TABLE, NULL,
					 bio_fields,   ARRAY_SIZE(bio_fields) };

void emit_io_bio(struct ctx *c, const struct io_bio *b)
{
	struct record r;

	record_init(&r, &io_bio_kind);
	record_str(&r, BIO_DEVICE, b->device);
	record_str(&r, BIO_OP, b->op);
	record_str(&r, BIO_FLAGS, b->flags);
	record_uint(&r, BIO_SECTOR, b->sector);
	record_uint(&r, BIO_BYTES, b->bytes);
	record_str(&r, BIO_WHERE, b->where);
	if (b->task) {
		record_int(&r, BIO_PID, b->task->pid);
		record_str(&r, BIO_COMM, b->task->comm);
	}
	record_uint(&r, BIO_ADDR, b->addr);
	emit(c, &r);
}

/* ---- calls of servers */

enum {
	RPC_AGE,
	RPC_PROGRAM,
	RPC_VERSION,
	RPC_PROCEDURE,
	RPC_SERVER,
	RPC_ADDRESS,
	RPC_QUEUE,
	RPC_ACTION,
	RPC_OWNER,
	RPC_TIMEOUTS,
	RPC_STATUS,
	RPC_TASK,
	RPC_CLIENT
};
static const struct record_field rpc_fields[] = {
	[RPC_AGE] = { "age", NULL, CELL_DURATION, FIELD_RIGHT, "since it was begun" },
	[RPC_PROGRAM] = { "program", NULL, CELL_STR, 0, "\"nfs\", \"nlm\", ..." },
	[RPC_VERSION] = { "version", NULL, CELL_UINT, FIELD_RIGHT, "of the program" },
	[RPC_PROCEDURE] = { "procedure", NULL, CELL_STR, 0, "what is asked for" },
	[RPC_SERVER] = { "server", NULL, CELL_STR, 0, "its name" },
	[RPC_ADDRESS] = { "address", NULL, CELL_STR, 0, "the server's address" },
	[RPC_QUEUE] = { "queue", NULL, CELL_STR, 0, "what it sleeps in; null: it does not" },
	[RPC_ACTION] = { "action", NULL, CELL_STR, 0, "the function that goes on with it" },
	[RPC_OWNER] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "the process that asked" },
	[RPC_TIMEOUTS] = { "timeouts", NULL, CELL_UINT, FIELD_JSON, "how often it timed out" },
	[RPC_STATUS] = { "status", NULL, CELL_INT, FIELD_JSON, "as the kernel has it" },
	[RPC_TASK] = { "rpc_task", NULL, CELL_ADDR, 0, "address of the struct rpc_task" },
	[RPC_CLIENT] = { "client", NULL, CELL_ADDR, FIELD_JSON, "address of the struct rpc_clnt" },
};
const struct record_kind rpc_call_kind = {
	"rpc_call",   "a call of a server that is not finished (io)",
	LAYOUT_TABLE, NULL,
	rpc_fields,   ARRAY_SIZE(rpc_fields)
};

void emit_rpc_call(struct ctx *c, const struct rpc_call *r)
{
	struct record rec;

	record_init(&rec, &rpc_call_kind);
	if (r->has_age)
		record_uint(&rec, RPC_AGE, r->age_ns);
	record_str(&rec, RPC_PROGRAM, r->program);
	record_uint(&rec, RPC_VERSION, r->version);
	record_str(&rec, RPC_PROCEDURE, r->procedure);
	record_str(&rec, RPC_SERVER, r->server);
	record_str(&rec, RPC_ADDRESS, r->address);
	record_str(&rec, RPC_QUEUE, r->queue);
	record_str(&rec, RPC_ACTION, r->action);
	if (r->owner)
		record_int(&rec, RPC_OWNER, r->owner);
	record_uint(&rec, RPC_TIMEOUTS, r->timeouts);
	record_int(&rec, RPC_STATUS, r->status);
	record_uint(&rec, RPC_TASK, r->task);
	record_uint(&rec, RPC_CLIENT, r->client);
	emit(c, &rec);
}

/* ---- disks */

enum {
	DISK_MAJOR,
	DISK_MINOR,
	DISK_GENDISK,
	DISK_NAME,
	DISK_QUEUE,
	DISK_TOTAL,
	DISK_READS,
	DISK_WRITES,
	DISK_QUEUED,
	DISK_OLDEST,
	DISK_SCHEDULER,
	DISK_DRIVER,
	DISK_HCTXS
};
static const struct record_field disk_fields[] = {
	[DISK_MAJOR] = { "major", NULL, CELL_UINT, FIELD_RIGHT, "of the device number" },
	[DISK_MINOR] = { "minor", NULL, CELL_UINT, FIELD_RIGHT, "the rest of it" },
	[DISK_GENDISK] = { "gendisk", NULL, CELL_ADDR, 0,
			   "address of the struct gendisk; null: the queue serves no disk" },
	[DISK_NAME] = { "name", NULL, CELL_STR, 0, "its name" },
	[DISK_QUEUE] = { "queue", NULL, CELL_ADDR, 0, "address of the struct request_queue" },
	[DISK_TOTAL] = { "total", NULL, CELL_UINT, FIELD_RIGHT,
			 "requests under way, of a disk that has none bios; null: not known" },
	[DISK_READS] = { "read", NULL, CELL_UINT, FIELD_RIGHT, "of these, reads" },
	[DISK_WRITES] = { "write", NULL, CELL_UINT, FIELD_RIGHT, "of these, writes" },
	[DISK_QUEUED] = { "queued", NULL, CELL_UINT, FIELD_RIGHT,
			  "of these, requests that the driver had not got yet; null: the disk has no requests" },
	[DISK_OLDEST] = { "oldest", NULL, CELL_DURATION, FIELD_RIGHT, "age of the oldest" },
	[DISK_SCHEDULER] = { "scheduler", NULL, CELL_STR, 0, "of its requests; null: none" },
	[DISK_DRIVER] = { "driver", NULL, CELL_STR, 0, "the function that takes its requests" },
	[DISK_HCTXS] = { "hardware_queues", NULL, CELL_UINT, FIELD_JSON, "how many it has" },
};
const struct record_kind disk_kind = { "disk",       "a disk and its queue (dev -d)",
				       LAYOUT_TABLE, NULL,
				       disk_fields,  ARRAY_SIZE(disk_fields) };

void emit_io_queue(struct ctx *c, const struct io_queue *q)
{
	struct record r;

	record_init(&r, &disk_kind);
	if (q->disk) {
		record_uint(&r, DISK_MAJOR, q->major);
		record_uint(&r, DISK_MINOR, q->minor);
		record_uint(&r, DISK_GENDISK, q->disk);
	}
	record_str(&r, DISK_NAME, q->name);
	record_uint(&r, DISK_QUEUE, q->addr);
	if (q->counted) {
		record_uint(&r, DISK_TOTAL, q->requests);
		record_uint(&r, DISK_READS, q->reads);
		record_uint(&r, DISK_WRITES, q->writes);
	}
	if (q->set)
		record_uint(&r, DISK_QUEUED, q->queued);
	if (q->oldest_ns)
		record_uint(&r, DISK_OLDEST, q->oldest_ns);
	record_str(&r, DISK_SCHEDULER, q->scheduler);
	record_str(&r, DISK_DRIVER, q->driver);
	record_uint(&r, DISK_HCTXS, q->hctxs);
	emit(c, &r);
}

static void io_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

struct io_call io_call_of(struct ctx *c)
{
	return (struct io_call){ .t = c->t, .a = c->arena, .flaw = io_flaw, .arg = c };
}
