/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types that came with a BPF map: BTF, as the documentation of the format has it
 * (Documentation/bpf/btf.rst). */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/types/value.h"
#include "core/linux/bpf/bpf.h"
#include "core/image/btf_image.h"

#define BLOB_MAX ((size_t)16 << 20)
#define NEST_MAX 32u

struct blob {
	struct target *t;
	struct btf_image im;
	struct type **made; /* by id */
};

static bool open_blob(struct blob *b, struct span s, struct err *err)
{
	struct err why;

	if (!btf_image_open(s, NULL, b->t->scratch, &b->im, &why))
		return err_set(err, ERR_CORRUPT, "a map's types: %s", why.msg);
	b->made = ARENA_ARRAY(b->t->scratch, struct type *, b->im.n);
	return true;
}

static const char *string_at(const struct blob *b, uint32_t off)
{
	const char *s = btf_image_name(&b->im, off);

	return s && *s ? arena_strdup(&b->t->arena, s) : NULL;
}

static bool make_type(struct blob *b, uint32_t id, unsigned depth, struct type **ret,
		      struct err *err);

static bool make_target(struct blob *b, struct type *type, uint32_t id, unsigned depth,
			struct err *err)
{
	struct type *to;

	if (!make_type(b, id, depth + 1, &to, err))
		return false;
	type->target = to;
	return true;
}

static bool make_members(struct blob *b, struct type *type, const struct btf_type *bt,
			 unsigned depth, struct err *err)
{
	type->n_members = btf_vlen(bt);
	type->members = ARENA_ARRAY(&b->t->arena, struct member, type->n_members + 1);
	for (size_t i = 0; i < type->n_members; i++) {
		const struct btf_member *m = btf_members(bt) + i;
		struct member *to = &type->members[i];
		struct type *of;

		if (!make_type(b, m->type, depth + 1, &of, err))
			return false;
		to->name = string_at(b, m->name_off);
		to->type = of;
		to->bit_off = btf_member_bit_offset(bt, (uint32_t)i);
		to->bit_size = (uint16_t)btf_member_bitfield_size(bt, (uint32_t)i);
		if ((to->bit_off + 7) / 8 + (to->bit_size ? 0 : of->size) > type->size)
			return err_set(err, ERR_CORRUPT, "a member lies outside of its struct");
	}
	return true;
}

static void make_enums(struct blob *b, struct type *type, const struct btf_type *bt)
{
	type->is_signed = btf_kflag(bt);
	type->n_enums = btf_vlen(bt);
	type->enums = ARENA_ARRAY(&b->t->arena, struct enumerator, type->n_enums + 1);
	for (size_t i = 0; i < type->n_enums; i++) {
		const struct btf_enum *e = btf_enum(bt) + i;
		const char *name = string_at(b, e->name_off);

		type->enums[i].name = name ? name : "?";
		type->enums[i].value = (uint64_t)(int64_t)e->val;
	}
}

static bool make_array(struct blob *b, struct type *type, const struct btf_type *bt, unsigned depth,
		       struct err *err)
{
	if (!make_target(b, type, btf_array(bt)->type, depth, err))
		return false;
	type->count = btf_array(bt)->nelems;
	type->size = type->count * type->target->size;
	return type->size <= VALUE_MAX ||
	       err_set(err, ERR_LIMIT, "an array of %" PRIu64 " bytes", type->size);
}

static const enum type_kind kinds[] = {
	[BTF_KIND_INT] = TYPE_INT,           [BTF_KIND_PTR] = TYPE_POINTER,
	[BTF_KIND_ARRAY] = TYPE_ARRAY,       [BTF_KIND_STRUCT] = TYPE_STRUCT,
	[BTF_KIND_UNION] = TYPE_UNION,       [BTF_KIND_ENUM] = TYPE_ENUM,
	[BTF_KIND_FWD] = TYPE_FORWARD,       [BTF_KIND_TYPEDEF] = TYPE_TYPEDEF,
	[BTF_KIND_VOLATILE] = TYPE_VOLATILE, [BTF_KIND_CONST] = TYPE_CONST,
	[BTF_KIND_RESTRICT] = TYPE_RESTRICT, [BTF_KIND_FLOAT] = TYPE_FLOAT,
	[BTF_KIND_TYPE_TAG] = TYPE_CONST, /* a note on a type, which says nothing of the data */
};

/* What stands behind a pointer is not followed: it is no memory of the map's. */
static bool fill_type(struct blob *b, struct type *type, const struct btf_type *bt, unsigned depth,
		      struct err *err)
{
	struct type *nothing;
	uint32_t how;

	switch (btf_kind(bt)) {
	case BTF_KIND_INT:
		how = btf_int_encoding(bt);
		type->is_signed = how & BTF_INT_SIGNED;
		type->kind = how & BTF_INT_BOOL ? TYPE_BOOL
			     : type->size == 1 && type->name && strstr(type->name, "char")
				     ? TYPE_CHAR
				     : TYPE_INT;
		return type->size <= 16 ||
		       err_set(err, ERR_CORRUPT, "a number of %" PRIu64 " bytes", type->size);
	case BTF_KIND_PTR:
		nothing = ARENA_NEW(&b->t->arena, struct type);
		*nothing =
			(struct type){ .kind = TYPE_VOID, .filled = true, .source = type->source };
		type->size = 8;
		type->target = nothing;
		return true;
	case BTF_KIND_ARRAY:
		return make_array(b, type, bt, depth, err);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return make_members(b, type, bt, depth, err);
	case BTF_KIND_ENUM:
		make_enums(b, type, bt);
		return true;
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		if (!make_target(b, type, bt->type, depth, err))
			return false;
		type->size = type->target->size;
		return true;
	default:
		return true;
	}
}

static bool make_type(struct blob *b, uint32_t id, unsigned depth, struct type **ret,
		      struct err *err)
{
	static const char origin[] = "BTF of a BPF map";
	struct type_source *source;
	const struct btf_type *bt;
	struct type *type;
	unsigned kind;

	bt = btf_image_type(&b->im, id);
	if (!bt)
		return err_set(err, ERR_NOTYPE, "a map's types have no number %u", id);
	if (depth > NEST_MAX)
		return err_set(err, ERR_LIMIT, "types nested more than %u deep", NEST_MAX);
	if (b->made[id]) {
		*ret = b->made[id];
		return (*ret)->filled || err_set(err, ERR_CORRUPT, "a type contains itself");
	}
	kind = btf_kind(bt);
	if (kind >= ARRAY_SIZE(kinds) || (!kinds[kind] && kind != BTF_KIND_INT))
		return err_set(err, ERR_UNSUPPORTED, "a map's type of kind %u", kind);
	type = b->made[id] = ARENA_NEW(&b->t->arena, struct type);
	source = ARENA_NEW(&b->t->arena, struct type_source);
	source->origin = origin;
	source->t = b->t;
	type->kind = kinds[kind];
	type->source = source;
	type->id = id;
	type->name = string_at(b, bt->name_off);
	if (kind == BTF_KIND_INT || kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION ||
	    kind == BTF_KIND_ENUM || kind == BTF_KIND_FLOAT)
		type->size = bt->size;
	if (type->size > VALUE_MAX)
		return err_set(err, ERR_LIMIT, "a type of %" PRIu64 " bytes", type->size);
	if (!fill_type(b, type, bt, depth, err))
		return false;
	type->filled = true;
	*ret = type;
	return true;
}

bool bpf_type_parse(struct target *t, struct span blob, uint32_t id, const struct type **ret,
		    struct err *err)
{
	struct blob b = { .t = t };
	struct type *type;

	if (!open_blob(&b, blob, err) || !make_type(&b, id, 0, &type, err))
		return false;
	*ret = type;
	return true;
}

bool bpf_type(struct target *t, uint64_t btf, uint32_t id, const struct type **ret, struct err *err)
{
	uint64_t data, size;
	struct span s;

	return field_u64(t, "struct btf", btf, "data", &data, err) &&
	       field_u64(t, "struct btf", btf, "data_size", &size, err) &&
	       mem_bytes(t, data, size, BLOB_MAX, t->scratch, &s, err) &&
	       bpf_type_parse(t, s, id, ret, err);
}
