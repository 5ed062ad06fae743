/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug info of a file is opened when somebody asks, and which file's an address is. */
#include <errno.h>
#include <gelf.h>
#include <string.h>
#include <sys/mman.h>

#include "core/dwarf/dwarf_scan.h"

#define NAME_MAX_BYTES 4096u /* of a section's name */

bool dwarf_names_end(Elf *elf)
{
	size_t at, left;
	Elf_Data *data;
	Elf_Scn *scn;

	if (elf_getshdrstrndx(elf, &at) != 0 || !(scn = elf_getscn(elf, at)) ||
	    !(data = elf_rawdata(scn, NULL)))
		return false;
	for (at = 0; at < data->d_size; at += NAME_MAX_BYTES) {
		left = data->d_size - at;
		if (!memchr((const char *)data->d_buf + at, '\0',
			    left < NAME_MAX_BYTES ? left : NAME_MAX_BYTES))
			return false;
	}
	return true;
}

bool dwarf_section(struct dwarf_file *f, const char *name, struct span *ret, uint64_t *addr)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names) != 0)
		return false;
	while ((scn = elf_nextscn(f->elf, scn))) {
		GElf_Shdr header;
		const char *its;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header) || header.sh_type == SHT_NOBITS ||
		    (header.sh_flags & SHF_COMPRESSED) ||
		    !(its = elf_strptr(f->elf, names, header.sh_name)) || strcmp(its, name) != 0 ||
		    !(data = elf_getdata(scn, NULL)) || !data->d_buf)
			continue;
		*ret = SPAN(data->d_buf, data->d_size);
		if (addr)
			*addr = header.sh_addr;
		return true;
	}
	return false;
}

static void sections_init(struct dwarf_file *f)
{
	struct dwarf_sections *s = &f->sections;
	GElf_Ehdr head;
	const struct {
		const char *name;
		struct span *to;
	} wanted[] = { { ".debug_info", &s->info },
		       { ".debug_abbrev", &s->abbrev },
		       { ".debug_str", &s->str },
		       { ".debug_line_str", &s->line_str },
		       { ".debug_str_offsets", &s->str_offsets },
		       { ".debug_addr", &s->addr },
		       { ".debug_line", &s->line },
		       { ".debug_ranges", &s->ranges },
		       { ".debug_rnglists", &s->rnglists } };

	s->big = gelf_getehdr(f->elf, &head) && head.e_ident[EI_DATA] == ELFDATA2MSB;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!dwarf_section(f, wanted[i].name, wanted[i].to, NULL))
			*wanted[i].to = SPAN(NULL, 0);
	dwarf_sections_init(s);
}

static bool load_now(struct dwarf_file *f, struct err *err)
{
	elf_version(EV_CURRENT);
	/* the file is mapped already; libelf reads from there, and unpacks what is compressed: then
	 * it writes the sections' new sizes into the headers, of which the mapping gets a copy */
	if (!f->elf && !f->module && f->t->vmlinux.debug_packed &&
	    mprotect((void *)(uintptr_t)f->image.p, f->image.n, PROT_READ | PROT_WRITE) != 0)
		return err_set(err, ERR_NEED, "'%s': its debug info is compressed: %s", f->path,
			       strerror(errno));
	if (!f->elf)
		f->elf = elf_memory((char *)(uintptr_t)f->image.p, f->image.n);
	if (f->elf && !dwarf_names_end(f->elf))
		return err_set(err, ERR_FORMAT, "'%s': the names of its sections are damaged",
			       f->path);
	if (f->elf)
		f->dbg = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (!f->dbg)
		return err_set(err, ERR_NEED,
			       "no debug info in '%s': %s; give the %s of the "
			       "kernel's debug package",
			       f->path, dwarf_errmsg(-1), f->module ? "module" : "vmlinux");
	f->types = ARENA_NEW(&f->t->arena, struct dwarf_types);
	sections_init(f);
	if (!f->sections.info.n)
		return err_set(
			err, ERR_NEED,
			"the debug info in '%s' is compressed in a way that this libelf does "
			"not know (zstd needs elfutils 0.189)",
			f->path);
	dwarf_index_init(&f->types->index, &f->sections);
	return true;
}

bool dwarf_load(struct dwarf_file *f, struct err *err)
{
	if (!f->tried) {
		f->tried = true;
		f->ok = load_now(f, &f->err);
	}
	if (!f->ok)
		*err = f->err;
	return f->ok;
}

uint64_t dwarf_slide(const struct dwarf_file *f)
{
	return f->module ? 0 : f->t->kaslr;
}

bool dwarf_file_at(struct target *t, uint64_t addr, struct dwarf_file **ret, struct err *err)
{
	const struct module_debug *d;

	if (module_debug_at(t, addr, &d, err)) {
		*ret = d->dwarf;
		return d->dwarf || err_set(err, ERR_NEED, "'%s' has no debug info", d->path);
	}
	if (err->code != ERR_NOTFOUND)
		return false;
	*ret = t->dwarf;
	return t->dwarf || target_needs_debug(err);
}
