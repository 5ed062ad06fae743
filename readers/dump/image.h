/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dump's bytes in the order its format means, wherever in the file they lie. */
#ifndef OBIT_IMAGE_H
#define OBIT_IMAGE_H

#include "core/base/file.h"
#include "core/base/vec.h"

/* What is known of a stretch of addresses or of a file. */
enum extent_kind {
	EXTENT_DATA,
	EXTENT_EXCLUDED,
	EXTENT_CUT
};

struct extent {
	uint64_t start, n; /* [start, start + n) */
	uint64_t pos;      /* where its bytes begin in the file */
	enum extent_kind kind;
};

/* In the order they were pushed until extents_settle(), then sorted and disjoint. */
struct extents {
	VEC(struct extent) v;
	size_t hint; /* the last one found */
};

void extents_add(struct extents *x, uint64_t start, uint64_t n, uint64_t pos,
		 enum extent_kind kind);
/* Where two overlap, the later pushed one wins. */
void extents_settle(struct extents *x);
/* The extent that contains at, or NULL. */
const struct extent *extents_find(struct extents *x, uint64_t at);
void extents_release(struct extents *x);

/* A plain file is one extent; a flattened one is many (readers/dump/flat.c). */
struct image {
	struct file *file;
	struct extents x;
	uint64_t size; /* one past the last byte known */
	bool flat;
	bool cut; /* a flattened file without its end mark: what is nowhere was lost */
};

void image_of_file(struct image *im, struct file *file);
/* Bytes that no chunk of a flattened file has are zeros; of one that is cut they may be lost ones,
 * which image_has() tells. ERR_TRUNCATED from im->size on; ERR_UNREADABLE. */
bool image_read(struct image *im, uint64_t off, void *buf, size_t n, struct err *err) MUST_CHECK;
/* The same in place, or NULL where they do not lie together. */
const uint8_t *image_map(struct image *im, uint64_t off, size_t n);
/* In place where possible, else copied to the arena; more than max bytes is ERR_LIMIT. */
bool image_bytes(struct image *im, uint64_t off, uint64_t n, uint64_t max, struct arena *a,
		 struct span *ret, struct err *err) MUST_CHECK;
/* Are all of n bytes from off there? In a file that is not cut, holes are. */
bool image_has(struct image *im, uint64_t off, uint64_t n);
void image_release(struct image *im);

struct target;
/* Open a dump of this format; the image, which lives in the arena, becomes the dump's, or is
 * released. */
bool kdump_open(struct target *t, struct image *im, struct err *err) MUST_CHECK;
bool kdump_is(struct image *im);
bool elfcore_open(struct target *t, struct image *im, struct err *err) MUST_CHECK;
bool elfcore_is(struct image *im);

#endif
