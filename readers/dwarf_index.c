/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass over outermost DIEs. It reads bytes in place and skips what lies within functions and
 * structs; libdw fills in what is found. */
#include <dwarf.h>
#include <string.h>

#include "readers/dwarf_index.h"

#define CODES_MAX 65536u
#define ATTRS_MAX 256u /* of one abbreviation */
#define VARIES UINT32_MAX
#define NESTING_MAX 1000000u

/* A place in bytes; reading past the end makes it bad, and zeros come from then on. */
struct at {
	const uint8_t *p, *end;
	bool bad;
};

struct unit {
	struct dwarf_index *x;
	const uint8_t *start; /* of its header */
	unsigned version, offset_size, addr_size;
	uint64_t str_base, addr_base; /* of the tables that strx and addrx count in */
};

static inline bool have(struct at *a, uint64_t n)
{
	if ((uint64_t)(a->end - a->p) >= n)
		return true;
	a->p = a->end;
	a->bad = true;
	return false;
}

static inline void pass(struct at *a, uint64_t n)
{
	if (have(a, n))
		a->p += n;
}

static inline uint64_t take(struct at *a, unsigned n)
{
	uint64_t v;

	if (!have(a, n))
		return 0;
	v = n == 1 ? a->p[0] : n == 4 ? load_le32(a->p) : load_le(a->p, n);
	a->p += n;
	return v;
}

static inline uint64_t uleb(struct at *a)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte;

		if (!have(a, 1))
			return 0;
		byte = *a->p++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	a->bad = true;
	return 0;
}

static void pass_leb(struct at *a)
{
	while (have(a, 1) && *a->p++ & 0x80)
		;
}

static void pass_string(struct at *a)
{
	const uint8_t *nul = memchr(a->p, 0, (size_t)(a->end - a->p));

	if (nul)
		a->p = nul + 1;
	else
		pass(a, UINT64_MAX);
}

/* ---- forms */

/* Bytes of a form whose size does not vary within a unit; VARIES otherwise. */
static uint32_t form_size(const struct unit *u, unsigned form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return u->addr_size;
	case DW_FORM_ref_addr:
		return u->version == 2 ? u->addr_size : u->offset_size;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return u->offset_size;
	default:
		return VARIES;
	}
}

static void pass_form(struct at *a, const struct unit *u, unsigned form)
{
	uint32_t size = form_size(u, form);

	if (size != VARIES) {
		pass(a, size);
		return;
	}
	switch (form) {
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
		pass_leb(a);
		break;
	case DW_FORM_string:
		pass_string(a);
		break;
	case DW_FORM_block1:
		pass(a, take(a, 1));
		break;
	case DW_FORM_block2:
		pass(a, take(a, 2));
		break;
	case DW_FORM_block4:
		pass(a, take(a, 4));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		pass(a, uleb(a));
		break;
	default: /* unknown, or DW_FORM_indirect, which no compiler writes */
		a->bad = true;
	}
}

/* The tables of strings end in NUL: see dwarf_index_init(). */
static const char *text_at(struct span s, uint64_t off)
{
	return off < s.n ? (const char *)s.p + off : NULL;
}

/* An entry of a table of numbers; false: it is not there. */
static bool table_number(struct span table, uint64_t base, uint64_t i, unsigned size, uint64_t *ret)
{
	if (base > table.n || i >= (table.n - base) / size)
		return false;
	*ret = load_le(table.p + base + i * size, size);
	return true;
}

static const char *text_indexed(const struct unit *u, uint64_t i)
{
	uint64_t off;

	return table_number(u->x->s.str_offsets, u->str_base, i, u->offset_size, &off)
		       ? text_at(u->x->s.str, off)
		       : NULL;
}

static const char *take_text(struct at *a, const struct unit *u, unsigned form)
{
	const uint8_t *from = a->p;

	switch (form) {
	case DW_FORM_strp:
		return text_at(u->x->s.str, take(a, u->offset_size));
	case DW_FORM_line_strp:
		return text_at(u->x->s.line_str, take(a, u->offset_size));
	case DW_FORM_string:
		pass_string(a);
		return a->bad ? NULL : (const char *)from;
	case DW_FORM_strx:
		return text_indexed(u, uleb(a));
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return text_indexed(u, take(a, form_size(u, form)));
	default:
		pass_form(a, u, form);
		return NULL;
	}
}

static bool take_flag(struct at *a, const struct unit *u, unsigned form)
{
	if (form == DW_FORM_flag)
		return take(a, 1);
	pass_form(a, u, form);
	return form == DW_FORM_flag_present;
}

/* All static storage has an expression of one operation: an address. */
static void take_location(struct at *a, const struct unit *u, unsigned form, struct dwarf_top *die)
{
	struct at e;
	uint64_t n;

	if (form != DW_FORM_exprloc && form != DW_FORM_block1 && form != DW_FORM_block) {
		pass_form(a, u, form);
		return;
	}
	n = form == DW_FORM_block1 ? take(a, 1) : uleb(a);
	if (!have(a, n))
		return;
	e = (struct at){ .p = a->p, .end = a->p + n };
	a->p += n;
	switch (take(&e, 1)) {
	case DW_OP_addr:
		die->addr = take(&e, u->addr_size);
		die->has_addr = !e.bad && e.p == e.end;
		break;
	case DW_OP_addrx:
		n = uleb(&e);
		die->has_addr =
			!e.bad && e.p == e.end &&
			table_number(u->x->s.addr, u->addr_base, n, u->addr_size, &die->addr);
		break;
	default:
		break;
	}
}

/* ---- abbreviations */

static bool is_wanted(unsigned tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef || tag == DW_TAG_base_type ||
	       tag == DW_TAG_variable;
}

/* The attributes of one abbreviation, to their end; false: more than there may be. */
static bool read_attrs(const struct unit *u, struct at *a, struct dwarf_abbrev *ab)
{
	struct dwarf_index *x = u->x;

	ab->first = (uint32_t)x->attrs.n;
	for (;;) {
		uint64_t name = uleb(a), form = uleb(a);
		uint32_t size;

		if (a->bad || name > UINT16_MAX || form > UINT16_MAX)
			return false;
		if (!name && !form)
			return true;
		if (ab->n == ATTRS_MAX)
			return false;
		if (form == DW_FORM_implicit_const)
			pass_leb(a);
		size = form_size(u, (unsigned)form);
		ab->fixed = size == VARIES || ab->fixed == VARIES ? VARIES : ab->fixed + size;
		*vec_push(&x->attrs) = (struct dwarf_attr){ (uint16_t)name, (uint16_t)form };
		ab->n++;
	}
}

static bool read_abbrevs(const struct unit *u, uint64_t off)
{
	struct dwarf_index *x = u->x;
	unsigned sizes = u->version << 16 | u->offset_size << 8 | u->addr_size;
	struct at a;

	if (x->abbrevs.n && x->abbrev_off == off && x->abbrev_sizes == sizes)
		return true;
	x->abbrevs.n = x->attrs.n = 0;
	if (off >= x->s.abbrev.n)
		return false;
	a = (struct at){ .p = x->s.abbrev.p + off, .end = x->s.abbrev.p + x->s.abbrev.n };
	for (;;) {
		struct dwarf_abbrev ab = { 0 };
		uint64_t code = uleb(&a), tag;

		if (!code)
			break;
		tag = uleb(&a);
		ab.children = take(&a, 1);
		if (a.bad || code > CODES_MAX || tag > UINT16_MAX)
			return false;
		ab.tag = (uint16_t)tag;
		ab.wanted = is_wanted(ab.tag);
		if (!read_attrs(u, &a, &ab))
			return false;
		while (x->abbrevs.n <= code)
			*vec_push(&x->abbrevs) = (struct dwarf_abbrev){ 0 };
		x->abbrevs.p[code] = ab;
	}
	x->abbrev_off = off;
	x->abbrev_sizes = sizes;
	return !a.bad;
}

/* ---- DIEs */

static const struct dwarf_attr *attrs_of(const struct unit *u, const struct dwarf_abbrev *ab)
{
	return ab->n ? u->x->attrs.p + ab->first : NULL;
}

/* Passes a DIE's attributes; *sibling is where the next one of its level lies, NULL unknown. */
static void pass_die(struct at *a, const struct unit *u, const struct dwarf_abbrev *ab,
		     const uint8_t **sibling)
{
	const struct dwarf_attr *attr = attrs_of(u, ab);

	*sibling = NULL;
	if (!ab->children && ab->fixed != VARIES) {
		pass(a, ab->fixed);
		return;
	}
	for (unsigned i = 0; i < ab->n; i++) {
		if (attr[i].name == DW_AT_sibling && attr[i].form == DW_FORM_ref4) {
			uint64_t off = take(a, 4);

			if (off < (uint64_t)(a->end - u->start))
				*sibling = u->start + off;
		} else {
			pass_form(a, u, attr[i].form);
		}
	}
}

static void take_die(struct at *a, const struct unit *u, const struct dwarf_abbrev *ab,
		     struct dwarf_top *die, const uint8_t **sibling)
{
	const struct dwarf_attr *attr = attrs_of(u, ab);

	*sibling = NULL;
	for (unsigned i = 0; i < ab->n; i++) {
		unsigned form = attr[i].form;

		switch (attr[i].name) {
		case DW_AT_name:
			die->name = take_text(a, u, form);
			break;
		case DW_AT_declaration:
			die->declaration = take_flag(a, u, form);
			break;
		case DW_AT_external:
			die->external = take_flag(a, u, form);
			break;
		case DW_AT_location:
			take_location(a, u, form, die);
			break;
		case DW_AT_sibling:
			if (form == DW_FORM_ref4) {
				uint64_t off = take(a, 4);

				if (off < (uint64_t)(a->end - u->start))
					*sibling = u->start + off;
				break;
			}
			/* fall through */
		default:
			pass_form(a, u, form);
		}
	}
}

static const struct dwarf_abbrev *abbrev_of(const struct unit *u, uint64_t code)
{
	return code < u->x->abbrevs.n && u->x->abbrevs.p[code].tag ? &u->x->abbrevs.p[code] : NULL;
}

/* The name of the DIE that comes next, which is the first child of the one just read. */
static const char *next_name(struct at a, const struct unit *u)
{
	struct dwarf_top child = { 0 };
	const struct dwarf_abbrev *ab = abbrev_of(u, uleb(&a));
	const uint8_t *sibling;

	if (!ab)
		return NULL;
	take_die(&a, u, ab, &child, &sibling);
	return a.bad ? NULL : child.name;
}

/* What lies within a DIE, where it does not say itself where it ends. */
static void pass_children(struct at *a, const struct unit *u)
{
	unsigned depth = 1;

	while (depth && !a->bad) {
		const uint8_t *sibling;
		const struct dwarf_abbrev *ab;
		uint64_t code = uleb(a);

		if (!code) {
			depth--;
			continue;
		}
		ab = abbrev_of(u, code);
		if (!ab || depth == NESTING_MAX) {
			a->bad = true;
			return;
		}
		pass_die(a, u, ab, &sibling);
		if (ab->children && sibling > a->p)
			a->p = sibling;
		else if (ab->children)
			depth++;
	}
}

static void pass_unit(struct at *a, const struct unit *u,
		      void (*see)(const struct dwarf_top *die, void *arg), void *arg)
{
	const uint8_t *base = u->x->s.info.p;

	while (a->p < a->end && !a->bad) {
		struct dwarf_top die = { .off = (uint64_t)(a->p - base) };
		uint64_t code = *a->p < 0x80 ? *a->p++ : uleb(a);
		const uint8_t *sibling;
		const struct dwarf_abbrev *ab;

		if (!code)
			return; /* the end of the unit's DIE */
		ab = abbrev_of(u, code);
		if (!ab) {
			a->bad = true;
			return;
		}
		if (ab->wanted) {
			take_die(a, u, ab, &die, &sibling);
			die.tag = ab->tag;
			if (ab->tag == DW_TAG_enumeration_type && !die.name && ab->children)
				die.first = next_name(*a, u);
			if (!a->bad)
				see(&die, arg);
		} else {
			pass_die(a, u, ab, &sibling);
		}
		if (ab->children && sibling > a->p)
			a->p = sibling;
		else if (ab->children)
			pass_children(a, u);
	}
}

/* The unit's own DIE says where its tables of strings and addresses begin. False: it has no
 * children. */
static bool take_unit_die(struct at *a, struct unit *u)
{
	const struct dwarf_abbrev *ab = abbrev_of(u, uleb(a));
	const struct dwarf_attr *attr;

	if (!ab) {
		a->bad = true;
		return false;
	}
	attr = attrs_of(u, ab);
	for (unsigned i = 0; i < ab->n; i++) {
		if (attr[i].name == DW_AT_str_offsets_base && attr[i].form == DW_FORM_sec_offset)
			u->str_base = take(a, u->offset_size);
		else if ((attr[i].name == DW_AT_addr_base || attr[i].name == DW_AT_GNU_addr_base) &&
			 attr[i].form == DW_FORM_sec_offset)
			u->addr_base = take(a, u->offset_size);
		else
			pass_form(a, u, attr[i].form);
	}
	return ab->children;
}

/* The header behind the length; *abbrev: where the abbreviations are. False: nothing is in it for
 * us, or it makes no sense. */
static bool take_header(struct at *a, struct unit *u, uint64_t *abbrev)
{
	unsigned type = DW_UT_compile;

	u->version = (unsigned)take(a, 2);
	if (u->version < 2 || u->version > 5)
		return false;
	if (u->version == 5) {
		type = (unsigned)take(a, 1);
		u->addr_size = (unsigned)take(a, 1);
		*abbrev = take(a, u->offset_size);
	} else {
		*abbrev = take(a, u->offset_size);
		u->addr_size = (unsigned)take(a, 1);
	}
	return !a->bad && (type == DW_UT_compile || type == DW_UT_partial) &&
	       (u->addr_size == 4 || u->addr_size == 8);
}

bool dwarf_index_unit(struct dwarf_index *x, void (*see)(const struct dwarf_top *die, void *arg),
		      void *arg)
{
	struct unit u = { .x = x, .offset_size = 4 };
	uint64_t n, abbrev;
	struct at a;

	if (x->next >= x->s.info.n)
		return false;
	a = (struct at){ .p = x->s.info.p + x->next, .end = x->s.info.p + x->s.info.n };
	u.start = a.p;
	n = take(&a, 4);
	if (n == UINT32_MAX) {
		u.offset_size = 8;
		n = take(&a, 8);
	}
	if (!have(&a, n) || !n) {
		x->damaged |= a.bad;
		x->next = x->s.info.n;
		return false;
	}
	a.end = a.p + n;
	x->next = (uint64_t)(a.end - x->s.info.p);
	if (take_header(&a, &u, &abbrev)) {
		if (!read_abbrevs(&u, abbrev)) {
			x->abbrevs.n = 0;
			a.bad = true;
		} else if (take_unit_die(&a, &u)) {
			pass_unit(&a, &u, see, arg);
		}
	}
	x->damaged |= a.bad;
	return true;
}

static void until_nul(struct span *s)
{
	while (s->n && s->p[s->n - 1])
		s->n--;
}

void dwarf_index_init(struct dwarf_index *x, const struct dwarf_sections *s)
{
	memset(x, 0, sizeof(*x));
	x->s = *s;
	until_nul(&x->s.str);
	until_nul(&x->s.line_str);
}

void dwarf_index_release(struct dwarf_index *x)
{
	vec_release(&x->abbrevs);
	vec_release(&x->attrs);
}
