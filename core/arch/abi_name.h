/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of what the kernel's interface numbers: errors and signals. The C library's are those of
 * the machine that it runs on, not of the dead one, and younger than some that obit runs on. */
#ifndef OBIT_ABI_NAME_H
#define OBIT_ABI_NAME_H

/* "ENOENT" for 2, by asm-generic/errno.h; NULL: a program never sees that number. */
const char *errno_name(unsigned error);
/* "SIGSEGV" for 11, by signal(7) for x86, ARM and those that came later; NULL: none of 1 to 31. */
const char *signal_abi_name(unsigned signo);

#endif
