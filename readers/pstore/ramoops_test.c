/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of where regions of persistent RAM are found: files by their first bytes and their names,
 * and a dump's memory. */
#include "core/base/test.h"
#include "readers/pstore/made_ramoops.h"
#include "readers/reader.h"

extern const struct reader reader_ramoops;

static int probe(const char *name, const void *p, size_t n)
{
	const struct file f = { .path = name, .fd = -1, .map = SPAN(p, n) };

	return reader_ramoops.probe(&f);
}

static void head(uint8_t *p, uint32_t start, uint32_t fill, bool big)
{
	memcpy(p, big ? "CGBD" : "DBGC", 4);
	made_put32(p + 4, big ? __builtin_bswap32(start) : start);
	made_put32(p + 8, big ? __builtin_bswap32(fill) : fill);
}

/* A header at the front, which fits, makes it most likely; a name alone hardly, and never of what
 * is text or begins like another format. */
TEST(what_files_are_likely)
{
	static const char *const others[] = { "\177ELF", "KDUMP   ", "DISKDUMP", "makedumpfile",
					      "\x9f\xeb" };
	uint8_t p[4096];

	for (unsigned big = 0; big < 2; big++) {
		memset(p, 0x91, sizeof(p));
		head(p, 50, 100, big);
		CHECK_U64((unsigned)probe("x", p, sizeof(p)), 85);
		head(p, 100, 100, big);
		CHECK_U64((unsigned)probe("x", p, sizeof(p)), 85);
		head(p, 101, 100, big);
		CHECK(probe("x", p, sizeof(p)) != 85);
		head(p, 0, sizeof(p) - 12, big);
		CHECK_U64((unsigned)probe("x", p, sizeof(p)), 85);
		head(p, 0, sizeof(p) - 11, big);
		CHECK(probe("x", p, sizeof(p)) != 85);
		CHECK(!probe("x", p, 12));
	}
	memset(p, 0x91, sizeof(p));
	CHECK(!probe("x", p, sizeof(p)));
	CHECK_U64((unsigned)probe("/var/ramoops.bin", p, sizeof(p)), 2);
	CHECK_U64((unsigned)probe("my-pstore", p, sizeof(p)), 2);
	CHECK(!probe("/pstore/other", p, sizeof(p)));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		memset(p, 0x91, sizeof(p));
		memcpy(p, others[i], strlen(others[i]));
		CHECK(!probe("ramoops", p, sizeof(p)));
		CHECK(!probe("ramoops", p, strlen(others[i]))); /* too short for any zone */
	}
	memset(p, 'a', sizeof(p));
	CHECK(!probe("ramoops", p, sizeof(p)));
}

/* ---- a dump's memory: two regions of RAM, of which the second begins within a page */

#define RAM 0x100000u
#define RAM_SIZE 0x100000u
#define SECOND 0x180800u

struct fixture {
	struct target t;
	struct arena scratch;
	struct made_region m;
	struct err err;
	uint64_t absent; /* a page that cannot be read; 0: none */
	uint8_t mem[RAM_SIZE];
};

static bool read_ram(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	const struct fixture *f = self;

	if (pa < RAM || pa + n > RAM + RAM_SIZE)
		return err_set(err, ERR_NOTRAM, "no RAM");
	if (f->absent && pa / 4096 == f->absent / 4096)
		return err_set(err, ERR_EXCLUDED, "left out");
	memcpy(buf, f->mem + (pa - RAM), n);
	return true;
}

static const struct made_sizes sizes = { 0x40000, 0x8000, 0x4000,  0x2000, 0x2000,
					 16,      2,      0x601c0, false };

/* The region of a story lies at `where`; elsewhere is what is no zone. */
static struct fixture *start(uint64_t where)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		abort();
	target_init(&f->t, &f->scratch);
	made_story(&f->m, &sizes);
	memset(f->mem, 0x90, sizeof(f->mem));
	memcpy(f->mem + (where - RAM), f->m.p, sizes.region);
	f->t.memory.phys.read = read_ram;
	f->t.memory.phys.self = f;
	*vec_push(&f->t.ram) = (struct ram_region){ RAM, 0x17ffff };
	*vec_push(&f->t.ram) = (struct ram_region){ SECOND, RAM + RAM_SIZE - 1 };
	CHECK_OK(reader_ramoops.attach(&f->t, &f->err), f->err);
	return f;
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
	free(f);
}

static const struct survivor *at(const struct fixture *f, uint64_t off)
{
	for (size_t i = 0; i < f->t.survivors.v.n; i++)
		if (f->t.survivors.v.p[i].offset == off)
			return &f->t.survivors.v.p[i];
	return NULL;
}

static void check_story(const struct fixture *f, uint64_t where)
{
	CHECK_U64(f->t.survivors.v.n, f->m.n);
	CHECK_STR(f->t.survivors.writer, "6.1.192");
	for (size_t i = 0; i < f->m.n; i++) {
		const struct survivor *s = at(f, where + f->m.z[i].off);

		if (!CHECK(s != NULL))
			continue;
		CHECK_U64(s->stored.n, f->m.z[i].fill);
		CHECK_U64(s->room, f->m.z[i].size);
		CHECK_U64(s->ecc, 16);
		CHECK(!s->path);
	}
}

TEST(regions_in_memory)
{
	static const uint64_t where[] = { RAM, 0x123000, 0x181000, RAM + RAM_SIZE - 0x40000 };
	const struct survivor_layout any = { .given = false };

	for (size_t i = 0; i < ARRAY_SIZE(where); i++) {
		struct fixture *f = start(where[i]);

		REQUIRE(f->t.survivors.search != NULL);
		CHECK_OK(f->t.survivors.search(&f->t, &any, &f->err), f->err);
		check_story(f, where[i]);
		/* once is enough */
		CHECK_OK(f->t.survivors.search(&f->t, &any, &f->err), f->err);
		check_story(f, where[i]);
		stop(f);
	}
}

/* One in each part of RAM. */
TEST(two_regions_in_memory)
{
	const struct survivor_layout any = { .given = false };
	struct fixture *f = start(0x110000);

	memcpy(f->mem + 0x90000, f->m.p, sizes.region);
	CHECK_OK(f->t.survivors.search(&f->t, &any, &f->err), f->err);
	for (size_t i = 0; i < f->m.n; i++)
		CHECK(at(f, 0x110000 + f->m.z[i].off) && at(f, 0x190000 + f->m.z[i].off));
	stop(f);
}

/* What a dumper left out ends the region; the zones before that are told. */
TEST(a_region_with_a_hole)
{
	const struct survivor_layout any = { .given = false };
	struct fixture *f = start(0x123000);
	const struct survivor *s;

	f->absent = 0x123000 + f->m.z[1].off;
	CHECK_OK(f->t.survivors.search(&f->t, &any, &f->err), f->err);
	s = at(f, 0x123000);
	REQUIRE(s != NULL);
	CHECK_U64(s->stored.n, f->m.z[0].fill);
	CHECK_STR(s->reason, "Panic");
	CHECK(!at(f, f->absent));
	stop(f);
}

static uint64_t terabytes_end(void *self, uint64_t pa)
{
	(void)self;
	return pa < RAM + RAM_SIZE ? pa : UINT64_C(1) << 44;
}

/* 15 TB that the dump says are RAM, and has not: they are passed over, and are none of the memory
 * of which no more than 16 GB are searched. */
TEST(a_region_behind_terabytes_that_are_absent)
{
	const struct survivor_layout any = { .given = false };
	struct fixture *f = start(0x181000);

	f->t.memory.phys.absent_end = terabytes_end;
	f->t.ram.p[0] = (struct ram_region){ UINT64_C(1) << 40, (UINT64_C(1) << 44) - 1 };
	CHECK_OK(f->t.survivors.search(&f->t, &any, &f->err), f->err);
	check_story(f, 0x181000);
	stop(f);
}

/* A person may say where it is, how large, and of what sizes its zones are. */
TEST(a_place_that_is_given)
{
	struct survivor_layout l = { .has_at = true, .at = 0x123000, .size = 0x40000 };
	struct fixture *f = start(0x123000);

	CHECK_OK(f->t.survivors.search(&f->t, &l, &f->err), f->err);
	check_story(f, 0x123000);
	l.given = true;
	l.record = 0x8000;
	l.console = 0x4000;
	l.ftrace = l.pmsg = 0x2000;
	l.ecc = 16;
	l.cpus = 2;
	CHECK_OK(f->t.survivors.search(&f->t, &l, &f->err), f->err);
	check_story(f, 0x123000); /* those that were there are not told twice */
	l.size = 0;
	CHECK(!f->t.survivors.search(&f->t, &l, &f->err));
	CHECK_ERR(f->err, ERR_USAGE);
	CHECK_CONTAINS(f->err.msg, "--size");
	l.size = 0x40000;
	l.has_at = false;
	CHECK(!f->t.survivors.search(&f->t, &l, &f->err));
	CHECK_ERR(f->err, ERR_USAGE);
	CHECK_CONTAINS(f->err.msg, "--at");
	l.has_at = true;
	l.at = 0x300000;
	CHECK(!f->t.survivors.search(&f->t, &l, &f->err));
	CHECK_ERR(f->err, ERR_NOTRAM);
	stop(f);
}

/* The same within a file. */
TEST(a_place_in_a_file)
{
	struct survivor_layout l = { .has_at = true, .at = 0x23000, .size = 0x40000 };
	struct fixture *f = start(0x123000);
	struct file file = { .path = "ramoops", .fd = -1, .map = SPAN(f->mem, RAM_SIZE) };

	f->t.memory.phys.read = NULL;
	*vec_push(&f->t.inputs) = (struct input){ &file, &reader_ramoops };
	CHECK_OK(f->t.survivors.search(&f->t, &l, &f->err), f->err);
	CHECK_U64(f->t.survivors.v.n, f->m.n);
	for (size_t i = 0; i < f->m.n; i++) {
		const struct survivor *s = at(f, 0x23000 + f->m.z[i].off);

		CHECK(s && s->stored.n == f->m.z[i].fill && s->path == file.path);
	}
	l.at = RAM_SIZE;
	CHECK(!f->t.survivors.search(&f->t, &l, &f->err));
	CHECK_ERR(f->err, ERR_USAGE);
	CHECK_CONTAINS(f->err.msg, "has only 1048576 bytes");
	f->t.inputs.n = 0;
	stop(f);
}

TEST_MAIN
