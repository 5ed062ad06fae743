/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of one's own: what define made of lines, and what they are given. */
#ifndef OBIT_OWN_H
#define OBIT_OWN_H

#include "core/shell/parse.h"
#include "core/shell/session.h"
#include "core/types/expr.h"

#define OWN_DEPTH_MAX 16     /* of commands that run each other */
#define OWN_CALLS_MAX 10000u /* that one line leads to */
#define OWN_LINES_MAX 1000u

/* The lines are kept as they were typed, and are parsed by themselves at each call: what a call is
 * given takes its place behind that, as a word or as a value, and can add nothing to a line. */
struct own_command {
	const char *name;
	const char
		*summary;  /* the first line of the comment before it, or of its own; NULL: none */
	const char *where; /* "file:12"; NULL: at the prompt */
	const char *const *params; /* each with its '$' */
	size_t n_params;
	const char *const *lines;
	size_t n_lines;
};

/* A call: the command, and what stands for its parameters. */
struct own_call {
	const struct own_command *cmd;
	struct expr_params params;
};

/* The command of this name; NULL: there is none. It lives until another takes its name. */
const struct own_command *own_find(const struct session *s, const char *name);
/* Forgets a command. False: there is none. */
bool own_remove(struct session *s, const char *name);
/* Adds the command, or puts it in the place of one of its name; all is copied. ERR_USAGE: the name
 * is obit's own, or is no word. */
bool own_add(struct session *s, const struct own_command *cmd, struct err *err) MUST_CHECK;
/* Reads "NAME(a, b) LINE", "NAME LINE" or "NAME" from text, into an arena: *line is "" when it has
 * none. Its name is set on failure, too. */
bool own_read_head(struct arena *a, const char *text, struct own_command *ret, const char **line,
		   struct err *err) MUST_CHECK;
/* Takes the operands of a call, the stage's words behind its name. What names variables, or
 * parameters of the command that makes the call, is replaced by its value, so that none is left
 * over. ERR_USAGE: they are too few or too many. */
bool own_bind(struct session *s, struct arena *a, const struct own_command *cmd,
	      const struct stage *stage, struct own_call *ret, struct err *err) MUST_CHECK;
/* Is it one pipeline that can be a stage of another? Then *ret is set to its job. */
bool own_is_pipeline(struct session *s, struct arena *a, const struct own_command *cmd,
		     struct job *ret);
/* Appends its page, or its line in the list of commands. */
void own_page(struct buf *b, const struct own_command *cmd);
void own_list(struct buf *b, const struct session *s);

/* The hooks for parse_job_with() that know obit's commands and the session's own; s NULL: obit's
 * alone. until: the word that ends a job, or NULL. */
struct parse_hooks own_hooks(struct session *s, const char *until);

#endif
