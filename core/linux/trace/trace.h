/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel's tracing as the dump has it: instances, events, names. */
#ifndef OBIT_LINUX_TRACE_H
#define OBIT_LINUX_TRACE_H

#include "core/linux/trace/ring_buffer.h"

#define INSTANCES_MAX 4096u
#define EVENTS_MAX 32768u /* common_type has 16 bits, and __TRACE_LAST_TYPE is below */
#define TRACE_NAME_MAX 256u
#define OPTIONS_MAX 64u

/* A struct trace_array: the top one, or an instance. */
struct trace_array {
	uint64_t addr;
	const char *name;     /* NULL: the top one */
	const char *tracer;   /* current_trace->name; NULL unknown */
	const char *clock;    /* of the main buffer; NULL unknown */
	uint64_t flags;       /* trace_flags: a bit for each of trace_options[] */
	uint64_t buffers[2];  /* struct trace_buffer, and that of the snapshot; 0: none */
	uint64_t max_latency; /* nanoseconds, of the latency tracers */
	bool previous_boot;
	/* of the boot before: what to add to its addresses for this one's; of modules none is told
	 */
	int64_t text_delta;
};

struct trace_known; /* trace_event.c's */
struct trace_names; /* trace_name.c's */
struct syscalls;    /* trace_syscall.c's */
struct trace_state {
	bool tried, ok;
	struct err err;
	struct trace_array *arrays; /* the top one first, then in the order they were made */
	size_t n_arrays;
	struct recording *recording;
	struct trace_known *known;
	struct trace_names *names;
	struct syscalls *syscalls;
};
struct trace_state *trace_state(struct target *t);

/* ---- trace_array.c */
/* Every instance, the top one first. What is wrong on the way becomes a warning of the target. */
bool trace_arrays(struct target *t, const struct trace_array **ret, size_t *n,
		  struct err *err) MUST_CHECK;
/* The name of option bit i ("print-parent"), from the dump's own trace_options[]; NULL: no more. */
const char *trace_option_name(struct target *t, unsigned bit);

/* ---- trace_latency.c */
/* In the target's arena; NULL: it cannot be told. */
const struct trace_latency *trace_latency_of(struct target *t, const struct trace_array *tr,
					     bool snapshot);

/* ---- story_trace.c */
/* Struct traces.of_survivors. */
struct recording *trace_of_survivors(struct target *t);

/* ---- trace_event.c */
/* recording_ops.format and .each_format of the dump. */
const struct trace_format *trace_event_format(const struct recording *rec, uint16_t id);
bool trace_event_each(const struct recording *rec,
		      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
		      struct err *err);

/* ---- trace_call.c */
/* Name and system of a struct trace_event_call, in the target's arena. */
bool trace_call_name(struct target *t, uint64_t call, const char **system, const char **name,
		     struct err *err) MUST_CHECK;

/* ---- trace_probe.c */
/* Each dynamic event, as a line of tracefs' dynamic_events defines it; in the target's arena. kind
 * is "kprobe", "uprobe", "eprobe", "fprobe", "synthetic", or the kernel's name of others'
 * operations. A probe that cannot be read is told through note (may be NULL). */
bool trace_probes_each(struct target *t,
		       bool (*fn)(const char *kind, const char *definition, void *arg),
		       void (*note)(const struct err *e, void *arg), void *arg,
		       struct err *err) MUST_CHECK;

/* ---- trace_status.c: what an instance was told to do */
struct trace_enabled {
	const char *system, *name;
	bool enabled; /* set_event lists it */
	bool soft;    /* it is enabled for a trigger's sake, and recorded only when one says so */
	const char *filter; /* NULL: none */
	const char *const
		*triggers; /* "stacktrace:count=3 if pid > 4" without what only the kernel prints */
	size_t n_triggers;
};
/* Events that are enabled, or have a filter or triggers, in the kernel's order. In the scratch
 * arena. False: not all could be read; what could was handed to fn. */
bool trace_enabled_each(struct target *t, const struct trace_array *tr,
			bool (*fn)(const struct trace_enabled *e, void *arg), void *arg,
			struct err *err) MUST_CHECK;
/* Functions of a filter, by address. which: "filter", "notrace", and of the top instance
 * "graph", "graph_notrace". *n 0: there is none. In the scratch arena. False: not all could be
 * read, and *ret has the others. */
bool trace_functions(struct target *t, const struct trace_array *tr, const char *which,
		     const char *const **ret, size_t *n, struct err *err) MUST_CHECK;
/* Pids of "filtered_pids" (set_event_pid), "filtered_no_pids", "function_pids" or
 * "function_no_pids"; *n 0: none. In the scratch arena. False: not all could be read, and *ret has
 * the others. */
bool trace_pids(struct target *t, const struct trace_array *tr, const char *member,
		const int32_t **ret, size_t *n, struct err *err) MUST_CHECK;

/* ---- trace_name.c: recording_ops of the dump */
const char *trace_name_comm(const struct recording *rec, int32_t pid);
int32_t trace_name_tgid(const struct recording *rec, int32_t pid);
bool trace_name_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret);
const char *trace_name_string(const struct recording *rec, uint64_t addr);

#endif
