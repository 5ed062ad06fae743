/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the bytes of a record mean, whichever way they were stored. */
#ifndef OBIT_PSTORE_RECORD_H
#define OBIT_PSTORE_RECORD_H

#include "core/image/target.h"

/* Most records of one run. */
#define RECORDS_MAX 65536u
/* Most decoded text of one run. */
#define TEXT_BUDGET ((uint64_t)512 << 20)

/* Adds a record; NULL when there are RECORDS_MAX already (warned once). */
struct survivor *record_add(struct target *t, enum survivor_type type, const char *backend,
			    const char *path);

/*
 * Each takes the stored bytes, oldest first, and fills in what they say; s->stored must live as
 * long as the target. `good`: bytes before the first that damage may have touched; SIZE_MAX: all
 * are good. A failure becomes s->damage, never an error.
 */
/* A log without the header line "====time-C" of ramoops: packed, plain, or to be found out. */
enum packing {
	PACKED,
	PLAIN,
	PACKED_MAYBE
};
void record_dmesg(struct target *t, struct survivor *s, struct span payload, enum packing packing,
		  size_t good);
/* Records of 24, 16 or 12 bytes of the kernel's byte order, the first perhaps cut at its front. */
void record_ftrace(struct target *t, struct survivor *s, bool big);
/* By s->type. */
void record_fill(struct target *t, struct survivor *s, size_t good);

/* Takes "\nECC: ..." off the end, which the kernel adds to what it reads, and keeps its numbers. */
void record_strip_notice(struct survivor *s);

/* Adds to s->damage, "; " between. */
void record_damage(struct target *t, struct survivor *s, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* "====1795258276.040059-C\n" (fs/pstore/ram.c); *compressed -1 when it does not say. */
bool dmesg_header(struct span s, int64_t *sec, uint32_t *us, int *compressed, size_t *n);
/* Could a person read most of it? */
bool looks_text(struct span s);

#endif
