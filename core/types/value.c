/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values: members, elements and numbers out of typed places. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/number.h"
#include "core/image/target.h"
#include "core/types/value.h"

struct value value_ref(const struct type *type, uint64_t addr)
{
	return (struct value){ .type = type, .kind = VALUE_REF, .addr = addr };
}

struct value value_bytes(const struct type *type, const void *bytes, uint64_t addr)
{
	return (struct value){ .type = type, .kind = VALUE_BYTES, .addr = addr, .bytes = bytes };
}

struct value value_absent(const struct type *type, uint64_t addr, enum err_code why)
{
	return (struct value){ .type = type, .kind = VALUE_ABSENT, .addr = addr, .why = why };
}

struct value value_int(struct target *t, const struct type *type, uint64_t n)
{
	uint64_t size = type->size < 16 ? 16 : type->size;
	uint8_t *p;

	if (size > 64) /* not an integer: as much of it as a number can be */
		size = 64;
	p = arena_alloc(t->scratch, size);
	if (type_is_signed(type) && (int64_t)n < 0)
		memset(p, 0xff, size);
	if (!target_big(t))
		store_uint(p, 8, false, n);
	else if (type->size && type->size <= 8)
		store_uint(p, type->size, true, n);
	else if (type->size <= size)
		store_uint(p + (type->size ? type->size - 8 : 0), 8, true, n);
	return value_bytes(type, p, 0);
}

static bool refuse(const struct type *type, const char *what, struct err *err)
{
	struct buf b = { .max = 120 };

	type_declare(&b, type, NULL);
	err_set(err, ERR_USAGE, "'%s' %s", buf_text(&b), what);
	buf_release(&b);
	return false;
}

static bool absent(struct value v, struct err *err)
{
	if (v.kind == VALUE_NONE || !err_is_absent(v.why))
		return err_set(err, v.kind == VALUE_NONE || !v.why ? ERR_USAGE : v.why,
			       "no value is here");
	return err_set_addr(err, v.why, v.addr, "%s 0x%" PRIx64, err_absent_text(v.why), v.addr);
}

/* n bytes at off; BYTES hold no more than their type's size. */
static bool fetch(struct target *t, struct value v, uint64_t off, void *buf, size_t n,
		  struct err *err)
{
	switch (v.kind) {
	case VALUE_REF:
		return mem_read(t, v.addr + off, buf, n, err);
	case VALUE_BYTES:
		memcpy(buf, v.bytes + off, n);
		return true;
	default:
		return absent(v, err);
	}
}

struct value value_load(struct target *t, struct value v)
{
	struct err err = { 0 };
	void *p;

	if (v.kind != VALUE_REF || !v.type->size || v.bit_size)
		return v;
	if (!arena_bytes(t->scratch, v.type->size, VALUE_MAX, &p, &err) ||
	    !mem_read(t, v.addr, p, v.type->size, &err))
		return v;
	return value_bytes(v.type, p, v.addr);
}

/* Part of v: bytes in place where they are at hand, else a place in memory. */
static bool part(struct value v, const struct type *type, uint64_t off, uint64_t size,
		 struct value *ret, struct err *err)
{
	uint64_t end;

	if (v.kind == VALUE_NONE || v.kind == VALUE_ABSENT)
		return absent(v, err);
	if (v.kind == VALUE_BYTES && !__builtin_add_overflow(off, size, &end) &&
	    end <= v.type->size)
		*ret = value_bytes(type, v.bytes + off, v.addr ? v.addr + off : 0);
	else if (v.kind == VALUE_REF || v.addr)
		*ret = value_ref(type, v.addr + off);
	else
		return refuse(v.type, "has fewer bytes than the part asked for", err);
	return true;
}

bool value_deref(struct target *t, struct value v, struct value *ret, struct err *err)
{
	const struct type *p = type_strip(v.type);
	uint64_t addr;

	if (p->kind == TYPE_ARRAY)
		return value_index(t, v, 0, ret, err);
	if (p->kind != TYPE_POINTER)
		return refuse(v.type, "is not a pointer", err);
	if (!value_u64(t, v, &addr, err))
		return false;
	*ret = value_ref(type_target(p), addr);
	return true;
}

bool value_index(struct target *t, struct value v, int64_t i, struct value *ret, struct err *err)
{
	const struct type *in = type_strip(v.type), *elem;
	int64_t off;

	if (in->kind == TYPE_POINTER) {
		if (!value_deref(t, v, &v, err))
			return false;
		elem = v.type;
	} else if (in->kind == TYPE_ARRAY) {
		elem = type_target(in);
		/* [0], [1] and [] at a struct's end are as long as was allocated */
		if (in->count > 1 && (i < 0 || (uint64_t)i >= in->count))
			return err_set(err, ERR_NOTFOUND,
				       "no element %" PRId64 " in an array of %" PRIu64, i,
				       in->count);
	} else {
		return refuse(v.type, "is neither array nor pointer", err);
	}
	if (!elem->size)
		return refuse(elem, "has no size to index by", err);
	if (__builtin_mul_overflow(i, (int64_t)elem->size, &off))
		return err_set(err, ERR_LIMIT, "index %" PRId64 " is too large", i);
	return part(v, elem, (uint64_t)off, elem->size, ret, err);
}

bool value_at_member(struct target *t, struct value v, const struct member *m, struct value *ret,
		     struct err *err)
{
	uint64_t size = m->bit_size ? (m->bit_off % 8 + m->bit_size + 7) / 8 : m->type->size;

	(void)t;
	if (!part(v, m->type, m->bit_off / 8, size, ret, err))
		return false;
	ret->bit_off = m->bit_size ? m->bit_off % 8 : 0;
	ret->bit_size = m->bit_size;
	return true;
}

static bool member_one(struct target *t, struct value v, const char *name, struct value *ret,
		       struct err *err)
{
	struct member_ref ref;
	uint64_t off, size;
	uint16_t bit;

	if (type_strip(v.type)->kind == TYPE_POINTER && !value_deref(t, v, &v, err))
		return false;
	if (!type_member(v.type, name, &ref, err))
		return false;
	if (!ref.bit_size)
		return part(v, ref.type, ref.offset, ref.type->size, ret, err);
	/* the fewest bytes that hold the bits: a storage unit may reach beyond a packed struct */
	off = ref.offset + ref.bit_off / 8;
	bit = ref.bit_off % 8;
	size = (uint64_t)(bit + ref.bit_size + 7) / 8;
	if (!part(v, ref.type, off, size, ret, err))
		return false;
	ret->bit_off = bit;
	ret->bit_size = ref.bit_size;
	return true;
}

static bool take_number(const char **s, int64_t *ret, struct err *err)
{
	const char *p = *s;
	uint64_t n;
	bool minus = *p == '-';

	p += minus;
	if (!isdigit((unsigned char)*p))
		return err_set(err, ERR_USAGE, "expected a number at '%s'", p);
	if (!number_take(&p, NULL, 10, &n) || n > INT64_MAX)
		return err_set(err, ERR_LIMIT, "index is too large");
	if (*p != ']')
		return err_set(err, ERR_USAGE, "expected ']' at '%s'", p);
	*s = p + 1;
	*ret = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

#define NAME_LEN 256

/* Step by step, so that a path may follow pointers on its way. */
bool value_member(struct target *t, struct value v, const char *path, struct value *ret,
		  struct err *err)
{
	for (const char *s = path; *s;) {
		char name[NAME_LEN];
		int64_t i = 0;
		size_t n;

		if (*s == '[') {
			s++;
			if (!take_number(&s, &i, err) || !value_index(t, v, i, &v, err))
				return false;
			continue;
		}
		if (s[0] == '-' && s[1] == '>' && s != path)
			s += 2;
		else if (*s == '.' && s != path)
			s++;
		n = strcspn(s, ".[-");
		if (!n)
			return err_set(err, ERR_USAGE, "a member's name is missing in '%s'", path);
		if (n >= sizeof(name))
			return err_set(err, ERR_NOFIELD, "member name is too long");
		memcpy(name, s, n);
		name[n] = '\0';
		if (!member_one(t, v, name, &v, err))
			return false;
		s += n;
	}
	*ret = v;
	return true;
}

/* The low bits of n bytes, by the value's type; bit-fields shifted down. */
static bool value_number(struct target *t, struct value v, uint64_t *raw, unsigned *bits,
			 struct err *err)
{
	const struct type *in = type_strip(v.type);
	uint8_t b[9] = { 0 };

	if (!type_is_integer(in) && in->kind != TYPE_POINTER)
		return refuse(v.type, "is not a number", err);
	if (v.bit_size) {
		if (v.bit_size > 64 || v.bit_off > 7)
			return refuse(v.type, "has a bit-field that is too wide", err);
		if (!fetch(t, v, 0, b, (size_t)(v.bit_off + v.bit_size + 7) / 8, err))
			return false;
		*bits = v.bit_size;
	} else {
		if (!in->size || in->size > 8 || in->size > v.type->size)
			return refuse(v.type, "is not a number of at most 64 bits", err);
		if (!fetch(t, v, 0, b, in->size, err))
			return false;
		*bits = (unsigned)in->size * 8;
	}
	*raw = target_bits(t, b, v.bit_size ? v.bit_off : 0, *bits);
	return true;
}

bool value_u64(struct target *t, struct value v, uint64_t *ret, struct err *err)
{
	uint64_t raw;
	unsigned bits;

	if (!value_number(t, v, &raw, &bits, err))
		return false;
	if (type_is_signed(v.type) && bits < 64 && raw >> (bits - 1))
		raw |= ~UINT64_C(0) << bits;
	*ret = raw;
	return true;
}

bool value_s64(struct target *t, struct value v, int64_t *ret, struct err *err)
{
	uint64_t n;

	if (!value_u64(t, v, &n, err))
		return false;
	*ret = (int64_t)n;
	return true;
}

/* As far as memory goes; an array that ends in a hole before its NUL is an error. */
static bool array_str(struct target *t, struct value v, size_t n, struct arena *a, const char **ret,
		      struct err *err)
{
	struct err why = { 0 };
	size_t got = n;
	void *p;

	if (!arena_bytes(a, n + 1, VALUE_MAX + 1, &p, err))
		return false;
	if (v.kind == VALUE_BYTES)
		memcpy(p, v.bytes, n);
	else if (v.kind == VALUE_REF)
		got = mem_read_some(t, v.addr, p, n, &why);
	else
		return absent(v, err);
	if (got < n && !memchr(p, 0, got)) {
		*err = why;
		return false;
	}
	*ret = p;
	return true;
}

bool value_str(struct target *t, struct value v, size_t max, struct arena *a, const char **ret,
	       struct err *err)
{
	const struct type *in = type_strip(v.type);
	uint64_t addr;

	if (in->kind == TYPE_POINTER) {
		if (!value_u64(t, v, &addr, err))
			return false;
		return mem_str(t, addr, max, a, ret, err);
	}
	if (in->kind != TYPE_ARRAY || in->size > v.type->size)
		return refuse(v.type, "is not text", err);
	if (!in->size && v.kind == VALUE_REF) /* char x[]: ends at its NUL */
		return mem_str(t, v.addr, max, a, ret, err);
	return array_str(t, v, in->size < max ? in->size : max, a, ret, err);
}
