/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CTF traces in LTTng's shapes, written here by the specification (diamon.org/ctf, version 1.8),
 * and broken ones. What perf wrote is in testdata/sessions/trace_ctf.t. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/base/vec.h"
#include "readers/ctf/ctf.h"
#include "readers/ctf/ctfwire.h"
#include "readers/trace/trace_fuzz.h"

extern const struct reader reader_ctf;

static const char metadata[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
	"trace { major = 1; minor = 8; byte_order = le;\n"
	" packet.header := struct { uint32_t magic; uint32_t stream_id; }; };\n"
	"env { hostname = \"made\"; domain = \"kernel\"; tracer_name = \"lttng-modules\"; };\n"
	"clock { name = \"monotonic\"; freq = 1000000000; offset_s = 1000; };\n"
	"typealias integer { size = 64; align = 8; signed = false;\n"
	" map = clock.monotonic.value; } := stamp_t;\n"
	"stream { id = 0; event.header := struct { uint16_t id; stamp_t timestamp; };\n"
	" packet.context := struct { stamp_t timestamp_begin; stamp_t timestamp_end;\n"
	"  uint64_t content_size; uint64_t packet_size; uint64_t events_discarded;\n"
	"  uint32_t cpu_id; }; };\n"
	"event { name = \"sched_switch\"; id = 0; stream_id = 0; fields := struct {\n"
	" integer { size = 8; align = 8; signed = false; encoding = UTF8; } _prev_comm[16];\n"
	" int32_t _prev_tid; integer { size = 8; align = 8; encoding = UTF8; } _next_comm[16];\n"
	" int32_t _next_tid; }; };\n"
	"event { name = \"syscall_entry_read\"; id = 1; stream_id = 0; fields := struct {\n"
	" uint32_t _fd; uint8_t n; uint16_t list[n]; string _path; }; };\n"
	"event { name = \"odd\"; id = 2; stream_id = 0; fields := struct {\n"
	" enum : uint8_t { NUM = 0, TEXT = 1 } tag;\n"
	" variant <tag> { uint32_t NUM; string TEXT; } what;\n"
	" struct { int32_t x; } place; }; };\n";

static void put(struct buf *b, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_char(b, (char)(v >> 8 * i));
}

static void put_event(struct buf *b, unsigned id, uint64_t ts)
{
	put(b, id, 2);
	put(b, ts, 8);
}

static void put_comm(struct buf *b, const char *comm, int32_t tid)
{
	buf_add(b, comm, strlen(comm));
	buf_pad(b, 0, 16 - strlen(comm));
	put(b, (uint32_t)tid, 4);
}

/* A packet of a CPU around events; `wrong` bits too many are said to be in it. */
static void put_packet(struct buf *to, const struct buf *events, unsigned cpu, uint64_t from,
		       uint64_t until, uint64_t lost, uint64_t wrong)
{
	uint64_t bits = 8 * (8 + 40 + 4 + events->n);

	put(to, 0xc1fc1fc1, 4);
	put(to, 0, 4);
	put(to, from, 8);
	put(to, until, 8);
	put(to, bits + wrong, 8);
	put(to, bits, 8);
	put(to, lost, 8);
	put(to, cpu, 4);
	buf_add(to, events->s, events->n);
}

struct folder_made {
	char path[64], file[96];
};

static void put_file(struct folder_made *f, const char *name, const void *p, size_t n)
{
	FILE *out;

	snprintf(f->file, sizeof(f->file), "%s/%s", f->path, name);
	out = fopen(f->file, "w");
	if (!out || fwrite(p, 1, n, out) != n)
		abort();
	(void)fclose(out);
}

static void folder_remove(struct folder_made *f)
{
	static const char *const names[] = { "cpu0", "cpu1", "metadata" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(f->file, sizeof(f->file), "%s/%s", f->path, names[i]);
		(void)unlink(f->file);
	}
	(void)rmdir(f->path);
}

/* What the trace in a folder says, a line for each event, and its warnings. */
static void read_folder(struct folder_made *f, struct buf *ret, size_t *warnings)
{
	struct arena scratch = { 0 }, a = { 0 };
	struct trace_select all = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct target t;
	struct file file;
	struct err err;

	snprintf(f->file, sizeof(f->file), "%s/metadata", f->path);
	target_init(&t, &scratch);
	file = (struct file){ .path = f->file,
			      .fd = -1,
			      .map = SPAN(metadata, sizeof(metadata) - 1) };
	CHECK_U64((uint64_t)reader_ctf.probe(&file), 100);
	CHECK(reader_ctf.open(&t, &file, &err));
	if (timeline_open(&t, &all, &a, &tl, &err))
		while (timeline_next(tl, &ev, &err)) {
			buf_printf(ret, "%" PRIu64 " %d %s-%d lost %" PRIu64 " %s.", ev.ts, ev.cpu,
				   trace_comm(&ev), ev.pid, ev.lost, ev.system ? ev.system : "?");
			buf_str(ret, ev.name);
			for (size_t i = 0; ev.format && i < ev.format->n_fields; i++) {
				const struct trace_field *field = &ev.format->fields[i];
				const char *s;
				struct span b;
				uint64_t v;

				if (field->is_common)
					continue;
				buf_printf(ret, " %s=", field->name);
				if (trace_field_str(&ev, field, &a, &s))
					buf_str(ret, s);
				else if (trace_field_span(&ev, field, &b) && field->is_dynamic)
					buf_printf(ret, "(%zu bytes)", b.n);
				else if (trace_field_u64(&ev, field, &v))
					buf_printf(ret, "%" PRId64, (int64_t)v);
			}
			buf_char(ret, '\n');
		}
	CHECK_STR(t.traces->first->buffers[0].clock, "realtime");
	*warnings = t.warnings.n;
	arena_release(&a);
	target_release(&t);
	arena_release(&scratch);
}

static void made_trace(struct folder_made *f, uint64_t wrong)
{
	struct buf e = { 0 }, p = { 0 };

	snprintf(f->path, sizeof(f->path), "/tmp/obit-ctf-XXXXXX");
	if (!mkdtemp(f->path))
		abort();
	put_file(f, "metadata", metadata, sizeof(metadata) - 1);
	put_event(&e, 0, 100);
	put_comm(&e, "swapper/0", 0);
	put_comm(&e, "reader", 42);
	put_event(&e, 1, 300); /* by whom the CPU runs now */
	put(&e, 5, 4);
	put(&e, 3, 1);
	put(&e, 1, 2);
	put(&e, 2, 2);
	put(&e, 3, 2);
	buf_add(&e, "/etc", 5);
	put_packet(&p, &e, 0, 100, 300, 0, 0);
	buf_reset(&e);
	put_event(&e, 2, 500);
	put(&e, 1, 1);
	buf_add(&e, "words", 6);
	put(&e, (uint32_t)-7, 4);
	put_packet(&p, &e, 0, 400, 500, 12, 0);
	put_file(f, "cpu0", p.s, p.n);
	buf_reset(&e);
	buf_reset(&p);
	put_event(&e, 2, 200);
	put(&e, 0, 1);
	put(&e, 77, 4);
	put(&e, 8, 4);
	put_packet(&p, &e, 1, 200, 200, 0, wrong);
	put_file(f, "cpu1", p.s, p.n);
	buf_release(&e);
	buf_release(&p);
}

/* By the metadata: both streams in order; LTTng's names are the kernel's; an event that has one of
 * two shapes has a format of each; twelve events are missing before the last. Who runs on CPU 0 the
 * switch says; of CPU 1 nobody does. */
TEST(what_lttng_writes_is_read)
{
	struct folder_made f;
	struct buf got = { 0 };
	size_t warnings;

	made_trace(&f, 0);
	read_folder(&f, &got, &warnings);
	CHECK_STR(
		buf_text(&got),
		"1000000000100 0 <idle>-0 lost 0 sched.sched_switch prev_comm=swapper/0 "
		"prev_pid=0 next_comm=reader next_pid=42\n"
		"1000000000200 1 <...>--1 lost 0 ?.odd tag=0 what=77 place_x=8\n"
		"1000000000300 0 reader-42 lost 0 syscalls.sys_enter_read fd=5 n=3 list=(6 bytes) "
		"path=/etc\n"
		"1000000000500 0 reader-42 lost 12 ?.odd tag=1 what=words place_x=-7\n");
	CHECK_U64(warnings, 0);
	folder_remove(&f);
	buf_release(&got);
}

/* What is whole is read, wherever the first CPU's stream is cut: its events end at bytes 102 and
 * 128, where the second packet begins, and at 201, and another CPU has one more. Nothing says that
 * there was more where a packet ends, and in an empty file. */
TEST(cut_streams_give_what_is_whole)
{
	static const unsigned cuts[] = { 0,   1,   4,   20,  51,  52,  53,  101, 102, 103,
					 127, 128, 129, 140, 179, 180, 181, 190, 200, 201 };

	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		unsigned n = cuts[i], want = 1 + (n >= 102) + (n >= 128) + (n >= 201), rows = 0;
		bool said = n && n != 128 && n != 201;
		struct folder_made f;
		struct buf got = { 0 };
		size_t warnings;

		made_trace(&f, 0);
		snprintf(f.file, sizeof(f.file), "%s/cpu0", f.path);
		CHECK_U64((uint64_t)truncate(f.file, n), 0);
		read_folder(&f, &got, &warnings);
		for (size_t k = 0; k < got.n; k++)
			rows += got.s[k] == '\n';
		if (!CHECK_U64(rows, want) || !CHECK_U64(warnings, said))
			printf("  of %u bytes: %s\n", n, buf_text(&got));
		CHECK((strstr(buf_text(&got), "lost 12") != NULL) == (n == 201));
		folder_remove(&f);
		buf_release(&got);
	}
}

/* Bytes that are no packet, behind whole ones. */
TEST(a_damaged_stream_gives_the_packets_in_front)
{
	struct folder_made f;
	struct buf got = { 0 };
	size_t warnings;
	FILE *out;

	made_trace(&f, 0);
	snprintf(f.file, sizeof(f.file), "%s/cpu0", f.path);
	out = fopen(f.file, "a");
	REQUIRE(out && fwrite("what is this? it is no packet", 29, 1, out) == 1 && !fclose(out));
	read_folder(&f, &got, &warnings);
	CHECK_CONTAINS(buf_text(&got), "1000000000500 0 reader-42 lost 12 ");
	CHECK_CONTAINS(buf_text(&got), "1000000000200 1 ");
	CHECK_U64(warnings, 1);
	folder_remove(&f);
	buf_release(&got);
}

/* The library asserts that a packet is not larger than its file says; whatever it does then, the
 * trace is damaged, and obit goes on. */
TEST(a_broken_packet_is_damage)
{
	static const uint64_t wrongs[] = { 8, 800, 1ull << 40, (uint64_t)-8, (uint64_t)-1000 };

	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		struct folder_made f;
		struct buf got = { 0 };
		size_t warnings;

		made_trace(&f, wrongs[i]);
		read_folder(&f, &got, &warnings);
		CHECK_U64(warnings, 1);
		folder_remove(&f);
		buf_release(&got);
	}
}

/* What the child may leave when it dies: a record that is cut, or that says what cannot be. */
TEST(records_are_not_trusted)
{
	struct ctfwire_head heads[] = {
		{ .size = 48, .type = CTFWIRE_EVENT, .part = { 0, 0, 100 } },
		{ .size = 4, .type = CTFWIRE_EVENT },
		{ .size = 50, .type = CTFWIRE_EVENT },
		{ .size = UINT32_MAX & ~7u, .type = CTFWIRE_EVENT },
		{ .size = 48, .type = CTFWIRE_EVENT, .part = { UINT32_MAX, 1, 0 } },
	};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		struct arena scratch = { 0 }, a = { 0 };
		struct trace_select all = { 0 };
		struct trace_event ev;
		struct timeline *tl;
		struct target t;
		struct err err;

		target_init(&t, &scratch);
		ctf_add_records(&t, "made", SPAN(&heads[i], sizeof(heads[i])));
		CHECK_U64(t.warnings.n, 1); /* it was not read to its end */
		if (CHECK(timeline_open(&t, &all, &a, &tl, &err)))
			CHECK(!timeline_next(tl, &ev, &err));
		arena_release(&a);
		target_release(&t);
		arena_release(&scratch);
	}
}
TEST_MAIN
