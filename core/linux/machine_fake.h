/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel of two CPUs with interrupts, timers, work, run queues, zones, vmalloc
 * areas, probes and ftrace hooks. */
#ifndef OBIT_MACHINE_FAKE_H
#define OBIT_MACHINE_FAKE_H

#include "core/linux/container/walk_fake.h"

/* Where things are; 0x200 bytes each. */
enum machine_fake_place {
	M_VARS, /* symbols */
	M_PERCPU0,
	M_PERCPU1,
	M_IRQ_NODE, /* of the index of interrupts; more than one place */
	M_IRQ_NODE_END,
	M_DESC3, /* interrupts 3 and 5 */
	M_DESC5,
	M_ACTION,
	M_ACTION2,
	M_CHIP,
	M_TIMER,
	M_TIMER2,
	M_HRTIMER,
	M_HRTIMER2,
	M_WQ,
	M_WQ2,
	M_PWQ,
	M_PWQ2,
	M_POOL,
	M_WORKER,
	M_WORK_RUNNING,
	M_WORK_PENDING,
	M_WORK_INACTIVE,
	M_TASK_FAIR,
	M_TASK_RT,
	M_TASK_DL,
	M_NODE, /* struct pglist_data; more than one place */
	M_NODE_END,
	M_AREA,
	M_AREA2,
	M_VM,
	M_KPROBE_TABLE,
	M_KPROBE,
	M_KPROBES, /* one that stands for two */
	M_KPROBE_A,
	M_KRETPROBE,
	M_OPS,
	M_OPS2,
	M_OPS_HASH,
	M_HASH,
	M_FTRACE_PAGE,
	M_FTRACE_PAGE2,
	M_RECORDS,
	M_STRINGS,
	M_MAPLE, /* of what newer kernels have, machine_fake_newer() */
	M_VMAP_NODES,
	M_EVENT,
	M_PLACES
};
#define M_AT(place) (KERNEL_BASE + 0x1000u + (uint64_t)(place)*0x200u)
#define M_END M_AT(M_PLACES)
#define M_STR(n) (M_AT(M_STRINGS) + (uint64_t)(n)*16u)

/* Variables */
#define MV_CPUS M_AT(M_VARS)
#define MV_OFFSETS (M_AT(M_VARS) + 8)
#define MV_IRQS (M_AT(M_VARS) + 24)
#define MV_WORKQUEUES (M_AT(M_VARS) + 40)
#define MV_NODES (M_AT(M_VARS) + 56)
#define MV_AREAS (M_AT(M_VARS) + 72)
#define MV_OPS (M_AT(M_VARS) + 88)
#define MV_OPS_END (M_AT(M_VARS) + 96)
#define MV_PAGES (M_AT(M_VARS) + 104)
#define MV_JIFFIES (M_AT(M_VARS) + 112)
#define MV_RETURNS (M_AT(M_VARS) + 120) /* pre_handler_kretprobe, aggr_pre_handler */
#define MV_SEVERAL (M_AT(M_VARS) + 128)
#define MV_EVENT (M_AT(M_VARS) + 136) /* kprobe_dispatcher */
#define MV_VMAP_NODES (M_AT(M_VARS) + 144)

/* CPU 0's of its own; CPU 1's are one place further. */
#define MP_COUNT M_AT(M_PERCPU0) /* an interrupt's counter */
#define MP_TIMERS (M_AT(M_PERCPU0) + 8)
#define MP_HRTIMERS (M_AT(M_PERCPU0) + 96)
#define MP_RQ (M_AT(M_PERCPU0) + 256)
#define MP_HITS (M_AT(M_PERCPU0) + 504) /* of an event's probe */

/* Offsets of members that tests change. */
#define MO_DESC_ACTION 8
#define MO_DESC_NR 24
#define MO_ACTION_NEXT 8
#define MO_ACTION_NAME 16
#define MO_BASE_VECTORS 8
#define MO_TIMER_EXPIRES 16
#define MO_TIMER_FUNCTION 24
#define MO_HRTIMER_EXPIRES 24
#define MO_HRTIMER_FUNCTION 32
#define MO_CLOCK_ACTIVE 8
#define MO_WQ_LIST 16
#define MO_WQ_FLAGS 32
#define MO_WQ_NAME 40
#define MO_PWQ_NODE 8
#define MO_PWQ_INACTIVE 24
#define MO_POOL_WORKLIST 8
#define MO_POOL_BUSY 24
#define MO_WORK_ENTRY 8
#define MO_WORK_FUNC 24
#define MO_RQ_RT 24
#define MO_RQ_DL 72
#define MO_RQ_CFS 88
#define MO_RQ_CPU 104
#define MO_TASK_RT 0
#define MO_TASK_DL 16
#define MO_TASK_FAIR 40
#define MO_TASK_POLICY 56
#define MO_ZONES 8
#define MO_ZONE_SIZE 112
#define MO_AREA_END 8
#define MO_AREA_LIST 16
#define MO_AREA_VM 32
#define MO_KPROBE_LIST 16
#define MO_KPROBE_ADDR 32
#define MO_KPROBE_HANDLER 56
#define MO_OPS_NEXT 8
#define MO_PAGE_INDEX 16
#define MO_EVENT_PROBE 16
#define MO_EVENT_HITS 104
#define MO_VMAP_BUSY 8 /* the list of a struct vmap_node of 40 bytes */

static inline void machine_fake_irqs(struct fake_kernel *k)
{
	struct type *s = WORDS(k, "irq_desc", "kstat_irqs", "action", "name");

	kernel_member(s, "irq_data", INNER(k, "irq", "hwirq", "chip"), MO_DESC_NR);
	kernel_member(s, "irq_common_data", INNER(k, "affinity"), 48);
	s->size = 56;
	WORDS(k, "irqaction", "handler", "next", "name", "thread");
	WORDS(k, "irq_chip", "name");
}

static inline void machine_fake_timers(struct fake_kernel *k)
{
	const struct type *link = INNER(k, "next", "pprev"),
			  *rb = INNER(k, "__rb_parent_color", "rb_right", "rb_left");
	struct type *s = kernel_struct(k, "timer_base", 40), *inner;

	kernel_member(s, "vectors", kernel_array(k, &k->u64, 4), MO_BASE_VECTORS);
	s = kernel_struct(k, "timer_list", 32);
	kernel_member(s, "entry", link, 0);
	kernel_member(s, "expires", &k->u64, MO_TIMER_EXPIRES);
	kernel_member(s, "function", &k->u64, MO_TIMER_FUNCTION);
	inner = kernel_struct(k, "timerqueue_node", 32);
	kernel_member(inner, "node", rb, 0);
	kernel_member(inner, "expires", &k->u64, MO_HRTIMER_EXPIRES);
	s = kernel_struct(k, "hrtimer", 40);
	kernel_member(s, "node", inner, 0);
	kernel_member(s, "function", &k->u64, MO_HRTIMER_FUNCTION);
	inner = WORDS(k, "hrtimer_clock_base", "index", "active");
	s = kernel_struct(k, "hrtimer_cpu_base", 64);
	kernel_member(s, "clock_base", kernel_array(k, inner, 4), 0);
}

static inline void machine_fake_work(struct fake_kernel *k, const struct type *list)
{
	struct type *s = kernel_struct(k, "workqueue_struct", 56);

	kernel_member(s, "pwqs", list, 0);
	kernel_member(s, "list", list, MO_WQ_LIST);
	kernel_member(s, "flags", &k->u64, MO_WQ_FLAGS);
	kernel_member(s, "name", kernel_array(k, &k->u8, 16), MO_WQ_NAME);
	s = WORDS(k, "pool_workqueue", "pool");
	kernel_member(s, "pwqs_node", list, MO_PWQ_NODE);
	kernel_member(s, "inactive_works", list, MO_PWQ_INACTIVE);
	s->size = 40;
	s = WORDS(k, "worker_pool", "cpu");
	kernel_member(s, "worklist", list, MO_POOL_WORKLIST);
	kernel_member(s, "busy_hash", kernel_array(k, &k->u64, 4), MO_POOL_BUSY);
	s->size = 56;
	s = kernel_struct(k, "worker", 48);
	kernel_member(s, "hentry", list, 0);
	kernel_member(s, "current_work", &k->u64, 16);
	kernel_member(s, "current_func", &k->u64, 24);
	kernel_member(s, "current_pwq", &k->u64, 32);
	kernel_member(s, "task", &k->u64, 40);
	s = WORDS(k, "work_struct", "data");
	kernel_member(s, "entry", list, MO_WORK_ENTRY);
	kernel_member(s, "func", &k->u64, MO_WORK_FUNC);
	s->size = 32;
}

static inline void machine_fake_runqs(struct fake_kernel *k, const struct type *list)
{
	struct type *s = INNER(k, "unused"), *rt = INNER(k, "unused"), *fair = INNER(k, "unused");

	kernel_member(s, "queue", kernel_array(k, list, 3), 0);
	kernel_member(rt, "active", s, 0);
	s = WORDS(k, "rq", "nr_running", "curr", "clock");
	kernel_member(s, "rt", rt, MO_RQ_RT);
	kernel_member(s, "dl", INNER(k, "root"), MO_RQ_DL);
	kernel_member(s, "cfs_tasks", list, MO_RQ_CFS);
	kernel_member(s, "cpu", &k->s32, MO_RQ_CPU);
	s->size = 112;
	s = kernel_struct(k, "task_struct", 104);
	rt = INNER(k, "unused");
	kernel_member(rt, "run_list", list, 0);
	kernel_member(rt, "my_q", &k->u64, 16);
	kernel_member(s, "rt", rt, MO_TASK_RT);
	rt = INNER(k, "unused");
	kernel_member(rt, "rb_node", list, 0);
	kernel_member(s, "dl", rt, MO_TASK_DL);
	kernel_member(fair, "group_node", list, 0);
	kernel_member(s, "se", fair, MO_TASK_FAIR);
	kernel_member(s, "policy", &k->u32, MO_TASK_POLICY);
	kernel_member(s, "sched_info", INNER(k, "last_arrival"), 64);
	kernel_member(s, "start_boottime", &k->u64, 72);
	kernel_member(s, "utime", &k->u64, 80);
	kernel_member(s, "stime", &k->u64, 88);
}

static inline void machine_fake_memory(struct fake_kernel *k, const struct type *list)
{
	struct type *s = WORDS(k, "zone", "name", "zone_start_pfn", "spanned_pages",
			       "present_pages", "managed_pages");
	const struct type *zone = s;

	kernel_member(s, "_watermark", kernel_array(k, &k->u64, 4), 40);
	kernel_member(s, "vm_stat", kernel_array(k, &k->u64, 2), 72);
	kernel_member(s, "free_area", kernel_array(k, WORDS(k, "free_area", "nr_free"), 3), 88);
	s->size = MO_ZONE_SIZE;
	s = kernel_struct(k, "pglist_data", MO_ZONES + 3 * MO_ZONE_SIZE);
	kernel_member(s, "nr_zones", &k->u32, 0);
	kernel_member(s, "node_zones", kernel_array(k, zone, 3), MO_ZONES);
	s = WORDS(k, "vmap_area", "va_start", "va_end");
	kernel_member(s, "list", list, MO_AREA_LIST);
	kernel_member(s, "vm", &k->u64, MO_AREA_VM);
	s->size = 40;
	WORDS(k, "vm_struct", "flags", "caller", "nr_pages", "phys_addr");
}

static inline void machine_fake_probes(struct fake_kernel *k, const struct type *list)
{
	struct type *probe = kernel_struct(k, "kprobe", 64), *s, *ops;

	kernel_member(probe, "hlist", list, 0);
	kernel_member(probe, "list", list, MO_KPROBE_LIST);
	kernel_member(probe, "addr", &k->u64, MO_KPROBE_ADDR);
	kernel_member(probe, "flags", &k->u64, 40);
	kernel_member(probe, "nmissed", &k->u64, 48);
	kernel_member(probe, "pre_handler", &k->u64, MO_KPROBE_HANDLER);
	s = kernel_struct(k, "kretprobe", 88);
	kernel_member(s, "kp", probe, 0);
	kernel_member(s, "handler", &k->u64, 64);
	kernel_member(s, "maxactive", &k->u32, 72);
	kernel_member(s, "nmissed", &k->u32, 76);
	ops = WORDS(k, "ftrace_ops", "func", "next", "flags", "private", "saved_func", "func_hash",
		    "trampoline");
	s = kernel_struct(k, "fprobe", 64);
	kernel_member(s, "ops", ops, 0);
	kernel_member(s, "nmissed", &k->u64, 56);
	WORDS(k, "ftrace_ops_hash", "notrace_hash", "filter_hash");
	WORDS(k, "ftrace_hash", "size_bits", "count");
	WORDS(k, "ftrace_page", "next", "records", "index");
	WORDS(k, "dyn_ftrace", "ip", "flags");
}

static inline void machine_fake_symbols(struct fake_kernel *k)
{
	kernel_symbol(k, "nr_cpu_ids", MV_CPUS);
	kernel_symbol(k, "__per_cpu_offset", MV_OFFSETS);
	kernel_symbol(k, "irq_desc_tree", MV_IRQS);
	kernel_symbol(k, "workqueues", MV_WORKQUEUES);
	kernel_symbol(k, "node_data", MV_NODES);
	kernel_symbol(k, "vmap_area_list", MV_AREAS);
	kernel_symbol(k, "ftrace_ops_list", MV_OPS);
	kernel_symbol(k, "ftrace_list_end", MV_OPS_END);
	kernel_symbol(k, "ftrace_pages_start", MV_PAGES);
	kernel_symbol(k, "jiffies_64", MV_JIFFIES);
	kernel_symbol(k, "pre_handler_kretprobe", MV_RETURNS);
	kernel_symbol(k, "aggr_pre_handler", MV_SEVERAL);
	kernel_symbol(k, "kprobe_table", M_AT(M_KPROBE_TABLE));
	kernel_symbol(k, "timer_bases", MP_TIMERS);
	k->syms[k->n_syms - 1].size = 80;
	kernel_symbol(k, "hrtimer_bases", MP_HRTIMERS);
	kernel_symbol(k, "runqueues", MP_RQ);
	put32(k, MV_CPUS, 2);
	put64(k, MV_OFFSETS + 8, M_AT(M_PERCPU1) - M_AT(M_PERCPU0));
}

/* Interrupt 3 has two handlers, 5 has none. */
static inline void machine_fake_put_irqs(struct fake_kernel *k)
{
	const uint64_t slots = M_AT(M_IRQ_NODE) + 16;

	put64(k, MV_IRQS + 8, M_AT(M_IRQ_NODE) | 2);
	k->mem[M_AT(M_IRQ_NODE) - KERNEL_BASE + 2] = 2; /* slots in use */
	put64(k, slots + 3 * 8, M_AT(M_DESC3));
	put64(k, slots + 5 * 8, M_AT(M_DESC5));
	put64(k, M_AT(M_DESC3), MP_COUNT);
	put64(k, M_AT(M_DESC3) + MO_DESC_ACTION, M_AT(M_ACTION));
	put64(k, M_AT(M_DESC3) + MO_DESC_NR, 3);
	put64(k, M_AT(M_DESC3) + MO_DESC_NR + 16, M_AT(M_CHIP));
	put64(k, M_AT(M_DESC5) + MO_DESC_NR, 5);
	put64(k, M_AT(M_ACTION) + MO_ACTION_NEXT, M_AT(M_ACTION2));
	put64(k, M_AT(M_ACTION) + MO_ACTION_NAME, M_STR(0));
	put64(k, M_AT(M_ACTION2) + MO_ACTION_NAME, M_STR(1));
	put64(k, M_AT(M_CHIP), M_STR(2));
	put_str(k, M_STR(0), "uart");
	put_str(k, M_STR(1), "modem");
	put_str(k, M_STR(2), "GIC");
	put32(k, MP_COUNT, 7);
	put32(k, MP_COUNT + 0x200, 4);
}

/* CPU 0 has two timers in one bucket, and two hrtimers of one clock. */
static inline void machine_fake_put_timers(struct fake_kernel *k)
{
	const uint64_t bucket = MP_TIMERS + MO_BASE_VECTORS + 2 * 8;
	const uint64_t root = MP_HRTIMERS + MO_CLOCK_ACTIVE;

	put64(k, bucket, M_AT(M_TIMER));
	put64(k, M_AT(M_TIMER), M_AT(M_TIMER2));
	put64(k, M_AT(M_TIMER) + 8, bucket);
	put64(k, M_AT(M_TIMER2) + 8, M_AT(M_TIMER));
	put64(k, M_AT(M_TIMER) + MO_TIMER_EXPIRES, 900);
	put64(k, M_AT(M_TIMER2) + MO_TIMER_EXPIRES, 800);
	put64(k, root, M_AT(M_HRTIMER));
	put64(k, M_AT(M_HRTIMER) + 8, M_AT(M_HRTIMER2)); /* right */
	put64(k, M_AT(M_HRTIMER2), M_AT(M_HRTIMER) | 1);
	put64(k, M_AT(M_HRTIMER) + MO_HRTIMER_EXPIRES, 5000);
	put64(k, M_AT(M_HRTIMER2) + MO_HRTIMER_EXPIRES, 6000);
	put64(k, MV_JIFFIES, 700);
}

/* "events" with one work each that runs, waits for a worker and waits for its turn; "idle" */
static inline void machine_fake_put_work(struct fake_kernel *k)
{
	const uint64_t queues[] = { M_AT(M_WQ) + MO_WQ_LIST, M_AT(M_WQ2) + MO_WQ_LIST };
	const uint64_t pwq = M_AT(M_PWQ) + MO_PWQ_NODE, pwq2 = M_AT(M_PWQ2) + MO_PWQ_NODE;
	const uint64_t pending = M_AT(M_WORK_PENDING) + MO_WORK_ENTRY;
	const uint64_t inactive = M_AT(M_WORK_INACTIVE) + MO_WORK_ENTRY;
	const uint64_t bucket = M_AT(M_POOL) + MO_POOL_BUSY + 8;

	put_list(k, MV_WORKQUEUES, queues, 2);
	put_list(k, M_AT(M_WQ), &pwq, 1);
	put_list(k, M_AT(M_WQ2), &pwq2, 1);
	put_str(k, M_AT(M_WQ) + MO_WQ_NAME, "events");
	put_str(k, M_AT(M_WQ2) + MO_WQ_NAME, "idle");
	put64(k, M_AT(M_PWQ), M_AT(M_POOL));
	put64(k, M_AT(M_PWQ2), M_AT(M_POOL));
	put_list(k, M_AT(M_POOL) + MO_POOL_WORKLIST, &pending, 1);
	put_list(k, M_AT(M_PWQ) + MO_PWQ_INACTIVE, &inactive, 1);
	put_list(k, M_AT(M_PWQ2) + MO_PWQ_INACTIVE, NULL, 0);
	put64(k, M_AT(M_WORK_PENDING), M_AT(M_PWQ) | 4 | 1);
	put64(k, M_AT(M_WORK_PENDING) + MO_WORK_FUNC, 0x1000);
	put64(k, M_AT(M_WORK_INACTIVE) + MO_WORK_FUNC, 0x2000);
	put64(k, bucket, M_AT(M_WORKER));
	put64(k, M_AT(M_WORKER) + 8, bucket);
	put64(k, M_AT(M_WORKER) + 16, M_AT(M_WORK_RUNNING));
	put64(k, M_AT(M_WORKER) + 24, 0x3000);
	put64(k, M_AT(M_WORKER) + 32, M_AT(M_PWQ));
	put64(k, M_AT(M_WORKER) + 40, M_AT(M_TASK_FAIR));
}

/* CPU 0 has a task of each class, CPU 1 none. */
static inline void machine_fake_put_runqs(struct fake_kernel *k)
{
	const uint64_t fair = M_AT(M_TASK_FAIR) + MO_TASK_FAIR, rt = M_AT(M_TASK_RT) + MO_TASK_RT;

	for (uint64_t cpu = 0; cpu < 2; cpu++) {
		const uint64_t rq = MP_RQ + cpu * 0x200;

		for (uint64_t i = 0; i < 3; i++)
			put_list(k, rq + MO_RQ_RT + i * 16, &rt, !cpu && i == 1);
		put_list(k, rq + MO_RQ_CFS, &fair, !cpu);
		put32(k, rq + MO_RQ_CPU, cpu);
	}
	put64(k, MP_RQ, 3);
	put64(k, MP_RQ + 8, M_AT(M_TASK_FAIR));
	put64(k, MP_RQ + 16, 12345);
	put64(k, MP_RQ + MO_RQ_DL, M_AT(M_TASK_DL) + MO_TASK_DL);
	put32(k, M_AT(M_TASK_RT) + MO_TASK_POLICY, 1);
}

/* One node with zones of 10 and 20 pages; two areas, the first of vmalloc(). */
static inline void machine_fake_put_memory(struct fake_kernel *k)
{
	const uint64_t areas[] = { M_AT(M_AREA2) + MO_AREA_LIST, M_AT(M_AREA) + MO_AREA_LIST };

	put64(k, MV_NODES, M_AT(M_NODE));
	put32(k, M_AT(M_NODE), 2);
	for (uint64_t i = 0; i < 2; i++) {
		const uint64_t zone = M_AT(M_NODE) + MO_ZONES + i * MO_ZONE_SIZE;

		put64(k, zone, M_STR(3 + i));
		put64(k, zone + 8, 10 * i);
		for (uint64_t n = 2; n < 5; n++)
			put64(k, zone + n * 8, 10 * (i + 1));
		put64(k, zone + 88, i);
	}
	put_str(k, M_STR(3), "DMA");
	put_str(k, M_STR(4), "Normal");
	put_list(k, MV_AREAS, areas, 2);
	put64(k, M_AT(M_AREA), 0xffffc90000000000u);
	put64(k, M_AT(M_AREA) + MO_AREA_END, 0xffffc90000002000u);
	put64(k, M_AT(M_AREA) + MO_AREA_VM, M_AT(M_VM));
	put64(k, M_AT(M_AREA2), 0xffffc90000010000u);
	put64(k, M_AT(M_AREA2) + MO_AREA_END, 0xffffc90000011000u);
	put64(k, M_AT(M_VM), 2);
	put64(k, M_AT(M_VM) + 16, 1);
}

/* Bucket 9: a probe, and one that stands for another; bucket 20: a kretprobe. Two hooks, and a
 * page of four functions of which the first two call. */
static inline void machine_fake_put_probes(struct fake_kernel *k)
{
	const uint64_t bucket = M_AT(M_KPROBE_TABLE) + 9 * 8, other = bucket + 11 * 8;
	const uint64_t several = M_AT(M_KPROBE_A) + MO_KPROBE_LIST;

	put64(k, bucket, M_AT(M_KPROBE));
	put64(k, M_AT(M_KPROBE) + 8, bucket);
	put64(k, M_AT(M_KPROBE), M_AT(M_KPROBES));
	put64(k, M_AT(M_KPROBES) + 8, M_AT(M_KPROBE));
	put64(k, M_AT(M_KPROBES) + MO_KPROBE_HANDLER, MV_SEVERAL);
	put_list(k, M_AT(M_KPROBES) + MO_KPROBE_LIST, &several, 1);
	put64(k, other, M_AT(M_KRETPROBE));
	put64(k, M_AT(M_KRETPROBE) + 8, other);
	put64(k, M_AT(M_KRETPROBE) + MO_KPROBE_HANDLER, MV_RETURNS);
	put32(k, M_AT(M_KRETPROBE) + 72, 40);
	put64(k, M_AT(M_KPROBE) + MO_KPROBE_ADDR, 0x1111);
	put64(k, M_AT(M_KPROBE_A) + MO_KPROBE_ADDR, 0x2222);
	put64(k, M_AT(M_KRETPROBE) + MO_KPROBE_ADDR, 0x3333);
	put64(k, MV_OPS, M_AT(M_OPS));
	put64(k, M_AT(M_OPS) + MO_OPS_NEXT, M_AT(M_OPS2));
	put64(k, M_AT(M_OPS) + 40, M_AT(M_OPS_HASH));
	put64(k, M_AT(M_OPS2) + MO_OPS_NEXT, MV_OPS_END);
	put64(k, M_AT(M_OPS_HASH) + 8, M_AT(M_HASH));
	put64(k, M_AT(M_HASH) + 8, 17);
	put64(k, MV_PAGES, M_AT(M_FTRACE_PAGE));
	put64(k, M_AT(M_FTRACE_PAGE), M_AT(M_FTRACE_PAGE2));
	put64(k, M_AT(M_FTRACE_PAGE) + 8, M_AT(M_RECORDS));
	put64(k, M_AT(M_FTRACE_PAGE) + MO_PAGE_INDEX, 4);
	put64(k, M_AT(M_FTRACE_PAGE2) + 8, M_AT(M_RECORDS));
	for (uint64_t i = 0; i < 4; i++) {
		put64(k, M_AT(M_RECORDS) + i * 16, 0x5000 + i);
		put64(k, M_AT(M_RECORDS) + i * 16 + 8, i < 2 ? 1u << 31 | 1 : 0);
	}
}

/* Everything, well-formed. */
static inline void machine_fake_init(struct fake_kernel *k)
{
	const struct type *list;

	walk_fake_init(k);
	list = kernel_list_type(k);
	machine_fake_irqs(k);
	machine_fake_timers(k);
	machine_fake_work(k, list);
	machine_fake_runqs(k, list);
	machine_fake_memory(k, list);
	machine_fake_probes(k, list);
	machine_fake_symbols(k);
	machine_fake_put_irqs(k);
	machine_fake_put_timers(k);
	machine_fake_put_work(k);
	machine_fake_put_runqs(k);
	machine_fake_put_memory(k);
	machine_fake_put_probes(k);
}

/* A symbol under another name, where it was. */
static inline void kernel_rename(struct fake_kernel *k, const char *name, const char *other)
{
	for (size_t i = 0; i < k->n_syms; i++)
		if (!strcmp(k->syms[i].name, name))
			k->syms[i].name = other;
}

/* Interrupts in a maple tree (v6.5): a leaf, of which 3 and 5 are not empty. */
static inline void machine_fake_maple(struct fake_kernel *k)
{
	const uint64_t last[] = { 2, 3, 4, 5, UINT64_MAX }, node = M_AT(M_MAPLE);

	kernel_rename(k, "irq_desc_tree", "sparse_irqs");
	put64(k, MV_IRQS + 8, node | 1 << 3 | 2);
	put64(k, node, MV_IRQS | 1);
	for (size_t i = 0; i < ARRAY_SIZE(last); i++)
		put64(k, node + 8 + i * 8, last[i]);
	put64(k, node + 128 + 1 * 8, M_AT(M_DESC3));
	put64(k, node + 128 + 3 * 8, M_AT(M_DESC5));
}

/* Two nodes of vmalloc areas (v6.9), with one each. */
static inline void machine_fake_vmap_nodes(struct fake_kernel *k)
{
	const uint64_t areas[] = { M_AT(M_AREA2) + MO_AREA_LIST, M_AT(M_AREA) + MO_AREA_LIST };
	const struct type *list = INNER(k, "next", "prev");
	struct type *s = kernel_struct(k, "vmap_node", 40), *busy = INNER(k, "root");

	kernel_member(busy, "head", list, MO_VMAP_BUSY);
	kernel_member(s, "busy", busy, 0);
	kernel_rename(k, "vmap_area_list", "vmap_nodes");
	kernel_symbol(k, "nr_vmap_nodes", MV_VMAP_NODES);
	put32(k, MV_VMAP_NODES, 2);
	put64(k, MV_AREAS, M_AT(M_VMAP_NODES));
	for (uint64_t i = 0; i < 2; i++)
		put_list(k, M_AT(M_VMAP_NODES) + i * 40 + MO_VMAP_BUSY, &areas[i], 1);
}

/* A probe of kprobe_events in bucket 30, hit 6 times on CPU 0 and 5 times on CPU 1. */
static inline void machine_fake_event(struct fake_kernel *k)
{
	const uint64_t probe = M_AT(M_EVENT) + MO_EVENT_PROBE;
	struct type *s = kernel_struct(k, "trace_kprobe", 112), *rp = INNER(k, "unused");

	kernel_member(s, "tp", INNER(k, "event"), 0);
	for (size_t i = 0; i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "kprobe"))
			kernel_member(rp, "kp", k->types[i], 0);
	kernel_member(s, "rp", rp, MO_EVENT_PROBE);
	kernel_member(s, "nhit", &k->u64, MO_EVENT_HITS);
	kernel_symbol(k, "kprobe_dispatcher", MV_EVENT);
	put64(k, M_AT(M_KPROBE_TABLE) + 30 * 8, probe);
	put64(k, probe + 8, M_AT(M_KPROBE_TABLE) + 30 * 8);
	put64(k, probe + MO_KPROBE_ADDR, 0x4444);
	put64(k, probe + MO_KPROBE_HANDLER, MV_EVENT);
	put64(k, M_AT(M_EVENT) + MO_EVENT_HITS, MP_HITS);
	put64(k, MP_HITS, 6);
	put64(k, MP_HITS + 0x200, 5);
}

/* The same machine with a newer kernel; after machine_fake_init(). */
static inline void machine_fake_newer(struct fake_kernel *k)
{
	machine_fake_maple(k);
	machine_fake_vmap_nodes(k);
	machine_fake_event(k);
}

#endif
