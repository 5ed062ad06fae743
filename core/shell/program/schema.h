/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to main: the command table for other programs. */
#ifndef OBIT_SCHEMA_H
#define OBIT_SCHEMA_H

#include "core/base/buf.h"

/* Appends a line for each command: its name and summary, or with json an object that has its whole
 * row; in front of the objects stands one with the versions of the schema and of obit. */
void schema_add(struct buf *b, bool json, const char *version);

#endif
