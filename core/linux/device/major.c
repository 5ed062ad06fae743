/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of device numbers, and who serves them: fs/char_dev.c, drivers/base/map.c and
 * block/genhd.c. */
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/base/vec.h"
#include "core/linux/device/device.h"

#define BUCKETS 255u
#define NAME_LENGTH 64u

enum {
	CHAR_NEXT,
	CHAR_MAJOR,
	CHAR_MINOR,
	CHAR_MINORS,
	CHAR_NAME,
	CHAR_CDEV,
	CHAR_FIELDS
};
static const struct shape_field char_fields[CHAR_FIELDS] = {
	[CHAR_NEXT] = FIELD("next"),       [CHAR_MAJOR] = FIELD("major"),
	[CHAR_MINOR] = FIELD("baseminor"), [CHAR_MINORS] = FIELD("minorct"),
	[CHAR_NAME] = FIELD("name"),       [CHAR_CDEV] = FIELD("cdev"),
};
static const struct shape char_shape = SHAPE("struct char_device_struct", char_fields);

static const struct shape_field blk_fields[] = {
	[CHAR_NEXT] = FIELD("next"),
	[CHAR_MAJOR] = FIELD("major"),
	[CHAR_NAME] = FIELD("name"),
};
static const struct shape blk_shape = SHAPE("struct blk_major_name", blk_fields);

/* What cdev_add() enters in the map: a range of device numbers and its struct cdev. */
enum {
	PROBE_NEXT,
	PROBE_DEV,
	PROBE_RANGE,
	PROBE_DATA
};
static const struct shape_field probe_fields[] = {
	[PROBE_NEXT] = FIELD("next"),
	[PROBE_DEV] = FIELD("dev"),
	[PROBE_RANGE] = FIELD("range"),
	[PROBE_DATA] = FIELD("data"),
};
static const struct shape probe_shape = SHAPE("struct probe", probe_fields);

/* Numbers that are served, and by what. */
struct server {
	bool block;
	uint64_t first, last; /* dev_t */
	uint64_t cdev, ops;
};

struct major_walk {
	struct target *t;
	bool (*fn)(const struct major *m, void *arg);
	void *arg;
	VEC(struct server) servers;
	struct err why;
};

#define MINOR_BITS 20

/* A probe stands in the bucket of each major that it covers, behind one that answers for none. */
static bool cdevs_of(struct major_walk *w, uint64_t at, struct guard *g, struct err *err)
{
	uint64_t addr;

	if (!mem_ptr(w->t, at, &addr, err))
		return false;
	while (addr) {
		struct server one = { 0 };
		uint64_t range;
		struct shaped s;

		if (!guard_step(g, addr, err) || !shape_read(w->t, &probe_shape, addr, &s, err) ||
		    !shaped_u64(&s, PROBE_NEXT, &addr, err) ||
		    !shaped_u64(&s, PROBE_DEV, &one.first, err) ||
		    !shaped_u64(&s, PROBE_RANGE, &range, err) ||
		    !shaped_u64(&s, PROBE_DATA, &one.cdev, err))
			return false;
		if (!one.cdev || !range || range > UINT32_MAX)
			continue;
		one.last = one.first + range - 1;
		if (field_u64(w->t, "struct cdev", one.cdev, "ops", &one.ops, err))
			*vec_push(&w->servers) = one;
		else
			w->why = *err;
	}
	return true;
}

/* register_chrdev() keeps its cdev with the range; whoever calls cdev_add() itself is in the map
 * alone, as terminals are. */
static bool cdevs_read(struct major_walk *w, struct err *err)
{
	uint64_t at, map, off;

	if (!symbol_addr(w->t, "cdev_map", &at))
		return err_set(err, ERR_NOSYM, "no symbol 'cdev_map'");
	if (!mem_ptr(w->t, at, &map, err) ||
	    !field_offset(w->t, "struct kobj_map", "probes", &off, err))
		return false;
	for (unsigned i = 0; map && i < BUCKETS; i++) {
		struct guard g;

		guard_init(&g, "cdev_map", 100000);
		if (!cdevs_of(w, map + off + (uint64_t)i * w->t->arch->word, &g, err))
			return err_wrap(err, "%s", g.what);
	}
	return true;
}

static bool disk_served(const struct disk *d, void *arg)
{
	struct major_walk *w = arg;
	struct server one = { .block = true };
	struct err why;

	one.first = one.last = (uint64_t)d->device->major << MINOR_BITS | d->device->minor;
	if (field_u64(w->t, "struct gendisk", d->addr, "fops", &one.ops, &why))
		*vec_push(&w->servers) = one;
	else
		w->why = why;
	return true;
}

static bool disks_read(struct major_walk *w, struct err *err)
{
	struct err why;
	bool ok = disks_each(w->t, disk_served, w, &why, err);

	if (why.code)
		w->why = why;
	return ok;
}

static int by_first(const void *a, const void *b)
{
	const struct server *x = a, *y = b;

	return x->first != y->first ? (x->first < y->first ? -1 : 1)
	       : x->cdev != y->cdev ? (x->cdev < y->cdev ? -1 : 1)
				    : 0;
}

/* Hands a range on with who serves its numbers. */
static bool major_give(struct major_walk *w, struct major *m)
{
	uint64_t first = (uint64_t)m->major << MINOR_BITS, ops[MAJOR_OPS_MAX], last;
	size_t k;

	last = m->block ? first | ((1u << MINOR_BITS) - 1) : first + m->minor + m->minors - 1;
	first += m->minor;
	for (size_t i = 0; i < w->servers.n; i++) {
		const struct server *s = &w->servers.p[i];

		if (s->block != m->block || s->last < first || s->first > last)
			continue;
		if (!m->cdev)
			m->cdev = s->cdev;
		for (k = 0; k < m->n_ops && ops[k] != s->ops; k++)
			;
		if (s->ops && k == m->n_ops && k < MAJOR_OPS_MAX)
			ops[m->n_ops++] = s->ops;
	}
	m->ops = ops;
	return w->fn(m, w->arg);
}

/* One bucket, which lists ranges by their numbers. */
static bool walk_bucket(struct major_walk *w, uint64_t at, bool block, bool *more, struct err *err)
{
	struct guard g;
	uint64_t addr;

	guard_init(&g, block ? "major_names" : "chrdevs", 100000);
	if (!mem_ptr(w->t, at, &addr, err))
		return false;
	while (addr && *more) {
		struct major m = { .block = block };
		uint64_t next, major;
		struct shaped s;

		if (!guard_step(&g, addr, err) ||
		    !shape_read(w->t, block ? &blk_shape : &char_shape, addr, &s, err) ||
		    !shaped_u64(&s, CHAR_NEXT, &next, err) ||
		    !shaped_u64(&s, CHAR_MAJOR, &major, err) ||
		    !shaped_str(&s, CHAR_NAME, w->t->scratch, &m.name, err))
			return err_wrap(err, "%s", g.what);
		m.major = (unsigned)major;
		if (!block) {
			m.minor = (unsigned)shaped_u64_or(&s, CHAR_MINOR, 0);
			m.minors = (unsigned)shaped_u64_or(&s, CHAR_MINORS, 0);
			m.cdev = shaped_u64_or(&s, CHAR_CDEV, 0);
		}
		*more = major_give(w, &m);
		addr = next;
	}
	return true;
}

static bool walk_tables(struct major_walk *w, struct err *err)
{
	static const char *const tables[] = { "chrdevs", "major_names" };
	bool more = true;

	for (unsigned block = 0; block < 2; block++) {
		uint64_t at;

		if (!symbol_addr(w->t, tables[block], &at)) {
			if (block)
				return true; /* a kernel without block devices */
			return err_set(err, ERR_NOSYM, "no symbol '%s'", tables[block]);
		}
		for (unsigned i = 0; i < BUCKETS && more; i++)
			if (!walk_bucket(w, at + (uint64_t)i * w->t->arch->word, block, &more, err))
				return false;
	}
	return true;
}

bool majors_each(struct target *t, bool (*fn)(const struct major *m, void *arg), void *arg,
		 struct err *why, struct err *err)
{
	struct major_walk w = { .t = t, .fn = fn, .arg = arg };
	struct err lost;
	bool ok;

	if (!cdevs_read(&w, &lost) || !disks_read(&w, &lost))
		w.why = lost;
	if (w.servers.n)
		qsort(w.servers.p, w.servers.n, sizeof(*w.servers.p), by_first);
	ok = walk_tables(&w, err);
	*why = w.why;
	vec_release(&w.servers);
	return ok;
}
