/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which registers a task's unwinding starts with: those that the kernel saved, and those
 * of the dump's notes, by their number or their pid. */
#include "core/base/test.h"
#include "core/linux/task/task.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/task/task_impl.h"
#include "core/unwind/unwind.h"

static struct fake_kernel k;

#define VARS (KERNEL_BASE + 0x100)
#define NOTES (KERNEL_BASE + 0x2000) /* of CPU 0 */
#define NOTE(cpu) (NOTES + 0x400 * (uint64_t)(cpu))

/* struct elf_prstatus of x86-64: pr_reg is at 112, rip the 17th of its 27 words. */
enum {
	PRSTATUS = 336,
	RIP_AT = 112 + 16 * 8
};

static void start(unsigned cpus)
{
	kernel_init(&k);
	kernel_symbol(&k, "nr_cpu_ids", VARS);
	kernel_symbol(&k, "__per_cpu_offset", VARS + 8);
	kernel_symbol(&k, "crash_notes", VARS + 0x40);
	put32(&k, VARS, cpus);
	for (uint64_t i = 0; i < cpus; i++)
		put64(&k, VARS + 8 + 8 * i, 0x1000 + 0x400 * i);
	put64(&k, VARS + 0x40, NOTES - 0x1000);
}

static void note_put(unsigned cpu, uint64_t rip)
{
	put32(&k, NOTE(cpu), 5);
	put32(&k, NOTE(cpu) + 4, PRSTATUS);
	put32(&k, NOTE(cpu) + 8, 1); /* NT_PRSTATUS */
	put_str(&k, NOTE(cpu) + 12, "CORE");
	put64(&k, NOTE(cpu) + 20 + RIP_AT, rip);
}

static void dumped(uint32_t pid, uint64_t rip)
{
	struct cpu_regs c = { .pid = pid };

	if (rip)
		regs_set(&c.regs, arch_x86_64.pc, rip);
	*vec_push(&k.t.cpus) = c;
}

/* Where a running task is; 0: it is not known, and said says why. */
static uint64_t at(int pid, int cpu, const char **said)
{
	const struct task task = {
		.addr = KERNEL_BASE + 0x9000, .pid = pid, .cpu = cpu, .active = true
	};
	struct unwind_start ret;
	struct err err = { 0 };
	uint64_t pc = 0;
	bool ok = task_unwind_start(&k.t, &task, &ret, &err);

	*said = ok ? "" : arena_strdup(&k.scratch, err.msg);
	if (!ok)
		return 0;
	CHECK(ret.exact && ret.cpu == cpu && ret.task == task.addr);
	CHECK_STR(ret.how, "regs");
	CHECK(regs_get(&ret.regs, k.arch.pc, &pc));
	return pc;
}

TEST(registers_that_the_kernel_saved)
{
	const char *said;

	start(2);
	note_put(1, 0x1234);
	note_put(0, 0x4321);
	CHECK_U64(at(7, 1, &said), 0x1234);
	CHECK_U64(at(0, 0, &said), 0x4321);
	kernel_release(&k);
}

/* A note is "CORE" with its NUL, of kind 1, and no longer than what it is in. */
TEST(notes_that_are_none)
{
	static const struct {
		uint32_t off, value;
	} wrong[] = { { 0, 4 },           { 0, 6 },  { 8, 2 },   { 8, 0 },
		      { 12, 0x45524f44 }, { 16, 1 }, { 4, 1005 } };
	const char *said;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		start(1);
		note_put(0, 0x1234);
		put32(&k, NOTE(0) + wrong[i].off, wrong[i].value);
		CHECK_U64(at(7, 0, &said), 0);
		CHECK_STR(said, "registers of CPU 0: not in the dump's notes, and crash_notes: "
				"0xffff800000002000 is not an NT_PRSTATUS note");
		kernel_release(&k);
	}
	start(1);
	note_put(0, 0x1234);
	put32(&k, NOTE(0) + 4, 1004); /* all that there is room for */
	CHECK_U64(at(7, 0, &said), 0x1234);
	kernel_release(&k);
	start(1);
	CHECK_U64(at(7, 0, &said), 0);
	CHECK_CONTAINS(said, "crash_notes: the kernel saved none");
	kernel_release(&k);
	start(1);
	put64(&k, VARS + 0x40, KERNEL_BASE + KERNEL_SIZE - 0x1000 - 12);
	CHECK_U64(at(7, 0, &said), 0);
	CHECK_CONTAINS(said, "crash_notes: note cut short");
	kernel_release(&k);
	start(1);
	put64(&k, VARS + 0x40, KERNEL_BASE + KERNEL_SIZE);
	CHECK_U64(at(7, 0, &said), 0);
	CHECK_CONTAINS(said, "crash_notes: not mapped");
	kernel_release(&k);
}

/* QEMU writes a note for each CPU, with pids that count from 1. */
TEST(notes_from_outside_are_by_cpu)
{
	const char *said;

	start(3);
	dumped(1, 0xa00);
	dumped(2, 0xb00);
	dumped(3, 0);
	CHECK_U64(at(77, 0, &said), 0xa00);
	CHECK_U64(at(1, 1, &said), 0xb00);
	CHECK_U64(at(0, 1, &said), 0xb00);
	CHECK_U64(at(77, 2, &said), 0);
	CHECK_U64(at(77, 3, &said), 0);
	CHECK_CONTAINS(said, "registers of CPU 3: not in the dump's notes");
	kernel_release(&k);
}

/* The kernel's own have no number, but the pid of who ran; of idle tasks that is 0, which is no
 * one's. */
TEST(notes_of_the_kernel_are_by_pid)
{
	const char *said;

	start(3);
	dumped(0, 0xa00);
	dumped(501, 0xb00);
	dumped(77, 0xc00);
	dumped(88, 0);
	CHECK_U64(at(77, 0, &said), 0xc00);
	CHECK_U64(at(501, 2, &said), 0xb00);
	CHECK_U64(at(0, 0, &said), 0);
	CHECK_U64(at(88, 1, &said), 0);
	kernel_release(&k);
	/* numbered or not: once the kernel saved a CPU's, the dump's are the kernel's */
	start(2);
	kernel_symbol(&k, "__cpu_present_mask", VARS + 0x60);
	kernel_symbol(&k, "cpus_booted_once_mask", VARS + 0x68);
	put64(&k, VARS + 0x60, 3);
	put64(&k, VARS + 0x68, 3);
	note_put(1, 0x1234);
	dumped(1, 0xa00);
	dumped(2, 0xb00);
	CHECK_U64(at(77, 0, &said), 0);
	CHECK_U64(at(2, 0, &said), 0xb00);
	kernel_release(&k);
}

/* ---- stacks */

static uint64_t size_between(const char *lo, const char *hi, uint64_t bytes)
{
	uint64_t ret = 0;
	struct err err;

	kernel_init(&k);
	kernel_symbol(&k, lo, KERNEL_BASE + 0x4000);
	kernel_symbol(&k, hi, KERNEL_BASE + 0x4000 + bytes);
	CHECK_OK(task_stack_size(&k.t, &ret, &err), err);
	kernel_release(&k);
	return ret;
}

/* THREAD_SIZE is a power of two pages; what is none is no stack of init's, and 16 KiB is usual. */
TEST(size_of_a_stack)
{
	CHECK_U64(size_between("__start_init_stack", "__end_init_stack", 0x8000), 0x8000);
	CHECK_U64(size_between("__start_init_task", "__end_init_task", 0x2000), 0x2000);
	CHECK_U64(size_between("init_stack", "__end_init_task", 0x1000), 0x1000);
	CHECK_U64(size_between("init_stack", "__end_init_task", 0x100000), 0x100000);
	CHECK_U64(size_between("init_stack", "__end_init_task", 0x200000), 0x4000);
	CHECK_U64(size_between("init_stack", "__end_init_task", 0x800), 0x4000);
	CHECK_U64(size_between("init_stack", "__end_init_task", 0x3000), 0x4000);
	CHECK_U64(size_between("init_stack", "__end_init_stack", 0x8000), 0x4000);
}

TEST(tasks_that_have_no_registers)
{
	struct task task = { .addr = KERNEL_BASE + 0x9000, .pid = 5, .letter = 'Z' };
	struct unwind_start ret;
	struct err err;

	start(1);
	CHECK(!task_unwind_start(&k.t, &task, &ret, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_STR(err.msg, "task 5 is dead: it has no stack");
	task.letter = 'X';
	CHECK(!task_unwind_start(&k.t, &task, &ret, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	/* one that is not dead, of a machine that nobody knows */
	k.arch.elf_machine = 0xffff;
	task.letter = 'S';
	CHECK(!task_unwind_start(&k.t, &task, &ret, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	task.letter = 'Z';
	task.stack = KERNEL_BASE + 0xa000;
	CHECK(!task_unwind_start(&k.t, &task, &ret, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	k.t.arch = NULL;
	CHECK(!task_unwind_start(&k.t, &task, &ret, &err));
	CHECK_ERR(err, ERR_NEED);
	k.t.arch = &k.arch;
	/* include/linux/sched.h: PF_KTHREAD; an idle task is the kernel's too */
	CHECK(!task_is_kernel(&task));
	task.flags = 0x00200000;
	CHECK(task_is_kernel(&task));
	task.flags = 0;
	task.pid = 0;
	CHECK(task_is_kernel(&task));
	kernel_release(&k);
}
TEST_MAIN
