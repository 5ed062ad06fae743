/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a task: crash's columns as text, and every fact as a field. */
#include "core/base/buf.h"
#include "core/linux/task/task.h"
#include "core/base/guard.h"
#include "core/shell/session.h"
#include "core/shell/stage.h"
#include "core/records/task_record.h"

void form_active(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell)
{
	(void)k, (void)r;
	buf_str(b, cell->b ? ">" : "");
}

/* In the table, a kernel thread's name stands in brackets. */
static void form_comm(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	bool brackets = r->kind == &task_kind && r->cells[TASKF_KERNEL].b;

	(void)k;
	buf_str(b, brackets ? "[" : "");
	buf_add(b, cell->str.s, cell->str.n);
	buf_str(b, brackets ? "]" : "");
}

const struct record_field task_fields[TASKF_FIELDS] = {
	[TASKF_ACTIVE] = { "active", "", CELL_BOOL, 0, "it ran on its CPU at the crash",
			   .text = form_active },
	[TASKF_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "process or thread ID" },
	[TASKF_PPID] = { "ppid", NULL, CELL_INT, FIELD_RIGHT, "its parent's process ID" },
	[TASKF_CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT, "the CPU it ran on last" },
	[TASKF_TASK] = { "task", NULL, CELL_ADDR, 0, "address of its task_struct" },
	[TASKF_STATE] = { "state", "ST", CELL_STR, 0,
			  "RU running or ready, IN and UN interruptible and uninterruptible sleep, ID "
			  "idle worker, ST stopped, TR traced, PA parked, ZO zombie, DE dead, WA "
			  "waking, NE new" },
	[TASKF_MEM] = { "mem_percent", "%MEM", CELL_DECIMAL, FIELD_RIGHT,
			"resident part of the machine's memory, to tenths" },
	[TASKF_VSZ] = { "vsz", NULL, CELL_KIB, FIELD_RIGHT, "virtual size in bytes" },
	[TASKF_RSS] = { "rss", NULL, CELL_KIB, FIELD_RIGHT, "resident size in bytes" },
	[TASKF_COMM] = { "comm", NULL, CELL_STR, 0, "name", .text = form_comm },
	[TASKF_TGID] = { "tgid", NULL, CELL_INT, FIELD_JSON, "process ID that its threads share" },
	[TASKF_LETTER] = { "letter", NULL, CELL_STR, FIELD_JSON,
			   "state as /proc prints it: R S D Z ..." },
	[TASKF_KERNEL] = { "kernel", NULL, CELL_BOOL, FIELD_JSON, "a kernel thread" },
	[TASKF_LAST_RUN] = { "last_run_ns", NULL, CELL_UINT, 0,
			     "when it last got a CPU, by the scheduler's clock; 0: never, or "
			     "it is an idle task, whose turns the kernel does not note" },
	[TASKF_IDLE] = { "idle_ns", NULL, CELL_DURATION, 0,
			 "how long before the crash that was; null: not known" },
	[TASKF_START] = { "start_ns", NULL, CELL_UINT, 0,
			  "when it started, in nanoseconds after boot" },
	[TASKF_ALIVE] = { "alive_ns", NULL, CELL_DURATION, 0, "how long it lived, about" },
	[TASKF_UTIME] = { "utime_ns", NULL, CELL_UINT, 0, "CPU time in user mode" },
	[TASKF_STIME] = { "stime_ns", NULL, CELL_UINT, 0, "CPU time in the kernel" },
};

const struct record_kind task_kind = { "task", "one task",  LAYOUT_TABLE,
				       NULL,   task_fields, TASKF_COLUMNS };

enum meaning task_meaning(struct target *t, const struct task *task)
{
	const struct task *panicked;
	const char *how;
	struct err ignored;

	/* no task dies that has no CPU */
	return task->active && task_panic(t, &panicked, &how, &ignored) &&
			       panicked->addr == task->addr
		       ? MEANING_PANIC
		       : MEANING_NONE;
}

void record_task(struct ctx *c, struct record *r, const struct record_kind *kind,
		 const struct task *task)
{
	uint64_t ram, vsz, rss;

	record_init(r, kind);
	r->meaning = task_meaning(c->t, task);
	record_bool(r, TASKF_ACTIVE, task->active);
	record_int(r, TASKF_PID, task->pid);
	record_int(r, TASKF_PPID, task->ppid);
	if (task->cpu >= 0)
		record_int(r, TASKF_CPU, task->cpu);
	record_uint(r, TASKF_TASK, task->addr);
	record_str(r, TASKF_STATE, task->state);
	record_str(r, TASKF_COMM, task->comm);
	record_int(r, TASKF_TGID, task->tgid);
	record_str(r, TASKF_LETTER, arena_strndup(c->arena, &task->letter, 1));
	record_bool(r, TASKF_KERNEL, task_is_kernel(task));
	if (!task_memory(c->t, task, &vsz, &rss))
		return; /* its mm cannot be read: unknown, not 0 */
	record_uint(r, TASKF_VSZ, vsz);
	record_uint(r, TASKF_RSS, rss);
	ram = ram_total(c->t);
	if (ram)
		record_uint(r, TASKF_MEM,
			    10 * (uint64_t)(1000.0 * (double)rss / (double)ram + 0.5));
}

static void record_time(struct record *r, unsigned field, uint64_t ns)
{
	if (ns != UINT64_MAX)
		record_uint(r, field, ns);
}

bool record_task_times(struct ctx *c, struct record *r, const struct task *task, struct err *err)
{
	struct task_sched s;

	if (!task_sched(c->t, task, &s, err))
		return false;
	record_time(r, TASKF_LAST_RUN, s.last_run);
	record_time(r, TASKF_START, s.start);
	record_time(r, TASKF_UTIME, s.utime);
	record_time(r, TASKF_STIME, s.stime);
	if (s.clock == UINT64_MAX)
		return true;
	/* The clock is updated a little after the task got its CPU. */
	if (s.last_run && s.last_run != UINT64_MAX)
		record_uint(r, TASKF_IDLE, s.clock > s.last_run ? s.clock - s.last_run : 0);
	if (s.start != UINT64_MAX && s.clock > s.start)
		record_uint(r, TASKF_ALIVE, s.clock - s.start);
	return true;
}

const struct record_kind task_head_kind = { "task_head", "whose what follows is",
					    LAYOUT_LINE, TASK_WHO,
					    task_fields, TASKF_COLUMNS };

void emit_task_head(struct ctx *c, const struct task *task)
{
	struct record r;

	record_task(c, &r, &task_head_kind, task);
	if (r.meaning == MEANING_NONE)
		r.meaning = MEANING_HEADING;
	emit(c, &r);
}

bool tasks_meant(struct ctx *c, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err)
{
	struct err ignored;
	uint64_t addr;

	if (tasks_match(c->t, word, regex, ret, n, err))
		return true;
	/* no name of a task, but "$panic->parent", "runqueues:1.curr" */
	return !regex && err->code == ERR_NOTFOUND && stage_place(c, word, &addr, &ignored) &&
	       tasks_match(c->t, arena_printf(c->arena, "0x%llx", (unsigned long long)addr), false,
			   ret, n, &ignored);
}

bool each_task(struct ctx *c, bool (*fn)(struct ctx *c, const struct task *task, struct err *err),
	       struct err *err)
{
	const struct task *current;

	if (!c->argc)
		return session_task(c->s, &current, err) && fn(c, current, err);
	for (int i = 0; i < c->argc; i++) {
		const struct task *const *found;
		struct err why;
		size_t n;

		if (!tasks_meant(c, c->argv[i], false, &found, &n, &why)) {
			complain(c, &why);
			continue;
		}
		for (size_t k = 0; k < n; k++)
			if (!interrupt_check(err) || !fn(c, found[k], err))
				return false;
	}
	return true;
}

bool task_named(struct ctx *c, const char *word, const struct task **ret, struct err *err)
{
	const struct task *const *found;
	size_t n;

	if (!word)
		return session_task(c->s, ret, err);
	if (!tasks_meant(c, word, false, &found, &n, err))
		return false;
	*ret = found[0];
	return true;
}
