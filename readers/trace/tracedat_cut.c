/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages of a trace.dat of version 7 whose table of CPUs, which stands behind them, is cut off.
 */
#include <string.h>

#include "core/base/vec.h"
#include "readers/trace/tracedat.h"

#define CHUNKS_MAX 4000000u

static uint64_t load(const struct dat *d, const uint8_t *p, unsigned n)
{
	return d->big ? load_be(p, n) : load_le(p, n);
}

static uint64_t aligned(const struct dat_buffer *b, uint64_t at)
{
	return (at + b->page_size - 1) / b->page_size * b->page_size;
}

/* A page with a time and events. */
static bool page_used(const struct dat *d, struct span page, uint64_t *ts)
{
	if (page.n < 8 + d->word_size)
		return false;
	*ts = load(d, page.p, 8);
	return *ts && (load(d, page.p + 8, d->word_size) & 0xffffff) != 0;
}

/* Time runs on within a CPU's pages, so where it begins again another CPU's are. */
static void plain_lanes(const struct dat *d, const struct dat_buffer *b, uint64_t at, uint64_t end,
			struct dat_lane *v, size_t *n)
{
	uint64_t ts, before = 0;

	for (; at < end; at += b->page_size) {
		uint64_t left = end - at < b->page_size ? end - at : b->page_size;

		if (!page_used(d, dat_part(d, at, left), &ts))
			continue;
		if (!*n || ts < before) {
			if (*n >= DAT_CPUS_MAX)
				return;
			v[*n] = (struct dat_lane){ .cpu = (uint32_t)*n, .offset = at };
			++*n;
		}
		v[*n - 1].size = at + left - v[*n - 1].offset;
		before = ts;
	}
}

/* The bytes of a packed lane that begins here: a count, and for each chunk two sizes and its bytes.
 * 0: none begins here. */
static uint64_t packed_size(const struct dat *d, const struct dat_buffer *b, uint64_t at,
			    uint64_t end)
{
	uint64_t from = at, n;
	struct span s = dat_part(d, at, 4);

	if (s.n < 4)
		return 0;
	n = load(d, s.p, 4);
	if (!n || n > CHUNKS_MAX)
		return 0;
	for (at += 4; n && at < end; n--) {
		uint64_t packed, size;

		s = dat_part(d, at, 8);
		if (s.n < 8)
			break;
		packed = load(d, s.p, 4);
		size = load(d, s.p + 4, 4);
		if (!packed || !size || size > PAGE_CHUNK_MAX || size % b->page_size)
			return 0;
		at += 8 + packed;
	}
	return (at < end ? at : end) - from;
}

static void packed_lanes(const struct dat *d, const struct dat_buffer *b, uint64_t at, uint64_t end,
			 struct dat_lane *v, size_t *n)
{
	while (at < end && *n < DAT_CPUS_MAX) {
		uint64_t size = packed_size(d, b, at, end);

		if (!size)
			return;
		v[*n] = (struct dat_lane){ .cpu = (uint32_t)*n, .offset = at, .size = size };
		++*n;
		at = aligned(b, at + size);
	}
}

bool dat_find_lanes(struct dat *d, struct dat_buffer *b, uint64_t from, uint64_t end)
{
	struct dat_lane *v = xrealloc(NULL, DAT_CPUS_MAX * sizeof(*v));
	size_t n = 0;

	end = end < d->file->map.n ? end : d->file->map.n;
	if (b->packed)
		packed_lanes(d, b, aligned(b, from), end, v, &n);
	else
		plain_lanes(d, b, aligned(b, from), end, v, &n);
	b->lanes = ARENA_ARRAY(d->meta.a, struct dat_lane, n + 1);
	memcpy(b->lanes, v, n * sizeof(*v));
	b->n_lanes = n;
	free(v);
	return n > 0;
}
