/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of finding units by address on this very program, against libdw's own answer. */
#include "core/base/test.h"
#include "core/dwarf/dwarf_self.h"

static uint8_t *find(struct dwarf_self *x, const char *text)
{
	return memmem(x->copy, x->n, text, strlen(text) + 1);
}

/* How many addresses of the text have a unit, and for how many of these libdw has another. */
static void compare(struct dwarf_self *x, Dwarf *judge, unsigned *found, unsigned *wrong)
{
	Dwarf_Die ours, its;

	*found = *wrong = 0;
	for (uint64_t pc = x->lo; pc < x->hi; pc += 61) {
		bool has = dwarf_unit_at(&x->f, pc, &ours);
		bool should = dwarf_addrdie(judge, pc, &its) != NULL;

		*found += has;
		*wrong += has != should || (has && dwarf_dieoffset(&ours) != dwarf_dieoffset(&its));
	}
}

TEST(as_libdw_with_the_table_and_without)
{
	struct dwarf_self x, judge;
	struct err err;
	unsigned found, wrong;
	uint8_t *name;

	for (int without = 0; without < 2; without++) {
		REQUIRE(dwarf_self_start(&x) && dwarf_self_start(&judge));
		name = find(&x, ".debug_aranges");
		REQUIRE(name);
		if (without)
			name[1] = 'D';
		CHECK_OK(dwarf_load(&x.f, &err), err);
		CHECK_OK(dwarf_load(&judge.f, &err), err);
		compare(&x, judge.f.dbg, &found, &wrong);
		CHECK(found > 100);
		CHECK_U64(wrong, 0);
		dwarf_self_end(&x);
		dwarf_self_end(&judge);
	}
}

TEST(nothing_at_addresses_of_no_unit)
{
	struct dwarf_self x;
	struct err err;
	Dwarf_Die die;

	REQUIRE(dwarf_self_start(&x));
	CHECK_OK(dwarf_load(&x.f, &err), err);
	CHECK(!dwarf_unit_at(&x.f, 0, &die));
	CHECK(!dwarf_unit_at(&x.f, UINT64_MAX, &die));
	CHECK(!dwarf_unit_at(&x.f, x.hi + (64 << 20), &die));
	dwarf_self_end(&x);
}

/* The section's own bytes, changed in a few places at a time: ends, and answers with a unit or not.
 */
TEST(a_damaged_table_ends)
{
	struct dwarf_self x;
	struct err err;
	struct span table;
	unsigned random = 12345, asked = 0;

	for (int round = 0; round < 100; round++) {
		Dwarf_Die die;

		REQUIRE(dwarf_self_start(&x));
		CHECK_OK(dwarf_load(&x.f, &err), err);
		REQUIRE(dwarf_section(&x.f, ".debug_aranges", &table, NULL) && table.n);
		for (int i = 0; i < 8; i++) {
			random = random * 1103515245 + 12345;
			/* libelf reads in place */
			((uint8_t *)(uintptr_t)table.p)[(random >> 8) % (i < 4 ? 64 : table.n)] =
				(uint8_t)(random >> 20);
		}
		for (uint64_t pc = x.lo; pc < x.hi; pc += (x.hi - x.lo) / 16 + 1) {
			(void)!dwarf_unit_at(&x.f, pc, &die);
			asked++;
		}
		dwarf_self_end(&x);
	}
	CHECK(asked >= 1600);
}

/* The sets of .debug_aranges: a length of four bytes, a version, the unit, the size of an address
 * and of a segment, then pairs that begin at a multiple of their size (DWARF 5, 6.1.2). */
enum {
	SET_VERSION = 4,
	SET_ADDRESS = 10,
	SET_SEGMENT = 11,
	SET_PAIRS = 16
};

static uint8_t *sets_of(struct dwarf_self *x, size_t *n)
{
	struct span table;
	struct err err;

	if (!CHECK_OK(dwarf_load(&x->f, &err), err) ||
	    !CHECK(dwarf_section(&x->f, ".debug_aranges", &table, NULL) && table.n > SET_PAIRS))
		return NULL;
	*n = table.n;
	return (uint8_t *)(uintptr_t)table.p; /* libelf reads in place */
}

/* A set of another form says nothing, and its unit is found by what the unit says itself. */
TEST(sets_of_another_form_are_left_out)
{
	static const struct {
		size_t at;
		uint8_t n;
	} odd[] = {
		{ SET_VERSION, 3 }, { SET_ADDRESS, 2 }, { SET_ADDRESS, 16 }, { SET_SEGMENT, 1 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct dwarf_self x, judge;
		struct err err;
		unsigned found, wrong;
		size_t n;
		uint8_t *sets;

		REQUIRE(dwarf_self_start(&x) && dwarf_self_start(&judge));
		sets = sets_of(&x, &n);
		REQUIRE(sets);
		for (size_t at = 0; at + SET_PAIRS < n; at += 4 + load_le(sets + at, 4))
			sets[at + odd[i].at] = odd[i].n;
		CHECK_OK(dwarf_load(&judge.f, &err), err);
		compare(&x, judge.f.dbg, &found, &wrong);
		CHECK(found > 100);
		CHECK_U64(wrong, 0);
		dwarf_self_end(&x);
		dwarf_self_end(&judge);
	}
}

/* Where the table knows a unit, it is asked and not the unit. */
TEST(the_table_is_believed)
{
	struct dwarf_self x;
	Dwarf_Die die;
	size_t n;
	uint8_t *sets;
	uint64_t far;

	REQUIRE(dwarf_self_start(&x));
	sets = sets_of(&x, &n);
	REQUIRE(sets && load_le(sets, 4) + 4 >= SET_PAIRS + 16);
	far = x.hi + (32 << 20);
	memcpy(sets + SET_PAIRS, &far, sizeof(far));
	far = 0x10;
	memcpy(sets + SET_PAIRS + 8, &far, sizeof(far));
	REQUIRE(dwarf_unit_at(&x.f, x.hi + (32 << 20) + 0xf, &die));
	/* behind the head of the unit that the set names */
	CHECK_U64(dwarf_dieoffset(&die) - dwarf_cuoffset(&die), load_le(sets + 6, 4));
	CHECK(!dwarf_unit_at(&x.f, x.hi + (32 << 20) + 0x10, &die));
	dwarf_self_end(&x);
}

TEST_MAIN
