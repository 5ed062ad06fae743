/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of system calls: the kernel's table of their arguments, and the one that a task is in. */
#include "core/base/test.h"
#include "core/linux/task/task.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/task/syscall.h"

#define TABLE (KERNEL_BASE + 0x1000)
#define META(i) (KERNEL_BASE + 0x2000 + 0x40 * (uint64_t)(i))
#define WORDS_AT (KERNEL_BASE + 0x3000)
#define TEXTS (KERNEL_BASE + 0x4000)
#define STACK (KERNEL_BASE + 0x8000)
#define STACK_SIZE 0x4000u
#define REGS_SIZE 168u
#define COUNT (KERNEL_BASE + 0x5000)

static struct fake_kernel k;
static struct err err;
static const struct task task = { .stack = STACK, .comm = "napper", .pid = 7 };

static void start(void)
{
	kernel_init(&k);
	WORDS(&k, "syscall_metadata", "name", "syscall_nr", "nb_args", "types", "args");
	kernel_symbol(&k, "syscalls_metadata", KERNEL_BASE + 0x800);
	kernel_symbol(&k, "__start_init_stack", KERNEL_BASE + 0x10000);
	kernel_symbol(&k, "__end_init_stack", KERNEL_BASE + 0x10000 + STACK_SIZE);
	put64(&k, KERNEL_BASE + 0x800, TABLE);
}

static void meta(uint64_t slot, unsigned i, uint64_t nr, const char *name, uint64_t n_args)
{
	put64(&k, TABLE + 8 * slot, META(i));
	put64(&k, META(i), TEXTS + 64 * i);
	put_str(&k, TEXTS + 64 * i, name);
	put64(&k, META(i) + 8, nr);
	put64(&k, META(i) + 16, n_args);
	put64(&k, META(i) + 24, WORDS_AT + 0x100 * i);
	put64(&k, META(i) + 32, WORDS_AT + 0x100 * i + 0x80);
	for (unsigned a = 0; a < 8; a++) {
		put64(&k, WORDS_AT + 0x100 * i + 8 * a, TEXTS + 0x800 + 16 * a);
		put64(&k, WORDS_AT + 0x100 * i + 0x80 + 8 * a, TEXTS + 0x900 + 16 * a);
	}
}

static void texts(void)
{
	static const char *const types[] = { "int", "char *", "size_t" }, *const args[] = {
		"fd", "buf", "count"
	};

	for (unsigned a = 0; a < 3; a++) {
		put_str(&k, TEXTS + 0x800 + 16 * a, types[a]);
		put_str(&k, TEXTS + 0x900 + 16 * a, args[a]);
	}
}

TEST(calls_by_number)
{
	const struct syscall_info *s;

	start();
	texts();
	meta(0, 0, 0, "sys_read", 3);
	meta(2, 1, 2, "sys_open", 6);
	meta(3, 2, 4, "sys_stat", 2);  /* another's place */
	meta(5, 3, 5, "sys_fstat", 7); /* more than there are */
	meta(2047, 4, 2047, "sys_last", 0);
	meta(2048, 5, 2048, "sys_behind", 0);
	s = syscall_find(&k.t, 0);
	REQUIRE(s && s->n_args == 3);
	CHECK_STR(s->name, "sys_read");
	CHECK_STR(s->types[0], "int");
	CHECK_STR(s->args[0], "fd");
	CHECK_STR(s->types[2], "size_t");
	CHECK_STR(s->args[2], "count");
	CHECK(!s->types[3] && !s->args[3]);
	CHECK_STR(syscall_name(&k.t, 2), "sys_open");
	CHECK_U64(syscall_find(&k.t, 2)->n_args, 6);
	for (uint64_t nr = 3; nr <= 5; nr++)
		CHECK(!syscall_find(&k.t, nr));
	CHECK(!syscall_find(&k.t, 1));
	CHECK_STR(syscall_name(&k.t, 2047), "sys_last");
	CHECK(!syscall_find(&k.t, 2048) && !syscall_name(&k.t, UINT64_MAX));
	kernel_release(&k);
}

TEST(parts_of_calls_that_are_absent)
{
	const struct syscall_info *s;

	start();
	texts();
	meta(0, 0, 0, "sys_read", 3);
	meta(1, 1, 1, "sys_write", 3);
	meta(2, 2, 2, "sys_open", 3);
	put64(&k, WORDS_AT + 8, KERNEL_BASE + KERNEL_SIZE); /* the second's type */
	put64(&k, WORDS_AT + 0x80, 0);                      /* the first's name */
	put64(&k, META(1), KERNEL_BASE + KERNEL_SIZE);
	put64(&k, META(2) + 24, KERNEL_BASE + KERNEL_SIZE);
	s = syscall_find(&k.t, 0);
	REQUIRE(s && s->n_args == 3);
	CHECK(!s->types[1] && !s->args[0]);
	CHECK_STR(s->types[2], "size_t");
	CHECK_STR(s->args[1], "buf");
	CHECK(!syscall_find(&k.t, 1)); /* without a name it is none */
	s = syscall_find(&k.t, 2);
	REQUIRE(s && s->n_args == 3);
	CHECK(!s->types[0] && !s->types[2]);
	CHECK_STR(s->args[2], "count");
	kernel_release(&k);
	/* a kernel without them */
	start();
	put64(&k, KERNEL_BASE + 0x800, 0);
	CHECK(!syscall_name(&k.t, 0));
	kernel_release(&k);
	kernel_init(&k);
	CHECK(!syscall_name(&k.t, 0));
	kernel_release(&k);
}

/* ---- the one that a task is in */

#define REGS(above) (STACK + STACK_SIZE - (above)-REGS_SIZE)

/* arch/x86/include/asm/ptrace.h: r15 to ss. */
static void x86_type(void)
{
	struct type *s = WORDS(&k, "pt_regs", "r15", "r14", "r13", "r12", "bp", "bx", "r11", "r10",
			       "r9", "r8", "ax", "cx", "dx", "si", "di", "orig_ax", "ip", "cs",
			       "flags", "sp", "ss");

	CHECK_U64(s->size, REGS_SIZE);
}

static void x86_put(uint64_t at, uint64_t nr, uint64_t cs, uint64_t ss)
{
	for (unsigned i = 0; i < 15; i++)
		put64(&k, at + 8 * i, 100 + i);
	put64(&k, at + 15 * 8, nr);
	put64(&k, at + 17 * 8, cs);
	put64(&k, at + 20 * 8, ss);
}

static void check_args(const struct syscall_now *now, const uint64_t *want)
{
	for (unsigned i = 0; i < 6; i++)
		CHECK_U64(now->args[i], want[i]);
}

/* Arguments are in di, si, dx, r10, r8, r9; of 32-bit programs in bx, cx, dx, si, di, bp. */
TEST(a_call_on_x86)
{
	static const uint64_t native[] = { 114, 113, 112, 107, 109, 108 },
			      compat[] = { 105, 111, 112, 113, 114, 104 };
	struct syscall_now now;

	start();
	x86_type();
	meta(2, 1, 2, "sys_open", 6);
	x86_put(REGS(0), 2, 0x33, 0x2b);
	REQUIRE_OK(syscall_current(&k.t, &task, &now, &err), err);
	CHECK(now.nr == 2 && !now.compat);
	check_args(&now, native);
	REQUIRE(now.info != NULL);
	CHECK_STR(now.info->name, "sys_open");
	/* the same number is another call there */
	x86_put(REGS(0), 2, 0x23, 0x2b);
	REQUIRE_OK(syscall_current(&k.t, &task, &now, &err), err);
	CHECK(now.nr == 2 && now.compat && !now.info);
	check_args(&now, compat);
	/* a number that has no name */
	x86_put(REGS(0), 1999, 0x33, 0x2b);
	REQUIRE_OK(syscall_current(&k.t, &task, &now, &err), err);
	CHECK(now.nr == 1999 && !now.info);
	kernel_release(&k);
}

/* 16 bytes are left free where FRED is known; what is there instead is of no user. */
TEST(a_call_below_a_gap)
{
	struct syscall_now now;

	start();
	x86_type();
	x86_put(REGS(16), 0, 0x33, 0x2b);
	REQUIRE_OK(syscall_current(&k.t, &task, &now, &err), err);
	CHECK(now.nr == 0);
	CHECK_U64(now.args[0], 114);
	kernel_release(&k);
}

TEST(tasks_in_no_call)
{
	const struct task kernel = {
		.stack = STACK, .comm = "kworker", .pid = 8, .flags = 0x200000
	};
	const struct task idle = { .stack = STACK, .comm = "swapper/0" };
	struct syscall_now now;

	start();
	x86_type();
	x86_put(REGS(0), (uint64_t)-1, 0x33, 0x2b); /* an interrupt took it off its program */
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_CONTAINS(err.msg, "'napper' is in no system call");
	x86_put(REGS(0), 2, 0x10, 0x18); /* the kernel's own segments */
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	CHECK_CONTAINS(err.msg, "has no user's registers");
	x86_put(REGS(0), 2, 0x33, 0x18);
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	x86_put(REGS(0), 2, 0x33, 0x2b);
	CHECK(!syscall_current(&k.t, &kernel, &now, &err));
	CHECK_CONTAINS(err.msg, "'kworker' is a kernel thread");
	CHECK(!syscall_current(&k.t, &idle, &now, &err));
	kernel_release(&k);
	start();
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	WORDS(&k, "pt_regs", "r0");
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	kernel_release(&k);
}

/* arch/arm64/include/asm/ptrace.h: regs[31], sp, pc, pstate, orig_x0, syscallno. */
static void arm64_put(uint64_t pstate, int32_t nr)
{
	uint64_t at = STACK + STACK_SIZE - 304;

	for (unsigned i = 0; i < 31; i++)
		put64(&k, at + 8 * i, 200 + i);
	put64(&k, at + 33 * 8, pstate);
	put64(&k, at + 34 * 8, 999);
	put32(&k, at + 35 * 8, (uint32_t)nr);
}

TEST(a_call_on_arm64)
{
	static const uint64_t args[] = { 999, 201, 202, 203, 204, 205 };
	struct syscall_now now;
	struct type *s;

	start();
	k.arch.elf_machine = arch_aarch64.elf_machine;
	s = kernel_struct(&k, "pt_regs", 304);
	kernel_member(s, "regs", kernel_array(&k, &k.u64, 31), 0);
	kernel_member(s, "pstate", &k.u64, 33 * 8);
	kernel_member(s, "orig_x0", &k.u64, 34 * 8);
	kernel_member(s, "syscallno", &k.s32, 35 * 8);
	meta(2, 1, 2, "sys_open", 6);
	arm64_put(0x60000000, 2);
	REQUIRE_OK(syscall_current(&k.t, &task, &now, &err), err);
	CHECK(now.nr == 2 && !now.compat && now.info);
	check_args(&now, args);
	arm64_put(0x60000010, 2); /* AArch32's user mode */
	REQUIRE_OK(syscall_current(&k.t, &task, &now, &err), err);
	CHECK(now.nr == 2 && now.compat && !now.info);
	arm64_put(0, -1);
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	CHECK_CONTAINS(err.msg, "is in no system call");
	arm64_put(5, 2); /* EL1h: the kernel itself */
	CHECK(!syscall_current(&k.t, &task, &now, &err));
	CHECK_CONTAINS(err.msg, "has no user's registers");
	kernel_release(&k);
}

/* ---- preempt_count */

static void cpus(void)
{
	kernel_symbol(&k, "nr_cpu_ids", COUNT + 0x100);
	kernel_symbol(&k, "__per_cpu_offset", COUNT + 0x108);
	put32(&k, COUNT + 0x100, 2);
	put64(&k, COUNT + 0x110, 0x200);
}

TEST(preempt_count_wherever_it_is)
{
	struct type *s, *info;
	uint32_t n = 0;

	start();
	cpus();
	kernel_symbol(&k, "__preempt_count", COUNT);
	put32(&k, COUNT, 0x80000001);
	put32(&k, COUNT + 0x200, 0x00010002);
	CHECK(cpu_preempt_count(&k.t, 0, &task, &n, &err) && n == 0x80000001);
	CHECK(cpu_preempt_count(&k.t, 1, &task, &n, &err) && n == 0x00010002);
	kernel_release(&k);
	start();
	cpus();
	kernel_symbol(&k, "pcpu_hot", COUNT);
	WORDS(&k, "pcpu_hot", "current_task", "preempt_count");
	put32(&k, COUNT + 8, 3);
	put32(&k, COUNT + 0x208, 0x100);
	CHECK(cpu_preempt_count(&k.t, 1, &task, &n, &err) && n == 0x100);
	CHECK(cpu_preempt_count(&k.t, 0, &task, &n, &err) && n == 3);
	kernel_release(&k);
	/* arm64: the task's */
	start();
	s = kernel_struct(&k, "task_struct", 64);
	info = INNER(&k, "flags");
	kernel_member(info, "preempt_count", &k.u64, 8);
	kernel_member(s, "thread_info", info, 16);
	put64(&k, COUNT + 24, UINT64_C(1) << 32 | 4);
	{
		const struct task other = { .addr = COUNT };

		CHECK(cpu_preempt_count(&k.t, 0, &other, &n, &err) && n == 4);
	}
	kernel_release(&k);
	start();
	CHECK(!cpu_preempt_count(&k.t, 0, &task, &n, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	kernel_release(&k);
}

TEST_MAIN
