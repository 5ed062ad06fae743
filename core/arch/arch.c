/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of architectures, and what all of them share. */
#include <string.h>

#include "core/arch/arch.h"
#include "core/base/buf.h"

static const struct arch *const archs[] = { &arch_x86_64, &arch_aarch64, &arch_arm };

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

bool regs_load(struct span bytes, uint64_t off, unsigned size, const uint8_t *order, unsigned words,
	       const char *what, struct regs *ret, struct err *err)
{
	struct span s;

	if (!span_sub(bytes, off, (uint64_t)words * size, what, &s, err))
		return false;
	*ret = (struct regs){ 0 };
	for (unsigned i = 0; i < words; i++)
		regs_set(ret, order ? order[i] : i, load_le(s.p + (size_t)size * i, size));
	return true;
}

bool arch_regs_user(const struct arch *arch, const struct regs *regs)
{
	return arch->regs_user ? arch->regs_user(regs) : !arch->is_kernel_va(regs->r[arch->pc]);
}

const struct arch *arch_of_elf(uint16_t elf_machine)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (archs[i]->elf_machine == elf_machine)
			return archs[i];
	return NULL;
}

void arch_list(struct buf *b)
{
	size_t n = sizeof(archs) / sizeof(archs[0]);

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%s%s", !i ? "" : i + 1 < n ? ", " : " and ", archs[i]->machine);
}

const struct arch *arch_of_name(const char *uname_machine)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (strcmp(archs[i]->name, uname_machine) == 0)
			return archs[i];
	/* "armv6l", "armv7l", "armv8l": a 32-bit kernel names the CPU */
	if (strncmp(uname_machine, "armv", 4) == 0 && strlen(uname_machine) == 6 &&
	    uname_machine[5] == 'l')
		return &arch_arm;
	return NULL;
}
