/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces in text: tracefs' trace file, trace-cmd's report, systrace, and what a console was told.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/trace/trace.h"
#include "core/report/parse/parse.h"
#include "readers/reader.h"
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
#define SECTIONS_MAX 256u
#define HEAD_LINES 64u

/* One buffer's text. */
struct text_part {
	struct span text;
	bool console; /* lines have a log's prefixes */
};

struct text_reader {
	const struct text_part *part;
	size_t pos;
	char *line, *next; /* the row that is out, and one read ahead */
	char name[64];
	struct arena *a;
	char *joint; /* the same, kept in the arena */
	size_t joint_n;
	struct tracerow row;
	bool has_row;
	uint64_t lost, ts;
	int lost_cpu;
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

/* A line into a buffer of LINE_MAX_LEN, without a log's prefixes. */
static void copy_line(struct span l, bool console, char *to)
{
	const char *s = (const char *)l.p;
	size_t n = l.n;

	if (console) {
		struct oline o = { .number = 0 };

		prefix_strip(s, n, &o);
		s = o.text;
		n = o.n;
	}
	while (n && (s[n - 1] == '\r' || s[n - 1] == '\0'))
		n--;
	n = n < LINE_MAX_LEN - 1 ? n : LINE_MAX_LEN - 1;
	for (size_t i = 0; i < n; i++)
		to[i] = s[i] ? s[i] : ' ';
	to[n] = '\0';
}

static bool text_open_lane(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct text_reader *tr = ARENA_NEW(a, struct text_reader);

	(void)err;
	tr->part = r->lane->self;
	tr->a = a;
	tr->line = arena_alloc(a, LINE_MAX_LEN);
	tr->next = arena_alloc(a, LINE_MAX_LEN);
	tr->lost_cpu = -1;
	r->self = tr;
	return true;
}

/* Reads on to the next row; false at the end. */
static bool read_row(struct text_reader *tr, struct tracerow *ret, struct err *err)
{
	struct span l;
	unsigned steps = 0;

	while (next_line(tr->part->text, &tr->pos, &l)) {
		if (!(++steps & 0xffff) && !interrupt_check(err))
			return false;
		copy_line(l, tr->part->console, tr->next);
		if (!tracerow_parse(tr->next, ret))
			continue;
		if (ret->kind != ROW_LOST)
			return true;
		tr->lost = ret->lost;
		tr->lost_cpu = ret->cpu;
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
	size_t n = strspn(row->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_");

	ret->name = row->name;
	if (ret->name)
		return;
	n = n < sizeof(tr->name) - 1 ? n : sizeof(tr->name) - 1;
	memcpy(tr->name, row->text, n);
	tr->name[n] = '\0';
	ret->name = tr->name;
}

/* Of the row that is out: a text says it there, and nowhere else. */
struct text_groups {
	int32_t pid, tgid;
};

static int32_t text_tgid(const struct recording *rec, int32_t pid)
{
	const struct text_groups *g = rec->self;

	return g->pid == pid ? g->tgid : -1;
}

static bool text_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct text_reader *tr = r->self;
	struct tracerow row;
	char *keep;

	while (!tr->has_row) {
		if (!read_row(tr, &tr->row, err))
			return false;
		/* the rest of a stack whose event is not there says nothing */
		tr->has_row = tr->row.kind != ROW_STACK;
	}
	row = tr->row;
	keep = tr->line;
	tr->line = tr->next;
	tr->next = keep;
	tr->has_row = false;
	tr->joint_n = 0;
	if (row.has_ts)
		tr->ts = row.ts;
	ret->ts = tr->ts;
	ret->cpu = row.cpu;
	ret->pid = row.pid;
	ret->comm = row.comm;
	*(struct text_groups *)r->buffer->recording->self =
		(struct text_groups){ row.pid, row.tgid };
	ret->latency = row.latency;
	ret->flags = row.flags;
	ret->preempt = row.preempt;
	if (tr->lost && tr->lost_cpu == row.cpu) {
		ret->lost = tr->lost == UINT64_MAX ? TRACE_LOST_SOME : tr->lost;
		tr->lost = 0;
	}
	ret->text = row.text;
	name_row(tr, &row, ret);
	if (row.name && !strcmp(row.name, "kernel_stack"))
		join(tr, row.text);
	while (read_row(tr, &tr->row, err)) {
		tr->has_row = true;
		if (tr->row.kind != ROW_STACK)
			break;
		tr->has_row = false;
		if (!tr->joint_n)
			join(tr, row.text);
		join(tr, tr->row.text);
	}
	if (tr->joint_n)
		ret->text = tr->joint;
	return !err->code;
}

static const struct recording_ops tracetext_ops = {
	.open = text_open_lane,
	.next = text_next,
	.tgid = text_tgid,
};

/* ---- heads */

/* "# entries-in-buffer/entries-written: 250/4107   #P:2" */
static void read_counts(const char *s, struct trace_lane *lane, struct trace_buffer *b)
{
	static const char head[] = "# entries-in-buffer/entries-written: ";
	uint64_t in, written, online;
	const char *p = s + sizeof(head) - 1;

	if (!strncmp(s, head, sizeof(head) - 1) && number_take(&p, NULL, 10, &in) && *p++ == '/' &&
	    number_take(&p, NULL, 10, &written) && in <= written) {
		lane->entries = written;
		lane->overrun = written - in;
	}
	p = strstr(s, "#P:");
	if (!p || b->online)
		return;
	p += 3;
	if (number_take(&p, NULL, 10, &online) && online <= UINT_MAX)
		b->online = (unsigned)online;
}

/* The head's lines and the first row: tracer, counts, which columns, which clock. */
static void read_head(struct target *t, const struct text_part *part, struct trace_lane *lane,
		      struct trace_buffer *b)
{
	char *line = arena_alloc(t->scratch, LINE_MAX_LEN);
	struct span l;
	size_t pos = 0;

	for (unsigned i = 0; i < HEAD_LINES && next_line(part->text, &pos, &l); i++) {
		struct tracerow row;

		copy_line(l, part->console, line);
		if (!strncmp(line, "# tracer: ", 10)) {
			b->tracer = arena_strndup(&t->arena, line + 10, strcspn(line + 10, " "));
		} else if (*line == '#') {
			read_counts(line, lane, b);
			if (strstr(line, "TGID"))
				b->shows |= TRACE_SHOW_TGID;
			if (strstr(line, " latency trace v"))
				b->shows |= TRACE_SHOW_LATENCY;
		} else if (tracerow_parse(line, &row) && row.kind != ROW_LOST) {
			b->ns = row.ns;
			if (row.kind == ROW_LATENCY)
				b->shows |= TRACE_SHOW_LATENCY;
			if (row.kind == ROW_EVENT && !row.latency)
				b->shows &= ~(unsigned)TRACE_SHOW_IRQ_INFO;
			return;
		}
	}
}

static void add_recording(struct target *t, const struct file *file, const struct text_part *parts,
			  const char *const *names, size_t n, const char *origin)
{
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct trace_buffer *v = ARENA_ARRAY(&t->arena, struct trace_buffer, n + 1);

	*rec = (struct recording){ .t = t,
				   .origin = origin,
				   .path = file->path,
				   .word_size = 8,
				   .buffers = v,
				   .n_buffers = n,
				   .ops = &tracetext_ops,
				   .self = ARENA_NEW(&t->arena, struct text_groups) };
	for (size_t i = 0; i < n; i++) {
		struct trace_lane *lane = ARENA_NEW(&t->arena, struct trace_lane);
		struct text_part *part = ARENA_NEW(&t->arena, struct text_part);

		*part = parts[i];
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
		read_head(t, part, lane, &v[i]);
	}
	traces_add(t, rec);
}

/* ---- what a console was told */

static const uint8_t *tracetext_find(struct span s, size_t from, const char *what)
{
	return from < s.n ? memmem(s.p + from, s.n - from, what, strlen(what)) : NULL;
}

/* From "Dumping ftrace buffer:" to the second line of dashes, or the next one. */
static bool add_console(struct target *t, const struct file *file)
{
	static const char rule[] = "---------------------------------";
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
		first = tracetext_find(all, from, rule);
		if (!first || first - nl > 256)
			continue; /* "(ftrace buffer empty)" */
		last = tracetext_find(all, (size_t)(first - all.p) + sizeof(rule), rule);
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

/* Rows among the first lines. */
static unsigned rows_of(struct span s)
{
	char line[1024];
	struct span l;
	size_t pos = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < PROBE_LINES && next_line(s, &pos, &l); i++) {
		struct tracerow row;
		size_t len = l.n < sizeof(line) - 1 ? l.n : sizeof(line) - 1;

		memcpy(line, l.p, len);
		line[len] = '\0';
		if (strlen(line) == len && tracerow_parse(line, &row))
			n += row.kind != ROW_STACK && row.kind != ROW_LOST;
	}
	return n;
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

	if (!is_text(s))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t n = strlen(starts[i]);

		if (s.n >= n && !memcmp(s.p, starts[i], n) && (!i || rows_of(s)))
			return 60;
	}
	if (in_html(s, &html))
		return 60;
	/* a log with a report, or with times, is for the reader of reports; see attach */
	if (tracetext_find(head, 0, "Dumping ftrace "))
		return 3;
	return rows_of(s) >= PROBE_ROWS ? 40 : 0;
}

static bool tracetext_open(struct target *t, struct file *file, struct err *err)
{
	struct text_part part = { .text = file->map };
	const char *name = NULL;

	(void)in_html(file->map, &part.text);
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
	.open = tracetext_open,
	.attach = tracetext_attach,
};
