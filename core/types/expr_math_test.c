/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of an expression's arithmetic against the compiler of this very file: the same text is
 * given to both. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/types/expr.h"
#include "readers/symbol/btf_fake.h"

/* What a compiler rightly warns of is what is asked here. */
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"

struct text_and_value {
	const char *text;
	int64_t value;
};

#define BOTH(e)                  \
	{                        \
#e, (int64_t)(e) \
	}

/* No sum or product here overflows a signed type, which C leaves open. */
#define PAIR(a, b)                                                                               \
	BOTH(a + b), BOTH(a - b), BOTH((a) * (b)), BOTH(a / b), BOTH(a % b), BOTH((a) & (b)),    \
		BOTH(a | b), BOTH(a ^ b), BOTH(a < b), BOTH(a <= b), BOTH(a > b), BOTH(a >= b),  \
		BOTH(a == b), BOTH(a != b), BOTH(0 ? a : b), BOTH(1 ? a : b), BOTH(1 ? b : a),   \
		BOTH(a || b), BOTH(!a || b), BOTH(!(a) || !(b)), BOTH(a + b * 2 - 1),            \
		BOTH((a + b) * 2), BOTH(1 && a | 1 ^ b), BOTH(a<5 == b> 2), BOTH(sizeof(a + b)), \
		BOTH(sizeof(a < b))
#define WITH(b)                                                                         \
	PAIR(0, b), PAIR(1, b), PAIR(7, b), PAIR((-7), b), PAIR((-1), b), PAIR(5u, b),  \
		PAIR(0xfffffff0u, b), PAIR(0x80000000, b), PAIR(9l, b), PAIR((-9l), b), \
		PAIR(0xfffffffffffffff0ul, b), PAIR('a', b)

static const struct text_and_value pairs[] = {
	WITH(1),           WITH(3),  WITH((-1)),  WITH((-3)), WITH(2u),
	WITH(0xffffffffu), WITH(2l), WITH((-2l)), WITH(3ul),  WITH(0xffffffffffffffffu),
	WITH('b'),
};

#define SHIFT(a)                                                                             \
	BOTH(a << 0), BOTH(a << 1), BOTH(a << 5), BOTH(a >> 0), BOTH(a >> 1), BOTH(a >> 3u), \
		BOTH(a >> 31), BOTH(a >> 4l), BOTH(sizeof(a << 1l)), BOTH(sizeof(a >> 1ul))
#define ONE(a)                                                                        \
	BOTH(-a), BOTH(~a), BOTH(!a), BOTH(!!a), BOTH(+a), BOTH(- -a), BOTH(~~a),     \
		BOTH(sizeof(-a)), BOTH(sizeof(!a)), BOTH((char)a), BOTH((int)a),      \
		BOTH((unsigned int)a), BOTH((long int)a), BOTH((long unsigned int)a), \
		BOTH((_Bool)a), BOTH(sizeof((char)a)), BOTH(sizeof(+(char)a))

static const struct text_and_value singles[] = {
	SHIFT(1),
	SHIFT(0x7fffff),
	SHIFT(0x7fffffffu),
	SHIFT(0xffffffffu),
	SHIFT(0x80000000u),
	SHIFT(1l),
	SHIFT(0xfffffffffful),
	SHIFT('a'),
	ONE(0),
	ONE(1),
	ONE(0x7fffffff),
	ONE(255),
	ONE(256),
	ONE(0u),
	ONE(1u),
	ONE(0xffffffffu),
	ONE(3l),
	ONE(0x7fffffffffffffffl),
	ONE(0xfffffffffffffffful),
	ONE('z'),
	ONE('\0'),
	ONE('\n'),
	BOTH((-16) >> 2),
	BOTH((-1) >> 31),
	BOTH((-1l) >> 63),
	BOTH((-16l) >> 2),
	BOTH(1ul << 63),
	BOTH(0x8000000000000000u >> 63),
	BOTH(0xffffffffu << 4),
	BOTH(sizeof 1),
	BOTH(sizeof 1u),
	BOTH(sizeof 1l),
	BOTH(sizeof 0x80000000),
	BOTH(sizeof 0x7fffffffffffffff),
	BOTH(sizeof 2147483648),
	BOTH('\t'),
	BOTH('\\'),
	BOTH('\''),
	BOTH('\x41'),
	BOTH('\101'),
	BOTH('\x7f'),
	BOTH('\7'),
	BOTH('\177'),
	BOTH('\a'),
	BOTH('\b'),
	BOTH('\f'),
	BOTH('\r'),
	BOTH('\v'),
	BOTH('\"'),
	BOTH('"'),
	BOTH(' '),
	BOTH(010),
	BOTH(0xAbCd),
	BOTH(0b1011),
	BOTH(0B11u),
	BOTH(0XFL),
	/* which type a number has: C11, 6.4.4.1 */
	BOTH(sizeof 2147483647),
	BOTH(sizeof 2147483648u),
	BOTH(sizeof 4294967295u),
	BOTH(sizeof 4294967296u),
	BOTH(sizeof 0x7fffffff),
	BOTH(sizeof 0xffffffff),
	BOTH(sizeof 0x100000000),
	BOTH(sizeof 037777777777),
	BOTH(sizeof 0l),
	BOTH(sizeof 0ul),
	BOTH(sizeof 0lu),
	BOTH(sizeof 0ll),
	BOTH(sizeof 0ull),
	BOTH(sizeof 0LLU),
	BOTH(-1 < 2147483647),
	BOTH(-1 < 2147483648),
	BOTH(-1 < 4294967295),
	BOTH(-1 < 2147483647u),
	BOTH(-1 < 0x7fffffff),
	BOTH(-1 < 0x80000000),
	BOTH(-1 < 0xffffffff),
	BOTH(-1 < 0x100000000),
	BOTH(-1 < 0x7fffffffffffffff),
	BOTH(-1 < 0x8000000000000000),
	BOTH(-1 < 1l),
	BOTH(-1 < 1ul),
	BOTH(-1 < 1LU),
	BOTH(-1 < 1ll),
	BOTH(-1 < 1ull),
	/* what is shifted by all of its width is gone, but for its sign; C leaves it open */
	{ "1 << 32", 0 },
	{ "1l << 64", 0 },
	{ "0x7fffffff >> 32", 0 },
	{ "1l >> 64", 0 },
	{ "(-1) >> 32", -1 },
	{ "(-1l) >> 64", -1 },
	/* a character is a char, as gdb has it; in C it is an int */
	{ "sizeof 'z'", 1 },
};

static struct fake_kernel k;
static struct err err;

static void compare(const struct text_and_value *cases, size_t n)
{
	kernel_init(&k);
	k.t.types.sources.n = 0;
	REQUIRE_OK(fake_btf_load(&k.t, &err), err);
	for (size_t i = 0; i < n; i++) {
		struct value v;
		int64_t got = 0;

		if (!CHECK_OK(expr_eval(&k.t, cases[i].text, NULL, &v, &err), err) ||
		    !CHECK_OK(value_s64(&k.t, v, &got, &err), err) || !CHECK(got == cases[i].value))
			printf("  %s is %lld, not %lld\n", cases[i].text, (long long)cases[i].value,
			       (long long)got);
	}
	kernel_release(&k);
}

TEST(two_operands)
{
	compare(pairs, ARRAY_SIZE(pairs));
}

TEST(one_operand_and_shifts)
{
	compare(singles, ARRAY_SIZE(singles));
}

TEST_MAIN
