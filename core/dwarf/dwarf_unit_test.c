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

TEST_MAIN
