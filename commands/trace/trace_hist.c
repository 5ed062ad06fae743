/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace hist: events counted, summed and distributed by any of their fields. */
#include <string.h>

#include "core/obit.h"
#include "core/shell/forms.h"
#include "core/trace/filter/condition.h"
#include "core/trace/key.h"
#include "core/trace/tally.h"
#include "core/trace/timeline.h"
#include "core/trace/trace.h"
#include "commands/trace/trace_select.h"

enum {
	LABEL,
	COUNT,
	SUM,
	MIN,
	AVG,
	MAX,
	PERCENT,
	KEYS
};
static const struct record_field hist_fields[] = {
	[LABEL] = { "key", NULL, CELL_STR, 0, "what the events have in common" },
	[COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[SUM] = { "sum", NULL, CELL_STR, FIELD_RIGHT,
		  "of the value; text, for it may be larger than numbers are" },
	[MIN] = { "min", NULL, CELL_INT, FIELD_RIGHT, "the least value" },
	[AVG] = { "avg", NULL, CELL_INT, FIELD_RIGHT, "the mean value" },
	[MAX] = { "max", NULL, CELL_INT, FIELD_RIGHT, "the largest value" },
	[PERCENT] = { "percent", "%", CELL_DECIMAL, FIELD_RIGHT, "of all events counted" },
	[KEYS] = { "keys", NULL, CELL_FIELDS, FIELD_JSON, "each key by its name" },
};
static const struct record_kind hist_kind = { "trace_hist", "One key.",  LAYOUT_TABLE,
					      NULL,         hist_fields, ARRAY_SIZE(hist_fields) };

enum {
	C_KEY,
	C_COUNT,
	C_PERCENT,
	C_KEYS
};
static const struct record_field count_fields[] = {
	[C_KEY] = { "key", NULL, CELL_STR, 0, "what the events have in common" },
	[C_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[C_PERCENT] = { "percent", "%", CELL_DECIMAL, FIELD_RIGHT, "of all events counted" },
	[C_KEYS] = { "keys", NULL, CELL_FIELDS, FIELD_JSON, "each key by its name" },
};
static const struct record_kind count_kind = {
	"trace_count", "One key, where no value was asked for.",
	LAYOUT_TABLE,  NULL,
	count_fields,  ARRAY_SIZE(count_fields)
};

enum {
	B_KEY,
	B_RANGE,
	B_COUNT,
	B_LOW
};
static const struct record_field bucket_fields[] = {
	[B_KEY] = { "key", NULL, CELL_STR, FIELD_JSON, "whose distribution it is of" },
	[B_RANGE] = { "range", "VALUE", CELL_STR, 0, "from, and up to but not including" },
	[B_COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "how many" },
	[B_LOW] = { "low", " ", CELL_INT, 0,
		    "the least value in this bucket, null below 0; as text a bar of how many there are",
		    .text = form_bar },
};
static const struct record_kind bucket_kind = { "trace_bucket", "Values between two powers of two.",
						LAYOUT_TABLE,   NULL,
						bucket_fields,  ARRAY_SIZE(bucket_fields) };

struct hist_opts {
	struct trace_opts which;
	uint64_t n;
};
static const struct option opts[] = {
	TRACE_OPTIONS(struct hist_opts, which),
	{ "n", "rows", OPTION_UINT, offsetof(struct hist_opts, n), "at most so many keys" },
};

/* What was asked for. */
struct hist {
	const char *keys[TALLY_KEYS_MAX];
	size_t n_keys;
	const char *value;
	bool quantize;
	struct condition *where; /* NULL: all events */
	uint64_t missing;        /* events without a key or the value */
	struct tally tally;
	uint64_t total;
};

static bool is_word(const char *s)
{
	return !strcmp(s, "by") || !strcmp(s, "value") || !strcmp(s, "quantize") ||
	       !strcmp(s, "where");
}

/* "comm, cpu" as however many words. */
static bool parse_keys(struct ctx *c, struct hist *h, int *i, struct err *err)
{
	for (; *i < c->argc && !is_word(c->argv[*i]); ++*i)
		for (const char *s = c->argv[*i]; *s; s += *s == ',') {
			size_t n = strcspn(s, ",");

			if (n && h->n_keys == TALLY_KEYS_MAX)
				return err_set(err, ERR_LIMIT, "more than %u keys", TALLY_KEYS_MAX);
			if (n)
				h->keys[h->n_keys++] = arena_strndup(c->arena, s, n);
			s += n;
		}
	return h->n_keys || err_set(err, ERR_USAGE, "'by' wants a field, as in 'by comm'");
}

static bool parse(struct ctx *c, struct hist *h, struct err *err)
{
	int i = 1;

	if (!c->argc || is_word(c->argv[0]))
		return err_set(err, ERR_USAGE,
			       "an event is wanted: trace hist sched_switch by next_comm");
	while (i < c->argc) {
		const char *word = c->argv[i++];

		if (!strcmp(word, "by")) {
			if (!parse_keys(c, h, &i, err))
				return false;
		} else if (!strcmp(word, "value") && i < c->argc) {
			h->value = c->argv[i++];
		} else if (!strcmp(word, "quantize")) {
			h->quantize = true;
		} else if (!strcmp(word, "where")) {
			struct buf b = { 0 };
			bool ok;

			for (; i < c->argc; i++)
				buf_printf(&b, "%s%s", b.n ? " " : "", c->argv[i]);
			ok = condition_parse(buf_text(&b), 1, c->arena, &h->where, NULL, err);
			buf_release(&b);
			if (!ok)
				return false;
		} else {
			return err_set(err, ERR_USAGE,
				       "'%.60s': EVENT by KEY[,KEY] [value FIELD] [quantize] "
				       "[where CONDITION] is taken",
				       word);
		}
	}
	if (h->quantize && !h->value && h->n_keys)
		h->value = h->keys[--h->n_keys]; /* "by bytes_req quantize": of that field itself */
	return h->n_keys || h->value ||
	       err_set(err, ERR_USAGE, "'by KEY' or 'value FIELD' is wanted");
}

static void trace_hist_count(struct hist *h, const struct trace_event *ev, struct arena *scratch)
{
	struct trace_value keys[TALLY_KEYS_MAX], v = { 0 };
	struct tally_row *row;

	if (h->where && !condition_holds(h->where, ev, scratch))
		return;
	for (size_t i = 0; i < h->n_keys; i++)
		if (!trace_value_of(ev, h->keys[i], scratch, &keys[i])) {
			h->missing++;
			return;
		}
	if (h->value && (!trace_value_of(ev, h->value, scratch, &v) || v.str)) {
		h->missing++;
		return;
	}
	row = tally_at(&h->tally, ev->buffer->recording, keys);
	if (!row)
		return;
	h->total++;
	tally_add(&row->sum, (int64_t)v.num);
}

static const char *label_of(struct ctx *c, const struct hist *h, const struct tally_row *row)
{
	struct buf b = { 0 };
	const char *ret;

	for (size_t i = 0; i < h->n_keys; i++) {
		if (i)
			buf_str(&b, ", ");
		trace_value_text(&b, row->rec, &row->keys[i]);
	}
	ret = h->n_keys ? arena_strdup(c->arena, buf_text(&b)) : h->value;
	buf_release(&b);
	return ret;
}

static const char *sum_text(struct ctx *c, __int128 sum)
{
	char text[48], *s = text + sizeof(text) - 1;
	bool minus = sum < 0;

	*s = '\0';
	for (unsigned __int128 v = minus ? -(unsigned __int128)sum : (unsigned __int128)sum;
	     v || !*s; v /= 10)
		*--s = (char)('0' + (int)(v % 10));
	if (minus)
		*--s = '-';
	return arena_strdup(c->arena, s);
}

static struct named_cell *named_keys(struct ctx *c, const struct hist *h,
				     const struct tally_row *row)
{
	struct named_cell *cells = ARENA_ARRAY(c->arena, struct named_cell, h->n_keys + 1);

	for (size_t i = 0; i < h->n_keys; i++) {
		const struct trace_value *v = &row->keys[i];

		cells[i].name = h->keys[i];
		if (v->str || (v->how != TRACE_DECIMAL && v->how != TRACE_HEX)) {
			struct buf b = { 0 };

			trace_value_text(&b, row->rec, v);
			cells[i].cell.kind = CELL_STR;
			cells[i].cell.str.s = arena_strdup(c->arena, buf_text(&b));
			cells[i].cell.str.n = b.n;
			buf_release(&b);
		} else if (v->how == TRACE_HEX) {
			cells[i].cell.kind = CELL_HEX;
			cells[i].cell.u = v->num;
		} else if (v->is_signed) {
			cells[i].cell.kind = CELL_INT;
			cells[i].cell.i = (int64_t)v->num;
		} else {
			cells[i].cell.kind = CELL_UINT;
			cells[i].cell.u = v->num;
		}
	}
	return cells;
}

static void emit_row(struct ctx *c, const struct hist *h, const struct tally_row *row)
{
	uint64_t share = h->total ? row->sum.n * 10000 / h->total : 0;
	struct record r;

	if (!h->value) {
		record_init(&r, &count_kind);
		record_str(&r, C_KEY, label_of(c, h, row));
		record_uint(&r, C_COUNT, row->sum.n);
		record_uint(&r, C_PERCENT, share);
		record_fields(&r, C_KEYS, named_keys(c, h, row), h->n_keys);
		emit(c, &r);
		return;
	}
	record_init(&r, &hist_kind);
	record_str(&r, LABEL, label_of(c, h, row));
	record_uint(&r, COUNT, row->sum.n);
	record_str(&r, SUM, sum_text(c, row->sum.sum));
	record_int(&r, MIN, row->sum.min);
	record_int(&r, AVG, (int64_t)(row->sum.sum / (__int128)row->sum.n));
	record_int(&r, MAX, row->sum.max);
	record_uint(&r, PERCENT, share);
	record_fields(&r, KEYS, named_keys(c, h, row), h->n_keys);
	emit(c, &r);
}

static void emit_buckets(struct ctx *c, const struct hist *h, const struct tally_row *row)
{
	const char *label = label_of(c, h, row);
	unsigned first = TALLY_BUCKETS, last = 0;
	uint64_t most = 1;

	for (unsigned i = 0; i < TALLY_BUCKETS; i++)
		if (row->sum.buckets[i]) {
			first = first < i ? first : i;
			last = i;
			most = row->sum.buckets[i] > most ? row->sum.buckets[i] : most;
		}
	if (h->n_keys)
		emit_heading(c, label);
	for (unsigned i = first; i <= last && i < TALLY_BUCKETS; i++) {
		const struct bar bar = { row->sum.buckets[i], most };
		struct buf b = { 0 };
		struct record r;

		record_init(&r, &bucket_kind);
		r.of = &bar;
		record_str(&r, B_KEY, label);
		if (i)
			record_int(&r, B_LOW, i < 3 ? (int64_t)i - 1 : (int64_t)1 << (i - 2));
		tally_bucket_text(&b, i);
		record_str(&r, B_RANGE, arena_strdup(c->arena, buf_text(&b)));
		record_uint(&r, B_COUNT, bar.n);
		buf_release(&b);
		emit(c, &r);
	}
}

static void trace_hist_finish(struct ctx *c, struct hist *h)
{
	const struct hist_opts *o = c->opts;
	struct err why;

	tally_sort(&h->tally);
	for (size_t i = 0; i < h->tally.rows.n && (!o->n || i < o->n); i++) {
		if (h->quantize)
			emit_buckets(c, h, h->tally.rows.p[i]);
		else
			emit_row(c, h, h->tally.rows.p[i]);
	}
	if (h->tally.left_out) {
		err_set(&why, ERR_LIMIT, "%llu events are left out: there are more than %u keys",
			(unsigned long long)h->tally.left_out, TALLY_ROWS_MAX);
		note(c, &why);
	}
	if (h->missing) {
		err_set(&why, ERR_NOFIELD, "%llu events have no such field, or no number in it",
			(unsigned long long)h->missing);
		if (h->total)
			note(c, &why);
		else
			complain(c, &why);
	}
}

static bool hist_all(struct ctx *c, struct hist *h, struct err *err)
{
	const struct hist_opts *o = c->opts;
	struct arena scratch = { 0 };
	struct trace_choice choice;
	struct trace_event ev;
	struct timeline *tl;
	const char *name;

	if (!trace_choose(c, &o->which, &choice, err))
		return false;
	name = c->argv[0];
	if (!choice.sel.n_events) {
		choice.sel.events = &name;
		choice.sel.n_events = 1;
	}
	if (!timeline_open(c->t, &choice.sel, c->arena, &tl, err)) {
		trace_choice_release(&choice);
		return false;
	}
	tally_init(&h->tally, c->arena, h->n_keys, h->quantize);
	while (timeline_next(tl, &ev, err)) {
		trace_hist_count(h, &ev, &scratch);
		arena_reset(&scratch);
	}
	if (!err->code) {
		trace_hist_finish(c, h);
		if (!h->total && !h->missing)
			err_set(err, ERR_NOTFOUND, "no event '%.60s' was recorded that fits", name);
	}
	trace_note_others(c, tl);
	trace_notes(c, tl);
	trace_choice_release(&choice);
	tally_release(&h->tally);
	arena_release(&scratch);
	return !err->code;
}

static bool hist_run(struct ctx *c, struct err *err)
{
	struct hist *h = ARENA_NEW(c->arena, struct hist);
	bool ok = parse(c, h, err) && hist_all(c, h, err);

	condition_release(h->where);
	return ok;
}

static const struct record_kind *const emits[] = { &count_kind, &hist_kind, &bucket_kind, NULL };
static const struct example examples[] = {
	{ "trace hist sched_switch by next_comm", "who was switched to, how often" },
	{ "trace hist sched_wakeup by comm,target_cpu", "two keys" },
	{ "trace hist * by event", "every event counted by its name" },
	{ "trace hist sched_stat_runtime by comm value runtime", "how long tasks ran, by name" },
	{ "trace hist sched_stat_runtime by comm value runtime quantize",
	  "and how that is spread" },
};
const struct command cmd_trace_hist = {
	.name = "trace hist",
	.group = "trace",
	.summary = "events counted and distributed by any of their fields",
	.operands = "EVENT by KEY[,KEY]... [value FIELD] [quantize] [where CONDITION]",
	OPTS(opts),
	.opts_size = sizeof(struct hist_opts),
	.emits = emits,
	.none = "no such event",
	.help = "Does with a recording what bpftrace's maps and the kernel's hist triggers do live. EVENT is "
		"a name or pattern. A KEY is a field of the event, or \"cpu\", \"pid\", \"comm\", \"task\", "
		"\"event\", \"system\" of its context where the event has no field of that name "
		"(\"common_pid\" always is the task that ran). `value FIELD` adds up a field: its sum, "
		"least, mean and largest for each key. `quantize` shows how the value is distributed, in "
		"powers of two; without `value`, the last key is what is distributed.\n\n"
		"A condition compares fields: `where (bytes_req > 4096 && comm ~ kworker*)`, with all "
		"that `help trace show` says of filters. Put it in parentheses or quotes, for a bare > is "
		"the prompt's.\n\n"
		"At most 100,000 keys are told apart; how many events that left out is noted.",
	EXAMPLES(examples),
	.run = hist_run,
};
