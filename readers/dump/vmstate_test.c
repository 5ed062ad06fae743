/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the memory of virtual machines: VMware's states, QEMU's streams and what libvirt puts
 * before one, built byte by byte from their descriptions. */
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/reader.h"

#define BED2 0xbed2bed2u

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	char dir[32];
};

static void start(struct session *s)
{
	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
	s->t.arch = &arch_x86_64; /* as --arch says, for nothing in these pages does */
	memcpy(s->dir, "/tmp/obit-vmstate-XXXXXX", 25);
	REQUIRE(mkdtemp(s->dir) != NULL);
}

static void stop(struct session *s)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf '%s'", s->dir);
	CHECK(system(command) == 0); /* NOLINT: a name of mkdtemp's */
	target_release(&s->t);
	arena_release(&s->scratch);
}

static const char *put_file(struct session *s, const char *name, const void *p, size_t n)
{
	const char *path = arena_printf(&s->scratch, "%s/%s", s->dir, name);
	FILE *f = fopen(path, "wbe");

	CHECK(f && fwrite(p, 1, n, f) == n);
	if (f)
		fclose(f);
	return path;
}

static bool open_path(struct session *s, const char *path)
{
	return readers_open(&s->t, &path, 1, &s->err);
}

static void le(struct buf *b, uint64_t v, size_t n)
{
	uint8_t p[8];

	put_le(p, v, 8);
	buf_add(b, p, n);
}

static void be(struct buf *b, uint64_t v, size_t n)
{
	while (n--)
		buf_char(b, (char)(v >> 8 * n & 255));
}

static enum err_code page_of(struct session *s, uint64_t pa, const void *want)
{
	uint8_t got[4096];

	if (!mem_read_phys(&s->t, pa, got, sizeof(got), &s->err))
		return s->err.code;
	CHECK_MEM(got, want, sizeof(got));
	return ERR_OK;
}

/* ---- VMware */

static void tag(struct buf *b, const char *name, int index, unsigned size)
{
	le(b, strlen(name) << 8 | (index >= 0) << 6 | size, 2);
	buf_str(b, name);
	if (index >= 0)
		le(b, (uint64_t)index, 4);
}

static void number(struct buf *b, const char *name, int index, uint64_t v)
{
	tag(b, name, index, 4);
	le(b, v, 4);
}

static void state_head(struct buf *b)
{
	char name[64] = "memory";

	le(b, BED2, 4);
	le(b, 8, 4);
	le(b, 1, 4);
	buf_add(b, name, sizeof(name));
	le(b, 12 + 80, 8);
	le(b, 0, 8);
}

/* Two pages at 0, and one at 4 GiB, which is the first of the file. */
static void state_regions(struct buf *b)
{
	number(b, "regionsCount", -1, 2);
	number(b, "regionPageNum", 0, 1);
	number(b, "regionPPN", 0, 0);
	number(b, "regionSize", 0, 2);
	number(b, "regionPageNum", 1, 0);
	number(b, "regionPPN", 1, 0x100000);
	number(b, "regionSize", 1, 1);
}

static void state_memory(struct buf *b, const struct made *m, size_t from, size_t n, unsigned size)
{
	tag(b, "Memory", 0, size);
	le(b, n * 4096, 8);
	le(b, n * 4096, 8);
	le(b, 5, 2);
	buf_str(b, "align");
	buf_add(b, m->mem[from], n * 4096);
	le(b, 0, 2);
}

static struct made *made_new(void)
{
	struct made *m = malloc(sizeof(*m));

	made_init(m);
	return m;
}

static void check_regions(struct session *s, const struct made *m)
{
	CHECK_STR(s->t.dump.format, "VMware");
	CHECK_U64(page_of(s, 0, m->mem[11]), ERR_OK);
	CHECK_U64(page_of(s, 4096, m->mem[12]), ERR_OK);
	CHECK_U64(page_of(s, UINT64_C(1) << 32, m->mem[10]), ERR_OK);
	CHECK_U64(page_of(s, 2 * 4096, m->mem[0]), ERR_NOTRAM);
}

TEST(a_state_with_its_memory)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;

	state_head(&b);
	state_regions(&b);
	state_memory(&b, m, 10, 3, 0x3f);
	start(&s);
	if (CHECK_OK(open_path(&s, put_file(&s, "a.vmss", b.s, b.n)), s.err)) {
		check_regions(&s, m);
		CHECK_U64(s.t.warnings.n, 0);
	}
	stop(&s);
	/* cut within its last page */
	start(&s);
	if (CHECK_OK(open_path(&s, put_file(&s, "a.vmsn", b.s, b.n - 102)), s.err)) {
		CHECK(s.t.dump.truncated);
		CHECK_U64(page_of(&s, 0, m->mem[11]), ERR_OK);
		CHECK_U64(page_of(&s, 4096, m->mem[12]), ERR_TRUNCATED);
	}
	stop(&s);
	/* memory that is packed is named with who unpacks it */
	b.n = 0;
	state_head(&b);
	state_memory(&b, m, 10, 3, 0x3e);
	start(&s);
	CHECK(!open_path(&s, put_file(&s, "a.vmss", b.s, b.n)));
	CHECK_ERR(s.err, ERR_UNSUPPORTED);
	CHECK_CONTAINS(s.err.msg, "vmss2core");
	stop(&s);
	buf_release(&b);
	free(m);
}

/* Whichever of the two is given, or both, in either order. */
TEST(a_state_with_its_memory_beside)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;

	state_head(&b);
	state_regions(&b);
	le(&b, 0, 2);
	for (int given = 0; given < 4; given++) {
		const char *paths[2];

		start(&s);
		paths[given % 2] = put_file(&s, "a.vmss", b.s, b.n);
		paths[!(given % 2)] = put_file(&s, "a.vmem", m->mem[10], (size_t)3 * 4096);
		if (CHECK_OK(readers_open(&s.t, paths, given < 2 ? 1 : 2, &s.err), s.err))
			check_regions(&s, m);
		stop(&s);
	}
	start(&s);
	CHECK(!open_path(&s, put_file(&s, "b.vmss", b.s, b.n)));
	CHECK_ERR(s.err, ERR_NEED);
	CHECK_CONTAINS(s.err.msg, ".vmem");
	stop(&s);
	/* memory without a state is flat */
	start(&s);
	if (CHECK_OK(open_path(&s, put_file(&s, "c.vmem", m->mem[10], (size_t)3 * 4096)), s.err))
		CHECK_U64(page_of(&s, 0, m->mem[10]), ERR_OK);
	stop(&s);
	buf_release(&b);
	free(m);
}

/* ---- QEMU */

static void section(struct buf *b, int kind)
{
	buf_char(b, (char)kind);
	be(b, 7, 4);
}

static void name(struct buf *b, const char *s)
{
	buf_char(b, (char)strlen(s));
	buf_str(b, s);
}

static void footer(struct buf *b)
{
	be(b, 0x10, 8);
	buf_char(b, 0x7e);
	be(b, 7, 4);
}

/* Pages 0 to 2 of pc.ram: 0 comes twice, 1 is zero. */
static void stream(struct buf *b, const struct made *m, const char *block)
{
	buf_add(b, "QEVM\0\0\0\3", 8);
	buf_char(b, 7);
	be(b, 11, 4);
	buf_str(b, "pc-q35-10.0");
	section(b, 1);
	name(b, "ram");
	be(b, 0, 4);
	be(b, 4, 4);
	be(b, 3 * 4096 | 4, 8);
	name(b, block);
	be(b, 3 * 4096, 8);
	footer(b);
	section(b, 2);
	be(b, 8, 8);
	name(b, block);
	buf_add(b, m->mem[30], 4096);
	footer(b);
	section(b, 3);
	be(b, 0x20 | 8, 8);
	buf_add(b, m->mem[10], 4096);
	be(b, 4096 | 0x20 | 2, 8);
	buf_char(b, 0);
	be(b, 2 * 4096 | 0x20 | 8, 8);
	buf_add(b, m->mem[12], 4096);
	footer(b);
	buf_add(b, "\4devices", 8);
}

TEST(the_last_copy_of_a_page_counts)
{
	static const uint8_t zeros[4096];
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;

	stream(&b, m, "pc.ram");
	start(&s);
	if (CHECK_OK(open_path(&s, put_file(&s, "a", b.s, b.n)), s.err)) {
		CHECK_STR(s.t.dump.format, "QEMU stream");
		CHECK(!s.t.dump.truncated);
		CHECK_U64(s.t.warnings.n, 0);
		CHECK_U64(page_of(&s, 0, m->mem[10]), ERR_OK);
		CHECK_U64(page_of(&s, 4096, zeros), ERR_OK);
		CHECK_U64(page_of(&s, 2 * 4096, m->mem[12]), ERR_OK);
		CHECK_U64(page_of(&s, 3 * 4096, zeros), ERR_NOTRAM);
	}
	stop(&s);
	/* cut within the last page */
	start(&s);
	if (CHECK_OK(open_path(&s, put_file(&s, "a", b.s, b.n - 100)), s.err)) {
		CHECK(s.t.dump.truncated && s.t.warnings.n == 1);
		CHECK_U64(page_of(&s, 0, m->mem[10]), ERR_OK);
		CHECK_U64(page_of(&s, 2 * 4096, m->mem[12]), ERR_TRUNCATED);
	}
	stop(&s);
	buf_release(&b);
	free(m);
}

TEST(what_libvirt_puts_before_a_stream)
{
	static const char xml[] = "<domain/>";
	struct made *m = made_new();
	struct session s;

	for (unsigned packed = 0; packed < 2; packed++) {
		struct buf b = { 0 };
		bool ok;

		buf_str(&b, "LibvirtQemudSave");
		le(&b, 2, 4);
		le(&b, sizeof(xml), 4);
		le(&b, 1, 4);
		le(&b, packed, 4);
		buf_pad(&b, '\0', 60);
		buf_add(&b, xml, sizeof(xml));
		stream(&b, m, "pc.ram");
		start(&s);
		ok = open_path(&s, put_file(&s, "a", b.s, b.n));
		if (packed) {
			CHECK(!ok);
			CHECK_ERR(s.err, ERR_UNSUPPORTED);
			CHECK_CONTAINS(s.err.msg, "virsh dump --memory-only");
		} else if (CHECK_OK(ok, s.err)) {
			CHECK_U64(page_of(&s, 0, m->mem[10]), ERR_OK);
		}
		stop(&s);
		buf_release(&b);
	}
	free(m);
}

/* A board that nobody knows has its memory nobody knows where. */
TEST(streams_that_cannot_be_placed)
{
	struct made *m = made_new();
	struct buf b = { 0 };
	struct session s;

	stream(&b, m, "strange.ram");
	start(&s);
	CHECK(!open_path(&s, put_file(&s, "a", b.s, b.n)));
	CHECK_ERR(s.err, ERR_FORMAT);
	stop(&s);
	/* a form of memory that is not read */
	b.n = 0;
	buf_add(&b, "QEVM\0\0\0\3\1\0\0\0\7\3ram\0\0\0\0\0\0\0\5", 24);
	start(&s);
	CHECK(!open_path(&s, put_file(&s, "a", b.s, b.n)));
	CHECK_ERR(s.err, ERR_UNSUPPORTED);
	CHECK_CONTAINS(s.err.msg, "dump-guest-memory");
	stop(&s);
	buf_release(&b);
	free(m);
}

TEST_MAIN
