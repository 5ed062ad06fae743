/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the unwinder on stacks made by hand, by the rules of the ABI and of ORC; those of arm64 are
 * in unwind_arm64_test.c. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/orc.h"
#include "core/unwind/unwind_fake.h"

enum {
	RBP = 6,
	RSP = 7,
	RIP = 16
};
enum {
	UNDEFINED,
	PREV_SP,
	DX,
	DI,
	BP,
	SP,
	R10,
	R13,
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

/* Four functions of 0x100 bytes; each return address below follows a call. */
#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define ENTRY 0x1300
#define HANDLER 0x1400
#define NOORC 0x1500

static struct fake_stack_kernel k;

static void make(bool new_orc)
{
	fk_init(&k, &arch_x86_64);
	k.new_orc = new_orc;
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 'T');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "entry", ENTRY, 0x100, 'T');
	fk_symbol(&k, "return_to_handler", HANDLER, 0x100, 'T');
	fk_symbol(&k, "noorc", NOORC, 0x100, 't');
	fk_orc(&k, 0, SP, 8, UNDEFINED, 0, CALL, false);
	fk_orc(&k, LEAF, SP, 8, UNDEFINED, 0, CALL, false);
	fk_orc(&k, LEAF + 0x10, SP, 0x18, UNDEFINED, 0, CALL, false);
	/* push rbp; mov rsp, rbp */
	fk_orc(&k, MIDDLE, BP, 16, PREV_SP, -16, CALL, false);
	fk_orc(&k, OUTER, SP, 0x20, UNDEFINED, 0, CALL, false);
	fk_orc(&k, OUTER + 0x80, SP, 0x40, UNDEFINED, 0, CALL, false);
	fk_orc(&k, ENTRY, SP, 0, UNDEFINED, 0, REGS, true);
	fk_orc(&k, HANDLER, UNDEFINED, 0, UNDEFINED, 0, END, false);
	fk_orc(&k, NOORC, UNDEFINED, 0, UNDEFINED, 0, NONE, false);
	fk_orc(&k, NOORC + 0x100, SP, 8, UNDEFINED, 0, CALL, false);
	for (int i = 0; i < 8; i++)
		fk_orc(&k, 0x2000 + 0x10 * (uint64_t)i, SP, 8, UNDEFINED, 0, CALL, false);
	fk_ready(&k);
}

static void stack(uint64_t off, uint64_t value)
{
	fk_put(&k, FK_STACK + off, value, 8);
}

/* pt_regs as they lie on a stack: ip at 128, cs at 136, sp at 152, bp at 32 (struct pt_regs,
 * ptrace.h) */
static void saved(size_t off, uint64_t ip, uint64_t cs, uint64_t sp, uint64_t bp)
{
	fk_put(&k, off + 32, bp, 8);
	fk_put(&k, off + 128, ip, 8);
	fk_put(&k, off + 136, cs, 8);
	fk_put(&k, off + 152, sp, 8);
}

static struct unwind_result walk(uint64_t pc, uint64_t sp, uint64_t bp)
{
	struct unwind_start start = { .how = "regs", .exact = true, .cpu = 0 };
	struct unwind_result r;

	start.task = FK_BASE + FK_TASK;
	regs_set(&start.regs, RIP, pc);
	regs_set(&start.regs, RSP, sp);
	regs_set(&start.regs, RBP, bp);
	unwind(&k.t, &start, 0, &r);
	return r;
}

#define AT(off) (FK_BASE + (off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (off))

/* Memory was changed: what was read of it is no longer so. */
static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

/* leaf (0x18 bytes) <- middle (rbp) <- outer (0x20) <- entry, whose pt_regs are of user mode */
static void plain_stack(void)
{
	stack(0x110, AT(MIDDLE + 0x20)); /* leaf's, at sp + 0x18 - 8 */
	stack(0x180, ON_STACK(0x300));   /* middle's saved rbp */
	stack(0x188, AT(OUTER + 0x20));
	stack(0x190 + 0x18, AT(ENTRY + 0x20));
	saved(FK_STACK + 0x1b0, 0x401000, 0x33, 0x7ffc0000, 0);
}

static void check_plain(bool new_orc)
{
	struct unwind_result r;

	make(new_orc);
	plain_stack();
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	CHECK(r.complete);
	CHECK_U64(r.n, 4);
	if (r.n == 4) {
		CHECK_U64(r.frames[0].pc, AT(LEAF + 0x18));
		CHECK(r.frames[0].exact);
		CHECK_STR(r.frames[0].how, "regs");
		CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
		CHECK_U64(r.frames[1].sp, ON_STACK(0x118));
		CHECK_STR(r.frames[1].how, "orc");
		CHECK_U64(frame_lookup_pc(&r.frames[1]), AT(MIDDLE + 0x1f));
		CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
		CHECK_U64(r.frames[3].pc, AT(ENTRY + 0x20));
		CHECK(r.frames[3].has_regs && r.frames[3].user);
		CHECK_U64(r.frames[3].regs.r[RIP], 0x401000);
		CHECK_STR(r.frames[3].stack, "TASK");
	}
	fk_release(&k);
}

TEST(walks_to_user_mode_with_old_entries)
{
	check_plain(false);
}

TEST(walks_to_user_mode_with_new_entries)
{
	check_plain(true);
}

/* ---- tables that the code contradicts */

/* A direct call at `from`, which returns 5 bytes behind it. */
static void code_call(uint64_t from, uint64_t to)
{
	fk_put(&k, from, 0xe8, 1);
	fk_put(&k, from + 1, (uint32_t)(to - from - 5), 4);
}

/* The plain stack with code that made it. */
static void coded_stack(void)
{
	make(true);
	memset(k.mem, 0x90, FK_TEXT_END); /* nop */
	code_call(MIDDLE + 0x1b, LEAF);
	code_call(OUTER + 0x1b, MIDDLE);
	code_call(ENTRY + 0x1b, OUTER);
	plain_stack();
}

static void check_sure(size_t sure, size_t n, size_t warnings)
{
	struct unwind_result r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));

	CHECK_U64(r.n, n);
	for (size_t i = 0; i < r.n; i++)
		CHECK_U64(r.frames[i].sure, i < sure);
	CHECK_U64(k.t.warnings.n, warnings);
	fk_release(&k);
}

TEST(a_frame_that_nothing_called_is_a_guess)
{
	coded_stack();
	check_sure(4, 4, 0);
	coded_stack(); /* ORC's offset is damaged: another word of code lies there */
	fk_put(&k, FK_ORC + 6 * 2, 0x28, 2);
	stack(0x120, AT(MIDDLE + 0x40));
	check_sure(1, 4, 1);
	coded_stack(); /* a breakpoint hides the call */
	fk_put(&k, MIDDLE + 0x1b, 0xcc, 1);
	check_sure(4, 4, 0);
	coded_stack(); /* what a dumper left out may read as zeroes */
	memset(&k.mem[MIDDLE], 0, 0x100);
	check_sure(4, 4, 0);
}

TEST(a_call_must_lead_to_its_frame)
{
	coded_stack(); /* a stale word that follows a call of something else */
	code_call(MIDDLE + 0x1b, 0x2800);
	check_sure(4, 4, 0); /* nobody knows what is there */
	coded_stack();
	fk_symbol(&k, "other", 0x2800, 0x40, 't');
	code_call(MIDDLE + 0x1b, 0x2800);
	check_sure(1, 4, 1);
	coded_stack(); /* unless that ends in a jump there: jmp rel32 */
	fk_symbol(&k, "other", 0x2800, 0x40, 't');
	code_call(MIDDLE + 0x1b, 0x2800);
	fk_put(&k, 0x2820, 0xe9, 1);
	fk_put(&k, 0x2821, (uint32_t)(LEAF - 0x2825), 4);
	check_sure(4, 4, 0);
	coded_stack(); /* over a third: jmp rel8 to a neighbour, from there jne rel32 */
	fk_symbol(&k, "other", 0x2800, 0x40, 't');
	fk_symbol(&k, "third", 0x2840, 0x40, 't');
	code_call(MIDDLE + 0x1b, 0x2800);
	fk_put(&k, 0x2820, 0x1eeb, 2);
	fk_put(&k, 0x2850, 0x850f, 2);
	fk_put(&k, 0x2852, (uint32_t)(LEAF + 0x10 - 0x2856), 4);
	check_sure(4, 4, 0);
	coded_stack(); /* or jumps through a register, which may lead anywhere */
	fk_symbol(&k, "other", 0x2800, 0x40, 't');
	code_call(MIDDLE + 0x1b, 0x2800);
	fk_put(&k, 0x2820, 0xe0ff, 2);
	check_sure(4, 4, 0);
	coded_stack(); /* a call through a register: call *%rax */
	fk_put(&k, MIDDLE + 0x1b, 0xd0ff909090, 5);
	check_sure(4, 4, 0);
}

TEST(a_table_out_of_order_is_not_searched)
{
	struct unwind_result r;

	coded_stack(); /* the entry of leaf + 0x10 is said to be behind all text */
	fk_put(&k, FK_IP + 4 * 2, 0x3fff - (FK_IP + 4 * 2), 4);
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	for (size_t i = 1; i < r.n; i++)
		CHECK(!r.frames[i].sure || strcmp(r.frames[i].how, "orc") != 0);
	CHECK(k.t.warnings.n > 0);
	if (k.t.warnings.n)
		CHECK_CONTAINS(k.t.warnings.p[0].text, "ORC table is not sorted at entry 3");
	fk_release(&k);
}

static uint8_t section_ip[4 * 32], section_orc[6 * 32];

static bool orc_section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	bool ip = !strcmp(name, ".orc_unwind_ip");

	(void)self;
	if (!ip && strcmp(name, ".orc_unwind") != 0)
		return false;
	*ret = ip ? SPAN(section_ip, 4 * k.n_orc) : SPAN(section_orc, 6 * k.n_orc);
	*addr = FK_BASE + (ip ? FK_IP : FK_ORC);
	return true;
}

TEST(two_copies_of_the_table_must_agree)
{
	for (int damaged = 0; damaged < 2; damaged++) {
		coded_stack();
		memcpy(section_ip, k.mem + FK_IP, sizeof(section_ip));
		memcpy(section_orc, k.mem + FK_ORC, sizeof(section_orc));
		k.t.vmlinux.file = (struct file *)&k; /* there is one; it is not looked at */
		k.t.vmlinux.section = orc_section;
		if (damaged) {
			struct unwind_result r;

			section_orc[6 * 2] ^= 0x20;
			r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
			CHECK(r.n < 2 || !r.frames[1].sure || strcmp(r.frames[1].how, "orc") != 0);
			CHECK_U64(k.t.warnings.n, 1);
			if (k.t.warnings.n)
				CHECK_CONTAINS(k.t.warnings.p[0].text,
					       "ORC entry 2 is not the same in the vmlinux");
			k.t.vmlinux.file = NULL;
			fk_release(&k);
		} else {
			check_sure(4, 4, 0);
		}
	}
}

/* An exception in `outer` at the first byte behind its entry's change: exactly there, not a byte
 * before. */
TEST(an_interrupted_pc_is_looked_up_exactly)
{
	struct unwind_result r;

	make(true);
	stack(0x100, AT(ENTRY + 0x20)); /* leaf's return: leaf at its first byte, sp + 8 */
	saved(FK_STACK + 0x108, AT(OUTER + 0x80), 0x10, ON_STACK(0x300), 0);
	stack(0x300 + 0x38, AT(ENTRY + 0x20)); /* outer, 0x40 from +0x80 on */
	saved(FK_STACK + 0x340, 0x401000, 0x33, 0, 0);
	r = walk(AT(LEAF), ON_STACK(0x100), 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 4);
	if (r.n == 4) {
		CHECK(r.frames[1].has_regs && !r.frames[1].user);
		CHECK_STR(r.frames[2].how, "pt_regs");
		CHECK(r.frames[2].exact);
		CHECK_U64(r.frames[2].pc, AT(OUTER + 0x80));
		CHECK_U64(r.frames[3].pc, AT(ENTRY + 0x20));
	}
	fk_release(&k);
}

TEST(a_word_that_is_no_code_ends_the_chain)
{
	struct unwind_result r;

	make(true);
	stack(0x110, ON_STACK(0x10));
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), 0);
	CHECK(!r.complete);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	fk_release(&k);
}

TEST(a_stack_that_goes_back_ends_the_chain)
{
	struct unwind_result r;

	make(true);
	plain_stack();
	r = walk(AT(MIDDLE + 0x18), ON_STACK(0x200), ON_STACK(0x180)); /* rbp below sp */
	CHECK(!r.complete);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	fk_release(&k);
}

TEST(a_missing_page_ends_the_chain_with_its_reason)
{
	struct unwind_result r;

	make(true);
	plain_stack();
	k.hole = FK_STACK / 0x1000 + 1;
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), 0);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_EXCLUDED);
	fk_release(&k);
}

TEST(guesses_are_made_only_when_asked_and_marked)
{
	struct unwind_start start = { .how = "regs", .exact = true };
	struct unwind_result r;

	make(true);
	stack(0x110, ON_STACK(0x10));    /* no code: the chain ends */
	stack(0x150, AT(MIDDLE + 0x40)); /* code, but behind no call */
	stack(0x160, AT(OUTER + 0x20));
	k.mem[OUTER + 0x1b] = 0xe8;
	regs_set(&start.regs, RIP, AT(LEAF + 0x18));
	regs_set(&start.regs, RSP, ON_STACK(0x100));
	unwind(&k.t, &start, 0, &r);
	CHECK_U64(r.n, 1);
	start.scan = true;
	unwind(&k.t, &start, 0, &r);
	CHECK(!r.complete);
	CHECK_U64(r.n, 2);
	if (r.n == 2) {
		CHECK(r.frames[0].sure && !r.frames[1].sure);
		CHECK_STR(r.frames[1].how, "scan");
		CHECK_U64(r.frames[1].pc, AT(OUTER + 0x20));
	}
	fk_release(&k);
}

TEST(hijacked_return_addresses_are_put_back)
{
	struct unwind_result r;

	make(true);
	plain_stack();
	stack(0x110, AT(HANDLER));
	stack(0x188, AT(HANDLER));
	k.shadow[0][0] = ON_STACK(0x110);
	k.shadow[0][1] = AT(MIDDLE + 0x20);
	k.shadow[1][0] = ON_STACK(0x188);
	k.shadow[1][1] = AT(OUTER + 0x20);
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	CHECK(r.complete);
	CHECK_U64(r.n, 4);
	if (r.n == 4) {
		CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
		CHECK_STR(r.frames[1].how, "fgraph");
		CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
		CHECK_STR(r.frames[3].how, "orc");
	}
	k.shadow[1][1] = 0; /* one is lost: nothing is made up */
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	CHECK(!r.complete);
	CHECK_U64(r.n, 2);
	CHECK_ERR(r.end, ERR_NOTFOUND);
	fk_release(&k);
}

/* What call_on_irqstack leaves: the other stack's pointer at the top of the IRQ stack. */
TEST(the_irq_stack_is_left_where_orc_says_so)
{
	struct unwind_result r;
	size_t top = FK_IRQ_END - 8;

	fk_init(&k, &arch_x86_64);
	k.new_orc = true;
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_symbol(&k, "entry", ENTRY, 0x100, 'T');
	for (int i = 0; i < 8; i++)
		fk_orc(&k, LEAF + (uint64_t)i, SP, 8, UNDEFINED, 0, CALL, false);
	fk_orc(&k, OUTER, SP_IND, 0x10, UNDEFINED, 0, CALL, false);
	fk_orc(&k, ENTRY, SP, 0, UNDEFINED, 0, REGS, true);
	fk_ready(&k);
	fk_put(&k, top - 8, AT(OUTER + 0x20), 8);
	fk_put(&k, top, ON_STACK(0x100), 8);
	stack(0x108, AT(ENTRY + 0x20)); /* [top] + 0x10 - 8 */
	saved(FK_STACK + 0x110, 0x401000, 0x33, 0, 0);
	r = walk(AT(LEAF + 0x40), AT(top - 8), 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	if (r.n == 3) {
		CHECK_STR(r.frames[0].stack, "IRQ");
		CHECK_STR(r.frames[2].stack, "TASK");
	}
	fk_put(&k, top, AT(FK_TASK), 8); /* somewhere else: no stack */
	forget();
	r = walk(AT(LEAF + 0x40), AT(top - 8), 0);
	CHECK(!r.complete);
	CHECK_U64(r.n, 2);
	fk_release(&k);
}

TEST(a_function_without_orc_is_left_by_the_call_that_entered_it)
{
	struct unwind_result r;

	make(false);
	plain_stack();
	stack(0x80, AT(MIDDLE + 0x20)); /* stale: it follows no call of noorc */
	stack(0xf8, AT(OUTER + 0x30));  /* and this one does: sp + 8 is 0x100, then outer's 0x20 */
	k.mem[OUTER + 0x2b] = 0xe8;
	fk_put(&k, OUTER + 0x2c, (uint64_t)(NOORC - (OUTER + 0x30)), 4);
	stack(0x100 + 0x18, AT(ENTRY + 0x20));
	saved(FK_STACK + 0x120, 0x401000, 0x33, 0, 0);
	r = walk(AT(NOORC + 0x40), ON_STACK(0x40), 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	if (r.n == 3) {
		CHECK_U64(r.frames[1].pc, AT(OUTER + 0x30));
		CHECK_STR(r.frames[1].how, "call");
		CHECK(r.frames[1].sure);
		CHECK(r.frames[2].sure);
	}
	forget();
	stack(0x300, AT(OUTER + 0x30)); /* of an earlier call? now nobody can tell */
	r = walk(AT(NOORC + 0x40), ON_STACK(0x40), 0);
	CHECK_U64(r.n, 3);
	if (r.n == 3) {
		CHECK(r.frames[0].sure);
		CHECK_U64(r.frames[1].pc, AT(OUTER + 0x30));
		CHECK(!r.frames[1].sure);
		CHECK(!r.frames[2].sure);
	}
	stack(0x300, 0);
	k.hole = (FK_STACK + 0x1000) / 0x1000 + 1; /* the window's end cannot be read */
	stack(0xe80, AT(OUTER + 0x30));
	forget();
	r = walk(AT(NOORC + 0x40), ON_STACK(0xe00), 0);
	CHECK(r.n > 1 && !r.frames[1].sure);
	k.hole = 0;
	forget();
	r = walk(AT(NOORC + 0x40), ON_STACK(0xe00), 0);
	CHECK(r.n > 1 && r.frames[1].sure);
	fk_put(&k, OUTER + 0x2c, 0, 4);
	forget();
	r = walk(AT(NOORC + 0x40), ON_STACK(0x40), 0);
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_NOTFOUND);
	fk_release(&k);
}

/* A call that is the last instruction before the change of an entry returns to the changed one: its
 * frame is that of the call, 0x20 and not 0x40. */
TEST(a_return_address_is_looked_up_where_its_call_is)
{
	struct unwind_result r;

	make(true);
	plain_stack();
	stack(0x188, AT(OUTER + 0x80));
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	CHECK(r.complete);
	CHECK_U64(r.n, 4);
	if (r.n == 4) {
		CHECK_U64(r.frames[2].pc, AT(OUTER + 0x80));
		CHECK_U64(r.frames[2].sp, ON_STACK(0x190));
		CHECK_U64(r.frames[3].pc, AT(ENTRY + 0x20));
		CHECK_U64(r.frames[3].sp, ON_STACK(0x1b0));
	}
	fk_release(&k);
}

/* Code that no table knows and that keeps a frame pointer, as BPF's does: push %rbp; mov %rsp,
 * %rbp. */
TEST(code_without_a_table_is_left_by_its_frame_pointer)
{
	static const struct {
		uint64_t bp; /* where it points, on the stack; behind each lies a good address */
		size_t frames;
	} cases[] = {
		{ 0x180, 3 },
		{ 0x344, 1 }, /* no place for a word */
		{ 0x251, 1 }, /* nor this */
		{ 0x2a2, 1 },
		{ 0x0f0, 1 },                       /* below the stack pointer */
		{ FK_STACK_END - FK_STACK - 8, 1 }, /* the address is on another stack */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make(true);
		code_call(OUTER + 0x1b, MIDDLE);
		for (size_t j = 0; j < ARRAY_SIZE(cases); j++)
			stack(cases[j].bp + 8, AT(OUTER + 0x20));
		stack(0x180, ON_STACK(0x300));
		stack(0x190 + 0x18, AT(ENTRY + 0x20));
		saved(FK_STACK + 0x1b0, 0x401000, 0x33, 0x7ffc0000, 0);
		r = walk(AT(FK_TASK), ON_STACK(0x100), ON_STACK(cases[i].bp));
		CHECK_U64(r.n, cases[i].frames);
		CHECK_U64(r.complete, i == 0);
		if (r.n == 3) {
			CHECK_STR(r.frames[1].how, "fp");
			CHECK_U64(r.frames[1].pc, AT(OUTER + 0x20));
			CHECK_U64(r.frames[1].sp, ON_STACK(0x190));
		}
		fk_release(&k);
	}
}

TEST(a_call_through_null_has_its_caller)
{
	struct unwind_result r;

	make(true);
	stack(0x100, AT(OUTER + 0x20));
	k.mem[OUTER + 0x1e] = 0xff; /* call *%rax */
	k.mem[OUTER + 0x1f] = 0xd0;
	stack(0x108 + 0x18, AT(ENTRY + 0x20));
	saved(FK_STACK + 0x128, 0x401000, 0x33, 0, 0);
	r = walk(0, ON_STACK(0x100), 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	if (r.n == 3)
		CHECK_U64(r.frames[1].pc, AT(OUTER + 0x20));
	fk_release(&k);
}

TEST(the_end_of_a_table_is_believed_only_at_the_end_of_a_stack)
{
	struct unwind_result r;

	fk_init(&k, &arch_x86_64);
	k.new_orc = true;
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "start", OUTER, 0x100, 't');
	for (int i = 0; i < 8; i++)
		fk_orc(&k, LEAF + (uint64_t)i, SP, 8, UNDEFINED, 0, CALL, false);
	fk_orc(&k, OUTER, UNDEFINED, 0, UNDEFINED, 0, END, false);
	fk_ready(&k);
	fk_put(&k, FK_STACK_END - 0x100, AT(OUTER + 0x20), 8);
	r = walk(AT(LEAF + 0x40), AT(FK_STACK_END - 0x100), 0);
	CHECK(r.complete);
	CHECK_U64(r.n, 2);
	stack(0x100, AT(OUTER + 0x20));
	forget();
	r = walk(AT(LEAF + 0x40), ON_STACK(0x100), 0);
	CHECK(!r.complete);
	fk_release(&k);
}

TEST(as_many_frames_as_asked_for)
{
	struct unwind_start start = { .how = "regs", .exact = true };
	struct unwind_result r;

	make(true);
	plain_stack();
	regs_set(&start.regs, RIP, AT(LEAF + 0x18));
	regs_set(&start.regs, RSP, ON_STACK(0x100));
	regs_set(&start.regs, RBP, ON_STACK(0x180));
	unwind(&k.t, &start, 2, &r);
	CHECK_U64(r.n, 2);
	CHECK_ERR(r.end, ERR_LIMIT);
	start.regs.have = 0;
	unwind(&k.t, &start, 0, &r);
	CHECK_U64(r.n, 0);
	CHECK_ERR(r.end, ERR_NEED);
	fk_release(&k);
}

/* The same entry, "CALL, SP + 8, bp unchanged", as three kernels write it. */
TEST(layouts_tell_themselves)
{
	static const uint8_t old[] = { 8, 0, 0, 0, 5, 0 }, v6_4[] = { 8, 0, 0, 0, 5, 2 },
			     v7_1[] = { 8, 0, 0, 0, 3, 2 };
	const uint8_t *const all[] = { old, v6_4, v7_1 };

	for (int i = 0; i < 3; i++) {
		struct orc_layout l = orc_layout_of(SPAN(all[i], 6));
		struct orc o = orc_decode(all[i], l);

		CHECK_U64(l.old_types, i == 0);
		CHECK_U64(l.renumbered, i == 2);
		CHECK_U64(o.type, ORC_CALL);
		CHECK_U64(o.sp_base, ORC_SP);
		CHECK_U64(o.bp_base, ORC_UNDEFINED);
		CHECK_U64((uint64_t)o.sp_off, 8);
	}
}

/* Counts and orders that no linker makes: of the kernel's table, and of a module's. */
static struct {
	uint64_t orc, ip, count;
} claimed;

static bool claim(struct target *t, uint64_t pc, uint64_t *orc, uint64_t *ip, uint64_t *count)
{
	(void)t;
	(void)pc;
	*orc = claimed.orc;
	*ip = claimed.ip;
	*count = claimed.count;
	return true;
}

TEST(tables_of_absurd_size)
{
	static const uint64_t counts[] = { UINT64_MAX, UINT64_C(1) << 62, 200000000, 1 << 20 };
	struct orc o;
	struct err err;

	make(true);
	k.hooks.module_orc = claim;
	claimed.orc = AT(FK_ORC);
	claimed.ip = AT(FK_IP);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		claimed.count = counts[i];
		CHECK(!orc_find(&k.t, AT(0x3f00), &o, &err));
		CHECK(err.code != ERR_OK);
	}
	claimed.count = k.n_orc;
	CHECK_OK(orc_find(&k.t, AT(0x3f00), &o, &err), err);
	fk_put(&k, FK_IP + 4, 0x7fff0000, 4); /* not sorted: the second behind the last */
	forget();
	CHECK(!orc_find(&k.t, AT(0x3f08), &o, &err));
	fk_release(&k);

	fk_init(&k, &arch_x86_64); /* the kernel's, which ends before it begins */
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_ready(&k);
	for (size_t i = 0; i < k.n_syms; i++)
		if (!strcmp(k.syms[i].name, "__stop_orc_unwind_ip"))
			k.syms[i].addr = AT(FK_IP) - 0x1000;
	CHECK(!orc_find(&k.t, AT(LEAF), &o, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	fk_release(&k);
}

/* Who takes an address that another one took already keeps the other's handler: both are asked. One
 * that only ever has its own to tell is asked a few times, and then believed. */
static unsigned asked;

static bool keeps_handler(struct target *t, uint64_t task, uint64_t slot, unsigned *index,
			  uint64_t *ret, struct err *err)
{
	(void)t, (void)task, (void)slot, (void)index, (void)err;
	asked++;
	*ret = AT(HANDLER);
	return true;
}

static bool took_it(struct target *t, uint64_t task, uint64_t slot, uint64_t *ret, struct err *err)
{
	(void)t, (void)task, (void)err;
	CHECK_U64(slot, ON_STACK(0x110));
	*ret = AT(MIDDLE + 0x20);
	return true;
}

TEST(an_address_taken_twice)
{
	struct unwind_result r;

	make(true);
	fk_symbol(&k, "__kretprobe_trampoline", 0x2800, 0x40, 'T');
	k.hooks.rethook_ret = took_it;
	plain_stack();
	stack(0x110, AT(HANDLER));
	k.shadow[0][0] = ON_STACK(0x110);
	k.shadow[0][1] = AT(0x2800);
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	CHECK(r.complete);
	REQUIRE(r.n == 4);
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	k.hooks.fgraph_ret = keeps_handler;
	r = walk(AT(LEAF + 0x18), ON_STACK(0x100), ON_STACK(0x180));
	CHECK_U64(r.frames[1].pc, AT(HANDLER));
	CHECK(asked >= 2 && asked < 100);
	fk_release(&k);
}

/* ---- registers for variables */

#define RBX 3

/* From pc, where rbx is 7: is that known of the caller? */
static bool caller_has_rbx(uint64_t pc, uint64_t sp)
{
	struct unwind_start start = { .how = "regs", .exact = true, .registers = true };
	struct unwind_result r;
	uint64_t v;

	regs_set(&start.regs, RIP, pc);
	regs_set(&start.regs, RSP, sp);
	regs_set(&start.regs, RBX, 7);
	unwind(&k.t, &start, 0, &r);
	return CHECK(r.n > 1) && regs_get(r.frames[1].known, RBX, &v) && v == 7;
}

/* Behind a call into nowhere nothing has run that could have changed it; a function of which no
 * table tells what it saved could. */
TEST(what_a_call_into_nowhere_left)
{
	make(true);
	k.mem[OUTER + 0x1b] = 0xe8;
	fk_put(&k, OUTER + 0x1c, (uint32_t)(NOORC - (OUTER + 0x20)), 4);
	stack(0x100, AT(OUTER + 0x20));
	CHECK(caller_has_rbx(0, ON_STACK(0x100)));
	CHECK(!caller_has_rbx(AT(NOORC + 0x40), ON_STACK(0x100)));
	fk_release(&k);
}

/* Where nobody knows the stacks, one that stands still is not followed for ever. */
TEST(a_stack_that_stands_still)
{
	struct unwind_result r;

	make(true);
	k.hooks.stack_of = NULL;
	fk_put(&k, FK_ORC + 6, 0, 2); /* leaf: the caller's sp is its own */
	stack(0xf8, AT(LEAF + 0x8));
	k.mem[LEAF + 0x3] = 0xe8;
	r = walk(AT(LEAF + 0x8), ON_STACK(0x100), 0);
	CHECK(!r.complete);
	CHECK_ERR(r.end, ERR_LIMIT);
	CHECK(r.n < 20);
	fk_release(&k);
	make(true); /* one that grows may be as deep as it likes */
	k.hooks.stack_of = NULL;
	k.mem[LEAF + 0x3] = 0xe8;
	for (unsigned i = 0; i < 30; i++)
		stack(0x100 + 8 * i, AT(LEAF + 0x8));
	r = walk(AT(LEAF + 0x8), ON_STACK(0x100), 0);
	CHECK_U64(r.n, 31);
	fk_release(&k);
}

TEST(nothing_to_start_from)
{
	struct unwind_start start = { .how = "regs", .exact = true };
	struct unwind_result r;

	make(true);
	for (int i = 0; i < 3; i++) { /* nothing, either alone */
		start.regs = (struct regs){ 0 };
		if (i)
			regs_set(&start.regs, i == 1 ? RSP : RIP, AT(LEAF));
		unwind(&k.t, &start, 0, &r);
		CHECK_U64(r.n, 0);
		CHECK_ERR(r.end, ERR_NEED);
	}
	fk_release(&k);
}

TEST_MAIN
