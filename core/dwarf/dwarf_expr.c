/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack machine of DWARF expressions (DWARF 5, 2.5 and 2.6; GNU's forerunners of its operations
 * are numbered in gcc's dwarf2.def). */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/image/memory.h"
#include "core/image/target.h"
#include "core/dwarf/dwarf_expr.h"

#define STACK_MAX 64

/* An entry of the stack: generic (an address, size 0) or of a base type. */
struct item {
	uint64_t v;
	struct dwarf_expr_type type;
};

/* One evaluation on its way. */
struct expr_run {
	struct dwarf_expr *x;
	const Dwarf_Op *ops;
	size_t n, at;
	struct item stack[STACK_MAX];
	size_t depth;
	struct dwarf_place place; /* what the last operation said beyond the stack */
	bool placed;
	bool lost; /* something was not known: the place says what */
	struct err *err;
};

/* ---- the stack */

/* Ends the run: where the variable is cannot be known, for the reason in r->err. Returns false, for
 * the caller to return. */
static bool give_up(struct expr_run *r)
{
	r->lost = true;
	r->placed = true;
	r->place = (struct dwarf_place){ .kind = PLACE_UNKNOWN, .why = *r->err };
	return false;
}

static bool push_typed(struct expr_run *r, uint64_t v, struct dwarf_expr_type type)
{
	if (r->depth == STACK_MAX)
		return err_set(r->err, ERR_LIMIT, "DWARF expression: more than %d words",
			       STACK_MAX);
	if (type.size && type.size < 8) {
		unsigned shift = 64 - 8 * type.size;

		v <<= shift;
		v = type.is_signed ? (uint64_t)((int64_t)v >> shift) : v >> shift;
	}
	r->stack[r->depth++] = (struct item){ v, type };
	return true;
}

static bool push(struct expr_run *r, uint64_t v)
{
	return push_typed(r, v, (struct dwarf_expr_type){ 0 });
}

static bool pop(struct expr_run *r, struct item *ret)
{
	*ret = (struct item){ 0 };
	if (!r->depth)
		return err_set(r->err, ERR_FORMAT, "DWARF expression: the stack is empty");
	*ret = r->stack[--r->depth];
	return true;
}

static bool pick(struct expr_run *r, uint64_t i)
{
	struct item it;

	if (i >= r->depth)
		return err_set(r->err, ERR_FORMAT, "DWARF expression: no word %llu on the stack",
			       (unsigned long long)i);
	it = r->stack[r->depth - 1 - i];
	return push_typed(r, it.v, it.type);
}

/* The upper n words go round: the first becomes the last of them. */
static bool rotate(struct expr_run *r, size_t n)
{
	struct item top;

	if (r->depth < n)
		return err_set(r->err, ERR_FORMAT, "DWARF expression: the stack is too short");
	top = r->stack[r->depth - 1];
	for (size_t i = 1; i < n; i++)
		r->stack[r->depth - i] = r->stack[r->depth - i - 1];
	r->stack[r->depth - n] = top;
	return true;
}

/* ---- what the frame knows */

bool dwarf_expr_register(const struct dwarf_expr *x, uint64_t reg, uint64_t *ret, struct err *err)
{
	const struct arch *arch = x->t->arch;
	unsigned slot = arch ? arch_dwarf_slot(arch, reg) : REGS_MAX;

	if (slot >= REGS_MAX || !x->frame)
		return err_set(err, ERR_NOTFOUND, "in a register that is not saved");
	if (slot == arch->pc) {
		*ret = x->frame->pc;
		return true;
	}
	if (x->doubtful >> slot & 1)
		return err_set(
			err, ERR_NOTFOUND,
			"in register %s, of which gcc's debug info misses what overwrites it",
			arch->reg_names[slot] ? arch->reg_names[slot] : "?");
	if (!regs_get(&x->frame->regs, slot, ret))
		return err_set(err, ERR_NOTFOUND, "in register %s, which is not saved",
			       arch->reg_names[slot] ? arch->reg_names[slot] : "?");
	return true;
}

static bool push_register(struct expr_run *r, uint64_t reg, uint64_t off)
{
	uint64_t v;

	return dwarf_expr_register(r->x, reg, &v, r->err) ? push(r, v + off) : give_up(r);
}

static bool place_register(struct expr_run *r, uint64_t reg)
{
	uint64_t v;

	if (!dwarf_expr_register(r->x, reg, &v, r->err))
		return give_up(r);
	r->place = (struct dwarf_place){ .kind = PLACE_VALUE, .value = v };
	r->placed = true;
	return true;
}

static bool type_of(struct expr_run *r, const Dwarf_Op *op, uint64_t off,
		    struct dwarf_expr_type *ret)
{
	*ret = (struct dwarf_expr_type){ 0 };
	if (!off)
		return true; /* the generic type */
	if (!r->x->type)
		return err_set(r->err, ERR_UNSUPPORTED, "DWARF expression: a type");
	return r->x->type(r->x, op, off, ret, r->err);
}

static bool deref(struct expr_run *r, unsigned size, struct dwarf_expr_type type)
{
	uint8_t bytes[8];
	struct item it;

	if (!size || size > 8)
		return err_set(r->err, ERR_FORMAT, "DWARF expression: a word of %u bytes", size);
	if (!pop(r, &it))
		return false;
	if (!mem_read(r->x->t, it.v, bytes, size, r->err))
		return give_up(r);
	return push_typed(r, target_uint(r->x->t, bytes, size), type);
}

/* Its block names one register: what that held on entry. */
static bool entry_value(struct expr_run *r, const Dwarf_Op *op)
{
	uint64_t v, reg;
	Dwarf_Op *ops;
	size_t n;

	if (!r->x->block || !r->x->entry)
		return err_set(r->err, ERR_UNSUPPORTED, "DWARF expression: an entry value");
	if (!r->x->block(r->x, op, &ops, &n, r->err))
		return false;
	if (n == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		reg = ops[0].atom - DW_OP_reg0;
	else if (n == 1 && ops[0].atom == DW_OP_regx)
		reg = ops[0].number;
	else
		return err_set(r->err, ERR_UNSUPPORTED,
			       "DWARF expression: an entry value of more "
			       "than a register");
	if (reg > 255 || !r->x->entry(r->x, (unsigned)reg, &v, r->err))
		return give_up(r);
	return push(r, v);
}

/* ---- arithmetic */

static bool same_type(const struct item *a, const struct item *b)
{
	return a->type.size == b->type.size && a->type.is_signed == b->type.is_signed;
}

static bool divide(struct expr_run *r, unsigned atom, const struct item *a, const struct item *b,
		   uint64_t *ret)
{
	/* of generic words / is signed and % is not */
	bool sign = a->type.size ? a->type.is_signed : atom == DW_OP_div;

	if (!b->v)
		return err_set(r->err, ERR_FORMAT, "DWARF expression: a division by zero");
	if (sign && b->v == UINT64_MAX) /* -1: the one quotient that does not fit */
		*ret = atom == DW_OP_div ? 0 - a->v : 0;
	else if (sign)
		*ret = atom == DW_OP_div ? (uint64_t)((int64_t)a->v / (int64_t)b->v)
					 : (uint64_t)((int64_t)a->v % (int64_t)b->v);
	else
		*ret = atom == DW_OP_div ? a->v / b->v : a->v % b->v;
	return true;
}

static uint64_t shift(unsigned atom, const struct item *a, uint64_t by)
{
	unsigned bits = a->type.size ? 8 * a->type.size : 64;
	uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, v = a->v & mask;
	int64_t s = (int64_t)(a->v << (64 - bits)) >> (64 - bits);

	if (by >= bits)
		return atom == DW_OP_shra && s < 0 ? UINT64_MAX : 0;
	if (atom == DW_OP_shl)
		return v << by;
	return atom == DW_OP_shr ? v >> by : (uint64_t)(s >> by);
}

static bool less(const struct item *a, const struct item *b)
{
	/* generic words are compared with their sign */
	if (!a->type.size || a->type.is_signed)
		return (int64_t)a->v < (int64_t)b->v;
	return a->v < b->v;
}

static bool compare(unsigned atom, const struct item *a, const struct item *b)
{
	switch (atom) {
	case DW_OP_eq:
		return a->v == b->v;
	case DW_OP_ne:
		return a->v != b->v;
	case DW_OP_lt:
		return less(a, b);
	case DW_OP_ge:
		return !less(a, b);
	case DW_OP_gt:
		return less(b, a);
	default:
		return !less(b, a);
	}
}

/* Two words become one. */
static bool binary(struct expr_run *r, unsigned atom)
{
	struct item a, b;
	uint64_t v = 0;

	if (!pop(r, &b) || !pop(r, &a))
		return false;
	if (atom == DW_OP_shl || atom == DW_OP_shr || atom == DW_OP_shra)
		return push_typed(r, shift(atom, &a, b.v), a.type);
	if (!same_type(&a, &b))
		return err_set(r->err, ERR_FORMAT, "DWARF expression: operands of two types");
	switch (atom) {
	case DW_OP_and:
		v = a.v & b.v;
		break;
	case DW_OP_or:
		v = a.v | b.v;
		break;
	case DW_OP_xor:
		v = a.v ^ b.v;
		break;
	case DW_OP_plus:
		v = a.v + b.v;
		break;
	case DW_OP_minus:
		v = a.v - b.v;
		break;
	case DW_OP_mul:
		v = a.v * b.v;
		break;
	case DW_OP_div:
	case DW_OP_mod:
		if (!divide(r, atom, &a, &b, &v))
			return false;
		break;
	default:
		return push(r, compare(atom, &a, &b));
	}
	return push_typed(r, v, a.type);
}

static bool unary(struct expr_run *r, unsigned atom, uint64_t by)
{
	struct item a;

	if (!pop(r, &a))
		return false;
	if (atom == DW_OP_neg ||
	    (atom == DW_OP_abs && (int64_t)a.v < 0 && (!a.type.size || a.type.is_signed)))
		a.v = 0 - a.v;
	else if (atom == DW_OP_not)
		a.v = ~a.v;
	else if (atom == DW_OP_plus_uconst)
		a.v += by;
	return push_typed(r, a.v, a.type);
}

/* To another type: by value, or the bytes as they are. */
static bool convert(struct expr_run *r, const Dwarf_Op *op, bool bytes)
{
	struct dwarf_expr_type type;
	struct item a;

	if (!type_of(r, op, op->number, &type) || !pop(r, &a))
		return false;
	if (bytes && (type.size ? type.size : 8) != (a.type.size ? a.type.size : 8))
		return err_set(r->err, ERR_FORMAT, "DWARF expression: types of two sizes");
	return push_typed(r, a.v, type);
}

/* ---- one operation */

/* To the operation at an offset in bytes. */
static bool jump(struct expr_run *r, const Dwarf_Op *op)
{
	/* libdw has the operand as read: from behind the operation of three bytes */
	uint64_t to = op->offset + 3 + (uint64_t)(int64_t)(int16_t)op->number;

	for (size_t i = 0; i < r->n; i++)
		if (r->ops[i].offset == to) {
			r->at = i;
			return true;
		}
	if (to - r->ops[r->n - 1].offset - 1 < 32) { /* the last one's operands end before that */
		r->at = r->n;
		return true;
	}
	return err_set(r->err, ERR_FORMAT, "DWARF expression: a jump into nowhere");
}

static bool branch(struct expr_run *r, const Dwarf_Op *op)
{
	struct item it;

	if (op->atom == DW_OP_skip)
		return jump(r, op);
	return pop(r, &it) && (!it.v || jump(r, op));
}

/* Those that say where or what the value is. */
static bool place_op(struct expr_run *r, const Dwarf_Op *op)
{
	struct dwarf_place *p = &r->place;
	struct item it;

	r->placed = true;
	switch (op->atom) {
	case DW_OP_stack_value:
		if (!pop(r, &it))
			return false;
		*p = (struct dwarf_place){ .kind = PLACE_VALUE, .value = it.v };
		return true;
	case DW_OP_implicit_value:
		*p = (struct dwarf_place){ .kind = PLACE_BYTES };
		if (!r->x->bytes)
			return err_set(r->err, ERR_UNSUPPORTED, "DWARF expression: a block");
		return r->x->bytes(r->x, op, &p->bytes, &p->n, r->err);
	default: /* implicit_pointer */
		*p = (struct dwarf_place){ .kind = PLACE_POINTER, .value = op->number };
		return true;
	}
}

static bool frame_op(struct expr_run *r, const Dwarf_Op *op)
{
	struct dwarf_expr *x = r->x;
	uint64_t v;

	if (x->frame_doubt) {
		err_set(r->err, ERR_NOTFOUND,
			"in the frame, where gcc's lists of places are wrong on 32-bit ARM");
		return give_up(r);
	}
	if (op->atom == DW_OP_call_frame_cfa) {
		if (x->frame && x->frame->has_cfa)
			return push(r, x->frame->cfa);
		err_set(r->err, ERR_NOTFOUND, "in a frame whose place on the stack is not known");
		return give_up(r);
	}
	if (!x->frame_base)
		return err_set(r->err, ERR_FORMAT, "DWARF expression: no frame base");
	return x->frame_base(x, &v, r->err) ? push(r, v + op->number) : give_up(r);
}

/* Those with operands of a base type. */
static bool typed_op(struct expr_run *r, const Dwarf_Op *op)
{
	struct dwarf_expr_type type;
	const uint8_t *p;
	uint64_t v;
	size_t n;

	switch (op->atom) {
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		if (!type_of(r, op, op->number2, &type))
			return false;
		return dwarf_expr_register(r->x, op->number, &v, r->err) ? push_typed(r, v, type)
									 : give_up(r);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return type_of(r, op, op->number2, &type) && deref(r, (unsigned)op->number, type);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		if (!type_of(r, op, op->number, &type))
			return false;
		if (!r->x->bytes || !r->x->bytes(r->x, op, &p, &n, r->err) || n > 8)
			return err_set(r->err, ERR_UNSUPPORTED, "DWARF expression: a constant");
		return push_typed(r, target_uint(r->x->t, p, n), type);
	default:
		return convert(r, op,
			       op->atom == DW_OP_reinterpret || op->atom == DW_OP_GNU_reinterpret);
	}
}

static bool stack_op(struct expr_run *r, const Dwarf_Op *op)
{
	struct item it;

	switch (op->atom) {
	case DW_OP_dup:
		return pick(r, 0);
	case DW_OP_drop:
		return pop(r, &it);
	case DW_OP_over:
		return pick(r, 1);
	case DW_OP_pick:
		return pick(r, op->number);
	case DW_OP_swap:
		return rotate(r, 2);
	default:
		return rotate(r, 3);
	}
}

static bool constant_op(struct expr_run *r, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_addr:
		return push(r, op->number + r->x->bias);
	case DW_OP_const1s:
		return push(r, (uint64_t)(int64_t)(int8_t)op->number);
	case DW_OP_const2s:
		return push(r, (uint64_t)(int64_t)(int16_t)op->number);
	case DW_OP_const4s:
		return push(r, (uint64_t)(int64_t)(int32_t)op->number);
	default:
		return push(r, op->number);
	}
}

static bool dwarf_expr_step(struct expr_run *r, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return push(r, atom - DW_OP_lit0);
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		return place_register(r, atom - DW_OP_reg0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(r, atom - DW_OP_breg0, op->number);
	if (atom == DW_OP_addr || (atom >= DW_OP_const1u && atom <= DW_OP_consts))
		return constant_op(r, op);
	if (atom >= DW_OP_dup && atom <= DW_OP_rot)
		return stack_op(r, op);
	switch (atom) {
	case DW_OP_nop:
		return true;
	case DW_OP_regx:
		return place_register(r, op->number);
	case DW_OP_bregx:
		return push_register(r, op->number, op->number2);
	case DW_OP_deref:
		return deref(r, r->x->t->arch ? r->x->t->arch->word : 8,
			     (struct dwarf_expr_type){ 0 });
	case DW_OP_deref_size:
		return deref(r, (unsigned)op->number, (struct dwarf_expr_type){ 0 });
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		return unary(r, atom, op->number);
	case DW_OP_and:
	case DW_OP_or:
	case DW_OP_xor:
	case DW_OP_plus:
	case DW_OP_minus:
	case DW_OP_mul:
	case DW_OP_div:
	case DW_OP_mod:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
	case DW_OP_eq:
	case DW_OP_ne:
	case DW_OP_lt:
	case DW_OP_le:
	case DW_OP_gt:
	case DW_OP_ge:
		return binary(r, atom);
	case DW_OP_bra:
	case DW_OP_skip:
		return branch(r, op);
	case DW_OP_fbreg:
	case DW_OP_call_frame_cfa:
		return frame_op(r, op);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return entry_value(r, op);
	case DW_OP_stack_value:
	case DW_OP_implicit_value:
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		return place_op(r, op);
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		return typed_op(r, op);
	default:
		return err_set(r->err, ERR_UNSUPPORTED, "DWARF expression: operation %#x", atom);
	}
}

/* ---- a whole expression */

/* Up to the next piece or the end. */
static bool run_on(struct expr_run *r)
{
	r->placed = r->lost = false;
	while (r->at < r->n) {
		const Dwarf_Op *op = &r->ops[r->at];

		if (op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece)
			return true;
		if (++r->x->steps > EXPR_STEPS_MAX)
			return err_set(r->err, ERR_LIMIT, "DWARF expression: more than %d steps",
				       EXPR_STEPS_MAX);
		r->at++;
		if (r->lost) /* one part is not known, but the next piece may be */
			continue;
		/* what says where the value is ends its description */
		if (r->placed)
			return err_set(r->err, ERR_FORMAT, "DWARF expression: two places");
		if (!dwarf_expr_step(r, op) && !r->lost)
			return false;
	}
	return true;
}

static bool begin(struct expr_run *r, struct dwarf_expr *x, const Dwarf_Op *ops, size_t n,
		  struct err *err)
{
	*r = (struct expr_run){ .x = x, .ops = ops, .n = n, .err = err };
	if (n > EXPR_OPS_MAX)
		return err_set(err, ERR_LIMIT, "DWARF expression: %zu operations", n);
	return true;
}

/* What the operations before a piece, or all of them, said. */
static void take_place(struct expr_run *r, bool some, struct dwarf_place *ret)
{
	struct item top;

	if (r->placed)
		*ret = r->place;
	else if (some && pop(r, &top))
		*ret = (struct dwarf_place){ .kind = PLACE_MEMORY, .value = top.v };
	else
		*ret = (struct dwarf_place){ .kind = PLACE_NONE };
}

bool dwarf_expr_places(struct dwarf_expr *x, const Dwarf_Op *ops, size_t n, struct dwarf_place *ret,
		       size_t *n_ret, struct err *err)
{
	struct expr_run r;

	*n_ret = 0;
	if (!begin(&r, x, ops, n, err))
		return false;
	do {
		size_t from = r.at;
		struct dwarf_place *p = &ret[*n_ret];

		if (*n_ret == EXPR_PIECES_MAX)
			return err_set(err, ERR_LIMIT, "DWARF expression: more than %d pieces",
				       EXPR_PIECES_MAX);
		if (!run_on(&r))
			return false;
		if (r.at == r.n && from == r.at && *n_ret)
			return true; /* the last piece was the end */
		take_place(&r, r.at > from, p);
		++*n_ret;
		r.depth = 0;
		if (r.at == r.n)
			return *n_ret == 1 ||
			       err_set(err, ERR_FORMAT,
				       "DWARF expression: the last piece has no size");
		if (++x->steps > EXPR_STEPS_MAX)
			return err_set(err, ERR_LIMIT, "DWARF expression: more than %d steps",
				       EXPR_STEPS_MAX);
		p->bits = ops[r.at].atom == DW_OP_piece ? ops[r.at].number * 8 : ops[r.at].number;
		p->bit_off = ops[r.at].atom == DW_OP_piece ? 0 : ops[r.at].number2;
		if (!p->bits || p->bits > UINT64_C(8) * EXPR_IMPLICIT_MAX ||
		    p->bit_off > UINT64_C(8) * EXPR_IMPLICIT_MAX)
			return err_set(err, ERR_FORMAT, "DWARF expression: a piece of no size");
		r.at++;
	} while (true);
}

bool dwarf_expr_number(struct dwarf_expr *x, const Dwarf_Op *ops, size_t n, bool has_first,
		       uint64_t first, uint64_t *ret, struct err *err)
{
	struct item top;
	struct expr_run r;

	if (!begin(&r, x, ops, n, err) || (has_first && !push(&r, first)) || !run_on(&r))
		return false;
	if (r.at < r.n)
		return err_set(err, ERR_FORMAT,
			       "DWARF expression: a piece where a number is wanted");
	if (r.placed) {
		if (r.place.kind == PLACE_UNKNOWN) {
			*err = r.place.why;
			return false;
		}
		if (r.place.kind != PLACE_VALUE)
			return err_set(err, ERR_UNSUPPORTED, "DWARF expression: no number");
		*ret = r.place.value;
		return true;
	}
	if (!pop(&r, &top))
		return false;
	*ret = top.v;
	return true;
}

/* ---- blocks */

/* Operands of an operation; what refers to DIEs has none here. */
static bool operands(struct cursor *c, Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if ((atom >= DW_OP_lit0 && atom <= DW_OP_reg31) || atom == DW_OP_deref ||
	    (atom >= DW_OP_dup && atom <= DW_OP_over) ||
	    (atom >= DW_OP_swap && atom <= DW_OP_rot) ||
	    (atom >= DW_OP_abs && atom <= DW_OP_plus) || (atom >= DW_OP_shl && atom <= DW_OP_xor) ||
	    (atom >= DW_OP_eq && atom <= DW_OP_ne) || atom == DW_OP_nop ||
	    atom == DW_OP_call_frame_cfa || atom == DW_OP_stack_value)
		return true;
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31) {
		op->number = (uint64_t)cursor_sleb(c);
		return true;
	}
	switch (atom) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size:
		op->number = cursor_u8(c);
		return true;
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip:
		op->number = cursor_u16(c);
		return true;
	case DW_OP_const4u:
	case DW_OP_const4s:
		op->number = cursor_u32(c);
		return true;
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s:
		op->number = cursor_u64(c);
		return true;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
	case DW_OP_piece:
		op->number = cursor_uleb(c);
		return true;
	case DW_OP_consts:
		op->number = (uint64_t)cursor_sleb(c);
		return true;
	case DW_OP_bregx:
		op->number = cursor_uleb(c);
		op->number2 = (uint64_t)cursor_sleb(c);
		return true;
	case DW_OP_bit_piece:
		op->number = cursor_uleb(c);
		op->number2 = cursor_uleb(c);
		return true;
	default:
		return err_set(c->err, ERR_UNSUPPORTED, "DWARF expression: operation %#x", atom);
	}
}

bool dwarf_expr_decode(struct span block, bool big, Dwarf_Op *ret, size_t max, size_t *n,
		       struct err *err)
{
	struct cursor c;

	cursor_init(&c, block, "DWARF expression", err);
	c.big = big;
	for (*n = 0; cursor_left(&c); ++*n) {
		if (*n == max)
			return err_set(err, ERR_LIMIT, "DWARF expression: more than %zu operations",
				       max);
		ret[*n] = (Dwarf_Op){ .offset = cursor_pos(&c) };
		ret[*n].atom = cursor_u8(&c);
		if (!operands(&c, &ret[*n]))
			return false;
		if (!cursor_ok(&c))
			return false;
	}
	return true;
}
