/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass over outermost DIEs. It reads bytes in place and skips what lies within functions and
 * structs; libdw fills in what is found. */
#include <dwarf.h>
#include <string.h>

#include "core/dwarf/dwarf_index.h"

/* What a question that a few units answer does not read. */
#define LONG_PASS ((uint64_t)4 << 20)

static bool take_flag(struct cursor *a, const struct dwarf_unit *u, unsigned form)
{
	if (form == DW_FORM_flag)
		return cursor_uint(a, 1);
	dwarf_pass_form(a, u, form);
	return form == DW_FORM_flag_present;
}

/* All static storage has an expression of one operation: an address. */
static void take_location(struct cursor *a, const struct dwarf_unit *u, unsigned form,
			  struct dwarf_top *die)
{
	struct cursor e;
	uint64_t n;

	if (form != DW_FORM_exprloc && form != DW_FORM_block1 && form != DW_FORM_block) {
		dwarf_pass_form(a, u, form);
		return;
	}
	n = form == DW_FORM_block1 ? cursor_uint(a, 1) : cursor_uleb(a);
	if (!cursor_has(a, n))
		return;
	e = (struct cursor){ .p = a->p, .end = a->p + n, .big = a->big };
	a->p += n;
	switch (cursor_uint(&e, 1)) {
	case DW_OP_addr:
		die->addr = cursor_uint(&e, u->addr_size);
		die->has_addr = !e.failed && e.p == e.end;
		break;
	case DW_OP_addrx:
		n = cursor_uleb(&e);
		die->has_addr = !e.failed && e.p == e.end &&
				dwarf_table_number(u->s, u->s->addr, u->addr_base, n, u->addr_size,
						   &die->addr);
		break;
	default:
		break;
	}
}

static bool is_wanted(unsigned tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type || tag == DW_TAG_typedef || tag == DW_TAG_base_type ||
	       tag == DW_TAG_variable;
}

/* ---- DIEs */

static void take_die(struct cursor *a, const struct dwarf_unit *u, const struct dwarf_abbrev *ab,
		     struct dwarf_top *die, const uint8_t **sibling)
{
	const struct dwarf_attr *attr = dwarf_attrs_of(u, ab);

	*sibling = NULL;
	for (unsigned i = 0; i < ab->n; i++) {
		unsigned form = attr[i].form;

		switch (attr[i].name) {
		case DW_AT_name:
			die->name = dwarf_take_text(a, u, form);
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
				*sibling = dwarf_take_sibling(a, u);
				break;
			}
			/* fall through */
		default:
			dwarf_pass_form(a, u, form);
		}
	}
}

/* The name of the DIE that comes next, which is the first child of the one just read. */
static const char *next_name(struct cursor a, const struct dwarf_unit *u)
{
	struct dwarf_top child = { 0 };
	const struct dwarf_abbrev *ab = dwarf_abbrev_of(u, cursor_uleb(&a));
	const uint8_t *sibling;

	if (!ab)
		return NULL;
	take_die(&a, u, ab, &child, &sibling);
	return a.failed ? NULL : child.name;
}

static void pass_unit(struct cursor *a, const struct dwarf_unit *u,
		      void (*see)(const struct dwarf_top *die, void *arg), void *arg)
{
	const uint8_t *base = u->s->info.p;

	while (a->p < a->end && !a->failed) {
		struct dwarf_top die = { .off = (uint64_t)(a->p - base) };
		uint64_t code = *a->p < 0x80 ? *a->p++ : cursor_uleb(a);
		const uint8_t *sibling;
		const struct dwarf_abbrev *ab;

		if (!code)
			return; /* the end of the unit's DIE */
		ab = dwarf_abbrev_of(u, code);
		if (!ab) {
			cursor_stop(a);
			return;
		}
		if (ab->wanted) {
			take_die(a, u, ab, &die, &sibling);
			die.tag = ab->tag;
			if (ab->tag == DW_TAG_enumeration_type && !die.name && ab->children)
				die.first = next_name(*a, u);
			if (!a->failed)
				see(&die, arg);
		} else {
			dwarf_pass_die(a, u, ab, &sibling);
		}
		dwarf_pass_children(a, u, ab, sibling);
	}
}

/* Says what will be read: units one behind the other, and, of a long pass, all names. */
static void read_on(struct dwarf_index *x, const struct dwarf_unit *u, const uint8_t *start)
{
	if (u->end)
		mapping_follow(&x->stream, x->s.info, start, (size_t)(u->end - start));
	if (x->fetched || x->next < LONG_PASS)
		return;
	x->fetched = true;
	mapping_fetch(x->s.str.p, x->s.str.n);
	mapping_fetch(x->s.abbrev.p, x->s.abbrev.n);
}

bool dwarf_index_unit(struct dwarf_index *x, void (*see)(const struct dwarf_top *die, void *arg),
		      void *arg)
{
	struct dwarf_unit u = { .s = &x->s, .abbrevs = &x->abbrevs };
	struct cursor a;

	if (x->next >= x->s.info.n)
		return false;
	a = (struct cursor){ .p = x->s.info.p + x->next,
			     .end = x->s.info.p + x->s.info.n,
			     .big = x->s.big };
	if (dwarf_unit_take(&a, &u) && u.children) {
		read_on(x, &u, x->s.info.p + x->next);
		pass_unit(&a, &u, see, arg);
	}
	x->damaged |= a.failed;
	x->next = u.end ? (uint64_t)(u.end - x->s.info.p) : x->s.info.n;
	return u.end;
}

void dwarf_index_init(struct dwarf_index *x, const struct dwarf_sections *s)
{
	memset(x, 0, sizeof(*x));
	x->s = *s;
	dwarf_sections_init(&x->s);
	x->abbrevs.wanted = is_wanted;
}

void dwarf_index_release(struct dwarf_index *x)
{
	dwarf_abbrevs_release(&x->abbrevs);
}
