/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory by lifetime: blocks that are only ever freed together. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/arena.h"

struct arena_block {
	struct arena_block *next;
	size_t size, used; /* of data[] */
	_Alignas(16) unsigned char data[];
};

#define BLOCK_SIZE ((size_t)64 << 10)
#define HUGE_PAGE ((size_t)2 << 20)
#define ALIGN_UP(n) (((n) + 15) & ~(size_t)15)

/* The program's own small needs cannot be refused; sizes from input go through arena_bytes(). */
static _Noreturn void out_of_memory(void)
{
	fputs("obit: out of memory\n", stderr);
	_Exit(1);
}

/* Large tables are filled at once: in huge pages, where the system has them for who asks, that
 * costs one fault where 512 would be. */
static void *huge(size_t n)
{
	void *p = aligned_alloc(HUGE_PAGE, (n + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));

	if (p)
		(void)madvise(p, n & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
	return p;
}

void *xrealloc(void *p, size_t n)
{
	p = !p && n >= HUGE_PAGE && n < SIZE_MAX / 2 ? huge(n) : realloc(p, n ? n : 1);
	if (!p)
		out_of_memory();
	return p;
}

/* Blocks of their own stand behind the current one, so that it can go on being filled. */
static struct arena_block *block_add(struct arena *a, size_t n)
{
	size_t size = n > BLOCK_SIZE / 4 ? n : BLOCK_SIZE;
	struct arena_block *b = malloc(sizeof(*b) + size);

	if (!b)
		return NULL;
	b->size = size;
	b->used = 0;
	a->total += sizeof(*b) + size;
	if (a->head && size == n) {
		b->next = a->head->next;
		a->head->next = b;
	} else {
		b->next = a->head;
		a->head = b;
	}
	return b;
}

/* Unzeroed; NULL when out of memory or when n is close to the address space's end. */
static void *take(struct arena *a, size_t n)
{
	struct arena_block *b = a->head;
	void *p;

	if (n > SIZE_MAX / 2)
		return NULL;
	n = ALIGN_UP(n ? n : 1);
	if (!b || b->size - b->used < n)
		b = block_add(a, n);
	if (!b)
		return NULL;
	p = b->data + b->used;
	b->used += n;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p = take(a, size);

	if (!p)
		out_of_memory();
	return memset(p, 0, size);
}

bool arena_bytes(struct arena *a, size_t n, size_t max, void **ret, struct err *err)
{
	void *p;

	if (n > max)
		return err_set(err, ERR_LIMIT, "%zu bytes wanted, the limit is %zu", n, max);
	p = take(a, n);
	if (!p)
		return err_set(err, ERR_LIMIT, "no memory for %zu bytes", n);
	*ret = memset(p, 0, n);
	return true;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *p;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = arena_alloc(a, (n > 0 ? (size_t)n : 0) + 1);
	if (n > 0)
		vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	return p;
}

void arena_reset(struct arena *a)
{
	struct arena_block *keep = NULL, *next;

	for (struct arena_block *b = a->head; b; b = next) {
		next = b->next;
		if (!keep && b->size == BLOCK_SIZE)
			keep = b;
		else
			free(b);
	}
	if (keep) {
		keep->next = NULL;
		keep->used = 0;
	}
	a->head = keep;
	a->total = keep ? sizeof(*keep) + keep->size : 0;
}

void arena_release(struct arena *a)
{
	struct arena_block *next;

	for (struct arena_block *b = a->head; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){ 0 };
}
