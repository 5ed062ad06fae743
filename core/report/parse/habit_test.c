/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests prefixes that are learnt: whatever a log puts before every line of a report, the lines that
 * come out are those without it. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

/* A report's lines: some with words that only a kernel prints, some without. */
static const char *const report[] = {
	"BUG: unable to handle page fault for address: ffffffffdeadbee8",
	"PGD 12345067 P4D 12345067 PUD 0",
	"CPU: 3 PID: 812 Comm: widgetd Not tainted 6.5.1 #3",
	"RIP: 0010:widget_poll+0x31/0x90 [widget]",
	"RSP: 0018:ffffc90000123e10 EFLAGS: 00010246",
	"Call Trace:",
	"gadget_run+0x11/0x80 [widget]",
	"? gadget_spin+0x5/0x10",
	"frob the gadget",
	"Modules linked in: widget(O) gadget",
};

static void on_line(const struct oline *l, void *arg)
{
	struct buf *b = arg;

	buf_add(b, l->text, l->n);
	buf_char(b, '|');
}

/* What logs put before a line: %d is the line's number, and words of one of two where they vary. */
static const char *const prefixes[] = {
	/* a journal, in German and in Japanese */
	"M\xc3\xa4r 03 12:34:%02d rechner kernel: ",
	"11\xe6\x9c\x88 23 09:47:%02d host kernel: ",
	/* logcat, RFC 5424, MediaTek's, Kubernetes's */
	"01-02 03:04:05.6%02d     0     0 E         : ",
	"<3>1 2025-01-06T10:20:30.1%02dZ host kernel - - - ",
	"<3>[ 1234.5678%02d] (0)[848:comm/0]",
	"2025-01-06T10:20:30.1234567%02dZ stdout F ",
	/* a wiki, a paste with line numbers, machines that test */
	"# ",
	"%d: ",
	"##[error] 2025.01.06-10.20.%02d target|",
	"10:20:%02d dut-1> ",
	/* time stamps whose brackets were lost or are others */
	"[ 1234.5678%02d ",
	"{ 1234.5678%02d] ",
	"( 1234.5678%02d) ",
	"1234.5678%02d] ",
};

static void the_payload(struct buf *b)
{
	for (size_t i = 0; i < ARRAY_SIZE(report); i++)
		buf_printf(b, "%s|", report[i]);
}

static void prefixed(const char *prefix, size_t n, struct buf *b)
{
	struct text_stream *t = text_open(on_line, b);
	struct buf line = { 0 };

	for (size_t i = 0; i < n; i++) {
		const char *number = strchr(prefix, '%');
		char digits[24];

		buf_reset(&line);
		snprintf(digits, sizeof(digits), "%02zu", i + 1);
		if (number) {
			buf_add(&line, prefix, (size_t)(number - prefix));
			buf_str(&line, digits);
			buf_str(&line, strchr(number, 'd') + 1);
		} else {
			buf_str(&line, prefix);
		}
		buf_str(&line, report[i]);
		buf_char(&line, '\n');
		text_feed(t, line.s, line.n);
	}
	text_close(t);
	buf_release(&line);
}

TEST(whatever_precedes_a_report_is_taken_off)
{
	struct buf want = { 0 };

	the_payload(&want);
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		struct buf got = { 0 };

		prefixed(prefixes[i], ARRAY_SIZE(report), &got);
		CHECK_STR(buf_text(&got), buf_text(&want));
		buf_release(&got);
	}
	buf_release(&want);
}

static void lines_are(const char *text, const char *want)
{
	struct buf got = { 0 };
	struct text_stream *t = text_open(on_line, &got);

	text_feed(t, text, strlen(text));
	text_close(t);
	CHECK_STR(buf_text(&got), want);
	buf_release(&got);
}

/* Two lines may begin alike by chance; when all of a text do, it is none. */
TEST(two_lines_are_no_habit_of_others)
{
	lines_are("# BUG: a\n# CPU: 3 PID: 812 Comm: a\nb\n",
		  "# BUG: a|# CPU: 3 PID: 812 Comm: a|b|");
	lines_are("# BUG: a\n# b\n\n# CPU: 3 PID: 812 Comm: a\n",
		  "BUG: a|b||CPU: 3 PID: 812 Comm: a|");
	lines_are("# BUG: a\n", "# BUG: a|");
}

/* The line that says what happened teaches a prefix as well, and lines before it lose theirs. */
TEST(headlines_teach)
{
	lines_are(
		"10.1 board> a\n10.2 board> WARNING: possible recursive locking detected\n"
		"10.3 board> 6.1.0 #1 Not tainted\n10.4 board> BUG: sleeping function called from "
		"invalid context at a.c:1\n10.5 board> b\n10.6 board> refcount_t: underflow; "
		"use-after-free.\nlogin:\n",
		"a|WARNING: possible recursive locking detected|6.1.0 #1 Not tainted|"
		"BUG: sleeping function called from invalid context at a.c:1|b|"
		"refcount_t: underflow; use-after-free.|login:|");
	/* as the first of a text's lines it counts like those behind it */
	lines_are("frob| dut: irq 9: nobody cared (try booting)\nfrob| dut: Call Trace:\n"
		  "frob| dut: f+0x1/0x2\nfrob| dut: g\n",
		  "irq 9: nobody cared (try booting)|Call Trace:|f+0x1/0x2|g|");
	/* within a sentence it does not */
	lines_are("it says BUG: sleeping function called from invalid context.\n"
		  "he has BUG: sleeping function called from invalid context.\n"
		  "we see BUG: sleeping function called from invalid context.\nend\n",
		  "it says BUG: sleeping function called from invalid context.|"
		  "he has BUG: sleeping function called from invalid context.|"
		  "we see BUG: sleeping function called from invalid context.|end|");
}

/* No sentence that speaks of a function is a prefix of it. */
TEST(sentences_before_frames)
{
	lines_are("0xbf000000 allocated at f+0x1/0x2\n0xbf001000 allocated at g+0x1/0x2\n"
		  "0xbf002000 allocated at h+0x1/0x2\n",
		  "0xbf000000 allocated at f+0x1/0x2|0xbf001000 allocated at g+0x1/0x2|"
		  "0xbf002000 allocated at h+0x1/0x2|");
}

/* Words before what a kernel prints are a sentence, however often they stand there; and what begins
 * otherwise than the lines that taught the prefix keeps its beginning. */
TEST(sentences_and_others_stay)
{
	lines_are("we saw Call Trace: a\nwe saw Call Trace: b\nwe saw Call Trace: c\n",
		  "we saw Call Trace: a|we saw Call Trace: b|we saw Call Trace: c|");
	lines_are("a1| Call Trace:\n2- f+0x1/0x2\n{ g+0x1/0x2\n2- h\n",
		  "a1| Call Trace:|2- f+0x1/0x2|{ g+0x1/0x2|2- h|");
	lines_are("\t\"Call Trace:\",\n\t\"PC is at \",\n\t\"BUG: \",\n",
		  "\"Call Trace:\",|\"PC is at \",|\"BUG: \",|");
	lines_are("1| Call Trace:\n2| f+0x1/0x2\n3| g+0x1/0x2\n4- h\n5| i\nj| k\n",
		  "Call Trace:|f+0x1/0x2|g+0x1/0x2|4- h|i|j| k|");
}

/* A headline whose first word is a process's name teaches nothing, and is behind the same prefix as
 * what follows; so is what lines said before it. */
TEST(lines_before_the_first_sighting_wait)
{
	lines_are("# a\n# widgetd invoked oom-killer: x\n# CPU: 1 PID: 2 Comm: c\n# Call Trace:\n"
		  "# f+0x1/0x2\n",
		  "a|widgetd invoked oom-killer: x|CPU: 1 PID: 2 Comm: c|Call Trace:|f+0x1/0x2|");
	lines_are("# a\n# b\n# c\n# d\n# e\n# Call Trace:\n# f+0x1/0x2\n# g+0x1/0x2\n",
		  "a|b|c|d|e|Call Trace:|f+0x1/0x2|g+0x1/0x2|");
	lines_are("# a\n# b\n\nc\n# d\n", "# a|# b||c|# d|");
}

/* However much stood there: those that have waited are forgotten. */
TEST(lines_wait_after_a_long_log)
{
	struct buf text = { 0 }, want = { 0 };

	for (int i = 0; i < 9000; i++) {
		buf_str(&text, "words of a log without any prefix\n");
		buf_str(&want, "words of a log without any prefix|");
	}
	buf_str(&text,
		"# widgetd invoked oom-killer: x\n# CPU: 1 PID: 2 Comm: c\n# Call Trace:\n# f+0x1/0x2\n");
	buf_str(&want,
		"widgetd invoked oom-killer: x|CPU: 1 PID: 2 Comm: c|Call Trace:|f+0x1/0x2|");
	lines_are(buf_text(&text), buf_text(&want));
	buf_release(&text);
	buf_release(&want);
}

/* A word that differs from line to line, as a level's letter does, is part of the prefix. */
TEST(words_may_vary)
{
	lines_are("W/k(9): Call Trace:\nE/k(8): f+0x1/0x2\nI/k(7): g+0x1/0x2\nD/k(6): h\n",
		  "Call Trace:|f+0x1/0x2|g+0x1/0x2|h|");
}

/* An address in its brackets is the kernel's even where no name stands behind it. */
TEST(addresses_alone_teach_a_prefix)
{
	lines_are("1| [<c0123456>]\n2| [<c0123457>]\n3| [<c0123458>]\n4| x\n",
		  "[<c0123456>]|[<c0123457>]|[<c0123458>]|x|");
	/* and so are a name's, with the mark of a guess before it */
	lines_are("1| ? f+0x1/0x2\n2| ? g+0x1/0x2\n3| ? h+0x1/0x2\n",
		  "? f+0x1/0x2|? g+0x1/0x2|? h+0x1/0x2|");
	lines_are("1| [<c0123456]\n2| [<c0123457]\n3| [<c0123458]\n",
		  "1| [<c0123456]|2| [<c0123457]|3| [<c0123458]|");
}

TEST_MAIN
