/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layout of BTF, by the names that its description gives: Documentation/bpf/btf.rst. The header
 * of the C library is as old as the kernel that it was built for, and may know less. What it calls
 * by these names, libbpf's helpers too, stands for this where a test includes <bpf/btf.h> first. */
#ifndef OBIT_BTF_LAYOUT_H
#define OBIT_BTF_LAYOUT_H

#ifndef __LIBBPF_BTF_H

#include <stdbool.h>
#include <stdint.h>

#define BTF_MAGIC 0xeb9f
#define BTF_VERSION 1

struct btf_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len;
	uint32_t type_off, type_len, str_off, str_len; /* behind the header */
};

/* What a record is of. */
enum {
	BTF_KIND_UNKN,
	BTF_KIND_INT,
	BTF_KIND_PTR,
	BTF_KIND_ARRAY,
	BTF_KIND_STRUCT,
	BTF_KIND_UNION,
	BTF_KIND_ENUM,
	BTF_KIND_FWD,
	BTF_KIND_TYPEDEF,
	BTF_KIND_VOLATILE,
	BTF_KIND_CONST,
	BTF_KIND_RESTRICT,
	BTF_KIND_FUNC,
	BTF_KIND_FUNC_PROTO,
	BTF_KIND_VAR,
	BTF_KIND_DATASEC,
	BTF_KIND_FLOAT,
	BTF_KIND_DECL_TAG,
	BTF_KIND_TYPE_TAG,
	BTF_KIND_ENUM64
};

/* Each record begins with this; what follows depends on its kind. */
struct btf_type {
	uint32_t name_off;
	uint32_t info; /* 0-15: how many parts follow; 24-28: the kind; 31: a flag */
	union {
		uint32_t size;
		uint32_t type;
	};
};
struct btf_array {
	uint32_t type, index_type, nelems;
};
struct btf_member {
	uint32_t name_off, type;
	uint32_t offset; /* in bits; with the flag 0-23, and 24-31 the size of a bit-field */
};
struct btf_param {
	uint32_t name_off, type;
};
struct btf_enum {
	uint32_t name_off;
	int32_t val;
};
struct btf_enum64 {
	uint32_t name_off, val_lo32, val_hi32;
};
struct btf_var {
	uint32_t linkage;
};
struct btf_var_secinfo {
	uint32_t type, offset, size;
};
struct btf_decl_tag {
	int32_t component_idx;
};

/* The word behind an integer: 0-7 its bits, 16-23 where they begin, 24-27 how it is meant. */
#define BTF_INT_SIGNED 1
#define BTF_INT_CHAR 2
#define BTF_INT_BOOL 4

static inline uint16_t btf_kind(const struct btf_type *bt)
{
	return bt->info >> 24 & 0x1f;
}
static inline uint16_t btf_vlen(const struct btf_type *bt)
{
	return bt->info & 0xffff;
}
static inline bool btf_kflag(const struct btf_type *bt)
{
	return bt->info >> 31;
}

/* The parts behind a record that is of the kind. */
static inline const struct btf_array *btf_array(const struct btf_type *bt)
{
	return (const void *)(bt + 1);
}
static inline const struct btf_member *btf_members(const struct btf_type *bt)
{
	return (const void *)(bt + 1);
}
static inline const struct btf_param *btf_params(const struct btf_type *bt)
{
	return (const void *)(bt + 1);
}
static inline const struct btf_enum *btf_enum(const struct btf_type *bt)
{
	return (const void *)(bt + 1);
}
static inline const struct btf_enum64 *btf_enum64(const struct btf_type *bt)
{
	return (const void *)(bt + 1);
}
static inline const struct btf_var_secinfo *btf_var_secinfos(const struct btf_type *bt)
{
	return (const void *)(bt + 1);
}
static inline uint32_t btf_int_word(const struct btf_type *bt)
{
	return *(const uint32_t *)(bt + 1);
}
static inline uint8_t btf_int_encoding(const struct btf_type *bt)
{
	return btf_int_word(bt) >> 24 & 0xf;
}
static inline uint8_t btf_int_offset(const struct btf_type *bt)
{
	return btf_int_word(bt) >> 16 & 0xff;
}
static inline uint8_t btf_int_bits(const struct btf_type *bt)
{
	return btf_int_word(bt) & 0xff;
}

static inline uint64_t btf_enum64_value(const struct btf_enum64 *e)
{
	return (uint64_t)e->val_hi32 << 32 | e->val_lo32;
}
/* Of member i: the bit that it begins at, and of a bit-field its size, else 0. */
static inline uint32_t btf_member_bit_offset(const struct btf_type *bt, uint32_t i)
{
	uint32_t offset = btf_members(bt)[i].offset;

	return btf_kflag(bt) ? offset & 0xffffff : offset;
}
static inline uint32_t btf_member_bitfield_size(const struct btf_type *bt, uint32_t i)
{
	return btf_kflag(bt) ? btf_members(bt)[i].offset >> 24 : 0;
}

#endif
#endif
