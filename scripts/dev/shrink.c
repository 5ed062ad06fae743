/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded, it cuts the file SHRINK_FILE to SHRINK_TO bytes at the SHRINK_AT-th allocation. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static long seen;

static void count(void)
{
	const char *at = getenv("SHRINK_AT"), *file = getenv("SHRINK_FILE"),
		   *to = getenv("SHRINK_TO");
	int saved = errno;

	if (at && file && to &&
	    __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) == strtol(at, NULL, 10) &&
	    truncate(file, strtol(to, NULL, 10)))
		_exit(126);
	errno = saved;
}

void *malloc(size_t n)
{
	static void *(*real)(size_t);

	if (!real)
		real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	count();
	return real(n);
}

void *realloc(void *p, size_t n)
{
	static void *(*real)(void *, size_t);

	if (!real)
		real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	count();
	return real(p, n);
}
