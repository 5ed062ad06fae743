/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One source line of an address as a record; as text in obit's form, or in that of addr2line. */
#ifndef OBIT_LINE_RECORD_H
#define OBIT_LINE_RECORD_H

#include "core/obit.h"

struct line_opts {
	bool call, source;
	bool functions, inlines, addresses, pretty; /* any: as addr2line prints */
};

/* What the text of a record needs to know beside its cells. */
struct line_shown {
	const struct line_opts *o;
	size_t i; /* of the lines of one address */
};

extern const struct record_kind line_record_kind;

bool as_addr2line(const struct line_opts *o);
/* Makes *r the record of one of the lines of an address. sym is the symbol that it is in, or NULL;
 * room its size as the kernel prints it, or 0. */
void line_record(struct record *r, const struct line_shown *of, const struct symbol *sym,
		 uint64_t addr, uint64_t room, const struct line *line);

#endif
