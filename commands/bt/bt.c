/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bt: backtraces of tasks; every frame says how it was found. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/value.h"
#include "core/linux/stack/stack_walk.h"
#include "core/records/regs_record.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "core/unwind/unwind.h"
#include "commands/bt/frame_record.h"
#include "commands/bt/user_record.h"
#include "commands/bt/variable_record.h"

struct bt_opts {
	bool active, group, lines, variables, offsets, scan, all, entries, raw, contents, symbols,
		text, whole, user, hex, dec;
	const char *cpus, *without, *reference, *sysroot, *pc, *sp;
	uint64_t max;
};
static const struct option opts[] = {
	OPT_FLAG("a", struct bt_opts, active, "the active task of every CPU"),
	OPT_STR("c", "cpus", struct bt_opts, cpus, "the active tasks of these CPUs: 0,2-3"),
	OPT_STR("n", "idle", struct bt_opts, without, "with -a: without CPUs that were idle"),
	OPT_FLAG("g", struct bt_opts, group,
		 "every thread of the task's thread group, its leader first"),
	OPT_STR("R", "ref", struct bt_opts, reference,
		"only stacks that refer to it: a function on it, or an address in its words"),
	OPT_FLAG("l", struct bt_opts, lines, "source lines, inlined functions and tail calls"),
	OPT_FLAG("v", struct bt_opts, variables,
		 "arguments and locals of each function, as far as they can be proven"),
	OPT_FLAG("s", struct bt_opts, offsets, "offsets in functions"),
	OPT_FLAG("x", struct bt_opts, hex, "with -s: these offsets in hexadecimal"),
	OPT_FLAG("d", struct bt_opts, dec, "with -s: in decimal, whatever set radix says"),
	OPT_STR("I", "address", struct bt_opts, pc, "begin at this code, with -S's stack pointer"),
	OPT_STR("S", "address", struct bt_opts, sp,
		"begin with this stack pointer; without -I it is where a return address lies"),
	OPT_FLAG("e", struct bt_opts, entries, "only frames that saved registers, with these"),
	OPT_FLAG("f", struct bt_opts, contents, "the words of each frame"),
	OPT_FLAG("F", struct bt_opts, symbols,
		 "the same, functions, variables and slab objects by name"),
	OPT_FLAG("r", struct bt_opts, raw, "every word of the task's stack"),
	OPT_FLAG(
		"t", struct bt_opts, text,
		"everything that may be a return address from where the task stood on; a guess each"),
	OPT_FLAG("T", struct bt_opts, whole,
		 "the same of the whole stack, with what calls before that one left behind"),
	OPT_FLAG(
		"u", struct bt_opts, user,
		"where its program was: the registers at the entry to the kernel, and its own stack"),
	OPT_STR("sysroot", "folder", struct bt_opts, sysroot,
		"with -u: a folder that has the files the program had mapped, for their frame tables"),
	OPT_UINT("max", "frames", struct bt_opts, max, "at most so many frames"),
	OPT_FLAG("scan", struct bt_opts, scan,
		 "where the chain ends early, go on with guesses from the stack, each marked '?'"),
	OPT_FLAG("all", struct bt_opts, all,
		 "what ran after the death too: the frames above panic or the exception"),
};

/* A bt on its way: of one command line, or of one stage. */
struct bt {
	bool some;        /* one was shown */
	bool has_address; /* -R: an address, otherwise a function's name */
	uint64_t address, pc, sp;
};

static struct bt *bt_of(struct ctx *c)
{
	const struct bt_opts *o = c->opts;
	struct bt *bt = c->state;
	struct err ignored;

	if (bt)
		return bt;
	c->state = bt = ARENA_NEW(c->arena, struct bt);
	if (o->reference)
		bt->has_address = stage_place(c, o->reference, &bt->address, &ignored);
	return bt;
}

static void backtrace(struct ctx *c, const struct task *task)
{
	const struct bt_opts *o = c->opts;
	const struct frame_style style = { .lines = o->lines,
					   .variables = o->variables,
					   .offsets = o->offsets,
					   .hex = o->hex || (!o->dec && c->s->radix == 16),
					   .machinery = o->all,
					   .entries = o->entries,
					   .contents = o->contents || o->symbols,
					   .symbols = o->symbols,
					   .max = o->max };
	struct bt *bt = bt_of(c);
	const struct walk_style walk = { .scan = o->scan,
					 .registers = o->variables,
					 .max = o->max,
					 .has_pc = o->pc,
					 .has_sp = o->sp,
					 .pc = bt->pc,
					 .sp = bt->sp };
	struct unwind_result u;

	if (o->user) {
		emit_user_stack(c, task, o->sysroot, o->max);
		return;
	}
	task_backtrace(c->t, task, &walk, &u);
	if (o->reference &&
	    !stack_refers(c->t, &u, o->reference, bt->has_address ? &bt->address : NULL))
		return;
	if (task->addr && o->raw)
		emit_stack_raw(c, task, bt->some);
	else if (task->addr && (o->text || o->whole))
		emit_stack_guesses(c, task, o->whole ? NULL : &u, &style, bt->some);
	else
		emit_backtrace(c, task, &u, &style, bt->some);
	bt->some = true;
}

/* ---- whose */

/* Without types, or where the task cannot be read, no task is known, but the registers of the
 * dump's notes are. */
static bool backtrace_notes(struct ctx *c, bool all, struct err *err)
{
	const struct task *tasks;
	size_t n;

	if (!tasks_of_notes(c->t, all, &tasks, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		backtrace(c, &tasks[i]);
		if (!interrupt_check(err))
			return false;
	}
	return true;
}

static bool one_cpu(unsigned cpu, void *arg)
{
	struct ctx *c = arg;
	const struct bt_opts *o = c->opts;
	const struct task *task;
	struct err err;

	if (task_on_cpu(c->t, cpu, &task, &err)) {
		if (task->pid || !o->without)
			backtrace(c, task);
	} else {
		err_wrap(&err, "CPU %u", cpu);
		note(c, &err);
	}
	return interrupt_check(&err);
}

static bool one_task(struct ctx *c, const struct task *task, struct err *err)
{
	const struct bt_opts *o = c->opts;
	const struct task *const *all;
	size_t n;

	if (!o->group) {
		backtrace(c, task);
		return interrupt_check(err);
	}
	if (!tasks_of_group(c->t, task, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		backtrace(c, all[i]);
		if (!interrupt_check(err))
			return false;
	}
	return true;
}

/* The task that the session is about; where it cannot be read, what its CPU's registers tell. */
static bool current_task(struct ctx *c, struct err *err)
{
	const struct task *task;
	struct err other;

	if (session_task(c->s, &task, err))
		return one_task(c, task, err);
	if (!c->t->cpus.n || err->code == ERR_INTR)
		return false;
	note(c, err);
	return backtrace_notes(c, false, &other) || (err_wrap(err, "%s", other.msg), false);
}

static bool operand(struct ctx *c, const char *word, struct err *err)
{
	const struct task *const *found;
	size_t n;

	if (!tasks_meant(c, word, false, &found, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!one_task(c, found[i], err))
			return false;
	return true;
}

static bool bt_check(struct ctx *c, struct err *err)
{
	const struct bt_opts *o = c->opts;

	if ((o->active || o->cpus) && c->argc)
		return err_set(err, ERR_USAGE,
			       "-a and -c choose the tasks: no pid or address beside them");
	if (o->without && strcmp(o->without, "idle") != 0)
		return err_set(err, ERR_USAGE, "-n knows 'idle', not '%.40s'", o->without);
	if ((o->pc || o->sp) && (o->active || o->cpus || o->group || o->user || c->argc > 1))
		return err_set(err, ERR_USAGE, "-I and -S begin one task's walk");
	if (o->sysroot && !o->user)
		return err_set(err, ERR_USAGE, "--sysroot is for -u");
	if (!types_available(c->t) &&
	    (c->argc || o->cpus || o->group || o->raw || o->text || o->whole || o->user))
		return err_set(err, ERR_NEED,
			       "without types only the registers of CPUs are known (bt -a): "
			       "give the vmlinux of this dump");
	return true;
}

static bool bt_run(struct ctx *c, struct err *err)
{
	const struct bt_opts *o = c->opts;
	unsigned n;

	struct bt *bt;

	if (!bt_check(c, err))
		return false;
	bt = bt_of(c);
	if ((o->pc && !stage_place(c, o->pc, &bt->pc, err)) ||
	    (o->sp && !stage_place(c, o->sp, &bt->sp, err)))
		return false;
	if (!types_available(c->t))
		return backtrace_notes(c, o->active, err);
	if (o->cpus)
		return parse_cpus(c->t, o->cpus, one_cpu, c, err);
	if (o->active) {
		if (!cpus_count(c->t, &n, err))
			return false;
		for (unsigned cpu = 0; cpu < n; cpu++)
			if (cpu_has_run(c->t, cpu))
				one_cpu(cpu, c);
		return interrupt_check(err);
	}
	if (!c->argc)
		return current_task(c, err);
	for (int i = 0; i < c->argc; i++) {
		struct err why;

		if (!operand(c, c->argv[i], &why))
			complain(c, &why);
		if (!interrupt_check(err))
			return false;
	}
	return true;
}

static bool bt_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	return task_by_addr(c->t, v.addr, &task, err) && one_task(c, task, err);
}

static const struct record_kind *const emits[] = {
	&backtrace_kind,      &backtrace_frame_kind, REGS_KINDS, &stack_words_kind,
	&frame_variable_kind, &user_frame_kind,      NULL
};
static const struct example examples[] = {
	{ "bt", "the task that panicked" },
	{ "bt -a", "what every CPU was doing" },
	{ "bt 1", "a task by its pid" },
	{ "bt -l", "with source lines, inlined functions among the frames" },
	{ "bt -v", "with the arguments and locals that can still be proven" },
	{ "bt -s -x 1", "with the place in each function, in hexadecimal" },
	{ "bt --all", "down to the dump itself, with what ran after the panic" },
	{ "bt -F 1", "with what each frame has on the stack" },
	{ "bt -u 1", "where init's program was" },
	{ "ps | bt -R do_wait", "the stacks of all tasks that wait for a child" },
};
const struct command cmd_bt = {
	.name = "bt",
	.group = "tasks",
	.summary = "backtraces",
	.needs = NEED_DUMP | NEED_SYMBOLS,
	.in = "struct task_struct",
	.operands = "[pid | task | name]...",
	.apart = true,
	OPTS(opts),
	.opts_size = sizeof(struct bt_opts),
	.emits = emits,
	.none = "no such backtrace",
	.completes = COMPLETE_PID,
	.help = "Prints the functions that a task was in, the newest first: of the current task (the one that "
		"panicked, unless set chose another), of tasks given by pid, address, name or an expression that leads to one, or of what CPUs were "
		"running. What ran only because the kernel was dying is left out, --all shows it.\n\n"
		"The word in parentheses says how a frame was found. Only what the registers, the kernel's unwind "
		"tables and its frame pointers prove is printed; where the chain ends before the stack does, a "
		"note says why, and --scan goes on with what merely looks like return addresses, marked '?'. "
		"A function that no table describes is left by 'call': the only word on the stack that "
		"follows a direct call of it. Where several do, the first is taken, marked '?', and so is what "
		"follows from it.\n\n"
		"A kernel that oopses saves the fault's registers for its dump, not those it had at the end. What ran after "
		"is found all the same where an address on the stack leads, frame by frame, to the entry that saved these "
		"very registers; it starts with 'return'.\n\n"
		"Return addresses that function_graph or a kretprobe replaced are put back from what the task "
		"keeps of them.\n\n"
		"Without types (no vmlinux, and a kernel without BTF) tasks are unknown, and the CPUs' saved "
		"registers are followed: of those that panicked, or of all.\n\n"
		"Where the kernel was entered, the registers it saved follow the frame that saved them.\n\n"
		"-I and -S begin the walk elsewhere: at a frame that was found by hand, where a stack pointer was lost. Only "
		"these two registers are known then, and of the stack on which they are.\n\n"
		"-l and -v also show functions that are on no stack: those whose code was inlined, and, as [tail call], "
		"those that were called and ended in a jump to the function above them. The first such is what the "
		"call instruction names; the others are the only direct way from there, and marked '?' where "
		"functions on it also jump to what pointers held.\n\n"
		"On 32-bit ARM the kernel's exception index finds frames, and brings back the registers that "
		"variables are in; tracing code, which it does not cover, is carried out to where it goes on ('code').\n\n"
		"-v shows a variable only where debug info and what is left of the frame prove its value: "
		"registers that functions keep for their callers are followed through the stack, all others "
		"are known only where they were saved. Anything else is <optimized out>, or why it is not known; "
		"static variables are shown by p.\n\n"
		"-u shows the program of a task instead: the registers that the kernel saved of it, and the functions "
		"that it was in, by file and offset. With --sysroot the frame tables of the mapped files are followed, if their code "
		"is what was in memory; otherwise frame pointers, where each leads to an address behind a call. From a signal's handler "
		"the way goes on with what the kernel saved before it. Where nothing "
		"leads on, what else on the stack follows a call is shown, each a guess and marked '?'.",
	EXAMPLES(examples),
	.run = bt_run,
	.each = bt_each,
};
