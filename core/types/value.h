/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A typed place or datum of the dead kernel. Passed by value, owns nothing. Absent is a value too.
 */
#ifndef OBIT_VALUE_H
#define OBIT_VALUE_H

#include "core/image/type.h"

enum value_kind {
	VALUE_NONE,
	VALUE_REF,   /* in memory at addr */
	VALUE_BYTES, /* at hand: bytes, type->size of them, in an arena */
	VALUE_ABSENT /* cannot be known; why and addr say the reason */
};

struct value {
	const struct type *type;
	enum value_kind kind;
	enum err_code why;
	uint16_t bit_off, bit_size; /* bit-field within addr or bytes; bit_size 0: none */
	uint64_t addr;              /* REF; for BYTES where they came from, or 0 */
	const uint8_t *bytes;
};

struct value value_ref(const struct type *type, uint64_t addr);
struct value value_bytes(const struct type *type, const void *bytes, uint64_t addr);
struct value value_absent(const struct type *type, uint64_t addr, enum err_code why);
/* An integer of the type, in the scratch arena. */
struct value value_int(struct target *t, const struct type *type, uint64_t n);

/* Reads a whole REF once into the scratch arena (at most VALUE_MAX bytes), so that members cost
 * nothing; where memory is absent the REF stays a REF of what can be read. Never fails: absent is a
 * value. */
#define VALUE_MAX ((uint64_t)16 << 20)
struct value value_load(struct target *t, struct value v);

/* A member by path; through a pointer, it is followed first. ERR_NOFIELD, or why memory is absent.
 */
bool value_member(struct target *t, struct value v, const char *path, struct value *ret,
		  struct err *err) MUST_CHECK;
/* The member m of v's own struct or union. */
bool value_at_member(struct target *t, struct value v, const struct member *m, struct value *ret,
		     struct err *err) MUST_CHECK;
/* An element of an array, or of what a pointer points to. */
bool value_index(struct target *t, struct value v, int64_t i, struct value *ret,
		 struct err *err) MUST_CHECK;
/* What a pointer points to. */
bool value_deref(struct target *t, struct value v, struct value *ret, struct err *err) MUST_CHECK;

/* Integers, enums, pointers, bools: sign- or zero-extended to 64 bits. */
bool value_u64(struct target *t, struct value v, uint64_t *ret, struct err *err) MUST_CHECK;
bool value_s64(struct target *t, struct value v, int64_t *ret, struct err *err) MUST_CHECK;
/* char[] up to its NUL, or the string a char * points to, at most max bytes; in the arena. */
bool value_str(struct target *t, struct value v, size_t max, struct arena *a, const char **ret,
	       struct err *err) MUST_CHECK;

#endif
