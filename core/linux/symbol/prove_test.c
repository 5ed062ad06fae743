/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the proofs of variables that no table names, each with what must not be taken for one. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

#define TEXT KERNEL_BASE
#define LAST (KERNEL_BASE + 0x10000) /* of the image */
#define CODE (KERNEL_BASE + 0x100)
#define SECTION (KERNEL_BASE + 0x8000) /* the per-CPU one */
#define HEAP (KERNEL_BASE + 0x20000)

static struct fake_kernel k;

static void exported(const char *name, uint64_t addr)
{
	kernel_symbol(&k, name, addr);
	k.syms[k.n_syms - 1].type = '?';
}

static void start(void)
{
	kernel_init(&k);
	k.t.symbols.tabs.p[0]->partial = true;
	kernel_symbol(&k, "_stext", TEXT);
	exported("zero_pfn", LAST);
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

static bool placed(struct type_source *s, const char *section, const char *name,
		   struct variable_place *ret)
{
	static const struct {
		const char *name;
		uint64_t offset;
	} all[] = { { "cpu_number", 8 }, { "irq_regs", 0x20 }, { "timer_bases", 0x40 } };

	(void)s;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (!strcmp(section, ".data..percpu") && !strcmp(name, all[i].name)) {
			*ret = (struct variable_place){ all[i].offset, 0x30, 0x1000 };
			return true;
		}
	return false;
}

static void percpu_start(void)
{
	start();
	k.source.placed = placed;
	exported("cpu_number", SECTION + 8);
	exported("irq_regs", SECTION + 0x20);
}

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

#define INIT_NET (KERNEL_BASE + 0x2000)
#define NET_HEAD (KERNEL_BASE + 0x3000)

static void nets_start(const uint64_t *nodes, size_t n)
{
	struct type *list, *net;

	start();
	list = kernel_list_type(&k);
	net = kernel_struct(&k, "net", 64);
	kernel_member(net, "list", list, 16);
	exported("init_net", INIT_NET);
	put_list(&k, NET_HEAD, nodes, n);
}

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

#define ANCHOR (KERNEL_BASE + 0x45c0)
#define MODULES (ANCHOR + 0x50)
#define MODULE(i) (HEAP + (uint64_t)(i)*0x1000)

/* adrp x20, page; add x20, x20, #the rest */
static void code_put(uint64_t at, uint64_t to)
{
	uint32_t pages = (uint32_t)((to >> 12) - (at >> 12));

	put32(&k, at, 0x90000000 | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5 | 20);
	put32(&k, at + 4, 0x91000000 | (uint32_t)(to & 0xfff) << 10 | 20 << 5 | 20);
}

static void modules_start(size_t n)
{
	const uint64_t nodes[] = { MODULE(0) + 8, MODULE(1) + 8 };
	struct type *list, *kobj, *module;

	start();
	k.arch.place_next = arch_aarch64.place_next;
	list = kernel_list_type(&k);
	kobj = kernel_struct(&k, "module_kobject", 16);
	kernel_member(kobj, "mod", &k.ptr, 8);
	module = kernel_struct(&k, "module", 256);
	kernel_member(module, "list", list, 8);
	kernel_member(module, "mkobj", kobj, 64);
	kernel_symbol(&k, "print_modules", CODE);
	k.syms[k.n_syms - 1].size = 32;
	code_put(CODE + 4, ANCHOR);
	put_list(&k, MODULES, nodes, n);
	for (size_t i = 0; i < n; i++)
		put64(&k, MODULE(i) + 64 + 8, MODULE(i));
}

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

#define CPUS 2
#define OFFSET(cpu) (0x4000u + 0x2000u * (cpu))
#define QUEUES (SECTION + 0x340)
#define TASK(cpu) ((cpu) ? HEAP : KERNEL_BASE + 0x2000)

static void queue_put(uint64_t addr, unsigned cpu, unsigned number)
{
	put32(&k, addr + OFFSET(cpu) + 8, number);
	put64(&k, addr + OFFSET(cpu) + 16, TASK(cpu));
}

static void queues_start(void)
{
	static const char *const names[] = { "swapper/0", "swapper/1" };
	struct type *rq, *task;

	start();
	rq = kernel_struct(&k, "rq", 24);
	kernel_member(rq, "cpu", &k.u32, 8);
	kernel_member(rq, "idle", &k.ptr, 16);
	task = kernel_struct(&k, "task_struct", 64);
	kernel_member(task, "comm", kernel_array(&k, &k.u8, 16), 32);
	exported("init_task", TASK(0));
	exported("nr_cpu_ids", KERNEL_BASE + 0x1000);
	put32(&k, KERNEL_BASE + 0x1000, CPUS);
	exported("__cpu_possible_mask", KERNEL_BASE + 0x1008);
	put64(&k, KERNEL_BASE + 0x1008, (1 << CPUS) - 1);
	exported("__per_cpu_offset", KERNEL_BASE + 0x1010);
	exported("cpu_number", SECTION + 8);
	for (unsigned cpu = 0; cpu < CPUS; cpu++) {
		put64(&k, KERNEL_BASE + 0x1010 + cpu * 8, OFFSET(cpu));
		put32(&k, SECTION + OFFSET(cpu) + 8, cpu);
		put_str(&k, TASK(cpu) + 32, names[cpu]);
		queue_put(QUEUES, cpu, cpu);
	}
}

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

/* ---- by what is there, and by the code that uses it */

#define SETUP (KERNEL_BASE + 0x200)
#define DESTROY (KERNEL_BASE + 0x300)
#define CALLS (KERNEL_BASE + 0x5008)

static void calls_start(void)
{
	start();
	kernel_symbol(&k, "__arm64_sys_io_setup", SETUP);
	kernel_symbol(&k, "__arm64_sys_io_destroy", DESTROY);
	for (size_t i = 2; i < 4; i++)
		k.syms[i].type = 'T';
	put64(&k, CALLS, SETUP);
	put64(&k, CALLS + 8, DESTROY);
	put64(&k, CALLS + 16, SETUP); /* some other call */
	put64(&k, CALLS + 24, DESTROY + 4);
}

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

#define CLOCK (KERNEL_BASE + 0x6800)
#define SOURCE (KERNEL_BASE + 0x7000)

static void clock_start(void)
{
	struct type *tk, *tkr;

	start();
	k.arch.place_next = arch_aarch64.place_next;
	tkr = WORDS(&k, "tk_read_base", "clock", "mask");
	WORDS(&k, "seqcount_raw_spinlock_t", "sequence");
	k.types[k.n_types - 1]->kind = TYPE_TYPEDEF;
	WORDS(&k, "clocksource", "mask");
	tk = kernel_struct(&k, "timekeeper", 64);
	kernel_member(tk, "tkr_mono", tkr, 0);
	kernel_member(tk, "tkr_raw", tkr, 16);
	kernel_symbol(&k, "ktime_get_coarse_real_ts64", CODE);
	k.syms[k.n_syms - 1].size = 16;
	code_put(CODE + 4, CLOCK);
	for (uint64_t at = CLOCK + 8; at <= CLOCK + 24; at += 16) {
		put64(&k, at, SOURCE);
		put64(&k, at + 8, 0xffffff);
	}
	put64(&k, SOURCE, 0xffffff);
}

TEST(the_clock_by_who_reads_it)
{
	clock_start();
	proved("tk_core", CLOCK);
	clock_start();
	code_put(CODE + 4, CLOCK + 0x100);
	not_proved("tk_core");
	clock_start();
	put64(&k, CLOCK + 24, SOURCE + 8); /* two sources */
	not_proved("tk_core");
	clock_start();
	put64(&k, SOURCE, 0xffff); /* not as the source has it */
	not_proved("tk_core");
}

/* Devices are in a kset; its first is the bus of those that are part of the platform. */
#define BUS (KERNEL_BASE + 0x9000)
#define KSET (HEAP + 0x100)
#define POINTER (KERNEL_BASE + 0xa348)

static void kset_start(void)
{
	struct type *kobj, *device;

	start();
	k.arch.place_next = arch_aarch64.place_next;
	kobj = WORDS(&k, "kobject", "name", "next", "prev", "parent", "kset", "ktype");
	device = kernel_struct(&k, "device", 64);
	kernel_member(device, "kobj", kobj, 0);
	exported("platform_bus", BUS);
	put64(&k, BUS + 16, KSET); /* the first of its list leads back to it */
	put64(&k, BUS + 32, KSET);
	put64(&k, BUS + 40, TEXT + 0x40);
	kernel_symbol(&k, "device_initialize", CODE);
	k.syms[k.n_syms - 1].size = 32;
	code_put(CODE, BUS - 0x10);
	code_put(CODE + 8, POINTER - 0x20);
	put64(&k, POINTER, KSET);
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

#define PROC (KERNEL_BASE + 0x9800)

TEST(the_root_of_proc_is_its_own_parent)
{
	for (int own = 0; own < 2; own++) {
		struct type *net, *entry, *to;

		start();
		entry = kernel_struct(&k, "proc_dir_entry", 16);
		to = ARENA_NEW(&k.t.arena, struct type);
		*to = k.ptr;
		to->target = entry;
		kernel_member(entry, "parent", to, 8);
		net = kernel_struct(&k, "net", 16);
		kernel_member(net, "proc_net", to, 0);
		exported("init_net", INIT_NET);
		put64(&k, INIT_NET, HEAP);
		put64(&k, HEAP + 8, PROC);
		put64(&k, PROC + 8, own ? PROC : HEAP);
		if (own)
			proved("proc_root", PROC);
		else
			not_proved("proc_root");
	}
}

TEST_MAIN
