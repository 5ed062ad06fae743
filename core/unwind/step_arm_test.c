/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of 32-bit ARM's steps: by exception index (Arm IHI 0038), through exceptions, to where
 * stacks begin, and by frame pointers. */
#include "core/base/test.h"
#include "core/unwind/unwind_fake.h"

enum {
	FP = 11,
	IP,
	SP,
	LR,
	PC
};

#define EARLY 0x0f00  /* before the first entry of the index */
#define LEAF 0x1000   /* pushed r4 and lr */
#define MIDDLE 0x1100 /* pushed r4, r5 and lr */
#define BARE 0x1200   /* pushed nothing */
#define FRAMED 0x1280 /* pushed r4 to r11 and lr */
#define ENTRY 0x1300  /* of an exception: saved all registers */
#define BAD 0x1340    /* the same without room; the index tells sp and pc alone */
#define ODD 0x1380    /* sp and pc, but of no saved registers */
#define REFUSE 0x1400
#define FIRST 0x1500
#define LABEL 0x1580  /* in FIRST's entry */
#define BEGIN 0x1600  /* as FIRST, outside of the entry's text */
#define TRACER 0x1700 /* of tracing code, which no index describes; in BEGIN's entry */
#define EXTAB 0x5000

#define SVC 0x60000013u /* CPSR's mode: the kernel, a program */
#define USR 0x60000010u
#define POP_R4_PC 0xe8bd8010
#define NOP 0xe1a00000
#define BL 0xeb000000

static struct fake_stack_kernel k;
static uint64_t taken_by; /* the slot that a kretprobe's address was asked by */

#define AT(off) ((uint32_t)FK_BASE + (uint32_t)(off))
#define ON_STACK(off) ((uint32_t)FK_BASE + FK_STACK + (uint32_t)(off))
#define TOP (FK_STACK_END - FK_STACK)

/* Words of the stack from off on. */
static void words(uint32_t off, const uint32_t *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fk_put(&k, FK_STACK + off + 4 * i, w[i], 4);
}
#define STACK(off, ...)                               \
	words(off, (const uint32_t[]){ __VA_ARGS__ }, \
	      ARRAY_SIZE(((const uint32_t[]){ __VA_ARGS__ })))

/* struct pt_regs (arch/arm/include/asm/ptrace.h): r0 to pc, cpsr, orig_r0; r4 to r11 are theirs. */
static void saved(uint32_t off, uint32_t sp, uint32_t lr, uint32_t pc, uint32_t cpsr)
{
	for (uint32_t i = 0; i < 13; i++)
		STACK(off + 4 * i, 0x5000 + i);
	STACK(off + 4 * SP, sp, lr, pc, cpsr, 0xffffffff);
}

static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

static bool rethook(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret, struct err *err)
{
	(void)t;
	(void)task;
	(void)err;
	taken_by = slot;
	*ret = AT(BEGIN + 0x20);
	return true;
}

static void index_entry(size_t i, uint32_t func, uint32_t word)
{
	uint32_t at = FK_IP + 8 * (uint32_t)i;

	fk_put(&k, at, (func - at) & 0x7fffffff, 4);
	fk_put(&k, at + 4, word < 0x1000 && word != 1 ? EXTAB + word - (at + 4) : word, 4);
}

static void make(void)
{
	static const struct {
		const char *name;
		uint32_t func, word;
	} all[] = {
		{ "leaf", LEAF, 0x80a8b0b0 },
		{ "middle", MIDDLE, 0x80a9b0b0 },
		{ "bare", BARE, 0x80b0b0b0 },
		{ "framed", FRAMED, 0x80afb0b0 },
		{ "__irq_svc", ENTRY, 0 },
		{ "__bad_stack", BAD, 16 },
		{ "odd", ODD, 32 },
		{ "refuse", REFUSE, 0x808000b0 },
		{ "ret_from_fork", FIRST, 1 },
		{ "begin", BEGIN, 1 },
	};
	static const uint32_t tables[] = {
		/* pop {r0-r3}; pop {r4-pc} */
		0x8101b10f,
		0x8fffb0b0,
		0,
		0,
		/* sp += 60; pop {pc}; sp -= 12; pop {sp} */
		0x81020e88,
		0x00428200,
		0xb0b0b0b0,
		0,
		/* sp += 56; pop {pc}; sp -= 8; pop {sp}: pc from where pt_regs has lr */
		0x81020d88,
		0x00418200,
		0xb0b0b0b0,
		0,
	};

	fk_init(&k, &arch_arm);
	k.hooks.rethook_ret = rethook;
	fk_symbol(&k, "early", EARLY, 0x100, 't');
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		uint32_t end = i + 1 < ARRAY_SIZE(all) ? all[i + 1].func : BEGIN + 0x100;

		index_entry(i, all[i].func, all[i].word);
		if (all[i].func == FIRST)
			end = LABEL;
		fk_symbol(&k, all[i].name, all[i].func, end - all[i].func, 't');
	}
	fk_symbol(&k, "ret_fast_syscall", LABEL, BEGIN - LABEL, 't');
	fk_symbol(&k, "ftrace_stub", TRACER, 0x10, 'T');
	fk_symbol(&k, "behind_it", TRACER + 0x10, 0x10, 't');
	fk_symbol(&k, "__kretprobe_trampoline", 0x1800, 0x100, 'T');
	fk_symbol(&k, "__entry_text_start", ENTRY, 0, 'T');
	fk_symbol(&k, "__entry_text_end", BEGIN, 0, 'T');
	fk_symbol(&k, "__start_unwind_idx", FK_IP, 0, 'R');
	fk_symbol(&k, "__stop_unwind_idx", FK_IP + 8 * ARRAY_SIZE(all), 0, 'R');
	fk_ready(&k);
	for (uint32_t at = EARLY; at < FK_TEXT_END; at += 4)
		fk_put(&k, at, at % 0x20 == 0x1c ? BL : NOP, 4); /* all return to + 0x20 */
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		fk_put(&k, EXTAB + 4 * i, tables[i], 4);
}

/* Every register has a value of its own. */
static struct unwind_result walk(uint32_t pc, uint32_t sp, uint32_t fp, uint32_t lr)
{
	struct unwind_start start = { .how = "regs", .exact = true, .registers = true };
	struct unwind_result r;

	forget();
	for (unsigned i = 0; i < 13; i++)
		regs_set(&start.regs, i, 0x700 + i);
	regs_set(&start.regs, FP, fp);
	regs_set(&start.regs, SP, sp);
	regs_set(&start.regs, LR, lr);
	regs_set(&start.regs, PC, pc);
	unwind(&k.t, &start, 0, &r);
	return r;
}

/* ---- by the index */

TEST(frame_after_frame)
{
	struct unwind_result r;

	make();
	STACK(TOP - 20, 4, AT(MIDDLE + 0x20), 44, 55, AT(BEGIN + 0x20));
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 20), 0, 0);
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	CHECK_U64(r.frames[1].sp, ON_STACK(TOP - 12));
	CHECK_STR(r.frames[1].how, "exidx");
	CHECK(!r.frames[1].exact && r.frames[1].called);
	CHECK_U64(r.frames[2].pc, AT(BEGIN + 0x20));
	CHECK_U64(r.frames[2].sp, ON_STACK(TOP));
	/* a call that is the last of its function: the entry is asked for where the call is */
	STACK(TOP - 16, AT(MIDDLE + 0x100));
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 20), 0, 0);
	CHECK(r.complete && r.n == 3);
	/* Thumb code's are odd */
	STACK(TOP - 16, AT(MIDDLE + 0x21));
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 20), 0, 0);
	CHECK(r.complete && r.n == 3 && r.frames[1].pc == AT(MIDDLE + 0x20));
	/* only where it was interrupted can lr be the caller's, and the stack as it was */
	r = walk(AT(BARE + 0x10), ON_STACK(TOP - 12), 0, AT(MIDDLE + 0x20));
	CHECK(r.complete && r.n == 3);
	STACK(TOP - 16, AT(BARE + 0x20));
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 20), 0, AT(MIDDLE + 0x20));
	CHECK(!r.complete);
	CHECK_U64(r.n, 2);
	CHECK_ERR(r.end, ERR_CORRUPT);
	k.hole = (FK_STACK_END - 1) / 0x1000 + 1;
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 20), 0, 0);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_EXCLUDED);
	fk_release(&k);
}

/* Which registers of the caller are known: bits of r4 to r11. */
static uint64_t kept_of(uint32_t last, uint32_t ret)
{
	struct unwind_result r;
	uint64_t kept;

	make();
	fk_put(&k, LEAF + 0xf8, last, 4);
	STACK(TOP - 8, 4, ret);
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 8), 0x70b, 0);
	if (r.n < 2 || !r.frames[1].known) {
		fk_release(&k);
		return UINT64_MAX;
	}
	if (r.frames[1].known->have >> 4 & 1)
		CHECK_U64(r.frames[1].known->r[4], 4);
	for (unsigned i = 5; i <= FP; i++)
		if (r.frames[1].known->have >> i & 1)
			CHECK_U64(r.frames[1].known->r[i], 0x700 + i);
	CHECK_U64(r.frames[1].known->r[SP], ON_STACK(TOP));
	CHECK_U64(r.frames[1].known->have & 0x500f, 0); /* a call may change them */
	kept = r.frames[1].known->have & 0xff0;
	fk_release(&k);
	return kept;
}

/* What a function did not save is still its caller's, if it keeps the rules for who returns. */
TEST(registers_of_callers)
{
	static const uint32_t returns[] = {
		POP_R4_PC,  0xe89da800, /* ldm sp, {fp, sp, pc} */
		0x08bd8010,             /* popeq {r4, pc} */
		0xe49df004,             /* ldr pc, [sp], #4 */
		0xe12fff1e,             /* bx lr */
		0x112fff1e,             /* bxne lr */
		0xe1a0f00e,             /* mov pc, lr */
	};
	static const uint32_t others[] = {
		NOP,        0xe8bd4010, /* pop {r4, lr} */
		0xe92d8010,             /* push {r4, pc} */
		0xe8908010,             /* ldm r0, {r4, pc} */
		0xe12fff13,             /* bx r3 */
		0xe12fff3e,             /* blx lr */
		0xe1a0f00c,             /* mov pc, ip */
		0xe59df004,             /* ldr pc, [sp, #4] */
	};

	for (size_t i = 0; i < ARRAY_SIZE(returns); i++)
		if (!CHECK_U64(kept_of(returns[i], AT(BEGIN + 0x20)), 0xff0))
			printf("  instruction %#x\n", returns[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!CHECK_U64(kept_of(others[i], AT(BEGIN + 0x20)), 0x10))
			printf("  instruction %#x\n", others[i]);
	/* a return address behind no call proves nothing; an entry's label needs none */
	CHECK_U64(kept_of(POP_R4_PC, AT(BEGIN + 0x24)), 0);
	CHECK_U64(kept_of(POP_R4_PC, AT(LABEL)), 0xff0);
}

TEST(a_frame_pointer_that_was_saved)
{
	static const uint32_t frame[] = { 4, 5, 6, 7, 8, 9, 10, 0xfafa, AT(BEGIN + 0x20) };
	struct unwind_result r;

	make();
	words(TOP - 36, frame, 9);
	r = walk(AT(FRAMED + 0x10), ON_STACK(TOP - 36), 0, 0);
	CHECK(r.complete);
	REQUIRE(r.n == 2);
	for (unsigned i = 4; i <= 10; i++)
		CHECK_U64(r.frames[1].known->r[i], i);
	CHECK_U64(r.frames[1].known->r[FP], 0xfafa);
	/* kretprobes know by it what they took (arch/arm/probes/kprobes/core.c) */
	STACK(TOP - 4, AT(0x1800));
	r = walk(AT(FRAMED + 0x10), ON_STACK(TOP - 36), 0, 0);
	CHECK(r.complete && r.n == 2);
	CHECK_U64(taken_by, 0xfafa);
	fk_release(&k);
	make(); /* what was not saved is still in the register */
	STACK(TOP - 8, 4, AT(0x1800));
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 8), 0xb0b, 0);
	CHECK_U64(taken_by, 0xb0b);
	r = walk(AT(LEAF), ON_STACK(TOP), 0xb1b, AT(0x1800));
	CHECK_U64(taken_by, 0xb1b);
	fk_release(&k);
}

/* ---- lr */

TEST(nothing_has_run_of_it)
{
	static const uint32_t pcs[] = { LEAF, 0x9000 }; /* at its first; and where no code is */

	for (size_t i = 0; i < ARRAY_SIZE(pcs); i++)
		for (uint32_t thumb = 0; thumb < 2; thumb++) {
			struct unwind_result r;

			make();
			r = walk(AT(pcs[i]), ON_STACK(TOP - 8), 0x70b, AT(BEGIN + 0x20) | thumb);
			CHECK(r.complete);
			if (CHECK_U64(r.n, 2)) {
				CHECK_U64(r.frames[1].pc, AT(BEGIN + 0x20));
				CHECK_STR(r.frames[1].how, "lr");
				CHECK_U64(r.frames[1].sp, ON_STACK(TOP - 8));
				CHECK_U64(r.frames[1].known->have & 0x4ff0, 0xff0);
				CHECK_U64(r.frames[1].known->r[5], 0x705);
			}
			fk_release(&k);
		}
	make(); /* a word later it has pushed: lr may be anything */
	STACK(TOP - 8, 4, AT(MIDDLE + 0x20));
	CHECK_STR(walk(AT(LEAF + 4), ON_STACK(TOP - 8), 0, AT(BEGIN + 0x20)).frames[1].how,
		  "exidx");
	/* so it may where lr is the function's own address */
	CHECK_STR(walk(AT(LEAF), ON_STACK(TOP - 8), 0, AT(LEAF)).frames[1].how, "exidx");
	/* a jump into nowhere by no call */
	CHECK_U64(walk(AT(0x9000), ON_STACK(TOP - 8), 0, AT(BEGIN + 0x24)).n, 1);
	CHECK_U64(walk(AT(0x9000), ON_STACK(TOP - 8), 0, AT(0x9020)).n, 1);
	fk_release(&k);
}

/* Whose code it is, is asked at the call: its last instruction may be one, its first is not. */
TEST(the_ends_of_tracing_code)
{
	struct unwind_result r;

	make();
	fk_put(&k, TRACER, 0xe49df004, 4);        /* ldr pc, [sp], #4 */
	fk_put(&k, TRACER + 0x10, 0xe49df004, 4); /* where the last call returns to */
	STACK(TOP - 12, 4, AT(TRACER + 0x10), AT(BEGIN + 0x20));
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 12), 0, 0);
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK_STR(r.frames[2].how, "code");
	CHECK_U64(r.frames[2].pc, AT(BEGIN + 0x20));
	STACK(TOP - 8, AT(TRACER)); /* a call of who stands before it: the thread's first */
	r = walk(AT(LEAF + 0x10), ON_STACK(TOP - 12), 0, 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 2);
	r = walk(AT(TRACER), ON_STACK(TOP - 4), 0, 0);
	CHECK_U64(r.n, 2); /* interrupted at its first instruction, it is its own */
	CHECK(r.n == 2 && !strcmp(r.frames[1].how, "code"));
	fk_release(&k);
}

/* ---- entries */

/* leaf was called by the function at `of`, at whose stack pointer lies struct pt_regs. */
static struct unwind_result interrupted(uint32_t of, uint32_t cpsr)
{
	STACK(0x100, 4, AT(of + 0x20));
	saved(0x108, ON_STACK(TOP - 12), AT(MIDDLE + 0x20), AT(BARE + 0x10), cpsr);
	STACK(TOP - 12, 44, 55, AT(BEGIN + 0x20));
	return walk(AT(LEAF + 0x10), ON_STACK(0x100), 0, 0);
}

TEST(an_entry_leads_to_what_it_interrupted)
{
	static const uint32_t entries[] = { ENTRY, BAD };

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		struct unwind_result r;

		make();
		r = interrupted(entries[i], SVC);
		CHECK(r.complete);
		REQUIRE(r.n == 5);
		CHECK(r.frames[1].has_regs && !r.frames[1].user && !r.frames[1].called);
		CHECK_U64(r.frames[1].regs.r[0], 0x5000);
		CHECK_U64(r.frames[2].pc, AT(BARE + 0x10));
		CHECK(r.frames[2].exact);
		CHECK_STR(r.frames[2].how, "pt_regs");
		CHECK_U64(r.frames[2].known->r[7], 0x5007);
		CHECK_U64(r.frames[3].pc, AT(MIDDLE + 0x20));
		CHECK_U64(r.frames[4].pc, AT(BEGIN + 0x20));
		r = interrupted(entries[i], USR);
		CHECK(r.complete);
		CHECK_U64(r.n, 2);
		CHECK(r.n == 2 && r.frames[1].has_regs && r.frames[1].user);
		fk_release(&k);
	}
	make(); /* the index' sp and pc are not those of any saved registers */
	{
		struct unwind_result r = interrupted(ODD, SVC);

		REQUIRE(r.n > 2);
		CHECK(!r.frames[1].has_regs);
		CHECK_U64(r.frames[2].pc, AT(MIDDLE + 0x20));
		CHECK_STR(r.frames[2].how, "exidx");
	}
	fk_release(&k);
}

/* ---- where stacks begin */

/* Above the registers of user space two words are reserved (THREAD_START_SP). */
#define USER_REGS (TOP - 8 - 72)

TEST(the_bottom_of_a_stack)
{
	static const struct {
		uint32_t ret, cpsr;
		bool user;
	} cases[] = {
		{ FIRST + 0x20, USR, true },
		{ FIRST + 0x20, SVC, false }, /* a kernel thread's: nobody's registers */
		{ REFUSE + 0x20, USR, true },
		{ REFUSE + 0x20, SVC, false },
		{ BEGIN + 0x20, USR, false }, /* not entered from there */
		{ LABEL, USR, true },         /* behind no call: a label of the entry's */
	};

	make();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		saved(USER_REGS, 0xbe000000, 0x10000, 0x20000, cases[i].cpsr);
		STACK(USER_REGS - 8, 4, AT(cases[i].ret));
		r = walk(AT(LEAF + 0x10), ON_STACK(USER_REGS - 8), 0, 0);
		CHECK(r.complete);
		if (!CHECK_U64(r.n, 2))
			continue;
		CHECK_U64(r.frames[1].has_regs, cases[i].user);
		CHECK_U64(r.frames[1].user, cases[i].user);
		CHECK_U64(r.frames[1].exact, cases[i].ret == LABEL);
		if (cases[i].user)
			CHECK_U64(r.frames[1].regs.r[PC], 0x20000);
	}
	fk_release(&k);
	/* a call that is the entry's last instruction returns behind the entry's text */
	make();
	index_entry(9, BEGIN + 0x40, 1);
	saved(USER_REGS, 0xbe000000, 0x10000, 0x20000, USR);
	STACK(USER_REGS - 8, 4, AT(BEGIN));
	CHECK(walk(AT(LEAF + 0x10), ON_STACK(USER_REGS - 8), 0, 0).frames[1].has_regs);
	/* a label is exactly there */
	CHECK(walk(AT(FIRST), ON_STACK(USER_REGS), 0, AT(FIRST)).frames[0].has_regs);
	fk_release(&k);
}

/* Idle tasks were started from head.S, which runs at physical addresses. */
TEST(the_bottom_of_an_idle_task)
{
	static const struct {
		uint32_t above, ret;
		bool complete;
	} cases[] = { { 0, 0, true },
		      { 256, 0x60008000, true },
		      { 260, 0x60008000, false },
		      { 256, AT(BEGIN + 0x20), true } };

	make();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t sp = TOP - 8 - cases[i].above;
		struct unwind_result r;

		STACK(sp, 4, cases[i].ret);
		r = walk(AT(LEAF + 0x10), ON_STACK(sp), 0, 0);
		CHECK_U64(r.complete, cases[i].complete);
		CHECK_U64(r.n, i == 3 ? 2 : 1);
	}
	fk_release(&k);
}

/* ---- by frame pointers */

TEST(both_kinds_of_frame_pointers)
{
	struct unwind_result r;

	make(); /* gcc's: fp, sp, lr, pc, and fp points at the last */
	STACK(0x200, ON_STACK(TOP - 16), ON_STACK(0x300), AT(EARLY + 0x21), AT(EARLY + 8));
	/* clang's: fp, lr, and fp points at the first */
	STACK(TOP - 16, 0, AT(BEGIN + 0x21));
	r = walk(AT(EARLY + 0x10), ON_STACK(0x1f0), ON_STACK(0x20c), 0);
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK_STR(r.frames[1].how, "fp");
	CHECK_U64(r.frames[1].pc, AT(EARLY + 0x20));
	CHECK_U64(r.frames[1].sp, ON_STACK(0x300));
	CHECK_U64(r.frames[2].pc, AT(BEGIN + 0x20));
	CHECK_U64(r.frames[2].sp, ON_STACK(TOP - 8));
	CHECK_STR(r.frames[2].how, "fp");
	/* a call that is the last of early, before all of the index */
	STACK(0x208, AT(LEAF));
	r = walk(AT(EARLY + 0x10), ON_STACK(0x1f0), ON_STACK(0x20c), 0);
	CHECK(r.n > 2 && !strcmp(r.frames[2].how, "fp"));
	/* from one stack to another */
	fk_put(&k, FK_IRQ + 0x100, ON_STACK(TOP - 16), 4);
	fk_put(&k, FK_IRQ + 0x104, ON_STACK(0x300), 4);
	fk_put(&k, FK_IRQ + 0x108, AT(EARLY + 0x20), 4);
	fk_put(&k, FK_IRQ + 0x10c, AT(EARLY + 8), 4);
	r = walk(AT(EARLY + 0x10), AT(FK_IRQ + 0xf0), AT(FK_IRQ + 0x10c), 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	STACK(0x208, AT(0x1800)); /* taken: known by the caller's frame pointer */
	r = walk(AT(EARLY + 0x10), ON_STACK(0x1f0), ON_STACK(0x20c), 0);
	CHECK_U64(taken_by, ON_STACK(TOP - 16));
	STACK(TOP - 12, AT(0x1800));
	STACK(TOP - 16, 0x5105);
	walk(AT(EARLY + 0x10), ON_STACK(0x1f0), ON_STACK(TOP - 16), 0);
	CHECK_U64(taken_by, 0x5105);
	fk_release(&k);
}

TEST(what_is_no_frame_pointer)
{
	static const uint32_t bad[] = { 0, 8, 0x1000, ON_STACK(0x20e) };

	make();
	STACK(0x200, ON_STACK(TOP - 16), ON_STACK(0x300), AT(EARLY + 0x20), AT(EARLY + 8));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct unwind_result r = walk(AT(EARLY + 0x10), ON_STACK(0x1f0), bad[i], 0);

		CHECK_U64(r.n, 1);
		CHECK_ERR(r.end, ERR_CORRUPT);
	}
	k.hole = FK_STACK / 0x1000 + 1;
	{
		struct unwind_result r =
			walk(AT(EARLY + 0x10), ON_STACK(0x1f0), ON_STACK(0x20c), 0);

		CHECK_U64(r.n, 1);
		CHECK_ERR(r.end, ERR_EXCLUDED);
	}
	fk_release(&k);
}

/* ---- what is a call */

static bool follows(uint32_t insn, uint32_t at)
{
	struct unwind_result r;

	fk_put(&k, at - 4, insn, 4);
	STACK(0, AT(at));
	forget();
	unwind_scan(&k.t, ON_STACK(0), ON_STACK(4), &r);
	return r.n == 1 && r.frames[0].pc == AT(at);
}

TEST(calls)
{
	static const uint32_t arm[] = {
		0xeb000010, /* bl */
		0xebffffff, /* bl backwards */
		0x1b000000, /* blne */
		0x0b000001, /* bleq */
		0xfa000000, /* blx, to Thumb */
		0xfb000000, /* blx, to a halfword */
		0xe12fff33, /* blx r3 */
		0xe12fff3c, /* blx ip */
		0x012fff32, /* blxeq r2 */
	};
	static const uint32_t thumb[] = {
		0xf800f000, /* bl */
		0xfffff7ff, /* bl backwards */
		0xe800f000, /* blx */
		0x4798bf00, /* nop; blx r3 */
		0x47f0bf00, /* nop; blx lr */
	};
	static const uint32_t others[] = {
		NOP,        0xea000000, /* b */
		0xe12fff1e,             /* bx lr */
		0xe12fff23,             /* bxj r3 */
		0xe8bd8010,             /* pop {r4, pc} */
		0xec000b00,             /* of a coprocessor */
		0x4718bf00,             /* nop; bx r3 */
		0x8000f000,             /* half a bl of Thumb */
		0xbf004798,             /* blx r3; nop */
	};

	make();
	for (size_t i = 0; i < ARRAY_SIZE(arm); i++)
		if (!CHECK(follows(arm[i], LEAF + 0x40)) || !CHECK(!follows(arm[i], LEAF + 0x42)))
			printf("  instruction %#x\n", arm[i]);
	for (size_t i = 0; i < ARRAY_SIZE(thumb); i++)
		if (!CHECK(follows(thumb[i], LEAF + 0x40)) ||
		    !CHECK(follows(thumb[i], LEAF + 0x42)))
			printf("  instruction %#x\n", thumb[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!CHECK(!follows(others[i], LEAF + 0x40)))
			printf("  instruction %#x\n", others[i]);
	fk_release(&k);
}

/* Registers of a task that sleeps: pc is behind a call, which had lr. */
TEST(what_a_call_left_in_lr_is_no_return_address)
{
	struct unwind_start start = { .how = "switch" };
	struct unwind_result r;

	make();
	index_entry(2, BARE, 0x8000b0b0); /* it moves the stack by a word, and keeps no address */
	regs_set(&start.regs, SP, ON_STACK(TOP - 16));
	regs_set(&start.regs, LR, AT(MIDDLE + 0x20));
	regs_set(&start.regs, PC, AT(BARE + 0x20));
	unwind(&k.t, &start, 0, &r);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	fk_release(&k);
}

TEST_MAIN
