/* SPDX-License-Identifier: GPL-3.0-or-later */
/* struct page: where the one of a physical address is, and what it says. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"
#include "core/base/guard.h"
#include "core/linux/memory/struct_page.h"

#define ROOTS_MAX 65536u
#define ORDER_MAX 20u /* 2^20 pages: larger than any compound page, a huge page of 1 GiB has 18 */
#define SECTION_SHIFT_DEFAULT 27u /* of 4 KiB pages on x86_64 and, f0b13ee23241 (v5.12), arm64 */
/* include/linux/mmzone.h: section_mem_map is an address of a page's alignment, and flags below */
#define SECTION_FLAGS 0xfffu
#define SECTION_HAS_MEM_MAP 2u

enum {
	PAGE_FLAGS,
	PAGE_HEAD,
	PAGE_TYPE,
	PAGE_REFCOUNT,
	PAGE_MAPPING,
	PAGE_INDEX,
	PAGE_PRIVATE,
	PAGE_ORDER,
	PAGE_FIELDS
};
static const struct shape_field page_fields[PAGE_FIELDS] = {
	[PAGE_FLAGS] = FIELD_ALT("flags.f", "flags"),
	[PAGE_HEAD] = FIELD_ALT("compound_info", "compound_head"), /* in v7.2, see head_of() */
	[PAGE_TYPE] = FIELD_ALT("page_type", "_mapcount.counter"),
	[PAGE_REFCOUNT] = FIELD("_refcount.counter"),
	[PAGE_MAPPING] = FIELD("mapping"),
	/* acc53a0b4c15 (v6.16) */
	[PAGE_INDEX] = FIELD_ALT("index", "__folio_index"),
	[PAGE_PRIVATE] = FIELD("private"),
	/* of the second page; 379708ffde1b (v6.2) moved it to struct folio, ebc1baf5c9b4 (v6.6)
	 * into the low byte of the second page's flags */
	[PAGE_ORDER] = FIELD_MAYBE("compound_order"),
};
static const struct shape page_shape = SHAPE("struct page", page_fields);

/* The kernel's ways to say what a page is for, include/linux/page-flags.h. */
enum type_style {
	TYPES_NONE,
	TYPES_BITS, /* bits that are cleared in a number that begins with ones, 6e292b9be7f4 (v4.18)
		     */
	TYPES_BYTE  /* the first byte, 4ffca5a96678 (v6.12) */
};

#define FLAGS_TEXTS 64
#define BLOCK_BYTES 4096u /* struct pages are read so many bytes at a time */

/* What the pages of a compound page have of their first one. */
struct page_head {
	uint64_t addr, pa; /* addr: 0, none is known */
	enum page_kind kind;
	unsigned order;
};

struct page_state {
	bool tried, ok;
	struct err err;
	bool flat;          /* one array of struct page for everything */
	uint64_t base;      /* struct page of page frame 0, were there one */
	uint64_t first_pfn; /* flat: the array's first; */
	uint64_t last_pfn;  /* and the last + 1 */
	unsigned section_shift;
	uint8_t *present; /* a bit for each section; NULL when flat */
	uint64_t sections;
	uint64_t roots, per_root, section_size; /* where struct mem_section are */
	uint64_t size;                          /* of a struct page */
	unsigned page_shift;

	bool styled;
	enum type_style style;
	const struct type *types; /* enum pagetype */
	bool slab_flag;           /* slabs are told by a bit of flags: */
	uint64_t slab_bit;
	uint64_t head_bit; /* UINT64_MAX: unknown */

	bool flags_named;
	uint64_t named; /* the flags that have a name */
	/* texts of flags: pages are many, and few of their flags differ */
	struct flags_text {
		uint64_t flags;
		const char *text;
	} texts[FLAGS_TEXTS];
	size_t n_texts;

	bool delta_tried, delta_ok;
	struct err delta_err;
	uint64_t delta;
};

static struct page_state *state_of(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_PAGE];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct page_state);
	return *cell;
}

bool enum_value(struct target *t, const char *type_name, const char *name, uint64_t *ret)
{
	const struct enumerator *e;
	const struct type *type;
	struct err ignored;
	size_t n;

	if (!type_find(t, type_name, &type, &ignored))
		return false;
	e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].name && !strcmp(e[i].name, name)) {
			*ret = e[i].value;
			return true;
		}
	return false;
}

/* ---- where the struct pages are */

static bool page_size_of(struct target *t, struct page_state *st, struct err *err)
{
	const struct type *type;

	if (vmcoreinfo_num(t, "SIZE(page)", (int64_t *)&st->size) && st->size >= 32 &&
	    st->size <= 256)
		return true;
	if (!type_find(t, "struct page", &type, err))
		return false;
	st->size = type->size;
	return st->size || err_set(err, ERR_NOTYPE, "'struct page' has no size");
}

/* VMCOREINFO has the value of the pointer, the symbol is the pointer itself. */
static bool roots_addr(struct target *t, uint64_t *ret, struct err *err)
{
	uint64_t at;

	if (vmcoreinfo_hex(t, "SYMBOL(mem_section)", ret))
		return true;
	if (!symbol_addr(t, "mem_section", &at))
		return err_set(err, ERR_NOSYM, "no symbol 'mem_section' or 'mem_map'");
	return mem_ptr(t, at, ret, err);
}

static bool section_put(struct page_state *st, uint64_t nr, uint64_t map, struct err *err)
{
	uint64_t base = map & ~(uint64_t)SECTION_FLAGS;

	if (!(map & SECTION_HAS_MEM_MAP))
		return true;
	if (!st->base)
		st->base = base;
	/* with CONFIG_SPARSEMEM_VMEMMAP, which every distribution sets, all name the same base */
	if (base != st->base)
		return err_set_addr(err, ERR_UNSUPPORTED, base,
				    "struct pages do not lie in one virtual array");
	st->present[nr / 8] |= (uint8_t)(1u << nr % 8);
	return true;
}

/* mem_section: roots of sections, each of which covers 2^section_shift bytes. */
static bool read_sections(struct target *t, struct page_state *st, struct err *err)
{
	uint64_t roots, per_root, root, n_roots = 2048, off;
	int64_t num, size = 0;
	const struct type *type;
	struct err why;

	if (!roots_addr(t, &roots, err))
		return false;
	st->section_shift = SECTION_SHIFT_DEFAULT;
	if (vmcoreinfo_num(t, "NUMBER(SECTION_SIZE_BITS)", &num) && num >= 20 && num < 48)
		st->section_shift = (unsigned)num;
	if (!vmcoreinfo_num(t, "SIZE(mem_section)", &size)) {
		if (!type_find(t, "struct mem_section", &type, err))
			return false;
		size = (int64_t)type->size;
	}
	if (!vmcoreinfo_num(t, "OFFSET(mem_section.section_mem_map)", &num)) {
		if (!field_offset(t, "struct mem_section", "section_mem_map", &off, err))
			return false;
		num = (int64_t)off;
	}
	off = (uint64_t)num;
	if (size <= 0 || size > 4096 || off + 8 > (uint64_t)size)
		return err_set(err, ERR_CORRUPT, "a struct mem_section of %lld bytes",
			       (long long)size);
	if (vmcoreinfo_num(t, "LENGTH(mem_section)", &num) && num > 0)
		n_roots = (uint64_t)num < ROOTS_MAX ? (uint64_t)num : ROOTS_MAX;
	per_root = t->page_size / (uint64_t)size;
	st->sections = n_roots * per_root;
	st->roots = roots;
	st->per_root = per_root;
	st->section_size = (uint64_t)size;
	st->present = ARENA_ARRAY(&t->arena, uint8_t, st->sections / 8 + 1);
	for (uint64_t r = 0; r < n_roots; r++) {
		if (!mem_ptr(t, roots + r * t->arch->word, &root, &why)) {
			if (!r)
				return *err = why, false;
			break; /* without VMCOREINFO the number of roots is a guess */
		}
		for (uint64_t i = 0; root && i < per_root; i++) {
			uint64_t map;

			if (!mem_ptr(t, root + i * (uint64_t)size + off, &map, err))
				return err_wrap(err, "mem_section");
			if (!section_put(st, r * per_root + i, map, err))
				return false;
		}
	}
	return st->base || err_set(err, ERR_CORRUPT, "mem_section: no section has a memory map");
}

/* One array of struct page for all of memory: CONFIG_FLATMEM. */
static bool read_flat(struct target *t, struct page_state *st, struct err *err)
{
	uint64_t node, map, spanned, pa;

	if (!symbol_addr(t, "contig_page_data", &node))
		return err_set(err, ERR_NOSYM, "no symbol 'contig_page_data'");
	if (!field_u64(t, "struct pglist_data", node, "node_mem_map", &map, err) ||
	    !field_u64(t, "struct pglist_data", node, "node_start_pfn", &st->first_pfn, err) ||
	    !field_u64(t, "struct pglist_data", node, "node_spanned_pages", &spanned, err))
		return false;
	if (!map || !spanned)
		return err_set(err, ERR_CORRUPT, "the node has no memory map");
	st->flat = true;
	st->last_pfn = st->first_pfn + spanned;
	st->base = map - st->first_pfn * st->size;
	/* The array lies in the memory that it tells of: an end that is nowhere is no end. */
	if (spanned > UINT64_MAX / st->size || map + spanned * st->size < map ||
	    !mem_virt_to_phys(t, map + spanned * st->size - 1, &pa, err))
		return err_set(err, ERR_CORRUPT,
			       "the node's memory map of %llu pages ends outside of memory",
			       (unsigned long long)spanned);
	return true;
}

/* Without NUMA there is a mem_map, although nothing is in it where there are sections, too. */
static bool is_flat(struct target *t)
{
	uint64_t at;

	return symbol_addr(t, "mem_map", &at) && !vmcoreinfo_hex(t, "SYMBOL(mem_section)", &at) &&
	       !symbol_addr(t, "mem_section", &at);
}

static bool layout(struct target *t, struct page_state **ret, struct err *err)
{
	struct page_state *st = state_of(t);

	*ret = st;
	if (!st->tried) {
		st->tried = true;
		for (st->page_shift = 12; 1ull << st->page_shift < t->page_size;)
			st->page_shift++;
		st->ok = page_size_of(t, st, &st->err) &&
			 (is_flat(t) ? read_flat(t, st, &st->err) : read_sections(t, st, &st->err));
		if (!st->ok)
			err_wrap(&st->err, "struct pages");
	}
	if (!st->ok)
		*err = st->err;
	return st->ok;
}

static bool has_page(const struct page_state *st, uint64_t pfn)
{
	uint64_t nr;

	if (st->flat)
		return pfn >= st->first_pfn && pfn < st->last_pfn;
	nr = pfn >> (st->section_shift - st->page_shift);
	return nr < st->sections && st->present[nr / 8] >> nr % 8 & 1;
}

bool page_of_phys(struct target *t, uint64_t pa, uint64_t *ret, struct err *err)
{
	struct page_state *st;
	uint64_t pfn;

	if (!layout(t, &st, err))
		return false;
	pfn = pa >> st->page_shift;
	if (!has_page(st, pfn))
		return err_set_addr(err, ERR_NOTRAM, pa, "physical 0x%llx has no struct page",
				    (unsigned long long)pa);
	*ret = st->base + pfn * st->size;
	return true;
}

bool page_to_phys(struct target *t, uint64_t page, uint64_t *ret, struct err *err)
{
	struct page_state *st;
	uint64_t pfn;

	if (!layout(t, &st, err))
		return false;
	pfn = (page - st->base) / st->size;
	if ((page - st->base) % st->size || !has_page(st, pfn))
		return err_set_addr(err, ERR_BADADDR, page, "0x%llx is no struct page",
				    (unsigned long long)page);
	*ret = pfn << st->page_shift;
	return true;
}

bool page_section(struct target *t, uint64_t pfn, uint64_t *ret, struct err *err)
{
	struct page_state *st;
	uint64_t nr, root;

	if (!layout(t, &st, err))
		return false;
	if (st->flat)
		return err_set(err, ERR_UNSUPPORTED, "memory of one piece has no sections");
	if (!has_page(st, pfn))
		return err_set(err, ERR_NOTRAM, "page 0x%llx has no struct page",
			       (unsigned long long)pfn);
	nr = pfn >> (st->section_shift - st->page_shift);
	if (!mem_ptr(t, st->roots + nr / st->per_root * t->arch->word, &root, err))
		return err_wrap(err, "mem_section");
	*ret = root + nr % st->per_root * st->section_size;
	return true;
}

bool page_struct_around(struct target *t, uint64_t addr, uint64_t *ret, struct err *err)
{
	struct page_state *st;
	uint64_t pa;

	if (!layout(t, &st, err))
		return false;
	*ret = addr - (addr - st->base) % st->size;
	return page_to_phys(t, *ret, &pa, err);
}

bool page_runs(struct target *t, bool (*fn)(uint64_t first, uint64_t last, void *arg), void *arg,
	       struct err *err)
{
	struct page_state *st;
	unsigned shift;

	if (!layout(t, &st, err))
		return false;
	if (st->flat) {
		fn(st->first_pfn, st->last_pfn, arg);
		return true;
	}
	shift = st->section_shift - st->page_shift;
	for (uint64_t i = 0; i < st->sections; i++) {
		/* there are millions of sections of which a few are present */
		while (!(i % 64) && i + 64 <= st->sections && !load_le64(st->present + i / 8))
			i += 64;
		if (has_page(st, i << shift) && !fn(i << shift, (i + 1) << shift, arg))
			break;
	}
	return true;
}

/* ---- what they say */

static void styles(struct target *t, struct page_state *st)
{
	uint64_t bit;
	int64_t num;
	struct err ignored;

	if (st->styled)
		return;
	st->styled = true;
	st->head_bit = UINT64_MAX;
	if (enum_value(t, "enum pageflags", "PG_head", &bit) && bit < 64)
		st->head_bit = bit;
	/* 46df8e73a4a3 (v6.10) made a type of the flag */
	st->slab_flag = enum_value(t, "enum pageflags", "PG_slab", &st->slab_bit);
	if (!st->slab_flag && !type_find(t, "enum pageflags", &st->types, &ignored) &&
	    vmcoreinfo_num(t, "NUMBER(PG_slab)", &num) && num >= 0 && num < 64) {
		st->slab_flag = true;
		st->slab_bit = (uint64_t)num;
	}
	st->style = TYPES_BITS;
	if (!type_find(t, "enum pagetype", &st->types, &ignored))
		st->types = NULL;
	else if (enum_value(t, "enum pagetype", "PGTY_slab", &bit))
		st->style = TYPES_BYTE;
}

/* include/linux/page-flags.h: bits that are cleared in page_type, where no enumeration names them
 */
static const struct {
	uint32_t bit;
	const char *name;
} type_bits[] = { { 0x80, "buddy" }, { 0x100, "offline" }, { 0x200, "table" }, { 0x400, "guard" } };
#define TYPE_BASE 0xf0000000u

/* "PGTY_slab", "PG_slab": without what stands before the first '_'. */
static const char *short_name(const char *name)
{
	const char *p = name ? strchr(name, '_') : NULL;

	return p ? p + 1 : "?";
}

static const char *type_name(struct target *t, struct page_state *st, uint32_t type)
{
	const struct enumerator *e;
	size_t n;

	styles(t, st);
	if (type == UINT32_MAX || !(type >> 31))
		return NULL;
	if (st->style == TYPES_BITS && !st->types) {
		for (size_t i = 0; i < ARRAY_SIZE(type_bits); i++)
			if ((type & (TYPE_BASE | type_bits[i].bit)) == TYPE_BASE)
				return type_bits[i].name;
		return NULL;
	}
	e = st->types ? type_enumerators(st->types, &n) : NULL;
	for (size_t i = 0; e && i < n; i++)
		if (st->style == TYPES_BYTE ? e[i].value == type >> 24
					    : e[i].value < 1ull << 31 && !(type & e[i].value))
			return short_name(e[i].name);
	return NULL;
}

static enum page_kind kind_of(struct target *t, struct page_state *st, uint64_t flags,
			      uint32_t type)
{
	const char *name;

	styles(t, st);
	if (st->slab_flag && flags >> st->slab_bit & 1)
		return PAGE_SLAB;
	name = type_name(t, st, type);
	if (!name)
		return PAGE_PLAIN;
	return !strcmp(name, "slab")    ? PAGE_SLAB
	       : !strcmp(name, "buddy") ? PAGE_BUDDY
	       : !strcmp(name, "table") ? PAGE_TABLE
					: PAGE_OTHER;
}

/* The order of the compound page that begins at head. */
static unsigned compound_order(struct target *t, struct page_state *st, uint64_t head,
			       uint64_t flags)
{
	struct shaped s;
	struct err ignored;
	uint64_t order = 0, off;

	if (st->head_bit == UINT64_MAX || !(flags >> st->head_bit & 1) ||
	    !shape_read(t, &page_shape, head + st->size, &s, &ignored))
		return 0;
	if (shaped_has(&s, PAGE_ORDER))
		order = shaped_u64_or(&s, PAGE_ORDER, 0);
	else if (!field_offset(t, "struct folio", "_folio_order", &off, &ignored))
		order = shaped_u64_or(&s, PAGE_FLAGS, 0) & 0xff;
	else if (!field_u64(t, "struct folio", head, "_folio_order", &order, &ignored))
		order = 0;
	return order <= ORDER_MAX ? (unsigned)order : 0;
}

/* The head of the compound page whose tail is at page, by the tail's word. That is the head's
 * address and one, or in v7.2 a mask and one, with which the tail's address becomes the head's:
 * ones above as many zeros as the compound page's array of struct pages has, for those arrays lie
 * at multiples of their size. No struct page is that near to the end of all addresses. */
static uint64_t head_of(const struct target *t, const struct page_state *st, uint64_t page,
			uint64_t word)
{
	uint64_t all = t->arch->word == 4 ? UINT32_MAX : UINT64_MAX, size = (~(word - 1) & all) + 1;

	return size && !(size & (size - 1)) && size <= st->size << ORDER_MAX ? page & (word - 1)
									     : word - 1;
}

/* Sets *ret to the head at addr, which may be known of the tail before. */
static bool head_read(struct target *t, struct page_state *st, uint64_t addr, struct page_head *ret,
		      struct err *err)
{
	struct shaped s;

	if (ret->addr == addr)
		return true;
	ret->addr = 0;
	if (!page_to_phys(t, addr, &ret->pa, err) || !shape_read(t, &page_shape, addr, &s, err))
		return false;
	ret->kind = kind_of(t, st, shaped_u64_or(&s, PAGE_FLAGS, 0),
			    (uint32_t)shaped_u64_or(&s, PAGE_TYPE, UINT32_MAX));
	ret->order = compound_order(t, st, addr, shaped_u64_or(&s, PAGE_FLAGS, 0));
	ret->addr = addr;
	return true;
}

/* What a struct page says; *known is a head, and becomes the page's own. */
static bool decode(struct target *t, struct page_state *st, const struct shaped *s, uint64_t pa,
		   struct page_head *known, struct page *ret, struct err *err)
{
	uint64_t head, type;

	memset(ret, 0, sizeof(*ret));
	ret->addr = ret->head = s->addr;
	ret->pa = ret->head_pa = pa;
	if (!shaped_u64(s, PAGE_FLAGS, &ret->flags, err) || !shaped_u64(s, PAGE_TYPE, &type, err) ||
	    !shaped_u64(s, PAGE_HEAD, &head, err))
		return err_wrap(err, "struct page 0x%llx", (unsigned long long)s->addr);
	ret->type = (uint32_t)type;
	ret->refcount = (int32_t)shaped_u64_or(s, PAGE_REFCOUNT, 0);
	ret->mapping = shaped_u64_or(s, PAGE_MAPPING, 0);
	ret->index = shaped_u64_or(s, PAGE_INDEX, 0);
	ret->private = shaped_u64_or(s, PAGE_PRIVATE, 0);
	if (head & 1) { /* a tail page */
		ret->head = head_of(t, st, s->addr, head);
		if (!head_read(t, st, ret->head, known, err))
			return err_wrap(err, "struct page 0x%llx: its compound page",
					(unsigned long long)s->addr);
		ret->head_pa = known->pa;
		ret->kind = known->kind;
		ret->order = known->order;
	} else {
		ret->kind = kind_of(t, st, ret->flags, ret->type);
		ret->order = compound_order(t, st, s->addr, ret->flags);
		*known = (struct page_head){ s->addr, pa, ret->kind, ret->order };
	}
	if (ret->kind != PAGE_SLAB && !type_name(t, st, ret->type))
		ret->mapcount = (int64_t)(int32_t)ret->type + 1;
	return true;
}

bool page_read(struct target *t, uint64_t page, struct page *ret, struct err *err)
{
	struct page_head known = { 0 };
	struct page_state *st;
	struct shaped s;
	uint64_t pa;

	memset(ret, 0, sizeof(*ret));
	ret->addr = ret->head = page;
	if (!page_to_phys(t, page, &pa, err) || !layout(t, &st, err) ||
	    !shape_read(t, &page_shape, page, &s, err))
		return err_wrap(err, "struct page 0x%llx", (unsigned long long)page);
	return decode(t, st, &s, pa, &known, ret, err);
}

/* A run of struct pages as they are read. */
struct page_walk {
	struct target *t;
	struct page_state *st;
	const struct page_visit *visit;
	uint64_t last;
	struct page_head known;
};

/* Those at frame `pfn` and behind it that can be read at once; sets *next to what follows. */
static bool visit_block(struct page_walk *w, uint64_t pfn, uint64_t *next, struct err *why)
{
	struct target *t = w->t;
	struct page_state *st = w->st;
	uint8_t room[BLOCK_BYTES];
	uint64_t at = st->base + pfn * st->size, n = BLOCK_BYTES / st->size;
	struct shaped s;
	struct page page;

	n = n < w->last - pfn ? n : w->last - pfn;
	n = mem_read_some(t, at, room, n * st->size, why) / st->size;
	for (*next = pfn; *next < pfn + n; at += st->size, ++*next)
		if (!shape_over(t, &page_shape, at, room + (*next - pfn) * st->size, st->size, &s,
				why) ||
		    !decode(t, st, &s, *next << st->page_shift, &w->known, &page, why)) {
			if (!w->visit->absent(1, why, w->visit->arg))
				return false;
		} else if (!w->visit->page(&page, w->visit->arg)) {
			return false;
		}
	return true;
}

/* The struct page at frame `pfn` cannot be read whole: so it is with those behind it that begin in
 * what is absent. Sets *next to what follows. */
static bool visit_hole(struct page_walk *w, uint64_t pfn, uint64_t *next, struct err *why)
{
	uint64_t at = w->st->base + pfn * w->st->size, room = 4096 - why->addr % 4096;

	*next = pfn + 1;
	if (why->addr >= at && why->addr - at < w->st->size)
		*next += (why->addr - at + room - 1) / w->st->size;
	if (*next > w->last)
		*next = w->last;
	err_wrap(why, "struct page 0x%llx", (unsigned long long)at);
	return w->visit->absent(*next - pfn, why, w->visit->arg);
}

bool page_each(struct target *t, uint64_t first, uint64_t last, const struct page_visit *visit,
	       struct err *err)
{
	struct page_walk w = { .t = t, .visit = visit, .last = last };
	uint64_t next;

	if (!layout(t, &w.st, err))
		return false;
	for (uint64_t pfn = first; pfn < last; pfn = next) {
		struct err why = { 0 };

		if (!interrupt_check(err))
			return false;
		if (!visit_block(&w, pfn, &next, &why) ||
		    (next == pfn && !visit_hole(&w, pfn, &next, &why)))
			break;
	}
	return true;
}

bool page_is_slab(struct target *t, uint64_t head, bool *ret, struct err *err)
{
	struct page_state *st;
	uint64_t flags, type;
	struct shaped s;

	if (!layout(t, &st, err) || !shape_read(t, &page_shape, head, &s, err) ||
	    !shaped_u64(&s, PAGE_FLAGS, &flags, err) || !shaped_u64(&s, PAGE_TYPE, &type, err))
		return false;
	*ret = kind_of(t, st, flags, (uint32_t)type) == PAGE_SLAB;
	return true;
}

const char *page_kind_name(struct target *t, const struct page *page)
{
	switch (page->kind) {
	case PAGE_SLAB:
		return "slab";
	case PAGE_BUDDY:
		return "buddy";
	case PAGE_TABLE:
		return "table";
	case PAGE_OTHER:
		return type_name(t, state_of(t), page->type);
	default:
		return NULL;
	}
}

/* The names of the flags; those behind __NR_PAGEFLAGS are other names of the same bits. */
static const struct enumerator *flag_names(struct target *t, size_t *n)
{
	const struct type *type;
	struct err ignored;

	*n = 0;
	return type_find(t, "enum pageflags", &type, &ignored) ? type_enumerators(type, n) : NULL;
}

static uint64_t flags_named(struct target *t, struct page_state *st)
{
	uint64_t last = 0;

	if (!st->flags_named && enum_value(t, "enum pageflags", "__NR_PAGEFLAGS", &last) &&
	    last <= 64)
		st->named = last == 64 ? UINT64_MAX : (UINT64_C(1) << last) - 1;
	st->flags_named = true;
	return st->named;
}

const char *page_flags_text(struct target *t, uint64_t flags, struct arena *a)
{
	struct page_state *st = state_of(t);
	const struct enumerator *e;
	struct buf b = { 0 };
	const char *s;
	size_t n;
	bool keep = st->n_texts < FLAGS_TEXTS;

	flags &= flags_named(t, st);
	for (size_t i = 0; i < st->n_texts; i++)
		if (st->texts[i].flags == flags)
			return st->texts[i].text;
	e = flag_names(t, &n);
	for (size_t i = 0; i < n && e[i].value < 64 && st->named >> e[i].value; i++)
		if (flags >> e[i].value & 1)
			buf_printf(&b, "%s%s", b.n ? "," : "", short_name(e[i].name));
	s = arena_strndup(keep ? &t->arena : a, buf_text(&b), b.n);
	if (keep)
		st->texts[st->n_texts++] = (struct flags_text){ flags, s };
	buf_release(&b);
	return s;
}

/* ---- the map of all memory */

/* What a cache of slabs is described by is a slab's object itself, and those lie in that map. */
static bool find_delta(struct target *t, struct page_state *st, struct err *err)
{
	uint64_t head, first, pa, page;
	struct page info;

	if (!symbol_addr(t, "slab_caches", &head))
		return err_set(err, ERR_NOSYM, "map of all memory: no symbol 'slab_caches'");
	if (!mem_ptr(t, head, &first, err) || !mem_virt_to_phys(t, first, &pa, err) ||
	    !page_of_phys(t, pa, &page, err) || !page_read(t, page, &info, err))
		return err_wrap(err, "map of all memory");
	if (info.kind != PAGE_SLAB)
		return err_set_addr(err, ERR_CORRUPT, first,
				    "map of all memory: 0x%llx, the first of slab_caches, is in no "
				    "slab",
				    (unsigned long long)first);
	st->delta = first - pa;
	return true;
}

bool linear_delta(struct target *t, uint64_t *ret, struct err *err)
{
	struct page_state *st = state_of(t);

	if (!st->delta_tried) {
		st->delta_tried = true;
		st->delta_ok = find_delta(t, st, &st->delta_err);
	}
	*ret = st->delta;
	if (!st->delta_ok)
		*err = st->delta_err;
	return st->delta_ok;
}
