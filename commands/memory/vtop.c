/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vtop: where kernel virtual addresses lie in physical memory, as the page tables say. */
#include "core/obit.h"
#include "core/linux/fs/vfs.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/memory/user.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"

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
	bool user;
	const char *task;
};
static const struct option opts[] = {
	{ "u", NULL, OPTION_FLAG, offsetof(struct vtop_opts, user),
	  "addresses of the current task's memory, or of -c's" },
	{ "c", "task", OPTION_STR, offsetof(struct vtop_opts, task),
	  "of this task's memory: pid, address or name" },
};

/* An address of a task's; what is there is what its area is of. */
static bool user_one(struct ctx *c, struct user_space *u, const char *operand, struct err *err)
{
	struct mapping map;
	struct record r;
	struct vma area;
	uint64_t va;
	bool has_area;

	if (!stage_place(c, operand, &va, err))
		return false;
	has_area = user_area(u, va, c->arena, &area);
	if (!user_map(u, va, &map, err)) {
		if (err->code != ERR_UNMAPPED)
			return err_wrap(err, "'%.80s'", operand);
		return err_set_addr(
			err, ERR_UNMAPPED, va,
			has_area ? "'%.80s' is not in RAM: it was never touched, or was swapped out"
				 : "'%.80s' is in no area of the task's memory",
			operand);
	}
	record_init(&r, &translation_kind);
	record_uint(&r, VIRTUAL, va);
	record_uint(&r, PHYSICAL, map.pa + (va - map.va));
	record_uint(&r, SIZE, map.size);
	record_str(&r, SYMBOL, has_area ? area.name : NULL);
	emit(c, &r);
	return true;
}

static bool vtop_one(struct ctx *c, const char *operand, struct err *err)
{
	struct target *t = c->t;
	struct mapping map;
	uint64_t va, pa;
	struct record r;

	if (!stage_place(c, operand, &va, err))
		return false;
	if (!mem_virt_to_phys(t, va, &pa, err))
		return err_wrap(err, "'%.80s'", operand);
	record_init(&r, &translation_kind);
	record_uint(&r, VIRTUAL, va);
	record_uint(&r, PHYSICAL, pa);
	/* the tables are known to be usable by now */
	if (t->arch->walk(&t->memory.mmu, va, &map, err))
		record_uint(&r, SIZE, map.size);
	if (!kernel_image_freed(t, va))
		record_str(&r, SYMBOL, symbol_text(t, va, c->arena));
	emit(c, &r);
	return true;
}

static bool vtop_run(struct ctx *c, struct err *err)
{
	const struct vtop_opts *o = c->opts;
	struct user_space u = { 0 };
	const struct task *task;
	struct err why;
	bool ok;
	int i;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "an address or a symbol is wanted");
	if ((o->user || o->task) &&
	    (!task_named(c, o->task, &task, err) || !user_space_init(&u, c->t, task, err)))
		return false;
	for (i = 0; i < c->argc; i++) {
		ok = u.t ? user_one(c, &u, c->argv[i], &why) : vtop_one(c, c->argv[i], &why);
		if (!ok)
			complain(c, &why);
	}
	return true;
}

static const struct record_kind *const emits[] = { &translation_kind, NULL };
static const struct example examples[] = {
	{ "vtop linux_banner", "where the kernel's version string lies" },
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
	.help = "Walks the kernel's page tables for each address, or expression as p takes it, and says where it lies in physical memory, and "
		"how much the page table entry maps. With -u and -c it walks those of a task, and says what the "
		"area around the address is of.",
	EXAMPLES(examples),
	.run = vtop_run,
};
