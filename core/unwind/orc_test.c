/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how ORC's entries are written (arch/x86/include/asm/orc_types.h of several kernels), and
 * of telling which way it is. */
#include "core/base/test.h"
#include "core/unwind/orc.h"
#include "core/unwind/unwind_fake.h"

TEST(entries_of_every_layout)
{
	enum {
		OLD = 1,
		NEW = 2,
		V7_1 = 4
	};
	static const struct {
		unsigned layouts;
		uint16_t bits;
		enum orc_base sp, bp;
		enum orc_type type;
		bool signal;
	} cases[] = {
		/* type:2, end:1; in 6.3 type:2, signal:1, end:1 */
		{ OLD, 0x0005, ORC_SP, ORC_UNDEFINED, ORC_CALL, false },
		{ OLD, 0x0015, ORC_SP, ORC_PREV_SP, ORC_CALL, false },
		{ OLD, 0x0105, ORC_SP, ORC_UNDEFINED, ORC_REGS, true },
		{ OLD, 0x0245, ORC_SP, ORC_BP, ORC_REGS_PARTIAL, true },
		{ OLD, 0x0305, ORC_SP, ORC_UNDEFINED, ORC_TYPE_BAD, false },
		{ OLD, 0x0000, ORC_UNDEFINED, ORC_UNDEFINED, ORC_NOTHING, false },
		{ OLD, 0x0400, ORC_UNDEFINED, ORC_UNDEFINED, ORC_END, false },
		{ OLD, 0x0800, ORC_UNDEFINED, ORC_UNDEFINED, ORC_END, false },
		/* type:3, signal:1 */
		{ NEW, 0x0000, ORC_UNDEFINED, ORC_UNDEFINED, ORC_NOTHING, false },
		{ NEW, 0x0100, ORC_UNDEFINED, ORC_UNDEFINED, ORC_END, false },
		{ NEW, 0x0205, ORC_SP, ORC_UNDEFINED, ORC_CALL, false },
		{ NEW, 0x0344, ORC_BP, ORC_BP, ORC_REGS, false },
		{ NEW, 0x0b05, ORC_SP, ORC_UNDEFINED, ORC_REGS, true },
		{ NEW, 0x0c05, ORC_SP, ORC_UNDEFINED, ORC_REGS_PARTIAL, true },
		{ NEW, 0x0505, ORC_SP, ORC_UNDEFINED, ORC_TYPE_BAD, false },
		{ NEW, 0x0705, ORC_SP, ORC_UNDEFINED, ORC_TYPE_BAD, false },
		{ NEW, 0x0202, ORC_DX, ORC_UNDEFINED, ORC_CALL, false },
		{ NEW, 0x0209, ORC_SP_INDIRECT, ORC_UNDEFINED, ORC_CALL, false },
		{ NEW, 0x020a, ORC_BASE_BAD, ORC_UNDEFINED, ORC_CALL, false },
		/* the same, and the bases anew */
		{ V7_1, 0x0203, ORC_SP, ORC_UNDEFINED, ORC_CALL, false },
		{ V7_1, 0x0243, ORC_SP, ORC_BP, ORC_CALL, false },
		{ V7_1, 0x0283, ORC_SP, ORC_PREV_SP, ORC_CALL, false },
		{ V7_1, 0x0201, ORC_AX, ORC_UNDEFINED, ORC_CALL, false },
		{ V7_1, 0x0205, ORC_DI, ORC_UNDEFINED, ORC_CALL, false },
		{ V7_1, 0x0209, ORC_SP_INDIRECT, ORC_UNDEFINED, ORC_CALL, false },
		{ V7_1, 0x020a, ORC_BP_INDIRECT, ORC_UNDEFINED, ORC_CALL, false },
		{ V7_1, 0x020b, ORC_BASE_BAD, ORC_UNDEFINED, ORC_CALL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const uint8_t entry[] = { 0xf8,
					  0xff,
					  0xf0,
					  0xff,
					  (uint8_t)cases[i].bits,
					  (uint8_t)(cases[i].bits >> 8) };
		struct orc o = orc_decode(
			entry, (struct orc_layout){ .renumbered = cases[i].layouts == V7_1,
						    .old_types = cases[i].layouts == OLD });

		CHECK(o.sp_off == -8 && o.bp_off == -16);
		if (!CHECK(o.sp_base == cases[i].sp && o.bp_base == cases[i].bp &&
			   o.type == cases[i].type && o.signal == cases[i].signal))
			printf("  bits %#x, layout %u\n", cases[i].bits, cases[i].layouts);
	}
}

/* Nearly all entries are calls by sp; a few others among them decide nothing. */
TEST(a_layout_is_what_most_entries_say)
{
	static const struct {
		uint16_t most, few;
		bool old_types, renumbered;
	} cases[] = {
		{ 0x0005, 0x0205, true, false },  { 0x0205, 0x0005, false, false },
		{ 0x0203, 0x0003, false, true },  { 0x0205, 0x0203, false, false },
		{ 0x0203, 0x0205, false, true },  { 0x0005, 0x0105, true, false },
		{ 0x0205, 0x0305, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint8_t sample[6 * 12] = { 0 };
		struct orc_layout l;

		for (size_t e = 0; e < 12; e++) {
			uint16_t bits = e % 4 == 3 ? cases[i].few : cases[i].most;

			sample[6 * e + 4] = (uint8_t)bits;
			sample[6 * e + 5] = (uint8_t)(bits >> 8);
		}
		l = orc_layout_of(SPAN(sample, sizeof(sample)));
		CHECK_U64(l.old_types, cases[i].old_types);
		CHECK_U64(l.renumbered, cases[i].renumbered);
	}
}

/* A table that is longer than what is looked at of it to know its layout. */
TEST(a_long_table)
{
	static struct fake_stack_kernel k;
	struct err err;
	struct orc o;

	fk_init(&k, &arch_x86_64);
	k.new_orc = true;
	for (int i = 0; i < 1000; i++)
		fk_orc(&k, 0x1000 + (uint64_t)i, 5, i, 0, 0, 2, false); /* a call, on sp */
	fk_ready(&k);
	REQUIRE_OK(orc_find(&k.t, FK_BASE + 0x1000 + 777, &o, &err), err);
	CHECK_U64(o.type, ORC_CALL);
	CHECK_U64((uint64_t)o.sp_off, 777);
	fk_release(&k);
}

TEST_MAIN
