/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a kernel of two CPUs in which nothing is wrong until a test changes a word. */
#ifndef OBIT_SICK_FAKE_H
#define OBIT_SICK_FAKE_H

#include "core/linux/wait/wait_fake.h"
#include "core/verdict/check.h"

#define SICK_PERCPU(cpu) (KERNEL_BASE + 0x30000 + (uint64_t)(cpu)*0x1000)
#define SICK_VARS (KERNEL_BASE + 0x38000)
#define SICK_ZONES (KERNEL_BASE + 0x39000)
#define SICK_POOL (KERNEL_BASE + 0x3a000)
#define SICK_NET (KERNEL_BASE + 0x3b000)
#define SICK_DEVICE (KERNEL_BASE + 0x3b100)
#define SICK_QUEUES (KERNEL_BASE + 0x3b300)

#define SICK_SECOND UINT64_C(1000000000)
#define SICK_NOW (1000 * SICK_SECOND)           /* of every clock */
#define SICK_JIFFIES (UINT64_C(1000000) + 4242) /* a jiffy is a millisecond */

/* Offsets of the fake's own. */
enum {
	/* per-CPU variables */
	SICK_RQ = 0x100,
	SICK_TOUCH = 0x10,
	SICK_HRTIMERS = 0x20,
	SICK_TIMERS = 0x40, /* three bases of 16 bytes, of which the last does not wake */
	/* struct rq */
	SQ_CLOCK = 0,
	SQ_RUNNING = 16,
	SQ_CURR = 24,
	SQ_IDLE = 32,
	SQ_RT = 40, /* two lists */
	SQ_DL = 72,
	SQ_CFS = 80,
	SQ_CPU = 96,
	SQ_THROTTLED = 104,
	/* struct task_struct, behind what the fake of waits has there */
	ST_ARRIVAL = 0x20,
	ST_QUEUED = 0x28,
	ST_POLICY = 0x30,
	ST_PRIORITY = 0x34,
	ST_PID = 0x38,
	ST_TGID = 0x3c,
	ST_COMM = 0x40,
	ST_STATE = 0x50,
	ST_EXIT = 0x54,
	ST_FLAGS = 0x58,
	ST_CPU = 0x5c,
	ST_STACK = 0x60,
	ST_PARENT = 0x68,
	ST_MM = 0x70,
	ST_SIGNAL = 0x78,
	ST_TASKS = 0x80,
	ST_THREAD = 0x90,
	ST_FAIR = 0xa0,
	ST_RT = 0xb0,
	ST_DL = 0xc0,
	/* variables, in SICK_VARS */
	SV_JIFFIES = 0,
	SV_CLOCKSOURCE = 8,
	SV_THRESH = 24,
	SV_WATCHDOG = 32,
	SV_CLOCK = 40, /* 7 words */
	SV_STALL = 96,
	SV_HUNG = 104,
	SV_IDR = 112,
	SV_RAM = 128,
	SV_NODES = 136,
	SV_NETS = 160,
	SV_TAINT = 176,
	SV_PANIC = 184,
	SV_INIT_TASK = 0x200,
	/* struct rcu_state */
	SR_SEQ = 0,
	SR_START = 8,
	SR_ACTIVITY = 16,
	/* struct worker_pool */
	SP_WORKLIST = 8,
	SP_TS = 24,
	/* struct zone */
	SZ_MANAGED = 32,
	SZ_MIN = 40,
	SZ_LOW = 48,
	SZ_FREE = 72,
	SZ_AREAS = 80, /* 11 orders */
	SZ_BYTES = 176,
	/* struct net_device */
	SD_NAME = 16,
	SD_FLAGS = 40,
	SD_STATE = 48,
	SD_LIMIT = 56,
	SD_TX = 64,
	SD_N = 72,
	/* struct netdev_queue */
	SN_STATE = 0,
	SN_START = 8
};

struct sick_fake {
	struct wait_fake w;
	struct triage g;
	struct finding f;
};

static inline void sick_fake_symbols(struct fake_kernel *k)
{
	static const struct {
		const char *name;
		uint64_t addr;
	} symbols[] = {
		{ "runqueues", SICK_RQ },
		{ "watchdog_touch_ts", SICK_TOUCH },
		{ "hrtimer_bases", SICK_HRTIMERS },
		{ "jiffies_64", SICK_VARS + SV_JIFFIES },
		{ "clocksource_jiffies", SICK_VARS + SV_CLOCKSOURCE },
		{ "watchdog_thresh", SICK_VARS + SV_THRESH },
		{ "watchdog_enabled", SICK_VARS + SV_WATCHDOG },
		{ "tk_core", SICK_VARS + SV_CLOCK },
		{ "rcu_cpu_stall_timeout", SICK_VARS + SV_STALL },
		{ "sysctl_hung_task_timeout_secs", SICK_VARS + SV_HUNG },
		{ "worker_pool_idr", SICK_VARS + SV_IDR },
		{ "_totalram_pages", SICK_VARS + SV_RAM },
		{ "node_data", SICK_VARS + SV_NODES },
		{ "init_net", SICK_NET },
		{ "net_namespace_list", SICK_VARS + SV_NETS },
		{ "init_task", SICK_VARS + SV_INIT_TASK },
		{ "tainted_mask", SICK_VARS + SV_TAINT },
		{ "panic_cpu", SICK_VARS + SV_PANIC },
	};

	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		kernel_symbol(k, symbols[i].name, symbols[i].addr);
	kernel_symbol(k, "timer_bases", SICK_TIMERS);
	k->syms[k->n_syms - 1].size = 48;
}

static inline void sick_fake_task_type(struct sick_fake *f)
{
	struct fake_kernel *k = &f->w.k;
	struct type *s = wait_fake_type(&f->w, "task_struct"), *inner;
	const struct type *list = wait_fake_type(&f->w, "list_head");

	kernel_member(s, "sched_info", INNER(k, "last_arrival", "last_queued"), ST_ARRIVAL);
	kernel_member(s, "policy", &k->u32, ST_POLICY);
	kernel_member(s, "rt_priority", &k->u32, ST_PRIORITY);
	kernel_member(s, "pid", &k->s32, ST_PID);
	kernel_member(s, "tgid", &k->s32, ST_TGID);
	kernel_member(s, "comm", kernel_array(k, &k->u8, 16), ST_COMM);
	kernel_member(s, "__state", &k->u32, ST_STATE);
	kernel_member(s, "exit_state", &k->s32, ST_EXIT);
	kernel_member(s, "flags", &k->u32, ST_FLAGS);
	kernel_member(s, "cpu", &k->u32, ST_CPU);
	kernel_member(s, "stack", &k->ptr, ST_STACK);
	kernel_member(s, "real_parent", &k->ptr, ST_PARENT);
	kernel_member(s, "mm", &k->ptr, ST_MM);
	kernel_member(s, "signal", &k->ptr, ST_SIGNAL);
	kernel_member(s, "tasks", list, ST_TASKS);
	kernel_member(s, "thread_node", list, ST_THREAD);
	inner = INNER(k, "unused");
	kernel_member(inner, "group_node", list, 0);
	kernel_member(s, "se", inner, ST_FAIR);
	inner = INNER(k, "unused");
	kernel_member(inner, "run_list", list, 0);
	kernel_member(s, "rt", inner, ST_RT);
	inner = INNER(k, "unused");
	kernel_member(inner, "rb_node", INNER(k, "__rb_parent_color", "rb_right", "rb_left"), 0);
	kernel_member(s, "dl", inner, ST_DL);
	s = kernel_struct(k, "signal_struct", 16);
	kernel_member(s, "thread_head", list, 0);
	WORDS(k, "rb_node", "__rb_parent_color", "rb_right", "rb_left");
}

static inline void sick_fake_cpu_types(struct sick_fake *f)
{
	struct fake_kernel *k = &f->w.k;
	const struct type *list = wait_fake_type(&f->w, "list_head");
	struct type *s = WORDS(k, "rq", "clock", "clock_task", "nr_running", "curr", "idle"),
		    *inner = INNER(k, "unused"), *active = INNER(k, "unused");

	kernel_member(active, "queue", kernel_array(k, list, 2), 0);
	kernel_member(inner, "active", active, 0);
	kernel_member(inner, "rt_throttled", &k->u32, SQ_THROTTLED - SQ_RT);
	kernel_member(s, "rt", inner, SQ_RT);
	kernel_member(s, "dl", INNER(k, "root"), SQ_DL);
	kernel_member(s, "cfs_tasks", list, SQ_CFS);
	kernel_member(s, "cpu", &k->s32, SQ_CPU);
	s->size = 112;
	WORDS(k, "hrtimer_cpu_base", "hres_active", "expires_next");
	WORDS(k, "timer_base", "lock", "next_expiry");
	s = kernel_struct(k, "clocksource", 16);
	kernel_member(s, "mult", &k->u32, 0);
	kernel_member(s, "shift", &k->u32, 4);
	s = kernel_struct(k, "timekeeper", 56);
	kernel_member(s, "tkr_mono", INNER(k, "base", "xtime_nsec", "shift"), 0);
	kernel_member(s, "xtime_sec", &k->u64, 24);
	kernel_member(s, "offs_real", &k->u64, 32);
	kernel_member(s, "offs_boot", &k->u64, 40);
	inner = s;
	s = kernel_struct(k, "tk_data", 56);
	kernel_member(s, "timekeeper", inner, 0);
}

static inline void sick_fake_other_types(struct sick_fake *f)
{
	struct fake_kernel *k = &f->w.k;
	const struct type *list = wait_fake_type(&f->w, "list_head"), *zone;
	struct type *s = WORDS(k, "rcu_state", "gp_seq", "gp_start", "gp_activity");

	s = WORDS(k, "worker_pool", "cpu");
	kernel_member(s, "worklist", list, SP_WORKLIST);
	kernel_member(s, "watchdog_ts", &k->u64, SP_TS);
	s = WORDS(k, "xarray", "xa_lock", "xa_head");
	kernel_member(kernel_struct(k, "idr", 16), "idr_rt", s, 0);
	s = kernel_struct(k, "xa_node", 16 + 64 * 8);
	kernel_member(s, "shift", &k->u8, 0);
	kernel_member(s, "offset", &k->u8, 1);
	kernel_member(s, "count", &k->u8, 2);
	kernel_member(s, "parent", &k->u64, 8);
	kernel_member(s, "slots", kernel_array(k, &k->u64, 64), 16);
	s = WORDS(k, "zone", "name", "zone_start_pfn", "spanned_pages", "present_pages",
		  "managed_pages");
	kernel_member(s, "_watermark", kernel_array(k, &k->u64, 4), SZ_MIN);
	kernel_member(s, "vm_stat", kernel_array(k, &k->u64, 1), SZ_FREE);
	kernel_member(s, "free_area", kernel_array(k, WORDS(k, "free_area", "nr_free"), 11),
		      SZ_AREAS);
	s->size = SZ_BYTES;
	zone = s;
	s = kernel_struct(k, "pglist_data", 8 + 2 * SZ_BYTES);
	kernel_member(s, "nr_zones", &k->u32, 0);
	kernel_member(s, "node_zones", kernel_array(k, zone, 2), 8);
	s = kernel_struct(k, "net", 32);
	kernel_member(s, "list", list, 0);
	kernel_member(s, "dev_base_head", list, 16);
	s = kernel_struct(k, "net_device", 80);
	kernel_member(s, "dev_list", list, 0);
	kernel_member(s, "name", kernel_array(k, &k->u8, 16), SD_NAME);
	kernel_member(s, "ifindex", &k->u32, 32);
	kernel_member(s, "mtu", &k->u32, 36);
	kernel_member(s, "flags", &k->u32, SD_FLAGS);
	kernel_member(s, "ip_ptr", &k->ptr, 76);
	kernel_member(s, "state", &k->u64, SD_STATE);
	kernel_member(s, "watchdog_timeo", &k->u32, SD_LIMIT);
	kernel_member(s, "_tx", &k->ptr, SD_TX);
	kernel_member(s, "real_num_tx_queues", &k->u32, SD_N);
	s->size = 96;
	WORDS(k, "netdev_queue", "state", "trans_start");
}

/* Task i: CPU i runs it when i < 2. Those that run have no thread of their own to wait for. */
static inline void sick_fake_put_task(struct sick_fake *f, uint64_t at, int i, const char *comm)
{
	struct fake_kernel *k = &f->w.k;

	put32(k, at + ST_PID, (uint32_t)i);
	put32(k, at + ST_TGID, (uint32_t)i);
	put_str(k, at + ST_COMM, comm);
	put_list(k, at + ST_FAIR, NULL, 0);
	put_list(k, at + ST_RT, NULL, 0);
}

static inline void sick_fake_put_cpu(struct sick_fake *f, unsigned cpu)
{
	struct fake_kernel *k = &f->w.k;
	const uint64_t at = SICK_PERCPU(cpu), rq = at + SICK_RQ;

	put64(k, WAIT_OFFSETS + cpu * 8, at);
	put64(k, rq + SQ_CLOCK, SICK_NOW);
	put64(k, rq + SQ_CLOCK + 8, SICK_NOW);
	put64(k, rq + SQ_RUNNING, 1);
	put64(k, rq + SQ_CURR, WAIT_TASK(cpu));
	put64(k, rq + SQ_IDLE, SICK_VARS + SV_INIT_TASK);
	put_list(k, rq + SQ_RT, NULL, 0);
	put_list(k, rq + SQ_RT + 16, NULL, 0);
	put_list(k, rq + SQ_CFS, NULL, 0);
	put32(k, rq + SQ_CPU, cpu);
	put32(k, WAIT_TASK(cpu) + ST_CPU, cpu);
	/* the watchdog's unit is 2^30 ns: kernel/watchdog.c, get_timestamp() */
	put64(k, at + SICK_TOUCH, SICK_NOW >> 30);
	put64(k, at + SICK_HRTIMERS, 1);
	put64(k, at + SICK_HRTIMERS + 8, SICK_NOW + SICK_SECOND);
	for (uint64_t i = 0; i < 3; i++)
		put64(k, at + SICK_TIMERS + i * 16 + 8, SICK_JIFFIES + 100);
}

static inline void sick_fake_put(struct sick_fake *f)
{
	struct fake_kernel *k = &f->w.k;
	const uint64_t net = SICK_NET, device = SICK_DEVICE, vars = SICK_VARS;

	put_list(k, vars + SV_INIT_TASK + ST_TASKS, NULL, 0);
	sick_fake_put_task(f, vars + SV_INIT_TASK, 0, "swapper/0");
	for (int i = 0; i < WAIT_TASKS; i++)
		sick_fake_put_task(f, WAIT_TASK(i), 100 + i, "task");
	for (unsigned cpu = 0; cpu < 2; cpu++)
		sick_fake_put_cpu(f, cpu);
	put64(k, vars + SV_JIFFIES, SICK_JIFFIES);
	put32(k, vars + SV_CLOCKSOURCE, 1000000u << 8);
	put32(k, vars + SV_CLOCKSOURCE + 4, 8);
	put32(k, vars + SV_THRESH, 10);
	put64(k, vars + SV_WATCHDOG, 2);
	put64(k, vars + SV_CLOCK, SICK_NOW);
	put64(k, vars + SV_CLOCK + 24, SICK_NOW / SICK_SECOND + 50);
	put64(k, vars + SV_CLOCK + 32, 50 * SICK_SECOND);
	put32(k, vars + SV_STALL, 21);
	put32(k, vars + SV_PANIC, UINT32_MAX); /* nobody panicked */
	put64(k, vars + SV_HUNG, 120);
	put64(k, vars + SV_IDR + 8, SICK_POOL);
	put_list(k, SICK_POOL + SP_WORKLIST, NULL, 0);
	put64(k, SICK_POOL + SP_TS, SICK_JIFFIES);
	put64(k, vars + SV_RAM, 262144); /* a gigabyte */
	put64(k, vars + SV_NODES, SICK_ZONES);
	put32(k, SICK_ZONES, 1);
	put64(k, SICK_ZONES + 8, SICK_ZONES + 0x800);
	put_str(k, SICK_ZONES + 0x800, "Normal");
	put64(k, SICK_ZONES + 8 + SZ_MANAGED, 262144);
	put64(k, SICK_ZONES + 8 + SZ_MIN, 1000);
	put64(k, SICK_ZONES + 8 + SZ_LOW, 2000);
	put64(k, SICK_ZONES + 8 + SZ_FREE, 100000);
	put_list(k, vars + SV_NETS, &net, 1);
	put_list(k, net + 16, &device, 1);
	put_str(k, device + SD_NAME, "eth0");
	put32(k, device + SD_FLAGS, 1);
	put32(k, device + SD_LIMIT, 5000); /* as dev_watchdog_up() sets it: 5 * HZ */
	put64(k, device + SD_TX, SICK_QUEUES);
	put32(k, device + SD_N, 1);
	put64(k, SICK_QUEUES + SN_START, SICK_JIFFIES);
	put_list(k, WAIT_QUEUES, NULL, 0);
}

/* Everything well. The graph of waits is empty, and made. */
static inline void sick_fake_init(struct sick_fake *f)
{
	memset(f, 0, sizeof(*f));
	wait_fake_init_with(&f->w, true, sick_fake_symbols);
	sick_fake_task_type(f);
	sick_fake_cpu_types(f);
	sick_fake_other_types(f);
	sick_fake_put(f);
	f->g.t = &f->w.k.t;
	f->g.a = &f->w.k.scratch;
	f->g.death = (struct death){ .way = WAY_LIVE, .standstill = true, .pid = -1, .cpu = -1 };
	f->g.has_now = true;
	f->g.now_ns = SICK_NOW;
	f->g.graph_tried = f->g.graph_ok = true;
}

/* Task i waits for that object, for `waited` nanoseconds. */
static inline struct wait_edge *sick_fake_wait(struct sick_fake *f, int i,
					       struct wait_object object, uint64_t waited)
{
	struct wait_edge *e = vec_push(&f->w.g.edges);

	*vec_push(&f->w.g.objects) = object;
	*e = (struct wait_edge){ .task = &f->w.tasks[i],
				 .object = f->w.g.objects.n - 1,
				 .by = WAIT_BY_RING,
				 .waited = waited,
				 .asleep = true,
				 .cpu = -1,
				 .next = WAIT_NONE };
	*map_put(&f->w.g.impl->edges, f->w.tasks[i].addr, NULL) = f->w.g.edges.n;
	return e;
}

static inline void sick_fake_release(struct sick_fake *f)
{
	wait_fake_release(&f->w);
}

#endif
