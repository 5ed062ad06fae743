/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ipcs: System V shared memory, semaphores and message queues. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/linux/misc/ipc.h"
#include "core/records/task_record.h"

enum {
	ADDR,
	KEY,
	ID,
	PERMS,
	UID,
	GID,
	BYTES,
	COUNT,
	CREATOR,
	LAST
};
#define COMMON                                                                    \
	[KEY] = { "key", NULL, CELL_HEX, 0, "what names it; 0: private" },        \
	[ID] = { "id", NULL, CELL_INT, FIELD_RIGHT, "its number" },               \
	[PERMS] = { "perms", NULL, CELL_STR, FIELD_RIGHT, "permissions, octal" }, \
	[UID] = { "uid", NULL, CELL_UINT, FIELD_RIGHT, "owner" },                 \
	[GID] = { "gid", NULL, CELL_UINT, FIELD_RIGHT, "owner's group" }
static const struct record_field memory_fields[] = {
	[ADDR] = { "addr", "SHMID_KERNEL", CELL_ADDR, 0, "address of the struct shmid_kernel" },
	COMMON,
	[BYTES] = { "bytes", NULL, CELL_UINT, FIELD_RIGHT, "size of the segment" },
	[COUNT] = { "attached", "NATTCH", CELL_UINT, FIELD_RIGHT, "how often it is attached" },
	[CREATOR] = { "creator", "CPID", CELL_INT, FIELD_RIGHT, "pid of who made it" },
	[LAST] = { "last", "LPID", CELL_INT, FIELD_RIGHT, "pid of who attached or left it last" },
};
static const struct record_field semaphore_fields[] = {
	[ADDR] = { "addr", "SEM_ARRAY", CELL_ADDR, 0, "address of the struct sem_array" },
	COMMON,
	[BYTES] = { "semaphores", "NSEMS", CELL_UINT, FIELD_RIGHT, "how many" },
};
static const struct record_field queue_fields[] = {
	[ADDR] = { "addr", "MSG_QUEUE", CELL_ADDR, 0, "address of the struct msg_queue" },
	COMMON,
	[BYTES] = { "bytes", "USED-BYTES", CELL_UINT, FIELD_RIGHT, "in the queue" },
	[COUNT] = { "messages", NULL, CELL_UINT, FIELD_RIGHT, "in the queue" },
	[CREATOR] = { "last", "LSPID", CELL_INT, FIELD_RIGHT, "pid of who sent last" },
};
static const struct record_kind memory_segment_kind = { "shared_memory", "a shared memory segment",
							LAYOUT_TABLE,    NULL,
							memory_fields,   10 };
static const struct record_kind semaphore_kind = { "semaphores",     "an array of semaphores",
						   LAYOUT_TABLE,     NULL,
						   semaphore_fields, 7 };
static const struct record_kind queue_kind = { "message_queue", "a message queue",
					       LAYOUT_TABLE,    NULL,
					       queue_fields,    9 };

struct ipcs_opts {
	bool memory, semaphores, messages;
	const char *task;
};
static const struct option opts[] = {
	OPT_FLAG("m", struct ipcs_opts, memory, "shared memory"),
	OPT_FLAG("M", struct ipcs_opts, memory, "the same, as crash has it"),
	OPT_FLAG("s", struct ipcs_opts, semaphores, "semaphores"),
	OPT_FLAG("q", struct ipcs_opts, messages, "message queues"),
	OPT_STR("n", "task", struct ipcs_opts, task,
		"of this task's namespace; else of the initial one"),
};

static void ipcs_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

static bool is_asked(const struct ctx *c, const struct ipc_object *o)
{
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if ((parse_number(c->argv[i], false, &n) && n == (uint64_t)o->id) ||
		    (parse_number(c->argv[i], true, &n) && n == o->addr))
			return true;
	return !c->argc;
}

static bool ipcs_show(const struct ipc_object *o, void *arg)
{
	static const struct record_kind *const of[IPC_KINDS] = {
		[IPC_SEMAPHORES] = &semaphore_kind,
		[IPC_MESSAGES] = &queue_kind,
		[IPC_MEMORY] = &memory_segment_kind,
	};
	struct ctx *c = arg;
	struct record r;

	if (!is_asked(c, o))
		return true;
	record_init(&r, of[o->kind]);
	record_uint(&r, ADDR, o->addr);
	record_uint(&r, KEY, (uint32_t)o->key);
	record_int(&r, ID, o->id);
	record_str(&r, PERMS, arena_printf(c->arena, "%o", (unsigned)o->mode & 0777));
	record_uint(&r, UID, o->uid);
	record_uint(&r, GID, o->gid);
	record_uint(&r, BYTES, o->kind == IPC_SEMAPHORES ? o->count : o->bytes);
	if (o->kind != IPC_SEMAPHORES)
		record_uint(&r, COUNT, o->count);
	if (o->kind == IPC_MEMORY) {
		record_int(&r, CREATOR, o->creator);
		record_int(&r, LAST, o->last);
	} else if (o->kind == IPC_MESSAGES) {
		record_int(&r, CREATOR, o->last);
	}
	emit(c, &r);
	return true;
}

static bool ipcs_run(struct ctx *c, struct err *err)
{
	const struct ipcs_opts *o = c->opts;
	bool all = !o->memory && !o->semaphores && !o->messages;
	const bool wanted[IPC_KINDS] = {
		[IPC_SEMAPHORES] = o->semaphores || all,
		[IPC_MESSAGES] = o->messages || all,
		[IPC_MEMORY] = o->memory || all,
	};
	static const enum ipc_kind order[] = { IPC_MEMORY, IPC_SEMAPHORES, IPC_MESSAGES };
	const struct task *task = NULL;
	struct err why;

	if (o->task && !task_named(c, o->task, &task, err))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (!wanted[order[i]] ||
		    ipc_each(c->t, task ? task->addr : 0, order[i], ipcs_show, ipcs_flaw, c, &why))
			continue;
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	return true;
}

static const struct example examples[] = {
	{ "ipcs", "all of the initial namespace" },
	{ "ipcs -m", "shared memory" },
	{ "ipcs -n 1", "as a task sees it" },
};
const struct command cmd_ipcs = {
	.name = "ipcs",
	.group = "system",
	.summary = "System V IPC",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[id | address]...",
	OPTS(opts),
	.opts_size = sizeof(struct ipcs_opts),
	.emits = (const struct record_kind *const[]){ &memory_segment_kind, &semaphore_kind,
						      &queue_kind, NULL },
	.none = "no such object of System V IPC",
	.help = "Prints the shared memory segments, arrays of semaphores and message queues of the "
		"initial IPC namespace, or of -n's: what /proc/sysvipc listed. Operands are the "
		"numbers, or the addresses, of those to show.",
	EXAMPLES(examples),
	.run = ipcs_run,
};
