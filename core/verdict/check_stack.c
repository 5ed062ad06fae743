/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the kernel stacks: a task may have used all of its own. */
#include "core/verdict/check.h"

#include <inttypes.h>

#include "core/linux/task/task.h"
#include "core/types/shape.h"

/* What stands at the end of each kernel stack: include/uapi/linux/magic.h. */
#define STACK_END_MAGIC 0x57ac6e9du

/* Where that word lies: behind thread_info where this stands on the stack itself. */
static uint64_t end_of(struct triage *g, const struct task *task)
{
	uint64_t ignored, size;
	struct err err;
	const struct type *type;

	if (field_offset(g->t, "struct task_struct", "thread_info", &ignored, &err))
		return task->stack;
	if (!type_find(g->t, "struct thread_info", &type, &err))
		return task->stack;
	size = type->size;
	return task->stack + size;
}

static bool look_stacks(struct triage *g, struct finding *f, struct err *err)
{
	const struct task *tasks, *broken = NULL;
	struct err why = { .code = ERR_OK };
	size_t n, seen = 0, bad = 0, unread = 0;

	if (!tasks_all(g->t, &tasks, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t magic;

		if (!tasks[i].stack)
			continue;
		if (!mem_u32(g->t, end_of(g, &tasks[i]), &magic, &why)) {
			unread++;
			continue;
		}
		seen++;
		if (magic != STACK_END_MAGIC) {
			bad++;
			broken = broken ? broken : &tasks[i];
		}
	}
	if (bad) {
		struct claim *c = claim_new(g, "stack-overflow", SURE_LIKELY,
					    "the word at the end of the stack is overwritten");

		c->pid = broken->pid;
		c->comm = broken->comm;
		c->stack = stack_words(g, broken);
		c->sentence = arena_printf(g->a, "%s used all of its kernel stack",
					   who(g, broken->comm, broken->pid));
		f->claim = c;
		find(g, f, CHECK_FAIL, "%zu of %zu stacks are overwritten at their end", bad, seen);
	} else if (unread) {
		f->why = why;
		find(g, f, CHECK_UNKNOWN, "%zu of %zu cannot be read: %s", unread, unread + seen,
		     why.msg);
	} else {
		find(g, f, CHECK_OK, "%zu stacks end as they should", seen);
	}
	return true;
}

const struct checkup check_stacks = {
	.name = "stacks",
	.doc = "the word at the end of each kernel stack",
	.more = "stacks",
	.look = look_stacks,
};
