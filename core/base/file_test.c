/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of opening files: what cannot be mapped is refused with words that say what it is. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/test.h"

static bool temp_dir(char *path, size_t n)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, n, "%s/obit-test-XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(path) != NULL;
}

TEST(kinds_that_are_refused)
{
	struct arena a = { 0 };
	struct file *f = NULL;
	struct err err = { 0 };
	char dir[200], path[300];
	int fd;

	REQUIRE(temp_dir(dir, sizeof(dir)));
	CHECK(!file_open(&a, dir, &f, &err));
	CHECK_ERR(err, ERR_FORMAT);
	CHECK_CONTAINS(err.msg, "is a directory");

	snprintf(path, sizeof(path), "%s/vmcore", dir);
	CHECK(!file_open(&a, path, &f, &err));
	CHECK_ERR(err, ERR_IO);
	CHECK_CONTAINS(err.msg, "No such file");
	CHECK_CONTAINS(err.msg, path);

	fd = open(path, O_CREAT | O_WRONLY, 0600);
	REQUIRE(fd >= 0);
	close(fd);
	CHECK(!file_open(&a, path, &f, &err));
	CHECK_CONTAINS(err.msg, "is empty");
	unlink(path);

	/* a FIFO that nobody writes to must not hang us */
	REQUIRE(mkfifo(path, 0600) == 0);
	CHECK(!file_open(&a, path, &f, &err));
	CHECK_CONTAINS(err.msg, "not a regular file");
	unlink(path);
	rmdir(dir);
	CHECK(f == NULL);
	arena_release(&a);
}

/* as RFC 1952 and the formats of xz, zstd and tar have it */
TEST(packed_files_are_told_by_their_first_bytes)
{
	static const char xz[] = "\xfd"
				 "7zXZ\0";
	char tar[512] = "console.txt";

	memcpy(tar + 257, "ustar", 5);
	CHECK_CONTAINS(file_packed(SPAN("\x1f\x8b\b", 3)), "gunzip");
	CHECK_CONTAINS(file_packed(SPAN(xz, 6)), "unxz");
	CHECK_CONTAINS(file_packed(SPAN("\x28\xb5\x2f\xfd", 4)), "unzstd");
	CHECK_CONTAINS(file_packed(SPAN(tar, sizeof(tar))), "tar -xf");
	CHECK(!file_packed(SPAN(tar, 260)));
	CHECK(!file_packed(SPAN("\x1f", 1)));
	CHECK(!file_packed(SPAN("[    1.0] gzip", 14)));
	CHECK(!file_packed(SPAN(NULL, 0)));
}

TEST(a_file_is_mapped_whole)
{
	struct arena a = { 0 };
	struct file *f = NULL;
	struct err err = { 0 };
	int fd = memfd_create("test", 0);

	REQUIRE(fd >= 0);
	REQUIRE(write(fd, "KDUMP   ", 8) == 8);
	REQUIRE_OK(file_of_fd(&a, "a dump", fd, &f, &err), err);
	CHECK_STR(f->path, "a dump");
	CHECK_U64(f->map.n, 8);
	CHECK_MEM(f->map.p, "KDUMP   ", 8);
	file_close(f);
	CHECK_U64(f->map.n, 0);
	CHECK(fcntl(fd, F_GETFD) < 0); /* the descriptor was the file's to close */
	file_close(f);
	arena_release(&a);
}

/* Neither waits for who writes a FIFO, nor takes what is in it from who reads it later. */
TEST(first_bytes_are_a_regular_files_alone)
{
	char dir[200], path[300], head[4] = "";
	int fd;

	REQUIRE(temp_dir(dir, sizeof(dir)));
	snprintf(path, sizeof(path), "%s/file", dir);
	CHECK_U64(file_first_bytes(path, head, 4), 0);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	REQUIRE(fd >= 0 && write(fd, "KDUMP", 5) == 5);
	close(fd);
	CHECK_U64(file_first_bytes(path, head, 4), 4);
	CHECK_MEM(head, "KDUM", 4);
	unlink(path);

	REQUIRE(mkfifo(path, 0600) == 0);
	CHECK_U64(file_first_bytes(path, head, 4), 0);
	fd = open(path, O_RDWR);
	REQUIRE(fd >= 0 && write(fd, "oops", 4) == 4);
	CHECK_U64(file_first_bytes(path, head, 4), 0);
	CHECK(read(fd, head, 4) == 4);
	CHECK_MEM(head, "oops", 4);
	close(fd);
	unlink(path);
	rmdir(dir);
}

/* What getline() would give, and of a device without an end an error. */
TEST(lines_of_a_file)
{
	static const char text[] = "one\n\n0\0 1\nlast";
	static const char *const wanted[] = { "one\n", "\n", "0\0 1\n", "last" };
	static const size_t sizes[] = { 4, 1, 5, 4 };
	FILE *f = fmemopen((void *)(uintptr_t)text, sizeof(text) - 1, "r");
	char *line = NULL;
	size_t cap = 0;
	int why;

	REQUIRE(f != NULL);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CHECK_U64((uint64_t)file_line(f, &line, &cap, &why), sizes[i]);
		CHECK_MEM(line, wanted[i], sizes[i] + 1);
	}
	CHECK(file_line(f, &line, &cap, &why) == -1 && !why);
	(void)fclose(f);
	f = fopen("/", "r");
	REQUIRE(f != NULL);
	CHECK(file_line(f, &line, &cap, &why) == -1 && why == EISDIR);
	(void)fclose(f);
	f = fopen("/dev/zero", "r");
	REQUIRE(f != NULL);
	CHECK(file_line(f, &line, &cap, &why) == -1 && why == EFBIG);
	CHECK(cap <= 2 * FILE_LINE_MAX);
	(void)fclose(f);
	free(line);
}

TEST_MAIN
