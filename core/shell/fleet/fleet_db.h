/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of crashes on their way into a database: many in a transaction, so that others can write
 * meanwhile. */
#ifndef OBIT_FLEET_DB_H
#define OBIT_FLEET_DB_H

#include "core/base/buf.h"
#include "core/shell/fleet/crashdb.h"

struct fleet_db {
	struct crashdb db;
	struct buf waiting; /* whole lines */
	uint64_t
		written_ns; /* when the last ones were written, by the clock that never goes back */
};

/* Opens the database for writing; as crashdb_open(). */
bool fleet_db_open(struct fleet_db *f, const char *path, struct err *err) MUST_CHECK;
/* Takes n bytes, a line. It is written now or later, with others. */
bool fleet_db_take(struct fleet_db *f, const char *line, size_t n, struct err *err) MUST_CHECK;
/* Writes what waits. */
bool fleet_db_write(struct fleet_db *f, struct err *err) MUST_CHECK;
void fleet_db_close(struct fleet_db *f);

#endif
