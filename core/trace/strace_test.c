/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls put together of their events; flags are those of the man pages' headers. */
#include <fcntl.h>

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/trace/strace.h"

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
	struct strace *s = strace_new(&a);

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
	struct strace *s = strace_new(&a);

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
	struct strace *s = strace_new(&a);

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

TEST_MAIN
