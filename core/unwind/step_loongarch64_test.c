/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how LoongArch is unwound: the code that functions begin with, as binutils disassembles
 * it in Debian's kernel 7.2, what entries leave on the stack (arch/loongarch/kernel/entry.S and
 * genex.S), and notes whose pc is an older one. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/unwind_fake.h"

enum {
	RA = 1,
	SP = 3,
	T0 = 12,
	FP = 22,
	S0 = 23,
	PC = 33
};

#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define SYSCALL 0x1300 /* do_syscall */
#define ENTRY 0x1400   /* handle_syscall */
#define START 0x1500   /* a kernel thread's first code */
#define VINT 0x1600    /* do_vint */
#define HANDLER 0x1700 /* return_to_handler */
#define CALLER 0x1800  /* ftrace_caller */
#define COMMON 0x1900  /* ftrace_common */
#define COPY FK_TASK   /* an exception's code, which is in no text */

#define NOP 0x03400000u
#define RET 0x4c000020u
#define JIRL 0x4c000181u /* jirl ra, t0, 0 */
#define ADDI_SP(n) (0x02c00063u | ((unsigned)(n)&0xfff) << 10)
#define ST_D(reg, off) (0x29c00060u | (unsigned)(off) << 10 | (reg))
#define STPTR_D(reg, off) (0x27000060u | (unsigned)(off) / 4 << 10 | (reg))
#define BEQZ 0x400009a0u
#define SUB_SP 0x0011b063u /* sub.d sp, sp, t0 */
#define BL(from, to)                                                      \
	(0x54000000u | ((unsigned)(((to) - (from)) / 4) & 0xffff) << 10 | \
	 ((unsigned)(((to) - (from)) / 4) >> 16 & 0x3ff))

#define PT_REGS 320
#define TOP (FK_STACK_END - FK_STACK - PT_REGS) /* where an entry's registers lie */

static struct fake_stack_kernel k;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

static void code(size_t at, uint32_t w)
{
	fk_put(&k, at, w, 4);
}

/* A word on the task's stack. */
static void word(size_t off, uint64_t v)
{
	fk_put(&k, FK_STACK + off, v, 8);
}

/* struct pt_regs: r0 to r31, orig_a0, era, badv, crmd, prmd. */
static void saved(uint64_t at, uint64_t pc, uint64_t ra, uint64_t sp, uint64_t prmd)
{
	size_t off = at - FK_BASE;

	fk_put(&k, off + 8 * RA, ra, 8);
	fk_put(&k, off + 8 * SP, sp, 8);
	fk_put(&k, off + 8 * PC, pc, 8);
	fk_put(&k, off + 8 * 36, prmd, 8);
}

/* middle() has a frame of 64 bytes, outer() one of 32, do_syscall() one of 48 and more by chance,
 * below the registers of a program. */
static void make(void)
{
	memset(&k, 0, sizeof(k));
	fk_init(&k, &arch_loongarch64);
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "do_syscall", SYSCALL, 0x100, 't');
	fk_symbol(&k, "handle_syscall", ENTRY, 0x100, 'T');
	fk_symbol(&k, "ret_from_kernel_thread_asm", START, 0x100, 'T');
	fk_symbol(&k, "do_vint", VINT, 0x100, 't');
	fk_symbol(&k, "return_to_handler", HANDLER, 0x100, 'T');
	fk_symbol(&k, "ftrace_caller", CALLER, 0x100, 'T');
	fk_symbol(&k, "ftrace_common", COMMON, 0x100, 'T');
	fk_ready(&k);
	for (size_t at = 0; at < FK_TEXT_END; at += 4)
		code(at, NOP);
	for (size_t f = MIDDLE; f <= COMMON; f += 0x100)
		code(f + 0x3c, JIRL); /* returns to +0x40 */
	code(MIDDLE + 8, ADDI_SP(-64));
	code(MIDDLE + 12, ST_D(S0, 48));
	code(MIDDLE + 16, STPTR_D(FP, 0));
	code(MIDDLE + 20, ST_D(RA, 56));
	code(MIDDLE + 24, BEQZ);
	code(MIDDLE + 28, ST_D(RA, 8)); /* another branch's, of no meaning here */
	code(OUTER, ADDI_SP(-32));
	code(OUTER + 4, ST_D(RA, 24));
	code(SYSCALL, ADDI_SP(-48));
	code(SYSCALL + 4, ST_D(RA, 40));
	code(SYSCALL + 8, SUB_SP);
	word(0x100 + 56, AT(OUTER + 0x40)); /* middle's frame begins at 0x100 */
	word(0x100 + 48, 0x5050);
	word(0x100, 0xf0f0);
	word(0x140 + 24, AT(SYSCALL + 0x40));
	word(TOP - 8, AT(ENTRY + 0x40));
	saved(ON_STACK(TOP), 0x120021088, 0x1200210bc, 0x7ffffbd200e0, 7);
}

static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

static struct unwind_result walk(struct unwind_start *start)
{
	struct unwind_result r;

	forget();
	start->how = "regs";
	unwind(&k.t, start, 0, &r);
	return r;
}

static struct unwind_result walk_from(uint64_t pc, uint64_t sp, uint64_t ra, bool exact)
{
	struct unwind_start start = { .exact = exact };

	regs_set(&start.regs, PC, pc);
	regs_set(&start.regs, SP, sp);
	if (ra)
		regs_set(&start.regs, RA, ra);
	return walk(&start);
}

/* From middle, which called something. */
static struct unwind_result chain(void)
{
	return walk_from(AT(MIDDLE + 0x40), ON_STACK(0x100), 0, false);
}

static void check_frame(const struct unwind_result *r, size_t n, uint64_t pc, const char *how)
{
	if (!CHECK(n < r->n))
		return;
	CHECK_U64(r->frames[n].pc, pc);
	CHECK_STR(r->frames[n].how, how);
	CHECK(r->frames[n].sure);
}

/* The same from frame i on: outer, do_syscall, handle_syscall and what it saved. */
static void check_rest(const struct unwind_result *r, size_t i)
{
	check_frame(r, i, AT(OUTER + 0x40), "prologue");
	check_frame(r, i + 1, AT(SYSCALL + 0x40), "prologue");
	check_frame(r, i + 2, AT(ENTRY + 0x40), "prologue");
	REQUIRE(r->n == i + 3);
	CHECK(r->complete && r->frames[i + 2].has_regs && r->frames[i + 2].user);
	CHECK_U64(r->frames[i + 2].regs.r[PC], 0x120021088);
}

TEST(frames_that_functions_make)
{
	struct unwind_result r;

	make();
	r = chain();
	check_rest(&r, 1);
	CHECK_U64(r.frames[1].sp, ON_STACK(0x140));
	CHECK_U64(r.frames[2].sp, ON_STACK(0x160));
	CHECK_U64(r.frames[3].sp, ON_STACK(TOP));
	/* a frame in two steps */
	code(OUTER, ADDI_SP(-16));
	code(OUTER + 8, ADDI_SP(-16));
	code(OUTER + 4, ST_D(RA, 8));
	r = chain();
	check_rest(&r, 1);
	/* of a size that is in no instruction; and only do_syscall is known to be at the end */
	code(OUTER + 8, SUB_SP);
	r = chain();
	CHECK(!r.complete && r.n == 2);
	CHECK_CONTAINS(r.end.msg, "size");
	/* no return address is saved before the branch */
	code(OUTER + 8, NOP);
	code(OUTER + 4, BEQZ);
	r = chain();
	CHECK(!r.complete && r.n == 2 && r.end.code == ERR_CORRUPT);
	/* what is no code is no return address */
	word(0x100 + 56, 0x5050);
	r = chain();
	CHECK(!r.complete && r.n == 1);
	/* a frame that the dump does not have */
	fk_release(&k);
	make();
	k.hole = FK_STACK / 0x1000 + 1;
	CHECK(!chain().complete);
	fk_release(&k);
}

/* Interrupted at each instruction of middle, whose caller is outer. */
TEST(an_interrupted_function)
{
	struct unwind_result r;
	static const struct {
		unsigned at, sp;
		bool lr;
	} v[] = {
		{ 0, 0x140, true },     { 8, 0x140, true },    { 12, 0x100, true },
		{ 20, 0x100, true },    { 24, 0x100, false },  { 0x40, 0x100, false },
		{ 0x80, 0x100, false }, { 0x8c, 0x140, true },
	};

	make();
	/* its end: what it saved is taken back, and then the frame */
	code(MIDDLE + 0x88, ADDI_SP(64));
	code(MIDDLE + 0x8c, RET);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		r = walk_from(AT(MIDDLE + v[i].at), ON_STACK(v[i].sp), AT(OUTER + 0x40), true);
		if (!CHECK(r.complete && r.n == 4))
			printf("  at +%u\n", v[i].at);
		check_frame(&r, 1, AT(OUTER + 0x40), v[i].lr ? "lr" : "prologue");
		CHECK_U64(r.frames[1].sp, ON_STACK(0x140));
	}
	/* a function that calls nobody; and a jump into nowhere */
	r = walk_from(AT(LEAF + 0x20), ON_STACK(0x100), AT(MIDDLE + 0x40), true);
	check_frame(&r, 1, AT(MIDDLE + 0x40), "lr");
	check_rest(&r, 2);
	r = walk_from(0x10, ON_STACK(0x100), AT(MIDDLE + 0x40), true);
	check_frame(&r, 1, AT(MIDDLE + 0x40), "lr");
	check_rest(&r, 2);
	/* ra does not stand behind a call */
	r = walk_from(0x10, ON_STACK(0x100), AT(MIDDLE + 0x44), true);
	CHECK(!r.complete && r.n == 1);
	fk_release(&k);
}

TEST(threads_begin)
{
	struct unwind_result r;

	make();
	word(0x140 + 24, AT(START + 0x40));
	/* outer's frame ends where the registers begin */
	memmove(k.mem + FK_STACK + TOP - 32, k.mem + FK_STACK + 0x140, 32);
	word(TOP - 32 + 24, AT(START + 0x40));
	r = walk_from(AT(OUTER + 0x40), ON_STACK(TOP - 32), 0, false);
	CHECK(r.complete && r.n == 2 && r.frames[1].user); /* it has become a program */
	saved(ON_STACK(TOP), 0, 0, 0, 7);
	r = walk_from(AT(OUTER + 0x40), ON_STACK(TOP - 32), 0, false);
	CHECK(r.complete && r.n == 2 && !r.frames[1].has_regs);
	/* it has never run */
	r = walk_from(AT(START), ON_STACK(TOP), 0, true);
	CHECK(r.complete && r.n == 1);
	/* elsewhere on the stack it is no beginning */
	r = chain();
	CHECK(!r.complete);
	fk_release(&k);
}

/* The code of exceptions is a copy that has no name. */
TEST(exceptions)
{
	struct unwind_result r;

	make();
	fk_put(&k, COPY + 0x3c, JIRL, 4);
	word(0x80 + 24, AT(COPY + 0x40)); /* outer, called from there */
	saved(ON_STACK(0xa0), AT(LEAF + 0x20), AT(MIDDLE + 0x40), ON_STACK(0xa0 + PT_REGS), 4);
	/* below middle's frame, which begins at 0x1e0 now */
	memmove(k.mem + FK_STACK + 0x1e0, k.mem + FK_STACK + 0x100, 0x60);
	r = walk_from(AT(OUTER + 0x40), ON_STACK(0x80), 0, false);
	check_frame(&r, 1, AT(COPY + 0x40), "prologue");
	CHECK(r.frames[1].has_regs && !r.frames[1].user);
	check_frame(&r, 2, AT(LEAF + 0x20), "pt_regs");
	CHECK(r.frames[2].exact);
	check_frame(&r, 3, AT(MIDDLE + 0x40), "lr");
	check_rest(&r, 4);
	/* of a program, whose stack pointer is no sign */
	saved(ON_STACK(0xa0), 0x120021088, 0, 0x7ffffbd200e0, 7);
	r = walk_from(AT(OUTER + 0x40), ON_STACK(0x80), 0, false);
	CHECK(r.complete && r.n == 2 && r.frames[1].user);
	/* the kernel's stack pointer was elsewhere: no registers lie there */
	saved(ON_STACK(0xa0), AT(LEAF + 0x20), AT(MIDDLE + 0x40), ON_STACK(0x400), 4);
	r = walk_from(AT(OUTER + 0x40), ON_STACK(0x80), 0, false);
	CHECK(!r.complete && r.n == 2 && !r.frames[1].has_regs);
	fk_release(&k);
}

/* do_vint() calls on another stack, whose last words have the old stack pointer. */
TEST(the_stack_of_interrupts)
{
	struct unwind_result r;

	make();
	fk_put(&k, COPY + 0x3c, JIRL, 4);
	code(VINT, ADDI_SP(-64));
	code(VINT + 4, ST_D(RA, 56));
	fk_put(&k, FK_IRQ_END - 16, ON_STACK(0xa0), 8);
	fk_put(&k, FK_IRQ_END - 16 - 8, AT(VINT + 0x40), 8); /* outer's frame, right below */
	word(0xa0 - 8, AT(COPY + 0x40));
	saved(ON_STACK(0xa0), 0x120021088, 0, 0x7ffffbd200e0, 7);
	r = walk_from(AT(OUTER + 0x40), AT(FK_IRQ_END - 16 - 32), 0, false);
	check_frame(&r, 1, AT(VINT + 0x40), "prologue");
	REQUIRE(r.n == 3);
	CHECK_STR(r.frames[1].stack, "IRQ");
	check_frame(&r, 2, AT(COPY + 0x40), "prologue");
	CHECK_STR(r.frames[2].stack, "TASK");
	CHECK(r.complete && r.frames[2].user);
	/* nothing was noted there */
	fk_put(&k, FK_IRQ_END - 16, 0, 8);
	r = walk_from(AT(OUTER + 0x40), AT(FK_IRQ_END - 16 - 32), 0, false);
	CHECK(!r.complete && r.n == 2);
	fk_release(&k);
}

/* ---- tracers */

/* It knows an address by where ftrace_caller keeps ra below the frame: 320 - 8 bytes. */
TEST(addresses_that_function_graph_took)
{
	struct unwind_result r;

	make();
	word(0x100 + 56, AT(HANDLER));
	k.shadow[0][0] = ON_STACK(0x140 - 312);
	k.shadow[0][1] = AT(OUTER + 0x40);
	r = chain();
	check_frame(&r, 1, AT(OUTER + 0x40), "fgraph");
	CHECK(r.complete && r.n == 4);
	/* in ra as well */
	k.shadow[0][0] = ON_STACK(0x100 - 312);
	k.shadow[0][1] = AT(MIDDLE + 0x40);
	k.shadow[1][0] = ON_STACK(0x140 - 312);
	k.shadow[1][1] = AT(OUTER + 0x40);
	r = walk_from(AT(LEAF + 0x20), ON_STACK(0x100), AT(HANDLER), true);
	check_frame(&r, 1, AT(MIDDLE + 0x40), "fgraph");
	check_frame(&r, 2, AT(OUTER + 0x40), "fgraph");
	CHECK(r.complete && r.n == 5);
	k.shadow[0][0] = ON_STACK(0x500);
	CHECK(!walk_from(AT(LEAF + 0x20), ON_STACK(0x100), AT(HANDLER), true).complete);
	fk_release(&k);
}

/* leaf() called ftrace_caller, which keeps its registers below: at 0x180, middle's frame behind. */
TEST(a_traced_function)
{
	struct unwind_result r;
	struct unwind_start start = { .exact = true };

	make();
	memmove(k.mem + FK_STACK + 0x2c0, k.mem + FK_STACK + 0x100, 0x60);
	saved(ON_STACK(0x180), AT(LEAF + 8), AT(MIDDLE + 0x40), ON_STACK(0x180 + PT_REGS), 0);
	r = walk_from(AT(COMMON + 0x40), ON_STACK(0x180), 0, false);
	check_frame(&r, 1, AT(LEAF + 8), "call");
	CHECK(r.frames[1].exact);
	check_frame(&r, 2, AT(MIDDLE + 0x40), "lr");
	check_rest(&r, 3);
	/* before they are kept: t0 has what ra had */
	fk_put(&k, FK_STACK + 0x180 + 24, 0, 8);
	regs_set(&start.regs, PC, AT(CALLER));
	regs_set(&start.regs, SP, ON_STACK(0x2c0));
	regs_set(&start.regs, RA, AT(LEAF + 8));
	regs_set(&start.regs, T0, AT(MIDDLE + 0x40));
	r = walk(&start);
	check_frame(&r, 1, AT(LEAF + 8), "call");
	check_frame(&r, 2, AT(MIDDLE + 0x40), "lr");
	check_rest(&r, 3);
	fk_release(&k);
}

/* ---- notes without a pc */

static struct unwind_result note(uint64_t era, uint64_t sp, uint64_t ra)
{
	struct unwind_start start = { .exact = true, .pc_doubt = true };

	regs_set(&start.regs, PC, era);
	regs_set(&start.regs, SP, sp);
	regs_set(&start.regs, RA, ra);
	return walk(&start);
}

TEST(where_a_cpu_was)
{
	struct unwind_result r;

	make();
	code(MIDDLE + 0x3c, BL(MIDDLE + 0x3c, LEAF));
	code(OUTER + 0x3c, BL(OUTER + 0x3c, MIDDLE));
	/* leaf, which middle called: so it can be */
	r = note(AT(LEAF + 0x20), ON_STACK(0x100), AT(MIDDLE + 0x40));
	check_frame(&r, 0, AT(LEAF + 0x20), "regs");
	CHECK(r.frames[0].exact);
	check_rest(&r, 2);
	/* middle, behind its last call */
	r = note(AT(MIDDLE + 0x48), ON_STACK(0x100), AT(MIDDLE + 0x40));
	CHECK(r.frames[0].exact);
	check_rest(&r, 1);
	/* what an exception interrupted long ago: in a program, in nothing, in another function */
	for (unsigned i = 0; i < 3; i++) {
		const uint64_t era[] = { 0x120021088, 0, AT(START + 0x20) };

		r = note(era[i], ON_STACK(0x100), AT(MIDDLE + 0x40));
		check_frame(&r, 0, AT(MIDDLE + 0x40), "regs");
		CHECK(!r.frames[0].exact);
		check_rest(&r, 1);
	}
	/* what middle called has a frame by now */
	code(LEAF, ADDI_SP(-48));
	r = note(0, ON_STACK(0x100 - 48), AT(MIDDLE + 0x40));
	check_frame(&r, 0, AT(MIDDLE + 0x40), "regs");
	CHECK_U64(r.frames[0].sp, ON_STACK(0x100));
	check_rest(&r, 1);
	/* without a return address nothing is known better */
	r = note(AT(MIDDLE + 0x48), ON_STACK(0x100), 0x5050);
	CHECK_U64(r.frames[0].pc, AT(MIDDLE + 0x48));
	/* a program runs */
	r = note(AT(MIDDLE + 0x48), 0x7ffffbd200e0, AT(MIDDLE + 0x40));
	CHECK(r.complete && r.n == 1);
	fk_release(&k);
}

TEST_MAIN
