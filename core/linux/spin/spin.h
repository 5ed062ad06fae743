/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spinlocks and rwlocks: what their words say, and the CPUs that are queued before them. */
#ifndef OBIT_SPIN_H
#define OBIT_SPIN_H

#include "core/image/target.h"

#define SPIN_NONE SIZE_MAX

/* A CPU's place in the queue before a spinlock: one of its struct qnode. */
struct mcs_node {
	unsigned cpu, idx;
	uint64_t next;
	size_t end;  /* number of the last node of its queue */
	size_t back; /* number of the node in front of it; SPIN_NONE: it is the head */
};
/* All of them that are in use. */
struct mcs_queues {
	bool made;
	VEC(struct mcs_node) nodes;
	struct map at;    /* address of a node -> its number + 1 */
	struct map depth; /* a CPU -> how many of its nodes are in use */
};

/* ---- spin_queue.c */
/* Is the innermost node that a CPU has in use in the queue whose last node a spinlock's word
 * names? Sets *place to its number there, from 1 on. */
bool mcs_waits(struct target *t, struct mcs_queues *q, uint32_t word, unsigned cpu,
	       unsigned *place);
/* How many nodes of a CPU are in use. */
unsigned mcs_depth(struct target *t, struct mcs_queues *q, unsigned cpu);
/* The word of a spinlock, in words: "locked; CPU 2 is next; CPUs 3 1 are queued". */
const char *mcs_words(struct target *t, struct mcs_queues *q, uint32_t word);
/* Could this be the word of a spinlock? */
bool mcs_is_word(struct target *t, uint32_t word);
void mcs_release(struct mcs_queues *q);

/* ---- spin_words.c */
/* The state of a spinlock and of an rwlock, in words. */
const char *wait_spinlock_words(struct target *t, struct mcs_queues *q, uint64_t addr);
const char *wait_rwlock_words(struct target *t, struct mcs_queues *q, uint64_t addr);

#endif
