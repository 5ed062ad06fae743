/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes that are whole sub-buffers in a file: pages found, unpacked, and read event by event. */
#include "readers/trace/tracepages.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/mapping.h"
#include "core/base/guard.h"
#include "core/trace/decode.h"
#include "readers/inflate.h"

#define GIVE_BACK ((uint64_t)4 << 20) /* bytes read before they are */

struct page_reader {
	const struct page_lane *lane;
	struct arena *a;
	uint64_t page, n_pages;
	uint64_t given; /* bytes at the front that were given back */
	struct trace_page cur;
	bool in_page, any; /* any: an event of this page came */
	uint8_t *chunk;    /* the one unpacked last */
	size_t chunk_cap, chunk_at;
	bool has_chunk;
};

bool pages_unpack(unsigned codec, struct span packed, void *out, size_t n, struct err *err)
{
	uLongf got = n;
	bool ok = false;

	/* contexts of their own: nobody would free one that is kept */
	if (codec == PAGE_ZSTD)
		ok = ZSTD_decompress(out, n, packed.p, packed.n) == n;
	else if (codec == PAGE_ZLIB)
		ok = uncompress(out, &got, packed.p, packed.n) == Z_OK && got == n;
	return ok || err_set(err, ERR_CORRUPT, "its %s data is damaged",
			     codec == PAGE_ZSTD ? "zstd" : "zlib");
}

bool trace_clock_ns(const char *name)
{
	static const char *const others[] = { "counter", "uptime", "x86-tsc", "ppc-tb",
					      "s390-tod" };

	for (size_t i = 0; name && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i]))
			return false;
	return true;
}

/* The chunk that holds byte `at`. */
static bool load_chunk(struct page_reader *pr, uint64_t at, size_t *index, struct err *err)
{
	const struct page_lane *l = pr->lane;
	size_t lo = 0, hi = l->n_chunks;
	const struct page_chunk *c;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->chunks[mid].at <= at)
			lo = mid;
		else
			hi = mid;
	}
	*index = lo;
	c = &l->chunks[lo];
	if (!l->codec)
		return true;
	if (pr->has_chunk && pr->chunk_at == lo)
		return true;
	pr->has_chunk = false;
	if (c->size > pr->chunk_cap) {
		void *p;

		if (!arena_bytes(pr->a, c->size, PAGE_CHUNK_MAX, &p, err))
			return err_wrap(err, "a chunk");
		pr->chunk = p;
		pr->chunk_cap = c->size;
	}
	if (!pages_unpack(l->codec, c->packed, pr->chunk, c->size, err))
		return err_wrap(err, "chunk %zu of %zu", lo, l->n_chunks);
	pr->has_chunk = true;
	pr->chunk_at = lo;
	return true;
}

/* Page i; *skip, when it fails, is the first page that may be read again. */
static bool page_at(struct trace_reader *r, uint64_t i, struct span *ret, uint64_t *skip,
		    struct err *err)
{
	struct page_reader *pr = r->self;
	const struct page_lane *l = pr->lane;
	uint64_t size = r->buffer->page_size, at = i * size;
	const struct page_chunk *c;
	size_t index;

	*skip = i + 1;
	if (!l->n_chunks) {
		*ret = SPAN(l->bytes.p + at, l->bytes.n - at < size ? l->bytes.n - at : size);
		return true;
	}
	if (!load_chunk(pr, at, &index, err)) {
		c = &l->chunks[index];
		*skip = (c->at + c->size + size - 1) / size;
		return false;
	}
	c = &l->chunks[index];
	at -= c->at;
	/* chunks are of whole pages; what crosses an end is cut there */
	*ret = SPAN((l->codec ? pr->chunk : c->packed.p) + at,
		    c->size - at < size ? c->size - at : size);
	return true;
}

static uint64_t scaled(const struct page_lane *l, uint64_t ts)
{
	if (l->mult)
		ts = (uint64_t)(((unsigned __int128)ts * l->mult) >> l->shift);
	return ts + (uint64_t)l->offset;
}

/* Of page i, in the lane's time; false when it is damaged or empty. */
static bool page_time(struct trace_reader *r, uint64_t i, uint64_t *ret)
{
	const struct recording *rec = r->buffer->recording;
	struct page_reader *pr = r->self;
	struct trace_page p;
	struct span s;
	struct err err;
	uint64_t skip;

	if (!page_at(r, i, &s, &skip, &err) ||
	    !trace_page_init(&p, s, rec->word_size, rec->big_endian, 0, &err) || !p.data.n)
		return false;
	*ret = scaled(pr->lane, p.ts);
	return true;
}

/* The last page that begins before a time: no event of that time lies before it. */
static void seek(struct trace_reader *r, uint64_t since)
{
	struct page_reader *pr = r->self;
	uint64_t lo = 0, hi = pr->n_pages;

	while (hi - lo > 1) {
		uint64_t mid = lo + (hi - lo) / 2, at = mid, ts = 0;

		/* an empty page says nothing: the next that does is asked */
		while (at < hi && !page_time(r, at, &ts))
			at++;
		if (at < hi && ts < since)
			lo = at;
		else
			hi = mid;
	}
	pr->page = lo;
}

bool pages_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct page_reader *pr = ARENA_NEW(a, struct page_reader);
	const struct page_lane *l = r->lane->self;
	uint64_t size = r->buffer->page_size;

	if (!size)
		return err_set(err, ERR_FORMAT, "sub-buffers of no size");
	pr->lane = l;
	pr->a = a;
	pr->n_pages = l->size / size + (l->size % size != 0);
	r->self = pr;
	r->damage = l->damage;
	if (r->want.since && pr->n_pages > 1)
		seek(r, r->want.since);
	pr->given = pr->page * size;
	return true;
}

static void damaged(struct trace_reader *r, const struct err *why)
{
	struct page_reader *pr = r->self;

	r->damage = *why;
	err_wrap(&r->damage, "CPU %d, sub-buffer %" PRIu64, r->lane->cpu, pr->page);
}

/* Keeps memory flat however long the recording is. What is given back can be read again. */
static void give_back(struct trace_reader *r)
{
	struct page_reader *pr = r->self;
	const struct page_lane *l = pr->lane;
	uint64_t done = pr->page * r->buffer->page_size;

	if (!l->mapped || l->n_chunks || done > l->bytes.n || done - pr->given < GIVE_BACK)
		return;
	mapping_give_back(l->bytes.p + pr->given, done - pr->given);
	pr->given = done;
}

/* The next page that can be read. */
static bool next_page(struct trace_reader *r, struct err *err)
{
	const struct recording *rec = r->buffer->recording;
	struct page_reader *pr = r->self;
	unsigned steps = 0;

	while (pr->page < pr->n_pages) {
		struct span s;
		struct err why;
		uint64_t skip;

		if (!(++steps & 0xff) && !interrupt_check(err))
			return false;
		if (page_at(r, pr->page, &s, &skip, &why) &&
		    trace_page_init(&pr->cur, s, rec->word_size, rec->big_endian, 0, &why)) {
			pr->in_page = true;
			pr->any = false;
			return true;
		}
		damaged(r, &why);
		pr->page = skip;
	}
	return false;
}

bool pages_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct page_reader *pr = r->self;
	struct trace_record rec;

	for (;;) {
		if (!pr->in_page && !next_page(r, err))
			return false;
		if (trace_page_next(&pr->cur, &rec))
			break;
		if (pr->cur.damaged)
			damaged(r, &pr->cur.why);
		pr->in_page = false;
		pr->page++;
		give_back(r);
	}
	ret->ts = scaled(pr->lane, rec.ts);
	ret->marks = pr->lane->marks;
	if (!pr->any)
		ret->lost = pr->cur.lost;
	pr->any = true;
	trace_decode(r->buffer->recording, &rec, ret);
	return true;
}

bool pages_page(struct trace_reader *r, struct span *ret, struct err *err)
{
	struct page_reader *pr = r->self;

	err->code = ERR_OK;
	while (pr->page < pr->n_pages) {
		struct err why;
		uint64_t skip;
		bool ok = page_at(r, pr->page, ret, &skip, &why);

		if (!ok)
			damaged(r, &why);
		pr->page = ok ? pr->page + 1 : skip;
		if (ok)
			return true;
	}
	return false;
}
