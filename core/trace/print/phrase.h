/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A print_fmt made a list of steps, which print an event without asking what its format was:
 * private to core/trace. */
#ifndef OBIT_TRACE_PHRASE_H
#define OBIT_TRACE_PHRASE_H

#include "core/base/buf.h"
#include "core/trace/trace.h"

struct tep_event;

/* Compiles what libtraceevent made of a print_fmt, for records of the recording. Everything is in
 * arena a. NULL: there is something in it that phrases do not know, such as a mask of CPUs, and
 * libtraceevent has to print it. */
struct phrase;
struct phrase *phrase_compile(struct tep_event *event, const struct recording *rec,
			      struct arena *a);
/* Appends an event's words as libtraceevent would, without the line's ends behind them, but for
 * text that lacks its NUL, which ends with the record. data is the record, to the end of its last
 * field of known place at least. False: what is in the record cannot be computed, such as a
 * division by zero; what was appended stays. */
bool phrase_put(const struct phrase *ph, struct buf *b, struct span data);

/* ---- what it consists of, for phrase_parse.c */

/* A number: a tree of what it is computed of, as deep as PHRASE_DEPTH_MAX. All of it is computed in
 * 64 bits, and fields are without a sign, as libtraceevent does it. */
#define PHRASE_DEPTH_MAX 32u
enum phrase_op {
	PHRASE_CONSTANT, /* value */
	PHRASE_FIELD,    /* of size bytes at offset; 0 where the record is too short */
	PHRASE_ELEMENT,  /* the same at offset + size * left */
	PHRASE_LENGTH,   /* in bytes, of the dynamic array whose place is at offset */
	PHRASE_MASK,     /* left & value */
	PHRASE_EITHER,   /* left ? right : other */
	PHRASE_NOT,
	PHRASE_INVERSE,
	PHRASE_AND,
	PHRASE_OR,
	PHRASE_BITS_AND,
	PHRASE_BITS_OR,
	PHRASE_EQUAL,
	PHRASE_UNEQUAL,
	PHRASE_LESS,
	PHRASE_LESS_EQUAL,
	PHRASE_MORE,
	PHRASE_MORE_EQUAL,
	PHRASE_LEFT,
	PHRASE_RIGHT,
	PHRASE_PLUS,
	PHRASE_MINUS,
	PHRASE_TIMES,
	PHRASE_DIVIDED,
	PHRASE_REMAINDER
};
struct phrase_number {
	enum phrase_op op;
	uint32_t offset, size;
	uint64_t value;
	const struct phrase_number *left, *right, *other;
};

/* How printf() is told to print one argument. */
struct phrase_form {
	char kind;     /* 'd', 'u', 'x', 'X', 'o' or 's' */
	unsigned bits; /* that are looked at: 8, 16, 32 or 64 */
	unsigned width;
	int precision; /* -1: not given */
	bool left, zero, alternate;
	bool simple; /* it says nothing but its kind */
};

/* A value with a name. */
struct phrase_name {
	uint64_t value;
	const char *name;
	size_t n;
};

enum phrase_kind {
	PHRASE_TEXT,    /* text */
	PHRASE_NUMBER,  /* number, by form */
	PHRASE_STRING,  /* of size bytes at offset, to its NUL; by form */
	PHRASE_DYNAMIC, /* where the word at offset says; by form */
	PHRASE_FLAGS,   /* names of the number's bits, each by form, with text between */
	PHRASE_SYMBOL,  /* the number's name, by form */
	PHRASE_CODE,    /* what is at an address; with `wide`, where in it */
	PHRASE_CHOICE   /* yes if number, else no */
};
struct phrase_step {
	enum phrase_kind kind;
	struct phrase_form form;
	const char *text;
	size_t n; /* of the text */
	uint32_t offset, size;
	bool is_relative, wide;
	const struct phrase_number *number;
	const struct phrase_name *names;
	size_t n_names;
	const struct phrase_step *yes, *no; /* NULL: nothing */
	struct phrase_step *next;
};

struct phrase {
	const struct recording *rec;
	bool swapped; /* the record's numbers are of the other byte order than this machine's */
	struct phrase_step *first;
};

#endif
