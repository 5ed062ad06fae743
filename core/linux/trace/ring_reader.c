/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads one CPU's ring buffer event by event: pages in their order, each read once. */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/trace/ring_buffer.h"
#include "core/trace/decode.h"

#define COMMIT_MASK 0x3fffffffu
#define PID_MOST (4u << 20) /* PID_MAX_LIMIT */
/* No two events of one page lie further apart: what looks like that is no event. */
#define STALE_SPAN_NS (UINT64_C(3600) * 1000000000)
#define COMMON_SIZE 8 /* struct trace_entry: type, flags, preempt_count, pid */

/* One lane being read. */
struct ring_reader {
	struct ring *ring;
	size_t next;  /* page to be read */
	uint8_t *buf; /* the page at hand */
	size_t n;     /* bytes of it that are there */
	const struct ring_page *at;
	struct trace_page page;
	bool reading;       /* page is at hand */
	bool first;         /* its first event is still to come */
	uint64_t committed; /* bytes of data before what is only reserved */
	uint64_t read;      /* bytes of data that were consumed */
	unsigned marks;     /* of all its events */
	uint64_t base;      /* the first event's, where times are counted from it */
	bool *failed;       /* offsets, in words, from which no chain of events leads to the end */
};

static bool wants(const struct trace_want *want, const struct ring_page *p)
{
	if (want->stale)
		return p->state == RING_STALE || (p->state == RING_REST && want->untimed);
	return p->state == RING_LIVE || (p->state == RING_TAKEN && want->consumed) ||
	       (p->state == RING_OPEN && want->uncommitted);
}

static bool stamp(const struct ring *r, size_t i, uint64_t *ts)
{
	struct err ignored;

	return mem_u64(r->t, r->pages[i].data, ts, &ignored) && *ts;
}

/* The last page whose time is not after since. Where a time cannot be read, or is behind the
 * others, the page before it will do. */
static size_t start_page(const struct ring *r, uint64_t since)
{
	size_t lo = 0, hi = r->n; /* pages before lo begin no later than since */
	uint64_t ts;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2, i = mid;

		/* a page that was never written, or is absent, has no say */
		while (i < hi && !stamp(r, i, &ts))
			i++;
		if (i < hi && ts <= since)
			lo = i + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : 0;
}

bool ring_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct ring *ring = r->lane->self;
	struct ring_reader *rd;

	if (!ring_load(ring))
		return *err = ring->err, false;
	rd = ARENA_NEW(a, struct ring_reader);
	rd->ring = ring;
	rd->buf = arena_alloc(a, ring->page_size);
	if (r->want.untimed)
		rd->failed = ARENA_ARRAY(a, bool, ring->page_size / 4 + 1);
	r->self = rd;
	r->damage = ring->damage;
	/* a torn list has no order that could be relied on, and pages handed back have their own */
	if (r->want.since && !ring->damage.code && !r->want.consumed && !r->want.stale)
		rd->next = start_page(ring, r->want.since);
	return true;
}

static void damage(struct trace_reader *r, const struct err *why, const struct ring_page *p)
{
	struct ring_reader *rd = r->self;

	r->damage = *why;
	err_wrap(&r->damage, "CPU %d, page at 0x%" PRIx64, rd->ring->cpu, p->data);
}

/* Brings the page's bytes to hand; false: nothing of it can be read, which is told. */
static bool page_read(struct trace_reader *r, const struct ring_page *p)
{
	struct ring_reader *rd = r->self;
	struct target *t = rd->ring->t;
	struct err why = { 0 };

	rd->at = p;
	rd->n = mem_read_some(t, p->data, rd->buf, rd->ring->page_size, &why);
	if (rd->n < rd->ring->page_size)
		damage(r, &why, p);
	return rd->n >= trace_page_header(t->arch->word);
}

#define STALE_LEAST 3 /* so many events in a row are none by chance */

/* Is it an event of a type and size that the kernel has, and of a task that can be? */
static bool event_fits(const struct recording *rec, const struct trace_record *at)
{
	const struct trace_format *f;
	const struct trace_field *last;

	if (at->data.n < COMMON_SIZE || load_uint(at->data.p + 4, 4, rec->big_endian) > PID_MOST)
		return false;
	f = rec->ops->format(rec, (uint16_t)load_uint(at->data.p, 2, rec->big_endian));
	last = f && f->n_fields ? &f->fields[f->n_fields - 1] : NULL;
	return f && (!last || last->offset + (last->is_dynamic ? 4
					      : last->count    ? 0
							       : last->size) <=
				      at->data.n);
}

/* How many bytes of a page that was reset are events: nothing says so but they themselves. */
static uint64_t stale_bytes(struct trace_reader *r)
{
	struct ring_reader *rd = r->self;
	unsigned word = rd->ring->t->arch->word;
	size_t head = trace_page_header(word), n = 0, end = 0;
	struct trace_record at;
	struct trace_page p;
	struct err why;
	uint64_t before;

	if (rd->n <= head || !trace_page_init(&p, SPAN(rd->buf, rd->n), word,
					      target_big(rd->ring->t), rd->n - head, &why))
		return 0;
	before = p.ts;
	while (trace_page_next(&p, &at) && event_fits(r->buffer->recording, &at) &&
	       at.ts >= before && at.ts - before < STALE_SPAN_NS) {
		before = at.ts;
		end = p.pos;
		n++;
	}
	return n >= STALE_LEAST ? end : 0;
}

/* Do events that fit follow each other from where *p is, where one of them begins, to the end of
 * the page? Where they do not, no chain that comes to one of their places does. */
static bool chain_ends(struct trace_reader *r, struct trace_page *p, uint64_t begun)
{
	struct ring_reader *rd = r->self;
	struct trace_record at;
	size_t start = p->pos;
	uint64_t before = 0;
	unsigned n = 0;

	for (;; n++) {
		size_t place = p->pos / 4;

		if (p->pos < p->data.n && (p->pos % 4 || rd->failed[place]))
			return false;
		if (p->pos < p->data.n)
			rd->failed[place] = true;
		if (!trace_page_next(p, &at))
			return !p->damaged && n >= STALE_LEAST;
		/* chance makes a stamp of any word that ends in 31, but no event's */
		if (!n && at.at != start)
			return false;
		if (!event_fits(r->buffer->recording, &at) || (p->absolute && at.ts > begun) ||
		    (!p->absolute && n && at.ts - before >= STALE_SPAN_NS))
			return false;
		before = at.ts;
	}
}

/* Older events behind those that were written to a page since: where one of them begins is not
 * known, but the last one ends with the page. Their times are known among each other alone, for the
 * page's time is that of its new events. */
static bool rest_start(struct trace_reader *r)
{
	struct ring_reader *rd = r->self;
	const struct ring_page *p = rd->at;
	unsigned word = rd->ring->t->arch->word;
	size_t room = rd->ring->page_size - trace_page_header(word), at;
	uint64_t commit = target_uint(rd->ring->t, rd->buf + 8, word) & COMMIT_MASK;
	struct trace_record first;
	struct err why;

	if (rd->n < rd->ring->page_size || !commit)
		return false;
	at = ((commit > p->write ? commit : p->write) + 3) & ~(size_t)3;
	memset(rd->failed, 0, room / 4 + 1);
	for (; at < room; at += 4) {
		struct trace_page try;

		if (!trace_page_init(&try, SPAN(rd->buf, rd->n), word, target_big(rd->ring->t),
				     room, &why))
			return false;
		try.pos = at;
		try.ts = 0;
		rd->page = try;
		if (!chain_ends(r, &try, p->begun))
			continue;
		try = rd->page;
		rd->base = trace_page_next(&try, &first) ? first.ts : 0;
		rd->marks |= TRACE_STALE;
		rd->first = true;
		return true;
	}
	return false;
}

/* The page's data to decode: what is committed, and what is asked for beyond that. */
static bool page_start(struct trace_reader *r)
{
	struct ring_reader *rd = r->self;
	const struct ring_page *p = rd->at;
	unsigned word = rd->ring->t->arch->word;
	size_t head = trace_page_header(word);
	uint64_t used = 0, commit = target_uint(rd->ring->t, rd->buf + 8, word) & COMMIT_MASK;
	bool open = r->want.uncommitted && p->write > commit && p->state != RING_TAKEN &&
		    p->write <= rd->ring->page_size - head;
	struct err why;

	rd->marks = rd->ring->previous ? TRACE_PREVIOUS : 0;
	rd->committed = UINT64_MAX;
	rd->read = p->state == RING_TAKEN ? 0 : p->read;
	if (p->state == RING_REST) {
		rd->read = 0;
		return rest_start(r);
	}
	if (p->state == RING_TAKEN) {
		used = p->read;
		rd->marks |= TRACE_CONSUMED;
	} else if (p->state == RING_STALE) {
		used = stale_bytes(r);
		rd->marks |= TRACE_STALE;
		rd->read = 0;
		if (!used)
			return false;
	} else if (open) {
		used = p->write;
		rd->committed = commit;
	} else if (!commit) {
		return false; /* nothing was written yet */
	}
	if (used > rd->n - head && rd->n < rd->ring->page_size)
		used = rd->n - head; /* the rest of the page is absent, which was told */
	if (!trace_page_init(&rd->page, SPAN(rd->buf, rd->n), word, target_big(rd->ring->t), used,
			     &why)) {
		damage(r, &why, p);
		return false;
	}
	if (rd->page.damaged && rd->n == rd->ring->page_size)
		damage(r, &rd->page.why, p);
	rd->page.damaged = false;
	rd->first = true;
	return true;
}

/* The next page that is wanted and holds something. */
static bool page_next(struct trace_reader *r, struct err *err)
{
	struct ring_reader *rd = r->self;
	struct ring *ring = rd->ring;

	while (rd->next < ring->n) {
		const struct ring_page *p = &ring->pages[rd->next++];

		if (!interrupt_check(err))
			return false;
		if (wants(&r->want, p) && page_read(r, p) && page_start(r))
			return rd->reading = true;
	}
	err->code = ERR_OK;
	return false;
}

static void event_fill(struct trace_reader *r, const struct trace_record *rec,
		       struct trace_event *ret)
{
	const struct recording *recording = r->buffer->recording;
	struct ring_reader *rd = r->self;
	const uint8_t *p = rec->data.p;

	ret->ts = rec->ts;
	ret->data = rec->data;
	ret->id = target_u16(rd->ring->t, p);
	trace_decode_context(recording, rec->data, ret);
	ret->pid = (int32_t)target_u32(rd->ring->t, p + 4);
	ret->lost = rd->first ? rd->page.lost : 0;
	ret->marks = rd->marks;
	if (rd->at->state == RING_REST && !rd->page.absolute) {
		ret->marks |= TRACE_UNTIMED;
		ret->ts = rd->at->place;
		ret->after = rec->ts - rd->base;
		ret->before = rd->at->begun;
		ret->begins = rd->first;
	}
	rd->first = false;
	if (rec->at < rd->read)
		ret->marks |= TRACE_CONSUMED;
	if (rec->at >= rd->committed)
		ret->marks |= TRACE_UNCOMMITTED;
	ret->format = recording->ops->format(recording, ret->id);
	ret->name = ret->format ? ret->format->name : "unknown";
	ret->system = ret->format ? ret->format->system : NULL;
}

bool ring_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct ring_reader *rd = r->self;
	struct trace_record rec;

	for (;;) {
		if (!rd->reading && !page_next(r, err))
			return false;
		while (trace_page_next(&rd->page, &rec)) {
			if (rec.at < rd->read && !r->want.consumed)
				continue;
			if (rec.data.n < COMMON_SIZE) {
				rd->page.damaged = true;
				err_set(&rd->page.why, ERR_CORRUPT,
					"an event of %zu bytes at offset 0x%zx", rec.data.n,
					rec.at);
				break;
			}
			event_fill(r, &rec, ret);
			return true;
		}
		if (rd->page.damaged)
			damage(r, &rd->page.why, rd->at);
		rd->reading = false;
	}
}

/* Leaves out what was consumed: the first event that was not comes first, and the page's time
 * becomes that of the event before it. */
static void drop_consumed(struct ring_reader *rd)
{
	struct trace_page p = rd->page;
	size_t head = (size_t)(p.data.p - rd->buf), at = 0;
	struct trace_record rec;
	uint64_t ts = p.ts;

	if (!rd->read)
		return;
	while (p.pos < rd->read && trace_page_next(&p, &rec)) {
		ts = rec.ts;
		at = p.pos;
	}
	/* times behind the last event that was consumed belong to the next one, and stay */
	memmove(rd->buf + head, rd->buf + head + at, p.data.n - at);
	memset(rd->buf + head + p.data.n - at, 0, at);
	target_store(rd->ring->t, rd->buf, 8, ts);
	rd->page.data.n -= at;
}

bool ring_page(struct trace_reader *r, struct span *ret, struct err *err)
{
	struct ring_reader *rd = r->self;
	unsigned word = rd->ring->t->arch->word;

	do {
		if (!page_next(r, err))
			return false;
		if (!r->want.consumed)
			drop_consumed(rd);
	} while (!rd->page.data.n);
	memset(rd->buf + rd->n, 0, rd->ring->page_size - rd->n);
	target_store(rd->ring->t, rd->buf + 8, word, rd->page.data.n);
	*ret = SPAN(rd->buf, rd->ring->page_size);
	rd->reading = false;
	return true;
}
