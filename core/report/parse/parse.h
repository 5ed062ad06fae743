/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader of reports: lines out of any paste, and what each line is. */
#ifndef OBIT_OOPS_H
#define OBIT_OOPS_H

#include "core/report/report.h"

#define LINE_MAX_BYTES 16384u /* of one line; the rest is dropped */
#define REPORT_LINES_MAX 20000u
#define REPORT_BYTES_MAX (4u << 20)
#define REPORT_FRAMES_MAX 20000u

/* One line without its prefixes. Pointers live until the sink returns. */
struct oline {
	const char *raw, *text;
	size_t raw_n, n;
	uint64_t number; /* of the text, from 1 */
	uint64_t time_ns;
	uint16_t margin, indent; /* columns before it all, and before the text */
	bool has_time;
	bool prefixed; /* some prefix said that the kernel printed it */
	bool foreign;  /* a program's, not the kernel's */
	char ctx;      /* 'T' or 'C', 0 none */
	uint32_t ctx_id;
	bool cut; /* longer than LINE_MAX_BYTES */
	bool odd; /* with bytes that nobody prints */
};

/* ---- prefix.c */
/* Strips what stands before the kernel's own words. Fills all of *l but raw and number. */
void prefix_strip(const char *s, size_t n, struct oline *l);

/* ---- text.c */
struct text_stream;
typedef void (*line_fn)(const struct oline *l, void *arg);
struct text_stream *text_open(line_fn fn, void *arg);
void text_feed(struct text_stream *t, const char *p, size_t n);
void text_close(struct text_stream *t);

/* ---- shape.c: what a line is, by its looks */
enum shape {
	SHAPE_NONE,
	SHAPE_EMPTY,
	SHAPE_HEADER, /* starts a report or says more of one */
	SHAPE_RULE,   /* ==== or ----, no more */
	SHAPE_CUT_HERE,
	SHAPE_END, /* ---[ end trace */
	SHAPE_PANIC_END,
	SHAPE_CPU,    /* CPU: 0 PID: 1 Comm: ... */
	SHAPE_TRACE,  /* Call Trace: and what introduces other traces */
	SHAPE_MARKER, /* <TASK> */
	SHAPE_FRAME,
	SHAPE_PC,   /* RIP:, pc :, epc :, NIP, ... with a function */
	SHAPE_REGS, /* registers and machine state */
	SHAPE_CODE,
	SHAPE_MODULES,
	SHAPE_FACT, /* Hardware name:, Workqueue:, Kernel Offset: ... */
	SHAPE_LOCK, /* lockdep's and held locks' lines */
	SHAPE_DUMP  /* memory and tables: hexadecimal rows */
};
struct header;
enum shape shape_of(const struct oline *l, const struct header **header);
/* Does another CPU say that it stops, with a trace to follow? */
bool is_stopping(const char *s, size_t n);

/* ---- header.c */
enum header_role {
	HEAD_START,  /* a report of its own */
	HEAD_REFINE, /* says more of the report before it, or starts one */
	HEAD_PANIC   /* Kernel panic - not syncing */
};
struct header {
	const char *text; /* what the line starts with; '*' at its start: what it contains */
	uint8_t kind, role;
	bool certain; /* nobody but a kernel prints this */
	bool alone;   /* a report even without a trace */
};
const struct header *header_find(const char *s, size_t n);
/* Takes the facts that a header line states. */
void header_facts(struct report *r, const struct header *h, const char *s, size_t n);

/* ---- frames.c */
/* The frames of a line, at most two; 0: it holds none. Names point into the arena. */
size_t frames_parse(struct arena *a, const char *s, size_t n, struct report_frame *ret);
/* "func+0x1/0x2 [mod]" at s; *end behind it. */
bool frame_symbol(struct arena *a, const char *s, const char *stop, struct report_frame *f,
		  const char **end);
/* "f file.c:12 [inline]" and "f (file.c:12)": symbolised by somebody, no offset left. */
bool frame_sourced(struct arena *a, const char *s, const char *end, struct report_frame *f);
/* Does it look like one, without taking memory? */
bool frame_looks(const char *s, size_t n);

/* ---- facts.c */
/* Reads the lines that were gathered. */
void facts_read(struct report *r);

/* ---- inference.c */
/* Sets what the lines do not say themselves and what follows from them; after all are read. */
void facts_infer(struct report *r);

/* ---- locks.c */
/* Reads lockdep's lines into r->chain and r->usage, one after the other. */
struct lock_reader {
	enum lock_role next; /* of the lock that the next line names */
};
void locks_read(struct report *r, struct lock_reader *l, const char *s, size_t n);

/* ---- torn.c */
/* Looks for lines that lost or gained bytes, and for a second process's: sets garbled, torn and
 * mixed. After facts_read(). */
void torn_find(struct report *r, bool multi);

/* ---- woven.c */
/* What in the report is of a second one whose lines stand among its own; NULL: nothing is. After
 * facts_read(). */
const char *woven_find(const struct report *r);

/* ---- registers.c */
bool registers_look(const char *s, size_t n);
void registers_read(struct report *r, const char *s, size_t n);
/* What the registers and codes of a fault say of the access: "read", "write", "execute"; NULL:
 * nothing. */
const char *registers_access(const struct report *r);
/* The frame of a line that names the program counter. */
bool pc_parse(struct arena *a, const char *s, size_t n, struct report_frame *f, const char **arch,
	      bool *user);

/* ---- scan.c: words and numbers in a span of text */
bool has_prefix(const char *s, size_t n, const char *prefix);
const char *find_text(const char *s, size_t n, const char *what);
uint64_t number_hex(const char *s, const char *stop, const char **end);
bool number_dec(const char *s, const char *stop, uint64_t *ret, const char **end);

#endif
