/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUs that the kernel had, and the variables of which each has its own. */
#ifndef OBIT_CPU_H
#define OBIT_CPU_H

#include "core/image/target.h"

/* CPUs the kernel can have, at most CPUS_MAX: nr_cpu_ids, held against the mask of possible CPUs,
 * the log, the offsets and the dump's notes; where they contradict each other, what most say, with
 * a warning. */
bool cpus_count(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;
/* How many are online; false where the mask itself cannot be read. */
bool cpus_online(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;
/* Which are online, possible, present: every one that can be, where the mask cannot be read. */
bool cpu_is_online(struct target *t, unsigned cpu);
bool cpu_is_possible(struct target *t, unsigned cpu);
/* Present, and brought up at least once: the CPUs to show. A panic marks those that it stops as
 * offline. */
bool cpu_has_run(struct target *t, unsigned cpu);
#define CPUS_MAX 8192
/* __per_cpu_offset[cpu]. */
bool percpu_offset(struct target *t, unsigned cpu, uint64_t *ret, struct err *err) MUST_CHECK;
/* A per-CPU address, and a CPU's offset, which may be a negative number, as wide as the target's
 * words. */
static inline uint64_t percpu_sum(const struct target *t, uint64_t addr, uint64_t off)
{
	return t->arch->word == 4 ? (uint32_t)(addr + off) : addr + off;
}
/* Address of a per-CPU variable on a CPU. */
bool percpu_addr(struct target *t, const char *symbol, unsigned cpu, uint64_t *ret,
		 struct err *err) MUST_CHECK;
/* Is this symbol a per-CPU variable (between __per_cpu_start and __per_cpu_end)? */
bool percpu_is(struct target *t, const struct symbol *sym);

#endif
