/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window on a large array in the dead kernel's memory, read in chunks, for walks that go on past
 * absent pages. */
#ifndef OBIT_PRINTK_WINDOW_H
#define OBIT_PRINTK_WINDOW_H

#include "core/image/target.h"

#define WINDOW_PAGE 4096u
#define WINDOW_PAGES 8u

/* Reads a large array of the log piece by piece: only one piece of it is in memory at a time. */
struct printk_window {
	struct target *t;
	const char *what; /* for messages: "log descriptors" */
	uint64_t va, n;   /* the array */
	bool loaded;
	uint64_t base; /* address of the chunk, a multiple of the chunk's size */
	/* which bytes of each page can be read: from good[i][0] on, before good[i][1] */
	uint32_t good[WINDOW_PAGES][2];
	struct err errs[WINDOW_PAGES]; /* why the others of the page cannot */
	uint8_t bytes[WINDOW_PAGES * WINDOW_PAGE];
};

/* Begins to read the n bytes at va, which `what` names in messages. ERR_CORRUPT: no array of n
 * bytes can lie at va. */
bool window_init(struct printk_window *w, struct target *t, const char *what, uint64_t va,
		 uint64_t n, struct err *err) MUST_CHECK;
/* Reads as many bytes of the array as can be read from offset off on, at most n, and returns how
 * many. When they are fewer, *err says why. */
size_t window_read_some(struct printk_window *w, uint64_t off, void *buf, size_t n,
			struct err *err);
bool window_read(struct printk_window *w, uint64_t off, void *buf, size_t n,
		 struct err *err) MUST_CHECK;

#endif
