/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of kmem's small tables: per-CPU offsets, huge pages, flags of pages. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "commands/memory/kmem_record.h"

/* More sizes of huge pages than any architecture has. */
#define HSTATES_MAX 32u

/* ---- per-CPU offsets */

static const struct record_field offset_fields[] = {
	[0] = { "cpu", NULL, CELL_UINT, FIELD_RIGHT, "CPU" },
	[1] = { "offset", NULL, CELL_ADDR, 0,
		"what is added to a per-CPU variable's address to have this CPU's" },
};
const struct record_kind percpu_offset_kind = {
	"percpu_offset", "where a CPU's variables are (kmem -o)",
	LAYOUT_TABLE,    NULL,
	offset_fields,   ARRAY_SIZE(offset_fields)
};

bool emit_percpu_offsets(struct ctx *c, struct err *err)
{
	unsigned n;

	if (!cpus_count(c->t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n && interrupt_check(err); cpu++) {
		struct record r;
		struct err why;
		uint64_t off;

		if (!cpu_is_possible(c->t, cpu))
			continue;
		record_init(&r, &percpu_offset_kind);
		record_uint(&r, 0, cpu);
		if (percpu_offset(c->t, cpu, &off, &why))
			record_uint(&r, 1, off);
		else
			record_absent(&r, 1, &why);
		emit(c, &r);
	}
	return interrupt_check(err);
}

/* ---- huge pages */

enum {
	H_ADDR,
	H_SIZE,
	H_TOTAL,
	H_FREE,
	H_RESERVED,
	H_SURPLUS,
	H_NAME
};
static const struct record_field huge_fields[] = {
	[H_ADDR] = { "hstate", NULL, CELL_ADDR, 0, "address of the struct hstate" },
	[H_SIZE] = { "size", NULL, CELL_SIZE, FIELD_RIGHT, "bytes of one" },
	[H_TOTAL] = { "total", NULL, CELL_UINT, FIELD_RIGHT, "how many there are" },
	[H_FREE] = { "free", NULL, CELL_UINT, FIELD_RIGHT, "how many nobody has" },
	[H_RESERVED] = { "reserved", NULL, CELL_UINT, FIELD_RIGHT,
			 "free ones that are promised to somebody" },
	[H_SURPLUS] = { "surplus", NULL, CELL_UINT, FIELD_RIGHT,
			"how many are beyond the size of the pool" },
	[H_NAME] = { "name", NULL, CELL_STR, 0, "as its folder in /sys/kernel/mm/hugepages" },
};
const struct record_kind hugepage_kind = { "hugepage",   "huge pages of a size (kmem -h)",
					   LAYOUT_TABLE, NULL,
					   huge_fields,  ARRAY_SIZE(huge_fields) };

static const struct shape_field hstate_fields[] = {
	FIELD("order"),           FIELD("nr_huge_pages"),      FIELD("free_huge_pages"),
	FIELD("resv_huge_pages"), FIELD("surplus_huge_pages"), FIELD("name"),
};
static const struct shape hstate_shape = SHAPE("struct hstate", hstate_fields);

static void emit_hstate(struct ctx *c, uint64_t addr)
{
	const char *name;
	struct record r;
	struct shaped s;
	struct err why;
	uint64_t order;

	record_init(&r, &hugepage_kind);
	record_uint(&r, H_ADDR, addr);
	if (!shape_read(c->t, &hstate_shape, addr, &s, &why) || !shaped_u64(&s, 0, &order, &why) ||
	    !shaped_str(&s, 5, c->arena, &name, &why)) {
		err_wrap(&why, "huge pages 0x%llx", (unsigned long long)addr);
		note(c, &why);
		return;
	}
	if (order < 48)
		record_uint(&r, H_SIZE, (uint64_t)c->t->page_size << order);
	for (unsigned i = 0; i < 4; i++) {
		uint64_t n;

		if (shaped_u64(&s, 1 + i, &n, &why))
			record_uint(&r, H_TOTAL + i, n);
		else
			record_absent(&r, H_TOTAL + i, &why);
	}
	record_str(&r, H_NAME, name);
	emit(c, &r);
}

bool emit_hugepages(struct ctx *c, struct err *err)
{
	const struct type *type;
	uint64_t at, count;
	uint32_t n;

	if (!symbol_addr(c->t, "hugetlb_max_hstate", &count) ||
	    !symbol_addr(c->t, "hstates", &at)) {
		if (!symbols_complete(c->t))
			return err_set(err, ERR_NOSYM, "'hstates' is not known without its symbol");
		emit_none(c, &hugepage_kind, "this kernel has no hugetlbfs");
		return true;
	}
	if (!mem_u32(c->t, count, &n, err) || !type_find(c->t, "struct hstate", &type, err))
		return false;
	if (n > HSTATES_MAX)
		return err_set(err, ERR_CORRUPT, "%u sizes of huge pages", n);
	for (uint32_t i = 0; i < n; i++)
		emit_hstate(c, at + i * type->size);
	if (!n)
		emit_none(c, &hugepage_kind, "no size of huge pages is set up");
	return interrupt_check(err);
}

/* ---- flags of pages */

static const struct record_field flag_fields[] = {
	[0] = { "flag", NULL, CELL_STR, 0, "the kernel's constant; several can be one bit" },
	[1] = { "bit", NULL, CELL_UINT, FIELD_RIGHT, "its number, the lowest is 0" },
	[2] = { "value", NULL, CELL_HEX, FIELD_RIGHT, "the bit as a number" },
};
const struct record_kind page_flag_kind = { "page_flag",  "a flag of a struct page (kmem -g)",
					    LAYOUT_TABLE, NULL,
					    flag_fields,  ARRAY_SIZE(flag_fields) };

static bool emit_flags_of(struct ctx *c, uint64_t mask, struct err *err)
{
	const struct enumerator *e;
	const struct type *type;
	size_t n;

	if (!type_find(c->t, "enum pageflags", &type, err))
		return false;
	e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++) {
		struct record r;

		if (!e[i].name || strncmp(e[i].name, "PG_", 3) != 0 || e[i].value >= 64 ||
		    !(mask >> e[i].value & 1))
			continue;
		record_init(&r, &page_flag_kind);
		record_str(&r, 0, e[i].name);
		record_uint(&r, 1, e[i].value);
		record_uint(&r, 2, (uint64_t)1 << e[i].value);
		emit(c, &r);
	}
	return true;
}

bool emit_page_flags(struct ctx *c, struct err *err)
{
	if (!c->argc)
		return emit_flags_of(c, UINT64_MAX, err);
	for (int i = 0; i < c->argc; i++) {
		uint64_t mask;

		if (!parse_number(c->argv[i], true, &mask))
			return err_set(err, ERR_USAGE, "'%.60s' is no number of flags", c->argv[i]);
		if (!emit_flags_of(c, mask, err))
			return false;
	}
	return true;
}
