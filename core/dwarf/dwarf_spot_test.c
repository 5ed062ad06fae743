/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of lines with debug info by hand: paths as the kernel's tree has them, functions that begin
 * before their debug info does, and what shows that debug info is damaged. */
#include <dwarf.h>

#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "core/dwarf/dwarf.h"
#include "core/dwarf/made_dwarf.h"

#define TEXT 0x10000u
#define SLIDE 0x100000u /* KASLR's */

enum {
	UNIT = 1,
	FUNC,
	INLINED
};

static void abbrevs(struct buf *b)
{
	made_abbrev(b, UNIT, DW_TAG_compile_unit, true,
		    (const unsigned[]){ DW_AT_comp_dir, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
					DW_AT_high_pc, DW_FORM_data4, DW_AT_stmt_list,
					DW_FORM_sec_offset, 0 });
	made_abbrev(b, FUNC, DW_TAG_subprogram, true,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
					DW_AT_high_pc, DW_FORM_data4, 0 });
	made_abbrev(b, INLINED, DW_TAG_inlined_subroutine, false,
		    (const unsigned[]){ DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr,
					DW_AT_high_pc, DW_FORM_data4, DW_AT_call_file,
					DW_FORM_data1, DW_AT_call_line, DW_FORM_udata, 0 });
	made_le(b, 0, 1);
}

static void func(struct buf *b, const char *name, uint64_t at, unsigned n)
{
	made_le(b, FUNC, 1);
	made_text(b, name);
	made_le(b, at, 8);
	made_le(b, n, 4);
}

/* A row of each file, sixteen bytes behind each other from TEXT on: the first is of line 10, the
 * next of line 20 and so on. */
static void line_table(struct buf *b, const char *const *files, unsigned n, uint64_t more_lines)
{
	struct buf head = { 0 }, steps = { 0 };

	made_le(&head, 0x0101, 2); /* instructions of one byte, of one operation each */
	made_le(&head, 0xfb01, 2); /* statements; lines from -5 */
	made_le(&head, 0x0a0e, 2); /* in a range of 14; opcodes from 10 */
	buf_add(&head, "\0\1\1\1\1\0\0\0\1", 9);
	made_le(&head, 0, 1); /* no directories */
	for (unsigned i = 0; i < n; i++) {
		made_text(&head, files[i]);
		made_le(&head, 0, 3);
	}
	made_le(&head, 0, 1);
	buf_add(&steps, "\0\11\2", 3);
	made_le(&steps, TEXT, 8);
	made_le(&steps, 3, 1);
	made_uleb(&steps, 9 + more_lines);
	for (unsigned i = 0; i < n; i++) {
		buf_add(&steps, "\4", 1);
		made_le(&steps, i + 1, 1);
		buf_add(&steps, "\1\2\20\3\12", 5); /* a row, 16 bytes on, 10 lines on */
	}
	buf_add(&steps, "\0\1\1", 3);
	made_le(b, 2 + 4 + head.n + steps.n, 4);
	made_le(b, 4, 2);
	made_le(b, head.n, 4);
	buf_add(b, head.s, head.n);
	buf_add(b, steps.s, steps.n);
	buf_release(&head);
	buf_release(&steps);
}

struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct buf file;
	struct dwarf_file *f;
	struct err err;
	const struct line *l;
	size_t n;
};

static bool load_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	for (const struct symbol *s = tab->self; s->name; s++)
		*vec_push(&tab->syms) = *s;
	*vec_push(&tab->syms) =
		(struct symbol){ .name = "_end", .addr = SLIDE + TEXT + 0x1000, .type = 'B' };
	return true;
}

/* A unit of 0x1000 bytes from TEXT on, with these functions in it. */
static void start(struct fixture *f, const char *dir, const struct buf *funcs,
		  const struct buf *table, const struct symbol *symbols)
{
	struct buf dies = { 0 }, info = { 0 }, words = { 0 };
	struct symtab *tab;

	memset(f, 0, sizeof(*f));
	made_le(&dies, UNIT, 1);
	made_text(&dies, dir);
	made_le(&dies, TEXT, 8);
	made_le(&dies, 0x1000, 4);
	made_le(&dies, 0, 4);
	buf_add(&dies, funcs->s, funcs->n);
	made_le(&dies, 0, 1);
	abbrevs(&words);
	made_unit(&info, 4, &dies);
	made_dwarf(&(struct made_sections){ .abbrev = SPAN((const uint8_t *)words.s, words.n),
					    .info = SPAN((const uint8_t *)info.s, info.n),
					    .line = SPAN((const uint8_t *)table->s, table->n) },
		   &f->file);
	target_init(&f->t, &f->scratch);
	f->arch = arch_x86_64;
	f->arch.is_kernel_va = flat_is_kernel_va;
	f->t.arch = &f->arch;
	f->t.kaslr = SLIDE;
	tab = symbols_add(&f->t, "test");
	tab->self = (void *)(uintptr_t)symbols;
	tab->load = load_symbols;
	f->f = dwarf_file_new(&f->t, "test");
	f->f->path = "made";
	f->f->image = SPAN((const uint8_t *)f->file.s, f->file.n);
	buf_release(&dies);
	buf_release(&info);
	buf_release(&words);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
	buf_release(&f->file);
}

/* At a link-time address. */
static bool look(struct fixture *f, uint64_t pc)
{
	return dwarf_line_find(&f->f->line_source, pc + SLIDE, &f->l, &f->n, &f->err);
}

static const struct symbol no_symbols[1];

/* Without the directory it was compiled in, or, where that lies within the tree (make O=), without
 * what the two have in common. */
TEST(paths_as_the_tree_has_them)
{
	static const struct {
		const char *dir, *file, *want;
	} v[] = {
		{ "/src/linux", "kernel/panic.c", "kernel/panic.c" },
		{ "/src/linux", "./kernel/panic.c", "kernel/panic.c" },
		{ "/src/linux", "././panic.c", "panic.c" },
		{ "/src/linux", "/src/linux/./mm/slub.c", "mm/slub.c" },
		{ "/src/linux", ".config", ".config" },
		{ "/src/linux", "../panic.c", "../panic.c" },
		{ "/src/linux", "/src/linux/mm/slub.c", "mm/slub.c" },
		{ "/src/linux/out", "/src/linux/mm/slub.c", "mm/slub.c" },
		{ "/src/linux/mm", "/src/linux/mmap/slub.c", "mmap/slub.c" },
		{ "/src/linux", "/src/linux-6.1/slub.c", "linux-6.1/slub.c" },
		{ "/src/linux", "trace//fpu.h", "trace/fpu.h" },
		{ "/src/linux", "trace///fpu.h", "trace/fpu.h" },
		{ "/src/linux", "a/b//c/d", "a/b/c/d" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct buf funcs = { 0 }, table = { 0 };
		struct fixture f;

		func(&funcs, "f", TEXT, 0x100);
		made_le(&funcs, 0, 1);
		line_table(&table, &v[i].file, 1, 0);
		start(&f, v[i].dir, &funcs, &table, no_symbols);
		if (CHECK_OK(look(&f, TEXT + 8), f.err) && CHECK_U64(f.n, 1)) {
			CHECK_STR(f.l[0].file, v[i].want);
			CHECK_U64(f.l[0].line, 10);
			CHECK_STR(f.l[0].func, "f");
		}
		stop(&f);
		buf_release(&funcs);
		buf_release(&table);
	}
}

/* f() from TEXT on, 0x40 bytes; at its begin 0x20 bytes of g(), called in file 2, and in them 0x10
 * bytes of h(), which is called from nobody knows where. */
static void three_funcs(struct buf *b)
{
	func(b, "f", TEXT, 0x40);
	made_le(b, INLINED, 1);
	made_text(b, "g");
	made_le(b, TEXT, 8);
	made_le(b, 0x20, 4);
	made_le(b, 2, 1);
	made_uleb(b, 77);
	made_le(b, INLINED, 1);
	made_text(b, "h");
	made_le(b, TEXT + 0x30, 8);
	made_le(b, 8, 4);
	made_le(b, 9, 1);
	made_uleb(b, UINT64_C(0x80000000));
	made_le(b, 0, 1);
}

TEST(where_calls_stand)
{
	static const char *const files[] = { "a.c", "b.h", "c.h" };
	struct buf funcs = { 0 }, table = { 0 };
	struct fixture f;

	three_funcs(&funcs);
	line_table(&table, files, 3, 0);
	start(&f, "/src", &funcs, &table, no_symbols);
	REQUIRE_OK(look(&f, TEXT + 0x10), f.err);
	REQUIRE(f.n == 2);
	CHECK_STR(f.l[0].func, "g");
	CHECK_STR(f.l[0].file, "b.h"); /* of the row */
	CHECK_U64(f.l[0].line, 20);
	CHECK(f.l[0].inlined && !f.l[1].inlined);
	CHECK_STR(f.l[1].func, "f");
	CHECK_STR(f.l[1].file, "b.h"); /* of the call */
	CHECK_U64(f.l[1].line, 77);
	REQUIRE_OK(look(&f, TEXT + 0x30), f.err); /* behind the last row */
	REQUIRE(f.n == 2);
	CHECK_STR(f.l[0].func, "h");
	CHECK(!f.l[0].file && !f.l[0].line && !f.l[1].file && !f.l[1].line);
	REQUIRE_OK(look(&f, TEXT + 0x20), f.err);
	REQUIRE(f.n == 1);
	CHECK_STR(f.l[0].file, "c.h");
	CHECK(!look(&f, TEXT + 0x200)); /* in the unit: neither a function nor a row */
	CHECK_ERR(f.err, ERR_NOTFOUND);
	CHECK(!look(&f, TEXT + 0x2000));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	CHECK_U64(f.t.warnings.n, 0);
	stop(&f);
	buf_release(&funcs);
	buf_release(&table);
}

/* A row of no function's: the symbol table names it, and a line that no file has is none. */
TEST(rows_without_a_function)
{
	static const char *const files[] = { "a.c", "b.c" };
	const struct symbol symbols[] = {
		{ .name = "tail", .addr = SLIDE + TEXT, .size = 0x30, .type = 't' }, { 0 }
	};

	for (unsigned i = 0; i < 2; i++) {
		struct buf none = { 0 }, table = { 0 };
		struct fixture f;

		line_table(&table, files, 2, i ? UINT64_C(0x7fffffff) - 10 : 0);
		start(&f, "/src", &none, &table, symbols);
		REQUIRE_OK(look(&f, TEXT), f.err);
		CHECK_U64(f.n, 1);
		CHECK_STR(f.l[0].func, "tail");
		CHECK_STR(f.l[0].file, "a.c");
		CHECK_U64(f.l[0].line, i ? INT32_MAX : 10);
		REQUIRE_OK(look(&f, TEXT + 0x10), f.err);
		CHECK_STR(f.l[0].func, "tail");
		CHECK_STR(f.l[0].file, "b.c");
		CHECK_U64(f.l[0].line, i ? 0 : 20);
		CHECK_U64(f.t.warnings.n, i); /* two thousand million lines */
		if (i)
			CHECK_CONTAINS(f.t.warnings.p[0].text, "a line table of 'made' is damaged");
		stop(&f);
		buf_release(&table);
	}
}

/* -fpatchable-function-entry puts nops before what debug info calls the function; up to 16 bytes of
 * them belong to it, and its name is its symbol's, or begins it. */
TEST(functions_that_begin_with_nops)
{
	static const char *const files[] = { "a.c", "b.c", "c.c", "d.c", "e.c", "f.c" };
	static const struct {
		const char *symbol;
		unsigned nops;
		bool found;
	} v[] = { { "late", 4, true },
		  { "late", 8, true },
		  { "late", 16, true },
		  { "late", 20, false },
		  { "late", 6, false }, /* no multiple of an instruction of arm64 */
		  { "late.constprop.0", 8, true },
		  { "other", 8, false } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct symbol symbols[] = { { .name = v[i].symbol,
						    .addr = SLIDE + TEXT + 0x40 - v[i].nops,
						    .size = 0x40,
						    .type = 't' },
						  { 0 } };
		struct buf funcs = { 0 }, table = { 0 };
		struct fixture f;

		func(&funcs, "before", TEXT, 0x20);
		made_le(&funcs, 0, 1);
		func(&funcs, "late", TEXT + 0x40, 0x20);
		made_le(&funcs, 0, 1);
		line_table(&table, files, 6, 0);
		start(&f, "/src", &funcs, &table, symbols);
		for (unsigned at = 0; at < v[i].nops; at += 4) {
			REQUIRE_OK(look(&f, TEXT + 0x40 - v[i].nops + at), f.err);
			if (!CHECK((f.l[0].line == 50) == v[i].found)) /* the row of late() */
				printf("  of %zu, %u\n", i, at);
			CHECK_STR(f.l[0].func, v[i].found ? "late" : v[i].symbol);
		}
		CHECK_U64(f.t.warnings.n, 0);
		stop(&f);
		buf_release(&funcs);
		buf_release(&table);
	}
}

/* A function that begins inside of another symbol, but for its first few bytes, and a name that no
 * C has; each is told once for a file. */
TEST(what_shows_damage_is_told_once)
{
	static const struct {
		const char *name;
		unsigned at, size;
		const char *want;
	} v[] = { { "f", 0x11, 0x100, "has 'f' begin in the middle of 'whole'" },
		  { "f", 0xff, 0x100, "has 'f' begin in the middle of 'whole'" },
		  { "f", 0x10, 0x100, NULL },
		  { "f", 0x11, 0x11, NULL },
		  { "f~", 0, 0x100, NULL },
		  { "f\x7f", 0, 0x100, "is damaged, after 'f'" },
		  { "f g", 0, 0x100, "is damaged, after 'f'" },
		  { "!", 0, 0x100, NULL },
		  { "\xc3\xa4", 0, 0x100, "is damaged, after ''" } };
	static const char *const files[] = { "a.c" };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct symbol symbols[] = { { .name = "whole",
						    .addr = SLIDE + TEXT + 0x100,
						    .size = v[i].size,
						    .type = 't' },
						  { 0 } };
		struct buf funcs = { 0 }, table = { 0 };
		struct fixture f;

		func(&funcs, v[i].name, TEXT + 0x100 + v[i].at, 0x20);
		made_le(&funcs, 0, 1);
		line_table(&table, files, 1, 0);
		start(&f, "/src", &funcs, &table, symbols);
		for (unsigned again = 0; again < 2; again++) {
			REQUIRE_OK(look(&f, TEXT + 0x100 + v[i].at + again), f.err);
			if (!CHECK_U64(f.t.warnings.n, v[i].want != NULL))
				printf("  of %zu\n", i);
			if (v[i].want && f.t.warnings.n) {
				CHECK_CONTAINS(f.t.warnings.p[0].text, v[i].want);
				CHECK_U64(f.t.warnings.p[0].code, ERR_CORRUPT);
			}
		}
		stop(&f);
		buf_release(&funcs);
		buf_release(&table);
	}
}

TEST_MAIN
