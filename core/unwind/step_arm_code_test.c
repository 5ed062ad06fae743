/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of carrying out 32-bit ARM's tracing code: each instruction by what the Arm ARM (DDI 0406C)
 * says it does, then the stack, then where the code goes on. */
#include "core/base/test.h"
#include "core/unwind/step.h"
#include "core/unwind/unwind_fake.h"

enum {
	FP = 11,
	IP,
	SP,
	LR,
	PC
};

#define CODE 0x1000
#define STACK 0x9000  /* where sp points; words below and above it are numbered from WORDS on */
#define WORDS 0x70000 /* the word at sp + 4 * n is WORDS + n */
#define BX_LR 0xe12fff1e
#define POP_PC 0xe49df004 /* ldr pc, [sp], #4 */

static struct fake_stack_kernel k;
static struct step step;
static struct err err;

static uint32_t base(void)
{
	return (uint32_t)fk_base(&k);
}

/* Every register has a value of its own; lr one in text. */
static uint32_t initial(unsigned reg)
{
	switch (reg) {
	case SP:
		return base() + STACK;
	case LR:
		return base() + 0x2000;
	case PC:
		return base() + CODE;
	default:
		return 0x100 * reg + 0x11;
	}
}

static void start(const char *name, uint64_t size)
{
	fk_init(&k, &arch_arm);
	fk_symbol(&k, name, CODE, size, 'T');
	fk_symbol(&k, "behind", CODE + size, 0x1000 - size, 'T');
	fk_ready(&k);
	for (uint32_t n = 0; n < 128; n++)
		fk_put(&k, STACK + 4 * n - 256, WORDS + n - 64, 4);
}

/* Memory was changed: what was read of it is no longer so. */
static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

/* From the first of `code` on, or from `at` bytes behind it. */
static enum step_result run_from(const uint32_t *code, size_t n, uint32_t at, bool exact)
{
	struct unwinder u = { .t = &k.t, .exact = exact };

	for (size_t i = 0; i < n; i++)
		fk_put(&k, CODE + 4 * i, code[i], 4);
	for (unsigned i = 0; i < 16; i++)
		regs_set(&u.regs, i, initial(i) + (i == PC ? at : 0));
	forget();
	step = (struct step){ 0 };
	err = (struct err){ 0 };
	return step_arm_code(&u, &step, &err);
}

static enum step_result run(const uint32_t *code, size_t n)
{
	return run_from(code, n, 0, true);
}

/* `known` are the registers that must be known; all but those listed keep what they had. */
struct after {
	unsigned reg;
	uint32_t value;
};

static void check_regs(uint32_t known, const struct after *changed, size_t n)
{
	for (unsigned i = 0; i < 16; i++) {
		uint32_t want = initial(i);
		uint64_t got = 0;

		for (size_t j = 0; j < n; j++)
			if (changed[j].reg == i)
				want = changed[j].value;
		if (CHECK(regs_get(&step.regs, i, &got) == (known >> i & 1)) && known >> i & 1)
			CHECK_U64(got, want);
	}
}

#define ALL 0xffffu
#define WITHOUT(reg) (ALL & ~(1u << (reg)))

TEST(one_instruction_at_a_time)
{
	static const struct {
		uint32_t insn, known;
		unsigned reg;
		uint32_t value; /* of reg; added to sp's where from_sp */
		bool from_sp;
		int32_t sp; /* moved by */
	} cases[] = {
		{ 0xe28d0014, ALL, 0, 20, true, 0 },                 /* add r0, sp, #20 */
		{ 0xe28d70ff, ALL, 7, 255, true, 0 },                /* add r7, sp, #255 */
		{ 0xe24d30fc, ALL, 3, -252u, true, 0 },              /* sub r3, sp, #252 */
		{ 0xe24d5011, ALL, 5, -17u, true, 0 },               /* sub r5, sp, #17 */
		{ 0xe28dd008, ALL, SP, 8, true, 8 },                 /* add sp, sp, #8 */
		{ 0xe24dd010, ALL, SP, -16u, true, -16 },            /* sub sp, sp, #16 */
		{ 0xe1a0100b, ALL, 1, 0x100 * FP + 0x11, false, 0 }, /* mov r1, fp */
		{ 0xe1a0c00d, ALL, IP, 0, true, 0 },                 /* mov ip, sp */
		{ 0xe1a0c003, ALL, IP, 0x311, false, 0 },            /* mov ip, r3 */
		{ 0xe1a02013, WITHOUT(2), 2, 0, false, 0 },          /* lsl r2, r3, r0 */
		{ 0xe3c22001, WITHOUT(2), 2, 0, false, 0 },          /* bic r2, r2, #1 */
		{ 0xe24bb004, WITHOUT(FP), FP, 0, false, 0 },        /* sub fp, fp, #4 */
		{ 0xe3015234, WITHOUT(5), 5, 0, false, 0 },          /* movw r5, #0x1234 */
		{ 0xe59d1010, ALL, 1, WORDS + 4, false, 0 },         /* ldr r1, [sp, #16] */
		{ 0xe51d1004, ALL, 1, WORDS - 1, false, 0 },         /* ldr r1, [sp, #-4] */
		{ 0xe49d4008, ALL, 4, WORDS, false, 8 },             /* ldr r4, [sp], #8 */
		{ 0xe5bd4008, ALL, 4, WORDS + 2, false, 8 },         /* ldr r4, [sp, #8]! */
		{ 0xe53d9010, ALL, 9, WORDS - 4, false, -16 },       /* ldr r9, [sp, #-16]! */
		{ 0xe41d9010, ALL, 9, WORDS, false, -16 },           /* ldr r9, [sp], #-16 */
		{ 0xe58d1010, ALL, SP, 0, true, 0 },                 /* str r1, [sp, #16] */
		{ 0xe52d1004, ALL, SP, -4u, true, -4 },              /* str r1, [sp, #-4]! */
		{ 0xe92d000f, ALL, SP, -16u, true, -16 },            /* push {r0-r3} */
		{ 0xe92d5810, ALL, SP, -16u, true, -16 },            /* push {r4, fp, ip, lr} */
		{ 0xe8bd0004, ALL, 2, WORDS, false, 4 },             /* pop {r2} */
		{ 0xe5902000, WITHOUT(2), 2, 0, false, 0 },          /* ldr r2, [r0] */
		{ 0xe59bb010, WITHOUT(FP), FP, 0, false, 0 },        /* ldr fp, [fp, #16] */
		{ 0xe51f3010, WITHOUT(3), 3, 0, false, 0 },          /* ldr r3, [pc, #-16] */
	};

	start("ftrace_caller", 0x100);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t sp = base() + STACK + (uint32_t)cases[i].sp;
		const uint32_t code[] = { cases[i].insn, BX_LR };
		const struct after changed[] = {
			{ cases[i].reg, cases[i].value + (cases[i].from_sp ? initial(SP) : 0) },
			{ SP, sp },
			{ PC, initial(LR) },
		};

		if (!CHECK_U64(run(code, 2), STEP_FRAME))
			printf("  instruction %#x: %s\n", cases[i].insn, err.msg);
		check_regs(cases[i].known, changed, 3);
		CHECK_STR(step.how, "code");
		CHECK(step.leaf && step.exact);
		CHECK_U64(step.slot, cases[i].known >> FP & 1 ? initial(FP) : 0);
	}
	fk_release(&k);
}

/* pop {r0, r2, r9, lr}: the lowest number at the lowest address. */
TEST(several_are_popped_in_order)
{
	static const uint32_t code[] = { 0xe8bd4205, BX_LR };
	const struct after changed[] = { { 0, WORDS }, { 2, WORDS + 1 }, { 9, WORDS + 2 } };

	start("ftrace_caller", 0x100);
	fk_put(&k, STACK + 12, base() + 0x2200, 4);
	CHECK_U64(run(code, 2), STEP_FRAME);
	for (size_t i = 0; i < ARRAY_SIZE(changed); i++)
		CHECK_U64(step.regs.r[changed[i].reg], changed[i].value);
	CHECK_U64(step.regs.r[LR], base() + 0x2200);
	CHECK_U64(step.regs.r[PC], base() + 0x2200);
	CHECK_U64(step.regs.r[SP], initial(SP) + 16);
	fk_release(&k);
}

/* Which registers a called function may change, by the procedure call standard (IHI 0042): r0 to
 * r3, ip and lr. Whatever distance the call has. */
TEST(a_call_returns)
{
	static const uint32_t calls[] = { 0xeb000000, 0xeb0594b3, 0xebffffff, 0xeb800010 };

	start("ftrace_caller", 0x100);
	fk_put(&k, STACK, base() + 0x2100, 4);
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		const uint32_t code[] = { calls[i], POP_PC };
		const struct after changed[] = { { SP, initial(SP) + 4 }, { PC, base() + 0x2100 } };

		CHECK_U64(run(code, 2), STEP_FRAME);
		check_regs(0xaff0, changed, 2);
	}
	fk_release(&k);
}

/* b: from the address of the branch and 8, forwards and backwards. */
TEST(a_jump_goes_where_it_says)
{
	static const uint32_t over[] = { 0xea000001, 0xee000000, 0xee000000, BX_LR };
	static const uint32_t back[] = { BX_LR, 0xee000000, 0xeafffffc };
	static const uint32_t far_away[] = { 0xea0003fe }; /* to CODE + 0x1000 */

	start("ftrace_caller", 0x100);
	CHECK_U64(run(over, 4), STEP_FRAME);
	CHECK_U64(step.regs.r[PC], initial(LR));
	CHECK_U64(run_from(back, 3, 8, true), STEP_FRAME);
	CHECK_U64(step.regs.r[PC], initial(LR));
	fk_put(&k, CODE + 0x1000, 0xe1a0f000, 4); /* mov pc, r0 */
	CHECK_U64(run(far_away, 1), STEP_FRAME);
	CHECK_U64(step.regs.r[PC], 0x10);
	fk_release(&k);
}

/* What the code itself stored is what it loads, the newest first; not what memory held before. */
TEST(what_was_stored_is_loaded)
{
	static const uint32_t code[] = {
		0xe92d0016, /* push {r1, r2, r4} */
		0xe58d5004, /* str r5, [sp, #4] */
		0xe59d6004, /* ldr r6, [sp, #4] */
		0xe59d7000, /* ldr r7, [sp] */
		0xe59d8008, /* ldr r8, [sp, #8] */
		0xe59d900c, /* ldr r9, [sp, #12]: above what was pushed */
		BX_LR,
	};
	static const uint32_t lost[] = {
		0xeb000000, /* bl: r0 and r1 are lost */
		0xe92d0013, /* push {r0, r1, r4} */
		0xe8bd0260, /* pop {r5, r6, r9} */
		POP_PC,
	};

	start("ftrace_caller", 0x100);
	CHECK_U64(run(code, ARRAY_SIZE(code)), STEP_FRAME);
	CHECK_U64(step.regs.r[6], initial(5));
	CHECK_U64(step.regs.r[7], initial(1));
	CHECK_U64(step.regs.r[8], initial(4));
	CHECK_U64(step.regs.r[9], WORDS);
	CHECK_U64(step.regs.r[SP], initial(SP) - 12);
	fk_put(&k, STACK, base() + 0x2100, 4);
	CHECK_U64(run(lost, ARRAY_SIZE(lost)), STEP_FRAME);
	CHECK_U64(step.regs.have & 0x260, 0x200); /* r9 alone, which is r4's */
	CHECK_U64(step.regs.r[9], initial(4));
	fk_release(&k);
}

TEST(what_no_tracing_code_does)
{
	static const uint32_t bad[] = {
		0x0a000000, /* beq */
		0x1b000000, /* blne */
		0xe92d2001, /* push {r0, sp} */
		0xe8bd2001, /* pop {r0, sp} */
		0xe8900002, /* ldm r0, {r1} */
		0xe8ad0002, /* stm sp!, {r1} */
		0xe590c000, /* ldr ip, [r0] */
		0xe590f000, /* ldr pc, [r0] */
		0xe5810000, /* str r0, [r1] */
		0xe28cc001, /* add ip, ip, #1 */
		0xe3a0e000, /* mov lr, #0 */
		0xee000000, /* of a coprocessor */
		0xf57ff05f, /* dmb */
	};
	uint32_t code[64];

	start("ftrace_caller", 0x100);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const uint32_t two[] = { bad[i], BX_LR };

		if (!CHECK_U64(run(two, 2), STEP_BROKEN))
			printf("  instruction %#x\n", bad[i]);
		CHECK_ERR(err, ERR_UNSUPPORTED);
		CHECK_U64(err.addr, base() + CODE + 4);
	}
	for (size_t i = 0; i < ARRAY_SIZE(code); i++)
		code[i] = 0xe28dd000; /* add sp, sp, #0 */
	code[63] = BX_LR;
	CHECK_U64(run(code, 64), STEP_FRAME);
	code[63] = 0xeafffffe; /* b to itself */
	CHECK_U64(run(code, 64), STEP_BROKEN);
	CHECK_ERR(err, ERR_LIMIT);
	/* 32 words of stack are kept in mind */
	for (size_t i = 0; i < 9; i++)
		code[i] = i < 8 ? 0xe92d000f : BX_LR; /* push {r0-r3} */
	CHECK_U64(run(code, 9), STEP_FRAME);
	code[8] = 0xe52d1004; /* str r1, [sp, #-4]! */
	code[9] = BX_LR;
	CHECK_U64(run(code, 10), STEP_BROKEN);
	CHECK_ERR(err, ERR_UNSUPPORTED);
	fk_release(&k);
}

TEST(what_cannot_be_read)
{
	static const uint32_t stack[] = { 0xe8bd0003, BX_LR }, single[] = { 0xe59d1010, BX_LR };

	start("ftrace_caller", 0x100);
	k.hole = STACK / 0x1000 + 1;
	CHECK_U64(run(stack, 2), STEP_BROKEN);
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK_CONTAINS(err.msg, "the tracing code's stack");
	CHECK_U64(run(single, 2), STEP_BROKEN);
	CHECK_ERR(err, ERR_EXCLUDED);
	fk_release(&k);
	start("ftrace_caller", 0x100);
	k.hole = CODE / 0x1000 + 1;
	CHECK_U64(run(stack, 2), STEP_BROKEN);
	CHECK_ERR(err, ERR_EXCLUDED);
	fk_release(&k);
}

/* At a return address nothing is known of what its call may change. */
TEST(behind_a_call_the_scratch_registers_are_unknown)
{
	static const uint32_t code[] = { POP_PC };
	const struct after changed[] = { { SP, 0 }, { PC, 0 } };
	struct after now[2];

	start("ftrace_caller", 0x100);
	fk_put(&k, STACK, (base() + 0x2100) | 1, 4); /* Thumb code: the address is even */
	memcpy(now, changed, sizeof(now));
	now[0].value = initial(SP) + 4;
	now[1].value = base() + 0x2100;
	CHECK_U64(run_from(code, 1, 0, false), STEP_FRAME);
	check_regs(0xaff0, now, 2);
	CHECK(step.exact);
	fk_release(&k);
}

/* Where the address comes from what return_to_handler called, that function knows; whose code it
 * is, is asked at the call. */
TEST(only_a_handler_returns_to_what_was_taken)
{
	static const uint32_t code[] = {
		0xeb000000, /* bl ftrace_return_to_handler */
		0xe1a0e000, /* mov lr, r0 */
		BX_LR,
	};

	start("return_to_handler", 0x100);
	CHECK_U64(run(code, 3), STEP_FRAME);
	CHECK_U64(step.regs.r[PC], base() + CODE);
	CHECK(!step.exact); /* it stands for a return address */
	CHECK(!(step.regs.have >> LR & 1));
	fk_release(&k);
	start("ftrace_caller", 0x100);
	CHECK_U64(run(code, 3), STEP_BROKEN);
	CHECK_ERR(err, ERR_NOTFOUND);
	fk_release(&k);
	/* the call is the last of it: what follows is somebody else's */
	start("return_to_handler", 4);
	CHECK_U64(run_from(code, 3, 4, false), STEP_FRAME);
	CHECK_U64(step.regs.r[PC], base() + CODE);
	CHECK_U64(run_from(code + 1, 2, 0, true), STEP_FRAME);
	CHECK_U64(step.regs.r[PC], initial(0) & ~1u);
	fk_release(&k);
}

TEST_MAIN
