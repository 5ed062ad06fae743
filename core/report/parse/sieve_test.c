/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the sieve: what is passed and what is skipped, that nothing is lost, and that every
 * headline is a cue. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"
#include "core/report/parse/sieve.h"
#include "core/report/report.h"

/* What came out: the bytes in order, and which of them were skipped. */
struct sifted {
	struct buf all, skipped;
};

static void on_pass(const char *p, size_t n, void *arg)
{
	struct sifted *out = arg;

	buf_add(&out->all, p, n);
	buf_pad(&out->skipped, '.', n);
}

static void on_skip(const char *p, size_t n, void *arg)
{
	struct sifted *out = arg;

	buf_add(&out->all, p, n);
	buf_pad(&out->skipped, 's', n);
}

/* Lines that say nothing, as many as n bytes take. */
static void noise(struct buf *b, size_t n)
{
	static const char line[] = "[   12.345678] usb 1-1: new high-speed device number 2\n";

	for (size_t end = b->n + n; b->n < end;)
		buf_add(b, line, end - b->n < sizeof(line) - 1 ? end - b->n : sizeof(line) - 1);
}

static struct sifted sift(const struct buf *text, size_t piece)
{
	struct sifted out = { 0 };
	struct sieve s = { 0 };
	struct sieve_to to = { on_pass, on_skip, &out };

	for (size_t at = 0; at < text->n; at += piece)
		sieve_feed(&s, text->s + at, text->n - at < piece ? text->n - at : piece, &to);
	sieve_end(&s, &to);
	CHECK(out.all.n == text->n && !memcmp(out.all.s, text->s, text->n));
	return out;
}

static void release(struct sifted *out)
{
	buf_release(&out->all);
	buf_release(&out->skipped);
}

/* Blocks 0 and 1 begin the text and 2 is behind them, the cue is in 5, and the last is the end: 3
 * and 7 say nothing. */
TEST(blocks_near_a_cue_are_passed)
{
	static const char want[] = "...s...s.";

	for (size_t piece = 1000; piece < 200000; piece += 63001) {
		struct buf text = { 0 };
		struct sifted out;
		char said[sizeof(want)] = "";

		noise(&text, 9 * SIEVE_BLOCK);
		memcpy(text.s + 5 * SIEVE_BLOCK + 777, "BUG: ", 5);
		out = sift(&text, piece);
		for (size_t i = 0; i < 9; i++) {
			said[i] = out.skipped.s[i * SIEVE_BLOCK];
			CHECK(out.skipped.s[(i + 1) * SIEVE_BLOCK - 1] == said[i]);
		}
		CHECK_STR(said, want);
		release(&out);
		buf_release(&text);
	}
}

/* Each of them at an even and at an odd place, and across the end of a block. */
TEST(every_headline_is_a_cue)
{
	const char *cues[512];
	size_t n = header_cues(cues, 512);

	CHECK(n > 200);
	for (size_t i = 0; i < n; i++)
		for (size_t at = 0; at < 3; at++) {
			struct buf text = { 0 };
			struct sifted out;

			CHECK(strlen(cues[i]) > 4);
			noise(&text, 9 * SIEVE_BLOCK);
			memcpy(text.s + 6 * SIEVE_BLOCK - 2 + at, cues[i], strlen(cues[i]));
			out = sift(&text, SIEVE_BLOCK);
			if (!CHECK(out.skipped.s[6 * SIEVE_BLOCK] == '.'))
				printf("  '%s' at %zu\n", cues[i], at);
			CHECK(out.skipped.s[3 * SIEVE_BLOCK] == 's');
			release(&out);
			buf_release(&text);
		}
}

struct found {
	unsigned n;
	uint64_t line;
};

static bool on_report(struct report *r, void *arg)
{
	struct found *f = arg;

	f->n++;
	f->line = r->first_line;
	return true;
}

/* The 10,000 lines before it are of 55 bytes: 8 blocks, of which some are skipped. With CR LF as
 * well. */
TEST(a_report_far_down_has_its_line)
{
	static const char report[] = "[   99.000000] BUG: scheduling while atomic: x/1/0x00000002\n"
				     "[   99.000001] CPU: 0 PID: 1 Comm: x Not tainted 6.1.0 #1\n"
				     "[   99.000002] Call Trace:\n"
				     "[   99.000003]  one+0x1/0x2\n"
				     "[   99.000004]  two+0x1/0x2\n";

	for (int cr = 0; cr < 2; cr++) {
		struct found f = { 0 };
		struct report_stream *s = report_stream_open("t", on_report, &f);
		struct buf text = { 0 };

		for (int i = 0; i < 10000; i++) {
			noise(&text, 54);
			buf_str(&text, cr ? "\r\n" : "\n");
		}
		buf_str(&text, report);
		report_stream_feed(s, text.s, text.n);
		CHECK_U64(f.n, 0);
		report_stream_flush(
			s); /* its writer pauses: the next line will tell that it ended */
		report_stream_feed(s, "[  199.0] usb\n[  299.0] usb\n[  399.0] usb\n", 42);
		report_stream_close(s);
		CHECK_U64(f.n, 1);
		CHECK_U64(f.line, 10001);
		buf_release(&text);
	}
}

TEST_MAIN
