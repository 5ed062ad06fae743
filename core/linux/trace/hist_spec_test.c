/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of triggers' text with variables, references, actions and clocks, as the examples of the
 * kernel's Documentation/trace/histogram.rst and its trace_events_hist.c have it. */
#include "core/base/test.h"
#include "core/linux/trace/hist_fake.h"

static struct fake_kernel k;
static uint64_t heap;

enum {
	F_FLAGS = 8,
	F_BUCKETS = 16,
	F_OPERANDS = 32,
	F_SIZE = 60,
	F_SIGNED = 68,
	F_VAR_NAME = 72,
	F_VAR_IDX = 88,
	F_SYSTEM = 104,
	F_EVENT = 112,
	F_NAME = 120,
	F_CONSTANT = 144,
	A_HANDLER = 0,
	A_ACTION = 4,
	A_NAME = 8,
	A_N_PARAMS = 24,
	A_PARAMS = 32,
	A_KEYWORD = 96,
	A_SYNTH = 104,
	A_EVENT = 112,
	A_EVENT_SYSTEM = 120,
	A_VAR_STR = 128,
	A_TRACK_VAR = 136,
	D_N_VALS = 176,
	D_ATTRS = 232,
	D_TIMESTAMPS = 248,
	D_ACTIONS = 392,
	D_N_ACTIONS = 456,
	D_SAVED = 1504,
	D_N_SAVED = 2016
};

static uint64_t text(const char *s)
{
	uint64_t at = heap;

	put_str(&k, at, s);
	heap += (strlen(s) + 16) / 16 * 16;
	return at;
}

static struct type *type_named(const char *name)
{
	for (size_t i = 0; i < k.n_types; i++)
		if (!strcmp(k.types[i]->name, name))
			return k.types[i];
	return NULL;
}

/* keys=pid:vals=hitcount,bytes, to which each test adds. */
static void start(void)
{
	struct type *s;

	hist_fake_types(&k);
	hist_fake_table(&k);
	heap = KERNEL_BASE + 0x9000;
	s = type_named("action_data");
	kernel_member(s, "use_trace_keyword", &k.u8, A_KEYWORD);
	kernel_member(s, "synth_event_name", &k.ptr, A_SYNTH);
	kernel_member(s, "match_data", INNER(&k, "event", "event_system"), A_EVENT);
	kernel_member(s, "track_data", INNER(&k, "var_str", "track_var"), A_VAR_STR);
	s = WORDS(&k, "hist_trigger_attrs", "clock");
	kernel_member(s, "no_hitcount", &k.u8, 8);
	s->size = 16;
}

static uint64_t room(void)
{
	uint64_t at = heap;

	heap += 160;
	return at;
}

/* A struct hist_field with a variable's name and index. */
static uint64_t variable_of(const char *name, uint32_t idx, uint64_t flags)
{
	uint64_t at = room();

	put64(&k, at + F_FLAGS, flags);
	put64(&k, at + F_VAR_NAME, text(name));
	put32(&k, at + F_VAR_IDX, idx);
	return at;
}

/* Puts a value behind those that are there, before the key. */
static void value_add(uint64_t field)
{
	uint32_t n = target_u32(&k.t, &k.mem[HIST_DATA + D_N_VALS - KERNEL_BASE]);

	put64(&k, HIST_DATA + 8 * (n + 1), HIST_FIELD(2));
	put64(&k, HIST_DATA + 8 * n, field);
	put32(&k, HIST_DATA + D_N_VALS, n + 1);
}

static const char *trigger(void)
{
	struct hist_spec spec;
	struct err err;

	return CHECK_OK(hist_spec_read(&k.t, HIST_DATA, &spec, &err), err)
		       ? hist_spec_text(&k.t, &spec, NULL)
		       : "";
}

#define HEAD "hist:keys=pid:vals=hitcount,bytes"
#define TAIL ":sort=bytes.descending,pid:size=8"

/* "ts0=common_timestamp.usecs", "lat=common_timestamp.usecs-$ts0", "$lat" of an alias: variables
 * stand behind the values, and sort keys do not count them. */
TEST(variables)
{
	uint64_t at, ref;

	start();
	at = variable_of("ts0", 0, HIST_FL_VAR | HIST_FL_TIMESTAMP | HIST_FL_USECS);
	value_add(at);
	CHECK_STR(trigger(), HEAD ":ts0=common_timestamp.usecs" TAIL);
	at = variable_of("lat", 1, HIST_FL_VAR | HIST_FL_EXPR | HIST_FL_USECS);
	put64(&k, at + F_NAME, text("common_timestamp.usecs-$ts0"));
	value_add(at);
	at = variable_of("n", 2, HIST_FL_VAR | HIST_FL_CONST);
	put64(&k, at + F_CONSTANT, 42);
	value_add(at);
	ref = room();
	put64(&k, ref + F_FLAGS, HIST_FL_VAR_REF);
	put64(&k, ref + F_NAME, text("ts0"));
	at = variable_of("again", 3, HIST_FL_VAR | HIST_FL_ALIAS);
	put64(&k, at + F_OPERANDS, ref);
	value_add(at);
	CHECK_STR(trigger(), HEAD ":ts0=common_timestamp.usecs,lat=common_timestamp.usecs-$ts0"
				  ",n=42,again=$ts0" TAIL);
	/* of another event: its whole name */
	put64(&k, ref + F_SYSTEM, text("sched"));
	put64(&k, ref + F_EVENT, text("sched_waking"));
	CHECK_CONTAINS(trigger(), ",again=sched.sched_waking.$ts0:");
	put64(&k, ref + F_FLAGS, HIST_FL_EXPR);
	CHECK_CONTAINS(trigger(), ",again=sched.sched_waking.ts0:");
	put64(&k, ref + F_EVENT, 0);
	put64(&k, ref + F_NAME, 0);
	CHECK_CONTAINS(trigger(), ",again=sched.?.?:");
	/* an alias of itself has no name */
	put64(&k, ref + F_FLAGS, HIST_FL_ALIAS);
	put64(&k, ref + F_OPERANDS, ref);
	CHECK_CONTAINS(trigger(), ",again=$:");
	kernel_release(&k);
}

TEST(values_with_modifiers)
{
	uint64_t at;

	start();
	put64(&k, HIST_FIELD(1) + F_FLAGS, HIST_FL_PERCENT);
	CHECK_CONTAINS(trigger(), ":vals=hitcount,bytes.percent:sort=bytes.percent.descending,");
	put64(&k, HIST_FIELD(1) + F_FLAGS, HIST_FL_GRAPH);
	CHECK_CONTAINS(trigger(), ":vals=hitcount,bytes.graph:");
	at = room();
	put64(&k, at + F_FLAGS, HIST_FL_CPU);
	put64(&k, HIST_DATA + 16, at);
	CHECK_CONTAINS(trigger(), "hist:keys=common_cpu:vals");
	/* "keys=log2 of a field" is a field around the field */
	put64(&k, at + F_FLAGS, HIST_FL_LOG2);
	put64(&k, at + F_OPERANDS, HIST_FIELD(2));
	CHECK_CONTAINS(trigger(), "hist:keys=pid.log2:vals");
	put64(&k, at + F_FLAGS, HIST_FL_BUCKET);
	put64(&k, at + F_BUCKETS, 16);
	CHECK_CONTAINS(trigger(), "hist:keys=pid.buckets=16:vals");
	put64(&k, at + F_BUCKETS, 0);
	put64(&k, at + F_OPERANDS, 0);
	put64(&k, at + F_FLAGS, HIST_FL_STACK);
	CHECK_CONTAINS(trigger(), "hist:keys=stacktrace:vals");
	put32(&k, HIST_DATA + 216, 1); /* n_sort_keys, and a sort by hits */
	put32(&k, HIST_DATA + 200, 0);
	put8(&k, HIST_DATA + 204, 0);
	CHECK_CONTAINS(trigger(), ":sort=hitcount:size=8");
	kernel_release(&k);
}

/* Where an event has a stack of its own (v6.3), tables call theirs by another name. */
TEST(the_name_of_a_stack)
{
	const uint64_t head = KERNEL_BASE + 0x800, field = KERNEL_BASE + 0x840;
	uint64_t at;

	start();
	kernel_member(type_named("ftrace_event_field"), "link", kernel_list_type(&k), 0);
	kernel_symbol(&k, "ftrace_generic_fields", head);
	put_list(&k, head, &field, 1);
	put64(&k, field + 16, text("COMM"));
	at = room();
	put64(&k, at + F_FLAGS, HIST_FL_STACK);
	put64(&k, HIST_DATA + 16, at);
	CHECK_CONTAINS(trigger(), "hist:keys=stacktrace:");
	put64(&k, field + 16, text("stacktrace"));
	CHECK_CONTAINS(trigger(), "hist:keys=common_stacktrace:");
	put64(&k, head, KERNEL_BASE + KERNEL_SIZE);
	CHECK_CONTAINS(trigger(), "hist:keys=stacktrace:");
	/* a field of the event that is a stack */
	put64(&k, at, HIST_FIELD(6));
	CHECK_CONTAINS(trigger(), "hist:keys=pid.stacktrace:");
	kernel_release(&k);
}

TEST(clocks_and_tables_without_hits)
{
	uint64_t attrs;

	start();
	k.mem[HIST_DATA + D_TIMESTAMPS - KERNEL_BASE] = 1;
	CHECK_STR(trigger(), HEAD TAIL ":clock=?");
	attrs = room();
	put64(&k, HIST_DATA + D_ATTRS, attrs);
	put64(&k, attrs, text("global"));
	CHECK_STR(trigger(), HEAD TAIL ":clock=global");
	k.mem[HIST_DATA + D_TIMESTAMPS - KERNEL_BASE] = 0;
	k.mem[attrs + 8 - KERNEL_BASE] = 1;
	CHECK_STR(trigger(), "hist:keys=pid:vals=bytes" TAIL ":nohitcount");
	put32(&k, HIST_MAP + 4, 31);
	CHECK_CONTAINS(trigger(), ":size=2147483648:");
	put32(&k, HIST_MAP + 4, 32);
	CHECK_CONTAINS(trigger(), ":size=0:");
	kernel_release(&k);
}

static uint64_t action_of(uint32_t handler, uint32_t does, const char *name)
{
	uint64_t at = heap;
	uint32_t n = target_u32(&k.t, &k.mem[HIST_DATA + D_N_ACTIONS - KERNEL_BASE]);

	heap += 256;
	put32(&k, at + A_HANDLER, handler);
	put32(&k, at + A_ACTION, does);
	put64(&k, at + A_NAME, name ? text(name) : 0);
	put64(&k, HIST_DATA + D_ACTIONS + 8 * n, at);
	put32(&k, HIST_DATA + D_N_ACTIONS, n + 1);
	return at;
}

static void save(unsigned i, uint64_t var, uint64_t val)
{
	uint64_t at = room();

	put64(&k, at, var);
	put64(&k, at + 8, val);
	put64(&k, HIST_DATA + D_SAVED + 8 * i, at);
	put32(&k, HIST_DATA + D_N_SAVED, i + 1);
}

#define ACTIONS HEAD TAIL

/* enum handler_id: onmatch 1, onmax 2, onchange 3; enum action_id: save 1, trace 2, snapshot 3. */
TEST(actions)
{
	uint64_t a;

	start();
	a = action_of(1, 2, "wakeup_latency");
	put64(&k, a + A_EVENT, text("sched_waking"));
	put64(&k, a + A_EVENT_SYSTEM, text("sched"));
	put32(&k, a + A_N_PARAMS, 2);
	put64(&k, a + A_PARAMS, text("$wakeup_lat"));
	put64(&k, a + A_PARAMS + 8, text("next_pid"));
	CHECK_STR(trigger(),
		  ACTIONS ":onmatch(sched.sched_waking).wakeup_latency($wakeup_lat,next_pid)");
	/* the same as "trace(wakeup_latency,...)" */
	k.mem[a + A_KEYWORD - KERNEL_BASE] = 1;
	put64(&k, a + A_SYNTH, text("wakeup_latency"));
	put64(&k, a + A_NAME, text("trace"));
	CHECK_STR(trigger(), ACTIONS ":onmatch(sched.sched_waking).trace(wakeup_latency,"
				     "$wakeup_lat,next_pid)");
	put32(&k, HIST_DATA + D_N_ACTIONS, 0);
	a = action_of(2, 1, "save");
	put64(&k, a + A_VAR_STR, text("$wakeup_lat"));
	save(0, variable_of("next_comm", 1, 0), 0);
	save(1, variable_of("prev_pid", 2, 0), 0);
	a = action_of(3, 3, "snapshot");
	put64(&k, a + A_VAR_STR, text("$cwnd"));
	action_of(4, 2, "nobody");
	CHECK_STR(trigger(), ACTIONS ":onmax($wakeup_lat).save(next_comm,prev_pid)"
				     ":onchange($cwnd).snapshot()");
	/* what cannot be read of them is a question mark */
	put32(&k, HIST_DATA + D_N_ACTIONS, 0);
	put32(&k, HIST_DATA + D_N_SAVED, 1);
	put64(&k, HIST_DATA + D_SAVED, 0);
	action_of(1, 2, NULL);
	action_of(2, 1, NULL);
	CHECK_STR(trigger(), ACTIONS ":onmatch(?.?).?():onmax(?).?(?)");
	kernel_release(&k);
}

static const char *saved(uint64_t vars)
{
	struct hist_spec spec;
	struct err err;

	return CHECK_OK(hist_spec_read(&k.t, HIST_DATA, &spec, &err), err)
		       ? hist_saved_text(&k.t, &spec, vars)
		       : "";
}

/* track_data_print(): "max:" or "changed:" on a line of its own, then what was saved with it. */
TEST(what_an_action_kept)
{
	const uint64_t vars = KERNEL_BASE + 0xc000;
	uint64_t a;

	start();
	CHECK_STR(saved(vars), "");
	a = action_of(1, 2, "wakeup_latency");
	CHECK_STR(saved(vars), "");
	a = action_of(2, 1, "save");
	put64(&k, a + A_TRACK_VAR, variable_of("max", 3, 0));
	save(0, variable_of("next_comm", 1, 0), variable_of("", 0, HIST_FL_STRING));
	save(1, variable_of("prev_pid", 2, 0), variable_of("", 0, 0));
	put64(&k, vars + 8, text("cyclic\ntest"));
	put64(&k, vars + 16, 17);
	put64(&k, vars + 24, 6822);
	CHECK_STR(saved(vars), "\n\tmax:       6822  next_comm: cyclic\\ntest                     "
			       "  prev_pid:         17");
	put32(&k, a + A_HANDLER, 3);
	put32(&k, a + A_ACTION, 2);
	CHECK(!strncmp(saved(vars), "\n\tchanged:       6822  next_comm: ", 34));
	put32(&k, a + A_ACTION, 3); /* a snapshot keeps nothing beside */
	CHECK_STR(saved(vars), "");
	kernel_release(&k);
}

TEST(a_table_that_cannot_be)
{
	struct hist_spec spec;
	struct err err;

	start();
	put32(&k, HIST_DATA + 200, 3);
	CHECK(!hist_spec_read(&k.t, HIST_DATA, &spec, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_STR(err.msg, "a table sorted by field 3");
	put32(&k, HIST_DATA + 200, 2);
	CHECK_OK(hist_spec_read(&k.t, HIST_DATA, &spec, &err), err);
	put64(&k, HIST_DATA + 8, KERNEL_BASE + KERNEL_SIZE);
	CHECK(!hist_spec_read(&k.t, HIST_DATA, &spec, &err));
	CHECK_STR(err.msg, "field 1 of a table: not mapped");
	kernel_release(&k);
}
TEST_MAIN
