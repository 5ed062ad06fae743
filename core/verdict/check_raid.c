/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of disks that the kernel makes one of several: whether one of them failed. */
#include "core/verdict/check.h"

#include "core/linux/device/raid.h"

struct raids {
	struct triage *g;
	size_t n, hurt;
	const char *first;
};

static bool raid_see(const struct raid *r, void *arg)
{
	struct raids *w = arg;

	w->n++;
	if ((r->missing || r->failed) && !w->hurt++)
		w->first = arena_printf(w->g->a, "%s lacks %u of its %u disks, %u of them failed",
					r->name ? r->name : "an array", r->missing, r->disks,
					r->failed);
	return true;
}

static bool look_raid(struct triage *g, struct finding *f, struct err *err)
{
	struct raids w = { .g = g };

	if (!raids_each(g->t, raid_see, &w, &f->why, err))
		return false;
	if (w.hurt)
		find(g, f, CHECK_WARN, "%s%s", w.first,
		     w.hurt > 1 ? arena_printf(g->a, "; %zu arrays do", w.hurt) : "");
	else if (f->why.code != ERR_OK)
		find(g, f, CHECK_UNKNOWN, "not all arrays could be looked at: %s", f->why.msg);
	else if (w.n)
		find(g, f, CHECK_OK, "all disks of %zu array%s are there", w.n, plural(w.n));
	else
		find(g, f, CHECK_OK, "there is no array");
	return true;
}

const struct checkup check_raid = {
	.name = "raid",
	.doc = "arrays of md that lack a disk, or of which a disk failed",
	.more = "dev -d",
	.look = look_raid,
};
