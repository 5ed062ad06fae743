/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files mapped into memory, guarded: bytes that cannot be read any more become zeros, and are told
 * of. */
#ifndef OBIT_MAPPING_H
#define OBIT_MAPPING_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>

#include "core/base/bytes.h"
#include "core/base/err.h"

/*
 * A file may shrink while it is mapped, and its disk or network may fail: touching such a page is
 * SIGBUS. A handler, there from the first mapping on, puts zeros in place of a page of a mapping
 * made here and remembers that it is lost. Any other SIGBUS ends the program as it always did.
 */

/*
 * Maps the whole of a file (st->st_size bytes, and st says which file it is) as private memory and
 * sets *ret to it. When a page cannot be read, fd is asked for the file's size; so it must stay
 * open until mapping_drop(). fd_stays false says that the caller may close it before: then the file
 * at path is asked, if it is still the same one. path, which is copied, also stands in messages.
 */
bool mapping_make(int fd, bool fd_stays, const struct stat *st, bool writable, const char *path,
		  void **ret, struct err *err) MUST_CHECK;
/* Unmaps the n bytes at p, which mapping_make() gave. */
void mapping_drop(const void *p, size_t n);
/* Takes what was read of a mapping's n bytes at p out of obit's memory again: of its pages, those
 * that lie wholly within. Who reads them again has them again. Memory that mapping_make() did not
 * give stays. */
void mapping_give_back(const void *p, size_t n);

/*
 * Disks read ahead of who reads a page: 128 KB, and 8 MB in some clouds. So of a mapped file of
 * more than a megabyte single pages are read, until one of these says what will be read.
 */

/* The file mapped at p, n bytes, is read from its beginning to its end: read ahead. */
void mapping_read_on(const void *p, size_t n);
/* All of the n bytes at p will be read soon: their reading begins now. Beyond the first 64 MB they
 * are left to mapping_follow(). */
void mapping_fetch(const void *p, size_t n);

/* Who looks things up here and there, and at times reads on, with look-ups in between: a walk over
 * memory asks page tables for each page. Zero-initialised; several threads may share one. */
#define MAPPING_RUNS 8
struct mapping_stream {
	struct mapping_run {
		_Atomic(uintptr_t) start, end; /* what was read on, up to now */
		_Atomic(uintptr_t) ahead;      /* up to where more was asked for */
		_Atomic(bool) used;
	} runs[MAPPING_RUNS];
	_Atomic(unsigned) hand;
};
/* The n bytes at p, of a file mapped as `all`, are read: where they go on from what was read
 * lately, what follows is asked for, the more the longer that goes on. */
void mapping_follow(struct mapping_stream *s, struct span all, const void *p, size_t n);

/* Not for use: what mapping_lost() needs. */
extern volatile sig_atomic_t mapping_failures;
bool mapping_find_lost(const void *p, size_t n);

/* Is any of the n bytes at p known to be lost? Reading them finds that out, so this is asked after
 * they were read. False for memory that mapping_make() did not give. */
static inline bool mapping_lost(const void *p, size_t n)
{
	atomic_signal_fence(memory_order_seq_cst);
	return mapping_failures && mapping_find_lost(p, n);
}

/* A file of which more is lost than was told of before. */
struct mapping_loss {
	const char *path;
	uint64_t bytes, size; /* lost by now, of the bytes there were when it was opened */
	bool shrunk;          /* false: reading failed */
};
/* Looks whether one of the mapped files shrank, and sets *ret to the next loss that was not handed
 * out yet. False: there is none. */
bool mapping_next_loss(struct mapping_loss *ret);

/* Sets *from and *to to the ends of the i'th stretch of pages that could not be read, from 0; the
 * next i is another one. False: there are no more. A process that was forked has those of before,
 * in front of its own. */
bool mapping_nth_loss(size_t i, const void **from, const void **to);
/* Reads what lies between, if it is mapped here, so that what cannot be read is known: for pages
 * that another process of ours has lost. */
void mapping_look(const void *from, const void *to);

/* Was this file ever mapped here, whatever its name? Inputs are evidence: nothing writes to them.
 */
bool mapping_is_of(const struct stat *st);
/* Nothing is written to any file from now on, nor by a process that is forked; the other one says
 * whether that was said. */
void mapping_forbid_writing(void);
bool mapping_may_write(void);
/* Says that a file that was mapped here, and is not any more, was no input after all: from now on
 * mapping_is_of() is false for it. */
void mapping_forget(const struct stat *st);

#endif
