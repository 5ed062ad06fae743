/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What percpu.c and cpu_count.c share. */
#ifndef OBIT_PERCPU_H
#define OBIT_PERCPU_H

#include "core/image/target.h"

/* Finds out, each time it is called, what cpus_count() keeps: how many CPUs the kernel could have,
 * 1 to CPUS_MAX, by all that says so. When the witnesses contradict each other, the person is
 * warned. ERR_NOSYM, ERR_CORRUPT: nothing says so. */
bool cpus_weigh(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;

#endif
