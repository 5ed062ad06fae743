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
	unsigned hctx;        /* number of its hardware queue; the first of those that share them */
	const char *of;       /* "driver", "reserved" ones of the driver, "scheduler" */
	uint64_t tags, queue; /* struct blk_mq_tags, struct sbitmap_queue */
	/* where its arrays of pointers to requests have the queue's number 0; several sets of one
	 * bitmap have an array each */
	const uint64_t *rqs;
	size_t n_rqs;
	uint64_t first; /* the tag of number 0: the reserved ones stand before it */
};
/* Calls fn for each bitmap of tags of the hardware queues of the disk of this name until it returns
 * false. One that several queues share comes once. ERR_NOTFOUND: there is no such disk. */
bool io_tags_each(const struct io_call *c, const char *disk,
		  bool (*fn)(const struct io_tags *tags, void *arg), void *arg,
		  struct err *err) MUST_CHECK;
/* Sets *ret to the struct request that a number that is taken stands for; 0: there is none. */
bool io_tags_request(struct target *t, const struct io_tags *tags, uint64_t n, uint64_t *ret,
		     struct err *err) MUST_CHECK;

#endif
