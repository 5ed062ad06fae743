/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ends with a request: the pages that its data is in, and who is told of its end. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/io/io_impl.h"
#include "core/linux/memory/struct_page.h"
#include "core/types/shape.h"

#define BIOS_MAX 100000u
#define CLAIMS_MAX 1000000u

enum {
	BIO_NEXT,
	BIO_OPF,
	BIO_VEC,
	BIO_INDEX,
	BIO_DONE,
	BIO_BYTES
};
static const struct shape_field bio_fields[] = {
	[BIO_NEXT] = FIELD("bi_next"),
	[BIO_OPF] = FIELD("bi_opf"),
	[BIO_VEC] = FIELD("bi_io_vec"),
	[BIO_INDEX] = FIELD("bi_iter.bi_idx"),
	[BIO_DONE] = FIELD_ALT("bi_iter.bi_bvec_done", "bi_iter.bi_offset"),
	[BIO_BYTES] = FIELD("bi_iter.bi_size"),
};
static const struct shape bio_shape = SHAPE("struct bio", bio_fields);

enum {
	VEC_PAGE,
	VEC_BYTES,
	VEC_OFFSET
};
static const struct shape_field vec_fields[] = {
	[VEC_PAGE] = FIELD("bv_page"),
	[VEC_BYTES] = FIELD("bv_len"),
	[VEC_OFFSET] = FIELD("bv_offset"),
};
static const struct shape vec_shape = SHAPE("struct bio_vec", vec_fields);

struct claim_walk {
	const struct io_call *c;
	void (*fn)(const struct io_claim *claim, void *arg);
	void *arg;
	struct io_claim now;
	uint64_t page_size, vec_size; /* of the structs page and bio_vec; 0: not known */
	size_t n;
	bool stop;
};

static void claim_put(struct claim_walk *w, bool page, uint64_t addr, const char *end)
{
	struct err why;

	if (!addr || w->stop)
		return;
	if (++w->n > CLAIMS_MAX) {
		err_set(&why, ERR_LIMIT, "stopped after %u pages of requests, the limit",
			CLAIMS_MAX);
		io_tell(w->c, &why, NULL, 0);
		w->stop = true;
		return;
	}
	w->now.page = page;
	w->now.addr = addr;
	w->now.end = end;
	w->fn(&w->now, w->arg);
}

/* Pages of one piece of data follow each other; who waits does so for the first of a compound page.
 */
static void pages_claim(struct claim_walk *w, uint64_t page, uint64_t from, uint64_t to)
{
	const uint64_t bytes = w->c->t->page_size;
	uint64_t last = 0;

	for (uint64_t i = from / bytes; i <= (to - 1) / bytes && !w->stop; i++) {
		struct page p;
		struct err why;

		if (!page_read(w->c->t, page + i * w->page_size, &p, &why)) {
			io_tell(w->c, &why, "page", page + i * w->page_size);
			return;
		}
		if (p.head != last)
			claim_put(w, true, p.head, NULL);
		last = p.head;
	}
}

/* The pages of what is left of a bio's data; a clone has the array of what it was made of, and
 * begins somewhere in it. */
static void data_claim(struct claim_walk *w, uint64_t bio, const struct shaped *s)
{
	uint64_t left = shaped_u64_or(s, BIO_BYTES, 0), vec = shaped_u64_or(s, BIO_VEC, 0);
	uint64_t done = shaped_u64_or(s, BIO_DONE, 0), page, bytes, off;
	struct shaped v;
	struct err why;

	vec += shaped_u64_or(s, BIO_INDEX, 0) * w->vec_size;
	for (; left && !w->stop; vec += w->vec_size, done = 0) {
		if (!shape_read(w->c->t, &vec_shape, vec, &v, &why) ||
		    !shaped_u64(&v, VEC_PAGE, &page, &why) ||
		    !shaped_u64(&v, VEC_BYTES, &bytes, &why) ||
		    !shaped_u64(&v, VEC_OFFSET, &off, &why)) {
			io_tell(w->c, &why, "data of bio", bio);
			return;
		}
		if (bytes <= done || !page) {
			err_set_addr(&why, ERR_CORRUPT, vec, "a piece of it is of %llu bytes",
				     (unsigned long long)bytes);
			io_tell(w->c, &why, "data of bio", bio);
			return;
		}
		bytes = bytes - done < left ? bytes - done : left;
		pages_claim(w, page, off + done, off + done + bytes);
		left -= bytes;
	}
}

static bool has_data(const struct claim_walk *w, const struct shaped *s)
{
	const char *op, *flags;

	io_op(w->c, shaped_u64_or(s, BIO_OPF, 0), &op, &flags);
	return w->page_size && w->vec_size &&
	       (!strcmp(op, "READ") || !strcmp(op, "WRITE") || !strcmp(op, "ZONE_APPEND"));
}

/* Direct reads and writes: their pages are a program's, and nothing is done with them at the end. A
 * page of a file that is mapped may be among them, for whose lock somebody waits for another
 * reason.
 */
static bool is_direct(const char *end)
{
	static const char *const ends[] = { "submit_bio_wait_endio", "bio_wait_end_io",
					    "blkdev_bio_end_io", "iomap_dio_bio_end_io",
					    "dio_bio_end_" };

	for (size_t i = 0; end && i < ARRAY_SIZE(ends); i++)
		if (!strncmp(end, ends[i], strlen(ends[i])))
			return true;
	return false;
}

/* A bio, and those that it was made of: what lies below may have pages of its own, as that of
 * dm-crypt has. */
static void layers_claim(struct claim_walk *w, uint64_t bio)
{
	struct io_layer layers[IO_LAYERS_MAX];
	struct shaped s;
	struct err why;
	size_t n;

	(void)io_layers_read(w->c, bio, layers, &n);
	for (size_t i = 0; i < n && !w->stop; i++) {
		claim_put(w, false, layers[i].end_data, layers[i].end);
		/* bios that were chained, or whose end is only passed on, share their pages */
		if (is_direct(layers[n - 1].end) ||
		    (i && layers[i - 1].end && !strcmp(layers[i - 1].end, "bio_chain_endio")))
			continue;
		if (!shape_read(w->c->t, &bio_shape, layers[i].bio, &s, &why))
			io_tell(w->c, &why, "bio", layers[i].bio);
		else if (has_data(w, &s))
			data_claim(w, layers[i].bio, &s);
	}
}

static void bios_claim(struct claim_walk *w, uint64_t bio)
{
	struct guard g;
	struct err why;

	guard_init(&g, "bios of a request", BIOS_MAX);
	while (bio && !w->stop) {
		if (!guard_step(&g, bio, &why))
			return; /* io_read() has told it */
		layers_claim(w, bio);
		if (!field_u64(w->c->t, "struct bio", bio, "bi_next", &bio, &why))
			return;
	}
}

static bool lone_claim(const struct io_bio *b, void *arg)
{
	struct claim_walk *w = arg;
	struct io_bio *kept = ARENA_NEW(w->c->a, struct io_bio);

	*kept = *b;
	w->now.bio = kept;
	layers_claim(w, b->addr);
	return !w->stop;
}

bool io_claims_each(const struct io_call *c, const struct io_all *all,
		    void (*fn)(const struct io_claim *claim, void *arg), void *arg, struct err *err)
{
	struct claim_walk w = { .c = c, .fn = fn, .arg = arg };
	const struct type *type;
	struct err why;

	if (type_find(c->t, "struct page", &type, &why))
		w.page_size = type->size;
	if (type_find(c->t, "struct bio_vec", &type, &why))
		w.vec_size = type->size;
	for (size_t i = 0; i < all->n_requests && !w.stop; i++) {
		const struct io_request *r = &all->requests[i];

		if (!interrupt_check(err))
			return false;
		w.now = (struct io_claim){ .request = r };
		claim_put(&w, false, r->end_data, NULL);
		if (r->n_layers)
			bios_claim(&w, r->layers[0].bio);
	}
	w.now = (struct io_claim){ .request = NULL };
	return w.stop || io_bios(c, lone_claim, &w, err);
}
