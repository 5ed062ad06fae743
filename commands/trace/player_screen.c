/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the screen of `trace replay` shows: where it is, a lane for each CPU, the last events. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/obit.h"
#include "commands/trace/player.h"

/* Of the screen's lines at most so many parts of LANES_PARTS are lanes. */
#define LANES_PART 1u
#define LANES_PARTS 2u
/* The event that was played last has at most so many lines. */
#define LAST_ROW_LINES 4u

static void time_text(struct buf *b, uint64_t ns)
{
	buf_printf(b, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* A difference of times, with its sign. */
static void difference(struct buf *b, uint64_t from, uint64_t to)
{
	buf_char(b, to >= from ? '+' : '-');
	buf_span(b, to >= from ? to - from : from - to);
}

/* Where the replay is. */
static void status_line(struct player *p)
{
	struct buf b = { 0 };

	buf_printf(&b, " %s  #%" PRIu64 "  ", p->playing ? "playing" : "paused", player_number(p));
	if (p->at_event)
		time_text(&b, p->ev.ts);
	if (p->at_event && p->last > p->first)
		buf_printf(&b, "  %u %%",
			   (unsigned)((double)(p->ev.ts - p->first) * 100 /
				      (double)(p->last - p->first)));
	buf_printf(&b, "  speed %g", p->speed);
	screen_line(&p->screen, SCREEN_MARKED, buf_text(&b), b.n);
	buf_release(&b);
}

static bool to_buf(void *self, const char *s, size_t n)
{
	buf_add(self, s, n);
	return true;
}

/* The CPUs that have a lane: those of the recording, so that lanes keep their place, and those that
 * events told of. */
struct lanes {
	int cpus[PLAYER_LANES];
	const struct replay_cpu *known[PLAYER_LANES]; /* NULL: no event yet */
	size_t n;
};

static void lane_add(struct lanes *l, int cpu, const struct replay_cpu *known)
{
	size_t at = l->n;

	while (at && l->cpus[at - 1] >= cpu)
		at--;
	if (at < l->n && l->cpus[at] == cpu) {
		l->known[at] = known ? known : l->known[at];
		return;
	}
	if (l->n == PLAYER_LANES)
		return;
	memmove(&l->cpus[at + 1], &l->cpus[at], (l->n - at) * sizeof(*l->cpus));
	memmove(&l->known[at + 1], &l->known[at], (l->n - at) * sizeof(*l->known));
	l->cpus[at] = cpu;
	l->known[at] = known;
	l->n++;
}

static void lanes_of(const struct player *p, struct lanes *l)
{
	const struct trace_select *sel = &p->choice->sel;
	const struct trace_buffer *const *buffers;
	const struct replay_cpu *const *cpus;
	size_t n = replay_cpus(p->replay, &cpus);

	l->n = 0;
	for (size_t i = 0; i < n; i++)
		lane_add(l, cpus[i]->cpu, cpus[i]);
	n = timeline_buffers(replay_timeline(p->replay), &buffers);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < buffers[i]->n_lanes; k++) {
			const struct trace_lane *lane = &buffers[i]->lanes[k];

			if (lane->cpu >= 0 && lane->entries &&
			    (!sel->cpus ||
			     ((size_t)lane->cpu < sel->n_cpus && sel->cpus[lane->cpu])))
				lane_add(l, lane->cpu, NULL);
		}
}

static unsigned lanes_shown(const struct player *p, size_t n)
{
	unsigned most = p->screen.rows * LANES_PART / LANES_PARTS - 2;

	return n < most ? (unsigned)n : most;
}

/* Of many CPUs a part in which the event's is; parts stay where they are, so that a lane moves no
 * more often than it must. */
static size_t lanes_first(const struct player *p, const struct lanes *l, unsigned shown)
{
	size_t at = 0;

	while (at + 1 < l->n && p->at_event && l->cpus[at] != p->ev.cpu)
		at++;
	at = shown ? at / shown * shown : 0;
	return at + shown > l->n ? l->n - shown : at;
}

static void lanes(struct player *p, const struct lanes *l)
{
	unsigned shown = lanes_shown(p, l->n);
	size_t first = lanes_first(p, l, shown);
	struct buf b = { 0 };
	struct sink k = { .t = p->c->t, .write = to_buf, .self = &b, .ops = &render_text };
	struct record r;

	for (size_t i = first; i < first + shown; i++) {
		const struct replay_cpu none = {
			.cpu = l->cpus[i], .irq = -1, .softirq = -1, .running.pid = -1
		};

		buf_reset(&b);
		trace_lane_record(l->known[i] ? l->known[i] : &none, p->ev.buffer, &p->words, &r);
		k.ops->record(&k, &r);
		k.ops->flush(&k);
		while (b.n && b.s[b.n - 1] == '\n')
			b.n--;
		screen_line(&p->screen, SCREEN_PLAIN, buf_text(&b), b.n);
		arena_reset(&p->words);
	}
	k.ops->release(&k);
	buf_reset(&b);
	if (l->n > shown)
		buf_printf(&b, "    %zu CPUs more", l->n - shown);
	screen_line(&p->screen, SCREEN_PLAIN, buf_text(&b), b.n);
	buf_release(&b);
}

/* What the status, the lanes, the line below them and the last line leave. */
static unsigned room_of(const struct player *p, const struct lanes *l)
{
	unsigned used = 3 + lanes_shown(p, l->n);
	unsigned room = p->screen.rows > used ? p->screen.rows - used : 1;

	return room < PLAYER_ROWS ? room : PLAYER_ROWS;
}

/* Of the last n rows the one with that number, from 0. */
static const struct player_row *row_of(const struct player *p, size_t n, size_t i)
{
	return &p->rows[(p->next_row - n + i) % PLAYER_ROWS];
}

/* Blanks that a row begins with. */
static size_t blanks_of(const struct player_row *row)
{
	size_t n = 0;

	while (n < row->n && row->text[n] == ' ')
		n++;
	return n;
}

/* The last one is shown whole, for what matters may stand at its end. The blanks that all rows
 * begin with are no news. */
static void rows(struct player *p)
{
	size_t kept = p->next_row < PLAYER_ROWS ? p->next_row : PLAYER_ROWS, blanks = SIZE_MAX, n;
	unsigned most = p->room > LAST_ROW_LINES ? LAST_ROW_LINES : 1, last = 1;

	if (kept) {
		const struct player_row *row = row_of(p, 1, 0);

		last = screen_lines_of(&p->screen, row->text ? row->text : "", row->n, most);
	}
	n = p->room - last + 1;
	n = kept < n ? kept : n;

	for (size_t i = 0; i < n; i++) {
		size_t k = blanks_of(row_of(p, n, i));

		blanks = k < blanks ? k : blanks;
	}
	for (size_t i = 0; i < n; i++) {
		const struct player_row *row = row_of(p, n, i);

		screen_wrap(&p->screen, i + 1 == n ? SCREEN_MARKED : SCREEN_PLAIN,
			    row->text ? row->text + blanks : "", row->n - (row->text ? blanks : 0),
			    i + 1 == n ? last : 1);
	}
}

/* A message; else what a person set. */
static void last_line(struct player *p)
{
	struct buf b = { 0 };

	if (p->said.n) {
		buf_add(&b, p->said.s, p->said.n);
	} else {
		buf_str(&b, "? for the keys");
		if (p->n_marks && p->at_event) {
			buf_printf(&b, "  mark #%" PRIu64 " ", p->marks[0].number);
			difference(&b, p->marks[0].ts, p->ev.ts);
		}
		if (p->n_marks == PLAYER_MARKS) {
			buf_printf(&b, "  #%" PRIu64 " to it ", p->marks[1].number);
			difference(&b, p->marks[1].ts, p->marks[0].ts);
		}
		if (*p->stop_text)
			buf_printf(&b, "  stops at: %s", p->stop_text);
	}
	screen_line(&p->screen, SCREEN_PLAIN, buf_text(&b), b.n);
	buf_release(&b);
}

void player_draw(struct player *p)
{
	struct lanes *l;

	screen_begin(&p->screen);
	if (p->screen.small) {
		screen_line(&p->screen, SCREEN_PLAIN, "too small", 9);
		screen_end(&p->screen);
		return;
	}
	l = xrealloc(NULL, sizeof(*l));
	lanes_of(p, l);
	p->room = room_of(p, l);
	status_line(p);
	lanes(p, l);
	free(l);
	rows(p);
	screen_skip(&p->screen, p->screen.rows - 1);
	last_line(p);
	screen_end(&p->screen);
}

void player_help(struct player *p, struct keys *k)
{
	static const char *const text[] = {
		"space       play, pause              + -   faster, slower",
		"s, right    one event on             b, left   one back",
		"page down   a screen on              page up   a screen back",
		"t  T        the next event of this task, the one before",
		"c  C        the next event of this CPU, the one before",
		"/           search for a regular expression;  n  again,  N  back",
		"f           a filter that playing stops at;  F  to the next such event",
		"m           mark this event; two marks are kept, and the time between",
		"'           to the mark before",
		"g           go to a time, -50ms, panic, #event, +events",
		"<  >        the ends",
		"p           what a pointer in the event points to",
		"q           leave",
		"",
		"Above is a lane for each CPU: its task, the flags of its last event,",
		"the interrupt it is in, the functions that are open, and who waits for it.",
	};

	screen_begin(&p->screen);
	if (!p->screen.small)
		status_line(p);
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
		screen_line(&p->screen, SCREEN_PLAIN, text[i], strlen(text[i]));
	screen_end(&p->screen);
	(void)keys_read(k, -1);
}
