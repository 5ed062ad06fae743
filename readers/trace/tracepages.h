/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes that are whole sub-buffers in a file, one behind the other, packed in chunks or plain. */
#ifndef OBIT_TRACEPAGES_H
#define OBIT_TRACEPAGES_H

#include "core/trace/trace.h"

/* How a chunk is packed: PAGE_ZLIB or PAGE_ZSTD of readers/inflate.h; 0 not at all: it is read
 * where it lies. */
struct page_chunk {
	struct span packed;
	uint64_t at;   /* of its first byte among the unpacked */
	uint32_t size; /* unpacked */
};
#define PAGE_CHUNK_MAX ((size_t)64 << 20)

/* A lane; trace_lane.self points to it. Zero-initialise. */
struct page_lane {
	struct span bytes; /* plain pages */
	bool mapped;       /* of a file: pages that were read may be given back to the system */
	const struct page_chunk *chunks;
	size_t n_chunks;
	unsigned codec;
	uint64_t size;  /* bytes of all pages, unpacked */
	unsigned marks; /* of every event, enum trace_mark */
	/* nanoseconds = ((time * mult) >> shift) + offset; mult 0: time + offset */
	uint32_t mult, shift;
	int64_t offset;
	struct err damage; /* told when reading begins; ERR_OK: none */
};

/* For recording_ops; the recording's ops->format names the events. */
bool pages_open(struct trace_reader *r, struct arena *a, struct err *err);
bool pages_next(struct trace_reader *r, struct trace_event *ret, struct err *err);
bool pages_page(struct trace_reader *r, struct span *ret, struct err *err);

/* Exactly n bytes into out, or ERR_CORRUPT. codec as in struct page_chunk. */
bool pages_unpack(unsigned codec, struct span packed, void *out, size_t n,
		  struct err *err) MUST_CHECK;

/* Does a clock of that name (trace_clock) count nanoseconds? NULL does. */
bool trace_clock_ns(const char *name);

#endif
