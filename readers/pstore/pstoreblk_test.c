/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of images of pstore-blk, made as fs/pstore/zone.c lays them out. */
#include "core/base/test.h"
#include "readers/pstore/made_ramoops.h"
#include "readers/reader.h"

extern const struct reader reader_pstoreblk;

#define SIG 0x43474244u /* "DBGC" */
#define MAGIC 0x4dfc3ae5u
#define HEAD 12
#define KMSG 40 /* bytes of a log's own head */

static uint8_t dev[16 * 512];

static void zone(size_t at, uint32_t type, uint32_t len, uint32_t first)
{
	made_put32(dev + at, SIG ^ type);
	made_put32(dev + at + 4, len);
	made_put32(dev + at + 8, first);
}

static void kmsg(size_t at, uint64_t sec, uint64_t ns, bool packed, uint32_t number,
		 const char *text)
{
	uint8_t *p = dev + at + HEAD;

	zone(at, 0, KMSG + (uint32_t)strlen(text), 0);
	made_put32(p, MAGIC);
	made_put64(p + 8, sec);
	made_put64(p + 16, ns);
	p[24] = packed;
	made_put32(p + 28, number);
	memcpy(p + KMSG, text, strlen(text));
}

static int probe(size_t n)
{
	const struct file f = { .path = "dev", .fd = -1, .map = SPAN(dev, n) };

	return reader_pstoreblk.probe(&f);
}

/* The first zone that was written tells: those before it are zeros, or erased flash. */
TEST(what_files_are_likely)
{
	for (unsigned erased = 0; erased < 2; erased++) {
		memset(dev, erased ? 0xff : 0, sizeof(dev));
		CHECK(!probe(sizeof(dev)));
		zone(1024, 2, 100, 0); /* a console's */
		CHECK_U64((unsigned)probe(sizeof(dev)), 90);
		CHECK_U64((unsigned)probe(1024 + 16 + 100), 90);
		CHECK(!probe(1024 + 15));
		CHECK(!probe(1024 + HEAD + 99)); /* its data would not be there */
		zone(1024, 2, 100, 100);
		CHECK_U64((unsigned)probe(sizeof(dev)), 90);
		zone(1024, 2, 100, 101); /* begins behind its end */
		CHECK(!probe(sizeof(dev)));
		for (uint32_t type = 0; type < 16; type++) {
			zone(1024, type, 100, 0);
			CHECK((probe(sizeof(dev)) == 90) == (type == 2 || type == 3 || type == 7));
		}
		zone(1024, 0, KMSG, 0); /* a log's begins with its magic number */
		CHECK(!probe(sizeof(dev)));
		made_put32(dev + 1024 + HEAD, MAGIC);
		CHECK_U64((unsigned)probe(sizeof(dev)), 90);
		zone(1024, 0, KMSG - 1, 0);
		CHECK(!probe(sizeof(dev)));
		zone(1024, 2, 100, 0);
		dev[512] = 1; /* something else was written there first */
		CHECK(!probe(sizeof(dev)));
	}
}

static struct arena scratch;

static void load(struct target *t)
{
	struct file *f;
	struct err err;

	target_init(t, &scratch);
	f = ARENA_NEW(&t->arena, struct file);
	*f = (struct file){ .path = "dev", .fd = -1, .map = SPAN(dev, sizeof(dev)) };
	CHECK_OK(reader_pstoreblk.open(t, f, &err), err);
}

/* Each zone reaches to the next; what looks like one within another's data is its text. */
TEST(zones_and_what_is_in_them)
{
	static const struct {
		size_t at, room;
		enum survivor_type type;
		const char *text;
	} want[] = {
		{ 512, 1024, SURVIVOR_PMSG, "abcdef" },
		{ 1536, 512, SURVIVOR_CONSOLE, "world hello " },
		{ 2048, 2048, SURVIVOR_CONSOLE, NULL },
		{ 4096, 1024, SURVIVOR_DMESG, "<4>[    1.0] x\n" },
		{ 5120, 512, SURVIVOR_DMESG, "<4>[    2.0] y\n" },
		{ 5632, sizeof(dev) - 5632, SURVIVOR_CONSOLE, "" },
	};
	struct target t;

	memset(dev, 0, sizeof(dev));
	zone(512, 7, 6, 0);
	memcpy(dev + 512 + HEAD, "abcdef", 6);
	zone(1024 + 8, 7, 6, 0); /* no multiple of 512 */
	zone(1536, 2, 12, 6);
	memcpy(dev + 1536 + HEAD, "hello world ", 12);
	zone(2048, 2, 1024, 0);
	memset(dev + 2048 + HEAD, 'a', 1024);
	zone(2560, 2, 10, 0);
	kmsg(4096, 1700000000, 250000999, false, 4, "Oops#4 Part1\n<4>[    1.0] x\n");
	kmsg(5120, 0, 0, false, 5, "Panic#5 Part2\n<4>[    2.0] y\n");
	zone(5632, 2, 0, 0);
	load(&t);
	CHECK_U64(t.survivors.v.n, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want) && i < t.survivors.v.n; i++) {
		const struct survivor *s = &t.survivors.v.p[i];

		CHECK_U64(s->offset, want[i].at);
		CHECK_U64(s->room, want[i].room);
		CHECK_U64(s->type, want[i].type);
		CHECK_STR(s->backend, "pstore-blk");
		CHECK(!s->damage);
		CHECK(s->empty == (want[i].text && !*want[i].text));
		if (want[i].text && *want[i].text && CHECK(s->text != NULL)) {
			CHECK_U64(s->n, strlen(want[i].text));
			CHECK_MEM(s->text, want[i].text, s->n);
		}
	}
	if (t.survivors.v.n == ARRAY_SIZE(want)) {
		const struct survivor *oops = &t.survivors.v.p[3], *panic = &t.survivors.v.p[4];

		CHECK(oops->has_time && !panic->has_time);
		CHECK_U64((uint64_t)oops->time_s, 1700000000);
		CHECK_U64(oops->time_us, 250000);
		CHECK_U64(oops->id, 4);
		CHECK_STR(oops->reason, "Oops");
		CHECK_U64(panic->part, 2);
	}
	target_release(&t);
	arena_release(&scratch);
}

/* A log that says it is packed and is not, and one that ends within its head. */
TEST(logs_that_are_damaged)
{
	struct target t;

	memset(dev, 0, sizeof(dev));
	kmsg(0, 1700000000, 0, true, 4, "Oops#4 Part1\n<4>[    1.0] x\n");
	zone(512, 0, KMSG - 1, 0);
	made_put32(dev + 512 + HEAD, MAGIC);
	load(&t);
	CHECK_U64(t.survivors.v.n, 2);
	if (t.survivors.v.n == 2) {
		CHECK_CONTAINS(t.survivors.v.p[0].damage, "unpacks its 28 bytes");
		CHECK_CONTAINS(t.survivors.v.p[1].damage, "ends within its header");
		CHECK(!t.survivors.v.p[1].text);
	}
	target_release(&t);
	arena_release(&scratch);
}

TEST_MAIN
