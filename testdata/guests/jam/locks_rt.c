// SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later
/* The standstill of PREEMPT_RT, where all locks but raw ones sleep. Each says so before it waits.
 */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>

#include "jam.h"

#define CASTS 64
#define LAST_ROUND 4

static struct mutex jam_mutex[16];
static struct ww_mutex jam_ww[4];
static DEFINE_WW_CLASS(jam_ww_class);
static struct rw_semaphore jam_rwsem[8];
static struct rt_mutex jam_rt[2];
static spinlock_t jam_spin[4];
static rwlock_t jam_rwlock[4];
static DECLARE_COMPLETION(jam_never);
static DECLARE_WAIT_QUEUE_HEAD(jam_rounds);
static int jam_round;
static int jam_stop;
static struct jam_cast jam_casts[CASTS];
static int jam_n;

static JAM void take_mutex(void *object)
{
	mutex_lock(object);
	barrier();
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
static JAM void take_read(void *object)
{
	down_read(object);
}
static JAM void take_write(void *object)
{
	down_write(object);
}
static JAM void take_write_killably(void *object)
{
	if (down_write_killable(object))
		pr_info("jam: killed\n");
}
static JAM void take_rt(void *object)
{
	rt_mutex_lock(object);
}
static JAM void await_completion(void *object)
{
	wait_for_completion(object);
}
static JAM void take_spin(void *object)
{
	spin_lock(object);
}
static JAM void take_spin_irq(void *object)
{
	unsigned long flags;

	spin_lock_irqsave(object, flags);
}
static JAM void read_rwlock(void *object)
{
	read_lock(object);
}
static JAM void write_rwlock(void *object)
{
	write_lock(object);
}
/* has three of them, and keeps a CPU */
static JAM void stay_busy(void *object)
{
	spin_lock(&jam_spin[2]);
	write_lock(&jam_rwlock[0]);
	read_lock(&jam_rwlock[1]);
	WRITE_ONCE(jam_cast_of("busy/0")->task, current);
	WRITE_ONCE(jam_cast_of("busy/0")->ready, true);
	while (!READ_ONCE(jam_stop))
		cpu_relax();
}

static const struct jam_way mutex = { "mutex", "-", take_mutex };
static const struct jam_way mutex_softly = { "mutex", "-", take_mutex_softly };
static const struct jam_way ww = { "ww_mutex", "-", take_ww };
static const struct jam_way to_read = { "rwsem", "read", take_read };
static const struct jam_way to_write = { "rwsem", "write", take_write };
static const struct jam_way to_write_k = { "rwsem", "write", take_write_killably };
static const struct jam_way rt = { "rt_mutex", "-", take_rt };
static const struct jam_way completion = { "completion", "-", await_completion };
static const struct jam_way spin = { "spinlock", "-", take_spin };
static const struct jam_way spin_irq = { "spinlock", "-", take_spin_irq };
static const struct jam_way rw_read = { "rwlock", "read", read_rwlock };
static const struct jam_way rw_write = { "rwlock", "write", write_rwlock };
static JAM void await_rcu(void *object)
{
	synchronize_rcu();
}
static const struct jam_way rcu = { "rcu", "-", await_rcu };
static const struct jam_way busy = { "busy", "-", stay_busy };

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
	{ "soft/0", WANTS(2, mutex_softly, &jam_mutex[0], "held-by", "ring2/0") },
	{ "gone/0", HAS(mutex, &jam_mutex[6]) },
	{ "gone/1", WANTS(2, mutex, &jam_mutex[6], "once-held-by", "gone/0") },
	{ "ww/0", HAS(ww, &jam_ww[0]), WANTS(1, ww, &jam_ww[1], "held-by", "ww/1") },
	{ "ww/1", HAS(ww, &jam_ww[1]), WANTS(1, ww, &jam_ww[0], "held-by", "ww/0") },
	/* one reads; the writer that waits has the rtmutex, for which the others wait */
	{ "rw/0", HAS(to_read, &jam_rwsem[0]), SLEEPS },
	{ "rw/1", WANTS(1, to_write, &jam_rwsem[0], "read-by", "rw/0") },
	{ "rw/2", WANTS(2, to_read, &jam_rwsem[0], "held-by", "rw/1") },
	{ "rw/3", WANTS(3, to_write_k, &jam_rwsem[0], "held-by", "rw/1") },
	{ "rww/0", HAS(to_write, &jam_rwsem[1]), SLEEPS },
	{ "rww/1", WANTS(1, to_read, &jam_rwsem[1], "held-by", "rww/0") },
	{ "rww/2", WANTS(2, to_write, &jam_rwsem[1], "held-by", "rww/0") },
	{ "hint/0", HAS(to_read, &jam_rwsem[3]),
	  WANTS(1, mutex, &jam_mutex[9], "held-by", "hint/1") },
	{ "hint/1", HAS(mutex, &jam_mutex[9]),
	  WANTS(1, to_write, &jam_rwsem[3], "read-by", "hint/0") },
	{ "mixed/0", HAS(to_write, &jam_rwsem[4]),
	  WANTS(1, mutex, &jam_mutex[10], "held-by", "mixed/1") },
	{ "mixed/1", HAS(mutex, &jam_mutex[10]),
	  WANTS(1, to_read, &jam_rwsem[4], "held-by", "mixed/0") },
	{ "rt/0", HAS(rt, &jam_rt[0]), SLEEPS },
	{ "rt/1", HAS(rt, &jam_rt[1]), WANTS(1, rt, &jam_rt[0], "held-by", "rt/0") },
	{ "rt/2", WANTS(2, rt, &jam_rt[1], "held-by", "rt/1") },
	/* who has a spinlock reads RCU as well */
	{ "rcu/0", WANTS(2, rcu, NULL, "perhaps", "spin/0 spin/1 busy/0 keen/0 keen/2") },
	/* spinlocks sleep */
	{ "spin/0", HAS(spin, &jam_spin[0]), WANTS(1, spin, &jam_spin[1], "held-by", "spin/1") },
	{ "spin/1", HAS(spin, &jam_spin[1]),
	  WANTS(1, spin_irq, &jam_spin[0], "held-by", "spin/0") },
	{ "busy/0", HAS(busy, &jam_never), .cpu = 3 },
	{ "keen/0", WANTS(1, spin, &jam_spin[2], "held-by", "busy/0") },
	{ "keen/1", WANTS(2, spin_irq, &jam_spin[2], "held-by", "busy/0") },
	{ "keen/2", WANTS(1, rw_read, &jam_rwlock[0], "held-by", "busy/0") },
	{ "keen/3", WANTS(2, rw_write, &jam_rwlock[0], "held-by", "busy/0") },
	{ "keen/4", WANTS(1, rw_write, &jam_rwlock[1], "read-by", "busy/0") },
	{ "keen/5", WANTS(2, rw_read, &jam_rwlock[1], "held-by", "keen/4") },
};

static const char *const jam_cycles[] = { "ring2/0 ring2/1", "ring3/0 ring3/1 ring3/2", "ww/0 ww/1",
					  "mixed/0 mixed/1", "spin/0 spin/1" };

struct jam_cast *jam_cast_of(const char *name)
{
	for (int i = 0; i < jam_n; i++)
		if (!strcmp(jam_casts[i].name, name))
			return &jam_casts[i];
	return NULL;
}

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
	char by[80];

	pids_of(a->by, by, sizeof(by));
	pr_info("jam: %d %s wants %s %#lx %s %s%s\n", current->pid, cast->name, a->way->kind,
		(unsigned long)a->wants, a->way->mode, a->role, by);
}

static JAM int jam_thread(void *data)
{
	struct jam_cast *cast = data;
	const struct jam_actor *a = &cast->actor;

	if (a->has)
		a->has_way->wait(a->has);
	cast->task = current;
	WRITE_ONCE(cast->ready, true);
	if (!a->way)
		return 0;
	wait_event_idle(jam_rounds, READ_ONCE(jam_round) >= a->round);
	jam_say(cast);
	WRITE_ONCE(cast->said, true);
	a->way->wait(a->wants);
	pr_info("jam: %s lives on\n", cast->name);
	return 0;
}

static void cast_start(const struct jam_actor *a)
{
	struct jam_cast *cast = &jam_casts[jam_n++];

	cast->actor = *a;
	strscpy(cast->name, a->name, sizeof(cast->name));
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

static void round_wait(int round)
{
	for (int i = 0; i < jam_n; i++) {
		struct jam_cast *cast = &jam_casts[i];

		if (!cast->actor.way || cast->actor.round != round)
			continue;
		while (!READ_ONCE(cast->said) || READ_ONCE(cast->task->__state) == TASK_RUNNING)
			msleep(2);
	}
	msleep(100);
}

void jam_locks(void)
{
	char pids[80];
	int i;

	for (i = 0; i < ARRAY_SIZE(jam_mutex); i++)
		mutex_init(&jam_mutex[i]);
	for (i = 0; i < ARRAY_SIZE(jam_ww); i++)
		ww_mutex_init(&jam_ww[i], &jam_ww_class);
	for (i = 0; i < ARRAY_SIZE(jam_rwsem); i++)
		init_rwsem(&jam_rwsem[i]);
	for (i = 0; i < ARRAY_SIZE(jam_rt); i++)
		rt_mutex_init(&jam_rt[i]);
	for (i = 0; i < ARRAY_SIZE(jam_spin); i++)
		spin_lock_init(&jam_spin[i]);
	for (i = 0; i < ARRAY_SIZE(jam_rwlock); i++)
		rwlock_init(&jam_rwlock[i]);
	for (i = 0; i < ARRAY_SIZE(jam_actors); i++)
		cast_start(&jam_actors[i]);
	for (i = 0; i < jam_n; i++)
		while (!READ_ONCE(jam_casts[i].ready))
			msleep(10);
	for (i = 1; i <= LAST_ROUND; i++) {
		WRITE_ONCE(jam_round, i);
		wake_up_all(&jam_rounds);
		round_wait(i);
	}
	msleep(1000);
	for (i = 0; i < ARRAY_SIZE(jam_cycles); i++) {
		pids_of(jam_cycles[i], pids, sizeof(pids));
		pr_info("jam: cycle%s\n", pids);
	}
	pr_info("jam: all wait\n");
}
