/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of a block device or flash that pstore-blk or mtdpstore wrote. */
#include <stdlib.h>
#include <string.h>

#include "readers/pstore/pstore_record.h"
#include "readers/reader.h"

/*
 * fs/pstore/zone.c: struct psz_buffer is u32 signature, u32 length of the data, u32 start, then the
 * data; the signature is "DBGC" xor the type. Zones are multiples of 512 bytes, in the order pmsg,
 * console, ftrace of each CPU, kmsg. Data of a kmsg zone begins with struct psz_kmsg_header.
 */
#define BLK_HEADER 12u
#define BLK_SIG 0x43474244u
#define KMSG_MAGIC 0x4dfc3ae5u
#define BLK_UNIT 512u
#define BLK_ZONES_MAX 4096u
#define BLK_IMAGE_MAX ((size_t)256 << 20)
enum {
	XOR_DMESG = 0,
	XOR_CONSOLE = 2,
	XOR_FTRACE = 3,
	XOR_PMSG = 7
};

struct blk_zone {
	size_t off, size;
	uint32_t type, len, start;
};

static bool zone_load(struct span s, size_t off, struct blk_zone *ret)
{
	uint32_t sig;

	if (s.n - off < BLK_HEADER + 4)
		return false;
	sig = load_le32(s.p + off) ^ BLK_SIG;
	*ret = (struct blk_zone){ .off = off,
				  .type = sig,
				  .len = load_le32(s.p + off + 4),
				  .start = load_le32(s.p + off + 8) };
	if (sig != XOR_DMESG && sig != XOR_CONSOLE && sig != XOR_FTRACE && sig != XOR_PMSG)
		return false;
	if (ret->len > s.n - off - BLK_HEADER || ret->start > ret->len)
		return false;
	return sig != XOR_DMESG || load_le32(s.p + off + BLK_HEADER) == KMSG_MAGIC;
}

/* Zones by their signatures; each reaches to the next. */
static struct blk_zone *zones_find(struct span s, size_t *n)
{
	VEC(struct blk_zone) v = { 0 };

	if (s.n > BLK_IMAGE_MAX)
		s.n = BLK_IMAGE_MAX;
	for (size_t off = 0; off + BLK_HEADER + 4 <= s.n && v.n < BLK_ZONES_MAX; off += BLK_UNIT) {
		struct blk_zone z, *last = v.n ? &v.p[v.n - 1] : NULL;

		/* what stands within a zone's data is its text */
		if (!zone_load(s, off, &z) || (last && off < last->off + BLK_HEADER + last->len))
			continue;
		if (last)
			last->size = off - last->off;
		*vec_push(&v) = z;
	}
	if (v.n)
		v.p[v.n - 1].size = s.n - v.p[v.n - 1].off;
	*n = v.n;
	return v.p;
}

static int pstoreblk_probe(const struct file *file)
{
	struct blk_zone z;
	size_t off = 0, end = file->map.n < ((size_t)1 << 20) ? file->map.n : (size_t)1 << 20;

	/* zones that were never written are erased flash or nothing */
	for (; off + BLK_HEADER + 4 <= end; off += BLK_UNIT) {
		uint8_t c = file->map.p[off];

		if (c == 0 || c == 0xff)
			continue;
		/* a plain signature is ramoops' too; the magic behind it is not */
		return zone_load(file->map, off, &z) && (z.type != XOR_DMESG || z.len >= 40) ? 90
											     : 0;
	}
	return 0;
}

/* 64 bits: timespec64 @8, bool compressed @24, u32 counter @28, int reason @32, payload @40;
 * 32 bits have the same places, for timespec64 is of 64-bit numbers there too. */
static void fill_kmsg(struct target *t, struct survivor *s)
{
	const uint8_t *p = s->stored.p;
	struct span payload;

	if (s->stored.n < 40) {
		record_damage(t, s, "it ends within its header");
		return;
	}
	s->time_s = (int64_t)load_le64(p + 8);
	s->time_us = (uint32_t)(load_le64(p + 16) / 1000);
	s->has_time = s->time_s != 0;
	s->time_how = "header";
	s->id = load_le32(p + 28);
	payload = SPAN(p + 40, s->stored.n - 40);
	record_dmesg(t, s, payload, p[24] ? PACKED : PLAIN, SIZE_MAX);
}

static void pstoreblk_add(struct target *t, const struct file *file, const struct blk_zone *z)
{
	static const unsigned char types[] = { [XOR_DMESG] = SURVIVOR_DMESG,
					       [XOR_CONSOLE] = SURVIVOR_CONSOLE,
					       [XOR_FTRACE] = SURVIVOR_FTRACE,
					       [XOR_PMSG] = SURVIVOR_PMSG };
	struct span data = SPAN(file->map.p + z->off + BLK_HEADER, z->len);
	struct survivor *s = record_add(t, types[z->type], "pstore-blk", file->path);

	if (!s)
		return;
	s->offset = z->off;
	s->room = z->size;
	s->empty = !z->len;
	s->stored = data;
	if (z->start && z->start < z->len && z->type != XOR_DMESG) {
		uint8_t *line = arena_alloc(&t->arena, data.n);

		memcpy(line, data.p + z->start, data.n - z->start);
		memcpy(line + data.n - z->start, data.p, z->start);
		s->stored = SPAN(line, data.n);
	}
	if (s->empty)
		return;
	if (z->type == XOR_DMESG)
		fill_kmsg(t, s);
	else
		record_fill(t, s, SIZE_MAX);
}

static bool open_image(struct target *t, struct file *file, struct err *err)
{
	size_t n;
	struct blk_zone *z = zones_find(file->map, &n);

	(void)err;
	for (size_t i = 0; i < n; i++)
		pstoreblk_add(t, file, &z[i]);
	free(z);
	return true;
}

const struct reader reader_pstoreblk = {
	.name = "pstoreblk",
	.summary = "image of a device that pstore-blk wrote",
	.probe = pstoreblk_probe,
	.open = open_image,
};
