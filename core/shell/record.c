/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: filling in typed fields. */
#include <string.h>

#include "core/shell/record.h"
#include "core/types/value.h"

void record_init(struct record *r, const struct record_kind *kind)
{
	size_t n = kind->n_fields < RECORD_FIELDS_MAX ? kind->n_fields : RECORD_FIELDS_MAX;

	r->kind = kind;
	r->of = NULL;
	r->indent = 0;
	r->headless = false;
	r->meaning = MEANING_NONE;
	memset(r->cells, 0, n * sizeof(r->cells[0]));
}

/* The cell of a field, or NULL when the kind declares no such field. */
static struct cell *record_cell(struct record *r, unsigned field)
{
	if (field >= r->kind->n_fields || field >= RECORD_FIELDS_MAX)
		return NULL;
	return &r->cells[field];
}

void record_strn(struct record *r, unsigned field, const char *s, size_t n)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = s ? CELL_STR : CELL_NULL;
	c->str.s = s;
	c->str.n = s ? n : 0;
}

void record_str(struct record *r, unsigned field, const char *s)
{
	record_strn(r, field, s, s ? strlen(s) : 0);
}

/* The kind an integer takes: as the field declares, when that is one of integers. */
static enum cell_kind integer_kind(const struct record *r, unsigned field, enum cell_kind given)
{
	switch (r->kind->fields[field].kind) {
	case CELL_INT:
	case CELL_UINT:
	case CELL_ADDR:
	case CELL_HEX:
	case CELL_TIME:
	case CELL_DURATION:
	case CELL_DATE:
	case CELL_SIZE:
	case CELL_KIB:
	case CELL_DECIMAL:
		return r->kind->fields[field].kind;
	default:
		return given;
	}
}

void record_int(struct record *r, unsigned field, int64_t i)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = integer_kind(r, field, CELL_INT);
	c->i = i;
}

void record_uint(struct record *r, unsigned field, uint64_t u)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = integer_kind(r, field, CELL_UINT);
	c->u = u;
}

void record_date(struct record *r, unsigned field, int64_t s, int64_t ns)
{
	if (!__builtin_mul_overflow(s, 1000000000, &s) && !__builtin_add_overflow(s, ns, &s))
		record_int(r, field, s);
}

void record_bool(struct record *r, unsigned field, bool b)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_BOOL;
	c->b = b;
}

void record_value(struct record *r, unsigned field, struct value v)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_VALUE;
	c->value = v;
}

void record_strs(struct record *r, unsigned field, const char *const *v, size_t n)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_STRS;
	c->strs.v = v;
	c->strs.n = n;
}

void record_records(struct record *r, unsigned field, const struct record *v, size_t n)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_RECORDS;
	c->records.v = v;
	c->records.n = n;
}

void record_fields(struct record *r, unsigned field, const struct named_cell *v, size_t n)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_FIELDS;
	c->fields.v = v;
	c->fields.n = n;
}

void record_absent(struct record *r, unsigned field, const struct err *why)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_ABSENT;
	c->absent.addr = why->addr;
	c->absent.why = why->code;
}

void record_unknown(struct record *r, unsigned field, const struct err *why)
{
	struct cell *c = record_cell(r, field);

	if (!c)
		return;
	c->kind = CELL_UNKNOWN;
	c->unknown = why;
}

const char *cell_kind_name(enum cell_kind kind)
{
	static const char *const names[] = {
		[CELL_NULL] = "null",       [CELL_STR] = "string",
		[CELL_INT] = "integer",     [CELL_UINT] = "integer",
		[CELL_ADDR] = "address",    [CELL_HEX] = "address",
		[CELL_BOOL] = "boolean",    [CELL_TIME] = "nanoseconds",
		[CELL_SIZE] = "bytes",      [CELL_VALUE] = "value",
		[CELL_STRS] = "strings",    [CELL_RECORDS] = "records",
		[CELL_FIELDS] = "object",   [CELL_ABSENT] = "absent",
		[CELL_DECIMAL] = "decimal", [CELL_DURATION] = "nanoseconds",
		[CELL_DATE] = "date",       [CELL_KIB] = "bytes",
		[CELL_UNKNOWN] = "unknown",
	};

	return names[kind];
}
