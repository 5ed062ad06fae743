/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a task was started with, and what it may take: more than fits a row. */
#include <inttypes.h>

#include "core/base/buf.h"
#include "core/linux/user.h"
#include "core/shell/session.h"
#include "core/shell/task_record.h"

enum {
	ARGS_PID,
	ARGS_ARG,
	ARGS_ENV,
	ARGS_ARGS,
	ARGS_ENVIRONMENT
};
static const struct record_field args_fields[] = {
	[ARGS_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "process ID" },
	[ARGS_ARG] = { "arg_text", NULL, CELL_STR, FIELD_TEXT, "words between blanks" },
	[ARGS_ENV] = { "env_text", NULL, CELL_STR, FIELD_TEXT, "a variable a line" },
	[ARGS_ARGS] = { "args", NULL, CELL_STRS, FIELD_JSON, "its words" },
	[ARGS_ENVIRONMENT] = { "environment", NULL, CELL_STRS, FIELD_JSON, "NAME=value each" },
};
const struct record_kind task_args_kind = {
	"task_args", "the words and the environment that a program was started with (-a)",
	LAYOUT_LINE, "ARG: {arg_text}\nENV: {env_text}\n",
	args_fields, ARRAY_SIZE(args_fields)
};

enum {
	LIMIT_PID,
	LIMIT_NAME,
	LIMIT_CUR,
	LIMIT_MAX,
	LIMIT_CUR_TEXT,
	LIMIT_MAX_TEXT
};
static const struct record_field limit_fields[] = {
	[LIMIT_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "process ID" },
	[LIMIT_NAME] = { "limit", "RLIMIT", CELL_STR, 0, "what is limited: getrlimit(2)" },
	[LIMIT_CUR] = { "current", NULL, CELL_UINT, FIELD_JSON, "soft limit; null: unlimited" },
	[LIMIT_MAX] = { "maximum", NULL, CELL_UINT, FIELD_JSON, "hard limit; null: unlimited" },
	[LIMIT_CUR_TEXT] = { "current_text", "CURRENT", CELL_STR, FIELD_TEXT | FIELD_RIGHT,
			     "soft limit" },
	[LIMIT_MAX_TEXT] = { "maximum_text", "MAXIMUM", CELL_STR, FIELD_TEXT | FIELD_RIGHT,
			     "hard limit" },
};
const struct record_kind task_limit_kind = { "task_limit", "a resource limit of a task (-r)",
					     LAYOUT_TABLE, NULL,
					     limit_fields, ARRAY_SIZE(limit_fields) };

/* The words with something between; what is missing says why in its place. */
static const char *joined(struct ctx *c, const struct task_words *w, const char *between)
{
	struct buf b = { 0 };
	const char *text;

	for (size_t i = 0; i < w->n; i++)
		buf_printf(&b, "%s%s", i ? between : "", w->v[i]);
	if (w->why.code != ERR_OK)
		buf_printf(&b, "%s<%s>", b.n ? between : "", err_absent_text(w->why.code));
	else if (w->cut)
		buf_printf(&b, "%s...", between);
	text = arena_strdup(c->arena, buf_text(&b));
	buf_release(&b);
	return text;
}

static bool words(struct ctx *c, const struct task *task, bool environment, struct task_words *ret)
{
	struct err err;

	if (!task_words(c->t, task, environment, c->arena, ret, &err)) {
		note(c, &err);
		return false;
	}
	if (ret->why.code != ERR_OK && c->s->json)
		note(c, &ret->why);
	else
		c->damaged |= err_is_damage(ret->why.code); /* the text says it in place */
	return true;
}

void emit_task_args(struct ctx *c, const struct task *task)
{
	struct task_words w;
	struct record r;

	emit_task_head(c, task);
	if (!task->mm) {
		say(c, "(no user stack)");
		return;
	}
	record_init(&r, &task_args_kind);
	record_int(&r, ARGS_PID, task->pid);
	if (words(c, task, false, &w)) {
		record_str(&r, ARGS_ARG, joined(c, &w, " "));
		record_strs(&r, ARGS_ARGS, w.v, w.n);
	}
	if (words(c, task, true, &w)) {
		record_str(&r, ARGS_ENV, joined(c, &w, "\n     "));
		record_strs(&r, ARGS_ENVIRONMENT, w.v, w.n);
	}
	emit(c, &r);
}

static void put_limit(struct ctx *c, struct record *r, unsigned field, uint64_t limit, bool none)
{
	unsigned text = field + LIMIT_CUR_TEXT - LIMIT_CUR;

	if (none) {
		record_str(r, text, "(unlimited)");
		return;
	}
	record_uint(r, field, limit);
	record_str(r, text, arena_printf(c->arena, "%" PRIu64, limit));
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
		put_limit(c, &r, LIMIT_CUR, limits[i].cur, limits[i].cur_none);
		put_limit(c, &r, LIMIT_MAX, limits[i].max, limits[i].max_none);
		emit(c, &r);
	}
}
