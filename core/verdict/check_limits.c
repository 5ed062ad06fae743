/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of what a machine runs out of besides memory: task numbers, tasks, open files, swap. */
#include <inttypes.h>
#include <string.h>

#include "core/linux/misc/limits.h"
#include "core/verdict/oom.h"

#define HIGH_PERCENT 90u

static const struct claim *claim_limit(struct triage *g, const struct limit_use *l)
{
	struct claim *c = claim_new(g, "exhausted", SURE_LIKELY, "the kernel's own counters");

	c->sentence = arena_printf(
		g->a, "no more %s are to be had: %" PRIu64 " are in use, and %s allows %" PRIu64,
		l->what, l->used, l->setting, l->most);
	claim_support(g, c, l->setting, "%" PRIu64 " of %" PRIu64, l->used, l->most);
	return c;
}

static bool look_limits(struct triage *g, struct finding *f, struct err *err)
{
	const struct limit_use *high = NULL, *full = NULL;
	struct limit_use all[LIMITS];
	struct buf b = { 0 };
	size_t lost = 0;

	limits_read(g->t, all);
	for (size_t i = 0; i < LIMITS; i++) {
		const struct limit_use *l = &all[i];

		if (l->why.code != ERR_OK) {
			f->why = l->why;
			lost++;
			continue;
		}
		buf_printf(&b, "%s%" PRIu64 " of %" PRIu64 " %s", b.n ? ", " : "", l->used, l->most,
			   l->what);
		if (!full && l->used + l->reserve >= l->most)
			full = l;
		if (!high && l->used > l->most / 100 * HIGH_PERCENT)
			high = l;
	}
	if (lost == LIMITS) {
		*err = f->why;
	} else if (full) {
		f->claim = claim_limit(g, full);
		find(g, f, CHECK_FAIL, "no more %s are to be had: %s", full->what, buf_text(&b));
	} else if (high) {
		find(g, f, CHECK_WARN, "%s come to their end: %s", high->what, buf_text(&b));
	} else if (lost) {
		find(g, f, CHECK_UNKNOWN, "%s; %s", buf_text(&b), f->why.msg);
	} else {
		find(g, f, CHECK_OK, "%s", buf_text(&b));
	}
	buf_release(&b);
	return lost < LIMITS;
}

const struct checkup check_limits = {
	.name = "limits",
	.doc = "task numbers, tasks and open files against the most that there may be",
	.more = "ps -S",
	.look = look_limits,
};

static bool look_swap(struct triage *g, struct finding *f, struct err *err)
{
	struct err why = { .code = ERR_OK };
	struct meminfo m[MEMINFO_MAX];
	size_t n = meminfo_read(g->t, m, &why);
	uint64_t total, used, left;
	bool known = false;

	for (size_t i = 0; i < n; i++)
		known = known || !strcmp(m[i].name, "SwapTotal");
	if (!known)
		return why.code != ERR_OK ? (*err = why, false)
					  : err_set(err, ERR_NEED, "nothing counts swap");
	total = meminfo_line(m, n, "SwapTotal");
	left = meminfo_line(m, n, "SwapFree");
	used = total > left ? total - left : 0;
	if (!total)
		find(g, f, CHECK_OK, "there is none");
	else
		find(g, f, used > total / 100 * HIGH_PERCENT ? CHECK_WARN : CHECK_OK,
		     "%" PRIu64 " of %" PRIu64 " MB are used", used >> 10, total >> 10);
	return true;
}

const struct checkup check_swap = {
	.name = "swap",
	.doc = "how much of the swap is used",
	.more = "swap",
	.look = look_swap,
};
