/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that ran out: who has it. */
#ifndef OBIT_OOM_H
#define OBIT_OOM_H

#include "core/linux/memory/zone.h"
#include "core/verdict/check.h"

/* A line of /proc/meminfo in kB; 0: there is none. */
uint64_t meminfo_line(const struct meminfo *m, size_t n, const char *name);
/* "61 % of RAM is in programs' own memory": what has most of RAM, by the kernel's counters. */
const char *memory_user(struct triage *g, const struct meminfo *m, size_t n, uint64_t total_kb);
/* Who has the memory, by the kernel's counters; `where` follows "memory ran out", as in " (DMA32 is
 * below its mark)". */
struct claim *claim_of_counters(struct triage *g, const struct meminfo *m, size_t n,
				uint64_t total_kb, const char *where);
/* Who has the memory that ran out, of a machine or of a cgroup. */
struct claim *claim_of_oom(struct triage *g);

#endif
