/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what one line of a trace says: every spelling of a frame, its parts, and what is none. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

/* A frame in words, by what its fields say: "func+off/size [module id] @addr file:line" and marks.
 */
static void describe(const struct report_frame *f, struct buf *b)
{
	buf_str(b, f->func ? f->func : "-");
	if (f->has_off)
		buf_printf(b, "+%" PRIx64 "/%" PRIx64, f->off, f->size);
	if (f->module)
		buf_printf(b, " [%s%s%s]", f->module, f->module_id ? " " : "",
			   f->module_id ? f->module_id : "");
	if (f->addr)
		buf_printf(b, " @%" PRIx64, f->addr);
	if (f->src_line)
		buf_printf(b, " %s:%u", f->src_file, f->src_line);
	if (f->src_inlined)
		buf_str(b, " inlined");
	if (!f->reliable)
		buf_str(b, " ?");
	if (f->exact)
		buf_str(b, " exact");
}

#define ID "0123456789abcdef0123456789abcdef01234567"

/* The first column is as the kernel, or the tool named, prints it; "": it is no frame. */
static const struct {
	const char *line, *frames;
} lines[] = {
	/* printk("%pS"), "%pSb" with a build-id, and a guess of the unwinder */
	{ "widget_read+0x1a/0x2b0", "widget_read+1a/2b0" },
	{ "widget_read+0x1a/0x2b0 [widget]", "widget_read+1a/2b0 [widget]" },
	{ "widget_read+0x1a/0x2b0 [snd-widget_2]", "widget_read+1a/2b0 [snd-widget_2]" },
	{ "widget_read+0x1a/0x2b0 [widget " ID "]", "widget_read+1a/2b0 [widget " ID "]" },
	{ "widget_read+0x1a/0x2b0 [widget 01234567]", "widget_read+1a/2b0 [widget 01234567]" },
	{ "widget_read+0x1a/0x2b0 [widget 0123456]", "widget_read+1a/2b0" },
	{ "widget_read+0x1a/0x2b0 [widget", "widget_read+1a/2b0" },
	{ "widget_read+0x1a/0x2b0 [inline]", "widget_read+1a/2b0" },
	{ "widget_read+0x1a/0x2b0 [inlinf]", "widget_read+1a/2b0 [inlinf]" },
	{ "widget_read+0x1a/0x2b0 [inlines]", "widget_read+1a/2b0 [inlines]" },
	{ "widget_read+0x1a/0x2b0 []", "widget_read+1a/2b0" },
	{ "? widget_read+0x1a/0x2b0 [widget]", "widget_read+1a/2b0 [widget] ?" },
	{ "?widget_read+0x1a/0x2b0", "" },
	/* addresses that %p hides, of 32 bits and of 64 */
	{ "[<(ptrval)>] widget_read+0x1a/0x2b0", "widget_read+1a/2b0" },
	{ "[<(____ptrval____)>] ? widget_read+0x1a/0x2b0", "widget_read+1a/2b0 ?" },
	{ "[<(widget)>] widget_read+0x1a/0x2b0", "" },
	/* modules of amd64 up to v2.6.26 */
	{ "[<ffffffffa0234567>] :snd-widget:widget_read+0x1a/0x2b0",
	  "widget_read+1a/2b0 [snd-widget] @ffffffffa0234567" },
	{ "[<ffffffffa0234567>] ::widget_read+0x1a/0x2b0", "" },
	{ "[<ffffffffa0234567>] :widget", "" },
	{ "widget.isra.0+0x1a/0x2b0", "widget.isra.0+1a/2b0" },
	{ "_R$x@y+0x1/0x2", "_R$x@y+1/2" },
	{ "3widget+0x1a/0x2b0", "" },
	{ "widget-read+0x1a/0x2b0", "" },
	{ "+0x1a/0x2b0", "" },
	{ "widget_read+0x1a", "" },
	{ "widget_read+1a/2b0", "" },
	{ "widget_read+0xg/0x2", "" },
	{ "widget_read+0x1a/0x2b0 is where it was", "" },
	/* klogd of 2.4 and 2.6, whose numbers are decimal */
	{ "[widget_read+1278/1472]", "widget_read+4fe/5c0" },
	{ "[widget_read+1278/1472] widget_read+0x4fe/0x5c0", "widget_read+4fe/5c0" },
	{ "[widget_read+1278/1472]gadget_run+0x1/0x2 [gadget]", "gadget_run+1/2 [gadget]" },
	{ "[widget_read+1278]", "" },
	{ "[widget_read+1278/14x]", "" },
	{ "[widget_read]", "" },
	/* ksymoops, which writes hexadecimal numbers as such */
	{ "Trace; c011c1ff <widget_read+6f/d0>", "widget_read+6f/d0 @c011c1ff" },
	{ "Trace; d0a88966 <[widget]widget_read+6f/d0>", "widget_read+6f/d0 [widget] @d0a88966" },
	{ "Trace; c011c1ff <widget_read>", "" },
	{ "Trace; c011c1ff <widget_read+6f>", "" },
	{ "Trace; c011c1ff", "" },
	{ "Trace; <widget_read+6f/d0>", "" },
	/* addresses: old x86 and arm, ppc64, mips, arm64 and loongarch */
	{ "[<ffffffff81234567>] widget_read+0x1a/0x2b0", "widget_read+1a/2b0 @ffffffff81234567" },
	{ "[<ffffffff81234567>] ? widget_read+0x1a/0x2b0",
	  "widget_read+1a/2b0 @ffffffff81234567 ?" },
	{ "[<c0123456>]  widget_read+0x1a", "widget_read+1a/0 @c0123456" },
	{ "[<c0123456>] (widget_read+0x1a/0x2b0)", "widget_read+1a/2b0 @c0123456" },
	{ "[<c0123456>]", "- @c0123456" },
	{ "[<>] widget_read+0x1a/0x2b0", "" },
	{ "[<c0123456] widget_read+0x1a/0x2b0", "" },
	{ "[c0123456] widget_read+0x1a/0x2b0", "widget_read+1a/2b0 @c0123456" },
	{ "[c0123456]", "" },
	{ "[c012345] widget_read+0x1a/0x2b0", "" },
	{ "[c000000012345678] [c0000000000abcde] .widget_read+0x1a/0x2b0 (unreliable)",
	  "widget_read+1a/2b0 @c0000000000abcde ?" },
	{ "[c000000012345678] [c0000000000abcde] widget_read+0x1a/0x2b0",
	  "widget_read+1a/2b0 @c0000000000abcde" },
	{ "9000000000223344: widget_read+0x1a/0x2b0", "widget_read+1a/2b0 @9000000000223344" },
	{ "ffffffff81234567 widget_read+0x1a/0x2b0", "widget_read+1a/2b0 @ffffffff81234567" },
	{ "ffffffff8123456 widget_read+0x1a/0x2b0", "" },
	{ "0xffffffff81234567", "- @ffffffff81234567" },
	{ "0xffffffff81234567 !", "- @ffffffff81234567" },
	{ "0x12345678", "- @12345678" },
	{ "0x1234567", "" },
	{ "0xffffffff81234567 is bad", "" },
	{ "[c1f0dd70] [c0001030] 0xc0001030 (unreliable)", "- @c0001030 ?" },
	/* what function_graph took stands behind its own */
	{ "[c000000008f97c50] [c00000000007725c] return_to_handler+0x0/0x4c (ksys_write+0x88/0x160)",
	  "ksys_write+88/160" },
	{ "[c000000008f97c50] [c00000000007725c] return_to_handler+0x0/0x4c (f+0x8/0x10 [mod])",
	  "f+8/10 [mod]" },
	{ "[c000000008f97c50] [c00000000007725c] return_to_handler+0x0/0x4c (unreliable)",
	  "return_to_handler+0/4c @c00000000007725c ?" },
	{ "[c1f0dd70] [c0001030] 0xc0001030", "- @c0001030" },
	/* s390x: numbers, and guesses within parentheses */
	{ " #1 [<0000000012345678>] widget_read+0x1a/0x2b0", "" },
	{ "#1 [<0000000012345678>] widget_read+0x1a/0x2b0", "widget_read+1a/2b0 @12345678" },
	{ "([<0000000012345678>] widget_read+0x1a/0x2b0)", "widget_read+1a/2b0 @12345678 ?" },
	{ "[<0000000012345678>] widget_read+0x1a/0x2b0 ", "widget_read+1a/2b0 @12345678" },
	/* arm64's marks: P is the interrupted pc itself; C, T, U, F and K tell of the caller */
	{ "widget_read+0x1a/0x2b0 (P)", "widget_read+1a/2b0 exact" },
	{ "widget_read+0x1a/0x2b0 [widget] (PL)", "widget_read+1a/2b0 [widget]" },
	{ "widget_read+0x1a/0x2b0 [widget] (PF)", "widget_read+1a/2b0 [widget] exact" },
	{ "widget_read+0x1a/0x2b0 [widget] (C)", "widget_read+1a/2b0 [widget]" },
	{ "widget_read+0x1a/0x2b0 () (P)", "widget_read+1a/2b0 exact" },
	{ "widget_read+0x1a/0x2b0 (K) (T)", "widget_read+1a/2b0" },
	{ "widget_read+0x1a/0x2b0 (P", "widget_read+1a/2b0" },
	/* arm: "from", with addresses and without; the callee is the first of the two */
	{ "show_stack from widget_read+0x1a/0x2b0", "show_stack, widget_read+1a/2b0" },
	{ "a_b [widget] from c+0x1a/0x2b0 [gadget]", "a_b [widget], c+1a/2b0 [gadget]" },
	{ "a_b+0x1/0x2 [widget] from c+0x1a/0x2b0", "a_b+1/2 [widget], c+1a/2b0" },
	{ "[<c0123456>] (a_b) from [<c0abcdef>] (c+0x1a/0x2b0)",
	  "a_b @c0123456, c+1a/2b0 @c0abcdef" },
	{ "[<c0123456>] (a_b [widget]) from [<c0abcdef>] (c+0x1a/0x2b0 [gadget])",
	  "a_b [widget] @c0123456, c+1a/2b0 [gadget] @c0abcdef" },
	{ "[<c0123456>] (a_b+0x1/0x2) from [<c0abcdef>]", "a_b+1/2 @c0123456" },
	{ "a_b from there", "" },
	{ "a,b from c+0x1a/0x2b0", "" },
	{ " from c+0x1a/0x2b0", "" },
	/* decode_stacktrace.sh, and syzkaller's symboliser; the tool may not have known a line */
	{ "widget_read (drivers/misc/widget.c:12)", "widget_read drivers/misc/widget.c:12" },
	/* decode_stacktrace.sh prints what addr2line -i does: the innermost place first, the
	 * function's own last */
	{ "widget_read (include/linux/gadget.h:3 drivers/misc/widget.c:12)",
	  "- include/linux/gadget.h:3 inlined, widget_read drivers/misc/widget.c:12" },
	{ "widget_read+0x1/0x20 (a.h:3 b.h:4 c.c:12) widget",
	  "- a.h:3 inlined, widget_read+1/20 [widget] c.c:12" },
	{ "widget_read (drivers/misc/widget.c:12) widget",
	  "widget_read [widget] drivers/misc/widget.c:12" },
	{ "widget_read (drivers/misc/widget.c:12) snd-widget_2 (P)",
	  "widget_read [snd-widget_2] drivers/misc/widget.c:12" },
	{ "widget_read (drivers/misc/widget.c:12) widget, and",
	  "widget_read drivers/misc/widget.c:12" },
	{ "widget_read (??:?)", "widget_read" },
	{ "widget_read (widget.c:?) widget", "widget_read" },
	{ "widget_read (widget c:?)", "" },
	{ "widget_read (what)", "" },
	/* without kallsyms; arch/arm/kernel/traps.c has words of its own */
	{ "[<c0123456>] (0xc0123456) from [<c0234567>] (0xc0234567)",
	  "- @c0123456 exact, - @c0234567" },
	{ "Function entered at [<c0123456>] from [<c0234567>]", "- @c0123456 exact, - @c0234567" },
	{ "[<ffffffff81234567>] ? 0xffffffff81234566", "- @ffffffff81234567 ?" },
	{ "[<80132998>] 0x80132998", "- @80132998" },
	{ "[c0ff3eb0] [c0014500] 0xc0014500", "- @c0014500" },
	{ "Function entered at [<c0123456>] from there", "" },
	{ "widget_read() (widget.c:12)", "widget_read widget.c:12" },
	{ "widget_read drivers/misc/widget.c:12 [inline]",
	  "widget_read drivers/misc/widget.c:12 inlined" },
	{ "widget_read drivers/misc/widget.c:12", "widget_read drivers/misc/widget.c:12" },
	{ "widget_read+0x1a/0x2b0 drivers/misc/widget.c:12",
	  "widget_read+1a/2b0 drivers/misc/widget.c:12" },
	{ "widget_read+0x1a/0x2b0 [widget] drivers/misc/widget.c:12 [inline]",
	  "widget_read+1a/2b0 [widget] drivers/misc/widget.c:12 inlined" },
	{ "widget_read drivers/misc/widget.c:12 is wrong", "" },
	{ "widget_read drivers/misc/widget.c: is wrong", "" },
	{ "widget_read drivers/misc/widget:12", "" },
	{ "widget_read drivers/misc/widget.:12", "" },
	{ "widget_read drivers/misc/widget.cpp:12", "widget_read drivers/misc/widget.cpp:12" },
	{ "widget_read drivers/misc/widget.text:12", "" },
	{ "3widget drivers/misc/widget.c:12", "" },
	{ "widget.c:12: error", "" },
	{ "", "" },
	{ "abc", "" },
};

static void describe_line(const char *s, size_t n, struct arena *a, struct buf *b)
{
	struct report_frame f[2];
	size_t k = frames_parse(a, s, n, f);

	buf_reset(b);
	for (size_t i = 0; i < k; i++) {
		buf_str(b, i ? ", " : "");
		describe(&f[i], b);
	}
}

TEST(every_part_of_a_frame_is_read)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct arena a = { 0 };
		struct buf b = { 0 };

		describe_line(lines[i].line, strlen(lines[i].line), &a, &b);
		if (!CHECK_STR(buf_text(&b), lines[i].frames))
			printf("  of '%s'\n", lines[i].line);
		buf_release(&b);
		arena_release(&a);
	}
}

/* Whether a line is a frame does not depend on whether its names are kept; but what is shorter than
 * any frame, or longer than any line of a trace, does not look like one. */
TEST(looks_are_the_same_without_memory)
{
	static const char frame[] = "widget_read+0x1a/0x2b0";
	char s[1026];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!CHECK(frame_looks(lines[i].line, strlen(lines[i].line)) ==
			   (*lines[i].frames != '\0')))
			printf("  of '%s'\n", lines[i].line);
	memset(s, ' ', sizeof(s));
	memcpy(s, frame, strlen(frame));
	CHECK(frame_looks(s, 1024));
	CHECK(!frame_looks(s, 1025));
	CHECK(frame_looks("f+0x1/0x2", 9));
	CHECK(!frame_looks("f+0x1", 5));
}

/* x86_64 until 2.6.17: decimal offsets, no sizes, several frames in a line. */
TEST(frames_in_braces)
{
	static const char line[] = "<ffffffff80178f3b>{widget_read+184} "
				   "<ffffffff8801ab12>{:snd-widget:widget_poll+0}";
	static const char *const none[] = { "<ffffffff80178f3b>",
					    "<ffffffff80178f3b>{widget_read}",
					    "<ffffffff80178f3b>{widget_read+}",
					    "<ffffffff80178f3b>{widget_read+0x12}",
					    "<ffffffff80178f3b>{:widget_read+12}",
					    "<ffffffff80178f3b>{3widget_read+12}",
					    "<ffffffff80178f3b> {widget_read+12}",
					    "<80178f3>{widget_read+12}",
					    "ffffffff80178f3b{widget_read+12}" };
	struct report_frame f;
	struct arena a = { 0 };
	struct buf b = { 0 };
	size_t k = frame_braced(&a, line, strlen(line), &f);

	CHECK_U64(k, 35);
	describe(&f, &b);
	CHECK_STR(buf_text(&b), "widget_read+b8/0 @ffffffff80178f3b");
	buf_reset(&b);
	CHECK_U64(frame_braced(&a, line + k, strlen(line) - k, &f), strlen(line) - k);
	describe(&f, &b);
	CHECK_STR(buf_text(&b), "widget_poll+0/0 [snd-widget] @ffffffff8801ab12");
	CHECK(frame_looks(line, strlen(line)));
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		if (!CHECK(!frame_braced(&a, none[i], strlen(none[i]), &f)))
			printf("  of '%s'\n", none[i]);
	for (size_t n = 0; n < 35; n++) { /* cut anywhere, at the end of its memory */
		char *s = malloc(n ? n : 1);

		memcpy(s, line, n);
		CHECK(!frame_braced(NULL, s, n, &f));
		free(s);
	}
	buf_release(&b);
	arena_release(&a);
}

/* Each line at the end of its own memory, cut anywhere: under ASan nothing behind it is looked at,
 * and every name lies within it. */
TEST(frames_may_be_cut_anywhere)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		for (size_t n = 0; n <= strlen(lines[i].line); n++) {
			char *s = malloc(n ? n : 1);
			struct report_frame f[2];
			size_t k;

			memcpy(s, lines[i].line, n);
			k = frames_parse(NULL, s, n, f);
			for (size_t j = 0; j < k; j++)
				if (!CHECK(!f[j].func || (f[j].func >= s && f[j].func < s + n)))
					printf("  of '%.*s'\n", (int)n, lines[i].line);
			free(s);
		}
	CHECK(true);
}

/* What addr2line and its like put behind a name is a source; without a name before it it is
 * nothing, and a name alone is none either. */
TEST(a_source_belongs_to_a_name)
{
	static const struct {
		const char *line;
		bool is;
	} v[] = { { "widget_read (widget.c:12)", true },
		  { " (widget.c:12)", false },
		  { "() (widget.c:12)", false },
		  { "widget_read", false },
		  { "widget_read()", false },
		  { "9widget (widget.c:12)", false } };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct report_frame f = { 0 };
		const char *s = v[i].line;

		if (!CHECK(frame_sourced(NULL, s, s + strlen(s), &f) == v[i].is))
			printf("  of '%s'\n", s);
	}
}

TEST_MAIN
