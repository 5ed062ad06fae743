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

/* Returns size bytes, zeroed and aligned for any type; never NULL. For sizes that the program
 * itself knows: when there is no memory left, the program ends with a message. */
void *arena_alloc(struct arena *a, size_t size);
#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (n)))
/* The same for a size that was read from input: ERR_LIMIT when n is above max, or when there is no
 * memory left. */
bool arena_bytes(struct arena *a, size_t n, size_t max, void **ret, struct err *err) MUST_CHECK;
/* Copies of s, of its first n bytes at most, and what printf() would make; each in the arena, each
 * ended by a NUL. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Everything that the arena handed out is gone; one block of memory is kept for reuse. */
void arena_reset(struct arena *a);
/* The same, and all memory is freed; the arena may be used again like a new one. */
void arena_release(struct arena *a);

/* realloc() that ends the program with a message when there is no memory left. What it returns is
 * freed by free(). */
void *xrealloc(void *p, size_t n);

#endif
