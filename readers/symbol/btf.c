/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BTF: the kernel's own description of its types, from vmlinux, from the dump, or a file. */
#include <string.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/image/btf_image.h"
#include "readers/symbol/btf.h"
#include "readers/reader.h"

/* btf_image.c sees to it that records lie within their part; ids and recursion are checked here. */
#define BTF_BYTES_MAX ((size_t)256 << 20)

/* One name table each. */
enum table {
	TABLE_STRUCT,
	TABLE_UNION,
	TABLE_ENUM,
	TABLE_TYPEDEF,
	TABLE_BASE,
	TABLES
};

/* A variable of a DATASEC. */
struct btf_variable {
	const char *name;
	uint32_t type, offset, size;
	uint32_t section; /* id of the DATASEC */
};

struct btf_file {
	struct target *t;
	struct span blob;       /* of a section or a file; empty: in the dump's memory */
	bool in_dump, has_copy; /* or there are a section and a copy */
	uint64_t addr, size;    /* there, of a module's; 0: the kernel's, to be found */
	bool split;             /* a module's: ids go on where the kernel's end */
	bool tried, ok;
	struct err err;
	struct btf_image im;
	struct btf_file *base;       /* the kernel's, of a module's */
	uint32_t start, n;           /* ids of its own: [start, n) */
	struct type **types;         /* void, then by id - start; made when first asked for */
	struct strmap names[TABLES]; /* the first one's id; above bit 32 how many follow */
	bool vars_read;
	VEC(struct btf_variable) vars;
	struct type_source source;
	uint64_t copy; /* address of the same bytes in the dump; 0: none */
	bool told;     /* that they are not the same */
};

static enum table table_of(enum type_kind kind)
{
	switch (kind) {
	case TYPE_STRUCT:
		return TABLE_STRUCT;
	case TYPE_UNION:
		return TABLE_UNION;
	case TYPE_ENUM:
		return TABLE_ENUM;
	case TYPE_TYPEDEF:
		return TABLE_TYPEDEF;
	default:
		return TABLE_BASE;
	}
}

static enum table table_of_btf(unsigned kind)
{
	switch (kind) {
	case BTF_KIND_STRUCT:
		return TABLE_STRUCT;
	case BTF_KIND_UNION:
		return TABLE_UNION;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return TABLE_ENUM;
	case BTF_KIND_TYPEDEF:
		return TABLE_TYPEDEF;
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return TABLE_BASE;
	default:
		return TABLES;
	}
}

static const char *name_at(const struct btf_file *f, uint32_t off)
{
	const char *name = off ? btf_image_name(&f->im, off) : NULL;

	return name && *name ? name : NULL;
}

/* ---- damage */

/* BTF has no checksum: what cannot be is told, and where the first of it is. */
static void records_check(const struct btf_file *f)
{
	uint32_t bad = 0, first = 0;

	for (uint32_t id = f->start; id < f->n; id++)
		if (!btf_image_sane(&f->im, id) && !bad++)
			first = id;
	if (bad)
		target_warn(f->t, ERR_CORRUPT,
			    "%s is damaged: %u of its %u types cannot be, the first is number %u",
			    f->source.origin, bad, f->n - f->start, first);
}

/* A vmlinux and its dump hold the same bytes; told once. What is absent contradicts nothing. */
static void copy_check(struct btf_file *f, uint32_t id, const struct btf_type *bt)
{
	uint64_t at = f->im.types_at + f->im.offsets[id - f->start];
	size_t n = (id + 1 < f->n ? f->im.offsets[id + 1 - f->start] : f->im.types.n) -
		   f->im.offsets[id - f->start];
	const char *name = name_at(f, bt->name_off);
	struct span copy, text;
	struct err ignored;

	if (f->told || !f->copy ||
	    !mem_bytes(f->t, f->copy + at, n, BTF_BYTES_MAX, f->t->scratch, &copy, &ignored) ||
	    (name && !mem_bytes(f->t, f->copy + f->im.strings_at + bt->name_off, strlen(name) + 1,
				BTF_BYTES_MAX, f->t->scratch, &text, &ignored)))
		return;
	if (!memcmp(copy.p, f->blob.p + at, n) && (!name || !memcmp(text.p, name, text.n)))
		return;
	f->told = true;
	target_warn(f->t, ERR_CORRUPT,
		    "type number %u ('%.60s') is not the same in the vmlinux's BTF and in the "
		    "dump's: one is damaged, and the vmlinux's is used",
		    id, name ? name : "");
}

/* Where BTF leaves two types of one name the first is taken: pahole puts the common one there. */
static void names_read(struct btf_file *f)
{
	strmap_reserve(&f->names[TABLE_STRUCT], f->n / 8);
	strmap_reserve(&f->names[TABLE_TYPEDEF], f->n / 16);
	for (uint32_t id = f->start; id < f->n; id++) {
		const struct btf_type *bt = btf_image_type(&f->im, id);
		enum table table = bt ? table_of_btf(btf_kind(bt)) : TABLES;
		const char *name;
		uint64_t *slot;
		bool isnew;

		if (table == TABLES)
			continue;
		name = name_at(f, bt->name_off);
		if (!name)
			continue;
		slot = strmap_put(&f->names[table], name, &isnew);
		*slot = isnew ? id : *slot + (UINT64_C(1) << 32);
	}
}

/* A BTF header as pahole writes it: its two parts lie behind it and behind one another. */
static bool is_header(const struct target *t, const uint8_t *p, uint64_t *size)
{
	uint64_t types = target_u32(t, p + 12), strings_at = target_u32(t, p + 16);
	uint64_t strings = target_u32(t, p + 20);

	*size = sizeof(struct btf_header) + strings_at + strings;
	return target_u16(t, p) == BTF_MAGIC && p[2] == BTF_VERSION && !p[3] &&
	       target_u32(t, p + 4) == sizeof(struct btf_header) && !target_u32(t, p + 8) &&
	       types > 4096 && strings_at == types && strings > 4096 && *size <= BTF_BYTES_MAX;
}

#define SEARCH_MAX ((uint64_t)96 << 20)
#define PAGE 4096u

/*
 * kallsyms without data symbols (KALLSYMS_ALL off, as on Debian's arm64) does not name the blob,
 * but it is read-only data of the image, aligned to 4 bytes at least, behind the kernel's text.
 */
static bool search_blob(struct btf_file *f, uint64_t *start, uint64_t *size, struct err *err)
{
	uint64_t va;
	uint8_t first = target_big(f->t) ? BTF_MAGIC >> 8 : BTF_MAGIC & 0xff;
	uint8_t buf[PAGE + sizeof(struct btf_header)];

	if (!vmcoreinfo_hex(f->t, "SYMBOL(_stext)", &va) && !symbol_addr(f->t, "_stext", &va))
		return err_set(err, ERR_NEED,
			       "no types: the dump does not say where its kernel is");
	va &= ~(uint64_t)(PAGE - 1);
	for (uint64_t end = va + SEARCH_MAX; va < end; va += PAGE) {
		struct err why;
		size_t n;

		if (!interrupt_check(err))
			return false;
		n = mem_read_some(f->t, va, buf, sizeof(buf), &why);
		for (size_t i = 0; i + sizeof(struct btf_header) <= n && i < PAGE; i += 4)
			if (buf[i] == first && is_header(f->t, buf + i, size)) {
				*start = va + i;
				return true;
			}
	}
	return err_set(err, ERR_NEED,
		       "no types: the dump holds no BTF; give the vmlinux of this "
		       "dump");
}

/* The blob in the dump's memory; the kernel links it between two symbols. */
static bool dump_blob(struct btf_file *f, struct arena *a, struct span *ret, struct err *err)
{
	uint64_t start, stop, size;

	if (f->addr) {
		start = f->addr;
		size = f->size;
	} else if (symbol_addr(f->t, "__start_BTF", &start) &&
		   symbol_addr(f->t, "__stop_BTF", &stop)) {
		if (stop <= start || stop - start > BTF_BYTES_MAX)
			return err_set_addr(err, ERR_CORRUPT, start,
					    "no types: __stop_BTF does not follow __start_BTF");
		size = stop - start;
	} else if (!search_blob(f, &start, &size, err)) {
		return false;
	}
	return mem_bytes(f->t, start, size, BTF_BYTES_MAX, a, ret, err) ||
	       err_wrap(err, "types in the dump");
}

static struct type_source *kernel_source(struct target *t);
static bool btf_load(struct btf_file *f, struct err *err);

/* What a module's goes on from. */
static bool load_base(struct btf_file *f, struct err *err)
{
	struct type_source *s = kernel_source(f->t);

	f->base = s ? s->self : NULL;
	if (!f->base)
		return err_set(err, ERR_NEED, "%s: the kernel's own BTF is not loaded",
			       f->source.origin);
	f->start = 1; /* an id of the kernel's is enough to be asked before its own are known */
	return btf_load(f->base, err);
}

/* A vmlinux's that is damaged has a copy in the dump. */
static bool image_open(struct btf_file *f, struct span blob, struct err *err)
{
	const struct btf_image *base = f->split ? &f->base->im : NULL;
	struct err ignored;

	if (btf_image_open(blob, base, &f->t->arena, &f->im, err)) {
		if (blob.p == f->blob.p && f->has_copy &&
		    !symbol_addr(f->t, "__start_BTF", &f->copy))
			f->copy = 0;
		return true;
	}
	err_wrap(err, "%s is damaged or newer than obit knows", f->source.origin);
	if (!f->has_copy || !dump_blob(f, &f->t->arena, &blob, &ignored) ||
	    !btf_image_open(blob, base, &f->t->arena, &f->im, &ignored))
		return false;
	target_warn(f->t, ERR_CORRUPT, "%s: the dump's is used", err->msg);
	return true;
}

static bool load_now(struct btf_file *f, struct err *err)
{
	struct span blob = f->blob;
	void *types;

	if (f->in_dump && !dump_blob(f, &f->t->arena, &blob, err))
		return false;
	if (blob.n > BTF_BYTES_MAX)
		return err_set(err, ERR_LIMIT, "%s is larger than %zu MB", f->source.origin,
			       BTF_BYTES_MAX >> 20);
	if (f->split && !load_base(f, err))
		return false;
	if (!image_open(f, blob, err))
		return false;
	f->n = f->im.n;
	f->start = f->im.start;
	if (!arena_bytes(&f->t->arena, (size_t)(f->n - f->start + 1) * sizeof(*f->types),
			 BTF_BYTES_MAX, &types, err))
		return false;
	f->types = types;
	names_read(f);
	records_check(f);
	mapping_give_back(blob.p, blob.n); /* few of them are asked for */
	return true;
}

static bool btf_load(struct btf_file *f, struct err *err)
{
	if (!f->tried) {
		f->tried = true; /* first: finding the blob looks symbols up */
		err_set(&f->err, ERR_NEED, "types are being loaded");
		f->ok = load_now(f, &f->err);
		if (!f->ok && f->err.code == ERR_FORMAT)
			target_warn(f->t, ERR_FORMAT, "%s", f->err.msg);
	}
	if (!f->ok)
		*err = f->err;
	return f->ok;
}

/* ---- from BTF's records to ours */

/* What decoration stands in front of a type and means nothing here. */
static uint32_t skip_tags(const struct btf_file *f, uint32_t id)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		const struct btf_type *bt = btf_image_type(&f->im, id);

		if (!bt)
			return 0;
		switch (btf_kind(bt)) {
		case BTF_KIND_TYPE_TAG:
		case BTF_KIND_DECL_TAG:
		case BTF_KIND_VAR:
		case BTF_KIND_FUNC:
			id = bt->type;
			break;
		default:
			return id;
		}
	}
	return 0;
}

/* 0 for what has no size, and for what makes no sense. */
static uint64_t size_of(const struct btf_file *f, uint32_t id)
{
	uint64_t n = 1;

	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		const struct btf_type *bt = btf_image_type(&f->im, id);
		uint64_t size;

		if (!bt)
			return 0;
		switch (btf_kind(bt)) {
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			return __builtin_mul_overflow(n, bt->size, &size) ? 0 : size;
		case BTF_KIND_PTR:
			return __builtin_mul_overflow(n, f->t->arch ? f->t->arch->word : 8, &size)
				       ? 0
				       : size;
		case BTF_KIND_ARRAY:
			if (__builtin_mul_overflow(n, btf_array(bt)->nelems, &n) || n >> 48)
				return 0;
			id = btf_array(bt)->type;
			break;
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = bt->type;
			break;
		default:
			return 0;
		}
	}
	return 0;
}

static void make_int(const struct btf_type *bt, struct type *type)
{
	unsigned encoding = btf_int_encoding(bt);

	type->kind = TYPE_INT;
	type->is_signed = encoding & BTF_INT_SIGNED;
	if (encoding & BTF_INT_BOOL)
		type->kind = TYPE_BOOL;
	else if (type->name && strcmp(type->name, "char") == 0 && type->size == 1)
		type->kind = TYPE_CHAR; /* pahole never sets BTF_INT_CHAR */
}

static void make_kind(const struct btf_type *bt, struct type *type)
{
	static const enum type_kind kinds[] = {
		[BTF_KIND_PTR] = TYPE_POINTER,       [BTF_KIND_ARRAY] = TYPE_ARRAY,
		[BTF_KIND_STRUCT] = TYPE_STRUCT,     [BTF_KIND_UNION] = TYPE_UNION,
		[BTF_KIND_ENUM] = TYPE_ENUM,         [BTF_KIND_ENUM64] = TYPE_ENUM,
		[BTF_KIND_FWD] = TYPE_FORWARD,       [BTF_KIND_TYPEDEF] = TYPE_TYPEDEF,
		[BTF_KIND_VOLATILE] = TYPE_VOLATILE, [BTF_KIND_CONST] = TYPE_CONST,
		[BTF_KIND_RESTRICT] = TYPE_RESTRICT, [BTF_KIND_FUNC_PROTO] = TYPE_FUNC,
		[BTF_KIND_FLOAT] = TYPE_FLOAT,
	};
	unsigned kind = btf_kind(bt);

	if (kind == BTF_KIND_INT)
		make_int(bt, type);
	else
		type->kind = kind < ARRAY_SIZE(kinds) ? kinds[kind] : TYPE_VOID;
	if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
		type->is_signed = btf_kflag(bt);
	if (kind == BTF_KIND_ARRAY)
		type->count = btf_array(bt)->nelems;
}

/* Never NULL: id 0 and ids out of range are void. */
static const struct type *type_at(struct btf_file *f, uint32_t id)
{
	const struct btf_type *bt;
	struct type *type, **own;

	id = skip_tags(f, id);
	if (f->split && id < f->start)
		return type_at(f->base, id);
	own = id ? &f->types[id - f->start + 1] : &f->types[0];
	if (*own)
		return *own;
	type = ARENA_NEW(&f->t->arena, struct type);
	type->source = &f->source;
	type->id = id;
	bt = btf_image_type(&f->im, id);
	if (id) {
		copy_check(f, id, bt);
		type->name = name_at(f, bt->name_off);
		type->size = size_of(f, id);
		make_kind(bt, type);
	}
	*own = type;
	return type;
}

/* Bit-fields are told by the member (kind_flag) or, until pahole 1.14, by an int of fewer bits. */
static void bits_of(const struct btf_file *f, const struct btf_type *bt, uint16_t i,
		    struct member *m)
{
	const struct btf_member *bm = btf_members(bt) + i;
	const struct btf_type *it;

	if (btf_kflag(bt)) {
		m->bit_off = btf_member_bit_offset(bt, i);
		m->bit_size = (uint16_t)btf_member_bitfield_size(bt, i);
		return;
	}
	m->bit_off = bm->offset;
	it = btf_image_type(&f->im, skip_tags(f, bm->type));
	if (it && btf_kind(it) == BTF_KIND_INT && btf_int_bits(it) != it->size * 8) {
		m->bit_off += btf_int_offset(it);
		m->bit_size = btf_int_bits(it);
	}
}

/* Does it lie within its struct, and is its type there? */
static bool member_sane(const struct btf_file *f, const struct type *type,
			const struct btf_member *bm, const struct member *m)
{
	uint64_t bits = m->bit_size ? m->bit_size : m->type->size * 8;

	return bm->type < f->n && btf_image_is_name(&f->im, bm->name_off) && m->bit_size <= 64 &&
	       m->bit_off <= type->size * 8 && bits <= type->size * 8 - m->bit_off;
}

static void fill_members(struct btf_file *f, const struct btf_type *bt, struct type *type)
{
	uint16_t n = btf_vlen(bt), bad = 0, first = 0;

	type->members = ARENA_ARRAY(&f->t->arena, struct member, n + 1);
	for (uint16_t i = 0; i < n; i++) {
		const struct btf_member *bm = btf_members(bt) + i;
		struct member *m = &type->members[type->n_members];

		*m = (struct member){ .name = name_at(f, bm->name_off),
				      .type = type_at(f, bm->type) };
		bits_of(f, bt, i, m);
		if (m->bit_off / 8 <= type->size && m->bit_size <= 64)
			type->n_members++;
		if (!member_sane(f, type, bm, m) && !bad++)
			first = i;
	}
	if (bad)
		target_warn(f->t, ERR_CORRUPT,
			    "%s is damaged: %u of %u members of '%.60s' cannot be, the first is "
			    "number %u",
			    f->source.origin, bad, n, type->name ? type->name : "(unnamed)", first);
}

static void fill_params(struct btf_file *f, const struct btf_type *bt, struct type *type)
{
	uint16_t n = btf_vlen(bt);

	type->members = ARENA_ARRAY(&f->t->arena, struct member, n + 1);
	type->n_members = n;
	for (uint16_t i = 0; i < n; i++) {
		const struct btf_param *p = btf_params(bt) + i;

		type->members[i].name = name_at(f, p->name_off);
		type->members[i].type = type_at(f, p->type);
	}
}

static void fill_enum(struct btf_file *f, const struct btf_type *bt, struct type *type)
{
	uint16_t n = btf_vlen(bt);

	type->enums = ARENA_ARRAY(&f->t->arena, struct enumerator, n + 1);
	for (uint16_t i = 0; i < n; i++) {
		struct enumerator *e = &type->enums[type->n_enums];

		if (btf_kind(bt) == BTF_KIND_ENUM64) {
			const struct btf_enum64 *be = btf_enum64(bt) + i;

			e->name = name_at(f, be->name_off);
			e->value = btf_enum64_value(be);
		} else {
			const struct btf_enum *be = btf_enum(bt) + i;

			e->name = name_at(f, be->name_off);
			e->value = type->is_signed ? (uint64_t)(int64_t)be->val : (uint32_t)be->val;
		}
		if (e->name)
			type->n_enums++;
	}
}

static bool source_fill(struct type_source *s, struct type *type, struct err *err)
{
	struct btf_file *f = s->self;
	const struct btf_type *bt = btf_image_type(&f->im, (uint32_t)type->id);

	(void)err;
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		fill_members(f, bt, type);
		break;
	case TYPE_ENUM:
		fill_enum(f, bt, type);
		break;
	case TYPE_FUNC:
		fill_params(f, bt, type);
		type->target = type_at(f, bt->type);
		break;
	case TYPE_ARRAY:
		type->target = type_at(f, btf_array(bt)->type);
		break;
	case TYPE_POINTER:
	case TYPE_TYPEDEF:
	case TYPE_CONST:
	case TYPE_VOLATILE:
	case TYPE_RESTRICT:
		type->target = type_at(f, bt->type);
		break;
	default:
		break;
	}
	return true;
}

static bool source_find(struct type_source *s, enum type_kind kind, const char *name,
			const struct type **ret, struct err *err)
{
	struct btf_file *f = s->self;
	uint64_t *id;

	if (!btf_load(f, err))
		return false;
	id = strmap_get(&f->names[table_of(kind)], name);
	if (!id)
		return err_set(err, ERR_NOTYPE, "no type '%s' in %s", name, s->origin);
	*ret = type_at(f, (uint32_t)*id);
	return true;
}

static unsigned source_namesakes(struct type_source *s, enum type_kind kind, const char *name)
{
	struct btf_file *f = s->self;
	const uint64_t *id = f->ok ? strmap_get(&f->names[table_of(kind)], name) : NULL;

	return id ? (unsigned)(*id >> 32) + 1 : 0;
}

/* ---- variables */

static void vars_read(struct btf_file *f)
{
	if (f->vars_read)
		return;
	f->vars_read = true;
	for (uint32_t id = f->start; id < f->n; id++) {
		const struct btf_type *bt = btf_image_type(&f->im, id);

		if (!bt || btf_kind(bt) != BTF_KIND_DATASEC)
			continue;
		for (uint16_t i = 0; i < btf_vlen(bt); i++) {
			const struct btf_var_secinfo *in = btf_var_secinfos(bt) + i;
			const struct btf_type *var = btf_image_type(&f->im, in->type);
			struct btf_variable *v;

			if (!var || btf_kind(var) != BTF_KIND_VAR || !name_at(f, var->name_off))
				continue;
			v = vec_push(&f->vars);
			v->name = name_at(f, var->name_off);
			v->type = var->type;
			v->offset = in->offset;
			v->size = in->size;
			v->section = id;
		}
	}
}

/* The prototype of a function of that name. */
static uint32_t func_find(const struct btf_file *f, const char *name)
{
	for (uint32_t id = f->start; id < f->n; id++) {
		const struct btf_type *bt = btf_image_type(&f->im, id);
		const char *have;

		if (!bt || btf_kind(bt) != BTF_KIND_FUNC)
			continue;
		have = name_at(f, bt->name_off);
		if (have && strcmp(have, name) == 0)
			return bt->type;
	}
	return 0;
}

/*
 * An offset is from the start of its section: that of the per-CPU data is a number below any
 * address (x86_64) or starts at __per_cpu_start. A static variable elsewhere may have the same
 * name.
 */
static bool source_variable(struct type_source *s, const char *name, uint64_t addr,
			    const struct type **ret, struct err *err)
{
	struct btf_file *f = s->self;
	uint64_t start = 0;
	uint32_t id = 0;

	if (!btf_load(f, err))
		return false;
	vars_read(f);
	if (symbol_addr(f->t, "__per_cpu_start", &start) && f->t->arch &&
	    f->t->arch->is_kernel_va(start))
		start -= f->t->kaslr;
	for (size_t i = 0; i < f->vars.n && !id; i++) {
		const struct btf_variable *v = &f->vars.p[i];

		if (strcmp(v->name, name) == 0 &&
		    (!addr || addr == v->offset || addr - start == v->offset))
			id = v->type;
	}
	if (!id && (!addr || symbol_is_text(f->t, addr + f->t->kaslr)))
		id = func_find(f, name);
	if (!id)
		return err_set(err, ERR_NOTYPE, "no variable '%s' in %s", name, s->origin);
	*ret = type_at(f, id);
	return true;
}

static bool source_placed(struct type_source *s, const char *section, const char *name,
			  struct variable_place *ret)
{
	struct btf_file *f = s->self;
	size_t found = 0;
	struct err ignored;

	if (!btf_load(f, &ignored))
		return false;
	vars_read(f);
	for (size_t i = 0; i < f->vars.n; i++) {
		const struct btf_variable *v = &f->vars.p[i];
		const struct btf_type *in = btf_image_type(&f->im, v->section);
		const char *its = name_at(f, in->name_off);

		if (strcmp(v->name, name) != 0 || !its || strcmp(its, section) != 0)
			continue;
		*ret = (struct variable_place){ v->offset, v->size, in->size };
		found++;
	}
	return found == 1;
}

static bool source_each(struct type_source *s, bool (*fn)(const struct type *type, void *arg),
			void *arg, struct err *err)
{
	struct btf_file *f = s->self;

	if (!btf_load(f, err))
		return false;
	for (uint32_t id = f->start; id < f->n; id++) {
		const struct btf_type *bt = btf_image_type(&f->im, id);
		enum table table = bt ? table_of_btf(btf_kind(bt)) : TABLES;

		if (table >= TABLE_BASE || (table != TABLE_ENUM && !name_at(f, bt->name_off)))
			continue;
		if (!fn(type_at(f, id), arg))
			break;
	}
	return true;
}

/* ---- the reader */

static void btf_free(void *what)
{
	struct btf_file *f = what;

	for (unsigned i = 0; i < TABLES; i++)
		strmap_release(&f->names[i]);
	vec_release(&f->vars);
}

static struct btf_file *btf_new(struct target *t, const char *origin)
{
	struct btf_file *f = ARENA_NEW(&t->arena, struct btf_file);

	target_defer(t, btf_free, f);
	f->t = t;
	f->start = 1;
	f->source = (struct type_source){ .origin = origin,
					  .find = source_find,
					  .namesakes = source_namesakes,
					  .fill = source_fill,
					  .variable = source_variable,
					  .placed = source_placed,
					  .each = source_each,
					  .t = t,
					  .self = f };
	return f;
}

static struct btf_file *btf_add(struct target *t, const char *origin)
{
	struct btf_file *f = btf_new(t, origin);

	types_add(t, &f->source);
	return f;
}

static struct type_source *kernel_source(struct target *t)
{
	for (size_t i = 0; i < t->types.sources.n; i++)
		if (t->types.sources.p[i]->find == source_find)
			return t->types.sources.p[i];
	return NULL;
}

struct type_source *btf_of_module(struct target *t, const char *module, struct span blob,
				  uint64_t addr, uint64_t n)
{
	struct btf_file *f = btf_new(t, arena_printf(&t->arena, "BTF of module %s", module));

	f->blob = blob;
	f->in_dump = !blob.n;
	f->addr = addr;
	f->size = n;
	f->split = true;
	return &f->source;
}

static int btf_probe(const struct file *file)
{
	const uint8_t *p = file->map.p;

	return file->map.n >= sizeof(struct btf_header) && p[2] == BTF_VERSION &&
			       (load_le16(p) == BTF_MAGIC || load_be(p, 2) == BTF_MAGIC)
		       ? 80
		       : 0;
}

static bool open_file(struct target *t, struct file *file, struct err *err)
{
	struct btf_file *f = btf_add(t, "BTF file");

	f->blob = file->map;
	return btf_load(f, err) || err_wrap(err, "'%s'", file->path);
}

static void btf_of_vmlinux(struct target *t, struct span blob)
{
	struct btf_file *f = btf_add(t, "BTF in vmlinux");

	f->blob = blob;
	f->has_copy = mem_loaded(t);
}

static bool btf_attach(struct target *t, struct err *err)
{
	struct span blob;

	(void)err;
	if (t->vmlinux.file && t->vmlinux.section(t->vmlinux.self, ".BTF", &blob, NULL) && blob.n)
		btf_of_vmlinux(t, blob);
	else if (mem_loaded(t))
		btf_add(t, "BTF in the dump")->in_dump = true;
	return true;
}

const struct reader reader_btf = {
	.name = "btf",
	.summary = "BTF type information: in vmlinux, in a dump's memory, or a file of its own",
	.probe = btf_probe,
	.open = open_file,
	.attach = btf_attach,
	.rank = 40,
};
