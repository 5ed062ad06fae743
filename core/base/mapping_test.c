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

TEST(only_what_a_file_holds_is_given_back)
{
	struct arena a = { 0 };
	uint8_t *own = malloc(16 * PAGE);
	struct file *f;
	struct err err;

	REQUIRE(own);
	memset(own, 'o', 16 * PAGE);
	mapping_give_back(own, 16 * PAGE);
	CHECK(all_are(own, 16 * PAGE, 'o'));
	free(own);
	REQUIRE_OK(file_of_fd(&a, "a file", made(8), &f, &err), err);
	CHECK(all_are(f->map.p, 8 * PAGE, 'x'));
	mapping_give_back(f->map.p + 1, 8 * PAGE - 1);
	CHECK(all_are(f->map.p, 8 * PAGE, 'x'));
	file_close(f);
	arena_release(&a);
}

/* ---- what is read ahead; `n` bytes that are in the page cache or not */

#define MB ((size_t)1 << 20)

static size_t cached(const uint8_t *p, size_t n)
{
	size_t pages = (n + PAGE - 1) / PAGE, sum = 0;
	unsigned char *v = malloc(pages);

	CHECK(v && mincore((void *)(uintptr_t)p, n, v) == 0);
	for (size_t i = 0; i < pages; i++)
		sum += (v[i] & 1) * PAGE;
	free(v);
	return sum;
}

/* What was asked for comes in a while. */
static bool comes(const uint8_t *p, size_t n)
{
	for (unsigned i = 0; i < 1000 && cached(p, n) < n; i++)
		usleep(2000);
	return cached(p, n) >= n;
}

/* A file of n bytes that are on a disk alone. False: where it lies, files cannot be put out of the
 * page cache, or whether they are there is not told. */
static bool cold(size_t n, struct file **ret, struct arena *a)
{
	static char name[] = "/var/tmp/obit-mapping-XXXXXX";
	char *bytes = calloc(1, n);
	int fd = mkstemp(name);
	struct err err;
	bool ok;

	CHECK(fd >= 0 && bytes && write(fd, bytes, n) == (ssize_t)n);
	free(bytes);
	unlink(name);
	ok = !fdatasync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	memcpy(name + sizeof(name) - 7, "XXXXXX", 6);
	if (!file_of_fd(a, "a cold file", fd, ret, &err))
		return false;
	ok = ok && !cached((*ret)->map.p, n);
	if (!ok)
		file_close(*ret);
	return ok;
}

TEST(a_page_that_is_looked_up_comes_alone)
{
	struct arena a = { 0 };
	struct file *f;

	if (cold(16 * MB, &f, &a)) {
		CHECK(f->map.p[9 * MB] == 0 && f->map.p[3 * MB] == 0);
		CHECK(cached(f->map.p, f->map.n) == 2 * PAGE);
		mapping_fetch(f->map.p + 5 * MB + 100, MB);
		CHECK(comes(f->map.p + 5 * MB, MB + PAGE));
		CHECK(cached(f->map.p, f->map.n) == MB + 3 * PAGE);
		file_close(f);
	}
	arena_release(&a);
}

/* As a walk over memory does it: for each page, the same few tables are asked. */
TEST(who_reads_on_with_lookups_in_between_is_read_ahead_for)
{
	struct mapping_stream s = { 0 };
	struct arena a = { 0 };
	struct file *f;

	if (cold(16 * MB, &f, &a)) {
		for (size_t at = 0; at < MB; at += PAGE) {
			CHECK(f->map.p[at + 20] == 0);
			mapping_follow(&s, f->map, f->map.p + at + 20, PAGE);
			for (size_t table = 0; table < 4; table++)
				mapping_follow(&s, f->map, f->map.p + (9 + table) * MB, PAGE);
		}
		CHECK(comes(f->map.p, MB + MB / 4));
		CHECK(cached(f->map.p, f->map.n) < 3 * MB);
		file_close(f);
	}
	arena_release(&a);
}

/* Three pages and a jump, all through the file, as structs are looked up; and backwards. */
TEST(who_looks_up_here_and_there_is_not_read_ahead_for)
{
	struct mapping_stream s = { 0 };
	struct arena a = { 0 };
	struct file *f;

	if (cold(16 * MB, &f, &a)) {
		for (size_t i = 0; i < 128; i++) {
			const uint8_t *at = f->map.p + i * 37 % 128 * (MB / 8);

			for (size_t k = 0; k < 3; k++)
				mapping_follow(&s, f->map, at + k * PAGE, PAGE);
		}
		for (size_t at = 16 * MB; at; at -= PAGE)
			mapping_follow(&s, f->map, f->map.p + at - PAGE, PAGE);
		CHECK(cached(f->map.p, f->map.n) == 0);
		file_close(f);
	}
	arena_release(&a);
}

/* Up to the file's last byte, and not beyond: what lies there is another's. */
TEST(reading_on_ends_with_the_file)
{
	struct mapping_stream s = { 0 };
	struct arena a = { 0 };
	struct file *f;

	if (cold(2 * MB + 1000, &f, &a)) {
		for (size_t at = 0; at < f->map.n; at += 1000) {
			CHECK(f->map.p[at] == 0);
			mapping_follow(&s, f->map, f->map.p + at,
				       at + 1000 < f->map.n ? 1000 : f->map.n - at);
		}
		CHECK(comes(f->map.p, f->map.n));
		for (size_t i = 0; i < MAPPING_RUNS; i++)
			CHECK(s.runs[i].ahead <= (uintptr_t)f->map.p + f->map.n);
		file_close(f);
	}
	arena_release(&a);
}

TEST_MAIN
