/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of exception index instructions and tables, by the examples and tables of Arm IHI 0038. */
#include "core/base/test.h"
#include "core/unwind/exidx.h"
#include "core/unwind/unwind_fake.h"

/* A stack of words from 0x1000 on: the word at address a is a. */
static bool read(void *self, uint64_t va, uint32_t *ret, struct err *err)
{
	(void)self;
	if (va < 0x1000 || va >= 0x2000 || va & 3)
		return err_set_addr(err, ERR_EXCLUDED, va, "hole");
	*ret = (uint32_t)va;
	return true;
}

static struct exidx_frame frame(void)
{
	struct exidx_frame f = { .known = 1u << 11 | 1u << 13 | 1u << 14 | 1u << 15 };

	f.r[11] = 0x1100;
	f.r[13] = 0x1000;
	f.r[14] = 0xc0100000;
	f.r[15] = 0xc0200000;
	return f;
}

static bool run(const void *code, size_t n, struct exidx_frame *f, struct err *err)
{
	*f = frame();
	return exidx_run(SPAN(code, n), f, read, NULL, err);
}

TEST(pops)
{
	struct exidx_frame f;
	struct err err;

	/* add sp, #44; pop {r4-r11, lr}: start_kernel() of a Debian kernel */
	REQUIRE_OK(run("\x0a\xaf\xb0", 3, &f, &err), err);
	CHECK_U64(f.r[4], 0x102c);
	CHECK_U64(f.r[11], 0x102c + 28);
	CHECK_U64(f.r[15], 0x102c + 32);
	CHECK_U64(f.slot, 0x102c + 32);
	CHECK_U64(f.r[13], 0x102c + 36);
	CHECK(!f.moved);
	/* mov sp, fp; pop {fp, lr}: call_with_stack() */
	REQUIRE_OK(run("\x9b\x84\x80", 3, &f, &err), err);
	CHECK_U64(f.r[11], 0x1100);
	CHECK_U64(f.r[15], 0x1104);
	CHECK_U64(f.r[13], 0x1108);
	CHECK(f.moved);
	/* pop {r0-r3}; pop {r4-r15}: the entry of an exception; sp is the one that was saved */
	REQUIRE_OK(run("\xb1\x0f\x8f\xff\xb0", 5, &f, &err), err);
	CHECK_U64(f.popped, 0xffff);
	CHECK_U64(f.r[0], 0x1000);
	CHECK_U64(f.r[12], 0x1030);
	CHECK_U64(f.r[13], 0x1034);
	CHECK_U64(f.r[15], 0x103c);
	/* pc and lr both: pc is the return address */
	REQUIRE_OK(run("\x8c\x00\xb0", 3, &f, &err), err);
	CHECK_U64(f.r[15], 0x1004);
	CHECK_U64(f.slot, 0x1004);
}

TEST(stack_pointer)
{
	static const struct {
		const char *code;
		size_t n;
		uint32_t sp;
	} cases[] = {
		{ "\xb0", 1, 0x1000 },
		{ "\x3f\xb0", 2, 0x1100 },
		{ "\x40\xb0", 2, 0xffc },
		{ "\xb2\x00\xb0", 3, 0x1204 },
		{ "\xb2\x80\x01\xb0", 4, 0x1404 },
		{ "\xb3\x01\xb0", 3, 0x1014 },
		{ "\xba\xb0", 2, 0x101c },
		{ "\xc1\xb0", 2, 0x1010 },
		{ "\xc6\x02\xb0", 3, 0x1018 },
		{ "\xc7\x05\xb0", 3, 0x1008 },
		{ "\xc8\x00\xb0", 3, 0x1008 },
		{ "\xc9\x13\xb0", 3, 0x1020 },
		{ "\xd7\xb0", 2, 0x1040 },
		{ "", 0, 0x1000 },
	};
	struct exidx_frame f;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		REQUIRE_OK(run(cases[i].code, cases[i].n, &f, &err), err);
		CHECK_U64(f.r[13], cases[i].sp);
		CHECK_U64(f.r[15], 0xc0100000); /* nothing was popped: lr has it */
		CHECK_U64(f.slot, 0);
	}
}

TEST(refusals)
{
	/* refuse to unwind, and what the document calls spare or reserved */
	static const char *const spare[] = { "\x9d", "\x9f", "\xb1\x00", "\xb1\x10", "\xb4",
					     "\xb7", "\xca", "\xcf",     "\xd8",     "\xff" };
	uint8_t endless[EXIDX_CODE_MAX * 8];
	struct exidx_frame f;
	struct err err;

	CHECK(!run("\x80\x00", 2, &f, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	for (size_t i = 0; i < ARRAY_SIZE(spare); i++) {
		CHECK(!run(spare[i], 2, &f, &err));
		CHECK_ERR(err, ERR_CORRUPT);
	}
	CHECK(!run("\x94", 1, &f, &err)); /* r4 is not known */
	CHECK_ERR(err, ERR_NEED);
	CHECK(!run("\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\x3f\xa8", 17, &f,
		   &err)); /* beyond the stack */
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(!run("\xb2\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11, &f, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	memset(endless, 0, sizeof(endless));
	CHECK(!run(endless, sizeof(endless), &f, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	f = frame();
	f.known = 1u << 13;
	CHECK(!exidx_run(SPAN("\xb0", 1), &f, read, NULL, &err)); /* not even lr */
	CHECK_ERR(err, ERR_CORRUPT);
}

/* A table in memory: prel31 to functions, then inline instructions, 1, or prel31 to more. */
TEST(tables)
{
	struct fake_stack_kernel *k = xrealloc(NULL, sizeof(*k));
	const uint32_t base = FK_BASE & UINT32_MAX, idx = 0x5000, tab = 0x6000;
	static const struct {
		uint32_t func, word;
	} entries[] = { { 0x100, 0x80aab0b0 }, { 0x200, 1 }, { 0x300, 0 }, { 0x400, 0x85000000 } };
	struct exidx x;
	struct err err;

	fk_init(k, &arch_arm);
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		uint32_t at = idx + 8 * (uint32_t)i;

		fk_put(k, at, (entries[i].func - at) & 0x7fffffff, 4);
		fk_put(k, at + 4, entries[i].word ? entries[i].word : tab - (at + 4), 4);
	}
	fk_put(k, tab, 0x8101b10f, 4); /* one more word */
	fk_put(k, tab + 4, 0x8fffb0b0, 4);
	fk_symbol(k, "__start_unwind_idx", idx, 0, 'R');
	fk_symbol(k, "__stop_unwind_idx", idx + sizeof(entries), 0, 'R');
	fk_ready(k);
	REQUIRE_OK(exidx_find(&k->t, base + 0x1ff, &x, &err), err);
	CHECK_U64(x.func, base + 0x100);
	CHECK_U64(x.n, 3);
	CHECK_U64(x.code[0], 0xaa);
	REQUIRE_OK(exidx_find(&k->t, base + 0x200, &x, &err), err);
	CHECK(x.cantunwind);
	REQUIRE_OK(exidx_find(&k->t, base + 0x3fe, &x, &err), err);
	CHECK_U64(x.n, 6);
	CHECK(memcmp(x.code, "\xb1\x0f\x8f\xff\xb0\xb0", 6) == 0);
	CHECK(!exidx_find(&k->t, base + 0x400, &x, &err)); /* model 5 */
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(!exidx_find(&k->t, base + 0xff, &x, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	fk_release(k);
	free(k);
}

TEST_MAIN
