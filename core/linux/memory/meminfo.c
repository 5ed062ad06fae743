/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What /proc/meminfo said at the crash, from the same counters; fs/proc/meminfo.c. */
#include <string.h>

#include "core/linux/memory/struct_page.h"
#include "core/linux/task/task.h"
#include "core/linux/memory/zone.h"

enum {
	ZONE_ITEM,
	NODE_ITEM,
	KB_ITEM /* of a node, counted in kB */
};
/* Sums of at most three counters; a counter with '-' in front is taken off. */
static const struct {
	const char *name;
	unsigned table;
	const char *items[3];
} lines[] = {
	{ "MemFree", ZONE_ITEM, { "NR_FREE_PAGES", NULL, NULL } },
	{ "SwapCached", NODE_ITEM, { "NR_SWAPCACHE", NULL, NULL } },
	{ "Active", NODE_ITEM, { "NR_ACTIVE_ANON", "NR_ACTIVE_FILE", NULL } },
	{ "Inactive", NODE_ITEM, { "NR_INACTIVE_ANON", "NR_INACTIVE_FILE", NULL } },
	{ "Active(anon)", NODE_ITEM, { "NR_ACTIVE_ANON", NULL, NULL } },
	{ "Inactive(anon)", NODE_ITEM, { "NR_INACTIVE_ANON", NULL, NULL } },
	{ "Active(file)", NODE_ITEM, { "NR_ACTIVE_FILE", NULL, NULL } },
	{ "Inactive(file)", NODE_ITEM, { "NR_INACTIVE_FILE", NULL, NULL } },
	{ "Unevictable", NODE_ITEM, { "NR_UNEVICTABLE", NULL, NULL } },
	{ "Mlocked", ZONE_ITEM, { "NR_MLOCK", NULL, NULL } },
	/* without Buffers: those are found by a walk of all block devices */
	{ "Buffers+Cached", NODE_ITEM, { "NR_FILE_PAGES", "-NR_SWAPCACHE", NULL } },
	{ "Dirty", NODE_ITEM, { "NR_FILE_DIRTY", NULL, NULL } },
	{ "Writeback", NODE_ITEM, { "NR_WRITEBACK", NULL, NULL } },
	{ "AnonPages", NODE_ITEM, { "NR_ANON_MAPPED", NULL, NULL } },
	{ "Mapped", NODE_ITEM, { "NR_FILE_MAPPED", NULL, NULL } },
	{ "Shmem", NODE_ITEM, { "NR_SHMEM", NULL, NULL } },
	{ "KReclaimable",
	  NODE_ITEM,
	  { "NR_SLAB_RECLAIMABLE_B", "NR_KERNEL_MISC_RECLAIMABLE", NULL } },
	{ "Slab", NODE_ITEM, { "NR_SLAB_RECLAIMABLE_B", "NR_SLAB_UNRECLAIMABLE_B", NULL } },
	{ "SReclaimable", NODE_ITEM, { "NR_SLAB_RECLAIMABLE_B", NULL, NULL } },
	{ "SUnreclaim", NODE_ITEM, { "NR_SLAB_UNRECLAIMABLE_B", NULL, NULL } },
	{ "KernelStack", KB_ITEM, { "NR_KERNEL_STACK_KB", NULL, NULL } },
	{ "PageTables", NODE_ITEM, { "NR_PAGETABLE", NULL, NULL } },
};

static bool counter(struct target *t, unsigned table, const char *item, int64_t *ret,
		    struct err *err)
{
	bool zone = table == ZONE_ITEM;
	uint64_t at, index, n = 0;

	if (!symbol_addr(t, zone ? "vm_zone_stat" : "vm_node_stat", &at) ||
	    !enum_value(t, zone ? "enum zone_stat_item" : "enum node_stat_item",
			item + (*item == '-'), &index))
		return err_set(err, ERR_NOTFOUND, "this kernel does not count '%s'", item);
	if (!mem_ptr(t, at + index * t->arch->word, &n, err))
		return err_wrap(err, "'%s'", item);
	/* a CPU's share is added later: a sum can be below 0, and stands for 0 then */
	*ret = t->arch->word == 4 ? (int32_t)n : (int64_t)n;
	if (*ret < 0)
		*ret = 0;
	if (*item == '-')
		*ret = -*ret;
	return true;
}

static bool line(struct target *t, size_t i, uint64_t *kb, bool *lost, struct err *err)
{
	int64_t sum = 0, n = 0;
	struct err why;

	for (size_t k = 0; k < ARRAY_SIZE(lines[i].items) && lines[i].items[k]; k++) {
		if (!counter(t, lines[i].table, lines[i].items[k], &n, &why)) {
			if (why.code != ERR_NOTFOUND && !*lost) {
				*err = why;
				*lost = true;
			}
			return false;
		}
		sum += n;
	}
	*kb = sum < 0                     ? 0
	      : lines[i].table == KB_ITEM ? (uint64_t)sum
					  : (uint64_t)sum * (t->page_size / 1024);
	return true;
}

size_t meminfo_read(struct target *t, struct meminfo ret[MEMINFO_MAX], struct err *err)
{
	uint64_t total = ram_total(t);
	bool lost = false;
	size_t n = 0;

	if (total)
		ret[n++] = (struct meminfo){ "MemTotal", total / 1024 };
	for (size_t i = 0; i < ARRAY_SIZE(lines) && n < MEMINFO_MAX; i++)
		if (line(t, i, &ret[n].kb, &lost, err))
			ret[n++].name = lines[i].name;
	if (!n && !lost)
		err_set(err, ERR_NOSYM, "no symbol 'vm_zone_stat' or 'vm_node_stat'");
	else if (n && !lost)
		err->code = ERR_OK;
	return n;
}
