/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of what was traced: whether recordings are in the dump, and what came last. */
#include "core/verdict/check.h"

#include <inttypes.h>

#include "core/trace/trace.h"

#define SHOWN 4u

struct recorded {
	struct triage *g;
	size_t instances, shown;
	uint64_t events;
	struct buf last; /* "CPU 1 sched_switch", of the top instance */
};

/* The name of a lane's last event; NULL: it has none that can be read. */
static const char *last_event(struct triage *g, const struct trace_buffer *b,
			      const struct trace_lane *lane)
{
	/* no more than the last sub-buffer is read */
	const struct trace_want want = { .since = UINT64_MAX };
	const char *name = NULL;
	struct trace_reader r;
	struct trace_event ev;
	struct err err;

	if (!trace_open(&r, b, lane, &want, g->a, &err))
		return NULL;
	while (trace_next(&r, &ev, &err))
		name = ev.name ? ev.name : name;
	if (r.damage.code)
		g->note(&r.damage, g->arg);
	return name;
}

static void buffer_see(struct recorded *rec, const struct trace_buffer *b)
{
	uint64_t events = 0;

	for (size_t i = 0; i < b->n_lanes; i++) {
		const char *name;

		events += b->lanes[i].entries;
		if (b->name || b->snapshot || !b->lanes[i].entries || rec->shown >= SHOWN ||
		    !(name = last_event(rec->g, b, &b->lanes[i])))
			continue;
		buf_printf(&rec->last, "%sCPU %d %s", rec->shown++ ? ", " : "", b->lanes[i].cpu,
			   name);
	}
	rec->instances += events > 0;
	rec->events += events;
}

static bool look_trace(struct triage *g, struct finding *f, struct err *err)
{
	struct recorded rec = { .g = g };
	const struct traces *all;

	if (!traces_find(g->t, &all, err)) {
		/* that there is none is known only where every name would be */
		if ((err->code != ERR_NOTFOUND && err->code != ERR_NOSYM) ||
		    !symbols_complete(g->t))
			return false;
		find(g, f, CHECK_OK, "nothing was recorded");
		return true;
	}
	for (const struct recording *r = all->first; r; r = r->next)
		for (size_t i = 0; !r->path && i < r->n_buffers; i++)
			buffer_see(&rec, &r->buffers[i]);
	if (rec.events)
		find(g, f, CHECK_OK, "%" PRIu64 " events in %zu buffers%s%s", rec.events,
		     rec.instances, rec.last.n ? ", the last of them: " : "", buf_text(&rec.last));
	else
		find(g, f, CHECK_OK, "nothing was recorded");
	buf_release(&rec.last);
	return true;
}

const struct checkup check_trace = {
	.name = "trace",
	.doc = "whether recordings are in the dump, and the last events of each CPU",
	.more = "trace last",
	.look = look_trace,
};
