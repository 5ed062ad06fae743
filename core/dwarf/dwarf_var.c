/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments and locals of a frame, inlined functions' own among them. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/types/frame_info.h"
#include "core/image/target.h"
#include "core/dwarf/dwarf_frame.h"

#define SIBLINGS_MAX 1000000u
#define BYTES_MAX 4096 /* of a value in pieces */

/* The variables found so far. */
struct var_found {
	struct dwarf_frame *frame;
	struct arena *a;
	VEC(struct variable) all;
};

/* ---- values of places */

static bool unknown(struct variable *v, const char *why)
{
	return err_set(&v->why, ERR_NOTFOUND, "%s", why);
}

static struct value value_of_word(const struct var_found *f, const struct type *type, uint64_t word)
{
	uint8_t *p = arena_alloc(f->a, 8);

	target_store(f->frame->file->t, p, type->size, word);
	return value_bytes(type, p, 0);
}

static bool whole(struct var_found *f, const struct dwarf_place *p, struct variable *v)
{
	const struct type *type = v->value.type;

	switch (p->kind) {
	case PLACE_MEMORY:
		v->value = value_ref(type, p->value);
		return true;
	case PLACE_VALUE:
		if (!type->size || type->size > 8)
			return unknown(v, "optimized out but for its first word");
		v->value = value_of_word(f, type, p->value);
		return true;
	case PLACE_BYTES:
		if (!type->size || type->size > p->n)
			return unknown(v, "optimized out but for its first bytes");
		v->value = value_bytes(type, p->bytes, 0);
		return true;
	case PLACE_POINTER:
		return unknown(v, "a pointer to what was optimized out");
	case PLACE_UNKNOWN:
		v->why = p->why;
		return false;
	default:
		return unknown(v, "optimized out");
	}
}

/* One piece's bytes; false: they are not known. */
static bool piece_bytes(struct target *t, const struct dwarf_place *p, uint8_t *to, size_t n,
			struct err *err)
{
	size_t off = (size_t)(p->bit_off / 8);

	switch (p->kind) {
	case PLACE_MEMORY:
		return mem_read(t, p->value + off, to, n, err);
	case PLACE_VALUE:
		if (off + n > 8)
			break;
		target_store(t, to, n, p->value >> 8 * off);
		return true;
	case PLACE_BYTES:
		if (off + n > p->n)
			break;
		memcpy(to, p->bytes + off, n);
		return true;
	default:
		break;
	}
	if (p->kind == PLACE_UNKNOWN)
		*err = p->why;
	else
		err_set(err, ERR_NOTFOUND, "optimized out");
	return false;
}

/* What is known of a value in pieces: each byte, and whether it is. */
struct partial {
	uint8_t *bytes, *known; /* type->size of them */
	uint64_t lost;
	struct err why; /* of some byte that is not */
};

static bool in_pieces(struct var_found *f, const struct dwarf_place *p, size_t n,
		      struct variable *v, struct partial *ret)
{
	struct target *t = f->frame->file->t;
	uint64_t size = v->value.type->size, at = 0;

	if (!size || size > BYTES_MAX)
		return unknown(v, "in pieces");
	ret->bytes = arena_alloc(f->a, (size_t)size);
	ret->known = arena_alloc(f->a, (size_t)size);
	ret->lost = size;
	for (size_t i = 0; i < n && at < size; i++) {
		uint64_t len = p[i].bits / 8;

		if (p[i].bits % 8 || p[i].bit_off % 8)
			return unknown(v, "in pieces of single bits");
		if (len > size - at)
			len = size - at;
		if (piece_bytes(t, &p[i], ret->bytes + at, (size_t)len, &ret->why)) {
			memset(ret->known + at, 1, (size_t)len);
			ret->lost -= len;
		}
		at += len;
	}
	if (ret->lost == size && ret->why.code) {
		v->why = ret->why;
		return false;
	}
	if (ret->lost)
		return unknown(v, "optimized out in part");
	v->value = value_bytes(v->value.type, ret->bytes, 0);
	return true;
}

/* The members of a struct of which some bytes are known, each as a variable of its own. */
static void add_members(struct var_found *f, const struct partial *part)
{
	struct variable whole_one = f->all.p[f->all.n - 1];
	size_t n;
	const struct member *m = type_members(type_strip(whole_one.value.type), &n);

	if (!part->lost || part->lost == whole_one.value.type->size)
		return;
	for (size_t i = 0; i < n && f->all.n < VARIABLES_MAX; i++) {
		uint64_t off = m[i].bit_off / 8, size = m[i].type->size;
		struct variable *v;

		if (!m[i].name || m[i].bit_size || !size || off > BYTES_MAX ||
		    off + size > whole_one.value.type->size)
			continue;
		v = vec_push(&f->all);
		*v = whole_one;
		v->name = arena_printf(f->a, "%s.%s", whole_one.name, m[i].name);
		v->value = value_absent(m[i].type, 0, ERR_NOTFOUND);
		v->known = !memchr(part->known + off, 0, (size_t)size);
		if (v->known)
			v->value = value_bytes(m[i].type, part->bytes + off, 0);
		else
			unknown(v, "optimized out");
	}
}

static bool evaluate(struct var_found *f, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n_ops,
		     struct variable *v)
{
	struct dwarf_place places[EXPR_PIECES_MAX];
	struct partial part = { .lost = 0 };
	struct dwarf_expr_at e;
	size_t n;

	dwarf_expr_init(&e, f->frame, attr);
	if (!dwarf_expr_places(&e.x, ops, n_ops, places, &n, &v->why))
		return false;
	if (n == 1 && !places[0].bits)
		return whole(f, places, v);
	v->known = in_pieces(f, places, n, v, &part);
	if (v->known)
		return true;
	add_members(f, &part);
	return false;
}

static bool constant(struct var_found *f, Dwarf_Attribute *attr, struct variable *v)
{
	const struct type *type = v->value.type;
	Dwarf_Sword word;
	Dwarf_Block block;

	if (dwarf_formblock(attr, &block) == 0) {
		struct dwarf_place p = { .kind = PLACE_BYTES,
					 .bytes = block.data,
					 .n = block.length };

		return whole(f, &p, v);
	}
	if (!type->size || type->size > 8 || dwarf_formsdata(attr, &word) != 0)
		return unknown(v, "optimized out");
	/* a data form of less than a word is extended by libdw; the type's own bytes are told */
	v->value = value_of_word(f, type, (uint64_t)word);
	return true;
}

/* ---- one variable */

static bool has_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool flag = false;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formflag(&attr, &flag) == 0 && flag;
}

/* Static storage is no part of a frame: p shows it. */
static bool is_static(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (has_flag(die, DW_AT_declaration) || has_flag(die, DW_AT_external))
		return true;
	return dwarf_attr_integrate(die, DW_AT_location, &attr) &&
	       dwarf_whatform(&attr) == DW_FORM_exprloc &&
	       dwarf_getlocation(&attr, &ops, &n) == 0 && n && ops[0].atom == DW_OP_addr;
}

static void dwarf_var_add(struct var_found *f, Dwarf_Die *die, unsigned level)
{
	const char *name = dwarf_diename(die);
	Dwarf_Attribute attr;
	struct variable *v;
	Dwarf_Op *ops;
	size_t n, at = f->all.n;

	if (!name || is_static(die) || f->all.n == VARIABLES_MAX)
		return;
	v = vec_push(&f->all);
	v->name = arena_strdup(f->a, name);
	v->argument = dwarf_tag(die) == DW_TAG_formal_parameter;
	v->level = level;
	v->value = value_absent(dwarf_type_named(f->frame->file, die), 0, ERR_NOTFOUND);
	if (dwarf_attr(die, DW_AT_const_value, &attr))
		v->known = constant(f, &attr, v);
	else if (!dwarf_attr(die, DW_AT_location, &attr) ||
		 dwarf_getlocation_addr(&attr, f->frame->pc, &ops, &n, 1) != 1)
		unknown(v, "optimized out");
	else if (evaluate(f, &attr, ops, n, v))
		f->all.p[at].known = true; /* others may have been added behind it */
}

/* A scope's own: its arguments first, as the compiler wrote them. */
static void add_scope(struct var_found *f, Dwarf_Die *scope, int tag, unsigned level)
{
	unsigned siblings = 0;
	Dwarf_Die die;

	if (dwarf_child(scope, &die) != 0)
		return;
	do {
		if (dwarf_tag(&die) == tag)
			dwarf_var_add(f, &die, level);
	} while (++siblings < SIBLINGS_MAX && dwarf_siblingof(&die, &die) == 0);
}

bool dwarf_frame_variables(struct frame_source *s, const struct frame_at *at, struct arena *a,
			   const struct variable **ret, size_t *n, struct err *err)
{
	struct dwarf_frame frame;
	struct var_found f = { .frame = &frame, .a = a };
	struct dwarf_file *file;
	struct variable *all;
	unsigned level = 0;

	if (!dwarf_file_at(s->t, frame_at_lookup(at), &file, err) ||
	    !dwarf_frame_open(file, at, &frame, err))
		return false;
	for (size_t i = 1; i < frame.scopes.n; i++)
		level += dwarf_tag(&frame.scopes.die[i]) != DW_TAG_lexical_block;
	for (size_t i = 0; i < frame.scopes.n; i++) {
		Dwarf_Die *scope = &frame.scopes.die[i];

		if (i && dwarf_tag(scope) != DW_TAG_lexical_block)
			level--;
		if (dwarf_tag(scope) != DW_TAG_lexical_block)
			add_scope(&f, scope, DW_TAG_formal_parameter, level);
		add_scope(&f, scope, DW_TAG_variable, level);
	}
	all = ARENA_ARRAY(a, struct variable, f.all.n + 1);
	if (f.all.n)
		memcpy(all, f.all.p, f.all.n * sizeof(*all));
	*ret = all;
	*n = f.all.n;
	vec_release(&f.all);
	return true;
}
