/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of workqueues: pools whose work waits, and that did nothing for long. */
#include "core/verdict/check.h"

#include "core/linux/container/list.h"
#include "core/linux/container/walk.h"
#include "core/linux/misc/irq.h"
#include "core/linux/net/net.h"
#include "core/types/shape.h"

#define SECOND UINT64_C(1000000000)
#define SLOW_NS (10 * SECOND)
#define LOST_NS (30 * SECOND) /* as wq_watchdog_thresh */

struct pools {
	struct triage *g;
	size_t n, slow, lost;
	uint64_t worst, worst_ns;
	int cpu;      /* of the worst; -1: any */
	bool maydays; /* a queue asked its rescuer for help */
	struct err why;

	const char *queue; /* of the work that waits in the worst */
	uint64_t function;
	const struct task *worker; /* that runs something in it */
	size_t pending;
};

static bool work_waits(struct pools *p, uint64_t pool, bool *ret)
{
	uint64_t off, first;

	if (!field_offset(p->g->t, "struct worker_pool", "worklist", &off, &p->why) ||
	    !mem_ptr(p->g->t, pool + off, &first, &p->why))
		return false;
	*ret = first != pool + off;
	return true;
}

static bool pool_found(const struct walk_entry *e, void *arg)
{
	static const char type[] = "struct worker_pool";
	struct pools *p = arg;
	uint64_t then, ns, cpu;
	bool waits;

	if (!e->entry || (e->entry & 1))
		return true;
	if (!work_waits(p, e->entry, &waits))
		return true;
	p->n++;
	/* what the pool did last, renamed in v7.1 */
	if (!waits ||
	    !field_u64(p->g->t, type, e->entry, "watchdog_ts|last_progress_ts", &then, &p->why) ||
	    !jiffies_since(p->g->t, then, &ns, &p->why))
		return true;
	ns = age_at_death(p->g, ns);
	p->slow += ns >= SLOW_NS;
	p->lost += ns >= LOST_NS;
	if (ns <= p->worst_ns)
		return true;
	p->worst = e->entry;
	p->worst_ns = ns;
	p->cpu = field_u64(p->g->t, type, e->entry, "cpu", &cpu, &p->why) ? (int32_t)cpu : -1;
	return true;
}

static void on_flaw(const struct err *e, void *arg)
{
	struct pools *p = arg;

	p->g->note(e, p->g->arg);
}

/* What waits in the worst pool, and who works in it. */
static bool work_found(const struct queued_work *w, void *arg)
{
	struct pools *p = arg;
	struct err ignored;

	if (w->pool != p->worst)
		return true;
	if (w->worker && !p->worker && !task_by_addr(p->g->t, w->worker, &p->worker, &ignored))
		p->worker = NULL;
	if (w->worker)
		return true;
	if (!p->pending++) {
		p->queue = w->queue;
		p->function = w->function;
	}
	return true;
}

static const struct claim *claim_work(struct pools *p)
{
	struct triage *g = p->g;
	struct claim *c = claim_new(g, "workqueue", SURE_LIKELY,
				    "when the pool last did something, and what waits in it");
	const char *of = p->cpu >= 0 ? arena_printf(g->a, "of CPU %d", p->cpu) : "of any CPU";
	struct err ignored;

	if (!workqueues(g->t, g->a, work_found, NULL, on_flaw, p, &ignored))
		p->pending = 0;
	c->cpu = p->cpu;
	c->sentence = arena_printf(g->a, "a pool of workers %s has done nothing for %s", of,
				   span_words(g, p->worst_ns));
	if (p->pending)
		c->sentence = arena_printf(
			g->a, "%s; %zu works wait, the first for %s of %s", c->sentence, p->pending,
			p->function ? symbol_text(g->t, p->function, g->a) : "a function not known",
			p->queue);
	if (p->worker) {
		c->pid = p->worker->pid;
		c->comm = p->worker->comm;
		c->stack = stack_words(g, p->worker);
		c->sentence = arena_printf(g->a, "%s; %s works in it", c->sentence,
					   who(g, c->comm, c->pid));
	}
	claim_support(g, c, arena_printf(g->a, "worker_pool 0x%llx", (unsigned long long)p->worst),
		      "work waits, and it last did something %s ago", span_words(g, p->worst_ns));
	return c;
}

static bool queue_found(uint64_t wq, void *arg)
{
	struct pools *p = arg;
	struct err ignored;
	uint64_t off, first;

	if (!field_offset(p->g->t, "struct workqueue_struct", "maydays", &off, &ignored) ||
	    !mem_ptr(p->g->t, wq + off, &first, &ignored))
		return false;
	p->maydays |= first != wq + off;
	return true;
}

static void maydays_read(struct pools *p)
{
	uint64_t head, link;
	struct err ignored;

	if (symbol_addr(p->g->t, "workqueues", &head) &&
	    field_offset(p->g->t, "struct workqueue_struct", "list", &link, &ignored) &&
	    !list_each(p->g->t, head, link, "work queues", queue_found, p, &ignored))
		p->g->note(&ignored, p->g->arg);
}

/* ---- queues that run one work after the other */

/* A queue whose next works wait for their turn, behind one whose worker sleeps. */
struct turns {
	struct triage *g;
	/* of the queue that is being read: who works for it and sleeps for longest */
	const struct task *sleeper;
	uint64_t slept, function;
	size_t awake;

	const struct task *worst; /* of all queues */
	uint64_t worst_ns, worst_function;
	const char *queue;
	size_t waiting;
};

static void on_turn_flaw(const struct err *e, void *arg)
{
	struct turns *t = arg;

	t->g->note(e, t->g->arg);
}

static bool turn_work(const struct queued_work *w, void *arg)
{
	struct turns *t = arg;
	const struct task *task;
	uint64_t slept;
	struct err ignored;

	if (!w->worker || !task_by_addr(t->g->t, w->worker, &task, &ignored))
		return true;
	slept = task->active ? UINT64_MAX : age_at_death(t->g, wait_since(&t->g->graph, task));
	if (slept == UINT64_MAX) {
		t->awake++;
	} else if (slept >= t->slept) {
		t->sleeper = task;
		t->slept = slept;
		t->function = w->function;
	}
	return true;
}

static bool turn_queue(const struct workqueue *q, void *arg)
{
	struct turns *t = arg;

	if (q->inactive && t->sleeper && !t->awake && t->slept > t->worst_ns) {
		t->worst = t->sleeper;
		t->worst_ns = t->slept;
		t->worst_function = t->function;
		t->queue = q->name;
		t->waiting = q->inactive;
	}
	t->sleeper = NULL;
	t->slept = 0;
	t->awake = 0;
	return true;
}

static const struct claim *claim_turn(const struct turns *t)
{
	struct triage *g = t->g;
	struct claim *c =
		claim_new(g, "workqueue", SURE_LIKELY,
			  "the works that wait for their turn, and who works before them");
	struct err ignored;
	struct symbol sym;
	uint64_t off;

	c->pid = t->worst->pid;
	c->comm = t->worst->comm;
	c->stack = stack_words(g, t->worst);
	if (symbol_at(g->t, t->worst_function, &sym, &off, &ignored)) {
		c->function = sym.name;
		c->module = sym.module;
	}
	c->sentence = arena_printf(
		g->a,
		"%zu works of the queue %s wait for their turn behind %s%s%s, which has "
		"slept for %s",
		t->waiting, t->queue, who(g, c->comm, c->pid), c->function ? " in " : "",
		c->function ? c->function : "", span_words(g, t->worst_ns));
	claim_support(g, c, arena_printf(g->a, "stack of %d", c->pid), "%s",
		      c->stack ? c->stack : "it cannot be read");
	return c;
}

/* Looks for a queue whose turn does not come; false: none is stuck so for 10 s. */
static bool turns_stuck(struct triage *g, struct finding *f)
{
	struct turns t = { .g = g };
	const struct wait_graph *made;
	struct err ignored;

	if (!triage_graph(g, &made, &ignored) ||
	    !workqueues(g->t, g->a, turn_work, turn_queue, on_turn_flaw, &t, &ignored) ||
	    t.worst_ns < SLOW_NS)
		return false;
	f->claim = claim_turn(&t);
	find(g, f, t.worst_ns >= LOST_NS ? CHECK_FAIL : CHECK_WARN,
	     "%zu works of %s wait behind one that has slept for %s", t.waiting, t.queue,
	     span_words(g, t.worst_ns));
	return true;
}

static bool look_work(struct triage *g, struct finding *f, struct err *err)
{
	struct pools p = { .g = g };
	uint64_t idr, off;

	if (!symbol_addr(g->t, "worker_pool_idr", &idr))
		return err_set(err, ERR_NOSYM, "no symbol 'worker_pool_idr'");
	if (!field_offset(g->t, "struct idr", "idr_rt", &off, err) ||
	    !xarray_each(g->t, idr + off, "pools of workers", pool_found, &p, err))
		return false;
	if (!p.n)
		return *err = p.why,
		       p.why.code != ERR_OK ? false : err_set(err, ERR_NOTFOUND, "no pools");
	maydays_read(&p);
	if (p.slow) {
		f->claim = claim_work(&p);
		find(g, f, p.lost ? CHECK_FAIL : CHECK_WARN,
		     "%zu of %zu pools have work that waits, and did nothing for %s",
		     p.lost ? p.lost : p.slow, p.n, p.lost ? "30 s" : "10 s");
	} else if (turns_stuck(g, f)) {
		return true;
	} else if (p.maydays) {
		find(g, f, CHECK_WARN, "a queue has asked its rescuer for help");
	} else {
		find(g, f, CHECK_OK, "%zu pools get their work done", p.n);
	}
	return true;
}

const struct checkup check_workqueues = {
	.name = "workqueues",
	.doc = "pools of workers that did nothing for long, though work waits",
	.more = "wq",
	.look = look_work,
};
