/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects that several tasks have, or whose wait several tasks must end. */
#include "core/linux/wait/wait_impl.h"

void wait_many_add(struct wait_many *m, const struct task *task)
{
	if (!task)
		return;
	for (size_t i = 0; i < m->n; i++)
		if (m->tasks[i] == task)
			return;
	m->total++;
	if (m->n < WAIT_MANY)
		m->tasks[m->n++] = task;
}

void wait_many_give(struct wait_graph *g, const struct wait_many *m, struct wait_object *o,
		    enum wait_proof by)
{
	const struct task **others;

	if (!m->n)
		return;
	others = ARENA_ARRAY(g->t->scratch, const struct task *, m->n);
	for (size_t i = 1; i < m->n; i++)
		others[i - 1] = m->tasks[i];
	o->holder = m->tasks[0];
	o->holder_by = by;
	o->others = others;
	o->n_others = m->n - 1;
}
