/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread's memory as gdb is shown it: with the return addresses that gdb could not follow put
 * right. */
#include "core/linux/memory/user.h"
#include "core/linux/stack/stack.h"
#include "core/shell/gdb/gdb_thread.h"
#include "core/unwind/unwind.h"

#define OPEN_MAX 64u

/* Where function_graph put an address of its own, at va, the one that it took. */
static uint64_t put_back_word(struct target *t, uint64_t task, uint64_t va, uint64_t word)
{
	struct open_function open[OPEN_MAX];
	struct err ignored;
	size_t n;

	if (!is_fgraph(t, word))
		return word;
	n = fgraph_open(t, task, open, OPEN_MAX, &ignored);
	/* a function that was jumped to took an address that was taken before */
	for (size_t i = 0; i < n; i++)
		if (open[i].slot == va && !is_fgraph(t, open[i].ret))
			return open[i].ret;
	return word;
}

/* The words of the thread's stack among the n bytes that were read from va on. */
static void mend_stack(struct target *t, const struct gdb_thread *th, uint64_t va, uint8_t *bytes,
		       size_t n)
{
	unsigned size = t->arch->word;
	uint64_t task = th->task ? th->task->addr : 0;
	size_t at = (size_t)(-va & (size - 1));
	struct stack_range stack;

	if (!t->unwind_hooks || !t->unwind_hooks->stack_of ||
	    !t->unwind_hooks->stack_of(t, task, th->cpu, va, &stack))
		return;
	for (; at < n && n - at >= size && va + at < stack.hi; at += size) {
		uint64_t was = target_uint(t, bytes + at, size);
		uint64_t word = gdb_unsigned(t, was);

		word = gdb_unsigned(t, put_back_word(t, task, va + at, word));
		if (word != was)
			target_store(t, bytes + at, size, word);
	}
}

static size_t program_read(struct target *t, const struct gdb_thread *th, uint64_t va, void *buf,
			   size_t n)
{
	struct user_space u;
	struct err err;

	if (!th->task || !user_space_init(&u, t, th->task, &err))
		return 0;
	err = (struct err){ 0 };
	if (user_read(&u, va, buf, n, &err))
		return n;
	return err.addr > va && err.addr - va < n ? (size_t)(err.addr - va) : 0;
}

size_t gdb_memory_read(struct gdb_threads *v, size_t thread, uint64_t va, void *buf, size_t n)
{
	const struct gdb_thread *th = &v->v.p[thread];
	const struct arch *arch = v->t->arch;
	bool kernels = arch->is_kernel_va(va);
	struct err ignored;
	size_t got;

	if (n > UINT64_MAX - va)
		n = (size_t)(UINT64_MAX - va);
	if (arch->shares_numbers)
		kernels = !arch_regs_user(arch, gdb_thread_regs(v, thread));
	got = kernels ? mem_read_some(v->t, va, buf, n, &ignored) : 0;
	/* how a 32-bit kernel splits addresses is not known, so that a program's may be taken for
	 * one of the kernel's */
	if (!got && !(kernels && arch->shares_numbers))
		return program_read(v->t, th, va, buf, n);
	mend_stack(v->t, th, va, buf, got);
	return got;
}
