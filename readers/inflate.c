/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks one page of a kdump, whichever of its four ways it was packed. */
#include <libdeflate.h>
#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <zstd.h>

#include "core/base/arena.h"
#include "readers/inflate.h"

/* A page has its whole size or is damaged; libdeflate takes half of zlib's time for it. */
static bool unzlib(struct inflater *in, struct span packed, void *out, size_t n)
{
	if (!in->deflate)
		in->deflate = libdeflate_alloc_decompressor();
	return in->deflate && libdeflate_zlib_decompress(in->deflate, packed.p, packed.n, out, n,
							 NULL) == LIBDEFLATE_SUCCESS;
}

static bool unlzo(struct span packed, void *out, size_t n)
{
	lzo_uint got = n;

	return lzo1x_decompress_safe(packed.p, packed.n, out, &got, NULL) == LZO_E_OK && got == n;
}

static bool unsnappy(struct span packed, void *out, size_t n)
{
	const char *p = (const char *)packed.p;
	size_t got = n;

	return snappy_uncompressed_length(p, packed.n, &got) == SNAPPY_OK && got == n &&
	       snappy_uncompress(p, packed.n, out, &got) == SNAPPY_OK && got == n;
}

static bool unzstd(struct inflater *in, struct span packed, void *out, size_t n)
{
	if (!in->zstd)
		in->zstd = ZSTD_createDCtx();
	return in->zstd && ZSTD_decompressDCtx(in->zstd, out, n, packed.p, packed.n) == n;
}

bool page_inflate(struct inflater *in, unsigned flags, struct span packed, void *out, size_t n,
		  struct err *err)
{
	const char *name = inflate_name(flags);
	bool ok = false;

	if (flags & PAGE_ZLIB)
		ok = unzlib(in, packed, out, n);
	else if (flags & PAGE_LZO)
		ok = unlzo(packed, out, n);
	else if (flags & PAGE_SNAPPY)
		ok = unsnappy(packed, out, n);
	else if (flags & PAGE_ZSTD)
		ok = unzstd(in, packed, out, n);
	if (ok)
		return true;
	if (!name)
		return err_set(err, ERR_CORRUPT, "packed in an unknown way (0x%x)", flags);
	return err_set(err, ERR_CORRUPT, "its %s data is damaged", name);
}

const char *inflate_name(unsigned flags)
{
	return flags & PAGE_ZLIB     ? "zlib"
	       : flags & PAGE_LZO    ? "lzo"
	       : flags & PAGE_SNAPPY ? "snappy"
	       : flags & PAGE_ZSTD   ? "zstd"
				     : NULL;
}

void inflater_release(struct inflater *in)
{
	if (in->deflate)
		libdeflate_free_decompressor(in->deflate);
	ZSTD_freeDCtx(in->zstd);
	*in = (struct inflater){ 0 };
}
