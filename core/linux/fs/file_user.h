/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who uses a file, or anything on a file system. */
#ifndef OBIT_LINUX_FILE_USER_H
#define OBIT_LINUX_FILE_USER_H

#include "core/linux/fs/vfs.h"
#include "core/linux/task/task.h"

/* What is sought; what is 0 or NULL does not count, and the first of the others that fits does. */
struct file_sought {
	uint64_t inode; /* struct inode */
	uint64_t sb;    /* struct super_block: any file on it */
	const char
		*path; /* as /proc/PID/fd and maps have it; of directories without an inode alone */
};

#define FILE_USER_FDS 16
struct file_user {
	bool root, cwd, mapped;
	size_t n_fds;                /* how many of its numbers lead there */
	unsigned fds[FILE_USER_FDS]; /* the lowest of them */
};
/* Sets *ret to how a task uses it; nothing is set when it does not. flaw() is told what of the task
 * cannot be read. False: Ctrl-C. */
bool file_user_find(struct target *t, const struct task *task, const struct file_sought *sought,
		    struct file_user *ret, void (*flaw)(const struct err *e, void *arg), void *arg,
		    struct err *err) MUST_CHECK;
/* Has the task the same files, directories and memory as the leader of its process, as threads
 * have? */
bool file_user_shares(struct target *t, const struct task *task);

/* ---- open_file.c */
/* A struct file that processes have open, or mapped into their memory. */
struct open_file {
	struct vfs_open open; /* fd: the first user's number; nothing when it is only mapped */
	int pid;              /* the first process that has it */
	size_t users;         /* how many do */
	bool mapped;          /* mapped by one of them at least */
};
/* Calls fn for each such file of any process, in the order of processes, until fn returns false.
 * What the kernel itself has open is not among them. */
bool open_files_each(struct target *t, struct arena *a,
		     bool (*fn)(const struct open_file *f, void *arg),
		     void (*flaw)(const struct err *e, void *arg), void *arg,
		     struct err *err) MUST_CHECK;

#endif
