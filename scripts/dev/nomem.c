/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded, it makes the NOMEM_AT-th allocation of NOMEM_FROM bytes or more fail, and all after.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static long seen;

static int refuse(size_t n)
{
	const char *at = getenv("NOMEM_AT"), *from = getenv("NOMEM_FROM");

	if (!at || !from || n < (size_t)strtoul(from, NULL, 10))
		return 0;
	if (__atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) < strtol(at, NULL, 10))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n)
{
	static void *(*real)(size_t);

	if (!real)
		real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	return refuse(n) ? NULL : real(n);
}

void *realloc(void *p, size_t n)
{
	static void *(*real)(void *, size_t);

	if (!real)
		real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	return refuse(n) ? NULL : real(p, n);
}
