// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* A standstill of every kind: who has what, and who waits for it. Each says so before it waits. */

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rcupdate.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/semaphore.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/swait.h>
#include <linux/wait.h>
#include <linux/wait_bit.h>

#include "jam.h"

#define CROWD 20
#define CASTS 128
#define LAST_SLEEP 4 /* rounds up to this one sleep, those after it spin */
#define LAST_ROUND 9
#define DARK_CPU 5 /* the one that takes no interrupts */

static struct mutex jam_mutex[16];
static struct ww_mutex jam_ww[4];
static DEFINE_WW_CLASS(jam_ww_class);
static struct rw_semaphore jam_rwsem[8];
static struct rt_mutex jam_rt[2];
static struct percpu_rw_semaphore jam_percpu;
static struct semaphore jam_sem;
static DECLARE_COMPLETION(jam_never);
static DECLARE_COMPLETION(jam_done_by_nobody);
static DECLARE_SWAIT_QUEUE_HEAD(jam_swait);
static DECLARE_WAIT_QUEUE_HEAD(jam_queue);
static unsigned long jam_bits;
static int jam_variable;
static struct workqueue_struct *jam_wq[3];
static DEFINE_SPINLOCK(jam_spin);
DEFINE_STATIC_SRCU(jam_srcu);
static DECLARE_WAIT_QUEUE_HEAD(jam_rounds);
static int jam_round;
static int jam_stop;
static struct jam_cast jam_casts[CASTS];
static int jam_n;

/* ---- ways to wait */

static JAM void take_mutex(void *object)
{
	mutex_lock(object);
}

static JAM void take_mutex_softly(void *object)
{
	if (mutex_lock_interruptible(object))
		pr_info("jam: interrupted\n");
}

static JAM void take_ww(void *object)
{
	if (ww_mutex_lock(object, NULL))
		pr_info("jam: no ww_mutex\n");
}

/* With a context it may be told to give up what it has; nobody does here. */
static JAM void take_ww_ctx(void *object)
{
	struct jam_cast *cast = kthread_data(current);

	if (!cast->ready)
		ww_acquire_init(&cast->ctx, &jam_ww_class);
	if (ww_mutex_lock(object, &cast->ctx))
		pr_info("jam: no ww_mutex\n");
}

static JAM void take_read(void *object)
{
	down_read(object);
}

static JAM void take_write(void *object)
{
	down_write(object);
}

static JAM void take_rt(void *object)
{
	rt_mutex_lock(object);
}

static JAM void take_percpu_read(void *object)
{
	percpu_down_read(object);
}

static JAM void take_percpu_write(void *object)
{
	percpu_down_write(object);
}

static JAM void take_semaphore(void *object)
{
	down(object);
}

static JAM void await_completion(void *object)
{
	wait_for_completion(object);
}

static JAM void await_swait(void *object)
{
	struct swait_queue_head *head = object;

	swait_event_exclusive(*head, READ_ONCE(jam_stop));
}

static JAM void await_queue(void *object)
{
	struct wait_queue_head *head = object;

	wait_event(*head, READ_ONCE(jam_stop));
}

static JAM void await_bit(void *object)
{
	wait_on_bit(object, 3, TASK_UNINTERRUPTIBLE);
}

static JAM void await_variable(void *object)
{
	int *var = object;

	wait_var_event(var, READ_ONCE(*var));
}

/* The completion that a kernel thread ends with. */
static unsigned long exit_of(void *object)
{
	return (unsigned long)jam_cast_of(object)->task->vfork_done;
}

static unsigned long unsaid(void *object)
{
	return 0;
}

static JAM void stop_thread(void *object)
{
	kthread_stop(jam_cast_of(object)->task);
}

static JAM void park_thread(void *object)
{
	kthread_park(jam_cast_of(object)->task);
}

static unsigned long work_of(void *object)
{
	return (unsigned long)&jam_cast_of(object)->work;
}

static JAM void flush_one(void *object)
{
	flush_work(&jam_cast_of(object)->work);
}

static unsigned long queue_of(void *object)
{
	return (unsigned long)*(struct workqueue_struct **)object;
}

static JAM void flush_all(void *object)
{
	__flush_workqueue(*(struct workqueue_struct **)object);
}

static JAM void read_srcu(void *object)
{
	(void)srcu_read_lock(object);
}

static JAM void await_srcu(void *object)
{
	synchronize_srcu(object);
}

static JAM void await_rcu(void *object)
{
	synchronize_rcu();
}

/* Has the lock, and takes no interrupts. */
static JAM void go_dark(void *object)
{
	unsigned long flags;

	spin_lock_irqsave(object, flags);
	while (!READ_ONCE(jam_stop))
		cpu_relax();
	spin_unlock_irqrestore(object, flags);
}

static JAM void take_spin(void *object)
{
	spin_lock(object);
	spin_unlock(object);
}

static void jam_called(void *arg)
{
}

static JAM void call_many(void *object)
{
	preempt_disable();
	smp_call_function_many(cpumask_of(DARK_CPU), jam_called, NULL, true);
	preempt_enable();
}

static JAM void call_one(void *object)
{
	smp_call_function_single(DARK_CPU, jam_called, NULL, true);
}

static const struct jam_way mutex = { "mutex", "-", take_mutex };
static const struct jam_way mutex_softly = { "mutex", "-", take_mutex_softly };
static const struct jam_way ww = { "ww_mutex", "-", take_ww };
static const struct jam_way ww_ctx = { "ww_mutex", "-", take_ww_ctx };
static const struct jam_way to_read = { "rwsem", "read", take_read };
static const struct jam_way to_write = { "rwsem", "write", take_write };
static const struct jam_way rt = { "rt_mutex", "-", take_rt };
static const struct jam_way percpu_read = { "percpu_rwsem", "read", take_percpu_read };
static const struct jam_way percpu_write = { "percpu_rwsem", "write", take_percpu_write };
static const struct jam_way semaphore = { "semaphore", "-", take_semaphore };
static const struct jam_way completion = { "completion", "-", await_completion };
static const struct jam_way swait = { "swait_queue", "-", await_swait };
static const struct jam_way queue = { "wait_queue", "-", await_queue };
static const struct jam_way bit = { "bit", "-", await_bit };
static const struct jam_way variable = { "variable", "-", await_variable };
static const struct jam_way stop = { "kthread_stop", "-", stop_thread, exit_of };
static const struct jam_way park = { "kthread_park", "-", park_thread, unsaid };
static const struct jam_way flush = { "flush_work", "-", flush_one, work_of };
static const struct jam_way flush_queue = { "flush_workqueue", "-", flush_all, queue_of };
static const struct jam_way srcu_reader = { "srcu", "read", read_srcu };
static const struct jam_way srcu = { "srcu", "-", await_srcu };
static const struct jam_way rcu = { "rcu", "-", await_rcu, unsaid };
static const struct jam_way dark = { "spinlock", "has", go_dark };
static const struct jam_way spin = { "spinlock", "-", take_spin };
static const struct jam_way ipi_many = { "ipi", "-", call_many, unsaid };
static const struct jam_way ipi_one = { "ipi", "-", call_one, unsaid };

/* ---- who plays */

#define SLEEPS .round = 1, .way = &completion, .wants = &jam_never, .role = "nobody", .by = ""
#define HAS(w, o) .has_way = &(w), .has = (o)
#define WANTS(r, w, o, ro, b) .round = (r), .way = &(w), .wants = (o), .role = (ro), .by = (b)

static const struct jam_actor jam_actors[] = {
	{ "ring2/0", HAS(mutex, &jam_mutex[0]),
	  WANTS(1, mutex, &jam_mutex[1], "held-by", "ring2/1") },
	{ "ring2/1", HAS(mutex, &jam_mutex[1]),
	  WANTS(1, mutex, &jam_mutex[0], "held-by", "ring2/0") },
	{ "ring3/0", HAS(mutex, &jam_mutex[2]),
	  WANTS(1, mutex, &jam_mutex[3], "held-by", "ring3/1") },
	{ "ring3/1", HAS(mutex, &jam_mutex[3]),
	  WANTS(1, mutex, &jam_mutex[4], "held-by", "ring3/2") },
	{ "ring3/2", HAS(mutex, &jam_mutex[4]),
	  WANTS(1, mutex, &jam_mutex[2], "held-by", "ring3/0") },
	{ "self/0", HAS(mutex, &jam_mutex[5]),
	  WANTS(1, mutex, &jam_mutex[5], "held-by", "self/0") },
	/* behind a ring, and asleep in another state */
	{ "soft/0", WANTS(2, mutex_softly, &jam_mutex[0], "held-by", "ring2/0") },
	/* its owner has ended */
	{ "gone/0", HAS(mutex, &jam_mutex[6]) },
	{ "gone/1", WANTS(2, mutex, &jam_mutex[6], "once-held-by", "gone/0") },
	{ "crowd/0", HAS(mutex, &jam_mutex[7]), SLEEPS },
	/* the first of two is given it, but does not come to run any more */
	{ "pass/0", WANTS(1, mutex, &jam_mutex[8], "woken", ""), .cpu = 4 },
	{ "pass/1", WANTS(2, mutex, &jam_mutex[8], "passing", "") },
	{ "ww/0", HAS(ww, &jam_ww[0]), WANTS(1, ww, &jam_ww[1], "held-by", "ww/1") },
	{ "ww/1", HAS(ww, &jam_ww[1]), WANTS(1, ww, &jam_ww[0], "held-by", "ww/0") },
	{ "wwctx/0", HAS(ww_ctx, &jam_ww[2]), WANTS(1, ww_ctx, &jam_ww[3], "held-by", "wwctx/1") },
	{ "wwctx/1", HAS(ww_ctx, &jam_ww[3]), SLEEPS },
	/* one reads; a writer waits, and behind that another reader and another writer */
	{ "rw/0", HAS(to_read, &jam_rwsem[0]), SLEEPS },
	{ "rw/1", WANTS(1, to_write, &jam_rwsem[0], "read-by", "rw/0") },
	{ "rw/2", WANTS(2, to_read, &jam_rwsem[0], "read-by", "rw/0") },
	{ "rw/3", WANTS(3, to_write, &jam_rwsem[0], "read-by", "rw/0") },
	/* the writer has it */
	{ "rww/0", HAS(to_write, &jam_rwsem[1]), SLEEPS },
	{ "rww/1", WANTS(1, to_read, &jam_rwsem[1], "held-by", "rww/0") },
	{ "rww/2", WANTS(2, to_write, &jam_rwsem[1], "held-by", "rww/0") },
	/* two read, and the owner word has a third one that left */
	{ "stale/0", HAS(to_read, &jam_rwsem[2]), SLEEPS },
	{ "stale/1", HAS(to_read, &jam_rwsem[2]), SLEEPS },
	{ "stale/2", WANTS(1, to_write, &jam_rwsem[2], "read-by", "stale/0 stale/1") },
	/* a deadlock through a reader: only a hint says so */
	{ "hint/0", HAS(to_read, &jam_rwsem[3]),
	  WANTS(1, mutex, &jam_mutex[9], "held-by", "hint/1") },
	{ "hint/1", HAS(mutex, &jam_mutex[9]),
	  WANTS(1, to_write, &jam_rwsem[3], "read-by", "hint/0") },
	/* a deadlock of a mutex and a writer */
	{ "mixed/0", HAS(to_write, &jam_rwsem[4]),
	  WANTS(1, mutex, &jam_mutex[10], "held-by", "mixed/1") },
	{ "mixed/1", HAS(mutex, &jam_mutex[10]),
	  WANTS(1, to_read, &jam_rwsem[4], "held-by", "mixed/0") },
	{ "rt/0", HAS(rt, &jam_rt[0]), SLEEPS },
	{ "rt/1", HAS(rt, &jam_rt[1]), WANTS(1, rt, &jam_rt[0], "held-by", "rt/0") },
	{ "rt/2", WANTS(2, rt, &jam_rt[1], "held-by", "rt/1") },
	{ "percpu/0", HAS(percpu_read, &jam_percpu), SLEEPS },
	{ "percpu/1", WANTS(1, percpu_write, &jam_percpu, "read-by", "percpu/0") },
	{ "percpu/2", WANTS(2, percpu_read, &jam_percpu, "held-by", "percpu/1") },
	{ "percpu/3", WANTS(3, percpu_write, &jam_percpu, "held-by", "percpu/1") },
	{ "sem/0", HAS(semaphore, &jam_sem), SLEEPS },
	{ "sem/1", WANTS(1, semaphore, &jam_sem, "perhaps", "sem/0") },
	{ "done/0", WANTS(1, completion, &jam_done_by_nobody, "nobody", "") },
	{ "swait/0", WANTS(1, swait, &jam_swait, "nobody", "") },
	{ "queue/0", WANTS(1, queue, &jam_queue, "nobody", "") },
	{ "bit/0", WANTS(1, bit, &jam_bits, "nobody", "") },
	{ "var/0", WANTS(1, variable, &jam_variable, "nobody", "") },
	{ "stop/0", SLEEPS },
	{ "stop/1", WANTS(2, stop, "stop/0", "up-to", "stop/0") },
	{ "park/0", SLEEPS },
	{ "park/1", WANTS(2, park, "park/0", "up-to", "park/0") },
	/* two works that flush each other */
	{ "work/0", WANTS(1, flush, "work/1", "up-to", "work/1"), .queue = 1 },
	{ "work/1", WANTS(1, flush, "work/0", "up-to", "work/0"), .queue = 1 },
	{ "work/2", SLEEPS, .queue = 1 },
	{ "flush/0", WANTS(2, flush, "work/2", "up-to", "work/2") },
	{ "flush/1", WANTS(3, flush_queue, &jam_wq[0], "up-to", "work/0 work/1 work/2") },
	/* a queue of which one work runs at a time: the second has not begun */
	{ "work/3", SLEEPS, .queue = 2 },
	{ "work/4", .queue = 2 },
	{ "flush/2", WANTS(2, flush, "work/4", "up-to", "work/3") },
	{ "drain/0", WANTS(1, flush_queue, &jam_wq[2], "up-to", "drain/0"), .queue = 3 },
	{ "srcu/0", HAS(srcu_reader, &jam_srcu), WANTS(1, srcu, &jam_srcu, "likely", "srcu/0") },
	/* from here on CPUs are lost one by one */
	{ "spin/0", WANTS(5, dark, &jam_spin, "on-cpu", "5"), .cpu = 6 },
	{ "spin/1", WANTS(6, spin, &jam_spin, "likely", "spin/0"), .cpu = 5 },
	{ "spin/2", WANTS(7, spin, &jam_spin, "likely", "spin/0"), .cpu = 4 },
	{ "ipi/0", WANTS(8, ipi_many, NULL, "up-to-cpu", "5"), .cpu = 3 },
	{ "ipi/1", WANTS(8, ipi_one, NULL, "up-to-cpu", "5"), .cpu = 2 },
	{ "rcu/0", WANTS(9, rcu, NULL, "up-to-cpu", "1 2 3 4 5"), .cpu = 1 },
};

/* The deadlocks among them, and the one of which a hint is all there is. */
static const char *const jam_cycles[] = { "ring2/0 ring2/1", "ring3/0 ring3/1 ring3/2",
					  "self/0",          "ww/0 ww/1",
					  "mixed/0 mixed/1", "work/0 work/1",
					  "drain/0" };
static const char *const jam_doubtful[] = { "hint/0 hint/1" };

struct jam_cast *jam_cast_of(const char *name)
{
	for (int i = 0; i < jam_n; i++)
		if (!strcmp(jam_casts[i].name, name))
			return &jam_casts[i];
	return NULL;
}

/* Names become process numbers; what is none stays as it is. */
static void pids_of(const char *names, char *ret, size_t size)
{
	char room[80], *rest = room, *name;
	size_t n = 0;

	strscpy(room, names, sizeof(room));
	ret[0] = '\0';
	while ((name = strsep(&rest, " "))) {
		const struct jam_cast *cast = jam_cast_of(name);

		if (cast && cast->task)
			n += scnprintf(ret + n, size - n, " %d", cast->task->pid);
		else if (*name)
			n += scnprintf(ret + n, size - n, " %s", name);
	}
}

static JAM void jam_say(const struct jam_cast *cast)
{
	const struct jam_actor *a = &cast->actor;
	unsigned long at = a->way->address ? a->way->address(a->wants) : (unsigned long)a->wants;
	char by[80];

	if (a->cpu > 1 && a->round > LAST_SLEEP)
		pr_info("jam: %d %s runs %d\n", current->pid, cast->name, a->cpu - 1);
	pids_of(a->by, by, sizeof(by));
	pr_info("jam: %d %s wants %s %#lx %s %s%s\n", current->pid, cast->name, a->way->kind, at,
		a->way->mode, a->role, by);
}

static JAM void jam_act(struct jam_cast *cast)
{
	const struct jam_actor *a = &cast->actor;

	if (a->has)
		a->has_way->wait(a->has);
	cast->task = current;
	WRITE_ONCE(cast->ready, true);
	if (!a->way)
		return;
	wait_event_idle(jam_rounds, READ_ONCE(jam_round) >= a->round);
	jam_say(cast);
	WRITE_ONCE(cast->said, true);
	a->way->wait(a->wants);
	pr_info("jam: %s lives on\n", cast->name);
}

static int jam_thread(void *data)
{
	jam_act(data);
	return 0;
}

static void jam_work(struct work_struct *work)
{
	jam_act(container_of(work, struct jam_cast, work));
}

static void cast_add(const struct jam_actor *a, const char *name)
{
	struct jam_cast *cast = &jam_casts[jam_n++];

	cast->actor = *a;
	strscpy(cast->name, name, sizeof(cast->name));
}

static void cast_start(struct jam_cast *cast)
{
	const struct jam_actor *a = &cast->actor;

	if (a->queue) {
		INIT_WORK(&cast->work, jam_work);
		queue_work(jam_wq[a->queue - 1], &cast->work);
		return;
	}
	cast->task = kthread_create(jam_thread, cast, "%s", cast->name);
	if (IS_ERR(cast->task)) {
		cast->task = NULL;
		return;
	}
	get_task_struct(cast->task);
	if (a->cpu)
		kthread_bind(cast->task, a->cpu - 1);
	wake_up_process(cast->task);
}

/* ---- the play */

static void objects_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(jam_mutex); i++)
		mutex_init(&jam_mutex[i]);
	for (i = 0; i < ARRAY_SIZE(jam_ww); i++)
		ww_mutex_init(&jam_ww[i], &jam_ww_class);
	for (i = 0; i < ARRAY_SIZE(jam_rwsem); i++)
		init_rwsem(&jam_rwsem[i]);
	for (i = 0; i < ARRAY_SIZE(jam_rt); i++)
		rt_mutex_init(&jam_rt[i]);
	if (percpu_init_rwsem(&jam_percpu))
		pr_info("jam: no percpu_rwsem\n");
	sema_init(&jam_sem, 1);
	set_bit(3, &jam_bits);
	jam_wq[0] = alloc_workqueue("jam_many", WQ_UNBOUND, 0);
	jam_wq[1] = alloc_ordered_workqueue("jam_ordered", 0);
	jam_wq[2] = alloc_workqueue("jam_self", WQ_UNBOUND, 0);
}

static void everybody_starts(void)
{
	struct jam_actor crowd = { WANTS(3, mutex, &jam_mutex[7], "held-by", "crowd/0") };
	char name[16];
	int i;

	for (i = 0; i < ARRAY_SIZE(jam_actors); i++)
		cast_add(&jam_actors[i], jam_actors[i].name);
	for (i = 1; i <= CROWD; i++) {
		snprintf(name, sizeof(name), "crowd/%d", i);
		cast_add(&crowd, name);
	}
	for (i = 0; i < jam_n; i++)
		cast_start(&jam_casts[i]);
	for (i = 0; i < jam_n; i++) /* the second work of the ordered queue never begins */
		while (!READ_ONCE(jam_casts[i].ready) && strcmp(jam_casts[i].name, "work/4"))
			msleep(10);
}

/* Until everybody of the round sleeps; who spins must have said so. */
static void round_wait(int round)
{
	for (int i = 0; i < jam_n; i++) {
		struct jam_cast *cast = &jam_casts[i];

		if (!cast->actor.way || cast->actor.round != round)
			continue;
		/* no timer is sure to come when CPUs are lost: this one stays busy */
		while (!READ_ONCE(cast->said) ||
		       (round <= LAST_SLEEP && READ_ONCE(cast->task->__state) == TASK_RUNNING)) {
			mdelay(2);
			schedule();
		}
	}
	for (int i = 0; i < 50; i++) {
		mdelay(2);
		schedule();
	}
}

void jam_locks(void)
{
	char pids[80];
	int i;

	objects_init();
	mutex_lock(&jam_mutex[8]);
	everybody_starts();
	/* the last reader, which leaves */
	down_read(&jam_rwsem[2]);
	up_read(&jam_rwsem[2]);
	set_cpus_allowed_ptr(current, cpumask_of(0));
	for (i = 1; i <= LAST_ROUND; i++) {
		WRITE_ONCE(jam_round, i);
		wake_up_all(&jam_rounds);
		round_wait(i);
	}
	/* so long that nobody takes a CPU that hears of nothing for a slow one, however fast the
	 * rounds were */
	for (i = 0; i < 1000; i++) {
		mdelay(2);
		schedule();
	}
	mutex_unlock(&jam_mutex[8]);
	for (i = 0; i < ARRAY_SIZE(jam_cycles); i++) {
		pids_of(jam_cycles[i], pids, sizeof(pids));
		pr_info("jam: cycle%s\n", pids);
	}
	for (i = 0; i < ARRAY_SIZE(jam_doubtful); i++) {
		pids_of(jam_doubtful[i], pids, sizeof(pids));
		pr_info("jam: doubtful%s\n", pids);
	}
	pr_info("jam: all wait\n");
}
