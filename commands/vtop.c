/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vtop: where kernel virtual addresses lie in physical memory, as the page tables say. */
#include "core/obit.h"

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
	[SYMBOL] = { "symbol", NULL, CELL_STR, 0, "what is there" },
};
static const struct record_kind translation_kind = {
	.name = "translation",
	.doc = "A virtual address and its physical one.",
	.layout = LAYOUT_TABLE,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

static bool vtop_one(struct ctx *c, const char *operand, struct err *err)
{
	struct target *t = c->t;
	struct mapping map;
	uint64_t va, pa;
	struct record r;

	if (!parse_address(t, operand, &va, err))
		return false;
	if (!mem_virt_to_phys(t, va, &pa, err))
		return err_wrap(err, "'%.80s'", operand);
	record_init(&r, &translation_kind);
	record_uint(&r, VIRTUAL, va);
	record_uint(&r, PHYSICAL, pa);
	/* the tables are known to be usable by now */
	if (t->arch->walk(&t->memory.mmu, va, &map, err))
		record_uint(&r, SIZE, map.size);
	record_str(&r, SYMBOL, symbol_text(t, va, c->arena));
	emit(c, &r);
	return true;
}

static bool vtop_run(struct ctx *c, struct err *err)
{
	struct err why;
	int i;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "an address or a symbol is wanted");
	for (i = 0; i < c->argc; i++)
		if (!vtop_one(c, c->argv[i], &why))
			complain(c, &why);
	return true;
}

static const struct record_kind *const emits[] = { &translation_kind, NULL };
static const struct example examples[] = {
	{ "vtop linux_banner", "where the kernel's version string lies" },
};
const struct command cmd_vtop = {
	.name = "vtop",
	.group = "memory",
	.summary = "virtual to physical addresses",
	.needs = NEED_DUMP,
	.operands = "address | symbol...",
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Walks the kernel's page tables for each address and says where it lies in physical memory, and "
		"how much the page table entry maps. User addresses cannot be translated yet.",
	EXAMPLES(examples),
	.run = vtop_run,
};
