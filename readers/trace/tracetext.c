/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces in text: tracefs' trace file, trace-cmd's report, systrace, and what a console was told.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mapping.h"
#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/trace/trace.h"
#include "core/report/parse/parse.h"
#include "readers/reader.h"
#include "readers/trace/graphrow.h"
#include "readers/trace/graphtext.h"
#include "readers/trace/tracehead.h"
#include "readers/trace/tracerow.h"

/*
 * Sources of the forms: kernel/trace/trace.c (headers, "Dumping ftrace buffer:" of
 * ftrace_dump_on_oops), kernel/trace/trace_output.c (rows), trace-cmd report, and systrace's HTML
 * that has a trace file in <script class="trace-data">.
 */
#define LINE_MAX_LEN 65536u
#define PROBE_MAX ((size_t)32 << 20)
#define PROBE_ROWS 3u
#define PROBE_LINES 64u
#define COMM_SIZE 16u /* TASK_COMM_LEN: of a name, with its end */
#define SECTIONS_MAX 256u
#define HEAD_LINES 64u
#define RULE_LEN 33 /* dashes around a buffer that a console was told */
#define BANNER_LINES 100000u
#define GIVE_BACK ((size_t)4 << 20)
/* What tracetext_probe() says of a text that begins as a trace does, of rows from the first line
 * on, of a page that has a trace, and of rows and heads among other lines. */
#define CERTAIN 100
#define ROWS_FIRST 90
#define HEADED 60
#define ROWS 40

/* One buffer's text. */
struct text_part {
	struct span text;
	bool console; /* lines have a log's prefixes, or are quoted */
	bool mapped;  /* what was read may be given back, and read again */
	/* what the head and the first rows say of the others */
	bool latency, graph;
	bool cpuless;  /* a graph without a column of CPUs */
	unsigned base; /* a graph's blanks in front of the outermost calls */
};

/* Of a recording: of the row that is out, for a text says it there and nowhere else; and names. */
struct text_self {
	int32_t pid, tgid;
	struct graph_names *names;
};

/* A line that was read. */
struct text_row {
	struct tracerow row; /* also of a graph's line, as far as it says so much */
	struct graphrow graph;
	bool is_graph;
};

struct text_reader {
	const struct text_part *part;
	const struct trace_buffer *buffer;
	size_t pos, given; /* read, and given back */
	char *line, *next; /* the row that is out, and one read ahead */
	char name[64];
	struct arena *a;
	char *joint; /* the same, kept in the arena */
	size_t joint_n;
	struct text_row at; /* read ahead */
	bool has_row, ended;
	struct graphtext *graph; /* NULL: no line of a graph was met */
	uint64_t lost, ts;
	int lost_cpu;
	uint64_t raw, hex; /* lines of these forms */
};

static bool next_line(struct span text, size_t *pos, struct span *ret)
{
	const uint8_t *s = text.p + *pos, *nl;

	if (*pos >= text.n)
		return false;
	nl = memchr(s, '\n', text.n - *pos);
	*ret = SPAN(s, nl ? (size_t)(nl - s) : text.n - *pos);
	*pos += ret->n + 1;
	return true;
}

/* How many of the n bytes at s are signs of quotation, as "> > ". */
static size_t quote_length(const char *s, size_t n)
{
	size_t i = 0, ret = 0;

	for (; i < n && (s[i] == '>' || s[i] == ' '); i++)
		ret = s[i] == '>' ? i + 1 : ret;
	return ret < n && s[ret] == ' ' && ret ? ret + 1 : ret;
}

/* A line into a buffer of LINE_MAX_LEN; of a console's without what quotes it, and a log's
 * prefixes.
 */
static void copy_line(struct span l, bool console, char *to)
{
	const char *s = (const char *)l.p;
	size_t n = l.n;

	if (console) {
		struct oline o = { .number = 0 };
		size_t quote = quote_length(s, n);

		prefix_strip(s + quote, n - quote, &o);
		s = o.text;
		n = o.n;
	}
	while (n && (s[n - 1] == '\r' || s[n - 1] == '\0'))
		n--;
	n = n < LINE_MAX_LEN - 1 ? n : LINE_MAX_LEN - 1;
	if (n)
		memcpy(to, s, n);
	to[n] = '\0';
	for (char *nul = to; (nul = memchr(nul, '\0', (size_t)(to + n - nul)));)
		*nul = ' ';
}

static bool text_open_lane(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct text_reader *tr = ARENA_NEW(a, struct text_reader);

	(void)err;
	tr->part = r->lane->self;
	tr->buffer = r->buffer;
	tr->a = a;
	tr->line = arena_alloc(a, LINE_MAX_LEN);
	tr->next = arena_alloc(a, LINE_MAX_LEN);
	tr->lost_cpu = -1;
	r->self = tr;
	return true;
}

/* Lines of the options "raw" and "hex" are numbers: task, CPU, time, and what only the event's
 * format tells apart. */
static void count_numbers(const char *s, uint64_t *raw, uint64_t *hex)
{
	static const unsigned widths[] = { 8, 8, 16 };
	uint64_t n;
	const char *p = s;
	unsigned i;

	for (i = 0; i < 3 && strspn(p, "0123456789abcdef") == widths[i] && p[widths[i]] == ' '; i++)
		p += widths[i] + 1;
	if (i == 3) {
		++*hex;
		return;
	}
	for (i = 0, p = s; i < 3 && number_take(&p, NULL, 10, &n) && *p == ' '; i++)
		p++;
	*raw += i == 3;
}

/* A line of a graph, or a row of trace-cmd's that has one. */
static bool graph_line(struct text_reader *tr, struct text_row *ret)
{
	ret->row.kind = ROW_NONE;
	if (!graphrow_parse(tr->next, tr->part->cpuless, &ret->graph))
		return false;
	ret->row = ret->graph.at;
	return true;
}

static bool is_row(struct text_reader *tr, struct text_row *ret)
{
	ret->is_graph = tr->part->graph && graph_line(tr, ret);
	if (ret->is_graph)
		return true;
	if (!tracerow_parse(tr->next, tr->part->latency, &ret->row)) {
		/* among other rows it takes a bar to tell a picture from a numbered list */
		ret->is_graph = !tr->part->graph && strchr(tr->next, '|') && graph_line(tr, ret);
		return ret->is_graph;
	}
	if (ret->row.name && ret->row.name[0] == 'f' &&
	    (!strcmp(ret->row.name, "funcgraph_entry") ||
	     !strcmp(ret->row.name, "funcgraph_exit"))) {
		char *words = tr->next + (ret->row.text - tr->next);

		ret->graph = (struct graphrow){ .at = ret->row, .before = -1 };
		/* the blanks in front are the place of a duration that is not there */
		ret->is_graph =
			graphrow_body(words, &ret->graph) && ret->graph.kind != GRAPH_COMMENT;
	}
	return true;
}

/* Keeps memory flat however long the text is. */
static void give_back(struct text_reader *tr)
{
	if (!tr->part->mapped || tr->pos - tr->given < GIVE_BACK || tr->pos > tr->part->text.n)
		return;
	mapping_give_back(tr->part->text.p + tr->given, tr->pos - tr->given);
	tr->given = tr->pos;
}

/* Reads on to the next row; false at the end. */
static bool read_row(struct text_reader *tr, struct err *err)
{
	struct span l;
	unsigned steps = 0;

	while (next_line(tr->part->text, &tr->pos, &l)) {
		if (!(++steps & 0xffff) && !interrupt_check(err))
			return false;
		give_back(tr);
		copy_line(l, tr->part->console, tr->next);
		if (!is_row(tr, &tr->at)) {
			count_numbers(tr->next, &tr->raw, &tr->hex);
			continue;
		}
		if (tr->at.row.kind != ROW_LOST)
			return true;
		tr->lost = tr->at.row.lost;
		tr->lost_cpu = tr->at.row.cpu;
	}
	return false;
}

/* More of an event's words, in memory that is kept for it. */
static void join(struct text_reader *tr, const char *s)
{
	size_t n = strlen(s);

	if (tr->joint_n + n + 3 > LINE_MAX_LEN)
		return;
	if (!tr->joint)
		tr->joint = arena_alloc(tr->a, LINE_MAX_LEN);
	if (tr->joint_n)
		tr->joint[tr->joint_n++] = '\n';
	/* a log's prefix takes the blank in front along */
	if (*s == '=')
		tr->joint[tr->joint_n++] = ' ';
	memcpy(tr->joint + tr->joint_n, s, n + 1);
	tr->joint_n += n;
}

static void name_row(struct text_reader *tr, const struct tracerow *row, struct trace_event *ret)
{
	size_t n = row->word < sizeof(tr->name) - 1 ? row->word : sizeof(tr->name) - 1;

	ret->name = row->name;
	if (ret->name)
		return;
	memcpy(tr->name, row->text, n);
	tr->name[n] = '\0';
	ret->name = tr->name;
}

/* Where no column has tasks, banners do, each when another task runs: the first of a CPU says who
 * ran before it. */
static void first_tasks(struct text_reader *tr)
{
	char line[256];
	struct graphrow row;
	size_t pos = 0;
	struct span l;

	if (tr->buffer->shows & TRACE_SHOW_GRAPH_PROC)
		return;
	for (unsigned i = 0; i < BANNER_LINES && next_line(tr->part->text, &pos, &l); i++) {
		if (l.n >= sizeof(line) || !memmem(l.p, l.n, "=>", 2))
			continue;
		copy_line(l, tr->part->console, line);
		if (graphrow_parse(line, false, &row))
			graphtext_banner(tr->graph, &row);
	}
}

static struct graphtext *graph_of(struct text_reader *tr)
{
	const struct text_self *self = tr->buffer->recording->self;

	if (!tr->graph) {
		tr->graph = graphtext_new(self->names, tr->part->base, tr->a);
		first_tasks(tr);
	}
	return tr->graph;
}

static int32_t text_tgid(const struct recording *rec, int32_t pid)
{
	const struct text_self *self = rec->self;

	return self->pid == pid ? self->tgid : -1;
}

static bool text_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	const struct text_self *self = rec->self;

	return graph_names_symbol(self->names, addr, ret);
}

/* The words of rows whose meaning only their formats tell. */
static void tell_numbers(struct trace_reader *r)
{
	struct text_reader *tr = r->self;

	if (!tr->raw && !tr->hex)
		return;
	err_set(&r->damage, ERR_CORRUPT,
		"%llu lines are numbers that need the formats of the events: the option '%s' was on. "
		"Clear it (echo 0 >options/%s in tracefs) and save the trace again, or take trace.dat",
		(unsigned long long)(tr->raw + tr->hex), tr->hex ? "hex" : "raw",
		tr->hex ? "hex" : "raw");
	tr->raw = tr->hex = 0;
}

/* The row that was read ahead is read, or it is known that there is none. */
static bool read_ahead(struct text_reader *tr, struct err *err)
{
	while (!tr->has_row && !tr->ended) {
		if (!read_row(tr, err)) {
			tr->ended = !err->code;
			return !err->code;
		}
		/* the rest of a stack whose event is not there says nothing */
		tr->has_row = tr->at.row.kind != ROW_STACK;
	}
	return true;
}

/* What a row says of its event; its strings are in the line that is out now. */
static void event_of(struct trace_reader *r, const struct tracerow *row, struct trace_event *ret)
{
	struct text_reader *tr = r->self;

	if (row->has_ts)
		tr->ts = row->ts;
	ret->ts = tr->ts;
	ret->cpu = row->cpu;
	ret->pid = row->pid;
	ret->comm = row->comm;
	ret->latency = row->latency;
	ret->flags = row->flags;
	ret->preempt = row->preempt;
	ret->text = row->text;
	ret->bare = row->bare;
	ret->mark = row->mark;
}

static void add_stack(struct text_reader *tr, struct trace_event *ret, struct err *err)
{
	const char *words = ret->text;

	tr->joint_n = 0;
	if (ret->name[0] == 'k' && !strcmp(ret->name, "kernel_stack"))
		join(tr, words);
	while (read_row(tr, err)) {
		tr->has_row = true;
		if (tr->at.row.kind != ROW_STACK)
			break;
		tr->has_row = false;
		if (!tr->joint_n)
			join(tr, words);
		join(tr, tr->at.row.text);
	}
	tr->ended = !tr->has_row && !err->code;
	if (tr->joint_n)
		ret->text = tr->joint;
}

/* The row that was read ahead becomes the one that is out. False: it says nothing of its own. */
static bool take_row(struct trace_reader *r, struct trace_event *ret)
{
	struct text_reader *tr = r->self;
	struct text_self *self = r->buffer->recording->self;
	char *keep = tr->line;

	tr->line = tr->next;
	tr->next = keep;
	tr->has_row = false;
	if (tr->at.is_graph) {
		tr->ts = graphtext_time(graph_of(tr), &tr->at.graph);
		if (!graphtext_event(tr->graph, &tr->at.graph, tr->ts, ret))
			return false;
		if (tr->at.graph.kind == GRAPH_COMMENT)
			name_row(tr, &tr->at.graph.at, ret);
	} else {
		event_of(r, &tr->at.row, ret);
		name_row(tr, &tr->at.row, ret);
	}
	self->pid = ret->pid;
	self->tgid = tr->at.row.tgid;
	if (tr->lost && tr->lost_cpu == ret->cpu) {
		ret->lost = tr->lost == UINT64_MAX ? TRACE_LOST_SOME : tr->lost;
		tr->lost = 0;
	}
	return true;
}

static uint64_t time_ahead(struct text_reader *tr)
{
	if (!tr->has_row)
		return UINT64_MAX;
	if (tr->at.is_graph)
		return graphtext_time(tr->graph, &tr->at.graph);
	return tr->at.row.has_ts ? tr->at.row.ts : tr->ts;
}

static bool text_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct text_reader *tr = r->self;

	do {
		if (!read_ahead(tr, err))
			return false;
		if (tr->graph && graphtext_due(tr->graph, time_ahead(tr),
					       tr->has_row ? tr->at.row.cpu : -1, ret))
			return true;
		if (!tr->has_row) {
			tell_numbers(r);
			return false;
		}
	} while (!take_row(r, ret));
	add_stack(tr, ret, err);
	return !err->code;
}

static const struct recording_ops tracetext_ops = {
	.open = text_open_lane,
	.next = text_next,
	.tgid = text_tgid,
	.symbol = text_symbol,
};

/* ---- heads */

static uint64_t head_name(void *names, const char *s, size_t n)
{
	return graph_names_number(names, s, n);
}

/* What the first rows say that the head did not. */
static void see_row(struct text_part *part, const struct text_row *row, struct trace_buffer *b)
{
	const struct tracerow *at = &row->row;

	if (row->is_graph) {
		part->graph = true;
		if (!b->tracer)
			b->tracer = "function_graph";
		if (!at->latency)
			b->shows &= ~(unsigned)TRACE_SHOW_IRQ_INFO;
		if (!at->has_ts)
			b->clock = TRACE_CLOCK_DURATIONS;
		return;
	}
	b->ns = at->ns;
	if (at->kind == ROW_LATENCY)
		b->shows |= TRACE_SHOW_LATENCY;
	if (at->kind == ROW_EVENT && !at->latency)
		b->shows &= ~(unsigned)TRACE_SHOW_IRQ_INFO;
}

/* A line of an old head as it is since. */
static void add_sign(char *line)
{
	size_t blanks = strspn(line, " "), n = strlen(line + blanks);

	if (n + 3 > LINE_MAX_LEN)
		return;
	memmove(line + 2, line + blanks, n + 1);
	memcpy(line, "# ", 2);
}

/* The head's lines and the first rows: tracer, counts, which columns, which clock. */
static void read_head(struct target *t, struct text_part *part, struct trace_lane *lane,
		      struct trace_buffer *b, struct graph_names *graph_names)
{
	const struct tracehead_names names = { head_name, graph_names };
	struct text_reader tr = { .part = part, .buffer = b };
	unsigned least = UINT_MAX, rows = 0;
	struct span l;

	tr.next = arena_alloc(t->scratch, LINE_MAX_LEN);
	part->base = graphtext_base(UINT_MAX);
	for (unsigned i = 0; i < HEAD_LINES && next_line(part->text, &tr.pos, &l); i++) {
		copy_line(l, part->console, tr.next);
		if (b->tracer && tracehead_is_old(tr.next))
			add_sign(tr.next);
		if (*tr.next == '#') {
			tracehead_line(tr.next, lane, b, &names, &t->arena);
			part->latency = b->shows & TRACE_SHOW_LATENCY;
			part->graph |= b->tracer && !strcmp(b->tracer, "function_graph");
			part->cpuless |=
				strstr(tr.next, "FUNCTION CALLS") && !strstr(tr.next, "CPU");
		} else if (is_row(&tr, &tr.at) && tr.at.row.kind != ROW_LOST &&
			   tr.at.row.kind != ROW_STACK) {
			if (tr.at.is_graph && tr.at.graph.words && tr.at.graph.indent < least)
				least = tr.at.graph.indent;
			if ((!tr.at.is_graph || tr.at.graph.words) && !rows++)
				see_row(part, &tr.at, b);
			if (!tr.at.is_graph)
				break;
		}
	}
	if (least != UINT_MAX)
		part->base = graphtext_base(least);
}

static void add_recording(struct target *t, const struct file *file, const struct text_part *parts,
			  const char *const *names, size_t n, const char *origin)
{
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct trace_buffer *v = ARENA_ARRAY(&t->arena, struct trace_buffer, n + 1);
	struct text_self *self = ARENA_NEW(&t->arena, struct text_self);

	*self = (struct text_self){ .pid = -1, .tgid = -1, .names = graph_names_new(&t->arena) };
	*rec = (struct recording){ .t = t,
				   .origin = origin,
				   .path = file->path,
				   .word_size = 8,
				   .buffers = v,
				   .n_buffers = n,
				   .ops = &tracetext_ops,
				   .self = self };
	for (size_t i = 0; i < n; i++) {
		struct trace_lane *lane = ARENA_NEW(&t->arena, struct trace_lane);
		struct text_part *part = ARENA_NEW(&t->arena, struct text_part);

		*part = parts[i];
		part->mapped = file->owned_fd;
		/* rows of all CPUs, in the order of the text */
		*lane = (struct trace_lane){ .cpu = -1, .self = part };
		lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
		lane->dropped = lane->read = UINT64_MAX;
		lane->bytes = part->text.n;
		v[i] = (struct trace_buffer){ .recording = rec,
					      .name = names[i],
					      .ns = true,
					      .overwrite = true,
					      .shows = TRACE_SHOW_DEFAULT,
					      .lanes = lane,
					      .n_lanes = 1 };
		read_head(t, part, lane, &v[i], self->names);
	}
	traces_add(t, rec);
}

/* ---- what a console was told */

static const uint8_t *tracetext_find(struct span s, size_t from, const char *what)
{
	return from < s.n ? memmem(s.p + from, s.n - from, what, strlen(what)) : NULL;
}

/* The line around a buffer; that of a function graph's banner has more dashes. */
static const uint8_t *find_rule(struct span all, size_t from)
{
	static const char rule[] = "---------------------------------";
	const uint8_t *at;

	_Static_assert(sizeof(rule) == RULE_LEN + 1, "the rule's length");

	while ((at = tracetext_find(all, from, rule))) {
		const uint8_t *end = all.p + all.n, *behind = at + RULE_LEN;

		while (behind < end && *behind == '-')
			behind++;
		if (behind - at == RULE_LEN)
			return at;
		from = (size_t)(behind - all.p);
	}
	return NULL;
}

/* From "Dumping ftrace buffer:" to the second line of dashes, or the next one. */
static bool add_console(struct target *t, const struct file *file)
{
	struct text_part *parts = ARENA_ARRAY(t->scratch, struct text_part, SECTIONS_MAX);
	const char **names = ARENA_ARRAY(t->scratch, const char *, SECTIONS_MAX);
	struct span all = file->map;
	const uint8_t *at;
	size_t n = 0, pos = 0;

	while (n < SECTIONS_MAX && (at = tracetext_find(all, pos, "Dumping ftrace "))) {
		size_t from = (size_t)(at - all.p) + 15, end = all.n;
		const uint8_t *nl = tracetext_find(all, from, "\n"), *first, *last;
		struct span head = SPAN(all.p + from, nl ? (size_t)(nl - all.p) - from : 0);
		const uint8_t *buffer = tracetext_find(head, 0, " buffer");

		pos = from;
		if (!nl || (memcmp(head.p, "buffer", head.n < 6 ? head.n : 6) != 0 && !buffer))
			continue;
		from = (size_t)(nl - all.p) + 1;
		first = find_rule(all, from);
		if (!first || first - nl > 256)
			continue; /* "(ftrace buffer empty)" */
		last = find_rule(all, (size_t)(first - all.p) + RULE_LEN);
		if (last)
			end = (size_t)(last - all.p);
		at = tracetext_find(all, from, "Dumping ftrace ");
		if (at && (size_t)(at - all.p) < end)
			end = (size_t)(at - all.p);
		/* from the line behind the rule to the line before the next */
		nl = tracetext_find(all, (size_t)(first - all.p), "\n");
		from = nl ? (size_t)(nl - all.p) + 1 : end;
		parts[n].text = SPAN(all.p + from, end > from ? end - from : 0);
		parts[n].console = true;
		names[n] = NULL;
		if (buffer && head.n > 9 && !memcmp(head.p, "instance ", 9))
			names[n] = arena_strndup(&t->arena, (const char *)head.p + 9,
						 (size_t)(buffer - head.p) - 9);
		n++;
		pos = end;
	}
	if (n)
		add_recording(t, file, parts, names, n, "a trace in a log");
	return n > 0;
}

/* ---- recognition */

static bool is_text(struct span s)
{
	size_t n = s.n < 4096 ? s.n : 4096, good = 0;

	for (size_t i = 0; i < n; i++)
		good += (s.p[i] >= 0x20 && s.p[i] != 0x7f) || isspace(s.p[i]) || s.p[i] == 0x1b;
	return n >= 8 && good * 10 >= n * 9;
}

/* Is it a name that a task can have? */
static bool is_comm(const struct text_row *at)
{
	const char *comm = at->row.comm;

	return !comm || at->is_graph || (strlen(comm) < COMM_SIZE && *comm != '>');
}

/* Rows among the first lines, which are read without the prefixes of a log or a quotation when
 * `prefixed`. *begins: nothing but a head's lines stands in front of them. */
static unsigned rows_of(struct span s, bool prefixed, bool *begins)
{
	char line[1024];
	const struct text_part part = { .text = s };
	struct text_reader tr = { .part = &part, .next = line };
	struct span l;
	unsigned n = 0;

	*begins = true;
	for (unsigned i = 0; i < PROBE_LINES && next_line(s, &tr.pos, &l); i++) {
		bool is = !memchr(l.p, '\0', l.n);

		l.n = l.n < sizeof(line) - 1 ? l.n : sizeof(line) - 1;
		copy_line(l, prefixed, line);
		is = is && is_row(&tr, &tr.at) && (!prefixed || is_comm(&tr.at));
		*begins &= n || is || *line == '#';
		if (is && tr.at.is_graph)
			n += tr.at.graph.words != NULL;
		else if (is)
			n += tr.at.row.kind != ROW_STACK && tr.at.row.kind != ROW_LOST;
	}
	return n;
}

/* Do rows stand behind a log's prefixes, or signs of quotation? Then these look like a part of the
 * task's name, or no line is a row before they are gone. */
static bool is_prefixed(struct span s)
{
	char line[1024];
	const struct text_part part = { .text = s };
	struct text_reader tr = { .part = &part, .next = line };
	struct span l;
	bool ignored;
	unsigned plain = 0;

	for (unsigned i = 0; i < PROBE_LINES && next_line(s, &tr.pos, &l); i++) {
		l.n = l.n < sizeof(line) - 1 ? l.n : sizeof(line) - 1;
		copy_line(l, false, line);
		plain += is_row(&tr, &tr.at) && tr.at.row.kind != ROW_STACK && is_comm(&tr.at);
	}
	return plain < PROBE_ROWS && rows_of(s, true, &ignored) >= PROBE_ROWS;
}

/* Does one of the first lines begin a trace? What was typed before is in listings. */
static bool has_head(struct span s)
{
	static const char head[] = "# tracer: ";
	struct span l;
	size_t pos = 0;

	for (unsigned i = 0; i < PROBE_LINES && next_line(s, &pos, &l); i++)
		if (l.n > sizeof(head) && !memcmp(l.p, head, sizeof(head) - 1))
			return true;
	return false;
}

/* Where a trace file begins in HTML. */
static bool in_html(struct span s, struct span *ret)
{
	struct span head = SPAN(s.p, s.n < PROBE_MAX ? s.n : PROBE_MAX);
	const uint8_t *tag, *at, *end;

	if (!s.n || s.p[0] != '<')
		return false;
	tag = tracetext_find(head, 0, "class=\"trace-data\"");
	at = tag ? tracetext_find(head, (size_t)(tag - s.p), "# tracer: ") : NULL;
	if (!at)
		return false;
	end = tracetext_find(s, (size_t)(at - s.p), "</script>");
	*ret = SPAN(at, end ? (size_t)(end - at) : s.n - (size_t)(at - s.p));
	return true;
}

static int tracetext_probe(const struct file *file)
{
	struct span s = file->map, html, head = SPAN(s.p, s.n < PROBE_MAX ? s.n : PROBE_MAX);
	static const char *const starts[] = { "# tracer: ", "cpus=", "version = " };
	bool begins;
	unsigned rows;
	bool prefixed;

	if (!is_text(s))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t n = strlen(starts[i]);

		if (s.n >= n && !memcmp(s.p, starts[i], n) && (!i || rows_of(s, false, &begins)))
			return CERTAIN;
	}
	if (in_html(s, &html))
		return HEADED;
	prefixed = is_prefixed(s);
	rows = rows_of(s, prefixed, &begins);
	if (rows >= PROBE_ROWS && begins && !prefixed)
		return ROWS_FIRST;
	/* a log with a report, or with times, is for the reader of reports; see attach */
	if (tracetext_find(head, 0, "Dumping ftrace "))
		return 3;
	if (rows < PROBE_ROWS)
		return rows && has_head(s) ? ROWS : 0;
	return ROWS;
}

static bool tracetext_open(struct target *t, struct file *file, struct err *err)
{
	struct text_part part = { .text = file->map };
	const char *name = NULL;

	if (!in_html(file->map, &part.text))
		part.console = is_prefixed(file->map);
	if (tracetext_probe(file) == 3)
		return add_console(t, file) ||
		       err_set(err, ERR_FORMAT, "'%s' has no trace in it", file->path);
	add_recording(t, file, &part, &name, 1, "trace text");
	return true;
}

/* Logs that were given for their reports may hold a trace, too. */
static bool tracetext_attach(struct target *t, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < t->report_texts.n; i++)
		(void)add_console(t, t->report_texts.p[i]);
	return true;
}

const struct reader reader_tracetext = {
	.name = "tracetext",
	.summary =
		"a trace in text: tracefs' trace file, trace-cmd report, systrace, a console log",
	.probe = tracetext_probe,
	.slow = true,
	.most = CERTAIN,
	.open = tracetext_open,
	.attach = tracetext_attach,
};
