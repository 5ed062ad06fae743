/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of tasks from one command to the next. */
#include "core/linux/linux.h"
#include "core/linux/task/task_impl.h"

struct task_state *task_state(struct target *t)
{
	void **cell = &t->linux_state->of[LINUX_TASK];

	if (!*cell)
		*cell = ARENA_NEW(&t->arena, struct task_state);
	return *cell;
}

void linux_task_release(struct target *t)
{
	struct task_state *st = t->linux_state->of[LINUX_TASK];

	if (!st)
		return;
	map_release(&st->by_addr);
	map_release(&st->by_pid);
	map_release(&st->curr);
	map_release(&st->split);
}
