/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams in snappy's framing format, which libsnappy leaves to its users.
 *
 * Source: framing_format.txt of snappy: a chunk is a type of one byte, a length of three, and so
 * many bytes; those of data begin with a masked CRC-32C of what they unpack to. */
#include <snappy-c.h>
#include <string.h>

#include "readers/dump/snapframe.h"

#define HEAD 4u
#define CHECKSUM 4u
enum {
	CHUNK_PACKED = 0x00,
	CHUNK_PLAIN = 0x01,
	CHUNK_SKIPPABLE = 0x80, /* and all above it */
	CHUNK_IDENTIFIER = 0xff
};
static const char identifier[] = "sNaPpY";

/* CRC-32C (polynomial 0x1edc6f41, reflected), masked as the format wants it. */
static uint32_t checksum(const uint8_t *p, size_t n)
{
	/* of the sixteen values that four bits can have */
	static const uint32_t step[16] = { 0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
					   0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
					   0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
					   0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75 };
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = crc >> 4 ^ step[crc & 15];
		crc = crc >> 4 ^ step[crc & 15];
	}
	crc = ~crc;
	return (crc >> 15 | crc << 17) + 0xa282ead8;
}

bool snap_chunk_at(struct span s, uint64_t off, struct snap_chunk *ret, struct err *err)
{
	size_t n = 0, body;
	const uint8_t *p;

	if (off > s.n || s.n - off < HEAD)
		return err_set(err, ERR_TRUNCATED, "the file ends before a chunk at byte %llu",
			       (unsigned long long)off);
	p = s.p + off;
	body = load_le32(p) >> 8;
	if (s.n - off - HEAD < body)
		return err_set(err, ERR_TRUNCATED, "the file ends within the chunk at byte %llu",
			       (unsigned long long)off);
	*ret = (struct snap_chunk){ .off = off, .end = off + HEAD + body };
	if (p[0] == CHUNK_PLAIN && body > CHECKSUM)
		n = body - CHECKSUM;
	else if (p[0] == CHUNK_PACKED && body > CHECKSUM &&
		 snappy_uncompressed_length((const char *)p + HEAD + CHECKSUM, body - CHECKSUM,
					    &n) != SNAPPY_OK)
		n = 0;
	else if (p[0] >= CHUNK_SKIPPABLE &&
		 (p[0] != CHUNK_IDENTIFIER ||
		  (body == strlen(identifier) && !memcmp(p + HEAD, identifier, body))))
		return true;
	ret->unpacked = n;
	return (n && n <= SNAP_CHUNK_MAX) ||
	       err_set(err, ERR_CORRUPT, "there is no chunk of a snappy stream at byte %llu",
		       (unsigned long long)off);
}

bool snap_unpack(struct span s, uint64_t off, void *out, size_t n, struct err *err)
{
	struct snap_chunk chunk;
	const uint8_t *p;
	size_t body, got = n;
	bool ok;

	if (!snap_chunk_at(s, off, &chunk, err))
		return false;
	p = s.p + off + HEAD + CHECKSUM;
	body = chunk.end - off - HEAD - CHECKSUM;
	ok = chunk.unpacked == n;
	if (ok && s.p[off] == CHUNK_PLAIN)
		memcpy(out, p, n);
	else if (ok)
		ok = snappy_uncompress((const char *)p, body, out, &got) == SNAPPY_OK && got == n;
	ok = ok && checksum(out, n) == load_le32(p - CHECKSUM);
	return ok || err_set(err, ERR_CORRUPT, "the snappy chunk at byte %llu is damaged",
			     (unsigned long long)off);
}
