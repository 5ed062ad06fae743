/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is left of crashes on a machine, in the places where systems keep it. */
#ifndef OBIT_REMAINS_H
#define OBIT_REMAINS_H

#include "readers/crashes.h"

/* What is left of one crash. Strings live in the arena of the search. */
struct remains {
	struct crash_files crash;
	/* Its name is one that a system gives to what a crash left. Else it is a text, which counts
	 * only where a report is in it. */
	bool named;
	bool has_when;
	int64_t when_s;        /* since 1970 */
	const char *when_from; /* "name" of a folder or file, in local time; "file": its date */
	const char *lost;      /* what of it cannot be read, and why; NULL: nothing */
	size_t place;          /* index of the place that it is in */
};

enum remains_state {
	REMAINS_READ,   /* it was looked through */
	REMAINS_ABSENT, /* there is no such folder */
	REMAINS_CLOSED  /* it cannot be read */
};
struct remains_place {
	const char *path;
	enum remains_state state;
	const char *why; /* of REMAINS_CLOSED */
};

/* Zero-initialised before its first use, but for the arena. */
struct remains_found {
	struct arena *a;
	VEC(struct remains) v;
	VEC(struct remains_place) places;
	VEC(struct crash_passed) passed;
	size_t n_passed;
	bool cut; /* as in struct crashes */
};

/*
 * Looks below root ("" for the machine's own) in /var/crash, where kdump-tools
 * (YYYYMMDDHHMM/dump.*, dmesg.*), kexec-tools and Fedora (ADDRESS-DATE/vmcore, vmcore-dmesg.txt)
 * and Ubuntu (*.crash) keep dumps, where /etc/default/kdump-tools and /etc/kdump.conf say that
 * kdump keeps them, and in /var/lib/systemd/pstore and /sys/fs/pstore. Below a root links lead as
 * they would on that machine. Reports of apport of programs are left alone. Nothing is written. The
 * newest is not first: there is no order.
 */
void remains_find(struct remains_found *f, const char *root);
void remains_release(struct remains_found *f);

/* ---- for tests */
/* The date that the name of a folder or file has: YYYYMMDDHHMM, YYYY-MM-DD-HH:MM, with seconds or
 * without, in local time, or seconds since 1970 as a name of their own. */
bool remains_date(const char *name, int64_t *ret);

#endif
