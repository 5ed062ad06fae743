/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of parameters: each form as the kernel's own functions print it, and what is gone. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/module/module.h"

#define TABLE (KERNEL_BASE + 0x1000)
#define NAMES (KERNEL_BASE + 0x2000)
#define VALUES (KERNEL_BASE + 0x3000)
#define INIT (KERNEL_BASE + 0x8000)
#define OPS(i) (KERNEL_BASE + 0x10000 + (i)*0x40)

static const char *const ops[] = { "param_ops_byte",   "param_ops_short",   "param_ops_int",
				   "param_ops_uint",   "param_ops_hexint",  "param_ops_bool",
				   "param_ops_long",   "param_ops_invbool", "param_ops_charp",
				   "param_ops_string", "param_array_ops" };
enum {
	BYTE,
	SHORT,
	INT,
	UINT,
	HEXINT,
	BOOL,
	LONG,
	INVBOOL,
	CHARP,
	STRING,
	ARRAY,
	OWN /* none of these */
};

static void lay(struct fake_kernel *k)
{
	kernel_init(k);
	WORDS(k, "kernel_param", "name", "ops", "perm", "arg");
	WORDS(k, "kparam_string", "maxlen", "string");
	WORDS(k, "kparam_array", "max", "num", "elemsize", "ops", "elem");
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		kernel_symbol(k, ops[i], OPS(i));
	kernel_symbol(k, "__start___param", TABLE);
	kernel_symbol(k, "__init_begin", INIT);
	kernel_symbol(k, "__init_end", INIT + 0x1000);
}

/* The end of the table moves behind it. */
static void put_param(struct fake_kernel *k, unsigned i, unsigned of, uint64_t arg)
{
	char name[] = "drv.a";

	name[4] = (char)('a' + i);
	put_str(k, NAMES + i * 0x10, name);
	put64(k, TABLE + i * 32, NAMES + i * 0x10);
	put64(k, TABLE + i * 32 + 8, OPS(of));
	put64(k, TABLE + i * 32 + 16, 0444);
	put64(k, TABLE + i * 32 + 24, arg);
}

struct seen {
	struct module_param p[16];
	size_t n, flaws;
};

static bool see(const struct module_param *p, void *arg)
{
	struct seen *seen = arg;

	seen->p[seen->n++] = *p;
	return seen->n < ARRAY_SIZE(seen->p);
}

static void see_flaw(const struct err *e, void *arg)
{
	struct seen *seen = arg;

	(void)e;
	seen->flaws++;
}

static struct seen walk(struct fake_kernel *k, unsigned n)
{
	struct seen seen = { .n = 0 };
	struct err err;

	kernel_symbol(k, "__stop___param", TABLE + n * 32);
	CHECK_OK(module_params_each(&k->t, &k->scratch, NULL, see, see_flaw, &seen, &err), err);
	return seen;
}

TEST(numbers_are_printed_as_the_kernel_does)
{
	static struct fake_kernel k;
	static const char *const want[] = { "255",      "-2", "-1", "4294967295",
					    "0x0000ff", "Y",  "-5", "N" };
	struct seen seen;

	lay(&k);
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		put_param(&k, i, i, VALUES + i * 8);
	k.mem[VALUES - KERNEL_BASE] = 0xff;
	target_store(&k.t, &k.mem[VALUES + 8 - KERNEL_BASE], 2, 0xfffe);
	put32(&k, VALUES + 16, 0xffffffffu);
	put32(&k, VALUES + 24, 0xffffffffu);
	put32(&k, VALUES + 32, 0xff);
	k.mem[VALUES + 40 - KERNEL_BASE] = 1;
	put64(&k, VALUES + 48, (uint64_t)-5);
	k.mem[VALUES + 56 - KERNEL_BASE] = 1;
	seen = walk(&k, ARRAY_SIZE(want));
	REQUIRE(seen.n == ARRAY_SIZE(want));
	for (unsigned i = 0; i < ARRAY_SIZE(want); i++)
		CHECK_STR(seen.p[i].value, want[i]);
	CHECK_STR(seen.p[1].name, "drv.b");
	CHECK_STR(seen.p[1].kind, "short");
	CHECK_U64(seen.p[1].perm, 0444);
	kernel_release(&k);
}

TEST(texts_and_arrays_lie_elsewhere)
{
	static struct fake_kernel k;
	struct seen seen;

	lay(&k);
	put_param(&k, 0, CHARP, VALUES);
	put64(&k, VALUES, VALUES + 0x100);
	put_str(&k, VALUES + 0x100, "deflate");
	put_param(&k, 1, CHARP, VALUES + 8); /* NULL */
	put_param(&k, 2, STRING, VALUES + 0x10);
	put64(&k, VALUES + 0x18, VALUES + 0x108);
	put_str(&k, VALUES + 0x108, "menu");
	put_param(&k, 3, ARRAY, VALUES + 0x20); /* of 4 ints two are in use */
	put64(&k, VALUES + 0x20, 4);
	put64(&k, VALUES + 0x28, VALUES + 0x110);
	put32(&k, VALUES + 0x110, 2);
	put64(&k, VALUES + 0x30, 4);
	put64(&k, VALUES + 0x38, OPS(INT));
	put64(&k, VALUES + 0x40, VALUES + 0x118);
	put32(&k, VALUES + 0x118, 7);
	put32(&k, VALUES + 0x11c, (uint32_t)-1);
	seen = walk(&k, 4);
	REQUIRE(seen.n == 4);
	CHECK_STR(seen.p[0].value, "deflate");
	CHECK_STR(seen.p[1].value, "(null)");
	CHECK_STR(seen.p[2].value, "menu");
	CHECK_STR(seen.p[3].value, "7,-1");
	CHECK_STR(seen.p[3].kind, "array of int");
	put32(&k, VALUES + 0x110, 5); /* more than there is room for */
	seen = walk(&k, 4);
	CHECK(!seen.p[3].value);
	CHECK_ERR(seen.p[3].why, ERR_CORRUPT);
	kernel_release(&k);
}

TEST(what_is_not_known_has_no_value)
{
	static struct fake_kernel k;
	struct seen seen;

	lay(&k);
	put_param(&k, 0, OWN, VALUES);
	put_param(&k, 1, INT, INIT + 0x10); /* was of the start alone */
	put_param(&k, 2, STRING, VALUES + 0x10);
	put64(&k, VALUES + 0x18, INIT + 0x20);
	put_param(&k, 3, INT, VALUES + 0x2000);
	put_param(&k, 4, INT, VALUES);
	put64(&k, TABLE + 4 * 32, 0x10); /* its name is nowhere */
	k.holes = 1u << ((VALUES + 0x2000 - KERNEL_BASE) / 0x1000);
	seen = walk(&k, 5);
	REQUIRE(seen.n == 4);
	CHECK_U64(seen.flaws, 1);
	for (unsigned i = 0; i < 4; i++)
		CHECK(!seen.p[i].value);
	CHECK(!seen.p[0].kind && !seen.p[0].freed && seen.p[0].why.code == ERR_OK);
	CHECK(seen.p[1].freed && seen.p[1].why.code == ERR_OK);
	CHECK(seen.p[2].freed && seen.p[2].why.code == ERR_OK);
	CHECK(!seen.p[3].freed);
	CHECK_ERR(seen.p[3].why, ERR_EXCLUDED);
	kernel_release(&k);
}

TEST_MAIN
