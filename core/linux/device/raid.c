/* SPDX-License-Identifier: GPL-3.0-or-later */
/* md's arrays among the disks, and which of their members failed. */
#include "core/linux/device/raid.h"

#include "core/linux/container/list.h"
#include "core/linux/device/device.h"
#include "core/types/shape.h"

/* include/uapi/linux/major.h; arrays of the older kind that has partitions have another */
#define MD_MAJOR 9u
/* drivers/md/md.h: Faulty, a bit of md_rdev.flags */
#define RDEV_FAULTY 0u

struct raid_walk {
	struct target *t;
	bool (*fn)(const struct raid *r, void *arg);
	void *arg;
	struct err *why;
	struct raid *now;
};

static bool rdev_found(uint64_t rdev, void *arg)
{
	struct raid_walk *w = arg;
	uint64_t flags;
	struct err why;

	if (field_u64(w->t, "struct md_rdev", rdev, "flags", &flags, &why))
		w->now->failed += flags >> RDEV_FAULTY & 1;
	else
		*w->why = why;
	return true;
}

/* A disk of md without an array behind it is one that was stopped. */
static bool raid_read(struct raid_walk *w, const struct disk *d, struct raid *r, struct err *err)
{
	static const char type[] = "struct mddev";
	uint64_t level, disks, missing, members, link;

	if (!field_u64(w->t, "struct gendisk", d->addr, "private_data", &r->addr, err))
		return false;
	if (!r->addr)
		return true;
	if (!field_u64(w->t, type, r->addr, "level", &level, err) ||
	    !field_u64(w->t, type, r->addr, "raid_disks", &disks, err) ||
	    !field_u64(w->t, type, r->addr, "degraded", &missing, err) ||
	    !field_offset(w->t, type, "disks", &members, err) ||
	    !field_offset(w->t, "struct md_rdev", "same_set", &link, err))
		return false;
	r->level = (int32_t)level;
	r->disks = (unsigned)disks;
	r->missing = (unsigned)missing;
	w->now = r;
	return list_each(w->t, r->addr + members, link, "disks of an array", rdev_found, w, err);
}

static bool disk_found(const struct disk *d, void *arg)
{
	struct raid_walk *w = arg;
	struct raid r = { .name = d->device->name };
	const struct type *type;
	struct err err;

	if (d->device->major != MD_MAJOR)
		return true;
	/* md is often a module, whose types are its own */
	if (!type_find_deep(w->t, "struct mddev", &type, &err) ||
	    !type_find_deep(w->t, "struct md_rdev", &type, &err)) {
		*w->why = err;
		err_wrap(w->why, "%s", r.name ? r.name : "an array");
		return true;
	}
	if (!raid_read(w, d, &r, &err)) {
		*w->why = err;
		err_wrap(w->why, "%s", r.name ? r.name : "an array");
		return true;
	}
	return !r.disks || w->fn(&r, w->arg);
}

bool raids_each(struct target *t, bool (*fn)(const struct raid *r, void *arg), void *arg,
		struct err *why, struct err *err)
{
	struct raid_walk w = { .t = t, .fn = fn, .arg = arg, .why = why };
	struct err lost = { .code = ERR_OK };

	why->code = ERR_OK;
	if (!disks_each(t, disk_found, &w, &lost, err))
		return false;
	if (why->code == ERR_OK)
		*why = lost;
	return true;
}
