/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of memory in pieces: raw files with their addresses, LiME and AVML, built byte by byte from
 * their descriptions. */
#include <fcntl.h>

#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/dump/rammap.h"
#include "readers/dump/snapframe.h"
#include "readers/reader.h"

#define RECORD 32u /* bytes of a record's head */

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	int fd[2];
	char path[2][64], operand[2][128];
};

static void start(struct session *s)
{
	memset(s, 0, sizeof(*s));
	s->fd[0] = s->fd[1] = -1;
	target_init(&s->t, &s->scratch);
}

static void stop(struct session *s)
{
	target_release(&s->t);
	arena_release(&s->scratch);
	for (int i = 0; i < 2; i++)
		if (s->fd[i] >= 0)
			close(s->fd[i]);
}

static bool open_bytes(struct session *s, const void *p, size_t n)
{
	const char *paths[] = { s->path[0] };

	start(s);
	s->t.arch = &arch_x86_64; /* as --arch says, for nothing in these pages does */
	s->fd[0] = made_file(p, n, s->path[0]);
	return readers_open(&s->t, paths, 1, &s->err);
}

/* Two raw files, each with what stands behind its name. */
static bool open_raw(struct session *s, const void *p, size_t n, const char *at, const void *q,
		     size_t m, const char *there)
{
	const char *paths[] = { s->operand[0], s->operand[1] };

	start(s);
	s->fd[0] = made_file(p, n, s->path[0]);
	snprintf(s->operand[0], sizeof(s->operand[0]), "%s%s", s->path[0], at);
	if (q) {
		s->fd[1] = made_file(q, m, s->path[1]);
		snprintf(s->operand[1], sizeof(s->operand[1]), "%s%s", s->path[1], there);
	}
	return readers_open(&s->t, paths, q ? 2 : 1, &s->err);
}

static enum err_code page_of(struct session *s, uint64_t pa, uint8_t *got)
{
	s->err.code = ERR_OK;
	return mem_read_phys(&s->t, pa, got, 4096, &s->err) ? ERR_OK : s->err.code;
}

static bool warned(const struct session *s, const char *part)
{
	for (size_t i = 0; i < s->t.warnings.n; i++)
		if (strstr(s->t.warnings.p[i].text, part))
			return true;
	return false;
}

static struct made *made_new(void)
{
	struct made *m = malloc(sizeof(*m));

	made_init(m);
	return m;
}

static void record(struct buf *b, uint32_t magic, uint32_t version, uint64_t first, uint64_t last)
{
	uint8_t h[RECORD] = { 0 };

	put_le(h, magic, 4);
	put_le(h + 4, version, 4);
	put_le(h + 8, first, 8);
	put_le(h + 16, last, 8);
	buf_add(b, h, sizeof(h));
}

static void lime(struct buf *b, const struct made *m, size_t page, size_t n)
{
	record(b, 0x4c694d45, 1, page * 4096, (page + n) * 4096 - 1);
	buf_add(b, m->mem[page], n * 4096);
}

/* CRC-32C bit by bit, as RFC 3720 appendix B has it, and masked as framing_format.txt says. */
static uint32_t masked(const uint8_t *p, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < n * 8; i++) {
		uint32_t bit = (crc ^ p[i / 8] >> i % 8) & 1;

		crc = crc >> 1 ^ (bit ? 0x82f63b78 : 0);
	}
	crc = ~crc;
	return ((crc >> 15) | (crc << 17)) + 0xa282ead8;
}

/* A page as a plain chunk, or packed by hand: one literal, which is how format_description.txt has
 * what does not shrink. */
static void chunk(struct buf *b, const uint8_t *page, bool packed)
{
	uint8_t h[16] = { packed ? 0 : 1 };
	size_t extra = packed ? 2 + 3 : 0;

	put_le(h + 1, 4 + extra + 4096, 3);
	put_le(h + 4, masked(page, 4096), 4);
	if (packed) {
		h[8] = 0x80; /* 4096 as a varint */
		h[9] = 0x20;
		h[10] = 61 << 2; /* a literal, whose length less one is in two bytes */
		put_le(h + 11, 4095, 2);
	}
	buf_add(b, h, 8 + extra);
	buf_add(b, page, 4096);
}

static void avml(struct buf *b, const struct made *m, size_t page, size_t n)
{
	uint8_t length[8];
	size_t from;

	record(b, 0x4c4d5641, 2, page * 4096, (page + n) * 4096 - 1);
	from = b->n;
	/* padding is passed over */
	buf_add(b, "\xff\x06\0\0sNaPpY\xfe\x02\0\0ab", 16);
	for (size_t i = 0; i < n; i++)
		chunk(b, m->mem[page + i], i % 2);
	put_le(length, b->n - from, 8);
	buf_add(b, length, 8);
}

static void check_pages(struct session *s, const struct made *m, size_t from, size_t to)
{
	uint8_t got[4096];

	for (size_t i = from; i < to; i++)
		if (CHECK_U64(page_of(s, i * 4096, got), ERR_OK))
			CHECK_MEM(got, m->mem[i], sizeof(got));
}

TEST(records_are_memory)
{
	struct made *m = made_new();

	for (int form = 0; form < 2; form++) {
		struct buf b = { 0 };
		struct session s;
		uint8_t got[4096];

		(form ? avml : lime)(&b, m, 10, 20);
		(form ? avml : lime)(&b, m, 0, 7);
		if (CHECK_OK(open_bytes(&s, b.s, b.n), s.err)) {
			CHECK_STR(s.t.dump.format, form ? "AVML" : "LiME");
			CHECK_U64(s.t.dump.present_pages, 27);
			CHECK(!s.t.dump.truncated);
			CHECK_U64(s.t.warnings.n, 0);
			CHECK_U64(s.t.ram.n, 2);
			CHECK_U64(s.t.ram.p[1].first, 10 * 4096);
			CHECK_U64(s.t.ram.p[1].last, 30 * 4096 - 1);
			check_pages(&s, m, 0, 7);
			check_pages(&s, m, 10, 30);
			CHECK_U64(page_of(&s, 7 * 4096, got), ERR_NOTRAM);
			CHECK_U64(page_of(&s, 30 * 4096, got), ERR_NOTRAM);
		}
		stop(&s);
		buf_release(&b);
	}
	free(m);
}

/* What stands before the cut is there, what stands behind it says so, and nothing else is lost. */
TEST(cut_records_lose_their_end)
{
	struct made *m = made_new();

	for (int form = 0; form < 2; form++) {
		struct buf b = { 0 };
		struct session s;
		uint8_t got[4096];
		size_t half;

		(form ? avml : lime)(&b, m, 10, 4);
		half = b.n;
		(form ? avml : lime)(&b, m, 20, 4);
		/* within the third of four pages */
		if (CHECK_OK(open_bytes(&s, b.s, half + RECORD + 2 * 4096 + 100), s.err)) {
			CHECK(s.t.dump.truncated);
			CHECK_U64(s.t.dump.missing_pages, 2);
			check_pages(&s, m, 10, 14);
			check_pages(&s, m, 20, 22);
			CHECK_U64(page_of(&s, 22 * 4096, got), ERR_TRUNCATED);
			CHECK_U64(page_of(&s, 23 * 4096, got), ERR_TRUNCATED);
			CHECK_U64(page_of(&s, 24 * 4096, got), ERR_NOTRAM);
		}
		stop(&s);
		/* within the second head */
		if (CHECK_OK(open_bytes(&s, b.s, half + 7), s.err)) {
			CHECK(warned(&s, "ends within a record's head"));
			check_pages(&s, m, 10, 14);
		}
		stop(&s);
		buf_release(&b);
	}
	free(m);
}

TEST(what_is_no_record_is_told)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;
	uint8_t got[4096];

	/* a version that nobody wrote, a range that ends before it begins, a reserved word */
	for (unsigned i = 0; i < 3; i++) {
		b.n = 0;
		lime(&b, m, 10, 1);
		put_le(b.s + (i == 0 ? 4 : i == 1 ? 16 : 24), i == 0 ? 3 : 1, 4);
		CHECK(!open_bytes(&s, b.s, b.n));
		CHECK_ERR(s.err, ERR_FORMAT);
		stop(&s);
	}
	/* the magic of the second record is damaged */
	b.n = 0;
	lime(&b, m, 10, 2);
	lime(&b, m, 20, 2);
	b.s[RECORD + 2 * 4096] = 'X';
	if (CHECK_OK(open_bytes(&s, b.s, b.n), s.err)) {
		CHECK(warned(&s, "there is no record at byte 8224"));
		check_pages(&s, m, 10, 12);
		CHECK_U64(page_of(&s, 20 * 4096, got), ERR_NOTRAM);
	}
	stop(&s);
	/* a byte of a packed page: its checksum says so, and only that page is lost */
	b.n = 0;
	avml(&b, m, 10, 3);
	b.s[RECORD + 16 + 8 + 4096 + 13 + 50] ^= 1;
	if (CHECK_OK(open_bytes(&s, b.s, b.n), s.err)) {
		check_pages(&s, m, 10, 11);
		CHECK_U64(page_of(&s, 11 * 4096, got), ERR_CORRUPT);
		check_pages(&s, m, 12, 13);
	}
	stop(&s);
	buf_release(&b);
	free(m);
}

TEST(ranges_that_overlap_are_named)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;
	uint8_t got[4096];

	lime(&b, m, 10, 4);
	record(&b, 0x4c694d45, 1, 12 * 4096, 13 * 4096 - 1);
	buf_add(&b, m->mem[40], 4096);
	if (CHECK_OK(open_bytes(&s, b.s, b.n), s.err)) {
		CHECK_U64(s.t.warnings.n, 1);
		CHECK(warned(&s, "physical addresses 0xc000 to 0xcfff are there twice"));
		check_pages(&s, m, 10, 12);
		CHECK_U64(page_of(&s, 12 * 4096, got), ERR_OK);
		CHECK_MEM(got, m->mem[40], sizeof(got));
		check_pages(&s, m, 13, 14);
	}
	stop(&s);
	/* so much the better when they only touch */
	b.n = 0;
	lime(&b, m, 10, 4);
	lime(&b, m, 14, 2);
	if (CHECK_OK(open_bytes(&s, b.s, b.n), s.err))
		CHECK(s.t.warnings.n == 0 && s.t.ram.n == 1);
	stop(&s);
	buf_release(&b);
	free(m);
}

TEST(raw_files_lie_where_they_are_said_to)
{
	struct made *m = made_new();
	struct session s;
	uint8_t got[4096];

	if (CHECK_OK(open_raw(&s, m->mem[0], 7 * 4096, "@0x0", m->mem[10], 20 * 4096, "@40960"),
		     s.err)) {
		CHECK_STR(s.t.dump.format, "raw memory");
		CHECK(s.t.warnings.n == 1 && warned(&s, "its vmlinux or --arch does"));
		check_pages(&s, m, 0, 7);
		check_pages(&s, m, 10, 30);
		CHECK_U64(page_of(&s, 7 * 4096, got), ERR_NOTRAM);
	}
	stop(&s);
	/* a part of a file, from an offset on; more than it has was cut */
	if (CHECK_OK(open_raw(&s, m->mem[0], 30 * 4096, "@0xa000:0xa000+0x2000", m->mem[0],
			      30 * 4096, "@0x14000:0x1c000+0x4000"),
		     s.err)) {
		check_pages(&s, m, 10, 12);
		CHECK_U64(page_of(&s, 12 * 4096, got), ERR_NOTRAM);
		CHECK_U64(page_of(&s, 20 * 4096, got), ERR_OK);
		CHECK_MEM(got, m->mem[28], sizeof(got));
		CHECK_U64(page_of(&s, 22 * 4096, got), ERR_TRUNCATED);
		CHECK_U64(s.t.dump.missing_pages, 2);
	}
	stop(&s);
	free(m);
}

TEST(raw_operands_that_cannot_be)
{
	static const struct {
		const char *at, *part;
	} bad[] = {
		{ "@0x1000:0x2000", "nothing lies at offset 0x2000" },
		{ "@0xfffffffffffff000", "beyond the end of all addresses" },
		{ "@", "behind the @ stands the physical address" },
		{ "@x", "behind the @ stands the physical address" },
		{ "@0x1000:", "behind the @ stands the physical address" },
		{ "@0x1000+0", "behind the @ stands the physical address" },
		{ "@0x1000+1z", "behind the @ stands the physical address" },
	};
	static const uint8_t bytes[0x2000];
	struct session s;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK(!open_raw(&s, bytes, sizeof(bytes), bad[i].at, NULL, 0, ""));
		CHECK_CONTAINS(s.err.msg, bad[i].part);
		stop(&s);
	}
	/* a file of that very name is that file */
	start(&s);
	snprintf(s.path[0], sizeof(s.path[0]), "/tmp/obit-raw-%d@0x1000", (int)getpid());
	s.fd[0] = open(s.path[0], O_WRONLY | O_CREAT, 0600);
	CHECK(!reader_of_operand(s.path[0]));
	unlink(s.path[0]);
	CHECK(reader_of_operand(s.path[0]) != NULL);
	stop(&s);
}

/* One dump is one dump. */
TEST(raw_memory_and_a_dump_do_not_go_together)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;

	lime(&b, m, 10, 1);
	CHECK(!open_raw(&s, b.s, b.n, "", m->mem[0], 4096, "@0"));
	CHECK_ERR(s.err, ERR_USAGE);
	CHECK_CONTAINS(s.err.msg, "two files are each a dump");
	stop(&s);
	buf_release(&b);
	free(m);
}

/* VMCOREINFO lies in memory, as it does on any machine, and leads to all else. */
TEST(the_kernel_is_found_in_raw_memory)
{
	struct made *m = made_new();
	struct session s;
	uint64_t x;

	memset(m->mem[30], 0, 4096);
	memcpy(m->mem[30], m->info, strlen(m->info));
	memcpy(m->mem[30] + strlen(m->info), "SYMBOL(x)=0\n", 12);
	if (CHECK_OK(open_raw(&s, m->mem, sizeof(m->mem), "@0", NULL, 0, ""), s.err)) {
		CHECK(s.t.arch == &arch_x86_64);
		CHECK_STR(s.t.vmcoreinfo.found, "memory");
		CHECK_U64(s.t.kaslr, 0x200000);
		CHECK_OK(mem_u64(&s.t, MADE_TEXT, &x, &s.err), s.err);
		CHECK_U64(x, load_le64(m->mem[16]));
	}
	stop(&s);
	free(m);
}

TEST_MAIN
