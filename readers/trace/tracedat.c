/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.dat: what trace-cmd records, versions 6 and 7. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "readers/reader.h"
#include "readers/trace/tracedat.h"

#define CHUNKS_MAX 4000000u

static int tracedat_probe(const struct file *file)
{
	return file->map.n >= 12 && !memcmp(file->map.p, "\x17\x08\x44tracing", 10) ? 100 : 0;
}

static const struct recording_ops tracedat_ops = {
	.open = pages_open,
	.next = pages_next,
	.page = pages_page,
	.format = meta_format,
	.each_format = meta_each_format,
	.comm = meta_comm,
	.tgid = meta_tgid,
	.symbol = meta_symbol,
	.string = meta_string,
	.address = meta_address,
};

/* The chunks of a packed lane: a count, then for each its sizes and bytes. */
static bool find_chunks(struct dat *d, const struct dat_lane *from, struct page_lane *ret)
{
	/* trace-cmd's size leaves out the count in front: the chunks' own say where they end */
	struct span part = dat_part(d, from->offset, from->size ? UINT64_MAX : 0);
	VEC(struct page_chunk) v = { 0 };
	struct page_chunk *kept;
	struct cursor c;
	uint32_t n;

	if (!part.n)
		return false;
	cursor_init(&c, part, "packed events", &ret->damage);
	c.big = d->big;
	n = cursor_u32(&c);
	for (uint32_t i = 0; i < n && cursor_left(&c) && v.n < CHUNKS_MAX; i++) {
		uint32_t packed = cursor_u32(&c), size = cursor_u32(&c);
		struct span in = cursor_take(&c, packed);

		if (!cursor_ok(&c))
			break;
		if (!size || size > PAGE_CHUNK_MAX) {
			err_set(&ret->damage, ERR_LIMIT, "a chunk of %u bytes", size);
			break;
		}
		*vec_push(&v) = (struct page_chunk){ in, ret->size, size };
		ret->size += size;
	}
	if (!ret->damage.code && v.n < n)
		err_set(&ret->damage, ERR_TRUNCATED, "%zu of %u chunks are there", v.n, n);
	kept = ARENA_ARRAY(d->meta.a, struct page_chunk, v.n + 1);
	memcpy(kept, v.p ? v.p : kept, v.n * sizeof(*kept));
	ret->chunks = kept;
	ret->n_chunks = v.n;
	ret->codec = d->codec;
	vec_release(&v);
	return ret->n_chunks > 0;
}

static struct page_lane *lane_pages(struct dat *d, const struct dat_buffer *b,
				    const struct dat_lane *from)
{
	struct page_lane *l = ARENA_NEW(d->meta.a, struct page_lane);

	if (d->has_tsc) {
		l->mult = d->tsc_mult;
		l->shift = d->tsc_shift;
	}
	l->offset = d->ts_offset;
	if (b->packed && d->codec) {
		find_chunks(d, from, l);
		return l;
	}
	l->bytes = dat_part(d, from->offset, from->size);
	l->size = l->bytes.n;
	l->mapped = d->file->owned_fd;
	return l;
}

/* "entries: 12\n" of a text as per_cpu/cpuN/stats has it. */
static uint64_t stat_of(struct span s, const char *key)
{
	const char *at = s.n ? memmem(s.p, s.n, key, strlen(key)) : NULL;
	const char *end = (const char *)s.p + s.n;
	uint64_t v = UINT64_MAX;

	if (!at)
		return UINT64_MAX;
	at += strlen(key);
	while (at < end && *at == ' ')
		at++;
	return number_take(&at, end, 10, &v) ? v : UINT64_MAX;
}

static void lane_stats(const struct dat_buffer *b, struct trace_lane *l)
{
	uint64_t left = UINT64_MAX;

	l->entries = l->overrun = l->commit_overrun = l->dropped = l->read = UINT64_MAX;
	for (size_t i = 0; i < b->stats.n; i++) {
		struct span s = b->stats.p[i];

		if (stat_of(s, "CPU:") != (uint64_t)l->cpu)
			continue;
		left = stat_of(s, "\nentries:");
		l->overrun = stat_of(s, "\noverrun:");
		l->commit_overrun = stat_of(s, "\ncommit overrun:");
		l->dropped = stat_of(s, "\ndropped events:");
		l->read = stat_of(s, "\nread events:");
	}
	/* the file says what was left in the ring, not what was written */
	if (left != UINT64_MAX && l->overrun != UINT64_MAX && l->read != UINT64_MAX)
		l->entries = left + l->overrun + l->read;
	/* what trace-cmd took out of the ring is what the file holds */
	if (l->read != UINT64_MAX)
		l->read = 0;
}

static int by_cpu(const void *a, const void *b)
{
	const struct trace_lane *x = a, *y = b;

	return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

/* Pages that the file says it has, and that lie behind its end. */
static uint64_t lost_bytes(const struct dat *d, const struct dat_lane *l)
{
	return l->size - dat_part(d, l->offset, l->size).n;
}

static void make_buffer(struct dat *d, const struct recording *rec, const struct dat_buffer *from,
			struct trace_buffer *b)
{
	struct trace_lane *lanes = ARENA_ARRAY(d->meta.a, struct trace_lane, from->n_lanes + 1);
	const char *clock = from->clock ? from->clock : d->clock;
	uint64_t lost = 0;
	size_t n = 0;

	for (size_t i = 0; i < from->n_lanes; i++) {
		const struct dat_lane *l = &from->lanes[i];
		struct page_lane *pages;

		if (l->cpu >= DAT_CPUS_MAX)
			continue;
		pages = lane_pages(d, from, l);
		lost += lost_bytes(d, l);
		lanes[n] = (struct trace_lane){ .cpu = (int)l->cpu, .self = pages };
		lanes[n].bytes = pages->size;
		lane_stats(from, &lanes[n]);
		/* a CPU that was never up has neither pages nor counts */
		if (pages->size || pages->damage.code || lanes[n].entries != UINT64_MAX)
			n++;
	}
	if (lost)
		target_warn(d->t, ERR_TRUNCATED,
			    "'%s' is cut off: %" PRIu64 " bytes of events are not there",
			    d->file->path, lost);
	qsort(lanes, n, sizeof(*lanes), by_cpu);
	*b = (struct trace_buffer){
		.recording = rec,
		.name = *from->name ? from->name : NULL,
		.clock = clock,
		.ns = d->has_tsc || trace_clock_ns(clock),
		.overwrite = true,
		.page_size = from->page_size,
		.shows = TRACE_SHOW_DEFAULT | (d->meta.user_data ? TRACE_SHOW_SYSCALL_0X : 0),
		.online = (unsigned)n,
		.possible = (unsigned)(n ? lanes[n - 1].cpu + 1 : 0),
		.lanes = lanes,
		.n_lanes = n,
	};
}

static struct recording *make_recording(struct dat *d)
{
	struct recording *rec = ARENA_NEW(d->meta.a, struct recording);
	struct trace_buffer *v = ARENA_ARRAY(d->meta.a, struct trace_buffer, d->buffers.n + 1);

	*rec = (struct recording){
		.t = d->t,
		.origin = d->version >= 7 ? "trace.dat v7" : "trace.dat v6",
		.path = d->file->path,
		.word_size = d->word_size,
		.big_endian = d->big,
		.buffers = v,
		.n_buffers = d->buffers.n,
		.ops = &tracedat_ops,
		.self = d,
	};
	for (size_t i = 0; i < d->buffers.n; i++)
		make_buffer(d, rec, &d->buffers.p[i], &v[i]);
	return rec;
}

static bool tracedat_open(struct target *t, struct file *file, struct err *err)
{
	struct dat *d = ARENA_NEW(&t->arena, struct dat);
	bool ok;

	d->t = t;
	d->file = file;
	d->meta.a = &t->arena;
	ok = dat_read(d, err);
	if (ok) {
		if (d->has_clock_shift)
			target_warn(
				t, ERR_UNSUPPORTED,
				"'%s' is a guest's, with times to be shifted to its host's: they "
				"are shown as the guest counted them",
				file->path);
		traces_add(t, make_recording(d));
	} else {
		err_wrap(err, "'%s'", file->path);
	}
	dat_release(d);
	return ok;
}

const struct reader reader_tracedat = {
	.name = "tracedat",
	.summary = "trace.dat: what trace-cmd recorded",
	.probe = tracedat_probe,
	.open = tracedat_open,
};
