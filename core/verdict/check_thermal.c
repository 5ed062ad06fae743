/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of heat: CPUs that were slowed down for it, zones that are too hot. */
#include "core/verdict/log_words.h"

#include <inttypes.h>

#include "core/linux/misc/hardware.h"
#include "core/linux/misc/thermal.h"

struct zones {
	size_t n;
	struct thermal_zone hottest; /* of those whose temperature is known */
	struct thermal_zone over;    /* the first that has reached its mark */
	bool any, is_over;
};

static bool zone_see(const struct thermal_zone *z, void *arg)
{
	struct zones *w = arg;

	w->n++;
	if (!z->measured)
		return true;
	if (!w->any || z->millis > w->hottest.millis)
		w->hottest = *z;
	w->any = true;
	if (!w->is_over && z->has_critical && z->millis >= z->critical) {
		w->over = *z;
		w->is_over = true;
	}
	return true;
}

static const char *zone_words(struct triage *g, const struct zones *w)
{
	if (!w->any)
		return "";
	return arena_printf(g->a, ", the hottest of %zu zones (%s) has %d degrees", w->n,
			    w->hottest.type ? w->hottest.type : "?",
			    (int)(w->hottest.millis / 1000));
}

static bool look_thermal(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *hot = log_seen(g, WORD_HOT);
	struct hardware_count c = { .seen = 0 };
	struct zones w = { .n = 0 };
	struct err why;

	if (!g->from_text) {
		hardware_read(g->t, HW_HEAT, &c);
		if (!thermal_zones_each(g->t, zone_see, &w, &f->why, &why) &&
		    why.code != ERR_NOTFOUND && why.code != ERR_NOSYM)
			f->why = why;
	}
	if (g->log_why.code != ERR_OK && !hot->n && !c.seen && !w.any)
		return *err = g->log_why, false;
	if (w.is_over)
		find(g, f, CHECK_WARN, "%s has %d degrees, and its mark is %d",
		     w.over.type ? w.over.type : "a zone", (int)(w.over.millis / 1000),
		     (int)(w.over.critical / 1000));
	else if (hot->n)
		find(g, f, CHECK_WARN, "%zu times too hot, the last: %s", hot->n, hot->last);
	else if (c.mended)
		find(g, f, CHECK_WARN, "CPUs were slowed down for their heat %" PRIu64 " times%s",
		     c.mended, zone_words(g, &w));
	else if (c.seen)
		find(g, f, CHECK_OK, "%zu CPUs were never slowed down for their heat%s", c.seen,
		     zone_words(g, &w));
	else
		find(g, f, CHECK_OK, "the log tells of no heat%s", zone_words(g, &w));
	return true;
}

const struct checkup check_thermal = {
	.name = "thermal",
	.doc = "CPUs that were slowed down for their heat, zones that reached their mark",
	.more = "log",
	.of_text = true,
	.look = look_thermal,
};
