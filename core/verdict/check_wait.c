/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of who waits for whom: deadlocks, and tasks that wait too long. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <string.h>

#include "core/image/line.h"

#define HUNG_DEFAULT_S 120u /* CONFIG_DEFAULT_HUNG_TASK_TIMEOUT as distributions have it */
#define LONG_NS (10 * UINT64_C(1000000000))

static const char *object_words(struct triage *g, const struct wait_object *o)
{
	return o->name ? arena_printf(g->a, "%s %s", o->type, o->name)
		       : arena_printf(g->a, "%s 0x%" PRIx64, o->type, o->addr);
}

static const char *edge_at(struct triage *g, const struct wait_edge *e)
{
	const char *at = e->at ? symbol_text(g->t, e->at, g->a) : "";

	return *at ? at : e->func ? e->func : "a place that is not known";
}

/* The function that asked for what an edge waits for, and its line. */
static void blame_edge(struct triage *g, struct claim *c, const struct wait_edge *e)
{
	const struct line *lines;
	struct symbol sym;
	struct err ignored;
	uint64_t off;
	size_t n;

	c->pid = e->task->pid;
	c->comm = e->task->comm;
	if (!e->at || !symbol_at(g->t, e->at, &sym, &off, &ignored))
		return;
	c->function = sym.name;
	c->module = sym.module;
	if (!line_find(g->t, e->at - 1, &lines, &n, &ignored) || !n || !lines[n - 1].file)
		return;
	c->place = arena_printf(g->a, "%s:%u", lines[n - 1].file, lines[n - 1].line);
	if (strchr(lines[n - 1].file, '/'))
		c->subsystem = arena_strndup(
			g->a, lines[n - 1].file,
			(size_t)(strrchr(lines[n - 1].file, '/') - lines[n - 1].file));
}

static void support_edge(struct triage *g, struct claim *c, const struct wait_graph *gr,
			 const struct wait_edge *e)
{
	const struct wait_object *o = &gr->objects.p[e->object];
	const char *source = arena_printf(g->a, "stack of %d", e->task->pid);

	claim_support(g, c, source, "%s waits for %s at %s (%s)",
		      who(g, e->task->comm, e->task->pid), object_words(g, o), edge_at(g, e),
		      wait_proof_name(e->by) ? wait_proof_name(e->by) : "not proven");
	if (o->holder)
		claim_support(g, c, object_words(g, o), "held by %s (%s)",
			      who(g, o->holder->comm, o->holder->pid),
			      wait_proof_name(o->holder_by) ? wait_proof_name(o->holder_by)
							    : "not proven");
}

/* "a[1] and b[2]", "a[1], b[2] and c[3]" */
static const char *tasks_of(struct triage *g, const struct wait_graph *gr,
			    const struct wait_path *p)
{
	struct buf b = { 0 };
	const char *s;

	for (size_t i = 0; i < p->n && i < 8; i++) {
		const struct task *task = gr->edges.p[p->edges[i]].task;

		buf_printf(&b, "%s%s",
			   !i              ? ""
			   : i + 1 == p->n ? " and "
					   : ", ",
			   who(g, task->comm, task->pid));
	}
	if (p->n > 8)
		buf_printf(&b, " and %zu more", p->n - 8);
	s = arena_strndup(g->a, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

static const char *objects_of(struct triage *g, const struct wait_graph *gr,
			      const struct wait_path *p)
{
	struct buf b = { 0 };
	const char *s;

	for (size_t i = 0; i < p->n && i < 8; i++)
		buf_printf(&b, "%s%s",
			   !i              ? ""
			   : i + 1 == p->n ? " and "
					   : ", ",
			   object_words(g, &gr->objects.p[gr->edges.p[p->edges[i]].object]));
	s = arena_strndup(g->a, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

/* The least of how long the tasks wait: since then all of them do. */
static uint64_t waited_all(const struct wait_graph *gr, const struct wait_path *p)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < p->n; i++)
		if (gr->edges.p[p->edges[i]].waited < least)
			least = gr->edges.p[p->edges[i]].waited;
	return least;
}

static const struct claim *claim_cycle(struct triage *g, const struct wait_graph *gr,
				       const struct wait_path *p, size_t proven)
{
	struct claim *c = claim_new(g, "deadlock", p->proven ? SURE_CERTAIN : SURE_POSSIBLE,
				    p->proven ? "every step of the ring is proven"
					      : "a step of the ring is no more than a hint");
	uint64_t waited = waited_all(gr, p);
	const char *since =
		waited == UINT64_MAX ? "" : arena_printf(g->a, ", for %s", span_words(g, waited));

	for (size_t i = 0; i < p->n; i++)
		support_edge(g, c, gr, &gr->edges.p[p->edges[i]]);
	blame_edge(g, c, &gr->edges.p[p->edges[0]]);
	c->stack = stack_words(g, gr->edges.p[p->edges[0]].task);
	if (p->n == 1)
		c->sentence =
			arena_printf(g->a, "%s waits for what it has itself%s: deadlock of %s",
				     tasks_of(g, gr, p), since, objects_of(g, gr, p));
	else
		c->sentence = arena_printf(g->a, "%s wait for each other%s%s: deadlock of %s",
					   tasks_of(g, gr, p), p->n > 2 ? " in a ring" : "", since,
					   objects_of(g, gr, p));
	if (proven > 1)
		c->sentence = arena_printf(g->a, "%s; and %zu more such ring%s", c->sentence,
					   proven - 1, proven > 2 ? "s" : "");
	return c;
}

static bool look_deadlock(struct triage *g, struct finding *f, struct err *err)
{
	const struct wait_graph *gr;
	size_t proven = 0;

	if (!triage_graph(g, &gr, err))
		return false;
	for (size_t i = 0; i < gr->cycles.n; i++)
		proven += gr->cycles.p[i].proven;
	if (gr->skipped)
		f->why = gr->skipped_why;
	if (gr->cycles.n)
		f->claim = claim_cycle(g, gr, &gr->cycles.p[0], proven);
	if (proven)
		find(g, f, CHECK_FAIL,
		     proven == 1 ? "a ring of tasks that wait for each other"
				 : "%zu rings of tasks that wait for each other",
		     proven);
	else if (gr->cycles.n)
		find(g, f, CHECK_WARN, "%zu rings that a hint would close", gr->cycles.n);
	else if (gr->skipped)
		find(g, f, CHECK_UNKNOWN, "none found, but %zu tasks' stacks cannot be read: %s",
		     gr->skipped, gr->skipped_why.msg);
	else if (g->tasks_lost)
		find(g, f, CHECK_UNKNOWN, "none found, but not all tasks could be read");
	else
		find(g, f, CHECK_OK, "none among %zu tasks that wait for something", gr->edges.n);
	return true;
}

const struct checkup check_deadlock = {
	.name = "deadlock",
	.doc = "tasks that wait for each other in a ring",
	.more = "waits",
	.vital = true,
	.look = look_deadlock,
};

/* The last edge that can be followed from an edge: who stands at the end of the queue. */
static const struct wait_edge *chain_end(const struct wait_graph *gr, const struct wait_edge *e)
{
	for (size_t i = 0; i < gr->edges.n; i++) {
		const struct wait_edge *next = wait_edge_next(gr, e);

		if (!next)
			break;
		e = next;
	}
	return e;
}

/* " (READ of 4096 bytes at sector 8 of dm-0: suspended device)": what ends the wait */
static const char *io_words(struct triage *g, const struct wait_io *io)
{
	struct buf b = { 0 };
	const char *s;

	wait_io_words(&b, io);
	s = arena_printf(g->a, " (%s: %s)", buf_text(&b),
			 io->request ? io->request->where : io->bio->where);
	buf_release(&b);
	return s;
}

static const char *holder_words(struct triage *g, const struct wait_object *o)
{
	const struct task *h = o->holder;

	if (!h && (o->io.request || o->io.bio))
		return io_words(g, &o->io);
	if (!h)
		return o->state ? arena_printf(g->a, " (%s)", o->state)
				: ", and nothing says who has it";
	return arena_printf(g->a, ", which %s %s (%s)", who(g, h->comm, h->pid),
			    wait_is_proven(o->holder_by) ? "has" : "may have",
			    h->active          ? "it runs"
			    : h->letter == 'D' ? "it sleeps in state D"
					       : "it sleeps");
}

static const struct claim *claim_hung(struct triage *g, const struct wait_graph *gr,
				      const struct wait_edge *longest, size_t n)
{
	const struct wait_edge *end = chain_end(gr, longest);
	struct claim *c =
		claim_new(g, "hung-task", SURE_LIKELY,
			  "the task that waits longest, followed to the end of its chain");
	const char *others = n > 1 ? arena_printf(g->a, " (%zu tasks wait so long)", n) : "";

	support_edge(g, c, gr, longest);
	if (end != longest)
		support_edge(g, c, gr, end);
	blame_edge(g, c, end);
	c->stack = stack_words(g, end->task);
	c->sentence = arena_printf(
		g->a, "%s waited for %s for %s%s%s", who(g, end->task->comm, end->task->pid),
		object_words(g, &gr->objects.p[end->object]),
		end->waited == UINT64_MAX ? "a time that is not known" : span_words(g, end->waited),
		holder_words(g, &gr->objects.p[end->object]), others);
	return c;
}

static uint64_t hung_limit_ns(struct triage *g)
{
	uint64_t addr, seconds;
	struct err ignored;

	if (!symbol_addr(g->t, "sysctl_hung_task_timeout_secs", &addr) ||
	    !mem_ptr(g->t, addr, &seconds, &ignored) || !seconds || seconds > 86400)
		seconds = HUNG_DEFAULT_S;
	return seconds * UINT64_C(1000000000);
}

static bool look_hung(struct triage *g, struct finding *f, struct err *err)
{
	const struct wait_edge *longest = NULL;
	const struct wait_graph *gr;
	uint64_t limit = hung_limit_ns(g);
	size_t hung = 0, slow = 0, asleep = 0;

	if (!triage_graph(g, &gr, err))
		return false;
	for (size_t i = 0; i < gr->edges.n; i++) {
		const struct wait_edge *e = &gr->edges.p[i];

		if (!e->asleep)
			continue;
		asleep++;
		if (e->waited == UINT64_MAX)
			continue;
		hung += e->waited >= limit;
		slow += e->waited >= LONG_NS;
		if (e->object != WAIT_NONE && (!longest || e->waited > longest->waited))
			longest = e;
	}
	if (gr->skipped)
		f->why = gr->skipped_why;
	if (hung && longest)
		f->claim = claim_hung(g, gr, longest, hung);
	if (hung || (slow && g->death.way == WAY_HUNG_TASK)) {
		if (!f->claim && longest)
			f->claim = claim_hung(g, gr, longest, slow);
		find(g, f, CHECK_FAIL, "%zu in state D for more than %s", hung ? hung : slow,
		     span_words(g, hung ? limit : LONG_NS));
	} else if (slow) {
		if (longest)
			f->claim = claim_hung(g, gr, longest, slow);
		find(g, f, CHECK_WARN, "%zu in state D for more than 10 s", slow);
	} else if (g->tasks_lost) {
		find(g, f, CHECK_UNKNOWN,
		     "%zu in state D, none for long, but not all tasks could be read", asleep);
	} else {
		find(g, f, CHECK_OK, "%zu in state D, none for long", asleep);
	}
	return true;
}

const struct checkup check_hung = {
	.name = "hung",
	.doc = "tasks that sleep in state D for too long",
	.more = "waits",
	.vital = true,
	.look = look_hung,
};
