/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a kernel's names: its build's System.map, or a saved /proc/kallsyms. */
#ifndef OBIT_NAMETABLE_H
#define OBIT_NAMETABLE_H

#include <stdbool.h>

#include "core/base/bytes.h"

/* Does a text begin as such a table does? */
bool nametable_is(struct span text);

#endif
