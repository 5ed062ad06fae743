/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flushes of work: which worker is at the work that is waited for, and what is in the way of work
 * that no worker has begun. */
#include "core/linux/container/list.h"
#include "core/linux/container/walk.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define WORK_HAS_PWQ 4u /* WORK_STRUCT_PWQ, include/linux/workqueue.h */
#define PWQ_MASK 0xffull
#define BUSY_HASH_MAX 4096
#define COLORS_MAX 32
#define NODES_MAX 1000000u /* works that are looked at, of all pools */
#define NAME_BYTES 64

/* A worker that is at a work. */
struct wait_worker {
	const struct task *task; /* NULL: none that is known */
	uint64_t work, func, pwq, pool;
	uint64_t color; /* UINT64_MAX: this kernel does not note it */
};

/* Where a work is queued: the value of wait_works.nodes. The low bits say what the rest is. */
enum {
	IN_WORKER = 1, /* number of the worker that has it on its list */
	IN_POOL,       /* the pool's list of works that no worker has */
	IN_TURN
}; /* the pool_workqueue whose limit the work waits for */

/* What was read of pools and queues, each once. */
struct wait_works {
	struct map pools;    /* worker_pool, pool_workqueue -> 1: its lists were read */
	struct map nodes;    /* a work's link -> where it is queued */
	struct map flushers; /* wq_flusher -> its work queue */
	bool flushers_made;
	VEC(struct wait_worker) workers;
	const char *flaw; /* of the lists; NULL: none */
};

void wait_works_release(struct wait_works *works)
{
	if (!works)
		return;
	map_release(&works->pools);
	map_release(&works->nodes);
	map_release(&works->flushers);
	vec_release(&works->workers);
	free(works);
}

static struct wait_works *works_of(struct wait_graph *g)
{
	if (!g->impl->works) {
		g->impl->works = xrealloc(NULL, sizeof(*g->impl->works));
		memset(g->impl->works, 0, sizeof(*g->impl->works));
	}
	return g->impl->works;
}

/* ---- lists */

struct works_walk {
	struct wait_graph *g;
	struct wait_works *works;
	uint64_t place; /* for nodes */
	uint64_t pool;
	VEC(uint64_t) found;
};

static void works_flaw(struct works_walk *w, const struct err *e)
{
	if (!w->works->flaw)
		w->works->flaw = arena_printf(w->g->t->scratch, "%s", e->msg);
}

static bool node_add(uint64_t node, void *arg)
{
	struct works_walk *w = arg;

	*map_put(&w->works->nodes, node, NULL) = w->place;
	return w->works->nodes.n < NODES_MAX;
}

/* Notes that the works of a list are queued at `place`. */
static void nodes_read(struct works_walk *w, uint64_t head, const char *what, uint64_t place)
{
	struct err why;

	w->place = place;
	if (!list_each(w->g->t, head, 0, what, node_add, w, &why))
		works_flaw(w, &why);
}

static bool address_add(uint64_t addr, void *arg)
{
	struct works_walk *w = arg;

	*vec_push(&w->found) = addr;
	return w->found.n < NODES_MAX;
}

static void worker_read(struct works_walk *w, uint64_t worker, uint64_t scheduled)
{
	struct target *t = w->g->t;
	struct wait_worker *is;
	uint64_t task, color;
	struct err why;

	is = vec_push(&w->works->workers);
	is->pool = w->pool;
	is->color = UINT64_MAX;
	if (!field_u64(t, "struct worker", worker, "task", &task, &why) ||
	    !field_u64(t, "struct worker", worker, "current_work", &is->work, &why) ||
	    !field_u64(t, "struct worker", worker, "current_func", &is->func, &why) ||
	    !field_u64(t, "struct worker", worker, "current_pwq", &is->pwq, &why)) {
		works_flaw(w, &why);
		return;
	}
	is->task = wait_task(w->g, task);
	/* c4560c2c88a4 (v5.15) */
	if (field_u64(t, "struct worker", worker, "current_color", &color, &why))
		is->color = color;
	nodes_read(w, worker + scheduled, "works of a worker",
		   (w->works->workers.n - 1) << 2 | IN_WORKER);
}

/* Reads who is at work in a pool, and what is queued there. */
static void pool_read(struct wait_graph *g, uint64_t pool)
{
	struct works_walk w = { .g = g, .works = works_of(g), .pool = pool };
	struct walk_plan plan = { .what = "busy workers", .node = address_add, .arg = &w };
	struct target *t = g->t;
	uint64_t scheduled, worklist;
	const struct type *type;
	struct member_ref busy;
	struct err why;
	bool isnew;

	map_put(&w.works->pools, pool, &isnew);
	if (!isnew)
		return;
	if (!type_find(t, "struct worker_pool", &type, &why) ||
	    !type_member(type, "busy_hash", &busy, &why) ||
	    !field_offset(t, "struct worker_pool", "worklist", &worklist, &why) ||
	    !field_offset(t, "struct worker", "hentry", &plan.link, &why) ||
	    !field_offset(t, "struct worker", "scheduled", &scheduled, &why)) {
		works_flaw(&w, &why);
		return;
	}
	plan.head = pool + busy.offset;
	plan.count = type_strip(busy.type)->count;
	if (plan.count > BUSY_HASH_MAX)
		return;
	if (!hash_walk(t, &plan, &why))
		works_flaw(&w, &why);
	for (size_t i = 0; i < w.found.n; i++)
		worker_read(&w, w.found.p[i], scheduled);
	nodes_read(&w, pool + worklist, "works of a pool", pool | IN_POOL);
	vec_release(&w.found);
}

/* Reads which works wait until others of the same queue are done. */
static void turns_read(struct wait_graph *g, uint64_t pwq)
{
	struct works_walk w = { .g = g, .works = works_of(g) };
	struct err ignored;
	uint64_t off;
	bool isnew;

	map_put(&w.works->pools, pwq, &isnew);
	/* renamed by f97a4a1a3f87 (v5.15) */
	if (isnew &&
	    (field_offset(g->t, "struct pool_workqueue", "inactive_works", &off, &ignored) ||
	     field_offset(g->t, "struct pool_workqueue", "delayed_works", &off, &ignored)))
		nodes_read(&w, pwq + off, "works that wait for their turn", pwq | IN_TURN);
}

static const char *queue_name(struct wait_graph *g, uint64_t wq)
{
	struct err ignored;
	const char *name;
	uint64_t off;

	return field_offset(g->t, "struct workqueue_struct", "name", &off, &ignored) &&
			       mem_str(g->t, wq + off, NAME_BYTES, g->t->scratch, &name, &ignored)
		       ? name
		       : "?";
}

/* ---- work that no worker has begun */

/* A work waits in a pool until a worker is free. One that runs keeps the others of its CPU from
 * beginning; and when none is idle, the manager has to make one. */
static void stuck_in_pool(const struct wait_stack *s, struct wait_object *o, uint64_t pool)
{
	const struct wait_works *works = s->g->impl->works;
	const struct task *who = NULL;
	uint64_t manager, task;
	struct err ignored;
	size_t n = 0;

	for (size_t i = 0; i < works->workers.n; i++) {
		const struct wait_worker *w = &works->workers.p[i];

		if (w->pool != pool)
			continue;
		n++;
		if (!who && w->task && w->task->letter == 'R')
			who = w->task;
	}
	o->state = arena_printf(
		s->g->t->scratch,
		"a flush of work that no worker has begun; %zu of its pool are busy", n);
	if (!who && field_u64(s->g->t, "struct worker_pool", pool, "manager", &manager, &ignored) &&
	    manager && field_u64(s->g->t, "struct worker", manager, "task", &task, &ignored))
		who = wait_task(s->g, task);
	if ((o->holder = who))
		o->holder_by = WAIT_BY_CANDIDATE;
}

/* A work waits for its turn until fewer of its queue are active than may be. When one may, it is
 * the one that is. */
static void stuck_in_turn(const struct wait_stack *s, struct wait_object *o, uint64_t pwq)
{
	const struct wait_works *works = s->g->impl->works;
	struct target *t = s->g->t;
	struct wait_many many = { .n = 0 };
	uint64_t wq, active, max;
	struct err ignored;

	for (size_t i = 0; i < works->workers.n; i++)
		if (works->workers.p[i].pwq == pwq)
			wait_many_add(&many, works->workers.p[i].task);
	if (!field_u64(t, "struct pool_workqueue", pwq, "wq", &wq, &ignored) ||
	    !field_u64(t, "struct pool_workqueue", pwq, "nr_active", &active, &ignored))
		return;
	/* a045a272d887 (v6.9) moved the limit from each pool's part to the queue */
	if (!field_u64(t, "struct pool_workqueue", pwq, "max_active", &max, &ignored) &&
	    !field_u64(t, "struct workqueue_struct", wq, "max_active", &max, &ignored))
		max = 0;
	o->state = arena_printf(t->scratch,
				"a flush of work that no worker has begun; %llu of its queue '%s' "
				"come first, as many as may",
				(unsigned long long)active, queue_name(s->g, wq));
	wait_many_give(s->g, &many, o,
		       many.total == 1 && active == 1 && max == 1 ? WAIT_BY_RULE
								  : WAIT_BY_CANDIDATE);
}

/* ---- flush_work() */

static const char *doing(struct wait_graph *g, uint64_t func)
{
	const char *name = func ? symbol_text(g->t, func, g->t->scratch) : "";

	return *name ? name : "an unknown function";
}

static void flush_place(const struct wait_stack *s, struct wait_object *o, uint64_t place)
{
	const struct wait_worker *w;

	switch (place & 3) {
	case IN_WORKER:
		w = &s->g->impl->works->workers.p[place >> 2];
		o->state = arena_printf(s->g->t->scratch, "a flush of work, whose worker is in %s",
					doing(s->g, w->func));
		if ((o->holder = w->task))
			o->holder_by = WAIT_BY_RULE;
		break;
	case IN_POOL:
		stuck_in_pool(s, o, place & ~UINT64_C(3));
		break;
	default:
		stuck_in_turn(s, o, place & ~UINT64_C(3));
	}
}

/* flush_work() queues a barrier behind the work that it waits for: in the list of the worker that
 * is at it, or behind it where it waits itself. */
static bool flush_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct target *t = s->g->t;
	uint64_t done, entry, data, pool;
	const uint64_t *place;
	struct err ignored;

	if (!field_offset(t, "struct wq_barrier", "done", &done, &ignored) ||
	    !field_offset(t, "struct wq_barrier", "work.entry", &entry, &ignored) ||
	    !field_u64(t, "struct wq_barrier", o->addr - done, "work.data.counter", &data,
		       &ignored) ||
	    !(data & WORK_HAS_PWQ) ||
	    !field_u64(t, "struct pool_workqueue", data & ~PWQ_MASK, "pool", &pool, &ignored))
		return false;
	if (t->arch->word == 4)
		data = (uint32_t)data;
	pool_read(s->g, pool);
	turns_read(s->g, data & ~PWQ_MASK);
	place = map_get(&s->g->impl->works->nodes, o->addr - done + entry);
	if (place)
		flush_place(s, o, *place);
	else
		o->state = "a flush of work that no list has";
	o->flaw = s->g->impl->works->flaw;
	return true;
}

/* ---- flush_workqueue() */

static bool flusher_add(uint64_t flusher, void *arg)
{
	struct works_walk *w = arg;

	*map_put(&w->works->flushers, flusher, NULL) = w->place;
	return w->works->flushers.n < NODES_MAX;
}

static bool queue_add(uint64_t wq, void *arg)
{
	static const char *const lists[] = { "flusher_queue", "flusher_overflow" };
	struct works_walk *w = arg;
	uint64_t first, head, link;
	struct err why;

	w->place = wq;
	if (field_u64(w->g->t, "struct workqueue_struct", wq, "first_flusher", &first, &why) &&
	    first)
		flusher_add(first, w);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		if (field_offset(w->g->t, "struct workqueue_struct", lists[i], &head, &why) &&
		    field_offset(w->g->t, "struct wq_flusher", "list", &link, &why) &&
		    !list_each(w->g->t, wq + head, link, "flushers of a work queue", flusher_add, w,
			       &why))
			works_flaw(w, &why);
	return true;
}

static void flushers_read(struct wait_graph *g)
{
	struct works_walk w = { .g = g, .works = works_of(g) };
	uint64_t head, link;
	struct err why;

	if (w.works->flushers_made)
		return;
	w.works->flushers_made = true;
	if (symbol_addr(g->t, "workqueues", &head) &&
	    field_offset(g->t, "struct workqueue_struct", "list", &link, &why) &&
	    !list_each(g->t, head, link, "work queues", queue_add, &w, &why))
		works_flaw(&w, &why);
}

/* The works that a flusher waits for. */
struct flush_all {
	const struct wait_stack *s;
	struct works_walk w;
	bool colors[COLORS_MAX]; /* those of the works that were queued before */
	uint64_t counts;         /* where a pool_workqueue counts works by their colour, */
	size_t n_colors;
	struct wait_many many, unsure; /* at such a work, or perhaps at one */
	uint64_t works, stuck;         /* how many are left; a pool that has some */
};

/* Counts the works of a pool_workqueue: those that are waited for, and all. */
static bool works_count(struct flush_all *f, uint64_t pwq, uint64_t *ours, uint64_t *all)
{
	struct err ignored;
	uint32_t n;

	*ours = *all = 0;
	for (size_t i = 0; i < f->n_colors; i++) {
		if (!mem_u32(f->s->g->t, pwq + f->counts + i * 4, &n, &ignored))
			return false;
		*all += n;
		*ours += f->colors[i] ? n : 0;
	}
	return true;
}

static bool flush_part(uint64_t pwq, void *arg)
{
	struct flush_all *f = arg;
	const struct wait_works *works = f->s->g->impl->works;
	uint64_t ours, all, pool;
	struct err ignored;

	if (!works_count(f, pwq, &ours, &all) || !ours ||
	    !field_u64(f->s->g->t, "struct pool_workqueue", pwq, "pool", &pool, &ignored))
		return true;
	f->works += ours;
	f->stuck = pool;
	pool_read(f->s->g, pool);
	for (size_t i = 0; i < works->workers.n; i++) {
		const struct wait_worker *w = &works->workers.p[i];

		if (w->pwq != pwq)
			continue;
		if (w->color != UINT64_MAX ? w->color < COLORS_MAX && f->colors[w->color]
					   : ours == all)
			wait_many_add(&f->many, w->task);
		else if (w->color == UINT64_MAX)
			wait_many_add(&f->unsure, w->task);
	}
	return true;
}

/* A flusher waits for works of the colours from the one that is being flushed to its own. One that
 * was given none yet comes after all others. */
static bool flush_colors(struct flush_all *f, uint64_t wq, uint64_t flusher)
{
	struct target *t = f->s->g->t;
	const struct type *type;
	struct member_ref counts;
	uint64_t now, last;
	struct err ignored;

	if (!type_find(t, "struct pool_workqueue", &type, &ignored) ||
	    !type_member(type, "nr_in_flight", &counts, &ignored) ||
	    !field_u64(t, "struct workqueue_struct", wq, "flush_color", &now, &ignored) ||
	    !field_u64(t, "struct wq_flusher", flusher, "flush_color", &last, &ignored))
		return false;
	f->counts = counts.offset;
	f->n_colors = type_strip(counts.type)->count;
	if (f->n_colors > COLORS_MAX || now >= f->n_colors)
		return false;
	if (last >= f->n_colors)
		last = (now + f->n_colors - 1) % f->n_colors;
	for (; now != last; now = (now + 1) % f->n_colors)
		f->colors[now] = true;
	f->colors[last] = true;
	return true;
}

static bool flush_all_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct flush_all f = { .s = s };
	struct target *t = s->g->t;
	uint64_t done, link, head;
	const uint64_t *wq;
	struct err why;

	if (!field_offset(t, "struct wq_flusher", "done", &done, &why))
		return false;
	flushers_read(s->g);
	wq = map_get(&s->g->impl->works->flushers, o->addr - done);
	if (!wq)
		return false;
	o->state = arena_printf(t->scratch, "a flush of work queue '%s'", queue_name(s->g, *wq));
	f.w = (struct works_walk){ .g = s->g, .works = s->g->impl->works };
	if (!flush_colors(&f, *wq, o->addr - done) ||
	    !field_offset(t, "struct workqueue_struct", "pwqs", &head, &why) ||
	    !field_offset(t, "struct pool_workqueue", "pwqs_node", &link, &why))
		return true;
	if (!list_each(t, *wq + head, link, "pools of a work queue", flush_part, &f, &why))
		works_flaw(&f.w, &why);
	if (f.many.n)
		wait_many_give(s->g, &f.many, o, WAIT_BY_RULE);
	else if (f.unsure.n)
		wait_many_give(s->g, &f.unsure, o, WAIT_BY_CANDIDATE);
	else if (f.stuck)
		stuck_in_pool(s, o, f.stuck);
	o->state = arena_printf(
		t->scratch, "a flush of work queue '%s': %llu left, %zu of them begun",
		queue_name(s->g, *wq), (unsigned long long)f.works, f.many.total + f.unsure.total);
	o->flaw = f.w.works->flaw;
	return true;
}

/* ---- works by name */

static bool pool_of_part(uint64_t pwq, void *arg)
{
	struct wait_graph *g = arg;
	struct err ignored;
	uint64_t pool;

	if (field_u64(g->t, "struct pool_workqueue", pwq, "pool", &pool, &ignored))
		pool_read(g, pool);
	return true;
}

bool wait_works_of_queue(struct wait_graph *g, const char *variable)
{
	uint64_t at, wq, head, link;
	struct err ignored;

	return symbol_addr(g->t, variable, &at) && mem_ptr(g->t, at, &wq, &ignored) &&
	       field_offset(g->t, "struct workqueue_struct", "pwqs", &head, &ignored) &&
	       field_offset(g->t, "struct pool_workqueue", "pwqs_node", &link, &ignored) &&
	       list_each(g->t, wq + head, link, "pools of a work queue", pool_of_part, g, &ignored);
}

const struct task *wait_worker_of(const struct wait_graph *g, uint64_t work)
{
	const struct wait_works *works = g->impl->works;

	for (size_t i = 0; works && i < works->workers.n; i++)
		if (works->workers.p[i].work == work)
			return works->workers.p[i].task;
	return NULL;
}

/* ---- work of kernel threads */

/* kthread_flush_work() queues a work of its own behind the one that it waits for. */
static bool kthread_flush(const struct wait_stack *s, struct wait_object *o)
{
	struct target *t = s->g->t;
	uint64_t done, worker, task, work, func = 0;
	struct err ignored;

	if (!field_offset(t, "struct kthread_flush_work", "done", &done, &ignored) ||
	    !field_u64(t, "struct kthread_flush_work", o->addr - done, "work.worker", &worker,
		       &ignored) ||
	    !field_u64(t, "struct kthread_worker", worker, "task", &task, &ignored))
		return false;
	if (field_u64(t, "struct kthread_worker", worker, "current_work", &work, &ignored) && work)
		(void)!field_u64(t, "struct kthread_work", work, "func", &func, &ignored);
	o->state = func ? arena_printf(t->scratch, "a flush of a thread's work, which is in %s",
				       doing(s->g, func))
			: "a flush of a thread's work, which has begun none";
	if ((o->holder = wait_task(s->g, task)))
		o->holder_by = WAIT_BY_RULE;
	return true;
}

bool wait_for_work(const struct wait_stack *s, struct wait_object *o)
{
	static const char *const work[] = { "__flush_work",        "flush_work",
					    "__cancel_work",       "__cancel_delayed_work",
					    "cancel_delayed_work", NULL };
	static const char *const queue[] = { "__flush_workqueue", "flush_workqueue",
					     "drain_workqueue", "destroy_workqueue", NULL };
	static const char *const thread[] = { "kthread_flush_work", "kthread_flush_worker",
					      "__kthread_cancel_work", NULL };
	size_t frame;

	/* "flush_work" begins "flush_workqueue" too: the queue is asked first */
	if (o->addr - s->task->stack >= s->g->impl->stack_size)
		return false;
	return (wait_has_frame(s, queue, &frame) && flush_all_describe(s, o)) ||
	       (wait_has_frame(s, thread, &frame) && kthread_flush(s, o)) ||
	       (wait_has_frame(s, work, &frame) && flush_describe(s, o));
}
