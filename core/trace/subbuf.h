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
	bool absolute; /* ts counts from a stamp that was among the events, not from the page's */
	bool damaged;  /* it ended where no event can be; the rest is lost */
	struct err why;
};

/* One event's bytes. */
struct trace_record {
	uint64_t ts;
	struct span data; /* from common_type on */
	size_t at;        /* offset of its header in page->data */
};

/* How many bytes stand before the data: 16, or 12 when the commit word has 4 bytes. */
size_t trace_page_header(unsigned word_size);
/* Begins to read a whole sub-buffer, as it lies in memory or in a file. used is how many bytes of
 * data it has, for a page whose commit word is gone; 0: the commit word says so, and has flags for
 * events that were lost. A commit word that reaches beyond the sub-buffer is cut, and p->damaged is
 * set. ERR_FORMAT: it is too short for a header. */
bool trace_page_init(struct trace_page *p, struct span bytes, unsigned word_size, bool big,
		     uint64_t used, struct err *err) MUST_CHECK;
/* Sets *ret to the next event. False: at the end of the page, or where it is damaged. Padding and
 * time stamps are stepped over; as in the kernel's reader the time of padding does not count. */
bool trace_page_next(struct trace_page *p, struct trace_record *ret);
/* For carving: how likely bytes are a sub-buffer, from 0, they are none, to 100, the events end
 * exactly where the commit word says, and have types and pids that exist. */
int trace_page_plausible(struct span bytes, unsigned word_size, bool big, uint16_t max_type);

#endif
