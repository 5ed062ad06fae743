/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where checks begin to warn and to fail, on both sides of each limit, in memory that is made up.
 * The limits are the kernel's own, or a person's, which is said beside them. */
#include "core/base/test.h"
#include "core/verdict/sick_fake.h"

#define SECOND SICK_SECOND
#define MS UINT64_C(1000000)

extern const struct checkup check_cpus, check_timers, check_runq, check_rcu, check_workqueues,
	check_net, check_memory, check_fragments, check_hung, check_deadlock;

static void no_note(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

/* What a check says of the fake; CHECK_UNKNOWN with its reason in f.why when it could not look. */
static enum check_state look(struct sick_fake *f, const struct checkup *c)
{
	struct err err;

	f->g.note = no_note;
	/* triage has the graph itself, not a pointer to one */
	memcpy(&f->g.graph, &f->w.g, sizeof(f->g.graph));
	f->f = (struct finding){ .check = c, .state = CHECK_UNKNOWN };
	f->f.why.code = ERR_OK;
	if (!c->look(&f->g, &f->f, &err)) {
		f->f.why = err;
		f->f.state = CHECK_UNKNOWN;
	}
	CHECK(!f->f.claim || verdict_has_word(f->f.claim->kind, strlen(f->f.claim->kind)));
	return f->f.state;
}

/* A word of memory, what it is set to, and what a check must say then. */
struct limit {
	const struct checkup *check;
	uint64_t at, value;
	enum check_state state;
};

static void check_limit(const struct limit *l, size_t i)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	put64(&f.w.k, l->at, l->value);
	if (look(&f, l->check) != l->state)
		printf("  limit %zu of %s: %s, %s\n", i, l->check->name,
		       check_state_name(f.f.state), f.f.text ? f.f.text : f.f.why.msg);
	CHECK(f.f.state == l->state);
	/* what fails must say what it explains; what is well accuses nobody */
	if (l->state == CHECK_FAIL)
		CHECK(f.f.claim != NULL);
	if (l->state == CHECK_OK)
		CHECK(!f.f.claim);
	sick_fake_release(&f);
}
#define LIMITS(table)                                     \
	for (size_t i_ = 0; i_ < ARRAY_SIZE(table); i_++) \
	check_limit(&(table)[i_], i_)

/* Nothing is wrong with the fake: else no limit below would be tested. */
TEST(all_is_well)
{
	static const struct checkup *const all[] = {
		&check_cpus, &check_timers, &check_runq,      &check_rcu,  &check_workqueues,
		&check_net,  &check_memory, &check_fragments, &check_hung, &check_deadlock,
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		sick_fake_init(&f);
		if (look(&f, all[i]) != CHECK_OK)
			printf("  %s: %s\n", all[i]->name, f.f.text ? f.f.text : f.f.why.msg);
		CHECK(f.f.state == CHECK_OK);
		sick_fake_release(&f);
	}
}

/* kernel/watchdog.c: get_softlockup_thresh() is twice watchdog_thresh; the touch counts units of
 * 2^30 ns. */
#define TOUCHED(cpu, ago) SICK_PERCPU(cpu) + SICK_TOUCH, (SICK_NOW - (ago)) >> 30
TEST(cpus_without_a_pause)
{
	static const struct limit limits[] = {
		/* the unit alone may make 1.07 s of nothing */
		{ &check_cpus, TOUCHED(1, 8 * SECOND), CHECK_OK },
		{ &check_cpus, TOUCHED(1, 11 * SECOND), CHECK_WARN },
		{ &check_cpus, TOUCHED(0, 18 * SECOND), CHECK_WARN },
		{ &check_cpus, TOUCHED(0, 21 * SECOND), CHECK_FAIL },
		/* it was just told to begin anew, and is on: kernel/watchdog.c,
		   SOFTLOCKUP_DELAY_REPORT */
		{ &check_cpus, SICK_PERCPU(0) + SICK_TOUCH, UINT64_MAX, CHECK_OK },
		{ &check_cpus, SICK_PERCPU(0) + SICK_TOUCH, 0, CHECK_OK },
		/* a clock ahead of the log's end is no time that passed */
		{ &check_cpus, SICK_PERCPU(0) + SICK_TOUCH, (SICK_NOW >> 30) + 100, CHECK_OK },
	};
	static struct sick_fake f;

	LIMITS(limits);
	/* with another threshold */
	sick_fake_init(&f);
	put32(&f.w.k, SICK_VARS + SV_THRESH, 30);
	put64(&f.w.k, TOUCHED(1, 29 * SECOND));
	CHECK_U64(look(&f, &check_cpus), CHECK_OK);
	put64(&f.w.k, TOUCHED(1, 59 * SECOND));
	CHECK_U64(look(&f, &check_cpus), CHECK_WARN);
	put64(&f.w.k, TOUCHED(1, 62 * SECOND));
	CHECK_U64(look(&f, &check_cpus), CHECK_FAIL);
	CHECK_STR(f.f.claim->kind, "soft-lockup");
	CHECK_U64((uint64_t)f.f.claim->pid, 101);
	CHECK_U64((uint64_t)f.f.claim->cpu, 1);
	CHECK_U64(f.f.claim->sure, SURE_LIKELY);
	/* 0 turns the watchdog off, and nonsense is not taken: 10 s are the default */
	for (uint32_t thresh = 0; thresh < 2; thresh++) {
		put32(&f.w.k, SICK_VARS + SV_THRESH, thresh * 3600);
		put64(&f.w.k, TOUCHED(1, 19 * SECOND));
		CHECK_U64(look(&f, &check_cpus), CHECK_WARN);
		put64(&f.w.k, TOUCHED(1, 22 * SECOND));
		CHECK_U64(look(&f, &check_cpus), CHECK_FAIL);
	}
	sick_fake_release(&f);
	/* the watchdog of an idle CPU need not run at all */
	sick_fake_init(&f);
	put32(&f.w.k, WAIT_TASK(1) + ST_PID, 0);
	put64(&f.w.k, TOUCHED(1, 100 * SECOND));
	CHECK_U64(look(&f, &check_cpus), CHECK_OK);
	sick_fake_release(&f);
	/* of two the one that is worse is told */
	sick_fake_init(&f);
	put64(&f.w.k, TOUCHED(0, 40 * SECOND));
	put64(&f.w.k, TOUCHED(1, 30 * SECOND));
	CHECK_U64(look(&f, &check_cpus), CHECK_FAIL);
	CHECK_U64((uint64_t)f.f.claim->cpu, 0);
	sick_fake_release(&f);
}

/* Who cannot look does not say that all is well. */
TEST(a_watchdog_that_is_off)
{
	static struct sick_fake f;

	sick_fake_init(&f);
	put64(&f.w.k, SICK_VARS + SV_WATCHDOG, 1); /* that of hard lockups alone */
	for (unsigned cpu = 0; cpu < 2; cpu++)
		put64(&f.w.k, SICK_PERCPU(cpu) + SICK_TOUCH, 0);
	CHECK_U64(look(&f, &check_cpus), CHECK_UNKNOWN);
	CHECK_ERR(f.f.why, ERR_NOTFOUND);
	f.g.has_now = false;
	CHECK_U64(look(&f, &check_cpus), CHECK_UNKNOWN);
	CHECK_ERR(f.f.why, ERR_NEED);
	sick_fake_release(&f);
}

/* An interrupt that is late by a second is not chance: timers are late by milliseconds. By 10 s the
 * watchdog of hard lockups takes notice (watchdog_thresh). */
#define NEXT(cpu) (SICK_PERCPU(cpu) + SICK_HRTIMERS + 8)
#define WHEEL(cpu, i) (SICK_PERCPU(cpu) + SICK_TIMERS + (i)*16 + 8)
TEST(timers_that_are_overdue)
{
	static const struct limit limits[] = {
		{ &check_timers, NEXT(0), SICK_NOW - SECOND + 1, CHECK_OK },
		{ &check_timers, NEXT(0), SICK_NOW - SECOND, CHECK_WARN },
		{ &check_timers, NEXT(1), SICK_NOW - 10 * SECOND + 1, CHECK_WARN },
		{ &check_timers, NEXT(1), SICK_NOW - 10 * SECOND, CHECK_FAIL },
		/* without high resolution nobody keeps the time of the next one */
		{ &check_timers, SICK_PERCPU(0) + SICK_HRTIMERS, 0, CHECK_OK },
		/* KTIME_MAX: there is none */
		{ &check_timers, NEXT(0), INT64_MAX, CHECK_OK },
		/* a wheel is only told where it is late by a second more than the interrupts are: 1
		   jiffy = 1 ms */
		{ &check_timers, WHEEL(0, 0), SICK_JIFFIES - 1000, CHECK_OK },
		{ &check_timers, WHEEL(0, 0), SICK_JIFFIES - 1001, CHECK_WARN },
		{ &check_timers, WHEEL(1, 1), SICK_JIFFIES - 9999, CHECK_WARN },
		{ &check_timers, WHEEL(1, 1), SICK_JIFFIES - 10000, CHECK_FAIL },
		/* the last wheel has the timers that do not wake an idle CPU */
		{ &check_timers, WHEEL(0, 2), SICK_JIFFIES - 100000, CHECK_OK },
		/* an empty wheel names a time 2^30 jiffies away, include/linux/timer.h: it was set
		   long ago */
		{ &check_timers, WHEEL(0, 0), SICK_JIFFIES - 0x20000000, CHECK_OK },
	};
	static struct sick_fake f;

	LIMITS(limits);
	sick_fake_init(&f);
	put64(&f.w.k, NEXT(1), SICK_NOW - 12 * SECOND);
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	CHECK_STR(f.f.claim->kind, "hard-lockup");
	CHECK_U64((uint64_t)f.f.claim->pid, 101);
	CHECK_U64((uint64_t)f.f.claim->cpu, 1);
	/* interrupts were off there while it told of its own end: of an oops, not of a watchdog's
	 */
	f.g.death = (struct death){ .way = WAY_OOPS, .pid = 101, .cpu = 1 };
	CHECK_U64(look(&f, &check_timers), CHECK_OK);
	f.g.death.way = WAY_PANIC;
	CHECK_U64(look(&f, &check_timers), CHECK_OK);
	f.g.death.way = WAY_SYSRQ;
	CHECK_U64(look(&f, &check_timers), CHECK_OK);
	f.g.death.cpu = 0;
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	f.g.death = (struct death){ .way = WAY_HARD_LOCKUP, .pid = 101, .cpu = 1 };
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	f.g.death.way = WAY_SOFT_LOCKUP;
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	f.g.death.way = WAY_RCU;
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	f.g.death.way = WAY_NMI;
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	sick_fake_release(&f);
	/* soft interrupts that are late are another thing than interrupts */
	sick_fake_init(&f);
	put64(&f.w.k, WHEEL(0, 1), SICK_JIFFIES - 20000);
	CHECK_U64(look(&f, &check_timers), CHECK_FAIL);
	CHECK_STR(f.f.claim->kind, "softirqs-off");
	CHECK_U64((uint64_t)f.f.claim->cpu, 0);
	sick_fake_release(&f);
}

/* Task 2 waits in the fair queue of CPU 0 since then. */
static void put_waiting(struct sick_fake *f, uint64_t since)
{
	const uint64_t node = WAIT_TASK(2) + ST_FAIR;

	put_list(&f->w.k, SICK_PERCPU(0) + SICK_RQ + SQ_CFS, &node, 1);
	put64(&f->w.k, WAIT_TASK(2) + ST_QUEUED, since);
}

/* A person notices 2 s; after 20 s the watchdog of soft lockups would have (2 * watchdog_thresh).
 */
TEST(tasks_that_starve)
{
	static const struct {
		uint64_t since;
		enum check_state state;
	} waits[] = {
		{ SICK_NOW - 2 * SECOND + 1, CHECK_OK },
		{ SICK_NOW - 2 * SECOND, CHECK_WARN },
		{ SICK_NOW - 20 * SECOND + 1, CHECK_WARN },
		{ SICK_NOW - 20 * SECOND, CHECK_FAIL },
		{ 0, CHECK_OK },            /* it sleeps, and is yet to leave the queue */
		{ SICK_NOW + 1, CHECK_OK }, /* nonsense */
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(waits); i++) {
		sick_fake_init(&f);
		put_waiting(&f, waits[i].since);
		CHECK_U64(look(&f, &check_runq), waits[i].state);
		sick_fake_release(&f);
	}
	/* the one that has the CPU is to blame, and how it is let to */
	sick_fake_init(&f);
	put_waiting(&f, SICK_NOW - 30 * SECOND);
	put32(&f.w.k, WAIT_TASK(0) + ST_POLICY, 1);
	put32(&f.w.k, WAIT_TASK(0) + ST_PRIORITY, 99);
	REQUIRE(look(&f, &check_runq) == CHECK_FAIL);
	CHECK_U64((uint64_t)f.f.claim->pid, 100);
	CHECK(strstr(f.f.claim->sentence, "task[102] has waited 30.0 s for CPU 0, which task[100] "
					  "(SCHED_FIFO 99) has"));
	put32(&f.w.k, WAIT_TASK(0) + ST_POLICY, 2);
	REQUIRE(look(&f, &check_runq) == CHECK_FAIL);
	CHECK(strstr(f.f.claim->sentence, "which task[100] (SCHED_RR 99) has"));
	put32(&f.w.k, WAIT_TASK(0) + ST_POLICY, 6);
	REQUIRE(look(&f, &check_runq) == CHECK_FAIL);
	CHECK(strstr(f.f.claim->sentence, "which task[100] (SCHED_DEADLINE) has"));
	put32(&f.w.k, WAIT_TASK(0) + ST_POLICY, 0);
	REQUIRE(look(&f, &check_runq) == CHECK_FAIL);
	CHECK(strstr(f.f.claim->sentence, "which task[100] has"));
	/* the one that waits longest is told, wherever it stands */
	put_list(&f.w.k, SICK_PERCPU(0) + SICK_RQ + SQ_CFS,
		 (const uint64_t[]){ WAIT_TASK(3) + ST_FAIR, WAIT_TASK(2) + ST_FAIR }, 2);
	put64(&f.w.k, WAIT_TASK(3) + ST_QUEUED, SICK_NOW - 3 * SECOND);
	REQUIRE(look(&f, &check_runq) == CHECK_FAIL);
	CHECK(strstr(f.f.claim->sentence, "task[102] has waited 30.0 s for CPU 0"));
	/* the clock of a stuck CPU stands still: that of the others tells what time it is */
	put64(&f.w.k, SICK_PERCPU(0) + SICK_RQ + SQ_CLOCK, SICK_NOW - 30 * SECOND);
	CHECK_U64(look(&f, &check_runq), CHECK_FAIL);
	put64(&f.w.k, SICK_PERCPU(0) + SICK_RQ + SQ_CLOCK, SICK_NOW);
	put64(&f.w.k, SICK_PERCPU(1) + SICK_RQ + SQ_CLOCK, SICK_NOW - 30 * SECOND);
	CHECK_U64(look(&f, &check_runq), CHECK_FAIL);
	/* who runs waits for nothing */
	put64(&f.w.k, SICK_PERCPU(0) + SICK_RQ + SQ_CURR, WAIT_TASK(2));
	sick_fake_release(&f);
	sick_fake_init(&f);
	put_waiting(&f, SICK_NOW - 30 * SECOND);
	put64(&f.w.k, SICK_PERCPU(0) + SICK_RQ + SQ_CURR, WAIT_TASK(2));
	CHECK_U64(look(&f, &check_runq), CHECK_OK);
	put32(&f.w.k, SICK_PERCPU(1) + SICK_RQ + SQ_THROTTLED, 1);
	CHECK_U64(look(&f, &check_runq), CHECK_WARN);
	CHECK_STR(f.f.text, "1 CPUs keep real-time tasks from running for a while");
	sick_fake_release(&f);
}

/* A grace period that began so long ago, in ms. */
static enum check_state grace_period(struct sick_fake *f, uint64_t seq, uint64_t age)
{
	sick_fake_init(f);
	put64(&f->w.k, WAIT_RCU + SR_SEQ, seq);
	put64(&f->w.k, WAIT_RCU + SR_START, SICK_JIFFIES - age);
	put64(&f->w.k, WAIT_RCU + SR_ACTIVITY, SICK_JIFFIES - age);
	return look(f, &check_rcu);
}

/* kernel/rcu/tree_stall.h: a stall is reported after rcu_cpu_stall_timeout seconds (21 by default,
 * 300 at most). The low two bits of gp_seq tell whether a grace period is under way:
 * kernel/rcu/rcu.h, RCU_SEQ_STATE_MASK. */
TEST(grace_periods_that_last)
{
	static struct sick_fake f;

	CHECK_U64(grace_period(&f, 0x101, 10499), CHECK_OK);
	sick_fake_release(&f);
	CHECK_U64(grace_period(&f, 0x101, 10500), CHECK_WARN);
	sick_fake_release(&f);
	CHECK_U64(grace_period(&f, 0x102, 20999), CHECK_WARN);
	sick_fake_release(&f);
	CHECK_U64(grace_period(&f, 0x101, 21000), CHECK_FAIL);
	CHECK_STR(f.f.claim->kind, "rcu-stall");
	/* the limit of this kernel */
	put32(&f.w.k, SICK_VARS + SV_STALL, 60);
	CHECK_U64(look(&f, &check_rcu), CHECK_OK);
	put32(&f.w.k, SICK_VARS + SV_STALL, 300);
	CHECK_U64(look(&f, &check_rcu), CHECK_OK);
	put32(&f.w.k, SICK_VARS + SV_STALL, 301);
	CHECK_U64(look(&f, &check_rcu), CHECK_FAIL);
	put32(&f.w.k, SICK_VARS + SV_STALL, 0);
	CHECK_U64(look(&f, &check_rcu), CHECK_FAIL);
	sick_fake_release(&f);
	/* of one whose times are not known nobody can say how long it lasts */
	for (int i = 1; i < 3; i++) {
		sick_fake_init(&f);
		for (size_t n = 0; n < f.w.k.n_types; n++)
			if (!strcmp(f.w.k.types[n]->name, "rcu_state"))
				f.w.k.types[n]->members[i].name = "unknown";
		put64(&f.w.k, WAIT_RCU + SR_SEQ, 0x101);
		CHECK_U64(look(&f, &check_rcu), CHECK_UNKNOWN);
		CHECK(!f.f.claim);
		sick_fake_release(&f);
	}
	/* none is under way, however old the last one is */
	CHECK_U64(grace_period(&f, 0x104, 1000000), CHECK_OK);
	CHECK_STR(f.f.text, "no grace period is under way");
	sick_fake_release(&f);
}

/* wq_watchdog_thresh is 30 s; a person notices 10 s. Work must wait: a pool without any has nothing
 * to do. */
TEST(pools_that_do_nothing)
{
	static const struct {
		uint64_t ms;
		bool waits;
		enum check_state state;
	} pools[] = {
		{ 9999, true, CHECK_OK },    { 10000, true, CHECK_WARN },
		{ 29999, true, CHECK_WARN }, { 30000, true, CHECK_FAIL },
		{ 100000, false, CHECK_OK },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(pools); i++) {
		const uint64_t work = SICK_POOL + 0x100;

		sick_fake_init(&f);
		put64(&f.w.k, SICK_POOL + SP_TS, SICK_JIFFIES - pools[i].ms);
		put_list(&f.w.k, SICK_POOL + SP_WORKLIST, &work, pools[i].waits);
		CHECK_U64(look(&f, &check_workqueues), pools[i].state);
		if (pools[i].state == CHECK_FAIL)
			CHECK(f.f.claim && !strcmp(f.f.claim->kind, "workqueue"));
		sick_fake_release(&f);
	}
}

/* A queue that has been stopped for so long, in ms; 1: by the driver, 2: by the stack
 * (netdevice.h). */
static enum check_state stopped(struct sick_fake *f, uint64_t state, uint64_t ms)
{
	sick_fake_init(f);
	put64(&f->w.k, SICK_QUEUES + SN_STATE, state);
	put64(&f->w.k, SICK_QUEUES + SN_START, SICK_JIFFIES - ms);
	return look(f, &check_net);
}

/* net/sched/sch_generic.c: dev_watchdog() fires when a stopped queue has not sent for
 * watchdog_timeo, 5 s here; a queue that is stopped for less than a second is at work. */
TEST(queues_that_are_stopped)
{
	static const struct {
		uint64_t state, ms;
		enum check_state want;
	} queues[] = {
		{ 1, 999, CHECK_OK },    { 1, 1000, CHECK_WARN }, { 2, 1000, CHECK_WARN },
		{ 1, 5000, CHECK_WARN }, { 1, 5001, CHECK_FAIL }, { 4, 60000, CHECK_OK },
		{ 0, 60000, CHECK_OK },
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(queues); i++) {
		CHECK_U64(stopped(&f, queues[i].state, queues[i].ms), queues[i].want);
		sick_fake_release(&f);
	}
	/* one that never sent; a device that is down, one without a carrier, one that nobody
	 * watches */
	(void)stopped(&f, 1, 60000);
	CHECK(f.f.claim && strstr(f.f.claim->sentence, "eth0 has not sent for 60.0 s"));
	CHECK_STR(f.f.text, "1 of 1 transmit queues stand still past their limit");
	put64(&f.w.k, SICK_QUEUES + SN_START, 0);
	CHECK_U64(look(&f, &check_net), CHECK_OK);
	sick_fake_release(&f);
	(void)stopped(&f, 1, 60000);
	put32(&f.w.k, SICK_DEVICE + SD_FLAGS, 2);
	CHECK_U64(look(&f, &check_net), CHECK_OK);
	put32(&f.w.k, SICK_DEVICE + SD_FLAGS, 3);
	CHECK_U64(look(&f, &check_net), CHECK_FAIL);
	put64(&f.w.k, SICK_DEVICE + SD_STATE, 4);
	CHECK_U64(look(&f, &check_net), CHECK_OK);
	put64(&f.w.k, SICK_DEVICE + SD_STATE, 3);
	CHECK_U64(look(&f, &check_net), CHECK_FAIL);
	put32(&f.w.k, SICK_DEVICE + SD_LIMIT, 0);
	CHECK_U64(look(&f, &check_net), CHECK_OK);
	sick_fake_release(&f);
}

#define ZONE(member) (SICK_ZONES + 8 + SZ_##member)
/* Below min only the kernel's own emergencies are served, below low reclaim begins:
 * mm/page_alloc.c. */
TEST(zones_and_their_marks)
{
	static const struct limit limits[] = {
		{ &check_memory, ZONE(FREE), 2000, CHECK_OK },
		{ &check_memory, ZONE(FREE), 1999, CHECK_WARN },
		{ &check_memory, ZONE(FREE), 1000, CHECK_WARN },
		{ &check_memory, ZONE(FREE), 999, CHECK_FAIL },
	};
	static struct sick_fake f;

	LIMITS(limits);
	/* 32 MB (8192 pages) and less at the bottom are kept for old devices */
	sick_fake_init(&f);
	put64(&f.w.k, ZONE(FREE), 0);
	put64(&f.w.k, ZONE(MANAGED), 8192);
	CHECK_U64(look(&f, &check_memory), CHECK_FAIL);
	put64(&f.w.k, ZONE(MANAGED), 8191);
	CHECK_U64(look(&f, &check_memory), CHECK_UNKNOWN); /* none is left to look at */
	/* a movable zone serves programs alone */
	put64(&f.w.k, ZONE(MANAGED), 262144);
	put_str(&f.w.k, SICK_ZONES + 0x800, "Movable");
	CHECK_U64(look(&f, &check_memory), CHECK_UNKNOWN);
	sick_fake_release(&f);
}

/* corelens warns at 95 % in low orders: runs of 8 pages and less (order 3). Of less than 16 MB free
 * the reason is that little is free. */
TEST(memory_in_pieces)
{
	static const struct {
		uint64_t order3, order4; /* runs */
		enum check_state state;
	} pieces[] = {
		{ 95 * 8, 5 * 4, CHECK_WARN }, /* 6080 pages of 6400 */
		{ 94 * 8, 6 * 4, CHECK_OK },   /* 6016 of 6400: 94 % */
		{ 512, 0, CHECK_WARN },        /* 4096 pages, all of them in pieces */
		{ 511, 0, CHECK_OK },          /* 4088 */
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		sick_fake_init(&f);
		put64(&f.w.k, ZONE(AREAS) + 3 * 8, pieces[i].order3);
		put64(&f.w.k, ZONE(AREAS) + 4 * 8, pieces[i].order4);
		CHECK_U64(look(&f, &check_fragments), pieces[i].state);
		sick_fake_release(&f);
	}
}

/* An edge of the graph: task i has waited so long for a mutex that nobody is known to have. */
static void put_wait(struct sick_fake *f, int i, uint64_t waited, bool asleep)
{
	*vec_push(&f->w.g.objects) = (struct wait_object){
		.type = "mutex", .addr = WAIT_LOCK(i), .name = "some_lock", .n = 1
	};
	*vec_push(&f->w.g.edges) = (struct wait_edge){ .task = &f->w.tasks[i],
						       .object = f->w.g.objects.n - 1,
						       .by = WAIT_BY_RING,
						       .waited = waited,
						       .asleep = asleep,
						       .cpu = -1,
						       .next = WAIT_NONE };
}

/* 10 s in D are noticed by a person, sysctl_hung_task_timeout_secs (120) by khungtaskd. */
TEST(tasks_that_hang)
{
	static const struct {
		uint64_t waited;
		bool asleep;
		enum check_state state;
	} waits[] = {
		{ 10 * SECOND - 1, true, CHECK_OK },    { 10 * SECOND, true, CHECK_WARN },
		{ 120 * SECOND - 1, true, CHECK_WARN }, { 120 * SECOND, true, CHECK_FAIL },
		{ 500 * SECOND, false, CHECK_OK }, /* a wait that a signal ends is nobody's fault */
		{ UINT64_MAX, true, CHECK_OK },    /* since when, nobody knows */
	};
	static struct sick_fake f;

	for (size_t i = 0; i < ARRAY_SIZE(waits); i++) {
		sick_fake_init(&f);
		put_wait(&f, 2, waits[i].waited, waits[i].asleep);
		CHECK_U64(look(&f, &check_hung), waits[i].state);
		sick_fake_release(&f);
	}
	sick_fake_init(&f);
	put_wait(&f, 2, 40 * SECOND, true);
	put_wait(&f, 3, 30 * SECOND, true);
	CHECK_U64(look(&f, &check_hung), CHECK_WARN);
	CHECK_STR(f.f.text, "2 in state D for more than 10 s");
	/* the limit of this kernel; 0 turns khungtaskd off, and then the default says what is long
	 */
	put64(&f.w.k, SICK_VARS + SV_HUNG, 40);
	CHECK_U64(look(&f, &check_hung), CHECK_FAIL);
	CHECK_STR(f.f.text, "1 in state D for more than 40.0 s");
	CHECK_U64((uint64_t)f.f.claim->pid, 102);
	put64(&f.w.k, SICK_VARS + SV_HUNG, 41);
	CHECK_U64(look(&f, &check_hung), CHECK_WARN);
	put64(&f.w.k, SICK_VARS + SV_HUNG, 0);
	CHECK_U64(look(&f, &check_hung), CHECK_WARN);
	/* a day is a limit; what is longer is none that anybody sets */
	f.w.g.edges.p[0].waited = 1000 * SECOND;
	put64(&f.w.k, SICK_VARS + SV_HUNG, 86400);
	CHECK_U64(look(&f, &check_hung), CHECK_WARN);
	put64(&f.w.k, SICK_VARS + SV_HUNG, 86401);
	CHECK_U64(look(&f, &check_hung), CHECK_FAIL);
	f.w.g.edges.p[0].waited = 40 * SECOND;
	/* khungtaskd ended the machine: what it saw is what failed, whatever its limit is now */
	f.g.death.way = WAY_HUNG_TASK;
	CHECK_U64(look(&f, &check_hung), CHECK_FAIL);
	sick_fake_release(&f);
}

/* A ring is a deadlock when every step is proven; with a hint in it, it may be one; and who could
 * not read the stacks cannot say that there is none. */
TEST(rings)
{
	static const size_t edges[] = { 0, 1 };
	static struct sick_fake f;

	sick_fake_init(&f);
	put_wait(&f, 2, 6 * SECOND, true);
	put_wait(&f, 3, 7 * SECOND, true);
	*vec_push(&f.w.g.cycles) = (struct wait_path){ .edges = edges, .n = 2, .proven = true };
	CHECK_U64(look(&f, &check_deadlock), CHECK_FAIL);
	CHECK_U64(f.f.claim->sure, SURE_CERTAIN);
	CHECK(strstr(f.f.claim->sentence,
		     "task[102] and task[103] wait for each other, for 6.0 s: deadlock of "));
	f.w.g.cycles.p[0].proven = false;
	CHECK_U64(look(&f, &check_deadlock), CHECK_WARN);
	CHECK_U64(f.f.claim->sure, SURE_POSSIBLE);
	f.w.g.cycles.n = 0;
	CHECK_U64(look(&f, &check_deadlock), CHECK_OK);
	f.w.g.skipped = 1;
	err_set(&f.w.g.skipped_why, ERR_EXCLUDED, "excluded page");
	CHECK_U64(look(&f, &check_deadlock), CHECK_UNKNOWN);
	CHECK(check_deadlock.vital && check_hung.vital);
	/* nor who could not read all tasks */
	f.w.g.skipped = 0;
	f.g.tasks_lost = true;
	CHECK_U64(look(&f, &check_deadlock), CHECK_UNKNOWN);
	CHECK_U64(look(&f, &check_hung), CHECK_UNKNOWN);
	sick_fake_release(&f);
}

TEST_MAIN
