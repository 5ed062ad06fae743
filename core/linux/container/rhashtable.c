/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of resizable hash tables, include/linux/rhashtable.h: buckets end in an odd number, and the
 * lowest bit of a bucket is its lock (8f0db018006a, v5.3). */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/container/walk.h"

#define BUCKETS_MAX (1u << 28)
#define LOST_MAX 65536u /* buckets that cannot be read, one behind the other */
#define TABLES_MAX 16   /* a table that grows while it grows */

enum {
	RHT_TBL,
	RHT_RHLIST
};
static const struct shape_field rht_fields[] = {
	[RHT_TBL] = FIELD("tbl"),
	[RHT_RHLIST] = FIELD("rhlist"),
};
static const struct shape rht_shape = SHAPE("struct rhashtable", rht_fields);

enum {
	TBL_SIZE,
	TBL_NEST,
	TBL_FUTURE,
	TBL_BUCKETS
};
static const struct shape_field tbl_fields[] = {
	[TBL_SIZE] = FIELD("size"),
	[TBL_NEST] = FIELD("nest"),
	[TBL_FUTURE] = FIELD("future_tbl"),
	[TBL_BUCKETS] = FIELD("buckets"),
};
static const struct shape tbl_shape = SHAPE("struct bucket_table", tbl_fields);

struct rht {
	struct target *t;
	const struct walk_plan *w;
	struct guard guard;
	uint64_t duplicates; /* offset of a rhlist_head's next; 0: no rhltable */
	struct map seen;
	bool stop;
};

static bool node_give(struct rht *h, uint64_t at, uint64_t node, uint64_t bucket, struct err *err)
{
	bool isnew;

	if (!walk_pointer(h->t, h->w, at, h->seen.n, node, err))
		return err_wrap(err, "bucket %llu", (unsigned long long)bucket);
	map_put(&h->seen, node, &isnew);
	if (!isnew)
		return err_set_addr(err, ERR_CORRUPT, node,
				    "%s: bucket %llu: entry 0x%llx was met before", h->w->what,
				    (unsigned long long)bucket, (unsigned long long)node);
	if (!guard_step(&h->guard, node, err))
		return false;
	h->stop = !h->w->node(node - h->w->link, h->w->arg);
	return true;
}

/* An entry and those of the same key, which hang behind it in a rhltable. */
static bool bucket_walk(struct rht *h, uint64_t at, uint64_t bucket, struct err *err)
{
	uint64_t node, same, head = at;

	for (; !h->stop; at = node) {
		if (!mem_ptr(h->t, at, &node, err))
			return err_wrap(err, "%s: bucket %llu", h->w->what,
					(unsigned long long)bucket);
		/* only a bucket has a lock; an odd number elsewhere is the end, as is one that
		 * leads to the bucket itself */
		if (at == head)
			node &= ~(uint64_t)1;
		if (!node || (node & 1) || node == head)
			return true;
		if (!node_give(h, at, node, bucket, err))
			return false;
		for (same = node; h->duplicates && !h->stop;) {
			if (!mem_ptr(h->t, same + h->duplicates, &same, err))
				return err_wrap(err, "%s: bucket %llu", h->w->what,
						(unsigned long long)bucket);
			if (!same || (same & 1))
				break;
			if (!node_give(h, node, same, bucket, err))
				return false;
		}
	}
	return true;
}

/* Where bucket i is. A table for which there was no contiguous memory is nested: pages of pointers
 * to pages, of which the top one is for the lowest bits of the bucket's number. *ret 0: not there,
 * and empty. */
static bool bucket_at(struct rht *h, uint64_t buckets, uint64_t nest, uint64_t size, uint64_t i,
		      uint64_t *ret, struct err *err)
{
	unsigned word = h->t->arch->word, shift = 0;
	uint64_t table, index;

	*ret = buckets + i * word;
	if (!nest)
		return true;
	while ((uint64_t)h->t->page_size >> (shift + 1) >= word)
		shift++;
	index = i & (((uint64_t)1 << nest) - 1);
	i >>= nest;
	size >>= nest;
	if (!mem_ptr(h->t, buckets, &table, err))
		return false;
	for (;;) {
		if (!table) {
			*ret = 0;
			return true;
		}
		*ret = table + index * word;
		if (size <= (uint64_t)1 << shift) {
			if (!mem_ptr(h->t, *ret, &table, err))
				return false;
			*ret = table ? table + (i & (((uint64_t)1 << shift) - 1)) * word : 0;
			return true;
		}
		if (!mem_ptr(h->t, *ret, &table, err))
			return false;
		index = i & (((uint64_t)1 << shift) - 1);
		i >>= shift;
		size >>= shift;
	}
}

static bool table_walk(struct rht *h, uint64_t addr, uint64_t *future, struct err *err)
{
	uint64_t size, nest, buckets, at;
	struct shaped tbl;
	unsigned lost = 0;

	if (!shape_read(h->t, &tbl_shape, addr, &tbl, err) ||
	    !shaped_u64(&tbl, TBL_SIZE, &size, err) || !shaped_u64(&tbl, TBL_NEST, &nest, err) ||
	    !shaped_u64(&tbl, TBL_FUTURE, future, err) ||
	    !shaped_addr(&tbl, TBL_BUCKETS, &buckets, err))
		return err_wrap(err, "%s: table 0x%llx", h->w->what, (unsigned long long)addr);
	if (!size || size > BUCKETS_MAX || (size & (size - 1)) || nest > 32)
		return err_set_addr(err, ERR_CORRUPT, addr, "%s: table 0x%llx has %llu buckets",
				    h->w->what, (unsigned long long)addr, (unsigned long long)size);
	for (uint64_t i = 0; i < size && !h->stop; i++) {
		if (!interrupt_check(err))
			return false;
		if ((bucket_at(h, buckets, nest, size, i, &at, err) &&
		     (!at || bucket_walk(h, at, i, err)))) {
			lost = 0;
			continue;
		}
		if (err->code == ERR_INTR || err->code == ERR_LIMIT || !walk_flaw(h->w, err))
			return false;
		if (++lost == LOST_MAX)
			return err_set_addr(err, ERR_LIMIT, addr,
					    "%s: table 0x%llx: of its %llu buckets, %u that follow "
					    "each other cannot be read",
					    h->w->what, (unsigned long long)addr,
					    (unsigned long long)size, lost);
		guard_init(&h->guard, h->w->what, 0);
	}
	return true;
}

bool rhashtable_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct rht h = { .t = t, .w = w };
	uint64_t table, rhlist = 0;
	struct shaped ht;
	struct err why;
	bool ok;

	guard_init(&h.guard, w->what, 0);
	if (!shape_read(t, &rht_shape, w->head, &ht, err) || !shaped_u64(&ht, RHT_TBL, &table, err))
		return err_wrap(err, "%s: 0x%llx", w->what, (unsigned long long)w->head);
	if (shaped_u64(&ht, RHT_RHLIST, &rhlist, &why) && rhlist &&
	    !field_offset(t, "struct rhlist_head", "next", &h.duplicates, err))
		return false;
	ok = true;
	for (unsigned n = 0; ok && table && !h.stop && n < TABLES_MAX; n++)
		ok = table_walk(&h, table, &table, err);
	map_release(&h.seen);
	return ok;
}
