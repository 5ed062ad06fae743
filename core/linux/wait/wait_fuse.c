/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for the program that serves a FUSE file system. */
#include <string.h>

#include "core/linux/container/list.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define FILES_MAX 65536

/* A request waits in a queue of its own. */
static bool fuse_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t off, head;
	struct err ignored;

	if (!field_offset(s->g->t, "struct fuse_req", "waitq.head", &off, &ignored) ||
	    !wait_queue_find(s, &ret->edge.waiter, &head, &ret->edge.flaw) || !head)
		return false;
	ret->object.type = "fuse_request";
	ret->object.addr = head - off;
	ret->edge.by = WAIT_BY_RING;
	return true;
}

/* The devices through which a connection is served. */
struct fuse_server {
	struct target *t;
	uint64_t devices[64]; /* struct fuse_dev */
	size_t n;
};

static bool device_add(uint64_t device, void *arg)
{
	struct fuse_server *f = arg;

	f->devices[f->n++] = device;
	return f->n < ARRAY_SIZE(f->devices);
}

/* Up to v7.1 a connection has its devices, in v7.2 its channel. */
static bool server_read(struct target *t, uint64_t request, struct fuse_server *ret)
{
	const char *type = "struct fuse_chan";
	uint64_t of, mount, head, link;
	struct err ignored;

	*ret = (struct fuse_server){ .t = t };
	if (!field_u64(t, "struct fuse_req", request, "chan", &of, &ignored)) {
		type = "struct fuse_conn";
		if (!field_u64(t, "struct fuse_req", request, "fm", &mount, &ignored) ||
		    !field_u64(t, "struct fuse_mount", mount, "fc", &of, &ignored))
			return false;
	}
	if (!(strcmp(type, "struct fuse_chan")
		      ? field_offset(t, "struct fuse_conn", "devices", &head, &ignored)
		      : field_offset(t, "struct fuse_chan", "devices", &head, &ignored)) ||
	    !field_offset(t, "struct fuse_dev", "entry", &link, &ignored))
		return false;
	return list_each(t, of + head, link, "devices of a connection", device_add, ret,
			 &ignored) ||
	       ret->n;
}

static bool is_device(const struct fuse_server *f, uint64_t file)
{
	struct err ignored;
	uint64_t data;

	if (!field_u64(f->t, "struct file", file, "private_data", &data, &ignored) || !data)
		return false;
	for (size_t i = 0; i < f->n; i++)
		/* v6.16 keeps flags in the low bits */
		if ((data & ~UINT64_C(3)) == f->devices[i])
			return true;
	return false;
}

static bool has_device(const struct fuse_server *f, const struct task *task)
{
	uint64_t files, table, n, at, file;
	struct err ignored;

	if (!field_u64(f->t, "struct task_struct", task->addr, "files", &files, &ignored) ||
	    !files || !field_u64(f->t, "struct files_struct", files, "fdt", &table, &ignored) ||
	    !field_u64(f->t, "struct fdtable", table, "max_fds", &n, &ignored) ||
	    !field_u64(f->t, "struct fdtable", table, "fd", &at, &ignored))
		return false;
	for (uint64_t i = 0; i < n && i < FILES_MAX; i++)
		if (mem_ptr(f->t, at + i * f->t->arch->word, &file, &ignored) && file &&
		    is_device(f, file))
			return true;
	return false;
}

/* Is the bit set that the kernel's enum calls so? */
static bool request_is(struct target *t, uint64_t flags, const char *name)
{
	const struct enumerator *e;
	const struct type *type;
	struct err ignored;
	size_t n;

	if (!type_find(t, "enum fuse_req_flag", &type, &ignored))
		return false;
	e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++)
		if (!strcmp(e[i].name, name))
			return flags >> (e[i].value & 63) & 1;
	return false;
}

/* Who serves has the connection's device open: one process, whose threads share its files, or
 * several. */
static void fuse_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct wait_many many = { .n = 0 };
	struct target *t = s->g->t;
	uint64_t flags, opcode;
	struct fuse_server f;
	struct err ignored;

	if (!field_u64(t, "struct fuse_req", o->addr, "flags", &flags, &ignored) ||
	    !field_u64(t, "struct fuse_req", o->addr, "in.h.opcode", &opcode, &ignored) ||
	    !server_read(t, o->addr, &f)) {
		o->state = "who serves it cannot be read";
		return;
	}
	for (size_t i = 0; i < s->g->impl->all.n; i++) {
		const struct task *task = s->g->impl->all.p[i];

		if (task->mm && task->pid == task->tgid && has_device(&f, task))
			wait_many_add(&many, task);
	}
	o->state = arena_printf(t->scratch,
				"operation %u, which its server has %s; %zu %s its "
				"device open",
				(unsigned)opcode,
				request_is(t, flags, "FR_SENT")      ? "read"
				: request_is(t, flags, "FR_PENDING") ? "not read"
								     : "perhaps read",
				many.total, many.total == 1 ? "process has" : "processes have");
	wait_many_give(s->g, &many, o, many.total == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE);
}

static const char *const fuse_functions[] = { "request_wait_answer", "__fuse_request_send",
					      "fuse_simple_request", NULL };
const struct wait_kind wait_fuse = { fuse_functions, fuse_find, fuse_describe };
