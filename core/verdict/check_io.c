/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of input and output: requests that a disk did not answer. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <string.h>

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

static const char *waiting_words(struct triage *g)
{
	size_t n = tasks_waiting(g);

	return arena_printf(g->a, "%zu task%s for input and output", n,
			    n == 1 ? " waits" : "s wait");
}

static const struct claim *claim_io(struct triage *g, const struct io_request *r, size_t n)
{
	struct claim *c = claim_new(g, "hung-io", SURE_LIKELY,
				    "the request is in flight, and its own time says since when");
	const char *device = r->device ? r->device : "a disk without a name";

	c->sentence = arena_printf(
		g->a, "%s has not answered a %s%s for %s (%s has it)%s%s", device, r->op,
		r->has_sector ? arena_printf(g->a, " at sector %" PRIu64, r->sector) : "",
		span_words(g, r->age_ns), r->where ? r->where : "its queue",
		r->issuer ? arena_printf(g->a, ", for which %s waits",
					 who(g, r->issuer->comm, r->issuer->pid))
			  : "",
		n > 1 ? arena_printf(g->a, "; %zu requests are older than 5 s", n) : "");
	if (tasks_waiting(g))
		c->sentence = arena_printf(g->a, "%s; %s", c->sentence, waiting_words(g));
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

/* ---- what a suspended device of device-mapper keeps */

struct kept_bios {
	struct triage *g;
	size_t n; /* bios, of all such devices */
	const struct io_bio *bio;
	const struct wait_edge *waits; /* who waits longest for the end of one, which is bio then */
};

static bool kept_by_suspended(const struct io_bio *b)
{
	return !strcmp(b->where, "suspended device");
}

static bool kept_count(const struct io_bio *b, void *arg)
{
	struct kept_bios *k = arg;

	k->n += kept_by_suspended(b);
	return true;
}

/* How long it keeps them nothing says; who waits for one has waited so long at most. */
static void kept_read(struct kept_bios *k, const struct io_call *call)
{
	const struct wait_graph *gr;
	struct err why;

	if (!io_bios(call, kept_count, k, &why))
		k->g->note(&why, k->g->arg);
	if (!triage_graph(k->g, &gr, &why))
		return;
	for (size_t i = 0; i < gr->edges.n; i++) {
		const struct wait_edge *e = &gr->edges.p[i];
		const struct wait_object *o =
			e->object == WAIT_NONE ? NULL : &gr->objects.p[e->object];

		if (!o || !o->io.bio || !kept_by_suspended(o->io.bio) || e->waited == UINT64_MAX ||
		    (k->waits && e->waited <= k->waits->waited))
			continue;
		k->waits = e;
		k->bio = o->io.bio;
	}
}

static uint64_t kept_age(const struct kept_bios *k)
{
	return k->waits ? k->waits->waited : 0;
}

static const struct claim *claim_kept(const struct kept_bios *k)
{
	struct triage *g = k->g;
	const struct task *task = k->waits->task;
	struct claim *c = claim_new(g, "hung-io", SURE_LIKELY,
				    "the device keeps what comes until it is resumed, and the task "
				    "waits for the end of a part of that");
	const char *device = k->bio->device ? k->bio->device : "a disk without a name";

	c->sentence = arena_printf(
		g->a, "%s is suspended: %s waited %s for a %s at sector %" PRIu64 "; %s", device,
		who(g, task->comm, task->pid), span_words(g, k->waits->waited), k->bio->op,
		k->bio->sector, waiting_words(g));
	c->pid = task->pid;
	c->comm = task->comm;
	c->stack = stack_words(g, task);
	claim_support(g, c, arena_printf(g->a, "bio 0x%" PRIx64, k->bio->addr),
		      "%s of %" PRIu64 " bytes on %s, kept by the suspended device", k->bio->op,
		      k->bio->bytes, device);
	return c;
}

/* ---- calls of servers, such as NFS's */

struct calls {
	struct triage *g;
	size_t n, slow, lost;
	struct rpc_call oldest;
};

static bool call_count(const struct rpc_call *r, void *arg)
{
	struct calls *k = arg;
	uint64_t age = r->has_age ? age_at_death(k->g, r->age_ns) : 0;

	if (!k->n++ || age > k->oldest.age_ns) {
		k->oldest = *r;
		k->oldest.age_ns = age;
	}
	k->slow += age >= SLOW_NS;
	k->lost += age >= LOST_NS;
	return true;
}

/* False: it is not known which calls there are, and *err says why. */
static bool calls_read(struct calls *k, const struct io_call *call, struct err *err)
{
	struct err why;

	if (rpc_calls(call, call_count, k, &why) || why.code == ERR_NOTFOUND)
		return true;
	*err = why;
	return false;
}

/* Was the server asked, and its answer is what the call sleeps for? Others wait for a slot, for a
 * connection, for a program that has keys. That name is older than v4.19. */
static bool is_asked(const struct rpc_call *r)
{
	return r->queue && !strcmp(r->queue, "xprt_pending");
}

static const struct claim *claim_call(const struct calls *k)
{
	struct triage *g = k->g;
	const struct rpc_call *r = &k->oldest;
	struct claim *c = claim_new(g, "hung-io", SURE_LIKELY,
				    "the call is not finished, and its own time says since when");
	const char *program = r->program ? r->program : "RPC";
	const char *procedure = r->procedure ? r->procedure : "a call";
	const char *server = r->server ? r->server : "whose name is not known";
	const char *age = span_words(g, r->age_ns);
	const struct task *task;
	struct err ignored;
	bool known = r->owner > 0 && r->owner <= INT32_MAX &&
		     task_by_pid(g->t, (int)r->owner, &task, &ignored);

	/* one that is asynchronous nobody waits for, or another process than its owner */
	c->sentence = arena_printf(
		g->a, "%s%s; %zu call%s of servers %s older than 5 s",
		is_asked(r) ? arena_printf(g->a, "the %s server %s has not answered %s for %s",
					   program, server, procedure, age)
			    : arena_printf(g->a, "%s of the %s server %s is not finished after %s",
					   procedure, program, server, age),
		known ? arena_printf(g->a, ", made by %s", who(g, task->comm, task->pid)) : "",
		k->slow, plural(k->slow), k->slow == 1 ? "is" : "are");
	if (known) {
		c->pid = task->pid;
		c->comm = task->comm;
		c->stack = stack_words(g, task);
	}
	claim_support(g, c, arena_printf(g->a, "RPC task 0x%" PRIx64, r->task),
		      "%s of %s version %" PRIu64
		      " at %s, to be gone on with by %s, %s old by tk_start",
		      procedure, program, r->version, r->queue ? r->queue : "no queue",
		      r->action ? r->action : "nobody known", span_words(g, r->age_ns));
	return c;
}

/* ---- all of them */

static bool look_io(struct triage *g, struct finding *f, struct err *err)
{
	struct io_call call = { .t = g->t, .a = g->a, .flaw = on_flaw, .arg = g };
	const struct io_request *oldest = NULL;
	struct kept_bios kept = { .g = g };
	struct calls calls = { .g = g };
	uint64_t limit;
	size_t slow = 0, lost = 0;
	const char *also;
	bool known;
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
	kept_read(&kept, &call);
	known = calls_read(&calls, &call, &f->why);
	limit = lost || kept_age(&kept) >= LOST_NS || calls.lost ? LOST_NS : SLOW_NS;
	/* A disk's own request is the end of what waits; a call of a server can be given up by who
	 * is killed. Of a machine that was stopped because it stood still, what is old enough to be
	 * noticed counts. */
	if (oldest && oldest->age_ns >= limit)
		f->claim = claim_io(g, oldest, slow);
	else if (kept_age(&kept) >= limit)
		f->claim = claim_kept(&kept);
	else if (calls.oldest.age_ns >= limit)
		f->claim = claim_call(&calls);
	also = arena_printf(
		g->a, "%s%s%s",
		!kept.n ? ""
			: arena_printf(g->a, "; %zu bio%s kept by suspended devices", kept.n,
				       plural(kept.n)),
		!calls.n ? ""
			 : arena_printf(g->a, "; %zu of %zu calls of servers older than 5 s",
					calls.slow, calls.n),
		known ? ""
		      : arena_printf(g->a, "; calls of servers are not known: %s", f->why.msg));
	/* of requests that are not old nothing is to be said where something else is */
	also = slow ? arena_printf(g->a, "%zu of %zu requests are older than %s%s",
				   lost ? lost : slow, all.n_requests, lost ? "30 s" : "5 s", also)
		    : also + strspn(also, "; ");
	if (limit == LOST_NS || (f->claim && g->death.way == WAY_HUNG_TASK))
		find(g, f, CHECK_FAIL, "%s", also);
	else if (f->claim || kept.n)
		find(g, f, CHECK_WARN, "%s", also);
	else
		find(g, f, known ? CHECK_OK : CHECK_UNKNOWN,
		     "%zu requests in flight, none of them old%s%s", all.n_requests,
		     *also ? "; " : "", also);
	return true;
}

const struct checkup check_io = {
	.name = "io",
	.doc = "requests that block devices and servers have not answered",
	.more = "io",
	.look = look_io,
};
