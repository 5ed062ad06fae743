/* SPDX-License-Identifier: GPL-2.0-or-later OR GPL-3.0-or-later */
/* What the module's files share: who takes part in a jam, and the ways to wait. */
#ifndef JAM_H
#define JAM_H

#include <linux/kthread.h>
#include <linux/workqueue.h>
#include <linux/ww_mutex.h>

/* Arguments stay what the source says, and every call stays a call. */
#define JAM __attribute__((noipa))

/* A way to wait, and what the jam's lines call it. */
struct jam_way {
	const char *kind, *mode;
	void (*wait)(void *object);
	unsigned long (*address)(void *object); /* of what is said; NULL: of the object itself */
};

/* One that holds something, and then waits for something. */
struct jam_actor {
	const char *name;
	int round; /* in which it waits; those of a round do so in no order */
	const struct jam_way *has_way;
	void *has;
	const struct jam_way *way;
	void *wants;
	const char *role; /* what those in "by" have to do with it; testdata/guests/README.md lists
			     these words */
	const char *by;   /* their names, with spaces between */
	int cpu;          /* which one it is bound to, counted from 1; 0: to none */
	int queue;        /* which workqueue runs it, counted from 1; 0: it is a thread */
};

/* Who plays it. */
struct jam_cast {
	struct jam_actor actor;
	char name[16];
	struct task_struct *task;
	struct work_struct work;
	struct ww_acquire_ctx ctx;
	bool ready, said;
};

struct jam_cast *jam_cast_of(const char *name);
void jam_locks(void);

#endif
