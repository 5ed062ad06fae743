/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A database of crashes: what it keeps, who may write it, and what is no such database. */
#include "core/shell/fleet/crashdb.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/test.h"

static char top[200];

static void begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(top, sizeof(top), "%s/obit-test-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(top) || chdir(top))
		top[0] = '\0';
}

/* Nothing but the database is left, no journal either. */
static void end(const char *path)
{
	CHECK(!path || unlink(path) == 0);
	CHECK(chdir("/") == 0 && rmdir(top) == 0);
}

/* What a line says, and everything else is the same in all. */
struct said {
	const char *path, *identity, *release, *signature, *trail, *known;
	uint64_t when_s; /* 0: it does not say */
};

static void add_str(struct buf *b, const char *key, const char *s)
{
	buf_printf(b, ",\"%s\":", key);
	if (s)
		buf_json_str(b, s, strlen(s));
	else
		buf_str(b, "null");
}

/* As --json prints a record crash, in the buf. */
static void line_make(struct buf *b, const struct said *c)
{
	buf_reset(b);
	buf_str(b, "{\"record\":\"crash\"");
	add_str(b, "path", c->path);
	buf_str(b, ",\"files\":[\"f\"],\"status\":0,\"outcome\":\"dead\",\"kind\":\"null-deref\","
		   "\"title\":\"NULL in f\",\"function\":\"f\",\"place\":null");
	add_str(b, "signature", c->signature);
	add_str(b, "known", c->known);
	add_str(b, "identity", c->identity);
	if (c->when_s)
		buf_printf(b, ",\"when_ns\":null,\"written_ns\":%" PRIu64 "000000000", c->when_s);
	buf_str(b,
		",\"verdict\":{\"verdict\":\"f did it\",\"sure\":\"likely\",\"trail_whole\":true");
	add_str(b, "trail", c->trail);
	add_str(b, "release", c->release);
	buf_str(b, "}}\n");
}

static enum crashdb_added add(struct crashdb *d, const struct said *c)
{
	enum crashdb_added what = CRASHDB_BAD_LINE;
	struct buf b = { 0 };
	struct err err = { 0 };

	line_make(&b, c);
	CHECK(crashdb_add(d, b.s, b.n, 77, &what, &err));
	CHECK_STR(err.msg, "");
	buf_release(&b);
	return what;
}

/* Adds them in one transaction of their own. */
static void put(const char *path, const struct said *v, size_t n)
{
	struct crashdb d;
	struct err err = { 0 };
	bool ok = crashdb_open(&d, path, CRASHDB_WRITE, 5000, &err);

	CHECK_STR(err.msg, "");
	REQUIRE(ok);
	CHECK(crashdb_begin(&d, &err));
	for (size_t i = 0; i < n; i++)
		CHECK_U64(add(&d, &v[i]), CRASHDB_NEW);
	CHECK(crashdb_end(&d, true, &err));
	crashdb_close(&d);
}

/* The bugs as lines of "NUMBER:CRASHES:CHANGE:FIRST:LAST:RELEASES", times in seconds. */
static const char *bugs(const char *path, const struct crashdb_query *q)
{
	static char text[4096];
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct crashdb d;
	kept_bugs v;
	struct err err = { 0 };

	if (!crashdb_open(&d, path, CRASHDB_READ, 5000, &err)) {
		snprintf(text, sizeof(text), "%s", err.msg);
		return text;
	}
	if (crashdb_bugs(&d, &a, q, &v, &err)) {
		for (size_t i = 0; i < v.n; i++) {
			const struct kept_bug *k = &v.p[i];

			buf_printf(&b, "%" PRIu64 ":%" PRIu64 ":%s:%" PRId64 ":%" PRId64 ":",
				   k->number, k->n, k->change ? bug_change_name(k->change) : "",
				   k->first_ns / 1000000000, k->last_ns / 1000000000);
			for (size_t r = 0; r < k->releases.n; r++)
				buf_printf(&b, "%s%s", r ? "," : "", k->releases.p[r]);
			buf_char(&b, '\n');
		}
		kept_bugs_release(&v);
	} else {
		buf_str(&b, err.msg);
	}
	snprintf(text, sizeof(text), "%s", buf_text(&b));
	buf_release(&b);
	arena_release(&a);
	crashdb_close(&d);
	return text;
}
static const struct crashdb_query all;

TEST(what_was_added_is_there)
{
	const struct said v[] = {
		{ "a", "1", "6.1.0", "s1", "f < g < h", NULL, 100 },
		{ "b", "2", "6.12.3", "s1", "f < g < h", NULL, 300 },
		{ "c", "3", "6.12.3", "s2", "f < x < y", NULL, 200 },
		{ "d", "4", NULL, "s3", "f < p < q", NULL, 0 },
	};
	struct crashdb_query q = { 0 };

	begin();
	put("db", v, 4);
	/* the latest first; the last one has the time at which it was added, 77 ns */
	CHECK_STR(bugs("db", &all), "1:2::100:300:6.1.0,6.12.3\n2:1::200:200:6.12.3\n3:1::0:0:\n");
	q.since_ns = 150000000000;
	CHECK_STR(bugs("db", &q), "2:1::200:200:6.12.3\n");
	/* of those releases alone: there the bug is younger */
	q.release = "6.12*";
	CHECK_STR(bugs("db", &q), "1:1::300:300:6.12.3\n2:1::200:200:6.12.3\n");
	q = (struct crashdb_query){ .release = "6.12.*", .against = "6.1.*" };
	CHECK_STR(bugs("db", &q), "2:1:new:200:200:6.12.3\n1:1:both:100:300:6.1.0,6.12.3\n");
	q = (struct crashdb_query){ .release = "6.1.*", .against = "6.12.*" };
	CHECK_STR(bugs("db", &q), "1:1:both:100:300:6.1.0,6.12.3\n2:0:gone:200:200:6.12.3\n");
	q = (struct crashdb_query){ .release = "no such" };
	CHECK_STR(bugs("db", &q), "");
	end("db");
}

/* Met again it is one crash: with what is said of it now, its earliest time, and the note that only
 * the first one had. */
TEST(the_same_crash_counts_once)
{
	const struct said first = { "a", "1", "6.1.0", "s1", "f < g < h", "ticket", 200 };
	const struct said again = { "b", "1", "6.1.0", "s2", "f < x < y", NULL, 100 };
	const struct said later = { "c", "1", "6.1.0", "s2", "f < x < y", NULL, 900 };
	const struct said timeless = { "c", "1", "6.1.0", "s2", "f < x < y", NULL, 0 };
	struct crashdb_query q = { .bug = 2 };
	struct arena a = { 0 };
	struct crashdb d;
	kept_crashes v;
	struct err err;

	begin();
	put("db", &first, 1);
	REQUIRE(crashdb_open(&d, "db", CRASHDB_WRITE, 5000, &err));
	CHECK(crashdb_begin(&d, &err));
	CHECK_U64(add(&d, &again), CRASHDB_AGAIN);
	CHECK_U64(add(&d, &later), CRASHDB_AGAIN);
	CHECK_U64(add(&d, &timeless), CRASHDB_AGAIN);
	CHECK(crashdb_end(&d, true, &err));
	REQUIRE(crashdb_crashes(&d, &a, &q, &v, &err));
	REQUIRE(v.n == 1);
	CHECK_STR(v.p[0].path, "a");
	CHECK_STR(v.p[0].signature, "s2");
	CHECK_STR(v.p[0].known, "ticket");
	CHECK_STR(v.p[0].seen_by, "file");
	CHECK_U64((uint64_t)v.p[0].seen_ns, 100000000000u);
	vec_release(&v);
	arena_release(&a);
	crashdb_close(&d);
	CHECK_STR(bugs("db", &all), "2:1::100:100:6.1.0\n");
	end("db");
}

/* The stack of the third lies between those of the others, which alone are two bugs. */
TEST(a_crash_that_shows_that_two_bugs_are_one)
{
	const struct said v[] = {
		{ "a", "1", "6.1", "s1", "f < a < b < c", NULL, 100 },
		{ "b", "2", "6.1", "s2", "f < a < x < y", NULL, 200 },
		{ "c", "3", "6.1", "s3", "f < a < x < c", NULL, 300 },
	};

	begin();
	put("db", v, 2);
	CHECK_STR(bugs("db", &all), "2:1::200:200:6.1\n1:1::100:100:6.1\n");
	put("db", v + 2, 1);
	CHECK_STR(bugs("db", &all), "1:3::100:300:6.1\n");
	end("db");
}

/* What SQL, terminals and C would act on comes back as it was. NUL cannot be in a string of C: the
 * JSON of one leaves it out. */
TEST(strings_are_data)
{
	static const char *const hostile[] = {
		"'; DROP TABLE crash; --",
		"\" OR 1=1 --",
		"?1",
		"$x",
		"%s%n",
		"\x1b[31m",
		"a\nb",
		"caf\xc3\xa9",
		"*",
		"[",
		"NULL",
		"",
	};
	struct arena a = { 0 };
	char *longest = arena_alloc(&a, 300001);
	struct crashdb d;
	kept_crashes v;
	struct err err;

	memset(longest, 'x', 300000);
	longest[300000] = '\0';
	begin();
	REQUIRE(crashdb_open(&d, "db", CRASHDB_WRITE, 5000, &err));
	CHECK(crashdb_begin(&d, &err));
	for (size_t i = 0; i <= ARRAY_SIZE(hostile); i++) {
		const char *s = i < ARRAY_SIZE(hostile) ? hostile[i] : longest;
		struct said c = { s, s, s, s, s, s, i + 1 };

		CHECK_U64(add(&d, &c), CRASHDB_NEW);
	}
	CHECK(crashdb_end(&d, true, &err));
	REQUIRE(crashdb_crashes(&d, &a, &all, &v, &err));
	REQUIRE(v.n == ARRAY_SIZE(hostile) + 1);
	for (size_t i = 0; i < v.n; i++) {
		/* the latest first */
		const char *s = i ? hostile[ARRAY_SIZE(hostile) - i] : longest;

		CHECK_STR(v.p[i].path, s);
		CHECK_STR(v.p[i].release, s);
		CHECK_STR(v.p[i].known, s);
		CHECK_STR(v.p[i].signature ? v.p[i].signature : "", s);
	}
	vec_release(&v);
	crashdb_close(&d);
	end("db");
	arena_release(&a);
}

/* What a line may be besides a crash: by hand, of what triage prints. */
TEST(lines_that_are_no_crash)
{
	static const struct {
		const char *line;
		enum crashdb_added what;
	} v[] = {
		{ "{\"record\":\"crash\",\"path\":\"a\",\"status\":5}", CRASHDB_NONE },
		{ "{\"record\":\"crash\",\"path\":\"a\",\"status\":3,\"outcome\":null}",
		  CRASHDB_FAILED },
		{ "{\"record\":\"crash_group\",\"count\":1}", CRASHDB_OTHER },
		{ "{\"record\":\"crash\",\"path\":\"a\",\"status\":0,\"outco", CRASHDB_BAD_LINE },
		{ "{\"record\":\"crash\",\"status\":0}", CRASHDB_BAD_LINE },
		{ "{\"record\":\"crash\",\"path\":\"a\",\"status\":99,\"outcome\":\"dead\"}",
		  CRASHDB_BAD_LINE },
		{ "{\"record\":7}", CRASHDB_BAD_LINE },
		{ "{}", CRASHDB_BAD_LINE },
		{ "[]", CRASHDB_BAD_LINE },
		{ "\x7f"
		  "ELF",
		  CRASHDB_BAD_LINE },
		{ "", CRASHDB_BAD_LINE },
		/* the least that a crash says */
		{ "{\"record\":\"crash\",\"path\":\"a\",\"status\":0,\"outcome\":\"dead\"}",
		  CRASHDB_NEW },
		{ "{\"record\":\"crash\",\"path\":\"a\",\"status\":4,\"outcome\":\"dead\","
		  "\"when_ns\":99999999999999999999,\"verdict\":7}",
		  CRASHDB_AGAIN },
	};
	struct crashdb d;
	struct err err;

	begin();
	REQUIRE(crashdb_open(&d, "db", CRASHDB_WRITE, 5000, &err));
	CHECK(crashdb_begin(&d, &err));
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		enum crashdb_added what;

		CHECK(crashdb_add(&d, v[i].line, strlen(v[i].line), 1, &what, &err));
		CHECK_U64(what, v[i].what);
	}
	CHECK(crashdb_end(&d, true, &err));
	crashdb_close(&d);
	CHECK_STR(bugs("db", &all), "1:1::0:0:\n");
	end("db");
}

TEST(what_was_given_up_is_not_there)
{
	const struct said one = { "a", "1", "6.1", "s1", "f", NULL, 100 };
	struct crashdb d;
	struct err err;

	begin();
	REQUIRE(crashdb_open(&d, "db", CRASHDB_WRITE, 5000, &err));
	CHECK(crashdb_begin(&d, &err));
	CHECK_U64(add(&d, &one), CRASHDB_NEW);
	err_set(&err, ERR_INTR, "said before");
	CHECK(!crashdb_end(&d, false, &err));
	CHECK_STR(err.msg, "said before");
	CHECK(crashdb_begin(&d, &err));
	CHECK_U64(add(&d, &one), CRASHDB_NEW);
	/* the program ends here */
	crashdb_close(&d);
	CHECK_STR(bugs("db", &all), "");
	end("db");
}

/* ---- what is no database of crashes */

static void write_file(const char *path, const void *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	CHECK(fd >= 0 && write(fd, data, n) == (ssize_t)n && !close(fd));
}

/* Runs SQL on a file, as somebody else's program would. */
static void sql(const char *path, const char *text)
{
	struct sqlite q;
	sqlite3_stmt *s;
	sqlite3 *db;
	struct err err;

	REQUIRE(sqlite_load(&q, &err));
	CHECK_U64(q.open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
		  SQLITE_OK);
	CHECK_U64(q.prepare_v2(db, text, -1, &s, NULL), SQLITE_OK);
	q.step(s);
	q.finalize(s);
	CHECK_U64(q.close(db), SQLITE_OK);
}

static void refused(const char *path, enum crashdb_how how, enum err_code code, const char *words)
{
	struct crashdb d;
	struct err err = { 0 };

	CHECK(!crashdb_open(&d, path, how, 50, &err));
	CHECK_U64(err.code, code);
	if (!strstr(err.msg, words))
		CHECK_STR(err.msg, words);
}

TEST(what_is_no_database)
{
	char text[9000];

	begin();
	memset(text, 'x', sizeof(text));
	refused("nowhere", CRASHDB_READ, ERR_IO, "'nowhere': No such file or directory");
	refused("no/where", CRASHDB_WRITE, ERR_IO, "No such file or directory");
	refused(".", CRASHDB_READ, ERR_FORMAT, "'.' is no regular file");
	refused("/dev/null", CRASHDB_WRITE, ERR_FORMAT, "no regular file");
	refused("", CRASHDB_WRITE, ERR_USAGE, "no name");
	write_file("text", text, sizeof(text));
	refused("text", CRASHDB_READ, ERR_FORMAT, "'text' is no database");
	refused("text", CRASHDB_WRITE, ERR_FORMAT, "'text' is no database");
	write_file("short", text, 10);
	refused("short", CRASHDB_WRITE, ERR_FORMAT, "'short' is no database");
	write_file("empty", text, 0);
	refused("empty", CRASHDB_READ, ERR_FORMAT, "nothing was loaded");
	sql("other", "CREATE TABLE moz_places (id)");
	refused("other", CRASHDB_WRITE, ERR_FORMAT, "another program's");
	sql("marked", "PRAGMA application_id = 5");
	refused("marked", CRASHDB_READ, ERR_FORMAT, "another program's");
	put("newer", NULL, 0);
	sql("newer", "PRAGMA user_version = 2");
	refused("newer", CRASHDB_READ, ERR_UNSUPPORTED,
		"made by a newer obit: its tables are of version 2, and this one knows 1");
	refused("newer", CRASHDB_WRITE, ERR_UNSUPPORTED, "newer");
	/* nothing of what was refused was touched: the text is as it was */
	write_file("same", text, sizeof(text));
	CHECK(!system("cmp -s text same"));
	CHECK(!system("rm text same short empty other marked"));
	end("newer");
}

/* A view where a table is asked for, which may have no end, and what runs when one is written to;
 * what somebody adds for himself is let be. */
TEST(tables_that_run_what_somebody_wrote)
{
	begin();
	put("mine", NULL, 0);
	sql("mine", "CREATE INDEX my_own ON crash (release)");
	sql("mine", "CREATE VIEW my_own_view AS SELECT * FROM bug");
	put("mine", NULL, 0);
	put("view", NULL, 0);
	sql("view", "DROP VIEW bug");
	put("view", NULL, 0);
	sql("view", "ALTER TABLE site RENAME TO was");
	sql("view",
	    "CREATE VIEW Site AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n)"
	    " SELECT * FROM n, was");
	refused("view", CRASHDB_READ, ERR_FORMAT, "is not obit's");
	put("trigger", NULL, 0);
	sql("trigger", "CREATE TRIGGER t AFTER INSERT ON crash BEGIN DELETE FROM crash; END");
	refused("trigger", CRASHDB_WRITE, ERR_FORMAT, "is not obit's");
	put("other", NULL, 0);
	sql("other", "DROP VIEW bug");
	sql("other", "CREATE VIEW bug AS SELECT 1");
	refused("other", CRASHDB_READ, ERR_FORMAT, "is not obit's");
	CHECK(!system("rm view trigger other"));
	end("mine");
}

/* A table that is not as it should be, or is gone, is an error that says so, and no crash. */
TEST(tables_of_another_shape)
{
	const struct said one = { "a", "1", "6.1", "s1", "f", NULL, 100 };
	struct buf b = { 0 };
	struct crashdb d;
	struct err err = { 0 };
	enum crashdb_added what;

	begin();
	put("db", &one, 1);
	sql("db", "ALTER TABLE crash DROP COLUMN sure");
	CHECK(strstr(bugs("db", &all), "no such column") != NULL);
	sql("db", "DROP TABLE site");
	REQUIRE(crashdb_open(&d, "db", CRASHDB_WRITE, 50, &err));
	CHECK(crashdb_begin(&d, &err));
	line_make(&b, &one);
	CHECK(!crashdb_add(&d, b.s, b.n, 1, &what, &err));
	CHECK(strstr(err.msg, "'db': ") == err.msg);
	CHECK(!crashdb_end(&d, false, &err));
	crashdb_close(&d);
	buf_release(&b);
	end("db");
}

/* Names that SQLite takes for something else are files. */
TEST(names_are_names_of_files)
{
	static const char *const names[] = { ":memory:", "file:x?mode=memory", "-j", "a b'c" };
	const struct said one = { "a", "1", "6.1", "s1", "f", NULL, 100 };
	struct stat st;

	begin();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		put(names[i], &one, 1);
		CHECK(!stat(names[i], &st) && st.st_size > 4096);
		CHECK_STR(bugs(names[i], &all), "1:1::100:100:6.1\n");
		CHECK(!unlink(names[i]));
	}
	end(NULL);
}

/* ---- others, and the disk */

/* Somebody keeps it for longer than is waited for; then it is free. */
TEST(another_process_has_it)
{
	const struct said one = { "a", "1", "6.1", "s1", "f", NULL, 100 };
	struct crashdb d, other;
	struct err err = { 0 };

	begin();
	put("db", &one, 1);
	REQUIRE(crashdb_open(&other, "db", CRASHDB_WRITE, 50, &err));
	REQUIRE(crashdb_open(&d, "db", CRASHDB_WRITE, 50, &err));
	CHECK(crashdb_begin(&other, &err));
	CHECK(!crashdb_begin(&d, &err));
	CHECK_U64(err.code, ERR_IO);
	CHECK_STR(err.msg, "'db': another process has kept it for more than 0 s");
	/* who reads is not kept waiting by a transaction that is not written yet */
	CHECK_STR(bugs("db", &all), "1:1::100:100:6.1\n");
	CHECK(crashdb_end(&other, true, &err));
	CHECK(crashdb_begin(&d, &err));
	CHECK(crashdb_end(&d, true, &err));
	crashdb_close(&d);
	crashdb_close(&other);
	end("db");
}

#define WRITERS 4u
#define ROUNDS 12u
/* Each adds 3 crashes in each round, of which the first is everybody's. */
static void write_rounds(unsigned writer)
{
	struct crashdb d;
	struct err err;

	if (!crashdb_open(&d, "db", CRASHDB_WRITE, 30000, &err))
		_exit(1);
	for (unsigned r = 0; r < ROUNDS; r++) {
		struct buf b = { 0 };
		bool ok = crashdb_begin(&d, &err);

		for (unsigned i = 0; i < 3; i++) {
			char id[32], sig[32];
			struct said c = { id, id, "6.1", sig, "f < g", NULL, 100 + r };
			enum crashdb_added what;

			snprintf(id, sizeof(id), "%u-%u-%u", i ? writer : 99, r, i);
			snprintf(sig, sizeof(sig), "s%u", i ? writer : 99);
			line_make(&b, &c);
			ok = ok && crashdb_add(&d, b.s, b.n, 1, &what, &err);
		}
		buf_release(&b);
		if (!crashdb_end(&d, ok, &err))
			_exit(2);
	}
	crashdb_close(&d);
	_exit(0);
}

/* None of them fails, nothing is lost and nothing is there twice; they also make it together. */
TEST(many_write_at_once)
{
	pid_t pids[WRITERS];
	int status;

	begin();
	for (unsigned i = 0; i < WRITERS; i++) {
		pids[i] = fork();
		REQUIRE(pids[i] >= 0);
		if (!pids[i])
			write_rounds(i);
	}
	for (unsigned i = 0; i < WRITERS; i++) {
		CHECK(waitpid(pids[i], &status, 0) == pids[i]);
		CHECK_U64((uint64_t)status, 0);
	}
	/* ROUNDS of everybody's and 2 * ROUNDS of each; all have the same stack */
	CHECK(strstr(bugs("db", &all), ":108::100:111:6.1\n") != NULL);
	_Static_assert(ROUNDS + WRITERS * 2 * ROUNDS == 108, "as above");
	end("db");
}

/* A file that cannot grow stands for a disk that is full: both are an error of write(). What was
 * there before stays, and can be read. */
TEST(no_space_is_left)
{
	const struct said one = { "a", "1", "6.1", "s1", "f", NULL, 100 };
	pid_t pid;
	int status;

	begin();
	put("db", &one, 1);
	pid = fork();
	REQUIRE(pid >= 0);
	if (!pid) {
		struct rlimit limit = { 64 << 10, 64 << 10 };
		struct crashdb d;
		struct err err = { 0 };
		bool ok;

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		ok = crashdb_open(&d, "db", CRASHDB_WRITE, 50, &err) && crashdb_begin(&d, &err);
		for (unsigned i = 0; ok && i < 20000; i++) {
			char id[32];
			struct said c = { id, id, "6.1", id, id, NULL, 100 };
			struct buf b = { 0 };
			enum crashdb_added what;

			snprintf(id, sizeof(id), "%u", i + 2);
			line_make(&b, &c);
			ok = crashdb_add(&d, b.s, b.n, 1, &what, &err);
			buf_release(&b);
		}
		ok = crashdb_end(&d, ok, &err);
		crashdb_close(&d);
		_exit(ok ? 9 : err.code == ERR_IO && strstr(err.msg, "'db': ") == err.msg ? 0 : 8);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK_U64((uint64_t)status, 0);
	CHECK_STR(bugs("db", &all), "1:1::100:100:6.1\n");
	end("db");
}

/* Bytes that are wrong: an answer, or an error, and an end. */
TEST(damage_ends_in_an_error_or_an_answer)
{
	const struct said v[] = { { "a", "1", "6.1", "s1", "f < g", NULL, 100 },
				  { "b", "2", "6.1", "s2", "h < i", NULL, 200 } };
	unsigned char whole[65536];
	uint64_t seed = 1;
	ssize_t n;
	int fd;

	begin();
	put("db", v, 2);
	fd = open("db", O_RDONLY | O_CLOEXEC);
	n = read(fd, whole, sizeof(whole));
	close(fd);
	REQUIRE(n > 4096);
	for (unsigned i = 0; i < 200; i++) {
		unsigned char copy[sizeof(whole)];
		struct crashdb d;
		struct err err = { 0 };
		size_t len = i % 10 ? (size_t)n : (size_t)n * i / 200;

		memcpy(copy, whole, sizeof(copy));
		for (unsigned k = 0; k < 20; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			copy[100 + (seed >> 33) % ((size_t)n - 100)] = (unsigned char)(seed >> 25);
		}
		write_file("db", copy, len);
		bugs("db", &all);
		if (crashdb_open(&d, "db", CRASHDB_WRITE, 50, &err)) {
			struct buf b = { 0 };
			enum crashdb_added what;
			bool ok = crashdb_begin(&d, &err);

			line_make(&b, &v[i % 2]);
			if (ok)
				ok = crashdb_add(&d, b.s, b.n, 1, &what, &err);
			ok = crashdb_end(&d, ok, &err);
			CHECK(ok || *err.msg);
			buf_release(&b);
			crashdb_close(&d);
		} else {
			CHECK(*err.msg != '\0');
		}
	}
	unlink("db-journal");
	end("db");
}

/* A dump is not written over. The last case: a file that gets its inode would be an input, too. */
TEST(an_input_stays)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;

	begin();
	write_file("vmcore", "KDUMP   ", 8);
	REQUIRE(file_open(&a, "vmcore", &f, &err));
	refused("vmcore", CRASHDB_WRITE, ERR_USAGE, "'vmcore' is an input, and stays as it is");
	file_close(f);
	arena_release(&a);
	end("vmcore");
}

TEST_MAIN
