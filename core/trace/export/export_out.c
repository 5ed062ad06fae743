/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes on their way to a file that is exported. */
#include <errno.h>
#include <unistd.h>

#include "core/base/outfile.h"
#include "core/trace/export/export.h"

#define CHUNK ((size_t)256 << 10)

bool export_flush(struct export_out *o)
{
	if (!o->error && !fd_write(o->fd, buf_text(&o->b), o->b.n))
		o->error = errno;
	buf_reset(&o->b);
	return !o->error;
}

void export_add(struct export_out *o, const void *p, size_t n)
{
	buf_add(&o->b, p, n);
	if (o->b.n >= CHUNK)
		(void)export_flush(o);
}

void export_patch(struct export_out *o, uint64_t at, const void *p, size_t n)
{
	if (export_flush(o) && pwrite(o->fd, p, n, (off_t)at) != (ssize_t)n)
		o->error = errno ? errno : EIO;
}
