/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions, and who completes one, where the way in which a task waits tells. */
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

static void name_completer(const struct wait_stack *s, struct wait_object *o)
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

static bool completion_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t off, head;

	if (!field_offset(s->g->t, "struct completion", "wait.task_list", &off, &ignored) ||
	    !wait_swait_find(s, ret, &head))
		return false;
	ret->object.type = "completion";
	ret->object.addr = head ? head - off : 0;
	return true;
}

static void completion_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct err ignored;
	uint64_t done;

	if (field_u64(s->g->t, "struct completion", o->addr, "done", &done, &ignored))
		o->state = done ? "done, and its waiter on the way" : "not done";
	if (!o->state || !done)
		name_completer(s, o);
}

static const char *const completion_functions[] = { "__wait_for_common", "wait_for_completion",
						    "do_wait_for_common", "wait_for_common", NULL };
const struct wait_kind wait_completion = { completion_functions, completion_find,
					   completion_describe };
