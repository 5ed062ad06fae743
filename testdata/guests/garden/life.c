// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* What lives in the kernel's own collections: timers, work, waiters, an interrupt, objects of a
 * slab, a device. */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "garden.h"

#define TIMERS 5
static struct timer_list garden_timers[TIMERS];
static struct hrtimer garden_hrtimer;
static struct workqueue_struct *garden_wq;
static struct work_struct garden_works[4];
static struct delayed_work garden_later;
static DECLARE_WAIT_QUEUE_HEAD(garden_queue);
static DEFINE_MUTEX(garden_gate);
static DECLARE_COMPLETION(garden_harvest);
static struct kmem_cache *garden_plots;
static int garden_irq_cookie;
static struct task_struct *garden_sleepers[6];

static void garden_timer_fired(struct timer_list *timer)
{
}

static enum hrtimer_restart garden_hrtimer_fired(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

static void garden_work_done(struct work_struct *work)
{
	garden_sleepers[5] = current;
	wait_for_completion(&garden_harvest);
}

static irqreturn_t garden_interrupt(int irq, void *cookie)
{
	return IRQ_HANDLED;
}

static void live_timers(void)
{
	int i;

	for (i = 0; i < TIMERS; i++) {
		timer_setup(&garden_timers[i], garden_timer_fired, TIMER_PINNED);
		/* ten minutes, and each eight times further: other levels of the wheel */
		garden_timers[i].expires = jiffies + (600ul << 3 * i) * HZ;
		add_timer_on(&garden_timers[i], i % 2);
		garden_say("timer garden_timers[%d] %#lx - 0 = cpu %d expires %lu function %#lx\n",
			   i, (unsigned long)&garden_timers[i], i % 2, garden_timers[i].expires,
			   (unsigned long)garden_timer_fired);
	}
	hrtimer_init(&garden_hrtimer, CLOCK_BOOTTIME, HRTIMER_MODE_ABS);
	garden_hrtimer.function = garden_hrtimer_fired;
	hrtimer_start(&garden_hrtimer, ktime_set(1000000, 42), HRTIMER_MODE_ABS);
	garden_say("hrtimer garden_hrtimer %#lx - 0 = expires 1000000000000042 function %#lx\n",
		   (unsigned long)&garden_hrtimer, (unsigned long)garden_hrtimer_fired);
}

/* One may run at a time: the first never ends, the others wait. */
static void live_work(void)
{
	int i;

	garden_wq = alloc_workqueue("garden_wq", WQ_UNBOUND | WQ_MEM_RECLAIM, 1);
	if (!garden_wq)
		return;
	for (i = 0; i < 4; i++) {
		INIT_WORK(&garden_works[i], garden_work_done);
		queue_work(garden_wq, &garden_works[i]);
		garden_say("work garden_works[%d] %#lx - 0 = garden_wq %#lx %s function %#lx\n", i,
			   (unsigned long)&garden_works[i], (unsigned long)garden_wq,
			   i ? "inactive" : "running", (unsigned long)garden_work_done);
	}
	INIT_DELAYED_WORK(&garden_later, garden_work_done);
	queue_delayed_work(garden_wq, &garden_later, 100000 * HZ);
	garden_say("work garden_later %#lx - 0 = garden_wq %#lx delayed function %#lx\n",
		   (unsigned long)&garden_later.work, (unsigned long)garden_wq,
		   (unsigned long)garden_work_done);
}

static int gardener(void *data)
{
	long number = (long)data;

	if (number == 0) {
		mutex_lock(&garden_gate);
		wait_event(garden_queue, false);
	} else if (number < 3) {
		wait_event(garden_queue, false);
	} else {
		mutex_lock(&garden_gate);
	}
	return 0;
}

static void live_tasks(void)
{
	struct task_struct *task;
	long i;

	for (i = 0; i < 5; i++) {
		task = kthread_run(gardener, (void *)i, "gardener/%ld", i);
		if (IS_ERR(task))
			return;
		garden_sleepers[i] = task;
		msleep(20);
		garden_say("task gardener/%ld %#lx - 0 = %s\n", i, (unsigned long)task,
			   i < 3 ? "garden_queue" : "garden_gate");
	}
	garden_say("waitqueue garden_queue %#lx - 0 = gardener/0 gardener/1 gardener/2\n",
		   (unsigned long)&garden_queue);
	garden_say("mutex garden_gate %#lx - 0 = gardener/0 : gardener/3 gardener/4\n",
		   (unsigned long)&garden_gate);
}

/* All who sleep for ever wake up and go back to sleep: however long the rest took, a kernel that
 * waits so little is no hung one. */
static int garden_stir(const char *text, const struct kernel_param *param)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(garden_sleepers); i++)
		if (garden_sleepers[i])
			wake_up_process(garden_sleepers[i]);
	return 0;
}

static const struct kernel_param_ops stir_ops = { .set = garden_stir };
module_param_cb(stir, &stir_ops, NULL, 0200);

static void live_plots(void)
{
	void *plots[100];
	int i;

	/* what may be copied to user space is not merged with other caches of the size */
	garden_plots = kmem_cache_create_usercopy("garden_plot", 200, 8, 0, 0, 200, NULL);
	if (!garden_plots)
		return;
	for (i = 0; i < 100; i++)
		plots[i] = kmem_cache_alloc(garden_plots, GFP_KERNEL | __GFP_NOFAIL);
	garden_say("slab garden_plot %#lx - 0 =", (unsigned long)garden_plots);
	for (i = 0; i < 100; i++)
		if (i % 3)
			garden_say(" %#lx", (unsigned long)plots[i]);
	garden_say("\nfreed garden_plot %#lx - 0 =", (unsigned long)garden_plots);
	for (i = 0; i < 100; i += 3) {
		garden_say(" %#lx", (unsigned long)plots[i]);
		kmem_cache_free(garden_plots, plots[i]);
	}
	garden_say("\n");
}

static void live_irq(void)
{
	int irq = irq_alloc_desc(0);

	if (irq < 0)
		return;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	if (request_irq(irq, garden_interrupt, IRQF_SHARED, "garden", &garden_irq_cookie) ||
	    request_irq(irq, garden_interrupt, IRQF_SHARED, "garden-too", &garden_timers))
		return;
	garden_say("irq %d %#lx - 0 = garden garden-too\n", irq,
		   (unsigned long)container_of(irq_get_irq_data(irq), struct irq_desc, irq_data));
}

int garden_live(void)
{
	struct platform_device *device;

	live_timers();
	live_work();
	live_tasks();
	live_plots();
	live_irq();
	device = platform_device_register_simple("garden", 7, NULL, 0);
	if (!IS_ERR(device))
		garden_say("platform_device garden.7 %#lx - 0 =\n", (unsigned long)device);
	return 0;
}
