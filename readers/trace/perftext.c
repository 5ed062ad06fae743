/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `perf script` and `perf trace` printed, as a recording. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/trace/trace.h"
#include "readers/oops.h"
#include "readers/reader.h"
#include "readers/trace/callchain.h"
#include "readers/trace/perfrow.h"

#define LINE_MAX_LEN 65536u
#define PROBE_LINES 400u
#define PROBE_ROWS 2u
#define CALLS_MAX 50000000u /* rows of perf trace, which are put in order */

/* A row of perf trace: it prints a call when it ends, and the time at which it began. */
struct call_at {
	uint64_t ts;
	size_t pos;
};

struct perftext {
	struct span text;
	bool calls; /* it is of perf trace */
	bool sorted;
	struct arena *a; /* the target's */
	struct call_at *order;
	size_t n_calls;
	int32_t pid, tgid; /* of the row that is out: a text says it there, and nowhere else */
};

struct perftext_reader {
	struct perftext *of;
	size_t pos, at; /* in the text; in the order of calls */
	char *line, *look;
	char name[128];
	struct callchain chain;
	uint64_t lost, ts;
};

static bool perftext_line(struct span text, size_t *pos, char *to)
{
	const uint8_t *s = text.p + *pos, *nl;
	size_t n;

	if (*pos >= text.n)
		return false;
	nl = memchr(s, '\n', text.n - *pos);
	n = nl ? (size_t)(nl - s) : text.n - *pos;
	*pos += n + 1;
	while (n && (s[n - 1] == '\r' || s[n - 1] == ' '))
		n--;
	n = n < LINE_MAX_LEN - 1 ? n : LINE_MAX_LEN - 1;
	for (size_t i = 0; i < n; i++)
		to[i] = s[i] ? (char)s[i] : ' ';
	to[n] = '\0';
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct call_at *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->pos < y->pos ? -1 : x->pos > y->pos;
}

/* Puts the calls in the order in which they began. What began before the recording did stands where
 * it ended: behind the one that was printed before it. */
static bool sort_calls(struct perftext *p, struct err *err)
{
	char *line = xrealloc(NULL, LINE_MAX_LEN);
	VEC(struct call_at) v = { 0 };
	uint64_t ts = 0;
	size_t pos = 0, at = 0;
	unsigned steps = 0;
	bool ok = true;

	while (ok && perftext_line(p->text, &pos, line)) {
		struct perfrow r;

		if (!(++steps & 0xffff))
			ok = interrupt_check(err);
		if (perfrow_parse(line, &r) && r.kind != PERFROW_LOST) {
			ts = r.has_ts ? r.ts : ts;
			if (v.n < CALLS_MAX)
				*vec_push(&v) = (struct call_at){ ts, at };
		}
		at = pos;
	}
	free(line);
	if (v.n)
		qsort(v.p, v.n, sizeof(*v.p), by_time);
	p->order = ARENA_ARRAY(p->a, struct call_at, v.n + 1);
	memcpy(p->order, v.p ? v.p : p->order, v.n * sizeof(*v.p));
	p->n_calls = v.n;
	vec_release(&v);
	p->sorted = ok;
	return ok;
}

static bool perftext_open_lane(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct perftext_reader *pr = ARENA_NEW(a, struct perftext_reader);

	pr->of = r->lane->self;
	pr->line = arena_alloc(a, LINE_MAX_LEN);
	pr->look = arena_alloc(a, LINE_MAX_LEN);
	callchain_init(&pr->chain, a);
	r->self = pr;
	return !pr->of->calls || pr->of->sorted || sort_calls(pr->of, err);
}

/* Reads on to the next row; false at the end. */
static bool next_row(struct perftext_reader *pr, struct perfrow *ret, struct err *err)
{
	struct perftext *p = pr->of;
	unsigned steps = 0;

	if (p->calls) {
		if (pr->at >= p->n_calls)
			return false;
		pr->ts = p->order[pr->at].ts;
		pr->pos = p->order[pr->at++].pos;
		return perftext_line(p->text, &pr->pos, pr->line) && perfrow_parse(pr->line, ret);
	}
	while (perftext_line(p->text, &pr->pos, pr->line)) {
		if (!(++steps & 0xffff) && !interrupt_check(err))
			return false;
		if (!perfrow_parse(pr->line, ret))
			continue;
		if (ret->kind != PERFROW_LOST)
			return true;
		pr->lost += ret->lost;
	}
	return false;
}

/* The lines behind a row, up to one that is none of a chain. Mails break them within the
 * parentheses at their ends. */
static void take_chain(struct perftext_reader *pr, const struct perfrow *row)
{
	struct callchain *c = &pr->chain;
	size_t pos = pr->pos;
	const char *frame;

	while (perftext_line(pr->of->text, &pos, pr->look)) {
		struct perfrow r;
		const char *last = c->n ? c->calls[c->n - 1] : "", *open = strrchr(last, '(');

		if (c->n && (*pr->look == '(' || (open && !strchr(open, ')')))) {
			c->n--;
			if (!callchain_add(c, "%s%s%s", last, *pr->look == '(' ? " " : "",
					   pr->look))
				c->n++;
		} else if (perfrow_frame(pr->look, row->kind, &frame) &&
			   !perfrow_parse(pr->look, &r)) {
			(void)callchain_add(c, "%s", frame);
		} else {
			break;
		}
		pr->pos = pos;
	}
}

static void set_words(struct perftext_reader *pr, const struct perfrow *row,
		      struct trace_event *ret)
{
	size_t n = row->name_n < sizeof(pr->name) - 1 ? row->name_n : sizeof(pr->name) - 1;
	const char *words = NULL;

	memcpy(pr->name, row->name, n);
	pr->name[n] = '\0';
	ret->name = pr->name;
	ret->system = row->system;
	if (row->took)
		words = callchain_words(&pr->chain, "%s (%s)", row->text, row->took);
	else if (row->period && !row->system)
		words = callchain_words(&pr->chain, "period=%" PRIu64 "%s%s", row->period,
					*row->text ? " " : "", row->text);
	ret->text = words ? words : row->text;
}

static bool perftext_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct perftext_reader *pr = r->self;
	struct perfrow row;

	if (!next_row(pr, &row, err))
		return false;
	callchain_reset(&pr->chain);
	if (row.has_ts && !pr->of->calls)
		pr->ts = row.ts;
	ret->ts = pr->ts;
	ret->cpu = row.cpu;
	ret->pid = row.pid;
	ret->comm = row.comm;
	pr->of->pid = row.pid;
	pr->of->tgid = row.tgid;
	ret->lost = pr->lost;
	pr->lost = 0;
	set_words(pr, &row, ret);
	take_chain(pr, &row);
	callchain_give(&pr->chain, ret);
	return true;
}

static int32_t perftext_tgid(const struct recording *rec, int32_t pid)
{
	const struct perftext *p = rec->self;

	return p->pid == pid ? p->tgid : -1;
}

static const struct recording_ops perftext_ops = {
	.open = perftext_open_lane,
	.next = perftext_next,
	.tgid = perftext_tgid,
};

/* What rows stand among the first lines: at least PROBE_ROWS of a kind, or one with its chain. */
static enum perfrow_kind perftext_kind(struct span s)
{
	char *line = xrealloc(NULL, LINE_MAX_LEN);
	enum perfrow_kind kind = PERFROW_NONE;
	unsigned rows = 0;
	size_t pos = 0;

	for (unsigned i = 0; i < PROBE_LINES && perftext_line(s, &pos, line); i++) {
		const char *frame;
		struct perfrow r;

		if (perfrow_parse(line, &r) && r.kind != PERFROW_LOST) {
			kind = rows ? kind : r.kind;
			rows += r.kind == kind;
		} else if (rows == 1 && kind == PERFROW_SAMPLE &&
			   perfrow_frame(line, kind, &frame)) {
			rows++;
		}
		if (rows >= PROBE_ROWS)
			break;
	}
	free(line);
	return rows >= PROBE_ROWS ? kind : PERFROW_NONE;
}

/* Surer than the reader of reports is of a mere log; a text with a report in it is that reader's,
 * and attach() takes the rows. */
static int perftext_probe(const struct file *file)
{
	return text_is(file->map) && perftext_kind(file->map) != PERFROW_NONE ? 20 : 0;
}

static bool perftext_open(struct target *t, struct file *file, struct err *err)
{
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct trace_buffer *b = ARENA_NEW(&t->arena, struct trace_buffer);
	struct trace_lane *lane = ARENA_NEW(&t->arena, struct trace_lane);
	struct perftext *p = ARENA_NEW(&t->arena, struct perftext);

	(void)err;
	p->a = &t->arena;
	p->text = file->map;
	p->calls = perftext_kind(file->map) == PERFROW_CALL;
	/* rows of all CPUs, in the order of the text */
	*lane = (struct trace_lane){ .cpu = -1, .self = p, .bytes = file->map.n };
	lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
	lane->dropped = lane->read = UINT64_MAX;
	*b = (struct trace_buffer){ .recording = rec,
				    .ns = true,
				    .overwrite = true,
				    .shows = TRACE_SHOW_DEFAULT & ~(unsigned)TRACE_SHOW_IRQ_INFO,
				    .lanes = lane,
				    .n_lanes = 1 };
	*rec = (struct recording){ .t = t,
				   .origin =
					   p->calls ? "text of perf trace" : "text of perf script",
				   .path = file->path,
				   .word_size = 8,
				   .buffers = b,
				   .n_buffers = 1,
				   .ops = &perftext_ops,
				   .self = p };
	traces_add(t, rec);
	return true;
}

static bool perftext_attach(struct target *t, struct err *err)
{
	for (size_t i = 0; i < t->report_texts.n; i++)
		if (perftext_kind(t->report_texts.p[i]->map) != PERFROW_NONE &&
		    !perftext_open(t, t->report_texts.p[i], err))
			return false;
	return true;
}

const struct reader reader_perftext = {
	.name = "perftext",
	.summary = "text of `perf script` and `perf trace`",
	.probe = perftext_probe,
	.slow = true,
	.open = perftext_open,
	.attach = perftext_attach,
};
