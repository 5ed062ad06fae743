/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BTF's records where they lie. */
#include <string.h>

#include "core/base/mapping.h"
#include "core/base/vec.h"
#include "core/image/btf_image.h"

#define TYPES_MAX 16000000u /* 12 bytes each at least */
#define TYPE_BYTES 24u      /* of one, with its tail: more than that in all kernels */

/* What is behind a record's head, by its kind: bytes, and bytes for each of its parts. */
struct tail {
	uint8_t fixed, each;
};
static const struct tail tails[] = {
	[BTF_KIND_INT] = { sizeof(uint32_t), 0 },
	[BTF_KIND_PTR] = { 0, 0 },
	[BTF_KIND_ARRAY] = { sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { 0, sizeof(struct btf_enum) },
	[BTF_KIND_FWD] = { 0, 0 },
	[BTF_KIND_TYPEDEF] = { 0, 0 },
	[BTF_KIND_VOLATILE] = { 0, 0 },
	[BTF_KIND_CONST] = { 0, 0 },
	[BTF_KIND_RESTRICT] = { 0, 0 },
	[BTF_KIND_FUNC] = { 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_FLOAT] = { 0, 0 },
	[BTF_KIND_DECL_TAG] = { sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_TYPE_TAG] = { 0, 0 },
	[BTF_KIND_ENUM64] = { 0, sizeof(struct btf_enum64) },
};

/* All but the texts are words of 32 bits, in the order of the machine that the types are of: what
 * is of another order than BTF's usual one is a copy from here on. */
static struct span in_order(struct span blob, struct arena *a)
{
	uint8_t *copy;
	uint64_t head, end;

	if (blob.n < sizeof(struct btf_header) || load_be(blob.p, 2) != BTF_MAGIC)
		return blob;
	head = load_be(blob.p + 4, 4);
	end = head + load_be(blob.p + 8, 4) + load_be(blob.p + 12, 4);
	if (head % 4 || head < sizeof(struct btf_header) || end > blob.n)
		return blob;
	copy = memcpy(arena_alloc(a, blob.n), blob.p, blob.n);
	bytes_reverse(copy, 2);
	for (uint64_t at = 4; at + 4 <= end; at += 4)
		bytes_reverse(copy + at, 4);
	return SPAN(copy, blob.n);
}

/* The two parts behind the header. */
static bool take_parts(struct span blob, struct btf_image *im, struct err *err)
{
	uint64_t head, types, types_n, strings, strings_n;

	if (blob.n < sizeof(struct btf_header) || load_le16(blob.p) != BTF_MAGIC ||
	    blob.p[2] != BTF_VERSION)
		return err_set(err, ERR_FORMAT, "it does not begin as BTF of this version does");
	head = load_le32(blob.p + 4);
	types = head + load_le32(blob.p + 8);
	types_n = load_le32(blob.p + 12);
	strings = head + load_le32(blob.p + 16);
	strings_n = load_le32(blob.p + 20);
	if (head < sizeof(struct btf_header) || types % 4 || types + types_n > blob.n ||
	    strings + strings_n > blob.n)
		return err_set(err, ERR_FORMAT, "its parts lie beyond its end");
	im->types_at = types;
	im->strings_at = strings;
	im->types = SPAN(blob.p + types, types_n);
	im->strings = SPAN(blob.p + strings, strings_n);
	if (!strings_n ? !im->base : im->strings.p[strings_n - 1] != '\0')
		return err_set(err, ERR_FORMAT, "its texts do not end");
	return true;
}

typedef VEC(uint32_t) type_offsets;

/* Where each record begins. */
static bool find_types(struct span types, type_offsets *ret, struct err *err)
{
	size_t at = 0;

	vec_reserve(ret, types.n / TYPE_BYTES + 1);
	for (; at < types.n; ret->n++) {
		const struct btf_type *bt = (const void *)(types.p + at);
		size_t left = types.n - at;
		unsigned kind;
		size_t tail;

		if (left < sizeof(*bt) || ret->n == TYPES_MAX)
			return err_set(err, ERR_FORMAT, "record %zu is cut short", ret->n + 1);
		kind = btf_kind(bt);
		if (kind == BTF_KIND_UNKN || kind >= ARRAY_SIZE(tails))
			return err_set(err, ERR_FORMAT,
				       "record %zu is of kind %u, which is not known", ret->n + 1,
				       kind);
		tail = tails[kind].fixed + (size_t)btf_vlen(bt) * tails[kind].each;
		if (left - sizeof(*bt) < tail)
			return err_set(err, ERR_FORMAT, "record %zu is cut short", ret->n + 1);
		vec_reserve(ret, ret->n + 1);
		ret->p[ret->n] = (uint32_t)at;
		at += sizeof(*bt) + tail;
	}
	return true;
}

/* The records as this machine has numbers. */
static struct span in_own_order(struct span types, struct arena *a)
{
	uint8_t *copy;

	if (!machine_is_big())
		return types;
	copy = memcpy(arena_alloc(a, types.n ? types.n : 1), types.p, types.n);
	for (size_t at = 0; at + 4 <= types.n; at += 4)
		bytes_reverse(copy + at, 4);
	return SPAN(copy, types.n);
}

static bool is_odd(uint8_t c)
{
	return c && (c < ' ' || c > '~');
}

/* Sixteen at a time: it is asked of megabytes of names before the first answer, and mostly all are
 * plain. */
static bool all_plain(struct span strings)
{
	typedef uint8_t bytes __attribute__((vector_size(16)));
	bytes odd = { 0 };
	uint64_t halves[2];
	size_t i = 0;

	for (; i + sizeof(odd) <= strings.n; i += sizeof(odd)) {
		bytes c;

		memcpy(&c, strings.p + i, sizeof(c));
		odd |= (bytes)((c < ' ') & (c != 0)) | (bytes)(c > '~');
	}
	for (; i < strings.n; i++)
		odd[0] |= is_odd(strings.p[i]);
	memcpy(halves, &odd, sizeof(halves));
	return !halves[0] && !halves[1];
}

bool btf_image_open(struct span blob, const struct btf_image *base, struct arena *a,
		    struct btf_image *ret, struct err *err)
{
	type_offsets offsets = { 0 };
	bool ok;

	mapping_fetch(blob.p, blob.n);
	*ret = (struct btf_image){ .base = base, .start = base ? base->n : 1 };
	blob = in_order(blob, a);
	if ((uintptr_t)blob.p % 4) /* records are read in place */
		blob.p = memcpy(arena_alloc(a, blob.n), blob.p, blob.n);
	ok = take_parts(blob, ret, err);
	if (ok)
		ret->types = in_own_order(ret->types, a);
	ok = ok && find_types(ret->types, &offsets, err) &&
	     (offsets.n <= UINT32_MAX - ret->start ||
	      err_set(err, ERR_FORMAT, "it has too many records"));
	if (ok) {
		ret->offsets = memcpy(ARENA_ARRAY(a, uint32_t, offsets.n + 1), offsets.p,
				      offsets.n * sizeof(*offsets.p));
		ret->n = ret->start + (uint32_t)offsets.n;
		ret->plain = all_plain(ret->strings);
	}
	vec_release(&offsets);
	return ok;
}

const struct btf_type *btf_image_type(const struct btf_image *im, uint32_t id)
{
	while (id < im->start && im->base)
		im = im->base;
	if (id < im->start || id >= im->n)
		return NULL;
	return (const void *)(im->types.p + im->offsets[id - im->start]);
}

const char *btf_image_name(const struct btf_image *im, uint32_t off)
{
	if (im->base && off < im->base->strings.n)
		return btf_image_name(im->base, off);
	if (im->base)
		off -= (uint32_t)im->base->strings.n;
	return off < im->strings.n ? (const char *)im->strings.p + off : NULL;
}

bool btf_image_is_name(const struct btf_image *im, uint32_t off)
{
	const char *name = btf_image_name(im, off);
	size_t first = im->base ? im->base->strings.n : 0;

	if (!off)
		return true;
	if (im->base && off < first)
		return btf_image_is_name(im->base, off);
	if (!name || (off > first && name[-1])) /* texts follow each other's ends */
		return false;
	for (; !im->plain && *name; name++)
		if (is_odd((uint8_t)*name))
			return false;
	return true;
}

bool btf_image_sane(const struct btf_image *im, uint32_t id)
{
	const struct btf_type *bt = btf_image_type(im, id);

	if (!bt || !btf_image_is_name(im, bt->name_off))
		return false;
	switch (btf_kind(bt)) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_VAR:
		return bt->type < im->n;
	case BTF_KIND_ARRAY:
		return btf_array(bt)->type < im->n;
	default:
		return true;
	}
}
