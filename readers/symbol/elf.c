/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF's headers: Tool Interface Standard (TIS) ELF 1.2, and the 64-bit layout of the System V ABI.
 */
#include <string.h>

#include "readers/symbol/elf.h"

bool elf_header(const uint8_t *head, struct elf *ret)
{
	const uint8_t *p = head;

	if (memcmp(p, "\177ELF", 4) != 0 || (p[4] != 1 && p[4] != 2) || p[5] != 1)
		return false;
	*ret = (struct elf){ .is32 = p[4] == 1,
			     .type = load_le16(p + 16),
			     .machine = load_le16(p + 18) };
	ret->phoff = ret->is32 ? load_le32(p + 28) : load_le64(p + 32);
	ret->shoff = ret->is32 ? load_le32(p + 32) : load_le64(p + 40);
	p += ret->is32 ? 42 : 54;
	ret->phentsize = load_le16(p);
	ret->phnum = load_le16(p + 2);
	ret->shentsize = load_le16(p + 4);
	ret->shnum = load_le16(p + 6);
	ret->shstrndx = load_le16(p + 8);
	return true;
}

size_t elf_segment_size(const struct elf *e)
{
	return e->is32 ? 32 : 56;
}

size_t elf_section_size(const struct elf *e)
{
	return e->is32 ? 40 : 64;
}

size_t elf_symbol_size(bool is32)
{
	return is32 ? 16 : 24;
}

struct elf_segment elf_segment(const struct elf *e, const uint8_t *p)
{
	if (e->is32)
		return (struct elf_segment){ .type = load_le32(p),
					     .off = load_le32(p + 4),
					     .pa = load_le32(p + 12),
					     .file_n = load_le32(p + 16),
					     .mem_n = load_le32(p + 20) };
	return (struct elf_segment){ .type = load_le32(p),
				     .off = load_le64(p + 8),
				     .pa = load_le64(p + 24),
				     .file_n = load_le64(p + 32),
				     .mem_n = load_le64(p + 40) };
}

struct elf_section elf_section(const struct elf *e, const uint8_t *p)
{
	struct elf_section s = { .name = load_le32(p), .type = load_le32(p + 4) };

	if (e->is32) {
		s.flags = load_le32(p + 8);
		s.addr = load_le32(p + 12);
		s.off = load_le32(p + 16);
		s.size = load_le32(p + 20);
		s.link = load_le32(p + 24);
		s.info = load_le32(p + 28);
	} else {
		s.flags = load_le64(p + 8);
		s.addr = load_le64(p + 16);
		s.off = load_le64(p + 24);
		s.size = load_le64(p + 32);
		s.link = load_le32(p + 40);
		s.info = load_le32(p + 44);
	}
	return s;
}

/* ---- letters */

enum {
	SHT_NOBITS = 8,
	SHF_WRITE = 1,
	SHF_ALLOC = 2,
	SHF_EXECINSTR = 4,
	STT_OBJECT = 1,
	STT_FUNC = 2,
	STB_LOCAL = 0,
	STB_WEAK = 2
};

char elf_symbol_letter(uint32_t section_type, uint64_t section_flags, uint8_t symbol_info)
{
	unsigned bind = symbol_info >> 4, type = symbol_info & 15;
	char c = 'r';

	if (bind == STB_WEAK)
		return type == STT_OBJECT ? 'V' : 'W';
	/* .data of 7.2 on x86-64 is executable, for a little code is in it: what can be written is
	 * data, but for functions */
	if (section_flags & SHF_EXECINSTR && (!(section_flags & SHF_WRITE) || type == STT_FUNC))
		c = 't';
	else if (!(section_flags & SHF_ALLOC))
		return 'N';
	else if (section_type == SHT_NOBITS)
		c = 'b';
	else if (section_flags & SHF_WRITE)
		c = 'd';
	return bind == STB_LOCAL ? c : (char)(c - 'a' + 'A');
}
