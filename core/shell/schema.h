/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to main: the command table for other programs. */
#ifndef OBIT_SCHEMA_H
#define OBIT_SCHEMA_H

#include "core/base/buf.h"

/* One line a command: name and summary, or the whole row as a JSON object, and in front of these
 * the versions of the schema and of obit. */
void schema_add(struct buf *b, bool json, const char *version);

#endif
