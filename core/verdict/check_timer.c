/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of timers: a CPU whose next one is overdue takes no interrupts, or no soft interrupts. */
#include "core/verdict/check.h"

#include "core/linux/misc/irq.h"
#include "core/linux/misc/system.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#define SECOND UINT64_C(1000000000)
#define SLOW_NS SECOND
#define LOST_NS (10 * SECOND)
#define BASES_MAX 8
/* A wheel without timers names a time that is 2^30 jiffies away (NEXT_TIMER_MAX_DELTA): what is
 * overdue by more than half of that is none. */
#define WHEEL_MAX 0x1fffffffu

struct late {
	unsigned cpu;
	uint64_t ns;
	bool soft; /* the interrupt came, but nothing was done about it later */
};

/* How long before `now` the next interrupt of a CPU's timers should have come; 0: it was ahead, or
 * there is none. */
static bool late_interrupt(struct triage *g, unsigned cpu, uint64_t now, uint64_t *ret,
			   struct err *err)
{
	static const char type[] = "struct hrtimer_cpu_base";
	uint64_t at, next, active;

	*ret = 0;
	if (!percpu_addr(g->t, "hrtimer_bases", cpu, &at, err) ||
	    !field_u64(g->t, type, at, "hres_active", &active, err) ||
	    !field_u64(g->t, type, at, "expires_next", &next, err))
		return false;
	if (active && next < now)
		*ret = now - next;
	return true;
}

/* The same of its timer wheels, which a soft interrupt serves. Deferrable timers, in the last one,
 * do not wake an idle CPU. */
static bool late_wheel(struct triage *g, unsigned cpu, uint64_t jiffies, uint64_t *ret,
		       struct err *err)
{
	uint64_t start, next, length, late, n, worst = 0;
	const struct type *base;
	struct symbol sym;

	*ret = 0;
	if (!symbol_find(g->t, "timer_bases", &sym, err) ||
	    !percpu_addr(g->t, "timer_bases", cpu, &start, err) ||
	    !type_find(g->t, "struct timer_base", &base, err) || !jiffy_length(g->t, &length, err))
		return false;
	n = sym.size / base->size;
	for (uint64_t i = 0; i < n && i < BASES_MAX && (!i || i + 1 < n); i++) {
		if (!field_u64(g->t, "struct timer_base", start + i * base->size, "next_expiry",
			       &next, err))
			return false;
		late = g->t->arch->word == 4 ? (uint32_t)jiffies - (uint32_t)next : jiffies - next;
		if (late < WHEEL_MAX && late > worst)
			worst = late;
	}
	*ret = worst * length;
	return true;
}

bool cpu_is_dying(const struct triage *g, unsigned cpu)
{
	switch (g->death.way) {
	case WAY_LIVE:
	case WAY_NMI:
	case WAY_SOFT_LOCKUP:
	case WAY_HARD_LOCKUP:
	case WAY_RCU:
		return false;
	default:
		return g->death.cpu == (int)cpu;
	}
}

static const struct claim *claim_late(struct triage *g, const struct late *l)
{
	struct claim *c = claim_new(g, l->soft ? "softirqs-off" : "hard-lockup", SURE_LIKELY,
				    "the time of the CPU's next timer, and the task that it runs");
	const char *what = l->soft ? "soft interrupts" : "interrupts";
	const struct task *task;
	struct err ignored;

	c->cpu = (int)l->cpu;
	if (task_on_cpu(g->t, l->cpu, &task, &ignored)) {
		c->pid = task->pid;
		c->comm = task->comm;
		c->stack = stack_words(g, task);
	}
	c->sentence = arena_printf(g->a, "%s on CPU %u let no %s come for %s",
				   who(g, c->comm, c->pid), l->cpu, what, span_words(g, l->ns));
	claim_support(g, c,
		      arena_printf(g->a,
				   l->soft ? "timer_bases of CPU %u" : "hrtimer_bases of CPU %u",
				   l->cpu),
		      "its next timer is overdue by %s", span_words(g, l->ns));
	return c;
}

static bool look_timers(struct triage *g, struct finding *f, struct err *err)
{
	struct late worst = { .ns = 0 };
	struct err why = { .code = ERR_OK };
	unsigned n, seen = 0;
	uint64_t now, jiffies, ns, after;

	if (!monotonic_now(g->t, &now, err) || !jiffies_now(g->t, &jiffies, err) ||
	    !cpus_count(g->t, &n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_has_run(g->t, cpu))
			continue;
		if (cpu_is_dying(g, cpu))
			continue;
		after = cpu_is_online(g->t, cpu) ? 0 : g->death.after_ns;
		if (!late_interrupt(g, cpu, now, &ns, &why))
			continue;
		seen++;
		ns = ns > after ? ns - after : 0;
		if (ns > worst.ns)
			worst = (struct late){ cpu, ns, false };
		if (late_wheel(g, cpu, jiffies, &ns, &why) && ns > worst.ns + after + SECOND)
			worst = (struct late){ cpu, ns - after, true };
	}
	if (!seen && why.code != ERR_OK) {
		*err = why;
		return false;
	}
	if (worst.ns >= SLOW_NS) {
		f->claim = claim_late(g, &worst);
		find(g, f, worst.ns >= LOST_NS ? CHECK_FAIL : CHECK_WARN,
		     "the next timer%s of CPU %u is overdue by %s",
		     worst.soft ? " of the wheel" : "", worst.cpu, span_words(g, worst.ns));
	} else {
		find(g, f, CHECK_OK, "no timer is overdue on %u CPU%s", seen, plural(seen));
	}
	return true;
}

const struct checkup check_timers = {
	.name = "timers",
	.doc = "CPUs whose next timer is overdue: interrupts, or soft interrupts, are off there",
	.more = "timer",
	.look = look_timers,
};
