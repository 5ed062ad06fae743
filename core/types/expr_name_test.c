/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the names in expressions: enumeration constants, per-CPU data, what looks like a call,
 * and types in parentheses. */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/types/expr.h"
#include "readers/symbol/btf_fake.h"

#define THING (KERNEL_BASE + 0x1000)

static struct fake_kernel k;
static struct err err;

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
	*addr = THING + 0x800 + sym->addr + cpu * 0x100;
	return true;
}

static const struct expr_hooks hooks = { .is_percpu = fake_is_percpu, .percpu = fake_percpu };

static void start(void)
{
	kernel_init(&k);
	k.t.types.sources.n = 0;
	kernel_symbol(&k, "pending", 0x40);
	kernel_symbol(&k, "sum", THING);
	kernel_symbol(&k, "part.0", THING + 8);
	kernel_symbol(&k, "part.isra.0", THING + 16);
	REQUIRE_OK(fake_btf_load(&k.t, &err), err);
}

/* ---- enumeration constants */

static struct enumerator one[] = { { "ONE", 1 }, { NULL, 5 }, { "TWICE", 2 } },
			 other[] = { { "TWICE", 22 }, { "BELOW", (uint64_t)-3 } },
			 last[] = { { "LATE", 9 } };
static const struct type no_enum = { .kind = TYPE_STRUCT, .name = "s", .filled = true },
			 first_enum = { .kind = TYPE_ENUM,
					.name = "first",
					.size = 4,
					.filled = true,
					.enums = one,
					.n_enums = 3 },
			 other_enum = { .kind = TYPE_ENUM,
					.name = "other",
					.size = 4,
					.is_signed = true,
					.filled = true,
					.enums = other,
					.n_enums = 2 },
			 last_enum = { .kind = TYPE_ENUM,
				       .name = "last",
				       .size = 4,
				       .filled = true,
				       .enums = last,
				       .n_enums = 1 };

/* A source of some types that counts how often it was gone through. */
struct listed {
	const struct type *types[3];
	unsigned asked;
	enum err_code fails;
};

static bool list_each(struct type_source *s, bool (*fn)(const struct type *type, void *arg),
		      void *arg, struct err *why)
{
	struct listed *l = s->self;

	l->asked++;
	if (l->fails)
		return err_set(why, l->fails, "it fails");
	for (size_t i = 0; i < ARRAY_SIZE(l->types) && l->types[i]; i++)
		if (!fn(l->types[i], arg))
			break;
	return true;
}

static void check_constant(const char *name, bool found, int64_t want)
{
	struct value v;
	int64_t n = 0;

	if (!CHECK(expr_enumerator(&k.t, name, &v, &err) == found))
		printf("  of %s\n", name);
	if (!found) {
		CHECK_ERR(err, ERR_NOTFOUND);
		CHECK_CONTAINS(err.msg, name);
	} else if (CHECK_OK(value_s64(&k.t, v, &n, &err), err)) {
		CHECK_U64((uint64_t)n, (uint64_t)want);
	}
}

/* Of two of one name the first is told, and what was told once, or is none, is not sought again. A
 * source that repeats another is asked only where that one could not be read. */
TEST(constants_are_sought_once)
{
	struct listed a = { .types = { &no_enum, &first_enum, &other_enum } },
		      b = { .types = { &last_enum } };
	struct type_source silent = { .origin = "silent" },
			   from_a = { .origin = "a", .each = list_each, .self = &a },
			   from_b = { .origin = "b", .each = list_each, .self = &b };

	start();
	k.t.types.sources.n = 0;
	*vec_push(&k.t.types.sources) = &silent;
	*vec_push(&k.t.types.sources) = &from_a;
	*vec_push(&k.t.types.sources) = &from_b;
	for (unsigned again = 0; again < 2; again++) {
		check_constant("ONE", true, 1);
		check_constant("TWICE", true, 2);
		check_constant("BELOW", true, -3);
		CHECK_U64(a.asked, 3);
		CHECK_U64(b.asked, 0);
	}
	for (unsigned again = 0; again < 2; again++) {
		check_constant("LATE", true, 9);
		check_constant("NONE", false, 0);
		CHECK_U64(a.asked, 5);
		CHECK_U64(b.asked, 2);
	}
	from_b.repeats = true;
	check_constant("NEITHER", false, 0);
	CHECK_U64(a.asked, 6);
	CHECK_U64(b.asked, 2);
	a.fails = ERR_NEED;
	check_constant("NOR", false, 0);
	CHECK_U64(b.asked, 3);
	kernel_release(&k);
}

/* What was interrupted is no answer, and is not kept as one. */
TEST(an_interrupted_search)
{
	struct listed a = { .types = { &first_enum }, .fails = ERR_INTR };
	struct type_source from_a = { .origin = "a", .each = list_each, .self = &a };
	char name[600];
	struct value v;

	start();
	k.t.types.sources.n = 0;
	*vec_push(&k.t.types.sources) = &from_a;
	CHECK(!expr_enumerator(&k.t, "ONE", &v, &err));
	CHECK_ERR(err, ERR_INTR);
	a.fails = 0;
	check_constant("ONE", true, 1);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	CHECK(!expr_enumerator(&k.t, name, &v, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_CONTAINS(err.msg, "too long");
	kernel_release(&k);
}

/* ---- names, calls and types */

TEST(what_names_are)
{
	static const struct {
		const char *text;
		uint64_t want;
	} v[] = {
		{ "(long)&pending:0", THING + 0x840 },
		{ "(long)&pending:1", THING + 0x940 },
		{ "1 ? (long)&pending:1 : 0", THING + 0x940 },
		{ "0 ? (long)&sum : 5", 5 },
		{ "0 ? (long)&sum:5", 5 },
		{ "(long)&per_cpu(pending, 1)", THING + 0x940 },
		{ "(long)&per_cpu ( pending , 0 + 1 )", THING + 0x940 },
		{ "(long)per_cpu_ptr((struct thing *)0x40, 1)", THING + 0x940 },
		{ "(long)&part.0", THING + 8 },
		{ "(long)&part.isra.0 + 1", THING + 17 },
		{ "offsetof(struct thing, comm)", 24 },
		{ "offsetof( struct thing , many[2] )", 112 },
		{ "sizeof offsetof(struct thing, comm)", 8 },
		{ "(long)container_of(0x1018, struct thing, comm)", 0x1000 },
		{ "(long)container_of( 0x1000 + 0x18 , struct thing , comm )", 0x1000 },
		{ "sizeof(struct thing)", 176 },
		{ "sizeof( struct thing )", 176 },
		{ "sizeof(struct thing *)", 8 },
		{ "sizeof((struct thing *)0)", 8 },
		{ "sizeof(1) + 1", 5 },
		{ "sizeof 1l", 8 },
		{ "sizeof *((struct thing *)0)", 176 },
		{ "sizeof \"four\"", 5 },
		{ "sizeof(\")\")", 2 },
		{ "sizeof(')') + 1", 2 },
		{ "(\"a\\\")\" == \"a\\\")\")", 1 },
		{ "\"\\x41\\x4a\\101\\n\" == \"AJA\\n\"", 1 },
		{ "\"\\x414\" == \"A4\"", 1 }, /* two digits, unlike C */
		{ "\"\\1011\" == \"A1\"", 1 },
		{ "\"\\q\\\\\" == \"q\\\\\"", 1 },
		{ "(int)(sizeof(struct thing))", 176 },
	};

	start();
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct value got;
		uint64_t n = 0;

		if (!CHECK_OK(expr_eval(&k.t, v[i].text, &hooks, &got, &err), err) ||
		    !CHECK_OK(value_u64(&k.t, got, &n, &err), err) || !CHECK_U64(n, v[i].want))
			printf("  of %s\n", v[i].text);
	}
	kernel_release(&k);
}

TEST(what_is_wrong_with_names)
{
	static const struct {
		const char *text, *why;
		bool hooks;
	} v[] = {
		{ "per_cpu(, 1)", "expected a per-CPU variable", true },
		{ "per_cpu(sum, 1)", "column 9: 'sum' is not a per-CPU variable", true },
		{ "per_cpu(nothing, 1)", "column 9: no symbol 'nothing'", true },
		{ "per_cpu(pending)", "expected ','", true },
		{ "per_cpu(pending, 1", "expected ')'", true },
		{ "per_cpu(pending, 2)", "no CPU 2", true },
		{ "per_cpu(pending, 100001)", "no such CPU", true },
		{ "per_cpu(pending, 100000)", "no CPU 100000", true },
		{ "per_cpu(pending, 0)", "is not a per-CPU variable", false },
		{ "per_cpu_ptr(0x40, 0)", "per-CPU data is not known here", false },
		{ "per_cpu_ptr(0x40)", "expected ','", true },
		{ "pending:", "expected a CPU's number", true },
		{ "pending:100001", "no such CPU", true },
		{ "pending:99999999999999999999", "expected a CPU's number", true },
		{ "offsetof(struct thing)", "expected ','", true },
		{ "offsetof(, comm)", "column 10: a type is missing", true },
		{ "offsetof(struct thing, )", "column 24: a member is missing", true },
		{ "offsetof(struct thing, none)", "no member 'none'", true },
		{ "offsetof(struct thing, low)", "bit-field 'low' has no offset", true },
		{ "offsetof(struct thing, comm pid)", "expected ')'", true },
		{ "offsetof(struct none, comm)", "no type 'struct none'", true },
		{ "container_of(0x10, struct thing)", "expected ','", true },
		{ "container_of(0x10)", "expected ','", true },
		{ "sizeof(struct none)", "no type 'struct none'", true },
		{ "sizeof(struct thing", "is not closed", true },
		{ "(nothing *)0", "no type", true },
		{ "0xg", "is not a number", true },
		{ "0b2", "is not a number", true },
		{ "09", "is not a number", true },
		{ "1uz", "is not a number", true },
		{ "18446744073709551616", "larger than 64 bits", true },
		{ "''", "a character is missing", true },
		{ "'", "a character is missing", true },
		{ "'a", "is not closed", true },
	};

	start();
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct value got;

		err.msg[0] = '\0';
		if (!CHECK(!expr_eval(&k.t, v[i].text, v[i].hooks ? &hooks : NULL, &got, &err)) ||
		    !CHECK_CONTAINS(err.msg, v[i].why))
			printf("  of %s: %s\n", v[i].text, err.msg);
	}
	kernel_release(&k);
}

/* What is not evaluated has a type, and reads and asks nothing. */
TEST(names_that_are_not_evaluated)
{
	static const char *const v[] = { "per_cpu(pending, 77)", "per_cpu_ptr(0x40, 77)",
					 "pending:77", "*(int *)0" };
	const struct expr_scope scope = { .hooks = &hooks, .dry = true };

	start();
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct value got;

		CHECK_OK(expr_eval_in(&k.t, v[i], &scope, &got, &err), err);
	}
	kernel_release(&k);
}

TEST_MAIN
