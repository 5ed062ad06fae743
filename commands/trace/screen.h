/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole terminal that is drawn line by line, again and again. */
#ifndef OBIT_SCREEN_H
#define OBIT_SCREEN_H

#include "core/shell/output.h"

/* Smaller ones are not drawn on. */
#define SCREEN_ROWS_LEAST 8u
#define SCREEN_COLS_LEAST 40u

struct screen {
	struct output *out;
	unsigned rows, cols;
	unsigned at; /* the line that comes next */
	bool small;  /* smaller than one that is drawn on: there is room for a word alone */
	struct buf b;
};
enum screen_look {
	SCREEN_PLAIN,
	SCREEN_MARKED /* in reverse, over the whole width */
};

/* Takes the terminal's other page, if it has one. False: it is no terminal, a dumb one, or too
 * small. */
bool screen_open(struct screen *s, struct output *out) MUST_CHECK;
/* Gives the first page back. */
void screen_close(struct screen *s);
/* Begins to draw; the size of the terminal is asked for anew, and small is set. */
void screen_begin(struct screen *s);
/* How many lines the n bytes at text take where they are not cut, at most `most`. */
unsigned screen_lines_of(const struct screen *s, const char *text, size_t n, unsigned most);
/* Draws them as so many lines. */
void screen_wrap(struct screen *s, enum screen_look look, const char *text, size_t n,
		 unsigned most);
/* Draws the n bytes at text as the next line, cut at the edge; what a terminal would act on is
 * shown escaped. Below the last line nothing is drawn. */
void screen_line(struct screen *s, enum screen_look look, const char *text, size_t n);
/* Empties the lines that are left up to that row, from 0. */
void screen_skip(struct screen *s, unsigned row);
/* Shows what was drawn. */
void screen_end(struct screen *s);
/* Has the terminal another size than when it was drawn? */
bool screen_resized(const struct screen *s);

#endif
