/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader of reports: lines out of any paste, and what each line is. */
#ifndef OBIT_OOPS_H
#define OBIT_OOPS_H

#include "core/report/report.h"

#define LINE_MAX_BYTES 16384u /* of one line; the rest is dropped */
#define REPORT_LINES_MAX 20000u
#define REPORT_BYTES_MAX (4u << 20)
#define REPORT_FRAMES_MAX 20000u

/* One line without its prefixes. What it points to is gone when the line_fn that got it returns. */
struct oline {
	const char *raw, *text;
	size_t raw_n, n;
	uint64_t number; /* in the text, of which the first line is 1 */
	uint64_t time_ns;
	uint16_t margin, indent; /* columns before it all, and before the text */
	bool has_time;
	bool prefixed; /* a prefix said that the kernel printed it */
	bool learnt; /* the prefix is one that the text taught: it says nothing of who printed it */
	bool foreign; /* a program printed it, not the kernel */
	/* who printed it, as in "[    T1]" and "[    C0]": 'T' and a task's pid, 'C' and a CPU's
	 * number; 0: the line does not say */
	char ctx;
	uint32_t ctx_id;
	bool cut; /* longer than LINE_MAX_BYTES */
	bool odd; /* it has bytes that nobody prints */
};

/* ---- prefix.c */
/* Takes off what stands before the kernel's own words in the n bytes at s. Fills all of *l but raw
 * and number. */
void prefix_strip(const char *s, size_t n, struct oline *l);
/* Where in the n bytes at s another line of the kernel's begins, of which the newline before it was
 * lost: at its time stamp. n: nowhere. */
size_t prefix_next(const char *s, size_t n);

/* ---- joined.c */
/* What is between lines of a report where their newlines should be. */
enum joint {
	JOINT_NONE,   /* it is one line */
	JOINT_STAMPS, /* nothing, but each begins with a time stamp */
	JOINT_WORDS,  /* blanks; they begin with words that kernels begin lines with */
	JOINT_SIGNS   /* "\n", as programs show a string */
};
enum joint joint_of(const char *s, size_t n);
/* Where in the n bytes at s the next such line begins; n: nowhere. Sets *shown to how many of the
 * bytes before are the line's own. */
size_t joint_next(enum joint joint, const char *s, size_t n, size_t *shown);
/* Has a line of a report a gap that a terminal made, which fills the rest of a row of its screen?
 */
bool has_gap(const char *s, size_t n);
/* Appends the line without such gaps. The narrowest seen yet, in *least, is what the terminal made;
 * a wider one has a blank of the line's own. */
void gap_close(const char *s, size_t n, size_t *least, struct buf *ret);

/* ---- encoding.c: bytes of a text as UTF-8 */
enum encoding_kind {
	ENCODING_UNKNOWN,
	ENCODING_BYTES,
	ENCODING_UTF16_LE,
	ENCODING_UTF16_BE
};
struct encoding {
	enum encoding_kind kind;
	uint8_t head[4]; /* the first bytes, until they say the kind */
	size_t n_head;
	uint8_t half;  /* of a character */
	uint16_t high; /* the first of two surrogates; 0: there is none */
	bool has_half;
};
typedef void (*encoding_fn)(const char *s, size_t n, void *arg);
/* Calls fn with the text that n more bytes make. encoding_end(), when no more follow, passes on
 * what was kept to know the kind. */
void encoding_feed(struct encoding *e, const char *s, size_t n, encoding_fn fn, void *arg);
void encoding_end(struct encoding *e, encoding_fn fn, void *arg);

/* ---- wrapping.c: lines out of what programs wrap them in */
struct wrapping {
	bool objects, fields; /* the text is of such */
};
enum wrapped {
	WRAPPED_NOT,    /* the line is itself */
	WRAPPED_TEXT,   /* what was in it was appended, one line or more */
	WRAPPED_PART,   /* the same, and its line goes on in the next one */
	WRAPPED_OPEN,   /* the same, if a later one has the newline that it lacks */
	WRAPPED_NOTHING /* it is of the wrapping, and says nothing */
};
/* Takes a log's line out of an object of JSON or a field of a journal. */
enum wrapped unwrap(struct wrapping *w, const char *s, size_t n, struct buf *ret);
/* May the line that begins with these bytes be an object of JSON? Such can be long. */
bool is_wrapped(const char *s, size_t n);
enum tag {
	TAG_WITHIN,
	TAG_BREAK
};
enum page {
	PAGE_NONE,
	PAGE_HTML,
	PAGE_XML /* any name is a tag */
};
/* How many of the n bytes at s, the last of which is '>', are a tag, which is within a line or
 * breaks it; 0: none. `page`: what the text was seen to be. */
size_t tag_length(const char *s, size_t n, enum page page, enum tag *ret);
struct base64 {
	uint32_t bits;
	unsigned n;
};
/* Appends the bytes that a line of base64 stands for. False: it is no such line. */
bool base64_take(struct base64 *b, const char *s, size_t n, struct buf *ret);

/* ---- habit.c: prefixes that are learnt */
#define HABIT_PARTS 48
enum habit_kind {
	HABIT_BLANK,  /* blanks, however many */
	HABIT_NUMBER, /* digits, however many */
	HABIT_WORD,   /* this word */
	HABIT_ANY,    /* a word, whichever */
	HABIT_GROUP,  /* a bracket, its other one, and anything between */
	HABIT_MARK    /* this byte */
};
struct habit_part {
	enum habit_kind kind;
	uint8_t n;
	const char *text;
};
/* What one prefix looks like. The parts' bytes are at `at` in text. */
struct habit_form {
	struct habit_part parts[HABIT_PARTS];
	uint8_t at[HABIT_PARTS];
	char text[160];
	size_t n;
	unsigned seen;
};
struct habit {
	struct habit_form forms[4];
	bool known; /* a form was seen often enough to be taken off */
};
/* Looks for words on the line that only a kernel prints, and remembers what stands before them. */
enum habit_found {
	HABIT_NOTHING, /* there are none, or nothing is before them */
	HABIT_SEEN,    /* something is, and not yet often enough to be believed */
	HABIT_LEARNT   /* from now on habit_strip() takes it off */
};
enum habit_found habit_see(struct habit *h, const struct oline *l);
/* Do the n bytes at s begin as the form of that number, which was seen but is not yet believed?
 * habit_believe(): from now on it is. */
bool habit_begins(const struct habit *h, size_t form, const char *s, size_t n);
void habit_believe(struct habit *h, size_t form);
/* Takes off what h knows to stand before the kernel's words on lines of this text. False: the line
 * has no such beginning. */
bool habit_strip(const struct habit *h, struct oline *l);

/* ---- breaks.c */
/* Is it "...", or the like in brackets: what people write where they leave lines out? */
bool is_elision(const char *s, size_t n);
/* Is line l the rest of the one before, `hold`, which was broken? Mail programs wrap at 60 to 80
 * columns. */
bool line_continues(const struct oline *hold, const struct oline *l);
/* Were the digits of the fault's address cut, as terminals do, and l is the rest of them? */
bool line_cuts_address(const struct oline *hold, const struct oline *l);

/* ---- lines.c: lines out of a text that comes in pieces */
struct text_stream;
typedef void (*line_fn)(const struct oline *l, void *arg);
/* fn is called with each line; of a long text, only with those near any that could belong to a
 * report (sieve.h). text_flush() hands over what is held until more is known of what follows;
 * text_close() hands over what is left, and frees the stream. */
struct text_stream *text_open(line_fn fn, void *arg);
void text_feed(struct text_stream *t, const char *p, size_t n);
void text_flush(struct text_stream *t);
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
/* *header is set for SHAPE_HEADER. */
enum shape shape_of(const struct oline *l, const struct header **header);
/* How many of the n bytes are markers, "<IRQ>", and the blanks behind them; a frame may follow. 0:
 * it begins with none. */
size_t markers_length(const char *s, size_t n);
/* Is it "CPU1: stopping", by which a CPU says that it stops for another's panic? */
bool is_stopping(const char *s, size_t n);

/* ---- header.c */
enum header_role {
	HEAD_START,  /* it begins a report */
	HEAD_REFINE, /* it says more of the report before it, and begins one where there is none */
	HEAD_PANIC   /* it is "Kernel panic - not syncing" */
};
struct header {
	/* what the line begins with: "BUG: KASAN: "; or, behind a '*', what stands somewhere in it
	 */
	const char *text;
	uint8_t kind, role; /* enum report_kind, enum header_role */
	bool certain;       /* nobody but a kernel prints this */
	bool alone;         /* it makes a report even without a trace */
};
/* Do the n bytes at s begin with words that nobody but a kernel prints of what happened? Unlike
 * header_find() it looks at how they begin alone, and is quick. */
bool header_begins(const char *s, size_t n);
/* Has a line the words of some header? Most have not, and need not be compared with each. */
bool header_hinted(const char *s, size_t n);
/* Puts into ret, at most max, strings of which every line that header_find() knows has one, but for
 * warnings that have a condition before their place: those have ".c:" or ".h:" or ".rs:". Returns
 * how many there are. */
size_t header_cues(const char **ret, size_t max);
/* The kind of header that the line is; NULL: it is none. */
const struct header *header_find(const char *s, size_t n);
/* Where in a warning's line the n bytes at s have its "FILE:LINE", behind "WARNING: ", "WARNING: at
 * " or "WARNING: [CONDITION] "; 0: it has none. */
size_t warning_location(const char *s, size_t n);
/* How many bytes of the n at s, words of subsystems and frames of brackets, stand before what is
 * said. */
size_t header_preface(const char *s, size_t n);
/* headline.c: puts the facts that the header line h, the n bytes at s, states into r. */
void header_facts(struct report *r, const struct header *h, const char *s, size_t n);

/* ---- frames.c */
/* Reads the frames in a line, at most two, and returns how many there are. ARM's old lines have
 * two:
 * "[<c0>] (f+0x1/0x2) from [<c1>] (g+0x3/0x4)"; and what was inlined into f stands before it in
 * "f (x.h:4 f.c:77)". Names are in the arena. */
size_t frames_parse(struct arena *a, const char *s, size_t n, struct report_frame *ret);
/* Reads "<ffffffff80123456>{:mod:func+12}", of which x86_64 printed several in a line until 2.6.17,
 * and returns how many bytes it takes; 0: there is none at s. */
size_t frame_braced(struct arena *a, const char *s, size_t n, struct report_frame *f);
/* Reads "func+0x1/0x2 [mod]" at s, no further than stop, and sets *end to where that ends. */
bool frame_symbol(struct arena *a, const char *s, const char *stop, struct report_frame *f,
		  const char **end);
/* Reads the "file.c:12" behind a frame's symbol, if it is there. */
void frame_source(struct arena *a, const char *s, const char *end, struct report_frame *f);
/* Reads "f file.c:12 [inline]" and "f (file.c:12)", as scripts write frames that had an offset. */
bool frame_sourced(struct arena *a, const char *s, const char *end, struct report_frame *f);
/* Does the line look like one with a frame? */
bool frame_looks(const char *s, size_t n);

/* ---- facts.c */
/* Reads all lines of r that are its own, and sets what they say. */
void facts_read(struct report *r);

/* ---- fact_line.c */
/* Sets in r what a line says that is known by a few words of it, as "Hardware name: ". */
void fact_line_read(struct report *r, const char *s, size_t n);
/* What the text says first counts. */
static inline void fact_arch(struct report *r, const char *arch)
{
	if (!r->arch)
		r->arch = arch;
}

/* ---- rest.c */
/* Judges what is left of a report without its first lines, and sets its kind and headless where it
 * is one still. pc_line, cpu_line, ended: a line of the program counter, of the process, a mark of
 * its end were there. facts_read() comes before. */
void rest_judge(struct report *r, bool pc_line, bool cpu_line, bool ended);

/* ---- process.c */
/* Reads "[Kdump: loaded ]{Not tainted|Tainted: FLAGS} RELEASE #N ..." at p. */
void taint_release(struct report *r, const char *p, const char *end);
void set_pid(struct report *r, const char *p, const char *end);
/* Takes the process from "comm/pid", which ends at end, unless one is known; a name may hold
 * slashes and blanks. */
void set_process(struct report *r, const char *s, const char *end);
/* Reads "CPU: 3 PID: 1 Comm: a Not tainted 6.1.0 #1" and its older forms. */
void facts_cpu(struct report *r, const char *s);

/* ---- inference.c */
/* Sets what follows from the lines that were read: the architecture, the address and the access of
 * a fault, which frame is the program counter. */
void facts_infer(struct report *r);

/* ---- locks.c */
/* Reads one of lockdep's lines, each in its turn, into r->chain and r->usage. */
struct lock_reader {
	enum lock_role next; /* of the lock that the next line names */
	bool inlined;        /* the last line had an inlined place: the next one has the function */
};
void locks_read(struct report *r, struct lock_reader *l, const char *s, size_t n);
/* Takes the kernel's release from the line at s, one of lockdep's own before any trace: "3.1.0 #1",
 * "6.1.55 #7 Not tainted". Other lines, and a release that is known, change nothing. */
void locks_release(struct report *r, const char *s, const char *end);

/* ---- torn.c */
/* Looks for lines that lost or gained bytes, and for lines of a second process; sets garbled, torn
 * and mixed. multi says that the report's kind has traces of other tasks. facts_read() comes
 * before. */
void torn_find(struct report *r, bool multi);

/* ---- woven.c */
/* Says what shows that the lines of a second report stand among those of r; NULL: nothing does.
 * facts_read() comes before. */
const char *woven_find(const struct report *r);
/* Takes back what the lines before the first trace of such a report tell twice, and not alike:
 * whose it is nobody can say. Sets r->rival to the function of a second program counter there. */
void woven_forget(struct report *r);

/* ---- registers.c */
/* Does the line look like one of registers? */
bool registers_look(const char *s, size_t n);
/* Adds the registers of the line to r->regs. */
void registers_read(struct report *r, const char *s, size_t n);
/* The architecture whose registers a line has, as uname -m; NULL: their names are not those of one.
 */
const char *registers_arch(const char *s, size_t n);
/* "ppc" or "ppc64", by the width of the number at p, no further than end. */
const char *powerpc_of(const char *p, const char *end);
/* What the registers and error codes of a fault say of the access: "read", "write" or "execute";
 * NULL: they do not say. */
const char *registers_access(const struct report *r);
/* Reads a line that names the program counter. True: *f is set. *arch is set in any case, to the
 * architecture that has such lines or to NULL; *user to whether the counter is a program's. */
bool pc_parse(struct arena *a, const char *s, size_t n, struct report_frame *f, const char **arch,
	      bool *user);

/* ---- scan.c: words and numbers in a span of text */
/* Do the n bytes at s begin with prefix? */
bool has_prefix(const char *s, size_t n, const char *prefix);
/* Where `what` stands in the n bytes at s; NULL: nowhere. */
const char *find_text(const char *s, size_t n, const char *what);
/* number_take() from s to stop. *end is behind the number, or s when there is none, and the number
 * is 0 then. */
uint64_t number_hex(const char *s, const char *stop, const char **end);
bool number_dec(const char *s, const char *stop, uint64_t *ret, const char **end);
/* The text from s to end without the blanks around it, in the report's arena. */
const char *words_copy(struct report *r, const char *s, const char *end);
/* Where the first blank from s on is, or end. */
const char *word_end(const char *s, const char *end);
/* Where the text behind `what` begins; NULL: it is not there. */
const char *text_after(const char *s, const char *end, const char *what);

#endif
