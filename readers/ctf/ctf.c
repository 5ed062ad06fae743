/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CTF: what LTTng records, and `perf data convert --to-ctf` writes; folders with a file "metadata".
 */
#include "readers/ctf/ctf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/trace/decode.h"
#include "readers/reader.h"
#include "readers/trace/callchain.h"
#include "readers/ctf/ctfwire.h"
#include "readers/ctf/ctfwrite.h"
#include "readers/trace/tracemeta.h"
#include "readers/unpack.h"

/*
 * The format is the Common Trace Format 1.8 (diamon.org/ctf). libbabeltrace2 reads it, in a process
 * of its own; see ctfwrite.h. That runs when something of the trace is first asked for.
 */
#define METADATA_HEAD ((size_t)64 << 10)
#define PACKET_MAGIC 0x75d11d57u
#define LOSSES_MAX 64u                   /* streams that are said to be cut off */
#define CHAIN_CONTEXTS ((uint64_t)-4095) /* from here on no addresses; see perfstream.c */

struct ctf {
	struct trace_meta meta; /* first: the recording's self */
	struct target *t;
	const char *path, *folder;
	struct file *file; /* of the records; NULL: they are the caller's */
	struct span records;
	bool read;
	struct err why; /* what ended the reading; ERR_OK: all is there */
	struct trace_buffer buffer;
	struct trace_lane lane;
	int32_t pid, tgid; /* of the event that is out */
};

struct ctf_reader {
	struct ctf *of;
	size_t at;
	struct callchain chain;
};

/* ---- records */

/* The record at an offset, and its parts. False: none that is whole is there. */
static bool record_at(struct span s, size_t at, struct ctfwire_head *h, struct span *parts)
{
	size_t left = s.n - at, n = sizeof(*h);

	if (at > s.n || left < sizeof(*h))
		return false;
	memcpy(h, s.p + at, sizeof(*h));
	if (h->size < sizeof(*h) || h->size > left || h->size % 8)
		return false;
	for (unsigned i = 0; i < CTFWIRE_PARTS; i++) {
		if (h->part[i] > h->size - n)
			return false;
		parts[i] = SPAN(s.p + at + n, h->part[i]);
		n += h->part[i];
	}
	return true;
}

/* Formats, how many CPUs, and how it ended. */
static void take_facts(struct ctf *c)
{
	struct span parts[CTFWIRE_PARTS];
	struct ctfwire_head h;
	bool ended = false;
	uint64_t events = 0;
	unsigned losses = 0;
	size_t at = 0;
	int cpus = 0;

	for (; record_at(c->records, at, &h, parts); at += h.size) {
		if (h.type == CTFWIRE_FORMAT) {
			meta_add_format(
				&c->meta,
				arena_strndup(c->meta.a, (const char *)parts[0].p, parts[0].n),
				parts[1]);
		} else if (h.type == CTFWIRE_EVENT) {
			events++;
			cpus = h.cpu >= cpus && h.cpu < 65536 ? h.cpu + 1 : cpus;
		} else if (h.type == CTFWIRE_LOST && losses++ < LOSSES_MAX) {
			target_warn(c->t, ERR_TRUNCATED, "'%s': %.*s", c->path,
				    (int)(parts[0].n < 200 ? parts[0].n : 200),
				    (const char *)parts[0].p);
		} else if (h.type == CTFWIRE_END) {
			ended = true;
			if (parts[0].n && !c->why.code)
				err_set(&c->why, events ? ERR_CORRUPT : ERR_FORMAT, "%.*s",
					(int)(parts[0].n < 200 ? parts[0].n : 200),
					(const char *)parts[0].p);
		}
	}
	if (!ended && !c->why.code)
		err_set(&c->why, ERR_CORRUPT, "it was not read to its end");
	c->buffer.possible = c->buffer.online = (unsigned)cpus;
	if (c->why.code)
		target_warn(c->t, c->why.code, "'%s': %s; %" PRIu64 " events before that", c->path,
			    c->why.msg, events);
}

static void file_free(void *what)
{
	file_close(what);
}

/* Has the trace read, once. */
static bool ctf_read(struct ctf *c, struct err *err)
{
	size_t room;
	int fd;

	if (c->read)
		return true;
	fd = unpack_nameless(&room, err);
	if (fd < 0)
		return false;
	if (!ctf_read_folder(c->folder, fd, room, &c->why)) {
		*err = c->why;
		close(fd);
		return false;
	}
	c->read = true;
	/* the child may have died before its first word: there is no file of nothing */
	if (lseek(fd, 0, SEEK_END) <= 0) {
		close(fd);
	} else if (!file_of_fd(c->meta.a, c->path, fd, &c->file, err)) {
		close(fd);
		return false;
	} else {
		target_defer(c->t, file_free, c->file);
		c->records = c->file->map;
	}
	take_facts(c);
	return true;
}

/* ---- the recording */

static bool ctf_open_lane(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct ctf_reader *cr = ARENA_NEW(a, struct ctf_reader);

	cr->of = r->lane->self;
	callchain_init(&cr->chain, a);
	r->self = cr;
	return ctf_read(cr->of, err);
}

static void take_chain(struct ctf_reader *cr, struct span s)
{
	callchain_reset(&cr->chain);
	for (size_t i = 0; i + 8 <= s.n; i += 8) {
		uint64_t ip;

		memcpy(&ip, s.p + i, 8);
		if (ip < CHAIN_CONTEXTS)
			(void)callchain_add(&cr->chain, "0x%" PRIx64, ip);
	}
}

static bool ctf_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct ctf_reader *cr = r->self;
	struct ctf *c = cr->of;
	struct span parts[CTFWIRE_PARTS];
	struct ctfwire_head h;
	unsigned steps = 0;

	for (; record_at(c->records, cr->at, &h, parts); cr->at += h.size) {
		const struct trace_record at = { .data = parts[2] };

		if (!(++steps & 0xffff) && !interrupt_check(err))
			return false;
		if (h.type != CTFWIRE_EVENT)
			continue;
		cr->at += h.size;
		take_chain(cr, parts[1]);
		callchain_give(&cr->chain, ret);
		if (parts[0].n)
			ret->comm = callchain_words(&cr->chain, "%.*s",
						    (int)(parts[0].n < 255 ? parts[0].n : 255),
						    (const char *)parts[0].p);
		ret->ts = h.ts;
		ret->cpu = h.cpu >= 0 && h.cpu < 65536 ? h.cpu : -1;
		ret->lost = h.lost == CTFWIRE_LOST_SOME ? TRACE_LOST_SOME : h.lost;
		trace_decode(r->buffer->recording, &at, ret);
		if (ret->system && !*ret->system)
			ret->system = NULL;
		ret->pid = h.pid;
		c->pid = h.pid;
		c->tgid = h.tgid;
		return true;
	}
	return false;
}

static bool ctf_each_format(const struct recording *rec,
			    bool (*fn)(const struct trace_format *f, void *arg), void *arg,
			    struct err *err)
{
	return ctf_read(rec->self, err) && meta_each_format(rec, fn, arg, err);
}

static int32_t ctf_tgid(const struct recording *rec, int32_t pid)
{
	const struct ctf *c = rec->self;

	return c->pid == pid ? c->tgid : -1;
}

static const struct recording_ops ctf_ops = {
	.open = ctf_open_lane,
	.next = ctf_next,
	.format = meta_format,
	.each_format = ctf_each_format,
	.tgid = ctf_tgid,
};

static struct ctf *add_recording(struct target *t, const char *path)
{
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct ctf *c = ARENA_NEW(&t->arena, struct ctf);

	c->meta.a = &t->arena;
	c->t = t;
	c->path = path;
	/* events of all streams, in the order of their times */
	c->lane = (struct trace_lane){ .cpu = -1, .self = c };
	c->lane.entries = c->lane.overrun = c->lane.commit_overrun = UINT64_MAX;
	c->lane.dropped = c->lane.read = UINT64_MAX;
	c->buffer = (struct trace_buffer){ .recording = rec,
					   .ns = true,
					   .overwrite = true,
					   .shows = TRACE_SHOW_DEFAULT,
					   .lanes = &c->lane,
					   .n_lanes = 1 };
	*rec = (struct recording){ .t = t,
				   .origin = "CTF",
				   .path = path,
				   .word_size = 8,
				   .big_endian = machine_is_big(),
				   .buffers = &c->buffer,
				   .n_buffers = 1,
				   .ops = &ctf_ops,
				   .self = c };
	traces_add(t, rec);
	return c;
}

void ctf_add_records(struct target *t, const char *path, struct span records)
{
	struct ctf *c = add_recording(t, path);

	c->records = records;
	c->read = true;
	take_facts(c);
}

/* ---- the reader */

static bool has(struct span s, const char *what)
{
	size_t n = s.n < METADATA_HEAD ? s.n : METADATA_HEAD;

	return n && memmem(s.p, n, what, strlen(what)) != NULL;
}

/* Text, or packets of it behind a number in the order of the machine that wrote it. */
static int ctf_probe(const struct file *file)
{
	static const char text[] = "/* CTF 1.";
	struct span s = file->map;

	if (s.n >= sizeof(text) - 1 && !memcmp(s.p, text, sizeof(text) - 1))
		return 100;
	/* version 2 is a list of JSON objects; newer libraries read it, and older ones say so */
	if (s.n && *s.p == 0x1e && has(s, "\"preamble\""))
		return 100;
	if (s.n < 16 ||
	    (load_le32(s.p) != PACKET_MAGIC && load_le32(s.p) != __builtin_bswap32(PACKET_MAGIC)))
		return 0;
	return has(s, "typealias") || has(s, "trace {") ? 100 : 60;
}

/* A clock that counts from another place than its own start is told where: it is the time of day.
 */
static const char *clock_of(struct span s)
{
	static const char *const keys[] = { "offset = ", "offset_s = " };
	size_t n = s.n < METADATA_HEAD ? s.n : METADATA_HEAD;

	if (has(s, "tracer_name = \"perf\""))
		return "perf";
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const uint8_t *at = n ? memmem(s.p, n, keys[i], strlen(keys[i])) : NULL;

		at = at ? at + strlen(keys[i]) : NULL;
		if (at && at < s.p + n && *at >= '1' && *at <= '9')
			return "realtime";
	}
	return NULL;
}

static bool ctf_open(struct target *t, struct file *file, struct err *err)
{
	const char *slash = strrchr(file->path, '/');
	struct ctf *c = add_recording(t, file->path);

	(void)err;
	c->folder = slash ? arena_strndup(&t->arena, file->path,
					  slash > file->path ? (size_t)(slash - file->path) : 1)
			  : ".";
	c->buffer.clock = clock_of(file->map);
	return true;
}

const struct reader reader_ctf = {
	.name = "ctf",
	.summary = "CTF, the Common Trace Format: LTTng, perf data convert --to-ctf",
	.probe = ctf_probe,
	.open = ctf_open,
};
