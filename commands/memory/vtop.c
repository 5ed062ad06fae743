/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vtop: where kernel virtual addresses lie in physical memory, as the page tables say. */
#include <string.h>

#include "core/obit.h"
#include "core/linux/fs/vfs.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/linux/memory/entry.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/user.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "commands/memory/entry_record.h"
#include "commands/memory/page_record.h"
#include "commands/memory/user_context.h"

enum {
	VIRTUAL,
	PHYSICAL,
	SIZE,
	SYMBOL
};
static const struct record_field fields[] = {
	[VIRTUAL] = { "virtual", NULL, CELL_ADDR, 0, "the address asked for" },
	[PHYSICAL] = { "physical", NULL, CELL_ADDR, 0, "where it lies in physical memory" },
	[SIZE] = { "page_size", "PAGE", CELL_SIZE, FIELD_RIGHT,
		   "bytes that its page table entry maps" },
	[SYMBOL] = { "symbol", NULL, CELL_STR, 0,
		     "what is there; null in pages of the kernel's image that were given back after boot" },
};
static const struct record_kind translation_kind = {
	.name = "translation",
	.doc = "A virtual address and its physical one.",
	.layout = LAYOUT_TABLE,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

struct vtop_opts {
	bool user, kernel;
	const char *task;
};
static const struct option opts[] = {
	{ "u", NULL, OPTION_FLAG, offsetof(struct vtop_opts, user),
	  "addresses of the current task's memory, or of -c's" },
	OPT_FLAG("k", struct vtop_opts, kernel,
		 "the address is the kernel's, whatever task was chosen"),
	{ "c", "task", OPTION_STR, offsetof(struct vtop_opts, task),
	  "of this task's memory: pid, address or name" },
};

static const struct record_field area_fields[] = {
	[0] = { "vma", NULL, CELL_ADDR, 0, "its struct vm_area_struct" },
	[1] = { "start", NULL, CELL_HEX, 0, "its first address" },
	[2] = { "end", NULL, CELL_HEX, 0, "the first behind it" },
	[3] = { "perms", NULL, CELL_STR, 0, "as in /proc/PID/maps: r-xp" },
	[4] = { "name", NULL, CELL_STR, 0, "its file, [heap], ...; null: none" },
};
static const struct record_kind area_kind = {
	.name = "translation_area",
	.doc = "The area of a task's memory that the address is in.",
	.layout = LAYOUT_LINE,
	.line = "  VMA   {vma}: {start}-{end} {perms}{?name: {name}}",
	.fields = area_fields,
	.n_fields = ARRAY_SIZE(area_fields),
};

static void emit_area(struct ctx *c, const struct vma *area)
{
	struct record r;

	record_init(&r, &area_kind);
	record_uint(&r, 0, area->addr);
	record_uint(&r, 1, area->start);
	record_uint(&r, 2, area->end);
	record_str(&r, 3, arena_strdup(c->arena, area->perms));
	record_str(&r, 4, area->name);
	emit(c, &r);
}

static void emit_walk(struct ctx *c, const struct mmu *mmu, const struct table_walk *walk)
{
	for (size_t i = 0; i < walk->n; i++)
		emit_table_entry(c, mmu, &walk->step[i]);
}

/* What the kernel keeps of the page; memory of a device has no such struct. */
static void emit_struct_page(struct ctx *c, uint64_t pa)
{
	struct err why;

	if (types_available(c->t) && !emit_page(c, pa, &why) && err_is_absent(why.code) &&
	    why.code != ERR_NOTRAM)
		note(c, &why);
}

static void emit_translation(struct ctx *c, uint64_t va, uint64_t pa, uint64_t size,
			     const char *symbol)
{
	struct record r;

	record_init(&r, &translation_kind);
	record_uint(&r, VIRTUAL, va);
	record_uint(&r, PHYSICAL, pa);
	if (size)
		record_uint(&r, SIZE, size);
	record_str(&r, SYMBOL, symbol);
	emit(c, &r);
}

/* Why an address of an area is not in RAM, as the entry of the page table says. */
static bool not_in_ram(struct ctx *c, const struct user_space *u, const char *operand,
		       const struct mapping *map, struct err *err)
{
	const char *meaning = entry_meaning(c->t, &u->mmu, map->entry, map->size, c->arena);

	if (!strcmp(meaning, "nothing"))
		meaning = "it was never touched, or its file alone has it";
	return err_set(err, ERR_UNMAPPED, "'%.60s' is not in RAM: %.150s", operand, meaning);
}

/* An address of a task's; what is there is what its area is of. */
static bool user_one(struct ctx *c, struct user_space *u, const char *operand, uint64_t va,
		     struct err *err)
{
	struct table_walk walk;
	struct vma area;
	struct err why;
	bool has_area, ok;

	if (va >= u->end)
		return err_set_addr(err, ERR_BADADDR, va, "'%.80s' is the kernel's, no task's",
				    operand);
	has_area = user_area(u, va, c->arena, &area);
	ok = table_walk(c->t->arch, &u->mmu, va, &walk, err) || user_map(u, va, &walk.map, &why);
	if (ok)
		emit_translation(c, va, walk.map.pa + (va - walk.map.va), walk.map.size,
				 has_area ? area.name : NULL);
	emit_walk(c, &u->mmu, &walk);
	if (has_area)
		emit_area(c, &area);
	if (ok)
		emit_struct_page(c, walk.map.pa + (va - walk.map.va));
	else if (err->code != ERR_UNMAPPED)
		return err_wrap(err, "'%.80s'", operand);
	else if (!has_area)
		err_set_addr(err, ERR_UNMAPPED, va, "'%.80s' is in no area of the task's memory",
			     operand);
	else
		not_in_ram(c, u, operand, &walk.map, err);
	return ok;
}

static bool kernel_one(struct ctx *c, const char *operand, uint64_t va, struct err *err)
{
	struct table_walk walk = { .n = 0 };
	struct target *t = c->t;
	const struct mmu *mmu;
	struct err ignored;
	uint64_t pa;
	bool ok = mem_virt_to_phys(t, va, &pa, err);
	bool walked = (ok || err->code == ERR_UNMAPPED || err->code == ERR_NOPGTABLE) &&
		      mem_tables(t, &mmu, &ignored) &&
		      table_walk(t->arch, mmu, va, &walk, &ignored);

	if (ok)
		emit_translation(c, va, pa, walked ? walk.map.size : 0,
				 kernel_image_freed(t, va) ? NULL : symbol_text(t, va, c->arena));
	if (walk.n)
		emit_walk(c, mmu, &walk);
	if (ok)
		emit_struct_page(c, pa);
	return ok || err_wrap(err, "'%.80s'", operand);
}

static bool vtop_one(struct ctx *c, const struct user_space *asked, const char *operand,
		     struct err *err)
{
	struct user_space u = *asked;
	uint64_t va;

	if (!stage_place(c, operand, &va, err))
		return false;
	if (u.t || (!((const struct vtop_opts *)c->opts)->kernel && user_context(c, va, &u)))
		return user_one(c, &u, operand, va, err);
	return kernel_one(c, operand, va, err);
}

static bool vtop_run(struct ctx *c, struct err *err)
{
	const struct vtop_opts *o = c->opts;
	struct user_space u = { 0 };
	const struct task *task;
	struct err why;
	int i;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "an address or a symbol is wanted");
	if (o->kernel && (o->user || o->task))
		return err_set(err, ERR_USAGE, "-k excludes -u and -c");
	if ((o->user || o->task) &&
	    (!task_named(c, o->task, &task, err) || !user_space_init(&u, c->t, task, err)))
		return false;
	for (i = 0; i < c->argc; i++)
		if (!vtop_one(c, &u, c->argv[i], &why))
			complain(c, &why);
	return true;
}

static const struct record_kind *const emits[] = { &translation_kind, &table_entry_kind, &area_kind,
						   &page_kind, NULL };
static const struct example examples[] = {
	{ "vtop linux_banner", "where the kernel's version string lies" },
	{ "set 1 ; vm | first 1 | each vtop {vm_start}", "of the task that set chose" },
	{ "vm 1 | first 1 | each vtop -c 1 {vm_start}", "an address of a task's" },
};
const struct command cmd_vtop = {
	.name = "vtop",
	.group = "memory",
	.summary = "virtual to physical addresses",
	.needs = NEED_DUMP,
	.operands = "address | symbol...",
	OPTS(opts),
	.opts_size = sizeof(struct vtop_opts),
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Walks the kernel's page tables for each address, or expression as p takes it, and says where it lies "
		"in physical memory and how much the page table entry maps; each entry on the way with its physical address, its "
		"value, and its flags in words; and the struct page. With -u and -c it walks the tables of a task, and so it does, "
		"once set has chosen one, for an address that is a task's; the area around the address is shown too.\n\n"
		"An entry that maps nothing is shown with what it means: nothing, a page that is swapped out, that migrates, or that "
		"PROT_NONE keeps from its program. pte says the same of an entry alone, ptov goes the other way.",
	EXAMPLES(examples),
	.run = vtop_run,
};
