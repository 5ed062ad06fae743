/* SPDX-License-Identifier: GPL-3.0-or-later */
/* regs: what was in each CPU's registers, and what that is the address of. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/records/regs_record.h"
#include "core/shell/forms.h"
#include "core/unwind/unwind.h"

enum {
	CPU_CPU,
	CPU_PID,
	CPU_TASK,
	CPU_COMM
};
static const struct record_field cpu_fields[] = {
	[CPU_CPU] = { "cpu", NULL, CELL_UINT, 0, "number of the CPU" },
	[CPU_PID] = { "pid", NULL, CELL_INT, 0, "the task that ran on it" },
	[CPU_TASK] = { "task", NULL, CELL_ADDR, 0, "address of its task_struct" },
	[CPU_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
};
static const struct record_kind cpu_kind = {
	.name = "cpu_task",
	.doc = "the CPU whose registers follow",
	.layout = LAYOUT_LINE,
	.line = "CPU: {cpu}{?comm:  PID: {pid}  TASK: {task}  COMMAND: \"{comm}\"}",
	.fields = cpu_fields,
	.n_fields = sizeof(cpu_fields) / sizeof(cpu_fields[0]),
};

enum {
	REG_CPU,
	REG_NAME,
	REG_VALUE,
	REG_SYMBOL
};
static const struct record_field reg_fields[] = {
	[REG_CPU] = { "cpu", NULL, CELL_UINT, 0, "number of the CPU" },
	[REG_NAME] = { "name", NULL, CELL_STR, 0, "the register" },
	[REG_VALUE] = { "value", NULL, CELL_ADDR, 0, "what is in it" },
	[REG_SYMBOL] = { "symbol", NULL, CELL_STR, 0, "the function or variable there" },
};
static const struct record_kind reg_kind = {
	.name = "register",
	.doc = "a register that holds the address of something with a name",
	.layout = LAYOUT_LINE,
	.line = "    {name:7} = {symbol}",
	.fields = reg_fields,
	.n_fields = sizeof(reg_fields) / sizeof(reg_fields[0]),
};

struct regs_opts {
	const char *cpus;
};
static const struct option opts[] = {
	{ "c", "cpus", OPTION_STR, offsetof(struct regs_opts, cpus), "only these CPUs: 0,2-3" },
};

static void emit_symbols(struct ctx *c, unsigned cpu, const struct regs *regs)
{
	for (unsigned i = 0; i < REGS_MAX; i++) {
		const char *name = c->t->arch->reg_names[i], *text;
		struct record r;
		uint64_t value;

		if (!name || !regs_get(regs, i, &value) || !c->t->arch->is_kernel_va(value))
			continue;
		text = symbol_text(c->t, value, c->arena);
		if (!*text)
			continue;
		record_init(&r, &reg_kind);
		record_uint(&r, REG_CPU, cpu);
		record_str(&r, REG_NAME, name);
		record_uint(&r, REG_VALUE, value);
		record_str(&r, REG_SYMBOL, text);
		emit(c, &r);
	}
}

static void emit_cpu(struct ctx *c, unsigned cpu, const struct task *task, const struct regs *regs)
{
	const struct regs_of of = { .has_pid = task,
				    .pid = task ? task->pid : 0,
				    .cpu = (int)cpu,
				    .n = -1,
				    .user = arch_regs_user(c->t->arch, regs) };
	bool *some = c->state;
	struct record r;

	if (*some)
		emit_heading(c, "");
	record_init(&r, &cpu_kind);
	record_uint(&r, CPU_CPU, cpu);
	if (task) {
		record_int(&r, CPU_PID, task->pid);
		record_uint(&r, CPU_TASK, task->addr);
		record_str(&r, CPU_COMM, task->comm);
	}
	emit(c, &r);
	emit_registers(c, regs, &of);
	emit_symbols(c, cpu, regs);
	*some = true;
}

static bool one_cpu(unsigned cpu, void *arg)
{
	struct ctx *c = arg;
	const struct task *task = NULL;
	struct unwind_start start;
	struct err err;

	if (!types_available(c->t)) { /* notes are in the order of CPUs, as far as is known */
		if (cpu < c->t->cpus.n && c->t->cpus.p[cpu].regs.have)
			emit_cpu(c, cpu, NULL, &c->t->cpus.p[cpu].regs);
	} else if (task_on_cpu(c->t, cpu, &task, &err) &&
		   task_unwind_start(c->t, task, &start, &err)) {
		emit_cpu(c, cpu, task, &start.regs);
	} else {
		err_wrap(&err, "CPU %u", cpu);
		note(c, &err);
	}
	return interrupt_check(&err);
}

static bool regs_run(struct ctx *c, struct err *err)
{
	const struct regs_opts *o = c->opts;
	bool types = types_available(c->t);
	unsigned n = (unsigned)c->t->cpus.n;

	c->state = ARENA_NEW(c->arena, bool);
	if (types && o->cpus)
		return parse_cpus(c->t, o->cpus, one_cpu, c, err);
	if (o->cpus)
		return err_set(err, ERR_NEED,
			       "which CPUs there are is not known without types: "
			       "give the vmlinux of this dump");
	if (types && !cpus_count(c->t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if ((!types || cpu_has_run(c->t, cpu)) && !one_cpu(cpu, c))
			break;
	return interrupt_check(err);
}

static const struct record_kind *const emits[] = { &cpu_kind, REGS_KINDS, &reg_kind, NULL };
static const struct example examples[] = {
	{ "regs", "every CPU's registers" },
	{ "regs -c 0", "those of CPU 0" },
};
const struct command cmd_regs = {
	.name = "regs",
	.group = "tasks",
	.summary = "CPUs' registers at the crash",
	.needs = NEED_DUMP | NEED_SYMBOLS,
	OPTS(opts),
	.opts_size = sizeof(struct regs_opts),
	.emits = emits,
	.none = "no such register",
	.help = "Prints the registers of every CPU as they were saved at the crash, by the kernel itself or by "
		"the dumper, and below them those that hold the address of a function or variable, by name.",
	EXAMPLES(examples),
	.run = regs_run,
};
