/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings: what the kernel traced, event by event, whatever it was read from. */
#ifndef OBIT_TRACE_H
#define OBIT_TRACE_H

#include "core/base/arena.h"
#include "core/base/bytes.h"

struct target;

/*
 * A source (the dump's ring buffers, a trace.dat, pages of trace_pipe_raw, trace text) offers a
 * `struct recording`: one or more buffers ("instances"), each with a lane for each CPU. A lane
 * hands out its events in their order; core/trace/timeline.h merges lanes. Nothing but a
 * recording's headers is read until somebody reads a lane.
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
	bool is_array;        /* declared with [] */
	bool is_dynamic;      /* __data_loc: the word is length << 16 | offset in the record */
	bool is_relative;     /* __rel_loc: the same, the offset counts from behind the word */
	bool is_string;       /* an array of char */
	bool is_text_address; /* a "const char *" that print_fmt shows as text: of the kernel's own
			       */
	bool is_common;       /* common_type, common_flags, ... */
	bool is_named; /* of texts: no address, but a number by which the recording's symbol() has
			  the name that was written */
};

/* An event's format. */
struct trace_format {
	uint16_t id;
	const char *system, *name; /* "sched", "sched_switch" */
	const struct trace_field *fields;
	size_t n_fields;
	const char *print_fmt; /* behind "print fmt: "; NULL: none is known */
	const char
		*about; /* of an event probe the event that it is on: "sched.sched_waking"; NULL */
};

/* What an event was when it was read; any of them ORed. */
enum trace_mark {
	TRACE_CONSUMED = 1, /* the kernel counts it as read: it was printed or fetched before */
	TRACE_UNCOMMITTED =
		2,          /* reserved, and perhaps not yet filled in, when the machine stopped */
	TRACE_CARVED = 4,   /* found by its shape, not by the kernel's lists */
	TRACE_PREVIOUS = 8, /* of the boot before this one */
	TRACE_STALE =
		16, /* left in a page that was reset, and that nothing has been written over */
	TRACE_UNTIMED = 32 /* its page was begun anew, and the time that it counts from is gone */
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
	/* of TRACE_UNTIMED: ts is where it stands among others, and no time; how long it came after
	 * the first of the events that stand together with it, which it may be; a time that all of
	 * them were before */
	uint64_t after, before;
	bool begins; /* it is that first one */
	/* common fields, decoded; -1 / 0 where the source does not say */
	int32_t pid;
	uint8_t flags;   /* common_flags: TRACE_FLAG_* */
	uint8_t preempt; /* common_preempt_count: depth in the low, migrate-disable in the high
			    nibble */
	uint8_t lazy;    /* common_preempt_lazy_count, of kernels that have TRACE_SHOW_LAZY_DEPTH */
	/* of text sources: what they say in words */
	const char *name;   /* event name: format->name, or as written; never NULL */
	const char *system; /* NULL unknown */
	const char *comm;   /* as written; NULL: ask trace_comm() */
	const char *text;   /* behind "event: "; NULL: to be made of format and data */
	bool bare;          /* text stood there without the name in front of it */
	char mark;          /* of the latency format: how long it is to the next; '\0': not said */
	const char
		*latency; /* the flags column as written ("d..2."); NULL: made of flags, preempt */
	/* the calls that led to it, the innermost first, where the source recorded them with it */
	const char *const *chain;
	size_t n_chain;
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

/* What the patches of PREEMPT_RT up to v6.1 record otherwise than other kernels do, which had no
 * lazy preemption then. lazy_at 0: it is no such kernel. */
struct trace_common {
	uint8_t lazy_flag;  /* of common_flags: to be rescheduled lazily; what else it may mean, is
			       not */
	uint8_t lazy_at;    /* where in a record common_preempt_lazy_count is */
	uint8_t migrate_at; /* where common_migrate_disable is; 0: in common_preempt_count */
};

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
	bool consumed; /* those that the kernel counts as read, too, and those before buffer->since
			*/
	bool uncommitted; /* those that were being written, too */
	bool stale;       /* only those that were left behind when the buffer was reset */
	bool untimed;     /* with stale: also those behind newer ones, whose time is lost */
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

/* What a latency tracer noted of its longest latency, for the head of its trace. For other tracers
 * nearly everything is 0. */
struct trace_latency {
	const char *release, *preemption; /* the kernel's, NULL unknown; its word for its preemption
					     model */
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
#define TRACE_CLOCK_DURATIONS \
	"durations" /* of a text without times: what its durations add up to */
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
	/* of a latency tracer's snapshot when the latency began: older events are not what it is
	 * about, and are read only where the consumed ones are; 0: all are */
	uint64_t since;
	void *self; /* the source's */
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
	TRACE_SHOW_RT = 1 << 23,         /* of PREEMPT_RT: longer heads of osnoise and timerlat */
	TRACE_SHOW_TAINTED = 1 << 24,    /* osnoise calls its own samples into question */
	TRACE_SHOW_LAZY_DEPTH = 1 << 25, /* two more letters of flags: struct trace_common */
	/* what no kernel does, and people ask for */
	TRACE_SHOW_NANOSECONDS = 1 << 22, /* times with nine digits behind the point */
};
#define TRACE_SHOW_DEFAULT                                                                      \
	(TRACE_SHOW_IRQ_INFO | TRACE_SHOW_PARENT | TRACE_SHOW_ANNOTATE | TRACE_SHOW_GRAPH_CPU | \
	 TRACE_SHOW_GRAPH_OVERHEAD | TRACE_SHOW_GRAPH_DURATION | TRACE_SHOW_GRAPH_IRQS)

/* What a source offers. */
struct recording_ops {
	bool stale; /* it has pages that were reset, which trace_want.stale asks for */
	bool names; /* it has events by names that no format has, as what perf counted */
	/* Begins to read r->lane; what that needs is in arena a. */
	bool (*open)(struct trace_reader *r, struct arena *a, struct err *err);
	/* Sets *ret to the next event. False: at the end, with err->code ERR_OK, or *err says why
	 * there are no more. A damaged page is stepped over, and r->damage says so. */
	bool (*next)(struct trace_reader *r, struct trace_event *ret, struct err *err);
	/* For exports: sets *ret to the next page, a whole sub-buffer with its commit word as a
	 * file has it. False: at the end. NULL: the source has no pages. */
	bool (*page)(struct trace_reader *r, struct span *ret, struct err *err);
	/* The format of a number; and a call of fn for each format. NULL: the source is text. */
	const struct trace_format *(*format)(const struct recording *rec, uint16_t id);
	bool (*each_format)(const struct recording *rec,
			    bool (*fn)(const struct trace_format *f, void *arg), void *arg,
			    struct err *err);
	/* The name of a task, which may be dead; its thread group; what an address is in; a string
	 * at an address of the kernel's. Each function may be NULL, and NULL, -1 and false stand
	 * for what is not known. Results live as long as the target. */
	const char *(*comm)(const struct recording *rec, int32_t pid);
	int32_t (*tgid)(const struct recording *rec, int32_t pid); /* -1 unknown */
	bool (*symbol)(const struct recording *rec, uint64_t addr, struct trace_symbol *ret);
	/* those that events point to: trace_printk's formats, constants of the kernel's */
	const char *(*string)(const struct recording *rec, uint64_t addr);
	/* Sets *ret to the address of the first symbol of a name. False: it is not known. May be
	 * NULL. */
	bool (*address)(const struct recording *rec, const char *name, uint64_t *ret);
};

struct recording {
	struct target *t;
	const char *origin; /* "the dump's memory", "trace.dat v7", "trace text" */
	const char *path;   /* of the file; NULL: the dump */
	unsigned word_size; /* of the traced kernel's long: 4 or 8 */
	bool big_endian;
	struct trace_common common;
	const struct trace_buffer *buffers;
	size_t n_buffers;
	const struct recording_ops *ops;
	void *self;
	struct recording *next;
};

/* The recordings of a target. Readers add those of files; that of the dump is made when somebody
 * first asks, by of_dump(). */
struct traces {
	struct recording *first; /* in the order they were given, the dump's first */
	unsigned n;
	/* Makes a recording, in the target's arena, of the ring buffers in the dump's memory;
	 * called once. core/linux sets it; NULL: nobody can. */
	bool (*of_dump)(struct target *t, struct recording **ret, struct err *err);
	/* Makes one of the calls in the records of pstore that are known; NULL: there are none */
	struct recording *(*of_survivors)(struct target *t);
	bool survivors_asked;
	bool dump_asked;
	struct err dump_why; /* why the dump gave none; ERR_OK: it did, or there is no dump */
};
/* t->traces, which is made at the first call. */
struct traces *traces_of(struct target *t);
void traces_add(struct target *t, struct recording *rec);
/* Sets *ret to all recordings, that of the dump included. False: there is none, and *err says why
 * and what would help. */
bool traces_find(struct target *t, const struct traces **ret, struct err *err) MUST_CHECK;

/* For a recording without formats and names: another one of the target that has them, and whose
 * kernel's words have the same size. NULL: there is none. */
const struct recording *trace_other(const struct recording *rec);

/* Opens a lane of a buffer for reading. */
bool trace_open(struct trace_reader *r, const struct trace_buffer *b, const struct trace_lane *lane,
		const struct trace_want *want, struct arena *a, struct err *err) MUST_CHECK;
/* See recording_ops.next. */
bool trace_next(struct trace_reader *r, struct trace_event *ret, struct err *err) MUST_CHECK;

/* The field of this name, as "prev_comm" or "common_pid"; NULL: there is none. */
const struct trace_field *trace_field_find(const struct trace_format *f, const char *name);
/* Sets *ret to the bytes of a field in the event, for a dynamic one to the bytes that it leads to.
 * False: they would lie outside of the event. */
bool trace_field_span(const struct trace_event *ev, const struct trace_field *f, struct span *ret);
/* Sets *ret to the value of an integer or pointer of 1, 2, 4 or 8 bytes, extended as it is signed
 * or not. */
bool trace_field_u64(const struct trace_event *ev, const struct trace_field *f, uint64_t *ret);
/* Sets *ret to the text of a field, up to its NUL or the field's end; in the arena. */
bool trace_field_str(const struct trace_event *ev, const struct trace_field *f, struct arena *a,
		     const char **ret);

/* May the n bytes at s be a text that an event points to: printable, and ended by a NUL? */
bool trace_is_text(const char *s, size_t n);

/* Looks up what an event says by this name, whatever it was read from: a field, or "name=value" in
 * a text. A number sets *num, and *str to NULL; text sets *str. False: it says nothing by this
 * name. */
bool trace_datum(const struct trace_event *ev, const char *name, struct arena *a, uint64_t *num,
		 const char **str);

/* The comm of the task that an event is of: as the event has it, or the recording; "<idle>" for pid
 * 0,
 * "<...>" when it is not known. */
const char *trace_comm(const struct trace_event *ev);

#endif
