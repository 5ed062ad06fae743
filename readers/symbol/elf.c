/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ELF's headers: Tool Interface Standard (TIS) ELF 1.2, and the 64-bit layout of the System V ABI.
 */
#include <string.h>

#include "readers/symbol/elf.h"

static uint16_t half(const struct elf *e, const uint8_t *p)
{
	return (uint16_t)elf_number(e, p, 2);
}

static uint32_t word(const struct elf *e, const uint8_t *p)
{
	return (uint32_t)elf_number(e, p, 4);
}

static uint64_t xword(const struct elf *e, const uint8_t *p)
{
	return elf_number(e, p, 8);
}

bool elf_header(const uint8_t *head, struct elf *ret)
{
	const uint8_t *p = head;

	if (memcmp(p, "\177ELF", 4) != 0 || (p[4] != 1 && p[4] != 2) || (p[5] != 1 && p[5] != 2))
		return false;
	*ret = (struct elf){ .is32 = p[4] == 1, .big = p[5] == 2 };
	ret->type = half(ret, p + 16);
	ret->machine = half(ret, p + 18);
	ret->phoff = ret->is32 ? word(ret, p + 28) : xword(ret, p + 32);
	ret->shoff = ret->is32 ? word(ret, p + 32) : xword(ret, p + 40);
	p += ret->is32 ? 42 : 54;
	ret->phentsize = half(ret, p);
	ret->phnum = half(ret, p + 2);
	ret->shentsize = half(ret, p + 4);
	ret->shnum = half(ret, p + 6);
	ret->shstrndx = half(ret, p + 8);
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
		return (struct elf_segment){ .type = word(e, p),
					     .off = word(e, p + 4),
					     .pa = word(e, p + 12),
					     .file_n = word(e, p + 16),
					     .mem_n = word(e, p + 20) };
	return (struct elf_segment){ .type = word(e, p),
				     .off = xword(e, p + 8),
				     .pa = xword(e, p + 24),
				     .file_n = xword(e, p + 32),
				     .mem_n = xword(e, p + 40) };
}

struct elf_section elf_section(const struct elf *e, const uint8_t *p)
{
	struct elf_section s = { .name = word(e, p), .type = word(e, p + 4) };

	if (e->is32) {
		s.flags = word(e, p + 8);
		s.addr = word(e, p + 12);
		s.off = word(e, p + 16);
		s.size = word(e, p + 20);
		s.link = word(e, p + 24);
		s.info = word(e, p + 28);
	} else {
		s.flags = xword(e, p + 8);
		s.addr = xword(e, p + 16);
		s.off = xword(e, p + 24);
		s.size = xword(e, p + 32);
		s.link = word(e, p + 40);
		s.info = word(e, p + 44);
	}
	return s;
}

struct elf_symbol elf_symbol_big(const struct elf *e, const uint8_t *p)
{
	if (e->is32)
		return (struct elf_symbol){ .name = word(e, p),
					    .value = word(e, p + 4),
					    .size = word(e, p + 8),
					    .info = p[12],
					    .shndx = half(e, p + 14) };
	return (struct elf_symbol){ .name = word(e, p),
				    .info = p[4],
				    .shndx = half(e, p + 6),
				    .value = xword(e, p + 8),
				    .size = xword(e, p + 16) };
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
