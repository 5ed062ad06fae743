/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walk limits: steps, cycles, Ctrl-C. */
#include <inttypes.h>

#include "core/base/guard.h"

volatile sig_atomic_t interrupted;

bool interrupt_check(struct err *err)
{
	if (interrupted)
		return err_set(err, ERR_INTR, "interrupted");
	return true;
}

void guard_init(struct guard *g, const char *what, uint64_t limit)
{
	*g = (struct guard){ .what = what, .limit = limit ? limit : GUARD_DEFAULT, .power = 1 };
}

/* Brent: the mark moves to the current address each time the distance since the last mark has
 * doubled, so a cycle is met after at most three times its length and its lead together. */
bool guard_step(struct guard *g, uint64_t addr, struct err *err)
{
	if (!interrupt_check(err))
		return err_wrap(err, "%s", g->what);
	if (g->steps && addr == g->mark)
		return err_set_addr(err, ERR_CORRUPT, addr,
				    "%s comes back to 0x%" PRIx64 " after %" PRIu64 " steps",
				    g->what, addr, g->steps);
	if (g->steps >= g->limit)
		return err_set_addr(err, ERR_LIMIT, addr,
				    "%s stopped after %" PRIu64 " steps, the limit", g->what,
				    g->limit);
	if (++g->steps == g->power) {
		g->mark = addr;
		g->power *= 2;
	}
	return true;
}
