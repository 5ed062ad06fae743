/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types that came with a BPF map: BTF, as the documentation of the format has it
 * (Documentation/bpf/btf.rst). */
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/bpf.h"

#define BLOB_MAX ((size_t)16 << 20)
#define TYPES_MAX 65536u
#define NEST_MAX 32u
#define HEADER_SIZE 24u
#define MAGIC 0xeb9fu

enum {
	BTF_INT = 1,
	BTF_PTR,
	BTF_ARRAY,
	BTF_STRUCT,
	BTF_UNION,
	BTF_ENUM,
	BTF_FWD,
	BTF_TYPEDEF,
	BTF_VOLATILE,
	BTF_CONST,
	BTF_RESTRICT,
	BTF_FUNC,
	BTF_FUNC_PROTO,
	BTF_VAR,
	BTF_DATASEC,
	BTF_FLOAT,
	BTF_DECL_TAG,
	BTF_TYPE_TAG,
	BTF_ENUM64
};

struct blob {
	struct target *t;
	const uint8_t *types, *strings;
	size_t n_types_bytes, n_strings;
	uint32_t *offsets; /* of each type, by id; [0] is void */
	uint32_t n;
	struct type **made;
};

static uint32_t u32_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static unsigned kind_of(const uint8_t *p)
{
	return u32_at(p + 4) >> 24 & 0x1f;
}

/* Bytes of a type; 0: of no kind known. */
static size_t size_of(const uint8_t *p)
{
	size_t members = u32_at(p + 4) & 0xffff;

	switch (kind_of(p)) {
	case BTF_INT:
	case BTF_VAR:
	case BTF_DECL_TAG:
		return 16;
	case BTF_ARRAY:
		return 24;
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_DATASEC:
	case BTF_ENUM64:
		return 12 + 12 * members;
	case BTF_ENUM:
	case BTF_FUNC_PROTO:
		return 12 + 8 * members;
	case BTF_PTR:
	case BTF_FWD:
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_FUNC:
	case BTF_FLOAT:
	case BTF_TYPE_TAG:
		return 12;
	default:
		return 0;
	}
}

static bool open_blob(struct blob *b, struct span s, struct err *err)
{
	uint64_t head, types, types_n, strings, strings_n;
	size_t at = 0;

	if (s.n < HEADER_SIZE || (s.p[0] | s.p[1] << 8) != MAGIC)
		return err_set(err, ERR_CORRUPT, "a map's types do not begin as BTF does");
	head = u32_at(s.p + 4);
	types = head + u32_at(s.p + 8);
	types_n = u32_at(s.p + 12);
	strings = head + u32_at(s.p + 16);
	strings_n = u32_at(s.p + 20);
	if (types + types_n > s.n || strings + strings_n > s.n)
		return err_set(err, ERR_CORRUPT, "a map's types go on behind their end");
	b->types = s.p + types;
	b->n_types_bytes = (size_t)types_n;
	b->strings = s.p + strings;
	b->n_strings = (size_t)strings_n;
	b->offsets = ARENA_ARRAY(b->t->scratch, uint32_t, TYPES_MAX);
	for (b->n = 1; at + 12 <= b->n_types_bytes && b->n < TYPES_MAX; b->n++) {
		size_t size = size_of(b->types + at);

		if (!size || size > b->n_types_bytes - at)
			return err_set(err, ERR_CORRUPT, "type %u of a map's types is damaged",
				       b->n);
		b->offsets[b->n] = (uint32_t)at;
		at += size;
	}
	b->made = ARENA_ARRAY(b->t->scratch, struct type *, b->n);
	return true;
}

static const char *string_at(const struct blob *b, uint32_t off)
{
	if (off >= b->n_strings || !b->strings[off])
		return NULL;
	return arena_strndup(&b->t->arena, (const char *)b->strings + off,
			     strnlen((const char *)b->strings + off, b->n_strings - off));
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

static bool make_members(struct blob *b, struct type *type, const uint8_t *p, unsigned depth,
			 struct err *err)
{
	bool bits = u32_at(p + 4) >> 31;

	type->n_members = u32_at(p + 4) & 0xffff;
	type->members = ARENA_ARRAY(&b->t->arena, struct member, type->n_members + 1);
	for (size_t i = 0; i < type->n_members; i++) {
		const uint8_t *m = p + 12 + 12 * i;
		struct member *to = &type->members[i];
		uint32_t off = u32_at(m + 8);
		struct type *of;

		if (!make_type(b, u32_at(m + 4), depth + 1, &of, err))
			return false;
		to->name = string_at(b, u32_at(m));
		to->type = of;
		to->bit_off = bits ? off & 0xffffff : off;
		to->bit_size = bits ? (uint16_t)(off >> 24) : 0;
		if ((to->bit_off + 7) / 8 + (to->bit_size ? 0 : of->size) > type->size)
			return err_set(err, ERR_CORRUPT, "a member lies outside of its struct");
	}
	return true;
}

static void make_enums(struct blob *b, struct type *type, const uint8_t *p)
{
	type->is_signed = u32_at(p + 4) >> 31;
	type->n_enums = u32_at(p + 4) & 0xffff;
	type->enums = ARENA_ARRAY(&b->t->arena, struct enumerator, type->n_enums + 1);
	for (size_t i = 0; i < type->n_enums; i++) {
		const char *name = string_at(b, u32_at(p + 12 + 8 * i));

		type->enums[i].name = name ? name : "?";
		type->enums[i].value = (uint64_t)(int64_t)(int32_t)u32_at(p + 16 + 8 * i);
	}
}

static bool make_array(struct blob *b, struct type *type, const uint8_t *p, unsigned depth,
		       struct err *err)
{
	if (!make_target(b, type, u32_at(p + 12), depth, err))
		return false;
	type->count = u32_at(p + 20);
	type->size = type->count * type->target->size;
	return type->size <= VALUE_MAX ||
	       err_set(err, ERR_LIMIT, "an array of %" PRIu64 " bytes", type->size);
}

static const enum type_kind kinds[] = {
	[BTF_INT] = TYPE_INT,        [BTF_PTR] = TYPE_POINTER,       [BTF_ARRAY] = TYPE_ARRAY,
	[BTF_STRUCT] = TYPE_STRUCT,  [BTF_UNION] = TYPE_UNION,       [BTF_ENUM] = TYPE_ENUM,
	[BTF_FWD] = TYPE_FORWARD,    [BTF_TYPEDEF] = TYPE_TYPEDEF,   [BTF_VOLATILE] = TYPE_VOLATILE,
	[BTF_CONST] = TYPE_CONST,    [BTF_RESTRICT] = TYPE_RESTRICT, [BTF_FLOAT] = TYPE_FLOAT,
	[BTF_TYPE_TAG] = TYPE_CONST, /* a note on a type, which says nothing of the data */
};

/* What stands behind a pointer is not followed: it is no memory of the map's. */
static bool fill_type(struct blob *b, struct type *type, const uint8_t *p, unsigned depth,
		      struct err *err)
{
	struct type *nothing;
	uint32_t how;

	switch (kind_of(p)) {
	case BTF_INT:
		how = u32_at(p + 12) >> 24;
		type->is_signed = how & 1;
		type->kind = how & 4 ? TYPE_BOOL
			     : type->size == 1 && type->name && strstr(type->name, "char")
				     ? TYPE_CHAR
				     : TYPE_INT;
		return type->size <= 16 ||
		       err_set(err, ERR_CORRUPT, "a number of %" PRIu64 " bytes", type->size);
	case BTF_PTR:
		nothing = ARENA_NEW(&b->t->arena, struct type);
		*nothing =
			(struct type){ .kind = TYPE_VOID, .filled = true, .source = type->source };
		type->size = 8;
		type->target = nothing;
		return true;
	case BTF_ARRAY:
		return make_array(b, type, p, depth, err);
	case BTF_STRUCT:
	case BTF_UNION:
		return make_members(b, type, p, depth, err);
	case BTF_ENUM:
		make_enums(b, type, p);
		return true;
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
		if (!make_target(b, type, u32_at(p + 8), depth, err))
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
	const uint8_t *p;
	struct type *type;
	unsigned kind;

	if (!id || id >= b->n)
		return err_set(err, ERR_NOTYPE, "a map's types have no number %u", id);
	if (depth > NEST_MAX)
		return err_set(err, ERR_LIMIT, "types nested more than %u deep", NEST_MAX);
	if (b->made[id]) {
		*ret = b->made[id];
		return (*ret)->filled || err_set(err, ERR_CORRUPT, "a type contains itself");
	}
	p = b->types + b->offsets[id];
	kind = kind_of(p);
	if (kind >= ARRAY_SIZE(kinds) || (!kinds[kind] && kind != BTF_INT))
		return err_set(err, ERR_UNSUPPORTED, "a map's type of kind %u", kind);
	type = b->made[id] = ARENA_NEW(&b->t->arena, struct type);
	source = ARENA_NEW(&b->t->arena, struct type_source);
	source->origin = origin;
	source->t = b->t;
	type->kind = kinds[kind];
	type->source = source;
	type->id = id;
	type->name = string_at(b, u32_at(p));
	if (kind == BTF_INT || kind == BTF_STRUCT || kind == BTF_UNION || kind == BTF_ENUM ||
	    kind == BTF_FLOAT)
		type->size = u32_at(p + 8);
	if (type->size > VALUE_MAX)
		return err_set(err, ERR_LIMIT, "a type of %" PRIu64 " bytes", type->size);
	if (!fill_type(b, type, p, depth, err))
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
