/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes: layouts resolved once a target, structs read in as few pieces as their fields need. */
#include <inttypes.h>
#include <string.h>

#include "core/types/shape.h"
#include "core/image/target.h"

struct field {
	bool present;
	bool is_signed;  /* of the type */
	bool is_number;  /* at most 8 bytes, or a bit-field */
	bool simple;     /* present, and a number of 8 bytes, or of 4 without a sign */
	uint8_t bit;     /* of a bit-field, from `off`, below 8 */
	uint8_t bits;    /* 0: not a bit-field */
	uint64_t off, n; /* the bytes it lies in */
	uint64_t at;     /* where they are in the buffer */
	const struct type *type;
	struct err why; /* not present */
	bool *told;     /* that it is missed */
};

/* Fields far apart are read in pieces: task_struct is 10 KB, and what is wanted of it 200 bytes. */
#define GAP_MAX 192
#define PIECE_MAX ((uint64_t)64 << 10)
struct piece {
	uint64_t off, n, at;
};

struct shape_layout {
	const struct type *type;
	struct field *fields;
	struct piece *pieces;
	size_t n_pieces;
	uint64_t total; /* bytes of the buffer */
	bool whole;     /* every present field is in a piece */
};

static void field_resolve(const struct type *type, const struct shape_field *f, struct field *ret)
{
	struct member_ref ref;
	struct err err;

	for (size_t i = 0; i < SHAPE_ALTS && f->path[i]; i++) {
		if (!type_member(type, f->path[i], &ref, &err)) {
			if (!ret->why.code) /* the newest name is the one to tell */
				ret->why = err;
			continue;
		}
		ret->present = true;
		ret->type = ref.type;
		ret->off = ref.offset;
		ret->n = ref.type->size;
		if (ref.bit_size) {
			ret->off += ref.bit_off / 8;
			ret->bit = ref.bit_off % 8;
			ret->bits = (uint8_t)(ref.bit_size > 64 ? 64 : ref.bit_size);
			ret->n = (uint64_t)(ret->bit + ret->bits + 7) / 8;
		}
		ret->is_signed = type_is_signed(ref.type);
		ret->is_number = ret->bits || ((type_is_integer(ref.type) ||
						type_strip(ref.type)->kind == TYPE_POINTER) &&
					       ret->n && ret->n <= 8);
		ret->simple = ret->is_number && !ret->bits &&
			      (ret->n == 8 || (ret->n == 4 && !ret->is_signed));
		return;
	}
	if (!ret->why.code)
		err_set(&ret->why, ERR_NOFIELD, "the field has no name");
}

/* Fields in the order of their offsets, then joined where the gap is small. */
static void layout_pieces(struct target *t, struct shape_layout *l, size_t n)
{
	size_t *order = ARENA_ARRAY(&t->arena, size_t, n + 1), k = 0;

	l->pieces = ARENA_ARRAY(&t->arena, struct piece, n + 1);
	l->whole = true;
	for (size_t i = 0; i < n; i++) {
		size_t j = k;

		if (!l->fields[i].present || !l->fields[i].n)
			continue;
		if (l->fields[i].n > PIECE_MAX) {
			l->whole = false;
			continue;
		}
		for (; j && l->fields[order[j - 1]].off > l->fields[i].off; j--)
			order[j] = order[j - 1];
		order[j] = i;
		k++;
	}
	for (size_t i = 0; i < k; i++) {
		struct field *f = &l->fields[order[i]];
		struct piece *p = l->n_pieces ? &l->pieces[l->n_pieces - 1] : NULL;

		if (!p || f->off > p->off + p->n + GAP_MAX || f->off + f->n - p->off > PIECE_MAX) {
			if (p)
				l->total = p->at + ((p->n + 7) & ~(uint64_t)7);
			p = &l->pieces[l->n_pieces++];
			*p = (struct piece){ f->off, f->n, l->total };
		} else if (f->off + f->n > p->off + p->n) {
			p->n = f->off + f->n - p->off;
		}
		f->at = p->at + (f->off - p->off);
	}
	if (l->n_pieces)
		l->total = l->pieces[l->n_pieces - 1].at + l->pieces[l->n_pieces - 1].n;
}

/* ERR_NOTYPE. The layout is cached in the target. */
static bool shape_resolve(struct target *t, const struct shape *shape,
			  const struct shape_layout **ret, struct err *err)
{
	uint64_t *hit = map_get(&t->types.shapes, (uintptr_t)shape);
	const struct type *type;
	struct shape_layout *l;

	if (hit) {
		*ret = (const struct shape_layout *)(uintptr_t)*hit;
		return true;
	}
	if (!type_find(t, shape->type, &type, err))
		return false;
	l = ARENA_NEW(&t->arena, struct shape_layout);
	l->type = type;
	l->fields = ARENA_ARRAY(&t->arena, struct field, shape->n);
	for (size_t i = 0; i < shape->n; i++) {
		l->fields[i].told = ARENA_NEW(&t->arena, bool);
		field_resolve(type, &shape->fields[i], &l->fields[i]);
	}
	layout_pieces(t, l, shape->n);
	*map_put(&t->types.shapes, (uintptr_t)shape, NULL) = (uintptr_t)l;
	*ret = l;
	return true;
}

bool shape_read(struct target *t, const struct shape *shape, uint64_t addr, struct shaped *ret,
		struct err *err)
{
	const struct shape_layout *l;
	struct err why;
	uint8_t *buf;

	if (!shape_resolve(t, shape, &l, err))
		return false;
	*ret = (struct shaped){ .t = t, .shape = shape, .layout = l, .addr = addr };
	if (!l->whole)
		return true;
	buf = arena_alloc(t->scratch, l->total);
	for (size_t i = 0; i < l->n_pieces; i++) {
		const struct piece *p = &l->pieces[i];

		if (!mem_read(t, addr + p->off, buf + p->at, p->n, &why))
			return true; /* each field will tell its own reason */
	}
	ret->bytes = buf;
	return true;
}

bool shape_over(struct target *t, const struct shape *shape, uint64_t addr, const uint8_t *bytes,
		size_t n, struct shaped *ret, struct err *err)
{
	const struct shape_layout *l;
	const struct piece *p;

	if (!shape_resolve(t, shape, &l, err))
		return false;
	p = l->pieces;
	if (!l->whole || l->n_pieces != 1 || p->off > n || p->n > n - p->off)
		return shape_read(t, shape, addr, ret, err);
	*ret = (struct shaped){
		.t = t, .shape = shape, .layout = l, .addr = addr, .bytes = bytes + p->off - p->at
	};
	return true;
}

static const struct field *field_get(const struct shaped *s, unsigned i, struct err *err)
{
	const struct field *f = &s->layout->fields[i];

	if (i >= s->shape->n) {
		err_set(err, ERR_NOFIELD, "'%s' has no field %u", s->shape->type, i);
		return NULL;
	}
	if (!f->present) {
		*err = f->why;
		return NULL;
	}
	return f;
}

bool shaped_has(const struct shaped *s, unsigned i)
{
	return i < s->shape->n && s->layout->fields[i].present;
}

/* Of most fields nothing is to be asked: whole numbers of the usual sizes, whose bytes are there.
 */
static inline bool plain_number(const struct shaped *s, unsigned i, uint64_t *ret)
{
	const struct field *f = &s->layout->fields[i];

	if (!s->bytes || i >= s->shape->n || !f->simple)
		return false;
	*ret = f->n == 8 ? target_u64(s->t, s->bytes + f->at) : target_u32(s->t, s->bytes + f->at);
	return true;
}

bool shaped_u64(const struct shaped *s, unsigned i, uint64_t *ret, struct err *err)
{
	const struct field *f;
	uint8_t b[9] = { 0 };
	unsigned bits;
	uint64_t raw;

	if (plain_number(s, i, ret))
		return true;
	f = field_get(s, i, err);
	if (!f)
		return false;
	if (!f->is_number)
		return err_set(err, ERR_NOTYPE, "'%s.%s' is not a number", s->shape->type,
			       s->shape->fields[i].path[0]);
	if (s->bytes)
		memcpy(b, s->bytes + f->at, f->n);
	else if (!mem_read(s->t, s->addr + f->off, b, f->n, err))
		return false;
	bits = f->bits ? f->bits : (unsigned)f->n * 8;
	raw = target_bits(s->t, b, f->bit, bits);
	if (bits < 64 && f->is_signed && raw >> (bits - 1))
		raw |= ~UINT64_C(0) << bits;
	*ret = raw;
	return true;
}

/* Once a field: an answer may ask for it of each of a million pages. */
void shaped_missed(const struct shaped *s, unsigned i, const struct err *why)
{
	struct err err = *why;

	if (i >= s->shape->n || *s->layout->fields[i].told ||
	    (why->code == ERR_NOFIELD && s->shape->fields[i].maybe))
		return;
	*s->layout->fields[i].told = true;
	if (why->code != ERR_NOFIELD)
		err_wrap(&err, "'%s.%s'", s->shape->type, s->shape->fields[i].path[0]);
	target_lacks(s->t, &err);
}

uint64_t shaped_u64_or(const struct shaped *s, unsigned i, uint64_t other)
{
	struct err why;
	uint64_t n;

	if (plain_number(s, i, &n) || shaped_u64(s, i, &n, &why))
		return n;
	shaped_missed(s, i, &why);
	return other;
}

bool shaped_s64(const struct shaped *s, unsigned i, int64_t *ret, struct err *err)
{
	uint64_t n;

	if (!shaped_u64(s, i, &n, err))
		return false;
	*ret = (int64_t)n;
	return true;
}

bool shaped_str(const struct shaped *s, unsigned i, struct arena *a, const char **ret,
		struct err *err)
{
	const struct field *f = field_get(s, i, err);
	struct value v;

	if (!f)
		return false;
	if (s->bytes && type_strip(f->type)->kind == TYPE_ARRAY && f->n) {
		*ret = arena_strndup(a, (const char *)s->bytes + f->at,
				     strnlen((const char *)s->bytes + f->at, f->n));
		return true;
	}
	return shaped_value(s, i, &v, err) && value_str(s->t, v, PIECE_MAX, a, ret, err);
}

bool shaped_value(const struct shaped *s, unsigned i, struct value *ret, struct err *err)
{
	const struct field *f = field_get(s, i, err);

	if (!f)
		return false;
	*ret = value_ref(f->type, s->addr + f->off);
	ret->bit_off = f->bit;
	ret->bit_size = f->bits;
	return true;
}

bool shaped_addr(const struct shaped *s, unsigned i, uint64_t *ret, struct err *err)
{
	const struct field *f = field_get(s, i, err);

	if (!f)
		return false;
	*ret = s->addr + f->off;
	return true;
}

bool shape_offset(struct target *t, const struct shape *shape, unsigned i, uint64_t *ret,
		  struct err *err)
{
	struct shaped s = { .t = t, .shape = shape };

	return shape_resolve(t, shape, &s.layout, err) && shaped_addr(&s, i, ret, err);
}

/* ---- one-off reads */

#define PATH_LEN 256

/* The first of "a|b" that this kernel has; the error is about the first name. */
static bool member_seek(struct target *t, const char *name, const char *path,
			struct member_ref *ret, struct err *err)
{
	const struct type *type;
	struct err other;
	bool first = true;

	if (!type_find(t, name, &type, err))
		return false;
	for (;;) {
		size_t n = strcspn(path, "|");
		char one[PATH_LEN];

		if (n >= sizeof(one))
			return err_set(err, ERR_NOFIELD, "member path is too long");
		memcpy(one, path, n);
		one[n] = '\0';
		if (type_member(type, one, ret, first ? err : &other))
			return true;
		if (!path[n])
			return false;
		first = false;
		path += n + 1;
	}
}

/* The same; what was found once is kept: one-off reads are done for each of thousands of objects.
 */
static bool member_alt(struct target *t, const char *name, const char *path, struct member_ref *ret,
		       struct err *err)
{
	size_t n = strlen(name), m = strlen(path);
	struct member_ref *kept;
	char key[2 * PATH_LEN];
	uint64_t *hit;

	if (n + 1 + m >= sizeof(key))
		return member_seek(t, name, path, ret, err);
	memcpy(key, name, n);
	key[n] = '.';
	memcpy(key + n + 1, path, m + 1);
	hit = strmap_get(&t->types.members, key);
	if (hit) {
		*ret = *(const struct member_ref *)(uintptr_t)*hit;
		return true;
	}
	if (!member_seek(t, name, path, ret, err))
		return false;
	kept = ARENA_NEW(&t->arena, struct member_ref);
	*kept = *ret;
	*strmap_put(&t->types.members, arena_strdup(&t->arena, key), NULL) = (uintptr_t)kept;
	return true;
}

bool field_u64(struct target *t, const char *type, uint64_t addr, const char *path, uint64_t *ret,
	       struct err *err)
{
	struct member_ref ref;
	struct value v;

	if (!member_alt(t, type, path, &ref, err))
		return false;
	v = value_ref(ref.type, addr + ref.offset + ref.bit_off / 8);
	v.bit_off = ref.bit_off % 8;
	v.bit_size = ref.bit_size;
	if (value_u64(t, v, ret, err))
		return true;
	if (err->code == ERR_USAGE) { /* it was not a person who asked: this kernel has it so */
		err->code = ERR_NOTYPE;
		err_wrap(err, "'%s.%s'", type, path);
	}
	return false;
}

uint64_t field_u64_or(struct target *t, const char *type, uint64_t addr, const char *path,
		      uint64_t other)
{
	struct err why;
	uint64_t n;

	if (field_u64(t, type, addr, path, &n, &why))
		return n;
	target_lacks(t, &why);
	return other;
}

bool field_offset(struct target *t, const char *type, const char *path, uint64_t *ret,
		  struct err *err)
{
	struct member_ref ref;

	if (!member_alt(t, type, path, &ref, err))
		return false;
	*ret = ref.offset;
	return true;
}
