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
	bool shows_max; /* its tracer keeps the longest latency's events in the snapshot, which is
			   what the kernel's trace file then shows */
	bool previous_boot;
	/* of a buffer of the boot before: what makes an address of the kernel of this boot of one
	 * in it; of modules the kernel does not say it */
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
/* Sets *ret to all n instances, the top one first. The person is warned of what cannot be read. */
bool trace_arrays(struct target *t, const struct trace_array **ret, size_t *n,
		  struct err *err) MUST_CHECK;
/* The name of the option of this bit, "print-parent", by the kernel's own trace_options[]; NULL:
 * there is none. */
const char *trace_option_name(struct target *t, unsigned bit);

/* ---- trace_latency.c */
/* What the latency tracers measured in an instance, in its main buffer or in the snapshot; in the
 * target's arena. NULL: nobody can tell. */
const struct trace_latency *trace_latency_of(struct target *t, const struct trace_array *tr,
					     bool snapshot);

/* ---- trace_profile.c: the function profiler, tracefs' trace_stat/functionN */
struct trace_profiled {
	uint64_t ip, hits;
	uint64_t time, squares; /* nanoseconds, of all hits together, and the sum of their squares,
				   which overflows where one hit took more than 4.29 s */
	size_t n;               /* it was the n-th that was met */
};
struct trace_profile {
	struct trace_profiled
		*functions; /* in the file's order: by time or, where there is none, by hits */
	size_t n;
	bool used;  /* the profiler was on at some time */
	bool timed; /* this kernel measures time */
};
/* Sets *ret to what was counted on a CPU; in the arena. False: *ret has what could be read. */
bool trace_profile_read(struct target *t, unsigned cpu, struct arena *a, struct trace_profile *ret,
			struct err *err) MUST_CHECK;
/* Sets *ret to the sample variance of a function's time, in square nanoseconds. False: its sum of
 * squares overflowed. */
bool trace_profile_variance(const struct trace_profiled *p, uint64_t *ret) MUST_CHECK;

/* ---- trace_noise.c: what the tracers of latencies and noise were told, and what they found */
/* Calls fn with the name of each file of tracefs that says so, and its value; in the scratch arena.
 * False: some could not be read; fn was called for the others. */
bool trace_noise_each(struct target *t, const struct trace_array *tr,
		      void (*fn)(const char *name, const char *const *values, size_t n, void *arg),
		      void *arg, struct err *err) MUST_CHECK;

/* ---- story_trace.c */
/* The recording that the pstore's records make; struct traces.of_survivors. */
struct recording *trace_of_survivors(struct target *t);

/* ---- trace_event.c */
/* Functions of the dump's struct recording_ops: format and each_format. */
const struct trace_format *trace_event_format(const struct recording *rec, uint16_t id);
bool trace_event_each(const struct recording *rec,
		      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
		      struct err *err);

/* ---- trace_call.c */
/* Sets *system and *name to those of the struct trace_event_call at `call`; in the target's arena.
 */
bool trace_call_name(struct target *t, uint64_t call, const char **system, const char **name,
		     struct err *err) MUST_CHECK;

/* ---- trace_probe.c */
struct dynamic_event {
	const char *kind; /* "kprobe", "uprobe", "eprobe", "fprobe" or "synthetic"; of another kind
			     the kernel's name of its operations */
	const char
		*definition; /* its line in tracefs' file dynamic_events; in the target's arena */
	bool has_hits;
	uint64_t hits; /* of kprobes and uprobes, as in kprobe_profile and uprobe_profile */
};
/* Calls fn for each dynamic event, with its hits where these are asked for. note(), which may be
 * NULL, is told which cannot be read. */
bool trace_probes_each(struct target *t, bool hits,
		       bool (*fn)(const struct dynamic_event *e, void *arg),
		       void (*note)(const struct err *e, void *arg), void *arg,
		       struct err *err) MUST_CHECK;

/* Sets *ret to the sum of what the counters at a per-CPU address, an unsigned long each, count on
 * all CPUs that may be. */
bool trace_probe_hits(struct target *t, uint64_t counters, uint64_t *ret,
		      struct err *err) MUST_CHECK;

/* ---- trace_status.c: what an instance was told to do */
struct trace_enabled {
	const char *system, *name;
	bool enabled;       /* the file set_event lists it */
	bool soft;          /* it is on because a trigger needs it, and recorded when one says so */
	const char *filter; /* NULL: none */
	const char *const *triggers; /* as one writes them into the file trigger:
					"stacktrace:count=3 if pid > 4" */
	size_t n_triggers;
};
/* Calls fn for each event that is enabled or has a filter or triggers, in the kernel's order; in
 * the scratch arena. False: some could not be read; fn was called for the others. */
bool trace_enabled_each(struct target *t, const struct trace_array *tr,
			bool (*fn)(const struct trace_enabled *e, void *arg), void *arg,
			struct err *err) MUST_CHECK;
/* Sets *ret to the n functions of a filter, by address; in the scratch arena. which is "filter" or
 * "notrace", of the top instance also "graph" or "graph_notrace". *n 0: there is no such filter.
 * False: some could not be read; *ret has the others. */
bool trace_functions(struct target *t, const struct trace_array *tr, const char *which,
		     const char *const **ret, size_t *n, struct err *err) MUST_CHECK;
/* Sets *ret to the n pids of a list; in the scratch arena. member is the list's name in the kernel:
 * "filtered_pids" (of the file set_event_pid), "filtered_no_pids", "function_pids" or
 * "function_no_pids". *n 0: there is none. False: some could not be read; *ret has the others. */
bool trace_pids(struct target *t, const struct trace_array *tr, const char *member,
		const int32_t **ret, size_t *n, struct err *err) MUST_CHECK;

/* ---- trace_name.c: functions of the dump's struct recording_ops */
const char *trace_name_comm(const struct recording *rec, int32_t pid);
int32_t trace_name_tgid(const struct recording *rec, int32_t pid);
bool trace_name_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret);
const char *trace_name_string(const struct recording *rec, uint64_t addr);

#endif
