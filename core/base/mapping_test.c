/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of guarded mappings: what shrinks or fails under them is zeros and is told, all else dies.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mapping.h"
#include "core/base/outfile.h"
#include "core/base/test.h"

#define PAGE ((size_t)sysconf(_SC_PAGESIZE))

/* A file of n pages of 'x' in memory. */
static int made(size_t n)
{
	int fd = memfd_create("made", MFD_CLOEXEC);
	char *page = malloc(PAGE);

	memset(page, 'x', PAGE);
	for (size_t i = 0; i < n; i++)
		if (write(fd, page, PAGE) != (ssize_t)PAGE)
			fd = -1;
	free(page);
	return fd;
}

static bool all_are(const uint8_t *p, size_t n, uint8_t byte)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != byte)
			return false;
	return true;
}

TEST(a_file_that_shrinks_is_zeros_from_its_new_end_on)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;
	struct mapping_loss loss;
	int fd = made(5);
	const uint8_t *p;

	REQUIRE_OK(file_of_fd(&a, "a file", fd, &f, &err), err);
	p = f->map.p;
	CHECK(all_are(p, 5 * PAGE, 'x') && !mapping_lost(p, 5 * PAGE));
	CHECK(!mapping_next_loss(&loss));
	REQUIRE(ftruncate(fd, (off_t)(PAGE + 100)) == 0);
	CHECK(all_are(p + 3 * PAGE, PAGE, 0) && mapping_lost(p + 3 * PAGE, PAGE));
	CHECK(all_are(p, PAGE + 100, 'x') && !mapping_lost(p, PAGE + 100));
	/* the system itself makes zeros of a last page's rest */
	CHECK(all_are(p + PAGE + 100, 2 * PAGE, 0) && mapping_lost(p + PAGE + 100, 1));
	CHECK(mapping_lost(p + PAGE + 99, 2) && mapping_lost(p + 5 * PAGE - 1, 1));
	REQUIRE(mapping_next_loss(&loss));
	CHECK_STR(loss.path, "a file");
	CHECK(loss.shrunk);
	CHECK_U64(loss.bytes, 4 * PAGE - 100);
	CHECK_U64(loss.size, 5 * PAGE);
	CHECK(!mapping_next_loss(&loss)); /* once */
	CHECK(!mapping_lost("text", 4));
	file_close(f);
	arena_release(&a);
}

/* No SIGBUS tells of it when only the last page's rest is read, or nothing. */
TEST(a_file_that_shrinks_is_told_though_nothing_failed)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;
	struct mapping_loss loss;
	int fd = made(1);

	REQUIRE_OK(file_of_fd(&a, "a file", fd, &f, &err), err);
	REQUIRE(ftruncate(fd, 10) == 0);
	REQUIRE(mapping_next_loss(&loss));
	CHECK_U64(loss.bytes, PAGE - 10);
	CHECK(mapping_lost(f->map.p + 10, 1) && !mapping_lost(f->map.p, 10));
	file_close(f);

	/* and when it is closed before anybody asked */
	fd = made(1);
	REQUIRE_OK(file_of_fd(&a, "another", fd, &f, &err), err);
	REQUIRE(ftruncate(fd, 0) == 0);
	file_close(f);
	REQUIRE(mapping_next_loss(&loss));
	CHECK_STR(loss.path, "another");
	CHECK(!mapping_next_loss(&loss));
	arena_release(&a);
}

TEST(what_cannot_be_read_is_not_written)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;
	int fd = made(2);
	struct outfile to = { .fd = memfd_create("to", 0), .path = "to" };

	REQUIRE_OK(file_of_fd(&a, "a file", fd, &f, &err), err);
	CHECK_OK(outfile_write(&to, f->map.p, 2 * PAGE, &err), err);
	REQUIRE(ftruncate(fd, (off_t)PAGE) == 0);
	CHECK(!outfile_write(&to, f->map.p, 2 * PAGE, &err));
	CHECK_ERR(err, ERR_UNREADABLE);
	CHECK_OK(outfile_write(&to, f->map.p, PAGE, &err), err);
	CHECK_U64((uint64_t)lseek(to.fd, 0, SEEK_CUR), 3 * PAGE);
	close(to.fd);
	file_close(f);
	arena_release(&a);
}

/* Makes every page of a range that nobody touched yet fail as a disk's error does: userfaultfd(2),
 * UFFD_FEATURE_SIGBUS. False where the system does not let us. */
static bool pages_fail(const void *p, size_t n)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_SIGBUS };
	struct uffdio_register range = { .range = { (uintptr_t)p, n },
					 .mode = UFFDIO_REGISTER_MODE_MISSING };

	return fd >= 0 && !ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &range);
}

/* More places fail than are remembered one by one: from there on all of it is lost. */
TEST(a_disk_that_fails_loses_the_pages_that_failed)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;
	struct mapping_loss loss;
	size_t n = 4000;
	int fd = memfd_create("hole", 0);

	REQUIRE(ftruncate(fd, (off_t)(n * PAGE)) == 0);
	REQUIRE(pwrite(fd, "there", 5, (off_t)(8 * PAGE)) == 5);
	REQUIRE_OK(file_of_fd(&a, "a disk", fd, &f, &err), err);
	if (!pages_fail(f->map.p, n * PAGE)) {
		printf("userfaultfd is not to be had: no failing disk\n");
		CHECK(!mapping_next_loss(&loss));
		return;
	}
	CHECK_U64(f->map.p[5 * PAGE + 7], 0);
	CHECK(mapping_lost(f->map.p + 5 * PAGE, 1) && mapping_lost(f->map.p + 6 * PAGE - 1, 1));
	CHECK(!mapping_lost(f->map.p + 4 * PAGE, PAGE) && !mapping_lost(f->map.p + 6 * PAGE, PAGE));
	CHECK_MEM(f->map.p + 8 * PAGE, "there", 5);
	CHECK(!mapping_lost(f->map.p + 8 * PAGE, PAGE));
	CHECK_U64(f->map.p[6 * PAGE], 0); /* beside the first: one stretch of two pages */
	REQUIRE(mapping_next_loss(&loss));
	CHECK(!loss.shrunk);
	CHECK_U64(loss.bytes, 2 * PAGE);
	for (size_t i = 10; i < n; i += 2)
		if (f->map.p[i * PAGE])
			CHECK(false);
	REQUIRE(mapping_next_loss(&loss));
	CHECK(loss.bytes > 1000 * PAGE && loss.bytes < n * PAGE);
	CHECK(mapping_lost(f->map.p + (n - 1) * PAGE, 1));
	CHECK_MEM(f->map.p + 8 * PAGE, "there", 5);
	file_close(f);
	arena_release(&a);
}

/* Whether a process that does this ends by it. */
/* In private memory what was written to a page goes with it, which shows which pages went: of two
 * pages from the second byte on only the one that lies wholly within. */
TEST(whole_pages_are_given_back_and_can_be_read_again)
{
	struct err err = { 0 };
	struct stat st;
	int fd = made(3);
	void *map;
	uint8_t *p;

	REQUIRE(fstat(fd, &st) == 0 && mapping_make(fd, true, &st, true, "a file", &map, &err));
	p = map;
	memset(p, 'y', 3 * PAGE);
	mapping_give_back(p + 1, 2 * PAGE);
	CHECK(all_are(p, PAGE, 'y') && all_are(p + PAGE, PAGE, 'x'));
	CHECK(all_are(p + 2 * PAGE, PAGE, 'y'));
	mapping_give_back(p + 1, PAGE - 1);
	mapping_give_back(p + 1, 0);
	CHECK(all_are(p, PAGE, 'y'));
	mapping_give_back(p, PAGE);
	CHECK(all_are(p, PAGE, 'x'));
	mapping_drop(p, 3 * PAGE);
	close(fd);
}

static bool dies(void (*fn)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		freopen("/dev/null", "w", stderr); /* a sanitizer has much to say */
		fn();
		_exit(0);
	}
	return waitpid(pid, &status, 0) == pid && (!WIFEXITED(status) || WEXITSTATUS(status));
}

static void touch_unguarded(void)
{
	int fd = made(1);
	volatile uint8_t *p = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	if (!ftruncate(fd, 0))
		(void)p[0];
}

static void be_sent_one(void)
{
	kill(getpid(), SIGBUS);
}

TEST(any_other_bus_error_ends_the_program)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;

	REQUIRE_OK(file_of_fd(&a, "a file", made(1), &f, &err), err); /* the handler is there */
	CHECK(dies(touch_unguarded));
	CHECK(dies(be_sent_one));
	file_close(f);
	arena_release(&a);
}

/* ---- an input is never an output */

static bool refused(const char *path, bool append)
{
	struct err err = { 0 };
	struct outfile f;

	return !outfile_open(&f, path, append ? OUTFILE_APPEND : OUTFILE_OVER, &err) &&
	       err.code == ERR_USAGE && strstr(err.msg, "is an input") && file_is_input(path);
}

static bool holds(const char *path, const char *text)
{
	char got[64] = "";
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, got, sizeof(got) - 1);

	close(fd);
	return n == (ssize_t)strlen(text) && !strcmp(got, text);
}

static bool put(const char *path, enum outfile_how how, const char *text, struct err *err)
{
	struct outfile f;

	return outfile_open(&f, path, how, err) &&
	       outfile_close(&f, outfile_write(&f, text, strlen(text), err), err);
}

TEST(an_input_is_never_an_output_by_any_name)
{
	struct arena a = { 0 };
	struct file *f;
	struct err err;
	char dir[] = "/tmp/obit-mapping-XXXXXX", by_fd[64];

	REQUIRE(mkdtemp(dir) && chdir(dir) == 0);
	REQUIRE_OK(put("vmcore", OUTFILE_OVER, "evidence", &err), err);
	CHECK(!file_is_input("vmcore"));
	REQUIRE(link("vmcore", "hard") == 0 && symlink("vmcore", "soft") == 0);
	REQUIRE_OK(file_open(&a, "soft", &f, &err), err);
	snprintf(by_fd, sizeof(by_fd), "/proc/self/fd/%d", f->fd);
	CHECK(refused("vmcore", false) && refused("vmcore", true));
	CHECK(refused("hard", false) && refused("soft", false) && refused("soft", true));
	CHECK(refused(by_fd, false) && refused("./../../tmp/../proc/self/cwd/hard", false));
	file_close(f);
	CHECK(refused("hard", false)); /* what was read stays evidence */
	CHECK(holds("vmcore", "evidence"));

	/* what was only looked at may be written */
	REQUIRE_OK(put("other", OUTFILE_OVER, "long text", &err), err);
	REQUIRE_OK(file_open(&a, "other", &f, &err), err);
	CHECK(refused("other", false));
	file_reject(f);
	REQUIRE_OK(put("other", OUTFILE_OVER, "new", &err), err);
	CHECK(holds("other", "new"));
	REQUIRE_OK(put("other", OUTFILE_APPEND, "er", &err), err);
	CHECK(holds("other", "newer"));
	unlink("vmcore");
	unlink("hard");
	unlink("soft");
	unlink("other");
	CHECK(chdir("/") == 0 && rmdir(dir) == 0);
	arena_release(&a);
}

TEST_MAIN
