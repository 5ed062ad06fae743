/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions over the values of a pipeline, and how values are shown at its end. */
#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/types/value.h"
#include "core/linux/task/expr_hooks.h"
#include "core/shell/render/render_value.h"
#include "core/shell/run.h"
#include "core/shell/stage.h"

struct naming {
	struct ctx *c;
	struct value v;
};

static bool resolve(struct target *t, void *arg, const char *name, bool dry, struct value *ret,
		    bool *found, struct err *err)
{
	const struct naming *nm = arg;
	struct value v = nm->v;
	const struct type *in;
	struct member_ref ref;
	struct err ignored;

	*found = true;
	if (!strcmp(name, "it") || (nm->c->in_name && !strcmp(name, nm->c->in_name))) {
		*ret = v;
		return true;
	}
	in = type_strip(v.type);
	if (in->kind == TYPE_POINTER) {
		in = type_strip(type_target(in));
		if (dry)
			v = value_ref(in, 0);
		else if (!value_deref(t, v, &v, err))
			return false;
	}
	if (!stage_name(t, in, v, name, dry, ret, found, err))
		return false;
	if (*found)
		return true;
	*found = (in->kind == TYPE_STRUCT || in->kind == TYPE_UNION) &&
		 type_member(in, name, &ref, &ignored);
	if (!*found)
		return true;
	if (!dry)
		return value_member(t, v, name, ret, err);
	*ret = value_ref(ref.type, 0);
	ret->bit_off = ref.bit_off % 8;
	ret->bit_size = ref.bit_size;
	return true;
}

/* ---- expressions */

void stage_expr_init(struct stage_expr *x, struct ctx *c, const char *text)
{
	*x = (struct stage_expr){ .c = c, .text = text };
}

void stage_expr_release(struct stage_expr *x)
{
	expr_cache_release(&x->cache);
	arena_release(&x->arena);
}

static bool evaluate(struct stage_expr *x, struct value v, bool dry, struct value *ret,
		     struct err *err)
{
	struct naming nm = { x->c, v };
	/* what a dry evaluation makes is not kept: a stage that is refused then has no end */
	const struct expr_scope scope = { .hooks = &expr_percpu,
					  .name = resolve,
					  .arg = &nm,
					  .cache = dry ? NULL : &x->cache,
					  .dry = dry };

	return expr_eval_in(x->c->t, x->text, &scope, ret, err);
}

bool stage_expr_type(struct stage_expr *x, const struct type **ret, struct err *err)
{
	struct value v;

	*ret = NULL;
	if (!x->c->in_type)
		return true;
	if (!evaluate(x, value_ref(x->c->in_type, 0), true, &v, err))
		return err_wrap(err, "'%.100s'", x->text);
	*ret = v.type;
	return true;
}

bool stage_expr_eval(struct stage_expr *x, struct value v, struct value *ret, struct err *err)
{
	return evaluate(x, v, false, ret, err);
}

bool stage_expr_true(struct stage_expr *x, struct value v, bool *ret, struct err *err)
{
	struct target *t = x->c->t;
	struct arena *scratch = t->scratch;
	struct value result;
	bool ok;

	/* what a test of one of a million values needs is gone before the next */
	t->scratch = &x->arena;
	ok = evaluate(x, v, false, &result, err) && expr_truth(t, result, ret, err);
	t->scratch = scratch;
	arena_reset(&x->arena);
	return ok;
}

bool stage_is_null(const struct err *err)
{
	return err->code == ERR_BADADDR && err->addr < 0x100000;
}

bool stage_split(struct ctx *c, const char *text, const char *const **ret, size_t *n,
		 struct err *err)
{
	const char **parts = ARENA_ARRAY(c->arena, const char *, RECORD_FIELDS_MAX);
	const char *s = text;

	for (*n = 0; *n < RECORD_FIELDS_MAX; s++) {
		const char *start = s + strspn(s, " \t"), *end;
		unsigned depth = 0;
		char quote = 0;

		for (s = start; *s && (depth || quote || *s != ','); s++) {
			if (quote) {
				quote = *s == quote ? 0 : quote;
				continue;
			}
			quote = *s == '"' || *s == '\'' ? *s : 0;
			depth += *s == '(' || *s == '[';
			depth -= depth && (*s == ')' || *s == ']');
		}
		for (end = s; end > start && isspace((unsigned char)end[-1]);)
			end--;
		if (end == start)
			return err_set(err, ERR_USAGE, "a field is wanted, as in 'pid, comm'");
		parts[(*n)++] = arena_strndup(c->arena, start, (size_t)(end - start));
		if (!*s) {
			*ret = parts;
			return true;
		}
	}
	return err_set(err, ERR_LIMIT, "more than %d fields", RECORD_FIELDS_MAX);
}

/* ---- sorting */

bool stage_key(struct ctx *c, struct value v, struct stage_key *ret, struct err *err)
{
	*ret = (struct stage_key){ .is_signed = type_is_signed(v.type) };
	if (expr_is_text(v.type))
		return value_str(c->t, v, 4096, c->arena, &ret->text, err);
	return value_u64(c->t, v, &ret->n, err);
}

int stage_key_compare(const struct stage_key *a, const struct stage_key *b)
{
	if (a->text && b->text)
		return strcmp(a->text, b->text);
	if (a->is_signed)
		return ((int64_t)a->n > (int64_t)b->n) - ((int64_t)a->n < (int64_t)b->n);
	return (a->n > b->n) - (a->n < b->n);
}

/* ---- cells */

static enum cell_kind stage_cell_kind(const struct type *type)
{
	const struct type *in = type ? type_strip(type) : NULL;

	if (!in)
		return CELL_VALUE;
	if (expr_is_text(in) || in->kind == TYPE_ENUM)
		return CELL_STR;
	if (in->kind == TYPE_POINTER)
		return CELL_HEX;
	if (in->kind == TYPE_BOOL)
		return CELL_BOOL;
	if (type_is_integer(in) && in->size <= 8)
		return type_is_signed(in) ? CELL_INT : CELL_UINT;
	return CELL_VALUE;
}

static void cell_text(struct ctx *c, struct record *r, unsigned field, struct value v)
{
	const char *text;
	struct err err;

	if (value_str(c->t, v, 4096, c->arena, &text, &err))
		record_str(r, field, text);
	else if (!stage_is_null(&err))
		record_absent(r, field, &err);
}

void stage_cell(struct ctx *c, struct record *r, unsigned field, struct value v)
{
	const struct type *in = type_strip(v.type);
	struct err err;
	uint64_t n = 0;

	if (v.kind == VALUE_NONE)
		return;
	if (expr_is_text(in)) {
		cell_text(c, r, field, v);
		return;
	}
	if (!expr_is_number(in) || in->size > 8) {
		record_value(r, field, v);
		return;
	}
	if (!value_u64(c->t, v, &n, &err)) {
		if (!stage_is_null(&err))
			record_absent(r, field, &err);
		return;
	}
	if (in->kind == TYPE_ENUM && enum_name(in, n))
		record_str(r, field, enum_name(in, n));
	else if (in->kind == TYPE_BOOL)
		record_bool(r, field, n != 0);
	else if (type_is_signed(in))
		record_int(r, field, (int64_t)n);
	else
		record_uint(r, field, n);
	if (in->kind == TYPE_POINTER)
		r->cells[field].kind = CELL_HEX;
}

struct record_kind *stage_kind(struct ctx *c, const char *name, const char *const *labels,
			       const struct type *const *types, size_t n)
{
	struct record_kind *kind = ARENA_NEW(c->arena, struct record_kind);
	struct record_field *fields = ARENA_ARRAY(c->arena, struct record_field, n + 1);

	for (size_t i = 0; i < n; i++) {
		enum cell_kind k = stage_cell_kind(types[i]);

		fields[i].name = labels[i];
		fields[i].kind = k;
		if (k == CELL_INT || k == CELL_UINT)
			fields[i].flags = FIELD_RIGHT;
	}
	kind->name = name;
	kind->layout = LAYOUT_TABLE;
	kind->fields = fields;
	kind->n_fields = n;
	return kind;
}

/* ---- showing */

enum {
	ITEM_ADDR,
	ITEM_TYPE,
	ITEM_VALUE
};
static const struct record_field item_fields[] = {
	[ITEM_ADDR] = { "addr", NULL, CELL_HEX, FIELD_JSON, "where it is; null: nowhere" },
	[ITEM_TYPE] = { "type", NULL, CELL_STR, FIELD_JSON, "its type" },
	[ITEM_VALUE] = { "value", NULL, CELL_VALUE, 0, "its value; of a struct, a pointer to it" },
};
const struct record_kind item_record = { "item",      "one value of a pipeline",
					 LAYOUT_LINE, "{value}",
					 item_fields, 3 };
static const struct record_field pick_fields[] = {
	{ "...", NULL, CELL_VALUE, 0, "each field by the name it was asked for with" },
};
const struct record_kind pick_record = { "pick",       "the fields that pick took",
					 LAYOUT_TABLE, NULL,
					 pick_fields,  1 };

/* How a stage shows what reaches it at the end. */
struct face {
	struct ctx ctx;           /* of the type's own command; cmd NULL: none */
	struct record_kind *kind; /* of picked fields; NULL: none */
};

static const struct command *own_command(struct ctx *c, const struct type *type)
{
	struct buf b = { .max = 200 };
	const struct command *found = NULL;

	type_declare(&b, type, NULL);
	for (size_t i = 0; commands[i] && !found; i++) {
		const struct command *cmd = commands[i];

		if (cmd->in && cmd->out && cmd->each && !strcmp(cmd->in, cmd->out) &&
		    !strcmp(cmd->in, buf_text(&b)) && command_needs(cmd, c->t, &(struct err){ 0 }))
			found = cmd;
	}
	buf_release(&b);
	return found;
}

/* A row that pick made: a struct that no source of types told of. */
static bool is_row(const struct type *type)
{
	return type->kind == TYPE_STRUCT && !type->source && type->n_members;
}

static void face_init(struct ctx *c, struct face *f, const struct type *type)
{
	const char *labels[RECORD_FIELDS_MAX];
	const struct type *types[RECORD_FIELDS_MAX];
	size_t n = 0;

	if (is_row(type)) {
		for (; n < type->n_members && n < RECORD_FIELDS_MAX; n++) {
			labels[n] = type->members[n].name;
			types[n] = type->members[n].type;
		}
		f->kind = stage_kind(c, "pick", labels, types, n);
	} else if (c->in_name && c->in_type == type) {
		f->kind = stage_kind(c, "pick", &c->in_name, &type, 1);
	} else if ((f->ctx.cmd = own_command(c, type)) != NULL) {
		f->ctx.t = c->t;
		f->ctx.s = c->s;
		f->ctx.arena = c->arena;
		f->ctx.opts = arena_alloc(c->arena, f->ctx.cmd->opts_size + 1);
	}
}

static void show_fields(struct ctx *c, const struct face *f, struct value v)
{
	struct value part;
	struct record r;
	struct err err;

	record_init(&r, f->kind);
	if (!is_row(v.type))
		stage_cell(c, &r, 0, v);
	for (size_t i = 0; is_row(v.type) && i < f->kind->n_fields; i++)
		if (value_at_member(c->t, v, &v.type->members[i], &part, &err))
			stage_cell(c, &r, (unsigned)i, part);
	emit(c, &r);
}

static void show_item(struct ctx *c, struct value v)
{
	const struct type *in = type_strip(v.type);
	struct buf b = { .max = 200 };
	struct record r;

	record_init(&r, &item_record);
	type_declare(&b, v.type, NULL);
	record_str(&r, ITEM_TYPE, arena_strdup(c->arena, buf_text(&b)));
	buf_release(&b);
	if (v.addr)
		record_uint(&r, ITEM_ADDR, v.addr);
	if ((in->kind == TYPE_STRUCT || in->kind == TYPE_UNION || in->kind == TYPE_VOID) && v.addr)
		v = value_int(c->t, type_pointer_to(c->t, v.type), v.addr);
	record_value(&r, ITEM_VALUE, v);
	emit(c, &r);
}

bool stage_show(struct ctx *c, struct value v, struct err *err)
{
	struct face *f = c->face;
	bool ok;

	if (piped(c))
		return yield(c, v, err);
	if (!f) {
		c->face = f = ARENA_NEW(c->arena, struct face);
		face_init(c, f, v.type);
	}
	if (f->kind) {
		show_fields(c, f, v);
		return true;
	}
	if (!f->ctx.cmd) {
		show_item(c, v);
		return true;
	}
	ok = f->ctx.cmd->each(&f->ctx, v, err);
	c->failed |= f->ctx.failed;
	c->damaged |= f->ctx.damaged;
	return ok;
}

bool stage_run(struct ctx *c, const char *line)
{
	return job_run_nested(c->s, c->arena, line);
}

bool stage_link(struct ctx *c, const char *word, const struct type **type, uint64_t *offset,
		struct err *err)
{
	size_t n = strcspn(word, ".");
	const char *name = arena_strndup(c->arena, word, n);
	struct member_ref ref;

	*offset = 0;
	if (!type_find_deep(c->t, arena_printf(c->arena, "struct %s", name), type, err) &&
	    (err->code == ERR_INTR || !type_find_deep(c->t, name, type, err)))
		return false;
	if (!word[n])
		return true;
	if (!type_member(*type, word + n + 1, &ref, err))
		return false;
	*offset = ref.offset;
	return true;
}

bool stage_place(struct ctx *c, const char *word, uint64_t *ret, struct err *err)
{
	struct value v;
	struct err why;

	if (!expr_local(c->t, word) && parse_address(c->t, word, ret, &why))
		return true;
	if (!expr_eval(c->t, word, &expr_percpu, &v, err))
		return false;
	if (expr_is_number(v.type))
		return value_u64(c->t, v, ret, err);
	*ret = v.addr;
	return v.addr || err_set(err, ERR_USAGE, "'%.100s' has no address", word);
}
