/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completions that another task brings about when it ends, parks or begins. */
#include "core/linux/container/list.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define CREATES_MAX 4096

/* The ends of a task: task_struct.vfork_done of a child is the completion on its parent's stack; of
 * a kernel thread it is kthread.exited, which kthread_stop() waits for. */
static void vforks_make(struct wait_graph *g, const struct task *all, size_t n)
{
	struct err ignored;
	uint64_t done;

	for (size_t i = 0; i < n; i++)
		if (field_u64(g->t, "struct task_struct", all[i].addr, "vfork_done", &done,
			      &ignored) &&
		    done)
			*map_put(&g->impl->vforks, done, NULL) = (uintptr_t)&all[i];
}

/* What the kernel keeps of a kernel thread; 0: it has none. */
static uint64_t kthread_of(struct target *t, const struct task *task)
{
	struct err ignored;
	uint64_t to;

	/* e32cf5dfbe227 (v5.17); before it a member was borrowed that kernel threads do not use */
	if (!task_is_kernel(task) || !field_u64(t, "struct task_struct", task->addr,
						"worker_private|set_child_tid", &to, &ignored))
		return 0;
	return to;
}

static void parked_make(struct wait_graph *g, const struct task *all, size_t n)
{
	struct err ignored;
	uint64_t kthread, off;

	if (!field_offset(g->t, "struct kthread", "parked", &off, &ignored))
		return;
	for (size_t i = 0; i < n; i++)
		if ((kthread = kthread_of(g->t, &all[i])))
			*map_put(&g->impl->parked, kthread + off, NULL) = (uintptr_t)&all[i];
}

static const struct task *mapped(const struct map *m, uint64_t completion)
{
	const uint64_t *p = map_get(m, completion);

	return p ? (const struct task *)(uintptr_t)*p : NULL;
}

/* ---- threads that are to be made */

struct create {
	struct target *t;
	uint64_t completion;
	bool found;
	unsigned steps;
};

static bool create_look(uint64_t create, void *arg)
{
	struct create *c = arg;
	struct err ignored;
	uint64_t done;

	c->found = field_u64(c->t, "struct kthread_create_info", create, "done", &done, &ignored) &&
		   done == c->completion;
	return !c->found && ++c->steps < CREATES_MAX;
}

/* Who wants a kernel thread puts it on a list that kthreadd takes it from; from then on the new
 * thread itself has to begin. */
static void created_by(const struct wait_stack *s, struct wait_object *o)
{
	struct create c = { .t = s->g->t, .completion = o->addr };
	uint64_t head, off, kthreadd;
	struct err ignored;

	o->state = "a kernel thread that is to begin";
	if (!symbol_addr(s->g->t, "kthreadd_task", &kthreadd) ||
	    !mem_ptr(s->g->t, kthreadd, &kthreadd, &ignored) ||
	    !(o->holder = wait_task(s->g, kthreadd)))
		return;
	o->holder_by = WAIT_BY_CANDIDATE;
	if (symbol_addr(s->g->t, "kthread_create_list", &head) &&
	    field_offset(s->g->t, "struct kthread_create_info", "list", &off, &ignored) &&
	    (list_each(s->g->t, head, off, "threads to make", create_look, &c, &ignored) ||
	     c.found) &&
	    c.found) {
		o->state = "a kernel thread that is still to be made";
		o->holder_by = WAIT_BY_RULE;
	}
}

bool wait_for_thread(const struct wait_stack *s, struct wait_object *o)
{
	static const char *const create[] = { "__kthread_create", "kthread_create", NULL };
	struct wait_impl *impl = s->g->impl;
	const struct task *all, *task;
	struct err ignored;
	size_t n, frame;

	if (!impl->vforks_made && tasks_all(s->g->t, &all, &n, &ignored)) {
		vforks_make(s->g, all, n);
		parked_make(s->g, all, n);
	}
	impl->vforks_made = true;
	if ((task = mapped(&impl->vforks, o->addr)))
		o->state = task_is_kernel(task) ? "the end of a kernel thread"
						: "that a task ends or runs another program";
	else if ((task = mapped(&impl->parked, o->addr)))
		o->state = "that a kernel thread parks";
	if (task) {
		o->holder = task;
		o->holder_by = WAIT_BY_RULE;
		return true;
	}
	if (!wait_has_frame(s, create, &frame) || o->addr - s->task->stack >= impl->stack_size)
		return false;
	created_by(s, o);
	return true;
}
