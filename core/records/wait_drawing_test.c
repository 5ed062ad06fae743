/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the layout of pictures: what is drawn, that nothing lies upon anything else, and that a
 * picture has an end. */
#include "core/records/wait_drawing.h"
#include "core/base/test.h"
#include "core/linux/wait/wait_fake.h"

#define MANY 1000

/* A graph without stacks: tasks, what each waits for, and who has it. */
struct drawing_fake {
	struct wait_fake w;
	struct task tasks[MANY];
};

static void drawing_fake_init(struct drawing_fake *f, size_t objects)
{
	wait_fake_init(&f->w, true);
	for (int i = 0; i < MANY; i++)
		f->tasks[i] =
			(struct task){ .addr = 0x1000 + (uint64_t)i * 16, .pid = i, .comm = "t" };
	for (size_t i = 0; i < objects; i++) {
		struct wait_object *o = vec_push(&f->w.g.objects);

		o->type = "mutex";
		o->addr = i;
		o->first = o->oldest = WAIT_NONE;
	}
}

/* Task `i` waits for an object. */
static void waits_for(struct drawing_fake *f, int i, size_t object)
{
	struct wait_graph *g = &f->w.g;
	struct wait_object *o = &g->objects.p[object];

	*vec_push(&g->edges) = (struct wait_edge){ .task = &f->tasks[i],
						   .object = object,
						   .by = WAIT_BY_RING,
						   .cpu = -1,
						   .next = o->first };
	o->first = g->edges.n - 1;
	o->n++;
	*map_put(&g->impl->edges, f->tasks[i].addr, NULL) = g->edges.n;
}

static void held_by(struct drawing_fake *f, size_t object, int i)
{
	f->w.g.objects.p[object].holder = &f->tasks[i];
	f->w.g.objects.p[object].holder_by = WAIT_BY_OWNER_WORD;
}

static bool any(const struct wait_graph *g, const struct wait_edge *e)
{
	(void)g, (void)e;
	return true;
}

/* The picture; it is checked that no two things share a place, and that arrows lead to the right
 * unless they say that they lead back. */
static void draw(struct drawing_fake *f, struct wait_drawing *d)
{
	wait_paths(&f->w.g);
	wait_drawing_make(&f->w.g, any, d);
	CHECK(d->things.n <= DRAWN_MAX);
	for (size_t i = 0; i < d->things.n; i++) {
		const struct drawn *t = &d->things.p[i];

		CHECK(t->column < d->columns && t->row < d->rows);
		if (t->to != WAIT_NONE && !t->back)
			CHECK_U64(d->things.p[t->to].column, t->column + 1);
		for (size_t k = 0; k < i; k++) {
			const struct drawn *o = &d->things.p[k];

			CHECK(o->column != t->column || o->row + 2 <= t->row ||
			      t->row + 2 <= o->row);
		}
	}
}

static const struct drawn *task_drawn(const struct wait_drawing *d, int pid)
{
	for (size_t i = 0; i < d->things.n; i++)
		if (d->things.p[i].kind == DRAWN_TASK && d->things.p[i].task->pid == pid)
			return &d->things.p[i];
	return NULL;
}

/* 0 and 1 in a ring, 2 behind 0. */
TEST(a_ring_is_cut_and_closed)
{
	struct drawing_fake f;
	struct wait_drawing d;
	const struct drawn *end;

	drawing_fake_init(&f, 2);
	held_by(&f, 0, 0);
	held_by(&f, 1, 1);
	waits_for(&f, 0, 1);
	waits_for(&f, 1, 0);
	waits_for(&f, 2, 0);
	draw(&f, &d);
	CHECK_U64(d.things.n, 5);
	CHECK_U64(d.tasks, 3);
	CHECK_U64(d.left_out, 0);
	end = task_drawn(&d, 0);
	REQUIRE(end && end->back && end->to != WAIT_NONE);
	CHECK_U64(d.things.p[end->to].object, 1);
	CHECK(end->ringed && d.things.p[end->to].ringed && task_drawn(&d, 1)->ringed);
	REQUIRE(task_drawn(&d, 2));
	CHECK(!task_drawn(&d, 2)->ringed && !task_drawn(&d, 2)->back);
	wait_drawing_release(&d);
	wait_fake_release(&f.w);
}

TEST(a_task_that_waits_for_itself_and_one_that_owns_what_it_waits_for)
{
	struct drawing_fake f;
	struct wait_drawing d;

	drawing_fake_init(&f, 3);
	held_by(&f, 0, 0);
	waits_for(&f, 0, 0);
	held_by(&f, 1, 1);
	waits_for(&f, 1, 1);
	f.w.g.edges.p[1].owns = true;
	/* a reader that waits for the lock that it read last */
	held_by(&f, 2, 2);
	f.w.g.objects.p[2].holder_by = WAIT_BY_HINT;
	waits_for(&f, 2, 2);
	draw(&f, &d);
	CHECK_U64(d.things.n, 6);
	CHECK(task_drawn(&d, 0)->ringed);
	CHECK(task_drawn(&d, 1) && !task_drawn(&d, 1)->ringed && task_drawn(&d, 1)->back);
	CHECK(task_drawn(&d, 2) && !task_drawn(&d, 2)->ringed);
	wait_drawing_release(&d);
	wait_fake_release(&f.w);
}

/* 60 wait for one object; task 7 among them has another one, for which 100 waits. */
TEST(a_crowd_is_drawn_in_part)
{
	struct drawing_fake f;
	struct wait_drawing d;
	size_t tasks = 0, more = 0;

	drawing_fake_init(&f, 2);
	for (int i = 0; i < 60; i++)
		waits_for(&f, i, 0);
	held_by(&f, 1, 7);
	waits_for(&f, 100, 1);
	draw(&f, &d);
	for (size_t i = 0; i < d.things.n; i++) {
		tasks += d.things.p[i].kind == DRAWN_TASK;
		more += d.things.p[i].more;
	}
	/* the five of the crowd, and 7 and 100 */
	CHECK_U64(tasks, DRAWN_CROWD + 2);
	CHECK_U64(more, 59 - DRAWN_CROWD);
	CHECK_U64(d.left_out, 0);
	CHECK(task_drawn(&d, 0) && task_drawn(&d, 7) && task_drawn(&d, 100));
	wait_drawing_release(&d);
	wait_fake_release(&f.w);
}

/* More than there is room for: 900 tasks, each of which waits for a lock of its own; then a chain
 * of 900. */
TEST(a_picture_has_an_end)
{
	struct drawing_fake f;
	struct wait_drawing d;

	drawing_fake_init(&f, 900);
	for (int i = 0; i < 900; i++)
		waits_for(&f, i, (size_t)i);
	draw(&f, &d);
	CHECK_U64(d.tasks, 900);
	CHECK_U64(d.left_out, 900 - DRAWN_MAX / 2);
	wait_drawing_release(&d);
	wait_fake_release(&f.w);
	drawing_fake_init(&f, 900);
	for (int i = 0; i < 900; i++) {
		waits_for(&f, i, (size_t)i);
		held_by(&f, (size_t)i, i + 1);
	}
	draw(&f, &d);
	CHECK(d.left_out > 600 && d.left_out < 900);
	wait_drawing_release(&d);
	wait_fake_release(&f.w);
}

TEST_MAIN
