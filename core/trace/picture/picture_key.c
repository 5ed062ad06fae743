/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the signs of a picture mean: as a key within it, and as sentences. */
#include <inttypes.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/trace/picture/picture.h"

#define LINE_H 16u
#define SWATCH 18u
#define CHAR_W 7u

static bool any_row(const struct picture *p, size_t row)
{
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		if (p->lanes[i] && p->lanes[i]->rows[row].n)
			return true;
	return false;
}

static bool any_gap(const struct picture *p, bool lost)
{
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		for (size_t k = 0; p->lanes[i] && k < p->lanes[i]->gaps.n; k++)
			if ((p->lanes[i]->gaps.p[k].why == PICTURE_LOST) == lost)
				return true;
	return !lost && p->n_silent;
}

static bool any_bar(const struct picture *p, size_t from, size_t to,
		    bool (*is)(const struct picture_bar *bar))
{
	for (size_t i = 0; i < PICTURE_CPUS_MAX; i++)
		for (size_t row = from; p->lanes[i] && row < to; row++)
			for (size_t k = 0; k < p->lanes[i]->rows[row].n; k++)
				if (is(&p->lanes[i]->rows[row].p[k]))
					return true;
	return false;
}

static bool is_open(const struct picture_bar *bar)
{
	return bar->open;
}

static bool is_many(const struct picture_bar *bar)
{
	return bar->n > 1;
}

static bool is_note(const struct picture_bar *bar)
{
	return bar->note;
}

/* A sign and its meaning; the shape stands in place of %u %u, where it begins and its line. */
struct sign {
	const char *class, *meaning;
	unsigned high; /* of a rectangle; 0: a stroke */
	bool shown;
};

static void sign_svg(struct buf *b, const struct sign *s, unsigned x, unsigned y)
{
	if (s->high)
		buf_printf(b, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" class=\"%s\"/>",
			   x, y + 7 - s->high / 2, SWATCH, s->high, s->class);
	else if (!strcmp(s->class, "wake"))
		buf_printf(
			b,
			"<path d=\"M%u %uL%u %u\" class=\"wake\" marker-end=\"url(#obit-tip)\"/>",
			x, y + 10, x + SWATCH - 2, y + 4);
	else
		buf_printf(b, "<path d=\"M%u %uv9\" class=\"%s\"/>", x + SWATCH / 2, y + 3,
			   s->class);
	buf_printf(b, "<text class=\"soft\" x=\"%u\" y=\"%u\">%s</text>\n", x + SWATCH + 5, y + 11,
		   s->meaning);
}

unsigned picture_key(const struct picture *p, struct buf *b, unsigned left, unsigned y,
		     unsigned wide)
{
	const struct sign signs[] = {
		{ "k0", "a task", 14, any_row(p, PICTURE_TASK) },
		{ "idle", "idle", 5, any_row(p, PICTURE_IDLE) },
		{ "unknown", p->chosen ? "not recorded, or not chosen" : "not recorded", 14,
		  any_gap(p, false) },
		{ "lost", "events lost", 14, any_gap(p, true) },
		{ "irq", "interrupt", 8, any_row(p, PICTURE_IRQ) },
		{ "sirq", "softirq", 8, any_row(p, PICTURE_SOFTIRQ) },
		{ "call", "function", 12, any_row(p, PICTURE_CALL) },
		{ "call open", "not ended", 12, any_bar(p, 0, PICTURE_ROWS, is_open) },
		{ "many", "many, as one", 12,
		  any_bar(p, 0, PICTURE_IDLE, is_many) ||
			  any_bar(p, PICTURE_TASK, PICTURE_MARK, is_many) ||
			  any_bar(p, PICTURE_CALL, PICTURE_ROWS, is_many) },
		{ "mark", "event", 0, any_row(p, PICTURE_MARK) },
		{ "crowd", "events, as one", 0, any_bar(p, PICTURE_MARK, PICTURE_CALL, is_many) },
		{ "note", "a program's note", 0, any_bar(p, PICTURE_MARK, PICTURE_CALL, is_note) },
		{ "wake", "woken, then ran", 0, p->arrows.n != 0 },
	};
	unsigned x = left, line = 0;

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		unsigned w = SWATCH + 5 + (unsigned)strlen(signs[i].meaning) * CHAR_W + 14;

		if (!signs[i].shown)
			continue;
		if (x > left && x + w > left + wide) {
			x = left;
			line++;
		}
		if (b)
			sign_svg(b, &signs[i], x, y + line * LINE_H);
		x += w;
	}
	return (line + 1) * LINE_H + 4;
}

void picture_silent(const struct picture *p, struct buf *b)
{
	const char *between = "";

	for (unsigned i = 0, last; i < PICTURE_CPUS_MAX; i = last + 1) {
		last = i;
		if (!p->silent[i])
			continue;
		while (last + 1 < PICTURE_CPUS_MAX && p->silent[last + 1])
			last++;
		buf_printf(b, last > i ? "%s%u-%u" : "%s%u", between, i, last);
		between = ",";
	}
}

static void stamp(struct buf *b, const struct picture *p, uint64_t ts)
{
	if (p->ns)
		buf_printf(b, "%" PRIu64 ".%06" PRIu64, ts / 1000000000, ts / 1000 % 1000000);
	else
		buf_printf(b, "%" PRIu64, ts);
}

/* What is left out, or wrong. */
static void limits(const struct picture *p, struct buf *b)
{
	if (p->back)
		buf_printf(
			b,
			" Times go back %zu times: what the clock counted twice is drawn twice in "
			"one place.",
			p->back);
	if (p->merged)
		buf_printf(
			b,
			" %zu that are too narrow are drawn as one with their neighbours, in grey.",
			p->merged);
	if (p->n_silent) {
		buf_printf(b, " There is no %sevent of CPU ", p->chosen ? "chosen " : "");
		picture_silent(p, b);
		buf_str(b, " in this time.");
	}
	if (p->left_out)
		buf_printf(b, " %zu events of CPUs from %u on are left out.", p->left_out,
			   PICTURE_CPUS_MAX);
}

void picture_legend(const struct picture *p, struct buf *b)
{
	if (p->ns)
		buf_span(b, p->until - p->since);
	else
		buf_printf(b, "%" PRIu64 " of the trace's clock", p->until - p->since);
	buf_str(b, p->ns ? " of the trace, from " : ", from ");
	stamp(b, p, p->since);
	buf_str(b, " to ");
	stamp(b, p, p->until);
	buf_printf(b,
		   "; %zu events. Bars are who ran, as sched_switch tells, or whose events there "
		   "are.",
		   p->events);
	if (any_row(p, PICTURE_IDLE))
		buf_str(b, " Narrow bars are where a CPU is known to have been idle.");
	if (any_gap(p, false))
		buf_str(b,
			" Of what is hatched it is not known who ran, or nothing was recorded; it is "
			"not said to have been idle.");
	if (any_gap(p, true))
		buf_str(b, " Where the hatching is dense and red, events were lost.");
	if (any_row(p, PICTURE_IRQ) || any_row(p, PICTURE_SOFTIRQ))
		buf_str(b, " Above are interrupts (red) and softirqs (orange).");
	if (any_row(p, PICTURE_CALL))
		buf_str(b, " Below are the functions that were open, the innermost at the "
			   "bottom; those with a red edge had not returned.");
	if (any_row(p, PICTURE_MARK))
		buf_str(b, " Strokes are other events.");
	if (p->arrows.n)
		buf_printf(b,
			   " Arrows lead from a task's wakeup to its first turn, the %zu longest.",
			   p->arrows.n);
	limits(p, b);
	if (p->death > p->until) {
		buf_str(b, " The kernel gave up ");
		buf_span(b, p->death - p->until);
		buf_str(b, " after the last event.");
	} else if (p->death && p->death < p->since) {
		buf_str(b, " The kernel gave up ");
		buf_span(b, p->since - p->death);
		buf_str(b, " before.");
	}
	buf_str(b, " A pointer upon a shape shows more.");
}
