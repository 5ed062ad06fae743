/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of x86-64 stacks without ORC: frame pointers as push %rbp; mov %rsp,%rbp leave them, the
 * kernel's marked pointers to saved registers (unwind_frame.c), and debug info's frame tables. */
#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/unwind/unwind_fake.h"

enum {
	RBX = 3,
	RBP = 6,
	RSP = 7,
	RIP = 16
};

#define INNER 0x1000
#define OUTER 0x1100
#define ENTRY 0x1200
#define BARE 0x1300 /* keeps no frame pointer */
#define START 0x1400
#define REGS 0x3e00 /* on the stack */

static struct fake_stack_kernel k;
static struct frame_source tables;

#define AT(off) (FK_BASE + (uint64_t)(off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (uint64_t)(off))

static void stack(uint64_t off, uint64_t value)
{
	fk_put(&k, FK_STACK + off, value, 8);
}

/* The instruction that ends there is a call. */
static uint64_t ret_to(uint64_t off)
{
	k.mem[off - 5] = 0xe8;
	return AT(off);
}

static void prologue(uint64_t off)
{
	static const uint8_t code[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x0f, 0x1f, 0x44,
					0x00, 0x00, 0x55, 0x48, 0x89, 0xe5 };

	memcpy(k.mem + off, code, sizeof(code));
}

/* struct pt_regs, ptrace.h: bp at 32, ip at 128, cs, flags, sp */
static void saved(uint64_t off, uint64_t ip, uint64_t cs, uint64_t sp, uint64_t bp)
{
	stack(off + 32, bp);
	stack(off + 128, ip);
	stack(off + 136, cs);
	stack(off + 144, 0x246);
	stack(off + 152, sp);
}

static void make(void)
{
	fk_init(&k, &arch_x86_64);
	fk_symbol(&k, "inner", INNER, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 'T');
	fk_symbol(&k, "asm_exc_page_fault", ENTRY, 0x100, 'T');
	fk_symbol(&k, "bare", BARE, 0x100, 't');
	fk_symbol(&k, "ret_from_fork", START, 0x100, 't');
	fk_symbol(&k, "__entry_text_start", ENTRY, 0, 'T');
	fk_symbol(&k, "__entry_text_end", ENTRY + 0x100, 0, 'T');
	prologue(INNER);
	prologue(OUTER);
	ret_to(OUTER + 0x50);
	ret_to(ENTRY + 0x50);
	ret_to(START + 0x50);
	/* inner's frame at 0x3100, outer's at 0x3200; the entry's registers mark the end */
	stack(0x3100, ON_STACK(0x3200));
	stack(0x3108, AT(OUTER + 0x50));
	stack(0x3200, ON_STACK(REGS) | 1);
	stack(0x3208, AT(ENTRY + 0x50));
	saved(REGS, 0x401000, 0x33, 0x7ffe0000, 0);
	fk_ready(&k);
}

static struct unwind_result walk(uint64_t pc, uint64_t sp, uint64_t bp)
{
	struct unwind_start start = {
		.how = "regs", .exact = true, .cpu = 0, .task = FK_BASE + FK_TASK
	};
	struct unwind_result r;

	regs_set(&start.regs, RIP, pc);
	regs_set(&start.regs, RSP, sp);
	regs_set(&start.regs, RBP, bp);
	unwind(&k.t, &start, 0, &r);
	return r;
}

static void check_chain(const struct unwind_result *r, const char *how)
{
	REQUIRE(r->n == 3);
	CHECK(r->complete);
	CHECK_U64(r->frames[1].pc, AT(OUTER + 0x50));
	CHECK_STR(r->frames[1].how, how);
	CHECK(r->frames[1].called);
	CHECK_U64(r->frames[2].pc, AT(ENTRY + 0x50));
	CHECK(r->frames[2].has_regs);
	CHECK(r->frames[2].user);
	CHECK(!r->frames[2].called);
}

TEST(frame_pointers_lead_to_the_registers_of_the_entry)
{
	struct unwind_result r;

	make();
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	check_chain(&r, "fp");
	fk_release(&k);
}

/* A frame may be where the stack pointer is, and in the stack's last two words. */
TEST(frames_at_the_ends_of_what_they_may_be)
{
	struct unwind_result r;

	make();
	r = walk(AT(INNER + 0x40), ON_STACK(0x3100), ON_STACK(0x3100));
	check_chain(&r, "fp");
	fk_release(&k);
	make();
	stack(0x3ff0, 0);
	stack(0x3ff8, AT(START + 0x50));
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3ff0));
	CHECK_U64(r.n, 2);
	CHECK(r.complete);
	fk_release(&k);
}

TEST(a_function_that_only_began)
{
	struct unwind_result r;

	make(); /* at its first instruction, and before push: the return address is on top */
	r = walk(AT(INNER), ON_STACK(0x3108), ON_STACK(0x3200));
	check_chain(&r, "fp");
	r = walk(AT(INNER + 9), ON_STACK(0x3108), ON_STACK(0x3200));
	check_chain(&r, "fp");
	r = walk(AT(INNER + 10), ON_STACK(0x3100), ON_STACK(0x3200)); /* pushed, not moved yet */
	check_chain(&r, "fp");
	fk_release(&k);
}

TEST(an_interrupted_kernel_goes_on)
{
	struct unwind_result r;

	make();
	saved(REGS, AT(OUTER + 0x60), 0x10, ON_STACK(0x3f00), ON_STACK(0x3f80));
	stack(0x3f80, 0);
	stack(0x3f88, AT(START + 0x50));
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	REQUIRE(r.n == 5);
	CHECK(r.frames[2].has_regs);
	CHECK_U64(r.frames[3].pc, AT(OUTER + 0x60));
	CHECK(r.frames[3].exact);
	CHECK_STR(r.frames[3].how, "pt_regs");
	CHECK_U64(r.frames[4].pc, AT(START + 0x50)); /* a kernel thread's first */
	CHECK(r.complete);
	fk_release(&k);
}

/* __USER_CS and __USER32_CS are a program's, __KERNEL_CS is the kernel's; bit 1 of the flags is
 * always set, those above 21 never (arch/x86/include/asm/segment.h, processor-flags.h). */
TEST(what_saved_registers_look_like)
{
	static const struct {
		uint64_t cs, flags;
		bool regs, user;
	} cases[] = {
		{ 0x33, 0x246, true, true },     { 0x23, 0x246, true, true },
		{ 0x10, 0x246, true, false },    { 0x10, 2, true, false },
		{ 0x10, 0x200002, true, false }, { 0x10, 0x400002, false, false },
		{ 0x10, 0x244, false, false },   { 0x33, 0x244, false, false },
		{ 0x18, 0x246, false, false },   { 0x2b, 0x246, false, false },
		{ 0, 0, false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_result r;

		make();
		saved(REGS, AT(BARE + 0x20), cases[i].cs, ON_STACK(0x3f00), 0);
		stack(REGS + 144, cases[i].flags);
		r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
		CHECK_U64(r.n, cases[i].regs && !cases[i].user ? 4 : 3);
		CHECK_U64(r.n > 2 && r.frames[2].has_regs, cases[i].regs);
		CHECK_U64(r.n > 2 && r.frames[2].user, cases[i].user);
		CHECK_U64(r.complete, cases[i].user);
		fk_release(&k);
	}
}

/* endbr64 and the tracer's call or nop may stand before push, or not; and what else is no frame. */
TEST(how_functions_that_keep_one_begin)
{
	static const struct {
		uint8_t code[16];
		unsigned pushed; /* where push ends; 0: never */
	} cases[] = {
		{ { 0x55, 0x48, 0x89, 0xe5 }, 1 },
		{ { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5 }, 5 },
		{ { 0xe8, 1, 2, 3, 4, 0x55, 0x48, 0x89, 0xe5 }, 6 },
		{ { 0x0f, 0x1f, 0x44, 0, 0, 0x55, 0x48, 0x89, 0xe5 }, 6 },
		{ { 0xf3, 0x0f, 0x1e, 0xfa, 0xe8, 1, 2, 3, 4, 0x55, 0x48, 0x89, 0xe5 }, 10 },
		{ { 0x0f, 0x0b, 0x44, 0, 0, 0x55, 0x48, 0x89, 0xe5 }, 0 }, /* ud2 */
		{ { 0x55, 0x48, 0x89, 0xe6 }, 0 },                         /* mov %rsp,%rsi */
		{ { 0x90, 0x55, 0x48, 0x89, 0xe5 }, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned pushed = cases[i].pushed;
		struct unwind_result r;

		make();
		memcpy(k.mem + INNER, cases[i].code, sizeof(cases[i].code));
		r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
		CHECK_U64(r.n, pushed ? 3 : 1);
		if (pushed) { /* the byte before its end, and its end */
			r = walk(AT(INNER + pushed - 1), ON_STACK(0x3108), ON_STACK(0x3200));
			check_chain(&r, "fp");
			r = walk(AT(INNER + pushed), ON_STACK(0x3100), ON_STACK(0x3200));
			check_chain(&r, "fp");
			r = walk(AT(INNER + pushed + 3), ON_STACK(0x3080), ON_STACK(0x3100));
			check_chain(&r, "fp");
		}
		fk_release(&k);
	}
}

TEST(no_frame_pointer_is_believed_without_a_function_that_keeps_one)
{
	struct unwind_result r;

	make();
	r = walk(AT(BARE + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	CHECK_U64(r.n, 1);
	CHECK(!r.complete);
	fk_release(&k);
}

TEST(corrupt_frame_pointers)
{
	struct unwind_result r;

	make(); /* in a circle */
	stack(0x3100, ON_STACK(0x3100));
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	CHECK(!r.complete);
	CHECK_ERR(r.end, ERR_CORRUPT);
	CHECK(r.n <= 3);
	fk_release(&k);

	make(); /* off the stack */
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), AT(0x100));
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	fk_release(&k);

	make(); /* to no place for a word; below the stack pointer; its last word */
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3104));
	CHECK_ERR(r.end, ERR_CORRUPT);
	stack(0x3048, AT(OUTER + 0x50));
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3040));
	CHECK_ERR(r.end, ERR_CORRUPT);
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(FK_STACK_END - FK_STACK - 8));
	CHECK_ERR(r.end, ERR_CORRUPT);
	CHECK_U64(r.n, 1);
	k.hooks.stack_of = NULL; /* nobody knows the stacks: no frame pointer can be checked */
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	fk_release(&k);

	make(); /* to what is no return address */
	stack(0x3108, AT(BARE + 0x20));
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	CHECK_U64(r.n, 1);
	CHECK_ERR(r.end, ERR_CORRUPT);
	fk_release(&k);

	make(); /* a mark that leads to no registers */
	saved(REGS, 0, 0, 0, 0);
	r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3100));
	CHECK_U64(r.n, 3);
	CHECK(!r.complete);
	fk_release(&k);
}

/* Debug info's tables: in any function of ours the CFA is rsp + 0x40, rbx is saved below the return
 * address, and everything else is as it was. */
static bool table_caller(struct frame_source *s, const struct frame_at *f, struct regs *ret,
			 uint64_t *cfa, struct err *err)
{
	uint64_t v, pc = frame_at_lookup(f);

	if (pc < AT(INNER) || pc >= AT(ENTRY))
		return err_set(err, ERR_NOTFOUND, "no table");
	if (f->has_cfa)
		*cfa = f->cfa;
	else if (regs_get(&f->regs, RSP, &v))
		*cfa = v + 0x40;
	else
		return err_set(err, ERR_NEED, "no stack pointer");
	*ret = f->regs;
	ret->have &= 1 << RBP;
	regs_set(ret, RSP, *cfa);
	if (!mem_u64(s->t, *cfa - 8, &v, err))
		return false;
	regs_set(ret, RIP, v);
	if (!mem_u64(s->t, *cfa - 16, &v, err))
		return false;
	regs_set(ret, RBX, v);
	return true;
}

static void make_tables(void)
{
	make();
	memset(k.mem + INNER, 0x90, 0x20); /* no frame pointers */
	memset(k.mem + OUTER, 0x90, 0x20);
	tables = (struct frame_source){ .caller = table_caller, .t = &k.t };
	frame_source_add(&k.t, &tables);
	stack(0x3d78, AT(OUTER + 0x50));
	stack(0x3d70, 0xb0b);
	stack(0x3db8, AT(ENTRY + 0x50));
	stack(0x3db0, 0xcab);
	saved(0x3dc0, 0x401000, 0x33, 0x7ffe0000, 0);
}

TEST(frame_tables_where_there_is_nothing_else)
{
	struct unwind_result r;

	make_tables();
	r = walk(AT(INNER + 0x40), ON_STACK(0x3d40), 0);
	check_chain(&r, "cfi");
	fk_release(&k);
}

TEST(registers_are_recovered_for_variables)
{
	struct unwind_start start = {
		.how = "regs", .exact = true, .task = FK_BASE + FK_TASK, .registers = true
	};
	struct unwind_result r;
	uint64_t v;

	make_tables();
	regs_set(&start.regs, RIP, AT(INNER + 0x40));
	regs_set(&start.regs, RSP, ON_STACK(0x3d40));
	regs_set(&start.regs, RBX, 1);
	regs_set(&start.regs, 0, 2); /* rax */
	unwind(&k.t, &start, 0, &r);
	REQUIRE(r.n == 3);
	REQUIRE(r.frames[0].known && r.frames[1].known && r.frames[2].known);
	CHECK(regs_get(r.frames[0].known, 0, &v));
	CHECK(regs_get(r.frames[0].known, RBX, &v));
	CHECK_U64(v, 1);
	CHECK_U64(r.frames[0].cfa, ON_STACK(0x3d80));
	CHECK(!regs_get(r.frames[1].known, 0, &v)); /* a call may change it */
	CHECK(regs_get(r.frames[1].known, RBX, &v));
	CHECK_U64(v, 0xb0b);
	CHECK(regs_get(r.frames[2].known, RBX, &v));
	CHECK_U64(v, 0xcab);
	fk_release(&k);
}

/* A call on the IRQ stack: the caller's own stack pointer lies in that stack's last word. */
TEST(frame_tables_leave_the_irq_stack)
{
	struct unwind_result r;

	make_tables();
	fk_put(&k, FK_IRQ_END - 0x10, AT(OUTER + 0x50), 8);
	fk_put(&k, FK_IRQ_END - 8, ON_STACK(0x3d80), 8);
	r = walk(AT(INNER + 0x40), FK_BASE + FK_IRQ_END - 0x48, 0);
	check_chain(&r, "cfi");
	CHECK_STR(r.frames[0].stack, "IRQ");
	CHECK_STR(r.frames[2].stack, "TASK");
	fk_release(&k);
}

/* What was interrupted has the stack pointer that it has, and where no stack is known none is left.
 */
TEST(only_a_call_leaves_the_irq_stack)
{
	struct unwind_result r;

	make_tables();
	fk_put(&k, FK_IRQ_END - 8, ON_STACK(0x3d80), 8);
	r = walk(AT(INNER + 0x40), FK_BASE + FK_IRQ_END - 8, 0);
	CHECK_U64(r.n, 1);
	k.hooks.stack_of = NULL;
	r = walk(AT(INNER + 0x40), ON_STACK(0x3d40), 0);
	CHECK_U64(r.n, 3);
	fk_release(&k);
}

/* ret_from_fork() begins a thread, the others an idle task (arch/x86/kernel/head_64.S). */
TEST(first_functions_of_stacks)
{
	static const char *const names[] = { "ret_from_fork", "secondary_startup_64_no_verify",
					     "start_cpu0" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct unwind_result r;

		make();
		for (size_t n = 0; n < k.n_syms; n++)
			if (!strcmp(k.syms[n].name, "ret_from_fork"))
				k.syms[n].name = names[i];
		stack(0x3ff0, 0);
		stack(0x3ff8, AT(START + 0x50));
		r = walk(AT(INNER + 0x40), ON_STACK(0x3080), ON_STACK(0x3ff0));
		CHECK_U64(r.n, 2);
		CHECK(r.complete);
		fk_release(&k);
	}
}

TEST_MAIN
