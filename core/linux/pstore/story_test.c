/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the calls that survived in pstore, as a recording: whose each is, and where each lies.
 */
#include <stdio.h>

#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/pstore/story.h"
#include "core/linux/trace/trace.h"

static struct fake_kernel k;
static struct err err;

/* Of CPU 3 and CPU 1, as two zones have them; every byte of an address differs from 0. */
static const struct survivor_call first_zone[] = {
	{ .ip = 0xffffffff81122334, .parent = 0xffffffff81abcdef, .stamp = 10, .cpu = 3 },
	{ .ip = 0xffffffff81555657, .parent = 0xffffffff81a1a2a3, .stamp = 40, .cpu = 3 },
};
static const struct survivor_call second_zone[] = {
	{ .ip = 0xffffffff81717273, .parent = 0xffffffff81c1c2c3, .stamp = 20, .cpu = 1 },
	{ .ip = 0xffffffff81818283, .parent = 0xffffffff81d1d2d3, .stamp = 30, .cpu = 1 },
	{ .ip = 0xffffffff81919293, .parent = 0xffffffff81e1e2e3, .stamp = 50, .cpu = 1 },
};
static const struct survivor_call narrow_zone[] = {
	{ .ip = 0xc0122334, .parent = 0xc0abcdef, .stamp = 7, .cpu = 0 },
};
/* The file says so; nothing has that many CPUs. */
static const struct survivor_call absurd_zone[] = {
	{ .ip = 0xffffffff81122334, .parent = 0xffffffff81abcdef, .stamp = 5, .cpu = 65536 },
	{ .ip = 0xffffffff81122335, .parent = 0xffffffff81abcdee, .stamp = 6, .cpu = 2 },
};

/* More than one page's worth of CPU 1's, in front of CPU 3's: where each CPU's begin matters. */
#define MANY 40u
static struct survivor_call many_zone[MANY];

static void survivor_add(const struct survivor_call *calls, size_t n)
{
	*vec_push(&k.t.survivors.v) = (struct survivor){
		.type = SURVIVOR_FTRACE, .backend = "ramoops", .calls = calls, .n_calls = n
	};
}

static void check_call(struct trace_reader *r, const struct survivor_call *want)
{
	unsigned word = r->buffer->recording->word_size;
	struct trace_event ev;
	uint64_t n = 0;

	REQUIRE(trace_next(r, &ev, &err));
	CHECK_U64(ev.ts, want->stamp);
	CHECK_U64((uint64_t)ev.cpu, want->cpu);
	CHECK_STR(ev.name, "function");
	CHECK_STR(ev.system, "ftrace");
	CHECK_U64(ev.data.n, 8 + 2 * word);
	CHECK(trace_field_u64(&ev, trace_field_find(ev.format, "ip"), &n));
	CHECK_U64(n, want->ip);
	CHECK(trace_field_u64(&ev, trace_field_find(ev.format, "parent_ip"), &n));
	CHECK_U64(n, want->parent);
	/* what is put in front of them: the type, and that nothing is known of flags and task */
	CHECK_MEM(ev.data.p, "\1\0\0\0\0\0\0\0", 8);
}

static void check_end(struct trace_reader *r)
{
	struct trace_event ev;

	CHECK(!trace_next(r, &ev, &err));
	CHECK_ERR(err, ERR_OK);
}

TEST(each_cpu_has_its_own_calls)
{
	const struct recording *rec;
	struct trace_reader one, three;
	const struct trace_buffer *b;

	kernel_init(&k);
	CHECK(!trace_of_survivors(&k.t));
	survivor_add(NULL, 0);
	CHECK(!trace_of_survivors(&k.t));
	survivor_add(first_zone, ARRAY_SIZE(first_zone));
	survivor_add(second_zone, ARRAY_SIZE(second_zone));
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec && rec->n_buffers == 1 && rec->buffers->n_lanes == 2);
	b = rec->buffers;
	CHECK_U64(rec->word_size, 8);
	CHECK_U64(b->online, 2);
	CHECK_U64(b->possible, 4);
	CHECK_U64((uint64_t)b->lanes[0].cpu, 1);
	CHECK_U64(b->lanes[0].first_ts, 20);
	CHECK_U64((uint64_t)b->lanes[1].cpu, 3);
	CHECK_U64(b->lanes[1].first_ts, 10);
	/* one beside the other in memory, and read in turns: none may write into the next one's */
	REQUIRE_OK(trace_open(&one, b, &b->lanes[0], NULL, &k.scratch, &err), err);
	REQUIRE_OK(trace_open(&three, b, &b->lanes[1], NULL, &k.scratch, &err), err);
	check_call(&one, &second_zone[0]);
	check_call(&three, &first_zone[0]);
	check_call(&one, &second_zone[1]);
	check_call(&three, &first_zone[1]);
	check_call(&one, &second_zone[2]);
	check_end(&one);
	check_end(&three);
	kernel_release(&k);
}

/* A recording of pstore is a ring of the function tracer; interrupts' state is not known. */
static void check_buffer(const struct trace_buffer *b)
{
	CHECK_STR(b->name, "pstore");
	CHECK_STR(b->tracer, "function");
	CHECK(b->overwrite && !b->ns && !b->tracing_on);
	CHECK(b->shows & TRACE_SHOW_PARENT && !(b->shows & TRACE_SHOW_IRQ_INFO) &&
	      !(b->shows & TRACE_SHOW_TGID));
}

TEST(many_calls_of_three_cpus)
{
	const struct recording *rec;
	struct trace_reader r;

	kernel_init(&k);
	for (unsigned i = 0; i < MANY; i++)
		many_zone[i] = (struct survivor_call){ .ip = 0xffffffff81000001 + 0x11 * i,
						       .parent = 0xffffffff82000002 + 0x23 * i,
						       .stamp = 10 + i,
						       .cpu = i % 4 == 3 ? 7 : i % 4 };
	survivor_add(many_zone, MANY);
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec && rec->buffers->n_lanes == 4);
	check_buffer(rec->buffers);
	CHECK_U64(rec->buffers->possible, 8);
	for (unsigned lane = 0; lane < 4; lane++) {
		REQUIRE_OK(trace_open(&r, rec->buffers, &rec->buffers->lanes[lane], NULL,
				      &k.scratch, &err),
			   err);
		for (unsigned i = lane; i < MANY; i += 4)
			check_call(&r, &many_zone[i]);
		check_end(&r);
	}
	kernel_release(&k);
}

/* The kernel was moved: where, is in the log of the same records, and symbols are of the vmlinux.
 */
TEST(names_by_the_offset_in_the_log)
{
	static const char text[] =
		"<4>[    1.0] Kernel Offset: 0x2000000 from 0xffffffff81000000\n";
	const struct recording *rec;
	struct trace_symbol sym;

	kernel_init(&k);
	kernel_symbol(&k, "do_thing", 0xffffffff7f122330);
	k.syms[0].type = 'T';
	k.syms[0].size = 0x40;
	kernel_symbol(&k, "_etext", 0xffffffff80000000);
	survivor_add(first_zone, ARRAY_SIZE(first_zone));
	*vec_push(&k.t.survivors.v) =
		(struct survivor){ .type = SURVIVOR_DMESG, .text = text, .n = sizeof(text) - 1 };
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec != NULL);
	REQUIRE(rec->ops->symbol(rec, first_zone[0].ip, &sym));
	CHECK_STR(sym.name, "do_thing");
	CHECK_U64(sym.offset, 4);
	CHECK_U64(sym.size, 0x40);
	CHECK(!sym.module);
	/* far from any: no name, rather than the nearest */
	CHECK(!rec->ops->symbol(rec, 0x1000, &sym));
	kernel_release(&k);
}

/* No record says where the kernel was moved to: it moves by 2 MiB (CONFIG_PHYSICAL_ALIGN), and
 * calls are told of from functions' begins. Four calls that fit, and more than half of them all,
 * prove it. */
TEST(names_by_the_slide_that_fits)
{
	static const struct {
		unsigned calls, fit;
		bool usable;
	} cases[] = {
		{ 4, 4, true }, { 3, 3, false }, { 7, 4, true }, { 8, 4, false }, { 8, 5, true }
	};
	static char names[8][8];
	const uint64_t moved = 5 * (UINT64_C(2) << 20), text = 0xffffffff81001230;

	for (size_t c = 0; c < ARRAY_SIZE(cases); c++) {
		struct survivor_call calls[8] = { 0 };
		struct story_names got;

		kernel_init(&k);
		kernel_symbol(&k, "_stext", text - 0x1230);
		for (unsigned i = 0; i < 8; i++) {
			snprintf(names[i], sizeof(names[i]), "f%u", i);
			kernel_symbol(&k, names[i], text + 0x3330 * i);
			k.syms[k.n_syms - 1].type = 'T';
			k.syms[k.n_syms - 1].size = 0x40;
			calls[i].ip = text + 0x3330 * i + moved + (i < cases[c].fit ? 4 : 0x20);
		}
		kernel_symbol(&k, "_etext", text + 0x100000);
		story_names(&k.t, calls, cases[c].calls, &got);
		CHECK(got.guessed);
		CHECK(got.usable == cases[c].usable);
		if (got.usable)
			CHECK_U64(got.add, 0 - moved);
		kernel_release(&k);
	}
}

TEST(no_symbols_no_names)
{
	const struct recording *rec;
	struct trace_symbol sym;

	kernel_init(&k);
	k.t.symbols.tabs.n = 0;
	survivor_add(first_zone, ARRAY_SIZE(first_zone));
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec != NULL);
	CHECK(!rec->ops->symbol(rec, first_zone[0].ip, &sym));
	/* said once, however often it is asked */
	CHECK(!rec->ops->symbol(rec, first_zone[1].ip, &sym));
	REQUIRE(k.t.warnings.n == 1);
	CHECK_CONTAINS(k.t.warnings.p[0].text, "addresses of calls have no names");
	kernel_release(&k);
}

TEST(calls_since_a_stamp)
{
	const struct trace_want since = { .since = 30 }, never = { .since = 51 };
	const struct recording *rec;
	const struct trace_buffer *b;
	struct trace_reader r;

	kernel_init(&k);
	survivor_add(second_zone, ARRAY_SIZE(second_zone));
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec != NULL);
	b = rec->buffers;
	REQUIRE_OK(trace_open(&r, b, b->lanes, &since, &k.scratch, &err), err);
	check_call(&r, &second_zone[1]);
	check_call(&r, &second_zone[2]);
	check_end(&r);
	/* later than all */
	REQUIRE_OK(trace_open(&r, b, b->lanes, &never, &k.scratch, &err), err);
	check_end(&r);
	kernel_release(&k);
}

TEST(addresses_of_32_bits)
{
	const struct recording *rec;
	struct trace_reader r;

	kernel_init(&k);
	survivor_add(narrow_zone, ARRAY_SIZE(narrow_zone));
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec != NULL);
	/* no bit of either is above the 32nd */
	CHECK_U64(rec->word_size, 4);
	CHECK_U64(rec->buffers->possible, 1);
	REQUIRE_OK(trace_open(&r, rec->buffers, rec->buffers->lanes, NULL, &k.scratch, &err), err);
	check_call(&r, narrow_zone);
	check_end(&r);
	kernel_release(&k);
}

TEST(a_cpu_that_cannot_be_has_no_calls)
{
	const struct recording *rec;

	kernel_init(&k);
	survivor_add(absurd_zone, ARRAY_SIZE(absurd_zone));
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec && rec->buffers->n_lanes == 1);
	CHECK_U64((uint64_t)rec->buffers->lanes->cpu, 2);
	CHECK_U64(rec->buffers->lanes->first_ts, 6);
	kernel_release(&k);
}

TEST(one_format_and_no_other)
{
	const struct trace_format *f;
	const struct recording *rec;

	kernel_init(&k);
	survivor_add(second_zone, ARRAY_SIZE(second_zone));
	rec = trace_of_survivors(&k.t);
	REQUIRE(rec != NULL);
	f = rec->ops->format(rec, 1); /* TRACE_FN of kernel/trace/trace.h */
	REQUIRE(f && f->n_fields == 2);
	CHECK_STR(f->fields[0].name, "ip");
	CHECK_U64(f->fields[0].offset, 8);
	CHECK_U64(f->fields[1].offset, 16);
	CHECK(!rec->ops->format(rec, 0));
	CHECK(!rec->ops->format(rec, 2));
	kernel_release(&k);
}

/* ---- the story of all messages */

/* Without a dump, whose log would be of the story. */
static void start_story(void)
{
	kernel_init(&k);
	k.t.memory.phys.read = NULL;
}

static struct survivor *record(enum survivor_type type, const char *text, unsigned count,
			       unsigned part, int64_t time_s)
{
	struct survivor *s = vec_push(&k.t.survivors.v);

	*s = (struct survivor){ .type = type,
				.backend = "ramoops",
				.text = text,
				.n = strlen(text),
				.count = count,
				.part = part,
				.has_time = time_s != 0,
				.time_s = time_s,
				.reason = type == SURVIVOR_DMESG ? "Panic" : NULL };
	return s;
}

static void no_note(const struct err *e, void *arg)
{
	(void)e;
	++*(unsigned *)arg;
}

/* The story as "crash sources level time text", a line each; times in milliseconds. */
static const char *story(void)
{
	const struct story_line *l;
	char *text = arena_strdup(&k.scratch, "");
	unsigned notes = 0;
	size_t n;

	if (!CHECK_OK(story_read(&k.t, &k.scratch, &l, &n, no_note, &notes, &err), err))
		return "";
	CHECK_U64(notes, 0);
	for (size_t i = 0; i < n; i++)
		text = arena_printf(&k.scratch, "%s%u %u %d %u %.*s\n", text, l[i].crash,
				    l[i].sources, l[i].level, (unsigned)(l[i].time_ns / 1000000),
				    (int)l[i].n, l[i].text);
	return text;
}

/* Two crashes, and a console that belongs to the first, for it shares two lines with that. Sources
 * are 1 dmesg, 2 console. A line of both is one; its level is that of who knows it. */
TEST(lines_of_two_crashes_and_a_console)
{
	start_story();
	record(SURVIVOR_DMESG, "<6>[    1.000000] of the second\n", 1, 1, 2000);
	record(SURVIVOR_DMESG, "<6>[    2.000000] two\n<4>[    2.500000] three\n", 1, 1, 1000);
	record(SURVIVOR_DMESG, "<5>[    1.000000] one\n", 1, 2, 1000);
	record(SURVIVOR_CONSOLE,
	       "[    2.000000] two\n[    2.500000] three\n\n[    3.000000] four\nof no time\n", 0,
	       0, 0);
	CHECK_STR(story(), "1 1 5 1000 one\n"
			   "1 3 6 2000 two\n"
			   "1 3 4 2500 three\n"
			   "1 2 -1 3000 four\n"
			   "1 2 -1 3000 of no time\n"
			   "2 1 6 1000 of the second\n");
	kernel_release(&k);
}

/* What shares no line with a crash is of none, and in front; a line without a time is no witness.
 */
TEST(a_console_of_no_known_boot)
{
	start_story();
	record(SURVIVOR_DMESG, "<6>[    2.000000] two\nplain\n", 1, 1, 1000);
	record(SURVIVOR_CONSOLE, "plain\n[    2.000000] other\n[    2.000001] two\n", 0, 0, 0);
	CHECK_STR(story(), "0 2 -1 0 plain\n"
			   "0 2 -1 2000 other\n"
			   "0 2 -1 2000 two\n"
			   "1 1 6 2000 two\n"
			   "1 1 -1 2000 plain\n");
	kernel_release(&k);
}

/* The same said twice at once in one source, and once in the other: twice in all. */
TEST(lines_said_twice)
{
	start_story();
	record(SURVIVOR_DMESG, "<6>[    1.000000] a\n<6>[    2.000000] b\n<6>[    2.000000] b\n", 1,
	       1, 1000);
	record(SURVIVOR_CONSOLE, "[    1.000000] a\n[    2.000000] b\n", 0, 0, 0);
	CHECK_STR(story(), "1 3 6 1000 a\n1 3 6 2000 b\n1 1 6 2000 b\n");
	kernel_release(&k);
	/* the console goes to the crash with which it shares more, not to the first */
	start_story();
	record(SURVIVOR_DMESG, "<6>[    1.000000] a\n<6>[    2.000000] x\n", 1, 1, 1000);
	record(SURVIVOR_DMESG, "<6>[    2.000000] b\n<6>[    3.000000] c\n", 1, 1, 2000);
	record(SURVIVOR_CONSOLE, "[    1.000000] a\n[    2.000000] b\n[    3.000000] c\n", 0, 0, 0);
	CHECK_STR(story(), "1 1 6 1000 a\n1 1 6 2000 x\n"
			   "2 2 -1 1000 a\n2 3 6 2000 b\n2 3 6 3000 c\n");
	kernel_release(&k);
}

/* Parts of one crash are written within ten seconds, with one count, by one backend, each once. */
TEST(which_parts_are_of_one_crash)
{
	static const struct {
		const char *backend;
		unsigned count, part;
		int64_t time_s;
		unsigned crash;
	} parts[] = {
		{ "ramoops", 1, 1, 1000, 1 },
		{ "ramoops", 1, 2, 1010, 1 },
		/* ten seconds after the part before, not after the first */
		{ "ramoops", 1, 3, 1020, 1 },
		{ "ramoops", 1, 4, 1031, 2 },
		{ "ramoops", 1, 4, 1032, 3 },
		{ "ramoops", 2, 5, 1033, 4 },
		{ "efi", 2, 6, 1034, 5 },
		{ "efi", 2, 7, 1035, 5 },
		/* only of the first 64 parts it is known whether they are there */
		{ "efi", 2, 64, 1036, 5 },
		{ "efi", 2, 64, 1037, 5 },
		{ "efi", 2, 63, 1038, 5 },
		{ "efi", 2, 63, 1039, 6 },
	};
	const struct story_line *l;
	unsigned notes = 0;
	size_t n;

	start_story();
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		record(SURVIVOR_DMESG, arena_printf(&k.scratch, "<6>[%5zu.000000] x\n", i),
		       parts[i].count, parts[i].part, parts[i].time_s)
			->backend = parts[i].backend;
	REQUIRE_OK(story_read(&k.t, &k.scratch, &l, &n, no_note, &notes, &err), err);
	REQUIRE(n == ARRAY_SIZE(parts));
	for (size_t i = 0; i < n; i++)
		CHECK_U64(l[i].crash, parts[l[i].time_ns / 1000000000].crash);
	kernel_release(&k);
}

/* By crash, of each the part with the log's begin (the highest number) first; then what is of none;
 * then places that hold nothing. */
TEST(order_of_records)
{
	static const size_t want[] = { 4, 1, 5, 2, 3, 0 };
	const struct survivor *const *v;
	size_t n;

	start_story();
	record(SURVIVOR_DMESG, "empty\n", 1, 9, 500)->empty = true;
	record(SURVIVOR_DMESG, "first, its end\n", 1, 1, 1000);
	record(SURVIVOR_DMESG, "without a reason\n", 1, 1, 3000)->reason = NULL;
	record(SURVIVOR_CONSOLE, "console\n", 0, 0, 4000);
	record(SURVIVOR_DMESG, "first, its begin\n", 1, 2, 1001);
	record(SURVIVOR_DMESG, "second\n", 1, 1, 2000);
	v = survivors_ordered(&k.t, &k.scratch, &n);
	REQUIRE(n == ARRAY_SIZE(want));
	for (size_t i = 0; i < n; i++)
		CHECK_STR(v[i]->text, k.t.survivors.v.p[want[i]].text);
	kernel_release(&k);
}

/* With the same crash, time and part: microseconds, then the count, the file, the place in it. */
TEST(order_of_records_of_one_time)
{
	const struct survivor *const *v;
	size_t n;

	start_story();
	for (unsigned i = 0; i < 6; i++) {
		struct survivor *s = record(SURVIVOR_CONSOLE, "x\n", i == 4 ? 3 : 2, 1, 1000);

		s->time_us = i == 5 ? 7 : 6;
		s->path = i == 3 ? "b" : "a";
		s->offset = 100 - i;
		s->id = i;
	}
	v = survivors_ordered(&k.t, &k.scratch, &n);
	REQUIRE(n == 6);
	/* "a" by offset: 2 at 98, 1 at 99, 0 at 100; then "b"; the greater count; the later time */
	CHECK(v[0]->id == 2 && v[1]->id == 1 && v[2]->id == 0 && v[3]->id == 3 && v[4]->id == 4 &&
	      v[5]->id == 5);
	kernel_release(&k);
}

/* Who has no time is behind all who have one, and places that hold nothing are behind these. */
TEST(order_of_records_without_a_time)
{
	const struct survivor *const *v;
	size_t n;

	start_story();
	for (unsigned i = 0; i < 4; i++) {
		struct survivor *s = record(SURVIVOR_CONSOLE, "x\n", 0, 0, i < 2 ? 0 : 1000);

		s->has_time = i >= 2;
		s->empty = i % 2 == 0;
		s->id = i;
	}
	v = survivors_ordered(&k.t, &k.scratch, &n);
	REQUIRE(n == 4);
	CHECK(v[0]->id == 3 && v[1]->id == 1 && v[2]->id == 2 && v[3]->id == 0);
	kernel_release(&k);
}

/* ---- messages of user space */

/* A frame of Android's: 'l', length, uid, pid, log, thread, seconds, nanoseconds; priority 4 is
 * info; tag, text. Returns how many bytes. */
static size_t frame(uint8_t *p, uint32_t seconds, uint32_t ns, const char *text)
{
	size_t n = 18 + 1 + 4 + strlen(text) + 1;

	memset(p, 0, n);
	p[0] = 'l';
	p[1] = (uint8_t)n;
	p[5] = 42;
	for (unsigned i = 0; i < 4; i++) {
		p[10 + i] = (uint8_t)(seconds >> 8 * i);
		p[14 + i] = (uint8_t)(ns >> 8 * i);
	}
	p[18] = 4;
	memcpy(p + 19, "tag", 4);
	memcpy(p + 23, text, strlen(text));
	return n;
}

/* A crash whose log ends at 100 s of uptime was written at 5000.5 s of the day: what was said then
 * is at as much before; up to the boot, 100 s earlier, and up to ten seconds after. */
TEST(messages_of_programs_have_the_time_of_day)
{
	static const struct {
		uint32_t seconds, ns;
		const char *text;
	} said[] = {
		{ 4990, 500000000, "ten before" }, { 5001, 0, "half after" },
		{ 4900, 500000000, "at boot" },    { 4900, 499999999, "before the boot" },
		{ 5010, 500000000, "ten after" },  { 5010, 500000001, "too late" },
		{ 2000, 0, "of the first" },
	};
	static uint8_t bytes[512];
	struct survivor *s;
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(said); i++)
		n += frame(bytes + n, said[i].seconds, said[i].ns, said[i].text);
	start_story();
	record(SURVIVOR_DMESG, "<6>[   50.000000] first\n", 1, 1, 2001);
	record(SURVIVOR_DMESG, "<6>[  100.000000] second\n", 1, 1, 5000)->time_us = 500000;
	record(SURVIVOR_DMESG, "<6>[   90.000000] its begin\n", 1, 2, 5001);
	s = record(SURVIVOR_PMSG, "", 0, 0, 0);
	s->pmsg = (struct span){ bytes, n };
	CHECK_STR(story(), "0 4 6 0 before the boot\n"
			   "0 4 6 0 too late\n"
			   "1 4 6 49000 of the first\n"
			   "1 1 6 50000 first\n"
			   "2 4 6 0 at boot\n"
			   "2 1 6 90000 its begin\n"
			   "2 4 6 90000 ten before\n"
			   "2 1 6 100000 second\n"
			   "2 4 6 100500 half after\n"
			   "2 4 6 110000 ten after\n");
	kernel_release(&k);
}

/* A file can say any time: what is no time of day places no message of user space. */
TEST(times_that_no_clock_has)
{
	static const int64_t times[] = { INT64_MIN, INT64_MIN + 5, -1, INT64_MAX - 5, INT64_MAX };
	const struct story_line *l;
	static uint8_t bytes[64];
	unsigned notes = 0;
	struct survivor *s;
	size_t n;

	start_story();
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		record(SURVIVOR_DMESG, "<6>[    1.000000] x\n", 1, 1 + (unsigned)i, times[i]);
	s = record(SURVIVOR_PMSG, "", 0, 0, 0);
	s->pmsg = (struct span){ bytes, frame(bytes, UINT32_MAX, 0, "what a program said") };
	REQUIRE_OK(story_read(&k.t, &k.scratch, &l, &n, no_note, &notes, &err), err);
	/* the first two are five seconds apart, and so are the last two */
	REQUIRE(n == 6);
	CHECK(!l[0].crash && l[1].crash == 1 && l[2].crash == 1 && l[3].crash == 2 &&
	      l[4].crash == 3 && l[5].crash == 3);
	kernel_release(&k);
}

TEST_MAIN
