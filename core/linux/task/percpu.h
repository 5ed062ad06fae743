/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What percpu.c shares with cpu_count.c and percpu_pointer.c. */
#ifndef OBIT_PERCPU_H
#define OBIT_PERCPU_H

#include "core/image/target.h"

/* Finds out, each time it is called, what cpus_count() keeps: how many CPUs the kernel could have,
 * 1 to CPUS_MAX, by all that says so. When the witnesses contradict each other, the person is
 * warned. ERR_NOSYM, ERR_CORRUPT: nothing says so. */
bool cpus_weigh(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;

struct percpu_section {
	uint64_t start, end; /* of the kernel's own per-CPU variables, in link-time numbers; 0, 0:
				nothing says where */
	uint64_t unit; /* bytes of one CPU in the allocator's first chunk, which begins with a copy
			  of that section; 0: not known */
};
/* Never NULL; it is found once. */
const struct percpu_section *percpu_section(struct target *t);

#endif
