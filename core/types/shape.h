/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes: the members one file needs of a kernel struct, found by name, with alternatives for other
 * kernels. */
#ifndef OBIT_SHAPE_H
#define OBIT_SHAPE_H

#include "core/types/value.h"

/*
 *	enum { TASK_PID, TASK_STATE, TASK_FIELDS };
 *	static const struct shape_field task_fields[TASK_FIELDS] = {
 *		[TASK_PID] = FIELD("pid"),
 *		[TASK_STATE] = FIELD_ALT("__state", "state"),  2f064a59a11f (v5.14)
 *	};
 *	static const struct shape task_shape = SHAPE("struct task_struct", task_fields);
 *
 *	struct shaped s;
 *	if (!shape_read(t, &task_shape, addr, &s, err)) ...
 *	uint64_t pid;
 *	if (!shaped_u64(&s, TASK_PID, &pid, err)) ...
 *
 * A member that this kernel lacks under every name is ERR_NOFIELD when it is asked for, not before.
 * FIELD_MAYBE names one that a sound kernel may lack, for its configuration or its age: the others
 * are missed aloud, see shaped_u64_or().
 */
#define SHAPE_ALTS 4
struct shape_field {
	const char *path[SHAPE_ALTS]; /* first that exists wins */
	bool maybe;                   /* a sound kernel may have none of them */
};
#define FIELD(p)                        \
	{                               \
		{ (p) }, .maybe = false \
	}
#define FIELD_ALT(...)                          \
	{                                       \
		{ __VA_ARGS__ }, .maybe = false \
	}
#define FIELD_MAYBE(...)                       \
	{                                      \
		{ __VA_ARGS__ }, .maybe = true \
	}

struct shape {
	const char *type;
	const struct shape_field *fields;
	size_t n;
};
#define SHAPE(type_name, f)                                  \
	{                                                    \
		(type_name), (f), sizeof(f) / sizeof((f)[0]) \
	}

struct shape_layout; /* resolved once a target, private */
struct shaped {
	struct target *t;
	const struct shape *shape;
	const struct shape_layout *layout;
	uint64_t addr;        /* of the struct */
	const uint8_t *bytes; /* the part that the fields span, in the scratch arena; NULL: read
				 field by field */
};

/* Reads the struct at addr, all fields at once. When a part of it is absent, each field is read
 * when it is asked for. */
bool shape_read(struct target *t, const struct shape *shape, uint64_t addr, struct shaped *ret,
		struct err *err) MUST_CHECK;
/* The same of a struct whose first n bytes were read before, with others of an array: they are at
 * `bytes`, and live as long as *ret. Of fields behind them it is as with shape_read(). */
bool shape_over(struct target *t, const struct shape *shape, uint64_t addr, const uint8_t *bytes,
		size_t n, struct shaped *ret, struct err *err) MUST_CHECK;
/* Does this kernel have the field, under any of its names? */
bool shaped_has(const struct shaped *s, unsigned field);
bool shaped_u64(const struct shaped *s, unsigned field, uint64_t *ret, struct err *err) MUST_CHECK;
/* The field's value; `other` when it cannot be read or this kernel lacks it. What goes on with
 * `other` is an answer from partial evidence: so the person is told, once for each field, unless
 * the field is a FIELD_MAYBE. */
uint64_t shaped_u64_or(const struct shaped *s, unsigned field, uint64_t other);
/* Tells the person, once for each field, that an answer goes on without it because of *why. Nothing
 * is said of a FIELD_MAYBE. */
void shaped_missed(const struct shaped *s, unsigned field, const struct err *why);
bool shaped_s64(const struct shaped *s, unsigned field, int64_t *ret, struct err *err) MUST_CHECK;
/* The bytes of the field, a char array, as text up to the NUL; in the arena. */
bool shaped_str(const struct shaped *s, unsigned field, struct arena *a, const char **ret,
		struct err *err) MUST_CHECK;
/* The field as a value (VALUE_REF), and the field's address. Nothing is read. */
bool shaped_value(const struct shaped *s, unsigned field, struct value *ret,
		  struct err *err) MUST_CHECK;
bool shaped_addr(const struct shaped *s, unsigned field, uint64_t *ret, struct err *err) MUST_CHECK;
/* The field's offset in the struct, in bytes. Nothing is read. */
bool shape_offset(struct target *t, const struct shape *shape, unsigned field, uint64_t *ret,
		  struct err *err) MUST_CHECK;

/* Reads one member of the struct at addr without a shape. path may have alternatives, as in
 * "__state|state". */
bool field_u64(struct target *t, const char *type, uint64_t addr, const char *path, uint64_t *ret,
	       struct err *err) MUST_CHECK;
/* The same; `other` when it cannot be read or this kernel lacks it, of which the person is told
 * once. For members that every kernel has. */
uint64_t field_u64_or(struct target *t, const char *type, uint64_t addr, const char *path,
		      uint64_t other);
bool field_offset(struct target *t, const char *type, const char *path, uint64_t *ret,
		  struct err *err) MUST_CHECK;

#endif
