/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A radix sort: least significant digit first, and only the digits in which keys differ. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/sort.h"

/* Bits of a digit: more of them are fewer passes, and worth their slots only for long tables. */
enum {
	BITS = 11,
	BITS_LONG = 13,
	LONG = 1 << 15
};

/* Counting digits costs more than this for so few. */
enum {
	FEW = 24
};

static void sort_few(struct sort_item *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_item item = v[i];
		size_t k = i;

		for (; k && v[k - 1].key > item.key; k--)
			v[k] = v[k - 1];
		v[k] = item;
	}
}

static void sort_digit(const struct sort_item *from, struct sort_item *to, size_t n, uint64_t min,
		       unsigned shift, unsigned bits, size_t *count)
{
	size_t sum = 0, slots = (size_t)1 << bits;

	memset(count, 0, slots * sizeof(*count));
	for (size_t i = 0; i < n; i++)
		count[(from[i].key - min) >> shift & (slots - 1)]++;
	for (size_t d = 0; d < slots; d++) {
		size_t c = count[d];

		count[d] = sum;
		sum += c;
	}
	for (size_t i = 0; i < n; i++)
		to[count[(from[i].key - min) >> shift & (slots - 1)]++] = from[i];
}

void sort_items(struct sort_item *v, size_t n)
{
	struct sort_item *from = v, *to = v + n;
	uint64_t min = UINT64_MAX, max = 0;
	unsigned bits = n < LONG ? BITS : BITS_LONG;
	bool sorted = true;
	size_t *count;

	if (n <= FEW) {
		sort_few(v, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		min = v[i].key < min ? v[i].key : min;
		sorted = sorted && v[i].key >= max;
		max = v[i].key > max ? v[i].key : max;
	}
	if (sorted)
		return;
	count = xrealloc(NULL, sizeof(*count) << bits);
	for (unsigned shift = 0; shift < 64 && (max - min) >> shift; shift += bits) {
		struct sort_item *swap = from;

		sort_digit(from, to, n, min, shift, bits, count);
		from = to;
		to = swap;
	}
	free(count);
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}
