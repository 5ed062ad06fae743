/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a task was started with, and what it may take: more than fits a row. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/task/task.h"
#include "core/linux/memory/user.h"
#include "core/shell/common_record.h"
#include "core/shell/session.h"
#include "core/records/task_record.h"
#include "core/unwind/unwind.h"

/* What a record of arguments tells of. */
struct task_start {
	struct task_words args, environment;
};

/* The words with something between; what is missing says why in its place. */
static void add_joined(struct buf *b, const struct task_words *w, const char *between)
{
	size_t start = b->n;

	for (size_t i = 0; i < w->n; i++) {
		buf_str(b, i ? between : "");
		buf_plain(b, w->v[i], strlen(w->v[i]));
	}
	if (w->why.code != ERR_OK)
		buf_printf(b, "%s<%s>", b->n > start ? between : "", err_absent_text(w->why.code));
	else if (w->cut)
		buf_printf(b, "%s...", between);
}

static void form_args(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct task_start *s = r->of;

	(void)k;
	if (cell->kind == CELL_NULL)
		buf_char(b, '-');
	else
		add_joined(b, &s->args, " ");
}

static void form_environment(struct buf *b, const struct sink *k, const struct record *r,
			     const struct cell *cell)
{
	const struct task_start *s = r->of;

	(void)k;
	if (cell->kind == CELL_NULL)
		buf_char(b, '-');
	else
		add_joined(b, &s->environment, "\n     ");
}

enum {
	ARGS_PID,
	ARGS_ARGS,
	ARGS_ENVIRONMENT
};
static const struct record_field args_fields[] = {
	[ARGS_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "process ID" },
	[ARGS_ARGS] = { "args", NULL, CELL_STRS, 0, "its words", .text = form_args },
	[ARGS_ENVIRONMENT] = { "environment", NULL, CELL_STRS, FIELD_LINES, "NAME=value each",
			       .text = form_environment },
};
const struct record_kind task_args_kind = {
	"task_args", "the words and the environment that a program was started with (-a)",
	LAYOUT_LINE, "ARG: {args}\nENV: {environment}\n",
	args_fields, ARRAY_SIZE(args_fields)
};

static void form_limit(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL)
		buf_str(b, "(unlimited)");
	else
		buf_printf(b, "%" PRIu64, cell->u);
}

enum {
	LIMIT_PID,
	LIMIT_NAME,
	LIMIT_CUR,
	LIMIT_MAX
};
static const struct record_field limit_fields[] = {
	[LIMIT_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "process ID" },
	[LIMIT_NAME] = { "limit", "RLIMIT", CELL_STR, 0, "what is limited: getrlimit(2)" },
	[LIMIT_CUR] = { "current", NULL, CELL_UINT, FIELD_RIGHT, "soft limit; null: unlimited",
			.text = form_limit },
	[LIMIT_MAX] = { "maximum", NULL, CELL_UINT, FIELD_RIGHT, "hard limit; null: unlimited",
			.text = form_limit },
};
const struct record_kind task_limit_kind = { "task_limit", "a resource limit of a task (-r)",
					     LAYOUT_TABLE, NULL,
					     limit_fields, ARRAY_SIZE(limit_fields) };

static bool task_detail_words(struct ctx *c, const struct task *task, bool environment,
			      struct task_words *ret)
{
	struct err err;

	if (!task_words(c->t, task, environment, c->arena, ret, &err)) {
		note(c, &err);
		return false;
	}
	if (ret->why.code != ERR_OK)
		note_in_place(c, &ret->why);
	return true;
}

void emit_task_args(struct ctx *c, const struct task *task)
{
	struct task_start s;
	struct record r;

	emit_task_head(c, task);
	if (!task->mm) {
		emit_none(c, &task_args_kind, "(no user stack)");
		return;
	}
	record_init(&r, &task_args_kind);
	r.of = &s;
	record_int(&r, ARGS_PID, task->pid);
	if (task_detail_words(c, task, false, &s.args))
		record_strs(&r, ARGS_ARGS, s.args.v, s.args.n);
	if (task_detail_words(c, task, true, &s.environment))
		record_strs(&r, ARGS_ENVIRONMENT, s.environment.v, s.environment.n);
	emit(c, &r);
}

void emit_task_limits(struct ctx *c, const struct task *task)
{
	struct task_limit limits[TASK_LIMITS];
	struct record r;
	struct err err;

	emit_task_head(c, task);
	if (!task_limits(c->t, task, limits, &err)) {
		note(c, &err);
		return;
	}
	for (unsigned i = 0; i < TASK_LIMITS; i++) {
		record_init(&r, &task_limit_kind);
		record_int(&r, LIMIT_PID, task->pid);
		record_str(&r, LIMIT_NAME, task_limit_name(i));
		if (!limits[i].cur_none)
			record_uint(&r, LIMIT_CUR, limits[i].cur);
		if (!limits[i].max_none)
			record_uint(&r, LIMIT_MAX, limits[i].max);
		emit(c, &r);
	}
}

enum {
	STACK_ACTIVE,
	STACK_PID,
	STACK_CPU,
	STACK_TASK,
	STACK_SP,
	STACK_LOW,
	STACK_SIZE,
	STACK_USED,
	STACK_STATE,
	STACK_COMM
};
static const struct record_field stack_fields[] = {
	[STACK_ACTIVE] = { "active", "", CELL_BOOL, 0, "it ran on its CPU at the crash",
			   .text = form_active },
	[STACK_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "process or thread ID" },
	[STACK_CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT, "the CPU it ran on last" },
	[STACK_TASK] = { "task", NULL, CELL_ADDR, 0, "address of its task_struct" },
	[STACK_SP] = { "sp", "KSTACKP", CELL_ADDR, 0,
		       "its kernel stack pointer, where bt begins; null: it is on another stack, or "
		       "not known" },
	[STACK_LOW] = { "stack", NULL, CELL_ADDR, 0, "the stack's lowest address" },
	[STACK_SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "bytes of the stack" },
	[STACK_USED] = { "used", NULL, CELL_UINT, FIELD_RIGHT, "bytes of it in use" },
	[STACK_STATE] = { "state", "ST", CELL_STR, 0, "as ps has it" },
	[STACK_COMM] = { "comm", NULL, CELL_STR, 0, "name" },
};
const struct record_kind task_stack_kind = { "task_stack", "a task's kernel stack (-s)",
					     LAYOUT_TABLE, NULL,
					     stack_fields, ARRAY_SIZE(stack_fields) };

void emit_task_stack(struct ctx *c, const struct task *task)
{
	struct unwind_start start;
	uint64_t size, sp;
	struct record r;
	struct err why;

	record_init(&r, &task_stack_kind);
	record_bool(&r, STACK_ACTIVE, task->active);
	record_int(&r, STACK_PID, task->pid);
	if (task->cpu >= 0)
		record_int(&r, STACK_CPU, task->cpu);
	record_uint(&r, STACK_TASK, task->addr);
	if (task->stack)
		record_uint(&r, STACK_LOW, task->stack);
	if (task_stack_size(c->t, &size, &why))
		record_uint(&r, STACK_SIZE, size);
	else
		size = 0;
	if (!task_unwind_start(c->t, task, &start, &why)) {
		if (err_is_damage(why.code))
			note(c, &why);
	} else if (regs_get(&start.regs, c->t->arch->sp, &sp) && sp - task->stack <= size) {
		record_uint(&r, STACK_SP, sp);
		record_uint(&r, STACK_USED, task->stack + size - sp);
	}
	record_str(&r, STACK_STATE, task->state);
	record_str(&r, STACK_COMM, task->comm);
	emit(c, &r);
}
