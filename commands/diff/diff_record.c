/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a comparison of two dead kernels. */
#include "commands/diff/diff_record.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/quantity.h"
#include "core/image/target.h"
#include "core/shell/forms.h"
#include "core/shell/session.h"

/* A fact of both, or of one. */
struct pair {
	const struct diff_fact *of[2]; /* NULL: the side does not have it */
	const char *state;             /* as in `states`; NULL: it is the same */
	bool firm;                     /* the numbers of both are known: their difference counts */
	int64_t difference[FACT_NUMBERS];
};

#define STATE_DOC \
	"differs, \"only in A\", \"only in B\", or \"not read in A\", \"not read in B\", \"not read in either\""

enum {
	SIDE_NAME,
	SIDE_PATH,
	SIDE_VMLINUX
};
static const struct record_field side_fields[] = {
	[SIDE_NAME] = { "side", NULL, CELL_STR, 0, "A or B" },
	[SIDE_PATH] = { "file", NULL, CELL_STR, 0, "the dump, or the text" },
	[SIDE_VMLINUX] = { "kernel", NULL, CELL_STR, 0, "the vmlinux that belongs to it" },
};
const struct record_kind diff_side_kind = {
	.name = "diff_side",
	.doc = "One of the two that are compared.",
	.layout = LAYOUT_LINE,
	.line = "{side}  {file}{?kernel:, with {kernel}}",
	.fields = side_fields,
	.n_fields = ARRAY_SIZE(side_fields),
};

enum {
	PART_NAME,
	PART_SAME,
	PART_DIFFER,
	PART_DARK,
	PART_A,
	PART_B,
	PART_A_WHY,
	PART_B_WHY
};

static const char *reach(const struct record *r, unsigned field)
{
	return r->cells[field].kind == CELL_STR ? r->cells[field].str.s : "";
}

static void part_why(struct buf *b, const struct record *r, unsigned field, char side)
{
	if (!strcmp(reach(r, field), "whole"))
		return;
	buf_printf(b, "  %c was %sread%s: ", side, strcmp(reach(r, field), "none") ? "" : "not ",
		   strcmp(reach(r, field), "none") ? " in part" : "");
	buf_plain(b, reach(r, field + PART_A_WHY - PART_A),
		  strlen(reach(r, field + PART_A_WHY - PART_A)));
	buf_char(b, '\n');
}

static void part_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	uint64_t same = r->cells[PART_SAME].u, differ = r->cells[PART_DIFFER].u;

	(void)k, (void)cell;
	buf_printf(b, "\n%s: ", reach(r, PART_NAME));
	if (!strcmp(reach(r, PART_A), "none") || !strcmp(reach(r, PART_B), "none")) {
		buf_str(b, "not compared\n");
	} else {
		if (differ)
			buf_printf(b, "%llu differ%s, ", (unsigned long long)differ,
				   differ == 1 ? "s" : "");
		else
			buf_printf(b, "%s, ",
				   r->cells[PART_DARK].u ? "nothing that was read differs"
							 : "nothing differs");
		if (r->cells[PART_DARK].u)
			buf_printf(b, "%llu cannot be compared, ",
				   (unsigned long long)r->cells[PART_DARK].u);
		buf_printf(b, "%llu %s the same\n", (unsigned long long)same,
			   same == 1 ? "is" : "are");
	}
	part_why(b, r, PART_A, 'A');
	part_why(b, r, PART_B, 'B');
}

static const struct record_field part_fields[] = {
	[PART_NAME] = { "part", NULL, CELL_STR, 0,
			"verdict, machine, modules, tasks, slab caches, memory, variables" },
	[PART_SAME] = { "same", NULL, CELL_UINT, 0, "how many are the same in both" },
	[PART_DIFFER] = { "differ", NULL, CELL_UINT, 0, "how many differ, or are in one only" },
	[PART_DARK] = { "unread", NULL, CELL_UINT, 0,
			"how many cannot be compared, for one or both cannot be read" },
	[PART_A] = { "a", NULL, CELL_STR, 0, "how much of A was read: whole, part, none" },
	[PART_B] = { "b", NULL, CELL_STR, 0, "how much of B" },
	[PART_A_WHY] = { "a_why", NULL, CELL_STR, 0, "why no more of A was read" },
	[PART_B_WHY] = { "b_why", NULL, CELL_STR, 0, "why no more of B" },
};
const struct record_kind diff_part_kind = {
	.name = "diff_part",
	.doc = "How a part of two kernels compares; what differs in it follows.",
	.layout = LAYOUT_OWN,
	.fields = part_fields,
	.n_fields = ARRAY_SIZE(part_fields),
	.text = part_text,
};

enum {
	NAME,
	STATE,
	A,
	B,
	PART
};
static void text_line(struct buf *b, const struct record *r, unsigned field)
{
	const struct cell *cell = &r->cells[field];

	buf_printf(b, "    %c  ", field == A ? 'A' : 'B');
	if (cell->kind == CELL_UNKNOWN) {
		buf_str(b, "(unknown: ");
		buf_plain(b, cell->unknown->msg, strlen(cell->unknown->msg));
		buf_char(b, ')');
	} else if (cell->kind == CELL_STR) {
		buf_plain(b, cell->str.s, cell->str.n);
	} else {
		buf_char(b, '-');
	}
	buf_char(b, '\n');
}

static void text_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	(void)k, (void)cell;
	buf_str(b, "  ");
	buf_plain(b, reach(r, NAME), strlen(reach(r, NAME)));
	buf_char(b, '\n');
	text_line(b, r, A);
	text_line(b, r, B);
}

static const struct record_field text_fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "of the fact" },
	[STATE] = { "state", NULL, CELL_STR, 0, STATE_DOC },
	[A] = { "a", NULL, CELL_STR, 0, "what A says; null: nothing, or unknown, as state has it" },
	[B] = { "b", NULL, CELL_STR, 0, "what B says" },
	[PART] = { "part", NULL, CELL_STR, 0, "as diff_part has it" },
};
const struct record_kind diff_text_kind = {
	.name = "diff_text",
	.doc = "A fact in words that differs.",
	.layout = LAYOUT_OWN,
	.fields = text_fields,
	.n_fields = ARRAY_SIZE(text_fields),
	.text = text_text,
};

enum {
	DIFFERENCE = PART + 1,
	UNIT
};
static void quantity(struct buf *b, enum cell_kind unit, uint64_t n)
{
	switch (unit) {
	case CELL_SIZE:
		buf_printf(b, "%llu kB", (unsigned long long)n >> 10);
		break;
	case CELL_DURATION:
		buf_uptime(b, n);
		break;
	case CELL_DATE:
		buf_date(b, (int64_t)n / 1000000000);
		break;
	case CELL_DECIMAL:
		buf_printf(b, "%llu.%02llu", (unsigned long long)n / 100,
			   (unsigned long long)n % 100);
		break;
	case CELL_INT:
		buf_printf(b, "%lld", (long long)n);
		break;
	default:
		buf_printf(b, "%llu", (unsigned long long)n);
		break;
	}
}

static void number_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct pair *p = r->of;
	const struct diff_fact *f = p->of[cell == &r->cells[B]];

	(void)k;
	if (f && f->kind == FACT_NUMBER)
		quantity(b, f->unit, f->n[0]);
	else
		buf_char(b, '-');
}

static void signed_text(struct buf *b, enum cell_kind unit, int64_t n)
{
	if (n)
		buf_char(b, n < 0 ? '-' : '+');
	quantity(b, unit, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

static void difference_text(struct buf *b, const struct sink *k, const struct record *r,
			    const struct cell *cell)
{
	const struct pair *p = r->of;
	enum cell_kind unit = p->of[0] ? p->of[0]->unit : CELL_INT;

	(void)k;
	if (cell->kind != CELL_INT)
		buf_char(b, '-');
	else
		signed_text(b, unit == CELL_DATE ? CELL_DURATION : unit, cell->i);
}

static void grown_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind != CELL_INT)
		buf_char(b, '-');
	else
		signed_text(b, CELL_UINT, cell->i);
}

static const struct record_field number_fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "of the number" },
	[STATE] = { "state", NULL, CELL_STR, 0, STATE_DOC },
	[A] = { "a", NULL, CELL_INT, FIELD_RIGHT, "in A; null: there is none, or it is unknown",
		.text = number_text },
	[B] = { "b", NULL, CELL_INT, FIELD_RIGHT, "in B", .text = number_text },
	[PART] = { "part", NULL, CELL_STR, FIELD_JSON, "as diff_part has it" },
	[DIFFERENCE] = { "difference", NULL, CELL_INT, FIELD_RIGHT, "B less A",
			 .text = difference_text },
	[UNIT] = { "unit", NULL, CELL_STR, FIELD_JSON,
		   "bytes, ns, hundredths; null: it is a number of something" },
};
const struct record_kind diff_number_kind = { "diff_number", "A number that differs.",
					      LAYOUT_TABLE,  NULL,
					      number_fields, ARRAY_SIZE(number_fields) };

enum {
	A_SIZE = PART,
	B_SIZE
};
static const struct record_field module_fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "of the module" },
	[STATE] = { "state", NULL, CELL_STR, 0, STATE_DOC },
	[A] = { "a_taints", "A TAINTS", CELL_STR, 0, "how it taints the kernel in A, as in `mod`" },
	[B] = { "b_taints", "B TAINTS", CELL_STR, 0, "and in B" },
	[A_SIZE] = { "a_size", "A SIZE", CELL_UINT, FIELD_RIGHT, "its bytes in A" },
	[B_SIZE] = { "b_size", "B SIZE", CELL_UINT, FIELD_RIGHT, "and in B" },
};
const struct record_kind diff_module_kind = { "diff_module", "A module that differs.",
					      LAYOUT_TABLE,  NULL,
					      module_fields, ARRAY_SIZE(module_fields) };

enum {
	TASKS_GROWN = PART,
	A_BLOCKED,
	B_BLOCKED
};
static const struct record_field tasks_fields[] = {
	[NAME] = { "comm", NULL, CELL_STR, 0,
		   "name of tasks; cpuhp/* stands for cpuhp/0, cpuhp/1, ..." },
	[STATE] = { "state", NULL, CELL_STR, 0, STATE_DOC },
	[A] = { "a", NULL, CELL_UINT, FIELD_RIGHT, "how many there are in A" },
	[B] = { "b", NULL, CELL_UINT, FIELD_RIGHT, "and in B" },
	[TASKS_GROWN] = { "difference", NULL, CELL_INT, FIELD_RIGHT, "B less A",
			  .text = grown_text },
	[A_BLOCKED] = { "a_blocked", "A IN D", CELL_UINT, FIELD_RIGHT,
			"of those in A, how many slept uninterruptibly (state D)" },
	[B_BLOCKED] = { "b_blocked", "B IN D", CELL_UINT, FIELD_RIGHT, "and in B" },
};
const struct record_kind diff_tasks_kind = {
	"diff_tasks", "Tasks of a name, of which there are not as many.",
	LAYOUT_TABLE, NULL,
	tasks_fields, ARRAY_SIZE(tasks_fields)
};

enum {
	SLAB_GROWN = PART,
	GROWN_BYTES,
	A_BYTES,
	B_BYTES,
	A_OBJECT,
	B_OBJECT
};
static const struct record_field slab_fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "of the slab cache" },
	[STATE] = { "state", NULL, CELL_STR, 0, STATE_DOC },
	[A] = { "a", NULL, CELL_UINT, FIELD_RIGHT, "objects in use in A" },
	[B] = { "b", NULL, CELL_UINT, FIELD_RIGHT, "and in B" },
	[SLAB_GROWN] = { "difference", NULL, CELL_INT, FIELD_RIGHT, "B less A",
			 .text = grown_text },
	[GROWN_BYTES] = { "bytes", NULL, CELL_INT, FIELD_RIGHT,
			  "by how much the memory grew that its slabs take", .text = grown_text },
	[A_BYTES] = { "a_bytes", NULL, CELL_UINT, FIELD_JSON, "that memory in A" },
	[B_BYTES] = { "b_bytes", NULL, CELL_UINT, FIELD_JSON, "and in B" },
	[A_OBJECT] = { "a_size", NULL, CELL_UINT, FIELD_JSON,
		       "bytes from one object to the next in A" },
	[B_OBJECT] = { "b_size", NULL, CELL_UINT, FIELD_JSON, "and in B" },
};
const struct record_kind diff_slab_kind = { "diff_slab",  "A slab cache that differs.",
					    LAYOUT_TABLE, NULL,
					    slab_fields,  ARRAY_SIZE(slab_fields) };

/* ---- comparing */

struct comparison {
	struct ctx *c;
	const struct diff_side *side; /* two */
	enum diff_part part;
	VEC(struct pair) v; /* those that are told */
	uint64_t same, differ, dark;
};

/* Which of FACT_NUMBERS make a fact of the part another one. */
static unsigned numbers_of(enum diff_part part)
{
	switch (part) {
	case PART_TASKS:
		return 1u << TASKS_ALL | 1u << TASKS_BLOCKED;
	case PART_SLABS:
		return 1u << SLAB_OBJECTS | 1u << SLAB_BYTES;
	default:
		return 1;
	}
}

static bool text_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* A module is another one when it taints the kernel in another way, or when its size, which the
 * list of a report does not have, is another. */
static bool fact_same(const struct comparison *d, const struct pair *p)
{
	const struct diff_fact *a = p->of[0], *b = p->of[1];
	unsigned all = numbers_of(d->part) & a->known & b->known;

	if (a->kind != b->kind || !text_same(a->text, b->text))
		return false;
	for (unsigned i = 0; i < FACT_NUMBERS; i++)
		if (all >> i & 1 && a->n[i] != b->n[i])
			return false;
	return true;
}

static const char *unread(bool a, bool b)
{
	return a && b ? "not read in either" : a ? "not read in A" : "not read in B";
}

static bool is_whole(const struct comparison *d, unsigned side)
{
	return d->side[side].parts[d->part].state == PART_WHOLE;
}

/* Numbers that are counted are too small where not all was read. */
static bool counts_hold(const struct comparison *d, unsigned i)
{
	return d->part != PART_TASKS || is_whole(d, i);
}

/* Does the side's fact lack one of the numbers that make it, or may it have a text that could not
 * be read? */
static bool lacks(const struct comparison *d, unsigned side, const struct diff_fact *f)
{
	return f->kind == FACT_UNKNOWN ||
	       (f->kind == FACT_TEXT && !f->text && !is_whole(d, side)) ||
	       (f->kind == FACT_NUMBER && numbers_of(d->part) & ~f->known);
}

static const char *state_of(const struct comparison *d, const struct pair *p)
{
	/* of what cannot be told apart there is one sum, of another name */
	bool dark[2], sums = d->part == PART_MEMORY;

	for (unsigned i = 0; i < 2; i++) {
		if (p->of[i])
			dark[i] = lacks(d, i, p->of[i]) || !counts_hold(d, i) ||
				  (!p->of[!i] && sums && !is_whole(d, i));
		else
			dark[i] = !is_whole(d, i);
	}
	/* what is the same as far as it was read is told where the part is */
	if (p->of[0] && p->of[1] && !lacks(d, 0, p->of[0]) && !lacks(d, 1, p->of[1]) &&
	    fact_same(d, p))
		return NULL;
	if (dark[0] || dark[1])
		return unread(dark[0], dark[1]);
	return p->of[0] && p->of[1] ? "differs" : p->of[0] ? "only in A" : "only in B";
}

static void pair_add(struct comparison *d, const struct diff_fact *a, const struct diff_fact *b)
{
	struct pair p = { .of = { a, b } };

	p.state = state_of(d, &p);
	if (!p.state) {
		d->same++;
		return;
	}
	p.firm = strncmp(p.state, "not read", 8) != 0;
	for (unsigned i = 0; i < FACT_NUMBERS && p.firm; i++)
		p.difference[i] = (int64_t)((b ? b->n[i] : 0) - (a ? a->n[i] : 0));
	d->differ += p.firm;
	d->dark += !p.firm;
	*vec_push(&d->v) = p;
}

/* The facts of A, and behind them those of B alone, each in the order in which they came. */
static void compare(struct comparison *d)
{
	const struct diff_side *a = &d->side[0], *b = &d->side[1];

	if (a->parts[d->part].state == PART_UNREAD || b->parts[d->part].state == PART_UNREAD)
		return;
	for (size_t i = 0; i < a->facts.n; i++)
		if (a->facts.p[i].part == d->part)
			pair_add(d, &a->facts.p[i], side_fact(b, d->part, a->facts.p[i].name));
	for (size_t i = 0; i < b->facts.n; i++)
		if (b->facts.p[i].part == d->part && !side_fact(a, d->part, b->facts.p[i].name))
			pair_add(d, NULL, &b->facts.p[i]);
}

static const char *pair_name(const struct pair *p)
{
	return (p->of[0] ? p->of[0] : p->of[1])->name;
}

static int by_number(const struct pair *a, const struct pair *b, unsigned i)
{
	return (a->difference[i] < b->difference[i]) - (a->difference[i] > b->difference[i]);
}

/* What grew most stands first, what shrank most behind it, and what cannot be compared last. */
static int by_growth(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;
	int order = b->firm - a->firm;

	if (!order)
		order = by_number(a, b, SLAB_BYTES);
	if (!order)
		order = by_number(a, b, SLAB_OBJECTS);
	return order ? order : strcmp(pair_name(a), pair_name(b));
}

/* The same of tasks, of which those in state D are second. */
static int by_tasks(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;
	int order = b->firm - a->firm;

	if (!order)
		order = by_number(a, b, TASKS_ALL);
	if (!order)
		order = by_number(a, b, TASKS_BLOCKED);
	return order ? order : strcmp(pair_name(a), pair_name(b));
}

/* ---- telling */

/* A number that is known; of a part that was read wholly, none is 0. */
static void number_cell(const struct comparison *d, struct record *r, unsigned field,
			const struct pair *p, unsigned side, unsigned i)
{
	const struct diff_fact *f = p->of[side];

	if (f && f->known >> i & 1)
		record_uint(r, field, f->n[i]);
	else if (!f && is_whole(d, side))
		record_uint(r, field, 0);
}

static void emit_tasks(struct comparison *d, struct record *r, const struct pair *p)
{
	number_cell(d, r, A, p, 0, TASKS_ALL);
	number_cell(d, r, B, p, 1, TASKS_ALL);
	number_cell(d, r, A_BLOCKED, p, 0, TASKS_BLOCKED);
	number_cell(d, r, B_BLOCKED, p, 1, TASKS_BLOCKED);
	if (p->firm)
		record_int(r, TASKS_GROWN, p->difference[TASKS_ALL]);
}

static void emit_slab(struct comparison *d, struct record *r, const struct pair *p)
{
	number_cell(d, r, A, p, 0, SLAB_OBJECTS);
	number_cell(d, r, B, p, 1, SLAB_OBJECTS);
	number_cell(d, r, A_BYTES, p, 0, SLAB_BYTES);
	number_cell(d, r, B_BYTES, p, 1, SLAB_BYTES);
	if (p->of[0])
		number_cell(d, r, A_OBJECT, p, 0, SLAB_SIZE);
	if (p->of[1])
		number_cell(d, r, B_OBJECT, p, 1, SLAB_SIZE);
	if (p->firm) {
		record_int(r, SLAB_GROWN, p->difference[SLAB_OBJECTS]);
		record_int(r, GROWN_BYTES, p->difference[SLAB_BYTES]);
	}
}

/* A text, or why it is not known. */
static void text_cell(struct ctx *c, struct record *r, unsigned field, const struct diff_fact *f)
{
	if (f && f->kind == FACT_UNKNOWN) {
		struct err *why = ARENA_NEW(c->arena, struct err);

		err_set(why, f->why, "%s", f->text ? f->text : "it cannot be read");
		record_unknown(r, field, why);
	} else if (f) {
		record_str(r, field, f->text);
	}
}

static void emit_module(struct comparison *d, struct record *r, const struct pair *p)
{
	static const unsigned sizes[] = { A_SIZE, B_SIZE };

	for (unsigned i = 0; i < 2; i++) {
		text_cell(d->c, r, A + i, p->of[i]);
		if (p->of[i] && p->of[i]->known & 1)
			record_uint(r, sizes[i], p->of[i]->n[MODULE_SIZE]);
	}
}

static const char *unit_name(enum cell_kind unit)
{
	switch (unit) {
	case CELL_SIZE:
		return "bytes";
	case CELL_DURATION:
	case CELL_DATE:
		return "ns";
	case CELL_DECIMAL:
		return "hundredths";
	default:
		return NULL;
	}
}

static void emit_number(struct comparison *d, struct record *r, const struct pair *p)
{
	const struct diff_fact *any =
		p->of[0] && p->of[0]->kind == FACT_NUMBER ? p->of[0] : p->of[1];

	for (unsigned i = 0; i < 2; i++) {
		const struct diff_fact *f = p->of[i];

		if (!f || f->kind != FACT_NUMBER)
			text_cell(d->c, r, A + i, f && f->kind == FACT_UNKNOWN ? f : NULL);
		else
			r->cells[A + i] =
				(struct cell){ .kind = f->unit == CELL_INT ? CELL_INT : CELL_UINT,
					       .u = f->n[0] };
	}
	record_str(r, PART, diff_part_names[d->part]);
	if (any)
		record_str(r, UNIT, unit_name(any->unit));
	if (p->firm && p->of[0] && p->of[1])
		record_int(r, DIFFERENCE, p->difference[0]);
}

static bool is_number(const struct pair *p)
{
	for (unsigned i = 0; i < 2; i++)
		if (p->of[i] && p->of[i]->kind == FACT_NUMBER)
			return true;
	return false;
}

static const struct record_kind *kind_of(enum diff_part part, const struct pair *p)
{
	switch (part) {
	case PART_MODULES:
		return &diff_module_kind;
	case PART_TASKS:
		return &diff_tasks_kind;
	case PART_SLABS:
		return &diff_slab_kind;
	default:
		return is_number(p) ? &diff_number_kind : &diff_text_kind;
	}
}

static void emit_pair(struct comparison *d, const struct pair *p)
{
	const struct record_kind *kind = kind_of(d->part, p);
	struct record r;

	record_init(&r, kind);
	r.of = p;
	record_str(&r, NAME, pair_name(p));
	record_str(&r, STATE, p->state);
	if (kind == &diff_tasks_kind) {
		emit_tasks(d, &r, p);
	} else if (kind == &diff_slab_kind) {
		emit_slab(d, &r, p);
	} else if (kind == &diff_module_kind) {
		emit_module(d, &r, p);
	} else if (kind == &diff_number_kind) {
		emit_number(d, &r, p);
	} else {
		text_cell(d->c, &r, A, p->of[0]);
		text_cell(d->c, &r, B, p->of[1]);
		record_str(&r, PART, diff_part_names[d->part]);
	}
	emit(d->c, &r);
}

static void emit_head(struct comparison *d)
{
	static const char *const reaches[] = { "none", "part", "whole" };
	struct record r;

	record_init(&r, &diff_part_kind);
	record_str(&r, PART_NAME, diff_part_names[d->part]);
	record_uint(&r, PART_SAME, d->same);
	record_uint(&r, PART_DIFFER, d->differ);
	record_uint(&r, PART_DARK, d->dark);
	for (unsigned i = 0; i < 2; i++) {
		const struct part_read *p = &d->side[i].parts[d->part];

		record_str(&r, PART_A + i, reaches[p->state]);
		if (p->state == PART_WHOLE)
			continue;
		record_str(&r, PART_A_WHY + i, p->why.msg);
		d->c->damaged |= err_is_partial(p->why.code);
	}
	emit(d->c, &r);
}

void emit_diff_part(struct ctx *c, const struct diff_side *side, enum diff_part part)
{
	struct comparison d = { .c = c, .side = side, .part = part };

	compare(&d);
	if (d.v.n && part == PART_SLABS)
		qsort(d.v.p, d.v.n, sizeof(*d.v.p), by_growth);
	if (d.v.n && part == PART_TASKS)
		qsort(d.v.p, d.v.n, sizeof(*d.v.p), by_tasks);
	emit_head(&d);
	/* words first: a table stands as a whole */
	for (int numbers = 0; numbers < 2; numbers++)
		for (size_t i = 0; i < d.v.n; i++)
			if ((kind_of(part, &d.v.p[i]) != &diff_text_kind) == numbers)
				emit_pair(&d, &d.v.p[i]);
	vec_release(&d.v);
}

void emit_diff_sides(struct ctx *c, const struct diff_side *side)
{
	for (unsigned i = 0; i < 2; i++) {
		struct record r;

		record_init(&r, &diff_side_kind);
		record_str(&r, SIDE_NAME, i ? "B" : "A");
		record_str(&r, SIDE_PATH, side[i].file);
		record_str(&r, SIDE_VMLINUX, side[i].kernel);
		emit(c, &r);
		for (size_t k = 0; k < side[i].notes.n; k++) {
			struct err why = side[i].notes.p[k];

			err_wrap(&why, "%c", "AB"[i]);
			note(c, &why);
		}
	}
}
