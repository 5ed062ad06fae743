/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Going through a recording: on, back, to a time, to what is sought. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/shell/session.h"
#include "core/trace/row.h"
#include "commands/trace/player.h"

/* Going back looks through so many events at first, and through twice as many each time. */
#define BACK_FIRST 1000u

void player_say(struct player *p, const char *fmt, ...)
{
	va_list ap;

	buf_reset(&p->said);
	va_start(ap, fmt);
	buf_vprintf(&p->said, fmt, ap);
	va_end(ap);
}

uint64_t player_number(const struct player *p)
{
	uint64_t n = replay_number(p->replay);

	return n ? n - 1 : 0;
}

static void rows_clear(struct player *p)
{
	for (size_t i = 0; i < PLAYER_ROWS; i++) {
		free(p->rows[i].text);
		p->rows[i] = (struct player_row){ 0 };
	}
	p->next_row = 0;
}

static void row_keep(struct player *p)
{
	struct player_row *row = &p->rows[p->next_row++ % PLAYER_ROWS];
	struct buf b = { 0 };

	trace_row(p->choice->printer, &b, &p->ev);
	free(row->text);
	*row = (struct player_row){ player_number(p), b.s, b.n };
}

/* The end, or why there is no more; where it ends nothing is played on, so that what is shown stays
 * the last event. */
static void tell(struct player *p, const struct err *err)
{
	player_say(p, "%s", err->code ? err->msg : "(the end)");
}

bool player_step(struct player *p)
{
	struct err err = { 0 };

	if (p->at_event && !replay_next(p->replay, &p->ev, &err)) {
		/* the event is gone: it is fetched again */
		uint64_t n = replay_number(p->replay);

		tell(p, &err);
		p->at_event = n && replay_to(p->replay, n - 1, &p->ev, &err);
		return false;
	}
	if (!p->at_event && !replay_next(p->replay, &p->ev, &err)) {
		tell(p, &err);
		return false;
	}
	p->at_event = true;
	row_keep(p);
	return true;
}

/* Plays from `first` to `number`, and keeps the rows of both and between. */
static bool play_over(struct player *p, uint64_t first, uint64_t number, struct err *err)
{
	rows_clear(p);
	p->at_event = replay_to(p->replay, first, &p->ev, err);
	while (p->at_event) {
		row_keep(p);
		if (player_number(p) >= number)
			return true;
		p->at_event = replay_next(p->replay, &p->ev, err);
	}
	return false;
}

void player_to(struct player *p, uint64_t number)
{
	struct err err = { 0 };
	uint64_t n;

	if (play_over(p, number > p->room ? number - p->room : 0, number, &err))
		return;
	tell(p, &err);
	n = replay_number(p->replay);
	if (!err.code && n)
		(void)play_over(p, n - 1 > p->room ? n - 1 - p->room : 0, n - 1, &err);
}

void player_to_time(struct player *p, uint64_t ts)
{
	struct trace_event ev;
	struct err err = { 0 };

	if (replay_to_time(p->replay, ts, &ev, &err)) {
		player_to(p, player_number(p));
	} else if (!err.code) {
		uint64_t n = replay_number(p->replay);

		player_to(p, n ? n - 1 : 0);
		player_say(p, "(the end)");
	} else {
		tell(p, &err);
		player_to(p, 0);
	}
}

static bool find_on(struct player *p,
		    bool (*fits)(struct player *p, const struct trace_event *ev, void *arg),
		    void *arg, struct err *err)
{
	struct trace_event ev;

	while (replay_next(p->replay, &ev, err)) {
		if (fits(p, &ev, arg)) {
			player_to(p, player_number(p));
			return true;
		}
		if (!interrupt_check(err))
			break;
	}
	return false;
}

/* The last one of `from` to `to` that fits; `to` itself is not looked at. */
static bool last_between(struct player *p, uint64_t from, uint64_t to,
			 bool (*fits)(struct player *p, const struct trace_event *ev, void *arg),
			 void *arg, uint64_t *ret, struct err *err)
{
	struct trace_event ev;
	bool found = false;

	if (!replay_to(p->replay, from, &ev, err))
		return false;
	while (player_number(p) < to && interrupt_check(err)) {
		if (fits(p, &ev, arg)) {
			*ret = player_number(p);
			found = true;
		}
		if (!replay_next(p->replay, &ev, err))
			break;
	}
	return found && !err->code;
}

static bool find_back(struct player *p,
		      bool (*fits)(struct player *p, const struct trace_event *ev, void *arg),
		      void *arg, struct err *err)
{
	uint64_t to = player_number(p), many = BACK_FIRST, number;

	while (to && !err->code) {
		uint64_t from = to > many ? to - many : 0;

		if (last_between(p, from, to, fits, arg, &number, err)) {
			player_to(p, number);
			return true;
		}
		to = from;
		many *= 2;
	}
	return false;
}

bool player_find(struct player *p, bool forward,
		 bool (*fits)(struct player *p, const struct trace_event *ev, void *arg), void *arg)
{
	uint64_t here = player_number(p);
	struct err err = { 0 };

	if (!p->at_event)
		return false;
	if (forward ? find_on(p, fits, arg, &err) : find_back(p, fits, arg, &err))
		return true;
	/* Ctrl-C ends the search alone, unless it is the terminal that is gone */
	if (err.code == ERR_INTR && !p->c->s->out->gone)
		interrupted = 0;
	player_to(p, here);
	player_say(p, "%s",
		   err.code == ERR_INTR ? "(stopped)"
		   : err.code           ? err.msg
		   : forward            ? "(none behind this one)"
					: "(none before this one)");
	return false;
}

void player_release(struct player *p)
{
	rows_clear(p);
	trace_filter_release(p->stop);
	buf_release(&p->said);
	arena_release(&p->words);
}
