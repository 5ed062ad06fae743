/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A core file of a process: its memory in segments, as far as the dump has it. Memory that is not
 * there is in no segment, so that whoever reads the file is told so, and never reads zeros. */
#include <elf.h>
#include <string.h>

#include "core/arch/elf_number.h"
#include "core/base/guard.h"
#include "core/base/outfile.h"
#include "core/linux/program/program_impl.h"

#define DUMP_PAGE 4096u /* what a dump has or has not */
#define PN_MANY 0xffffu /* PN_XNUM: the first section says how many segments there are */

/* Page tables of a damaged dump may map the same memory without end. */
#define CORE_PAGES_MAX (UINT64_C(1) << 32)  /* of DUMP_PAGE: 16 TiB */
#define CORE_PIECES_MAX (UINT64_C(1) << 26) /* of memory one behind the other, and segments */

/* include/linux/mm.h: areas of device memory, and those whose faults the program itself serves */
#define VM_PFNMAP 0x400u
#define VM_IO 0x4000u
#define VM_UFFD_MISSING 0x200u

struct core_piece {
	uint64_t pa, size;
};
struct core_segment {
	uint64_t va, size;
	unsigned flags;       /* PF_* */
	bool stored;          /* false: it reads as zeros, and nothing of it is in the file */
	size_t first, pieces; /* of struct core_piece, when it is stored */
};

struct core_maker {
	struct user_program *p;
	struct core_stats *stats;
	VEC(struct core_segment) segments;
	VEC(struct core_piece) pieces;
	VEC(struct core_map) maps;
	const struct vma *area;
	uint64_t map_from; /* what of the area's file was not told of yet */
	uint64_t pages;    /* that were looked at */
	struct err *err;
	bool ok;
};

/* ---- what there is */

static unsigned area_flags(const struct vma *v)
{
	return (v->perms[0] == 'r' ? PF_R : 0) | (v->perms[1] == 'w' ? PF_W : 0) |
	       (v->perms[2] == 'x' ? PF_X : 0);
}

static void add_zeros(struct core_maker *m, uint64_t va, uint64_t size)
{
	m->stats->untouched += size;
	*vec_push(&m->segments) =
		(struct core_segment){ .va = va, .size = size, .flags = area_flags(m->area) };
}

static void add_stored(struct core_maker *m, uint64_t va, uint64_t pa, uint64_t size)
{
	struct core_segment *s = m->segments.n ? &m->segments.p[m->segments.n - 1] : NULL;
	struct core_piece *piece;

	m->stats->bytes += size;
	if (!s || !s->stored || s->va + s->size != va || s->va < m->area->start) {
		s = vec_push(&m->segments);
		*s = (struct core_segment){
			.va = va, .flags = area_flags(m->area), .stored = true, .first = m->pieces.n
		};
	}
	s->size += size;
	piece = s->pieces ? &m->pieces.p[m->pieces.n - 1] : NULL;
	if (piece && piece->pa + piece->size == pa) {
		piece->size += size;
		return;
	}
	*vec_push(&m->pieces) = (struct core_piece){ pa, size };
	s->pieces++;
}

/* Ends the part of the area's file that readers may take memory from: what is there instead is not
 * known to be the file's. */
static void cut_map(struct core_maker *m, uint64_t va, uint64_t size)
{
	const struct vma *v = m->area;

	if (v->file && v->name && va > m->map_from)
		*vec_push(&m->maps) =
			(struct core_map){ m->map_from, va, v->offset + (m->map_from - v->start),
					   v->name };
	m->map_from = va + size;
}

static void add_absent(struct core_maker *m, uint64_t va, uint64_t size, const struct err *why)
{
	if (!m->stats->absent)
		m->stats->why = *why;
	m->stats->absent += size;
	cut_map(m, va, size);
}

static bool one_more(struct core_maker *m)
{
	return (m->pages++ < CORE_PAGES_MAX &&
		m->segments.n + m->pieces.n + m->maps.n < CORE_PIECES_MAX) ||
	       err_set(m->err, ERR_LIMIT, "task %d has more memory mapped than a core is made of",
		       m->p->task->pid);
}

/* What a page table maps, page by page: the dump may lack some. A page is there when all of it is:
 * a file may end in the middle of one. */
static bool add_mapped(struct core_maker *m, const struct user_page *page)
{
	for (uint64_t off = 0; off < page->size;) {
		uint64_t n = DUMP_PAGE - (page->pa + off) % DUMP_PAGE;
		uint8_t bytes[DUMP_PAGE];
		struct err why;

		if (n > page->size - off)
			n = page->size - off;
		if (!interrupt_check(m->err) || !one_more(m))
			return false;
		if (mem_read_phys(m->p->t, page->pa + off, bytes, (size_t)n, &why))
			add_stored(m, page->va + off, page->pa + off, n);
		else
			add_absent(m, page->va + off, n, &why);
		off += n;
	}
	return true;
}

/* Nobody wrote there, and no file, driver or program would have served a fault. */
static bool reads_as_zeros(const struct vma *v)
{
	return !v->file && !(v->flags & VM_UFFD_MISSING) &&
	       (!v->name || !strcmp(v->name, "[heap]") || !strcmp(v->name, "[stack]"));
}

static bool one_page(const struct user_page *page, void *arg)
{
	struct core_maker *m = arg;

	m->ok = one_more(m);
	if (!m->ok)
		return false;
	switch (page->state) {
	case USER_MAPPED:
	case USER_BARRED:
		m->ok = add_mapped(m, page);
		break;
	case USER_SWAPPED:
		m->stats->swapped += page->size;
		cut_map(m, page->va, page->size);
		break;
	case USER_LOST:
		add_absent(m, page->va, page->size, &page->why);
		break;
	case USER_NONE:
		if (reads_as_zeros(m->area))
			add_zeros(m, page->va, page->size);
		else
			m->stats->of_files += page->size;
		break;
	}
	return m->ok;
}

static bool gather(struct core_maker *m, struct err *err)
{
	struct user_program *p = m->p;

	m->err = err;
	m->ok = true;
	for (size_t i = 0; i < p->areas.n && m->ok; i++) {
		const struct vma *v = &p->areas.p[i];

		m->area = v;
		m->map_from = v->start;
		if (!(v->flags & (VM_IO | VM_PFNMAP)) &&
		    !user_pages(&p->space, v->start, v->end, one_page, m, err))
			return false;
		cut_map(m, v->end, 0);
	}
	return m->ok;
}

/* ---- the file */

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

static bool write_zeros(struct outfile *out, uint64_t n, struct err *err)
{
	static const uint8_t zeros[DUMP_PAGE];

	while (n) {
		size_t part = n < sizeof(zeros) ? (size_t)n : sizeof(zeros);

		if (!outfile_write(out, zeros, part, err))
			return false;
		n -= part;
	}
	return true;
}

/* Sizes of the heads, which are of the machine's own width. */
struct core_width {
	unsigned file, segment, section;
};

static struct core_width width_of(const struct target *t)
{
	return t->arch->word == 4 ? (struct core_width){ sizeof(Elf32_Ehdr), sizeof(Elf32_Phdr),
							 sizeof(Elf32_Shdr) }
				  : (struct core_width){ sizeof(Elf64_Ehdr), sizeof(Elf64_Phdr),
							 sizeof(Elf64_Shdr) };
}

/* The heads as they are with 64 bits are made narrow where the machine is. */
static bool write_file_head(const struct target *t, struct outfile *out, const Elf64_Ehdr *e,
			    struct err *err)
{
	Elf32_Ehdr narrow = { .e_type = e->e_type,
			      .e_machine = e->e_machine,
			      .e_version = e->e_version,
			      .e_phoff = (Elf32_Off)e->e_phoff,
			      .e_shoff = (Elf32_Off)e->e_shoff,
			      .e_ehsize = e->e_ehsize,
			      .e_phentsize = e->e_phentsize,
			      .e_phnum = e->e_phnum,
			      .e_shentsize = e->e_shentsize,
			      .e_shnum = e->e_shnum };

	memcpy(narrow.e_ident, e->e_ident, EI_NIDENT);
	return t->arch->word == 4 ? outfile_write(out, &narrow, sizeof(narrow), err)
				  : outfile_write(out, e, sizeof(*e), err);
}

static bool write_segment_head(const struct target *t, struct outfile *out, const Elf64_Phdr *p,
			       struct err *err)
{
	Elf32_Phdr narrow = { .p_type = p->p_type,
			      .p_offset = (Elf32_Off)p->p_offset,
			      .p_vaddr = (Elf32_Addr)p->p_vaddr,
			      .p_filesz = (Elf32_Word)p->p_filesz,
			      .p_memsz = (Elf32_Word)p->p_memsz,
			      .p_flags = p->p_flags,
			      .p_align = (Elf32_Word)p->p_align };

	return t->arch->word == 4 ? outfile_write(out, &narrow, sizeof(narrow), err)
				  : outfile_write(out, p, sizeof(*p), err);
}

static bool write_section_head(const struct target *t, struct outfile *out, size_t segments,
			       struct err *err)
{
	const Elf32_Shdr narrow = { .sh_size = 1, .sh_info = (Elf32_Word)segments };
	const Elf64_Shdr wide = { .sh_size = 1, .sh_info = (Elf64_Word)segments };

	return t->arch->word == 4 ? outfile_write(out, &narrow, sizeof(narrow), err)
				  : outfile_write(out, &wide, sizeof(wide), err);
}

static Elf64_Ehdr file_head(const struct core_maker *m, uint64_t sections)
{
	const struct core_width w = width_of(m->p->t);
	size_t n = m->segments.n + 1;
	Elf64_Ehdr e = { .e_type = ET_CORE,
			 .e_machine = arch_elf_number(m->p->t->arch),
			 .e_version = EV_CURRENT,
			 .e_phoff = w.file,
			 .e_ehsize = (Elf64_Half)w.file,
			 .e_phentsize = (Elf64_Half)w.segment,
			 .e_phnum = (Elf64_Half)(n < PN_MANY ? n : PN_MANY) };

	memcpy(e.e_ident, ELFMAG, SELFMAG);
	e.e_ident[EI_CLASS] = m->p->t->arch->word == 4 ? ELFCLASS32 : ELFCLASS64;
	e.e_ident[EI_DATA] = ELFDATA2LSB;
	e.e_ident[EI_VERSION] = EV_CURRENT;
	if (n >= PN_MANY) {
		e.e_shoff = sections;
		e.e_shentsize = (Elf64_Half)w.section;
		e.e_shnum = 1;
	}
	return e;
}

/* What stands where in the file. */
struct core_places {
	uint64_t sections, notes, data, end;
};

static bool places_of(const struct core_maker *m, size_t notes, struct core_places *ret,
		      struct err *err)
{
	const struct core_width w = width_of(m->p->t);
	size_t n = m->segments.n + 1;

	ret->sections = w.file + n * (uint64_t)w.segment;
	ret->notes = ret->sections + (n >= PN_MANY ? w.section : 0);
	ret->data = round_up(ret->notes + notes, DUMP_PAGE);
	ret->end = ret->data + m->stats->bytes;
	return m->p->t->arch->word == 8 || ret->end <= UINT32_MAX ||
	       err_set(err, ERR_LIMIT, "a core of %llu bytes is too large for 32 bits",
		       (unsigned long long)ret->end);
}

static bool write_heads(struct core_maker *m, struct outfile *out, const struct buf *notes,
			const struct core_places *at, struct err *err)
{
	const struct target *t = m->p->t;
	size_t n = m->segments.n + 1;
	Elf64_Ehdr head = file_head(m, at->sections);
	Elf64_Phdr p = {
		.p_type = PT_NOTE, .p_offset = at->notes, .p_filesz = notes->n, .p_align = 4
	};
	uint64_t data = at->data;

	if (!write_file_head(t, out, &head, err) || !write_segment_head(t, out, &p, err))
		return false;
	for (size_t i = 0; i < m->segments.n; i++) {
		const struct core_segment *s = &m->segments.p[i];

		p = (Elf64_Phdr){ .p_type = PT_LOAD,
				  .p_flags = s->flags,
				  .p_offset = data,
				  .p_vaddr = s->va,
				  .p_memsz = s->size,
				  .p_filesz = s->stored ? s->size : 0,
				  .p_align = DUMP_PAGE };
		data += p.p_filesz;
		if (!write_segment_head(t, out, &p, err))
			return false;
	}
	return (n < PN_MANY || write_section_head(t, out, n, err)) &&
	       outfile_write(out, notes->s, notes->n, err) &&
	       write_zeros(out, at->data - at->notes - notes->n, err);
}

static bool write_memory(struct core_maker *m, struct outfile *out, struct err *err)
{
	uint8_t page[DUMP_PAGE];

	for (size_t i = 0; i < m->pieces.n; i++) {
		const struct core_piece *piece = &m->pieces.p[i];

		for (uint64_t off = 0; off < piece->size;) {
			uint64_t left = piece->size - off;
			size_t n = left < sizeof(page) ? (size_t)left : sizeof(page);

			if (!interrupt_check(err) ||
			    !mem_read_phys(m->p->t, piece->pa + off, page, n, err) ||
			    !outfile_write(out, page, n, err))
				return false;
			off += n;
		}
	}
	return true;
}

static bool write_file(struct core_maker *m, const char *path, const struct buf *notes,
		       struct err *err)
{
	struct core_places at;
	struct outfile out;
	bool ok;

	if (!places_of(m, notes->n, &at, err) || !outfile_open(&out, path, OUTFILE_SECRET, err))
		return false;
	ok = write_heads(m, &out, notes, &at, err) && write_memory(m, &out, err);
	m->stats->size = at.end;
	return outfile_close(&out, ok, err);
}

static bool can_write(const struct user_program *p, struct err *err)
{
	const struct arch *arch = p->t->arch;
	struct program_regs regs;

	if (arch->big_tables || !arch->prstatus_words)
		return err_set(err, ERR_UNSUPPORTED, "core files of %s programs are not made",
			       arch->name);
	if (!program_regs(p->t, p->task, &regs, err))
		return false;
	return !regs.compat ||
	       err_set(err, ERR_UNSUPPORTED,
		       "task %d runs a 32-bit program, of which no core is made", p->task->pid);
}

bool core_file_write(struct user_program *p, const char *path, struct core_stats *ret,
		     void (*flaw)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct core_maker m = { .p = p, .stats = ret };
	struct buf notes = { 0 };
	bool ok;

	*ret = (struct core_stats){ 0 };
	if (!can_write(p, err))
		return false;
	ok = gather(&m, err);
	if (ok) {
		ret->threads = core_notes_add(&notes, p, m.maps.p, m.maps.n, flaw, arg);
		ret->segments = m.segments.n;
		ok = !notes.cut || err_set(err, ERR_LIMIT, "more than %zu bytes of notes", BUF_MAX);
	}
	ok = ok && write_file(&m, path, &notes, err);
	buf_release(&notes);
	vec_release(&m.maps);
	vec_release(&m.pieces);
	vec_release(&m.segments);
	return ok;
}
