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
