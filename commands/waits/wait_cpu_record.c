/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of what a CPU was doing. */
#include <string.h>

#include "commands/waits/wait_record.h"
#include "core/base/buf.h"

enum {
	U_CPU,
	U_PID,
	U_TASK,
	U_COMM,
	U_ONLINE,
	U_USER,
	U_STOPPED,
	U_RAN,
	U_SILENT,
	U_LOCKUP,
	U_FIELDS
};
static const struct record_field cpu_fields[U_FIELDS] = {
	[U_CPU] = { "cpu", NULL, CELL_UINT, 0, "its number" },
	[U_PID] = { "pid", NULL, CELL_INT, 0, "the task that it runs; 0: it is idle" },
	[U_TASK] = { "task", NULL, CELL_ADDR, 0, "that one's task_struct" },
	[U_COMM] = { "comm", NULL, CELL_STR, 0, "that one's name" },
	[U_ONLINE] = { "online", NULL, CELL_BOOL, 0, "a panic takes those offline that it stops" },
	[U_USER] = { "user", NULL, CELL_BOOL, 0, "it ran a program, and not the kernel" },
	[U_STOPPED] = { "stopped", NULL, CELL_STR, 0,
			"the function that halts it for a panic; null: it was not halted" },
	[U_RAN] = { "ran", NULL, CELL_DURATION, 0, "since the task got the CPU; null: idle" },
	[U_SILENT] = { "silent", NULL, CELL_DURATION, 0,
		       "since the last tick, as other CPUs count; null: idle" },
	[U_LOCKUP] = { "lockup", NULL, CELL_STR, 0,
		       "hard: no tick came for as long as the watchdog waits; soft: the task ran "
		       "twice as long; null: neither, or it was halted. Neither is a proof" },
};

struct cpu_of {
	const struct wait_cpu_state *s;
	bool quiet;
};

static void add_time(struct buf *b, const char *what, uint64_t ns)
{
	if (ns != UINT64_MAX)
		buf_printf(b, "%s %llu.%03u s", what, (unsigned long long)(ns / 1000000000),
			   (unsigned)(ns / 1000000 % 1000));
}

/* "CPU 5: 204 "spin" has run for 7.312 s; no tick came for 5.011 s; stopped in stop_this_cpu" */
static void cpu_text(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	const struct cpu_of *of = r->of;
	const struct wait_cpu_state *s = of->s;

	(void)k, (void)cell;
	if (of->quiet)
		return;
	buf_printf(b, "CPU %u: %d \"", s->cpu, s->task->pid);
	buf_plain(b, s->task->comm, strlen(s->task->comm));
	buf_char(b, '"');
	add_time(b, " has run for", s->ran);
	if (s->user)
		buf_str(b, ", its program");
	if (s->silent != UINT64_MAX && s->silent >= 1000000000)
		add_time(b, "; no tick came for", s->silent);
	if (s->stopped)
		buf_printf(b, "; halted in %s", s->stopped);
	if (s->lockup)
		buf_printf(b, "; a %s lockup, as it seems", s->lockup);
	buf_char(b, '\n');
}

const struct record_kind wait_cpu_kind = {
	.name = "wait_cpu",
	.doc = "what a CPU was doing",
	.layout = LAYOUT_OWN,
	.fields = cpu_fields,
	.n_fields = U_FIELDS,
	.text = cpu_text,
};

#define LONG_NS UINT64_C(1000000000)

/* People are told of those that look locked up, and that others wait for, when they run one task
 * for long. */
static bool is_notable(const struct wait_graph *g, const struct wait_cpu_state *s)
{
	for (size_t i = 0; i < g->objects.n; i++)
		if (s->ran != UINT64_MAX && s->ran >= LONG_NS && g->objects.p[i].holder == s->task)
			return true;
	return s->lockup;
}

void emit_wait_cpu(struct ctx *c, const struct wait_graph *g, const struct wait_cpu_state *s)
{
	const struct cpu_of of = { s, !is_notable(g, s) };
	struct record r;

	record_init(&r, &wait_cpu_kind);
	r.of = &of;
	record_uint(&r, U_CPU, s->cpu);
	record_int(&r, U_PID, s->task->pid);
	record_uint(&r, U_TASK, s->task->addr);
	record_str(&r, U_COMM, s->task->comm);
	record_bool(&r, U_ONLINE, s->online);
	record_bool(&r, U_USER, s->user);
	record_str(&r, U_STOPPED, s->stopped);
	if (s->ran != UINT64_MAX)
		record_uint(&r, U_RAN, s->ran);
	if (s->silent != UINT64_MAX)
		record_uint(&r, U_SILENT, s->silent);
	record_str(&r, U_LOCKUP, s->lockup);
	emit(c, &r);
}
