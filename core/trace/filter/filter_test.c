/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filters: which events they name, what they let pass, and what they refuse. */
#include "core/trace/filter/filter_fake.h"

#include <string.h>

static const uint8_t record[24] = { 1,    0,    0,   0,  42, 0, 0, 0, /* pid = 42 */
				    0x00, 0x10, 0,   0,  0,  0, 0, 0, /* ip = 0x1000 */
				    20,   0,    4,   0,               /* comm: 4 bytes at 20 */
				    'i',  'n',  'i', 't' };

TEST(events_and_conditions)
{
	static const struct {
		const char *text;
		bool wake, entry;
	} cases[] = {
		{ "sched_wake", true, false },
		{ "sched", true, false },
		{ "sched/sched_wake: pid == 42", true, false },
		{ "sched/irq_entry, irq/irq_entry: pid == 42", false, true },
		{ "SCHED: pid == 42", true, false },
		{ "sched_.*: pid == 42", true, false },
		{ "sched_*: pid == 42", true, false },
		{ "*: pid == 42", true, true },
		{ "(irq|sched)/.*: pid == 42", true, true },
		{ " irq_entry , sched_wake : pid == 41", false, false },
		{ ".*: comm == \"init\"", true, true }, /* the second one's task */
		{ ".*: ip == \"do_it\" && pid != 1", true, true },
		{ "sched_wake: pid == 41; irq_entry", false, true },
		{ "sched_wake: comm == \"a;b\"; sched_wake: pid == 42;;", true, false },
		{ "sched_wake: pid == 41; sched: pid == 42", true, false },
		{ "pid == 42", true, true },
		{ "pid & 2", true, true },
		{ " COMM == \"init\" && !(comm == \"a:b\")", true, true },
		{ "comm ~ \"a;*\" || pid == 42", true, true },
		{ "comm ~ \"a;*\"", false, false },
		{ "pid == 41; irq_entry", false, true },
		{ "irq_entry; pid == 41", false, true },
	};
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct trace_filter *f;
		struct trace_event wake = filter_fake_event(0, record, sizeof(record));
		struct trace_event entry = filter_fake_event(1, record, sizeof(record));

		if (!CHECK_OK(trace_filter_new(&filter_fake_traces, cases[i].text, &f, &err),
			      err) ||
		    !CHECK(trace_filter_match(f, &wake) == cases[i].wake) ||
		    !CHECK(trace_filter_match(f, &entry) == cases[i].entry) ||
		    !CHECK(trace_filter_match(f, &wake) == cases[i].wake))
			printf("  %s\n", cases[i].text);
		else
			trace_filter_release(f);
	}
}

/* Of several an event must pass one. */
TEST(several_texts)
{
	const char *texts[] = { "sched_wake: pid == 41", "irq_entry", "comm == \"nobody\"" };
	struct trace_event wake = filter_fake_event(0, record, sizeof(record));
	struct trace_event entry = filter_fake_event(1, record, sizeof(record));
	struct trace_filter *f;
	struct err err;

	REQUIRE_OK(trace_filter_new(&filter_fake_traces, texts[0], &f, &err), err);
	REQUIRE_OK(trace_filter_add(f, &filter_fake_traces, texts[1], &err), err);
	REQUIRE_OK(trace_filter_add(f, &filter_fake_traces, texts[2], &err), err);
	CHECK(!trace_filter_match(f, &wake));
	CHECK(trace_filter_match(f, &entry));
	CHECK(!trace_filter_add(f, &filter_fake_traces, "irq_entry: pid", &err));
	CHECK_CONTAINS(err.msg, "filter 'irq_entry: pid': column 12: ");
	trace_filter_release(f);
}

/* What libtraceevent's parser of this language died of is among it. */
TEST(what_is_refused)
{
	static const char *const cases[] = {
		"",
		" ; ",
		": pid == 1",
		"sched_wake:",
		"sched_wake, : pid == 1",
		"sched/: pid == 1",
		"/sched_wake: pid == 1",
		"sched_wak: pid == 1",
		"irq/sched_wake: pid == 1",
		"sched_wake: pid ==",
		"sched_wake: 1 %",
		"sched_wake: (pid == 1) pid",
		"sched_wake: pidd == 1",
		"irq_entry: ipp == 1 || pid == 1",
		"sched_wake: pid == 1 && (nothing & 1)",
	};
	/* by counting on one's fingers */
	static const char *const columns[][2] = {
		{ "sched_wake: pidd == 1", "column 13: 'sched_wake' has no field 'pidd'" },
		{ "sched_wake;  irq_entry: pid ==", "column 31: 'pid ==' ends where" },
		{ "sched_wake; sched_wak: pid == 1", "column 13: no event 'sched_wak'" },
		{ "sched_wake,, irq_entry", "column 12: '' names no event" },
		{ "pid == 1 && nothing < 3", "column 13: no event has a field 'nothing'" },
		{ "pid <", "column 6: 'pid <' ends where" },
	};
	struct trace_filter *f;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (!CHECK(!trace_filter_new(&filter_fake_traces, cases[i], &f, &err)) ||
		    !CHECK_ERR(err, ERR_USAGE))
			printf("  %s\n", cases[i]);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		if (!CHECK(!trace_filter_new(&filter_fake_traces, columns[i][0], &f, &err)) ||
		    !CHECK(strstr(err.msg, columns[i][1])))
			printf("  %s: %s\n", columns[i][0], err.msg);
	}
}

/* A text's events have no formats: any name may be one of theirs. */
TEST(texts)
{
	static const struct recording_ops ops = { 0 };
	struct recording rec = { .word_size = 8, .ops = &ops };
	struct traces all = { .first = &rec, .n = 1 };
	struct trace_buffer buffer = { .recording = &rec };
	struct trace_event ev = { .buffer = &buffer, .name = "tick", .text = "a=-5 b=3" };
	const char *text = "tick: a < 0 && b == 3";
	struct trace_filter *f;
	struct err err;

	REQUIRE_OK(trace_filter_new(&all, text, &f, &err), err);
	CHECK(trace_filter_match(f, &ev));
	ev.name = "tock";
	CHECK(!trace_filter_match(f, &ev));
	trace_filter_release(f);
}

TEST_MAIN
