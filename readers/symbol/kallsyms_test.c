/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests kallsyms on tables made here by the rules of scripts/kallsyms.c. */
#include "core/base/test.h"
#include "readers/symbol/kallsyms_fake.h"

#define BASE UINT64_C(0xffffffff81000000)

static struct fake_kallsyms f;

static void put(size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f.mem[at + i] = (uint8_t)(v >> 8 * i);
}

/* Every token is its own letter, but 1 is "sys_". */
static void make_at(size_t tokens)
{
	size_t at = 0;

	ks_init(&f);
	f.k.token_table = KS_BASE + tokens;
	for (unsigned i = 0; i < 256; i++) {
		put(KS_INDEX + 2 * i, at, 2);
		if (i == 1) {
			memcpy(f.mem + tokens + at, "sys_", 5);
			at += 5;
		} else {
			f.mem[tokens + at] = i > 31 && i < 127 ? (uint8_t)i : 'x';
			at += 2;
		}
	}
	put(KS_REL, BASE, 8);
}

static void make(void)
{
	make_at(KS_TOKENS);
}

static size_t name(size_t at, const char *s)
{
	size_t n = strlen(s);

	f.mem[at++] = (uint8_t)n;
	memcpy(f.mem + at, s, n);
	return at + n;
}

TEST(absolute_percpu_encoding)
{
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;
	size_t at = KS_NAMES;

	make();
	/* offsets >= 0 are absolute, others base - 1 - offset (kallsyms_sym_address) */
	at = name(at, "Apercpu");
	put(KS_OFFSETS, 0x1f000, 4);
	at = name(at, "T_text");
	put(KS_OFFSETS + 4, (uint32_t)-1, 4);
	at = name(at, "t\001write");
	put(KS_OFFSETS + 8, (uint32_t)(-1 - 0x40), 4);
	at = name(at, "Dlast");
	put(KS_OFFSETS + 12, (uint32_t)(-1 - 0x100), 4);
	put(KS_NUM, 4, 4);
	CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
	CHECK_U64(tab.syms.n, 4);
	if (tab.syms.n == 4) {
		CHECK_STR(tab.syms.p[0].name, "percpu");
		CHECK_U64(tab.syms.p[0].addr, 0x1f000);
		CHECK_U64(tab.syms.p[0].type, 'A');
		CHECK_U64(tab.syms.p[1].addr, BASE);
		CHECK_U64(tab.syms.p[1].size, 0x40);
		CHECK_STR(tab.syms.p[2].name, "sys_write");
		CHECK_U64(tab.syms.p[2].addr, BASE + 0x40);
		CHECK_U64(tab.syms.p[3].addr, BASE + 0x100);
	}
	free(tab.syms.p);
	ks_release(&f);
}

TEST(plain_offsets_and_a_long_name)
{
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;
	size_t at = KS_NAMES;

	make();
	at = name(at, "Tone");
	put(KS_OFFSETS + 4, 0x10, 4);
	f.mem[at++] = 0x80 | 72; /* 200 letters: 72 + (1 << 7) */
	f.mem[at++] = 1;
	memset(f.mem + at, 'q', 200);
	f.mem[at] = 't';
	put(KS_NUM, 2, 4);
	CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
	CHECK_U64(tab.syms.n, 2);
	if (tab.syms.n == 2) {
		CHECK_U64(strlen(tab.syms.p[1].name), 199);
		CHECK_U64(tab.syms.p[1].addr, BASE + 0x10);
	}
	free(tab.syms.p);
	ks_release(&f);
}

/* kallsyms_sym_address() of v7.0: offset_to_ptr() of each, forwards and backwards. */
TEST(offsets_from_their_own_place)
{
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;
	size_t at = KS_NAMES;

	make();
	f.k.relative_base = 0;
	at = name(at, "Tbefore");
	put(KS_OFFSETS, (uint32_t)-0x800000, 4);
	at = name(at, "Rits_own");
	put(KS_OFFSETS + 4, (uint32_t)-4, 4);
	name(at, "Bbehind");
	put(KS_OFFSETS + 8, 0x123456, 4);
	put(KS_NUM, 3, 4);
	CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
	CHECK_U64(tab.syms.n, 3);
	if (tab.syms.n == 3) {
		CHECK_U64(tab.syms.p[0].addr, KS_BASE + KS_OFFSETS - 0x800000);
		CHECK_U64(tab.syms.p[1].addr, KS_BASE + KS_OFFSETS);
		CHECK_U64(tab.syms.p[2].addr, KS_BASE + KS_OFFSETS + 8 + 0x123456);
	}
	free(tab.syms.p);
	ks_release(&f);
}

/* A kernel of 32 bits that nothing moves holds the addresses themselves (the same function). */
TEST(values_of_a_fixed_kernel_of_32_bits)
{
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;

	make();
	f.arch.word = 4;
	f.arch.linked_here = true;
	f.k.relative_base = 0;
	name(KS_NAMES, "T_text");
	put(KS_OFFSETS, 0xc0008000, 4);
	put(KS_NUM, 1, 4);
	CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
	CHECK_U64(tab.syms.n, 1);
	if (tab.syms.n == 1)
		CHECK_U64(tab.syms.p[0].addr, 0xc0008000);
	free(tab.syms.p);
	ks_release(&f);
}

TEST(damage_is_told)
{
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;

	make();
	put(KS_NUM, UINT32_MAX, 4);
	CHECK(!kallsyms_load(&f.t, &f.k, &tab, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	ks_release(&f);

	make();
	put(KS_NUM, 1, 4);
	put(KS_INDEX + 20, 0, 2);
	CHECK(!kallsyms_load(&f.t, &f.k, &tab, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	ks_release(&f);

	make(); /* names end with the memory: what came before is kept */
	put(KS_NUM, 100, 4);
	f.k.names = KS_BASE + KS_SIZE - 6;
	name(KS_SIZE - 6, "Tone");
	CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
	CHECK_U64(tab.syms.n, 1); /* "one"; what follows has no letters, or no memory */
	CHECK_U64(f.t.warnings.n, 1);
	free(tab.syms.p);
	ks_release(&f);
}

/* ---- damage among many names */

#define MANY 1100 /* four blocks of 256, and a short fifth */
#define MARKERS(end) (((end) + 7) / 8 * 8)

static size_t starts[MANY + 1];

/*
 * As scripts/kallsyms.c lays them out: the names, aligned the offset of every 256th, then the
 * tokens. Symbol i is "T" and "name<i>", 16 bytes after the one before.
 */
static void make_many_aligned(size_t align)
{
	size_t at = KS_NAMES;

	make_at(KS_TOKENS_BEHIND);
	for (size_t i = 0; i < MANY; i++) {
		char text[16];

		snprintf(text, sizeof(text), "Tname%zu", i);
		starts[i] = at;
		at = name(at, text);
		put(KS_OFFSETS + 4 * i, 16 * i, 4);
	}
	starts[MANY] = at;
	at = (at + align - 1) / align * align;
	for (size_t i = 0; i < MANY; i += 256)
		put(at + i / 256 * 4, starts[i] - KS_NAMES, 4);
	put(KS_NUM, MANY, 4);
}

static void make_many(void)
{
	make_many_aligned(8);
}

/* Loads them; every name that is there must be right, and the numbers of those that are not are
 * [from, to). */
static void loads(size_t from, size_t to, size_t warnings)
{
	struct symtab tab = { .origin = "kallsyms" };
	struct err err;

	CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
	CHECK_U64(tab.syms.n, MANY - (to - from));
	CHECK_U64(f.t.warnings.n, warnings);
	CHECK_U64(tab.partial, to != from);
	for (size_t i = 0; i < tab.syms.n; i++) {
		size_t number = i < from ? i : i + to - from;
		char text[16];

		snprintf(text, sizeof(text), "name%zu", number);
		if (strcmp(tab.syms.p[i].name, text) || tab.syms.p[i].addr != BASE + 16 * number) {
			CHECK_STR(tab.syms.p[i].name, text);
			break;
		}
		CHECK(tab.syms.p[i].size == (number + 1 < MANY ? 16 : 0));
	}
	free(tab.syms.p);
	ks_release(&f);
}

TEST(names_behind_damage_are_found_by_their_marker)
{
	make_many();
	loads(0, 0, 0);
	make_many(); /* no length fits any more */
	memset(f.mem + starts[300], 0xff, 64);
	loads(256, 512, 1);
	make_many(); /* the damage is in the last block, which no marker ends */
	memset(f.mem + starts[1030], 0xff, 20);
	loads(1024, MANY, 1);
	make_many(); /* the first, and what does not look like a name */
	f.mem[starts[7] + 2] = ' ';
	f.mem[starts[1040]] = 3; /* so that it is looked at */
	f.mem[starts[1040] + 4] = 3;
	memset(f.mem + starts[1024], 0, MARKERS(starts[MANY]) - starts[1024]);
	{
		struct symtab tab = { .origin = "kallsyms" };
		struct err err;

		CHECK_OK(kallsyms_load(&f.t, &f.k, &tab, &err), err);
		CHECK_U64(tab.syms.n, 768);
		CHECK_STR(tab.syms.p[0].name, "name256");
		free(tab.syms.p);
		ks_release(&f);
	}
}

/* Since v7.0 tables are aligned to four bytes, also where a word has eight. */
TEST(markers_aligned_to_four_bytes)
{
	make_many_aligned(4);
	CHECK((starts[MANY] + 3) / 4 * 4 != MARKERS(starts[MANY])); /* or this shows nothing */
	f.mem[starts[600]] = (uint8_t)(starts[602] - starts[600] - 1);
	f.mem[starts[601]] = 'x';
	loads(512, 768, 1);
}

TEST(two_names_made_one_shift_no_others)
{
	make_many(); /* everything still looks like a name, but there is one less */
	f.mem[starts[600]] = (uint8_t)(starts[602] - starts[600] - 1);
	f.mem[starts[601]] = 'x';
	loads(512, 768, 1);
}

TEST(a_damaged_marker_costs_no_name)
{
	make_many();
	put(MARKERS(starts[MANY]) + 4, 0x12345678, 4);
	loads(0, 0, 0);
	make_many();
	put(MARKERS(starts[MANY]) + 4, 0x12345678, 4);
	memset(f.mem + starts[800], 0xff, 64);
	loads(768, 1024, 1);
}

TEST_MAIN
