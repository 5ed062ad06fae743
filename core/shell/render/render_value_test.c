/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of values as text, in gdb's look, and as JSON. */
#include "core/base/buf.h"
#include "core/types/value.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/records/print_type.h"
#include "core/types/expr.h"
#include "readers/symbol/btf_fake.h"

#define THING (KERNEL_BASE + 0x1000)
#define EDGE (KERNEL_BASE + 0x2fd8) /* its word and all behind it are on the next page */

static struct fake_kernel k;
static struct err err;

static bool start(void)
{
	kernel_init(&k);
	k.t.types.sources.n = 0;
	kernel_symbol(&k, "thing", THING);
	kernel_symbol(&k, "end", THING + 0x10000);
	put64(&k, THING, THING);
	put64(&k, THING + 8, THING + 8);
	put32(&k, THING + 16, (uint32_t)-7);
	put32(&k, THING + 20, 5u | (0x7du << 3) | (0x2abcdeu << 10));
	put_str(&k, THING + 24, "a\"\n\x01\xff");
	put64(&k, THING + 40, UINT64_C(0x0000000200000001));
	put32(&k, THING + 48, (uint32_t)-1);
	put32(&k, THING + 52, 5);
	for (unsigned i = 0; i < 6; i++)
		k.mem[0x1000 + 72 + 2 * i] = (uint8_t)(10 + i);
	k.mem[0x1000 + 84] = 1;
	k.mem[0x1000 + 85] = 'z';
	put64(&k, THING + 88, UINT64_C(0x8000000000000000));
	put64(&k, THING + 96 + 8 * 9, UINT64_MAX);
	put_str(&k, EDGE + 24, "edge");
	return CHECK_OK(fake_btf_load(&k.t, &err), err);
}

static void stop(void)
{
	kernel_release(&k);
}

static void check_style(const char *expr, struct value_style style, bool json, const char *want)
{
	struct buf b = { 0 };
	struct value v;

	if (!CHECK_OK(expr_eval(&k.t, expr, NULL, &v, &err), err))
		return;
	if (json)
		value_to_json(&b, &k.t, v, &style);
	else
		value_to_text(&b, &k.t, v, &style);
	if (!CHECK_STR(buf_text(&b), want))
		printf("  for %s\n", expr);
	buf_release(&b);
}

static void check_text(const char *expr, const char *want)
{
	check_style(expr, (struct value_style){ 0 }, false, want);
}

static void check_json(const char *expr, const char *want)
{
	check_style(expr, (struct value_style){ 0 }, true, want);
}

#define T "((struct thing *)0xffff800000001000)"
#define E "((struct thing *)0xffff800000002fd8)"

TEST(scalars)
{
	REQUIRE(start());
	check_text(T "->pid", "-7");
	check_text(T "->low", "5");
	check_text(T "->mid", "-3");
	check_text(T "->comm", "\"a\\\"\\n\\001\\377\"");
	check_text(T "->state", "DEAD");
	check_text(T "->flags", "(FLAG_A | FLAG_C)");
	check_text("(enum flags)9", "(FLAG_A | 0x8)");
	check_text("(enum state)77", "77");
	check_text(T "->on", "true");
	check_text(T "->letter", "122 'z'");
	check_text(T "->big", "-9223372036854775808");
	check_text(T "->next", "(struct thing *) 0x0");
	check_text(T "->list.next", "(struct list_head *) 0xffff800000001000 <thing>");
	check_text(T "->list.prev", "(struct list_head *) 0xffff800000001008 <thing+0x8>");
	check_text("(char *)0xffff800000001018", "0xffff800000001018 \"a\\\"\\n\\001\\377\"");
	stop();
}

TEST(radix)
{
	struct value_style hex = { .radix = 16 };

	REQUIRE(start());
	check_style(T "->pid", hex, false, "0xfffffff9");
	check_style(T "->mid", hex, false, "0x7d");
	check_style(T "->grid", hex, false, "{{0xa, 0xb, 0xc}, {0xd, 0xe, 0xf}}");
	stop();
}

/* Types of an input that lies: what has no size has no second element, either, to spend a look at.
 */
TEST(elements_without_a_size_are_told_of_once)
{
	static struct type none = { .kind = TYPE_STRUCT, .name = "none", .filled = true };
	static struct type many = {
		.kind = TYPE_ARRAY, .count = UINT64_C(1) << 40, .target = &none, .filled = true
	};
	struct value_style style = { .labelled = true };
	struct buf b = { 0 };

	REQUIRE(start());
	value_to_text(&b, &k.t, value_ref(&many, THING), &style);
	CHECK_STR(buf_text(&b), "{<'struct none' has no size to index by>...}");
	buf_release(&b);
	stop();
}

TEST(aggregates)
{
	REQUIRE(start());
	check_text("*" T "->list.next", "struct list_head {next = 0xffff800000001000 <thing>, "
					"prev = 0xffff800000001008 <thing+0x8>}");
	check_text(T "->grid", "{{10, 11, 12}, {13, 14, 15}}");
	check_text(T "->many", "{0 <repeats 9 times>, 18446744073709551615}");
	/* a run that is told once counts as eight */
	check_style(T "->many", (struct value_style){ .array_max = 9 }, false,
		    "{0 <repeats 9 times>, 18446744073709551615}");
	check_style(T "->many", (struct value_style){ .array_max = 8 }, false,
		    "{0 <repeats 9 times>...}");
	check_style(T "->grid", (struct value_style){ .array_max = 2 }, false,
		    "{{10, 11...}, {13, 14...}}");
	check_style("*" T, (struct value_style){ .depth = 1, .array_max = 1, .labelled = true },
		    false,
		    "{\n"
		    "  list = {...},\n"
		    "  pid = -7,\n"
		    "  low = 5,\n"
		    "  mid = -3,\n"
		    "  high = 2800862,\n"
		    "  comm = \"a\\\"\\n\\001\\377\",\n"
		    "  {...},\n"
		    "  state = DEAD,\n"
		    "  flags = (FLAG_A | FLAG_C),\n"
		    "  fn = 0x0,\n"
		    "  next = 0x0,\n"
		    "  grid = {...},\n"
		    "  on = true,\n"
		    "  letter = 122 'z',\n"
		    "  big = -9223372036854775808,\n"
		    "  many = {...}\n"
		    "}");
	stop();
}

TEST(on_one_line)
{
	struct value_style flat = { .flat = true, .labelled = true, .depth = 1, .array_max = 1 };

	REQUIRE(start());
	check_style(
		"*" T, flat, false,
		"{list = {...}, pid = -7, low = 5, mid = -3, high = 2800862, "
		"comm = \"a\\\"\\n\\001\\377\", {...}, state = DEAD, flags = (FLAG_A | FLAG_C), "
		"fn = 0x0, next = 0x0, grid = {...}, on = true, letter = 122 'z', "
		"big = -9223372036854775808, many = {...}}");
	stop();
}

TEST(an_anonymous_union_stands_in_place)
{
	struct value_style style = { .labelled = true };
	struct buf b = { 0 };
	struct value v;

	REQUIRE(start());
	REQUIRE_OK(expr_eval(&k.t, "*" T, NULL, &v, &err), err);
	value_to_text(&b, &k.t, v, &style);
	CHECK_CONTAINS(buf_text(&b), "  {\n"
				     "    word = 8589934593,\n"
				     "    {\n"
				     "      a = 1,\n"
				     "      b = 2\n"
				     "    }\n"
				     "  },\n"
				     "  state = DEAD");
	buf_release(&b);
	stop();
}

/* The page behind 0x3000 was left out: what lies before it is shown all the same. */
TEST(holes_in_place)
{
	struct value_style style = { .labelled = true };
	struct buf b = { 0 };
	struct value v;

	REQUIRE(start());
	k.holes = 1 << 3;
	REQUIRE_OK(expr_eval(&k.t, "*" E, NULL, &v, &err), err);
	value_to_text(&b, &k.t, v, &style);
	CHECK_CONTAINS(buf_text(&b), "comm = \"edge\"");
	CHECK_CONTAINS(buf_text(&b), "word = <excluded page 0xffff800000003000>");
	CHECK_CONTAINS(buf_text(&b),
		       "many = {<excluded page 0xffff800000003000> <repeats 10 times>}");
	buf_reset(&b);
	value_to_json(&b, &k.t, v, &style);
	CHECK_CONTAINS(buf_text(&b), "\"comm\":\"edge\"");
	CHECK_CONTAINS(buf_text(&b),
		       "\"word\":{\"absent\":\"excluded\",\"addr\":\"0xffff800000003000\"}");
	buf_release(&b);
	/* what is absent as a whole is told once: its first page was left out, and the next too */
	check_text("*(struct list_head *)0x10", "struct list_head <no kernel address 0x10>");
	check_text("*(struct thing *)0xffff800000003010",
		   "struct thing <excluded page 0xffff800000003000>");
	/* of one that begins in the hole, what lies behind it is there */
	check_text("*(struct list_head *)0xffff800000003ff8",
		   "struct list_head {next = <excluded page 0xffff800000003000>, prev = 0x0}");
	stop();
}

/* Both links of an empty list lead to itself (include/linux/list.h). */
TEST(an_empty_list)
{
	REQUIRE(start());
	put64(&k, THING + 8, THING);
	check_text(T "->list", "struct list_head {next = 0xffff800000001000 <thing>, "
			       "prev = 0xffff800000001000 <thing>} (empty)");
	/* these two belong to another */
	put64(&k, EDGE, THING);
	put64(&k, EDGE + 8, THING);
	check_text(E "->list", "struct list_head {next = 0xffff800000001000 <thing>, "
			       "prev = 0xffff800000001000 <thing>}");
	stop();
}

/* A pointer to what has a name of its own is told with it: unless a symbol says more, there is no
 * text, or nobody can read it. */
TEST(objects_by_name)
{
	static const struct type letter = {
		.kind = TYPE_CHAR, .name = "char", .size = 1, .filled = true
	};
	static struct type comm = {
		.kind = TYPE_ARRAY, .target = &letter, .count = 16, .size = 16, .filled = true
	};
	static struct member in[] = { { .name = "comm", .type = &comm, .bit_off = 64 } };
	static struct type task = { .kind = TYPE_STRUCT,
				    .name = "task_struct",
				    .size = 24,
				    .filled = true,
				    .members = in,
				    .n_members = 1 };
	static const struct {
		uint64_t addr;
		const char *want;
	} cases[] = {
		{ KERNEL_BASE + 0x100, "(struct task_struct *) 0xffff800000000100 "
				       "<task_struct \"init\">" },
		{ KERNEL_BASE + 0x101, "(struct task_struct *) 0xffff800000000101" },
		{ THING, "(struct task_struct *) 0xffff800000001000 <thing>" },
		{ KERNEL_BASE + 0x200, "(struct task_struct *) 0xffff800000000200" },
		{ KERNEL_BASE + 0x300, "(struct task_struct *) 0xffff800000000300" },
		{ 0x1234, "(struct task_struct *) 0x1234" },
		{ 0, "(struct task_struct *) 0x0" },
	};
	struct value_style style = { 0 };
	const struct type *to;

	REQUIRE(start());
	to = type_pointer_to(&k.t, &task);
	put_str(&k, KERNEL_BASE + 0x108, "init");
	put_str(&k, KERNEL_BASE + 0x308, "in\x1bit");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf b = { 0 };

		value_to_text(&b, &k.t, value_int(&k.t, to, cases[i].addr), &style);
		CHECK_STR(buf_text(&b), cases[i].want);
		buf_release(&b);
	}
	stop();
}

/* Names out of damaged or forged debug information, and of a kernel's objects. */
TEST(hostile_names)
{
	static struct enumerator words[] = { { "BAD\033[1m", 1 }, { "X\nY", 6 } };
	static struct type state = { .kind = TYPE_ENUM,
				     .name = "st\nate",
				     .size = 4,
				     .filled = true,
				     .enums = words,
				     .n_enums = 2 };
	static struct member in[] = { { .name = "x\033[2J", .type = &state },
				      { .name = "y\nforged", .type = &state, .bit_off = 32 } };
	static struct type evil = { .kind = TYPE_STRUCT,
				    .name = "e\xc2\x9bvil",
				    .size = 8,
				    .filled = true,
				    .members = in,
				    .n_members = 2 };
	struct definition d = { 0 };
	struct buf b = { 0 };

	REQUIRE(start());
	put32(&k, THING, 1);
	put32(&k, THING + 4, 6);
	value_to_text(&b, &k.t, value_ref(&evil, THING), &(struct value_style){ 0 });
	CHECK_STR(buf_text(&b), "struct e\\xc2\\x9bvil {\n  x\\x1b[2J = BAD\\x1b[1m,\n"
				"  y\\nforged = X\\nY\n}");
	buf_reset(&b);
	CHECK_OK(definition_text(&k.t, &b, &evil, &d, &err), err);
	CHECK_STR(buf_text(&b), "struct e\\xc2\\x9bvil {\n    enum st\\nate x\\x1b[2J;\n"
				"    enum st\\nate y\\nforged;\n}\nSIZE: 8");
	buf_reset(&b);
	CHECK_OK(definition_text(&k.t, &b, &state, &d, &err), err);
	CHECK_STR(buf_text(&b),
		  "enum st\\nate {\n    BAD\\x1b[1m = 1,\n    X\\nY = 6,\n}\nSIZE: 4");
	buf_reset(&b);
	kernel_symbol(&k, "sym\nforged", THING + 0x20000);
	value_to_text(&b, &k.t, value_int(&k.t, type_pointer_to(&k.t, &evil), THING + 0x20000),
		      &(struct value_style){ 0 });
	CHECK_STR(buf_text(&b), "(struct e\\xc2\\x9bvil *) 0xffff800000021000 <sym\\nforged>");
	buf_release(&b);
	stop();
}

TEST(json)
{
	REQUIRE(start());
	check_json("*" T,
		   "{\"list\":{\"next\":\"0xffff800000001000\",\"prev\":\"0xffff800000001008\"},"
		   "\"pid\":-7,\"low\":5,\"mid\":-3,\"high\":2800862,"
		   "\"comm\":\"a\\\"\\n\\u0001\\u00ff\",\"word\":8589934593,\"a\":1,\"b\":2,"
		   "\"state\":\"DEAD\",\"flags\":5,\"fn\":\"0x0\",\"next\":\"0x0\","
		   "\"grid\":[[10,11,12],[13,14,15]],\"on\":true,\"letter\":122,"
		   "\"big\":-9223372036854775808,"
		   "\"many\":[0,0,0,0,0,0,0,0,0,18446744073709551615]}");
	check_style(T "->grid", (struct value_style){ .array_max = 1 }, true,
		    "[[10,{\"absent\":\"limit\",\"left\":2}],{\"absent\":\"limit\",\"left\":1}]");
	stop();
}

/* No compiler makes a struct that contains itself, but a damaged dump's BTF may tell of one: here
 * 64 times in each, of 128 KiB, three levels deep: 545 MB if each is held. */
TEST(a_struct_that_contains_itself_does_not_fill_memory)
{
	static struct member in[64];
	static struct type loop = { .kind = TYPE_STRUCT,
				    .name = "loop",
				    .size = 128 << 10,
				    .filled = true,
				    .members = in,
				    .n_members = 64 };
	struct value_style style = { .depth = 3 };
	struct buf b = { 0 };

	REQUIRE(start());
	for (unsigned i = 0; i < 64; i++)
		in[i] = (struct member){ .name = "in", .type = &loop, .bit_off = (i + 1) * 64 };
	value_to_text(&b, &k.t, value_ref(&loop, KERNEL_BASE), &style);
	CHECK(k.scratch.total < (size_t)100 << 20);
	buf_release(&b);
	value_to_json(&b, &k.t, value_ref(&loop, KERNEL_BASE), &style);
	CHECK(k.scratch.total < (size_t)200 << 20);
	buf_release(&b);
	stop();
}

TEST(raw_bytes)
{
	struct value_style raw = { .raw = true };

	REQUIRE(start());
	check_style(T "->list", raw, false,
		    "ffff800000001000:  ffff800000001000 ffff800000001008   ................");
	check_style(T "->pid", raw, false,
		    "ffff800000001010:          fffffff9                    ....");
	stop();
}

static void check_definition(const char *name, struct definition d, const char *want)
{
	const struct type *type;
	struct buf b = { 0 };

	if (!CHECK_OK(type_find(&k.t, name, &type, &err), err) ||
	    !CHECK_OK(definition_text(&k.t, &b, type, &d, &err), err))
		return;
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

/* Each of 17 bodies without a name holds the one before it twice: more lines than are written, and
 * that is said. */
TEST(definition_of_many)
{
	static struct type body[18];
	static struct member in[18][2];
	struct definition d = { 0 };
	struct buf b = { 0 };

	REQUIRE(start());
	body[0] = kernel_base_type(&k, TYPE_INT, 4, true);
	for (size_t i = 1; i < ARRAY_SIZE(body); i++) {
		in[i][0] = in[i][1] = (struct member){ .type = &body[i - 1] };
		body[i] = (struct type){ .kind = TYPE_STRUCT,
					 .size = 4,
					 .filled = true,
					 .members = in[i],
					 .n_members = 2 };
	}
	CHECK_OK(definition_text(&k.t, &b, &body[17], &d, &err), err);
	CHECK(strstr(buf_text(&b), "... /* more than 100000 lines */\n"));
	buf_release(&b);
	stop();
}

TEST(definitions)
{
	REQUIRE(start());
	check_definition("struct list_head", (struct definition){ .offsets = true },
			 "struct list_head {\n"
			 "     [0] struct list_head *next;\n"
			 "     [8] struct list_head *prev;\n"
			 "}\nSIZE: 16");
	check_definition("struct list_head", (struct definition){ .sizes = true },
			 "struct list_head {\n"
			 "    struct list_head *next; /* 8 */\n"
			 "    struct list_head *prev; /* 8 */\n"
			 "}\nSIZE: 16");
	check_definition("struct thing", (struct definition){ .offsets = true, .only = "mid" },
			 "struct thing {\n"
			 "   [20:3] int mid : 7;\n"
			 "}");
	check_definition("pid_t", (struct definition){ 0 }, "typedef int pid_t;\nSIZE: 4");
	check_definition("enum state", (struct definition){ 0 },
			 "enum state {\n"
			 "    IDLE = 0,\n"
			 "    RUN = 1,\n"
			 "    DEAD = -1,\n"
			 "}\nSIZE: 4");
	stop();
}

TEST_MAIN
