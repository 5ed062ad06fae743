/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of callers' registers with debug info by hand: which functions are bound to keep them. */
#include <dwarf.h>

#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/dwarf/dwarf_frame.h"
#include "core/dwarf/made_dwarf.h"

#define TEXT 0x10000u
#define STACK 0x7000u

/* clang-format off */
static const uint8_t abbrev[] = {
	1, DW_TAG_compile_unit, 1, DW_AT_producer, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
		DW_AT_high_pc, DW_FORM_data4, 0, 0,
	2, DW_TAG_subprogram, 0, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
		/* of two bytes as a number of varying length */
		DW_AT_noreturn | 0x80, 1, DW_FORM_flag, 0, 0,
	3, DW_TAG_compile_unit, 1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4, 0, 0,
	0,
};
static const uint8_t frame[] = {
	16, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, /* a CIE of version 1 without augmentation */
	1, 0x78, 16,             /* code in bytes, data in -8, the return address is register 16 */
	DW_CFA_def_cfa, 7, 16,   /* rsp + 16 */
	DW_CFA_offset | 16, 1,   /* rip at CFA - 8 */
	DW_CFA_offset | 6, 2,    /* rbp at CFA - 16 */
	20, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0x00, 0x02, 0, 0, 0, 0, 0, 0,
};
/* clang-format on */

/* The word at STACK is 0xb0b, the next one the return address 0x4444. */
static bool stack_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	static const uint8_t words[] = {
		0x0b, 0x0b, 0, 0, 0, 0, 0, 0, 0x44, 0x44, 0, 0, 0, 0, 0, 0
	};
	uint8_t *to = buf;

	(void)self;
	(void)err;
	for (size_t i = 0; i < n; i++)
		to[i] = pa + i >= STACK && pa + i < STACK + sizeof(words) ? words[pa + i - STACK]
									  : 0;
	return true;
}

/* A unit of 0x100 bytes from TEXT on; in its first 0x80 one function. */
static void made_file_of(const char *producer, bool noreturn, struct buf *file)
{
	struct buf dies = { 0 }, info = { 0 };

	made_le(&dies, producer ? 1 : 3, 1);
	if (producer)
		made_text(&dies, producer);
	made_le(&dies, TEXT, 8);
	made_le(&dies, 0x100, 4);
	made_le(&dies, 2, 1);
	made_le(&dies, TEXT, 8);
	made_le(&dies, 0x80, 4);
	made_le(&dies, noreturn, 1);
	made_le(&dies, 0, 1);
	made_unit(&info, 4, &dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN(abbrev, sizeof(abbrev)),
					    .info = SPAN((const uint8_t *)info.s, info.n),
					    .frame = SPAN(frame, sizeof(frame)) },
		   file);
	buf_release(&dies);
	buf_release(&info);
}

static void target_make(struct target *t, struct arch *arch, struct arena *scratch,
			const struct buf *file)
{
	*arch = arch_x86_64;
	arch->is_kernel_va = flat_is_kernel_va;
	arch->mmu_init = flat_mmu_init;
	arch->walk = flat_walk;
	target_init(t, scratch);
	t->arch = arch;
	t->memory.phys.read = stack_read;
	t->dwarf = dwarf_file_new(t, "test");
	t->dwarf->path = "made";
	t->dwarf->image = SPAN((const uint8_t *)file->s, file->n);
}

/* Is rbx, of which the table says nothing, the caller's too? */
static bool rbx_is_kept(const char *producer, bool noreturn, uint64_t pc, bool forgets)
{
	struct frame_at at = { .pc = pc, .exact = true };
	struct arena scratch = { 0 };
	struct frame_source source;
	struct regs caller;
	struct buf file = { 0 };
	struct arch arch;
	struct target t;
	uint64_t cfa;
	struct err err;

	made_file_of(producer, noreturn, &file);
	target_make(&t, &arch, &scratch, &file);
	arch.noreturn_forgets = forgets;
	source = (struct frame_source){ .t = &t };
	regs_set(&at.regs, 3, 0xbbb);
	regs_set(&at.regs, 6, 0x666);
	regs_set(&at.regs, 7, STACK);
	regs_set(&at.regs, 0, 0xaaa);
	memset(&caller, 0, sizeof(caller));
	/* what the table says is known whether the others are or not */
	if (CHECK_OK(dwarf_frame_caller(&source, &at, &caller, &cfa, &err), err)) {
		CHECK_U64(cfa, STACK + 16);
		CHECK_U64(caller.r[7], STACK + 16);
		CHECK_U64(caller.r[16], 0x4444);
		CHECK_U64(caller.r[6], 0xb0b);
		CHECK(!(caller.have & 1)); /* rax is never kept */
		CHECK(!(caller.have >> 3 & 1) || caller.r[3] == 0xbbb);
	}
	target_release(&t);
	arena_release(&scratch);
	buf_release(&file);
	return caller.have >> 3 & 1;
}

/* Since gcc 14 a function that never returns need not save what it uses; clang's do. Of a producer
 * that is not known nothing is believed. */
TEST(functions_that_never_return_may_forget)
{
	static const struct {
		const char *producer;
		bool kept;
	} v[] = {
		{ "GNU C11 13.2.0 -mno-sse", true },
		{ "GNU C89 9.4.0", true },
		{ "GNU C11 14.1.0 -mno-sse", false },
		{ "GNU C11 14", false },
		{ "GNU C23 15.0.1", false },
		{ "GNU C11", false },
		{ "clang version 17.0.6", true },
		{ "Debian clang version 14.0.6", true },
		{ "GNU AS 2.40", false },
		{ "another compiler 3.1", false },
		{ NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const char *name = v[i].producer ? v[i].producer : "none";

		if (!CHECK(rbx_is_kept(v[i].producer, true, TEXT + 8, false) == v[i].kept))
			printf("  of %s\n", name);
		if (!CHECK(rbx_is_kept(v[i].producer, false, TEXT + 8, false)))
			printf("  of %s, which returns\n", name);
		CHECK(!rbx_is_kept(v[i].producer, false, TEXT + 8, true));
	}
}

TEST(without_a_function_nothing_is_kept)
{
	CHECK(rbx_is_kept("GNU C11 12.2.0", false, TEXT + 0x7f, false));
	CHECK(!rbx_is_kept("GNU C11 12.2.0", false, TEXT + 0x80, false));  /* only a unit */
	CHECK(!rbx_is_kept("GNU C11 12.2.0", false, TEXT + 0x150, false)); /* only a frame table */
}

/* A step by frame pointers tells no stack pointer. Where functions begin with a record of the frame
 * pointer and the return address, it points at what was saved: at CFA - 16 by the table. */
TEST(the_frame_pointer_stands_in_for_the_stack_pointer)
{
	for (unsigned i = 0; i < 8; i++) {
		bool records = i & 1, exact = i & 2, has_fp = i & 4;
		struct frame_at at = { .pc = TEXT + 8, .exact = exact };
		struct arena scratch = { 0 };
		struct frame_source source;
		struct buf file = { 0 };
		struct regs caller;
		struct arch arch;
		struct target t;
		uint64_t cfa;
		struct err err;
		bool ok;

		made_file_of("GNU C11 12.2.0", false, &file);
		target_make(&t, &arch, &scratch, &file);
		arch.frame_records = records;
		arch.fp = 6;
		source = (struct frame_source){ .t = &t };
		if (has_fp)
			regs_set(&at.regs, 6, STACK);
		ok = dwarf_frame_caller(&source, &at, &caller, &cfa, &err);
		CHECK(ok == (records && !exact && has_fp));
		if (ok) {
			CHECK_U64(cfa, STACK + 16);
			CHECK_U64(caller.r[16], 0x4444);
			CHECK_U64(caller.r[6], 0xb0b);
		}
		target_release(&t);
		arena_release(&scratch);
		buf_release(&file);
	}
}

TEST_MAIN
