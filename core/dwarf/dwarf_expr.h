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
	PLACE_NONE,    /* nowhere: the compiler left it out */
	PLACE_MEMORY,  /* at the address `value` */
	PLACE_VALUE,   /* it is `value` */
	PLACE_BYTES,   /* it is `bytes` */
	PLACE_POINTER, /* a pointer to something that has no address */
	PLACE_UNKNOWN  /* somewhere that cannot be known, see why */
};

struct dwarf_place {
	enum place_kind kind;
	uint64_t value;
	const uint8_t *bytes;
	size_t n;
	struct err why;
	uint64_t bits;    /* of a piece; 0: all of it */
	uint64_t bit_off; /* in the place */
};

/* The machine. Zero-initialise, set what is known. */
struct dwarf_expr {
	struct target *t;
	const struct frame_at *frame;
	uint64_t bias; /* run-time minus link-time address */
	unsigned steps, nested;
	uint64_t doubtful; /* registers that are not to be trusted in this expression */
	bool frame_doubt;  /* offsets from the frame are not to be trusted in this expression */
	/* What the debug info around it tells; each may be NULL, and returns false with the reason.
	 */
	bool (*frame_base)(struct dwarf_expr *x, uint64_t *ret, struct err *err);
	/* what a register held when the function was entered */
	bool (*entry)(struct dwarf_expr *x, unsigned reg, uint64_t *ret, struct err *err);
	/* the operations of an entry value's block, the type at a DIE's offset, an implicit value
	 */
	bool (*block)(struct dwarf_expr *x, const Dwarf_Op *op, Dwarf_Op **ret, size_t *n,
		      struct err *err);
	bool (*type)(struct dwarf_expr *x, const Dwarf_Op *op, uint64_t off,
		     struct dwarf_expr_type *ret, struct err *err);
	bool (*bytes)(struct dwarf_expr *x, const Dwarf_Op *op, const uint8_t **ret, size_t *n,
		      struct err *err);
	void *self;
};

/* Evaluates to 1 to EXPR_PIECES_MAX places; a value in several is told piece by piece. Fails only
 * where the expression itself is wrong (ERR_FORMAT, ERR_UNSUPPORTED, ERR_LIMIT): what cannot be
 * known is a place of its own. */
bool dwarf_expr_places(struct dwarf_expr *x, const Dwarf_Op *ops, size_t n, struct dwarf_place *ret,
		       size_t *n_ret, struct err *err) MUST_CHECK;
/* A number: what is left on the stack, from `first` on it when has_first. */
bool dwarf_expr_number(struct dwarf_expr *x, const Dwarf_Op *ops, size_t n, bool has_first,
		       uint64_t first, uint64_t *ret, struct err *err) MUST_CHECK;
/* A register of the frame by DWARF's number. ERR_NOTFOUND says which one is not known. */
bool dwarf_expr_register(const struct dwarf_expr *x, uint64_t reg, uint64_t *ret,
			 struct err *err) MUST_CHECK;

/* The operations in a block of .debug_frame, where only those without references to DIEs occur; at
 * most max. */
bool dwarf_expr_decode(struct span block, Dwarf_Op *ret, size_t max, size_t *n,
		       struct err *err) MUST_CHECK;

#endif
