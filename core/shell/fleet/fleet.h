/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many crashes: each is looked at in a process of its own, several at once. */
#ifndef OBIT_FLEET_H
#define OBIT_FLEET_H

#include "core/shell/fleet/crash_record.h"
#include "core/shell/fleet/known.h"
#include "core/shell/fleet/likeness.h"
#include "core/shell/program/program.h"

/* What was asked for on the command line. */
struct fleet_options {
	uint64_t jobs;          /* at once; 0: as many as there are CPUs to run on */
	uint64_t seconds;       /* for each crash; 0: FLEET_SECONDS */
	uint64_t megabytes;     /* of memory of its own for each crash; 0: FLEET_MEGABYTES */
	uint64_t share, shares; /* shares 0: all are wanted */
	const char *resume, *known, *fail_on, *db;
	bool any; /* one of these was given */
};
#define FLEET_SECONDS 600u
#define FLEET_MEGABYTES 4096u

/* These options. The first is the program's, too. */
#define FLEET_ROWS 8
extern const struct program_option fleet_rows[FLEET_ROWS];

/* Takes the option at argv[*i], and what belongs to it; of a question that is not triage's (many
 * false) only that of `jobs`. 0: it is none of these; -1: *err. */
int fleet_option(struct fleet_options *o, bool many, int argc, char **argv, int *i,
		 struct err *err);

/* A crash to look at, and how its files are opened. */
struct fleet_crash {
	const char *name;
	const char *const *files;
	size_t n;
	bool dump; /* the first file is one */
};
struct fleet {
	const struct fleet_options *o;
	const struct fleet_crash *crashes;
	size_t n;
	bool cut; /* there are more than these */
	/* Opens the first n files of a crash for a session, as the program does; called in a
	 * process of its own. */
	bool (*open)(struct session *s, const struct fleet_crash *c, size_t n, void *arg,
		     struct err *err);
	void *arg;
	struct session *s; /* whose sink is told, and whose style counts */
	/* Where a text lies beside a dump, it is asked first, and the dump only when the text does
	 * not tell what it died of: a text is sooner read than a dump. */
	bool quick;
	uint64_t seconds_all; /* none is begun or waited for after that; 0: no limit */
	/* Takes the line of JSON of crashes[i]; then nothing is told. NULL: nobody does. */
	void (*take)(void *arg, size_t i, const char *json, size_t n);
	void *take_arg;
};

/* Looks at all of them, and tells: a record `crash` for each as it ends, at last a `crash_group`
 * for each bug, and `crashes`. Returns the exit status of the program. */
enum exit_status fleet_run(struct fleet *f);

/* ---- share.c */
/* Is that name in share number i, of n, from 1? Every name is in one. */
bool fleet_share_has(const char *name, uint64_t i, uint64_t n);

/* ---- child.c */
/* Looks at one crash, appends its line in JSON and the one for people, and returns. What the files
 * make obit say on stderr is told by the caller. */
void fleet_look(const struct fleet *f, const struct fleet_crash *c, const struct known *known,
		struct buf *json, struct buf *text);

/* ---- score.c: what came of them, and what the exit status is */
struct score {
	struct arena *a;
	const struct known *known; /* NULL: nothing was said of what is known */
	const char *fail_on;
	struct likeness like;
	VEC(struct crash_group) groups; /* by their numbers in it: many may be of one bug */
	struct crash_group *bugs;       /* n.groups of them, once that is settled */
	bool settled;
	struct crash_counts n;
	bool gate; /* something of --fail-on was met */
};
/* Counts a line that crash_render() made. False: it is none. */
bool score_add(struct score *t, const char *line, size_t n);
/* Tells the groups, the largest first, and the counts. */
void score_tell(struct score *t, struct sink *k);
enum exit_status score_status(struct score *t);
void score_release(struct score *t);

#endif
