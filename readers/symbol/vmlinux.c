/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's own ELF file: its sections, build-id and symbols, in place in the mapped file. */
#include <string.h>

#include "core/base/buf.h"
#include "core/base/mapping.h"
#include "core/image/build_id.h"
#include "readers/symbol/elf.h"
#include "readers/reader.h"
#include "readers/symbol/vmlinux.h"

#define SECTIONS_MAX 1000000u

enum {
	ET_REL = 1,
	ET_EXEC = 2,
	ET_DYN = 3
};
enum {
	SHT_PROGBITS = 1,
	SHT_SYMTAB = 2,
	SHT_NOTE = 7,
	SHT_NOBITS = 8
};
enum {
	SHF_ALLOC = 2,
	SHF_COMPRESSED = 0x800
};
enum {
	SHN_UNDEF = 0,
	SHN_LORESERVE = 0xff00,
	SHN_ABS = 0xfff1,
	SHN_XINDEX = 0xffff
};
enum {
	STT_SECTION = 3,
	STT_FILE = 4,
	STB_LOCAL = 0,
	STB_WEAK = 2
};
#define BANNER_MAX 1000u

struct section {
	const char *name;
	uint32_t type, link;
	uint64_t flags, addr;
	struct span bytes; /* empty for NOBITS and for what lies beyond the file's end */
};

/* What vmlinux_symbol() answers. */
static const char *const asked_names[] = {
	"_stext", "_text", "linux_banner", "vmcoreinfo_data", "vmcoreinfo_size",
};
/* With those that roots and sought of struct arch name. */
#define ASKED_MAX 8

struct vmlinux_file {
	struct file *file;
	struct elf elf;
	size_t sym_size;
	struct section *sections;
	size_t n;
	const struct section *symtab; /* NULL: stripped */
	struct span strtab;           /* ends in NUL */
	const struct arch *file_arch; /* by the ELF header */
	const struct arch *arch;      /* what symbols were loaded with: NULL, and no slide, */
	uint64_t slide;               /* where nothing tells */
	bool cut;                     /* a section is not all there */
	bool asked;
	size_t n_asked;
	struct asked {
		const char *name;
		uint32_t begin; /* its first bytes */
		bool found;
		uint64_t addr;
	} asks[ASKED_MAX];
};

static struct section section_at(struct vmlinux_file *v, const uint8_t *header)
{
	struct elf_section h = elf_section(&v->elf, header);
	struct section s = { .type = h.type, .link = h.link, .flags = h.flags, .addr = h.addr };
	struct err err;

	if (s.type != SHT_NOBITS && !span_sub(v->file->map, h.off, h.size, "", &s.bytes, &err))
		v->cut = true;
	return s;
}

static bool read_sections(struct target *t, struct vmlinux_file *v, struct err *err)
{
	struct span map = v->file->map, table, names = { 0 };
	size_t size = elf_section_size(&v->elf);
	const char *path = v->file->path;
	uint64_t off = v->elf.shoff, n = v->elf.shnum;
	uint32_t str = v->elf.shstrndx;
	struct elf_section first;

	if (off == 0 || v->elf.shentsize != size)
		return err_set(err, ERR_FORMAT, "'%s' has no section headers: it is not a vmlinux",
			       path);
	if (!span_sub(map, off, size, "section headers", &table, err))
		return err_set(err, ERR_TRUNCATED,
			       "'%s' is cut short: its section headers are missing", path);
	/* more than fits 16 bits is kept in the first header */
	first = elf_section(&v->elf, table.p);
	if (n == 0)
		n = first.size;
	if (str == SHN_XINDEX)
		str = first.link;
	if (n == 0 || n > SECTIONS_MAX || str >= n)
		return err_set(err, ERR_FORMAT, "'%s' has a damaged section table", path);
	if (!span_sub(map, off, n * size, "section headers", &table, err))
		return err_set(err, ERR_TRUNCATED,
			       "'%s' is cut short: its section headers are missing", path);
	v->n = n;
	v->sections = ARENA_ARRAY(&t->arena, struct section, n);
	for (size_t i = 0; i < n; i++)
		v->sections[i] = section_at(v, table.p + i * size);
	names = v->sections[str].bytes;
	for (size_t i = 0; i < n; i++) {
		const char *name = elf_string(names, elf_section(&v->elf, table.p + i * size).name);

		v->sections[i].name = name ? name : "";
	}
	return true;
}

static const struct section *section_named(const struct vmlinux_file *v, const char *name)
{
	for (size_t i = 0; i < v->n; i++)
		if (strcmp(v->sections[i].name, name) == 0)
			return &v->sections[i];
	return NULL;
}

static bool get_section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	const struct section *s = section_named(self, name);

	if (!s || s->bytes.n == 0 || (s->flags & SHF_COMPRESSED))
		return false;
	*ret = s->bytes;
	if (addr)
		*addr = s->addr;
	return true;
}

static void find_symtab(struct vmlinux_file *v)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct section *s = &v->sections[i];
		struct span str;

		if (s->type != SHT_SYMTAB || s->bytes.n < v->sym_size || s->link >= v->n)
			continue;
		str = v->sections[s->link].bytes;
		while (str.n && str.p[str.n - 1] != '\0') /* names are used in place */
			str.n--;
		if (str.n == 0)
			continue;
		v->symtab = s;
		v->strtab = str;
		return;
	}
}

static char symbol_letter(const struct vmlinux_file *v, const struct elf_symbol *sym)
{
	unsigned bind = sym->info >> 4, shndx = sym->shndx;

	if (shndx < SHN_LORESERVE && shndx < v->n)
		return elf_symbol_letter(v->sections[shndx].type, v->sections[shndx].flags,
					 sym->info);
	if (bind == STB_WEAK)
		return elf_symbol_letter(0, 0, sym->info);
	return shndx != SHN_ABS ? '?' : bind == STB_LOCAL ? 'a' : 'A';
}

/* Mapping symbols of ARM ("$a", "$x", "$d.12") and assembler locals say nothing to people. */
static bool is_noise(const struct arch *arch, const char *name)
{
	return name[0] == '\0' || (name[0] == '$' && arch && arch->mapping_symbols) ||
	       (name[0] == '.' && name[1] == 'L');
}

static struct elf_symbol symbol_number(const struct vmlinux_file *v, size_t i)
{
	return elf_symbol(&v->elf, v->symtab->bytes.p + i * v->sym_size);
}

/* By all but its name. */
static inline bool is_for_people(size_t i, const struct elf_symbol *e)
{
	unsigned type = e->info & 15;

	return i && e->shndx != SHN_UNDEF && type != STT_SECTION && type != STT_FILE;
}

/* Its name; NULL: it is none for people. */
static const char *name_for_people(const struct vmlinux_file *v, size_t i,
				   const struct elf_symbol *e)
{
	const char *name;

	if (!is_for_people(i, e))
		return NULL;
	name = elf_string(v->strtab, e->name);
	return name && !is_noise(v->arch, name) ? name : NULL;
}

static const char *name_in_place(const struct symtab *tab, size_t i)
{
	const struct vmlinux_file *v = tab->self;
	struct elf_symbol e = symbol_number(v, i);

	return name_for_people(v, i, &e);
}

/* A symbol's run-time address. Per-CPU symbols that are offsets, and constants, stay what they are.
 */
static uint64_t symbol_place(const struct vmlinux_file *v, const struct elf_symbol *e)
{
	return e->shndx != SHN_ABS && (!v->arch || v->arch->is_kernel_va(e->value))
		       ? e->value + v->slide
		       : e->value;
}

static bool addr_in_place(const struct symtab *tab, size_t i, uint64_t *ret)
{
	const struct vmlinux_file *v = tab->self;
	struct elf_symbol e = symbol_number(v, i);

	*ret = symbol_place(v, &e);
	return is_for_people(i, &e);
}

static bool symbol_in_place(const struct symtab *tab, size_t i, struct symbol *ret)
{
	const struct vmlinux_file *v = tab->self;
	struct elf_symbol e = symbol_number(v, i);
	const char *name = name_for_people(v, i, &e);

	if (!name)
		return false;
	*ret = (struct symbol){ .name = name,
				.addr = symbol_place(v, &e),
				.size = e.size,
				.type = symbol_letter(v, &e) };
	return true;
}

/* All of it is read. */
static void fetch_symbols(const struct vmlinux_file *v)
{
	mapping_fetch(v->symtab->bytes.p, v->symtab->bytes.n);
	mapping_fetch(v->strtab.p, v->strtab.n);
}

/* It is the larger part of what a report's lines, or a backtrace, take. */
static void give_symbols_back(const struct vmlinux_file *v)
{
	mapping_give_back(v->symtab->bytes.p, v->symtab->bytes.n);
	mapping_give_back(v->strtab.p, v->strtab.n);
}

static void passed_in_place(const struct symtab *tab)
{
	give_symbols_back(tab->self);
}

static bool load_symbols(struct target *t, struct symtab *tab, struct err *err)
{
	struct vmlinux_file *v = tab->self;

	(void)err;
	fetch_symbols(v);
	v->arch = t->arch;
	v->slide = t->kaslr;
	tab->count = v->symtab->bytes.n / v->sym_size;
	tab->in_place = symbol_in_place;
	tab->name_in_place = name_in_place;
	tab->addr_in_place = addr_in_place;
	tab->passed_in_place = passed_in_place;
	return true;
}

static void vmlinux_ask(struct vmlinux_file *v, const char *name)
{
	if (v->n_asked < ASKED_MAX)
		v->asks[v->n_asked++] = (struct asked){ .name = name, .begin = load_le32(name) };
}

/* One pass over the symbol table finds all that other readers ask for; nearly all names differ from
 * those in their first bytes. */
static void find_asked(struct vmlinux_file *v)
{
	size_t n = v->symtab ? v->symtab->bytes.n / v->sym_size : 0;
	const struct arch *arch = v->file_arch;

	v->asked = true;
	for (size_t j = 0; j < ARRAY_SIZE(asked_names); j++)
		vmlinux_ask(v, asked_names[j]);
	for (const char *const *name = arch ? arch->roots : NULL; name && *name; name++)
		vmlinux_ask(v, *name);
	for (const char *const *name = arch ? arch->sought : NULL; name && *name; name++)
		vmlinux_ask(v, *name);
	if (n)
		fetch_symbols(v);
	for (size_t i = 1; i < n; i++) {
		struct elf_symbol e = symbol_number(v, i);
		uint32_t begin;

		if (e.shndx == SHN_UNDEF || v->strtab.n < 4 || e.name > v->strtab.n - 4)
			continue;
		begin = load_le32(v->strtab.p + e.name);
		for (struct asked *a = v->asks; a < v->asks + v->n_asked; a++)
			if (begin == a->begin &&
			    strcmp((const char *)v->strtab.p + e.name, a->name) == 0) {
				a->addr = e.value;
				a->found = true;
			}
	}
	if (n)
		give_symbols_back(v);
}

bool vmlinux_symbol(const struct target *t, const char *name, uint64_t *ret)
{
	struct vmlinux_file *v = t->vmlinux.self;

	if (!t->vmlinux.file)
		return false;
	if (!v->asked)
		find_asked(v);
	for (const struct asked *a = v->asks; a < v->asks + v->n_asked; a++)
		if (a->found && strcmp(name, a->name) == 0) {
			*ret = a->addr;
			return true;
		}
	return false;
}

static const char banner_start[] = "Linux version ";

/* The text at p, of at most n bytes, where it begins as banners do and ends within them. */
static const char *banner_at(struct target *t, const uint8_t *p, size_t left)
{
	size_t n, begin = sizeof(banner_start) - 1;

	if (left <= begin + 1 || memcmp(p, banner_start, begin) != 0 || p[begin] < '0' ||
	    p[begin] > '9')
		return NULL;
	n = strnlen((const char *)p, left < BANNER_MAX ? left : BANNER_MAX);
	return n < left ? arena_strndup(&t->arena, (const char *)p, n) : NULL;
}

/* Of a stripped vmlinux: the only text of its read-only data that begins like a banner and has the
 * number of a build, which /proc/version's form of 6.1 leaves out. */
static const char *banner_sought(struct target *t, const struct vmlinux_file *v)
{
	const struct section *s = section_named(v, ".rodata");
	const char *found = NULL;

	for (size_t at = 0; s && at < s->bytes.n;) {
		const uint8_t *p = memmem(s->bytes.p + at, s->bytes.n - at, banner_start,
					  sizeof(banner_start) - 1);
		const char *here, *number;

		if (!p)
			break;
		here = banner_at(t, p, s->bytes.n - (size_t)(p - s->bytes.p));
		number = here ? strstr(here, ") #") : NULL;
		if (number && number[3] >= '0' && number[3] <= '9') {
			if (found && strcmp(found, here) != 0)
				return NULL;
			found = here;
		}
		at = (size_t)(p - s->bytes.p) + sizeof(banner_start);
	}
	return found;
}

/* "Linux version 6.1.0 (host) (compiler) #1 ...\n" */
const char *vmlinux_banner(struct target *t)
{
	const struct vmlinux_file *v = t->vmlinux.self;
	uint64_t addr;

	if (t->vmlinux.banner || !t->vmlinux.file)
		return t->vmlinux.banner;
	if (!v->symtab)
		return t->vmlinux.banner = banner_sought(t, v);
	/* by its symbol: .rodata may hold more texts that begin like it */
	if (!vmlinux_symbol(t, "linux_banner", &addr))
		return NULL;
	for (size_t i = 0; i < v->n && !t->vmlinux.banner; i++) {
		const struct section *s = &v->sections[i];

		if ((s->flags & SHF_ALLOC) && addr >= s->addr && addr - s->addr < s->bytes.n)
			t->vmlinux.banner = banner_at(t, s->bytes.p + (addr - s->addr),
						      s->bytes.n - (addr - s->addr));
	}
	return t->vmlinux.banner;
}

static int vmlinux_probe(const struct file *file)
{
	struct elf e;

	return file->map.n >= ELF_HEAD && elf_header(file->map.p, &e) &&
			       (e.type == ET_EXEC || e.type == ET_DYN)
		       ? 60
		       : 0;
}

static void offer_symbols(struct target *t, struct vmlinux_file *v)
{
	struct symtab *tab;

	find_symtab(v);
	if (!v->symtab) {
		target_warn(t, ERR_NEED, "'%s' has no symbol table%s", v->file->path,
			    v->cut ? ": it is cut short" : ": it is stripped");
		return;
	}
	tab = symbols_add(t, "vmlinux");
	tab->load = load_symbols;
	tab->self = v;
}

static bool refuse_arch(const char *path, struct err *err)
{
	struct buf known = { 0 };

	arch_list_texts(&known);
	err_set(err, ERR_UNSUPPORTED,
		"'%s' is of an architecture obit does not know: it knows the vmlinux of %s", path,
		buf_text(&known));
	buf_release(&known);
	return false;
}

static bool open_vmlinux(struct target *t, struct file *file, struct err *err)
{
	struct vmlinux_file *v = ARENA_NEW(&t->arena, struct vmlinux_file);
	const struct section *debug;
	bool found = false;

	if (!reader_once(t->vmlinux.file, file, "vmlinux", err))
		return false;
	if (!elf_header(file->map.p, &v->elf))
		return err_set(err, ERR_FORMAT, "'%s' has a damaged ELF header", file->path);
	v->sym_size = elf_symbol_size(v->elf.is32);
	v->file = file;
	if (!read_sections(t, v, err))
		return false;
	if (!section_named(v, ".init.text"))
		return err_set(err, ERR_FORMAT,
			       v->cut ? "'%s' is cut short: its sections cannot be read"
				      : "'%s' is an ELF program or library, not a vmlinux",
			       file->path);
	v->file_arch = arch_of_texts(v->elf.machine, v->elf.is32 ? 4 : 8, v->elf.big);
	if (!v->file_arch)
		return refuse_arch(file->path, err);
	if (!reader_arch(t, v->file_arch, file->path, err))
		return false;
	for (size_t i = 0; i < v->n && !found; i++)
		if (v->sections[i].type == SHT_NOTE)
			found = build_id_find(v->sections[i].bytes, t->vmlinux.build_id,
					      &t->vmlinux.build_id_n);
	t->vmlinux.file = file;
	t->vmlinux.arch = t->arch;
	t->vmlinux.big = v->elf.big;
	t->vmlinux.self = v;
	t->vmlinux.section = get_section;
	t->vmlinux.find_banner = vmlinux_banner;
	debug = section_named(v, ".debug_info");
	t->vmlinux.debug_packed = debug && debug->flags & SHF_COMPRESSED;
	if (v->cut)
		target_warn(t, ERR_TRUNCATED, "'%s' is cut short: some of its sections are missing",
			    file->path);
	offer_symbols(t, v);
	return true;
}

const struct reader reader_vmlinux = {
	.name = "vmlinux",
	.summary = "the kernel's ELF file, with symbols and debug info",
	.probe = vmlinux_probe,
	.spared = true,
	.open = open_vmlinux,
	.seeks = true,
};
