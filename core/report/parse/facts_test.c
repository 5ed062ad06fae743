/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of single facts that reports state only by their registers' values and in headlines. */
#include <string.h>

#include "core/base/file.h"
#include "core/base/test.h"
#include "core/report/parse/parse.h"

#define CAPTURES "testdata/captures/oops/"

struct said {
	struct arena arena;
	const char *access;
	const char *code, *version, *comm;
	int64_t cpu, pid; /* -1: not said */
};

static bool on_said(struct report *r, void *arg)
{
	struct said *s = arg;

	s->access = r->access ? arena_strdup(&s->arena, r->access) : NULL;
	s->code = r->code ? arena_strdup(&s->arena, r->code) : NULL;
	s->version = r->version ? arena_strdup(&s->arena, r->version) : NULL;
	s->comm = r->comm ? arena_strdup(&s->arena, r->comm) : NULL;
	s->cpu = r->has_cpu ? r->cpu : -1;
	s->pid = r->has_pid ? r->pid : -1;
	return false;
}

static struct said said_in(const char *text, size_t n)
{
	struct said said = { .cpu = -1 };
	struct report_stream *s = report_stream_open("test", on_said, &said);

	report_stream_feed(s, text, n);
	report_stream_close(s);
	return said;
}

static struct said say_of(const char *name)
{
	struct said said = { .cpu = -1 };
	struct arena a = { 0 };
	struct file *text;
	struct err err;

	if (CHECK_OK(file_open(&a, arena_printf(&a, CAPTURES "%s.txt", name), &text, &err), err)) {
		said = said_in((const char *)text->map.p, text->map.n);
		file_close(text);
	}
	arena_release(&a);
	return said;
}

/* DSISR 42000000 is ISSTORE and NOHPTE, ESTAT 20000 has Ecode 2, ExcCode 03 is TLBS, FSR 805 has
 * WnR, scause f is a store page fault, TEID has 01 in 10-11, a store. */
TEST(fault_registers_say_what_the_access_was)
{
	static const char *const v[][2] = {
		{ "ppc64-null", "write" }, { "loongarch-null", "write" }, { "mips-null", "write" },
		{ "arm-null", "write" },   { "riscv-null", "write" },     { "s390-fault", "write" },
		{ "arm64-null", "write" }, { "x86-null", "write" },       { "arm64-bug", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct said s = say_of(v[i][0]);

		if (!CHECK_STR(s.access, v[i][1]))
			printf("  in %s\n", v[i][0]);
		arena_release(&s.arena);
	}
}

#define FAULT_OF(head, registers)                                            \
	head "\nCPU: 1 PID: 7 Comm: a Not tainted 6.1.0 #1\n" registers "\n" \
	     "Call Trace:\n[<80102030>] a+0x1/0x20\n[<80102060>] b+0x1/0x20\n"

/* Codes of loads and fetches, which the captures do not have: scause 13 and 12, ExcCode 2, Ecode 1
 * and 3, FSR 5 without WnR (bit 11), TEID with 10 in 10-11, the vector 400. */
TEST(loads_and_fetches_too)
{
	static const char *const v[][2] = {
		{ FAULT_OF("Unable to handle kernel paging request at virtual address "
			   "ffffffff12345678\nOops [#1]",
			   "epc : a+0x1/0x20\n"
			   "status: 0000000200000120 badaddr: ffffffff12345678 cause: "
			   "000000000000000d"),
		  "read" },
		{ FAULT_OF("Unable to handle kernel paging request at virtual address "
			   "ffffffff12345678\nOops [#1]",
			   "epc : a+0x1/0x20\n"
			   "status: 0000000200000120 badaddr: ffffffff12345678 cause: "
			   "000000000000000c"),
		  "execute" },
		{ FAULT_OF("CPU 0 Unable to handle kernel paging request at virtual address "
			   "81230020, epc == 80102030, ra == 80102060\nOops[#1]:",
			   "epc   : 80102030 a+0x1/0x20\nCause : 00800008 (ExcCode 02)\n"
			   "BadVA : 81230020\nPrId  : 00019300 (MIPS 24Kc)"),
		  "read" },
		{ FAULT_OF("Unable to handle kernel paging request at virtual address c2345678\n"
			   "Internal error: Oops: 5 [#1] SMP ARM",
			   "PC is at a+0x1/0x20"),
		  "read" },
		{ FAULT_OF("Unable to handle kernel pointer dereference in virtual kernel address "
			   "space\nFailing address: 0000012345678000 TEID: 0000012345678803\n"
			   "Oops: 0011 ilc:3 [#1] SMP",
			   "Krnl PSW : 0704e00180000000 0000000080102030 (a+0x1/0x20)"),
		  "read" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct said s = said_in(v[i][0], strlen(v[i][0]));

		if (!CHECK_STR(s.access, v[i][1]))
			printf("  of:\n%s", v[i][0]);
		arena_release(&s.arena);
	}
}

/* mce_panic() prints it where no CPU: line follows. */
TEST(a_machine_check_has_its_cpu)
{
	static const char text[] =
		"mce: [Hardware Error]: CPU 6: Machine Check Exception: 5 Bank 4: be00000000100150\n"
		"mce: [Hardware Error]: TSC 9b2f0a4d1ee ADDR 3f8001000 MISC 86\n"
		"Kernel panic - not syncing: Fatal machine check\n";
	struct said s = said_in(text, strlen(text));

	CHECK_U64((uint64_t)s.cpu, 6);
	arena_release(&s.arena);
}

/* __might_resched() of kernel/sched/core.c names the task before the line of the CPU, where the
 * text may end. */
TEST(who_sleeps_is_named_twice)
{
	static const char text[] =
		"BUG: sleeping function called from invalid context at mm/slab.h:419\n"
		"in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid: 77, name: a b\n";
	struct said s = said_in(text, strlen(text));

	CHECK_STR(s.comm, "a b");
	CHECK_U64((uint64_t)s.pid, 77);
	arena_release(&s.arena);
}

/* powerpc's xmon has a line of its own for the process. */
TEST(a_debugger_names_the_process)
{
	static const char text[] =
		"Unable to handle kernel paging request for data at address 0x00000000\n"
		"cpu 0x1: Vector: 300 (Data Access) at [c2a13600]\n    pc: c000000000301240: a_b+0x1/0x2\n"
		"  current = 0xc000001ff73cca80\n    pid   = 78, comm = a b/4\n";
	struct said s = said_in(text, strlen(text));

	CHECK_STR(s.comm, "a b/4");
	CHECK_U64((uint64_t)s.pid, 78);
	arena_release(&s.arena);
}

static bool on_signature(struct report *r, void *arg)
{
	snprintf(arg, 200, "%s|%s", r->title, r->signature);
	return false;
}

/* Rust's functions are paths; what builds change in their names (hashes of crates, numbers of
 * impls) is in neither, and a signature has four fields whatever they are called. */
TEST(rust_functions_are_paths)
{
	static const char *const crates[] = { "Cs1Cvw4QVbZH8_", "CsbWKDa4QFmSi_" };
	char said[2][200] = { "", "" };
	unsigned colons = 0;

	for (size_t i = 0; i < 2; i++) {
		struct report_stream *s = report_stream_open("test", on_signature, said[i]);
		struct buf b = { 0 };

		buf_printf(
			&b,
			"rust_kernel: panicked at drivers/frob/rust_frob.rs:88:21:\n"
			"index out of bounds: the len is 4 but the index is 9\n"
			"CPU: 1 PID: 120 Comm: insmod Not tainted 6.13.0 #2\nCall Trace:\n <TASK>\n"
			" _RNvNt%s4core9panicking18panic_bounds_check+0x60/0x60\n"
			" _RNvM%s9rust_frobNtB2_4Frob4load+0x91/0xb0 [rust_frob]\n"
			" do_one_initcall+0x55/0x290\n </TASK>\n",
			crates[i], crates[i]);
		report_stream_feed(s, b.s, b.n);
		report_stream_close(s);
		buf_release(&b);
	}
	CHECK_CONTAINS(said[0],
		       "rust panic in rust_frob::Frob::load|o2:rust-panic:rust_frob.Frob.load:");
	CHECK_STR(said[1], said[0]);
	for (const char *p = strchr(said[0], '|'); p && *p; p++)
		colons += *p == ':';
	CHECK_U64(colons, 3);
}

/* The text as obit prints it, with a final newline. */
static bool on_text(struct report *r, void *arg)
{
	report_text(r, false, arg);
	buf_char(arg, '\n');
	return true;
}

/* The captures have no prefixes: every line of theirs is a line of the answer, in its columns.
 * Rules around a report are left out, and blank lines are not compared. */
static void check_lines(const char *name, const char *before)
{
	struct arena a = { 0 };
	struct buf in = { 0 }, out = { 0 };
	struct report_stream *s;
	struct file *text;
	struct err err;

	if (!CHECK_OK(file_open(&a, arena_printf(&a, CAPTURES "%s.txt", name), &text, &err), err))
		return;
	s = report_stream_open("test", on_text, &out);
	for (size_t at = 0, n; at < text->map.n; at += n + 1) {
		const char *line = (const char *)text->map.p + at;
		const char *nl = memchr(line, '\n', text->map.n - at);

		n = nl ? (size_t)(nl - line) : text->map.n - at;
		buf_printf(&in, "%s%.*s\n", before, (int)n, line);
	}
	report_stream_feed(s, in.s, in.n);
	report_stream_close(s);
	for (const char *line = (const char *)text->map.p, *end = line + text->map.n; line < end;) {
		const char *nl = memchr(line, '\n', (size_t)(end - line));
		size_t n = (size_t)((nl ? nl : end) - line), k = n;

		while (k && line[k - 1] == ' ')
			k--;
		if (k && *line != '=' &&
		    !CHECK(strstr(buf_text(&out), arena_printf(&a, "\n%.*s\n", (int)k, line)) !=
			   NULL))
			printf("  in %s with '%s': '%.*s'\n", name, before, (int)k, line);
		line += n + 1;
	}
	file_close(text);
	buf_release(&in);
	buf_release(&out);
	arena_release(&a);
}

TEST(the_text_reads_as_the_original_does)
{
	static const char *const names[] = { "lockdep-circular", "lockdep-irq", "kasan-uaf",
					     "s390-fault",       "arm64-null",  "riscv-null",
					     "kmemleak",         "hung-task",   "x86-null" };
	static const char *const styles[] = { "", "[   12.345678] ", "[   12.345678][  T123] ",
					      "> > ", "    " };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		for (size_t k = 0; k < sizeof(styles) / sizeof(styles[0]); k++)
			check_lines(names[i], styles[k]);
}

#define HEAD                                                                \
	"BUG: kernel NULL pointer dereference, address: 0000000000000000\n" \
	"#PF: supervisor instruction fetch in kernel mode\n"                \
	"Oops: 0010 [#1] PREEMPT SMP NOPTI\n"                               \
	"CPU: 1 PID: 0 Comm: swapper/1 Not tainted 6.1.0-56-cloud-amd64 #1  Debian 6.1.192-2\n"
#define INTERRUPTED                                     \
	"Call Trace:\n"                                 \
	" <IRQ>\n"                                      \
	" call_timer_fn+0x27/0x130\n"                   \
	" __run_timers+0x1a2/0x280\n"                   \
	" asm_sysvec_apic_timer_interrupt+0x16/0x20\n"  \
	" </IRQ>\n"                                     \
	"RIP: 0010:pv_native_safe_halt+0xf/0x20\n"      \
	"Code: 0f 00 2d 03 fb f4 <c3> cc cc cc cc\n"    \
	"RSP: 0018:ffffb2f4000bbee8 EFLAGS: 00000246\n" \
	" default_idle+0xa/0x20\n"                      \
	" do_idle+0x20c/0x2b0\n"                        \
	" cpu_startup_entry+0x26/0x30\n"

/* The kernel could not read the code at NULL; what it prints next is the idle loop's. */
TEST(code_of_what_was_interrupted_is_not_the_faults)
{
	static const char lost[] =
		HEAD "RIP: 0010:0x0\n"
		     "Code: Unable to access opcode bytes at 0xffffffffffffffd6.\n" INTERRUPTED;
	static const char absent[] = HEAD "RIP: 0010:frob+0x12/0x40\n" INTERRUPTED;
	static const char there[] = HEAD "RIP: 0010:frob+0x12/0x40\n"
					 "Code: 48 8b <00> c3\n" INTERRUPTED;
	struct said s;

	s = said_in(lost, sizeof(lost) - 1);
	CHECK_STR(s.code, NULL);
	arena_release(&s.arena);
	s = said_in(absent, sizeof(absent) - 1);
	CHECK_STR(s.code, NULL);
	arena_release(&s.arena);
	s = said_in(there, sizeof(there) - 1);
	CHECK_STR(s.code, "48 8b <00> c3");
	CHECK_STR(s.version, "#1  Debian 6.1.192-2");
	arena_release(&s.arena);
}

TEST_MAIN
