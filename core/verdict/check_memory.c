/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the memory: how much is left, and what has the rest. */
#include "core/verdict/oom.h"

#include <inttypes.h>
#include <string.h>

#define ZONE_SMALL 8192u /* pages */

struct zones_seen {
	struct triage *g;
	size_t n, low, min; /* zones that allocations can come from; below low, below min */
	const char *worst;
};

static bool on_zone(const struct zone *z, void *arg)
{
	struct zones_seen *s = arg;

	/* a small zone at the bottom is kept for old devices; a movable one serves programs alone
	 */
	if (z->managed < ZONE_SMALL || !strcmp(z->name, "Movable"))
		return true;
	s->n++;
	s->low += z->free < z->low;
	if (z->free < z->min) {
		s->min++;
		s->worst = arena_printf(s->g->a, "%s of node %u", z->name, z->node);
	}
	return true;
}

static void on_flaw(const struct err *e, void *arg)
{
	struct zones_seen *s = arg;

	s->g->note(e, s->g->arg);
}

static bool look_memory(struct triage *g, struct finding *f, struct err *err)
{
	struct zones_seen s = { .g = g };
	struct meminfo m[MEMINFO_MAX];
	uint64_t total_kb = ram_total(g->t) >> 10, free_kb;
	struct err ignored;
	size_t n;

	if (!zones_each(g->t, on_zone, on_flaw, &s, err))
		return false;
	n = meminfo_read(g->t, m, &ignored);
	free_kb = meminfo_line(m, n, "MemFree");
	if (s.min) {
		f->claim = claim_of_counters(
			g, m, n, total_kb, arena_printf(g->a, " (%s is below its mark)", s.worst));
		find(g, f, CHECK_FAIL, "%s is below its lowest mark, %" PRIu64 " MB free; %s",
		     s.worst, free_kb >> 10, memory_user(g, m, n, total_kb));
	} else if (s.low) {
		find(g, f, CHECK_WARN, "%zu zone%s below the mark where reclaim begins; %s", s.low,
		     plural(s.low), memory_user(g, m, n, total_kb));
	} else if (!s.n) {
		return err_set(err, ERR_NEED, "no zone could be read");
	} else {
		find(g, f, CHECK_OK, "%" PRIu64 " of %" PRIu64 " MB free", free_kb >> 10,
		     total_kb >> 10);
	}
	return true;
}

const struct checkup check_memory = {
	.name = "memory",
	.doc = "free memory against the marks of its zones, and what has the rest",
	.more = "kmem -i",
	.look = look_memory,
};
