/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace.dat as far as its headers say: readers/trace/tracedat_head.c reads them, tracedat.c
 * offers them.
 */
#ifndef OBIT_TRACEDAT_H
#define OBIT_TRACEDAT_H

#include "core/base/file.h"
#include "core/base/vec.h"
#include "readers/trace/tracemeta.h"
#include "readers/trace/tracepages.h"

#define DAT_CPUS_MAX 65536u
#define DAT_BUFFERS_MAX 4096u
#define DAT_OPTIONS_MAX 65536u
#define DAT_SECTION_MAX ((size_t)128 << 20) /* unpacked */

/* One CPU's pages. */
struct dat_lane {
	uint32_t cpu;
	uint64_t offset, size; /* where its pages, or its packed chunks, are in the file */
};

struct dat_buffer {
	const char *name; /* "" the top one */
	const char *clock;
	uint32_t page_size;
	bool packed;
	struct dat_lane *lanes;
	size_t n_lanes;
	VEC(struct span) stats; /* texts as per_cpu/cpuN/stats */
};

struct dat {
	struct trace_meta meta; /* first: the recording's self */
	struct target *t;
	struct file *file;
	unsigned version; /* 6 or 7 */
	bool big;
	unsigned word_size;
	uint32_t page_size;
	unsigned codec;
	const char *clock;
	uint32_t cpus; /* of a v6 file */
	bool has_tsc, has_clock_shift;
	uint32_t tsc_mult, tsc_shift;
	uint64_t tsc_offset;
	int64_t ts_offset;
	const char *uname, *writer;
	struct span latency_text; /* of a file that holds a latency tracer's text */
	VEC(struct dat_buffer) buffers;
	VEC(struct span) stats; /* of all buffers, in order; a line "Buffer: NAME" begins another */
	unsigned n_options;
	bool seen[32]; /* sections, by their number */
};

/* Reads everything but events. The caller has set d->t, d->file and d->meta.a, and zeroed the rest;
 * dat_release() frees what is not in the arena. The person is warned of what is missing behind the
 * headers. False: not even the headers can be read. */
bool dat_read(struct dat *d, struct err *err) MUST_CHECK;
/* The same of what perf keeps of it: formats, names and strings, without buffers; d->file is that
 * part (tools/perf/util/trace-event-info.c). False: it ends too early; what was read is there. */
bool dat_read_facts(struct dat *d, struct err *err) MUST_CHECK;
/* Finds a buffer's pages between two offsets without the table that says where each CPU's are. CPUs
 * are numbered in the order of their pages. False: there are none. */
bool dat_find_lanes(struct dat *d, struct dat_buffer *b, uint64_t from, uint64_t end);
void dat_release(struct dat *d);
/* The file's bytes from an offset on, at most n: fewer when it is cut. */
static inline struct span dat_part(const struct dat *d, uint64_t offset, uint64_t n)
{
	struct span all = d->file->map;

	if (offset >= all.n)
		return (struct span){ all.p, 0 };
	return SPAN(all.p + offset, n < all.n - offset ? n : all.n - offset);
}

#endif
