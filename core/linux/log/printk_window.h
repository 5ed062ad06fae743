/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window on a large array in the dead kernel's memory, read in chunks, for walks that go on past
 * absent pages. */
#ifndef OBIT_PRINTK_WINDOW_H
#define OBIT_PRINTK_WINDOW_H

#include "core/image/target.h"

#define WINDOW_PAGE 4096u
#define WINDOW_PAGES 8u

/* One chunk of the array at a time, however large the array says it is. */
struct printk_window {
	struct target *t;
	const char *what; /* for messages: "log descriptors" */
	uint64_t va, n;   /* the array */
	bool loaded;
	uint64_t base;                  /* address of the chunk, a multiple of the chunk's size */
	uint32_t good[WINDOW_PAGES][2]; /* readable bytes of each page: [from, to) */
	struct err errs[WINDOW_PAGES];  /* why the rest of the page is not readable */
	uint8_t bytes[WINDOW_PAGES * WINDOW_PAGE];
};

/* ERR_CORRUPT when the array cannot lie there. */
bool window_init(struct printk_window *w, struct target *t, const char *what, uint64_t va,
		 uint64_t n, struct err *err) MUST_CHECK;
/* As much as can be read from off on, at most n; *err says why it ended when fewer. */
size_t window_read_some(struct printk_window *w, uint64_t off, void *buf, size_t n,
			struct err *err);
bool window_read(struct printk_window *w, uint64_t off, void *buf, size_t n,
		 struct err *err) MUST_CHECK;

#endif
