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

/* The command that a stage's first words name: "bt", or one of a family, "trace show". Options of
 * the family's own may stand before the verb, as in "dt -b check". *ret is the stage without the
 * verb, its words in the arena: options and operands start at its word 1. NULL: no command. */
const struct command *stage_command(struct arena *a, const struct stage *stage, struct stage *ret);
/* Could a verb of the command's family follow the words of the stage? */
bool stage_takes_verb(struct arena *a, const struct command *cmd, const struct stage *stage);
/* Words of the stage from `first` on. ERR_USAGE. */
bool options_parse(struct arena *a, const struct command *cmd, const struct stage *stage,
		   size_t first, struct parsed *ret, struct err *err) MUST_CHECK;
/* "bt [-al] [-c cpus] [--all] [pid | task]..."; of a family the verbs stand at the end. */
void usage_add(struct buf *b, const struct command *cmd);
/* "-c cpus", "--dec", "-16" */
void option_add(struct buf *b, const struct option *o);

#endif
