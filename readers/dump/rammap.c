/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical memory made of stretches of files: bytes as they lie there, zeros, packed blocks. */
#include <string.h>

#include "core/base/mapping.h"
#include "readers/dump/image.h"
#include "readers/dump/rammap.h"
#include "readers/dump/snapframe.h"
#include "readers/reader.h"

/*
 * An extent's place is a number in a space that all files share: each file begins at its base,
 * what is zero lies at ZEROS, and the unpacked blocks lie one behind the other from BLOCKS on.
 */
#define ZEROS (UINT64_C(1) << 62)
#define BLOCKS (UINT64_C(1) << 61)
#define BLOCKS_KEPT 8u /* that stay unpacked */
#define OVERLAPS_TOLD 4u
#define EXTENTS_MAX ((size_t)1 << 25) /* a gigabyte of them: each page of 128 GiB alone */

struct ram_file {
	const struct file *file;
	uint64_t base;
};

struct ram_block {
	uint64_t at; /* of its first byte, among all unpacked ones */
	uint64_t off;
	const struct file *file;
};

struct rammap {
	struct file *first;
	const char *format;
	struct extents x;
	VEC(struct ram_file) files;
	VEC(struct ram_block) blocks;
	uint64_t end;    /* of the last file, in the space of places */
	uint64_t packed; /* bytes that all blocks unpack to */
	bool repeats, finished, full;
	uint8_t *kept[BLOCKS_KEPT];
	size_t kept_block[BLOCKS_KEPT]; /* which block it is, plus 1 */
};

static void release(void *self)
{
	struct rammap *m = self;

	extents_release(&m->x);
	vec_release(&m->files);
	vec_release(&m->blocks);
	for (size_t i = 0; i < BLOCKS_KEPT; i++)
		free(m->kept[i]);
}

bool rammap_begin(struct target *t, struct file *file, const char *format, struct rammap **ret,
		  struct err *err)
{
	struct rammap *m;

	if (!reader_once(t->dump.file, file, "dump", err))
		return false;
	m = ARENA_NEW(&t->arena, struct rammap);
	*m = (struct rammap){ .first = file, .format = format };
	t->rammap = *ret = m;
	t->dump.file = file;
	target_defer(t, release, m);
	return true;
}

struct rammap *rammap_more(const struct target *t, const char *format)
{
	return t->rammap && !strcmp(t->rammap->format, format) ? t->rammap : NULL;
}

void rammap_repeats(struct rammap *m)
{
	m->repeats = true;
}

/* ---- adding */

/* One more extent, or the last one grown. */
static void add(struct rammap *m, uint64_t pa, uint64_t n, uint64_t pos, enum extent_kind kind)
{
	struct extent *last = m->x.v.n ? &m->x.v.p[m->x.v.n - 1] : NULL;

	if (n > UINT64_MAX - pa)
		n = UINT64_MAX - pa;
	if (last && n && last->kind == kind && last->start + last->n == pa &&
	    (last->pos + last->n == pos || kind == EXTENT_CUT ||
	     (last->pos >= ZEROS && pos == ZEROS)))
		last->n += n;
	else if (m->x.v.n < EXTENTS_MAX)
		extents_add(&m->x, pa, n, pos, kind);
	else
		m->full = true;
}

static uint64_t base_of(struct rammap *m, const struct file *file)
{
	struct ram_file *f;

	for (size_t i = m->files.n; i-- > 0;)
		if (m->files.p[i].file == file)
			return m->files.p[i].base;
	f = vec_push(&m->files);
	*f = (struct ram_file){ file, m->end };
	m->end += file->map.n;
	return f->base;
}

void rammap_data(struct rammap *m, const struct file *file, uint64_t pa, uint64_t n, uint64_t off)
{
	uint64_t size = file->map.n, there = off > size ? 0 : size - off;

	if (there > n)
		there = n;
	add(m, pa, there, base_of(m, file) + off, EXTENT_DATA);
	if (there < n)
		rammap_lost(m, pa + there, n - there);
}

void rammap_zeros(struct rammap *m, uint64_t pa, uint64_t n)
{
	/* extents grow as the places of their bytes do, and here all places are alike */
	add(m, pa, n, ZEROS, EXTENT_DATA);
}

void rammap_chunk(struct rammap *m, const struct file *file, uint64_t pa, uint64_t n, uint64_t off)
{
	*vec_push(&m->blocks) = (struct ram_block){ m->packed, off, file };
	add(m, pa, n, BLOCKS + m->packed, EXTENT_DATA);
	m->packed += n;
}

void rammap_lost(struct rammap *m, uint64_t pa, uint64_t n)
{
	add(m, pa, n, 0, EXTENT_CUT);
}

/* ---- reading */

static const struct ram_file *file_at(const struct rammap *m, uint64_t pos)
{
	size_t i = m->files.n;

	while (i > 1 && m->files.p[i - 1].base > pos)
		i--;
	return &m->files.p[i - 1];
}

/* The unpacked bytes from place `at` among those of all blocks on, and in *n how many there are. */
static const uint8_t *unpacked(struct rammap *m, uint64_t at, uint64_t *n, struct err *err)
{
	size_t lo = 0, hi = m->blocks.n, slot;
	uint64_t size;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->blocks.p[mid].at <= at)
			lo = mid;
		else
			hi = mid;
	}
	size = (lo + 1 < m->blocks.n ? m->blocks.p[lo + 1].at : m->packed) - m->blocks.p[lo].at;
	slot = lo % BLOCKS_KEPT;
	if (m->kept_block[slot] != lo + 1) {
		const struct ram_block *b = &m->blocks.p[lo];

		if (!m->kept[slot])
			m->kept[slot] = xrealloc(NULL, RAMMAP_BLOCK);
		m->kept_block[slot] = 0;
		if (!snap_unpack(b->file->map, b->off, m->kept[slot], size, err))
			return NULL;
		m->kept_block[slot] = lo + 1;
	}
	*n = size - (at - m->blocks.p[lo].at);
	return m->kept[slot] + (at - m->blocks.p[lo].at);
}

/* Copies up to n bytes of an extent, which begin at place pos, and returns how many; 0: none. */
static uint64_t read_place(struct rammap *m, uint64_t pos, void *out, uint64_t n, struct err *err)
{
	const struct ram_file *f;
	const uint8_t *p;
	uint64_t there;

	if (pos >= ZEROS) {
		memset(out, 0, n);
		return n;
	}
	if (pos >= BLOCKS) {
		p = unpacked(m, pos - BLOCKS, &there, err);
		if (!p)
			return 0;
		n = there < n ? there : n;
		memcpy(out, p, n);
		return n;
	}
	f = file_at(m, pos);
	p = f->file->map.p + (pos - f->base);
	memcpy(out, p, n);
	if (!mapping_lost(p, n))
		return n;
	err_set(err, ERR_UNREADABLE, "'%s' can no longer be read", f->file->path);
	return 0;
}

static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct rammap *m = self;
	uint8_t *out = buf;

	while (n) {
		const struct extent *x = extents_find(&m->x, pa);
		uint64_t part = n;

		if (!x)
			return err_set_addr(err, ERR_NOTRAM, pa,
					    "physical address 0x%llx is not in the file",
					    (unsigned long long)pa);
		if (x->kind == EXTENT_CUT)
			return err_set_addr(err, ERR_TRUNCATED, pa,
					    "the file ends before physical page 0x%llx",
					    (unsigned long long)(pa & ~UINT64_C(4095)));
		if (part > x->n - (pa - x->start))
			part = x->n - (pa - x->start);
		part = read_place(m, x->pos >= ZEROS ? ZEROS : x->pos + (pa - x->start), out, part,
				  err);
		if (!part) {
			err->addr = pa;
			return false;
		}
		out += part;
		pa += part;
		n -= part;
	}
	return true;
}

static const uint8_t *map_phys(void *self, uint64_t pa, size_t n)
{
	struct rammap *m = self;
	const struct extent *x = extents_find(&m->x, pa);
	const struct ram_file *f;
	uint64_t pos;

	if (!x || x->kind != EXTENT_DATA || x->pos >= BLOCKS || n > x->n - (pa - x->start))
		return NULL;
	pos = x->pos + (pa - x->start);
	f = file_at(m, pos);
	return f->file->map.p + (pos - f->base);
}

static uint64_t absent_end(void *self, uint64_t pa)
{
	struct rammap *m = self;
	const struct extent *x = extents_find(&m->x, pa);

	return x && x->kind == EXTENT_CUT ? x->start + x->n : 0;
}

/* ---- all of it */

static int by_start(const void *va, const void *vb)
{
	const struct extent *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static const char *path_of(const struct rammap *m, const struct extent *x)
{
	return x->kind == EXTENT_DATA && x->pos < BLOCKS ? file_at(m, x->pos)->file->path
							 : m->first->path;
}

static void tell_overlaps(struct target *t, const struct rammap *m)
{
	struct extent *v = xrealloc(NULL, m->x.v.n * sizeof(*v));
	size_t n = m->x.v.n, all = 0, widest = 0;

	memcpy(v, m->x.v.p, n * sizeof(*v));
	qsort(v, n, sizeof(*v), by_start);
	for (size_t i = 1; i < n; i++) {
		const struct extent *a = &v[widest], *b = &v[i];
		uint64_t a_end = a->start + a->n, b_end = b->start + b->n;

		if (b->start < a_end && all++ < OVERLAPS_TOLD)
			target_warn(t, ERR_CORRUPT,
				    "physical addresses 0x%llx to 0x%llx are there twice, in "
				    "'%.60s' and '%.60s': what stands last counts",
				    (unsigned long long)b->start,
				    (unsigned long long)(b_end < a_end ? b_end : a_end) - 1,
				    path_of(m, a), path_of(m, b));
		if (b_end > a_end)
			widest = i;
	}
	if (all > OVERLAPS_TOLD)
		target_warn(t, ERR_CORRUPT, "'%s' has %zu more ranges that overlap", m->first->path,
			    all - OVERLAPS_TOLD);
	free(v);
}

static void describe(struct target *t, const struct rammap *m)
{
	uint64_t data = 0, lost = 0;

	for (size_t i = 0; i < m->x.v.n; i++) {
		const struct extent *x = &m->x.v.p[i];
		struct ram_region *last = t->ram.n ? &t->ram.p[t->ram.n - 1] : NULL;

		*(x->kind == EXTENT_DATA ? &data : &lost) += x->n;
		if (last && last->last + 1 == x->start)
			last->last += x->n;
		else
			*vec_push(&t->ram) = (struct ram_region){ x->start, x->start + x->n - 1 };
	}
	t->dump.format = m->format;
	t->dump.truncated = lost != 0;
	t->dump.missing_pages = (lost + 4095) / 4096;
	t->dump.present_pages = data / 4096;
	t->dump.release = t->dump.version = t->dump.machine = t->dump.nodename = "";
}

bool rammap_attach(struct target *t, struct err *err)
{
	struct rammap *m = t->rammap;

	if (!m || m->finished)
		return true;
	m->finished = true;
	if (!m->x.v.n)
		return err_set(err, ERR_FORMAT, "'%s' holds no memory", m->first->path);
	if (m->full)
		target_warn(t, ERR_LIMIT, "'%s' is in more than %zu pieces: the rest is left out",
			    m->first->path, EXTENTS_MAX);
	if (!m->repeats)
		tell_overlaps(t, m);
	extents_settle(&m->x);
	describe(t, m);
	t->memory.phys = (struct phys_source){
		.read = read_phys, .map = map_phys, .absent_end = absent_end, .self = m
	};
	return true;
}
