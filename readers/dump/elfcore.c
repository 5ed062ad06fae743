/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps in ELF form: /proc/vmcore, makedumpfile -E, QEMU's dump-guest-memory. */
#include <string.h>

#include "readers/symbol/elf.h"
#include "readers/dump/image.h"
#include "readers/dump/notes.h"
#include "readers/reader.h"

#define PHDRS_MAX ((uint64_t)64 << 20)
/* of notes that have to be copied; those of a file as it is are mapped, and may be as many
 * gigabytes as drivers added */
#define COPY_MAX ((uint64_t)64 << 20)
#define PN_XNUM 0xffffu
enum {
	ET_CORE = 4,
	PT_LOAD = 1,
	PT_NOTE = 4
};

struct elfcore {
	struct image *im;
	struct extents ram; /* physical address to offset in the image */
};

/* The program headers. */
struct segments {
	struct elf elf;
	struct span table;
	size_t n;
};

static struct elf_segment segment_at(const struct segments *s, size_t i)
{
	return elf_segment(&s->elf, s->table.p + i * elf_segment_size(&s->elf));
}

bool elfcore_is(struct image *im)
{
	uint8_t head[18];
	struct err err;

	return image_read(im, 0, head, sizeof(head), &err) && memcmp(head, "\177ELF", 4) == 0 &&
	       (head[5] == 2 ? head[17] : head[16]) == ET_CORE;
}

static int elfcore_probe(const struct file *file)
{
	struct image im;
	bool is;

	image_of_file(&im, (struct file *)file);
	is = elfcore_is(&im);
	image_release(&im);
	return is ? 90 : 0;
}

static bool unreadable(uint64_t pa, struct err *err)
{
	return err_set_addr(err, ERR_UNREADABLE, pa, "the file can no longer be read at 0x%llx",
			    (unsigned long long)pa);
}

static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct elfcore *e = self;
	uint8_t *out = buf;

	while (n) {
		const struct extent *x = extents_find(&e->ram, pa);
		size_t part = n;
		struct err why = { 0 };

		if (!x)
			return err_set_addr(err, ERR_NOTRAM, pa,
					    "no memory at physical address 0x%llx",
					    (unsigned long long)pa);
		if (x->kind == EXTENT_EXCLUDED)
			return err_set_addr(err, ERR_EXCLUDED, pa,
					    "physical page 0x%llx was left out by the dumper",
					    (unsigned long long)(pa & ~UINT64_C(4095)));
		if (part > x->n - (pa - x->start))
			part = x->n - (pa - x->start);
		if (!image_has(e->im, x->pos + (pa - x->start), part) ||
		    !image_read(e->im, x->pos + (pa - x->start), out, part, &why))
			return why.code == ERR_UNREADABLE
				       ? unreadable(pa, err)
				       : err_set_addr(err, ERR_TRUNCATED, pa,
						      "the file ends before physical page 0x%llx",
						      (unsigned long long)(pa & ~UINT64_C(4095)));
		out += part;
		pa += part;
		n -= part;
	}
	return true;
}

static const uint8_t *map_phys(void *self, uint64_t pa, size_t n)
{
	struct elfcore *e = self;
	const struct extent *x = extents_find(&e->ram, pa);

	if (!x || x->kind != EXTENT_DATA || n > x->n - (pa - x->start))
		return NULL;
	return image_map(e->im, x->pos + (pa - x->start), n);
}

static uint64_t absent_end(void *self, uint64_t pa)
{
	struct elfcore *e = self;
	const struct extent *x = extents_find(&e->ram, pa);

	if (x && (x->kind == EXTENT_EXCLUDED || x->pos + (pa - x->start) >= e->im->size))
		return x->n > UINT64_MAX - x->start ? UINT64_MAX : x->start + x->n;
	return 0;
}

static void close_phys(void *self)
{
	struct elfcore *e = self;

	extents_release(&e->ram);
	image_release(e->im);
}

/* More segments than a header can count: the first section header tells. */
static bool count_segments(struct image *im, const struct elf *e, uint64_t *ret)
{
	uint64_t at = e->is32 ? 28 : 44; /* of sh_info */
	uint8_t info[4];
	struct err err;

	*ret = e->phnum;
	if (e->phnum != PN_XNUM)
		return true;
	if (e->shoff > UINT64_MAX - 48 || !image_read(im, e->shoff + at, info, sizeof(info), &err))
		return false;
	*ret = elf_number(e, info, sizeof(info));
	return true;
}

static bool read_headers(struct target *t, struct image *im, struct segments *ret, struct err *err)
{
	const char *path = im->file->path;
	struct elf *e = &ret->elf;
	const struct arch *arch;
	uint8_t h[ELF_HEAD];
	uint64_t n;

	if (!image_read(im, 0, h, sizeof(h), err))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its ELF header", path);
	if (!elf_header(h, e))
		return err_set(
			err, ERR_UNSUPPORTED,
			"'%s' is an ELF file of neither 32 nor 64 bits, or of no order of bytes",
			path);
	arch = arch_of_elf(e->machine);
	if (!reader_arch(t, arch, path, err))
		return false;
	/* the order of the file's numbers is one thing, that of memory's another */
	if (e->big != arch->big && !arch->swapped_dumps)
		return err_set(err, ERR_UNSUPPORTED,
			       "'%s' is a dump of a %s-endian %s machine, which obit cannot read",
			       path, e->big ? "big" : "little", arch->machine);
	if (!count_segments(im, e, &n))
		return err_set(err, ERR_TRUNCATED,
			       "'%s' does not say how many segments it has: it is cut short", path);
	if (e->phentsize != elf_segment_size(e) || n == 0)
		return err_set(err, ERR_FORMAT, "'%s' is an ELF core file without program headers",
			       path);
	if (!image_bytes(im, e->phoff, n * e->phentsize, PHDRS_MAX, &t->arena, &ret->table, err))
		return err_set(err, ERR_TRUNCATED,
			       "'%s' is cut short: its program headers are missing", path);
	ret->n = n;
	return true;
}

/* What the segments hold. Bytes beyond p_filesz are pages that makedumpfile left out. */
static void read_segments(struct elfcore *e, const struct segments *all)
{
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < all->n; i++) {
			struct elf_segment p = segment_at(all, i);

			if (p.type != PT_LOAD || p.pa == (all->elf.is32 ? UINT32_MAX : UINT64_MAX))
				continue;
			/* data last: where the kernel's image has a segment of its own, both are
			 * alike */
			if (pass == 0 && p.mem_n > p.file_n && p.pa + p.file_n >= p.pa)
				extents_add(&e->ram, p.pa + p.file_n, p.mem_n - p.file_n, 0,
					    EXTENT_EXCLUDED);
			else if (pass == 1 && p.off + p.file_n >= p.off)
				extents_add(&e->ram, p.pa, p.file_n, p.off, EXTENT_DATA);
		}
	extents_settle(&e->ram);
}

static void describe(struct target *t, const struct elfcore *e)
{
	uint64_t data = 0, missing = 0, size = e->im->size;

	for (size_t i = 0; i < e->ram.v.n; i++) {
		const struct extent *x = &e->ram.v.p[i];
		struct ram_region *last = t->ram.n ? &t->ram.p[t->ram.n - 1] : NULL;

		if (x->kind == EXTENT_DATA) {
			data += x->n;
			if (x->pos >= size)
				missing += x->n;
			else if (x->n > size - x->pos)
				missing += x->n - (size - x->pos);
		}
		if (last && last->last + 1 == x->start)
			last->last += x->n;
		else
			*vec_push(&t->ram) = (struct ram_region){ x->start, x->start + x->n - 1 };
	}
	t->dump.file = e->im->file;
	t->dump.format = e->im->flat ? "flattened ELF" : "ELF";
	t->dump.truncated = missing || e->im->cut;
	t->dump.missing_pages = (missing + 4095) / 4096;
	t->dump.present_pages = (data - missing) / 4096;
	t->dump.release = t->dump.version = t->dump.machine = t->dump.nodename = "";
}

static struct notes_seen read_notes(struct target *t, struct image *im, const struct segments *all)
{
	struct notes_seen sum = { 0 };
	uint64_t left = COPY_MAX; /* of all segments together */

	for (size_t i = 0; i < all->n; i++) {
		struct elf_segment p = segment_at(all, i);
		struct notes_seen seen;
		struct span notes;
		struct err err;

		if (p.type != PT_NOTE)
			continue;
		if (sum.n >= NOTES_LIMIT ||
		    !image_bytes(im, p.off, p.file_n, left, &t->arena, &notes, &err)) {
			target_warn(t, ERR_TRUNCATED, "some notes of '%s' cannot be read",
				    im->file->path);
			break;
		}
		if (!image_map(im, p.off, p.file_n))
			left -= p.file_n;
		seen = notes_read(t, notes, all->elf.big);
		sum.n += seen.n;
		sum.vmcoreinfo |= seen.vmcoreinfo;
		sum.qemu |= seen.qemu;
		sum.process |= seen.process;
	}
	return sum;
}

bool elfcore_open(struct target *t, struct image *im, struct err *err)
{
	struct elfcore *e = ARENA_NEW(&t->arena, struct elfcore);
	struct notes_seen seen;
	struct segments segments;

	e->im = im;
	if (!reader_once(t->dump.file, im->file, "dump", err) ||
	    !read_headers(t, im, &segments, err)) {
		close_phys(e);
		return false;
	}
	seen = read_notes(t, im, &segments);
	if (seen.process && !seen.vmcoreinfo && !seen.qemu) {
		close_phys(e);
		return err_set(
			err, ERR_FORMAT,
			"'%s' is the core file of a process, not a kernel dump: gdb reads it",
			im->file->path);
	}
	read_segments(e, &segments);
	if (e->ram.v.n == 0) {
		close_phys(e);
		return im->cut ? err_set(err, ERR_TRUNCATED,
					 "'%s' is cut short: its program headers, written last, are missing",
					 im->file->path)
			       : err_set(err, ERR_FORMAT, "'%s' is an ELF core file without memory",
					 im->file->path);
	}
	describe(t, e);
	t->memory.phys = (struct phys_source){ .read = read_phys,
					       .map = map_phys,
					       .absent_end = absent_end,
					       .close = close_phys,
					       .self = e };
	return true;
}

static bool open_elf(struct target *t, struct file *file, struct err *err)
{
	struct image *im = ARENA_NEW(&t->arena, struct image);

	image_of_file(im, file);
	return elfcore_open(t, im, err);
}

const struct reader reader_elfcore = {
	.name = "elfcore",
	.summary = "a dump in ELF form: /proc/vmcore, makedumpfile -E, QEMU dump-guest-memory",
	.probe = elfcore_probe,
	.cut = true,
	.open = open_elf,
	.seeks = true,
	.dumps = true,
};
