/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory in a stream of QEMU's: what `migrate "exec:cat>FILE"` and `virsh save` write.
 *
 * Sections, each with a footer; that of memory is a list of words, a page's place and flags, each
 * with what the flags tell of. A page that changed while it was written comes again, and the last
 * counts. Where a block of memory lies is the board's to say, and not in the stream. Facts of the
 * layout: QEMU's docs/devel/migration, migration/ram.c; libvirt's src/qemu/qemu_saveimage.h. */
#include <string.h>

#include "core/base/guard.h"
#include "readers/dump/rammap.h"
#include "readers/reader.h"

#define PAGE UINT64_C(4096)
#define BLOCKS_MAX 64u
#define SAVED_HEAD 92u /* libvirt's: magic, five words, fourteen that are not used */
#define GIB (UINT64_C(1) << 30)
enum {
	SECTION_END = 0,
	SECTION_START = 1,
	SECTION_PART = 2,
	SECTION_LAST = 3,
	SECTION_FULL = 4,
	SECTION_BOARD = 7,
	SECTION_FOOTER = 0x7e,
	RAM_ZERO = 0x02,
	RAM_SIZES = 0x04,
	RAM_PAGE = 0x08,
	RAM_END = 0x10,
	RAM_SAME = 0x20,
	RAM_FLAGS = 0xfff
};

/* What a stream's memory consists of. pa of its offsets from `high` on is above 4 GiB. */
struct stream_block {
	struct span name;
	uint64_t size, pa, high;
	bool known; /* where it lies */
};

struct stream {
	struct target *t;
	struct file *file;
	struct rammap *m;
	struct cursor c;
	struct span board;
	struct stream_block blocks[BLOCKS_MAX];
	unsigned n;
	struct stream_block *last; /* of the page before */
	uint32_t ram;              /* the section's number; 0: it did not come yet */
};

/* Where the stream begins: behind what libvirt writes before it. */
static bool stream_at(struct span s, uint64_t *off, uint32_t *packed)
{
	bool saved = s.n > SAVED_HEAD &&
		     (!memcmp(s.p, "LibvirtQemudSave", 16) || !memcmp(s.p, "LibvirtQemudPart", 16));

	*off = 0;
	*packed = 0;
	if (saved) {
		*off = SAVED_HEAD + (uint64_t)load_le32(s.p + 20);
		*packed = load_le32(s.p + 28);
		return true;
	}
	return s.n >= 8 && !memcmp(s.p, "QEVM\0\0\0\3", 8);
}

static int stream_probe(const struct file *file)
{
	uint64_t off;
	uint32_t packed;

	return stream_at(file->map, &off, &packed) ? 90 : 0;
}

static bool is_text(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

static bool begins(struct span s, const char *text)
{
	return s.n >= strlen(text) && !memcmp(s.p, text, strlen(text));
}

/* Where boards have a block: what of pc.ram is above the hole for devices lies from 4 GiB on
 * (hw/i386/pc_piix.c, pc_q35.c); hw/arm/virt.c, hw/riscv/virt.c. Without the board's name it is
 * known only of what is smaller than any hole begins. */
static void place(const struct stream *s, struct stream_block *b)
{
	bool q35 = begins(s->board, "pc-q35");
	uint64_t hole = q35 ? (b->size >= 0xb0000000 ? 2 * GIB : 0xb0000000)
			    : (b->size >= 0xe0000000 ? 3 * GIB : 0xe0000000);

	b->high = UINT64_MAX;
	b->known = true;
	if (is_text(b->name, "pc.ram") && (begins(s->board, "pc-") || b->size <= 2 * GIB))
		b->high = hole;
	else if (is_text(b->name, "pc.bios") && b->size <= GIB)
		b->pa = 4 * GIB - b->size;
	else if (is_text(b->name, "mach-virt.ram"))
		b->pa = GIB;
	else if (is_text(b->name, "riscv_virt_board.ram"))
		b->pa = 2 * GIB;
	else
		b->known = false;
	if (!b->known)
		return;
	/* until its pages come */
	rammap_lost(s->m, b->pa, b->size < b->high ? b->size : b->high);
	if (b->size > b->high)
		rammap_lost(s->m, 4 * GIB, b->size - b->high);
}

static void add_page(struct stream *s, uint64_t at, bool zero)
{
	const struct stream_block *b = s->last;
	uint64_t pa = at >= b->high ? 4 * GIB + (at - b->high) : b->pa + at;

	if (!b->known)
		return;
	if (zero)
		rammap_zeros(s->m, pa, PAGE);
	else
		rammap_data(s->m, s->file, pa, PAGE, (uint64_t)(s->c.p - s->file->map.p));
}

/* ---- the section of memory */

static struct span counted(struct cursor *c)
{
	return cursor_take(c, cursor_u8(c));
}

static void read_sizes(struct stream *s, uint64_t total)
{
	while (total && !s->c.failed) {
		struct stream_block *b = &s->blocks[s->n];

		if (s->n == BLOCKS_MAX) {
			cursor_fail(&s->c, "has too many blocks of memory");
			return;
		}
		*b = (struct stream_block){ .name = counted(&s->c) };
		b->size = cursor_u64(&s->c);
		if (b->size > total || b->size % PAGE) {
			cursor_fail(&s->c, "has blocks of memory that do not add up");
			return;
		}
		place(s, b);
		total -= b->size;
		s->n++;
	}
}

static void read_page(struct stream *s, uint64_t at, unsigned flags)
{
	if (!(flags & RAM_SAME)) {
		struct span name = counted(&s->c);

		s->last = NULL;
		for (unsigned i = 0; i < s->n; i++)
			if (name.n == s->blocks[i].name.n &&
			    !memcmp(name.p, s->blocks[i].name.p, name.n))
				s->last = &s->blocks[i];
	}
	if (!s->last || at >= s->last->size) {
		cursor_fail(&s->c, "has a page of no block");
		return;
	}
	if (flags & RAM_ZERO) {
		(void)cursor_u8(&s->c);
		add_page(s, at, true);
	} else {
		add_page(s, at, false);
		cursor_skip(&s->c, PAGE);
	}
}

/* Up to its end, where its footer follows. */
static void read_ram(struct stream *s)
{
	struct err err;

	for (unsigned i = 0; !s->c.failed; i++) {
		uint64_t word = cursor_u64(&s->c);
		unsigned flags = word & RAM_FLAGS;

		if (i % 1024 == 0 && !interrupt_check(&err))
			cursor_fail(&s->c, "was not read to its end");
		if (i % 65536 == 0)
			target_tell(s->t, NULL, cursor_pos(&s->c), s->file->map.n);
		if (flags == RAM_END)
			return;
		if (flags == RAM_SIZES)
			read_sizes(s, word & ~(uint64_t)RAM_FLAGS);
		else if ((flags & ~(unsigned)RAM_SAME) == RAM_ZERO ||
			 (flags & ~(unsigned)RAM_SAME) == RAM_PAGE)
			read_page(s, word & ~(uint64_t)RAM_FLAGS, flags);
		else if (!s->c.failed)
			cursor_fail(&s->c, "has memory packed in a way that obit does not read "
					   "(mapped-ram, multifd, xbzrle or compressed)");
	}
}

/* ---- the stream */

/* Reads sections until memory is complete. What follows it are devices, whose form only they know.
 */
static void read_sections(struct stream *s)
{
	struct cursor *c = &s->c;

	while (!c->failed) {
		unsigned kind = cursor_u8(c);
		uint32_t id;

		if (kind == SECTION_BOARD) {
			s->board = cursor_take(c, cursor_u32(c));
			continue;
		}
		if (kind == SECTION_FOOTER) {
			(void)cursor_u32(c);
			continue;
		}
		id = cursor_u32(c);
		if (kind == SECTION_START && !s->ram) {
			struct span name = counted(c);
			uint32_t version;

			(void)cursor_u32(c); /* which of this name */
			version = cursor_u32(c);
			if (!is_text(name, "ram") || version != 4)
				cursor_fail(c, "does not begin with memory of version 4");
			s->ram = id;
		} else if ((kind != SECTION_PART && kind != SECTION_LAST) || id != s->ram) {
			cursor_fail(c, "has another section before its memory is complete");
		}
		if (!c->failed)
			read_ram(s);
		if (kind == SECTION_LAST)
			return;
	}
}

static bool check(struct stream *s, const struct err *why, struct err *err)
{
	struct target *t = s->t;

	if (!s->n)
		return err_set(err, ERR_UNSUPPORTED,
			       "'%s': %s: restore it, and have dump-guest-memory or `virsh dump "
			       "--memory-only` write a dump",
			       s->file->path, s->c.failed ? why->msg : "it holds no memory");
	for (unsigned i = 0; i < s->n; i++)
		if (!s->blocks[i].known && s->blocks[i].size > (UINT64_C(64) << 20))
			target_warn(t, ERR_UNSUPPORTED,
				    "'%s': where %llu MB of memory called '%.*s' lie is not known: "
				    "they are left out",
				    s->file->path, (unsigned long long)s->blocks[i].size >> 20,
				    (int)(s->blocks[i].name.n < 60 ? s->blocks[i].name.n : 60),
				    (const char *)s->blocks[i].name.p);
	if (s->c.failed)
		target_warn(t, ERR_TRUNCATED,
			    "'%s' is damaged or cut short: %s; pages that come later are lost",
			    s->file->path, why->msg);
	return true;
}

static bool stream_open(struct target *t, struct file *file, struct err *err)
{
	struct stream *s = ARENA_NEW(&t->arena, struct stream);
	struct err why = { .msg = "" };
	struct span rest;
	uint32_t packed;
	uint64_t off;

	if (!stream_at(file->map, &off, &packed))
		return err_set(err, ERR_FORMAT, "'%s' is no stream of QEMU's", file->path);
	if (packed)
		return err_set(
			err, ERR_UNSUPPORTED,
			"'%s' is a machine that virsh saved packed, which obit does not read: "
			"`virsh restore` it, then `virsh dump --memory-only`",
			file->path);
	if (off >= file->map.n ||
	    !span_sub(file->map, off, file->map.n - off, "stream", &rest, err) || rest.n < 8 ||
	    memcmp(rest.p, "QEVM\0\0\0\3", 8))
		return err_set(err, ERR_FORMAT,
			       "'%s': no stream of QEMU's follows what libvirt wrote", file->path);
	*s = (struct stream){ .t = t, .file = file };
	if (!rammap_begin(t, file, off ? "libvirt save" : "QEMU stream", &s->m, err))
		return false;
	rammap_repeats(s->m);
	cursor_init(&s->c, rest, "the stream", &why);
	s->c.big = true;
	cursor_skip(&s->c, 8);
	read_sections(s);
	return check(s, &why, err);
}

const struct reader reader_qemustream = {
	.name = "qemustream",
	.summary = "memory in a stream of QEMU's migration, or of virsh save",
	.probe = stream_probe,
	.cut = true,
	.open = stream_open,
	.attach = rammap_attach,
	.rank = RAMMAP_RANK,
};
