/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPUs that the kernel had, and the variables of which each has its own. */
#ifndef OBIT_CPU_H
#define OBIT_CPU_H

#include "core/image/target.h"

/* Sets *ret to how many CPUs the kernel can have, at most CPUS_MAX. nr_cpu_ids says so, and the
 * mask of possible CPUs, the log, the per-CPU offsets and the dump's notes as well: when these
 * contradict each other, what most of them say is taken, and the person is warned. */
bool cpus_count(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;
/* Sets *ret to how many CPUs are online. False: the mask of them cannot be read. */
bool cpus_online(struct target *t, unsigned *ret, struct err *err) MUST_CHECK;
/* Is the CPU online, and is it possible? When the mask cannot be read, every CPU below cpus_count()
 * is.
 */
bool cpu_is_online(struct target *t, unsigned cpu);
bool cpu_is_possible(struct target *t, unsigned cpu);
/* Is the CPU present, and was it brought up at least once? Those are the CPUs to show: a panic
 * marks the ones that it stops as offline. */
bool cpu_has_run(struct target *t, unsigned cpu);
/* Sets *ret to the possible CPUs in the struct cpumask at addr as the kernel lists them, "0-3,8";
 * "": none. In the arena. */
bool cpu_mask_text(struct target *t, uint64_t addr, struct arena *a, const char **ret,
		   struct err *err) MUST_CHECK;
#define CPUS_MAX 8192
/* __per_cpu_offset[cpu]. */
bool percpu_offset(struct target *t, unsigned cpu, uint64_t *ret, struct err *err) MUST_CHECK;
/* The sum of a per-CPU address and a CPU's offset, which may be a negative number, cut to the width
 * of the target's words. */
static inline uint64_t percpu_sum(const struct target *t, uint64_t addr, uint64_t off)
{
	return t->arch->word == 4 ? (uint32_t)(addr + off) : addr + off;
}
/* Address of a per-CPU variable on a CPU. */
bool percpu_addr(struct target *t, const char *symbol, unsigned cpu, uint64_t *ret,
		 struct err *err) MUST_CHECK;
/* Sets *ret to the sum of the struct percpu_counter at addr, with what each CPU has of it: exact,
 * as percpu_counter_sum() in the kernel. It may be negative for a moment. */
bool percpu_counter_sum(struct target *t, uint64_t addr, int64_t *ret, struct err *err) MUST_CHECK;
/* Is this symbol a per-CPU variable (between __per_cpu_start and __per_cpu_end)? */
bool percpu_is(struct target *t, const struct symbol *sym);

/* ---- percpu_pointer.c */
enum percpu_answer {
	PERCPU_NO,
	PERCPU_MAYBE,
	PERCPU_YES
};
/* Is addr what a pointer to per-CPU memory holds? It is where it lies in the section of per-CPU
 * variables, or where each CPU's offset makes an address of it that the allocator of per-CPU memory
 * has, and nothing else can be at it. PERCPU_MAYBE: nobody can say. */
enum percpu_answer percpu_pointer(struct target *t, uint64_t addr);

#endif
