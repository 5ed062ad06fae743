/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings: what the kernel traced, event by event, whatever it was read from. */
#ifndef OBIT_TRACE_H
#define OBIT_TRACE_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

struct target;

/*
 * A source (the dump's ring buffers, a trace.dat, pages of trace_pipe_raw, trace text) offers a
 * `struct recording`: one or more buffers ("instances"), each with lanes, one a CPU. A lane hands
 * out its events in their order; core/trace/timeline.h merges lanes. Everything is lazy: a
 * recording costs its headers until a lane is read.
 *
 * What is said of an event's data (formats, names, strings) is asked of the recording, never of the
 * running machine.
 */

/* One field of an event, as the kernel's "format" files describe it. */
struct trace_field {
	const char *name;
	const char *type;      /* as in the format: "char", "__data_loc char[]", "unsigned long" */
	uint32_t offset, size; /* bytes, in the record; common fields included */
	uint32_t count;        /* elements of an array of known length; 0: none */
	bool is_signed;
	bool is_array;    /* declared with [] */
	bool is_dynamic;  /* __data_loc: the word is length << 16 | offset in the record */
	bool is_relative; /* __rel_loc: the same, the offset counts from behind the word */
	bool is_string;   /* of char */
	bool is_common;   /* common_type, common_flags, ... */
};

/* An event's format. */
struct trace_format {
	uint16_t id;
	const char *system, *name; /* "sched", "sched_switch" */
	const struct trace_field *fields;
	size_t n_fields;
	const char *print_fmt; /* behind "print fmt: "; NULL: none is known */
	const char *about; /* the event that an event probe hangs on: "sched.sched_waking"; NULL */
};

/* What an event was when it was read; any of them ORed. */
enum trace_mark {
	TRACE_CONSUMED = 1, /* the kernel counts it as read: it was printed or fetched before */
	TRACE_UNCOMMITTED =
		2,         /* reserved, and perhaps not yet filled in, when the machine stopped */
	TRACE_CARVED = 4,  /* found by its shape, not by the kernel's lists */
	TRACE_PREVIOUS = 8 /* of the boot before this one */
};

/* What an address is in. */
struct trace_symbol {
	const char *name, *module; /* module NULL: the kernel's own */
	uint64_t offset, size;     /* size 0: unknown */
};

struct trace_buffer;

/* One event. data, text and args live until the lane is advanced. */
struct trace_event {
	uint64_t ts; /* in the buffer's clock: nanoseconds where buffer->ns */
	int cpu;
	const struct trace_buffer *buffer;
	const struct trace_format *format; /* NULL: nobody knows this type; data is shown raw */
	uint16_t id;                       /* common_type; 0 for text sources */
	struct span data; /* the record from common_type on; empty for text sources */
	uint64_t lost;  /* events lost just before on this CPU; TRACE_LOST_SOME: how many is unknown
			 */
	unsigned marks; /* enum trace_mark */
	/* common fields, decoded; -1 / 0 where the source does not say */
	int32_t pid;
	uint8_t flags;   /* common_flags: TRACE_FLAG_* */
	uint8_t preempt; /* common_preempt_count: depth in the low, migrate-disable in the high
			    nibble */
	/* of text sources: what they say in words */
	const char *name;   /* event name: format->name, or as written; never NULL */
	const char *system; /* NULL unknown */
	const char *comm;   /* as written; NULL: ask trace_comm() */
	const char *text;   /* behind "event: "; NULL: to be made of format and data */
	const char
		*latency; /* the flags column as written ("d..2."); NULL: made of flags, preempt */
};
#define TRACE_LOST_SOME UINT64_MAX

/* common_flags (include/linux/trace_events.h, enum trace_flag_type). */
#define TRACE_FLAG_IRQS_OFF 0x01
#define TRACE_FLAG_LAZY_RESCHED 0x02 /* before v6.13: interrupts' state is not known ('X') */
#define TRACE_FLAG_NEED_RESCHED 0x04
#define TRACE_FLAG_HARDIRQ 0x08
#define TRACE_FLAG_SOFTIRQ 0x10
#define TRACE_FLAG_PREEMPT_RESCHED 0x20
#define TRACE_FLAG_NMI 0x40
#define TRACE_FLAG_BH_OFF 0x80

/* One CPU of a buffer. */
struct trace_lane {
	int cpu;
	/* as the kernel counts; UINT64_MAX where the source does not say */
	uint64_t entries;        /* written */
	uint64_t overrun;        /* overwritten by newer ones */
	uint64_t commit_overrun; /* lost in an interrupt while the buffer was full of one writer */
	uint64_t dropped;        /* not written for want of room (overwrite off) */
	uint64_t read;           /* consumed */
	uint64_t bytes;          /* in use */
	uint64_t first_ts;       /* of the oldest page in the ring; 0 unknown */
	void *self;              /* the source's */
};

/* Which of a lane's events are asked for. */
struct trace_want {
	bool consumed;    /* those that the kernel counts as read, too */
	bool uncommitted; /* those that were being written, too */
	uint64_t since; /* start at the last page boundary that cannot miss an event of this time or
			   later; 0: at the beginning. Events before it may still come. */
};

/* Reading one lane; the caller zero-initialises, lane_open() fills. */
struct trace_reader {
	const struct trace_buffer *buffer;
	const struct trace_lane *lane;
	struct trace_want want;
	void *self;        /* the source's, in the arena that was given */
	struct err damage; /* the last thing that was wrong and stepped over; code ERR_OK: none.
			      Whoever notes it sets it back. */
};

/* What a latency tracer noted with its longest latency, for the head of its trace; of other tracers
 * nearly all is 0. */
struct trace_latency {
	const char *release, *preemption; /* the kernel's, and its word for its preemption model */
	uint64_t us;
	int cpu;
	const char *comm;
	int32_t pid;
	uint32_t uid;
	int64_t nice;
	uint64_t policy, rt_priority;
	uint64_t start, end; /* code where it began and ended; 0: not told */
	uint64_t since;      /* the time that its lines count from, of the buffer's clock */
};

/* One ring buffer: the global one, an instance, a snapshot; one file of text. */
struct trace_buffer {
	const struct recording *recording;
	const char *name;   /* of the instance; NULL: the top one */
	bool snapshot;      /* the spare half that a snapshot or a latency tracer swapped in */
	const char *tracer; /* current_tracer: "nop", "function_graph"; NULL unknown */
	const char *clock;  /* "local", "global", "x86-tsc", ...; NULL unknown */
	bool ns;            /* the clock counts nanoseconds */
	bool tracing_on;    /* still recording when the machine died */
	bool overwrite;
	bool previous_boot;
	uint32_t page_size; /* of a sub-buffer, bytes */
	unsigned shows;     /* enum trace_show */
	unsigned online;    /* CPUs that were up; 0 unknown */
	unsigned possible;  /* nr_cpu_ids: how wide a CPU's number is printed; 0 unknown */
	uint64_t irq_text_lo, irq_text_hi; /* [lo, hi) interrupt entry code; 0 unknown */
	const struct trace_lane *lanes;
	size_t n_lanes;
	const struct trace_latency *latency; /* NULL: unknown, or not in the latency format */
	void *self;                          /* the source's */
};

/* How the buffer's kernel was told to print it: options of tracefs, and of the function_graph
 * tracer; any of them ORed. A source that cannot know says TRACE_SHOW_DEFAULT. */
enum trace_show {
	TRACE_SHOW_IRQ_INFO = 1, /* the column of flags */
	TRACE_SHOW_TGID = 2,
	TRACE_SHOW_PARENT = 4, /* the function tracer's "<-caller" */
	TRACE_SHOW_OFFSET = 8, /* symbols with their offsets */
	TRACE_SHOW_ADDR = 16,  /* ... and addresses */
	TRACE_SHOW_ANNOTATE = 32,
	TRACE_SHOW_LATENCY = 64, /* latency format */
	TRACE_SHOW_VERBOSE = 128,
	/* of function_graph */
	TRACE_SHOW_GRAPH_CPU = 1 << 8,
	TRACE_SHOW_GRAPH_OVERHEAD = 1 << 9,
	TRACE_SHOW_GRAPH_PROC = 1 << 10,
	TRACE_SHOW_GRAPH_DURATION = 1 << 11,
	TRACE_SHOW_GRAPH_ABSTIME = 1 << 12,
	TRACE_SHOW_GRAPH_IRQS = 1 << 13,
	TRACE_SHOW_GRAPH_TAIL = 1 << 14,
	TRACE_SHOW_GRAPH_RETVAL = 1 << 15,
	TRACE_SHOW_GRAPH_RETVAL_HEX = 1 << 16,
	TRACE_SHOW_GRAPH_OVERRUN = 1 << 17,
	/* what differs from kernel to kernel */
	TRACE_SHOW_NO_MIGRATE = 1 << 18, /* no letter of flags for the migrate-disable depth */
	TRACE_SHOW_NO_BH = 1 << 19,      /* the first letter tells nothing of bottom halves */
	TRACE_SHOW_NO_LAZY = 1 << 20,    /* TRACE_FLAG_LAZY_RESCHED says 'X' */
	TRACE_SHOW_SYSCALL_0X = 1 << 21, /* system calls: "0x" before what is over 9 */
};
#define TRACE_SHOW_DEFAULT                                                                      \
	(TRACE_SHOW_IRQ_INFO | TRACE_SHOW_PARENT | TRACE_SHOW_ANNOTATE | TRACE_SHOW_GRAPH_CPU | \
	 TRACE_SHOW_GRAPH_OVERHEAD | TRACE_SHOW_GRAPH_DURATION | TRACE_SHOW_GRAPH_IRQS)

/* What a source offers. */
struct recording_ops {
	/* False: err. The reader's memory is in a. */
	bool (*open)(struct trace_reader *r, struct arena *a, struct err *err);
	/* The next event; false at the end with err->code ERR_OK, else why it ended early. A page
	 * that is damaged is stepped over and told in r->damage. */
	bool (*next)(struct trace_reader *r, struct trace_event *ret, struct err *err);
	/* The page's raw bytes for exports, in order: *ret is a whole sub-buffer with its commit
	 * word as a file would hold it. False at the end or where a source has no pages. May be
	 * NULL. */
	bool (*page)(struct trace_reader *r, struct span *ret, struct err *err);
	/* An event type by its number, and every one; NULL: text. */
	const struct trace_format *(*format)(const struct recording *rec, uint16_t id);
	bool (*each_format)(const struct recording *rec,
			    bool (*fn)(const struct trace_format *f, void *arg), void *arg,
			    struct err *err);
	/* Names: of a task that may be dead, of code, of a string the kernel knew by address. NULL,
	 * or returns NULL: unknown. Results live as long as the target. */
	const char *(*comm)(const struct recording *rec, int32_t pid);
	int32_t (*tgid)(const struct recording *rec, int32_t pid); /* -1 unknown */
	bool (*symbol)(const struct recording *rec, uint64_t addr, struct trace_symbol *ret);
	const char *(*string)(const struct recording *rec,
			      uint64_t addr); /* trace_printk's formats */
	/* Where the first symbol of a name is; NULL, or false: unknown. */
	bool (*address)(const struct recording *rec, const char *name, uint64_t *ret);
};

struct recording {
	struct target *t;
	const char *origin; /* "the dump's memory", "trace.dat v7", "trace text" */
	const char *path;   /* of the file; NULL: the dump */
	unsigned word_size; /* of the traced kernel's long: 4 or 8 */
	bool big_endian;
	const struct trace_buffer *buffers;
	size_t n_buffers;
	const struct recording_ops *ops;
	void *self;
	struct recording *next;
};

/* Of a target: files' recordings are added by their readers; the dump's is made when first asked
 * for, by the hook that core/linux sets (the target's `traces`). */
struct traces {
	struct recording *first; /* in the order they were given, the dump's first */
	unsigned n;
	/* Set by core/linux: the ring buffers of the dump's memory, as a recording in the target's
	 * arena. Asked once. NULL: nobody can. */
	bool (*of_dump)(struct target *t, struct recording **ret, struct err *err);
	/* The same of calls that pstore kept, in the records that are known; NULL: there are none.
	 */
	struct recording *(*of_survivors)(struct target *t);
	bool survivors_asked;
	bool dump_asked;
	struct err dump_why; /* why the dump gave none; ERR_OK: it did, or there is no dump */
};
/* Made on first use; t->traces. */
struct traces *traces_of(struct target *t);
void traces_add(struct target *t, struct recording *rec);
/* All recordings, the dump's included; false when there is none: err says why and what would help.
 */
bool traces_find(struct target *t, const struct traces **ret, struct err *err) MUST_CHECK;

/* For a recording without formats and names: another one of the target that has them, of words of
 * the same size; NULL: there is none. */
const struct recording *trace_other(const struct recording *rec);

/* Opens a lane of a buffer for reading. */
bool trace_open(struct trace_reader *r, const struct trace_buffer *b, const struct trace_lane *lane,
		const struct trace_want *want, struct arena *a, struct err *err) MUST_CHECK;
/* See recording_ops.next. */
bool trace_next(struct trace_reader *r, struct trace_event *ret, struct err *err) MUST_CHECK;

/* A field by name ("prev_comm", "common_pid"); NULL: no such field. */
const struct trace_field *trace_field_find(const struct trace_format *f, const char *name);
/* Where a field's bytes are in the event; false: they would lie outside of it. Dynamic ones are
 * followed. */
bool trace_field_span(const struct trace_event *ev, const struct trace_field *f, struct span *ret);
/* Integers and pointers of 1, 2, 4, 8 bytes, sign-extended as declared. */
bool trace_field_u64(const struct trace_event *ev, const struct trace_field *f, uint64_t *ret);
/* Strings up to their NUL or the field's end; in the arena. */
bool trace_field_str(const struct trace_event *ev, const struct trace_field *f, struct arena *a,
		     const char **ret);

/* A datum of an event by name, whatever the source: of binary events the field, of text
 * "name=value". *str is NULL for numbers. False: it has none of this name. */
bool trace_datum(const struct trace_event *ev, const char *name, struct arena *a, uint64_t *num,
		 const char **str);

/* The comm for a pid: the event's own, the recording's, "<idle>" for 0, "<...>" when unknown. */
const char *trace_comm(const struct trace_event *ev);

#endif
