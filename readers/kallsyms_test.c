/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests kallsyms on tables made here by the rules of scripts/kallsyms.c. */
#include "core/base/test.h"
#include "readers/kallsyms_fake.h"

#define BASE UINT64_C(0xffffffff81000000)

static struct fake_kallsyms f;

static void put(size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f.mem[at + i] = (uint8_t)(v >> 8 * i);
}

/* Every token is its own letter, but 1 is "sys_". */
static void make(void)
{
	size_t at = 0;

	ks_init(&f);
	for (unsigned i = 0; i < 256; i++) {
		put(KS_INDEX + 2 * i, at, 2);
		if (i == 1) {
			memcpy(f.mem + KS_TOKENS + at, "sys_", 5);
			at += 5;
		} else {
			f.mem[KS_TOKENS + at] = i > 31 && i < 127 ? (uint8_t)i : 'x';
			at += 2;
		}
	}
	put(KS_REL, BASE, 8);
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

TEST_MAIN
