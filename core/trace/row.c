/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows and heads of the kernel's trace file. */
#include "core/trace/row.h"

#include <inttypes.h>
#include <string.h>

char trace_mark_of(uint64_t ns)
{
	static const char marks[] = "+!#*@$";
	uint64_t limit = 10000; /* ns, for the first mark; ten times more for each that follows */
	char mark = ' ';

	for (size_t i = 0; marks[i] && ns > limit; i++, limit *= 10)
		mark = marks[i];
	return mark;
}

void trace_flags(const struct trace_event *ev, char ret[6])
{
	unsigned f = ev->flags, irq = f & (TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ);
	static const char digits[] = "0123456789abcdef";

	if (f & TRACE_FLAG_IRQS_OFF)
		ret[0] = f & TRACE_FLAG_BH_OFF ? 'D' : 'd';
	else
		ret[0] = f & TRACE_FLAG_BH_OFF ? 'b' : '.';
	switch (f & (TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_PREEMPT_RESCHED)) {
	case TRACE_FLAG_NEED_RESCHED | TRACE_FLAG_PREEMPT_RESCHED:
		ret[1] = 'N';
		break;
	case TRACE_FLAG_NEED_RESCHED:
		ret[1] = 'n';
		break;
	case TRACE_FLAG_PREEMPT_RESCHED:
		ret[1] = 'p';
		break;
	default:
		ret[1] = '.';
	}
	if (f & TRACE_FLAG_NMI)
		ret[2] = f & TRACE_FLAG_HARDIRQ ? 'Z' : 'z';
	else if (irq == (TRACE_FLAG_HARDIRQ | TRACE_FLAG_SOFTIRQ))
		ret[2] = 'H';
	else
		ret[2] = irq & TRACE_FLAG_HARDIRQ ? 'h' : irq ? 's' : '.';
	ret[3] = ev->preempt & 0xf ? digits[ev->preempt & 0xf] : '.';
	ret[4] = ev->preempt >> 4 ? digits[ev->preempt >> 4] : '.';
	ret[5] = '\0';
}

static void add_flags(struct buf *b, const struct trace_event *ev)
{
	char flags[6];

	if (ev->latency) {
		buf_str(b, ev->latency);
		return;
	}
	trace_flags(ev, flags);
	buf_str(b, flags);
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
	trace_print_time(b, buffer, ev->ts);
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
}

void trace_row(struct trace_printer *p, struct buf *b, const struct trace_event *ev)
{
	trace_row_context(b, ev);
	trace_row_event(p, b, ev);
}

void trace_row_latency(struct trace_printer *p, struct buf *b, const struct trace_event *ev,
		       uint64_t start, uint64_t next_ts)
{
	uint64_t since = ev->ts - start, delay = next_ts > ev->ts ? next_ts - ev->ts : 0;
	size_t row = b->n;

	buf_printf(b, "%8.8s-%-7" PRId32 " %3d", trace_comm(ev), ev->pid, ev->cpu);
	buf_one_line(b, row);
	add_flags(b, ev);
	if (ev->buffer->ns)
		buf_printf(b, " %4" PRIu64 "us%c: ", trace_us(since),
			   trace_mark_of(trace_us(delay) * 1000));
	else
		buf_printf(b, " %4" PRId64 ": ", (int64_t)since);
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

/* The five letters of the flags' column hang on slanted lines. */
static void flags_head(struct buf *b, unsigned shows)
{
	static const char *const rows[] = {
		"  _-----=> irqs-off/BH-disabled", " / _----=> need-resched",
		"| / _---=> hardirq/softirq",      "|| / _--=> preempt-depth",
		"||| / _-=> migrate-disable",      "|||| /     delay",
	};
	bool tgid = shows & TRACE_SHOW_TGID;
	int wide = tgid ? 12 : 2;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		buf_printf(b, "#%*s%s\n", 28 + wide, "", rows[i]);
	buf_printf(b, "#           TASK-PID  %.*s CPU#  |||||  TIMESTAMP  FUNCTION\n", wide,
		   "     TGID   ");
	buf_printf(b, "#              | |    %.*s   |   |||||     |         |\n", wide,
		   "       |    ");
}

/* Entries that are left, and that were written, of all lanes; false: some lane does not say. What
 * was consumed counts as neither. */
static bool count_entries(const struct trace_buffer *buffer, uint64_t *left, uint64_t *written)
{
	*left = *written = 0;
	for (size_t i = 0; i < buffer->n_lanes; i++) {
		const struct trace_lane *lane = &buffer->lanes[i];
		uint64_t read = lane->read == UINT64_MAX ? 0 : lane->read;

		if (lane->entries == UINT64_MAX || lane->overrun == UINT64_MAX)
			return false;
		*left += lane->entries - lane->overrun - read;
		*written += lane->entries - read;
	}
	return true;
}

/* kernel/trace/trace.c, print_trace_header() */
static void latency_facts(struct buf *b, const struct trace_buffer *buffer)
{
	const struct trace_latency *l = buffer->latency;
	const struct trace_event at = { .buffer = buffer };
	uint64_t left, written;
	size_t start = b->n;

	buf_printf(b, "# %s latency trace v1.1.5 on %s", buffer->tracer ? buffer->tracer : "?",
		   l->release);
	buf_one_line(b, start);
	buf_char(b, '\n');
	buf_printf(b, "# %.*s\n# latency: %" PRIu64 " us, ", 68,
		   "--------------------------------------------------------------------", l->us);
	if (count_entries(buffer, &left, &written))
		buf_printf(b, "#%" PRIu64 "/%" PRIu64 ", ", left, written);
	buf_printf(b, "CPU#%d | (M:%s VP:0, KP:0, SP:0 HP:0 #P:%u)\n", l->cpu, l->preemption,
		   buffer->online);
	buf_str(b, "#    -----------------\n");
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

static void latency_head(struct buf *b)
{
	static const char *const rows[] = {
		"                    _------=> CPU#            ",
		"                   / _-----=> irqs-off/BH-disabled",
		"                  | / _----=> need-resched    ",
		"                  || / _---=> hardirq/softirq ",
		"                  ||| / _--=> preempt-depth   ",
		"                  |||| / _-=> migrate-disable ",
		"                  ||||| /     delay           ",
		"  cmd     pid     |||||| time  |   caller     ",
		"     \\   /        ||||||  \\    |    /       ",
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		buf_printf(b, "#%s\n", rows[i]);
}

void trace_head(struct buf *b, const struct trace_buffer *buffer, bool graph, bool latency)
{
	uint64_t left, written;

	size_t start = b->n;

	if (buffer->tracer) {
		buf_printf(b, "# tracer: %s", buffer->tracer);
		buf_one_line(b, start);
		buf_str(b, "\n#\n");
	}
	if (latency) {
		if (buffer->latency)
			latency_facts(b, buffer);
		if (!(buffer->shows & TRACE_SHOW_VERBOSE))
			latency_head(b);
		return;
	}
	if (graph) {
		graph_head(b, buffer->shows);
		return;
	}
	if (count_entries(buffer, &left, &written))
		buf_printf(b,
			   "# entries-in-buffer/entries-written: %" PRIu64 "/%" PRIu64
			   "   #P:%u\n#\n",
			   left, written, buffer->online);
	if (buffer->shows & TRACE_SHOW_IRQ_INFO) {
		flags_head(b, buffer->shows);
	} else {
		bool tgid = buffer->shows & TRACE_SHOW_TGID;

		buf_printf(b, "#           TASK-PID    %s CPU#     TIMESTAMP  FUNCTION\n",
			   tgid ? "   TGID   " : "");
		buf_printf(b, "#              | |      %s   |         |         |\n",
			   tgid ? "     |    " : "");
	}
}
