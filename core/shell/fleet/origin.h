/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a crash is from: what makes it the same one when it is met again, and when it was written.
 */
#ifndef OBIT_ORIGIN_H
#define OBIT_ORIGIN_H

#include "core/image/target.h"

struct crash_origin {
	char identity[40]; /* "": there is none */
	bool has_written;
	int64_t written_ns; /* when its files were written last, since 1970 */
};

/* Finds it, of the input whose name is path, or of all inputs in the folder path. */
void origin_find(struct target *t, const char *path, struct crash_origin *ret);

/* Goes on with the hash h over the n bytes at p: of all bytes where they are few, else of the first
 * and the last, and of pages between them that are chosen by n alone. */
uint64_t origin_hash(uint64_t h, const uint8_t *p, size_t n);
#define ORIGIN_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

#endif
