/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A database of crashes: opening it, and adding to it. */
#include "core/shell/fleet/crashdb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/json.h"
#include "core/base/outfile.h"
#include "core/shell/fleet/likeness.h"
#include "core/shell/session.h"

#define BUG_VIEW                                                                                     \
	"CREATE VIEW bug AS"                                                                         \
	" SELECT s.bug, count(*) AS crashes, min(c.seen_ns) AS first_ns, max(c.seen_ns) AS last_ns," \
	" group_concat(DISTINCT c.release) AS releases, max(s.kind) AS kind,"                        \
	" max(s.function) AS function, max(c.title) AS title, max(c.known) AS known"                 \
	" FROM crash c JOIN site s ON s.id = c.site GROUP BY s.bug"

/* Every text of a kernel is bound to a '?', so that none is ever read as SQL. Texts that tell a
 * site from others are never NULL: SQL calls no two NULLs the same. */
static const char *const tables[] = {
	"CREATE TABLE site ("
	" id INTEGER PRIMARY KEY,"
	" signature TEXT NOT NULL,"
	" outcome TEXT NOT NULL,"
	" kind TEXT NOT NULL,"
	" function TEXT NOT NULL,"
	" trail TEXT NOT NULL,"
	" whole INTEGER NOT NULL,"
	" bug INTEGER NOT NULL,"
	" UNIQUE (signature, outcome, kind, function, trail, whole))",
	"CREATE INDEX site_bug ON site (bug)",
	"CREATE TABLE crash ("
	" id INTEGER PRIMARY KEY,"
	" identity TEXT NOT NULL UNIQUE,"
	" site INTEGER NOT NULL REFERENCES site (id),"
	" path TEXT NOT NULL,"
	" files TEXT NOT NULL,"
	" seen_ns INTEGER NOT NULL,"
	" seen_by TEXT NOT NULL,"
	" added_ns INTEGER NOT NULL,"
	" release TEXT,"
	" arch TEXT,"
	" build_id TEXT,"
	" nodename TEXT,"
	" status INTEGER NOT NULL,"
	" title TEXT,"
	" place TEXT,"
	" verdict TEXT,"
	" sure TEXT,"
	" known TEXT)",
	"CREATE INDEX crash_site ON crash (site)",
	BUG_VIEW,
};

static int64_t wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* ---- errors and statements */

/* Why a file could not be opened. Where one cannot be made, SQLite tries to read it, and tells of
 * that: then the folder says why. */
static int open_errno(struct crashdb *d)
{
	int e = d->q.system_errno(d->db);
	struct arena a = { 0 };
	const char *slash = strrchr(d->path, '/');
	const char *folder = slash == d->path ? "/"
			     : slash ? arena_strndup(&a, d->path, (size_t)(slash - d->path))
				     : ".";

	if (e == ENOENT && d->makes && access(folder, W_OK | X_OK))
		e = errno;
	arena_release(&a);
	return e;
}

static bool fail(struct crashdb *d, struct err *err)
{
	int code = d->q.extended_errcode(d->db), e;

	if (interrupted)
		return interrupt_check(err);
	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return err_set(err, ERR_FORMAT, "'%.150s' is no database", d->path);
	case SQLITE_CORRUPT:
		return err_set(err, ERR_CORRUPT, "'%.150s': the database is damaged", d->path);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_IO,
			       "'%.150s': another process has kept it for more than %u s", d->path,
			       d->wait_ms / 1000);
	case SQLITE_FULL:
		return err_set(err, ERR_IO, "'%.150s': no space is left to write it", d->path);
	case SQLITE_READONLY:
		if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
			return err_set(err, ERR_IO,
				       "'%.120s': who wrote it last was stopped, and to put it "
				       "right it has to be written, which is not allowed",
				       d->path);
		return err_set(err, ERR_IO, "'%.150s' can be read and not written", d->path);
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		e = open_errno(d);
		if (e) {
			errno = e;
			return err_set_errno(err, "'%.150s'", d->path);
		}
		break;
	default:
		break;
	}
	return err_set(err, ERR_IO, "'%.120s': %.100s", d->path, d->q.errmsg(d->db));
}

/* Somebody else has it: waits a while, and says whether to try again. */
static int on_busy(void *arg, int count)
{
	struct crashdb *d = arg;
	unsigned ms = count < 5 ? 1u << count : 50;
	struct timespec t = { 0, (long)ms * 1000000 };

	if (!count)
		d->waited_ms = 0;
	if (interrupted || d->waited_ms >= d->wait_ms)
		return 0;
	nanosleep(&t, NULL);
	d->waited_ms += ms;
	return 1;
}

bool crashdb_prepare(struct crashdb *d, const char *sql, sqlite3_stmt **ret, struct err *err)
{
	if (d->q.prepare_v2(d->db, sql, -1, ret, NULL) == SQLITE_OK)
		return true;
	*ret = NULL;
	return fail(d, err);
}

bool crashdb_step(struct crashdb *d, sqlite3_stmt *s, struct err *err)
{
	int r = d->q.step(s);

	err->code = ERR_OK;
	if (r != SQLITE_ROW && r != SQLITE_DONE)
		fail(d, err);
	return r == SQLITE_ROW;
}

void crashdb_bind(struct crashdb *d, sqlite3_stmt *s, int at, const char *text)
{
	if (text)
		d->q.bind_text(s, at, text, -1, SQLITE_STATIC);
	else
		d->q.bind_null(s, at);
}

const char *crashdb_text(struct crashdb *d, sqlite3_stmt *s, int at, struct arena *a)
{
	const unsigned char *text = d->q.column_text(s, at);

	return text ? arena_strdup(a, (const char *)text) : NULL;
}

/* Runs a prepared statement that has no answer. */
static bool run_prepared(struct crashdb *d, sqlite3_stmt *s, struct err *err)
{
	bool ok = !crashdb_step(d, s, err) && err->code == ERR_OK;

	d->q.reset(s);
	return ok;
}

/* Runs a statement that has no answer. */
static bool run(struct crashdb *d, const char *sql, struct err *err)
{
	sqlite3_stmt *s;
	bool ok;

	if (!crashdb_prepare(d, sql, &s, err))
		return false;
	ok = run_prepared(d, s, err);
	d->q.finalize(s);
	return ok;
}

/* Sets *ret to the number that a statement answers; 0: it answers none. */
static bool ask(struct crashdb *d, const char *sql, int64_t *ret, struct err *err)
{
	sqlite3_stmt *s;
	bool row;

	if (!crashdb_prepare(d, sql, &s, err))
		return false;
	row = crashdb_step(d, s, err);
	*ret = row ? d->q.column_int64(s, 0) : 0;
	d->q.finalize(s);
	return row || err->code == ERR_OK;
}

/* ---- opening */

/* How many things are there that run what somebody else wrote when a table is asked or written to:
 * a view in a table's place may have no end. */
#define STRANGE                                                                  \
	"SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"              \
	" OR lower(name) IN ('site', 'crash') AND sql NOT LIKE 'CREATE TABLE %'" \
	" OR lower(name) = 'bug' AND sql != '" BUG_VIEW "'"

/* Whose it is. *empty: nobody's yet. */
static bool check(struct crashdb *d, bool *empty, struct err *err)
{
	int64_t id, version, things;

	if (!ask(d, "PRAGMA application_id", &id, err) ||
	    !ask(d, "PRAGMA user_version", &version, err) ||
	    !ask(d, "SELECT count(*) FROM sqlite_master", &things, err))
		return false;
	*empty = !id && !version && !things;
	if (*empty)
		return true;
	if (id != CRASHDB_ID)
		return err_set(err, ERR_FORMAT, "'%.150s' is a database of another program's",
			       d->path);
	if (version > CRASHDB_SCHEMA)
		return err_set(err, ERR_UNSUPPORTED,
			       "'%.120s' was made by a newer obit: its tables are of version %lld, "
			       "and this one knows %d",
			       d->path, (long long)version, CRASHDB_SCHEMA);
	if (version != CRASHDB_SCHEMA)
		return err_set(err, ERR_FORMAT, "'%.150s' has tables of no version", d->path);
	if (!ask(d, STRANGE, &things, err))
		return false;
	return !things ||
	       err_set(err, ERR_FORMAT,
		       "'%.120s': what its tables do when they are asked is not obit's", d->path);
}

static bool make_tables(struct crashdb *d, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < sizeof(tables) / sizeof(tables[0]); i++)
		ok = run(d, tables[i], err);
	/* numbers of our own: pragmas take no '?' */
	return ok && run(d, "PRAGMA application_id = 1868720500", err) &&
	       run(d, "PRAGMA user_version = 1", err);
}
_Static_assert(CRASHDB_ID == 1868720500 && CRASHDB_SCHEMA == 1, "as in make_tables()");

/* Another process may be making it at the same time. */
static bool make(struct crashdb *d, struct err *err)
{
	bool empty, ok = run(d, "BEGIN IMMEDIATE", err);

	if (!ok)
		return false;
	ok = check(d, &empty, err) && (!empty || make_tables(d, err));
	return crashdb_end(d, ok, err);
}

static bool prepare(struct crashdb *d, enum crashdb_how how, struct err *err)
{
	bool empty, ok;

	/* a file that somebody else made does nothing but hold data */
	if (!run(d, "PRAGMA trusted_schema = 0", err) || !run(d, "PRAGMA cell_size_check = 1", err))
		return false;
	/* all of it is asked of one state, for somebody else may be making it */
	ok = run(d, "BEGIN", err) && check(d, &empty, err);
	if (!crashdb_end(d, ok, err))
		return false;
	if (!empty)
		return how == CRASHDB_WRITE || run(d, "PRAGMA query_only = 1", err);
	if (how == CRASHDB_READ)
		return err_set(err, ERR_FORMAT, "'%.150s' holds no crashes: nothing was loaded",
			       d->path);
	return make(d, err);
}

bool crashdb_open(struct crashdb *d, const char *path, enum crashdb_how how, unsigned wait_ms,
		  struct err *err)
{
	/* where the file may not be written this opens it for reading; where it may, and a writer
	 * was killed, it is put right */
	int flags = SQLITE_OPEN_READWRITE | (how == CRASHDB_READ ? 0 : SQLITE_OPEN_CREATE);
	struct arena a = { 0 };
	const char *name;
	struct stat st;
	bool ok;

	*d = (struct crashdb){ .path = path, .wait_ms = wait_ms, .makes = how == CRASHDB_WRITE };
	if (!*path)
		return err_set(err, ERR_USAGE, "the database has no name");
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return err_set(err, ERR_FORMAT, "'%.150s' is no regular file", path);
	if (how == CRASHDB_WRITE && file_is_input(path))
		return err_set(err, ERR_USAGE, "'%.150s' is an input, and stays as it is", path);
	if (!sqlite_load(&d->q, err))
		return false;
	/* it takes some names as those of something else: ":memory:", "file:..." */
	name = path[0] == '/' ? path : arena_printf(&a, "./%s", path);
	ok = d->q.open_v2(name, &d->db, flags, NULL) == SQLITE_OK;
	arena_release(&a);
	if (!ok && !d->db)
		return err_set(err, ERR_IO, "'%.150s': no memory", path);
	if (ok)
		d->q.busy_handler(d->db, on_busy, d);
	ok = ok ? prepare(d, how, err) : fail(d, err);
	if (!ok)
		crashdb_close(d);
	return ok;
}

void crashdb_close(struct crashdb *d)
{
	sqlite3_stmt *const all[] = { d->find_site, d->add_site, d->find_crash, d->add_crash };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i])
			d->q.finalize(all[i]);
	if (d->db)
		d->q.close(d->db);
	d->db = NULL;
	d->find_site = d->add_site = d->find_crash = d->add_crash = NULL;
}

/* ---- adding */

/* What a line says of a crash. Strings are in the arena of whoever reads it. */
struct crash_line {
	struct crash_traits traits;
	const char *path, *files, *identity;
	const char *seen_by; /* what says when it was; NULL: nothing does */
	uint64_t status, seen;
	const char *title, *place, *known;
	const char *release, *arch, *build_id, *nodename, *sentence, *sure;
};

static enum crashdb_added read_line(struct arena *a, const char *line, size_t n,
				    struct crash_line *ret)
{
	const char *record, *verdict, *files;
	size_t len;

	*ret = (struct crash_line){ 0 };
	if (!json_is_object(line, n))
		return CRASHDB_BAD_LINE;
	record = json_member_str(a, line, n, "record");
	if (!record)
		return CRASHDB_BAD_LINE;
	if (strcmp(record, "crash") != 0)
		return CRASHDB_OTHER;
	ret->path = json_member_str(a, line, n, "path");
	if (!ret->path || !json_member_uint(line, n, "status", &ret->status) ||
	    ret->status > EXIT_NOREPORT)
		return CRASHDB_BAD_LINE;
	crash_traits_read(a, line, n, &ret->traits);
	if (ret->status == EXIT_NOREPORT)
		return CRASHDB_NONE;
	if (!ret->traits.outcome)
		return CRASHDB_FAILED;
	ret->files =
		json_member(line, n, "files", &files, &len) ? arena_strndup(a, files, len) : "[]";
	ret->identity = json_member_str(a, line, n, "identity");
	if (!ret->identity)
		ret->identity = arena_printf(a, "path:%s", ret->path);
	if (json_member_uint(line, n, "when_ns", &ret->seen) && ret->seen <= INT64_MAX)
		ret->seen_by = "crash";
	else if (json_member_uint(line, n, "written_ns", &ret->seen) && ret->seen <= INT64_MAX)
		ret->seen_by = "file";
	ret->title = json_member_str(a, line, n, "title");
	ret->place = json_member_str(a, line, n, "place");
	ret->known = json_member_str(a, line, n, "known");
	if (json_member(line, n, "verdict", &verdict, &len)) {
		ret->release = json_member_str(a, verdict, len, "release");
		ret->arch = json_member_str(a, verdict, len, "arch");
		ret->build_id = json_member_str(a, verdict, len, "build_id");
		ret->nodename = json_member_str(a, verdict, len, "nodename");
		ret->sentence = json_member_str(a, verdict, len, "verdict");
		ret->sure = json_member_str(a, verdict, len, "sure");
	}
	return CRASHDB_NEW;
}

/* Prepares a statement once, and makes it ready for the next time. */
static bool ready(struct crashdb *d, sqlite3_stmt **s, const char *sql, struct err *err)
{
	if (*s) {
		d->q.reset(*s);
		return true;
	}
	return crashdb_prepare(d, sql, s, err);
}

static void bind_site(struct crashdb *d, sqlite3_stmt *s, const struct crash_traits *c)
{
	const char *const all[] = { c->signature, c->outcome, c->kind, c->function, c->trail };

	for (int i = 0; i < 5; i++)
		crashdb_bind(d, s, i + 1, all[i] ? all[i] : "");
	d->q.bind_int64(s, 6, c->whole);
}

static bool site_of(struct crashdb *d, const struct crash_traits *c, int64_t *ret, struct err *err)
{
	bool row;

	if (!ready(d, &d->find_site,
		   "SELECT id FROM site WHERE signature = ? AND outcome = ? AND kind = ?"
		   " AND function = ? AND trail = ? AND whole = ?",
		   err))
		return false;
	bind_site(d, d->find_site, c);
	row = crashdb_step(d, d->find_site, err);
	*ret = row ? d->q.column_int64(d->find_site, 0) : 0;
	d->q.reset(d->find_site);
	if (row || err->code != ERR_OK)
		return row;
	if (!ready(d, &d->add_site,
		   "INSERT INTO site (signature, outcome, kind, function, trail, whole, bug)"
		   " VALUES (?, ?, ?, ?, ?, ?, 0)",
		   err))
		return false;
	bind_site(d, d->add_site, c);
	d->regroup = true;
	if (!run_prepared(d, d->add_site, err))
		return false;
	*ret = d->q.last_insert_rowid(d->db);
	return true;
}

static bool is_there(struct crashdb *d, const char *identity, bool *ret, struct err *err)
{
	if (!ready(d, &d->find_crash, "SELECT 1 FROM crash WHERE identity = ?", err))
		return false;
	crashdb_bind(d, d->find_crash, 1, identity);
	*ret = crashdb_step(d, d->find_crash, err);
	d->q.reset(d->find_crash);
	return err->code == ERR_OK;
}

/* What the crash itself says of its time is better than its file's, and that better than when it
 * was added; of two of a kind the earlier one: a copy is younger. */
#define RANK(by) " instr('added file crash', " by ")"
#define BETTER                   \
	RANK("excluded.seen_by") \
	" >" RANK("seen_by") " OR (excluded.seen_by = seen_by AND excluded.seen_ns < seen_ns)"

/* What was said of a crash before is replaced, but for where it was found, the earliest time, and a
 * note that nobody has now. */
static bool put_crash(struct crashdb *d, const struct crash_line *c, int64_t site, int64_t now_ns,
		      struct err *err)
{
	static const char sql[] =
		"INSERT INTO crash (identity, path, files, seen_by, release, arch, build_id,"
		" nodename, title, place, verdict, sure, known, site, seen_ns, added_ns, status)"
		" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
		" ON CONFLICT (identity) DO UPDATE SET site = excluded.site,"
		" release = excluded.release, arch = excluded.arch, build_id = excluded.build_id,"
		" nodename = excluded.nodename, status = excluded.status, title = excluded.title,"
		" place = excluded.place, verdict = excluded.verdict, sure = excluded.sure,"
		" known = coalesce(excluded.known, known),"
		" seen_ns = CASE WHEN" BETTER " THEN excluded.seen_ns ELSE seen_ns END,"
		" seen_by = CASE WHEN" BETTER " THEN excluded.seen_by ELSE seen_by END";
	const char *by = c->seen_by ? c->seen_by : "added";
	const char *const texts[] = { c->identity, c->path,     c->files,    by,       c->release,
				      c->arch,     c->build_id, c->nodename, c->title, c->place,
				      c->sentence, c->sure,     c->known };
	int at = 0, n = (int)(sizeof(texts) / sizeof(texts[0]));

	if (!ready(d, &d->add_crash, sql, err))
		return false;
	for (; at < n; at++)
		crashdb_bind(d, d->add_crash, at + 1, texts[at]);
	d->q.bind_int64(d->add_crash, ++at, site);
	d->q.bind_int64(d->add_crash, ++at, c->seen_by ? (int64_t)c->seen : now_ns);
	d->q.bind_int64(d->add_crash, ++at, now_ns);
	d->q.bind_int64(d->add_crash, ++at, (int64_t)c->status);
	return run_prepared(d, d->add_crash, err);
}

bool crashdb_add(struct crashdb *d, const char *line, size_t n, int64_t now_ns,
		 enum crashdb_added *ret, struct err *err)
{
	struct arena a = { 0 };
	struct crash_line c;
	struct err why;
	int64_t site;
	bool there, ok = true;

	*ret = read_line(&a, line, n, &c);
	if (*ret == CRASHDB_NEW) {
		ok = is_there(d, c.identity, &there, &why) && site_of(d, &c.traits, &site, &why) &&
		     put_crash(d, &c, site, now_ns ? now_ns : wall_ns(), &why);
		if (ok && there)
			*ret = CRASHDB_AGAIN;
	}
	arena_release(&a);
	if (!ok)
		*err = why;
	return ok;
}

/* ---- which are of one bug */

struct site_row {
	int64_t id, bug;
	size_t number; /* in struct likeness */
};

static bool read_sites(struct crashdb *d, struct likeness *l, struct site_row **rows, size_t *n,
		       struct err *err)
{
	VEC(struct site_row) v = { 0 };
	sqlite3_stmt *s;

	if (!crashdb_prepare(d,
			     "SELECT signature, outcome, kind, function, trail, whole, id, bug"
			     " FROM site ORDER BY id",
			     &s, err))
		return false;
	while (crashdb_step(d, s, err)) {
		struct arena a = { 0 };
		struct crash_traits c = { .signature = crashdb_text(d, s, 0, &a),
					  .outcome = crashdb_text(d, s, 1, &a),
					  .kind = crashdb_text(d, s, 2, &a),
					  .function = crashdb_text(d, s, 3, &a),
					  .trail = crashdb_text(d, s, 4, &a),
					  .whole = d->q.column_int64(s, 5) != 0 };
		size_t number = likeness_add(l, &c);

		*vec_push(&v) = (struct site_row){ d->q.column_int64(s, 6), d->q.column_int64(s, 7),
						   number };
		arena_release(&a);
	}
	d->q.finalize(s);
	*rows = v.p;
	*n = v.n;
	return err->code == ERR_OK;
}

static bool set_bug(struct crashdb *d, sqlite3_stmt *s, const struct site_row *row, int64_t bug,
		    struct err *err)
{
	d->q.bind_int64(s, 1, bug);
	d->q.bind_int64(s, 2, row->id);
	return run_prepared(d, s, err);
}

/* A bug has the number of the oldest site of it. */
static bool regroup(struct crashdb *d, struct err *err)
{
	struct arena a = { 0 };
	struct likeness l = { .a = &a };
	struct site_row *rows = NULL;
	sqlite3_stmt *s = NULL;
	size_t n = 0;
	bool ok = read_sites(d, &l, &rows, &n, err) &&
		  crashdb_prepare(d, "UPDATE site SET bug = ? WHERE id = ?", &s, err);

	if (ok) {
		int64_t *ids = ARENA_ARRAY(&a, int64_t, n + 1);

		likeness_settle(&l);
		for (size_t i = n; i--;)
			ids[rows[i].number] = rows[i].id;
		for (size_t i = 0; ok && i < n; i++) {
			int64_t bug = ids[likeness_bug(&l, rows[i].number)];

			ok = bug == rows[i].bug || set_bug(d, s, &rows[i], bug, err);
		}
	}
	if (s)
		d->q.finalize(s);
	free(rows);
	likeness_release(&l);
	arena_release(&a);
	return ok;
}

bool crashdb_begin(struct crashdb *d, struct err *err)
{
	d->regroup = false;
	return run(d, "BEGIN IMMEDIATE", err);
}

bool crashdb_end(struct crashdb *d, bool ok, struct err *err)
{
	struct err ignored;

	if (ok && d->regroup)
		ok = regroup(d, err);
	if (ok)
		ok = run(d, "COMMIT", err);
	if (!ok && !d->q.get_autocommit(d->db) && !run(d, "ROLLBACK", &ignored))
		return false;
	return ok;
}
