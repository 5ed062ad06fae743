/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of arm64's frame records: those of functions, those that exception entries make
 * (arch/arm64/kernel/entry.S), and functions that have none. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/unwind_fake.h"

enum {
	X29 = 29,
	X30 = 30,
	SP = 31,
	PC = 32
};

#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define ENTRY 0x1300 /* the entry's text */
#define START 0x1400 /* a thread's first function */
#define LARGE 0x2000
#define TOP 0x3f00 /* on the stack: the last record */

#define NOP 0xd503201f
#define BL 0x94000001
#define EL1H 5 /* PSTATE.M: the kernel's own; 0 is EL0t, a program */

static struct fake_stack_kernel k;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

static void record(uint64_t off, uint64_t fp, uint64_t pc)
{
	fk_put(&k, FK_STACK + off, fp, 8);
	fk_put(&k, FK_STACK + off + 8, pc, 8);
}

/* struct pt_regs (arch/arm64/include/asm/ptrace.h): x0 to x30, sp, pc, pstate. */
static void saved(uint64_t off, uint64_t x29, uint64_t sp, uint64_t pc, uint64_t pstate)
{
	const uint64_t words[] = { x29, AT(OUTER + 0x80), sp, pc, pstate };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		fk_put(&k, FK_STACK + off + 8 * (X29 + i), words[i], 8);
}

static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

/* leaf's record at 0x100, of a call by the entry; the entry's own at 0x400, which is 304 bytes into
 * the registers of what it interrupted: outer, whose record at the stack's top ends it. */
#define REGS (0x400 - 304)

static void make(void)
{
	fk_init(&k, &arch_aarch64);
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "el1h_64_irq", ENTRY, 0x100, 't');
	fk_symbol(&k, "ret_from_fork", START, 0x100, 'T');
	fk_symbol(&k, "large", LARGE, 0x1004, 't');
	fk_symbol(&k, "return_to_handler", 0x3800, 0x100, 'T');
	fk_symbol(&k, "__entry_text_start", ENTRY, 0, 'T');
	fk_symbol(&k, "__entry_text_end", ENTRY + 0x100, 0, 'T');
	fk_ready(&k);
	for (size_t at = LEAF; at < FK_TEXT_END; at += 4)
		fk_put(&k, at, NOP, 4);
	fk_put(&k, OUTER + 4, 0x910003fd, 4); /* mov x29, sp: outer keeps a record */
	fk_put(&k, MIDDLE + 0x1c, BL, 4);
	record(0x100, ON_STACK(0x400), AT(ENTRY + 0x20));
	record(0x400, ON_STACK(TOP), AT(OUTER + 0x40));
	saved(REGS, ON_STACK(TOP), ON_STACK(TOP - 0x20), AT(OUTER + 0x40), EL1H);
}

static struct unwind_result walk(uint64_t pc, uint64_t x29, uint64_t x30)
{
	struct unwind_start start = { .how = "regs", .exact = true };
	struct unwind_result r;

	forget();
	regs_set(&start.regs, PC, pc);
	regs_set(&start.regs, SP, ON_STACK(0xc0));
	regs_set(&start.regs, X29, x29);
	if (x30)
		regs_set(&start.regs, X30, x30);
	unwind(&k.t, &start, 0, &r);
	return r;
}

/* From leaf by its record. */
static struct unwind_result chain(void)
{
	return walk(AT(LEAF + 0x20), ON_STACK(0x100), 0);
}

TEST(an_entry_leads_to_what_it_interrupted)
{
	struct unwind_result r;

	make();
	r = chain();
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK_U64(r.frames[1].pc, AT(ENTRY + 0x20));
	CHECK(r.frames[1].has_regs && !r.frames[1].user);
	CHECK_U64(r.frames[1].regs.r[SP], ON_STACK(TOP - 0x20));
	CHECK_U64(r.frames[2].pc, AT(OUTER + 0x40));
	CHECK_STR(r.frames[2].how, "pt_regs");
	CHECK(r.frames[2].exact);
	/* the call may be the last of the entry's text: what is asked is where it was made */
	record(0x100, ON_STACK(0x400), AT(ENTRY + 0x100));
	r = chain();
	CHECK(r.n == 3 && r.frames[1].has_regs);
	/* what was interrupted at the first instruction of it is in it */
	r = walk(AT(ENTRY), ON_STACK(0x400), 0);
	CHECK(r.n == 2 && r.frames[0].has_regs);
	fk_release(&k);
}

/* A record is an entry's only in the entry's text, with the registers' own fp and pc in it. */
TEST(other_records_are_what_functions_make)
{
	static const struct {
		uint64_t of, x29, pc; /* whose record it is, and what the registers say */
	} cases[] = {
		{ ENTRY + 0x20, TOP - 0x40, OUTER + 0x40 }, { ENTRY + 0x20, TOP, OUTER + 0x44 },
		{ MIDDLE + 0x20, TOP, OUTER + 0x40 },       { ENTRY, TOP, OUTER + 0x40 },
		{ ENTRY + 0x101, TOP, OUTER + 0x40 },
	};

	make();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		record(0x100, ON_STACK(0x400), AT(cases[i].of));
		saved(REGS, ON_STACK(cases[i].x29), ON_STACK(TOP - 0x20), AT(cases[i].pc), EL1H);
		r = chain();
		CHECK(r.complete);
		if (!CHECK_U64(r.n, 3))
			continue;
		CHECK(!r.frames[1].has_regs);
		CHECK_U64(r.frames[2].pc, AT(OUTER + 0x40));
		CHECK_STR(r.frames[2].how, "fp");
		CHECK(!r.frames[2].exact);
	}
	fk_release(&k);
	make(); /* registers that cannot be read are nobody's */
	record(0x100, ON_STACK(0x1000), AT(ENTRY + 0x20));
	record(0x1000, ON_STACK(TOP), AT(OUTER + 0x40));
	k.hole = FK_STACK / 0x1000 + 1;
	forget();
	{
		struct unwind_result r = walk(AT(ENTRY + 0x20), ON_STACK(0x1000), 0);

		CHECK_U64(r.n, 2);
		CHECK(r.complete && !r.frames[0].has_regs);
	}
	fk_release(&k);
}

TEST(two_zeros_end_a_stack)
{
	static const struct {
		uint64_t of, pc, pstate;
		bool user;
	} cases[] = {
		{ ENTRY + 0x20, 0x401000, 0, true },
		{ ENTRY + 0x20, 0x401000, 0x10, true },  /* a program of 32 bits */
		{ ENTRY + 0x20, 0x401000, EL1H, false }, /* the kernel has no such end */
		{ ENTRY + 0x20, 0, 0, false },           /* a kernel thread's: never anybody's */
		{ START + 0x20, 0x401000, 0, false },
	};

	make();
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		record(0x100, ON_STACK(TOP), AT(cases[i].of));
		saved(TOP - 304, 0, 0x7ffe0000, cases[i].pc, cases[i].pstate);
		r = chain();
		CHECK(r.complete);
		CHECK_U64(r.n, 2);
		CHECK_U64(r.n == 2 && r.frames[1].has_regs, cases[i].user);
		CHECK_U64(r.n == 2 && r.frames[1].user, cases[i].user);
		if (cases[i].user)
			CHECK_U64(r.frames[1].regs.r[PC], cases[i].pc);
	}
	/* the call was the last of the entry's text, or stands before all of it */
	saved(TOP - 304, 0, 0x7ffe0000, 0x401000, 0);
	record(0x100, ON_STACK(TOP), AT(ENTRY + 0x100));
	CHECK(chain().frames[1].user);
	record(0x100, ON_STACK(TOP), AT(ENTRY));
	CHECK(!chain().frames[1].user);
	/* one zero is no end: the other word is no frame pointer, or no return address */
	record(TOP, 0, AT(MIDDLE + 0x20));
	CHECK(!chain().complete);
	record(TOP, ON_STACK(TOP + 0x20), 0);
	CHECK(!chain().complete);
	fk_release(&k);
}

/* ---- records with a type, since c2c6b27b5aa1 (v6.13) */

#define META_AT 320 /* not where it was before */

static struct type base_u64 = { .kind = TYPE_INT, .size = 8, .filled = true };
static struct member meta_members[] = { { .name = "type", .type = &base_u64, .bit_off = 128 } };
static struct type meta = { .kind = TYPE_STRUCT,
			    .name = "frame_record_meta",
			    .size = 24,
			    .members = meta_members,
			    .n_members = 1,
			    .filled = true };
static struct member regs_members[] = {
	{ .name = "stackframe", .type = &meta, .bit_off = META_AT * 8 }
};
static struct type regs_type = { .kind = TYPE_STRUCT,
				 .name = "pt_regs",
				 .size = 344,
				 .members = regs_members,
				 .n_members = 1,
				 .filled = true };

static bool find_regs_type(struct type_source *s, enum type_kind kind, const char *name,
			   const struct type **ret, struct err *err)
{
	(void)s;
	if (kind != TYPE_STRUCT || strcmp(name, "pt_regs") != 0)
		return err_set(err, ERR_NOTYPE, "no type");
	*ret = &regs_type;
	return true;
}

TEST(zeros_with_a_type)
{
	struct type_source source = { .find = find_regs_type, .origin = "test", .t = &k.t };
	static const struct {
		uint64_t type, n;
	} cases[] = { { 1, 2 }, { 2, 3 }, { 0, 2 }, { 3, 2 } };

	make();
	types_add(&k.t, &source);
	base_u64.source = meta.source = regs_type.source = &source;
	record(0x100, ON_STACK(TOP - 0x80), AT(ENTRY + 0x20));
	record(TOP - 0x80, 0, 0);
	saved(TOP - 0x80 - META_AT, ON_STACK(TOP), ON_STACK(TOP - 0x20), AT(OUTER + 0x40), EL1H);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		/* FRAME_META_TYPE_FINAL is 1, FRAME_META_TYPE_PT_REGS 2 */
		fk_put(&k, FK_STACK + TOP - 0x80 + 16, cases[i].type, 8);
		r = chain();
		CHECK(r.complete);
		CHECK_U64(r.n, cases[i].n);
		CHECK_U64(r.n > 1 && r.frames[1].has_regs, cases[i].n == 3);
	}
	fk_release(&k);
}

/* ---- functions without a record of their own */

/* leaf before, at and behind where it was interrupted; x30 leads to middle, the record to outer. */
static void check_caller(uint32_t before, uint32_t at, uint32_t behind, bool by_x30)
{
	struct unwind_result r;

	fk_put(&k, LEAF + 0x10, before, 4);
	fk_put(&k, LEAF + 0x14, at, 4);
	fk_put(&k, LEAF + 0x18, behind, 4);
	r = walk(AT(LEAF + 0x14), ON_STACK(0x100), AT(MIDDLE + 0x20));
	REQUIRE(r.n > 1);
	if (!CHECK(!strcmp(r.frames[1].how, by_x30 ? "lr" : "fp")))
		printf("  instructions %#x %#x %#x\n", before, at, behind);
	CHECK_U64(r.frames[1].pc, AT(by_x30 ? MIDDLE + 0x20 : OUTER + 0x20));
}

static void make_leaf(void)
{
	make();
	record(0x100, ON_STACK(TOP), AT(OUTER + 0x20));
}

TEST(what_ran_before_an_interrupt)
{
	/* they change x30 or x29: afterwards only the record tells the caller */
	static const uint32_t changes[] = {
		0x94000001, /* bl forwards */
		0x97ffffff, /* bl backwards */
		0x94000010, /* bl */
		0xd63f0060, /* blr x3 */
		0xd63f03c0, /* blr x30 */
		0xd73f0909, /* blraa x8, x9 */
		0xd63f091f, /* blraaz x8 */
		0xd63f0d1f, /* blrabz x8 */
		0x910003fd, /* mov x29, sp */
		0x910043fd, /* add x29, sp, #16 */
		0x913fc3fd, /* add x29, sp, #4080 */
		0x914007fd, /* add x29, sp, #1, lsl #12 */
		0xa8c17bfd, /* ldp x29, x30, [sp], #16 */
		0xa9417bfd, /* ldp x29, x30, [sp, #16] */
		0xa9c17bfd, /* ldp x29, x30, [sp, #16]! */
		0xa97f7bfd, /* ldp x29, x30, [sp, #-16] */
	};
	/* they may have come from anywhere in the function */
	static const uint32_t branches[] = {
		0x14000002, /* b forwards */
		0x17fffffe, /* b backwards */
		0x54000040, /* b.eq */
		0x54ffffe1, /* b.ne */
		0xb4000040, /* cbz x0 */
		0x35000040, /* cbnz w0 */
		0x36000040, /* tbz w0, #0 */
		0xb7f80040, /* tbnz x0, #63 */
		0xd61f0200, /* br x16 */
		0xd65f03c0, /* ret */
		0xd65f0bff, /* retaa */
	};
	static const uint32_t others[] = {
		NOP,        0xd503233f, /* paciasp */
		0xaa0003e1,             /* mov x1, x0 */
		0x910043fc,             /* add x28, sp, #16 */
		0x9100401d,             /* add x29, x0, #16 */
		0xd10043ff,             /* sub sp, sp, #16 */
		0xa9bf7bfd,             /* stp x29, x30, [sp, #-16]! */
		0xa94153f3,             /* ldp x19, x20, [sp, #16] */
		0xf9400000,             /* ldr x0, [x0] */
		0xb9000001,             /* str w1, [x0] */
		0xf100041f,             /* cmp x0, #1 */
		0xd5384100,             /* mrs x0, sp_el0 */
		0xd4000001,             /* svc #0 */
		0x90000000,             /* adrp x0 */
	};

	make_leaf();
	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		check_caller(changes[i], NOP, NOP, false);
		check_caller(NOP, changes[i], NOP, true);
		check_caller(NOP, NOP, changes[i], true);
		check_caller(0x54000040, NOP, changes[i], false);
	}
	for (size_t i = 0; i < ARRAY_SIZE(branches); i++) {
		check_caller(branches[i], NOP, NOP, true);
		check_caller(branches[i], NOP, BL, false);
		check_caller(NOP, branches[i], BL, true);
	}
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		check_caller(others[i], NOP, NOP, true);
		check_caller(others[i], NOP, BL, true);
	}
	fk_release(&k);
}

static const char *how_from(uint64_t pc)
{
	struct unwind_result r = walk(AT(pc), ON_STACK(0x100), AT(MIDDLE + 0x20));

	return r.n > 1 ? r.frames[1].how : "";
}

TEST(only_so_much_code_is_looked_at)
{
	make_leaf(); /* 1025 instructions: too many for the proof that none of them is a call */
	CHECK_STR(how_from(LARGE + 0x100), "lr"); /* in a straight line */
	fk_put(&k, LARGE + 0x10, 0x54000040, 4);  /* b.eq */
	CHECK_STR(how_from(LARGE + 0x100), "fp");
	fk_release(&k);
	make_leaf(); /* 1024 are not */
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "large"))
			k.syms[i].size = 0x1000;
	fk_put(&k, LARGE + 0x10, 0x54000040, 4);
	CHECK_STR(how_from(LARGE + 0x100), "lr");
	fk_put(&k, LARGE + 0xffc, BL, 4); /* the last one counts */
	CHECK_STR(how_from(LARGE + 0x100), "fp");
	fk_release(&k);
	make_leaf(); /* nor is a longer way to where it was interrupted followed */
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "large"))
			k.syms[i].size = 0x1100;
	CHECK_STR(how_from(LARGE + 0x1000), "lr");
	CHECK_STR(how_from(LARGE + 0x1004), "fp");
	CHECK_STR(how_from(LARGE + 0x102), "fp"); /* no instruction begins there */
	k.hole = LARGE / 0x1000 + 1;
	CHECK_STR(how_from(LARGE + 0x100), "fp");
	fk_release(&k);
}

/* A call into nowhere has run nothing: x30 is behind it. */
TEST(a_jump_into_nowhere)
{
	struct unwind_result r;

	make_leaf();
	CHECK_STR(how_from(FK_TASK), "lr");
	r = walk(AT(FK_TASK), ON_STACK(0x100), AT(MIDDLE + 0x24)); /* behind no call */
	CHECK(r.n > 1 && !strcmp(r.frames[1].how, "fp"));
	r = walk(AT(FK_TASK), ON_STACK(0x100), AT(FK_TASK)); /* no code */
	CHECK(r.n > 1 && !strcmp(r.frames[1].how, "fp"));
	fk_release(&k);
}

/* The CPU stands at the first instruction of an exception's entry, and has saved nothing: whether
 * the function that it interrupted has a record of its own tells x30, which is in it then. */
TEST(an_entry_that_has_saved_nothing)
{
	struct unwind_result r;

	make_leaf();
	r = walk(AT(ENTRY), ON_STACK(0x100), AT(OUTER + 0x20));
	REQUIRE(r.n == 2);
	CHECK_U64(r.frames[1].pc, AT(OUTER + 0x20));
	CHECK_STR(r.frames[1].how, "fp");
	r = walk(AT(ENTRY), ON_STACK(0x100), AT(MIDDLE + 0x20));
	REQUIRE(r.n == 3);
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
	/* a function that calls itself is on the stack as often as it did */
	r = walk(AT(LEAF + 0x14), ON_STACK(0x100), AT(OUTER + 0x20));
	CHECK_U64(r.n, 3);
	fk_release(&k);
}

/* Pointer authentication keeps its code in the bits above the address, but for bit 55. */
#define SIGNED(va) ((va) & ~(UINT64_C(0x555a) << 48 & ~(UINT64_C(1) << 55)))

TEST(signed_return_addresses)
{
	struct unwind_result r;

	make_leaf();
	record(0x100, ON_STACK(TOP), SIGNED(AT(OUTER + 0x20)));
	r = walk(AT(LEAF + 0x20), ON_STACK(0x100), SIGNED(AT(MIDDLE + 0x20)));
	REQUIRE(r.n == 3);
	CHECK(r.complete);
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	CHECK_STR(r.frames[1].how, "lr");
	CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
	fk_release(&k);
}

/* function_graph knows what it took by the caller's frame pointer (arch/arm64/kernel/ftrace.c). */
TEST(taken_addresses_are_known_by_the_frame_pointer)
{
	struct unwind_result r;

	make_leaf();
	record(0x100, ON_STACK(TOP), AT(0x3800));
	k.shadow[0][0] = ON_STACK(0x100);
	k.shadow[0][1] = AT(MIDDLE + 0x20);
	k.shadow[1][0] = ON_STACK(TOP);
	k.shadow[1][1] = AT(OUTER + 0x20);
	r = walk(AT(LEAF + 0x20), ON_STACK(0x100), AT(0x3800));
	REQUIRE(r.n == 3);
	CHECK(r.complete);
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
	fk_release(&k);
}

/* ---- what is a call */

static bool follows(uint32_t insn, uint64_t at)
{
	struct unwind_result r;

	fk_put(&k, at - 4, insn, 4);
	fk_put(&k, FK_STACK, AT(at), 8);
	forget();
	unwind_scan(&k.t, ON_STACK(0), ON_STACK(8), &r);
	return r.n == 1 && r.complete && r.frames[0].pc == AT(at);
}

TEST(calls)
{
	static const uint32_t calls[] = {
		0x94000000, /* bl */
		0x97ffffff, /* bl backwards */
		0xd63f0000, /* blr x0 */
		0xd63f03c0, /* blr x30 */
		0xd73f0909, /* blraa x8, x9 */
		0xd63f091f, /* blraaz x8 */
		0xd63f0d1f, /* blrabz x8 */
	};
	static const uint32_t others[] = {
		NOP,        0x14000001, /* b */
		0xd61f0200,             /* br x16 */
		0xd65f03c0,             /* ret */
		0x54000040,             /* b.eq */
		0xd4000001,             /* svc #0 */
		0x00000000,             /* udf */
	};

	make();
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!CHECK(follows(calls[i], LEAF + 0x40)))
			printf("  instruction %#x\n", calls[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!CHECK(!follows(others[i], LEAF + 0x40)))
			printf("  instruction %#x\n", others[i]);
	fk_put(&k, LEAF + 0x3e, BL, 4);
	CHECK(!follows(BL, LEAF + 0x42)); /* no instruction begins there */
	fk_release(&k);
}

TEST(what_is_no_frame_pointer)
{
	struct unwind_result r;

	make();
	for (unsigned off = 1; off < 8; off++) {
		record(0x100 + off, ON_STACK(TOP), AT(OUTER + 0x20));
		r = walk(AT(LEAF + 0x20), ON_STACK(0x100 + off), 0);
		CHECK_U64(r.n, 1);
		CHECK_ERR(r.end, ERR_CORRUPT);
	}
	r = walk(AT(LEAF + 0x20), 0x7ffe0000, 0);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	k.hole = FK_STACK / 0x1000 + 1; /* either of its words */
	r = chain();
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_EXCLUDED);
	CHECK_CONTAINS(r.end.msg, "frame record");
	k.hole = FK_STACK / 0x1000 + 2;
	r = walk(AT(LEAF + 0x20), ON_STACK(0xff8), 0);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_EXCLUDED);
	fk_release(&k);
}

/* Of a function whose end nobody knows, all that lies before is looked at. */
TEST(a_function_without_a_size)
{
	make_leaf();
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "large"))
			k.syms[i].size = 0;
	CHECK_STR(how_from(LARGE + 0x100), "lr");
	fk_put(&k, LARGE + 0xfc, BL, 4);
	CHECK_STR(how_from(LARGE + 0x100), "fp");
	fk_release(&k);
}

/* Debug info's tables, which count from the stack pointer. */
static bool by_sp(struct frame_source *s, const struct frame_at *f, struct regs *ret, uint64_t *cfa,
		  struct err *err)
{
	(void)s;
	if (!regs_get(&f->regs, SP, cfa))
		return err_set(err, ERR_NEED, "no stack pointer");
	*cfa += 0x40;
	*ret = (struct regs){ 0 };
	regs_set(ret, SP, *cfa);
	regs_set(ret, PC, AT(MIDDLE + 0x20));
	return true;
}

/* A frame record tells where the next one is, and not how far the stack pointer was. */
TEST(tables_do_not_count_from_a_record)
{
	struct frame_source tables = { .caller = by_sp, .t = &k.t };
	struct unwind_result r;

	make();
	frame_source_add(&k.t, &tables);
	record(0x100, ON_STACK(0x304), AT(MIDDLE + 0x20)); /* no frame pointer is odd */
	r = walk(AT(LEAF + 0x20), ON_STACK(0x100), 0);
	CHECK_U64(r.n, 2);
	r = walk(AT(LEAF + 0x20), ON_STACK(0x304), 0);
	CHECK(r.n > 1 && !strcmp(r.frames[1].how, "cfi"));
	fk_release(&k);
}

TEST_MAIN
