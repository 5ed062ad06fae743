/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A persistent ring buffer's memory as a file: what a traced kernel left in a reserved region. */
#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/subbuf.h"
#include "readers/reader.h"
#include "readers/trace/tracepages.h"

/*
 * kernel/trace/ring_buffer.c of v6.12, struct ring_buffer_meta; a chunk for each CPU, in their
 * order: { int magic, struct_size; long text_addr, data_addr, first_buffer, head_buffer,
 * commit_buffer; u32 subbuf_size, nr_subbufs; int buffers[nr_subbufs] }, then from the next
 * multiple of subbuf_size on the sub-buffers. Later kernels have another head, which is not read.
 *
 * A sub-buffer that holds nothing has a commit of 0, and the others are of one time after another:
 * their order needs no list, which may be torn.
 */
#define META_MAGIC 0xbadfeedu
#define SUBBUF_MIN 4096u
#define SUBBUF_MAX (4096u << 10)
#define SUBBUFS_MAX (1u << 22)
#define CPUS_LIMIT 65536u
#define COMMIT_BYTES 0x3fffffffu

struct head {
	unsigned word;
	uint64_t text;        /* where rb_meta_init_text_addr() was */
	uint32_t size, n;     /* of a sub-buffer, and how many there are */
	uint64_t pages, next; /* offsets in the file: of the first, and behind the last */
};

struct ringimage {
	struct recording rec;
	uint64_t text;
	bool asked, has_text;
	uint64_t text_now; /* where the same function is in the symbols that are loaded */
};

static uint64_t word_at(const uint8_t *p, unsigned word)
{
	return word == 8 ? load_le64(p) : load_le32(p);
}

static bool head_read(struct span s, uint64_t at, struct head *ret)
{
	const uint8_t *p = s.p + at;
	uint32_t struct_size;
	uint64_t buffers;

	if (at > s.n || s.n - at < 64 || load_le32(p) != META_MAGIC)
		return false;
	struct_size = load_le32(p + 4);
	ret->word = struct_size == 56 ? 8 : struct_size == 36 ? 4 : 0;
	if (!ret->word)
		return false;
	ret->text = word_at(p + 8, ret->word);
	ret->size = load_le32(p + struct_size - 8);
	ret->n = load_le32(p + struct_size - 4);
	if (ret->size < SUBBUF_MIN || ret->size > SUBBUF_MAX || (ret->size & (ret->size - 1)) ||
	    ret->n < 2 || ret->n > SUBBUFS_MAX)
		return false;
	buffers = at + struct_size + 4 * (uint64_t)ret->n;
	ret->pages = (buffers + ret->size - 1) & ~(uint64_t)(ret->size - 1);
	ret->next = ret->pages + (uint64_t)ret->n * ret->size;
	return true;
}

static int ringimage_probe(const struct file *file)
{
	struct head h;

	return head_read(file->map, 0, &h) ? 90 : 0;
}

/* ---- names and formats are those of the same kernel's dump, or vmlinux */

static const struct trace_format *image_format(const struct recording *rec, uint16_t id)
{
	const struct recording *o = trace_other(rec);

	return o ? o->ops->format(o, id) : NULL;
}

static bool image_each_format(const struct recording *rec,
			      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
			      struct err *err)
{
	const struct recording *o = trace_other(rec);

	return !o || !o->ops->each_format || o->ops->each_format(o, fn, arg, err);
}

/* How far this kernel lies from the one that wrote; false: no symbols are loaded, or of a kernel
 * that has no such buffers. */
static bool moved(const struct recording *rec, uint64_t *by)
{
	struct ringimage *image = rec->self;

	if (!image->asked) {
		image->asked = true;
		image->has_text = symbol_addr(rec->t, "rb_meta_init_text_addr", &image->text_now);
	}
	*by = image->text_now - image->text;
	return image->has_text;
}

static bool image_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	uint64_t by, offset;
	struct symbol sym;
	struct err ignored;

	if (!moved(rec, &by) || !symbol_at(rec->t, addr + by, &sym, &offset, &ignored))
		return false;
	*ret = (struct trace_symbol){ sym.name, sym.module, offset, sym.size };
	return true;
}

/* trace_printk's formats lie as far from the text as they did. */
static const char *image_string(const struct recording *rec, uint64_t addr)
{
	const struct recording *o = trace_other(rec);
	uint64_t by;

	return o && o->ops->string && moved(rec, &by) ? o->ops->string(o, addr + by) : NULL;
}

static const struct recording_ops ringimage_ops = {
	.open = pages_open,
	.next = pages_next,
	.page = pages_page,
	.format = image_format,
	.each_format = image_each_format,
	.symbol = image_symbol,
	.string = image_string,
};

/* ---- one CPU's chunk */

struct stamped {
	uint64_t ts, at;
};

static int by_stamp(const void *a, const void *b)
{
	const struct stamped *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static struct page_lane *lane_of(struct target *t, struct span s, const struct head *h)
{
	struct page_lane *l = ARENA_NEW(&t->arena, struct page_lane);
	VEC(struct stamped) found = { 0 };
	struct page_chunk *chunks;
	uint64_t lost = 0;

	for (uint32_t i = 0; i < h->n; i++) {
		uint64_t at = h->pages + (uint64_t)i * h->size;

		if (at > s.n || s.n - at < h->size)
			lost++;
		else if (word_at(s.p + at + 8, h->word) & COMMIT_BYTES)
			*vec_push(&found) = (struct stamped){ load_le64(s.p + at), at };
	}
	if (found.n)
		qsort(found.p, found.n, sizeof(*found.p), by_stamp);
	chunks = ARENA_ARRAY(&t->arena, struct page_chunk, found.n + 1);
	for (size_t i = 0; i < found.n; i++)
		chunks[i] = (struct page_chunk){ SPAN(s.p + found.p[i].at, h->size),
						 (uint64_t)i * h->size, h->size };
	l->chunks = chunks;
	l->n_chunks = found.n;
	l->size = (uint64_t)found.n * h->size;
	l->marks = TRACE_PREVIOUS;
	if (lost)
		err_set(&l->damage, ERR_TRUNCATED, "%u of %u sub-buffers are behind the file's end",
			(unsigned)lost, h->n);
	vec_release(&found);
	return l;
}

static void lane_fill(struct trace_lane *lane, int cpu, struct page_lane *pages)
{
	*lane = (struct trace_lane){ .cpu = cpu, .self = pages };
	lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
	lane->dropped = lane->read = UINT64_MAX;
	lane->bytes = pages->size;
	if (pages->n_chunks)
		lane->first_ts = load_le64(pages->chunks[0].packed.p);
}

/* A CPU's chunk as the file has it. */
struct chunk {
	struct trace_lane lane;
	uint64_t text;
	bool holds, dealt;
};

/* The chunks of one boot: a chunk that held nothing when the next kernel looked was made anew by
 * that, with its own addresses. */
static struct recording *boot_of(struct target *t, const char *path, const struct head *first,
				 uint64_t text, struct chunk *v, size_t n)
{
	struct ringimage *image = ARENA_NEW(&t->arena, struct ringimage);
	struct trace_buffer *b = ARENA_NEW(&t->arena, struct trace_buffer);
	struct trace_lane *lanes = ARENA_ARRAY(&t->arena, struct trace_lane, n);

	image->text = text;
	image->rec = (struct recording){ .t = t,
					 .origin = "a persistent ring buffer",
					 .path = path,
					 .word_size = first->word,
					 .buffers = b,
					 .n_buffers = 1,
					 .ops = &ringimage_ops,
					 .self = image };
	*b = (struct trace_buffer){ .recording = &image->rec,
				    .name = "persistent",
				    .ns = true,
				    .overwrite = true,
				    .previous_boot = true,
				    .page_size = first->size,
				    .shows = TRACE_SHOW_DEFAULT,
				    .online = (unsigned)n,
				    .possible = (unsigned)n,
				    .lanes = lanes };
	for (size_t i = 0; i < n; i++)
		if (!v[i].dealt && (v[i].text == text || !v[i].holds)) {
			v[i].dealt = true;
			lanes[b->n_lanes++] = v[i].lane;
		}
	return &image->rec;
}

static bool ringimage_open(struct target *t, struct file *file, struct err *err)
{
	VEC(struct chunk) v = { 0 };
	struct head first, h;
	bool any = false;

	if (!head_read(file->map, 0, &first))
		return err_set(err, ERR_FORMAT, "'%s' is no persistent ring buffer", file->path);
	for (uint64_t at = 0; v.n < CPUS_LIMIT && head_read(file->map, at, &h); at = h.next) {
		struct page_lane *pages;
		struct chunk *c;

		if (h.word != first.word || h.size != first.size)
			break;
		pages = lane_of(t, file->map, &h);
		c = vec_push(&v);
		lane_fill(&c->lane, (int)v.n - 1, pages);
		c->text = h.text;
		c->holds = pages->n_chunks > 0 || pages->damage.code;
	}
	for (size_t i = 0; i < v.n; i++)
		if (v.p[i].holds && !v.p[i].dealt) {
			traces_add(t, boot_of(t, file->path, &first, v.p[i].text, v.p, v.n));
			any = true;
		}
	if (!any)
		traces_add(t, boot_of(t, file->path, &first, first.text, v.p, v.n));
	vec_release(&v);
	return true;
}

const struct reader reader_ringimage = {
	.name = "ringimage",
	.summary = "memory of a persistent ring buffer (trace_instance=NAME@...)",
	.probe = ringimage_probe,
	.open = ringimage_open,
};
