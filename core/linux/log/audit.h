/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of the audit subsystem that no daemon had taken yet. */
#ifndef OBIT_AUDIT_H
#define OBIT_AUDIT_H

#include "core/image/target.h"

struct audit_record {
	const char *queue; /* "audit_queue", or those for what could not be sent */
	uint64_t addr;     /* struct sk_buff */
	unsigned type;     /* AUDIT_... of include/uapi/linux/audit.h: 1300 is a system call */
	const char *text;  /* "audit(SECONDS.MS:NUMBER): ..." */
};
/* Calls fn for each record that waits, in the order in which they would be sent, until fn returns
 * false. Text lives in the arena. flaw(), which may be NULL, is told what cannot be read.
 * ERR_NOTFOUND: this kernel has no audit; ERR_NOSYM: nobody knows whether it has. */
bool audit_each(struct target *t, struct arena *a,
		bool (*fn)(const struct audit_record *r, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
