/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of modules, from the tables that each module left for kallsyms in memory. */
#include <ctype.h>

#include "core/base/guard.h"
#include "core/linux/module/module.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"
#include "core/linux/module/module_impl.h"

#define MODSYMS_MAX (1u << 20)
#define MODNAMES_MAX ((size_t)64 << 20)
#define NAME_LONGEST 1024u /* more than KSYM_NAME_LEN of any kernel */

/* A table's entry: Elf32_Sym or Elf64_Sym. Both begin with st_name, of 4 bytes. */
struct entry_layout {
	unsigned bytes, info, shndx, value, size;
};
static const struct entry_layout entry_of_32 = { 16, 12, 14, 4, 8 };
static const struct entry_layout entry_of_64 = { 24, 4, 6, 8, 16 };
#define ENTRY_BYTES_MAX 24u

enum {
	KSYM_SYMTAB,
	KSYM_NUM,
	KSYM_STRTAB,
	KSYM_TYPETAB,
	KSYM_FIELDS
};
static const struct shape_field kallsyms_fields[KSYM_FIELDS] = {
	[KSYM_SYMTAB] = FIELD("symtab"),
	[KSYM_NUM] = FIELD("num_symtab"),
	[KSYM_STRTAB] = FIELD("strtab"),
	[KSYM_TYPETAB] = FIELD("typetab"), /* 1c7651f43777 (v5.2); st_info held it before */
};
static const struct shape kallsyms_shape = SHAPE("struct mod_kallsyms", kallsyms_fields);

/* One module's tables, read once for all of its areas. */
struct tables {
	const struct found_module *module;
	bool tried, ok;
	struct err err;
	const struct entry_layout *entry;
	size_t n;
	const uint8_t *syms; /* n entries */
	const char *names;   /* n_names bytes, the last one NUL */
	size_t n_names;
	const char *types; /* n letters, or NULL */
};

/* One area of a module: it takes the symbols that lie in it, the first one also all strays. */
struct area {
	struct tables *tables;
	size_t part;
};

static bool tables_read(struct target *t, struct tables *tab, struct err *err)
{
	uint64_t symtab, n, strtab, typetab, last = 0;
	uint8_t end;
	struct span bytes;
	struct err ignored;
	struct shaped s;
	void *names;

	tab->entry = t->arch->word == 4 ? &entry_of_32 : &entry_of_64;
	if (!tab->module->kallsyms)
		return true; /* loaded without, or not that far yet */
	if (!shape_read(t, &kallsyms_shape, tab->module->kallsyms, &s, err) ||
	    !shaped_u64(&s, KSYM_SYMTAB, &symtab, err) || !shaped_u64(&s, KSYM_NUM, &n, err) ||
	    !shaped_u64(&s, KSYM_STRTAB, &strtab, err))
		return false;
	if (n == 0)
		return true;
	if (n > MODSYMS_MAX)
		return err_set(err, ERR_LIMIT, "it claims %llu symbols", (unsigned long long)n);
	/* its end first: no memory is set aside for a table that is not there */
	if (!mem_u8(t, symtab + n * tab->entry->bytes - 1, &end, err))
		return false;
	if (!mem_bytes(t, symtab, n * tab->entry->bytes, MODSYMS_MAX * ENTRY_BYTES_MAX, &t->arena,
		       &bytes, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint32_t name = target_u32(t, bytes.p + i * tab->entry->bytes);

		last = name > last ? name : last;
	}
	if (last < MODNAMES_MAX && !mem_u8(t, strtab + last, &end, err))
		return false;
	if (!arena_bytes(&t->arena, last + NAME_LONGEST, MODNAMES_MAX, &names, err))
		return false;
	tab->n_names = mem_read_some(t, strtab, names, last + NAME_LONGEST - 1, err);
	if (!tab->n_names)
		return false;
	((char *)names)[tab->n_names++] = '\0';
	tab->names = names;
	tab->syms = bytes.p;
	tab->n = n;
	if (shaped_has(&s, KSYM_TYPETAB) && shaped_u64(&s, KSYM_TYPETAB, &typetab, &ignored) &&
	    mem_bytes(t, typetab, n, MODSYMS_MAX, &t->arena, &bytes, &ignored))
		tab->types = (const char *)bytes.p;
	return true;
}

static bool in_part(const struct kmodule *m, size_t part, uint64_t addr)
{
	return addr - m->parts[part][0] < m->parts[part][1];
}

static bool area_load(struct target *t, struct symtab *tab, struct err *err)
{
	struct area *area = tab->self;
	struct tables *k = area->tables;
	const struct kmodule *m = &k->module->m;
	const struct entry_layout *l;

	if (!k->tried) {
		k->tried = true;
		k->ok = tables_read(t, k, &k->err);
		if (!k->ok && err_is_lack(k->err.code))
			target_lacks(t, &k->err); /* of all modules the same */
	}
	if (!k->ok) {
		*err = k->err;
		/* one complaint a module is enough */
		return area->part ? true : err_wrap(err, "symbols of module '%s'", m->name);
	}
	l = k->entry;
	for (size_t i = 0; i < k->n; i++) {
		const uint8_t *e = k->syms + i * l->bytes;
		uint32_t name = target_u32(t, e);
		uint64_t value = target_uint(t, e + l->value, t->arch->word);
		struct symbol *sym;
		size_t part = 0;

		if (target_u16(t, e + l->shndx) == 0 /* SHN_UNDEF */ || name >= k->n_names ||
		    !k->names[name])
			continue;
		while (part < m->n_parts && !in_part(m, part, value))
			part++;
		if ((part < m->n_parts ? part : 0) != area->part)
			continue;
		sym = vec_push(&tab->syms);
		sym->name = k->names + name;
		sym->addr = value;
		sym->size = k->types ? target_uint(t, e + l->size, t->arch->word) : 0;
		sym->type = k->types ? k->types[i] : isalpha(e[l->info]) ? (char)e[l->info] : '?';
		sym->module = m->name;
	}
	return true;
}

static void module_symtabs(struct target *t, const struct found_module *f)
{
	struct tables *tables = ARENA_NEW(&t->arena, struct tables);

	tables->module = f;
	for (size_t i = 0; i < f->m.n_parts; i++) {
		struct symtab *tab = symbols_add(t, f->m.name);
		struct area *area = ARENA_NEW(&t->arena, struct area);

		area->tables = tables;
		area->part = i;
		tab->module = f->m.name;
		tab->lo = f->m.parts[i][0];
		tab->hi = f->m.parts[i][0] + f->m.parts[i][1];
		tab->load = area_load;
		tab->self = area;
	}
}

bool linux_module_symbols(struct target *t, struct err *err)
{
	struct module_state *st = module_state(t);
	const struct kmodule *all;
	size_t n;

	if (!modules_all(t, &all, &n, err))
		return false;
	for (size_t i = 0; i < n; i++)
		module_symtabs(t, &st->found.p[i]);
	return true;
}
