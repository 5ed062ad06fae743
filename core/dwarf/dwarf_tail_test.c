/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of jumps out of functions with debug info by hand: which functions can be entered again by
 * jumps alone. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/dwarf/dwarf_frame.h"
#include "core/dwarf/made_dwarf.h"

#define TEXT 0x10000u
#define SLIDE 0x100000u /* KASLR's */
#define HEAD 11         /* bytes before a unit's DIEs */
#define SIZE 0x100u     /* of each function */

enum {
	UNIT = 1,
	TELLS,   /* a function that tells of all its calls */
	SILENT,  /* and one that does not */
	TELLS_4, /* as gcc says it in DWARF 4 */
	JUMP,
	JUMP_4,
	CALL,
	BLIND,    /* a jump to what a pointer held */
	EXTERNAL, /* declared, and defined elsewhere */
	HIDDEN,   /* declared, not for other files */
	COPY      /* the code of such a one */
};

static void abbrevs(struct buf *b)
{
#define PLACE DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4
	made_abbrev(b, UNIT, DW_TAG_compile_unit, true, (const unsigned[]){ PLACE, 0 });
	made_abbrev(b, TELLS, DW_TAG_subprogram, true,
		    (const unsigned[]){ PLACE, DW_AT_call_all_calls, DW_FORM_flag_present, 0 });
	made_abbrev(b, SILENT, DW_TAG_subprogram, true, (const unsigned[]){ PLACE, 0 });
	made_abbrev(b, TELLS_4, DW_TAG_subprogram, true,
		    (const unsigned[]){ PLACE, DW_AT_GNU_all_call_sites, DW_FORM_flag_present, 0 });
	made_abbrev(b, JUMP, DW_TAG_call_site, false,
		    (const unsigned[]){ DW_AT_call_tail_call, DW_FORM_flag_present,
					DW_AT_call_origin, DW_FORM_ref4, 0 });
	made_abbrev(b, JUMP_4, DW_TAG_GNU_call_site, false,
		    (const unsigned[]){ DW_AT_GNU_tail_call, DW_FORM_flag_present,
					DW_AT_abstract_origin, DW_FORM_ref4, 0 });
	made_abbrev(b, CALL, DW_TAG_call_site, false,
		    (const unsigned[]){ DW_AT_call_origin, DW_FORM_ref4, 0 });
	made_abbrev(b, BLIND, DW_TAG_call_site, false,
		    (const unsigned[]){ DW_AT_call_tail_call, DW_FORM_flag_present, 0 });
	made_abbrev(b, EXTERNAL, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_external,
					DW_FORM_flag_present, 0 });
	made_abbrev(b, HIDDEN, DW_TAG_subprogram, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, 0 });
	made_abbrev(b, COPY, DW_TAG_subprogram, true,
		    (const unsigned[]){ PLACE, DW_AT_call_all_calls, DW_FORM_flag_present,
					DW_AT_abstract_origin, DW_FORM_ref4, 0 });
	made_le(b, 0, 1);
#undef PLACE
}

/* The i-th function, and what it does: by letters, "b" a jump to function b, "B" one as DWARF 4
 * says it, "(b" a call, "?" a jump by a pointer, "x" a jump to the external one, "y" to the one
 * that is nowhere, "z" to the hidden one. */
struct function {
	unsigned code;
	const char *does;
};
#define FUNCS_MAX 16

static bool load_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	*vec_push(&tab->syms) =
		(struct symbol){ .name = "external", .addr = SLIDE + TEXT + SIZE, .type = 'T' };
	*vec_push(&tab->syms) =
		(struct symbol){ .name = "_end", .addr = SLIDE + 2 * TEXT, .type = 'B' };
	return true;
}

static bool any_va(uint64_t va)
{
	(void)va;
	return true;
}

static void put_unit(struct buf *dies, const struct function *f, size_t n)
{
	uint64_t at[FUNCS_MAX] = { 0 }, declared[3] = { 0 };

	for (unsigned pass = 0; pass < 2; pass++) { /* the second one knows where all is */
		buf_reset(dies);
		made_le(dies, UNIT, 1);
		made_le(dies, TEXT, 8);
		made_le(dies, 0x10000, 4);
		for (unsigned i = 0; i < 3; i++) {
			declared[i] = HEAD + dies->n;
			made_le(dies, i < 2 ? EXTERNAL : HIDDEN, 1);
			made_text(dies, i == 0 ? "external" : i == 1 ? "nowhere" : "hidden");
		}
		for (size_t i = 0; i < n; i++) {
			at[i] = HEAD + dies->n;
			made_le(dies, f[i].code, 1);
			made_le(dies, TEXT + i * SIZE, 8);
			made_le(dies, SIZE, 4);
			if (f[i].code == COPY)
				made_le(dies, declared[2], 4);
			for (const char *p = f[i].does; *p; p++) {
				bool call = *p == '(', old = *p >= 'A' && *p <= 'Z';
				char to = old ? (char)(*p - 'A' + 'a') : call ? *++p : *p;

				made_le(dies,
					to == '?' ? BLIND
					: call    ? CALL
					: old     ? JUMP_4
						  : JUMP,
					1);
				if (to >= 'x')
					made_le(dies, declared[to - 'x'], 4);
				else if (to != '?')
					made_le(dies, at[to - 'a'], 4);
			}
			made_le(dies, 0, 1);
		}
		made_le(dies, 0, 1);
	}
}

/* Can the first function be entered again by jumps alone? */
static bool jumps_back(const struct function *f, size_t n)
{
	struct buf dies = { 0 }, info = { 0 }, words = { 0 }, file = { 0 };
	struct arena scratch = { 0 };
	struct arch arch = arch_x86_64;
	struct target t;
	bool back;

	put_unit(&dies, f, n);
	abbrevs(&words);
	made_unit(&info, 4, &dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN((const uint8_t *)words.s, words.n),
					    .info = SPAN((const uint8_t *)info.s, info.n) },
		   &file);
	target_init(&t, &scratch);
	arch.is_kernel_va = any_va;
	t.arch = &arch;
	t.kaslr = SLIDE;
	symbols_add(&t, "test")->load = load_symbols;
	t.dwarf = dwarf_file_new(&t, "test");
	t.dwarf->path = "made";
	t.dwarf->image = SPAN((const uint8_t *)file.s, file.n);
	back = dwarf_jumps_back(t.dwarf, SLIDE + TEXT);
	CHECK(dwarf_jumps_back(t.dwarf, SLIDE + TEXT) == back); /* and when asked again */
	target_release(&t);
	arena_release(&scratch);
	buf_release(&dies);
	buf_release(&info);
	buf_release(&words);
	buf_release(&file);
	return back;
}

TEST(which_functions_are_entered_again)
{
	static const struct {
		struct function f[5];
		size_t n;
		bool back;
	} v[] = {
		{ { { TELLS, "" } }, 1, false },
		{ { { TELLS, "a" } }, 1, true },
		{ { { TELLS, "(a" } }, 1, false }, /* a call leaves a frame of its own */
		{ { { TELLS, "b" }, { TELLS, "" } }, 2, false },
		{ { { TELLS, "b" }, { TELLS, "a" } }, 2, true },
		{ { { TELLS, "bc" }, { TELLS, "c" }, { TELLS, "b" } }, 3, false },
		{ { { TELLS, "bc" }, { TELLS, "c" }, { TELLS, "ba" } }, 3, true },
		{ { { TELLS, "bbd" }, { TELLS, "c" }, { TELLS, "" }, { TELLS, "a" } }, 4, true },
		{ { { TELLS, "b" }, { TELLS, "c" }, { TELLS, "d" }, { TELLS, "(a" } }, 4, false },
		{ { { TELLS_4, "B" }, { TELLS_4, "" } }, 2, false },
		{ { { TELLS_4, "B" }, { TELLS_4, "A" } }, 2, true },
		/* in doubt it can */
		{ { { SILENT, "" } }, 1, true },
		{ { { TELLS, "b" }, { SILENT, "" } }, 2, true },
		{ { { TELLS, "?" } }, 1, true },
		{ { { TELLS, "b" }, { TELLS, "b?" } }, 2, true },
		{ { { TELLS, "y" } }, 1, true },
		/* the external one is b(), by its symbol */
		{ { { TELLS, "x" }, { TELLS, "" } }, 2, false },
		{ { { TELLS, "x" }, { TELLS, "a" } }, 2, true },
		/* the hidden one has code in its unit, or nobody knows where */
		{ { { TELLS, "z" }, { TELLS, "a" } }, 2, true },
		{ { { TELLS, "z" }, { TELLS, "a" }, { COPY, "" } }, 3, false },
		{ { { TELLS, "z" }, { TELLS, "a" }, { COPY, "b" } }, 3, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (!CHECK(jumps_back(v[i].f, v[i].n) == v[i].back))
			printf("  of %zu\n", i);
}

TEST_MAIN
