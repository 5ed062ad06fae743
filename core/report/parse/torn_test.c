/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests how damage within a report is told: lost bytes, pieces of lines, two reports in one. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/report/parse/parse.h"

/* The lines of a text as a report of one CPU has them. */
static void report_of(struct report *r, const char *text)
{
	report_init(r);
	while (*text) {
		size_t n = strcspn(text, "\n");
		const struct header *h;
		struct report_line *to;
		struct oline l = { .number = 0 };

		prefix_strip(text, n, &l);
		to = vec_push(&r->lines);
		to->text = arena_strndup(&r->arena, l.text, l.n);
		to->n = (uint32_t)l.n;
		to->shape = (uint8_t)shape_of(&l, &h);
		text += n + (text[n] == '\n');
	}
	facts_read(r);
}

/* "garbled G torn T mixed WHY" of a report; what is not there is not said. */
static void check(const char *text, bool multi, const char *want)
{
	struct buf b = { 0 };
	struct report r;

	report_of(&r, text);
	torn_find(&r, multi);
	if (r.garbled)
		buf_printf(&b, "garbled %u ", r.garbled);
	if (r.torn)
		buf_printf(&b, "torn %u ", r.torn);
	if (r.mixed)
		buf_printf(&b, "mixed: %s", r.mixed);
	if (!CHECK_STR(buf_text(&b), want))
		printf("  of:\n%s\n", text);
	buf_release(&b);
	report_release(&r);
}

#define A " a_b+0x1/0x20\n"
#define B " c_d+0x1/0x20\n"
#define HEAD "WARNING: CPU: 1 PID: 9 at a.c:1 a_b+0x1/0x20\n"
#define WHO "CPU: 1 PID: 9 Comm: a Not tainted 6.1.0 #1\n"
#define STATE "RSP: 0018:ffffc90000d2fa00 EFLAGS: 00010246\nRAX: 0000000000000001\n"
#define CALLS "Call Trace:\n <TASK>\n"
#define DONE " entry_SYSCALL_64_after_hwframe+0x72/0xdc\n </TASK>\n"

/* Between two frames of a trace: parts of a frame's line are told, other messages are not. A
 * frame's offset is at most its function's size, where a call is the last instruction. */
TEST(pieces_of_frames_are_told)
{
	static const char *const v[][2] = {
		{ "", "" },
		{ "usb 1-1: new device\n", "" },
		{ "random words of a program\n", "" },
		{ " c_d+0x1/0x\n", "torn 1 " },
		{ " ? c_d+0x\n", "torn 1 " },
		{ " c_d\n", "torn 1 " },
		{ " ? c_d\n", "torn 1 " },
		{ " c_d [widget]\n", "torn 1 " },
		{ " cd\n", "" },
		{ " 3c_d\n", "" },
		{ " c_d e\n", "" },
		{ " a b c d/0x20\n", "torn 1 " },
		{ " a b c d e/0x20\n", "" },
		{ " widget: c_d/0x20\n", "" },
		{ " _d/0x20\n /0x20\n", "torn 2 " },
		{ " e_f+0x20/0x20\n", "" },
		{ " e_f+0x21/0x20\n", "torn 1 " },
		{ " e_f+0x21\n", "torn 1 " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct buf b = { 0 };

		buf_printf(&b, HEAD WHO CALLS A "%s" B DONE, v[i][0]);
		check(buf_text(&b), false, v[i][1]);
		buf_reset(&b); /* behind the last frame there is no trace */
		buf_printf(&b, HEAD WHO CALLS A B DONE "%s",
			   strncmp(v[i][0], " e", 2) ? v[i][0] : "");
		check(buf_text(&b), false, "");
		buf_release(&b);
	}
}

/* Bytes above 7f in frames; elsewhere a name may have them. */
TEST(bytes_that_no_kernel_prints)
{
	check(HEAD WHO CALLS " a\xc3\xa4_b+0x1/0x20\n" B DONE, false, "garbled 1 ");
	check(HEAD WHO "Hardware name: M\xc3\xbcller\n" CALLS A B DONE, false, "");
	check(HEAD WHO CALLS " [<ffffffff81234567>] a_b+0x1/0x20 [\xc3]\n" B DONE, false,
	      "garbled 1 ");
}

/* One process's report names no second one; unless it asked other CPUs, or is of many tasks. */
TEST(a_second_process_is_told)
{
	static const char other[] = "CPU: 0 PID: 10 Comm: b Not tainted 6.1.0 #1\n";
	struct buf b = { 0 };

	buf_printf(&b, HEAD WHO "%s" CALLS A B DONE, other);
	check(buf_text(&b), false, "mixed: lines of another process");
	check(buf_text(&b), true, "mixed: a second machine state");
	buf_reset(&b);
	buf_printf(&b, HEAD WHO CALLS A B DONE "%s", other);
	check(buf_text(&b), false, "mixed: lines of another process");
	check(buf_text(&b), true, "");
	buf_reset(&b);
	buf_printf(&b, HEAD WHO CALLS A B DONE "NMI backtrace for cpu 0\n%s", other);
	check(buf_text(&b), false, "");
	buf_reset(&b);
	buf_printf(&b, HEAD WHO CALLS A B DONE "CPU0: stopping\n%s", other);
	check(buf_text(&b), false, "");
	buf_release(&b);
	check(HEAD WHO CALLS A B DONE WHO, false, "");
}

/* What one report cannot have twice before its trace, and what it may have. */
TEST(second_states_are_told)
{
	check(HEAD WHO STATE CALLS A B DONE, false, "");
	check(HEAD WHO STATE "RAX: 0000000000000002\n" CALLS A B DONE, false,
	      "mixed: a second machine state");
	check(HEAD WHO STATE STATE CALLS A B DONE, false, "mixed: a second machine state");
	check(HEAD WHO "Hardware name: a\nHardware name: b\n" CALLS A B DONE, false,
	      "mixed: a second machine state");
	check(HEAD WHO "Code: 90\nCode: 91\n" CALLS A B DONE, false,
	      "mixed: a second machine state");
	check(HEAD WHO "PGD 1\nPGD 2\n" CALLS A B DONE, false, "");
	/* an exception within the trace has a state of its own, behind a frame */
	check(HEAD WHO STATE CALLS A STATE B DONE, false, "");
	check(HEAD WHO STATE "RIP: 0010:a_b+0x1/0x20\n" STATE CALLS A B DONE, false, "");
	check(HEAD WHO STATE CALLS "Call Trace:\n" A B DONE, false, "");
	check(HEAD WHO STATE "Call Trace:\nCall Trace:\n" A B DONE, false,
	      "mixed: a second call trace");
	check(HEAD WHO STATE CALLS " <TASK>\n" A B DONE, false, "mixed: a second call trace");
	check(HEAD WHO STATE CALLS A " </TASK>\n <TASK>\n" B DONE, false, "");
}

/* A stack ends with the function that it began with; frames right behind it are another's. */
TEST(second_stacks_are_told)
{
	check(HEAD WHO CALLS A " entry_SYSCALL_64_after_hwframe+0x72/0xdc\n" B " </TASK>\n", false,
	      "mixed: a second call trace");
	check(HEAD WHO CALLS A " entry_SYSCALL_64_after_hwframe+0x72/0xdc\n ? c_d+0x1/0x20\n"
			       " </TASK>\n",
	      false, "");
	check(HEAD WHO CALLS A " ret_from_fork+0x1/0x20\n ret_from_fork_asm+0x1/0x20\n </TASK>\n",
	      false, "");
	check(HEAD WHO CALLS A " ret_from_fork+0x1/0x20\n ret_from_fork+0x1/0x20\n </TASK>\n",
	      false, "mixed: a second call trace");
	check(HEAD WHO CALLS A " ? ret_from_fork+0x1/0x20\n" B " </TASK>\n", false, "");
	check(HEAD WHO CALLS A " ret_from_fork+0x1/0x20\n </TASK>\nCall Trace:\n" B, false, "");
	check(HEAD WHO CALLS A " el0t_64_sync+0x1/0x20\n secondary_startup_64+0x1/0x20\n", false,
	      "mixed: a second call trace");
}

/* Rows of registers between frames, by turns; one may be chance, and 32-bit ARM has rows of r0 to
 * r10 there. */
TEST(rows_between_frames_are_told)
{
	check(HEAD WHO CALLS A "RDX: 0000000000000001\n" B A "RSI: 0000000000000002\n" B DONE,
	      false, "mixed: lines of a machine state between frames");
	check(HEAD WHO CALLS A "RDX: 0000000000000001\n" B A B DONE, false, "");
	check(HEAD WHO CALLS A "RDX: 0000000000000001\nRSI: 0000000000000002\n" B A
			       "RDI: 0000000000000003\nRBP: 0000000000000004\n" B DONE,
	      false, "");
	check(HEAD WHO CALLS A "r10: 00000001  r9 : 00000002\n" B A
			       "r7: 00000002  r6 : 00000003\n" B DONE,
	      false, "");
}

TEST_MAIN
