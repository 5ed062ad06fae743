/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how s390x is unwound: back chains, what entries leave behind a chain's end
 * (arch/s390/kernel/entry.S), and functions without a frame. Debug info is not there. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/unwind_fake.h"

enum {
	LINK = 14,
	SP = 15,
	MASK = 16,
	PC = 17
};

#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define ENTRY 0x1300
#define TOP 0x3e00 /* on the stack: the first frame, with room for registers above it */
#define PROBLEM (UINT64_C(1) << 48)

static struct fake_stack_kernel k;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

static bool any_kernel_va(uint64_t va)
{
	return va >= FK_BASE;
}

/* The frame at `at`, whose caller's is at `caller`, to which it returns by `link`. */
static void frame(uint64_t at, uint64_t caller, uint64_t link)
{
	fk_put(&k, at - FK_BASE + 152, caller, 8);
	if (caller)
		fk_put(&k, caller - FK_BASE + 136, link, 8);
}

/* struct pt_regs behind the frame at `at`: args, psw, r0 to r15. */
static void saved(uint64_t at, uint64_t mask, uint64_t pc, uint64_t link, uint64_t sp)
{
	size_t off = at - FK_BASE + 160;

	fk_put(&k, off + 8, mask, 8);
	fk_put(&k, off + 16, pc, 8);
	fk_put(&k, off + 24 + 8 * LINK, link, 8);
	fk_put(&k, off + 24 + 8 * SP, sp, 8);
}

static void code(size_t at, const char *bytes, size_t n)
{
	memcpy(k.mem + at, bytes, n);
}

static void make(void)
{
	fk_init(&k, &arch_s390x);
	k.arch.is_kernel_va = any_kernel_va;
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "pgm_check_handler", ENTRY, 0x100, 'T');
	fk_ready(&k);
	for (size_t at = LEAF; at < FK_TEXT_END; at += 2)
		fk_put(&k, at, 0x0707, 2);          /* nopr %r7 */
	code(MIDDLE + 0x3a, "\xc0\xe5\0\0\0\0", 6); /* brasl %r14 */
	frame(ON_STACK(0x100), ON_STACK(0x200), AT(MIDDLE + 0x40));
	frame(ON_STACK(0x200), ON_STACK(TOP), AT(OUTER + 0x40));
	frame(ON_STACK(TOP), 0, 0);
}

static struct unwind_result walk_from(uint64_t pc, uint64_t sp, uint64_t link, bool exact)
{
	struct unwind_start start = { .how = "regs", .exact = exact };
	struct phys_source phys = k.t.memory.phys;
	struct unwind_result r;

	mem_release(&k.t);
	k.t.memory.phys = phys;
	regs_set(&start.regs, PC, pc);
	regs_set(&start.regs, SP, sp);
	regs_set(&start.regs, MASK, UINT64_C(0x0404c00180000000));
	if (link)
		regs_set(&start.regs, LINK, link);
	unwind(&k.t, &start, 0, &r);
	return r;
}

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

/* A thread's first frame has no registers behind it. */
TEST(back_chains)
{
	struct unwind_result r;

	make();
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x200), "chain");
	check_frame(&r, 2, AT(OUTER + 0x40), ON_STACK(TOP), "chain");
	CHECK(!r.frames[2].has_regs);
	/* one that leads back, is odd, or a program's */
	frame(ON_STACK(0x200), ON_STACK(0x180), AT(OUTER + 0x40));
	r = chain();
	CHECK(!r.complete && r.n == 2);
	CHECK_ERR(r.end, ERR_CORRUPT);
	frame(ON_STACK(0x200), ON_STACK(TOP), AT(OUTER + 0x40));
	fk_put(&k, FK_STACK + 0x200 + 152, ON_STACK(TOP) + 4, 8);
	CHECK(!chain().complete);
	fk_put(&k, FK_STACK + 0x200 + 152, 0x3ff00001000, 8);
	CHECK(!chain().complete);
	/* what is no code is no return address */
	frame(ON_STACK(0x200), ON_STACK(TOP), ON_STACK(0x40));
	r = chain();
	CHECK(!r.complete && r.n == 2);
	/* an end in the middle of a stack is none */
	frame(ON_STACK(0x200), 0, 0);
	r = chain();
	CHECK(!r.complete && r.n == 2);
	fk_release(&k);
}

TEST(entries)
{
	struct unwind_result r;

	make();
	saved(ON_STACK(TOP), PROBLEM, 0x11112ea, 0x10094d8, 0x3ffed8f7b80);
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK(r.frames[2].has_regs && r.frames[2].user);
	CHECK_U64(r.frames[2].regs.r[PC], 0x11112ea);
	/* from the kernel, in a function that has its frame */
	saved(ON_STACK(TOP), 0, 0, 0, 0);
	frame(ON_STACK(0x200), ON_STACK(0x400), AT(ENTRY + 0x40));
	frame(ON_STACK(0x400), 0, 0);
	code(OUTER, "\xeb\xef\xf0\x70\x00\x24\xe3\xf0\xff\xa0\xff\x71", 12); /* stmg; lay */
	saved(ON_STACK(0x400), 0, AT(OUTER + 0x30), AT(MIDDLE + 0x40), ON_STACK(0x600));
	frame(ON_STACK(0x600), ON_STACK(TOP), AT(OUTER + 0x40));
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 5);
	CHECK(r.frames[2].has_regs && !r.frames[2].user);
	check_frame(&r, 3, AT(OUTER + 0x30), ON_STACK(0x600), "pt_regs");
	CHECK(r.frames[3].exact);
	check_frame(&r, 4, AT(OUTER + 0x40), ON_STACK(TOP), "chain");
	/* registers that the dump does not have */
	k.hole = (FK_STACK + 0x400) / 0x1000 + 1;
	CHECK(!chain().complete);
	fk_release(&k);
}

/* Where the function has no frame, the chain is its caller's, and the link register has the return
 * address: before it made one, behind its lmg, and where it makes none. */
TEST(without_a_frame)
{
	struct unwind_result r;

	make();
	r = walk_from(AT(LEAF + 0x20), ON_STACK(0x100), AT(MIDDLE + 0x40), true);
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x100), "lr");
	/* stmg; lay %r15,-96(%r15) at 0x10; lmg %r14,%r15,208(%r15) at 0x40; br %r14 */
	code(LEAF + 0xa, "\xeb\xef\xf0\x70\x00\x24\xe3\xf0\xff\xa0\xff\x71", 12);
	code(LEAF + 0x40, "\xeb\xef\xf0\xd0\x00\x04\x07\xfe", 8);
	r = walk_from(AT(LEAF + 0x10), ON_STACK(0x100), AT(MIDDLE + 0x40), true);
	CHECK(r.n == 4);
	r = walk_from(AT(LEAF + 0x16), ON_STACK(0x100), AT(MIDDLE + 0x40), true);
	REQUIRE(r.n == 3);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x200), "chain");
	CHECK_U64(walk_from(AT(LEAF + 0x46), ON_STACK(0x100), AT(MIDDLE + 0x40), true).n, 4);
	CHECK_U64(walk_from(AT(LEAF + 0x48), ON_STACK(0x100), AT(MIDDLE + 0x40), true).n, 3);
	/* a link register that follows no call tells nothing */
	CHECK_U64(walk_from(AT(LEAF + 0x10), ON_STACK(0x100), AT(MIDDLE + 0x50), true).n, 3);
	/* a jump to nowhere */
	r = walk_from(0x10, ON_STACK(0x100), AT(MIDDLE + 0x40), true);
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x40), ON_STACK(0x100), "lr");
	fk_release(&k);
}

TEST_MAIN
