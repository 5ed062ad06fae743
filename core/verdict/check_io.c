/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of input and output: requests that a disk did not answer. */
#include "core/verdict/check.h"

#include <inttypes.h>

#include "core/linux/io/io.h"

#define SLOW_NS (5 * UINT64_C(1000000000))
#define LOST_NS (30 * UINT64_C(1000000000))

static void on_flaw(const struct err *e, void *arg)
{
	struct triage *g = arg;

	g->note(e, g->arg);
}

/* How many tasks wait for a request or a bio, as far as something proves it. */
static size_t tasks_waiting(struct triage *g)
{
	const struct wait_graph *gr;
	struct err ignored;
	size_t n = 0;

	if (!triage_graph(g, &gr, &ignored))
		return 0;
	for (size_t i = 0; i < gr->objects.n; i++)
		if (gr->objects.p[i].io.how)
			n += gr->objects.p[i].n;
	return n;
}

static const struct claim *claim_io(struct triage *g, const struct io_request *r, size_t n)
{
	struct claim *c = claim_new(g, "hung-io", SURE_LIKELY,
				    "the request is in flight, and its own time says since when");
	const char *device = r->device ? r->device : "a disk without a name";
	size_t waiting;

	c->sentence = arena_printf(
		g->a, "%s has not answered a %s%s for %s (%s has it)%s%s", device, r->op,
		r->has_sector ? arena_printf(g->a, " at sector %" PRIu64, r->sector) : "",
		span_words(g, r->age_ns), r->where ? r->where : "its queue",
		r->issuer ? arena_printf(g->a, ", for which %s waits",
					 who(g, r->issuer->comm, r->issuer->pid))
			  : "",
		n > 1 ? arena_printf(g->a, "; %zu requests are older than 5 s", n) : "");
	if ((waiting = tasks_waiting(g)))
		c->sentence = arena_printf(g->a, "%s; %zu tasks wait for input and output",
					   c->sentence, waiting);
	if (r->issuer) {
		c->pid = r->issuer->pid;
		c->comm = r->issuer->comm;
		c->stack = stack_words(g, r->issuer);
	}
	claim_support(g, c, arena_printf(g->a, "request 0x%" PRIx64, r->addr),
		      "%s of %" PRIu64 " bytes on %s, %s, %s old by %s", r->op, r->bytes, device,
		      r->state ? r->state : "in a state not known", span_words(g, r->age_ns),
		      r->age_of ? r->age_of : "its time");
	return c;
}

static bool look_io(struct triage *g, struct finding *f, struct err *err)
{
	struct io_call call = { .t = g->t, .a = g->a, .flaw = on_flaw, .arg = g };
	const struct io_request *oldest = NULL;
	size_t slow = 0, lost = 0;
	struct io_all all;

	if (!io_read(&call, &all, err))
		return false;
	for (size_t i = 0; i < all.n_requests; i++) {
		struct io_request *r = &all.requests[i];

		if (!r->has_age)
			continue;
		r->age_ns = age_at_death(g, r->age_ns);
		slow += r->age_ns >= SLOW_NS;
		lost += r->age_ns >= LOST_NS;
		if (!oldest || r->age_ns > oldest->age_ns)
			oldest = r;
	}
	/* of a machine that was stopped because it stood still, a request that is old enough to be
	 * noticed is the end of what waits */
	if (oldest && slow)
		f->claim = claim_io(g, oldest, slow);
	if (lost || (slow && g->death.way == WAY_HUNG_TASK))
		find(g, f, CHECK_FAIL, "%zu of %zu requests are older than %s", lost ? lost : slow,
		     all.n_requests, lost ? "30 s" : "5 s");
	else if (slow)
		find(g, f, CHECK_WARN, "%zu of %zu requests are older than 5 s", slow,
		     all.n_requests);
	else
		find(g, f, CHECK_OK, "%zu requests in flight, none of them old", all.n_requests);
	return true;
}

const struct checkup check_io = {
	.name = "io",
	.doc = "requests that block devices have not answered",
	.more = "io",
	.look = look_io,
};
