/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that are handed out of a struct sbitmap_queue, and who waits for one: tags of disks and
 * of iSCSI sessions. */
#ifndef OBIT_LINUX_SBITMAP_QUEUE_H
#define OBIT_LINUX_SBITMAP_QUEUE_H

#include "core/linux/container/walk.h"
#include "core/linux/io/io.h"

#define SBITMAP_WAITS 8u /* wait queues that it has, SBQ_WAIT_QUEUES of include/linux/sbitmap.h */

struct sbitmap_queue {
	uint64_t addr;
	uint64_t sb;            /* struct sbitmap */
	uint64_t depth;         /* how many numbers there are */
	uint64_t busy, cleared; /* of them: taken, and given back but not cleared yet */
	uint64_t bits_per_word, words;
	uint64_t *hints; /* where each CPU begins to look, in the order of the possible CPUs */
	size_t n_hints;
	uint64_t wake_batch, min_shallow_depth;
	int64_t wake_index, ws_active;
	bool round_robin;
	struct {
		bool known;       /* false: it cannot be read */
		bool active;      /* somebody waits in it */
		bool counted;     /* false: this kernel has no such count, or it cannot be read */
		int64_t wait_cnt; /* how many numbers are to come back before it is woken */
	} ws[SBITMAP_WAITS];
	struct sbitmap_word *map; /* words of them, without those that cannot be read */
	size_t n_map;
};
/* In the arena. flaw() is told what of it cannot be read. */
bool sbitmap_queue_read(struct target *t, uint64_t addr, struct arena *a, struct sbitmap_queue *ret,
			void (*flaw)(const struct err *e, void *arg), void *arg,
			struct err *err) MUST_CHECK;

/* ---- tags.c */
struct io_tags {
	const char *disk;     /* "vda" */
	unsigned hctx;        /* number of its hardware queue */
	const char *of;       /* "driver", "reserved" ones of the driver, "scheduler" */
	uint64_t tags, queue; /* struct blk_mq_tags, struct sbitmap_queue */
	uint64_t rqs; /* of its array of pointers to requests: the one of the queue's number 0 */
};
/* Calls fn for the tags of each hardware queue of the disk of this name until it returns false.
 * Such that several queues share come once. ERR_NOTFOUND: there is no such disk. */
bool io_tags_each(const struct io_call *c, const char *disk,
		  bool (*fn)(const struct io_tags *tags, void *arg), void *arg,
		  struct err *err) MUST_CHECK;

#endif
