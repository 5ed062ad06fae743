/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stacks: all tasks' stacks at a glance, the same ones once. */
#include "core/obit.h"

enum {
	G_GAP,
	G_COUNT,
	G_HEAD,
	G_BODY,
	G_STATES,
	G_PIDS,
	G_LONGEST,
	G_PANIC,
	G_COMPLETE,
	G_REASON,
	G_FRAMES
};
static const struct record_field group_fields[] = {
	[G_GAP] = { "gap", NULL, CELL_BOOL, FIELD_TEXT, "not the first one" },
	[G_COUNT] = { "count", NULL, CELL_UINT, 0, "tasks that have this stack" },
	[G_HEAD] = { "head", NULL, CELL_STR, FIELD_TEXT, "their states, and who waited longest" },
	[G_BODY] = { "body", NULL, CELL_STR, FIELD_TEXT, "the functions, a line each" },
	[G_STATES] = { "states", NULL, CELL_STRS, FIELD_JSON, "their states, each once" },
	[G_PIDS] = { "pids", NULL, CELL_VALUE, FIELD_JSON, "their pids" },
	[G_LONGEST] = { "longest", NULL, CELL_VALUE, FIELD_JSON,
			"pid and wait_ns of the task that last had a CPU longest ago; null unknown" },
	[G_PANIC] = { "panic", NULL, CELL_BOOL, FIELD_JSON, "the stack that panicked" },
	[G_COMPLETE] = { "complete", NULL, CELL_BOOL, FIELD_JSON, "down to where stacks begin" },
	[G_REASON] = { "reason", NULL, CELL_STR, FIELD_JSON, "why not, else null" },
	[G_FRAMES] = { "frames", NULL, CELL_STRS, FIELD_JSON, "the functions, the newest first" },
};
static const struct record_kind group_kind = {
	.name = "stack_group",
	.doc = "tasks with the same functions on their stacks",
	.layout = LAYOUT_LINE,
	.line = "{?gap:\n}{count} {head}{body}",
	.fields = group_fields,
	.n_fields = sizeof(group_fields) / sizeof(group_fields[0]),
};

struct stacks_opts {
	const char *func, *module, *state;
};
static const struct option opts[] = {
	{ "c", "func", OPTION_STR, offsetof(struct stacks_opts, func),
	  "only stacks with this function; several with commas: any of them" },
	{ "m", "module", OPTION_STR, offsetof(struct stacks_opts, module),
	  "only stacks with a function of this module" },
	{ "t", "state", OPTION_STR, offsetof(struct stacks_opts, state),
	  "only tasks in this state: UN or D, IN or S, ... as in ps" },
};

/* ---- which */

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

/* ---- how they look */

static const struct type int_type = {
	.kind = TYPE_INT, .is_signed = true, .name = "int", .size = 4, .filled = true
};
static const struct type u64_type = {
	.kind = TYPE_INT, .name = "unsigned long long", .size = 8, .filled = true
};

static void put_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static struct value pids_value(struct ctx *c, const struct stack_group *g)
{
	struct type *type = ARENA_NEW(c->arena, struct type);
	uint8_t *p = arena_alloc(c->arena, 4 * g->tasks.n);

	*type = (struct type){ .kind = TYPE_ARRAY,
			       .size = 4 * g->tasks.n,
			       .count = g->tasks.n,
			       .target = &int_type,
			       .filled = true };
	for (size_t i = 0; i < g->tasks.n; i++)
		put_le(p + 4 * i, (uint32_t)g->tasks.p[i]->pid, 4);
	return value_bytes(type, p, 0);
}

static struct value longest_value(struct ctx *c, const struct stack_group *g)
{
	struct type *type = ARENA_NEW(c->arena, struct type);
	struct member *m = ARENA_ARRAY(c->arena, struct member, 2);
	uint8_t *p = arena_alloc(c->arena, 16);

	m[0] = (struct member){ .name = "pid", .type = &int_type };
	m[1] = (struct member){ .name = "wait_ns", .type = &u64_type, .bit_off = 64 };
	*type = (struct type){
		.kind = TYPE_STRUCT, .size = 16, .members = m, .n_members = 2, .filled = true
	};
	put_le(p, (uint32_t)g->longest->pid, 4);
	put_le(p + 8, g->wait_ns, 8);
	return value_bytes(type, p, 0);
}

/* "IN 12, UN 3"; and each state once. */
static size_t count_states(struct ctx *c, const struct stack_group *g, struct buf *b,
			   const char ***ret)
{
	enum {
		STATES_MAX = 16
	};
	const char **states = ARENA_ARRAY(c->arena, const char *, STATES_MAX);
	size_t counts[STATES_MAX] = { 0 }, n = 0;

	for (size_t i = 0; i < g->tasks.n; i++) {
		size_t k = 0;

		while (k < n && strcmp(states[k], g->tasks.p[i]->state) != 0)
			k++;
		if (k == STATES_MAX)
			continue;
		if (k == n)
			states[n++] = g->tasks.p[i]->state;
		counts[k]++;
	}
	for (size_t k = 0; k < n; k++)
		buf_printf(b, n > 1 ? "%s%s %zu" : "%s%s", k ? ", " : "", states[k], counts[k]);
	*ret = states;
	return n;
}

static const char *head_text(struct ctx *c, const struct stack_group *g, struct record *r)
{
	const struct task *one = g->longest ? g->longest : g->tasks.p[0];
	const char **states, *text;
	struct buf b = { 0 };
	size_t n;

	buf_str(&b, g->tasks.n == 1 ? "task, " : "tasks, ");
	n = count_states(c, g, &b, &states);
	record_strs(r, G_STATES, states, n);
	if (g->longest)
		buf_printf(&b, "; %s %d \"%s\", %llu.%03u s", g->tasks.n == 1 ? "pid" : "longest",
			   one->pid, one->comm, (unsigned long long)(g->wait_ns / 1000000000),
			   (unsigned)(g->wait_ns / 1000000 % 1000));
	else
		buf_printf(&b, "; pid %d \"%s\"%s", one->pid, one->comm,
			   g->tasks.n > 1 ? " and others"
			   : one->active  ? ", running"
					  : "");
	if (g->panic)
		buf_str(&b, "; it panicked");
	text = arena_strndup(c->arena, buf_text(&b), b.n);
	buf_release(&b);
	return text;
}

static void emit_group(struct ctx *c, const struct stack_group *g, bool gap)
{
	const char **names = ARENA_ARRAY(c->arena, const char *, g->n + 1);
	struct buf b = { 0 };
	struct record r;

	record_init(&r, &group_kind);
	for (size_t i = 0; i < g->n; i++) {
		const struct stack_func *f = g->funcs[i];

		names[i] = f->name ? f->name
				   : arena_printf(c->arena, "0x%llx", (unsigned long long)f->addr);
		buf_printf(&b, f->module ? "\n    %s [%s]" : "\n    %s", names[i], f->module);
	}
	record_bool(&r, G_GAP, gap);
	record_uint(&r, G_COUNT, g->tasks.n);
	record_str(&r, G_HEAD, head_text(c, g, &r));
	record_strn(&r, G_BODY, arena_strndup(c->arena, buf_text(&b), b.n), b.n);
	record_value(&r, G_PIDS, pids_value(c, g));
	if (g->longest)
		record_value(&r, G_LONGEST, longest_value(c, g));
	record_bool(&r, G_PANIC, g->panic);
	record_bool(&r, G_COMPLETE, g->complete);
	if (!g->complete)
		record_str(&r, G_REASON, arena_strdup(c->arena, g->end.msg));
	record_strs(&r, G_FRAMES, names, g->n);
	emit(c, &r);
	buf_release(&b);
	if (!g->complete)
		note(c, &g->end);
}

/* ---- */

static struct stack_groups *groups_of(struct ctx *c)
{
	if (!c->state) {
		c->state = ARENA_NEW(c->arena, struct stack_groups);
		stack_groups_init(c->state, c->t);
	}
	return c->state;
}

static bool show(struct ctx *c, struct stack_groups *g, struct err *err)
{
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
			emit_group(c, group, some);
		some = true;
	}
	return true;
}

static bool stacks_finish(struct ctx *c, struct err *err)
{
	struct stack_groups *g = groups_of(c);
	bool ok = show(c, g, err);

	stack_groups_release(g);
	return ok;
}

static bool add_all(struct ctx *c, const char *word, struct err *err)
{
	struct stack_groups *g = groups_of(c);
	const struct task *const *tasks;
	size_t n;

	if (!tasks_match(c->t, word, false, &tasks, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!interrupt_check(err))
			return false;
		if (wanted_task(c->opts, tasks[i]))
			stack_groups_add(g, tasks[i]);
	}
	return true;
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

static const struct record_kind *const emits[] = { &group_kind, NULL };
static const struct example examples[] = {
	{ "stacks", "what everybody was doing" },
	{ "stacks -t IN", "who slept interruptibly, and where" },
	{ "stacks -c do_wait", "who waits for a child" },
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
	.operands = "[pid | task | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct stacks_opts),
	.emits = emits,
	.completes = COMPLETE_PID,
	.help = "Prints each stack that tasks were in once, with how many tasks have it, their states, and "
		"which of them last had a CPU longest ago. The commonest comes first; behind those whose end is "
		"known come those that could not be followed to their end, by reason, and the stack that "
		"panicked is the last.\n\n"
		"Two stacks are the same when they have the same functions. Without operands it takes all "
		"tasks, behind a | those that come; before a | of an obit command it yields the tasks of the "
		"stacks it would show.",
	EXAMPLES(examples),
	.run = stacks_run,
	.each = stacks_each,
	.finish = stacks_finish,
};
