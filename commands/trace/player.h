/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The player of `trace replay`: events and lanes shown one after another, steered by keys. */
#ifndef OBIT_PLAYER_H
#define OBIT_PLAYER_H

#include "commands/trace/keys.h"
#include "commands/trace/trace_select.h"

struct player {
	struct ctx *c;
	struct trace_choice *choice;
	struct replay *replay;
	double speed; /* times as fast as it was recorded; 0: as fast as it can */
	bool lanes;   /* after each event, in a pipe too */
	/* private */
	struct trace_event ev; /* shown last */
	bool at_event;
	struct arena words;
	char search[200];
};

/* Plays to the end without keys. */
bool player_run(struct player *p, struct err *err) MUST_CHECK;
/* Waits for keys, paused in front of the first event. */
bool player_steer(struct player *p, struct keys *k, struct err *err) MUST_CHECK;

#endif
