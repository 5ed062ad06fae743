/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the CPUs: one of them may run a task that never lets go of it. */
#include "core/verdict/check.h"

#include <inttypes.h>

#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"

/* The watchdog counts in units of 2^30 ns: kernel/watchdog.c, get_timestamp(). */
#define UNIT_BITS 30u
#define THRESH_DEFAULT_S 10u

static uint64_t thresh_s(struct triage *g)
{
	uint64_t addr;
	uint32_t s;
	struct err ignored;

	return symbol_addr(g->t, "watchdog_thresh", &addr) && mem_u32(g->t, addr, &s, &ignored) &&
			       s && s < 3600
		       ? s
		       : THRESH_DEFAULT_S;
}

struct stuck {
	unsigned cpu;
	uint64_t ns; /* since the CPU's watchdog last ran */
	const struct task *task;
};

/* Is the soft lockup watchdog on? */
static bool watchdog_runs(struct triage *g, struct err *err)
{
	uint64_t addr, bits;

	if (!symbol_addr(g->t, "watchdog_enabled", &addr))
		return err_set(err, ERR_NOSYM,
			       "whether the watchdog ran is not known: no symbol "
			       "'watchdog_enabled'");
	/* SOFT_WATCHDOG_ENABLED of include/linux/nmi.h */
	return mem_ptr(g->t, addr, &bits, err) &&
	       ((bits & 2) || err_set(err, ERR_NOTFOUND, "the soft lockup watchdog was off"));
}

/* How long before the end the watchdog of a CPU, which any task can keep from running, last ran.
 * False: it does not tell. */
static bool silence(struct triage *g, unsigned cpu, uint64_t *ret, struct err *err)
{
	uint64_t addr, touched;

	if (!symbol_addr(g->t, "watchdog_touch_ts", &addr))
		return err_set(err, ERR_NOSYM, "%sno symbol 'watchdog_touch_ts'",
			       symbols_complete(g->t) ? "this kernel has no soft lockup watchdog: "
						      : "");
	if (!percpu_addr(g->t, "watchdog_touch_ts", cpu, &addr, err) ||
	    !mem_ptr(g->t, addr, &touched, err))
		return false;
	/* 0 or all ones: it was never started, or it was just told to begin anew */
	if (!touched || touched == (g->t->arch->word == 4 ? UINT32_MAX : UINT64_MAX)) {
		*ret = 0;
		return watchdog_runs(g, err);
	}
	touched <<= UNIT_BITS;
	*ret = g->now_ns > touched ? g->now_ns - touched : 0;
	return true;
}

/* What a running CPU spins for, where somebody is known who has it; NULL: nothing such. */
static const struct wait_object *spins_for(struct triage *g, unsigned cpu)
{
	const struct wait_graph *gr;
	struct err ignored;

	if (!triage_graph(g, &gr, &ignored))
		return NULL;
	for (size_t i = 0; i < gr->edges.n; i++) {
		const struct wait_edge *e = &gr->edges.p[i];

		if (e->cpu == (int)cpu && e->object != WAIT_NONE && gr->objects.p[e->object].holder)
			return &gr->objects.p[e->object];
	}
	return NULL;
}

/* Who spins is a victim: the one that it waits for is to blame. */
static void blame_holder(struct triage *g, struct claim *c, const struct stuck *s,
			 const struct wait_object *o)
{
	const struct task *h = o->holder;
	bool proven = wait_is_proven(o->holder_by);

	c->pid = h->pid;
	c->comm = h->comm;
	c->cpu = h->active ? h->cpu : -1;
	c->function = c->module = c->place = c->subsystem = NULL;
	c->stack = stack_words(g, h);
	if (h->active)
		blame_runner(g, c, h);
	c->sure = proven ? SURE_LIKELY : SURE_POSSIBLE;
	c->why_sure = proven ? "the time of the CPU's watchdog, and what it waits for"
			     : "the time of the CPU's watchdog; who has the lock is no more than "
			       "a candidate";
	c->sentence =
		arena_printf(g->a, "%s on CPU %u spun for %s for %s %s; %s%s %s",
			     who(g, s->task->comm, s->task->pid), s->cpu, span_words(g, s->ns),
			     o->type, o->name ? o->name : "", who(g, h->comm, h->pid),
			     h->active ? arena_printf(g->a, " on CPU %d", h->cpu) : "",
			     proven ? "keeps it waiting" : "may have it");
	claim_support(g, c, arena_printf(g->a, "%s 0x%" PRIx64, o->type, o->addr), "%s",
		      o->state ? o->state : "taken");
}

static const struct claim *claim_cpu(struct triage *g, const struct stuck *s)
{
	struct claim *c = claim_new(g, "soft-lockup", SURE_LIKELY,
				    "the time of its watchdog, and the task that its CPU runs");
	const struct wait_object *o = spins_for(g, s->cpu);

	c->cpu = (int)s->cpu;
	c->pid = s->task->pid;
	c->comm = s->task->comm;
	c->stack = stack_words(g, s->task);
	blame_runner(g, c, s->task);
	c->sentence =
		arena_printf(g->a, "%s kept CPU %u for %s without a pause",
			     who(g, s->task->comm, s->task->pid), s->cpu, span_words(g, s->ns));
	if (o)
		blame_holder(g, c, s, o);
	claim_support(g, c, arena_printf(g->a, "watchdog_touch_ts of CPU %u", s->cpu),
		      "last touched %s before the end", span_words(g, s->ns));
	return c;
}

/* The CPU whose hard lockup watchdog found it with interrupts off; CPUS_MAX: none, or this kernel
 * has no such watchdog. */
static unsigned locked_hard(struct triage *g, unsigned n)
{
	/* one took the other's place in v6.5 */
	static const char *const latches[] = { "watchdog_hardlockup_warned", "hard_watchdog_warn" };
	struct err ignored;
	struct symbol s;
	uint64_t at;
	uint8_t on;

	for (size_t i = 0; i < ARRAY_SIZE(latches); i++)
		if (symbol_find(g->t, latches[i], &s, &ignored) && percpu_is(g->t, &s))
			for (unsigned cpu = 0; cpu < n; cpu++)
				if (cpu_has_run(g->t, cpu) &&
				    percpu_addr(g->t, latches[i], cpu, &at, &ignored) &&
				    mem_read(g->t, at, &on, 1, &ignored) && on)
					return cpu;
	return CPUS_MAX;
}

static const struct claim *claim_hard(struct triage *g, unsigned cpu)
{
	struct claim *c = claim_new(g, "hard-lockup", SURE_LIKELY,
				    "what the CPU's watchdog noted, and the task that it runs");
	const struct task *task;
	struct err ignored;

	c->cpu = (int)cpu;
	if (task_on_cpu(g->t, cpu, &task, &ignored)) {
		c->pid = task->pid;
		c->comm = task->comm;
		c->stack = stack_words(g, task);
		blame_runner(g, c, task);
	}
	c->sentence = arena_printf(
		g->a, "CPU %u kept its interrupts off, which its watchdog noticed", cpu);
	if (c->pid >= 0)
		c->sentence = arena_printf(g->a,
					   "%s kept the interrupts of CPU %u off, which its "
					   "watchdog noticed",
					   who(g, c->comm, c->pid), cpu);
	claim_support(g, c, "hard lockup watchdog", "CPU %u was reported", cpu);
	return c;
}

static bool look_cpus(struct triage *g, struct finding *f, struct err *err)
{
	uint64_t limit = thresh_s(g) * UINT64_C(1000000000);
	unsigned n, hard, seen = 0, slow = 0;
	struct stuck worst = { .ns = 0 };
	struct err why = { .code = ERR_OK };

	if (!cpus_count(g->t, &n, err))
		return false;
	hard = locked_hard(g, n);
	if (hard < CPUS_MAX) {
		f->claim = claim_hard(g, hard);
		find(g, f, CHECK_FAIL, "CPU %u was found with its interrupts off", hard);
		return true;
	}
	if (!g->has_now)
		return err_set(err, ERR_NEED, "the log does not tell when the end was");
	for (unsigned cpu = 0; cpu < n; cpu++) {
		struct stuck s = { .cpu = cpu };

		if (!cpu_has_run(g->t, cpu) || !silence(g, cpu, &s.ns, &why) ||
		    !task_on_cpu(g->t, cpu, &s.task, &why))
			continue;
		seen++;
		if (!s.task->pid) /* an idle CPU's clock may stand still */
			continue;
		slow += s.ns > limit;
		if (s.ns > worst.ns)
			worst = s;
	}
	if (!seen) {
		*err = why;
		return false;
	}
	if (worst.ns > 2 * limit) {
		f->claim = claim_cpu(g, &worst);
		find(g, f, CHECK_FAIL, "CPU %u ran one task for %s", worst.cpu,
		     span_words(g, worst.ns));
	} else if (slow) {
		f->claim = claim_cpu(g, &worst);
		find(g, f, CHECK_WARN, "CPU %u ran one task for %s", worst.cpu,
		     span_words(g, worst.ns));
	} else {
		find(g, f, CHECK_OK, "%u CPUs went from task to task", seen);
	}
	return true;
}

const struct checkup check_cpus = {
	.name = "cpus",
	.doc = "CPUs that one task kept to itself, or interrupts off, by their lockup watchdogs",
	.more = "bt -a",
	.look = look_cpus,
};
