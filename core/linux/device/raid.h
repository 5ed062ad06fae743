/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of disks that the kernel makes one disk of: md. */
#ifndef OBIT_RAID_H
#define OBIT_RAID_H

#include "core/image/target.h"

struct raid {
	uint64_t addr;    /* struct mddev */
	const char *name; /* "md0" */
	int64_t level;    /* 1, 5, 10; negative: of another kind, as linear */
	unsigned disks;   /* that it should have */
	unsigned missing; /* that it has to do without */
	unsigned failed;  /* that it still has, and that failed */
};
/* Calls fn for each array that was running, until fn returns false. *why is the last error of what
 * could not be read, or ERR_OK. */
bool raids_each(struct target *t, bool (*fn)(const struct raid *r, void *arg), void *arg,
		struct err *why, struct err *err) MUST_CHECK;

#endif
