/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The letters of a kernel's taint mask. Source: Documentation/admin-guide/tainted-kernels.rst. */
#ifndef OBIT_TAINT_H
#define OBIT_TAINT_H

#include <stdbool.h>

#define TAINT_FLAGS 20u

/* Sets *letter and *text to what bit number `bit` of the kernel's tainted_mask is shown as, and
 * what it means. False: no kernel known has that bit. */
bool taint_flag(unsigned bit, char *letter, const char **text);
/* What a letter of the taint flags means; NULL: it is not known, or it is 'G', which says that no
 * module is proprietary. */
const char *taint_meaning(char letter);

#endif
