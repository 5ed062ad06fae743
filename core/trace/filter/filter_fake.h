/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a recording that has two events, and a record that is one of both. */
#ifndef OBIT_TRACE_FILTER_FAKE_H
#define OBIT_TRACE_FILTER_FAKE_H

#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/trace/filter/filter.h"

static const struct trace_field filter_fake_fields[] = {
	{ .name = "common_type", .type = "u16", .size = 2, .is_common = true },
	{ .name = "pid", .type = "int", .offset = 4, .size = 4, .is_signed = true },
	{ .name = "ip", .type = "unsigned long", .offset = 8, .size = 8 },
	{ .name = "comm",
	  .type = "__data_loc char[]",
	  .offset = 16,
	  .size = 4,
	  .is_array = true,
	  .is_dynamic = true,
	  .is_string = true },
};
/* The second has no "comm". */
static const struct trace_format filter_fake_formats[] = {
	{ 1, "sched", "sched_wake", filter_fake_fields, 4, NULL, NULL },
	{ 2, "irq", "irq_entry", filter_fake_fields, 3, NULL, NULL },
};

static inline bool filter_fake_each(const struct recording *rec,
				    bool (*fn)(const struct trace_format *f, void *arg), void *arg,
				    struct err *err)
{
	(void)rec;
	(void)err;
	return fn(&filter_fake_formats[0], arg) && fn(&filter_fake_formats[1], arg);
}

static inline bool filter_fake_symbol(const struct recording *rec, uint64_t addr,
				      struct trace_symbol *ret)
{
	(void)rec;
	*ret = (struct trace_symbol){ .name = "do_it" };
	return addr == 0x1000;
}

static const struct recording_ops filter_fake_ops = { .each_format = filter_fake_each,
						      .symbol = filter_fake_symbol };
static const struct recording filter_fake_rec = { .word_size = 8, .ops = &filter_fake_ops };
static const struct traces filter_fake_traces = {
	.first = (struct recording *)(uintptr_t)&filter_fake_rec, .n = 1
};
static const struct trace_buffer filter_fake_buffer = { .recording = &filter_fake_rec };

static inline struct trace_event filter_fake_event(unsigned i, const void *data, size_t n)
{
	const struct trace_format *f = &filter_fake_formats[i];

	return (struct trace_event){ .buffer = &filter_fake_buffer,
				     .format = f,
				     .id = f->id,
				     .name = f->name,
				     .system = f->system,
				     .cpu = 1,
				     .pid = 42,
				     .comm = "init",
				     .data = SPAN(data, n) };
}

#endif
