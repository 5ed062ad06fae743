/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has libbabeltrace2 read a CTF trace in a child, which writes its events into a file. */
#include "readers/ctf/ctfwrite.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/process/child.h"
#include "core/base/outfile.h"
#include "readers/ctf/ctfgraph.h"
#include "readers/ctf/ctfmend.h"
#include "readers/ctf/ctfshape.h"
#include "readers/ctf/ctfwire.h"

#define PIECE ((size_t)1 << 20)
#define CPU_SECONDS 3600u
#define MEMORY_MAX ((uint64_t)4 << 30) /* bytes of address space above what obit has */
#define CPUS_MAX 4096u
#define COMM_SIZE 32u
#define CHILD_FULL 3 /* an exit status */

/* What runs where, as LTTng's events tell: its traces name no task in other events. */
struct ctf_running {
	int32_t tid; /* -1 unknown */
};

struct ctf_child {
	struct babeltrace bt;
	struct ctf_shapes shapes;
	int fd;
	struct buf out;
	struct buf text;
	struct map lost;  /* by stream, events before the next one */
	struct map comms; /* by tid, a text in `a` */
	struct arena a;
	struct ctf_running running[CPUS_MAX];
	uint64_t left; /* events that the streams have room for, after those that came */
	bool asked;    /* who recorded the trace */
	bool full;     /* the file takes no more */
	bool told;     /* why it ended */
};

static void child_flush(struct ctf_child *c)
{
	c->full = c->full || !fd_write(c->fd, c->out.s, c->out.n);
	buf_reset(&c->out);
}

static void child_record(struct ctf_child *c, struct ctfwire_head *h, const void *const *parts)
{
	size_t n = sizeof(*h);

	for (unsigned i = 0; i < CTFWIRE_PARTS; i++)
		n += h->part[i];
	h->size = (uint32_t)((n + 7) & ~(size_t)7);
	buf_add(&c->out, h, sizeof(*h));
	for (unsigned i = 0; i < CTFWIRE_PARTS; i++)
		buf_add(&c->out, h->part[i] ? parts[i] : "", h->part[i]);
	buf_pad(&c->out, 0, h->size - n);
	if (c->out.n > PIECE)
		child_flush(c);
}

static void child_end(struct ctf_child *c, const char *why)
{
	struct ctfwire_head h = { .type = CTFWIRE_END, .part = { (uint32_t)strlen(why) } };

	if (c->told)
		return;
	c->told = true;
	child_record(c, &h, (const void *[]){ why, NULL, NULL });
	child_flush(c);
}

/* What the library says was wrong: the innermost cause. */
static void child_fail(struct ctf_child *c)
{
	const bt_error *e = c->bt.error_take();
	const char *why = "it cannot be read";

	if (e && c->bt.cause_count(e))
		why = c->bt.cause_text(c->bt.cause_at(e, 0));
	child_end(c, why);
	if (e)
		c->bt.error_release(e);
}

static void child_format(struct ctf_child *c, const struct ctf_shape *shape)
{
	struct ctfwire_head h = { .type = CTFWIRE_FORMAT };

	buf_reset(&c->text);
	shape_text(&c->text, shape);
	h.part[0] = (uint32_t)strlen(shape->system);
	h.part[1] = (uint32_t)c->text.n;
	child_record(c, &h, (const void *[]){ shape->system, c->text.s, NULL });
}

/* ---- who ran */

static const struct ctf_field *child_field(const struct ctf_child *c, const char *name,
					   size_t *offset)
{
	const struct ctf_event *e = &c->shapes.ev;
	size_t at = 8;

	for (size_t i = 0; i < e->fields.n; i++) {
		const struct ctf_field *f = &e->fields.p[i];

		at = (at + f->align - 1) / f->align * f->align;
		*offset = at;
		if (f->name && !strcmp(f->name, name))
			return f;
		at += f->size;
	}
	return NULL;
}

static int32_t child_number(const struct ctf_child *c, const char *name)
{
	size_t at;
	const struct ctf_field *f = child_field(c, name, &at);
	int32_t v;

	if (!f || f->is_array || f->size != 4)
		return -1;
	memcpy(&v, c->shapes.ev.fixed.s + at, 4);
	return v;
}

static const char *child_text(const struct ctf_child *c, const char *name)
{
	size_t at;
	const struct ctf_field *f = child_field(c, name, &at);
	uint32_t word;

	if (!f || !f->is_string)
		return NULL;
	if (!f->is_array)
		return c->shapes.ev.fixed.s + at;
	memcpy(&word, c->shapes.ev.fixed.s + at, 4);
	return c->shapes.ev.tail.s + (word & 0xffff);
}

static void know_comm(struct ctf_child *c, int32_t tid, const char *comm)
{
	uint64_t *slot;

	if (tid <= 0 || !comm || (c->comms.n > 1000000 && !map_get(&c->comms, (uint32_t)tid)))
		return;
	slot = map_put(&c->comms, (uint32_t)tid, NULL);
	if (!*slot)
		*slot = (uintptr_t)arena_alloc(&c->a, COMM_SIZE);
	snprintf((char *)(uintptr_t)*slot, COMM_SIZE, "%s", comm);
}

/* Sets what an event does not say of its task, by what others said before. */
static void child_task(struct ctf_child *c, int32_t *pid, const char **comm)
{
	struct ctf_event *e = &c->shapes.ev;
	bool is_switch = !strcmp(e->name, "sched_switch");
	const uint64_t *slot;

	if (!strcmp(e->name, "lttng_statedump_process_state"))
		know_comm(c, child_number(c, "pid"), child_text(c, "name"));
	if (!strcmp(e->name, "perf_comm"))
		know_comm(c, child_number(c, "tid"), child_text(c, "comm"));
	if (is_switch) {
		know_comm(c, child_number(c, "prev_pid"), child_text(c, "prev_comm"));
		know_comm(c, child_number(c, "next_pid"), child_text(c, "next_comm"));
		*pid = *pid >= 0 ? *pid : child_number(c, "prev_pid");
	}
	/* LTTng's events name no task, and whom a CPU switched to is who runs there */
	if (c->shapes.lttng && *pid < 0 && e->cpu >= 0 && (unsigned)e->cpu < CPUS_MAX)
		*pid = c->running[e->cpu].tid;
	if (is_switch && e->cpu >= 0 && (unsigned)e->cpu < CPUS_MAX)
		c->running[e->cpu].tid = child_number(c, "next_pid");
	slot = *pid > 0 && !*comm ? map_get(&c->comms, (uint32_t)*pid) : NULL;
	if (slot)
		*comm = (const char *)(uintptr_t)*slot;
}

/* ---- events */

static void child_tracer(struct ctf_child *c, const bt_stream *stream)
{
	const bt_value *v = c->bt.environment(c->bt.stream_trace(stream), "tracer_name");

	c->asked = true;
	c->shapes.lttng = v && c->bt.value_is(v) == BT_VALUE_TYPE_STRING &&
			  !strcmp(c->bt.value_text(v), "lttng-modules");
}

static bool child_event(struct ctf_child *c, const bt_message *m)
{
	const struct babeltrace *bt = &c->bt;
	const bt_event *ev = bt->message_event(m);
	const bt_stream *stream = bt->event_stream(ev);
	const bt_stream_class *class = bt->stream_class(stream);
	const char *name = bt->event_name(bt->event_class(ev)), *comm;
	struct ctfwire_head h = { .type = CTFWIRE_EVENT };
	const struct ctf_shape *shape;
	uint64_t *lost = map_get(&c->lost, (uintptr_t)stream);
	int64_t ns = 0;
	bool isnew;

	if (!c->asked)
		child_tracer(c, stream);
	shape_begin(&c->shapes, name ? name : "event");
	if (bt->stream_packets(class))
		shape_take(&c->shapes, bt->packet_context(bt->event_packet(ev)), SCOPE_PACKET);
	shape_take(&c->shapes, bt->event_common(ev), SCOPE_CONTEXT);
	shape_take(&c->shapes, bt->event_specific(ev), SCOPE_CONTEXT);
	shape_take(&c->shapes, bt->event_payload(ev), SCOPE_PAYLOAD);
	if (bt->stream_clock(class) && bt->time_ns(bt->message_time(m), &ns))
		ns = 0;
	comm = c->shapes.ev.comm;
	child_task(c, &c->shapes.ev.pid, &comm);
	if (!shape_end(&c->shapes, &shape, &isnew))
		return false;
	if (isnew)
		child_format(c, shape);
	h.ts = ns > 0 ? (uint64_t)ns : 0;
	h.cpu = c->shapes.ev.cpu;
	h.pid = c->shapes.ev.pid;
	h.tgid = c->shapes.ev.tgid;
	h.lost = lost ? *lost : 0;
	if (lost)
		*lost = 0;
	h.part[0] = comm ? (uint32_t)strlen(comm) : 0;
	h.part[1] = (uint32_t)(8 * c->shapes.ev.chain.n);
	h.part[2] = (uint32_t)c->shapes.ev.fixed.n;
	child_record(c, &h, (const void *[]){ comm, c->shapes.ev.chain.p, c->shapes.ev.fixed.s });
	return true;
}

static void child_lost(struct ctf_child *c, const bt_message *m)
{
	uint64_t n, *slot;

	slot = map_put(&c->lost, (uintptr_t)c->bt.discarded_stream(m), NULL);
	if (c->bt.discarded_count(m, &n) != BT_PROPERTY_AVAILABILITY_AVAILABLE)
		*slot = CTFWIRE_LOST_SOME;
	else if (*slot != CTFWIRE_LOST_SOME)
		*slot += n;
}

static bt_graph_simple_sink_component_consume_func_status consume(bt_message_iterator *it,
								  void *data)
{
	struct ctf_child *c = data;
	bt_message_array_const v;
	uint64_t n;
	bt_message_iterator_next_status status = c->bt.message_next(it, &v, &n);

	if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return (bt_graph_simple_sink_component_consume_func_status)status;
	for (uint64_t i = 0; i < n; i++) {
		bt_message_type type = c->bt.message_type(v[i]);

		if (type == BT_MESSAGE_TYPE_EVENT && !c->left)
			child_end(c, "its events take no room, and so have no end");
		else if (type == BT_MESSAGE_TYPE_EVENT && c->left-- && !child_event(c, v[i]))
			child_end(c, "its events have too many shapes");
		if (type == BT_MESSAGE_TYPE_DISCARDED_EVENTS)
			child_lost(c, v[i]);
		c->bt.message_put(v[i]);
	}
	if (c->told || c->full)
		return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END;
	return BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

static void child_lost_part(void *self, const char *text)
{
	struct ctfwire_head h = { .type = CTFWIRE_LOST, .part = { (uint32_t)strlen(text) } };

	child_record(self, &h, (const void *[]){ text, NULL, NULL });
}

/* Reads the trace, and where the library takes none of it, for a stream is cut off, what is whole.
 * False: the library says why. */
static bool child_run(struct ctf_child *c, const char *folder, const char *spare)
{
	enum ctf_run end = ctf_run(&c->bt, folder, consume, c);
	char mended[CTF_MEND_PATH];
	const bt_error *why;

	if (end != CTF_RUN_UNOPENED || !*spare)
		return end == CTF_RUN_WHOLE;
	why = c->bt.error_take();
	if (ctf_mend(&c->bt, folder, spare, child_lost_part, c, mended)) {
		if (why)
			c->bt.error_release(why);
		return ctf_run(&c->bt, mended, consume, c) == CTF_RUN_WHOLE;
	}
	if (why)
		c->bt.error_restore(why);
	return false;
}

/* The bits of all files in a folder: no more events than that are in its streams, unless they have
 * no head and no members, of which the library finds one behind the other for ever. */
static uint64_t bits_of(const char *folder)
{
	const struct dirent *d;
	DIR *dir = opendir(folder);
	uint64_t ret = 0;
	struct stat st;

	while (dir && (d = readdir(dir)))
		if (!fstatat(dirfd(dir), d->d_name, &st, 0) && S_ISREG(st.st_mode))
			ret += (uint64_t)st.st_size * 8;
	if (dir)
		(void)closedir(dir);
	return ret;
}

/* What the child is handed. */
struct ctf_task {
	const char *folder, *spare;
	int fd;
};

/* Returns the child's exit status. */
static int child_main(void *arg)
{
	const struct ctf_task *task = arg;
	struct arena a = { 0 };
	struct ctf_child *c = ARENA_NEW(&a, struct ctf_child);
	struct err err;

	c->fd = task->fd;
	c->left = bits_of(task->folder);
	c->shapes.bt = &c->bt;
	for (unsigned i = 0; i < CPUS_MAX; i++)
		c->running[i].tid = -1;
	if (!babeltrace_load(&c->bt, &err))
		child_end(c, err.msg);
	else if (!child_run(c, task->folder, task->spare))
		child_fail(c);
	else
		child_end(c, "");
	return c->full ? CHILD_FULL : 0;
}

/* ---- obit's side */

/* A folder for what is mended; "": there is none. The child may die: it is removed here. */
static void spare_make(char *ret, size_t n)
{
	const char *dirs[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (dirs[i] && *dirs[i] &&
		    (size_t)snprintf(ret, n, "%s/obit-ctf-XXXXXX", dirs[i]) < n && mkdtemp(ret))
			return;
	*ret = '\0';
}

bool ctf_read_folder(const char *folder, int fd, size_t room, struct err *err)
{
	const struct child_limits limits = { MEMORY_MAX, CPU_SECONDS, room };
	char spare[CTF_MEND_PATH / 2];
	struct ctf_task task = { folder, spare, fd };
	bool ended;
	int status;
	pid_t pid;

	err->code = ERR_OK;
	spare_make(spare, sizeof(spare));
	ended = child_start(&limits, child_main, &task, &pid, err) && child_wait(pid, &status, err);
	if (*spare)
		ctf_mend_remove(spare);
	if (!ended)
		return false;
	if (WIFSIGNALED(status))
		err_set(err, ERR_CORRUPT,
			"the library that reads it ended by signal %d: it is damaged",
			WTERMSIG(status));
	else if (WEXITSTATUS(status) == CHILD_FULL)
		err_set(err, ERR_LIMIT, "no room for what it holds: more than %zu MB", room >> 20);
	return true;
}
