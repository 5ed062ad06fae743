/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of text that records of several commands share, and lines for people between records. */
#ifndef OBIT_FORMS_H
#define OBIT_FORMS_H

#include "core/shell/command.h"

/* Appends "file: line". The cell holds a source file's name, and the field behind it the line. */
void form_source(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell);

/* Appends the nanoseconds of the cell as microseconds: "12.345". */
void form_micros(struct buf *b, const struct sink *k, const struct record *r,
		 const struct cell *cell);

/* A number beside others, of which the largest is `most`. */
struct bar {
	uint64_t n, most;
};
/* Appends a bar whose length shows the number r->of, a struct bar; the one of the largest number
 * has 40 characters. */
void form_bar(struct buf *b, const struct sink *k, const struct record *r, const struct cell *cell);

/* Prints a line for people, such as a title; JSON does not have it. An empty text makes a blank
 * line. The text must live as long as the command runs. */
void emit_heading(struct ctx *c, const char *text);
/* Emits a record of the kind for each line of a text, which its only field holds. The text must
 * live until the command ends. */
void emit_lines(struct ctx *c, const struct record_kind *kind, const char *text);

#endif
