/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of written files: whole, or nothing of them is kept. That no input is written over is
 * tested with the mappings. */
#include "core/base/outfile.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/test.h"

static char top[200];

static void begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(top, sizeof(top), "%s/obit-test-XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(top) || chdir(top))
		top[0] = '\0';
}

static void end(void)
{
	CHECK(chdir("/") == 0 && rmdir(top) == 0); /* every name is gone */
}

/* Writes text, and says that it failed if `ok` is false. */
static bool put(const char *path, enum outfile_how how, const char *text, bool ok, struct err *err)
{
	struct outfile f;

	if (!outfile_open(&f, path, how, err))
		return false;
	return outfile_close(&f, outfile_write(&f, text, strlen(text), err) && ok, err);
}

/* What the file holds; "(none)": there is no such file. */
static const char *content(const char *path)
{
	static char got[64];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, got, sizeof(got) - 1);

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return "(none)";
	got[n] = '\0';
	return got;
}

TEST(a_whole_file_stays)
{
	struct err err;
	struct stat st;

	begin();
	CHECK_OK(put("over", OUTFILE_OVER, "a long text", true, &err), err);
	CHECK_OK(put("over", OUTFILE_OVER, "short", true, &err), err);
	CHECK_STR(content("over"), "short");
	CHECK_OK(put("over", OUTFILE_APPEND, "er", true, &err), err);
	CHECK_STR(content("over"), "shorter");
	CHECK(!put("over", OUTFILE_NEW, "new", true, &err));
	CHECK_CONTAINS(err.msg, "cannot write 'over': File exists");
	CHECK_STR(content("over"), "shorter");
	CHECK_OK(put("mine", OUTFILE_PRIVATE, "secret", true, &err), err);
	CHECK(!stat("mine", &st) && (st.st_mode & 0777) == 0600);
	unlink("over");
	unlink("mine");
	end();
}

TEST(nothing_is_kept_of_one_that_failed)
{
	struct err err = { .code = ERR_FORMAT, .msg = "what was to be written is broken" };

	begin();
	CHECK(!put("new", OUTFILE_NEW, "half", false, &err));
	CHECK_ERR(err, ERR_FORMAT); /* the reason that there was already */
	CHECK_STR(content("new"), "(none)");
	CHECK(!put("over", OUTFILE_OVER, "half", false, &err));
	CHECK_STR(content("over"), "(none)");

	/* what is appended to is more than this output */
	CHECK_OK(put("log", OUTFILE_OVER, "old ", true, &err), err);
	CHECK(!put("log", OUTFILE_APPEND, "new", false, &err));
	CHECK_STR(content("log"), "old new");

	/* a link is not the file, and other names have no half of it */
	REQUIRE(symlink("log", "soft") == 0 && link("log", "hard") == 0);
	CHECK(!put("soft", OUTFILE_OVER, "half", false, &err));
	CHECK_STR(content("hard"), "");
	CHECK_STR(content("soft"), "");
	unlink("soft");
	unlink("hard");
	unlink("log");

	/* nor is a device taken away */
	CHECK(!put("/dev/full", OUTFILE_OVER, "text", true, &err));
	CHECK_CONTAINS(err.msg, "cannot write '/dev/full': No space left on device");
	CHECK(access("/dev/full", W_OK) == 0);
	end();
}

/* A name that means another file by now is not this one's to take away. */
TEST(a_name_that_was_given_away_stays)
{
	struct outfile f;
	struct err err;

	begin();
	REQUIRE_OK(outfile_open(&f, "x", OUTFILE_OVER, &err), err);
	CHECK_OK(outfile_write(&f, "mine", 4, &err), err);
	REQUIRE(unlink("x") == 0);
	REQUIRE_OK(put("x", OUTFILE_NEW, "another's", true, &err), err);
	CHECK(!outfile_close(&f, false, &err));
	CHECK_STR(content("x"), "another's");
	unlink("x");
	end();
}

/* A file system that is full, as the limit of a file's size makes it be: the first bytes fit. */
TEST(a_full_disk_leaves_no_half)
{
	struct rlimit was, few;
	struct err err;

	begin();
	signal(SIGXFSZ, SIG_IGN);
	REQUIRE(getrlimit(RLIMIT_FSIZE, &was) == 0);
	few = was;
	few.rlim_cur = 4;
	REQUIRE(setrlimit(RLIMIT_FSIZE, &few) == 0);
	CHECK(!put("x", OUTFILE_OVER, "more than fits", true, &err));
	REQUIRE(setrlimit(RLIMIT_FSIZE, &was) == 0);
	CHECK_ERR(err, ERR_IO);
	CHECK_CONTAINS(err.msg, "cannot write 'x': File too large");
	CHECK_STR(content("x"), "(none)");
	end();
}

TEST(one_takes_the_place_of_another)
{
	struct outfile f;
	struct err err;

	begin();
	REQUIRE_OK(put("file", OUTFILE_OVER, "old", true, &err), err);
	REQUIRE_OK(outfile_open(&f, "file.new", OUTFILE_PRIVATE, &err), err);
	CHECK(outfile_write(&f, "half", 4, &err) && !outfile_replace(&f, "file", false, &err));
	CHECK_STR(content("file"), "old");
	CHECK_STR(content("file.new"), "(none)");

	REQUIRE_OK(outfile_open(&f, "file.new", OUTFILE_PRIVATE, &err), err);
	CHECK_OK(outfile_replace(&f, "file", outfile_write(&f, "new", 3, &err), &err), err);
	CHECK_STR(content("file"), "new");
	CHECK_STR(content("file.new"), "(none)");

	/* a place that cannot be taken */
	REQUIRE_OK(outfile_open(&f, "file.new", OUTFILE_PRIVATE, &err), err);
	CHECK(!outfile_replace(&f, "no/such/place", true, &err));
	CHECK_CONTAINS(err.msg, "cannot write 'no/such/place'");
	CHECK_STR(content("file.new"), "(none)");
	unlink("file");
	end();
}

/* A secret goes into a file of its own: through no link, and not where another name shows it. */
TEST(secrets)
{
	struct err err;
	struct stat st;

	begin();
	CHECK_OK(put("plain", OUTFILE_OVER, "open", true, &err), err);
	CHECK_OK(put("plain", OUTFILE_SECRET, "secret", true, &err), err);
	CHECK_STR(content("plain"), "secret");
	CHECK(stat("plain", &st) == 0 && (st.st_mode & 0777) == 0600);
	CHECK(symlink("plain", "soft") == 0 && symlink("nowhere", "loose") == 0);
	CHECK(!put("soft", OUTFILE_SECRET, "lost", true, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK(!put("loose", OUTFILE_SECRET, "lost", true, &err));
	CHECK(link("plain", "hard") == 0);
	CHECK(!put("hard", OUTFILE_SECRET, "lost", true, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK_STR(content("plain"), "secret");
	CHECK_STR(content("nowhere"), "(none)");
	CHECK(unlink("soft") == 0 && unlink("loose") == 0 && unlink("hard") == 0);
	CHECK(!put("plain", OUTFILE_SECRET, "half", false, &err));
	end();
}

TEST_MAIN
