/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Return addresses that kretprobes (and fprobes) took: each task keeps a list of them. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/stack/stack_impl.h"

/* A list of what was taken, the newest first: struct rethook_node since 54ecbe6f1ed5 (v5.18) where
 * the architecture has rethooks, struct kretprobe_instance on the others. frame is the stack slot
 * on x86, the caller's frame pointer on arm64. */
struct taken {
	const char *head;  /* member of task_struct */
	const char *node;  /* its elements */
	const char *frame; /* their member */
};
static const struct taken lists[] = {
	{ "rethooks.first", "struct rethook_node", "frame" },
	{ "kretprobe_instances.first", "struct kretprobe_instance", "fp" },
};

/* Probes on one function and their nesting; far below it in any sane kernel. */
#define TAKEN_MAX 4096

/* An older entry of the same slot has the real address where a newer one took the trampoline's. */
static bool find_in(struct target *t, const struct taken *l, uint64_t task, uint64_t slot,
		    uint64_t *ret, struct err *err)
{
	uint64_t at, next, link, frame, addr;
	struct guard g;

	if (!field_offset(t, l->node, "llist", &link, err) ||
	    !field_u64(t, "struct task_struct", task, l->head, &next, err))
		return false;
	guard_init(&g, "list of taken return addresses", TAKEN_MAX);
	for (; next; next = at) {
		if (!guard_step(&g, next, err) ||
		    !field_u64(t, l->node, next - link, l->frame, &frame, err) ||
		    !field_u64(t, l->node, next - link, "ret_addr", &addr, err) ||
		    !mem_ptr(t, next, &at, err))
			return false;
		if (frame == slot && !is_rethook(t, addr)) {
			*ret = addr;
			return true;
		}
	}
	return err_set_addr(err, ERR_NOTFOUND, task, "the task's '%s' has no entry for it",
			    l->head);
}

bool rethook_ret(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret, struct err *err)
{
	if (!task)
		return err_set(err, ERR_NEED, "which task it is is not known");
	err_set(err, ERR_NOFIELD, "no list of taken return addresses in 'struct task_struct'");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		uint64_t off;
		struct err absent;

		if (!field_offset(t, "struct task_struct", lists[i].head, &off, &absent))
			continue;
		if (find_in(t, &lists[i], task, slot, ret, err))
			return true;
	}
	return false;
}
