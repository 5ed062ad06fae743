/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small table of a hist trigger, whole and damaged. */
#include "core/base/test.h"
#include "core/linux/hist_fake.h"

static struct fake_kernel k;

static void count_note(const struct err *e, void *arg)
{
	(void)e;
	++*(unsigned *)arg;
}

static void make(void)
{
	hist_fake_types(&k);
	hist_fake_table(&k);
	hist_fake_entry(&k, 1, 42, 3, 100);
	hist_fake_entry(&k, 5, -1, 2, 100);
	hist_fake_entry(&k, 9, 7, 1, 900);
}

TEST(a_table_is_read_and_sorted)
{
	struct hist_table h = { 0 };
	struct hist_spec spec;
	struct err err = { 0 };
	unsigned notes = 0;

	make();
	CHECK(hist_read(&k.t, HIST_DATA, &h, count_note, &notes, &err));
	CHECK(!notes);
	CHECK(h.hits == 100 && h.drops == 7);
	CHECK(h.n_entries == 3 && h.n_keys == 1 && h.n_vals == 2);
	/* most bytes first; of the same, the lesser pid */
	CHECK(h.entries[0].keys[0].num == 7 && h.entries[0].vals[1].num == 900);
	CHECK((int64_t)h.entries[1].keys[0].num == -1 && h.entries[1].vals[0].num == 2);
	CHECK(h.entries[2].keys[0].num == 42 && h.entries[2].vals[0].num == 3);
	CHECK(h.totals[0] == 6 && h.totals[1] == 1100 && h.most[1] == 900);
	CHECK(hist_spec_read(&k.t, HIST_DATA, &spec, &err));
	CHECK_STR(hist_spec_text(&k.t, &spec, NULL),
		  "hist:keys=pid:vals=hitcount,bytes:sort=bytes.descending,pid:size=8");
	CHECK_STR(hist_spec_text(&k.t, &spec, "mine"),
		  "hist:mine:keys=pid:vals=hitcount,bytes:sort=bytes.descending,pid:size=8");
	kernel_release(&k);
}

TEST(an_entry_that_is_not_there_costs_itself_only)
{
	struct hist_table h = { 0 };
	struct err err = { 0 };
	unsigned notes = 0;

	make();
	put64(&k, HIST_SLOTS + 16 * 5 + 8, KERNEL_BASE + KERNEL_SIZE + 64);
	CHECK(hist_read(&k.t, HIST_DATA, &h, count_note, &notes, &err));
	CHECK(notes == 1 && h.n_entries == 2);
	kernel_release(&k);
}

TEST(sizes_that_cannot_be_are_refused)
{
	struct hist_table h = { 0 };
	struct err err = { 0 };

	make();
	put32(&k, HIST_MAP + 8, 0x80000000);
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_MAP + 8, 1000); /* more slots than pages hold */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_MAP + 8, 16);
	put32(&k, HIST_DATA + 196, 1 << 30); /* the key's size */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_DATA + 196, 8);
	put32(&k, HIST_DATA + 200, 77); /* sorted by a field that is not there */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	put32(&k, HIST_DATA + 200, 1);
	put32(&k, HIST_DATA + 180, 4000); /* keys */
	CHECK(!hist_read(&k.t, HIST_DATA, &h, NULL, NULL, &err) && err.code == ERR_CORRUPT);
	kernel_release(&k);
}

TEST_MAIN
