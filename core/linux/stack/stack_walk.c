/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A task's backtrace from wherever its registers are, and what refers to what on it. */
#include <inttypes.h>
#include <string.h>

#include "core/linux/stack/stack_walk.h"
#include "core/linux/task/task.h"
#include "core/linux/stack/stack.h"

/* Stacks that are searched word by word. */
#define REFERS_MAX (1u << 20)

/* A CPU's registers as the dump's notes have them. */
static bool start_of_note(struct target *t, int cpu, struct unwind_start *ret)
{
	if (cpu < 0 || (size_t)cpu >= t->cpus.n || !t->cpus.p[cpu].regs.have)
		return false;
	*ret = (struct unwind_start){ .how = "regs",
				      .exact = true,
				      .pc_doubt = t->arch->notes_lack_pc,
				      .cpu = -1,
				      .regs = t->cpus.p[cpu].regs };
	return true;
}

/* Begins the walk where the person says. Where that is another place of the stack, the registers
 * that the task had are not this frame's. */
static bool start_as_told(struct target *t, const struct walk_style *style,
			  struct unwind_start *start, struct err *err)
{
	const struct arch *arch = t->arch;
	uint64_t sp = style->sp, pc = style->pc, fp;

	if (!style->has_sp && !regs_get(&start->regs, arch->sp, &sp))
		return err_set(err, ERR_NEED, "the task's stack pointer is not known: -S gives it");
	if (!style->has_pc) {
		struct arch_facts facts = target_facts(t);

		if (!mem_ptr(t, style->sp, &pc, err))
			return false;
		pc = arch->strip_pac(&facts, pc);
		if (!symbol_is_text(t, pc - 1) || !follows_call(t, pc))
			return err_set_addr(err, ERR_NOTFOUND, sp,
					    "no return address lies at 0x%" PRIx64
					    ": -I says which code the frame is of",
					    sp);
		if (!unwind_told_sp(t, style->sp, &sp, err))
			return false;
	}
	start->how = "given";
	start->exact = !follows_call(t, pc);
	start->pc_doubt = false;
	if (style->has_sp)
		start->regs = (struct regs){ 0 };
	regs_set(&start->regs, arch->pc, pc);
	regs_set(&start->regs, arch->sp, sp);
	if (style->has_sp && unwind_told_fp(t, sp, start->exact, &fp))
		regs_set(&start->regs, arch->fp, fp);
	return true;
}

void task_backtrace(struct target *t, const struct task *task, const struct walk_style *style,
		    struct unwind_result *ret)
{
	struct unwind_start start;

	*ret = (struct unwind_result){ .n = 0 };
	if (task->addr ? !task_unwind_start(t, task, &start, &ret->end)
		       : !start_of_note(t, task->cpu, &start))
		return;
	if ((style->has_pc || style->has_sp) && !start_as_told(t, style, &start, &ret->end))
		return;
	start.scan = style->scan;
	start.registers = style->registers;
	unwind(t, &start, style->max, ret);
}

bool tasks_of_notes(struct target *t, bool all, const struct task **ret, size_t *n, struct err *err)
{
	struct task *tasks = ARENA_ARRAY(t->scratch, struct task, t->cpus.n + 1);
	const struct walk_style plain = { .max = 0 };

	if (!t->cpus.n)
		return err_set(
			err, ERR_NEED,
			"the dump has neither types nor notes of registers: give its vmlinux");
	*n = 0;
	for (int pass = all; pass < 2 && !*n; pass++)
		for (size_t cpu = 0; cpu < t->cpus.n; cpu++) {
			struct task task = { .cpu = (int)cpu, .active = true };
			struct unwind_result u;

			if (pass == 0)
				task_backtrace(t, &task, &plain, &u);
			if (pass == 1 || stack_death(t, &u))
				tasks[(*n)++] = task;
		}
	*ret = tasks;
	return true;
}

bool stack_refers(struct target *t, const struct unwind_result *u, const char *name,
		  const uint64_t *addr)
{
	uint64_t lo = u->n ? u->frames[0].sp : 0, hi = u->n ? u->frames[u->n - 1].sp : 0, word, off;
	struct symbol sym;
	struct err err;

	for (size_t i = 0; i < u->n; i++)
		if (symbol_at(t, frame_lookup_pc(&u->frames[i]), &sym, &off, &err) &&
		    (!strcmp(sym.name, name) ||
		     (addr && (*addr == sym.addr || *addr == u->frames[i].pc))))
			return true;
	if (!addr || hi - lo > REFERS_MAX)
		return false;
	for (uint64_t at = lo & ~UINT64_C(7); at < hi; at += 8)
		if (mem_u64(t, at, &word, &err) && word == *addr)
			return true;
	return false;
}
