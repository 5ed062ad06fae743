/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With which registers the unwinding of a task starts. */
#include <string.h>

#include "core/linux/arch.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/task/task_impl.h"

bool task_is_kernel(const struct task *task)
{
	return task->flags & 0x00200000 /* PF_KTHREAD */ || task->pid == 0;
}

/* ---- a running task: its CPU's registers */

/* struct elf_prstatus in a note of this CPU's own crash_notes, written by crash_save_cpu(). */
static bool regs_of_crash_notes(struct target *t, unsigned cpu, struct regs *ret, struct err *err)
{
	uint64_t addr, off;
	uint8_t note[1024];
	uint32_t namesz, descsz;
	size_t n;

	if (!symbol_addr(t, "crash_notes", &addr))
		return err_set(err, ERR_NOSYM, "no symbol 'crash_notes'");
	if (!mem_ptr(t, addr, &addr, err) || !percpu_offset(t, cpu, &off, err))
		return false;
	addr = percpu_sum(t, addr, off);
	n = mem_read_some(t, addr, note, sizeof(note), err);
	if (n < 20)
		return n ? err_set(err, ERR_TRUNCATED, "note cut short") : false;
	namesz = target_u32(t, note);
	descsz = target_u32(t, note + 4);
	if (!namesz && !descsz)
		return err_set(err, ERR_NOTFOUND, "the kernel saved none");
	if (namesz != 5 || target_u32(t, note + 8) != 1 || memcmp(note + 12, "CORE", 5) ||
	    descsz > n - 20)
		return err_set_addr(err, ERR_CORRUPT, addr, "0x%llx is not an NT_PRSTATUS note",
				    (unsigned long long)addr);
	return t->arch->regs_of_prstatus(SPAN(note + 20, descsz), t->arch->big, ret, err);
}

/* Did the kernel save registers of any CPU? Then the dump's notes are those, and only those. */
static bool kernel_saved(struct target *t)
{
	struct task_state *st = task_state(t);
	struct err ignored;
	struct regs regs;
	unsigned n;

	if (!st->saved_tried && cpus_count(t, &n, &ignored)) {
		st->saved_tried = true;
		for (unsigned cpu = 0; cpu < n && !st->saved; cpu++)
			st->saved =
				cpu_has_run(t, cpu) && regs_of_crash_notes(t, cpu, &regs, &ignored);
	}
	return st->saved;
}

/* QEMU numbers its notes' pids itself, by CPU from 1; those of s390x in the order of bytes of the
 * machine that it runs on (target/s390x/arch_dump.c). */
static bool notes_are_numbered(const struct target *t)
{
	for (size_t i = 0; i < t->cpus.n; i++) {
		uint32_t pid = t->cpus.p[i].pid;

		if (pid && pid != i + 1 && __builtin_bswap32(pid) != i + 1)
			return false;
	}
	return true;
}

/*
 * The dump's own notes. QEMU writes one for each CPU. The kernel's have no CPU number and leave out
 * CPUs that did not answer, but tell the pid of the task; that of the idle task is no one's.
 */
static const struct cpu_regs *regs_of_dump(struct target *t, const struct task *task)
{
	size_t i = (size_t)task->cpu;

	if (!kernel_saved(t) && notes_are_numbered(t))
		return i < t->cpus.n && t->cpus.p[i].regs.have ? &t->cpus.p[i] : NULL;
	for (i = 0; task->pid && i < t->cpus.n; i++)
		if (t->cpus.p[i].regs.have && (int)t->cpus.p[i].pid == task->pid)
			return &t->cpus.p[i];
	return NULL;
}

static bool start_active(struct target *t, const struct task *task, struct unwind_start *ret,
			 struct err *err)
{
	const struct cpu_regs *dumped;

	ret->how = "regs";
	ret->exact = true;
	if (regs_of_crash_notes(t, (unsigned)task->cpu, &ret->regs, err)) {
		stack_dying(t, ret);
		return true;
	}
	dumped = regs_of_dump(t, task);
	if (!dumped && !t->cpus.n && stack_panicked(t, task->stack, ret))
		return true;
	if (!dumped)
		return err_wrap(err,
				"registers of CPU %d: not in the dump's notes, and crash_notes",
				task->cpu);
	ret->regs = dumped->regs;
	if (!notes_are_numbered(t))
		stack_dying(t, ret);
	else
		ret->pc_doubt = t->arch->notes_lack_pc;
	return true;
}

/* ---- a sleeping task: what the switch left */

static bool start_sleeping(struct target *t, const struct task *task, struct unwind_start *ret,
			   struct err *err)
{
	const struct linux_arch *arch = linux_arch_of(t->arch);
	struct symbol sym;
	struct err ignored;
	uint64_t pc, off;

	if (!arch->sleeping)
		return err_set(err, ERR_UNSUPPORTED, "where %s keeps a sleeping task's registers",
			       t->arch->name);
	ret->how = "switch";
	if (!arch->sleeping(t, task->addr, &ret->regs, err))
		return err_wrap(err, "registers of sleeping task 0x%llx",
				(unsigned long long)task->addr);
	/* a task that never ran starts at the first byte of ret_from_fork, which is no return */
	ret->exact = regs_get(&ret->regs, t->arch->pc, &pc) &&
		     symbol_at(t, pc, &sym, &off, &ignored) && off == 0;
	return true;
}

bool task_unwind_start(struct target *t, const struct task *task, struct unwind_start *ret,
		       struct err *err)
{
	if (!t->arch)
		return err_set(err, ERR_NEED, "the architecture is not known: no dump is loaded");
	memset(ret, 0, sizeof(*ret));
	ret->task = task->addr;
	ret->cpu = task->active ? task->cpu : -1;
	if (task->active)
		return start_active(t, task, ret, err);
	if (task->letter == 'Z' || task->letter == 'X')
		if (!task->stack)
			return err_set(err, ERR_NOTFOUND, "task %d is dead: it has no stack",
				       task->pid);
	return start_sleeping(t, task, ret, err);
}
