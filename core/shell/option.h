/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a command, parsed by its table; usage lines made of the same table. */
#ifndef OBIT_OPTION_H
#define OBIT_OPTION_H

#include "core/base/buf.h"
#include "core/shell/command.h"
#include "core/shell/parse.h"

struct parsed {
	void *opts; /* the command's option struct */
	int argc;   /* operands */
	const char *const *argv;
	const char *rest; /* the operands as typed */
	bool help;        /* --help was among the words */
};

/* The command that a stage's first words name: "bt", or "trace show" of a family; options may stand
 * before the second word, as in "dt -b check". *ret is the stage without that word, so that options
 * and operands begin at its word 1; its words are in the arena. NULL: there is no such command. */
const struct command *stage_command(struct arena *a, const struct stage *stage, struct stage *ret);
/* May the second word of a command of cmd's family follow the words of the stage? */
bool stage_takes_verb(struct arena *a, const struct command *cmd, const struct stage *stage);
/* Parses the words of the stage from number `first` on as the options and operands of cmd.
 * ERR_USAGE.
 */
bool options_parse(struct arena *a, const struct command *cmd, const struct stage *stage,
		   size_t first, struct parsed *ret, struct err *err) MUST_CHECK;
/* For a session that is confined: ERR_USAGE when the words name a file of the machine that the
 * command would read or write. */
bool options_check_files(const struct command *cmd, const struct parsed *p,
			 struct err *err) MUST_CHECK;
/* Appends how the command is used: "bt [-al] [-c cpus] [--all] [pid | task]...". The other commands
 * of its family stand at the end. */
void usage_add(struct buf *b, const struct command *cmd);
/* Appends an option as it is typed: "-c cpus", "--dec", "-16". */
void option_add(struct buf *b, const struct option *o);

#endif
