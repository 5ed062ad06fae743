/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a frame's arguments and locals. */
#ifndef OBIT_VARIABLE_RECORD_H
#define OBIT_VARIABLE_RECORD_H

#include "core/shell/command.h"
#include "core/types/frame_info.h"

/* The frame they are of. */
struct variables_of {
	bool has_pid;
	int pid, cpu; /* cpu -1 unknown */
	uint64_t n;   /* number of the frame */
	const char *func;
};

extern const struct record_kind frame_variable_kind;

/* Those of one level (see struct variable) of all that were found in the frame. */
void emit_variables(struct ctx *c, const struct variables_of *of, const struct variable *all,
		    size_t n, unsigned level);

#endif
