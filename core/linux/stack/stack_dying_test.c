/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests where a kernel had got to that saved the registers of its fault, on stacks made by hand. */
#include "core/base/test.h"
#include "core/linux/stack/stack.h"
#include "core/linux/linux.h"
#include "core/linux/stack/stack_impl.h"
#include "core/unwind/unwind_fake.h"

enum {
	RBX = 3,
	RSP = 7,
	RIP = 16
};
/* What ORC counts from and what it describes, as struct orc_entry numbers them. */
enum {
	FROM_SP = 5,
	CALL = 2,
	REGS = 3
};
#define KEXEC 0x1000
#define OOPS 0x1100
#define HANDLER 0x1200
#define ENTRY 0x1300
#define VICTIM 0x1400
#define AT(off) (FK_BASE + (off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (off))

static struct fake_stack_kernel k;

static void word(uint64_t off, uint64_t value)
{
	fk_put(&k, FK_STACK + off, value, 8);
}

/* pt_regs at `off`: rbx at 40, rip at 128, cs at 136, rsp at 152 (ptrace.h). */
static void saved(uint64_t off, uint64_t rbx, uint64_t rip, uint64_t sp)
{
	word(off + 40, rbx);
	word(off + 128, rip);
	word(off + 136, 0x10);
	word(off + 152, sp);
}

/* machine_kexec() <- oops_end() <- handler <- the entry, whose registers lie at `off` + 0x140. */
static void death(uint64_t off, uint64_t rbx)
{
	word(off, AT(KEXEC + 0x20));
	word(off + 0x40, AT(OOPS + 0x20));
	word(off + 0x80, AT(HANDLER + 0x20));
	word(off + 0x138, AT(ENTRY + 0x20));
	saved(off + 0x140, rbx, AT(VICTIM + 0x20), ON_STACK(off + 0x140 + 168));
}

static void make(void)
{
	fk_init(&k, &arch_x86_64);
	fk_symbol(&k, "machine_kexec", KEXEC, 0x100, 'T');
	fk_symbol(&k, "oops_end", OOPS, 0x100, 'T');
	fk_symbol(&k, "handler", HANDLER, 0x100, 't');
	fk_symbol(&k, "entry", ENTRY, 0x100, 'T');
	fk_symbol(&k, "victim", VICTIM, 0x100, 't');
	fk_orc(&k, 0, FROM_SP, 8, 0, 0, CALL, false);
	fk_orc(&k, KEXEC, FROM_SP, 0x40, 0, 0, CALL, false);
	fk_orc(&k, OOPS, FROM_SP, 0x40, 0, 0, CALL, false);
	fk_orc(&k, HANDLER, FROM_SP, 0xb8, 0, 0, CALL, false);
	fk_orc(&k, ENTRY, FROM_SP, 0, 0, 0, REGS, true);
	fk_orc(&k, VICTIM, FROM_SP, 8, 0, 0, CALL, false);
	fk_ready(&k);
	linux_init(&k.t);
	k.t.unwind_hooks = &k.hooks;
	death(0x1f80, 77);
}

/* Where the walk starts when the kernel saved these registers of the fault: the offset of the stack
 * pointer; the fault's own when nothing below it proves more. */
static uint64_t start(uint64_t rbx, struct unwind_start *ret)
{
	*ret = (struct unwind_start){ .how = "regs", .exact = true, .task = AT(FK_TASK) };
	regs_set(&ret->regs, RBX, rbx);
	regs_set(&ret->regs, RIP, AT(VICTIM + 0x20));
	regs_set(&ret->regs, RSP, ON_STACK(0x1f80 + 0x140 + 168));
	stack_dying(&k.t, ret);
	return ret->regs.r[RSP] - ON_STACK(0);
}

TEST(what_ran_after_the_fault_is_found_by_its_registers)
{
	struct unwind_start s;
	struct unwind_result r;

	make();
	death(0x400, 5);               /* an earlier oops, survived */
	word(0x600, AT(KEXEC + 0x30)); /* and one whose frames are gone */
	CHECK_U64(start(77, &s), 0x1f88);
	CHECK_STR(s.how, "return");
	CHECK(!s.exact);
	unwind(&k.t, &s, 0, &r);
	REQUIRE(r.n >= 5);
	CHECK_U64(r.frames[0].pc, AT(KEXEC + 0x20));
	CHECK_U64(r.frames[1].pc, AT(OOPS + 0x20));
	CHECK(r.frames[3].has_regs && r.frames[3].sure);
	CHECK_U64(r.frames[4].pc, AT(VICTIM + 0x20));
	CHECK_U64(stack_death(&k.t, &r), 3);
	fk_release(&k);
}

TEST(another_exception_of_the_same_code_proves_nothing)
{
	struct unwind_start s;

	make();
	CHECK_U64(start(78, &s), 0x1f80 + 0x140 + 168);
	CHECK_STR(s.how, "regs");
	CHECK(s.exact);
	CHECK_U64(s.regs.r[RBX], 78);
	fk_release(&k);
}

/* The deepest frames are in an excluded page: oops_end() is what is left to begin with. */
TEST(a_missing_page_hides_only_what_is_in_it)
{
	struct unwind_start s;

	make();
	word(0x1f80, 0);
	word(0x1fc0, 0);
	death(0x1fc0, 77);
	k.hole = (FK_STACK + 0x1000) / 0x1000 + 1;
	s = (struct unwind_start){ .how = "regs", .exact = true, .task = AT(FK_TASK) };
	regs_set(&s.regs, RBX, 77);
	regs_set(&s.regs, RIP, AT(VICTIM + 0x20));
	regs_set(&s.regs, RSP, ON_STACK(0x1fc0 + 0x140 + 168));
	stack_dying(&k.t, &s);
	CHECK_U64(s.regs.r[RSP], ON_STACK(0x2008));
	CHECK_U64(s.regs.r[RIP], AT(OOPS + 0x20));
	fk_release(&k);
}

/* arm64: frame records of the caller's frame pointer and the return address, and pt_regs with one
 * inside, at 304 (struct pt_regs.stackframe). What die() called before crash_kexec() left a record
 * deeper down, which leads to the fault, too, but not from where it ended. */
TEST(frame_records_lead_to_the_fault)
{
	enum {
		X29 = 29,
		A_SP = 31,
		A_PC = 32,
		REGS_AT = 0x1100,
		RECORD = REGS_AT + 304
	};
	struct unwind_start s = { .how = "regs", .exact = true, .task = AT(FK_TASK) };

	fk_init(&k, &arch_aarch64);
	fk_symbol(&k, "__crash_kexec", KEXEC, 0x100, 'T');
	fk_symbol(&k, "die", OOPS, 0x100, 'T');
	fk_symbol(&k, "__entry_text_start", ENTRY, 0, 'T');
	fk_symbol(&k, "el1h_64_sync", ENTRY, 0x100, 't');
	fk_symbol(&k, "__entry_text_end", VICTIM, 0, 'T');
	fk_symbol(&k, "victim", VICTIM, 0x100, 't');
	fk_ready(&k);
	linux_init(&k.t);
	k.t.unwind_hooks = &k.hooks;
	word(0xf00, ON_STACK(0x1080));
	word(0xf08, AT(OOPS + 0x10));
	word(0x1000, ON_STACK(0x1040));
	word(0x1008, AT(KEXEC + 0x20));
	word(0x1040, ON_STACK(0x1080));
	word(0x1048, AT(OOPS + 0x20));
	word(0x1080, ON_STACK(RECORD));
	word(0x1088, AT(ENTRY + 0x20));
	word(RECORD, ON_STACK(0x1400));
	word(RECORD + 8, AT(VICTIM + 0x20));
	word(REGS_AT + 8 * X29, ON_STACK(0x1400));
	word(REGS_AT + 8 * A_SP, ON_STACK(0x1300));
	word(REGS_AT + 8 * A_PC, AT(VICTIM + 0x20));
	word(REGS_AT + 8 * (A_PC + 1), 5); /* PSTATE: EL1h */
	regs_set(&s.regs, X29, ON_STACK(0x1400));
	regs_set(&s.regs, A_SP, ON_STACK(0x1300));
	regs_set(&s.regs, A_PC, AT(VICTIM + 0x20));
	stack_dying(&k.t, &s);
	CHECK_STR(s.how, "return");
	CHECK_U64(s.regs.r[A_PC], AT(KEXEC + 0x20));
	CHECK_U64(s.regs.r[X29], ON_STACK(0x1040));
	fk_release(&k);
}

/* ---- no registers at all, as in raw memory */

#define PANIC 0x1500
#define CALLED 0x1000 /* where the address that returns into panic() lies */
enum {
	FROM_BP = 4
};

/* A task that entered the kernel, panicked, and whose panic() called something; its frame is found
 * by the stack pointer, or by rbp. */
static void make_panic(bool by_bp)
{
	fk_init(&k, &arch_x86_64);
	fk_symbol(&k, "entry", ENTRY, 0x100, 'T');
	fk_symbol(&k, "victim", VICTIM, 0x100, 't');
	fk_symbol(&k, "panic", PANIC, 0x100, 'T');
	fk_orc(&k, 0, FROM_SP, 8, 0, 0, CALL, false);
	fk_orc(&k, ENTRY, FROM_SP, 0, 0, 0, REGS, true);
	fk_orc(&k, VICTIM, FROM_SP, 8, 0, 0, CALL, false);
	fk_orc(&k, PANIC, by_bp ? FROM_BP : FROM_SP, by_bp ? 16 : 0x40, 0, 0, CALL, false);
	fk_ready(&k);
	linux_init(&k.t);
	k.t.unwind_hooks = &k.hooks;
	word(CALLED, AT(PANIC + 0x20));
	word(CALLED + 0x40, AT(VICTIM + 0x20));
	word(CALLED + 0x48, AT(ENTRY + 0x20));
	word(CALLED + 0x50 + 136, 0x33); /* cs of a program */
}

static bool panicked(struct unwind_start *ret)
{
	*ret = (struct unwind_start){ .task = AT(FK_TASK), .cpu = -1 };
	return stack_panicked(&k.t, ON_STACK(0), ret);
}

TEST(what_panic_called_leads_back_to_it)
{
	struct unwind_start s;
	struct unwind_result r;

	make_panic(false);
	word(CALLED - 0x200, AT(PANIC + 0x30)); /* its frame is gone */
	if (CHECK(panicked(&s))) {
		CHECK_STR(s.how, "return");
		CHECK(!s.exact);
		CHECK_U64(s.regs.r[RIP], AT(PANIC + 0x20));
		CHECK_U64(s.regs.r[RSP], ON_STACK(CALLED + 8));
		unwind(&k.t, &s, 0, &r);
		CHECK(r.complete && r.n == 3);
	}
	fk_release(&k);
	/* a stack that does not lead to its end proves nothing */
	make_panic(false);
	word(CALLED + 0x48, 0);
	CHECK(!panicked(&s));
	fk_release(&k);
}

TEST(the_frame_pointer_of_panic_was_saved_below)
{
	struct unwind_start s;

	make_panic(true);
	CHECK(!panicked(&s));
	fk_release(&k);
	make_panic(true);
	word(CALLED - 0x18, ON_STACK(CALLED + 0x38));
	word(CALLED - 0x20, ON_STACK(CALLED + 0x10)); /* into the frame, and leads nowhere */
	if (CHECK(panicked(&s)))
		CHECK_U64(s.regs.r[6], ON_STACK(CALLED + 0x38)); /* rbp is DWARF's 6 */
	fk_release(&k);
	/* two that lead to the end: nobody knows which is it */
	make_panic(true);
	word(CALLED - 0x18, ON_STACK(CALLED + 0x38));
	word(CALLED - 0x20, ON_STACK(CALLED + 0x10));
	word(CALLED + 0x18, AT(VICTIM + 0x20));
	word(CALLED + 0x20, AT(ENTRY + 0x20));
	word(CALLED + 0x28 + 136, 0x33);
	CHECK(!panicked(&s));
	fk_release(&k);
}

/* A stack full of such addresses costs a bounded number of tries. */
TEST(a_hostile_stack_is_given_up)
{
	struct unwind_start s;

	make();
	for (uint64_t off = 0; off < 0x1f80; off += 8)
		word(off, AT(KEXEC + 0x20));
	CHECK_U64(start(77, &s), 0x1f80 + 0x140 + 168);
	CHECK_STR(s.how, "regs");
	fk_release(&k);
}

TEST_MAIN
