/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BTF's records where they lie, or in a copy where they are not in this machine's order: libbpf
 * would copy megabytes of them before the first question, and its 1.1 does not export the way to a
 * module's. */
#ifndef OBIT_BTF_IMAGE_H
#define OBIT_BTF_IMAGE_H

#include "core/base/arena.h"
#include "core/base/bytes.h"
#include "core/image/btf_layout.h"

struct btf_image {
	const struct btf_image *base;  /* of a module's BTF the kernel's, whose ids and strings it
					  goes on from; else NULL */
	struct span types, strings;    /* the strings each end in NUL */
	uint64_t types_at, strings_at; /* where they begin in the blob */
	const uint32_t *offsets;       /* where record id begins in types: offsets[id - start] */
	uint32_t start, n;             /* its own ids are start to n - 1 */
	bool plain;                    /* no string has a character that names do not have */
};

/* Reads the heads of all records, and checks that each lies within the blob with all its parts.
 * blob and base must live as long as ret; what else ret needs is in the arena. ERR_FORMAT. */
bool btf_image_open(struct span blob, const struct btf_image *base, struct arena *a,
		    struct btf_image *ret, struct err *err) MUST_CHECK;
/* The record of a type. NULL: there is no such id, or it is 0, which stands for void. */
const struct btf_type *btf_image_type(const struct btf_image *im, uint32_t id);
/* The string at an offset of the strings, "" at 0; NULL: the offset is beyond them. */
const char *btf_image_name(const struct btf_image *im, uint32_t off);
/* May the string at off be a name: does one begin there, and of characters that names have? True
 * for offset 0, which stands for no name. */
bool btf_image_is_name(const struct btf_image *im, uint32_t off);
/* May the type's name be one, and is the id that it refers to that of a type? Members and
 * parameters are not looked at. */
bool btf_image_sane(const struct btf_image *im, uint32_t id);

#endif
