/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files that may be packed, as kernel modules are: gzip, xz, zstd, or as they are. */
#ifndef OBIT_UNPACK_H
#define OBIT_UNPACK_H

#include "core/base/file.h"

/* Writable bytes, private to this process: nothing that is changed reaches the file. */
struct unpacked {
	uint8_t *p;
	size_t n;
};

/* "gzip", "xz", "zstd" by the first bytes; NULL: not packed. */
const char *unpack_name(struct span s);
/* At most `max` bytes come out: ERR_LIMIT. ERR_CORRUPT: damaged or cut short. A file that is not
 * packed is mapped. */
bool unpack_file(const struct file *file, size_t max, struct unpacked *ret,
		 struct err *err) MUST_CHECK;
/* The same for bytes, which are copied when they are not packed. */
bool unpack_bytes(struct span s, size_t max, struct unpacked *ret, struct err *err) MUST_CHECK;
/* Into a file, piece by piece: memory stays small however much it is. At most `max` bytes, or a
 * little more when ERR_LIMIT stops it. */
bool unpack_to(struct span s, int fd, size_t max, struct err *err) MUST_CHECK;
/* The first n bytes at most, of what is damaged those before that; how many there are. */
size_t unpack_head(struct span s, void *out, size_t n);
void unpack_release(struct unpacked *u);

#endif
