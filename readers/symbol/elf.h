/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Headers of ELF files of both classes and both orders of bytes, as numbers. */
#ifndef OBIT_ELF_H
#define OBIT_ELF_H

#include <string.h>

#include "core/base/bytes.h"

/* The longer header, which every file that matters has. */
#define ELF_HEAD 64u

struct elf {
	bool is32;
	bool big; /* big-endian */
	uint16_t type, machine;
	uint64_t phoff, shoff;
	uint16_t phentsize, phnum, shentsize, shnum, shstrndx;
};
struct elf_segment {
	uint32_t type;
	uint64_t off, pa, file_n, mem_n;
};
struct elf_section {
	uint32_t name, type, link, info;
	uint64_t flags, addr, off, size;
};
struct elf_symbol {
	uint32_t name;
	uint8_t info;
	uint16_t shndx;
	uint64_t value, size;
};

/* Reads the header that a file begins with; head has ELF_HEAD bytes. False: it is no ELF file, or
 * one of another class than 32 and 64 bits, or of no order of bytes. */
bool elf_header(const uint8_t *head, struct elf *ret) MUST_CHECK;
/* How many bytes an entry of each table has. */
size_t elf_segment_size(const struct elf *e);
size_t elf_section_size(const struct elf *e);
size_t elf_symbol_size(bool is32);
/* A number of n bytes, as the file has it. */
static inline uint64_t elf_number(const struct elf *e, const uint8_t *p, size_t n)
{
	return load_uint(p, n, e->big);
}
/* The entry whose bytes are at p. */
struct elf_segment elf_segment(const struct elf *e, const uint8_t *p);
struct elf_section elf_section(const struct elf *e, const uint8_t *p);
struct elf_symbol elf_symbol_big(const struct elf *e, const uint8_t *p);
/* Inline, because it is called for each of a hundred thousand symbols. */
static inline struct elf_symbol elf_symbol(const struct elf *e, const uint8_t *p)
{
	if (e->big)
		return elf_symbol_big(e, p);
	if (e->is32)
		return (struct elf_symbol){ .name = load_le32(p),
					    .value = load_le32(p + 4),
					    .size = load_le32(p + 8),
					    .info = p[12],
					    .shndx = load_le16(p + 14) };
	return (struct elf_symbol){ .name = load_le32(p),
				    .info = p[4],
				    .shndx = load_le16(p + 6),
				    .value = load_le64(p + 8),
				    .size = load_le64(p + 16) };
}

/* The string at an offset of a string table; NULL: there is none that ends within the table and has
 * less than ELF_NAME_MAX bytes. No name of a kernel is longer (include/linux/kallsyms.h: 512), and
 * a table without a NUL may be named by each of a million symbols. */
#define ELF_NAME_MAX 4096u
static inline const char *elf_string(struct span table, uint64_t off)
{
	size_t left = off < table.n ? table.n - (size_t)off : 0;
	const uint8_t *p = table.p + (left ? off : 0);

	return left && memchr(p, '\0', left < ELF_NAME_MAX ? left : ELF_NAME_MAX) ? (const char *)p
										  : NULL;
}

/* The letter that nm has for a symbol of a section, by their types and the section's flags: text,
 * data, read-only, not initialised, weak; capitals are global. Data that could be executed is data
 * here, where nm calls it text. */
char elf_symbol_letter(uint32_t section_type, uint64_t section_flags, uint8_t symbol_info);

#endif
