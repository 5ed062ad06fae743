/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ptov: which virtual addresses of the kernel's a physical one has. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/memory/struct_page.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

enum {
	VIRTUAL,
	PHYSICAL,
	WHERE,
	SYMBOL
};
static const struct record_field fields[] = {
	[VIRTUAL] = { "virtual", NULL, CELL_ADDR, 0, "the kernel's address of it" },
	[PHYSICAL] = { "physical", NULL, CELL_ADDR, 0, "the address asked for" },
	[WHERE] = { "where", "IN", CELL_STR, 0,
		    "image: the kernel's own; linear map: that of all memory" },
	[SYMBOL] = { "symbol", NULL, CELL_STR, 0, "what is there, where that has a name" },
};
static const struct record_kind alias_kind = {
	.name = "virtual_address",
	.doc = "A virtual address of a physical one.",
	.layout = LAYOUT_TABLE,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

/* Shows va when the kernel's page tables say that it is where pa is. */
static bool alias_show(struct ctx *c, uint64_t pa, uint64_t va, const char *where)
{
	struct err ignored;
	struct record r;
	uint64_t back;

	if (!mem_virt_to_phys(c->t, va, &back, &ignored) || back != pa)
		return false;
	record_init(&r, &alias_kind);
	record_uint(&r, VIRTUAL, va);
	record_uint(&r, PHYSICAL, pa);
	record_str(&r, WHERE, where);
	if (symbols_available(c->t) && !kernel_image_freed(c->t, va)) {
		const char *symbol = symbol_text(c->t, va, c->arena);

		record_str(&r, SYMBOL, *symbol ? symbol : NULL);
	}
	emit(c, &r);
	return true;
}

static bool ptov_one(struct ctx *c, const char *word, struct err *err)
{
	struct kernel_image image = { 0 };
	uint64_t pa, delta, word_mask = c->t->arch->word == 4 ? UINT32_MAX : UINT64_MAX;
	bool shown = false, linear;
	struct err why;

	if ((expr_local(c->t, word) || !parse_number(word, true, &pa)) &&
	    !stage_place(c, word, &pa, err))
		return false;
	linear = linear_delta(c->t, &delta, &why);
	if (linear)
		shown = alias_show(c, pa, (pa + delta) & word_mask, "linear map");
	if (kernel_image_find(c->t, &image) && pa - image.pa < image.size &&
	    (!linear || image.va + (pa - image.pa) != ((pa + delta) & word_mask)))
		shown |= alias_show(c, pa, image.va + (pa - image.pa), "image");
	if (shown)
		return true;
	if (!linear)
		return *err = why, err_wrap(err, "'%.60s'", word);
	return err_set_addr(err, ERR_UNMAPPED, pa,
			    "0x%" PRIx64 " is neither in the map of all memory nor in the kernel's "
			    "image; kmem -p says what page it is",
			    pa);
}

static bool ptov_run(struct ctx *c, struct err *err)
{
	struct err why;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "a physical address is wanted");
	for (int i = 0; i < c->argc; i++)
		if (!ptov_one(c, c->argv[i], &why))
			complain(c, &why);
	return true;
}

static const struct record_kind *const emits[] = { &alias_kind, NULL };
static const struct example examples[] = {
	{ "ptov 1000000", "the kernel's address of what lies 16 MiB above 0" },
};
const struct command cmd_ptov = {
	.name = "ptov",
	.group = "memory",
	.summary = "physical to virtual addresses",
	.needs = NEED_DUMP | NEED_SYMBOLS,
	.operands = "address...",
	.emits = emits,
	.help = "Says at which of the kernel's addresses a physical one is: in its map of all memory, and in its image. Each "
		"address is translated back by the kernel's page tables before it is shown, so memory that the kernel does "
		"not map for good (on 32-bit machines all that is high) is refused. vtop goes the other way.",
	EXAMPLES(examples),
	.run = ptov_run,
};
