/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters of /proc/vmstat, from where the kernel adds them up; mm/vmstat.c. */
#include "core/linux/memory/vmstat.h"

#include <string.h>

#include "core/base/guard.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/zone.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define ITEMS_MAX 512u
#define NAME_MAX_BYTES 64u

/* Where the counters of a group are, which constants they have, and which of these is their number.
 */
struct counter_group {
	const char *name;
	const char *array[2], *type[2], *count[2]; /* NULL: no other */
};
static const struct counter_group groups[VMSTAT_GROUPS] = {
	[VMSTAT_ZONE] = { "zone",
			  { "vm_zone_stat", NULL },
			  { "enum zone_stat_item", NULL },
			  { "NR_VM_ZONE_STAT_ITEMS", NULL } },
	/* f19298b9516c (v5.14) */
	[VMSTAT_NUMA] = { "numa",
			  { "vm_numa_event", "vm_numa_stat" },
			  { "enum numa_stat_item", NULL },
			  { "NR_VM_NUMA_EVENT_ITEMS", "NR_VM_NUMA_STAT_ITEMS" } },
	[VMSTAT_NODE] = { "node",
			  { "vm_node_stat", NULL },
			  { "enum node_stat_item", NULL },
			  { "NR_VM_NODE_STAT_ITEMS", NULL } },
	/* the limits of writeback, and in newer kernels other counters with them */
	[VMSTAT_OTHER] = { "other",
			   { NULL, NULL },
			   { "enum vm_stat_item", "enum writeback_stat_item" },
			   { "NR_VM_STAT_ITEMS", "NR_VM_WRITEBACK_STAT_ITEMS" } },
	[VMSTAT_EVENT] = { "event",
			   { "vm_event_states", NULL },
			   { "enum vm_event_item", NULL },
			   { "NR_VM_EVENT_ITEMS", NULL } },
};

const char *vmstat_group_name(enum vmstat_group group)
{
	return groups[group].name;
}

/* A huge page is what one entry of the second lowest page table maps, and the lowest table, of
 * entries of 8 bytes wherever there are such pages, fills a page. */
uint64_t huge_page_pages(const struct target *t)
{
	return t->page_size / 8;
}

static bool group_array(struct target *t, const struct counter_group *g, uint64_t *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(g->array); i++)
		if (g->array[i] && symbol_addr(t, g->array[i], ret))
			return true;
	return false;
}

/* Below 0, which stands for 0: a CPU's share is added later. */
static uint64_t counter_positive(const struct target *t, uint64_t n)
{
	return (t->arch->word == 4 ? (int32_t)n : (int64_t)n) < 0 ? 0 : n;
}

bool vmstat_item(struct target *t, enum vmstat_group group, const char *item, uint64_t *ret,
		 struct err *err)
{
	const struct counter_group *g = &groups[group];
	uint64_t at, index;

	if (!group_array(t, g, &at) || !enum_value(t, g->type[0], item, &index) ||
	    index >= ITEMS_MAX)
		return err_set(err, ERR_NOTFOUND, "this kernel does not count '%s'", item);
	if (!mem_ptr(t, at + index * t->arch->word, ret, err))
		return err_wrap(err, "'%s'", item);
	*ret = counter_positive(t, *ret);
	return true;
}

/* ---- all of them */

struct vmstat_walk {
	struct target *t;
	bool (*fn)(const struct vmstat *v, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	uint64_t texts; /* vmstat_text; 0: not known */
	uint64_t index; /* in it, of the group's first */
	uint64_t values[ITEMS_MAX];
	bool known[ITEMS_MAX];
	size_t n; /* of the group */
	bool any, stopped;
};

static void flawed(struct vmstat_walk *w, const struct err *e)
{
	if (w->flaw)
		w->flaw(e, w->arg);
}

/* The constants of the group's counters, by their numbers. Where two are equal, the first is where
 * a range begins: NR_LRU_BASE and NR_INACTIVE_ANON. */
static bool group_items(struct vmstat_walk *w, const struct counter_group *g, const char **ret)
{
	const struct enumerator *e = NULL;
	const struct type *type;
	struct err ignored;
	uint64_t count = 0;
	size_t n = 0;

	w->n = 0;
	for (size_t i = 0; i < 2 && !e; i++)
		if (g->type[i] && type_find(w->t, g->type[i], &type, &ignored))
			e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 2; k++)
			if (e[i].name && g->count[k] && !strcmp(e[i].name, g->count[k]))
				count = e[i].value;
	if (!count || count > ITEMS_MAX)
		return false;
	memset(ret, 0, ITEMS_MAX * sizeof(*ret));
	for (size_t i = 0; i < n; i++)
		if (e[i].name && e[i].value < count)
			ret[e[i].value] = e[i].name;
	w->n = (size_t)count;
	return true;
}

/* The kernel's own word, or the constant's in small letters. */
static const char *item_name(struct vmstat_walk *w, uint64_t i, const char *item)
{
	struct target *t = w->t;
	struct err ignored;
	const char *text;
	char *name;
	uint64_t at;

	if (w->texts && mem_ptr(t, w->texts + (w->index + i) * t->arch->word, &at, &ignored) &&
	    at && mem_str(t, at, NAME_MAX_BYTES, t->scratch, &text, &ignored) && *text)
		return text;
	name = arena_strdup(t->scratch, item);
	for (char *c = name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c | 0x20);
	return name;
}

static void plain_values(struct vmstat_walk *w, enum vmstat_group group)
{
	struct target *t = w->t;
	struct err err;
	uint64_t at;

	if (!group_array(t, &groups[group], &at))
		return;
	for (size_t i = 0; i < w->n; i++) {
		w->known[i] = mem_ptr(t, at + i * t->arch->word, &w->values[i], &err);
		if (!w->known[i]) {
			err_wrap(&err, "counters of /proc/vmstat, %s", groups[group].name);
			flawed(w, &err);
			return;
		}
		w->values[i] = counter_positive(t, w->values[i]);
	}
}

/* Adds what the CPUs have counted at a per-CPU address: the array of counters of each. */
static void cpus_add(struct vmstat_walk *w, uint64_t percpu, const char *what)
{
	struct target *t = w->t;
	uint64_t off, n;
	struct err err;
	unsigned cpus;

	if (!cpus_count(t, &cpus, &err)) {
		flawed(w, &err);
		return;
	}
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		if (!cpu_is_possible(t, cpu))
			continue;
		for (size_t i = 0; i < w->n; i++) {
			if (!percpu_offset(t, cpu, &off, &err) ||
			    !mem_ptr(t, percpu_sum(t, percpu, off) + i * t->arch->word, &n, &err)) {
				err_wrap(&err, "%s of CPU %u", what, cpu);
				flawed(w, &err);
				break;
			}
			w->values[i] = percpu_sum(t, w->values[i], n);
		}
	}
}

static bool zone_numa(const struct zone *z, void *arg)
{
	struct vmstat_walk *w = arg;
	struct err ignored;
	uint64_t at, off;

	/* 28f836b6777b (v5.14); before, what CPUs have not told yet is not in /proc/vmstat either
	 */
	if (z->present &&
	    field_offset(w->t, "struct per_cpu_zonestat", "vm_numa_event", &off, &ignored) &&
	    field_u64(w->t, "struct zone", z->addr, "per_cpu_zonestats", &at, &ignored))
		cpus_add(w, at + off, "counters of where memory was taken from");
	return true;
}

static void event_values(struct vmstat_walk *w)
{
	uint64_t at;

	if (!symbol_addr(w->t, "vm_event_states", &at))
		return;
	for (size_t i = 0; i < w->n; i++)
		w->known[i] = true;
	cpus_add(w, at, "events");
}

/* A variable that has the counter's own name. */
static void other_values(struct vmstat_walk *w, const char *const *items)
{
	struct target *t = w->t;
	struct err err;
	uint64_t at;

	for (size_t i = 0; i < w->n; i++) {
		if (!items[i] || !symbol_addr(t, item_name(w, i, items[i]), &at))
			continue;
		w->known[i] = mem_ptr(t, at, &w->values[i], &err);
		if (!w->known[i])
			flawed(w, &err);
	}
}

/* 69473e5de873 (v5.12) counts huge pages in pages, as NR_SWAPCACHE does that came with it; told are
 * huge pages. */
static bool in_huge_pages(struct target *t, const char *item)
{
	static const char *const items[] = { "NR_ANON_THPS", "NR_FILE_THPS", "NR_SHMEM_THPS",
					     "NR_SHMEM_PMDMAPPED", "NR_FILE_PMDMAPPED" };
	uint64_t any;

	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		if (!strcmp(item, items[i]))
			return enum_value(t, "enum node_stat_item", "NR_SWAPCACHE", &any);
	return false;
}

/* As the kernel tells it: sectors are told as kB, and pages of huge pages as huge pages. */
static uint64_t told(struct vmstat_walk *w, enum vmstat_group group, const char *item, uint64_t n)
{
	if (group == VMSTAT_EVENT && (!strcmp(item, "PGPGIN") || !strcmp(item, "PGPGOUT")))
		return n / 2;
	if (group == VMSTAT_NODE && in_huge_pages(w->t, item))
		return n / huge_page_pages(w->t);
	return n;
}

static void zone_flawed(const struct err *e, void *arg)
{
	flawed(arg, e);
}

static bool group_each(struct vmstat_walk *w, enum vmstat_group group, struct err *err)
{
	const char *items[ITEMS_MAX];
	struct err ignored;
	uint64_t any;

	if (!group_items(w, &groups[group], items)) {
		/* How many words of the kernel's table are this group's is not known. Without NUMA
		 * there are none of that. */
		if (group == VMSTAT_OTHER ||
		    (group != VMSTAT_NUMA && group_array(w->t, &groups[group], &any)))
			w->texts = 0;
		return true;
	}
	memset(w->values, 0, sizeof(w->values));
	memset(w->known, 0, sizeof(w->known));
	if (group == VMSTAT_EVENT)
		event_values(w);
	else if (group == VMSTAT_OTHER)
		other_values(w, items);
	else
		plain_values(w, group);
	if (group == VMSTAT_NUMA && w->known[0] &&
	    !zones_each(w->t, zone_numa, zone_flawed, w, &ignored))
		flawed(w, &ignored);
	for (size_t i = 0; i < w->n && !w->stopped; i++) {
		struct vmstat v = { .group = group, .item = items[i] };

		if (!w->known[i] || !items[i])
			continue;
		if (!interrupt_check(err))
			return false;
		v.name = item_name(w, i, items[i]);
		v.value = told(w, group, items[i], w->values[i]);
		w->any = true;
		w->stopped = !w->fn(&v, w->arg);
	}
	w->index += w->n;
	return true;
}

bool vmstat_each(struct target *t, bool (*fn)(const struct vmstat *v, void *arg),
		 void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct vmstat_walk *w = ARENA_NEW(t->scratch, struct vmstat_walk);

	w->t = t;
	w->fn = fn;
	w->flaw = flaw;
	w->arg = arg;
	if (!symbol_addr(t, "vmstat_text", &w->texts))
		w->texts = 0;
	for (unsigned i = 0; i < VMSTAT_GROUPS && !w->stopped; i++)
		if (!group_each(w, (enum vmstat_group)i, err))
			return false;
	return w->any || err_set(err, ERR_NOSYM,
				 "no symbol 'vm_zone_stat', 'vm_node_stat' or "
				 "'vm_event_states'");
}
