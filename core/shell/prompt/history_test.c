/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the history file: several sessions, sessions that are killed, a file that is odd. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/shell/prompt/history.h"

static char dir[64], path[128];

/* What history_file_each() gave. */
static struct {
	size_t n, bytes;
	char first[128], last[128];
	size_t odd;              /* lines that are not as a writer of these tests makes them */
	unsigned next[8];        /* of each writer, the number that comes next */
	unsigned gaps, backward; /* numbers left out, and such as came too late */
} kept;

/* "WRITER NUMBER xxx...", with as many x as the number says, so that a torn line shows. */
static void line_make(char *line, size_t size, unsigned writer, unsigned number, unsigned width)
{
	unsigned n = width + number % 50;
	int at = snprintf(line, size, "%u %u ", writer, number);

	memset(line + at, 'x', n);
	line[(size_t)at + n] = '\0';
}

static unsigned width = 20;

static void keep(const char *line)
{
	char want[8192];
	unsigned writer, number;

	if (!kept.n++)
		snprintf(kept.first, sizeof(kept.first), "%s", line);
	snprintf(kept.last, sizeof(kept.last), "%s", line);
	kept.bytes += strlen(line) + 1;
	if (sscanf(line, "%u %u ", &writer, &number) != 2 || writer >= 8) {
		kept.odd++;
		return;
	}
	line_make(want, sizeof(want), writer, number, width);
	kept.odd += strcmp(line, want) != 0;
	kept.backward += number < kept.next[writer];
	kept.gaps += number > kept.next[writer];
	kept.next[writer] = number + 1;
}

static void read_back(void)
{
	memset(&kept, 0, sizeof(kept));
	history_file_each(path, keep);
}

static void put(const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* That many writers at once, each a process, each with its own lines. */
static void write_at_once(unsigned writers, unsigned lines)
{
	char line[8192];
	int status;

	fflush(stdout);
	for (unsigned w = 0; w < writers; w++) {
		if (fork())
			continue;
		for (unsigned i = 0; i < lines; i++) {
			line_make(line, sizeof(line), w, i, width);
			history_file_add(path, line);
		}
		_exit(0);
	}
	while (wait(&status) > 0)
		CHECK(status == 0);
}

TEST(no_session_takes_anothers_lines)
{
	unlink(path);
	width = 20;
	write_at_once(4, 250);
	read_back();
	CHECK_U64(kept.n, 1000);
	CHECK_U64(kept.odd, 0);
	CHECK_U64(kept.gaps, 0);
	CHECK_U64(kept.backward, 0);
}

TEST(the_file_is_bounded_while_several_write)
{
	struct stat st;

	unlink(path);
	width = 4000;
	write_at_once(4, 250); /* four million bytes */
	REQUIRE(!stat(path, &st));
	CHECK(st.st_size <= HISTORY_BYTES_MAX);
	CHECK(st.st_size >= HISTORY_BYTES_MAX / 4);
	read_back();
	CHECK_U64(kept.odd, 0);
	CHECK_U64(kept.backward, 0);
	CHECK(kept.gaps <= 4); /* of each the older ones, and none between */
	/* the newest of all is the end of a writer */
	CHECK(strstr(kept.last, " 249 x") != NULL);
	CHECK((st.st_mode & 0777) == 0600);
}

TEST(a_session_that_was_killed_spoils_no_other_line)
{
	put("0 0 xxxxxxxxxxxxxxxxxxxx\nhalf a li");
	width = 20;
	read_back();
	CHECK_U64(kept.n, 1); /* the half one is not offered */
	history_file_add(path, "1 0 xxxxxxxxxxxxxxxxxxxx");
	read_back();
	CHECK_U64(kept.n, 3);
	CHECK_U64(kept.odd, 1);
	CHECK_STR(kept.last, "1 0 xxxxxxxxxxxxxxxxxxxx");
}

TEST(one_line_stays_one_line)
{
	unlink(path);
	history_file_add(path, "a\nb");
	history_file_add(path, "c");
	read_back();
	CHECK_U64(kept.n, 2);
	CHECK_STR(kept.first, "a b");
}

TEST(a_line_of_a_megabyte_takes_no_place)
{
	char *line = xrealloc(NULL, HISTORY_BYTES_MAX + 1);

	memset(line, 'x', HISTORY_BYTES_MAX);
	line[HISTORY_BYTES_MAX] = '\0';
	put("short\n");
	history_file_add(path, line);
	read_back();
	CHECK_U64(kept.n, 1);
	CHECK_STR(kept.last, "short");
	free(line);
}

TEST(a_long_file_of_another_program_is_read_from_its_end)
{
	FILE *f = fopen(path, "w");

	REQUIRE(f);
	for (unsigned i = 0; i < 300000; i++)
		fprintf(f, "line %u\n", i);
	fclose(f);
	read_back();
	CHECK(kept.bytes <= HISTORY_BYTES_MAX && kept.bytes > HISTORY_BYTES_MAX / 2);
	CHECK_STR(kept.last, "line 299999");
	CHECK(!strncmp(kept.first, "line ", 5));
	history_file_add(path, "mine");
	read_back();
	CHECK(kept.bytes <= HISTORY_BYTES_MAX / 2);
	CHECK_STR(kept.last, "mine");
}

TEST(what_is_no_file_is_left_alone)
{
	struct stat st;

	unlink(path);
	REQUIRE(!mkfifo(path, 0600));
	history_file_add(path, "x");
	read_back();
	CHECK_U64(kept.n, 0);
	CHECK(!stat(path, &st) && S_ISFIFO(st.st_mode));
	unlink(path);
	REQUIRE(!symlink("/dev/null", path)); /* how people say: keep none */
	history_file_add(path, "x");
	read_back();
	CHECK_U64(kept.n, 0);
	CHECK(!lstat(path, &st) && S_ISLNK(st.st_mode));
	unlink(path);
}

TEST(a_link_stays_one_when_the_file_is_shortened)
{
	char target[128];
	struct stat st;

	unlink(path);
	snprintf(target, sizeof(target), "%s/elsewhere", dir);
	REQUIRE(!symlink(target, path));
	width = 4000;
	write_at_once(1, 300);
	CHECK(!lstat(path, &st) && S_ISLNK(st.st_mode));
	CHECK(!stat(target, &st) && st.st_size <= HISTORY_BYTES_MAX);
	unlink(path);
}

TEST(folders_are_made_for_the_person_alone)
{
	char was[128];
	struct stat st;

	strcpy(was, path);
	snprintf(path, sizeof(path), "%s/a/b/history", dir);
	history_file_add(path, "x");
	read_back();
	CHECK_U64(kept.n, 1);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600);
	snprintf(path, sizeof(path), "%s/a", dir);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0700);
	strcpy(path, was);
}

static bool typed_line(size_t i, const char **ret)
{
	static const char *const lines[] = { "sys", "bt -l", "log | tail", "bt 1" };

	if (i >= sizeof(lines) / sizeof(lines[0]))
		return false;
	*ret = lines[i];
	return true;
}

static bool no_line(size_t i, const char **ret)
{
	(void)i, (void)ret;
	return false;
}

TEST(lines_from_before)
{
	/* as bash and crash have them */
	static const struct {
		const char *typed, *want;
	} cases[] = {
		{ "!!", "bt 1" },   { "r", "bt 1" },          { " r  ", "bt 1" },
		{ "!1", "sys" },    { "r 2", "bt -l" },       { "!-3", "bt -l" },
		{ "r bt", "bt 1" }, { "r lo", "log | tail" }, { "!5", NULL },
		{ "!0", NULL },     { "!-5", NULL },          { "r nosuch", NULL },
	};
	static const char *const others[] = { "! ls", "!ls", "!",   "! 5", "rd 1",
					      "regs", "",    "!5x", "!-",  "r5" };
	const char *got;
	struct err err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(history_recall(cases[i].typed, typed_line, &got, &err));
		if (cases[i].want)
			CHECK_STR(got, cases[i].want);
		else
			CHECK(!got);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CHECK(!history_recall(others[i], typed_line, &got, &err));
	CHECK(history_recall("!!", no_line, &got, &err) && !got);
	CHECK_ERR(err, ERR_NOTFOUND);
}

int main(int argc, char **argv)
{
	char command[128];
	int status;

	snprintf(dir, sizeof(dir), "/tmp/obit-history-XXXXXX");
	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	snprintf(path, sizeof(path), "%s/history", dir);
	status = test_main(argc, argv);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? EXIT_FAILURE : status;
}
