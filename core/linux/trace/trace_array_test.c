/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of tracing's instances and of what their buffers are told to be. */
#include "core/base/buf.h"
#include "core/linux/linux.h"
#include "core/base/test.h"
#include "core/linux/trace/trace_fake.h"

static struct trace_fake f;

#define ARRAYS TRACE_VAR(0)
#define CPUS TRACE_VAR(1)
#define OFFSETS TRACE_VAR(2)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

enum {
	TR_FLAGS = 112, /* trace_flags */
	TR_CURRENT = 120,
	TR_CLOCK = 128,
	TR_LATENCY = 136,
	TR_ARRAY_FLAGS = 144,
	TR_SNAPSHOT = 160,
	TR_ALLOCATED = 168,
	TR_TEXT_DELTA = 176,
	TR_DATA_DELTA = 184,
	BUFFER_FLAGS = 0,
	BUFFER_OFF = 8,
	BUFFER_CLOCK = 16,
	BUFFER_LANES = 24
};

static void start(void)
{
	struct fake_kernel *k = &f.k;
	struct type *s, *local;

	trace_fake_init(&f);
	kernel_member(f.array, "trace_flags", &k->u64, TR_FLAGS);
	kernel_member(f.array, "current_trace", &k->ptr, TR_CURRENT);
	kernel_member(f.array, "clock_id", &k->u32, TR_CLOCK);
	kernel_member(f.array, "max_latency", &k->u64, TR_LATENCY);
	kernel_member(f.array, "flags", &k->u32, TR_ARRAY_FLAGS);
	kernel_member(f.array, "max_buffer", INNER(k, "unused", "buffer"), TR_SNAPSHOT - 8);
	kernel_member(f.array, "allocated_snapshot", &k->u8, TR_ALLOCATED);
	kernel_member(f.array, "text_delta", &k->s64, TR_TEXT_DELTA);
	kernel_member(f.array, "data_delta", &k->s64, TR_DATA_DELTA);
	WORDS(k, "tracer", "name", "flags");
	s = WORDS(k, "tracer_flags", "val", "opts");
	s->members[0].type = &k->u32;
	kernel_struct(k, "array_buffer", 32);
	s = kernel_struct(k, "trace_buffer", 64);
	kernel_member(s, "flags", &k->u32, BUFFER_FLAGS);
	kernel_member(s, "record_disabled", kernel_counter_type(k, "atomic_t", &k->s32),
		      BUFFER_OFF);
	kernel_member(s, "clock", &k->ptr, BUFFER_CLOCK);
	kernel_member(s, "buffers", &k->ptr, BUFFER_LANES);
	s = WORDS(k, "ring_buffer_per_cpu", "nr_pages", "pages", "head_page", "tail_page",
		  "commit_page", "reader_page");
	local = kernel_struct(k, "local_t", 8);
	kernel_member(local, "a", kernel_counter_type(k, "atomic64_t", &k->s64), 0);
	kernel_member(s, "entries", local, 48);
	kernel_member(s, "overrun", local, 56);
	kernel_member(s, "commit_overrun", local, 64);
	kernel_member(s, "dropped_events", local, 72);
	kernel_member(s, "entries_bytes", local, 80);
	kernel_member(s, "read", &k->u64, 88);
	s->size = 96;
	kernel_symbol(k, "ftrace_trace_arrays", ARRAYS);
	kernel_symbol(k, "nr_cpu_ids", CPUS);
	kernel_symbol(k, "__per_cpu_offset", OFFSETS);
	put32(k, CPUS, 2);
	put_list(k, ARRAYS, NULL, 0);
}

/* A buffer whose lanes are of both CPUs, or of the first. */
static uint64_t buffer_of(unsigned cpus)
{
	uint64_t at = trace_fake_room(&f, 64), lanes = trace_fake_room(&f, 16);

	put64(&f.k, at + BUFFER_LANES, lanes);
	for (unsigned i = 0; i < cpus; i++) {
		uint64_t lane = trace_fake_room(&f, 96);

		put64(&f.k, lanes + 8 * i, lane);
		put64(&f.k, lane + 48, 100 + i);
		for (uint64_t n = 0; n < 5; n++)
			put64(&f.k, lane + 56 + 8 * n, 7 + n);
	}
	return at;
}

static uint64_t array_of(const char *name)
{
	uint64_t at = name ? trace_fake_room(&f, 512) : TRACE_TOP;

	if (name)
		put64(&f.k, at + TRACE_TR_NAME, trace_fake_text(&f, name));
	put64(&f.k, at + TRACE_TR_BUFFER, buffer_of(2));
	return at;
}

static const char *instances(void)
{
	const struct trace_array *all;
	struct buf b = { 0 };
	struct err err;
	const char *ret;
	size_t n = 0;

	if (!trace_arrays(&f.k.t, &all, &n, &err))
		buf_printf(&b, "(%s)", err.msg);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s ", all[i].name ? all[i].name : "-");
	ret = arena_strdup(&f.k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

/* trace_array_create_dir() adds at the front, so the top one is last; it is shown first, the others
 * as they were made. */
TEST(instances_in_the_order_they_were_made)
{
	const struct trace_array *all;
	uint64_t list[3], tracer;
	struct err err;
	size_t n;

	start();
	list[0] = array_of("second");
	list[1] = array_of("first");
	list[2] = array_of(NULL);
	put_list(&f.k, ARRAYS, list, 3);
	tracer = trace_fake_room(&f, 16);
	put64(&f.k, tracer, trace_fake_text(&f, "function"));
	put64(&f.k, list[1] + TR_CURRENT, tracer);
	put64(&f.k, list[1] + TR_FLAGS, 0x1234);
	put64(&f.k, list[1] + TR_LATENCY, 98765);
	put64(&f.k, list[1] + TR_SNAPSHOT, 0x77);
	put64(&f.k, list[0] + TR_SNAPSHOT, 0x88);
	f.k.mem[list[0] + TR_ALLOCATED - KERNEL_BASE] = 1;
	put64(&f.k, list[0] + TR_TEXT_DELTA, (uint64_t)-4096);
	put64(&f.k, list[1] + TRACE_TR_NAME, NOWHERE);
	CHECK_STR(instances(), "- ? second ");
	REQUIRE_OK(trace_arrays(&f.k.t, &all, &n, &err), err);
	CHECK_U64(all[0].addr, TRACE_TOP);
	CHECK_STR(all[0].tracer, NULL);
	CHECK_STR(all[1].tracer, "function");
	CHECK_U64(all[1].flags, 0x1234);
	CHECK_U64(all[1].max_latency, 98765);
	/* a snapshot's buffer is there before it is of any size */
	CHECK(all[1].buffers[1] == 0 && all[2].buffers[1] == 0x88);
	CHECK(all[2].text_delta == -4096 && all[2].previous_boot && !all[1].previous_boot);
	kernel_release(&f.k);
}

/* 7a1d1e4b9639 (v6.12) and later: a delta of data alone, or a flag, says as much. */
TEST(a_buffer_of_the_boot_before)
{
	const struct trace_array *all;
	uint64_t list[3];
	struct err err;
	size_t n;

	start();
	list[0] = array_of("flag");
	list[1] = array_of("data");
	list[2] = array_of(NULL);
	put_list(&f.k, ARRAYS, list, 3);
	put32(&f.k, list[0] + TR_ARRAY_FLAGS, 4);
	put64(&f.k, list[1] + TR_DATA_DELTA, 64);
	put32(&f.k, list[2] + TR_ARRAY_FLAGS, 3);
	REQUIRE_OK(trace_arrays(&f.k.t, &all, &n, &err), err);
	REQUIRE(n == 3);
	CHECK(!all[0].previous_boot && all[1].previous_boot && all[2].previous_boot);
	kernel_release(&f.k);
}

TEST(instances_around_a_break)
{
	uint64_t list[3];
	const char *said;

	start();
	CHECK_STR(instances(), "(the kernel has no trace buffers)");
	CHECK_STR(instances(), "(the kernel has no trace buffers)");
	kernel_release(&f.k);
	start();
	list[0] = array_of("second");
	list[1] = array_of("first");
	list[2] = array_of(NULL);
	put_list(&f.k, ARRAYS, list, 3);
	put64(&f.k, list[0], NOWHERE);
	/* each once; where one was found from, the order is not promised */
	said = instances();
	CHECK_U64(strlen(said), strlen("- first second "));
	CHECK(!strncmp(said, "- ", 2) && strstr(said, " first ") && strstr(said, " second "));
	CHECK(f.k.t.warnings.n == 1 &&
	      strstr(f.k.t.warnings.p[0].text, "not all tracing instances"));
	kernel_release(&f.k);
	start();
	put64(&f.k, ARRAYS, NOWHERE);
	put64(&f.k, ARRAYS + 8, NOWHERE);
	CHECK_CONTAINS(instances(), "tracing instances");
	CHECK_U64(f.k.t.warnings.n, 0);
	kernel_release(&f.k);
}

/* ---- options */

static void options_put(const char *const *names, size_t n)
{
	uint64_t table = trace_fake_room(&f, 8 * n + 8);

	kernel_symbol(&f.k, "trace_options", table);
	for (size_t i = 0; i < n; i++)
		put64(&f.k, table + 8 * i, trace_fake_text(&f, names[i]));
}

/* As commands reach it. */
static bool trace_of_dump(struct target *t, struct recording **ret, struct err *err)
{
	linux_trace_init(t);
	return traces_of(t)->of_dump(t, ret, err);
}

static const struct trace_buffer *buffers(size_t n)
{
	static const struct trace_buffer none;
	struct recording *rec;
	struct err err;

	if (!CHECK_OK(trace_of_dump(&f.k.t, &rec, &err), err) || !CHECK_U64(rec->n_buffers, n))
		return &none;
	return rec->buffers;
}

static void graph_put(uint32_t val, const char *const *names, size_t n)
{
	uint64_t tracer = trace_fake_room(&f, 16), flags = trace_fake_room(&f, 16);
	uint64_t opts = trace_fake_room(&f, 16 * n + 16);

	kernel_symbol(&f.k, "graph_trace", tracer);
	put64(&f.k, tracer + 8, flags);
	put32(&f.k, flags, val);
	put64(&f.k, flags + 8, opts);
	for (size_t i = 0; i < n; i++) {
		put64(&f.k, opts + 16 * i, trace_fake_text(&f, names[i]));
		put32(&f.k, opts + 16 * i + 8, 1u << i);
	}
}

/* Names stand in the kernel's own order; a bit whose name means nothing to a printer is not shown,
 * and an option of function_graph that this kernel lacks is off. */
TEST(how_the_kernel_was_told_to_print)
{
	static const char *const names[] = { "print-parent", "sym-offset", "sym-addr",
					     "overwrite",    "verbose",    "latency-format",
					     "irq-info",     "annotate",   "record-tgid" };
	static const char *const graph[] = { "funcgraph-overrun", "funcgraph-cpu",
					     "funcgraph-retval",  "funcgraph-tail",
					     "funcgraph-irqs",    "sleep-time" };
	const uint64_t top = TRACE_TOP;
	unsigned shows;

	start();
	array_of(NULL);
	put_list(&f.k, ARRAYS, &top, 1);
	options_put(names, ARRAY_SIZE(names));
	graph_put(1 | 4 | 16, graph, ARRAY_SIZE(graph));
	put64(&f.k, TRACE_TOP + TR_FLAGS, 2 | 8 | 16 | 256 | 1 << 20);
	shows = buffers(1)->shows;
	CHECK_U64(shows, TRACE_SHOW_OFFSET | TRACE_SHOW_VERBOSE | TRACE_SHOW_TGID |
				 TRACE_SHOW_GRAPH_OVERRUN | TRACE_SHOW_GRAPH_RETVAL |
				 TRACE_SHOW_GRAPH_IRQS);
	CHECK_STR(trace_option_name(&f.k.t, 8), "record-tgid");
	CHECK_STR(trace_option_name(&f.k.t, 9), NULL);
	CHECK_STR(trace_option_name(&f.k.t, 64), NULL);
	kernel_release(&f.k);
	start();
	array_of(NULL);
	put_list(&f.k, ARRAYS, &top, 1);
	options_put(names, ARRAY_SIZE(names));
	put64(&f.k, TRACE_TOP + TR_FLAGS, 1 | 4 | 64 | 128);
	/* the tracer's own are not known: as the kernel has them when it starts */
	CHECK_U64(buffers(1)->shows, TRACE_SHOW_PARENT | TRACE_SHOW_ADDR | TRACE_SHOW_IRQ_INFO |
					     TRACE_SHOW_ANNOTATE | TRACE_SHOW_GRAPH_CPU |
					     TRACE_SHOW_GRAPH_OVERHEAD | TRACE_SHOW_GRAPH_DURATION |
					     TRACE_SHOW_GRAPH_IRQS);
	kernel_release(&f.k);
	start();
	array_of(NULL);
	put_list(&f.k, ARRAYS, &top, 1);
	CHECK_U64(buffers(1)->shows, TRACE_SHOW_DEFAULT);
	kernel_release(&f.k);
}

/* enum trace_flag_type of 5.10 and 7.2 (kernel/trace/trace.h, include/linux/trace_events.h); of the
 * migrate-disable depth's letter struct trace_func_repeats tells where the flags do not. */
static void flags_put(const char *const *names, size_t n)
{
	struct type *type = ARENA_NEW(&f.k.t.arena, struct type);

	*type = kernel_base_type(&f.k, TYPE_ENUM, 4, false);
	type->name = "trace_flag_type";
	type->enums = ARENA_ARRAY(&f.k.t.arena, struct enumerator, n);
	for (size_t i = 0; i < n; i++)
		type->enums[i] = (struct enumerator){ names[i], 1 << i };
	type->n_enums = n;
	f.k.types[f.k.n_types++] = type;
}

TEST(what_kernels_of_a_time_print)
{
	static const char *const old[] = { "TRACE_FLAG_IRQS_OFF", "TRACE_FLAG_IRQS_NOSUPPORT" };
	static const char *const middle[] = { "TRACE_FLAG_IRQS_NOSUPPORT", "TRACE_FLAG_BH_OFF" };
	static const char *const new[] = { "TRACE_FLAG_NEED_RESCHED_LAZY", "TRACE_FLAG_BH_OFF" };
	static const struct {
		const char *const *flags;
		bool repeats, user_mask;
		unsigned shows;
	} cases[] = {
		{ old, false, false,
		  TRACE_SHOW_NO_LAZY | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE },
		{ old, true, false, TRACE_SHOW_NO_LAZY | TRACE_SHOW_NO_BH },
		{ middle, true, false, TRACE_SHOW_NO_LAZY },
		{ new, true, true, TRACE_SHOW_SYSCALL_0X },
		{ NULL, false, false, 0 },
	};
	const uint64_t top = TRACE_TOP;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		start();
		array_of(NULL);
		put_list(&f.k, ARRAYS, &top, 1);
		if (cases[i].flags)
			flags_put(cases[i].flags, 2);
		if (cases[i].repeats)
			kernel_struct(&f.k, "trace_func_repeats", 32);
		kernel_member(kernel_struct(&f.k, "syscall_metadata", 64),
			      cases[i].user_mask ? "user_mask" : "nb_args", &f.k.u32, 12);
		CHECK_U64(buffers(1)->shows, TRACE_SHOW_DEFAULT | cases[i].shows);
		kernel_release(&f.k);
	}
}

/* Members of struct trace_entry that only the patches of PREEMPT_RT have: of 5.10 both, of 6.1 the
 * depth alone, and 6.12 has neither. The value of an enumerator is its place's bit. */
TEST(what_kernels_of_real_time_record)
{
	static const char *const names[] = { "TRACE_FLAG_IRQS_NOSUPPORT",
					     "TRACE_FLAG_NEED_RESCHED_LAZY" };
	static const struct {
		unsigned members;
		unsigned shows;
		struct trace_common common;
	} cases[] = {
		{ 2, TRACE_SHOW_LAZY_DEPTH | TRACE_SHOW_NO_BH, { 2, 9, 8 } },
		{ 1,
		  TRACE_SHOW_LAZY_DEPTH | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE,
		  { 2, 9, 0 } },
		{ 0, TRACE_SHOW_NO_LAZY | TRACE_SHOW_NO_BH | TRACE_SHOW_NO_MIGRATE, { 0, 0, 0 } },
	};
	const uint64_t top = TRACE_TOP;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct trace_common *common;
		struct type *entry;

		start();
		array_of(NULL);
		put_list(&f.k, ARRAYS, &top, 1);
		flags_put(names, 2);
		entry = kernel_struct(&f.k, "trace_entry", 12);
		if (cases[i].members > 0)
			kernel_member(entry, "preempt_lazy_count", &f.k.u8, 9);
		if (cases[i].members > 1)
			kernel_member(entry, "migrate_disable", &f.k.u8, 8);
		CHECK_U64(buffers(1)->shows, TRACE_SHOW_DEFAULT | cases[i].shows);
		common = &buffers(1)->recording->common;
		CHECK_U64(common->lazy_flag, cases[i].common.lazy_flag);
		CHECK_U64(common->lazy_at, cases[i].common.lazy_at);
		CHECK_U64(common->migrate_at, cases[i].common.migrate_at);
		kernel_release(&f.k);
	}
}

/* ---- buffers */

/* RB_FL_OVERWRITE is 1; tracing_on sets RB_BUFFER_OFF, 1 << 20, in a counter that others count in.
 */
TEST(what_a_buffer_is)
{
	static const char *const names[] = { "local", "global", "counter" };
	const uint64_t top = TRACE_TOP;
	const struct trace_buffer *b;
	uint64_t clocks, snapshot, main;

	start();
	array_of(NULL);
	put_list(&f.k, ARRAYS, &top, 1);
	clocks = trace_fake_room(&f, 24 * 4);
	kernel_symbol(&f.k, "trace_clocks", clocks);
	for (uint64_t i = 0; i < 3; i++) {
		put64(&f.k, clocks + 24 * i, 0x1000 * (i + 1));
		put64(&f.k, clocks + 24 * i + 8, trace_fake_text(&f, names[i]));
		put32(&f.k, clocks + 24 * i + 16, i < 2);
	}
	kernel_symbol(&f.k, "__irqentry_text_start", KERNEL_BASE + 0x30000);
	kernel_symbol(&f.k, "__irqentry_text_end", KERNEL_BASE + 0x30800);
	main = load_le64(&f.k.mem[TRACE_TOP + TRACE_TR_BUFFER - KERNEL_BASE]);
	put32(&f.k, main + BUFFER_FLAGS, 1);
	put32(&f.k, main + BUFFER_OFF, 3);
	put64(&f.k, main + BUFFER_CLOCK, 0x2000);
	snapshot = buffer_of(1);
	put32(&f.k, snapshot + BUFFER_FLAGS, 2);
	put32(&f.k, snapshot + BUFFER_OFF, 1 << 20 | 1);
	put64(&f.k, snapshot + BUFFER_CLOCK, 0x3000);
	put64(&f.k, TRACE_TOP + TR_SNAPSHOT, snapshot);
	f.k.mem[TRACE_TOP + TR_ALLOCATED - KERNEL_BASE] = 1;
	b = buffers(2);
	CHECK(!b[0].snapshot && b[0].overwrite && b[0].tracing_on && b[0].ns);
	CHECK_STR(b[0].clock, "global");
	CHECK_U64(b[0].irq_text_lo, KERNEL_BASE + 0x30000);
	CHECK_U64(b[0].irq_text_hi, KERNEL_BASE + 0x30800);
	CHECK_U64(b[0].page_size, 4096);
	CHECK_U64(b[0].possible, 2);
	REQUIRE(b[0].n_lanes == 2);
	CHECK(b[0].lanes[0].cpu == 0 && b[0].lanes[1].cpu == 1);
	CHECK_U64(b[0].lanes[1].entries, 101);
	CHECK_U64(b[0].lanes[1].overrun, 7);
	CHECK_U64(b[0].lanes[1].commit_overrun, 8);
	CHECK_U64(b[0].lanes[1].dropped, 9);
	CHECK_U64(b[0].lanes[1].bytes, 10);
	CHECK_U64(b[0].lanes[1].read, 11);
	CHECK(b[1].snapshot && !b[1].overwrite && !b[1].tracing_on && !b[1].ns);
	CHECK_STR(b[1].clock, "counter");
	CHECK_U64(b[1].n_lanes, 1); /* the other CPU was never up */
	CHECK_U64(f.k.t.warnings.n, 0);
	kernel_release(&f.k);
}

/* Only tracers with print_max keep the longest latency's events in the snapshot; kernels without
 * such tracers have no such member. */
TEST(a_tracer_that_shows_the_longest)
{
	const uint64_t top = TRACE_TOP;
	const struct trace_array *all;
	struct type *tracer;
	uint64_t at;
	struct err err;
	size_t n = 0;

	for (unsigned i = 0; i < 4; i++) {
		start();
		array_of(NULL);
		put_list(&f.k, ARRAYS, &top, 1);
		at = trace_fake_room(&f, 64);
		put64(&f.k, at, trace_fake_text(&f, "irqsoff"));
		f.k.mem[at + 40 - KERNEL_BASE] = i & 1;
		put64(&f.k, TRACE_TOP + TR_CURRENT, i < 3 ? at : 0);
		tracer = NULL;
		for (size_t j = 0; j < f.k.n_types; j++)
			if (!strcmp(f.k.types[j]->name, "tracer"))
				tracer = f.k.types[j];
		REQUIRE(tracer != NULL);
		if (i < 2)
			kernel_member(tracer, "print_max", &f.k.u8, 40);
		CHECK(trace_arrays(&f.k.t, &all, &n, &err) && n == 1 && all->shows_max == (i == 1));
		kernel_release(&f.k);
	}
}

TEST(what_is_not_known_of_a_buffer)
{
	const uint64_t top = TRACE_TOP;
	const struct trace_buffer *b;
	uint64_t clocks;

	start();
	array_of(NULL);
	put_list(&f.k, ARRAYS, &top, 1);
	clocks = trace_fake_room(&f, 48);
	kernel_symbol(&f.k, "trace_clocks", clocks);
	kernel_symbol(&f.k, "__irqentry_text_start", KERNEL_BASE + 0x30000);
	put64(&f.k, clocks, 0x1000);
	put64(&f.k, clocks + 8, trace_fake_text(&f, "local"));
	put64(&f.k, load_le64(&f.k.mem[TRACE_TOP + TRACE_TR_BUFFER - KERNEL_BASE]) + BUFFER_LANES,
	      NOWHERE);
	b = buffers(1);
	CHECK_STR(b[0].clock, NULL);
	CHECK(!b[0].irq_text_lo && !b[0].irq_text_hi && !b[0].n_lanes);
	CHECK_U64(f.k.t.warnings.n, 2);
	CHECK_STR(f.k.t.warnings.p[0].text, "trace buffer of CPU 0: not mapped");
	CHECK_STR(f.k.t.warnings.p[1].text, "trace buffer of CPU 1: not mapped");
	kernel_release(&f.k);
	start();
	array_of(NULL);
	put_list(&f.k, ARRAYS, &top, 1);
	put32(&f.k, CPUS, 1u << 20);
	CHECK(!buffers(1)->n_lanes);
	REQUIRE(f.k.t.warnings.n == 1);
	CHECK_CONTAINS(f.k.t.warnings.p[0].text, "trace buffers: ");
	kernel_release(&f.k);
}

TEST(buffers_of_two_boots)
{
	struct recording *rec;
	const struct traces *all;
	uint64_t list[2];
	struct err err;

	start();
	list[0] = array_of("boot_mapped");
	list[1] = array_of(NULL);
	put64(&f.k, list[0] + TR_TEXT_DELTA, 64);
	put_list(&f.k, ARRAYS, list, 2);
	REQUIRE_OK(trace_of_dump(&f.k.t, &rec, &err), err);
	CHECK_STR(rec->origin, "the dump's memory");
	CHECK(rec->n_buffers == 1 && !rec->buffers[0].name && !rec->buffers[0].previous_boot);
	all = traces_of(&f.k.t);
	REQUIRE(all->n == 1);
	CHECK_STR(all->first->origin, "the dump's memory, of the boot before");
	CHECK_STR(all->first->buffers[0].name, "boot_mapped");
	CHECK(all->first->buffers[0].previous_boot);
	kernel_release(&f.k);
	/* only that, and none at all */
	start();
	list[0] = array_of("boot_mapped");
	put64(&f.k, list[0] + TR_TEXT_DELTA, 64);
	put_list(&f.k, ARRAYS, list, 1);
	REQUIRE_OK(trace_of_dump(&f.k.t, &rec, &err), err);
	CHECK_STR(rec->origin, "the dump's memory, of the boot before");
	CHECK_U64(traces_of(&f.k.t)->n, 0);
	kernel_release(&f.k);
	start();
	list[0] = array_of("empty");
	put64(&f.k, list[0] + TRACE_TR_BUFFER, 0);
	put_list(&f.k, ARRAYS, list, 1);
	CHECK(!trace_of_dump(&f.k.t, &rec, &err));
	CHECK_STR(err.msg, "no instance has a buffer");
	kernel_release(&f.k);
}
TEST_MAIN
