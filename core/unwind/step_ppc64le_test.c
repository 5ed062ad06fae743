/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how 64-bit PowerPC is unwound: back chains (64-Bit ELF V2 ABI Specification, 2.2.3),
 * what interrupts' entries leave on the stack (arch/powerpc/include/asm/ptrace.h), and the first
 * frame. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/unwind_fake.h"

enum {
	SP = 1,
	NIP = 32,
	MSR = 33,
	LINK = 36
};

#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define ENTRY 0x1300
#define START 0x1400
#define HANDLER 0x1800
#define TOP 0x3f00 /* on the stack: the last frame */

#define BLR 0x4e800020
#define MFLR 0x7c0802a6
#define STD_LR 0xf8010010
#define STDU 0xf821ff81 /* stdu r1,-128(r1) */
#define ADDI 0x38210080
#define MARK 0x53474552
#define PROGRAM 0x4000 /* MSR[PR] */

static struct fake_stack_kernel k;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

static bool upper_half(uint64_t va)
{
	return va >> 63;
}

static void put(uint64_t at, uint64_t v)
{
	fk_put(&k, at - FK_BASE, v, 8);
}

/* A frame at sp whose function goes on at pc, and whose caller's is at `next`. */
static void frame(uint64_t sp, uint64_t next, uint64_t pc)
{
	put(sp, next);
	put(sp + 16, pc);
}

/* An entry's frame, whose head has so many bytes: 48, up to 6.1 112. */
static void entry(uint64_t sp, unsigned head, uint64_t nip, uint64_t r1, uint64_t msr,
		  uint64_t trap)
{
	put(sp + head - 16, MARK);
	put(sp + head + 8 * SP, r1);
	put(sp + head + 8 * NIP, nip);
	put(sp + head + 8 * MSR, msr);
	put(sp + head + 8 * 40, trap);
}

static void code(unsigned at, const uint32_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fk_put(&k, at + 4 * i, words[i], 4);
}

static void make(void)
{
	static const uint32_t prologue[] = { MFLR, STD_LR, STDU };
	static const uint32_t epilogue[] = { ADDI, BLR };

	fk_init(&k, &arch_ppc64le);
	k.arch.is_kernel_va = upper_half;
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "system_call_common", ENTRY, 0x100, 'T');
	fk_symbol(&k, "start_kernel_thread", START, 0x100, 'T');
	fk_symbol(&k, "return_to_handler", HANDLER, 0x100, 'T');
	fk_ready(&k);
	for (size_t at = FK_TEXT; at < FK_TEXT_END; at += 4)
		fk_put(&k, at, 0x60000000, 4); /* nop */
	code(MIDDLE, prologue, 3);
	code(MIDDLE + 0x80, epilogue, 2);
	fk_put(&k, MIDDLE + 0x3c, 0x4bfffec5, 4); /* bl leaf */
	fk_put(&k, OUTER + 0x3c, 0x4bfffec5, 4);  /* bl middle */
	fk_put(&k, ENTRY + 0x3c, 0x4e800421, 4);  /* bctrl */
	fk_put(&k, START + 0x3c, 0x4e800421, 4);
	frame(ON_STACK(0x100), ON_STACK(0x200), 0);
	frame(ON_STACK(0x200), ON_STACK(0x400), AT(MIDDLE + 0x40));
	frame(ON_STACK(0x400), ON_STACK(TOP), AT(OUTER + 0x40));
	frame(ON_STACK(TOP), 0, AT(START + 0x40));
}

static struct unwind_result walk_from(uint64_t pc, uint64_t sp, uint64_t lr, bool exact)
{
	struct unwind_start start = { .how = "regs", .exact = exact };
	struct phys_source phys = k.t.memory.phys;
	struct unwind_result r;

	mem_release(&k.t);
	k.t.memory.phys = phys;
	regs_set(&start.regs, NIP, pc);
	regs_set(&start.regs, SP, sp);
	if (lr)
		regs_set(&start.regs, LINK, lr);
	unwind(&k.t, &start, 0, &r);
	return r;
}

/* From leaf, as a sleeping task begins. */
static struct unwind_result chain(void)
{
	return walk_from(AT(LEAF + 0x20), ON_STACK(0x100), 0, false);
}

static void check_frame(const struct unwind_result *r, size_t n, uint64_t pc, uint64_t sp,
			const char *how)
{
	if (!CHECK(n < r->n))
		return;
	CHECK_U64(r->frames[n].pc, pc);
	CHECK_U64(r->frames[n].sp, sp);
	CHECK_STR(r->frames[n].how, how);
	CHECK(r->frames[n].sure);
}

TEST(back_chains)
{
	struct unwind_result r;

	make();
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x200), "chain");
	check_frame(&r, 2, AT(OUTER + 0x40), ON_STACK(0x400), "chain");
	check_frame(&r, 3, AT(START + 0x40), ON_STACK(TOP), "chain");
	/* a chain that leads back, is odd, is a program's, points at nothing, or ends too early */
	put(ON_STACK(0x400), ON_STACK(0x100));
	r = chain();
	CHECK(!r.complete && r.n == 3);
	CHECK_ERR(r.end, ERR_CORRUPT);
	put(ON_STACK(0x400), ON_STACK(TOP) + 8);
	CHECK(!chain().complete);
	put(ON_STACK(0x400), 0x7fff00001000);
	r = chain();
	CHECK(!r.complete && r.end.code == ERR_CORRUPT);
	put(ON_STACK(0x400), FK_BASE + FK_SIZE + 0x1000);
	CHECK(!chain().complete);
	put(ON_STACK(0x400), 0);
	r = chain();
	CHECK(!r.complete && r.end.code == ERR_CORRUPT);
	/* what is no code is no return address */
	frame(ON_STACK(0x400), ON_STACK(TOP), ON_STACK(0x40));
	r = chain();
	CHECK(!r.complete && r.n == 2);
	fk_release(&k);
}

TEST(an_entry_from_a_program)
{
	static const unsigned heads[] = { 48, 112 };
	struct unwind_result r;

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		make();
		frame(ON_STACK(0x400), 0x7fffe0f09520, AT(ENTRY + 0x40));
		entry(ON_STACK(0x400), heads[i], 0x100c4180, 0x7fffe0f09520, PROGRAM, 0x3000);
		r = chain();
		CHECK(r.complete);
		REQUIRE(r.n == 3);
		CHECK(r.frames[2].has_regs && r.frames[2].user);
		CHECK_U64(r.frames[2].regs.r[NIP], 0x100c4180);
		CHECK_U64(r.frames[2].regs.r[SP], 0x7fffe0f09520);
		fk_release(&k);
	}
}

/* What the older layout would take for the mark of a frame of 64 bytes is that of the entry's frame
 * above it. */
TEST(the_mark_of_the_frame_above)
{
	struct unwind_result r;

	make();
	put(ON_STACK(0x200), ON_STACK(0x3c0));
	frame(ON_STACK(0x3c0), ON_STACK(0x400), AT(OUTER + 0x40));
	frame(ON_STACK(0x400), 0x7fffe0f09520, AT(ENTRY + 0x40));
	entry(ON_STACK(0x400), 48, 0x100c4180, 0x7fffe0f09520, PROGRAM, 0x500);
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	CHECK(!r.frames[2].has_regs);
	check_frame(&r, 3, AT(ENTRY + 0x40), ON_STACK(0x400), "chain");
	CHECK(r.frames[3].user);
	fk_release(&k);
}

TEST(an_entry_from_the_kernel)
{
	struct unwind_result r;

	make();
	put(ON_STACK(0x200), FK_BASE + FK_IRQ + 0x100); /* from the stack of interrupts */
	frame(FK_BASE + FK_IRQ + 0x100, ON_STACK(0x400), AT(ENTRY + 0x40));
	entry(FK_BASE + FK_IRQ + 0x100, 48, AT(OUTER + 0x30), ON_STACK(0x400), 0, 0x901);
	r = chain();
	REQUIRE(r.n >= 4);
	CHECK(r.frames[2].has_regs && !r.frames[2].user);
	check_frame(&r, 3, AT(OUTER + 0x30), ON_STACK(0x400), "pt_regs");
	CHECK(r.frames[3].exact);
	fk_release(&k);
	/* a mark that another entry left: no interrupt's number, another place of the stack */
	make();
	entry(ON_STACK(0x200), 48, AT(OUTER + 0x30), ON_STACK(0x400), 0, 0);
	r = chain();
	CHECK(r.complete && r.n == 4 && !r.frames[1].has_regs);
	entry(ON_STACK(0x200), 48, AT(OUTER + 0x30), ON_STACK(0x480), 0, 0x500);
	r = chain();
	CHECK(r.complete && r.n == 4 && !r.frames[1].has_regs);
	fk_release(&k);
}

/* Where a CPU stopped within an entry's own code, the frame is there and the link register is the
 * program's; in what the entry called, the frame is the caller's. */
TEST(an_entry_that_is_under_way)
{
	struct unwind_result r;

	make();
	put(ON_STACK(0x400), 0x7fffe0f09520);
	entry(ON_STACK(0x400), 48, 0x100c4180, 0x7fffe0f09520, PROGRAM, 0xc00);
	r = walk_from(AT(ENTRY + 0x20), ON_STACK(0x400), 0x100c4180, true);
	CHECK(r.complete);
	REQUIRE(r.n == 1);
	CHECK(r.frames[0].user);
	fk_put(&k, ENTRY + 0x3c, 0x4bfffcc5, 4); /* bl leaf */
	r = walk_from(AT(LEAF + 4), ON_STACK(0x400), AT(ENTRY + 0x40), true);
	CHECK(r.complete);
	REQUIRE(r.n == 2);
	check_frame(&r, 1, AT(ENTRY + 0x40), ON_STACK(0x400), "lr");
	CHECK(r.frames[1].user);
	fk_release(&k);
}

/* Without debug info the function's own code tells what it has done to its frame. */
TEST(the_first_frame)
{
	struct unwind_result r;

	make();
	/* it calls nobody and has no frame */
	r = walk_from(AT(LEAF + 0x20), ON_STACK(0x200), AT(MIDDLE + 0x40), true);
	CHECK(r.complete);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x200), "lr");
	check_frame(&r, 2, AT(OUTER + 0x40), ON_STACK(0x400), "chain");
	/* before its frame is there: the return address is in the register, and then in its
	 * caller's frame as well, where what was called later may have written over the register */
	r = walk_from(AT(MIDDLE + 4), ON_STACK(0x400), AT(OUTER + 0x40), true);
	check_frame(&r, 1, AT(OUTER + 0x40), ON_STACK(0x400), "lr");
	r = walk_from(AT(MIDDLE + 8), ON_STACK(0x400), AT(MIDDLE + 0x40), true);
	check_frame(&r, 1, AT(OUTER + 0x40), ON_STACK(0x400), "chain");
	/* with its frame */
	r = walk_from(AT(MIDDLE + 0x40), ON_STACK(0x200), AT(MIDDLE + 0x40), true);
	CHECK(r.complete);
	check_frame(&r, 1, AT(OUTER + 0x40), ON_STACK(0x400), "chain");
	/* when it took its frame away; and behind the return, where other code still has it */
	r = walk_from(AT(MIDDLE + 0x84), ON_STACK(0x400), AT(MIDDLE + 0x40), true);
	check_frame(&r, 1, AT(OUTER + 0x40), ON_STACK(0x400), "chain");
	r = walk_from(AT(MIDDLE + 0x90), ON_STACK(0x200), AT(MIDDLE + 0x40), true);
	check_frame(&r, 1, AT(OUTER + 0x40), ON_STACK(0x400), "chain");
	/* a call into nowhere, and firmware, which has no return address of ours */
	r = walk_from(0, ON_STACK(0x200), AT(MIDDLE + 0x40), true);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x200), "lr");
	r = walk_from(0x2ffff010, ON_STACK(0x100), 0x3f6f0, true);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x200), "chain");
	fk_release(&k);
}

/* What function_graph took is known by the frame that it stood in. */
TEST(taken_return_addresses)
{
	struct unwind_result r;

	make();
	put(ON_STACK(0x400) + 16, AT(HANDLER));
	k.shadow[0][0] = ON_STACK(0x400);
	k.shadow[0][1] = AT(OUTER + 0x40);
	r = chain();
	CHECK(r.complete);
	check_frame(&r, 2, AT(OUTER + 0x40), ON_STACK(0x400), "fgraph");
	k.shadow[0][0] = ON_STACK(0x200);
	CHECK(!chain().complete);
	fk_release(&k);
}

TEST_MAIN
