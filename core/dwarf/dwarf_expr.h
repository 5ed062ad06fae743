/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF expressions: where a value is, or what it is, as far as a frame proves it. */
#ifndef OBIT_DWARF_EXPR_H
#define OBIT_DWARF_EXPR_H

#include <elfutils/libdw.h>

#include "core/types/frame_info.h"

#define EXPR_OPS_MAX 512    /* of one expression */
#define EXPR_STEPS_MAX 4096 /* taken by one evaluation, nested ones included */
#define EXPR_PIECES_MAX 16  /* that one value is made of */
#define EXPR_NESTED_MAX 8   /* entry values of entry values ... */
#define EXPR_IMPLICIT_MAX 4096

/* A base type that an operation names. */
struct dwarf_expr_type {
	unsigned size; /* bytes, 1 to 8 */
	bool is_signed;
};

enum place_kind {
	/* where the value of a variable is */
	PLACE_NONE,    /* nowhere: the compiler left it out */
	PLACE_MEMORY,  /* in memory, at the address `value` */
	PLACE_VALUE,   /* in no memory: `value` is it */
	PLACE_BYTES,   /* in no memory: `bytes` are it */
	PLACE_POINTER, /* in no memory: it is a pointer to something that is in none either */
	PLACE_UNKNOWN  /* at a place that cannot be known; `why` has the reason */
};

struct dwarf_place {
	enum place_kind kind;
	uint64_t value;
	const uint8_t *bytes;
	size_t n;
	struct err why;
	uint64_t bits;    /* how many bits of the value are here; 0: all */
	uint64_t bit_off; /* where in the place they begin */
};

/* The machine that evaluates an expression. The caller zero-initialises it and sets what it knows.
 */
struct dwarf_expr {
	struct target *t;
	const struct frame_at *frame;
	uint64_t bias; /* run-time minus link-time address */
	unsigned steps, nested;
	uint64_t doubtful; /* registers that are not to be trusted in this expression */
	bool frame_doubt;  /* offsets from the frame are not to be trusted in this expression */
	/* What the debug info around the expression tells. Each function may be NULL, and fails
	 * with the reason. */
	bool (*frame_base)(struct dwarf_expr *x, uint64_t *ret, struct err *err);
	/* what a register held when the function was entered */
	bool (*entry)(struct dwarf_expr *x, unsigned reg, uint64_t *ret, struct err *err);
	/* block: the operations within the entry value op; type: the base type whose DIE is at off;
	 * bytes: the bytes of the implicit value op */
	bool (*block)(struct dwarf_expr *x, const Dwarf_Op *op, Dwarf_Op **ret, size_t *n,
		      struct err *err);
	bool (*type)(struct dwarf_expr *x, const Dwarf_Op *op, uint64_t off,
		     struct dwarf_expr_type *ret, struct err *err);
	bool (*bytes)(struct dwarf_expr *x, const Dwarf_Op *op, const uint8_t **ret, size_t *n,
		      struct err *err);
	void *self;
};

/* Evaluates n operations to the places of a value: *n_ret of them, 1 to EXPR_PIECES_MAX; ret has
 * room for all. A value that is in several places has one for each piece. Fails only when the
 * expression itself is wrong (ERR_FORMAT, ERR_UNSUPPORTED, ERR_LIMIT); what cannot be known is
 * PLACE_UNKNOWN. */
bool dwarf_expr_places(struct dwarf_expr *x, const Dwarf_Op *ops, size_t n, struct dwarf_place *ret,
		       size_t *n_ret, struct err *err) MUST_CHECK;
/* Evaluates n operations to the number that they leave on the stack; with has_first the stack holds
 * `first` when they begin. */
bool dwarf_expr_number(struct dwarf_expr *x, const Dwarf_Op *ops, size_t n, bool has_first,
		       uint64_t first, uint64_t *ret, struct err *err) MUST_CHECK;
/* The value of the register that has the number reg in DWARF. ERR_NOTFOUND says which one is not
 * known. */
bool dwarf_expr_register(const struct dwarf_expr *x, uint64_t reg, uint64_t *ret,
			 struct err *err) MUST_CHECK;

/* Decodes a block of .debug_frame into *n operations, at most max. Operations that refer to DIEs do
 * not occur there. */
bool dwarf_expr_decode(struct span block, bool big, Dwarf_Op *ret, size_t max, size_t *n,
		       struct err *err) MUST_CHECK;

#endif
