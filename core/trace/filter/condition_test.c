/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions by C's meaning of their operators, and what must be refused. */
#include "core/trace/filter/condition.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/base/vec.h"

/* A record of 64 bits without and with a sign, 32 bits, a text, an address of code and of a text.
 */
static const struct trace_field fields[] = {
	{ .name = "big", .type = "u64", .offset = 0, .size = 8 },
	{ .name = "low", .type = "s64", .offset = 8, .size = 8, .is_signed = true },
	{ .name = "flags", .type = "unsigned int", .offset = 16, .size = 4 },
	{ .name = "who",
	  .type = "char",
	  .offset = 20,
	  .size = 8,
	  .count = 8,
	  .is_array = true,
	  .is_string = true },
	{ .name = "ip", .type = "unsigned long", .offset = 28, .size = 8 },
	{ .name = "msg", .type = "const char *", .offset = 36, .size = 8 },
	{ .name = "beyond", .type = "u64", .offset = 44, .size = 8 },
};
static const struct trace_format format = {
	.id = 7, .system = "made", .name = "it", .fields = fields, .n_fields = ARRAY_SIZE(fields)
};
static const uint8_t record[44] = {
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* big = 2^64 - 1 */
	0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, /* low = -5 */
	0x41, 0,    0,    0,                            /* flags = 0x41 */
	'I',  'n',  'i',  't',  0,    0,    0,    0,    /* who */
	0x1c, 0x10, 0,    0,    0,    0,    0,    0,    /* ip = 0x101c */
	0x00, 0x20, 0,    0,    0,    0,    0,    0,    /* msg = 0x2000 */
};

static bool symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	(void)rec;
	*ret = (struct trace_symbol){ .name = "do_it", .offset = addr - 0x1000, .size = 0x90 };
	return addr >= 0x1000 && addr < 0x1090;
}

static const char *string(const struct recording *rec, uint64_t addr)
{
	(void)rec;
	return addr == 0x2000 ? "hello" : NULL;
}

static const struct recording_ops ops = { .symbol = symbol, .string = string };
static const struct recording rec = { .word_size = 8, .ops = &ops };
static const struct trace_buffer buffer = { .recording = &rec };

static void check(const struct trace_event *ev, const char *text, bool holds)
{
	struct arena a = { 0 };
	struct condition *c;
	struct err err;

	if (!CHECK_OK(condition_parse(text, 1, &a, &c, NULL, &err), err)) {
		printf("  %s\n", text);
	} else {
		if (!CHECK(condition_holds(c, ev, &a) == holds))
			printf("  %s\n", text);
		condition_release(c);
	}
	arena_release(&a);
}

struct expected {
	const char *text;
	bool holds;
};

TEST(fields_of_a_record)
{
	static const struct expected cases[] = {
		{ "flags == 0x41", true },
		{ "flags == 0101", true },
		{ "flags != 65", false },
		{ "flags & 1", true },
		{ "flags & 2", false },
		{ "flags & 0x40 == 0x40", true },
		{ "(flags & 0x3f) == 1", true },
		{ "(flags + 1) == 66", true },
		{ "flags * 2 - 3 * 4 == 118", true },
		{ "flags << 1 >> 2 == 32", true },
		{ "flags ^ 0x41", false },
		{ "(flags | 2) % 10 == 7", true },
		{ "flags / 0 == 0", false },
		{ "!(flags / 0 == 0)", true },
		{ "flags % 0 != 0", false },
		{ "flags << 64 == 0", true },
		{ "low < 0", true },
		{ "low == -5", true },
		{ "low / 2 == -2", true },
		{ "low % 2 == -1", true },
		{ "low >> 1 == -3", true },
		{ "low > -6 && low <= -5", true },
		{ "big > 0", true },
		{ "big < low", false },
		{ "big == -1", true },
		{ "big >> 60 == 15", true },
		{ "-9223372036854775808 / -1 < 0", true }, /* as 64 bits wrap; no trap */
		{ "who == \"Init\"", true },
		{ "who == 'init'", false },
		{ "who != Init", false },
		{ "who ~ \"I*t\"", true },
		{ "who ~ i*", false },
		{ "who =~ \"^in\"", true },
		{ "who =~ \"^(a|in)+it$\"", true },
		{ "who !~ \"x\"", true },
		{ "who > \"Hzz\"", true },
		{ "who == flags", false },
		{ "who < 5", false },
		{ "who > 5", false },
		{ "flags == \"0x41\"", true },
		{ "flags == \"A\"", false },
		{ "ip == \"do_it\"", true },
		{ "ip == do_it", true },
		{ "ip =~ \"^do_\"", true },
		{ "ip == 0x101c", true },
		{ "ip + 0 == \"do_it\"", false },
		{ "msg == \"hello\"", true },
		{ "msg ~ hel*", true },
		{ "beyond == 0", false },
		{ "beyond != 0", false },
		{ "!(beyond == 0)", true },
		{ "beyond + 1 > 0", false },
		{ "beyond !~ x", false },
		{ "CPU == 3", true },
		{ "cpu == 3 && common_cpu == 3", true },
		{ "COMM == \"kworker/3:1\"", true },
		{ "TIMESTAMP == 1000", true },
		{ "low == -5 || big == 1 && flags == 1", true },
		{ "(low == -5 || big == 1) && flags == 1", false },
		{ "(((flags == 65)))&&!(!(low==-5))", true },
	};
	struct trace_event ev = { .buffer = &buffer,
				  .format = &format,
				  .ts = 1000,
				  .cpu = 3,
				  .pid = 40,
				  .comm = "kworker/3:1",
				  .name = "it",
				  .system = "made",
				  .data = SPAN(record, sizeof(record)) };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&ev, cases[i].text, cases[i].holds);
}

TEST(events_of_a_text)
{
	static const struct expected cases[] = {
		{ "cpu == 3", true },
		{ "cpu != 3", false },
		{ "cpu >= 3 && cpu < 4", true },
		{ "(cpu > 3)", false },
		{ "pid & 0x8", true },
		{ "pid & 1", false },
		{ "comm ~ kw*", true },
		{ "comm ~ x*", false },
		{ "(event == tick && comm ~ kw*)", true },
		{ "comm == \"kworker\"", true },
		{ "event = tick", true },
		{ "nothing == 1", false },
		{ "a == -5", true },
		{ "a < 0 && b > 2", true },
		{ "cpu=3&&pid<=40", true },
	};
	struct trace_event ev = { .buffer = &buffer,
				  .cpu = 3,
				  .pid = 40,
				  .comm = "kworker",
				  .name = "tick",
				  .text = "a=-5 b=3" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		check(&ev, cases[i].text, cases[i].holds);
}

TEST(what_is_refused)
{
	static const char *const cases[] = {
		"",
		"cpu",
		"== 3",
		"a ==",
		"a == 1 &&",
		"a == 1 b",
		"(a == 1",
		"a == 1)",
		"a == \"x",
		"a == 1x",
		"a =~ \"(\"",
		"a == 1 == 1",
		"!a",
		"-a",
		"a && b",
		"1 %",
		"CPU <",
		"a ~",
		"a == 1 ;",
		"a === 1",
		"a !! 1",
		"a == 99999999999999999999",
		"\"x\"",
		"a = = 1",
		"nothing == 1 || flags",
		"#",
		"a == 1 & & 2",
		"()",
		"a ! 1",
	};
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct condition *c;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (!CHECK(!condition_parse(cases[i], 1, &a, &c, NULL, &err)) ||
		    !CHECK_ERR(err, ERR_USAGE))
			printf("  %s\n", cases[i]);
	buf_pad(&b, '(', CONDITION_DEPTH_MAX + 1);
	CHECK(!condition_parse(buf_text(&b), 1, &a, &c, NULL, &err));
	CHECK_ERR(err, ERR_LIMIT);
	buf_reset(&b);
	buf_str(&b, "a == 1");
	for (unsigned i = 0; i < CONDITION_OPERATORS_MAX; i++)
		buf_str(&b, "+1");
	CHECK(!condition_parse(buf_text(&b), 1, &a, &c, NULL, &err));
	CHECK_ERR(err, ERR_LIMIT);
	buf_release(&b);
	arena_release(&a);
}

/* Where a person would put the finger: at what is wrong, or behind the end of what is too short. */
TEST(errors_say_their_column)
{
	static const struct {
		const char *text;
		unsigned column; /* of a text whose first byte stands in column 10 */
		const char *wanted;
	} cases[] = {
		{ "a ==", 14, "a field, a number or a quoted text" },
		{ "", 10, "a field, a number or a quoted text" },
		{ "  cpu  ", 12, "nothing to compare it to" },
		{ "a == 1 &&", 19, "a field, a number or a quoted text" },
		{ "a == 1 b", 17, "'&&', '||' or the end" },
		{ "(a == 1", 17, "')'" },
		{ "a == 1)", 16, "'&&', '||' or the end" },
		{ "a == \"x", 15, "does not end" },
		{ "a == 1 || b != 1x", 25, "is no number" },
		{ "a =~ \"(\"", 15, "is no regular expression" },
		{ "a == 1 == 1", 17, "'&&', '||' or the end" },
		{ "b == 1 && !a", 21, "nothing to compare it to" },
		{ "a == 1 && -a", 20, "nothing to compare it to" },
		{ "a ~", 13, "a pattern" },
		{ "a === 1", 14, "a field, a number or a quoted text" },
		{ "#", 10, "a field, a number or a quoted text" },
	};
	struct arena a = { 0 };
	struct condition *c;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char column[32];

		snprintf(column, sizeof(column), "column %u: ", cases[i].column);
		if (!CHECK(!condition_parse(cases[i].text, 10, &a, &c, NULL, &err)) ||
		    !CHECK(!strncmp(err.msg, column, strlen(column))) ||
		    !CHECK(strstr(err.msg, cases[i].wanted)))
			printf("  %s: %s\n", cases[i].text, err.msg);
	}
	arena_release(&a);
}

TEST_MAIN
