/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of architectures, and what all of them share. */
#include <fnmatch.h>
#include <string.h>

#include "core/arch/arch.h"
#include "core/base/buf.h"

bool regs_get(const struct regs *regs, unsigned n, uint64_t *ret)
{
	if (n >= REGS_MAX || !(regs->have >> n & 1))
		return false;
	*ret = regs->r[n];
	return true;
}

void regs_set(struct regs *regs, unsigned n, uint64_t value)
{
	if (n >= REGS_MAX)
		return;
	regs->r[n] = value;
	regs->have |= UINT64_C(1) << n;
}

bool regs_load(struct span bytes, uint64_t off, struct regs_words words, const char *what,
	       struct regs *ret, struct err *err)
{
	struct span s;

	if (!span_sub(bytes, off, (uint64_t)words.n * words.size, what, &s, err))
		return false;
	*ret = (struct regs){ 0 };
	for (unsigned i = 0; i < words.n; i++) {
		const uint8_t *at = s.p + (size_t)words.size * i;

		regs_set(ret, words.order ? words.order[i] : i,
			 words.big ? load_be(at, words.size) : load_le(at, words.size));
	}
	return true;
}

bool arch_regs_user(const struct arch *arch, const struct regs *regs)
{
	return arch->regs_user ? arch->regs_user(regs) : !arch->is_kernel_va(regs->r[arch->pc]);
}

bool arch_same(const struct arch *a, const struct arch *b)
{
	return a->elf_machine == b->elf_machine;
}

unsigned arch_dwarf_slot(const struct arch *arch, uint64_t number)
{
	if (arch->dwarf_slot)
		return arch->dwarf_slot(number);
	return number <= arch->pc ? (unsigned)number : REGS_MAX;
}

bool arch_call_enters(const struct arch *arch, uint64_t target, uint64_t func)
{
	return target == func || (arch->local_entry && target == func + arch->local_entry);
}

const char *arch_report_name(const struct arch *arch)
{
	return arch->report ? arch->report : arch->name;
}

const struct arch *arch_of_elf(uint16_t elf_machine)
{
	for (size_t i = 0; archs[i]; i++)
		if (archs[i]->elf_machine == elf_machine)
			return archs[i];
	return NULL;
}

const struct arch *arch_of_name(const char *uname_machine)
{
	for (size_t i = 0; archs[i]; i++)
		if (!strcmp(archs[i]->name, uname_machine) ||
		    (archs[i]->uname && !fnmatch(archs[i]->uname, uname_machine, 0)))
			return archs[i];
	return NULL;
}

const struct arch *arch_of_report(const char *name)
{
	for (size_t i = 0; archs[i]; i++)
		if (!strcmp(arch_report_name(archs[i]), name))
			return archs[i];
	return NULL;
}

void arch_list(struct buf *b)
{
	for (size_t i = 0; archs[i]; i++)
		buf_printf(b, "%s%s", !i ? "" : archs[i + 1] ? ", " : " and ", archs[i]->machine);
}

const struct arch_reloc *arch_reloc_of(const struct arch *arch, uint32_t type)
{
	for (size_t i = 0; arch && i < arch->n_relocs; i++)
		if (arch->relocs[i].type == type)
			return &arch->relocs[i];
	return NULL;
}
