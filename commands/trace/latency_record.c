/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of events as records: durations, the longest, what never ended, what was not freed. */
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/shell/forms.h"
#include "commands/trace/latency_record.h"
#include "core/shell/session.h"

enum {
	GROUP,
	COUNT,
	MIN,
	AVG,
	MAX,
	TOTAL
};
static const struct record_field latency_fields[] = {
	[GROUP] = { "group", NULL, CELL_STR, 0, "what is told apart; \"all\" is everything" },
	[COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "pairs that were complete" },
	[MIN] = { "min_ns", "MIN US", CELL_UINT, FIELD_RIGHT, "the shortest", .text = form_micros },
	[AVG] = { "avg_ns", "AVG US", CELL_UINT, FIELD_RIGHT, "the mean", .text = form_micros },
	[MAX] = { "max_ns", "MAX US", CELL_UINT, FIELD_RIGHT, "the longest", .text = form_micros },
	[TOTAL] = { "total_ns", "TOTAL US", CELL_UINT, FIELD_RIGHT, "all together",
		    .text = form_micros },
};
const struct record_kind trace_latency_kind = { "trace_latency", "Durations of one group.",
						LAYOUT_TABLE,    NULL,
						latency_fields,  ARRAY_SIZE(latency_fields) };

enum {
	P_NAME,
	P_DOC,
	P_BEGIN,
	P_END
};
static const struct record_field pair_fields[] = {
	[P_NAME] = { "name", NULL, CELL_STR, 0, "what it is asked for by" },
	[P_DOC] = { "doc", NULL, CELL_STR, 0, "what is measured" },
	[P_BEGIN] = { "begin", NULL, CELL_STR, 0, "the events that begin it, with commas" },
	[P_END] = { "end", NULL, CELL_STR, 0, "those that end it" },
};
const struct record_kind trace_pair_kind = {
	"trace_pair", "A pair of events that is known by name.",
	LAYOUT_LINE,  "{name:-14} {doc}\n               {begin} to {end}",
	pair_fields,  ARRAY_SIZE(pair_fields)
};

void emit_pair_spec(struct ctx *c, const struct pair_spec *spec)
{
	struct record r;

	record_init(&r, &trace_pair_kind);
	record_str(&r, P_NAME, spec->name);
	record_str(&r, P_DOC, spec->doc);
	record_str(&r, P_BEGIN, spec->begin);
	record_str(&r, P_END, spec->end);
	emit(c, &r);
}

enum {
	D_RANGE,
	D_COUNT,
	D_LOW
};
static const struct record_field spread_fields[] = {
	[D_RANGE] = { "range", "NS", CELL_STR, 0, "from, and up to but not including" },
	[D_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[D_LOW] = { "low_ns", " ", CELL_UINT, 0,
		    "the shortest in this bucket; as text a bar of how many there are",
		    .text = form_bar },
};
const struct record_kind trace_spread_kind = {
	"trace_latency_bucket", "Durations between two powers of two.",
	LAYOUT_TABLE,           NULL,
	spread_fields,          ARRAY_SIZE(spread_fields)
};

enum {
	W_FROM,
	W_TO,
	W_CPU,
	W_END_CPU,
	W_PID,
	W_COMM,
	W_GROUP,
	W_OPEN,
	W_TOOK
};
static const struct record_field case_fields[] = {
	[W_FROM] = { "begin_ns", "BEGAN", CELL_TIME, 0, "when it began" },
	[W_TO] = { "end_ns", "ENDED", CELL_TIME, 0, "when it ended; null: not in the trace" },
	[W_CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT, "where it began" },
	[W_END_CPU] = { "end_cpu", "TO", CELL_INT, FIELD_RIGHT, "where it ended" },
	[W_PID] = { "pid", NULL, CELL_INT, FIELD_RIGHT, "of the task that ran when it began" },
	[W_COMM] = { "comm", NULL, CELL_STR, 0, "its name" },
	[W_GROUP] = { "group", NULL, CELL_STR, 0, "what is told apart" },
	[W_OPEN] = { "open", NULL, CELL_BOOL, FIELD_JSON, "it did not end before the trace did" },
	[W_TOOK] = { "took_ns", "US", CELL_UINT, FIELD_RIGHT, "how long; of an open one, so far",
		     .text = form_micros },
};
const struct record_kind trace_case_kind = {
	"trace_latency_case", "One of the longest, or one that never ended.",
	LAYOUT_TABLE,         NULL,
	case_fields,          ARRAY_SIZE(case_fields)
};

enum {
	L_COUNT,
	L_BYTES,
	L_SITE,
	L_OLDEST,
	L_STACK
};
static const struct record_field leak_fields[] = {
	[L_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT,
		      "allocations without a free in the trace" },
	[L_BYTES] = { "bytes", NULL, CELL_SIZE, FIELD_RIGHT, "of them together" },
	[L_SITE] = { "call_site", "ALLOCATED BY", CELL_STR, 0, "who allocated" },
	[L_OLDEST] = { "oldest_ns", "SINCE", CELL_TIME, 0, "when the oldest was made" },
	[L_STACK] = { "stack", NULL, CELL_STRS, 0, "of the oldest, where stacks were recorded" },
};
const struct record_kind trace_leak_kind = {
	"trace_unfreed", "Memory of one caller that was not freed while the trace ran.",
	LAYOUT_TABLE,    NULL,
	leak_fields,     ARRAY_SIZE(leak_fields)
};

static const char *group_name(struct ctx *c, const struct tally_row *row)
{
	struct buf b = { 0 };
	const char *ret;

	if (!row)
		return NULL;
	trace_value_text(&b, row->rec, &row->keys[0]);
	ret = arena_strdup(c->arena, buf_text(&b));
	buf_release(&b);
	return ret;
}

static void emit_sum(struct ctx *c, const char *group, const struct tally_sum *s)
{
	struct record r;

	record_init(&r, &trace_latency_kind);
	record_str(&r, GROUP, group);
	record_uint(&r, COUNT, s->n);
	if (s->n) {
		record_uint(&r, MIN, (uint64_t)s->min);
		record_uint(&r, AVG, (uint64_t)(s->sum / (__int128)s->n));
		record_uint(&r, MAX, (uint64_t)s->max);
		record_uint(&r, TOTAL, (uint64_t)s->sum);
	}
	emit(c, &r);
}

static void emit_spread(struct ctx *c, const struct tally_sum *s)
{
	unsigned first = TALLY_BUCKETS, last = 0;
	uint64_t most = 1;

	for (unsigned i = 0; i < TALLY_BUCKETS; i++)
		if (s->buckets[i]) {
			first = first < i ? first : i;
			last = i;
			most = s->buckets[i] > most ? s->buckets[i] : most;
		}
	for (unsigned i = first; i <= last && i < TALLY_BUCKETS; i++) {
		const struct bar bar = { s->buckets[i], most };
		struct buf b = { 0 };
		struct record r;

		record_init(&r, &trace_spread_kind);
		r.of = &bar;
		record_uint(&r, D_LOW, i < 3 ? i - 1 : UINT64_C(1) << (i - 2));
		tally_bucket_text(&b, i);
		record_str(&r, D_RANGE, arena_strdup(c->arena, buf_text(&b)));
		record_uint(&r, D_COUNT, s->buckets[i]);
		buf_release(&b);
		emit(c, &r);
	}
}

static void emit_case(struct ctx *c, const struct pair_open *o, uint64_t end, int end_cpu)
{
	uint64_t took = end > o->since ? end - o->since : 0;
	struct record r;

	record_init(&r, &trace_case_kind);
	record_uint(&r, W_TOOK, took);
	record_uint(&r, W_FROM, o->since);
	if (!o->is_open) {
		record_uint(&r, W_TO, end);
		record_int(&r, W_END_CPU, end_cpu);
	}
	record_int(&r, W_CPU, o->cpu);
	record_int(&r, W_PID, o->pid);
	record_str(&r, W_COMM, o->comm);
	record_str(&r, W_GROUP, group_name(c, o->group));
	record_bool(&r, W_OPEN, o->is_open);
	emit(c, &r);
}

static int by_since(const void *a, const void *b)
{
	const struct pair_open *x = *(const struct pair_open *const *)a;
	const struct pair_open *y = *(const struct pair_open *const *)b;

	return x->since < y->since ? -1 : x->since > y->since;
}

static int by_group(const void *a, const void *b)
{
	const struct pair_open *x = *(const struct pair_open *const *)a;
	const struct pair_open *y = *(const struct pair_open *const *)b;

	if (x->group != y->group)
		return (uintptr_t)x->group < (uintptr_t)y->group ? -1 : 1;
	return by_since(a, b);
}

static void leak_stack(struct ctx *c, struct record *r, const struct tally_row *row,
		       const struct pair_open *o)
{
	const char **v = ARENA_ARRAY(c->arena, const char *, PAIR_STACK_MAX);

	for (unsigned i = 0; i < o->n_stack; i++) {
		struct trace_value at = { .num = o->stack[i], .how = TRACE_SYMBOL };
		struct buf b = { 0 };

		trace_value_text(&b, row->rec, &at);
		v[i] = arena_strdup(c->arena, buf_text(&b));
		buf_release(&b);
	}
	if (o->n_stack)
		record_strs(r, L_STACK, v, o->n_stack);
}

struct leak {
	const struct pair_open *oldest;
	uint64_t n, bytes;
};

static int by_bytes(const void *a, const void *b)
{
	const struct leak *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->n > y->n ? -1 : x->n < y->n;
}

static void emit_leaks(struct ctx *c, const struct pair_open **open, size_t n, uint64_t max)
{
	struct leak *leaks = ARENA_ARRAY(c->arena, struct leak, n + 1);
	size_t k = 0;

	if (n)
		qsort(open, n, sizeof(*open), by_group);
	for (size_t i = 0; i < n; i++) {
		if (!k || leaks[k - 1].oldest->group != open[i]->group)
			leaks[k++].oldest = open[i];
		leaks[k - 1].n++;
		leaks[k - 1].bytes += open[i]->size;
	}
	if (k)
		qsort(leaks, k, sizeof(*leaks), by_bytes);
	for (size_t i = 0; i < k && i < max; i++) {
		const struct tally_row *row = leaks[i].oldest->group;
		struct record r;

		record_init(&r, &trace_leak_kind);
		record_uint(&r, L_COUNT, leaks[i].n);
		record_uint(&r, L_BYTES, leaks[i].bytes);
		record_str(&r, L_SITE, group_name(c, row));
		record_uint(&r, L_OLDEST, leaks[i].oldest->since);
		if (row)
			leak_stack(c, &r, row, leaks[i].oldest);
		emit(c, &r);
	}
}

static void emit_open(struct ctx *c, const struct pairs *p, uint64_t max)
{
	const struct pair_open **open =
		ARENA_ARRAY(c->arena, const struct pair_open *, p->open.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < p->open.n; i++)
		if (p->open.p[i].is_open)
			open[n++] = &p->open.p[i];
	if (p->spec->allocates) {
		emit_leaks(c, open, n, max);
		return;
	}
	if (n)
		qsort(open, n, sizeof(*open), by_since);
	for (size_t i = 0; i < n && i < max; i++)
		emit_case(c, open[i], p->last, -1);
}

static void notes(struct ctx *c, const struct pairs *p)
{
	struct err why;

	if (p->left_out + p->groups.left_out) {
		err_set(&why, ERR_LIMIT, "%llu events are left out: too many keys were open",
			(unsigned long long)(p->left_out + p->groups.left_out));
		note(c, &why);
	}
	if (p->missing) {
		err_set(&why, ERR_NOFIELD, "%llu events lack a field to pair them by",
			(unsigned long long)p->missing);
		note(c, &why);
	}
}

void latency_emit(struct ctx *c, const struct pairs *p, uint64_t max)
{
	emit_sum(c, "all", &p->all);
	for (size_t i = 0; i < p->groups.rows.n; i++)
		if (p->groups.rows.p[i]->sum.n)
			emit_sum(c, group_name(c, p->groups.rows.p[i]), &p->groups.rows.p[i]->sum);
	emit_spread(c, &p->all);
	for (size_t i = 0; i < p->worst.n; i++)
		emit_case(c, &p->worst.p[i].begin, p->worst.p[i].end, p->worst.p[i].end_cpu);
	emit_open(c, p, max);
	notes(c, p);
}
