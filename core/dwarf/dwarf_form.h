/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF's bytes read in place: numbers, forms, abbreviations and the heads of units. For what is
 * asked of the whole of .debug_info, or of one unit among thousands; libdw does the rest.
 * Source: DWARF 2 to 5, section 7. */
#ifndef OBIT_DWARF_FORM_H
#define OBIT_DWARF_FORM_H

#include "core/base/bytes.h"
#include "core/base/vec.h"

#define DWARF_VARIES UINT32_MAX

/* Contents of the file's sections; those that are absent are empty. */
struct dwarf_sections {
	struct span info, abbrev, str, line_str, str_offsets, addr, line, ranges, rnglists;
	bool big; /* numbers are big-endian */
};
/* Cuts the sections of strings behind their last NUL, so that every string in them has an end. */
void dwarf_sections_init(struct dwarf_sections *s);

/* Reads the length that a unit begins with. *offset_size is set to 4, or to 8 in DWARF's format of
 * 64 bits. */
uint64_t dwarf_take_length(struct cursor *a, unsigned *offset_size);

struct dwarf_attr {
	uint16_t name, form;
	int32_t constant; /* DW_FORM_implicit_const's; 0 where it has more bits */
};
struct dwarf_abbrev {
	uint16_t tag; /* 0: there is no abbreviation of this code */
	bool children, wanted;
	uint16_t n;     /* attributes */
	uint32_t first; /* index of the first in struct dwarf_abbrevs.attrs */
	uint32_t fixed; /* bytes that all attributes have together, or DWARF_VARIES */
};

/* The abbreviations of the unit that was opened last. Zero-initialised before use, released behind.
 */
struct dwarf_abbrevs {
	VEC(struct dwarf_abbrev) codes;
	VEC(struct dwarf_attr) attrs;
	bool (*wanted)(unsigned tag); /* says what `wanted` of a code is; may be NULL */
	uint64_t off;                 /* in .debug_abbrev, of those that were read */
	unsigned sizes;               /* of offsets and addresses that `fixed` was counted for */
};
void dwarf_abbrevs_release(struct dwarf_abbrevs *ab);

struct dwarf_unit {
	const struct dwarf_sections *s;
	struct dwarf_abbrevs *abbrevs; /* those of this unit as long as no other is opened */
	const uint8_t *start;          /* of its header */
	const uint8_t *die;            /* its own one, behind the header */
	const uint8_t *end;
	unsigned version, offset_size, addr_size;
	uint64_t abbrev_off;
	uint64_t str_base, addr_base, rnglists_base; /* of the tables that indices count in */
	uint64_t low;                                /* what its ranges are relative to */
	const char *dir;                             /* it was compiled in; NULL unknown */
	const char *producer; /* the compiler and its options; NULL unknown */
	uint64_t line_off;    /* of its line table; UINT64_MAX: none */
	bool children;
};

/* Reads the unit's head and its DIE at `a`, and leaves `a` behind them, with a->end at the unit's
 * end. The caller has set u->s and u->abbrevs. False: the head makes no sense, which sets
 * a->failed, or the unit is of a kind that is not read. */
bool dwarf_unit_take(struct cursor *a, struct dwarf_unit *u) MUST_CHECK;
/* The same for the unit at offset off of .debug_info. */
bool dwarf_unit_open(const struct dwarf_sections *s, struct dwarf_abbrevs *abbrevs, uint64_t off,
		     struct dwarf_unit *u, struct cursor *a) MUST_CHECK;

/* The abbreviation of a code; NULL: the unit has none of this code. */
const struct dwarf_abbrev *dwarf_abbrev_of(const struct dwarf_unit *u, uint64_t code);
static inline const struct dwarf_attr *dwarf_attrs_of(const struct dwarf_unit *u,
						      const struct dwarf_abbrev *ab)
{
	return ab->n ? u->abbrevs->attrs.p + ab->first : NULL;
}

/* An attribute's value, as far as it is of use here. */
struct dwarf_value {
	enum {
		DWARF_OTHER, /* not read */
		DWARF_NUMBER,
		DWARF_ADDRESS,
		DWARF_OFFSET, /* in another section */
		DWARF_INDEX,  /* of .debug_rnglists' table of offsets */
		DWARF_REF,    /* a DIE: offset in .debug_info */
		DWARF_TEXT
	} kind;
	uint64_t n;
	const char *text; /* in place; NULL: it is not there */
};
/* Reads the value of an attribute. While the unit's own DIE is read u->str_base may not be known
 * yet: a string by its index is NULL then. */
void dwarf_take_value(struct cursor *a, const struct dwarf_unit *u, const struct dwarf_attr *attr,
		      struct dwarf_value *ret);
/* Reads a value of this form that is a string. NULL: the form is none of strings, and the value was
 * passed over. */
const char *dwarf_take_text(struct cursor *a, const struct dwarf_unit *u, unsigned form);
void dwarf_pass_form(struct cursor *a, const struct dwarf_unit *u, unsigned form);
/* Sets *ret to entry i of a table of numbers, one of s, of `size` bytes each, that begins at offset
 * base. False: the table is shorter. */
bool dwarf_table_number(const struct dwarf_sections *s, struct span table, uint64_t base,
			uint64_t i, unsigned size, uint64_t *ret) MUST_CHECK;

/* Passes over a DIE's attributes. *sibling is where the next DIE of the same level lies; NULL: the
 * DIE does not say. */
void dwarf_pass_die(struct cursor *a, const struct dwarf_unit *u, const struct dwarf_abbrev *ab,
		    const uint8_t **sibling);
/* Passes over what lies within a DIE whose attributes were passed. */
void dwarf_pass_children(struct cursor *a, const struct dwarf_unit *u,
			 const struct dwarf_abbrev *ab, const uint8_t *sibling);
/* Reads a DW_FORM_ref4 and returns where the DIE lies that it refers to; NULL: outside of the unit.
 */
const uint8_t *dwarf_take_sibling(struct cursor *a, const struct dwarf_unit *u);

#endif
