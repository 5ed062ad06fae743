/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bt: backtraces of tasks; every frame says how it was found. */
#include "core/obit.h"

/* ---- records */

enum {
	BT_GAP,
	BT_PID,
	BT_TASK,
	BT_CPU,
	BT_COMM,
	BT_ACTIVE,
	BT_FRAMES,
	BT_COMPLETE
};
static const struct record_field backtrace_fields[] = {
	[BT_GAP] = { "gap", NULL, CELL_BOOL, FIELD_TEXT, "not the first one" },
	[BT_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[BT_TASK] = { "task", NULL, CELL_ADDR, 0, "address of the task_struct" },
	[BT_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU it runs or last ran on" },
	[BT_COMM] = { "comm", NULL, CELL_STR, 0, "name" },
	[BT_ACTIVE] = { "active", NULL, CELL_BOOL, FIELD_JSON, "it was running on its CPU" },
	[BT_FRAMES] = { "frames", NULL, CELL_UINT, FIELD_JSON, "how many follow" },
	[BT_COMPLETE] = { "complete", NULL, CELL_BOOL, FIELD_JSON,
			  "down to where the stack begins; otherwise a note says why not" },
};
static const struct record_kind backtrace_kind = {
	.name = "backtrace",
	.doc = "whose frames follow",
	.layout = LAYOUT_LINE,
	.line = "{?gap:\n}PID: {pid:-8} TASK: {task}  CPU: {cpu:-4} COMMAND: \"{comm}\"",
	.fields = backtrace_fields,
	.n_fields = sizeof(backtrace_fields) / sizeof(backtrace_fields[0]),
};

enum {
	F_MARK,
	F_LABEL,
	F_WHERE,
	F_SOURCE,
	F_PID,
	F_CPU,
	F_N,
	F_PC,
	F_SP,
	F_FUNC,
	F_OFFSET,
	F_MODULE,
	F_HOW,
	F_SURE,
	F_EXACT,
	F_STACK,
	F_INLINED,
	F_FILE,
	F_LINE
};
static const struct record_field frame_fields[] = {
	[F_MARK] = { "mark", NULL, CELL_STR, FIELD_TEXT, "the stack, where another one begins" },
	[F_LABEL] = { "label", NULL, CELL_STR, FIELD_TEXT, "#n" },
	[F_WHERE] = { "where", NULL, CELL_STR, FIELD_TEXT, "the function" },
	[F_SOURCE] = { "source", NULL, CELL_STR, FIELD_TEXT, "file: line" },
	[F_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[F_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU of the task" },
	[F_N] = { "n", NULL, CELL_UINT, 0,
		  "number of the frame; inlined ones have that of the function "
		  "they are in" },
	[F_PC] = { "pc", NULL, CELL_ADDR, 0, "address in the function" },
	[F_SP] = { "sp", NULL, CELL_ADDR, 0, "stack pointer" },
	[F_FUNC] = { "func", NULL, CELL_STR, 0, "function" },
	[F_OFFSET] = { "offset", NULL, CELL_UINT, 0, "of pc from its start" },
	[F_MODULE] = { "module", NULL, CELL_STR, 0, "module, null for the kernel" },
	[F_HOW] = { "how", NULL, CELL_STR, 0,
		    "how it was found: regs (a CPU's saved registers), switch (a sleeping task), orc, fp (frame "
		    "pointer), lr (link register), call (a jump into nowhere), pt_regs (registers that an entry "
		    "saved), fgraph (put back from ret_stack), scan (a guess)" },
	[F_SURE] = { "sure", NULL, CELL_BOOL, 0, "false: a guess" },
	[F_EXACT] = { "exact", NULL, CELL_BOOL, 0,
		      "pc is where it was interrupted, not a return address" },
	[F_STACK] = { "stack", NULL, CELL_STR, 0, "TASK, IRQ, NMI, ..." },
	[F_INLINED] = { "inlined", NULL, CELL_BOOL, 0,
			"its code is inlined into the next frame's" },
	[F_FILE] = { "file", NULL, CELL_STR, 0, "source file" },
	[F_LINE] = { "line", NULL, CELL_UINT, 0, "line in it" },
};
static const struct record_kind frame_kind = {
	.name = "frame",
	.doc = "one function on the stack, the newest first",
	.layout = LAYOUT_LINE,
	.line = "{?mark:--- <{mark} stack> ---\n}{label:3} [{sp}] {where} at {pc}{?module: [{module}]}  "
		"({how}){?source:\n    {source}}",
	.fields = frame_fields,
	.n_fields = sizeof(frame_fields) / sizeof(frame_fields[0]),
};
static const struct record_kind inlined_kind = {
	.name = "frame",
	.doc = "a function whose code was inlined",
	.layout = LAYOUT_LINE,
	.line = "{?mark:--- <{mark} stack> ---\n}{label:3} [inlined] {where}{?source:\n    {source}}",
	.fields = frame_fields,
	.n_fields = sizeof(frame_fields) / sizeof(frame_fields[0]),
};

/* Saved registers: every field from R_FIRST on is named as the architecture's register. */
enum {
	R_WHERE,
	R_PID,
	R_N,
	R_USER,
	R_FIRST
};
#define REGS_HEAD                                                                                  \
	[R_WHERE] = { "where", NULL, CELL_STR, FIELD_TEXT, "what was interrupted in the kernel" }, \
	[R_PID] = { "pid", NULL, CELL_INT, 0, "process id" },                                      \
	[R_N] = { "n", NULL, CELL_UINT, 0, "number of the frame that saved them" },                \
	[R_USER] = { "user", NULL, CELL_BOOL, 0, "they are of user mode" }
#define REG(name)                                    \
	{                                            \
		name, NULL, CELL_ADDR, 0, "register" \
	}
static const struct record_field x86_fields[] = {
	REGS_HEAD,
	REG("rip"),
	REG("rsp"),
	{ "rflags", NULL, CELL_HEX, 0, "flags" },
	REG("rax"),
	REG("rbx"),
	REG("rcx"),
	REG("rdx"),
	REG("rsi"),
	REG("rdi"),
	REG("rbp"),
	REG("r8"),
	REG("r9"),
	REG("r10"),
	REG("r11"),
	REG("r12"),
	REG("r13"),
	REG("r14"),
	REG("r15"),
	REG("orig_rax"),
	{ "cs", NULL, CELL_HEX, 0, "code segment" },
	{ "ss", NULL, CELL_HEX, 0, "stack segment" },
};
static const struct record_kind x86_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (x86_64)",
	.layout = LAYOUT_LINE,
	.line = "{?where:    [exception RIP: {where}]\n}"
		"    RIP: {rip}  RSP: {rsp}  RFLAGS: {rflags}\n"
		"    RAX: {rax}  RBX: {rbx}  RCX: {rcx}\n"
		"    RDX: {rdx}  RSI: {rsi}  RDI: {rdi}\n"
		"    RBP: {rbp}   R8: {r8}   R9: {r9}\n"
		"    R10: {r10}  R11: {r11}  R12: {r12}\n"
		"    R13: {r13}  R14: {r14}  R15: {r15}\n"
		"    ORIG_RAX: {orig_rax}  CS: {cs}  SS: {ss}",
	.fields = x86_fields,
	.n_fields = sizeof(x86_fields) / sizeof(x86_fields[0]),
};
static const struct record_field arm64_fields[] = {
	REGS_HEAD,  REG("pc"),  REG("sp"),  { "pstate", NULL, CELL_HEX, 0, "processor state" },
	REG("x0"),  REG("x1"),  REG("x2"),  REG("x3"),
	REG("x4"),  REG("x5"),  REG("x6"),  REG("x7"),
	REG("x8"),  REG("x9"),  REG("x10"), REG("x11"),
	REG("x12"), REG("x13"), REG("x14"), REG("x15"),
	REG("x16"), REG("x17"), REG("x18"), REG("x19"),
	REG("x20"), REG("x21"), REG("x22"), REG("x23"),
	REG("x24"), REG("x25"), REG("x26"), REG("x27"),
	REG("x28"), REG("x29"), REG("x30"),
};
static const struct record_kind arm64_kind = {
	.name = "registers",
	.doc = "what an entry to the kernel saved (arm64)",
	.layout = LAYOUT_LINE,
	.line = "{?where:    [exception PC: {where}]\n}"
		"     PC: {pc}   LR: {x30}   SP: {sp}  PSTATE: {pstate}\n"
		"    X29: {x29}  X28: {x28}  X27: {x27}\n"
		"    X26: {x26}  X25: {x25}  X24: {x24}\n"
		"    X23: {x23}  X22: {x22}  X21: {x21}\n"
		"    X20: {x20}  X19: {x19}  X18: {x18}\n"
		"    X17: {x17}  X16: {x16}  X15: {x15}\n"
		"    X14: {x14}  X13: {x13}  X12: {x12}\n"
		"    X11: {x11}  X10: {x10}   X9: {x9}\n"
		"     X8: {x8}   X7: {x7}   X6: {x6}\n"
		"     X5: {x5}   X4: {x4}   X3: {x3}\n"
		"     X2: {x2}   X1: {x1}   X0: {x0}",
	.fields = arm64_fields,
	.n_fields = sizeof(arm64_fields) / sizeof(arm64_fields[0]),
};
static const struct record_kind *const regs_kinds[] = { &x86_kind, &arm64_kind };

/* ---- options */

struct bt_opts {
	bool all, lines, offsets, scan;
	const char *cpus;
	uint64_t max;
};
static const struct option opts[] = {
	{ "a", NULL, OPTION_FLAG, offsetof(struct bt_opts, all), "the active task of every CPU" },
	{ "c", "cpus", OPTION_STR, offsetof(struct bt_opts, cpus),
	  "the active tasks of these CPUs: 0,2-3" },
	{ "l", NULL, OPTION_FLAG, offsetof(struct bt_opts, lines),
	  "source lines, and inlined functions" },
	{ "s", NULL, OPTION_FLAG, offsetof(struct bt_opts, offsets), "offsets in functions" },
	{ "max", "frames", OPTION_UINT, offsetof(struct bt_opts, max), "at most so many frames" },
	{ "scan", NULL, OPTION_FLAG, offsetof(struct bt_opts, scan),
	  "where the chain ends early, go on with guesses from the stack, each marked '?'" },
};

/* ---- one backtrace */

static void emit_regs(struct ctx *c, const struct task *task, const struct frame *f)
{
	const char *pc_name = c->t->arch->reg_names[c->t->arch->pc];
	const struct record_kind *kind = NULL;
	struct record r;

	for (size_t i = 0; i < sizeof(regs_kinds) / sizeof(regs_kinds[0]); i++)
		if (strcmp(regs_kinds[i]->fields[R_FIRST].name, pc_name) == 0)
			kind = regs_kinds[i];
	if (!kind)
		return;
	record_init(&r, kind);
	if (!f->user)
		record_str(&r, R_WHERE, symbol_text(c->t, f->regs.r[c->t->arch->pc], c->arena));
	if (task->addr)
		record_int(&r, R_PID, task->pid);
	record_uint(&r, R_N, f->n);
	record_bool(&r, R_USER, f->user);
	for (unsigned i = R_FIRST; i < kind->n_fields; i++)
		for (unsigned k = 0; k < REGS_MAX; k++) {
			const char *name = c->t->arch->reg_names[k];
			uint64_t value;

			if (name && strcmp(name, kind->fields[i].name) == 0 &&
			    regs_get(&f->regs, k, &value))
				record_uint(&r, i, value);
		}
	emit(c, &r);
}

static void frame_record(struct ctx *c, const struct task *task, const struct frame *f,
			 const struct record_kind *kind, struct record *r)
{
	record_init(r, kind);
	if (task->addr)
		record_int(r, F_PID, task->pid);
	record_int(r, F_CPU, task->cpu);
	record_uint(r, F_N, f->n);
	record_uint(r, F_PC, f->pc);
	record_uint(r, F_SP, f->sp);
	record_str(r, F_HOW, f->how);
	record_bool(r, F_SURE, f->sure);
	record_bool(r, F_EXACT, f->exact);
	record_str(r, F_STACK, f->stack);
	(void)c;
}

static void record_line(struct ctx *c, struct record *r, const struct line *l)
{
	const struct bt_opts *o = c->opts;

	record_str(r, F_FILE, l->file);
	if (l->line)
		record_uint(r, F_LINE, l->line);
	if (o->lines && l->file)
		record_str(r, F_SOURCE, arena_printf(c->arena, "%s: %u", l->file, l->line));
}

static void emit_frame(struct ctx *c, const struct task *task, const struct frame *f,
		       const char *mark)
{
	const struct bt_opts *o = c->opts;
	const struct line *lines = NULL;
	struct record r;
	struct symbol sym;
	uint64_t off;
	struct err err;
	size_t n = 0;

	if ((o->lines || c->s->json) && !line_find(c->t, frame_lookup_pc(f), &lines, &n, &err))
		n = 0;
	for (size_t i = 0; o->lines && i + 1 < n; i++) {
		frame_record(c, task, f, &inlined_kind, &r);
		record_str(&r, F_MARK, mark);
		record_str(&r, F_LABEL, "");
		record_str(&r, F_FUNC, lines[i].func);
		record_str(&r, F_WHERE, lines[i].func ? lines[i].func : "(unknown)");
		record_bool(&r, F_INLINED, true);
		record_line(c, &r, &lines[i]);
		emit(c, &r);
		mark = NULL;
	}
	frame_record(c, task, f, &frame_kind, &r);
	record_str(&r, F_MARK, mark);
	record_str(&r, F_LABEL, arena_printf(c->arena, "%s#%u", f->sure ? "" : "?", f->n));
	record_bool(&r, F_INLINED, false);
	record_str(&r, F_WHERE, "(unknown)");
	if (symbol_at(c->t, frame_lookup_pc(f), &sym, &off, &err)) {
		off = f->pc - sym.addr;
		record_str(&r, F_FUNC, sym.name);
		record_uint(&r, F_OFFSET, off);
		record_str(&r, F_MODULE, sym.module);
		record_str(&r, F_WHERE,
			   o->offsets ? arena_printf(c->arena, "%s+%llu", sym.name,
						     (unsigned long long)off)
				      : sym.name);
	}
	if (n)
		record_line(c, &r, &lines[n - 1]);
	emit(c, &r);
	if (f->has_regs)
		emit_regs(c, task, f);
}

static void emit_backtrace(struct ctx *c, const struct task *task, const struct unwind_result *u)
{
	const struct bt_opts *o = c->opts;
	const char *stack = "TASK";
	bool *some = c->state;
	struct record r;

	record_init(&r, &backtrace_kind);
	record_bool(&r, BT_GAP, *some);
	if (task->addr) {
		record_int(&r, BT_PID, task->pid);
		record_uint(&r, BT_TASK, task->addr);
		record_str(&r, BT_COMM, task->comm);
	}
	record_int(&r, BT_CPU, task->cpu);
	record_bool(&r, BT_ACTIVE, task->active);
	record_uint(&r, BT_FRAMES, u->n);
	record_bool(&r, BT_COMPLETE, u->complete);
	emit(c, &r);
	for (size_t i = 0; i < u->n; i++) {
		const char *s = u->frames[i].stack;

		emit_frame(c, task, &u->frames[i], s && strcmp(s, stack) != 0 ? s : NULL);
		stack = s ? s : stack;
	}
	/* a limit that was asked for is no damage */
	if (!u->complete && !(u->end.code == ERR_LIMIT && o->max && u->n == o->max))
		note(c, &u->end);
	*some = true;
}

static void backtrace(struct ctx *c, const struct task *task)
{
	const struct bt_opts *o = c->opts;
	struct unwind_start start;
	struct unwind_result u = { 0 };

	if (task_unwind_start(c->t, task, &start, &u.end)) {
		start.scan = o->scan;
		unwind(c->t, &start, o->max, &u);
	}
	emit_backtrace(c, task, &u);
}

/* ---- without types no task is known, but the registers of the dump's notes are */

static void unwind_cpu(struct ctx *c, unsigned cpu, struct unwind_result *ret)
{
	const struct bt_opts *o = c->opts;
	struct unwind_start start = { .how = "regs", .exact = true, .cpu = -1, .scan = o->scan };

	start.regs = c->t->cpus.p[cpu].regs;
	unwind(c->t, &start, o->max, ret);
}

static bool panicked(struct ctx *c, const struct unwind_result *u)
{
	static const char *const names[] = { "panic", "vpanic", "__crash_kexec", "die" };
	struct symbol sym;
	uint64_t off;
	struct err err;

	for (size_t i = 0; i < u->n; i++) {
		if (!symbol_at(c->t, frame_lookup_pc(&u->frames[i]), &sym, &off, &err))
			continue;
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
			if (strcmp(sym.name, names[k]) == 0)
				return true;
	}
	return false;
}

/* Those that panicked, or if none can be told, every CPU. */
static bool backtrace_notes(struct ctx *c, bool all, struct err *err)
{
	struct unwind_result u;
	bool any = false;

	if (!c->t->cpus.n)
		return err_set(
			err, ERR_NEED,
			"the dump has neither types nor notes of registers: give its vmlinux");
	for (int pass = all; pass < 2 && !any; pass++)
		for (unsigned cpu = 0; cpu < c->t->cpus.n; cpu++) {
			struct task task = { .cpu = (int)cpu, .active = true };

			if (!interrupt_check(err))
				return false;
			unwind_cpu(c, cpu, &u);
			if (pass == 1 || panicked(c, &u)) {
				emit_backtrace(c, &task, &u);
				any = true;
			}
		}
	return true;
}

/* ---- whose */

static void backtrace_cpu(struct ctx *c, unsigned cpu)
{
	const struct task *task;
	struct err err;

	if (task_on_cpu(c->t, cpu, &task, &err)) {
		backtrace(c, task);
		return;
	}
	err_wrap(&err, "CPU %u", cpu);
	note(c, &err);
}

static bool one_cpu(unsigned cpu, void *arg)
{
	struct err err;

	backtrace_cpu(arg, cpu);
	return interrupt_check(&err);
}

/* Every task of that name. */
static bool backtrace_comm(struct ctx *c, const char *comm, struct err *err)
{
	const struct task *tasks;
	bool any = false;
	size_t n;

	if (!tasks_all(c->t, &tasks, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(tasks[i].comm, comm) != 0)
			continue;
		any = true;
		backtrace(c, &tasks[i]);
	}
	return any || err_set(err, ERR_NOTFOUND,
			      "'%s' is neither a pid nor the address or name of a task", comm);
}

static bool operand(struct ctx *c, const char *s, struct err *err)
{
	const struct task *task;
	uint64_t n;

	if (parse_number(s, false, &n) && n <= INT32_MAX) {
		if (!task_by_pid(c->t, (int)n, &task, err))
			return false;
	} else if (!parse_number(s, true, &n) || !c->t->arch->is_kernel_va(n)) {
		return backtrace_comm(c, s, err); /* "dd" is a name, for all its digits */
	} else if (!task_by_addr(c->t, n, &task, err)) {
		return false;
	}
	backtrace(c, task);
	return true;
}

static bool bt_run(struct ctx *c, struct err *err)
{
	const struct bt_opts *o = c->opts;
	const struct task *task;
	bool *some = ARENA_NEW(c->arena, bool);
	unsigned n;

	c->state = some;
	if ((o->all || o->cpus) && c->argc)
		return err_set(err, ERR_USAGE,
			       "-a and -c choose the tasks: no pid or address beside them");
	if (!types_available(c->t)) {
		if (c->argc || o->cpus)
			return err_set(
				err, ERR_NEED,
				"without types only the registers of CPUs are known (bt -a): "
				"give the vmlinux of this dump");
		return backtrace_notes(c, o->all, err);
	}
	if (o->cpus)
		return parse_cpus(c->t, o->cpus, one_cpu, c, err);
	if (o->all) {
		if (!cpus_count(c->t, &n, err))
			return false;
		for (unsigned cpu = 0; cpu < n; cpu++)
			if (cpu_has_run(c->t, cpu))
				backtrace_cpu(c, cpu);
		return interrupt_check(err);
	}
	if (!c->argc) {
		if (!session_task(c->s, &task, err))
			return false;
		backtrace(c, task);
	}
	for (int i = 0; i < c->argc; i++) {
		struct err why;

		if (!interrupt_check(err))
			return false;
		if (!operand(c, c->argv[i], &why))
			complain(c, &why);
	}
	return true;
}

static bool bt_each(struct ctx *c, struct value v, struct err *err)
{
	const struct task *task;

	if (!c->state)
		c->state = ARENA_NEW(c->arena, bool);
	if (!task_by_addr(c->t, v.addr, &task, err))
		return false;
	backtrace(c, task);
	return true;
}

static const struct record_kind *const emits[] = { &backtrace_kind, &frame_kind, &x86_kind,
						   &arm64_kind, NULL };
static const struct example examples[] = {
	{ "bt", "the task that panicked" },
	{ "bt -a", "what every CPU was doing" },
	{ "bt 1", "a task by its pid" },
	{ "bt -l", "with source lines, inlined functions among the frames" },
};
const struct command cmd_bt = {
	.name = "bt",
	.group = "tasks",
	.summary = "backtraces",
	.needs = NEED_DUMP | NEED_SYMBOLS,
	.in = "struct task_struct",
	.operands = "[pid | task | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct bt_opts),
	.emits = emits,
	.completes = COMPLETE_PID,
	.help = "Prints the functions that a task was in, the newest first: of the current task (the one that "
		"panicked, unless set chose another), of tasks given by pid, address or name, or of what CPUs were "
		"running.\n\n"
		"The word in parentheses says how a frame was found. Only what the registers, the kernel's unwind "
		"tables and its frame pointers prove is printed; where the chain ends before the stack does, a "
		"note says why, and --scan goes on with what merely looks like return addresses, marked '?'. "
		"Return addresses that function_graph replaced are put back from the task's ret_stack.\n\n"
		"Without types (no vmlinux, and a kernel without BTF) tasks are unknown, and the CPUs' saved "
		"registers are followed: of those that panicked, or of all.\n\n"
		"Where the kernel was entered, the registers it saved follow the frame that saved them.",
	EXAMPLES(examples),
	.run = bt_run,
	.each = bt_each,
};
