/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A database of crashes, which remembers what many runs of triage found. */
#ifndef OBIT_CRASHDB_H
#define OBIT_CRASHDB_H

#include "core/base/vec.h"
#include "core/shell/fleet/sqlite.h"

/* The version of the tables; a database has it as its user_version. */
#define CRASHDB_SCHEMA 1
/* What marks it as obit's, as its application_id: "obit". */
#define CRASHDB_ID 0x6f626974
/* How long it waits for others who write, in milliseconds. */
#define CRASHDB_WAIT 30000u

struct crashdb {
	struct sqlite q;
	sqlite3 *db;
	const char *path;
	sqlite3_stmt *find_site, *add_site, *find_crash, *add_crash; /* NULL: not needed yet */
	bool makes;   /* it is made where it is not there */
	bool regroup; /* sites came */
	unsigned wait_ms, waited_ms;
};

enum crashdb_how {
	CRASHDB_READ, /* it has to be there, and is not written */
	CRASHDB_WRITE /* made when it is not there */
};
/*
 * Opens a database of crashes. path must live until crashdb_close().
 *
 * ERR_NEED: there is no SQLite. ERR_USAGE: the file is an input. ERR_FORMAT: it is no file, no
 * database, or another program's. ERR_UNSUPPORTED: a newer obit made it. ERR_IO: the rest, as that
 * it is not there, cannot be written, or that another process writes for longer than wait_ms.
 */
bool crashdb_open(struct crashdb *d, const char *path, enum crashdb_how how, unsigned wait_ms,
		  struct err *err) MUST_CHECK;
void crashdb_close(struct crashdb *d);

/* What came of a line. */
enum crashdb_added {
	CRASHDB_NEW,     /* a crash that was not there */
	CRASHDB_AGAIN,   /* one that was: what is said of it is now what the line says */
	CRASHDB_NONE,    /* an input that tells of no crash */
	CRASHDB_FAILED,  /* one that could not be looked at */
	CRASHDB_OTHER,   /* a record that is not of a crash */
	CRASHDB_BAD_LINE /* no record at all */
};
/*
 * Crashes are added in transactions, between a begin and an end: all of them are there afterwards,
 * or none. crashdb_end() keeps them if ok, and then says which are of one bug; else it keeps none,
 * and leaves *err as it is. n bytes of line are a record `crash` as --json prints it. now_ns is
 * when it is added.
 */
bool crashdb_begin(struct crashdb *d, struct err *err) MUST_CHECK;
bool crashdb_add(struct crashdb *d, const char *line, size_t n, int64_t now_ns,
		 enum crashdb_added *ret, struct err *err) MUST_CHECK;
bool crashdb_end(struct crashdb *d, bool ok, struct err *err) MUST_CHECK;

/* ---- crashdb_list.c: what it holds. Strings live in the arena that is handed in. */

/* Which crashes are asked for. */
struct crashdb_query {
	const char *release, *against; /* as the shell's globs; NULL: any */
	int64_t since_ns;              /* bugs that were not seen before; 0: all */
	uint64_t bug;                  /* 0: all */
};

enum bug_change {
	CHANGE_NONE, /* nothing is compared */
	CHANGE_NEW,  /* with the release, and not with the one that it is compared with */
	CHANGE_BOTH,
	CHANGE_GONE
};
/* "new", "both", "gone"; NULL for CHANGE_NONE. */
const char *bug_change_name(enum bug_change c);

struct kept_crash {
	uint64_t bug;
	const char *path;
	int64_t seen_ns, added_ns;
	const char *seen_by; /* "crash", "file", "added" */
	const char *release, *arch, *outcome, *kind, *title, *function, *place, *signature,
		*sentence, *sure, *known;
};
struct kept_bug {
	uint64_t number;
	enum bug_change change;
	uint64_t n, against; /* crashes; those of the release that it is compared with */
	int64_t first_ns, last_ns;
	struct kept_crash first; /* the earliest */
	const char *known;       /* the note of the latest that has one */
	VEC(const char *) releases, signatures;
};
typedef VEC(struct kept_bug) kept_bugs;
typedef VEC(struct kept_crash) kept_crashes;

/* Sets *ret to the bugs, the one that was seen last first; compared ones by how they changed. */
bool crashdb_bugs(struct crashdb *d, struct arena *a, const struct crashdb_query *q, kept_bugs *ret,
		  struct err *err) MUST_CHECK;
void kept_bugs_release(kept_bugs *v);
/* Sets *ret to the crashes, the latest first. */
bool crashdb_crashes(struct crashdb *d, struct arena *a, const struct crashdb_query *q,
		     kept_crashes *ret, struct err *err) MUST_CHECK;

/* ---- for crashdb's own files */
/* Sets *ret to the statement, ready to be bound. */
bool crashdb_prepare(struct crashdb *d, const char *sql, sqlite3_stmt **ret,
		     struct err *err) MUST_CHECK;
/* Binds a string, NULL as NULL, which lives until the statement is reset. */
void crashdb_bind(struct crashdb *d, sqlite3_stmt *s, int at, const char *text);
/* True: there is a row. False: there is none (ERR_OK), or it failed. */
bool crashdb_step(struct crashdb *d, sqlite3_stmt *s, struct err *err) MUST_CHECK;
/* The text of a column, in the arena; NULL for NULL. */
const char *crashdb_text(struct crashdb *d, sqlite3_stmt *s, int at, struct arena *a);

#endif
