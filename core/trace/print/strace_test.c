/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls put together of their events; flags are those of the man pages' headers. */
#include <fcntl.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/trace/print/strace.h"

static const struct trace_field enter_fields[] = {
	{ .name = "__syscall_nr", .type = "int", .offset = 8, .size = 4, .is_signed = true },
	{ .name = "dfd", .type = "int", .offset = 16, .size = 8 },
	{ .name = "filename", .type = "const char *", .offset = 24, .size = 8 },
	{ .name = "flags", .type = "int", .offset = 32, .size = 8 },
	{ .name = "mode", .type = "umode_t", .offset = 40, .size = 8 },
};
static const struct trace_field exit_fields[] = {
	{ .name = "__syscall_nr", .type = "int", .offset = 8, .size = 4, .is_signed = true },
	{ .name = "ret", .type = "long", .offset = 16, .size = 8, .is_signed = true },
};
static const struct trace_format formats[] = {
	{ 1, "syscalls", "sys_enter_openat", enter_fields, ARRAY_SIZE(enter_fields), NULL, NULL },
	{ 2, "syscalls", "sys_exit_openat", exit_fields, ARRAY_SIZE(exit_fields), NULL, NULL },
	{ 3, "syscalls", "sys_enter_a\nFORGED", enter_fields, ARRAY_SIZE(enter_fields), NULL,
	  NULL },
	{ 4, "syscalls", "sys_exit_a\nFORGED", exit_fields, ARRAY_SIZE(exit_fields), NULL, NULL },
};
static const struct recording_ops ops;
static const struct recording rec = { .word_size = 8, .ops = &ops };
static const struct trace_buffer buffer = { .recording = &rec, .ns = true };

static bool add(struct strace *s, struct buf *b, unsigned which, int32_t pid, uint64_t ts,
		const uint64_t *args, size_t n)
{
	uint64_t data[6] = { 0 };
	struct trace_event ev = { .ts = ts,
				  .cpu = 0,
				  .buffer = &buffer,
				  .format = &formats[which],
				  .data = { (const uint8_t *)data, 48 },
				  .pid = pid,
				  .comm = "x",
				  .name = formats[which].name,
				  .system = "syscalls" };

	memcpy(data + 2, args, n * 8);
	return strace_add(s, b, &ev);
}

TEST(a_call_is_one_line)
{
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct strace *s = strace_new(&a, NULL, NULL);

	CHECK(add(s, &b, 0, 7, 1000, (uint64_t[]){ (uint64_t)-100, 0x1000, O_RDWR | O_CREAT, 0644 },
		  4));
	CHECK_STR(buf_text(&b), "");
	CHECK(add(s, &b, 1, 7, 26000, (uint64_t[]){ 3 }, 1));
	CHECK_CONTAINS(buf_text(&b),
		       "openat(AT_FDCWD, 0x1000, O_RDWR|O_CREAT, 0644) = 3 <0.000025>\n");
	buf_reset(&b);
	add(s, &b, 0, 7, 1000, (uint64_t[]){ 5, 0, O_CLOEXEC, 0 }, 4);
	add(s, &b, 1, 7, 1000, (uint64_t[]){ (uint64_t)-2 }, 1);
	CHECK_CONTAINS(buf_text(&b), "openat(5, NULL, O_RDONLY|O_CLOEXEC, 0) = -1 ENOENT");
	buf_reset(&b);
	strace_end(s, &b);
	CHECK_STR(buf_text(&b), "");
	strace_release(s);
	buf_release(&b);
	arena_release(&a);
}

TEST(halves_are_marked)
{
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct strace *s = strace_new(&a, NULL, NULL);

	add(s, &b, 1, 9, 10, (uint64_t[]){ 0 }, 1);
	CHECK_CONTAINS(buf_text(&b), "<... openat resumed> = 0\n");
	buf_reset(&b);
	add(s, &b, 0, 9, 20, (uint64_t[]){ 1, 2, 0x10000003, 4 }, 4);
	CHECK_STR(buf_text(&b), "");
	strace_end(s, &b);
	/* a bit that nobody knows stays a number */
	CHECK_CONTAINS(buf_text(&b), "openat(1, 0x2, O_ACCMODE|0x10000000, 04) <unfinished ...>\n");
	strace_release(s);
	buf_release(&b);
	arena_release(&a);
}

/* An event's name lies in the dump: it begins no line. */
TEST(no_name_begins_a_line)
{
	static const uint64_t args[4];
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct strace *s = strace_new(&a, NULL, NULL);

	add(s, &b, 3, 9, 10, args, 1); /* its begin is not in the trace */
	CHECK_CONTAINS(buf_text(&b), "<... a\\nFORGED resumed> = 0\n");
	buf_reset(&b);
	add(s, &b, 2, 9, 20, args, 4);
	add(s, &b, 3, 9, 30, args, 1);
	CHECK_CONTAINS(buf_text(&b), "a\\nFORGED(");
	strace_release(s);
	buf_release(&b);
	arena_release(&a);
}

/* Newer kernels record what arguments point to, behind the arguments. */
TEST(strings_that_were_recorded)
{
	static const struct trace_field fields[] = {
		{ .name = "filename", .type = "const char *", .offset = 8, .size = 8 },
		{ .name = "buf", .type = "const char *", .offset = 16, .size = 8 },
		{ .name = "count", .type = "size_t", .offset = 24, .size = 8 },
		{ .name = "__filename_val",
		  .type = "__data_loc char[]",
		  .offset = 32,
		  .size = 4,
		  .is_dynamic = true },
		{ .name = "__buf_val",
		  .type = "__data_loc char[]",
		  .offset = 36,
		  .size = 4,
		  .is_dynamic = true },
	};
	static const struct trace_format format = {
		9,
		"syscalls",
		"sys_enter_made",
		fields,
		ARRAY_SIZE(fields),
		"\"\", __get_str(__filename_val), __print_dynamic_array(__buf_val, 1)",
		NULL
	};
	uint64_t data[7] = { 0, 0x5000, 0x6000, 10,
			     8 << 16 | 40 | (uint64_t)3 << 48 | 48ull << 32 };
	struct trace_event ev = { .buffer = &buffer,
				  .format = &format,
				  .data = { (const uint8_t *)data, 51 },
				  .name = format.name,
				  .system = "syscalls" };
	struct arena a = { 0 };
	struct buf b = { 0 };
	struct strace *s = strace_new(&a, NULL, NULL);

	memcpy(data + 5, "/tmp/a\0", 8);
	memcpy(data + 6, "a\nb", 3);
	CHECK(strace_add(s, &b, &ev));
	strace_end(s, &b);
	CHECK_CONTAINS(buf_text(&b), "made(\"/tmp/a\", \"a.b\"..., 10) <unfinished");
	data[4] = 0; /* nothing was read */
	buf_reset(&b);
	CHECK(strace_add(s, &b, &ev));
	strace_end(s, &b);
	CHECK_CONTAINS(buf_text(&b), "made(0x5000, 0x6000, 10) <unfinished");
	strace_release(s);
	buf_release(&b);
	arena_release(&a);
}

TEST_MAIN
