/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel log. */
#ifndef OBIT_PRINTK_H
#define OBIT_PRINTK_H

#include "core/image/target.h"

struct log_message {
	uint64_t seq, time_ns;
	unsigned level, facility;
	uint32_t caller; /* task pid, or 0x80000000 + CPU; valid if has_caller */
	bool has_caller;
	bool unfinished;  /* the kernel could still have changed or continued it */
	const char *text; /* as logged; may hold newlines; not NUL-terminated */
	size_t n;
	const char *dict; /* "SUBSYSTEM=usb\nDEVICE=+usb:1-1" or NULL */
	size_t dict_n;
};
/* Oldest first. Works on a dump alone (VMCOREINFO names the layout) for the ring since 5.10
 * (896fbe20b4e2) and the record buffer before it (3.6). What is lost is reported through note (may
 * be NULL), records lost in a row for one reason together. fn returns false to stop; a message and
 * its text live until it returns. */
bool log_each(struct target *t, bool (*fn)(const struct log_message *m, void *arg),
	      void (*note)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* Nanoseconds to add to a time stamp of the log for the time since 1970, UTC; in system.c. Needs
 * types. */
bool log_wall_offset(struct target *t, int64_t *ret, struct err *err) MUST_CHECK;

#endif
