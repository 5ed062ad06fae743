/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the proofs of variables that no table names, each with what must not be taken for one. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/task/cpu.h"

static struct fake_kernel k;

#include "core/linux/symbol/prove_fake.h"

static void percpu_start(void)
{
	start();
	percpu_put();
}

static void nets_start(const uint64_t *nodes, size_t n)
{
	start();
	nets_put(nodes, n);
}

static void modules_start(size_t n)
{
	start();
	modules_put(n);
}

static void queues_start(void)
{
	start();
	queues_put();
}

static void calls_start(void)
{
	start();
	calls_put();
}

static void clock_start(void)
{
	start();
	clock_put();
}

static void kset_start(void)
{
	start();
	kset_put();
}

static void proved(const char *name, uint64_t want)
{
	uint64_t addr = 0;

	CHECK(symbol_addr(&k.t, name, &addr));
	CHECK_U64(addr, want);
	CHECK(symbol_addr(&k.t, name, &addr)); /* and so it stays */
	CHECK_U64(addr, want);
	kernel_release(&k);
}

static void not_proved(const char *name)
{
	uint64_t addr;

	CHECK(!symbol_addr(&k.t, name, &addr));
	CHECK(!symbol_addr(&k.t, name, &addr));
	kernel_release(&k);
}

/* ---- what VMCOREINFO says */

static void told(const char *text)
{
	start();
	k.t.vmcoreinfo.text = text;
	k.t.vmcoreinfo.n = strlen(text);
}

/* VMCOREINFO_SYMBOL() has the address, VMCOREINFO_SYMBOL_ARRAY() what a pointer points to. */
TEST(symbols_of_vmcoreinfo)
{
	told("SYMBOL(_stext)=ffff800000000000\nSYMBOL(prb)=ffff800000001230\n");
	proved("prb", KERNEL_BASE + 0x1230);
	told("SYMBOL(_stext)=ffff800000000000\nSYMBOL(mem_section)=ffff900000001230\n");
	not_proved("mem_section");
	told("SYMBOL(prb)=ffff800000001230\n"); /* where the image is, nothing says */
	not_proved("prb");
}

/* ---- what BTF says of the per-CPU section */

TEST(per_cpu_variables_by_those_that_are_exported)
{
	struct symbol sym;
	struct err err;

	percpu_start();
	CHECK_OK(symbol_find(&k.t, "timer_bases", &sym, &err), err);
	CHECK_U64(sym.size, 0x30);
	CHECK_STR(sym.name, "timer_bases");
	proved("timer_bases", SECTION + 0x40);
	percpu_start();
	proved("__per_cpu_start", SECTION);
	percpu_start();
	proved("__per_cpu_end", SECTION + 0x1000);
	percpu_start();
	not_proved("hrtimer_bases"); /* not in the section */
	percpu_start();
	k.t.symbols.tabs.p[0]->partial = false; /* what a whole table lacks does not exist */
	not_proved("timer_bases");
	percpu_start();
	k.n_syms -= 2; /* nothing says where the section is */
	not_proved("timer_bases");
}

/* A variable elsewhere has a per-CPU one's name: the others outvote it, or nothing is known. */
TEST(an_exported_namesake_elsewhere)
{
	start();
	k.source.placed = placed;
	exported("timer_bases", KERNEL_BASE + 0x3000);
	exported("cpu_number", SECTION + 8);
	exported("irq_regs", SECTION + 0x20);
	proved("__per_cpu_start", SECTION);
	start();
	k.source.placed = placed;
	exported("timer_bases", KERNEL_BASE + 0x3000);
	exported("cpu_number", SECTION + 8);
	not_proved("__per_cpu_start");
}

/* ---- rings */

TEST(head_of_a_ring)
{
	const uint64_t one[] = { INIT_NET + 16 }, two[] = { INIT_NET + 16, HEAP + 16 },
		       many[] = { HEAP + 0x110, INIT_NET + 16, HEAP + 16 },
		       odd[] = { INIT_NET + 16, KERNEL_BASE + 0x4000 };

	nets_start(one, 1);
	proved("net_namespace_list", NET_HEAD);
	nets_start(two, 2);
	proved("net_namespace_list", NET_HEAD);
	nets_start(many, 3);
	proved("net_namespace_list", NET_HEAD);
	nets_start(odd, 2); /* another node in the image: which is the head? */
	not_proved("net_namespace_list");
	nets_start(two, 2); /* broken */
	put64(&k, HEAP + 16, 0);
	not_proved("net_namespace_list");
	nets_start(one, 1); /* a node that heads itself */
	put_list(&k, INIT_NET + 16, NULL, 0);
	not_proved("net_namespace_list");
	nets_start(one, 1);
	k.n_syms--; /* no init_net */
	not_proved("net_namespace_list");
}

/* ---- modules */

TEST(modules_by_the_code_that_lists_them)
{
	modules_start(2);
	proved("modules", MODULES);
	modules_start(1);
	proved("modules", MODULES);
	modules_start(0); /* an empty list is like any other */
	not_proved("modules");
	modules_start(2); /* a ring of something else */
	put64(&k, MODULE(1) + 64 + 8, MODULE(0));
	not_proved("modules");
	modules_start(2); /* not the head: what leads here leads elsewhere */
	put64(&k, MODULE(0) + 8 + 8, MODULE(1));
	not_proved("modules");
	modules_start(2);
	code_put(CODE + 4, ANCHOR + 0x2000); /* nothing leads near it */
	not_proved("modules");
	modules_start(2);
	k.n_syms--; /* nobody is known to use it */
	not_proved("modules");
}

/* ---- run queues */

TEST(run_queues_by_their_idle_tasks)
{
	queues_start();
	proved("runqueues", QUEUES);
	queues_start();
	queue_put(QUEUES, 1, 0); /* of another CPU */
	not_proved("runqueues");
	queues_start();
	put_str(&k, TASK(1) + 32, "kworker/1:0"); /* not its idle task */
	not_proved("runqueues");
	queues_start();
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		queue_put(QUEUES + 0x200, cpu, cpu); /* which of the two? */
	not_proved("runqueues");
	queues_start();
	put32(&k, SECTION + OFFSET(1) + 8, 0); /* where per-CPU data is, is in doubt */
	not_proved("runqueues");
}

/* Nothing says where the per-CPU section is, and still each CPU has its own (kernel/sched/core.c).
 */
TEST(run_queues_that_are_proved_are_per_cpu)
{
	struct symbol sym, other = { .name = "jiffies", .addr = KERNEL_BASE + 0x3000 };
	struct err err;

	queues_start();
	CHECK_OK(symbol_find(&k.t, "runqueues", &sym, &err), err);
	CHECK(percpu_is(&k.t, &sym));
	CHECK(!percpu_is(&k.t, &other));
	kernel_release(&k);
}

/* ---- by what is there, and by the code that uses it */

TEST(system_calls_by_the_first_two)
{
	struct symbol sym;
	struct err err;

	calls_start();
	CHECK_OK(symbol_find(&k.t, "sys_call_table", &sym, &err), err);
	CHECK_U64(sym.size, 3 * 8); /* what follows is none */
	proved("sys_call_table", CALLS);
	calls_start();
	put64(&k, CALLS + 0x1000, SETUP); /* one of the two alone is nothing */
	proved("sys_call_table", CALLS);
	calls_start();
	put64(&k, CALLS + 0x1000, SETUP);
	put64(&k, CALLS + 0x1008, DESTROY); /* which of the two tables? */
	not_proved("sys_call_table");
	calls_start();
	k.n_syms--;
	not_proved("sys_call_table");
}

TEST(the_clock_by_who_reads_it)
{
	clock_start();
	proved("tk_core", CLOCK);
	clock_start();
	code_put(CODE_CLOCK + 4, CLOCK + 0x100);
	not_proved("tk_core");
	clock_start();
	put64(&k, CLOCK + 24, SOURCE + 8); /* two sources */
	not_proved("tk_core");
	clock_start();
	put64(&k, SOURCE, 0xffff); /* not as the source has it */
	not_proved("tk_core");
}

TEST(ksets_by_who_fills_them)
{
	kset_start();
	proved("devices_kset", POINTER);
	kset_start(); /* another device */
	put64(&k, POINTER + 0x100, KSET);
	put64(&k, POINTER + 0x108, TEXT + 0x40);
	proved("devices_kset", POINTER);
	kset_start(); /* another pointer: which? */
	put64(&k, POINTER + 0x100, KSET);
	not_proved("devices_kset");
	kset_start();
	put64(&k, POINTER, 0);
	not_proved("devices_kset");
}

TEST(the_root_of_proc_is_its_own_parent)
{
	start();
	proc_put(PROC);
	proved("proc_root", PROC);
	start();
	proc_put(HEAP);
	not_proved("proc_root");
}

TEST_MAIN
