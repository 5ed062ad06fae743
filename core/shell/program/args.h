/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the person typed behind "obit", and the rows by which it is read. */
#ifndef OBIT_ARGS_H
#define OBIT_ARGS_H

#include "core/base/vec.h"
#include "core/shell/fleet/fleet.h"

/* Of options that take a value, where it stands in args.valued. */
enum {
	MODULES,
	SOURCE,
	RC,
	DEBUG,
	ROOT,
	READER,
	VMCOREINFO,
	KASLR,
	PHYS_BASE,
	ARCH,
	COMPLETION,
	COLOR,
	CONFIG,
	GDB,
	VALUED
};

/* One -c or -i, in the order given. */
struct main_work {
	bool file;
	const char *text;
};

struct args {
	VEC(const char *) files;
	VEC(struct main_work) work;
	const char *verb;        /* "oops", "line", "triage", "diff": a command before its files */
	VEC(const char *) words; /* what follows it and is the command's, not obit's */
	VEC(const char *) valued[VALUED]; /* options with a value, which may be given again */
	const struct reader *reader;      /* of --reader; NULL: none was named */
	struct fleet_options fleet;       /* of triage, for many crashes; and -j */
	bool json, silent, no_pager, no_rc, force, debuginfod, help, version, list, serve;
	bool links, ascii;
	bool any_text; /* a text in which nothing is reported is an input, too */
};

/* Takes an option without a value. False: it is none. */
bool args_flag(struct args *args, const char *word);
/* Takes "--modules DIR", "--modules=DIR", and the like, at argv[*i]. 0: it is none; -1: nothing
 * follows it. */
int args_valued(struct args *args, int argc, char **argv, int *i, struct err *err);
/* Is it a command that may stand before files? */
bool args_is_verb(const char *word);
/* Appends what --help shows. */
void args_help_add(struct buf *b);
/* Appends the script for the shell that --completion names; `readers` are the names of those of
 * dumps. ERR_USAGE: it names none. */
bool args_completion_add(struct buf *b, const struct args *args, const char *const *readers,
			 struct err *err) MUST_CHECK;

#endif
