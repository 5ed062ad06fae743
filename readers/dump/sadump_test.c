/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of SADUMP on made-up dumps: no other was to be had. */
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/reader.h"

/* struct sadump_part_header: disk is 0 for a dump of one partition. Its numbers fill the block. */
static void made_sadump_part(struct buf *b, unsigned disk)
{
	uint8_t h[4096] = "sadump";
	uint32_t magic = 0x1234;

	put_le(h + 8, 1, 4);
	put_le(h + 152, disk, 4);
	for (size_t i = 168; i < sizeof(h); i += 4, magic = 11 * (magic + 7))
		put_le(h + i, magic, 4);
	buf_add(b, h, sizeof(h));
}

/* SADUMP: what is in the dump in one file, or in a set of two disks, where the second one begins
 * with page number `first`. */
static void made_sadump(const struct made *m, struct buf disks[2], size_t first)
{
	uint8_t h[4096] = "sadump", cpu[4096] = { 0 }, maps[2 * 4096] = { 0 };
	bool set = first < MADE_PAGES;

	made_sadump_part(&disks[0], set ? 1 : 0);
	if (set) {
		uint8_t volumes[4096] = { 1, 0, 0, 0, 2 };

		buf_add(&disks[0], volumes, sizeof(volumes));
		made_sadump_part(&disks[1], 2);
	}
	put_le(h + 8, 1, 4);
	put_le(h + 40, 4096, 4);
	put_le(h + 48, 1, 4);
	put_le(h + 52, 1, 4);
	put_le(h + 56, 1, 4);
	put_le(h + 60, MADE_PAGES, 4);
	put_le(h + 80, 1, 4);
	put_le(h + 88, MADE_PAGES, 8);
	buf_add(&disks[0], h, sizeof(h));
	put_le(cpu, 1024, 4);
	put_le(cpu + 20 + 892, 0x2222, 8);
	put_le(cpu + 20 + 984, 0x1111, 8);
	put_le(cpu + 20 + 992, 0x400, 8); /* IA32_EFER: long mode is active */
	buf_add(&disks[0], cpu, sizeof(cpu));
	for (size_t i = 0; i < MADE_PAGES; i++) {
		maps[i / 8] |= (uint8_t)(made_is_ram(i) << (7 - i % 8));
		maps[4096 + i / 8] |= (uint8_t)(made_is_in(i) << (7 - i % 8));
	}
	buf_add(&disks[0], maps, sizeof(maps));
	for (size_t i = 0; i < MADE_PAGES; i++)
		if (made_is_in(i))
			buf_add(&disks[i >= first], m->mem[i], 4096);
	for (unsigned i = 0; i < 1u + set; i++)
		put_le(disks[i].s + 160, disks[i].n, 8);
}

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	int fd[3];
	bool ok;
};

static struct made *made_new(void)
{
	struct made *m = malloc(sizeof(*m));

	made_init(m);
	return m;
}

static void session_open(struct session *s, const struct buf *files, size_t n)
{
	const char *paths[3];
	char path[3][64];

	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
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

/* All pages are right, or as many of them as there are. */
static void check_pages(struct session *s, const struct made *m, bool cut)
{
	uint8_t got[4096];
	uint64_t there = 0;

	for (size_t i = 0; i < MADE_PAGES + 2; i++) {
		bool ok = mem_read_phys(&s->t, i * 4096, got, sizeof(got), &s->err);

		if (i < MADE_PAGES && made_is_in(i) && (ok || !cut)) {
			if (CHECK_OK(ok, s->err))
				CHECK_MEM(got, m->mem[i], sizeof(got));
			there += ok;
			continue;
		}
		CHECK(!ok);
		CHECK_ERR(s->err, i >= MADE_PAGES || !made_is_ram(i) ? ERR_NOTRAM
				  : made_is_in(i)                    ? ERR_TRUNCATED
								     : ERR_EXCLUDED);
	}
	CHECK_U64(s->t.dump.present_pages, there);
	CHECK_U64(s->t.dump.missing_pages, MADE_PAGES - 3 - there);
}

TEST(one_partition)
{
	struct made *m = made_new();
	struct buf disks[2] = { { 0 } };
	struct session s;

	made_sadump(m, disks, MADE_PAGES);
	session_open(&s, disks, 1);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_STR(s.t.dump.format, "SADUMP");
		CHECK(s.t.arch == &arch_x86_64);
		CHECK_U64(s.t.cpus.n, 1);
		CHECK_U64(s.t.cpus.p[0].regs.r[s.t.arch->pc], 0x1111);
		CHECK_U64(s.t.cpus.p[0].regs.r[s.t.arch->sp], 0x2222);
		CHECK_U64(s.t.ram.n, 2);
		CHECK_U64(s.t.ram.p[0].last, 7 * 4096 - 1);
		CHECK_U64(s.t.ram.p[1].first, 8 * 4096);
		CHECK_U64(mem_absent_end(&s.t, 8 * 4096), 10 * 4096);
		check_pages(&s, m, false);
		CHECK(!s.t.dump.truncated);
	}
	session_close(&s, 1);
	buf_release(&disks[0]);
	free(m);
}

/* A file of a backup medium has a block of its own before the rest. */
TEST(a_medium)
{
	struct made *m = made_new();
	struct buf disks[2] = { { 0 } }, medium = { 0 };
	struct session s;

	made_sadump(m, disks, MADE_PAGES);
	buf_pad(&medium, '\0', 4096);
	buf_add(&medium, disks[0].s, disks[0].n);
	session_open(&s, &medium, 1);
	if (CHECK_OK(s.ok, s.err))
		check_pages(&s, m, false);
	session_close(&s, 1);
	buf_release(&disks[0]);
	buf_release(&medium);
	free(m);
}

/* In either order; one alone, one twice, one of another time, and a dump of its own besides are not
 * one. */
TEST(a_set_of_disks)
{
	struct made *m = made_new();
	struct buf disks[3] = { { 0 } }, order[2];
	struct session s;

	made_sadump(m, disks, 30);
	for (size_t first = 0; first < 2; first++) {
		order[0] = disks[first];
		order[1] = disks[!first];
		session_open(&s, order, 2);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK_STR(s.t.dump.format, "SADUMP, a set of disks");
			check_pages(&s, m, false);
		}
		session_close(&s, 2);
	}
	session_open(&s, disks, 1);
	CHECK(!s.ok);
	CHECK_ERR(s.err, ERR_NEED);
	CHECK_CONTAINS(s.err.msg, "has 2 disks, and 1 were given");
	session_close(&s, 1);
	session_open(&s, &disks[1], 1);
	CHECK(!s.ok);
	CHECK_CONTAINS(s.err.msg, "disk 1 of the set of SADUMP is missing");
	session_close(&s, 1);
	order[0] = order[1] = disks[1];
	session_open(&s, order, 2);
	CHECK(!s.ok);
	CHECK_CONTAINS(s.err.msg, "are both disk 2");
	session_close(&s, 2);
	put_le(disks[1].s + 136, 7, 1); /* the time */
	session_open(&s, disks, 2);
	CHECK(!s.ok);
	CHECK_ERR(s.err, ERR_MISMATCH);
	CHECK_CONTAINS(s.err.msg, "two crashes");
	session_close(&s, 2);
	put_le(disks[1].s + 136, 0, 1);
	put_le(disks[1].s + 152, 0, 4);
	session_open(&s, disks, 2);
	CHECK(!s.ok);
	CHECK_CONTAINS(s.err.msg, "a dump of its own");
	session_close(&s, 2);
	buf_release(&disks[0]);
	buf_release(&disks[1]);
	free(m);
}

TEST(cut_files_lose_only_what_is_cut)
{
	struct made *m = made_new();
	struct buf disks[2] = { { 0 } };
	unsigned opened = 0;

	made_sadump(m, disks, MADE_PAGES);
	for (size_t n = 9; n < disks[0].n; n += 997) {
		struct buf cut = { .s = disks[0].s, .n = n };
		struct session s;

		session_open(&s, &cut, 1);
		opened += s.ok;
		if (s.ok) {
			CHECK(s.t.dump.truncated);
			check_pages(&s, m, true);
		} else {
			CHECK_ERR(s.err, ERR_TRUNCATED);
		}
		session_close(&s, 1);
	}
	CHECK(opened > 200);
	buf_release(&disks[0]);
	free(m);
}

TEST(damaged_files_do_not_crash)
{
	struct made *m = made_new();
	struct buf disks[2] = { { 0 } };
	uint64_t seed = 88172645463325252u;
	unsigned refused = 0;

	made_sadump(m, disks, MADE_PAGES);
	for (unsigned round = 0; round < 600; round++) {
		struct buf bad = { 0 };
		struct session s;
		uint8_t got[4096];

		buf_add(&bad, disks[0].s, disks[0].n);
		for (unsigned i = 0; i < 1 + round % 10; i++) {
			uint64_t r = made_random(&seed);
			size_t from = round % 3 == 0 ? 8 : round % 3 == 1 ? 4096 : 8192;

			bad.s[from + (r >> 8) % (round % 3 == 2 ? 12288 : 160)] = (char)r;
		}
		session_open(&s, &bad, 1);
		refused += !s.ok;
		if (!s.ok)
			CHECK(s.err.code && s.err.msg[0]);
		for (size_t i = 0; s.ok && i < MADE_PAGES; i++)
			if (!mem_read_phys(&s.t, i * 4096, got, sizeof(got), &s.err))
				CHECK(err_is_absent(s.err.code));
		session_close(&s, 1);
		buf_release(&bad);
	}
	CHECK(refused > 0);
	buf_release(&disks[0]);
	free(m);
}

TEST_MAIN
