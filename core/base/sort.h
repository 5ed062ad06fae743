/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting of many numbers: what tables of a hundred thousand addresses are put in order with. */
#ifndef OBIT_SORT_H
#define OBIT_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_item {
	uint64_t key;
	uint32_t i; /* whose key it is, in the caller's table */
};

/* Sorts the first n items of v by their keys, in linear time; items of equal keys stay in their
 * order. v has room for 2 * n items: the second half is used for sorting. */
void sort_items(struct sort_item *v, size_t n);

#endif
