/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what is taken off a line: the whole of every known prefix, its time, its caller, no more.
 */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

#define NO_TIME UINT64_MAX

/* The times are the line's own, in nanoseconds; "f" marks a line of a program's. */
static const struct {
	const char *line, *text;
	uint64_t ns;
	const char *ctx; /* "T12"; "f" */
} lines[] = {
	/* printk_time(): seconds and microseconds */
	{ "[    1.234567] x", "x", 1234567000, "" },
	{ "[12345.000001] x", "x", 12345000001000, "" },
	{ "[9999999999.000001] x", "x", UINT64_C(9999999999000001000), "" },
	{ "[12345678901.000001] x", "[12345678901.000001] x", NO_TIME, "" },
	{ "[    1.5] x", "x", 1500000000, "" },
	{ "[    1.000050] x", "x", 1000050000, "" },
	{ "[    1.123456789] x", "x", 1123456000, "" },
	{ "[    2.] x", "x", 2000000000, "" },
	{ "[    1.2345678901] x", "[    1.2345678901] x", NO_TIME, "" },
	{ "[    1.234567 x", "[    1.234567 x", NO_TIME, "" },
	{ "[    1,234567] x", "[    1,234567] x", NO_TIME, "" },
	{ "[     .234567] x", "[     .234567] x", NO_TIME, "" },
	{ "[    1.234567]", "", 1234567000, "" },
	{ "[    1", "[    1", NO_TIME, "" },
	{ "[    1.", "[    1.", NO_TIME, "" },
	{ "[", "[", NO_TIME, "" },
	/* dmesg -d, dmesg -d -t, printk.time in brackets of angles */
	{ "[    1.234567 <    0.000001>] x", "x", 1234567000, "" },
	{ "[    1.234567 <1234567890.000001>] x", "x", 1234567000, "" },
	{ "[    1.234567 <12345678901234567890.01>] x",
	  "[    1.234567 <12345678901234567890.01>] x", NO_TIME, "" },
	{ "[<    0.000001>] x", "x", 1000, "" },
	/* CONFIG_PRINTK_CALLER */
	{ "[    1.234567][    T1] x", "x", 1234567000, "T1" },
	{ "[    1.234567][   C11] x", "x", 1234567000, "C11" },
	{ "[    1.234567] [T4194304] x", "x", 1234567000, "T4194304" },
	{ "[T12] x", "x", NO_TIME, "T12" },
	{ "[    X1] x", "[    X1] x", NO_TIME, "" },
	{ "[    T] x", "[    T] x", NO_TIME, "" },
	{ "[    T1 x", "[    T1 x", NO_TIME, "" },
	{ "[    T1", "[    T1", NO_TIME, "" },
	/* Android's vendors: CPU and process behind the time, and only there */
	{ "[    1.234567] c1   1042 x", "x", 1234567000, "T1042" },
	{ "[    1.234567] c123 12345678 x", "x", 1234567000, "T12345678" },
	{ "[    1.234567] c3      0 x", "x", 1234567000, "C3" },
	{ "[    1.234567] c1234 1042 x", "c1234 1042 x", 1234567000, "" },
	{ "[    1.234567] c1 123456789 x", "c1 123456789 x", 1234567000, "" },
	{ "[    1.234567] c1 1042", "c1 1042", 1234567000, "" },
	{ "[    1.234567] c1 10:42", "c1 10:42", 1234567000, "" },
	{ "[    1.234567] c11042 x", "c11042 x", 1234567000, "" },
	{ "[    1.234567] d1   1042 x", "d1   1042 x", 1234567000, "" },
	{ "c1   1042 x", "c1   1042 x", NO_TIME, "" },
	{ "[    1.234567] c0 1 (swapper/0) x", "x", 1234567000, "T1" },
	{ "[    1.234567] c0 1 (a name too long for one) x", "(a name too long for one) x",
	  1234567000, "T1" },
	/* MediaTek: CPU, process and its name, of up to 15 bytes */
	{ "[    1.234567] (0)[848:comm]x", "x", 1234567000, "T848" },
	{ "[    1.234567]  (7)[1042:kworker/u16:1] x", "x", 1234567000, "T1042" },
	{ "[    1.234567] (3)[0:swapper/3]x", "x", 1234567000, "C3" },
	{ "[    1.234567] (0)[848:a name too long to be one]x",
	  "(0)[848:a name too long to be one]x", 1234567000, "" },
	{ "[    1.234567] -(1)[19100:comm]x", "x", 1234567000, "T19100" },
	{ "[    1.234567] (0)[848]x", "(0)[848]x", 1234567000, "" },
	{ "[    1.234567] (0)848:x]", "(0)848:x]", 1234567000, "" },
	{ "[    1.234567] (0)[848:", "(0)[848:", 1234567000, "" },
	{ "(0)[848:comm]x", "(0)[848:comm]x", NO_TIME, "" },
	/* Samsung: a letter for the level, CPU, name, process */
	{ "[    1.234567]  [1:    kworker/1:1:  848] x", "x", 1234567000, "T848" },
	{ "[    1.234567] I[0:      swapper/0:    1] x", "x", 1234567000, "T1" },
	{ "[    1.234567] [1:    kworker/1:1:  84x] x", "[1:    kworker/1:1:  84x] x", 1234567000,
	  "" },
	{ "[    1.234567] [12] x", "[12] x", 1234567000, "" },
	/* what a person did not type in */
	{ "[.................] x", "x", NO_TIME, "" },
	{ "[..] x", "[..] x", NO_TIME, "" },
	/* dmesg -T, -H, and their like: a clock or a "+" within brackets */
	{ "[Mon Jan  6 10:20:30 2025] x", "x", NO_TIME, "" },
	{ "[Jan06 10:20] x", "x", NO_TIME, "" },
	{ "[  +0.010710] x", "x", NO_TIME, "" },
	{ "[ +12.010710] x", "x", NO_TIME, "" },
	{ "[10:20:30] x", "x", NO_TIME, "" },
	{ "[2025-01-06T10:20:30,123456+01:00] x", "x", NO_TIME, "" },
	{ "[2025/01/06 10:20:30.123] x", "x", NO_TIME, "" },
	{ "[  +0010710] x", "[  +0010710] x", NO_TIME, "" },
	{ "[  + 0.010710] x", "[  + 0.010710] x", NO_TIME, "" },
	{ "[Mon Jan  6 2025] x", "[Mon Jan  6 2025] x", NO_TIME, "" },
	{ "[a=1 10:20] x", "[a=1 10:20] x", NO_TIME, "" },
	{ "[1:20] x", "[1:20] x", NO_TIME, "" },
	{ "[10:2] x", "[10:2] x", NO_TIME, "" },
	{ "[widget] x", "[widget] x", NO_TIME, "" },
	{ "[a word that is much too long for a time 10:20:30] x",
	  "[a word that is much too long for a time 10:20:30] x", NO_TIME, "" },
	/* levels */
	{ "<4>x", "x", NO_TIME, "" },
	{ "<12>[    1.234567] x", "x", 1234567000, "" },
	{ "<191>x", "x", NO_TIME, "" },
	{ "<1910>x", "<1910>x", NO_TIME, "" },
	{ "<4 x", "<4 x", NO_TIME, "" },
	{ "<TASK>", "<TASK>", NO_TIME, "" },
	{ "<", "<", NO_TIME, "" },
	/* /dev/kmsg and netconsole's extended form; the third number is microseconds */
	{ "4,123,5678901,-;x", "x", 5678901000, "" },
	{ "4,123,5678901,-,caller=T12;x", "x", 5678901000, "T12" },
	{ "4,123,5678901,-,caller=C3;x", "x", 5678901000, "C3" },
	{ "4,123,5678901,-,ncfrag=0/9,caller=T7;x", "x", 5678901000, "T7" },
	{ "4,123,5678901,-,caller=;x", "x", 5678901000, "" },
	{ "4,123,5678901,-,caller=X12;x", "x", 5678901000, "" },
	{ "May 25 07:29:42 host 4,123,5678901,-,caller=C0;x", "x", 5678901000, "C0" },
	{ "4,123,5678901 and more;x", "4,123,5678901 and more;x", NO_TIME, "" },
	{ "4,123,5678901,a b;x", "4,123,5678901,a b;x", NO_TIME, "" },
	{ "4,123,-;x", "4,123,-;x", NO_TIME, "" },
	{ "4,123,56,-", "4,123,56,-", NO_TIME, "" },
	{ "4,123,56,", "4,123,56,", NO_TIME, "" },
	{ "4,123", "4,123", NO_TIME, "" },
	/* dmesg -x */
	{ "kern  :emerg : [    1.234567] x", "x", 1234567000, "" },
	{ "kern  :err   : x", "x", NO_TIME, "" },
	{ "user  :notice: x", "x", NO_TIME, "" },
	{ "daemon:info  : x", "x", NO_TIME, "" },
	{ "kern  :debug : x", "x", NO_TIME, "" },
	{ "kern  :widget: x", "kern  :widget: x", NO_TIME, "" },
	{ "kern  :warn x", "kern  :warn x", NO_TIME, "" },
	{ "mail  :warn : x", "mail  :warn : x", NO_TIME, "" },
	{ "kern", "kern", NO_TIME, "" },
	/* syslog, rsyslog, journald; each with the kernel's tag */
	{ "Feb 26 19:12:30 host kernel: x", "x", NO_TIME, "" },
	{ "Feb  6 19:12:30 host kernel: [    1.234567] x", "x", 1234567000, "" },
	{ "Feb 26 2025 19:12:30 host kernel: x", "x", NO_TIME, "" },
	{ "Wed Feb 26 19:12:30 host kernel: x", "x", NO_TIME, "" },
	{ "Apr 01 12:34:56.123456 host kernel: x", "x", NO_TIME, "" },
	{ "Dec 26 19:12:30 host kernel[0]: x", "x", NO_TIME, "" },
	{ "Dec 26 19:12:30 host klogd: x", "x", NO_TIME, "" },
	{ "Dec 26 19:12:30 kernel: x", "x", NO_TIME, "" },
	{ "Dec 26 19:12:30 host vmunix: x", "x", NO_TIME, "" },
	{ "Dec 26 19:12:30 x y", "x y", NO_TIME, "" },
	{ "2025-01-06T10:20:30,123456+01:00 x", "x", NO_TIME, "" },
	{ "2025-01-06T10:20:30-0500 host kernel: x", "x", NO_TIME, "" },
	{ "2025-01-06T10:20:30.123Z host kernel: x", "x", NO_TIME, "" },
	{ "2025/01/06 10:20:30 x", "x", NO_TIME, "" },
	{ "2025/01/06 10:20:30", "", NO_TIME, "" },
	{ "2025-01-06 10:20:30: x", ": x", NO_TIME, "" },
	{ "10:20:30 x", "x", NO_TIME, "" },
	{ "10:20:30.5 x", "x", NO_TIME, "" },
	{ "10:20:30x", "10:20:30x", NO_TIME, "" },
	{ "host kernel: x", "x", NO_TIME, "" },
	{ "kernel: x", "x", NO_TIME, "" },
	{ "kernels: x", "kernels: x", NO_TIME, "" },
	{ "2025-01/06 10:20:30 x", "2025-01/06 10:20:30 x", NO_TIME, "" },
	{ "2025-01-06_10:20:30 x", "2025-01-06_10:20:30 x", NO_TIME, "" },
	{ "2025-01-06T10:20 x and more", "2025-01-06T10:20 x and more", NO_TIME, "" },
	{ "2025-1-06T10:20:30 x y z", "2025-1-06T10:20:30 x y z", NO_TIME, "" },
	{ "2025-01-06T10:20:30x and more", "2025-01-06T10:20:30x and more", NO_TIME, "" },
	/* dates in other languages, which the kernel's tag alone tells from words */
	{ "\xd0\xb8\xd1\x8e\xd0\xbb 27 14:08:03 host kernel: x", "x", NO_TIME, "" },
	{ "11\xe6\x9c\x88 23 09:47:11 host kernel: x", "x", NO_TIME, "" },
	{ "27. okt. 14:08:03 host.example kernel: x", "x", NO_TIME, "" },
	{ "lis 02 20:23:06 host widgetd[12]: x", "lis 02 20:23:06 host widgetd[12]: x", NO_TIME,
	  "f" },
	{ "lis 02 20:23:06 host widgetd: x", "lis 02 20:23:06 host widgetd: x", NO_TIME, "" },
	{ "lis 102 20:23:06 host kernel: x", "lis 102 20:23:06 host kernel: x", NO_TIME, "" },
	{ "lis ab 20:23:06 host kernel: x", "lis ab 20:23:06 host kernel: x", NO_TIME, "" },
	{ "lis 02 20:23 host kernel: x", "lis 02 20:23 host kernel: x", NO_TIME, "" },
	{ "Feb 261 19:12:30 a b", "Feb 261 19:12:30 a b", NO_TIME, "" },
	{ "Feb 26 19:12 host a b c", "Feb 26 19:12 host a b c", NO_TIME, "" },
	/* programs */
	{ "Feb 26 19:12:30 host widgetd[12]: x", "host widgetd[12]: x", NO_TIME, "f" },
	{ "Feb 26 19:12:30 host widgetd: x", "host widgetd: x", NO_TIME, "f" },
	/* a date alone, and the kernel's words are none of a host and a program */
	{ "Feb 26 19:12:30  Call Trace:", "Call Trace:", NO_TIME, "" },
	{ "Feb 26 19:12:30 Internal error: Oops: 17 [#1] ARM", "Internal error: Oops: 17 [#1] ARM",
	  NO_TIME, "" },
	{ "Feb 26 19:12:30 host app: a: page allocation failure",
	  "host app: a: page allocation failure", NO_TIME, "f" },
	{ "2025-01-06T10:20:30Z host widgetd[12]: x", "host widgetd[12]: x", NO_TIME, "f" },
	{ "2025-01-06T10:20:30Z host widgetd: x", "host widgetd: x", NO_TIME, "" },
	{ "host widgetd[12]: x", "host widgetd[12]: x", NO_TIME, "" },
	{ "Feb 26 19:12:30 host widgetd[x]: x", "host widgetd[x]: x", NO_TIME, "" },
	/* the kernel's words came through a program: they are the kernel's */
	{ "Feb 26 19:12:30 host widgetd[12]: [    1.234567] x", "x", 1234567000, "" },
	/* what nobody knows, and a time within it */
	{ "qemu login: [    1.234567] x", "x", 1234567000, "" },
	{ "qemu login: [    1.234567][   T12] x", "x", 1234567000, "T12" },
	{ "(XEN) [a] [    1.234567] x", "x", 1234567000, "" },
	{ "puts(\"[    1.234567] x\");", "puts(\"[    1.234567] x\");", NO_TIME, "" },
	{ "line = '[    1.234567] x'", "line = '[    1.234567] x'", NO_TIME, "" },
	/* nothing to take off, and blanks behind */
	{ "x y  \t ", "x y", NO_TIME, "" },
	{ "  x", "x", NO_TIME, "" },
	{ "", "", NO_TIME, "" },
};

TEST(prefixes_are_taken_off_whole)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		const char *ctx = lines[i].ctx;
		struct oline l;
		char text[200], who[24] = "";

		prefix_strip(lines[i].line, strlen(lines[i].line), &l);
		snprintf(text, sizeof(text), "%.*s", (int)l.n, l.text);
		if (l.ctx)
			snprintf(who, sizeof(who), "%c%u", l.ctx, l.ctx_id);
		if (!CHECK_STR(text, lines[i].text) |
		    !CHECK_U64(l.has_time ? l.time_ns : NO_TIME, lines[i].ns) |
		    !CHECK_STR(l.foreign ? "f" : who, ctx) |
		    !CHECK(l.prefixed == (strchr(" xy", *lines[i].line) == NULL &&
					  strcmp(text, lines[i].line) != 0)))
			printf("  of '%s'\n", lines[i].line);
	}
}

/* Where the newline was that a line lost: before the stamp that follows words, and nowhere else. */
TEST(lost_newlines_are_found)
{
	static const struct {
		const char *line;
		size_t at; /* 0: nowhere */
	} v[] = {
		{ "[    1.234567] a+0x1/0x2 [    1.234570] b", 25 },
		{ "a [    1.234567] b", 0 },
		{ "a [    1.234567] b [    1.234568] c", 19 },
		{ "[    1.234567][   T12] [    1.234570] b", 0 },
		{ "[    1.234567] ======[    1.234570] =====", 0 },
		{ "[    1.234567] a [    1.5] b", 0 },
		{ "[    1.234567] a \"[    1.234570] b\"", 0 },
		{ "[    1.234567] a '[    1.234570] b'", 0 },
		{ "[    1.234567] a [    1.234570", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		size_t n = strlen(v[i].line);
		char *s = malloc(n);

		memcpy(s, v[i].line, n);
		if (!CHECK_U64(prefix_next(s, n), v[i].at ? v[i].at : n))
			printf("  of '%s'\n", v[i].line);
		free(s);
	}
}

/* The same bytes without a zero behind them, each at the end of its own memory: under ASan nothing
 * behind a line is looked at, and a line that is cut anywhere is one too. */
TEST(lines_may_be_cut_anywhere)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		for (size_t n = 0; n <= strlen(lines[i].line); n++) {
			char *s = malloc(n ? n : 1);
			struct oline l;

			memcpy(s, lines[i].line, n);
			prefix_strip(s, n, &l);
			if (!CHECK(l.text >= s && l.text + l.n <= s + n))
				printf("  of '%.*s'\n", (int)n, lines[i].line);
			free(s);
		}
}

/* How far the text and the whole line are set in: what a frame's row is known by. A tab is eight
 * columns, blanks before a prefix are no columns of the text behind it. */
TEST(columns_are_counted)
{
	static const struct {
		const char *line;
		unsigned margin, indent;
	} v[] = {
		{ "x", 0, 0 },
		{ "  x", 2, 2 },
		{ "\tx", 8, 8 },
		{ " \t x", 10, 10 },
		{ "[    1.234567]  x", 0, 2 },
		{ "   [    1.234567] x", 3, 1 },
		{ "[    1.234567]\tx", 0, 8 },
		{ "login: [    1.234567][   T12]   x", 0, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct oline l;

		prefix_strip(v[i].line, strlen(v[i].line), &l);
		if (!CHECK_U64(l.margin, v[i].margin) | !CHECK_U64(l.indent, v[i].indent))
			printf("  of '%s'\n", v[i].line);
	}
}

TEST_MAIN
