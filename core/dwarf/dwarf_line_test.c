/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of lines and inlined functions on this very program, against libdw's own answer. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/image/line.h"
#include "core/dwarf/dwarf_inline.h"
#include "core/dwarf/dwarf_row.h"
#include "core/dwarf/dwarf_self.h"

/* ---- what libdw says */

struct answer {
	Dwarf_Die cu, func[DWARF_INLINE_MAX];
	size_t n;
	const char *file;
	int line;
};

/* dwarf_getscopes() would go on in the abstract function instead of the real caller. */
static void judge_scopes(Dwarf_Die *in, Dwarf_Addr pc, struct answer *ret)
{
	Dwarf_Die die;

	if (dwarf_child(in, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if ((tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
		     tag != DW_TAG_lexical_block) ||
		    dwarf_haspc(&die, pc) != 1)
			continue;
		if (tag != DW_TAG_lexical_block && ret->n < DWARF_INLINE_MAX)
			ret->func[ret->n++] = die;
		judge_scopes(&die, pc, ret);
		return;
	} while (dwarf_siblingof(&die, &die) == 0);
}

/* Of the rows at one address the last. */
static void judge_row(struct answer *a, Dwarf_Addr pc)
{
	Dwarf_Line *line = dwarf_getsrc_die(&a->cu, pc), *row;
	Dwarf_Addr at, addr;
	Dwarf_Lines *lines;
	bool any = false;
	size_t n;

	if (!line || dwarf_lineaddr(line, &at) != 0 || dwarf_getsrclines(&a->cu, &lines, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		row = dwarf_onesrcline(lines, i);
		if (dwarf_lineaddr(row, &addr) != 0 || addr != at ||
		    (dwarf_lineendsequence(row, &any) == 0 && any))
			continue;
		line = row;
	}
	a->file = dwarf_linesrc(line, NULL, NULL);
	dwarf_lineno(line, &a->line);
}

/* The unit is ours, compared in dwarf_unit_test.c: libdw finds none in what clang makes. */
static bool judge(struct dwarf_file *f, Dwarf_Addr pc, struct answer *ret)
{
	memset(ret, 0, sizeof(*ret));
	if (!dwarf_unit_at(f, pc, &ret->cu))
		return false;
	judge_scopes(&ret->cu, pc, ret);
	judge_row(ret, pc);
	return ret->n || ret->file;
}

static Dwarf_Word word(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return dwarf_attr(die, name, &attr) && dwarf_formudata(&attr, &v) == 0 ? v : 0;
}

/* ---- the comparison */

/* Ours lacks the directory that all files have in common, and doubled slashes. */
static bool same_file(const char *ours, const char *its)
{
	size_t n = its ? strlen(its) : 0, m = ours ? strlen(ours) : 0;

	if (!ours || !its)
		return !ours && !its;
	while (n && m) {
		n--;
		if (its[n] == '/' && n && its[n - 1] == '/')
			continue;
		if (its[n] != ours[--m])
			return false;
	}
	return !m;
}

static bool same_frame(const struct line *ours, struct answer *a, size_t i)
{
	Dwarf_Die *func = a->n ? &a->func[a->n - 1 - i] : NULL;
	const char *name = func ? dwarf_diename(func) : NULL, *file = a->file;
	unsigned line = (unsigned)a->line;
	Dwarf_Files *files;
	size_t n;

	if (i) { /* where the one inside of it was called */
		Dwarf_Word number = word(func + 1, DW_AT_call_file);

		line = (unsigned)word(func + 1, DW_AT_call_line);
		file = dwarf_getsrcfiles(&a->cu, &files, &n) == 0 && number < n
			       ? dwarf_filesrc(files, number, NULL, NULL)
			       : NULL;
	}
	return (name && ours->func ? !strcmp(name, ours->func) : !name && !ours->func) &&
	       ours->inlined == (func && dwarf_tag(func) == DW_TAG_inlined_subroutine) &&
	       ours->line == line && same_file(ours->file, file);
}

static void compare(struct dwarf_self *x, struct dwarf_self *its, uint64_t pc, unsigned *found,
		    unsigned *inlined, unsigned *wrong)
{
	struct line_source s = { .self = &x->f };
	const struct line *l;
	struct answer a;
	struct err err;
	size_t n;
	bool has = dwarf_line_find(&s, pc, &l, &n, &err), should = judge(&its->f, pc, &a),
	     same = true;

	if (has && should) {
		same = n == (a.n ? a.n : 1);
		for (size_t i = 0; same && i < n; i++)
			same = same_frame(&l[i], &a, i);
		*found += 1;
		*inlined += n > 1;
	}
	if (has == should && same)
		return;
	if (!(*wrong)++)
		printf("# at %#lx: %s:%u %s of %zu; libdw: %s:%d %s of %zu\n", (unsigned long)pc,
		       has && l->file ? l->file : "-", has ? l->line : 0,
		       has && l->func ? l->func : "-", has ? n : 0, a.file ? a.file : "-", a.line,
		       a.n ? dwarf_diename(&a.func[a.n - 1]) : "-", a.n);
}

TEST(as_libdw)
{
	struct dwarf_self x, its;
	unsigned found = 0, inlined = 0, wrong = 0;
	struct err err;

	REQUIRE(dwarf_self_start(&x) && dwarf_self_start(&its));
	REQUIRE_OK(dwarf_load(&x.f, &err), err);
	REQUIRE_OK(dwarf_load(&its.f, &err), err);
	for (uint64_t pc = x.lo; pc < x.hi; pc += 101)
		compare(&x, &its, pc, &found, &inlined, &wrong);
	CHECK(found > 1000);
	CHECK(inlined > 100);
	CHECK_U64(wrong, 0);
	dwarf_self_end(&x);
	dwarf_self_end(&its);
}

_Noreturn static void leave(int status)
{
	exit(status);
}
static void (*volatile leave_by)(int status) = leave;

static bool same_noreturn(struct dwarf_self *x, struct dwarf_self *its, uint64_t pc, bool *never)
{
	struct dwarf_spot at;
	Dwarf_Attribute attr;
	struct answer a;

	*never = false;
	if (!dwarf_spot_at(&x->f, pc, &at) || !at.chain.n || !judge(&its->f, pc, &a) || !a.n)
		return true;
	if (dwarf_attr_integrate(&a.func[0], DW_AT_noreturn, &attr))
		dwarf_formflag(&attr, never);
	return at.chain.func[0].noreturn == *never;
}

/* Said by the function's DIE or by one that it is another face of. */
TEST(functions_that_never_return_as_libdw)
{
	unsigned wrong = 0, returning = 0;
	struct dwarf_self x, its;
	struct err err;
	bool never;

	REQUIRE(dwarf_self_start(&x) && dwarf_self_start(&its));
	REQUIRE_OK(dwarf_load(&x.f, &err), err);
	REQUIRE_OK(dwarf_load(&its.f, &err), err);
	for (uint64_t pc = x.lo; pc < x.hi; pc += 101) {
		wrong += !same_noreturn(&x, &its, pc, &never);
		returning += !never;
	}
	CHECK(returning > 1000);
	CHECK_U64(wrong, 0);
	CHECK(same_noreturn(&x, &its, (uintptr_t)leave_by - (uintptr_t)__executable_start + x.lo,
			    &never));
	CHECK(never);
	dwarf_self_end(&x);
	dwarf_self_end(&its);
}

/* ---- a line table by hand, of DWARF 4 */

/* clang-format off */
static const uint8_t table[] = {
	53, 0, 0, 0, 4, 0,       /* length, version */
	30, 0, 0, 0,             /* length of the header behind this */
	1, 1, 1, 0xfb, 14, 10,   /* instruction 1, operations 1, statements, line base -5, range 14,
				    opcodes from 10 */
	0, 1, 1, 1, 1, 0, 0, 0, 1,
	'i', 'n', 'c', 0, 0,     /* directory 1 */
	'a', '.', 'c', 0, 0, 0, 0, 0, /* file 1: in the directory it was compiled in */
	0, 0,                    /* never read: the header's length says where the program is */
	0, 5, 2, 0x00, 0x10, 0, 0, /* address 0x1000 */
	3, 9,                    /* line 10 */
	1,                       /* a row */
	6,                       /* no statement from here */
	18,                      /* line 10 - 5 + 8 = 13 at the same address: not a statement */
	2, 8,                    /* address 0x1008 */
	0, 1, 1,                 /* the end */
};
/* clang-format on */

static struct dwarf_unit hand_unit(struct dwarf_sections *s, size_t n)
{
	s->line = SPAN(table, n);
	return (struct dwarf_unit){ .s = s, .version = 4, .addr_size = 4, .dir = "/build" };
}

TEST(the_last_row_of_an_address_counts_and_the_end_is_no_line)
{
	struct dwarf_sections s = { 0 };
	struct dwarf_unit u = hand_unit(&s, sizeof(table));
	struct dwarf_row row;

	REQUIRE(dwarf_row_at(&u, 0x1000, &row));
	CHECK_U64(row.line, 13);
	CHECK_U64(row.file, 1);
	REQUIRE(dwarf_row_at(&u, 0x1007, &row));
	CHECK_U64(row.line, 13);
	CHECK(!dwarf_row_at(&u, 0x1008, &row));
	CHECK(!dwarf_row_at(&u, 0xfff, &row));
	u.line_off = 1;
	CHECK(!dwarf_row_at(&u, 0x1000, &row));
}

/* Nothing guards a table against changed bytes; what no table can have is told. */
TEST(a_row_that_cannot_be_is_told)
{
	static const uint8_t line[] = { 3, 9, 1 };
	struct dwarf_sections s = { 0 };
	struct dwarf_unit u = hand_unit(&s, sizeof(table));
	uint8_t copy[sizeof(table)], *at;
	struct dwarf_row row;

	REQUIRE(dwarf_row_at(&u, 0x1000, &row));
	CHECK(!row.odd);
	memcpy(copy, table, sizeof(table));
	at = memmem(copy, sizeof(copy), line, sizeof(line));
	REQUIRE(at != NULL);
	at[1] = 0x70; /* line 1 - 16 */
	s.line = SPAN(copy, sizeof(copy));
	REQUIRE(dwarf_row_at(&u, 0x1000, &row));
	CHECK(row.odd);
}

TEST(files_by_number)
{
	struct dwarf_sections s = { 0 };
	struct dwarf_unit u = hand_unit(&s, sizeof(table));
	struct dwarf_file_name name;

	REQUIRE(dwarf_file_at_number(&u, 1, &name));
	CHECK_STR(name.name, "a.c");
	CHECK_STR(name.comp_dir, "/build");
	CHECK(!name.dir);
	CHECK(!dwarf_file_at_number(&u, 0, &name));
	CHECK(!dwarf_file_at_number(&u, 2, &name));
	CHECK(!dwarf_file_at_number(&u, UINT64_MAX, &name));
}

/* The directories and names are those of Debian's kernels 6.1: of cloud-amd64, and of rt-amd64,
 * whose own warnings call the file kernel/panic.c, too. */
TEST(paths_are_those_of_the_tree)
{
	static const char *const cases[][3] = {
		{ "debian/build/build_amd64_none_cloud-amd64", "kernel/panic.c", "kernel/panic.c" },
		{ "/b/linux-6.1/debian/build/build_amd64_none_cloud-amd64",
		  "/b/linux-6.1/arch/x86/kernel/head_64.S", "arch/x86/kernel/head_64.S" },
		{ "debian/build/build_amd64_rt_amd64", "debian/build/source_rt/kernel/panic.c",
		  "kernel/panic.c" },
		{ "/b/linux-6.1/debian/build/build_amd64_rt_amd64",
		  "/b/linux-6.1/debian/build/source_rt/arch/x86/kernel/head_64.S",
		  "arch/x86/kernel/head_64.S" },
		/* no copy of a tree */
		{ "/b/module", "/b/module/source_a/b.c", "source_a/b.c" },
		{ "debian/build/build_amd64_rt_amd64", "debian/build/source_rt",
		  "debian/build/source_rt" },
		{ NULL, "source_a/b.c", "source_a/b.c" },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(dwarf_path_text(&a, cases[i][0], cases[i][1]), cases[i][2]);
	arena_release(&a);
}

/* Cut anywhere, it has no row: the length says that there should be more. */
TEST(a_cut_table_says_nothing)
{
	struct dwarf_sections s = { 0 };
	struct dwarf_row row;

	for (size_t n = 0; n < sizeof(table); n++) {
		struct dwarf_unit u = hand_unit(&s, n);

		CHECK(!dwarf_row_at(&u, 0x1000, &row));
	}
}

TEST_MAIN
