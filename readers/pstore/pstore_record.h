/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the bytes of a record mean, whichever way they were stored. */
#ifndef OBIT_PSTORE_RECORD_H
#define OBIT_PSTORE_RECORD_H

#include "core/image/target.h"

/* The most records of one run. */
#define RECORDS_MAX 65536u
/* The most decoded text of one run, in bytes. */
#define TEXT_BUDGET ((uint64_t)512 << 20)

/* Adds a record. NULL: there are RECORDS_MAX already, of which the person is warned once. */
struct survivor *record_add(struct target *t, enum survivor_type type, const char *backend,
			    const char *path);

/*
 * Each of these takes the stored bytes, the oldest first, and sets in *s what they say. s->stored
 * must live as long as the target. `good` is how many bytes stand before the first that may be
 * damaged; SIZE_MAX: none is. A failure becomes s->damage, and never an error.
 */
/* Whether a log, without the header line "====time-C" of ramoops, is packed. */
enum packing {
	PACKED,
	PLAIN,
	PACKED_MAYBE /* its bytes have to tell */
};
void record_dmesg(struct target *t, struct survivor *s, struct span payload, enum packing packing,
		  size_t good);
/* Reads calls of 24, 16 or 12 bytes each, of which the first may be cut at its beginning. big: the
 * kernel's byte order is big-endian. */
void record_ftrace(struct target *t, struct survivor *s, bool big);
/* Reads the bytes as a record of s->type. */
void record_fill(struct target *t, struct survivor *s, size_t good);

/* Takes the notice "\nECC: ..." off the record's end, which the kernel adds to what it reads, and
 * keeps its numbers in *s. */
void record_strip_notice(struct survivor *s);

/* Appends to s->damage, behind a "; " when it has something already. */
void record_damage(struct target *t, struct survivor *s, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Reads the header line that s begins with, "====1795258276.040059-C\n" (fs/pstore/ram.c), of *n
 * bytes. *compressed is set to 1 or 0, or to -1 when the line does not say. False: s begins with
 * none. */
bool dmesg_header(struct span s, int64_t *sec, uint32_t *us, int *compressed, size_t *n);
/* Is most of s text that a person could read? */
bool looks_text(struct span s);

#endif
