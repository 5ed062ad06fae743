/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of line tables by hand, of every version and size: what section 6.2 of DWARF 5 says. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/dwarf/dwarf_row.h"
#include "core/dwarf/made_dwarf.h"

#define BASE (-3) /* what special opcodes begin to add to the line */
#define RANGE 12
#define SPECIAL 14 /* the first of them: behind a standard opcode that is not known here */

/* How a table is written, and what its rows are if nothing else is said. */
struct form {
	unsigned version, offset_size, min_length;
	bool stmt;
};

/* A row by one byte: after `by` instructions, `lines` further. */
static void special(struct buf *b, unsigned by, int lines)
{
	made_le(b, (uint64_t)(SPECIAL + lines - BASE + RANGE * (int)by), 1);
}

static void extended(struct buf *b, unsigned op, uint64_t v, unsigned n)
{
	made_le(b, 0, 1);
	made_le(b, n + 1, 1);
	made_le(b, op, 1);
	made_le(b, v, n);
}

/* An opcode with operands that are written as bytes. */
static void op(struct buf *b, const char *bytes, size_t n)
{
	buf_add(b, bytes, n);
}
#define OP(b, bytes) op((b), (bytes), sizeof(bytes) - 1)

static void old_names(struct buf *b)
{
	OP(b, "inc\0/abs\0\0");
	OP(b, "a.c\0\0\x81\x01\x82\x01"); /* directory 0; a time and a size of two bytes */
	OP(b, "b.h\0\1\0\0c.h\0\2\0\0/x/d.h\0\1\0\0e.h\0\3\0\0\0");
}

static void new_names(struct buf *b)
{
	made_le(b, 1, 1);
	made_le(b, DW_LNCT_path, 1);
	made_le(b, DW_FORM_string, 1);
	OP(b, "\3/build\0inc\0/abs\0");
	made_le(b, 3, 1);
	made_le(b, DW_LNCT_MD5, 1);
	made_le(b, DW_FORM_data16, 1);
	made_le(b, DW_LNCT_path, 1);
	made_le(b, DW_FORM_string, 1);
	made_le(b, DW_LNCT_directory_index, 1);
	made_le(b, DW_FORM_udata, 1);
	OP(b, "\6");
	OP(b, "0123456789abcdefa.c\0\0");
	OP(b, "0123456789abcdefa.c\0\0");
	OP(b, "0123456789abcdefb.h\0\1");
	OP(b, "0123456789abcdefc.h\0\2");
	OP(b, "0123456789abcdef/x/d.h\0\1");
	OP(b, "0123456789abcdefe.h\0\3");
}

static void table(struct buf *b, const struct form *form, void (*names)(struct buf *b),
		  const struct buf *program)
{
	struct buf head = { 0 };
	uint64_t n;

	made_le(&head, form->min_length, 1);
	if (form->version >= 4)
		made_le(&head, 1, 1);
	made_le(&head, form->stmt, 1);
	made_le(&head, (uint64_t)BASE, 1);
	made_le(&head, RANGE, 1);
	made_le(&head, SPECIAL, 1);
	OP(&head, "\0\1\1\1\1\0\0\0\1\0\0\1\2"); /* operands, by section 6.2.5.2; 13 has two */
	names(&head);
	n = 2 + (form->version >= 5 ? 2 : 0) + form->offset_size + head.n + program->n;
	if (form->offset_size == 8)
		made_le(b, UINT32_MAX, 4);
	made_le(b, n, form->offset_size);
	made_le(b, form->version, 2);
	if (form->version >= 5)
		made_le(b, 8, 2); /* an address's size; no segments */
	made_le(b, head.n, form->offset_size);
	buf_add(b, head.s, head.n);
	buf_add(b, program->s, program->n);
	made_le(b, 0x5a5a5a5a, 4); /* another unit's */
	buf_release(&head);
}

static struct dwarf_unit unit(struct dwarf_sections *s, const struct buf *b)
{
	*s = (struct dwarf_sections){ .line = SPAN((const uint8_t *)b->s, b->n) };
	return (struct dwarf_unit){ .s = s, .version = 4, .addr_size = 8, .dir = "/build" };
}

/* Every opcode; an instruction is min bytes long. Three rows at one place: the last is of file 3,
 * and begins a statement or does not, unlike the others. */
static void program(struct buf *b)
{
	extended(b, DW_LNE_set_address, 0x1000, 8);
	OP(b, "\1");     /* copy: line 1 of file 1 */
	OP(b, "\4\2");   /* set_file */
	OP(b, "\3\x09"); /* advance_line: 10 */
	special(b, 2, 5);
	OP(b, "\5\x87\1\7\xd\x81\1\5\xc\3\xa\xb"); /* nothing that tells of lines or addresses */
	OP(b, "\x8");                              /* const_add_pc: (255 - 14) / 12 = 20 */
	special(b, 0, 0);
	OP(b, "\x9\4\3"); /* fixed_advance_pc, in bytes */
	special(b, 0, -3);
	OP(b, "\3\x75\1"); /* line 1 again, at the same place */
	OP(b, "\6\4\3\1"); /* negate_stmt: the other kind of row, of file 3 */
	extended(b, DW_LNE_set_discriminator, 5, 1);
	extended(b, DW_LNE_lo_user, 0x0101, 2);
	OP(b, "\6\2\x85\1\3\x13\1"); /* advance_pc 133, line 20 */
	OP(b, "\2\4");
	extended(b, DW_LNE_end_sequence, 0, 0);
	extended(b, DW_LNE_set_address, 0x500, 4); /* of a linker that shortens */
	OP(b, "\3\xe3\0\1\2\x10");
	extended(b, DW_LNE_end_sequence, 0, 0);
}

static void check_rows(const struct form *form)
{
	uint64_t m = form->min_length, second = 0x1000 + 2 * m, third = second + 20 * m,
		 fourth = third + 0x304, fifth = fourth + 133 * m;
	const struct {
		uint64_t from, file, line; /* line 0: there is none */
	} want[] = { { 0x400, 0, 0 },  { 0x500, 1, 100 }, { 0x500 + 16 * m, 0, 0 },
		     { 0x1000, 1, 1 }, { second, 2, 15 }, { third, 2, 15 },
		     { fourth, 3, 1 }, { fifth, 3, 20 },  { fifth + 4 * m, 0, 0 } };
	struct buf b = { 0 }, steps = { 0 };
	struct dwarf_sections s;
	struct dwarf_unit u;

	program(&steps);
	table(&b, form, form->version >= 5 ? new_names : old_names, &steps);
	u = unit(&s, &b);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		uint64_t end = i + 1 < ARRAY_SIZE(want) ? want[i + 1].from : want[i].from + 8;

		for (unsigned last = 0; last < 2; last++) {
			uint64_t pc = last ? end - 1 : want[i].from;
			struct dwarf_row row = { 0 };
			bool ok = dwarf_row_at(&u, pc, &row);

			if (!CHECK(ok == (want[i].line != 0)))
				printf("  at 0x%" PRIx64 " of version %u\n", pc, form->version);
			CHECK(!row.odd);
			if (!ok)
				continue;
			CHECK_U64(row.line, want[i].line);
			CHECK_U64(row.file, want[i].file);
		}
	}
	buf_release(&b);
	buf_release(&steps);
}

TEST(every_opcode_of_every_version)
{
	for (unsigned version = 2; version <= 5; version++)
		for (unsigned i = 0; i < 8; i++)
			check_rows(&(struct form){ .version = version,
						   .offset_size = i & 1 ? 8 : 4,
						   .min_length = i & 2 ? 4 : 1,
						   .stmt = i & 4 });
}

static bool row_of(const struct buf *steps, uint64_t pc, struct dwarf_row *ret)
{
	const struct form form = { .version = 4, .offset_size = 4, .min_length = 1, .stmt = true };
	struct buf b = { 0 };
	struct dwarf_sections s;
	struct dwarf_unit u;
	bool ok;

	table(&b, &form, old_names, steps);
	u = unit(&s, &b);
	ok = dwarf_row_at(&u, pc, ret);
	buf_release(&b);
	return ok;
}

/* From `at`, n bytes of the line; then the end. */
static void sequence(struct buf *b, uint64_t at, unsigned n, unsigned line)
{
	extended(b, DW_LNE_set_address, at, 8);
	OP(b, "\3");
	made_le(b, line - 1, 1);
	OP(b, "\1\2");
	made_le(b, n, 1);
	extended(b, DW_LNE_end_sequence, 0, 0);
}

/* Where sequences overlap, the row that begins nearest before the address is the one; of two that
 * begin together, the later. */
TEST(the_nearest_row_of_all_sequences)
{
	for (unsigned order = 0; order < 2; order++) {
		struct buf steps = { 0 };
		struct dwarf_row row;

		if (order)
			sequence(&steps, 0x1010, 0x10, 7);
		sequence(&steps, 0x1000, 0x40, 5);
		if (!order)
			sequence(&steps, 0x1010, 0x10, 7);
		sequence(&steps, 0x2000, 0x10, 8);
		sequence(&steps, 0x2000, 0x10, 9);
		CHECK(row_of(&steps, 0x100f, &row) && row.line == 5 && !row.odd);
		CHECK(row_of(&steps, 0x1010, &row) && row.line == 7);
		CHECK(row_of(&steps, 0x101f, &row) && row.line == 7);
		CHECK(row_of(&steps, 0x1020, &row) && row.line == 5);
		CHECK(row_of(&steps, 0x2008, &row) && row.line == 9);
		buf_release(&steps);
	}
}

/* Addresses of a sequence never fall, nobody has sixteen million lines, nor sixty thousand files,
 * and a table ends with a sequence's end: what breaks that is told with every row. */
TEST(what_no_table_has_is_odd)
{
	static const struct {
		const char *bytes;
		size_t n;
		bool odd;
	} v[] = {
		{ "\2\1\1", 3, false },
		{ "\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1", 12, true }, /* one byte back */
		{ "\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 11, true },   /* before the end */
		{ "\3\xfe\xff\xff\7\1", 6, false },                         /* line 0xffffff */
		{ "\3\xff\xff\xff\7\1", 6, true },
		{ "\4\xff\xff\3\1", 5, false }, /* file 0xffff */
		{ "\4\x80\x80\4\1", 5, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct buf steps = { 0 };
		struct dwarf_row row;

		sequence(&steps, 0x2000, 0x10, 5);
		extended(&steps, DW_LNE_set_address, 0x1000, 8);
		OP(&steps, "\1");
		op(&steps, v[i].bytes, v[i].n);
		extended(&steps, DW_LNE_end_sequence, 0, 0);
		if (CHECK(row_of(&steps, 0x2000, &row)) && !CHECK(row.odd == v[i].odd))
			printf("  of %zu\n", i);
		CHECK_U64(row.line, 5);
		buf_release(&steps);
	}
}

TEST(a_sequence_without_an_end_says_nothing)
{
	struct buf steps = { 0 };
	struct dwarf_row row;

	sequence(&steps, 0x2000, 0x10, 5);
	extended(&steps, DW_LNE_set_address, 0x1000, 8);
	OP(&steps, "\1\2\x10");
	CHECK(row_of(&steps, 0x2000, &row) && row.odd);
	CHECK(!row_of(&steps, 0x1000, &row));
	extended(&steps, DW_LNE_set_address, 0x1000, 3); /* of no machine */
	CHECK(row_of(&steps, 0x2000, &row) && row.odd);
	buf_release(&steps);
}

/* Bytes of a head of DWARF 4 or 5 that make it none, and what they may be. */
TEST(heads_that_make_no_sense)
{
	static const struct {
		unsigned version, at;
		uint8_t byte;
		bool ok;
	} v[] = { { 4, 4, 4, true },   { 4, 4, 1, false },  { 4, 4, 6, false },
		  { 4, 14, 0, false }, { 4, 15, 0, false }, { 5, 6, 8, true },
		  { 5, 6, 4, true },   { 5, 6, 2, false },  { 5, 6, 16, false } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		const struct form form = { v[i].version, 4, 1, true };
		struct buf b = { 0 }, steps = { 0 };
		struct dwarf_sections s;
		struct dwarf_row row;
		struct dwarf_unit u;

		program(&steps);
		table(&b, &form, v[i].version >= 5 ? new_names : old_names, &steps);
		b.s[v[i].at] = (char)v[i].byte;
		u = unit(&s, &b);
		if (!CHECK(dwarf_row_at(&u, 0x1000, &row) == v[i].ok))
			printf("  of %zu\n", i);
		buf_release(&b);
		buf_release(&steps);
	}
}

/* Directory 0 of the old tables is the one it was compiled in; the new ones name it. A relative
 * directory lies in that one, and a whole path needs none. */
TEST(paths_of_files)
{
	static const struct {
		uint64_t number;
		const char *comp_dir[2], *dir[2], *name; /* old, new */
	} want[] = { { 1, { "/build", NULL }, { NULL, "/build" }, "a.c" },
		     { 2, { "/build", "/build" }, { "inc", "inc" }, "b.h" },
		     { 3, { NULL, NULL }, { "/abs", "/abs" }, "c.h" },
		     { 4, { NULL, NULL }, { NULL, NULL }, "/x/d.h" },
		     { 5, { "/build", "/build" }, { NULL, NULL }, "e.h" } };
	const struct buf none = { 0 };

	for (unsigned version = 2; version <= 5; version++) {
		const struct form form = { version, version & 1 ? 8 : 4, 1, true };
		struct dwarf_file_name name;
		struct buf b = { 0 };
		struct dwarf_sections s;
		struct dwarf_unit u;
		bool is_new = version >= 5;

		table(&b, &form, is_new ? new_names : old_names, &none);
		u = unit(&s, &b);
		for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
			REQUIRE(dwarf_file_at_number(&u, want[i].number, &name));
			CHECK_STR(name.comp_dir, want[i].comp_dir[is_new]);
			CHECK_STR(name.dir, want[i].dir[is_new]);
			CHECK_STR(name.name, want[i].name);
		}
		CHECK(dwarf_file_at_number(&u, 0, &name) == is_new);
		CHECK(!dwarf_file_at_number(&u, 6, &name));
		CHECK(!dwarf_file_at_number(&u, UINT64_MAX, &name));
		buf_release(&b);
	}
}

/* Entries that consist of other things than a path, or of nothing. */
static void odd_names(struct buf *b)
{
	OP(b, "\0\1"); /* one directory of no bytes */
	made_le(b, 2, 1);
	made_le(b, DW_LNCT_path, 1);
	made_le(b, DW_FORM_data1, 1);
	made_le(b, DW_LNCT_directory_index, 1);
	made_le(b, DW_FORM_string, 1);
	OP(b, "\1\7x\0");
}

static void endless_names(struct buf *b)
{
	OP(b, "\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
	OP(b, "\0\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
}

TEST(names_that_are_none)
{
	const struct form form = { 5, 4, 1, true };
	const struct buf none = { 0 };
	struct dwarf_file_name name;

	for (unsigned i = 0; i < 2; i++) {
		struct buf b = { 0 };
		struct dwarf_sections s;
		struct dwarf_unit u;

		table(&b, &form, i ? endless_names : odd_names, &none);
		u = unit(&s, &b);
		for (uint64_t k = 0; k < 3; k++)
			CHECK(!dwarf_file_at_number(&u, k, &name));
		buf_release(&b);
	}
}

TEST_MAIN
