/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System V IPC: shared memory, semaphores, message queues. And swap areas. */
#ifndef OBIT_LINUX_IPC_H
#define OBIT_LINUX_IPC_H

#include "core/image/target.h"

enum ipc_kind {
	IPC_SEMAPHORES, /* in the order of struct ipc_namespace's ids[] */
	IPC_MESSAGES,
	IPC_MEMORY,
	IPC_KINDS
};
struct ipc_object {
	enum ipc_kind kind;
	uint64_t addr; /* struct sem_array, msg_queue, or shmid_kernel */
	int id, key;
	uint64_t uid, gid, mode;
	int creator, last; /* pids of who made, and who last attached or sent; 0: nobody, unknown */
	uint64_t bytes;    /* of a segment; in a queue */
	uint64_t count;    /* attached; semaphores; messages */
};
/* What a task's namespace has, in the order of /proc/sysvipc. task 0: the initial namespace. What
 * cannot be read is told to flaw (may be NULL). */
bool ipc_each(struct target *t, uint64_t task, enum ipc_kind kind,
	      bool (*fn)(const struct ipc_object *o, void *arg),
	      void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- swap.c */
struct swap_area {
	uint64_t addr; /* struct swap_info_struct */
	unsigned type; /* its number, which page table entries name it by */
	uint64_t file; /* struct file */
	const char *path;
	bool partition;
	uint64_t size, used; /* bytes */
	int priority;
};
/* As /proc/swaps lists them. Strings live in the arena. */
bool swap_areas(struct target *t, struct arena *a, bool (*fn)(const struct swap_area *s, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
