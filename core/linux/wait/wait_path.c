/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ways through the graph: cycles, the longest chains, crowds. Each task waits for one thing, and of
 * several tasks that have a thing one is chosen, so that from every edge one way leads on. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* Of each edge what is known of its way. */
struct wait_step {
	size_t next;  /* the edge behind it; WAIT_NONE: there is none */
	size_t mark;  /* 0: not yet seen, else number of the search that met it first + 1 */
	size_t depth; /* edges from it to the end; 0: not yet counted */
	size_t end;   /* the edge that its way ends at: the last, or the first of a cycle */
	bool cyclic;  /* it is in a cycle */
	size_t best;  /* of an end: the edge with the longest way to it */
};

const struct wait_edge *wait_edge_of(const struct wait_graph *g, const struct task *task)
{
	const uint64_t *p = map_get(&g->impl->edges, task->addr);

	return p ? &g->edges.p[*p - 1] : NULL;
}

/* A page fault lets go of its area before it takes the mmap_lock: who waits for that of its own
 * process has no area, whichever it read last. */
static bool has_left_area(const struct wait_graph *g, const struct wait_object *o)
{
	const struct wait_edge *e = o->of_area ? wait_edge_of(g, o->holder) : NULL;
	struct err ignored;
	uint64_t off;

	return e && e->object != WAIT_NONE && e->task->mm &&
	       field_offset(g->t, "struct mm_struct", "mmap_lock", &off, &ignored) &&
	       g->objects.p[e->object].addr == e->task->mm + off;
}

const struct wait_edge *wait_edge_next(const struct wait_graph *g, const struct wait_edge *e)
{
	const struct wait_object *o;

	if (e->object == WAIT_NONE || e->owns)
		return NULL;
	o = &g->objects.p[e->object];
	/* who read a lock last and now waits for it has left it, as far as that hint goes */
	if (!o->holder || (o->holder == e->task && !wait_is_proven(o->holder_by)) ||
	    has_left_area(g, o))
		return NULL;
	return wait_edge_of(g, o->holder);
}

static bool edge_proven(const struct wait_graph *g, size_t i)
{
	const struct wait_edge *e = &g->edges.p[i];

	return wait_is_proven(e->by) && wait_is_proven(g->objects.p[e->object].holder_by);
}

/* The n edges that follow from the first on. */
static struct wait_path path_of(struct wait_graph *g, const struct wait_step *steps, size_t first,
				size_t n)
{
	size_t *edges = ARENA_ARRAY(g->t->scratch, size_t, n);
	struct wait_path p = { .edges = edges, .n = n, .proven = true };

	for (size_t i = 0; i < n; i++, first = steps[first].next) {
		edges[i] = first;
		/* the last one of a chain has nothing behind it that would need a proof */
		if ((i + 1 < n || steps[first].cyclic) && !edge_proven(g, first))
			p.proven = false;
	}
	return p;
}

/* What only could be meant closes no ring: the way ends at the first such step of it. */
static bool cut_candidate(struct wait_graph *g, struct wait_step *steps, size_t at)
{
	size_t k = at;

	do {
		if (g->objects.p[g->edges.p[k].object].holder_by == WAIT_BY_CANDIDATE) {
			steps[k].next = WAIT_NONE;
			return true;
		}
		k = steps[k].next;
	} while (k != at);
	return false;
}

/* A search that comes back to an edge of its own has found a cycle. */
static void find_cycles(struct wait_graph *g, struct wait_step *steps)
{
	for (size_t i = 0; i < g->edges.n; i++) {
		size_t at = i, n = 0;

		while (at != WAIT_NONE && !steps[at].mark) {
			steps[at].mark = i + 1;
			at = steps[at].next;
		}
		if (at == WAIT_NONE || steps[at].mark != i + 1 || cut_candidate(g, steps, at))
			continue;
		for (size_t k = at; !steps[k].cyclic; k = steps[k].next, n++) {
			steps[k].cyclic = true;
			steps[k].depth = 1;
			steps[k].end = at;
		}
		*vec_push(&g->cycles) = path_of(g, steps, at, n);
	}
}

static void count_depths(struct wait_graph *g, struct wait_step *steps, size_t *way)
{
	for (size_t i = 0; i < g->edges.n; i++) {
		size_t n = 0, at = i;

		for (; !steps[at].depth; at = steps[at].next) {
			if (steps[at].next == WAIT_NONE) {
				steps[at].depth = 1;
				steps[at].end = at;
				break;
			}
			way[n++] = at;
		}
		while (n--) {
			steps[way[n]].depth = steps[at].depth + 1;
			steps[way[n]].end = steps[at].end;
			at = way[n];
		}
	}
}

static bool is_longer(const struct wait_graph *g, const struct wait_step *steps, size_t a, size_t b)
{
	if (b == WAIT_NONE || steps[a].depth != steps[b].depth)
		return b == WAIT_NONE || steps[a].depth > steps[b].depth;
	return g->edges.p[a].waited != UINT64_MAX &&
	       (g->edges.p[b].waited == UINT64_MAX || g->edges.p[a].waited > g->edges.p[b].waited);
}

static void find_chains(struct wait_graph *g, struct wait_step *steps)
{
	for (size_t i = 0; i < g->edges.n; i++) {
		struct wait_step *end = &steps[steps[i].end];

		if (!steps[i].cyclic && steps[i].depth > 1 && is_longer(g, steps, i, end->best))
			end->best = i;
	}
	for (size_t i = 0; i < g->edges.n; i++) {
		struct wait_path *p;

		if (steps[i].best == WAIT_NONE)
			continue;
		p = vec_push(&g->chains);
		*p = path_of(g, steps, steps[i].best, steps[steps[i].best].depth);
		p->closed = steps[i].cyclic;
	}
}

/* ---- order */

static int by_length(const void *a, const void *b)
{
	const struct wait_path *x = a, *y = b;

	if (x->proven != y->proven)
		return x->proven ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->edges[0] < y->edges[0] ? -1 : x->edges[0] > y->edges[0];
}

/* An object in the order of how many wait for it. */
struct crowd {
	size_t n, object;
	uint64_t waited;
};

static int by_crowd(const void *a, const void *b)
{
	const struct crowd *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->waited != y->waited)
		return x->waited > y->waited ? -1 : 1;
	return x->object < y->object ? -1 : x->object > y->object;
}

static void sort_crowds(struct wait_graph *g)
{
	const size_t n = g->objects.n;
	struct crowd *crowds = ARENA_ARRAY(g->t->scratch, struct crowd, n + 1);

	g->crowds = ARENA_ARRAY(g->t->scratch, size_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		const struct wait_object *o = &g->objects.p[i];

		crowds[i] =
			(struct crowd){ o->n, i,
					o->oldest == WAIT_NONE ? 0 : g->edges.p[o->oldest].waited };
	}
	qsort(crowds, n, sizeof(*crowds), by_crowd);
	for (size_t i = 0; i < n; i++)
		g->crowds[i] = crowds[i].object;
}

/* ---- objects of several tasks */

#define WAY_MAX 1000 /* edges that are followed from a holder on */

/* How long the way from a task on is; SIZE_MAX: it comes back to the object. */
static size_t way_length(const struct wait_graph *g, const struct task *from, size_t object)
{
	const struct wait_edge *e = wait_edge_of(g, from);
	size_t n = 0;

	for (; e && n < WAY_MAX; e = wait_edge_next(g, e), n++)
		if (e->object == object && !e->owns)
			return SIZE_MAX;
	return n;
}

/* A wait that ends only when each of several tasks is through follows the one that closes a ring,
 * or that waits longest itself. */
static void choose_holder(struct wait_graph *g, size_t object)
{
	struct wait_object *o = &g->objects.p[object];
	const struct task **others;
	size_t best = o->n_others, length, longest;

	if (!wait_is_proven(o->holder_by))
		return;
	longest = way_length(g, o->holder, object);
	for (size_t i = 0; i < o->n_others; i++) {
		length = way_length(g, o->others[i], object);
		if (length <= longest)
			continue;
		longest = length;
		best = i;
	}
	if (best == o->n_others)
		return;
	others = ARENA_ARRAY(g->t->scratch, const struct task *, o->n_others);
	memcpy(others, o->others, o->n_others * sizeof(*others));
	others[best] = o->holder;
	o->holder = o->others[best];
	o->others = others;
}

void wait_paths(struct wait_graph *g)
{
	const size_t n = g->edges.n;
	struct wait_step *steps = ARENA_ARRAY(g->t->scratch, struct wait_step, n + 1);

	for (size_t i = 0; i < g->objects.n; i++)
		choose_holder(g, i);
	for (size_t i = 0; i < n; i++) {
		const struct wait_edge *next = wait_edge_next(g, &g->edges.p[i]);

		steps[i].next = next ? (size_t)(next - g->edges.p) : WAIT_NONE;
		steps[i].best = WAIT_NONE;
	}
	find_cycles(g, steps);
	count_depths(g, steps, ARENA_ARRAY(g->t->scratch, size_t, n + 1));
	find_chains(g, steps);
	if (g->cycles.n)
		qsort(g->cycles.p, g->cycles.n, sizeof(*g->cycles.p), by_length);
	if (g->chains.n)
		qsort(g->chains.p, g->chains.n, sizeof(*g->chains.p), by_length);
	sort_crowds(g);
}
