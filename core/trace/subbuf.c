/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sub-buffer of a ring buffer, event by event, never past its end. */
#include "core/trace/subbuf.h"

#include "core/trace/trace.h"

/* The commit word's flags, added when a page leaves through tracefs (kernel/trace/ring_buffer.c,
 * RB_MISSED_EVENTS, RB_MISSED_STORED): events were lost before this page; how many lies behind its
 * data. */
#define MISSED_SOME 0x80000000u
#define MISSED_STORED 0x40000000u
#define COMMIT_MASK 0x3fffffffu

/* type_len of what is no event (include/linux/ring_buffer.h, enum ring_buffer_type). */
enum {
	TYPE_DATA_MAX = 28,
	TYPE_PADDING,
	TYPE_TIME_EXTEND,
	TYPE_TIME_STAMP
};

#define TIME_SHIFT 27
/* An absolute time stamp has 59 bits; the 5 above are those of the time before it. */
#define TIME_MSB (0xf8ull << 56)

static uint64_t page_load(const uint8_t *p, size_t n, bool big)
{
	uint64_t v = 0;

	if (!big)
		return load_le(p, n);
	while (n--)
		v = v << 8 | *p++;
	return v;
}

size_t trace_page_header(unsigned word_size)
{
	return 8 + word_size;
}

bool trace_page_init(struct trace_page *p, struct span bytes, unsigned word_size, bool big,
		     uint64_t used, struct err *err)
{
	size_t head = trace_page_header(word_size), room;
	uint64_t commit, n;

	if (word_size != 4 && word_size != 8)
		return err_set(err, ERR_FORMAT, "a sub-buffer of %u-byte words", word_size);
	if (bytes.n < head)
		return err_set(err, ERR_FORMAT, "a sub-buffer of only %zu bytes", bytes.n);
	*p = (struct trace_page){ .big = big, .ts = page_load(bytes.p, 8, big) };
	room = bytes.n - head;
	commit = page_load(bytes.p + 8, word_size, big);
	/* the flags are an int's, and a negative one fills the word's upper half */
	if (word_size == 8 && commit >> 32 == UINT32_MAX && commit & MISSED_SOME)
		commit &= UINT32_MAX;
	n = used ? used : commit & COMMIT_MASK;
	if (n > room || (!used && commit >> 32)) {
		p->damaged = true;
		err_set(&p->why, ERR_CORRUPT, "0x%llx bytes are said to be used of %zu",
			(unsigned long long)(used ? used : commit), room);
		if (n > room)
			n = room;
	}
	p->data = SPAN(bytes.p + head, (size_t)n);
	if (used || !(commit & MISSED_SOME))
		return true;
	p->lost = TRACE_LOST_SOME;
	if (commit & MISSED_STORED && room - n >= word_size) {
		uint64_t lost = page_load(p->data.p + n, word_size, big);

		if (lost)
			p->lost = lost;
	}
	return true;
}

static bool page_damaged(struct trace_page *p, const char *what)
{
	p->damaged = true;
	err_set(&p->why, ERR_CORRUPT, "%s at offset 0x%zx of 0x%zx bytes of events", what, p->pos,
		p->data.n);
	p->pos = p->data.n;
	return false;
}

/* The 59 bits of an absolute time, with what is above them in the time before. */
static uint64_t absolute(uint64_t stamp, uint64_t before)
{
	if (!(before & TIME_MSB))
		return stamp;
	stamp |= before & TIME_MSB;
	return stamp < before ? stamp + (1ull << 59) : stamp;
}

bool trace_page_next(struct trace_page *p, struct trace_record *ret)
{
	while (p->pos < p->data.n) {
		const uint8_t *at = p->data.p + p->pos;
		size_t left = p->data.n - p->pos, n;
		uint32_t head, delta, type, first = 0;

		if (left < 4)
			return page_damaged(p, "a header that is cut off");
		head = (uint32_t)page_load(at, 4, p->big);
		type = p->big ? head >> TIME_SHIFT : head & 31;
		delta = p->big ? head & ((1u << TIME_SHIFT) - 1) : head >> 5;
		if (type && type <= TYPE_DATA_MAX) {
			n = (size_t)type * 4;
			if (n > left - 4)
				return page_damaged(p, "an event longer than what is left");
			p->ts += delta;
			*ret = (struct trace_record){ p->ts, SPAN(at + 4, n), p->pos };
			p->pos += 4 + n;
			return true;
		}
		if (type == TYPE_PADDING && !delta) {
			/* nothing was written from here to the end */
			p->pos = p->data.n;
			return false;
		}
		if (left < 8)
			return page_damaged(p, "a header that is cut off");
		first = (uint32_t)page_load(at + 4, 4, p->big);
		if (type == TYPE_TIME_EXTEND || type == TYPE_TIME_STAMP) {
			uint64_t time = ((uint64_t)first << TIME_SHIFT) + delta;

			p->absolute |= type == TYPE_TIME_STAMP;
			p->ts = type == TYPE_TIME_EXTEND ? p->ts + time : absolute(time, p->ts);
			p->pos += 8;
			continue;
		}
		/* the first word is a length that counts itself */
		n = first;
		if (n < 4 || n % 4 || n > left - 4)
			return page_damaged(p, "an event of an impossible length");
		if (type == TYPE_PADDING) {
			p->pos += 4 + n;
			continue;
		}
		p->ts += delta;
		*ret = (struct trace_record){ p->ts, SPAN(at + 8, n - 4), p->pos };
		p->pos += 4 + n;
		return true;
	}
	return false;
}

/* What no event of the kernel's is without: a type that exists, and a pid. */
static bool event_plausible(const struct trace_record *r, bool big, uint16_t max_type)
{
	uint64_t type, pid;

	if (r->data.n < 8)
		return false;
	type = page_load(r->data.p, 2, big);
	pid = page_load(r->data.p + 4, 4, big);
	return type && (!max_type || type <= max_type) && pid <= 4u << 20; /* PID_MAX_LIMIT */
}

int trace_page_plausible(struct span bytes, unsigned word_size, bool big, uint16_t max_type)
{
	struct trace_page p;
	struct trace_record r;
	struct err err;
	uint64_t start;
	size_t n = 0;

	if (!trace_page_init(&p, bytes, word_size, big, 0, &err) || p.damaged)
		return 0;
	/* a time of 0, and one 36 years and more after the clock's start, are other data */
	start = p.ts;
	if (!start || start >> 60 || !p.data.n || p.data.n % 4)
		return 0;
	for (; trace_page_next(&p, &r); n++)
		if (!event_plausible(&r, big, max_type) || r.ts < start || r.ts >> 60)
			return 0;
	if (p.damaged || !n)
		return 0;
	/* a lone event is 8 bytes that fit by chance once in some thousand times */
	return n == 1 ? 50 : n < 4 ? 80 : 100;
}
