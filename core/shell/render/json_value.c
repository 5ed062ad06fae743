/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as JSON trees: numbers exact, pointers as "0x…", what is absent with its reason. */
#include <inttypes.h>
#include <string.h>

#include "core/shell/render/render_value.h"
#include "core/types/value.h"
#include "core/image/target.h"

static void node(struct render *r, struct value v, unsigned level);

static void absent_json(struct render *r, const struct err *why)
{
	buf_printf(r->b, "{\"absent\":\"%s\"", err_code_name(why->code));
	if (err_is_absent(why->code))
		buf_printf(r->b, ",\"addr\":\"0x%" PRIx64 "\"", absent_place(why));
	buf_char(r->b, '}');
}

static void cut_json(struct render *r, uint64_t left)
{
	buf_printf(r->b, "{\"absent\":\"%s\",\"left\":%" PRIu64 "}", err_code_name(ERR_LIMIT),
		   left);
}

static void scalar(struct render *r, struct value v)
{
	const struct type *type = type_strip(v.type);
	const char *name;
	struct err err;
	uint64_t n;
	double d;

	if (type->kind == TYPE_FLOAT && type->size == sizeof(d) && v.kind == VALUE_BYTES &&
	    type->size <= v.type->size) {
		uint64_t bits = target_u64(r->t, v.bytes);

		memcpy(&d, &bits, sizeof(d));
		if (d - d == 0) /* neither infinite nor NaN: JSON has no word for these */
			buf_printf(r->b, "%.17g", d);
		else
			buf_str(r->b, "null");
		return;
	}
	if (type->kind == TYPE_FLOAT || (type->size > 8 && !v.bit_size)) {
		buf_str(r->b, "null");
		return;
	}
	if (!value_u64(r->t, v, &n, &err)) {
		absent_json(r, &err);
		return;
	}
	name = type->kind == TYPE_ENUM ? enum_name(type, n) : NULL;
	if (type->kind == TYPE_POINTER)
		buf_printf(r->b, "\"0x%" PRIx64 "\"", n);
	else if (name)
		buf_json_str(r->b, name, strlen(name));
	else if (type->kind == TYPE_BOOL && n < 2)
		buf_str(r->b, n ? "true" : "false");
	else if (type->is_signed)
		buf_printf(r->b, "%" PRId64, (int64_t)n);
	else
		buf_printf(r->b, "%" PRIu64, n);
}

static void text(struct render *r, struct value v)
{
	const char *s;
	struct err err;

	size_t max = r->bytes < VALUE_MAX ? (size_t)r->bytes : VALUE_MAX;
	bool ok = max ? value_str(r->t, v, max, r->t->scratch, &s, &err)
		      : err_set(&err, ERR_LIMIT, "too much text");

	if (ok) {
		size_t n = strlen(s);
		uint64_t held = n > v.type->size ? n : v.type->size;

		r->bytes -= held < max ? held : max;
		buf_json_str(r->b, s, n);
	} else
		absent_json(r, &err);
}

/* Anonymous structs and unions have no key: their members are the outer one's, as in C. */
static void members(struct render *r, struct value v, unsigned level, bool *first)
{
	size_t n;
	const struct member *m = type_members(type_strip(v.type), &n);

	for (size_t i = 0; i < n && render_step(r); i++) {
		const struct type *in = type_strip(m[i].type);
		struct value part;
		struct err err;
		bool ok;

		if (!m[i].name && in->kind != TYPE_STRUCT && in->kind != TYPE_UNION)
			continue;
		ok = value_at_member(r->t, v, &m[i], &part, &err);
		if (!m[i].name) {
			if (ok && level < r->depth)
				members(r, part, level + 1, first);
			continue;
		}
		if (!*first)
			buf_char(r->b, ',');
		*first = false;
		buf_json_str(r->b, m[i].name, strlen(m[i].name));
		buf_char(r->b, ':');
		if (ok)
			node(r, part, level + 1);
		else
			absent_json(r, &err);
	}
}

static void array(struct render *r, struct value v, unsigned level)
{
	uint64_t count = type_strip(v.type)->count, i;

	buf_char(r->b, '[');
	for (i = 0; i < count; i++) {
		struct value elem;
		struct err err;

		if (i)
			buf_char(r->b, ',');
		if (i >= r->array_max || !render_step(r)) {
			cut_json(r, count - i);
			break;
		}
		if (value_index(r->t, v, (int64_t)i, &elem, &err))
			node(r, elem, level + 1);
		else
			absent_json(r, &err);
	}
	buf_char(r->b, ']');
}

static void node(struct render *r, struct value v, unsigned level)
{
	const struct type *type = v.type ? type_strip(v.type) : NULL;
	struct err why = { .code = v.why, .addr = v.addr };
	bool first = true;

	if (v.kind == VALUE_NONE || !type) {
		buf_str(r->b, "null");
		return;
	}
	if (v.kind == VALUE_ABSENT) {
		absent_json(r, &why);
		return;
	}
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		if (level >= r->depth) {
			cut_json(r, 1);
			break;
		}
		buf_char(r->b, '{');
		members(r, render_load(r, v), level, &first);
		if (!r->nodes) /* the object ends early: a key that no member can have says so */
			buf_printf(r->b, "%s\"...\":{\"absent\":\"%s\"}", first ? "" : ",",
				   err_code_name(ERR_LIMIT));
		buf_char(r->b, '}');
		break;
	case TYPE_ARRAY:
		if (type_strip(type_target(type))->kind == TYPE_CHAR)
			text(r, v);
		else if (level >= r->depth)
			cut_json(r, type->count);
		else
			array(r, v, level);
		break;
	case TYPE_FUNC:
		buf_printf(r->b, "\"0x%" PRIx64 "\"", v.addr);
		break;
	case TYPE_VOID:
	case TYPE_FORWARD:
		buf_str(r->b, "null");
		break;
	default:
		scalar(r, v);
	}
}

void value_to_json(struct buf *b, struct target *t, struct value v, const struct value_style *style)
{
	struct render r;

	render_init(&r, b, t, style, 65536);
	node(&r, v, 0);
}
