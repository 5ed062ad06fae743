/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the target as a whole: what VMCOREINFO says, facts, warnings, and what it frees. */
#include "core/base/test.h"
#include "core/image/target.h"

static struct target t;
static struct arena scratch;

static void start(const char *vmcoreinfo)
{
	target_init(&t, &scratch);
	t.vmcoreinfo.text = vmcoreinfo;
	t.vmcoreinfo.n = vmcoreinfo ? strlen(vmcoreinfo) : 0;
}

/* Lines of key=value, as VMCOREINFO_OSRELEASE(), _SYMBOL(), _NUMBER() and _LENGTH() of
 * include/linux/crash_core.h write them. */
#define INFO                                       \
	"OSRELEASE=6.1.0-28-amd64\n"               \
	"PAGESIZE=4096\n"                          \
	"SYMBOL(init_uts_ns)=ffffffff82a14a80\n"   \
	"SYMBOL(upper)=FFFFABCDEF012345\n"         \
	"SYMBOL(prefixed)=0xffffffff81000000\n"    \
	"NUMBER(phys_base)=-1073741824\n"          \
	"NUMBER(mask)=0x10\n"                      \
	"NUMBER(smallest)=-9223372036854775808\n"  \
	"NUMBER(large)=18446744073709551615\n"     \
	"NUMBER(too_large)=18446744073709551616\n" \
	"SYMBOL(too_large)=1ffffffffffffffff\n"    \
	"NUMBER(empty)=\n"                         \
	"NUMBER(minus)=-\n"                        \
	"NUMBER(prefix)=0x\n"                      \
	"NUMBER(tail)=12x\n"                       \
	"NUMBER(hex)=ff\n"                         \
	"SYMBOL(hex)=fg\n"                         \
	"NUMBER(one)=7\n"                          \
	"CRASHTIME=1\n"                            \
	"LAST=end"

TEST(texts_of_vmcoreinfo)
{
	const char *s = NULL;
	size_t n = 0;

	start(INFO);
	REQUIRE(vmcoreinfo_str(&t, "OSRELEASE", &s, &n));
	CHECK(n == 14 && !memcmp(s, "6.1.0-28-amd64", n));
	REQUIRE(vmcoreinfo_str(&t, "LAST", &s, &n)); /* without an end of its line */
	CHECK(n == 3 && !memcmp(s, "end", n));
	REQUIRE(vmcoreinfo_str(&t, "NUMBER(empty)", &s, &n));
	CHECK_U64(n, 0);
	/* a key is the whole of what stands before '=' */
	CHECK(!vmcoreinfo_str(&t, "OSRELEAS", &s, &n));
	CHECK(!vmcoreinfo_str(&t, "RELEASE", &s, &n));
	CHECK(!vmcoreinfo_str(&t, "LAST=en", &s, &n));
	CHECK(!vmcoreinfo_str(&t, "LAST=end", &s, &n));
	t.vmcoreinfo.n -= 5; /* cut short: "LAS" */
	CHECK(!vmcoreinfo_str(&t, "LAST", &s, &n));
	CHECK(vmcoreinfo_str(&t, "CRASHTIME", &s, &n) && n == 1);
	target_release(&t);
	start(NULL);
	CHECK(!vmcoreinfo_str(&t, "LAST", &s, &n));
	target_release(&t);
}

TEST(numbers_of_vmcoreinfo)
{
	static const struct {
		const char *key;
		bool found;
		int64_t want;
	} numbers[] = {
		{ "PAGESIZE", true, 4096 },
		{ "NUMBER(phys_base)", true, -1073741824 },
		{ "NUMBER(mask)", true, 16 }, /* as arm64 writes its masks */
		{ "NUMBER(smallest)", true, INT64_MIN },
		{ "NUMBER(large)", true, -1 },
		{ "NUMBER(one)", true, 7 },
		{ "NUMBER(too_large)", false, 0 },
		{ "NUMBER(empty)", false, 0 },
		{ "NUMBER(minus)", false, 0 },
		{ "NUMBER(prefix)", false, 0 },
		{ "NUMBER(tail)", false, 0 },
		{ "NUMBER(hex)", false, 0 },
		{ "OSRELEASE", false, 0 },
		{ "nothing", false, 0 },
	};
	static const struct {
		const char *key;
		bool found;
		uint64_t want;
	} symbols[] = {
		{ "SYMBOL(init_uts_ns)", true, UINT64_C(0xffffffff82a14a80) },
		{ "SYMBOL(upper)", true, UINT64_C(0xffffabcdef012345) },
		{ "SYMBOL(prefixed)", true, UINT64_C(0xffffffff81000000) },
		{ "NUMBER(one)", true, 7 },
		{ "SYMBOL(too_large)", false, 0 },
		{ "SYMBOL(hex)", false, 0 },
		{ "NUMBER(empty)", false, 0 },
		{ "SYMBOL(none)", false, 0 },
	};

	start(INFO);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		int64_t v = 0;

		if (!CHECK(vmcoreinfo_num(&t, numbers[i].key, &v) == numbers[i].found) ||
		    !CHECK(v == numbers[i].want))
			printf("  %s\n", numbers[i].key);
	}
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		uint64_t v = 0;

		if (!CHECK(vmcoreinfo_hex(&t, symbols[i].key, &v) == symbols[i].found) ||
		    !CHECK_U64(v, symbols[i].want))
			printf("  %s\n", symbols[i].key);
	}
	target_release(&t);
}

/* What the dump says of itself goes before what a reader found out; of that, the first. */
TEST(facts)
{
	struct arch_facts f;
	uint64_t v = 0;

	start(INFO);
	target_add_fact(&t, "one", 100);
	target_add_fact(&t, "two", 200);
	target_add_fact(&t, "three", 300);
	target_add_fact(&t, "two", 222);
	f = target_facts(&t);
	CHECK(f.number(f.self, "one", &v) && v == 7);
	CHECK(f.number(f.self, "PAGESIZE", &v) && v == 4096);
	CHECK(f.number(f.self, "phys_base", &v) && v == (uint64_t)-1073741824);
	CHECK(f.number(f.self, "two", &v) && v == 200);
	CHECK(f.number(f.self, "three", &v) && v == 300);
	CHECK(!f.number(f.self, "four", &v));
	CHECK(f.symbol(f.self, "init_uts_ns", &v) && v == UINT64_C(0xffffffff82a14a80));
	CHECK(!f.symbol(f.self, "one", &v));
	target_release(&t);
}

TEST(addresses_are_as_wide_as_words)
{
	start(NULL);
	CHECK_U64((uint64_t)target_addr_digits(NULL), 16);
	CHECK_U64((uint64_t)target_addr_digits(&t), 16);
	t.arch = &arch_arm;
	CHECK_U64((uint64_t)target_addr_digits(&t), 8);
	t.arch = &arch_aarch64;
	CHECK_U64((uint64_t)target_addr_digits(&t), 16);
	target_release(&t);
}

TEST(what_is_lacking_is_told_once)
{
	struct err a, b, c;

	start(NULL);
	err_set(&a, ERR_NOFIELD, "no member 'x'");
	err_set(&b, ERR_NOSYM, "no member 'x'");
	err_set(&c, ERR_INTR, "interrupted");
	target_warn(&t, ERR_CORRUPT, "%s %d", "first", 1);
	target_lacks(&t, &a);
	target_lacks(&t, &a);
	target_lacks(&t, &b); /* of another kind */
	target_lacks(&t, &a);
	target_lacks(&t, &c);
	REQUIRE(t.warnings.n == 3);
	CHECK_STR(t.warnings.p[0].text, "first 1");
	CHECK_U64(t.warnings.p[0].code, ERR_CORRUPT);
	CHECK_STR(t.warnings.p[1].text, "no member 'x'");
	CHECK_U64(t.warnings.p[1].code, ERR_NOFIELD);
	CHECK_U64(t.warnings.p[2].code, ERR_NOSYM);
	target_release(&t);
}

static int order[4];
static size_t n_order;

static void note(void *what)
{
	order[n_order++] = *(int *)what;
}

/* What was deferred last may use what was deferred before. */
TEST(the_last_is_freed_first)
{
	int numbers[] = { 1, 2, 3 };

	start(NULL);
	for (size_t i = 0; i < 3; i++)
		target_defer(&t, note, &numbers[i]);
	target_release(&t);
	REQUIRE(n_order == 3);
	CHECK(order[0] == 3 && order[1] == 2 && order[2] == 1);
}

TEST_MAIN
