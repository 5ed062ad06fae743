/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The player of `trace replay`: events and lanes shown one after another, steered by keys. */
#ifndef OBIT_PLAYER_H
#define OBIT_PLAYER_H

#include "commands/trace/keys.h"
#include "commands/trace/screen.h"
#include "commands/trace/trace_select.h"

/* Rows of events that the screen keeps. */
#define PLAYER_ROWS 200u
/* CPUs that have lanes on the screen. */
#define PLAYER_LANES 1024u
/* Numbers of events that a person marked. */
#define PLAYER_MARKS 2u

/* A moment of the recording that a person marked. */
struct player_mark {
	uint64_t number, ts;
};
/* The row of an event, as it was when it was played. */
struct player_row {
	uint64_t number;
	char *text; /* with its length, for it may hold anything */
	size_t n;
};

struct player {
	struct ctx *c;
	struct trace_choice *choice;
	struct replay *replay;
	double speed; /* times as fast as it was recorded; 0: as fast as it can */
	bool lanes;   /* after each event, in a pipe too */
	/* private */
	struct trace_event ev; /* shown last */
	bool at_event;
	uint64_t first, last; /* times of the recording's ends; last 0: not known */
	struct arena words;
	char search[200];
	char stop_text[200];       /* of the filter that play stops at; "": none */
	struct trace_filter *stop; /* NULL: none */
	struct player_mark marks[PLAYER_MARKS];
	size_t n_marks;
	struct player_row rows[PLAYER_ROWS]; /* a ring; next_row is the oldest */
	size_t next_row;
	bool playing;
	unsigned room; /* rows of events that the screen has room for */
	struct screen screen;
	struct buf said; /* a message below the events */
};

/* Plays to the end without keys. */
bool player_run(struct player *p, struct err *err) MUST_CHECK;
/* Takes the screen, and waits for keys, paused at the first event. False with ERR_UNSUPPORTED: the
 * terminal is none to draw on. */
bool player_steer(struct player *p, struct keys *k, struct err *err) MUST_CHECK;

/* ---- player_go.c: where to go; each sets what the screen shows, or a message */
/* One event on. False: there is none. */
bool player_step(struct player *p);
/* To the event of this number, from 0; the last one where there are not so many. */
void player_to(struct player *p, uint64_t number);
void player_to_time(struct player *p, uint64_t ts);
/* To the next event that fits, or the one before. */
bool player_find(struct player *p, bool forward,
		 bool (*fits)(struct player *p, const struct trace_event *ev, void *arg),
		 void *arg);
/* The number of the event that is shown. */
uint64_t player_number(const struct player *p);
void player_say(struct player *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void player_release(struct player *p);

/* ---- player_screen.c */
/* Draws all, and sets room. */
void player_draw(struct player *p);
void player_help(struct player *p, struct keys *k);

#endif
