/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreach: runs a command for each of the tasks that were chosen. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/records/task_record.h"
#include "core/shell/relay.h"
#include "core/shell/subcommand.h"

enum {
	ONE_PID,
	ONE_TASK,
	ONE_CPU,
	ONE_COMM
};
static const struct record_field one_fields[] = {
	[ONE_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[ONE_TASK] = { "task", NULL, CELL_ADDR, 0, "address of the task_struct" },
	[ONE_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU it runs or last ran on" },
	[ONE_COMM] = { "comm", NULL, CELL_STR, 0, "name" },
};
static const struct record_kind one_kind = {
	.name = "task_head",
	.doc = "the task that the following is of, where the command does not say it itself",
	.layout = LAYOUT_LINE,
	.line = TASK_WHO,
	.fields = one_fields,
	.n_fields = sizeof(one_fields) / sizeof(one_fields[0]),
};

/* ---- which tasks */

#define STATES_MAX 16

struct foreach_choice {
	bool kernel, user, active, leader, named;
	const char *states[STATES_MAX];
	size_t n_states;
	struct map chosen; /* task_struct, by name */
};

static bool chosen(const struct foreach_choice *ch, const struct task *task)
{
	bool state = !ch->n_states;

	for (size_t i = 0; i < ch->n_states; i++)
		state = state || !strcmp(ch->states[i], task->state);
	if (!state || (ch->active && !task->active))
		return false;
	if (ch->leader && (task->pid != task->tgid || (task_is_kernel(task) && !ch->kernel)))
		return false;
	if ((ch->kernel || ch->user) && !(task_is_kernel(task) ? ch->kernel : ch->user))
		return false;
	return !ch->named || map_get(&ch->chosen, task->addr);
}

static bool choose_named(struct ctx *c, struct foreach_choice *ch, const char *word, bool regex,
			 struct err *err)
{
	const struct task *const *found;
	size_t n;

	if (!tasks_meant(c, word, regex, &found, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		map_put(&ch->chosen, found[i]->addr, NULL);
	ch->named = true;
	return true;
}

static bool choose(struct ctx *c, struct foreach_choice *ch, const char *word, bool quoted,
		   struct err *err)
{
	if (!quoted && !strcmp(word, "kernel"))
		ch->kernel = true;
	else if (!quoted && !strcmp(word, "user"))
		ch->user = true;
	else if (!quoted && !strcmp(word, "active"))
		ch->active = true;
	else if (!quoted && !strcmp(word, "gleader"))
		ch->leader = true;
	else if (quoted || !task_is_state(word))
		return choose_named(c, ch, word, quoted, err);
	else if (ch->n_states < STATES_MAX)
		ch->states[ch->n_states++] = word;
	return true;
}

/* ---- the command */

static void emit_one(struct ctx *c, const struct task *task)
{
	struct record r;

	record_init(&r, &one_kind);
	record_int(&r, ONE_PID, task->pid);
	record_uint(&r, ONE_TASK, task->addr);
	if (task->cpu >= 0)
		record_int(&r, ONE_CPU, task->cpu);
	record_str(&r, ONE_COMM, task->comm);
	emit(c, &r);
}

/* So many tasks are a part, which one process does. */
#define PART_TASKS 16u

struct foreach_run {
	struct ctx *c;
	struct subcommand sub;
	const struct task **tasks;
	size_t n;
	bool head;
	uint64_t shown; /* records of the session before the first task's */
};

static bool run_one(struct foreach_run *run, const struct task *task, struct err *err)
{
	struct err why;

	if (!interrupt_check(err))
		return false;
	if (run->head)
		emit_one(run->c, task);
	if (subcommand_run(&run->sub, task, &why))
		return true;
	if (why.code == ERR_INTR || why.code == ERR_USAGE) {
		*err = why;
		return false;
	}
	err_wrap(&why, "task %d", task->pid);
	complain(run->c, &why);
	return true;
}

static bool run_part(struct relay *r, size_t i, void *arg, struct err *err)
{
	struct foreach_run *run = arg;
	size_t end = (i + 1) * PART_TASKS < run->n ? (i + 1) * PART_TASKS : run->n;

	(void)r;
	for (size_t k = i * PART_TASKS; k < end; k++)
		if (!run_one(run, run->tasks[k], err))
			return false;
	return true;
}

static void name_part(struct buf *b, size_t i, void *arg)
{
	const struct foreach_run *run = arg;
	size_t first = i * PART_TASKS, last = first + PART_TASKS - 1;

	last = last < run->n ? last : run->n - 1;
	buf_printf(b, "tasks %d to %d are missing", run->tasks[first]->pid, run->tasks[last]->pid);
}

/* What a command does before the second thing that it shows, it may do once. */
static bool run_ready(void *arg)
{
	const struct foreach_run *run = arg;

	return run->c->s->told != run->shown;
}

static bool run_all(struct ctx *c, const struct foreach_choice *ch, const char *line,
		    struct err *err)
{
	struct foreach_run run = { .c = c, .shown = c->s->told };
	struct relay relay = { .c = c,
			       .inner = &run.sub.ctx,
			       .part = run_part,
			       .name = name_part,
			       .ready = run_ready,
			       .arg = &run };
	const struct task *const *all;
	size_t n;

	if (!subcommand_prepare(c, line, &run.sub, err) ||
	    !tasks_match(c->t, NULL, false, &all, &n, err))
		return false;
	run.tasks = ARENA_ARRAY(c->arena, const struct task *, n + 1);
	for (size_t i = 0; i < n; i++)
		if (chosen(ch, all[i]))
			run.tasks[run.n++] = all[i];
	/* set says itself whose it is */
	run.head = !run.sub.takes_tasks && strcmp(run.sub.ctx.cmd->name, "set") != 0;
	relay.n = (run.n + PART_TASKS - 1) / PART_TASKS;
	relay.alone = !run.sub.ctx.cmd->apart;
	return relay_run(&relay, err) && subcommand_finish(&run.sub, err);
}

/* The words up to the first that names a command choose; quoted ones never name one. */
static bool foreach_run(struct ctx *c, struct err *err)
{
	const char *rest = c->rest, *line = NULL;
	struct foreach_choice ch = { 0 };
	bool ok = true;

	for (int i = 0; ok && !line && i < c->argc; i++) {
		const char *at = strstr(rest, c->argv[i]);
		bool quoted = at && at > c->rest && (at[-1] == '\'' || at[-1] == '"');

		if (!quoted && at && command_find(c->argv[i])) {
			line = at;
			break;
		}
		ok = choose(c, &ch, c->argv[i], quoted, err);
		if (at)
			rest = at + strlen(c->argv[i]);
	}
	if (ok && !line)
		ok = err_set(err, ERR_USAGE, "which command? 'foreach UN bt'");
	ok = ok && run_all(c, &ch, line, err);
	map_release(&ch.chosen);
	return ok;
}

static const struct record_kind *const emits[] = { &one_kind, NULL };
static const struct example examples[] = {
	{ "foreach IN bt", "where everybody in interruptible sleep waits" },
	{ "foreach active bt -l", "what the CPUs ran, with source lines" },
	{ "foreach user set", "every user task, as the current one is shown" },
	{ "foreach gleader ps", "every program once, and not each of its threads" },
	{ "foreach active p jiffies", "any command, each task being the current one" },
	{ "foreach 'kworker.*' bt", "workers by their names" },
};
static const char *const aliases[] = { "for", NULL };
const struct command cmd_foreach = {
	.name = "foreach",
	.aliases = aliases,
	.group = "tasks",
	.summary = "a command for each of many tasks",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands =
		"[state | kernel | user | active | gleader | pid | task | name | 'regex']... command [argument]...",
	.carries = true,
	.emits = emits,
	.none = "no such task, or nothing to say of any",
	.completes = COMPLETE_COMMAND | COMPLETE_PID,
	.help = "Runs a command once for each task, by pid. The words before the command choose the tasks: all "
		"of those given by pid, address, name or regular expression, or every task; of these those in one "
		"of the states (RU, IN, UN, ... as in ps), kernel threads or user tasks, those that ran on a CPU, "
		"programs' leaders of thread groups (gleader).\n\n"
		"A command that takes tasks behind a | (bt, ps) takes each; for any other the task is made the "
		"current one, and a line that names it comes first.",
	EXAMPLES(examples),
	.run = foreach_run,
};
