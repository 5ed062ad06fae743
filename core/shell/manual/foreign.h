/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of other tools, and what answers here. */
#ifndef OBIT_FOREIGN_H
#define OBIT_FOREIGN_H

#include "core/shell/command.h"

struct foreign_word {
	const char *word; /* what is typed there */
	const char *ours; /* the line that is typed here; NULL: there is no such thing */
	const char *note; /* what differs on purpose, or why there is none; NULL: nothing */
};
struct foreign_tool {
	const char *name;  /* "crash" */
	const char *about; /* paragraphs */
	const struct foreign_word *words;
	size_t n;
};
/* NULL ends the list. */
extern const struct foreign_tool *const foreign_tools[];
extern const struct foreign_tool foreign_crash, foreign_drgn, foreign_gdb;

/* NULL: nobody knows the tool. */
const struct foreign_tool *foreign_tool_find(const char *name);
/* Appends its page: word by word what is typed here. */
void foreign_page(struct buf *b, const struct foreign_tool *tool);
/* What crash does otherwise for the same word; NULL: nothing, or it has no such word. */
const char *foreign_difference(const struct command *cmd);
/* Appends what to type for a word that is no command: "; crash's 'px' is ..."; nothing when no tool
 * has it. */
void foreign_hint(struct buf *b, const char *word);

#endif
