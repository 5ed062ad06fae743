/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks records of pstore, by trial: which codec packed them is written nowhere. */
#ifndef OBIT_PSTORE_CODEC_H
#define OBIT_PSTORE_CODEC_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

/* The most text that one record may unpack to, so that a small record cannot fill the memory. */
#define PSTORE_TEXT_MAX ((size_t)8 << 20)

/* "Panic#1 Part1\n", the first line of every dmesg record (fs/pstore/platform.c, pstore_dump()). */
struct pstore_head {
	const char *reason;
	unsigned count, part;
	size_t n; /* bytes of the line */
};
bool pstore_head_parse(struct span text, struct pstore_head *ret);

struct pstore_unpacked {
	const char
		*codec;   /* "zlib", "deflate", "zstd", "lzo", "lz4"; "842" or "unknown": no text */
	struct span text; /* with its first line */
	bool whole;       /* the stream was unpacked to its end */
	bool limit;       /* it was not: there are more than max bytes */
};
/* Unpacks a record by each codec until one makes text of it, at most max bytes; the text lives in
 * the arena. False: none does, and ret->codec says what is known. */
bool pstore_unpack(struct span packed, size_t max, struct arena *a, struct pstore_unpacked *ret);

#endif
