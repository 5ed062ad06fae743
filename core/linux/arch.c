/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rows of core/linux's architectures share. */
#include "core/linux/arch.h"
#include "core/linux/task/cpu.h"
#include "core/types/shape.h"
#include "core/types/value.h"

const struct linux_arch *linux_arch_of(const struct arch *arch)
{
	static const struct linux_arch none;

	for (size_t i = 0; linux_archs[i]; i++)
		if (arch_same(linux_archs[i]->arch, arch))
			return linux_archs[i];
	return &none;
}

bool cpu_vectors(struct target *t, const struct cpu_vector **ret, size_t *n, struct err *err)
{
	const struct linux_arch *a = linux_arch_of(t->arch);

	if (!a->vectors)
		return err_set(err, ERR_UNSUPPORTED,
			       "%s has no table of interrupt descriptors as x86 has",
			       t->arch ? t->arch->name : "this architecture");
	return a->vectors(t, ret, n, err);
}

bool stack_tell(uint64_t lo, uint64_t size, const char *name, stack_fn *fn, void *arg)
{
	const struct stack_range r = { .lo = lo, .hi = lo + size, .name = name };

	return !lo || !size || fn(&r, arg);
}

bool percpu_ptr(struct target *t, const char *symbol, uint64_t off, unsigned cpu, uint64_t *ret)
{
	uint64_t addr;
	struct err err;

	return percpu_addr(t, symbol, cpu, &addr, &err) && mem_ptr(t, addr + off, ret, &err) &&
	       *ret;
}

bool saved_read(struct target *t, const struct type *type, uint64_t addr,
		const struct saved_reg *saved, size_t n, const char *pc_member, struct regs *regs,
		struct err *err)
{
	struct value frame = value_load(t, value_ref(type, addr)), v;
	uint64_t word;

	if (!value_member(t, frame, pc_member, &v, err) || !value_u64(t, v, &word, err))
		return false;
	regs_set(regs, t->arch->pc, word);
	for (size_t i = 0; i < n; i++) {
		struct err ignored;

		if (value_member(t, frame, saved[i].member, &v, &ignored) &&
		    value_u64(t, v, &word, &ignored))
			regs_set(regs, saved[i].reg, word);
	}
	return true;
}

uint64_t pt_regs_member(struct target *t, uint64_t regs, const char *name)
{
	uint64_t v;
	struct err ignored;

	return field_u64(t, "struct pt_regs", regs, name, &v, &ignored) ? v : 0;
}
