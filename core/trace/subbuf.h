/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of one sub-buffer of a ring buffer: headers of events and times, bounded by its size.
 */
#ifndef OBIT_TRACE_SUBBUF_H
#define OBIT_TRACE_SUBBUF_H

#include "core/base/bytes.h"

/*
 * A sub-buffer is u64 time_stamp, a long `commit`, data (kernel/trace/ring_buffer.c, struct
 * buffer_data_page); events in it are struct ring_buffer_event (include/linux/ring_buffer.h): 27
 * bits of time since the last one, 5 bits of type or length.
 */
struct trace_page {
	struct span data; /* of the events, no more than what is committed (or asked for) */
	size_t pos;
	uint64_t ts;   /* of the last event read; at first the page's */
	uint64_t lost; /* events lost before this page; TRACE_LOST_SOME unknown number; 0 none */
	bool big;
	bool damaged; /* it ended where no event can be; the rest is lost */
	struct err why;
};

/* One event's bytes. */
struct trace_record {
	uint64_t ts;
	struct span data; /* from common_type on */
	size_t at;        /* offset of its header in page->data */
};

/* Where data starts: 16, or 12 with a 4-byte commit word. */
size_t trace_page_header(unsigned word_size);
/* A whole sub-buffer as it lies in memory or in a file. used 0: as its commit word says, with the
 * flags for missed events; else that many bytes of data, for pages whose commit word is gone.
 * ERR_FORMAT when it is too short for a header; a commit beyond its end is cut to it and told in
 * *damaged. */
bool trace_page_init(struct trace_page *p, struct span bytes, unsigned word_size, bool big,
		     uint64_t used, struct err *err) MUST_CHECK;
/* False at the end of the page, or where it is damaged. Padding and time stamps are stepped over;
 * delta of padding is not counted, as the kernel's reader does. */
bool trace_page_next(struct trace_page *p, struct trace_record *ret);
/* How sure is it that bytes are a sub-buffer (for carving): 0 no ... 100: events parse exactly to
 * the commit word, and their types and pids are such as exist. */
int trace_page_plausible(struct span bytes, unsigned word_size, bool big, uint16_t max_type);

#endif
