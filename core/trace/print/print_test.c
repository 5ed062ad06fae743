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

TEST_MAIN
