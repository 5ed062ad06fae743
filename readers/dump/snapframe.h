/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams in snappy's framing format: which chunks there are, and what one unpacks to. */
#ifndef OBIT_SNAPFRAME_H
#define OBIT_SNAPFRAME_H

#include "core/base/bytes.h"

#define SNAP_CHUNK_MAX 65536u /* bytes that a chunk unpacks to at most */

struct snap_chunk {
	uint64_t off;    /* of its head */
	uint64_t end;    /* behind its last byte: there the next one begins */
	size_t unpacked; /* bytes that it unpacks to; 0: it holds no data */
};

/* Sets *ret to the chunk whose head begins at off. ERR_TRUNCATED: s ends within it. ERR_CORRUPT: it
 * is none, or of a kind that a reader may not pass over. */
bool snap_chunk_at(struct span s, uint64_t off, struct snap_chunk *ret, struct err *err) MUST_CHECK;
/* Unpacks the chunk at off, which has to hold n bytes. ERR_TRUNCATED, or ERR_CORRUPT, as when its
 * checksum is another one. */
bool snap_unpack(struct span s, uint64_t off, void *out, size_t n, struct err *err) MUST_CHECK;

#endif
