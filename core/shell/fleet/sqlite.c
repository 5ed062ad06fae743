/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SQLite, loaded when a database is asked for. */
#include "core/shell/fleet/sqlite.h"

#include <dlfcn.h>

#define SONAME "libsqlite3.so.0"

bool sqlite_load(struct sqlite *ret, struct err *err)
{
	void *lib = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);

	if (!lib)
		return err_set(err, ERR_NEED,
			       "no database can be read: " SONAME
			       " is not installed (Debian: libsqlite3-0)");
	if ((ret->open_v2 = dlsym(lib, "sqlite3_open_v2")) &&
	    (ret->close = dlsym(lib, "sqlite3_close")) &&
	    (ret->prepare_v2 = dlsym(lib, "sqlite3_prepare_v2")) &&
	    (ret->step = dlsym(lib, "sqlite3_step")) &&
	    (ret->reset = dlsym(lib, "sqlite3_reset")) &&
	    (ret->finalize = dlsym(lib, "sqlite3_finalize")) &&
	    (ret->bind_text = dlsym(lib, "sqlite3_bind_text")) &&
	    (ret->bind_int64 = dlsym(lib, "sqlite3_bind_int64")) &&
	    (ret->bind_null = dlsym(lib, "sqlite3_bind_null")) &&
	    (ret->column_text = dlsym(lib, "sqlite3_column_text")) &&
	    (ret->column_int64 = dlsym(lib, "sqlite3_column_int64")) &&
	    (ret->errmsg = dlsym(lib, "sqlite3_errmsg")) &&
	    (ret->extended_errcode = dlsym(lib, "sqlite3_extended_errcode")) &&
	    (ret->system_errno = dlsym(lib, "sqlite3_system_errno")) &&
	    (ret->busy_handler = dlsym(lib, "sqlite3_busy_handler")) &&
	    (ret->last_insert_rowid = dlsym(lib, "sqlite3_last_insert_rowid")) &&
	    (ret->get_autocommit = dlsym(lib, "sqlite3_get_autocommit")))
		return true;
	return err_set(err, ERR_NEED, "no database can be read: " SONAME " is too old");
}
