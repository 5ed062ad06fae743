/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task: what the kernel keeps of a task, its task_struct and its thread_info. */
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/records/print_type.h"
#include "core/records/task_record.h"

#define MEMBERS_MAX 256u

struct task_opts {
	struct style_opts style;
	const char *const *members;
	/* not an option: the members of all options and operands, NULL at the end */
	const char *const *paths;
};
static const struct option opts[] = {
	OPT_LIST("R", "member[,member...]", struct task_opts, members, "only these members"),
	STYLE_OPTIONS(struct task_opts, style),
};

/* The structs of a task, in the order in which a member is sought. */
enum {
	TASK_STRUCT,
	THREAD_INFO,
	STRUCTS
};
static const char *const names[STRUCTS] = { "task_struct", "thread_info" };

/* Without CONFIG_THREAD_INFO_IN_TASK it lies at the end of the stack that the stack grows to. */
static bool struct_place(struct target *t, const struct task *task, unsigned which,
			 struct value *ret, struct err *err)
{
	const struct type *outer, *type;
	struct member_ref ref;
	struct err none;

	if (!type_find(t, "struct task_struct", &outer, err))
		return false;
	if (which == TASK_STRUCT) {
		*ret = value_ref(outer, task->addr);
		return true;
	}
	if (type_member(outer, "thread_info", &ref, &none)) {
		*ret = value_ref(ref.type, task->addr + ref.offset);
		return true;
	}
	if (!type_find(t, "struct thread_info", &type, err))
		return false;
	*ret = value_ref(type, task->stack);
	return true;
}

/* Has the struct a member that the path begins with? *err is about this struct. */
static bool path_begins(struct ctx *c, const struct type *type, const char *path, struct err *err)
{
	struct member_ref ref;

	return type_member(type, arena_strndup(c->arena, path, strcspn(path, ".[")), &ref, err);
}

static bool member_show(struct ctx *c, const struct task *task, const char *path, struct err *err)
{
	struct shown s = { .expr = path, .label = path, .indent = 1 };
	struct err first = { 0 }, why = { 0 };
	struct value v;

	for (unsigned i = 0; i < STRUCTS; i++) {
		if (!struct_place(c->t, task, i, &v, &why) || !path_begins(c, v.type, path, &why)) {
			first = i ? first : why;
			continue;
		}
		if (!value_member(c->t, v, path, &s.value, err)) {
			if (!err_is_absent(err->code))
				return false;
			/* the pointer on the way is what cannot be read */
			s.value = value_absent(v.type, err->addr, err->code);
		}
		emit_value(c, &s);
		return true;
	}
	*err = first;
	return false;
}

static bool task_show(struct ctx *c, const struct task *task, struct err *err)
{
	const struct task_opts *o = c->opts;

	emit_task_head(c, task);
	for (size_t i = 0; o->paths[i]; i++)
		if (!member_show(c, task, o->paths[i], err))
			return false;
	for (unsigned i = 0; !o->paths[0] && i < STRUCTS; i++) {
		struct shown s = { .expr = names[i], .label = names[i] };

		if (!struct_place(c->t, task, i, &s.value, err))
			return false;
		emit_value(c, &s);
	}
	return true;
}

/* Adds the members of "comm,pid" to paths, of which there are *n. */
static bool paths_add(struct ctx *c, const char *list, const char **paths, size_t *n,
		      struct err *err)
{
	for (const char *s = list;; s++) {
		size_t len = strcspn(s, ",");

		if (!len)
			return err_set(err, ERR_USAGE, "a member's name is missing in '%.60s'",
				       list);
		if (*n == MEMBERS_MAX)
			return err_set(err, ERR_LIMIT, "more than %u members", MEMBERS_MAX);
		paths[(*n)++] = arena_strndup(c->arena, s, len);
		s += len;
		if (!*s)
			return true;
	}
}

/* Is the word one of members? A number is a task, and so is a name that no member has. */
static bool is_members(struct ctx *c, const char *word)
{
	static const char *const structs[STRUCTS] = { "struct task_struct", "struct thread_info" };
	const struct type *type;
	struct err ignored;

	for (unsigned i = 0; i < STRUCTS; i++)
		if (type_find(c->t, structs[i], &type, &ignored) &&
		    path_begins(c, type, arena_strndup(c->arena, word, strcspn(word, ",")),
				&ignored))
			return true;
	return false;
}

/* Sorts options and operands into members, which become *ret, and tasks, the operands left. */
static bool task_prepare(struct ctx *c, struct task_opts *ret, struct err *err)
{
	const char **paths = ARENA_ARRAY(c->arena, const char *, MEMBERS_MAX + 1);
	const char **tasks = ARENA_ARRAY(c->arena, const char *, (size_t)c->argc + 1);
	size_t n = 0;
	int left = 0;

	*ret = *(const struct task_opts *)c->opts;
	for (size_t i = 0; ret->members && ret->members[i]; i++)
		if (!paths_add(c, ret->members[i], paths, &n, err))
			return false;
	for (int i = 0; i < c->argc; i++)
		if (!is_members(c, c->argv[i]))
			tasks[left++] = c->argv[i];
		else if (!paths_add(c, c->argv[i], paths, &n, err))
			return false;
	paths[n] = NULL;
	tasks[left] = NULL;
	ret->paths = paths;
	c->argv = tasks;
	c->argc = left;
	return true;
}

static bool task_run(struct ctx *c, struct err *err)
{
	struct task_opts *o = ARENA_NEW(c->arena, struct task_opts);
	struct ctx own = *c;
	struct value_style old;
	bool ok;

	if (!task_prepare(&own, o, err))
		return false;
	own.opts = o;
	old = style_set(c, &o->style);
	ok = each_task(&own, task_show, err);
	style_restore(c, old);
	c->failed |= own.failed;
	c->damaged |= own.damaged;
	return ok;
}

static bool task_each(struct ctx *c, struct value v, struct err *err)
{
	struct task_opts *o = ARENA_NEW(c->arena, struct task_opts);
	const struct task *task;
	struct ctx own = *c;
	struct value_style old;
	bool ok;

	if (!task_prepare(&own, o, err))
		return false;
	if (own.argc)
		return err_set(err, ERR_USAGE, "no task has a member '%.60s'", own.argv[0]);
	own.opts = o;
	old = style_set(c, &o->style);
	ok = task_by_addr(c->t, v.addr, &task, err) && task_show(&own, task, err);
	style_restore(c, old);
	c->failed |= own.failed;
	c->damaged |= own.damaged;
	return ok;
}

static const struct example examples[] = {
	{ "task -R comm,flags init_task", "two members of the first task" },
	{ "task -x --depth 1 | head -20", "of the current task, structs in it as {...}" },
	{ "ps -A | task -R prio,se.on_rq", "of all that ran on a CPU" },
};
const struct command cmd_task = {
	.name = "task",
	.group = "tasks",
	.summary = "a task's task_struct and thread_info",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.operands = "[pid | task | name]... [member[,member]...]",
	.apart = true,
	OPTS(opts),
	.opts_size = sizeof(struct task_opts),
	.emits = (const struct record_kind *const[]){ &task_head_kind, &value_record, NULL },
	.completes = COMPLETE_PID,
	.help = "Shows all members of the current task's task_struct and thread_info, or of those named; with -R only "
		"these members, which may be paths: se.on_rq, cpus_mask.bits[0], mm.pgd, which follows the pointer. A member "
		"is sought in task_struct, then in thread_info. -R may be left out: an operand is the name of a member before "
		"it is that of a task.\n\n"
		"ps lists tasks, set shows the current one, and pick makes a table of members of many.",
	EXAMPLES(examples),
	.run = task_run,
	.each = task_each,
};
