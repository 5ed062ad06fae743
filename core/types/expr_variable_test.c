/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what an expression keeps and names with '$', and of the types of a kernel's variables.
 */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/types/expr.h"

static struct fake_kernel k;
static struct err err;

static uint64_t number(const char *text, const struct expr_hooks *hooks)
{
	struct value v;
	uint64_t n = 0;

	err.msg[0] = '\0';
	return expr_eval(&k.t, text, hooks, &v, &err) && value_u64(&k.t, v, &n, &err) ? n
										      : UINT64_MAX;
}

static void keep(uint64_t n)
{
	expr_keep(&k.t, value_int(&k.t, &k.u64, n));
}

/* As gdb's value history has it: "$" the last, "$$" the one before, "$$n" the n-th before the last,
 * "$n" the n-th of all. */
TEST(results_that_were_printed)
{
	static const struct {
		const char *name;
		uint64_t want; /* UINT64_MAX: none */
	} cases[] = {
		{ "$", 107 },          { "$$", 106 },
		{ "$$0", 107 },        { "$$1", 106 },
		{ "$$2", 105 },        { "$$6", 101 },
		{ "$$7", UINT64_MAX }, { "$1", 101 },
		{ "$7", 107 },         { "$8", UINT64_MAX },
		{ "$0", UINT64_MAX },  { "$1 + $$", 207 },
		{ "$$$", UINT64_MAX }, { "$x", UINT64_MAX },
		{ "$1x", UINT64_MAX }, { "$99999999999999999999", UINT64_MAX },
	};

	kernel_init(&k);
	CHECK_U64(number("$", NULL), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "p has printed 0");
	CHECK_U64(number("$$", NULL), UINT64_MAX);
	keep(101);
	CHECK_U64(number("$", NULL), 101);
	CHECK_U64(number("$$", NULL), UINT64_MAX); /* nothing is before it */
	CHECK_U64(number("$$0", NULL), 101);
	for (uint64_t n = 102; n < 108; n++)
		keep(n);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (!CHECK_U64(number(cases[i].name, NULL), cases[i].want))
			printf("  %s: %s\n", cases[i].name, err.msg);
	CHECK_U64(number("$x", NULL), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "no variable '$x'");
	kernel_release(&k);
}

/* What is kept outlives the command: bytes are copied, what lies in memory is its place. */
TEST(results_are_kept)
{
	struct type large = { .kind = TYPE_INT, .size = 1 << 20, .filled = true };
	uint8_t bytes[8] = { 1 };
	struct value v;

	kernel_init(&k);
	put64(&k, KERNEL_BASE + 0x100, 55);
	expr_keep(&k.t, value_bytes(&k.u64, bytes, 0));
	v = value_bytes(&k.u64, bytes, KERNEL_BASE + 0x100);
	expr_keep(&k.t, v); /* of memory */
	v.bit_size = 3;
	expr_keep(&k.t, v); /* bits have no place of their own */
	expr_keep(&k.t, value_ref(&large, KERNEL_BASE + 0x100));
	expr_keep(&k.t, value_bytes(&large, k.mem, 0)); /* too large */
	bytes[0] = 2;
	put64(&k, KERNEL_BASE + 0x100, 56);
	CHECK_U64(number("$1", NULL), 1);
	CHECK_U64(number("$2", NULL), 56);
	CHECK_U64(number("$3", NULL), 1);
	CHECK_U64(number("&$4", NULL), KERNEL_BASE + 0x100);
	CHECK_U64(number("$5", NULL), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "'$5' was too large to be kept");
	kernel_release(&k);
}

static bool task(struct target *t, bool current, uint64_t *addr, struct err *e)
{
	(void)t;
	*addr = KERNEL_BASE + 0x1000;
	return current || err_set(e, ERR_NOTFOUND, "nobody panicked");
}

TEST(tasks_by_name)
{
	const struct expr_hooks hooks = { .task = task }, none = { .task = NULL };

	kernel_init(&k);
	CHECK_U64(number("$current", &hooks), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "task_struct"); /* it has no type */
	kernel_struct(&k, "task_struct", 64);
	CHECK_U64(number("$current", &none), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "tasks are not known here");
	CHECK_U64(number("$current", NULL), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "tasks are not known here");
	kernel_release(&k);
	kernel_init(&k);
	kernel_struct(&k, "task_struct", 64);
	CHECK_U64(number("$current", &hooks), KERNEL_BASE + 0x1000);
	CHECK_U64(number("sizeof(*$current)", &hooks), 64);
	CHECK_U64(number("$panic", &hooks), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "nobody panicked");
	expr_current_set(&k.t, KERNEL_BASE + 0x2000);
	CHECK_U64(number("$current", &hooks), KERNEL_BASE + 0x2000);
	CHECK_U64(number("$current", NULL), KERNEL_BASE + 0x2000);
	CHECK_U64(number("$panic", &hooks), UINT64_MAX); /* that is somebody else */
	CHECK_U64(number("$currents", &hooks), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "no variable");
	kernel_release(&k);
}

/* ---- the types of variables */

/* A variable of a frame; known false: its value is not proven. */
static struct variable local(const char *name, unsigned level, bool known, uint64_t n)
{
	struct variable v = { .name = name, .level = level, .known = known };

	v.value = value_int(&k.t, &k.u64, n);
	err_set(&v.why, ERR_NOTFOUND, "optimized out");
	return v;
}

/* C's scopes: what an inner block declares hides what is outside of it, and blocks come from
 * outside in. What is inlined into a function is another function. The last level is the frame's
 * own. */
TEST(variables_of_a_frame)
{
	static const struct expr_hooks hooks = { .task = task };
	struct variable v[8];
	struct expr_frame f = { .n = 3, .func = "f", .variables = v, .n_variables = ARRAY_SIZE(v) };
	struct value got;

	kernel_init(&k);
	kernel_symbol(&k, "req", KERNEL_BASE);
	v[0] = local("req", 1, true, 10);
	v[1] = local("len", 1, true, 11);
	v[2] = local("len", 1, true, 12); /* of a block in it */
	v[3] = local("req", 0, true, 13); /* of a function that is inlined */
	v[4] = local("only", 0, true, 14);
	v[5] = local("gone", 1, false, 15);
	v[6] = local("part", 1, false, 16);
	v[7] = local("part.file", 1, true, 17);
	CHECK(!expr_frame_of(&k.t) && !expr_local(&k.t, "len"));
	(void)expr_frame_begin(&k.t);
	expr_frame_set(&k.t, &f);
	CHECK_U64(number("req", &hooks), 10); /* before the symbol */
	CHECK_U64(number("len + only", &hooks), 26);
	CHECK_U64(number("part.file", &hooks), 17);
	CHECK_U64(number("part.files", &hooks), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "'part' of frame 3: optimized out");
	CHECK_U64(number("1 + gone", &hooks), UINT64_MAX);
	CHECK_CONTAINS(err.msg, "column 5: 'gone' of frame 3: optimized out");
	CHECK_U64(number("sizeof(gone)", &hooks), 8); /* takes no value */
	CHECK_U64(number("le", &hooks), UINT64_MAX);
	/* what the program itself evaluates is about no frame */
	CHECK_U64(number("len", NULL), UINT64_MAX);
	CHECK(expr_eval(&k.t, "&req", NULL, &got, &err));
	/* another task, another stack */
	expr_current_set(&k.t, KERNEL_BASE);
	CHECK(!expr_frame_of(&k.t));
	CHECK_U64(number("len", &hooks), UINT64_MAX);
	kernel_release(&k);
}

static const struct type *declared;
static uint64_t asked_at;
static enum err_code says;

static bool variable(struct type_source *s, const char *name, uint64_t addr,
		     const struct type **ret, struct err *e)
{
	(void)s;
	asked_at = addr;
	*ret = declared;
	return !says ? !strcmp(name, "jiffies") || !strcmp(name, "table") ||
			       err_set(e, ERR_NOTYPE, "no variable")
		     : err_set(e, says, "stopped");
}

static const struct type *type_of(const char *name, uint64_t addr, uint64_t size)
{
	const struct symbol sym = { .name = name, .addr = addr, .size = size, .type = 'D' };
	const struct type *type = NULL;

	return type_of_symbol(&k.t, &sym, &type, &err) ? type : NULL;
}

/* Debug information has the address that the linker gave; per-CPU offsets never moved. */
TEST(variables_are_sought_where_they_were_linked)
{
	kernel_init(&k);
	k.source.variable = variable;
	declared = &k.u64;
	k.t.kaslr = 0x1000;
	CHECK(type_of("jiffies", KERNEL_BASE + 0x5000, 8) == &k.u64);
	CHECK_U64(asked_at, KERNEL_BASE + 0x4000);
	CHECK(type_of("jiffies", 0x5000, 8) == &k.u64);
	CHECK_U64(asked_at, 0x5000);
	k.t.arch = NULL; /* nobody knows what an address is */
	CHECK(type_of("jiffies", 0x5000, 8) == &k.u64);
	CHECK_U64(asked_at, 0x4000);
	k.t.arch = &k.arch;
	/* what no source tells, a few know by heart; unless somebody interrupts */
	CHECK(!type_of("nothing", KERNEL_BASE, 8));
	CHECK_ERR(err, ERR_NOTYPE);
	CHECK_CONTAINS(err.msg, "the type of 'nothing' is not known");
	says = ERR_INTR;
	CHECK(!type_of("jiffies", KERNEL_BASE, 8));
	CHECK_ERR(err, ERR_INTR);
	says = ERR_OK;
	kernel_release(&k);
}

/* What no source tells of, and every kernel declares the same. */
TEST(variables_that_are_known_by_heart)
{
	struct type *type;

	kernel_init(&k);
	type = kernel_struct(&k, "long unsigned int", 8);
	type->kind = TYPE_INT;
	CHECK(type_of("page_offset_base", KERNEL_BASE, 8) == type);
	CHECK(type_of("vmemmap_base", KERNEL_BASE, 8) == type); /* near the list's end */
	CHECK(!type_of("panic_cpu", KERNEL_BASE, 4)); /* known, but its type is not here */
	CHECK_CONTAINS(err.msg, "atomic_t");
	CHECK(!type_of("page_offset_bas", KERNEL_BASE, 8));
	CHECK_CONTAINS(err.msg, "the type of 'page_offset_bas' is not known");
	kernel_release(&k);
}

/* "extern char x[]": the definition has the length, and the symbol its size. */
TEST(arrays_that_were_declared_without_a_length)
{
	static const struct {
		uint64_t size, count;
	} cases[] = { { 24, 3 }, { 8, 1 }, { 0, 0 }, { 12, 0 }, { 23, 0 } };
	const struct type *type;

	kernel_init(&k);
	k.source.variable = variable;
	declared = kernel_array(&k, &k.u64, 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		type = type_of("table", KERNEL_BASE, cases[i].size);
		REQUIRE(type != NULL);
		CHECK_U64(type->count, cases[i].count);
		CHECK(type_target(type) == &k.u64);
	}
	declared = kernel_array(&k, &k.u64, 2); /* what was said stays */
	CHECK(type_of("table", KERNEL_BASE, 24) == declared);
	declared = &k.u64;
	CHECK(type_of("table", KERNEL_BASE, 24) == &k.u64);
	kernel_release(&k);
}

static uint64_t number_of(struct target *t, const char *text)
{
	struct value v;
	uint64_t n;

	if (!CHECK_OK(expr_eval(t, text, NULL, &v, &err), err) ||
	    !CHECK_OK(value_u64(t, v, &n, &err), err))
		return UINT64_MAX;
	return n;
}

TEST(what_was_set_lasts)
{
	struct value v;

	kernel_init(&k);
	REQUIRE(expr_eval(&k.t, "40 + 2", NULL, &v, &err));
	REQUIRE_OK(expr_variable_set(&k.t, "$x", v, &err), err);
	/* what a line is made of is gone with it */
	arena_reset(k.t.scratch);
	memset(arena_alloc(k.t.scratch, 4096), 0xff, 4096);
	CHECK_U64(number_of(&k.t, "$x"), 42);
	REQUIRE(expr_eval(&k.t, "$x * $x", NULL, &v, &err));
	REQUIRE_OK(expr_variable_set(&k.t, "$x", v, &err), err);
	CHECK_U64(number_of(&k.t, "$x - 1"), 1763);
	REQUIRE(expr_eval(&k.t, "\"text\"", NULL, &v, &err));
	REQUIRE_OK(expr_variable_set(&k.t, "$text_2", v, &err), err);
	arena_reset(k.t.scratch);
	memset(arena_alloc(k.t.scratch, 4096), 0xff, 4096);
	CHECK_U64(number_of(&k.t, "$text_2 == \"text\""), 1);
	CHECK_STR(expr_variable_name(&k.t, 0), "$x");
	CHECK_STR(expr_variable_name(&k.t, 1), "$text_2");
	CHECK(!expr_variable_name(&k.t, 2));
	kernel_release(&k);
}

TEST(names_that_cannot_be_set)
{
	static const char *const names[] = { "$",      "$$", "$1",  "$_", "$it",
					     "$panic", "x",  "$a$", "$n", "$current" };
	const struct expr_param param = { .name = "$n", .text = "1" };
	const struct expr_params params = { &param, 1 };
	struct value v;

	kernel_init(&k);
	REQUIRE(expr_eval(&k.t, "1", NULL, &v, &err));
	expr_params_swap(&k.t, &params);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!CHECK(!expr_variable_set(&k.t, names[i], v, &err)))
			printf("  %s\n", names[i]);
	kernel_release(&k);
}

TEST(an_operand_is_evaluated_by_itself)
{
	static const struct {
		const char *operand, *text;
		uint64_t want;
	} cases[] = {
		{ "1 + 1", "2 * $n", 4 },     { "1 + 1", "$n * 2", 4 }, { "0 || 1", "1 && !$n", 0 },
		{ "1 ? 2 : 3", "$n + 1", 3 }, { "$x", "$n", 5 },
	};
	static const char *const wrong[] = { "1)", "(1", "$n", "1 +", "", "1) + (1", "1 2" };
	struct expr_param param = { .name = "$n" };
	const struct expr_params params = { &param, 1 };
	struct value v;

	kernel_init(&k);
	REQUIRE(expr_eval(&k.t, "5", NULL, &v, &err) && expr_variable_set(&k.t, "$x", v, &err));
	CHECK(!expr_params_swap(&k.t, &params));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		param.text = cases[i].operand;
		CHECK_U64(number_of(&k.t, cases[i].text), cases[i].want);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		param.text = wrong[i];
		CHECK(!expr_eval(&k.t, "($n)", NULL, &v, &err));
		CHECK_CONTAINS(err.msg, "$n, '");
	}
	param.text = "a(b";
	param.quoted = true;
	CHECK_U64(number_of(&k.t, "$n == \"a(b\""), 1);
	CHECK(expr_params_swap(&k.t, NULL) == &params);
	CHECK(!expr_eval(&k.t, "$n", NULL, &v, &err));
	kernel_release(&k);
}

TEST(what_was_shown_last)
{
	struct value v, it;

	kernel_init(&k);
	CHECK(!expr_eval(&k.t, "$_", NULL, &v, &err) && !expr_variable_known(&k.t, "$_"));
	CHECK(!expr_eval(&k.t, "$it", NULL, &v, &err) && !expr_variable_known(&k.t, "$it"));
	REQUIRE(expr_eval(&k.t, "3", NULL, &v, &err));
	expr_keep(&k.t, v);
	CHECK_U64(number_of(&k.t, "$_ + $"), 6);
	REQUIRE(expr_eval(&k.t, "4", NULL, &it, &err));
	CHECK(!expr_it_swap(&k.t, &it));
	CHECK_U64(number_of(&k.t, "$_ + $it + $"), 11);
	CHECK(expr_it_swap(&k.t, NULL) == &it);
	CHECK_U64(number_of(&k.t, "$_"), 3);
	kernel_release(&k);
}

/* A stage may hold a value while another line of the same pipeline shows or sets another. */
TEST(a_value_outlives_its_variable)
{
	struct value v, shown, set;
	uint64_t n;

	kernel_init(&k);
	REQUIRE(expr_eval(&k.t, "7", NULL, &v, &err) && expr_variable_set(&k.t, "$x", v, &err));
	expr_shown(&k.t, v);
	REQUIRE(expr_eval(&k.t, "$_", NULL, &shown, &err));
	REQUIRE(expr_eval(&k.t, "$x", NULL, &set, &err));
	REQUIRE(expr_eval(&k.t, "8", NULL, &v, &err) && expr_variable_set(&k.t, "$x", v, &err));
	expr_shown(&k.t, v);
	CHECK(value_u64(&k.t, shown, &n, &err) && n == 7);
	CHECK(value_u64(&k.t, set, &n, &err) && n == 7);
	CHECK_U64(number_of(&k.t, "$x + $_"), 16);
	kernel_release(&k);
}

TEST_MAIN
