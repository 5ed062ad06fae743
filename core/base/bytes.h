/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a file or of memory: a span, and a cursor that never reads past its end. */
#ifndef OBIT_BYTES_H
#define OBIT_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct span {
	const uint8_t *p;
	size_t n;
};

#define SPAN(ptr, len) ((struct span){ (const uint8_t *)(ptr), (len) })

/* Sets *ret to the n bytes of s that begin at offset off. ERR_FORMAT when s is shorter; the message
 * has the offset and `what`, which says what s is. */
bool span_sub(struct span s, uint64_t off, uint64_t n, const char *what, struct span *ret,
	      struct err *err) MUST_CHECK;

/* Whether the machine that obit runs on has the highest byte of a number first. Only who hands
 * bytes to somebody else's code need ask. */
static inline bool machine_is_big(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

/* Fixed-endian loads from memory known to be long enough; no alignment needed. Written so that
 * compilers make one load of each. */
static inline uint16_t load_le16(const void *p)
{
	const uint8_t *b = (const uint8_t *)p;

	return (uint16_t)(b[0] | b[1] << 8);
}
static inline uint32_t load_le32(const void *p)
{
	const uint8_t *b = (const uint8_t *)p;

	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline uint64_t load_le64(const void *p)
{
	return load_le32(p) | (uint64_t)load_le32((const uint8_t *)p + 4) << 32;
}
uint64_t load_be64(const void *p);
/* An unsigned integer of 1 to 8 bytes, little-endian and big-endian. */
uint64_t load_le(const void *p, size_t n);
uint64_t load_be(const void *p, size_t n);
/* The same in the order that the caller has learnt. */
static inline uint64_t load_uint(const void *p, size_t n, bool big)
{
	return big ? load_be(p, n) : load_le(p, n);
}
/* Puts n bytes in the opposite order. */
void bytes_reverse(void *p, size_t n);
/* Writes the low n bytes of v, 1 to 8. */
void store_uint(void *p, size_t n, bool big, uint64_t v);

/*
 * Reads bytes one after the other. A read beyond the end sets `failed` and *err, and every read
 * after it returns 0 and leaves *err as it is; so the caller checks many reads by one cursor_ok()
 * at their end. One of p and end alone will do where nobody asks for offsets or reasons.
 */
struct cursor {
	const uint8_t *p, *end; /* the next byte, and behind the last; equal when it failed */
	bool failed;
	bool big; /* big-endian data */
	const uint8_t *start;
	const char *what; /* for messages: "kdump header" */
	struct err *err;  /* NULL: nobody asks */
};

/* Begins to read s from its start. `what` says in messages what s is. */
void cursor_init(struct cursor *c, struct span s, const char *what, struct err *err);
bool cursor_ok(const struct cursor *c) MUST_CHECK; /* false: c->err is set */
/* The offset of the next byte; of one that failed, of the end. */
static inline size_t cursor_pos(const struct cursor *c)
{
	return (size_t)(c->p - c->start);
}
/* Ends the reading, for a reason that the caller tells. */
static inline void cursor_stop(struct cursor *c)
{
	c->failed = true;
	c->p = c->end;
}
/* Ends it for this reason, unless it had ended. */
__attribute__((cold)) void cursor_fail(struct cursor *c, const char *why);
/* Are there n bytes more? If not it fails. */
static inline bool cursor_has(struct cursor *c, uint64_t n)
{
	if ((uint64_t)(c->end - c->p) >= n)
		return true;
	cursor_fail(c, "ends too early");
	return false;
}
/* A number of n bytes, 1 to 8. */
static inline uint64_t cursor_uint(struct cursor *c, unsigned n)
{
	uint64_t v;

	if (!cursor_has(c, n))
		return 0;
	v = n == 1   ? c->p[0]
	    : c->big ? load_be(c->p, n)
	    : n == 4 ? load_le32(c->p)
		     : load_le(c->p, n);
	c->p += n;
	return v;
}
uint8_t cursor_u8(struct cursor *c);
uint16_t cursor_u16(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint64_t cursor_u64(struct cursor *c);
uint64_t cursor_leb(struct cursor *c, bool with_sign);
/* A LEB128 number of at most 10 bytes, unsigned, and signed. Most are of one byte. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	return c->p < c->end && *c->p < 0x80 ? *c->p++ : cursor_leb(c, false);
}
static inline int64_t cursor_sleb(struct cursor *c)
{
	if (c->p < c->end && *c->p < 0x80)
		return (int64_t)(*c->p++ ^ 0x40) - 0x40;
	return (int64_t)cursor_leb(c, true);
}
/* Move the cursor: n bytes on, to the offset pos, and on to the next multiple of `align`. Moving
 * beyond the end fails like a read. */
static inline void cursor_skip(struct cursor *c, uint64_t n)
{
	if (cursor_has(c, n))
		c->p += n;
}
void cursor_seek(struct cursor *c, uint64_t pos);
void cursor_align(struct cursor *c, size_t align);
/* The next n bytes, where they lie; an empty span when there are fewer. */
struct span cursor_take(struct cursor *c, uint64_t n);
/* The string that begins here, where it lies, and moves behind its NUL; "" when no NUL follows,
 * which is a failure. */
const char *cursor_str(struct cursor *c);
/* How many bytes are left. */
size_t cursor_left(const struct cursor *c);

#endif
