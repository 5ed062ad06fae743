/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF of the vmlinux and of modules: opened when somebody asks, and searched no further than
 * needed. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/dwarf/dwarf_frame.h"
#include "core/dwarf/dwarf_scan.h"

/* ---- the pass over outermost DIEs */

static enum dwarf_table table_of_tag(unsigned tag)
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

/* What `seen` tells apart beside the tables. */
enum {
	SEEN_DECLARED = DWARF_TABLES,
	SEEN_NAMELESS
};

/* The linker merges equal texts, so that most repetitions are known by their address. */
static bool first_seen(struct dwarf_types *d, const char *text, unsigned which)
{
	bool isnew;

	map_put(&d->seen, (uint64_t)(uintptr_t)text << 3 | which, &isnew);
	return isnew;
}

/* The first of a name is kept; false when there was one. */
static bool remember(struct dwarf_types *d, struct strmap *m, unsigned which,
		     const struct dwarf_top *die)
{
	bool isnew;
	uint64_t *slot;

	if (!die->name || !*die->name || !first_seen(d, die->name, which))
		return false;
	slot = strmap_put(m, die->name, &isnew);
	if (isnew)
		*slot = die->off;
	return isnew;
}

static void dwarf_file_see(const struct dwarf_top *die, void *arg)
{
	struct dwarf_types *d = arg;
	enum dwarf_table table = table_of_tag(die->tag);
	bool isnew;
	uint64_t *slot;

	if (table != DWARF_TABLES) {
		if (!die->declaration && remember(d, &d->names[table], table, die) &&
		    table != DWARF_BASE)
			*vec_push(&d->tagged) = die->off;
		/* a constant's name tells of an enum that has none itself */
		else if (die->first && first_seen(d, die->first, SEEN_NAMELESS))
			*vec_push(&d->tagged) = die->off;
	} else if (die->has_addr) {
		slot = map_put(&d->by_addr, die->addr, &isnew);
		if (isnew)
			*slot = die->off;
	} else if (die->declaration && die->external) {
		(void)remember(d, &d->declared, SEEN_DECLARED, die);
	}
}

/* Goes on until the question is answered, all was seen, or Ctrl-C. One unit at a time: most
 * questions are answered by what is next to each other. */
static bool scan(struct dwarf_file *f, bool (*found)(struct dwarf_types *d, const void *question),
		 const void *question, struct err *err)
{
	struct dwarf_types *d = f->types;

	while (!found(d, question)) {
		if (d->done)
			return err_set(err, ERR_NOTYPE, "not in the debug info");
		if (!interrupt_check(err))
			return false;
		d->done = !dwarf_index_unit(&d->index, dwarf_file_see, d);
		if (d->done && d->index.damaged)
			target_warn(
				f->t, ERR_FORMAT,
				"parts of the debug info of '%s' are damaged: types may be missing",
				f->path);
		if (d->done)
			dwarf_index_release(&d->index);
	}
	return true;
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

/* A label of the linker's that happens to lie where a function begins; aliases and clones are as
 * long as the function. */
static bool is_label(struct dwarf_file *f, const char *name, Dwarf_Die *func)
{
	const char *its = dwarf_diename(func);
	struct symbol sym;
	struct err ignored;

	return its && strcmp(its, name) != 0 && symbol_find(f->t, name, &sym, &ignored) &&
	       !sym.size;
}

/* The function whose symbol is at a run-time address; code of it may begin a little behind. */
static bool source_function(struct dwarf_file *f, const char *name, uint64_t addr,
			    const struct type **ret, struct err *err)
{
	struct dwarf_frame frame;

	for (uint64_t off = 0; off <= DWARF_PATCHABLE; off += 4) {
		struct frame_at at = { .pc = addr + off, .exact = true };

		if (!dwarf_frame_open(f, &at, &frame, err)) {
			if (err->code != ERR_NOTFOUND)
				return false;
			continue;
		}
		if (dwarf_func_entry(f, &frame.func) != addr || is_label(f, name, &frame.func))
			break;
		*ret = dwarf_type_of_func(f, &frame.func);
		return true;
	}
	return err_set(err, ERR_NOTYPE, "no function '%s' in %s", name, f->type_source.origin);
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
	if (addr && symbol_is_text(f->t, addr + dwarf_slide(f)) &&
	    source_function(f, name, addr + dwarf_slide(f), ret, err))
		return true;
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

static bool source_defines(struct type_source *s, uint64_t addr, const char **ret, struct err *err)
{
	struct dwarf_file *f = s->self;
	const struct variable_question q = { .addr = addr };
	Dwarf_Die die, unit;

	if (!dwarf_load(f, err) || !scan(f, variable_found, &q, err))
		return false;
	if (!dwarf_offdie(f->dbg, *variable_hit(f->types, &q), &die) ||
	    !dwarf_diecu(&die, &unit, NULL, NULL) || !dwarf_diename(&unit))
		return err_set(err, ERR_NOTYPE, "no file of the variable is known");
	*ret = dwarf_diename(&unit);
	return true;
}

/* ---- the files */

void dwarf_release(struct dwarf_file *f)
{
	struct dwarf_types *d = f->types;

	for (unsigned i = 0; d && i < DWARF_TABLES; i++)
		strmap_release(&d->names[i]);
	if (d) {
		map_release(&d->by_die);
		dwarf_index_release(&d->index);
		map_release(&d->seen);
		map_release(&d->by_addr);
		strmap_release(&d->declared);
		vec_release(&d->tagged);
	}
	dwarf_abbrevs_release(&f->abbrevs);
	map_release(&f->around);
	map_release(&f->keeps);
	map_release(&f->sites);
	map_release(&f->jumps_back);
	if (f->dbg)
		dwarf_end(f->dbg);
	if (f->elf && !f->module)
		elf_end(f->elf);
}

static void file_free(void *what)
{
	dwarf_release(what);
}

struct dwarf_file *dwarf_file_new(struct target *t, const char *origin)
{
	struct dwarf_file *f = ARENA_NEW(&t->arena, struct dwarf_file);

	target_defer(t, file_free, f);
	f->t = t;
	f->type_source = (struct type_source){ .origin = origin,
					       .find = source_find,
					       .fill = dwarf_type_fill,
					       .variable = source_variable,
					       .file = source_defines,
					       .each = source_each,
					       .t = t,
					       .self = f };
	f->line_source = (struct line_source){ .find = dwarf_line_find, .t = t, .self = f };
	return f;
}

struct dwarf_file *dwarf_of_module(struct target *t, const char *module, const char *path, Elf *elf)
{
	struct dwarf_file *f =
		dwarf_file_new(t, arena_printf(&t->arena, "DWARF of module %s", module));

	f->module = module;
	f->path = path;
	f->elf = elf;
	return f;
}
