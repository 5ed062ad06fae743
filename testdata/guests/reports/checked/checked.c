/* SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later */
/* A kernel module that does what a checking kernel finds, by a function named after it.
 */

#include <linux/debugobjects.h>
#include <linux/delay.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

/* Every call stays a call. */
#define CHECKED __attribute__((noipa))

static volatile unsigned int checked_forty = 40;
static DEFINE_MUTEX(checked_a);
static DEFINE_MUTEX(checked_b);
static DEFINE_SPINLOCK(checked_spin);
static char checked_room[16];
static void *volatile checked_lost;

static CHECKED long checked_uaf(void)
{
	volatile char *p = kmalloc(40, GFP_KERNEL);

	kfree((void *)p);
	return p[8];
}

static CHECKED long checked_oob(void)
{
	volatile char *p = kmalloc(40, GFP_KERNEL);

	p[checked_forty + 3] = 1;
	kfree((void *)p);
	return 0;
}

static CHECKED long checked_stack(void)
{
	volatile char room[16];

	room[0] = 0;
	return room[checked_forty - 20];
}

static CHECKED long checked_global(void)
{
	return ((volatile char *)checked_room)[checked_forty - 20];
}

static CHECKED long checked_vmalloc(void)
{
	volatile char *p = vmalloc(4096);
	long v = p[4096 + checked_forty];

	vfree((void *)p);
	return v;
}

static CHECKED long checked_twice(void)
{
	void *p = kmalloc(40, GFP_KERNEL);

	kfree(p);
	OPTIMIZER_HIDE_VAR(p);
	kfree(p);
	return 0;
}

static CHECKED long checked_badfree(void)
{
	char *p = kmalloc(40, GFP_KERNEL);

	p += 8;
	OPTIMIZER_HIDE_VAR(p);
	kfree(p);
	return 0;
}

static CHECKED long checked_wild(void)
{
	volatile char *p = (void *)(0x4000000000UL + checked_forty);

	return *p;
}

/* The memory is read by a work that was queued before it was freed. */
struct checked_job {
	struct work_struct work;
	char note[32];
};

static CHECKED void checked_late(struct work_struct *work)
{
	struct checked_job *job = container_of(work, struct checked_job, work);
	volatile char *note = job->note;

	kfree(job);
	checked_room[0] = note[3];
}

static CHECKED long checked_work(void)
{
	struct checked_job *job = kzalloc(sizeof(*job), GFP_KERNEL);

	INIT_WORK(&job->work, checked_late);
	schedule_work(&job->work);
	msleep(500);
	return 0;
}

static CHECKED long checked_shift(void)
{
	return 1 << checked_forty;
}

static int checked_table[8];
static CHECKED long checked_index(void)
{
	return checked_table[checked_forty];
}

static CHECKED long checked_bool(void)
{
	bool *b = (bool *)checked_room;

	checked_room[0] = (char)checked_forty;
	OPTIMIZER_HIDE_VAR(b);
	return *b ? 1 : 2;
}

static CHECKED void checked_first(void)
{
	mutex_lock(&checked_a);
	mutex_lock(&checked_b);
	mutex_unlock(&checked_b);
	mutex_unlock(&checked_a);
}

/* The other order: a cycle, although nobody waits. */
static CHECKED long checked_cycle(void)
{
	checked_first();
	mutex_lock(&checked_b);
	mutex_lock(&checked_a);
	mutex_unlock(&checked_a);
	mutex_unlock(&checked_b);
	return 0;
}

static CHECKED long checked_recursive(void)
{
	static struct mutex two[2];
	int i;

	for (i = 0; i < 2; i++)
		mutex_init(&two[i]);
	mutex_lock(&two[0]);
	mutex_lock(&two[1]);
	mutex_unlock(&two[1]);
	mutex_unlock(&two[0]);
	return 0;
}

static CHECKED void checked_tick(struct timer_list *timer)
{
	spin_lock(&checked_spin);
	checked_room[1]++;
	spin_unlock(&checked_spin);
}

static DEFINE_TIMER(checked_timer, checked_tick);

/* Taken in a timer, and here without a timer being held off. */
static CHECKED long checked_irq(void)
{
	mod_timer(&checked_timer, jiffies + 2);
	msleep(200);
	spin_lock(&checked_spin);
	spin_unlock(&checked_spin);
	return 0;
}

static CHECKED long checked_rcu(void)
{
	static int __rcu *pointer;

	return rcu_dereference(pointer) != NULL;
}

static CHECKED long checked_unlock(void)
{
	mutex_lock(&checked_a);
	mutex_unlock(&checked_a);
	spin_unlock(&checked_spin);
	return 0;
}

static CHECKED long checked_held(void)
{
	mutex_lock(&checked_a);
	return 0;
}

static CHECKED long checked_sleep(void)
{
	spin_lock(&checked_spin);
	mutex_lock(&checked_a);
	mutex_unlock(&checked_a);
	spin_unlock(&checked_spin);
	return 0;
}

static CHECKED long checked_preempt(void)
{
	return smp_processor_id();
}

static CHECKED long checked_object(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	timer_setup(timer, checked_tick, 0);
	mod_timer(timer, jiffies + 100 * HZ);
	kfree(timer);
	return 0;
}

static CHECKED long checked_leak(void)
{
	checked_lost = kmalloc(200, GFP_KERNEL);
	checked_lost = NULL;
	return 0;
}

static CHECKED long checked_magic(void)
{
	static spinlock_t never;

	spin_lock(&never);
	return 0;
}

static CHECKED void checked_busy(struct work_struct *work)
{
	unsigned long end = jiffies + 14 * HZ;

	preempt_disable();
	while (time_before(jiffies, end))
		cpu_relax();
	preempt_enable();
}

static CHECKED long checked_pool(void)
{
	static DECLARE_WORK(busy, checked_busy);
	static struct work_struct behind;

	INIT_WORK(&behind, checked_busy);
	schedule_work_on(1, &busy);
	msleep(100);
	schedule_work_on(1, &behind);
	msleep(15000);
	return 0;
}

/* With interrupts off: the other CPU notices. */
static CHECKED long checked_hard(void)
{
	unsigned long flags, rounds;

	local_irq_save(flags);
	for (rounds = 0; rounds < 60000; rounds++)
		udelay(1000);
	local_irq_restore(flags);
	return 0;
}

static CHECKED int checked_deep(int n)
{
	volatile char room[512];

	room[n & 511] = (char)n;
	return n > 100000 ? 0 : checked_deep(n + 1) + room[n & 511];
}

static CHECKED long checked_overflow(void)
{
	return checked_deep(0) & 1;
}

static CHECKED long checked_end(void)
{
	unsigned long *end = end_of_stack(current);

	*end = 0;
	schedule();
	return 0;
}

#define CASE(name)                    \
	{                             \
#name, checked_##name \
	}
static const struct {
	const char *name;
	long (*fn)(void);
} cases[] = {
	CASE(uaf),     CASE(oob),       CASE(stack),  CASE(global), CASE(vmalloc), CASE(twice),
	CASE(badfree), CASE(wild),      CASE(work),   CASE(shift),  CASE(index),   CASE(bool),
	CASE(cycle),   CASE(recursive), CASE(irq),    CASE(rcu),    CASE(unlock),  CASE(held),
	CASE(sleep),   CASE(preempt),   CASE(object), CASE(leak),   CASE(magic),   CASE(pool),
	CASE(hard),    CASE(overflow),  CASE(end),
};

static CHECKED ssize_t checked_write(struct file *file, const char __user *from, size_t len,
				     loff_t *pos)
{
	char what[16] = "";
	size_t i;

	if (len >= sizeof(what))
		return -EINVAL;
	if (copy_from_user(what, from, len))
		return -EFAULT;
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		if (!strcmp(strim(what), cases[i].name)) {
			checked_table[0] = (int)cases[i].fn();
			return (ssize_t)len;
		}
	return -EINVAL;
}

static const struct proc_ops checked_ops = {
	.proc_write = checked_write,
};

static int __init checked_init(void)
{
	return proc_create("checked", 0200, NULL, &checked_ops) ? 0 : -ENOMEM;
}

module_init(checked_init);
MODULE_DESCRIPTION("checked on request");
MODULE_LICENSE("GPL");
