/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of Rust's names: by the grammar of RFC 2603, whose own examples are among them. */
#include "core/base/test.h"
#include "core/report/report.h"

static void check(const char *name, const char *want, int line)
{
	struct arena a = { 0 };

	test_check_str(rust_plain(&a, name, strlen(name)), want, __FILE__, line, name);
	arena_release(&a);
}
#define CHECK_NAME(name, want) check((name), (want), __LINE__)

TEST(paths)
{
	/* the RFC's: mycrate::example, mycrate::foo::bar with hashes of crates */
	CHECK_NAME("_RNvC7mycrate7example", "mycrate::example");
	CHECK_NAME("_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar");
	CHECK_NAME("_RNvNtCsi4BaDXxPRWc_4core9panicking9panic_fmt", "core::panicking::panic_fmt");
	CHECK_NAME("_RNvCscb18lrEyTSA_7___rustc17rust_begin_unwind", "__rustc::rust_begin_unwind");
	/* with generic arguments: mycrate::example::<i32>, of another crate */
	CHECK_NAME("_RINvC7mycrate7examplelEC6author", "mycrate::example");
	/* an identifier that begins with a digit has an underscore in front */
	CHECK_NAME("_RNvC7mycrate3_9ab", "mycrate::9ab");
}

TEST(methods_and_closures)
{
	/* <mycrate::Foo>::bar, with the type once more by reference to the crate */
	CHECK_NAME("_RNvMCs1Cvw4QVbZH8_9rust_frobNtB2_4Frob4load", "rust_frob::Frob::load");
	/* <mycrate::Foo as core::Drop>::drop */
	CHECK_NAME("_RNvXC7mycrateNtB2_3FooNtC4core4Drop4drop",
		   "<mycrate::Foo as core::Drop>::drop");
	/* the second closure in mycrate::foo */
	CHECK_NAME("_RNCNvC7mycrate3foos_0", "mycrate::foo::{closure}");
	/* <&[u8] as mycrate::Tr>::go */
	CHECK_NAME("_RNvYRShNtC7mycrate2Tr2go", "<&[] as mycrate::Tr>::go");
}

TEST(two_builds_of_one_function_have_one_name)
{
	struct arena a = { 0 };

	CHECK_STR(function_plain(&a, "_RNvMCs1Cvw4QVbZH8_4frobNtB2_4Frob4load"),
		  function_plain(&a, "_RNvMs_Csi4BaDXxPRWc_4frobNtB4_4Frob4load.llvm.123"));
	CHECK_U64(function_class(function_plain(&a, "_RNvNtCsi4BaDXxPRWc_4core9panicking5panic")),
		  FUNC_REPORT);
	CHECK_U64(function_class(function_plain(&a, "_RNvCscb1_7___rustc17rust_begin_unwind")),
		  FUNC_REPORT);
	CHECK_U64(function_class(function_plain(&a, "_RNvMC4frobNtB2_4Frob4load")), FUNC_PLAIN);
	arena_release(&a);
}

TEST(what_is_none_stays_as_it_is)
{
	static const char *const bad[] = {
		"",           "_",          "_R",   "_RN",      "_RNv",   "_RNvC99a1b",
		"_RNvC7mycr", "_Read_lock", "_RB_", "_RNvB_1a", "_RC1as", "_RNvC1a4294967296000b",
		"_RIC1a",
	};
	struct arena a = { 0 };
	char deep[400];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!rust_plain(&a, bad[i], strlen(bad[i])));
	CHECK_STR(function_plain(&a, "_Read_lock"), "_Read_lock");
	/* no end of references and of types within types */
	memset(deep, 'R', sizeof(deep));
	memcpy(deep, "_RNvY", 5);
	CHECK(!rust_plain(&a, deep, sizeof(deep)));
	for (size_t i = 2; i + 2 < sizeof(deep); i += 2)
		memcpy(deep + i, "Nv", 2);
	CHECK(!rust_plain(&a, deep, sizeof(deep)));
	arena_release(&a);
}

TEST_MAIN
