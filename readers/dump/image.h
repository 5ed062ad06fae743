/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A dump's bytes in the order that its format means, wherever in the file they lie. */
#ifndef OBIT_IMAGE_H
#define OBIT_IMAGE_H

#include "core/base/file.h"
#include "core/base/mapping.h"
#include "core/base/vec.h"

/* What is known of a stretch of addresses or of a file. */
enum extent_kind {
	EXTENT_DATA,
	EXTENT_EXCLUDED,
	EXTENT_CUT
};

struct extent {
	uint64_t start, n; /* n addresses, or offsets, from start on */
	uint64_t pos;      /* where its bytes begin in the file */
	enum extent_kind kind;
};

/* Extents, in the order in which they were added until extents_settle(); from then on sorted, and
 * none overlaps another. */
struct extents {
	VEC(struct extent) v;
	size_t hint; /* the last one found */
};

void extents_add(struct extents *x, uint64_t start, uint64_t n, uint64_t pos,
		 enum extent_kind kind);
/* Sorts the extents. Where two overlap, the one that was added later counts. */
void extents_settle(struct extents *x);
/* The extent that contains `at`; NULL: none does. */
const struct extent *extents_find(struct extents *x, uint64_t at);
void extents_release(struct extents *x);

/* A plain file is one extent; a flattened one is many (readers/dump/flat.c). */
struct image {
	struct file *file;
	struct extents x;
	uint64_t size; /* the offset behind the last byte that is known */
	bool flat;
	struct mapping_stream stream;
	bool cut; /* a flattened file without its end mark: bytes that no chunk has may be lost */
};

void image_of_file(struct image *im, struct file *file);
/* Copies n bytes from offset off on. Bytes that no chunk of a flattened file has are zeros; in a
 * file that is cut they may have been lost, and image_has() says so. ERR_TRUNCATED: they reach
 * beyond im->size. ERR_UNREADABLE. */
bool image_read(struct image *im, uint64_t off, void *buf, size_t n, struct err *err) MUST_CHECK;
/* The same bytes where they lie; NULL: they do not lie one behind the other. */
const uint8_t *image_map(struct image *im, uint64_t off, size_t n);
/* Sets *ret to n bytes from off on, where they lie or copied to the arena. ERR_LIMIT: n is above
 * max. */
bool image_bytes(struct image *im, uint64_t off, uint64_t n, uint64_t max, struct arena *a,
		 struct span *ret, struct err *err) MUST_CHECK;
/* Are all n bytes from off on there? Those that no chunk has are, unless the file is cut. */
bool image_has(struct image *im, uint64_t off, uint64_t n);
void image_release(struct image *im);

struct target;
/* Is the image a dump of this format? And open one: the image, which lives in the arena, is the
 * dump's from then on; when opening fails it is released. */
bool kdump_open(struct target *t, struct image *im, struct err *err) MUST_CHECK;
bool kdump_is(struct image *im);
/* A number that the parts of one split dump share, by their headers alone; 0: the file is no part
 * of one. */
uint64_t kdump_set_of(const struct file *file);
/* The size of the blocks that pages of the target's dump are packed in; 0: it is no kdump. */
uint32_t kdump_block(const struct target *t);
bool elfcore_open(struct target *t, struct image *im, struct err *err) MUST_CHECK;
bool elfcore_is(struct image *im);

#endif
