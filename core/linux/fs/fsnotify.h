/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who watches files: groups of inotify, fanotify and of the kernel's own, and what they watch. */
#ifndef OBIT_LINUX_FSNOTIFY_H
#define OBIT_LINUX_FSNOTIFY_H

#include "core/linux/task/task.h"

struct fsnotify_user {
	const struct task *task; /* the leader of its process */
	unsigned fd;             /* its number of the group's file */
};

struct fsnotify_group {
	uint64_t addr;           /* struct fsnotify_group */
	const char *kind;        /* "inotify", "fanotify", "dnotify", "audit_watch", ... */
	uint64_t queued, most;   /* events that nobody read yet, and how many there may be */
	uint64_t priority, file; /* file: struct file of the first user; 0: none */
	const struct fsnotify_user *users; /* none: it is the kernel's own */
	size_t n_users;
};

struct fsnotify_mark {
	uint64_t addr; /* struct fsnotify_mark */
	uint64_t group;
	const char *on;    /* in the kernel's words: "inode", "vfsmount", "sb", "detached" */
	uint64_t object;   /* that struct: inode, mount, super_block; 0: it is gone */
	uint64_t ino, dev; /* number of an inode, and its file system's device; else 0 */
	const char *path;  /* NULL: it has none, or it cannot be read */
	uint64_t mask, ignored, flags;
	int64_t wd; /* inotify's watch descriptor; -1: it is another kind's */
};

/* What fsnotify_each() calls; each returns false to stop. */
struct fsnotify_fns {
	bool (*group)(const struct fsnotify_group *g, void *arg);
	bool (*mark)(const struct fsnotify_group *g, const struct fsnotify_mark *m, void *arg);
	void (*flaw)(const struct err *e, void *arg);
	void *arg;
};
/* Calls group() for each group that a process has open, and for those of the kernel's own that a
 * symbol names, and mark() for each mark of it, in the order of /proc/PID/fdinfo. Strings live in
 * the arena. */
bool fsnotify_each(struct target *t, struct arena *a, const struct fsnotify_fns *fns,
		   struct err *err) MUST_CHECK;
/* The names of a mark's events, "MODIFY", and of what else is set: "ONESHOT", "EXCL_UNLINK".
 * Returns how many there are, at most FSNOTIFY_WORDS. */
#define FSNOTIFY_WORDS 40
size_t fsnotify_words(uint64_t mask, uint64_t flags, const char *ret[FSNOTIFY_WORDS]);

#endif
