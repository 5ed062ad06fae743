/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The letters of a kernel's taint mask. Source: Documentation/admin-guide/tainted-kernels.rst. */
#ifndef OBIT_TAINT_H
#define OBIT_TAINT_H

#include <stdbool.h>

#define TAINT_FLAGS 20u

/* The bits of tainted_mask: letter, and what it means; false past the last known one. */
bool taint_flag(unsigned bit, char *letter, const char **text);
/* By its letter; NULL: unknown, or 'G', which says that no module is proprietary. */
const char *taint_meaning(char letter);

#endif
