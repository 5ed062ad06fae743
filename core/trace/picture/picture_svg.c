/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a recording as SVG: readable alone, in a page, in the light, in the dark, on paper.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/markup.h"
#include "core/base/quantity.h"
#include "core/trace/picture/picture.h"

/* In units of the picture; picture_script.c draws by the same. */
#define LEFT 64u
#define RIGHT 40u
#define TOP 22u
#define WIDE 1100u   /* of the time */
#define GAP 12u      /* between CPUs */
#define SILENT_H 14u /* of the row of CPUs without events */
#define LABEL_W 7u   /* of a character */
#define COLOURS 8u

static const char style[] =
	".obit-trace{--fg:#1c1c1c;--soft:#6a6a6a;--line:#d8d8d8;--dead:#a40000;--irq:#d9534f;--sirq:#e8a33d;"
	"--call:#b9c7d6;--many:#a3a3a3;--note:#0b57b0;--wake:#0b57b0;--idle:#dfe3e6;background:#fff;"
	"max-width:100%;"
	"height:auto}"
	"@media(prefers-color-scheme:dark){.obit-trace{--fg:#e4e4e2;--soft:#a5a5a2;--line:#3b3d40;"
	"--dead:#ff7b72;--irq:#e0625e;--sirq:#d9973a;--call:#4b6076;--many:#7d7d7d;--note:#86b7f3;"
	"--wake:#3b86f0;--idle:#34383d;background:#17181a}}"
	"@media print{.obit-trace{--fg:#000;--soft:#444;--line:#ccc;--dead:#a40000;--call:#b9c7d6;"
	"--many:#a3a3a3;--note:#0b57b0;--wake:#0b57b0;--idle:#dfe3e6;background:#fff}}"
	".obit-trace text{font:11px ui-monospace,monospace;fill:var(--fg)}.obit-trace text.in{fill:#111}"
	".obit-trace text.soft{fill:var(--soft)}.obit-trace .axis{stroke:var(--line)}"
	".obit-trace .death{stroke:var(--dead);stroke-width:1.5}.obit-trace text.dead{fill:var(--dead)}"
	".obit-trace .irq{fill:var(--irq)}.obit-trace .sirq{fill:var(--sirq)}"
	".obit-trace .idle{fill:var(--idle)}"
	".obit-trace .call{fill:var(--call)}.obit-trace .open{stroke:var(--dead);stroke-width:1.5}"
	".obit-trace .many{fill:var(--many)}.obit-trace .mark{stroke:var(--soft)}"
	".obit-trace .crowd{stroke:var(--soft);stroke-width:2}.obit-trace .note{stroke:var(--note);"
	"stroke-width:3}.obit-trace .wake{stroke:var(--wake);stroke-width:1;fill:none;opacity:.8}"
	".obit-trace .lost{fill:url(#obit-lost)}.obit-trace .unknown{fill:url(#obit-unknown)}"
	".obit-trace .hatch{stroke:var(--soft);opacity:.55}.obit-trace .dense{stroke:var(--dead)}"
	".obit-trace text.calls{font-size:10px;fill:var(--fg)}"
	".obit-trace .k0{fill:#9ec5e8}.obit-trace .k1{fill:#f3c98b}.obit-trace .k2{fill:#a8d8a0}"
	".obit-trace .k3{fill:#e3a7c0}.obit-trace .k4{fill:#c5b3e6}.obit-trace .k5{fill:#e8d979}"
	".obit-trace .k6{fill:#93d5d0}.obit-trace .k7{fill:#d0b49f}";

struct drawing {
	const struct picture *p;
	struct buf *b;
	unsigned y[PICTURE_CPUS_MAX]; /* of a CPU's row of tasks */
	unsigned height;
};

static void stamp(struct buf *b, const struct picture *p, uint64_t ts)
{
	if (p->ns)
		buf_printf(b, "%" PRIu64 ".%06" PRIu64, ts / 1000000000, ts / 1000 % 1000000);
	else
		buf_printf(b, "%" PRIu64, ts);
}

static void text(struct buf *b, const char *s)
{
	buf_markup(b, s, strlen(s));
}

/* In hundredths of a unit. */
static unsigned x100(const struct picture *p, uint64_t ts)
{
	uint64_t span = p->until - p->since;

	ts = ts < p->since ? p->since : ts > p->until ? p->until : ts;
	return LEFT * 100 +
	       (unsigned)((double)(ts - p->since) * WIDE * 100 / (double)(span ? span : 1));
}

static void hundredths(struct buf *b, unsigned n)
{
	if (n % 10)
		buf_printf(b, "%u.%02u", n / 100, n % 100);
	else if (n % 100)
		buf_printf(b, "%u.%u", n / 100, n % 100 / 10);
	else
		buf_printf(b, "%u", n / 100);
}

static unsigned row_height(size_t row)
{
	switch (row) {
	case PICTURE_IRQ:
	case PICTURE_SOFTIRQ:
		return 9;
	case PICTURE_IDLE:
		return 0;
	case PICTURE_TASK:
		return 18;
	case PICTURE_MARK:
		return 11;
	default:
		return 13;
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

	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++) {
		n += p->lanes[i] ? p->lanes[i]->gaps.n : 0;
		for (size_t row = 0; p->lanes[i] && row < PICTURE_ROWS; row++)
			n += p->lanes[i]->rows[row].n;
	}
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

/* The same of what is not known, for one reason. */
static void thin_gaps(struct picture_lane *lane, uint64_t grain)
{
	size_t kept = 0;

	for (size_t i = 0; i < lane->gaps.n; i++) {
		const struct picture_gap *gap = &lane->gaps.p[i];
		struct picture_gap *last = kept ? &lane->gaps.p[kept - 1] : NULL;

		if (last && last->why == gap->why && gap->from < last->to + grain) {
			last->to = gap->to > last->to ? gap->to : last->to;
			last->lost = last->lost == TRACE_LOST_SOME || gap->lost == TRACE_LOST_SOME
					     ? TRACE_LOST_SOME
					     : last->lost + gap->lost;
			continue;
		}
		lane->gaps.p[kept++] = *gap;
	}
	lane->gaps.n = kept;
}

static void thin_out(struct picture *p)
{
	uint64_t grain = (p->until - p->since) / WIDE / (p->detail ? p->detail : 1) + 1;
	size_t max = p->shapes_max ? p->shapes_max : PICTURE_SHAPES_MAX;

	while (shapes(p) > max && grain < p->until - p->since) {
		grain *= 2;
		for (size_t i = 0; i < PICTURE_CPUS_MAX; i++) {
			for (size_t row = 0; p->lanes[i] && row < PICTURE_ROWS; row++)
				thin(p, p->lanes[i], row, grain);
			if (p->lanes[i])
				thin_gaps(p->lanes[i], grain);
		}
	}
}

/* ---- what a pointer shows */

/* A span, in units of time where the clock has such. */
static void length(struct buf *b, const struct picture *p, uint64_t span)
{
	if (p->ns)
		buf_span(b, span);
	else
		buf_printf(b, "%" PRIu64 " of the clock", span);
}

static void many_title(const struct drawing *d, const struct picture_bar *bar, size_t row)
{
	struct buf *b = d->b;

	buf_printf(b, "%zu %s", bar->n,
		   row == PICTURE_MARK   ? "events"
		   : row == PICTURE_TASK ? "turns of tasks"
		   : row == PICTURE_IDLE ? "times idle"
		   : row >= PICTURE_CALL ? "calls"
					 : "interrupts");
	if (row != PICTURE_MARK) {
		buf_str(b, ", ");
		length(b, d->p, bar->busy);
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
		many_title(d, bar, row);
	if (bar->text) {
		text(b, bar->text);
	} else {
		text(b, bar->name ? bar->name : "?");
		if (row == PICTURE_TASK)
			buf_printf(b, "-%d", bar->pid);
		buf_printf(b, " on CPU %d, ", lane->cpu);
		if (bar->n == 1 && !bar->endless)
			length(b, d->p, bar->to - bar->from);
		buf_str(b, bar->n == 1 && !bar->endless ? ", from " : "from ");
		stamp(b, d->p, bar->from);
		if (bar->open || bar->endless)
			buf_str(b, bar->open ? ", had not ended" : ", its end was not recorded");
	}
	buf_str(b, "</title>");
}

/* ---- shapes */

/* As much of a name as there is room for; that some is left out is seen. */
static void label(struct buf *b, const char *name, unsigned x, unsigned y, unsigned wide, bool call)
{
	size_t room = wide / LABEL_W, n = strlen(name);

	if (room < 4 && room < n)
		return;
	buf_str(b, "<text x=\"");
	hundredths(b, x + 200);
	buf_printf(b, "\" y=\"%u\" class=\"%s\">", y, call ? "calls" : "in");
	buf_markup(b, name, n <= room ? n : room - 1);
	buf_str(b, n <= room ? "</text>" : "\342\200\246</text>");
}

static void bar_svg(const struct drawing *d, const struct picture_lane *lane, size_t row,
		    const struct picture_bar *bar, unsigned y)
{
	unsigned x = x100(d->p, bar->from), to = x100(d->p, bar->to), h = row_height(row) - 1;
	unsigned w = to > x + 50 ? to - x : 50;
	struct buf *b = d->b;
	char class[16];

	if (row == PICTURE_IDLE) {
		y += 6;
		h = 5;
		snprintf(class, sizeof(class), "idle");
	} else if (bar->n > 1)
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
	hundredths(b, x);
	buf_printf(b, "\" y=\"%u\" width=\"", y);
	hundredths(b, w);
	buf_printf(b, "\" height=\"%u\" class=\"%s\"", h, class);
	if (d->p->detail && to - x < 50) {
		/* where it is enlarged it is no wider than it was */
		buf_str(b, " data-w=\"");
		hundredths(b, to - x);
		buf_char(b, '"');
	}
	buf_str(b, "/>");
	if (bar->n == 1 && bar->name && (row == PICTURE_TASK || row >= PICTURE_CALL))
		label(b, bar->name, x, y + (row == PICTURE_TASK ? 13 : 8),
		      w > 400 ? (w - 400) / 100 : 0, row != PICTURE_TASK);
	buf_str(b, "</g>\n");
}

static void mark_svg(const struct drawing *d, const struct picture_lane *lane,
		     const struct picture_bar *bar, unsigned y)
{
	struct buf *b = d->b;

	buf_str(b, "<g>");
	title(d, lane, PICTURE_MARK, bar);
	buf_str(b, "<path d=\"M");
	hundredths(b, x100(d->p, bar->from));
	buf_printf(b, " %uv%u\" class=\"%s\"/></g>\n", y + 1, row_height(PICTURE_MARK) - 2,
		   bar->note    ? "note"
		   : bar->n > 1 ? "crowd"
				: "mark");
}

static void gap_title(const struct drawing *d, int cpu, const struct picture_gap *gap)
{
	struct buf *b = d->b;

	switch (gap->why) {
	case PICTURE_LOST:
		if (gap->lost == TRACE_LOST_SOME)
			buf_str(b, "events were lost");
		else
			buf_printf(b, "%" PRIu64 " events were lost", gap->lost);
		return;
	case PICTURE_BEFORE:
		buf_str(b, "overwritten before anybody read it");
		return;
	case PICTURE_OFF:
		buf_str(b, "recording was off");
		return;
	default:
		buf_printf(b, "no %sevent of ", d->p->chosen ? "chosen " : "");
		if (gap->why == PICTURE_SILENT)
			buf_printf(b, "CPU %d tells for ", cpu);
		else
			buf_str(b, "any CPU for ");
		length(b, d->p, gap->to - gap->from);
		buf_str(b, gap->why == PICTURE_SILENT ? " who ran"
						      : ": all were idle, or nothing was recorded");
	}
}

static void hatched(const struct drawing *d, unsigned x, unsigned w, unsigned y, unsigned h,
		    const char *class)
{
	buf_str(d->b, "</title><rect x=\"");
	hundredths(d->b, x);
	buf_printf(d->b, "\" y=\"%u\" width=\"", y);
	hundredths(d->b, w);
	buf_printf(d->b, "\" height=\"%u\" class=\"%s\"/></g>\n", h, class);
}

/* Where there are other events, it is only who ran that is not known. */
static void gap_svg(const struct drawing *d, const struct picture_lane *lane,
		    const struct picture_gap *gap, unsigned y)
{
	unsigned x = x100(d->p, gap->from), to = x100(d->p, gap->to), h = lane_height(lane);

	if (gap->why == PICTURE_SILENT) {
		for (size_t row = 0; row < PICTURE_TASK; row++)
			y += has_row(lane, row) ? row_height(row) : 0;
		h = row_height(PICTURE_TASK) - 1;
	}
	buf_str(d->b, "<g><title>");
	gap_title(d, lane->cpu, gap);
	hatched(d, x, to > x + 100 ? to - x : 100, y, h,
		gap->why == PICTURE_LOST ? "lost" : "unknown");
}

static void lane_svg(struct drawing *d, const struct picture_lane *lane, unsigned y)
{
	unsigned at = y;

	for (size_t i = 0; i < lane->gaps.n; i++)
		gap_svg(d, lane, &lane->gaps.p[i], y);
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
	stamp(b, d->p, a->from);
	buf_str(b, ", and ran ");
	length(b, d->p, a->to - a->from);
	buf_printf(b, " later on CPU %d</title><path d=\"M", a->to_cpu);
	hundredths(b, x100(d->p, a->from));
	buf_printf(b, " %uL", from);
	hundredths(b, x100(d->p, a->to));
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
static void round_span(struct buf *b, const struct picture *p, uint64_t ns, uint64_t step)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	size_t i = 0;

	if (!p->ns) {
		buf_printf(b, "-%" PRIu64, ns);
		return;
	}
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

	buf_str(b, "<g class=\"ticks\">\n");
	for (uint64_t before = 0; before <= span; before += step) {
		unsigned x = x100(p, p->until - before);

		buf_str(b, "<path d=\"M");
		hundredths(b, x);
		buf_printf(b, " %uV%u\" class=\"axis\"/>", TOP - 6, d->height);
		buf_str(b, "<text text-anchor=\"middle\" class=\"soft\" x=\"");
		hundredths(b, x);
		buf_str(b, "\" y=\"12\">");
		if (before)
			round_span(b, p, before, step);
		else
			buf_str(b, "end");
		buf_str(b, "</text>\n");
	}
	buf_str(b, "</g>\n");
}

static void death(const struct drawing *d)
{
	const struct picture *p = d->p;
	unsigned x = x100(p, p->death);
	bool right = x < (LEFT + 150) * 100;

	if (!p->death || p->death < p->since || p->death > p->until)
		return;
	buf_str(d->b, "<g><title>the kernel gave up at ");
	stamp(d->b, p, p->death);
	buf_str(d->b, "</title><path d=\"M");
	hundredths(d->b, x);
	buf_printf(d->b, " %uV%u\" class=\"death\"/><text text-anchor=\"%s\" class=\"dead\" x=\"",
		   TOP - 6, d->height, right ? "start" : "end");
	hundredths(d->b, right ? x + 400 : x - 400);
	buf_printf(d->b, "\" y=\"%u\">the kernel gave up</text></g>\n", d->height - 4);
}

/* CPUs without any event. */
static void silent_svg(const struct drawing *d, unsigned y)
{
	struct buf *b = d->b;

	buf_printf(b, "<text x=\"4\" y=\"%u\">", y + 11);
	if (d->p->n_silent == 1)
		buf_str(b, "CPU ");
	else
		buf_printf(b, "%zu CPUs", d->p->n_silent);
	for (unsigned cpu = 0; d->p->n_silent == 1 && cpu < PICTURE_CPUS_MAX; cpu++)
		if (d->p->silent[cpu])
			buf_printf(b, "%u", cpu);
	buf_str(b, "</text><g><title>CPU ");
	picture_silent(d->p, b);
	buf_printf(b, ": no %sevent in this time", d->p->chosen ? "chosen " : "");
	hatched(d, LEFT * 100, WIDE * 100, y, SILENT_H, "unknown");
}

unsigned picture_high(const struct picture *p)
{
	unsigned high = TOP;

	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i])
			high += lane_height(p->lanes[i]) + GAP;
	return high + (p->n_silent ? SILENT_H + GAP : 0) + (p->death ? GAP : 0);
}

void picture_svg(struct picture *p, struct buf *b)
{
	struct drawing d = { .p = p, .b = b };
	unsigned y = TOP, height;

	thin_out(p);
	d.height = picture_high(p);
	height = d.height + GAP / 2;
	height += picture_key(p, NULL, LEFT, height, WIDE);
	buf_printf(b,
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"obit-trace\" role=\"img\" "
		   "aria-label=\"what each CPU did\" viewBox=\"0 0 %u %u\" width=\"%u\" "
		   "height=\"%u\">\n<style>",
		   LEFT + WIDE + RIGHT, height, LEFT + WIDE + RIGHT, height);
	buf_str(b, style);
	buf_str(b,
		"</style>\n<defs><pattern id=\"obit-unknown\" width=\"7\" height=\"7\" "
		"patternUnits=\"userSpaceOnUse\"><path d=\"M0 7L7 0\" class=\"hatch\"/></pattern>"
		"<pattern id=\"obit-lost\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
		"<path d=\"M0 4L4 0M0 0L4 4\" class=\"dense\"/></pattern>"
		"<marker id=\"obit-tip\" viewBox=\"0 0 6 6\" refX=\"5\" refY=\"3\" markerWidth=\"5\" "
		"markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"var(--wake)\"/>"
		"</marker></defs>\n");
	axis(&d);
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i]) {
			lane_svg(&d, p->lanes[i], y);
			y += lane_height(p->lanes[i]) + GAP;
		}
	if (p->n_silent)
		silent_svg(&d, y);
	for (size_t i = 0; i < p->arrows.n; i++)
		if (p->lanes[p->arrows.p[i].from_cpu] && p->lanes[p->arrows.p[i].to_cpu])
			arrow_svg(&d, &p->arrows.p[i]);
	death(&d);
	(void)picture_key(p, b, LEFT, d.height + GAP / 2, WIDE);
	buf_str(b, "</svg>\n");
}
