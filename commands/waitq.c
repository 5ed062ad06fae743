/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waitq: who waits on a wait queue. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/container/walk.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "core/linux/task/expr_hooks.h"
#include "core/types/expr.h"
#include "core/types/shape.h"

enum {
	ENTRY,
	FUNCTION,
	PRIVATE
};
static const struct record_field fields[] = {
	[ENTRY] = { "entry", NULL, CELL_HEX, 0, "address of the struct wait_queue_entry" },
	[FUNCTION] = { "function", NULL, CELL_STR, 0, "what is called when the wait is over" },
	[PRIVATE] = { "private", NULL, CELL_HEX, 0, "what that function is given" },
};
static const struct record_kind waiter_kind = {
	"waiter",    "an entry that is not a task's",
	LAYOUT_LINE, "entry {entry}: no task, but {function}({private})",
	fields,      3
};

struct waitq_opts {
	bool simple, completion;
};
static const struct option opts[] = {
	OPT_FLAG("s", struct waitq_opts, simple, "the address is that of a swait_queue_head"),
	OPT_FLAG("c", struct waitq_opts, completion, "the address is that of a completion"),
};

/* What can be waited in. Where no option says it, the operand's own type may. */
enum queue_kind {
	QUEUE_WAIT,
	QUEUE_SIMPLE,
	QUEUE_COMPLETION
};
static const struct {
	const char *name, *type, *list;    /* where its list is */
	const char *entry, *link, *waiter; /* one that waits: its link and its task */
} queues[] = {
	[QUEUE_WAIT] = { "wait_queue_head", "struct wait_queue_head", "head",
			 "struct wait_queue_entry", "entry", "private" },
	[QUEUE_SIMPLE] = { "swait_queue_head", "struct swait_queue_head", "task_list",
			   "struct swait_queue", "task_list", "task" },
	[QUEUE_COMPLETION] = { "completion", "struct completion", "wait.task_list",
			       "struct swait_queue", "task_list", "task" },
};

struct waiters {
	struct ctx *c;
	enum queue_kind kind;
	const struct type *type;
	struct err *err;
	bool ok;
};

static void waitq_flaw(const struct err *e, void *arg)
{
	const struct waiters *w = arg;

	note(w->c, e);
}

/* An entry's private word is a task for the functions that wake one; others, as epoll's, have what
 * they like there. */
static bool waitq_show(uint64_t entry, void *arg)
{
	struct waiters *w = arg;
	struct target *t = w->c->t;
	const struct task *task;
	uint64_t private, function = 0;
	struct record r;
	struct err why;

	if (!field_u64(t, queues[w->kind].entry, entry, queues[w->kind].waiter, &private, &why) ||
	    (w->kind == QUEUE_WAIT &&
	     !field_u64(t, "struct wait_queue_entry", entry, "func", &function, &why))) {
		note(w->c, &why);
		return true;
	}
	if (private && task_by_addr(t, private, &task, &why)) {
		if (w->type) {
			w->ok = yield(w->c, value_ref(w->type, private), w->err);
			return w->ok;
		}
		emit_task(w->c, TASK_VIEW_TABLE, task);
		return true;
	}
	if (w->type)
		return true;
	record_init(&r, &waiter_kind);
	record_uint(&r, ENTRY, entry);
	if (function)
		record_str(&r, FUNCTION, symbol_text(t, function, w->c->arena));
	record_uint(&r, PRIVATE, private);
	emit(w->c, &r);
	return true;
}

static enum queue_kind kind_of(struct ctx *c)
{
	const struct waitq_opts *o = c->opts;
	const struct type *type;
	struct err ignored;
	struct value v;

	if (o->simple || o->completion)
		return o->completion ? QUEUE_COMPLETION : QUEUE_SIMPLE;
	if (!expr_eval(c->t, c->argv[0], &expr_percpu, &v, &ignored) || !v.type)
		return QUEUE_WAIT;
	type = type_strip(v.type);
	if (type->kind == TYPE_POINTER)
		type = type_strip(type_target(type));
	for (unsigned i = 0; type && type->name && i < ARRAY_SIZE(queues); i++)
		if (!strcmp(type->name, queues[i].name))
			return (enum queue_kind)i;
	return QUEUE_WAIT;
}

static bool waitq_run(struct ctx *c, struct err *err)
{
	struct waiters w = { .c = c, .err = err, .ok = true };
	struct walk_plan plan = {
		.what = "wait queue", .node = waitq_show, .flaw = waitq_flaw, .arg = &w
	};
	struct err why;
	uint64_t off;

	if (c->argc != 1)
		return err_set(err, ERR_USAGE, "the address of a wait queue is wanted");
	if (piped(c) && !type_find(c->t, "struct task_struct", &w.type, err))
		return false;
	w.kind = kind_of(c);
	if (!stage_place(c, c->argv[0], &plan.head, err) ||
	    !field_offset(c->t, queues[w.kind].type, queues[w.kind].list, &off, err) ||
	    !field_offset(c->t, queues[w.kind].entry, queues[w.kind].link, &plan.link, err))
		return false;
	plan.head += off;
	if (list_walk(c->t, &plan, false, &why))
		return w.ok;
	if (!w.ok)
		return false;
	if (!err_is_damage(why.code))
		return *err = why, false;
	note(c, &why);
	return true;
}

static const struct example examples[] = {
	{ "waitq log_wait", "who waits for messages of the kernel" },
	{ "waitq &init_task.signal.wait_chldexit", "who waits for a child" },
	{ "waitq rcu_state.gp_wq", "a simple wait queue: who begins grace periods of RCU" },
};
const struct command cmd_waitq = {
	.name = "waitq",
	.group = "tasks",
	.summary = "tasks on a wait queue",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct task_struct",
	.operands = "wait_queue_head | swait_queue_head | completion",
	OPTS(opts),
	.opts_size = sizeof(struct waitq_opts),
	.emits = (const struct record_kind *const[]){ &task_kind, &waiter_kind, NULL },
	.none = "nobody waits there",
	.completes = COMPLETE_SYMBOL,
	.help = "The operand is the address of a wait_queue_head_t: a symbol, a number, or an "
		"expression, as in waitq &init_task.signal.wait_chldexit. An expression whose type is a "
		"swait_queue_head or a completion means that; of an address in numbers -s and -c say so. "
		"waits has every task that waits, and for what.",
	EXAMPLES(examples),
	.run = waitq_run,
};
