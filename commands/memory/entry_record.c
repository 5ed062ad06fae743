/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of an entry of a page table. */
#include "commands/memory/entry_record.h"
#include "core/base/buf.h"
#include "core/image/target.h"
#include "core/linux/memory/entry.h"

enum {
	LEVEL,
	AT,
	ENTRY,
	FORM,
	PHYSICAL,
	SIZE,
	FLAGS,
	MEANING
};
static const char *form_name(enum entry_form form)
{
	switch (form) {
	case ENTRY_TABLE:
		return "table";
	case ENTRY_BLOCK:
	case ENTRY_SUPER:
		return "block";
	case ENTRY_LARGE:
	case ENTRY_PAGE:
		return "page";
	case ENTRY_KEPT:
		return "kept";
	default:
		return "none";
	}
}

/* "table at 00000000054f2000", "page of 2 MB at 0000000001000000", "none: nothing". */
static void form_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct table_step *step = r->of;
	const struct entry_said *said = &step->said;
	uint64_t kib = said->size >> 10;

	if (cell->kind == CELL_NULL)
		return;
	if (said->form == ENTRY_NONE)
		buf_printf(b, "none: %s", r->cells[MEANING].str.s);
	else if (said->form == ENTRY_TABLE)
		buf_printf(b, "table at %0*llx", target_addr_digits(k->t),
			   (unsigned long long)said->pa);
	else
		buf_printf(b, "%s of %llu %s at %0*llx",
			   said->form == ENTRY_BLOCK ? "huge page" : "page",
			   (unsigned long long)(kib >> 20   ? kib >> 20
						: kib >> 10 ? kib >> 10
							    : kib),
			   kib >> 20   ? "GB"
			   : kib >> 10 ? "MB"
				       : "KB",
			   target_addr_digits(k->t), (unsigned long long)said->pa);
}

static const struct record_field fields[] = {
	[LEVEL] = { "level", NULL, CELL_STR, 0,
		    "PGD, P4D, PUD, PMD, PTE; Linux: of 32-bit ARM, the kernel's own notes of a "
		    "page for which the hardware's table has nothing" },
	[AT] = { "at", NULL, CELL_ADDR, 0, "its physical address; null: it was typed" },
	[ENTRY] = { "entry", NULL, CELL_ADDR, 0, "its value" },
	[FORM] = { "form", NULL, CELL_STR, 0,
		   "table, block (a huge page, or a section), page, kept (level Linux), none",
		   .text = form_text },
	[PHYSICAL] = { "physical", NULL, CELL_ADDR, 0, "of the table or of what it maps" },
	[SIZE] = { "size", NULL, CELL_SIZE, 0, "bytes of addresses that it is for" },
	[FLAGS] = { "flags", NULL, CELL_STRS, 0, "its flags in words" },
	[MEANING] = { "meaning", NULL, CELL_STR, 0,
		      "of an entry that maps nothing: why; else null" },
};
const struct record_kind table_entry_kind = {
	.name = "table_entry",
	.doc = "An entry of a page table.",
	.layout = LAYOUT_LINE,
	.line = "  {level:-5} {?at:{at}: }{entry}  {form}{?flags: ({flags})}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

void emit_table_entry(struct ctx *c, const struct mmu *mmu, const struct table_step *step)
{
	const struct entry_said *said = &step->said;
	const char *words[ENTRY_WORDS_MAX];
	struct table_shape shape;
	struct record r;
	struct err err;
	size_t n;

	c->t->arch->table_shape(mmu, &shape);
	record_init(&r, &table_entry_kind);
	r.of = step;
	record_str(&r, LEVEL, table_level_name(step->level, shape.levels));
	if (step->at)
		record_uint(&r, AT, step->at);
	if (step->absent) {
		err_set_addr(&err, ERR_NOPGTABLE, step->at, "page table");
		record_absent(&r, ENTRY, &err);
		emit(c, &r);
		return;
	}
	record_uint(&r, ENTRY, step->entry);
	record_str(&r, FORM, form_name(said->form));
	record_uint(&r, SIZE, said->size);
	if (said->form == ENTRY_NONE) {
		record_str(&r, MEANING,
			   entry_meaning(c->t, mmu, step->entry, said->size, c->arena));
	} else {
		record_uint(&r, PHYSICAL, said->pa);
		n = entry_words(said, step->entry, c->arena, words, ENTRY_WORDS_MAX);
		if (n)
			record_strs(&r, FLAGS, words, n);
	}
	emit(c, &r);
}
