/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A typed place or datum of the dead kernel. Passed by value, owns nothing. Absent is a value too.
 */
#ifndef OBIT_VALUE_H
#define OBIT_VALUE_H

#include "core/image/type.h"

enum value_kind {
	VALUE_NONE,
	VALUE_REF,   /* it is in the dead kernel's memory, at addr */
	VALUE_BYTES, /* it was read: type->size bytes, in an arena */
	VALUE_ABSENT /* it cannot be known; why and addr give the reason */
};

struct value {
	const struct type *type;
	enum value_kind kind;
	enum err_code why;
	uint16_t bit_off, bit_size; /* a bit-field: its place behind addr; bit_size 0: it is none */
	uint64_t addr;              /* of VALUE_BYTES where they were read, or 0 */
	const uint8_t *bytes;
};

struct value value_ref(const struct type *type, uint64_t addr);
struct value value_bytes(const struct type *type, const void *bytes, uint64_t addr);
struct value value_absent(const struct type *type, uint64_t addr, enum err_code why);
/* The integer n as a value of the type; its bytes are in the target's scratch arena. */
struct value value_int(struct target *t, const struct type *type, uint64_t n);

/* Reads a whole VALUE_REF of at most VALUE_MAX bytes into the scratch arena, so that its members
 * are not read one by one. What it returns is VALUE_BYTES, or v itself when v is of another kind,
 * is larger, or cannot be read as a whole. */
#define VALUE_MAX ((uint64_t)16 << 20)
struct value value_load(struct target *t, struct value v);

/* Sets *ret to the member of v that a path as "mm.owner->comm[3]" leads to; v may be a pointer to
 * the struct. ERR_NOFIELD, or why memory is absent. */
bool value_member(struct target *t, struct value v, const char *path, struct value *ret,
		  struct err *err) MUST_CHECK;
/* Sets *ret to the member m of v, which is one of v's own struct or union. */
bool value_at_member(struct target *t, struct value v, const struct member *m, struct value *ret,
		     struct err *err) MUST_CHECK;
/* Sets *ret to the element i of an array, or the i-th of what a pointer points to. */
bool value_index(struct target *t, struct value v, int64_t i, struct value *ret,
		 struct err *err) MUST_CHECK;
/* Sets *ret to what the pointer v points to. */
bool value_deref(struct target *t, struct value v, struct value *ret, struct err *err) MUST_CHECK;

/* The value of an integer, enum, pointer or bool, extended to 64 bits as its type is signed or not.
 */
bool value_u64(struct target *t, struct value v, uint64_t *ret, struct err *err) MUST_CHECK;
bool value_s64(struct target *t, struct value v, int64_t *ret, struct err *err) MUST_CHECK;
/* The text in a char array, or the one that a char * points to, up to its NUL and of at most max
 * bytes; in the arena. */
bool value_str(struct target *t, struct value v, size_t max, struct arena *a, const char **ret,
	       struct err *err) MUST_CHECK;

#endif
