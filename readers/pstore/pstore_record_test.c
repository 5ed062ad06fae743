/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what a record's own bytes say: its header line, the ECC notice, its totals, its form. */
#include "core/base/test.h"
#include "readers/pstore/pstore_record.h"

static struct arena scratch;

/* Of a record of text, as a file of /sys/fs/pstore holds it. */
static struct survivor *stored(struct target *t, const char *text, size_t n)
{
	struct survivor *s;

	target_init(t, &scratch);
	s = record_add(t, SURVIVOR_CONSOLE, "ramoops", NULL);
	s->stored = SPAN(text, n);
	return s;
}

/* fs/pstore/ram.c, ramoops_read_kmsg_hdr(): "====%lld.%lu-%c\n", before 3.13 without the letter. */
TEST(header_lines_are_read_or_refused)
{
	static const struct {
		const char *line;
		bool is;
		int64_t sec;
		uint32_t us;
		int compressed;
		size_t n;
	} v[] = {
		{ "====1700000100.250000-C\nx", true, 1700000100, 250000, 1, 24 },
		{ "====1700000100.250000-D\nx", true, 1700000100, 250000, 0, 24 },
		{ "====1700000100.250000\nx", true, 1700000100, 250000, -1, 22 },
		{ "====0.0-D\n", true, 0, 0, 0, 10 },
		{ "====9.1\n", true, 9, 1, -1, 8 },
		{ "====-12.345678-D\n", true, -12, 345678, 0, 17 },
		{ "====123456789012345678.5-D\n", true, INT64_C(123456789012345678), 5, 0, 27 },
		{ "====1234567890123456789.5-D\n", false, 0, 0, 0, 0 },
		{ "====1.123456789\n", true, 1, 123456789, -1, 16 },
		{ "====1.1234567890\n", false, 0, 0, 0, 0 },
		{ "====1700000100.250000-X\n", false, 0, 0, 0, 0 },
		{ "====1700000100.250000-C", false, 0, 0, 0, 0 },
		{ "====1700000100.250000-", false, 0, 0, 0, 0 },
		{ "====1700000100.-C\n", false, 0, 0, 0, 0 },
		{ "====1700000100,250000-C\n", false, 0, 0, 0, 0 },
		{ "====.250000-C\n", false, 0, 0, 0, 0 },
		{ "====17000001:0.250000-C\n", false, 0, 0, 0, 0 },
		{ "====1700/00100.250000-C\n", false, 0, 0, 0, 0 },
		{ "===+1700000100.250000-C\n", false, 0, 0, 0, 0 },
		{ "====1700000100", false, 0, 0, 0, 0 },
		{ "====1.5", false, 0, 0, 0, 0 },
		{ "====1.\n", false, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		int64_t sec = -1;
		uint32_t us = 1;
		int compressed = 7;
		size_t n = 0;

		if (!CHECK(dmesg_header(SPAN(v[i].line, strlen(v[i].line)), &sec, &us, &compressed,
					&n) == v[i].is) ||
		    (v[i].is &&
		     (!CHECK_U64((uint64_t)sec, (uint64_t)v[i].sec) | !CHECK_U64(us, v[i].us) |
		      !CHECK(compressed == v[i].compressed) | !CHECK_U64(n, v[i].n))))
			printf("  of '%s'\n", v[i].line);
	}
}

/* fs/pstore/ram_core.c, persistent_ram_ecc_string(): the two forms; all else is the record's. */
TEST(the_kernels_notice_is_taken_off_with_its_numbers)
{
	static const struct {
		const char *text;
		size_t left;
		bool said;
		unsigned corrected, lost;
	} v[] = {
		{ "one\n\nECC: No errors detected\n", 4, true, 0, 0 },
		{ "one\n\nECC: 17 Corrected bytes, 3 unrecoverable blocks\n", 4, true, 17, 3 },
		{ "\nECC: 0 Corrected bytes, 1 unrecoverable blocks\n", 0, true, 0, 1 },
		{ "\nECC: 120 Corrected bytes, 90 unrecoverable blocks\n", 0, true, 120, 90 },
		{ "\nECC: No errors detected\n", 0, true, 0, 0 },
		{ "ECC: No errors detected\n", 0, false, 0, 0 },
		{ "\nECC: No errors detected\nx", 0, false, 0, 0 },
		{ "\nECC: 17 Corrected bytes, 3 unrecoverable blocks\nx", 0, false, 0, 0 },
		{ "\nECC: 17 Corrected bytes, 3 unrecoverable blocks", 0, false, 0, 0 },
		{ "\nECC: 17 corrected bytes, 3 unrecoverable blocks\n", 0, false, 0, 0 },
		{ "\nECC: x Corrected bytes, 3 unrecoverable blocks\n", 0, false, 0, 0 },
		{ "\nECC: 17 Corrected bytes, x unrecoverable blocks\n", 0, false, 0, 0 },
		{ "\nECC: 17 Corrected bytes,", 0, false, 0, 0 },
		{ "\nECC: ", 0, false, 0, 0 },
		{ "", 0, false, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct target t;
		struct survivor *s = stored(&t, v[i].text, strlen(v[i].text));

		record_strip_notice(s);
		if (!CHECK_U64(s->stored.n, v[i].said ? v[i].left : strlen(v[i].text)) |
		    !CHECK(s->ecc_said == v[i].said) | !CHECK_U64(s->corrected, v[i].corrected) |
		    !CHECK_U64(s->lost, v[i].lost))
			printf("  of '%s'\n", v[i].text);
		target_release(&t);
	}
}

/* Less than a tenth of what a person can read is odd; a byte above 7e is. */
TEST(text_is_known_by_its_bytes)
{
	static const char good[] = "\033[0m<4>[ 1.0] a\tb\r\n", odd[] = "0123456\1\200\377";
	char mixed[20] = "abcdefghijklmnopqrs";

	CHECK(looks_text(SPAN(good, sizeof(good) - 1)));
	CHECK(!looks_text(SPAN(odd, sizeof(odd) - 1)));
	CHECK(!looks_text(SPAN(odd, 0)));
	mixed[3] = 1;
	CHECK(looks_text(SPAN(mixed, 19)));
	CHECK(!looks_text(SPAN(mixed, 20))); /* the zero at its end is the second of twenty */
	mixed[4] = 0x7f;
	CHECK(!looks_text(SPAN(mixed, 19)));
	mixed[4] = 0x7e;
	mixed[3] = 0x20;
	CHECK(looks_text(SPAN(mixed, 19)));
}

static void zone_of(struct target *t, const char *text, size_t good, struct survivor *ret)
{
	struct survivor *s = stored(t, text, strlen(text));

	s->type = SURVIVOR_DMESG;
	record_fill(t, s, good);
	*ret = *s;
}

/* A zone's record: what the header line said, and the text behind it. */
TEST(a_zone_is_its_header_and_its_text)
{
	static const char line[] = "<4>[    1.000000] widget: one\n";
	struct survivor s;
	struct target t;

	zone_of(&t, "====1700000100.250000-D\nOops#2 Part3\n<4>[    1.000000] widget: one\n",
		SIZE_MAX, &s);
	CHECK(s.has_time);
	CHECK_U64((uint64_t)s.time_s, 1700000100);
	CHECK_U64(s.time_us, 250000);
	CHECK_STR(s.time_how, "header");
	CHECK_STR(s.reason, "Oops");
	CHECK_U64(s.count, 2);
	CHECK_U64(s.part, 3);
	CHECK_U64(s.n, sizeof(line) - 1);
	CHECK_MEM(s.text, line, sizeof(line) - 1);
	CHECK(!s.damage);
	target_release(&t);
	/* a clock that was never set says nothing of when */
	zone_of(&t, "====0.0-D\nOops#2 Part3\n<4>[    1.000000] widget: one\n", SIZE_MAX, &s);
	CHECK(!s.has_time);
	target_release(&t);
	zone_of(&t, "====0.000001-D\nOops#2 Part3\n<4>[    1.000000] widget: one\n", SIZE_MAX, &s);
	CHECK(s.has_time);
	target_release(&t);
	/* a header line that damage made something else: the text behind it is read, and it is told
	 */
	zone_of(&t, "====17000#0100.250000-D\nOops#2 Part3\n<4>[    1.000000] widget: one\n",
		SIZE_MAX, &s);
	CHECK(!s.has_time);
	CHECK(s.damage && strstr(s.damage, "header line"));
	CHECK_STR(s.reason, "Oops");
	CHECK_U64(s.n, sizeof(line) - 1);
	target_release(&t);
}

/* fs/pstore/zone.c puts "Panic: Total 2 times\n" before the text; a line that only looks like it is
 * the record's. */
TEST(totals_are_no_part_of_the_text)
{
	static const struct {
		const char *text;
		const char *reason;
		unsigned count;
	} v[] = {
		{ "Panic: Total 2 times\nPanic#2 Part1\nx", "Panic", 2 },
		{ "Oops: Total 123 times\nOops#123 Part1\nx", "Oops", 123 },
		{ "Panic: Total 2 timez\nPanic#2 Part1\nx", NULL, 0 },
		{ "Panic: Sum of 2 times\nPanic#2 Part1\nx", NULL, 0 },
		{ "Panic#7 Part1\nx", "Panic", 7 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct target t;
		struct survivor *s = stored(&t, v[i].text, strlen(v[i].text));

		record_dmesg(&t, s, s->stored, PLAIN, SIZE_MAX);
		if (!CHECK_STR(s->reason, v[i].reason) | !CHECK_U64(s->count, v[i].count) |
		    !CHECK_U64(s->n, v[i].reason ? 1 : strlen(v[i].text)))
			printf("  of '%s'\n", v[i].text);
		target_release(&t);
	}
}

/* fs/pstore/inode.c, pstore_ftrace_seq_show(): "CPU:%d ts:%llu %08lx  %08lx  %ps <- %pS\n". */
TEST(calls_in_words_are_numbers_again)
{
	static const struct {
		const char *text;
		size_t calls;
	} v[] = {
		{ "CPU:12 ts:77 ffffffff81001abc  ffffffff81002def  f <- g+0x1\n", 1 },
		{ "CPU:12 ts:77 ffffffff81001abc  ffffffff81002def", 1 },
		{ "CPU:x ts:77 ffffffff81001abc  ffffffff81002def  f <- g+0x1\n", 0 },
		{ "CPU:1 ts:a7 ffffffff81001abc  ffffffff81002def  f <- g+0x1\n", 0 },
		{ "CPU:1 77 ffffffff81001abc  ffffffff81002def  f <- g+0x1\n", 0 },
		{ "CPU:1 ts:77 xfffffff81001abc  ffffffff81002def  f <- g+0x1\n", 0 },
		{ "CPU:1 ts:77 ffffffff81001abc\n", 0 },
		{ "no call\nCPU:12 ts:77 ffffffff81001abc  ffffffff81002def  f <- g\n\n", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct target t;
		struct survivor *s = stored(&t, v[i].text, strlen(v[i].text));

		s->type = SURVIVOR_FTRACE;
		record_fill(&t, s, SIZE_MAX);
		if (!CHECK_U64(s->n_calls, v[i].calls))
			printf("  of '%s'\n", v[i].text);
		if (s->n_calls) {
			CHECK_U64(s->calls[0].cpu, 12);
			CHECK(s->calls[0].has_stamp);
			CHECK_U64(s->calls[0].stamp, 77);
			CHECK_U64(s->calls[0].ip, UINT64_C(0xffffffff81001abc));
			CHECK_U64(s->calls[0].parent, UINT64_C(0xffffffff81002def));
		}
		target_release(&t);
	}
}

static void put(uint8_t *p, uint64_t v, unsigned n, bool big)
{
	for (unsigned i = 0; i < n; i++)
		p[big ? n - 1 - i : i] = (uint8_t)(v >> 8 * i);
}

/* struct pstore_ftrace_record of 64 bits: ip, parent_ip, ts with the CPU in its low byte; of a
 * kernel of either byte order; user addresses are no calls. */
TEST(calls_of_either_byte_order)
{
	for (unsigned big = 0; big < 2; big++) {
		uint8_t p[24 * 8];
		struct survivor *s;
		struct target t;

		for (unsigned i = 0; i < 8; i++) {
			put(p + i * 24, UINT64_C(0xffffffff81000000) + i * 16, 8, big);
			put(p + i * 24 + 8, UINT64_C(0xffffffff81100000) + i * 16, 8, big);
			put(p + i * 24 + 16, (uint64_t)(i + 5) << 8 | (i & 1), 8, big);
		}
		s = stored(&t, (const char *)p, sizeof(p));
		record_ftrace(&t, s, big);
		REQUIRE(s->n_calls == 8);
		CHECK_U64(s->calls[7].ip, UINT64_C(0xffffffff81000070));
		CHECK_U64(s->calls[7].parent, UINT64_C(0xffffffff81100070));
		CHECK_U64(s->calls[7].stamp, 12);
		CHECK_U64(s->calls[7].cpu, 1);
		CHECK(s->calls[7].has_stamp);
		record_ftrace(&t, s, !big);
		target_release(&t);
		for (unsigned i = 0; i < 8; i++)
			put(p + i * 24, UINT64_C(0x7f0081000000) + i * 16, 8, big);
		s = stored(&t, (const char *)p, sizeof(p));
		record_ftrace(&t, s, big);
		CHECK_U64(s->n_calls, 0);
		CHECK(s->damage != NULL);
		target_release(&t);
	}
}

/* A frame of Android's logger (liblog): 'l', its length, uid, log id, tid, seconds, nanoseconds,
 * and what was written. Where one is whole, the record is such; otherwise it is text. */
TEST(frames_of_user_space)
{
	static const struct {
		uint16_t len;
		uint8_t id;
		uint32_t ns;
		unsigned before, behind; /* bytes in front of it and behind */
		uint8_t next;            /* what those behind are */
		bool is;
	} v[] = {
		{ 30, 0, 5, 0, 0, 0, true },
		{ 30, 7, 999999999, 0, 0, 0, true },
		{ 30, 8, 5, 0, 0, 0, false },
		{ 30, 0, 1000000000, 0, 0, 0, false },
		{ 18, 0, 5, 0, 0, 0, true },
		{ 17, 0, 5, 0, 1, 'l', false },
		{ 30, 0, 5, 100, 0, 0, true },
		{ 30, 0, 5, 100, 5, 'l', true }, /* cut within the next one */
		{ 30, 0, 5, 100, 5, 'x', false },
		{ 5120, 0, 5, 0, 0, 0, true },
		{ 5121, 0, 5, 0, 0, 0, false },
		{ 30, 0, 5, 8191, 0, 0, true },
		{ 30, 0, 5, 8192, 0, 0, false }, /* so far nobody looks */
	};
	static char p[16384];

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		uint8_t *frame = (uint8_t *)p + v[i].before;
		size_t n = v[i].before + v[i].len + v[i].behind;
		struct survivor *s;
		struct target t;

		memset(p, 'a', sizeof(p));
		memset(frame, 'b', v[i].len);
		*frame = 'l';
		put(frame + 1, v[i].len, 2, false);
		frame[7] = v[i].id;
		put(frame + 14, v[i].ns, 4, false);
		memset(frame + v[i].len, v[i].next, v[i].behind);
		s = stored(&t, p, n);
		s->type = SURVIVOR_PMSG;
		record_fill(&t, s, SIZE_MAX);
		if (!CHECK((s->pmsg.n != 0) == v[i].is))
			printf("  of %zu\n", i);
		CHECK_U64(v[i].is ? s->pmsg.n : s->n, n);
		CHECK_STR(s->codec, "none");
		target_release(&t);
	}
}

/* Of records of calls nearly a third must look like some, or they are none; of a record before 4.10
 * the words behind the CPU are zero. */
TEST(calls_without_stamps)
{
	for (unsigned i = 0; i < 4; i++) {
		uint8_t p[24 * 10] = { 0 };
		struct survivor *s;
		struct target t;

		for (unsigned k = 0; k < 10; k++) {
			bool good = i < 2 || k < (i == 2 ? 3 : 2);

			put(p + k * 24, good ? UINT64_C(0xffffffff81000000) + k * 16 : 7, 8, false);
			put(p + k * 24 + 8, UINT64_C(0xffffffff81100000) + k * 16, 8, false);
			put(p + k * 24 + 16, i == 1 ? 255 : 3, 4, false);
		}
		s = stored(&t, (const char *)p, sizeof(p));
		record_ftrace(&t, s, false);
		CHECK_U64(s->n_calls, i < 3 ? 10 : 0);
		CHECK((s->damage != NULL) == (i == 3));
		if (s->n_calls) {
			CHECK(!s->calls[2].has_stamp);
			CHECK_U64(s->calls[2].cpu, i == 1 ? 255 : 3);
			CHECK_U64(s->calls[2].ip, UINT64_C(0xffffffff81000020));
		}
		target_release(&t);
	}
}

/* What is packed by nobody knows what, and what is said to be plain and is no text. */
TEST(records_that_are_not_read)
{
	uint8_t bytes[600];
	struct survivor *s;
	struct target t;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(0x80 | i * 37);
	s = stored(&t, (const char *)bytes, sizeof(bytes));
	record_dmesg(&t, s, s->stored, PLAIN, SIZE_MAX);
	CHECK_CONTAINS(s->damage, "its bytes are no text");
	CHECK(!s->text);
	record_dmesg(&t, s, s->stored, PACKED, 500);
	CHECK_CONTAINS(s->damage, "its bytes are no text; ");
	CHECK_CONTAINS(s->damage, "unpacks its 500 bytes");
	CHECK_STR(s->codec, "unknown");
	t.survivors.text_budget = TEXT_BUDGET;
	record_dmesg(&t, s, s->stored, PACKED_MAYBE, SIZE_MAX);
	CHECK_CONTAINS(s->damage, "not unpacked: the records before it unpacked to 512 MB");
	target_release(&t);
}

TEST(so_many_records_and_no_more)
{
	struct target t;

	target_init(&t, &scratch);
	for (unsigned i = 0; i < RECORDS_MAX; i++)
		if (!record_add(&t, SURVIVOR_PMSG, "ramoops", NULL))
			CHECK(!"a record");
	CHECK_U64(t.warnings.n, 0);
	CHECK(!record_add(&t, SURVIVOR_PMSG, "ramoops", NULL));
	CHECK_U64(t.survivors.v.n, RECORDS_MAX);
	CHECK_U64(t.warnings.n, 1);
	target_release(&t);
	arena_release(&scratch);
}

TEST_MAIN
