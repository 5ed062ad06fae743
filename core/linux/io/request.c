/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that were under way, found by the tags that are taken. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/list.h"
#include "core/linux/container/walk.h"
#include "core/linux/io/io_impl.h"
#include "core/linux/misc/irq.h"
#include "core/linux/misc/system.h"
#include "core/linux/object_name.h"
#include "core/types/shape.h"

#define TAGS_MAX 65536u     /* of one set; the kernel allows 10240 */
#define STEPS_MAX 10000000u /* tags of all sets */
#define CTXS_MAX 65536u
#define RQ_LISTS_MAX 8u
#define LATE_NS \
	60000000000u /* the clock stands at the last tick: so far a time may be ahead of it */

enum {
	REQ_QUEUE,
	REQ_FLAGS,
	REQ_TAG,
	REQ_SCHED_TAG,
	REQ_STATE,
	REQ_REFS,
	REQ_SECTOR,
	REQ_BYTES,
	REQ_BIO,
	REQ_PART,
	REQ_HCTX,
	REQ_CTX,
	REQ_START,
	REQ_ISSUED,
	REQ_DEADLINE,
	REQ_TIMEOUT,
	REQ_END_DATA
};
static const struct shape_field req_fields[] = {
	[REQ_QUEUE] = FIELD("q"),
	[REQ_FLAGS] = FIELD("cmd_flags"),
	[REQ_TAG] = FIELD("tag"),
	[REQ_SCHED_TAG] = FIELD("internal_tag"),
	[REQ_STATE] = FIELD("state"),
	/* 0a467d0fdd95 (v5.16) */
	[REQ_REFS] = FIELD_ALT("ref.counter", "ref.refs.counter"),
	[REQ_SECTOR] = FIELD("__sector"),
	[REQ_BYTES] = FIELD("__data_len"),
	[REQ_BIO] = FIELD("bio"),
	[REQ_PART] = FIELD("part"),
	[REQ_HCTX] = FIELD("mq_hctx"),
	[REQ_CTX] = FIELD("mq_ctx"),
	[REQ_START] = FIELD("start_time_ns"),
	[REQ_ISSUED] = FIELD("io_start_time_ns"),
	[REQ_DEADLINE] = FIELD("deadline"),
	[REQ_TIMEOUT] = FIELD("timeout"),
	[REQ_END_DATA] = FIELD("end_io_data"),
};
static const struct shape req_shape = SHAPE("struct request", req_fields);

struct gather {
	const struct io_call *c;
	struct io_queues qs;
	VEC(struct io_request) found;
	VEC(size_t) queue_of; /* of each request */
	struct map sets;      /* struct blk_mq_tags that were read */
	struct map requests;  /* those that were found: their number + 1 */
	struct map places;    /* requests that are in a list: which, an enum place + 1 */
	/* tags that are taken, by bitmap: sets of one bitmap may each have requests of their own */
	struct map fits;
	VEC(struct lost_tag) lost;
	uint64_t steps, now;
	bool has_now, stop;
};
struct lost_tag {
	uint64_t key, tags, tag;
	uint64_t rq;    /* who would have it, but cannot be read; 0: nobody would */
	struct err why; /* that is so */
};

/* One bitmap of tags, and the arrays of requests that belong to it. */
struct tag_walk {
	struct gather *g;
	uint64_t tags, bitmap, first, rqs, statics;
	bool sched;
};

/* ---- one request */

static const char *state_name(const struct io_call *c, uint64_t state)
{
	const char *name;
	char *s;

	if (!io_enum_name(c->t, "enum mq_rq_state", "MQ_RQ_", state, &name))
		return arena_printf(c->a, "%llu", (unsigned long long)state);
	s = arena_strdup(c->a, name);
	for (char *p = s; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return s;
}

/* A time of the kernel's as an age. */
static bool age_of(struct gather *g, uint64_t addr, const char *member, uint64_t then,
		   uint64_t *ret)
{
	struct err why;

	if (!then || !g->has_now)
		return false;
	if (then > g->now && then - g->now > LATE_NS) {
		err_set_addr(&why, ERR_CORRUPT, addr, "its %s is after the end", member);
		io_tell(g->c, &why, "request", addr);
		return false;
	}
	*ret = then < g->now ? g->now - then : 0;
	return true;
}

/* When accounting is off no time is kept, but the time by which it must have ended is. */
static void ages_read(struct gather *g, const struct shaped *s, struct io_request *r)
{
	uint64_t deadline = shaped_u64_or(s, REQ_DEADLINE, 0);
	uint64_t timeout = shaped_u64_or(s, REQ_TIMEOUT, 0);
	uint64_t start = shaped_u64_or(s, REQ_START, 0), issued = shaped_u64_or(s, REQ_ISSUED, 0);
	struct err why;

	r->has_issued = age_of(g, r->addr, "io_start_time_ns", issued, &r->issued_ns);
	r->has_age = age_of(g, r->addr, "start_time_ns", start, &r->age_ns);
	r->age_of = r->has_age ? "start_time_ns" : NULL;
	if (!r->has_age && r->has_issued) {
		r->has_age = true;
		r->age_ns = r->issued_ns;
		r->age_of = "io_start_time_ns";
	}
	/* before it was handed to the driver, the deadline is that of the request before */
	if (r->has_age || !deadline || !timeout || strcmp(r->state, "idle") == 0)
		return;
	if (jiffies_since(g->c->t, deadline - timeout, &r->age_ns, &why)) {
		r->has_age = true;
		r->age_of = "deadline";
	} else {
		io_tell(g->c, &why, "request", r->addr);
	}
}

static const char *part_name(const struct io_call *c, uint64_t part)
{
	const struct type *device, *old;
	struct err ignored;
	uint64_t off;

	/* struct hd_struct until 0d02129e76ed (v5.11) */
	if (!part || !type_find(c->t, "struct device", &device, &ignored))
		return NULL;
	if (!type_find(c->t, "struct hd_struct", &old, &ignored))
		return io_bdev_name(c, part);
	if (!field_offset(c->t, "struct hd_struct", "__dev", &off, &ignored))
		return NULL;
	return object_name(c->t, device, part + off);
}

enum place {
	PLACE_DISPATCH,
	PLACE_SOFTWARE,
	PLACE_REQUEUE
};

static const char *where_text(struct gather *g, const struct io_request *r)
{
	static const char *const places[] = { [PLACE_DISPATCH] = "dispatch list",
					      [PLACE_SOFTWARE] = "software queue",
					      [PLACE_REQUEUE] = "requeue list" };
	const uint64_t *place = map_get(&g->places, r->addr);

	if (!strcmp(r->state, "in_flight"))
		return "driver";
	if (!strcmp(r->state, "complete"))
		return "completion";
	if (place)
		return places[*place - 1];
	return r->sched_tag >= 0 && r->tag < 0 ? "scheduler" : "not dispatched";
}

/* False with why->code ERR_OK: it does not fit; else it cannot be read. */
static bool request_fits(const struct shaped *s, const struct gather *g, bool sched, uint64_t tag,
			 struct err *why)
{
	int64_t own;
	uint64_t refs, queue, hctx, state;

	if (!shaped_s64(s, sched ? REQ_SCHED_TAG : REQ_TAG, &own, why) ||
	    !shaped_u64(s, REQ_REFS, &refs, why) || !shaped_u64(s, REQ_HCTX, &hctx, why) ||
	    !shaped_u64(s, REQ_QUEUE, &queue, why) || !shaped_u64(s, REQ_STATE, &state, why))
		return false;
	why->code = ERR_OK;
	return own >= 0 && (uint64_t)own == tag && refs && hctx && map_get(&g->qs.index, queue) &&
	       state <= 2;
}

/* Takes a request that passed request_fits(). */
static void request_take(struct gather *g, uint64_t addr, const struct shaped *s)
{
	const struct io_call *c = g->c;
	struct io_request r = { .addr = addr, .cpu = -1, .tag = -1, .sched_tag = -1 };
	uint64_t queue = 0, ctx, cpu, *at;
	struct err why;
	bool fresh;

	at = map_put(&g->requests, addr, &fresh);
	if (!fresh)
		return;
	*at = g->found.n + 1;
	if (!shaped_u64(s, REQ_QUEUE, &queue, &why) || !shaped_s64(s, REQ_TAG, &r.tag, &why) ||
	    !shaped_s64(s, REQ_SCHED_TAG, &r.sched_tag, &why))
		io_tell(c, &why, "request", addr);
	r.state = state_name(c, shaped_u64_or(s, REQ_STATE, 0));
	io_op(c, shaped_u64_or(s, REQ_FLAGS, 0), &r.op, &r.flags);
	r.sector = shaped_u64_or(s, REQ_SECTOR, UINT64_MAX);
	/* all ones: what it asks for has no place, as a command of the driver's own */
	r.has_sector = r.sector != UINT64_MAX;
	r.bytes = shaped_u64_or(s, REQ_BYTES, 0);
	r.device = part_name(c, shaped_u64_or(s, REQ_PART, 0));
	ctx = shaped_u64_or(s, REQ_CTX, 0);
	if (ctx && field_u64(c->t, "struct blk_mq_ctx", ctx, "cpu", &cpu, &why))
		r.cpu = (int64_t)cpu;
	ages_read(g, s, &r);
	io_bio_follow(c, shaped_u64_or(s, REQ_BIO, 0), &r);
	r.end_data = shaped_u64_or(s, REQ_END_DATA, 0);
	if (!r.issuer) {
		r.issuer = io_issuer_on_stack(c, r.end_data);
		r.issuer_how = r.issuer ? "stack" : NULL;
	}
	*vec_push(&g->found) = r;
	*vec_push(&g->queue_of) = (size_t)*map_get(&g->qs.index, queue) - 1;
}

/* ---- tags */

/* rqs[tag] is whoever had the tag last; static_rqs[tag] the request that belongs to the tag, which
 * an elevator may give another tag of the driver's. */
static bool tag_taken(uint64_t bit, void *arg)
{
	struct tag_walk *w = arg;
	struct gather *g = w->g;
	uint64_t tag = bit + w->first, arrays[2] = { w->sched ? 0 : w->rqs, w->statics }, rq;
	struct lost_tag lost = { .key = w->bitmap ^ bit << 48, .tags = w->tags, .tag = tag };
	struct shaped s;
	struct err err;

	if (++g->steps > STEPS_MAX) {
		err_set(&err, ERR_LIMIT, "stopped after %u tags, the limit", STEPS_MAX);
		io_tell(g->c, &err, NULL, 0);
		g->stop = true;
		return false;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(arrays); i++) {
		if (!arrays[i])
			continue;
		if (!mem_ptr(g->c->t, arrays[i] + tag * g->c->t->arch->word, &rq, &err) ||
		    (rq && !shape_read(g->c->t, &req_shape, rq, &s, &err))) {
			io_tell(g->c, &err, "tags", w->tags);
			continue;
		}
		if (!rq)
			continue;
		if (request_fits(&s, g, w->sched, tag, &err)) {
			request_take(g, rq, &s);
			map_put(&g->fits, lost.key, NULL);
			return true;
		}
		if (err.code != ERR_OK) {
			lost.rq = rq;
			lost.why = err;
		}
	}
	*vec_push(&g->lost) = lost;
	return true;
}

static bool bitmap_read(struct tag_walk *w, const char *member, struct err *err)
{
	struct walk_plan plan = { .what = "tags", .number = tag_taken, .arg = w };
	struct target *t = w->g->c->t;
	uint64_t depth;

	if (!io_tag_bitmap(t, w->tags, member, &plan.head, err))
		return false;
	if (!plan.head || !field_u64(t, "struct sbitmap_queue", plan.head, "sb.depth", &depth, err))
		return !plan.head;
	if (!depth)
		return true;
	if (depth > TAGS_MAX)
		return err_set_addr(err, ERR_CORRUPT, w->tags, "%llu tags are more than any has",
				    (unsigned long long)depth);
	w->bitmap = plan.head;
	if (!field_offset(t, "struct sbitmap_queue", "sb", &depth, err))
		return false;
	plan.head += depth;
	return sbitmap_walk(t, &plan, err);
}

static bool tags_read(struct gather *g, uint64_t tags, bool sched, struct err *err)
{
	static const char type[] = "struct blk_mq_tags";
	struct tag_walk w = { .g = g, .tags = tags, .sched = sched };
	uint64_t reserved;
	bool fresh;

	if (!tags)
		return true;
	map_put(&g->sets, tags, &fresh);
	if (!fresh)
		return true;
	if (!field_u64(g->c->t, type, tags, "nr_reserved_tags", &reserved, err) ||
	    !field_u64(g->c->t, type, tags, "rqs", &w.rqs, err) ||
	    !field_u64(g->c->t, type, tags, "static_rqs", &w.statics, err))
		return false;
	if (reserved && !bitmap_read(&w, "breserved_tags", err))
		return false;
	w.first = reserved;
	return g->stop || bitmap_read(&w, "bitmap_tags", err);
}

static bool hctx_found(uint64_t hctx, void *arg)
{
	struct gather *g = arg;
	uint64_t tags, sched;
	struct err why;

	if (!field_u64(g->c->t, "struct blk_mq_hw_ctx", hctx, "tags", &tags, &why) ||
	    !field_u64(g->c->t, "struct blk_mq_hw_ctx", hctx, "sched_tags", &sched, &why)) {
		io_tell(g->c, &why, "hardware queue", hctx);
		return true;
	}
	if (!tags_read(g, tags, false, &why))
		io_tell(g->c, &why, "tags", tags);
	if (!g->stop && !tags_read(g, sched, true, &why))
		io_tell(g->c, &why, "tags", sched);
	return !g->stop;
}

/* A tag is taken a moment before its request is made; of one that stays so something is wrong. */
static void lost_tell(struct gather *g)
{
	struct map told = { 0 };
	struct err why;
	size_t n = 0;
	bool fresh;

	for (size_t i = 0; i < g->lost.n; i++) {
		const struct lost_tag *l = &g->lost.p[i];

		if (map_get(&g->fits, l->key))
			continue;
		map_put(&told, l->key, &fresh);
		if (!fresh || ++n > 8)
			continue;
		why = l->why;
		if (l->rq)
			err_wrap(&why, "request 0x%llx of tag %llu", (unsigned long long)l->rq,
				 (unsigned long long)l->tag);
		else
			err_set_addr(&why, ERR_NOTFOUND, l->tags,
				     "tag %llu of tags 0x%llx is taken, but no request fits it",
				     (unsigned long long)l->tag, (unsigned long long)l->tags);
		io_tell(g->c, &why, NULL, 0);
	}
	if (n > 8) {
		err_set(&why, ERR_NOTFOUND,
			"%zu more tags are taken, whose requests do not fit or cannot be read",
			n - 8);
		io_tell(g->c, &why, NULL, 0);
	}
	map_release(&told);
}

/* ---- lists that a request waits in */

struct place_walk {
	struct gather *g;
	enum place place;
};

static bool place_found(uint64_t addr, void *arg)
{
	struct place_walk *p = arg;

	/* what is no known request does not count: the list may lead anywhere */
	if (map_get(&p->g->requests, addr))
		*map_put(&p->g->places, addr, NULL) = p->place + 1;
	return true;
}

static void place_list(struct gather *g, uint64_t head, const char *what, enum place place)
{
	struct place_walk p = { g, place };
	struct err why;
	uint64_t link;

	if (!field_offset(g->c->t, "struct request", "queuelist", &link, &why) ||
	    !list_each(g->c->t, head, link, what, place_found, &p, &why))
		io_tell(g->c, &why, NULL, 0);
}

static void software_lists(struct gather *g, uint64_t ctx)
{
	const struct type *type;
	struct member_ref lists;
	struct err why;
	uint64_t n;

	if (!type_find(g->c->t, "struct blk_mq_ctx", &type, &why) ||
	    !type_member(type, "rq_lists", &lists, &why)) {
		io_tell(g->c, &why, NULL, 0);
		return;
	}
	n = type_strip(lists.type)->count;
	for (uint64_t i = 0; i < n && i < RQ_LISTS_MAX; i++)
		place_list(g, ctx + lists.offset + i * 2 * g->c->t->arch->word, "software queue",
			   PLACE_SOFTWARE);
}

static bool hctx_places(uint64_t hctx, void *arg)
{
	static const char type[] = "struct blk_mq_hw_ctx";
	struct gather *g = arg;
	uint64_t off, ctxs, n, ctx;
	struct err why;

	if (!field_offset(g->c->t, type, "dispatch", &off, &why) ||
	    !field_u64(g->c->t, type, hctx, "nr_ctx", &n, &why) ||
	    !field_u64(g->c->t, type, hctx, "ctxs", &ctxs, &why)) {
		io_tell(g->c, &why, "hardware queue", hctx);
		return true;
	}
	place_list(g, hctx + off, "dispatch list", PLACE_DISPATCH);
	for (uint64_t i = 0; i < n && i < CTXS_MAX; i++) {
		if (!mem_ptr(g->c->t, ctxs + i * g->c->t->arch->word, &ctx, &why)) {
			io_tell(g->c, &why, "hardware queue", hctx);
			break;
		}
		software_lists(g, ctx);
	}
	return true;
}

static void queue_places(struct gather *g, const struct io_queue *q)
{
	/* those of flushes have a list of their own since 9a67aa52a42b (v6.6) */
	static const char *const lists[] = { "requeue_list", "flush_list" };
	struct err why;
	uint64_t off;

	for (unsigned i = 0; i < ARRAY_SIZE(lists); i++)
		if (field_offset(g->c->t, "struct request_queue", lists[i], &off, &why))
			place_list(g, q->addr + off, "requeue list", PLACE_REQUEUE);
	if (!io_hctxs_each(g->c, q, hctx_places, g, &why))
		io_tell(g->c, &why, "queue", q->addr);
}

/* ---- all */

static int by_age(const void *a, const void *b)
{
	const struct io_request *x = a, *y = b;

	if (x->has_age != y->has_age)
		return x->has_age ? -1 : 1;
	if (x->age_ns != y->age_ns)
		return x->age_ns > y->age_ns ? -1 : 1;
	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void queue_count(struct io_queue *q, const struct io_request *r)
{
	q->requests++;
	q->queued += strcmp(r->state, "idle") == 0;
	q->reads += strcmp(r->op, "READ") == 0;
	q->writes += strcmp(r->op, "WRITE") == 0;
	if (r->has_age && r->age_ns > q->oldest_ns)
		q->oldest_ns = r->age_ns;
}

/* Hands everything over in the arena; the requests know their queues from here on. */
static void hand_over(struct gather *g, struct io_all *ret)
{
	ret->n_queues = g->qs.all.n;
	ret->queues = ARENA_ARRAY(g->c->a, struct io_queue, ret->n_queues + 1);
	for (size_t i = 0; i < ret->n_queues; i++)
		ret->queues[i] = g->qs.all.p[i];
	ret->n_requests = g->found.n;
	ret->requests = ARENA_ARRAY(g->c->a, struct io_request, ret->n_requests + 1);
	for (size_t i = 0; i < ret->n_requests; i++) {
		struct io_request *r = &ret->requests[i];

		*r = g->found.p[i];
		r->queue = &ret->queues[g->queue_of.p[i]];
		if (!r->device)
			r->device = r->queue->name;
		if (!r->queue->requests)
			queue_places(g, r->queue);
		r->where = where_text(g, r);
		queue_count(r->queue, r);
	}
	if (ret->n_requests)
		qsort(ret->requests, ret->n_requests, sizeof(*ret->requests), by_age);
}

bool io_read(const struct io_call *c, struct io_all *ret, struct err *err)
{
	struct gather g = { .c = c };
	bool ok;

	*ret = (struct io_all){ .n_queues = 0 };
	ok = io_queues_read(c, &g.qs, err);
	for (size_t i = 0; ok && !g.stop && i < g.qs.all.n; i++) {
		struct err why;

		ok = interrupt_check(err);
		if (ok && !g.has_now && !i) {
			g.has_now = monotonic_now(c->t, &g.now, &why);
			if (!g.has_now)
				io_tell(c, &why, NULL, 0);
		}
		if (ok && g.qs.all.p[i].set &&
		    !io_hctxs_each(c, &g.qs.all.p[i], hctx_found, &g, &why))
			io_tell(c, &why, "queue", g.qs.all.p[i].addr);
	}
	if (ok) {
		lost_tell(&g);
		hand_over(&g, ret);
	}
	io_queues_release(&g.qs);
	vec_release(&g.found);
	vec_release(&g.queue_of);
	vec_release(&g.lost);
	map_release(&g.sets);
	map_release(&g.requests);
	map_release(&g.places);
	map_release(&g.fits);
	return ok;
}
