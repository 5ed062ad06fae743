/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory by lifetime: an arena hands out memory that is freed all at once. */
#ifndef OBIT_ARENA_H
#define OBIT_ARENA_H

#include <stddef.h>

#include "core/base/err.h"

/*
 * The three lifetimes: the target's arena (until exit), the command's arena (reset after each
 * command line), and a walk's own. What you are handed lives until the current command ends; copy
 * to keep. Zero-initialise before first use: `struct arena a = { 0 };`
 */
struct arena_block;
struct arena {
	struct arena_block *head;
	size_t total; /* bytes obtained from the system */
};

/* Zeroed, aligned for any type. For sizes the program knows; exits with a message when out of
 * memory. */
void *arena_alloc(struct arena *a, size_t size);
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))
/* For sizes read from input: refuses n > max with ERR_LIMIT, and a failed allocation likewise. */
bool arena_bytes(struct arena *a, size_t n, size_t max, void **ret, struct err *err) MUST_CHECK;
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Forgets everything but keeps one block for reuse. */
void arena_reset(struct arena *a);
/* Frees everything; the arena is as new. */
void arena_release(struct arena *a);

/* malloc and friends that exit with a message when out of memory; for vec.h and map.c only. */
void *xrealloc(void *p, size_t n);

#endif
