/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records: what commands emit. Typed fields in; a renderer makes text or JSON lines of them. */
#ifndef OBIT_RECORD_H
#define OBIT_RECORD_H

#include "core/types/value.h"

enum cell_kind {
	CELL_NULL, /* unknown: null in JSON, "-" in text */
	CELL_STR,
	CELL_INT,  /* signed decimal */
	CELL_UINT, /* unsigned decimal */
	CELL_ADDR, /* hexadecimal; a "0x…" string in JSON, 16 bare digits in text as crash prints
		      them */
	CELL_HEX,  /* the same value space as ADDR, printed "0x1f" in both */
	CELL_BOOL,
	CELL_TIME,     /* nanoseconds since boot: an integer in JSON, "[   12.345678]" in text */
	CELL_DURATION, /* nanoseconds: an integer in JSON, "0 00:00:12.345" in text */
	CELL_DATE,     /* nanoseconds since 1970, signed: an integer in JSON, a date in text */
	CELL_SIZE,     /* bytes: an integer in JSON, "16 KB" in text */
	CELL_KIB,      /* bytes: an integer in JSON, whole KiB without a unit in text */
	CELL_DECIMAL,  /* hundredths: the number 0.24 in both, without a last zero: 0.4, 1.0 */
	CELL_VALUE,    /* a typed value: C syntax in text, a tree in JSON */
	CELL_STRS,     /* list of strings */
	CELL_RECORDS,  /* list of records; an array of objects in JSON, nothing in text */
	CELL_FIELDS,   /* cells with names of their own; an object in JSON, nothing in text */
	CELL_ABSENT,   /* memory that cannot be read, with its reason */
	CELL_UNKNOWN /* a fact that is not known, with the reason: "(unknown: ...)" in text; null in
		      * JSON, and a note that names the field */
};

/* What manuals and the schema call a kind of cell: "string", "address", ... */
const char *cell_kind_name(enum cell_kind kind);

struct buf;
struct sink;
struct record;
struct cell;

/* What text shows of a cell where that is more than its kind makes of it. The function reads cells
 * of r (cell is one of them) and what r->of points to, and appends to b; the renderer escapes what
 * came, as a field has it. */
typedef void text_form(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell);

enum field_flag {
	FIELD_JSON = 1,  /* only JSON has it */
	FIELD_RIGHT = 2, /* its column of a table is aligned to the right */
	/* Newlines in it end lines of the text; in any other field they are escaped, so that no
	 * string of a kernel begins a line. LAYOUT_PAIRS puts each of several strings on a line. */
	FIELD_LINES = 4
};

struct record_field {
	const char *name;    /* as in JSON: stable */
	const char *head;    /* column title or label in text; NULL: name in capitals */
	enum cell_kind kind; /* what it normally holds; NULL and ABSENT are always allowed */
	unsigned flags;
	const char *doc; /* one phrase, for the manual and the schema */
	text_form *text; /* NULL: as its kind has it */
};

enum record_layout {
	LAYOUT_TABLE, /* a row of a table, which is printed when a record of another kind follows */
	LAYOUT_LINE,  /* a line made by the kind's template */
	LAYOUT_PAIRS, /* a line "LABEL: text" for each field, the labels aligned to the right */
	LAYOUT_TREE,  /* the value of its CELL_VALUE field as C prints it */
	LAYOUT_OWN,   /* the lines that the kind's own function writes, perhaps none */
	LAYOUT_NONE   /* nothing: other records have said it to people */
};

struct record_kind {
	const char *name; /* the "record" field in JSON */
	const char *doc;
	enum record_layout layout;
	/* The template of LAYOUT_LINE: "#{n:-2} [{sp}] {func}{?module: [{module}]}". {name} stands
	 * for a cell's text, {name:8} for the same aligned to the right in 8 columns, {name:-8} for
	 * the same aligned to the left. {?name:...} is its own text if the cell is neither null,
	 * false nor empty, else nothing. "{{" is a brace. */
	const char *line;
	const struct record_field *fields;
	size_t n_fields;
	/* LAYOUT_OWN: appends the record's lines, each with a newline; it is called with cell NULL
	 */
	text_form *text;
	/* Sets the cells that text does not show and that take time to find out; only renderers
	 * that show every field call it. NULL: emit() is given all cells. */
	void (*complete)(struct record *r);
	/* It is a line for people between records, such as a heading; JSON does not have it. */
	bool is_heading;
};
#define RECORD_FIELDS_MAX 48 /* a test holds every command to it */

struct cell {
	enum cell_kind kind;
	union {
		int64_t i;
		uint64_t u;
		bool b;
		struct {
			const char *s;
			size_t n;
		} str;
		struct {
			const char *const *v;
			size_t n;
		} strs;
		struct {
			const struct record *v;
			size_t n;
		} records;
		struct {
			const struct named_cell *v;
			size_t n;
		} fields;
		struct value value;
		struct {
			uint64_t addr;
			enum err_code why;
		} absent;
		const struct err *unknown;
	};
};

struct named_cell {
	const char *name;
	struct cell cell;
};

/* What a record means to somebody who skims a screen: text shows it by a colour, where there are
 * any. It tells nothing that the record does not say in words. */
enum meaning {
	MEANING_NONE,
	MEANING_HEADING, /* of what follows; that of a kind with is_heading unless said */
	MEANING_NOTE,
	MEANING_OK,
	MEANING_WARNING,
	MEANING_FAILURE,
	MEANING_GUESS,
	MEANING_PANIC, /* of the task, or the stack, that the kernel died in */
	MEANING_ERROR
};

/* One record. Strings are not copied: they must live until the command ends. */
struct record {
	const struct record_kind *kind;
	const void *of;  /* what it tells of, for the functions of its kind; may be NULL */
	unsigned indent; /* blanks that text sets before its line, as in a tree; LAYOUT_LINE */
	bool headless;   /* text leaves out the head of the table that it begins */
	enum meaning meaning;
	struct cell cells[RECORD_FIELDS_MAX];
};

/* Makes *r a record of the kind, with all cells CELL_NULL. */
void record_init(struct record *r, const struct record_kind *kind);
/* Each of these sets the cell of a field. */
void record_str(struct record *r, unsigned field, const char *s); /* NULL: null */
void record_strn(struct record *r, unsigned field, const char *s, size_t n);
void record_int(struct record *r, unsigned field,
		int64_t i); /* as the kind of integer that the field is declared to hold */
void record_uint(struct record *r, unsigned field, uint64_t u); /* the same */
/* The date s seconds and ns nanoseconds after 1970; null where 64 bits do not hold it, before 1677
 * and behind 2262. */
void record_date(struct record *r, unsigned field, int64_t s, int64_t ns);
void record_bool(struct record *r, unsigned field, bool b);
void record_value(struct record *r, unsigned field, struct value v);
void record_strs(struct record *r, unsigned field, const char *const *v, size_t n);
void record_records(struct record *r, unsigned field, const struct record *v, size_t n);
void record_fields(struct record *r, unsigned field, const struct named_cell *v, size_t n);
void record_absent(struct record *r, unsigned field, const struct err *why);
/* Sets it to CELL_UNKNOWN; *why must live as long as the record. */
void record_unknown(struct record *r, unsigned field, const struct err *why);

/* How values are printed, by the session's settings and the command's options. */
struct value_style {
	unsigned radix;     /* 10 or 16 for integers; 0: the default, 10 */
	unsigned depth;     /* levels of nesting shown; 0: DEPTH_MAX */
	unsigned array_max; /* elements shown; 0: 200 */
	char form;          /* numbers as gdb's letter says: x d u t o c a z; 0: as their types */
	bool raw;           /* its bytes, not what they mean */
	bool flat;          /* all of it on one line, for the cell of a table */
	bool labelled;      /* "name = " stands before it, so "struct foo" is left out */
	unsigned indent;    /* how deep its lines are indented, in levels of two blanks */
};

/* Where records go: a session has one sink, which makes text or JSON lines of them. */
struct sink {
	struct target *t;
	struct value_style style;
	bool colour;    /* of text: records are coloured by what they mean */
	bool links;     /* of text: places in sources are links */
	bool ascii;     /* what is not ASCII is escaped */
	unsigned width; /* columns of the terminal; 0: unlimited */
	/* takes the finished text; false: its reader has gone away (EPIPE) */
	bool (*write)(void *self, const char *s, size_t n);
	/* Told before the head of a table is written; NULL: nobody cares. */
	void (*head)(void *self);
	void *self;
	const struct sink_ops *ops;
	void *state; /* the renderer's own */
};
struct sink_ops {
	/* People read what it makes: an unknown cell says in its place why it is, and emit() makes
	 * no note of it. */
	bool for_people;
	void (*record)(struct sink *k, const struct record *r);
	/* prints, among the records, that something cannot be read */
	void (*note)(struct sink *k, const struct err *why);
	/* prints lines of prose; JSON makes {"record":"text"} of each */
	void (*text)(struct sink *k, const char *s);
	void (*flush)(struct sink *k); /* called at a command's end: prints a pending table */
	void (*release)(struct sink *k);
	/* In two steps, of which another process may do the first: appends to `to` what becomes of
	 * a record, and prints, as record() does, what the n bytes at s were made of. NULL: there
	 * are no such steps. */
	void (*make)(struct sink *k, const struct record *r, struct buf *to);
	void (*made)(struct sink *k, const struct record_kind *kind, bool headless, const char *s,
		     size_t n);
};
extern const struct sink_ops render_text, render_json;

/* Append a value as C would write it, and as JSON. */
void value_to_text(struct buf *b, struct target *t, struct value v,
		   const struct value_style *style);
void value_to_json(struct buf *b, struct target *t, struct value v,
		   const struct value_style *style);

#endif
