/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole files that may be packed, as kernel modules are: gzip, xz, zstd, or as they are. */
#ifndef OBIT_UNPACK_H
#define OBIT_UNPACK_H

#include "core/base/file.h"

/* Bytes that may be changed: what is changed does not reach the file. */
struct unpacked {
	uint8_t *p;
	size_t n;
};

/* What packed a file that begins with s: "gzip", "xz", "zstd"; NULL: nothing did. */
const char *unpack_name(struct span s);
/* Unpacks a whole file; one that is not packed is mapped. ERR_LIMIT: more than max bytes come out.
 * ERR_CORRUPT: it is damaged or cut. */
bool unpack_file(const struct file *file, size_t max, struct unpacked *ret,
		 struct err *err) MUST_CHECK;
/* The same for bytes in memory; those that are not packed are copied. */
bool unpack_bytes(struct span s, size_t max, struct unpacked *ret, struct err *err) MUST_CHECK;
/* Unpacks s into the file fd, piece by piece, so that it takes little memory. tell(), which may be
 * NULL, is told how many bytes came out so far. ERR_LIMIT: more than max bytes come out; then the
 * file has a little more than max. ERR_CORRUPT: s is damaged or cut; the file has what came out
 * before that. */
bool unpack_to(struct span s, int fd, size_t max, void (*tell)(void *arg, uint64_t n), void *arg,
	       struct err *err) MUST_CHECK;
/* Unpacks s piece by piece and calls fn with each, which lasts as long as the call. ERR_LIMIT: more
 * than max bytes come out. ERR_CORRUPT: s is damaged or cut; fn was called with what came out
 * before that. */
bool unpack_pieces(struct span s, size_t max, void (*fn)(struct span piece, void *arg), void *arg,
		   struct err *err) MUST_CHECK;
/* Unpacks the first n bytes of s into out, and returns how many there are: fewer when s is shorter
 * or damaged. */
size_t unpack_head(struct span s, void *out, size_t n);
void unpack_release(struct unpacked *u);
/* A file of no name, for what is unpacked: on disk, where memory is given back at need. Returns its
 * descriptor, and in *room how many bytes it may take. -1: *err says why. */
int unpack_nameless(size_t *room, struct err *err);

#endif
