/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which compile unit an address belongs to, by .debug_aranges (DWARF 5, 6.1.2). libdw's own table
 * touches every unit of a vmlinux's hundreds of megabytes; this one only what it looks up. */
#include <dwarf.h>
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/sort.h"
#include "core/base/vec.h"
#include "core/dwarf/dwarf_frame.h"

#define RANGES_MAX 4000000u
#define UNITS_MAX 1000000u
#define NESTING_MAX 16 /* how far back a range is sought that others begin inside of */

struct unit_range {
	uint64_t lo, hi;
	uint64_t unit; /* offset in .debug_info */
};

struct dwarf_units {
	struct unit_range *ranges; /* by lo */
	size_t n;
	bool all; /* with those of units that .debug_aranges does not tell of */
};

struct gathered {
	VEC(struct unit_range) ranges;
	struct map listed; /* units that .debug_aranges tells of */
};

static void range_add(struct gathered *g, uint64_t lo, uint64_t hi, uint64_t unit)
{
	/* address 0: a function that the linker threw away */
	if (lo && hi > lo && g->ranges.n < RANGES_MAX)
		*vec_push(&g->ranges) = (struct unit_range){ lo, hi, unit };
}

static struct unit_range *ranges_sorted(const struct gathered *g, struct arena *a)
{
	size_t n = g->ranges.n;
	struct sort_item *items = xrealloc(NULL, 2 * n * sizeof(*items));
	struct unit_range *ret = ARENA_ARRAY(a, struct unit_range, n);

	for (size_t i = 0; i < n; i++)
		items[i] = (struct sort_item){ g->ranges.p[i].lo, (uint32_t)i };
	sort_items(items, n);
	for (size_t i = 0; i < n; i++)
		ret[i] = g->ranges.p[items[i].i];
	free(items);
	return ret;
}

/* One unit's ranges, up to the pair of zeros or the end of what is there. */
static void set_read(struct gathered *g, struct cursor *c, size_t begin, bool wide)
{
	unsigned word, segment;
	uint64_t unit;

	if (cursor_u16(c) != 2) /* the version, in DWARF 5 as well */
		return;
	unit = wide ? cursor_u64(c) : cursor_u32(c);
	word = cursor_u8(c);
	segment = cursor_u8(c);
	if (c->failed || (word != 4 && word != 8) || segment)
		return;
	*map_put(&g->listed, unit, NULL) = 1;
	/* pairs begin at a multiple of their size */
	cursor_seek(c, begin + (cursor_pos(c) - begin + 2 * word - 1) / (2 * word) * (2 * word));
	while (cursor_left(c) >= 2 * word) {
		uint64_t lo = word == 4 ? cursor_u32(c) : cursor_u64(c);
		uint64_t n = word == 4 ? cursor_u32(c) : cursor_u64(c);

		if (!lo && !n)
			break;
		range_add(g, lo, lo + n, unit);
	}
}

static void aranges_read(struct gathered *g, struct span section, bool big)
{
	struct cursor c, set;
	struct err ignored;
	size_t begin, end;
	uint64_t n;
	bool wide;

	cursor_init(&c, section, ".debug_aranges", &ignored);
	c.big = big;
	while (cursor_left(&c)) {
		begin = cursor_pos(&c);
		n = cursor_u32(&c);
		wide = n == UINT32_MAX;
		if (wide)
			n = cursor_u64(&c);
		if (c.failed || n > cursor_left(&c)) /* cut: what there is of it */
			n = cursor_left(&c);
		end = cursor_pos(&c) + (size_t)n;
		cursor_init(&set, SPAN(section.p, end), ".debug_aranges", &ignored);
		set.big = big;
		cursor_seek(&set, cursor_pos(&c));
		set_read(g, &set, begin, wide);
		cursor_seek(&c, end);
	}
}

/* clang makes no .debug_aranges: then the units themselves say what they cover. */
static void units_ask(struct dwarf_file *f, struct gathered *g)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	for (size_t n = 0; n < UNITS_MAX; n++) {
		Dwarf_Addr base, lo, hi;
		ptrdiff_t at = 0;
		Dwarf_Off start;

		if (dwarf_get_units(f->dbg, unit, &unit, NULL, NULL, &die, NULL) != 0)
			break;
		start = dwarf_dieoffset(&die) - dwarf_cuoffset(&die);
		if (map_get(&g->listed, start))
			continue;
		while (g->ranges.n < RANGES_MAX &&
		       (at = dwarf_ranges(&die, at, &base, &lo, &hi)) > 0)
			range_add(g, lo, hi, start);
	}
}

static void units_gather(struct dwarf_file *f, bool all)
{
	struct gathered g = { 0 };
	struct span section;

	if (dwarf_section(f, ".debug_aranges", &section, NULL))
		aranges_read(&g, section, f->sections.big);
	if (all)
		units_ask(f, &g);
	f->units = ARENA_NEW(&f->t->arena, struct dwarf_units);
	f->units->ranges = ranges_sorted(&g, &f->t->arena);
	f->units->n = g.ranges.n;
	f->units->all = all;
	vec_release(&g.ranges);
	map_release(&g.listed);
}

static const struct unit_range *range_at(const struct dwarf_units *u, uint64_t pc)
{
	size_t lo = 0, hi = u->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (u->ranges[mid].lo <= pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t k = 0; lo-- > 0 && k < NESTING_MAX; k++)
		if (pc < u->ranges[lo].hi)
			return &u->ranges[lo];
	return NULL;
}

bool dwarf_unit_offset(struct dwarf_file *f, uint64_t pc, uint64_t *ret)
{
	const struct unit_range *range;

	if (!f->units)
		units_gather(f, false);
	range = range_at(f->units, pc);
	if (!range && !f->units->all) {
		units_gather(f, true);
		range = range_at(f->units, pc);
	}
	if (range)
		*ret = range->unit;
	return range;
}

bool dwarf_unit_at(struct dwarf_file *f, Dwarf_Addr pc, Dwarf_Die *ret)
{
	uint64_t unit;
	Dwarf_Off next;
	size_t header;

	return dwarf_unit_offset(f, pc, &unit) &&
	       dwarf_nextcu(f->dbg, unit, &next, &header, NULL, NULL, NULL) == 0 &&
	       dwarf_offdie(f->dbg, unit + header, ret);
}
