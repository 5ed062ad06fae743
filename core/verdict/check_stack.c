/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the kernel stacks: a task may have used all of its own. */
#include "core/verdict/check.h"

#include <inttypes.h>

#include "core/linux/task/task.h"
#include "core/types/shape.h"
#include "core/unwind/unwind.h"

/* What stands at the end of each kernel stack: include/uapi/linux/magic.h. */
#define STACK_END_MAGIC 0x57ac6e9du
#define STACK_MAX (1u << 20) /* bytes; a stack pointer further from its end is on another */

/* How far behind the end of a stack that word lies: thread_info may stand there. */
static uint64_t magic_off(struct triage *g)
{
	uint64_t ignored;
	struct err err;
	const struct type *type;

	if (field_offset(g->t, "struct task_struct", "thread_info", &ignored, &err))
		return 0;
	if (!type_find(g->t, "struct thread_info", &type, &err))
		return 0;
	return type->size;
}

#define ROOM_LOW 1024u /* bytes */

/* How many bytes a sleeping task's stack has left below it. False: nobody can tell. */
static bool room(struct triage *g, const struct task *task, uint64_t end, uint64_t *ret)
{
	struct unwind_start start;
	struct err ignored;
	uint64_t sp;

	if (task->active || !task_unwind_start(g->t, task, &start, &ignored) ||
	    !regs_get(&start.regs, g->t->arch->sp, &sp) || sp < end || sp - end > STACK_MAX)
		return false;
	*ret = sp - end;
	return true;
}

struct rooms {
	const struct task *least;
	uint64_t left;
};

static void room_see(struct triage *g, const struct task *task, uint64_t end, struct rooms *r)
{
	uint64_t left;

	if (room(g, task, end, &left) && (!r->least || left < r->left)) {
		r->least = task;
		r->left = left;
	}
}

static bool look_stacks(struct triage *g, struct finding *f, struct err *err)
{
	const struct task *tasks, *broken = NULL;
	struct err why = { .code = ERR_OK };
	struct rooms rooms = { .least = NULL };
	uint64_t off;
	size_t n, seen = 0, bad = 0, unread = 0;

	if (!tasks_all(g->t, &tasks, &n, err))
		return false;
	off = magic_off(g);
	for (size_t i = 0; i < n; i++) {
		uint64_t magic;

		if (!tasks[i].stack)
			continue;
		if (!mem_ptr(g->t, tasks[i].stack + off, &magic, &why)) {
			unread++;
			continue;
		}
		seen++;
		room_see(g, &tasks[i], tasks[i].stack + off, &rooms);
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
	} else if (rooms.least && rooms.left < ROOM_LOW) {
		find(g, f, CHECK_WARN, "%s has %" PRIu64 " bytes of its stack left",
		     who(g, rooms.least->comm, rooms.least->pid), rooms.left);
	} else if (unread) {
		f->why = why;
		find(g, f, CHECK_UNKNOWN, "%zu of %zu cannot be read: %s", unread, unread + seen,
		     why.msg);
	} else if (g->tasks_lost) {
		find(g, f, CHECK_UNKNOWN,
		     "%zu stacks end as they should, but not all tasks could be read", seen);
	} else {
		find(g, f, CHECK_OK, "%zu stacks end as they should%s", seen,
		     rooms.least ? arena_printf(g->a,
						", no sleeper has less than %" PRIu64 " bytes left",
						rooms.left)
				 : "");
	}
	return true;
}

const struct checkup check_stacks = {
	.name = "stacks",
	.doc = "the word at the end of each kernel stack, and the room that sleeping tasks have left",
	.more = "stacks",
	.look = look_stacks,
};
