/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits of programs for semaphores and messages of System V and POSIX. */
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* What waits on the stack, and what for. Its list is one of several that the object has. */
struct ipc_form {
	const char *type, *waiter, *task, *list;
};
static const struct ipc_form forms[] = {
	{ "sysv_sem", "struct sem_queue", "sleeper", "list" },
	{ "sysv_msg", "struct msg_receiver", "r_tsk", "r_list" },
	{ "sysv_msg", "struct msg_sender", "tsk", "list" },
	{ "posix_mq", "struct ext_wait_queue", "task", "list" },
};
static const char *const sem_functions[] = { "__do_semtimedop", "do_semtimedop", NULL };
static const char *const msg_functions[] = { "do_msgrcv", "do_msgsnd", NULL };
static const char *const mq_functions[] = { "wq_sleep", "do_mq_timed", NULL };
static const char *const *const functions[] = { sem_functions, msg_functions, msg_functions,
						mq_functions };

static bool form_find(const struct wait_stack *s, const struct ipc_form *form,
		      struct wait_found *ret)
{
	const struct wait_ring *ring;
	struct wait_layout l;
	size_t i = 0;

	if (!wait_layout_of(s->g->t, form->waiter, form->task, form->list, &l))
		return false;
	while (wait_waiter(s, &l, &i, &ret->edge.waiter)) {
		ring = wait_ring_of(s->g, &l, ret->edge.waiter);
		if (!ring->head && !ring->flaw)
			continue; /* linked with itself alone: it was taken off its list */
		ret->object.type = form->type;
		ret->object.addr = ring->head;
		ret->edge.flaw = ring->flaw;
		ret->edge.by = ring->head ? WAIT_BY_RING : WAIT_BY_NOTHING;
		return true;
	}
	return false;
}

static bool ipc_find(const struct wait_stack *s, struct wait_found *ret)
{
	size_t frame;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (wait_has_frame(s, functions[i], &frame) && form_find(s, &forms[i], ret))
			return true;
	return false;
}

static const char *const ipc_functions[] = {
	"__do_semtimedop", "do_semtimedop", "do_msgrcv", "do_msgsnd",
	"wq_sleep",        "do_mq_timed",   NULL
};
const struct wait_kind wait_ipc = { ipc_functions, ipc_find, NULL };
