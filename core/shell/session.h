/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session: what the person set, where output goes, and what came of its lines. */
#ifndef OBIT_SESSION_H
#define OBIT_SESSION_H

#include "core/base/buf.h"
#include "core/shell/command.h"
#include "core/linux/task/task.h"
#include "core/shell/notes.h"
#include "core/image/target.h"

/* Exit status of the program; never overloaded. */
enum exit_status {
	EXIT_ANSWERED = 0, /* all commands succeeded */
	EXIT_FAILED = 1,   /* a command failed */
	EXIT_USAGE = 2,    /* wrong usage of the program or of a command */
	EXIT_NOINPUT = 3,  /* no input could be used */
	EXIT_DAMAGED = 4,  /* answered, but from damaged or partial input */
	EXIT_NOREPORT = 5  /* the text has no report of the kernel's */
};

/* When text is coloured: on a terminal that can, whose owner has no $NO_COLOR; also where it goes
 * into a file or a pipe; nowhere. */
enum color_when {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER
};

struct alias {
	const char *name, *text;
	bool builtin;
};

struct output;
struct fleet_crash;
struct own_command;
struct own_call;

/* A definition up to its end. */
struct own_block {
	struct arena a;
	struct own_command *cmd;
	VEC(const char *) lines;
	struct err err;  /* of the first line that is wrong; the others are passed over */
	bool told;       /* the error was, at its head */
	unsigned opened; /* within it, as gdb has blocks: each has an end of its own */
};

struct session {
	struct target *t;
	struct arena arena; /* the session's: aliases, settings */
	struct sink sink;
	const char *version; /* obit's; NULL: nobody told */
	bool silent, interactive;
	bool pager;                /* long output goes through a pager on a terminal */
	const char *pager_command; /* of the configuration; NULL: none */
	enum color_when color;
	bool links, ascii; /* places in sources are links; nothing but ASCII comes out */
	unsigned radix;    /* 10 or 16 */
	uint64_t task;     /* current task_struct; 0: not set yet (the panic task) */
	VEC(struct alias) aliases;
	/* Somebody else's program types the lines: no shell, and no file that they name, is theirs.
	 * Output stays JSON. */
	bool confined;
	bool quit;
	bool any_line; /* a line was run, be it a comment */
	bool any_failed, any_damaged, any_usage;
	bool any_unmet; /* something was needed that no input has */
	bool no_report; /* a text was read that holds none; any report resets it */
	/* Opens the first n files of a crash for another session, as the program opens its own. */
	bool (*open)(struct session *s, const struct fleet_crash *c, size_t n, void *arg,
		     struct err *err);
	void *open_arg;

	/* private to core/shell */
	struct output *out;
	const char *where;             /* "file:12" while a file of commands runs; NULL: none */
	const char *line;              /* the one that runs, as it was given; NULL: none */
	int serve_fd;                  /* where the lines of --serve come from */
	unsigned depth;                /* of files that run files */
	bool stdin_busy;               /* commands are being read from stdin */
	struct notes notes;            /* of the command line */
	uint64_t told;                 /* records, notes and failures that were printed */
	unsigned nested;               /* of lines that a command runs */
	bool too_deep;                 /* they were: all that run each other end */
	bool has_dump_text;            /* the line that runs has text of the dump in it */
	size_t warned;                 /* how many of the target's warnings were shown */
	bool told_cut;                 /* that the dump is truncated */
	VEC(struct own_command *) own; /* by name */
	/* runs the lines of a command of one's own; with inner what they print goes where that of
	 * the line around them does. NULL: nothing runs lines. False: Ctrl-C stopped it. */
	bool (*run_own)(struct session *s, const struct own_call *call, bool inner);
	unsigned own_depth, own_calls; /* of those that run each other */
	bool defining;                 /* only definitions are taken */
	struct own_block *block;       /* a definition that has no end yet; NULL: none */
	struct buf remark;             /* the first line of the comment above the line that runs */
	bool remarking;                /* the line before was one of that comment */
	/* lines typed before; NULL where there is no prompt. False: no such line */
	bool (*history)(size_t i, const char **line);
};

/* Begins a session over the target t, whose scratch arena the session resets after each line. What
 * is printed goes to out. */
void session_init(struct session *s, struct target *t, struct output *out);
void session_release(struct session *s);
/* Forgets a definition that has no end yet. */
void session_block_drop(struct session *s);
/* Settings: JSON lines or text; integers in decimal (10) or hexadecimal (16). */
void session_json(struct session *s, bool json);
void session_radix(struct session *s, unsigned radix);
/* Another one: how many levels of structs in structs are shown; 0: all. */
void session_depth(struct session *s, unsigned depth);

/* Sets an alias, or removes it when text is NULL. False: there is none to remove. */
bool session_alias(struct session *s, const char *name, const char *text);
/* The alias whose name is the first n bytes of name; NULL: there is none. */
const struct alias *session_alias_find(const struct session *s, const char *name, size_t n);
/* Tells the person of a failure by "subject: message" on stderr, and counts it for the exit status.
 * ERR_INTR is neither told nor counted. subject may be NULL. */
void session_fail(struct session *s, const char *subject, const struct err *err);
/* Tells the person what the target warned of since the last call, which files cannot be read any
 * more, and, once, that the dump is truncated. */
void session_warn(struct session *s);
/* Tells of files that cannot be read any more alone. */
void session_warn_lost(struct session *s);
/* The names of the settings that the command set can change; NULL ends the list. */
extern const char *const session_variables[];
/* The exit status (enum exit_status) of what the session did until now. */
int session_status(const struct session *s);
/* Sets *ret to the current task: the one that was set, else the one that panicked, else the one of
 * the boot CPU. */
struct task;
bool session_task(struct session *s, const struct task **ret, struct err *err) MUST_CHECK;

#endif
