/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of waits as a picture: SVG without scripts, which browsers show. */
#include <string.h>

#include "commands/waits/wait_drawing.h"
#include "commands/waits/wait_record.h"
#include "core/base/buf.h"
#include "core/base/text.h"

/* In units of the picture. */
#define BOX_W 300
#define BOX_H 44
#define GAP_W 70
#define ROW_H 56
#define MARGIN 24
#define HEAD_H 40
#define TEXT_MAX 42 /* characters that a box has room for */

static const struct record_field svg_fields[] = {
	{ "line", NULL, CELL_STR, 0, "a line of the picture" },
};
const struct record_kind wait_svg_kind = { "wait_svg",  "a line of the graph as SVG (--svg)",
					   LAYOUT_LINE, "{line}",
					   svg_fields,  1 };

static void svg_line(struct ctx *c, struct buf *b)
{
	struct record r;

	record_init(&r, &wait_svg_kind);
	record_str(&r, 0, arena_strdup(c->arena, buf_text(b)));
	emit(c, &r);
	buf_reset(b);
}

/* A kernel's text as XML has it, at most max characters of it. */
static void svg_text(struct buf *b, const char *s, size_t max)
{
	struct buf shown = { 0 };
	const char *p, *end;
	size_t n = 0;

	buf_plain(&shown, s, strlen(s));
	p = buf_text(&shown);
	end = p + strlen(p);
	for (; p < end && n < max; n++) {
		const size_t len = text_char(p, (size_t)(end - p));

		if (*p == '&')
			buf_str(b, "&amp;");
		else if (*p == '<')
			buf_str(b, "&lt;");
		else if (*p == '>')
			buf_str(b, "&gt;");
		else if (*p == '"')
			buf_str(b, "&quot;");
		else
			buf_add(b, p, len ? len : 1);
		p += len ? len : 1;
	}
	if (p < end)
		buf_str(b, "...");
	buf_release(&shown);
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

static struct box_text task_text(struct ctx *c, const struct drawn *t)
{
	struct box_text ret = { 0 };
	const struct task *task = t->task;
	const uint64_t waited = t->edge ? t->edge->waited : UINT64_MAX;

	ret.head = arena_printf(c->arena, "%d %s", task->pid, task->comm);
	ret.tail = task->active           ? arena_printf(c->arena, "runs on CPU %d", task->cpu)
		   : waited == UINT64_MAX ? task->state
					  : arena_printf(c->arena, "%s %llu.%03u s", task->state,
							 (unsigned long long)(waited / 1000000000),
							 (unsigned)(waited / 1000000 % 1000));
	ret.whole = !t->edge ? ret.head
			     : arena_printf(c->arena, "%s: %s%s%s%s%s%s", ret.head,
					    t->edge->at ? symbol_text(c->t, t->edge->at, c->arena)
							: "it waits",
					    t->edge->mode ? " (" : "",
					    t->edge->mode ? t->edge->mode : "",
					    t->edge->mode ? ")" : "", t->edge->flaw ? "; " : "",
					    t->edge->flaw ? t->edge->flaw : "");
	return ret;
}

static struct box_text object_text(struct ctx *c, const struct wait_object *o)
{
	struct box_text ret = { 0 };

	ret.head =
		o->name ? arena_printf(c->arena, "%s %s", o->type, o->name)
			: arena_printf(c->arena, "%s 0x%llx", o->type, (unsigned long long)o->addr);
	ret.tail = o->state ? o->state : "";
	ret.whole =
		arena_printf(c->arena, "%s 0x%llx%s%s%s%s", o->type, (unsigned long long)o->addr,
			     o->name ? " " : "", o->name ? o->name : "", o->state ? ": " : "",
			     o->state ? o->state : "");
	return ret;
}

static void svg_box(struct ctx *c, struct buf *b, const struct wait_graph *g, const struct drawn *t)
{
	const unsigned x = left_of(t), y = top_of(t);
	struct box_text text = { .tail = "" };

	if (t->kind == DRAWN_TASK)
		text = task_text(c, t);
	else if (t->kind == DRAWN_OBJECT)
		text = object_text(c, &g->objects.p[t->object]);
	else
		text.head = text.whole = arena_printf(c->arena, "... and %zu more", t->more);
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
	svg_line(c, b);
}

/* How the step that an arrow stands for is known. */
static enum wait_proof arrow_proof(const struct wait_graph *g, const struct drawn *t)
{
	if (t->kind == DRAWN_OBJECT)
		return g->objects.p[t->object].holder_by;
	return t->edge ? t->edge->by : WAIT_BY_RING;
}

static void svg_arrow(struct ctx *c, struct buf *b, const struct wait_graph *g,
		      const struct wait_drawing *d, const struct drawn *t)
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
	svg_line(c, b);
}

static void svg_head(struct ctx *c, struct buf *b, const struct wait_graph *g,
		     const struct wait_drawing *d)
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
	svg_line(c, b);
	buf_str(b, "<style>text{font:12px monospace;fill:#222}.tail{fill:#666;font-size:11px}"
		   ".proof{fill:#888;font-size:10px}.task{fill:#e8f1fb;stroke:#5b87b5}"
		   ".lock{fill:#fdf3dc;stroke:#b89443}.more{fill:#f3f3f3;stroke:#aaa}"
		   "rect.ring{stroke:#c22;stroke-width:2.5}"
		   ".arrow{fill:none;stroke:#777;marker-end:url(#head)}"
		   ".arrow.ring{stroke:#c22;stroke-width:2.5}.weak{stroke-dasharray:5 4}</style>");
	svg_line(c, b);
	buf_str(b, "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" "
		   "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" "
		   "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#777\"/></marker></defs>");
	svg_line(c, b);
	buf_str(b, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
	svg_line(c, b);
	buf_printf(b, "<text x=\"%u\" y=\"%u\" font-weight=\"bold\">%zu %s, %zu %s%s</text>",
		   MARGIN, MARGIN + 14, d->tasks, d->tasks == 1 ? "task waits" : "tasks wait",
		   proven, proven == 1 ? "deadlock" : "deadlocks",
		   d->left_out ? arena_printf(c->arena, "; %zu more are not drawn", d->left_out)
			       : "");
	svg_line(c, b);
}

void emit_wait_svg(struct ctx *c, const struct wait_graph *g,
		   bool (*show)(const struct wait_graph *g, const struct wait_edge *e))
{
	struct wait_drawing d;
	struct buf b = { 0 };

	wait_drawing_make(g, show, &d);
	svg_head(c, &b, g, &d);
	for (size_t i = 0; i < d.things.n; i++)
		if (d.things.p[i].to != WAIT_NONE)
			svg_arrow(c, &b, g, &d, &d.things.p[i]);
	for (size_t i = 0; i < d.things.n; i++)
		svg_box(c, &b, g, &d.things.p[i]);
	buf_str(&b, "</svg>");
	svg_line(c, &b);
	buf_release(&b);
	wait_drawing_release(&d);
}
