/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel log. */
#ifndef OBIT_PRINTK_H
#define OBIT_PRINTK_H

#include "core/image/target.h"

struct log_message {
	uint64_t seq, time_ns;
	unsigned level, facility;
	uint32_t caller; /* with has_caller: a task's pid, or 0x80000000 + the number of a CPU */
	bool has_caller;
	bool unfinished;  /* the kernel could still have changed it, or added to it */
	const char *text; /* as it was logged, perhaps with newlines; no NUL ends it */
	size_t n;
	const char *dict; /* "SUBSYSTEM=usb\nDEVICE=+usb:1-1" or NULL */
	size_t dict_n;
};
/* Calls fn for each message of the kernel's log, the oldest first, until fn returns false; the
 * message is gone when fn returns. note(), which may be NULL, is told what is lost, once for
 * records that are lost in a row for one reason. Needs the dump alone, for VMCOREINFO has the
 * layout of the ring buffer since 5.10 (896fbe20b4e2) and of the record buffer before (3.6). */
bool log_each(struct target *t, bool (*fn)(const struct log_message *m, void *arg),
	      void (*note)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* Sets *ret to the nanoseconds that make a time since 1970, UTC, of a time stamp of the log when
 * they are added. Needs types. In system.c. */
bool log_wall_offset(struct target *t, int64_t *ret, struct err *err) MUST_CHECK;

#endif
