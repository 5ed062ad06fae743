/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: what the person set, where output goes, and how a line is run. */
#ifndef OBIT_SESSION_H
#define OBIT_SESSION_H

#include "core/shell/command.h"
#include "core/target/target.h"

/* Exit status of the program; never overloaded. */
enum exit_status {
	EXIT_ANSWERED = 0, /* all commands succeeded */
	EXIT_FAILED = 1,   /* a command failed */
	EXIT_USAGE = 2,    /* wrong usage of the program or of a command */
	EXIT_NOINPUT = 3,  /* no input could be used */
	EXIT_DAMAGED = 4   /* answered, but from damaged or partial input */
};

struct alias {
	const char *name, *text;
	bool builtin;
};

struct session {
	struct target *t;
	struct arena arena; /* the session's: aliases, settings */
	struct sink sink;
	bool json, silent, interactive;
	bool pager;     /* long output goes through $PAGER on a terminal */
	unsigned radix; /* 10 or 16 */
	uint64_t task;  /* current task_struct; 0: not set yet (the panic task) */
	VEC(struct alias) aliases;
	bool quit;
	bool any_failed, any_damaged, any_usage;
};

/* Runs one line: comments, aliases, pipelines, "| shell", "> file", "! shell". The outcome is
 * counted in the session; false only for ERR_INTR. Output of the line is flushed when it returns.
 */
bool session_run(struct session *s, const char *line);
/* Runs a file of lines ("-" is stdin). ERR_IO. */
bool session_source(struct session *s, const char *path, struct err *err) MUST_CHECK;
int session_status(const struct session *s); /* enum exit_status */
/* The current task: set, or the panic task, or the boot CPU's. */
struct task;
bool session_task(struct session *s, const struct task **ret, struct err *err) MUST_CHECK;

#endif
