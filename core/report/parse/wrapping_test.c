/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what logs, journals, pages and mails wrap a kernel's lines in: the lines come out as they
 * went in, whichever pieces the text comes in. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

static void on_line(const struct oline *l, void *arg)
{
	struct buf *b = arg;

	buf_add(b, l->text, l->n);
	if (l->odd)
		buf_str(b, " (odd)");
	buf_char(b, '|');
}

static void lines_are(const char *text, size_t n, const char *want)
{
	for (size_t chunk = 1; chunk <= 4096; chunk *= 16) {
		struct buf b = { 0 };
		struct text_stream *t = text_open(on_line, &b);

		for (size_t at = 0; at < n; at += chunk)
			text_feed(t, text + at, n - at < chunk ? n - at : chunk);
		text_close(t);
		if (!CHECK_STR(buf_text(&b), want))
			printf("  of \"%.60s\" in pieces of %zu\n", text, chunk);
		buf_release(&b);
	}
}

static const struct {
	const char *text, *lines;
} texts[] = {
	/* a journal's and a container's objects: journalctl -o json, docker, journalctl -o json-sse
	 */
	{ "{ \"_TRANSPORT\" : \"kernel\", \"MESSAGE\" : \"a \\\"b\\\" \\u003cTASK>\" }\n",
	  "a \"b\" <TASK>|" },
	{ "{\"log\":\"[    1.000000] a\\r\\n\",\"stream\":\"stderr\"}\n", "a|" },
	{ "data: {\"MESSAGE\":\"a\"}\n", "a|" },
	{ "- {\"dt\": \"2026\", \"lvl\": \"target\", \"msg\": \"a\"}\n", "a|" },
	{ "- a {\"msg\": \"b\"}\n", "- a {\"msg\": \"b\"}|" },
	/* colours make a journal write the bytes as numbers: ESC [ 1 m a */
	{ "{\"MESSAGE\":[27,91,49,109,97]}\n", "a|" },
	/* docker's parts of a line have no newline; where no line has one they are lines */
	{ "{\"log\":\"a \",\"stream\":\"stderr\"}\n{\"log\":\"b\",\"stream\":\"stderr\"}\n"
	  "{\"log\":\"c\\n\",\"stream\":\"stderr\"}\n{\"log\":\"d\",\"stream\":\"stderr\"}\n",
	  "a bc|d|" },
	{ "{\"log\":\"a\",\"stream\":\"stderr\"}\n{\"log\":\"b\",\"stream\":\"stderr\"}\nc\n",
	  "a|b|c|" },
	{ "{\"log\":\"a\"}\n{\"log\":\"b\\n\"}\n", "a|b|" },
	/* Kubernetes's: P before a part, F before a line's end or the whole of it */
	{ "2025-01-06T10:20:30.123456789Z stderr P a \n2025-01-06T10:20:30.123456789Z stderr P  b\n"
	  "2025-01-06T10:20:30.123456789Z stderr F c\n2025-01-06T10:20:30.1+01:00 stdout F d\n"
	  "2025-01-06T10:20:30.1+01:00 stdout F:x e\n2025-01-06T10:20:30.1+01:00 stdout P f\n",
	  "a  bc|d|e|f|" },
	{ "2025-01-06T10:20:30.1+01:00 stdin F a\n2025-01-06 stdout F b\n",
	  "stdin F a|2025-01-06 stdout F b|" },
	/* a whole log in one member */
	{ "{\"id\":1,\"body\":\"a\\r\\nb\\r\\n\"}\n", "a|b|" },
	/* a member a line: dmesg -J, journalctl -o json-pretty */
	{ "{\n \"dmesg\": [\n {\n  \"pri\": 4,\n  \"time\": 1.000000,\n  \"msg\": \"a\"\n },{\n  \"pri\": "
	  "4,\n  \"msg\": \"b\"\n }\n ]\n}\n",
	  "{|\"dmesg\": [|{|\"pri\": 4,|\"time\": 1.000000,|a|b|" },
	/* all in one line: dmesg -J through jq -c, Loki's times and lines; of one object a member
	 * of that name within another is none */
	{ "{\"dmesg\":[{\"pri\":4,\"msg\":\"a {\\\"msg\\\":\"},{\"pri\":4,\"msg\":\"b\"},{\"pri\":4}]}\n",
	  "a {\"msg\":|b|" },
	{ "{\"msg\":\"a\",\"pri\":4,\"msg\":\"b\"}\n", "a|" },
	{ "{\"stream\":{\"job\":\"k\"},\"values\":[[\"1\",\"a\"], [\"2\", \"b \\\"c\\\"\"],[\"3\"]]}\n",
	  "a|b \"c\"|" },
	{ "{\"values\":[1,2]}\n", "{\"values\":[1,2]}|" },
	/* a list of YAML with an object each: LAVA */
	{ "- {\"dt\": \"2025\", \"lvl\": \"target\", \"msg\": \"a\"}\n- b\n", "a|- b|" },
	/* /dev/kmsg's dictionary */
	{ "4,1,1000000,-;a\n SUBSYSTEM=usb\n DEVICE=+usb:1-1\n4,2,1000001,-;b\nDEVICE=c\n",
	  "a|b|DEVICE=c|" },
	/* hung_task's advice begins with a quote, and other lines with braces, without being JSON
	 */
	{ "\"echo 0 > /proc/sys/kernel/x\" disables this message.\n{IN-SOFTIRQ-W} state\n",
	  "\"echo 0 > /proc/sys/kernel/x\" disables this message.|{IN-SOFTIRQ-W} state|" },
	/* journalctl -o export and -o verbose */
	{ "__CURSOR=s=1\n_TRANSPORT=kernel\nMESSAGE=a=b\nPRIORITY=4\n\nMESSAGE=c\n", "a=b||c|" },
	{ "Mon 2025-01-06 10:20:30.123456 CET [s=ab;i=1;b=cd]\n    PRIORITY=4\n    MESSAGE= a\n",
	  "a|" },
	/* the same words in a text that is no journal */
	{ "PRIORITY=4\n", "PRIORITY=4|" },
	/* pages */
	{ "<p>a<br>b<br/>c</p><div class=\"x\"><span>d</span></div>e\n", "<p>a|b|c|d|e|" },
	{ "<pre>a &#60;TASK&#x3e;\n&nbsp;b</pre>\n", "a <TASK>|b||" },
	/* of XML any name is a tag, and the kernel's own are capitals */
	{ "<?xml version=\"1.0\"?>\n<line n=\"1\">a &lt;TASK&gt; <TASK></line>\n",
	  "<?xml version=\"1.0\"?>|a <TASK> <TASK>|" },
	{ "<line n=\"1\">a</line>\n", "<line n=\"1\">a</line>|" },
	/* the kernel's own angles, and programs' */
	{ "<TASK>\n <IRQ>\n[<c0123456>] a\n<4>b\nif (a < b && c > d)\n<a>\n",
	  "<TASK>|<IRQ>|[<c0123456>] a|b|if (a < b && c > d)|<a>|" },
	/* markdown, and a unit's name */
	{ "a\\_b+0x1/0x2 \\[c\\]\ndev-disk-by\\x2duuid\n",
	  "a_b+0x1/0x2 [c]|dev-disk-by\\x2duuid|" },
	/* "a\nbc\n" and "d" in base64, of a mail with two parts */
	{ "Content-Transfer-Encoding: base64\nX: y\n\nYQpi\nYwo=\n--x\nContent-Transfer-Encoding: BASE64\n\n"
	  "ZA==\n\nend\n",
	  "Content-Transfer-Encoding: base64|X: y|a|bc|--x|Content-Transfer-Encoding: BASE64|d|end|" },
	/* a byte order mark in UTF-8 */
	{ "\xef\xbb\xbf[    1.000000] a\n", "a|" },
	{ "\xef\xbb", "\xef\xbb|" },
};

TEST(lines_come_out_of_what_wraps_them)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		lines_are(texts[i].text, strlen(texts[i].text), texts[i].lines);
}

/* Two bytes a character: "ab", e acute, a character beyond 16 bits, a line's end. */
TEST(texts_of_two_bytes_a_character)
{
	static const char want[] = "ab\xc3\xa9\xf0\x9f\x90\xa7|";

	lines_are("\xff\xfe"
		  "a\0b\0\xe9\0\x3d\xd8\x27\xdc\n\0",
		  14, want);
	lines_are("\xfe\xff"
		  "\0a\0b\0\xe9\xd8\x3d\xdc\x27\0\n",
		  14, want);
	lines_are("a\0b\0\xe9\0\x3d\xd8\x27\xdc\n\0", 12, want);
	lines_are("\0a\0b\0\xe9\xd8\x3d\xdc\x27\0\n", 12, want);
	/* the second half of a pair alone, and half a character at the end, are nothing */
	lines_are("\xff\xfe\x27\xdc"
		  "a\0b",
		  7, "a|");
}

/* A field of a table ends with its quote. */
TEST(fields_of_a_table_end)
{
	static const char text[] =
		"1,h,\"Call Trace:\",4\n2,h,\"a+0x1/0x2\",4\n3,h,\"b+0x1/0x2\",4\n"
		"4,h,\"c \"\"d\"\" e\",4\n";

	static const char stamped[] = "1,h,\"[    1.000000] Call Trace:\",4\n"
				      "2,h,\"[    1.000000]  a+0x1/0x2\",4\n"
				      "3,h,\"[    1.000000]  b+0x1/0x2\",4\n";

	lines_are(text, strlen(text), "Call Trace:|a+0x1/0x2|b+0x1/0x2|c \"\"d\"\" e|");
	lines_are(stamped, strlen(stamped), "Call Trace:|a+0x1/0x2|b+0x1/0x2|");
}

/* An object may be longer than a line, and no other line may. */
TEST(objects_are_long)
{
	static char text[3 * LINE_MAX_BYTES];
	struct buf b = { 0 };
	struct text_stream *t;

	memset(text, 'x', sizeof(text));
	memcpy(text, "{\"log\":\"", 8);
	memcpy(text + sizeof(text) - 8, "\\nend\"}\n", 8);
	t = text_open(on_line, &b);
	text_feed(t, text, sizeof(text));
	text_close(t);
	CHECK_STR(buf_text(&b) + b.n - 5, "|end|");
	CHECK_U64(b.n, LINE_MAX_BYTES + 5);
	buf_release(&b);
}

TEST_MAIN
