/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: a fixed struct on the caller's stack, a code for programs and a message for people. */
#ifndef OBIT_ERR_H
#define OBIT_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A function that can fail is `bool f(..., T *ret, struct err *err)`: true means *ret is set and
 * *err is untouched; false means *err says why and *ret is not to be used. err is never NULL.
 */
#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))

enum err_code {
	ERR_OK,
	ERR_USAGE,       /* the person asked for something that makes no sense */
	ERR_IO,          /* the operating system refused */
	ERR_FORMAT,      /* bytes that are not what their format says */
	ERR_UNSUPPORTED, /* understood, and not done here */
	ERR_LIMIT,       /* a stated limit was reached */
	ERR_INTR,        /* Ctrl-C */
	ERR_NEED,        /* an input that would answer this is not loaded */
	ERR_MISMATCH,    /* two inputs do not belong together */
	ERR_NOTFOUND,    /* nothing of that name, pid or number */
	ERR_NOSYM,       /* no such symbol */
	ERR_NOTYPE,      /* no such type */
	ERR_NOFIELD,     /* the type has no such member */
	/* why memory is absent; each is printed in place, see err_absent_name() */
	ERR_EXCLUDED,   /* the dumper left this page out on purpose */
	ERR_TRUNCATED,  /* the file ends before this page */
	ERR_NOTRAM,     /* no memory at this physical address */
	ERR_UNMAPPED,   /* no page table entry maps this virtual address */
	ERR_NOPGTABLE,  /* a page of the page tables itself cannot be read */
	ERR_BADADDR,    /* not an address the kernel could use */
	ERR_CORRUPT,    /* the page is there and its data is damaged */
	ERR_UNREADABLE, /* the file shrank after it was opened, or its disk failed */
	ERR_CODES
};

struct err {
	enum err_code code;
	uint64_t addr; /* the address concerned, 0 when none */
	char msg[240]; /* lower case, no full stop, subject in single quotes */
};

/* Sets the code and the message of *err, and returns false: a function fails by `return
 * err_set(...)`. addr becomes 0. */
bool err_set(struct err *err, enum err_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same for a failure at the address addr. */
bool err_set_addr(struct err *err, enum err_code code, uint64_t addr, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* The same for a failed system call: ERR_IO, and the message ends with what strerror() says of
 * errno. */
bool err_set_errno(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Puts context in front of the message of *err, as in "task 1: not in RAM", and returns false. The
 * code and the address stay. */
bool err_wrap(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The stable name of a code, as JSON notes carry it in "reason": "excluded", "truncated", ... */
const char *err_code_name(enum err_code code);
/* True for the codes that say why memory is absent. */
bool err_is_absent(enum err_code code);
/* True for a symbol, a type or a member that this kernel does not have, or whose name is damaged.
 */
bool err_is_lack(enum err_code code);
/* What stands in the place of absent memory, without brackets: "excluded page", "not in RAM", ...
 */
const char *err_absent_text(enum err_code code);

#endif
