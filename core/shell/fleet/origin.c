/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a crash is from: its identity, and when it was written. */
#include "core/shell/fleet/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define WHOLE ((size_t)1 << 20) /* so many bytes are read at most */
#define END ((size_t)64 << 10)
#define PAGE ((size_t)4 << 10)

/* FNV-1a: short, public domain, and the same everywhere. */
static uint64_t hash(uint64_t h, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

uint64_t origin_hash(uint64_t h, const uint8_t *p, size_t n)
{
	const size_t pages = (WHOLE - 2 * END) / PAGE;

	if (n <= WHOLE)
		return hash(h, p, n);
	h = hash(h, p, END);
	for (size_t i = 0; i < pages; i++)
		h = hash(h, p + END + (n - 2 * END - PAGE) / pages * i, PAGE);
	return hash(h, p + n - END, END);
}

/* Is the file the one at path, or in the folder path? */
static bool is_of(const char *file, const char *path)
{
	size_t n = strlen(path);

	return !strncmp(file, path, n) && (!file[n] || file[n] == '/');
}

void origin_find(struct target *t, const char *path, struct crash_origin *ret)
{
	uint64_t h = ORIGIN_HASH_BEGIN, size = 0;

	*ret = (struct crash_origin){ 0 };
	for (size_t i = 0; i < t->inputs.n; i++) {
		const struct file *f = t->inputs.p[i].file;
		struct stat st;
		int64_t ns;

		if (!is_of(f->path, path))
			continue;
		h = origin_hash(h, f->map.p, f->map.n);
		size += f->map.n;
		if (stat(f->path, &st) ||
		    __builtin_mul_overflow(st.st_mtim.tv_sec, 1000000000, &ns) ||
		    __builtin_add_overflow(ns, st.st_mtim.tv_nsec, &ns))
			continue;
		if (!ret->has_written || ns > ret->written_ns)
			ret->written_ns = ns;
		ret->has_written = true;
	}
	if (size)
		snprintf(ret->identity, sizeof(ret->identity), "%016" PRIx64 "-%" PRIx64, h, size);
}
