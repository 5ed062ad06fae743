/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of records that are loaded into a database of crashes. */
#include "commands/triage/load.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES ((size_t)16 << 20) /* an answer of triage has no more */

struct loading {
	struct ctx *c;
	struct crashdb *d;
	struct crashes_loaded *n;
	const char *path;
	uint64_t line, good, bad, first_bad; /* of this file */
};

/* Reads a line without its newline. False: there is none. *whole: it has an end, and all of it is
 * there. */
static bool line_read(FILE *f, struct buf *line, bool *whole)
{
	bool any = false;
	int c;

	buf_reset(line);
	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		any = true;
		buf_char(line, (char)c);
	}
	*whole = c == '\n' && !line->cut;
	line->cut = false;
	return any || c == '\n';
}

/* What became of a line that is no record. */
static void bad_line(struct loading *l)
{
	if (!l->bad++)
		l->first_bad = l->line;
	l->n->bad_lines++;
}

static bool line_add(struct loading *l, const struct buf *line, bool whole, struct err *err)
{
	enum crashdb_added what;

	if (!line->n)
		return true;
	if (!crashdb_add(l->d, line->s, line->n, 0, &what, err))
		return false;
	/* one that was cut may still be a whole record */
	if (what == CRASHDB_BAD_LINE) {
		struct err cut;

		if (whole || !l->good) {
			bad_line(l);
			return true;
		}
		l->n->bad_lines++;
		err_set(&cut, ERR_TRUNCATED, "'%.150s', line %llu is cut off: it is left out",
			l->path, (unsigned long long)l->line);
		note(l->c, &cut);
		return true;
	}
	l->good++;
	l->n->added += what == CRASHDB_NEW;
	l->n->again += what == CRASHDB_AGAIN;
	l->n->none += what == CRASHDB_NONE;
	l->n->failed += what == CRASHDB_FAILED;
	return true;
}

/* Tells of lines that were no records. */
static void tell_bad(struct loading *l)
{
	struct err err;

	if (!l->bad)
		return;
	if (!l->good) {
		err_set(&err, ERR_FORMAT, "'%.150s' holds no records of obit's", l->path);
		complain(l->c, &err);
		return;
	}
	err_set(&err, ERR_CORRUPT, "'%.120s', line %llu%s no record of obit's: left out", l->path,
		(unsigned long long)l->first_bad, l->bad > 1 ? " and others are" : " is");
	note(l->c, &err);
}

static bool file_add(struct loading *l, struct err *err)
{
	struct buf line = { .max = LINE_MAX_BYTES };
	FILE *f = fopen(l->path, "re");
	bool ok = true, whole;
	struct err why;

	if (!f) {
		err_set_errno(&why, "'%.150s'", l->path);
		complain(l->c, &why);
		return true;
	}
	while (ok && line_read(f, &line, &whole)) {
		l->line++;
		ok = interrupt_check(err) && line_add(l, &line, whole, err);
	}
	if (ok && ferror(f)) {
		err_set_errno(&why, "'%.150s'", l->path);
		complain(l->c, &why);
	}
	l->n->files++;
	fclose(f);
	buf_release(&line);
	tell_bad(l);
	return ok;
}

bool load_results(struct ctx *c, struct crashdb *d, const char *const *paths, int n,
		  struct crashes_loaded *ret, struct err *err)
{
	bool ok = true;

	*ret = (struct crashes_loaded){ 0 };
	if (!crashdb_begin(d, err))
		return false;
	for (int i = 0; ok && i < n; i++) {
		struct loading l = { .c = c, .d = d, .n = ret, .path = paths[i] };

		ok = file_add(&l, err);
	}
	return crashdb_end(d, ok, err);
}
