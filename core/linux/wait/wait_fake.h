/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a fake kernel with tasks, their stacks, and locks of two ages. */
#ifndef OBIT_WAIT_FAKE_H
#define OBIT_WAIT_FAKE_H

#include "core/linux/kernel_fake.h"
#include "core/linux/wait/wait_impl.h"

#define WAIT_TASKS 8
#define WAIT_STACK_SIZE 0x1000u
#define WAIT_TASK(i) (KERNEL_BASE + 0x1000 + (uint64_t)(i)*0x100)
#define WAIT_LOCK(i) (KERNEL_BASE + 0x3000 + (uint64_t)(i)*0x100)
#define WAIT_STACK(i) (KERNEL_BASE + 0x10000 + (uint64_t)(i)*WAIT_STACK_SIZE)
/* where on a stack its waiter lies; it is not the first thing there */
#define WAIT_WAITER(i) (WAIT_STACK(i) + 0xe48)
#define WAIT_SP 0xe00
#define WAIT_WAKE (KERNEL_BASE + 0x800) /* a function */
#define WAIT_WAKE_VAR (WAIT_WAKE + 0x40)
/* variables of the kernel */
#define WAIT_QUEUES (KERNEL_BASE + 0x20000)
#define WAIT_CREATES (KERNEL_BASE + 0x20100)
#define WAIT_KTHREADD (KERNEL_BASE + 0x20180)
#define WAIT_BDI_WQ (KERNEL_BASE + 0x201c0)
#define WAIT_SUPERS (KERNEL_BASE + 0x20200)
#define WAIT_RCU (KERNEL_BASE + 0x21000)
#define WAIT_RCU_LEVELS (KERNEL_BASE + 0x23000)
#define WAIT_RCU_NODES (KERNEL_BASE + 0x23010)
#define WAIT_CPUS (KERNEL_BASE + 0x23020)
#define WAIT_OFFSETS (KERNEL_BASE + 0x23100)
#define WAIT_CPU_SIZE 0x400u /* from a CPU's own variables to the next one's */

/* Offsets of the fake's own. */
enum {
	WO_PI = 0, /* task_struct */
	WO_BLOCKED_ON = 8,
	WO_BLOCKER = 16,
	WO_VFORK = 24,
	WO_OWNER = 0, /* mutex: owner, then the head of the list, or the first waiter */
	WO_LIST = 16,
	WO_RW_COUNT = 0,
	WO_RW_OWNER = 8,
	WO_SEM_COUNT = 0,
	WO_SEM_LAST = 40,
	WO_W_LIST = 0, /* waiters: list, task, type */
	WO_W_TASK = 16,
	WO_W_TYPE = 24,
	WO_C_DONE = 0, /* completion */
	WO_C_LIST = 16
};

struct wait_fake {
	struct fake_kernel k;
	struct task tasks[WAIT_TASKS];
	struct type mutex_ptr;
	struct wait_graph g;
};

/* With heads, as up to v6.12, or without, as in v7.2. */
static inline void wait_fake_locks(struct wait_fake *f, bool heads, const struct type *list)
{
	static const char *const locks[] = { "mutex", "rw_semaphore", "semaphore" };
	static const char *const waiters[] = { "mutex_waiter", "rwsem_waiter", "semaphore_waiter" };
	struct fake_kernel *k = &f->k;

	for (size_t i = 0; i < ARRAY_SIZE(locks); i++) {
		struct type *s = kernel_struct(k, locks[i], 48);

		if (i == 1)
			kernel_member(s, "count", INNER(k, "counter"), WO_RW_COUNT);
		if (i == 2)
			kernel_member(s, "count", &k->u32, WO_SEM_COUNT);
		else
			kernel_member(s, "owner", INNER(k, "counter"), i ? WO_RW_OWNER : WO_OWNER);
		if (heads)
			kernel_member(s, "wait_list", list, WO_LIST);
		else
			kernel_member(s, "first_waiter", &k->ptr, WO_LIST);
		if (i == 2 && !heads)
			kernel_member(s, "last_holder", &k->u64, WO_SEM_LAST);
		if (i == 0) {
			f->mutex_ptr = kernel_base_type(k, TYPE_POINTER, 8, false);
			f->mutex_ptr.target = s;
		}
		s = kernel_struct(k, waiters[i], 32);
		kernel_member(s, "list", list, WO_W_LIST);
		kernel_member(s, "task", &k->ptr, WO_W_TASK);
		kernel_member(s, "type", &k->u32, WO_W_TYPE);
	}
}

static inline void wait_fake_queues(struct wait_fake *f, const struct type *list)
{
	struct fake_kernel *k = &f->k;
	struct type *wait = INNER(k, "lock"), *s;

	kernel_member(wait, "task_list", list, WO_C_LIST - 8);
	s = kernel_struct(k, "completion", 32);
	kernel_member(s, "done", &k->u32, WO_C_DONE);
	kernel_member(s, "wait", wait, 8);
	s = kernel_struct(k, "swait_queue", 24);
	kernel_member(s, "task", &k->ptr, 0);
	kernel_member(s, "task_list", list, 8);
	s = kernel_struct(k, "wait_queue_head", 24);
	kernel_member(s, "head", list, 8);
	s = kernel_struct(k, "wait_queue_entry", 40);
	kernel_member(s, "private", &k->ptr, 8);
	kernel_member(s, "func", &k->ptr, 16);
	kernel_member(s, "entry", list, 24);
	WORDS(k, "rt_mutex_waiter", "task", "lock");
	WORDS(k, "rt_mutex_base", "owner");
}

/* symbols(), unless it is NULL, adds more of them: they are read once. */
static inline void wait_fake_init_with(struct wait_fake *f, bool heads,
				       void (*symbols)(struct fake_kernel *k))
{
	struct fake_kernel *k = &f->k;
	const struct type *list;
	struct type *s;

	kernel_init(k);
	list = kernel_list_type(k);
	wait_fake_locks(f, heads, list);
	wait_fake_queues(f, list);
	s = kernel_struct(k, "task_struct", 0x100);
	kernel_member(s, "pi_blocked_on", &k->ptr, WO_PI);
	if (!heads) {
		kernel_member(s, "blocked_on", &f->mutex_ptr, WO_BLOCKED_ON);
		kernel_member(s, "blocker", &k->u64, WO_BLOCKER);
	}
	kernel_symbol(k, "var_wake_function", WAIT_WAKE_VAR);
	kernel_symbol(k, "_stext", WAIT_WAKE);
	kernel_symbol(k, "_etext", WAIT_WAKE + 0x100);
	/* no symbol but these is near an object */
	k->t.symbols.tabs.p[0]->lo = WAIT_WAKE;
	k->t.symbols.tabs.p[0]->hi = WAIT_WAKE + 0x100;
	kernel_symbol(k, "workqueues", WAIT_QUEUES);
	kernel_symbol(k, "kthread_create_list", WAIT_CREATES);
	kernel_symbol(k, "kthreadd_task", WAIT_KTHREADD);
	kernel_symbol(k, "bdi_wq", WAIT_BDI_WQ);
	kernel_symbol(k, "super_blocks", WAIT_SUPERS);
	kernel_symbol(k, "rcu_state", WAIT_RCU);
	kernel_symbol(k, "rcu_num_lvls", WAIT_RCU_LEVELS);
	kernel_symbol(k, "rcu_num_nodes", WAIT_RCU_NODES);
	kernel_symbol(k, "nr_cpu_ids", WAIT_CPUS);
	kernel_symbol(k, "__per_cpu_offset", WAIT_OFFSETS);
	put32(k, WAIT_CPUS, 2);
	put64(k, WAIT_OFFSETS + 8, WAIT_CPU_SIZE);
	if (symbols)
		symbols(k);
	wait_graph_init(&f->g, &k->t);
	f->g.impl->stack_size = WAIT_STACK_SIZE;
	f->g.impl->vforks_made = true; /* there is no list of tasks to ask */
	for (int i = 0; i < WAIT_TASKS; i++) {
		f->tasks[i] = (struct task){ .addr = WAIT_TASK(i),
					     .pid = 100 + i,
					     .tgid = 100 + i,
					     .comm = "task",
					     .state = "UN",
					     .letter = 'D',
					     .stack = WAIT_STACK(i) };
		wait_graph_task(&f->g, &f->tasks[i]);
	}
}

static inline void wait_fake_init(struct wait_fake *f, bool heads)
{
	wait_fake_init_with(f, heads, NULL);
}

static inline void wait_fake_release(struct wait_fake *f)
{
	wait_graph_release(&f->g);
	kernel_release(&f->k);
}

/* Task i leaves a waiter of a lock on its stack; who waits first has to be put first. */
static inline void put_waiter(struct wait_fake *f, int i)
{
	put64(&f->k, WAIT_WAITER(i) + WO_W_TASK, WAIT_TASK(i));
}

/* The waiters of tasks `who` in the list of a lock that has a head. */
static inline void put_waiters(struct wait_fake *f, uint64_t lock, const int *who, size_t n)
{
	uint64_t nodes[WAIT_TASKS];

	for (size_t i = 0; i < n; i++) {
		nodes[i] = WAIT_WAITER(who[i]) + WO_W_LIST;
		put_waiter(f, who[i]);
	}
	put_list(&f->k, lock + WO_LIST, nodes, n);
}

/* The same in a ring without a head, to whose first the lock points. */
static inline void put_ring(struct wait_fake *f, uint64_t lock, const int *who, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put64(&f->k, WAIT_WAITER(who[i]), WAIT_WAITER(who[(i + 1) % n]));
		put64(&f->k, WAIT_WAITER(who[(i + 1) % n]) + 8, WAIT_WAITER(who[i]));
		put_waiter(f, who[i]);
	}
	put64(&f->k, lock + WO_LIST, WAIT_WAITER(who[0]));
}

/* Task i holds mutex `lock`, for which the tasks of who wait. */
static inline void put_mutex(struct wait_fake *f, int lock, int holder, const int *who, size_t n)
{
	put64(&f->k, WAIT_LOCK(lock) + WO_OWNER, WAIT_TASK(holder) | 1);
	put_waiters(f, WAIT_LOCK(lock), who, n);
}

/* A type of the fake's by its name. */
static inline struct type *wait_fake_type(struct wait_fake *f, const char *name)
{
	for (size_t i = 0; i < f->k.n_types; i++)
		if (!strcmp(f->k.types[i]->name, name))
			return f->k.types[i];
	return NULL;
}

/* Task i waits for the completion at that address. */
static inline void put_completion(struct wait_fake *f, int i, uint64_t completion)
{
	const uint64_t node = WAIT_WAITER(i) + 8;

	put64(&f->k, WAIT_WAITER(i), WAIT_TASK(i));
	put_list(&f->k, completion + WO_C_LIST, &node, 1);
}

/* Looks at the stack of task i, which is in `function`, which `caller` called. */
static inline bool wait_fake_look_from(struct wait_fake *f, int i, const char *function,
				       const char *caller)
{
	const char *const names[] = { "__schedule", "schedule", function, caller };
	const uint64_t pcs[] = { 1, 2, 3, 4 };
	uint64_t words[(WAIT_STACK_SIZE - WAIT_SP) / 8];
	struct wait_stack s = { .g = &f->g,
				.task = &f->tasks[i],
				.lo = WAIT_STACK(i) + WAIT_SP,
				.words = words,
				.n = ARRAY_SIZE(words),
				.names = names,
				.pcs = pcs,
				.n_names = ARRAY_SIZE(names) };
	struct err ignored;

	return mem_words(&f->k.t, s.lo, words, s.n, &ignored) && wait_stack_look(&s);
}

static inline bool wait_fake_look(struct wait_fake *f, int i, const char *function)
{
	return wait_fake_look_from(f, i, function, "caller");
}

/* Searches the stack of task i for what is searched for. */
static inline void wait_fake_search(struct wait_fake *f, int i)
{
	uint64_t words[(WAIT_STACK_SIZE - WAIT_SP) / 8];
	const struct wait_stack s = { .g = &f->g,
				      .task = &f->tasks[i],
				      .lo = WAIT_STACK(i) + WAIT_SP,
				      .words = words,
				      .n = ARRAY_SIZE(words) };
	struct err ignored;

	if (mem_words(&f->k.t, s.lo, words, s.n, &ignored))
		wait_search_stack(&s);
}

/* ---- as PREEMPT_RT would have it */

#define RT_MUTEX 8 /* where the fake's rwbase_rt has its rt_mutex */
#define RT_READERS UINT32_C(0x80000000)
#define RT_WRITER UINT32_C(0x40000000)
#define RT_VARIABLE WAIT_LOCK(4)

/* Its variable is a struct that has a mutex, an rw_semaphore, a spinlock and an rwlock. */
static inline bool rt_variable_type(struct type_source *s, const char *name, uint64_t addr,
				    const struct type **ret, struct err *err)
{
	const struct fake_kernel *k =
		(const void *)((const char *)s - offsetof(struct fake_kernel, source));

	(void)addr;
	for (size_t i = 0; !strcmp(name, "the_variable") && i < k->n_types; i++)
		if (!strcmp(k->types[i]->name, "holder"))
			return *ret = k->types[i], true;
	return err_set(err, ERR_NOTYPE, "no variable");
}

static inline void rt_more_symbols(struct fake_kernel *k)
{
	kernel_symbol(k, "mutex_lock", WAIT_WAKE + 0x60);
	kernel_symbol(k, "the_variable", RT_VARIABLE);
	k->syms[k->n_syms - 1].size = 0x100;
}

static inline void rt_fake_init(struct wait_fake *f)
{
	static const char *const holders[] = { "rw_semaphore", "spinlock", "rwlock_t" };
	struct fake_kernel *k = &f->k;
	struct type *s, *base, *holder;

	wait_fake_init_with(f, true, rt_more_symbols);
	k->t.symbols.tabs.p[0]->hi = RT_VARIABLE + 0x100;
	s = kernel_struct(k, "rb_node", 24);
	kernel_member(s, "__rb_parent_color", &k->u64, 0);
	kernel_member(s, "rb_right", &k->ptr, 8);
	kernel_member(s, "rb_left", &k->ptr, 16);
	base = wait_fake_type(f, "rt_mutex_base");
	kernel_member(base, "waiters", INNER(k, "rb_node"), 8);
	s = kernel_struct(k, "rwbase_rt", 32);
	kernel_member(s, "readers", kernel_counter_type(k, "", &k->s32), 0);
	kernel_member(s, "rtmutex", base, RT_MUTEX);
	holder = kernel_struct(k, "holder", 0x100);
	/* the fake's have their usual members besides, which nobody asks for */
	kernel_member(wait_fake_type(f, "mutex"), "rtmutex", base, 0);
	kernel_member(holder, "mutex", wait_fake_type(f, "mutex"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(holders); i++)
		kernel_member(holder, holders[i],
			      i ? kernel_struct(k, holders[i], 32) : wait_fake_type(f, holders[i]),
			      0x40 * (i + 1));
	kernel_member(wait_fake_type(f, "spinlock"), "lock", base, 0);
	k->source.variable = rt_variable_type;
}

/* Task i is linked to an rt_mutex. */
static inline void put_rt_waiter(struct wait_fake *f, int i, uint64_t rtmutex)
{
	put64(&f->k, WAIT_TASK(i) + WO_PI, WAIT_WAITER(i));
	put64(&f->k, WAIT_WAITER(i), WAIT_TASK(i));
	put64(&f->k, WAIT_WAITER(i) + 8, rtmutex);
}

/* Lock `lock` is read by that many, or has that bias; its rt_mutex is task `owner`'s. */
static inline void put_rwbase(struct wait_fake *f, uint64_t lock, uint32_t readers, int owner)
{
	put32(&f->k, lock, readers);
	put64(&f->k, lock + RT_MUTEX, owner < 0 ? 0 : WAIT_TASK(owner) | 1);
}

#endif
