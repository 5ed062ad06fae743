/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the pass over outermost DIEs: the input is .debug_abbrev, then .debug_info. */
#include <stdlib.h>
#include <string.h>

#include "core/dwarf/dwarf_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that is shown can be used. */
static void use(const struct dwarf_top *die, void *arg)
{
	size_t *sum = arg;

	*sum += die->off + (die->name ? strlen(die->name) : 0);
}

/* 16 bits: the length of the abbreviations, which serve as strings and tables too */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dwarf_sections s = { 0 };
	struct dwarf_index x;
	size_t n, sum = 0;

	if (size < 2)
		return 0;
	n = load_le16(data);
	data += 2;
	size -= 2;
	if (n > size)
		n = size;
	s.abbrev = s.str = s.line_str = s.str_offsets = s.addr = SPAN(data, n);
	s.info = SPAN(data + n, size - n);
	dwarf_index_init(&x, &s);
	while (dwarf_index_unit(&x, use, &sum))
		;
	dwarf_index_release(&x);
	return 0;
}
