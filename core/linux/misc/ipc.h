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
	int creator, last; /* the pids that made it, and that used it last; 0: none, or not known */
	uint64_t bytes;    /* of memory its size; of a queue what is in it */
	uint64_t count;    /* of memory who has it attached; of the others semaphores, messages */
};
/* Calls fn for each object of a kind in a task's namespace, or in the initial one when task is 0,
 * in the order of /proc/sysvipc, until fn returns false. flaw(), which may be NULL, is told what
 * cannot be read. */
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
	bool leaving;        /* swapoff is under way: nothing is written there any more */
	uint64_t size, used; /* bytes */
	int priority;
};
/* Calls fn for each swap area in the order of /proc/swaps, until fn returns false. Strings live in
 * the arena. */
bool swap_areas(struct target *t, struct arena *a, bool (*fn)(const struct swap_area *s, void *arg),
		void (*flaw)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
