/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The headers, sections and options of a trace.dat. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/image/target.h"
#include "readers/inflate.h"
#include "readers/trace/tracedat.h"

/*
 * The formats are described in trace-cmd's Documentation/trace-cmd/trace-cmd.dat.v6.5.txt and
 * trace-cmd.dat.v7.5.txt. v6: header page, header event, formats, kallsyms, printk formats, comms
 * one behind the other, then the number of CPUs, options, and for each CPU where its pages are. v7:
 * a chain of option sections that point to sections of the same contents.
 */
static const char magic[] = "\x17\x08\x44tracing";

enum option_id {
	OPTION_DONE,
	OPTION_DATE,
	OPTION_CPUSTAT,
	OPTION_BUFFER,
	OPTION_TRACECLOCK,
	OPTION_UNAME,
	OPTION_HOOK,
	OPTION_OFFSET,
	OPTION_CPUCOUNT,
	OPTION_VERSION,
	OPTION_PROCMAPS,
	OPTION_TRACEID,
	OPTION_TIME_SHIFT,
	OPTION_GUEST,
	OPTION_TSC2NSEC,
	OPTION_STRINGS,
	OPTION_HEADER_INFO,
	OPTION_FTRACE_EVENTS,
	OPTION_EVENT_FORMATS,
	OPTION_KALLSYMS,
	OPTION_PRINTK,
	OPTION_CMDLINES,
	OPTION_BUFFER_TEXT
};
#define SECTION_PACKED 1u

#define SYSTEMS_MAX 4096u
#define TEXT_MAX 4096u

static void cursor_at(struct dat *d, struct cursor *c, uint64_t offset, const char *what,
		      struct err *err)
{
	cursor_init(c, d->file->map, what, err);
	c->big = d->big;
	cursor_seek(c, offset);
}

/* Are the next n bytes these? Steps over them. */
static bool expect(struct cursor *c, const char *what, size_t n)
{
	struct span s = cursor_take(c, n);

	return s.n == n && !memcmp(s.p, what, n);
}

static void read_header_info(struct dat *d, struct cursor *c)
{
	struct span page;
	uint32_t size = d->page_size;

	if (strcmp(cursor_str(c), "header_page") != 0 && cursor_ok(c))
		return;
	page = cursor_take(c, cursor_u64(c));
	meta_header_page(page, &d->word_size, &size);
	d->page_size = size;
	if (strcmp(cursor_str(c), "header_event") == 0)
		cursor_skip(c, cursor_u64(c));
}

static void read_formats(struct dat *d, struct cursor *c, const char *system)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && cursor_ok(c) && i < META_FORMATS_MAX; i++) {
		struct span text = cursor_take(c, cursor_u64(c));

		/* older ones count the NUL behind it */
		while (text.n && !text.p[text.n - 1])
			text.n--;
		if (text.n)
			meta_add_format(&d->meta, system, text);
	}
}

static void read_systems(struct dat *d, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	for (uint32_t i = 0; i < n && cursor_ok(c) && i < SYSTEMS_MAX; i++) {
		const char *name = cursor_str(c);

		if (cursor_ok(c))
			read_formats(d, c, arena_strdup(d->meta.a, name));
	}
}

static const char *text_of(struct dat *d, struct span s)
{
	return arena_strndup(d->meta.a, (const char *)s.p,
			     strnlen((const char *)s.p, s.n < TEXT_MAX ? s.n : TEXT_MAX));
}

/* "local [global] counter x86-tsc": the one in brackets, or all where there are none. */
static const char *clock_of(struct dat *d, struct span s)
{
	const uint8_t *open = s.n ? memchr(s.p, '[', s.n) : NULL;
	const uint8_t *close = open ? memchr(open, ']', s.n - (size_t)(open - s.p)) : NULL;
	const char *whole;

	if (close)
		return arena_strndup(d->meta.a, (const char *)open + 1, (size_t)(close - open - 1));
	whole = text_of(d, s);
	return *whole && !strpbrk(whole, " \n[") ? whole : NULL;
}

static struct dat_buffer *add_buffer(struct dat *d, const char *name)
{
	struct dat_buffer *b;

	if (d->buffers.n >= DAT_BUFFERS_MAX)
		return NULL;
	b = vec_push(&d->buffers);
	b->name = arena_strdup(d->meta.a, name);
	b->page_size = d->page_size;
	return b;
}

/* A table of "offset, size" behind "flyrecord"; CPUs are numbered by place, or by a word each. */
static bool read_lanes(struct dat *d, struct dat_buffer *b, struct cursor *c, uint32_t n,
		       bool numbered)
{
	/* a machine has one; of an instance's CPUs v7 names those that wrote something */
	if (!n && !numbered)
		return err_set(c->err, ERR_FORMAT, "a table of no CPUs: its events are lost");
	if (n > DAT_CPUS_MAX)
		return err_set(c->err, ERR_LIMIT, "%u CPUs; at most %u are read", n, DAT_CPUS_MAX);
	/* no larger than the file can hold */
	if ((uint64_t)n * 16 > cursor_left(c))
		return err_set(c->err, ERR_TRUNCATED, "the table of %u CPUs is cut off", n);
	b->lanes = ARENA_ARRAY(d->meta.a, struct dat_lane, n + 1);
	for (uint32_t i = 0; i < n; i++) {
		struct dat_lane *l = &b->lanes[i];

		l->cpu = numbered ? cursor_u32(c) : i;
		l->offset = cursor_u64(c);
		l->size = cursor_u64(c);
	}
	b->n_lanes = n;
	return cursor_ok(c);
}

static void warn(struct dat *d, const struct err *why)
{
	target_warn(d->t, why->code, "'%s': %s", d->file->path, why->msg);
}

/* v6: the option says where the instance's own "flyrecord" table is. */
static void buffer_v6(struct dat *d, struct cursor *o)
{
	uint64_t offset = cursor_u64(o);
	const char *name = cursor_str(o);
	struct dat_buffer *b;
	struct cursor c;
	struct err err;

	if (!cursor_ok(o))
		return;
	cursor_at(d, &c, offset, "an instance's table", &err);
	b = add_buffer(d, name);
	if (!b)
		return;
	if (!expect(&c, "flyrecord", 10)) {
		if (cursor_ok(&c))
			err_set(&err, ERR_FORMAT, "no table of CPUs at %" PRIu64, offset);
		err_wrap(&err, "instance '%.60s'", name);
		warn(d, &err);
		return;
	}
	if (!read_lanes(d, b, &c, d->cpus, false)) {
		err_wrap(&err, "instance '%.60s'", name);
		warn(d, &err);
	}
}

/* v7: everything is in the option; the section's flags say whether lanes are packed. */
static void buffer_v7(struct dat *d, struct cursor *o)
{
	uint64_t offset = cursor_u64(o);
	const char *name = cursor_str(o), *clock = cursor_str(o);
	uint32_t page_size = cursor_u32(o), n = cursor_u32(o);
	struct dat_buffer *b;
	struct cursor c;
	struct err err;

	if (!cursor_ok(o))
		return;
	b = add_buffer(d, name);
	if (!b)
		return;
	b->clock = *clock ? arena_strdup(d->meta.a, clock) : NULL;
	if (page_size)
		b->page_size = page_size;
	cursor_at(d, &c, offset, "a buffer's section", &err);
	(void)cursor_u16(&c);
	b->packed = cursor_u16(&c) & SECTION_PACKED;
	if (!cursor_ok(&c) || !read_lanes(d, b, o, n, true)) {
		if (cursor_ok(&c))
			err = *o->err;
		err_wrap(&err, "instance '%.60s'", name);
		warn(d, &err);
	}
}

/* A section's contents, unpacked. */
static bool section(struct dat *d, uint64_t offset, struct span *ret, unsigned *id, struct err *err)
{
	struct cursor c;
	struct span body;
	uint16_t flags;
	uint64_t size;

	cursor_at(d, &c, offset, "a section", err);
	*id = cursor_u16(&c);
	flags = cursor_u16(&c);
	(void)cursor_u32(&c); /* its description, among the strings */
	size = cursor_u64(&c);
	if (!cursor_ok(&c))
		return false;
	body = dat_part(d, cursor_pos(&c), size);
	if (body.n < size)
		target_warn(d->t, ERR_TRUNCATED, "'%s' ends within a section of its headers",
			    d->file->path);
	if (flags & SECTION_PACKED) {
		uint32_t packed = cursor_u32(&c), n = cursor_u32(&c);
		struct span in = cursor_take(&c, packed);
		void *out;

		if (!cursor_ok(&c) || !arena_bytes(d->meta.a, n, DAT_SECTION_MAX, &out, err))
			return err_wrap(err, "section %u", *id);
		if (!pages_unpack(d->codec, in, out, n, err))
			return err_wrap(err, "section %u", *id);
		body = SPAN(out, n);
	}
	*ret = body;
	return true;
}

/* A section that an option points to. */
static void meta_section(struct dat *d, unsigned id, uint64_t offset)
{
	struct err err = { 0 };
	struct cursor c;
	struct span body;
	unsigned found;

	if (d->seen[id])
		return;
	d->seen[id] = true;
	if (!section(d, offset, &body, &found, &err)) {
		warn(d, &err);
		return;
	}
	cursor_init(&c, body, "a section", &err);
	c.big = d->big;
	if (found != id)
		err_set(&err, ERR_FORMAT, "section %u where %u should be", found, id);
	else if (id == OPTION_HEADER_INFO)
		read_header_info(d, &c);
	else if (id == OPTION_FTRACE_EVENTS)
		read_formats(d, &c, "ftrace");
	else if (id == OPTION_EVENT_FORMATS)
		read_systems(d, &c);
	else if (id == OPTION_KALLSYMS)
		d->meta.kallsyms = cursor_take(&c, cursor_u32(&c));
	else if (id == OPTION_PRINTK)
		d->meta.printk = cursor_take(&c, cursor_u32(&c));
	else if (id == OPTION_CMDLINES)
		d->meta.cmdlines = cursor_take(&c, cursor_u64(&c));
	if (err.code)
		warn(d, &err);
}

static void option(struct dat *d, unsigned id, struct span data)
{
	struct err err = { 0 };
	struct cursor c;

	cursor_init(&c, data, "an option", &err);
	c.big = d->big;
	switch (id) {
	case OPTION_DATE:
		/* microseconds, as text, between the clock and the time of day */
		d->ts_offset += (int64_t)(1000 * strtoull(text_of(d, data), NULL, 0));
		break;
	case OPTION_OFFSET:
		d->ts_offset += (int64_t)strtoull(text_of(d, data), NULL, 0);
		break;
	case OPTION_CPUSTAT:
		*vec_push(&d->stats) = data;
		break;
	case OPTION_BUFFER:
		if (d->version >= 7)
			buffer_v7(d, &c);
		else
			buffer_v6(d, &c);
		break;
	case OPTION_TRACECLOCK:
		d->clock = clock_of(d, data);
		break;
	case OPTION_UNAME:
		d->uname = text_of(d, data);
		break;
	case OPTION_VERSION:
		d->writer = text_of(d, data);
		break;
	case OPTION_TIME_SHIFT:
		d->has_clock_shift = true;
		break;
	case OPTION_TSC2NSEC:
		d->tsc_mult = cursor_u32(&c);
		d->tsc_shift = cursor_u32(&c);
		d->tsc_offset = cursor_u64(&c);
		d->has_tsc = cursor_ok(&c) && d->tsc_mult && d->tsc_shift < 64;
		break;
	case OPTION_HEADER_INFO:
	case OPTION_FTRACE_EVENTS:
	case OPTION_EVENT_FORMATS:
	case OPTION_KALLSYMS:
	case OPTION_PRINTK:
	case OPTION_CMDLINES:
		if (d->version >= 7 && data.n >= 8)
			meta_section(d, id, cursor_u64(&c));
		break;
	default:
		break;
	}
}

/* Options until their end; *next is where v7 goes on, 0 at the last. */
static void options(struct dat *d, struct cursor *c, uint64_t *next)
{
	*next = 0;
	while (cursor_ok(c) && d->n_options++ < DAT_OPTIONS_MAX) {
		unsigned id = cursor_u16(c);
		uint32_t size;
		struct span data;

		if (id == OPTION_DONE && d->version < 7)
			return;
		size = cursor_u32(c);
		data = cursor_take(c, size);
		if (!cursor_ok(c))
			return;
		if (id == OPTION_DONE) {
			if (data.n >= 8) {
				struct cursor o;
				struct err err;

				cursor_init(&o, data, "an option", &err);
				o.big = d->big;
				*next = cursor_u64(&o);
			}
			return;
		}
		option(d, id, data);
	}
}

static bool read_v7(struct dat *d, uint64_t offset, struct err *err)
{
	uint64_t before = 0;

	/* sections follow each other in the file: one that points back is a loop */
	while (offset) {
		struct cursor c;
		struct span body;
		unsigned id;

		if (offset <= before)
			return err_set(err, ERR_CORRUPT, "its options run in a circle");
		before = offset;
		if (!section(d, offset, &body, &id, err))
			return false;
		if (id != OPTION_DONE)
			return err_set(err, ERR_FORMAT, "section %u where options should be", id);
		cursor_init(&c, body, "options", err);
		c.big = d->big;
		options(d, &c, &offset);
		if (!cursor_ok(&c))
			return false;
	}
	return true;
}

/* A buffer whose option is cut off: its section's pages are there. */
static void cut_buffer(struct dat *d, uint64_t from, uint64_t end, bool packed)
{
	struct dat_buffer *b = add_buffer(d, "");

	if (!b)
		return;
	b->packed = packed;
	if (d->buffers.n > 1)
		b->name = arena_printf(d->meta.a, "buffer %zu", d->buffers.n);
	if (!dat_find_lanes(d, b, from, end))
		d->buffers.n--;
}

/* The sections of a file whose options do not lead through it, one behind the other from the first.
 * Of what the options would say of buffers nothing is known but their pages. */
static bool read_cut_v7(struct dat *d, uint64_t first)
{
	const uint64_t all = d->file->map.n;
	struct err err;

	for (unsigned n = 0; n < DAT_OPTIONS_MAX && first < all; n++) {
		uint64_t size, next;
		unsigned id, flags;
		struct cursor c;
		struct span body;

		cursor_at(d, &c, first, "a section", &err);
		id = cursor_u16(&c);
		flags = cursor_u16(&c);
		(void)cursor_u32(&c);
		size = cursor_u64(&c);
		if (!cursor_ok(&c) || id > OPTION_BUFFER_TEXT || flags > SECTION_PACKED)
			break;
		/* whoever was killed before its end wrote no size */
		next = size && size < all - cursor_pos(&c) ? cursor_pos(&c) + size : all;
		if (id == OPTION_BUFFER)
			cut_buffer(d, cursor_pos(&c), next, flags & SECTION_PACKED);
		else if (id >= OPTION_HEADER_INFO && id <= OPTION_CMDLINES)
			meta_section(d, id, first);
		else if (id == OPTION_DONE && !d->n_options &&
			 section(d, first, &body, &id, &err)) {
			cursor_init(&c, body, "options", &err);
			c.big = d->big;
			options(d, &c, &size);
		}
		first = next;
	}
	if (d->buffers.n)
		target_warn(
			d->t, ERR_TRUNCATED,
			"'%s' is cut off before the table of its CPUs: they are numbered in the "
			"order of their pages",
			d->file->path);
	return d->buffers.n > 0;
}

/* Formats, names of code and strings, one part behind the other. */
static void read_facts(struct dat *d, struct cursor *c)
{
	read_header_info(d, c);
	read_formats(d, c, "ftrace");
	read_systems(d, c);
	d->meta.kallsyms = cursor_take(c, cursor_u32(c));
	d->meta.printk = cursor_take(c, cursor_u32(c));
}

bool dat_read_facts(struct dat *d, struct err *err)
{
	const char *version;
	struct cursor c;

	cursor_init(&c, d->file->map, "tracing data", err);
	if (!expect(&c, magic, 10))
		return err_set(err, ERR_FORMAT, "its tracing data does not begin as such");
	version = cursor_str(&c);
	d->big = cursor_u8(&c);
	c.big = d->big;
	d->word_size = cursor_u8(&c);
	d->page_size = cursor_u32(&c);
	if (cursor_ok(&c) && d->word_size != 4 && d->word_size != 8)
		return err_set(err, ERR_FORMAT, "tracing data with words of %u bytes",
			       d->word_size);
	read_facts(d, &c);
	if (!strcmp(version, "0.6"))
		d->meta.cmdlines = cursor_take(&c, cursor_u64(&c));
	return cursor_ok(&c);
}

/* Everything behind the header, one part behind the other. */
static bool read_v6(struct dat *d, struct cursor *c)
{
	struct dat_buffer *top;
	uint64_t next;
	struct span word;

	read_facts(d, c);
	d->meta.cmdlines = cursor_take(c, cursor_u64(c));
	d->cpus = cursor_u32(c);
	top = add_buffer(d, "");
	word = cursor_take(c, 10);
	if (!cursor_ok(c))
		return false;
	if (!memcmp(word.p, "options  ", 10)) {
		options(d, c, &next);
		word = cursor_take(c, 10);
		if (!cursor_ok(c))
			return false;
	}
	if (!memcmp(word.p, "latency  ", 10)) {
		d->latency_text = dat_part(d, cursor_pos(c), UINT64_MAX);
		return true;
	}
	if (memcmp(word.p, "flyrecord", 10) != 0)
		return err_set(c->err, ERR_FORMAT, "its records are of an unknown kind '%.10s'",
			       text_of(d, word));
	top = &d->buffers.p[0];
	return read_lanes(d, top, c, d->cpus, false);
}

/* Which buffer a text of counts is of: one says "Buffer: NAME", those behind it are of that one. */
static void share_stats(struct dat *d)
{
	size_t at = 0;

	for (size_t i = 0; i < d->stats.n; i++) {
		const char *s = text_of(d, d->stats.p[i]), *name = strstr(s, "Buffer: ");

		if (name) {
			size_t n = strcspn(name + 8, "\n");

			for (at = 0; at < d->buffers.n; at++)
				if (strlen(d->buffers.p[at].name) == n &&
				    !memcmp(d->buffers.p[at].name, name + 8, n))
					break;
		} else if (at < d->buffers.n) {
			*vec_push(&d->buffers.p[at].stats) = d->stats.p[i];
		}
	}
}

bool dat_read(struct dat *d, struct err *err)
{
	const char *version, *codec = "none";
	uint64_t first = 0, behind;
	struct cursor c;
	bool ok;

	cursor_init(&c, d->file->map, "trace.dat", err);
	if (!expect(&c, magic, 10))
		return err_set(err, ERR_FORMAT, "no trace.dat");
	version = cursor_str(&c);
	d->version = *version == '6' ? 6 : *version == '7' ? 7 : 0;
	if (cursor_ok(&c) && (!d->version || version[1]))
		return err_set(err, ERR_UNSUPPORTED,
			       "version '%.20s' of trace.dat; 6 and 7 are read, and `trace-cmd "
			       "convert --file-version 7` makes one",
			       version);
	d->big = cursor_u8(&c);
	c.big = d->big;
	d->word_size = cursor_u8(&c);
	d->page_size = cursor_u32(&c);
	if (d->version >= 7) {
		codec = cursor_str(&c);
		(void)cursor_str(&c);
		first = cursor_u64(&c);
	}
	if (!cursor_ok(&c))
		return false;
	if ((d->word_size != 4 && d->word_size != 8) || d->page_size < 64 ||
	    d->page_size > (1u << 24))
		return err_set(err, ERR_FORMAT, "words of %u and pages of %u bytes", d->word_size,
			       d->page_size);
	d->codec = !strcmp(codec, "zlib") ? PAGE_ZLIB : !strcmp(codec, "zstd") ? PAGE_ZSTD : 0;
	if (!d->codec && strcmp(codec, "none") != 0 && *codec)
		return err_set(
			err, ERR_UNSUPPORTED,
			"packed with '%.20s'; zlib and zstd are read, and `trace-cmd convert "
			"--compression zstd` packs it so",
			codec);
	behind = cursor_pos(&c);
	ok = d->version >= 7 ? read_v7(d, first, err) : read_v6(d, &c);
	if (d->version >= 7 && !d->buffers.n)
		ok = read_cut_v7(d, behind) || ok;
	/* a file that is cut has what stands before the cut */
	if (!ok && d->buffers.n && d->meta.n_formats) {
		warn(d, err);
		ok = true;
	}
	if (ok)
		share_stats(d);
	return ok;
}

void dat_release(struct dat *d)
{
	for (size_t i = 0; i < d->buffers.n; i++)
		vec_release(&d->buffers.p[i].stats);
	vec_release(&d->buffers);
	vec_release(&d->stats);
}
