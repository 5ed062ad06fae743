/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of a picture of waits. Each task waits for one thing, and each thing has one holder at
 * most: so what leads to an end is a tree, whose end stands at the right; a ring is cut at one of
 * its tasks, from which an arrow leads back. */
#include "core/records/wait_drawing.h"

/* A picture on its way. */
struct drawing_work {
	const struct wait_graph *g;
	wait_shown_fn *show;
	struct wait_drawing *d;
	struct map at;      /* task_struct -> its thing + 1 */
	size_t *object_at;  /* of each object its thing + 1; 0: not drawn */
	size_t *waiting;    /* of each object how many edges are shown */
	struct map held;    /* task_struct -> number of the first object that it has + 1 */
	size_t *held_next;  /* of each object the next one that its holder has + 1 */
	VEC(size_t) todo;   /* things whose children are not drawn yet */
	size_t drawn_tasks; /* with an edge, those in crowds included */
};

static bool is_shown(const struct drawing_work *w, const struct wait_edge *e)
{
	return e && e->object != WAIT_NONE && w->show(w->g, e);
}

/* What each object has to show, and which ones a task has. */
static void work_init(struct drawing_work *w)
{
	const struct wait_graph *g = w->g;

	for (size_t i = 0; i < g->edges.n; i++)
		if (is_shown(w, &g->edges.p[i])) {
			w->waiting[g->edges.p[i].object]++;
			w->d->tasks++;
		}
	for (size_t i = 0; i < g->objects.n; i++) {
		uint64_t *first;

		if (!w->waiting[i] || !g->objects.p[i].holder)
			continue;
		first = map_put(&w->held, g->objects.p[i].holder->addr, NULL);
		w->held_next[i] = *first;
		*first = i + 1;
	}
}

static bool is_full(const struct drawing_work *w)
{
	return w->d->things.n >= DRAWN_MAX;
}

static struct drawn *thing_add(struct drawing_work *w, enum drawn_kind kind, size_t to)
{
	struct drawn *t = vec_push(&w->d->things);

	t->kind = kind;
	t->to = to;
	t->depth = to == WAIT_NONE ? 0 : w->d->things.p[to].depth + 1;
	*vec_push(&w->todo) = w->d->things.n - 1;
	return t;
}

static void task_add(struct drawing_work *w, const struct task *task, size_t to)
{
	struct drawn *t = thing_add(w, DRAWN_TASK, to);

	t->task = task;
	t->edge = wait_edge_of(w->g, task);
	if (!is_shown(w, t->edge))
		t->edge = NULL;
	else
		w->drawn_tasks++;
	*map_put(&w->at, task->addr, NULL) = w->d->things.n;
}

static void object_add(struct drawing_work *w, size_t object, size_t to)
{
	struct drawn *t = thing_add(w, DRAWN_OBJECT, to);

	t->object = object;
	w->object_at[object] = w->d->things.n;
}

/* Is it the task of an edge that is to be drawn, and nobody waits for what that has? */
static bool is_leaf(const struct drawing_work *w, const struct wait_edge *e)
{
	return is_shown(w, e) && !map_get(&w->at, e->task->addr) &&
	       !map_get(&w->held, e->task->addr);
}

/* Draws who waits for an object: those whom others wait for all, of the others a few. */
static void object_open(struct drawing_work *w, size_t thing, size_t object)
{
	const size_t first = w->g->objects.p[object].first;
	size_t leaves = 0, more;

	for (size_t i = first; i != WAIT_NONE; i = w->g->edges.p[i].next)
		leaves += is_leaf(w, &w->g->edges.p[i]);
	/* one that is left out would take the room of the box that says so */
	more = leaves > DRAWN_CROWD + 1 ? leaves - DRAWN_CROWD : 0;
	leaves = more;
	for (size_t i = first; i != WAIT_NONE && !is_full(w); i = w->g->edges.p[i].next) {
		const struct wait_edge *e = &w->g->edges.p[i];

		if (!is_shown(w, e) || map_get(&w->at, e->task->addr))
			continue;
		/* those that were met last stand first */
		if (leaves && is_leaf(w, e))
			leaves--;
		else
			task_add(w, e->task, thing);
	}
	if (more && !is_full(w)) {
		thing_add(w, DRAWN_MORE, thing)->more = more;
		w->drawn_tasks += more;
	}
}

static void task_open(struct drawing_work *w, size_t thing, const struct task *task)
{
	const uint64_t *first = map_get(&w->held, task->addr);

	for (size_t i = first ? *first : 0; i && !is_full(w); i = w->held_next[i - 1])
		if (!w->object_at[i - 1])
			object_add(w, i - 1, thing);
}

/* Draws all that leads to the thing that was added last. */
static void tree_grow(struct drawing_work *w)
{
	while (w->todo.n) {
		const size_t thing = w->todo.p[--w->todo.n];
		const struct drawn t = w->d->things.p[thing];

		if (t.kind == DRAWN_OBJECT)
			object_open(w, thing, t.object);
		else if (t.kind == DRAWN_TASK)
			task_open(w, thing, t.task);
	}
}

/* ---- places */

/* Children of each thing, in the order in which they were added. */
struct drawing_family {
	size_t first, last, next; /* numbers + 1 */
};

/* Places the tree whose end is `root`: leaves below each other, the others beside the middle of
 * theirs. Its things are those from root on. */
static void tree_place(struct wait_drawing *d, size_t root, struct drawing_family *family)
{
	size_t deepest = 0, at = root;

	for (size_t i = root; i < d->things.n; i++) {
		struct drawing_family *of;

		if (d->things.p[i].depth > deepest)
			deepest = d->things.p[i].depth;
		if (i == root)
			continue;
		of = &family[d->things.p[i].to];
		if (of->last)
			family[of->last - 1].next = i + 1;
		else
			of->first = i + 1;
		of->last = i + 1;
	}
	for (bool down = true;;) {
		struct drawn *t = &d->things.p[at];

		if (down && family[at].first) {
			at = family[at].first - 1;
			continue;
		}
		t->column = (unsigned)(deepest - t->depth);
		if (!family[at].first) {
			t->row = d->rows;
			d->rows += 2;
		} else {
			t->row = (d->things.p[family[at].first - 1].row +
				  d->things.p[family[at].last - 1].row) /
				 2;
		}
		if (at == root)
			break;
		down = family[at].next != 0;
		at = down ? family[at].next - 1 : t->to;
	}
	if (deepest + 1 > d->columns)
		d->columns = (unsigned)deepest + 1;
	d->rows += 1;
}

static void tree_draw(struct drawing_work *w, size_t root, struct drawing_family *family)
{
	tree_grow(w);
	tree_place(w->d, root, family);
}

/* A ring is cut behind its first task. */
static void ring_draw(struct drawing_work *w, const struct wait_path *p,
		      struct drawing_family *family)
{
	const size_t root = w->d->things.n;
	const struct task *first = w->g->edges.p[p->edges[0]].task;

	if (is_full(w) || map_get(&w->at, first->addr))
		return;
	task_add(w, first, WAIT_NONE);
	tree_draw(w, root, family);
}

/* The end of the way that leads from an object. */
static void end_draw(struct drawing_work *w, size_t object, struct drawing_family *family)
{
	const struct wait_graph *g = w->g;
	const size_t root = w->d->things.n;
	const struct task *holder = g->objects.p[object].holder;

	for (size_t steps = 0; holder && steps <= g->objects.n; steps++) {
		const struct wait_edge *e = wait_edge_of(g, holder);

		if (!is_shown(w, e) || e->owns || g->objects.p[e->object].holder == holder)
			break;
		object = e->object;
		holder = g->objects.p[object].holder;
	}
	if (holder && map_get(&w->at, holder->addr))
		return;
	if (holder)
		task_add(w, holder, WAIT_NONE);
	else
		object_add(w, object, WAIT_NONE);
	tree_draw(w, root, family);
}

/* Arrows that lead back, and the parts of deadlocks. */
static void rings_mark(struct drawing_work *w)
{
	const struct wait_graph *g = w->g;

	for (size_t i = 0; i < w->d->things.n; i++) {
		struct drawn *t = &w->d->things.p[i];

		if (t->kind == DRAWN_TASK && t->edge && t->to == WAIT_NONE &&
		    w->object_at[t->edge->object]) {
			t->to = w->object_at[t->edge->object] - 1;
			t->back = true;
		}
	}
	for (size_t i = 0; i < g->cycles.n; i++)
		for (size_t k = 0; k < g->cycles.p[i].n; k++) {
			const struct wait_edge *e = &g->edges.p[g->cycles.p[i].edges[k]];
			const uint64_t *at = map_get(&w->at, e->task->addr);

			if (at)
				w->d->things.p[*at - 1].ringed = true;
			if (w->object_at[e->object])
				w->d->things.p[w->object_at[e->object] - 1].ringed = true;
		}
}

void wait_drawing_make(const struct wait_graph *g, wait_shown_fn *show, struct wait_drawing *ret)
{
	struct arena *a = g->t->scratch;
	struct drawing_work w = { .g = g, .show = show, .d = ret };
	struct drawing_family *family = ARENA_ARRAY(a, struct drawing_family, DRAWN_MAX);

	*ret = (struct wait_drawing){ .rows = 0 };
	w.object_at = ARENA_ARRAY(a, size_t, g->objects.n + 1);
	w.waiting = ARENA_ARRAY(a, size_t, g->objects.n + 1);
	w.held_next = ARENA_ARRAY(a, size_t, g->objects.n + 1);
	work_init(&w);
	for (size_t i = 0; i < g->cycles.n; i++)
		ring_draw(&w, &g->cycles.p[i], family);
	for (size_t i = 0; i < g->objects.n && !is_full(&w); i++)
		if (w.waiting[g->crowds[i]] && !w.object_at[g->crowds[i]])
			end_draw(&w, g->crowds[i], family);
	rings_mark(&w);
	ret->left_out = ret->tasks - w.drawn_tasks;
	map_release(&w.at);
	map_release(&w.held);
	vec_release(&w.todo);
}

void wait_drawing_release(struct wait_drawing *d)
{
	vec_release(&d->things);
}
