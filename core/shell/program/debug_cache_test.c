/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what is shown of debuginfod's cache, and that nothing but it is ever removed. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/shell/program/debug_cache.h"

static char dir[] = "/tmp/debug_cache_XXXXXX";

static bool file_make(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	return f && fputs(text, f) >= 0 && !fclose(f);
}

static bool is_there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

struct seen {
	unsigned n;
	uint64_t bytes;
};

static bool see(const struct cached_file *f, void *arg)
{
	struct seen *s = arg;

	CHECK_STR(f->build_id, "0123456789abcdef");
	s->n++;
	s->bytes += f->size;
	return true;
}

TEST(the_folder_is_the_librarys)
{
	struct buf b = { 0 };

	REQUIRE(mkdtemp(dir) && !chdir(dir));
	setenv("HOME", dir, 1);
	setenv("XDG_CACHE_HOME", "/x", 1);
	setenv("DEBUGINFOD_CACHE_PATH", "/own", 1);
	CHECK(debug_cache_folder(&b));
	CHECK_STR(buf_text(&b), "/own");
	buf_reset(&b);
	unsetenv("DEBUGINFOD_CACHE_PATH");
	CHECK(debug_cache_folder(&b));
	CHECK_STR(buf_text(&b), "/x/debuginfod_client");
	buf_reset(&b);
	unsetenv("XDG_CACHE_HOME");
	CHECK(debug_cache_folder(&b));
	CHECK_CONTAINS(buf_text(&b), dir);
	CHECK_CONTAINS(buf_text(&b), "/.cache/debuginfod_client");
	buf_reset(&b);
	/* where the library kept it before 0.186 */
	REQUIRE(!mkdir(".debuginfod_client_cache", 0700));
	CHECK(debug_cache_folder(&b));
	CHECK_CONTAINS(buf_text(&b), "/.debuginfod_client_cache");
	buf_reset(&b);
	REQUIRE(!rmdir(".debuginfod_client_cache"));
	unsetenv("HOME");
	CHECK(!debug_cache_folder(&b));
	buf_release(&b);
}

/* A folder of days and seconds beside it, as crashes are kept in, and in a build-id's folder what
 * somebody put there or the library is at. */
TEST(names_that_are_not_the_librarys_stay)
{
	static const char *const made[] = { "debuginfo",          "executable",
					    "source#usr#a.c",     "source-5f0e-#usr#a.c",
					    "section-.gdb_index", "hdr-debuginfo",
					    "hdr-source-5f0e-#a" };
	static const char *const other[] = { "vmcore",          "debuginfo.tM8xQa", "sources.tar",
					     "executable.orig", "section",          "header" };
	static const char *const folders[] = { "d/20261128", "d/20261128124218",
					       "d/20261128124218001" };
	struct cleared c;
	char path[128];
	struct err err;

	REQUIRE(!mkdir("d", 0700) && !mkdir("d/0123456789abcdef", 0700));
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		REQUIRE(!mkdir(folders[i], 0700));
		snprintf(path, sizeof(path), "%s/debuginfo", folders[i]);
		REQUIRE(file_make(path, "x"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		snprintf(path, sizeof(path), "d/0123456789abcdef/%s", made[i]);
		REQUIRE(file_make(path, "x"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(other); i++) {
		snprintf(path, sizeof(path), "d/0123456789abcdef/%s", other[i]);
		REQUIRE(file_make(path, "x"));
	}
	CHECK(debug_cache_clear("d", &c, &err));
	CHECK(c.files == ARRAY_SIZE(made) && c.kept == ARRAY_SIZE(other));
	for (size_t i = 0; i < ARRAY_SIZE(other); i++) {
		snprintf(path, sizeof(path), "d/0123456789abcdef/%s", other[i]);
		CHECK(is_there(path));
	}
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		snprintf(path, sizeof(path), "%s/debuginfo", folders[i]);
		CHECK(is_there(path));
	}
}

/* Inputs are evidence: what a session mapped is shown, and stays, by whatever name it was opened.
 */
TEST(an_input_stays)
{
	struct arena a = { 0 };
	struct seen s = { 0 };
	struct cleared c;
	struct file *f;
	struct err err;

	REQUIRE(!mkdir("e", 0700) && !mkdir("e/0123456789abcdef", 0700) &&
		file_make("e/0123456789abcdef/debuginfo", "12345") &&
		file_make("e/0123456789abcdef/executable", "1") &&
		!link("e/0123456789abcdef/debuginfo", "vmlinux"));
	REQUIRE_OK(file_open(&a, "vmlinux", &f, &err), err);
	CHECK(debug_cache_each("e", see, &s, &err));
	CHECK(s.n == 2 && s.bytes == 6);
	CHECK(debug_cache_clear("e", &c, &err));
	CHECK(c.files == 1 && c.bytes == 1 && c.kept == 1);
	CHECK(is_there("e/0123456789abcdef/debuginfo") &&
	      !is_there("e/0123456789abcdef/executable"));
	file_close(f);
	arena_release(&a);
}

TEST(only_the_caches_files_are_removed)
{
	struct seen s = { 0 };
	struct cleared c;
	struct err err;

	REQUIRE(!mkdir("c", 0700) && !mkdir("c/0123456789abcdef", 0700) &&
		!mkdir("c/0123456789abcdef/deep", 0700) && !mkdir("c/fedcba9876543210", 0700) &&
		!mkdir("c/holiday", 0700) && !mkdir("c/abc", 0700) && !mkdir("out", 0700) &&
		!mkdir("c/01234567 ", 0700));
	REQUIRE(file_make("c/0123456789abcdef/debuginfo", "12345") &&
		file_make("c/0123456789abcdef/executable", "") &&
		file_make("c/0123456789abcdef/deep/debuginfo", "x") &&
		file_make("c/cache_clean_interval_s", "86400") &&
		file_make("c/holiday/photo", "x") && file_make("c/abc/debuginfo", "x") &&
		file_make("c/01234567 /debuginfo", "x") && file_make("out/debuginfo", "x") &&
		file_make("c/00112233445566778899", "a file"));
	/* links out of it: as a build-id's folder, and as a file in one */
	REQUIRE(!symlink("../out", "c/aaaaaaaaaaaaaaaa") &&
		!symlink("../../out/debuginfo", "c/0123456789abcdef/source"));
	CHECK(debug_cache_each("c", see, &s, &err));
	CHECK(s.n == 2 && s.bytes == 5);
	CHECK(debug_cache_clear("c", &c, &err));
	CHECK(c.files == 2 && c.bytes == 5 && c.kept == 2);
	CHECK(!is_there("c/0123456789abcdef/debuginfo") &&
	      !is_there("c/0123456789abcdef/executable") && !is_there("c/fedcba9876543210"));
	CHECK(is_there("c/0123456789abcdef/deep/debuginfo") &&
	      is_there("c/0123456789abcdef/source") && is_there("out/debuginfo") &&
	      is_there("c/aaaaaaaaaaaaaaaa") && is_there("c/holiday/photo") &&
	      is_there("c/abc/debuginfo") && is_there("c/01234567 /debuginfo") &&
	      is_there("c/00112233445566778899") && is_there("c/cache_clean_interval_s"));
	/* none is no failure; a file is no folder */
	CHECK(debug_cache_clear("nowhere", &c, &err) && !c.files);
	CHECK(!debug_cache_clear("out/debuginfo", &c, &err) && is_there("out/debuginfo"));
}

int main(int argc, char **argv)
{
	char command[128];
	int status = test_main(argc, argv);

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? EXIT_FAILURE : status;
}
