/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the unwinder on arm64 stacks made by hand, by the rules of its ABI. */
#include "core/base/test.h"
#include "core/unwind/unwind_fake.h"

/* Functions of 0x100 bytes. */
#define LEAF 0x1000
#define MIDDLE 0x1100
#define OUTER 0x1200
#define AT(off) (FK_BASE + (off))
#define ON_STACK(off) (FK_BASE + FK_STACK + (off))

static struct fake_stack_kernel k;

static void stack(uint64_t off, uint64_t value)
{
	fk_put(&k, FK_STACK + off, value, 8);
}

/* Memory was changed: what was read of it is no longer so. */
static void forget(void)
{
	struct phys_source phys = k.t.memory.phys;

	mem_release(&k.t);
	k.t.memory.phys = phys;
}

/* arm64: records of {fp, pc} in a chain; the pt_regs' record ends it. */
TEST(arm64_follows_frame_records)
{
	enum {
		X29 = 29,
		A_SP = 31,
		A_PC = 32
	};
	struct unwind_start start = { .how = "switch" };
	struct unwind_result r;

	fk_init(&k, &arch_aarch64);
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "ret_from_fork", OUTER, 0x100, 't');
	fk_ready(&k);
	stack(0x100, ON_STACK(0x180));
	stack(0x108, AT(MIDDLE + 0x20));
	stack(0x180, ON_STACK(0x3f00));
	stack(0x188, AT(OUTER + 0x20));
	regs_set(&start.regs, A_PC, AT(LEAF + 0x20));
	regs_set(&start.regs, A_SP, ON_STACK(0x100));
	regs_set(&start.regs, X29, ON_STACK(0x100));
	unwind(&k.t, &start, 0, &r); /* two zeros at 0x3f00 */
	CHECK(r.complete);
	CHECK_U64(r.n, 3);
	if (r.n == 3) {
		CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
		CHECK_STR(r.frames[1].how, "fp");
		CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
	}
	stack(0x180, ON_STACK(0x100)); /* a cycle */
	forget();
	unwind(&k.t, &start, 0, &r);
	CHECK(!r.complete);
	CHECK_U64(r.n, 2);
	fk_release(&k);
}

/* Before v5.14 the record of what ret_from_fork() called has a return address and no frame pointer;
 * of another function such a record is damage. */
TEST(arm64_threads_of_old_kernels_begin_without_a_frame_pointer)
{
	for (int old = 0; old < 2; old++) {
		struct unwind_start start = { .how = "switch" };
		struct unwind_result r;

		fk_init(&k, &arch_aarch64);
		fk_symbol(&k, "leaf", LEAF, 0x100, 't');
		fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
		fk_symbol(&k, old ? "ret_from_fork" : "another", OUTER, 0x100, 't');
		fk_ready(&k);
		stack(0x100, ON_STACK(0x3f00));
		stack(0x108, AT(MIDDLE + 0x20));
		stack(0x3f00, 0);
		stack(0x3f08, AT(OUTER + 0x20));
		regs_set(&start.regs, 32, AT(LEAF + 0x20));
		regs_set(&start.regs, 31, ON_STACK(0x100));
		regs_set(&start.regs, 29, ON_STACK(0x100));
		unwind(&k.t, &start, 0, &r);
		CHECK_U64(r.complete, (uint64_t)old);
		CHECK_U64(r.n, 3);
		if (r.n == 3)
			CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
		fk_release(&k);
	}
}

/* There a CPU's idle task begins with neither; paciasp of its first function signs what is no
 * address. */
TEST(arm64_a_signed_null_is_the_begin_of_a_stack)
{
	static const struct {
		uint64_t word;
		bool end;
	} cases[] = {
		{ 0, true },
		{ UINT64_C(0x7c000000000000), true },
		{ UINT64_C(0xff7f000000000000), true },
		{ UINT64_C(0x80000000000000), false }, /* bit 55: the kernel's half */
		{ UINT64_C(0x7c000000000004), false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct unwind_start start = { .how = "switch" };
		struct unwind_result r;

		fk_init(&k, &arch_aarch64);
		fk_symbol(&k, "leaf", LEAF, 0x100, 't');
		fk_symbol(&k, "start_kernel", MIDDLE, 0x100, 't');
		fk_ready(&k);
		stack(0x100, ON_STACK(0x3f00));
		stack(0x108, AT(MIDDLE + 0x20));
		stack(0x3f00, 0);
		stack(0x3f08, cases[i].word);
		regs_set(&start.regs, 32, AT(LEAF + 0x20));
		regs_set(&start.regs, 31, ON_STACK(0x100));
		regs_set(&start.regs, 29, ON_STACK(0x100));
		unwind(&k.t, &start, 0, &r);
		CHECK_U64(r.complete, cases[i].end);
		CHECK_U64(r.n, 2);
		fk_release(&k);
	}
}

/* call_on_irq_stack() leaves the record of its caller's frame, which lies on the task's stack. */
TEST(arm64_leaves_the_irq_stack_by_its_record)
{
	enum {
		X29 = 29,
		A_SP = 31,
		A_PC = 32
	};
	struct unwind_start start = { .how = "switch" };
	struct unwind_result r;
	uint64_t irq;

	fk_init(&k, &arch_aarch64);
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "ret_from_fork", OUTER, 0x100, 't');
	fk_ready(&k);
	irq = AT(FK_IRQ + 0x1800);
	fk_put(&k, FK_IRQ + 0x1800, ON_STACK(0x180), 8);
	fk_put(&k, FK_IRQ + 0x1808, AT(MIDDLE + 0x20), 8);
	stack(0x180, ON_STACK(0x3f00));
	stack(0x188, AT(OUTER + 0x20));
	regs_set(&start.regs, A_PC, AT(LEAF + 0x20));
	regs_set(&start.regs, A_SP, irq);
	regs_set(&start.regs, X29, irq);
	unwind(&k.t, &start, 0, &r);
	CHECK(r.complete);
	REQUIRE(r.n == 3);
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
	fk_release(&k);
}

/* Debug info's tables on arm64: CFA sp + 0x40, x29 and x30 saved at its end. */
static bool arm64_caller(struct frame_source *s, const struct frame_at *f, struct regs *ret,
			 uint64_t *cfa, struct err *err)
{
	uint64_t sp, v;

	if (f->pc >= AT(OUTER) || !regs_get(&f->regs, 31, &sp))
		return err_set(err, ERR_NOTFOUND, "no table");
	*cfa = sp + 0x40;
	*ret = (struct regs){ .have = 0 };
	regs_set(ret, 31, *cfa);
	if (!mem_u64(s->t, *cfa - 16, &v, err))
		return false;
	regs_set(ret, 29, v);
	if (!mem_u64(s->t, *cfa - 8, &v, err))
		return false;
	regs_set(ret, 32, v);
	return true;
}

TEST(arm64_without_frame_pointers_has_the_frame_tables)
{
	struct unwind_start start = { .how = "switch" };
	struct frame_source tables = { .caller = arm64_caller, .t = &k.t };
	struct unwind_result r;

	fk_init(&k, &arch_aarch64);
	fk_symbol(&k, "leaf", LEAF, 0x100, 't');
	fk_symbol(&k, "middle", MIDDLE, 0x100, 't');
	fk_symbol(&k, "outer", OUTER, 0x100, 't');
	fk_ready(&k);
	frame_source_add(&k.t, &tables);
	fk_put(&k, MIDDLE + 0x1c, 0x94000000, 4); /* bl */
	fk_put(&k, OUTER + 0x1c, 0x94000000, 4);
	stack(0x130, 0x1234); /* x29 holds anything */
	stack(0x138, AT(MIDDLE + 0x20));
	stack(0x170, 0x5678);
	stack(0x178, AT(OUTER + 0x20));
	regs_set(&start.regs, 29, 0xb0b);
	regs_set(&start.regs, 31, ON_STACK(0x100));
	regs_set(&start.regs, 32, AT(LEAF + 0x20));
	unwind(&k.t, &start, 0, &r);
	REQUIRE(r.n == 3);
	CHECK(!r.complete); /* the last function is in no table */
	CHECK_U64(r.frames[1].pc, AT(MIDDLE + 0x20));
	CHECK_STR(r.frames[1].how, "cfi");
	CHECK_U64(r.frames[2].pc, AT(OUTER + 0x20));
	CHECK_U64(r.frames[2].sp, ON_STACK(0x180));
	stack(0x138, AT(OUTER + 0x40)); /* no call before it: no return address */
	forget();
	unwind(&k.t, &start, 0, &r);
	CHECK_U64(r.n, 1);
	fk_release(&k);
}

TEST_MAIN
