/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the process of a side and the one that compares say to each other. */
#ifndef OBIT_DIFF_SIDE_IMPL_H
#define OBIT_DIFF_SIDE_IMPL_H

#include "commands/diff/side.h"

/* A message: one of these, and what belongs to it. */
enum side_tag {
	SIDE_FACT,   /* a struct diff_fact, and its name and text, each ended by a NUL */
	SIDE_PART,   /* a struct part_message */
	SIDE_KERNEL, /* a text: the vmlinux that it was opened with */
	SIDE_NOTE,   /* a struct err: what is to be told of its files */
	SIDE_FAILED, /* a struct err: the file cannot be opened */
	SIDE_TAGS
};
struct part_message {
	enum diff_part part;
	struct part_read read;
};

#endif
