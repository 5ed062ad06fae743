/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of an architecture in ELF headers. */
#include "core/arch/elf_number.h"

uint16_t arch_elf_number(const struct arch *arch)
{
	return arch->elf_machine;
}
