/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of Chrome's trace event format, and whole traces of them. */
#include "readers/trace/chromejson.h"

#include "core/base/buf.h"
#include "core/base/test.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_chrometrace;

TEST(times_are_exact)
{
	static const struct {
		const char *text;
		bool ok;
		uint64_t ns;
	} times[] = { { "0", true, 0 },
		      { "1", true, 1000 },
		      { "5893296.507", true, 5893296507 },
		      { "100.5", true, 100500 },
		      { "0.0009", true, 0 },
		      { "1.2345678901234567890123", true, 1234 },
		      { "1e3", true, 1000000 },
		      { "12.5E-1", true, 1250 },
		      { "1.5e+1", true, 15000 },
		      { "18446744073709551", true, UINT64_C(18446744073709551000) },
		      { "1844674407370955161500", false, 0 },
		      { "1e40", false, 0 },
		      { "1e99999", false, 0 },
		      { "-1", false, 0 },
		      { "", false, 0 },
		      { ".", false, 0 },
		      { "1.2.3", false, 0 },
		      { "\"1\"", false, 0 },
		      { "1x", false, 0 } };

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		unsigned before = test_state.failures;
		uint64_t ns = 0;

		CHECK(chrome_time_parse(times[i].text, strlen(times[i].text), &ns) == times[i].ok);
		if (times[i].ok)
			CHECK_U64(ns, times[i].ns);
		if (test_state.failures != before)
			printf("  in: %s\n", times[i].text);
	}
}

TEST(an_event_is_taken_apart)
{
	static const char text[] =
		"{ \"name\" : \"a \\\"b\", \"cat\":\"c\",\"ph\":\"X\",\"ts\":1.5,"
		"\"dur\":2,\"pid\":3,\"tid\":\"x\",\"args\":{\"ts\":9},\"id\":7}";
	struct chrome_event e;

	CHECK(chrome_event_parse(text, sizeof(text) - 1, &e));
	CHECK(e.phase == 'X' && e.has_ts && e.has_duration);
	CHECK_U64(e.ts, 1500);
	CHECK_U64(e.duration, 2000);
	CHECK(e.pid == 3 && e.tid == -1);
	CHECK(e.name.n == 7 && e.args.n == 8 && e.id.n == 1 && e.category.n == 3);
	CHECK(!chrome_event_parse("{\"ts\":1}", 8, &e));
	CHECK(!chrome_event_parse("[]", 2, &e));
	CHECK(!chrome_event_parse("{\"ph\":\"XY\"}", 11, &e));
}

/* A trace's events, a line each. False: it is not read as one. */
static bool events_of(const char *text, struct buf *ret, size_t *warnings)
{
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_select all = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file f;
	struct err err;
	bool ok;

	target_init(&t, &scratch);
	ok = open_bytes(&t, &reader_chrometrace, &f, text, strlen(text), &err);
	if (ok && timeline_open(&t, &all, &a, &tl, &err))
		while (timeline_next(tl, &ev, &err))
			buf_printf(ret, "%" PRIu64 " %s-%d [%d] %s.%s: %s\n", ev.ts,
				   trace_comm(&ev), ev.pid, ev.cpu, ev.system ? ev.system : "?",
				   ev.name, ev.text);
	*warnings = t.warnings.n;
	arena_release(&a);
	target_release(&t);
	arena_release(&scratch);
	return ok;
}

#define CHECK_TRACE(text, want, warns)                     \
	do {                                               \
		struct buf got_ = { 0 };                   \
		size_t warnings_;                          \
		CHECK(events_of(text, &got_, &warnings_)); \
		CHECK_STR(buf_text(&got_), want);          \
		CHECK_U64(warnings_, warns);               \
		buf_release(&got_);                        \
	} while (0)

/* Objects and arrays; in the order of time; an end is of the beginning that its thread has open. */
TEST(traces_are_put_in_order)
{
	CHECK_TRACE(
		"{\"otherData\":{\"a\":[1]},\"traceEvents\":["
		"{\"ph\":\"E\",\"ts\":4,\"pid\":1,\"tid\":2},"
		"{\"ph\":\"B\",\"name\":\"out\",\"ts\":1,\"pid\":1,\"tid\":2},"
		"{\"ph\":\"B\",\"name\":\"in\",\"ts\":2,\"pid\":1,\"tid\":2,\"args\":{\"k\":\"a\\nb\"}},"
		"{\"ph\":\"E\",\"ts\":3,\"pid\":1,\"tid\":2},"
		"{\"ph\":\"X\",\"cat\":\"c\",\"name\":\"x\",\"ts\":2.5,\"dur\":1.25,\"pid\":1,\"tid\":3},"
		"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"T\"}},"
		"{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"P\"}}"
		"],\"displayTimeUnit\":\"ms\"}",
		"1000 T-2 [-1] ?.out: begin\n"
		"2000 T-2 [-1] ?.in: begin k=a b\n"
		"2500 P-3 [-1] c.x: dur_ns=1250\n"
		"3000 T-2 [-1] ?.in: end\n"
		"4000 T-2 [-1] ?.out: end\n",
		0);
}

/* Chrome's own files may lack the array's end, when the browser died. */
TEST(what_is_cut_gives_what_is_whole)
{
	static const char one[] = "[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1,\"pid\":1,\"tid\":2},\n";
	struct buf b = { 0 };

	buf_str(&b, one);
	CHECK_TRACE(buf_text(&b), "1000 <...>-2 [-1] ?.a: \n", 1);
	buf_str(&b, "{\"ph\":\"i\",\"name\":\"b\",\"ts\":2,\"pi");
	CHECK_TRACE(buf_text(&b), "1000 <...>-2 [-1] ?.a: \n", 1);
	buf_release(&b);
}

TEST(other_json_is_none)
{
	static const char *const texts[] = { "{\"a\":1,\"b\":[1,2]}\n", "[1, 2, 3, 4]",
					     "[{\"a\":1}] ", "{\"record\":\"event\",\"ph\":\"X\"}",
					     "[[[[[[[[[[" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct buf got = { 0 };
		size_t warnings;

		CHECK(!events_of(texts[i], &got, &warnings));
		buf_release(&got);
	}
}
TEST_MAIN
