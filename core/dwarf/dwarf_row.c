/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A unit's line table: its program is run for one address, and keeps one row. */
#include <dwarf.h>
#include <string.h>

#include "core/dwarf/dwarf_row.h"

struct row_table {
	struct dwarf_unit u; /* how forms are to be read in it */
	unsigned min_length, line_range, opcode_base;
	int line_base;
	const uint8_t *lengths; /* how many operands the standard opcodes have, from 1 */
	struct cursor names;    /* the tables of directories and files */
	struct cursor program;
};

static bool open_table(const struct dwarf_unit *u, struct row_table *t)
{
	struct span s = u->s->line;
	struct cursor a = { .p = s.p, .end = s.p + s.n, .big = u->s->big };
	uint64_t n;

	if (u->line_off >= s.n)
		return false;
	*t = (struct row_table){ .u = *u };
	a.p += u->line_off;
	n = dwarf_take_length(&a, &t->u.offset_size);
	if (!cursor_has(&a, n))
		return false;
	a.end = a.p + n;
	t->u.version = (unsigned)cursor_uint(&a, 2);
	if (t->u.version < 2 || t->u.version > 5)
		return false;
	if (t->u.version >= 5) {
		t->u.addr_size = (unsigned)cursor_uint(&a, 1);
		cursor_skip(&a, 1); /* the size of segment selectors, which nobody has */
	}
	n = cursor_uint(&a, t->u.offset_size);
	if (!cursor_has(&a, n))
		return false;
	t->program = (struct cursor){ .p = a.p + n, .end = a.end, .big = a.big };
	a.end = a.p + n;
	t->min_length = (unsigned)cursor_uint(&a, 1);
	if (t->u.version >= 4)
		cursor_skip(&a,
			    1); /* operations of an instruction, of which VLIW has more than one */
	cursor_skip(&a, 1);     /* whether rows begin statements until something else is said */
	t->line_base = (int8_t)cursor_uint(&a, 1);
	t->line_range = (unsigned)cursor_uint(&a, 1);
	t->opcode_base = (unsigned)cursor_uint(&a, 1);
	t->lengths = a.p;
	cursor_skip(&a, t->opcode_base ? t->opcode_base - 1 : 0);
	t->names = a;
	return !a.failed && t->line_range && t->opcode_base &&
	       (t->u.addr_size == 4 || t->u.addr_size == 8);
}

/* ---- the program */

struct state {
	uint64_t addr;
	struct dwarf_row row;
};

struct row_search {
	uint64_t pc;
	struct state here; /* the nearest of this sequence that is not behind pc */
	struct state best; /* of the sequences that have ended */
	bool has_here, has_best;
	bool open;     /* this sequence has rows: */
	uint64_t last; /* where the latest is */
	bool odd;      /* some row cannot be */
};

#define ODD_LINE 0xffffffu
#define ODD_FILE 0xffffu

/* In a sequence addresses grow; a byte that is changed mostly breaks that, or makes a line or a
 * file of a number that nobody has. */
static void check_row(struct row_search *q, const struct state *st)
{
	q->odd |= (q->open && st->addr < q->last) || st->row.line > ODD_LINE ||
		  st->row.file > ODD_FILE;
	q->last = st->addr;
	q->open = true;
}

static void start_sequence(struct state *st)
{
	*st = (struct state){ .row = { 1, 1 } };
}

/* Of rows at one address the last is that of the instruction: those before it tell where statements
 * begin that have no instruction of their own, as breakpoints want to know. */
static void see_row(struct row_search *q, const struct state *st)
{
	check_row(q, st);
	if (st->addr > q->pc || (q->has_here && st->addr < q->here.addr))
		return;
	q->here = *st;
	q->has_here = true;
}

static void end_sequence(struct row_search *q, const struct state *st)
{
	if (q->has_here && st->addr > q->pc && (!q->has_best || q->here.addr >= q->best.addr)) {
		q->best = q->here;
		q->has_best = true;
	}
	q->odd |= q->open && st->addr < q->last;
	q->has_here = q->open = false;
}

static void extended(struct cursor *a, struct state *st, struct row_search *q)
{
	uint64_t n = cursor_uleb(a);
	struct cursor op;

	if (!cursor_has(a, n) || !n)
		return;
	op = (struct cursor){ .p = a->p, .end = a->p + n, .big = a->big };
	a->p += n;
	switch (cursor_uint(&op, 1)) {
	case DW_LNE_end_sequence:
		end_sequence(q, st);
		start_sequence(st);
		break;
	case DW_LNE_set_address:
		if (n == 5 || n == 9)
			st->addr = cursor_uint(&op, (unsigned)n - 1);
		else
			cursor_stop(a);
		break;
	default: /* tells nothing of lines */
		break;
	}
}

static void standard(const struct row_table *t, unsigned op, struct cursor *a, struct state *st,
		     struct row_search *q)
{
	switch (op) {
	case DW_LNS_copy:
		see_row(q, st);
		break;
	case DW_LNS_advance_pc:
		st->addr += cursor_uleb(a) * t->min_length;
		break;
	case DW_LNS_advance_line:
		st->row.line += (uint64_t)cursor_sleb(a);
		break;
	case DW_LNS_set_file:
		st->row.file = cursor_uleb(a);
		break;
	case DW_LNS_negate_stmt:
		break;
	case DW_LNS_const_add_pc:
		st->addr += (uint64_t)(255 - t->opcode_base) / t->line_range * t->min_length;
		break;
	case DW_LNS_fixed_advance_pc:
		st->addr += cursor_uint(a, 2);
		break;
	default:
		for (unsigned i = t->lengths[op - 1]; i; i--)
			cursor_uleb(a);
	}
}

bool dwarf_row_at(const struct dwarf_unit *u, uint64_t pc, struct dwarf_row *ret)
{
	struct row_search q = { .pc = pc };
	struct cursor a;
	struct state st;
	struct row_table t;

	if (!open_table(u, &t))
		return false;
	a = t.program;
	start_sequence(&st);
	while (a.p < a.end && !a.failed) {
		unsigned op = *a.p++;

		if (op >= t.opcode_base) {
			op -= t.opcode_base;
			st.addr += (uint64_t)(op / t.line_range) * t.min_length;
			st.row.line += (uint64_t)((int64_t)t.line_base + op % t.line_range);
			see_row(&q, &st);
		} else if (op) {
			standard(&t, op, &a, &st, &q);
		} else {
			extended(&a, &st, &q);
		}
	}
	*ret = q.best.row;
	ret->odd = q.odd || a.failed || q.open;
	return q.has_best;
}

/* ---- directories and files */

struct row_entry {
	const char *name;
	uint64_t dir;
};

/* One table of DWARF 5: what entries consist of, how many there are, and the entries. Leaves `a`
 * behind the table when `wanted` is not in it. */
static bool described_entry(struct cursor *a, const struct dwarf_unit *u, uint64_t wanted,
			    struct row_entry *ret)
{
	struct dwarf_attr part[UINT8_MAX];
	unsigned parts = (unsigned)cursor_uint(a, 1);
	uint64_t n;

	for (unsigned i = 0; i < parts; i++) {
		uint64_t name = cursor_uleb(a), form = cursor_uleb(a);

		if (name > UINT16_MAX || form > UINT16_MAX)
			return false;
		part[i] = (struct dwarf_attr){ (uint16_t)name, (uint16_t)form, 0 };
	}
	n = cursor_uleb(a);
	for (uint64_t k = 0; k < n && !a->failed; k++) {
		const uint8_t *before = a->p;

		*ret = (struct row_entry){ .name = NULL };
		for (unsigned i = 0; i < parts; i++) {
			struct dwarf_value v;

			dwarf_take_value(a, u, &part[i], &v);
			if (part[i].name == DW_LNCT_path && v.kind == DWARF_TEXT)
				ret->name = v.text;
			else if (part[i].name == DW_LNCT_directory_index && v.kind == DWARF_NUMBER)
				ret->dir = v.n;
		}
		if (k == wanted)
			return !a->failed && ret->name;
		if (a->p == before) /* entries of no bytes: there could be any number of them */
			return false;
	}
	return false;
}

/* One table of DWARF 2 to 4, which count from 1: texts, and behind those of files three numbers. */
static bool plain_entry(struct cursor *a, const struct dwarf_unit *u, bool files, uint64_t wanted,
			struct row_entry *ret)
{
	for (uint64_t k = 1; !a->failed; k++) {
		*ret = (struct row_entry){ .name = dwarf_take_text(a, u, DW_FORM_string) };
		if (!ret->name || !*ret->name)
			return false;
		if (files) {
			ret->dir = cursor_uleb(a);
			cursor_uleb(a);
			cursor_uleb(a);
		}
		if (k == wanted)
			return !a->failed;
	}
	return false;
}

#define NO_ENTRY UINT64_MAX

static bool directory(const struct row_table *t, uint64_t number, const char **ret)
{
	struct cursor a = t->names;
	struct row_entry e;

	if (t->u.version >= 5 ? !described_entry(&a, &t->u, number, &e)
			      : !plain_entry(&a, &t->u, false, number, &e))
		return false;
	*ret = e.name;
	return true;
}

static bool file_entry(const struct row_table *t, uint64_t number, struct row_entry *ret)
{
	struct cursor a = t->names;

	if (t->u.version >= 5)
		return !described_entry(&a, &t->u, NO_ENTRY, ret) &&
		       described_entry(&a, &t->u, number, ret);
	return !plain_entry(&a, &t->u, false, NO_ENTRY, ret) &&
	       plain_entry(&a, &t->u, true, number, ret);
}

bool dwarf_file_at_number(const struct dwarf_unit *u, uint64_t number, struct dwarf_file_name *ret)
{
	struct row_table t;
	struct row_entry e;

	*ret = (struct dwarf_file_name){ .name = NULL };
	if (number == NO_ENTRY || !open_table(u, &t) || !file_entry(&t, number, &e))
		return false;
	ret->name = e.name;
	if (*e.name == '/')
		return true;
	/* directory 0 of the old tables is the one it was compiled in */
	if ((t.u.version >= 5 || e.dir) && !directory(&t, e.dir, &ret->dir))
		ret->dir = NULL;
	if (!ret->dir || *ret->dir != '/')
		ret->comp_dir = u->dir;
	return true;
}
