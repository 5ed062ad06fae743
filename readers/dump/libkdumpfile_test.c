/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of dumps that libkdumpfile reads: all forms that it knows, cut ones, and its death. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/test.h"
#include "readers/dump/libkdumpfile.h"
#include "readers/dump/made_forms.h"
#include "readers/reader.h"

extern const struct reader reader_libkdumpfile;

enum form {
	ELF,
	KDUMP,
	KDUMP_ZLIB,
	DISKDUMP,
	LKCD,
	LKCD_GZIP,
	XEN,
	FORMS
};
static const char *const forms[FORMS] = { "ELF",  "kdump",      "kdump, zlib", "diskdump",
					  "LKCD", "LKCD, gzip", "Xen" };

/* Which of them are asked for by --reader. */
static bool is_forced(enum form f)
{
	return f <= KDUMP_ZLIB;
}

/* Which tell what was memory, and so what was left out of it. */
static bool tells_ram(enum form f)
{
	return f <= DISKDUMP;
}

static struct made *made_new(void)
{
	struct made *m = malloc(sizeof(*m));

	made_init(m);
	return m;
}

static struct buf make(const struct made *m, enum form f)
{
	struct buf b = { 0 };

	if (f == ELF) {
		made_elf(m, &b);
		put_le(b.s + 20, 1, 4); /* e_version, which the library asks */
	}
	if (f == KDUMP || f == KDUMP_ZLIB)
		made_kdump(m, &b, f == KDUMP ? 0 : PAGE_ZLIB);
	else if (f == DISKDUMP)
		made_diskdump(m, &b);
	else if (f == LKCD || f == LKCD_GZIP)
		made_lkcd(m, &b, f == LKCD_GZIP);
	else if (f == XEN)
		made_xen(m, &b);
	return b;
}

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	int fd[2];
	bool ok;
};

static void session_open(struct session *s, bool forced, const struct buf *files, size_t n)
{
	const char *paths[2];
	char path[2][64];

	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
	s->t.reader = forced ? &reader_libkdumpfile : NULL;
	for (size_t i = 0; i < n; i++) {
		s->fd[i] = made_file(files[i].s, files[i].n, path[i]);
		paths[i] = path[i];
	}
	s->ok = readers_open(&s->t, paths, n, &s->err);
}

static void session_close(struct session *s, size_t n)
{
	target_release(&s->t);
	arena_release(&s->scratch);
	for (size_t i = 0; i < n; i++)
		close(s->fd[i]);
}

static void check_pages(struct session *s, const struct made *m, bool ram)
{
	uint8_t got[4096];

	for (size_t i = 0; i < MADE_PAGES + 2; i++) {
		bool ok = mem_read_phys(&s->t, i * 4096, got, sizeof(got), &s->err);

		if (i < MADE_PAGES && made_is_in(i)) {
			if (CHECK_OK(ok, s->err))
				CHECK_MEM(got, m->mem[i], sizeof(got));
			continue;
		}
		CHECK(!ok);
		CHECK_U64(s->err.addr, i * 4096);
		CHECK_ERR(s->err,
			  i >= MADE_PAGES || (ram && !made_is_ram(i)) ? ERR_NOTRAM : ERR_EXCLUDED);
	}
	CHECK_OK(mem_read_phys(&s->t, 20 * 4096 + 17, got, 5, &s->err), s->err);
	CHECK_MEM(got, &m->mem[20][17], 5);
}

TEST(every_form_holds_the_same_memory)
{
	struct made *m = made_new();

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f);
		struct session s;
		unsigned failures = test_state.failures;

		session_open(&s, is_forced(f), &b, 1);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK_CONTAINS(s.t.dump.format, "read by libkdumpfile");
			CHECK(s.t.arch == &arch_x86_64);
			check_pages(&s, m, tells_ram(f));
		}
		if (test_state.failures != failures)
			printf("  that is %s\n", forms[f]);
		session_close(&s, 1);
		buf_release(&b);
	}
	free(m);
}

/* What ELF and compressed dumps say besides: two CPUs, VMCOREINFO; LKCD's head has names. */
TEST(headers_and_notes)
{
	struct made *m = made_new();

	for (enum form f = ELF; f <= LKCD; f++) {
		struct buf b = make(m, f);
		struct session s;

		session_open(&s, is_forced(f), &b, 1);
		if (CHECK_OK(s.ok, s.err) && is_forced(f)) {
			CHECK_U64(s.t.cpus.n, 2);
			CHECK_U64(s.t.cpus.p[0].pid, 42);
			CHECK_U64(s.t.cpus.p[0].regs.r[s.t.arch->pc], 0x1111);
			CHECK_U64(s.t.cpus.p[1].regs.have, 0);
			CHECK(s.t.kaslr_known);
			CHECK_U64(s.t.kaslr, 0x200000);
		} else if (s.ok && f == LKCD) {
			CHECK_STR(s.t.dump.release, MADE_RELEASE);
			CHECK_STR(s.t.dump.nodename, "made");
			CHECK_STR(s.t.dump.format,
				  "Linux Kernel Crash Dump v8, read by libkdumpfile");
		}
		session_close(&s, 1);
		buf_release(&b);
	}
	free(m);
}

/* However short a file is cut: no crash, and what is read is right. */
TEST(cut_files_lose_only_what_is_cut)
{
	struct made *m = made_new();

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f), cut;
		unsigned opened = 0;

		for (size_t n = 100; n < b.n; n += n < 5000 ? 1237 : 20011) {
			struct session s;
			uint8_t got[4096];

			cut = (struct buf){ .s = b.s, .n = n };
			session_open(&s, is_forced(f), &cut, 1);
			opened += s.ok;
			if (!s.ok)
				CHECK(s.err.code && s.err.msg[0]);
			for (size_t i = 0; s.ok && i < MADE_PAGES; i++) {
				if (mem_read_phys(&s.t, i * 4096, got, sizeof(got), &s.err))
					CHECK_MEM(got, m->mem[i], sizeof(got));
				else if (made_is_in(i)) /* it is there in the whole file */
					CHECK_ERR(s.err, ERR_TRUNCATED);
				else
					CHECK(err_is_absent(s.err.code));
			}
			if (s.ok)
				CHECK(s.t.dump.truncated);
			session_close(&s, 1);
		}
		if (!CHECK(opened > 0 || f == XEN)) /* whose headers come last */
			printf("  %s\n", forms[f]);
		buf_release(&b);
	}
	free(m);
}

TEST(damaged_files_do_not_crash)
{
	struct made *m = made_new();
	uint64_t seed = 88172645463325252u;

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f);

		for (unsigned round = 0; round < 12; round++) {
			struct buf bad = { 0 };
			struct session s;
			uint8_t got[4096];

			buf_add(&bad, b.s, b.n);
			for (unsigned i = 0; i < 1 + round; i++) {
				uint64_t r = made_random(&seed);

				bad.s[8 + (r >> 8) % (round % 2 ? 512 : 24576)] = (char)r;
			}
			session_open(&s, is_forced(f), &bad, 1);
			if (!s.ok)
				CHECK(s.err.code && s.err.msg[0]);
			for (size_t i = 0; s.ok && i < MADE_PAGES; i++)
				if (!mem_read_phys(&s.t, i * 4096, got, sizeof(got), &s.err))
					CHECK(err_is_absent(s.err.code));
			session_close(&s, 1);
			buf_release(&bad);
		}
		buf_release(&b);
	}
	free(m);
}

/* The dump says what it is, and its pages are read. */
TEST(a_dump_of_s390)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct kd_link link = { 0 };
	const struct kd_page *page;
	const uint8_t *bytes;
	struct session s;
	int facts;

	made_s390(m, &b);
	session_open(&s, false, &b, 1);
	CHECK_OK(s.ok, s.err);
	CHECK(s.t.arch == &arch_s390x);
	link.task.fds[0] = s.fd[0];
	link.task.n = 1;
	if (CHECK_OK(kd_open(&link, &facts, &s.err), s.err)) {
		for (size_t i = 0; i < MADE_PAGES; i++)
			if (CHECK_OK(kd_page(&link, i * 4096, &page, &bytes, &s.err), s.err) &&
			    CHECK_U64(page->state, KD_OK))
				CHECK_MEM(bytes, m->mem[i], 4096);
		CHECK_OK(kd_page(&link, MADE_PAGES * 4096, &page, &bytes, &s.err), s.err);
		CHECK_U64(page->state, KD_ABSENT);
		close(facts);
	}
	kd_close(&link);
	session_close(&s, 1);
	buf_release(&b);
	free(m);
}

/* As the library's process has it, not obit's cache. */
static bool page_is_right(struct session *s, const struct made *m, size_t i)
{
	uint8_t got[4096];

	return mem_scan_page(&s->t, i * 4096, got, &s->err) &&
	       memcmp(got, m->mem[i], sizeof(got)) == 0;
}

/* The library is killed while many pages are asked for: they are asked for one by one, and nothing
 * is lost. It is killed by one page: that is told of this page, and all others are read by a new
 * process. */
TEST(death_is_an_error_of_one_page)
{
	struct made *m = made_new();
	struct buf b = make(m, LKCD);
	struct session s;
	struct kd_link *link;

	session_open(&s, false, &b, 1);
	if (CHECK_OK(s.ok, s.err)) {
		link = &((struct kd_dump *)s.t.memory.phys.self)->link;
		for (size_t i = 10; i < 12; i++)
			CHECK(page_is_right(&s, m, i));
		kill(link->pid, SIGSEGV);
		for (size_t i = 12; i < 60; i++)
			CHECK(page_is_right(&s, m, i));
		CHECK_U64(link->deaths, 1);
		kill(link->pid, SIGBUS);
		CHECK(!page_is_right(&s, m, 2));
		CHECK_ERR(s.err, ERR_CORRUPT);
		CHECK_CONTAINS(s.err.msg, "signal 7");
		CHECK_U64(link->deaths, 2);
		CHECK(!page_is_right(&s, m, 2)); /* it is not tried again */
		CHECK_U64(link->deaths, 2);
		CHECK(page_is_right(&s, m, 3));
	}
	session_close(&s, 1);
	buf_release(&b);
	free(m);
}

/* A copy of the process reads by itself, and takes neither the page that this one read last nor the
 * process that it asks. */
TEST(a_copy_asks_a_process_of_its_own)
{
	struct made *m = made_new();
	struct buf b = make(m, LKCD);
	struct session s;
	struct kd_link *link;
	int status = -1;
	pid_t pid, asked;

	session_open(&s, false, &b, 1);
	if (CHECK_OK(s.ok, s.err)) {
		link = &((struct kd_dump *)s.t.memory.phys.self)->link;
		asked = link->pid;
		CHECK(page_is_right(&s, m, 20));
		pid = fork();
		if (!pid) {
			bool ok = page_is_right(&s, m, 30) && link->pid != asked;

			kd_close(link);
			_exit(!ok);
		}
		CHECK(waitpid(pid, &status, 0) == pid && !status);
		CHECK(page_is_right(&s, m, 20));
		CHECK(page_is_right(&s, m, 10));
		CHECK_U64(link->pid, (uint64_t)asked);
		CHECK_U64(link->deaths, 0);
	}
	session_close(&s, 1);
	buf_release(&b);
	free(m);
}

/* A library that dies of everything is left alone at last. */
TEST(deaths_have_a_limit)
{
	struct made *m = made_new();
	struct buf b = make(m, LKCD);
	struct session s;
	struct kd_link *link;

	session_open(&s, false, &b, 1);
	if (CHECK_OK(s.ok, s.err)) {
		link = &((struct kd_dump *)s.t.memory.phys.self)->link;
		link->deaths = KD_DEATHS_MAX - 1;
		kill(link->pid, SIGFPE);
		CHECK(!page_is_right(&s, m, 20));
		CHECK(!page_is_right(&s, m, 30));
		CHECK_ERR(s.err, ERR_CORRUPT);
		CHECK_CONTAINS(s.err.msg, "died 32 times");
	}
	session_close(&s, 1);
	buf_release(&b);
	free(m);
}

TEST(ctrl_c_ends_a_wait_and_nothing_more)
{
	struct made *m = made_new();
	struct buf b = make(m, LKCD);
	struct session s;

	session_open(&s, false, &b, 1);
	if (CHECK_OK(s.ok, s.err)) {
		interrupted = 1;
		CHECK(!page_is_right(&s, m, 20));
		CHECK_ERR(s.err, ERR_INTR);
		interrupted = 0;
		CHECK(page_is_right(&s, m, 20));
		CHECK(page_is_right(&s, m, 21));
	}
	session_close(&s, 1);
	buf_release(&b);
	free(m);
}

/* Frames behind the last part of a set kill version 0.5.1, which is why obit does not ask for them;
 * the process survives being asked. */
TEST(frames_that_no_part_has)
{
	struct made *m = made_new();
	struct buf b = make(m, KDUMP);
	struct kd_link link = { 0 };
	const struct kd_page *page;
	const uint8_t *bytes;
	struct err err;
	char path[64];
	int facts, fd;

	put_le(b.s + 4096 + 12, 1, 4);
	put_le(b.s + 4096 + 88, 20, 8);
	fd = made_file(b.s, b.n, path);
	link.task.fds[0] = fd;
	link.task.n = 1;
	if (CHECK_OK(kd_open(&link, &facts, &err), err)) {
		if (CHECK_OK(kd_page(&link, 40 * 4096, &page, &bytes, &err), err))
			CHECK(page->state != KD_OK);
		if (CHECK_OK(kd_page(&link, 19 * 4096, &page, &bytes, &err), err) &&
		    CHECK_U64(page->state, KD_OK))
			CHECK_MEM(bytes, m->mem[19], 4096);
		close(facts);
	}
	kd_close(&link);
	close(fd);
	buf_release(&b);
	free(m);
}

TEST_MAIN
