/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who completes a completion, where the way in which a task waits tells. */
#include "core/linux/wait/wait_impl.h"

void wait_completer(const struct wait_stack *s, struct wait_object *o)
{
	static bool (*const rules[])(const struct wait_stack *s, struct wait_object *o) = {
		wait_for_thread, wait_for_dump, wait_for_srcu, wait_for_rcu, wait_for_work,
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i](s, o))
			return;
	o->state = arena_printf(s->g->t->scratch, "%s; a completion has no owner",
				o->state ? o->state : "unreadable");
}
