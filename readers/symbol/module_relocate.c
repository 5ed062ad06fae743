/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Relocates a module's debug info: each address in it to where the module was. */
#include <string.h>

#include "core/base/guard.h"
#include "readers/symbol/module_image.h"

struct relocation {
	struct module_image *m;
	const struct arch *arch;
	bool big;
	Elf_Data *symbols;
	uint8_t *to; /* the section that is changed */
	size_t to_n;
};

static bool symbol_value(const struct relocation *r, uint64_t index, uint64_t *ret)
{
	GElf_Sym sym;

	*ret = 0;
	if (!index)
		return true;
	if (index > INT32_MAX || !gelf_getsym(r->symbols, (int)index, &sym))
		return false;
	*ret = sym.st_value;
	if (sym.st_shndx != SHN_UNDEF && sym.st_shndx < r->m->n)
		*ret += r->m->sections[sym.st_shndx].addr;
	return true;
}

/* The place that a relocation writes. */
struct reloc_place {
	uint8_t *p;
	unsigned n; /* bytes */
	bool big, uleb;
};

#define ULEB_BYTES_MAX 10

/* False: the section ends before. */
static bool place_at(const struct relocation *r, uint64_t off, const struct arch_reloc *how,
		     struct reloc_place *ret)
{
	*ret = (struct reloc_place){ r->to + off, how->bytes, r->big, how->uleb };
	if (off > r->to_n || r->to_n - off < how->bytes)
		return false;
	while (how->uleb && ret->p[ret->n - 1] & 0x80)
		if (ret->n == ULEB_BYTES_MAX || off + ret->n++ == r->to_n)
			return false;
	return true;
}

static uint64_t place_get(const struct reloc_place *p)
{
	uint64_t v = 0;

	if (!p->uleb)
		return load_uint(p->p, p->n, p->big);
	for (unsigned i = p->n; i-- > 0;)
		v = v << 7 | (p->p[i] & 0x7f);
	return v;
}

static void place_set(const struct reloc_place *p, uint64_t v)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->uleb)
			p->p[i] = (uint8_t)((v >> 7 * i & 0x7f) | (i + 1 < p->n ? 0x80 : 0));
		else
			p->p[i] = (uint8_t)(v >> 8 * (p->big ? p->n - 1 - i : i));
}

/* addend NULL: it lies where the value will (REL). */
static bool apply(const struct relocation *r, uint64_t off, uint64_t info, const int64_t *addend)
{
	const struct arch_reloc *how = arch_reloc_of(r->arch, (uint32_t)GELF_R_TYPE(info));
	uint64_t value, there;
	struct reloc_place place;

	if (!how)
		return false;
	if (!how->bytes)
		return true;
	if (!place_at(r, off, how, &place) || !symbol_value(r, GELF_R_SYM(info), &value))
		return false;
	there = place_get(&place);
	value += addend ? (uint64_t)*addend : there;
	if (how->relative)
		value -= off;
	if (how->how != RELOC_SET)
		value = how->how == RELOC_ADD ? there + value : there - value;
	value = (value & ~(uint64_t)how->keeps) | (there & how->keeps);
	place_set(&place, value);
	return true;
}

static bool apply_all(struct relocation *r, Elf_Data *relocs, bool rela, struct err *err)
{
	size_t bad = 0;
	GElf_Rela ra;
	GElf_Rel rl;

	for (int i = 0; i < INT32_MAX; i++) {
		bool ok;

		if (!(i & 0xfffff) && !interrupt_check(err))
			return false;
		if (rela) {
			if (!gelf_getrela(relocs, i, &ra))
				break;
			ok = apply(r, ra.r_offset, ra.r_info, &ra.r_addend);
		} else {
			if (!gelf_getrel(relocs, i, &rl))
				break;
			ok = apply(r, rl.r_offset, rl.r_info, NULL);
		}
		bad += !ok;
	}
	return !bad || err_set(err, ERR_FORMAT,
			       "'%s' has %zu relocations of its debug info that are damaged or "
			       "unknown",
			       r->m->path, bad);
}

/* Sections of debug info may be packed one by one. */
static Elf_Data *unpacked(Elf_Scn *scn, uint64_t flags)
{
	if (flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0)
		return NULL;
	return elf_rawdata(scn, NULL);
}

static bool relocate_section(struct relocation *r, Elf_Scn *scn, const GElf_Shdr *sh,
			     struct err *err)
{
	const struct image_section *target = &r->m->sections[sh->sh_info];
	Elf_Scn *to = elf_getscn(r->m->elf, sh->sh_info);
	Elf_Data *data, *relocs;
	GElf_Chdr packed;

	if (target->flags & SHF_COMPRESSED && to && gelf_getchdr(to, &packed) &&
	    packed.ch_size > MODULE_FILE_MAX)
		return err_set(err, ERR_LIMIT, "'%s': '%s' unpacks to more than %zu MB", r->m->path,
			       target->name, MODULE_FILE_MAX >> 20);
	data = to ? unpacked(to, target->flags) : NULL;
	relocs = unpacked(scn, sh->sh_flags) ? elf_getdata(scn, NULL) : NULL;
	if (!data || !data->d_buf || !relocs)
		return err_set(err, ERR_FORMAT, "'%s': '%s' cannot be read", r->m->path,
			       target->name);
	r->to = data->d_buf;
	r->to_n = data->d_size;
	return apply_all(r, relocs, sh->sh_type == SHT_RELA, err);
}

bool module_image_relocate(struct module_image *m, struct err *err)
{
	struct relocation r = { .m = m };
	GElf_Ehdr eh;

	if (!m->has_debug)
		return true;
	if (!gelf_getehdr(m->elf, &eh) || !m->symtab)
		return err_set(err, ERR_FORMAT, "'%s' has no symbol table", m->path);
	r.arch = m->arch;
	r.big = eh.e_ident[EI_DATA] == ELFDATA2MSB;
	r.symbols = elf_getdata(m->symtab, NULL);
	if (!r.symbols)
		return err_set(err, ERR_FORMAT, "'%s': its symbol table is damaged", m->path);
	for (size_t i = 1; i < m->n; i++) {
		Elf_Scn *scn = elf_getscn(m->elf, i);
		GElf_Shdr sh;

		if (!scn || !gelf_getshdr(scn, &sh) ||
		    (sh.sh_type != SHT_RELA && sh.sh_type != SHT_REL) || !sh.sh_info ||
		    sh.sh_info >= m->n || strncmp(m->sections[sh.sh_info].name, ".debug_", 7) != 0)
			continue;
		if (!relocate_section(&r, scn, &sh, err))
			return false;
	}
	return true;
}
