/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of files, as /proc/locks lists them: flock(), fcntl() and leases, and who asks for one. */
#ifndef OBIT_LINUX_FILE_LOCK_H
#define OBIT_LINUX_FILE_LOCK_H

#include "core/image/target.h"

/* fl_flags, include/linux/filelock.h */
#define FILE_LOCK_POSIX 1u
#define FILE_LOCK_FLOCK 2u
#define FILE_LOCK_DELEGATION 4u
#define FILE_LOCK_LEASE 32u
#define FILE_LOCK_OFD 1024u    /* a POSIX lock that an open file owns */
#define FILE_LOCK_LAYOUT 2048u /* of pNFS; the kernel treats it as a lease */

/* What the members that all locks have are called; each is a path for field_u64(). */
struct file_lock_names {
	const char *type; /* the struct that they are in; a struct file_lock begins with it */
	const char *wait, *blocker, *owner, *flags, *pid, *mode, *file;
	const char *link, *requests, *request; /* in all locks; those behind it; such a one */
};
/* The names that this kernel has; NULL: its types have none. */
const struct file_lock_names *file_lock_names(struct target *t);

#define FILE_LOCK_EOF INT64_MAX
struct file_lock {
	uint64_t addr;
	uint64_t blocker;     /* of a request: the lock or request in its way; 0: it is granted */
	unsigned number;      /* as /proc/locks counts them; a request has the number of its lock */
	unsigned depth;       /* 0: granted; 1: it waits for that; 2: for one that waits itself */
	const char *kind;     /* "POSIX", "OFDLCK", "FLOCK", "LEASE", "DELEG" */
	const char *state;    /* "ADVISORY"; of a lease "ACTIVE", "BREAKING", "BREAKER" */
	const char *mode;     /* "READ", "WRITE", "UNLCK" */
	int64_t pid;          /* of the process that asked for it; -1: an open file has it */
	int64_t start, end;   /* bytes, both inclusive; FILE_LOCK_EOF: to the end of the file */
	uint64_t owner;       /* a POSIX lock's struct files_struct, another's struct file */
	uint64_t file, inode; /* 0: none */
	uint64_t number_of_inode, device;
	const char *path; /* NULL: it has no file, or its path cannot be read */
};
/* Calls fn for each lock in the order of /proc/locks, each followed by those that wait for it,
 * until fn returns false. Strings live in the arena. flaw() is told what cannot be read. */
bool file_locks_each(struct target *t, struct arena *a,
		     bool (*fn)(const struct file_lock *l, void *arg),
		     void (*flaw)(const struct err *e, void *arg), void *arg,
		     struct err *err) MUST_CHECK;

#endif
