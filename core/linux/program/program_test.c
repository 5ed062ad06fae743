/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a program's stack, over memory that is laid out here: frame pointers, and guesses. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/program/program.h"

/* The program's addresses are the fake kernel's physical ones: code at 0x10000, stack at 0x20000.
 */
#define CODE 0x10000u
#define STACK 0x20000u
#define AREA 0x4000u
#define AT(va) (KERNEL_BASE + (va))

static struct fake_kernel k;
static struct task task = { .pid = 7, .comm = "victim" };
static struct user_program p;
static struct program_stack s;

static bool user_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	if (va >= KERNEL_SIZE)
		return err_set_addr(err, ERR_UNMAPPED, va, "not mapped");
	*ret = (struct mapping){ .va = va & ~(uint64_t)0xfff,
				 .pa = va & ~(uint64_t)0xfff,
				 .size = 0x1000 };
	return true;
}

static void start(const struct arch *arch)
{
	kernel_init(&k);
	k.arch = *arch;
	k.arch.walk = user_walk;
	p = (struct user_program){ .t = &k.t, .task = &task, .arena = &k.t.arena };
	p.space = (struct user_space){ .t = &k.t, .end = UINT64_C(1) << 47 };
	*vec_push(&p.areas) = (struct vma){ .start = CODE,
					    .end = CODE + AREA,
					    .offset = 0x1000,
					    .file = 1,
					    .perms = "r-xp",
					    .name = "/bin/victim" };
	*vec_push(&p.areas) = (struct vma){
		.start = STACK, .end = STACK + AREA, .perms = "rw-p", .name = "[stack]"
	};
}

static void end(void)
{
	program_release(&p);
	kernel_release(&k);
}

/* call rel32, so that `at` is a return address. */
static void x86_call_before(uint64_t at)
{
	k.mem[at - 5] = 0xe8;
}

static void x86_regs(struct regs *r, uint64_t pc, uint64_t sp, uint64_t fp)
{
	*r = (struct regs){ .have = 0 };
	regs_set(r, k.arch.pc, pc);
	regs_set(r, k.arch.sp, sp);
	regs_set(r, k.arch.fp, fp);
}

static void check_frame(size_t n, uint64_t pc, const char *how, bool sure)
{
	if (!CHECK(n < s.n))
		return;
	CHECK_U64(s.frames[n].pc, pc);
	CHECK_STR(s.frames[n].how, how);
	CHECK(s.frames[n].sure == sure);
}

/* push %rbp; mov %rsp,%rbp: the caller's frame pointer, and behind it the return address. */
TEST(frame_pointers_to_the_end)
{
	struct regs r;

	start(&arch_x86_64);
	x86_call_before(CODE + 0x100);
	put64(&k, AT(STACK + 0x40), STACK + 0x80);
	put64(&k, AT(STACK + 0x48), CODE + 0x100);
	put64(&k, AT(STACK + 0x80), 0);
	put64(&k, AT(STACK + 0x88), 0);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	program_unwind(&p, &r, 0, &s);
	CHECK(s.complete);
	CHECK_U64(s.n, 2);
	check_frame(0, CODE + 0x20, "regs", true);
	check_frame(1, CODE + 0x100, "fp", true);
	CHECK_STR(s.frames[1].file, "/bin/victim");
	CHECK_U64(s.frames[1].offset, 0x1100);
	end();
}

/* What follows no call is no return address, be it behind a frame pointer; only what does follow
 * one is shown, as a guess. */
TEST(guesses_from_the_stack)
{
	struct regs r;

	start(&arch_x86_64);
	x86_call_before(CODE + 0x200);
	put64(&k, AT(STACK + 0x40), STACK + 0x80);
	put64(&k, AT(STACK + 0x48), CODE + 0x100);
	put64(&k, AT(STACK + 0x60), CODE + 0x200);
	put64(&k, AT(STACK + 0x68), STACK + 0x200); /* no code */
	put64(&k, AT(STACK + 0x08), CODE + 0x200);  /* below the stack pointer: left over */
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	program_unwind(&p, &r, 0, &s);
	CHECK(!s.complete);
	CHECK_U64(s.n, 2);
	check_frame(1, CODE + 0x200, "scan", false);
	CHECK_U64(s.frames[1].sp, STACK + 0x60);
	end();
}

/* A chain that leads back ends there; a register that holds anything is no frame pointer. */
TEST(frame_pointers_that_lead_nowhere)
{
	struct regs r;

	start(&arch_x86_64);
	x86_call_before(CODE + 0x100);
	put64(&k, AT(STACK + 0x40), STACK + 0x40);
	put64(&k, AT(STACK + 0x48), CODE + 0x100);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	program_unwind(&p, &r, 0, &s);
	CHECK(!s.complete);
	check_frame(1, CODE + 0x100, "scan", false);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, UINT64_MAX);
	program_unwind(&p, &r, 0, &s);
	CHECK(!s.complete);
	x86_regs(&r, CODE + 0x20, UINT64_MAX, 1);
	program_unwind(&p, &r, 0, &s);
	CHECK_U64(s.n, 1);
	end();
}

/* The stack is not in the dump: the registers are all there is, and the reason is told. */
TEST(a_stack_that_is_absent)
{
	struct regs r;

	start(&arch_x86_64);
	k.holes = UINT64_C(0xf) << (STACK >> 12);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	program_unwind(&p, &r, 0, &s);
	CHECK(!s.complete);
	CHECK_U64(s.n, 1);
	CHECK_ERR(s.end, ERR_EXCLUDED);
	end();
}

/* arm64: a leaf has its return address in x30; the record at x29 is its caller's. bl is 0x94. */
TEST(a_leaf_on_arm64)
{
	struct regs r;

	start(&arch_aarch64);
	put32(&k, AT(CODE + 0x100 - 4), 0x94000001);
	put32(&k, AT(CODE + 0x200 - 4), 0x94000001);
	put64(&k, AT(STACK + 0x40), 0);
	put64(&k, AT(STACK + 0x48), CODE + 0x200);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	regs_set(&r, 30, CODE + 0x100);
	program_unwind(&p, &r, 0, &s);
	check_frame(1, CODE + 0x100, "lr", false);
	check_frame(2, CODE + 0x200, "fp", true);
	/* a function that calls has put x30 into the record: it is one frame */
	regs_set(&r, 30, CODE + 0x200);
	program_unwind(&p, &r, 0, &s);
	check_frame(1, CODE + 0x200, "fp", true);
	end();
}

TEST(as_many_frames_as_are_wanted)
{
	struct regs r;

	start(&arch_x86_64);
	x86_call_before(CODE + 0x100);
	for (unsigned i = 0; i < 400; i++)
		put64(&k, AT(STACK + 0x10 + 8 * i), CODE + 0x100);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, 1);
	program_unwind(&p, &r, 5, &s);
	CHECK_U64(s.n, 5);
	program_unwind(&p, &r, 0, &s);
	CHECK(s.n < 40);
	end();
}

/* A handler returns to code that has the kernel take back what it saved: registers as
 * arch/x86/include/uapi/asm/sigcontext.h has them, 40 bytes above the stack pointer. */
TEST(out_of_a_signal_handler)
{
	static const uint8_t code[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
	struct regs r;

	start(&arch_x86_64);
	memcpy(k.mem + CODE + 0x300, code, sizeof(code));
	x86_call_before(CODE + 0x100);
	/* the handler's frame, and the kernel's behind its return address */
	put64(&k, AT(STACK + 0x40), STACK + 0x400);
	put64(&k, AT(STACK + 0x48), CODE + 0x300);
	put64(&k, AT(STACK + 0x50 + 40 + 10 * 8), STACK + 0x500); /* rbp */
	put64(&k, AT(STACK + 0x50 + 40 + 15 * 8), STACK + 0x480); /* rsp */
	put64(&k, AT(STACK + 0x50 + 40 + 16 * 8), CODE + 0x77);   /* rip */
	/* where it was interrupted, in a function with a frame */
	put64(&k, AT(STACK + 0x500), 0);
	put64(&k, AT(STACK + 0x508), CODE + 0x100);
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	program_unwind(&p, &r, 0, &s);
	check_frame(1, CODE + 0x300, "fp", true);
	check_frame(2, CODE + 0x77, "signal", true);
	CHECK(s.n > 2 && s.frames[2].sp == STACK + 0x480);
	check_frame(3, CODE + 0x100, "fp", true);
	/* one that leads to where nothing is mapped */
	put64(&k, AT(STACK + 0x50 + 40 + 16 * 8), 0x40000000);
	program_unwind(&p, &r, 0, &s);
	CHECK(!s.complete);
	for (size_t i = 2; i < s.n; i++)
		CHECK_STR(s.frames[i].how, "scan");
	/* one that leads to itself ends with the frames that there may be */
	put64(&k, AT(STACK + 0x50 + 40 + 10 * 8), STACK + 0x40);
	put64(&k, AT(STACK + 0x50 + 40 + 15 * 8), STACK + 0x10);
	put64(&k, AT(STACK + 0x50 + 40 + 16 * 8), CODE + 0x20);
	program_unwind(&p, &r, 0, &s);
	CHECK(s.n == PROGRAM_FRAMES_MAX && !s.complete);
	end();
}

/* Thumb: bit 0 of a return address says what code it leads to; bl is f000 f800 and f800. Nothing
 * but the link register and the stack tells of callers. */
TEST(thumb_return_addresses)
{
	struct regs r;

	start(&arch_arm);
	p.space.end = 0xbf000000;
	put32(&k, AT(CODE + 0x100 - 4), 0xf800f000);
	put32(&k, AT(CODE + 0x202 - 4), 0xf800f000);
	put32(&k, AT(STACK + 0x40), CODE + 0x203);
	put32(&k, AT(STACK + 0x44), CODE + 0x302); /* follows no call */
	x86_regs(&r, CODE + 0x20, STACK + 0x10, STACK + 0x40);
	regs_set(&r, k.arch.link, CODE + 0x101);
	program_unwind(&p, &r, 0, &s);
	CHECK_U64(s.n, 3);
	check_frame(1, CODE + 0x100, "lr", false);
	check_frame(2, CODE + 0x202, "scan", false);
	CHECK(!s.complete);
	end();
}

TEST_MAIN
