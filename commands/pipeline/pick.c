/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pick: a table of members of a pipeline's values. */
#include <string.h>

#include "core/obit.h"
#include "core/types/value.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"

struct pick {
	struct stage_expr *fields;
	const char *const *labels;
	size_t n;
	struct record_kind *kind;
	const struct type *row; /* for the stages behind; NULL: one field, itself */
};

/* A struct of the fields: what the stages behind take. Paths keep their last name. */
static const struct type *row_type(struct ctx *c, const struct pick *p,
				   const struct type *const *types)
{
	struct type *row = ARENA_NEW(c->arena, struct type);
	struct member *m = ARENA_ARRAY(c->arena, struct member, p->n);

	for (size_t i = 0; i < p->n; i++) {
		const char *name = strrchr(p->labels[i], '.'), *arrow = strrchr(p->labels[i], '>');

		if (arrow > name)
			name = arrow;
		m[i] = (struct member){ .name = name ? name + 1 : p->labels[i],
					.type = types[i],
					.bit_off = row->size * 8 };
		row->size += (types[i]->size + 7) / 8 * 8;
	}
	row->kind = TYPE_STRUCT;
	row->name = "pick";
	row->filled = true;
	row->members = m;
	row->n_members = p->n;
	return row;
}

static bool types(struct ctx *c, struct err *err)
{
	struct pick *p = ARENA_NEW(c->arena, struct pick);
	const struct type *field_types[RECORD_FIELDS_MAX];
	bool known = true;

	c->state = p;
	if (!stage_split(c, c->argc ? c->rest : "", &p->labels, &p->n, err))
		return false;
	p->fields = ARENA_ARRAY(c->arena, struct stage_expr, p->n);
	for (size_t i = 0; i < p->n; i++) {
		stage_expr_init(&p->fields[i], c, p->labels[i]);
		if (!stage_expr_type(&p->fields[i], &field_types[i], err))
			return false;
		known &= field_types[i] != NULL;
	}
	p->kind = stage_kind(c, "pick", p->labels, field_types, p->n);
	if (!piped(c))
		return true;
	if (p->n == 1) {
		c->out_type = field_types[0];
		c->out_name = p->labels[0];
		return true;
	}
	if (!known)
		return err_set(err, ERR_MISMATCH,
			       "what comes has no type that is known before it runs: one field "
			       "alone can go on");
	c->out_type = p->row = row_type(c, p, field_types);
	return p->row->size <= VALUE_MAX ||
	       err_set(err, ERR_LIMIT, "these fields are larger than 16 MiB together");
}

/* The bytes of one field, which has the place that its type was given before anything ran; a number
 * may have another width now. */
static bool copy_field(struct ctx *c, struct value v, const struct type *type, uint8_t *to,
		       struct err *err)
{
	uint64_t n;

	if (expr_is_number(type) && type->size <= 8) {
		if (!value_u64(c->t, v, &n, err))
			return false;
		target_store(c->t, to, type->size, n);
		return true;
	}
	/* a text that was made has the length it has: its place holds the longest */
	if (type_strip(type)->kind == TYPE_ARRAY && type_strip(v.type)->kind == TYPE_ARRAY &&
	    type_strip(type_target(type_strip(type)))->kind == TYPE_CHAR && v.kind == VALUE_BYTES &&
	    v.type->size < type->size) {
		memcpy(to, v.bytes, v.type->size);
		return true;
	}
	if (v.type->size != type->size || v.bit_size)
		return err_set(err, ERR_MISMATCH, "a field's type depends on its value");
	if (v.kind == VALUE_REF)
		return mem_read(c->t, v.addr, to, type->size, err);
	if (v.kind != VALUE_BYTES)
		return err_set(err, ERR_MISMATCH, "a field has no value");
	memcpy(to, v.bytes, type->size);
	return true;
}

static bool pass_row(struct ctx *c, const struct pick *p, struct value v, struct err *err)
{
	uint8_t *bytes = arena_alloc(c->arena, p->row->size + 1);

	for (size_t i = 0; i < p->n; i++) {
		const struct member *m = &p->row->members[i];
		struct value field;

		if ((!stage_expr_eval(&p->fields[i], v, &field, err) ||
		     !copy_field(c, field, m->type, bytes + m->bit_off / 8, err)) &&
		    !stage_is_null(err))
			return false;
	}
	return yield(c, value_bytes(p->row, bytes, 0), err);
}

static bool pick_each(struct ctx *c, struct value v, struct err *err)
{
	struct pick *p = c->state;
	struct value field;
	struct record r;

	if (p->row)
		return pass_row(c, p, v, err);
	if (piped(c))
		return stage_expr_eval(&p->fields[0], v, &field, err) ? yield(c, field, err)
								      : stage_is_null(err);
	record_init(&r, p->kind);
	for (size_t i = 0; i < p->n; i++) {
		struct err why;

		if (stage_expr_eval(&p->fields[i], v, &field, &why))
			stage_cell(c, &r, (unsigned)i, field);
		else if (err_is_absent(why.code) && !stage_is_null(&why))
			record_absent(&r, (unsigned)i, &why);
		else if (!stage_is_null(&why))
			return *err = why, false;
	}
	emit(c, &r);
	return true;
}

static bool pick_finish(struct ctx *c, struct err *err)
{
	struct pick *p = c->state;

	(void)err;
	for (size_t i = 0; i < p->n; i++)
		stage_expr_release(&p->fields[i]);
	return true;
}

static const struct example examples[] = {
	{ "ps | pick pid, comm, state, mm.map_count", "four columns of each task" },
	{ "mod | pick name, state, refcnt.counter", "modules, and who holds them" },
	{ "ps | pick comm, pid | order comm", "picked fields go on as rows" },
	{ "ps | pick parent | first | bt", "one field alone goes on as itself" },
};
const struct command cmd_pick = {
	.name = "pick",
	.group = "pipelines",
	.summary = "a table of members",
	.needs = NEED_TYPES,
	.in = "any",
	.out = "any",
	.as_typed = true,
	.operands = "expression[, expression]...",
	.types = types,
	.emits = (const struct record_kind *const[]){ &pick_record, NULL },
	.none = "no value",
	.completes = COMPLETE_SYMBOL,
	.help = "Each field is a member, a path of members, or any expression as where takes it. "
		"Where a path meets NULL the place stays empty.\n\n"
		"Before another stage, several fields go on as a row, whose members have the last "
		"name of each path; one field alone goes on as itself.\n\n"
		"In JSON each field has its own type, and the name it was asked for with.",
	EXAMPLES(examples),
	.each = pick_each,
	.finish = pick_finish,
};
