/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Confirmation: what the kernel reported of the same task as memory tells of is a second source. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <string.h>

/* Reports in which the kernel names a task that stood still or did not let go. */
static bool names_a_task(const struct report *r)
{
	switch (r->kind) {
	case KIND_SOFT_LOCKUP:
	case KIND_HARD_LOCKUP:
	case KIND_HUNG_TASK:
		return true;
	default:
		return false;
	}
}

/* The last one of the task: an older one may tell of something that passed. The panic that followed
 * says no more than that one. */
static struct report *report_of_task(const struct triage *g, int pid)
{
	struct report *last = NULL;

	for (size_t i = 0; i < g->reports.n; i++) {
		struct report *r = g->reports.p[i];

		if (names_a_task(r) && r->has_pid && r->pid == pid &&
		    !(r->headline && strstr(r->headline, "Kernel panic")))
			last = r;
	}
	return last;
}

const struct claim *claim_confirm(struct triage *g, const struct claim *found)
{
	struct report *r = found->report || found->pid < 0 ? NULL : report_of_task(g, found->pid);
	struct claim *c;
	const struct claim *told;

	if (!r)
		return found;
	told = claim_of_report(g, r);
	c = ARENA_NEW(g->a, struct claim);
	*c = *found;
	c->title = told->title;
	c->signature = told->signature;
	if (!c->function) {
		c->function = told->function;
		c->module = told->module;
		c->place = told->place;
		c->subsystem = told->subsystem;
	}
	if (c->sure == SURE_LIKELY) {
		c->sure = SURE_CERTAIN;
		c->why_sure =
			arena_printf(g->a, "the kernel reported that task, and memory agrees: %s",
				     found->why_sure);
	}
	claim_headline(g, c, r);
	return c;
}

/* The first object that tasks wait for, and whose owner is no task any more; NULL: there is none.
 */
static const struct wait_object *left_locked(const struct wait_graph *gr)
{
	for (size_t i = 0; i < gr->objects.n; i++)
		if (gr->objects.p[i].orphan && gr->objects.p[i].n)
			return &gr->objects.p[i];
	return NULL;
}

const struct claim *claim_tie(struct triage *g, const struct claim *found)
{
	const struct wait_object *o;
	const struct wait_graph *gr;
	const char *name;
	struct err ignored;
	struct claim *c;

	if (g->from_text || !found->report || !report_kind_is(found->report->kind, KIND_IS_TRAP) ||
	    !triage_graph(g, &gr, &ignored) || !(o = left_locked(gr)))
		return found;
	name = o->name ? o->name : arena_printf(g->a, "0x%" PRIx64, o->addr);
	c = ARENA_NEW(g->a, struct claim);
	*c = *found;
	c->sentence = arena_printf(g->a, "%s; %s %s is left locked, and %zu wait for it",
				   found->sentence, o->type, name, o->n);
	c->why_sure = arena_printf(g->a, "%s; a task that is no more has what others wait for",
				   found->why_sure);
	claim_support(g, c, arena_printf(g->a, "%s %s", o->type, name), "%s", o->state);
	return c;
}
