/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unpacks whole files: gzip, xz and zstd, each as a stream of unknown length. */
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/base/outfile.h"
#include "core/base/vec.h"
#include "readers/unpack.h"

#define FIRST_BYTES ((size_t)4 << 20)
#define PIECE_BYTES ((size_t)256 << 10)
#define PACKED_MAX ((size_t)1 << 40)
#define XZ_MEMORY ((uint64_t)512 << 20)

/* What is filled: it grows until `max`. */
struct sink_bytes {
	struct unpacked u;
	size_t cap, max;
	/* not NULL: bytes go to the file fd, or to piece(), whenever a piece is full; `written` of
	 * them did */
	const int *fd;
	void (*piece)(struct span piece, void *arg);
	size_t written;
	void (*tell)(void *arg, uint64_t n);
	void *arg;
};

static bool is_gzip(struct span s)
{
	return s.n >= 3 && !memcmp(s.p, "\x1f\x8b\x08", 3);
}

static bool is_zstd(struct span s)
{
	return s.n >= 4 && !memcmp(s.p, "\x28\xb5\x2f\xfd", 4);
}

const char *unpack_name(struct span s)
{
	if (s.n >= 6 && !memcmp(s.p,
				"\xfd"
				"7zXZ",
				6))
		return "xz";
	if (is_zstd(s))
		return "zstd";
	if (is_gzip(s))
		return "gzip";
	return NULL;
}

static bool write_out(struct sink_bytes *b, struct err *err)
{
	if (b->fd && !fd_write(*b->fd, b->u.p, b->u.n))
		return err_set_errno(err, "unpacking it into a file");
	if (b->piece && b->u.n)
		b->piece(SPAN(b->u.p, b->u.n), b->arg);
	b->written += b->u.n;
	b->u.n = 0;
	if (b->tell)
		b->tell(b->arg, b->written);
	return b->written <= b->max ||
	       err_set(err, ERR_LIMIT, "it unpacks to more than %zu MB", b->max >> 20);
}

static bool room(struct sink_bytes *b, struct err *err)
{
	size_t want = b->cap ? b->cap * 2 : b->piece ? PIECE_BYTES : FIRST_BYTES;
	void *p;

	if (b->u.n < b->cap)
		return interrupt_check(err);
	if ((b->fd || b->piece) && b->cap)
		return write_out(b, err);
	if (b->cap == b->max)
		return err_set(err, ERR_LIMIT, "it unpacks to more than %zu MB", b->max >> 20);
	if (want > b->max)
		want = b->max;
	p = b->u.p ? mremap(b->u.p, b->cap, want, MREMAP_MAYMOVE)
		   : mmap(NULL, want, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return err_set_errno(err, "memory to unpack it");
	b->u.p = p;
	b->cap = want;
	return true;
}

static bool damaged(const char *how, struct err *err)
{
	return err_set(err, ERR_CORRUPT, "its %s data is damaged or cut short", how);
}

static bool ungzip(struct span s, struct sink_bytes *b, struct err *err)
{
	z_stream z = { 0 };
	int rc = Z_OK;
	size_t in = 0;
	bool ok = true;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return damaged("gzip", err);
	while (ok && rc == Z_OK) {
		size_t left = s.n - in, space;

		ok = room(b, err);
		if (!ok)
			break;
		space = b->cap - b->u.n;
		z.next_in = (Bytef *)s.p + in;
		z.avail_in = left > 1u << 30 ? 1u << 30 : (uInt)left;
		z.next_out = b->u.p + b->u.n;
		z.avail_out = space > 1u << 30 ? 1u << 30 : (uInt)space;
		space = z.avail_out;
		rc = inflate(&z, Z_NO_FLUSH);
		b->u.n += space - z.avail_out;
		in = (size_t)(z.next_in - s.p);
		/* several that were put together are one */
		if (rc == Z_STREAM_END && is_gzip(SPAN(s.p + in, s.n - in)))
			rc = inflateReset(&z);
	}
	inflateEnd(&z);
	return ok && (rc == Z_STREAM_END || damaged("gzip", err));
}

static bool unxz(struct span s, struct sink_bytes *b, struct err *err)
{
	lzma_stream x = LZMA_STREAM_INIT;
	lzma_ret rc = LZMA_OK;
	bool ok = true;

	if (lzma_stream_decoder(&x, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return damaged("xz", err);
	x.next_in = s.p;
	x.avail_in = s.n;
	while (ok && rc == LZMA_OK) {
		ok = room(b, err);
		if (!ok)
			break;
		x.next_out = b->u.p + b->u.n;
		x.avail_out = b->cap - b->u.n;
		rc = lzma_code(&x, LZMA_FINISH);
		b->u.n = b->cap - x.avail_out;
		if (rc == LZMA_OK && x.avail_out)
			rc = LZMA_BUF_ERROR; /* it wants more and there is no more */
	}
	lzma_end(&x);
	return ok && (rc == LZMA_STREAM_END || damaged("xz", err));
}

static bool unzstd(struct span s, struct sink_bytes *b, struct err *err)
{
	ZSTD_DStream *d = ZSTD_createDStream();
	ZSTD_inBuffer in = { s.p, s.n, 0 };
	size_t rc = 1;
	bool ok = d != NULL;

	while (ok && rc) {
		ZSTD_outBuffer out;
		size_t at = in.pos;

		ok = room(b, err);
		if (!ok)
			break;
		out = (ZSTD_outBuffer){ b->u.p, b->cap, b->u.n };
		rc = ZSTD_decompressStream(d, &out, &in);
		if (ZSTD_isError(rc) || (rc && out.pos == b->u.n && in.pos == at))
			ok = damaged("zstd", err);
		b->u.n = out.pos;
		if (!rc && is_zstd(SPAN(s.p + in.pos, s.n - in.pos)))
			rc = 1; /* one more behind it */
	}
	ZSTD_freeDStream(d);
	return d ? ok : damaged("zstd", err);
}

static bool unpack_run(struct span s, struct sink_bytes *b, struct err *err)
{
	const char *how = unpack_name(s);

	return *how == 'g' ? ungzip(s, b, err) : *how == 'x' ? unxz(s, b, err) : unzstd(s, b, err);
}

static bool unpack(struct span s, size_t max, struct unpacked *ret, struct err *err)
{
	struct sink_bytes b = { .max = max };

	if (!unpack_run(s, &b, err)) {
		if (b.u.p)
			munmap(b.u.p, b.cap);
		return false;
	}
	/* what is left over is given back, so that the length alone tells what to unmap */
	if (b.cap > b.u.n + 4096)
		b.u.p = mremap(b.u.p, b.cap, b.u.n + 1, 0);
	*ret = b.u;
	return true;
}

bool unpack_file(const struct file *file, size_t max, struct unpacked *ret, struct err *err)
{
	struct stat st;
	void *p;

	if (unpack_name(file->map))
		return unpack(file->map, max, ret, err) || err_wrap(err, "'%s'", file->path);
	if (file->fd < 0)
		return unpack_bytes(file->map, max, ret, err);
	if (fstat(file->fd, &st) || !st.st_size)
		return err_set(err, ERR_UNREADABLE, "'%s' is empty by now", file->path);
	/* these bytes outlive the open file */
	if (!mapping_make(file->fd, false, &st, true, file->path, &p, err))
		return false;
	ret->p = p;
	ret->n = (size_t)st.st_size;
	return true;
}

bool unpack_bytes(struct span s, size_t max, struct unpacked *ret, struct err *err)
{
	void *p;

	if (unpack_name(s))
		return unpack(s, max, ret, err);
	if (!s.n || s.n > max)
		return err_set(err, ERR_LIMIT, "it has no bytes, or more than %zu MB", max >> 20);
	p = mmap(NULL, s.n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return err_set_errno(err, "memory for it");
	memcpy(p, s.p, s.n);
	ret->p = p;
	ret->n = s.n;
	return true;
}

/* Unpacks s into what *b stands for, piece by piece. */
static bool unpack_through(struct span s, struct sink_bytes *b, struct err *err)
{
	bool ok = unpack_name(s) ? unpack_run(s, b, err)
				 : err_set(err, ERR_FORMAT, "it is not packed");
	struct err ignored;

	/* what came out before the damage is right */
	if (ok)
		ok = write_out(b, err);
	else if (err->code == ERR_CORRUPT)
		(void)!write_out(b, &ignored);
	if (b->u.p)
		munmap(b->u.p, b->cap);
	return ok;
}

bool unpack_to(struct span s, int fd, size_t max, void (*tell)(void *arg, uint64_t n), void *arg,
	       struct err *err)
{
	struct sink_bytes b = { .max = max, .fd = &fd, .tell = tell, .arg = arg };

	return unpack_through(s, &b, err);
}

bool unpack_pieces(struct span s, size_t max, void (*fn)(struct span piece, void *arg), void *arg,
		   struct err *err)
{
	struct sink_bytes b = { .max = max, .piece = fn, .arg = arg };

	return unpack_through(s, &b, err);
}

size_t unpack_head(struct span s, void *out, size_t n)
{
	struct sink_bytes b = { .max = n };
	struct err ignored;
	size_t got;

	if (!unpack_name(s))
		return 0;
	(void)!unpack_run(s, &b, &ignored);
	got = b.u.n < n ? b.u.n : n;
	if (got)
		memcpy(out, b.u.p, got);
	if (b.u.p)
		munmap(b.u.p, b.cap);
	return got;
}

void unpack_release(struct unpacked *u)
{
	if (u->p)
		mapping_drop(u->p, u->n);
	*u = (struct unpacked){ 0 };
}

int unpack_nameless(size_t *room, struct err *err)
{
	const char *dirs[] = { getenv("TMPDIR"), "/var/tmp", "/tmp" };
	struct statvfs st;

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		int fd = dirs[i] && *dirs[i] ? open(dirs[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)
					     : -1;

		if (fd < 0)
			continue;
		*room = fstatvfs(fd, &st) ? PACKED_MAX : (size_t)st.f_bavail * st.f_frsize / 2;
		*room = *room < PACKED_MAX ? *room : PACKED_MAX;
		return fd;
	}
	err_set(err, ERR_IO, "no folder for a temporary file: TMPDIR names one");
	return -1;
}
