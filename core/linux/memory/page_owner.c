/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_owner: which stack asked for each page, which the kernel keeps beside its struct page. */
#include <string.h>

#include "core/base/bytes.h"
#include "core/base/guard.h"
#include "core/base/map.h"
#include "core/base/sort.h"
#include "core/base/vec.h"
#include "core/linux/memory/origin.h"
#include "core/linux/subsystem.h"
#include "core/types/shape.h"

#define EXT_MAX 512u        /* bytes of what is kept of a page; 80 in v7.2 */
#define PAGE_EXT_INVALID 1u /* mm/page_ext.c */

/* What is kept of a page, and where in it the owner stands. */
struct owner_layout {
	struct target *t;
	uint64_t size;         /* of what is kept of a page */
	uint64_t flags, owner; /* offsets in it: struct page_ext's, and struct page_owner */
	uint64_t handle, order;
	uint64_t noted, allocated; /* bits of the flags */
	uint64_t flat;             /* where it is kept of flat_pfn; 0: each section has its own */
	uint64_t flat_pfn;
};

static bool flat_find(struct owner_layout *l, struct err *err)
{
	static const char node_type[] = "struct pglist_data";
	const struct type *type;
	struct member_ref ref;
	uint64_t node, any;

	if (!symbol_addr(l->t, "mem_map", &any) || !symbol_addr(l->t, "contig_page_data", &node))
		return true;
	if (!field_u64(l->t, node_type, node, "node_page_ext", &l->flat, err) ||
	    !field_u64(l->t, node_type, node, "node_start_pfn", &l->flat_pfn, err) ||
	    !type_find(l->t, "struct zone", &type, err) ||
	    !type_member(type, "free_area", &ref, err))
		return false;
	/* the first is that of the block of the largest order which the node begins in */
	type = type_strip(ref.type);
	if (type->count && type->count < 32)
		l->flat_pfn &= ~((UINT64_C(1) << (type->count - 1)) - 1);
	return true;
}

static bool layout_find(struct target *t, struct owner_layout *l, struct err *err)
{
	static const char owner_type[] = "struct page_owner";
	uint64_t ops, at;

	*l = (struct owner_layout){ .t = t };
	if (!subsystem_symbol(t, "page_owner_ops", "page_owner", &ops, err) ||
	    !subsystem_symbol(t, "page_ext_size", "page_owner", &at, err))
		return false;
	if (!mem_ptr(t, at, &l->size, err) ||
	    !field_u64(t, "struct page_ext_operations", ops, "offset", &l->owner, err) ||
	    !field_offset(t, "struct page_ext", "flags", &l->flags, err) ||
	    !field_offset(t, owner_type, "handle", &l->handle, err) ||
	    !field_offset(t, owner_type, "order", &l->order, err) || !flat_find(l, err))
		return err_wrap(err, "page_owner");
	if (!enum_value(t, "enum page_ext_flags", "PAGE_EXT_OWNER", &l->noted) ||
	    !enum_value(t, "enum page_ext_flags", "PAGE_EXT_OWNER_ALLOCATED", &l->allocated))
		return err_set(err, ERR_NOTYPE, "page_owner: no 'enum page_ext_flags'");
	if (!l->size || !l->owner)
		return err_set(err, ERR_NOTFOUND, "page_owner: it was off (page_owner=on)");
	if (l->size > EXT_MAX || l->owner + l->handle + 4 > l->size || l->order + 2 > EXT_MAX ||
	    l->noted >= 32 || l->allocated >= 32)
		return err_set(err, ERR_CORRUPT, "page_owner: %u bytes of a page, from %u on",
			       (unsigned)l->size, (unsigned)l->owner);
	return true;
}

/* Sets *ret to where what is kept of the pages of pfn's section would begin for page 0. */
static bool section_base(const struct owner_layout *l, uint64_t pfn, uint64_t *ret, struct err *err)
{
	uint64_t section;

	if (l->flat) {
		*ret = l->flat - l->flat_pfn * l->size;
		return true;
	}
	if (!page_section(l->t, pfn, &section, err) ||
	    !field_u64(l->t, "struct mem_section", section, "page_ext", ret, err))
		return false;
	return (*ret && !(*ret & PAGE_EXT_INVALID)) ||
	       err_set(err, ERR_NOTFOUND, "page_owner: nothing is kept of this section");
}

/* ---- one page */

enum {
	OWNER_ORDER,
	OWNER_GFP,
	OWNER_HANDLE,
	OWNER_FREE_HANDLE,
	OWNER_TIME,
	OWNER_FREE_TIME,
	OWNER_PID,
	OWNER_TGID,
	OWNER_FREE_PID,
	OWNER_FREE_TGID,
	OWNER_COMM,
	OWNER_FIELDS
};
static const struct shape_field owner_fields[OWNER_FIELDS] = {
	[OWNER_ORDER] = FIELD("order"),
	[OWNER_GFP] = FIELD("gfp_mask"),
	[OWNER_HANDLE] = FIELD("handle"),
	[OWNER_FREE_HANDLE] = FIELD("free_handle"),
	/* 9cc7e96aa846 (v5.11) */
	[OWNER_TIME] = FIELD_MAYBE("ts_nsec"),
	[OWNER_FREE_TIME] = FIELD_MAYBE("free_ts_nsec"),
	[OWNER_PID] = FIELD_MAYBE("pid"),
	[OWNER_TGID] = FIELD_MAYBE("tgid"),
	[OWNER_FREE_PID] = FIELD_MAYBE("free_pid"),
	[OWNER_FREE_TGID] = FIELD_MAYBE("free_tgid"),
	[OWNER_COMM] = FIELD_MAYBE("comm"),
};
static const struct shape owner_shape = SHAPE("struct page_owner", owner_fields);

static void origin_of(const struct shaped *s, unsigned handle, unsigned time, unsigned pid,
		      unsigned tgid, struct origin *o)
{
	uint64_t n;
	struct err ignored;

	origin_init(o);
	if (!shaped_u64(s, handle, &n, &o->why))
		return;
	origin_stack(s->t, (uint32_t)n, o);
	if (shaped_u64(s, pid, &n, &ignored))
		o->pid = (int32_t)n;
	if (shaped_u64(s, tgid, &n, &ignored))
		o->tgid = (int32_t)n;
	if (shaped_u64(s, time, &n, &ignored))
		o->at = n;
}

bool page_owner_at(struct target *t, uint64_t pfn, struct page_owner *ret, struct err *err)
{
	struct owner_layout l;
	uint64_t base, entry, flags, order, handle;
	struct err ignored;
	struct shaped s;

	memset(ret, 0, sizeof(*ret));
	if (!layout_find(t, &l, err) || !section_base(&l, pfn, &base, err))
		return false;
	entry = base + pfn * l.size;
	if (!mem_ptr(t, entry + l.flags, &flags, err))
		return err_wrap(err, "page_owner");
	if (!(flags >> l.noted & 1))
		return err_set(err, ERR_NOTFOUND, "page_owner: nobody is noted of this page");
	if (!shape_read(t, &owner_shape, entry + l.owner, &s, err) ||
	    !shaped_u64(&s, OWNER_ORDER, &order, err) ||
	    !shaped_u64(&s, OWNER_GFP, &ret->gfp, err) ||
	    !shaped_u64(&s, OWNER_HANDLE, &handle, err))
		return err_wrap(err, "page_owner");
	ret->allocated = flags >> l.allocated & 1;
	ret->order = (unsigned)order;
	ret->handle = (uint32_t)handle;
	origin_of(&s, OWNER_HANDLE, OWNER_TIME, OWNER_PID, OWNER_TGID, &ret->alloc);
	origin_of(&s, OWNER_FREE_HANDLE, OWNER_FREE_TIME, OWNER_FREE_PID, OWNER_FREE_TGID,
		  &ret->freed);
	if (!shaped_str(&s, OWNER_COMM, t->scratch, &ret->alloc.comm, &ignored))
		ret->alloc.comm = NULL;
	return true;
}

/* ---- all pages */

struct owner_walk {
	struct owner_layout l;
	struct map index; /* of a handle in `sums` */
	VEC(struct owner_sum) sums;
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
	struct err err;
	bool interrupted;
};

static void owner_count(struct owner_walk *w, const struct target *t, uint64_t pfn,
			const uint8_t *entry)
{
	uint64_t flags = target_u32(t, entry + w->l.flags), *at;
	uint32_t handle = target_u32(t, entry + w->l.owner + w->l.handle);
	unsigned order = target_u16(t, entry + w->l.owner + w->l.order);
	struct owner_sum *sum;
	bool first;

	if (!(flags >> w->l.noted & 1) || !(flags >> w->l.allocated & 1))
		return;
	at = map_put(&w->index, handle, &first);
	if (first) {
		*at = w->sums.n;
		*vec_push(&w->sums) = (struct owner_sum){ .handle = handle };
	}
	sum = &w->sums.p[*at];
	sum->pages++;
	sum->blocks += order < 32 && !(pfn & ((UINT64_C(1) << order) - 1));
}

/* Absent pages of it are told once for each run of page frames. */
static bool owner_run(uint64_t first, uint64_t last, void *arg)
{
	struct owner_walk *w = arg;
	uint8_t entry[EXT_MAX];
	struct err why;
	bool told = false;
	uint64_t base;

	if (!section_base(&w->l, first, &base, &why)) {
		if (why.code != ERR_NOTFOUND && w->flaw)
			w->flaw(&why, w->arg);
		return true;
	}
	for (uint64_t pfn = first; pfn < last; pfn++) {
		if (!(pfn % 1024) && !interrupt_check(&w->err)) {
			w->interrupted = true;
			return false;
		}
		if (mem_read(w->l.t, base + pfn * w->l.size, entry, w->l.size, &why)) {
			owner_count(w, w->l.t, pfn, entry);
		} else if (!told && w->flaw) {
			told = true;
			err_wrap(&why, "page_owner: of page 0x%llx and maybe others",
				 (unsigned long long)pfn);
			w->flaw(&why, w->arg);
		}
	}
	return true;
}

static int more_pages(const void *a, const void *b)
{
	const struct owner_sum *x = a, *y = b;

	return x->pages != y->pages ? (x->pages < y->pages ? 1 : -1)
				    : (x->handle > y->handle) - (x->handle < y->handle);
}

bool page_owners(struct target *t, const struct owner_sum **ret, size_t *n,
		 void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct owner_walk w = { .flaw = flaw, .arg = arg };
	struct owner_sum *sums;
	bool ok;

	if (!layout_find(t, &w.l, err))
		return false;
	ok = page_runs(t, owner_run, &w, err);
	if (ok && w.interrupted) {
		*err = w.err;
		ok = false;
	}
	if (ok) {
		sums = ARENA_ARRAY(t->scratch, struct owner_sum, w.sums.n + 1);
		if (w.sums.n)
			memcpy(sums, w.sums.p, w.sums.n * sizeof(*sums));
		qsort(sums, w.sums.n, sizeof(*sums), more_pages);
		for (size_t i = 0; i < w.sums.n; i++)
			if (!stack_depot_read(t, sums[i].handle, &sums[i].frames, &sums[i].n,
					      &sums[i].why))
				sums[i].n = 0;
			else
				sums[i].why.code = ERR_OK;
		*ret = sums;
		*n = w.sums.n;
	}
	map_release(&w.index);
	vec_release(&w.sums);
	return ok;
}
