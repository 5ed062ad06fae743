/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of values, shapes and expressions on one struct laid out by hand
 * (readers/symbol/btf_fake.h). */
#include "core/base/test.h"
#include "core/types/shape.h"
#include "core/linux/kernel_fake.h"
#include "core/types/expr.h"
#include "readers/symbol/btf_fake.h"

#define THING (KERNEL_BASE + 0x1000)
#define OTHER (KERNEL_BASE + 0x2ff0) /* its comm begins on the next page */
#define TEXT (KERNEL_BASE + 0x4000)

static struct fake_kernel k;
static struct err err;

static bool start(void)
{
	kernel_init(&k);
	k.t.types.sources.n = 0; /* BTF instead of the fake's own types */
	kernel_symbol(&k, "thing", THING);
	kernel_symbol(&k, "unknown", TEXT);
	kernel_symbol(&k, "pending", 0x40);
	kernel_symbol(&k, "odd.isra.0", TEXT + 8);
	put64(&k, THING, THING + 0x800); /* list.next */
	put64(&k, THING + 8, THING + 0x800);
	put32(&k, THING + 16, (uint32_t)-7);
	/* low 5, mid -3, high 0x2abcde: bits 0..2, 3..9, 10..31 */
	put32(&k, THING + 20, 5u | (0x7du << 3) | (0x2abcdeu << 10));
	put_str(&k, THING + 24, "swapper/0");
	put64(&k, THING + 40, UINT64_C(0x0000000200000001));
	put32(&k, THING + 48, (uint32_t)-1);
	put32(&k, THING + 52, 5);
	put64(&k, THING + 64, OTHER);
	for (unsigned i = 0; i < 6; i++)
		k.mem[0x1000 + 72 + 2 * i] = (uint8_t)(10 + i);
	k.mem[0x1000 + 84] = 1;
	k.mem[0x1000 + 85] = 'z';
	put64(&k, THING + 88, (uint64_t)-9);
	put64(&k, THING + 96 + 8 * 9, 99);
	put32(&k, OTHER + 16, 42);
	put64(&k, KERNEL_BASE + 0x1840, 0xabcd); /* pending of CPU 0, at offset 0x1800 */
	return CHECK_OK(fake_btf_load(&k.t, &err), err);
}

static void stop(void)
{
	kernel_release(&k);
}

static struct value thing(bool load)
{
	const struct type *type = NULL;
	struct value v = { 0 };

	if (!CHECK_OK(type_find(&k.t, "struct thing", &type, &err), err))
		return v;
	v = value_ref(type, THING);
	return load ? value_load(&k.t, v) : v;
}

TEST(numbers_of_members)
{
	static const struct {
		const char *path;
		int64_t want;
	} cases[] = {
		{ "pid", -7 },
		{ "low", 5 },
		{ "mid", -3 },
		{ "high", 0x2abcde },
		{ "a", 1 },
		{ "b", 2 },
		{ "word", 0x200000001 },
		{ "state", -1 },
		{ "flags", 5 },
		{ "on", 1 },
		{ "letter", 'z' },
		{ "big", -9 },
		{ "many[9]", 99 },
		{ "grid[1][2]", 15 },
		{ "next.pid", 42 },
		{ "next->pid", 42 },
		{ "comm[1]", 'w' },
	};

	REQUIRE(start());
	for (int load = 0; load < 2; load++)
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			struct value v = thing(load), m;
			int64_t n = 0;

			CHECK_U64(v.kind, load ? VALUE_BYTES : VALUE_REF);
			if (CHECK_OK(value_member(&k.t, v, cases[i].path, &m, &err), err) &&
			    CHECK_OK(value_s64(&k.t, m, &n, &err), err) &&
			    !CHECK(n == cases[i].want))
				printf("  %s is %lld\n", cases[i].path, (long long)n);
		}
	stop();
}

TEST(signs_follow_the_type)
{
	struct value m;
	uint64_t n;

	REQUIRE(start());
	REQUIRE_OK(value_member(&k.t, thing(false), "pid", &m, &err), err);
	REQUIRE_OK(value_u64(&k.t, m, &n, &err), err);
	CHECK_U64(n, (uint64_t)-7);
	REQUIRE_OK(value_member(&k.t, thing(false), "many", &m, &err), err);
	CHECK(!value_u64(&k.t, m, &n, &err));
	CHECK_ERR(err, ERR_USAGE);
	stop();
}

TEST(text_of_members)
{
	struct value m;
	const char *s;

	REQUIRE(start());
	for (int load = 0; load < 2; load++) {
		REQUIRE_OK(value_member(&k.t, thing(load), "comm", &m, &err), err);
		REQUIRE_OK(value_str(&k.t, m, 64, &k.scratch, &s, &err), err);
		CHECK_STR(s, "swapper/0");
		REQUIRE_OK(value_str(&k.t, m, 4, &k.scratch, &s, &err), err);
		CHECK_STR(s, "swap");
	}
	stop();
}

TEST(what_is_not_there_says_why)
{
	struct value v, m;
	uint64_t n;

	REQUIRE(start());
	k.holes = 1 << 3; /* the page with OTHER's comm */
	REQUIRE_OK(value_member(&k.t, thing(false), "next", &m, &err), err);
	REQUIRE_OK(value_deref(&k.t, m, &v, &err), err);
	v = value_load(&k.t, v);
	CHECK_U64(v.kind, VALUE_REF); /* not whole: read by parts */
	REQUIRE_OK(value_member(&k.t, v, "list.next", &m, &err), err);
	CHECK_OK(value_u64(&k.t, m, &n, &err), err);
	REQUIRE_OK(value_member(&k.t, v, "big", &m, &err), err);
	CHECK(!value_u64(&k.t, m, &n, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	v = value_ref(v.type, 0x10);
	CHECK(!value_member(&k.t, v, "next.pid", &m, &err));
	CHECK_ERR(err, ERR_BADADDR);
	CHECK(!value_member(&k.t, thing(true), "many[10]", &m, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!value_member(&k.t, thing(true), "pid.x", &m, &err));
	CHECK_ERR(err, ERR_NOFIELD);
	v = value_absent(thing(false).type, THING, ERR_TRUNCATED);
	CHECK(!value_member(&k.t, v, "pid", &m, &err));
	CHECK_ERR(err, ERR_TRUNCATED);
	stop();
}

/* ---- shapes */

enum {
	PID,
	COMM,
	STATE,
	MID,
	GONE,
	MANY,
	FIELDS
};
static const struct shape_field fields[FIELDS] = {
	[PID] = FIELD("pid"),
	[COMM] = FIELD("comm"),
	[STATE] = FIELD_ALT("__state", "state"),
	[MID] = FIELD("mid"),
	[GONE] = FIELD_ALT("never_was", "nor_this"),
	[MANY] = FIELD("many[9]"),
};
static const struct shape thing_shape = SHAPE("struct thing", fields);

TEST(shapes)
{
	struct shaped s;
	struct value v;
	const char *text;
	uint64_t n;
	int64_t i;

	REQUIRE(start());
	REQUIRE_OK(shape_read(&k.t, &thing_shape, THING, &s, &err), err);
	CHECK(s.bytes != NULL);
	CHECK_OK(shaped_s64(&s, PID, &i, &err), err);
	CHECK(i == -7);
	CHECK_OK(shaped_s64(&s, MID, &i, &err), err);
	CHECK(i == -3);
	CHECK_OK(shaped_u64(&s, STATE, &n, &err), err);
	CHECK_U64(n, UINT64_MAX);
	CHECK_OK(shaped_u64(&s, MANY, &n, &err), err);
	CHECK_U64(n, 99);
	CHECK_OK(shaped_str(&s, COMM, &k.scratch, &text, &err), err);
	CHECK_STR(text, "swapper/0");
	CHECK(!shaped_u64(&s, COMM, &n, &err));
	CHECK(!shaped_has(&s, GONE));
	CHECK(!shaped_u64(&s, GONE, &n, &err));
	CHECK_ERR(err, ERR_NOFIELD);
	CHECK_CONTAINS(err.msg, "never_was");
	CHECK_OK(shaped_value(&s, MID, &v, &err), err);
	CHECK_OK(value_s64(&k.t, v, &i, &err), err);
	CHECK(i == -3);
	CHECK_OK(shape_offset(&k.t, &thing_shape, COMM, &n, &err), err);
	CHECK_U64(n, 24);
	CHECK_OK(field_u64(&k.t, "struct thing", THING, "__state|state", &n, &err), err);
	CHECK_U64(n, UINT64_MAX);
	CHECK(!field_offset(&k.t, "struct thing", "x|y", &n, &err));
	CHECK_CONTAINS(err.msg, "'x'");
	stop();
}

TEST(shapes_with_a_hole)
{
	struct shaped s;
	uint64_t n;

	REQUIRE(start());
	k.holes = 1 << 3;
	REQUIRE_OK(shape_read(&k.t, &thing_shape, OTHER, &s, &err), err);
	CHECK(s.bytes == NULL);
	CHECK(!shaped_u64(&s, PID, &n, &err)); /* at 0x3000 */
	CHECK_ERR(err, ERR_EXCLUDED);
	k.holes = 1 << 2;
	REQUIRE_OK(shape_read(&k.t, &thing_shape, OTHER, &s, &err), err);
	CHECK_OK(shaped_u64(&s, PID, &n, &err), err);
	CHECK_U64(n, 42);
	stop();
}

static const struct shape no_shape = SHAPE("struct nothing", fields);

TEST(shapes_of_no_type)
{
	struct shaped s;

	REQUIRE(start());
	CHECK(!shape_read(&k.t, &no_shape, THING, &s, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	stop();
}

/* ---- expressions */

static bool fake_is_percpu(struct target *t, const struct symbol *sym)
{
	(void)t;
	return sym->addr < 0x1000;
}

static bool fake_percpu(struct target *t, const struct symbol *sym, unsigned cpu, uint64_t *addr,
			struct err *why)
{
	(void)t;
	if (cpu > 1)
		return err_set(why, ERR_NOTFOUND, "no CPU %u", cpu);
	*addr = KERNEL_BASE + 0x1800 + sym->addr + cpu * 0x100;
	return true;
}

static const struct expr_hooks hooks = { .is_percpu = fake_is_percpu, .percpu = fake_percpu };

TEST(expressions)
{
	static const struct {
		const char *text;
		int64_t want;
	} cases[] = {
		{ "1 + 2 * 3", 7 },
		{ "(1 + 2) * 3", 9 },
		{ "10 - 3 - 2", 5 },
		{ "0x10 | 1 << 3 & 0xff", 0x18 },
		{ "-7 / 2", -3 },
		{ "-7 % 3", -1 },
		{ "-1 >> 1", -1 },
		{ "~0", -1 },
		{ "!5", 0 },
		{ "017", 15 },
		{ "0xffffffffffffffff", -1 },
		{ "0xffffffffffffffffU >> 60", 15 },
		{ "sizeof(struct thing)", 176 },
		{ "sizeof(int)", 4 },
		{ "(char)0x141", 0x41 },
		{ "(unsigned char)-1 + 0", -1 }, /* no such type in this kernel: see below */
		{ "((struct thing *)&unknown - (struct thing *)&unknown)", 0 },
		{ "((struct thing *)0xffff800000001000)[0].low + 0 * 1", 5 },
		{ "&((struct thing *)0)->comm", 24 },
		{ "(long)((struct thing *)0 + 2)", 352 },
		{ "((struct thing *)&unknown)->pid * 0 + 3", 3 },
		{ "*(unsigned int *)0xffff800000001010", (int32_t)-7 & 0xffffffff },
		{ "*0xffff800000001058", -9 },
		{ "((struct thing *)0xffff800000001000)->next->pid", 42 },
		{ "((struct thing *)0xffff800000001000)->many[4+5]", 99 },
		{ "((struct thing *)0xffff800000001000).mid", -3 },
		{ "&unknown", (int64_t)TEXT },
		{ "pending:0.next", 0xabcd },
		{ "&pending:1", (int64_t)(KERNEL_BASE + 0x1940) },
		{ "(long)&odd.isra.0 - (long)&unknown", 8 },
		/* what gdb 13.1 prints for the same, on a vmlinux */
		{ "2147483647 + 1", -2147483648ll },
		{ "1 << 31", -2147483648ll },
		{ "1 << 40", 0 },
		{ "1l << 40", 1ll << 40 },
		{ "-1 > 0u", 1 },
		{ "-1 > 0", 0 },
		{ "0x80000000", 2147483648ll },
		{ "'a' + 1", 98 },
		{ "'\\n'", 10 },
		{ "5 % -3", 2 },
		{ "0b101", 5 },
		{ "1u - 2", 4294967295ll },
		{ "~0u", 4294967295ll },
		{ "0x7fffffff * 2", -2 },
		{ "1 ? 2 : 3", 2 },
		{ "0 ? 1 : 0 ? 2 : 3", 3 },
		{ "1 == 1 && 2 != 2 || 3 <= 3", 1 },
		/* what is not evaluated reads nothing */
		{ "0 && *(long *)0", 0 },
		{ "1 || 1 / 0", 1 },
		{ "sizeof *(int *)0", 4 },
		{ "1 ? 7 : *(int *)0", 7 },
		/* our own */
		{ "\"abc\" == \"abc\"", 1 },
		{ "\"abc\" ~ \"^a.c$\"", 1 },
		{ "\"abc\" !~ \"b\"", 0 },
		{ "offsetof(struct thing, comm)", 24 },
		{ "(long)container_of(&((struct thing *)0x1000)->comm, struct thing, comm)",
		  0x1000 },
		{ "((struct thing *)0xffff800000001000)->many[8:10][1]", 99 },
		{ "per_cpu(pending, 0).next", 0xabcd },
	};

	REQUIRE(start());
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct value v;
		int64_t n = 0;

		if (strstr(cases[i].text, "unsigned char")) {
			CHECK(!expr_eval(&k.t, cases[i].text, &hooks, &v, &err));
			CHECK_ERR(err, ERR_NOTYPE);
			continue;
		}
		if (!CHECK_OK(expr_eval(&k.t, cases[i].text, &hooks, &v, &err), err) ||
		    !CHECK_OK(value_s64(&k.t, v, &n, &err), err) || !CHECK(n == cases[i].want))
			printf("  %s is %lld\n", cases[i].text, (long long)n);
	}
	stop();
}

TEST(expressions_that_fail_say_where)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "column 1: expected a value" },
		{ "1 +", "column 4: expected a value" },
		{ "(1", "column 1: '(' is not closed" },
		{ "1 2", "column 3: expected an operator" },
		{ "1 = 2", "column 3: nothing can be assigned" },
		{ "1 ? 2", "expected ':'" },
		{ "'ab'", "column 1: a character constant is not closed" },
		{ "\"ab", "column 1: a string is not closed" },
		{ "\"a\" ~ \"(\"", "no regular expression" },
		{ "\"a\" ~ 1", "text is compared with a number: 'char [2]' and 'int'" },
		{ "((struct thing *)0xffff800000001000)->comm == 5",
		  "column 44: text is compared with a number: 'char [16]' and 'int'" },
		{ "3 < ((struct thing *)0xffff800000001000)->many",
		  "column 3: an array is compared with a number: 'int' and 'long unsigned int [10]'" },
		{ "*(struct thing *)0xffff800000001000 && 1",
		  "column 37: 'struct thing' is not a number" },
		{ "1 || *(struct thing *)0xffff800000001000",
		  "column 3: 'struct thing' is not a number" },
		{ "*(struct thing *)0xffff800000001000 ? 1 : 2",
		  "column 37: 'struct thing' is not a number" },
		{ "((struct thing *)0xffff800000001000)->many[5:2]", "a slice" },
		{ "((struct thing *)0xffff800000001000)->many[8:12]", "no element 11" },
		{ "nothing", "column 1: no symbol 'nothing'" },
		{ "1 + nothing", "column 5: no symbol 'nothing'" },
		{ "0x", "column 1" },
		{ "12z", "column 1: '12z' is not a number" },
		{ "99999999999999999999", "column 1: number is larger" },
		{ "1 / 0", "column 3: division by zero" },
		{ "((struct thing *)0)->none", "column 22: 'struct thing' has no member 'none'" },
		{ "(struct none *)0", "column 2: no type 'struct none'" },
		{ "unknown.pid", "column 9: the type in front of 'pid' is not known" },
		{ "(struct thing)0", "nothing can be cast" },
		{ "&5", "has no address" },
		{ "&((struct thing *)0xffff800000001000)->low", "bit-field" },
		{ "pending:9", "no CPU 9" },
		{ "unknown:0", "not a per-CPU variable" },
		{ "pending:x", "expected a CPU" },
		{ "((struct thing *)0)->", "expected a member" },
		{ "((struct thing *)0xffff800000001000)->many[10]", "no element 10" },
		{ "((struct thing *)0xffff800000001000)->many[1", "expected ']'" },
	};

	REQUIRE(start());
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct value v;

		err.msg[0] = '\0';
		if (!CHECK(!expr_eval(&k.t, cases[i].text, &hooks, &v, &err)) ||
		    !CHECK(strstr(err.msg, cases[i].message) != NULL))
			printf("  %s: %s\n", cases[i].text, err.msg);
	}
	stop();
}

/* Whatever is done with it: what cannot be read has no value, and its own reason. */
TEST(operands_that_cannot_be_read)
{
	static const char *const forms[] = {
		"-%s",
		"~%s",
		"!%s",
		"(char)%s",
		"%s + 1",
		"1 - %s",
		"%s * 2",
		"2 / %s",
		"%s << 1",
		"1 >> %s",
		"%s < 1",
		"1 == %s",
		"%s && 1",
		"0 || %s",
		"%s ? 1 : 2",
		"1 ? %s : 2u",
		"0 ? 1l : %s",
		"&unknown + %s",
		"%s & 1",
		"%s % 3",
		"2 - %s - 1",
		"(long *)%s + 1",
		"*(long *)%s",
		"-(-%s)",
		"((struct thing *)0xffff800000001000)->many[%s]",
	};

	REQUIRE(start());
	k.holes = 1 << 3;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *at = strstr(forms[i], "%s");
		struct value v;
		uint64_t n;
		char text[200];

		snprintf(text, sizeof(text), "%.*s*(int *)0xffff800000003000%s",
			 (int)(at - forms[i]), forms[i], at + 2);
		err = (struct err){ 0 };
		if (!CHECK(!expr_eval(&k.t, text, &hooks, &v, &err) ||
			   !value_u64(&k.t, v, &n, &err)))
			printf("  %s\n", text);
		CHECK_ERR(err, ERR_EXCLUDED);
	}
	stop();
}

TEST(deep_nesting_is_refused)
{
	char text[4002];
	struct value v;

	REQUIRE(start());
	for (int kind = 0; kind < 3; kind++) {
		memset(text, kind == 0 ? '(' : kind == 1 ? '-' : '~', 4000);
		text[4000] = '\0';
		CHECK(!expr_eval(&k.t, text, &hooks, &v, &err));
	}
	memset(text, ')', 4001);
	memset(text, '(', 2000);
	text[2000] = '1';
	text[4001] = '\0';
	CHECK(!expr_eval(&k.t, text, &hooks, &v, &err));
	CHECK_ERR(err, ERR_LIMIT);
	stop();
}

static bool find_nothing(struct type_source *s, enum type_kind kind, const char *name,
			 const struct type **ret, struct err *e)
{
	(void)kind;
	(void)ret;
	return err_set(e, ERR_NOTYPE, "no type '%s' in %s", name, s->origin);
}

static struct type int_of(uint64_t size, bool is_signed)
{
	return (struct type){
		.kind = TYPE_INT, .size = size, .is_signed = is_signed, .filled = true
	};
}

TEST(paths_that_lead_nowhere)
{
	static const struct {
		const char *path, *why;
	} cases[] = {
		{ "list..next", "a member's name is missing" },
		{ "list.", "a member's name is missing" },
		{ ".list", "a member's name is missing" },
		{ "->list", "a member's name is missing" },
		{ "next->", "a member's name is missing" },
		{ "next-pid", "a member's name is missing" },
		{ "many[x]", "expected a number at 'x]'" },
		{ "many[]", "expected a number" },
		{ "many[-]", "expected a number" },
		{ "many[1", "expected ']'" },
		{ "many[99999999999999999999]", "index is too large" },
		{ "many[-1]", "no element -1" },
		{ "pid[0]", "neither array nor pointer" },
		{ "nothing", "no member 'nothing'" },
	};
	char name[300];
	struct value m;

	REQUIRE(start());
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(!value_member(&k.t, thing(true), cases[i].path, &m, &err));
		if (!CHECK(strstr(err.msg, cases[i].why) != NULL))
			printf("  %s: %s\n", cases[i].path, err.msg);
	}
	for (size_t n = 254; n < 258; n++) {
		memset(name, 'x', n);
		name[n] = '\0';
		CHECK(!value_member(&k.t, thing(true), name, &m, &err));
		CHECK((strstr(err.msg, "too long") != NULL) == (n >= 256));
	}
	REQUIRE_OK(value_member(&k.t, thing(true), "", &m, &err), err);
	CHECK_U64(m.addr, THING);
	stop();
}

/* Every member as its type has it, by its name and by itself, in memory and at hand. */
TEST(members_by_name_and_by_themselves)
{
	static const int64_t wants[] = { 0, -7, 5, -3, 0x2abcde, 0, 0, -1, 5, 0, 0, 0, 1, 'z', -9 };
	const struct member *m;
	size_t n, numbers = 0;

	REQUIRE(start());
	m = type_members(thing(false).type, &n);
	for (int load = 0; load < 2; load++)
		for (size_t i = 0; i < n && i < ARRAY_SIZE(wants); i++) {
			struct value a, b;
			int64_t x = 0, y = 0;

			REQUIRE_OK(value_at_member(&k.t, thing(load), &m[i], &a, &err), err);
			CHECK(a.type == m[i].type && a.bit_size == m[i].bit_size);
			CHECK_U64(a.kind, load ? VALUE_BYTES : VALUE_REF);
			CHECK_U64(a.addr, THING + m[i].bit_off / 8);
			if (!m[i].name || !value_s64(&k.t, a, &x, &err))
				continue;
			numbers++;
			REQUIRE_OK(value_member(&k.t, thing(load), m[i].name, &b, &err), err);
			CHECK(value_s64(&k.t, b, &y, &err) && x == y);
			CHECK(a.bit_size == b.bit_size);
			if (type_is_integer(a.type))
				CHECK(x == wants[i]);
		}
	CHECK(numbers >= 2 * 9);
	stop();
}

TEST(what_is_loaded_and_what_is_not)
{
	struct type wide = int_of(8, false), none = int_of(0, false);
	struct type huge = int_of((uint64_t)VALUE_MAX + 1, false);
	struct value v;

	REQUIRE(start());
	v = value_load(&k.t, value_ref(&wide, THING + 88));
	CHECK(v.kind == VALUE_BYTES && v.addr == THING + 88 && load_le64(v.bytes) == (uint64_t)-9);
	CHECK(value_load(&k.t, v).bytes == v.bytes);
	v = value_ref(&wide, THING);
	v.bit_size = 3;
	CHECK_U64(value_load(&k.t, v).kind, VALUE_REF);
	CHECK_U64(value_load(&k.t, value_ref(&none, THING)).kind, VALUE_REF);
	CHECK_U64(value_load(&k.t, value_ref(&huge, THING)).kind, VALUE_REF);
	CHECK_U64(value_load(&k.t, value_ref(&wide, 0x10)).kind, VALUE_REF);
	CHECK_U64(value_load(&k.t, value_absent(&wide, THING, ERR_EXCLUDED)).kind, VALUE_ABSENT);
	stop();
}

/* Text is compared with text and with names of an enumeration, by itself or by a pattern. */
TEST(comparisons_of_text)
{
	static const struct {
		const char *text;
		int want; /* -1: refused */
	} cases[] = {
		{ "((struct thing *)0xffff800000001000)->comm == \"swapper/0\"", 1 },
		{ "((struct thing *)0xffff800000001000)->comm == \"swapper\"", 0 },
		{ "((struct thing *)0xffff800000001000)->comm != \"swapper/0\"", 0 },
		{ "\"swapper/1\" != ((struct thing *)0xffff800000001000)->comm", 1 },
		{ "((struct thing *)0xffff800000001000)->comm ~ \"^swap.*[0-9]$\"", 1 },
		{ "((struct thing *)0xffff800000001000)->comm ~ \"^wap\"", 0 },
		{ "((struct thing *)0xffff800000001000)->comm !~ \"^wap\"", 1 },
		{ "((struct thing *)0xffff800000001000)->state == \"DEAD\"", 1 },
		{ "((struct thing *)0xffff800000001000)->state == \"IDLE\"", 0 },
		{ "((struct thing *)0xffff800000001000)->state != \"RUN\"", 1 },
		{ "((struct thing *)0xffff800000001000)->state ~ \"^D\"", 1 },
		{ "((struct thing *)0xffff800000001000)->flags == \"\"", 1 }, /* 5 has no name */
		{ "((struct thing *)0xffff800000001000)->pid == \"x\"", -1 },
		{ "((struct thing *)0xffff800000001000)->many ~ \"x\"", -1 },
		{ "\"a\" == \"a\" && \"a\" ~ \"b\" || \"b\" ~ \"b\"", 1 },
		/* a choice of two values of one enumeration is one, of others a number */
		{ "(1 ? ((struct thing *)0xffff800000001000)->state : "
		  "((struct thing *)0xffff800000001000)->state) == \"DEAD\"",
		  1 },
		{ "(1 ? ((struct thing *)0xffff800000001000)->state : "
		  "((struct thing *)0xffff800000001000)->flags) == \"DEAD\"",
		  -1 },
		{ "(0 ? ((struct thing *)0xffff800000001000)->comm : \"other\") == \"other\"", 1 },
		{ "(char *)0xffff800000001018 == \"swapper/0\"", 1 },
		{ "(char *)0xffff800000001018 ~ \"^swap\"", 1 },
		{ "(int *)0xffff800000001018 == \"swapper/0\"", -1 },
		{ "0 && \"a\" ~ \"(\"", -1 }, /* a pattern is checked though nothing asks it */
	};

	REQUIRE(start());
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct value v;
		uint64_t n = 0;
		bool ok = expr_eval(&k.t, cases[i].text, &hooks, &v, &err);

		if (!CHECK(ok == (cases[i].want >= 0)) ||
		    (ok && !CHECK(value_u64(&k.t, v, &n, &err) && n == (uint64_t)cases[i].want)))
			printf("  %s: %llu\n", cases[i].text, (unsigned long long)n);
	}
	stop();
}

/* A dump whose BTF is lost: modules answer still, and have no type of the kernel's. */
TEST(types_of_modules_alone)
{
	struct type_source s = { .origin = "modules", .find = find_nothing, .partial = true };

	kernel_init(&k);
	k.t.types.sources.n = 0;
	CHECK(!types_available(&k.t));
	types_add(&k.t, &s);
	CHECK(!types_available(&k.t));
	s.partial = false;
	CHECK(types_available(&k.t));
	kernel_release(&k);
}

TEST_MAIN
