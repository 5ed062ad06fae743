/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what a tracing instance was told: events, filters, triggers, functions, pids. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/trace/trace_fake.h"

static struct trace_fake f;
static const struct trace_array top = { .addr = TRACE_TOP },
				named = { .addr = TRACE_TOP, .name = "night" };

enum {
	FILE_CALL = 16,
	FILE_FILTER = 24,
	FILE_TRIGGERS = 32,
	FILE_FLAGS = 48,
	TRIGGER_COUNT = 0,
	TRIGGER_OPS = 8,
	TRIGGER_LIST = 16,
	TRIGGER_FILTER = 32,
	TRIGGER_DATA = 40
};

static void start(void)
{
	struct fake_kernel *k = &f.k;
	struct type *s;

	trace_fake_init(&f);
	kernel_member(f.array, "ops", &k->ptr, TRACE_TR_OPS);
	kernel_member(f.array, "filtered_pids", &k->ptr, TRACE_TR_PIDS);
	s = kernel_struct(k, "trace_event_file", 56);
	kernel_member(s, "list", f.list, 0);
	kernel_member(s, "event_call", &k->ptr, FILE_CALL);
	kernel_member(s, "filter", &k->ptr, FILE_FILTER);
	kernel_member(s, "triggers", f.list, FILE_TRIGGERS);
	kernel_member(s, "flags", &k->u64, FILE_FLAGS);
	WORDS(k, "event_filter", "unused", "filter_string");
	s = kernel_struct(k, "event_trigger_data", 48);
	kernel_member(s, "count", &k->u64, TRIGGER_COUNT);
	kernel_member(s, "cmd_ops", &k->ptr, TRIGGER_OPS);
	kernel_member(s, "list", f.list, TRIGGER_LIST);
	kernel_member(s, "filter_str", &k->ptr, TRIGGER_FILTER);
	kernel_member(s, "private_data", &k->ptr, TRIGGER_DATA);
	WORDS(k, "event_command", "unused", "name");
	WORDS(k, "enable_trigger_data", "unused", "file");
	WORDS(k, "ftrace_ops", "unused", "func_hash");
	WORDS(k, "ftrace_ops_hash", "notrace_hash", "filter_hash");
	WORDS(k, "ftrace_hash", "size_bits", "buckets");
	s = WORDS(k, "ftrace_func_entry", "ip");
	kernel_member(s, "hlist", f.list, 8);
}

static uint64_t file_of(const char *name, uint64_t flags)
{
	uint64_t file = trace_fake_room(&f, 56);

	put64(&f.k, file + FILE_CALL, trace_fake_call(&f, "sched", name));
	put64(&f.k, file + FILE_FLAGS, flags);
	put_list(&f.k, file + FILE_TRIGGERS, NULL, 0);
	return file;
}

static void filter_of(uint64_t file, const char *text)
{
	uint64_t filter = trace_fake_room(&f, 16);

	put64(&f.k, filter + 8, trace_fake_text(&f, text));
	put64(&f.k, file + FILE_FILTER, filter);
}

static uint64_t trigger_of(const char *name, int64_t count, const char *filter)
{
	uint64_t data = trace_fake_room(&f, 48), ops = trace_fake_room(&f, 16);

	put64(&f.k, ops + 8, trace_fake_text(&f, name));
	put64(&f.k, data + TRIGGER_OPS, ops);
	put64(&f.k, data + TRIGGER_COUNT, (uint64_t)count);
	if (filter)
		put64(&f.k, data + TRIGGER_FILTER, trace_fake_text(&f, filter));
	return data;
}

/* The triggers' lists run through their links. */
static void triggers_put(uint64_t file, const uint64_t *all, size_t n)
{
	uint64_t links[8];

	for (size_t i = 0; i < n; i++)
		links[i] = all[i] + TRIGGER_LIST;
	put_list(&f.k, file + FILE_TRIGGERS, links, n);
}

static bool say(const struct trace_enabled *e, void *arg)
{
	struct buf *b = arg;

	buf_printf(b, "%s:%s%s%s", e->system, e->name, e->enabled ? " on" : "",
		   e->soft ? " soft" : "");
	if (e->filter)
		buf_printf(b, " filter=%s", e->filter);
	for (size_t i = 0; i < e->n_triggers; i++)
		buf_printf(b, " [%s]", e->triggers[i]);
	buf_char(b, '\n');
	return true;
}

/* whole: could all be read? */
static void check_events(bool whole, const char *want)
{
	struct buf b = { 0 };
	struct err err = { 0 };

	CHECK(trace_enabled_each(&f.k.t, &top, say, &b, &err) == whole);
	CHECK(whole == (err.code == ERR_OK));
	CHECK_STR(buf_text(&b), want);
	buf_release(&b);
}

/* The flags are enum's of include/linux/trace_events.h: enabled 1, soft mode 32, soft disabled 64.
 * The kernel puts a new file at the front of the list and shows the oldest first. */
TEST(events_that_are_enabled_or_have_a_filter_or_triggers)
{
	uint64_t files[6], trigger;

	start();
	files[5] = file_of("sched_switch", 1);
	files[4] = file_of("sched_waking", 1 | 32 | 64);
	files[3] = file_of("sched_wakeup", 32 | 64);
	files[2] = file_of("sched_stat", 0);
	filter_of(files[2], "pid > 4");
	files[1] = file_of("sched_exit", 32);
	trigger = trigger_of("stacktrace", -1, NULL);
	triggers_put(files[1], &trigger, 1);
	files[0] = file_of("sched_fork", 2 | 4 | 8);
	put_list(&f.k, TRACE_TOP + TRACE_TR_EVENTS, files, 6);
	check_events(true,
		     "sched:sched_switch on\nsched:sched_waking on soft\n"
		     "sched:sched_stat filter=pid > 4\nsched:sched_exit [stacktrace:unlimited]\n");
	/* an event without a name is shown all the same, and so is that there is a filter */
	put64(&f.k, files[5] + FILE_CALL, 0);
	put64(&f.k, files[2] + FILE_FILTER, KERNEL_BASE + KERNEL_SIZE);
	check_events(false, "?:? on\nsched:sched_waking on soft\n"
			    "sched:sched_stat filter=(cannot be read)\n"
			    "sched:sched_exit [stacktrace:unlimited]\n");
	kernel_release(&f.k);
}

/* As event_trigger_print() and event_enable_trigger_print() of trace_events_trigger.c have it:
 * "name[:system:event]:unlimited" or ":count=N", then " if FILTER". */
TEST(triggers_as_their_files_have_them)
{
	uint64_t file, other, data, all[7];

	start();
	file = file_of("sched_switch", 1);
	other = file_of("sched_wakeup", 0);
	data = trace_fake_room(&f, 16);
	put64(&f.k, data + 8, other);
	all[0] = trigger_of("stacktrace", 3, "pid > 4");
	all[1] = trigger_of("traceoff", 0, NULL);
	all[2] = trigger_of("enable_event", -1, NULL);
	put64(&f.k, all[2] + TRIGGER_DATA, data);
	all[3] = trigger_of("disable_hist", 1, "cpu == 0");
	put64(&f.k, all[3] + TRIGGER_DATA, data);
	all[4] = trigger_of("hist", -1, "prio < 9");
	all[5] = trigger_of("snapshot", 1, NULL);
	put64(&f.k, all[5] + TRIGGER_OPS, KERNEL_BASE + KERNEL_SIZE);
	all[6] = trigger_of("snapshot", -1, NULL);
	put64(&f.k, all[6] + TRIGGER_DATA, data); /* which is another thing to this one */
	triggers_put(file, all, 7);
	put_list(&f.k, TRACE_TOP + TRACE_TR_EVENTS, &file, 1);
	check_events(false,
		     "sched:sched_switch on [stacktrace:count=3 if pid > 4] [traceoff:count=0] "
		     "[enable_event:sched:sched_wakeup:unlimited] "
		     "[disable_hist:sched:sched_wakeup:count=1 if cpu == 0] "
		     "[hist (what it counts cannot be read: no type 'struct hist_trigger_data') "
		     "if prio < 9] [(cannot be read)] [snapshot:unlimited]\n");
	/* the list leads out of memory behind the first */
	put64(&f.k, all[0] + TRIGGER_LIST, KERNEL_BASE + KERNEL_SIZE);
	put64(&f.k, all[6] + TRIGGER_LIST, KERNEL_BASE + KERNEL_SIZE);
	{
		struct buf b = { 0 };
		struct err err;

		CHECK(!trace_enabled_each(&f.k.t, &top, say, &b, &err));
		CHECK_ERR(err, ERR_UNMAPPED);
		CHECK_CONTAINS(buf_text(&b),
			       "[stacktrace:count=3 if pid > 4] [(more cannot be read: ");
		buf_release(&b);
	}
	kernel_release(&f.k);
}

TEST(events_before_a_break_of_the_list)
{
	uint64_t files[2];
	struct buf b = { 0 };
	struct err err;

	start();
	files[0] = file_of("sched_switch", 1);
	files[1] = file_of("sched_waking", 1);
	put_list(&f.k, TRACE_TOP + TRACE_TR_EVENTS, files, 2);
	put64(&f.k, files[0] + 8, KERNEL_BASE + KERNEL_SIZE); /* its prev */
	CHECK(!trace_enabled_each(&f.k.t, &top, say, &b, &err));
	CHECK_CONTAINS(err.msg, "events of an instance");
	CHECK_STR(buf_text(&b), "sched:sched_waking on\nsched:sched_switch on\n");
	buf_release(&b);
	kernel_release(&f.k);
}

/* ---- functions */

static uint64_t entry_of(uint64_t ip)
{
	uint64_t entry = trace_fake_room(&f, 24);

	put64(&f.k, entry, ip);
	return entry;
}

/* A hash of four buckets: two functions in the first, one in the last. */
static uint64_t hash_of(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t hash = trace_fake_room(&f, 16), buckets = trace_fake_room(&f, 32);
	uint64_t first = entry_of(a), second = entry_of(b), last = entry_of(c);

	put64(&f.k, hash, 2);
	put64(&f.k, hash + 8, buckets);
	put64(&f.k, buckets, first + 8);
	put64(&f.k, first + 8, second + 8);
	put64(&f.k, first + 16, buckets);
	put64(&f.k, second + 16, first + 8);
	put64(&f.k, buckets + 24, last + 8);
	put64(&f.k, last + 16, buckets + 24);
	return hash;
}

static const char *functions(const struct trace_array *tr, const char *which)
{
	const char *const *names;
	struct buf b = { 0 };
	struct err err;
	const char *ret;
	size_t n = 99;

	if (!trace_functions(&f.k.t, tr, which, &names, &n, &err))
		buf_printf(&b, "%s", err.msg);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? " " : "", names[i]);
	ret = arena_strdup(&f.k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(functions_of_filters_by_address)
{
	uint64_t ops, hashes, filter, notrace;

	start();
	kernel_symbol(&f.k, "vfs_read", KERNEL_BASE + 0x30000);
	kernel_symbol(&f.k, "vfs_write", KERNEL_BASE + 0x30100);
	kernel_symbol(&f.k, "schedule", KERNEL_BASE + 0x30200);
	kernel_symbol(&f.k, "schedule_end", KERNEL_BASE + 0x30300);
	kernel_symbol(&f.k, "ftrace_graph_hash", TRACE_VAR(0));
	kernel_symbol(&f.k, "ftrace_graph_notrace_hash", TRACE_VAR(1));
	filter = hash_of(KERNEL_BASE + 0x30204, KERNEL_BASE + 0x30000, 0x1000);
	notrace = hash_of(KERNEL_BASE + 0x30100, 0x20, 0x10);
	CHECK_STR(functions(&top, "filter"), "");
	ops = trace_fake_room(&f, 16);
	hashes = trace_fake_room(&f, 16);
	put64(&f.k, TRACE_TOP + TRACE_TR_OPS, ops);
	/* an instance whose filters nobody looked at: the kernel sets func_hash when one does */
	CHECK_STR(functions(&named, "filter"), "");
	CHECK_STR(functions(&named, "notrace"), "");
	put64(&f.k, ops + 8, hashes);
	CHECK_STR(functions(&top, "filter"), "");
	put64(&f.k, hashes + 8, filter);
	CHECK_STR(functions(&top, "filter"), "0x1000 vfs_read schedule");
	CHECK_STR(functions(&top, "notrace"), "");
	put64(&f.k, hashes, notrace);
	CHECK_STR(functions(&top, "notrace"), "0x10 0x20 vfs_write");
	CHECK_STR(functions(&named, "notrace"), "0x10 0x20 vfs_write");
	/* only the top instance has a graph's */
	CHECK_STR(functions(&top, "graph"), "");
	put64(&f.k, TRACE_VAR(0), notrace);
	put64(&f.k, TRACE_VAR(1), filter);
	CHECK_STR(functions(&top, "graph"), "0x10 0x20 vfs_write");
	CHECK_STR(functions(&top, "graph_notrace"), "0x1000 vfs_read schedule");
	CHECK_STR(functions(&named, "graph"), "");
	/* 2^20 buckets are the most that is believed */
	put64(&f.k, notrace, 21);
	CHECK_STR(functions(&top, "notrace"), "a hash of 2^21 buckets");
	put64(&f.k, notrace, 20);
	CHECK_CONTAINS(functions(&top, "notrace"), "filtered functions");
	kernel_release(&f.k);
}

/* A kernel without function tracing has neither the member nor the graph's symbols. */
TEST(a_kernel_without_function_tracing)
{
	start();
	f.array->n_members -= 2;
	CHECK_STR(functions(&top, "filter"), "");
	CHECK_STR(functions(&top, "graph"), "");
	kernel_release(&f.k);
	start();
	put64(&f.k, TRACE_TOP + TRACE_TR_OPS, KERNEL_BASE + KERNEL_SIZE);
	CHECK_STR(functions(&top, "filter"), "not mapped");
	kernel_release(&f.k);
}

/* ---- pids */

static const char *pids(const char *member)
{
	const int32_t *all;
	struct buf b = { 0 };
	struct err err;
	const char *ret;
	size_t n = 99;

	if (!trace_pids(&f.k.t, &top, member, &all, &n, &err))
		buf_printf(&b, "(%s)", err.msg);
	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%d", i ? " " : "", (int)all[i]);
	ret = arena_strdup(&f.k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

static void chunk_type(const char *name, const struct type *of, uint64_t count)
{
	struct type *s = kernel_struct(&f.k, name, 8 * count + 8);

	s->kind = TYPE_UNION;
	kernel_member(s, "data", kernel_array(&f.k, of, count), 8);
}

/* 6954e415264e (v5.16): upper chunks of 3 lower ones here, of two words of bits each: a lower chunk
 * has 128 pids, an upper one 384. */
TEST(pids_of_three_levels)
{
	struct type *s;
	uint64_t list, upper, lower[3];

	start();
	s = kernel_struct(&f.k, "trace_pid_list", 64);
	kernel_member(s, "upper", kernel_array(&f.k, &f.k.ptr, 4), 16);
	chunk_type("upper_chunk", &f.k.ptr, 3);
	chunk_type("lower_chunk", &f.k.u64, 2);
	CHECK_STR(pids("filtered_pids"), "");
	CHECK_STR(pids("filtered_no_pids"), ""); /* older kernels lack the member */
	list = trace_fake_room(&f, 64);
	put64(&f.k, TRACE_TOP + TRACE_TR_PIDS, list);
	CHECK_STR(pids("filtered_pids"), "");
	for (size_t i = 0; i < 3; i++)
		lower[i] = trace_fake_room(&f, 24);
	upper = trace_fake_room(&f, 32);
	put64(&f.k, list + 16, upper);
	put64(&f.k, upper + 8, lower[0]);
	put64(&f.k, upper + 24, lower[1]);
	put64(&f.k, lower[0] + 8, 2 | 1ull << 63);
	put64(&f.k, lower[0] + 16, 1);
	put64(&f.k, lower[1] + 16, 4);
	CHECK_STR(pids("filtered_pids"), "1 63 64 322"); /* 2 * 128 + 64 + 2 */
	upper = trace_fake_room(&f, 32);
	put64(&f.k, list + 16 + 3 * 8, upper);
	put64(&f.k, upper + 16, lower[2]);
	put64(&f.k, lower[2] + 8, 1);
	CHECK_STR(pids("filtered_pids"), "1 63 64 322 1280"); /* 3 * 384 + 128 */
	/* what the dump lacks costs itself alone, and is told */
	put64(&f.k, list + 16 + 8, KERNEL_BASE + KERNEL_SIZE);
	CHECK_CONTAINS(pids("filtered_pids"), "not mapped)1 63 64 322");
	put64(&f.k, list + 16 + 8, 0);
	put64(&f.k, upper + 16, KERNEL_BASE + KERNEL_SIZE);
	CHECK_STR(pids("filtered_pids"), "(not mapped)1 63 64 322");
	kernel_release(&f.k);
}

TEST(pids_of_a_bitmap)
{
	uint64_t list, bits;

	start();
	WORDS(&f.k, "trace_pid_list", "pid_max", "pids");
	list = trace_fake_room(&f, 16);
	bits = trace_fake_room(&f, 64);
	put64(&f.k, TRACE_TOP + TRACE_TR_PIDS, list);
	put64(&f.k, list, 129);
	put64(&f.k, list + 8, bits);
	put64(&f.k, bits, 2);
	put64(&f.k, bits + 8, 1ull << 63);
	put64(&f.k, bits + 16, 1);
	put64(&f.k, bits + 24, 1); /* 192: beyond pid_max */
	CHECK_STR(pids("filtered_pids"), "1 127 128");
	put64(&f.k, list, 128);
	CHECK_STR(pids("filtered_pids"), "1 127");
	put64(&f.k, list + 8, KERNEL_BASE + KERNEL_SIZE - 8);
	CHECK_CONTAINS(pids("filtered_pids"), "not mapped)");
	kernel_release(&f.k);
}
TEST_MAIN
