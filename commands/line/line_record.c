/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One source line of an address as a record; as text in obit's form, or in that of addr2line. */
#include "commands/line/line_record.h"

#include <inttypes.h>

#include "core/shell/forms.h"

enum {
	ADDR,
	NAME,
	OFFSET,
	SIZE,
	MODULE,
	FUNC,
	FILE_,
	LINE,
	INLINED
};

static const struct record_field fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "the address asked for" },
	[NAME] = { "name", NULL, CELL_STR, FIELD_JSON, "the symbol it is in" },
	[OFFSET] = { "offset", NULL, CELL_HEX, FIELD_JSON, "from the symbol's start" },
	[SIZE] = { "size", NULL, CELL_HEX, FIELD_JSON, "of the symbol, as the kernel prints it" },
	[MODULE] = { "module", NULL, CELL_STR, FIELD_JSON, "null for the kernel" },
	[FUNC] = { "func", NULL, CELL_STR, 0, "function of this line" },
	[FILE_] = { "file", NULL, CELL_STR, 0, "source file" },
	[LINE] = { "line", NULL, CELL_UINT, 0, "line in it" },
	[INLINED] = { "inlined", NULL, CELL_BOOL, 0,
		      "this function was inlined into that of the next record" },
};

static void put_name(struct buf *b, const struct cell *cell)
{
	if (cell->kind == CELL_NULL)
		buf_str(b, "??");
	else
		buf_plain(b, cell->str.s, cell->str.n);
}

static void put_place(struct buf *b, const struct record *r)
{
	put_name(b, &r->cells[FILE_]);
	buf_printf(b, ":%" PRIu64 "\n", r->cells[LINE].kind == CELL_NULL ? 0 : r->cells[LINE].u);
}

/* binutils/addr2line.c, translate_addresses() */
static void put_addr2line(struct buf *b, const struct record *r, const struct line_shown *of)
{
	const struct line_opts *o = of->o;

	if (of->i && !o->inlines)
		return;
	if (!of->i && o->addresses)
		buf_printf(b, "0x%016" PRIx64 "%s", r->cells[ADDR].u, o->pretty ? ": " : "\n");
	if (of->i && o->pretty)
		buf_str(b, " (inlined by) ");
	if (o->functions) {
		put_name(b, &r->cells[r->cells[FUNC].kind == CELL_NULL ? NAME : FUNC]);
		buf_str(b, o->pretty ? " at " : "\n");
	}
	put_place(b, r);
}

static void line_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct line_shown *of = r->of;

	(void)k, (void)cell;
	if (as_addr2line(of->o)) {
		put_addr2line(b, r, of);
		return;
	}
	buf_str(b, "  ");
	put_name(b, &r->cells[FUNC]);
	buf_str(b, " at ");
	put_place(b, r);
	if (r->cells[INLINED].b) {
		b->n--;
		buf_str(b, " [inline]\n");
	}
}

const struct record_kind line_record_kind = {
	.name = "line",
	.doc = "One source line of an address; the innermost inlined function first.",
	.layout = LAYOUT_OWN,
	.text = line_text,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

bool as_addr2line(const struct line_opts *o)
{
	return o->functions || o->inlines || o->addresses || o->pretty;
}

void line_record(struct record *r, const struct line_shown *of, const struct symbol *sym,
		 uint64_t addr, uint64_t room, const struct line *line)
{
	record_init(r, &line_record_kind);
	r->of = of;
	record_uint(r, ADDR, addr);
	if (sym) {
		record_str(r, NAME, sym->name);
		record_uint(r, OFFSET, addr - sym->addr);
		record_str(r, MODULE, sym->module);
		if (room)
			record_uint(r, SIZE, room);
	}
	record_str(r, FUNC, line->func);
	record_str(r, FILE_, line->file);
	if (line->line)
		record_uint(r, LINE, line->line);
	record_bool(r, INLINED, line->inlined);
}
