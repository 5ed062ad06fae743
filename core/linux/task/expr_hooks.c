/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What expressions ask of the kernel: where a CPU has its copy of a variable, and which task is
 * meant. */
#include "core/linux/task/expr_hooks.h"

#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"

static bool percpu_of(struct target *t, const struct symbol *sym, unsigned cpu, uint64_t *addr,
		      struct err *err)
{
	uint64_t off;

	if (!percpu_offset(t, cpu, &off, err))
		return false;
	*addr = sym->addr + off;
	return true;
}

static bool task_of(struct target *t, bool current, uint64_t *addr, struct err *err)
{
	const struct task *task;
	const char *how;

	if (!task_panic(t, &task, &how, err) && !(current && task_on_cpu(t, 0, &task, err)))
		return false;
	*addr = task->addr;
	return true;
}

const struct expr_hooks expr_percpu = { .is_percpu = percpu_is,
					.percpu = percpu_of,
					.task = task_of };
