/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the pass over outermost DIEs: by hand, and against libdw on the test program itself. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/dwarf/dwarf_index.h"

struct seen {
	struct dwarf_top die[16];
	size_t n;
};

static void keep(const struct dwarf_top *die, void *arg)
{
	struct seen *s = arg;

	if (s->n < ARRAY_SIZE(s->die))
		s->die[s->n++] = *die;
}

/* 1 unit; 2 struct with children; 3 member; 4 variable; 5 subprogram without a sibling; 6 typedef,
 * its name inline; 7 extern variable; 8 base type, its name by index; 9 enum without a name, and 10
 * its constant */
/* clang-format off */
static const uint8_t abbrev[] = {
	1, 0x11, 1, 0x72, 0x17, 0x73, 0x17, 0, 0, /* str_offsets_base, addr_base */
	2, 0x13, 1, 0x03, 0x0e, 0x0b, 0x0b, 0x01, 0x13, 0, 0,
	3, 0x0d, 0, 0x03, 0x0e, 0x38, 0x0b, 0, 0,
	4, 0x34, 0, 0x03, 0x0e, 0x02, 0x18, 0, 0,
	5, 0x2e, 1, 0x03, 0x08, 0, 0,
	6, 0x16, 0, 0x03, 0x08, 0x49, 0x21, 0x7f, 0, 0, /* type: an implicit_const of -1 */
	7, 0x34, 0, 0x03, 0x0e, 0x3f, 0x19, 0x3c, 0x19, 0, 0,
	8, 0x24, 0, 0x03, 0x25, 0, 0,
	9, 0x04, 1, 0, 0,
	10, 0x28, 0, 0x03, 0x08, 0x1c, 0x0b, 0, 0,
	0,
};
static const uint8_t info[] = {
	76, 0, 0, 0, 5, 0, 1, 4, 0, 0, 0, 0, /* length, version, type, address size, abbrev */
	1, 8, 0, 0, 0, 8, 0, 0, 0,           /* 12 */
	2, 1, 0, 0, 0, 16, 38, 0, 0, 0,      /* 21: "sample", the next at 38 */
	3, 8, 0, 0, 0, 4,                    /* 31 */
	0,                                   /* 37 */
	4, 10, 0, 0, 0, 5, 3, 0x78, 0x56, 0x34, 0x12, /* 38: at 0x12345678 */
	5, 'f', 0, 4, 10, 0, 0, 0, 1, 0x30, 0,        /* 49: a local variable inside */
	6, 'u', '8', 0,                               /* 60 */
	7, 10, 0, 0, 0,                               /* 64 */
	8, 1,                                         /* 69 */
	9, 10, 'O', 'N', 'E', 0, 1, 0,                /* 71 */
	0,
};
/* clang-format on */
static const uint8_t str[] = "\0sample\0m\0var";
static const uint8_t str_offsets[] = { 8, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 10, 0, 0, 0 };

static struct dwarf_sections sections(void)
{
	return (struct dwarf_sections){ .info = SPAN(info, sizeof(info)),
					.abbrev = SPAN(abbrev, sizeof(abbrev)),
					.str = SPAN(str, sizeof(str)),
					.str_offsets = SPAN(str_offsets, sizeof(str_offsets)) };
}

TEST(a_unit)
{
	struct dwarf_sections s = sections();
	struct dwarf_index x;
	struct seen seen = { .n = 0 };

	dwarf_index_init(&x, &s);
	CHECK(dwarf_index_unit(&x, keep, &seen));
	CHECK(!dwarf_index_unit(&x, keep, &seen));
	CHECK(!x.damaged);
	REQUIRE(seen.n == 6);
	CHECK_STR(seen.die[0].name, "sample");
	CHECK(seen.die[0].tag == DW_TAG_structure_type && seen.die[0].off == 21);
	CHECK_STR(seen.die[1].name, "var");
	CHECK(seen.die[1].has_addr && seen.die[1].addr == 0x12345678);
	CHECK_STR(seen.die[2].name, "u8");
	CHECK(seen.die[2].tag == DW_TAG_typedef && seen.die[2].off == 60);
	CHECK(seen.die[3].declaration && seen.die[3].external && !seen.die[3].has_addr);
	CHECK_STR(seen.die[4].name, "var");
	CHECK(seen.die[4].tag == DW_TAG_base_type);
	CHECK(seen.die[5].tag == DW_TAG_enumeration_type && !seen.die[5].name);
	CHECK_STR(seen.die[5].first, "ONE");
	dwarf_index_release(&x);
}

/* A unit has more abbreviations than one byte counts: 127 has one byte, 128 and 256 two. */
TEST(codes_of_two_bytes)
{
	static const uint8_t words[] = { 1,    0x11, 1,    0, 0,    0x7f, 0x16, 0,    0x03, 0x08,
					 0,    0,    0x80, 1, 0x16, 0,    0x03, 0x08, 0,    0,
					 0x80, 2,    0x16, 0, 0x03, 0x08, 0,    0,    0 },
			     dies[] = { 20,   0,   0, 0,    4, 0,   0, 0,    0, 0,   8, 1,
					0x7f, 'a', 0, 0x80, 1, 'b', 0, 0x80, 2, 'c', 0, 0 };
	struct dwarf_sections s = { .info = SPAN(dies, sizeof(dies)),
				    .abbrev = SPAN(words, sizeof(words)) };
	struct seen seen = { .n = 0 };
	struct dwarf_index x;

	dwarf_index_init(&x, &s);
	CHECK(dwarf_index_unit(&x, keep, &seen));
	CHECK(!x.damaged);
	REQUIRE(seen.n == 3);
	CHECK_STR(seen.die[0].name, "a");
	CHECK_STR(seen.die[1].name, "b");
	CHECK_STR(seen.die[2].name, "c");
	CHECK_U64(seen.die[2].off, 19);
	dwarf_index_release(&x);
}

/* What has an address is a definition: an operation with it alone, by itself or by its number in
 * .debug_addr, in each form that a block has. */
TEST(addresses_of_variables)
{
	static const uint8_t addrs[] = { 9, 9, 9, 9, 1, 2, 0, 0, 3, 4, 0, 0 };
	static const struct {
		uint8_t form, bytes[8];
		unsigned n;
		bool has;
		uint64_t addr;
	} v[] = {
		{ DW_FORM_exprloc, { 5, DW_OP_addr, 4, 3, 2, 1 }, 6, true, 0x01020304 },
		{ DW_FORM_block1, { 5, DW_OP_addr, 4, 3, 2, 1 }, 6, true, 0x01020304 },
		{ DW_FORM_block, { 5, DW_OP_addr, 4, 3, 2, 1 }, 6, true, 0x01020304 },
		{ DW_FORM_exprloc, { 6, DW_OP_addr, 4, 3, 2, 1, DW_OP_deref }, 7, false, 0 },
		{ DW_FORM_exprloc, { 4, DW_OP_addr, 4, 3, 2 }, 5, false, 0 },
		{ DW_FORM_exprloc, { 2, DW_OP_addrx, 0 }, 3, true, 0x201 },
		{ DW_FORM_exprloc, { 2, DW_OP_addrx, 1 }, 3, true, 0x403 },
		{ DW_FORM_exprloc, { 2, DW_OP_addrx, 2 }, 3, false, 0 },
		{ DW_FORM_exprloc, { 3, DW_OP_addrx, 0, DW_OP_deref }, 4, false, 0 },
		{ DW_FORM_exprloc, { 1, DW_OP_reg5 }, 2, false, 0 },
		{ DW_FORM_exprloc, { 0 }, 1, false, 0 },
		{ DW_FORM_sec_offset, { 1, 2, 3, 4 }, 4, false, 0 }, /* a list of places */
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		uint8_t words[] = { 1, 0x11, 1,         0x73, 0x17, 0, 0, 2, 0x34,
				    0, 0x02, v[i].form, 0x03, 0x08, 0, 0, 0 },
			dies[32] = { 0, 0, 0, 0, 5, 0, 1, 4, 0, 0, 0, 0, 1, 4, 0, 0, 0, 2 };
		struct dwarf_sections s = { .abbrev = SPAN(words, sizeof(words)),
					    .addr = SPAN(addrs, sizeof(addrs)) };
		struct seen seen = { .n = 0 };
		struct dwarf_index x;

		memcpy(dies + 18, v[i].bytes, v[i].n);
		memcpy(dies + 18 + v[i].n, "v\0", 3);
		dies[0] = (uint8_t)(18 + v[i].n + 3 - 4);
		s.info = SPAN(dies, 18 + v[i].n + 3);
		dwarf_index_init(&x, &s);
		CHECK(dwarf_index_unit(&x, keep, &seen));
		CHECK(!x.damaged);
		REQUIRE(seen.n == 1);
		if (!CHECK(seen.die[0].has_addr == v[i].has))
			printf("  of %zu\n", i);
		if (v[i].has)
			CHECK_U64(seen.die[0].addr, v[i].addr);
		CHECK_STR(seen.die[0].name, "v");
		dwarf_index_release(&x);
	}
}

/* Every shorter piece ends without a crash, and says that it was damaged. */
TEST(cut_short)
{
	for (size_t n = 1; n < sizeof(info); n++) {
		struct dwarf_sections s = sections();
		struct seen seen = { .n = 0 };
		struct dwarf_index x;
		uint8_t *copy = xrealloc(NULL, n);

		memcpy(copy, info, n);
		s.info = SPAN(copy, n);
		dwarf_index_init(&x, &s);
		while (dwarf_index_unit(&x, keep, &seen))
			;
		CHECK(x.damaged);
		dwarf_index_release(&x);
		free(copy);
	}
}

struct tally {
	uint64_t sum;
	size_t n;
};

static void tally_add(struct tally *t, unsigned tag, uint64_t off, const char *name, uint64_t addr)
{
	uint64_t h = off * 31 + tag + addr * 7;

	for (; name && *name; name++)
		h = h * 131 + (unsigned char)*name;
	t->sum += h;
	t->n++;
}

static void tally_top(const struct dwarf_top *die, void *arg)
{
	tally_add(arg, die->tag, die->off, die->name, die->has_addr ? die->addr : 0);
}

static uint64_t die_addr(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(die, DW_AT_location, &attr) && dwarf_getlocation(&attr, &ops, &n) == 0 &&
			       n == 1 && ops[0].atom == DW_OP_addr
		       ? ops[0].number
		       : 0;
}

static void tally_libdw(Dwarf *dbg, struct tally *t)
{
	Dwarf_Off off = 0, next;
	size_t header;

	for (; dwarf_nextcu(dbg, off, &next, &header, NULL, NULL, NULL) == 0; off = next) {
		Dwarf_Die cu, die;

		if (!dwarf_offdie(dbg, off + header, &cu) || dwarf_child(&cu, &die) != 0)
			continue;
		do {
			unsigned tag = (unsigned)dwarf_tag(&die);
			Dwarf_Attribute attr;
			const char *name = dwarf_formstring(dwarf_attr(&die, DW_AT_name, &attr));

			if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
			    tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef ||
			    tag == DW_TAG_base_type || tag == DW_TAG_variable)
				tally_add(t, tag, dwarf_dieoffset(&die), name, die_addr(&die));
		} while (dwarf_siblingof(&die, &die) == 0);
	}
}

static struct span section_of(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;

	elf_getshdrstrndx(elf, &names);
	while ((scn = elf_nextscn(elf, scn))) {
		Elf64_Shdr *h = elf64_getshdr(scn);
		Elf_Data *data = elf_getdata(scn, NULL);

		if (h && data && strcmp(elf_strptr(elf, names, h->sh_name), name) == 0)
			return SPAN(data->d_buf, data->d_size);
	}
	return SPAN(NULL, 0);
}

TEST(as_libdw_sees_it)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Dwarf *dbg = dwarf_begin(fd, DWARF_C_READ);
	struct tally want = { 0 }, got = { 0 };
	struct dwarf_sections s = { 0 };
	struct dwarf_index x;
	Elf *elf;

	REQUIRE(dbg != NULL);
	elf = dwarf_getelf(dbg);
	s.info = section_of(elf, ".debug_info");
	s.abbrev = section_of(elf, ".debug_abbrev");
	s.str = section_of(elf, ".debug_str");
	s.line_str = section_of(elf, ".debug_line_str");
	tally_libdw(dbg, &want);
	dwarf_index_init(&x, &s);
	while (dwarf_index_unit(&x, tally_top, &got))
		;
	CHECK(!x.damaged);
	CHECK(want.n > 1000);
	CHECK_U64(got.n, want.n);
	CHECK_U64(got.sum, want.sum);
	dwarf_index_release(&x);
	dwarf_end(dbg);
	close(fd);
}

TEST_MAIN
