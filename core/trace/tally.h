/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tally: how often, how much and how distributed, for each of many keys, in bounded memory. */
#ifndef OBIT_TALLY_H
#define OBIT_TALLY_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/trace/key.h"

/* How many keys are told apart; tally.left_out counts the events of others. */
#define TALLY_ROWS_MAX 100000u
#define TALLY_KEYS_MAX 4u

/* Bucket 0 is for numbers below zero, 1 for zero, 2 for one, 3 for 2 and 3, 4 for 4 to 7, and
 * bucket n for 2^(n-2) to 2^(n-1) - 1. */
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
/* The row of these keys, which is made when there is none; texts are copied. NULL: there are too
 * many. */
struct tally_row *tally_at(struct tally *t, const struct recording *rec,
			   const struct trace_value *keys);
void tally_add(struct tally_sum *s, int64_t value);
/* Sorts the rows by count, the largest first, and then by their keys. */
void tally_sort(struct tally *t);
void tally_release(struct tally *t);

/* The bucket that a value is in; and a bucket's limits in words: "[2, 4)", "[1K, 2K)". */
unsigned tally_bucket(int64_t value);
void tally_bucket_text(struct buf *b, unsigned bucket);

#endif
