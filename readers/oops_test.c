/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which files are taken for texts with reports, and how sure that is. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "readers/reader.h"

extern const struct reader reader_oops;

static int probe(struct buf *b)
{
	struct file f = { .path = "x", .fd = -1, .map = SPAN(b->s, b->n) };
	int sure = reader_oops.probe(&f);

	buf_release(b);
	*b = (struct buf){ 0 };
	return sure;
}

static void put_lines(struct buf *b, const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_str(b, line);
}

#define REPORT                                          \
	"BUG: KASAN: wild-memory-access in f+0x1/0x2\n" \
	"CPU: 1 PID: 9 Comm: a Not tainted 6.1.0 #1\nCall Trace:\n f+0x1/0x2\n"

/* A report anywhere is what the reader is for; a log of the kernel's may be asked for its times;
 * other texts, and what is no text, are somebody else's. */
TEST(texts_are_known_by_what_stands_in_them)
{
	struct buf b = { 0 };

	put_lines(&b, REPORT, 1);
	CHECK(probe(&b) == 30);
	for (size_t far = 1000; far < 1 << 18; far *= 3) {
		put_lines(&b, "an ordinary line of a log\n", far / 26);
		put_lines(&b, REPORT, 1);
		put_lines(&b, "an ordinary line of a log\n", 10);
		CHECK(probe(&b) == 30);
	}
	put_lines(&b, "[    1.000000] a line\n", 5);
	CHECK(probe(&b) == 5);
	put_lines(&b, "[    1.000000] a line\n", 4);
	put_lines(&b, "a line\n", 40);
	CHECK(probe(&b) == 0);
	put_lines(&b, "an ordinary line of a log\n", 1000);
	CHECK(probe(&b) == 0);
	put_lines(&b, "short", 1);
	CHECK(probe(&b) == 0);
}

/* Up to a tenth of the first bytes may be what nobody prints; colours are printed. */
TEST(what_is_no_text_is_not_read)
{
	struct buf b = { 0 };

	for (unsigned odd = 0; odd <= 400; odd += 50) {
		put_lines(&b, REPORT, 1);
		put_lines(&b, "x", 4096 - odd - b.n);
		put_lines(&b, "\1", odd);
		CHECK(probe(&b) == 30);
	}
	put_lines(&b, REPORT, 1);
	put_lines(&b, "\1", 410);
	put_lines(&b, "x", 4096 - b.n);
	CHECK(probe(&b) == 0);
	put_lines(&b, REPORT, 1);
	put_lines(&b, "\177", 2048);
	CHECK(probe(&b) == 0);
	put_lines(&b, REPORT, 1);
	put_lines(&b, "\033[0m\n", 400);
	CHECK(probe(&b) == 30);
}

/* A text in another encoding has some bytes that are no UTF-8; noise has half of them. */
TEST(noise_is_no_text)
{
	struct buf b = { 0 };

	put_lines(&b, REPORT, 1);
	put_lines(&b, "\xef\xf0\xe8 ordinary words\n", 200);
	CHECK(probe(&b) == 30);
	put_lines(&b, REPORT, 1);
	put_lines(&b, "\xd0\xbf\xd1\x80\xd0\xb8\n", 600); /* UTF-8 has no limit */
	CHECK(probe(&b) == 30);
	put_lines(&b, REPORT, 1);
	put_lines(&b,
		  "\x9c"
		  "a\xc1 \xfe"
		  "b",
		  600); /* all of it counts as printable */
	CHECK(probe(&b) == 0);
}

/* Zeros are what a file system has for the end of a log that it never got, and every other byte of
 * UTF-16; what is mostly zeros between other bytes is no text. */
TEST(zeros_are_no_end_of_a_text)
{
	static const char report[] = REPORT;
	struct buf b = { 0 };

	put_lines(&b, REPORT, 1);
	for (int i = 0; i < 100000; i++)
		buf_add(&b, "", 1);
	CHECK(probe(&b) == 30);
	for (int swapped = 0; swapped < 2; swapped++) {
		buf_add(&b, swapped ? "\xfe\xff" : "\xff\xfe", 2);
		for (const char *s = report; *s; s++) {
			buf_add(&b, swapped ? "" : s, 1);
			buf_add(&b, swapped ? s : "", 1);
		}
		CHECK(probe(&b) == 30);
	}
	for (int i = 0; i < 300; i++)
		buf_add(&b, "a\0\0", 3);
	put_lines(&b, REPORT, 1);
	CHECK(probe(&b) == 0);
	for (int i = 0; i < 5000; i++)
		buf_add(&b, "", 1);
	CHECK(probe(&b) == 0);
}

TEST_MAIN
