/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a program had mapped, from a folder that has them, and their frame tables. */
#include <gelf.h>
#include <string.h>

#include "core/arch/elf_number.h"
#include "core/base/file.h"
#include "core/dwarf/dwarf.h"
#include "core/dwarf/dwarf_cfi.h"
#include "core/linux/program/program_impl.h"

#define SEGMENTS_MAX 64u

struct program_file {
	const char *name; /* as the program had it */
	struct file *file;
	struct cfi_table *cfi;
	GElf_Phdr segments[SEGMENTS_MAX]; /* those with code */
	size_t n;
	struct err why; /* why it cannot be used; ERR_OK: it can */
};

void program_files_release(struct user_program *p)
{
	for (size_t i = 0; i < p->files.n; i++)
		if (p->files.p[i]->file)
			file_close(p->files.p[i]->file);
	vec_release(&p->files);
}

/* A damaged dump must not lead out of the folder. */
static bool leads_out(const char *name)
{
	size_t n = strlen(name);

	return *name != '/' || strstr(name, "/../") || (n >= 3 && !strcmp(name + n - 3, "/.."));
}

static bool tables_open(struct user_program *p, struct program_file *f, Elf *elf, struct err *err)
{
	const struct arch *arch = p->t->arch;
	Elf_Scn *scn = NULL;
	size_t names, n;

	if (elf_getphdrnum(elf, &n) != 0)
		n = 0;
	for (size_t i = 0; i < n && f->n < SEGMENTS_MAX; i++) {
		GElf_Phdr *ph = &f->segments[f->n];

		f->n += gelf_getphdr(elf, (int)i, ph) && ph->p_type == PT_LOAD &&
			ph->p_flags & PF_X;
	}
	if (elf_getshdrstrndx(elf, &names) != 0)
		return err_set(err, ERR_FORMAT, "it has no sections");
	if (elf_nextscn(elf, NULL) && !dwarf_names_end(elf))
		return err_set(err, ERR_FORMAT, "the names of its sections are damaged");
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr sh;
		const char *name;
		struct span section;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    !(name = elf_strptr(elf, names, sh.sh_name)) || strcmp(name, ".eh_frame") != 0)
			continue;
		return span_sub(f->file->map, sh.sh_offset, sh.sh_size, ".eh_frame", &section,
				err) &&
		       cfi_open(p->arena, section, sh.sh_addr, true, arch->big, arch->word,
				arch->dwarf_slot, &f->cfi, err);
	}
	return err_set(err, ERR_NOTFOUND, "it has no .eh_frame");
}

static bool file_use(struct user_program *p, struct program_file *f, struct err *err)
{
	GElf_Ehdr head;
	bool ok;
	Elf *elf;

	if (leads_out(f->name))
		return err_set(err, ERR_USAGE, "'%.160s' is no path of a file", f->name);
	if (!file_open(p->arena, arena_printf(p->arena, "%s%s", p->sysroot, f->name), &f->file,
		       err))
		return f->file = NULL, false;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)f->file->map.p, f->file->map.n);
	if (!elf || !gelf_getehdr(elf, &head) || head.e_machine != arch_elf_number(p->t->arch))
		ok = err_set(err, ERR_FORMAT, "it is no ELF file of this machine");
	else
		ok = tables_open(p, f, elf, err);
	elf_end(elf);
	return ok;
}

static struct program_file *file_of(struct user_program *p, const char *name)
{
	struct program_file *f;

	for (size_t i = 0; i < p->files.n; i++)
		if (!strcmp(p->files.p[i]->name, name))
			return p->files.p[i];
	f = ARENA_NEW(p->arena, struct program_file);
	f->name = name;
	*vec_push(&p->files) = f;
	if (!file_use(p, f, &f->why) && f->file)
		err_wrap(&f->why, "'%.160s'", f->file->path);
	return f;
}

/* Is what lies around pc in memory what the file has there? Code is not written to. */
#define COMPARED 64u

static bool same_code(struct user_program *p, const struct program_file *f, uint64_t pc,
		      uint64_t offset, bool *proven, struct err *err)
{
	uint64_t from = pc & ~(uint64_t)(COMPARED - 1);
	uint8_t bytes[COMPARED];
	struct span there;
	struct err ignored;

	*proven = false;
	if (!span_sub(f->file->map, offset - (pc - from), COMPARED, "file", &there, &ignored))
		return err_set(err, ERR_MISMATCH, "'%.160s' is too short to be what was mapped",
			       f->name);
	if (!user_read(&p->space, from, bytes, sizeof(bytes), &ignored))
		return true;
	*proven = true;
	return !memcmp(bytes, there.p, sizeof(bytes)) ||
	       err_set_addr(
		       err, ERR_MISMATCH, pc,
		       "'%.100s' below the sysroot is not the file that was mapped: its code at "
		       "0x%llx is another",
		       f->name, (unsigned long long)offset);
}

bool program_rules(struct user_program *p, const struct vma *area, uint64_t pc,
		   struct cfi_rules *ret, bool *proven, struct err *err)
{
	uint64_t offset = pc - area->start + area->offset;
	struct program_file *f;

	if (!p->sysroot)
		return err_set(err, ERR_NEED, "without --sysroot there are no frame tables");
	if (!area->file || !area->name)
		return err_set(err, ERR_NOTFOUND, "0x%llx is in no file", (unsigned long long)pc);
	f = file_of(p, area->name);
	if (f->why.code != ERR_OK)
		return *err = f->why, false;
	if (!same_code(p, f, pc, offset, proven, err))
		return false;
	for (size_t i = 0; i < f->n; i++) {
		const GElf_Phdr *ph = &f->segments[i];

		if (offset >= ph->p_offset && offset - ph->p_offset < ph->p_filesz)
			return cfi_find(f->cfi, offset - ph->p_offset + ph->p_vaddr,
					p->t->arch->signs_returns, ret, err) ||
			       err_wrap(err, "%.160s+0x%llx", f->name, (unsigned long long)offset);
	}
	return err_set(err, ERR_NOTFOUND, "0x%llx is no code of '%.100s'",
		       (unsigned long long)offset, f->name);
}
