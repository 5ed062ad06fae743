/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that start with '$': results that were printed, variables, parameters, and tasks; and
 * the variables of the frame that somebody chose. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/types/expr_parser.h"
#include "core/image/target.h"

#define RESULTS_MAX 100000u
#define RESULT_BYTES 4096u
#define VARIABLES_SET_MAX 1000u

/* A variable that somebody set. */
struct expr_set {
	const char *name; /* with its '$' */
	struct value v;
	uint8_t *bytes; /* its own; NULL: it needs none */
};

struct expr_kept {
	VEC(struct value) results;
	VEC(struct expr_set) set;
	struct expr_set shown;  /* $_; its value of no type: nothing was shown */
	const struct value *it; /* NULL: no stage is at one */
	const struct expr_params *params;
	uint64_t current; /* task_struct; 0: not set */
	bool has_frame;
	struct expr_frame frame;
	struct arena of_frame; /* what the frame points to */
};

static void kept_release(void *what)
{
	struct expr_kept *kept = what;

	vec_release(&kept->results);
	for (size_t i = 0; i < kept->set.n; i++)
		free(kept->set.p[i].bytes);
	free(kept->shown.bytes);
	vec_release(&kept->set);
	arena_release(&kept->of_frame);
}

static struct expr_kept *kept_of(struct target *t)
{
	if (!t->kept) {
		t->kept = ARENA_NEW(&t->arena, struct expr_kept);
		target_defer(t, kept_release, t->kept);
	}
	return t->kept;
}

void expr_current_set(struct target *t, uint64_t task)
{
	kept_of(t)->current = task;
	(void)expr_frame_begin(t);
}

struct arena *expr_frame_begin(struct target *t)
{
	struct expr_kept *kept = kept_of(t);

	kept->has_frame = false;
	arena_reset(&kept->of_frame);
	return &kept->of_frame;
}

void expr_frame_set(struct target *t, const struct expr_frame *f)
{
	kept_of(t)->frame = *f;
	kept_of(t)->has_frame = true;
}

const struct expr_frame *expr_frame_of(struct target *t)
{
	const struct expr_kept *kept = kept_of(t);

	return kept->has_frame ? &kept->frame : NULL;
}

/* Variables come level by level or not, but those of inner blocks behind those of outer ones. */
const struct variable *expr_local(struct target *t, const char *name)
{
	const struct expr_frame *f = expr_frame_of(t);
	const struct variable *found = NULL;

	for (size_t i = 0; f && i < f->n_variables; i++) {
		const struct variable *v = &f->variables[i];

		if (v->name && !strcmp(v->name, name) && (!found || v->level >= found->level))
			found = v;
	}
	return found;
}

static bool word_goes_on(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

size_t expr_local_part(struct target *t, const char *s, size_t n)
{
	const struct expr_frame *f = expr_frame_of(t);
	size_t found = n;

	for (size_t i = 0; f && i < f->n_variables; i++) {
		const char *name = f->variables[i].name;
		size_t len = name ? strlen(name) : 0;

		if (len > found && name[n] == '.' && !strncmp(s, name, len) &&
		    !word_goes_on(s[len]))
			found = len;
	}
	return found;
}

bool expr_local_value(struct expr_parser *p, const char *name, struct value *ret, bool *found,
		      struct err *err)
{
	const struct variable *v = expr_local(p->t, name);

	*found = v != NULL;
	if (!v)
		return true;
	if (!v->known && !p->dry) {
		*err = v->why;
		return err_wrap(err, "'%.60s' of frame %zu", name, kept_of(p->t)->frame.n);
	}
	*ret = v->known ? v->value : value_ref(v->value.type, 0);
	return true;
}

/* A value that outlives the line: what is in memory is read when it is asked for, and the bytes of
 * the rest are copied to *bytes, which the caller frees. One that is too large becomes none. */
static struct value lasting(struct target *t, struct value v, uint8_t **bytes)
{
	*bytes = NULL;
	/* a struct that no source of types told of is a stage's own, and of this line */
	if (v.kind != VALUE_NONE && v.type->kind == TYPE_STRUCT && !v.type->source)
		return (struct value){ .kind = VALUE_NONE };
	if (v.kind != VALUE_BYTES)
		return v;
	if (v.addr && !v.bit_size)
		return value_ref(v.type, v.addr);
	if (v.type->size > RESULT_BYTES)
		return (struct value){ .kind = VALUE_NONE };
	*bytes = xrealloc(NULL, v.type->size + 1);
	memcpy(*bytes, v.bytes, v.type->size);
	v.bytes = *bytes;
	/* the type of a text that was typed is of the line, too */
	if (v.type->kind == TYPE_ARRAY && v.type->target == &expr_char)
		v.type = type_array_of(t, &expr_char, v.type->count);
	return v;
}

/* What was kept, for an evaluation: other bytes may take the place of its own while a stage still
 * holds the value. */
static struct value lent(struct target *t, struct value v)
{
	if (v.kind == VALUE_BYTES)
		v.bytes = memcpy(arena_alloc(t->scratch, v.type->size + 1), v.bytes, v.type->size);
	return v;
}

void expr_shown(struct target *t, struct value v)
{
	struct expr_set *x = &kept_of(t)->shown;
	uint8_t *old = x->bytes;

	/* v may be made of the bytes that it replaces */
	x->v = lasting(t, v, &x->bytes);
	free(old);
}

struct value expr_value_kept(struct target *t, struct arena *a, struct value v)
{
	uint8_t *bytes;

	v = lasting(t, v, &bytes);
	if (bytes) {
		v.bytes = memcpy(arena_alloc(a, v.type->size + 1), bytes, v.type->size);
		free(bytes);
	}
	return v;
}

void expr_keep(struct target *t, struct value v)
{
	struct expr_kept *k = kept_of(t);

	expr_shown(t, v);
	if (k->results.n < RESULTS_MAX)
		*vec_push(&k->results) = expr_value_kept(t, &t->arena, v);
}

const struct value *expr_it_swap(struct target *t, const struct value *it)
{
	struct expr_kept *k = kept_of(t);
	const struct value *before = k->it;

	k->it = it;
	return before;
}

/* ---- variables and parameters */

static struct expr_set *set_find(struct target *t, const char *name)
{
	struct expr_kept *k = kept_of(t);

	for (size_t i = 0; i < k->set.n; i++)
		if (!strcmp(k->set.p[i].name, name))
			return &k->set.p[i];
	return NULL;
}

static bool is_reserved(const char *name)
{
	static const char *const names[] = { "$_", "$it", "$panic", "$current" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

bool expr_variable_set(struct target *t, const char *name, struct value v, struct err *err)
{
	struct expr_kept *k = kept_of(t);
	struct expr_set *x = set_find(t, name);
	uint8_t *bytes;

	if (*name != '$' || (!isalpha((unsigned char)name[1]) && name[1] != '_') ||
	    strchr(name + 1, '$') || is_reserved(name))
		return err_set(err, ERR_USAGE, "'%.60s' cannot be set: a variable is $ and a word",
			       name);
	if (expr_param_find(t, name))
		return err_set(err, ERR_USAGE, "'%.60s' is a parameter, which cannot be set", name);
	if (!x && k->set.n >= VARIABLES_SET_MAX)
		return err_set(err, ERR_LIMIT, "there are %u variables", VARIABLES_SET_MAX);
	v = lasting(t, v, &bytes);
	if (v.kind == VALUE_NONE)
		return err_set(err, ERR_LIMIT,
			       "the value is none, larger than %u bytes, or a row of this line",
			       RESULT_BYTES);
	if (!x) {
		x = vec_push(&k->set);
		*x = (struct expr_set){ .name = arena_strdup(&t->arena, name) };
	}
	free(x->bytes);
	x->v = v;
	x->bytes = bytes;
	return true;
}

const char *expr_variable_name(struct target *t, size_t i)
{
	return i < kept_of(t)->set.n ? kept_of(t)->set.p[i].name : NULL;
}

const struct expr_params *expr_params_swap(struct target *t, const struct expr_params *params)
{
	struct expr_kept *k = kept_of(t);
	const struct expr_params *before = k->params;

	k->params = params;
	return before;
}

const struct expr_param *expr_param_find(struct target *t, const char *name)
{
	const struct expr_params *params = kept_of(t)->params;

	for (size_t i = 0; params && i < params->n; i++)
		if (!strcmp(params->v[i].name, name))
			return &params->v[i];
	return NULL;
}

/* ---- results and tasks */

static bool is_result(const char *name)
{
	size_t dollars = strspn(name, "$");

	return dollars && dollars <= 2 && !name[dollars + strspn(name + dollars, "0123456789")];
}

bool expr_variable_known(struct target *t, const char *name)
{
	const struct expr_kept *k = kept_of(t);

	if (!strcmp(name, "$it") || !strcmp(name, "$_"))
		return k->it || (name[1] == '_' && k->shown.v.type);
	return expr_param_find(t, name) || set_find(t, name) || is_result(name);
}

/* "$" the last, "$$" the one before, "$$2" the one before that, "$2" the second of all. */
static bool result(struct expr_parser *p, const char *name, struct value *ret, struct err *err)
{
	const struct expr_kept *k = kept_of(p->t);
	bool back = name[1] == '$';
	const char *digits = name + 1 + back;
	uint64_t n = back ? 1 : 0, at;

	if (*digits && !number_parse(digits, 10, &n))
		n = UINT64_MAX;
	at = back || !*digits ? k->results.n - n : n;
	if ((back || !*digits) && n >= k->results.n)
		at = 0;
	if (!at || at > k->results.n)
		return err_set(err, ERR_NOTFOUND, "no result '%s': p has printed %zu", name,
			       k->results.n);
	*ret = k->results.p[at - 1];
	return ret->kind != VALUE_NONE ||
	       err_set(err, ERR_LIMIT, "'%s' was too large to be kept, or is a row of another line",
		       name);
}

static bool task(struct expr_parser *p, bool current, struct value *ret, struct err *err)
{
	const struct expr_hooks *hooks = p->scope->hooks;
	const struct type *type;
	uint64_t addr = current ? kept_of(p->t)->current : 0;

	if (!addr && (!hooks || !hooks->task))
		return err_set(err, ERR_NEED, "tasks are not known here");
	if (!type_find(p->t, "struct task_struct", &type, err) ||
	    (!addr && !hooks->task(p->t, current, &addr, err)))
		return false;
	*ret = value_int(p->t, type_pointer_to(p->t, type), addr);
	return true;
}

static bool shown(struct expr_parser *p, const char *name, struct value *ret, struct err *err)
{
	const struct expr_kept *k = kept_of(p->t);

	*ret = k->it ? *k->it : lent(p->t, k->shown.v);
	if (!k->it && name[1] == 'i')
		return err_set(err, ERR_NOTFOUND, "no stage of a pipeline is at a value");
	if (!ret->type)
		return err_set(err, ERR_NOTFOUND, "no value '$_': nothing was shown yet");
	return true;
}

bool expr_variable(struct expr_parser *p, const char *name, struct value *ret, struct err *err)
{
	const struct expr_set *x = set_find(p->t, name);

	if (!strcmp(name, "$panic") || !strcmp(name, "$current"))
		return task(p, name[1] == 'c', ret, err);
	if (!strcmp(name, "$_") || !strcmp(name, "$it"))
		return shown(p, name, ret, err);
	if (x) {
		*ret = lent(p->t, x->v);
		return true;
	}
	if (is_result(name))
		return result(p, name, ret, err);
	return err_set(
		err, ERR_NOTFOUND,
		"no variable '%s': '%s = ...' sets it; there are $1, $, $$, $_, $current and "
		"$panic",
		name, name);
}
