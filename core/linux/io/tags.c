/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tags that a disk's hardware queues hand out to its requests. */
#include <string.h>

#include "core/linux/io/io_impl.h"
#include "core/linux/io/sbitmap_queue.h"
#include "core/types/shape.h"

bool io_tag_bitmap(struct target *t, uint64_t tags, const char *member, uint64_t *ret,
		   struct err *err)
{
	const struct type *type;
	struct member_ref ref;

	if (!type_find(t, "struct blk_mq_tags", &type, err) ||
	    !type_member(type, member, &ref, err))
		return false;
	*ret = tags + ref.offset;
	return type_strip(ref.type)->kind != TYPE_POINTER || mem_ptr(t, *ret, ret, err);
}

struct bitmap {
	struct io_tags tags;
	VEC(uint64_t) rqs;
};

struct tags_walk {
	const struct io_call *c;
	struct io_tags tags; /* of the hardware queue at hand */
	struct map sets;     /* struct blk_mq_tags that were read */
	struct map index;    /* struct sbitmap_queue -> its number in bitmaps + 1 */
	VEC(struct bitmap) bitmaps;
};

/* From v5.10 to v5.15 each of the queues that share a bitmap (BLK_MQ_F_TAG_HCTX_SHARED) has a set
 * of tags to itself, which points to it. */
static bool bitmap_keep(struct tags_walk *w, const char *member, uint64_t rqs, struct err *err)
{
	uint64_t *at;
	bool fresh;

	if (!io_tag_bitmap(w->c->t, w->tags.tags, member, &w->tags.queue, err))
		return false;
	if (!w->tags.queue)
		return true;
	at = map_put(&w->index, w->tags.queue, &fresh);
	if (fresh) {
		*vec_push(&w->bitmaps) = (struct bitmap){ .tags = w->tags };
		*at = w->bitmaps.n;
	}
	*vec_push(&w->bitmaps.p[*at - 1].rqs) = rqs + w->tags.first * w->c->t->arch->word;
	return true;
}

static bool tags_keep(struct tags_walk *w, uint64_t tags, bool sched, struct err *err)
{
	static const char type[] = "struct blk_mq_tags";
	uint64_t reserved, rqs;
	bool fresh;

	if (!tags)
		return true;
	map_put(&w->sets, tags, &fresh);
	if (!fresh)
		return true;
	w->tags.tags = tags;
	/* a scheduler's requests are its own, of which none leaves its place */
	if (!field_u64(w->c->t, type, tags, "nr_reserved_tags", &reserved, err) ||
	    !field_u64(w->c->t, type, tags, sched ? "static_rqs" : "rqs", &rqs, err))
		return false;
	w->tags.first = 0;
	w->tags.of = "reserved";
	if (reserved && !bitmap_keep(w, "breserved_tags", rqs, err))
		return false;
	w->tags.first = reserved;
	w->tags.of = sched ? "scheduler" : "driver";
	return bitmap_keep(w, "bitmap_tags", rqs, err);
}

static bool hctx_found(uint64_t hctx, void *arg)
{
	static const char type[] = "struct blk_mq_hw_ctx";
	struct tags_walk *w = arg;
	uint64_t tags, sched, number;
	struct err why;

	if (!field_u64(w->c->t, type, hctx, "tags", &tags, &why) ||
	    !field_u64(w->c->t, type, hctx, "sched_tags", &sched, &why) ||
	    !field_u64(w->c->t, type, hctx, "queue_num", &number, &why)) {
		io_tell(w->c, &why, "hardware queue", hctx);
		return true;
	}
	w->tags.hctx = (unsigned)number;
	if (!tags_keep(w, tags, false, &why))
		io_tell(w->c, &why, "tags", tags);
	if (!tags_keep(w, sched, true, &why))
		io_tell(w->c, &why, "tags", sched);
	return true;
}

bool io_tags_each(const struct io_call *c, const char *disk,
		  bool (*fn)(const struct io_tags *tags, void *arg), void *arg, struct err *err)
{
	struct tags_walk w = { .c = c };
	struct io_queues qs;
	bool found = false, stop = false, ok;

	ok = io_queues_read(c, &qs, err);
	for (size_t i = 0; ok && !found && i < qs.all.n; i++) {
		found = qs.all.p[i].name && !strcmp(qs.all.p[i].name, disk);
		w.tags.disk = qs.all.p[i].name;
		ok = !found || io_hctxs_each(c, &qs.all.p[i], hctx_found, &w, err);
	}
	for (size_t i = 0; i < w.bitmaps.n; i++) {
		struct bitmap *b = &w.bitmaps.p[i];

		b->tags.rqs = b->rqs.p;
		b->tags.n_rqs = b->rqs.n;
		stop = stop || !fn(&b->tags, arg);
		vec_release(&b->rqs);
	}
	vec_release(&w.bitmaps);
	map_release(&w.index);
	map_release(&w.sets);
	io_queues_release(&qs);
	return ok && (found || err_set(err, ERR_NOTFOUND, "no disk is called '%.60s'", disk));
}

/* Of several sets it is the one whose request has the tag: what another has there is whoever had it
 * last, which no hardware queue has any more. */
bool io_tags_request(struct target *t, const struct io_tags *tags, uint64_t n, uint64_t *ret,
		     struct err *err)
{
	const char *member = strcmp(tags->of, "scheduler") != 0 ? "tag" : "internal_tag";
	uint64_t rq, tag, hctx;
	bool ok = true;

	*ret = 0;
	for (size_t i = 0; i < tags->n_rqs; i++) {
		if (!mem_ptr(t, tags->rqs[i] + n * t->arch->word, &rq, err)) {
			ok = false;
			continue;
		}
		if (tags->n_rqs == 1)
			return *ret = rq, true;
		if (!rq)
			continue;
		if (!field_u64(t, "struct request", rq, member, &tag, err) ||
		    !field_u64(t, "struct request", rq, "mq_hctx", &hctx, err))
			ok = false;
		else if (hctx && tag == tags->first + n)
			return *ret = rq, true;
	}
	return ok;
}
