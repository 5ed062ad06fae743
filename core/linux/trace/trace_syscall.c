/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls by number: struct syscall_metadata, which the syscall events are made of. */
#include <string.h>

#include "core/linux/arch.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"
#include "core/linux/task/syscall.h"
#include "core/linux/trace/trace.h"

#define SYSCALLS_MAX 2048u
#define TEXT_MAX 128u

struct syscalls {
	struct syscall_info *v;
	size_t n;
};

static const char *text_at(struct target *t, uint64_t addr)
{
	const char *s;
	struct err ignored;

	return addr && mem_str(t, addr, TEXT_MAX, &t->arena, &s, &ignored) ? s : NULL;
}

/* False: it is no metadata of number nr. */
static bool read_one(struct target *t, uint64_t addr, uint64_t nr, struct syscall_info *ret)
{
	static const char type[] = "struct syscall_metadata";
	uint64_t n, name, types, args, at;
	struct err ignored;

	if (!field_u64(t, type, addr, "syscall_nr", &n, &ignored) || n != nr ||
	    !field_u64(t, type, addr, "name", &name, &ignored) ||
	    !field_u64(t, type, addr, "nb_args", &n, &ignored) || n > SYSCALL_ARGS_MAX ||
	    !field_u64(t, type, addr, "types", &types, &ignored) ||
	    !field_u64(t, type, addr, "args", &args, &ignored))
		return false;
	ret->name = text_at(t, name);
	if (!ret->name)
		return false;
	for (; ret->n_args < n; ret->n_args++) {
		uint64_t off = ret->n_args * t->arch->word;
		const char **type_at = &ret->types[ret->n_args], **arg = &ret->args[ret->n_args];

		*type_at = mem_ptr(t, types + off, &at, &ignored) ? text_at(t, at) : NULL;
		*arg = mem_ptr(t, args + off, &at, &ignored) ? text_at(t, at) : NULL;
	}
	return true;
}

static struct syscalls *trace_syscall_load(struct target *t)
{
	struct trace_state *st = trace_state(t);
	struct syscalls *all = st->syscalls;
	uint64_t table, at;
	struct err ignored;

	if (all)
		return all;
	all = st->syscalls = ARENA_NEW(&t->arena, struct syscalls);
	if (!symbol_addr(t, "syscalls_metadata", &table) || !mem_ptr(t, table, &table, &ignored) ||
	    !table)
		return all;
	all->v = ARENA_ARRAY(&t->arena, struct syscall_info, SYSCALLS_MAX);
	/* how long it is nobody says; what lies behind it does not hold its own number */
	for (size_t i = 0; i < SYSCALLS_MAX; i++) {
		if (!mem_ptr(t, table + i * t->arch->word, &at, &ignored))
			break;
		if (at && read_one(t, at, i, &all->v[i]))
			all->n = i + 1;
	}
	return all;
}

const struct syscall_info *syscall_find(struct target *t, uint64_t nr)
{
	const struct syscalls *all = trace_syscall_load(t);

	return nr < all->n && all->v[nr].name ? &all->v[nr] : NULL;
}

const char *syscall_name(struct target *t, uint64_t nr)
{
	const struct syscall_info *s = syscall_find(t, nr);

	return s ? s->name : NULL;
}

/* ---- the one that a task is in */

bool syscall_current(struct target *t, const struct task *task, struct syscall_now *ret,
		     struct err *err)
{
	const struct linux_arch *arch = linux_arch_of(t->arch);
	const uint64_t above[] = { 0, arch->above_pt_regs };
	uint64_t size, off;
	const struct type *regs;
	struct err ignored;

	if (task_is_kernel(task))
		return err_set(err, ERR_NOTFOUND, "'%s' is a kernel thread", task->comm);
	if (!type_find(t, "struct pt_regs", &regs, err) || !task_stack_size(t, &size, err))
		return false;
	if (!arch->syscall ||
	    !field_offset(t, "struct pt_regs", arch->syscall_member, &off, &ignored))
		return err_set(err, ERR_UNSUPPORTED,
			       "this machine's registers do not tell of system calls");
	for (size_t i = 0; i < (above[1] ? ARRAY_SIZE(above) : 1); i++) {
		uint64_t at = task->stack + size - above[i] - regs->size;
		uint8_t byte;
		bool user, inside;

		*ret = (struct syscall_now){ 0 };
		if (!mem_u8(t, at, &byte, err))
			return false;
		inside = arch->syscall(t, at, ret, &user);
		if (!user)
			continue;
		if (!inside)
			return err_set(err, ERR_NOTFOUND, "'%s' is in no system call", task->comm);
		ret->info = ret->compat ? NULL : syscall_find(t, (uint64_t)ret->nr);
		return true;
	}
	return err_set(err, ERR_NOTFOUND, "'%s' has no user's registers on its stack", task->comm);
}

bool cpu_preempt_count(struct target *t, unsigned cpu, const struct task *task, uint32_t *ret,
		       struct err *err)
{
	uint64_t at, off, v;

	/* x86 has one a CPU, since v6.2 in a struct with its like */
	if (percpu_addr(t, "__preempt_count", cpu, &at, err))
		return mem_u32(t, at, ret, err);
	if (percpu_addr(t, "pcpu_hot", cpu, &at, err) &&
	    field_offset(t, "struct pcpu_hot", "preempt_count", &off, err))
		return mem_u32(t, at + off, ret, err);
	if (!field_u64(t, "struct task_struct", task->addr,
		       "thread_info.preempt.count|thread_info.preempt_count", &v, err))
		return false;
	*ret = (uint32_t)v;
	return true;
}
