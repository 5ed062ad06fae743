/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict in the languages of others: issue trackers, test reports, code scanning, annotations.
 */
#ifndef OBIT_FACE_H
#define OBIT_FACE_H

#include "core/base/buf.h"
#include "core/verdict/verdict.h"

/* What is to be told. */
struct telling {
	const struct verdict *v;
	const char
		*input; /* the name of an input, for what must name a file; NULL: there is none */
	const char *version; /* obit's; NULL unknown */
	int64_t now;         /* seconds since 1970, when the checks ran */
	bool dump;           /* a dump is loaded */
};

/* Each appends whole lines in which every string of the kernel is escaped as that language needs
 * it; nothing of them acts on a terminal either. */
typedef void face_form(struct buf *b, const struct telling *f);
/* GitHub's and GitLab's Markdown, at most MARKDOWN_MAX bytes; what was left out is said. */
void face_markdown(struct buf *b, const struct telling *f);
#define MARKDOWN_MAX 65000u
/* JUnit's XML: the verdict and each check is a test. What could not be looked at was skipped. */
void face_junit(struct buf *b, const struct telling *f);
/* SARIF 2.1.0: the verdict, and checks that warn or fail, are results; what could not be looked at
 * is a notification of the run. */
void face_sarif(struct buf *b, const struct telling *f);
/* Workflow commands of GitHub, a line each, at most FACE_ANNOTATIONS of a kind. */
void face_github(struct buf *b, const struct telling *f);
#define FACE_ANNOTATIONS 10u
/* GitLab's code quality report: a JSON array. */
void face_gitlab(struct buf *b, const struct telling *f);

/* ---- face.c: what several of them say */
/* "DEAD", "HURT", "STUCK", "ALIVE", "UNKNOWN". */
const char *face_outcome(enum outcome o);
/* "ok", "warn", "fail", "?". */
const char *face_mark(enum check_state s);
/* The machine's name; NULL: it is unknown, or nobody gave it one. */
const char *face_node(const struct verdict *v);
/* Appends which kernel it was, on which machine, and for how long: "6.1.0, x86_64, on box, up ...".
 */
void face_kernel(struct buf *b, const struct verdict *v);
/* Is it wrong with the machine? An end that nobody knows the cause of is. */
bool face_is_bad(const struct verdict *v);
/* Is what the check found the verdict itself? */
bool face_is_verdict(const struct verdict *v, const struct finding *f);
/* How many checks are in that state. */
size_t face_count(const struct verdict *v, enum check_state s);
/* Where the function to blame stands: a path within the sources, in the scratch of the caller, and
 * its line. False: it is not known. */
bool face_place(const struct verdict *v, struct buf *path, unsigned *line);
/* What is the same for the same fault and no other: the signature of a report, else what the claim
 * is made of. Without a claim it is made of how the end came about. 16 digits, or the signature. */
void face_fingerprint(struct buf *b, const struct verdict *v);
/* The same for what a check found. */
void face_check_fingerprint(struct buf *b, const struct verdict *v, const struct finding *f);

#endif
