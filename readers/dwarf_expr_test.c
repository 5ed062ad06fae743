/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the machine for DWARF expressions; what is right is what DWARF 5, 2.5 and 2.6 say. */
#include <dwarf.h>

#include "core/base/test.h"
#include "core/target/target.h"
#include "readers/dwarf_expr.h"

struct fixture {
	struct target t;
	struct arena scratch;
	struct frame_at frame;
	struct dwarf_expr x;
	struct err err;
	struct place places[EXPR_PIECES_MAX];
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
	return dwarf_expr_decode(SPAN(code, n), ops, ARRAY_SIZE(ops), &n_ops, &f->err) &&
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
	CHECK(!PLACES(&f, DW_OP_lit1, DW_OP_pick, 3));
	CHECK_ERR(f.err, ERR_FORMAT);
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

/* Types come from DIEs; here the number of the DIE tells: 4 is int, 5 unsigned char. */
static bool type_by_number(struct dwarf_expr *x, const Dwarf_Op *op, uint64_t off,
			   struct dwarf_expr_type *ret, struct err *err)
{
	(void)x;
	(void)op;
	(void)err;
	*ret = off == 4 ? (struct dwarf_expr_type){ 4, true }
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

TEST_MAIN
