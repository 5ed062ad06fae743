/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of who waits for whom. */
#include <string.h>

#include "commands/waits/wait_record.h"
#include "core/base/buf.h"
#include "core/records/wait_svg.h"
#include "core/shell/forms.h"

enum {
	W_PID,
	W_TASK,
	W_COMM,
	W_STATE,
	W_CPU,
	W_TYPE,
	W_OBJECT,
	W_SPACE,
	W_NAME,
	W_MODE,
	W_HOW,
	W_WAITER,
	W_FUNCTION,
	W_AT,
	W_WAITED,
	W_OWNS,
	W_OBJECT_STATE,
	W_HOLDER,
	W_HOLDER_TASK,
	W_HOLDER_COMM,
	W_HOLDER_HOW,
	W_OTHERS,
	W_REQUEST,
	W_BIO,
	W_DEVICE,
	W_IO_HOW,
	W_IO_MORE,
	W_FLAW,
	W_FIELDS
};
static const struct record_field wait_fields[W_FIELDS] = {
	[W_PID] = { "pid", NULL, CELL_INT, 0, "the task that waits" },
	[W_TASK] = { "task", NULL, CELL_ADDR, 0, "its task_struct" },
	[W_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[W_STATE] = { "state", NULL, CELL_STR, 0, "its state, as ps has it" },
	[W_CPU] = { "cpu", NULL, CELL_INT, 0, "the CPU that spins for it; null: it sleeps" },
	[W_TYPE] = { "type", NULL, CELL_STR, 0,
		     "what it waits for: mutex, rwsem, completion, spinlock, ipi, ...; null: not "
		     "found" },
	[W_OBJECT] = { "object", NULL, CELL_ADDR, 0,
		       "where that is; of a futex the program's address" },
	[W_SPACE] = { "space", NULL, CELL_ADDR, 0, "of a futex the mm_struct, or the file's key" },
	[W_NAME] = { "name", NULL, CELL_STR, 0, "its symbol, or what it lies in" },
	[W_MODE] = { "mode", NULL, CELL_STR, 0,
		     "read or write, or which bit, or its place in a queue of CPUs" },
	[W_HOW] = { "how", NULL, CELL_STR, 0,
		    "how it is known: blocked-on, ring, waiter; null: it is not known" },
	[W_WAITER] = { "waiter", NULL, CELL_ADDR, 0, "what the task left on its stack" },
	[W_FUNCTION] = { "function", NULL, CELL_STR, 0, "the kernel's function that waits" },
	[W_AT] = { "at", NULL, CELL_STR, 0, "where that was asked for" },
	[W_WAITED] = { "waited", NULL, CELL_DURATION, 0, "since it last ran" },
	[W_OWNS] = { "owns", NULL, CELL_BOOL, 0,
		     "the object names this task itself: it was handed over, or waits for its readers" },
	[W_OBJECT_STATE] = { "object_state", NULL, CELL_STR, 0, "the object's state, in words" },
	[W_HOLDER] = { "holder", NULL, CELL_INT, 0, "pid of who has it or must end the wait" },
	[W_HOLDER_TASK] = { "holder_task", NULL, CELL_ADDR, 0, "that one's task_struct" },
	[W_HOLDER_COMM] = { "holder_comm", NULL, CELL_STR, 0, "that one's name" },
	[W_HOLDER_HOW] = { "holder_how", NULL, CELL_STR, 0,
			   "how that is known: owner-word, lockdep, rule; hint and candidate are no "
			   "proof" },
	[W_OTHERS] = { "others", NULL, CELL_STRS, 0,
		       "pids of those who have it, or must end the wait, as well as the holder" },
	[W_REQUEST] = { "request", NULL, CELL_ADDR, 0,
			"the struct request with which the wait ends, see io; null: none is known" },
	[W_BIO] = { "bio", NULL, CELL_ADDR, 0, "the struct bio, where it is in no request" },
	[W_DEVICE] = { "device", NULL, CELL_STR, 0, "the disk or partition of either" },
	[W_IO_HOW] = { "io_how", NULL, CELL_STR, 0,
		       "how that is known: page, the object is of its data; end, its end is told to "
		       "the object; waiter, its end is told to the task; throttle, no more of "
		       "its kind are let through until one ends" },
	[W_IO_MORE] = { "io_more", NULL, CELL_UINT, 0,
			"how many requests and bios there are besides" },
	[W_FLAW] = { "flaw", NULL, CELL_STR, 0, "what contradicts or cannot be read" },
};

/* What a record tells of. */
struct wait_of {
	struct ctx *c;
	const struct wait_graph *g;
	const struct wait_edge *e;
	const struct wait_path *p;
	const struct wait_object *o;
	bool quiet;
};

static void add_task(struct buf *b, const struct task *task)
{
	buf_printf(b, "%d \"", task->pid);
	buf_plain(b, task->comm, strlen(task->comm));
	buf_char(b, '"');
}

static void add_seconds(struct buf *b, uint64_t ns)
{
	if (ns != UINT64_MAX)
		buf_printf(b, ", %llu.%03u s", (unsigned long long)(ns / 1000000000),
			   (unsigned)(ns / 1000000 % 1000));
}

static void add_object(struct buf *b, const struct wait_object *o)
{
	buf_printf(b, "%s 0x%llx", o->type, (unsigned long long)o->addr);
	if (o->name) {
		buf_str(b, " (");
		buf_plain(b, o->name, strlen(o->name));
		buf_char(b, ')');
	}
}

/* "waits for mutex 0x... (inode_lock), at do_x+0x1f [ring]" */
static void add_wait(struct buf *b, const struct wait_of *of, const struct wait_edge *e)
{
	const char *at = e->at ? symbol_text(of->c->t, e->at, of->c->arena) : "";

	buf_str(b, " waits for ");
	if (e->object == WAIT_NONE)
		buf_str(b, "something that was not found");
	else
		add_object(b, &of->g->objects.p[e->object]);
	if (e->mode)
		buf_printf(b, " (%s)", e->mode);
	if (*at)
		buf_printf(b, " at %s", at);
	if (wait_proof_name(e->by))
		buf_printf(b, " [%s]", wait_proof_name(e->by));
	if (e->owns)
		buf_str(b, ", which is its own already");
	if (e->flaw)
		buf_printf(b, " (%s)", e->flaw);
}

/* "; READ of 4096 bytes at sector 8 of vda, request 0x..., driver, 12.160 s [page]" */
static void add_io(struct buf *b, const struct wait_object *o)
{
	const struct io_request *r = o->io.request;
	const struct io_bio *bio = o->io.bio;

	buf_str(b, "; ");
	wait_io_words(b, &o->io);
	if (r)
		buf_printf(b, ", request 0x%llx, %s", (unsigned long long)r->addr, r->where);
	else
		buf_printf(b, ", bio 0x%llx, %s", (unsigned long long)bio->addr, bio->where);
	add_seconds(b, r && r->has_age ? r->age_ns : UINT64_MAX);
	if (o->io.more)
		buf_printf(b, ", and %zu more", o->io.more);
	buf_printf(b, " [%s]", o->io.how);
}

/* Is it something that one has, and not something that one does? */
static bool is_taken(const struct wait_object *o)
{
	return strcmp(o->type, "completion") != 0;
}

static void add_holder(struct buf *b, const struct wait_object *o)
{
	if (o->state)
		buf_printf(b, "; %s", o->state);
	if (o->io.how)
		add_io(b, o);
	if (!o->holder)
		return;
	buf_str(b, o->holder_by == WAIT_BY_RULE ? "; it is for "
		   : o->holder_by == WAIT_BY_CANDIDATE
			   ? is_taken(o) ? "; perhaps held by " : "; perhaps it is for "
		   : o->holder_by == WAIT_BY_HINT ? "; last taken by "
						  : "; held by ");
	add_task(b, o->holder);
	buf_printf(b, " (%s)", o->holder->active ? "running" : o->holder->state);
	for (size_t i = 0; i < o->n_others; i++) {
		buf_str(b, i + 1 < o->n_others ? ", " : " and ");
		add_task(b, o->others[i]);
	}
	buf_printf(b, " [%s]", wait_proof_name(o->holder_by));
}

static void add_edge(struct buf *b, const struct wait_of *of, const struct wait_edge *e)
{
	add_task(b, e->task);
	if (e->cpu >= 0)
		buf_printf(b, " runs on CPU %d,", e->cpu);
	else
		buf_printf(b, " %s", e->task->state);
	add_seconds(b, e->waited);
	add_wait(b, of, e);
	if (e->object != WAIT_NONE)
		add_holder(b, &of->g->objects.p[e->object]);
	buf_char(b, '\n');
}

/* The text of each kind; the cells are for JSON. */
static void wait_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct wait_of *of = r->of;

	(void)k, (void)cell;
	if (!of->quiet)
		add_edge(b, of, of->e);
}

static void cycle_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct wait_of *of = r->of;
	const struct wait_path *p = of->p;

	(void)k, (void)cell;
	buf_str(b, p->proven ? "deadlock: " : "deadlock if the hints are right: ");
	for (size_t i = 0; i < p->n; i++) {
		const struct wait_edge *e = &of->g->edges.p[p->edges[i]];

		if (i == 0)
			add_task(b, e->task);
		add_wait(b, of, e);
		buf_printf(b,
			   of->g->objects.p[e->object].holder_by == WAIT_BY_RULE
				   ? ", up to [%s] "
				   : ", held [%s] by ",
			   wait_proof_name(of->g->objects.p[e->object].holder_by));
		add_task(b, of->g->objects.p[e->object].holder);
		if (i + 1 < p->n)
			buf_str(b, ", which");
	}
	add_seconds(b, of->g->edges.p[p->edges[0]].waited);
	buf_char(b, '\n');
}

static void chain_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct wait_of *of = r->of;
	const struct wait_path *p = of->p;

	(void)k, (void)cell;
	buf_printf(b, "chain of %zu%s%s:\n", p->n, p->closed ? ", into a deadlock" : "",
		   p->proven ? "" : ", by hints");
	for (size_t i = 0; i < p->n; i++) {
		buf_str(b, "    ");
		add_edge(b, of, &of->g->edges.p[p->edges[i]]);
	}
}

#define PIDS_SHOWN 8

/* "; pids 12 13 14 and 57 more", those whose tasks are first in the list of tasks. */
static void add_pids(struct buf *b, const struct wait_of *of)
{
	const struct wait_object *o = of->o;
	int last[PIDS_SHOWN];
	size_t n = 0;

	/* edges stand in the opposite order */
	for (size_t i = o->first; i != WAIT_NONE; i = of->g->edges.p[i].next)
		last[n++ % PIDS_SHOWN] = of->g->edges.p[i].task->pid;
	buf_str(b, "; pids");
	for (size_t i = 0; i < n && i < PIDS_SHOWN; i++)
		buf_printf(b, " %d", last[(n - 1 - i) % PIDS_SHOWN]);
	if (n > PIDS_SHOWN)
		buf_printf(b, " and %zu more", n - PIDS_SHOWN);
}

static void crowd_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct wait_of *of = r->of;
	const struct wait_object *o = of->o;

	(void)k, (void)cell;
	buf_printf(b, "%zu %s for ", o->n, o->n == 1 ? "waits" : "wait");
	add_object(b, o);
	add_holder(b, o);
	if (o->oldest != WAIT_NONE) {
		const struct wait_edge *e = &of->g->edges.p[o->oldest];

		buf_str(b, o->n == 1 ? "; " : "; longest ");
		add_task(b, e->task);
		add_seconds(b, e->waited);
	}
	if (o->n > 1)
		add_pids(b, of);
	if (o->flaw)
		buf_printf(b, " (%s)", o->flaw);
	buf_char(b, '\n');
}

const struct record_kind wait_kind_record = {
	.name = "wait",
	.doc = "a task that waits",
	.layout = LAYOUT_OWN,
	.fields = wait_fields,
	.n_fields = W_FIELDS,
	.text = wait_text,
};

enum {
	P_COUNT,
	P_PROVEN,
	P_CLOSED,
	P_EDGES,
	P_FIELDS
};
static const struct record_field path_fields[P_FIELDS] = {
	[P_COUNT] = { "count", NULL, CELL_UINT, 0, "how many tasks" },
	[P_PROVEN] = { "proven", NULL, CELL_BOOL, 0, "no hint was needed" },
	[P_CLOSED] = { "closed", NULL, CELL_BOOL, 0, "it is a cycle, or ends in one" },
	[P_EDGES] = { "waits", NULL, CELL_RECORDS, FIELD_JSON,
		      "each task, which waits for the next one, as a record wait" },
};
const struct record_kind wait_cycle_kind = {
	.name = "wait_cycle",
	.doc = "tasks that wait for each other in a ring",
	.layout = LAYOUT_OWN,
	.fields = path_fields,
	.n_fields = P_FIELDS,
	.text = cycle_text,
};
const struct record_kind wait_chain_kind = {
	.name = "wait_chain",
	.doc = "tasks of which each waits for the next",
	.layout = LAYOUT_OWN,
	.fields = path_fields,
	.n_fields = P_FIELDS,
	.text = chain_text,
};

enum {
	C_COUNT,
	C_TYPE,
	C_OBJECT,
	C_NAME,
	C_STATE,
	C_HOLDER,
	C_HOLDER_TASK,
	C_HOLDER_HOW,
	C_OTHERS,
	C_OLDEST,
	C_WAITED,
	C_REQUEST,
	C_BIO,
	C_DEVICE,
	C_IO_HOW,
	C_IO_MORE,
	C_FLAW,
	C_FIELDS
};
static const struct record_field crowd_fields[C_FIELDS] = {
	[C_COUNT] = { "count", NULL, CELL_UINT, 0, "how many tasks wait for it" },
	[C_TYPE] = { "type", NULL, CELL_STR, 0, "what it is" },
	[C_OBJECT] = { "object", NULL, CELL_ADDR, 0, "where it is" },
	[C_NAME] = { "name", NULL, CELL_STR, 0, "its symbol, or what it lies in" },
	[C_STATE] = { "state", NULL, CELL_STR, 0, "its state, in words" },
	[C_HOLDER] = { "holder", NULL, CELL_INT, 0, "pid of who has it or must end the wait" },
	[C_HOLDER_TASK] = { "holder_task", NULL, CELL_ADDR, 0, "that one's task_struct" },
	[C_HOLDER_HOW] = { "holder_how", NULL, CELL_STR, 0, "how that is known" },
	[C_OTHERS] = { "others", NULL, CELL_STRS, 0,
		       "pids of those who have it, or must end the wait, as well as the holder" },
	[C_OLDEST] = { "oldest", NULL, CELL_INT, 0, "pid of who waits longest" },
	[C_WAITED] = { "waited", NULL, CELL_DURATION, 0, "how long that one does" },
	[C_REQUEST] = { "request", NULL, CELL_ADDR, 0,
			"the struct request with which the wait ends, see io; null: none is known" },
	[C_BIO] = { "bio", NULL, CELL_ADDR, 0, "the struct bio, where it is in no request" },
	[C_DEVICE] = { "device", NULL, CELL_STR, 0, "the disk or partition of either" },
	[C_IO_HOW] = { "io_how", NULL, CELL_STR, 0,
		       "how that is known: page, the object is of its data; end, its end is told to "
		       "the object; waiter, its end is told to the task; throttle, no more of "
		       "its kind are let through until one ends" },
	[C_IO_MORE] = { "io_more", NULL, CELL_UINT, 0,
			"how many requests and bios there are besides" },
	[C_FLAW] = { "flaw", NULL, CELL_STR, 0,
		     "what contradicts or cannot be read of one of them" },
};
const struct record_kind wait_crowd_kind = {
	.name = "wait_crowd",
	.doc = "what tasks wait for, and how many do",
	.layout = LAYOUT_OWN,
	.fields = crowd_fields,
	.n_fields = C_FIELDS,
	.text = crowd_text,
};

static const struct record_field dot_fields[] = {
	{ "line", NULL, CELL_STR, 0, "a line of the graph" },
};
const struct record_kind wait_dot_kind = { "wait_dot",  "a line of the graph for dot (--dot)",
					   LAYOUT_LINE, "{line}",
					   dot_fields,  1 };

static const struct record_field svg_fields[] = {
	{ "line", NULL, CELL_STR, 0, "a line of the picture" },
};
const struct record_kind wait_svg_kind = { "wait_svg",  "a line of the graph as SVG (--svg)",
					   LAYOUT_LINE, "{line}",
					   svg_fields,  1 };

/* Sets a cell to the pids of those who have it besides the holder. */
static void record_others(struct ctx *c, struct record *r, unsigned cell,
			  const struct wait_object *o)
{
	const char **pids = ARENA_ARRAY(c->arena, const char *, o->n_others + 1);

	for (size_t i = 0; i < o->n_others; i++)
		pids[i] = arena_printf(c->arena, "%d", o->others[i]->pid);
	if (o->n_others)
		record_strs(r, cell, pids, o->n_others);
}

/* `at` is W_REQUEST or C_REQUEST; the other fields follow. */
static void record_io(struct record *r, unsigned at, const struct wait_io *io)
{
	if (!io->how)
		return;
	if (io->request)
		record_uint(r, at, io->request->addr);
	else
		record_uint(r, at + W_BIO - W_REQUEST, io->bio->addr);
	record_str(r, at + W_DEVICE - W_REQUEST,
		   io->request ? io->request->device : io->bio->device);
	record_str(r, at + W_IO_HOW - W_REQUEST, io->how);
	record_uint(r, at + W_IO_MORE - W_REQUEST, io->more);
}

static void record_object(struct ctx *c, struct record *r, const struct wait_object *o)
{
	record_io(r, W_REQUEST, &o->io);
	record_str(r, W_TYPE, o->type);
	record_uint(r, W_OBJECT, o->addr);
	if (o->space)
		record_uint(r, W_SPACE, o->space);
	record_str(r, W_NAME, o->name);
	record_str(r, W_OBJECT_STATE, o->state);
	if (!o->holder)
		return;
	record_int(r, W_HOLDER, o->holder->pid);
	record_uint(r, W_HOLDER_TASK, o->holder->addr);
	record_str(r, W_HOLDER_COMM, o->holder->comm);
	record_str(r, W_HOLDER_HOW, wait_proof_name(o->holder_by));
	record_others(c, r, W_OTHERS, o);
}

static void record_wait(struct ctx *c, struct record *r, const struct wait_graph *g,
			const struct wait_edge *e)
{
	record_init(r, &wait_kind_record);
	record_int(r, W_PID, e->task->pid);
	record_uint(r, W_TASK, e->task->addr);
	record_str(r, W_COMM, e->task->comm);
	record_str(r, W_STATE, e->task->state);
	if (e->cpu >= 0)
		record_int(r, W_CPU, e->cpu);
	if (e->object != WAIT_NONE)
		record_object(c, r, &g->objects.p[e->object]);
	record_str(r, W_MODE, e->mode);
	record_str(r, W_HOW, wait_proof_name(e->by));
	if (e->waiter)
		record_uint(r, W_WAITER, e->waiter);
	record_str(r, W_FUNCTION, e->func);
	if (e->at)
		record_str(r, W_AT, symbol_text(c->t, e->at, c->arena));
	if (e->waited != UINT64_MAX)
		record_uint(r, W_WAITED, e->waited);
	record_bool(r, W_OWNS, e->owns);
	record_str(r, W_FLAW, e->flaw);
}

/* The text has said it: this is for JSON, and for the exit status. */
static void note_flaw(struct ctx *c, const char *flaw)
{
	struct err why;

	if (!flaw)
		return;
	err_set(&why, ERR_CORRUPT, "%s", flaw);
	note_in_place(c, &why);
}

void emit_wait(struct ctx *c, const struct wait_graph *g, const struct wait_edge *e, bool quiet)
{
	const struct wait_of of = { .c = c, .g = g, .e = e, .quiet = quiet };
	struct record r;

	record_wait(c, &r, g, e);
	r.of = &of;
	emit(c, &r);
	if (!quiet)
		note_flaw(c, e->flaw);
}

void emit_wait_path(struct ctx *c, const struct wait_graph *g, const struct record_kind *kind,
		    const struct wait_path *p)
{
	const struct wait_of of = { .c = c, .g = g, .p = p };
	struct record *edges = ARENA_ARRAY(c->arena, struct record, p->n), r;

	for (size_t i = 0; i < p->n; i++)
		record_wait(c, &edges[i], g, &g->edges.p[p->edges[i]]);
	record_init(&r, kind);
	r.of = &of;
	record_uint(&r, P_COUNT, p->n);
	record_bool(&r, P_PROVEN, p->proven);
	record_bool(&r, P_CLOSED, p->closed || kind == &wait_cycle_kind);
	record_records(&r, P_EDGES, edges, p->n);
	emit(c, &r);
}

void emit_wait_crowd(struct ctx *c, const struct wait_graph *g, const struct wait_object *o)
{
	const struct wait_of of = { .c = c, .g = g, .o = o };
	struct record r;

	record_init(&r, &wait_crowd_kind);
	r.of = &of;
	record_uint(&r, C_COUNT, o->n);
	record_str(&r, C_TYPE, o->type);
	record_uint(&r, C_OBJECT, o->addr);
	record_str(&r, C_NAME, o->name);
	record_str(&r, C_STATE, o->state);
	if (o->holder) {
		record_int(&r, C_HOLDER, o->holder->pid);
		record_uint(&r, C_HOLDER_TASK, o->holder->addr);
		record_str(&r, C_HOLDER_HOW, wait_proof_name(o->holder_by));
		record_others(c, &r, C_OTHERS, o);
	}
	if (o->oldest != WAIT_NONE) {
		record_int(&r, C_OLDEST, g->edges.p[o->oldest].task->pid);
		record_uint(&r, C_WAITED, g->edges.p[o->oldest].waited);
	}
	record_io(&r, C_REQUEST, &o->io);
	record_str(&r, C_FLAW, o->flaw);
	emit(c, &r);
	note_flaw(c, o->flaw);
}

/* ---- graphviz */

static void dot_line(struct ctx *c, struct buf *b)
{
	struct record r;

	record_init(&r, &wait_dot_kind);
	record_str(&r, 0, arena_strdup(c->arena, buf_text(b)));
	emit(c, &r);
	buf_reset(b);
}

/* A name as part of a quoted label. */
static void dot_name(struct buf *b, const char *s)
{
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			buf_char(b, '\'');
		else
			buf_char(b, *s);
}

static void dot_task(struct ctx *c, struct buf *b, const struct task *task)
{
	buf_printf(b, "    t%llx [label=\"%d ", (unsigned long long)task->addr, task->pid);
	dot_name(b, task->comm);
	buf_printf(b, "\\n%s\"];", task->active ? "running" : task->state);
	dot_line(c, b);
}

/* The request that an object's wait ends with; of several objects the line stands several times. */
static void dot_io(struct ctx *c, struct buf *b, const struct wait_object *o, size_t i)
{
	const struct io_request *r = o->io.request;
	const struct io_bio *bio = o->io.bio;
	const char *device = r ? r->device : bio->device;
	unsigned long long at = r ? r->addr : bio->addr;

	buf_printf(b, "    r%llx [shape=cds label=\"%s ", at, r ? r->op : bio->op);
	dot_name(b, device ? device : "?");
	buf_printf(b, "\\n%s\"];", r ? r->where : bio->where);
	dot_line(c, b);
	buf_printf(b, "    o%zu -> r%llx [label=\"%s\"];", i, at, o->io.how);
	dot_line(c, b);
}

/* Draws who has an object, or must end the wait for it. */
static void dot_holder(struct ctx *c, struct buf *b, const struct wait_object *o, size_t i,
		       const struct task *holder)
{
	dot_task(c, b, holder);
	buf_printf(b, "    o%zu -> t%llx [label=\"%s\"%s];", i, (unsigned long long)holder->addr,
		   wait_proof_name(o->holder_by),
		   wait_is_proven(o->holder_by) ? "" : " style=dashed");
	dot_line(c, b);
}

static void dot_object(struct ctx *c, struct buf *b, const struct wait_graph *g, size_t i)
{
	const struct wait_object *o = &g->objects.p[i];

	buf_printf(b, "    o%zu [shape=box label=\"%s ", i, o->type);
	if (o->name)
		dot_name(b, o->name);
	else
		buf_printf(b, "0x%llx", (unsigned long long)o->addr);
	buf_str(b, "\"];");
	dot_line(c, b);
	if (o->io.how)
		dot_io(c, b, o, i);
	if (o->holder)
		dot_holder(c, b, o, i, o->holder);
	for (size_t k = 0; k < o->n_others; k++)
		dot_holder(c, b, o, i, o->others[k]);
}

void emit_wait_dot(struct ctx *c, const struct wait_graph *g,
		   bool (*show)(const struct wait_graph *g, const struct wait_edge *e))
{
	bool *drawn = ARENA_ARRAY(c->arena, bool, g->objects.n + 1);
	struct buf b = { 0 };

	buf_str(&b, "digraph waits {");
	dot_line(c, &b);
	for (size_t i = 0; i < g->edges.n; i++) {
		const struct wait_edge *e = &g->edges.p[i];

		if (e->object == WAIT_NONE || !show(g, e))
			continue;
		dot_task(c, &b, e->task);
		if (!drawn[e->object])
			dot_object(c, &b, g, e->object);
		drawn[e->object] = true;
		buf_printf(&b, "    t%llx -> o%zu [label=\"%s\"];",
			   (unsigned long long)e->task->addr, e->object,
			   wait_proof_name(e->by) ? wait_proof_name(e->by) : "?");
		dot_line(c, &b);
	}
	buf_str(&b, "}");
	dot_line(c, &b);
	buf_release(&b);
}

void emit_wait_svg(struct ctx *c, const struct wait_graph *g,
		   bool (*show)(const struct wait_graph *g, const struct wait_edge *e))
{
	struct buf b = { 0 };

	wait_svg(&b, g, show);
	emit_lines(c, &wait_svg_kind, arena_strndup(c->arena, buf_text(&b), b.n));
	buf_release(&b);
}
