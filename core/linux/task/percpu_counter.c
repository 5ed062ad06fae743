/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counters of which each CPU keeps a part: struct percpu_counter. */
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

bool percpu_counter_sum(struct target *t, uint64_t addr, int64_t *ret, struct err *err)
{
	static const char type[] = "struct percpu_counter";
	uint64_t sum, counters, off;
	struct err ignored;
	uint32_t part;
	unsigned cpus;

	if (!field_u64(t, type, addr, "count", &sum, err))
		return false;
	*ret = (int64_t)sum;
	/* without SMP there is nothing but the count */
	if (!field_u64(t, type, addr, "counters", &counters, &ignored))
		return ignored.code == ERR_NOFIELD || (*err = ignored, false);
	if (!cpus_count(t, &cpus, err))
		return false;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		if (!percpu_offset(t, cpu, &off, err) ||
		    !mem_u32(t, percpu_sum(t, counters, off), &part, err))
			return err_wrap(err, "a counter of CPU %u", cpu);
		*ret += (int32_t)part;
	}
	return true;
}
