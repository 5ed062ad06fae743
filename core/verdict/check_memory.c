/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the memory: how much is left, and what has the rest. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <string.h>

#include "core/linux/memory/zone.h"
#include "core/linux/task/task.h"

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

static uint64_t line_of(const struct meminfo *m, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(m[i].name, name))
			return m[i].kb;
	return 0;
}

/* What has the most, in the words of /proc/meminfo. */
static const char *biggest(const struct meminfo *m, size_t n, uint64_t *kb)
{
	static const struct {
		const char *line, *what;
	} users[] = {
		{ "SUnreclaim", "slabs that cannot be reclaimed" },
		{ "AnonPages", "programs' own memory" },
		{ "Buffers+Cached", "the page cache" },
		{ "Shmem", "shared memory and tmpfs" },
		{ "PageTables", "page tables" },
		{ "KernelStack", "kernel stacks" },
	};
	const char *what = "what no counter tells";

	*kb = 0;
	for (size_t i = 0; i < ARRAY_SIZE(users); i++)
		if (line_of(m, n, users[i].line) > *kb) {
			*kb = line_of(m, n, users[i].line);
			what = users[i].what;
		}
	return what;
}

static const char *largest_task(struct triage *g, uint64_t *rss)
{
	const struct task *tasks, *most = NULL;
	struct err ignored;
	size_t n;

	*rss = 0;
	if (!tasks_all(g->t, &tasks, &n, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		uint64_t vsz, own;

		if (task_memory(g->t, &tasks[i], &vsz, &own) && own > *rss) {
			*rss = own;
			most = &tasks[i];
		}
	}
	return most ? who(g, most->comm, most->pid) : NULL;
}

static const struct claim *claim_oom(struct triage *g, const struct meminfo *m, size_t n,
				     uint64_t total_kb, const char *zone)
{
	struct claim *c = claim_new(g, "oom", SURE_LIKELY,
				    "the counters of memory; nothing records who allocated it");
	uint64_t kb, rss;
	const char *what = biggest(m, n, &kb), *task = largest_task(g, &rss);

	c->sentence = arena_printf(
		g->a,
		"memory ran out (%s is below its mark): %s have %" PRIu64 " %% of %" PRIu64 " MB%s",
		zone, what, total_kb ? kb * 100 / total_kb : 0, total_kb >> 10,
		task ? arena_printf(g->a, "; the largest process is %s with %" PRIu64 " MB", task,
				    rss >> 20)
		     : "");
	for (size_t i = 0; i < n; i++)
		if (m[i].kb * 10 > total_kb)
			claim_support(g, c, "counters", "%s %" PRIu64 " kB", m[i].name, m[i].kb);
	return c;
}

static bool look_memory(struct triage *g, struct finding *f, struct err *err)
{
	struct zones_seen s = { .g = g };
	struct meminfo m[MEMINFO_MAX];
	uint64_t total_kb = ram_total(g->t) >> 10, slab, free_kb;
	struct err ignored;
	size_t n;

	if (!zones_each(g->t, on_zone, on_flaw, &s, err))
		return false;
	n = meminfo_read(g->t, m, &ignored);
	slab = line_of(m, n, "SUnreclaim");
	free_kb = line_of(m, n, "MemFree");
	if (s.min) {
		f->claim = claim_oom(g, m, n, total_kb, s.worst);
		find(g, f, CHECK_FAIL, "%zu zones are below their lowest mark, %" PRIu64 " MB free",
		     s.min, free_kb >> 10);
	} else if (total_kb && slab * 4 > total_kb) {
		find(g, f, CHECK_WARN, "slabs that cannot be reclaimed have %" PRIu64 " %% of it",
		     slab * 100 / total_kb);
	} else if (s.low) {
		find(g, f, CHECK_WARN, "%zu zones are below the mark where reclaim begins", s.low);
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
