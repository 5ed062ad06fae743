/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome's trace event format: tracks of CPUs and tasks, for Perfetto's and Chrome's viewers. */
#include <inttypes.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/trace/export/export.h"
#include "core/trace/funcall.h"
#include "core/trace/key.h"

/*
 * The format is Google's "Trace Event Format": times in microseconds; ph "X" a slice, "B" and "E"
 * its ends, "i" an instant, "C" a counter, "M" names. Process 1 holds a track a CPU, process 2 one
 * a task; an idle task, which every CPU has one of, is IDLE_BASE + CPU, and one of which a text
 * does not say which it is, UNKNOWN_BASE + CPU.
 */
#define PROCESS_CPUS 1
#define PROCESS_TASKS 2
#define IDLE_BASE 1000000000
#define UNKNOWN_BASE 2000000000
#define TASKS_MAX 1000000u
#define DEPTH_MAX_OPEN 100000u

struct task_track {
	int64_t tid;
	VEC(uint32_t) open; /* functions, by their depths */
};
struct cpu_track {
	bool running;
	uint64_t since;
	int32_t pid;
	const char *comm;
};

struct chrome {
	struct export_out *out;
	struct trace_printer *p;
	struct arena a; /* names */
	struct arena scratch;
	struct buf b, text;
	struct map index; /* tid to place in tasks */
	VEC(struct task_track) tasks;
	VEC(struct cpu_track) cpus;
	uint64_t n, last;
};

/* One object, with a comma in front but for the first. */
static void object_begin(struct chrome *c, char ph, int process, int64_t tid)
{
	buf_reset(&c->b);
	buf_printf(&c->b, "%s{\"ph\":\"%c\",\"pid\":%d,\"tid\":%" PRId64, c->n ? ",\n" : "", ph,
		   process, tid);
}

static void object_name(struct chrome *c, const char *name)
{
	buf_str(&c->b, ",\"name\":");
	buf_json_str(&c->b, name, strlen(name));
}

static void object_time(struct chrome *c, const char *key, uint64_t ns)
{
	buf_printf(&c->b, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

static void object_end(struct chrome *c)
{
	buf_char(&c->b, '}');
	export_add(c->out, c->b.s, c->b.n);
	c->n++;
}

static void track_name(struct chrome *c, const char *what, int process, int64_t tid,
		       const char *name)
{
	object_begin(c, 'M', process, tid);
	object_name(c, what);
	buf_str(&c->b, ",\"args\":{\"name\":");
	buf_json_str(&c->b, name, strlen(name));
	buf_char(&c->b, '}');
	object_end(c);
}

static struct task_track *task_of(struct chrome *c, const struct trace_event *ev)
{
	int64_t tid = ev->pid > 0   ? ev->pid
		      : ev->pid < 0 ? UNKNOWN_BASE + (int64_t)ev->cpu
				    : IDLE_BASE + (int64_t)ev->cpu;
	const uint64_t *slot = map_get(&c->index, (uint64_t)tid);
	struct task_track *t;

	if (slot)
		return &c->tasks.p[*slot];
	if (c->tasks.n >= TASKS_MAX)
		return NULL;
	*map_put(&c->index, (uint64_t)tid, NULL) = c->tasks.n;
	t = vec_push(&c->tasks);
	t->tid = tid;
	if (ev->pid > 0)
		track_name(c, "thread_name", PROCESS_TASKS, tid, trace_comm(ev));
	else
		track_name(
			c, "thread_name", PROCESS_TASKS, tid,
			arena_printf(&c->scratch, ev->pid ? "? CPU %d" : "<idle> CPU %d", ev->cpu));
	return t;
}

static struct cpu_track *cpu_of(struct chrome *c, int cpu)
{
	if (cpu < 0 || cpu >= 65536)
		return NULL;
	while (c->cpus.n <= (size_t)cpu) {
		(void)vec_push(&c->cpus);
		track_name(c, "thread_name", PROCESS_CPUS, (int64_t)c->cpus.n - 1,
			   arena_printf(&c->scratch, "CPU %zu", c->cpus.n - 1));
	}
	return &c->cpus.p[cpu];
}

static void slice(struct chrome *c, int cpu, const struct cpu_track *t, uint64_t until)
{
	/* idle is what is left between the others */
	if (!t->running || !t->pid)
		return;
	object_begin(c, 'X', PROCESS_CPUS, cpu);
	object_name(c, arena_printf(&c->scratch, "%s-%d", t->comm, t->pid));
	object_time(c, "ts", t->since);
	object_time(c, "dur", until > t->since ? until - t->since : 0);
	buf_printf(&c->b, ",\"args\":{\"pid\":%d}", t->pid);
	object_end(c);
}

/* Who runs from here on; comms of tasks are few, and each is kept but once a switch at most. */
static void switch_to(struct chrome *c, const struct trace_event *ev)
{
	struct cpu_track *t = cpu_of(c, ev->cpu);
	struct trace_value pid, comm;

	if (!t || !trace_value_of(ev, "next_pid", &c->scratch, &pid) || pid.str)
		return;
	slice(c, ev->cpu, t, ev->ts);
	t->running = true;
	t->since = ev->ts;
	if (t->pid == (int32_t)pid.num && t->comm)
		return;
	t->pid = (int32_t)pid.num;
	if (trace_value_of(ev, "next_comm", &c->scratch, &comm) && comm.str)
		t->comm = arena_strdup(&c->a, comm.str);
	else
		t->comm = "?";
}

static void counter(struct chrome *c, const struct trace_event *ev)
{
	struct trace_value state, cpu;
	bool idle = !strcmp(ev->name, "cpu_idle");

	if ((!idle && strcmp(ev->name, "cpu_frequency") != 0) ||
	    !trace_value_of(ev, "state", &c->scratch, &state) || state.str ||
	    !trace_value_of(ev, "cpu_id", &c->scratch, &cpu) || cpu.str)
		return;
	/* all ones is the end of idling; states count from 0 */
	if (idle)
		state.num = (uint32_t)state.num == UINT32_MAX ? 0 : state.num + 1;
	object_begin(c, 'C', PROCESS_CPUS, 0);
	object_name(c, arena_printf(&c->scratch, "%s CPU %" PRIu64,
				    idle ? "idle state (0: none)" : "frequency", cpu.num));
	object_time(c, "ts", ev->ts);
	buf_printf(&c->b, ",\"args\":{\"%s\":%" PRIu64 "}", idle ? "state" : "kHz", state.num);
	object_end(c);
}

/* Functions that were entered at this depth or within it have ended: what is left open would hold
 * all that comes. */
static void close_functions(struct chrome *c, struct task_track *t, int64_t depth, uint64_t ts)
{
	while (t->open.n && t->open.p[t->open.n - 1] >= depth) {
		t->open.n--;
		object_begin(c, 'E', PROCESS_TASKS, t->tid);
		object_time(c, "ts", ts);
		object_end(c);
	}
}

/* A function's ends; false where it is none. */
static bool function(struct chrome *c, const struct trace_event *ev, struct task_track *t)
{
	enum trace_kind kind = trace_kind(ev);
	struct funcall call;

	if (kind != TRACE_KIND_GRAPH_ENTRY && kind != TRACE_KIND_GRAPH_EXIT)
		return false;
	if (!t || !funcall_of(ev, &call))
		return true;
	/* what began before the trace did has no beginning here */
	close_functions(c, t, call.depth, ev->ts);
	if (call.is_return || t->open.n >= DEPTH_MAX_OPEN)
		return true;
	*vec_push(&t->open) = (uint32_t)call.depth;
	buf_reset(&c->text);
	funcall_name(&c->text, ev->buffer->recording, call.func);
	object_begin(c, 'B', PROCESS_TASKS, t->tid);
	object_name(c, buf_text(&c->text));
	object_time(c, "ts", ev->ts);
	buf_printf(&c->b, ",\"args\":{\"cpu\":%d}", ev->cpu);
	object_end(c);
	return true;
}

static void instant(struct chrome *c, const struct trace_event *ev, const struct task_track *t)
{
	buf_reset(&c->text);
	trace_print(c->p, &c->text, ev);
	object_begin(c, 'i', PROCESS_TASKS, t ? t->tid : 0);
	object_name(c, ev->name);
	object_time(c, "ts", ev->ts);
	buf_printf(&c->b, ",\"s\":\"t\",\"args\":{\"cpu\":%d,\"text\":", ev->cpu);
	buf_json_str(&c->b, buf_text(&c->text), c->text.n);
	if (ev->buffer->name) {
		buf_str(&c->b, ",\"instance\":");
		buf_json_str(&c->b, ev->buffer->name, strlen(ev->buffer->name));
	}
	buf_char(&c->b, '}');
	object_end(c);
}

static void one_event(struct chrome *c, const struct trace_event *ev)
{
	struct task_track *t = task_of(c, ev);

	c->last = ev->ts > c->last ? ev->ts : c->last;
	if (!function(c, ev, t)) {
		instant(c, ev, t);
		if (!strcmp(ev->name, "sched_switch"))
			switch_to(c, ev);
		else
			counter(c, ev);
	}
	arena_reset(&c->scratch);
}

/* What was still running or open ends with the trace. */
static void export_chrome_finish(struct chrome *c)
{
	for (size_t i = 0; i < c->cpus.n; i++)
		slice(c, (int)i, &c->cpus.p[i], c->last);
	for (size_t i = 0; i < c->tasks.n; i++)
		close_functions(c, &c->tasks.p[i], 0, c->last);
}

bool export_chrome(struct target *t, const struct trace_select *sel, struct trace_printer *p,
		   struct export_out *out, struct export_counts *ret, struct err *err)
{
	static const char head[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
	struct chrome c = { .out = out, .p = p };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	bool ok = timeline_open(t, sel, &a, &tl, err);

	memset(ret, 0, sizeof(*ret));
	if (ok) {
		const struct trace_buffer *const *v;

		ret->buffers = (unsigned)timeline_buffers(tl, &v);
		export_add(out, head, sizeof(head) - 1);
		track_name(&c, "process_name", PROCESS_CPUS, 0, "CPUs");
		track_name(&c, "process_name", PROCESS_TASKS, 0, "tasks");
		while (timeline_next(tl, &ev, err)) {
			one_event(&c, &ev);
			ret->events++;
		}
		export_chrome_finish(&c);
		export_add(out, "\n]}\n", 4);
		ok = !err->code;
	}
	if (ok && !export_flush(out))
		ok = err_set(err, ERR_IO, "writing: %s", strerror(out->error));
	map_release(&c.index);
	for (size_t i = 0; i < c.tasks.n; i++)
		vec_release(&c.tasks.p[i].open);
	vec_release(&c.tasks);
	vec_release(&c.cpus);
	buf_release(&c.b);
	buf_release(&c.text);
	arena_release(&c.scratch);
	arena_release(&c.a);
	arena_release(&a);
	return ok;
}
