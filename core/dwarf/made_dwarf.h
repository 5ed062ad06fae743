/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: an ELF file of x86-64 that holds nothing but debug info given byte by byte. */
#ifndef OBIT_MADE_DWARF_H
#define OBIT_MADE_DWARF_H

#include <elf.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/dwarf/dwarf.h"

static inline void made_le(struct buf *b, uint64_t v, size_t n)
{
	for (; n--; v >>= 8)
		buf_add(b, &(uint8_t){ (uint8_t)v }, 1);
}

static inline void made_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text) + 1);
}

/* Seven bits a byte, the lowest first. */
static inline void made_uleb(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		made_le(b, (v & 0x7f) | 0x80, 1);
	made_le(b, v, 1);
}

/* pairs: of an attribute and its form, up to a zero. Behind the last abbreviation stands a zero. */
static inline void made_abbrev(struct buf *b, unsigned number, unsigned tag, bool children,
			       const unsigned *pairs)
{
	made_uleb(b, number);
	made_uleb(b, tag);
	made_le(b, children, 1);
	for (; *pairs; pairs++)
		made_uleb(b, *pairs);
	made_le(b, 0, 2);
}

/* A unit of 32-bit DWARF: its head, of 12 bytes in version 5 and of 11 before, then the DIEs. */
static inline void made_unit_of(struct buf *b, unsigned version, unsigned addr_size,
				const struct buf *dies)
{
	made_le(b, (version >= 5 ? 8 : 7) + dies->n, 4);
	made_le(b, version, 2);
	if (version >= 5)
		made_le(b, 0x01 | addr_size << 8, 2); /* DW_UT_compile */
	made_le(b, 0, 4);                             /* its abbreviations are the first */
	if (version < 5)
		made_le(b, addr_size, 1);
	buf_add(b, dies->s, dies->n);
}

static inline void made_unit(struct buf *b, unsigned version, const struct buf *dies)
{
	made_unit_of(b, version, 8, dies);
}

/* Sections in this order; one without bytes is left empty. */
struct made_sections {
	struct span abbrev, info, frame, line;
};

static inline void made_dwarf(const struct made_sections *s, struct buf *b)
{
	static const char names[] =
		"\0.debug_abbrev\0.debug_info\0.debug_frame\0.debug_line\0.shstrtab";
	static const uint32_t name_at[] = { 0, 1, 15, 27, 40, 52 };
	const struct span parts[] = { { 0 },   s->abbrev,
				      s->info, s->frame,
				      s->line, SPAN((const uint8_t *)names, sizeof(names)) };
	enum {
		N = 6
	};
	Elf64_Ehdr head = { .e_ident = "\177ELF\2\1\1",
			    .e_type = ET_EXEC,
			    .e_machine = EM_X86_64,
			    .e_version = EV_CURRENT,
			    .e_ehsize = sizeof(head),
			    .e_shentsize = sizeof(Elf64_Shdr),
			    .e_shnum = N,
			    .e_shstrndx = N - 1,
			    .e_shoff = sizeof(head) };
	uint64_t at = sizeof(head) + N * sizeof(Elf64_Shdr);

	buf_add(b, &head, sizeof(head));
	for (size_t i = 0; i < N; i++) {
		Elf64_Shdr h = { .sh_name = name_at[i],
				 .sh_type = i + 1 == N ? SHT_STRTAB
					    : i        ? SHT_PROGBITS
						       : SHT_NULL,
				 .sh_offset = at,
				 .sh_size = parts[i].n,
				 .sh_addralign = 1 };

		buf_add(b, &h, sizeof(h));
		at += parts[i].n;
	}
	for (size_t i = 0; i < N; i++)
		buf_add(b, parts[i].p, parts[i].n);
}

#endif
