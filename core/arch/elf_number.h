/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of an architecture in ELF headers, for files that are written. */
#ifndef OBIT_ELF_NUMBER_H
#define OBIT_ELF_NUMBER_H

#include "core/arch/arch.h"

/* EM_X86_64, ... */
uint16_t arch_elf_number(const struct arch *arch);

#endif
