/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw memory as records: words, characters or symbols, and in place of what is absent its reason.
 */
#ifndef OBIT_MEMORY_RECORD_H
#define OBIT_MEMORY_RECORD_H

#include "core/base/buf.h"
#include "core/linux/memory/user.h"
#include "core/shell/command.h"

extern const struct record_kind memory_kind, memory_copy_kind;

/* What is read, and how it is shown. */
struct memory_dump {
	struct ctx *c;
	uint64_t at, left; /* where; how many words, or with `file` and in memory_text() bytes */
	unsigned word;     /* bytes: 1, 2, 4, 8 */
	bool phys;         /* the address is physical */
	bool dec, udec;    /* decimal in place of hexadecimal: signed, unsigned */
	bool symbolic;     /* an address of a symbol is shown as that */
	unsigned slab;     /* an address of a slab object as "[cache]"; 2: "[address:cache]" */
	bool swap;         /* the bytes of each word the other way round */
	bool plain;        /* no characters beside the words */
	struct user_space user; /* t NULL: none; else the address is one of this task's */

	/* private */
	bool some;             /* a word was shown */
	uint64_t hole, hole_n; /* a run of absent bytes not yet shown */
	struct err why;
};

/* Emits a record for each line. Where not one word can be read, that is the error. */
bool memory_words(struct memory_dump *w, struct err *err) MUST_CHECK;
/* As characters; until_end: up to the first that does not print. */
bool memory_text(struct memory_dump *w, bool until_end, struct err *err) MUST_CHECK;
/* The bytes into a file; it ends before the first that is absent, and that is an error. */
bool memory_file(struct memory_dump *w, const char *path, struct err *err) MUST_CHECK;

#endif
