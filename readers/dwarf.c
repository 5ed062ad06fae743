/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF of the vmlinux and of modules: opened when somebody asks, and searched no further than
 * needed. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "readers/dwarf.h"
#include "readers/dwarf_frame.h"
#include "readers/dwarf_scan.h"

static bool load_now(struct dwarf_file *f, struct err *err)
{
	elf_version(EV_CURRENT);
	/* the file is mapped already; libelf reads from there */
	if (!f->elf)
		f->elf = elf_memory((char *)(uintptr_t)f->image.p, f->image.n);
	if (f->elf)
		f->dbg = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	if (!f->dbg)
		return err_set(err, ERR_NEED,
			       "no debug info in '%s': %s; give the %s of the "
			       "kernel's debug package",
			       f->path, dwarf_errmsg(-1), f->module ? "module" : "vmlinux");
	f->types = ARENA_NEW(&f->t->arena, struct dwarf_types);
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

/* ---- the pass over outermost DIEs */

static enum dwarf_table table_of_tag(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
		return DWARF_STRUCT;
	case DW_TAG_union_type:
		return DWARF_UNION;
	case DW_TAG_enumeration_type:
		return DWARF_ENUM;
	case DW_TAG_typedef:
		return DWARF_TYPEDEF;
	case DW_TAG_base_type:
		return DWARF_BASE;
	default:
		return DWARF_TABLES;
	}
}

/* The first of a name is kept; false when there was one. */
static bool remember(struct strmap *m, const char *name, Dwarf_Off off)
{
	bool isnew;
	uint64_t *slot;

	if (!name || !*name)
		return false;
	slot = strmap_put(m, name, &isnew);
	if (isnew)
		*slot = off;
	return isnew;
}

/* A definition tells its address: DW_OP_addr alone, as all static storage has it. */
static bool variable_addr(Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &n) != 0 ||
	    n != 1 || ops[0].atom != DW_OP_addr)
		return false;
	*ret = ops[0].number;
	return true;
}

static void see(struct dwarf_types *d, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	enum dwarf_table table;
	Dwarf_Addr addr;
	bool isnew;
	uint64_t *slot;

	if (tag == DW_TAG_variable) {
		if (variable_addr(die, &addr)) {
			slot = map_put(&d->by_addr, addr, &isnew);
			if (isnew)
				*slot = dwarf_dieoffset(die);
		} else if (dwarf_hasattr(die, DW_AT_declaration) &&
			   dwarf_hasattr(die, DW_AT_external)) {
			(void)remember(&d->declared, dwarf_diename(die), dwarf_dieoffset(die));
		}
		return;
	}
	table = d->with_types ? table_of_tag(tag) : DWARF_TABLES;
	if (table != DWARF_TABLES && !dwarf_hasattr(die, DW_AT_declaration) &&
	    remember(&d->names[table], dwarf_diename(die), dwarf_dieoffset(die)) &&
	    table != DWARF_BASE)
		*vec_push(&d->tagged) = dwarf_dieoffset(die);
}

static bool unit_next(struct dwarf_file *f)
{
	struct dwarf_types *d = f->types;
	Dwarf_Off off = d->next_cu;
	size_t header;
	Dwarf_Die cu;

	if (dwarf_nextcu(f->dbg, off, &d->next_cu, &header, NULL, NULL, NULL) != 0 ||
	    d->next_cu <= off) {
		d->done = true;
		return false;
	}
	d->in_cu = dwarf_offdie(f->dbg, off + header, &cu) && dwarf_child(&cu, &d->at) == 0;
	return true;
}

/* Goes on until the question is answered, all was seen, or Ctrl-C. */
static bool scan(struct dwarf_file *f, bool (*found)(struct dwarf_types *d, const void *question),
		 const void *question, struct err *err)
{
	struct dwarf_types *d = f->types;

	while (!found(d, question)) {
		if (d->done)
			return err_set(err, ERR_NOTYPE, "not in the debug info");
		if (!d->in_cu) {
			if (!interrupt_check(err))
				return false;
			unit_next(f);
			continue;
		}
		/* one unit at a time: most questions are answered by what is next to each other */
		do {
			see(d, &d->at);
		} while (dwarf_siblingof(&d->at, &d->at) == 0);
		d->in_cu = false;
	}
	return true;
}

static void scan_restart(struct dwarf_types *d)
{
	d->done = d->in_cu = false;
	d->next_cu = 0;
	d->with_types = true;
}

/* ---- types by name */

struct name_question {
	enum dwarf_table table;
	const char *name;
};

static bool name_found(struct dwarf_types *d, const void *question)
{
	const struct name_question *q = question;

	return strmap_get(&d->names[q->table], q->name) != NULL;
}

static enum dwarf_table table_of_kind(enum type_kind kind)
{
	switch (kind) {
	case TYPE_STRUCT:
		return DWARF_STRUCT;
	case TYPE_UNION:
		return DWARF_UNION;
	case TYPE_ENUM:
		return DWARF_ENUM;
	case TYPE_TYPEDEF:
		return DWARF_TYPEDEF;
	default:
		return DWARF_BASE;
	}
}

static bool source_find(struct type_source *s, enum type_kind kind, const char *name,
			const struct type **ret, struct err *err)
{
	struct dwarf_file *f = s->self;
	struct name_question q = { table_of_kind(kind), name };
	Dwarf_Die die;

	if (!dwarf_load(f, err))
		return false;
	if (!f->types->with_types)
		scan_restart(f->types);
	if (!scan(f, name_found, &q, err))
		return err->code == ERR_NOTYPE
			       ? err_set(err, ERR_NOTYPE, "no type '%s' in %s", name, s->origin)
			       : false;
	if (!dwarf_offdie(f->dbg, *strmap_get(&f->types->names[q.table], name), &die))
		return err_set(err, ERR_FORMAT, "debug info of type '%s' is damaged", name);
	*ret = dwarf_type_of(f, &die);
	return true;
}

static bool nothing_found(struct dwarf_types *d, const void *question)
{
	(void)d;
	(void)question;
	return false;
}

static bool source_each(struct type_source *s, bool (*fn)(const struct type *type, void *arg),
			void *arg, struct err *err)
{
	struct dwarf_file *f = s->self;

	if (!dwarf_load(f, err))
		return false;
	if (!f->types->with_types)
		scan_restart(f->types);
	if (!scan(f, nothing_found, NULL, err) && err->code != ERR_NOTYPE)
		return false;
	for (size_t i = 0; i < f->types->tagged.n; i++) {
		Dwarf_Die die;

		if (dwarf_offdie(f->dbg, f->types->tagged.p[i], &die) &&
		    !fn(dwarf_type_of(f, &die), arg))
			break;
	}
	return true;
}

/* ---- variables */

struct variable_question {
	const char *name;
	uint64_t addr;
	bool global; /* C has one type for a global name: a declaration will do */
};

static uint64_t *variable_hit(struct dwarf_types *d, const struct variable_question *q)
{
	uint64_t *hit = q->addr ? map_get(&d->by_addr, q->addr) : NULL;

	return !hit && q->global ? strmap_get(&d->declared, q->name) : hit;
}

static bool variable_found(struct dwarf_types *d, const void *question)
{
	return variable_hit(d, question) != NULL;
}

/* A per-CPU variable's address is an offset in vmlinux too, and so in DWARF. */
static bool source_variable(struct type_source *s, const char *name, uint64_t addr,
			    const struct type **ret, struct err *err)
{
	struct dwarf_file *f = s->self;
	struct variable_question q = { .name = name, .addr = addr };
	struct symbol sym;
	struct err why;
	Dwarf_Die die;

	if (!dwarf_load(f, err))
		return false;
	q.global = !f->module && symbol_find(f->t, name, &sym, &why) && sym.type >= 'A' &&
		   sym.type <= 'Z' && (!addr || sym.addr == addr || sym.addr - f->t->kaslr == addr);
	if (!scan(f, variable_found, &q, err))
		return err->code == ERR_NOTYPE
			       ? err_set(err, ERR_NOTYPE, "no variable '%s' in %s", name, s->origin)
			       : false;
	if (!dwarf_offdie(f->dbg, *variable_hit(f->types, &q), &die))
		return err_set(err, ERR_FORMAT, "debug info of variable '%s' is damaged", name);
	*ret = dwarf_type_named(f, &die);
	return true;
}

/* ---- the files */

uint64_t dwarf_slide(const struct dwarf_file *f)
{
	return f->module ? 0 : f->t->kaslr;
}

static struct dwarf_file *file_new(struct target *t, const char *origin)
{
	struct dwarf_file *f = ARENA_NEW(&t->arena, struct dwarf_file);

	f->t = t;
	f->type_source = (struct type_source){ .origin = origin,
					       .find = source_find,
					       .fill = dwarf_type_fill,
					       .variable = source_variable,
					       .each = source_each,
					       .t = t,
					       .self = f };
	f->line_source = (struct line_source){ .find = dwarf_line_find, .t = t, .self = f };
	return f;
}

struct dwarf_file *dwarf_of_module(struct target *t, const char *module, const char *path, Elf *elf)
{
	struct dwarf_file *f = file_new(t, arena_printf(&t->arena, "DWARF of module %s", module));

	f->module = module;
	f->path = path;
	f->elf = elf;
	return f;
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
	return t->dwarf || err_set(err, ERR_NEED,
				   "no debug info is loaded: give the vmlinux with debug info of "
				   "this dump");
}

/* ---- the reader */

static bool attach(struct target *t, struct err *err)
{
	struct frame_source *frames = ARENA_NEW(&t->arena, struct frame_source);
	struct dwarf_file *f;
	struct span info;
	uint64_t addr;

	(void)err;
	*frames = (struct frame_source){ .caller = dwarf_frame_caller,
					 .variables = dwarf_frame_variables,
					 .tail_calls = dwarf_frame_tail_calls,
					 .t = t };
	frame_source_add(t, frames); /* modules may have debug info where the vmlinux has none */
	if (!t->vmlinux.file || !t->vmlinux.section(t->vmlinux.self, ".debug_info", &info, &addr) ||
	    !info.n)
		return true;
	f = file_new(t, "DWARF");
	f->path = t->vmlinux.file->path;
	f->image = t->vmlinux.file->map;
	t->dwarf = f;
	types_add(t, &f->type_source);
	lines_add(t, &f->line_source);
	return true;
}

const struct reader reader_dwarf = {
	.name = "dwarf",
	.summary = "DWARF debug information in vmlinux: lines, variables, types",
	.attach = attach,
	.rank = 50,
};
