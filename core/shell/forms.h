/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of text that records of several commands share, and lines for people between records. */
#ifndef OBIT_FORMS_H
#define OBIT_FORMS_H

#include "core/shell/command.h"

/* "file: line" for a field that holds a source file; the field behind it holds the line. */
void form_source(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell);

/* Nanoseconds in microseconds: "12.345". */
void form_micros(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell);

/* A number beside others, of which the largest is `most`. */
struct bar {
	uint64_t n, most;
};
/* The number as a bar that is as long as its share of the largest, which has 40 characters; r->of
 * is a struct bar. */
void form_bar(struct buf *b, const struct sink *k, const struct record *r, const struct cell *cell);

/* Prints a line for people, such as the title of what follows; JSON has nothing of it. An empty
 * text makes a blank line. The text lives as long as the command. */
void emit_heading(struct ctx *c, const char *text);

#endif
