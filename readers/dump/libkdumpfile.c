/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps in the forms that obit does not read itself, by libkdumpfile in a process of its own: old
 * diskdump, LKCD, s390's stand-alone dumps, Xen's; any other when --reader says so. */
#include "readers/dump/libkdumpfile.h"

#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "readers/reader.h"
#include "readers/symbol/elf.h"

#define SECTIONS_MAX 64u /* and segments, that may be Xen's */
#define NOTES_MAX 4096u

extern const struct reader reader_libkdumpfile, reader_kdump;

/* ---- which files */

enum {
	DISKDUMP,
	LKCD_LE,
	LKCD_BE,
	S390
};

/* By libkdumpfile's and crash's headers: lkcd.c, s390dump.c, diskdump.c. */
static const struct {
	const char *magic;
	size_t n, at;
} magics[] = {
	[DISKDUMP] = { "DISKDUMP", 8, 0 },
	[LKCD_LE] = { "\xed\x23\x8f\x61\x73\x01\x19\xa8", 8, 0 },
	[LKCD_BE] = { "\xa8\x19\x01\x73\x61\x8f\x23\xed", 8, 0 },
	[S390] = { "\xa8\x19\x01\x73\x61\x8f\x23\xfd", 8, 0 },
};

static bool has_xen_note(struct span notes, bool big)
{
	struct cursor c;
	struct err err;

	cursor_init(&c, notes, "notes", &err);
	c.big = big;
	for (unsigned i = 0; i < NOTES_MAX && cursor_left(&c) >= 12; i++) {
		uint32_t name_n = cursor_u32(&c), desc_n = cursor_u32(&c);
		struct span name;

		cursor_skip(&c, 4);
		name = cursor_take(&c, name_n);
		cursor_align(&c, 4);
		cursor_skip(&c, desc_n);
		cursor_align(&c, 4);
		if (name.n == 4 && memcmp(name.p, "Xen", 4) == 0)
			return true;
	}
	return false;
}

/* The section's header; false: there is none. */
static bool section_at(struct span s, const struct elf *e, unsigned i, struct elf_section *ret)
{
	struct span part;
	struct err err;

	if (i >= e->shnum || i >= SECTIONS_MAX ||
	    !span_sub(s, e->shoff + (uint64_t)i * elf_section_size(e), elf_section_size(e), "",
		      &part, &err))
		return false;
	*ret = elf_section(e, part.p);
	return true;
}

/* Where the last section ends. */
static uint64_t sections_end(struct span s)
{
	struct elf_section section;
	uint64_t end = 0;
	struct elf e;

	for (unsigned i = 0; elf_header(s.p, &e) && section_at(s, &e, i, &section); i++)
		if (section.off + section.size > end)
			end = section.off + section.size;
	return end;
}

/* A core file with a hypervisor's note (xen/include/public/elfnote.h), or with the sections of a
 * domain's dump (docs/misc/dump-core-format.txt). */
static bool is_xen(struct span s)
{
	struct elf e;
	struct span names, part;
	struct elf_section strings;
	struct err err;

	if (s.n < ELF_HEAD || !elf_header(s.p, &e) || e.type != 4)
		return false;
	for (unsigned i = 0; i < e.phnum && i < SECTIONS_MAX; i++) {
		struct elf_segment p;

		if (!span_sub(s, e.phoff + (uint64_t)i * elf_segment_size(&e), elf_segment_size(&e),
			      "", &part, &err))
			break;
		p = elf_segment(&e, part.p);
		if (p.type == 4 && span_sub(s, p.off, p.file_n, "", &part, &err) &&
		    has_xen_note(part, e.big))
			return true;
	}
	if (!section_at(s, &e, e.shstrndx, &strings))
		return false;
	return span_sub(s, strings.off, strings.size, "", &names, &err) &&
	       memmem(names.p, names.n, ".xen_p", 6);
}

static int libkdumpfile_probe(const struct file *file)
{
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if (file->map.n >= magics[i].at + magics[i].n &&
		    memcmp(file->map.p + magics[i].at, magics[i].magic, magics[i].n) == 0)
			return 100;
	return is_xen(file->map) ? 95 : 0;
}

/* ---- memory */

static bool absent(uint64_t pa, enum err_code code, const char *why, struct err *err)
{
	return err_set_addr(err, code, pa, "physical page 0x%llx %s",
			    (unsigned long long)(pa & ~UINT64_C(4095)), why);
}

/* Is the page, or a part of it, behind the end of the file? */
static bool is_cut_off(struct kd_dump *d, uint64_t pa, struct err *err)
{
	uint8_t page[KD_PAGE];

	pa &= ~(uint64_t)(KD_PAGE - 1);
	if (d->cut && pa == d->torn)
		return !absent(pa, ERR_TRUNCATED, "is beyond the end of the file", err);
	return d->own &&
	       !d->own->memory.phys.read(d->own->memory.phys.self, pa, page, sizeof(page), err) &&
	       err->code == ERR_TRUNCATED;
}

static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	struct kd_dump *d = self;
	const struct extent *x = extents_find(&d->x, pa);
	const struct kd_page *page;
	const uint8_t *bytes;
	char why[KD_WHY];

	if (!x && d->cut)
		return absent(pa, ERR_TRUNCATED, "is not in what is left of the dump", err);
	if (!x)
		return absent(pa, ERR_NOTRAM, "is not memory", err);
	if (x->kind == EXTENT_EXCLUDED)
		return absent(pa, ERR_EXCLUDED, "was left out by the dumper", err);
	if (is_cut_off(d, pa, err) || !kd_page(&d->link, pa, &page, &bytes, err))
		return false;
	switch (page->state) {
	case KD_OK:
		memcpy(buf, bytes + pa % KD_PAGE, n);
		return true;
	case KD_ABSENT:
		return d->cut ? absent(pa, ERR_TRUNCATED, "is not in what is left of the dump", err)
			      : absent(pa, ERR_EXCLUDED, "is not in the dump", err);
	case KD_ENDED:
		return absent(pa, ERR_TRUNCATED, "is beyond the end of the file", err);
	default:
		memcpy(why, page->why, sizeof(why));
		why[sizeof(why) - 1] = '\0';
		return err_set_addr(err, ERR_CORRUPT, pa, "physical page 0x%llx: %s",
				    (unsigned long long)(pa & ~UINT64_C(4095)), why);
	}
}

static uint64_t absent_end(void *self, uint64_t pa)
{
	struct kd_dump *d = self;
	const struct extent *x = extents_find(&d->x, pa);

	return x && x->kind == EXTENT_EXCLUDED ? x->start + x->n : 0;
}

static void close_phys(void *self)
{
	struct kd_dump *d = self;

	kd_close(&d->link);
	extents_release(&d->x);
	if (d->own) {
		target_release(d->own);
		arena_release(&d->own_scratch);
	}
}

/* ---- opening */

static bool has_magic(const struct file *f, const char *magic, size_t n)
{
	return f->map.n >= n && memcmp(f->map.p, magic, n) == 0;
}

/* Opens a file with obit's own reader, if one takes it: old diskdump is close enough to kdump. */
static bool look_at(struct target *own, struct file *file, struct err *err)
{
	struct image *im = ARENA_NEW(&own->arena, struct image);
	bool old = has_magic(file, "DISKDUMP", 8);
	struct err why;

	image_of_file(im, file);
	if (kdump_is(im) || old)
		return kdump_open(own, im, err) || (old && err->code != ERR_TRUNCATED);
	if (!elfcore_is(im) || is_xen(file->map))
		image_release(im);
	else if (!elfcore_open(own, im, &why) && why.code == ERR_TRUNCATED) {
		*err = why;
		return false;
	}
	return true;
}

/* What obit's own readers see and the library does not: where a file ends, which then seems to hold
 * zeros, or no pages; that parts are of two crashes, or that one is missing. Registers of an
 * architecture that it does not know it does not have. */
static bool look_first(struct target *t, struct target *own, struct file *const *files, size_t n,
		       struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (!look_at(own, files[i], err))
			return false;
	if (!reader_kdump.attach(own, err))
		return false;
	for (size_t i = 0; i < own->warnings.n; i++)
		target_warn(t, own->warnings.p[i].code, "%s", own->warnings.p[i].text);
	if (!own->dump.file)
		return true;
	t->arch = own->arch;
	t->dump.truncated = own->dump.truncated;
	t->dump.missing_pages = own->dump.missing_pages;
	t->dump.dump_level = own->dump.dump_level;
	t->dump.crash_time = own->dump.crash_time;
	for (size_t i = 0; i < own->facts.n; i++)
		target_add_fact(t, arena_strdup(&t->arena, own->facts.p[i].name),
				own->facts.p[i].value);
	return true;
}

/* LKCD's pages stand one behind the other, each behind its address, size and flags, of which 4 says
 * that it is the last one (lkcd.c). */
static bool lkcd_ends(struct kd_dump *d, struct span s, struct err *err)
{
	struct cursor c;
	uint64_t n = 0, from = 65536;

	cursor_init(&c, s, "LKCD", err);
	c.big = s.p[0] == 0xa8;
	cursor_seek(&c, 8);
	if ((cursor_u32(&c) & 0x3fffffff) >= 9) {
		cursor_seek(&c, 734);
		from = cursor_u64(&c);
	}
	cursor_seek(&c, from);
	d->torn = UINT64_MAX;
	while (cursor_left(&c) >= 16) {
		uint64_t pa = cursor_u64(&c);
		uint32_t size = cursor_u32(&c), flags = cursor_u32(&c);

		if (flags & 4)
			return true;
		if (!(++n & 0xffff) && !interrupt_check(err))
			return false;
		if (size > cursor_left(&c))
			d->torn = pa;
		if (size > cursor_left(&c) || (!size && !flags))
			break;
		if (pa < UINT64_MAX - KD_PAGE && pa + KD_PAGE > d->end)
			d->end = pa + KD_PAGE;
		cursor_skip(&c, size);
	}
	d->cut = true;
	return true;
}

/* The same for forms that obit has no reader of. */
static bool look_at_end(struct target *t, struct kd_dump *d, const struct file *f, struct err *err)
{
	if (has_magic(f, magics[LKCD_LE].magic, 8) || has_magic(f, magics[LKCD_BE].magic, 8)) {
		if (!lkcd_ends(d, f->map, err))
			return false;
		t->dump.truncated |= d->cut;
		if (d->cut)
			target_warn(t, ERR_TRUNCATED,
				    "the dump is cut off: nobody knows which pages are missing");
	}
	if (has_magic(f, "makedumpfile", 12))
		return err_set(err, ERR_UNSUPPORTED,
			       "'%s' is flattened, which libkdumpfile does not know: obit reads it "
			       "itself, and `makedumpfile -R` puts it in order",
			       f->path);
	if (is_xen(f->map) && sections_end(f->map) > f->map.n)
		return err_set(
			err, ERR_TRUNCATED,
			"'%s' is cut short: libkdumpfile would show zeros of what is missing",
			f->path);
	return true;
}

static bool open_dump(struct target *t, struct kd_dump *d, const char *path, struct err *err)
{
	struct file *facts;
	int fd;
	bool ok;

	if (!kd_open(&d->link, &fd, err))
		return err->code == ERR_INTR ? false : err_wrap(err, "'%s'", path);
	if (lseek(fd, 0, SEEK_END) <= 0) {
		close(fd);
		return err_set(err, ERR_CORRUPT, "'%s': libkdumpfile told nothing of it", path);
	}
	if (!file_of_fd(&t->arena, path, fd, &facts, err)) {
		close(fd);
		return false;
	}
	ok = kd_take_facts(t, d, path, facts->map, err);
	file_close(facts);
	return ok;
}

static bool open_files(struct target *t, struct kd_dump *d, struct file *const *files, size_t n,
		       struct err *err)
{
	struct target *own = d->own;

	if (!look_first(t, own, files, n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!look_at_end(t, d, files[i], err))
			return false;
		d->link.task.fds[i] = files[i]->fd;
	}
	d->link.task.n = (unsigned)n;
	d->link.task.arch = kd_name_of_arch(t->arch);
	d->link.task.block = kdump_block(own);
	if (!open_dump(t, d, t->dump.file->path, err))
		return false;
	for (size_t i = t->cpus.n; i < own->cpus.n; i++)
		*vec_push(&t->cpus) = own->cpus.p[i];
	return true;
}

/* All files are open: those of this reader are one dump. */
static bool libkdumpfile_attach(struct target *t, struct err *err)
{
	struct file *files[KD_FILES_MAX];
	struct kd_dump *d;
	size_t n = 0;

	for (size_t i = 0; i < t->inputs.n; i++) {
		if (t->inputs.p[i].reader != &reader_libkdumpfile)
			continue;
		if (n == KD_FILES_MAX)
			return err_set(err, ERR_LIMIT, "more than %u files are given of one dump",
				       KD_FILES_MAX);
		files[n++] = t->inputs.p[i].file;
	}
	if (!n)
		return true;
	d = ARENA_NEW(&t->arena, struct kd_dump);
	d->own = ARENA_NEW(&t->arena, struct target);
	target_init(d->own, &d->own_scratch);
	d->own->arch = t->arch;
	t->memory.phys = (struct phys_source){
		.read = read_phys,
		.absent_end = absent_end,
		.close = close_phys,
		.self = d,
		.alone = true,
	};
	if (!open_files(t, d, files, n, err))
		return false;
	if (!d->own->dump.truncated) { /* it is not needed any more */
		target_release(d->own);
		arena_release(&d->own_scratch);
		d->own = NULL;
	}
	return true;
}

/* Which files belong together is known when all were given. */
static bool libkdumpfile_open(struct target *t, struct file *file, struct err *err)
{
	for (size_t i = 0; i < t->inputs.n; i++)
		if (t->inputs.p[i].file == t->dump.file &&
		    t->inputs.p[i].reader == &reader_libkdumpfile)
			return true;
	if (!reader_once(t->dump.file, file, "dump", err))
		return false;
	t->dump.file = file;
	return true;
}

const struct reader reader_libkdumpfile = {
	.name = "libkdumpfile",
	.summary = "a dump by libkdumpfile: diskdump, LKCD, s390, Xen",
	.probe = libkdumpfile_probe,
	.open = libkdumpfile_open,
	.seeks = true,
	.attach = libkdumpfile_attach,
	.dumps = true,
	.rank = -100, /* before anybody reads memory */
};
