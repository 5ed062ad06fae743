/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of formats that are built from the kernel's lists of events and fields. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/trace/trace_fake.h"

static struct trace_fake f;
static struct recording rec;

#define EVENTS TRACE_VAR(0)
#define COMMON TRACE_VAR(1)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

static uint64_t field_of(const char *type, const char *name, uint32_t offset, uint32_t size,
			 bool is_signed, uint32_t len)
{
	uint64_t at = trace_fake_room(&f, 48);

	put64(&f.k, at + TRACE_FIELD_NAME, trace_fake_text(&f, name));
	put64(&f.k, at + TRACE_FIELD_TYPE, trace_fake_text(&f, type));
	put32(&f.k, at + TRACE_FIELD_OFFSET, offset);
	put32(&f.k, at + TRACE_FIELD_SIZE, size);
	put32(&f.k, at + TRACE_FIELD_SIGNED, is_signed);
	put32(&f.k, at + TRACE_FIELD_LEN, len);
	return at;
}

static uint64_t class_of(uint64_t call)
{
	return load_le64(&f.k.mem[call + TRACE_CALL_CLASS - KERNEL_BASE]);
}

/* The kernel adds each field at the front: the list's last was declared first. */
static void fields_put(uint64_t head, const uint64_t *declared, size_t n)
{
	uint64_t all[16];

	for (size_t i = 0; i < n; i++)
		all[n - 1 - i] = declared[i];
	put_list(&f.k, head, all, n);
}

static uint64_t event_of(const char *name, uint64_t type, const char *print_fmt)
{
	uint64_t call = trace_fake_call(&f, "night", name);

	put64(&f.k, call + TRACE_CALL_TYPE, type);
	if (print_fmt)
		put64(&f.k, call + TRACE_CALL_PRINT_FMT, trace_fake_text(&f, print_fmt));
	return call;
}

static void start(void)
{
	uint64_t common[2];

	trace_fake_init(&f);
	rec = (struct recording){ .t = &f.k.t, .word_size = 8 };
	kernel_symbol(&f.k, "ftrace_events", EVENTS);
	kernel_symbol(&f.k, "ftrace_common_fields", COMMON);
	common[0] = field_of("unsigned short", "common_type", 0, 2, false, 0);
	common[1] = field_of("int", "common_pid", 4, 4, true, 0);
	fields_put(COMMON, common, 2);
	put_list(&f.k, EVENTS, NULL, 0);
}

/* Each field: type name[count] offset+size, and a letter for each thing that it is. */
static const char *fields(uint16_t id)
{
	const struct trace_format *format = trace_event_format(&rec, id);
	struct buf b = { 0 };
	const char *ret;

	if (!format)
		return NULL;
	buf_printf(&b, "%u %s:%s", format->id, format->system, format->name);
	for (size_t i = 0; i < format->n_fields; i++) {
		const struct trace_field *fd = &format->fields[i];

		buf_printf(&b, "; %s %s", fd->type, fd->name);
		if (fd->count)
			buf_printf(&b, "[%u]", fd->count);
		buf_printf(&b, " %u+%u ", fd->offset, fd->size);
		buf_printf(&b, "%s%s%s%s%s%s", fd->is_signed ? "s" : "", fd->is_array ? "a" : "",
			   fd->is_dynamic ? "d" : "", fd->is_relative ? "r" : "",
			   fd->is_string ? "t" : "", fd->is_common ? "c" : "");
	}
	ret = arena_strdup(&f.k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

#define HEAD "night:all; unsigned short common_type 0+2 c; int common_pid 4+4 sc"

/* Documentation/trace/events.rst: "__data_loc char[] name" is a string somewhere else, "__rel_loc"
 * the same from behind the word; an array's length is behind the name, b6c7abd1c28a (v6.3) keeps it
 * beside the type. */
TEST(fields_of_every_kind)
{
	uint64_t call, all[8];

	start();
	call = event_of("all", 300, "\"%s\", REC->comm");
	all[0] = field_of("char[16]", "comm", 8, 16, false, 16);
	all[1] = field_of("__data_loc char[]", "file", 24, 4, false, 0);
	all[2] = field_of("__rel_loc char[]", "rest", 28, 4, false, 0);
	all[3] = field_of("unsigned long[4]", "args", 32, 32, false, 4);
	all[4] = field_of("const char *", "where", 64, 8, false, 0);
	all[5] = field_of("char *[2]", "names", 72, 16, false, 2);
	all[6] = field_of("__rel_loc string[3]", "words", 88, 4, true, 3);
	all[7] = field_of("__data_loc cpumask_t[]", "cpus", 92, 4, false, 0);
	fields_put(class_of(call) + TRACE_CLASS_LIST, all, 8);
	put_list(&f.k, EVENTS, &call, 1);
	CHECK_STR(fields(300), "300 " HEAD "; char comm[16] 8+16 at"
			       "; __data_loc char[] file 24+4 adt"
			       "; __rel_loc char[] rest 28+4 art"
			       "; unsigned long args[4] 32+32 a"
			       "; const char * where 64+8 "
			       "; char * names[2] 72+16 a"
			       "; __rel_loc string words[3] 88+4 sart"
			       "; __data_loc cpumask_t[] cpus 92+4 ad");
	CHECK_STR(trace_event_format(&rec, 300)->print_fmt, "\"%s\", REC->comm");
	CHECK_STR(trace_event_format(&rec, 300)->about, NULL);
	CHECK(trace_event_format(&rec, 300) == trace_event_format(&rec, 300));
	CHECK(!trace_event_format(&rec, 299) && !trace_event_format(&rec, 301));
	CHECK_U64(f.k.t.warnings.n, 0);
	kernel_release(&f.k);
}

/* Before b6c7abd1c28a (v6.3) f_show() wrote a type's own brackets behind the name, as the event's
 * author had them. */
TEST(arrays_of_kernels_that_keep_no_length)
{
	uint64_t call, all[6];

	start();
	for (size_t i = 0; i < f.k.n_types; i++)
		for (size_t m = 0; m < f.k.types[i]->n_members; m++)
			if (!strcmp(f.k.types[i]->members[m].name, "len"))
				f.k.types[i]->members[m].name = "none";
	call = event_of("all", 300, NULL);
	all[0] = field_of("char[16]", "comm", 8, 16, false, 0);
	all[1] = field_of("__data_loc char[]", "file", 24, 4, false, 0);
	all[2] = field_of("u8[30+1]", "page", 28, 31, false, 0);
	all[3] = field_of("int[EXT4_FC_REASON_MAX]", "counts", 60, 40, false, 0);
	all[4] = field_of("u8[2][8]", "pairs", 100, 16, false, 0);
	all[5] = field_of("char[]", "buf", 116, 0, false, 0);
	fields_put(class_of(call) + TRACE_CLASS_LIST, all, 6);
	put_list(&f.k, EVENTS, &call, 1);
	CHECK_STR(fields(300), "300 " HEAD "; char comm[16] 8+16 at"
			       "; __data_loc char[] file 24+4 adt"
			       "; u8[30+1] page 28+31 a"
			       "; int[EXT4_FC_REASON_MAX] counts 60+40 a"
			       "; u8[2][8] pairs 100+16 a"
			       "; char[] buf 116+0 at");
	CHECK_U64(f.k.t.warnings.n, 0);
	kernel_release(&f.k);
}

/* A tracepoint's event has no name but a struct tracepoint that has it. */
TEST(names_of_tracepoints)
{
	const char *system, *name;
	uint64_t call, point;
	struct err err;

	start();
	call = event_of("", 5, NULL);
	point = trace_fake_room(&f, 16);
	put64(&f.k, point, trace_fake_text(&f, "sched_switch"));
	put64(&f.k, call + TRACE_CALL_NAME, point);
	REQUIRE_OK(trace_call_name(&f.k.t, call, &system, &name, &err), err);
	CHECK_STR(system, "night");
	CHECK_STR(name, "sched_switch");
	/* seven letters and the NUL are no address; a name that is none is read as what it is */
	put64(&f.k, call + TRACE_CALL_NAME, trace_fake_text(&f, "mm_fork"));
	REQUIRE_OK(trace_call_name(&f.k.t, call, &system, &name, &err), err);
	CHECK_STR(name, "mm_fork");
	put64(&f.k, call + TRACE_CALL_NAME, 0);
	CHECK(!trace_call_name(&f.k.t, call, &system, &name, &err));
	put64(&f.k, class_of(call) + TRACE_CLASS_SYSTEM, 0);
	CHECK(!trace_call_name(&f.k.t, call, &system, &name, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_STR(err.msg, "its name is NULL");
	kernel_release(&f.k);
}

static void warned(const char *text)
{
	REQUIRE(f.k.t.warnings.n == 1);
	CHECK_CONTAINS(f.k.t.warnings.p[0].text, text);
}

/* Two classes have a function for their fields: struct syscall_metadata and struct user_event have
 * them in themselves. Others are no one's to call. */
TEST(fields_that_a_function_finds)
{
	uint64_t calls[3], data, one, user;
	struct type *s;

	start();
	s = kernel_struct(&f.k, "syscall_metadata", 64);
	kernel_member(s, "enter_fields", f.list, 40);
	s = kernel_struct(&f.k, "user_event", 128);
	kernel_member(s, "call", INNER(&f.k, "unused"), 48);
	kernel_member(s, "fields", f.list, 16);
	kernel_symbol(&f.k, "syscall_get_enter_fields", KERNEL_BASE + 0x30000);
	kernel_symbol(&f.k, "user_event_get_fields", KERNEL_BASE + 0x30100);
	kernel_symbol(&f.k, "other_get_fields", KERNEL_BASE + 0x30200);
	data = trace_fake_room(&f, 64);
	one = field_of("int", "fd", 8, 4, true, 0);
	fields_put(data + 40, &one, 1);
	calls[0] = event_of("all", 400, NULL);
	put64(&f.k, calls[0] + TRACE_CALL_DATA, data);
	put64(&f.k, class_of(calls[0]) + TRACE_CLASS_GET, KERNEL_BASE + 0x30000);
	user = trace_fake_room(&f, 128);
	one = event_of("all", 401, NULL);
	memmove(&f.k.mem[user + 48 - KERNEL_BASE], &f.k.mem[one - KERNEL_BASE], 64);
	calls[1] = user + 48;
	put64(&f.k, class_of(calls[1]) + TRACE_CLASS_GET, KERNEL_BASE + 0x30100);
	one = field_of("u32", "count", 8, 4, false, 0);
	fields_put(user + 16, &one, 1);
	calls[2] = event_of("all", 402, NULL);
	put64(&f.k, class_of(calls[2]) + TRACE_CLASS_GET, KERNEL_BASE + 0x30200);
	put_list(&f.k, EVENTS, calls, 3);
	CHECK_STR(fields(400), "400 " HEAD "; int fd 8+4 s");
	CHECK_STR(fields(401), "401 " HEAD "; u32 count 8+4 ");
	CHECK_U64(f.k.t.warnings.n, 0);
	CHECK_STR(fields(402), "402 " HEAD);
	warned("event night:all: not all its fields are known: its fields are known to "
	       "other_get_fields() only");
	kernel_release(&f.k);
}

TEST(events_that_are_damaged)
{
	uint64_t call, all[2];

	start();
	call = event_of("all", 7, "x");
	all[0] = field_of("int", "a", 8, 4, false, 0);
	all[1] = field_of("int", "b", 12, 4, false, 0);
	put64(&f.k, all[1] + TRACE_FIELD_TYPE, 0);
	fields_put(class_of(call) + TRACE_CLASS_LIST, all, 2);
	put_list(&f.k, EVENTS, &call, 1);
	CHECK_STR(fields(7), "7 " HEAD "; int a 8+4 ");
	warned("not all its fields are known: its name is NULL");
	kernel_release(&f.k);
	start();
	call = event_of("all", 7, "x");
	put64(&f.k, call + TRACE_CALL_PRINT_FMT, NOWHERE);
	put_list(&f.k, EVENTS, &call, 1);
	CHECK_STR(fields(7), "7 " HEAD);
	CHECK(trace_event_format(&rec, 7)->print_fmt == NULL);
	warned("event night:all: its print fmt is not known: not mapped");
	kernel_release(&f.k);
	start();
	call = event_of("all", 7, "x");
	put64(&f.k, class_of(call) + TRACE_CLASS_SYSTEM, NOWHERE);
	put_list(&f.k, EVENTS, &call, 1);
	CHECK(!trace_event_format(&rec, 7) && !trace_event_format(&rec, 7));
	warned("event number 7: not mapped");
	kernel_release(&f.k);
}

/* Numbers are of 16 bits, 0 is none, and the first that has one keeps it. */
TEST(numbers_of_events)
{
	uint64_t calls[4];

	start();
	calls[0] = event_of("none", 0, NULL);
	calls[1] = event_of("most", 65535, NULL);
	calls[2] = event_of("more", 65536 + 9, NULL);
	calls[3] = event_of("again", 65535, NULL);
	put_list(&f.k, EVENTS, calls, 4);
	CHECK(!trace_event_format(&rec, 0) && !trace_event_format(&rec, 9));
	REQUIRE(trace_event_format(&rec, 65535) != NULL);
	CHECK_STR(trace_event_format(&rec, 65535)->name, "most");
	kernel_release(&f.k);
	/* what is before the break of the list stays */
	start();
	calls[0] = event_of("all", 7, NULL);
	put_list(&f.k, EVENTS, calls, 1);
	put64(&f.k, calls[0], NOWHERE);
	CHECK_STR(fields(7), "7 " HEAD);
	warned("not all formats of events: events");
	kernel_release(&f.k);
	start();
	calls[0] = event_of("all", 7, NULL);
	put_list(&f.k, EVENTS, calls, 1);
	put64(&f.k, COMMON + 8, NOWHERE);
	CHECK_STR(fields(7), "7 night:all");
	warned("events' common fields are not known");
	kernel_release(&f.k);
}

static bool names(const struct trace_format *format, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s ", format->name);
	return strcmp(format->name, "enough") != 0;
}

TEST(every_event_by_its_number)
{
	uint64_t calls[4];
	struct buf b = { 0 };
	struct err err;

	start();
	calls[0] = event_of("last", 12, NULL);
	calls[1] = event_of("first", 3, NULL);
	calls[2] = event_of("torn", 4, NULL);
	calls[3] = event_of("second", 5, NULL);
	put64(&f.k, class_of(calls[2]) + TRACE_CLASS_SYSTEM, NOWHERE);
	put_list(&f.k, EVENTS, calls, 4);
	CHECK_OK(trace_event_each(&rec, names, &b, &err), err);
	CHECK_STR(buf_text(&b), "first second last ");
	buf_release(&b);
	kernel_release(&f.k);
	start();
	calls[0] = event_of("last", 12, NULL);
	calls[1] = event_of("enough", 3, NULL);
	put_list(&f.k, EVENTS, calls, 2);
	CHECK_OK(trace_event_each(&rec, names, &b, &err), err);
	CHECK_STR(buf_text(&b), "enough ");
	buf_release(&b);
	kernel_release(&f.k);
}

/* ---- probes of events */

static uint64_t probe_of(const char *group, const char *name, const char *event)
{
	uint64_t at = trace_fake_room(&f, 72), probe_event = trace_fake_room(&f, 64);
	uint64_t call = trace_fake_call(&f, group, name);

	memmove(&f.k.mem[probe_event - KERNEL_BASE], &f.k.mem[call - KERNEL_BASE], 64);
	put64(&f.k, at + 16, TRACE_VAR(5));
	put64(&f.k, at + 24, probe_event);
	put64(&f.k, at + 48, trace_fake_text(&f, "sched"));
	put64(&f.k, at + 56, trace_fake_text(&f, event));
	return at;
}

/* What an event probe hangs on is told of the one of its whole name. */
TEST(the_event_that_a_probe_hangs_on)
{
	struct type *s, *inner;
	uint64_t calls[2], all[5];

	start();
	s = kernel_struct(&f.k, "dyn_event", 24);
	inner = s;
	kernel_member(s, "list", f.list, 0);
	kernel_member(s, "ops", &f.k.ptr, 16);
	s = kernel_struct(&f.k, "trace_eprobe", 72);
	kernel_member(s, "devent", inner, 0);
	kernel_member(s, "event_system", &f.k.ptr, 48);
	kernel_member(s, "event_name", &f.k.ptr, 56);
	inner = WORDS(&f.k, "trace_probe", "event", "nr_args", "args");
	kernel_member(s, "tp", inner, 24);
	WORDS(&f.k, "trace_probe_event", "call");
	WORDS(&f.k, "probe_arg", "name", "comm");
	kernel_symbol(&f.k, "dyn_event_list", TRACE_VAR(4));
	kernel_symbol(&f.k, "eprobe_dyn_event_ops", TRACE_VAR(5));
	all[0] = probe_of("day", "wake", "sched_exit");
	all[1] = probe_of("nights", "wake", "sched_exit");
	all[2] = probe_of("night", "wakes", "sched_exit");
	all[3] = probe_of("night", "wait", "sched_exit");
	all[4] = probe_of("night", "wake", "sched_waking");
	put_list(&f.k, TRACE_VAR(4), all, 5);
	calls[0] = event_of("wake", 20, NULL);
	calls[1] = event_of("wak", 21, NULL);
	put_list(&f.k, EVENTS, calls, 2);
	REQUIRE(trace_event_format(&rec, 20) && trace_event_format(&rec, 21));
	CHECK_STR(trace_event_format(&rec, 20)->about, "sched.sched_waking");
	CHECK_STR(trace_event_format(&rec, 21)->about, NULL);
	kernel_release(&f.k);
}
TEST_MAIN
