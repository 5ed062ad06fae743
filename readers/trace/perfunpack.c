/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packed records of a perf.data, unpacked into a file of no name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "core/base/guard.h"
#include "core/base/outfile.h"
#include "core/image/target.h"
#include "readers/trace/perfdata.h"
#include "readers/unpack.h"

#define PIECE ((size_t)1 << 20)
#define RECORD_MAX ((size_t)1 << 16)

/* What is written: whole records, in the order in which they end. */
struct perf_unpacking {
	int fd;
	size_t room, written;
	uint8_t *out, *part; /* PIECE bytes that wait; a record that is not whole yet */
	size_t n, part_n;
	ZSTD_DStream *zstd;
};

static bool put_out(struct perf_unpacking *u, const void *p, size_t n, struct err *err)
{
	if (u->n + n > PIECE) {
		if (!fd_write(u->fd, u->out, u->n))
			return err_set_errno(err, "unpacking it into a file");
		u->n = 0;
	}
	u->written += n;
	if (u->written > u->room)
		return err_set(err, ERR_LIMIT, "it unpacks to more than %zu MB", u->room >> 20);
	if (n > PIECE)
		return fd_write(u->fd, p, n) || err_set_errno(err, "unpacking it into a file");
	memcpy(u->out + u->n, p, n);
	u->n += n;
	return true;
}

/* Records among the unpacked bytes; the last may go on in the next piece. */
static bool put_records(struct perf_unpacking *u, size_t got, struct err *err)
{
	size_t at = 0;

	u->part_n += got;
	while (u->part_n - at >= PERF_HEAD) {
		size_t size = load_le16(u->part + at + 6);

		if (size < PERF_HEAD)
			return err_set(err, ERR_CORRUPT, "a packed record of %zu bytes", size);
		if (size > u->part_n - at)
			break;
		if (!put_out(u, u->part + at, size, err))
			return false;
		at += size;
	}
	memmove(u->part, u->part + at, u->part_n - at);
	u->part_n -= at;
	return true;
}

static bool unpack_record(struct perf_unpacking *u, struct span packed, struct err *err)
{
	ZSTD_inBuffer in = { packed.p, packed.n, 0 };

	for (;;) {
		ZSTD_outBuffer out = { u->part + u->part_n, RECORD_MAX, 0 };
		size_t left = ZSTD_decompressStream(u->zstd, &out, &in);

		if (ZSTD_isError(left))
			return err_set(err, ERR_CORRUPT, "its packed records are damaged: %s",
				       ZSTD_getErrorName(left));
		if (!put_records(u, out.pos, err) || !interrupt_check(err))
			return false;
		/* a buffer that was not filled took all that there was */
		if (out.pos < RECORD_MAX && in.pos == in.size)
			return true;
	}
}

static bool unpack_all(struct perf_unpacking *u, struct span data, struct err *err)
{
	size_t at = 0, next;
	struct span r;

	for (; perf_record_at(data, at, &r, &next, err); at = next) {
		uint32_t type = load_le32(r.p);
		struct span packed = SPAN(r.p + PERF_HEAD, r.n - PERF_HEAD);
		bool ok;

		if (type == PERF_RECORD_COMPRESSED2) {
			/* its own size is a multiple of eight */
			uint64_t n = packed.n >= 8 ? load_le64(packed.p) : 0;

			if (packed.n < 8 || n > packed.n - 8)
				return err_set(err, ERR_FORMAT, "a packed record of no size");
			packed = SPAN(packed.p + 8, n);
		}
		if (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2)
			ok = unpack_record(u, packed, err);
		else
			ok = put_out(u, r.p, r.n, err);
		if (!ok)
			return false;
	}
	return !err->code;
}

static void unpacked_free(void *what)
{
	file_close(what);
}

bool perf_unpack(struct perfdata *p, struct err *err)
{
	struct perf_unpacking u = { .zstd = ZSTD_createDStream() };
	struct err why = { 0 };
	bool ok;

	u.fd = u.zstd ? unpack_nameless(&u.room, err) : -1;
	if (u.fd < 0) {
		ZSTD_freeDStream(u.zstd);
		return u.zstd || err_set(err, ERR_LIMIT, "no memory to unpack its records");
	}
	u.out = xrealloc(NULL, PIECE);
	u.part = xrealloc(NULL, 2 * RECORD_MAX);
	if (!unpack_all(&u, p->data, &why))
		target_warn(p->t, why.code, "'%s': %s", p->file->path, why.msg);
	/* a file of nothing cannot be mapped: a record that says nothing */
	if (!u.written)
		(void)put_out(&u, "\x44\0\0\0\0\0\x08", PERF_HEAD, &why);
	ok = fd_write(u.fd, u.out, u.n) || err_set_errno(err, "unpacking it into a file");
	ok = ok && file_of_fd(p->meta.a, p->file->path, u.fd, &p->unpacked, err);
	if (ok)
		target_defer(p->t, unpacked_free, p->unpacked);
	else
		close(u.fd);
	ZSTD_freeDStream(u.zstd);
	free(u.out);
	free(u.part);
	return ok;
}
