/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of device numbers: fs/char_dev.c and block/genhd.c. */
#include "core/base/guard.h"
#include "core/linux/device.h"

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

struct major_walk {
	struct target *t;
	bool (*fn)(const struct major *m, void *arg);
	void *arg;
};

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
		struct err why;

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
			if (m.cdev && !field_u64(w->t, "struct cdev", m.cdev, "ops", &m.ops, &why))
				m.ops = 0;
		}
		*more = w->fn(&m, w->arg);
		addr = next;
	}
	return true;
}

bool majors_each(struct target *t, bool (*fn)(const struct major *m, void *arg), void *arg,
		 struct err *err)
{
	static const char *const tables[] = { "chrdevs", "major_names" };
	struct major_walk w = { .t = t, .fn = fn, .arg = arg };
	bool more = true;

	for (unsigned block = 0; block < 2; block++) {
		uint64_t at;

		if (!symbol_addr(t, tables[block], &at)) {
			if (block)
				return true; /* a kernel without block devices */
			return err_set(err, ERR_NOSYM, "no symbol '%s'", tables[block]);
		}
		for (unsigned i = 0; i < BUCKETS && more; i++)
			if (!walk_bucket(&w, at + (uint64_t)i * t->arch->word, block, &more, err))
				return false;
	}
	return true;
}
