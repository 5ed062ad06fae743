/* SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later */
/* A kernel module that dies where, how and with which arguments it was asked to, and says so
 * before. */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/hw_breakpoint.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched/debug.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

/* Arguments stay what the source says, and every call stays a call. */
#define VICTIM __attribute__((noipa))

#define SAY_ARG(name) \
	pr_info("victim: arg %s %s %#llx\n", __func__, #name, (u64)(unsigned long)(name))
#define SAY_LOCAL(name) \
	pr_info("victim: local %s %s %#llx\n", __func__, #name, (u64)(unsigned long)(name))

#define SLEEPERS 3000

enum victim_way {
	WAY_NULL,
	WAY_CALL,
	WAY_BUG,
	WAY_WARN,
	WAY_OVERFLOW,
	WAY_SPIN,
	WAY_LOCK,
};

struct victim_order {
	const char *word;
	enum victim_way way;
	unsigned int key;
	int *target;
	long (*call)(long);
	struct mutex *lock;
};

struct victim_note {
	char text[16];
	const struct victim_order *order;
	int number;
};

static DEFINE_MUTEX(victim_first);
static DEFINE_MUTEX(victim_second);
static DECLARE_COMPLETION(victim_never);
static DECLARE_WAIT_QUEUE_HEAD(victim_queue);
static struct victim_order victim_order;
static struct timer_list victim_timer;
static struct hrtimer victim_hrtimer;
static struct work_struct victim_work;
static atomic_t victim_waiting;
static int victim_stop;
static long victim_watched;

/* An address that a wild call may go to: data, which the CPU refuses to execute. */
static u64 *victim_data;

static VICTIM long victim_deep(long depth, long key)
{
	char room[400];
	long sum;

	if (!key)
		return depth;
	memset(room, (int)depth, sizeof(room));
	sum = victim_deep(depth + 1, key);
	return sum + room[key & 255];
}

static VICTIM long victim_spin(long key)
{
	unsigned long flags;
	long turns = 0;

	SAY_ARG(key);
	pr_info("victim: spinning\n");
	local_irq_save(flags);
	while (!READ_ONCE(victim_stop))
		turns += key;
	local_irq_restore(flags);
	return turns;
}

static VICTIM long victim_c(struct victim_note *note, long offset, u8 small)
{
	const struct victim_order *order = note->order;
	long sum = offset * 3 + small;

	SAY_ARG(note);
	SAY_ARG(offset);
	SAY_ARG(small);
	SAY_LOCAL(order);
	SAY_LOCAL(sum);
	switch (order->way) {
	case WAY_NULL:
		WRITE_ONCE(*order->target, (int)sum);
		break;
	case WAY_CALL:
		sum += order->call(offset);
		break;
	case WAY_BUG:
		BUG();
		break;
	case WAY_WARN:
		WARN(1, "victim: a warning is enough\n");
		break;
	case WAY_OVERFLOW:
		sum += victim_deep(1, sum);
		break;
	case WAY_SPIN:
		sum += victim_spin(sum);
		break;
	case WAY_LOCK:
		mutex_lock(order->lock);
		sum++;
		mutex_unlock(order->lock);
		break;
	}
	return sum + note->number;
}

static VICTIM long victim_b(struct victim_order *order, const char *word, u64 big)
{
	struct victim_note note = { .order = order, .number = -7 };
	unsigned int key = order->key + 1;
	long ret;

	strscpy(note.text, word, sizeof(note.text));
	SAY_ARG(order);
	SAY_ARG(word);
	SAY_ARG(big);
	SAY_LOCAL(key);
	SAY_LOCAL(&note);
	pr_info("victim: string victim_b word %s\n", word);
	ret = victim_c(&note, (long)(big >> 32), (u8)key);
	return ret + key + note.number;
}

static VICTIM long victim_a(struct victim_order *order, int depth)
{
	unsigned long seal = order->key ^ 0x5ea10000ul;
	long ret;

	SAY_ARG(order);
	SAY_ARG(depth);
	SAY_LOCAL(seal);
	ret = victim_b(order, order->word, 0x1234567800000000ull | (unsigned int)depth);
	return ret + (long)seal;
}

static VICTIM int victim_thread(void *data)
{
	long ret = victim_a(data, 3);

	pr_info("victim: thread lives on: %ld\n", ret);
	return (int)ret;
}

static VICTIM void victim_timer_fired(struct timer_list *timer)
{
	long ret = victim_a(&victim_order, 4);

	pr_info("victim: timer lives on: %ld\n", ret);
}

static VICTIM enum hrtimer_restart victim_hrtimer_fired(struct hrtimer *timer)
{
	long ret;

	/* what it interrupts is the busy loop, and not the end of another interrupt: the traced
	 * guest is compared with the one that is not */
	if (in_serving_softirq()) {
		hrtimer_forward_now(timer, ms_to_ktime(1));
		return HRTIMER_RESTART;
	}
	ret = victim_a(&victim_order, 5);
	pr_info("victim: hrtimer lives on: %ld\n", ret);
	return HRTIMER_NORESTART;
}

static VICTIM void victim_work_done(struct work_struct *work)
{
	long ret = victim_a(&victim_order, 6);

	pr_info("victim: work lives on: %ld\n", ret);
}

/* A syscall that waits on its CPU until an interrupt there ends it all. */
static VICTIM long victim_busy(long turns)
{
	ktime_t soon = ms_to_ktime(300);

	SAY_ARG(turns);
	hrtimer_start(&victim_hrtimer, soon, HRTIMER_MODE_REL_PINNED_HARD);
	while (!READ_ONCE(victim_stop))
		turns++;
	return turns;
}

static VICTIM void victim_watch_hit(struct perf_event *event, struct perf_sample_data *data,
				    struct pt_regs *regs)
{
	long ret = victim_a(&victim_order, 8);

	pr_info("victim: watcher lives on: %ld\n", ret);
}

/* Dies in the debug exception that its own store raises. */
static VICTIM long victim_debug(long value)
{
	struct perf_event_attr attr;
	struct perf_event *__percpu *watch;

	SAY_ARG(value);
	hw_breakpoint_init(&attr);
	attr.bp_addr = (unsigned long)&victim_watched;
	attr.bp_len = HW_BREAKPOINT_LEN_8;
	attr.bp_type = HW_BREAKPOINT_W;
	watch = register_wide_hw_breakpoint(&attr, victim_watch_hit, NULL);
	if (IS_ERR((void __force *)watch))
		return PTR_ERR((void __force *)watch);
	WRITE_ONCE(victim_watched, value);
	unregister_wide_hw_breakpoint(watch);
	return value;
}

static VICTIM int victim_probe(struct kprobe *probe, struct pt_regs *regs)
{
	long ret = victim_a(&victim_order, 9);

	pr_info("victim: probe lives on: %ld\n", ret);
	return 0;
}

/* The next BPF program that asks for the time dies of it. */
static struct kprobe victim_kprobe = {
	.symbol_name = "bpf_ktime_get_ns",
	.pre_handler = victim_probe,
};

/* Holds one mutex and asks for the other. */
static VICTIM int victim_locker(void *data)
{
	struct victim_order *order = data;
	struct mutex *held = order->lock == &victim_first ? &victim_second : &victim_first;
	long ret;

	mutex_lock(held);
	msleep(500);
	ret = victim_a(order, 7);
	mutex_unlock(held);
	return (int)ret;
}

static VICTIM void victim_deadlock(void)
{
	static struct victim_order orders[2];
	struct task_struct *tasks[2];
	int i;

	for (i = 0; i < 2; i++) {
		orders[i] = victim_order;
		orders[i].way = WAY_LOCK;
		orders[i].lock = i ? &victim_first : &victim_second;
		orders[i].key += i;
		tasks[i] = kthread_run(victim_locker, &orders[i], "victim/%d", i);
	}
	msleep(1500);
	for (i = 0; i < 2; i++) {
		pr_info("victim: mutex %px waiter %d\n", orders[i].lock, tasks[i]->pid);
		sched_show_task(tasks[i]);
	}
	pr_info("victim: deadlocked\n");
}

/* Five ways to sleep, each with a stack of its own. */
static VICTIM int victim_nap(long number)
{
	switch (number % 5) {
	case 0:
		wait_for_completion(&victim_never);
		break;
	case 1:
		wait_event(victim_queue, READ_ONCE(victim_stop));
		break;
	case 2:
		wait_event_interruptible(victim_queue, READ_ONCE(victim_stop));
		break;
	case 3:
		msleep(1000000000);
		break;
	default:
		mutex_lock(&victim_first);
		mutex_unlock(&victim_first);
	}
	return (int)number;
}

static VICTIM int victim_sleeper(void *data)
{
	int ret;

	atomic_inc(&victim_waiting);
	ret = victim_nap((long)data);
	atomic_dec(&victim_waiting);
	return ret;
}

/* All wake up and go back to sleep: however long it took to make them, a kernel that waits so
 * little is no hung one. */
static VICTIM void victim_stir(void)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_process(task) if (!strncmp(task->comm, "sleeper/", 8)) wake_up_process(task);
	rcu_read_unlock();
}

static VICTIM void victim_sleepers(void)
{
	struct task_struct *shown[5] = {};
	struct task_struct *task;
	long i;

	mutex_lock(&victim_first);
	for (i = 0; i < SLEEPERS; i++) {
		task = kthread_run(victim_sleeper, (void *)i, "sleeper/%ld", i);
		if (IS_ERR(task))
			break;
		if (i < 5)
			shown[i] = task;
	}
	while (atomic_read(&victim_waiting) < i)
		msleep(100);
	victim_stir();
	msleep(1000);
	pr_info("victim: %ld sleepers\n", i);
	for (i = 0; i < 5; i++)
		if (shown[i])
			sched_show_task(shown[i]);
	pr_info("victim: asleep\n");
}

static void victim_thread_on(unsigned int cpu)
{
	struct task_struct *task = kthread_create(victim_thread, &victim_order, "victim");

	if (IS_ERR(task))
		return;
	kthread_bind(task, cpu);
	wake_up_process(task);
}

static void victim_order_fill(const char *how)
{
	victim_order.word = "last words";
	victim_order.key = 0x2a;
	victim_order.target = NULL;
	victim_order.call = NULL;
	victim_order.way = WAY_NULL;
	if (!strcmp(how, "nullcall") || !strcmp(how, "wildcall"))
		victim_order.way = WAY_CALL;
	else if (!strcmp(how, "bug"))
		victim_order.way = WAY_BUG;
	else if (!strcmp(how, "warn"))
		victim_order.way = WAY_WARN;
	else if (!strcmp(how, "overflow"))
		victim_order.way = WAY_OVERFLOW;
	else if (!strcmp(how, "nmi"))
		victim_order.way = WAY_SPIN;
	if (!strcmp(how, "wildcall"))
		victim_order.call = (long (*)(long))victim_data;
}

static VICTIM long victim_do(const char *how)
{
	victim_order_fill(how);
	if (!strcmp(how, "timer")) {
		victim_timer.expires = jiffies + HZ / 4;
		add_timer_on(&victim_timer, 0);
	} else if (!strcmp(how, "work")) {
		schedule_work(&victim_work);
	} else if (!strcmp(how, "irq")) {
		return victim_busy(1);
	} else if (!strcmp(how, "debug")) {
		return victim_debug(9);
	} else if (!strcmp(how, "bpf")) {
		return register_kprobe(&victim_kprobe);
	} else if (!strcmp(how, "deadlock")) {
		victim_deadlock();
	} else if (!strcmp(how, "sleepers")) {
		victim_sleepers();
	} else if (!strcmp(how, "syscall")) {
		return victim_a(&victim_order, 2);
	} else {
		victim_thread_on(0);
	}
	return 0;
}

static VICTIM ssize_t victim_write(struct file *file, const char __user *from, size_t len,
				   loff_t *pos)
{
	char how[16] = "";
	long ret;

	if (len >= sizeof(how))
		return -EINVAL;
	if (copy_from_user(how, from, len))
		return -EFAULT;
	ret = victim_do(strim(how));
	return ret < 0 ? ret : (ssize_t)len;
}

static const struct proc_ops victim_ops = {
	.proc_write = victim_write,
};

static int __init victim_init(void)
{
	victim_data = kzalloc(64, GFP_KERNEL);
	if (!victim_data)
		return -ENOMEM;
	timer_setup(&victim_timer, victim_timer_fired, TIMER_PINNED);
	hrtimer_init(&victim_hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	victim_hrtimer.function = victim_hrtimer_fired;
	INIT_WORK(&victim_work, victim_work_done);
	return proc_create("victim", 0200, NULL, &victim_ops) ? 0 : -ENOMEM;
}

module_init(victim_init);
MODULE_DESCRIPTION("dies on request");
MODULE_LICENSE("GPL");
