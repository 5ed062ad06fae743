/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How large a task's stack is. */
#include "core/linux/task/task_impl.h"

#define STACK_DEFAULT 16384

/* The size of init_task's stack, by what the linker script says around it. */
bool task_stack_size(struct target *t, uint64_t *ret, struct err *err)
{
	/* renamed by 8f69cba096b5 (v6.10) */
	static const char *const names[][2] = { { "__start_init_stack", "__end_init_stack" },
						{ "__start_init_task", "__end_init_task" },
						{ "init_stack", "__end_init_task" } };
	struct task_state *st = task_state(t);
	uint64_t lo, hi;

	(void)err;
	for (size_t i = 0; !st->stack_size && i < ARRAY_SIZE(names); i++)
		if (symbol_addr(t, names[i][0], &lo) && symbol_addr(t, names[i][1], &hi) &&
		    hi - lo >= 4096 && hi - lo <= 1 << 20 && !((hi - lo) & (hi - lo - 1)))
			st->stack_size = hi - lo;
	if (!st->stack_size)
		st->stack_size = STACK_DEFAULT;
	*ret = st->stack_size;
	return true;
}
