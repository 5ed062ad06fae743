/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tally: how often, how much and how distributed, for each of many keys, in bounded memory. */
#ifndef OBIT_TALLY_H
#define OBIT_TALLY_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/trace/key.h"

/* Keys beyond these are not told apart; tally.left_out counts their events. */
#define TALLY_ROWS_MAX 100000u
#define TALLY_KEYS_MAX 4u

/* [0] below zero, [1] zero, [2] one, [3] 2 to 3, [n] 2^(n-2) to 2^(n-1) - 1. */
#define TALLY_BUCKETS 66u

/* Numbers of one kind. */
struct tally_sum {
	uint64_t n;
	int64_t min, max;
	__int128 sum;
	uint64_t *buckets; /* NULL: not asked for */
};

struct tally_row {
	const struct trace_value *keys;
	const struct recording *rec; /* for symbols */
	struct tally_sum sum;
};

struct tally {
	struct arena *a; /* rows are in it */
	size_t n_keys;
	bool buckets;
	struct strmap index;
	VEC(struct tally_row *) rows;
	uint64_t left_out;
	struct buf key;
};

void tally_init(struct tally *t, struct arena *a, size_t n_keys, bool buckets);
/* The row of these keys, made when new; NULL when there are too many. Text is copied. */
struct tally_row *tally_at(struct tally *t, const struct recording *rec,
			   const struct trace_value *keys);
void tally_add(struct tally_sum *s, int64_t value);
/* By count, largest first; then by keys. */
void tally_sort(struct tally *t);
void tally_release(struct tally *t);

/* Which bucket a value is in, and a bucket's limits: "[2, 4)", "[1K, 2K)". */
unsigned tally_bucket(int64_t value);
void tally_bucket_text(struct buf *b, unsigned bucket);

#endif
