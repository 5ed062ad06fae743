/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Carving: sub-buffers found by their shape, where no list leads to them. */
#include "core/trace/carve.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/image/parts.h"
#include "core/image/ram_part.h"
#include "core/trace/decode.h"

#define LANES_MAX 256u

struct lane {
	const struct carved **pages;
	size_t n;
	uint64_t end; /* while pages are dealt out */
	int cpu;
};

struct carver {
	struct target *t;
	VEC(struct carved) v;
	struct carve *ret;
	unsigned word, min_events;
	bool big;
	struct trace_common common;
	uint16_t max_type;
	uint64_t copied;
	/* of memory */
	const struct ram_part *parts;
	uint8_t *page; /* one that is not mapped is read here */
	/* of a file */
	struct span file;
	size_t part;               /* the one that something was heard of last */
	uint64_t searched, absent; /* in the parts before it */
};

/* ---- reading what was found */

struct carve_reader {
	const struct lane *lane;
	size_t page;
	struct trace_page cur;
	bool in_page;
};

static bool carve_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct carve_reader *c = ARENA_NEW(a, struct carve_reader);

	(void)err;
	c->lane = r->lane->self;
	/* pages of a lane do not overlap: the one before the first that begins later */
	while (r->want.since && c->page + 1 < c->lane->n &&
	       c->lane->pages[c->page + 1]->first < r->want.since)
		c->page++;
	r->self = c;
	return true;
}

static bool carve_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	const struct recording *rec = r->buffer->recording;
	struct carve_reader *c = r->self;
	struct trace_record at;

	for (;;) {
		if (!c->in_page) {
			if (c->page >= c->lane->n)
				return false;
			if (!trace_page_init(&c->cur, SPAN(c->lane->pages[c->page]->p, CARVE_PAGE),
					     rec->word_size, rec->big_endian, 0, err))
				return false;
			c->in_page = true;
		}
		if (trace_page_next(&c->cur, &at))
			break;
		c->in_page = false;
		c->page++;
	}
	ret->ts = at.ts;
	ret->marks = TRACE_CARVED;
	trace_decode(rec, &at, ret);
	return true;
}

/* Formats and names are those of the target's other recordings. */
static const struct trace_format *carve_format(const struct recording *rec, uint16_t id)
{
	const struct recording *o = trace_other(rec);

	return o ? o->ops->format(o, id) : NULL;
}

static bool carve_each_format(const struct recording *rec,
			      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
			      struct err *err)
{
	const struct recording *o = trace_other(rec);

	return !o || o->ops->each_format(o, fn, arg, err);
}

static const char *carve_comm(const struct recording *rec, int32_t pid)
{
	const struct recording *o = trace_other(rec);

	return o && o->ops->comm ? o->ops->comm(o, pid) : NULL;
}

static bool carve_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	const struct recording *o = trace_other(rec);

	return o && o->ops->symbol && o->ops->symbol(o, addr, ret);
}

static const char *carve_string(const struct recording *rec, uint64_t addr)
{
	const struct recording *o = trace_other(rec);

	return o && o->ops->string ? o->ops->string(o, addr) : NULL;
}

static const struct recording_ops carve_ops = {
	.open = carve_open,
	.next = carve_next,
	.format = carve_format,
	.each_format = carve_each_format,
	.comm = carve_comm,
	.symbol = carve_symbol,
	.string = carve_string,
};

/* ---- searching */

/* What a part tells of each page that it finds, with the page behind it where that must be copied,
 * and at its end. */
struct carve_message {
	uint64_t searched, absent; /* of the part, so far */
	struct carved found;       /* without events at the part's end; who takes it sets its p */
	bool copied;
};

/* A part that is searched. */
struct carve_part {
	const struct carver *c;
	struct parts *parts;
	uint64_t searched, absent;
	uint64_t steps;
};

/* How many events a page has; 0: it is none. */
static unsigned events_of(const struct carver *c, const uint8_t *p, struct carved *found)
{
	struct trace_page page;
	struct trace_record r;
	struct err err;

	if (!trace_page_plausible(SPAN(p, CARVE_PAGE), c->word, c->big, c->max_type) ||
	    !trace_page_init(&page, SPAN(p, CARVE_PAGE), c->word, c->big, 0, &err))
		return 0;
	while (trace_page_next(&page, &r)) {
		if (!found->events++)
			found->first = r.ts;
		found->last = r.ts;
	}
	return found->events;
}

static void look_at(struct carve_part *part, uint64_t at, const uint8_t *p, bool copy)
{
	struct {
		struct carve_message m;
		uint8_t page[CARVE_PAGE];
	} b = { .m = { .found = { .at = at, .cpu = -1 }, .copied = copy } };

	if (events_of(part->c, p, &b.m.found) < part->c->min_events)
		return;
	b.m.searched = part->searched;
	b.m.absent = part->absent;
	if (copy)
		memcpy(b.page, p, CARVE_PAGE);
	(void)parts_send(part->parts, &b, copy ? sizeof(b) : sizeof(b.m));
}

/* Keeps a page that was found; page: its bytes, where they have to be copied. */
static void keep(struct carver *c, struct carved found, const uint8_t *page)
{
	const struct phys_source *phys = &c->t->memory.phys;

	if (c->v.n >= CARVE_PAGES_MAX || (page && c->copied >= CARVE_COPY_MAX)) {
		c->ret->left_out++;
		return;
	}
	if (page) {
		uint8_t *kept = arena_alloc(&c->t->arena, CARVE_PAGE);

		memcpy(kept, page, CARVE_PAGE);
		found.p = kept;
		c->copied += CARVE_PAGE;
	} else {
		found.p = c->parts ? phys->map(phys->self, found.at, CARVE_PAGE)
				   : c->file.p + found.at;
	}
	*vec_push(&c->v) = found;
}

static bool carve_take(size_t i, const void *message, size_t n, void *arg)
{
	struct carver *c = arg;
	struct carve *ret = c->ret;
	struct carve_message m;

	if (n < sizeof(m))
		return true;
	memcpy(&m, message, sizeof(m));
	if (i != c->part) {
		c->part = i;
		c->searched = ret->searched;
		c->absent = ret->absent;
	}
	ret->searched = c->searched + m.searched;
	ret->absent = c->absent + m.absent;
	if (m.found.events && n == sizeof(m) + (m.copied ? CARVE_PAGE : 0))
		keep(c, m.found, m.copied ? (const uint8_t *)message + sizeof(m) : NULL);
	return true;
}

/* The end of a stretch of memory, or the part's where that ends before. */
static uint64_t end_in(const struct ram_part *r, uint64_t end)
{
	return end - 1 > r->last ? r->last + 1 : end;
}

static bool search_memory(struct carve_part *part, const struct ram_part *r, struct err *err)
{
	struct target *t = part->c->t;
	const struct phys_source *phys = &t->memory.phys;

	for (uint64_t pa = r->first; pa <= r->last && r->last - pa >= CARVE_PAGE - 1;
	     pa += CARVE_PAGE) {
		const uint8_t *p = phys->map ? phys->map(phys->self, pa, CARVE_PAGE) : NULL;
		struct err why;

		if (!(++part->steps & 0xfff) && !interrupt_check(err))
			return false;
		part->searched += CARVE_PAGE;
		if (!p && !phys->read(phys->self, pa, part->c->page, CARVE_PAGE, &why)) {
			uint64_t n =
				(end_in(r, mem_absent_end(t, pa)) - pa) / CARVE_PAGE * CARVE_PAGE;

			part->searched += n - CARVE_PAGE;
			part->absent += n;
			pa += n - CARVE_PAGE;
			continue;
		}
		look_at(part, pa, p ? p : part->c->page, !p);
	}
	return true;
}

static bool search_file(struct carve_part *part, uint64_t at, struct err *err)
{
	struct span s = part->c->file;

	for (uint64_t end = at + RAM_PART_SIZE; at < end && at + CARVE_PAGE <= s.n;
	     at += CARVE_PAGE) {
		if (!(++part->steps & 0xfff) && !interrupt_check(err))
			return false;
		part->searched += CARVE_PAGE;
		look_at(part, at, s.p + at, false);
	}
	return true;
}

static bool carve_part(struct parts *parts, size_t i, void *arg, struct err *err)
{
	const struct carver *c = arg;
	struct carve_part part = { .c = c, .parts = parts };
	struct carve_message end = { 0 };
	bool ok = c->parts ? search_memory(&part, &c->parts[i], err)
			   : search_file(&part, i * RAM_PART_SIZE, err);

	end.searched = part.searched;
	end.absent = part.absent;
	(void)parts_send(parts, &end, sizeof(end));
	return ok;
}

static void carve_name(struct buf *b, size_t i, void *arg)
{
	const struct carver *c = arg;
	uint64_t at = c->parts ? c->parts[i].first : i * RAM_PART_SIZE;
	uint64_t last = c->parts ? c->parts[i].last : at + RAM_PART_SIZE - 1;

	buf_printf(b, "%s from 0x%llx to 0x%llx was not all searched",
		   c->parts ? "memory" : "the file", (unsigned long long)at,
		   (unsigned long long)last);
}

/* Searches memory, or the file when there is one. */
static bool search(struct carver *c, const struct span *file, struct err *err)
{
	struct parts parts = { .t = c->t,
			       .what = "carve",
			       .work = carve_part,
			       .take = carve_take,
			       .name = carve_name,
			       .arg = c };

	if (!file && !mem_loaded(c->t))
		return err_set(err, ERR_NEED, "no memory is loaded: give a vmcore, or a file");
	if (file) {
		c->file = *file;
		parts.n = (file->n + RAM_PART_SIZE - 1) / RAM_PART_SIZE;
	} else {
		c->page = arena_alloc(c->t->scratch, CARVE_PAGE);
		c->parts = ram_parts(c->t, 0, UINT64_MAX, c->t->scratch, &parts.n);
	}
	return parts_run(&parts, err);
}

static int by_first(const void *a, const void *b)
{
	const struct carved *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Each page to the first lane whose last one had ended. */
static size_t deal(struct carver *c, const struct carved *v, size_t n, struct lane *lanes)
{
	size_t n_lanes = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < n_lanes && (lanes[k].end > v[i].first || lanes[k].cpu != v[i].cpu))
			k++;
		if (k == LANES_MAX)
			k = LANES_MAX - 1;
		if (k == n_lanes) {
			lanes[k].pages = ARENA_ARRAY(&c->t->arena, const struct carved *, n);
			lanes[k].cpu = v[i].cpu;
			n_lanes++;
		}
		lanes[k].pages[lanes[k].n++] = &v[i];
		lanes[k].end = v[i].last;
	}
	return n_lanes;
}

/* How many bytes of a page count: behind its last event may be anything. */
static size_t used(const struct carver *c, const uint8_t *p)
{
	struct trace_page page;
	struct err ignored;

	return trace_page_init(&page, SPAN(p, CARVE_PAGE), c->word, c->big, 0, &ignored)
		       ? trace_page_header(c->word) + page.data.n
		       : CARVE_PAGE;
}

static bool same_page(const struct carver *c, const uint8_t *a, const uint8_t *b)
{
	size_t n = used(c, a);

	return n == used(c, b) && !memcmp(a, b, n);
}

/* Sorted by time, pages that are the same stand together. */
static void drop_copies(struct carver *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->v.n; i++) {
		bool known = false;

		for (size_t k = n; !known && k-- > 0 && c->v.p[k].first == c->v.p[i].first;)
			known = same_page(c, c->v.p[k].p, c->v.p[i].p);
		if (known)
			c->ret->copies++;
		else
			c->v.p[n++] = c->v.p[i];
	}
	c->v.n = n;
}

/* The carved pages that a lane's pages are. */
static bool match_lane(struct carver *c, struct map *by_time, const struct trace_buffer *b,
		       const struct trace_lane *lane, struct err *err)
{
	struct trace_want want = { .consumed = true };
	struct arena a = { 0 };
	struct trace_reader r;
	struct err why;
	struct span s;
	bool ok = true;

	if (trace_open(&r, b, lane, &want, &a, &why))
		while (ok && b->recording->ops->page(&r, &s, &why)) {
			uint64_t *at = s.n == CARVE_PAGE ? map_get(by_time, load_le64(s.p)) : NULL;
			struct carved *v = at ? &c->v.p[*at] : NULL;

			ok = interrupt_check(err);
			for (; v && v < c->v.p + c->v.n && !memcmp(v->p, s.p, 8); v++)
				if (v->cpu < 0 && same_page(c, v->p, s.p)) {
					v->cpu = lane->cpu;
					v->buffer = b;
					c->ret->listed++;
					break;
				}
		}
	arena_release(&a);
	return ok;
}

/* Whose lists lead to what was found. */
static bool match_listed(struct carver *c, struct err *err)
{
	struct map by_time = { 0 };
	bool ok = true;

	for (size_t i = c->v.n; i-- > 0;)
		*map_put(&by_time, load_le64(c->v.p[i].p), NULL) = i;
	for (const struct recording *rec = traces_of(c->t)->first; ok && rec; rec = rec->next)
		for (size_t i = 0; ok && i < rec->n_buffers; i++)
			for (size_t k = 0; ok && k < rec->buffers[i].n_lanes; k++)
				if (rec->ops != &carve_ops && rec->ops->page)
					ok = match_lane(c, &by_time, &rec->buffers[i],
							&rec->buffers[i].lanes[k], err);
	map_release(&by_time);
	return ok;
}

static void add_recording(struct carver *c, const char *path)
{
	struct recording *rec = ARENA_NEW(&c->t->arena, struct recording);
	struct trace_buffer *b = ARENA_NEW(&c->t->arena, struct trace_buffer);
	struct lane *dealt = ARENA_ARRAY(&c->t->arena, struct lane, LANES_MAX);
	size_t n = deal(c, c->ret->v, c->ret->n, dealt);
	struct trace_lane *lanes = ARENA_ARRAY(&c->t->arena, struct trace_lane, n);

	for (size_t i = 0; i < n; i++) {
		lanes[i] = (struct trace_lane){ .cpu = dealt[i].cpu, .self = &dealt[i] };
		lanes[i].entries = lanes[i].overrun = lanes[i].commit_overrun = UINT64_MAX;
		lanes[i].dropped = lanes[i].read = UINT64_MAX;
		lanes[i].bytes = dealt[i].n * CARVE_PAGE;
	}
	*b = (struct trace_buffer){ .recording = rec,
				    .name = "carved",
				    .ns = true,
				    .overwrite = true,
				    .page_size = CARVE_PAGE,
				    .shows = TRACE_SHOW_DEFAULT |
					     (c->common.lazy_at ? TRACE_SHOW_LAZY_DEPTH : 0),
				    .lanes = lanes,
				    .n_lanes = n };
	*rec = (struct recording){ .t = c->t,
				   .origin = "carved pages",
				   .path = path,
				   .word_size = c->word,
				   .big_endian = c->big,
				   .common = c->common,
				   .buffers = b,
				   .n_buffers = 1,
				   .ops = &carve_ops };
	traces_add(c->t, rec);
}

static bool highest(const struct trace_format *f, void *arg)
{
	struct carver *c = arg;

	if (f->id > c->max_type)
		c->max_type = f->id;
	return true;
}

bool trace_carve(struct target *t, const struct span *file, const char *path, unsigned min_events,
		 struct carve *ret, struct err *err)
{
	struct carver c = { .t = t, .ret = ret, .word = 8, .min_events = min_events };
	const struct recording *known;
	const struct traces *all;
	struct carved *kept;
	struct err ignored;
	bool ok;

	memset(ret, 0, sizeof(*ret));
	/* the dump's recording is made when it is asked for; without one pages are found, too */
	(void)!traces_find(t, &all, &ignored);
	known = traces_of(t)->first;
	while (known && (known->ops == &carve_ops || !known->ops->each_format))
		known = known->next;
	if (known) {
		c.word = known->word_size;
		c.big = known->big_endian;
		c.common = known->common;
		if (!known->ops->each_format(known, highest, &c, err))
			return false;
	}
	ret->known_types = c.max_type > 0;
	ok = search(&c, file, err);
	if (ok) {
		if (c.v.n)
			qsort(c.v.p, c.v.n, sizeof(*c.v.p), by_first);
		drop_copies(&c);
		ok = match_listed(&c, err);
	}
	if (ok) {
		kept = ARENA_ARRAY(&t->arena, struct carved, c.v.n + 1);
		memcpy(kept, c.v.p ? c.v.p : kept, c.v.n * sizeof(*kept));
		ret->v = kept;
		ret->n = c.v.n;
		if (ret->n)
			add_recording(&c, path);
	}
	vec_release(&c.v);
	return ok;
}
