/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the calls that survived in pstore, as a recording: whose each is, and where each lies.
 */
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/trace.h"

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

TEST_MAIN
