/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types from DWARF's DIEs. Where BTF knows the same named type, that one is taken. */
#include <dwarf.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/dwarf/dwarf.h"
#include "core/dwarf/dwarf_scan.h"

#define MEMBERS_MAX 65536u
#define ARRAY_DIMS_MAX 16

static const struct type void_type = { .kind = TYPE_VOID, .filled = true };

static bool attr_word(Dwarf_Die *die, unsigned name, Dwarf_Word *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formudata(&attr, ret) == 0;
}

/* How many bytes into its struct a member is: a number, or of DWARF 2 an expression that adds it.
 */
static bool member_byte(Dwarf_Die *die, Dwarf_Word *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attr))
		return false;
	if (dwarf_formudata(&attr, ret) == 0)
		return true;
	if (dwarf_getlocation(&attr, &op, &n) != 0 || n != 1 || op->atom != DW_OP_plus_uconst)
		return false;
	*ret = op->number;
	return true;
}

static bool attr_flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool flag = false;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formflag(&attr, &flag) == 0 && flag;
}

static bool attr_die(Dwarf_Die *die, unsigned name, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) && dwarf_formref_die(&attr, ret);
}

/* The lengths of an array's dimensions, outermost first; 0: not said. */
static size_t array_dims(Dwarf_Die *die, uint64_t *dims)
{
	Dwarf_Die sub;
	size_t n = 0;

	if (dwarf_child(die, &sub) != 0)
		return 0;
	do {
		Dwarf_Word w;

		if (dwarf_tag(&sub) != DW_TAG_subrange_type)
			continue;
		dims[n] = 0;
		if (attr_word(&sub, DW_AT_count, &w))
			dims[n] = w;
		else if (attr_word(&sub, DW_AT_upper_bound, &w) && w != UINT64_MAX)
			dims[n] = w + 1;
		n++;
	} while (n < ARRAY_DIMS_MAX && dwarf_siblingof(&sub, &sub) == 0);
	return n;
}

static uint64_t word_size(const struct dwarf_file *f)
{
	return f->t->arch ? f->t->arch->word : 8;
}

static bool mul(uint64_t *n, uint64_t by)
{
	return !__builtin_mul_overflow(*n, by, n) && *n >> 48 == 0;
}

/* libdw's own sizes would follow a chain that comes back on itself. */
static uint64_t size_of(struct dwarf_file *f, Dwarf_Die die)
{
	uint64_t n = 1, dims[ARRAY_DIMS_MAX];
	Dwarf_Word w;

	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_pointer_type:
			return mul(&n, word_size(f)) ? n : 0;
		case DW_TAG_array_type:
			for (size_t k = array_dims(&die, dims); k-- > 0;)
				if (!mul(&n, dims[k]))
					return 0;
			break;
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			return attr_word(&die, DW_AT_byte_size, &w) && mul(&n, w) ? n : 0;
		}
		if (!attr_die(&die, DW_AT_type, &die))
			return 0;
	}
	return 0;
}

static void make_base(Dwarf_Die *die, struct type *type)
{
	Dwarf_Word encoding = 0;

	(void)attr_word(die, DW_AT_encoding, &encoding);
	type->kind = TYPE_INT;
	type->is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (encoding == DW_ATE_boolean)
		type->kind = TYPE_BOOL;
	else if (encoding == DW_ATE_float)
		type->kind = TYPE_FLOAT;
	else if (type->name && strcmp(type->name, "char") == 0 && type->size == 1)
		type->kind = TYPE_CHAR;
}

static bool enum_is_signed(Dwarf_Die *die)
{
	Dwarf_Die base;
	Dwarf_Word encoding;

	if (attr_die(die, DW_AT_type, &base) && attr_word(&base, DW_AT_encoding, &encoding))
		return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	return false;
}

static enum type_kind kind_of(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
		return TYPE_POINTER;
	case DW_TAG_array_type:
		return TYPE_ARRAY;
	case DW_TAG_structure_type:
		return attr_flag(die, DW_AT_declaration) ? TYPE_FORWARD : TYPE_STRUCT;
	case DW_TAG_union_type:
		return attr_flag(die, DW_AT_declaration) ? TYPE_FORWARD : TYPE_UNION;
	case DW_TAG_enumeration_type:
		return TYPE_ENUM;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return TYPE_FUNC;
	case DW_TAG_typedef:
		return TYPE_TYPEDEF;
	case DW_TAG_const_type:
		return TYPE_CONST;
	case DW_TAG_volatile_type:
		return TYPE_VOLATILE;
	case DW_TAG_restrict_type:
		return TYPE_RESTRICT;
	default:
		return TYPE_VOID;
	}
}

static void dwarf_type_make(struct dwarf_file *f, Dwarf_Die *die, struct type *type)
{
	uint64_t dims[ARRAY_DIMS_MAX];

	type->name = dwarf_tag(die) == DW_TAG_subprogram ? NULL : dwarf_diename(die);
	type->size = size_of(f, *die);
	if (dwarf_tag(die) == DW_TAG_base_type) {
		make_base(die, type);
		return;
	}
	type->kind = kind_of(die);
	if (type->kind == TYPE_ENUM)
		type->is_signed = enum_is_signed(die);
	if (type->kind == TYPE_ARRAY && array_dims(die, dims))
		type->count = dims[0];
}

/* A module may call something else by a name of the kernel's: its members tell. */
static bool same_members(Dwarf_Die *die, const struct type *twin)
{
	const struct member *m;
	Dwarf_Die sub;
	size_t n, i = 0;

	if (twin->kind == TYPE_ENUM)
		return true;
	m = type_members(twin, &n);
	if (dwarf_child(die, &sub) != 0)
		return !n;
	do {
		const char *name = dwarf_diename(&sub);
		Dwarf_Word off;

		if (dwarf_tag(&sub) != DW_TAG_member)
			continue;
		if (i == n || !name != !m[i].name || (name && strcmp(name, m[i].name) != 0) ||
		    (!m[i].bit_size && member_byte(&sub, &off) && off * 8 != m[i].bit_off))
			return false;
		i++;
	} while (dwarf_siblingof(&sub, &sub) == 0);
	return i == n;
}

/* The type of that name in BTF, when it is the same one: one identity, and its members are cheaper
 * to read. Of several of one name (perf_aux_event, getdents_callback) none is known to be it; a
 * declaration is satisfied by the only definition. */
static const struct type *btf_twin(struct dwarf_file *f, Dwarf_Die *die, const struct type *type)
{
	struct type_source *s = f->t->types.sources.n ? f->t->types.sources.p[0] : NULL;
	int tag = dwarf_tag(die);
	enum type_kind kind = tag == DW_TAG_structure_type ? TYPE_STRUCT
			      : tag == DW_TAG_union_type   ? TYPE_UNION
							   : TYPE_ENUM;
	const struct type *twin;
	struct err err;

	if (!type->name || !s || s == &f->type_source ||
	    (tag != DW_TAG_structure_type && tag != DW_TAG_union_type &&
	     tag != DW_TAG_enumeration_type))
		return NULL;
	if (!s->find(s, kind, type->name, &twin, &err))
		return NULL;
	if (type_namesakes(twin) > 1)
		return NULL;
	if (type->kind == TYPE_FORWARD)
		return twin;
	return twin->size == type->size && (!f->module || same_members(die, twin)) ? twin : NULL;
}

const struct type *dwarf_type_of(struct dwarf_file *f, Dwarf_Die *die)
{
	bool isnew;
	uint64_t *slot = map_put(&f->types->by_die, dwarf_dieoffset(die), &isnew);
	const struct type *twin;
	struct type *type;

	if (!isnew)
		return (const struct type *)(uintptr_t)*slot;
	type = ARENA_NEW(&f->t->arena, struct type);
	type->source = &f->type_source;
	type->id = dwarf_dieoffset(die);
	*slot = (uintptr_t)type;
	dwarf_type_make(f, die, type);
	twin = btf_twin(f, die, type);
	if (!twin)
		return type;
	*map_put(&f->types->by_die, type->id, NULL) = (uintptr_t)twin;
	return twin;
}

const struct type *dwarf_type_named(struct dwarf_file *f, Dwarf_Die *die)
{
	Dwarf_Die to;

	return attr_die(die, DW_AT_type, &to) ? dwarf_type_of(f, &to) : &void_type;
}

const struct type *dwarf_type_of_func(struct dwarf_file *f, Dwarf_Die *func)
{
	Dwarf_Die die = *func, of;

	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		Dwarf_Attribute attr;

		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attr) ||
		    !dwarf_formref_die(&attr, &of) || dwarf_tag(&of) != DW_TAG_subprogram)
			break;
		die = of;
	}
	return dwarf_type_of(f, &die);
}

/* ---- what is inside, when it is asked for */

/* DWARF 4 and later count bits from the start of the struct; earlier from the top of a unit. */
static void member_place(Dwarf_Die *die, struct member *m)
{
	Dwarf_Word off = 0, bits, size;

	(void)member_byte(die, &off);
	m->bit_off = off * 8;
	if (!attr_word(die, DW_AT_bit_size, &bits) || bits > 64)
		return;
	m->bit_size = (uint16_t)bits;
	if (attr_word(die, DW_AT_data_bit_offset, &off)) {
		m->bit_off = off;
	} else if (attr_word(die, DW_AT_bit_offset, &off)) {
		if (!attr_word(die, DW_AT_byte_size, &size))
			size = m->type->size;
		if (size <= 8 && off + bits <= size * 8)
			m->bit_off += size * 8 - off - bits;
	}
}

static size_t count_children(Dwarf_Die *die, int tag)
{
	Dwarf_Die sub;
	size_t n = 0;

	if (dwarf_child(die, &sub) != 0)
		return 0;
	do {
		n += dwarf_tag(&sub) == tag;
	} while (n < MEMBERS_MAX && dwarf_siblingof(&sub, &sub) == 0);
	return n;
}

static void fill_members(struct dwarf_file *f, Dwarf_Die *die, struct type *type, int tag)
{
	size_t n = count_children(die, tag);
	Dwarf_Die sub;

	type->members = ARENA_ARRAY(&f->t->arena, struct member, n + 2);
	if (dwarf_child(die, &sub) != 0)
		return;
	do {
		struct member *m = &type->members[type->n_members];

		if (dwarf_tag(&sub) == DW_TAG_unspecified_parameters && type->n_members)
			*m = (struct member){ .type = &void_type };
		else if (dwarf_tag(&sub) == tag && n-- > 0)
			*m = (struct member){ .name = dwarf_diename(&sub),
					      .type = dwarf_type_named(f, &sub) };
		else
			continue;
		if (type->kind != TYPE_FUNC)
			member_place(&sub, m);
		if (type->kind == TYPE_FUNC || m->bit_off / 8 <= type->size)
			type->n_members++;
		if (dwarf_tag(&sub) == DW_TAG_unspecified_parameters)
			break;
	} while (dwarf_siblingof(&sub, &sub) == 0);
}

static void fill_enum(struct dwarf_file *f, Dwarf_Die *die, struct type *type)
{
	size_t n = count_children(die, DW_TAG_enumerator);
	Dwarf_Die sub;

	type->enums = ARENA_ARRAY(&f->t->arena, struct enumerator, n + 1);
	if (dwarf_child(die, &sub) != 0)
		return;
	do {
		struct enumerator *e = &type->enums[type->n_enums];
		Dwarf_Attribute attr;
		Dwarf_Sword value = 0;
		Dwarf_Word word = 0;

		if (dwarf_tag(&sub) != DW_TAG_enumerator || !dwarf_diename(&sub) || !n--)
			continue;
		/* gcc writes 225 as data1 in a signed enum too; only sdata is negative */
		if (dwarf_attr(&sub, DW_AT_const_value, &attr)) {
			unsigned form = dwarf_whatform(&attr);

			if ((form == DW_FORM_sdata || form == DW_FORM_implicit_const) &&
			    dwarf_formsdata(&attr, &value) == 0)
				word = (Dwarf_Word)value;
			else
				(void)dwarf_formudata(&attr, &word);
		}
		e->name = dwarf_diename(&sub);
		e->value = word;
		type->n_enums++;
	} while (n && dwarf_siblingof(&sub, &sub) == 0);
}

/* Inner dimensions are arrays of their own. */
static void fill_array(struct dwarf_file *f, Dwarf_Die *die, struct type *type)
{
	uint64_t dims[ARRAY_DIMS_MAX];
	size_t n = array_dims(die, dims);

	type->target = dwarf_type_named(f, die);
	while (n-- > 1)
		type->target = type_array_of(f->t, type->target, dims[n]);
}

bool dwarf_type_fill(struct type_source *s, struct type *type, struct err *err)
{
	struct dwarf_file *f = s->self;
	Dwarf_Die die;

	if (!dwarf_offdie(f->dbg, type->id, &die))
		return err_set(err, ERR_FORMAT, "no debug info at offset %#llx",
			       (unsigned long long)type->id);
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		fill_members(f, &die, type, DW_TAG_member);
		break;
	case TYPE_ENUM:
		fill_enum(f, &die, type);
		break;
	case TYPE_FUNC:
		fill_members(f, &die, type, DW_TAG_formal_parameter);
		type->target = dwarf_type_named(f, &die);
		break;
	case TYPE_ARRAY:
		fill_array(f, &die, type);
		break;
	default:
		type->target = dwarf_type_named(f, &die);
	}
	return true;
}
