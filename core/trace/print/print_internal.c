/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the kernel's own events: functions, stacks, markers, noise
 * (kernel/trace/trace_output.c says what they look like, kernel/trace/trace_entries.h what they
 * hold). */
#include <inttypes.h>
#include <string.h>

#include "core/trace/funcall.h"
#include "core/trace/print/print.h"

#define STACK_MAX 1024u
#define TRAMPOLINE 0x7fffffffu /* FTRACE_TRAMPOLINE_MARKER: the largest int, as an address */

static const struct {
	const char *name;
	enum trace_kind kind;
} kinds[] = {
	{ "function", TRACE_KIND_FUNCTION },
	{ "funcgraph_entry", TRACE_KIND_GRAPH_ENTRY },
	{ "funcgraph_retaddr_entry", TRACE_KIND_GRAPH_ENTRY },
	{ "funcgraph_exit", TRACE_KIND_GRAPH_EXIT },
	{ "kernel_stack", TRACE_KIND_STACK },
	{ "user_stack", TRACE_KIND_USER_STACK },
	{ "print", TRACE_KIND_PRINT },
	{ "bprint", TRACE_KIND_BPRINT },
	{ "bputs", TRACE_KIND_BPUTS },
	{ "raw_data", TRACE_KIND_RAW },
	{ "func_repeats", TRACE_KIND_REPEATS },
	{ "hwlat", TRACE_KIND_HWLAT },
	{ "osnoise", TRACE_KIND_OSNOISE },
	{ "timerlat", TRACE_KIND_TIMERLAT },
	{ "context_switch", TRACE_KIND_SWITCH },
	{ "wakeup", TRACE_KIND_WAKEUP },
};

enum trace_kind trace_kind(const struct trace_event *ev)
{
	if (!ev->format || !ev->format->system || strcmp(ev->format->system, "ftrace") != 0)
		return TRACE_KIND_EVENT;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(ev->format->name, kinds[i].name))
			return kinds[i].kind;
	return TRACE_KIND_EVENT;
}

uint64_t trace_us(uint64_t ns)
{
	return ns / 1000 + (ns % 1000 >= 500);
}

/* A caller that a kretprobe hid: kernel/trace/trace_output.c, kretprobed(). */
static bool is_kretprobe(const struct trace_symbol *sym)
{
	static const char *const names[] = { "arch_rethook_trampoline", "__kretprobe_trampoline",
					     "kretprobe_trampoline" };

	for (size_t i = 0; !sym->offset && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(sym->name, names[i]))
			return true;
	return false;
}

void trace_print_symbol(struct buf *b, const struct trace_event *ev, uint64_t addr, bool offset)
{
	const struct recording *rec = ev->buffer->recording;
	unsigned shows = ev->buffer->shows;
	struct trace_symbol sym;

	if (!addr) {
		buf_char(b, '0');
		return;
	}
	if (!rec->ops->symbol || !rec->ops->symbol(rec, addr, &sym)) {
		buf_printf(b, "0x%08" PRIx64, addr);
	} else if (is_kretprobe(&sym)) {
		buf_str(b, "[unknown/kretprobe'd]");
	} else {
		size_t start = b->n;

		buf_str(b, sym.name);
		if (offset || (shows & TRACE_SHOW_OFFSET)) {
			buf_printf(b, "+0x%" PRIx64, sym.offset);
			if (sym.size)
				buf_printf(b, "/0x%" PRIx64, sym.size);
			if (sym.module)
				buf_printf(b, " [%s]", sym.module);
		}
		buf_one_line(b, start);
	}
	if (shows & TRACE_SHOW_ADDR)
		buf_printf(b, " <%0*" PRIx64 ">", (int)rec->word_size * 2, addr);
}

void trace_print_time(struct buf *b, const struct trace_buffer *buffer, uint64_t ts)
{
	uint64_t us = trace_us(ts);

	buf_char(b, ' ');
	if (buffer->ns) {
		bool ns = buffer->shows & TRACE_SHOW_NANOSECONDS;

		buf_dec(b, ns ? ts / 1000000000 : us / 1000000, 5, ' ');
		buf_char(b, '.');
		buf_dec(b, ns ? ts % 1000000000 : us % 1000000, ns ? 9 : 6, '0');
	} else {
		buf_dec(b, ts, 12, ' ');
	}
}

/* As trace-cmd has it: the words of the kernel's picture, which has no words for one event. */
static bool print_call(struct buf *b, const struct trace_event *ev)
{
	struct funcall c;

	if (!funcall_of(ev, &c))
		return false;
	buf_printf(b, "%s: ", ev->name);
	funcall_words(b, ev, &c, c.leaf);
	if (c.is_return && c.has_duration) {
		buf_char(b, ' ');
		funcall_duration(b, c.duration, 0);
	}
	return true;
}

static bool print_internal_number(const struct trace_event *ev, const char *name, uint64_t *ret)
{
	const struct trace_field *f = trace_field_find(ev->format, name);

	return f && trace_field_u64(ev, f, ret);
}

/* A field's bytes, to the end of the record. */
static bool tail(const struct trace_event *ev, const char *name, struct span *ret)
{
	const struct trace_field *f = trace_field_find(ev->format, name);

	if (!f || f->offset > ev->data.n)
		return false;
	*ret = SPAN(ev->data.p + f->offset, ev->data.n - f->offset);
	return true;
}

/* Text to its NUL, without the line's end that markers are written with. */
static void add_text(struct buf *b, struct span s)
{
	size_t n = strnlen((const char *)s.p, s.n);

	if (n && s.p[n - 1] == '\n')
		n--;
	buf_add(b, (const char *)s.p, n);
}

static bool print_function(struct buf *b, const struct trace_event *ev)
{
	uint64_t ip, parent;

	if (!print_internal_number(ev, "ip", &ip) ||
	    !print_internal_number(ev, "parent_ip", &parent))
		return false;
	trace_print_symbol(b, ev, ip, false);
	if ((ev->buffer->shows & TRACE_SHOW_PARENT) && parent) {
		buf_str(b, " <-");
		trace_print_symbol(b, ev, parent, false);
	}
	return true;
}

static uint64_t word(const struct trace_event *ev, const uint8_t *p)
{
	unsigned n = ev->buffer->recording->word_size;
	uint64_t v = 0;

	if (!ev->buffer->recording->big_endian)
		return load_le(p, n);
	for (unsigned i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

static bool print_stack(struct buf *b, const struct trace_event *ev, bool user)
{
	unsigned n = ev->buffer->recording->word_size;
	uint64_t end = n == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t size;
	struct span s;

	if (!tail(ev, "caller", &s) || !n)
		return false;
	/* what the size field counts, where it does; a record is padded */
	if (print_internal_number(ev, "size", &size) && size < s.n / n)
		s.n = size * n;
	if (s.n > (size_t)STACK_MAX * n)
		s.n = (size_t)STACK_MAX * n;
	buf_str(b, user ? "<user stack trace>" : "<stack trace>");
	for (size_t i = 0; i + n <= s.n; i += n) {
		uint64_t addr = word(ev, s.p + i);

		if (addr == end || (user && !addr))
			break;
		buf_str(b, "\n => ");
		if (user)
			buf_printf(b, " <%0*" PRIx64 ">", (int)n * 2, addr);
		else if (addr == TRAMPOLINE)
			buf_str(b, "[FTRACE TRAMPOLINE]");
		else
			trace_print_symbol(b, ev, addr, false);
	}
	return true;
}

static bool print_marker(struct buf *b, const struct trace_event *ev, const char *field)
{
	uint64_t ip;
	struct span s;

	if (!print_internal_number(ev, "ip", &ip) || !tail(ev, field, &s))
		return false;
	trace_print_symbol(b, ev, ip, false);
	buf_str(b, ": ");
	add_text(b, s);
	return true;
}

/* A string that was compiled in, of which the record has the address. */
static bool print_bputs(struct buf *b, const struct trace_event *ev)
{
	const struct recording *rec = ev->buffer->recording;
	const char *text = NULL;
	uint64_t ip, addr;

	if (!print_internal_number(ev, "ip", &ip) || !print_internal_number(ev, "str", &addr))
		return false;
	if (rec->ops->string)
		text = rec->ops->string(rec, addr);
	trace_print_symbol(b, ev, ip, false);
	if (text) {
		buf_str(b, ": ");
		add_text(b, SPAN(text, strlen(text)));
	} else {
		buf_printf(b, ": <string at 0x%" PRIx64 ">", addr);
	}
	return true;
}

static bool print_raw(struct buf *b, const struct trace_event *ev)
{
	uint64_t id;
	struct span s;

	if (!print_internal_number(ev, "id", &id) || !tail(ev, "buf", &s))
		return false;
	buf_printf(b, "# %" PRIx64 " buf:", id & UINT32_MAX);
	for (size_t i = 0; i < s.n; i++)
		buf_printf(b, " %02x", s.p[i]);
	return true;
}

static bool print_repeats(struct buf *b, const struct trace_event *ev)
{
	uint64_t count, top, bottom;

	if (!print_internal_number(ev, "count", &count) ||
	    !print_internal_number(ev, "top_delta_ts", &top) ||
	    !print_internal_number(ev, "bottom_delta_ts", &bottom) || !print_function(b, ev))
		return false;
	buf_printf(b, " (repeats: %" PRIu64 ", last_ts:", count);
	trace_print_time(b, ev->buffer, ev->ts - (top << 32 | bottom));
	buf_char(b, ')');
	return true;
}

static bool print_hwlat(struct buf *b, const struct trace_event *ev)
{
	uint64_t seq, inner, outer, sec, nsec, count, nmis, total;

	if (!print_internal_number(ev, "seqnum", &seq) ||
	    !print_internal_number(ev, "duration", &inner) ||
	    !print_internal_number(ev, "outer_duration", &outer) ||
	    !print_internal_number(ev, "tv_sec", &sec) ||
	    !print_internal_number(ev, "tv_nsec", &nsec) ||
	    !print_internal_number(ev, "count", &count))
		return false;
	buf_printf(b,
		   "#%-5" PRIu64 " inner/outer(us): %4" PRIu64 "/%-5" PRIu64 " ts:%" PRId64
		   ".%09" PRIu64 " count:%" PRIu64,
		   seq, inner, outer, (int64_t)sec, nsec, count);
	if (!print_internal_number(ev, "nmi_count", &nmis) || !nmis)
		return true;
	/* kernels whose clock is not safe in an NMI count no time, and print none */
	if (print_internal_number(ev, "nmi_total_ts", &total) && total)
		buf_printf(b, " nmi-total:%" PRIu64, total);
	buf_printf(b, " nmi-count:%" PRIu64, nmis);
	return true;
}

static bool print_osnoise(struct buf *b, const struct trace_event *ev)
{
	static const char *const counts[] = { "hw_count", "nmi_count", "irq_count", "softirq_count",
					      "thread_count" };
	uint64_t runtime, noise, sample, ratio;

	if (!print_internal_number(ev, "runtime", &runtime) ||
	    !print_internal_number(ev, "noise", &noise) ||
	    !print_internal_number(ev, "max_sample", &sample) || !runtime || noise > runtime)
		return false;
	/* per cent with five digits behind the point */
	ratio = (runtime - noise) * 10000000 / runtime;
	buf_printf(b, "%" PRIu64 " %10" PRIu64 " %3" PRIu64 ".%05" PRIu64 " %7" PRIu64, runtime,
		   noise, ratio / 100000, ratio % 100000, sample);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		uint64_t n = 0;

		if (!print_internal_number(ev, counts[i], &n))
			return false;
		buf_printf(b, " %6" PRIu64, n);
	}
	return true;
}

static bool print_timerlat(struct buf *b, const struct trace_event *ev)
{
	static const char *const contexts[] = { "irq", "thread", "user-ret" };
	uint64_t seq, context, latency;

	if (!print_internal_number(ev, "seqnum", &seq) ||
	    !print_internal_number(ev, "context", &context) ||
	    !print_internal_number(ev, "timer_latency", &latency) || context >= 3)
		return false;
	buf_printf(b, "#%-5" PRIu64 " context %6s timer_latency %9" PRIu64 " ns", seq,
		   contexts[context], latency);
	return true;
}

/* include/linux/sched.h, task_index_to_char(): by the number of the lowest bit set, and one. */
static char state_char(uint64_t state)
{
	static const char chars[] = "RSDTtXZPI";

	return state < sizeof(chars) - 1 ? chars[state] : '?';
}

static bool print_switch(struct buf *b, const struct trace_event *ev, const char *arrow)
{
	uint64_t prev, prev_prio, prev_state, next, next_prio, next_state, cpu;
	struct trace_event to = *ev;

	if (!print_internal_number(ev, "prev_pid", &prev) ||
	    !print_internal_number(ev, "prev_prio", &prev_prio) ||
	    !print_internal_number(ev, "prev_state", &prev_state) ||
	    !print_internal_number(ev, "next_pid", &next) ||
	    !print_internal_number(ev, "next_prio", &next_prio) ||
	    !print_internal_number(ev, "next_state", &next_state) ||
	    !print_internal_number(ev, "next_cpu", &cpu))
		return false;
	to.pid = (int32_t)next;
	to.comm = NULL;
	buf_printf(b, " %7u:%3u:%c %s [%03u] %7u:%3u:%c %s", (unsigned)prev, (unsigned)prev_prio,
		   state_char(prev_state), arrow, (unsigned)cpu, (unsigned)next,
		   (unsigned)next_prio, state_char(next_state), trace_comm(&to));
	return true;
}

bool trace_print_internal(struct buf *b, const struct trace_event *ev)
{
	switch (trace_kind(ev)) {
	case TRACE_KIND_FUNCTION:
		return print_function(b, ev);
	case TRACE_KIND_STACK:
		return print_stack(b, ev, false);
	case TRACE_KIND_USER_STACK:
		return print_stack(b, ev, true);
	case TRACE_KIND_PRINT:
		return print_marker(b, ev, "buf");
	case TRACE_KIND_BPUTS:
		return print_bputs(b, ev);
	case TRACE_KIND_RAW:
		return print_raw(b, ev);
	case TRACE_KIND_REPEATS:
		return print_repeats(b, ev);
	case TRACE_KIND_HWLAT:
		return print_hwlat(b, ev);
	case TRACE_KIND_OSNOISE:
		return print_osnoise(b, ev);
	case TRACE_KIND_TIMERLAT:
		return print_timerlat(b, ev);
	case TRACE_KIND_SWITCH:
		return print_switch(b, ev, "==>");
	case TRACE_KIND_WAKEUP:
		return print_switch(b, ev, "  +");
	case TRACE_KIND_GRAPH_ENTRY:
	case TRACE_KIND_GRAPH_EXIT:
		return print_call(b, ev);
	case TRACE_KIND_EVENT:
	case TRACE_KIND_BPRINT: /* libtraceevent's */
		break;
	}
	return false;
}
