/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What percpu.c and cpu_count.c share. */
#ifndef OBIT_PERCPU_H
#define OBIT_PERCPU_H

#include "core/image/target.h"

/* How many CPUs the kernel could have, from all that tells it: 1 to CPUS_MAX. Where witnesses
 * contradict each other the target is warned. Asks every time; cpus_count() keeps it. ERR_NOSYM,
 * ERR_CORRUPT: nothing tells. */
bool cpus_weigh(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;

#endif
