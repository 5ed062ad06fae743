/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who may hold a lock that names nobody: a task with its address in a live frame that does not wait
 * for it itself. That proves nothing. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"

void wait_cpu_add(struct wait_graph *g, unsigned cpu, const struct task *task, const uint64_t *live,
		  size_t n_live)
{
	struct wait_impl *impl = g->impl;

	*vec_push(&impl->cpus) =
		(struct wait_cpu){ .cpu = cpu, .task = task, .live = live, .n_live = n_live };
	*map_put(&impl->cpu_at, cpu, NULL) = impl->cpus.n;
}

const struct task *wait_cpu_task(const struct wait_graph *g, unsigned cpu)
{
	const uint64_t *p = map_get(&g->impl->cpu_at, cpu);

	return p ? g->impl->cpus.p[*p - 1].task : NULL;
}

static void suspect(struct wait_graph *g, size_t number, const struct task *task)
{
	struct wait_suspect *w = &g->impl->suspects.p[number];
	const struct wait_edge *e = wait_edge_of(g, task);

	if (task == w->last || (e && e->object == w->object))
		return; /* it was counted, or waits for it itself */
	w->last = task;
	w->n++;
	if (!w->first)
		w->first = task;
}

/* Who runs may have it; only where none of these does, one that sleeps is suspected. */
void wait_suspect_running(struct wait_graph *g)
{
	struct wait_impl *impl = g->impl;
	const uint64_t *at;

	for (size_t i = 0; i < g->objects.n; i++) {
		const struct wait_object *o = &g->objects.p[i];

		if (o->holder || (strcmp(o->type, "spinlock") && strcmp(o->type, "rwlock")))
			continue;
		*vec_push(&impl->suspects) = (struct wait_suspect){ .object = i };
		*map_put(&impl->wanted, o->addr, NULL) = impl->suspects.n;
	}
	if (!impl->suspects.n)
		return;
	for (size_t c = 0; c < impl->cpus.n; c++) {
		const struct wait_cpu *cpu = &impl->cpus.p[c];

		for (size_t i = 0; i < cpu->n_live; i++)
			if ((at = map_get(&impl->wanted, cpu->live[i])))
				suspect(g, *at - 1, cpu->task);
	}
	for (size_t i = 0; i < impl->suspects.n; i++)
		if (impl->suspects.p[i].n)
			*map_put(&impl->wanted, g->objects.p[impl->suspects.p[i].object].addr,
				 NULL) = 0;
}

void wait_suspect_words(struct wait_graph *g, const struct task *task, const uint64_t *words,
			size_t n)
{
	struct wait_impl *impl = g->impl;

	for (size_t i = 0; impl->wanted.n && i < n; i++) {
		const uint64_t *at = map_get(&impl->wanted, words[i]);

		if (at && *at)
			suspect(g, *at - 1, task);
	}
}

void wait_suspects_tell(struct wait_graph *g)
{
	for (size_t i = 0; i < g->impl->suspects.n; i++) {
		const struct wait_suspect *w = &g->impl->suspects.p[i];
		struct wait_object *o = &g->objects.p[w->object];

		if (o->holder || !w->n)
			continue;
		o->holder = w->first;
		o->holder_by = WAIT_BY_CANDIDATE;
		o->state = arena_printf(g->t->scratch, "%s%s%zu %s its address in a frame",
					o->state ? o->state : "", o->state ? "; " : "", w->n,
					w->n == 1 ? "other task has" : "other tasks have");
	}
}
