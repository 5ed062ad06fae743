/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definitions of types, as C writes them, with the offsets that crash shows. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/records/print_type.h"

struct definition_writer {
	struct buf *b;
	const struct definition *d;
	unsigned width; /* of the offset column */
	unsigned lines; /* that may still be written: hostile types nest and repeat */
	bool cut;       /* there were more, and it was said */
};

#define LINES_MAX 100000u

static void definition_number(struct buf *b, uint64_t n, bool hex)
{
	buf_printf(b, hex ? "0x%" PRIx64 : "%" PRIu64, n);
}

/* "[8]", "[28:4]" for a bit-field, or the place in memory; blanks behind a brace. */
static void column(struct definition_writer *w, const struct member *m, uint64_t bits)
{
	struct buf one = { 0 };
	uint64_t unit = m && m->bit_size ? type_strip(m->type)->size * 8 : 8;

	if (!unit || unit > 64)
		unit = 8;
	if (m && w->d->at) {
		buf_printf(&one, "[%" PRIx64, w->d->addr + bits / 8);
	} else if (m && w->d->offsets) {
		buf_char(&one, '[');
		definition_number(&one, m->bit_size ? bits / unit * (unit / 8) : bits / 8,
				  w->d->hex);
		if (m->bit_size)
			buf_printf(&one, ":%" PRIu64, bits % unit);
	}
	if (one.n)
		buf_char(&one, ']');
	if (one.n < w->width)
		buf_pad(w->b, ' ', w->width - one.n);
	buf_add(w->b, buf_text(&one), one.n);
	buf_release(&one);
}

/* The struct or union without a name that a member is made of, be it through pointers or arrays. */
static const struct type *anonymous_body(const struct type *type)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		switch (type->kind) {
		case TYPE_POINTER:
		case TYPE_ARRAY:
		case TYPE_CONST:
		case TYPE_VOLATILE:
			type = type_target(type);
			break;
		case TYPE_STRUCT:
		case TYPE_UNION:
			return type->name ? NULL : type;
		default:
			return NULL;
		}
	}
	return NULL;
}

static void size_note(struct definition_writer *w, const struct member *m)
{
	if (!w->d->sizes || m->bit_size)
		return;
	buf_str(w->b, " /* ");
	definition_number(w->b, m->type->size, w->d->hex);
	buf_str(w->b, " */");
}

static void body(struct definition_writer *w, const struct type *type, uint64_t bits,
		 unsigned depth);

/* A member's declaration with the braces of a body without a name opened. */
static void expanded(struct definition_writer *w, const struct member *m, const struct type *inner,
		     uint64_t bits, unsigned depth)
{
	struct buf decl = { 0 };
	const char *at;

	type_declare(&decl, m->type, m->name);
	at = strstr(buf_text(&decl), "{...}");
	if (!at) {
		buf_add(w->b, buf_text(&decl), decl.n);
		buf_release(&decl);
		return;
	}
	buf_add(w->b, decl.s, (size_t)(at - decl.s) + 1);
	buf_char(w->b, '\n');
	body(w, inner, bits, depth + 1);
	column(w, NULL, 0);
	buf_pad(w->b, ' ', 1 + 4 * depth);
	buf_str(w->b, at + strlen("{..."));
	buf_release(&decl);
}

static void body(struct definition_writer *w, const struct type *type, uint64_t bits,
		 unsigned depth)
{
	size_t n;
	const struct member *m = type_members(type, &n);

	for (size_t i = 0; i < n && !w->cut; i++) {
		const struct type *inner = anonymous_body(m[i].type);
		uint64_t at = bits + m[i].bit_off;

		if (!w->lines) {
			buf_printf(w->b, "    ... /* more than %u lines */\n", LINES_MAX);
			w->cut = true;
			break;
		}
		w->lines--;
		column(w, &m[i], at);
		buf_pad(w->b, ' ', 1 + 4 * depth);
		if (inner && depth < DEPTH_MAX / 4)
			expanded(w, &m[i], inner, at, depth);
		else
			type_declare(w->b, m[i].type, m[i].name);
		if (m[i].bit_size)
			buf_printf(w->b, " : %u", m[i].bit_size);
		buf_char(w->b, ';');
		size_note(w, &m[i]);
		buf_char(w->b, '\n');
	}
}

static unsigned column_width(const struct definition *d, uint64_t size)
{
	struct buf one = { 0 };
	size_t n;

	if (d->at)
		return 4 + 18;
	if (!d->offsets)
		return 3;
	definition_number(&one, size, d->hex);
	n = one.n;
	buf_release(&one);
	return 4 + (unsigned)n + 2;
}

static void enum_body(struct buf *b, const struct type *type, bool hex)
{
	size_t n;
	const struct enumerator *e = type_enumerators(type, &n);

	for (size_t i = 0; i < n; i++) {
		buf_str(b, "    ");
		buf_plain(b, e[i].name, strlen(e[i].name));
		buf_str(b, " = ");
		if (hex || !type->is_signed)
			definition_number(b, e[i].value, hex);
		else
			buf_printf(b, "%" PRId64, (int64_t)e[i].value);
		buf_str(b, ",\n");
	}
}

static bool one_member(struct definition_writer *w, const struct type *type, struct err *err)
{
	const char *path = w->d->only, *name = strrchr(path, '.');
	struct member_ref ref;
	struct member m;

	if (!type_member(type, path, &ref, err))
		return false;
	m = (struct member){ .name = name ? name + 1 : path,
			     .type = ref.type,
			     .bit_size = ref.bit_size };
	column(w, &m, ref.offset * 8 + ref.bit_off);
	buf_char(w->b, ' ');
	type_declare(w->b, m.type, m.name);
	if (m.bit_size)
		buf_printf(w->b, " : %u", m.bit_size);
	buf_char(w->b, ';');
	size_note(w, &m);
	buf_char(w->b, '\n');
	return true;
}

bool definition_text(struct target *t, struct buf *b, const struct type *type,
		     const struct definition *d, struct err *err)
{
	struct definition_writer w = { .b = b, .d = d, .lines = LINES_MAX };
	bool aggregate = type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;

	(void)t;
	w.width = column_width(d, type->size);
	if (type->kind == TYPE_TYPEDEF) {
		const struct type *to = type_target(type);

		buf_str(b, "typedef ");
		if ((to->kind == TYPE_STRUCT || to->kind == TYPE_UNION) && !to->name) {
			buf_str(b, to->kind == TYPE_STRUCT ? "struct {\n" : "union {\n");
			body(&w, to, 0, 0);
			buf_str(b, "} ");
			buf_plain(b, type->name, strlen(type->name));
			buf_char(b, ';');
		} else {
			type_declare(b, to, type->name);
			buf_char(b, ';');
		}
	} else {
		type_declare(b, type, NULL);
		if (aggregate || type->kind == TYPE_ENUM) {
			if (!type->name && b->n > 5) /* the "{...}" of a body without a name */
				b->s[b->n -= 6] = '\0';
			buf_str(b, " {\n");
		}
		if (aggregate && d->only && !one_member(&w, type, err))
			return false;
		if (aggregate && !d->only)
			body(&w, type, 0, 0);
		if (type->kind == TYPE_ENUM)
			enum_body(b, type, d->hex);
		if (aggregate || type->kind == TYPE_ENUM)
			buf_char(b, '}');
	}
	if (!d->only) {
		buf_str(b, "\nSIZE: ");
		definition_number(b, type->size, d->hex);
	}
	return true;
}
