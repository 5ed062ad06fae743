/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the slab allocator: how much of the memory it has, and whether what is free in it is as
 * it was left. */
#include "core/linux/memory/slab_free.h"
#include "core/verdict/oom.h"

#include <inttypes.h>

#define SHARE_PERCENT 25u /* of RAM, that slabs which cannot be reclaimed may have */

/* ---- growth */

struct growth {
	const struct slab_cache *most;
	uint64_t pages;
	size_t n, counted;
};

static bool cache_see(const struct slab_cache *c, void *arg)
{
	struct growth *w = arg;

	w->n++;
	w->counted += c->has_counts;
	if (c->has_counts && c->order < 32 && c->slabs << c->order > w->pages) {
		w->pages = c->slabs << c->order;
		w->most = c;
	}
	return true;
}

static bool look_slab(struct triage *g, struct finding *f, struct err *err)
{
	uint64_t total_kb = ram_total(g->t) >> 10, slab, most_kb;
	struct meminfo m[MEMINFO_MAX];
	struct growth w = { .n = 0 };
	struct err ignored, why;
	size_t n;
	bool ok;

	/* the biggest of those that can be read is told all the same */
	ok = slab_caches(g->t, cache_see, &w, &why);
	if (!ok && !w.n)
		return *err = why, false;
	if (!ok)
		f->why = why;
	if (!total_kb)
		return err_set(err, ERR_NEED, "the size of RAM is not known");
	if (!w.most)
		return err_set(err, ERR_NEED, "none of %zu caches counts its slabs", w.n);
	n = meminfo_read(g->t, m, &ignored);
	slab = meminfo_line(m, n, "SUnreclaim");
	most_kb = w.pages * (g->t->page_size >> 10);
	if (slab * 100 > total_kb * SHARE_PERCENT || most_kb * 100 > total_kb * SHARE_PERCENT)
		find(g, f, CHECK_WARN,
		     "%s has %" PRIu64 " MB, the most of all; slabs that cannot be reclaimed have "
		     "%" PRIu64 " %% of RAM",
		     w.most->name, most_kb >> 10, slab * 100 / total_kb);
	else if (!ok)
		find(g, f, CHECK_UNKNOWN, "%zu caches, none too big; then %s", w.n, f->why.msg);
	else
		find(g, f, CHECK_OK,
		     "%zu caches; %s is the biggest and has %" PRIu64 " kB of %" PRIu64 " MB", w.n,
		     w.most->name, most_kb, total_kb >> 10);
	return true;
}

const struct checkup check_slab = {
	.name = "slab",
	.doc = "the share of memory that the kernel's own objects have, and which have most",
	.more = "kmem -s",
	.look = look_slab,
};

/* ---- free objects */

#define SLABS_LOOKED_AT 16u /* of each cache and node */

/* What the kernel reported of it itself tells more. */
static bool is_reported(const struct triage *g)
{
	for (size_t i = 0; i < g->reports.n; i++)
		if (g->reports.p[i]->kind == KIND_SLAB)
			return true;
	return false;
}

static const struct claim *claim_broken(struct triage *g, const char *what)
{
	struct claim *c = claim_new(g, "slab-corruption", SURE_LIKELY,
				    "the free memory of the allocator itself");

	c->sentence = arena_printf(g->a, "somebody wrote to memory that was free: %s", what);
	claim_support(g, c, "slabs", "%s", what);
	return c;
}

static const char *written_words(struct triage *g, const struct slab_health *h)
{
	return arena_printf(g->a,
			    "%zu of %zu free objects were written to, the first: 0x%" PRIx64
			    " of %s at byte %" PRIu64,
			    h->written, h->patterned, h->object, h->cache->name, h->offset);
}

static bool look_freed(struct triage *g, struct finding *f, struct err *err)
{
	const char *what = NULL, *pattern;
	struct slab_health h;

	if (!slab_health(g->t, SLABS_LOOKED_AT, &h, err))
		return false;
	if (h.broken)
		what = arena_printf(g->a, "%zu broken list%s of free objects, the first: %s",
				    h.broken, plural(h.broken), h.first_broken.msg);
	else if (h.written)
		what = written_words(g, &h);
	f->why = h.why;
	if (h.written)
		f->more = arena_printf(g->a, "kmem 0x%" PRIx64, h.object);
	if (what) {
		if (!is_reported(g))
			f->claim = claim_broken(g, what);
		find(g, f, CHECK_FAIL, "%s", what);
		return true;
	}
	if (!h.slabs)
		return h.why.code != ERR_OK
			       ? (*err = h.why, false)
			       : err_set(err, ERR_NEED, "no slab is listed as partly free");
	pattern = h.patterned ? arena_printf(g->a, ", %zu still hold their pattern", h.patterned)
			      : "";
	if (h.why.code != ERR_OK)
		find(g, f, CHECK_UNKNOWN, "%zu in %zu slabs are linked as they should%s; then %s",
		     h.free, h.slabs, pattern, h.why.msg);
	else
		find(g, f, CHECK_OK, "%zu in %zu slabs are linked as they should%s%s", h.free,
		     h.slabs, pattern,
		     h.cut ? arena_printf(g->a, " (at most %u slabs of each cache)",
					  SLABS_LOOKED_AT)
			   : "");
	return true;
}

const struct checkup check_freed = {
	.name = "freed",
	.doc = "free objects of slabs: the links between them, and slub_debug's pattern in them",
	.more = "kmem -s",
	.look = look_freed,
};
