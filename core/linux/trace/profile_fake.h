/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel whose function profiler counted something. */
#ifndef OBIT_PROFILE_FAKE_H
#define OBIT_PROFILE_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/trace/trace.h"

#define PROFILE_VARS (KERNEL_BASE + 0x1000)
#define PROFILE_STAT (KERNEL_BASE + 0x2000) /* per CPU, 0x100 apart: struct ftrace_profile_stat */
#define PROFILE_PAGES (KERNEL_BASE + 0x8000)
#define PROFILE_PAGE(n) (PROFILE_PAGES + 4096 * (uint64_t)(n))
#define PROFILE_RECORDS 16 /* where the records of a page begin */
#define PROFILE_SIZE 48    /* of a record */
#define PROFILE_ROOM ((4096 - PROFILE_RECORDS) / PROFILE_SIZE)

/* Two CPUs, of which neither has a page. The layout is that of 6.12 on x86-64. */
static inline void profile_fake(struct fake_kernel *k, bool timed)
{
	struct type *s;

	kernel_init(k);
	WORDS(k, "ftrace_profile_stat", "disabled", "hash", "pages", "start");
	s = WORDS(k, "ftrace_profile", "node", "pprev", "ip", "counter");
	if (timed) {
		kernel_member(s, "time", &k->u64, 32);
		kernel_member(s, "time_squared", &k->u64, 40);
	}
	s->size = PROFILE_SIZE;
	s = WORDS(k, "ftrace_profile_page", "next", "index");
	kernel_member(s, "records", kernel_array(k, &k->u64, 0), PROFILE_RECORDS);
	kernel_symbol(k, "ftrace_profile_stats", PROFILE_STAT);
	kernel_symbol(k, "nr_cpu_ids", PROFILE_VARS);
	kernel_symbol(k, "__per_cpu_offset", PROFILE_VARS + 8);
	put32(k, PROFILE_VARS, 2);
	put64(k, PROFILE_VARS + 16, 0x100);
}

/* The n-th record of a page. */
static inline void profile_fake_put(struct fake_kernel *k, unsigned page, unsigned n, uint64_t ip,
				    uint64_t hits, uint64_t time, uint64_t squares)
{
	uint64_t at = PROFILE_PAGE(page) + PROFILE_RECORDS + PROFILE_SIZE * (uint64_t)n;

	put64(k, at + 16, ip);
	put64(k, at + 24, hits);
	put64(k, at + 32, time);
	put64(k, at + 40, squares);
}

static inline void profile_fake_page(struct fake_kernel *k, unsigned page, uint64_t n,
				     uint64_t next)
{
	put64(k, PROFILE_PAGE(page), next);
	put64(k, PROFILE_PAGE(page) + 8, n);
}

#endif
