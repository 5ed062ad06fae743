/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: packed pages of a dump, and packed files: gzip, xz, zstd. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "readers/inflate.h"
#include "readers/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OUT_MAX ((size_t)1 << 20)

static void count(struct span piece, void *arg)
{
	*(size_t *)arg += piece.n;
}

static void unpack_all(struct span s)
{
	struct file file = { .path = "fuzz", .fd = -1, .map = s };
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct unpacked all, small;
	uint8_t head[64];
	struct err err;
	size_t n = unpack_head(s, head, sizeof(head)), pieces = 0;
	bool whole = unpack_pieces(s, OUT_MAX, count, &pieces, &err);

	if (n > sizeof(head))
		abort();
	if (unpack_bytes(s, OUT_MAX, &all, &err)) {
		/* all ways give the same bytes, and a limit is one */
		if (all.n > OUT_MAX || (all.n >= n && memcmp(all.p, head, n) != 0))
			abort();
		if (all.n && unpack_bytes(s, all.n - 1, &small, &err))
			abort();
		if (unpack_name(s) && !unpack_to(s, fd, OUT_MAX, NULL, NULL, &err))
			abort();
		if (unpack_name(s) && (!whole || pieces != all.n))
			abort();
		unpack_release(&all);
	}
	if (unpack_file(&file, OUT_MAX, &all, &err))
		unpack_release(&all);
	close(fd);
}

/* Byte 0: flags of a page, or 0x80 and a file. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct inflater in = { 0 };
	struct span packed;
	uint8_t *page;
	struct err err;

	if (!size)
		return 0;
	packed = SPAN(data + 1, size - 1);
	if (data[0] & 0x80) {
		unpack_all(packed);
		return 0;
	}
	page = malloc(4096); /* for what is written behind it is seen */
	for (unsigned i = 0; i < 2; i++)
		if (page && page_inflate(&in, data[0], packed, page, 4096, &err) &&
		    !inflate_name(data[0]))
			abort();
	free(page);
	inflater_release(&in);
	return 0;
}
