/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a recording as SVG: readable alone, in a page, in the light, in the dark, on paper.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/markup.h"
#include "core/base/quantity.h"
#include "core/trace/picture/picture.h"

/* In units of the picture. */
#define LEFT 64u
#define RIGHT 40u
#define TOP 22u
#define WIDE 1100u /* of the time */
#define GAP 12u    /* between CPUs */
#define LABEL_W 7u /* of a character */
#define COLOURS 8u

static const char style[] =
	".obit-trace{--fg:#1c1c1c;--soft:#6a6a6a;--line:#d8d8d8;--dead:#a40000;--irq:#d9534f;--sirq:#e8a33d;"
	"--call:#b9c7d6;--many:#8f8f8f;--note:#0b57b0;background:#fff;max-width:100%;height:auto}"
	"@media(prefers-color-scheme:dark){.obit-trace{--fg:#e4e4e2;--soft:#a5a5a2;--line:#3b3d40;"
	"--dead:#ff7b72;--irq:#e0625e;--sirq:#d9973a;--call:#51667c;--many:#7d7d7d;--note:#86b7f3;"
	"background:#17181a}}"
	"@media print{.obit-trace{--fg:#000;--soft:#444;--line:#ccc;--dead:#a40000;--call:#b9c7d6;"
	"--note:#0b57b0;background:#fff}}"
	".obit-trace text{font:11px ui-monospace,monospace;fill:var(--fg)}.obit-trace text.in{fill:#111}"
	".obit-trace text.soft{fill:var(--soft)}.obit-trace .axis{stroke:var(--line)}"
	".obit-trace .death{stroke:var(--dead);stroke-width:2}.obit-trace text.dead{fill:var(--dead)}"
	".obit-trace .irq{fill:var(--irq)}.obit-trace .sirq{fill:var(--sirq)}"
	".obit-trace .call{fill:var(--call)}.obit-trace .open{stroke:var(--dead);stroke-width:1.5}"
	".obit-trace .many{fill:var(--many)}.obit-trace .mark{stroke:var(--soft)}"
	".obit-trace .crowd{stroke:var(--fg);stroke-width:2}.obit-trace .note{stroke:var(--note);"
	"stroke-width:3}.obit-trace .wake{stroke:var(--note);stroke-width:1;fill:none;opacity:.7}"
	".obit-trace .lost{fill:url(#obit-lost)}.obit-trace .hatch{stroke:var(--soft)}"
	".obit-trace text.calls{font-size:9px;fill:var(--fg)}"
	".obit-trace .k0{fill:#9ec5e8}.obit-trace .k1{fill:#f3c98b}.obit-trace .k2{fill:#a8d8a0}"
	".obit-trace .k3{fill:#e3a7c0}.obit-trace .k4{fill:#c5b3e6}.obit-trace .k5{fill:#e8d979}"
	".obit-trace .k6{fill:#93d5d0}.obit-trace .k7{fill:#d0b49f}";

struct drawing {
	const struct picture *p;
	struct buf *b;
	unsigned y[PICTURE_CPUS_MAX]; /* of a CPU's row of tasks */
	unsigned height;
};

static void stamp(struct buf *b, uint64_t ns)
{
	buf_printf(b, "%" PRIu64 ".%06" PRIu64, ns / 1000000000, ns / 1000 % 1000000);
}

static void text(struct buf *b, const char *s)
{
	buf_markup(b, s, strlen(s));
}

/* In tenths of a unit. */
static unsigned x10(const struct picture *p, uint64_t ts)
{
	uint64_t span = p->until - p->since;

	ts = ts < p->since ? p->since : ts > p->until ? p->until : ts;
	return LEFT * 10 +
	       (unsigned)((double)(ts - p->since) * WIDE * 10 / (double)(span ? span : 1));
}

static void number10(struct buf *b, unsigned n)
{
	if (n % 10)
		buf_printf(b, "%u.%u", n / 10, n % 10);
	else
		buf_printf(b, "%u", n / 10);
}

static unsigned row_height(size_t row)
{
	switch (row) {
	case PICTURE_IRQ:
	case PICTURE_SOFTIRQ:
		return 9;
	case PICTURE_TASK:
		return 18;
	case PICTURE_MARK:
		return 11;
	default:
		return 12;
	}
}

/* Who runs has a row even where nobody is known to have. */
static bool has_row(const struct picture_lane *lane, size_t row)
{
	return row == PICTURE_TASK || lane->rows[row].n;
}

static unsigned lane_height(const struct picture_lane *lane)
{
	unsigned h = 0;

	for (size_t row = 0; row < PICTURE_ROWS; row++)
		h += has_row(lane, row) ? row_height(row) : 0;
	return h;
}

/* ---- fewer shapes */

static size_t shapes(const struct picture *p)
{
	size_t n = p->arrows.n;

	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		for (size_t row = 0; p->lanes[i] && row < PICTURE_ROWS; row++)
			n += p->lanes[i]->rows[row].n;
	return n;
}

/* Draws as one what is narrower than `grain` and beside each other. */
static void thin(struct picture *p, struct picture_lane *lane, size_t row, uint64_t grain)
{
	size_t kept = 0;

	for (size_t i = 0; i < lane->rows[row].n; i++) {
		const struct picture_bar *bar = &lane->rows[row].p[i];
		struct picture_bar *last = kept ? &lane->rows[row].p[kept - 1] : NULL;

		if (last && bar->to - bar->from < grain && last->to - last->from < grain &&
		    bar->to < last->from + grain) {
			last->to = bar->to > last->to ? bar->to : last->to;
			last->busy += bar->busy;
			last->n += bar->n;
			last->note |= bar->note;
			p->merged++;
			continue;
		}
		lane->rows[row].p[kept++] = *bar;
	}
	lane->rows[row].n = kept;
}

static void thin_out(struct picture *p)
{
	uint64_t grain = (p->until - p->since) / WIDE + 1;
	size_t max = p->shapes_max ? p->shapes_max : PICTURE_SHAPES_MAX;

	while (shapes(p) > max && grain < p->until - p->since) {
		grain *= 2;
		for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
			for (size_t row = 0; p->lanes[i] && row < PICTURE_ROWS; row++)
				thin(p, p->lanes[i], row, grain);
	}
}

/* ---- what a pointer shows */

static void many_title(struct buf *b, const struct picture_bar *bar, size_t row)
{
	buf_printf(b, "%zu %s", bar->n,
		   row == PICTURE_MARK   ? "events"
		   : row == PICTURE_TASK ? "turns of tasks"
		   : row >= PICTURE_CALL ? "calls"
					 : "interrupts");
	if (row != PICTURE_MARK) {
		buf_str(b, ", ");
		buf_span(b, bar->busy);
		buf_str(b, " in all");
	}
	buf_str(b, "; the first: ");
}

static void title(const struct drawing *d, const struct picture_lane *lane, size_t row,
		  const struct picture_bar *bar)
{
	struct buf *b = d->b;

	buf_str(b, "<title>");
	if (bar->n > 1)
		many_title(b, bar, row);
	if (bar->text) {
		text(b, bar->text);
	} else {
		text(b, bar->name ? bar->name : "?");
		if (row == PICTURE_TASK)
			buf_printf(b, "-%d", bar->pid);
		buf_printf(b, " on CPU %d, ", lane->cpu);
		if (bar->n == 1)
			buf_span(b, bar->to - bar->from);
		buf_str(b, bar->n == 1 ? ", from " : "from ");
		stamp(b, bar->from);
		if (bar->open)
			buf_str(b, row == PICTURE_TASK ? "" : ", had not ended");
	}
	buf_str(b, "</title>");
}

/* ---- shapes */

static void label(struct buf *b, const char *name, unsigned x, unsigned y, unsigned wide, bool call)
{
	size_t room = wide / (call ? 6 : LABEL_W), n = strlen(name);

	if (room < 4)
		return;
	buf_str(b, "<text x=\"");
	number10(b, x + 20);
	buf_printf(b, "\" y=\"%u\" class=\"%s\">", y, call ? "calls" : "in");
	buf_markup(b, name, n < room ? n : room - 1);
	buf_str(b, "</text>");
}

static void bar_svg(const struct drawing *d, const struct picture_lane *lane, size_t row,
		    const struct picture_bar *bar, unsigned y)
{
	unsigned x = x10(d->p, bar->from), to = x10(d->p, bar->to), h = row_height(row) - 1;
	unsigned w = to > x + 5 ? to - x : 5;
	struct buf *b = d->b;
	char class[16];

	if (bar->n > 1)
		snprintf(class, sizeof(class), "many");
	else if (row == PICTURE_TASK)
		snprintf(class, sizeof(class), "k%u", (unsigned)bar->pid % COLOURS);
	else
		snprintf(class, sizeof(class), "%s%s",
			 row == PICTURE_IRQ       ? "irq"
			 : row == PICTURE_SOFTIRQ ? "sirq"
						  : "call",
			 bar->open ? " open" : "");
	buf_str(b, "<g>");
	title(d, lane, row, bar);
	buf_str(b, "<rect x=\"");
	number10(b, x);
	buf_printf(b, "\" y=\"%u\" width=\"", y);
	number10(b, w);
	buf_printf(b, "\" height=\"%u\" class=\"%s\"/>", h, class);
	if (bar->n == 1 && bar->name && (row == PICTURE_TASK || row >= PICTURE_CALL))
		label(b, bar->name, x, y + (row == PICTURE_TASK ? 13 : 9), w / 10,
		      row != PICTURE_TASK);
	buf_str(b, "</g>\n");
}

static void mark_svg(const struct drawing *d, const struct picture_lane *lane,
		     const struct picture_bar *bar, unsigned y)
{
	struct buf *b = d->b;

	buf_str(b, "<g>");
	title(d, lane, PICTURE_MARK, bar);
	buf_str(b, "<path d=\"M");
	number10(b, x10(d->p, bar->from));
	buf_printf(b, " %uv%u\" class=\"%s\"/></g>\n", y + 1, row_height(PICTURE_MARK) - 2,
		   bar->note    ? "note"
		   : bar->n > 1 ? "crowd"
				: "mark");
}

static void gap_svg(const struct drawing *d, const struct picture_gap *gap, unsigned y, unsigned h)
{
	unsigned x = x10(d->p, gap->from), to = x10(d->p, gap->to);
	struct buf *b = d->b;

	buf_str(b, "<g><title>");
	if (!gap->lost)
		buf_str(b, "overwritten before anybody read it");
	else if (gap->lost == TRACE_LOST_SOME)
		buf_str(b, "events were lost");
	else
		buf_printf(b, "%" PRIu64 " events were lost", gap->lost);
	buf_str(b, "</title><rect x=\"");
	number10(b, x);
	buf_printf(b, "\" y=\"%u\" width=\"", y);
	number10(b, to > x + 10 ? to - x : 10);
	buf_printf(b, "\" height=\"%u\" class=\"lost\"/></g>\n", h);
}

static void lane_svg(struct drawing *d, const struct picture_lane *lane, unsigned y)
{
	unsigned h = lane_height(lane), at = y;

	for (size_t i = 0; i < lane->gaps.n; i++)
		gap_svg(d, &lane->gaps.p[i], y, h);
	for (size_t row = 0; row < PICTURE_ROWS; row++) {
		if (!has_row(lane, row))
			continue;
		if (row == PICTURE_TASK) {
			d->y[lane->cpu] = at;
			buf_printf(d->b, "<text x=\"4\" y=\"%u\">CPU %d</text>\n", at + 13,
				   lane->cpu);
		}
		for (size_t i = 0; i < lane->rows[row].n; i++) {
			if (row == PICTURE_MARK)
				mark_svg(d, lane, &lane->rows[row].p[i], at);
			else
				bar_svg(d, lane, row, &lane->rows[row].p[i], at);
		}
		at += row_height(row);
	}
}

static void arrow_svg(const struct drawing *d, const struct picture_arrow *a)
{
	struct buf *b = d->b;
	unsigned from = d->y[a->from_cpu] + 9, to = d->y[a->to_cpu] + 2;

	buf_str(b, "<g><title>");
	text(b, a->name);
	buf_printf(b, "-%d was woken on CPU %d at ", a->pid, a->from_cpu);
	stamp(b, a->from);
	buf_str(b, ", and ran ");
	buf_span(b, a->to - a->from);
	buf_printf(b, " later on CPU %d</title><path d=\"M", a->to_cpu);
	number10(b, x10(d->p, a->from));
	buf_printf(b, " %uL", from);
	number10(b, x10(d->p, a->to));
	buf_printf(b, " %u\" class=\"wake\" marker-end=\"url(#obit-tip)\"/></g>\n", to);
}

/* ---- the whole */

/* The largest of 1, 2 and 5 times a power of ten of which at least five fit into the span. */
static uint64_t step_of(uint64_t span)
{
	uint64_t step = 1;

	while (step <= span / 50)
		step *= 10;
	if (step * 5 <= span / 5)
		return step * 5;
	return step * 2 <= span / 5 ? step * 2 : step;
}

/* A multiple of a step, in the unit that the step has. */
static void round_span(struct buf *b, uint64_t ns, uint64_t step)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (step < units[i].ns)
		i++;
	buf_printf(b, "-%" PRIu64 " %s", ns / units[i].ns, units[i].name);
}

/* Times count back from the end. */
static void axis(const struct drawing *d)
{
	const struct picture *p = d->p;
	uint64_t span = p->until - p->since, step = step_of(span ? span : 1);
	struct buf *b = d->b;

	for (uint64_t before = 0; before <= span; before += step) {
		unsigned x = x10(p, p->until - before);

		buf_str(b, "<path d=\"M");
		number10(b, x);
		buf_printf(b, " %uV%u\" class=\"axis\"/>", TOP - 6, d->height);
		buf_str(b, "<text text-anchor=\"middle\" class=\"soft\" x=\"");
		number10(b, x);
		buf_str(b, "\" y=\"12\">");
		if (before)
			round_span(b, before, step);
		else
			buf_str(b, "end");
		buf_str(b, "</text>\n");
	}
}

static void death(const struct drawing *d)
{
	const struct picture *p = d->p;

	if (!p->death || p->death < p->since || p->death > p->until)
		return;
	buf_str(d->b, "<g><title>the kernel gave up at ");
	stamp(d->b, p->death);
	buf_str(d->b, "</title><path d=\"M");
	number10(d->b, x10(p, p->death));
	buf_printf(d->b, " %uV%u\" class=\"death\"/><text text-anchor=\"end\" class=\"dead\" x=\"",
		   TOP - 6, d->height);
	number10(d->b, x10(p, p->death) - 40);
	buf_printf(d->b, "\" y=\"%u\">the kernel gave up</text></g>\n", d->height - 2);
}

void picture_svg(struct picture *p, struct buf *b)
{
	struct drawing d = { .p = p, .b = b, .height = TOP };
	unsigned y = TOP;

	thin_out(p);
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i])
			d.height += lane_height(p->lanes[i]) + GAP;
	d.height += p->death ? GAP : 0;
	buf_printf(b,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"obit-trace\" role=\"img\" "
		   "aria-label=\"what each CPU did\" viewBox=\"0 0 %u %u\" width=\"%u\" "
		   "height=\"%u\">\n<style>",
		   LEFT + WIDE + RIGHT, d.height, LEFT + WIDE + RIGHT, d.height);
	buf_str(b, style);
	buf_str(b,
		"</style>\n<defs><pattern id=\"obit-lost\" width=\"6\" height=\"6\" "
		"patternUnits=\"userSpaceOnUse\"><path d=\"M0 6L6 0\" class=\"hatch\"/></pattern>"
		"<marker id=\"obit-tip\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" "
		"markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"var(--note)\"/>"
		"</marker></defs>\n");
	axis(&d);
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i]) {
			lane_svg(&d, p->lanes[i], y);
			y += lane_height(p->lanes[i]) + GAP;
		}
	for (size_t i = 0; i < p->arrows.n; i++)
		if (p->lanes[p->arrows.p[i].from_cpu] && p->lanes[p->arrows.p[i].to_cpu])
			arrow_svg(&d, &p->arrows.p[i]);
	death(&d);
	buf_str(b, "</svg>\n");
}

static bool any_row(const struct picture *p, size_t row)
{
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i] && p->lanes[i]->rows[row].n)
			return true;
	return false;
}

static bool any_gap(const struct picture *p)
{
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i] && p->lanes[i]->gaps.n)
			return true;
	return false;
}

void picture_legend(const struct picture *p, struct buf *b)
{
	buf_span(b, p->until - p->since);
	buf_str(b, " of the trace, from ");
	stamp(b, p->since);
	buf_str(b, " to ");
	stamp(b, p->until);
	buf_printf(b,
		   "; %zu events. Bars are who ran, by sched_switch and by whose events there are; "
		   "between them a CPU was idle, or nobody told.",
		   p->events);
	if (any_row(p, PICTURE_IRQ) || any_row(p, PICTURE_SOFTIRQ))
		buf_str(b, " Above them are interrupts (red) and softirqs (orange).");
	if (any_row(p, PICTURE_CALL))
		buf_str(b, " Below them are the functions that were open, the innermost at the "
			   "bottom; those with a red edge had not returned.");
	if (any_row(p, PICTURE_MARK))
		buf_str(b, " Strokes are other events.");
	if (p->arrows.n)
		buf_printf(b,
			   " Arrows lead from a task's wakeup to its first turn, the %zu longest.",
			   p->arrows.n);
	if (any_gap(p))
		buf_str(b, " Of what is hatched no events were kept.");
	if (p->merged)
		buf_printf(
			b,
			" %zu that are too narrow are drawn as one with their neighbours, in grey.",
			p->merged);
	if (p->death > p->until) {
		buf_str(b, " The kernel gave up ");
		buf_span(b, p->death - p->until);
		buf_str(b, " after the last event.");
	}
	if (p->left_out)
		buf_printf(b, " %zu events of CPUs from %u on are left out.", p->left_out,
			   PICTURE_CPUS_MAX);
	buf_str(b, " A pointer upon a shape shows more.");
}
