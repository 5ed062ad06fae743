/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of waits as a picture: SVG without scripts, which browsers show. */
#include "core/records/wait_svg.h"

#include <string.h>

#include "core/base/markup.h"
#include "core/base/text.h"

/* In units of the picture. */
#define BOX_W 300
#define BOX_H 44
#define GAP_W 70
#define ROW_H 56
#define MARGIN 24
#define HEAD_H 40
#define TEXT_MAX 42 /* characters that a box has room for */

/* A kernel's text as XML has it, at most max characters of it. */
static void svg_text(struct buf *b, const char *s, size_t max)
{
	size_t left = strlen(s), n = 0;
	const char *p = s;

	for (; left && n < max; n++) {
		const size_t len = text_char(p, left);

		p += len ? len : 1;
		left -= len ? len : 1;
	}
	buf_markup(b, s, (size_t)(p - s));
	if (left)
		buf_str(b, "...");
}

static unsigned left_of(const struct drawn *t)
{
	return MARGIN + t->column * (BOX_W + GAP_W);
}

static unsigned top_of(const struct drawn *t)
{
	return MARGIN + HEAD_H + t->row * ROW_H / 2;
}

/* The three texts of a box: its two lines, and the whole that a pointer shows. */
struct box_text {
	const char *head, *tail, *whole;
};

static struct box_text task_text(const struct wait_graph *g, const struct drawn *t)
{
	struct arena *a = g->t->scratch;
	struct box_text ret = { 0 };
	const struct task *task = t->task;
	const uint64_t waited = t->edge ? t->edge->waited : UINT64_MAX;

	ret.head = arena_printf(a, "%d %s", task->pid, task->comm);
	ret.tail = task->active           ? arena_printf(a, "runs on CPU %d", task->cpu)
		   : waited == UINT64_MAX ? task->state
					  : arena_printf(a, "%s %llu.%03u s", task->state,
							 (unsigned long long)(waited / 1000000000),
							 (unsigned)(waited / 1000000 % 1000));
	ret.whole = !t->edge
			    ? ret.head
			    : arena_printf(
				      a, "%s: %s%s%s%s%s%s", ret.head,
				      t->edge->at ? symbol_text(g->t, t->edge->at, a) : "it waits",
				      t->edge->mode ? " (" : "", t->edge->mode ? t->edge->mode : "",
				      t->edge->mode ? ")" : "", t->edge->flaw ? "; " : "",
				      t->edge->flaw ? t->edge->flaw : "");
	return ret;
}

static struct box_text object_text(struct arena *a, const struct wait_object *o)
{
	struct box_text ret = { 0 };

	ret.head = o->name ? arena_printf(a, "%s %s", o->type, o->name)
			   : arena_printf(a, "%s 0x%llx", o->type, (unsigned long long)o->addr);
	ret.tail = o->state ? o->state : "";
	ret.whole = arena_printf(a, "%s 0x%llx%s%s%s%s", o->type, (unsigned long long)o->addr,
				 o->name ? " " : "", o->name ? o->name : "", o->state ? ": " : "",
				 o->state ? o->state : "");
	return ret;
}

static void svg_box(struct buf *b, const struct wait_graph *g, const struct drawn *t)
{
	const unsigned x = left_of(t), y = top_of(t);
	struct box_text text = { .tail = "" };

	if (t->kind == DRAWN_TASK)
		text = task_text(g, t);
	else if (t->kind == DRAWN_OBJECT)
		text = object_text(g->t->scratch, &g->objects.p[t->object]);
	else
		text.head = text.whole = arena_printf(g->t->scratch, "... and %zu more", t->more);
	buf_printf(b, "<g><title>");
	svg_text(b, text.whole, 400);
	buf_printf(
		b,
		"</title><rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"%u\" class=\"%s%s\"/>",
		x, y, BOX_W, BOX_H, t->kind == DRAWN_OBJECT ? 0 : 12,
		t->kind == DRAWN_TASK     ? "task"
		: t->kind == DRAWN_OBJECT ? "lock"
					  : "more",
		t->ringed ? " ring" : "");
	buf_printf(b, "<text x=\"%u\" y=\"%u\">", x + 8, y + 18);
	svg_text(b, text.head, TEXT_MAX - 4);
	buf_printf(b, "</text><text x=\"%u\" y=\"%u\" class=\"tail\">", x + 8, y + 35);
	svg_text(b, text.tail, TEXT_MAX + 4);
	buf_str(b, "</text></g>");
	buf_char(b, '\n');
}

/* How the step that an arrow stands for is known. */
static enum wait_proof arrow_proof(const struct wait_graph *g, const struct drawn *t)
{
	if (t->kind == DRAWN_OBJECT)
		return g->objects.p[t->object].holder_by;
	return t->edge ? t->edge->by : WAIT_BY_RING;
}

static void svg_arrow(struct buf *b, const struct wait_graph *g, const struct wait_drawing *d,
		      const struct drawn *t)
{
	const struct drawn *to = &d->things.p[t->to];
	const enum wait_proof by = arrow_proof(g, t);
	const int x1 = (int)left_of(t) + BOX_W, y1 = (int)top_of(t) + BOX_H / 2;
	const int x2 = (int)left_of(to), y2 = (int)top_of(to) + BOX_H / 2;
	const char *name = t->kind == DRAWN_MORE ? NULL : wait_proof_name(by);
	const bool ring = t->ringed && to->ringed;

	if (t->back) {
		/* below both, from the lower side of one to that of the other */
		const int low = (y1 > y2 ? y1 : y2) + BOX_H / 2 + 32;

		buf_printf(b, "<path d=\"M%d %d C%d %d %d %d %d %d\" class=\"arrow%s%s\"/>",
			   x1 - 20, y1 + BOX_H / 2, x1 - 40, low, x2 + 40, low, x2 + 20,
			   y2 + BOX_H / 2, ring ? " ring" : "", wait_is_proven(by) ? "" : " weak");
	} else {
		buf_printf(b, "<path d=\"M%d %d C%d %d %d %d %d %d\" class=\"arrow%s%s\"/>", x1, y1,
			   x1 + GAP_W / 2, y1, x2 - GAP_W / 2, y2, x2, y2, ring ? " ring" : "",
			   wait_is_proven(by) ? "" : " weak");
	}
	if (name && !t->back)
		buf_printf(b, "<text x=\"%d\" y=\"%d\" class=\"proof\">%s</text>", x1 + 4, y1 - 5,
			   name);
	buf_char(b, '\n');
}

static void svg_head(struct buf *b, const struct wait_graph *g, const struct wait_drawing *d)
{
	const unsigned w = 2 * MARGIN + (d->columns ? d->columns : 2) * (BOX_W + GAP_W);
	const unsigned h = 2 * MARGIN + HEAD_H + d->rows * ROW_H / 2 + ROW_H;
	size_t proven = 0;

	for (size_t i = 0; i < g->cycles.n; i++)
		proven += g->cycles.p[i].proven;
	buf_printf(
		b,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">",
		w, h, w, h);
	buf_char(b, '\n');
	buf_str(b, "<style>text{font:12px monospace;fill:#222}.tail{fill:#666;font-size:11px}"
		   ".proof{fill:#888;font-size:10px}.task{fill:#e8f1fb;stroke:#5b87b5}"
		   ".lock{fill:#fdf3dc;stroke:#b89443}.more{fill:#f3f3f3;stroke:#aaa}"
		   "rect.ring{stroke:#c22;stroke-width:2.5}"
		   ".arrow{fill:none;stroke:#777;marker-end:url(#head)}"
		   ".arrow.ring{stroke:#c22;stroke-width:2.5}.weak{stroke-dasharray:5 4}</style>");
	buf_char(b, '\n');
	buf_str(b, "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
		   "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" "
		   "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker></defs>");
	buf_char(b, '\n');
	buf_str(b, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
	buf_char(b, '\n');
	buf_printf(b, "<text x=\"%u\" y=\"%u\" font-weight=\"bold\">%zu %s, %zu %s%s</text>",
		   MARGIN, MARGIN + 14, d->tasks, d->tasks == 1 ? "task waits" : "tasks wait",
		   proven, proven == 1 ? "deadlock" : "deadlocks",
		   d->left_out
			   ? arena_printf(g->t->scratch, "; %zu more are not drawn", d->left_out)
			   : "");
	buf_char(b, '\n');
}

void wait_svg(struct buf *b, const struct wait_graph *g, wait_shown_fn *show)
{
	struct wait_drawing d;

	wait_drawing_make(g, show, &d);
	svg_head(b, g, &d);
	for (size_t i = 0; i < d.things.n; i++)
		if (d.things.p[i].to != WAIT_NONE)
			svg_arrow(b, g, &d, &d.things.p[i]);
	for (size_t i = 0; i < d.things.n; i++)
		svg_box(b, g, &d.things.p[i]);
	buf_str(b, "</svg>\n");
	wait_drawing_release(&d);
}
