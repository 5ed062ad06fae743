/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks one page of a kdump, in whichever of the four ways it was packed. */
#ifndef OBIT_INFLATE_H
#define OBIT_INFLATE_H

#include "core/base/bytes.h"

/* Flags of a page descriptor (makedumpfile diskdump_mod.h: DUMP_DH_COMPRESSED_*). */
enum {
	PAGE_ZLIB = 1,
	PAGE_LZO = 2,
	PAGE_SNAPPY = 4,
	PAGE_ZSTD = 0x20
};

/* What unpacking keeps from page to page. Zero-initialised before its first use. */
struct inflater {
	void *zstd;
	void *deflate;
};

/* Unpacks a page into out, which has room for n bytes. ERR_CORRUPT: exactly n bytes do not come
 * out. No more than n are written, whatever the input says. */
bool page_inflate(struct inflater *in, unsigned flags, struct span packed, void *out, size_t n,
		  struct err *err) MUST_CHECK;
/* What packs pages with these flags: "zlib", "lzo", "snappy", "zstd"; NULL: nothing that is known.
 */
const char *inflate_name(unsigned flags);
void inflater_release(struct inflater *in);

#endif
