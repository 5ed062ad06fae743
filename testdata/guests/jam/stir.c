// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* A kernel module whose threads wait for each other all the time, each for a short while; when the
 * kernel dies, it says who had what and who wanted what. */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/panic_notifier.h>
#include <linux/percpu-rwsem.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/semaphore.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>
#include <linux/workqueue.h>
#include <linux/ww_mutex.h>

#define HANDS 80
#define HELD 2

/* A way to have something. */
struct stir_way {
	const char *kind, *mode;
	void (*take)(void *lock);
	void (*leave)(void *lock);
};

/* A thread. */
struct stir_hand {
	const char *family;
	int number;
	int (*play)(struct stir_hand *hand);
	struct task_struct *task;
	/* What it has, or is about to leave or has just left; and what it wants, or has just got.
	 */
	const struct stir_way *had_as[HELD], *wants_as;
	void *has[HELD], *wants;
	struct ww_acquire_ctx ctx;
	struct completion ball;
	struct work_struct work;
	unsigned int luck;
};

static struct mutex stir_mutex[3];
static struct rw_semaphore stir_rwsem[2];
static struct rt_mutex stir_rt[2];
static struct percpu_rw_semaphore stir_percpu;
static struct semaphore stir_sem;
static struct ww_mutex stir_ww[2];
static DEFINE_WW_CLASS(stir_ww_class);
static DEFINE_SPINLOCK(stir_spin);
DEFINE_STATIC_SRCU(stir_srcu);
static struct workqueue_struct *stir_wq;
static DECLARE_WAIT_QUEUE_HEAD(stir_queue);
static int stir_turn;
static unsigned long stir_bits;
static struct stir_hand stir_hands[HANDS];
static int stir_n;

static void mutex_take(void *lock)
{
	mutex_lock(lock);
}

static void mutex_leave(void *lock)
{
	mutex_unlock(lock);
}

static void read_take(void *lock)
{
	down_read(lock);
}

static void read_leave(void *lock)
{
	up_read(lock);
}

static void write_take(void *lock)
{
	down_write(lock);
}

static void write_leave(void *lock)
{
	up_write(lock);
}

static void rt_take(void *lock)
{
	rt_mutex_lock(lock);
}

static void rt_leave(void *lock)
{
	rt_mutex_unlock(lock);
}

static void percpu_read_take(void *lock)
{
	percpu_down_read(lock);
}

static void percpu_read_leave(void *lock)
{
	percpu_up_read(lock);
}

static void percpu_write_take(void *lock)
{
	percpu_down_write(lock);
}

static void percpu_write_leave(void *lock)
{
	percpu_up_write(lock);
}

static void semaphore_take(void *lock)
{
	down(lock);
}

static void semaphore_leave(void *lock)
{
	up(lock);
}

static const struct stir_way by_mutex = { "mutex", "-", mutex_take, mutex_leave };
static const struct stir_way to_read = { "rwsem", "read", read_take, read_leave };
static const struct stir_way to_write = { "rwsem", "write", write_take, write_leave };
static const struct stir_way by_rt = { "rt_mutex", "-", rt_take, rt_leave };
static const struct stir_way percpu_read = { "percpu_rwsem", "read", percpu_read_take,
					     percpu_read_leave };
static const struct stir_way percpu_write = { "percpu_rwsem", "write", percpu_write_take,
					      percpu_write_leave };
static const struct stir_way by_semaphore = { "semaphore", "-", semaphore_take, semaphore_leave };
static const struct stir_way by_ww = { "ww_mutex", "-" };

/* 0 to n - 1. */
static unsigned int chance(struct stir_hand *hand, unsigned int n)
{
	hand->luck = hand->luck * 1103515245 + 12345;
	return (hand->luck >> 16) % n;
}

static void rest(struct stir_hand *hand)
{
	usleep_range(5000, 6000 + chance(hand, 15000));
}

static void wants(struct stir_hand *hand, const struct stir_way *way, void *lock)
{
	hand->wants_as = way;
	WRITE_ONCE(hand->wants, lock);
}

static void has(struct stir_hand *hand, int i, const struct stir_way *way, void *lock)
{
	hand->had_as[i] = way;
	WRITE_ONCE(hand->has[i], lock);
	WRITE_ONCE(hand->wants, NULL);
}

static void take(struct stir_hand *hand, int i, const struct stir_way *way, void *lock)
{
	wants(hand, way, lock);
	way->take(lock);
	has(hand, i, way, lock);
}

static void leave(struct stir_hand *hand, int i)
{
	hand->had_as[i]->leave(hand->has[i]);
	WRITE_ONCE(hand->has[i], NULL);
}

/* Two of three, always in the same order. */
static int play_mutex(struct stir_hand *hand)
{
	int first = chance(hand, 2), second = first + 1 + chance(hand, 2 - first);

	take(hand, 0, &by_mutex, &stir_mutex[first]);
	rest(hand);
	take(hand, 1, &by_mutex, &stir_mutex[second]);
	rest(hand);
	leave(hand, 1);
	leave(hand, 0);
	return 0;
}

static int play_rwsem(struct stir_hand *hand)
{
	take(hand, 0, chance(hand, 3) ? &to_read : &to_write, &stir_rwsem[chance(hand, 2)]);
	rest(hand);
	leave(hand, 0);
	return 0;
}

static int play_rt(struct stir_hand *hand)
{
	take(hand, 0, &by_rt, &stir_rt[0]);
	rest(hand);
	take(hand, 1, &by_rt, &stir_rt[1]);
	rest(hand);
	leave(hand, 1);
	leave(hand, 0);
	return 0;
}

static int play_percpu(struct stir_hand *hand)
{
	take(hand, 0, chance(hand, 3) ? &percpu_read : &percpu_write, &stir_percpu);
	rest(hand);
	leave(hand, 0);
	return 0;
}

static int play_semaphore(struct stir_hand *hand)
{
	take(hand, 0, &by_semaphore, &stir_sem);
	rest(hand);
	leave(hand, 0);
	return 0;
}

/* Both in any order: who is told to, gives up the one it has, and waits for the other first. */
static int play_ww(struct stir_hand *hand)
{
	int first = chance(hand, 2), ret;

	ww_acquire_init(&hand->ctx, &stir_ww_class);
	wants(hand, &by_ww, &stir_ww[first]);
	ret = ww_mutex_lock(&stir_ww[first], &hand->ctx);
	for (;;) {
		has(hand, 0, &by_ww, &stir_ww[first]);
		rest(hand);
		wants(hand, &by_ww, &stir_ww[!first]);
		ret = ww_mutex_lock(&stir_ww[!first], &hand->ctx);
		if (!ret)
			break;
		ww_mutex_unlock(&stir_ww[first]);
		WRITE_ONCE(hand->has[0], NULL);
		ww_mutex_lock_slow(&stir_ww[!first], &hand->ctx);
		first = !first;
	}
	has(hand, 1, &by_ww, &stir_ww[!first]);
	ww_acquire_done(&hand->ctx);
	rest(hand);
	ww_mutex_unlock(&stir_ww[0]);
	ww_mutex_unlock(&stir_ww[1]);
	WRITE_ONCE(hand->has[0], NULL);
	WRITE_ONCE(hand->has[1], NULL);
	ww_acquire_fini(&hand->ctx);
	return 0;
}

/* The ball goes from one to the next of the family. */
static int play_ball(struct stir_hand *hand)
{
	struct stir_hand *next = hand + 1;

	if (next->family != hand->family)
		next = hand - hand->number;
	wait_for_completion(&hand->ball);
	rest(hand);
	complete(&next->ball);
	return 0;
}

static void work_done(struct work_struct *work)
{
	usleep_range(10000, 20000);
}

static int play_flush(struct stir_hand *hand)
{
	queue_work(stir_wq, &hand->work);
	rest(hand);
	if (chance(hand, 2))
		flush_work(&hand->work);
	else
		__flush_workqueue(stir_wq);
	return 0;
}

static int play_rcu(struct stir_hand *hand)
{
	if (hand->number % 2)
		synchronize_srcu(&stir_srcu);
	else
		synchronize_rcu();
	usleep_range(1000, 3000);
	return 0;
}

static int play_reader(struct stir_hand *hand)
{
	int key = srcu_read_lock(&stir_srcu);

	rest(hand);
	srcu_read_unlock(&stir_srcu, key);
	usleep_range(1000, 3000);
	return 0;
}

static int play_queue(struct stir_hand *hand)
{
	wait_event(stir_queue, READ_ONCE(stir_turn) == hand->number);
	rest(hand);
	WRITE_ONCE(stir_turn, (hand->number + 1) % 4);
	wake_up_all(&stir_queue);
	return 0;
}

static int play_bit(struct stir_hand *hand)
{
	wait_on_bit_lock(&stir_bits, 5, TASK_UNINTERRUPTIBLE);
	rest(hand);
	clear_bit_unlock(5, &stir_bits);
	smp_mb__after_atomic();
	wake_up_bit(&stir_bits, 5);
	return 0;
}

static int play_nothing(void *data)
{
	while (!kthread_should_stop())
		usleep_range(10000, 20000);
	return 0;
}

static int play_stop(struct stir_hand *hand)
{
	struct task_struct *task = kthread_run(play_nothing, NULL, "stopped");

	rest(hand);
	if (!IS_ERR(task))
		kthread_stop(task);
	return 0;
}

static int play_spin(struct stir_hand *hand)
{
	spin_lock(&stir_spin);
	udelay(200);
	spin_unlock(&stir_spin);
	rest(hand);
	return 0;
}

static void called(void *arg)
{
}

static int play_call(struct stir_hand *hand)
{
	on_each_cpu(called, NULL, 1);
	rest(hand);
	return 0;
}

static int stir_thread(void *data)
{
	struct stir_hand *hand = data;

	while (!kthread_should_stop())
		hand->play(hand);
	return 0;
}

/* Everybody else is stopped then. */
static int stir_died(struct notifier_block *block, unsigned long event, void *data)
{
	for (int i = 0; i < stir_n; i++) {
		const struct stir_hand *h = &stir_hands[i];

		for (int k = 0; k < HELD; k++)
			if (h->has[k])
				pr_info("jam: %d %s/%d has %s 0x%px %s\n", h->task->pid, h->family,
					h->number, h->had_as[k]->kind, h->has[k],
					h->had_as[k]->mode);
		if (h->wants)
			pr_info("jam: %d %s/%d would %s 0x%px %s\n", h->task->pid, h->family,
				h->number, h->wants_as->kind, h->wants, h->wants_as->mode);
	}
	return NOTIFY_DONE;
}

static struct notifier_block stir_block = { .notifier_call = stir_died };

static void hands_add(const char *family, int (*play)(struct stir_hand *), int n)
{
	for (int i = 0; i < n && stir_n < HANDS; i++) {
		struct stir_hand *h = &stir_hands[stir_n++];

		h->family = family;
		h->number = i;
		h->play = play;
		h->luck = stir_n * 7919;
		init_completion(&h->ball);
		INIT_WORK(&h->work, work_done);
		if (play == play_ball && !i)
			complete(&h->ball);
	}
}

static void locks_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(stir_mutex); i++)
		mutex_init(&stir_mutex[i]);
	for (i = 0; i < ARRAY_SIZE(stir_rwsem); i++)
		init_rwsem(&stir_rwsem[i]);
	for (i = 0; i < ARRAY_SIZE(stir_rt); i++)
		rt_mutex_init(&stir_rt[i]);
	for (i = 0; i < ARRAY_SIZE(stir_ww); i++)
		ww_mutex_init(&stir_ww[i], &stir_ww_class);
	if (percpu_init_rwsem(&stir_percpu))
		pr_info("jam: no percpu_rwsem\n");
	sema_init(&stir_sem, 1);
	stir_wq = alloc_workqueue("stir", WQ_UNBOUND, 0);
}

static int __init stir_init(void)
{
	locks_init();
	hands_add("kmutex", play_mutex, 10);
	hands_add("krwsem", play_rwsem, 10);
	hands_add("kww", play_ww, 4);
	hands_add("krt", play_rt, 5);
	hands_add("kpercpu", play_percpu, 5);
	hands_add("ksem", play_semaphore, 3);
	hands_add("kball", play_ball, 4);
	hands_add("kflush", play_flush, 4);
	hands_add("krcu", play_rcu, 3);
	hands_add("kreader", play_reader, 2);
	hands_add("kqueue", play_queue, 4);
	hands_add("kbit", play_bit, 3);
	hands_add("kstop", play_stop, 2);
	hands_add("kspin", play_spin, 3);
	hands_add("kcall", play_call, 1);
	for (int i = 0; i < stir_n; i++) {
		struct stir_hand *h = &stir_hands[i];

		h->task = kthread_run(stir_thread, h, "%s/%d", h->family, h->number);
		if (IS_ERR(h->task))
			return PTR_ERR(h->task);
		get_task_struct(h->task);
		pr_info("jam: %d %s/%d plays\n", h->task->pid, h->family, h->number);
	}
	return atomic_notifier_chain_register(&panic_notifier_list, &stir_block);
}

module_init(stir_init);
MODULE_DESCRIPTION("threads that wait for each other for a short while");
MODULE_LICENSE("GPL");
