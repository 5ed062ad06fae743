/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lanes that are whole sub-buffers in a file, one behind the other, packed in chunks or plain. */
#ifndef OBIT_TRACEPAGES_H
#define OBIT_TRACEPAGES_H

#include "core/trace/trace.h"

/* A packed part of a lane. Its codec is PAGE_ZLIB or PAGE_ZSTD of readers/inflate.h, or 0 when it
 * is not packed and is read where it lies. */
struct page_chunk {
	struct span packed;
	uint64_t at;   /* where in the unpacked lane it begins */
	uint32_t size; /* how many bytes it unpacks to */
};
#define PAGE_CHUNK_MAX ((size_t)64 << 20)

/* A lane, which trace_lane.self points to. Zero-initialised before its first use. */
struct page_lane {
	struct span bytes; /* its pages, when they are not packed */
	bool mapped;       /* bytes are a file's map, of which what was read may leave the memory */
	const struct page_chunk *chunks;
	size_t n_chunks;
	unsigned codec;
	uint64_t size;  /* how many bytes all pages are, unpacked */
	unsigned marks; /* what every event is marked with, enum trace_mark */
	/* nanoseconds = ((time * mult) >> shift) + offset; mult 0: time + offset */
	uint32_t mult, shift;
	int64_t offset;
	struct err damage; /* what is told when reading begins; ERR_OK: nothing */
};

/* Functions for struct recording_ops, in which `format` must be set. */
bool pages_open(struct trace_reader *r, struct arena *a, struct err *err);
bool pages_next(struct trace_reader *r, struct trace_event *ret, struct err *err);
bool pages_page(struct trace_reader *r, struct span *ret, struct err *err);

/* Unpacks a chunk into out. ERR_CORRUPT: it is not n bytes that come out. codec is as struct
 * page_chunk has it. */
bool pages_unpack(unsigned codec, struct span packed, void *out, size_t n,
		  struct err *err) MUST_CHECK;

/* Does the clock that trace_clock calls by this name count nanoseconds? True for NULL. */
bool trace_clock_ns(const char *name);

#endif
