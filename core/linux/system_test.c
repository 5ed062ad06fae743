/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the machine's facts where memory holds nonsense. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

#define TOTAL (KERNEL_BASE + 0x100)
#define TAINTED (KERNEL_BASE + 0x108)

static struct fake_kernel k;

static void start(uint64_t pages, uint64_t taint)
{
	kernel_init(&k);
	kernel_symbol(&k, "_totalram_pages", TOTAL);
	kernel_symbol(&k, "tainted_mask", TAINTED);
	put64(&k, TOTAL, pages);
	put64(&k, TAINTED, taint);
	*vec_push(&k.t.ram) = (struct ram_region){ 0, 0x9ffff };
	*vec_push(&k.t.ram) = (struct ram_region){ 0x100000, 0xfffffff }; /* up to 256 MiB */
}

TEST(memory_is_no_more_than_there_is)
{
	struct system s;

	start(60000, 0);
	system_read(&k.t, &s);
	CHECK_U64(s.errs[SYS_MEMORY].code, ERR_OK);
	CHECK_U64(s.memory, UINT64_C(60000) * 4096);
	CHECK_U64(ram_total(&k.t), UINT64_C(60000) * 4096);
	kernel_release(&k);
	start(UINT64_C(0x1000000), 0); /* 64 GiB */
	system_read(&k.t, &s);
	CHECK_ERR(s.errs[SYS_MEMORY], ERR_CORRUPT);
	CHECK_CONTAINS(s.errs[SYS_MEMORY].msg, "65536 MB");
	CHECK_U64(s.memory, 0);
	CHECK_U64(ram_total(&k.t), 0);
	kernel_release(&k);
}

/* Documentation/admin-guide/tainted-kernels.rst: bit 0 is P, bit 12 is O; there are 20 so far. */
TEST(taint_bits_without_a_letter_get_none)
{
	struct system s;

	start(1, UINT64_C(1) << 40 | 1 << 12 | 1);
	system_read(&k.t, &s);
	CHECK_U64(s.errs[SYS_TAINT].code, ERR_OK);
	CHECK_STR(s.taint_text, "PO");
	CHECK_U64(s.taint, UINT64_C(0x10000001001));
	kernel_release(&k);
}

TEST_MAIN
