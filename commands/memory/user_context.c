/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose memory an address is of, where nobody says so. */
#include "commands/memory/user_context.h"
#include "core/obit.h"

bool user_context(struct ctx *c, uint64_t va, struct user_space *ret)
{
	const struct task *task;
	struct user_space u;
	struct err ignored;

	if (!c->s->task || !session_task(c->s, &task, &ignored) || !task->mm ||
	    !user_space_init(&u, c->t, task, &ignored) || va >= u.end)
		return false;
	*ret = u;
	return true;
}
