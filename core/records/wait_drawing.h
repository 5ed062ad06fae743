/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where tasks, and what they wait for, stand in a picture. */
#ifndef OBIT_WAIT_DRAWING_H
#define OBIT_WAIT_DRAWING_H

#include "core/linux/wait/wait.h"

enum drawn_kind {
	DRAWN_TASK,
	DRAWN_OBJECT,
	DRAWN_MORE /* tasks that are not drawn one by one */
};

/* A thing in the picture. What it waits for, or who has it, stands to its right. */
struct drawn {
	enum drawn_kind kind;
	const struct task *task;
	const struct wait_edge *edge; /* a task's; NULL: it does not wait */
	size_t object;                /* DRAWN_OBJECT: its number in the graph */
	size_t more;                  /* DRAWN_MORE: how many tasks */
	size_t to;    /* number of the thing that an arrow leads to; WAIT_NONE: there is none */
	bool back;    /* that arrow leads to the left: it closes a ring */
	bool ringed;  /* it and that arrow are part of a deadlock */
	size_t depth; /* steps to the end of its way */
	unsigned column, row; /* rows in halves: two of them are the height of one thing */
};

struct wait_drawing {
	VEC(struct drawn) things;
	unsigned columns, rows;
	size_t tasks, left_out; /* tasks that wait; those of them that there was no room for */
};

#define DRAWN_MAX 400 /* things in a picture */
#define DRAWN_CROWD 5 /* tasks of a crowd that are drawn one by one */

typedef bool wait_shown_fn(const struct wait_graph *g, const struct wait_edge *e);

/* Lays out the edges that show() takes: deadlocks first, then what most tasks wait for. */
void wait_drawing_make(const struct wait_graph *g, wait_shown_fn *show, struct wait_drawing *ret);
void wait_drawing_release(struct wait_drawing *d);

#endif
