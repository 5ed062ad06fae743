/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and values as records, for the commands that show them. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/types/value.h"
#include "core/records/print_type.h"

enum {
	TYPE_NAME,
	TYPE_KIND,
	TYPE_SIZE
};
static const struct record_field type_fields[] = {
	[TYPE_NAME] = { "name", NULL, CELL_STR, 0, "as C names it: struct list_head" },
	[TYPE_KIND] = { "kind", NULL, CELL_STR, 0, "struct, union, enum, typedef, int, ..." },
	[TYPE_SIZE] = { "size", NULL, CELL_UINT, 0, "bytes" },
};

/* Its definition, which was written already: that can fail. */
static void type_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct buf *definition = r->of;

	(void)k, (void)cell;
	buf_add(b, buf_text(definition), definition->n);
	buf_char(b, '\n');
}

const struct record_kind type_record = {
	.name = "type",
	.doc = "a type; its members follow as records of their own",
	.layout = LAYOUT_OWN,
	.fields = type_fields,
	.n_fields = ARRAY_SIZE(type_fields),
	.text = type_text,
};

enum {
	MEMBER_OF,
	MEMBER_NAME,
	MEMBER_TYPE,
	MEMBER_OFFSET,
	MEMBER_SIZE,
	MEMBER_BIT_OFFSET,
	MEMBER_BIT_SIZE,
	MEMBER_VALUE
};
static const struct record_field member_fields[] = {
	[MEMBER_OF] = { "of", NULL, CELL_STR, 0, "the type it is a member of" },
	[MEMBER_NAME] = { "name", NULL, CELL_STR, 0, "its name, or path; enumerators too" },
	[MEMBER_TYPE] = { "type", NULL, CELL_STR, 0, "its type" },
	[MEMBER_OFFSET] = { "offset", NULL, CELL_UINT, 0,
			    "bytes from the start of the outer type" },
	[MEMBER_SIZE] = { "size", NULL, CELL_UINT, 0, "bytes" },
	[MEMBER_BIT_OFFSET] = { "bit_offset", NULL, CELL_UINT, 0,
				"of a bit-field, from the offset" },
	[MEMBER_BIT_SIZE] = { "bit_size", NULL, CELL_UINT, 0, "of a bit-field; else null" },
	[MEMBER_VALUE] = { "value", NULL, CELL_INT, 0, "of an enumerator; else null" },
};
const struct record_kind member_record = {
	.name = "member",
	.doc = "a member of a type; those of anonymous structs and unions count as the outer one's",
	.layout = LAYOUT_NONE, /* the type's definition has them */
	.fields = member_fields,
	.n_fields = ARRAY_SIZE(member_fields),
};

enum {
	VALUE_EXPR,
	VALUE_TYPE,
	VALUE_ADDR,
	VALUE_CPU,
	VALUE_VALUE
};
static const struct record_field value_fields[] = {
	[VALUE_EXPR] = { "expr", NULL, CELL_STR, 0, "what was asked for" },
	[VALUE_TYPE] = { "type", NULL, CELL_STR, 0, "its type" },
	[VALUE_ADDR] = { "addr", NULL, CELL_HEX, 0, "where it is in memory; null: nowhere" },
	[VALUE_CPU] = { "cpu", NULL, CELL_UINT, 0, "the CPU it belongs to; else null" },
	[VALUE_VALUE] = { "value", NULL, CELL_VALUE, 0, "the value" },
};

/* "label = value", below its head */
static void value_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct shown *s = r->of;

	(void)cell;
	if (s->head) {
		buf_plain(b, s->head, strlen(s->head));
		buf_char(b, '\n');
	}
	if (s->label) {
		buf_pad(b, ' ', (size_t)s->indent * 2);
		buf_plain(b, s->label, strlen(s->label));
		buf_str(b, " = ");
	}
	value_to_text(b, k->t, r->cells[VALUE_VALUE].value, &k->style);
	buf_char(b, '\n');
}

const struct record_kind value_record = {
	.name = "value",
	.doc = "a value: numbers as numbers, pointers as \"0x...\", char arrays as strings, "
	       "structs as objects",
	.layout = LAYOUT_OWN,
	.fields = value_fields,
	.n_fields = ARRAY_SIZE(value_fields),
	.text = value_text,
};

const char *type_name(struct ctx *c, const struct type *type)
{
	struct buf b = { 0 };
	const char *s;

	type_declare(&b, type, NULL);
	s = arena_strndup(c->arena, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

static const char *kind_name(enum type_kind kind)
{
	static const char *const names[] = {
		[TYPE_VOID] = "void",         [TYPE_INT] = "int",
		[TYPE_CHAR] = "char",         [TYPE_BOOL] = "bool",
		[TYPE_FLOAT] = "float",       [TYPE_ENUM] = "enum",
		[TYPE_POINTER] = "pointer",   [TYPE_ARRAY] = "array",
		[TYPE_STRUCT] = "struct",     [TYPE_UNION] = "union",
		[TYPE_FUNC] = "function",     [TYPE_TYPEDEF] = "typedef",
		[TYPE_CONST] = "const",       [TYPE_VOLATILE] = "volatile",
		[TYPE_RESTRICT] = "restrict", [TYPE_FORWARD] = "forward",
	};

	return (size_t)kind < ARRAY_SIZE(names) ? names[kind] : "?";
}

/* ---- definitions */

struct lister {
	struct ctx *c;
	const char *of;
	unsigned left; /* hostile types nest and repeat */
	bool cut;      /* there are more */
};

#define MEMBERS_MAX 100000u

static void emit_member(struct lister *l, const char *name, const struct type *type, uint64_t bits,
			uint16_t bit_size)
{
	struct record r;

	record_init(&r, &member_record);
	record_str(&r, MEMBER_OF, l->of);
	record_str(&r, MEMBER_NAME, name);
	record_str(&r, MEMBER_TYPE, type_name(l->c, type));
	record_uint(&r, MEMBER_OFFSET, bits / 8);
	record_uint(&r, MEMBER_SIZE, type->size);
	if (bit_size) {
		uint64_t unit = type_strip(type)->size * 8;

		if (!unit || unit > 64 || bits % unit + bit_size > unit)
			unit = 8;
		record_uint(&r, MEMBER_OFFSET, bits / unit * (unit / 8));
		record_uint(&r, MEMBER_BIT_OFFSET, bits % unit);
		record_uint(&r, MEMBER_BIT_SIZE, bit_size);
	}
	emit(l->c, &r);
}

static void list_members(struct lister *l, const struct type *type, uint64_t bits, unsigned depth)
{
	size_t n;
	const struct member *m = type_members(type, &n);

	for (size_t i = 0; i < n && !l->cut; i++) {
		const struct type *in = type_strip(m[i].type);

		l->cut = !l->left;
		if (l->cut)
			break;
		l->left--;
		if (m[i].name)
			emit_member(l, m[i].name, m[i].type, bits + m[i].bit_off, m[i].bit_size);
		else if (depth < DEPTH_MAX && (in->kind == TYPE_STRUCT || in->kind == TYPE_UNION))
			list_members(l, in, bits + m[i].bit_off, depth + 1);
	}
}

static void list_enumerators(struct lister *l, const struct type *type)
{
	size_t n;
	const struct enumerator *e = type_enumerators(type, &n);

	for (size_t i = 0; i < n; i++) {
		struct record r;

		record_init(&r, &member_record);
		record_str(&r, MEMBER_OF, l->of);
		record_str(&r, MEMBER_NAME, e[i].name);
		record_int(&r, MEMBER_VALUE, (int64_t)e[i].value);
		emit(l->c, &r);
	}
}

bool emit_type(struct ctx *c, const struct type *type, const struct definition *d, struct err *err)
{
	static const struct definition plain = { 0 };
	struct lister l = { .c = c, .of = type_name(c, type), .left = MEMBERS_MAX };
	const struct type *in = type_strip(type);
	struct buf b = { 0 };
	struct record r;
	struct err why;
	bool ok;

	if (!d)
		d = &plain;
	ok = definition_text(c->t, &b, type, d, err);
	if (ok) {
		record_init(&r, &type_record);
		record_str(&r, TYPE_NAME, l.of);
		record_str(&r, TYPE_KIND, kind_name(type->kind));
		record_uint(&r, TYPE_SIZE, type->size);
		r.of = &b;
		emit(c, &r);
	}
	buf_release(&b);
	if (!ok)
		return false;
	if (d->only) {
		struct member_ref ref;

		if (!type_member(type, d->only, &ref, err))
			return false;
		emit_member(&l, d->only, ref.type, ref.offset * 8 + ref.bit_off, ref.bit_size);
	} else if (in->kind == TYPE_STRUCT || in->kind == TYPE_UNION) {
		list_members(&l, in, 0, 0);
		if (l.cut) {
			err_set(&why, ERR_LIMIT,
				"'%s' has more than %u members: those behind are not told", l.of,
				MEMBERS_MAX);
			note(c, &why);
		}
	} else if (in->kind == TYPE_ENUM) {
		list_enumerators(&l, in);
	}
	return true;
}

/* ---- values */

void value_damage(struct ctx *c, struct value v)
{
	uint64_t size = v.type->size < VALUE_MAX ? v.type->size : VALUE_MAX;
	struct err err = { .code = v.why };
	void *p;

	if (v.kind == VALUE_BYTES)
		return;
	if (v.kind == VALUE_REF && size && arena_bytes(c->arena, size, VALUE_MAX, &p, &err))
		mem_read_some(c->t, v.addr, p, size, &err);
	else if (v.kind != VALUE_ABSENT)
		return;
	/* an address that never was one is the question's fault, not the evidence's */
	if (err.code != ERR_BADADDR && err.code != ERR_UNMAPPED)
		c->damaged |= err_is_damage(err.code);
}

void emit_value(struct ctx *c, const struct shown *s)
{
	struct value_style old = c->s->sink.style;
	struct value v = value_load(c->t, s->value);
	struct record r;

	value_damage(c, v);
	record_init(&r, &value_record);
	record_str(&r, VALUE_EXPR, s->expr);
	record_str(&r, VALUE_TYPE, type_name(c, v.type));
	if (v.addr)
		record_uint(&r, VALUE_ADDR, v.addr);
	if (s->has_cpu)
		record_uint(&r, VALUE_CPU, s->cpu);
	record_value(&r, VALUE_VALUE, v);
	r.of = s;
	c->s->sink.style.labelled = s->label != NULL;
	c->s->sink.style.indent = s->indent;
	emit(c, &r);
	c->s->sink.style = old;
}

struct value_style style_set(struct ctx *c, const struct style_opts *o)
{
	struct value_style *now = &c->s->sink.style, old = *now;

	if (o->hex)
		now->radix = 16;
	if (o->dec)
		now->radix = 10;
	if (o->raw)
		now->raw = true;
	if (o->depth)
		now->depth = o->depth < DEPTH_MAX ? (unsigned)o->depth : DEPTH_MAX;
	return old;
}

void style_restore(struct ctx *c, struct value_style old)
{
	c->s->sink.style = old;
}
