/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats: what a kernel's own file says, and that it is written again byte for byte. */
#include "core/base/test.h"
#include "core/trace/format.h"

/* /sys/kernel/tracing/events/sched/sched_waking/format of a 6.18 kernel, and of the events below
 * the lines that differ in kind: arrays, dynamic and relative strings. */
#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"
static const char waking[] =
	"name: sched_waking\nID: 373\nformat:\n" COMMON
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\n"
	"print fmt: \"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, "
	"REC->target_cpu\n";
static const char kinds[] = "name: kinds\nID: 2000\nformat:\n" COMMON
			    "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
			    "\tfield:__rel_loc char msg[];\toffset:12;\tsize:4;\tsigned:0;\n"
			    "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"
			    "\tfield:const char * p;\toffset:80;\tsize:8;\tsigned:0;\n"
			    "\tfield:char comm[TASK_COMM_LEN];\toffset:88;\tsize:16;\tsigned:0;\n"
			    "\tfield:u8 macs[2][6];\toffset:104;\tsize:12;\tsigned:0;\n"
			    "\tfield:char buf[];\toffset:116;\tsize:0;\tsigned:0;\n"
			    "\n"
			    "print fmt: \"%s\", __get_str(name)\n";

static bool parse(const char *text, struct arena *a, struct trace_format *f, struct err *err)
{
	return trace_format_parse(SPAN(text, strlen(text)), "sched", a, f, err);
}

static void writes_again(const char *text)
{
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct trace_format f;
	struct err err;

	if (CHECK(parse(text, &a, &f, &err))) {
		trace_format_text(&b, &f);
		CHECK_STR(buf_text(&b), text);
	}
	buf_release(&b);
	arena_release(&a);
}

TEST(a_text_is_written_as_it_was_read)
{
	writes_again(waking);
	writes_again(kinds);
}

/* Which of a print_fmt's arguments the kernel prints as the text at an address: those that "%s"
 * takes whole. Another mention says that the address means something by itself. */
TEST(addresses_of_texts)
{
	static const struct {
		const char *type, *system, *print_fmt;
		bool is;
	} v[] = {
		{ "const char *", "ipi", "\"(%s)\", REC->p", true },
		{ "char *", "x", "\"%d %-12s|%%s\", REC->n, REC->p", true },
		{ "const char *", "x", "\"%*s %.*s\", REC->n, REC->p, 3, REC->p", true },
		{ "const char *", "x", "\"a \\\"%s\\\" b\",  REC->p ", true },
		{ "const char *", "x",
		  "\"%s %s\", __print_symbolic(REC->n, {1, \"REC->p\"}), REC->p", true },
		{ "const char *", "x", "\"%p\", REC->p", false },
		{ "const char *", "x", "\"%ps\", REC->p", false },
		{ "const char *", "x", "\"%s %p\", REC->p, REC->p", false },
		{ "const char *", "x", "\"%s\", REC->p ? REC->p : \"\"", false },
		{ "const char *", "x", "\"%s\", (REC->p)", false },
		{ "const char *", "x", "\"%s\", f(1, REC->p)", false },
		{ "const char *", "x", "\"%d\", REC->n, REC->p", false },
		{ "const char *", "x", "\"%s\", REC->pp", false },
		{ "const char *", "x", "\"no end", false },
		{ "const char *", "x", "", false },
		{ "const char *", "x", NULL, false },
		{ "const char *", "syscalls", "\"%s\", REC->p", false },
		{ "const char **", "x", "\"%s\", REC->p", false },
		{ "const char *const *", "x", "\"%s\", REC->p", false },
		{ "void *", "x", "\"%s\", REC->p", false },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		struct trace_field f = { .name = "p", .type = v[i].type, .size = 8 };

		trace_format_texts(&f, 1, v[i].system, v[i].print_fmt);
		if (!CHECK(f.is_text_address == v[i].is))
			printf("  %s %s\n", v[i].type, v[i].print_fmt ? v[i].print_fmt : "");
		f.size = 2;
		trace_format_texts(&f, 1, v[i].system, v[i].print_fmt);
		CHECK(!f.is_text_address);
	}
}

/* Names of events, fields and types lie in the dump, and can hold a line's end there. */
TEST(no_name_begins_a_line)
{
	struct trace_field field = { .name = "n\nFORGED", .type = "t\nFORGED" };
	const struct trace_format f = { .name = field.name, .fields = &field, .n_fields = 1 };
	struct buf b = { 0 };

	trace_format_text(&b, &f);
	CHECK(!strstr(buf_text(&b), "\nFORGED"));
	CHECK_CONTAINS(buf_text(&b), "\tfield:t\\nFORGED n\\nFORGED;\toffset:0;");
	buf_release(&b);
}

TEST(fields_are_what_the_declarations_say)
{
	struct arena a = { 0 };
	struct trace_format f;
	struct err err;

	REQUIRE(parse(waking, &a, &f, &err));
	CHECK_U64(f.id, 373);
	CHECK_STR(f.name, "sched_waking");
	CHECK_STR(f.system, "sched");
	REQUIRE(f.n_fields == 8);
	CHECK(f.fields[0].is_common && !f.fields[0].is_signed);
	CHECK_STR(f.fields[3].name, "common_pid");
	CHECK(f.fields[3].is_signed);
	CHECK_STR(f.fields[4].type, "char");
	CHECK_STR(f.fields[4].name, "comm");
	CHECK_U64(f.fields[4].count, 16);
	CHECK(f.fields[4].is_string && f.fields[4].is_array && !f.fields[4].is_common);
	CHECK_U64(f.fields[7].offset, 32);
	CHECK(strstr(f.print_fmt, "REC->target_cpu") && !strchr(f.print_fmt, '\n'));

	REQUIRE(parse(kinds, &a, &f, &err));
	REQUIRE(f.n_fields == 11);
	CHECK(f.fields[4].is_dynamic && f.fields[4].is_string && f.fields[4].is_array);
	CHECK(f.fields[5].is_relative && f.fields[5].is_string);
	CHECK(!f.fields[6].is_string && f.fields[6].count == 8);
	CHECK(!f.fields[7].is_array && !f.fields[7].is_string);
	CHECK_STR(f.fields[7].name, "p");
	CHECK_STR(f.fields[7].type, "const char *");
	CHECK(f.fields[8].is_string && f.fields[8].count == 0);
	CHECK_STR(f.fields[9].name, "macs");
	CHECK(f.fields[9].is_array && !f.fields[9].is_string);
	CHECK(f.fields[10].is_array && f.fields[10].count == 0);
	arena_release(&a);
}

TEST(what_is_no_format_is_an_error)
{
	static const char *const bad[] = {
		"",
		"name: x\n",
		"ID: 3\nformat:\n",
		"name: x\nID: 65536\nformat:\n",
		"name: x\nID: 3\nformat:\n\tfield:int a;\toffset:4;\n",
		"name: x\nID: 3\nformat:\n\tfield:int a\n",
		"name: x\nID: 3\nformat:\n\tfield:;\toffset:4;\tsize:4;\tsigned:0;\n",
		"name: x\nID: 3\nformat:\n\tfield:int a;\toffset:99999999999;\tsize:4;\n",
		/* what is left of "vec=%u [action=%s]" where bytes are gone: no declaration */
		"name: x\nID: 3\nformat:\n"
		"\tfield:unsigned char \"v=%u [action=%s]\", REC->vec, s;\toffset:4;\tsize:4;\n",
	};
	struct arena a = { 0 };
	struct trace_format f;
	struct err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CHECK(!parse(bad[i], &a, &f, &err));
		CHECK_ERR(err, ERR_FORMAT);
	}
	arena_release(&a);
}

/* "name: x ... print fmt: " and n times a text, and another n times behind it. */
static bool bounded(const char *open, const char *close, size_t n, enum err_code *why)
{
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct trace_format f;
	struct err err = { 0 };
	bool ok;

	buf_str(&b, "name: x\nID: 3\nformat:\n\nprint fmt: \"%d\", ");
	for (size_t i = 0; i < n; i++)
		buf_str(&b, open);
	buf_str(&b, "1");
	for (size_t i = 0; i < n; i++)
		buf_str(&b, close);
	ok = trace_format_parse(SPAN(b.s, b.n), "x", &a, &f, &err) &&
	     trace_format_bounded(&f, &err);
	*why = err.code;
	buf_release(&b);
	arena_release(&a);
	return ok;
}

TEST(what_would_overflow_a_stack_is_refused)
{
	enum err_code why;

	CHECK(bounded("(", ")", 100, &why));
	CHECK(bounded("((", "))", TRACE_PARENS_MAX / 2, &why));
	CHECK(!bounded("(", ")", TRACE_PARENS_MAX + 1, &why));
	CHECK_U64(why, ERR_LIMIT);
	CHECK(!bounded("(", ")", 100000, &why));
	CHECK_U64(why, ERR_LIMIT);
	CHECK(!bounded("{ [", "] }", 150, &why));
	CHECK(!bounded("!", "", 5000, &why));
	CHECK_U64(why, ERR_LIMIT);
	CHECK(!bounded("1 + ", "", 5000, &why));
	/* as many, in arguments of their own */
	CHECK(bounded("1 + 1, ", "", 5000, &why));
	/* brackets in strings are no brackets */
	CHECK(bounded("\"((((\" ", "", 100, &why));
	CHECK(!bounded("(", "", 1, &why));
	CHECK(!bounded("", ")", 1, &why));
	CHECK(!bounded("\"", "", 1, &why));
}

TEST(a_text_beyond_the_limits_is_refused)
{
	struct buf b = { 0 };
	struct arena a = { 0 };
	struct trace_format f;
	struct err err;

	buf_str(&b, "name: x\nID: 3\nformat:\n");
	for (unsigned i = 0; i <= TRACE_FIELDS_MAX; i++)
		buf_printf(&b, "\tfield:int f%u;\toffset:%u;\tsize:4;\tsigned:1;\n", i, i * 4);
	CHECK(!trace_format_parse(SPAN(b.s, b.n), "x", &a, &f, &err));
	CHECK_ERR(err, ERR_LIMIT);
	buf_pad(&b, ' ', TRACE_FORMAT_MAX);
	CHECK(!trace_format_parse(SPAN(b.s, b.n), "x", &a, &f, &err));
	CHECK_ERR(err, ERR_LIMIT);
	buf_release(&b);
	arena_release(&a);
}

TEST_MAIN
