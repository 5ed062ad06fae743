/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of flags, by the tables that the kernel prints them with itself (%pGv). */
#ifndef OBIT_LINUX_FLAG_NAMES_H
#define OBIT_LINUX_FLAG_NAMES_H

#include "core/image/target.h"

/* Calls fn with the name of each flag that is set, in the order of the table, until it returns
 * false; *rest is what no name stands for. The table is a symbol: "vmaflag_names". Names live in
 * the arena. */
bool flag_names_each(struct target *t, const char *table, uint64_t flags, struct arena *a,
		     bool (*fn)(const char *name, void *arg), void *arg, uint64_t *rest,
		     struct err *err) MUST_CHECK;

#endif
