/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical memory made of stretches of files: bytes as they lie there, zeros, packed blocks. */
#ifndef OBIT_RAMMAP_H
#define OBIT_RAMMAP_H

#include "core/image/target.h"

/* A packed block unpacks to at most this. */
#define RAMMAP_BLOCK 65536u

struct rammap;

/* Begins the target's map, which is its dump from now on. ERR_USAGE: it has one already. The format
 * and the file live as long as the target. */
bool rammap_begin(struct target *t, struct file *file, const char *format, struct rammap **ret,
		  struct err *err) MUST_CHECK;
/* The target's map when it is of this format, so that more files can be added; else NULL. */
struct rammap *rammap_more(const struct target *t, const char *format);
/* Says that memory is added twice rightly: a page that changed comes again in a stream. */
void rammap_repeats(struct rammap *m);

/* Each adds n bytes of memory, from the physical address pa on; where some were added before, the
 * new ones count. What would reach beyond the address space is cut there. */

/* They lie in the file from offset off on; those behind its end are lost. */
void rammap_data(struct rammap *m, const struct file *file, uint64_t pa, uint64_t n, uint64_t off);
/* They are zeros. */
void rammap_zeros(struct rammap *m, uint64_t pa, uint64_t n);
/* They are what the chunk of a snappy stream holds whose head is at off (readers/dump/snapframe.h),
 * at most RAMMAP_BLOCK. */
void rammap_chunk(struct rammap *m, const struct file *file, uint64_t pa, uint64_t n, uint64_t off);
/* They were in the file once, which was cut before them. */
void rammap_lost(struct rammap *m, uint64_t pa, uint64_t n);

/* Makes the target's memory of what was added, and says which ranges overlap: struct reader.attach
 * of the readers that make maps, which have RAMMAP_RANK. True also when there is no map, or it was
 * done before. ERR_FORMAT: nothing was added. */
#define RAMMAP_RANK (-50)
bool rammap_attach(struct target *t, struct err *err) MUST_CHECK;

#endif
