/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the run queues: tasks that could run, and wait for a CPU for long. */
#include "core/verdict/check.h"

#include "core/linux/task/runq.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#define SECOND UINT64_C(1000000000)
#define SLOW_NS (2 * SECOND)
#define LOST_NS (20 * SECOND)

struct starved {
	struct triage *g;
	uint64_t now; /* the greatest clock of all run queues: that of a stuck CPU stands still */
	size_t n, slow, lost;
	uint64_t worst_ns;
	const struct task *worst, *curr;
	unsigned cpu, throttled;
};

static void on_flaw(const struct err *e, void *arg)
{
	struct starved *w = arg;

	w->g->note(e, w->g->arg);
}

static bool clocks_read(struct starved *w, unsigned n, struct err *err)
{
	uint64_t rq, clock;

	for (unsigned cpu = 0; cpu < n; cpu++)
		if (cpu_has_run(w->g->t, cpu) && percpu_addr(w->g->t, "runqueues", cpu, &rq, err) &&
		    field_u64(w->g->t, "struct rq", rq, "clock", &clock, err) && clock > w->now)
			w->now = clock;
	w->now = age_at_death(w->g, w->now);
	return w->now > 0 || err_set(err, ERR_NOTFOUND, "no run queue has a clock");
}

static void tasks_see(struct starved *w, const struct runq *q, const uint64_t *tasks, size_t n)
{
	struct err ignored;
	uint64_t then;

	for (size_t i = 0; i < n; i++) {
		/* 0: it runs, or sleeps and is yet to be taken out of the queue */
		if (tasks[i] == q->curr ||
		    !field_u64(w->g->t, "struct task_struct", tasks[i], "sched_info.last_queued",
			       &then, &ignored) ||
		    !then || then > w->now)
			continue;
		w->n++;
		w->slow += w->now - then >= SLOW_NS;
		w->lost += w->now - then >= LOST_NS;
		if (w->now - then <= w->worst_ns)
			continue;
		w->worst_ns = w->now - then;
		w->cpu = q->cpu;
		if (!task_by_addr(w->g->t, tasks[i], &w->worst, &ignored))
			w->worst = NULL;
		if (!task_by_addr(w->g->t, q->curr, &w->curr, &ignored))
			w->curr = NULL;
	}
}

static const char *class_words(struct triage *g, const struct task *task)
{
	struct err ignored;
	uint64_t policy, prio;

	if (!field_u64(g->t, "struct task_struct", task->addr, "policy", &policy, &ignored) ||
	    !field_u64(g->t, "struct task_struct", task->addr, "rt_priority", &prio, &ignored))
		return "";
	/* include/uapi/linux/sched.h */
	return policy == 1   ? arena_printf(g->a, " (SCHED_FIFO %u)", (unsigned)prio)
	       : policy == 2 ? arena_printf(g->a, " (SCHED_RR %u)", (unsigned)prio)
	       : policy == 6 ? " (SCHED_DEADLINE)"
			     : "";
}

static const struct claim *claim_starved(struct starved *w)
{
	struct triage *g = w->g;
	struct claim *c = claim_new(g, "starved", SURE_LIKELY,
				    "when the task came into the queue, and who has its CPU");
	const char *task = w->worst ? who(g, w->worst->comm, w->worst->pid) : "a task";

	c->cpu = (int)w->cpu;
	c->sentence = arena_printf(g->a, "%s has waited %s for CPU %u", task,
				   span_words(g, w->worst_ns), w->cpu);
	if (w->curr) {
		c->pid = w->curr->pid;
		c->comm = w->curr->comm;
		c->stack = stack_words(g, w->curr);
		c->sentence = arena_printf(g->a, "%s, which %s%s has", c->sentence,
					   who(g, c->comm, c->pid), class_words(g, w->curr));
	}
	if (w->slow > 1)
		c->sentence = arena_printf(g->a, "%s; %zu tasks wait for more than 2 s",
					   c->sentence, w->slow);
	claim_support(g, c, arena_printf(g->a, "run queue of CPU %u", w->cpu), "%s came %s ago",
		      task, span_words(g, w->worst_ns));
	return c;
}

static bool look_runq(struct triage *g, struct finding *f, struct err *err)
{
	struct starved w = { .g = g };
	struct err why = { .code = ERR_OK };
	unsigned n, seen = 0;

	if (!cpus_count(g->t, &n, err) || !clocks_read(&w, n, err))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		struct err ignored;
		uint64_t throttled;
		struct runq q;

		if (!cpu_has_run(g->t, cpu) || !runq_of(g->t, cpu, g->a, &q, on_flaw, &w, &why))
			continue;
		seen++;
		tasks_see(&w, &q, q.dl, q.n_dl);
		tasks_see(&w, &q, q.rt, q.n_rt);
		tasks_see(&w, &q, q.cfs, q.n_cfs);
		/* a deadline server took its place in 5f6bd380c7bd (v6.12) */
		w.throttled += field_u64(g->t, "struct rq", q.addr, "rt.rt_throttled", &throttled,
					 &ignored) &&
			       throttled == 1;
	}
	if (!seen) {
		*err = why;
		return false;
	}
	if (w.slow)
		f->claim = claim_starved(&w);
	if (w.slow)
		find(g, f, w.lost ? CHECK_FAIL : CHECK_WARN,
		     "%zu of %zu that could run wait for more than %s", w.lost ? w.lost : w.slow,
		     w.n, w.lost ? "20 s" : "2 s");
	else if (w.throttled)
		find(g, f, CHECK_WARN, "%u CPUs keep real-time tasks from running for a while",
		     w.throttled);
	else
		find(g, f, CHECK_OK, "%zu wait for a CPU, none for long", w.n);
	return true;
}

const struct checkup check_runq = {
	.name = "runq",
	.doc = "tasks that could run and wait for a CPU, real-time tasks that are throttled",
	.more = "runq",
	.look = look_runq,
};
