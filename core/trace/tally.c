/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tally: rows by key, sums, and powers of two. */
#include "core/trace/tally.h"

#include <inttypes.h>
#include <string.h>

void tally_init(struct tally *t, struct arena *a, size_t n_keys, bool buckets)
{
	*t = (struct tally){ .a = a, .n_keys = n_keys, .buckets = buckets };
}

void tally_release(struct tally *t)
{
	strmap_release(&t->index);
	vec_release(&t->rows);
	buf_release(&t->key);
}

struct tally_row *tally_at(struct tally *t, const struct recording *rec,
			   const struct trace_value *keys)
{
	struct trace_value *kept;
	struct tally_row *row;
	const uint64_t *slot;

	buf_reset(&t->key);
	for (size_t i = 0; i < t->n_keys; i++) {
		/* numbers and text cannot be taken for each other, nor one key's end for the next's
		 */
		if (keys[i].str)
			buf_printf(&t->key, "%zu\"%s", strlen(keys[i].str), keys[i].str);
		else
			buf_printf(&t->key, "%" PRIx64 ",", keys[i].num);
	}
	slot = strmap_get(&t->index, buf_text(&t->key));
	if (slot)
		return t->rows.p[*slot];
	if (t->rows.n >= TALLY_ROWS_MAX) {
		t->left_out++;
		return NULL;
	}
	row = ARENA_NEW(t->a, struct tally_row);
	kept = ARENA_ARRAY(t->a, struct trace_value, t->n_keys + 1);
	for (size_t i = 0; i < t->n_keys; i++) {
		kept[i] = keys[i];
		if (kept[i].str)
			kept[i].str = arena_strdup(t->a, kept[i].str);
	}
	row->keys = kept;
	row->rec = rec;
	if (t->buckets)
		row->sum.buckets = ARENA_ARRAY(t->a, uint64_t, TALLY_BUCKETS);
	*strmap_put(&t->index, arena_strdup(t->a, buf_text(&t->key)), NULL) = t->rows.n;
	*vec_push(&t->rows) = row;
	return row;
}

unsigned tally_bucket(int64_t value)
{
	if (value < 0)
		return 0;
	return value ? 65u - (unsigned)__builtin_clzll((uint64_t)value) : 1;
}

static void limit_text(struct buf *b, unsigned power)
{
	static const char suffix[] = " KMGTPE";

	buf_printf(b, "%" PRIu64, UINT64_C(1) << power % 10);
	if (power >= 10)
		buf_char(b, suffix[power / 10]);
}

void tally_bucket_text(struct buf *b, unsigned bucket)
{
	if (bucket < 3) {
		buf_str(b, bucket == 0 ? "(..., 0)" : bucket == 1 ? "[0]" : "[1]");
		return;
	}
	buf_char(b, '[');
	limit_text(b, bucket - 2);
	buf_str(b, ", ");
	limit_text(b, bucket - 1);
	buf_char(b, ')');
}

void tally_add(struct tally_sum *s, int64_t value)
{
	if (!s->n || value < s->min)
		s->min = value;
	if (!s->n || value > s->max)
		s->max = value;
	s->n++;
	s->sum += value;
	if (s->buckets)
		s->buckets[tally_bucket(value)]++;
}

static int by_count(const void *a, const void *b)
{
	const struct tally_row *x = *(struct tally_row *const *)a;
	const struct tally_row *y = *(struct tally_row *const *)b;
	const struct trace_value *k = x->keys, *l = y->keys;

	if (x->sum.n != y->sum.n)
		return x->sum.n > y->sum.n ? -1 : 1;
	if (k->str && l->str)
		return strcmp(k->str, l->str);
	if (k->str || l->str)
		return k->str ? 1 : -1;
	return k->num < l->num ? -1 : k->num > l->num;
}

void tally_sort(struct tally *t)
{
	if (t->rows.n)
		qsort(t->rows.p, t->rows.n, sizeof(*t->rows.p), by_count);
}
