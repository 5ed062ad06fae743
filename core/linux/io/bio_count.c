/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disks without requests: how many bios were under way, as each CPU counted them. */
#include "core/linux/io/io_impl.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

/* Where the counters of a disk are, as a per-CPU address. */
static bool stats_of(const struct io_call *c, uint64_t disk, uint64_t *ret, struct err *err)
{
	const struct type *old;
	struct err ignored;
	uint64_t whole;

	/* struct hd_struct until 0d02129e76ed (v5.11) */
	if (type_find(c->t, "struct hd_struct", &old, &ignored))
		return field_u64(c->t, "struct gendisk", disk, "part0.dkstats", ret, err);
	return field_u64(c->t, "struct gendisk", disk, "part0", &whole, err) &&
	       field_u64(c->t, "struct block_device", whole, "bd_stats", ret, err);
}

/* A bio may end on another CPU than it began: only the sum over all means something. */
bool io_bios_count(const struct io_call *c, uint64_t disk, uint64_t ret[2], struct err *err)
{
	/* local_t, on PowerPC with a member of another name */
	static const char *const members[] = { "in_flight[0].a.counter|in_flight[0].v",
					       "in_flight[1].a.counter|in_flight[1].v" };
	uint64_t stats, off, one;
	unsigned n;

	ret[0] = ret[1] = 0;
	if (!stats_of(c, disk, &stats, err) || !cpus_count(c->t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(c->t, cpu))
			continue;
		if (!percpu_offset(c->t, cpu, &off, err))
			return false;
		for (unsigned i = 0; i < 2; i++) {
			if (!field_u64(c->t, "struct disk_stats", percpu_sum(c->t, stats, off),
				       members[i], &one, err))
				return false;
			ret[i] += one;
		}
	}
	return true;
}
