/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes and zones of the page allocator. */
#include <string.h>

#include "core/linux/memory/struct_page.h"
#include "core/types/shape.h"
#include "core/linux/memory/zone.h"

#define NODES_MAX 1024u
#define ZONES_MAX 16u
#define NAME_LENGTH 32u

static const char node_type[] = "struct pglist_data";

enum {
	ZONE_NAME,
	ZONE_START,
	ZONE_SPANNED,
	ZONE_PRESENT,
	ZONE_MANAGED,
	ZONE_MIN,
	ZONE_LOW,
	ZONE_HIGH,
	ZONE_BOOST,
	ZONE_STAT,
	ZONE_AREAS,
	ZONE_FIELDS
};
static const struct shape_field zone_fields[ZONE_FIELDS] = {
	[ZONE_NAME] = FIELD("name"),
	[ZONE_START] = FIELD("zone_start_pfn"),
	[ZONE_SPANNED] = FIELD("spanned_pages"),
	[ZONE_PRESENT] = FIELD("present_pages"),
	/* 9705bea5f833 (v5.0) */
	[ZONE_MANAGED] = FIELD_ALT("managed_pages.counter", "managed_pages"),
	/* a9214443c024 (v5.0) */
	[ZONE_MIN] = FIELD_ALT("_watermark[0]", "watermark[0]"),
	[ZONE_LOW] = FIELD_ALT("_watermark[1]", "watermark[1]"),
	[ZONE_HIGH] = FIELD_ALT("_watermark[2]", "watermark[2]"),
	[ZONE_BOOST] = FIELD_MAYBE("watermark_boost"), /* 1c30844d2dfe (v5.0) */
	[ZONE_STAT] = FIELD("vm_stat"),
	[ZONE_AREAS] = FIELD("free_area"),
};
static const struct shape zone_shape = SHAPE("struct zone", zone_fields);

struct zone_walk {
	struct target *t;
	bool (*fn)(const struct zone *zone, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	uint64_t size;                   /* of a struct zone */
	uint64_t area_size, nr_free_off; /* of a struct free_area */
	unsigned orders;
	uint64_t free_item; /* NR_FREE_PAGES */
	bool stopped;
};

static bool zone_read(struct zone_walk *w, uint64_t addr, struct zone *z, struct err *err)
{
	struct target *t = w->t;
	uint64_t name, stat, areas, boost;
	struct shaped s;

	z->addr = addr;
	z->orders = w->orders;
	if (!shape_read(t, &zone_shape, addr, &s, err) || !shaped_u64(&s, ZONE_NAME, &name, err) ||
	    !mem_str(t, name, NAME_LENGTH, t->scratch, &z->name, err) ||
	    !shaped_u64(&s, ZONE_START, &z->start, err) ||
	    !shaped_u64(&s, ZONE_SPANNED, &z->spanned, err) ||
	    !shaped_u64(&s, ZONE_PRESENT, &z->present, err) ||
	    !shaped_u64(&s, ZONE_MANAGED, &z->managed, err) ||
	    !shaped_addr(&s, ZONE_STAT, &stat, err) || !shaped_addr(&s, ZONE_AREAS, &areas, err) ||
	    !mem_ptr(t, stat + w->free_item * t->arch->word, &z->free, err))
		return err_wrap(err, "zone 0x%llx", (unsigned long long)addr);
	boost = shaped_u64_or(&s, ZONE_BOOST, 0);
	z->min = shaped_u64_or(&s, ZONE_MIN, 0) + boost;
	z->low = shaped_u64_or(&s, ZONE_LOW, 0) + boost;
	z->high = shaped_u64_or(&s, ZONE_HIGH, 0) + boost;
	for (unsigned i = 0; i < w->orders; i++)
		if (!mem_ptr(t, areas + i * w->area_size + w->nr_free_off, &z->areas[i], err))
			return err_wrap(err, "zone '%s': free areas", z->name);
	return true;
}

/* Damage; false: nobody is told, or Ctrl-C. */
static bool flawed(const struct zone_walk *w, const struct err *err)
{
	if (!w->flaw || err->code == ERR_INTR)
		return false;
	w->flaw(err, w->arg);
	return true;
}

/* No order can have more free blocks than the zone has room for. */
static bool areas_check(const struct zone *z, struct err *err)
{
	for (unsigned i = 0; i < z->orders; i++)
		if (z->areas[i] > z->spanned >> i)
			return err_set_addr(err, ERR_CORRUPT, z->addr,
					    "zone '%s': %llu free blocks of order %u cannot be "
					    "among %llu pages",
					    z->name, (unsigned long long)z->areas[i], i,
					    (unsigned long long)z->spanned);
	return true;
}

static bool node_zones(struct zone_walk *w, unsigned node, uint64_t addr, struct err *err)
{
	uint64_t zones, n;

	if (!field_offset(w->t, node_type, "node_zones", &zones, err) ||
	    !field_u64(w->t, node_type, addr, "nr_zones", &n, err))
		return err_wrap(err, "node %u", node) || flawed(w, err);
	if ((int32_t)n < 0 || n > ZONES_MAX)
		return err_set_addr(err, ERR_CORRUPT, addr, "node %u has %u zones", node,
				    (unsigned)n) ||
		       flawed(w, err);
	for (unsigned i = 0; i < n && !w->stopped; i++) {
		struct zone z = { .node = node, .index = i };

		if (zone_read(w, addr + zones + i * w->size, &z, err)) {
			if (!areas_check(&z, err))
				(void)flawed(w, err);
			w->stopped = !w->fn(&z, w->arg);
		} else if (!flawed(w, err)) {
			return false;
		}
	}
	return true;
}

static bool layout(struct zone_walk *w, struct err *err)
{
	const struct type *type;
	struct member_ref ref;

	if (!type_find(w->t, "struct zone", &type, err) ||
	    !type_member(type, "free_area", &ref, err) ||
	    !field_offset(w->t, "struct free_area", "nr_free", &w->nr_free_off, err))
		return false;
	w->size = type->size;
	type = type_strip(ref.type);
	w->orders = (unsigned)(type->count < ZONE_ORDERS_MAX ? type->count : ZONE_ORDERS_MAX);
	w->area_size = type->count ? type->size / type->count : 0;
	if (!enum_value(w->t, "enum zone_stat_item", "NR_FREE_PAGES", &w->free_item))
		w->free_item = 0;
	return true;
}

bool zones_each(struct target *t, bool (*fn)(const struct zone *zone, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct zone_walk w = { .t = t, .fn = fn, .flaw = flaw, .arg = arg };
	uint64_t at, node;
	struct err why;

	if (!layout(&w, err))
		return false;
	if (!symbol_addr(t, "node_data", &at)) {
		if (!symbol_addr(t, "contig_page_data", &node))
			return err_set(err, ERR_NOSYM,
				       "no symbol 'node_data' or 'contig_page_data'");
		return node_zones(&w, 0, node, err);
	}
	/* as many as there may be; the array ends with pointers to none */
	for (unsigned i = 0; i < NODES_MAX && !w.stopped; i++) {
		if (!mem_ptr(t, at + (uint64_t)i * t->arch->word, &node, &why)) {
			if (!i)
				return *err = why, false;
			break;
		}
		if (!node || !t->arch->is_kernel_va(node))
			break;
		if (!node_zones(&w, i, node, err))
			return false;
	}
	return true;
}
