/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the memory beyond how much is left: what it is in pieces, what was promised, whom the
 * kernel killed for it. */
#include <inttypes.h>
#include <string.h>

#include "core/linux/memory/zone.h"
#include "core/verdict/log_words.h"
#include "core/verdict/oom.h"

/* ---- fragmentation */

#define LOW_ORDERS 4u        /* runs of less than 16 pages */
#define LOW_PERCENT 95u      /* of the free pages */
#define FREE_PAGES_MIN 4096u /* of fewer free pages the reason is that there are few */

struct pieces {
	struct triage *g;
	uint64_t free, low;
	size_t zones;
};

static bool zone_pieces(const struct zone *z, void *arg)
{
	struct pieces *p = arg;

	p->zones++;
	for (unsigned i = 0; i < z->orders; i++) {
		p->free += z->areas[i] << i;
		p->low += i < LOW_ORDERS ? z->areas[i] << i : 0;
	}
	return true;
}

static void on_flaw(const struct err *e, void *arg)
{
	struct pieces *p = arg;

	p->g->note(e, p->g->arg);
}

static bool look_fragments(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *failed = log_seen(g, WORD_ALLOCATION);
	struct pieces p = { .g = g };
	uint64_t share;

	if (!zones_each(g->t, zone_pieces, on_flaw, &p, err))
		return false;
	if (!p.zones && !failed->n)
		return err_set(err, ERR_NEED, "no zone could be read");
	share = p.free ? p.low * 100 / p.free : 0;
	if (p.free >= FREE_PAGES_MIN && share >= LOW_PERCENT)
		find(g, f, CHECK_WARN,
		     "%" PRIu64 " %% of what is free is in runs of 8 pages or less%s%s", share,
		     failed->n ? "; " : "", failed->n ? failed->last : "");
	else if (failed->n)
		find(g, f, CHECK_WARN, "%zu allocation%s failed, the last: %s", failed->n,
		     plural(failed->n), failed->last);
	else
		find(g, f, CHECK_OK, "%" PRIu64 " %% of what is free is in runs of 8 pages or less",
		     share);
	return true;
}

const struct checkup check_fragments = {
	.name = "fragments",
	.doc = "free memory in small pieces, and allocations that failed",
	.more = "kmem -f",
	.look = look_fragments,
};

/* ---- what was promised, and what it costs to keep account */

static bool look_promises(struct triage *g, struct finding *f, struct err *err)
{
	uint64_t total = ram_total(g->t) >> 10, tables, promised, swap;
	bool known = false;
	struct meminfo m[MEMINFO_MAX];
	struct err why = { .code = ERR_OK };
	size_t n = meminfo_read(g->t, m, &why);

	if (!n || !total)
		return why.code != ERR_OK ? (*err = why, false)
					  : err_set(err, ERR_NEED, "the size of RAM is not known");
	for (size_t i = 0; i < n; i++)
		known = known || !strcmp(m[i].name, "Committed_AS");
	if (!known)
		return why.code != ERR_OK
			       ? (*err = why, false)
			       : err_set(err, ERR_NEED, "what was promised cannot be read");
	tables = meminfo_line(m, n, "PageTables");
	promised = meminfo_line(m, n, "Committed_AS");
	swap = meminfo_line(m, n, "SwapTotal");
	if (tables * 50 > total)
		find(g, f, CHECK_WARN, "page tables have %" PRIu64 " MB, %" PRIu64 " %% of RAM",
		     tables >> 10, tables * 100 / total);
	else if (promised > total + swap)
		find(g, f, CHECK_WARN,
		     "%" PRIu64 " MB are promised to programs, RAM and swap have %" PRIu64,
		     promised >> 10, (total + swap) >> 10);
	else
		find(g, f, CHECK_OK,
		     "%" PRIu64 " MB are promised of %" PRIu64 ", page tables %" PRIu64,
		     promised >> 10, (total + swap) >> 10, tables >> 10);
	return true;
}

const struct checkup check_promises = {
	.name = "promises",
	.doc = "memory that was promised to programs, and what page tables need",
	.more = "kmem -i",
	.look = look_promises,
};

/* ---- whom the kernel killed */

/* "Killed process 160 (tail)", without what it had of each kind of memory. */
static const char *victim_words(struct triage *g, const char *line)
{
	const char *begin = strstr(line, "Kill"), *end = strstr(line, " total-vm:");

	begin = begin ? begin : line;
	return end && end > begin ? arena_strndup(g->a, begin, (size_t)(end - begin)) : begin;
}

static bool look_kills(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *all = log_seen(g, WORD_OOM), *cgroup = log_seen(g, WORD_OOM_CGROUP);

	if (g->log_why.code != ERR_OK && !all->n && !cgroup->n)
		return *err = g->log_why, false;
	if (all->n)
		find(g, f, CHECK_WARN,
		     "%zu since memory ran out, %zu for a cgroup's limit, the last: %s", all->n,
		     cgroup->n, victim_words(g, all->last));
	else if (cgroup->n)
		find(g, f, CHECK_WARN, "%zu for the limit of a cgroup, the last: %s", cgroup->n,
		     victim_words(g, cgroup->last));
	else
		find(g, f, CHECK_OK, "nobody was killed for want of memory");
	return true;
}

const struct checkup check_kills = {
	.name = "kills",
	.doc = "tasks that the kernel killed because memory ran out, or a cgroup's limit was reached",
	.more = "log",
	.of_text = true,
	.look = look_kills,
};
