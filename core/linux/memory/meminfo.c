/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What /proc/meminfo said at the crash, from the same counters; fs/proc/meminfo.c. */
#include <string.h>

#include "core/linux/container/list.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/vmstat.h"
#include "core/linux/memory/zone.h"
#include "core/linux/misc/ipc.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#define HSTATES_MAX 16u
#define SPACES_MAX 65536u

enum unit {
	PAGES,
	KB,
	COUNT
};
/* What is asked more than once for one answer. Numbers are of pages. */
struct sums {
	struct target *t;
	bool swap_tried, swap_ok;
	struct err swap_err;
	uint64_t leaving; /* in use in areas that swapoff empties */
	uint64_t swap_cache;
	bool swap_cache_ok; /* before NR_SWAPCACHE */
};
typedef bool sum_fn(struct sums *m, uint64_t *ret, struct err *err);

/* ---- variables */

static bool none(const char *what, struct err *err)
{
	return err_set(err, ERR_NOTFOUND, "this kernel does not count '%s'", what);
}

static bool word_of(struct sums *m, const char *symbol, uint64_t *ret, struct err *err)
{
	uint64_t at;

	if (!symbol_addr(m->t, symbol, &at))
		return none(symbol, err);
	return mem_ptr(m->t, at, ret, err) || err_wrap(err, "'%s'", symbol);
}

static bool int_of(struct sums *m, const char *symbol, uint64_t *ret, struct err *err)
{
	uint64_t at;
	uint32_t n;

	if (!symbol_addr(m->t, symbol, &at))
		return none(symbol, err);
	if (!mem_u32(m->t, at, &n, err))
		return err_wrap(err, "'%s'", symbol);
	*ret = n;
	return true;
}

/* ---- swap */

static bool space_pages(struct sums *m, const struct swap_area *s, uint64_t spaces, uint64_t n)
{
	const struct type *type;
	struct err *err = &m->swap_err;
	uint64_t pages;

	if (!type_find(m->t, "struct address_space", &type, err))
		return false;
	if (n > SPACES_MAX)
		return err_set(err, ERR_CORRUPT, "swap area %u has %u caches", s->type,
			       (unsigned)n);
	for (uint64_t i = 0; i < n; i++) {
		if (!field_u64(m->t, "struct address_space", spaces + i * type->size, "nrpages",
			       &pages, err))
			return false;
		m->swap_cache += pages;
	}
	return true;
}

static bool swap_area_sum(const struct swap_area *s, void *arg)
{
	struct sums *m = arg;
	struct target *t = m->t;
	uint64_t number, spaces, at;
	struct err ignored;
	uint32_t n;

	if (s->leaving)
		m->leaving += s->used / t->page_size;
	/* before b6038942480e (v5.12); each area's cache was split */
	if (symbol_addr(t, "nr_swapper_spaces", &number) && symbol_addr(t, "swapper_spaces", &at) &&
	    mem_u32(t, number + s->type * 4, &n, &ignored) &&
	    mem_ptr(t, at + s->type * t->arch->word, &spaces, &ignored))
		m->swap_cache_ok &= space_pages(m, s, spaces, n);
	return true;
}

static void swap_flaw(const struct err *e, void *arg)
{
	struct sums *m = arg;

	m->swap_ok = false;
	m->swap_err = *e;
}

static bool swap_known(struct sums *m, struct err *err)
{
	struct err why;

	if (!m->swap_tried) {
		m->swap_tried = m->swap_ok = m->swap_cache_ok = true;
		if (!swap_areas(m->t, m->t->scratch, swap_area_sum, swap_flaw, m, &why))
			swap_flaw(&why, m);
	}
	if (!m->swap_ok)
		*err = m->swap_err;
	return m->swap_ok;
}

static bool swap_total(struct sums *m, uint64_t *ret, struct err *err)
{
	if (!word_of(m, "total_swap_pages", ret, err) || !swap_known(m, err))
		return false;
	*ret += m->leaving;
	return true;
}

static bool swap_free(struct sums *m, uint64_t *ret, struct err *err)
{
	if (!word_of(m, "nr_swap_pages", ret, err) || !swap_known(m, err))
		return false;
	*ret += m->leaving;
	return true;
}

static bool swap_cached(struct sums *m, uint64_t *ret, struct err *err)
{
	if (vmstat_item(m->t, VMSTAT_NODE, "NR_SWAPCACHE", ret, err))
		return true;
	if (err->code != ERR_NOTFOUND || !symbol_addr(m->t, "swapper_spaces", ret))
		return false;
	if (!swap_known(m, err))
		return false;
	*ret = m->swap_cache;
	if (!m->swap_cache_ok)
		*err = m->swap_err;
	return m->swap_cache_ok;
}

/* ---- the cache of files */

struct buffers {
	struct sums *m;
	uint64_t pages;
	bool ok;
	struct err *err;
};

static bool inode_pages(uint64_t inode, void *arg)
{
	struct buffers *b = arg;
	uint64_t mapping, n = 0;

	b->ok = field_u64(b->m->t, "struct inode", inode, "i_mapping", &mapping, b->err) &&
		field_u64(b->m->t, "struct address_space", mapping, "nrpages", &n, b->err);
	b->pages += b->ok ? n : 0;
	return b->ok;
}

/* What is cached of block devices: the pages of their inodes, which are one super block's. */
static bool buffers(struct sums *m, uint64_t *ret, struct err *err)
{
	struct buffers b = { .m = m, .ok = true, .err = err };
	uint64_t super, list, link;

	if (!word_of(m, "blockdev_superblock", &super, err) ||
	    !field_offset(m->t, "struct super_block", "s_inodes", &list, err) ||
	    !field_offset(m->t, "struct inode", "i_sb_list", &link, err) ||
	    !list_each(m->t, super + list, link, "inodes of block devices", inode_pages, &b, err))
		return false;
	*ret = b.pages;
	return b.ok;
}

static bool buffers_and_cached(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t swap = 0;

	if (!vmstat_item(m->t, VMSTAT_NODE, "NR_FILE_PAGES", ret, err))
		return false;
	if (!swap_cached(m, &swap, err) && err->code != ERR_NOTFOUND)
		return false;
	*ret = *ret > swap ? *ret - swap : 0;
	return true;
}

static bool cached(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t less;

	if (!buffers(m, &less, err) || !buffers_and_cached(m, ret, err))
		return false;
	*ret = *ret > less ? *ret - less : 0;
	return true;
}

/* Where buffers cannot be told from the rest. */
static bool cached_all(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t any;

	return buffers(m, &any, err) ? none("Buffers+Cached", err)
				     : buffers_and_cached(m, ret, err);
}

/* ---- what could be had */

static bool zone_low(const struct zone *z, void *arg)
{
	*(uint64_t *)arg += z->low;
	return true;
}

static uint64_t less_reserve(uint64_t n, uint64_t low)
{
	return n - (n / 2 < low ? n / 2 : low);
}

/* As si_mem_available() has it: free pages but the reserve, and of what can be dropped all but what
 * is kept so that nothing thrashes. */
static bool available(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t free, reserve, active, inactive, slab, misc = 0, low = 0;
	struct target *t = m->t;
	struct err ignored;

	if (!vmstat_item(t, VMSTAT_ZONE, "NR_FREE_PAGES", &free, err) ||
	    !word_of(m, "totalreserve_pages", &reserve, err) ||
	    !vmstat_item(t, VMSTAT_NODE, "NR_ACTIVE_FILE", &active, err) ||
	    !vmstat_item(t, VMSTAT_NODE, "NR_INACTIVE_FILE", &inactive, err) ||
	    !vmstat_item(t, VMSTAT_NODE, "NR_SLAB_RECLAIMABLE_B", &slab, err) ||
	    !zones_each(t, zone_low, NULL, &low, err))
		return false;
	if (!vmstat_item(t, VMSTAT_NODE, "NR_KERNEL_MISC_RECLAIMABLE", &misc, &ignored))
		misc = 0;
	*ret = free + less_reserve(active + inactive, low) + less_reserve(slab + misc, low);
	*ret = *ret > reserve ? *ret - reserve : 0;
	return true;
}

/* ---- promises */

static bool committed(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t at;
	int64_t n;

	if (!symbol_addr(m->t, "vm_committed_as", &at))
		return none("vm_committed_as", err);
	if (!percpu_counter_sum(m->t, at, &n, err))
		return err_wrap(err, "'vm_committed_as'");
	*ret = n > 0 ? (uint64_t)n : 0;
	return true;
}

/* One kind of huge pages: its number in hstates[]. */
static bool hstate(struct sums *m, uint64_t i, const char *member, uint64_t *ret, struct err *err)
{
	const struct type *type;
	uint64_t at;

	if (!symbol_addr(m->t, "hstates", &at))
		return none("hstates", err);
	return type_find(m->t, "struct hstate", &type, err) &&
	       field_u64(m->t, "struct hstate", at + i * type->size, member, ret, err);
}

static bool hugetlb(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t n, pages, order;

	*ret = 0;
	if (!int_of(m, "hugetlb_max_hstate", &n, err))
		return false;
	if (n > HSTATES_MAX)
		return err_set(err, ERR_CORRUPT, "%u kinds of huge pages", (unsigned)n);
	for (uint64_t i = 0; i < n; i++) {
		if (!hstate(m, i, "nr_huge_pages", &pages, err) ||
		    !hstate(m, i, "order", &order, err))
			return false;
		*ret += order < 32 ? pages << order : 0;
	}
	return true;
}

static bool commit_limit(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t kb, ratio, swap, huge = 0, ram = ram_total(m->t) / m->t->page_size;

	if (!word_of(m, "sysctl_overcommit_kbytes", &kb, err) ||
	    !int_of(m, "sysctl_overcommit_ratio", &ratio, err) ||
	    !word_of(m, "total_swap_pages", &swap, err))
		return false;
	if (!hugetlb(m, &huge, err) && err->code != ERR_NOTFOUND)
		return false;
	if (!kb && !ram)
		return none("_totalram_pages", err);
	*ret = (kb ? kb / (m->t->page_size / 1024) : (ram - huge) * ratio / 100) + swap;
	return true;
}

static bool default_hstate(struct sums *m, const char *member, uint64_t *ret, struct err *err)
{
	uint64_t i;

	if (!int_of(m, "default_hstate_idx", &i, err))
		return false;
	if (i >= HSTATES_MAX)
		return err_set(err, ERR_CORRUPT, "huge pages of kind %u", (unsigned)i);
	return hstate(m, i, member, ret, err);
}

static bool huge_total(struct sums *m, uint64_t *ret, struct err *err)
{
	return default_hstate(m, "nr_huge_pages", ret, err);
}

static bool huge_free(struct sums *m, uint64_t *ret, struct err *err)
{
	return default_hstate(m, "free_huge_pages", ret, err);
}

static bool huge_reserved(struct sums *m, uint64_t *ret, struct err *err)
{
	return default_hstate(m, "resv_huge_pages", ret, err);
}

static bool huge_surplus(struct sums *m, uint64_t *ret, struct err *err)
{
	return default_hstate(m, "surplus_huge_pages", ret, err);
}

static bool huge_size(struct sums *m, uint64_t *ret, struct err *err)
{
	if (!default_hstate(m, "order", ret, err))
		return false;
	*ret = *ret < 32 ? UINT64_C(1) << *ret : 0;
	return true;
}

/* ---- others */

static bool percpu_pages(struct sums *m, uint64_t *ret, struct err *err)
{
	uint64_t units;

	if (!word_of(m, "pcpu_nr_populated", ret, err) || !int_of(m, "pcpu_nr_units", &units, err))
		return false;
	*ret *= units;
	return true;
}

static bool vmalloc_pages(struct sums *m, uint64_t *ret, struct err *err)
{
	return vmstat_item(m->t, VMSTAT_NODE, "NR_VMALLOC", ret, err) ||
	       (err->code == ERR_NOTFOUND && word_of(m, "nr_vmalloc_pages", ret, err));
}

static bool poisoned(struct sums *m, uint64_t *ret, struct err *err)
{
	return word_of(m, "num_poisoned_pages", ret, err);
}

static bool cma_total(struct sums *m, uint64_t *ret, struct err *err)
{
	return word_of(m, "totalcma_pages", ret, err);
}

/* Huge pages were counted as such before 69473e5de873 (v5.12), with which NR_SWAPCACHE came. */
static bool thp(struct sums *m, const char *item, uint64_t *ret, struct err *err)
{
	uint64_t any;

	if (!vmstat_item(m->t, VMSTAT_NODE, item, ret, err))
		return false;
	if (!enum_value(m->t, "enum node_stat_item", "NR_SWAPCACHE", &any))
		*ret *= huge_page_pages(m->t);
	return true;
}

static bool anon_huge(struct sums *m, uint64_t *ret, struct err *err)
{
	return thp(m, "NR_ANON_THPS", ret, err);
}

static bool shmem_huge(struct sums *m, uint64_t *ret, struct err *err)
{
	return thp(m, "NR_SHMEM_THPS", ret, err);
}

static bool file_huge(struct sums *m, uint64_t *ret, struct err *err)
{
	return thp(m, "NR_FILE_THPS", ret, err);
}

/* ---- the lines */

/* Sums of at most two counters, or what a function makes. */
static const struct {
	const char *name;
	enum unit unit;
	enum vmstat_group group;
	const char *items[2];
	sum_fn *of;
} lines[] = {
	{ "MemFree", PAGES, VMSTAT_ZONE, { "NR_FREE_PAGES", NULL }, NULL },
	{ "MemAvailable", PAGES, VMSTAT_NODE, { NULL, NULL }, available },
	{ "Buffers", PAGES, VMSTAT_NODE, { NULL, NULL }, buffers },
	{ "Cached", PAGES, VMSTAT_NODE, { NULL, NULL }, cached },
	{ "Buffers+Cached", PAGES, VMSTAT_NODE, { NULL, NULL }, cached_all },
	{ "SwapCached", PAGES, VMSTAT_NODE, { NULL, NULL }, swap_cached },
	{ "Active", PAGES, VMSTAT_NODE, { "NR_ACTIVE_ANON", "NR_ACTIVE_FILE" }, NULL },
	{ "Inactive", PAGES, VMSTAT_NODE, { "NR_INACTIVE_ANON", "NR_INACTIVE_FILE" }, NULL },
	{ "Active(anon)", PAGES, VMSTAT_NODE, { "NR_ACTIVE_ANON", NULL }, NULL },
	{ "Inactive(anon)", PAGES, VMSTAT_NODE, { "NR_INACTIVE_ANON", NULL }, NULL },
	{ "Active(file)", PAGES, VMSTAT_NODE, { "NR_ACTIVE_FILE", NULL }, NULL },
	{ "Inactive(file)", PAGES, VMSTAT_NODE, { "NR_INACTIVE_FILE", NULL }, NULL },
	{ "Unevictable", PAGES, VMSTAT_NODE, { "NR_UNEVICTABLE", NULL }, NULL },
	{ "Mlocked", PAGES, VMSTAT_ZONE, { "NR_MLOCK", NULL }, NULL },
	{ "SwapTotal", PAGES, VMSTAT_NODE, { NULL, NULL }, swap_total },
	{ "SwapFree", PAGES, VMSTAT_NODE, { NULL, NULL }, swap_free },
	{ "Dirty", PAGES, VMSTAT_NODE, { "NR_FILE_DIRTY", NULL }, NULL },
	{ "Writeback", PAGES, VMSTAT_NODE, { "NR_WRITEBACK", NULL }, NULL },
	{ "AnonPages", PAGES, VMSTAT_NODE, { "NR_ANON_MAPPED", NULL }, NULL },
	{ "Mapped", PAGES, VMSTAT_NODE, { "NR_FILE_MAPPED", NULL }, NULL },
	{ "Shmem", PAGES, VMSTAT_NODE, { "NR_SHMEM", NULL }, NULL },
	{ "KReclaimable",
	  PAGES,
	  VMSTAT_NODE,
	  { "NR_SLAB_RECLAIMABLE_B", "NR_KERNEL_MISC_RECLAIMABLE" },
	  NULL },
	{ "Slab",
	  PAGES,
	  VMSTAT_NODE,
	  { "NR_SLAB_RECLAIMABLE_B", "NR_SLAB_UNRECLAIMABLE_B" },
	  NULL },
	{ "SReclaimable", PAGES, VMSTAT_NODE, { "NR_SLAB_RECLAIMABLE_B", NULL }, NULL },
	{ "SUnreclaim", PAGES, VMSTAT_NODE, { "NR_SLAB_UNRECLAIMABLE_B", NULL }, NULL },
	{ "KernelStack", KB, VMSTAT_NODE, { "NR_KERNEL_STACK_KB", NULL }, NULL },
	{ "PageTables", PAGES, VMSTAT_NODE, { "NR_PAGETABLE", NULL }, NULL },
	{ "PageTables", PAGES, VMSTAT_ZONE, { "NR_PAGETABLE", NULL }, NULL }, /* before v5.11 */
	{ "SecPageTables", PAGES, VMSTAT_NODE, { "NR_SECONDARY_PAGETABLE", NULL }, NULL },
	{ "CommitLimit", PAGES, VMSTAT_NODE, { NULL, NULL }, commit_limit },
	{ "Committed_AS", PAGES, VMSTAT_NODE, { NULL, NULL }, committed },
	{ "VmallocUsed", PAGES, VMSTAT_NODE, { NULL, NULL }, vmalloc_pages },
	{ "Percpu", PAGES, VMSTAT_NODE, { NULL, NULL }, percpu_pages },
	{ "HardwareCorrupted", PAGES, VMSTAT_NODE, { NULL, NULL }, poisoned },
	{ "AnonHugePages", PAGES, VMSTAT_NODE, { NULL, NULL }, anon_huge },
	{ "ShmemHugePages", PAGES, VMSTAT_NODE, { NULL, NULL }, shmem_huge },
	{ "FileHugePages", PAGES, VMSTAT_NODE, { NULL, NULL }, file_huge },
	{ "CmaTotal", PAGES, VMSTAT_NODE, { NULL, NULL }, cma_total },
	{ "CmaFree", PAGES, VMSTAT_ZONE, { "NR_FREE_CMA_PAGES", NULL }, NULL },
	{ "HugePages_Total", COUNT, VMSTAT_NODE, { NULL, NULL }, huge_total },
	{ "HugePages_Free", COUNT, VMSTAT_NODE, { NULL, NULL }, huge_free },
	{ "HugePages_Rsvd", COUNT, VMSTAT_NODE, { NULL, NULL }, huge_reserved },
	{ "HugePages_Surp", COUNT, VMSTAT_NODE, { NULL, NULL }, huge_surplus },
	{ "Hugepagesize", PAGES, VMSTAT_NODE, { NULL, NULL }, huge_size },
	{ "Hugetlb", PAGES, VMSTAT_NODE, { NULL, NULL }, hugetlb },
};

static bool line_sum(struct sums *m, size_t i, uint64_t *ret, struct err *err)
{
	uint64_t n;

	if (lines[i].of)
		return lines[i].of(m, ret, err);
	*ret = 0;
	for (size_t k = 0; k < ARRAY_SIZE(lines[i].items) && lines[i].items[k]; k++) {
		if (!vmstat_item(m->t, lines[i].group, lines[i].items[k], &n, err))
			return false;
		*ret += n;
	}
	return true;
}

/* Was a counter that this kernel has not to be read? A member or symbol that is missing is none of
 * this kernel's. */
static bool is_loss(const struct err *err)
{
	return err->code != ERR_NOTFOUND && err->code != ERR_NOSYM && err->code != ERR_NOTYPE &&
	       err->code != ERR_NOFIELD;
}

size_t meminfo_read(struct target *t, struct meminfo ret[MEMINFO_MAX], struct err *err)
{
	struct sums m = { .t = t };
	uint64_t sum, total = ram_total(t);
	bool lost = false;
	struct err why;
	size_t n = 0;

	if (total)
		ret[n++] = (struct meminfo){ .name = "MemTotal", .kb = total / 1024 };
	for (size_t i = 0; i < ARRAY_SIZE(lines) && n < MEMINFO_MAX; i++) {
		if (!line_sum(&m, i, &sum, &why)) {
			if (is_loss(&why) && !lost) {
				*err = why;
				lost = true;
			}
			continue;
		}
		ret[n].name = lines[i].name;
		ret[n].counted = lines[i].unit == COUNT;
		ret[n++].kb = lines[i].unit == PAGES ? sum * (t->page_size / 1024) : sum;
	}
	if (!n && !lost)
		err_set(err, ERR_NOSYM, "no symbol 'vm_zone_stat' or 'vm_node_stat'");
	else if (n && !lost)
		err->code = ERR_OK;
	return n;
}
