/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the fake kernel of waits with four CPUs, their queues before locks, and their calls of
 * each other. */
#ifndef OBIT_WAIT_SPIN_FAKE_H
#define OBIT_WAIT_SPIN_FAKE_H

#include "core/linux/wait/wait_fake.h"

#define SPIN_CPUS 4
#define SPIN_VARS (KERNEL_BASE + 0x38000)
/* the per-CPU data of a CPU; its variables are offsets in it */
#define SPIN_PERCPU(cpu) (KERNEL_BASE + 0x30000 + (uint64_t)(cpu)*0x400)
#define SPIN_NODE(cpu, idx) (SPIN_PERCPU(cpu) + SO_NODES + (uint64_t)(idx)*32)
#define SPIN_OSQ(cpu) (SPIN_PERCPU(cpu) + SO_OSQ_NODE)
#define SPIN_CSD(cpu) (SPIN_PERCPU(cpu) + SO_CSDS)
#define SPIN_QUEUED WAIT_LOCK(8) /* a static key: spinlocks are queues, and no tickets */
#define SPIN_CONSOLE_SEM WAIT_LOCK(9)
#define SPIN_STOP (WAIT_WAKE + 0x80) /* a function */
/* the word of a spinlock; see include/asm-generic/qspinlock_types.h */
#define SPIN_WORD(locked, pending, cpu, idx)                                     \
	((uint32_t)(locked) | (uint32_t)(pending) << 8 | (uint32_t)(idx) << 16 | \
	 (uint32_t)((cpu) + 1) << 18)

/* Offsets of the fake's own. */
enum {
	SO_KEY = 0x40, /* variables */
	SO_CONSOLE_OWNER = 0x50,
	SO_CONSOLE_WAITER = 0x58,
	SO_NODES = 0x10, /* per-CPU variables */
	SO_OSQ_NODE = 0x100,
	SO_CFD = 0x140,
	SO_QUEUE = 0x180,
	SO_STOPPER = 0x280,
	SO_RQ = 0x2c0,
	SO_CSDS = 0x200,    /* CPU 0's requests to each CPU */
	SO_NODE_COUNT = 12, /* struct mcs_spinlock */
	SO_RW_COUNT = 0,    /* struct qrwlock */
	SO_RW_LOCK = 4,
	SO_RAW_OWNER = 16,
	SO_OSQ = 12,    /* struct mutex, rw_semaphore: the queue's tail */
	SO_STOP_FN = 8, /* struct cpu_stopper */
	SO_STOP_ARG = 16,
	SO_STOP_THREADS = 16, /* struct multi_stop_data */
	SO_ARRIVAL = 0x20,    /* task_struct */
	SO_CSD_FLAGS = 8,
	SO_CSD_FUNC = 16,
	SO_DEPTH = 0x40, /* task_struct with lockdep */
	SO_HELD = 0x48,
	SO_MAP = 24 /* where a raw_spinlock has its lockdep_map */
};

struct spin_fake {
	struct wait_fake w;
	struct type *raw;
	struct regs regs; /* of whom is looked at next */
};

/* A struct of one counter of 32 bits, which no name finds. */
static inline struct type *spin_fake_counter(struct spin_fake *f, const char *member)
{
	struct fake_kernel *k = &f->w.k;
	struct type *s = kernel_struct(k, "", 4);

	k->n_types--;
	kernel_member(s, member, &k->u32, 0);
	return s;
}

static inline void spin_fake_types(struct spin_fake *f)
{
	struct fake_kernel *k = &f->w.k;
	struct type *s, *tail = kernel_struct(k, "", 4), *mcs = kernel_struct(k, "", 16), *node;

	k->n_types -= 2;
	kernel_member(tail, "tail", spin_fake_counter(f, "counter"), 0);
	kernel_member(wait_fake_type(&f->w, "mutex"), "osq", tail, SO_OSQ);
	kernel_member(wait_fake_type(&f->w, "rw_semaphore"), "osq", tail, SO_OSQ);
	kernel_member(mcs, "next", &k->ptr, 0);
	kernel_member(mcs, "locked", &k->s32, 8);
	kernel_member(mcs, "count", &k->s32, SO_NODE_COUNT);
	s = kernel_struct(k, "qnode", 32);
	kernel_member(s, "mcs", mcs, 0);
	s = kernel_struct(k, "qspinlock", 4);
	kernel_member(s, "val", spin_fake_counter(f, "counter"), 0);
	f->raw = kernel_struct(k, "raw_spinlock", 32);
	kernel_member(f->raw, "raw_lock", s, 0);
	s = kernel_struct(k, "qrwlock", 8);
	kernel_member(s, "cnts", spin_fake_counter(f, "counter"), SO_RW_COUNT);
	kernel_member(s, "wait_lock", spin_fake_counter(f, "val"), SO_RW_LOCK);
	WORDS(k, "optimistic_spin_node", "next", "prev");
	s = kernel_struct(k, "static_key", 16);
	kernel_member(s, "enabled", spin_fake_counter(f, "counter"), 0);
	kernel_member(kernel_struct(k, "static_key_true", 16), "key", s, 0);
	WORDS(k, "call_function_data", "csd");
	s = WORDS(k, "cpu_stopper", "thread");
	kernel_member(s, "stop_work", INNER(k, "fn", "arg"), SO_STOP_FN);
	s = WORDS(k, "multi_stop_data", "fn", "data");
	kernel_member(s, "num_threads", &k->u32, SO_STOP_THREADS);
	WORDS(k, "rq", "clock", "clock_task");
	kernel_member(wait_fake_type(&f->w, "task_struct"), "sched_info", INNER(k, "last_arrival"),
		      SO_ARRIVAL);
	s = kernel_struct(k, "__call_single_data", 32);
	node = kernel_struct(k, "", 16);
	k->n_types--;
	kernel_member(node, "llist", &k->ptr, 0);
	kernel_member(node, "u_flags", &k->u32, SO_CSD_FLAGS);
	kernel_member(s, "node", node, 0);
	kernel_member(s, "func", &k->ptr, SO_CSD_FUNC);
}

static inline void spin_fake_symbols(struct fake_kernel *k)
{
	kernel_symbol(k, "virt_spin_lock_key", SPIN_VARS + SO_KEY);
	kernel_symbol(k, "qspinlock_key", SPIN_QUEUED);
	put32(k, SPIN_QUEUED, 1);
	kernel_symbol(k, "console_owner", SPIN_VARS + SO_CONSOLE_OWNER);
	kernel_symbol(k, "console_waiter", SPIN_VARS + SO_CONSOLE_WAITER);
	kernel_symbol(k, "console_sem", SPIN_CONSOLE_SEM);
	kernel_symbol(k, "multi_cpu_stop", SPIN_STOP);
	kernel_symbol(k, "cpu_stopper", SO_STOPPER);
	kernel_symbol(k, "runqueues", SO_RQ);
	kernel_symbol(k, "qnodes", SO_NODES);
	kernel_symbol(k, "osq_node", SO_OSQ_NODE);
	kernel_symbol(k, "cfd_data", SO_CFD);
	kernel_symbol(k, "call_single_queue", SO_QUEUE);
}

static inline void spin_fake_vars(struct spin_fake *f)
{
	struct fake_kernel *k = &f->w.k;

	put32(k, WAIT_CPUS, SPIN_CPUS);
	for (unsigned i = 0; i < SPIN_CPUS; i++)
		put64(k, WAIT_OFFSETS + i * 8, SPIN_PERCPU(i));
	put64(k, SPIN_PERCPU(0) + SO_CFD, SO_CSDS);
}

static inline void spin_fake_init(struct spin_fake *f)
{
	memset(&f->regs, 0, sizeof(f->regs));
	wait_fake_init_with(&f->w, true, spin_fake_symbols);
	spin_fake_types(f);
	spin_fake_vars(f);
}

static inline void spin_fake_release(struct spin_fake *f)
{
	wait_fake_release(&f->w);
}

/* The kernel keeps a record of held locks. */
static inline void spin_fake_lockdep(struct spin_fake *f)
{
	struct fake_kernel *k = &f->w.k;
	struct type *task = wait_fake_type(&f->w, "task_struct");

	kernel_member(f->raw, "dep_map", &k->u64, SO_MAP);
	kernel_member(task, "lockdep_depth", &k->s32, SO_DEPTH);
	kernel_member(task, "held_locks", kernel_array(k, WORDS(k, "held_lock", "instance"), 8),
		      SO_HELD);
}

/* Task i holds, or is about to take, a spinlock. */
static inline void put_held(struct spin_fake *f, int i, int n, uint64_t lock)
{
	put32(&f->w.k, WAIT_TASK(i) + SO_DEPTH, (uint32_t)n + 1);
	put64(&f->w.k, WAIT_TASK(i) + SO_HELD + (uint64_t)n * 8, lock + SO_MAP);
}

/* A node that is in use, as all that come before it. */
static inline void put_node(struct spin_fake *f, int cpu, int idx, uint64_t next)
{
	put64(&f->w.k, SPIN_NODE(cpu, idx), next);
	put32(&f->w.k, SPIN_NODE(cpu, 0) + SO_NODE_COUNT, (uint32_t)idx + 1);
}

static inline void put_osq(struct spin_fake *f, int cpu, uint64_t next, uint64_t prev)
{
	put64(&f->w.k, SPIN_OSQ(cpu), next);
	put64(&f->w.k, SPIN_OSQ(cpu) + 8, prev);
}

/* A request to call a function, and the next one of its queue. */
static inline void put_csd(struct spin_fake *f, uint64_t addr, uint32_t flags, uint64_t next)
{
	put64(&f->w.k, addr, next);
	put32(&f->w.k, addr + SO_CSD_FLAGS, flags);
	put64(&f->w.k, addr + SO_CSD_FUNC, WAIT_WAKE);
}

/* The CPU that is looked at next has this in a register. */
static inline void spin_register(struct spin_fake *f, unsigned reg, uint64_t value)
{
	regs_set(&f->regs, reg, value);
}

/* Looks at CPU i, which runs task i in a function that another one called. */
static inline bool spin_fake_look(struct spin_fake *f, int i, const char *function,
				  const char *caller)
{
	const char *const names[] = { function, caller, "entry" };
	const uint64_t pcs[] = { 1, 2, 3 };
	const uint64_t sps[] = { WAIT_STACK(i) + WAIT_SP, WAIT_STACK(i) + WAIT_SP + 0x80,
				 WAIT_STACK(i) + WAIT_SP + 0xc0 };
	const struct frame frames[] = { { .known = &f->regs }, { .n = 1 }, { .n = 2 } };
	const struct wait_stack s = { .g = &f->w.g,
				      .task = &f->w.tasks[i],
				      .names = names,
				      .pcs = pcs,
				      .sps = sps,
				      .n_names = ARRAY_SIZE(names),
				      .frames = frames,
				      .cpu = (unsigned)i };

	return wait_running_look(&s);
}

#endif
