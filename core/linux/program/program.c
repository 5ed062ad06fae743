/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task's program: its areas, and the registers with which it will go on. */
#include "core/linux/arch.h"
#include "core/linux/program/program_impl.h"
#include "core/linux/task/task.h"

/* ---- areas */

static bool area_take(const struct vma *v, void *arg)
{
	struct user_program *p = arg;

	if (p->areas.n >= PROGRAM_AREAS_MAX)
		return !err_set(&p->areas_why, ERR_LIMIT, "more than %u areas", PROGRAM_AREAS_MAX);
	/* they come by address; one that does not is of a damaged list */
	if (v->end <= v->start || (p->areas.n && v->start < p->areas.p[p->areas.n - 1].end))
		err_set_addr(&p->areas_why, ERR_CORRUPT, v->addr,
			     "area 0x%llx overlaps the one before it, or has no end",
			     (unsigned long long)v->addr);
	else
		*vec_push(&p->areas) = *v;
	return true;
}

static void area_flaw(const struct err *e, void *arg)
{
	struct user_program *p = arg;

	if (p->areas_why.code == ERR_OK)
		p->areas_why = *e;
}

bool program_init(struct user_program *ret, struct target *t, const struct task *task,
		  const char *sysroot, struct arena *arena, struct err *err)
{
	struct err why;

	*ret = (struct user_program){ .t = t, .task = task, .sysroot = sysroot, .arena = arena };
	if (!user_space_init(&ret->space, t, task, err))
		return false;
	if (!vma_each(t, task->mm, arena, area_take, area_flaw, ret, &why)) {
		if (why.code == ERR_INTR)
			return *err = why, false;
		ret->areas_why = why;
	}
	return true;
}

void program_release(struct user_program *p)
{
	program_files_release(p);
	vec_release(&p->areas);
}

const struct vma *program_area_at(const struct user_program *p, uint64_t va)
{
	size_t lo = 0, hi = p->areas.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (va >= p->areas.p[mid].end)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < p->areas.n && va >= p->areas.p[lo].start ? &p->areas.p[lo] : NULL;
}

/* ---- registers */

/* A task that was in its program when its CPU's registers were saved: those are newer than any that
 * the kernel put on a stack. */
static bool on_its_cpu(struct target *t, const struct task *task, struct program_regs *ret)
{
	struct unwind_start start;
	struct err ignored;

	if (!task->active || !task_unwind_start(t, task, &start, &ignored) || !start.exact ||
	    !arch_regs_user(t->arch, &start.regs))
		return false;
	ret->regs = start.regs;
	return true;
}

static bool regs_at(struct target *t, uint64_t at, struct regs *ret, struct err *err)
{
	struct span bytes;

	return mem_bytes(t, at, t->arch->pt_regs_size, 4096, t->scratch, &bytes, err) &&
	       t->arch->regs_of_pt_regs(bytes, ret, err);
}

bool program_regs(struct target *t, const struct task *task, struct program_regs *ret,
		  struct err *err)
{
	const struct linux_arch *arch = linux_arch_of(t->arch);
	uint64_t above = arch->above_always ? arch->above_pt_regs : 0, size;
	const struct type *type;

	*ret = (struct program_regs){ .at = 0 };
	if (task_is_kernel(task))
		return err_set(err, ERR_NOTFOUND, "'%s' is a kernel thread", task->comm);
	if (!arch->program_mode)
		return err_set(
			err, ERR_UNSUPPORTED,
			"where this machine's kernel saves a program's registers is not known");
	if (on_its_cpu(t, task, ret)) {
		(void)arch->program_mode(&ret->regs, &ret->compat);
		if (arch->program_regs)
			arch->program_regs(t, task->addr, &ret->regs);
		return true;
	}
	if (!type_find(t, "struct pt_regs", &type, err) || !task_stack_size(t, &size, err))
		return false;
	for (;; above = arch->above_pt_regs) {
		ret->at = task->stack + size - above - type->size;
		if (!regs_at(t, ret->at, &ret->regs, err))
			return err_wrap(err, "registers of the program of task %d", task->pid);
		if (arch->program_mode(&ret->regs, &ret->compat))
			break;
		if (above == arch->above_pt_regs)
			return err_set(err, ERR_NOTFOUND,
				       "'%s' has no user's registers on its stack", task->comm);
	}
	if (arch->program_regs)
		arch->program_regs(t, task->addr, &ret->regs);
	return true;
}
