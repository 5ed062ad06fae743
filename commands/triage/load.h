/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of records that are loaded into a database of crashes. */
#ifndef OBIT_LOAD_H
#define OBIT_LOAD_H

#include "commands/triage/bug_record.h"

/* Adds the crashes of n files of JSON lines: of all of them, or, when that fails, of none. Lines
 * that are no records are noted, files that cannot be read are complained of. */
bool load_results(struct ctx *c, struct crashdb *d, const char *const *paths, int n,
		  struct crashes_loaded *ret, struct err *err) MUST_CHECK;

#endif
