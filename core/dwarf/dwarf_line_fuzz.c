/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the lines and inlined functions of an address: sections of a file that may be anything. */
#include <string.h>

#include "core/dwarf/dwarf_inline.h"
#include "core/dwarf/dwarf_row.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct span part(const uint8_t **data, size_t *size)
{
	struct span ret;
	size_t n;

	if (*size < 2)
		return SPAN(NULL, 0);
	n = load_le16(*data);
	if (n > *size - 2)
		n = *size - 2;
	ret = SPAN(*data + 2, n);
	*data += 2 + n;
	*size -= 2 + n;
	return ret;
}

static size_t text_len(const char *s)
{
	return s ? strlen(s) : 0;
}

/* An address to ask for; then, each behind its length of 16 bits: the abbreviations, which serve as
 * texts too, lists of ranges, which serve as tables, the line table; the rest is .debug_info. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dwarf_sections s = { 0 };
	struct dwarf_abbrevs abbrevs = { 0 };
	struct dwarf_file_name name;
	struct dwarf_chain chain;
	struct dwarf_unit unit;
	struct dwarf_row row;
	struct cursor dies;
	size_t sum = 0;
	uint64_t pc;

	if (size < 8)
		return 0;
	pc = load_le64(data);
	data += 8;
	size -= 8;
	s.abbrev = s.str = s.line_str = part(&data, &size);
	s.ranges = s.rnglists = s.addr = s.str_offsets = part(&data, &size);
	s.line = part(&data, &size);
	s.info = SPAN(data, size);
	dwarf_sections_init(&s);
	if (dwarf_unit_open(&s, &abbrevs, 0, &unit, &dies)) {
		dwarf_chain_at(&unit, dies, pc, &chain);
		for (size_t i = 0; i < chain.n; i++)
			sum += text_len(chain.func[i].name);
		if (!dwarf_row_at(&unit, pc, &row))
			row.file = pc & 0xff;
		if (dwarf_file_at_number(&unit, row.file, &name))
			sum += text_len(name.comp_dir) + text_len(name.dir) + text_len(name.name);
	}
	dwarf_abbrevs_release(&abbrevs);
	return sum > SIZE_MAX / 2;
}
