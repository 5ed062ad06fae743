/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF's bytes read in place. */
#include <dwarf.h>
#include <string.h>

#include "core/dwarf/dwarf_form.h"

#define CODES_MAX 65536u
#define ATTRS_MAX 256u /* of one abbreviation */
#define NESTING_MAX 1000000u

static void until_nul(struct span *s)
{
	while (s->n && s->p[s->n - 1])
		s->n--;
}

void dwarf_sections_init(struct dwarf_sections *s)
{
	until_nul(&s->str);
	until_nul(&s->line_str);
}

/* ---- numbers */

uint64_t dwarf_take_length(struct cursor *a, unsigned *offset_size)
{
	uint64_t n = cursor_uint(a, 4);

	*offset_size = n == UINT32_MAX ? 8 : 4;
	return n == UINT32_MAX ? cursor_uint(a, 8) : n;
}

static void pass_leb(struct cursor *a)
{
	while (cursor_has(a, 1) && *a->p++ & 0x80)
		;
}

static void pass_string(struct cursor *a)
{
	const uint8_t *nul = memchr(a->p, 0, (size_t)(a->end - a->p));

	if (nul)
		a->p = nul + 1;
	else
		cursor_skip(a, UINT64_MAX);
}

/* ---- forms */

/* Bytes of a form whose size does not vary within a unit; DWARF_VARIES otherwise. */
static uint32_t form_size(const struct dwarf_unit *u, unsigned form)
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
		return DWARF_VARIES;
	}
}

void dwarf_pass_form(struct cursor *a, const struct dwarf_unit *u, unsigned form)
{
	uint32_t size = form_size(u, form);

	if (size != DWARF_VARIES) {
		cursor_skip(a, size);
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
		cursor_skip(a, cursor_uint(a, 1));
		break;
	case DW_FORM_block2:
		cursor_skip(a, cursor_uint(a, 2));
		break;
	case DW_FORM_block4:
		cursor_skip(a, cursor_uint(a, 4));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		cursor_skip(a, cursor_uleb(a));
		break;
	default: /* unknown, or DW_FORM_indirect, which no compiler writes */
		cursor_stop(a);
	}
}

/* The tables of strings end in NUL: see dwarf_sections_init(). */
static const char *text_at(struct span s, uint64_t off)
{
	return off < s.n ? (const char *)s.p + off : NULL;
}

bool dwarf_table_number(const struct dwarf_sections *s, struct span table, uint64_t base,
			uint64_t i, unsigned size, uint64_t *ret)
{
	if (base > table.n || i >= (table.n - base) / size)
		return false;
	table.p += base + i * size;
	*ret = load_uint(table.p, size, s->big);
	return true;
}

static const char *text_indexed(const struct dwarf_unit *u, uint64_t i)
{
	uint64_t off;

	return dwarf_table_number(u->s, u->s->str_offsets, u->str_base, i, u->offset_size, &off)
		       ? text_at(u->s->str, off)
		       : NULL;
}

const char *dwarf_take_text(struct cursor *a, const struct dwarf_unit *u, unsigned form)
{
	const uint8_t *from = a->p;

	switch (form) {
	case DW_FORM_strp:
		return text_at(u->s->str, cursor_uint(a, u->offset_size));
	case DW_FORM_line_strp:
		return text_at(u->s->line_str, cursor_uint(a, u->offset_size));
	case DW_FORM_string:
		pass_string(a);
		return a->failed ? NULL : (const char *)from;
	case DW_FORM_strx:
		return text_indexed(u, cursor_uleb(a));
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		return text_indexed(u, cursor_uint(a, form_size(u, form)));
	default:
		dwarf_pass_form(a, u, form);
		return NULL;
	}
}

static void take_indexed_address(const struct dwarf_unit *u, uint64_t i, struct dwarf_value *ret)
{
	if (dwarf_table_number(u->s, u->s->addr, u->addr_base, i, u->addr_size, &ret->n))
		ret->kind = DWARF_ADDRESS;
}

void dwarf_take_value(struct cursor *a, const struct dwarf_unit *u, const struct dwarf_attr *attr,
		      struct dwarf_value *ret)
{
	uint64_t unit = (uint64_t)(u->start - u->s->info.p);
	unsigned form = attr->form;

	*ret = (struct dwarf_value){ .kind = DWARF_OTHER };
	switch (form) {
	case DW_FORM_addr:
		*ret = (struct dwarf_value){ DWARF_ADDRESS, cursor_uint(a, u->addr_size), NULL };
		break;
	case DW_FORM_addrx:
		take_indexed_address(u, cursor_uleb(a), ret);
		break;
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
		take_indexed_address(u, cursor_uint(a, form_size(u, form)), ret);
		break;
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_flag:
		*ret = (struct dwarf_value){ DWARF_NUMBER, cursor_uint(a, form_size(u, form)),
					     NULL };
		break;
	case DW_FORM_udata:
		*ret = (struct dwarf_value){ DWARF_NUMBER, cursor_uleb(a), NULL };
		break;
	case DW_FORM_sdata:
		*ret = (struct dwarf_value){ DWARF_NUMBER, (uint64_t)cursor_sleb(a), NULL };
		break;
	case DW_FORM_implicit_const:
		*ret = (struct dwarf_value){ DWARF_NUMBER, (uint64_t)(int64_t)attr->constant,
					     NULL };
		break;
	case DW_FORM_sec_offset:
		*ret = (struct dwarf_value){ DWARF_OFFSET, cursor_uint(a, u->offset_size), NULL };
		break;
	case DW_FORM_rnglistx:
		*ret = (struct dwarf_value){ DWARF_INDEX, cursor_uleb(a), NULL };
		break;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
		*ret = (struct dwarf_value){ DWARF_REF, unit + cursor_uint(a, form_size(u, form)),
					     NULL };
		break;
	case DW_FORM_ref_udata:
		*ret = (struct dwarf_value){ DWARF_REF, unit + cursor_uleb(a), NULL };
		break;
	case DW_FORM_ref_addr:
		*ret = (struct dwarf_value){ DWARF_REF, cursor_uint(a, form_size(u, form)), NULL };
		break;
	default:
		ret->text = dwarf_take_text(a, u, form);
		if (ret->text)
			ret->kind = DWARF_TEXT;
	}
}

/* ---- abbreviations */

/* The attributes of one abbreviation, to their end; false: more than there may be. */
static bool read_attrs(const struct dwarf_unit *u, struct cursor *a, struct dwarf_abbrev *ab)
{
	struct dwarf_abbrevs *all = u->abbrevs;

	ab->first = (uint32_t)all->attrs.n;
	for (;;) {
		uint64_t name = cursor_uleb(a), form = cursor_uleb(a);
		int64_t constant = 0;
		uint32_t size;

		if (a->failed || name > UINT16_MAX || form > UINT16_MAX)
			return false;
		if (!name && !form)
			return true;
		if (ab->n == ATTRS_MAX)
			return false;
		if (form == DW_FORM_implicit_const)
			constant = cursor_sleb(a);
		if (constant != (int32_t)constant)
			constant = 0;
		size = form_size(u, (unsigned)form);
		ab->fixed = size == DWARF_VARIES || ab->fixed == DWARF_VARIES ? DWARF_VARIES
									      : ab->fixed + size;
		*vec_push(&all->attrs) =
			(struct dwarf_attr){ (uint16_t)name, (uint16_t)form, (int32_t)constant };
		ab->n++;
	}
}

static bool read_codes(const struct dwarf_unit *u, struct cursor *a)
{
	struct dwarf_abbrevs *all = u->abbrevs;

	for (;;) {
		struct dwarf_abbrev ab = { 0 };
		uint64_t code = cursor_uleb(a), tag;

		if (!code)
			return !a->failed;
		tag = cursor_uleb(a);
		ab.children = cursor_uint(a, 1);
		if (a->failed || code > CODES_MAX || tag > UINT16_MAX)
			return false;
		ab.tag = (uint16_t)tag;
		ab.wanted = all->wanted && all->wanted(ab.tag);
		if (!read_attrs(u, a, &ab))
			return false;
		while (all->codes.n <= code)
			*vec_push(&all->codes) = (struct dwarf_abbrev){ 0 };
		all->codes.p[code] = ab;
	}
}

static bool read_abbrevs(const struct dwarf_unit *u)
{
	struct dwarf_abbrevs *all = u->abbrevs;
	unsigned sizes = u->version << 16 | u->offset_size << 8 | u->addr_size;
	struct span s = u->s->abbrev;
	struct cursor a;

	if (all->codes.n && all->off == u->abbrev_off && all->sizes == sizes)
		return true;
	all->codes.n = all->attrs.n = 0;
	if (u->abbrev_off >= s.n)
		return false;
	a = (struct cursor){ .p = s.p + u->abbrev_off, .end = s.p + s.n, .big = u->s->big };
	if (!read_codes(u, &a)) {
		all->codes.n = 0;
		return false;
	}
	all->off = u->abbrev_off;
	all->sizes = sizes;
	return true;
}

void dwarf_abbrevs_release(struct dwarf_abbrevs *ab)
{
	vec_release(&ab->codes);
	vec_release(&ab->attrs);
}

const struct dwarf_abbrev *dwarf_abbrev_of(const struct dwarf_unit *u, uint64_t code)
{
	const struct dwarf_abbrevs *all = u->abbrevs;

	return code < all->codes.n && all->codes.p[code].tag ? &all->codes.p[code] : NULL;
}

/* ---- DIEs */

const uint8_t *dwarf_take_sibling(struct cursor *a, const struct dwarf_unit *u)
{
	uint64_t off = cursor_uint(a, 4);

	return off < (uint64_t)(a->end - u->start) ? u->start + off : NULL;
}

void dwarf_pass_die(struct cursor *a, const struct dwarf_unit *u, const struct dwarf_abbrev *ab,
		    const uint8_t **sibling)
{
	const struct dwarf_attr *attr = dwarf_attrs_of(u, ab);

	*sibling = NULL;
	if (!ab->children && ab->fixed != DWARF_VARIES) {
		cursor_skip(a, ab->fixed);
		return;
	}
	for (unsigned i = 0; i < ab->n; i++) {
		if (attr[i].name == DW_AT_sibling && attr[i].form == DW_FORM_ref4)
			*sibling = dwarf_take_sibling(a, u);
		else
			dwarf_pass_form(a, u, attr[i].form);
	}
}

void dwarf_pass_children(struct cursor *a, const struct dwarf_unit *u,
			 const struct dwarf_abbrev *ab, const uint8_t *sibling)
{
	unsigned depth = ab->children;

	/* forward only, so that a loop of siblings has an end */
	if (depth && sibling > a->p) {
		a->p = sibling;
		return;
	}
	while (depth && !a->failed) {
		uint64_t code = cursor_uleb(a);

		if (!code) {
			depth--;
			continue;
		}
		ab = dwarf_abbrev_of(u, code);
		if (!ab || depth == NESTING_MAX) {
			cursor_stop(a);
			return;
		}
		dwarf_pass_die(a, u, ab, &sibling);
		if (ab->children && sibling > a->p)
			a->p = sibling;
		else if (ab->children)
			depth++;
	}
}

/* ---- units */

/* The header behind the length. False: nothing is in it for us, or it makes no sense. */
static bool take_header(struct cursor *a, struct dwarf_unit *u)
{
	unsigned type = DW_UT_compile;

	u->version = (unsigned)cursor_uint(a, 2);
	if (u->version < 2 || u->version > 5)
		return false;
	if (u->version == 5) {
		type = (unsigned)cursor_uint(a, 1);
		u->addr_size = (unsigned)cursor_uint(a, 1);
		u->abbrev_off = cursor_uint(a, u->offset_size);
		if (type == DW_UT_skeleton)
			cursor_skip(a, 8); /* the id of the unit in another file */
	} else {
		u->abbrev_off = cursor_uint(a, u->offset_size);
		u->addr_size = (unsigned)cursor_uint(a, 1);
	}
	return !a->failed &&
	       (type == DW_UT_compile || type == DW_UT_partial || type == DW_UT_skeleton) &&
	       (u->addr_size == 4 || u->addr_size == 8);
}

/* Where the tables of other sections begin: the rest cannot be read before. */
static void take_bases(struct cursor a, struct dwarf_unit *u, const struct dwarf_abbrev *ab)
{
	const struct dwarf_attr *attr = dwarf_attrs_of(u, ab);
	struct dwarf_value v;

	for (unsigned i = 0; i < ab->n; i++) {
		dwarf_take_value(&a, u, &attr[i], &v);
		if (v.kind != DWARF_OFFSET)
			continue;
		if (attr[i].name == DW_AT_str_offsets_base)
			u->str_base = v.n;
		else if (attr[i].name == DW_AT_addr_base || attr[i].name == DW_AT_GNU_addr_base)
			u->addr_base = v.n;
		else if (attr[i].name == DW_AT_rnglists_base)
			u->rnglists_base = v.n;
	}
}

static void take_unit_die(struct cursor *a, struct dwarf_unit *u)
{
	const struct dwarf_abbrev *ab = dwarf_abbrev_of(u, cursor_uleb(a));
	const struct dwarf_attr *attr;
	struct dwarf_value v;

	if (!ab) {
		cursor_stop(a);
		return;
	}
	u->children = ab->children;
	take_bases(*a, u, ab);
	attr = dwarf_attrs_of(u, ab);
	for (unsigned i = 0; i < ab->n; i++) {
		dwarf_take_value(a, u, &attr[i], &v);
		if (attr[i].name == DW_AT_low_pc && v.kind == DWARF_ADDRESS)
			u->low = v.n;
		else if (attr[i].name == DW_AT_comp_dir)
			u->dir = v.text;
		else if (attr[i].name == DW_AT_producer)
			u->producer = v.text;
		else if (attr[i].name == DW_AT_stmt_list &&
			 (v.kind == DWARF_OFFSET || v.kind == DWARF_NUMBER))
			u->line_off = v.n; /* a number in DWARF 2 and 3 */
	}
}

bool dwarf_unit_take(struct cursor *a, struct dwarf_unit *u)
{
	uint64_t n;

	*u = (struct dwarf_unit){
		.s = u->s, .abbrevs = u->abbrevs, .start = a->p, .line_off = UINT64_MAX
	};
	n = dwarf_take_length(a, &u->offset_size);
	if (!n || !cursor_has(a, n))
		return false;
	u->end = a->end = a->p + n;
	if (!take_header(a, u))
		return false;
	if (!read_abbrevs(u)) {
		cursor_stop(a);
		return false;
	}
	u->die = a->p;
	take_unit_die(a, u);
	return !a->failed;
}

bool dwarf_unit_open(const struct dwarf_sections *s, struct dwarf_abbrevs *abbrevs, uint64_t off,
		     struct dwarf_unit *u, struct cursor *a)
{
	*u = (struct dwarf_unit){ .s = s, .abbrevs = abbrevs };
	if (off >= s->info.n)
		return false;
	*a = (struct cursor){ .p = s->info.p + off, .end = s->info.p + s->info.n, .big = s->big };
	return dwarf_unit_take(a, u);
}
