/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of tasks: in the layouts of several kernels, and when their lists are broken. */
#include "core/base/test.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/task/task_impl.h"
#include "core/unwind/unwind.h"

/* A page each, so that a hole takes one thing away. */
#define AT(page) (KERNEL_BASE + (page)*0x1000)
#define CPU_MASK AT(1)
#define OFFSETS (AT(1) + 0x100)
#define PANIC_CPU (AT(1) + 0x200)
#define TEMPLATE 0x100 /* link-time address of runqueues: the section starts at 0 */
#define PERCPU(cpu) AT(2 + (cpu))
#define INIT_TASK AT(6)
#define IDLE1 AT(7)
#define TASK(i) AT(8 + (i))    /* leaders */
#define THREAD(i) AT(16 + (i)) /* of leader 1 */
#define SIGNAL(i) AT(24 + (i))
#define MM AT(32)

enum {
	O_STATE = 0,
	O_EXIT = 4,
	O_FLAGS = 8,
	O_CPU = 12,
	O_PID = 16,
	O_TGID = 20,
	O_STACK = 24,
	O_PARENT = 32,
	O_MM = 40,
	O_SIGNAL = 48,
	O_TASKS = 56,
	O_NODE = 72,
	O_COMM = 88,
	O_GROUP = 104,
	O_ON_CPU = 120,
	O_RSS = 128,
	TASK_BYTES = 160
};

/* Names that differ between kernels. */
struct layout {
	const char *state, *cpu;
	bool heads, groups, percpu_rss, split_rss;
};
/* v6.12: no thread_group, per-CPU counters; v5.10: `state` and `cpu`; v3.10: rings only */
static const struct layout new_layout = { "__state", "cpu", true, false, true, false };
static const struct layout old_layout = { "state", "cpu", true, true, false, false };
static const struct layout ring_layout = { "state", "cpu", false, true, false, false };
/* v6.1: threads count for themselves, too */
static const struct layout split_layout = { "__state", "cpu", true, true, false, true };

static void lay_types(struct fake_kernel *k, const struct layout *l)
{
	struct type *list = kernel_list_type(k), *task, *s;

	task = kernel_struct(k, "task_struct", TASK_BYTES);
	kernel_member(task, l->state, &k->u32, O_STATE);
	kernel_member(task, "exit_state", &k->s32, O_EXIT);
	kernel_member(task, "flags", &k->u32, O_FLAGS);
	kernel_member(task, l->cpu, &k->u32, O_CPU);
	kernel_member(task, "on_cpu", &k->s32, O_ON_CPU);
	kernel_member(task, "pid", &k->s32, O_PID);
	kernel_member(task, "tgid", &k->s32, O_TGID);
	kernel_member(task, "stack", &k->ptr, O_STACK);
	kernel_member(task, "real_parent", &k->ptr, O_PARENT);
	kernel_member(task, "mm", &k->ptr, O_MM);
	kernel_member(task, "signal", &k->ptr, O_SIGNAL);
	kernel_member(task, "tasks", list, O_TASKS);
	kernel_member(task, "comm", kernel_array(k, &k->u8, 16), O_COMM);
	if (l->heads)
		kernel_member(task, "thread_node", list, O_NODE);
	if (l->groups)
		kernel_member(task, "thread_group", list, O_GROUP);
	if (l->split_rss) {
		s = kernel_struct(k, "task_rss_stat", 20);
		kernel_member(s, "count", kernel_array(k, &k->s32, 4), 4);
		kernel_member(task, "rss_stat", s, O_RSS);
	}
	s = kernel_struct(k, "signal_struct", 16);
	if (l->heads)
		kernel_member(s, "thread_head", list, 0);
	s = kernel_struct(k, "rq", 16);
	kernel_member(s, "curr", &k->ptr, 0);
	kernel_member(s, "idle", &k->ptr, 8);
}

static void lay_mm(struct fake_kernel *k, const struct layout *l)
{
	struct type *mm = kernel_struct(k, "mm_struct", 256), *s;

	kernel_member(mm, "total_vm", &k->u64, 0);
	if (l->percpu_rss) {
		s = kernel_struct(k, "percpu_counter", 24);
		kernel_member(s, "count", &k->s64, 8);
		kernel_member(s, "counters", &k->ptr, 16);
		kernel_member(mm, "rss_stat", kernel_array(k, s, 4), 8);
	} else {
		s = kernel_struct(k, "mm_rss_stat", 32);
		kernel_member(s, "count", kernel_array(k, &k->s64, 4), 0);
		kernel_member(mm, "rss_stat", s, 8);
	}
}

static void lay_symbols(struct fake_kernel *k)
{
	kernel_symbol(k, "init_task", INIT_TASK);
	kernel_symbol(k, "nr_cpu_ids", CPU_MASK + 0x40);
	kernel_symbol(k, "__cpu_present_mask", CPU_MASK);
	kernel_symbol(k, "__cpu_possible_mask", CPU_MASK);
	kernel_symbol(k, "__cpu_online_mask", CPU_MASK + 8);
	kernel_symbol(k, "__per_cpu_offset", OFFSETS);
	kernel_symbol(k, "runqueues", TEMPLATE);
	kernel_symbol(k, "panic_cpu", PANIC_CPU);
	put32(k, CPU_MASK + 0x40, 2);
	put64(k, CPU_MASK, 3);
	put64(k, CPU_MASK + 8, 1); /* a panic stopped CPU 1 */
	for (unsigned cpu = 0; cpu < 2; cpu++)
		put64(k, OFFSETS + 8 * cpu, PERCPU(cpu));
	put64(k, PERCPU(0) + TEMPLATE, TASK(1));
	put64(k, PERCPU(0) + TEMPLATE + 8, INIT_TASK);
	put64(k, PERCPU(1) + TEMPLATE, IDLE1);
	put64(k, PERCPU(1) + TEMPLATE + 8, IDLE1);
	put32(k, PANIC_CPU, 0);
}

static void put_task(struct fake_kernel *k, uint64_t task, uint32_t pid, uint32_t tgid,
		     const char *comm)
{
	put32(k, task + O_PID, pid);
	put32(k, task + O_TGID, tgid);
	put64(k, task + O_PARENT, pid == 1 ? INIT_TASK : TASK(0));
	put_str(k, task + O_COMM, comm);
}

/* pid 1, pid 10 with threads 11 and 12, pid 20; swapper on each of two CPUs. */
static void lay(struct fake_kernel *k, const struct layout *l)
{
	uint64_t links[3], nodes[3] = { TASK(1) + O_NODE, THREAD(0) + O_NODE, THREAD(1) + O_NODE };
	uint64_t ring[2] = { THREAD(0) + O_GROUP, THREAD(1) + O_GROUP };
	static const uint32_t pids[] = { 1, 10, 20 };

	kernel_init(k);
	lay_types(k, l);
	lay_mm(k, l);
	lay_symbols(k);
	put_task(k, INIT_TASK, 0, 0, "swapper/0");
	put_task(k, IDLE1, 0, 0, "swapper/1");
	put32(k, IDLE1 + O_CPU, 1);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t node = TASK(i) + O_NODE;

		put_task(k, TASK(i), pids[i], pids[i], i ? "worker" : "init");
		put64(k, TASK(i) + O_SIGNAL, SIGNAL(i));
		links[i] = TASK(i) + O_TASKS;
		put_list(k, SIGNAL(i), &node, 1);
		put_list(k, TASK(i) + O_GROUP, NULL, 0);
	}
	put_list(k, INIT_TASK + O_TASKS, links, 3);
	put_task(k, THREAD(0), 11, 10, "thread");
	put_task(k, THREAD(1), 12, 10, "thread");
	put_list(k, SIGNAL(1), nodes, 3);
	put_list(k, TASK(1) + O_GROUP, ring, 2);
}

static void check_all(const struct layout *l)
{
	static struct fake_kernel k;
	static const int pids[] = { 0, 0, 1, 10, 11, 12, 20 };
	const struct task *all, *one;
	struct err err;
	size_t n;

	lay(&k, l);
	REQUIRE_OK(tasks_all(&k.t, &all, &n, &err), err);
	REQUIRE(n == ARRAY_SIZE(pids));
	for (size_t i = 0; i < n; i++)
		CHECK_U64((uint64_t)all[i].pid, (uint64_t)pids[i]);
	CHECK_STR(all[1].comm, "swapper/1");
	CHECK(all[1].active && !all[0].active);
	CHECK_U64((uint64_t)all[4].tgid, 10);
	CHECK_U64((uint64_t)all[4].ppid, 1);
	CHECK_STR(all[4].state, "RU");
	CHECK_OK(task_by_pid(&k.t, 12, &one, &err), err);
	CHECK_U64(one->addr, THREAD(1));
	CHECK_OK(task_by_addr(&k.t, THREAD(1), &one, &err), err);
	CHECK(one == &all[5]);
	CHECK(!task_by_pid(&k.t, 13, &one, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_U64(k.t.warnings.n, 0);
	kernel_release(&k);
}

TEST(every_layout_lists_the_same_tasks)
{
	check_all(&new_layout);
	check_all(&old_layout);
	check_all(&ring_layout);
}

/* Links that lead nowhere: what lies behind the break is found from the other end. */
TEST(a_broken_list_loses_nothing_that_can_be_reached)
{
	static struct fake_kernel k;
	const struct task *all;
	struct err err;
	size_t n;

	lay(&k, &new_layout);
	put64(&k, TASK(0) + O_TASKS, 0xdead000000000100u);
	CHECK_OK(tasks_all(&k.t, &all, &n, &err), err);
	CHECK_U64(n, 7);
	REQUIRE(k.t.warnings.n == 1);
	CHECK_CONTAINS(k.t.warnings.p[0].text, "LIST_POISON1");
	kernel_release(&k);
}

TEST(an_excluded_task_is_a_warning_and_the_rest_goes_on)
{
	static struct fake_kernel k;
	const struct task *all;
	struct err err;
	size_t n;

	lay(&k, &new_layout);
	k.holes = 1 << 9; /* TASK(1), the leader of the threads, whose links it holds too */
	CHECK_OK(tasks_all(&k.t, &all, &n, &err), err);
	CHECK_U64(n, 4); /* its threads hang on it alone: two swappers, pid 1 and pid 20 */
	CHECK_U64((uint64_t)all[3].pid, 20);
	REQUIRE(k.t.warnings.n > 0);
	CHECK_U64(k.t.warnings.p[0].code, ERR_EXCLUDED);
	kernel_release(&k);
}

TEST(an_impossible_pid_is_no_task)
{
	static struct fake_kernel k;
	const struct task *all;
	struct err err;
	size_t n;

	lay(&k, &new_layout);
	put32(&k, TASK(2) + O_PID, 0xffffff00u);
	CHECK_OK(tasks_all(&k.t, &all, &n, &err), err);
	CHECK_U64(n, 6);
	REQUIRE(k.t.warnings.n == 1);
	CHECK_CONTAINS(k.t.warnings.p[0].text, "its pid is -256");
	kernel_release(&k);
}

/* 100 pages of file, 20 anonymous, 7 swapped out, 3 shared: 123 are resident. */
TEST(resident_memory_is_counted_in_both_layouts)
{
	static const uint64_t counts[] = { 100, 20, 7, 3 };
	static struct fake_kernel k;
	const struct task *task;
	uint64_t vsz, rss;
	struct err err;

	for (int percpu = 0; percpu < 2; percpu++) {
		lay(&k, percpu ? &new_layout : &old_layout);
		put64(&k, TASK(2) + O_MM, MM);
		put64(&k, MM, 1000);
		for (unsigned i = 0; i < 4; i++) {
			if (!percpu) {
				put64(&k, MM + 8 + 8 * i, counts[i]);
				continue;
			}
			/* CPU 0 holds 5 more, CPU 1 5 less */
			put64(&k, MM + 8 + 24 * i + 8, counts[i]);
			put64(&k, MM + 8 + 24 * i + 16, 0x800 + 4 * i);
			put32(&k, PERCPU(0) + 0x800 + 4 * i, 6);
			put32(&k, PERCPU(1) + 0x800 + 4 * i, (uint32_t)-5);
		}
		REQUIRE_OK(task_by_addr(&k.t, TASK(2), &task, &err), err);
		CHECK(task_memory(&k.t, task, &vsz, &rss));
		CHECK_U64(vsz, 1000 * 4096);
		CHECK_U64(rss, (123 + (percpu ? 3 : 0)) * 4096);
		kernel_release(&k);
	}
}

/* Of each counter a thread may hold back as much as it freed or took; kernel/fork.c adds it when
 * the thread ends or has faulted 64 times. The mm is shared by pid 10 and its threads, and by pid
 * 20, which vfork() made. A counter below nothing is none (get_mm_counter()). */
TEST(what_threads_have_counted_is_added)
{
	static const uint64_t tasks[] = { TASK(1), THREAD(0), THREAD(1), TASK(2) };
	static const int32_t parts[][4] = {
		{ 5, 13, 1, -4 }, { 2, 40, 0, 0 }, { -1, -3, 0, 0 }, { 4, 0, 0, 1 }
	};
	static struct fake_kernel k;
	const struct task *task;
	uint64_t vsz, rss;
	struct err err;

	lay(&k, &split_layout);
	put64(&k, MM, 1000);
	put64(&k, MM + 8, 100);
	put64(&k, MM + 8 + 16, 7);
	for (unsigned i = 0; i < 4; i++) {
		put64(&k, tasks[i] + O_MM, MM);
		for (unsigned j = 0; j < 4; j++)
			put32(&k, tasks[i] + O_RSS + 4 + 4 * j, (uint32_t)parts[i][j]);
	}
	REQUIRE_OK(task_by_addr(&k.t, THREAD(0), &task, &err), err);
	CHECK(task_memory(&k.t, task, &vsz, &rss));
	CHECK_U64(rss, (100 + 10 + 50) * 4096);
	REQUIRE_OK(task_by_pid(&k.t, 1, &task, &err), err);
	CHECK(task_memory(&k.t, task, &vsz, &rss) && !vsz && !rss);
	kernel_release(&k);
}

TEST(an_excluded_mm_is_unknown_and_not_zero)
{
	static struct fake_kernel k;
	const struct task *task;
	uint64_t vsz, rss;
	struct err err;

	lay(&k, &new_layout);
	put64(&k, TASK(2) + O_MM, MM);
	k.holes = 1ull << 32;
	REQUIRE_OK(task_by_addr(&k.t, TASK(2), &task, &err), err);
	CHECK(task->mm == MM && !task_memory(&k.t, task, &vsz, &rss));
	kernel_release(&k);
}

TEST(who_panicked_and_who_ran)
{
	static struct fake_kernel k;
	const struct task *task;
	const char *how;
	struct err err;

	lay(&k, &new_layout);
	REQUIRE_OK(task_panic(&k.t, &task, &how, &err), err);
	CHECK_U64((uint64_t)task->pid, 10);
	CHECK(task->active);
	CHECK_STR(how, "panic_cpu");
	REQUIRE_OK(task_on_cpu(&k.t, 1, &task, &err), err);
	CHECK_STR(task->comm, "swapper/1");
	CHECK(!task_on_cpu(&k.t, 2, &task, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(cpu_has_run(&k.t, 1) && !cpu_is_online(&k.t, 1) && !cpu_has_run(&k.t, 2));
	kernel_release(&k);
}

/* Without its runqueue a task's own on_cpu decides. */
TEST(an_excluded_runqueue_leaves_the_tasks_own_word)
{
	static struct fake_kernel k;
	const struct task *task;
	struct err err;

	lay(&k, &new_layout);
	k.holes = 1 << 2; /* CPU 0's per-CPU area */
	put32(&k, TASK(1) + O_ON_CPU, 1);
	REQUIRE_OK(task_by_addr(&k.t, TASK(1), &task, &err), err);
	CHECK(task->active);
	REQUIRE_OK(task_by_addr(&k.t, TASK(2), &task, &err), err);
	CHECK(!task->active);
	kernel_release(&k);
}

TEST(a_live_kernel_did_not_panic)
{
	static struct fake_kernel k;
	const struct task *task;
	const char *how;
	struct err err;

	lay(&k, &new_layout);
	put32(&k, PANIC_CPU, UINT32_MAX);
	CHECK(!task_panic(&k.t, &task, &how, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
}

TEST(too_many_cpus_are_damage)
{
	static struct fake_kernel k;
	struct err err;
	unsigned n;

	lay(&k, &new_layout);
	put32(&k, CPU_MASK + 0x40, CPUS_MAX + 1);
	put64(&k, CPU_MASK, 0);
	put64(&k, OFFSETS, 0);
	CHECK(!cpus_count(&k.t, &n, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* The kernel's own words in fs/proc/array.c, and crash's help of ps. */
TEST(states_have_their_names)
{
	static const struct {
		uint64_t state, exit;
		const char *name;
		char letter;
	} table[] = {
		{ 0, 0, "RU", 'R' },           { 1, 0, "IN", 'S' },       { 2, 0, "UN", 'D' },
		{ 4, 0, "ST", 'T' },           { 8, 0, "TR", 't' },       { 0x402, 0, "ID", 'I' },
		{ 0x40, 0, "PA", 'P' },        { 0x80, 0x20, "ZO", 'Z' }, { 0x80, 0x10, "DE", 'X' },
		{ 0x102, 0, "UN", 'D' },       { 0x104, 0, "ST", 'T' },   { 0x108, 0, "TR", 't' },
		{ 0x2001, 0, "IN", 'S' },      { 0x2402, 0, "ID", 'I' },  { 0x8000, 0, "UN", 'D' },
		{ 0x1000, 0, "UN", 'D' },      { 0x200, 0, "WA", 'R' },   { 0x800, 0, "NE", 'R' },
		{ 0x80000000u, 0, "??", 'R' },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CHECK_STR(task_state_name(table[i].state, table[i].exit), table[i].name);
		CHECK_U64((uint64_t)task_state_letter(table[i].state, table[i].exit),
			  (uint64_t)table[i].letter);
	}
}

TEST(words_select_tasks)
{
	static struct fake_kernel k;
	const struct task *const *v;
	struct err err;
	size_t n;

	lay(&k, &new_layout);
	CHECK_OK(tasks_match(&k.t, NULL, false, &v, &n, &err), err);
	CHECK_U64(n, 7);
	CHECK_OK(tasks_match(&k.t, "12", false, &v, &n, &err), err);
	CHECK(n == 1 && v[0]->pid == 12);
	CHECK_OK(tasks_match(&k.t, "0xffff80000000a000", false, &v, &n, &err), err);
	CHECK(n == 1 && v[0]->addr == TASK(2));
	CHECK_OK(tasks_match(&k.t, "ffff80000000a000", false, &v, &n, &err), err);
	CHECK_U64(n, 1);
	CHECK_OK(tasks_match(&k.t, "worker", false, &v, &n, &err), err);
	CHECK_U64(n, 2);
	CHECK_OK(tasks_match(&k.t, "^(init|thr)", false, &v, &n, &err), err);
	CHECK_U64(n, 3);
	CHECK_OK(tasks_match(&k.t, "work", true, &v, &n, &err), err);
	CHECK_U64(n, 2);
	CHECK(!tasks_match(&k.t, "work", false, &v, &n, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!tasks_match(&k.t, "99", false, &v, &n, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!tasks_match(&k.t, "(", true, &v, &n, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK_U64(sched_policy("fifo"), 1);
	CHECK_U64(sched_policy("SCHED_BATCH"), 3);
	CHECK_U64(sched_policy("5"), 5);
	CHECK(sched_policy("nice") > 64);
	kernel_release(&k);
}

/* QEMU's notes are by CPU, whatever pid they claim; without any, that is said. */
TEST(a_running_task_starts_with_its_cpus_registers)
{
	static struct fake_kernel k;
	const struct task *task;
	struct unwind_start start;
	struct cpu_regs *cpu;
	struct err err;
	uint64_t pc = 0;

	lay(&k, &new_layout);
	REQUIRE_OK(task_on_cpu(&k.t, 1, &task, &err), err);
	CHECK(!task_unwind_start(&k.t, task, &start, &err));
	CHECK_CONTAINS(err.msg, "registers of CPU 1");
	for (unsigned i = 0; i < 2; i++) {
		cpu = vec_push(&k.t.cpus);
		cpu->pid = i + 1;
		regs_set(&cpu->regs, k.t.arch->pc, 0x1000 + i);
	}
	REQUIRE_OK(task_unwind_start(&k.t, task, &start, &err), err);
	CHECK(regs_get(&start.regs, k.t.arch->pc, &pc));
	CHECK_U64(pc, 0x1001);
	CHECK(start.exact && start.cpu == 1);
	CHECK_STR(start.how, "regs");
	/* the kernel's own notes name the task: CPU 0 did not answer, and the order says nothing */
	k.t.cpus.p[0].pid = 10;
	k.t.cpus.p[1].pid = 99;
	REQUIRE_OK(task_on_cpu(&k.t, 0, &task, &err), err);
	REQUIRE_OK(task_unwind_start(&k.t, task, &start, &err), err);
	CHECK(regs_get(&start.regs, k.t.arch->pc, &pc));
	CHECK_U64(pc, 0x1000);
	REQUIRE_OK(task_on_cpu(&k.t, 1, &task, &err), err);
	CHECK(!task_unwind_start(&k.t, task, &start, &err));
	kernel_release(&k);
}

TEST_MAIN
