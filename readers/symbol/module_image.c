/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ELF file of a kernel module, through libelf: its sections, names and ids. */
#include <string.h>

#include "readers/symbol/elf.h"
#include "readers/symbol/module_image.h"

#define SECTIONS_MAX 65536u
#define NOWHERE 0x1000u /* below any kernel address */

static struct span bytes_of(Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);

	return data && data->d_buf ? SPAN(data->d_buf, data->d_size) : SPAN(NULL, 0);
}

/* "key=value" strings, each NUL-terminated; include/linux/moduleparam.h: __MODULE_INFO */
static const char *modinfo(struct arena *a, struct span s, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = 0; i < s.n;) {
		const char *p = (const char *)s.p + i;
		size_t n = strnlen(p, s.n - i);

		if (n > len && p[len] == '=' && !memcmp(p, key, len))
			return arena_strndup(a, p + len + 1, n - len - 1);
		i += n + 1;
	}
	return NULL;
}

/* The file's name, padded to 4 bytes, and its CRC (BFD: .gnu_debuglink). */
static void read_link(struct arena *a, struct span s, bool big, struct module_image *m)
{
	size_t n = s.p ? strnlen((const char *)s.p, s.n) : 0, at = (n + 4) & ~(size_t)3;

	if (!n || at > s.n || s.n - at < 4 || memchr(s.p, '/', n))
		return;
	m->link = arena_strndup(a, (const char *)s.p, n);
	m->link_crc = (uint32_t)load_uint(s.p + at, 4, big);
}

static void read_section(struct target *t, struct module_image *m, Elf_Scn *scn,
			 const struct image_section *s)
{
	const char *vermagic;

	if (s->type == SHT_NOTE && !m->build_id_n) {
		(void)build_id_find(bytes_of(scn), m->build_id, &m->build_id_n);
	} else if (!strcmp(s->name, ".modinfo") && s->type == SHT_PROGBITS) {
		struct span info = bytes_of(scn);
		const char *name = modinfo(t->scratch, info, "name");

		if (name)
			m->name = module_name(&t->arena, name, strlen(name));
		m->srcversion = modinfo(&t->arena, info, "srcversion");
		vermagic = modinfo(t->scratch, info, "vermagic");
		if (vermagic)
			m->release = arena_strndup(&t->arena, vermagic, strcspn(vermagic, " "));
	} else if (!strcmp(s->name, ".gnu_debuglink")) {
		read_link(&t->arena, bytes_of(scn), m->big, m);
	} else if (!strcmp(s->name, ".BTF") && s->type == SHT_PROGBITS) {
		m->btf = bytes_of(scn);
	} else if (!strcmp(s->name, ".debug_info") || !strcmp(s->name, ".zdebug_info")) {
		m->has_debug = s->type == SHT_PROGBITS && s->size;
	}
}

static bool read_sections(struct target *t, struct module_image *m, struct err *err)
{
	size_t n, at;
	struct span names;
	Elf_Scn *strings;

	if (elf_getshdrnum(m->elf, &n) != 0 || elf_getshdrstrndx(m->elf, &at) != 0 || !n ||
	    n > SECTIONS_MAX)
		return err_set(err, ERR_FORMAT, "'%s' has a damaged section table", m->path);
	strings = elf_getscn(m->elf, at);
	names = strings ? bytes_of(strings) : SPAN(NULL, 0);
	m->sections = ARENA_ARRAY(&t->arena, struct image_section, n);
	m->n = n;
	for (size_t i = 1; i < n; i++) {
		Elf_Scn *scn = elf_getscn(m->elf, i);
		struct image_section *s = &m->sections[i];
		const char *name;
		GElf_Shdr sh;

		s->name = "";
		if (!scn || !gelf_getshdr(scn, &sh))
			continue;
		name = elf_string(names, sh.sh_name);
		s->name = name ? name : "";
		s->size = sh.sh_size;
		s->flags = sh.sh_flags;
		s->align = sh.sh_addralign;
		s->type = sh.sh_type;
		if (sh.sh_type == SHT_SYMTAB && !m->symtab) {
			m->symtab = scn;
			m->strings = sh.sh_link;
		}
		read_section(t, m, scn, s);
	}
	m->sections[0].name = "";
	return true;
}

/* "foo-bar.ko.xz" is of module foo_bar. */
static const char *name_of_path(struct target *t, const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return module_name(&t->arena, base, strcspn(base, "."));
}

bool module_image_open(struct target *t, const struct file *file, struct module_image *ret,
		       struct err *err)
{
	struct module_image *m = ret;
	GElf_Ehdr eh;

	memset(m, 0, sizeof(*m));
	m->path = file->path;
	if (!unpack_file(file, MODULE_FILE_MAX, &m->bytes, err))
		return false;
	elf_version(EV_CURRENT);
	m->elf = elf_memory((char *)m->bytes.p, m->bytes.n);
	if (!m->elf || elf_kind(m->elf) != ELF_K_ELF || !gelf_getehdr(m->elf, &eh) ||
	    eh.e_type != ET_REL) {
		module_image_release(m);
		return err_set(err, ERR_FORMAT, "'%s' is no kernel module", file->path);
	}
	m->big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	m->arch = arch_of_texts(eh.e_machine, eh.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8, m->big);
	if (!read_sections(t, m, err)) {
		module_image_release(m);
		return false;
	}
	if (!m->name)
		m->name = name_of_path(t, m->path);
	return true;
}

void module_image_release(struct module_image *m)
{
	if (m->elf)
		elf_end(m->elf);
	unpack_release(&m->bytes);
	memset(m, 0, sizeof(*m));
}

/* ---- where it was */

static uint64_t aligned(uint64_t at, uint64_t align)
{
	return align > 1 && align <= 1u << 21 && !(align & (align - 1)) ? (at + align - 1) & -align
									: at;
}

/* Sections that have no place get one that no address of the kernel's hits. */
static void place_nowhere(struct module_image *m)
{
	uint64_t at = NOWHERE;

	for (size_t i = 1; i < m->n; i++) {
		struct image_section *s = &m->sections[i];

		if (s->placed || !(s->flags & SHF_ALLOC) || s->size > UINT32_MAX)
			continue;
		s->addr = at = aligned(at, s->align);
		at += s->size;
	}
}

void module_image_place(struct module_image *m, const struct loaded_module *loaded)
{
	for (size_t i = 1; i < m->n; i++) {
		struct image_section *s = &m->sections[i];

		if (!(s->flags & SHF_ALLOC))
			continue;
		for (size_t k = 0; k < loaded->n_sections && !s->placed; k++)
			if (!strcmp(loaded->sections[k].name, s->name)) {
				s->addr = loaded->sections[k].addr;
				s->placed = true;
			}
	}
	place_nowhere(m);
}

uint64_t module_image_invent(struct module_image *m, uint64_t base)
{
	uint64_t at = base;

	for (size_t i = 1; i < m->n; i++) {
		struct image_section *s = &m->sections[i];

		if (!(s->flags & SHF_ALLOC) || s->size > MODULE_FILE_MAX)
			continue;
		s->addr = at = aligned(at, s->align);
		s->placed = true;
		at += s->size;
	}
	return at;
}

/* ---- symbols */

/* Mapping symbols, assembler locals and the like say nothing to people. */
static bool is_noise(const char *name)
{
	return !*name || *name == '$' || (name[0] == '.' && name[1] == 'L') ||
	       !strncmp(name, "__UNIQUE_ID_", 12);
}

bool module_image_symbols(struct target *t, const struct module_image *m, const char *module,
			  struct symtab *tab, struct err *err)
{
	Elf_Data *data = m->symtab ? elf_getdata(m->symtab, NULL) : NULL;
	Elf_Scn *scn = m->symtab ? elf_getscn(m->elf, m->strings) : NULL;
	struct span strings = scn ? bytes_of(scn) : SPAN(NULL, 0);
	GElf_Sym sym;

	if (!data)
		return err_set(err, ERR_NEED, "'%s' has no symbol table", m->path);
	for (int i = 1; gelf_getsym(data, i, &sym); i++) {
		unsigned type = GELF_ST_TYPE(sym.st_info);
		const struct image_section *s;
		struct symbol *out;
		const char *name;

		if (sym.st_shndx == SHN_UNDEF || sym.st_shndx >= m->n || type == STT_SECTION ||
		    type == STT_FILE)
			continue;
		s = &m->sections[sym.st_shndx];
		name = elf_string(strings, sym.st_name);
		if (!s->placed || !name || is_noise(name) || sym.st_value > s->size)
			continue;
		out = vec_push(&tab->syms);
		out->name = arena_strdup(&t->arena, name);
		out->addr = s->addr + sym.st_value;
		out->size = sym.st_size;
		out->type = elf_symbol_letter(s->type, s->flags, sym.st_info);
		out->module = module;
	}
	return true;
}
