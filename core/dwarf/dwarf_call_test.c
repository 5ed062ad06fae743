/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of call sites by hand, as gcc writes them for DWARF 4: what a caller passed. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/dwarf/dwarf_frame.h"
#include "core/dwarf/made_dwarf.h"

#define TEXT 0x10000u
#define CALLEE (TEXT + 0x100)

enum {
	UNIT = 1,
	FUNC,
	SITE,
	PARAMETER,
	BLOCK
};

static void abbrevs(struct buf *b)
{
	made_abbrev(
		b, UNIT, DW_TAG_compile_unit, true,
		(const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(b, FUNC, DW_TAG_subprogram, true,
		    (const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
					DW_AT_GNU_all_call_sites, DW_FORM_flag, 0 });
	made_abbrev(b, SITE, DW_TAG_GNU_call_site, true,
		    (const unsigned[]){ DW_AT_low_pc, DW_FORM_addr, DW_AT_GNU_call_site_target,
					DW_FORM_exprloc, 0 });
	made_abbrev(b, PARAMETER, DW_TAG_GNU_call_site_parameter, false,
		    (const unsigned[]){ DW_AT_location, DW_FORM_exprloc, DW_AT_GNU_call_site_value,
					DW_FORM_exprloc, 0 });
	made_abbrev(b, BLOCK, DW_TAG_lexical_block, true, (const unsigned[]){ 0 });
	made_le(b, 0, 1);
}

static void func(struct buf *b, uint64_t at)
{
	made_le(b, FUNC, 1);
	made_le(b, at, 8);
	made_le(b, 0x100, 4);
	made_le(b, 1, 1);
}

static void site(struct buf *b, uint64_t returns_to, uint64_t target)
{
	made_le(b, SITE, 1);
	made_le(b, returns_to, 8);
	made_le(b, 9, 1);
	made_le(b, DW_OP_addr, 1);
	made_le(b, target, 8);
}

static void parameter(struct buf *b, unsigned reg, unsigned value)
{
	made_le(b, PARAMETER, 1);
	made_le(b, reg < 32 ? 1 : 2, 1);
	if (reg < 32) {
		made_le(b, DW_OP_reg0 + reg, 1);
	} else {
		made_le(b, DW_OP_regx, 1);
		made_le(b, reg, 1);
	}
	made_le(b, 2, 1);
	made_le(b, DW_OP_const1u, 1);
	made_le(b, value, 1);
}

/* The first function calls the second from three places, and once another. */
static void made_calls(struct buf *file)
{
	struct buf dies = { 0 }, info = { 0 }, words = { 0 };

	made_le(&dies, UNIT, 1);
	made_le(&dies, TEXT, 8);
	made_le(&dies, 0x200, 4);
	func(&dies, TEXT);
	site(&dies, TEXT + 0x10, CALLEE);
	parameter(&dies, 41, 141);
	parameter(&dies, 4, 104);
	parameter(&dies, 5, 105);
	parameter(&dies, 31, 131);
	parameter(&dies, 32, 132);
	parameter(&dies, 40, 140);
	made_le(&dies, 0, 1);
	made_le(&dies, BLOCK, 1);
	site(&dies, TEXT + 0x20, CALLEE);
	parameter(&dies, 5, 205);
	made_le(&dies, 0, 2);
	site(&dies, TEXT + 0x30, TEXT + 0x300);
	parameter(&dies, 5, 50);
	made_le(&dies, 0, 2);
	func(&dies, CALLEE);
	made_le(&dies, 0, 2);
	abbrevs(&words);
	made_unit(&info, 4, &dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN((const uint8_t *)words.s, words.n),
					    .info = SPAN((const uint8_t *)info.s, info.n) },
		   file);
	buf_release(&dies);
	buf_release(&info);
	buf_release(&words);
}

TEST(what_was_passed_is_that_calls)
{
	static const struct {
		unsigned returns_to, reg;
		uint64_t value; /* 0: not known */
		const char *why;
	} v[] = {
		{ 0x10, 4, 104, NULL },
		{ 0x10, 5, 105, NULL },
		{ 0x10, 31, 131, NULL }, /* the last that has an operation of its own */
		{ 0x10, 32, 132, NULL },
		{ 0x10, 40, 140, NULL },
		{ 0x10, 41, 141, NULL },
		{ 0x10, 3, 0, "does not tell what was passed" },
		{ 0x10, 42, 0, "does not tell what was passed" },
		{ 0x20, 5, 205, NULL },
		{ 0x20, 4, 0, "does not tell what was passed" },
		{ 0x30, 5, 0, "may have entered another function" },
		{ 0x40, 5, 0, "knows nothing of the call" },
		{ 0x11, 5, 0, "knows nothing of the call" },
		{ 0x900, 5, 0, "the caller has no debug info" },
	};
	struct arena scratch = { 0 };
	struct arch arch = arch_x86_64;
	struct buf file = { 0 };
	struct dwarf_file *f;
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	arch.call_target = NULL; /* there is no code to read */
	t.arch = &arch;
	made_calls(&file);
	f = t.dwarf = dwarf_file_new(&t, "test");
	f->path = "made";
	f->image = SPAN((const uint8_t *)file.s, file.n);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct frame_at caller = { .pc = TEXT + v[i].returns_to };
		struct frame_at at = { .pc = CALLEE + 8, .exact = true, .caller = &caller };
		struct dwarf_expr asks = { .t = &t, .frame = &at };
		struct dwarf_frame frame = { .file = NULL };
		uint64_t got = 0;
		bool ok;

		REQUIRE_OK(dwarf_frame_open(f, &at, &frame, &err), err);
		CHECK_U64(dwarf_func_entry(f, &frame.func), CALLEE);
		ok = dwarf_entry_value(&frame, &asks, v[i].reg, &got, &err);
		if (!CHECK(ok == !v[i].why))
			printf("  of %zu\n", i);
		if (ok)
			CHECK_U64(got, v[i].value);
		else if (v[i].why)
			CHECK_CONTAINS(err.msg, v[i].why);
		at.caller = NULL;
		CHECK(!dwarf_entry_value(&frame, &asks, v[i].reg, &got, &err));
	}
	target_release(&t);
	arena_release(&scratch);
	buf_release(&file);
}

/* Of a function without a line table and without a name nothing but its being there is told. */
TEST(a_function_without_lines)
{
	struct arena scratch = { 0 };
	struct buf file = { 0 };
	const struct line *l;
	struct dwarf_file *f;
	struct target t;
	struct err err;
	size_t n;

	target_init(&t, &scratch);
	t.arch = &arch_x86_64;
	made_calls(&file);
	f = dwarf_file_new(&t, "test");
	f->path = "made";
	f->image = SPAN((const uint8_t *)file.s, file.n);
	REQUIRE_OK(dwarf_line_find(&f->line_source, CALLEE + 8, &l, &n, &err), err);
	CHECK_U64(n, 1);
	CHECK(!l[0].file && !l[0].line && !l[0].func && !l[0].inlined);
	CHECK(!dwarf_line_find(&f->line_source, TEXT + 0x200, &l, &n, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	target_release(&t);
	arena_release(&scratch);
	buf_release(&file);
}

TEST_MAIN
