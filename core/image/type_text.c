/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types as C writes them: declarations, pointers to functions and arrays of pointers included. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/type.h"

#define PARAMS_MAX 64
/* Pointers, arrays, parameters and the like of one declaration, parameters of parameters included:
 * a damaged function may take itself, and more than once. No kernel's has a tenth of that. */
#define STEPS_MAX 2048u

static void declare(struct buf *b, const struct type *type, const char *name, unsigned depth,
		    unsigned *left);

/* A name out of debug information, which may be as damaged or hostile as the dump. */
static void name_text(struct buf *b, const char *name, const char *instead)
{
	buf_plain(b, name ? name : instead, strlen(name ? name : instead));
}

/* "struct foo"; a body that has no name stands for itself. */
static void base_text(struct buf *b, const struct type *type)
{
	static const char *const tags[] = { [TYPE_STRUCT] = "struct ",
					    [TYPE_UNION] = "union ",
					    [TYPE_ENUM] = "enum ",
					    [TYPE_FORWARD] = "struct " };

	switch (type->kind) {
	case TYPE_VOID:
		buf_str(b, "void");
		break;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ENUM:
	case TYPE_FORWARD:
		buf_str(b, tags[type->kind]);
		name_text(b, type->name, "{...}");
		break;
	default:
		name_text(b, type->name, "?");
	}
}

static void params_text(struct buf *b, const struct type *func, unsigned depth, unsigned *left)
{
	size_t n;
	const struct member *m = type_members(func, &n);

	buf_char(b, '(');
	if (!n)
		buf_str(b, "void");
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_str(b, ", ");
		if (i == PARAMS_MAX || !*left || (i && m[i].type->kind == TYPE_VOID)) {
			buf_str(b, "...");
			break;
		}
		declare(b, m[i].type, m[i].name, depth + 1, left);
	}
	buf_char(b, ')');
}

static bool binds_tighter(const struct type *type)
{
	return type->kind == TYPE_ARRAY || type->kind == TYPE_FUNC;
}

static const char *qualifier(enum type_kind kind)
{
	switch (kind) {
	case TYPE_CONST:
		return "const";
	case TYPE_VOLATILE:
		return "volatile";
	case TYPE_RESTRICT:
		return "restrict";
	default:
		return NULL;
	}
}

/* One step outwards: d becomes the declarator around itself. */
static void wrap(struct buf *d, const char *before, const char *after)
{
	struct buf next = { .max = d->max };

	buf_str(&next, before);
	buf_add(&next, buf_text(d), d->n);
	buf_str(&next, after);
	next.cut = next.cut || d->cut;
	buf_release(d);
	*d = next;
}

/* A qualifier belongs to the pointer it follows, or stands before the base type. */
static const struct type *take_qualifiers(struct buf *d, struct buf *prefix,
					  const struct type *type)
{
	struct buf quals = { .max = 200 };

	for (unsigned i = 0; i < DEPTH_MAX && qualifier(type->kind); i++) {
		buf_str(&quals, qualifier(type->kind));
		buf_char(&quals, ' ');
		type = type_target(type);
	}
	if (quals.n && type->kind == TYPE_POINTER)
		wrap(d, buf_text(&quals), "");
	else if (quals.n)
		buf_add(prefix, buf_text(&quals), quals.n);
	buf_release(&quals);
	return type;
}

static void declare(struct buf *b, const struct type *type, const char *name, unsigned depth,
		    unsigned *left)
{
	struct buf d = { .max = 4096 }, prefix = { .max = 512 }, part = { .max = 4096 };

	name_text(&d, name, "");
	for (unsigned i = 0; i < DEPTH_MAX && depth < DEPTH_MAX / 4 && *left; i++) {
		--*left;
		type = take_qualifiers(&d, &prefix, type);
		buf_reset(&part);
		if (type->kind == TYPE_POINTER) {
			type = type_target(type);
			if (binds_tighter(type))
				wrap(&d, "(*", ")");
			else
				wrap(&d, "*", "");
		} else if (type->kind == TYPE_ARRAY) {
			if (type->count)
				buf_printf(&part, "[%" PRIu64 "]", type->count);
			else
				buf_str(&part, "[]");
			wrap(&d, "", buf_text(&part));
			type = type_target(type);
		} else if (type->kind == TYPE_FUNC) {
			params_text(&part, type, depth, left);
			wrap(&d, "", buf_text(&part));
			d.cut = d.cut || part.cut;
			type = type_target(type);
		} else {
			break;
		}
	}
	buf_add(b, buf_text(&prefix), prefix.n);
	base_text(b, type);
	if (d.n)
		buf_char(b, ' ');
	buf_add(b, buf_text(&d), d.n);
	/* "const *p" leaves a blank where nothing is named */
	while (b->n && b->s[b->n - 1] == ' ')
		b->s[--b->n] = '\0';
	/* too long to be read is too long to go on with */
	if (d.cut)
		*left = 0;
	buf_release(&d);
	buf_release(&prefix);
	buf_release(&part);
}

void type_declare(struct buf *b, const struct type *type, const char *name)
{
	unsigned left = STEPS_MAX;

	declare(b, type, name, 0, &left);
	if (!left)
		buf_str(b, " ...");
}
