/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report of the kernel's as a record, and where texts with such reports come from. */
#ifndef OBIT_OOPS_RECORD_H
#define OBIT_OOPS_RECORD_H

#include "core/base/bytes.h"
#include "core/report/report.h"
#include "core/shell/command.h"

/* "report" */
extern const struct record_kind oops_report_kind;

/* explain: say what the signature was made of, too. first: the first that the command shows. */
void oops_report_emit(struct ctx *c, struct report *r, const char *file, bool explain, bool first);
/* That a text has no report. seems: what kind of file it seems to be; NULL: a text. */
void oops_none_emit(struct ctx *c, const char *file, const char *seems);

/* ---- oops_seems.c: what a file that is no text seems to be, by its first bytes; a constant */
const char *oops_seems(struct span head);
/* What it is of a kernel that boots: the messages that it could print are no report. */
extern const char oops_boot_image[];

/* ---- oops_text.c */
/* Reports are sought in one text after the other. */
struct oops_texts {
	struct ctx *c;
	/* Called for every report; false: no more of this text. */
	bool (*report)(struct report *r, void *arg);
	void (*end)(void *arg); /* of a text; it may still show what it held back */
	void *arg;
	const char *file;  /* the text at hand */
	const char *seems; /* what it seems to be, if it is no text; NULL: it is one */
	char *chunk;       /* what pipes and files are read into, one after the other */
	unsigned reports;  /* of the text at hand */
	unsigned crashes;  /* with a report, of the folder of pstore at hand */
	uint64_t shown;    /* reports, of all texts */
	bool any;          /* some text had one */
};

/* A file, "-" for stdin, or every file of a folder by its name, and of the folders in it. Pipes are
 * read as they come: no more is kept than the report at hand. */
bool oops_text_file(struct oops_texts *w, const char *path, struct err *err) MUST_CHECK;
/* The same of n regular files, which several processes may read; what cannot be read is told.
 * ERR_INTR. */
bool oops_text_files(struct oops_texts *w, const char *const *paths, size_t n,
		     struct err *err) MUST_CHECK;
void oops_text_span(struct oops_texts *w, const char *file, struct span text);
/* The loaded dump's own log, and what pstore kept of one. ERR_NEED without. */
bool oops_text_log(struct oops_texts *w, struct err *err) MUST_CHECK;
bool oops_text_pstore(struct oops_texts *w, struct err *err) MUST_CHECK;

#endif
