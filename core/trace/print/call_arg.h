/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of system calls by name. */
#ifndef OBIT_CALL_ARG_H
#define OBIT_CALL_ARG_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

/* By the names that the kernel gives its calls and arguments; false: there is nothing better than a
 * number. */
bool call_arg_put(struct buf *b, const struct trace_event *ev, const char *call, const char *name,
		  uint64_t v);
/* The bits of a flag of open(2) on the event's machine; 0: they are not known. O_CREAT and its like
 * are the same everywhere. */
uint64_t open_flag_bits(const struct trace_event *ev, const char *name);

#endif
