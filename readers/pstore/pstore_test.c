/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests records of pstore on regions made as the kernel's sources say, whole, spoiled and cut. */
#include <lz4.h>
#include <lz4hc.h>
#include <lzo/lzo1x.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/test.h"
#include "core/linux/pstore/story.h"
#include "readers/pstore/made_ramoops.h"
#include "readers/pstore/pstore_codec.h"
#include "readers/pstore/pstore_record.h"
#include "readers/reader.h"

extern const struct reader reader_ramoops, reader_pstoreblk, reader_pstorefs;

static struct arena scratch;

static bool load(struct target *t, const struct reader *r, const char *name, const void *p,
		 size_t n)
{
	struct file *f;
	struct err err;

	target_init(t, &scratch);
	f = ARENA_NEW(&t->arena, struct file);
	*f = (struct file){ .path = name, .fd = -1, .map = SPAN(p, n) };
	*vec_push(&t->inputs) = (struct input){ f, r };
	return CHECK(r->probe(f) > 0) && CHECK_OK(r->open(t, f, &err), err);
}

static void unload(struct target *t)
{
	t->inputs.n = 0; /* their bytes are no mappings */
	target_release(t);
}

static const struct survivor *at(const struct target *t, size_t off)
{
	for (size_t i = 0; i < t->survivors.v.n; i++)
		if (t->survivors.v.p[i].offset == off)
			return &t->survivors.v.p[i];
	return NULL;
}

static const struct made_sizes sizes[] = {
	{ 0x100000, 0x20000, 0x10000, 0x10000, 0x8000, 0, 2, 0x601c0, false },
	{ 0x100000, 0x20000, 0x10000, 0x10000, 0x8000, 0, 2, 0x60c75, true },
	{ 0x40000, 0x8000, 0x4000, 0x2000, 0x2000, 16, 2, 0x601c0, false },
	{ 0x40000, 0x8000, 0x4000, 0x2000, 0x2000, 16, 2, 0x60c75, true },
	{ 0x10000, 0x1000, 0x1000, 0x1000, 0x1000, 0, 2, 0x50a07, false },
	{ 0x10000, 0x1000, 0x1000, 0x1000, 0x1000, 0, 2, 0x60c75, true },
	{ 0x100000, 0x20000, 0x10000, 0, 0, 0, 1, 0, false }, /* odd addresses */
	{ 0x80000, 0x10000, 0x8000, 0x8000, 0x4000, 8, 4, 0x515ff, false },
	{ 0x80000, 0x10000, 0x8000, 0x8000, 0x4000, 32, 1, 0x60606, true },
	{ 0x30000, 0x4000, 0x4000, 0x6000, 0x4000, 4, 3, 0x60606, true },
};

/* Where a zone is and what it holds, from the sizes alone: what the reader found must be that. */
static void check_zones(const struct target *t, const struct made_region *m)
{
	CHECK_U64(t->survivors.v.n, m->n);
	for (size_t i = 0; i < m->n; i++) {
		const struct survivor *s = at(t, m->z[i].off);
		enum survivor_type want = i < m->n_dmesg                    ? SURVIVOR_DMESG
					  : m->s.console && i == m->console ? SURVIVOR_CONSOLE
					  : m->s.pmsg && i == m->pmsg       ? SURVIVOR_PMSG
									    : SURVIVOR_FTRACE;

		REQUIRE(s != NULL);
		CHECK_U64(s->type, want);
		CHECK_U64(s->room, m->z[i].size);
		CHECK_U64(s->ecc, m->s.ecc);
		CHECK_U64(s->stored.n, m->z[i].fill);
		CHECK_U64(s->empty, !m->z[i].fill);
	}
}

TEST(layouts_are_found_without_a_word)
{
	static const char oops[] = "====1700000100.250000-D\nOops#1 Part1\n<1>[    1.000000] x\n";

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct made_region m;
		struct target t;

		made_story(&m, &sizes[i]);
		REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[i].region));
		check_zones(&t, &m);
		unload(&t);
		/* an image of zones that hold nothing but one record */
		made_begin(&m, &sizes[i]);
		made_write(&m, 1, oops, sizeof(oops) - 1);
		made_end(&m);
		REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[i].region));
		check_zones(&t, &m);
		unload(&t);
	}
}

/* Four bytes and two small numbers are found in anything: one header without a text, in what is
 * larger than a region of its own, is a coincidence; with a text behind it is a zone. */
TEST(one_header_in_other_bytes_is_a_coincidence)
{
	enum {
		SIZE = 8 << 20,
		WHERE = 0x300000
	};
	static uint8_t p[SIZE];

	for (unsigned text = 0; text < 2; text++) {
		struct target t;

		for (size_t i = 0; i < SIZE; i++)
			p[i] = (uint8_t)(i * i >> 7 | 0x80);
		memcpy(p + WHERE, "DBGC", 4);
		made_put32(p + WHERE + 4, 0);
		made_put32(p + WHERE + 8, 600);
		for (size_t i = 0; text && i < 600; i++)
			p[WHERE + 12 + i] = i % 60 == 59 ? '\n' : (uint8_t)('a' + i % 26);
		REQUIRE(load(&t, &reader_ramoops, "image", p, SIZE));
		CHECK_U64(t.survivors.v.n, text);
		CHECK_U64(t.warnings.n, !text);
		unload(&t);
	}
}

static bool last_line(const struct survivor_line *l, void *arg)
{
	*(struct survivor_line *)arg = *l;
	return true;
}

TEST(rings_are_unwrapped_and_calls_are_whole)
{
	struct survivor_line line = { 0 };
	const struct survivor *s;
	struct made_region m;
	struct target t;

	made_story(&m, &sizes[0]);
	REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[0].region));
	s = at(&t, m.z[m.console].off);
	REQUIRE(s != NULL);
	survivor_lines(s, last_line, &line);
	CHECK_U64(line.time_ns, UINT64_C(200000002000));
	s = at(&t, m.z[m.pmsg].off);
	REQUIRE(s != NULL && s->pmsg.n);
	survivor_lines(s, last_line, &line);
	CHECK_STR(line.tag, "made");
	CHECK(line.n == 11 && memcmp(line.text, "message 999", 11) == 0);
	CHECK_U64(line.wall_ns, UINT64_C(1700000099000009000));
	CHECK_U64(line.level, 6);
	s = at(&t, m.z[m.ftrace].off);
	REQUIRE(s != NULL && s->n_calls == (0x8000 - 12) / 24);
	/* the last call on CPU 0 is number 5000: 5000 % 3 is not 0 */
	CHECK_U64(s->calls[s->n_calls - 1].ip, MADE_IP + 5000 * 16);
	CHECK_U64(s->calls[s->n_calls - 1].stamp, 5000);
	CHECK_U64(s->calls[0].cpu, 0);
	CHECK_STR(t.survivors.writer, "6.1.192");
	unload(&t);
}

TEST(eight_bytes_of_every_block_are_mended)
{
	for (unsigned bad = 1; bad <= 8; bad++) {
		const struct survivor *s, *was;
		struct made_region m, whole;
		struct target t, u;

		made_story(&whole, &sizes[2]);
		made_story(&m, &sizes[2]);
		made_damage(&m, bad, true);
		REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[2].region));
		REQUIRE(load(&u, &reader_ramoops, "image", whole.p, sizes[2].region));
		check_zones(&t, &m);
		for (size_t i = 0; i < m.n; i++) {
			s = at(&t, m.z[i].off);
			was = at(&u, m.z[i].off);
			REQUIRE(s && was && s->stored.n == was->stored.n);
			CHECK_MEM(s->stored.p, was->stored.p, s->stored.n);
			CHECK_U64(s->lost, 0);
			if (m.z[i].fill)
				CHECK_U64(s->corrected, bad * (m.z[i].fill / 128 + 1));
		}
		unload(&t);
		unload(&u);
	}
}

TEST(nine_are_too_many_and_counted)
{
	const struct survivor *s;
	struct made_region m;
	struct target t;

	made_story(&m, &sizes[2]);
	made_damage(&m, 9, false);
	REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[2].region));
	s = at(&t, m.z[m.console].off);
	REQUIRE(s != NULL);
	/* a word with nine errors is now and then taken for another's neighbour */
	CHECK(s->lost + 2 >= m.z[m.console].fill / 128);
	CHECK(s->damage != NULL);
	CHECK_U64(s->n, m.z[m.console].fill); /* plain text is shown as it is */
	unload(&t);
}

TEST(sizes_that_a_person_knows_are_taken)
{
	struct survivor_layout l = { .given = true,
				     .record = 0x8000,
				     .console = 0x4000,
				     .ftrace = 0x2000,
				     .pmsg = 0x2000,
				     .ecc = 16,
				     .cpus = 2 };
	struct made_region m;
	struct target t;
	struct err err;

	for (size_t i = 2; i <= 3; i++) {
		made_story(&m, &sizes[i]);
		REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[i].region));
		REQUIRE_OK(t.survivors.search(&t, &l, &err), err);
		check_zones(&t, &m);
		unload(&t);
	}
}

TEST(a_region_within_memory_is_found)
{
	static uint8_t memory[3 << 20];
	struct made_region m;
	struct target t;

	made_story(&m, &sizes[3]);
	memset(memory, 0x90, sizeof(memory));
	memcpy(memory + 100, "DBGC is a word, and no zone", 27);
	memcpy(memory + 0x123000, m.p, sizes[3].region);
	REQUIRE(load(&t, &reader_ramoops, "memory", memory, sizeof(memory)));
	for (size_t i = 0; i < m.n; i++) {
		const struct survivor *s = at(&t, 0x123000 + m.z[i].off);

		REQUIRE(s != NULL);
		CHECK_U64(s->stored.n, m.z[i].fill);
		CHECK_U64(s->ecc, 16);
	}
	CHECK_U64(t.survivors.v.n, m.n);
	unload(&t);
}

TEST(the_other_byte_order_is_read)
{
	struct made_region m;
	struct target t;

	made_story(&m, &sizes[0]);
	for (size_t i = 0; i < m.n; i++)
		for (size_t word = 0; word < 3; word++) {
			uint8_t *p = m.p + m.z[i].off + word * 4;
			uint32_t x = load_le32(p);

			made_put32(p, x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24);
		}
	REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[0].region));
	check_zones(&t, &m);
	unload(&t);
}

TEST(what_was_erased_is_offered)
{
	const struct survivor *s;
	struct made_region m;
	struct target t;

	made_story(&m, &sizes[0]);
	memset(m.p + 4, 0, 8); /* as persistent_ram_zap() leaves it */
	REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[0].region));
	s = at(&t, 0);
	REQUIRE(s != NULL);
	CHECK(s->stale && !s->empty);
	CHECK_STR(s->reason, "Panic");
	CHECK_U64(s->time_s, 1700000100);
	unload(&t);
}

/* ---- codecs */

/* Some 28 KB of what looks like a log, and packs to about a third, as real ones do. */
static size_t log_text(char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, "Panic#1 Part1\n");
	uint32_t x = 7;

	for (unsigned i = 0; n < 27700; i++) {
		x = x * 1664525u + 1013904223u;
		n += (size_t)snprintf(
			buf + n, size - n,
			"<%u>[%5u.%06u] pci 0000:%02x:%02x.%u: reg 0x%02x: [mem 0x%08x]\n", x >> 29,
			i / 9, x % 1000000, x >> 24, x >> 9 & 31, x & 7, x >> 12 & 63, x);
	}
	return n;
}

enum codec {
	ZLIB,
	DEFLATE11,
	DEFLATE15,
	LZO,
	LZ4,
	LZ4HC,
	ZSTD,
	CODECS
};
static const char *const codec_names[] = {
	"zlib", "deflate", "deflate", "lzo", "lz4", "lz4", "zstd"
};

static size_t pack(enum codec codec, const char *text, size_t n, uint8_t *out, size_t size)
{
	static uint8_t work[LZO1X_1_MEM_COMPRESS] __attribute__((aligned(16)));
	int bits = codec == ZLIB ? 12 : codec == DEFLATE11 ? -11 : -15;
	z_stream z = { .next_in = (Bytef *)text,
		       .avail_in = (uInt)n,
		       .next_out = out,
		       .avail_out = (uInt)size };
	lzo_uint len = size;

	switch (codec) {
	case LZO:
		lzo1x_1_compress((const uint8_t *)text, n, out, &len, work);
		return len;
	case LZ4:
		return (size_t)LZ4_compress_default(text, (char *)out, (int)n, (int)size);
	case LZ4HC:
		return (size_t)LZ4_compress_HC(text, (char *)out, (int)n, (int)size, 9);
	case ZSTD:
		return ZSTD_compress(out, size, text, n, 3);
	default:
		deflateInit2(&z, 6, Z_DEFLATED, bits, 4, Z_DEFAULT_STRATEGY);
		deflate(&z, Z_FINISH);
		deflateEnd(&z);
		return size - z.avail_out;
	}
}

/* A packed record with one block that cannot be mended: the text before it, all of it right. */
TEST(text_before_a_lost_block_is_kept)
{
	static char text[40000];
	static uint8_t packed[40000];
	size_t n = log_text(text, sizeof(text)), len = pack(DEFLATE15, text, n, packed, 40000);
	const struct survivor *s;
	struct made_region m;
	struct target t;

	made_begin(&m, &sizes[2]);
	made_write(&m, 0, "====1700000100.250000-C\n", 24);
	made_write(&m, 0, packed, len);
	made_end(&m);
	for (unsigned i = 0; i < 12; i++)
		m.p[12 + 40 * 128 + i * 9] ^= 0x77; /* block 40 of some 80 */
	REQUIRE(load(&t, &reader_ramoops, "image", m.p, sizes[2].region));
	s = at(&t, 0);
	REQUIRE(s != NULL && s->text);
	CHECK_U64(s->lost, 1);
	CHECK(s->damage != NULL);
	CHECK_STR(s->reason, "Panic");
	/* in proportion to the bytes before it */
	CHECK(s->n >= n * (40 * 128 - 24) / len * 95 / 100);
	CHECK(s->n < n);
	CHECK_MEM(s->text, text + 14, s->n);
	unload(&t);
}

TEST(every_codec_is_found_by_trial)
{
	static char text[40000];
	static uint8_t packed[40000];
	size_t n = log_text(text, sizeof(text));

	for (enum codec i = 0; i < CODECS; i++) {
		size_t len = pack(i, text, n, packed, sizeof(packed));
		struct pstore_unpacked u;
		struct arena a = { 0 };

		REQUIRE(pstore_unpack(SPAN(packed, len), PSTORE_TEXT_MAX, &a, &u));
		CHECK_STR(u.codec, codec_names[i]);
		CHECK_U64(u.text.n, n);
		CHECK(u.whole);
		CHECK_MEM(u.text.p, text, n);
		arena_release(&a);
	}
}

/* One stream that lost its last 196 bytes: in proportion, what came before them. zstd packs a
 * record of this size as one block, of which a part is nothing. */
TEST(cut_streams_give_what_came_before)
{
	static char text[40000];
	static uint8_t packed[40000];
	size_t n = log_text(text, sizeof(text));

	for (enum codec i = 0; i < ZSTD; i++) {
		size_t len = pack(i, text, n, packed, sizeof(packed));
		struct pstore_unpacked u;
		struct arena a = { 0 };

		REQUIRE(pstore_unpack(SPAN(packed, len - 196), PSTORE_TEXT_MAX, &a, &u));
		CHECK(!u.whole);
		CHECK(u.text.n >= n * 97 / 100);
		CHECK_MEM(u.text.p, text, u.text.n);
		arena_release(&a);
	}
}

/* A byte in the middle is wrong: what comes of it is never said to be whole and right. */
TEST(damaged_streams_end)
{
	static char text[40000];
	static uint8_t packed[40000];
	size_t n = log_text(text, sizeof(text));

	for (enum codec i = 0; i < CODECS; i++)
		for (size_t part = 1; part < 8; part++) {
			size_t len = pack(i, text, n, packed, sizeof(packed));
			struct pstore_unpacked u;
			struct arena a = { 0 };
			bool ok;

			memset(packed + len / 8 * part, 0xff, 16);
			ok = pstore_unpack(SPAN(packed, len), PSTORE_TEXT_MAX, &a, &u);
			CHECK(!ok || u.text.n != n || memcmp(u.text.p, text, n) != 0);
			CHECK(!ok || u.text.n <= PSTORE_TEXT_MAX);
			arena_release(&a);
		}
}

TEST(bombs_end_at_the_limit)
{
	size_t n = (size_t)32 << 20, size = (size_t)1 << 20;
	char *text = calloc(1, n);
	uint8_t *packed = malloc(size);
	struct pstore_unpacked u;
	struct arena a = { 0 };

	memcpy(text, "Panic#1 Part1\n", 14);
	for (enum codec i = 0; i < CODECS; i++) {
		size_t len = pack(i, text, n, packed, size);

		REQUIRE(pstore_unpack(SPAN(packed, len), PSTORE_TEXT_MAX, &a, &u));
		CHECK(u.text.n <= PSTORE_TEXT_MAX);
		CHECK(u.limit);
	}
	arena_release(&a);
	free(text);
	free(packed);
}

TEST(what_nothing_unpacks_is_named)
{
	/* five zero bits, then the first eight bytes of the text as they are */
	uint8_t packed[64] = { 0 };
	struct pstore_unpacked u;
	struct arena a = { 0 };

	for (size_t i = 0; i < 8; i++) {
		packed[i] |= (uint8_t)("Panic#1 "[i] >> 5);
		packed[i + 1] |= (uint8_t)("Panic#1 "[i] << 3);
	}
	CHECK(!pstore_unpack(SPAN(packed, sizeof(packed)), PSTORE_TEXT_MAX, &a, &u));
	CHECK_STR(u.codec, "842");
	CHECK(!pstore_unpack(SPAN(packed, 16), PSTORE_TEXT_MAX, &a, &u));
	CHECK_STR(u.codec, "842");
	CHECK(!pstore_unpack(SPAN(packed, 15), PSTORE_TEXT_MAX, &a, &u)); /* shorter than any */
	CHECK_STR(u.codec, "unknown");
	packed[0] |= 0x80; /* the first bits are not zero: it begins in another way */
	CHECK(!pstore_unpack(SPAN(packed, sizeof(packed)), PSTORE_TEXT_MAX, &a, &u));
	CHECK_STR(u.codec, "unknown");
	memset(packed, 0xa5, sizeof(packed));
	CHECK(!pstore_unpack(SPAN(packed, sizeof(packed)), PSTORE_TEXT_MAX, &a, &u));
	CHECK_STR(u.codec, "unknown");
	arena_release(&a);
}

/* ---- calls of other forms: include/linux/pstore.h, struct pstore_ftrace_record */

static const struct survivor *calls_of(struct target *t, const uint8_t *p, size_t n)
{
	struct survivor *s;

	target_init(t, &scratch);
	s = record_add(t, SURVIVOR_FTRACE, "ramoops", NULL);
	s->stored = SPAN(p, n);
	record_ftrace(t, s, false);
	return s;
}

TEST(calls_of_every_form_are_read)
{
	uint8_t p[24 * 100];
	const struct survivor *s;
	struct target t;

	/* 32 bits since 4.10, a part of a record first */
	for (unsigned i = 0; i < 50; i++) {
		made_put32(p + 5 + i * 16, 0xc0100000 + i * 4);
		made_put32(p + 9 + i * 16, 0xc0200000 + i * 4);
		made_put64(p + 13 + i * 16, (uint64_t)(i + 1) << 8 | 3);
	}
	s = calls_of(&t, p, 5 + 50 * 16);
	CHECK_U64(s->n_calls, 50);
	CHECK_U64(s->calls[49].ip, 0xc0100000 + 49 * 4);
	CHECK_U64(s->calls[49].cpu, 3);
	CHECK_U64(s->calls[49].stamp, 50);
	unload(&t);
	/* ARM with few CPUs: the cpu in the address, the stamp in full */
	for (unsigned i = 0; i < 50; i++) {
		made_put32(p + i * 16, 0xc0100000 + i * 4 + 2);
		made_put32(p + i * 16 + 4, 0xc0200000 + i * 4);
		made_put64(p + i * 16 + 8, 1000 + i);
	}
	s = calls_of(&t, p, 50 * 16);
	CHECK_U64(s->n_calls, 50);
	CHECK_U64(s->calls[49].ip, 0xc0100000 + 49 * 4);
	CHECK_U64(s->calls[49].cpu, 2);
	CHECK_U64(s->calls[49].stamp, 1049);
	unload(&t);
	/* before 4.10 */
	for (unsigned i = 0; i < 50; i++) {
		made_put32(p + i * 12, 0xc0100000 + i * 4);
		made_put32(p + i * 12 + 4, 0xc0200000 + i * 4);
		made_put32(p + i * 12 + 8, 1);
	}
	s = calls_of(&t, p, 50 * 12);
	CHECK_U64(s->n_calls, 50);
	CHECK_U64(s->calls[49].cpu, 1);
	CHECK(!s->calls[49].has_stamp);
	unload(&t);
}

TEST(lines_of_the_kernels_own_text_are_calls)
{
	static const char text[] = "CPU:1 ts:77 ffffffff81001000  ffffffff81002000  f <- g+0x1\n"
				   "CPU:0 ts:78 ffffffff81001010  ffffffff81002010  h <- g+0x2\n";
	struct target t;
	const struct survivor *s = calls_of(&t, (const uint8_t *)text, sizeof(text) - 1);

	CHECK_U64(s->n_calls, 2);
	CHECK_U64(s->calls[1].stamp, 78);
	CHECK_U64(s->calls[0].cpu, 1);
	CHECK_U64(s->calls[0].parent, UINT64_C(0xffffffff81002000));
	unload(&t);
}

/* ---- pstore-blk: fs/pstore/zone.c */

TEST(pstore_blk_is_read_in_its_own_order)
{
	static uint8_t dev[16 * 512];
	const struct survivor *s;
	struct target t;

	memset(dev, 0xff, sizeof(dev));
	made_put32(dev, 0x43474244 ^ 7); /* pmsg, wrapped: the oldest byte is the seventh */
	made_put32(dev + 4, 10);
	made_put32(dev + 8, 6);
	memcpy(dev + 12, "6789\n12345", 10);
	made_put32(dev + 2048, 0x43474244 ^ 2);
	made_put32(dev + 2052, 8);
	made_put32(dev + 2056, 8);
	memcpy(dev + 2060, "console\n", 8);
	made_put32(dev + 4096, 0x43474244);
	made_put32(dev + 4100, 40 + 27);
	made_put32(dev + 4104, 0);
	made_put32(dev + 4108, 0x4dfc3ae5);
	made_put64(dev + 4108 + 8, 1700000000);
	made_put64(dev + 4108 + 16, 250000000);
	dev[4108 + 24] = 0;
	made_put32(dev + 4108 + 28, 4);
	made_put32(dev + 4108 + 32, 1);
	memcpy(dev + 4108 + 40, "Panic#4 Part1\n<0>[  1.0] x\n", 27);
	REQUIRE(load(&t, &reader_pstoreblk, "dev", dev, sizeof(dev)));
	CHECK_U64(t.survivors.v.n, 3);
	s = at(&t, 0);
	REQUIRE(s != NULL && s->type == SURVIVOR_PMSG);
	CHECK_MEM(s->stored.p, "23456789\n1", 10);
	s = at(&t, 4096);
	REQUIRE(s != NULL && s->type == SURVIVOR_DMESG);
	CHECK_STR(s->reason, "Panic");
	CHECK_U64(s->count, 4);
	CHECK_U64(s->time_s, 1700000000);
	CHECK_U64(s->n, 13);
	unload(&t);
}

/* ---- files */

static const struct survivor *file_of(struct target *t, const char *name, const char *text,
				      size_t n)
{
	if (!load(t, &reader_pstorefs, name, text, n) || !t->survivors.v.n)
		return NULL;
	return &t->survivors.v.p[0];
}

TEST(names_old_and_new_are_understood)
{
	static const char text[] = "Oops#2 Part100\n<4>[    1.000000] x\n";
	const struct survivor *s;
	struct target t;

	/* part 100 carries into the time: (1700000000 * 100 + 100) * 1000 + 2 */
	s = file_of(&t, "a/dmesg-efi_pstore-170000000100002", text, sizeof(text) - 1);
	REQUIRE(s != NULL);
	CHECK_U64(s->time_s, 1700000000);
	CHECK_U64(s->part, 100);
	CHECK_STR(s->backend, "efi_pstore");
	unload(&t);
	s = file_of(&t, "dump-type0-100-2-1700000000-D-cfc8fc79-be2e-4ddc-97f0-9f98bfe298a0",
		    "\7\0\0\0Oops#2 Part100\n<4>[    1.000000] x\n", sizeof(text) + 3);
	REQUIRE(s != NULL);
	CHECK_U64(s->time_s, 1700000000);
	CHECK_STR(s->reason, "Oops");
	unload(&t);
	s = file_of(&t, "console-ramoops",
		    "one\ntwo\n\nECC: 17 Corrected bytes, 3 unrecoverable blocks\n", 9 + 51 - 2);
	REQUIRE(s != NULL);
	CHECK_U64(s->type, SURVIVOR_CONSOLE);
	unload(&t);
}

TEST(two_crashes_within_seconds_stay_apart)
{
	/* as systemd 252 mixes them (its issue 25469): separators, parts of both by number */
	static const char text[] =
		"dmesg-efi-165000000002001:\nOops#1 Part2\n<6>[    1.000000] a\n"
		"dmesg-efi-165000000002002:\nPanic#2 Part2\n<6>[    3.000000] c\n"
		"dmesg-efi-165000000001001:\nOops#1 Part1\n<6>[    2.000000] b\n"
		"dmesg-efi-165000000001002:\nPanic#2 Part1\n<6>[    4.000000] d\n";
	struct file f = { .path = "dmesg.txt", .fd = -1, .map = SPAN(text, sizeof(text) - 1) };
	const struct survivor *const *v;
	struct target t;
	struct err err;
	size_t n;

	target_init(&t, &scratch);
	REQUIRE_OK(reader_pstorefs.open(&t, &f, &err), err);
	v = survivors_ordered(&t, &scratch, &n);
	CHECK_U64(n, 4);
	for (size_t i = 0; i < n; i++) {
		struct survivor_line l = { 0 };

		survivor_lines(v[i], last_line, &l);
		CHECK(l.n == 1 && l.text[0] == "abcd"[i]);
		CHECK_U64(v[i]->time_s, 1650000000);
	}
	unload(&t);
}

TEST(nothing_is_kept)
{
	arena_release(&scratch);
	CHECK_U64(scratch.total, 0);
}

TEST_MAIN
