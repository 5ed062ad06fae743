/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how 64-bit RISC-V is unwound: frame pointers, what exception entries leave on the stack
 * (arch/riscv/kernel/entry.S), and the first frame. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/unwind_fake.h"

enum {
	RA = 1,
	SP = 2,
	S0 = 8,
	PC = 32,
	STATUS = 33
};

#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define ENTRY 0x1300
#define START 0x1400 /* a kernel thread's first code */
#define FORK 0x1500  /* a program's */
#define IRQ 0x1600   /* call_on_irq_stack */
#define BAD 0x1700   /* handle_bad_stack */
#define HANDLER 0x1800
#define TOP 0x3f00 /* on the stack: the last frame */

#define C_NOP 0x0001
#define C_JALR 0x9782 /* jalr a5 */
#define SPP 0x100     /* status: the kernel was interrupted */
#define PT_REGS 288

static struct fake_stack_kernel k;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

/* The two words below a frame pointer. */
static void record(uint64_t at, uint64_t fp, uint64_t ra)
{
	fk_put(&k, at - FK_BASE - 16, fp, 8);
	fk_put(&k, at - FK_BASE - 8, ra, 8);
}

/* struct pt_regs: epc, x1 to x31, status. */
static void saved(uint64_t at, uint64_t pc, uint64_t ra, uint64_t sp, uint64_t s0, uint64_t status)
{
	size_t off = at - FK_BASE;

	fk_put(&k, off, pc, 8);
	fk_put(&k, off + 8, ra, 8);
	fk_put(&k, off + 16, sp, 8);
	fk_put(&k, off + 64, s0, 8);
	fk_put(&k, off + 256, status, 8);
}

/* The end of a stack: a kernel thread's first function, whose caller left a status of the kernel
 * alone. */
static void end_at(uint64_t fp)
{
	record(fp, 0, AT(START + 0x16));
	saved(fp, 0, 0, 0, 0, SPP);
}

static void make(void)
{
	fk_init(&k, &arch_riscv64);
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "handle_exception", ENTRY, 0x100, 'T');
	fk_symbol(&k, "ret_from_fork_kernel_asm", START, 0x100, 'T');
	fk_symbol(&k, "ret_from_fork_user_asm", FORK, 0x100, 'T');
	fk_symbol(&k, "call_on_irq_stack", IRQ, 0x100, 'T');
	fk_symbol(&k, "handle_bad_stack", BAD, 0x100, 'T');
	fk_symbol(&k, "return_to_handler", HANDLER, 0x100, 'T');
	fk_ready(&k);
	for (size_t at = LEAF; at < FK_TEXT_END; at += 2)
		fk_put(&k, at, 0x8082, 2); /* ret */
	fk_put(&k, MIDDLE + 0x1e, C_JALR, 2);
	record(ON_STACK(0x200), ON_STACK(0x400), AT(MIDDLE + 0x40));
	record(ON_STACK(0x400), ON_STACK(TOP), AT(OUTER + 0x40));
	end_at(ON_STACK(TOP));
}

static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

static struct unwind_result walk_from(uint64_t pc, uint64_t sp, uint64_t s0, uint64_t ra,
				      bool exact)
{
	struct unwind_start start = { .how = "regs", .exact = exact };
	struct unwind_result r;

	forget();
	regs_set(&start.regs, PC, pc);
	regs_set(&start.regs, SP, sp);
	regs_set(&start.regs, S0, s0);
	if (ra)
		regs_set(&start.regs, RA, ra);
	unwind(&k.t, &start, 0, &r);
	return r;
}

/* From leaf, whose frame is complete, as a sleeping task begins. */
static struct unwind_result chain(void)
{
	return walk_from(AT(LEAF + 0x20), ON_STACK(0x100), ON_STACK(0x200), 0, false);
}

static void check_frame(const struct unwind_result *r, size_t n, uint64_t pc, const char *how)
{
	if (!CHECK(n < r->n))
		return;
	CHECK_U64(r->frames[n].pc, pc);
	CHECK_STR(r->frames[n].how, how);
	CHECK(r->frames[n].sure);
}

TEST(frame_pointers)
{
	struct unwind_result r;

	make();
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x40), "fp");
	CHECK_U64(r.frames[1].sp, ON_STACK(0x200));
	check_frame(&r, 2, AT(OUTER + 0x40), "fp");
	check_frame(&r, 3, AT(START + 0x16), "fp");
	CHECK(!r.frames[3].has_regs);
	/* a frame pointer that leads back, is odd, is a program's, or points at nothing */
	record(ON_STACK(0x400), ON_STACK(0x100), AT(OUTER + 0x40));
	r = chain();
	CHECK(!r.complete && r.n == 3);
	CHECK_ERR(r.end, ERR_CORRUPT);
	record(ON_STACK(0x400), ON_STACK(TOP) + 4, AT(OUTER + 0x40));
	CHECK(!chain().complete);
	record(ON_STACK(0x400), 0x7fff00001000, AT(OUTER + 0x40));
	r = chain();
	CHECK(!r.complete && r.end.code == ERR_CORRUPT);
	record(ON_STACK(0x400), FK_BASE + FK_SIZE + 0x1000, AT(OUTER + 0x40));
	CHECK(!chain().complete);
	/* what is no code is no return address */
	record(ON_STACK(0x400), ON_STACK(TOP), ON_STACK(0x40));
	r = chain();
	CHECK(!r.complete && r.n == 2);
	fk_release(&k);
}

/* A handler's frame begins right above struct pt_regs: of a program, the stack ends there. */
TEST(an_entry_from_a_program)
{
	struct unwind_result r;

	make();
	record(ON_STACK(0x400), 0x7fffe0f09520, AT(ENTRY + 0x20));
	saved(ON_STACK(0x400), 0xb834c, 0xb8364, 0x7fffe0f09520, 4, 0x4020);
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK(r.frames[2].has_regs && r.frames[2].user);
	CHECK_U64(r.frames[2].regs.r[PC], 0xb834c);
	CHECK_U64(r.frames[2].regs.r[SP], 0x7fffe0f09520);
	/* the call may be the last of the entry's code */
	record(ON_STACK(0x400), 0, AT(ENTRY + 0x100));
	r = chain();
	CHECK(r.complete && r.n == 3 && r.frames[2].user);
	/* a program that was just made */
	record(ON_STACK(0x400), 0, AT(FORK + 0x12));
	r = chain();
	CHECK(r.complete && r.n == 3 && r.frames[2].user);
	fk_release(&k);
}

TEST(an_entry_from_the_kernel)
{
	struct unwind_result r;

	make();
	record(ON_STACK(0x400), 0, AT(ENTRY + 0x20));
	saved(ON_STACK(0x400), AT(OUTER + 0x30), 0, ON_STACK(0x400 + PT_REGS), ON_STACK(TOP), SPP);
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 5);
	CHECK(r.frames[2].has_regs && !r.frames[2].user);
	check_frame(&r, 3, AT(OUTER + 0x30), "pt_regs");
	CHECK(r.frames[3].exact);
	CHECK_U64(r.frames[3].sp, ON_STACK(0x400 + PT_REGS));
	check_frame(&r, 4, AT(START + 0x16), "fp");
	/* registers that the dump does not have */
	k.hole = (FK_STACK + 0x400) / 0x1000 + 1;
	CHECK(!chain().complete);
	fk_release(&k);
}

/* call_on_irq_stack() keeps its frame on the stack that it came from. */
TEST(the_stack_of_interrupts)
{
	struct unwind_result r;

	make();
	record(AT(FK_IRQ_END), ON_STACK(0x400), AT(IRQ + 0x20));
	r = walk_from(AT(LEAF + 0x20), AT(FK_IRQ + 0x100), AT(FK_IRQ_END), 0, false);
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	CHECK_STR(r.frames[1].stack, "IRQ");
	check_frame(&r, 1, AT(IRQ + 0x20), "fp");
	CHECK_STR(r.frames[2].stack, "TASK");
	check_frame(&r, 2, AT(OUTER + 0x40), "fp");
	fk_release(&k);
}

/* handle_bad_stack() is jumped to: its frame begins at the registers, and ra is of long ago. */
TEST(an_overflow)
{
	struct unwind_result r;

	make();
	record(AT(FK_IRQ + 0x400), 0, AT(BAD + 0x9c));
	record(AT(FK_IRQ + 0x500), 0, AT(MIDDLE + 0x20));
	saved(AT(FK_IRQ + 0x500), AT(OUTER + 0x30), 0, ON_STACK(0x10), ON_STACK(TOP), SPP);
	fk_put(&k, FK_IRQ + 0x400 - 16, AT(FK_IRQ + 0x500), 8);
	r = walk_from(AT(LEAF + 0x20), AT(FK_IRQ + 0x100), AT(FK_IRQ + 0x400), 0, false);
	REQUIRE(r.n == 4);
	CHECK(r.complete && r.frames[1].has_regs);
	check_frame(&r, 2, AT(OUTER + 0x30), "pt_regs");
	CHECK_STR(r.frames[2].stack, "TASK");
	fk_release(&k);
}

/* ---- the first frame */

static struct unwind_result leaf(uint64_t pc, uint64_t s0, uint64_t ra)
{
	return walk_from(pc, ON_STACK(0x100), s0, ra, true);
}

TEST(functions_that_call_nobody)
{
	struct unwind_result r;

	make();
	/* it keeps the frame pointer alone, where others keep ra */
	record(ON_STACK(0x200), 0, ON_STACK(0x400));
	r = leaf(AT(LEAF + 0x20), ON_STACK(0x200), AT(MIDDLE + 0x20));
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x20), "lr");
	CHECK_U64(r.frames[1].sp, ON_STACK(0x200));
	check_frame(&r, 2, AT(OUTER + 0x40), "fp");
	/* nothing has run of it: the frame pointer is its caller's */
	r = leaf(AT(LEAF), ON_STACK(0x400), AT(MIDDLE + 0x20));
	CHECK(r.complete && r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x20), "lr");
	check_frame(&r, 2, AT(OUTER + 0x40), "fp");
	/* nor, behind the room for ftrace: nop, auipc t0, jalr t0, c.nop */
	fk_put(&k, LEAF, 0x00000013, 4);
	fk_put(&k, LEAF + 4, 0x00023297, 4);
	fk_put(&k, LEAF + 8, 0x9e8282e7, 4);
	fk_put(&k, LEAF + 12, C_NOP, 2);
	r = leaf(AT(LEAF + 14), ON_STACK(0x400), AT(MIDDLE + 0x20));
	CHECK(r.complete && r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x20), "lr");
	r = leaf(AT(LEAF + 16), ON_STACK(0x400), AT(MIDDLE + 0x20)); /* something has */
	check_frame(&r, 1, AT(OUTER + 0x40), "fp");
	/* a call into nowhere, and one that ra does not stand behind */
	r = leaf(0x10, ON_STACK(0x400), AT(MIDDLE + 0x20));
	check_frame(&r, 1, AT(MIDDLE + 0x20), "lr");
	r = leaf(0x10, ON_STACK(0x400), AT(MIDDLE + 0x24));
	check_frame(&r, 1, AT(OUTER + 0x40), "fp");
	fk_release(&k);
}

/* Nothing is saved yet of what was interrupted: its frame is there, which says whose it is. */
TEST(a_cpu_that_just_entered)
{
	struct unwind_result r;

	make();
	/* auipc ra, 0; jalr -0x38(ra) at middle + 0x38 calls middle itself */
	fk_put(&k, MIDDLE + 0x38, 0x00000097, 4);
	fk_put(&k, MIDDLE + 0x3c, 0xfc8080e7, 4);
	r = leaf(AT(ENTRY), ON_STACK(0x200), AT(MIDDLE + 0x20)); /* ra may be of an earlier call */
	CHECK(r.complete);
	REQUIRE(r.n == 5);
	check_frame(&r, 1, AT(MIDDLE), "call");
	CHECK_U64(r.frames[1].sp, ON_STACK(0x100));
	check_frame(&r, 2, AT(MIDDLE + 0x40), "fp");
	/* a call through a pointer does not say */
	fk_put(&k, MIDDLE + 0x3c, 0x97820001, 4);
	r = leaf(AT(ENTRY), ON_STACK(0x200), 0);
	CHECK(r.complete);
	check_frame(&r, 1, AT(MIDDLE + 0x40), "fp");
	/* all is saved: they are where the stack pointer is */
	saved(ON_STACK(0x100), AT(OUTER + 0x30), 0, ON_STACK(0x100 + PT_REGS), ON_STACK(TOP), SPP);
	r = leaf(AT(ENTRY + 0x80), 0, 0);
	CHECK(r.complete && r.frames[0].has_regs);
	check_frame(&r, 1, AT(OUTER + 0x30), "pt_regs");
	/* the stack pointer is still a program's */
	r = walk_from(AT(ENTRY), 0x7fffe0f09520, 4, 0, true);
	CHECK(r.complete && r.n == 1 && r.frames[0].user);
	CHECK(!(r.frames[0].regs.have >> PC & 1));
	fk_release(&k);
}

/* ---- function_graph: it knows an address by its caller's frame pointer */

TEST(addresses_that_function_graph_took)
{
	struct unwind_result r;

	make();
	record(ON_STACK(0x200), ON_STACK(0x400), AT(HANDLER));
	record(ON_STACK(0x400), ON_STACK(TOP), AT(HANDLER));
	k.shadow[0][0] = ON_STACK(0x400);
	k.shadow[0][1] = AT(MIDDLE + 0x40);
	k.shadow[1][0] = ON_STACK(TOP);
	k.shadow[1][1] = AT(OUTER + 0x40);
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	check_frame(&r, 1, AT(MIDDLE + 0x40), "fgraph");
	check_frame(&r, 2, AT(OUTER + 0x40), "fgraph");
	check_frame(&r, 3, AT(START + 0x16), "fp");
	k.shadow[1][0] = ON_STACK(0x500);
	r = chain();
	CHECK(!r.complete && r.n == 2);
	fk_release(&k);
}

TEST_MAIN
