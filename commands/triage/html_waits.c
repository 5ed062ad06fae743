/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waits for whom, as a picture and as text, on a page. */
#include <inttypes.h>
#include <string.h>

#include "commands/triage/html.h"
#include "core/image/target.h"
#include "core/records/wait_svg.h"
#include "core/verdict/check.h"

#define ROWS_MAX 400

/* Those in state D, those that spin, and those that wait for another task: not who sleeps until
 * there is work. */
static bool is_stuck(const struct wait_graph *g, const struct wait_edge *e)
{
	return e->asleep || e->cpu >= 0 ||
	       (e->object != WAIT_NONE && g->objects.p[e->object].holder);
}

static void task_add(struct buf *b, const struct task *task)
{
	buf_printf(b, "%d ", task->pid);
	html_text(b, task->comm);
}

static void object_add(struct buf *b, const struct wait_object *o)
{
	html_text(b, o->type);
	buf_printf(b, " 0x%" PRIx64, o->addr);
	if (o->name) {
		buf_char(b, ' ');
		html_text(b, o->name);
	}
}

/* A row: who waits, since when, for what, where, and who has that. */
static void edge_add(struct buf *b, const struct wait_graph *g, const struct wait_edge *e)
{
	const struct wait_object *o = e->object == WAIT_NONE ? NULL : &g->objects.p[e->object];

	buf_str(b, "<tr><td>");
	task_add(b, e->task);
	buf_str(b, "</td><td>");
	html_text(b, e->task->state);
	if (e->waited != UINT64_MAX)
		buf_printf(b, " %" PRIu64 ".%03u s", e->waited / 1000000000,
			   (unsigned)(e->waited / 1000000 % 1000));
	buf_str(b, "</td><td>");
	if (o)
		object_add(b, o);
	else
		buf_str(b, "not found");
	if (wait_proof_name(e->by))
		buf_printf(b, " [%s]", wait_proof_name(e->by));
	buf_str(b, "</td><td>");
	html_text(b, e->at ? symbol_text(g->t, e->at, g->t->scratch) : "");
	buf_str(b, "</td><td>");
	if (o && o->holder) {
		task_add(b, o->holder);
		buf_printf(b, " [%s]", wait_proof_name(o->holder_by));
	} else if (o && o->state) {
		html_text(b, o->state);
	}
	buf_str(b, "</td></tr>\n");
}

static void rings_add(struct buf *b, const struct wait_graph *g)
{
	for (size_t i = 0; i < g->cycles.n && i < ROWS_MAX; i++) {
		const struct wait_path *path = &g->cycles.p[i];

		buf_printf(b, "<p><b>%s</b> ",
			   path->proven ? "Deadlock:" : "Deadlock, if the hints are right:");
		for (size_t k = 0; k < path->n; k++) {
			const struct wait_edge *e = &g->edges.p[path->edges[k]];

			buf_str(b, k ? ", which " : "");
			if (!k)
				task_add(b, e->task);
			buf_str(b, " waits for ");
			object_add(b, &g->objects.p[e->object]);
			buf_str(b, ", held by ");
			task_add(b, g->objects.p[e->object].holder);
		}
		buf_str(b, "</p>\n");
	}
}

static void table_add(struct buf *b, const struct wait_graph *g)
{
	size_t shown = 0, left_out = 0;

	buf_str(b, "<details><summary>the same as a table</summary>\n<table>\n"
		   "<tr><th>task</th><th>since</th><th>waits for</th><th>at</th>"
		   "<th>held by, or its state</th></tr>\n");
	for (size_t i = 0; i < g->edges.n; i++) {
		if (!is_stuck(g, &g->edges.p[i]))
			continue;
		if (shown == ROWS_MAX) {
			left_out++;
			continue;
		}
		edge_add(b, g, &g->edges.p[i]);
		shown++;
	}
	buf_str(b, "</table>\n");
	if (left_out)
		buf_printf(b, "<p>%zu tasks more were left out.</p>\n", left_out);
	buf_str(b, "</details>\n");
}

void html_waits(struct html *p, struct buf *b)
{
	const struct wait_graph *g;
	struct err err = { 0 };
	bool any = false;

	if (!p->v->own || p->v->own->from_text)
		return;
	if (!triage_graph(p->v->own, &g, &err)) {
		html_unseen(p, "who waits", err.msg);
		return;
	}
	for (size_t i = 0; i < g->edges.n && !any; i++)
		any = is_stuck(g, &g->edges.p[i]);
	if (g->skipped)
		html_unseen(p, "who waits",
			    arena_printf(p->t->scratch, "%zu stacks of sleeping tasks: %s",
					 g->skipped, g->skipped_why.msg));
	if (!any)
		return;
	html_section(b, "waits", "Who waits for whom");
	rings_add(b, g);
	buf_str(b, "<div class=\"picture\">\n");
	wait_svg(b, g, is_stuck);
	buf_str(b, "</div>\n");
	table_add(b, g);
	html_section_end(b);
}
