/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the machine for DWARF expressions; what is right is what DWARF 5, 2.5 and 2.6 say. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/types/frame_info.h"
#include "core/image/target.h"
#include "core/dwarf/dwarf_expr.h"

struct fixture {
	struct target t;
	struct arena scratch;
	struct frame_at frame;
	struct dwarf_expr x;
	struct err err;
	struct dwarf_place places[EXPR_PIECES_MAX];
	size_t n;
};

/* rbx is 0x1122334455667788, rsp 0x1000; the frame begins at 0x2000. */
static void start(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->t.arch = &arch_x86_64;
	f->frame.pc = 0xffffffff81000010;
	f->frame.has_cfa = true;
	f->frame.cfa = 0x2000;
	regs_set(&f->frame.regs, 3, 0x1122334455667788);
	regs_set(&f->frame.regs, 7, 0x1000);
	f->x = (struct dwarf_expr){ .t = &f->t, .frame = &f->frame, .bias = 0x100 };
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

/* From bytes, through the decoder. */
static bool places(struct fixture *f, const uint8_t *code, size_t n)
{
	static Dwarf_Op ops[64];
	size_t n_ops;

	f->x.steps = 0;
	return dwarf_expr_decode(SPAN(code, n), false, ops, ARRAY_SIZE(ops), &n_ops, &f->err) &&
	       dwarf_expr_places(&f->x, ops, n_ops, f->places, &f->n, &f->err);
}
#define PLACES(f, ...) \
	places((f), (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }))

static void check_value(struct fixture *f, const uint8_t *code, size_t n, uint64_t want)
{
	if (!CHECK_OK(places(f, code, n), f->err))
		return;
	CHECK_U64(f->n, 1);
	CHECK_U64(f->places[0].kind, PLACE_VALUE);
	CHECK_U64(f->places[0].value, want);
}
#define VALUE(f, want, ...)                                                   \
	check_value((f), (const uint8_t[]){ __VA_ARGS__, DW_OP_stack_value }, \
		    sizeof((uint8_t[]){ __VA_ARGS__ }) + 1, (want))

TEST(where_values_are)
{
	struct fixture f;

	start(&f);
	CHECK(PLACES(&f, DW_OP_reg3));
	CHECK_U64(f.places[0].kind, PLACE_VALUE);
	CHECK_U64(f.places[0].value, 0x1122334455667788);
	CHECK(PLACES(&f, DW_OP_breg7, 0x70)); /* -16 */
	CHECK_U64(f.places[0].kind, PLACE_MEMORY);
	CHECK_U64(f.places[0].value, 0xff0);
	CHECK(PLACES(&f, DW_OP_call_frame_cfa, DW_OP_const1u, 24, DW_OP_minus));
	CHECK_U64(f.places[0].kind, PLACE_MEMORY);
	CHECK_U64(f.places[0].value, 0x2000 - 24);
	CHECK(PLACES(&f, DW_OP_addr, 0x10, 0, 0, 0, 0, 0, 0, 0x80));
	CHECK_U64(f.places[0].value, UINT64_C(0x8000000000000110));
	CHECK(places(&f, NULL, 0)); /* an empty one: optimized out */
	CHECK_U64(f.n, 1);
	CHECK_U64(f.places[0].kind, PLACE_NONE);
	stop(&f);
}

TEST(what_is_not_known_is_no_value)
{
	struct fixture f;

	start(&f);
	CHECK(PLACES(&f, DW_OP_reg0));
	CHECK_U64(f.places[0].kind, PLACE_UNKNOWN);
	CHECK_CONTAINS(f.places[0].why.msg, "rax");
	CHECK(PLACES(&f, DW_OP_breg0, 8, DW_OP_lit4, DW_OP_plus, DW_OP_stack_value));
	CHECK_U64(f.places[0].kind, PLACE_UNKNOWN);
	/* registers behind the program counter are none of DWARF's, though we keep some there */
	regs_set(&f.frame.regs, 20, 5);
	CHECK(PLACES(&f, DW_OP_reg20));
	CHECK_U64(f.places[0].kind, PLACE_UNKNOWN);
	CHECK(PLACES(&f, DW_OP_lit0, DW_OP_deref, DW_OP_stack_value)); /* no memory at 0 */
	CHECK_U64(f.places[0].kind, PLACE_UNKNOWN);
	f.frame.has_cfa = false;
	CHECK(PLACES(&f, DW_OP_call_frame_cfa));
	CHECK_U64(f.places[0].kind, PLACE_UNKNOWN);
	stop(&f);
}

/* As powerpc's link register, 65 among DWARF's, is kept behind those of lower numbers. */
static unsigned slot_of_65(uint64_t number)
{
	return number < 3 ? (unsigned)number : number == 65 ? 3 : REGS_MAX;
}

TEST(a_register_is_where_the_architecture_keeps_it)
{
	struct fixture f;
	struct arch arch;

	start(&f);
	arch = *f.t.arch;
	arch.dwarf_slot = slot_of_65;
	f.t.arch = &arch;
	VALUE(&f, 0x1122334455667788 + 8, DW_OP_bregx, 65, 8);
	CHECK(PLACES(&f, DW_OP_breg3, 0, DW_OP_stack_value)); /* it keeps no 3 */
	CHECK_U64(f.places[0].kind, PLACE_UNKNOWN);
	stop(&f);
}

TEST(arithmetic)
{
	struct fixture f;

	start(&f);
	VALUE(&f, 7, DW_OP_lit10, DW_OP_lit3, DW_OP_minus);
	VALUE(&f, (uint64_t)-3, DW_OP_const1s, 0xf9, DW_OP_lit2, DW_OP_div); /* -7 / 2 */
	VALUE(&f, 1, DW_OP_const1s, 0xf9, DW_OP_lit2, DW_OP_mod);            /* unsigned */
	VALUE(&f, UINT64_C(1) << 63, DW_OP_lit1, DW_OP_const1u, 63, DW_OP_shl);
	VALUE(&f, 0, DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl);
	VALUE(&f, UINT64_MAX, DW_OP_const1s, 0xf8, DW_OP_const1u, 70, DW_OP_shra);
	VALUE(&f, UINT64_MAX >> 4, DW_OP_const1s, 0xff, DW_OP_lit4, DW_OP_shr);
	VALUE(&f, 1, DW_OP_const1s, 0xff, DW_OP_lit0, DW_OP_lt); /* signed */
	VALUE(&f, 5, DW_OP_const1s, 0xfb, DW_OP_abs);
	VALUE(&f, ~UINT64_C(5), DW_OP_lit5, DW_OP_not);
	/* the top becomes the third, the second the top */
	VALUE(&f, 1, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop);
	VALUE(&f, 1, DW_OP_lit1, DW_OP_lit2, DW_OP_over);
	VALUE(&f, 300, DW_OP_lit0, DW_OP_plus_uconst, 0xac, 0x02);
	/* the sign extension that gcc writes of an int in a 64-bit register */
	VALUE(&f, 0x55667788, DW_OP_breg3, 0, DW_OP_const1u, 32, DW_OP_shl, DW_OP_const1u, 32,
	      DW_OP_shra);
	VALUE(&f, 0, DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80, DW_OP_const1s, 0xff, DW_OP_mod,
	      DW_OP_lit0, DW_OP_mul);
	CHECK(!PLACES(&f, DW_OP_lit1, DW_OP_lit0, DW_OP_div));
	CHECK_ERR(f.err, ERR_FORMAT);
	stop(&f);
}

TEST(the_one_quotient_that_does_not_fit)
{
	struct fixture f;

	start(&f);
	VALUE(&f, UINT64_C(1) << 63, DW_OP_const8u, 0, 0, 0, 0, 0, 0, 0, 0x80, DW_OP_const1s, 0xff,
	      DW_OP_div);
	stop(&f);
}

TEST(jumps)
{
	struct fixture f;

	start(&f);
	VALUE(&f, 7, DW_OP_lit1, DW_OP_bra, 4, 0, DW_OP_lit5, DW_OP_skip, 1, 0, DW_OP_lit7);
	VALUE(&f, 5, DW_OP_lit0, DW_OP_bra, 4, 0, DW_OP_lit5, DW_OP_skip, 1, 0, DW_OP_lit7);
	CHECK(!PLACES(&f, DW_OP_skip, 0xfd, 0xff)); /* for ever */
	CHECK_ERR(f.err, ERR_LIMIT);
	CHECK(!PLACES(&f, DW_OP_skip, 0xf0, 0xff)); /* to before its start */
	CHECK_ERR(f.err, ERR_FORMAT);
	stop(&f);
}

TEST(pieces)
{
	struct fixture f;

	start(&f);
	REQUIRE(PLACES(&f, DW_OP_reg3, DW_OP_piece, 4, DW_OP_piece, 4, DW_OP_reg0, DW_OP_piece, 4,
		       DW_OP_lit9, DW_OP_stack_value, DW_OP_piece, 4));
	CHECK_U64(f.n, 4);
	CHECK_U64(f.places[0].kind, PLACE_VALUE);
	CHECK_U64(f.places[0].bits, 32);
	CHECK_U64(f.places[1].kind, PLACE_NONE);
	CHECK_U64(f.places[2].kind, PLACE_UNKNOWN);
	CHECK_U64(f.places[3].kind, PLACE_VALUE);
	CHECK_U64(f.places[3].value, 9);
	CHECK(!PLACES(&f, DW_OP_reg3, DW_OP_piece, 4, DW_OP_reg3));
	CHECK_ERR(f.err, ERR_FORMAT);
	CHECK(!PLACES(&f, DW_OP_reg3, DW_OP_piece, 0));
	CHECK_ERR(f.err, ERR_FORMAT);
	stop(&f);
}

TEST(bad_expressions)
{
	struct fixture f;
	uint8_t many[80];

	start(&f);
	CHECK(!PLACES(&f, DW_OP_plus));
	CHECK_ERR(f.err, ERR_FORMAT);
	for (uint8_t i = 1; i <= 3; i += 2) { /* of one word there is only number 0 */
		CHECK(!PLACES(&f, DW_OP_lit1, DW_OP_pick, i));
		CHECK_ERR(f.err, ERR_FORMAT);
	}
	CHECK(!PLACES(&f, DW_OP_call2, 0, 0));
	CHECK_ERR(f.err, ERR_UNSUPPORTED);
	CHECK(!PLACES(&f, DW_OP_const4u, 1, 2)); /* cut */
	CHECK_ERR(f.err, ERR_FORMAT);
	CHECK(!PLACES(&f, DW_OP_reg3, DW_OP_reg3));
	CHECK_ERR(f.err, ERR_FORMAT);
	memset(many, DW_OP_lit1, sizeof(many));
	CHECK(!places(&f, many, sizeof(many)));
	CHECK_ERR(f.err, ERR_LIMIT);
	stop(&f);
}

/* Types come from DIEs; here the number of the DIE tells: 4 is int, 5 unsigned char, 6 long. */
static bool type_by_number(struct dwarf_expr *x, const Dwarf_Op *op, uint64_t off,
			   struct dwarf_expr_type *ret, struct err *err)
{
	(void)x;
	(void)op;
	(void)err;
	*ret = off == 4   ? (struct dwarf_expr_type){ 4, true }
	       : off == 6 ? (struct dwarf_expr_type){ 8, true }
			  : (struct dwarf_expr_type){ 1, false };
	return true;
}

TEST(typed_words)
{
	Dwarf_Op ops[] = { { .atom = DW_OP_regval_type, .number = 3, .number2 = 4 },
			   { .atom = DW_OP_convert, .number = 5, .offset = 3 },
			   { .atom = DW_OP_convert, .number = 0, .offset = 5 },
			   { .atom = DW_OP_stack_value, .offset = 7 } };
	struct fixture f;

	start(&f);
	f.x.type = type_by_number;
	REQUIRE_OK(dwarf_expr_places(&f.x, ops, 4, f.places, &f.n, &f.err), f.err);
	CHECK_U64(f.places[0].value, 0x88);
	ops[1].atom = DW_OP_reinterpret; /* of other size: an error */
	CHECK(!dwarf_expr_places(&f.x, ops, 4, f.places, &f.n, &f.err));
	CHECK_ERR(f.err, ERR_FORMAT);
	stop(&f);
}

/* Each operation by its definition in DWARF 5, 2.5.1: what it leaves of what was on the stack. */
TEST(every_operation)
{
	struct fixture f;

	start(&f);
	VALUE(&f, 31, DW_OP_lit31);
	VALUE(&f, 0xfe, DW_OP_const1u, 0xfe);
	VALUE(&f, (uint64_t)-2, DW_OP_const1s, 0xfe);
	VALUE(&f, 0xfffe, DW_OP_const2u, 0xfe, 0xff);
	VALUE(&f, (uint64_t)-2, DW_OP_const2s, 0xfe, 0xff);
	VALUE(&f, 0xfffffffe, DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff);
	VALUE(&f, (uint64_t)-2, DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff);
	VALUE(&f, (uint64_t)-2, DW_OP_const8s, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
	VALUE(&f, 300, DW_OP_constu, 0xac, 0x02);
	VALUE(&f, (uint64_t)-2, DW_OP_consts, 0x7e);
	VALUE(&f, 4, DW_OP_lit4, DW_OP_nop);
	VALUE(&f, 4, DW_OP_lit2, DW_OP_dup, DW_OP_plus);
	VALUE(&f, 1, DW_OP_lit1, DW_OP_lit2, DW_OP_drop);
	VALUE(&f, 3, DW_OP_lit3, DW_OP_lit2, DW_OP_lit1, DW_OP_pick, 2);
	VALUE(&f, 1, DW_OP_lit3, DW_OP_lit2, DW_OP_lit1, DW_OP_pick, 0);
	VALUE(&f, 1, DW_OP_lit3, DW_OP_lit2, DW_OP_swap, DW_OP_minus, DW_OP_neg);
	/* 2 9 3 become 3 2 9, then 3 9 2: (9 - 2) * 3 */
	VALUE(&f, 21, DW_OP_lit2, DW_OP_lit9, DW_OP_lit3, DW_OP_rot, DW_OP_swap, DW_OP_minus,
	      DW_OP_mul);
	VALUE(&f, 5, DW_OP_lit5, DW_OP_abs);
	VALUE(&f, (uint64_t)-5, DW_OP_lit5, DW_OP_neg);
	VALUE(&f, 8, DW_OP_const1u, 12, DW_OP_const1u, 10, DW_OP_and);
	VALUE(&f, 14, DW_OP_const1u, 12, DW_OP_const1u, 10, DW_OP_or);
	VALUE(&f, 6, DW_OP_const1u, 12, DW_OP_const1u, 10, DW_OP_xor);
	VALUE(&f, 22, DW_OP_const1u, 12, DW_OP_const1u, 10, DW_OP_plus);
	VALUE(&f, 120, DW_OP_const1u, 12, DW_OP_const1u, 10, DW_OP_mul);
	VALUE(&f, 3, DW_OP_const1u, 39, DW_OP_lit12, DW_OP_div);
	VALUE(&f, 3, DW_OP_const1u, 39, DW_OP_lit12, DW_OP_mod);
	VALUE(&f, 48, DW_OP_const1u, 12, DW_OP_lit2, DW_OP_shl);
	VALUE(&f, 3, DW_OP_const1u, 12, DW_OP_lit2, DW_OP_shr);
	VALUE(&f, (uint64_t)-3, DW_OP_const1s, 0xf4, DW_OP_lit2, DW_OP_shra);
	VALUE(&f, 0, DW_OP_const1u, 12, DW_OP_const1u, 64, DW_OP_shra);
	VALUE(&f, 1, DW_OP_lit0, DW_OP_const1u, 63, DW_OP_shl, DW_OP_lit1, DW_OP_plus);
	VALUE(&f, 0x1008, DW_OP_bregx, 7, 8);
	REQUIRE(PLACES(&f, DW_OP_regx, 3));
	CHECK_U64(f.places[0].kind, PLACE_VALUE);
	CHECK_U64(f.places[0].value, 0x1122334455667788);
	REQUIRE(PLACES(&f, DW_OP_reg16)); /* the program counter is always known */
	CHECK_U64(f.places[0].value, f.frame.pc);
	stop(&f);
}

/* a of b, with their signs: less, equal and more. */
TEST(comparisons)
{
	static const struct {
		uint8_t op;
		bool less, equal, more;
	} v[] = { { DW_OP_eq, false, true, false }, { DW_OP_ne, true, false, true },
		  { DW_OP_lt, true, false, false }, { DW_OP_le, true, true, false },
		  { DW_OP_gt, false, false, true }, { DW_OP_ge, false, true, true } };
	struct fixture f;

	start(&f);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		VALUE(&f, v[i].less, DW_OP_const1s, 0xfe, DW_OP_lit3, v[i].op);
		VALUE(&f, v[i].less, DW_OP_lit2, DW_OP_lit3, v[i].op);
		VALUE(&f, v[i].equal, DW_OP_lit3, DW_OP_lit3, v[i].op);
		VALUE(&f, v[i].more, DW_OP_lit3, DW_OP_const1s, 0xfe, v[i].op);
	}
	stop(&f);
}

static bool base_at_3000(struct dwarf_expr *x, uint64_t *ret, struct err *err)
{
	(void)x;
	*ret = 0x3000;
	return !x->nested || err_set(err, ERR_NOTFOUND, "no base today");
}

static bool entry_twice(struct dwarf_expr *x, unsigned reg, uint64_t *ret, struct err *err)
{
	(void)x;
	*ret = 1000 + reg;
	return reg != 9 || err_set(err, ERR_NOTFOUND, "register 9 is gone");
}

/* The operation's number is the block's only operation, or of two where it is above 255. */
static bool block_of_number(struct dwarf_expr *x, const Dwarf_Op *op, Dwarf_Op **ret, size_t *n,
			    struct err *err)
{
	static Dwarf_Op ops[2];

	(void)x;
	(void)err;
	ops[0] = (Dwarf_Op){ .atom = (uint8_t)op->number, .number = op->number2 };
	*ret = ops;
	*n = op->number > 255 ? 2 : 1;
	return true;
}

static bool four_bytes(struct dwarf_expr *x, const Dwarf_Op *op, const uint8_t **ret, size_t *n,
		       struct err *err)
{
	(void)x;
	(void)op;
	(void)err;
	*ret = (const uint8_t *)"\xfe\xff\xff\xff";
	*n = 4;
	return true;
}

static void check_ops(struct fixture *f, const Dwarf_Op *ops, size_t n, enum place_kind kind,
		      uint64_t want)
{
	f->x.steps = 0;
	if (!CHECK_OK(dwarf_expr_places(&f->x, ops, n, f->places, &f->n, &f->err), f->err))
		return;
	CHECK_U64(f->places[0].kind, kind);
	if (kind != PLACE_UNKNOWN)
		CHECK_U64(f->places[0].value, want);
}
#define OPS(f, kind, want, ...)                           \
	check_ops((f), (const Dwarf_Op[]){ __VA_ARGS__ }, \
		  sizeof((Dwarf_Op[]){ __VA_ARGS__ }) / sizeof(Dwarf_Op), (kind), (want))

/* Operations that ask the debug info around them, or the frame. */
TEST(what_is_asked_for)
{
	struct fixture f;

	start(&f);
	CHECK(!PLACES(&f, DW_OP_fbreg, 0)); /* the decoder of tables has no such operation */
	f.x.frame_base = base_at_3000;
	OPS(&f, PLACE_MEMORY, 0x2ff0, { .atom = DW_OP_fbreg, .number = (uint64_t)-16 });
	f.x.nested = 1;
	OPS(&f, PLACE_UNKNOWN, 0, { .atom = DW_OP_fbreg, .number = 0 });
	f.x.nested = 0;
	f.x.frame_doubt = true;
	OPS(&f, PLACE_UNKNOWN, 0, { .atom = DW_OP_fbreg, .number = 0 });
	OPS(&f, PLACE_UNKNOWN, 0, { .atom = DW_OP_call_frame_cfa });
	f.x.frame_doubt = false;
	f.x.doubtful = 1 << 3;
	OPS(&f, PLACE_UNKNOWN, 0, { .atom = DW_OP_reg3 });
	CHECK_CONTAINS(f.places[0].why.msg, "rbx");
	OPS(&f, PLACE_MEMORY, 0x1000, { .atom = DW_OP_breg7 });
	f.x.block = block_of_number;
	f.x.entry = entry_twice;
	OPS(&f, PLACE_MEMORY, 1005, { .atom = DW_OP_entry_value, .number = DW_OP_reg5 });
	OPS(&f, PLACE_MEMORY, 1031, { .atom = DW_OP_GNU_entry_value, .number = DW_OP_reg31 });
	OPS(&f, PLACE_MEMORY, 1040,
	    { .atom = DW_OP_entry_value, .number = DW_OP_regx, .number2 = 40 });
	OPS(&f, PLACE_UNKNOWN, 0, { .atom = DW_OP_entry_value, .number = DW_OP_reg9 });
	OPS(&f, PLACE_UNKNOWN, 0,
	    { .atom = DW_OP_entry_value, .number = DW_OP_regx, .number2 = 256 });
	CHECK(!dwarf_expr_places(&f.x,
				 &(Dwarf_Op){ .atom = DW_OP_entry_value, .number = DW_OP_breg5 }, 1,
				 f.places, &f.n, &f.err));
	CHECK_ERR(f.err, ERR_UNSUPPORTED);
	CHECK(!dwarf_expr_places(
		&f.x, &(Dwarf_Op){ .atom = DW_OP_entry_value, .number = 256 + DW_OP_reg5 }, 1,
		f.places, &f.n, &f.err));
	CHECK_ERR(f.err, ERR_UNSUPPORTED);
	f.x.bytes = four_bytes;
	OPS(&f, PLACE_BYTES, 0, { .atom = DW_OP_implicit_value });
	CHECK_U64(f.places[0].n, 4);
	OPS(&f, PLACE_POINTER, 77, { .atom = DW_OP_implicit_pointer, .number = 77 });
	stop(&f);
}

/* Words of base types (2.5.1.6): 4 is int, 5 unsigned char. A type's arithmetic has its size and
 * its sign. */
TEST(typed_arithmetic)
{
	const Dwarf_Op constant = { .atom = DW_OP_const_type, .number = 4 },     /* -2 */
		byte = { .atom = DW_OP_regval_type, .number = 3, .number2 = 5 }, /* 0x88 */
		value = { .atom = DW_OP_stack_value };
	struct fixture f;

	start(&f);
	f.x.type = type_by_number;
	f.x.bytes = four_bytes;
	OPS(&f, PLACE_VALUE, (uint64_t)-2, constant, value);
	OPS(&f, PLACE_VALUE, 0x88, byte, value);
	OPS(&f, PLACE_VALUE, 0x10, byte, byte, { .atom = DW_OP_plus }, value);
	OPS(&f, PLACE_VALUE, 2, constant, { .atom = DW_OP_abs }, value);
	OPS(&f, PLACE_VALUE, 0x88, byte, { .atom = DW_OP_abs }, value);
	OPS(&f, PLACE_VALUE, 0x78, byte, { .atom = DW_OP_neg }, value);
	OPS(&f, PLACE_VALUE, 0x77, byte, { .atom = DW_OP_not }, value);
	OPS(&f, PLACE_VALUE, 1, byte, byte, { .atom = DW_OP_div }, value);
	OPS(&f, PLACE_VALUE, (uint64_t)-1, constant, { .atom = DW_OP_lit1 }, { .atom = DW_OP_shra },
	    value);
	OPS(&f, PLACE_VALUE, 0x7fffffff, constant, { .atom = DW_OP_lit1 }, { .atom = DW_OP_shr },
	    value);
	OPS(&f, PLACE_VALUE, 0, constant, { .atom = DW_OP_const1u, .number = 32 },
	    { .atom = DW_OP_shr }, value);
	OPS(&f, PLACE_VALUE, 0x10, byte, { .atom = DW_OP_lit1 }, { .atom = DW_OP_shl }, value);
	OPS(&f, PLACE_VALUE, 1, constant, constant, { .atom = DW_OP_eq }, value);
	OPS(&f, PLACE_VALUE, 0xfe, constant, { .atom = DW_OP_convert, .number = 5 }, value);
	OPS(&f, PLACE_VALUE, 0x88, byte, { .atom = DW_OP_convert, .number = 4 }, value);
	OPS(&f, PLACE_VALUE, (uint64_t)-2, constant, { .atom = DW_OP_GNU_convert, .number = 0 },
	    value);
	OPS(&f, PLACE_VALUE, (uint64_t)-2, constant, { .atom = DW_OP_reinterpret, .number = 4 },
	    value);
	/* a generic word has as many bytes as a long, and no more than that */
	OPS(&f, PLACE_VALUE, 9, { .atom = DW_OP_lit9 }, { .atom = DW_OP_reinterpret, .number = 6 },
	    { .atom = DW_OP_reinterpret, .number = 0 }, value);
	CHECK(!dwarf_expr_places(
		&f.x, (const Dwarf_Op[]){ constant, { .atom = DW_OP_reinterpret, .number = 0 } }, 2,
		f.places, &f.n, &f.err));
	CHECK_ERR(f.err, ERR_FORMAT);
	/* memory is read in words of one to eight bytes */
	OPS(&f, PLACE_UNKNOWN, 0, { .atom = DW_OP_lit9 }, { .atom = DW_OP_deref_size, .number = 8 },
	    value);
	for (unsigned size = 0; size <= 9; size += 9) {
		CHECK(!dwarf_expr_places(
			&f.x,
			(const Dwarf_Op[]){ { .atom = DW_OP_lit9 },
					    { .atom = DW_OP_deref_size, .number = size } },
			2, f.places, &f.n, &f.err));
		CHECK_ERR(f.err, ERR_FORMAT);
	}
	CHECK(!dwarf_expr_places(&f.x, (const Dwarf_Op[]){ constant, byte, { .atom = DW_OP_plus } },
				 3, f.places, &f.n, &f.err));
	CHECK_ERR(f.err, ERR_FORMAT);
	stop(&f);
}

/* A piece may begin within its place; one of no size, too large, or too far in, is none. */
TEST(pieces_of_bits)
{
	struct fixture f;

	start(&f);
	REQUIRE(PLACES(&f, DW_OP_reg3, DW_OP_bit_piece, 3, 5, DW_OP_reg7, DW_OP_bit_piece, 61, 0));
	CHECK_U64(f.n, 2);
	CHECK_U64(f.places[0].bits, 3);
	CHECK_U64(f.places[0].bit_off, 5);
	CHECK_U64(f.places[1].bits, 61);
	CHECK_U64(f.places[1].bit_off, 0);
	CHECK_U64(f.places[1].value, 0x1000);
	/* 4096 bytes, 0x20 times 0x80, are the most */
	CHECK(PLACES(&f, DW_OP_reg3, DW_OP_piece, 0x80, 0x20));
	CHECK(!PLACES(&f, DW_OP_reg3, DW_OP_piece, 0x81, 0x20));
	CHECK(PLACES(&f, DW_OP_reg3, DW_OP_bit_piece, 1, 0x80, 0x80, 0x02));
	CHECK(!PLACES(&f, DW_OP_reg3, DW_OP_bit_piece, 1, 0x81, 0x80, 0x02));
	stop(&f);
}

/* What is left on the stack is a number; a place is none, but for a register's value. */
TEST(numbers)
{
	const Dwarf_Op plus[] = { { .atom = DW_OP_lit5 }, { .atom = DW_OP_plus } },
		       reg = { .atom = DW_OP_reg3 }, lost = { .atom = DW_OP_reg0 },
		       piece[] = { { .atom = DW_OP_reg3 }, { .atom = DW_OP_piece, .number = 8 } },
		       pointer = { .atom = DW_OP_implicit_pointer };
	struct fixture f;
	uint64_t v = 0;

	start(&f);
	CHECK(dwarf_expr_number(&f.x, plus, 2, true, 100, &v, &f.err));
	CHECK_U64(v, 105);
	CHECK(!dwarf_expr_number(&f.x, plus, 2, false, 100, &v, &f.err));
	CHECK(dwarf_expr_number(&f.x, &reg, 1, false, 0, &v, &f.err));
	CHECK_U64(v, 0x1122334455667788);
	CHECK(!dwarf_expr_number(&f.x, &lost, 1, false, 0, &v, &f.err));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	CHECK(!dwarf_expr_number(&f.x, piece, 2, false, 0, &v, &f.err));
	CHECK_ERR(f.err, ERR_FORMAT);
	CHECK(!dwarf_expr_number(&f.x, &pointer, 1, false, 0, &v, &f.err));
	CHECK_ERR(f.err, ERR_UNSUPPORTED);
	stop(&f);
}

TEST_MAIN
