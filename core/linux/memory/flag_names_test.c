/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of names of flags: what has none is left over, and a table has an end. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/memory/flag_names.h"

#define TABLE (KERNEL_BASE + 0x1000)
#define NAMES (KERNEL_BASE + 0x4000)

static void put_flag(struct fake_kernel *k, unsigned i, uint64_t mask, const char *name)
{
	put64(k, TABLE + i * 16, mask);
	put64(k, TABLE + i * 16 + 8, NAMES + i * 16);
	put_str(k, NAMES + i * 16, name);
}

static void lay(struct fake_kernel *k)
{
	kernel_init(k);
	WORDS(k, "trace_print_flags", "mask", "name");
	kernel_symbol(k, "vmaflag_names", TABLE);
	put_flag(k, 0, 3, "both"); /* two bits at once come before each */
	put_flag(k, 1, 1, "read");
	put_flag(k, 2, 0, "unbuilt");
	put_flag(k, 3, 4, "exec");
}

static bool join(const char *name, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s%s", b->n ? "|" : "", name);
	return true;
}

static void expect(struct fake_kernel *k, uint64_t flags, const char *names, uint64_t left)
{
	struct buf b = { 0 };
	struct err err;
	uint64_t rest;

	REQUIRE_OK(
		flag_names_each(&k->t, "vmaflag_names", flags, &k->scratch, join, &b, &rest, &err),
		err);
	CHECK_STR(b.n ? b.s : "", names);
	CHECK_U64(rest, left);
	buf_release(&b);
}

TEST(flags_have_the_names_of_the_table)
{
	static struct fake_kernel k;

	lay(&k);
	expect(&k, 0, "", 0);
	expect(&k, 5, "read|exec", 0);
	expect(&k, 7, "both|exec", 0);
	expect(&k, 0x8000000000000002u, "", 0x8000000000000002u);
	kernel_release(&k);
}

TEST(a_table_without_end_is_damage)
{
	static struct fake_kernel k;
	struct buf b = { 0 };
	struct err err;
	uint64_t rest;

	lay(&k);
	for (unsigned i = 0; i < 512; i++)
		put_flag(&k, i, 8, "x");
	CHECK(!flag_names_each(&k.t, "vmaflag_names", 1, &k.scratch, join, &b, &rest, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(!flag_names_each(&k.t, "nosuch", 1, &k.scratch, join, &b, &rest, &err));
	kernel_release(&k);
}

TEST_MAIN
