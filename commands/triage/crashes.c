/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crashes: what a database remembers of many crashes. */
#include <string.h>
#include <time.h>

#include "commands/triage/bug_record.h"
#include "commands/triage/load.h"
#include "core/base/number.h"
#include "core/obit.h"

struct crashes_opts {
	const char *db, *release, *against, *since;
	uint64_t bug;
	bool load;
};
static const struct option opts[] = {
	OPT_STR("db", "file", struct crashes_opts, db,
		"the database, as 'obit triage --db' writes it"),
	OPT_FLAG("load", struct crashes_opts, load,
		 "add the crashes of files of records; the database is made if it is not there"),
	OPT_STR("release", "glob", struct crashes_opts, release,
		"of these kernels alone, as '6.12.*'"),
	OPT_STR("against", "glob", struct crashes_opts, against,
		"compare with those: what is new, what both have, what is gone"),
	OPT_STR("since", "date", struct crashes_opts, since,
		"what had not been seen before: 2026-11-23, '2026-11-23 10:00', 12h, 7d, 2w"),
	OPT_UINT("bug", "number", struct crashes_opts, bug, "the crashes of a bug"),
};

/* Takes a number of so many digits at most, behind a character unless that is NUL. */
static bool take(const char **p, char before, int *ret)
{
	uint64_t n;

	if (before && *(*p)++ != before)
		return false;
	if (!number_take(p, NULL, 10, &n) || n > 9999)
		return false;
	*ret = (int)n;
	return true;
}

/* "2026-11-23", "2026-11-23 10:00", with seconds, with a T in place of the blank; local time. */
static bool take_date(const char *s, int64_t *ret)
{
	struct tm tm = { .tm_isdst = -1 };
	int year, month, day;
	const char *p = s;

	if (!take(&p, 0, &year) || !take(&p, '-', &month) || !take(&p, '-', &day))
		return false;
	if (*p == 'T' || *p == ' ') {
		if (!take(&p, *p, &tm.tm_hour) || !take(&p, ':', &tm.tm_min) ||
		    (*p && !take(&p, ':', &tm.tm_sec)))
			return false;
	}
	if (*p || month < 1 || month > 12 || day < 1 || day > 31 || tm.tm_hour > 23 ||
	    tm.tm_min > 59 || tm.tm_sec > 60)
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	tm.tm_mday = day;
	*ret = (int64_t)mktime(&tm);
	return tm.tm_mon == month - 1; /* 30 February would be in March */
}

static bool take_ago(const char *s, int64_t *ret)
{
	static const char units[] = "hdw";
	static const int hours[] = { 1, 24, 24 * 7 };
	const char *p = s, *unit;
	int n;

	if (!take(&p, 0, &n) || !*p || p[1] || !(unit = strchr(units, *p)))
		return false;
	*ret = (int64_t)time(NULL) - (int64_t)n * hours[unit - units] * 3600;
	return true;
}

static bool query_make(const struct crashes_opts *o, struct crashdb_query *ret, struct err *err)
{
	int64_t s = 0;

	*ret = (struct crashdb_query){ .release = o->release,
				       .against = o->against,
				       .bug = o->bug };
	if (o->against && !o->release)
		return err_set(err, ERR_USAGE,
			       "--against compares the kernels of --release with others");
	if (o->since && !take_date(o->since, &s) && !take_ago(o->since, &s))
		return err_set(err, ERR_USAGE,
			       "--since needs a date as 2026-11-23 or '2026-11-23 10:00', or a "
			       "time as 12h, 7d or 2w, not '%.60s'",
			       o->since);
	ret->since_ns = o->since ? s * 1000000000 : 0;
	return true;
}

static bool list_bugs(struct ctx *c, struct crashdb *d, const struct crashdb_query *q,
		      struct err *err)
{
	kept_bugs bugs;

	if (!crashdb_bugs(d, c->arena, q, &bugs, err))
		return false;
	for (size_t i = 0; i < bugs.n; i++)
		emit_bug(c, &bugs.p[i]);
	if (!bugs.n)
		emit_none(c, q->against ? &bug_change_kind : &bug_kind,
			  "no such crash is in the database");
	kept_bugs_release(&bugs);
	return true;
}

static bool list_crashes(struct ctx *c, struct crashdb *d, const struct crashdb_query *q,
			 struct err *err)
{
	kept_crashes crashes;

	if (!crashdb_crashes(d, c->arena, q, &crashes, err))
		return false;
	for (size_t i = 0; i < crashes.n; i++)
		emit_bug_crash(c, &crashes.p[i]);
	if (!crashes.n)
		emit_none(c, &bug_crash_kind, "no such crash is in the database");
	vec_release(&crashes);
	return true;
}

static bool load(struct ctx *c, const struct crashes_opts *o, struct err *err)
{
	struct crashes_loaded n;
	struct crashdb d;
	bool ok;

	if (!c->argc)
		return err_set(err, ERR_USAGE,
			       "--load needs files of records, as 'triage --resume' writes them");
	if (!crashdb_open(&d, o->db, CRASHDB_WRITE, CRASHDB_WAIT, err))
		return false;
	ok = load_results(c, &d, c->argv, c->argc, &n, err);
	crashdb_close(&d);
	if (ok)
		emit_crashes_loaded(c, &n);
	return ok;
}

static bool crashes_run(struct ctx *c, struct err *err)
{
	const struct crashes_opts *o = c->opts;
	struct crashdb_query q;
	struct crashdb d;
	bool ok;

	if (!o->db)
		return err_set(err, ERR_USAGE, "which database? --db FILE says so");
	if (!query_make(o, &q, err))
		return false;
	if (o->load)
		return load(c, o, err);
	if (c->argc)
		return err_set(err, ERR_USAGE, "'%.100s': files are read with --load alone",
			       c->argv[0]);
	if (!crashdb_open(&d, o->db, CRASHDB_READ, CRASHDB_WAIT, err)) {
		/* it is the input, and there is no other */
		if (err->code != ERR_USAGE && err->code != ERR_INTR)
			err->code = ERR_NEED;
		return false;
	}
	ok = q.bug ? list_crashes(c, &d, &q, err) : list_bugs(c, &d, &q, err);
	crashdb_close(&d);
	return ok;
}

static const struct record_kind *const emits[] = { &bug_kind, &bug_change_kind, &bug_crash_kind,
						   &crashes_loaded_kind, NULL };
static const struct example examples[] = {
	{ "crashes --db crashes.db", "all bugs, the one that was seen last first" },
	{ "crashes --db crashes.db --since 7d", "those that nobody had seen before" },
	{ "crashes --db crashes.db --release '6.12*' --against '6.1.*'",
	  "what is new in 6.12, what stayed, and what is gone" },
	{ "crashes --db crashes.db --bug 1", "the crashes of a bug" },
	{ "crashes --db crashes.db --load results.jsonl", "adds what a share of a fleet wrote" },
};
const struct command cmd_crashes = {
	.name = "crashes",
	.group = "system",
	.summary = "bugs that a database remembers, of many crashes",
	.operands = "[file]...",
	OPTS(opts),
	.opts_size = sizeof(struct crashes_opts),
	.completes = COMPLETE_FILE,
	.emits = emits,
	.help = "Lists the bugs of a database of crashes, the one that was seen last first: how many "
		"crashes are of it, when it was seen first and last, on which kernels. It needs no dump: "
		"'obit crashes --db FILE' does it from the shell.\n\n"
		"'obit triage --db FILE DIR...' writes such a database while it looks at crashes. Where a "
		"batch system's shares look at them, each writes a file of records (--resume FILE, or what "
		"--json prints), and 'obit crashes --db FILE --load RESULTS...' adds them all: SQLite on a "
		"network's disk takes no two writers. Of all files everything is added, or nothing. Several "
		"may load at once; one waits for the other, for half a minute at most.\n\n"
		"A crash is the same one when its content is: met again, under another name, packed or not, "
		"it counts once, and what is said of it is what was said last. When it happened is what the "
		"dump or a record of pstore says, or else when the file was written last, or else when it was "
		"added.\n\n"
		"Crashes are of one bug as 'triage' has it: of one signature, which says the kind and the "
		"guilty function. Those of which no kind "
		"is known stand together by their outcome. Numbers of bugs "
		"stay, unless a new crash shows that two are one: then it has the smaller number.\n\n"
		"--release and --against take globs, as '6.12.*'; --since takes a date, and is of bugs, not "
		"of crashes: what had not been seen before.\n\n"
		"The file is SQLite's, with an application_id of 0x6f626974 and a user_version of 1, which "
		"grows when tables change. Whoever asks it with SQL finds\n\n"
		"  crash  a row for each crash: id, identity (of its content), site (its id), path, files (an\n"
		"         array in JSON), seen_ns, seen_by (crash, file, added), added_ns, release, arch, build_id,\n"
		"         nodename, status, title, place, verdict (the sentence), sure, known (the note of\n"
		"         --known)\n"
		"  site   what crashes are compared by: id, signature, outcome, kind, function, trail (functions\n"
		"         with ' < ' between them), whole (does the trail reach to the stack's root), and bug,\n"
		"         the number that those of one bug share\n"
		"  bug    a view: bug, crashes, first_ns, last_ns, releases, kind, function, title, known\n\n"
		"Times are nanoseconds since 1970. What is not known is NULL in crash, and empty in site.\n\n"
		"Exit status: 3 when there is no such database, it is of another program, or a newer obit "
		"made it; 1 when it cannot be written; 4 when lines of a file were cut off or no records, and "
		"the others were added.",
	EXAMPLES(examples),
	.run = crashes_run,
};
