/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of one CPU's ring buffer, put in order whatever state the lists are in. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/trace/ring_buffer.h"

/* kernel/trace/ring_buffer.c. Flags in the next pointer that leads to a page: it is the head, or a
 * writer is moving the head. local_t is a number in a struct in a struct, on
 * PowerPC in one struct. */
#define LINK_HEAD 1u
#define LINK_FLAGS 3u
#define WRITE_MASK 0xfffffu /* RB_WRITE_MASK; above it a count of updaters */
#define PAGES_MAX (1u << 22)
#define ORDER_MAX 10u
#define COMMIT_MASK 0x3fffffffu
/* A page's header and three events: fewer are not told from chance. */
#define RING_REST_LEAST 52u

enum {
	CPU_NR_PAGES,
	CPU_PAGES,
	CPU_HEAD,
	CPU_TAIL,
	CPU_COMMIT,
	CPU_READER,
	CPU_ENTRIES,
	CPU_OVERRUN,
	CPU_COMMIT_OVERRUN,
	CPU_DROPPED,
	CPU_BYTES,
	CPU_READ,
	CPU_FIELDS
};
static const struct shape_field cpu_fields[CPU_FIELDS] = {
	[CPU_NR_PAGES] = FIELD("nr_pages"),
	[CPU_PAGES] = FIELD("pages"),
	[CPU_HEAD] = FIELD("head_page"),
	[CPU_TAIL] = FIELD("tail_page"),
	[CPU_COMMIT] = FIELD("commit_page"),
	[CPU_READER] = FIELD("reader_page"),
	[CPU_ENTRIES] = FIELD_ALT("entries.a.counter", "entries.v"),
	[CPU_OVERRUN] = FIELD_ALT("overrun.a.counter", "overrun.v"),
	[CPU_COMMIT_OVERRUN] = FIELD_ALT("commit_overrun.a.counter", "commit_overrun.v"),
	[CPU_DROPPED] =
		FIELD_ALT("dropped_events.a.counter", "dropped_events.v"), /* 884bfe89a462 (v3.7) */
	[CPU_BYTES] = FIELD_ALT("entries_bytes.a.counter", "entries_bytes.v"),
	[CPU_READ] = FIELD("read"),
};
static const struct shape cpu_shape = SHAPE("struct ring_buffer_per_cpu", cpu_fields);

enum {
	PAGE_LIST,
	PAGE_WRITE,
	PAGE_READ,
	PAGE_DATA,
	PAGE_FIELDS
};
static const struct shape_field page_fields[PAGE_FIELDS] = {
	[PAGE_LIST] = FIELD("list"),
	[PAGE_WRITE] = FIELD_ALT("write.a.counter", "write.v"),
	[PAGE_READ] = FIELD("read"),
	[PAGE_DATA] = FIELD("page"),
};
static const struct shape page_shape = SHAPE("struct buffer_page", page_fields);

const char *ring_buffer_type(struct target *t)
{
	const struct type *type;
	struct err ignored;

	return type_find(t, "struct array_buffer", &type, &ignored) ? "struct trace_buffer"
								    : "struct ring_buffer";
}

bool ring_of_cpu(struct target *t, uint64_t buffer, unsigned cpu, uint64_t *addr, struct err *err)
{
	uint64_t array;

	return field_u64(t, ring_buffer_type(t), buffer, "buffers", &array, err) &&
	       mem_ptr(t, array + (uint64_t)cpu * t->arch->word, addr, err);
}

uint32_t ring_page_size(struct target *t, uint64_t buffer)
{
	uint64_t order = 0;
	struct err ignored;

	/* 2808e31ec12e (v6.8): before it, a page */
	if (!field_u64(t, ring_buffer_type(t), buffer, "subbuf_order", &order, &ignored) ||
	    order > ORDER_MAX)
		order = 0;
	return (uint32_t)(t->page_size << order);
}

static uint64_t counter(const struct shaped *s, unsigned field)
{
	return shaped_u64_or(s, field, UINT64_MAX);
}

/* Time of the oldest page, found as the kernel does: from head_page, which may be behind, to the
 * page that a flagged link leads to. */
static uint64_t oldest(const struct ring *r, const struct shaped *s)
{
	uint64_t page = counter(s, CPU_READER), node = counter(s, CPU_HEAD), prev, next, data, ts;
	struct err ignored;
	struct guard g;

	guard_init(&g, "ring buffer", PAGES_MAX);
	if (page != counter(s, CPU_TAIL)) {
		for (page = 0; !page; node = next & ~(uint64_t)LINK_FLAGS) {
			if (!mem_ptr(r->t, node + r->t->arch->word, &prev, &ignored) ||
			    !mem_ptr(r->t, prev & ~(uint64_t)LINK_FLAGS, &next, &ignored))
				return 0;
			if ((next & LINK_FLAGS) == LINK_HEAD)
				page = node;
			else if (!mem_ptr(r->t, node, &next, &ignored) ||
				 !guard_step(&g, node, &ignored))
				return 0;
		}
	}
	if (!field_u64(r->t, "struct buffer_page", page, "page", &data, &ignored) ||
	    !mem_u64(r->t, data, &ts, &ignored))
		return 0;
	return ts;
}

void ring_counters(const struct ring *r, struct trace_lane *lane)
{
	struct shaped s;
	struct err ignored;

	lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
	lane->dropped = lane->read = lane->bytes = UINT64_MAX;
	if (!shape_read(r->t, &cpu_shape, r->addr, &s, &ignored))
		return;
	lane->entries = counter(&s, CPU_ENTRIES);
	lane->overrun = counter(&s, CPU_OVERRUN);
	lane->commit_overrun = counter(&s, CPU_COMMIT_OVERRUN);
	lane->dropped = counter(&s, CPU_DROPPED);
	lane->bytes = counter(&s, CPU_BYTES);
	lane->read = counter(&s, CPU_READ);
	lane->first_ts = oldest(r, &s);
}

/* ---- the list */

/* A struct buffer_page and whether the link to it is flagged. */
struct ring_node {
	struct ring_page page;
	bool head;
};

struct ring_walk {
	struct ring *r;
	uint64_t reader, head, tail, commit, nr_pages;
	uint64_t list, write, read, data, size; /* offsets in struct buffer_page, and its span */
	VEC(struct ring_node) nodes;
	struct map seen; /* nodes, by address */
};

static bool walk_layout(struct ring_walk *w, struct err *err)
{
	struct target *t = w->r->t;

	if (!shape_offset(t, &page_shape, PAGE_LIST, &w->list, err) ||
	    !shape_offset(t, &page_shape, PAGE_WRITE, &w->write, err) ||
	    !shape_offset(t, &page_shape, PAGE_READ, &w->read, err) ||
	    !shape_offset(t, &page_shape, PAGE_DATA, &w->data, err))
		return false;
	w->size = w->data + 8;
	if (w->list || w->size > 256)
		return err_set(err, ERR_UNSUPPORTED, "struct buffer_page has an unknown layout");
	return true;
}

/* One struct buffer_page and its links; word by word would be four reads. */
static bool node_read(struct ring_walk *w, uint64_t addr, struct ring_page *ret, uint64_t *next,
		      uint64_t *prev, struct err *err)
{
	struct target *t = w->r->t;
	uint8_t b[256];
	unsigned word = t->arch->word;

	if (addr % word)
		return err_set_addr(err, ERR_CORRUPT, addr, "a page of the ring at 0x%" PRIx64,
				    addr);
	if (!mem_read(t, addr, b, w->size, err))
		return false;
	*next = target_uint(t, b, word);
	*prev = target_uint(t, b + word, word);
	*ret = (struct ring_page){
		.self = addr,
		.data = target_uint(t, b + w->data, word),
		.write = (uint32_t)target_uint(t, b + w->write, word) & WRITE_MASK,
		.read = target_u32(t, b + w->read),
		.state = RING_LIVE,
	};
	return true;
}

/* From start along next (back: prev) until it comes round, or breaks: then *err says where. */
static bool walk_way(struct ring_walk *w, uint64_t start, bool back, struct err *err)
{
	uint64_t at = start, next, prev, link = 0;
	struct ring_page page;
	bool isnew;

	for (uint64_t n = 0;; n++) {
		if (n > w->nr_pages || n > PAGES_MAX)
			return err_set_addr(err, ERR_CORRUPT, at,
					    "more than its %" PRIu64 " pages are on the list",
					    w->nr_pages);
		if (!interrupt_check(err) || !node_read(w, at, &page, &next, &prev, err))
			return false;
		*map_put(&w->seen, at, &isnew) = 1;
		if (!isnew && n)
			return err_set_addr(err, ERR_CORRUPT, at,
					    "the list comes back to 0x%" PRIx64 ", not its start",
					    at);
		if (isnew)
			*vec_push(&w->nodes) =
				(struct ring_node){ page, !back && link & LINK_HEAD };
		link = back ? prev : next;
		at = link & ~(uint64_t)LINK_FLAGS;
		if (at == start) {
			if (!back && link & LINK_HEAD)
				w->nodes.p[0].head = true;
			return true;
		}
		if (back && map_get(&w->seen, at))
			return true; /* it met what the other way found */
	}
}

static void nodes_reverse(struct ring_node *p, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct ring_node x = p[i];

		p[i] = p[n - 1 - i];
		p[n - 1 - i] = x;
	}
}

/* All pages that can be found; where the list is torn, what lies behind the break is reached the
 * other way round. */
static bool walk_list(struct ring_walk *w, uint64_t start, struct err *err)
{
	size_t front;

	if (walk_way(w, start, false, &w->r->damage))
		return true;
	if (w->r->damage.code == ERR_INTR)
		return *err = w->r->damage, false;
	err_wrap(&w->r->damage, "CPU %d's ring buffer is torn", w->r->cpu);
	front = w->nodes.n;
	if (!front)
		return *err = w->r->damage, false;
	if (!walk_way(w, start, true, err) && err->code == ERR_INTR)
		return false;
	/* start, 1, 2 | n-1, n-2: those found last come first, before the start */
	nodes_reverse(w->nodes.p, front);
	nodes_reverse(w->nodes.p, w->nodes.n);
	return true;
}

static bool page_stamp(struct target *t, const struct ring_page *p, uint64_t *ts, uint64_t *commit)
{
	struct err ignored;

	return mem_u64(t, p->data, ts, &ignored) && mem_ptr(t, p->data + 8, commit, &ignored);
}

/* Where the oldest page is: where the flag says; without one, where time is least. */
static size_t head_of(struct ring_walk *w)
{
	uint64_t ts, commit, least = UINT64_MAX;
	size_t at = 0;

	for (size_t i = 0; i < w->nodes.n; i++)
		if (w->nodes.p[i].head)
			return i;
	if (!w->r->damage.code)
		err_set_addr(&w->r->damage, ERR_CORRUPT, w->r->addr,
			     "CPU %d's ring buffer has no head; its pages are ordered by time",
			     w->r->cpu);
	for (size_t i = 0; i < w->nodes.n; i++)
		if (page_stamp(w->r->t, &w->nodes.p[i].page, &ts, &commit) && commit && ts &&
		    ts < least) {
			least = ts;
			at = i;
		}
	return at;
}

/* Adds page i counted from the head. */
static const struct ring_page *nth(const struct ring_walk *w, size_t head, size_t i)
{
	return &w->nodes.p[(head + i) % w->nodes.n].page;
}

static void ring_buffer_add(struct ring *r, const struct ring_page *p, enum ring_state state)
{
	r->pages[r->n] = *p;
	r->pages[r->n++].state = state;
}

/* A page in the ring: its `read` is what was read when it was the reader's, before it was written
 * again. */
static void add_written(struct ring *r, const struct ring_page *p, enum ring_state state)
{
	ring_buffer_add(r, p, state);
	r->pages[r->n - 1].read = 0;
}

/* Pages that were read and handed back kept their time and bytes, and `read` says how many; those
 * that were reset kept both, too. */
static bool is_emptied(struct ring_walk *w, const struct ring_page *p, enum ring_state state,
		       uint64_t *ts)
{
	uint64_t commit;

	return (p->read != 0) == (state == RING_TAKEN) && page_stamp(w->r->t, p, ts, &commit) &&
	       *ts && !(commit & COMMIT_MASK);
}

/* Is there room for older events behind what was written to a page? Sets the time at which the page
 * was begun. */
static bool has_rest(struct ring_walk *w, const struct ring_page *p, uint64_t *begun)
{
	uint64_t commit;

	return p->write + RING_REST_LEAST < w->r->page_size &&
	       page_stamp(w->r->t, p, begun, &commit) && *begun && commit & COMMIT_MASK;
}

static int by_place(const void *a, const void *b)
{
	const struct ring_page *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return (x->state == RING_STALE) - (y->state == RING_STALE);
}

static void add_taken(struct ring_walk *w, size_t head, size_t from)
{
	struct ring *r = w->r;
	size_t first = r->n;
	uint64_t ts;

	for (size_t i = from; i < w->nodes.n; i++)
		if (is_emptied(w, nth(w, head, i), RING_TAKEN, &ts)) {
			ring_buffer_add(r, nth(w, head, i), RING_TAKEN);
			r->pages[r->n - 1].place = ts;
		}
	qsort(r->pages + first, r->n - first, sizeof(*r->pages), by_place);
}

/* One page's old events, if it may have any. What is left behind newer events was there before
 * `next`, the time of the page that follows in the ring, where that one is older than its page. */
static void add_old(struct ring_walk *w, const struct ring_page *p, uint64_t next)
{
	struct ring *r = w->r;
	struct ring_page *added;
	uint64_t ts;

	if (is_emptied(w, p, RING_STALE, &ts)) {
		ring_buffer_add(r, p, RING_STALE);
		r->pages[r->n - 1].place = ts;
	} else if (has_rest(w, p, &ts)) {
		ring_buffer_add(r, p, RING_REST);
		added = &r->pages[r->n - 1];
		added->begun = ts;
		added->place = next && next < ts ? next : ts;
	}
}

/* What a reset and a new beginning left, in the order of time as far as there is one. Of the pages
 * from the head on [from, to) are being written. */
static void add_stale(struct ring_walk *w, size_t head, size_t from, size_t to,
		      const struct ring_page *reader)
{
	struct ring *r = w->r;
	size_t first = r->n;

	if (reader)
		add_old(w, reader, 0);
	for (size_t i = 0; i < w->nodes.n; i++) {
		uint64_t next = 0, commit;

		if (i >= from && i < to)
			continue;
		if (!page_stamp(r->t, nth(w, head, i + 1), &next, &commit))
			next = 0;
		add_old(w, nth(w, head, i), next);
	}
	qsort(r->pages + first, r->n - first, sizeof(*r->pages), by_place);
}

/* Time goes: what is old, pages handed back, the reader's page, the head to the page of
 * the last commit, and behind it what is reserved up to the tail. */
static void order(struct ring_walk *w, const struct ring_page *reader)
{
	struct ring *r = w->r;
	size_t head = head_of(w), last = w->nodes.n, end;
	bool torn = r->damage.code;

	if (reader && w->commit == reader->self) {
		last = 0;
	} else {
		for (size_t i = 0; i < w->nodes.n && last == w->nodes.n; i++)
			if (nth(w, head, i)->self == w->commit)
				last = i + 1;
	}
	if (torn)
		last = w->nodes.n;
	end = last;
	if (w->tail != w->commit)
		for (size_t i = last; i < w->nodes.n; i++)
			if (nth(w, head, i)->self == w->tail)
				end = i + 1;
	r->pages = ARENA_ARRAY(&r->t->arena, struct ring_page, w->nodes.n * 3 + 2);
	add_stale(w, head, last, end, reader);
	add_taken(w, head, torn ? 0 : end);
	if (reader)
		ring_buffer_add(r, reader, RING_LIVE);
	for (size_t i = 0; i < last; i++)
		add_written(r, nth(w, head, i), RING_LIVE);
	for (size_t i = last; i < end; i++)
		add_written(r, nth(w, head, i), RING_OPEN);
}

static bool ring_buffer_load(struct ring_walk *w, struct err *err)
{
	struct target *t = w->r->t;
	struct ring_page reader;
	uint64_t pages, next, prev;
	struct shaped s;
	struct err why;
	bool has_reader;

	if (!shape_read(t, &cpu_shape, w->r->addr, &s, err) ||
	    !shaped_u64(&s, CPU_PAGES, &pages, err) ||
	    !shaped_u64(&s, CPU_READER, &w->reader, err) ||
	    !shaped_u64(&s, CPU_NR_PAGES, &w->nr_pages, err) || !walk_layout(w, err))
		return false;
	w->commit = shaped_u64_or(&s, CPU_COMMIT, 0);
	w->tail = shaped_u64_or(&s, CPU_TAIL, w->commit);
	has_reader = node_read(w, w->reader, &reader, &next, &prev, &why);
	if (!walk_list(w, pages & ~(uint64_t)LINK_FLAGS, err)) {
		if (!has_reader || err->code == ERR_INTR)
			return false;
		w->nodes.n = 0;
	}
	if (!has_reader && !w->r->damage.code) {
		w->r->damage = why;
		err_wrap(&w->r->damage, "CPU %d's reader page", w->r->cpu);
	}
	if (w->nodes.n) {
		order(w, has_reader ? &reader : NULL);
		return true;
	}
	w->r->pages = ARENA_NEW(&t->arena, struct ring_page);
	ring_buffer_add(w->r, &reader, RING_LIVE);
	return true;
}

bool ring_load(struct ring *r)
{
	struct ring_walk w = { .r = r };
	struct err err;

	if (r->tried)
		return r->ok;
	r->ok = ring_buffer_load(&w, &err);
	if (!r->ok) {
		r->err = err;
		err_wrap(&r->err, "CPU %d's ring buffer", r->cpu);
	}
	r->tried = r->ok || err.code != ERR_INTR;
	vec_release(&w.nodes);
	map_release(&w.seen);
	return r->ok;
}
