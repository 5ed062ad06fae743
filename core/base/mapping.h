/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files mapped into memory, guarded: bytes that cannot be read any more become zeros, and are told
 * of. */
#ifndef OBIT_MAPPING_H
#define OBIT_MAPPING_H

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/stat.h>

#include "core/base/err.h"

/*
 * A file may shrink while it is mapped, and its disk or network may fail: touching such a page is
 * SIGBUS. A handler, there from the first mapping on, puts zeros in place of a page of a mapping
 * made here and remembers that it is lost. Any other SIGBUS ends the program as it always did.
 */

/* Maps n bytes of a file from its beginning, as private memory. fd is asked for the file's size
 * when a page fails, and stays open until mapping_drop(); fd_stays false: it may be closed at once.
 * path, which is copied, is for messages. */
bool mapping_make(int fd, bool fd_stays, const struct stat *st, bool writable, const char *path,
		  void **ret, struct err *err) MUST_CHECK;
void mapping_drop(const void *p, size_t n);

/* Not for use: what mapping_lost() needs. */
extern volatile sig_atomic_t mapping_failures;
bool mapping_find_lost(const void *p, size_t n);

/* Is any of these n bytes known to be lost? To be asked after they were read, for reading finds it
 * out. False for memory that is no mapping. */
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
/* Looks whether a file shrank, and takes the next loss that nobody took yet. False: no more. */
bool mapping_next_loss(struct mapping_loss *ret);

/* Was this file ever mapped here, whatever its name? Inputs are evidence: nothing writes to them.
 */
bool mapping_is_of(const struct stat *st);
/* A file that was looked at, is unmapped, and turned out to be no input after all. */
void mapping_forget(const struct stat *st);

#endif
