/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzzing of the proofs: a kernel that exports a little, and what proves the rest. It
 * is laid out in `k`, a struct fake_kernel that whoever includes this has. */
#ifndef OBIT_PROVE_FAKE_H
#define OBIT_PROVE_FAKE_H

#include "core/linux/kernel_fake.h"

#define TEXT KERNEL_BASE
#define LAST (KERNEL_BASE + 0x10000) /* of the image */
#define CODE (KERNEL_BASE + 0x100)   /* of who lists modules, sets the clock, fills ksets */
#define CODE_CLOCK (CODE + 0x40)
#define CODE_KSET (CODE + 0x80)
#define SECTION (KERNEL_BASE + 0x8000) /* the per-CPU one */
#define HEAP (KERNEL_BASE + 0x20000)

static inline void exported(const char *name, uint64_t addr)
{
	kernel_symbol(&k, name, addr);
	k.syms[k.n_syms - 1].type = '?';
}

static inline void start(void)
{
	kernel_init(&k);
	k.t.symbols.tabs.p[0]->partial = true;
	kernel_symbol(&k, "_stext", TEXT);
	exported("zero_pfn", LAST);
}

static inline bool placed(struct type_source *s, const char *section, const char *name,
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

static inline void percpu_put(void)
{
	k.source.placed = placed;
	exported("cpu_number", SECTION + 8);
	exported("irq_regs", SECTION + 0x20);
}

#define INIT_NET (KERNEL_BASE + 0x2000)
#define NET_HEAD (KERNEL_BASE + 0x3000)

/* The one that there is, or a new one. */
static inline struct type *net_type(void)
{
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, "net"))
			return k.types[i];
	return kernel_struct(&k, "net", 64);
}

static inline void nets_put(const uint64_t *nodes, size_t n)
{
	kernel_member(net_type(), "list", kernel_list_type(&k), 16);
	exported("init_net", INIT_NET);
	put_list(&k, NET_HEAD, nodes, n);
}

#define ANCHOR (KERNEL_BASE + 0x45c0)
#define MODULES (ANCHOR + 0x50)
#define MODULE(i) (HEAP + 0x1000 + (uint64_t)(i)*0x1000)

/* adrp x20, page; add x20, x20, #the rest */
static inline void code_put(uint64_t at, uint64_t to)
{
	uint32_t pages = (uint32_t)((to >> 12) - (at >> 12));

	put32(&k, at, 0x90000000 | (pages & 3) << 29 | (pages >> 2 & 0x7ffff) << 5 | 20);
	put32(&k, at + 4, 0x91000000 | (uint32_t)(to & 0xfff) << 10 | 20 << 5 | 20);
}

static inline void modules_put(size_t n)
{
	const uint64_t nodes[] = { MODULE(0) + 8, MODULE(1) + 8 };
	struct type *list, *kobj, *module;

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

#define CPUS 2
#define OFFSET(cpu) (0x4000u + 0x2000u * (cpu))
#define QUEUES (SECTION + 0x340)
#define TASK(cpu) ((cpu) ? HEAP + 0x4000 : KERNEL_BASE + 0x2800)

static inline void queue_put(uint64_t addr, unsigned cpu, unsigned number)
{
	put32(&k, addr + OFFSET(cpu) + 8, number);
	put64(&k, addr + OFFSET(cpu) + 16, TASK(cpu));
}

static inline void queues_put(void)
{
	static const char *const names[] = { "swapper/0", "swapper/1" };
	struct type *rq, *task;

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

#define SETUP (KERNEL_BASE + 0x200)
#define DESTROY (KERNEL_BASE + 0x300)
#define CALLS (KERNEL_BASE + 0x5008)

static inline void calls_put(void)
{
	kernel_symbol(&k, "__arm64_sys_io_setup", SETUP);
	kernel_symbol(&k, "__arm64_sys_io_destroy", DESTROY);
	k.syms[k.n_syms - 1].type = k.syms[k.n_syms - 2].type = 'T';
	put64(&k, CALLS, SETUP);
	put64(&k, CALLS + 8, DESTROY);
	put64(&k, CALLS + 16, SETUP); /* some other call */
	put64(&k, CALLS + 24, DESTROY + 4);
}

#define CLOCK (KERNEL_BASE + 0x6800)
#define SOURCE (KERNEL_BASE + 0x7000)

static inline void clock_put(void)
{
	struct type *tk, *tkr;

	k.arch.place_next = arch_aarch64.place_next;
	tkr = WORDS(&k, "tk_read_base", "clock", "mask");
	WORDS(&k, "seqcount_raw_spinlock_t", "sequence");
	k.types[k.n_types - 1]->kind = TYPE_TYPEDEF;
	WORDS(&k, "clocksource", "mask");
	tk = kernel_struct(&k, "timekeeper", 64);
	kernel_member(tk, "tkr_mono", tkr, 0);
	kernel_member(tk, "tkr_raw", tkr, 16);
	kernel_symbol(&k, "ktime_get_coarse_real_ts64", CODE_CLOCK);
	k.syms[k.n_syms - 1].size = 16;
	code_put(CODE_CLOCK + 4, CLOCK);
	for (uint64_t at = CLOCK + 8; at <= CLOCK + 24; at += 16) {
		put64(&k, at, SOURCE);
		put64(&k, at + 8, 0xffffff);
	}
	put64(&k, SOURCE, 0xffffff);
}

/* Devices are in a kset; its first is the bus of those that are part of the platform. */
#define BUS (KERNEL_BASE + 0x9000)
#define KSET (HEAP + 0x5000)
#define POINTER (KERNEL_BASE + 0xa348)

static inline void kset_put(void)
{
	struct type *kobj, *device;

	k.arch.place_next = arch_aarch64.place_next;
	kobj = WORDS(&k, "kobject", "name", "next", "prev", "parent", "kset", "ktype");
	device = kernel_struct(&k, "device", 64);
	kernel_member(device, "kobj", kobj, 0);
	exported("platform_bus", BUS);
	put64(&k, BUS + 16, KSET); /* the first of its list leads back to it */
	put64(&k, BUS + 32, KSET);
	put64(&k, BUS + 40, TEXT + 0x40);
	kernel_symbol(&k, "device_initialize", CODE_KSET);
	k.syms[k.n_syms - 1].size = 32;
	code_put(CODE_KSET, BUS - 0x10);
	code_put(CODE_KSET + 8, POINTER - 0x20);
	put64(&k, POINTER, KSET);
}

#define PROC (KERNEL_BASE + 0x9800)

/* Which has /proc/net in it, which a namespace knows. */
static inline void proc_put(uint64_t parent)
{
	struct type *entry = kernel_struct(&k, "proc_dir_entry", 16);
	struct type *to = ARENA_NEW(&k.t.arena, struct type);

	*to = k.ptr;
	to->target = entry;
	kernel_member(entry, "parent", to, 8);
	kernel_member(net_type(), "proc_net", to, 0);
	exported("init_net", INIT_NET);
	put64(&k, INIT_NET, HEAP + 0x6000);
	put64(&k, HEAP + 0x6000 + 8, PROC);
	put64(&k, PROC + 8, parent);
}

#endif
