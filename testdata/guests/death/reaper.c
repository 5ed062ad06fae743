/* SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later */
/* A kernel module that does one harm, named by its parameter, and lets the kernel find it. */

#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

/* Every call stays a call, and who calls last stays on the stack. */
#define REAPER __attribute__((noipa))
#define STAY() barrier()

static char *how = "";
module_param(how, charp, 0400);

static DEFINE_MUTEX(reaper_estate);
static DEFINE_SPINLOCK(reaper_spin);
static struct timer_list reaper_timer;
static struct workqueue_struct *reaper_queue;
static struct work_struct reaper_works[4];
static int reaper_stop;
static int *reaper_target;

struct reaper_item {
	struct list_head list;
	refcount_t users;
	char room[200];
};

/* ---- a task dies with a lock, and others want it */

static REAPER int reaper_testator(void *data)
{
	mutex_lock(&reaper_estate);
	msleep(200);
	WRITE_ONCE(*reaper_target, 1);
	mutex_unlock(&reaper_estate);
	return 0;
}

static REAPER int reaper_heir(void *data)
{
	msleep(1000);
	mutex_lock(&reaper_estate);
	mutex_unlock(&reaper_estate);
	return 0;
}

/* ---- memory */

static REAPER void reaper_unlink(struct reaper_item *item)
{
	list_del(&item->list);
	STAY();
}

static REAPER int reaper_list(void *data)
{
	static LIST_HEAD(head);
	struct reaper_item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	list_add(&item->list, &head);
	reaper_unlink(item);
	reaper_unlink(item);
	return 0;
}

static REAPER void reaper_put(struct reaper_item *item)
{
	if (refcount_dec_and_test(&item->users))
		pr_info("reaper: last user gone\n");
	STAY();
}

static REAPER int reaper_count(void *data)
{
	struct reaper_item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	refcount_set(&item->users, 1);
	reaper_put(item);
	reaper_put(item);
	return 0;
}

static REAPER void reaper_release(struct reaper_item *item)
{
	kfree(item);
	STAY();
}

static REAPER int reaper_twice(void *data)
{
	struct reaper_item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	reaper_release(item);
	reaper_release(item);
	return 0;
}

/* Writes to what it has freed, and takes from the same cache until that is found. */
static REAPER int reaper_poison(void *data)
{
	struct reaper_item *item = kzalloc(sizeof(*item), GFP_KERNEL);
	int i;

	reaper_release(item);
	WRITE_ONCE(item->room[40], 'x');
	for (i = 0; i < 200; i++)
		kzalloc(sizeof(*item), GFP_KERNEL);
	return 0;
}

/* ---- CPUs */

static REAPER int reaper_loop(void *data)
{
	msleep(1000);
	preempt_disable();
	while (!READ_ONCE(reaper_stop))
		cpu_relax();
	preempt_enable();
	return 0;
}

static REAPER int reaper_keeper(void *data)
{
	unsigned long flags;

	msleep(1000);
	spin_lock_irqsave(&reaper_spin, flags);
	while (!READ_ONCE(reaper_stop))
		cpu_relax();
	spin_unlock_irqrestore(&reaper_spin, flags);
	return 0;
}

static REAPER int reaper_wanter(void *data)
{
	msleep(1500);
	spin_lock(&reaper_spin);
	spin_unlock(&reaper_spin);
	return 0;
}

static REAPER int reaper_nap(void *data)
{
	spin_lock(&reaper_spin);
	msleep(10);
	spin_unlock(&reaper_spin);
	return 0;
}

/* ---- work and timers */

static REAPER void reaper_work(struct work_struct *work)
{
	while (!READ_ONCE(reaper_stop))
		msleep(1000000);
}

static REAPER void reaper_starve(void)
{
	int i;

	reaper_queue = alloc_ordered_workqueue("reaper_queue", 0);
	for (i = 0; i < 4; i++) {
		INIT_WORK(&reaper_works[i], reaper_work);
		queue_work(reaper_queue, &reaper_works[i]);
	}
}

static REAPER void reaper_fired(struct timer_list *timer)
{
	pr_info("reaper: fired\n");
}

static REAPER void reaper_arm(void)
{
	timer_setup(&reaper_timer, reaper_fired, 0);
	mod_timer(&reaper_timer, jiffies + 2 * HZ);
}

static void reaper_thread(int (*run)(void *data), const char *name, int cpu)
{
	struct task_struct *task = kthread_create(run, NULL, "%s", name);

	if (IS_ERR(task))
		return;
	kthread_bind(task, cpu);
	wake_up_process(task);
}

static const struct {
	const char *how;
	int (*run)(void *data);
} reaper_ways[] = {
	{ "list", reaper_list },     { "refcount", reaper_count }, { "twice", reaper_twice },
	{ "poison", reaper_poison }, { "loop", reaper_loop },      { "atomic", reaper_nap },
};

static int __init reaper_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(reaper_ways); i++)
		if (!strcmp(how, reaper_ways[i].how))
			reaper_thread(reaper_ways[i].run, "reaper", 1);
	if (!strcmp(how, "heirs")) {
		reaper_thread(reaper_testator, "testator", 1);
		reaper_thread(reaper_heir, "heir/0", 0);
		reaper_thread(reaper_heir, "heir/1", 1);
	} else if (!strcmp(how, "keeper")) {
		reaper_thread(reaper_keeper, "keeper", 1);
		reaper_thread(reaper_wanter, "wanter", 0);
	} else if (!strcmp(how, "starve")) {
		reaper_starve();
	} else if (!strcmp(how, "unloaded")) {
		reaper_arm();
	}
	return 0;
}

/* Forgets its timer. */
static void __exit reaper_exit(void)
{
}

module_init(reaper_init);
module_exit(reaper_exit);
MODULE_DESCRIPTION("does one harm");
MODULE_LICENSE("GPL");
