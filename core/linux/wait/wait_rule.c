/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who completes a completion, where the way in which a task waits tells. */
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

static bool rcu_describe(const struct wait_stack *s, struct wait_object *o)
{
	static const char *const functions[] = { "__wait_rcu_gp", "synchronize_rcu", NULL };
	uint64_t state, task;
	struct err ignored;
	size_t frame;

	if (!wait_has_frame(s, functions, &frame))
		return false;
	o->state = "the end of an RCU grace period";
	if (symbol_addr(s->g->t, "rcu_state", &state) &&
	    field_u64(s->g->t, "struct rcu_state", state, "gp_kthread", &task, &ignored) &&
	    (o->holder = wait_task(s->g, task)))
		o->holder_by = WAIT_BY_CANDIDATE;
	return true;
}

void wait_completer(const struct wait_stack *s, struct wait_object *o)
{
	static bool (*const rules[])(const struct wait_stack *s, struct wait_object *o) = {
		wait_for_thread,
		rcu_describe,
		wait_for_work,
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i](s, o))
			return;
	o->state = arena_printf(s->g->t->scratch, "%s; a completion has no owner",
				o->state ? o->state : "unreadable");
}
