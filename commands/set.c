/* SPDX-License-Identifier: GPL-3.0-or-later */
/* set: the current task, and the session's variables. */
#include <string.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/shell/setting.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

enum {
	SET_PID,
	SET_COMM,
	SET_TASK,
	SET_CPU,
	SET_STATE,
	SET_FIELDS
};
static void quoted(struct buf *b, const struct sink *k, const struct record *r,
		   const struct cell *cell)
{
	(void)k, (void)r;
	buf_printf(b, "\"%s\"", cell->str.s);
}

static const struct record_field context_fields[SET_FIELDS] = {
	[SET_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[SET_COMM] = { "comm", "COMMAND", CELL_STR, 0, "name of the task", .text = quoted },
	[SET_TASK] = { "task", NULL, CELL_ADDR, 0, "address of its task_struct" },
	[SET_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU it is or was last on" },
	[SET_STATE] = { "state", NULL, CELL_STR, 0,
			"RU, IN, UN, ... as in ps; with (ACTIVE), (PANIC)" },
};
static const struct record_kind context_kind = { "context", "the current task", LAYOUT_PAIRS,
						 NULL,      context_fields,     SET_FIELDS };

enum {
	VAR_NAME,
	VAR_VALUE,
	VAR_DOC,
	VAR_FIELDS
};
static const struct record_field variable_fields[VAR_FIELDS] = {
	[VAR_NAME] = { "name", "VARIABLE", CELL_STR, 0, "name" },
	[VAR_VALUE] = { "value", NULL, CELL_STR, 0, "value" },
	[VAR_DOC] = { "doc", "MEANING", CELL_STR, 0, "what it does" },
};
static const struct record_kind variable_kind = { "variable",      "a variable of the session",
						  LAYOUT_TABLE,    NULL,
						  variable_fields, VAR_FIELDS };
static const struct record_kind *const set_emits[] = { &context_kind, &variable_kind, NULL };

struct set_opts {
	bool panic, variables;
	const char *cpu;
};

static bool set_context(struct ctx *c, const struct task *task)
{
	const struct task *panicked;
	const char *how;
	struct err ignored;
	struct record r;
	bool died = task_panic(c->t, &panicked, &how, &ignored) && panicked->addr == task->addr;

	c->s->task = task->addr;
	expr_current_set(c->t, task->addr);
	record_init(&r, &context_kind);
	record_int(&r, SET_PID, task->pid);
	record_str(&r, SET_COMM, task->comm);
	record_uint(&r, SET_TASK, task->addr);
	record_int(&r, SET_CPU, task->cpu);
	record_str(&r, SET_STATE,
		   arena_printf(c->arena, "%s%s", task->state,
				died           ? " (PANIC)"
				: task->active ? " (ACTIVE)"
					       : ""));
	emit(c, &r);
	return true;
}

/* A pid, or the address of a task_struct. */
static bool set_task(struct ctx *c, const char *word, const struct task **ret, struct err *err)
{
	uint64_t n;

	if (parse_number(word, false, &n) && n <= INT32_MAX)
		return task_by_pid(c->t, (int)n, ret, err);
	return stage_place(c, word, &n, err) && task_by_addr(c->t, n, ret, err);
}

static void show_variable(struct ctx *c, const char *name, const char *value, const char *doc)
{
	struct record r;

	record_init(&r, &variable_kind);
	record_str(&r, VAR_NAME, name);
	record_str(&r, VAR_VALUE, value);
	record_str(&r, VAR_DOC, doc);
	emit(c, &r);
}

static void show_variables(struct ctx *c)
{
	const struct session *s = c->s;

	show_variable(c, "ascii", s->ascii ? "on" : "off", "what is not ASCII is escaped");
	show_variable(c, "color", color_words[s->color],
		      "when text is coloured; auto: on a terminal, without $NO_COLOR");
	show_variable(c, "depth",
		      s->sink.style.depth ? arena_printf(c->arena, "%u", s->sink.style.depth)
					  : "all",
		      "levels of structs in structs that are printed");
	show_variable(c, "jobs", s->t->jobs ? arena_printf(c->arena, "%u", s->t->jobs) : "all",
		      "processes that work on one question; all: one for each CPU");
	show_variable(c, "json", s->sink.ops->for_people ? "off" : "on", "records as JSON lines");
	show_variable(c, "links", s->links ? "on" : "off",
		      "places in sources are links, where the terminal can and --source has them");
	show_variable(c, "radix", s->radix == 16 ? "16" : "10",
		      "base in which integers are printed");
	show_variable(c, "scroll", s->pager ? "on" : "off", "long output goes through a pager");
}

/* "radix 16", "scroll off"; *known is false when there is no such variable. */
static bool set_variable(struct ctx *c, const char *name, const char *value, bool *known,
			 struct err *err)
{
	bool on = value && !strcmp(value, "on"), off = value && !strcmp(value, "off");
	bool radix = !strcmp(name, "radix"), json = !strcmp(name, "json");

	bool depth = !strcmp(name, "depth");
	uint64_t levels = 0;

	*known = true;
	if (setting_take(c->s, name, value, err))
		return true;
	if (err->code != ERR_NOTFOUND)
		return false;
	*known = depth || radix || json || !strcmp(name, "scroll");
	if (!*known)
		return false;
	if (depth) {
		if (!value || (strcmp(value, "all") != 0 && (!parse_number(value, false, &levels) ||
							     !levels || levels > DEPTH_MAX)))
			return err_set(err, ERR_USAGE, "'depth' is all, or 1 to %u", DEPTH_MAX);
		session_depth(c->s, (unsigned)levels);
		return true;
	}
	if (radix) {
		if (!value || (strcmp(value, "10") != 0 && strcmp(value, "16") != 0))
			return err_set(err, ERR_USAGE, "'radix' is 10 or 16");
		session_radix(c->s, value[1] == '6' ? 16 : 10);
		return true;
	}
	if (!on && !off)
		return err_set(err, ERR_USAGE, "'%s' is on or off", name);
	if (json && off && c->s->confined)
		return err_set(err, ERR_USAGE, "'json' stays on here");
	if (json)
		session_json(c->s, on);
	else
		c->s->pager = on;
	return true;
}

static bool set_run(struct ctx *c, struct err *err)
{
	const struct set_opts *o = c->opts;
	const struct task *task;
	const char *how;
	uint64_t cpu;
	bool known;

	if (o->variables) {
		show_variables(c);
		return true;
	}
	if (c->argc > 2 || (c->argc && (o->cpu || o->panic)))
		return err_set(err, ERR_USAGE, "'%.60s' is too much", c->argv[c->argc - 1]);
	if (c->argc && set_variable(c, c->argv[0], c->argc > 1 ? c->argv[1] : NULL, &known, err))
		return true;
	if (c->argc && known)
		return false;
	if (c->argc > 1)
		return err_set(err, ERR_USAGE, "no variable '%.60s'; 'set -v' lists them",
			       c->argv[0]);
	if (!mem_loaded(c->t))
		return err_set(err, ERR_NEED, "tasks need a dump: give the vmcore");
	if (o->panic)
		return task_panic(c->t, &task, &how, err) && set_context(c, task);
	if (o->cpu) {
		if (!parse_number(o->cpu, false, &cpu) || cpu >= CPUS_MAX)
			return err_set(err, ERR_USAGE, "'%.60s' is not a CPU", o->cpu);
		return task_on_cpu(c->t, (unsigned)cpu, &task, err) && set_context(c, task);
	}
	if (c->argc)
		return set_task(c, c->argv[0], &task, err) && set_context(c, task);
	return session_task(c->s, &task, err) && set_context(c, task);
}

static const struct option set_options[] = {
	{ "c", "cpu", OPTION_STR, offsetof(struct set_opts, cpu),
	  "the task that is active on a CPU" },
	{ "p", NULL, OPTION_FLAG, offsetof(struct set_opts, panic), "the task that panicked" },
	{ "v", NULL, OPTION_FLAG, offsetof(struct set_opts, variables), "show the variables" },
};
static const struct example set_examples[] = {
	{ "set", "the current task; the one that panicked until another is set" },
	{ "set 1", "makes pid 1 the current task" },
	{ "set -v", "the variables and their values" },
	{ "set depth 1", "structs in structs as {...} from now on" },
	{ "set color never", "no colours from now on" },
	{ "set radix 16", "integers in hexadecimal from now on; 'hex' is an alias for it" },
};

const struct command cmd_set = {
	.name = "set",
	.group = "session",
	.summary = "set the current task or a variable",
	.operands = "[pid | task | variable value]",
	OPTS(set_options),
	.opts_size = sizeof(struct set_opts),
	.emits = set_emits,
	.completes = COMPLETE_PID | COMPLETE_VARIABLE,
	.help = "The current task is what bt and others show when no task is named: the one that "
		"panicked, until another is set by its pid, by the address of its task_struct, or by the "
		"CPU it was active on. Without operands, shows it.\n"
		"\n"
		"Variables: ascii (on, off: what is not ASCII is escaped), color (auto, always, never), depth (all, 1 ...), jobs (all, 1 ...: how many processes work on one question), json (on, off), links (on, off: places in sources are links on a terminal), radix (10, 16), scroll (on, off: the pager). They are kept "
		"for a session; set them in ~/.obitrc to have them at every prompt; ascii, color, jobs and links may stand in ~/.config/obit/config, too.",
	EXAMPLES(set_examples),
	.run = set_run,
};
