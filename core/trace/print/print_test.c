/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events in words, and what libtraceevent must not see as it is. Expectations are what C's printf
 * and the kernel's trace files make of the same print_fmt. */
#include "core/trace/print/print.h"

#include <string.h>

#include "core/base/test.h"
#include "core/image/target.h"
#include "core/trace/format.h"
#include "core/trace/row.h"

static const char wake_format[] =
	"name: wake\nID: 300\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:unsigned int flags;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc char[] who;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:void * at;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 pair[];\toffset:24;\tsize:16;\tsigned:0;\n"
	"\n"
	"print fmt: \"%s at=%p by=%pS flags=%s pair={%llu,%llu}\", __get_str(who), REC->at, REC->at, "
	"__print_flags(REC->flags & (0x10 | 0x20), \"|\", { 0x10, \"A\" }, { 0x20, \"B\" }), "
	"REC->pair[0], REC->pair[1]\n";

struct fixture {
	struct target t;
	struct arena scratch, a;
	struct recording rec;
	struct trace_buffer buffer;
	struct trace_format format;
	uint8_t data[64];
	struct trace_event ev;
};

static bool symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	(void)rec;
	*ret = (struct trace_symbol){
		.name = "do_it", .module = "mod", .offset = addr - 0x1000, .size = 0x90
	};
	return addr >= 0x1000 && addr < 0x1090;
}

static const struct recording_ops ops = { .symbol = symbol };

static void put(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static void setup(struct fixture *f)
{
	struct err err;

	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->rec = (struct recording){ .t = &f->t, .origin = "made", .word_size = 8, .ops = &ops };
	f->buffer = (struct trace_buffer){ .recording = &f->rec,
					   .ns = true,
					   .shows = TRACE_SHOW_DEFAULT };
	CHECK_OK(trace_format_parse(SPAN(wake_format, sizeof(wake_format) - 1), "made", &f->a,
				    &f->format, &err),
		 err);
	put(f->data, 300, 2);
	put(f->data + 4, 42, 4);
	put(f->data + 8, 0x0f, 4); /* neither A nor B, but bits beside them */
	put(f->data + 12, 5 << 16 | 40, 4);
	put(f->data + 16, 0x101c, 8);
	put(f->data + 24, 7, 8);
	put(f->data + 32, 9, 8);
	memcpy(f->data + 40, "init", 5);
	f->ev = (struct trace_event){ .buffer = &f->buffer,
				      .format = &f->format,
				      .id = 300,
				      .name = "wake",
				      .system = "made",
				      .pid = 42,
				      .data = SPAN(f->data, 45) };
}

static void teardown(struct fixture *f)
{
	arena_release(&f->a);
	target_release(&f->t);
	arena_release(&f->scratch);
}

TEST(print_fmt)
{
	struct trace_printer *p = trace_printer_new();
	struct buf b = { 0 };
	struct fixture f;

	setup(&f);
	trace_print(p, &b, &f.ev);
	CHECK_STR(buf_text(&b), "wake: init at=000000000000101c by=do_it+0x1c/0x90 [mod] flags= "
				"pair={7,9}");
	put(f.data + 8, 0x30, 4);
	buf_reset(&b);
	trace_print(p, &b, &f.ev);
	CHECK_CONTAINS(buf_text(&b), "flags=A|B");
	buf_release(&b);
	trace_printer_release(p);
	teardown(&f);
}

/* Strings that lie outside of the record, records that end early: fields are shown, none invented.
 */
TEST(cut_records)
{
	struct trace_printer *p = trace_printer_new();
	struct fixture f;

	setup(&f);
	put(f.data + 12, 500u << 16 | 60000u, 4);
	for (size_t n = 0; n <= 45; n++) {
		struct buf b = { 0 };

		f.ev.data.n = n;
		trace_print(p, &b, &f.ev);
		CHECK(!strstr(buf_text(&b), "init"));
		buf_release(&b);
	}
	trace_printer_release(p);
	teardown(&f);
}

static const char *hostile_comm(const struct recording *rec, int32_t pid)
{
	(void)rec;
	(void)pid;
	return "x\n# tracer: y";
}

/* Neither a task's name nor a string of an event begins a row: each is one line. */
TEST(rows_are_one_line)
{
	static const struct recording_ops named = { .symbol = symbol, .comm = hostile_comm };
	struct trace_printer *p = trace_printer_new();
	struct buf b = { 0 };
	struct fixture f;

	setup(&f);
	f.rec.ops = &named;
	memcpy(f.data + 40, "a\nb", 4);
	trace_row(p, &b, &f.ev);
	CHECK(!strchr(buf_text(&b), '\n'));
	CHECK_CONTAINS(buf_text(&b), "x\\n# tracer: y-42 ");
	CHECK_CONTAINS(buf_text(&b), ": wake: a\\nb at=");
	buf_reset(&b);
	trace_row_latency(p, &b, &f.ev, 0, 0);
	CHECK(!strchr(buf_text(&b), '\n'));
	buf_reset(&b);
	f.ev.name = "a\nb"; /* which lies in the dump, as the string does */
	trace_print_fields(&b, &f.ev);
	CHECK(!strncmp(buf_text(&b), "a\\nb: flags=", 12));
	f.ev.format = NULL;
	buf_reset(&b);
	trace_print_fields(&b, &f.ev);
	CHECK(!strchr(buf_text(&b), '\n'));
	buf_release(&b);
	trace_printer_release(p);
	teardown(&f);
}

/* ---- texts that records have the addresses of */

#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"

static const char *string(const struct recording *rec, uint64_t addr)
{
	(void)rec;
	return addr == 0x2000   ? "tick"
	       : addr == 0x2100 ? "n=%d"
	       : addr == 0x2200 ? "\"%d\""
	       : addr == 0x2300 ? ""
	       : addr == 0x2400 ? "at %p"
				: NULL;
}

static const struct recording_ops text_ops = { .symbol = symbol, .string = string };

/* An event of the format with two words in its record, at 8 and 16, and an int behind them. */
static void check_words(struct trace_printer *p, struct fixture *f, const char *format,
			const char *system, const uint64_t words[2], const char *want)
{
	struct buf b = { 0 };
	struct err err;

	if (!f->format.name)
		REQUIRE_OK(trace_format_parse(SPAN(format, strlen(format)), system, &f->a,
					      &f->format, &err),
			   err);
	for (unsigned i = 0; i < 16; i++)
		f->data[8 + i] =
			(uint8_t)(words[i / 8] >> 8 * (f->rec.big_endian ? 7 - i % 8 : i % 8));
	put(f->data + 24, 5, 4);
	put(f->data,
	    f->rec.big_endian ? (uint64_t)f->format.id << 8 | f->format.id >> 8 : f->format.id, 2);
	f->ev.id = f->format.id;
	f->ev.name = f->format.name;
	f->ev.system = f->format.system;
	f->ev.data = SPAN(f->data, 28);
	trace_print(p, &b, &f->ev);
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

static void setup_words(struct fixture *f, bool big)
{
	setup(f);
	f->rec.ops = &text_ops;
	f->rec.big_endian = big;
	f->format = (struct trace_format){ 0 };
}

/* Formats that no kernel makes, and of which libtraceevent 1.7.1 dies: it computes constants as it
 * reads them, and marks the field of flags before it knows that there is one. Then fields are
 * shown. */
TEST(formats_that_would_be_fatal)
{
	static const char *const bad[] = {
		"\"%d\", 1/0",
		"\"%d\", REC->a % (0)",
		"\"%d\", 1 / nothing",
		"\"%d\", 1/REC->nothing",
		"\"%d\", 1/2*0",
		"\"\\\"%d\", 1/\"a\"",
		"\"%s\", __print_symbolic(REC->a, {1/0, \"a\"})",
		"\"%s\", __print_symbolic(REC->nothing, {1, \"a\"})",
		"\"%s\", __print_flags(REC->nothing, \"\", {1, \"a\"})",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct trace_printer *p = trace_printer_new();
		char text[400];
		struct fixture f;

		snprintf(text, sizeof(text),
			 "name: odd\nID: 301\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			 "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n\nprint fmt: %s\n",
			 bad[i]);
		setup_words(&f, false);
		check_words(p, &f, text, "made", (const uint64_t[]){ 7, 0 }, "odd: a=7");
		trace_printer_release(p);
		teardown(&f);
	}
}

/* As C's printf has it; NULL is what the kernel's printf has for it. */
TEST(texts_at_addresses)
{
	static const char format[] =
		"name: say\nID: 301\nformat:\n" COMMON
		"\tfield:const char * what;\toffset:8;\tsize:8;\tsigned:0;\n"
		"\tfield:const char * why;\toffset:16;\tsize:8;\tsigned:0;\n"
		"\nprint fmt: \"[%-6s] (%s) %.2s REC->what\", REC->what, REC->why, REC->what\n";

	for (int big = 0; big < 2; big++) {
		struct trace_printer *p = trace_printer_new();
		struct fixture f;

		setup_words(&f, big);
		check_words(p, &f, format, "ipi", (uint64_t[]){ 0x2000, 0x2300 },
			    "say: [tick  ] () ti REC->what");
		check_words(p, &f, format, "ipi", (uint64_t[]){ 0, 0x2345 },
			    "say: [(null)] (<string at 0x2345>) (n REC->what");
		f.rec.ops = &ops; /* of a recording that knows no strings */
		check_words(p, &f, format, "ipi", (uint64_t[]){ 0, 0x2000 },
			    "say: [(null)] (<string at 0x2000>) (n REC->what");
		trace_printer_release(p);
		teardown(&f);
	}
}

static const char bprint_format[] = "name: bprint\nID: 6\nformat:\n" COMMON
				    "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
				    "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
				    "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n"
				    "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n";

/* Formats that are met one after the other, and again. */
TEST(formats_of_trace_printk)
{
	struct trace_printer *p = trace_printer_new();
	struct fixture f;

	setup_words(&f, false);
	for (int i = 0; i < 2; i++) {
		check_words(p, &f, bprint_format, "ftrace", (uint64_t[]){ 0x1000, 0x2000 },
			    "do_it [mod]: tick");
		check_words(p, &f, bprint_format, "ftrace", (uint64_t[]){ 0x1000, 0x2100 },
			    "do_it [mod]: n=5");
		check_words(p, &f, bprint_format, "ftrace", (uint64_t[]){ 0x1000, 0x2200 },
			    "do_it [mod]: \"5\"");
		check_words(p, &f, bprint_format, "ftrace", (uint64_t[]){ 0x1000, 0x2300 },
			    "do_it [mod]: ");
	}
	trace_printer_release(p);
	teardown(&f);
}

/* The number of a page is no address of one, whatever the kernel would add to it (the second as
 * arm64 has it, the last another page than the one that is printed). */
TEST(numbers_of_pages)
{
	static const char fields[] = "name: page\nID: 302\nformat:\n" COMMON
				     "\tfield:unsigned long pfn;\toffset:8;\tsize:8;\tsigned:0;\n"
				     "\tfield:void * page;\toffset:16;\tsize:8;\tsigned:0;\n\n";
	static const struct {
		const char *print_fmt, *want;
	} v[] = {
		{ "\"page=%p pfn=0x%lx\", (((struct page *)vmemmap_base) + (REC->pfn)), REC->pfn",
		  "page: page=<pfn 0x1edd7> pfn=0x1edd7" },
		{ "\"page=%p %d\", REC->pfn != -1UL ? (((struct page *)(-((((1UL))) << ((48) - 6))) - "
		  "(memstart_addr >> 12)) + (REC->pfn)) : ((void *)0), 3",
		  "page: page=<pfn 0x1edd7> 3" },
		{ "\"page=%p\", REC->page", "page: page=0000000000002000" },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		struct trace_printer *p = trace_printer_new();
		struct buf b = { 0 };
		struct fixture f;

		setup_words(&f, false);
		buf_printf(&b, "%sprint fmt: %s\n", fields, v[i].print_fmt);
		check_words(p, &f, buf_text(&b), "kmem", (uint64_t[]){ 0x1edd7, 0x2000 },
			    v[i].want);
		buf_release(&b);
		trace_printer_release(p);
		teardown(&f);
	}
}

/* What stands in a pointer's place here is its double and one, which no digit of it is. */
static uint64_t doubled(uint64_t ptr, void *arg)
{
	++*(unsigned *)arg;
	return ptr ? 2 * ptr + 1 : 0;
}

/* "%p" is hidden wherever it stands, in the full width of a word, and nothing else is: not other
 * forms of pointers, numbers, or a name; the second format is one that libtraceevent prints, the
 * last one of a 32-bit kernel. */
TEST(hidden_pointers)
{
	static const char fields[] = "name: hide\nID: 303\nformat:\n" COMMON
				     "\tfield:void * at;\toffset:8;\tsize:8;\tsigned:0;\n"
				     "\tfield:void * to;\toffset:16;\tsize:8;\tsigned:0;\n"
				     "\tfield:u8 ip[4];\toffset:24;\tsize:4;\tsigned:0;\n\n";
	static const char fields32[] = "name: hide\nID: 303\nformat:\n" COMMON
				       "\tfield:void * at;\toffset:8;\tsize:4;\tsigned:0;\n"
				       "\tfield:void * to;\toffset:16;\tsize:4;\tsigned:0;\n\n";
	static const struct {
		unsigned word_size;
		const char *print_fmt, *want;
		unsigned asked;
	} v[] = {
		{ 8,
		  "\"%p 100%% %px %pK %pS %ps %lx(%p)%%p\", REC->at, REC->at, REC->at, REC->at, "
		  "REC->at, (long)REC->at, REC->to",
		  "hide: 0000000000002039 100% 000000000000101c 000000000000101c "
		  "do_it+0x1c/0x90 [mod] do_it [mod] 101c(0000000000000000)%p",
		  2 },
		{ 8, "\"%p %pI4\", REC->at, REC->ip", "hide: 0000000000002039 5.0.0.0", 1 },
		{ 4, "\"%p %px\", REC->at, REC->at", "hide: 00002039 0000101c", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct trace_printer *p = trace_printer_new();
		unsigned asked = 0;
		struct buf b = { 0 };
		struct fixture f;

		setup_words(&f, false);
		f.rec.word_size = v[i].word_size;
		trace_printer_hide(p, doubled, &asked);
		buf_printf(&b, "%sprint fmt: %s\n", v[i].word_size == 8 ? fields : fields32,
			   v[i].print_fmt);
		check_words(p, &f, buf_text(&b), "made", (uint64_t[]){ 0x101c, 0 }, v[i].want);
		CHECK_U64(asked, v[i].asked);
		buf_release(&b);
		trace_printer_release(p);
		teardown(&f);
	}
}

/* The kernel prints what trace_printk() was given when somebody reads it, so its "%p", too, is
 * hashed then. The argument is the 5 of check_words(). */
TEST(hidden_pointers_of_trace_printk)
{
	struct trace_printer *p = trace_printer_new();
	unsigned asked = 0;
	struct fixture f;

	setup_words(&f, false);
	f.rec.word_size = 4;
	trace_printer_hide(p, doubled, &asked);
	check_words(p, &f, bprint_format, "ftrace", (uint64_t[]){ 0x1000, 0x2400 },
		    "do_it [mod]: at 0000000b");
	trace_printer_release(p);
	teardown(&f);
}

/* A text that looks like a hidden pointer is none unless it is as long as one; no byte is lost. */
TEST(texts_like_hidden_pointers)
{
	struct trace_printer *p = trace_printer_new();
	unsigned asked = 0;
	struct buf b = { 0 };
	struct fixture f;

	setup(&f);
	trace_printer_hide(p, doubled, &asked);
	memcpy(f.data + 40, "\r1f\r", 5);
	trace_print(p, &b, &f.ev);
	CHECK_STR(buf_text(&b), "wake: \r1f\r at=0000000000002039 by=do_it+0x1c/0x90 [mod] flags= "
				"pair={7,9}");
	CHECK_U64(asked, 1);
	buf_release(&b);
	trace_printer_release(p);
	teardown(&f);
}

TEST_MAIN
