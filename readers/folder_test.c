/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of folders as arguments: which files are of one, in which order, and when there are more.
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/test.h"
#include "readers/folder.h"

static struct arena a;
static const char *const *files;
static size_t n;
static bool more;
static struct err err;

static void touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	REQUIRE(fd >= 0);
	close(fd);
}

/* A folder that is empty, and where the test stands. */
static bool enter(char *dir)
{
	return mkdtemp(dir) && chdir(dir) == 0;
}

static void leave(const char *dir)
{
	CHECK(chdir("/") == 0 &&
	      system(arena_printf(&a, "rm -rf '%s'", dir)) == 0); /* NOLINT: a name of mkdtemp's */
	arena_release(&a);
}

TEST(files_below_by_name)
{
	char dir[] = "/tmp/obit-folder-XXXXXX";

	REQUIRE(enter(dir));
	REQUIRE(mkdir("f", 0700) == 0 && mkdir("f/sub", 0700) == 0 && mkdir("other", 0700) == 0);
	touch("f/sub/b");
	touch("f/zz");
	touch("f/a");
	touch("f/.hidden");
	touch("other/not-here");
	/* links are not followed: to a file, to a folder, and in a circle */
	REQUIRE(symlink("a", "f/link") == 0 && symlink("../other", "f/away") == 0 &&
		symlink("..", "f/sub/up") == 0);
	REQUIRE(mkfifo("f/pipe", 0600) == 0);
	REQUIRE_OK(folder_files(&a, "f", &files, &n, &more, &err), err);
	REQUIRE(n == 3);
	CHECK_STR(files[0], "f/a");
	CHECK_STR(files[1], "f/sub/b");
	CHECK_STR(files[2], "f/zz");
	CHECK(!more);
	leave(dir);
}

TEST(slashes_at_the_end_are_one_folder)
{
	char dir[] = "/tmp/obit-folder-XXXXXX";

	REQUIRE(enter(dir));
	REQUIRE(mkdir("f", 0700) == 0);
	touch("f/a");
	REQUIRE_OK(folder_files(&a, "f///", &files, &n, &more, &err), err);
	REQUIRE(n == 1);
	CHECK_STR(files[0], "f/a");
	/* the shortest name */
	REQUIRE_OK(folder_files(&a, "f/", &files, &n, &more, &err), err);
	REQUIRE(n == 1);
	CHECK_STR(files[0], "f/a");
	CHECK(folder_is("f") && folder_is("/") && !folder_is("f/a") && !folder_is("f/none"));
	CHECK(!folder_files(&a, "f/none", &files, &n, &more, &err));
	CHECK_CONTAINS(err.msg, "f/none");
	/* not the folder one is in, whatever that holds: "" names nothing */
	CHECK(!folder_files(&a, "", &files, &n, &more, &err));
	REQUIRE(mkdir("empty", 0700) == 0);
	REQUIRE_OK(folder_files(&a, "empty", &files, &n, &more, &err), err);
	CHECK(n == 0 && !files && !more);
	leave(dir);
}

/* In a process whose root the folder is. Status 77: this machine lets nobody do that. */
static int root_files(const char *dir)
{
	if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0)
		return 77;
	if (chroot(dir) != 0 || chdir("/") != 0)
		return 77;
	return !folder_files(&a, "/", &files, &n, &more, &err) || n != 1 ||
	       strcmp(files[0], "//a") != 0;
}

TEST(the_root_is_a_folder)
{
	char dir[] = "/tmp/obit-folder-XXXXXX";
	int status = -1;
	pid_t child;

	REQUIRE(enter(dir));
	touch("a");
	child = fork();
	if (child == 0)
		_exit(root_files(dir));
	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
	leave(dir);
}

/* FOLDER_DEPTH levels are read, the folder itself the first; a deeper folder is said to be there.
 */
TEST(as_deep_as_promised)
{
	char dir[] = "/tmp/obit-folder-XXXXXX";

	REQUIRE(enter(dir));
	REQUIRE(FOLDER_DEPTH == 4 && mkdir("1", 0700) == 0 && mkdir("1/2", 0700) == 0 &&
		mkdir("1/2/3", 0700) == 0 && mkdir("1/2/3/4", 0700) == 0);
	touch("1/2/3/4/deepest");
	REQUIRE_OK(folder_files(&a, "1", &files, &n, &more, &err), err);
	REQUIRE(n == 1 && !more);
	CHECK_STR(files[0], "1/2/3/4/deepest");
	REQUIRE(mkdir("1/2/3/4/5", 0700) == 0);
	touch("1/2/3/4/5/too-deep");
	REQUIRE_OK(folder_files(&a, "1", &files, &n, &more, &err), err);
	CHECK(n == 1 && more);
	leave(dir);
}

/* A name that the system refuses, here for its length, costs itself and not those behind it. */
TEST(a_file_that_cannot_be_asked)
{
	char dir[] = "/tmp/obit-folder-XXXXXX", name[256], path[PATH_MAX];

	REQUIRE(enter(dir));
	REQUIRE(mkdir("f", 0700) == 0);
	for (unsigned i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "f/%u", i);
		touch(name);
	}
	memset(name, 'x', 250);
	memcpy(name, "f/", 2);
	name[250] = '\0';
	touch(name);
	for (unsigned i = 20; i < 40; i++) {
		snprintf(name, sizeof(name), "f/%u", i);
		touch(name);
	}
	/* "./././f", with room behind it for the short names alone */
	for (size_t i = 0; i + 200 < PATH_MAX; i += 2)
		snprintf(path + i, sizeof(path) - i, "./f");
	REQUIRE_OK(folder_files(&a, path, &files, &n, &more, &err), err);
	CHECK_U64(n, 40);
	leave(dir);
}

TEST(as_many_as_promised)
{
	char dir[] = "/tmp/obit-folder-XXXXXX", name[32];

	REQUIRE(enter(dir));
	REQUIRE(mkdir("f", 0700) == 0);
	for (unsigned i = 0; i < FOLDER_FILES; i++) {
		snprintf(name, sizeof(name), "f/%u", i);
		touch(name);
	}
	REQUIRE_OK(folder_files(&a, "f", &files, &n, &more, &err), err);
	CHECK(n == FOLDER_FILES && !more);
	touch("f/one-more");
	REQUIRE_OK(folder_files(&a, "f", &files, &n, &more, &err), err);
	CHECK(n == FOLDER_FILES && more);
	leave(dir);
}

TEST_MAIN
