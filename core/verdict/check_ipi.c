/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of calls between CPUs: one that was asked may not answer. */
#include "core/verdict/check.h"

#include <string.h>

#define SLOW_NS (1 * UINT64_C(1000000000))
#define LOST_NS (5 * UINT64_C(1000000000))

/* For how long the CPU of a task had no tick: since then it takes no calls either. A running task
 * that waits says nothing of when it began. */
static uint64_t silence_of(struct triage *g, const struct task *task)
{
	const struct wait_cpu_state *s;
	size_t n;

	if (!task || !task->active)
		return UINT64_MAX;
	s = wait_cpu_states(&g->graph, &n);
	for (size_t i = 0; i < n; i++)
		if ((int)s[i].cpu == task->cpu)
			return age_at_death(g, s[i].silent);
	return UINT64_MAX;
}

static const struct claim *claim_ipi(struct triage *g, const struct wait_graph *gr,
				     const struct wait_edge *e, uint64_t silent)
{
	const struct wait_object *o = &gr->objects.p[e->object];
	const char *cpu = o->name ? o->name : "a CPU that is not known";
	const struct task *h = o->holder;
	struct claim *c =
		claim_new(g, "ipi", h ? SURE_LIKELY : SURE_POSSIBLE,
			  h ? "the request that is not answered, and the task that its CPU runs"
			    : "the request that is not answered; for whom it is, is not known");

	c->sentence = arena_printf(g->a, "%s does not answer %s: %s%s%s", cpu,
				   who(g, e->task->comm, e->task->pid),
				   h ? arena_printf(g->a, "it runs %s", who(g, h->comm, h->pid))
				     : "what it runs is not known",
				   silent == UINT64_MAX ? "" : ", and had no tick for ",
				   silent == UINT64_MAX ? "" : span_words(g, silent));
	if (h) {
		c->pid = h->pid;
		c->comm = h->comm;
		c->cpu = h->cpu;
		c->stack = stack_words(g, h);
	}
	claim_support(g, c, arena_printf(g->a, "stack of %d", e->task->pid), "%s waits for %s %s",
		      who(g, e->task->comm, e->task->pid), cpu, e->mode ? e->mode : "");
	if (o->state)
		claim_support(g, c, "call_single_queue", "%s", o->state);
	return c;
}

static bool look_ipi(struct triage *g, struct finding *f, struct err *err)
{
	const struct wait_edge *longest = NULL;
	const struct wait_graph *gr;
	uint64_t most = 0;
	size_t n = 0;

	if (!triage_graph(g, &gr, err))
		return false;
	for (size_t i = 0; i < gr->edges.n; i++) {
		const struct wait_edge *e = &gr->edges.p[i];
		const struct task *h;
		uint64_t silent;

		if (e->object == WAIT_NONE || strcmp(gr->objects.p[e->object].type, "ipi") != 0)
			continue;
		h = gr->objects.p[e->object].holder;
		if (h && h->active && cpu_is_dying(g, (unsigned)h->cpu))
			continue;
		n++;
		silent = silence_of(g, h);
		if (silent != UINT64_MAX && silent > most) {
			longest = e;
			most = silent;
		}
	}
	if (longest && most >= SLOW_NS) {
		f->claim = claim_ipi(g, gr, longest, most);
		find(g, f, most >= LOST_NS ? CHECK_FAIL : CHECK_WARN,
		     "%zu calls to other CPUs are not answered, and one had no tick for %s", n,
		     span_words(g, most));
	} else if (g->tasks_lost) {
		find(g, f, CHECK_UNKNOWN,
		     "%zu calls to other CPUs, but not all tasks could be read", n);
	} else {
		find(g, f, CHECK_OK, "%zu calls to other CPUs, none of them waits for long", n);
	}
	return true;
}

const struct checkup check_ipi = {
	.name = "ipi",
	.doc = "calls of functions on other CPUs that these have not answered",
	.more = "waits",
	.look = look_ipi,
};
