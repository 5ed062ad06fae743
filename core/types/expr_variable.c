/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names that start with '$': results that were printed, and tasks; and the variables of the
 * frame that somebody chose. */
#include <ctype.h>
#include <string.h>

#include "core/base/number.h"
#include "core/types/expr_parser.h"
#include "core/image/target.h"

#define RESULTS_MAX 100000u
#define RESULT_BYTES 4096u

struct expr_kept {
	VEC(struct value) results;
	uint64_t current; /* task_struct; 0: not set */
	bool has_frame;
	struct expr_frame frame;
	struct arena of_frame; /* what the frame points to */
};

static void kept_release(void *what)
{
	struct expr_kept *kept = what;

	vec_release(&kept->results);
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

void expr_keep(struct target *t, struct value v)
{
	struct expr_kept *k = kept_of(t);

	if (k->results.n >= RESULTS_MAX)
		return;
	if (v.kind == VALUE_BYTES && v.addr && !v.bit_size)
		v = value_ref(v.type, v.addr);
	if (v.kind == VALUE_BYTES && v.type->size <= RESULT_BYTES) {
		uint8_t *bytes = arena_alloc(&t->arena, v.type->size + 1);

		memcpy(bytes, v.bytes, v.type->size);
		v.bytes = bytes;
	} else if (v.kind == VALUE_BYTES) {
		v = (struct value){ .kind = VALUE_NONE };
	}
	*vec_push(&k->results) = v;
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
	       err_set(err, ERR_LIMIT, "'%s' was too large to be kept", name);
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

bool expr_variable(struct expr_parser *p, const char *name, struct value *ret, struct err *err)
{
	size_t dollars = strspn(name, "$");

	if (!strcmp(name, "$panic") || !strcmp(name, "$current"))
		return task(p, name[1] == 'c', ret, err);
	if (dollars <= 2 && !name[dollars + strspn(name + dollars, "0123456789")])
		return result(p, name, ret, err);
	return err_set(err, ERR_NOTFOUND,
		       "no variable '%s': there are $1, $, $$, $current and $panic", name);
}
