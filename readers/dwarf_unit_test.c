/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of finding units by address on this very program, against libdw's own answer. */
#include <link.h>

#include "core/base/test.h"
#include "readers/dwarf.h"

extern const char __executable_start[], etext[];

/* The program's file in memory that can be changed; debug info of it is opened from there. */
struct fixture {
	struct target t;
	struct arena scratch;
	struct dwarf_file f;
	uint8_t *copy;
	size_t n;
	uint64_t lo, hi; /* link-time, of its text */
};

static int load_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uint64_t *)arg = info->dlpi_addr; /* the first one is the program */
	return 1;
}

static bool start(struct fixture *x)
{
	struct file *file;
	struct err err;
	uint64_t base;

	*x = (struct fixture){ .f = { .path = "this program" } };
	target_init(&x->t, &x->scratch);
	if (!file_open(&x->t.arena, "/proc/self/exe", &file, &err))
		return false;
	dl_iterate_phdr(load_base, &base);
	x->lo = (uint64_t)(uintptr_t)__executable_start - base;
	x->hi = (uint64_t)(uintptr_t)etext - base;
	x->n = file->map.n;
	x->copy = memcpy(xrealloc(NULL, x->n), file->map.p, x->n);
	x->f.t = &x->t;
	x->f.image = SPAN(x->copy, x->n);
	return true;
}

static void end(struct fixture *x)
{
	if (x->f.dbg)
		dwarf_end(x->f.dbg);
	if (x->f.elf)
		elf_end(x->f.elf);
	target_release(&x->t);
	arena_release(&x->scratch);
	free(x->copy);
}

static uint8_t *find(struct fixture *x, const char *text)
{
	return memmem(x->copy, x->n, text, strlen(text) + 1);
}

/* How many addresses of the text have a unit, and for how many of these libdw has another. */
static void compare(struct fixture *x, Dwarf *judge, unsigned *found, unsigned *wrong)
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
	struct fixture x, judge;
	struct err err;
	unsigned found, wrong;
	uint8_t *name;

	for (int without = 0; without < 2; without++) {
		REQUIRE(start(&x) && start(&judge));
		name = find(&x, ".debug_aranges");
		REQUIRE(name);
		if (without)
			name[1] = 'D';
		CHECK_OK(dwarf_load(&x.f, &err), err);
		CHECK_OK(dwarf_load(&judge.f, &err), err);
		compare(&x, judge.f.dbg, &found, &wrong);
		CHECK(found > 100);
		CHECK_U64(wrong, 0);
		end(&x);
		end(&judge);
	}
}

TEST(nothing_at_addresses_of_no_unit)
{
	struct fixture x;
	struct err err;
	Dwarf_Die die;

	REQUIRE(start(&x));
	CHECK_OK(dwarf_load(&x.f, &err), err);
	CHECK(!dwarf_unit_at(&x.f, 0, &die));
	CHECK(!dwarf_unit_at(&x.f, UINT64_MAX, &die));
	CHECK(!dwarf_unit_at(&x.f, x.hi + (64 << 20), &die));
	end(&x);
}

/* The section's own bytes, changed in a few places at a time: ends, and answers with a unit or not.
 */
TEST(a_damaged_table_ends)
{
	struct fixture x;
	struct err err;
	struct span table;
	unsigned random = 12345, asked = 0;

	for (int round = 0; round < 100; round++) {
		Dwarf_Die die;

		REQUIRE(start(&x));
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
		end(&x);
	}
	CHECK(asked >= 1600);
}

TEST_MAIN
