/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: pages, and the arrays by which bios lead to them, beside the disk of io_fake.h. */
#ifndef OBIT_CLAIM_FAKE_H
#define OBIT_CLAIM_FAKE_H

#include "core/linux/io/io_fake.h"

#define CLAIM_VARS (KERNEL_BASE + 0x38000)
#define CLAIM_VECS (KERNEL_BASE + 0x38800) /* struct bio_vec, 16 bytes each */
#define CLAIM_PAGES 32u
#define CLAIM_PAGE(i) (KERNEL_BASE + 0x39000 + (uint64_t)(i)*64)

enum {
	/* struct bio, behind what io_fake.h has of it */
	CB_VEC = 64,
	CB_INDEX = 72,
	CB_DONE = 76,
	CP_HEAD = 8 /* struct page */
};

static inline struct type *claim_type(struct fake_kernel *k, const char *name)
{
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, name))
			return k->types[i];
	return NULL;
}

/* After io_fake_init(). The iterator reaches to where its own members lie, behind the bio's. */
static inline void claim_fake_init(struct fake_kernel *k)
{
	struct type *s = WORDS(k, "page", "flags", "compound_head");

	kernel_member(s, "page_type", &k->u32, 16);
	kernel_member(s, "_refcount", kernel_counter_type(k, "page_count", &k->s32), 20);
	kernel_member(s, "mapping", &k->u64, 24);
	kernel_member(s, "index", &k->u64, 32);
	kernel_member(s, "private", &k->u64, 40);
	s->size = 64;
	WORDS(k, "pglist_data", "node_mem_map", "node_start_pfn", "node_spanned_pages");
	kernel_symbol(k, "mem_map", CLAIM_VARS);
	kernel_symbol(k, "contig_page_data", CLAIM_VARS + 8);
	put64(k, CLAIM_VARS + 8, CLAIM_PAGE(0));
	put64(k, CLAIM_VARS + 16, 16);
	put64(k, CLAIM_VARS + 24, CLAIM_PAGES);
	s = kernel_struct(k, "bio_vec", 16);
	kernel_member(s, "bv_page", &k->ptr, 0);
	kernel_member(s, "bv_len", &k->u32, 8);
	kernel_member(s, "bv_offset", &k->u32, 12);
	s = claim_type(k, "bio");
	s->size = 96;
	kernel_member(s, "bi_io_vec", &k->ptr, CB_VEC);
	s = claim_type(k, "bvec_iter");
	kernel_member(s, "bi_idx", &k->u32, CB_INDEX - IB_SECTOR);
	kernel_member(s, "bi_bvec_done", &k->u32, CB_DONE - IB_SECTOR);
	s->size = 64;
}

/* The i-th piece of the only array. */
static inline void claim_vec(struct fake_kernel *k, unsigned i, unsigned page, uint32_t len,
			     uint32_t offset)
{
	put64(k, CLAIM_VECS + i * 16, CLAIM_PAGE(page));
	put32(k, CLAIM_VECS + i * 16 + 8, len);
	put32(k, CLAIM_VECS + i * 16 + 12, offset);
}

/* What is left of a bio: from `done` bytes behind the begin of a piece on. */
static inline void claim_bio(struct fake_kernel *k, unsigned i, uint32_t bytes, uint32_t index,
			     uint32_t done)
{
	put32(k, IO_BIO(i) + IB_SIZE, bytes);
	put64(k, IO_BIO(i) + CB_VEC, CLAIM_VECS);
	put32(k, IO_BIO(i) + CB_INDEX, index);
	put32(k, IO_BIO(i) + CB_DONE, done);
}

#endif
