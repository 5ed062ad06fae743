/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Futexes: a program's own locks, of which the kernel knows where they are. */
#include "core/linux/memory/user.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define KEY_SHARED 3u /* low bits of the offset: 1 by inode, 2 by mm; 0 private */
#define KEY_INODE 1u

static bool futex_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct target *t = s->g->t;
	uint64_t offset, word, space;
	struct wait_layout l;
	struct err ignored;
	size_t i = 0;

	if (!wait_layout_of(t, "struct futex_q", "task", "list.node_list", &l))
		return false;
	while (wait_waiter(s, &l, &i, &ret->edge.waiter)) {
		const uint64_t q = ret->edge.waiter;

		if (!field_u64(t, "struct futex_q", q, "key.both.offset", &offset, &ignored) ||
		    !field_u64(t, "struct futex_q", q, "key.both.word", &word, &ignored) ||
		    !field_u64(t, "struct futex_q", q, "key.both.ptr", &space, &ignored))
			continue;
		ret->object.type = "futex";
		ret->object.space = space;
		/* by an inode the word is the page's number in the file */
		ret->object.addr = (offset & KEY_SHARED) == KEY_INODE
					   ? word * t->page_size + (offset & ~(uint64_t)KEY_SHARED)
					   : word + (offset & ~(uint64_t)KEY_SHARED);
		ret->edge.mode = (offset & KEY_SHARED) == KEY_INODE ? "shared" : NULL;
		ret->edge.by = WAIT_BY_RING;
		return true;
	}
	return false;
}

static void futex_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct user_space u;
	struct err ignored;
	uint8_t b[4];

	if (o->space != s->task->mm || !user_space_init(&u, s->g->t, s->task, &ignored) ||
	    !user_read(&u, o->addr, b, sizeof(b), &ignored)) {
		o->state = "a futex has no owner that the kernel knows";
		return;
	}
	o->state = arena_printf(s->g->t->scratch,
				"its word is 0x%x; a futex has no owner that the kernel knows",
				target_u32(s->g->t, b));
}

static const char *const futex_functions[] = { "futex_wait", "__futex_wait", "do_futex", NULL };
const struct wait_kind wait_futex = { futex_functions, futex_find, futex_describe };
