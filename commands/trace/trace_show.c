/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace show: the events, line for line as the kernel's own trace file would have them. */
#include <string.h>

#include "core/obit.h"
#include "core/base/quantity.h"
#include "core/image/target.h"
#include "core/linux/log/printk.h"
#include "core/linux/memory/unhash.h"
#include "core/records/log_text.h"
#include "core/trace/print/print.h"
#include "core/trace/row.h"
#include "core/trace/print/strace.h"
#include "core/trace/timeline.h"
#include "core/trace/trace.h"
#include "commands/trace/row_label.h"
#include "commands/trace/trace_select.h"

struct trace_show_opts {
	struct trace_opts which;
	uint64_t last;
	bool graph, rows, raw, latency, deltas, log, no_head, syscalls, ns, hashed;
};
static const struct option opts[] = {
	TRACE_OPTIONS(struct trace_show_opts, which),
	{ "n", "count", OPTION_UINT, offsetof(struct trace_show_opts, last), "the last ones only" },
	{ "function-graph", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, graph),
	  "calls as the kernel's function_graph draws them, whatever tracer was on" },
	{ "rows", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, rows),
	  "a row for each event, also for calls and returns" },
	{ "t", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, ns), "times in nanoseconds" },
	{ "raw", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, raw),
	  "the fields by name and value, not the kernel's words" },
	{ "l", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, latency),
	  "the latency tracers' format: microseconds since the first event" },
	{ "deltas", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, deltas),
	  "in front of each line the microseconds since the one before" },
	{ "log", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, log),
	  "with the kernel's messages between them, by time" },
	{ "syscalls", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, syscalls),
	  "system calls alone, entry and exit in one line, with flags and errors by name" },
	{ "hashed", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, hashed),
	  "pointers hashed, as the kernel's trace file has them" },
	{ "no-header", NULL, OPTION_FLAG, offsetof(struct trace_show_opts, no_head),
	  "without the head of a trace file" },
};

/* A line of the log that waits for its time. */
struct message {
	uint64_t ts;
	const char *text;
};

/* A buffer, and a copy of it that shows nanoseconds. */
struct exact {
	const struct trace_buffer *plain;
	struct trace_buffer buffer;
	struct exact *next;
};

struct show {
	struct ctx *c;
	const struct trace_show_opts *o;
	struct trace_choice choice;
	struct timeline *tl;
	struct row_labels labels;
	struct trace_graph *graph;
	struct trace_calls *calls;
	struct exact *exacts; /* of all buffers of which an event was shown with nanoseconds */
	struct strace *strace;
	struct siphash_key key;       /* that pointers are hashed with */
	const struct trace_event *ev; /* that is shown now */
	struct arena scratch;         /* of one event's record */
	uint64_t start, before;
	uint64_t shown;
	uint64_t calls_before; /* lines of system calls that are not among the last ones */
	bool started[8192];    /* CPUs of which a line was printed */
	VEC(struct message) log;
	size_t log_at;
};

static bool is_graph(const struct trace_buffer *b)
{
	return b->tracer && !strcmp(b->tracer, "function_graph");
}

/* Of the events of a buffer. */
static enum trace_view view_of(const struct show *s, const struct trace_buffer *b)
{
	const struct trace_show_opts *o = s->o;

	if (o->latency || (b->shows & TRACE_SHOW_LATENCY && !o->raw && !o->graph && !is_graph(b)))
		return TRACE_VIEW_LATENCY;
	if (o->graph)
		return TRACE_VIEW_GRAPH;
	return o->rows || o->raw || o->deltas ? TRACE_VIEW_ROWS : TRACE_VIEW_CALLS;
}

/* ---- the kernel's messages between the events */

static bool keep_message(const struct log_message *m, void *arg)
{
	struct show *s = arg;
	struct message *msg;

	if (m->time_ns < s->choice.sel.since ||
	    (s->choice.sel.until && m->time_ns > s->choice.sel.until))
		return true;
	msg = vec_push(&s->log);
	msg->ts = m->time_ns;
	msg->text = arena_strndup(s->c->arena, m->text, m->n);
	return true;
}

static bool read_log(struct show *s, struct err *err)
{
	const struct trace_buffer *const *buffers;
	size_t n = timeline_buffers(s->tl, &buffers);

	for (size_t i = 0; i < n; i++)
		if (!buffers[i]->ns)
			return err_set(err, ERR_UNSUPPORTED,
				       "the clock '%s' is not that of the log, nor near it",
				       buffers[i]->clock ? buffers[i]->clock : "?");
	return command_needs(&(struct command){ .needs = NEED_DUMP | NEED_LOG }, s->c->t, err) &&
	       log_each(s->c->t, keep_message, NULL, s, err);
}

/* Lines for people, where ev is NULL; else what `lines` makes of the event, or JSON. */
static void show_lines(struct show *s, const struct trace_event *ev,
		       void (*lines)(struct buf *b, void *self))
{
	const struct trace_shown shown = { .ev = ev,
					   .printer = s->choice.printer,
					   .arena = &s->scratch,
					   .lines = lines,
					   .self = s };
	struct record r;

	trace_shown_record(&shown, &r);
	emit(s->c, &r);
}

static void message_lines(struct buf *b, void *self)
{
	const struct show *s = self;
	const struct message *m = &s->log.p[s->log_at];
	struct buf prefix = { 0 };

	buf_stamp(&prefix, m->ts);
	buf_char(&prefix, ' ');
	log_text_add(b, buf_text(&prefix), m->text, strlen(m->text), NULL, 0);
	buf_release(&prefix);
}

/* Messages as old as ts, or older, that were not shown yet. */
static void show_log(struct show *s, uint64_t ts)
{
	for (; s->log_at < s->log.n && s->log.p[s->log_at].ts <= ts; s->log_at++)
		show_lines(s, NULL, message_lines);
}

/* ---- pointers */

static uint64_t hashed_pointer(uint64_t ptr, void *arg)
{
	const struct show *s = arg;

	return pointer_is_hidden(s->c->t, ptr) ? pointer_hash(s->c->t, &s->key, ptr) : ptr;
}

static bool hash_pointers(struct show *s, struct err *err)
{
	if (s->o->raw || s->o->syscalls)
		return err_set(err, ERR_USAGE,
			       "--hashed is for the kernel's words, which --%s has none of",
			       s->o->raw ? "raw" : "syscalls");
	if (!command_needs(&(struct command){ .needs = NEED_DUMP | NEED_SYMBOLS }, s->c->t, err))
		return err_wrap(err, "the key that pointers were hashed with");
	if (!pointer_key(s->c->t, &s->key, err))
		return false;
	trace_printer_hide(s->choice.printer, hashed_pointer, s);
	return true;
}

/* Nothing in a file says which boot it is of. */
static void note_files(struct show *s)
{
	const struct trace_buffer *const *buffers;
	const struct recording *told = NULL;
	size_t n = timeline_buffers(s->tl, &buffers);
	struct err why;

	for (size_t i = 0; i < n; i++) {
		const struct recording *rec = buffers[i]->recording;

		if (!rec->path || rec == told)
			continue;
		err_set(&why, ERR_UNSUPPORTED,
			"%.200s may be of another boot than the dump, with whose key its pointers are hashed",
			rec->path);
		note(s->c, &why);
		told = rec;
	}
}

/* ---- events */

/* Where a buffer was overwritten, the kernel says when another CPU's part begins. */
static void add_start(struct show *s, struct buf *to, const struct trace_event *ev)
{
	const struct trace_buffer *b = ev->buffer;
	bool overrun = false;

	if (ev->cpu < 0 || (size_t)ev->cpu >= ARRAY_SIZE(s->started) || s->started[ev->cpu])
		return;
	s->started[ev->cpu] = true;
	for (size_t i = 0; i < b->n_lanes; i++)
		overrun |= b->lanes[i].overrun && b->lanes[i].overrun != UINT64_MAX;
	if (!(b->shows & TRACE_SHOW_ANNOTATE) || !overrun || !s->shown)
		return;
	buf_printf(to, "##### CPU %d buffer started ####\n", ev->cpu);
}

static void add_delta(struct show *s, struct buf *b, const struct trace_event *ev)
{
	uint64_t delta = s->shown ? ev->ts - s->before : 0;

	buf_str(b, "(+");
	if (ev->buffer->ns)
		buf_micros(b, delta);
	else
		buf_dec(b, delta, 0, ' ');
	buf_str(b, ") ");
}

static void add_latency(struct show *s, struct buf *b, const struct trace_event *ev)
{
	struct trace_event copy = *ev;
	uint8_t *bytes = arena_alloc(&s->scratch, ev->data.n + 1);
	uint64_t start = s->start;

	/* to know what comes next is to lose ev's bytes, and a text's words */
	if (ev->data.n)
		memcpy(bytes, ev->data.p, ev->data.n);
	copy.data.p = bytes;
	copy.name = arena_strdup(&s->scratch, ev->name);
	if (ev->comm)
		copy.comm = arena_strdup(&s->scratch, ev->comm);
	if (ev->text)
		copy.text = arena_strdup(&s->scratch, ev->text);
	if (ev->latency)
		copy.latency = arena_strdup(&s->scratch, ev->latency);
	/* in such a text times are those of its rows */
	if (ev->buffer->latency)
		start = ev->buffer->latency->since;
	else if (ev->text && (ev->buffer->shows & TRACE_SHOW_LATENCY))
		start = 0;
	trace_row_latency(s->choice.printer, b, &copy, start, timeline_next_time(s->tl));
}

static bool call_lines(struct show *s, struct buf *b, const struct trace_event *ev)
{
	struct trace_printer *p = s->choice.printer;

	switch (view_of(s, ev->buffer)) {
	case TRACE_VIEW_GRAPH:
		return trace_graph_rows(s->graph, p, b, s->tl, ev);
	case TRACE_VIEW_CALLS:
		return trace_calls_rows(s->calls, p, b, s->tl, ev);
	default:
		return false;
	}
}

/* Of lines of system calls those that are among the last ones; releases them. */
static void add_calls(struct show *s, struct buf *b, struct buf *calls)
{
	const char *at = buf_text(calls);

	for (; *at && s->calls_before; s->calls_before--)
		at = strchrnul(at, '\n') + 1;
	buf_str(b, *at ? at : "");
	buf_release(calls);
}

/* The same event, in a copy of its buffer that says how times are shown. */
static struct trace_event exact_event(struct show *s, const struct trace_event *ev)
{
	struct trace_event ret = *ev;
	struct exact *e = s->exacts;

	while (e && e->plain != ev->buffer)
		e = e->next;
	if (!e) {
		e = ARENA_NEW(s->c->arena, struct exact);
		*e = (struct exact){ ev->buffer, *ev->buffer, s->exacts };
		e->buffer.shows |= TRACE_SHOW_NANOSECONDS;
		s->exacts = e;
	}
	ret.buffer = &e->buffer;
	return ret;
}

static const struct trace_buffer *plain_of(const struct show *s, const struct trace_buffer *b)
{
	for (const struct exact *e = s->exacts; e; e = e->next)
		if (&e->buffer == b)
			return e->plain;
	return b;
}

static void event_lines(struct buf *b, void *self)
{
	struct show *s = self;
	const struct trace_buffer *of = s->ev->buffer;
	size_t start = b->n;
	const struct trace_event *ev = s->ev;
	struct trace_event exact;
	uint64_t ts = ev->ts;

	if (s->o->ns) {
		exact = exact_event(s, ev);
		ev = &exact;
	}
	if (s->o->syscalls) {
		struct buf calls = { 0 };

		strace_add(s->strace, &calls, ev);
		add_calls(s, b, &calls);
		return;
	}
	if (trace_row_lost(b, ev) || trace_row_untimed(b, ev))
		buf_char(b, '\n');
	if (!call_lines(s, b, ev)) {
		add_start(s, b, ev);
		if (s->o->deltas)
			add_delta(s, b, ev);
		if (s->o->raw) {
			trace_row_context(b, ev);
			trace_print_fields(b, ev);
		} else if (view_of(s, ev->buffer) == TRACE_VIEW_LATENCY) {
			add_latency(s, b, ev);
		} else {
			trace_row(s->choice.printer, b, ev);
		}
	}
	row_label_lines(b, start, &s->labels, of);
	s->before = ts;
}

static void show_event(struct show *s, const struct trace_event *ev)
{
	if (!s->shown)
		s->start = ev->ts;
	show_log(s, ev->ts);
	s->ev = ev;
	show_lines(s, ev, event_lines);
	s->shown++;
	arena_reset(&s->scratch);
}

static void head_lines(struct buf *b, void *self)
{
	struct show *s = self;
	const struct trace_buffer *const *buffers;
	struct trace_buffer first;
	enum trace_view view;
	size_t start = b->n;

	if (!timeline_buffers(s->tl, &buffers))
		return;
	view = view_of(s, buffers[0]);
	/* other tracers' buffers have calls by chance alone */
	if (view == TRACE_VIEW_CALLS && !is_graph(buffers[0]))
		view = TRACE_VIEW_ROWS;
	first = *buffers[0];
	/* what the kernel counts is what it had since */
	if (s->o->which.stale)
		first.n_lanes = 0;
	trace_head(b, &first, view);
	row_label_head(b, start, &s->labels);
}

static void call_front(struct buf *b, const struct trace_buffer *of, void *self)
{
	const struct show *s = self;

	row_label_add(b, &s->labels, plain_of(s, of));
}

static void unfinished_lines(struct buf *b, void *self)
{
	struct show *s = self;
	struct buf calls = { 0 };

	strace_end(s->strace, &calls);
	add_calls(s, b, &calls);
}

/* ---- the last ones */

static bool is_call(const struct trace_event *ev, void *arg)
{
	const struct show *s = arg;

	return strace_takes(ev) && (!s->choice.filter || trace_filter_match(s->choice.filter, ev));
}

static uint64_t lines_of(struct buf *b)
{
	uint64_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		n += b->s[i] == '\n';
	buf_reset(b);
	return n;
}

/* A line of a system call needs the event that began it, however long ago. So all events are read:
 * the last ones are those behind the first *skip, and of lines calls_before come first. */
static bool calls_count(struct show *s, uint64_t *skip, struct err *err)
{
	struct strace *all = strace_new(s->c->arena, NULL, NULL);
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	uint64_t lines = 0, events = 0;
	bool ok = timeline_open(s->c->t, &s->choice.sel, &a, &tl, err);

	for (; ok && timeline_next(tl, &ev, err); events++) {
		strace_add(all, &b, &ev);
		lines += lines_of(&b);
		ok = interrupt_check(err);
	}
	ok = ok && !err->code;
	strace_end(all, &b);
	lines += lines_of(&b);
	s->calls_before = lines > s->o->last ? lines - s->o->last : 0;
	*skip = events > s->o->last ? events - s->o->last : 0;
	strace_release(all);
	buf_release(&b);
	arena_release(&a);
	return ok;
}

static bool last_find(struct show *s, uint64_t *skip, struct err *err)
{
	*skip = 0;
	if (!s->o->last)
		return true;
	if (s->o->syscalls)
		return calls_count(s, skip, err);
	return timeline_last(s->c->t, &s->choice.sel, s->o->last, &s->choice.sel.since, skip, err);
}

/* An event in front of the last ones, of which only lines of system calls may come. */
static void pass_event(struct show *s, const struct trace_event *ev)
{
	while (s->log_at < s->log.n && s->log.p[s->log_at].ts <= ev->ts)
		s->log_at++;
	s->ev = ev;
	if (s->o->syscalls)
		show_lines(s, NULL, event_lines);
	arena_reset(&s->scratch);
}

/* Have rows no blanks at their beginning, which names could stand in? */
static bool has_columns(const struct trace_show_opts *o)
{
	return o->graph || o->latency || o->deltas || o->syscalls;
}

/* Was less asked for than all events of the buffers? */
static bool is_choice(const struct trace_select *sel)
{
	return sel->cpus || sel->n_pids || sel->n_comms || sel->n_events || sel->since ||
	       sel->until || sel->stale || sel->match;
}

static bool show_all(struct show *s, struct err *err)
{
	struct trace_event ev;
	uint64_t skip;

	if (!last_find(s, &skip, err))
		return false;
	if (!timeline_open(s->c->t, &s->choice.sel, s->c->arena, &s->tl, err) ||
	    (s->o->log && !read_log(s, err)))
		return false;
	s->graph = trace_graph_new(s->c->arena);
	s->calls = trace_calls_new(s->c->arena);
	s->strace = strace_new(s->c->arena, call_front, s);
	row_labels_init(&s->labels, s->tl, has_columns(s->o), s->c->arena);
	trace_note_others(s->c, s->tl);
	if (s->o->hashed)
		note_files(s);
	if (!s->o->no_head)
		show_lines(s, NULL, head_lines);
	while (timeline_next(s->tl, &ev, err)) {
		trace_notes(s->c, s->tl);
		if (skip) {
			skip--;
			pass_event(s, &ev);
		} else {
			show_event(s, &ev);
		}
		if (!interrupt_check(err))
			return false;
	}
	trace_notes(s->c, s->tl);
	if (err->code)
		return false;
	if (s->o->syscalls)
		show_lines(s, NULL, unfinished_lines);
	/* of a buffer that nothing was written to the kernel's file has the head alone */
	if (!s->shown && (s->o->no_head || s->o->syscalls || is_choice(&s->choice.sel)))
		emit_none(s->c, &trace_event_kind,
			  s->o->syscalls ? "no system call is among the events, or in words alone"
					 : s->c->cmd->none);
	show_log(s, UINT64_MAX);
	return true;
}

static bool show_run(struct ctx *c, struct err *err)
{
	struct show *s = ARENA_NEW(c->arena, struct show);
	bool ok;

	s->c = c;
	s->o = c->opts;
	if (!trace_choose(c, &s->o->which, &s->choice, err))
		return false;
	/* what needs times has no use for events without */
	s->choice.sel.untimed = s->o->which.stale && !s->o->deltas && !s->o->latency &&
				!s->o->log && !s->o->syscalls;
	if (s->o->syscalls) {
		s->choice.sel.match = is_call;
		s->choice.sel.arg = s;
	}
	ok = (!s->o->hashed || hash_pointers(s, err)) && show_all(s, err);
	trace_choice_release(&s->choice);
	strace_release(s->strace);
	arena_release(&s->scratch);
	vec_release(&s->log);
	return ok;
}

static const struct record_kind *const emits[] = { &trace_event_kind, &trace_lines_kind, NULL };
static const struct example examples[] = {
	{ "trace show -n 20", "the last twenty events of all CPUs" },
	{ "trace show -e 'sched_*' --since -50ms",
	  "scheduling in the last 50 ms before the panic" },
	{ "trace show -n 30 --log", "events and messages, by time" },
	{ "trace show -i '' -e 'funcgraph_*' -n 30 -t",
	  "the last calls and returns, in nanoseconds" },
	{ "trace show -i events --syscalls", "a line for each system call of an instance" },
};
const struct command cmd_trace_show = {
	.name = "trace show",
	.group = "trace",
	.summary = "traced events, as the kernel's own trace file prints them",
	OPTS(opts),
	.opts_size = sizeof(struct trace_show_opts),
	.emits = emits,
	.none = "no such event",
	.help = "Prints what was traced: of the dump's ring buffers, of a trace.dat, of pages saved from "
		"trace_pipe_raw, of a trace file's text, of what perf recorded (perf.data, or the text of `perf script` and `perf trace`), "
		"of CTF, or of Chrome's JSON, all CPUs in the order of time. Behind an event that perf recorded with its call chain stand its calls. A line is a "
		"line of the kernel's own 'trace' file, column for column, but for the addresses that its "
		"option hash-ptr hides there: here they are what they are, and with --hashed as they are there. Calls of the function_graph "
		"tracer are rows, too, with how long each took, and lie within each other as they did; "
		"--function-graph draws them as the kernel does. That picture in text, as tracefs has it or an "
		"article, is read as calls, too; where it has no times, these are what its durations add up to. Without -i, the events of every instance are merged that has "
		"the same clock as the first one with events; a row of another than that one begins with the name of its instance.\n\n"
		"With --syscalls, the events syscalls:sys_enter_* and sys_exit_* become a line for each call "
		"that says what it was given, flags by name and strings where the kernel kept them, what came back, and how long it took. A line "
		"stands where the call ended; calls that did not are last, marked unfinished. -n counts lines. As JSON the "
		"events of system calls come as they are, and -n counts them.\n\n"
		"--hashed prints of a pointer that a format has as '%p' what the kernel prints for it, the hash with the key of its boot, so that rows "
		"can be compared with a log or a 'trace' file; `unhash` finds the pointer again. The key lies in the dump's memory: a recording alone has none, "
		"and a kernel with no_hash_pointers, or that died before it had a key, printed no hash. '%px' and names of functions ('%pS') "
		"are not hashed, nor is '%pK', which depends on who reads; records of --json have the fields as they are. A page of which only the number was recorded is not hashed.\n\n"
		"Filters (-F) are trace-cmd's, 'EVENTS: CONDITION': 'sched_switch: prev_prio < 100 && next_comm "
		"~ \"k*\"'. EVENTS are events, systems, or 'system/event', separated by commas; patterns and "
		"regular expressions are taken. A condition alone is asked of all events. It compares fields, COMM, CPU, TIMESTAMP, numbers and "
		"quoted text: ==, !=, <, <=, >, >=, & (any of the bits), ~ (a shell pattern), =~ and !~ (a "
		"regular expression, an extended one where trace-cmd's is basic, in which capitals do not matter), joined by &&, || and !, with "
		"parentheses, and + - * / % & | ^ << >> between numbers. An address compared with text is the "
		"function it is in. Of several filters, each with its -F or separated by ';', an event must pass one.\n\n"
		"Times are those of the buffer's clock. The time that passed before an event that its filter "
		"threw away again does not count, as in the kernel's own reading; trace-cmd counts it, and "
		"has the events behind it later. A time with a minus counts back from the kernel's "
		"last word (its panic message), or from the newest event where there is no log.\n\n"
		"--stale shows what a reset left: whoever writes to 'trace', changes the tracer or the clock, or "
		"switches the function tracer on again empties the buffer, but its pages keep the old events "
		"until new ones are written over them. Nothing but their shape says what they are; a name of a "
		"task is the one that the kernel has for the number now. Of what stands behind newer events in "
		"the same page, be it after a reset or because the buffer was full, the time is lost: such rows say how long after the first of them they came, as in "
		"'?+0.000123', and the line in front of them which time they were before. They stand where their page's place in the buffer "
		"puts them; --since, --until and what reckons with times leave them out.\n\n"
		"Pages that are missing or damaged are named in their place, and the rest is shown.",
	EXAMPLES(examples),
	.run = show_run,
};
