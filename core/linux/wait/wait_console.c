/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The consoles: who prints, and the CPU that spins to print next. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* The task that writes to a console; NULL: none does, or it is not known. */
static const struct task *console_printer(struct wait_graph *g, uint64_t *at)
{
	struct err ignored;
	uint64_t owner;

	return symbol_addr(g->t, "console_owner", at) && mem_ptr(g->t, *at, &owner, &ignored)
		       ? wait_task(g, owner)
		       : NULL;
}

/* A CPU that finds somebody printing waits to be handed the consoles; one may. It calls nothing
 * then. */
static bool console_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct target *t = s->g->t;
	struct err ignored;
	uint64_t waiter, at;
	const struct task *owner;
	uint8_t waits;

	owner = console_printer(s->g, &at);
	if (!owner || owner == s->task || (s->frame && !s->frames[s->frame - 1].has_regs) ||
	    !symbol_addr(t, "console_waiter", &waiter) ||
	    !mem_read(t, waiter, &waits, 1, &ignored) || !waits)
		return false;
	ret->object.type = "console";
	ret->object.addr = at;
	ret->edge.by = WAIT_BY_RULE;
	return true;
}

static void console_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t at;

	o->state = "it is printed to";
	if ((o->holder = console_printer(s->g, &at)))
		o->holder_by = WAIT_BY_OWNER_WORD;
}

static const char *const console_functions[] = { "console_trylock_spinning", "vprintk_emit", NULL };
const struct wait_kind wait_console = { console_functions, console_find, console_describe };

/* Who prints has console_sem, a semaphore, which names nobody. */
void wait_console_tell(struct wait_graph *g)
{
	const struct task *printer;
	uint64_t sem, at;

	if (!symbol_addr(g->t, "console_sem", &sem) || !(printer = console_printer(g, &at)))
		return;
	for (size_t i = 0; i < g->objects.n; i++) {
		struct wait_object *o = &g->objects.p[i];

		if (o->addr != sem || strcmp(o->type, "semaphore") != 0)
			continue;
		o->holder = printer;
		o->holder_by = WAIT_BY_OWNER_WORD;
		o->state = arena_printf(g->t->scratch, "%s; console_owner prints",
					o->state ? o->state : "unreadable");
	}
}
