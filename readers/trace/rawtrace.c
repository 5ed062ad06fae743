/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages as trace_pipe_raw gives them, and the files of tracefs that stand beside them. */
#include <ctype.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/subbuf.h"
#include "readers/reader.h"
#include "readers/trace/tracemeta.h"
#include "readers/trace/tracepages.h"

/*
 * The layout is tracefs' own, and that of the "trace dump" of crash's trace extension:
 * per_cpu/cpuN/trace_pipe_raw, events/SYSTEM/EVENT/format, events/header_page, saved_cmdlines,
 * saved_tgids, printk_formats, kallsyms, trace_clock; instances/NAME/per_cpu/... of an instance.
 * Any of them may be missing: without formats, those of a dump are asked.
 */
#define PAGE_BYTES 4096u
#define BUFFERS_MAX 1024u
#define LANES_MAX 4096u
#define TEXT_MAX ((size_t)64 << 20)
#define PROBE_PAGES 16u

struct raw {
	struct trace_meta meta; /* first: the recording's self */
	struct recording rec;
	struct trace_buffer *buffers;
	uint32_t page_size;
	const char *clock;
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- recognition */

enum raw_kind {
	RAW_NONE,
	RAW_PAGES,
	RAW_FORMAT,
	RAW_HEADER,
	RAW_COMMS,
	RAW_TGIDS,
	RAW_PRINTK,
	RAW_SYMBOLS,
	RAW_CLOCK
};

static bool starts(struct span s, const char *with)
{
	size_t n = strlen(with);

	return s.n >= n && !memcmp(s.p, with, n);
}

/* The first pages that hold anything are pages of a ring buffer. */
static bool pages_plausible(struct span s, unsigned *word, bool *big, int *sure)
{
	static const struct {
		unsigned word;
		bool big;
	} kinds[] = { { 8, false }, { 4, false }, { 8, true }, { 4, true } };

	*sure = 0;
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		int best = 0, worst = 100;

		for (size_t i = 0; i < PROBE_PAGES && (i + 1) * PAGE_BYTES <= s.n; i++) {
			struct span page = SPAN(s.p + i * PAGE_BYTES, PAGE_BYTES);
			int n = trace_page_plausible(page, kinds[k].word, kinds[k].big, 0);

			if (!n && !load_le64(page.p + 8))
				continue; /* nothing was committed */
			best = n > best ? n : best;
			worst = n < worst ? n : worst;
		}
		if (best > *sure && worst > 0) {
			*sure = best;
			*word = kinds[k].word;
			*big = kinds[k].big;
		}
	}
	return *sure > 0;
}

static enum raw_kind kind_of(const struct file *file, unsigned *word, bool *big)
{
	static const struct {
		const char *name;
		enum raw_kind kind;
	} names[] = { { "saved_cmdlines", RAW_COMMS },
		      { "saved_tgids", RAW_TGIDS },
		      { "printk_formats", RAW_PRINTK },
		      { "kallsyms", RAW_SYMBOLS },
		      { "trace_clock", RAW_CLOCK } };
	const char *base = base_of(file->path);
	struct span s = file->map;
	int sure;

	if (starts(s, "name: ") && memmem(s.p, s.n < 512 ? s.n : 512, "\nID: ", 5))
		return RAW_FORMAT;
	if (starts(s, "\tfield: u64 timestamp;"))
		return RAW_HEADER;
	/* lists of pids and of addresses are known by their names alone */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(base, names[i].name) && s.n && (isprint(s.p[0]) || s.p[0] == '\n'))
			return names[i].kind;
	if (s.n >= PAGE_BYTES && pages_plausible(s, word, big, &sure) &&
	    (sure >= 80 || !strcmp(base, "trace_pipe_raw")))
		return RAW_PAGES;
	return RAW_NONE;
}

static int rawtrace_probe(const struct file *file)
{
	unsigned word;
	bool big;

	return kind_of(file, &word, &big) == RAW_NONE ? 0 : 35;
}

/* ---- the recording */

static const struct trace_format *raw_format(const struct recording *rec, uint16_t id)
{
	const struct trace_meta *m = rec->self;
	const struct recording *from = m->n_formats ? NULL : trace_other(rec);

	return from ? from->ops->format(from, id) : meta_format(rec, id);
}

static const char *raw_comm(const struct recording *rec, int32_t pid)
{
	const char *s = meta_comm(rec, pid);
	const struct recording *from = s ? NULL : trace_other(rec);

	return from && from->ops->comm ? from->ops->comm(from, pid) : s;
}

static bool raw_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	const struct trace_meta *m = rec->self;
	const struct recording *from = m->kallsyms.n ? NULL : trace_other(rec);

	if (!from)
		return meta_symbol(rec, addr, ret);
	return from->ops->symbol && from->ops->symbol(from, addr, ret);
}

static const char *raw_string(const struct recording *rec, uint64_t addr)
{
	const char *s = meta_string(rec, addr);
	const struct recording *from = s ? NULL : trace_other(rec);

	return from && from->ops->string ? from->ops->string(from, addr) : s;
}

static const struct recording_ops rawtrace_ops = {
	.open = pages_open,
	.next = pages_next,
	.page = pages_page,
	.format = raw_format,
	.each_format = meta_each_format,
	.comm = raw_comm,
	.tgid = meta_tgid,
	.symbol = raw_symbol,
	.string = raw_string,
	.address = meta_address,
};

/* All raw files that are given are one recording, which comes with the first. */
static struct raw *raw_of(struct target *t, const char *path)
{
	struct raw *raw;

	for (struct recording *r = traces_of(t)->first; r; r = r->next)
		if (r->ops == &rawtrace_ops)
			return r->self;
	raw = ARENA_NEW(&t->arena, struct raw);
	raw->meta.a = &t->arena;
	raw->page_size = PAGE_BYTES;
	raw->buffers = ARENA_ARRAY(&t->arena, struct trace_buffer, BUFFERS_MAX);
	raw->rec = (struct recording){ .t = t,
				       .origin = "pages of trace_pipe_raw",
				       .path = path,
				       .word_size = 8,
				       .buffers = raw->buffers,
				       .ops = &rawtrace_ops,
				       .self = raw };
	traces_add(t, &raw->rec);
	return raw;
}

/* "instances/NAME/per_cpu": NULL is the top buffer. */
static const char *instance_of(struct arena *a, const char *path)
{
	const char *at = strstr(path, "instances/");
	size_t n = at ? strcspn(at + 10, "/") : 0;

	return n && at[10 + n] ? arena_strndup(a, at + 10, n) : NULL;
}

static int cpu_of(const char *path, int otherwise)
{
	const char *at = NULL;
	uint64_t cpu;

	for (const char *p = path; (p = strstr(p, "cpu")); p += 3)
		if (isdigit((unsigned char)p[3]))
			at = p + 3;
	return at && number_take(&at, NULL, 10, &cpu) && cpu < 65536 ? (int)cpu : otherwise;
}

static struct trace_buffer *buffer_of(struct raw *raw, const char *name, bool snapshot)
{
	struct trace_buffer *b;

	for (size_t i = 0; i < raw->rec.n_buffers; i++) {
		b = &raw->buffers[i];
		if (b->snapshot == snapshot && !strcmp(b->name ? b->name : "", name ? name : ""))
			return b;
	}
	if (raw->rec.n_buffers >= BUFFERS_MAX)
		return NULL;
	b = &raw->buffers[raw->rec.n_buffers++];
	*b = (struct trace_buffer){ .recording = &raw->rec,
				    .name = name,
				    .snapshot = snapshot,
				    .clock = raw->clock,
				    .ns = trace_clock_ns(raw->clock),
				    .overwrite = true,
				    .page_size = raw->page_size,
				    .shows = TRACE_SHOW_DEFAULT };
	return b;
}

static bool add_pages(struct target *t, struct raw *raw, const struct file *file, unsigned word,
		      bool big, struct err *err)
{
	const char *base = base_of(file->path);
	struct trace_buffer *b =
		buffer_of(raw, instance_of(&t->arena, file->path), !strcmp(base, "snapshot_raw"));
	struct page_lane *pages = ARENA_NEW(&t->arena, struct page_lane);
	struct trace_lane *lanes, *lane;

	if (!b || b->n_lanes >= LANES_MAX)
		return err_set(err, ERR_LIMIT, "'%s': too many buffers or CPUs", file->path);
	pages->bytes = file->map;
	pages->size = file->map.n;
	pages->mapped = file->owned_fd;
	lanes = ARENA_ARRAY(&t->arena, struct trace_lane, b->n_lanes + 1);
	memcpy(lanes, b->lanes ? b->lanes : lanes, b->n_lanes * sizeof(*lanes));
	lane = &lanes[b->n_lanes];
	*lane = (struct trace_lane){ .cpu = cpu_of(file->path, (int)b->n_lanes), .self = pages };
	lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
	lane->dropped = lane->read = UINT64_MAX;
	lane->bytes = pages->size;
	b->lanes = lanes;
	b->n_lanes++;
	b->online = (unsigned)b->n_lanes;
	if ((unsigned)lane->cpu >= b->possible)
		b->possible = (unsigned)lane->cpu + 1;
	raw->rec.word_size = word;
	raw->rec.big_endian = big;
	return true;
}

/* "events/sched/sched_switch/format": "sched". */
static const char *system_of(struct arena *a, const char *path)
{
	const char *end = strrchr(path, '/'), *from;

	for (int i = 0; end && i < 1; i++)
		for (end--; end > path && *end != '/'; end--)
			;
	if (!end || end <= path)
		return "";
	for (from = end; from > path && from[-1] != '/'; from--)
		;
	return arena_strndup(a, from, (size_t)(end - from));
}

/* Thousands of format files are not kept open: their text is copied. */
static bool copy_text(struct target *t, struct file *file, struct span *ret, struct err *err)
{
	void *p;

	if (!arena_bytes(&t->arena, file->map.n, TEXT_MAX, &p, err))
		return err_wrap(err, "'%s'", file->path);
	memcpy(p, file->map.p, file->map.n);
	*ret = SPAN(p, file->map.n);
	return true;
}

static void set_clock(struct target *t, struct raw *raw, struct span s)
{
	const uint8_t *open = memchr(s.p, '[', s.n);
	const uint8_t *close = open ? memchr(open, ']', s.n - (size_t)(open - s.p)) : NULL;

	if (!close)
		return;
	raw->clock = arena_strndup(&t->arena, (const char *)open + 1, (size_t)(close - open - 1));
	for (size_t i = 0; i < raw->rec.n_buffers; i++) {
		raw->buffers[i].clock = raw->clock;
		raw->buffers[i].ns = trace_clock_ns(raw->clock);
	}
}

static void set_header(struct raw *raw, struct span s)
{
	meta_header_page(s, &raw->rec.word_size, &raw->page_size);
	for (size_t i = 0; i < raw->rec.n_buffers; i++)
		raw->buffers[i].page_size = raw->page_size;
}

static bool rawtrace_open(struct target *t, struct file *file, struct err *err)
{
	struct raw *raw = raw_of(t, file->path);
	struct span text;
	unsigned word;
	bool big;
	enum raw_kind kind = kind_of(file, &word, &big);

	if (kind == RAW_PAGES)
		return add_pages(t, raw, file, word, big, err);
	if (!copy_text(t, file, &text, err))
		return false;
	switch (kind) {
	case RAW_FORMAT:
		meta_add_format(&raw->meta, system_of(&t->arena, file->path), text);
		break;
	case RAW_HEADER:
		set_header(raw, text);
		break;
	case RAW_COMMS:
		raw->meta.cmdlines = text;
		break;
	case RAW_TGIDS:
		raw->meta.tgids = text;
		break;
	case RAW_PRINTK:
		raw->meta.printk = text;
		break;
	case RAW_SYMBOLS:
		raw->meta.kallsyms = text;
		break;
	default:
		set_clock(t, raw, text);
		break;
	}
	if (file->owned_fd)
		file_close(file);
	return true;
}

const struct reader reader_rawtrace = {
	.name = "rawtrace",
	.summary = "pages of trace_pipe_raw, and the files of tracefs beside them",
	.probe = rawtrace_probe,
	.open = rawtrace_open,
};
