/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of survivors' lines, as printk writes them (kernel/printk/printk.c) and as Android's
 * logging does, and of what is said of a record by them. */
#include "core/base/test.h"
#include "core/image/survivor.h"

#define MAX 32

static struct survivor_line got[MAX];
static size_t n_got, stop_at;

static bool keep(const struct survivor_line *l, void *arg)
{
	(void)arg;
	if (n_got < MAX)
		got[n_got++] = *l;
	return n_got != stop_at;
}

static struct survivor record(enum survivor_type type, const char *text)
{
	return (struct survivor){ .type = type, .text = text, .n = text ? strlen(text) : 0 };
}

static size_t lines_of(const struct survivor *s)
{
	n_got = 0;
	survivor_lines(s, keep, NULL);
	return n_got;
}

static void check_text(const char *text, size_t n, const char *want)
{
	if (!want) {
		CHECK_U64(n, 0);
		return;
	}
	CHECK_U64(n, strlen(want));
	if (n == strlen(want))
		CHECK_MEM(text, want, n);
}

TEST(names_of_types)
{
	static const char *const names[] = {
		"dmesg", "console", "pmsg", "ftrace", "mce", "unknown"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_STR(survivor_type_name((enum survivor_type)i), names[i]);
	CHECK_STR(survivor_type_name(SURVIVOR_TYPES), "unknown");
}

TEST(what_a_line_is_made_of)
{
	static const struct {
		const char *line;
		int level, facility;
		bool has_time;
		uint64_t ns;
		const char *caller, *text;
	} cases[] = {
		{ "<6>[    3.184995] usb 1-1: new", 6, 0, true, 3184995000, NULL, "usb 1-1: new" },
		{ "<30>[   12.000001][    T1] systemd[1]: up", 6, 3, true, 12000001000, "T1",
		  "systemd[1]: up" },
		{ "<0>[99999.999999][   C10] dead", 0, 0, true, 99999999999000, "C10", "dead" },
		{ "[    0.000000] Linux", -1, -1, true, 0, NULL, "Linux" },
		{ "[    0.000000]no blank", -1, -1, true, 0, NULL, "no blank" },
		{ "[    0.000000]  two", -1, -1, true, 0, NULL, " two" },
		{ "<8191>[    1.000000] x", 7, 1023, true, 1000000000, NULL, "x" },
		{ "<12>plain", 4, 1, false, 0, NULL, "plain" },
		{ "plain", -1, -1, false, 0, NULL, "plain" },
		{ " indented", -1, -1, false, 0, NULL, " indented" },
		{ "", -1, -1, false, 0, NULL, NULL },
		/* what only begins like it is text */
		{ "<8192>x", -1, -1, false, 0, NULL, "<8192>x" },
		{ "<6x", -1, -1, false, 0, NULL, "<6x" },
		{ "<>x", -1, -1, false, 0, NULL, "<>x" },
		{ "<6", -1, -1, false, 0, NULL, "<6" },
		{ "6>x", -1, -1, false, 0, NULL, "6>x" },
		{ "[    3.18499] x", -1, -1, false, 0, NULL, "[    3.18499] x" },
		{ "[    3.1849955] x", -1, -1, false, 0, NULL, "[    3.1849955] x" },
		{ "[    3,184995] x", -1, -1, false, 0, NULL, "[    3,184995] x" },
		{ "[    3.184995 x", -1, -1, false, 0, NULL, "[    3.184995 x" },
		{ "[     .184995] x", -1, -1, false, 0, NULL, "[     .184995] x" },
		{ "[    3.184995", -1, -1, false, 0, NULL, "[    3.184995" },
		{ "[    T1] x", -1, -1, false, 0, NULL, "[    T1] x" },
		{ "[    1.000000][    X1] x", -1, -1, true, 1000000000, NULL, "[    X1] x" },
		{ "[    1.000000][    T1 x", -1, -1, true, 1000000000, NULL, "[    T1 x" },
		{ "[    1.000000][    T] x", -1, -1, true, 1000000000, NULL, "[    T] x" },
		{ "[    1.000000][    T1", -1, -1, true, 1000000000, NULL, "[    T1" },
		{ "[    1.000000]    T1] x", -1, -1, true, 1000000000, NULL, "   T1] x" },
		/* more than any clock has is no time */
		{ "[18446744071.000000] x", -1, -1, true, UINT64_C(18446744071000000000), NULL,
		  "x" },
		/* what 64 bits do not hold is no number; zeros in front do not count */
		{ "<18446744073709551622>x", -1, -1, false, 0, NULL, "<18446744073709551622>x" },
		{ "<000000000000000006>x", 6, 0, false, 0, NULL, "x" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct survivor s = record(SURVIVOR_DMESG, cases[i].line);
		unsigned failures = test_state.failures;

		if (!*cases[i].line) {
			CHECK_U64(lines_of(&s), 0);
			continue;
		}
		REQUIRE(lines_of(&s) == 1);
		CHECK(got[0].level == cases[i].level && got[0].facility == cases[i].facility);
		CHECK_U64(got[0].has_time, cases[i].has_time);
		if (cases[i].has_time)
			CHECK_U64(got[0].time_ns, cases[i].ns);
		check_text(got[0].caller, got[0].caller_n, cases[i].caller);
		check_text(got[0].text, got[0].n, cases[i].text);
		check_text(got[0].whole, got[0].whole_n, cases[i].line);
		CHECK(!got[0].has_wall && !got[0].tag);
		if (test_state.failures != failures)
			printf("  line '%s'\n", cases[i].line);
	}
	{ /* seconds that do not fit nanoseconds of 64 bits */
		struct survivor s = record(SURVIVOR_DMESG, "[18446744073.000000] x");

		REQUIRE(lines_of(&s) == 1);
		CHECK(!got[0].has_time);
	}
}

TEST(lines_end_in_three_ways)
{
	struct survivor s = record(SURVIVOR_CONSOLE, "one\r\n\ntwo\n\r\nlast");

	REQUIRE(lines_of(&s) == 5);
	check_text(got[0].text, got[0].n, "one");
	check_text(got[0].whole, got[0].whole_n, "one");
	check_text(got[1].text, got[1].n, NULL);
	check_text(got[2].text, got[2].n, "two");
	check_text(got[3].text, got[3].n, NULL);
	CHECK_U64(got[3].whole_n, 0);
	check_text(got[4].text, got[4].n, "last");
	stop_at = 2;
	CHECK_U64(lines_of(&s), 2);
	stop_at = 0;
	s = record(SURVIVOR_CONSOLE, "whole\n");
	CHECK_U64(lines_of(&s), 1);
	s = record(SURVIVOR_UNKNOWN, NULL);
	CHECK_U64(lines_of(&s), 0);
}

/* ---- Android's frames: android_pmsg_log_header_t and android_log_header_t, then priority, tag,
 * text
 */

struct frames {
	uint8_t b[512];
	size_t n;
};

static void add(struct frames *f, uint64_t v, size_t bytes)
{
	while (bytes--) {
		f->b[f->n++] = (uint8_t)v;
		v >>= 8;
	}
}

/* `body` is of n bytes: all behind the header. */
static void frame(struct frames *f, unsigned log, uint32_t ns, const char *body, size_t n)
{
	add(f, 'l', 1);
	add(f, 18 + n, 2);
	add(f, 1000, 2);   /* uid */
	add(f, 0x1234, 2); /* pid */
	add(f, log, 1);
	add(f, 0x99, 2); /* thread */
	add(f, 1600000000, 4);
	add(f, ns, 4);
	memcpy(f->b + f->n, body, n);
	f->n += n;
}

static size_t frames_of(const struct frames *f)
{
	struct survivor s = { .type = SURVIVOR_PMSG, .pmsg = SPAN(f->b, f->n) };

	return lines_of(&s);
}

TEST(messages_of_android)
{
	/* android_LogPriority: verbose, debug, info, warn, error, fatal, silent; syslog's levels */
	static const int levels[] = { -1, -1, 7, 7, 6, 4, 3, 2, -1, -1 };

	for (unsigned prio = 0; prio < ARRAY_SIZE(levels); prio++) {
		struct frames f = { .n = 0 };
		char body[] = "?tag\0a text\n\n";

		body[0] = (char)prio;
		frame(&f, 0, 999999999, body, sizeof(body));
		REQUIRE(frames_of(&f) == 1);
		CHECK(got[0].level == levels[prio] && got[0].facility == -1);
		CHECK(got[0].has_wall && !got[0].has_time);
		CHECK(got[0].wall_ns == INT64_C(1600000000999999999));
		CHECK_U64(got[0].pid, 0x1234);
		CHECK_U64(got[0].uid, 1000);
		CHECK_STR(got[0].tag, "tag");
		check_text(got[0].text, got[0].n, "a text");
		CHECK_U64(got[0].whole_n, 18 + sizeof(body));
		CHECK(got[0].whole == (const char *)f.b);
	}
}

TEST(messages_that_lack_something)
{
	struct frames f = { .n = 0 };

	frame(&f, 2, 5, "\x04\x01\x02\x03", 4);    /* the log of binary events */
	frame(&f, 7, 5, "\x04no end", 7);          /* the tag does not end: it is text */
	frame(&f, 0, 5, "\x04tag\0open text", 14); /* nor does the text */
	frame(&f, 0, 5, "\x04tag\0\n\n", 7);       /* nothing but ends of lines */
	frame(&f, 0, 5, "", 0);
	frame(&f, 0, 5, "\x04", 1);
	frame(&f, 0, 5, "\x05\0", 2);
	REQUIRE(frames_of(&f) == 7);
	CHECK_STR(got[0].tag, "(binary)");
	CHECK_STR(got[0].text, "");
	CHECK(got[0].level == -1);
	CHECK(!got[1].tag && got[1].level == 6);
	check_text(got[1].text, got[1].n, "no end");
	CHECK_STR(got[2].tag, "tag");
	check_text(got[2].text, got[2].n, "open text");
	check_text(got[3].text, got[3].n, NULL);
	CHECK_STR(got[4].tag, "(binary)");
	CHECK_STR(got[5].tag, "(binary)");
	CHECK_STR(got[6].tag, "");
	CHECK(got[6].level == 4 && !got[6].n);
}

/* A ring's oldest frame is cut anywhere, and its newest may be: both are passed over. */
TEST(frames_between_other_bytes)
{
	struct frames f = { .n = 0 };
	size_t whole;

	add(&f, 0x6c6c6c6c6c, 5); /* 'l', and no frame */
	frame(&f, 0, 1, "\x04one\0first\0", 11);
	add(&f, 0x78, 1);
	frame(&f, 0, 2, "\x04two\0second\0", 12);
	stop_at = 0;
	REQUIRE(frames_of(&f) == 2);
	CHECK_STR(got[0].tag, "one");
	CHECK_STR(got[1].tag, "two");
	stop_at = 1;
	CHECK_U64(frames_of(&f), 1);
	stop_at = 0;
	whole = f.n;
	for (size_t less = 1; less < 20; less++) {
		f.n = whole - less;
		CHECK_U64(frames_of(&f), 1);
	}
	f.n = 0; /* no text needs no more than a header; less is none */
	frame(&f, 2, 1, "", 0);
	CHECK_U64(frames_of(&f), 1);
	f.n--;
	CHECK_U64(frames_of(&f), 0);
	for (unsigned log = 7; log < 9; log++)
		for (uint32_t ns = 999999999; ns < 1000000001; ns++) {
			f.n = 0;
			frame(&f, log, ns, "\x04t\0x", 4);
			CHECK_U64(frames_of(&f), log == 7 && ns == 999999999);
		}
	f.n = 0;
	frame(&f, 0, 1, "\x04t\0x", 4);
	f.b[0] = 'm'; /* it begins with another letter */
	CHECK_U64(frames_of(&f), 0);
	f.b[0] = 'l';
	CHECK_U64(frames_of(&f), 1);
	f.b[1] = 17; /* shorter than its header */
	CHECK_U64(frames_of(&f), 0);
}

/* ---- what is said of a record */

TEST(the_line_that_says_what_went_wrong)
{
	static const struct {
		const char *text, *headline;
	} cases[] = {
		{ "a\nBUG: unable to handle\nOops: 0002\nKernel panic - not syncing: Fatal\nend",
		  "Kernel panic - not syncing: Fatal" },
		{ "a\nOops: 0002 [#1]\nBUG: later\n", "Oops: 0002 [#1]" }, /* the first of equals */
		{ "BUG: kernel NULL\n", "BUG: kernel NULL" },
		{ "general protection fault: 0000\n", "general protection fault: 0000" },
		{ "Internal error: Oops\n", "Internal error: Oops" },
		{ "Unable to handle kernel paging\n", "Unable to handle kernel paging" },
		{ "kernel BUG at mm/slub.c:3\n", "kernel BUG at mm/slub.c:3" },
		{ "watchdog: BUG: soft lockup\n", "watchdog: BUG: soft lockup" },
		{ "Kernel panic\n", "Kernel panic" },
		{ "Unhandled fault: x\n", "Unhandled fault: x" },
		{ "<0>[    1.000000] Oops\n", "Oops" },
		{ "not at the start: BUG: x\nOop\nkernel panic\n", NULL },
		{ "Oop", NULL },
	};
	struct survivor_line l;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct survivor s = record(SURVIVOR_DMESG, cases[i].text);

		CHECK_U64(survivor_headline(&s, &l), cases[i].headline != NULL);
		if (cases[i].headline)
			check_text(l.text, l.n, cases[i].headline);
	}
	for (enum survivor_type type = 0; type < SURVIVOR_TYPES; type++) {
		struct survivor s = record(type, "Oops: 1");

		CHECK_U64(survivor_headline(&s, &l),
			  type == SURVIVOR_DMESG || type == SURVIVOR_CONSOLE);
	}
}

TEST(how_far_the_kernel_was_moved)
{
	static const struct {
		const char *text;
		bool found;
		uint64_t offset;
	} cases[] = {
		{ "x\nKernel Offset: 0x1a2b3c0 from 0xffffffff81000000\n", true, 0x1a2b3c0 },
		{ "Kernel Offset: 0xABCDEF from", true, 0xabcdef },
		{ "Kernel Offset: 0x0 from", true, 0 },
		{ "Kernel Offset: 0x9g", true, 9 },
		{ "Kernel Offset: 0xffff800000000000", true, UINT64_C(0xffff800000000000) },
		{ "Kernel Offset: 0x123456789abcdef01", false, 0 }, /* no address has 17 digits */
		{ "Kernel Offset: 0x", false, 0 },
		{ "Kernel Offset: 0xg", false, 0 },
		{ "Kernel Offset: disabled", false, 0 },
		{ "", false, 0 },
	};
	uint64_t offset;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct survivor s = record(SURVIVOR_DMESG, cases[i].text);

		if (CHECK_U64(survivor_kernel_offset(&s, &offset), cases[i].found) &&
		    cases[i].found)
			CHECK_U64(offset, cases[i].offset);
	}
	{ /* the record ends before the text in memory does; or there is no text */
		struct survivor s = record(SURVIVOR_DMESG, "Kernel Offset: 0x12345");

		s.n -= 3;
		CHECK(survivor_kernel_offset(&s, &offset) && offset == 0x12);
		s.text = NULL;
		CHECK(!survivor_kernel_offset(&s, &offset));
	}
}

TEST(the_version_that_was_running)
{
	struct survivor s =
		record(SURVIVOR_CONSOLE, "a\n<5>[    0.000000] Linux version 6.1.0 (gcc)\nb\n");
	const char *banner = NULL;
	size_t n = 0;

	REQUIRE(survivor_banner(&s, &banner, &n));
	check_text(banner, n, "Linux version 6.1.0 (gcc)");
	s = record(SURVIVOR_CONSOLE, "x Linux version 5"); /* cut short */
	REQUIRE(survivor_banner(&s, &banner, &n));
	check_text(banner, n, "Linux version 5");
	s = record(SURVIVOR_CONSOLE, "Linux version");
	CHECK(!survivor_banner(&s, &banner, &n));
	s = record(SURVIVOR_CONSOLE, NULL);
	CHECK(!survivor_banner(&s, &banner, &n));
}

TEST_MAIN
