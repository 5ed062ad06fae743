/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical memory as records; the rows of crash's kmem. */
#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/linux/memory/struct_page.h"
#include "core/shell/relay.h"
#include "commands/memory/page_record.h"

enum {
	PAGE_ADDR,
	PAGE_PHYS,
	PAGE_MAPPING,
	PAGE_INDEX,
	PAGE_COUNT,
	PAGE_MAPS,
	PAGE_WHAT,
	PAGE_NAMES,
	PAGE_FLAGS,
	PAGE_HEAD
};
static const struct record_field page_fields[] = {
	[PAGE_ADDR] = { "page", NULL, CELL_ADDR, 0, "its struct page" },
	[PAGE_PHYS] = { "physical", NULL, CELL_HEX, FIELD_RIGHT, "where it lies" },
	[PAGE_MAPPING] = { "mapping", NULL, CELL_HEX, FIELD_RIGHT, "whose it is" },
	[PAGE_INDEX] = { "index", NULL, CELL_HEX, FIELD_RIGHT, "its place there" },
	[PAGE_COUNT] = { "refcount", "CNT", CELL_INT, FIELD_RIGHT, "references to it" },
	[PAGE_MAPS] = { "mapcount", "MAP", CELL_INT, FIELD_RIGHT, "user page tables that map it" },
	[PAGE_WHAT] = { "kind", NULL, CELL_STR, 0, "buddy (free), slab, table, ...; null: plain" },
	[PAGE_NAMES] = { "flag_names", "FLAGS", CELL_STR, 0, "its flags by name" },
	[PAGE_FLAGS] = { "flags", NULL, CELL_HEX, FIELD_JSON, "as a number, with zone and node" },
	[PAGE_HEAD] = { "head", NULL, CELL_ADDR, FIELD_JSON, "the first of its compound page" },
};
const struct record_kind page_kind = { "page", "a page (kmem -p)", LAYOUT_TABLE,
				       NULL,   page_fields,        ARRAY_SIZE(page_fields) };

static void page_row(struct ctx *c, const struct page *p)
{
	struct record r;

	record_init(&r, &page_kind);
	record_uint(&r, PAGE_ADDR, p->addr);
	record_uint(&r, PAGE_PHYS, p->pa);
	record_uint(&r, PAGE_MAPPING, p->mapping);
	record_uint(&r, PAGE_INDEX, p->index);
	record_int(&r, PAGE_COUNT, p->refcount);
	record_int(&r, PAGE_MAPS, p->mapcount);
	record_str(&r, PAGE_WHAT, page_kind_name(c->t, p));
	record_str(&r, PAGE_NAMES, page_flags_text(c->t, p->flags, c->arena));
	record_uint(&r, PAGE_FLAGS, p->flags);
	record_uint(&r, PAGE_HEAD, p->head);
	emit(c, &r);
}

bool page_asked(struct ctx *c, uint64_t addr, uint64_t *ret, struct err *err)
{
	struct err ignored;
	uint64_t pa;

	*ret = addr;
	if (page_to_phys(c->t, addr, &pa, &ignored))
		return true;
	/* no struct page: a physical address, or a virtual one of what lies there */
	if (c->t->arch->is_kernel_va(addr) && !mem_virt_to_phys(c->t, addr, &addr, err))
		return false;
	return page_of_phys(c->t, addr, ret, err);
}

bool emit_page(struct ctx *c, uint64_t addr, struct err *err)
{
	struct page page;
	uint64_t at;

	if (!page_asked(c, addr, &at, err) || !page_read(c->t, at, &page, err))
		return false;
	page_row(c, &page);
	return true;
}

/* So many pages are a part, which one process does. */
#define PART_PAGES 8192u

struct pages_part {
	uint64_t first, last; /* page frames; last is the first behind it */
};

struct pages_walk {
	struct ctx *c;
	VEC(struct pages_part) parts;
	uint64_t holes; /* of the part at hand */
	struct err why; /* of the last of them */
	uint64_t all_holes;
	size_t holed; /* the last part that has some */
};

static bool each_row(const struct page *page, void *arg)
{
	const struct pages_walk *w = arg;

	page_row(w->c, page);
	return true;
}

static bool pass_over(const struct page *page, void *arg)
{
	(void)page;
	(void)arg;
	return true;
}

static bool each_hole(uint64_t n, const struct err *why, void *arg)
{
	struct pages_walk *w = arg;

	if (why->code == ERR_UNMAPPED)
		return true;
	w->holes += n;
	w->why = *why;
	return true;
}

static bool walk_part(struct pages_walk *w, size_t i,
		      bool (*fn)(const struct page *page, void *arg), struct err *err)
{
	const struct page_visit visit = { fn, each_hole, w };

	w->holes = 0;
	return page_each(w->c->t, w->parts.p[i].first, w->parts.p[i].last, &visit, err);
}

/* Says which part has how many holes, as one number: no part has PART_PAGES + 1. */
static bool emit_part(struct relay *r, size_t i, void *arg, struct err *err)
{
	struct pages_walk *w = arg;
	bool ok = walk_part(w, i, each_row, err);

	if (w->holes)
		relay_say(r, i * (PART_PAGES + 1) + w->holes);
	return ok;
}

static void part_said(uint64_t what, void *arg)
{
	struct pages_walk *w = arg;

	w->holed = what / (PART_PAGES + 1);
	w->all_holes += what % (PART_PAGES + 1);
}

static void name_part(struct buf *b, size_t i, void *arg)
{
	const struct pages_walk *w = arg;

	buf_printf(b, "pages from 0x%llx to 0x%llx are missing",
		   (unsigned long long)(w->parts.p[i].first * w->c->t->page_size),
		   (unsigned long long)(w->parts.p[i].last * w->c->t->page_size));
}

static bool add_parts(uint64_t first, uint64_t last, void *arg)
{
	struct pages_walk *w = arg;

	for (; first < last; first += PART_PAGES)
		*vec_push(&w->parts) = (struct pages_part){ first, last - first < PART_PAGES
									   ? last
									   : first + PART_PAGES };
	return true;
}

bool emit_pages(struct ctx *c, struct err *err)
{
	struct pages_walk w = { .c = c };
	struct relay relay = {
		.c = c, .part = emit_part, .name = name_part, .said = part_said, .arg = &w
	};
	bool ok = page_runs(c->t, add_parts, &w, err);

	relay.n = w.parts.n;
	ok = ok && relay_run(&relay, err);
	/* the reason stayed with whoever did the part */
	if (ok && w.all_holes && (ok = walk_part(&w, w.holed, pass_over, err))) {
		err_wrap(&w.why, "%llu struct pages", (unsigned long long)w.all_holes);
		note(c, &w.why);
	}
	vec_release(&w.parts);
	return ok;
}

/* ---- zones */

enum {
	ZONE_NODE,
	ZONE_NAME,
	ZONE_START,
	ZONE_SPANNED,
	ZONE_PRESENT,
	ZONE_MANAGED,
	ZONE_FREE,
	ZONE_MIN,
	ZONE_LOW,
	ZONE_HIGH,
	ZONE_ADDR
};
static const struct record_field zone_fields[] = {
	[ZONE_NODE] = { "node", NULL, CELL_UINT, FIELD_RIGHT, "the node's number" },
	[ZONE_NAME] = { "zone", NULL, CELL_STR, 0, "name" },
	[ZONE_START] = { "start", NULL, CELL_HEX, FIELD_RIGHT, "its first physical address" },
	[ZONE_SPANNED] = { "spanned", NULL, CELL_UINT, FIELD_RIGHT, "pages from first to last" },
	[ZONE_PRESENT] = { "present", NULL, CELL_UINT, FIELD_RIGHT, "those that exist" },
	[ZONE_MANAGED] = { "managed", NULL, CELL_UINT, FIELD_RIGHT, "those handed out by it" },
	[ZONE_FREE] = { "free", NULL, CELL_UINT, FIELD_RIGHT, "those that are free" },
	[ZONE_MIN] = { "min", NULL, CELL_UINT, FIELD_RIGHT, "watermark: only for emergencies" },
	[ZONE_LOW] = { "low", NULL, CELL_UINT, FIELD_RIGHT, "watermark: kswapd wakes" },
	[ZONE_HIGH] = { "high", NULL, CELL_UINT, FIELD_RIGHT, "watermark: kswapd sleeps" },
	[ZONE_ADDR] = { "addr", NULL, CELL_ADDR, 0, "struct zone" },
};
const struct record_kind zone_kind = { "zone",       "a zone of memory (kmem -n)",
				       LAYOUT_TABLE, NULL,
				       zone_fields,  ARRAY_SIZE(zone_fields) };

static void zone_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

static bool zone_row(const struct zone *z, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &zone_kind);
	record_uint(&r, ZONE_NODE, z->node);
	record_str(&r, ZONE_NAME, z->name);
	record_uint(&r, ZONE_START, z->start * c->t->page_size);
	record_uint(&r, ZONE_SPANNED, z->spanned);
	record_uint(&r, ZONE_PRESENT, z->present);
	record_uint(&r, ZONE_MANAGED, z->managed);
	record_uint(&r, ZONE_FREE, z->free);
	record_uint(&r, ZONE_MIN, z->min);
	record_uint(&r, ZONE_LOW, z->low);
	record_uint(&r, ZONE_HIGH, z->high);
	record_uint(&r, ZONE_ADDR, z->addr);
	emit(c, &r);
	return true;
}

bool emit_zones(struct ctx *c, struct err *err)
{
	return zones_each(c->t, zone_row, zone_flaw, c, err);
}

enum {
	FREE_NODE,
	FREE_ZONE,
	FREE_ORDER,
	FREE_SIZE,
	FREE_BLOCKS,
	FREE_PAGES
};
static const struct record_field free_fields[] = {
	[FREE_NODE] = { "node", NULL, CELL_UINT, FIELD_RIGHT, "the node's number" },
	[FREE_ZONE] = { "zone", NULL, CELL_STR, 0, "the zone's name" },
	[FREE_ORDER] = { "order", NULL, CELL_UINT, FIELD_RIGHT, "a block is of 2^order pages" },
	[FREE_SIZE] = { "size", NULL, CELL_SIZE, FIELD_RIGHT, "bytes of a block" },
	[FREE_BLOCKS] = { "blocks", NULL, CELL_UINT, FIELD_RIGHT,
			  "free blocks, as /proc/buddyinfo" },
	[FREE_PAGES] = { "pages", NULL, CELL_UINT, FIELD_RIGHT, "their pages" },
};
const struct record_kind free_kind = { "free_area",  "free memory of one size (kmem -f)",
				       LAYOUT_TABLE, NULL,
				       free_fields,  ARRAY_SIZE(free_fields) };

static bool free_rows(const struct zone *z, void *arg)
{
	struct ctx *c = arg;

	for (unsigned i = 0; z->present && i < z->orders; i++) {
		struct record r;

		record_init(&r, &free_kind);
		record_uint(&r, FREE_NODE, z->node);
		record_str(&r, FREE_ZONE, z->name);
		record_uint(&r, FREE_ORDER, i);
		record_uint(&r, FREE_SIZE, c->t->page_size << i);
		record_uint(&r, FREE_BLOCKS, z->areas[i]);
		record_uint(&r, FREE_PAGES, z->areas[i] << i);
		emit(c, &r);
	}
	return true;
}

bool emit_free_areas(struct ctx *c, struct err *err)
{
	return zones_each(c->t, free_rows, zone_flaw, c, err);
}

/* ---- vmalloc */

enum {
	VM_START,
	VM_END,
	VM_SIZE,
	VM_PAGES,
	VM_FLAGS,
	VM_CALLER,
	VM_PHYS,
	VM_AREA,
	VM_STRUCT
};
static const struct record_field vmalloc_fields[] = {
	[VM_START] = { "start", NULL, CELL_ADDR, 0, "the first address" },
	[VM_END] = { "end", NULL, CELL_ADDR, 0, "the first behind it" },
	[VM_SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes, the guard page included" },
	[VM_PAGES] = { "pages", NULL, CELL_UINT, FIELD_RIGHT, "of memory that it maps" },
	[VM_FLAGS] = { "flags", NULL, CELL_STR, 0, "ioremap, vmalloc, vmap, ..." },
	[VM_CALLER] = { "caller", NULL, CELL_STR, 0, "who asked for it" },
	[VM_PHYS] = { "phys", NULL, CELL_HEX, FIELD_JSON, "of a device: the physical address" },
	[VM_AREA] = { "vmap_area", NULL, CELL_ADDR, FIELD_JSON, "its struct vmap_area" },
	[VM_STRUCT] = { "vm_struct", NULL, CELL_ADDR, FIELD_JSON, "its struct vm_struct" },
};
const struct record_kind vmalloc_kind = { "vmalloc",      "a vmalloc area (kmem -v)",
					  LAYOUT_TABLE,   NULL,
					  vmalloc_fields, ARRAY_SIZE(vmalloc_fields) };

bool emit_vmalloc(struct ctx *c, struct err *err)
{
	const struct vmalloc_area *a;
	struct err why;
	size_t n;

	if (!vmalloc_areas(c->t, &a, &n, &why, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *flags =
			a[i].vm ? vmalloc_flags_text(a[i].flags, c->arena) : "vm_map_ram";
		struct record r;

		if (!interrupt_check(err))
			return false;
		record_init(&r, &vmalloc_kind);
		record_uint(&r, VM_START, a[i].start);
		record_uint(&r, VM_END, a[i].end);
		record_uint(&r, VM_SIZE, a[i].end - a[i].start);
		if (a[i].pages)
			record_uint(&r, VM_PAGES, a[i].pages);
		record_str(&r, VM_FLAGS, *flags ? flags : NULL);
		if (a[i].caller)
			record_str(&r, VM_CALLER, symbol_text(c->t, a[i].caller, c->arena));
		if (a[i].phys)
			record_uint(&r, VM_PHYS, a[i].phys);
		record_uint(&r, VM_AREA, a[i].addr);
		if (a[i].vm)
			record_uint(&r, VM_STRUCT, a[i].vm);
		emit(c, &r);
	}
	if (why.code != ERR_OK)
		note(c, &why);
	return true;
}

/* ---- sums */

static const struct record_field meminfo_fields[] = {
	[0] = { "name", NULL, CELL_STR, 0, "as in /proc/meminfo" },
	[1] = { "kb", NULL, CELL_UINT, FIELD_RIGHT, "kB; null of what is counted" },
	[2] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "of HugePages_*: how many" },
};
const struct record_kind meminfo_kind = {
	"meminfo",      "a sum of memory (kmem -i)",
	LAYOUT_LINE,    "{name:-17} {?kb:{kb:10} kB}{?count:{count:10}}",
	meminfo_fields, ARRAY_SIZE(meminfo_fields)
};

bool emit_meminfo(struct ctx *c, struct err *err)
{
	struct meminfo m[MEMINFO_MAX];
	struct err why = { 0 };
	size_t n = meminfo_read(c->t, m, &why);

	for (size_t i = 0; i < n; i++) {
		struct record r;

		record_init(&r, &meminfo_kind);
		record_str(&r, 0, m[i].name);
		record_uint(&r, m[i].counted ? 2 : 1, m[i].kb);
		emit(c, &r);
	}
	if (!n)
		*err = why;
	else if (why.code != ERR_OK)
		note(c, &why);
	return n;
}
