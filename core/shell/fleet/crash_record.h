/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of many crashes: each crash, those that are of one bug, and how many there were. */
#ifndef OBIT_CRASH_RECORD_H
#define OBIT_CRASH_RECORD_H

#include "core/base/buf.h"
#include "core/shell/session.h"

extern const struct record_kind crash_kind, crash_group_kind, crashes_kind;

/* What is said of one crash. Strings are NULL where nothing is known. */
struct crash_said {
	const char *path; /* its name */
	const char *const *files;
	size_t n_files;
	enum exit_status status; /* as obit would have had, asked of it alone */
	const char *outcome, *kind, *title, *function, *module, *place, *signature, *sentence;
	const char *known; /* the note of who knows it */
	const char *error; /* why there is no answer, or what was missed */
	bool has_when;
	int64_t when_ns; /* since 1970 */
	const char *identity;
	bool has_written;
	int64_t written_ns;
	uint64_t took_ns;
	const struct named_cell *verdict; /* the fields of the verdict; n 0: there is none */
	size_t n_verdict;
};

/* Appends the record as a line of JSON, and as the line that people read. Either may be NULL. The
 * style of k counts, where it writes to does not. */
void crash_render(const struct sink *k, const struct crash_said *c, struct buf *json,
		  struct buf *text);

/* Crashes of one bug. */
struct crash_group {
	/* all but known are of the first one; the note of who knows one of them */
	const char *outcome, *kind, *title, *function, *signature, *known, *first;
	uint64_t n, isnew; /* crashes, and those that --known does not have by themselves */
	uint64_t ways; /* how many of their stacks are unlike each other; 0: that is not known */
};
struct crash_counts {
	uint64_t crashes, groups, isnew, none, failed, damaged, skipped, left;
};
void emit_crash_group(struct sink *k, const struct crash_group *g, bool judged);
void emit_crash_counts(struct sink *k, const struct crash_counts *n, bool judged);

#endif
