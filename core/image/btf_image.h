/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BTF's records where they lie: libbpf would copy megabytes of them before the first question, and
 * its 1.1 does not export the way to a module's. Its header has the layout of the records.
 * Source: Documentation/bpf/btf.rst. */
#ifndef OBIT_BTF_IMAGE_H
#define OBIT_BTF_IMAGE_H

#include <bpf/btf.h>

#include "core/base/arena.h"
#include "core/base/bytes.h"

struct btf_image {
	const struct btf_image
		*base; /* the kernel's, of a module's: its ids and texts go on from there */
	struct span types, strings; /* the texts end in NUL */
	const uint32_t *offsets;    /* of the records, by id - start */
	uint32_t start, n;          /* ids of its own: [start, n) */
	bool plain;                 /* no text has a character that names have not */
};

/* blob and base must outlive ret; the rest is in the arena. Every record's parts lie within it.
 * ERR_FORMAT. */
bool btf_image_open(struct span blob, const struct btf_image *base, struct arena *a,
		    struct btf_image *ret, struct err *err) MUST_CHECK;
/* NULL: no such id; 0, which is void, among them. */
const struct btf_type *btf_image_type(const struct btf_image *im, uint32_t id);
/* NULL: none. */
const char *btf_image_name(const struct btf_image *im, uint32_t off);
/* Does a text start there, and is it one? So it is of no name, which is 0. */
bool btf_image_is_name(const struct btf_image *im, uint32_t off);
/* Is the name of this type one, and what it refers to a type? Members and parameters are not looked
 * at. */
bool btf_image_sane(const struct btf_image *im, uint32_t id);

#endif
