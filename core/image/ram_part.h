/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical memory in parts, for work that several processes do. */
#ifndef OBIT_RAM_PART_H
#define OBIT_RAM_PART_H

#include "core/image/target.h"

/* The parts that memory is cut into have this size at least; of much memory they are larger, so
 * that there are few thousands of them. */
#define RAM_PART_SIZE ((uint64_t)4 << 20)
#define RAM_PARTS 4096u

/* Addresses, both included; the first one is that of a page. */
struct ram_part {
	uint64_t first, last;
};
/* Cuts the RAM that lies between two addresses, both included, at multiples of a power of two.
 * Returns the parts, in the order of t->ram, in the arena; *n is how many. */
const struct ram_part *ram_parts(const struct target *t, uint64_t first, uint64_t last,
				 struct arena *a, size_t *n);

#endif
