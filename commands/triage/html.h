/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict as a page of HTML: one file that needs nothing else. */
#ifndef OBIT_HTML_H
#define OBIT_HTML_H

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/verdict/verdict.h"

#define HTML_MAX 6000000u /* bytes of a page */
/* Bytes of its largest sections; the others are small by nature. */
#define HTML_LOG_MAX 1500000u
#define HTML_STACKS_MAX 1200000u
#define HTML_WAITS_MAX 700000u
#define HTML_TRACE_MAX 900000u
#define HTML_TRACE_SHAPES 2000u

/* A page on its way. */
struct html {
	struct target *t;
	const struct verdict *v;
	const char *version; /* obit's; NULL unknown */
	int64_t now;         /* seconds since 1970 */
	void (*note)(const struct err *e, void *arg);
	void *arg;
	/* What could not be seen, as words; in the scratch arena. */
	VEC(const char *) unseen;
};

/* Makes the page of a verdict and of what is loaded. What could not be read is said in the page;
 * note() is told of it as well. *ret is the page, which the caller releases. ERR_LIMIT: it would be
 * larger than HTML_MAX. */
bool html_make(struct target *t, const struct verdict *v, const char *version, int64_t now,
	       void (*note)(const struct err *e, void *arg), void *arg, struct buf *ret,
	       struct err *err) MUST_CHECK;

/* ---- html_part.c: what sections are made of */
/* Appends a string of anybody's as text of the page. */
void html_text(struct buf *b, const char *s);
/* The same as an element: "<p class=x>text</p>". class may be NULL. */
void html_element(struct buf *b, const char *tag, const char *class, const char *s);
/* A row of a table of two columns; nothing for NULL and "". */
void html_row(struct buf *b, const char *label, const char *s);
/* Begins and ends a section; id is ours, and so is the title. */
void html_section(struct buf *b, const char *id, const char *title);
void html_section_end(struct buf *b);
/* A field by which scripts filter the children of the element of that id; without scripts there is
 * none. */
void html_filter(struct buf *b, const char *id, const char *label);
/* Keeps what could not be seen, for the last section. */
void html_unseen(struct html *p, const char *what, const char *why);
/* The same of damage that was met; arg is the page. */
void html_note(const struct err *e, void *arg);

/* ---- html_style.c */
extern const char html_style[], html_script[];
/* The SHA-256 of the script, as a Content-Security-Policy has it. */
extern const char html_script_hash[];

/* ---- sections; each appends one, or nothing where there is nothing to show */
void html_log(struct html *p, struct buf *b);
void html_stacks(struct html *p, struct buf *b);
void html_waits(struct html *p, struct buf *b);
void html_trace(struct html *p, struct buf *b);
void html_machine(struct html *p, struct buf *b);

#endif
