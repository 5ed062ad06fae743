/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions around an address, by one pass over a unit's DIEs that enters only what contains
 * it. */
#include <dwarf.h>
#include <string.h>

#include "core/dwarf/dwarf_inline.h"

#define RANGES_MAX 4000000u /* read for one address: DIEs may share a long list */
#define ORIGINS_MAX 16u

/* What says where a DIE's code is. */
struct inline_extent {
	struct dwarf_value low, high, ranges;
	struct dwarf_value call_file, call_line;
	const uint8_t *sibling;
};

static void take_extent(struct cursor *a, const struct dwarf_unit *u, const struct dwarf_abbrev *ab,
			struct inline_extent *x)
{
	const struct dwarf_attr *attr = dwarf_attrs_of(u, ab);

	memset(x, 0, sizeof(*x));
	for (unsigned i = 0; i < ab->n; i++) {
		switch (attr[i].name) {
		case DW_AT_low_pc:
			dwarf_take_value(a, u, &attr[i], &x->low);
			break;
		case DW_AT_high_pc:
			dwarf_take_value(a, u, &attr[i], &x->high);
			break;
		case DW_AT_ranges:
			dwarf_take_value(a, u, &attr[i], &x->ranges);
			break;
		case DW_AT_call_file:
			dwarf_take_value(a, u, &attr[i], &x->call_file);
			break;
		case DW_AT_call_line:
			dwarf_take_value(a, u, &attr[i], &x->call_line);
			break;
		case DW_AT_sibling:
			if (attr[i].form == DW_FORM_ref4) {
				x->sibling = dwarf_take_sibling(a, u);
				break;
			}
			/* fall through */
		default:
			dwarf_pass_form(a, u, attr[i].form);
		}
	}
}

/* ---- ranges */

/* DWARF 2 to 4: pairs, and a pair of zeros at the end. */
static bool in_ranges(const struct dwarf_unit *u, uint64_t off, uint64_t pc, unsigned *left)
{
	uint64_t base = u->low, none = u->addr_size == 4 ? UINT32_MAX : UINT64_MAX;
	struct span s = u->s->ranges;
	struct cursor a = { .p = s.p, .end = s.p + s.n, .big = u->s->big };

	cursor_skip(&a, off);
	while (*left && !a.failed) {
		uint64_t lo = cursor_uint(&a, u->addr_size), hi = cursor_uint(&a, u->addr_size);

		--*left;
		if (a.failed || (!lo && !hi))
			break;
		if (lo == none)
			base = hi;
		else if (pc - base >= lo && pc - base < hi && pc >= base)
			return true;
	}
	return false;
}

/* One entry of DWARF 5's lists; false: the list ends. */
static bool take_entry(struct cursor *a, const struct dwarf_unit *u, uint64_t *base, uint64_t *lo,
		       uint64_t *hi)
{
	uint64_t i, n;

	*lo = *hi = 0;
	switch (cursor_uint(a, 1)) {
	case DW_RLE_base_addressx:
		i = cursor_uleb(a);
		return dwarf_table_number(u->s, u->s->addr, u->addr_base, i, u->addr_size, base);
	case DW_RLE_startx_endx:
		i = cursor_uleb(a);
		n = cursor_uleb(a);
		return dwarf_table_number(u->s, u->s->addr, u->addr_base, i, u->addr_size, lo) &&
		       dwarf_table_number(u->s, u->s->addr, u->addr_base, n, u->addr_size, hi);
	case DW_RLE_startx_length:
		i = cursor_uleb(a);
		n = cursor_uleb(a);
		if (!dwarf_table_number(u->s, u->s->addr, u->addr_base, i, u->addr_size, lo))
			return false;
		*hi = *lo + n;
		break;
	case DW_RLE_offset_pair:
		*lo = *base + cursor_uleb(a);
		*hi = *base + cursor_uleb(a);
		break;
	case DW_RLE_base_address:
		*base = cursor_uint(a, u->addr_size);
		break;
	case DW_RLE_start_end:
		*lo = cursor_uint(a, u->addr_size);
		*hi = cursor_uint(a, u->addr_size);
		break;
	case DW_RLE_start_length:
		*lo = cursor_uint(a, u->addr_size);
		*hi = *lo + cursor_uleb(a);
		break;
	default: /* the end, or what came after DWARF 5 */
		return false;
	}
	return !a->failed;
}

static bool in_rnglist(const struct dwarf_unit *u, const struct dwarf_value *at, uint64_t pc,
		       unsigned *left)
{
	struct span s = u->s->rnglists;
	struct cursor a = { .p = s.p, .end = s.p + s.n, .big = u->s->big };
	uint64_t off = at->n, base = u->low, lo, hi;

	if (at->kind == DWARF_INDEX) {
		if (!dwarf_table_number(u->s, s, u->rnglists_base, at->n, u->offset_size, &off))
			return false;
		off += u->rnglists_base;
	}
	cursor_skip(&a, off);
	while (*left && take_entry(&a, u, &base, &lo, &hi)) {
		--*left;
		if (pc >= lo && pc < hi)
			return true;
	}
	return false;
}

static bool contains(const struct dwarf_unit *u, const struct inline_extent *x, uint64_t pc,
		     unsigned *left)
{
	uint64_t end = x->high.n;

	if (x->low.kind == DWARF_ADDRESS && x->high.kind != DWARF_OTHER) {
		if (x->high.kind != DWARF_ADDRESS)
			end += x->low.n;
		return pc >= x->low.n && pc < end;
	}
	if (x->ranges.kind == DWARF_OTHER)
		return false;
	return u->version >= 5 ? in_rnglist(u, &x->ranges, pc, left)
			       : in_ranges(u, x->ranges.n, pc, left);
}

/* ---- what else a function's DIEs say */

/* The unit that a DIE is in, where it is not u: units follow each other from the start. */
static bool unit_holding(const struct dwarf_unit *u, uint64_t off, struct dwarf_abbrevs *abbrevs,
			 struct dwarf_unit *ret)
{
	struct span info = u->s->info;
	struct cursor a = { .p = info.p, .end = info.p + info.n, .big = u->s->big };
	unsigned offset_size;

	while (a.p < a.end) {
		uint64_t start = (uint64_t)(a.p - info.p), n = dwarf_take_length(&a, &offset_size);

		if (!n || !cursor_has(&a, n))
			return false;
		a.p += n;
		if (off < (uint64_t)(a.p - info.p))
			return off > start && dwarf_unit_open(u->s, abbrevs, start, ret, &a);
	}
	return false;
}

/* What the DIE at an offset says of its function; returns the DIE that it is another face of, 0
 * none.
 */
static uint64_t take_face(const struct dwarf_unit *u, uint64_t off, struct dwarf_func *func)
{
	struct cursor a = { .p = u->s->info.p + off, .end = u->end, .big = u->s->big };
	const struct dwarf_abbrev *ab = dwarf_abbrev_of(u, cursor_uleb(&a));
	const struct dwarf_attr *attr = ab ? dwarf_attrs_of(u, ab) : NULL;
	uint64_t origin = 0;

	for (unsigned i = 0; ab && i < ab->n && !a.failed; i++) {
		struct dwarf_value v;

		dwarf_take_value(&a, u, &attr[i], &v);
		switch (attr[i].name) {
		case DW_AT_name:
			if (!func->name)
				func->name = v.text;
			break;
		case DW_AT_noreturn:
			func->noreturn |= attr[i].form == DW_FORM_flag_present || v.n;
			break;
		case DW_AT_abstract_origin:
		case DW_AT_specification:
			if (v.kind == DWARF_REF)
				origin = v.n;
			break;
		default:
			break;
		}
	}
	return origin;
}

static void take_faces(const struct dwarf_unit *u, const uint8_t *die, struct dwarf_func *func)
{
	uint64_t off = (uint64_t)(die - u->s->info.p);
	struct dwarf_abbrevs abbrevs = { .off = 0 };
	const struct dwarf_unit *in = u;
	struct dwarf_unit other;

	for (unsigned i = 0; i < ORIGINS_MAX; i++) {
		off = take_face(in, off, func);
		if (!off)
			break;
		if (off > (uint64_t)(in->die - u->s->info.p) &&
		    off < (uint64_t)(in->end - u->s->info.p))
			continue;
		/* link-time optimisation: the function is of another unit */
		if (!unit_holding(u, off, &abbrevs, &other))
			break;
		in = &other;
	}
	dwarf_abbrevs_release(&abbrevs);
}

/* ---- the search */

static void dwarf_inline_found(const struct dwarf_unit *u, unsigned tag, const uint8_t *die,
			       const struct inline_extent *x, struct dwarf_chain *ret)
{
	struct dwarf_func *func = &ret->func[ret->n];

	if (tag == DW_TAG_lexical_block || ret->n == DWARF_INLINE_MAX)
		return;
	*func = (struct dwarf_func){
		.low = x->low.kind == DWARF_ADDRESS ? x->low.n : 0,
		.inlined = tag == DW_TAG_inlined_subroutine,
		.call_file = x->call_file.kind == DWARF_NUMBER ? x->call_file.n : 0,
		.call_line = x->call_line.kind == DWARF_NUMBER ? x->call_line.n : 0,
	};
	take_faces(u, die, func);
	ret->n++;
}

void dwarf_chain_at(const struct dwarf_unit *u, struct cursor a, uint64_t pc,
		    struct dwarf_chain *ret)
{
	unsigned namespaces = 0, left = RANGES_MAX;
	bool inside = false;

	ret->n = 0;
	while (a.p < a.end && !a.failed) {
		const uint8_t *die = a.p, *sibling;
		uint64_t code = cursor_uleb(&a);
		const struct dwarf_abbrev *ab;
		struct inline_extent x;

		if (!code && (inside || !namespaces--))
			return; /* the end of what contains it */
		if (!code)
			continue;
		ab = dwarf_abbrev_of(u, code);
		if (!ab)
			return;
		switch (ab->tag) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			take_extent(&a, u, ab, &x);
			if (a.failed || !contains(u, &x, pc, &left)) {
				dwarf_pass_children(&a, u, ab, x.sibling);
				break;
			}
			dwarf_inline_found(u, ab->tag, die, &x, ret);
			if (!ab->children)
				return;
			inside = true;
			break;
		case DW_TAG_namespace: /* Rust's modules */
			dwarf_pass_die(&a, u, ab, &sibling);
			if (inside)
				dwarf_pass_children(&a, u, ab, sibling);
			else
				namespaces += ab->children;
			break;
		default:
			dwarf_pass_die(&a, u, ab, &sibling);
			dwarf_pass_children(&a, u, ab, sibling);
		}
	}
}
