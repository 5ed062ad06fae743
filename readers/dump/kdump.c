/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed dumps: makedumpfile's, and QEMU's once it is put in order by flat.c. */
#include <string.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "readers/dump/image.h"
#include "readers/inflate.h"
#include "readers/dump/notes.h"
#include "readers/reader.h"

/*
 * makedumpfile diskdump_mod.h: struct disk_dump_header in the first block, struct kdump_sub_header
 * in the next ones; then two bitmaps of page frames (is RAM; is in the dump), a descriptor for each
 * page that is in the dump, in order, and the pages. Longs are the dumped
 * machine's.
 */
#define HEAD_SIZE 464u
#define SUB_SIZE 104u
#define DESC_SIZE 24u
#define BLOCK_MIN 4096u
#define BLOCK_MAX (1u << 20)
#define BITMAP_MAX (UINT64_C(512) << 20)
#define NOTES_MAX (UINT64_C(64) << 20)
#define REGIONS_MAX 65536u
#define RANK_BITS 1024u /* a rank is kept for each so many page frames */
#define TAIL_PAGES 4096u
#define WHO_AT 12u /* struct new_utsname, and the time behind it */
#define WHO_SIZE 404u

enum {
	HEAD_INCOMPLETE = 8
};

/* Offsets in the header. */
struct head_layout {
	unsigned time, time_size, status, block, sub, bitmap, frames;
};
static const struct head_layout head_of_64 = { 408, 8, 424, 428, 432, 436, 440 };
static const struct head_layout head_of_32 = { 404, 4, 412, 416, 420, 424, 428 };

/* Offsets in the sub header. QEMU packs those of 32-bit machines as x86 does; makedumpfile on ARM
 * aligns numbers of 64 bits. */
struct sub_layout {
	unsigned level, split, first, end, info, info_n, notes, notes_n;
	unsigned first_64, end_64, frames_64;
	unsigned size; /* of a long */
};
static const struct sub_layout sub_of_64 = { 8, 12, 16, 24, 32, 40, 48, 56, 80, 88, 96, 8 };
static const struct sub_layout sub_of_arm = { 4, 8, 12, 16, 24, 32, 40, 48, 72, 80, 88, 4 };
static const struct sub_layout sub_packed = { 4, 8, 12, 16, 20, 28, 32, 40, 56, 64, 72, 4 };

struct kdump {
	struct image *im;
	const struct head_layout *head;
	const struct sub_layout *sub;
	uint32_t version, status, block;
	uint64_t frames; /* page frames the bitmaps speak of */
	struct span is_ram, in_dump;
	uint64_t *ranks; /* pages in the dump before each RANK_BITS frames */
	uint64_t pages,
		first_rank;  /* pages in the dump; of a split one, those in the files before */
	uint64_t first, end; /* frames of this file */
	uint64_t descs;      /* offset of the descriptors */
	uint8_t *page;       /* the block read last */
	uint64_t page_frame; /* its frame, UINT64_MAX: none */
	uint8_t *packed;
	struct inflater inflater;
	bool split;            /* it is one of several that `makedumpfile --split` wrote */
	uint8_t who[WHO_SIZE]; /* the header's names and time */
};

/* The files of one dump: one, or those of a split one. Each has headers and bitmaps of the whole
 * dump, and descriptors and pages of its own range of frames. */
struct kdump_set {
	VEC(struct kdump *) parts; /* by their first frames */
	size_t hint;               /* the part that was read last */
	bool split;
};

struct desc {
	uint64_t off;
	uint32_t n, flags;
};

bool kdump_is(struct image *im)
{
	uint8_t magic[8];
	struct err err;

	return image_read(im, 0, magic, sizeof(magic), &err) && memcmp(magic, "KDUMP   ", 8) == 0;
}

static int kdump_probe(const struct file *file)
{
	return file->map.n >= 8 && memcmp(file->map.p, "KDUMP   ", 8) == 0 ? 100 : 0;
}

static bool bit(struct span map, uint64_t i)
{
	return map.p[i / 8] >> i % 8 & 1;
}

/* Bits set in n bytes. */
static uint64_t count_bits(const uint8_t *p, size_t n)
{
	uint64_t sum = 0;

	for (; n >= 8; p += 8, n -= 8) {
		uint64_t word = load_le64(p);

		/* in a machine of terabytes nearly all words are of one kind */
		sum += !word ? 0 : !~word ? 64 : (uint64_t)__builtin_popcountll(word);
	}
	for (; n; p++, n--)
		sum += (uint64_t)__builtin_popcount(*p);
	return sum;
}

/* The first frame from i on whose bit is so; `end` when there is none before it. */
static uint64_t seek_bit(struct span map, uint64_t i, uint64_t end, bool set)
{
	uint64_t other = set ? 0 : ~UINT64_C(0);

	while (i < end && bit(map, i) != set) {
		i++;
		while (i % 64 == 0 && i + 64 <= end && load_le64(map.p + i / 8) == other)
			i += 64;
	}
	return i;
}

/* How many pages in the dump come before this frame. */
static uint64_t rank_of(const struct kdump *k, uint64_t frame)
{
	uint64_t base = frame / RANK_BITS;
	const uint8_t *p = k->in_dump.p + base * (RANK_BITS / 8);
	unsigned rest = frame % RANK_BITS;
	uint64_t n = k->ranks[base] + count_bits(p, rest / 8);

	if (rest % 8)
		n += (uint64_t)__builtin_popcount(p[rest / 8] & ((1u << rest % 8) - 1));
	return n;
}

static bool read_desc(struct kdump *k, uint64_t rank, struct desc *ret, struct err *err)
{
	uint8_t d[DESC_SIZE];

	if (!image_read(k->im, k->descs + rank * DESC_SIZE, d, sizeof(d), err))
		return false;
	*ret = (struct desc){ .off = load_le64(d),
			      .n = load_le32(d + 8),
			      .flags = load_le32(d + 12) };
	return true;
}

/* A descriptor that was never written: the disk was full, or the pipe broke. */
static bool is_lost(struct kdump *k, const struct desc *d)
{
	return d->off == 0 || !image_has(k->im, d->off, d->n);
}

/* The file ends within this descriptor or before it, and so before all behind it. */
static bool is_past_end(const struct kdump *k, uint64_t rank)
{
	return k->descs + (rank + 1) * DESC_SIZE > k->im->size;
}

static bool fail(uint64_t frame, const struct kdump *k, enum err_code code, const char *why,
		 struct err *err)
{
	uint64_t pa = frame * k->block;

	return err_set_addr(err, code, pa, "physical page 0x%llx %s", (unsigned long long)pa, why);
}

static bool unreadable(uint64_t frame, const struct kdump *k, struct err *err)
{
	return fail(frame, k, ERR_UNREADABLE, "can no longer be read from the file", err);
}

/* What the bitmaps say of a frame, from a file that may have failed since it was opened. */
static bool read_bits(const struct kdump *k, uint64_t frame, bool *is_ram, bool *in_dump,
		      uint64_t *rank)
{
	uint64_t base = frame / RANK_BITS * (RANK_BITS / 8), n = frame / 8 + 1 - base;

	*is_ram = bit(k->is_ram, frame);
	*in_dump = bit(k->in_dump, frame);
	*rank = *in_dump ? rank_of(k, frame) : 0;
	return !mapping_lost(k->is_ram.p + frame / 8, 1) && !mapping_lost(k->in_dump.p + base, n);
}

/* A whole block, unpacked into `out`. */
static bool load_block(struct kdump *k, uint64_t frame, uint8_t *out, struct err *err)
{
	struct desc d;
	const uint8_t *p;
	bool is_ram, in_dump, whole;
	uint64_t rank;
	struct err why = { 0 };

	if (frame >= k->frames)
		return fail(frame, k, ERR_NOTRAM, "is not memory", err);
	if (!read_bits(k, frame, &is_ram, &in_dump, &rank))
		return unreadable(frame, k, err);
	if (!is_ram)
		return fail(frame, k, ERR_NOTRAM, "is not memory", err);
	if (!in_dump)
		return fail(frame, k, ERR_EXCLUDED, "was left out by the dumper", err);
	if (frame < k->first || frame >= k->end)
		return fail(frame, k, ERR_TRUNCATED,
			    "is in a part of this split dump that was not given", err);
	if (!read_desc(k, rank - k->first_rank, &d, &why) || is_lost(k, &d))
		return why.code == ERR_UNREADABLE ? unreadable(frame, k, err)
						  : fail(frame, k, ERR_TRUNCATED,
							 "is beyond the end of the file", err);
	if (d.n == 0 || d.n > k->block || (d.flags == 0 && d.n != k->block))
		return fail(frame, k, ERR_CORRUPT, "has a damaged descriptor", err);
	p = image_map(k->im, d.off, d.n);
	if (!p) {
		if (!image_read(k->im, d.off, k->packed, d.n, &why))
			return why.code == ERR_UNREADABLE
				       ? unreadable(frame, k, err)
				       : fail(frame, k, ERR_TRUNCATED,
					      "is beyond the end of the file", err);
		p = k->packed;
	}
	whole = d.flags ? page_inflate(&k->inflater, d.flags, SPAN(p, d.n), out, k->block, &why)
			: memcpy(out, p, k->block) != NULL;
	if (mapping_lost(p, d.n))
		return unreadable(frame, k, err);
	return whole || fail(frame, k, ERR_CORRUPT, why.msg, err);
}

/* A part of a block is taken from k->page, which keeps the last one. */
static bool read_part(struct kdump *k, uint64_t pa, uint8_t *out, size_t n, struct err *err)
{
	uint64_t frame = pa / k->block;

	if (n == k->block)
		return load_block(k, frame, out, err);
	if (k->page_frame != frame) {
		k->page_frame = UINT64_MAX;
		if (!load_block(k, frame, k->page, err))
			return false;
		k->page_frame = frame;
	}
	memcpy(out, k->page + pa % k->block, n);
	return true;
}

/* The part that has the frame; one that only knows whether it is in the dump when none has. */
static struct kdump *part_of(struct kdump_set *set, uint64_t frame)
{
	struct kdump *k = set->parts.p[set->hint];

	for (size_t i = 0; i < set->parts.n && (frame < k->first || frame >= k->end); i++)
		k = set->parts.p[set->hint = i];
	return k;
}

static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct kdump_set *set = self;
	uint64_t block = set->parts.p[0]->block;
	uint8_t *out = buf;

	while (n) {
		size_t part = block - pa % block;

		if (part > n)
			part = n;
		if (!read_part(part_of(set, pa / block), pa, out, part, err))
			return false;
		out += part;
		pa += part;
		n -= part;
	}
	return true;
}

static uint64_t absent_end(void *self, uint64_t pa)
{
	struct kdump_set *set = self;
	const struct kdump *k = part_of(set, pa / set->parts.p[0]->block);
	uint64_t i = pa / k->block;

	if (i >= k->frames)
		return pa;
	if (bit(k->in_dump, i) && i >= k->first && i < k->end &&
	    is_past_end(k, rank_of(k, i) - k->first_rank))
		return k->end * k->block;
	return seek_bit(k->in_dump, i, k->frames, true) * k->block;
}

static void close_part(struct kdump *k)
{
	inflater_release(&k->inflater);
	image_release(k->im);
}

static void close_phys(void *self)
{
	struct kdump_set *set = self;

	for (size_t i = 0; i < set->parts.n; i++)
		close_part(set->parts.p[i]);
	vec_release(&set->parts);
}

/* A field of struct new_utsname as text without surprises. */
static const char *uts_field(struct target *t, const uint8_t *p)
{
	char *s = arena_strndup(&t->arena, (const char *)p, strnlen((const char *)p, 65));

	for (char *c = s; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return s;
}

static bool sane_block(uint32_t block)
{
	return block >= BLOCK_MIN && block <= BLOCK_MAX && (block & (block - 1)) == 0;
}

static bool read_head(struct kdump *k, uint8_t h[HEAD_SIZE], struct err *err)
{
	const char *path = k->im->file->path;

	if (!image_read(k->im, 0, h, HEAD_SIZE, err))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header", path);
	k->version = load_le32(h + 8);
	k->head = &head_of_64;
	if (!sane_block(load_le32(h + k->head->block)) &&
	    sane_block(load_le32(h + head_of_32.block)))
		k->head = &head_of_32;
	k->status = load_le32(h + k->head->status);
	k->block = load_le32(h + k->head->block);
	if (!sane_block(k->block)) {
		if (sane_block(__builtin_bswap32(k->block)))
			return err_set(
				err, ERR_UNSUPPORTED,
				"'%s' is the dump of a big-endian kernel, which obit cannot read yet",
				path);
		return err_set(err, ERR_FORMAT,
			       "'%s': damaged kdump header: a block size of %u bytes", path,
			       k->block);
	}
	memcpy(k->who, h + WHO_AT, WHO_SIZE);
	return true;
}

/* By the number of page frames, which both headers have. */
static const struct sub_layout *sub_layout_of(const struct kdump *k, const uint8_t *h,
					      const uint8_t *sub)
{
	uint32_t frames = load_le32(h + k->head->frames);

	if (k->head == &head_of_64)
		return &sub_of_64;
	return k->version >= 6 && load_le32(sub + sub_packed.frames_64) == frames &&
			       load_le32(sub + sub_of_arm.frames_64) != frames
		       ? &sub_packed
		       : &sub_of_arm;
}

/* The sub header's notes and, where there are no notes, its VMCOREINFO. */
static void read_notes(struct target *t, struct kdump *k, const uint8_t *sub)
{
	const struct sub_layout *l = k->sub;
	uint64_t notes_n = load_le(sub + l->notes_n, l->size),
		 info_n = load_le(sub + l->info_n, l->size);
	struct span s;
	struct err err;

	if (k->version >= 4 && notes_n) {
		if (image_bytes(k->im, load_le64(sub + l->notes), notes_n, NOTES_MAX, &t->arena, &s,
				&err))
			notes_read(t, s, false);
		else
			target_warn(t, err.code, "notes of the dump: %s", err.msg);
	}
	if (k->version >= 3 && info_n) {
		if (image_bytes(k->im, load_le64(sub + l->info), info_n, VMCOREINFO_MAX, &t->arena,
				&s, &err))
			vmcoreinfo_set(t, s, "note");
		else
			target_warn(t, err.code, "VMCOREINFO of the dump: %s", err.msg);
	}
	if (!t->arch)
		t->arch = vmcoreinfo_arch(t);
}

static bool read_bitmaps(struct target *t, struct kdump *k, const uint8_t *h, uint64_t frames,
			 struct err *err)
{
	uint64_t sub = load_le32(h + k->head->sub), blocks = load_le32(h + k->head->bitmap), half;
	uint64_t need = (frames / 8 + (frames % 8 != 0) + k->block - 1) / k->block;
	struct span s;

	/* before makedumpfile there was one bitmap; two when they fill the room */
	half = blocks >= 2 * need && need ? blocks / 2 : blocks;
	if (!image_bytes(k->im, (1 + sub) * k->block, blocks * k->block, BITMAP_MAX, &t->arena, &s,
			 err))
		return err->code == ERR_LIMIT
			       ? err_wrap(err, "page bitmaps of '%s'", k->im->file->path)
			       : err_set(err, ERR_TRUNCATED,
					 "'%s' is cut short within its page bitmaps",
					 k->im->file->path);
	mapping_fetch(s.p, s.n);
	k->is_ram = SPAN(s.p, half * k->block);
	k->in_dump = SPAN(s.p + (blocks - half) * k->block, half * k->block);
	k->frames = frames < k->is_ram.n * 8 ? frames : k->is_ram.n * 8;
	k->descs = (1 + sub + blocks) * k->block;
	return true;
}

static void count_pages(struct target *t, struct kdump *k)
{
	size_t n = k->frames / RANK_BITS + 1, step = RANK_BITS / 8;
	uint64_t sum = 0;

	k->ranks = ARENA_ARRAY(&t->arena, uint64_t, n + 1);
	for (size_t i = 0; i < n; i++) {
		size_t at = i * step, left = k->in_dump.n - (at < k->in_dump.n ? at : k->in_dump.n);

		k->ranks[i] = sum;
		sum += count_bits(k->in_dump.p + at, left < step ? left : step);
	}
	k->end = k->end < k->frames ? k->end : k->frames;
	k->first = k->first < k->end ? k->first : k->end;
	k->first_rank = rank_of(k, k->first);
	k->pages = rank_of(k, k->end) - k->first_rank;
}

/* The last frame whose bit is set, + 1; `from` when there is none from there on. */
static uint64_t last_bit(struct span map, uint64_t from, uint64_t end)
{
	while (end > from && !bit(map, end - 1))
		end -= end % 8 || map.p[end / 8 - 1] || end - from < 8 ? 1 : 8;
	return end;
}

/* RAM as the first bitmap has it, as regions; the last one covers what is left of an absurd number.
 */
static void describe_ram(struct target *t, const struct kdump *k)
{
	uint64_t from, i = 0;

	while ((from = seek_bit(k->is_ram, i, k->frames, true)) < k->frames) {
		i = t->ram.n + 1 < REGIONS_MAX ? seek_bit(k->is_ram, from, k->frames, false)
					       : last_bit(k->is_ram, from, k->frames);
		*vec_push(&t->ram) = (struct ram_region){ from * k->block, i * k->block - 1 };
	}
}

/* How many pages were lost. The pages lie in order: if the last ones are there, all are. */
static bool count_missing(struct kdump *k, uint64_t from, uint64_t *ret, struct err *err)
{
	*ret = 0;
	for (uint64_t i = from; i < k->pages; i++) {
		struct desc d;
		struct err why;

		if (i % 4096 == 0 && !interrupt_check(err))
			return false;
		if (is_past_end(k, i)) {
			*ret += k->pages - i;
			break;
		}
		if (!read_desc(k, i, &d, &why) || is_lost(k, &d))
			++*ret;
	}
	return true;
}

/* The pages begin where the descriptors end, in makedumpfile's dumps and in QEMU's: if not, bits of
 * the bitmap are wrong, and with them which descriptor is whose. In between makedumpfile leaves a
 * page of zeros for all empty ones, which in a part of a split dump, and in what --reassemble makes
 * of the parts, no descriptor may use. */
static bool layout_fits(struct kdump *k, bool *ret, struct err *err)
{
	uint64_t first = UINT64_MAX, begin = k->descs + k->pages * DESC_SIZE, table = begin;

	/* as a rule the first descriptor tells; QEMU writes the page that stands for all empty ones
	 * in front, whichever comes first */
	for (uint64_t i = 0; i < k->pages && !is_past_end(k, i) && first != begin; i++) {
		struct desc d;
		struct err why;

		if (i % 4096 == 0 && !interrupt_check(err))
			return false;
		if (read_desc(k, i, &d, &why) && d.off && d.off < first)
			first = d.off;
	}
	/* makedumpfile leaves room for the whole dump's descriptors in each part */
	if (k->split)
		table = k->descs + rank_of(k, k->frames) * DESC_SIZE;
	*ret = first == UINT64_MAX || first == begin || first == table || first == table + k->block;
	return true;
}

/* What the headers say of the dump; of a split one those of its first part say it. */
static bool tell_dump(struct target *t, struct kdump *k, const uint8_t *h, const uint8_t *sub,
		      struct err *err)
{
	const char *how = inflate_name(k->status), *path = k->im->file->path;
	struct dump *d = &t->dump;

	d->nodename = uts_field(t, h + 77);
	d->release = uts_field(t, h + 142);
	d->version = uts_field(t, h + 207);
	d->machine = uts_field(t, h + 272);
	if (strcmp(d->machine, "Unknown") == 0) /* QEMU, of a machine other than x86 */
		d->machine = "";
	d->crash_time = load_le(h + k->head->time, k->head->time_size);
	d->dump_level = load_le32(sub + k->sub->level);
	/* what this does not tell (QEMU leaves names empty) the notes may */
	if (arch_of_name(d->machine) && !reader_arch(t, arch_of_name(d->machine), path, err))
		return false;
	read_notes(t, k, sub);
	if (!t->arch && d->machine[0])
		return reader_arch(t, NULL, path, err);
	d->file = k->im->file;
	d->format = arena_printf(&t->arena, "%s%skdump%s%s%s", k->im->flat ? "flattened " : "",
				 k->split ? "split " : "", how ? " (" : "", how ? how : "",
				 how ? ")" : "");
	describe_ram(t, k);
	return true;
}

/* What is there of a file's pages. */
static bool tell_pages(struct target *t, struct kdump *k, struct err *err)
{
	uint64_t per = k->block / 4096, missing;
	bool fits;

	if (!count_missing(k, k->pages > TAIL_PAGES ? k->pages - TAIL_PAGES : 0, &missing, err))
		return false;
	if ((missing || k->im->cut || (k->status & HEAD_INCOMPLETE)) &&
	    !count_missing(k, 0, &missing, err))
		return false;
	t->dump.missing_pages += missing * per;
	t->dump.present_pages += (k->pages - missing) * per;
	t->dump.truncated |= missing || k->im->cut;
	if (!layout_fits(k, &fits, err))
		return false;
	if (!fits)
		target_warn(t, ERR_CORRUPT,
			    "the dump's page bitmaps are damaged: memory may be another page's");
	if (k->status & HEAD_INCOMPLETE)
		target_warn(t, ERR_TRUNCATED,
			    "the dumper says that the dump is incomplete: its disk was full");
	return true;
}

/* Both headers; the bitmaps are not looked at. */
static bool read_headers(struct kdump *k, uint8_t h[HEAD_SIZE], uint8_t sub[SUB_SIZE],
			 struct err *err)
{
	if (!read_head(k, h, err))
		return false;
	/* the sub header came with version 1 */
	if (k->version >= 1 && !image_read(k->im, k->block, sub, SUB_SIZE, err))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header",
			       k->im->file->path);
	k->sub = sub_layout_of(k, h, sub);
	k->split = k->version >= 2 && load_le32(sub + k->sub->split);
	return true;
}

uint64_t kdump_set_of(const struct file *file)
{
	uint8_t h[HEAD_SIZE], sub[SUB_SIZE] = { 0 };
	uint64_t sum = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
	struct image im;
	struct kdump k = { .im = &im };
	struct err err;

	image_of_file(&im, (struct file *)file);
	if (!kdump_is(&im) || !read_headers(&k, h, sub, &err) || !k.split)
		sum = 0;
	for (size_t i = 0; sum && i < WHO_SIZE; i++)
		sum = (sum ^ k.who[i]) * UINT64_C(0x100000001b3);
	image_release(&im);
	return sum;
}

static bool open_image(struct target *t, struct kdump *k, uint8_t h[HEAD_SIZE],
		       uint8_t sub[SUB_SIZE], struct err *err)
{
	const struct sub_layout *l;
	uint64_t frames;

	if (!read_headers(k, h, sub, err))
		return false;
	l = k->sub;
	frames = k->version >= 6 ? load_le64(sub + l->frames_64) : load_le32(h + k->head->frames);
	k->first = 0;
	k->end = UINT64_MAX;
	if (k->split) {
		k->first = k->version >= 6 ? load_le64(sub + l->first_64)
					   : load_le(sub + l->first, l->size);
		k->end = k->version >= 6 ? load_le64(sub + l->end_64)
					 : load_le(sub + l->end, l->size);
	}
	if (!read_bitmaps(t, k, h, frames, err))
		return false;
	if (k->frames == 0)
		return err_set(err, ERR_FORMAT, "'%s': damaged kdump header: no memory",
			       k->im->file->path);
	count_pages(t, k);
	if (k->pages == 0 && k->im->cut)
		return err_set(err, ERR_TRUNCATED,
			       "'%s' is cut short: its page bitmaps, written last, are missing",
			       k->im->file->path);
	k->page = arena_alloc(&t->arena, k->block);
	k->packed = arena_alloc(&t->arena, k->block);
	return true;
}

/* ---- the parts of a split dump */

/* What two parts differ in that those of one dump share; NULL: nothing. */
static const char *part_differs(const struct kdump *a, const struct kdump *b)
{
	if (a->block != b->block || a->frames != b->frames)
		return "number of page frames";
	if (memcmp(a->who, b->who, WHO_SIZE) != 0)
		return "time or its kernel";
	if (a->is_ram.n != b->is_ram.n || memcmp(a->is_ram.p, b->is_ram.p, a->is_ram.n) != 0 ||
	    memcmp(a->in_dump.p, b->in_dump.p, a->in_dump.n) != 0)
		return "set of pages";
	return NULL;
}

/* Puts a part among the others, or closes it when it is there already. ERR_MISMATCH: it is of
 * another dump. */
static bool part_place(struct target *t, struct kdump_set *set, struct kdump *k, struct err *err)
{
	const char *path = k->im->file->path;
	size_t at = 0;

	for (size_t i = 0; i < set->parts.n; i++) {
		const struct kdump *p = set->parts.p[i];
		const char *differs = part_differs(p, k);

		if (differs)
			return err_set(err, ERR_MISMATCH,
				       "'%s' and '%s' are parts of two crashes: their %s differs",
				       p->im->file->path, path, differs);
		if (p->first == k->first && p->end == k->end && k->pages) {
			target_warn(t, ERR_USAGE, "'%s' and '%s' are the same part of a split dump",
				    p->im->file->path, path);
			close_part(k);
			return true;
		}
		at += p->first <= k->first;
	}
	if (!tell_pages(t, k, err))
		return false;
	(void)vec_push(&set->parts);
	memmove(&set->parts.p[at + 1], &set->parts.p[at],
		(set->parts.n - 1 - at) * sizeof(*set->parts.p));
	set->parts.p[at] = k;
	return true;
}

/* Pages of the frames between two parts. */
static void tell_gap(struct target *t, const struct kdump *k, uint64_t from, uint64_t to)
{
	uint64_t n = to > from ? rank_of(k, to) - rank_of(k, from) : 0;

	if (!n)
		return;
	t->dump.truncated = true;
	t->dump.missing_pages += n * (k->block / 4096);
	target_warn(
		t, ERR_TRUNCATED,
		"a part of this split dump is missing: it has %llu pages, from 0x%llx to 0x%llx",
		(unsigned long long)n, (unsigned long long)(from * k->block),
		(unsigned long long)(to * k->block - 1));
}

/* Pages of the frames that two parts claim, which no dumper writes: they were counted twice, and
 * which of the two is right nobody knows. */
static void tell_overlap(struct target *t, const struct kdump *k, uint64_t from, uint64_t to)
{
	uint64_t n = to > from ? (rank_of(k, to) - rank_of(k, from)) * (k->block / 4096) : 0;

	if (!n)
		return;
	t->dump.present_pages -= n < t->dump.present_pages ? n : t->dump.present_pages;
	target_warn(
		t, ERR_CORRUPT,
		"two parts of this split dump claim the same %llu pages, from 0x%llx to 0x%llx: memory "
		"there may be wrong",
		(unsigned long long)n, (unsigned long long)(from * k->block),
		(unsigned long long)(to * k->block - 1));
}

/* All files are open: says which parts are not there, or twice. */
static bool kdump_attach(struct target *t, struct err *err)
{
	struct kdump_set *set = t->memory.phys.self;
	uint64_t have = 0;

	(void)err;
	if (t->memory.phys.read != read_phys || !set->split)
		return true;
	for (size_t i = 0; i < set->parts.n; i++) {
		const struct kdump *k = set->parts.p[i];

		tell_gap(t, k, have, k->first);
		tell_overlap(t, k, k->first, have < k->end ? have : k->end);
		have = have > k->end ? have : k->end;
	}
	tell_gap(t, set->parts.p[0], have, set->parts.p[0]->frames);
	return true;
}

/* One more part joins the dump that is open; any other file is a dump of its own. */
static bool part_or_dump(struct target *t, struct kdump *k, const uint8_t *h, const uint8_t *sub,
			 struct err *err)
{
	struct kdump_set *set = t->memory.phys.self;

	if (t->memory.phys.read == read_phys && set->split && k->split)
		return part_place(t, set, k, err);
	if (!reader_once(t->dump.file, k->im->file, "dump", err) || !tell_dump(t, k, h, sub, err) ||
	    !tell_pages(t, k, err))
		return false;
	set = ARENA_NEW(&t->arena, struct kdump_set);
	set->split = k->split;
	*vec_push(&set->parts) = k;
	t->memory.phys = (struct phys_source){
		.read = read_phys, .absent_end = absent_end, .close = close_phys, .self = set
	};
	return true;
}

bool kdump_open(struct target *t, struct image *im, struct err *err)
{
	struct kdump *k = ARENA_NEW(&t->arena, struct kdump);
	uint8_t h[HEAD_SIZE], sub[SUB_SIZE] = { 0 };

	k->im = im;
	k->page_frame = UINT64_MAX;
	if (open_image(t, k, h, sub, err) && part_or_dump(t, k, h, sub, err))
		return true;
	close_part(k);
	return false;
}

uint32_t kdump_block(const struct target *t)
{
	const struct kdump_set *set = t->memory.phys.self;

	return t->memory.phys.read == read_phys ? set->parts.p[0]->block : 0;
}

static bool open_kdump(struct target *t, struct file *file, struct err *err)
{
	struct image *im = ARENA_NEW(&t->arena, struct image);

	image_of_file(im, file);
	return kdump_open(t, im, err);
}

const struct reader reader_kdump = {
	.name = "kdump",
	.summary = "a compressed dump: makedumpfile's, QEMU's",
	.probe = kdump_probe,
	.cut = true,
	.open = open_kdump,
	.seeks = true,
	.dumps = true,
	.attach = kdump_attach,
	.rank = -100, /* before anybody reads memory */
};
