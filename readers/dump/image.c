/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extents: which bytes of a file hold which addresses; and images made of them. */
#include <string.h>

#include "readers/dump/image.h"

void extents_add(struct extents *x, uint64_t start, uint64_t n, uint64_t pos, enum extent_kind kind)
{
	if (n == 0 || start + n < start)
		return;
	*vec_push(&x->v) = (struct extent){ .start = start, .n = n, .pos = pos, .kind = kind };
}

static uint64_t end_of(const struct extent *e)
{
	return e->start + e->n;
}

/* The part of e from `from` on. */
static struct extent tail_of(struct extent e, uint64_t from)
{
	e.n -= from - e.start;
	e.pos += from - e.start;
	e.start = from;
	return e;
}

/* out gets what the newer ones hold, and of the older ones what is left beside them. */
static size_t overlay(const struct extent *old, size_t n_old, const struct extent *new,
		      size_t n_new, struct extent *out)
{
	struct extent a = n_old ? old[0] : (struct extent){ 0 };
	size_t i = 0, j = 0, n = 0;

	while (i < n_old || j < n_new) {
		if (j == n_new || (i < n_old && end_of(&a) <= new[j].start)) {
			out[n++] = a;
		} else if (i == n_old || end_of(&new[j]) <= a.start) {
			out[n++] = new[j++];
			continue;
		} else {
			if (a.start < new[j].start) {
				out[n] = a;
				out[n++].n = new[j].start - a.start;
			}
			if (end_of(&a) > end_of(&new[j])) {
				a = tail_of(a, end_of(&new[j]));
				out[n++] = new[j++];
				continue;
			}
		}
		if (++i < n_old)
			a = old[i];
	}
	return n;
}

/* Settles p[0..n) in place; room has space for 2n. Returns how many are left (at most 2n - 1). */
static size_t settle(struct extent *p, size_t n, struct extent *room)
{
	size_t half = n / 2, left, right, all;
	struct extent *l, *r;

	if (n < 2) {
		memcpy(room, p, n * sizeof(*p));
		return n;
	}
	/* the halves grow: each is settled in a list of its own */
	l = xrealloc(NULL, 2 * half * sizeof(*l));
	r = xrealloc(NULL, 2 * (n - half) * sizeof(*r));
	left = settle(p, half, l);
	right = settle(p + half, n - half, r);
	all = overlay(l, left, r, right, room);
	free(l);
	free(r);
	return all;
}

void extents_settle(struct extents *x)
{
	struct extent *room;
	size_t n = x->v.n, i;

	for (i = 1; i < n; i++)
		if (x->v.p[i].start < end_of(&x->v.p[i - 1]))
			break;
	if (i >= n)
		return;
	room = xrealloc(NULL, 2 * n * sizeof(*room));
	x->v.n = settle(x->v.p, n, room);
	free(x->v.p);
	x->v.p = room;
	x->v.cap = 2 * n;
	x->hint = 0;
}

/* The first extent that ends after at: it contains at, or begins after it. */
static const struct extent *find_from(struct extents *x, uint64_t at)
{
	size_t lo = 0, hi = x->v.n;

	if (x->hint < hi) {
		const struct extent *e = &x->v.p[x->hint];

		if (at >= e->start && at - e->start < e->n)
			return e;
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (end_of(&x->v.p[mid]) <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == x->v.n)
		return NULL;
	x->hint = lo;
	return &x->v.p[lo];
}

const struct extent *extents_find(struct extents *x, uint64_t at)
{
	const struct extent *e = find_from(x, at);

	return e && e->start <= at ? e : NULL;
}

void extents_release(struct extents *x)
{
	vec_release(&x->v);
}

void image_of_file(struct image *im, struct file *file)
{
	*im = (struct image){ .file = file, .size = file->map.n };
	extents_add(&im->x, 0, file->map.n, 0, EXTENT_DATA);
}

const uint8_t *image_map(struct image *im, uint64_t off, size_t n)
{
	const struct extent *e = extents_find(&im->x, off);
	struct span s;
	struct err err;

	if (!e || n > e->n - (off - e->start) ||
	    !span_sub(im->file->map, e->pos + (off - e->start), n, "", &s, &err))
		return NULL;
	mapping_follow(&im->stream, im->file->map, s.p, n);
	return s.p;
}

static bool image_lost(const struct image *im, uint64_t off, struct err *err)
{
	return err_set_addr(err, ERR_TRUNCATED, off, "'%s' ends before byte %llu of the dump",
			    im->file->path, (unsigned long long)off);
}

bool image_read(struct image *im, uint64_t off, void *buf, size_t n, struct err *err)
{
	uint8_t *out = buf;

	if (off > im->size || n > im->size - off)
		return image_lost(im, off > im->size ? off : im->size, err);
	while (n) {
		const struct extent *e = find_from(&im->x, off);
		bool hole = !e || e->start > off;
		uint64_t left = hole ? (e ? e->start : im->size) - off : end_of(e) - off;
		size_t part = left < n ? left : n;

		if (hole) { /* even a whole file has them: where a bitmap does not fill its block */
			memset(out, 0, part);
		} else {
			const uint8_t *p = image_map(im, off, part);

			if (!p)
				return image_lost(im, off, err);
			memcpy(out, p, part);
			if (mapping_lost(p, part))
				return err_set_addr(
					err, ERR_UNREADABLE, off,
					"'%s' can no longer be read at byte %llu of the dump",
					im->file->path, (unsigned long long)off);
		}
		out += part;
		off += part;
		n -= part;
	}
	return true;
}

bool image_bytes(struct image *im, uint64_t off, uint64_t n, uint64_t max, struct arena *a,
		 struct span *ret, struct err *err)
{
	const uint8_t *p;
	void *copy;

	if (off > im->size || n > im->size - off)
		return image_lost(im, im->size, err);
	p = image_map(im, off, n);
	if (p) {
		*ret = SPAN(p, n);
		return true;
	}
	if (!arena_bytes(a, n, max, &copy, err) || !image_read(im, off, copy, n, err))
		return false;
	*ret = SPAN(copy, n);
	return true;
}

bool image_has(struct image *im, uint64_t off, uint64_t n)
{
	if (off > im->size || n > im->size - off)
		return false;
	while (n && im->cut) {
		const struct extent *e = extents_find(&im->x, off);
		uint64_t part;

		if (!e)
			return false;
		part = end_of(e) - off;
		if (part > n)
			part = n;
		off += part;
		n -= part;
	}
	return true;
}

void image_release(struct image *im)
{
	extents_release(&im->x);
}
