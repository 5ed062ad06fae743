/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: the fake kernel of waits as PREEMPT_RT would have it. */
#ifndef OBIT_WAIT_RT_FAKE_H
#define OBIT_WAIT_RT_FAKE_H

#include "core/linux/wait/wait_fake.h"

#define RT_MUTEX 8 /* where the fake's rwbase_rt has its rt_mutex */
#define RT_READERS UINT32_C(0x80000000)
#define RT_WRITER UINT32_C(0x40000000)
#define RT_VARIABLE WAIT_LOCK(4)

/* A variable of a struct that has a mutex, an rw_semaphore, a spinlock and an rwlock. */
static struct type *rt_holder;

static inline bool rt_variable_type(struct type_source *s, const char *name, uint64_t addr,
				    const struct type **ret, struct err *err)
{
	(void)s, (void)addr;
	if (strcmp(name, "the_variable") != 0)
		return err_set(err, ERR_NOTYPE, "no variable");
	*ret = rt_holder;
	return true;
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
	struct type *s, *base;

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
	rt_holder = kernel_struct(k, "holder", 0x100);
	/* the fake's have their usual members besides, which nobody asks for */
	kernel_member(wait_fake_type(f, "mutex"), "rtmutex", base, 0);
	kernel_member(rt_holder, "mutex", wait_fake_type(f, "mutex"), 0);
	for (size_t i = 0; i < ARRAY_SIZE(holders); i++)
		kernel_member(rt_holder, holders[i],
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
