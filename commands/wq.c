/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wq: work that runs or waits on work queues. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/linux/net/net.h"

enum {
	STATE,
	QUEUE,
	WQ,
	WORK,
	FUNCTION,
	CPU,
	PID
};
static const struct record_field fields[] = {
	[STATE] = { "state", NULL, CELL_STR, 0,
		    "running, pending, or inactive: waits for its turn" },
	[QUEUE] = { "queue", NULL, CELL_STR, 0, "name of the work queue" },
	[WQ] = { "wq", NULL, CELL_ADDR, FIELD_JSON, "address of the struct workqueue_struct" },
	[WORK] = { "work", NULL, CELL_ADDR, 0, "address of the struct work_struct" },
	[FUNCTION] = { "function", NULL, CELL_STR, 0, "what it is to do" },
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT, "whose pool it is on; null: any CPU's" },
	[PID] = { "pid", "WORKER", CELL_INT, FIELD_RIGHT, "process ID of the worker that runs it" },
};
static const struct record_kind work_kind = { "work",       "one piece of work",
					      LAYOUT_TABLE, NULL,
					      fields,       7 };

enum {
	Q_ADDR,
	Q_NAME,
	Q_FLAGS,
	Q_RUNNING,
	Q_PENDING,
	Q_INACTIVE
};
static const struct record_field queue_fields[] = {
	[Q_ADDR] = { "wq", NULL, CELL_ADDR, 0, "address of the struct workqueue_struct" },
	[Q_NAME] = { "name", NULL, CELL_STR, 0, "its name" },
	[Q_FLAGS] = { "flags", NULL, CELL_HEX, 0, "WQ_*" },
	[Q_RUNNING] = { "running", NULL, CELL_UINT, FIELD_RIGHT, "work that workers were at" },
	[Q_PENDING] = { "pending", NULL, CELL_UINT, FIELD_RIGHT, "work that waited for a worker" },
	[Q_INACTIVE] = { "inactive", NULL, CELL_UINT, FIELD_RIGHT,
			 "work that waited because enough of this queue was at work" },
};
static const struct record_kind queue_kind = { "workqueue", "a work queue (-l)", LAYOUT_TABLE,
					       NULL,        queue_fields,        6 };

struct wq_opts {
	bool queues;
};
static const struct option opts[] = {
	{ "l", NULL, OPTION_FLAG, offsetof(struct wq_opts, queues),
	  "all work queues, with how much is on each" },
};

struct wq {
	struct ctx *c;
	struct err *err;
	bool ok;
};

static void wq_flaw(const struct err *e, void *arg)
{
	const struct wq *w = arg;

	note(w->c, e);
}

static bool show_work(const struct queued_work *work, void *arg)
{
	struct wq *w = arg;
	const struct task *task;
	struct record r;
	struct err why;

	if (piped(w->c)) {
		w->ok = yield(w->c, value_ref(w->c->out_type, work->addr), w->err);
		return w->ok;
	}
	record_init(&r, &work_kind);
	record_str(&r, STATE, work->state);
	record_str(&r, QUEUE, work->queue);
	record_uint(&r, WQ, work->wq);
	record_uint(&r, WORK, work->addr);
	record_str(&r, FUNCTION, symbol_text(w->c->t, work->function, w->c->arena));
	if (work->cpu >= 0)
		record_int(&r, CPU, work->cpu);
	if (work->worker && task_by_addr(w->c->t, work->worker, &task, &why))
		record_int(&r, PID, task->pid);
	emit(w->c, &r);
	return true;
}

static bool show_queue(const struct workqueue *q, void *arg)
{
	struct wq *w = arg;
	struct record r;

	if (piped(w->c)) {
		w->ok = yield(w->c, value_ref(w->c->out_type, q->addr), w->err);
		return w->ok;
	}
	record_init(&r, &queue_kind);
	record_uint(&r, Q_ADDR, q->addr);
	record_str(&r, Q_NAME, q->name);
	record_uint(&r, Q_FLAGS, q->flags);
	record_uint(&r, Q_RUNNING, q->running);
	record_uint(&r, Q_PENDING, q->pending);
	record_uint(&r, Q_INACTIVE, q->inactive);
	emit(w->c, &r);
	return true;
}

static bool wq_types(struct ctx *c, struct err *err)
{
	const struct wq_opts *o = c->opts;

	return !piped(c) ||
	       type_find(c->t, o->queues ? "struct workqueue_struct" : "struct work_struct",
			 &c->out_type, err);
}

static bool wq_run(struct ctx *c, struct err *err)
{
	const struct wq_opts *o = c->opts;
	struct wq w = { .c = c, .err = err, .ok = true };
	struct err why;

	if (workqueues(c->t, c->arena, o->queues ? NULL : show_work, o->queues ? show_queue : NULL,
		       wq_flaw, &w, &why))
		return w.ok;
	if (!err_is_damage(why.code))
		return *err = why, false;
	note(c, &why);
	return true;
}

static const struct example examples[] = {
	{ "wq", "what ran and what waited" },
	{ "wq -l", "all work queues" },
	{ "wq | pick func", "functions of all work" },
};
const struct command cmd_wq = {
	.name = "wq",
	.group = "system",
	.summary = "work queues and their work",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "any",
	.types = wq_types,
	OPTS(opts),
	.opts_size = sizeof(struct wq_opts),
	.emits = (const struct record_kind *const[]){ &work_kind, &queue_kind, NULL },
	.none = "no work was queued or under way",
	.help = "Prints the work that was queued or under way. Delayed work is on no queue before "
		"its time: its timer shows as delayed_work_timer_fn in `timer`.",
	EXAMPLES(examples),
	.run = wq_run,
};
