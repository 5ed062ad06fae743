/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace last: what each CPU was in the middle of, by what was traced. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/stack/stack.h"
#include "core/records/syscall_record.h"
#include "core/trace/trace.h"
#include "core/unwind/unwind.h"

#define OPEN_MAX 256

enum {
	C_CPU,
	C_PID,
	C_COMM,
	C_TASK,
	C_EVENT,
	C_LAST,
	C_NOW,
	C_CONTEXT
};
/* How long ago, in the unit that leaves it four digits or more. */
static void put_age(struct buf *b, uint64_t ns)
{
	if (ns < 10000)
		buf_printf(b, "%llu ns", (unsigned long long)ns);
	else if (ns < 10000000)
		buf_printf(b, "%llu us", (unsigned long long)ns / 1000);
	else
		buf_printf(b, "%llu.%03llu s", (unsigned long long)ns / 1000000000,
			   (unsigned long long)ns / 1000000 % 1000);
}

/* r->of: the time of the last event, where it is by the clock of now_ns; else NULL. */
static void now_text(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	const uint64_t *last = r->of;

	(void)k;
	if (!last || cell->kind == CELL_NULL || cell->u <= *last)
		return;
	buf_str(b, ", ");
	put_age(b, cell->u - *last);
	buf_str(b, " before the last time known");
}

static void running_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_NULL)
		buf_char(b, '-');
	else
		put_age(b, cell->u);
}

static const struct record_field cpu_fields[] = {
	[C_CPU] = { "cpu", NULL, CELL_UINT, 0, "its number" },
	[C_PID] = { "pid", NULL, CELL_INT, 0, "of the task that ran on it" },
	[C_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[C_TASK] = { "task", NULL, CELL_ADDR, FIELD_JSON, "its task_struct" },
	[C_EVENT] = { "last_event", NULL, CELL_STR, 0,
		      "the last event of this CPU in the top buffer" },
	[C_LAST] = { "last_ns", NULL, CELL_TIME, FIELD_JSON, "when it was, by the trace's clock" },
	[C_NOW] = { "now_ns", NULL, CELL_TIME, 0,
		    "the latest time known of this CPU by the local clock: its last event, or its last "
		    "function's entry",
		    .text = now_text },
	[C_CONTEXT] = { "context", NULL, CELL_STR, 0,
			"where the last event was: nmi, hardirq or softirq; null in a task" },
};
static const struct record_kind cpu_kind = {
	.name = "trace_last",
	.doc = "A CPU at its end.",
	.layout = LAYOUT_LINE,
	.line = "CPU {cpu}: {comm} (pid {pid}){?last_event:, last event {last_event}{?context: in "
		"{context}}}{now_ns}",
	.fields = cpu_fields,
	.n_fields = ARRAY_SIZE(cpu_fields),
};

enum {
	F_CPU,
	F_DEPTH,
	F_RAN,
	F_SINCE,
	F_FUNC,
	F_CALLER,
	F_FRAME
};
static const struct record_field func_fields[] = {
	[F_CPU] = { "cpu", NULL, CELL_UINT, FIELD_JSON, "as above" },
	[F_DEPTH] = { "n", "#", CELL_UINT, FIELD_RIGHT, "0 is the one entered last" },
	[F_RAN] = { "running_ns", "RUNNING", CELL_INT, FIELD_RIGHT, "how long it had been running",
		    .text = running_text },
	[F_SINCE] = { "since_ns", NULL, CELL_TIME, FIELD_JSON, "when it was entered" },
	[F_FUNC] = { "function", NULL, CELL_STR, 0, "what was entered and not left" },
	[F_CALLER] = { "returns_to", "RETURNS TO", CELL_STR, 0, "where it would have gone on" },
	[F_FRAME] = { "frame", NULL, CELL_UINT, FIELD_RIGHT,
		      "the frame of bt that it returns to; null: the stack has none there" },
};
static const struct record_kind func_kind = { "trace_open", "A function that did not return.",
					      LAYOUT_TABLE, NULL,
					      func_fields,  ARRAY_SIZE(func_fields) };

static const char *context(unsigned flags)
{
	return flags & TRACE_FLAG_NMI       ? "nmi"
	       : flags & TRACE_FLAG_HARDIRQ ? "hardirq"
	       : flags & TRACE_FLAG_SOFTIRQ ? "softirq"
					    : NULL;
}

/* The last event of a CPU in the top buffer of the dump. */
/* *local: its time is by the clock that functions are timed by. */
static bool last_event(struct ctx *c, unsigned cpu, uint64_t *ts, const char **name,
		       unsigned *flags, bool *local, struct contexts *in)
{
	const struct trace_want want = { .since = UINT64_MAX };
	const struct traces *all;
	const struct trace_buffer *b = NULL;
	struct arena a = { 0 };
	struct err err;
	bool some = false;

	if (!traces_find(c->t, &all, &err))
		return false;
	for (const struct recording *rec = all->first; rec && !b; rec = rec->next)
		if (!rec->path && rec->n_buffers && !rec->buffers[0].name)
			b = &rec->buffers[0];
	for (size_t i = 0; b && b->ns && i < b->n_lanes; i++) {
		struct trace_reader r;
		struct trace_event ev;

		if (b->lanes[i].cpu != (int)cpu ||
		    !trace_open(&r, b, &b->lanes[i], &want, &a, &err))
			continue;
		while (trace_next(&r, &ev, &err)) {
			contexts_add(c, in, &ev);
			*ts = ev.ts;
			*name = ev.name;
			*flags = ev.flags;
			*local = b->clock && !strcmp(b->clock, "local");
			some = true;
		}
		if (r.damage.code)
			note(c, &r.damage);
	}
	arena_release(&a);
	return some;
}

static void show_open(struct ctx *c, unsigned cpu, const struct task *task,
		      const struct open_function *open, size_t n, uint64_t now)
{
	struct unwind_start start;
	struct unwind_result u = { 0 };
	struct err err;
	size_t hidden = 0; /* frames that bt leaves out, for they are of the dying */

	if (n && task_unwind_start(c->t, task, &start, &err))
		unwind(c->t, &start, 0, &u);
	if (u.n)
		hidden = stack_death(c->t, &u);
	for (size_t i = 0; i < n; i++) {
		struct symbol sym;
		struct record r;
		uint64_t off, ret = open[i].ret;

		/* one that was jumped to returns where the one that jumped would have */
		for (size_t k = i + 1; k < n && is_fgraph(c->t, ret); k++)
			ret = open[k].ret;
		record_init(&r, &func_kind);
		record_uint(&r, F_CPU, cpu);
		record_uint(&r, F_DEPTH, i);
		if (open[i].since && open[i].since <= now) {
			record_uint(&r, F_SINCE, open[i].since);
			record_int(&r, F_RAN, (int64_t)(now - open[i].since));
		}
		/* the site of the tracer's call may lie behind the first instruction */
		record_str(&r, F_FUNC,
			   symbol_at(c->t, open[i].func, &sym, &off, &err)
				   ? sym.name
				   : symbol_text(c->t, open[i].func, c->arena));
		record_str(&r, F_CALLER, symbol_text(c->t, ret, c->arena));
		for (size_t k = 0; k < u.n; k++)
			if (u.frames[k].pc == ret && k >= hidden && !u.frames[k].exact &&
			    u.frames[k].sp > open[i].slot) {
				record_uint(&r, F_FRAME, u.frames[k].n - hidden);
				break;
			}
		emit(c, &r);
	}
}

static void show_cpu(struct ctx *c, unsigned cpu, const struct task *task,
		     struct open_function *open)
{
	uint64_t ts = 0, now = 0;
	const char *name = NULL;
	unsigned flags = 0;
	bool local = false;
	struct record r;
	struct err err = { 0 };
	size_t n = fgraph_open(c->t, task->addr, open, OPEN_MAX, &err);
	struct contexts in = { 0 };
	bool has_event = last_event(c, cpu, &ts, &name, &flags, &local, &in);

	/* other clocks are not compared with that of the functions: they may be seconds apart */
	if (has_event && local)
		now = ts;
	for (size_t i = 0; i < n; i++)
		if (open[i].since > now)
			now = open[i].since;
	record_init(&r, &cpu_kind);
	r.of = local ? &ts : NULL;
	record_uint(&r, C_CPU, cpu);
	record_int(&r, C_PID, task->pid);
	record_str(&r, C_COMM, task->comm);
	record_uint(&r, C_TASK, task->addr);
	if (now)
		record_uint(&r, C_NOW, now);
	if (has_event) {
		record_str(&r, C_EVENT, name);
		record_uint(&r, C_LAST, ts);
		record_str(&r, C_CONTEXT, context(flags));
	}
	emit(c, &r);
	emit_syscall(c, cpu, task);
	emit_contexts(c, cpu, task, &in);
	show_open(c, cpu, task, open, n, now);
	/* a kernel without function_graph has not the type either, and a task that it never met no
	 * stack of it */
	if (err.code && err.code != ERR_NOTFOUND && err.code != ERR_NOTYPE)
		note(c, &err);
}

static bool last_run(struct ctx *c, struct err *err)
{
	struct open_function *open = ARENA_ARRAY(c->arena, struct open_function, OPEN_MAX);
	unsigned cpus, shown = 0;

	if (!cpus_count(c->t, &cpus, err))
		return false;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		const struct task *task;
		struct err why;

		if (!interrupt_check(err))
			return false;
		if (!cpu_has_run(c->t, cpu))
			continue;
		if (!task_on_cpu(c->t, cpu, &task, &why)) {
			err_wrap(&why, "CPU %u", cpu);
			note(c, &why);
			continue;
		}
		show_cpu(c, cpu, task, open);
		shown++;
	}
	return shown || err_set(err, ERR_NOTFOUND, "no CPU's task is known");
}

static const struct record_kind *const emits[] = { &cpu_kind, &trace_syscall_kind,
						   &trace_context_kind, &func_kind, NULL };
static const struct example examples[] = {
	{ "trace last", "what every CPU was doing, and since when" },
};
const struct command cmd_trace_last = {
	.name = "trace last",
	.group = "trace",
	.summary = "what each CPU was in at the crash: system call, interrupts, functions",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "",
	.emits = emits,
	.none = "no CPU was traced",
	.help = "For each CPU: the task that ran on it, the last event it recorded and how long before "
		"the end that was, and the functions that the function_graph tracer saw entered and not "
		"left, the newest first. These come from the task's own shadow stack (ret_stack), which "
		"is complete where the ring buffer was overwritten; each is joined with the frame of `bt` "
		"that it would have returned to. Times are by the trace's local clock; the end is the "
		"latest of them that is known of the CPU, so a function ran that long at the least.\n\n"
		"The system call that the task is in comes from the user's registers on its stack, with the "
		"names that the kernel has of its arguments, whether anything was traced or not. Interrupts "
		"and softirqs entered and not left are told by the last page of events, where "
		"irq_handler_entry or softirq_entry was recorded, and by the CPU's preempt_count: a CPU that "
		"the dying one stopped by an NMI is in that NMI.",
	EXAMPLES(examples),
	.run = last_run,
};
