/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls in words. Expectations are what the printf formats of kernel/trace/trace_syscalls.c
 * make of the same numbers; flags of open(2) are those of x86's and ARM's fcntl.h. */
#include <string.h>

#include "core/arch/arch.h"
#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/print/print.h"

#define ARG(n, type_, name_)                                                     \
	{                                                                        \
		.name = name_, .type = type_, .offset = 16 + 8 * (n), .size = 8, \
	}
#define NR                                                                                       \
	{                                                                                        \
		.name = "__syscall_nr", .type = "int", .offset = 8, .size = 4, .is_signed = true \
	}
#define DATA(off, name_)                                                              \
	{                                                                             \
		.name = name_, .type = "__data_loc char[]", .offset = off, .size = 4, \
		.is_dynamic = true, .is_array = true, .is_string = true               \
	}

static const struct trace_field openat_fields[] = {
	NR,
	ARG(0, "int", "dfd"),
	ARG(1, "const char *", "filename"),
	ARG(2, "int", "flags"),
	ARG(3, "umode_t", "mode"),
	DATA(48, "__filename_val"),
};
static const struct trace_field write_fields[] = {
	NR,
	ARG(0, "unsigned int", "fd"),
	ARG(1, "const char *", "buf"),
	ARG(2, "size_t", "count"),
	DATA(40, "__buf_val"),
};
static const struct trace_field rename_fields[] = {
	NR,
	ARG(0, "const char *", "oldname"),
	ARG(1, "const char *", "newname"),
	DATA(32, "__oldname_val"),
	DATA(36, "__newname_val"),
};
static const struct trace_field exit_fields[] = {
	NR, { .name = "ret", .type = "long", .offset = 16, .size = 8, .is_signed = true }
};
static const struct trace_format openat = { 1,
					    "syscalls",
					    "sys_enter_openat",
					    openat_fields,
					    ARRAY_SIZE(openat_fields),
					    "\"...\", __get_str(__filename_val)",
					    NULL };
/* as kernels that record no more than the arguments have it */
static const struct trace_format older_openat = {
	1, "syscalls", "sys_enter_openat", openat_fields, ARRAY_SIZE(openat_fields) - 1, "", NULL
};
static const struct trace_format write_ = { 2,
					    "syscalls",
					    "sys_enter_write",
					    write_fields,
					    ARRAY_SIZE(write_fields),
					    "\"...\", __print_dynamic_array(__buf_val, 1)",
					    NULL };
static const struct trace_format rename_ = {
	3,
	"syscalls",
	"sys_enter_rename",
	rename_fields,
	ARRAY_SIZE(rename_fields),
	"\"...\", __get_str(__oldname_val), __get_str(__newname_val)",
	NULL
};
static const struct trace_format leave = {
	4, "syscalls", "sys_exit_openat", exit_fields, ARRAY_SIZE(exit_fields), "", NULL
};

static struct target t;
static const struct recording_ops ops;
static const struct recording rec = { .t = &t, .word_size = 8, .ops = &ops };
static struct trace_buffer buffer = { .recording = &rec };
static uint8_t data[128];
static struct buf said;

/* An event of these arguments, with a string or bytes behind them for each field of data. */
static const char *print(const struct trace_format *f, unsigned shows, const uint64_t *args,
			 size_t n, const struct span *user)
{
	struct trace_event ev = { .buffer = &buffer, .format = f, .name = f->name };
	size_t at, end;

	buffer.shows = shows;
	memset(data, 0, sizeof(data));
	memcpy(data + 16, args, 8 * n);
	at = 16 + 8 * n;
	end = at;
	for (size_t i = 0; user && user[i].p; i++)
		end += 4;
	for (size_t i = 0; user && user[i].p; i++, at += 4) {
		uint32_t word = (uint32_t)(user[i].n << 16 | end);

		memcpy(data + at, &word, 4);
		memcpy(data + end, user[i].p, user[i].n);
		end += user[i].n;
	}
	ev.data = SPAN(data, end);
	buf_reset(&said);
	if (!trace_print_syscall(&said, &ev))
		return "(no)";
	return buf_text(&said);
}

#define TEXT(s) SPAN(s, sizeof(s))
#define END             \
	{               \
		NULL, 0 \
	}
#define ARGS(...) (uint64_t[]){ __VA_ARGS__ }, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8
#define NEW TRACE_SHOW_SYSCALL_0X

TEST(numbers)
{
	uint64_t cwd = 0xffffff9c, path = 0x7ffe3a1e7448;

	CHECK_STR(print(&older_openat, 0, ARGS(cwd, path, 0x42, 0644), NULL),
		  "sys_openat(dfd: ffffff9c, filename: 7ffe3a1e7448, flags: 42, mode: 1a4)");
	CHECK_STR(print(&leave, 0, ARGS((uint64_t)-2), NULL), "sys_openat -> 0xfffffffffffffffe");
	CHECK_STR(print(&leave, NEW, ARGS(3), NULL), "sys_openat -> 0x3");
	/* %lu below ten, 0x%lx from there on */
	CHECK_STR(print(&write_, NEW, ARGS(9, 0, 10), (struct span[]){ SPAN("", 0), END }),
		  "sys_write(fd: 9, buf: 0 (, ...), count: 0xa)");
	/* with the types, as option verbose asks */
	CHECK_STR(print(&older_openat, NEW | TRACE_SHOW_VERBOSE, ARGS(1, 16, 2, 3), NULL),
		  "sys_openat(int dfd: 1, const char * filename: 0x10, int flags: 2, "
		  "umode_t mode: 3)");
}

TEST(strings)
{
	CHECK_STR(print(&rename_, NEW, ARGS(0x5000, 0x6000),
			(struct span[]){ TEXT("/tmp/a"), TEXT("/tmp/b"), END }),
		  "sys_rename(oldname: 0x5000 \"/tmp/a\", newname: 0x6000 \"/tmp/b\")");
	/* what could not be read from the task's memory is of no length */
	CHECK_STR(print(&rename_, NEW, ARGS(0, 0x6000),
			(struct span[]){ SPAN("", 0), TEXT("/tmp/b"), END }),
		  "sys_rename(oldname: 0 \"\", newname: 0x6000 \"/tmp/b\")");
	/* a place beyond the record */
	CHECK_STR(print(&rename_, NEW, ARGS(0x5000, 0x6000), NULL), "(no)");
}

TEST(buffers)
{
	static const struct {
		const char *bytes;
		size_t n;
		uint64_t count;
		const char *said;
	} cases[] = {
		{ "hi\n", 3, 3, "(68:69:0a) \"hi.\"" },
		{ "hi\n", 3, 4, "(68:69:0a, ...) \"hi.\"..." },
		{ "\x01\xe9", 2, 2, "(01:e9)" }, /* a letter of Latin-1 is none here */
		{ "\x01\xe9", 2, 9, "(01:e9, ...)" },
		{ "a\"b", 3, 3, "(61:22:62) \"a\"b\"" },
		{ "x", 1, 0xffffffff, "(78) \"x\"" }, /* the kernel takes an int of it: -1 */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char want[128];

		snprintf(want, sizeof(want), "sys_write(fd: 1, buf: 0x942290 %s, count: %s%lx)",
			 cases[i].said, cases[i].count > 9 ? "0x" : "",
			 (unsigned long)cases[i].count);
		CHECK_STR(print(&write_, NEW, ARGS(1, 0x942290, cases[i].count),
				(struct span[]){ SPAN(cases[i].bytes, cases[i].n), END }),
			  want);
	}
}

/* sys_enter_openat_print(): decimal numbers, flags by name in its own order, the mode only of what
 * creates. O_TMPFILE has O_DIRECTORY's bit in it, so the mode of a folder is shown. */
TEST(opening)
{
	static const struct {
		uint64_t flags;
		const char *x86, *arm;
	} cases[] = {
		{ 0, "O_RDONLY", "O_RDONLY" },
		{ 01, "O_WRONLY", "O_WRONLY" },
		{ 02 | 0100 | 01000, "O_RDWR|O_CREAT|O_TRUNC, mode: 0644",
		  "O_RDWR|O_CREAT|O_TRUNC, mode: 0644" },
		{ 02000000, "O_RDONLY|O_CLOEXEC", "O_RDONLY|O_CLOEXEC" },
		{ 0200000, "O_RDONLY|O_DIRECTORY, mode: 0644", "O_RDONLY|O_DIRECT" },
		{ 040000, "O_RDONLY|O_DIRECT", "O_RDONLY|O_DIRECTORY, mode: 0644" },
		{ 020200000 | 02, "O_TMPFILE|O_RDWR, mode: 0644",
		  "O_RDWR|O_DIRECT|0x400000, mode: 0644" },
		{ 04010000, "O_RDONLY|O_DSYNC|0x100000", "O_RDONLY|O_DSYNC|0x100000" },
		{ 03, "O_WRONLY|O_RDWR", "O_WRONLY|O_RDWR" },
		{ 0x80000001, "O_WRONLY|0xffffffff80000000", "O_WRONLY|0xffffffff80000000" },
	};

	for (int arm = 0; arm < 2; arm++)
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			char want[200];

			t.arch = arm ? &arch_aarch64 : &arch_x86_64;
			snprintf(
				want, sizeof(want),
				"sys_openat(dfd: 4294967196, filename: 140721182277535 \"/tmp/f\", "
				"flags: %s)",
				arm ? cases[i].arm : cases[i].x86);
			CHECK_STR(print(&openat, NEW,
					ARGS(0xffffff9c, 140721182277535, cases[i].flags, 0644),
					(struct span[]){ TEXT("/tmp/f"), END }),
				  want);
		}
	CHECK_STR(print(&openat, NEW | TRACE_SHOW_VERBOSE, ARGS(3, 16, 0, 0),
			(struct span[]){ TEXT("f"), END }),
		  "sys_openat(int dfd: 3, const char * filename: 0x10 \"f\", int flags: 0, "
		  "umode_t mode: 0)");
	t.arch = NULL;
	buf_release(&said);
}

TEST_MAIN
