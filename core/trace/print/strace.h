/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls out of events, entry and exit in one line, flags by name. */
#ifndef OBIT_STRACE_H
#define OBIT_STRACE_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

#define STRACE_PENDING_MAX 4096u /* tasks in a call at a time; of more, the oldest is let go */

struct strace;
/* front() adds what stands in front of each line; NULL: nothing. */
struct strace *strace_new(struct arena *a,
			  void (*front)(struct buf *b, const struct trace_buffer *of, void *arg),
			  void *arg);
void strace_release(struct strace *s);
/* Is it an event of syscalls:sys_enter_* or sys_exit_*? */
bool strace_takes(const struct trace_event *ev);
/* One event of syscalls:sys_enter_* or sys_exit_*, in the order of time: puts the lines that it
 * completes, each with its end. False: it is another event. */
bool strace_add(struct strace *s, struct buf *b, const struct trace_event *ev);
/* Calls that did not end, by the time they began. */
void strace_end(struct strace *s, struct buf *b);

#endif
