/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows and heads of the kernel's trace file. */
#include "core/trace/row.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/vec.h"

char trace_mark_of(uint64_t ns)
{
	static const char marks[] = "+!#*@$";
	uint64_t limit = 10000; /* ns, for the first mark; ten times more for each that follows */
	char mark = ' ';

	for (size_t i = 0; marks[i] && ns > limit; i++, limit *= 10)
		mark = marks[i];
	return mark;
}

/* Whether the CPU is to schedule; lazily is a matter of v6.13 and later. */
static char resched_letter(unsigned flags)
{
	/* by TRACE_FLAG_LAZY_RESCHED, _NEED_RESCHED and _PREEMPT_RESCHED, from the lowest bit on */
	static const char letters[] = ".lnbpLNB";

	return letters[(flags & TRACE_FLAG_LAZY_RESCHED ? 1 : 0) |
		       (flags & TRACE_FLAG_NEED_RESCHED ? 2 : 0) |
		       (flags & TRACE_FLAG_PREEMPT_RESCHED ? 4 : 0)];
}

static char depth_letter(unsigned depth)
{
	return depth ? "0123456789abcdef"[depth] : '.';
}

void trace_flags(const struct trace_event *ev, char ret[TRACE_FLAGS_SIZE])
{
	unsigned f = ev->flags, irq = f & (TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ);
	unsigned shows = ev->buffer ? ev->buffer->shows : TRACE_SHOW_DEFAULT;
	bool unknown = (shows & TRACE_SHOW_NO_LAZY) && (f & TRACE_FLAG_LAZY_RESCHED);
	char *p = ret;

	if (shows & TRACE_SHOW_NO_LAZY)
		f &= ~(unsigned)TRACE_FLAG_LAZY_RESCHED;
	if (f & TRACE_FLAG_IRQS_OFF)
		*p++ = f & TRACE_FLAG_BH_OFF ? 'D' : 'd';
	else
		*p++ = unknown ? 'X' : f & TRACE_FLAG_BH_OFF ? 'b' : '.';
	if (shows & TRACE_SHOW_LAZY_DEPTH) {
		*p++ = resched_letter(f & ~(unsigned)TRACE_FLAG_LAZY_RESCHED);
		*p++ = f & TRACE_FLAG_LAZY_RESCHED ? 'L' : '.';
	} else {
		*p++ = resched_letter(f);
	}
	if (f & TRACE_FLAG_NMI)
		*p++ = f & TRACE_FLAG_HARDIRQ ? 'Z' : 'z';
	else if (irq == (TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ))
		*p++ = 'H';
	else
		*p++ = irq & TRACE_FLAG_HARDIRQ ? 'h' : irq ? 's' : '.';
	if (shows & TRACE_SHOW_NO_MIGRATE) { /* all of it is the depth */
		if (ev->preempt >> 4)
			*p++ = depth_letter(ev->preempt >> 4);
		*p++ = ev->preempt >> 4 ? "0123456789abcdef"[ev->preempt & 0xf]
					: depth_letter(ev->preempt & 0xf);
	} else {
		*p++ = depth_letter(ev->preempt & 0xf);
		if ((shows & TRACE_SHOW_LAZY_DEPTH) && ev->lazy >> 4) /* of events that set none */
			*p++ = depth_letter(ev->lazy >> 4);
		if (shows & TRACE_SHOW_LAZY_DEPTH)
			*p++ = ev->lazy ? "0123456789abcdef"[ev->lazy & 0xf] : '.';
		*p++ = depth_letter(ev->preempt >> 4);
	}
	*p = '\0';
}

static void add_flags(struct buf *b, const struct trace_event *ev)
{
	char flags[TRACE_FLAGS_SIZE];

	if (ev->latency) {
		buf_str(b, ev->latency);
		return;
	}
	trace_flags(ev, flags);
	buf_str(b, flags);
}

/* "   ?+0.000123" where the time is lost: since the first of the events that stand with it. */
static void add_time(struct buf *b, const struct trace_event *ev)
{
	size_t start = b->n, at;

	if (!(ev->marks & TRACE_UNTIMED)) {
		trace_print_time(b, ev->buffer, ev->ts);
		return;
	}
	trace_print_time(b, ev->buffer, ev->after);
	for (at = start; at < b->n && b->s[at] == ' '; at++)
		;
	if (at >= start + 2) {
		b->s[at - 2] = '?';
		b->s[at - 1] = '+';
	}
}

void trace_row_context(struct buf *b, const struct trace_event *ev)
{
	const struct trace_buffer *buffer = ev->buffer;
	const struct recording *rec = buffer->recording;
	const char *comm = trace_comm(ev);
	size_t n = strlen(comm), start = b->n;

	if (n < 16)
		buf_pad(b, ' ', 16 - n);
	buf_add(b, comm, n);
	buf_one_line(b, start);
	if (ev->pid >= 0) {
		n = b->n + 9;
		buf_char(b, '-');
		buf_dec(b, (uint64_t)ev->pid, 0, ' ');
		buf_pad(b, ' ', b->n < n ? n - b->n : 1);
	} else {
		buf_str(b, "-?       "); /* the source does not say */
	}
	if (buffer->shows & TRACE_SHOW_TGID) {
		int32_t tgid = rec->ops->tgid ? rec->ops->tgid(rec, ev->pid) : -1;

		if (tgid > 0)
			buf_printf(b, "(%7" PRId32 ") ", tgid);
		else
			buf_str(b, "(-------) ");
	}
	if (ev->cpu >= 0) {
		buf_char(b, '[');
		buf_dec(b, (uint64_t)ev->cpu, 3, '0');
		buf_str(b, "] ");
	} else {
		buf_printf(b, "[%03d] ", ev->cpu);
	}
	if (buffer->shows & TRACE_SHOW_IRQ_INFO)
		add_flags(b, ev);
	add_time(b, ev);
	buf_str(b, ": ");
}

void trace_row_event(struct trace_printer *p, struct buf *b, const struct trace_event *ev)
{
	enum trace_kind kind = trace_kind(ev);
	size_t start = b->n;

	trace_print(p, b, ev);
	/* words of a trace file were lines before */
	if (!ev->text && kind != TRACE_KIND_STACK && kind != TRACE_KIND_USER_STACK)
		buf_one_line(b, start);
	for (size_t i = 0; i < ev->n_chain; i++) {
		buf_str(b, "\n => ");
		start = b->n;
		buf_str(b, ev->chain[i]);
		buf_one_line(b, start);
	}
}

void trace_row(struct trace_printer *p, struct buf *b, const struct trace_event *ev)
{
	trace_row_context(b, ev);
	trace_row_event(p, b, ev);
}

void trace_row_latency(struct trace_printer *p, struct buf *b, const struct trace_event *ev,
		       uint64_t start, uint64_t next_ts)
{
	uint64_t delay = next_ts > ev->ts ? next_ts - ev->ts : 0;
	int64_t us = ev->ts < start ? -(int64_t)trace_us(start - ev->ts)
				    : (int64_t)trace_us(ev->ts - start);
	size_t row = b->n;

	buf_printf(b, "%8.8s-%-7" PRId32 " %3d", trace_comm(ev), ev->pid, ev->cpu);
	buf_one_line(b, row);
	add_flags(b, ev);
	if (ev->buffer->ns)
		buf_printf(b, " %4" PRId64 "us%c: ", us,
			   ev->mark ? ev->mark : trace_mark_of(trace_us(delay) * 1000));
	else
		buf_printf(b, " %4" PRId64 ": ", (int64_t)(ev->ts - start));
	trace_row_event(p, b, ev);
}

bool trace_row_lost(struct buf *b, const struct trace_event *ev)
{
	if (!ev->lost)
		return false;
	if (ev->lost == TRACE_LOST_SOME)
		buf_printf(b, "CPU:%d [LOST EVENTS]", ev->cpu);
	else
		buf_printf(b, "CPU:%d [LOST %" PRIu64 " EVENTS]", ev->cpu, ev->lost);
	return true;
}

bool trace_row_untimed(struct buf *b, const struct trace_event *ev)
{
	if (!ev->begins)
		return false;
	buf_printf(b, "CPU:%d [TIME LOST, BEFORE", ev->cpu);
	trace_print_time(b, ev->buffer, ev->before);
	buf_char(b, ']');
	return true;
}

/* A column's name, and the line that points to it. */
static void graph_head(struct buf *b, unsigned shows)
{
	static const struct {
		unsigned show;
		const char *name, *bar;
	} columns[] = {
		{ TRACE_SHOW_GRAPH_ABSTIME, "     TIME       ", "      |         " },
		{ TRACE_SHOW_GRAPH_CPU, " CPU", " |  " },
		{ TRACE_SHOW_GRAPH_PROC, "  TASK/PID       ", "   |    |        " },
		{ TRACE_SHOW_GRAPH_DURATION, "  DURATION   ", "   |   |      " },
	};

	buf_char(b, '#');
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (shows & columns[i].show)
			buf_str(b, columns[i].name);
	buf_str(b, "               FUNCTION CALLS\n#");
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		if (shows & columns[i].show)
			buf_str(b, columns[i].bar);
	buf_str(b, "               |   |   |   |\n");
}

#define BARS "||||||||"

/* The names of the letters of the flags' column; returns how many. */
static size_t letter_names(unsigned shows, const char *ret[TRACE_FLAGS_MAX])
{
	bool lazy = shows & TRACE_SHOW_LAZY_DEPTH;
	size_t n = 0;

	ret[n++] = shows & TRACE_SHOW_NO_BH ? "irqs-off" : "irqs-off/BH-disabled";
	ret[n++] = "need-resched";
	if (lazy)
		ret[n++] = "need-resched-lazy";
	ret[n++] = "hardirq/softirq";
	ret[n++] = "preempt-depth";
	if (lazy)
		ret[n++] = "preempt-lazy-depth";
	if (!(shows & TRACE_SHOW_NO_MIGRATE))
		ret[n++] = "migrate-disable";
	return n;
}

/* The letters of the flags' column hang on slanted lines. */
static void flags_head(struct buf *b, unsigned shows, const char *const *what)
{
	const char *names[TRACE_FLAGS_MAX];
	int wide = shows & TRACE_SHOW_TGID ? 12 : 2, n = (int)letter_names(shows, names);

	trace_slants(b, 28 + wide, names, (size_t)n, n > 5 ? n : 5, 0);
	buf_printf(b, "#%*s%.*s /     delay\n", 28 + wide, "", n - 1, BARS);
	buf_printf(b, "#           TASK-PID  %.*s CPU#  %-5.*s  TIMESTAMP  %s\n", wide,
		   "     TGID   ", n, BARS, what[0]);
	buf_printf(b, "#              | |    %.*s   |   %-5.*s     %s|         %s\n", wide,
		   "       |    ", n, BARS, n > 5 ? " " : "", what[1]);
}

/* How many events of a lane are read, where older ones are left out. */
static uint64_t count_events(const struct trace_buffer *buffer, const struct trace_lane *lane)
{
	struct arena a = { 0 };
	struct trace_reader r;
	struct trace_event ev;
	struct err ignored;
	uint64_t n = 0;

	if (trace_open(&r, buffer, lane, NULL, &a, &ignored))
		while (trace_next(&r, &ev, &ignored))
			n++;
	arena_release(&a);
	return n;
}

/* Entries that are left, and that were written, of all lanes; false: some lane does not say. What
 * was consumed counts as neither, nor does what is older than the buffer's begin; of a lane with
 * such all that were written are those that are left. */
static bool count_entries(const struct trace_buffer *buffer, uint64_t *left, uint64_t *written)
{
	*left = *written = 0;
	for (size_t i = 0; i < buffer->n_lanes; i++) {
		const struct trace_lane *lane = &buffer->lanes[i];
		uint64_t read = lane->read == UINT64_MAX ? 0 : lane->read, all, n;

		if (lane->entries == UINT64_MAX || lane->overrun == UINT64_MAX)
			return false;
		all = lane->entries - lane->overrun - read;
		n = buffer->since ? count_events(buffer, lane) : all;
		*left += n;
		*written += n == all ? lane->entries - read : n;
	}
	return buffer->n_lanes > 0;
}

/* kernel/trace/trace.c, print_trace_header() */
static void latency_facts(struct buf *b, const struct trace_buffer *buffer)
{
	const struct trace_latency *l = buffer->latency;
	const struct trace_event at = { .buffer = buffer };
	uint64_t left, written;
	size_t start = b->n;

	/* a listing may begin below this line */
	if (l->release) {
		buf_printf(b, "# %s latency trace v1.1.5 on %s",
			   buffer->tracer ? buffer->tracer : "?", l->release);
		buf_one_line(b, start);
		buf_printf(b, "\n# %.*s\n", 68,
			   "--------------------------------------------------------------------");
	}
	start = b->n;
	buf_printf(b, "# latency: %" PRIu64 " us, ", l->us);
	if (count_entries(buffer, &left, &written))
		buf_printf(b, "#%" PRIu64 "/%" PRIu64 ", ", left, written);
	buf_printf(b, "CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0 #P:%u)", l->cpu, l->preemption,
		   buffer->online);
	buf_one_line(b, start);
	buf_str(b, "\n#    -----------------\n");
	start = b->n;
	buf_printf(b,
		   "#    | task: %s-%d (uid:%u nice:%" PRId64 " policy:%" PRIu64 " rt_prio:%" PRIu64
		   ")",
		   l->comm, l->pid, l->uid, l->nice, l->policy, l->rt_priority);
	buf_one_line(b, start);
	buf_str(b, "\n#    -----------------\n");
	if (l->start) {
		buf_str(b, "#  => started at: ");
		trace_print_symbol(b, &at, l->start, false);
		buf_str(b, "\n#  => ended at:   ");
		trace_print_symbol(b, &at, l->end, false);
		buf_str(b, "\n#\n");
	}
	buf_str(b, "#\n");
}

static void latency_head(struct buf *b, unsigned shows)
{
	const char *names[TRACE_FLAGS_MAX + 1] = { "CPU#" };
	int n = (int)letter_names(shows, names + 1) + 1;
	bool older = n == 5; /* the lines below were of another width then */

	trace_slants(b, 18, names, (size_t)n, n > 6 ? n : 6, 16);
	buf_printf(b, "#%18s%.*s /     delay           %s\n", "", n - 1, BARS, older ? " " : "");
	buf_printf(b, "#  cmd     pid     %.*s time  |   caller     %s\n", n, BARS,
		   older ? " " : "");
	buf_printf(b, "#     \\   /        %.*s  \\    |   %s\n", n, BARS,
		   older ? "/         " : " /       ");
}

void trace_head(struct buf *b, const struct trace_buffer *buffer, enum trace_view view)
{
	static const char *const whats[2][2] = {
		{ "FUNCTION", "|" },
		{ "         DURATION        FUNCTION CALLS", "          |   |          |   |   |" },
	};
	const char *const *what = whats[view == TRACE_VIEW_CALLS];
	uint64_t left, written;
	size_t start = b->n;

	if (buffer->tracer) {
		buf_printf(b, "# tracer: %s", buffer->tracer);
		buf_one_line(b, start);
		buf_str(b, "\n#\n");
	}
	if (buffer->clock && !strcmp(buffer->clock, TRACE_CLOCK_DURATIONS))
		buf_str(b,
			"# The text has no times: these are sums of the durations that it has.\n#\n");
	if (view != TRACE_VIEW_GRAPH && trace_noise_head(b, buffer))
		return;
	if (view == TRACE_VIEW_LATENCY) {
		/* trace_default_header(): nothing is said of nothing */
		if (count_entries(buffer, &left, &written) && buffer->n_lanes && !left)
			return;
		if (buffer->latency)
			latency_facts(b, buffer);
		if (!(buffer->shows & TRACE_SHOW_VERBOSE))
			latency_head(b, buffer->shows);
		return;
	}
	if (view == TRACE_VIEW_GRAPH) {
		graph_head(b, buffer->shows);
		return;
	}
	if (count_entries(buffer, &left, &written))
		buf_printf(b,
			   "# entries-in-buffer/entries-written: %" PRIu64 "/%" PRIu64
			   "   #P:%u\n#\n",
			   left, written, buffer->online);
	if (buffer->shows & TRACE_SHOW_IRQ_INFO) {
		flags_head(b, buffer->shows, what);
	} else {
		bool tgid = buffer->shows & TRACE_SHOW_TGID;

		buf_printf(b, "#           TASK-PID    %s CPU#     TIMESTAMP  %s\n",
			   tgid ? "   TGID   " : "", what[0]);
		buf_printf(b, "#              | |      %s   |         |         %s\n",
			   tgid ? "     |    " : "", what[1]);
	}
}
