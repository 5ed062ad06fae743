/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SQLite, loaded when a database is asked for: linked, it would cost every start of obit a ninth
 * more. */
#ifndef OBIT_SQLITE_H
#define OBIT_SQLITE_H

#include <sqlite3.h>

#include "core/base/err.h"

/* Its functions, each under its name without "sqlite3_". */
struct sqlite {
	__typeof__(sqlite3_open_v2) *open_v2;
	__typeof__(sqlite3_close) *close;
	__typeof__(sqlite3_prepare_v2) *prepare_v2;
	__typeof__(sqlite3_step) *step;
	__typeof__(sqlite3_reset) *reset;
	__typeof__(sqlite3_finalize) *finalize;
	__typeof__(sqlite3_bind_text) *bind_text;
	__typeof__(sqlite3_bind_int64) *bind_int64;
	__typeof__(sqlite3_bind_null) *bind_null;
	__typeof__(sqlite3_column_text) *column_text;
	__typeof__(sqlite3_column_int64) *column_int64;
	__typeof__(sqlite3_errmsg) *errmsg;
	__typeof__(sqlite3_extended_errcode) *extended_errcode;
	__typeof__(sqlite3_system_errno) *system_errno;
	__typeof__(sqlite3_busy_handler) *busy_handler;
	__typeof__(sqlite3_last_insert_rowid) *last_insert_rowid;
	__typeof__(sqlite3_get_autocommit) *get_autocommit;
};

/* Fills *ret. ERR_NEED: the library is not installed, or lacks a function. */
bool sqlite_load(struct sqlite *ret, struct err *err) MUST_CHECK;

#endif
