/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that makedumpfile and QEMU wrote flattened, for a pipe: an index puts the chunks in their
 * places. */
#include <string.h>

#include "core/base/guard.h"
#include "readers/dump/image.h"
#include "readers/reader.h"

/*
 * A 4096-byte header, then chunks of { big-endian offset, size, bytes } until offset and size are
 * -1 (makedumpfile.h: struct makedumpfile_header, struct makedumpfile_data_header). A later chunk
 * may overwrite an earlier one: headers are written last.
 */
#define FLAT_HEADER 4096u
#define OFFSET_MAX (UINT64_C(16) << 40) /* no dump is larger: beyond it a chunk is damaged */
#define CHUNKS_TOLD 1024u               /* how far it is, every so many */
#define CHUNKS_MAX (UINT32_C(32) << 20)

static const char flat_magic[16] = "makedumpfile";

static bool image_is_flat(const struct file *file)
{
	return file->map.n >= sizeof(flat_magic) &&
	       memcmp(file->map.p, flat_magic, sizeof(flat_magic)) == 0;
}

/* A flattened file's index. Chunks that make no sense end it: the rest counts as cut off. */
static bool image_of_flat(struct target *t, struct image *im, struct file *file, struct err *err)
{
	struct cursor c;

	*im = (struct image){ .file = file, .flat = true, .cut = true };
	cursor_init(&c, file->map, "flattened dump", err);
	c.big = true;
	cursor_skip(&c, sizeof(flat_magic));
	if (cursor_u64(&c) != 1 && cursor_ok(&c))
		return err_set(err, ERR_UNSUPPORTED, "'%s' is a flattened dump of an unknown type",
			       file->path);
	cursor_seek(&c, FLAT_HEADER);
	if (!cursor_ok(&c))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header",
			       file->path);
	while (cursor_left(&c) >= 16) {
		uint64_t off = cursor_u64(&c), n = cursor_u64(&c), here = cursor_left(&c);

		if (off == UINT64_MAX && n == UINT64_MAX) {
			im->cut = false;
			break;
		}
		if (off > OFFSET_MAX || n > OFFSET_MAX - off || im->x.v.n >= CHUNKS_MAX)
			break;
		if (off + n > im->size)
			im->size = off + n;
		extents_add(&im->x, off, n < here ? n : here, cursor_pos(&c), EXTENT_DATA);
		if (n > here)
			break;
		cursor_skip(&c, n);
		if (im->x.v.n % CHUNKS_TOLD == 0)
			target_tell(t, NULL, cursor_pos(&c), file->map.n);
		if (im->x.v.n % 65536 == 0 && !interrupt_check(err))
			return false;
	}
	extents_settle(&im->x);
	return true;
}

static int flat_probe(const struct file *file)
{
	return image_is_flat(file) ? 100 : 0;
}

static bool open_flat(struct target *t, struct file *file, struct err *err)
{
	struct image *im = ARENA_NEW(&t->arena, struct image);

	if (!image_of_flat(t, im, file, err)) {
		image_release(im);
		return false;
	}
	if (kdump_is(im))
		return kdump_open(t, im, err);
	if (elfcore_is(im))
		return elfcore_open(t, im, err);
	image_release(im);
	return err_set(err, ERR_FORMAT, "'%s' is a flattened file %s", file->path,
		       im->cut ? "that is cut short before any dump begins" : "that holds no dump");
}

const struct reader reader_flat = {
	.name = "flat",
	.summary = "a dump that makedumpfile -F or QEMU wrote flattened",
	.probe = flat_probe,
	.cut = true,
	.open = open_flat,
	.dumps = true,
};
