/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks one page of a kdump, whichever of its four ways it was packed. */
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

/* Zero-initialise before first use. */
struct inflater {
	void *zstd;
	void *deflate;
};

/* Exactly n bytes into out, or ERR_CORRUPT; never more, whatever the input says. */
bool page_inflate(struct inflater *in, unsigned flags, struct span packed, void *out, size_t n,
		  struct err *err) MUST_CHECK;
/* "zlib", "lzo", "snappy", "zstd", or NULL. */
const char *inflate_name(unsigned flags);
void inflater_release(struct inflater *in);

#endif
