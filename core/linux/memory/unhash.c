/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what pointer the kernel printed the hash of: by hashing each address that one could be. */
#include "core/linux/memory/unhash.h"

#include <stdlib.h>

#include "core/base/guard.h"
#include "core/base/vec.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/vmalloc.h"

#define PAGE 4096u
#define SLOT 8u
#define PAGES_TOLD 0xffu /* how far it is, every so many pages */
/* Without unhash.all, slots of RAM are hashed when there are so many at most: then chance gives one
 * hash in thirty a pointer that is none. */
#define SLOTS_MAX ((uint64_t)1 << 27)
/* The last addresses stand for error numbers (MAX_ERRNO), and are no pointers. */
#define ERRNO_MAX 4095u
#define FILTER_BITS 16u

/* ---- the key */

/* False: the kernel says that its key was not made yet, or never used. */
static bool key_in_use(struct target *t, struct err *err)
{
	struct err ignored;
	uint64_t at;
	uint8_t flag;
	uint32_t on;

	if (symbol_addr(t, "no_hash_pointers", &at) && mem_u8(t, at, &flag, &ignored) && flag)
		return err_set(err, ERR_UNSUPPORTED,
			       "this kernel printed pointers as they are (no_hash_pointers)");
	/* a static key in 5.10, which is on until there is a key; a flag since */
	if ((symbol_addr(t, "filled_random_ptr_key", &at) && mem_u8(t, at, &flag, &ignored) &&
	     !flag) ||
	    (symbol_addr(t, "not_filled_random_ptr_key", &at) && mem_u32(t, at, &on, &ignored) &&
	     on))
		return err_set(err, ERR_UNSUPPORTED,
			       "this kernel died before it had a key to hash pointers with");
	return true;
}

bool pointer_key(struct target *t, struct siphash_key *ret, struct err *err)
{
	struct symbol sym;

	if (!key_in_use(t, err))
		return false;
	return (symbol_find(t, "ptr_key", &sym, err) && mem_u64(t, sym.addr, &ret->key[0], err) &&
		mem_u64(t, sym.addr + 8, &ret->key[1], err)) ||
	       err_wrap(err, "the key that pointers were hashed with");
}

uint32_t pointer_hash(const struct target *t, const struct siphash_key *key, uint64_t ptr)
{
	return (uint32_t)siphash_word(key, ptr, t->arch->word);
}

bool pointer_is_hidden(const struct target *t, uint64_t ptr)
{
	uint64_t last = t->arch->word == 8 ? UINT64_MAX : UINT32_MAX;

	return ptr && ptr <= last - ERRNO_MAX;
}

/* ---- the search */

struct unhashing {
	struct unhash *u;
	struct target *t;
	struct siphash_key key;
	uint64_t filter[(1u << FILTER_BITS) / 64]; /* a bit for the low bits of each hash */
	uint32_t *sorted;
	uint8_t *found; /* how many pointers each has */
	bool *done;     /* which need no more: they have one of a kind of place before */
	VEC(struct unhash_hit) hits;
	size_t told; /* how many of them */
	enum unhash_where where;
	struct err *err;
	bool ok;
};

static int compare_hash(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void keep_hit(struct unhashing *w, uint32_t hash, uint64_t ptr)
{
	const uint32_t *at = bsearch(&hash, w->sorted, w->u->n, sizeof(hash), compare_hash);
	struct unhash_hit hit = { .hash = hash, .ptr = ptr, .where = w->where };

	if (!at || w->done[at - w->sorted] || w->found[at - w->sorted] == UNHASH_HITS_MAX)
		return;
	/* many words may hold the one pointer */
	for (size_t i = 0; i < w->hits.n; i++)
		if (w->hits.p[i].ptr == ptr)
			return;
	w->found[at - w->sorted]++;
	*vec_push(&w->hits) = hit;
}

static inline void try_ptr(struct unhashing *w, uint64_t ptr)
{
	uint32_t hash = pointer_hash(w->t, &w->key, ptr);
	uint32_t low = hash & ((1u << FILTER_BITS) - 1);

	if (w->filter[low / 64] >> (low % 64) & 1)
		keep_hit(w, hash, ptr);
	w->u->tried++;
}

/* False: it was interrupted. */
static bool try_range(struct unhashing *w, uint64_t first, uint64_t bytes, uint64_t step)
{
	for (uint64_t off = 0; off < bytes; off += step) {
		if (!(off / step & 0xffff)) {
			target_tell(w->t, "unhash: trying addresses", 0, 0);
			if (!interrupt_check(w->err)) {
				w->ok = false;
				return false;
			}
		}
		try_ptr(w, first + off);
	}
	return true;
}

static void try_image(struct unhashing *w)
{
	struct kernel_image image;

	if (kernel_image_find(w->t, &image))
		(void)try_range(w, image.va, image.size, SLOT);
}

/* The words of a page that could be addresses of the kernel. */
static void try_words(struct unhashing *w, const uint8_t *page)
{
	unsigned word = w->t->arch->word;
	uint64_t before = 0;

	for (size_t i = 0; i < PAGE; i += word) {
		uint64_t ptr = target_uint(w->t, page + i, word);

		if (ptr != before && w->t->arch->is_kernel_va(ptr) && pointer_is_hidden(w->t, ptr))
			try_ptr(w, ptr);
		before = ptr;
	}
}

static void try_stored(struct unhashing *w)
{
	struct target *t = w->t;
	uint8_t page[PAGE];
	struct err why;

	for (size_t i = 0; i < t->ram.n; i++) {
		uint64_t last = t->ram.p[i].last;

		for (uint64_t pa = t->ram.p[i].first & ~(uint64_t)(PAGE - 1); pa <= last;) {
			uint64_t end = pa + PAGE;

			w->ok = interrupt_check(w->err);
			if (!w->ok)
				return;
			if (!(pa / PAGE & PAGES_TOLD))
				target_tell(t, "unhash", pa - t->ram.p[0].first,
					    t->ram.p[t->ram.n - 1].last - t->ram.p[0].first);
			if (mem_read_phys(t, pa, page, PAGE, &why)) {
				try_words(w, page);
			} else {
				end = mem_absent_end(t, pa);
				if (!end || end - 1 > last)
					end = (last | (PAGE - 1)) + 1;
				w->u->missing += (end - pa) / PAGE;
			}
			if (end <= pa)
				return;
			pa = end;
		}
	}
}

static bool try_page_run(uint64_t first, uint64_t last, void *arg)
{
	struct unhashing *w = arg;
	uint64_t at, next, size = 0;
	struct err ignored;

	if (page_of_phys(w->t, first * PAGE, &at, &ignored) &&
	    page_of_phys(w->t, (first + 1) * PAGE, &next, &ignored))
		size = next - at;
	return !size || last <= first || try_range(w, at, (last - first) * size, size);
}

static void try_areas(struct unhashing *w)
{
	const struct vmalloc_area *areas;
	struct err ignored, why;
	size_t n;

	if (!vmalloc_areas(w->t, &areas, &n, &why, &ignored))
		return;
	for (size_t i = 0; i < n && w->ok; i++) {
		uint64_t bytes = areas[i].end - areas[i].start;

		/* what is behind its pages is no memory */
		if (areas[i].pages < bytes / w->t->page_size)
			bytes = areas[i].pages * w->t->page_size;
		(void)try_range(w, areas[i].start, bytes, SLOT);
	}
}

static void try_slots(struct unhashing *w)
{
	struct target *t = w->t;
	uint64_t delta, slots = 0;
	struct err ignored;

	for (size_t i = 0; i < t->ram.n; i++)
		slots += (t->ram.p[i].last - t->ram.p[i].first) / SLOT + 1;
	w->u->slots_skipped = slots > SLOTS_MAX && !w->u->all;
	if (w->u->slots_skipped || !linear_delta(t, &delta, &ignored))
		return;
	for (size_t i = 0; i < t->ram.n && w->ok; i++)
		(void)try_range(w, t->ram.p[i].first + delta,
				t->ram.p[i].last - t->ram.p[i].first + 1, SLOT);
}

static void try_place(struct unhashing *w)
{
	struct err ignored;

	switch (w->where) {
	case UNHASH_IMAGE:
		try_image(w);
		break;
	case UNHASH_STORED:
		try_stored(w);
		break;
	case UNHASH_PAGES:
		if (!page_runs(w->t, try_page_run, w, &ignored))
			w->ok = ignored.code != ERR_INTR;
		break;
	case UNHASH_AREAS:
		try_areas(w);
		break;
	default:
		try_slots(w);
	}
}

/* Tells what this kind of place gave. False: no more is wanted. */
static bool tell_hits(struct unhashing *w)
{
	bool more = true;

	for (; w->told < w->hits.n && more; w->told++) {
		w->hits.p[w->told].tried = w->u->tried;
		more = w->u->fn(&w->hits.p[w->told], w->u->arg);
	}
	return more;
}

/* Is every hash done with? */
static bool all_done(struct unhashing *w)
{
	bool all = true;

	for (size_t i = 0; i < w->u->n; i++) {
		w->done[i] = w->found[i] && !w->u->all;
		all &= w->done[i];
	}
	return all;
}

static void want(struct unhashing *w, struct arena *a)
{
	const struct unhash *u = w->u;

	w->sorted = ARENA_ARRAY(a, uint32_t, u->n + 1);
	w->found = ARENA_ARRAY(a, uint8_t, u->n + 1);
	w->done = ARENA_ARRAY(a, bool, u->n + 1);
	for (size_t i = 0; i < u->n; i++) {
		uint32_t low = u->hashes[i] & ((1u << FILTER_BITS) - 1);

		w->sorted[i] = u->hashes[i];
		w->filter[low / 64] |= UINT64_C(1) << (low % 64);
	}
	qsort(w->sorted, u->n, sizeof(*w->sorted), compare_hash);
}

bool unhash_run(struct unhash *u, struct err *err)
{
	struct arena a = { 0 };
	struct unhashing *w = ARENA_NEW(&a, struct unhashing);
	bool ok;

	*w = (struct unhashing){ .u = u, .t = u->t, .err = err, .ok = true };
	ok = u->n <= UNHASH_MAX || err_set(err, ERR_LIMIT, "more than %u hashes", UNHASH_MAX);
	ok = ok && pointer_key(u->t, &w->key, err);
	if (ok)
		want(w, &a);
	for (; ok && w->where < UNHASH_WHERES; w->where++) {
		try_place(w);
		ok = w->ok;
		if (!ok || !tell_hits(w) || all_done(w))
			break;
	}
	vec_release(&w->hits);
	arena_release(&a);
	return ok;
}
