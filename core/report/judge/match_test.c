/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whose kernel a vmlinux is thought to be, and how addresses without names are given some.
 * The kernel is made up: functions of 1 KiB, of which each calls the one before it. */
#include <stdio.h>

#include "core/base/test.h"
#include "core/image/target.h"
#include "core/report/report.h"

#define BASE UINT64_C(0xffffffff81000000)
#define FUNCTIONS 0x2000u
#define SIZE 0x400u /* so that KASLR's step is less than all of them */
#define CALL 0x20u  /* where in each function its call ends */
#define MOVED UINT64_C(0x1e400000)
#define BANNER \
	"Linux version 6.1.0-7-made (who@where) (gcc 12) #1 SMP Debian 6.1.20-1 (2023-03-19)\n"

static uint8_t text[FUNCTIONS * SIZE];
static struct arena scratch;
static struct file file = { .path = "made/vmlinux" };

static bool section(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	(void)self;
	if (strcmp(name, ".text") != 0)
		return false;
	*ret = SPAN(text, sizeof(text));
	*addr = BASE;
	return true;
}

/* Sizes differ: so do kernels. */
static bool load(struct target *t, struct symtab *tab, struct err *err)
{
	(void)err;
	for (unsigned i = 0; i < FUNCTIONS; i++)
		*vec_push(&tab->syms) = (struct symbol){
			.name = arena_printf(&t->arena, "made_%u", i),
			.addr = BASE + t->kaslr + (uint64_t)i * SIZE,
			/* the kernel counts the padding behind a function, the compiler does not */
			.size = SIZE - i % 2 * 16,
			.type = 't',
		};
	return true;
}

static void start(struct target *t)
{
	memset(t, 0, sizeof(*t));
	target_init(t, &scratch);
	t->arch = &arch_x86_64;
	t->vmlinux.file = &file;
	t->vmlinux.section = section;
	t->vmlinux.banner = BANNER;
	symbols_add(t, "vmlinux")->load = load;
	memset(text, 0x90, sizeof(text));
	for (unsigned i = 1; i < FUNCTIONS; i++) {
		int32_t to = -(int32_t)(SIZE + CALL); /* to the function before */
		uint8_t *call = text + i * SIZE + CALL - 5;

		call[0] = 0xe8;
		memcpy(call + 1, &to, 4);
	}
}

struct asked {
	struct target *t;
	bool force;
	const char *match, *why, *addresses, *function;
	char frames[512];
};

static bool on_report(struct report *r, void *arg)
{
	struct asked *a = arg;
	size_t n = 0;

	report_place(r, a->t, a->force);
	a->match = r->match ? arena_strdup(&scratch, r->match) : NULL;
	a->why = r->match_why ? arena_strdup(&scratch, r->match_why) : NULL;
	a->addresses = r->addresses_why ? arena_strdup(&scratch, r->addresses_why) : NULL;
	a->function = r->function ? arena_strdup(&scratch, r->function) : NULL;
	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].resolved)
			n += (size_t)snprintf(a->frames + n, sizeof(a->frames) - n, "%s+%x ",
					      r->frames.p[i].func, (unsigned)r->frames.p[i].off);
	return false;
}

static struct asked ask_with(struct target *t, const char *report, bool force)
{
	struct asked a = { .t = t, .force = force };
	struct report_stream *s = report_stream_open("test", on_report, &a);

	report_stream_feed(s, report, strlen(report));
	report_stream_close(s);
	return a;
}

static struct asked ask(struct target *t, const char *report)
{
	return ask_with(t, report, false);
}

#define HEAD                                                                \
	"BUG: kernel NULL pointer dereference, address: 0000000000000000\n" \
	"#PF: supervisor write access in kernel mode\n"                     \
	"Oops: 0002 [#1] SMP\n"
#define CPU(version) "CPU: 0 PID: 1 Comm: a Not tainted " version "\n"
#define TRACE(size) "RIP: 0010:made_1+0x4/0x" size "\nCall Trace:\n made_2+0x20/0x" size "\n"

TEST(a_kernel_is_known_by_more_than_one_size)
{
	static const struct {
		const char *report, *match, *why;
	} v[] = {
		{ HEAD CPU("6.1.0-7-made #1") TRACE("400"), "likely (2 of 2 sizes)",
		  "same release" },
		{ HEAD CPU("6.1.0-7-made #1  Debian 6.1.20-1") TRACE("400"), "exact",
		  "same release and build, 2 of 2 sizes" },
		{ HEAD CPU("6.1.0-7-made #1  Debian 6.1.20-2") TRACE("400"), "mismatch",
		  "another build of the release: #1 SMP Debian 6.1.20-1 (2023-03-19)" },
		{ HEAD CPU("6.1.0-7-made #2") TRACE("400"), "mismatch",
		  "another build of the release: #1 SMP Debian 6.1.20-1 (2023-03-19)" },
		{ HEAD CPU("6.1.0-8-made #1") TRACE("400"), "mismatch", "it is of 6.1.0-7-made" },
		{ HEAD CPU("6.1.0-7-made #1") TRACE("500"), "mismatch", "0 of 2 sizes" },
		/* seven of ten must fit */
		{ HEAD CPU("6.1.0-7-made #1") TRACE("400") " made_3+0x20/0x500\n", "mismatch",
		  "2 of 3 sizes" },
		{ HEAD CPU("6.1.0-7-made #1")
			  TRACE("400") " made_3+0x20/0x500\n made_4+0x20/0x400\n",
		  "likely (3 of 4 sizes)", "same release" },
		/* the program counter once more in the trace is no second witness, and no lost one
		 */
		{ HEAD CPU("6.1.0-7-made #1") "RIP: 0010:made_1+0x4/0x400\nCall Trace:\n"
					      " made_1+0x4/0x400\n made_2+0x20/0x400\n",
		  "likely (2 of 2 sizes)", "same release" },
		{ HEAD TRACE("400"), "unproven",
		  "the text names no release, and 2 of 2 sizes fit many" },
		{ HEAD TRACE("400") " made_3+0x20/0x400\n", "likely (3 of 3 sizes)",
		  "the text names no release" },
		{ HEAD TRACE("400") " made_2+0x20/0x400\n", "unproven",
		  "the text names no release, and 2 of 2 sizes fit many" },
	};
	struct target t;

	start(&t);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct asked a = ask(&t, v[i].report);

		CHECK_STR(a.match, v[i].match);
		CHECK_STR(a.why, v[i].why);
	}
	target_release(&t);
}

/* A trace of bare addresses, as a kernel without names prints it: function i at its call's end. */
static const char *bare(const char *head, uint64_t moved, unsigned from, unsigned n,
			const char *tail)
{
	const char *s = arena_printf(&scratch, "%sRIP: 0010:0x%llx\nCall Trace:\n", head,
				     (unsigned long long)(BASE + moved + from * SIZE + 4));

	for (unsigned i = 1; i <= n; i++)
		s = arena_printf(&scratch, "%s 0x%llx\n", s,
				 (unsigned long long)(BASE + moved + (from + i) * SIZE + CALL));
	return arena_printf(&scratch, "%s%s", s, tail);
}

TEST(addresses_get_names)
{
	static const char names[] = "made_5000+4 made_5001+20 made_5002+20 made_5003+20 ";
	struct target t;
	struct asked a;

	start(&t);
	/* the text says how far the kernel was moved */
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 3,
			 "Kernel Offset: 0x1e400000 from 0xffffffff81000000\n"));
	CHECK_STR(a.frames, names);
	CHECK_STR(a.function, "made_5000");
	CHECK_CONTAINS(a.addresses, "4 of 4 named, moved by 0x1e400000: as the line Kernel Offset");
	CHECK_STR(a.match, "likely (3 of 3 return addresses behind calls)");
	/* a frame of the text does */
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 3,
			 " [<ffffffff9f400420>] made_1+0x20/0x400\n"));
	CHECK_STR(a.frames, names);
	/* every place of the made kernel looks like every other one, for all steps are alike: so
	 * nothing is claimed */
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 3, ""));
	CHECK_STR(a.frames, "");
	CHECK_CONTAINS(a.addresses, "none of 4 named");
	target_release(&t);
}

/* Only a part of the kernel calls: of all places where it may have been one has calls there. */
TEST(the_place_is_found_by_calls)
{
	struct target t;
	struct asked a;

	start(&t);
	memset(text, 0x90, 4900 * SIZE);
	memset(text + 5100 * SIZE, 0x90, sizeof(text) - 5100 * SIZE);
	a = ask(&t, bare(HEAD, MOVED, 5000, 4, ""));
	CHECK_STR(a.frames, "made_5000+4 made_5001+20 made_5002+20 made_5003+20 made_5004+20 ");
	CHECK_CONTAINS(a.addresses, "moved by 0x1e400000: found by fit: of 4 return addresses 4");
	CHECK_CONTAINS(a.addresses, "the next best place has 0 of such signs");
	CHECK_STR(a.match, "likely (4 of 4 return addresses behind calls)");
	CHECK_STR(a.why, "the text names no release");
	/* eight of ten behind calls are enough, seven are not */
	text[5004 * SIZE + CALL - 5] = text[5007 * SIZE + CALL - 5] = 0x90;
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 10, ""));
	CHECK_CONTAINS(a.addresses, "11 of 11 named");
	text[5006 * SIZE + CALL - 5] = 0x90;
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 10, ""));
	CHECK_STR(a.frames, "");
	/* three frames of which one is behind no call */
	text[5002 * SIZE + CALL - 5] = 0x90;
	a = ask(&t, bare(HEAD, MOVED, 5000, 3, ""));
	CHECK_STR(a.frames, "");
	/* what the text says is believed, unless the code contradicts it */
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 6,
			 "Kernel Offset: 0x1e600000 from 0xffffffff81000000\n"));
	CHECK_STR(a.match, "mismatch");
	CHECK_STR(a.why, "0 of 6 return addresses lie behind calls");
	CHECK_STR(a.frames, "");
	target_release(&t);
}

/* The 64 bytes of code of made_1 that a report shows around its byte 0x40, of which only the first
 * are right. */
static const char *code_line(unsigned right)
{
	struct buf b = { 0 };
	const char *ret;

	buf_str(&b, "Code:");
	for (unsigned i = 0x40 - 42; i < 0x40 + 22; i++)
		buf_printf(&b, i == 0x40 ? " <%02x>" : " %02x",
			   text[SIZE + i] ^ (i < 0x40 - 42 + right ? 0 : 0x80));
	ret = arena_printf(&scratch, "%s\n", buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(code_tells_kernels_apart)
{
	static const char report[] =
		HEAD CPU("6.1.0-7-made #1  Debian 6.1.20-1") "RIP: 0010:made_1+0x40/0x400\n";
	struct target t;
	struct asked a;

	start(&t);
	for (unsigned i = 0; i < 0x100; i++)
		text[SIZE + i] = (uint8_t)i;
	a = ask(&t, arena_printf(&scratch, "%s%s", report, code_line(64)));
	CHECK_STR(a.match, "exact");
	a = ask(&t, arena_printf(&scratch, "%s%s", report, code_line(20)));
	CHECK_STR(a.match, "mismatch");
	CHECK_STR(a.why, "20 of 64 bytes of code");
	target_release(&t);
}

/* Of a kernel that was loaded at MOVED, as the text says: n return addresses, the last of which
 * `wrong` lie behind no calls. */
static struct asked returns(struct target *t, const char *head, unsigned n, unsigned wrong)
{
	for (unsigned i = 0; i < wrong; i++)
		text[(5000 + n - i) * SIZE + CALL - 5] = 0x90;
	return ask(t, bare(head, MOVED, 5000, n,
			   "Kernel Offset: 0x1e400000 from 0xffffffff81000000\n"));
}

TEST(return_addresses_prove_and_contradict)
{
	struct target t;
	struct asked a;

	start(&t);
	/* three may be chance where no release is known, four are not */
	a = returns(&t, HEAD, 3, 0);
	CHECK_STR(a.match, "unproven");
	a = returns(&t, HEAD, 4, 0);
	CHECK_STR(a.match, "likely (4 of 4 return addresses behind calls)");
	/* half of them contradict nothing, fewer do */
	a = returns(&t, HEAD CPU("6.1.0-7-made #1"), 4, 2);
	CHECK_STR(a.match, "likely (2 of 4 return addresses behind calls)");
	a = returns(&t, HEAD CPU("6.1.0-7-made #1"), 4, 3);
	CHECK_STR(a.match, "mismatch");
	target_release(&t);
}

/* A kernel that says its release, and not which build of it; a text that does so. */
TEST(a_build_that_one_side_does_not_name_is_no_contradiction)
{
	struct target t;
	struct asked a;

	start(&t);
	a = ask(&t, HEAD CPU("6.1.0-7-made") TRACE("400"));
	CHECK_STR(a.match, "likely (2 of 2 sizes)");
	t.vmlinux.banner = "Linux version 6.1.0-7-made";
	a = ask(&t, HEAD CPU("6.1.0-7-made #2") TRACE("400"));
	CHECK_STR(a.match, "likely (2 of 2 sizes)");
	target_release(&t);
}

/* A table of names is believed as long as nothing is against it. */
TEST(names_of_another_kernel_name_nothing)
{
	static const char address[] = " [<ffffffff81000820>]\n";
	struct target t;
	struct asked a;

	start(&t);
	t.vmlinux = (struct vmlinux){ 0 };
	a = ask(&t,
		arena_printf(&scratch, "%s%s", HEAD CPU("6.1.0-7-made #1") TRACE("400"), address));
	CHECK_STR(a.match, "unproven");
	CHECK_STR(a.frames, "made_2+20 ");
	a = ask(&t,
		arena_printf(&scratch, "%s%s", HEAD CPU("6.1.0-7-made #1") TRACE("500"), address));
	CHECK_STR(a.match, "mismatch");
	CHECK_STR(a.frames, "");
	/* unless a person says so */
	a = ask_with(
		&t,
		arena_printf(&scratch, "%s%s", HEAD CPU("6.1.0-7-made #1") TRACE("500"), address),
		true);
	CHECK_STR(a.match, "mismatch");
	CHECK_STR(a.frames, "made_2+20 ");
	target_release(&t);
}

/* Where calls are everywhere, the place is where they go to the frames before. Three tell it, for
 * each counts three times: as a call, and twice as one to there; elsewhere each counts once. */
TEST(the_place_is_found_by_whom_calls_go_to)
{
	struct target t;
	struct asked a;

	start(&t);
	for (unsigned i = 1; i < FUNCTIONS; i++)
		if (i < 4900 || i > 5100)
			memset(text + i * SIZE + CALL - 4, 0, 4); /* to what follows it */
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 3, ""));
	CHECK_STR(a.frames, "made_5000+4 made_5001+20 made_5002+20 made_5003+20 ");
	CHECK_CONTAINS(a.addresses, "of 3 return addresses 3 are behind calls, 3 of these to the "
				    "frame before; the next best place has 3 of such signs, this "
				    "one 9");
	a = ask(&t, bare(HEAD CPU("6.1.0-7-made #1"), MOVED, 5000, 2, ""));
	CHECK_STR(a.frames, "");
	target_release(&t);
}

/* A trace that begins with the program counter again, as MIPS has it: that is no return address,
 * and where a function begins it is not in the one before. */
TEST(the_program_counter_is_no_return_address_in_traces_either)
{
	struct target t;
	struct asked a;

	start(&t);
	a = ask(&t, HEAD CPU("6.1.0-7-made #1") "RIP: 0010:0xffffffff814e2000\nCall Trace:\n"
						" 0xffffffff814e2000\n 0xffffffff814e2420\n"
						"Kernel Offset: disabled\n");
	CHECK_STR(a.frames, "made_5000+0 made_5001+20 ");
	target_release(&t);
}

TEST_MAIN
