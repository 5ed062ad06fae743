/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that a kernel exports to modules, which are in its memory whatever kallsyms lists. */
#ifndef OBIT_EXPORTS_H
#define OBIT_EXPORTS_H

#include "core/image/target.h"

/* Adds the variables among them to tab, which has the kernel's functions and nothing else; type
 * '?', size 0. `text` is where the kernel's text starts. ERR_NOTFOUND: there are none, or nothing
 * proves them; ERR_INTR. */
bool exports_add(struct target *t, uint64_t text, struct symtab *tab, struct err *err) MUST_CHECK;

#endif
