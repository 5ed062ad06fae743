/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the lines that come out of a paste: wraps joined, quotes and encodings undone, parts
 * sorted. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

static void on_line(const struct oline *l, void *arg)
{
	struct buf *b = arg;

	buf_add(b, l->text, l->n);
	if (l->odd)
		buf_str(b, " (odd)");
	if (l->cut)
		buf_str(b, " (cut)");
	buf_char(b, '|');
}

/* Every line's text with a bar behind it; the text comes in pieces of `chunk` bytes. */
static void lines_of(const char *s, size_t n, size_t chunk, struct buf *b)
{
	struct text_stream *t = text_open(on_line, b);

	for (size_t at = 0; at < n; at += chunk)
		text_feed(t, s + at, n - at < chunk ? n - at : chunk);
	text_close(t);
}

#define T "[    1.000000] "
#define CODE                                                                                 \
	"Code: 48 89 e5 41 57 41 56 41 55 41 54 53" /* 41 bytes, as long as wrapped ones are \
						     */
#define LONG "Modules linked in: widget(OE) gadget snd_widget [last unloaded: a]"
/* 70 columns, as wide as mail programs let lines become */
#define WIDE "BUG: unable to handle page fault for address of a widget that is now"

#define GAP "                                                                      "

static const struct {
	const char *text, *lines;
} texts[] = {
	/* ends of lines */
	{ "a\nb\n", "a|b|" },
	{ "a\r\nb\r\n", "a|b|" },
	{ "a\rb", "a|b|" },
	{ "a\n\nb", "a||b|" },
	{ "a\r\n\r\nb", "a||b|" },
	{ "a\r\rb", "a||b|" },
	{ "a \t \nb", "a|b|" },
	{ "", "" },
	/* terminals that cut a line at their last column, within the digits of an address */
	{ T "BUG: kernel NULL pointer dereference, address: 0000000000\n000038\n" T "a\n",
	  "BUG: kernel NULL pointer dereference, address: 0000000000000038|a|" },
	{ T "BUG: kernel NULL pointer dereference, address: 0000\n0038\n",
	  "BUG: kernel NULL pointer dereference, address: 00000038|" },
	{ T "BUG: kernel NULL pointer dereference, address: 0000000000\n00003\n",
	  "BUG: kernel NULL pointer dereference, address: 0000000000 00003|" },
	/* terminals: colours, cursor, what ends them; bytes that programs write, and others */
	{ "\033[0;31ma\033[0m b\n", "a b|" },
	{ "\033[Ka\n", "a|" },
	{ "\033(a\n", "a|" },
	{ "\033[1;\na\n", "a|" },
	{ "\a\b\001a\n", "a|" },
	{ "a\002b\n", "ab (odd)|" },
	{ "a\177b\n", "a\177b (odd)|" },
	{ "a\002b\nc\n", "ab (odd)|c|" },
	/* reports whose newlines became blanks: lines begin as the kernel begins them (show_regs()
	 * of x86, dump_backtrace() of arm64, print_circular_bug() of lockdep) */
	{ "BUG: unable to handle kernel NULL pointer dereference at 00000008 printing eip: c0123456 "
	  "*pde = 00000000 Oops: 0000 [#1] SMP Modules linked in: a b_c CPU: 1 EIP: 0060:[<c0123456>] "
	  "Not tainted VLI EFLAGS: 00010202 (2.6.22 #1) EIP is at a_b+0x1/0x20 eax: 00000008 ebx: "
	  "00000000 esi: 00000001 edi: 00000002 Process a (pid: 4, ti=c7879000)\n",
	  "BUG: unable to handle kernel NULL pointer dereference at 00000008|printing eip: c0123456|"
	  "*pde = 00000000|Oops: 0000 [#1] SMP|Modules linked in: a b_c|CPU: 1|"
	  "EIP: 0060:[<c0123456>] Not tainted VLI|EFLAGS: 00010202 (2.6.22 #1)|EIP is at a_b+0x1/0x20|"
	  "eax: 00000008 ebx: 00000000|esi: 00000001 edi: 00000002|Process a (pid: 4, ti=c7879000)|" },
	{ "Oops: 0002 [#1] SMP CPU: 1 PID: 7 Comm: a b Not tainted 6.1.0 #1 RIP: 0010:a_b+0x1/0x20 "
	  "[m] RSP: 0018:ffffb0a0c0123d50 EFLAGS: 00010246 RAX: 0000000000000000 RBX: "
	  "ffff9e4a81234000 Call Trace: <TASK> ? c_d+0x1/0x20 [m] e_f+0x5b/0xc0 [<ffffffff81234567>] ? "
	  "g_h+0x1/0x2 </TASK> a_b called at c_d+0x1/0x2 (x+0x1/0x2) ---[ end trace 0000 ]---\n",
	  "Oops: 0002 [#1] SMP|CPU: 1 PID: 7 Comm: a b Not tainted 6.1.0 #1|RIP: 0010:a_b+0x1/0x20 [m]|"
	  "RSP: 0018:ffffb0a0c0123d50 EFLAGS: 00010246|RAX: 0000000000000000 RBX: ffff9e4a81234000|"
	  "Call Trace:|<TASK>|? c_d+0x1/0x20 [m]|e_f+0x5b/0xc0|[<ffffffff81234567>] ? g_h+0x1/0x2|"
	  "</TASK> a_b called at c_d+0x1/0x2 (x+0x1/0x2)|---[ end trace 0000 ]---|" },
	{ "======= WARNING: possible circular locking dependency detected 6.6.0 #2 Not tainted ------ "
	  "a/8 is trying to acquire lock: ffff888103a8c0e8 (&w->lock){+.+.}-{3:3}, at: a_b+0x34/0x120 "
	  "[m] but task is already holding lock: ffff888103a8c1f0 (&q->mutex){+.+.}-{3:3}, at: "
	  "c_d+0x51/0x200 which lock already depends on the new lock. the existing dependency chain (in "
	  "reverse order) is: -> #1 (&q->mutex){+.+.}-{3:3}: e_f+0x98/0xf40 stack backtrace: CPU: 2 "
	  "PID: 8 Comm: a\n",
	  "=======|WARNING: possible circular locking dependency detected|6.6.0 #2 Not tainted ------|"
	  "a/8 is trying to acquire lock:|ffff888103a8c0e8 (&w->lock){+.+.}-{3:3}, at: a_b+0x34/0x120 "
	  "[m]|but task is already holding lock:|ffff888103a8c1f0 (&q->mutex){+.+.}-{3:3}, at: "
	  "c_d+0x51/0x200|which lock already depends on the new lock.|the existing dependency chain (in "
	  "reverse order) is:|-> #1 (&q->mutex){+.+.}-{3:3}:|e_f+0x98/0xf40|stack backtrace:|CPU: 2 "
	  "PID: 8 Comm: a|" },
	/* frames alone, as of a task that hangs; riscv's and mips's registers, and a tab */
	{ "INFO: task a:8 blocked for more than 120 seconds. \"echo 0 > /proc/sys/kernel/hung_task\" "
	  "disables this message. a D 0 8 2 0x80004006 Call Trace: __schedule+0x2e6/0x6f0 "
	  "schedule+0x33/0xa0\tb_c+0x34/0x120 [m] d_e+0x81/0x200 [m] kthread+0x120/0x140 "
	  "ret_from_fork+0x35/0x40\n",
	  "INFO: task a:8 blocked for more than 120 seconds.|\"echo 0 > /proc/sys/kernel/hung_task\" "
	  "disables this message. a D 0 8 2 0x80004006|Call Trace:|__schedule+0x2e6/0x6f0|"
	  "schedule+0x33/0xa0|b_c+0x34/0x120 [m]|d_e+0x81/0x200 [m]|kthread+0x120/0x140|"
	  "ret_from_fork+0x35/0x40|" },
	{ "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000010 Oops "
	  "[#1] CPU: 1 PID: 8 Comm: a Not tainted 6.1.0 #1 epc : a_b+0x34/0x120 [m] ra : c_d+0x81/0x200 "
	  "epc : ffffffff01d3a034 ra : ffffffff01d3a2a0 sp : ffffffc800b53d00 status: 0000000200000120 "
	  "badaddr: 0000000000000010\n",
	  "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000010|Oops "
	  "[#1]|CPU: 1 PID: 8 Comm: a Not tainted 6.1.0 #1|epc : a_b+0x34/0x120 [m]|ra : c_d+0x81/0x200|"
	  "epc : ffffffff01d3a034 ra : ffffffff01d3a2a0|sp : ffffffc800b53d00|status: 0000000200000120 "
	  "badaddr: 0000000000000010|" },
	/* arm's words, frames and CPUs that stop */
	{ "8<--- cut here --- Unhandled fault: page domain fault (0x01b) at 0x00000020 [00000020] "
	  "*pgd=41d57835 Internal error: Oops - BUG: 0 [#1] SMP ARM CPU1: stopping Hardware name: a "
	  "board unwind_backtrace from show_stack+0x18/0x1c show_stack from a_b+0x1/0x2 [m] "
	  "---[ end Kernel panic - not syncing: a ]---\n",
	  "8<--- cut here ---|Unhandled fault: page domain fault (0x01b) at 0x00000020|[00000020] "
	  "*pgd=41d57835|Internal error: Oops - BUG: 0 [#1] SMP ARM|CPU1: stopping|Hardware name: a "
	  "board|unwind_backtrace from show_stack+0x18/0x1c|show_stack from a_b+0x1/0x2 [m]|"
	  "---[ end Kernel panic - not syncing: a ]---|" },
	/* a string as programs show it */
	{ "out: b'BUG: a\\r\\nOops: 0002 [#1] SMP\\nCPU: 1\\n RIP: b\\nCode: 00\\n'\n",
	  "out: b'BUG: a|Oops: 0002 [#1] SMP|CPU: 1|RIP: b|Code: 00|'|" },
	{ "in C:\\new\\name\\n is a BUG: of a path\n", "in C:\\new\\name\\n is a BUG: of a path|" },
	/* one beginning is no report, and neither are many in a short line */
	{ "A long sentence of somebody who asks what an Oops: 0002 in his log may be, whether the Call "
	  "Trace: of it tells more, and then goes on and on about his machine, its disks, its cards and "
	  "all the other things that he bought for it\n",
	  "A long sentence of somebody who asks what an Oops: 0002 in his log may be, whether the Call "
	  "Trace: of it tells more, and then goes on and on about his machine, its disks, its cards and "
	  "all the other things that he bought for it|" },
	{ "BUG: a CPU: 1 RIP: b Code: 00\n", "BUG: a CPU: 1 RIP: b Code: 00|" },
	/* quotes */
	{ "> a\n>> b\n> > c\n>d\n", "a|b|c|d|" },
	{ "| a\n> | b\n|c\n", "a|b||c|" },
	/* rows of a terminal, whose rest is blanks: a word is broken, and one ended there */
	{ "WARNING: CPU: 0 PID: 1 at a/b" GAP "/c.c:1 d+0x1/0x2\nBUG: a" GAP " b\n" GAP "BUG: c\n",
	  "WARNING: CPU: 0 PID: 1 at a/b/c.c:1 d+0x1/0x2|BUG: a b|BUG: c|" },
	{ "a" GAP "b\n", "a" GAP "b|" },
	/* code of markdown */
	{ "`a b`\n> `c`\n`d\n``\n``e``\n", "a b|c|`d|``|``e``|" },
	{ "  > a\n   > b\n", "a|> b|" },
	{ ">ffff88810c6d2a00: fa fb\n", ">ffff88810c6d2a00: fa fb|" },
	{ "> >ffff88810c6d2a00: fa fb\n", ">ffff88810c6d2a00: fa fb|" },
	{ ">ffff881: fa fb\n", "ffff881: fa fb|" },
	{ ">    a\n", "a|" },
	{ "```\na\n```c\n", "a|" },
	/* entities of HTML, blanks that do not break */
	{ "&lt;TASK&gt; &amp;a &quot;b&quot; &#39;c&#39;&nbsp;d &e\n",
	  "<TASK> &a \"b\" 'c' d &e|" },
	{ "a_b+0\xc3\x97"
	  "83/0xd7 10\xc3\x97"
	  "5\n",
	  "a_b+0x83/0xd7 10\xc3\x97"
	  "5|" },
	{ "a\xc2\xa0"
	  "b\n",
	  "a b|" },
	{ "a\xc2"
	  "b\n",
	  "a\xc2"
	  "b|" },
	/* quoted-printable, by its announcement or by what it makes of '='; before it a '=' is one
	 */
	{ "a=41\n", "a=41|" },
	{ "a=3D41 b=41\n", "a=41 bA|" },
	{ "a=3D\nb=41=7A\n", "a=|bAz|" },
	{ "Content-Transfer-Encoding: quoted-printable\n=41=5B=zz=4\n",
	  "Content-Transfer-Encoding: quoted-printable|A[=zz=4|" },
	{ "quoted-printable\na=C2=A0b=A0c\n", "quoted-printable|a b c|" },
	{ "quoted-printable\na=20\nb=\nc\n", "quoted-printable|a|bc|" },
	{ "a=0A=\nb=41\n", "a|bA|" },
	/* it is a header's line that announces it, not a long one's end */
	{ "a 23456789 123456789 123456789 123456789 123456789 123456789 quoted-printable\n=41\n",
	  "a 23456789 123456789 123456789 123456789 123456789 123456789 quoted-printable|A|" },
	{ "a 23456789 123456789 123456789 123456789 123456789 123456789 12345 quoted-printable\n"
	  "=41\n",
	  "a 23456789 123456789 123456789 123456789 123456789 123456789 12345 quoted-printable|"
	  "=41|" },
	/* a soft break shows by a width of 56 columns or more; "==" is a rule */
	{ "a 2345678901234567890123456789012345678901234567890123=\nx\n",
	  "a 2345678901234567890123456789012345678901234567890123=|x|" },
	{ "a 234567890123456789012345678901234567890123456789012345=\nx\n",
	  "a 234567890123456789012345678901234567890123456789012345x|" },
	{ "=========================================================\nx\n",
	  "=========================================================|x|" },
	/* wraps: bytes of code, modules, a module's name, sentences that go on */
	{ CODE "\n48 <8b> 0f (1f)\n", CODE " 48 <8b> 0f (1f)|" },
	{ CODE "\nthere\n", CODE "|there|" },
	{ "Code: 48 89\n48 89\n", "Code: 48 89|48 89|" },
	{ CODE "\n" T "48 89\n", CODE "|48 89|" },
	{ LONG "\nb_c(O) d-e\n", LONG " b_c(O) d-e|" },
	{ LONG "\na+0x1/0x2\n", LONG "|a+0x1/0x2|" },
	{ LONG "\n---[ end\n", LONG "|---[ end|" },
	{ LONG "\nRIP: 0010\n", LONG "|RIP: 0010|" },
	{ LONG "\nKernel panic - not syncing: x\n", LONG "|Kernel panic - not syncing: x|" },
	{ LONG "\nCall Trace:\n", LONG "|Call Trace:|" },
	{ " widget_read+0x1/0x2\n[snd-widget]\n", "widget_read+0x1/0x2 [snd-widget]|" },
	{ " widget_read+0x1/0x2 [a]\n[b]\n", "widget_read+0x1/0x2 [a]|[b]|" },
	{ " widget_read+0x1/0x2\n[1]\n", "widget_read+0x1/0x2|[1]|" },
	{ " widget_read+0x1/0x2\n[]\n", "widget_read+0x1/0x2|[]|" },
	{ "not a frame\n[widget]\n", "not a frame|[widget]|" },
	{ T "widget_read+0x1/0x2\n[widget]\n", "widget_read+0x1/0x2|[widget]|" },
	{ WIDE "\npresent in\n", WIDE "|present in|" },
	{ WIDE " of\npresent\n", WIDE " of present|" },
	{ "it is of\npresent\n", "it is of|present|" },
	/* what begins a line of its own is no rest, with the time stamp lost or not */
	{ T "Kernel panic - not syncing: of a widget that is\nCPU: 0 PID: 1 Comm: a\n",
	  "Kernel panic - not syncing: of a widget that is|CPU: 0 PID: 1 Comm: a|" },
	{ T "widget_that_has_a_long_name+0x1/0x2 [widget_too]\n b+0x1/0x2\n",
	  "widget_that_has_a_long_name+0x1/0x2 [widget_too]|b+0x1/0x2|" },
	{ T "Kernel panic - not syncing: of a widget that is\nhere\n",
	  "Kernel panic - not syncing: of a widget that is here|" },
	{ T "Kernel panic - not syncing: of a widget\nhere\n",
	  "Kernel panic - not syncing: of a widget|here|" },
	{ T WIDE "\npresent\n", WIDE " present|" },
	{ T WIDE "\n[present\n", WIDE "|[present|" },
	{ T WIDE "\n" T "present\n", WIDE "|present|" },
	{ WIDE " of\n          present\n", WIDE " of|present|" },
	{ WIDE " of\n6.1.55 #7 Not tainted\n", WIDE " of|6.1.55 #7 Not tainted|" },
	{ WIDE " at\nRAX: 0000000000000001\n", WIDE " at RAX: 0000000000000001|" },
	{ WIDE " is\nRAX: 0000000000000001\n", WIDE " is|RAX: 0000000000000001|" },
	{ WIDE " in\nBUG: scheduling while atomic\n", WIDE " in|BUG: scheduling while atomic|" },
	{ "CPU: 3 PID: 1234 Comm: a-widget-with-a-rather-long-name-of-its-own xx\nNot tainted 6\n",
	  "CPU: 3 PID: 1234 Comm: a-widget-with-a-rather-long-name-of-its-own xx Not tainted 6|" },
	/* a mailer cut the letters of the taint; what begins otherwise is another line */
	{ "CPU: 3 PID: 1 Comm: a Tainted: G\n     E     6.1.0 #1\n",
	  "CPU: 3 PID: 1 Comm: a Tainted: G E     6.1.0 #1|" },
	{ "CPU: 3 PID: 1 Comm: a Tainted: G\n     e     6.1.0 #1\n",
	  "CPU: 3 PID: 1 Comm: a Tainted: G|e     6.1.0 #1|" },
	{ "CPU: 3 PID: 1 Comm: a Tainted: G   6.1.0 #1\n     E     6.1.0 #1\n",
	  "CPU: 3 PID: 1 Comm: a Tainted: G   6.1.0 #1|E     6.1.0 #1|" },
	/* newlines that were lost */
	{ T "a+0x1/0x2 " T "b " T "c\n", "a+0x1/0x2|b|c|" },
	{ "> " T "a+0x1/0x2 " T "b\n", "a+0x1/0x2|b|" },
	/* pstore's parts: the highest number is the oldest; another dump is another */
	{ "Oops#1 Part1\nc\nd\nOops#1 Part3\na\nOops#1 Part2\nb\n", "a|b|c|d|" },
	{ "Oops#1 Part1\nb\nOops#1 Part2\na\nPanic#2 Part1\nd\nPanic#2 Part2\nc\n", "a|b|c|d|" },
	{ "Oops#1 Part\nb\nOops#1 Part2x\na\n", "Oops#1 Part|b|Oops#1 Part2x|a|" },
	{ "Emergency#10 Part10\na\nEmergency#10 Part9\nb\n", "a|b|" },
	{ "Widget#1 Part1\nb\n", "Widget#1 Part1|b|" },
};

TEST(lines_come_out_of_any_paste)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		for (size_t chunk = 1; chunk <= 4096; chunk *= 16) {
			struct buf b = { 0 };

			lines_of(texts[i].text, strlen(texts[i].text), chunk, &b);
			if (!CHECK_STR(buf_text(&b), texts[i].lines))
				printf("  of text %zu in pieces of %zu\n", i, chunk);
			buf_release(&b);
		}
}

/* Consoles put zeros between lines; at a line's begin they are nothing. */
TEST(zeros_end_lines)
{
	struct buf b = { 0 };

	lines_of("\0a\0\0b\n", 6, 6, &b);
	CHECK_STR(buf_text(&b), "a|b|");
	buf_release(&b);
}

static void on_numbered(const struct oline *l, void *arg)
{
	buf_printf(arg, "%" PRIu64 ":%.*s=%.*s|", l->number, (int)l->raw_n, l->raw, (int)l->n,
		   l->text);
}

/* A line has the number of the text's line that it began with, and what stood there as it was. */
TEST(lines_are_numbered_and_kept_raw)
{
	static const char text[] = "> a\n> " CODE "\n> 48 89\n\n> &lt;b\n";
	struct buf b = { 0 };
	struct text_stream *t = text_open(on_numbered, &b);

	text_feed(t, text, strlen(text));
	text_close(t);
	CHECK_STR(buf_text(&b), "1:> a=a|2:> " CODE "\n> 48 89=" CODE " 48 89|4:=|5:> &lt;b=<b|");
	buf_release(&b);
}

TEST(long_lines_are_cut)
{
	static char text[LINE_MAX_BYTES + 10];
	struct buf b = { 0 };

	memset(text, 'x', sizeof(text));
	lines_of(text, LINE_MAX_BYTES, 1000, &b);
	CHECK_U64(b.n, LINE_MAX_BYTES + 1);
	buf_reset(&b);
	lines_of(text, LINE_MAX_BYTES + 1, 1000, &b);
	CHECK_STR(buf_text(&b) + LINE_MAX_BYTES, " (cut)|");
	buf_release(&b);
}

/* Digits of every kind; a number ends where its digits do, and what is too large stays bounded. */
TEST(numbers_end_where_their_digits_do)
{
	static const char s[] = "0123456789abcdefABCDEFg";
	const char *end;
	uint64_t v;

	CHECK_U64(number_hex("0xfFg", "0xfFg" + 5, &end), 0xff);
	CHECK_U64(number_hex(s, s + 10, &end), 0x0123456789);
	CHECK_U64(number_hex(s + 10, s + sizeof(s) - 1, &end), 0xabcdefabcdef);
	CHECK_STR(end, "g");
	CHECK_U64(number_hex(s, s, &end), 0);
	CHECK(end == s);
	CHECK(number_dec(s, s + sizeof(s) - 1, &v, &end));
	CHECK_U64(v, 123456789);
	CHECK_STR(end, "abcdefABCDEFg");
	CHECK(!number_dec(s + 10, s + sizeof(s) - 1, &v, &end));
	CHECK(end == s + 10);
	CHECK(find_text(s, 9, "89a") == NULL);
	CHECK(find_text(s, 11, "89a") == s + 8);
	CHECK(has_prefix(s, 2, "01"));
	CHECK(!has_prefix(s, 1, "01"));
}

TEST_MAIN
