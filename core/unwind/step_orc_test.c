/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of steps by ORC: every base an entry can have (arch/x86/kernel/unwind_orc.c), saved
 * registers, and the ways out of code that has no entry. */
#include "core/base/test.h"
#include "core/unwind/orc.h"
#include "core/unwind/unwind_fake.h"

enum {
	RDX = 1,
	RDI = 5,
	RBP = 6,
	RSP = 7,
	R10 = 10,
	R13 = 13,
	RIP = 16
};
/* Bases and types as kernels from 6.4 to 7.0 number them. */
enum {
	UNDEFINED,
	PREV_SP,
	DX,
	DI,
	BP,
	SP,
	B_R10,
	B_R13,
	BP_IND,
	SP_IND
};
enum {
	NONE,
	END,
	CALL,
	REGS,
	PARTIAL
};

#define LEAF 0x1000
#define OUTER 0x1100
#define LAST 0x1200
#define HANDLER 0x1300
#define NOORC 0x1400
#define TOP (FK_STACK_END - FK_STACK)

static struct fake_stack_kernel k;
static struct unwind_start start;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

static void stack(uint64_t off, uint64_t value)
{
	fk_put(&k, FK_STACK + off, value, 8);
}

static void code_call(uint64_t ret, uint64_t to)
{
	fk_put(&k, ret - 5, 0xe8, 1);
	fk_put(&k, ret - 4, (uint32_t)(to - ret), 4);
}

/* leaf's entry is the one in question; outer's is of a frame of 16 bytes; last ends the stack. */
static void make(unsigned sp_reg, int sp_off, unsigned bp_reg, int bp_off, unsigned type,
		 bool signal)
{
	fk_init(&k, &arch_x86_64);
	k.new_orc = true;
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "last", LAST, 0x100, 't');
	fk_symbol(&k, "return_to_handler", HANDLER, 0x100, 'T');
	fk_symbol(&k, "__kretprobe_trampoline", 0x1600, 0x10, 'T');
	fk_symbol(&k, "noorc", NOORC, 0x100, 't');
	fk_orc(&k, LEAF, sp_reg, sp_off, bp_reg, bp_off, type, signal);
	fk_orc(&k, OUTER, SP, 16, UNDEFINED, 0, CALL, false);
	fk_orc(&k, LAST, UNDEFINED, 0, UNDEFINED, 0, END, false);
	fk_orc(&k, HANDLER, UNDEFINED, 0, UNDEFINED, 0, END, false);
	fk_orc(&k, NOORC, UNDEFINED, 0, UNDEFINED, 0, NONE, false);
	for (int i = 0; i < 16; i++)
		fk_orc(&k, 0x2000 + 0x10 * (uint64_t)i, SP, 8, UNDEFINED, 0, CALL, false);
	fk_ready(&k);
	memset(k.mem + LEAF, 0x90, 0x1000);
	code_call(OUTER + 0x20, LEAF);
	code_call(LAST + 0x20, OUTER);
	start = (struct unwind_start){ .how = "regs", .exact = true };
	regs_set(&start.regs, RIP, AT(LEAF + 0x40));
	regs_set(&start.regs, RSP, ON_STACK(0x100));
}

static struct unwind_result walk(void)
{
	struct phys_source phys = k.t.memory.phys;
	struct unwind_result r;

	mem_release(&k.t); /* it may have changed */
	k.t.memory.phys = phys;
	unwind(&k.t, &start, 0, &r);
	return r;
}

/* outer was called with the stack pointer at sp, and last called it. */
static void callers(uint64_t sp)
{
	stack(sp - 8, AT(OUTER + 0x20));
	stack(sp + 8, AT(LAST + 0x20));
}

TEST(every_base_of_the_stack_pointer)
{
	static const struct {
		unsigned base;
		int off;
		unsigned reg; /* and what it holds */
		uint64_t value;
		const char *name;
	} cases[] = {
		{ SP, 0x20, RSP, TOP - 0x40, "rsp" },  { BP, 0x30, RBP, TOP - 0x50, "rbp" },
		{ BP, -0x30, RBP, TOP + 0x10, "rbp" }, { DX, 0, RDX, TOP - 0x20, "rdx" },
		{ DI, 0, RDI, TOP - 0x20, "rdi" },     { B_R10, 0, R10, TOP - 0x20, "r10" },
		{ B_R13, 0, R13, TOP - 0x20, "r13" },  { BP_IND, -16, RBP, 0x810, "rbp" },
		{ SP_IND, 16, RSP, 0x200, "rsp" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(cases[i].base, cases[i].off, UNDEFINED, 0, CALL, false);
		regs_set(&start.regs, cases[i].reg, ON_STACK(cases[i].value));
		stack(0x800, ON_STACK(TOP - 0x20)); /* where rbp - 16 leads */
		stack(0x200, ON_STACK(TOP - 0x30)); /* where rsp leads, and 16 more */
		callers(TOP - 0x20);
		r = walk();
		CHECK(r.complete);
		if (CHECK_U64(r.n, 3)) {
			CHECK_U64(r.frames[1].pc, AT(OUTER + 0x20));
			CHECK_U64(r.frames[1].sp, ON_STACK(TOP - 0x20));
			CHECK_U64(r.frames[2].sp, ON_STACK(TOP - 0x10));
		}
		if (cases[i].reg != RSP) {
			start.regs.have &= ~(UINT64_C(1) << cases[i].reg);
			r = walk();
			CHECK_U64(r.n, 1);
			CHECK_ERR(r.end, ERR_NEED);
			CHECK_CONTAINS(r.end.msg, cases[i].name);
		}
		fk_release(&k);
	}
}

TEST(bases_that_no_kernel_writes)
{
	static const unsigned sp[] = { UNDEFINED, PREV_SP, 10, 15 }, bp[] = { DX, SP, 10 };

	for (size_t i = 0; i < ARRAY_SIZE(sp) + ARRAY_SIZE(bp); i++) {
		bool of_sp = i < ARRAY_SIZE(sp);
		struct unwind_result r;

		make(of_sp ? sp[i] : SP, 0x20, of_sp ? UNDEFINED : bp[i - ARRAY_SIZE(sp)], 0, CALL,
		     false);
		callers(0x120);
		r = walk();
		CHECK_U64(r.n, 1);
		CHECK_ERR(r.end, ERR_CORRUPT);
		CHECK_CONTAINS(r.end.msg, "unknown ORC entry");
		fk_release(&k);
	}
}

/* Another stack is only entered where the base is neither sp nor bp. */
TEST(which_bases_change_the_stack)
{
	static const struct {
		unsigned base, reg;
		bool may;
	} cases[] = { { DI, RDI, true }, { B_R10, R10, true }, { BP, RBP, false } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(cases[i].base, 0, UNDEFINED, 0, CALL, false);
		regs_set(&start.regs, RSP, FK_BASE + FK_IRQ + 0x100);
		regs_set(&start.regs, cases[i].reg, ON_STACK(TOP - 0x20));
		callers(TOP - 0x20);
		r = walk();
		CHECK_U64(r.n, cases[i].may ? 3 : 1);
		CHECK_U64(r.complete, cases[i].may);
		fk_release(&k);
	}
}

/*
 * asm_call_on_stack() of 5.10 (arch/x86/entry/entry_64.S): it pushes rbp, copies rsp to rbp and to
 * the last word of the IRQ stack, and calls there. Its entry says rbp + 16, and only that word says
 * that this leads to another stack.
 */
TEST(the_irq_stack_is_left_by_the_frame_pointer)
{
	static const struct {
		size_t top; /* of the callee's return address and of the copy */
		uint64_t copy;
		bool exact, crosses;
	} cases[] = { { FK_IRQ_END - 16, TOP - 0x30, false, true },
		      { FK_IRQ_END - 16, TOP - 0x38, false, false },   /* not rbp's value */
		      { FK_IRQ_END - 16, TOP - 0x30, true, false },    /* nothing was called */
		      { FK_IRQ_END - 24, TOP - 0x30, false, false } }; /* not the last word */

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(BP, 16, PREV_SP, -16, CALL, false);
		fk_put(&k, cases[i].top + 8, ON_STACK(cases[i].copy), 8);
		regs_set(&start.regs, RSP, AT(cases[i].top + 8));
		regs_set(&start.regs, RBP, ON_STACK(TOP - 0x30));
		start.exact = cases[i].exact;
		stack(TOP - 0x30, ON_STACK(0x123)); /* what was pushed */
		callers(TOP - 0x20);
		r = walk();
		CHECK_U64(r.complete, cases[i].crosses);
		CHECK_U64(r.n, cases[i].crosses ? 3 : 1);
		if (r.n == 3) {
			CHECK_STR(r.frames[0].stack, "IRQ");
			CHECK_STR(r.frames[1].stack, "TASK");
			CHECK_U64(r.frames[1].pc, AT(OUTER + 0x20));
			CHECK_U64(r.frames[1].sp, ON_STACK(TOP - 0x20));
		}
		fk_release(&k);
	}
}

/* rbp of the caller, which the frame after it is found by. */
TEST(every_base_of_the_frame_pointer)
{
	static const struct {
		unsigned base;
		int off;
		uint64_t rbp;
	} cases[] = { { UNDEFINED, 0, TOP - 0x50 }, { PREV_SP, -16, 0 }, { BP, 8, 0x500 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(SP, 0x20, cases[i].base, cases[i].off, CALL, false);
		fk_put(&k, FK_ORC + 6, 0x30, 2); /* outer's: BP + 0x30 */
		fk_put(&k, FK_ORC + 10, BP | CALL << 8, 2);
		if (cases[i].rbp)
			regs_set(&start.regs, RBP, ON_STACK(cases[i].rbp));
		stack(0x118, AT(OUTER + 0x20));
		stack(0x110, ON_STACK(TOP - 0x50)); /* prev_sp - 16 */
		stack(0x508, ON_STACK(TOP - 0x50)); /* bp + 8 */
		stack(TOP - 0x28, AT(LAST + 0x20));
		r = walk();
		CHECK(r.complete);
		CHECK_U64(r.n, 3);
		if (i == 2) { /* not known, and not readable */
			start.regs.have &= ~(UINT64_C(1) << RBP);
			r = walk();
			CHECK_U64(r.n, 1);
			CHECK_ERR(r.end, ERR_NEED);
			regs_set(&start.regs, RBP, AT(FK_SIZE));
			r = walk();
			CHECK_U64(r.n, 1);
			CHECK_ERR(r.end, ERR_UNMAPPED);
		}
		fk_release(&k);
	}
}

/* ---- saved registers */

static uint64_t named(const struct regs *r, const char *name)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < REGS_MAX; i++)
		if (arch_x86_64.reg_names[i] && !strcmp(arch_x86_64.reg_names[i], name) &&
		    regs_get(r, i, &v))
			return v;
	return UINT64_MAX;
}

/* The CPU's own five words: ip, cs, flags, sp, ss. */
static void cpu_saved(uint64_t off, uint64_t ip, uint64_t cs, uint64_t sp)
{
	const uint64_t words[] = { ip, cs, 0x246, sp, 0x18 };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		stack(off + 8 * i, words[i]);
}

TEST(all_registers_are_saved)
{
	for (int signal = 0; signal < 2; signal++) {
		struct unwind_result r;

		make(SP, 0x10, UNDEFINED, 0, REGS, signal);
		regs_set(&start.regs, R13, 13);
		stack(0x110 + 8 * 2, 1313); /* r15, r14, r13, r12, bp, bx: struct pt_regs */
		stack(0x110 + 8 * 4, 0xb9);
		cpu_saved(0x110 + 8 * 16, AT(OUTER + 0x20), 0x10, ON_STACK(TOP - 0x20));
		stack(TOP - 0x18, AT(LAST + 0x20));
		r = walk();
		CHECK(r.complete);
		REQUIRE(r.n == 3);
		CHECK(r.frames[0].has_regs && !r.frames[0].user);
		CHECK_U64(named(&r.frames[0].regs, "r13"), 1313);
		CHECK_U64(named(&r.frames[0].regs, "rbp"), 0xb9);
		CHECK_U64(named(&r.frames[0].regs, "ss"), 0x18);
		CHECK_U64(r.frames[1].exact, signal);
		CHECK_STR(r.frames[1].how, "pt_regs");
		CHECK_U64(r.frames[1].sp, ON_STACK(TOP - 0x20));
		fk_release(&k);
	}
}

TEST(the_cpu_alone_saved)
{
	static const struct {
		uint64_t ip, cs, sp;
		bool user;
	} cases[] = { { OUTER + 0x20, 0x10, TOP - 0x20, false }, { 0x401000, 0x33, 0x7000, true } };

	for (size_t i = 0; i < 2; i++) {
		bool user = cases[i].user;
		struct unwind_result r;

		make(SP, 0x10, UNDEFINED, 0, PARTIAL, true);
		regs_set(&start.regs, R13, 13);
		regs_set(&start.regs, RBP, 0xb9);
		cpu_saved(0x110, user ? 0x401000 : AT(OUTER + 0x20), cases[i].cs,
			  user ? 0x7000 : ON_STACK(TOP - 0x20));
		stack(TOP - 0x18, AT(LAST + 0x20));
		r = walk();
		CHECK(r.complete);
		CHECK_U64(r.n, user ? 1 : 3);
		CHECK(r.frames[0].has_regs);
		CHECK_U64(r.frames[0].user, user);
		/* what the CPU saved is new, the others are as they were */
		CHECK_U64(named(&r.frames[0].regs, "cs"), cases[i].cs);
		CHECK_U64(named(&r.frames[0].regs, "ss"), 0x18);
		CHECK_U64(named(&r.frames[0].regs, "rflags"), 0x246);
		CHECK_U64(named(&r.frames[0].regs, "r13"), 13);
		CHECK_U64(named(&r.frames[0].regs, "rbp"), 0xb9);
		CHECK_U64(named(&r.frames[0].regs, "rsp"), user ? 0x7000 : ON_STACK(TOP - 0x20));
		CHECK(!(r.frames[0].regs.have & 1)); /* rax was never known */
		fk_release(&k);
	}
	make(SP, 0xed8, UNDEFINED, 0, PARTIAL,
	     true); /* the last five words before what is not there */
	cpu_saved(0xfd8, 0x401000, 0x33, 0x7000);
	k.hole = FK_STACK / 0x1000 + 2;
	CHECK(walk().frames[0].user);
	fk_release(&k);
	make(SP, 0xf00 - 0x10, UNDEFINED, 0, PARTIAL, true); /* not all of them */
	cpu_saved(0xff0, 0x401000, 0x33, 0x7000);
	k.hole = FK_STACK / 0x1000 + 2;
	{
		struct unwind_result r = walk();

		CHECK_U64(r.n, 1);
		CHECK(!r.frames[0].has_regs);
		CHECK_ERR(r.end, ERR_EXCLUDED);
		CHECK_CONTAINS(r.end.msg, "saved registers");
	}
	fk_release(&k);
}

/* ---- without an entry */

static uint64_t pop_slot, pop_size;

static bool pop(struct target *t, uint64_t task, uint64_t *slot, uint64_t size, uint64_t *ret,
		struct err *err)
{
	(void)t;
	(void)task;
	(void)err;
	pop_slot = *slot;
	pop_size = size;
	*slot += 24;
	*ret = AT(LAST + 0x20);
	return true;
}

/* Inside of return_to_handler the address is on its way from the task's own list. */
TEST(return_to_handler_while_it_returns)
{
	static const struct {
		uint64_t pc;
		bool inside;
	} cases[] = { { HANDLER, true },
		      { HANDLER + 0x40, true },
		      { HANDLER + 0x7f, true },
		      { HANDLER + 0x80, false } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(SP, 8, UNDEFINED, 0, CALL, false);
		k.hooks.fgraph_pop = pop;
		regs_set(&start.regs, RIP, AT(cases[i].pc));
		regs_set(&start.regs, RSP, ON_STACK(TOP - 0x20));
		r = walk();
		CHECK(r.complete); /* by last's entry, or by that of the handler itself */
		CHECK_U64(r.n, cases[i].inside ? 2 : 1);
		if (r.n == 2) {
			CHECK_STR(r.frames[1].how, "fgraph");
			CHECK_U64(r.frames[1].pc, AT(LAST + 0x20));
			CHECK_U64(r.frames[1].sp, ON_STACK(TOP));
			CHECK_U64(pop_slot, ON_STACK(TOP - 0x20));
			CHECK_U64(pop_size, 64);
		}
		fk_release(&k);
	}
}

/* Nobody knows the task's list: its entry says that the stack ends. */
TEST(return_to_handler_without_a_list)
{
	static const struct unwind_hooks none;

	for (int i = 0; i < 2; i++) {
		struct unwind_result r;

		make(SP, 8, UNDEFINED, 0, CALL, false);
		if (i)
			k.t.unwind_hooks = &none;
		regs_set(&start.regs, RIP, AT(HANDLER + 0x40));
		regs_set(&start.regs, RSP, ON_STACK(TOP - 0x20));
		r = walk();
		CHECK_U64(r.n, 1);
		CHECK(!r.complete);
		fk_release(&k);
	}
}

static struct unwind_result from_noorc(uint64_t pc, uint64_t sp)
{
	regs_set(&start.regs, RIP, AT(pc));
	regs_set(&start.regs, RSP, ON_STACK(sp));
	return walk();
}

/* The word that follows a call of the very function, within 2 KiB and the stack. */
TEST(how_far_a_call_is_looked_for)
{
	static const struct {
		uint64_t sp, at;
		bool found;
	} cases[] = {
		{ 0x400, 0x400, true },         { 0x404, 0x400, true },
		{ 0x408, 0x400, false },        { 0x400, 0x400 + 2040, true },
		{ 0x400, 0x400 + 2048, false }, { TOP - 0x40, TOP - 8, true },
		{ TOP - 0x40, TOP, false }, /* another stack's */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(SP, 8, UNDEFINED, 0, CALL, false);
		code_call(LAST + 0x40, NOORC);
		stack(cases[i].at, AT(LAST + 0x40));
		r = from_noorc(NOORC + 0x40, cases[i].sp);
		CHECK_U64(r.n, cases[i].found ? 2 : 1);
		if (r.n == 2) {
			CHECK_STR(r.frames[1].how, "call");
			CHECK_U64(r.frames[1].sp, ON_STACK(cases[i].at + 8));
			CHECK(r.frames[1].sure);
		}
		fk_release(&k);
	}
}

/* A call that is the last on its page is read though the next page is not there. */
TEST(a_call_at_the_end_of_what_can_be_read)
{
	struct unwind_result r;

	make(SP, 8, UNDEFINED, 0, CALL, false);
	code_call(0x2000, NOORC);
	k.hole = 0x2000 / 0x1000 + 1;
	stack(0x400, AT(0x2000));
	r = from_noorc(NOORC + 0x40, 0x400);
	CHECK(r.n > 1 && r.frames[1].pc == AT(0x2000) && !strcmp(r.frames[1].how, "call"));
	fk_release(&k);
}

TEST(words_that_only_look_like_it)
{
	struct unwind_result r;

	make(SP, 8, UNDEFINED, 0, CALL, false);
	code_call(LAST + 0x40, NOORC);
	fk_symbol(&k, "next", NOORC + 0x100, 0x100, 't');
	code_call(LAST + 0x60, NOORC + 8); /* into the middle of it */
	code_call(0x8000, NOORC);          /* no text */
	stack(0x400, AT(LAST + 0x20));     /* a call of another */
	stack(0x408, AT(LAST + 0x60));
	stack(0x410, AT(0x8000));
	stack(0x418, AT(HANDLER)); /* taken, and nobody knows from whom */
	stack(0x420, AT(LAST + 0x40));
	r = from_noorc(NOORC + 0x40, 0x400);
	REQUIRE(r.n == 2);
	CHECK(r.frames[1].sure);
	CHECK_U64(r.frames[1].sp, ON_STACK(0x428));
	/* the function's last instruction was a call */
	start.exact = false;
	r = from_noorc(NOORC + 0x100, 0x400);
	CHECK_U64(r.n, 2);
	r = from_noorc(NOORC + 0x101, 0x400); /* a byte further it is not its own */
	CHECK_U64(r.n, 1);
	start.exact = true;
	/* the true one was taken by function_graph */
	stack(0x420, AT(HANDLER));
	k.shadow[0][0] = ON_STACK(0x420);
	k.shadow[0][1] = AT(LAST + 0x40);
	r = from_noorc(NOORC + 0x40, 0x400);
	REQUIRE(r.n == 2);
	CHECK_U64(r.frames[1].pc, AT(LAST + 0x40));
	CHECK_STR(r.frames[1].how, "fgraph");
	fk_release(&k);
}

/* Through a function that nobody knows, rbp may be anybody's: what it leads to is believed where it
 * follows a call. */
TEST(a_frame_pointer_in_doubt)
{
	for (int call = 0; call < 2; call++) {
		struct unwind_result r;

		make(BP, 16, PREV_SP, -16, CALL, false);
		code_call(LEAF + 0x60, NOORC);
		regs_set(&start.regs, RBP, ON_STACK(TOP - 0x30));
		stack(0x400, AT(LEAF + 0x60));
		stack(TOP - 0x30, 0);
		stack(TOP - 0x28, AT(OUTER + (call ? 0x20 : 0x24)));
		stack(TOP - 0x18, AT(LAST + 0x20));
		r = from_noorc(NOORC + 0x40, 0x400);
		CHECK_U64(r.complete, call);
		CHECK_U64(r.n, call ? 4 : 2);
		if (!call) {
			CHECK_ERR(r.end, ERR_CORRUPT);
			CHECK_CONTAINS(r.end.msg, "the frame pointer is not known in 'leaf");
		}
		fk_release(&k);
	}
}

static uint64_t taken_by;

static bool rethook(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret, struct err *err)
{
	(void)t;
	(void)task;
	(void)err;
	taken_by = slot;
	*ret = AT(LAST + 0x20);
	return true;
}

/* Code that no table knows: what is on top of the stack follows a call, or rbp tells. */
TEST(code_made_at_run_time)
{
	struct unwind_result r;

	make(SP, 8, UNDEFINED, 0, CALL, false);
	k.hooks.rethook_ret = rethook;
	fk_put(&k, 0x1600 - 5, 0xe8, 1); /* as if something had called */
	regs_set(&start.regs, RBP, ON_STACK(TOP - 16));
	stack(TOP - 16, 0);
	stack(TOP - 8, AT(LAST + 0x20));
	stack(0x400, AT(OUTER + 0x24)); /* text, behind no call */
	r = from_noorc(FK_TASK, 0x400);
	CHECK(r.complete);
	REQUIRE(r.n == 2);
	CHECK_STR(r.frames[1].how, "fp");
	CHECK_U64(r.frames[1].sp, ON_STACK(TOP));
	stack(0x400, AT(0x8020)); /* behind a call, and no text */
	code_call(0x8020, NOORC);
	r = from_noorc(FK_TASK, 0x400);
	CHECK(r.n == 2 && !strcmp(r.frames[1].how, "fp"));
	/* what a kretprobe took is known by its place */
	stack(TOP - 8, AT(0x1600));
	r = from_noorc(FK_TASK, 0x400);
	CHECK(r.n == 2);
	CHECK_U64(taken_by, ON_STACK(TOP - 8));
	stack(TOP - 0x20, AT(0x1600));
	r = from_noorc(FK_TASK, TOP - 0x20);
	CHECK_U64(taken_by, ON_STACK(TOP - 0x20));
	CHECK(r.n == 2 && r.frames[1].sp == ON_STACK(TOP - 0x18));
	fk_release(&k);
	make(SP, 0x20, UNDEFINED, 0, CALL, false); /* an entry's slot is below the caller's sp */
	k.hooks.rethook_ret = rethook;
	stack(0x118, AT(0x1600));
	walk();
	CHECK_U64(taken_by, ON_STACK(0x118));
	fk_release(&k);
}

static bool copied(struct target *t, uint64_t pc, uint64_t *ret)
{
	(void)t;
	*ret = AT(LEAF + 0x40);
	return pc == AT(FK_TASK);
}

/* A trampoline is a copy of the kernel's own code, and its table that of the original. */
TEST(copies_of_code)
{
	struct unwind_result r;

	make(SP, 0x20, UNDEFINED, 0, CALL, false);
	k.hooks.trampoline_of = copied;
	callers(TOP - 0x20);
	r = from_noorc(FK_TASK, TOP - 0x40);
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	CHECK(r.n == 3 && !strcmp(r.frames[1].how, "orc"));
	fk_release(&k);
}

/* What the hook does not know, or calls a copy of no code, has no table. */
static bool copied_of_nothing(struct target *t, uint64_t pc, uint64_t *ret)
{
	(void)t;
	*ret = pc == AT(FK_TASK) ? AT(FK_TASK + 0x100) : AT(LEAF + 0x40);
	return pc == AT(FK_TASK);
}

TEST(what_is_no_copy_of_code)
{
	static const uint64_t pcs[] = { FK_TASK, FK_TASK + 8 };

	for (size_t i = 0; i < ARRAY_SIZE(pcs); i++) {
		make(SP, 0x20, UNDEFINED, 0, CALL, false);
		k.hooks.trampoline_of = copied_of_nothing;
		callers(TOP - 0x20);
		CHECK_U64(from_noorc(pcs[i], TOP - 0x40).n, 1);
		fk_release(&k);
	}
}

/* ---- which table */

static uint8_t section_ip[4 * 32], section_orc[6 * 32];
static size_t section_n;

static bool orc_section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	bool ip = !strcmp(name, ".orc_unwind_ip");

	(void)self;
	if (!ip && strcmp(name, ".orc_unwind") != 0)
		return false;
	*ret = ip ? SPAN(section_ip, 4 * k.n_orc) : SPAN(section_orc, 6 * section_n);
	*addr = FK_BASE + (ip ? FK_IP : FK_ORC) - k.t.kaslr; /* as it was linked */
	return true;
}

static void make_sections(void)
{
	make(SP, 0x20, UNDEFINED, 0, CALL, false);
	memcpy(section_ip, k.mem + FK_IP, sizeof(section_ip));
	memcpy(section_orc, k.mem + FK_ORC, sizeof(section_orc));
	section_n = k.n_orc;
	k.t.vmlinux.file = (struct file *)&k; /* there is one; it is not looked at */
	k.t.vmlinux.section = orc_section;
	regs_set(&start.regs, RSP, ON_STACK(TOP - 0x40));
	callers(TOP - 0x20);
}

static void swap_entries(uint8_t *ip, size_t a, size_t b)
{
	uint32_t x = load_le32(ip + 4 * a) + 4 * (uint32_t)(a - b),
		 y = load_le32(ip + 4 * b) + 4 * (uint32_t)(b - a);

	for (size_t i = 0; i < 4; i++) {
		ip[4 * b + i] = (uint8_t)(x >> 8 * i);
		ip[4 * a + i] = (uint8_t)(y >> 8 * i);
	}
}

/* Until f14bf6a350df (v5.6) a vmlinux's was sorted at boot only: then the dump's is the one. */
TEST(a_table_that_is_not_sorted_yields_to_one_that_is)
{
	struct unwind_result r;

	make_sections();
	for (size_t i = 0; i < k.n_orc / 2; i++)
		swap_entries(section_ip, i, k.n_orc - 1 - i);
	r = walk();
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	CHECK_U64(k.t.warnings.n, 0);
	k.t.vmlinux.file = NULL;
	fk_release(&k);
	make_sections(); /* a few in the wrong order are damage: what is sound of it is used */
	swap_entries(section_ip, 19, 20);
	swap_entries(k.mem + FK_IP, 19, 20);
	r = walk();
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	CHECK_STR(r.frames[1].how, "orc");
	k.t.vmlinux.file = NULL;
	fk_release(&k);
}

/* It was found, and a part of it cannot be read: nobody guesses what that says. */
TEST(a_table_with_a_hole)
{
	static const uint32_t pages[] = { FK_IP / 0x1000, FK_ORC / 0x1000 };

	for (size_t i = 0; i < 2; i++) {
		struct phys_source phys;
		struct err err;
		struct orc o;

		make(SP, 0x20, UNDEFINED, 0, CALL, false);
		CHECK(orc_loaded(&k.t));
		CHECK_OK(orc_find(&k.t, AT(OUTER), &o, &err), err);
		phys = k.t.memory.phys;
		mem_release(&k.t);
		k.t.memory.phys = phys;
		k.hole = pages[i] + 1;
		CHECK(!orc_find(&k.t, AT(LEAF + 0x40), &o, &err));
		CHECK_ERR(err, ERR_EXCLUDED);
		CHECK_CONTAINS(err.msg, "ORC table");
		CHECK_OK(orc_find(&k.t, AT(OUTER), &o, &err), err); /* that is kept */
		fk_release(&k);
	}
}

/* In no order at all it is no table, wherever it lies. */
TEST(a_table_in_no_order)
{
	struct err err;
	struct orc o;

	make_sections();
	for (size_t i = 0; i < k.n_orc / 2; i++) {
		swap_entries(section_ip, i, k.n_orc - 1 - i);
		swap_entries(k.mem + FK_IP, i, k.n_orc - 1 - i);
	}
	CHECK(!orc_loaded(&k.t));
	CHECK(!orc_find(&k.t, AT(LEAF + 0x40), &o, &err));
	CHECK_ERR(err, ERR_FORMAT);
	CHECK_CONTAINS(err.msg, "not sorted");
	k.t.vmlinux.file = NULL;
	fk_release(&k);
}

/* What the code contradicts is told once for a dump, however many stacks show it. */
TEST(a_doubt_is_told_once)
{
	make(SP, 0x20, UNDEFINED, 0, CALL, false);
	orc_doubt(&k.t, AT(LEAF + 4), "first");
	orc_doubt(&k.t, AT(OUTER), "second");
	CHECK_U64(k.t.warnings.n, 1);
	CHECK_CONTAINS(k.t.warnings.p[0].text, "'leaf+0x4'");
	CHECK_CONTAINS(k.t.warnings.p[0].text, "first");
	fk_release(&k);
}

/* The kernel was moved: its text and the table's distances with it. */
TEST(a_table_of_a_kernel_that_was_moved)
{
	struct unwind_result r;

	make_sections();
	k.t.kaslr = 0x12000000;
	r = walk();
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	k.t.vmlinux.file = NULL;
	fk_release(&k);
}

/* Of two sections that do not fit each other, what both have. */
TEST(a_table_as_long_as_its_shorter_part)
{
	struct unwind_result r;

	make_sections();
	section_n = 2; /* leaf's and outer's; last's is not there */
	r = walk();
	CHECK_U64(r.n, 3);
	CHECK(!r.complete);
	k.t.vmlinux.file = NULL;
	fk_release(&k);
}

TEST_MAIN
