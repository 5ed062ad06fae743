/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks records of pstore, by trial; what is cut or damaged gives its text up to there. */
#include <limits.h>
#include <lz4.h>
#include <lzo/lzo1x.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/number.h"
#include "readers/pstore/pstore_codec.h"

/* First try of an output's size; it grows while text comes. */
#define TEXT_FIRST ((size_t)256 << 10)
/* Enough output to see the first line. */
#define HEAD_MAX 64u

/* Of kernels since 5.8 (kmsg_dump_reason_str), and of those before. */
static const char *const reasons[] = { "Panic",   "Oops", "Emergency", "Shutdown",
				       "Restart", "Halt", "Poweroff",  "Unknown" };

static bool pstore_codec_number(struct span s, size_t *at, unsigned *ret)
{
	const char *p = (const char *)s.p + *at;
	uint64_t n;

	if (*at >= s.n || !number_take(&p, (const char *)s.p + s.n, 10, &n) || n > UINT_MAX)
		return false;
	*at = (size_t)(p - (const char *)s.p);
	*ret = (unsigned)n;
	return true;
}

bool pstore_head_parse(struct span text, struct pstore_head *ret)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		size_t n = strlen(reasons[i]);

		if (text.n < n + 9 || memcmp(text.p, reasons[i], n) != 0 || text.p[n] != '#')
			continue;
		n++;
		if (!pstore_codec_number(text, &n, &ret->count) || text.n - n < 7 ||
		    memcmp(text.p + n, " Part", 5) != 0)
			return false;
		n += 5;
		if (!pstore_codec_number(text, &n, &ret->part) || n >= text.n || text.p[n] != '\n')
			return false;
		ret->reason = reasons[i];
		ret->n = n + 1;
		return true;
	}
	return false;
}

/* Where a codec puts its text; grows up to max. */
struct out {
	uint8_t *p;
	size_t n, cap, max;
	bool limit;
};

static bool out_grow(struct out *o)
{
	size_t cap = o->cap ? o->cap * 2 : TEXT_FIRST;

	if (o->cap >= o->max) {
		o->limit = true;
		return false;
	}
	o->cap = cap < o->max ? cap : o->max;
	o->p = xrealloc(o->p, o->cap);
	return true;
}

static bool head_fits(const struct out *o)
{
	struct pstore_head head;

	return pstore_head_parse(SPAN(o->p, o->n), &head);
}

/* False: not of this codec. *whole: the stream came to its end. */
typedef bool (*unpack_fn)(struct span in, struct out *o, bool *whole);

static bool inflate_any(struct span in, int bits, struct out *o, bool *whole)
{
	z_stream z = { .next_in = (Bytef *)in.p, .avail_in = (uInt)in.n };
	int status = Z_OK;
	bool ok = true;

	if (in.n > UINT32_MAX || inflateInit2(&z, bits) != Z_OK)
		return false;
	while (status == Z_OK) {
		if (o->n == o->cap && !out_grow(o))
			break;
		z.next_out = o->p + o->n;
		/* the first line first: most trials end there */
		z.avail_out = (uInt)(o->n < HEAD_MAX ? HEAD_MAX - o->n : o->cap - o->n);
		status = inflate(&z, Z_SYNC_FLUSH);
		if (z.next_out == o->p + o->n && status == Z_OK && z.avail_in == 0)
			status = Z_BUF_ERROR;
		o->n = (size_t)(z.next_out - o->p);
		if (o->n <= HEAD_MAX && !head_fits(o)) {
			ok = false;
			break;
		}
	}
	inflateEnd(&z);
	*whole = status == Z_STREAM_END;
	return ok && head_fits(o);
}

/* 3.12 to 4.16: with zlib's header. */
static bool unpack_zlib(struct span in, struct out *o, bool *whole)
{
	if (in.n < 2 || (in.p[0] & 0xf) != 8 || (in.p[0] << 8 | in.p[1]) % 31 != 0)
		return false;
	return inflate_any(in, 15, o, whole);
}

/* Since 4.17, raw; a window of 32K reads what was written with a smaller one. */
static bool unpack_deflate(struct span in, struct out *o, bool *whole)
{
	return inflate_any(in, -15, o, whole);
}

static bool unpack_zstd(struct span in, struct out *o, bool *whole)
{
	ZSTD_inBuffer src = { in.p, in.n, 0 };
	ZSTD_DStream *z;
	size_t left = 1;

	if (in.n < 4 || load_le32(in.p) != 0xfd2fb528u)
		return false;
	z = ZSTD_createDStream();
	if (!z)
		return false;
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, 23);
	while (left && (o->n < o->cap || out_grow(o))) {
		ZSTD_outBuffer dst = { o->p, o->cap, o->n };
		size_t before = src.pos;

		left = ZSTD_decompressStream(z, &dst, &src);
		if (ZSTD_isError(left))
			break;
		if (dst.pos == o->n && src.pos == before)
			break;
		o->n = dst.pos;
	}
	*whole = left == 0;
	ZSTD_freeDStream(z);
	return head_fits(o);
}

/* lzo1x sets the output's length however it ends, so a cut stream gives what it held. */
static bool unpack_lzo(struct span in, struct out *o, bool *whole)
{
	int status;
	lzo_uint n;

	if (in.n < 3)
		return false;
	do {
		if (!out_grow(o))
			break;
		n = o->cap;
		status = lzo1x_decompress_safe(in.p, in.n, o->p, &n, NULL);
		o->n = n < o->cap ? n : o->cap;
		/* what is not lzo at all fails, or is text of another kind, at once */
		if (!head_fits(o))
			return false;
		*whole = status == LZO_E_OK || status == LZO_E_INPUT_NOT_CONSUMED;
	} while (status == LZO_E_OUTPUT_OVERRUN);
	return o->n && head_fits(o);
}

static int lz4_upto(struct span in, struct out *o, size_t n)
{
	while (o->cap < n)
		if (!out_grow(o))
			return -1;
	return LZ4_decompress_safe_partial((const char *)in.p, (char *)o->p, (int)in.n, (int)n,
					   (int)n);
}

/* A block has no mark. Of a cut one the most is sought that can be had of it. */
static bool unpack_lz4(struct span in, struct out *o, bool *whole)
{
	size_t lo = HEAD_MAX, hi, max = in.n * 255 < o->max ? in.n * 255 : o->max;
	int n;

	if (in.n < 12 || in.n > INT32_MAX / 256 || lz4_upto(in, o, HEAD_MAX) < (int)HEAD_MAX)
		return false;
	o->n = HEAD_MAX;
	if (!head_fits(o))
		return false;
	for (hi = TEXT_FIRST; hi < max; hi *= 2) {
		if (lz4_upto(in, o, hi) < (int)hi)
			break;
		lo = hi;
	}
	if (hi > max)
		hi = max;
	while (o->cap < hi)
		if (!out_grow(o))
			break;
	n = LZ4_decompress_safe((const char *)in.p, (char *)o->p, (int)in.n, (int)o->cap);
	*whole = n >= 0;
	if (n < 0) {
		while (lo < hi) { /* lo can be had */
			size_t mid = lo + (hi - lo + 1) / 2;

			n = lz4_upto(in, o, mid);
			if (n == (int)mid)
				lo = mid;
			else
				hi = mid - 1;
		}
		n = lz4_upto(in, o, lo);
	}
	o->n = n > 0 ? (size_t)n : 0;
	o->limit = o->n == o->max;
	return head_fits(o);
}

/* 842 begins with eight bytes as they are, behind five zero bits (lib/842/842.h). */
static bool looks_842(struct span in)
{
	uint8_t head[8];

	if (in.n < 16 || in.p[0] >> 3)
		return false;
	for (size_t i = 0; i < sizeof(head); i++)
		head[i] = (uint8_t)(in.p[i] << 5 | in.p[i + 1] >> 3);
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		size_t n = strlen(reasons[i]);

		if (memcmp(head, reasons[i], n < sizeof(head) ? n : sizeof(head)) == 0)
			return true;
	}
	return false;
}

bool pstore_unpack(struct span packed, size_t max, struct arena *a, struct pstore_unpacked *ret)
{
	static const struct {
		const char *name;
		unpack_fn fn;
	} codecs[] = {
		{ "zlib", unpack_zlib }, { "zstd", unpack_zstd }, { "deflate", unpack_deflate },
		{ "lzo", unpack_lzo },   { "lz4", unpack_lz4 },
	};
	struct out o = { .max = max < PSTORE_TEXT_MAX ? max : PSTORE_TEXT_MAX };
	bool found = false;

	*ret = (struct pstore_unpacked){ .codec = looks_842(packed) ? "842" : "unknown" };
	for (size_t i = 0; !found && i < sizeof(codecs) / sizeof(codecs[0]); i++) {
		o.n = 0;
		o.limit = false;
		if (!codecs[i].fn(packed, &o, &ret->whole))
			continue;
		ret->codec = codecs[i].name;
		ret->limit = o.limit;
		ret->text = SPAN(arena_strndup(a, "", 0), 0);
		if (o.n) {
			uint8_t *copy = arena_alloc(a, o.n + 1);

			memcpy(copy, o.p, o.n);
			ret->text = SPAN(copy, o.n);
		}
		found = true;
	}
	free(o.p);
	return found;
}
