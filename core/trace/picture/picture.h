/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a recording: for each CPU who ran, the interrupts above, the functions that were
 * open below, what else happened, and who woke whom. */
#ifndef OBIT_TRACE_PICTURE_H
#define OBIT_TRACE_PICTURE_H

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/trace/print/print.h"
#include "core/trace/timeline.h"

#define PICTURE_CPUS_MAX 256u /* by number; others are counted as left out */
/* So many shapes a browser draws in a moment: of more, those that are narrow are drawn as one. */
#define PICTURE_SHAPES_MAX 5000u
/* So many functions that are open in each other are drawn; those further inside are not. */
#define PICTURE_DEPTH 12u

/* Where in a CPU's lane a bar is. */
enum picture_row {
	PICTURE_IRQ,
	PICTURE_SOFTIRQ,
	PICTURE_IDLE, /* where a CPU is known to have been idle; within the row of tasks */
	PICTURE_TASK,
	PICTURE_MARK, /* what happened at a moment: a stroke */
	PICTURE_CALL  /* and those behind it, a row for each depth */
};
#define PICTURE_ROWS (PICTURE_CALL + PICTURE_DEPTH)

struct picture_bar {
	uint64_t from, to;
	uint64_t busy;    /* of what is drawn as one, all together */
	size_t n;         /* how many are drawn as one */
	int32_t pid;      /* of a task, or whose mark or call it is */
	const char *name; /* of the first one */
	const char *text; /* of a mark, the row of the first one; else NULL */
	bool open;        /* it had not ended when the trace did */
	bool endless;     /* when it ended was not recorded: it is a moment */
	bool note;        /* somebody wrote it into the trace */
};
/* Why something is not known of a CPU. */
enum picture_why {
	PICTURE_LOST,   /* events were lost */
	PICTURE_BEFORE, /* overwritten before anybody read it */
	PICTURE_SILENT, /* no event of this CPU, and nothing else tells who ran */
	PICTURE_QUIET,  /* for long no event of any CPU: idle, or nothing was recorded */
	PICTURE_OFF     /* recording was off */
};
/* What is not known of a CPU: nobody is said to have run, and it is not said to have been idle. */
struct picture_gap {
	uint64_t from, to;
	enum picture_why why;
	uint64_t lost; /* of PICTURE_LOST: events, or TRACE_LOST_SOME */
};
struct picture_lane {
	int cpu;
	VEC(struct picture_bar) rows[PICTURE_ROWS];
	VEC(struct picture_gap) gaps;
	struct picture_now *now; /* while events are taken */
};
/* A task was woken on one CPU and then ran on another, or on the same. */
struct picture_arrow {
	uint64_t from, to;
	int from_cpu, to_cpu;
	int32_t pid;
	const char *name;
};
struct picture {
	struct arena *a;
	uint64_t since, until;
	uint64_t death;    /* when the kernel gave up; 0: not known */
	size_t shapes_max; /* 0: PICTURE_SHAPES_MAX */
	unsigned detail;   /* how often what is shown may be enlarged; 0: not at all */
	bool some;         /* events are chosen so that not all of a CPU's switches are taken */
	bool ns;           /* times are nanoseconds; else numbers of a clock of its own */
	bool chosen;       /* not all events were wanted: that there is none may mean nothing */
	struct picture_lane *lanes[PICTURE_CPUS_MAX]; /* by CPU; NULL: no event */
	size_t n_lanes;
	bool silent[PICTURE_CPUS_MAX]; /* CPUs of the buffers of which there is no event */
	size_t n_silent;
	VEC(struct picture_arrow) arrows; /* the longest ones */
	size_t events, left_out;          /* left_out: of CPUs that are not drawn */
	size_t back;                      /* how often a CPU's times went back */
	size_t merged;                    /* bars and strokes that were drawn as one with others */
};

/*
 * Sets *since and *until to what is worth a picture of the wanted events: at most the last 100 ms
 * and the last 20,000 of them, but further back where these are few. False with ERR_OK: there are
 * none.
 */
bool picture_window(struct target *t, const struct trace_select *sel, uint64_t *since,
		    uint64_t *until, struct err *err) MUST_CHECK;
/* Sets when the kernel gave up; where that is soon after the last event, the picture goes on up to
 * it. */
void picture_end(struct picture *p, uint64_t death);
/* Takes the wanted events from since to until, and of those before what tells how it was then; p is
 * zero-initialised but for a, since, until, death, shapes_max, detail and some. Damage that was
 * stepped over is told to note(). picture_release() is due in any case. */
bool picture_take(struct picture *p, struct target *t, const struct trace_select *sel,
		  struct trace_printer *printer, void (*note)(const struct err *damage, void *arg),
		  void *arg, struct err *err) MUST_CHECK;
void picture_release(struct picture *p);

/* Appends an element svg, with all that it needs to stand alone, in a page or as a file. */
void picture_svg(struct picture *p, struct buf *b);
/* How far down lines of time go, in its units. */
unsigned picture_high(const struct picture *p);
/* ---- picture_key.c: what its signs mean */
/* Draws a key at that place and returns how high it is, in units of the picture; b NULL: nothing is
 * drawn. */
unsigned picture_key(const struct picture *p, struct buf *b, unsigned left, unsigned y,
		     unsigned wide);
/* Appends the CPUs without any event: "2-5,7". */
void picture_silent(const struct picture *p, struct buf *b);
/* Appends what the picture shows and what it leaves out, as sentences without markup. */
void picture_legend(const struct picture *p, struct buf *b);

/* ---- picture_script.c */
/* A script for a page with one picture and an element "range", which it shows: data-since and
 * data-until of that are the picture's ends, data-ns is not empty where these are nanoseconds, and
 * data-high is picture_high(). And its SHA-256, as a Content-Security-Policy has it. */
extern const char picture_script[], picture_script_hash[];

#endif
