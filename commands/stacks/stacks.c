/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks: all tasks' stacks at a glance, the same ones once. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/linux/stack/stack_group.h"
#include "core/records/task_record.h"
#include "core/records/stack_record.h"

struct stacks_opts {
	const char *func, *module, *state;
	bool lines;
};
static const struct option opts[] = {
	{ "c", "func", OPTION_STR, offsetof(struct stacks_opts, func),
	  "only stacks with this function; several with commas: any of them" },
	{ "m", "module", OPTION_STR, offsetof(struct stacks_opts, module),
	  "only stacks with a function of this module" },
	{ "t", "state", OPTION_STR, offsetof(struct stacks_opts, state),
	  "only tasks in this state: UN or D, IN or S, ... as in ps" },
	{ "l", NULL, OPTION_FLAG, offsetof(struct stacks_opts, lines),
	  "source lines and inlined functions; stacks are the same only at the same places" },
};

/* Is name one of a comma-separated list? What the compiler adds behind a '.' does not count. */
static bool listed(const char *list, const char *name)
{
	size_t len = name ? strcspn(name, ".") : 0;

	for (const char *s = list; name && *s; s += strspn(s, ",")) {
		size_t n = strcspn(s, ",");

		if (n && (!strncmp(s, name, n) && (n == len || !name[n])))
			return true;
		s += n;
	}
	return false;
}

/* Each of the states that -t names is one in two letters, or in the kernel's one. */
static bool stacks_types(struct ctx *c, struct err *err)
{
	const struct stacks_opts *o = c->opts;
	struct err ignored;

	for (const char *s = o->state ? o->state : ""; *s; s += strspn(s, ",")) {
		size_t n = strcspn(s, ",");

		if (!(n == 1 && strchr("RSDTtXZPI", *s)) &&
		    !task_is_state(arena_strndup(c->arena, s, n)))
			return err_set(err, ERR_USAGE, "'%.*s' is no state of tasks: UN or D, ...",
				       n > 40 ? 40 : (int)n, s);
		s += n;
	}
	if (!type_find(c->t, "struct task_struct", &c->out_type, &ignored))
		c->out_type = NULL;
	return true;
}

static bool wanted_task(const struct stacks_opts *o, const struct task *task)
{
	const char letter[] = { task->letter, '\0' };

	return !o->state || listed(o->state, task->state) || listed(o->state, letter);
}

static bool wanted_group(const struct stacks_opts *o, const struct stack_group *g)
{
	bool func = !o->func, module = !o->module;

	for (size_t i = 0; i < g->n; i++) {
		func = func || listed(o->func, g->funcs[i]->name);
		module = module || listed(o->module, g->funcs[i]->module);
	}
	return func && module;
}

static struct stack_groups *groups_of(struct ctx *c)
{
	if (!c->state) {
		c->state = ARENA_NEW(c->arena, struct stack_groups);
		stack_groups_init(c->state, c->t);
		((struct stack_groups *)c->state)->by_place =
			((const struct stacks_opts *)c->opts)->lines;
	}
	return c->state;
}

static bool stacks_show(struct ctx *c, struct stack_groups *g, struct err *err)
{
	const struct stacks_opts *o = c->opts;
	const struct type *type;
	bool some = false;

	if (piped(c) && !type_find(c->t, "struct task_struct", &type, err))
		return false;
	stack_groups_sort(g);
	for (size_t i = 0; i < g->all.n; i++) {
		const struct stack_group *group = g->all.p[i];

		if (!wanted_group(c->opts, group))
			continue;
		if (!interrupt_check(err))
			return false;
		for (size_t k = 0; piped(c) && k < group->tasks.n; k++)
			if (!yield(c, value_ref(type, group->tasks.p[k]->addr), err))
				return false;
		if (!piped(c))
			emit_stack_group(c, group, o->lines, some);
		some = true;
	}
	return true;
}

static bool stacks_finish(struct ctx *c, struct err *err)
{
	struct stack_groups *g = groups_of(c);
	bool ok = stacks_show(c, g, err);

	stack_groups_release(g);
	return ok;
}

static bool add_all(struct ctx *c, const char *word, struct err *err)
{
	struct stack_groups *g = groups_of(c);
	const struct task *const *tasks, **wanted;
	size_t n, n_wanted = 0;

	if (!tasks_meant(c, word, false, &tasks, &n, err))
		return false;
	wanted = ARENA_ARRAY(c->arena, const struct task *, n + 1);
	for (size_t i = 0; i < n; i++)
		if (wanted_task(c->opts, tasks[i]))
			wanted[n_wanted++] = tasks[i];
	return stack_groups_add_all(g, wanted, n_wanted, err);
}

static bool stacks_run(struct ctx *c, struct err *err)
{
	bool ok = c->argc || add_all(c, NULL, err);

	for (int i = 0; ok && i < c->argc; i++) {
		struct err why;

		if (!add_all(c, c->argv[i], &why))
			complain(c, &why);
		ok = interrupt_check(err);
	}
	if (ok)
		return stacks_finish(c, err);
	stack_groups_release(groups_of(c));
	return false;
}

static bool stacks_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	if (!task_by_addr(c->t, v.addr, &task, err))
		return false;
	if (wanted_task(c->opts, task))
		stack_groups_add(groups_of(c), task);
	return true;
}

static const struct record_kind *const emits[] = { &stack_group_kind, NULL };
static const struct example examples[] = {
	{ "stacks", "what everybody was doing" },
	{ "stacks -t IN", "who slept interruptibly, and where" },
	{ "stacks -c do_wait", "who waits for a child" },
	{ "stacks -l", "with source lines, of stacks at the very same places" },
	{ "ps -u | stacks", "user tasks only" },
	{ "stacks -c do_wait | ps", "the tasks themselves" },
};
const struct command cmd_stacks = {
	.name = "stacks",
	.group = "tasks",
	.summary = "all stacks, the same ones once",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.in = "struct task_struct",
	.out = "struct task_struct",
	.types = stacks_types,
	.operands = "[pid | task | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct stacks_opts),
	.emits = emits,
	.none = "no such stack",
	.completes = COMPLETE_PID,
	.help = "Prints each stack that tasks were in once, with how many tasks have it, their states, and "
		"which of them last had a CPU longest ago. The commonest comes first; behind those whose end is "
		"known come those that could not be followed to their end, by reason, and the stack that "
		"panicked is the last.\n\n"
		"Two stacks are the same when they have the same functions; with -l, when they are at the same "
		"places of these. Without operands it takes all "
		"tasks, behind a | those that come; before a | of an obit command it yields the tasks of the "
		"stacks it would show.",
	EXAMPLES(examples),
	.run = stacks_run,
	.each = stacks_each,
	.finish = stacks_finish,
};
