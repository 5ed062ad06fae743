/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes DWARF expressions: operations decoded from bytes, and others that only libdw would make.
 */
#include <stdlib.h>

#include "core/image/target.h"
#include "core/types/frame_info.h"
#include "core/dwarf/dwarf_expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool number(struct dwarf_expr *x, uint64_t *ret, struct err *err)
{
	(void)err;
	*ret = x->steps;
	return true;
}

static bool entry(struct dwarf_expr *x, unsigned reg, uint64_t *ret, struct err *err)
{
	return reg & 1 ? number(x, ret, err) : err_set(err, ERR_NOTFOUND, "optimized out");
}

static bool block(struct dwarf_expr *x, const Dwarf_Op *op, Dwarf_Op **ret, size_t *n,
		  struct err *err)
{
	static Dwarf_Op inner;

	(void)x;
	(void)err;
	inner = (Dwarf_Op){ .atom = (uint8_t)op->number, .number = op->number2 };
	*ret = &inner;
	*n = op->number & 1;
	return true;
}

static bool type(struct dwarf_expr *x, const Dwarf_Op *op, uint64_t off,
		 struct dwarf_expr_type *ret, struct err *err)
{
	(void)x;
	(void)op;
	(void)err;
	*ret = (struct dwarf_expr_type){ 1 + off % 8, off & 8 };
	return true;
}

static bool bytes(struct dwarf_expr *x, const Dwarf_Op *op, const uint8_t **ret, size_t *n,
		  struct err *err)
{
	static const uint8_t some[16] = { 1, 2, 3 };

	(void)x;
	(void)err;
	*ret = some;
	*n = op->number % 17;
	return true;
}

/* Three bytes an operation: its number, and two operands. */
static size_t raw_ops(const uint8_t *data, size_t size, Dwarf_Op *ops, size_t max)
{
	size_t n = 0;

	for (; size >= 3 && n < max; size -= 3, data += 3, n++)
		ops[n] = (Dwarf_Op){ .atom = data[0],
				     .number = (uint64_t)(int64_t)(int8_t)data[1],
				     .number2 = data[2],
				     .offset = n };
	return n;
}

/* Bit 0 of the first byte: bytes to be decoded, or operations; bit 1: the frame is known. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct frame_at frame = { .pc = 0xffffffff81000000, .has_cfa = true, .cfa = 0x1000 };
	struct arena scratch = { 0 };
	struct dwarf_place places[EXPR_PIECES_MAX];
	static Dwarf_Op ops[EXPR_OPS_MAX];
	struct target t;
	struct dwarf_expr x = { .t = &t, .frame = &frame };
	uint64_t v;
	size_t n, n_places;
	struct err err;

	if (!size)
		return 0;
	target_init(&t, &scratch);
	t.arch = &arch_x86_64;
	for (unsigned i = 0; data[0] & 2 && i < 17; i += 2)
		regs_set(&frame.regs, i, i);
	x.frame_base = number;
	x.entry = entry;
	x.block = block;
	x.type = type;
	x.bytes = bytes;
	if (data[0] & 1)
		n = raw_ops(data + 1, size - 1, ops, EXPR_OPS_MAX);
	else if (!dwarf_expr_decode(SPAN(data + 1, size - 1), data[0] & 0x80, ops, EXPR_OPS_MAX, &n,
				    &err))
		n = 0;
	if (dwarf_expr_places(&x, ops, n, places, &n_places, &err) &&
	    (!n_places || n_places > EXPR_PIECES_MAX))
		abort();
	x.steps = 0;
	if (!dwarf_expr_number(&x, ops, n, data[0] & 4, 0x1000, &v, &err) && !err.code)
		abort();
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
