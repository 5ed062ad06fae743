/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests where stacks are, and function_graph's return addresses in both layouts of ret_stack. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/stack/stack.h"
#include "core/unwind/unwind.h"

#define TASK (KERNEL_BASE + 0x1000)
#define SHADOW (KERNEL_BASE + 0x2000)
#define HANDLER (KERNEL_BASE + 0x9000)
#define SLOT(n) (KERNEL_BASE + 0x8000 + 0x100 * (uint64_t)(n))

static struct fake_kernel k;
static struct type entry_ptr;

static void make(bool words)
{
	struct type *task, *entry;

	kernel_init(&k);
	entry = kernel_struct(&k, "ftrace_ret_stack", 32);
	kernel_member(entry, "ret", &k.u64, 0);
	kernel_member(entry, "func", &k.u64, 8);
	kernel_member(entry, "calltime", &k.u64, 16);
	kernel_member(entry, "retp", &k.ptr, 24);
	entry_ptr = kernel_base_type(&k, TYPE_POINTER, 8, false);
	entry_ptr.target = words ? &k.u64 : entry;
	task = kernel_struct(&k, "task_struct", 64);
	kernel_member(task, "curr_ret_stack", &k.s32, 0);
	kernel_member(task, "ret_stack", &entry_ptr, 8);
	kernel_symbol(&k, "return_to_handler", HANDLER);
	put64(&k, TASK + 8, SHADOW);
}

static void entry_put(uint64_t at, uint64_t ret, uint64_t retp)
{
	put64(&k, at, ret);
	put64(&k, at + 24, retp);
}

static bool ask(uint64_t slot, unsigned *index, uint64_t *ret, struct err *err)
{
	return k.t.unwind_hooks->fgraph_ret(&k.t, TASK, slot, index, ret, err);
}

/* Three functions, the innermost entered by a jump from the middle one's slot: its address is the
 * handler's. */
static void check_three(void)
{
	unsigned index = 0;
	uint64_t ret, slot;
	struct err err;

	CHECK_OK(ask(SLOT(1), &index, &ret, &err), err);
	CHECK_U64(ret, 0x222);
	CHECK_OK(ask(SLOT(2), &index, &ret, &err), err);
	CHECK_U64(ret, 0x111);
	CHECK(!ask(SLOT(2), &index, &ret, &err)); /* each only once */
	CHECK_ERR(err, ERR_NOTFOUND);
	index = 0;
	CHECK(!ask(SLOT(3), &index, &ret, &err)); /* no guess by order where slots are recorded */
	CHECK(!k.t.unwind_hooks->fgraph_ret(&k.t, 0, SLOT(1), &index, &ret, &err));
	CHECK_ERR(err, ERR_NEED);
	slot = SLOT(2) - 0x10;
	CHECK_OK(k.t.unwind_hooks->fgraph_pop(&k.t, TASK, &slot, 64, &ret, &err), err);
	CHECK_U64(slot, SLOT(2));
	CHECK_U64(ret, 0x111);
}

TEST(an_array_of_entries)
{
	unsigned index = 0;
	uint64_t ret, slot;
	struct err err;

	make(false);
	entry_put(SHADOW, 0x111, SLOT(2));
	entry_put(SHADOW + 32, 0x222, SLOT(1));
	entry_put(SHADOW + 64, HANDLER, SLOT(1));
	entry_put(SHADOW + 96, 0x333, SLOT(0)); /* taken off already */
	put32(&k, TASK, 2);
	check_three();
	slot = SLOT(0) - 8;
	CHECK_OK(k.t.unwind_hooks->fgraph_pop(&k.t, TASK, &slot, 64, &ret, &err), err);
	CHECK_U64(ret, 0x333);
	kernel_release(&k);

	make(false);
	put32(&k, TASK, 100000);
	CHECK(!ask(SLOT(0), &index, &ret, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);

	make(false);
	put32(&k, TASK, UINT32_MAX); /* -1: nothing was called */
	CHECK(!ask(SLOT(0), &index, &ret, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(&k);
}

/* kernel/trace/fgraph.c since 6.11: four words of entry, then one whose low ten bits lead back to
 * it. */
TEST(a_stack_of_words)
{
	unsigned index = 0;
	uint64_t ret;
	struct err err;

	make(true);
	entry_put(SHADOW, 0x111, SLOT(2));
	put64(&k, SHADOW + 32, 1 << 12 | 1 << 10 | 4);
	entry_put(SHADOW + 40, 0x222, SLOT(1));
	put64(&k, SHADOW + 72, 1 << 12 | 1 << 10 | 4);
	/* a user's data word above the bitmap: six words back from the last */
	entry_put(SHADOW + 80, HANDLER, SLOT(1));
	put64(&k, SHADOW + 112, 3 << 12 | 1 << 10 | 4);
	put64(&k, SHADOW + 120, 0xdeadbeef);
	put64(&k, SHADOW + 128, 2 << 10 | 6);
	put32(&k, TASK, 17);
	check_three();
	kernel_release(&k);

	make(true); /* leads to before the stack */
	put64(&k, SHADOW + 32, 9);
	put32(&k, TASK, 5);
	CHECK(!ask(SLOT(0), &index, &ret, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);

	make(true); /* leads nowhere */
	put32(&k, TASK, 5);
	CHECK(!ask(SLOT(0), &index, &ret, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
}

/* Since v6.13 the entry has no time; who traces keeps it in data behind the entry, of which the
 * last word has type 2, the size less one, and the owner in its bits 10, 12 and 17. The second
 * function is an fprobe's too, whose data is no time. */
#define OPS(n) (KERNEL_BASE + 0x4000 + 0x40 * (uint64_t)(n))
#define OWNERS (KERNEL_BASE + 0x5000)
static void times_setup(void)
{
	make(true);
	for (size_t i = 0; i < k.n_types; i++)
		for (unsigned j = 0; j < k.types[i]->n_members; j++)
			if (!strcmp(k.types[i]->members[j].name, "calltime"))
				k.types[i]->members[j].name = "renamed";
	WORDS(&k, "fgraph_ops", "entryfunc", "retfunc", "saved_func");
	kernel_symbol(&k, "fgraph_array", OWNERS);
	kernel_symbol(&k, "trace_graph_entry", KERNEL_BASE + 0x9800);
	kernel_symbol(&k, "fprobe_fgraph_entry", KERNEL_BASE + 0x9900);
	kernel_symbol(&k, "fgraph_pid_func", KERNEL_BASE + 0x9a00);
	put64(&k, OWNERS, OPS(0));
	put64(&k, OWNERS + 8, OPS(1));
	put64(&k, OPS(0), KERNEL_BASE + 0x9a00); /* only some pids: the tracer's own is behind */
	put64(&k, OPS(0) + 16, KERNEL_BASE + 0x9800);
	put64(&k, OPS(1), KERNEL_BASE + 0x9900);
	put64(&k, OPS(1) + 16, KERNEL_BASE + 0x9900);
	entry_put(SHADOW, 0x111, SLOT(2));
	put64(&k, SHADOW + 32, 1 << 12 | 1 << 10 | 4);
	put64(&k, SHADOW + 40, 1000);
	put64(&k, SHADOW + 48, 0 << 17 | 0 << 12 | 2 << 10 | 6);
	entry_put(SHADOW + 56, 0x222, SLOT(1));
	put64(&k, SHADOW + 88, 3 << 12 | 1 << 10 | 4);
	put64(&k, SHADOW + 96, 2000);
	put64(&k, SHADOW + 104, 77); /* sleeptime */
	put64(&k, SHADOW + 112, 0 << 17 | 1 << 12 | 2 << 10 | 7);
	put64(&k, SHADOW + 120, 5);
	put64(&k, SHADOW + 128, 1 << 17 | 0 << 12 | 2 << 10 | 9);
	put32(&k, TASK, 17);
}

TEST(times_in_the_data_of_who_traces)
{
	struct open_function f[4];
	struct err err;

	times_setup();
	CHECK_U64(fgraph_open(&k.t, TASK, f, 4, &err), 2);
	CHECK_U64(err.code, ERR_OK);
	CHECK_U64(f[0].ret, 0x222);
	CHECK_U64(f[0].since, 2000);
	CHECK_U64(f[1].since, 1000);
	/* the newest has the time of a call that ended before */
	put64(&k, SHADOW + 96, 900);
	CHECK_U64(fgraph_open(&k.t, TASK, f, 4, &err), 2);
	CHECK_U64(f[0].since, 0);
	CHECK_U64(f[1].since, 1000);
	/* data that would begin before the entry's end, and data of nobody's */
	put64(&k, SHADOW + 112, 0 << 17 | 31 << 12 | 2 << 10 | 7);
	put64(&k, SHADOW + 48, 7 << 17 | 0 << 12 | 2 << 10 | 6);
	CHECK_U64(fgraph_open(&k.t, TASK, f, 4, &err), 2);
	CHECK_U64(f[0].since, 0);
	CHECK_U64(f[1].since, 0);
	kernel_release(&k);
}

/* ---- kretprobes: struct rethook_node as in include/linux/rethook.h, here of four words */

#define TRAMPOLINE (KERNEL_BASE + 0x9100)
#define NODE(n) (KERNEL_BASE + 0x3000 + 0x40 * (uint64_t)(n))

static void make_rethooks(void)
{
	struct type *task, *node, *head;

	kernel_init(&k);
	head = kernel_struct(&k, "llist_head", 8);
	kernel_member(head, "first", &k.u64, 0);
	node = kernel_struct(&k, "rethook_node", 32);
	kernel_member(node, "llist", &k.u64, 8);
	kernel_member(node, "ret_addr", &k.u64, 16);
	kernel_member(node, "frame", &k.u64, 24);
	task = kernel_struct(&k, "task_struct", 64);
	kernel_member(task, "rethooks", head, 16);
	kernel_symbol(&k, "arch_rethook_trampoline", TRAMPOLINE);
}

/* The list goes through the second word of each. */
static void node_put(int n, uint64_t next, uint64_t ret, uint64_t frame)
{
	put64(&k, NODE(n) + 8, next ? next + 8 : 0);
	put64(&k, NODE(n) + 16, ret);
	put64(&k, NODE(n) + 24, frame);
}

static bool rethook(uint64_t task, uint64_t slot, uint64_t *ret, struct err *err)
{
	return k.t.unwind_hooks->rethook_ret(&k.t, task, slot, ret, err);
}

TEST(addresses_that_kretprobes_took)
{
	uint64_t ret;
	struct err err;

	/* two probes on the inner function: the second one took the first one's trampoline */
	make_rethooks();
	put64(&k, TASK + 16, NODE(0) + 8);
	node_put(0, NODE(1), TRAMPOLINE, SLOT(1));
	node_put(1, NODE(2), 0x222, SLOT(1));
	node_put(2, 0, 0x111, SLOT(2));
	CHECK_OK(rethook(TASK, SLOT(1), &ret, &err), err);
	CHECK_U64(ret, 0x222);
	CHECK_OK(rethook(TASK, SLOT(2), &ret, &err), err);
	CHECK_U64(ret, 0x111);
	CHECK(!rethook(TASK, SLOT(3), &ret, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!rethook(0, SLOT(1), &ret, &err));
	CHECK_ERR(err, ERR_NEED);
	kernel_release(&k);

	make_rethooks(); /* a list that comes back on itself */
	put64(&k, TASK + 16, NODE(0) + 8);
	node_put(0, NODE(1), 0x222, SLOT(1));
	node_put(1, NODE(0), 0x111, SLOT(2));
	CHECK(!rethook(TASK, SLOT(3), &ret, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);

	make(false); /* a kernel without any */
	CHECK(!rethook(TASK, SLOT(1), &ret, &err));
	CHECK_ERR(err, ERR_NOFIELD);
	kernel_release(&k);
}

/* ---- where stacks are: layouts of arch/x86/include/asm/cpu_entry_area.h and of
 * arch/arm64/include/asm/sdei.h, no guest of ours dies on most of them */

#define PERCPU (KERNEL_BASE + 0x10000) /* of CPU 1; CPU 0's at +0 */
#define AREA (KERNEL_BASE + 0x18000)

static void make_cpus(void)
{
	kernel_init(&k);
	kernel_symbol(&k, "nr_cpu_ids", KERNEL_BASE + 0x100);
	kernel_symbol(&k, "__per_cpu_offset", KERNEL_BASE + 0x200);
	put32(&k, KERNEL_BASE + 0x100, 2);
	put64(&k, KERNEL_BASE + 0x200, KERNEL_BASE + 0x8000);
	put64(&k, KERNEL_BASE + 0x208, PERCPU);
}

static void check_stack(uint64_t sp, const char *name, uint64_t lo, uint64_t hi)
{
	struct stack_range r;

	if (!CHECK(k.t.unwind_hooks->stack_of(&k.t, 0, 1, sp, &r)))
		return;
	CHECK_STR(r.name, name);
	CHECK_U64(r.lo, lo);
	CHECK_U64(r.hi, hi);
}

TEST(exception_stacks_by_name)
{
	static const char *const members[][2] = { { "DF_stack", "#DF" }, { "NMI_stack", "NMI" },
						  { "DB_stack", "#DB" }, { "MCE_stack", "#MC" },
						  { "VC_stack", "#VC" }, { "VC2_stack", "#VC2" },
						  { "NEW_stack", "NEW" } };
	struct stack_range r;
	const struct type *stack;
	struct type *area;
	uint64_t at = 0;

	make_cpus();
	kernel_symbol(&k, "cea_exception_stacks", 0x40);
	kernel_symbol(&k, "hardirq_stack_ptr", 0x48);
	put64(&k, PERCPU + 0x40, AREA);
	put64(&k, PERCPU + 0x48, KERNEL_BASE + 0x7ff8);
	stack = kernel_array(&k, &k.u8, 0x2000);
	area = kernel_struct(&k, "cea_exception_stacks", 0x3000 * ARRAY_SIZE(members));
	for (size_t i = 0; i < ARRAY_SIZE(members); i++, at += 0x3000) {
		kernel_member(area, "XX_stack_guard", kernel_array(&k, &k.u8, 0x1000), at);
		kernel_member(area, members[i][0], stack, at + 0x1000);
	}
	at = AREA;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++, at += 0x3000) {
		check_stack(at + 0x1800, members[i][1], at + 0x1000, at + 0x3000);
		CHECK(!k.t.unwind_hooks->stack_of(&k.t, 0, 1, at + 0x800, &r)); /* the guard */
	}
	check_stack(KERNEL_BASE + 0x5000, "IRQ", KERNEL_BASE + 0x4000, KERNEL_BASE + 0x8000);
	CHECK(!k.t.unwind_hooks->stack_of(&k.t, 0, 0, KERNEL_BASE + 0x5000,
					  &r)); /* CPU 0's is unset */
	CHECK(!k.t.unwind_hooks->stack_of(&k.t, 0, -1, KERNEL_BASE + 0x5000, &r));
	kernel_release(&k);
}

/* 64-bit RISC-V records the caller's frame pointer; what it records as a slot is where ftrace kept
 * the address while it was asked (arch/riscv/kernel/ftrace.c). */
TEST(entries_by_the_callers_frame_pointer)
{
	unsigned index = 0;
	uint64_t ret;
	struct err err;

	make(false);
	k.arch.elf_machine = arch_riscv64.elf_machine;
	kernel_member(k.types[0], "fp", &k.u64, 16);
	put64(&k, TASK, 1);
	entry_put(SHADOW, 0x111, SLOT(9));
	put64(&k, SHADOW + 16, SLOT(2));
	entry_put(SHADOW + 32, 0x222, SLOT(9));
	put64(&k, SHADOW + 48, SLOT(1));
	CHECK_OK(ask(SLOT(1), &index, &ret, &err), err);
	CHECK_U64(ret, 0x222);
	CHECK(!ask(SLOT(9), &index, &ret, &err) && err.code == ERR_NOTFOUND);
	CHECK_OK(ask(SLOT(2), &index, &ret, &err), err);
	CHECK_U64(ret, 0x111);
	kernel_release(&k);
}

TEST(stacks_of_riscv64)
{
	make_cpus();
	k.arch.elf_machine = arch_riscv64.elf_machine;
	kernel_symbol(&k, "irq_stack_ptr", 0x40);
	put64(&k, PERCPU + 0x40, KERNEL_BASE + 0x20000);
	kernel_symbol(&k, "overflow_stack", 0x1000);
	check_stack(KERNEL_BASE + 0x21000, "IRQ", KERNEL_BASE + 0x20000, KERNEL_BASE + 0x24000);
	check_stack(PERCPU + 0x1800, "OVERFLOW", PERCPU + 0x1000, PERCPU + 0x2000);
	kernel_release(&k);
}

TEST(stacks_of_loongarch64)
{
	make_cpus();
	k.arch.elf_machine = arch_loongarch64.elf_machine;
	kernel_symbol(&k, "irq_stack", 0x40);
	put64(&k, PERCPU + 0x40, KERNEL_BASE + 0x20000);
	check_stack(KERNEL_BASE + 0x21000, "IRQ", KERNEL_BASE + 0x20000, KERNEL_BASE + 0x24000);
	kernel_release(&k);
}

TEST(stacks_of_arm64)
{
	static const char *const pointers[][2] = { { "irq_stack_ptr", "IRQ" },
						   { "sdei_stack_normal_ptr", "SDEI" },
						   { "sdei_stack_critical_ptr", "SDEI" } };

	make_cpus();
	k.arch.elf_machine = arch_aarch64.elf_machine;
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++) {
		kernel_symbol(&k, pointers[i][0], 0x40 + 8 * i);
		put64(&k, PERCPU + 0x40 + 8 * i, KERNEL_BASE + 0x20000 + 0x8000 * i);
	}
	kernel_symbol(&k, "overflow_stack", 0x1000);
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++) /* THREAD_SIZE is 16 KiB */
		check_stack(KERNEL_BASE + 0x21000 + 0x8000 * i, pointers[i][1],
			    KERNEL_BASE + 0x20000 + 0x8000 * i, KERNEL_BASE + 0x24000 + 0x8000 * i);
	check_stack(PERCPU + 0x1800, "OVERFLOW", PERCPU + 0x1000, PERCPU + 0x2000);
	kernel_release(&k);
}

TEST_MAIN
