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

struct tags_walk {
	const struct io_call *c;
	struct io_tags tags; /* of the hardware queue at hand */
	struct map seen;     /* sets of tags that were told */
	bool (*fn)(const struct io_tags *tags, void *arg);
	void *arg;
	bool stop;
};

static bool bitmap_tell(struct tags_walk *w, const char *member, const char *of, struct err *err)
{
	w->tags.of = of;
	if (!io_tag_bitmap(w->c->t, w->tags.tags, member, &w->tags.queue, err))
		return false;
	w->stop = w->tags.queue && !w->fn(&w->tags, w->arg);
	return true;
}

static bool tags_tell(struct tags_walk *w, uint64_t tags, bool sched, struct err *err)
{
	static const char type[] = "struct blk_mq_tags";
	uint64_t reserved, rqs;
	bool fresh;

	if (!tags || w->stop)
		return true;
	map_put(&w->seen, tags, &fresh);
	if (!fresh)
		return true;
	w->tags.tags = tags;
	/* a scheduler's requests are its own, of which none leaves its place */
	if (!field_u64(w->c->t, type, tags, "nr_reserved_tags", &reserved, err) ||
	    !field_u64(w->c->t, type, tags, sched ? "static_rqs" : "rqs", &rqs, err))
		return false;
	w->tags.rqs = rqs;
	if (reserved && !bitmap_tell(w, "breserved_tags", "reserved", err))
		return false;
	w->tags.rqs = rqs + reserved * w->c->t->arch->word;
	return w->stop || bitmap_tell(w, "bitmap_tags", sched ? "scheduler" : "driver", err);
}

static bool hctx_tell(uint64_t hctx, void *arg)
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
	if (!tags_tell(w, tags, false, &why))
		io_tell(w->c, &why, "tags", tags);
	if (!tags_tell(w, sched, true, &why))
		io_tell(w->c, &why, "tags", sched);
	return !w->stop;
}

bool io_tags_each(const struct io_call *c, const char *disk,
		  bool (*fn)(const struct io_tags *tags, void *arg), void *arg, struct err *err)
{
	struct tags_walk w = { .c = c, .fn = fn, .arg = arg };
	struct io_queues qs;
	bool found = false, ok;

	ok = io_queues_read(c, &qs, err);
	for (size_t i = 0; ok && !found && i < qs.all.n; i++) {
		found = qs.all.p[i].name && !strcmp(qs.all.p[i].name, disk);
		w.tags.disk = qs.all.p[i].name;
		ok = !found || io_hctxs_each(c, &qs.all.p[i], hctx_tell, &w, err);
	}
	map_release(&w.seen);
	io_queues_release(&qs);
	return ok && (found || err_set(err, ERR_NOTFOUND, "no disk is called '%.60s'", disk));
}
